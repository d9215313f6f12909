//! Code with the interpreter behind it, for searches on codes.
//!
//! Code leaves a position alone because the rules go wrong there, or because something is in doubt. A doubt is no mistake of
//! the rules: memory that is used up, loops that turn for long, a sum that leaves 64 bits on its way.

use std::sync::Arc;

use engine::Error;
use engine::graph::{Ending, Expansion};
use game::Player;
use game::codes::{Expanded, Gains, Options, Successors};
use rules::bind::Bound;

use crate::compiled::Codec;
use crate::oracle::{Keeps, Oracle};

/// Compiled options of coded positions, with the interpreter behind them: what code leaves alone the interpreter expands. So
/// [`Expanded::Fault`] means that the interpreter found none either.
pub struct Backed<'b> {
    bound: &'b Bound,
    codec: Codec,
    keeps: Keeps,
    code: Arc<dyn Successors + Send>,
}

impl<'b> Backed<'b> {
    /// Code whose positions have these codes, and which writes the gains that are kept.
    pub fn new(bound: &'b Bound, codec: Codec, keeps: Keeps, code: Arc<dyn Successors + Send>) -> Backed<'b> {
        Backed { bound, codec, keeps, code }
    }

    /// What the interpreter finds; `None` where it finds a fault, or a total that does not fit.
    fn interpreted(&self, code: u64, out: &mut Options) -> Option<Expanded> {
        let position = self.codec.position(code)?;
        let cells = position.parts.first().map_or(&[][..], |part| part);
        let mut into = Expansion { mover: position.turn, ..Expansion::default() };
        let Options { codes, same, gains } = out;
        codes.clear();
        same.clear();
        gains.clear();
        let mut number = |cells: &[i64], turn: Player| {
            let outside = || Error::Internal("an option is outside what was proved of all positions".to_string());
            codes.push(self.codec.code(cells, turn).ok_or_else(outside)?);
            Ok(0)
        };
        Oracle::new(self.bound, self.keeps, None).expand(cells, &mut into, &mut number).ok()?;
        match (self.keeps.gains(), into.end) {
            (_, Some(Ending::Outcome(outcome))) => gains.push(outcome.sign()),
            (Gains::Difference, Some(Ending::Score(score))) => gains.push(score),
            (Gains::Difference, _) => gains.extend(into.edges.iter().map(|edge| edge.gain)),
            (Gains::All, _) => gains.append(&mut into.gains),
            (Gains::Outcome, _) => {}
        }
        if into.end.is_some() {
            return Some(Expanded::End);
        }
        same.extend(into.edges.iter().map(|edge| u8::from(edge.same)));
        Some(Expanded::Options)
    }
}

impl Successors for Backed<'_> {
    fn expand(&self, code: u64, out: &mut Options) -> Expanded {
        match self.code.expand(code, out) {
            Expanded::Fault => self.interpreted(code, out).unwrap_or(Expanded::Fault),
            found => found,
        }
    }
}
