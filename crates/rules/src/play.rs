//! Legal moves, played out: what people and lines of play see of a position.

use crate::bound::{Bound, Position};
use crate::fault::Fault;
use crate::interpreter::{Effect, Interpreter};
use crate::show;
use crate::span::Span;
use crate::stop::Held;
use game::{End, Player};

/// A legal move, played out in its part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Play {
    /// As it is written: `take(3)`, `take(2) in part 0`.
    pub label: String,
    /// What each player gains; empty where nothing is counted.
    pub gains: Vec<i64>,
    /// The summand it is played in, in a sum of different games; 0 in one game.
    pub summand: usize,
    /// The part it is played in; 0 in a game that is no sum.
    pub part: usize,
    /// What takes the part's place.
    pub into: Vec<Box<[i64]>>,
    /// Who moves next.
    pub turn: Player,
}

impl Play {
    /// The whole position after the move.
    pub fn option(&self, position: &Position) -> Position {
        let mut option = position.clone();
        self.apply(&mut option);
        option
    }

    /// About how much memory it takes.
    fn bytes(&self) -> u64 {
        let cells: usize = self.into.iter().map(|part| 8 * part.len() + 32).sum();
        (size_of::<Play>() + self.label.len() + 8 * self.gains.len() + cells + 48) as u64
    }

    /// Makes the move in place.
    pub fn apply(&self, position: &mut Position) {
        position.parts.splice(self.part..=self.part, self.into.iter().cloned());
        position.turn = self.turn;
    }
}

/// Every legal move of a position in order: by part, then rule, then choices. None where the game is over.
pub fn plays(bound: &Bound, position: &Position) -> Result<Vec<Play>, Fault> {
    let mut interpreter = Interpreter::new(bound);
    let mut plays = Vec::new();
    for (index, part) in position.parts.iter().enumerate() {
        if bound.program.sum.is_none() && interpreter.end(part, position.turn)?.is_some() {
            return Ok(Vec::new());
        }
        plays_in_part(bound, &mut interpreter, part, index, position.turn, &mut plays)?;
    }
    Ok(plays)
}

/// Adds every legal move in one part.
pub fn plays_in_part(
    bound: &Bound,
    interpreter: &mut Interpreter<'_>,
    part: &[i64],
    index: usize,
    mover: Player,
    plays: &mut Vec<Play>,
) -> Result<(), Fault> {
    let mut held = Held::default();
    interpreter.moves(part, mover, &mut |effect| {
        let play = play_of(bound, effect, index);
        held.grow(play.bytes())?;
        plays.push(play);
        Ok(())
    })?;
    Ok(())
}

/// What a move does, as people see it.
pub fn play_of(bound: &Bound, effect: &Effect<'_>, part: usize) -> Play {
    let into = match effect.split {
        Some(parts) => parts.to_vec(),
        None => vec![effect.after.into()],
    };
    let label = show::move_label_of(bound, effect.rule, effect.choices, part);
    Play { label, gains: effect.gains.to_vec(), summand: 0, part, into, turn: effect.turn }
}

/// The first `most` legal moves of a position in order, and whether there are more. A heap of 10^18 has more moves than can be
/// listed; where even looking for so many is more work than a rule may take, those found by then are given.
pub fn first_plays(bound: &Bound, position: &Position, most: usize) -> Result<(Vec<Play>, bool), Fault> {
    let mut interpreter = Interpreter::new(bound);
    let mut plays = Vec::new();
    for (index, part) in position.parts.iter().enumerate() {
        if bound.program.sum.is_none() && interpreter.end(part, position.turn)?.is_some() {
            return Ok((Vec::new(), false));
        }
        let mut full = false;
        let visited = interpreter.moves(part, position.turn, &mut |effect| {
            if plays.len() < most {
                plays.push(play_of(bound, effect, index));
                return Ok(());
            }
            full = true;
            Err(Fault::at(Span::default(), "enough moves", ""))
        });
        match visited {
            Ok(()) => {}
            Err(_) if full => return Ok((plays, true)),
            Err(fault) if fault.too_much_work && !plays.is_empty() => return Ok((plays, true)),
            Err(fault) => return Err(fault),
        }
    }
    Ok((plays, false))
}

/// How the game ends in a position, by an `end` rule or because nobody can move; `None` where it goes on.
pub fn end(bound: &Bound, position: &Position) -> Result<Option<End>, Fault> {
    let mut interpreter = Interpreter::new(bound);
    let part = match &position.parts[..] {
        [part] if bound.program.sum.is_none() => {
            if let Some(end) = interpreter.end(part, position.turn)? {
                return Ok(Some(end));
            }
            &part[..]
        }
        _ => &[],
    };
    let (plays, _) = first_plays(bound, position, 1)?;
    if plays.is_empty() { Ok(Some(interpreter.stuck(part, position.turn)?)) } else { Ok(None) }
}
