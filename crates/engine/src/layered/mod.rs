//! Retrograde analysis layer by layer, in as little memory as there is.
//!
//! ```text
//!            from the highest layer down                 from the lowest layer up
//! roots ──▶ reach: a bit for each code that is met ──▶ value: a cell for each position ──▶ table
//!                      │         ▲                              │        ▲
//!                      ▼         │                              ▼        │
//!                     space: pages in a file beside the table, or in memory
//! ```
//!
//! Codes fall into layers ([`Layers`]), and every move leads to the layer it starts in or to a lower one. Only the layer at work is
//! in memory; others lie in a `Space` and are read a window at a time, in order.
//!
//! `reach` goes down. The positions that were met in a layer are expanded until there are no more, and their options are marked in the
//! lower layers. If the marks of all lower layers do not fit, the layer is gone through once for each window of them.
//!
//! `value` goes up. First the options in finished layers are taken in, again a window at a time: the best of them is all that is
//! kept of each position. If moves stay in the layer, rounds follow, one for each remoteness: a position that has none yet looks at its
//! options again. What a round must know of the options is one bit for won and one for lost positions of the rounds before, so a
//! layer needs three bits for each code, and its cells are read and written in order. Rounds in which nothing can happen are
//! left out. Turning moves round would save looks, and takes four bytes for each move.
//!
//! The same bytes come out whatever the memory and the threads. After a stop a later run goes on: finished layers are kept, and how
//! far the work has come is written down only when all before it is safe ([`crate::keeping`]).

mod column;
mod ground;
mod known;
mod marks;
mod reach;
mod table;
mod value;
mod window;

use std::io;

use game::codes::Options;

use crate::codes::Codes;
use crate::error::Error;

use crate::monitor::Monitor;
use crate::retrograde::Forever;
use ground::Ground;
pub use table::{LayeredTable, Stream};

/// Codes that fall into layers. The lowest comes first, and no move leads to a higher one.
pub trait Layers: Sync {
    /// How many layers there are.
    fn count(&self) -> u32;
    /// How many numbers a layer has.
    fn size(&self, layer: u32) -> u64;
    /// The layers that a move can lead to, all lower; ascending.
    fn below(&self, layer: u32) -> &[u32];
    /// Whether a move can stay in a layer.
    fn is_cyclic(&self, layer: u32) -> bool;
    /// The layer of a code and its number there; `None` if it has none.
    fn place(&self, code: u64) -> Option<(u32, u64)>;
    /// The code of a number in a layer.
    fn code(&self, layer: u32, number: u64) -> u64;
}

/// Layers have fewer numbers than this.
pub const MOST_NUMBERS: u64 = 1 << 40;

/// A game whose codes fall into layers.
#[derive(Clone, Copy)]
pub(crate) struct Layered<'l, 'g> {
    pub codes: &'l Codes<'g>,
    pub layers: &'l dyn Layers,
}

impl Layered<'_, '_> {
    /// Finds the options of a number of a layer; false if play is over.
    #[inline(always)]
    fn expand(&self, code: u64, options: &mut Options) -> Result<bool, Error> {
        match self.codes.game.expand(code, options) {
            game::codes::Expanded::Options => Ok(true),
            game::codes::Expanded::End => Ok(false),
            game::codes::Expanded::Fault => Err(Error::Fault(code)),
        }
    }

    /// Where an option is: in the layer of the position or below it.
    #[inline(always)]
    fn place(&self, from: u32, option: u64) -> Result<(u32, u64), Error> {
        match self.layers.place(option) {
            Some((layer, number)) if layer <= from => Ok((layer, number)),
            _ => Err(Error::internal(format!("a move leads to code {option}, which is in no lower layer"))),
        }
    }
}

/// So many bytes of a space all layers take at most.
pub fn space_bytes(layers: &dyn Layers) -> u64 {
    ground::bytes(layers)
}

/// Values the positions that can be reached, by outcome and remoteness. Play without end must be a draw.
pub fn layered_retrograde(
    codes: &Codes,
    layers: &dyn Layers,
    forever: Forever,
    monitor: &mut Monitor,
) -> Result<LayeredTable, Error> {
    if forever != Forever::Draw {
        return Err(Error::NotApplicable("layers are not solved one by one where endless play is won".into()));
    }
    let game = Layered { codes, layers };
    let identity = format!("{} {:?} {}", codes.identity, codes.roots, layers.count());
    let mut ground = Ground::new(game, identity, monitor)?;
    let done = reach::reach(game, &mut ground, monitor).and_then(|()| value::value(game, &mut ground, monitor));
    if let (Err(Error::Space { kind: io::ErrorKind::InvalidData, .. }), Some(keeping)) = (&done, monitor.keeping()) {
        // What is damaged is made anew by the next run.
        keeping.forget(ground::STANDING);
    }
    done?;
    LayeredTable::new(ground, monitor.memory())
}
