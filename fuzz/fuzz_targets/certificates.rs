//! Bytes as certificates: the checker never panics or hangs, and what it accepts is true.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| perfectplay_fuzz::certificates::check(bytes));
