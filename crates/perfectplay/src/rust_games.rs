//! Games written in Rust: one `impl` of [`Game`], and [`crate::Solver`] solves it.
//!
//! A heap of stones, of which one to three are taken; who takes the last one wins:
//!
//! ```
//! use perfectplay::Solver;
//! use perfectplay::rust_games::{End, Game, GameSolution, Nimber, Outcome, Play, Player};
//!
//! struct Stones(u32);
//!
//! impl Game for Stones {
//!     type Position = (Player, u32);
//!     type Move = u32;
//!     fn start(&self) -> (Player, u32) { (Player::FIRST, self.0) }
//!     fn mover(&self, position: &(Player, u32)) -> Player { position.0 }
//!     fn end(&self, position: &(Player, u32)) -> Option<End> {
//!         (position.1 == 0).then_some(End::Outcome(Outcome::Loss))
//!     }
//!     fn moves(&self, &(mover, stones): &(Player, u32)) -> Vec<Play<u32, (Player, u32)>> {
//!         let play = |taken| Play { mv: taken, gains: vec![], option: (mover.other(), stones - taken) };
//!         (1..=stones.min(3)).map(play).collect()
//!     }
//! }
//!
//! let stones = Stones(21);
//! let start = stones.start();
//! let solution: GameSolution<'_, Stones> = Solver::new().solve_game(&stones)?;
//! assert_eq!(solution.value().outcome(), Some(Outcome::Win));
//! assert_eq!(solution.method().name(), "induction");
//! assert_eq!(solution.best_moves(&start)?, [1]);
//! assert_eq!(solution.line(&start, 3)?, [1, 1, 3]);
//!
//! // Both players have the same moves, and the last mover wins: positions have nimbers, which add up.
//! let solution = Solver::new().solve_impartial(&stones)?;
//! let nimber: Option<Nimber> = solution.nimber(&start);
//! assert_eq!(nimber, Some(1));
//! assert_eq!(nimber_of_sum(&[&Stones(21), &Stones(6), &Stones(3)])?, 1 ^ 2 ^ 3);
//! assert_eq!(Solver::new().memory(1 << 20).nimber_of_sum(&[&Stones(21), &Stones(6)])?, 1 ^ 2);
//!
//! # use perfectplay::rust_games::nimber_of_sum;
//! # Ok::<(), perfectplay::SolveError>(())
//! ```
//!
//! A game may be counted instead: moves gain, and the value is the difference of the totals. Here two players take a number
//! from either end of a row:
//!
//! ```
//! use perfectplay::Solver;
//! use perfectplay::rust_games::{End, Game, Play, Player, Verdict};
//!
//! struct Row(Vec<i64>);
//!
//! #[derive(Clone, PartialEq, Eq, Hash)]
//! struct Rest { from: usize, to: usize, mover: Player }
//!
//! impl Game for Row {
//!     type Position = Rest;
//!     type Move = &'static str;
//!     fn start(&self) -> Rest { Rest { from: 0, to: self.0.len(), mover: Player::FIRST } }
//!     fn mover(&self, rest: &Rest) -> Player { rest.mover }
//!     fn end(&self, rest: &Rest) -> Option<End> {
//!         (rest.from == rest.to).then(|| End::Gains(vec![0, 0])) // Nothing more is gained at the end.
//!     }
//!     fn moves(&self, rest: &Rest) -> Vec<Play<&'static str, Rest>> {
//!         let play = |mv, taken: usize, from, to| {
//!             let mut gains = vec![0, 0];
//!             gains[rest.mover.index()] = self.0[taken];
//!             Play { mv, gains, option: Rest { from, to, mover: rest.mover.other() } }
//!         };
//!         let Rest { from, to, .. } = *rest;
//!         vec![play("left", from, from + 1, to), play("right", to - 1, from, to - 1)]
//!     }
//! }
//!
//! let row = Row(vec![5, 3, 7, 10]);
//! let solution = Solver::new().solve_game(&row)?;
//! assert_eq!(solution.value(), Verdict::Score(5));
//! assert_eq!(solution.line(&row.start(), 10)?, ["right", "right", "left", "left"]);
//! # Ok::<(), perfectplay::SolveError>(())
//! ```
//!
//! A solved game can be asked about every position. What endless play and gains mean can be said:
//!
//! ```
//! use perfectplay::Solver;
//! use perfectplay::rust_games::{End, Forever, Game, GameSolution, Objective, Outcome, Play, Player, RatedGameMove};
//!
//! /// A token goes round three places; from the last one the player who moves may step out, and wins.
//! struct Round;
//!
//! impl Game for Round {
//!     type Position = (Player, u8);
//!     type Move = u8;
//!     fn start(&self) -> (Player, u8) { (Player::FIRST, 0) }
//!     fn mover(&self, position: &(Player, u8)) -> Player { position.0 }
//!     fn end(&self, position: &(Player, u8)) -> Option<End> {
//!         (position.1 == 3).then_some(End::Outcome(Outcome::Loss))
//!     }
//!     fn moves(&self, &(mover, place): &(Player, u8)) -> Vec<Play<u8, (Player, u8)>> {
//!         let to = |place| Play { mv: place, gains: vec![], option: (mover.other(), place) };
//!         if place == 2 { vec![to(0), to(3)] } else { vec![to((place + 1) % 3), to(place)] }
//!     }
//! }
//!
//! // Who plays for ever wins, if that is the second player.
//! let forever = Forever::Win(Player::FIRST.other());
//! let solution: GameSolution<'_, Round> = Solver::new().solve_game_with(&Round, forever, Objective::Own)?;
//! assert!(solution.positions() >= 7);
//! assert_eq!(solution.value_of(&(Player::FIRST, 2)).unwrap().outcome(), Some(Outcome::Win));
//! let moves: Vec<RatedGameMove<Round>> = solution.moves(&(Player::FIRST, 2))?;
//! assert!(moves.iter().any(|mv| mv.best && mv.mv == 3));
//! # Ok::<(), perfectplay::SolveError>(())
//! ```
//!
//! Games without cycles are solved by backward induction, won, lost and drawn games with cycles by retrograde analysis
//! ([`GameSolution::method`] says which); both value all positions. A game with too many of them may be searched. A search proves the
//! value of the start, and of what else it is asked; it has an answer where it meets no position that repeats:
//!
//! ```
//! use perfectplay::Solver;
//! use perfectplay::rust_games::{End, Game, GameSearch, Outcome, Play, Player};
//!
//! /// Noughts and crosses on a strip of eight squares: three in a row win.
//! struct Strip;
//!
//! impl Game for Strip {
//!     type Position = [u8; 8];
//!     type Move = usize;
//!     fn start(&self) -> [u8; 8] { [0; 8] }
//!     fn mover(&self, strip: &[u8; 8]) -> Player { Player(strip.iter().filter(|mark| **mark > 0).count() as u8 % 2) }
//!     fn end(&self, strip: &[u8; 8]) -> Option<End> {
//!         let three = strip.windows(3).any(|w| w[0] > 0 && w[0] == w[1] && w[1] == w[2]);
//!         let full = strip.iter().all(|mark| *mark > 0);
//!         if three { Some(End::Outcome(Outcome::Loss)) } else { full.then_some(End::Outcome(Outcome::Draw)) }
//!     }
//!     fn moves(&self, strip: &[u8; 8]) -> Vec<Play<usize, [u8; 8]>> {
//!         let mark = self.mover(strip).0 + 1;
//!         let place = |at: usize| {
//!             let mut option = *strip;
//!             option[at] = mark;
//!             Play { mv: at, gains: vec![], option }
//!         };
//!         (0..8).filter(|at| strip[*at] == 0).map(place).collect()
//!     }
//! }
//!
//! let search: GameSearch<'_, Strip> = Solver::new().search_game(&Strip)?;
//! assert_eq!(search.value().outcome(), Some(Outcome::Draw));
//! assert_eq!(search.value_of(&[1, 1, 0, 2, 2, 0, 0, 0])?.outcome(), Some(Outcome::Win));
//! assert_eq!(search.best_moves(&[1, 1, 0, 2, 2, 0, 0, 0])?, [2]);
//! assert!(search.moves(&[1, 1, 0, 2, 2, 0, 0, 0])?.iter().any(|mv| mv.best && mv.mv == 2));
//! assert_eq!(search.line(&Strip.start(), 100)?.len(), 8);
//! assert!(search.positions() > 0 && search.method().name() == "alpha_beta");
//! let by_numbers = Solver::new().method("proof_number").search_game(&Strip)?;
//! assert_eq!(by_numbers.value(), search.value());
//! # Ok::<(), perfectplay::SolveError>(())
//! ```
//!
//! What a position keeps on the heap is not counted against the memory limit; its own size is.

#[doc(inline)]
pub use engine::retrograde::Forever;
#[doc(inline)]
pub use game::{End, Game, Nimber, Outcome, Play, Player, Verdict};

pub use crate::game_moves::RatedGameMove;
pub use crate::game_search::GameSearch;
pub use crate::game_solution::{GameSolution, Objective};

use solve::error::SolveError;

use crate::solver::Solver;

/// The nimber of a sum of positions of impartial games, each the start of its own, without limits of one's own.
///
/// See the [module](self) for an example.
pub fn nimber_of_sum<G: Game>(parts: &[&G]) -> Result<Nimber, SolveError> {
    Solver::new().nimber_of_sum(parts)
}
