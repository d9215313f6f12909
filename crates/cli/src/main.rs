//! The binary `perfectplay`.
fn main() {}
