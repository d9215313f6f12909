//! Legal moves, played out: what people and lines of play see of a position.

use game::{End, Player};
use rules::bind::{Bound, Position};
use rules::diagnostic::Diagnostic;
use rules::interpreter::{Effect, Interpreter};
use rules::show;

use crate::error::SolveError;

/// A legal move, played out in its part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Play {
    /// As it is written: `take(3)`, `take(2) in part 0`.
    pub label: String,
    /// What each player gains; empty where nothing is counted.
    pub gains: Vec<i64>,
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

    /// Makes the move in place.
    pub fn apply(&self, position: &mut Position) {
        position.parts.splice(self.part..=self.part, self.into.iter().cloned());
        position.turn = self.turn;
    }
}

/// Every legal move of a position in order: by part, then rule, then choices. None where the game is over.
pub fn plays(bound: &Bound, position: &Position) -> Result<Vec<Play>, SolveError> {
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
) -> Result<(), SolveError> {
    interpreter.moves(part, mover, &mut |effect| {
        plays.push(play_of(bound, effect, index));
        Ok(())
    })?;
    Ok(())
}

/// What a move does, as people see it.
pub(crate) fn play_of(bound: &Bound, effect: &Effect<'_>, part: usize) -> Play {
    let into = match effect.split {
        Some(parts) => parts.to_vec(),
        None => vec![effect.after.into()],
    };
    let label = show::move_label_of(bound, effect.rule, effect.choices, part);
    Play { label, gains: effect.gains.to_vec(), part, into, turn: effect.turn }
}

/// How the game ends in a position, by an `end` rule or because nobody can move; `None` where it goes on.
pub fn end(bound: &Bound, position: &Position) -> Result<Option<End>, SolveError> {
    let mut interpreter = Interpreter::new(bound);
    if bound.program.sum.is_some() {
        let mut plays = Vec::new();
        for part in &position.parts {
            plays_in_part(bound, &mut interpreter, part, 0, position.turn, &mut plays)?;
            if !plays.is_empty() {
                return Ok(None);
            }
        }
        return Ok(Some(interpreter.stuck(&[], position.turn)?));
    }
    let part = position.parts.first().map_or(&[][..], |part| part);
    if let Some(end) = interpreter.end(part, position.turn)? {
        return Ok(Some(end));
    }
    match plays(bound, position)?.is_empty() {
        true => Ok(Some(interpreter.stuck(part, position.turn)?)),
        false => Ok(None),
    }
}

/// The option that a move of that name leads to, if it is legal. Two moves of one name with different options are an
/// error, since nobody can tell which is meant.
pub fn find_play(bound: &Bound, position: &Position, label: &str) -> Result<Option<Position>, SolveError> {
    let wanted = squeeze(label);
    let mut found = plays(bound, position)?.into_iter().filter(|play| squeeze(&play.label) == wanted);
    let Some(play) = found.next() else { return Ok(None) };
    if found.any(|other| other != play) {
        let title = format!("two different moves are called `{}` here", play.label);
        let diagnostic = Diagnostic::at(bound.program.name_span, title, "in this game");
        return Err(SolveError::Fault(diagnostic.help("give the moves different names").into()));
    }
    Ok(Some(play.option(position)))
}

/// A label without spaces, so that `take( 2 )` is `take(2)`.
fn squeeze(label: &str) -> String {
    label.chars().filter(|c| !c.is_whitespace()).collect()
}
