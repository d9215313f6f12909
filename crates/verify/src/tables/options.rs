//! The options of a position, as the interpreter finds them.

use game::{End, Player};
use rules::bind::{Bound, Position};
use rules::interpreter::Interpreter;
use rules::stop::Held;

use crate::refusal::Refusal;

/// One move.
pub struct Step {
    /// Where it leads.
    pub option: Position,
    /// What each player gains; empty where nothing is counted.
    pub gains: Vec<i64>,
}

/// What a player can do in a position.
pub struct Options {
    /// How the game ends there.
    pub end: Option<End>,
    /// Every move.
    pub steps: Vec<Step>,
}

/// What a player can do in a position.
pub fn options(bound: &Bound, position: &Position, mover: Player) -> Result<Options, Refusal> {
    let mut interpreter = Interpreter::new(bound);
    let is_sum = bound.program.sum.is_some();
    let part = if is_sum { &[][..] } else { position.parts.first().map_or(&[][..], |part| part) };
    if !is_sum && let Some(end) = interpreter.end(part, mover)? {
        return Ok(Options { end: Some(end), steps: Vec::new() });
    }
    let mut steps = Vec::new();
    let mut held = Held::default();
    for (place, own) in position.parts.iter().enumerate() {
        interpreter.moves(own, mover, &mut |effect| {
            let option = effect.option(position, place);
            held.grow(option.parts.iter().map(|part| 8 * part.len() as u64 + 24).sum::<u64>() + 96)?;
            steps.push(Step { option, gains: effect.gains.to_vec() });
            Ok(())
        })?;
    }
    let end = if steps.is_empty() { Some(interpreter.stuck(part, mover)?) } else { None };
    Ok(Options { end, steps })
}

/// The players who may be to move in a position: one, or all where entries do not record whose turn it is.
pub fn movers(bound: &Bound, position: &Position, with_turn: bool) -> Vec<Player> {
    match with_turn {
        true => vec![position.turn],
        false => (0..bound.players).map(|player| Player(player as u8)).collect(),
    }
}
