//! Moves: legal ones and their names, rated ones, whole lines of play.
//!
//! ```
//! use perfectplay::moves::{self, BestMoves, LineMove, ListedMoves, Play, RatedMove, Stop, WholeLine};
//! use perfectplay::{Solver, language::Rules};
//!
//! let game = Rules::gallery("coins").unwrap().bind(r#"{"coins": [5, 3, 7, 10]}"#)?;
//! let labels: Vec<String> = moves::plays(&game, &game.start).unwrap().into_iter().map(|play| play.label).collect();
//! assert_eq!(labels, ["left", "right"]);
//!
//! // A move by its name, and where it leads.
//! let right = moves::find(&game, &game.start, "right").unwrap().unwrap();
//! assert_eq!(right.gains, [10, 0]);
//! let position = right.option(&game.start);
//! assert!(moves::end(&game, &position).unwrap().is_none());
//!
//! // What each move is worth to the player who makes it.
//! let solver = Solver::new();
//! let solved = solver.solved(&game)?;
//! let rated: Vec<RatedMove> = solved.moves(&position)?;
//! assert_eq!(rated.iter().filter(|mv| mv.best).count(), 1);
//! let listed = ListedMoves::of(&solved, &position)?; // The best alone, where there are millions.
//! assert_eq!((listed.moves.len(), listed.cut), (2, false));
//! let best: BestMoves = solved.best_moves(&position, 10)?;
//! assert_eq!((best.best.len(), best.cut), (1, false));
//!
//! // At most so many moves, where there may be millions, and whether there are more.
//! let (first, more): (Vec<Play>, bool) = moves::first_plays(&game, &game.start, 1).unwrap();
//! assert_eq!((&*first[0].label, more), ("left", true));
//!
//! // The whole line of best play, move by move.
//! let mut labels = Vec::new();
//! let line: WholeLine = moves::whole_line(&solved, &mut solver.monitor(), &mut |mv: &LineMove<'_>| {
//!     labels.push(mv.play.label.clone());
//!     Ok(true) // It goes on.
//! })?;
//! assert_eq!((labels.len(), line.stop, line.totals), (4, Stop::Over, vec![15, 10]));
//! # Ok::<(), perfectplay::Error>(())
//! ```

#[doc(inline)]
pub use rules::named::{find, named, squeeze};
#[doc(inline)]
pub use rules::play::{Play, end, first_plays, plays};
#[doc(inline)]
pub use solve::answer::line::{LineMove, Stop, WholeLine, whole as whole_line};
#[doc(inline)]
pub use solve::answer::listed::ListedMoves;
#[doc(inline)]
pub use solve::answers::{BestMoves, RatedMove};

use rules::bind::{Bound, Position};
use solve::error::SolveError;

/// A list of moves, `left, take(2, 1), take({0, 2}) in part 0`, cut at its outer commas.
///
/// ```
/// assert_eq!(perfectplay::moves::split("left, take(2, 1)"), ["left", "take(2, 1)"]);
/// assert!(perfectplay::moves::split("  ").is_empty());
/// ```
pub fn split(text: &str) -> Vec<String> {
    let mut moves = vec![String::new()];
    let mut open = 0i32;
    for c in text.chars() {
        match c {
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => open -= 1,
            _ => {}
        }
        if matches!(c, ',' | ';' | '\n') && open <= 0 {
            moves.push(String::new());
        } else if let Some(last) = moves.last_mut() {
            last.push(c);
        }
    }
    moves.iter().map(|mv| mv.trim().to_string()).filter(|mv| !mv.is_empty()).collect()
}

/// The position after some moves from the start, written as a list; `None` if one of them is not legal.
///
/// ```
/// use perfectplay::{language::Rules, moves};
///
/// let coins = Rules::gallery("coins").unwrap().bind(r#"{"coins": [5, 3, 7, 10]}"#)?;
/// let position = moves::after(&coins, "left, right")?.unwrap();
/// assert_eq!(moves::plays(&coins, &position).unwrap()[0].label, "left");
/// assert!(moves::after(&coins, "up")?.is_none());
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub fn after(bound: &Bound, moves: &str) -> Result<Option<Position>, SolveError> {
    let mut position = bound.start.clone();
    for label in split(moves) {
        match find(bound, &position, &label)? {
            Some(play) => play.apply(&mut position),
            None => return Ok(None),
        }
    }
    Ok(Some(position))
}
