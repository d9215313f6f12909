//! Running compiled fills: slice by slice, so that the caller can watch, and on several threads.

use std::time::{Duration, Instant};

use super::Filler;
use super::halt::{Halt, advance};
use super::plan::Plan;
use super::tiles::Tiles;
use super::values::Values;

/// How long one call takes, about. After it the watcher is asked.
const SLICE: Duration = Duration::from_millis(4);

/// Loops inside the sliced one have at most this many positions together.
const INNER: u64 = 1 << 12;

/// The loops as the caller of the code sees them.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// Least value, largest value and whether it counts up, for the loops up to the sliced one.
    pub loops: Vec<(i64, i64, bool)>,
    /// The sliced loop; the caller runs those outside it.
    pub split: usize,
    /// Positions in one step of the sliced loop.
    pub inner: u64,
    /// Bytes of the table.
    bytes: usize,
    /// Bytes of an entry.
    width: usize,
    /// How many marks a thread needs.
    pub marks: usize,
    /// How tiles are filled in parallel, if that is possible.
    tiles: Option<Tiles>,
}

impl Shape {
    /// Chooses the loop to slice; inside the innermost loop there are `inner` positions.
    pub fn new(plan: &Plan, inner: u64) -> Shape {
        let depth = plan.vars.len();
        let mut split = depth.saturating_sub(1);
        let mut inner = inner;
        while split > 0 && inner.saturating_mul(plan.vars[split].size()) <= INNER {
            inner *= plan.vars[split].size();
            split -= 1;
        }
        let loops = plan.vars[..depth.min(split + 1)].iter().map(|var| (var.low, var.high, var.ascending)).collect();
        let width = plan.values.width();
        let marks = if matches!(plan.values, Values::Nimber { .. }) { plan.marks() } else { 0 };
        let tiles = Tiles::new(plan, split, inner);
        Shape { loops, split, inner, bytes: (plan.size as usize).saturating_mul(width), width, marks, tiles }
    }
}

/// The signature of compiled code.
type Fill = unsafe extern "C" fn(*mut u8, *const i64, i64, i64, *mut u64) -> i64;

/// How many steps of the sliced loop a call makes, adapted to how long calls take.
struct Pace {
    steps: u64,
    since: Instant,
}

impl Pace {
    fn new(inner: u64) -> Pace {
        Pace { steps: (INNER / inner).max(1), since: Instant::now() }
    }

    /// Adapts the length of slices after a call.
    fn adapt(&mut self) {
        let now = Instant::now();
        let took = now - self.since;
        self.since = now;
        if took < SLICE / 2 {
            self.steps = self.steps.saturating_mul(2).min(1 << 40);
        } else if took > SLICE * 2 {
            self.steps = (self.steps / 2).max(1);
        }
    }
}

impl Filler {
    /// How many bytes a table must have.
    pub fn bytes(&self) -> usize {
        self.shape.bytes
    }

    /// Whether several threads can share the work.
    pub fn shares(&self) -> bool {
        self.shape.tiles.is_some()
    }

    /// Fills a table of at least [`Filler::bytes`] bytes, aligned for its entries. Now and then `watch` gets the number
    /// of positions filled so far, and returns whether to go on. The result does not depend on the number of threads.
    ///
    /// # Panics
    ///
    /// If the table is too short or not aligned.
    pub fn run(&self, table: &mut [u8], threads: usize, watch: &mut dyn FnMut(u64) -> bool) -> Result<(), Halt> {
        let Shape { bytes, width, .. } = self.shape;
        assert!(table.len() >= bytes, "the table is too short");
        assert!(table.as_ptr().addr().is_multiple_of(width), "the table is not aligned");
        if threads > 1
            && let Some(tiles) = &self.shape.tiles
        {
            return match self.run_tiles(table, tiles, threads, watch) {
                // Which position is reported must not depend on the number of threads.
                Err(Halt::Fault(_)) => self.run_alone(table, watch),
                other => other,
            };
        }
        self.run_alone(table, watch)
    }

    fn run_alone(&self, table: &mut [u8], watch: &mut dyn FnMut(u64) -> bool) -> Result<(), Halt> {
        let Shape { loops, split, inner, marks, .. } = &self.shape;
        let mut scratch = vec![0u64; *marks];
        let Some(&(low, high, ascending)) = loops.get(*split) else {
            return self.call(table, &[], 0, 0, &mut scratch);
        };
        let mut pace = Pace::new(*inner);
        let first = |&(low, high, ascending): &(i64, i64, bool)| if ascending { low } else { high };
        let mut outer: Vec<i64> = loops[..*split].iter().map(first).collect();
        let mut done = 0u64;
        loop {
            let mut left = (high - low) as u64 + 1;
            while left > 0 {
                let steps = pace.steps.min(left);
                let (from, to) = if ascending {
                    let from = high - (left - 1) as i64;
                    (from, from + (steps - 1) as i64)
                } else {
                    let to = low + (left - 1) as i64;
                    (to - (steps - 1) as i64, to)
                };
                self.call(table, &outer, from, to, &mut scratch)?;
                left -= steps;
                done += steps * inner;
                pace.adapt();
                if !watch(done) {
                    return Err(Halt::Stopped);
                }
            }
            if !advance(&mut outer, loops) {
                return Ok(());
            }
        }
    }

    fn call(&self, table: &mut [u8], outer: &[i64], from: i64, to: i64, scratch: &mut [u64]) -> Result<(), Halt> {
        // SAFETY: the table is long enough, and we have the only reference to it.
        unsafe { self.call_raw(table.as_mut_ptr(), outer, from, to, scratch) }
    }

    /// Calls the code for some outer values and a slice.
    ///
    /// # Safety
    ///
    /// `table` must have [`Filler::bytes`] bytes. Meanwhile nobody may read or write what this slice writes, or write
    /// what it reads, which is positions of earlier slices.
    pub(super) unsafe fn call_raw(
        &self,
        table: *mut u8,
        outer: &[i64],
        from: i64,
        to: i64,
        scratch: &mut [u64],
    ) -> Result<(), Halt> {
        let address = self.code.address(self.function);
        // SAFETY: the code was compiled with this signature and lives as long as `self`. It writes entries whose digits
        // are within their domains, so below `bytes`, which the table has. It reads entries of options that were proved
        // to be within their domains too, or checks them first. It reads `outer` up to the sliced loop, and marks below
        // `marks`.
        let code = unsafe {
            let fill = std::mem::transmute::<*const u8, Fill>(address);
            fill(table, outer.as_ptr(), from, to, scratch.as_mut_ptr())
        };
        if code == 0 { Ok(()) } else { Err(Halt::Fault(code as u64 - 1)) }
    }
}
