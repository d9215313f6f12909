//! The options of one position as the interpreter finds them, written down as engines read them.
//!
//! [`StateGraph`](super::state::StateGraph) finds all options this way. Graphs of compiled rules and searches on codes
//! ([`Backed`]) do where code leaves a position alone: because the rules go wrong there, or because something is in doubt. A
//! doubt is no mistake of the rules: memory that is used up, loops that turn for long, a sum that leaves 64 bits on its way.

use std::sync::Arc;

use engine::Error;
use engine::graph::{Edge, Ending, Expansion, Id};
use game::codes::{Expanded, Gains, Options, Successors};
use game::{Outcome, Player};
use rules::bind::Bound;
use rules::fault::Fault;
use rules::interpreter::Interpreter;

use super::{Carrier, Keeps, keep};
use crate::case::codec::Codec;

/// Gives a position, of these cells and this player to move, its number.
type Number<'n> = &'n mut dyn FnMut(&[i64], Player) -> Result<Id, Error>;

/// Has the interpreter expand a position whose mover is written in `into`. A fault of the rules is kept.
pub(crate) fn expand(
    interpreter: &mut Interpreter<'_>,
    keeps: Keeps,
    players: usize,
    cells: &[i64],
    number: Number<'_>,
    into: &mut Expansion,
    fault: &mut Option<Fault>,
) -> Result<(), Error> {
    let mover = into.mover;
    if let Some(end) = keep(interpreter.end(cells, mover), fault)? {
        return keeps.end(end, mover, into);
    }
    let mut carrier = Carrier::default();
    let result = interpreter.moves(cells, mover, &mut |effect| {
        carrier.step(|| {
            let to = number(effect.after, effect.turn)?;
            let gain = keeps.gain(effect.gains, mover)?;
            into.edges.push(Edge { to, gain, same: effect.turn == mover, joined: false });
            keeps.keep_gains(effect.gains, players, &mut into.gains);
            Ok(())
        })
    });
    carrier.finish(result, fault)?;
    if into.edges.is_empty() {
        let end = keep(interpreter.stuck(cells, mover), fault)?;
        keeps.end(end, mover, into)?;
    }
    Ok(())
}

/// Compiled options of coded positions, with the interpreter behind them: what code leaves alone the interpreter expands. So
/// [`Expanded::Fault`] means that the interpreter found none either.
pub(crate) struct Backed<'b> {
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
        let mut interpreter = Interpreter::new(self.bound);
        let players = self.bound.players;
        expand(&mut interpreter, self.keeps, players, cells, &mut number, &mut into, &mut None).ok()?;
        match (self.keeps.gains(), into.end) {
            (_, Some(Ending::Outcome(outcome))) => gains.push(match outcome {
                Outcome::Win => 1,
                Outcome::Draw => 0,
                Outcome::Loss => -1,
            }),
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
