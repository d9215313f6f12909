//! Any text: the compiler and the report never panic, and every refusal says why, at a place of the text.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    perfectplay_fuzz::compile(text);
});
