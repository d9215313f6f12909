//! Answers: the typed [`Solution`], how it is put together, and its vocabulary.
//!
//! ```
//! use perfectplay::Solver;
//! use perfectplay::answer::{AnswerKind, Outcome, Player, Proof, Winner, answered, check};
//! use perfectplay::answer::{compare, picture};
//! use perfectplay::language::Rules;
//! use perfectplay::solving::{Amount, Options};
//!
//! let game = Rules::gallery("coins").unwrap().bind(r#"{"coins": [5, 3, 7, 10]}"#)?;
//! let solver = Solver::new();
//! let solution = solver.answer(&game)?;
//! assert_eq!((solution.kind, solution.winner), (AnswerKind::Score, Some(Winner::Player(Player::FIRST))));
//! assert_eq!((solution.outcome, solution.value), (Some(Outcome::Win), Some(5)));
//! assert_eq!(solution.scores, Some(vec![15, 10]));
//! assert!(matches!(solution.proof, Proof::Theorem(_)));
//!
//! // The answer, and the solved game to be asked for more: every position, valued again by the interpreter from the rules alone.
//! let mut monitor = solver.monitor();
//! let (solved, solution) = answered(&game, &Options::default(), &mut monitor)?;
//! assert!(check(&solved, Amount::All, &mut monitor)?.all);
//!
//! // The values of all intervals, to be drawn.
//! let intervals = picture::recognise(&game, &game.start, &mut monitor)?;
//! assert_eq!(intervals.triangle(&solved, &mut monitor)?.items, 4);
//!
//! // How a player fares who takes what is largest at once.
//! let compared = compare::compare(&solved, &mut monitor)?;
//! assert!(!compared.greedy.first.cut && compared.greedy.first.value <= solution.value);
//! # Ok::<(), perfectplay::Error>(())
//! ```

#[doc(inline)]
pub use crate::claims::{claims, contradicted};
#[doc(inline)]
pub use game::{End, LoopyNimber, Nim64, Nimber, NimberSet, Outcome, OutcomeClass, Player, Remoteness, Verdict};
#[doc(inline)]
pub use solve::answer::check::{Checked, check};
#[doc(inline)]
pub use solve::answer::solution::{
    AnswerKind, Claim, Shown, Solution, SummandAnswer, SummandValue, Understood, Winner,
};
#[doc(inline)]
pub use solve::answer::{MOST_MOVES, answer, answered, solution};
#[doc(inline)]
pub use solve::answers::Proof;
#[doc(inline)]
pub use solve::compare::{self, Compare};
#[doc(inline)]
pub use solve::picture;
#[doc(inline)]
pub use solve::value_text::{ValueText as Canonical, same as same_value};
