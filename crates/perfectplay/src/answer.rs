//! Answers: the typed [`Solution`], how it is put together, and its vocabulary.

pub use game::{End, LoopyNimber, Nim64, Nimber, NimberSet, Outcome, OutcomeClass, Player, Remoteness, Verdict};
pub use solve::answer::check::{Checked, check};
pub use solve::answer::solution::{AnswerKind, Solution, SummandAnswer, Winner};
pub use solve::answer::understood::{Shown, Understood};
pub use solve::answer::{MOST_MOVES, answer, solution};
pub use solve::compare::{self, Compare};
pub use solve::picture;
pub use solve::proof::Proof;
