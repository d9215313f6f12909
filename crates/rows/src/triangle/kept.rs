//! What is kept of a computed triangle.

use super::lanes::{Kind, Whole};
use super::shape::{STRIP, Shape};
use super::{Storage, Unfinished};

/// Cells, or bits, of one kind of lane; the other list is empty.
pub(super) struct Kept<K: Kind> {
    shape: Shape,
    pub cells: Vec<K::Lane>,
    pub bits: Vec<K::Word>,
    /// The number in the corner of each tile, lanes next to each other; only with cells.
    pub corners: Vec<K::Whole>,
}

/// Read access to what is kept, independent of the kind of lane.
pub(super) trait Read: Send + Sync {
    /// The number in the cell of i..j, i < j.
    fn cell(&self, i: usize, j: usize) -> Option<i128>;
    /// Whether taking the first is best in i..j, i < j.
    fn first_is_best(&self, i: usize, j: usize) -> Option<bool>;
}

impl<K: Kind> Kept<K> {
    /// Room for all steps, all zero. The system hands out zeroed memory page by page at first use. Whether there is
    /// enough is asked before, since a vector of zeros does not ask.
    pub fn new(shape: Shape, storage: Storage) -> Result<Self, Unfinished> {
        let bytes = Self::bytes(shape, storage);
        let refused = Unfinished::NoMemory { bytes };
        let room = usize::try_from(bytes).map_err(|_| refused)?;
        Vec::<u8>::new().try_reserve_exact(room).map_err(|_| refused)?;
        let [cells, corners, words] = Self::lengths(shape, storage).map(|length| length as usize);
        let (mut cells, mut bits) = (vec![K::LANE; cells], vec![K::Word::default(); words]);
        pages::prefer_large(&mut cells);
        pages::prefer_large(&mut bits);
        Ok(Self { shape, cells, bits, corners: vec![K::Whole::default(); corners] })
    }

    /// How many bytes that takes.
    pub fn bytes(shape: Shape, storage: Storage) -> u64 {
        let [cells, corners, words] = Self::lengths(shape, storage);
        let sizes = [size_of::<K::Lane>(), size_of::<K::Whole>(), size_of::<K::Word>()].map(|size| size as u128);
        (cells * sizes[0] + corners * sizes[1] + words * sizes[2]).try_into().unwrap_or(u64::MAX)
    }

    /// How many cells, corners and words.
    fn lengths(shape: Shape, storage: Storage) -> [u128; 3] {
        let steps = shape.all_steps() as u128;
        let cells = steps * shape.step_cells() as u128;
        match storage {
            Storage::Value => [0, 0, 0],
            Storage::Moves => [0, 0, cells / STRIP as u128],
            Storage::Table => [cells, steps * K::COUNT as u128, 0],
        }
    }
}

impl<K: Kind> Read for Kept<K> {
    fn cell(&self, i: usize, j: usize) -> Option<i128> {
        let place = self.shape.place(i, j);
        let cell = *self.cells.get(place.cell(self.shape))?.as_ref().get(place.lane)?;
        let corner = *self.corners.get(place.step * K::COUNT + place.lane)?;
        Some(corner.plus(K::widen(cell)).number())
    }

    fn first_is_best(&self, i: usize, j: usize) -> Option<bool> {
        let place = self.shape.place(i, j);
        let (word, bit) = place.bit(self.shape);
        Some(!K::bit(*self.bits.get(word)?, bit))
    }
}
