//! Filling on several threads: tiles of the outer loops, wave after wave.
//!
//! A tile is all positions with the same values in the first few loops. Suppose no move goes forward in any of the
//! counted loops. Then the sum of a tile's steps in them falls with every move that leaves the tile, so tiles with
//! equal sums do not need each other and are filled side by side. All threads wait between sums.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex};

use super::Filler;
use super::halt::{Halt, advance};
use super::plan::Plan;

/// Tables smaller than this are filled by one thread.
const SMALLEST: u64 = 1 << 19;
/// A tile has at least this many positions: waiting costs a few thousand of them.
const TILE: u64 = 1 << 11;
/// The most tiles.
const MOST: u64 = 1 << 18;
/// The least number of tiles in a wave, on average.
const WIDE: u64 = 6;

/// Tiles and their waves.
#[derive(Clone, Debug)]
pub(crate) struct Tiles {
    /// How many loops make the tiles.
    loops: usize,
    /// Which of them count for a wave's number.
    counted: Vec<bool>,
}

impl Tiles {
    /// Finds loops that make good tiles, outside the sliced loop.
    pub fn new(plan: &Plan, split: usize, inner: u64) -> Option<Tiles> {
        if plan.size < SMALLEST || plan.moves.iter().any(|step| step.parts.is_some()) {
            return None;
        }
        let size = |level: usize| plan.vars[level].size();
        let mut below = inner.saturating_mul(size(split));
        let mut found = None;
        for loops in (1..=split).rev() {
            if below >= TILE
                && let Some(counted) = counted(plan, loops)
            {
                let tiles: u64 = (0..loops).map(size).fold(1, u64::saturating_mul);
                let waves: u64 = (0..loops).filter(|&level| counted[level]).map(|level| size(level) - 1).sum();
                if (2..=MOST).contains(&tiles) && tiles / (waves + 1) >= WIDE {
                    found = Some(Tiles { loops, counted });
                    break;
                }
            }
            below = below.saturating_mul(size(loops - 1));
        }
        found
    }
}

/// Which of the first loops count for the waves, if every move stays in its tile or lowers their sum.
fn counted(plan: &Plan, loops: usize) -> Option<Vec<bool>> {
    let back = |level: usize| {
        let touches = plan.moves.iter().flat_map(|step| &step.moved).filter(|moved| moved.0 == level);
        touches.map(|moved| moved.1.high).all(|high| high <= 0)
    };
    let counted: Vec<bool> = (0..loops).map(back).collect();
    let falls = |step: &super::plan::Move| {
        let mut touched = step.moved.iter().filter(|moved| moved.0 < loops);
        let strictly = touched.clone().any(|moved| counted[moved.0] && moved.1.high < 0);
        strictly || touched.all(|moved| counted[moved.0])
    };
    plan.moves.iter().all(falls).then_some(counted)
}

/// The table, shared by all threads.
#[derive(Clone, Copy)]
struct Shared(*mut u8);

// SAFETY: threads write to disjoint parts of the table, see `run_tiles`.
unsafe impl Send for Shared {}
// SAFETY: threads write to disjoint parts of the table, see `run_tiles`.
unsafe impl Sync for Shared {}

/// What a panic carries.
type Panic = Box<dyn std::any::Any + Send>;

/// What the threads share.
struct Work<'w> {
    tiles: &'w [Vec<i64>],
    /// Where each wave ends.
    ends: &'w [usize],
    next: AtomicUsize,
    done: AtomicU64,
    stop: AtomicBool,
    halt: Mutex<Option<Halt>>,
    /// What `watch` panicked with.
    panic: Mutex<Option<Panic>>,
    wait: Barrier,
}

impl Work<'_> {
    fn halt(&self, why: Halt) {
        if let Ok(mut halt) = self.halt.lock() {
            halt.get_or_insert(why);
        }
        self.stop.store(true, Ordering::Release);
    }

    /// Whether to go on. A panic is kept until all threads have met at the barrier, where the others wait for this one.
    fn watched(&self, watch: &mut dyn FnMut(u64) -> bool) -> bool {
        let done = self.done.load(Ordering::Relaxed);
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| watch(done))).unwrap_or_else(|panic| {
            if let Ok(mut kept) = self.panic.lock() {
                kept.get_or_insert(panic);
            }
            false
        })
    }
}

impl Filler {
    /// Fills wave after wave.
    pub(super) fn run_tiles(
        &self,
        table: &mut [u8],
        tiles: &Tiles,
        threads: usize,
        watch: &mut dyn FnMut(u64) -> bool,
    ) -> Result<(), Halt> {
        let (tiles, ends) = self.waves(tiles);
        let work = Work {
            tiles: &tiles,
            ends: &ends,
            next: AtomicUsize::new(0),
            done: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            halt: Mutex::new(None),
            panic: Mutex::new(None),
            wait: Barrier::new(threads),
        };
        let table = Shared(table.as_mut_ptr());
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(|| self.work(table, &work, &mut |_| true));
            }
            self.work(table, &work, watch);
        });
        if let Ok(Some(panic)) = work.panic.into_inner() {
            std::panic::resume_unwind(panic);
        }
        match work.halt.into_inner() {
            Ok(Some(halt)) => Err(halt),
            Ok(None) => {
                watch(work.done.into_inner());
                Ok(())
            }
            Err(_) => Err(Halt::Stopped),
        }
    }

    /// The tiles sorted by waves, and where each wave ends.
    fn waves(&self, tiles: &Tiles) -> (Vec<Vec<i64>>, Vec<usize>) {
        let loops = &self.shape.loops[..tiles.loops];
        let first = |&(low, high, ascending): &(i64, i64, bool)| if ascending { low } else { high };
        let mut at: Vec<i64> = loops.iter().map(first).collect();
        let mut by_wave: Vec<Vec<Vec<i64>>> = Vec::new();
        loop {
            let steps = at.iter().zip(loops).zip(&tiles.counted).filter(|(_, counted)| **counted);
            let wave: u64 = steps.map(|((value, of), _)| value.abs_diff(first(of))).sum();
            if by_wave.len() <= wave as usize {
                by_wave.resize(wave as usize + 1, Vec::new());
            }
            by_wave[wave as usize].push(at.clone());
            if !advance(&mut at, loops) {
                break;
            }
        }
        let mut end = 0;
        let ends = by_wave.iter().map(|wave| {
            end += wave.len();
            end
        });
        let ends = ends.collect();
        (by_wave.into_iter().flatten().collect(), ends)
    }

    fn work(&self, table: Shared, work: &Work<'_>, watch: &mut dyn FnMut(u64) -> bool) {
        let mut scratch = vec![0u64; self.shape.marks];
        for &end in work.ends {
            while !work.stop.load(Ordering::Acquire) {
                // A number taken past the end of the wave is given back below, when all threads have stopped taking.
                let at = work.next.fetch_add(1, Ordering::AcqRel);
                if at >= end {
                    break;
                }
                if let Err(halt) = self.tile(table, &work.tiles[at], work, &mut scratch) {
                    work.halt(halt);
                } else if !work.watched(watch) {
                    work.halt(Halt::Stopped);
                }
            }
            // Nobody begins the next wave before this one is filled and the count is corrected.
            if work.wait.wait().is_leader() {
                work.next.store(end, Ordering::Release);
            }
            work.wait.wait();
        }
    }

    fn tile(&self, table: Shared, tile: &[i64], work: &Work<'_>, scratch: &mut [u64]) -> Result<(), Halt> {
        let shape = &self.shape;
        let (low, high, _) = shape.loops[shape.split];
        let rest = &shape.loops[tile.len()..shape.split];
        let mut outer = tile.to_vec();
        outer.extend(rest.iter().map(|&(low, high, ascending)| if ascending { low } else { high }));
        loop {
            // SAFETY: `run` has checked that the table has the bytes. Only this tile writes its positions. It reads its
            // own positions and those of earlier waves, by the choice of `counted`; these are filled, and nobody writes
            // them any more.
            unsafe { self.call_raw(table.0, &outer, low, high, scratch)? };
            work.done.fetch_add(((high - low) as u64 + 1) * shape.inner, Ordering::Relaxed);
            if work.stop.load(Ordering::Acquire) || !advance(&mut outer[tile.len()..], rest) {
                return Ok(());
            }
        }
    }
}
