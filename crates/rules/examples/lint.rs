//! Checks rules files and prints their mistakes.
fn main() {
    for path in std::env::args().skip(1) {
        let source = std::fs::read_to_string(&path).unwrap_or_default();
        match rules::compile(&source) {
            Ok(program) => println!("{path}: ok, {} moves", program.moves.len()),
            Err(diagnostics) => print!("{}", rules::report::report(&path, &source, &diagnostics, false)),
        }
    }
}
