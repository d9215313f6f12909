//! The head of a certificate: the rules, the instance, the position, and what is claimed of it. The arguments follow.

use std::io::Read;
use std::sync::Arc;

use game::Player;
use rules::bind::{Bound, Position, bind};
use rules::instance::parse_instance;
use rules::layout::Leaf;

use crate::claim::Claim;
use crate::refusal::Refusal;
use crate::stream::Reader;

/// The longest rules text.
pub const MOST_RULES: u64 = 1 << 20;
/// The longest instance: a row of ten million numbers fits.
pub const MOST_INSTANCE: u64 = 1 << 30;
/// The most parts of a position.
pub const MOST_PARTS: u64 = 1 << 24;

/// What a certificate is about.
#[derive(Debug)]
pub struct Certificate {
    /// The text of the rules.
    pub rules: String,
    /// The instance as a JSON object.
    pub instance: String,
    /// The game that these make.
    pub bound: Bound,
    /// The position that is asked about.
    pub position: Position,
    /// What is claimed of it.
    pub claim: Claim,
}

impl Certificate {
    /// Reads the head. Rules and instance must make a game, and the position must be one of it.
    pub fn read<R: Read>(reader: &mut Reader<R>) -> Result<Certificate, Refusal> {
        let rules = reader.text(MOST_RULES, "the rules")?;
        let instance = reader.text(MOST_INSTANCE, "the instance")?;
        let bound = game(&rules, &instance)?;
        let position = position(reader, &bound)?;
        let claim = Claim::read(reader)?;
        Ok(Certificate { rules, instance, bound, position, claim })
    }

    /// Whether the position is the start of the game.
    pub fn from_start(&self) -> bool {
        self.position == self.bound.start
    }
}

/// The game of rules and an instance.
pub(crate) fn game(rules: &str, instance: &str) -> Result<Bound, Refusal> {
    let program = rules::compile(rules).map_err(|mistakes| mistaken("the rules are wrong", &mistakes))?;
    let instance = parse_instance(instance).map_err(|error| Refusal::wrong(format!("the instance: {error}")))?;
    bind(&Arc::new(program), &instance).map_err(|mistakes| match mistakes.iter().find_map(|one| one.stopped) {
        Some(why) => Refusal::Stopped(why),
        None => mistaken("the instance is wrong", &mistakes),
    })
}

fn mistaken(what: &str, mistakes: &[rules::diagnostic::Diagnostic]) -> Refusal {
    Refusal::wrong(format!("{what}: {}", mistakes.first().map_or("", |mistake| &mistake.title)))
}

/// Reads whose turn it is, the number of parts, and the cells of each. All must be in their domains.
pub(crate) fn position<R: Read>(reader: &mut Reader<R>, bound: &Bound) -> Result<Position, Refusal> {
    let turn = Player(reader.at_most(bound.players as u64 - 1, "a player")? as u8);
    let count = reader.at_most(MOST_PARTS, "a number of parts")?;
    if bound.program.sum.is_none() && count != 1 {
        return Err(Refusal::wrong("a game that is no sum has one part"));
    }
    let mut held = rules::stop::Held::default();
    let mut parts = Vec::new();
    for _ in 0..count {
        let mut cells = Vec::new();
        for _ in 0..bound.layout.cells() {
            cells.push(reader.signed()?);
        }
        held.grow(8 * cells.len() as u64 + 32)?;
        if let Some(why) = outside(bound, &cells) {
            return Err(Refusal::wrong(format!("the position: {why}")));
        }
        parts.push(cells.into_boxed_slice());
    }
    Ok(Position { parts, turn })
}

/// What is outside its domain.
fn outside(bound: &Bound, cells: &[i64]) -> Option<String> {
    if let Some(misfit) = bound.layout.misfit(cells) {
        return Some(misfit.text);
    }
    for slot in &bound.layout.variables {
        let Leaf::Set { size, .. } = slot.leaf else { continue };
        for (word, cell) in cells[slot.offset..slot.offset + slot.cells].iter().enumerate() {
            let free = (size - word % slot.stride * 64).min(64);
            if free < 64 && cell.cast_unsigned() >> free != 0 {
                return Some(format!("{} contains what is not possible", slot.name));
            }
        }
    }
    None
}
