//! Memoised search on dense codes: the table is indexed by the code, no hash and no visited set.
//!
//! Depth-first with a stack of its own, each position expanded once. An option whose value is there is folded into that of
//! the position at once and forgotten; only those still to be valued wait on the stack. The cells of all options are asked
//! for before the first is looked at. Options are entered from the last to the first, for rules mostly count up, so that the
//! last option is the one nearest to the end and little waits. Filling the table in the order of a measure is several times
//! as fast, and is done instead where a measure is known.

use jit::{Expanded, Options};

use crate::codes::Codes;
use crate::codes::cell::{Cell, NEW, OPEN};
use crate::codes::error::CodeError;
use crate::codes::frames::{Frames, SAME, Tail};
use crate::codes::kind::{Rule, Unfit, with_rule};
use crate::codes::prefetch::prefetch;
use crate::codes::table::{CodeTable, Dense};
use crate::memory::{Lease, Memory};
use crate::monitor::Monitor;

/// Values all positions that can be reached from the roots, in a table of `size` cells: all codes are below `size`.
///
/// Positions that repeat are an error that names the codes of a cycle.
pub fn dense_search(codes: &Codes, size: u64, monitor: &mut Monitor) -> Result<CodeTable, CodeError> {
    with_rule!(codes.kind, Chosen => search::<Chosen>(codes, size, monitor))
}

fn search<R: Rule>(codes: &Codes, size: u64, monitor: &mut Monitor) -> Result<CodeTable, CodeError>
where
    Vec<R::Cell>: Into<Dense>,
{
    let (values, lease) = zeroed::<R::Cell>(size, monitor.memory())?;
    monitor.enter("memoised search");
    let mut walk = Walk::<R> {
        codes,
        values,
        frames: Frames::new(monitor.memory(), R::SCORED),
        options: Options::default(),
        met: 0,
        settled: 0,
    };
    for &root in codes.roots {
        if let Err(error) = walk.from(codes.canonical(root), monitor) {
            return Err(error.after(walk.met));
        }
    }
    Ok(CodeTable::dense(walk.values.into(), R::READING, walk.settled, lease, codes.canonical.clone()))
}

/// A table of zeros, charged. Memory that was never written to costs the machine nothing, only the budget.
pub(crate) fn zeroed<C: Cell>(size: u64, memory: &Memory) -> Result<(Vec<C>, Lease), CodeError> {
    let mut lease = memory.lease();
    let bytes = size.checked_mul(u64::from(C::BITS / 8)).ok_or_else(|| memory.exceeded(u64::MAX))?;
    let count = usize::try_from(size).map_err(|_| memory.exceeded(bytes))?;
    lease.grow(bytes)?;
    // Asked for and handed back first, since a refusal must be an error and not the end of the process.
    drop(lease.vector::<C>(count)?);
    Ok((vec![C::default(); count], lease))
}

/// The error for a value that did not fit.
#[cold]
pub(crate) fn unfit(unfit: Unfit, code: u64, positions: u64) -> CodeError {
    match unfit {
        Unfit::Score => CodeError::OverflowAt(code),
        Unfit::Count => CodeError::too_many(positions),
    }
}

/// Folds of so many words need no memory of their own.
const FEW: usize = 4;

/// Why options could not be folded.
enum Unfolded {
    Unfit(Unfit),
    Outside(u64),
}

impl Unfolded {
    #[cold]
    fn at(self, code: u64, positions: u64) -> CodeError {
        match self {
            Unfolded::Unfit(error) => unfit(error, code, positions),
            Unfolded::Outside(option) => CodeError::outside(option),
        }
    }
}

/// Folds in all options that are valued. The others are moved to the front, marked if the same player moves on, each with
/// its gain; returns how many.
#[inline(always)]
fn fold_settled<R: Rule>(values: &[R::Cell], options: &mut Options, fold: &mut [u64]) -> Result<usize, Unfolded> {
    let count = options.codes.len();
    let codes = options.codes.as_mut_slice();
    let same = &options.same[..count];
    let gains = if R::SCORED { &mut options.gains[..count] } else { &mut [] };
    let mut pending = 0;
    for index in 0..count {
        let option = codes[index];
        let Some(cell) = values.get(option as usize) else { return Err(Unfolded::Outside(option)) };
        let stays = same[index] != 0;
        let gain = if R::SCORED { gains[index] } else { 0 };
        if R::is_settled(cell.wide()) {
            R::fold(fold, cell.wide(), stays, gain).map_err(Unfolded::Unfit)?;
            continue;
        }
        codes[pending] = option | if stays { SAME } else { 0 };
        if R::SCORED {
            gains[pending] = gain;
        }
        pending += 1;
    }
    Ok(pending)
}

struct Walk<'c, 'g, R: Rule> {
    codes: &'c Codes<'g>,
    values: Vec<R::Cell>,
    frames: Frames,
    options: Options,
    met: u64,
    settled: u64,
}

impl<R: Rule> Walk<'_, '_, R> {
    fn from(&mut self, root: u64, monitor: &mut Monitor) -> Result<(), CodeError> {
        if self.cell(root)? == NEW {
            self.enter(root, monitor)?;
        }
        while let Some(mut tail) = self.frames.tail() {
            match self.next_option(&mut tail)? {
                Some(option) => self.enter(option, monitor)?,
                None => {
                    let start = self.frames.start_of(tail);
                    self.finish(tail.code, start, tail.words)?;
                }
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn cell(&self, code: u64) -> Result<u64, CodeError> {
        match self.values.get(code as usize) {
            Some(cell) => Ok(cell.wide()),
            None => Err(CodeError::outside(code)),
        }
    }

    /// Folds in the options of the topmost position that were valued since; the next that was not met.
    #[inline]
    fn next_option(&mut self, tail: &mut Tail) -> Result<Option<u64>, CodeError> {
        while tail.pending > 0 {
            let (marked, gain) = self.frames.last_option(*tail);
            let option = marked & !SAME;
            let cell = self.cell(option)?;
            if !R::is_settled(cell) {
                return if cell == NEW {
                    Ok(Some(option))
                } else {
                    Err(CodeError::Cycle(self.frames.path_from(option)))
                };
            }
            let start = self.frames.start_of(*tail);
            let fold = self.frames.fold_at(start, tail.words);
            R::fold(fold, cell, marked & SAME != 0, gain).map_err(|error| unfit(error, tail.code, self.met))?;
            self.frames.drop_option(tail);
        }
        Ok(None)
    }

    /// Expands a new position; values it at once if nothing is missing, else puts it on the stack.
    fn enter(&mut self, code: u64, monitor: &mut Monitor) -> Result<(), CodeError> {
        monitor.tick(self.met, self.settled)?;
        self.met += 1;
        match self.codes.game.expand(code, &mut self.options) {
            Expanded::Options => {}
            Expanded::End => {
                let gain = self.options.gains.first().copied().unwrap_or(0);
                let cell = R::end(gain).map_err(|error| unfit(error, code, self.met))?;
                self.settle(code, cell);
                return Ok(());
            }
            Expanded::Fault => return Err(CodeError::Fault(code)),
        }
        self.codes.canonical_options(&mut self.options);
        for &option in &self.options.codes {
            prefetch(&self.values, option as usize);
        }
        let words = R::words(self.options.codes.len());
        let mut few = [0; FEW];
        let mut many = if words > FEW { vec![0; words] } else { Vec::new() };
        let fold = if words > FEW { many.as_mut_slice() } else { &mut few[..words] };
        let pending =
            fold_settled::<R>(&self.values, &mut self.options, fold).map_err(|error| error.at(code, self.met))?;
        if pending == 0 {
            let cell = R::finish(fold).map_err(|error| unfit(error, code, self.met))?;
            self.settle(code, cell);
            return Ok(());
        }
        self.values[code as usize] = R::Cell::narrow(OPEN);
        let gains = if R::SCORED { &self.options.gains[..pending] } else { &[] };
        self.frames.push(code, fold, &self.options.codes[..pending], gains)
    }

    /// Values a position whose frame begins at `start` and is complete.
    #[inline(always)]
    fn finish(&mut self, code: u64, start: usize, words: usize) -> Result<(), CodeError> {
        let fold = self.frames.fold_at(start, words);
        let cell = R::finish(fold).map_err(|error| unfit(error, code, self.met))?;
        self.frames.drop_from(start);
        self.settle(code, cell);
        Ok(())
    }

    #[inline(always)]
    fn settle(&mut self, code: u64, cell: u64) {
        self.values[code as usize] = R::Cell::narrow(cell);
        self.settled += 1;
    }
}
