//! The squares of moves, beside their names: `place(4)` is b2. What is shown here can be typed as the move.

use perfectplay::moves::Play;
use perfectplay::positions::squares;
use perfectplay::sums::SumPosition;

use crate::board::Board;

/// Longer lists are shown without squares.
const MOST: usize = 1000;

/// The squares of each of some moves of a position, empty where there are none to tell.
pub fn beside(board: &Board<'_>, position: &SumPosition, plays: &[&Play]) -> Vec<String> {
    let none = || vec![String::new(); plays.len()];
    let Board::Game { bound, .. } = board else { return none() };
    let [part] = &position.summands[0].parts[..] else { return none() };
    if bound.program.sum.is_some() || plays.len() > MOST {
        return none();
    }
    let names = squares::read(bound, part, position.turn, plays).names(plays);
    names.into_iter().map(Option::unwrap_or_default).collect()
}
