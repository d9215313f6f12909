//! What a search asks of a game.
//!
//! A position is a key of one word or several; keys tell positions apart, with the turn where that matters. Values are those of
//! the player to move: `D(S) = max over options of gain + D(S')` where the mover moves again, `gain − D(S')` where the turn
//! passes.

use std::sync::Arc;

use engine::Error;
pub use game::codes::{Options, Sifted};

/// Searches know keys of so many words and shorter ones.
pub const MOST_WORDS: usize = 16;

/// No value is as large as this, the largest number there is; where a sum of gains is, the search says [`Error::Overflow`]. As a
/// bound it says that nothing is known.
pub const INFINITE: i64 = i64::MAX;

/// Numbers between which a value lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// It is at least this,
    pub low: i64,
    /// and at most that.
    pub high: i64,
}

impl Bounds {
    /// Any value at all.
    pub const ANY: Bounds = Bounds { low: -INFINITE, high: INFINITE };
    /// Lost, drawn or won.
    pub const OUTCOME: Bounds = Bounds { low: -1, high: 1 };

    /// The value, if there is only one.
    pub fn value(self) -> Option<i64> {
        (self.low == self.high).then_some(self.low)
    }

    /// Bounds of an option, seen by who moves to it.
    pub(crate) fn before(self, gain: i64, same: bool) -> Bounds {
        let shifted = |bound| shifted(bound, gain);
        let (low, high) = if same { (self.low, self.high) } else { (-self.high, -self.low) };
        Bounds { low: shifted(low), high: shifted(high) }
    }
}

/// A game that searches share.
pub type Shared<'g> = Arc<dyn Game<'g> + 'g>;

/// A game of two players. What works out options lives for `'g` at the most.
pub trait Game<'g>: Send + Sync {
    /// How many words a key has, from 1 to [`MOST_WORDS`].
    fn words(&self) -> usize;

    /// What every value lies between.
    fn bounds(&self) -> Bounds {
        Bounds::ANY
    }

    /// Whether no play can come back to a position. Where that is not known, the search looks for it on its way.
    fn is_acyclic(&self) -> bool {
        false
    }

    /// Is called on each thread that helps; what it returns is dropped when that thread ends. Limits that belong to threads are taken over
    /// here.
    fn enter_thread(&self) -> Option<Box<dyn std::any::Any>> {
        None
    }

    /// What works out options. Each thread has its own.
    fn expander(self: Arc<Self>) -> Box<dyn Expander + 'g>;
}

/// Works out the options of positions.
pub trait Expander {
    /// The options of a position: their keys one after the other in [`Options::codes`], and their gains, or none at all where
    /// nothing is gained. If play is over, what it is worth to the player to move instead.
    fn expand(&mut self, key: &[u64], options: &mut Options) -> Result<Option<i64>, Error>;

    /// The options of a position that [`Expander::ends`] has left open: no rule ends the game there.
    fn expand_open(&mut self, key: &[u64], options: &mut Options) -> Result<Option<i64>, Error> {
        self.expand(key, options)
    }

    /// One quick look at a position that [`Expander::ends`] has left open: what it is worth, if a move ends the game at once with the
    /// best there is for the player to move. It need not be looked at.
    fn look(&mut self, key: &[u64]) -> Result<Option<i64>, Error> {
        let _ = key;
        Ok(None)
    }

    /// No position like this is worth more to either player: what can still be gained bounds it. It need not be known.
    fn most(&mut self, key: &[u64]) -> Option<i64> {
        let _ = key;
        None
    }

    /// Puts one of several positions that are worth the same in the place of a key: the same for all of them.
    fn fold(&mut self, key: &mut [u64]) {
        let _ = key;
    }

    /// Says of options that were just worked out what those are worth to the player to move there of which that is known at once:
    /// they end the game, or the next move does. [`OPEN`] stands for all others; no rule ends the game there. Whether this was
    /// looked at: it need not be.
    fn ends(&mut self, key: &[u64], options: &Options, into: &mut Vec<i64>) -> Result<bool, Error> {
        let _ = (key, options, into);
        Ok(false)
    }

    /// Says of options that were just worked out how promising they are: a number each, more for better ones. What was learned
    /// of moves counts up to some ten thousands. It need not be said.
    fn hints(&mut self, key: &[u64], options: &Options, into: &mut Vec<i32>) {
        let _ = (key, options, into);
    }

    /// Whether hints alone say in which order options are looked at, so that nothing need be learned. Then hints that differ by
    /// less than about half a million are much the same.
    fn orders_itself(&self) -> bool {
        false
    }

    /// Says at one look what [`Expander::expand_open`], [`Expander::ends`] and [`Expander::hints`] say together, of a position with
    /// moves that [`Expander::ends`] has left open. Whether it was said: it need not be.
    fn sift(&mut self, key: &[u64], into: &mut Sifted) -> Result<bool, Error> {
        let _ = (key, into);
        Ok(false)
    }

    /// A guess of what a position is worth to the player to move.
    fn estimate(&mut self, key: &[u64]) -> Result<i64, Error> {
        let _ = key;
        Ok(0)
    }
}

/// An option that is not known to end the game.
pub const OPEN: i64 = i64::MIN;

/// What an option is worth to who moves to it.
pub(crate) fn worth(gain: i64, same: bool, value: i64) -> Result<i64, Error> {
    let sum = if same { gain.checked_add(value) } else { gain.checked_sub(value) };
    sum.filter(|sum| sum.unsigned_abs() < INFINITE.unsigned_abs()).ok_or(Error::Overflow)
}

/// The window of an option, seen by who moves there: its value matters between the two.
pub(crate) fn window(gain: i64, same: bool, (alpha, beta): (i64, i64)) -> (i64, i64) {
    let (low, high) = (shifted(alpha, -gain), shifted(beta, -gain));
    if same { (low, high) } else { (-high, -low) }
}

/// A bound moved by a gain. What is infinite stays so.
fn shifted(bound: i64, gain: i64) -> i64 {
    match bound.abs() == INFINITE {
        true => bound.signum() * INFINITE,
        false => bound.saturating_add(gain).clamp(-INFINITE, INFINITE),
    }
}

/// A key of so many words as one of `W`.
#[inline]
pub(crate) fn padded<const W: usize>(key: &[u64]) -> [u64; W] {
    if let Ok(key) = <[u64; W]>::try_from(key) {
        return key;
    }
    let mut wide = [0; W];
    wide[..key.len()].copy_from_slice(key);
    wide
}

/// A number that depends on every bit of a key.
#[inline]
pub(crate) fn hash<const W: usize>(key: &[u64; W]) -> u64 {
    let mut hash = 0x9e37_79b9_7f4a_7c15u64;
    for word in key {
        let product = u128::from(word ^ hash) * 0xa076_1d64_78bd_642f;
        hash = (product as u64) ^ (product >> 64) as u64 ^ hash.rotate_left(23);
    }
    hash ^ hash >> 32
}
