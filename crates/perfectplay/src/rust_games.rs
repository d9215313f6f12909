//! Games written in Rust: one `impl` of [`Game`], and [`crate::Solver`] solves it.
//!
//! A heap of stones, of which one to three are taken; who takes the last one wins:
//!
//! ```
//! use perfectplay::Solver;
//! use perfectplay::rust_games::{End, Game, Outcome, Play, Player};
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
//! let solution = Solver::new().solve_game(&stones)?;
//! assert_eq!(solution.value().outcome(), Some(Outcome::Win));
//! assert_eq!(solution.best_moves(&start)?, [1]);
//! assert_eq!(solution.line(&start, 3)?, [1, 1, 3]);
//!
//! // Both players have the same moves, and the last mover wins: positions have nimbers, which add up.
//! let solution = Solver::new().solve_impartial(&stones)?;
//! assert_eq!(solution.nimber(&start), Some(1));
//! assert_eq!(nimber_of_sum(&[&Stones(21), &Stones(6), &Stones(3)])?, 1 ^ 2 ^ 3);
//!
//! # use perfectplay::rust_games::nimber_of_sum;
//! # Ok::<(), perfectplay::SolveError>(())
//! ```
//!
//! Games without cycles are solved by backward induction, won, lost and drawn games with cycles by retrograde analysis. What a
//! position keeps on the heap is not counted against the memory limit; its own size is.

#[doc(inline)]
pub use engine::retrograde::Forever;
#[doc(inline)]
pub use game::{End, Game, LoopyNimber, Nim64, Nimber, Outcome, Play, Player, Verdict};
#[doc(inline)]
pub use solve::rust_game::{GameSolution, Objective, RatedGameMove};

use solve::error::SolveError;

use crate::solver::Solver;

/// The nimber of a sum of positions of impartial games, each the start of its own: the XOR of theirs.
///
/// See the [module](self) for an example.
pub fn nimber_of_sum<G: Game>(parts: &[&G]) -> Result<Nimber, SolveError> {
    parts.iter().try_fold(0, |sum, game| {
        let solution = Solver::new().solve_impartial(*game)?;
        Ok(sum ^ solution.value().nimber().unwrap_or(0))
    })
}
