//! Nearly right programs: what the checker accepts can be bound and played without a panic.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let source = perfectplay_fuzz::mutate::mutated(bytes);
    if let Some(program) = perfectplay_fuzz::compile(&source) {
        perfectplay_fuzz::play::play(&source, program);
    }
});
