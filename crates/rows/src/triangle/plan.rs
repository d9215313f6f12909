//! What to keep and how to compute it, decided before anything large is allocated.

use std::sync::Arc;
use std::{fmt, io};

use super::kept::Kept;
use super::lanes::{I16, I32, I64, I128, Kind, Lanes, has_simd};
use super::normal::Normal;
use super::shape::Shape;
use super::shelf::{Pieces, Shelf, Shelved};
use super::sweep::{self, Sweep};
use super::{Gains, Storage, Triangle, Unfinished, Unshelved};

/// Not even the value fits in this memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// Bytes that are allowed.
    pub limit: u64,
    /// Bytes that the smallest storage takes.
    pub needed: u64,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "the triangle needs {} bytes, and {} are allowed", self.needed, self.limit)
    }
}

impl std::error::Error for TooLarge {}

/// How a triangle is computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The storage that was asked for.
    pub wanted: Storage,
    /// The storage: the wanted one, or the best that fits.
    pub storage: Storage,
    /// The numbers that a tile computes with.
    pub lanes: Lanes,
    /// The side of a tile.
    pub tile: usize,
    /// Whether the machine's vectors are used.
    pub simd: bool,
    /// How many items.
    pub len: usize,
    /// How far a number can be from the one in the corner of its tile.
    pub reach: u128,
    /// The size of all lists in bytes, on one thread.
    pub bytes: u64,
    /// The memory that was allowed.
    pub limit: u64,
}

impl Plan {
    /// The best storage up to the wanted one that fits into the limit, in bytes, and the narrowest lanes that are
    /// exact. The input is included; each further thread takes a few kilobytes.
    pub fn new(gains: &Gains, wanted: Storage, limit: u64) -> Result<Self, TooLarge> {
        Self::among(gains, wanted, limit, &Lanes::ALL)
    }

    /// A plan with the first of these lanes that is exact, to compare them; with 128 bits if none is.
    pub fn among(gains: &Gains, wanted: Storage, limit: u64, lanes: &[Lanes]) -> Result<Self, TooLarge> {
        let normal = Normal::new(gains);
        let (lanes, tile) = lanes.iter().find_map(|&lanes| fit(&normal, gains.len(), lanes)).unwrap_or_else(|| {
            let wide = fit(&normal, gains.len(), Lanes::I128);
            wide.unwrap_or((Lanes::I128, LEAST_TILE))
        });
        let shape = Shape { len: gains.len(), tile, lanes: lanes.count() };
        let common = gains.bytes() + normal.bytes();
        let bytes = |storage| common.saturating_add(dispatch(lanes, Bytes { shape, storage }));
        let all = [Storage::Table, Storage::Moves, Storage::Value];
        let fits = all.into_iter().filter(|&storage| storage <= wanted).find(|&storage| bytes(storage) <= limit);
        let storage = fits.ok_or_else(|| TooLarge { limit, needed: bytes(Storage::Value) })?;
        let (len, reach, bytes) = (gains.len(), normal.reach(tile), bytes(storage));
        Ok(Self { wanted, storage, lanes, tile, simd: has_simd(), len, reach, bytes, limit })
    }

    /// This plan on plain arrays, as on machines without vectors that we know.
    pub fn portable(self) -> Self {
        Self { simd: false, ..self }
    }

    /// How many intervals there are to compute.
    pub fn intervals(&self) -> u64 {
        let len = self.len as u64;
        len * (len + 1) / 2
    }

    /// Computes the triangle of the gains that the plan was made for; for other gains a new plan is made.
    ///
    /// `keep_going` gets the number of intervals done so far, every few milliseconds and at the end, in this thread. If
    /// it returns false before the end, the work stops. This thread counts as one of `threads`.
    pub fn run<'a>(
        &self,
        gains: &'a Gains,
        threads: usize,
        mut keep_going: impl FnMut(u64) -> bool,
    ) -> Result<Triangle<'a>, Unfinished> {
        let normal = Normal::new(gains);
        let plan = match self.is_for(gains, &normal) {
            true => self.clone(),
            false => Self::new(gains, self.wanted, self.limit)
                .map_err(|error| Unfinished::NoMemory { bytes: error.needed })
                .map(|plan| Self { simd: self.simd, ..plan })?,
        };
        dispatch(plan.lanes, Run { plan: &plan, gains, normal, threads, keep_going: &mut keep_going })
    }

    /// The pieces of the whole table, for a shelf.
    pub fn pieces(&self) -> Pieces {
        dispatch(self.lanes, Measure { shape: self.shape() })
    }

    /// How many bytes filling a shelf with the whole table takes, on this many threads.
    pub fn filling_bytes(&self, gains: &Gains, threads: usize) -> u64 {
        let pages = 2 * self.pieces().bytes as u64 * (threads as u64).saturating_add(1);
        let common = gains.bytes() + Normal::new(gains).bytes();
        let value = dispatch(self.lanes, Bytes { shape: self.shape(), storage: Storage::Value });
        // The row of numbers exists twice while the shelf is examined.
        common.saturating_add(value.saturating_mul(2)).saturating_add(pages)
    }

    /// Puts the whole table on a shelf, except for what is already there from an earlier run of this plan.
    ///
    /// `keep_going` is called as in [`run`](Plan::run), and while the shelf is examined.
    pub fn fill(
        &self,
        gains: &Gains,
        shelf: &dyn Shelf,
        threads: usize,
        mut keep_going: impl FnMut(u64) -> bool,
    ) -> Result<(), Unshelved> {
        dispatch(self.lanes, Fill { plan: self, gains, shelf, threads, keep_going: &mut keep_going })
    }

    /// The table on a shelf; `None` if it is not there.
    pub fn read<'a>(&self, gains: &'a Gains, shelf: Arc<dyn Shelf>) -> Option<Triangle<'a>> {
        let normal = Normal::new(gains);
        if !self.is_for(gains, &normal) {
            return None;
        }
        dispatch(self.lanes, Reading { shape: self.shape(), gains, normal, shelf })
    }

    /// How many bytes a reader of a shelf remembers at most.
    pub fn reading_bytes(&self, gains: &Gains) -> u64 {
        let common = gains.bytes() + Normal::new(gains).bytes();
        common.saturating_add(dispatch(self.lanes, Remembered { shape: self.shape() }))
    }

    /// Whether the plan is exact for these gains.
    fn is_for(&self, gains: &Gains, normal: &Normal) -> bool {
        let known = self.tile.is_multiple_of(LEAST_TILE) && (LEAST_TILE..=LARGEST_TILE).contains(&self.tile);
        known && self.len == gains.len() && exact(normal, self.lanes, self.tile)
    }

    fn shape(&self) -> Shape {
        Shape { len: self.len, tile: self.tile, lanes: self.lanes.count() }
    }

    /// The reasons for the plan, for people.
    pub fn why(&self) -> String {
        let mut why = format!(
            "{} intervals; {}; {}: within a tile of {} × {} numbers differ by at most {}",
            self.intervals(),
            self.storage,
            self.lanes,
            self.tile,
            self.tile,
            self.reach
        );
        if self.storage < self.wanted {
            why += &format!("; {} does not fit into {} bytes", self.wanted, self.limit);
        }
        why
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}, {}, {} bytes", self.storage, self.lanes, self.bytes)
    }
}

const LEAST_TILE: usize = 16;
const LARGEST_TILE: usize = 128;

/// The largest tile with which these lanes are exact, among those that leave enough tiles to fill the lanes.
fn fit(normal: &Normal, len: usize, lanes: Lanes) -> Option<(Lanes, usize)> {
    let useful = |tile: usize| tile == LEAST_TILE || tile * lanes.count() * 4 <= len;
    let tiles = std::iter::successors(Some(LARGEST_TILE), |tile| Some(tile / 2)).take_while(|&tile| tile >= LEAST_TILE);
    let tile = tiles.filter(|&tile| useful(tile)).find(|&tile| exact(normal, lanes, tile))?;
    Some((lanes, tile))
}

/// Whether all numbers fit: differences within a tile into the lanes, and all numbers into those of the borders.
fn exact(normal: &Normal, lanes: Lanes, tile: usize) -> bool {
    lanes == Lanes::I128 || normal.reach(tile) <= lanes.reach() && normal.bound() <= i64::MAX as u128
}

/// A task for one kind of lane.
trait Task {
    type Out;
    fn run<K: Kind>(self) -> Self::Out;
}

fn dispatch<T: Task>(lanes: Lanes, task: T) -> T::Out {
    match lanes {
        Lanes::I16 => task.run::<I16>(),
        Lanes::I32 => task.run::<I32>(),
        Lanes::I64 => task.run::<I64>(),
        Lanes::I128 => task.run::<I128>(),
    }
}

/// The memory of a sweep.
struct Bytes {
    shape: Shape,
    storage: Storage,
}

impl Task for Bytes {
    type Out = u64;

    fn run<K: Kind>(self) -> u64 {
        sweep::bytes::<K>(self.shape).saturating_add(Kept::<K>::bytes(self.shape, self.storage))
    }
}

/// The pieces of a shelf.
struct Measure {
    shape: Shape,
}

impl Task for Measure {
    type Out = Pieces;

    fn run<K: Kind>(self) -> Pieces {
        Pieces::of::<K>(self.shape)
    }
}

/// The memory of a reader of a shelf.
struct Remembered {
    shape: Shape,
}

impl Task for Remembered {
    type Out = u64;

    fn run<K: Kind>(self) -> u64 {
        Shelved::<K>::bytes(self.shape)
    }
}

/// A sweep to a shelf.
struct Fill<'a> {
    plan: &'a Plan,
    gains: &'a Gains,
    shelf: &'a dyn Shelf,
    threads: usize,
    keep_going: &'a mut dyn FnMut(u64) -> bool,
}

impl Task for Fill<'_> {
    type Out = Result<(), Unshelved>;

    fn run<K: Kind>(self) -> Self::Out {
        let normal = Normal::new(self.gains);
        if !self.plan.is_for(self.gains, &normal) {
            return Err(Unshelved::Shelf(io::Error::other("the plan was made for other gains")));
        }
        let mut sweep = Sweep::<K>::new(&normal, self.plan.shape(), self.plan.simd);
        sweep.fill(self.shelf, self.threads, self.keep_going)
    }
}

/// Read access to a shelf.
struct Reading<'a> {
    shape: Shape,
    gains: &'a Gains,
    normal: Normal,
    shelf: Arc<dyn Shelf>,
}

impl<'a> Task for Reading<'a> {
    type Out = Option<Triangle<'a>>;

    fn run<K: Kind>(self) -> Self::Out {
        let kept = Box::new(Shelved::<K>::new(self.shape, self.shelf));
        Triangle::shelved(self.gains, self.normal, kept)
    }
}

/// The sweep itself.
struct Run<'a, 'b> {
    plan: &'b Plan,
    gains: &'a Gains,
    normal: Normal,
    threads: usize,
    keep_going: &'b mut dyn FnMut(u64) -> bool,
}

impl<'a> Task for Run<'a, '_> {
    type Out = Result<Triangle<'a>, Unfinished>;

    fn run<K: Kind>(self) -> Self::Out {
        let (plan, gains, normal) = (self.plan, self.gains, self.normal);
        let shape = Shape { len: gains.len(), tile: plan.tile, lanes: K::COUNT };
        let mut kept = Kept::<K>::new(shape, plan.storage)?;
        let sweep = Sweep::<K>::new(&normal, shape, plan.simd);
        sweep.run(&mut kept, self.threads, self.keep_going).map_err(|intervals| Unfinished::Stopped { intervals })?;
        let top = sweep.top();
        let mut prefixes = Vec::with_capacity(gains.len());
        prefixes.extend(top.enumerate().map(|(j, cell)| normal.lead(gains, 0, j + 1, cell)));
        Ok(Triangle::new(gains, normal, plan.storage, prefixes, Box::new(kept)))
    }
}
