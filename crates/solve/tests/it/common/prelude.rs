//! The names that most tests use.

pub use engine::Limit;
pub use engine::monitor::{Limits, Monitor};
pub use game::{Outcome, OutcomeClass, Player, Verdict};
pub use rules::bind::{Bound, Position};
pub use rules::play::Play;
pub use rules::program::Program;
pub use solve::answer::solution::{AnswerKind, Solution, Winner};
pub use solve::answers::{Proof, RatedMove};
pub use solve::error::SolveError;
pub use solve::options::{Amount, Engine, MethodName, Options};
pub use solve::solved::Solved;

/// The player who starts wins.
pub const FIRST: Winner = Winner::Player(Player::FIRST);
/// The other one wins.
pub const SECOND: Winner = Winner::Player(Player::SECOND);
/// Nobody wins.
pub const DRAW: Winner = Winner::Draw;

/// The method of that name.
pub fn method(name: &str) -> MethodName {
    solve::methods::find(name).unwrap_or_else(|| panic!("there is no method {name}"))
}

/// With this method.
pub fn by(name: &str) -> Options {
    Options { method: Some(method(name)), ..Options::default() }
}

/// The labels of moves.
pub fn labels(moves: &[Play]) -> Vec<&str> {
    moves.iter().map(|mv| &*mv.label).collect()
}

/// The labels of the best moves of an answer.
pub fn best(solution: &Solution) -> Vec<&str> {
    labels(solution.best_moves.as_ref().expect("an answer has its best moves"))
}
