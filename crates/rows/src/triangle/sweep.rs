//! The way through the triangle: blocks from the bottom to the top, each from the diagonal to the end.
//!
//! A block carries its borders along: the last column of its tiles, the top rows of its tiles. The top row of its
//! topmost tile goes to the *frontier*, a row of whole numbers, where the block above finds it. So blocks exchange only
//! the frontier, and everything else that a block touches stays in the nearest cache.
//!
//! Threads take the next block when they become free. A block waits until the one below is a step ahead. That one is
//! finished or in the hands of another thread, so some thread can always go on.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::kept::Kept;
use super::lanes::{Keep, Kernels, Kind, Step, Whole};
use super::normal::Normal;
use super::shape::{Place, STRIP, Shape};
use super::shelf::{Page, Pieces, Shelf, number};
use super::unfinished::Unshelved;

/// `keep_going` is called after this many intervals: some milliseconds at most.
const PIECE: u64 = 1 << 21;

/// The input in the form of the kernels, and what the threads share.
pub(super) struct Sweep<'a, K: Kind> {
    shape: Shape,
    kernels: Kernels<K>,
    /// λ by block and row.
    first: Vec<K::Lane>,
    /// ρ by column within the tile, then by tile; with one more block of zeros.
    last: Vec<K::Cell>,
    stride: usize,
    empty: &'a [i128],
    /// Numbers of the lowest row that the next block has not passed, by tile.
    frontier: Vec<Mutex<Vec<K::Whole>>>,
    /// How many steps of each block are done.
    done: Vec<AtomicUsize>,
    intervals: AtomicU64,
    stop: AtomicBool,
    /// Where the cells go, unless they stay in memory.
    shelf: Option<&'a dyn Shelf>,
    /// The first error of the shelf.
    failed: Mutex<Option<io::Error>>,
}

/// How many bytes the borders and lists of a sweep take at most, including the values of the top row.
pub(super) fn bytes<K: Kind>(shape: Shape) -> u64 {
    let (tiles, tile) = (shape.tiles(), shape.tile);
    let first = shape.blocks() * tile * size_of::<K::Lane>();
    let last = tile * (tiles + K::COUNT) * size_of::<K::Cell>();
    let frontier = tiles * (size_of::<Mutex<Vec<K::Whole>>>() + tile * size_of::<K::Whole>());
    let done = shape.blocks() * size_of::<AtomicUsize>();
    let block = tile * (size_of::<K::Lane>() + size_of::<K::Wide>()) + (K::COUNT + 1) * size_of::<K::Whole>();
    let top = shape.len * size_of::<i128>();
    // When the top row is read, everything but the frontier has been freed.
    (frontier + (first + last + done + block).max(top)) as u64
}

/// The storage of blocks not yet taken.
struct Rest<'a, K: Kind> {
    /// How many blocks are left.
    blocks: usize,
    cells: &'a mut [K::Lane],
    bits: &'a mut [K::Word],
    corners: &'a mut [K::Whole],
}

/// A block and its storage; the next step is always at the front.
struct Block<'a, K: Kind> {
    number: usize,
    cells: &'a mut [K::Lane],
    bits: &'a mut [K::Word],
    corners: &'a mut [K::Whole],
}

/// What a block carries along from step to step.
struct Borders<K: Kind> {
    /// The last column of each tile.
    left: Vec<K::Lane>,
    /// The top row of each tile, and of the next one.
    below: Vec<K::Wide>,
    /// The number in the corner of each tile, and of the next one.
    corners: Vec<K::Whole>,
}

impl<'a, K: Kind> Sweep<'a, K> {
    /// Lays out the input.
    pub fn new(normal: &'a Normal, shape: Shape, simd: bool) -> Self {
        let (tile, tiles, blocks) = (shape.tile, shape.tiles(), shape.blocks());
        let cell = |number: u128| K::narrow(K::Whole::of(number as i128));
        let mut first = vec![K::LANE; blocks * tile];
        for (i, &number) in normal.first.iter().enumerate() {
            let (row, lane) = (i / tile, i / tile % K::COUNT);
            first[row / K::COUNT * tile + i % tile].as_mut()[lane] = cell(number);
        }
        let stride = tiles + K::COUNT;
        let mut last = vec![K::Cell::default(); tile * stride];
        for (j, &number) in normal.last.iter().enumerate() {
            last[j % tile * stride + j / tile] = cell(number);
        }
        Self {
            shape,
            kernels: K::kernels(simd),
            first,
            last,
            stride,
            empty: &normal.empty,
            frontier: (0..tiles).map(|_| Mutex::new(vec![K::Whole::default(); tile])).collect(),
            done: (0..blocks).map(|_| AtomicUsize::new(0)).collect(),
            intervals: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            shelf: None,
            failed: Mutex::new(None),
        }
    }

    /// Computes what is not yet on a shelf, and writes it there. `keep_going` is also called for what is there already.
    pub fn fill(
        &mut self,
        shelf: &'a dyn Shelf,
        threads: usize,
        keep_going: &mut dyn FnMut(u64) -> bool,
    ) -> Result<(), Unshelved> {
        let blocks = self.recover(shelf, keep_going)?;
        self.shelf = Some(shelf);
        let rest = Rest::<K> { blocks, cells: &mut [], bits: &mut [], corners: &mut [] };
        let run = self.all(rest, threads, keep_going);
        match self.failed.get_mut().unwrap_or_else(PoisonError::into_inner).take() {
            Some(error) => Err(Unshelved::Shelf(error)),
            None => run.map_err(|intervals| Unshelved::Stopped { intervals }),
        }
    }

    /// Reads the blocks that are complete on a shelf, from the bottom on; returns how many are left.
    fn recover(&mut self, shelf: &dyn Shelf, keep_going: &mut dyn FnMut(u64) -> bool) -> Result<usize, Unshelved> {
        let shape = self.shape;
        let mut bytes = vec![0; Pieces::of::<K>(shape).bytes];
        let mut intervals = 0;
        for block in (0..shape.blocks()).rev() {
            let row = block * K::COUNT;
            let mut top = Vec::new();
            for d in 0..shape.steps(block) {
                let step = shape.steps_below(block) + d;
                if !shelf.get(step as u64, &mut bytes).map_err(Unshelved::Shelf)? {
                    return Ok(block + 1);
                }
                let number = |column| number::<K>(&bytes, shape, &Place { step, lane: 0, row: 0, column });
                top.push((0..shape.tile).map(|column| number(column).unwrap_or_default()).collect());
                intervals += shape.intervals(block, d);
                if !keep_going(intervals) {
                    return Err(Unshelved::Stopped { intervals });
                }
            }
            for (tile, numbers) in top.into_iter().enumerate() {
                self.frontier[row + tile] = Mutex::new(numbers);
            }
            self.done[block] = AtomicUsize::new(shape.steps(block));
            self.intervals = AtomicU64::new(intervals);
        }
        Ok(0)
    }

    /// Computes all blocks. This thread works too, and calls `keep_going` now and then. If that returns false, the
    /// error is the number of intervals done so far.
    pub fn run(&self, kept: &mut Kept<K>, threads: usize, keep_going: &mut dyn FnMut(u64) -> bool) -> Result<(), u64> {
        let rest = Rest::<K> {
            blocks: self.shape.blocks(),
            cells: &mut kept.cells,
            bits: &mut kept.bits,
            corners: &mut kept.corners,
        };
        self.all(rest, threads, keep_going)
    }

    /// Computes all blocks that are left.
    fn all(&self, rest: Rest<K>, threads: usize, keep_going: &mut dyn FnMut(u64) -> bool) -> Result<(), u64> {
        let rest = Mutex::new(rest);
        let helpers = threads.clamp(1, self.shape.blocks()) - 1;
        std::thread::scope(|scope| {
            for _ in 0..helpers {
                // If the system refuses a thread, nothing is lost: this one finishes the work.
                let _ = std::thread::Builder::new().spawn_scoped(scope, || self.work(&rest, &mut |_| true));
            }
            self.work(&rest, keep_going);
        });
        let intervals = self.intervals.load(Ordering::Relaxed);
        if self.stop.load(Ordering::Relaxed) {
            return Err(intervals);
        }
        keep_going(intervals);
        Ok(())
    }

    /// The numbers of the top row, the one of D(0, 1) first.
    pub fn top(self) -> impl Iterator<Item = i128> {
        let numbers =
            self.frontier.into_iter().flat_map(|row| row.into_inner().unwrap_or_else(PoisonError::into_inner));
        numbers.map(Whole::number).take(self.shape.len)
    }

    fn work(&self, rest: &Mutex<Rest<K>>, keep_going: &mut dyn FnMut(u64) -> bool) {
        // If this thread panics, within `keep_going`, the others must not wait for it.
        struct Guard<'a>(&'a AtomicBool, bool);
        impl Drop for Guard<'_> {
            fn drop(&mut self) {
                if !self.1 {
                    self.0.store(true, Ordering::Relaxed);
                }
            }
        }
        let mut guard = Guard(&self.stop, false);
        let mut since = 0;
        let mut go_on = |intervals: u64| {
            let all = self.intervals.fetch_add(intervals, Ordering::Relaxed) + intervals;
            since += intervals;
            if since >= PIECE {
                since = 0;
                if !keep_going(all) {
                    self.stop.store(true, Ordering::Relaxed);
                }
            }
        };
        while let Some(block) = self.take(rest) {
            if self.walk(block, &mut go_on).is_none() {
                break;
            }
        }
        guard.1 = true;
    }

    /// The next block and its part of the storage.
    fn take<'b>(&self, rest: &Mutex<Rest<'b, K>>) -> Option<Block<'b, K>> {
        let mut rest = lock(rest);
        rest.blocks = rest.blocks.checked_sub(1)?;
        let number = rest.blocks;
        let steps = self.shape.steps(number);
        let cells = self.shape.step_cells();
        Some(Block {
            number,
            cells: front(&mut rest.cells, steps * cells),
            bits: front(&mut rest.bits, steps * cells / STRIP),
            corners: front(&mut rest.corners, steps * K::COUNT),
        })
    }

    /// Does all steps of a block; `None` if the work was stopped.
    fn walk(&self, mut block: Block<K>, go_on: &mut dyn FnMut(u64)) -> Option<()> {
        let shape = self.shape;
        let row = block.number * K::COUNT;
        let mut borders = self.borders(row);
        let mut page = self.shelf.map(|shelf| (shelf, Page::<K>::new(shape)));
        for d in 0..shape.steps(block.number) {
            let deltas = match d {
                0 => (K::LANE, K::LANE),
                _ => self.advance(&mut borders, block.number, d)?,
            };
            if let Some(kept) = front(&mut block.corners, K::COUNT).get_mut(..K::COUNT) {
                kept.copy_from_slice(&borders.corners[..K::COUNT]);
            }
            let cells = match &mut page {
                Some((_, page)) => &mut page.cells,
                None => front(&mut block.cells, shape.step_cells()),
            };
            let bits = front(&mut block.bits, shape.step_cells() / STRIP);
            let keep = match (cells.is_empty(), bits.is_empty()) {
                (false, _) => Keep::Cells(cells),
                (true, false) => Keep::Bits(bits),
                (true, true) => Keep::Nothing,
            };
            self.step(&mut borders, block.number, d, deltas, keep);
            if let Some((shelf, page)) = &mut page {
                let piece = shape.steps_below(block.number) + d;
                if let Err(error) = shelf.put(piece as u64, page.seal(&borders.corners[..K::COUNT])) {
                    lock(&self.failed).get_or_insert(error);
                    self.stop.store(true, Ordering::Relaxed);
                    return None;
                }
            }
            for (number, below) in lock(&self.frontier[row + d]).iter_mut().zip(&borders.below) {
                *number = borders.corners[0].plus(K::widen(below.as_ref()[0]));
            }
            self.done[block.number].store(d + 1, Ordering::Release);
            go_on(shape.intervals(block.number, d));
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
        }
        Some(())
    }

    /// The borders of a block before its first step, on the diagonal.
    fn borders(&self, row: usize) -> Borders<K> {
        let tile = self.shape.tile;
        let mut left = vec![K::LANE; tile];
        let mut below = vec![K::WIDE; tile];
        let mut corners = vec![K::Whole::default(); K::COUNT + 1];
        for (lane, corner) in corners[..K::COUNT].iter_mut().enumerate() {
            let start = (row + lane) * tile;
            *corner = self.empty(start);
            for at in 0..tile {
                left[at].as_mut()[lane] = K::narrow(self.empty(start + at).minus(*corner));
                below[at].as_mut()[lane] = K::narrow(self.empty(start + at + 1).minus(*corner));
            }
        }
        Borders { left, below, corners }
    }

    /// Moves the borders of a block on to step `d`, once the block below is that far: how far the old corners are from the
    /// new ones, to the left and below. `None` if the work was stopped.
    fn advance(&self, borders: &mut Borders<K>, block: usize, d: usize) -> Option<(K::Lane, K::Lane)> {
        let Borders { left, below, corners } = borders;
        let (mut left_delta, mut below_delta) = (K::LANE, K::LANE);
        let incoming = block * K::COUNT + K::COUNT - 1 + d;
        if incoming < self.shape.tiles() {
            self.wait(block + 1, d)?;
            let frontier = lock(&self.frontier[incoming]);
            corners[K::COUNT] = frontier[0];
            for (below, number) in below.iter_mut().zip(frontier.iter()) {
                below.as_mut()[K::COUNT] = K::narrow(number.minus(frontier[0]));
            }
        }
        for lane in 0..K::COUNT {
            let corner = corners[lane].plus(K::widen(left[self.shape.tile - 1].as_ref()[lane]));
            left_delta.as_mut()[lane] = K::narrow(corners[lane].minus(corner));
            below_delta.as_mut()[lane] = K::narrow(corners[lane + 1].minus(corner));
            corners[lane] = corner;
        }
        Some((left_delta, below_delta))
    }

    /// Computes the tiles of one step.
    fn step(&self, borders: &mut Borders<K>, block: usize, d: usize, deltas: (K::Lane, K::Lane), keep: Keep<K>) {
        let tile = self.shape.tile;
        let mut step = Step {
            left: &mut borders.left,
            below: &mut borders.below,
            first: &self.first[block * tile..][..tile],
            last: &self.last[block * K::COUNT + d..],
            stride: self.stride,
            left_delta: deltas.0,
            below_delta: deltas.1,
            keep,
        };
        match d {
            0 => (self.kernels.diagonal)(&mut step),
            _ => (self.kernels.square)(&mut step),
        }
    }

    /// K(i, i); beyond the end, a number that keeps neighbours close.
    fn empty(&self, i: usize) -> K::Whole {
        self.empty.get(i).or(self.empty.last()).map_or(K::Whole::default(), |&number| K::Whole::of(number))
    }

    /// Waits until this many steps of a block are done; `None` if the work was stopped.
    fn wait(&self, block: usize, steps: usize) -> Option<()> {
        let mut turns = 0_u32;
        while self.done[block].load(Ordering::Acquire) < steps {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            turns = turns.saturating_add(1);
            match turns {
                0..2000 => std::hint::spin_loop(),
                2000..3000 => std::thread::yield_now(),
                _ => std::thread::sleep(std::time::Duration::from_micros(50)),
            }
        }
        Some(())
    }
}

/// Cuts the front off a list; empty if the list is empty.
fn front<'a, T>(list: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    match std::mem::take(list).split_at_mut_checked(count) {
        Some((front, rest)) => {
            *list = rest;
            front
        }
        None => &mut [],
    }
}

/// Locks a mutex, even if its owner panicked: no thread leaves half a row behind.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
