//! Solves a game from rules and an instance, with limits and progress, and walks through it.
//!
//! `cargo run -p perfectplay --example solve`

use std::time::Duration;

use perfectplay::language::Rules;
use perfectplay::{Error, Solver, moves};

fn main() -> Result<(), Error> {
    let solver = Solver::new()
        .memory(1 << 28)
        .time(Duration::from_secs(60))
        .progress(|progress| eprintln!("{} positions", progress.positions));

    let rules = Rules::gallery("tic_tac_toe").expect("the gallery has it");
    let game = rules.bind("{}")?;
    let solution = solver.answer(&game)?;
    println!("{}: {}", solution.game, solution.winner.map_or("nobody".to_string(), |winner| winner.to_string()));

    let solved = solver.solved(&game)?;
    let position = moves::after(&game, "place(0), place(8)")?.expect("these moves are legal");
    for mv in solved.moves(&position)?.iter().filter(|mv| mv.best) {
        println!("{} wins", mv.play.label);
    }
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}
