//! Machine code does what the interpreter does.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let source = perfectplay_fuzz::source::source(bytes);
    if let Some(program) = perfectplay_fuzz::compile(&source) {
        for bound in perfectplay_fuzz::source::instances(program) {
            perfectplay_fuzz::machine_code::compare(&source, &bound);
        }
    }
});
