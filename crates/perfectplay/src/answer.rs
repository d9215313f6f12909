//! Answers: the typed [`Solution`], how it is put together, and its vocabulary.
//!
//! ```
//! use perfectplay::Solver;
//! use perfectplay::answer::{AnswerKind, Checked, Compare, Outcome, Player, Proof, Winner, answered, check};
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
//! let checked: Checked = check(&solved, Amount::All, &mut monitor)?;
//! assert!(checked.all);
//!
//! // The values of all intervals, to be drawn.
//! let intervals = picture::recognise(&game, &game.start, &mut monitor)?;
//! assert_eq!(intervals.triangle(&solved, &mut monitor)?.items, 4);
//!
//! // How a player fares who takes what is largest at once.
//! let compared: Compare = compare::compare(&solved, &mut monitor)?;
//! assert!(!compared.greedy.first.cut && compared.greedy.first.value <= solution.value);
//! # Ok::<(), perfectplay::Error>(())
//! ```
//!
//! The vocabulary, by what it says:
//!
//! ```
//! use perfectplay::answer::{
//!     Canonical, Claim, End, LoopyNimber, MOST_MOVES, Nimber, NimberSet, Outcome, OutcomeClass, Remoteness, Shown, Solution,
//!     SummandAnswer, SummandValue, Understood, Verdict, answer, claims, solution,
//! };
//! use perfectplay::language::Rules;
//! use perfectplay::moves;
//! use perfectplay::solving::{Monitor, Options};
//! use perfectplay::sums::{Gallery, Sum};
//! use perfectplay::{Solver, Error};
//!
//! // Won, lost or drawn, in so many moves; a position that is over has an end instead of moves.
//! let game = Rules::gallery("tic_tac_toe").unwrap().bind("{}")?;
//! let solved = Solver::new().solved(&game)?;
//! let verdict: Verdict = solved.verdict(&game.start).unwrap();
//! let lasts: Remoteness = verdict.remoteness();
//! assert_eq!((verdict.outcome(), lasts), (Some(Outcome::Draw), Some(9)));
//! let over = moves::after(&game, "place(0), place(3), place(1), place(4), place(2)")?.unwrap();
//! assert_eq!(moves::end(&game, &over).unwrap(), Some(End::Outcome(Outcome::Loss)));
//!
//! // The solved game, put together for people; at most so many best moves are listed.
//! let found: Solution = solution(&solved, &mut Monitor::unlimited())?;
//! assert_eq!(found.best_moves.unwrap().len().min(MOST_MOVES), 9);
//!
//! // An impartial game has a nimber. Where positions repeat, that may be a set.
//! let kayles = Rules::gallery("kayles").unwrap().bind(r#"{"rows": [7]}"#)?;
//! let found: Solution = answer(&kayles, &Options::default(), &mut Monitor::unlimited())?;
//! let nimber: Nimber = found.nimber.unwrap();
//! assert_eq!(LoopyNimber::Finite(nimber), LoopyNimber::Finite(2));
//! let set: NimberSet = [0, 2].into_iter().collect();
//! assert_eq!(LoopyNimber::Infinite(set).outcome(), Outcome::Win);
//!
//! // A game whose players have moves of their own has a class, and a canonical form.
//! let board = Rules::gallery("domineering").unwrap().bind(r#"{"rows": 2, "columns": 2}"#)?;
//! let found = Solver::new().answer(&board)?;
//! let form: Canonical = found.canonical.unwrap();
//! assert_eq!((found.outcome_class, form.name.as_deref()), (Some(OutcomeClass::N), Some("±1")));
//!
//! // The instance as it was understood.
//! let instance: Understood = found.instance;
//! assert!(matches!(instance.iter().next(), Some(("rows", Shown::Given(_)))));
//!
//! // What each summand of a sum is worth.
//! let sum = Sum::read("kayles(7) + *5", &Gallery)?.answer(&Options::default(), &mut Monitor::unlimited()).unwrap();
//! let summand: &SummandAnswer = &sum.summands[0];
//! assert_eq!((&*summand.name, &summand.value), ("kayles(7)", &SummandValue::Nimber(LoopyNimber::Finite(2))));
//!
//! // What the rules file claims, which is no proof.
//! let hex = Rules::gallery("hex").unwrap().bind(r#"{"size": 11}"#)?;
//! let claimed: Vec<Claim> = claims(&hex);
//! assert_eq!((claimed[0].field.to_string(), &*claimed[0].value), ("winner".to_string(), "first"));
//! # Ok::<(), Error>(())
//! ```

#[doc(inline)]
pub use crate::claims::{claims, contradicted};
#[doc(inline)]
pub use game::{End, LoopyNimber, Nimber, NimberSet, Outcome, OutcomeClass, Player, Remoteness, Verdict};
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
