//! From the ends of lists back to the moves of the rules.

use rows::taking::End;
use rules::bind::{Bound, Position};
use rules::interpreter::{Effect, Interpreter};
use rules::play::{self, Play};
use shapes::row::{Ends, Gone, Hand, RowGame};

use crate::error::SolveError;

/// The move of the rules that takes from an end of a list with so many items left; `None` if that end is closed.
pub(super) fn hand(game: &RowGame, list: usize, end: End, left: u64) -> Option<&Hand> {
    match (&game.lists[list].ends, end) {
        (Ends::Both { last: Some(only), .. }, end) if left == 1 && end != *only => None,
        (Ends::Both { left, .. }, End::Left) => Some(left),
        (Ends::Both { right, .. }, End::Right) | (Ends::Top(right), End::Right) => Some(right),
        (Ends::Top(_), End::Left) => None,
    }
}

/// The place of a move in the order of the rules.
pub(super) fn place(game: &RowGame, list: usize, end: End) -> (usize, usize) {
    (game.lists[list].part, hand(game, list, end, 2).map_or(0, |hand| hand.place))
}

/// The move that takes from an end of a list, so much of which is gone, as the rules play it.
pub(super) fn play(
    game: &RowGame,
    bound: &Bound,
    interpreter: &mut Interpreter<'_>,
    position: &Position,
    (index, gone): (usize, Gone),
    end: End,
) -> Result<Play, SolveError> {
    let list = &game.lists[index];
    let cells = &position.parts[list.part];
    let wrong = || SolveError::internal(format!("the {end:?} end of list {index} is not a move of the rules"));
    let left = list.length - gone.0 - gone.1;
    let other = if end == End::Left { End::Right } else { End::Left };
    // The last item of a row may be open at the other end only.
    let (hand, end) = match (hand(game, index, end, left), hand(game, index, other, left)) {
        (Some(hand), _) => (hand, end),
        (None, Some(hand)) if left == 1 => (hand, other),
        _ => return Err(wrong()),
    };
    let mut plays = Vec::new();
    let mut keep = |effect: &Effect<'_>| {
        plays.push(play::play_of(bound, effect, list.part));
        Ok(())
    };
    match hand.choices.iter().copied().collect::<Option<Vec<i64>>>() {
        Some(choices) => interpreter.one_move((hand.rule, &choices), cells, position.turn, &mut keep)?,
        None => {
            interpreter.moves(cells, position.turn, &mut keep)?;
        }
    }
    let mut after = cells.clone();
    let gone = if end == End::Left { (gone.0 + 1, gone.1) } else { (gone.0, gone.1 + 1) };
    game.without(index, gone, &mut after);
    plays.into_iter().find(|play| matches!(&play.into[..], [into] if *into == after)).ok_or_else(wrong)
}
