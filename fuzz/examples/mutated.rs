//! Prints the rules file that the bytes of a crash stand for.

fn main() {
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).unwrap_or_default();
        println!("{}", perfectplay_fuzz::mutate::mutated(&bytes));
    }
}
