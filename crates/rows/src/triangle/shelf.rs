//! A table that is stored elsewhere, piece by piece: usually on a disk.
//!
//! A piece is what one step of a block computes (see `shape`): the numbers in the corners of its tiles, then its cells.
//! All pieces have equal lengths. They are written in any order, by several threads at a time, and never changed. A
//! block needs only a row of numbers from the one below, and that row is in the pieces of that block. So an interrupted
//! run continues with the first incomplete block.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use super::kept::Read;
use super::lanes::{Kind, Stored, Whole};
use super::shape::{Place, Shape};

/// A place for pieces of equal length.
pub trait Shelf: Send + Sync {
    /// Writes a piece.
    fn put(&self, piece: u64, bytes: &[u8]) -> io::Result<()>;

    /// Reads a piece; false if it was never written, or not completely.
    fn get(&self, piece: u64, bytes: &mut [u8]) -> io::Result<bool>;
}

/// How many pieces a table has, and how long they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// How many there are.
    pub count: u64,
    /// Bytes of each.
    pub bytes: usize,
}

impl Pieces {
    pub(super) fn of<K: Kind>(shape: Shape) -> Self {
        let corners = K::COUNT * K::Whole::BYTES;
        Self { count: shape.all_steps() as u64, bytes: corners + shape.step_cells() * K::COUNT * K::Cell::BYTES }
    }
}

/// One step on its way to the shelf.
pub(super) struct Page<K: Kind> {
    pub cells: Vec<K::Lane>,
    bytes: Vec<u8>,
}

impl<K: Kind> Page<K> {
    pub fn new(shape: Shape) -> Self {
        Self { cells: vec![K::LANE; shape.step_cells()], bytes: vec![0; Pieces::of::<K>(shape).bytes] }
    }

    /// The piece made of the cells and these corners.
    pub fn seal(&mut self, corners: &[K::Whole]) -> &[u8] {
        let (heads, cells) = self.bytes.split_at_mut(K::COUNT * K::Whole::BYTES);
        for (corner, bytes) in corners.iter().zip(heads.chunks_exact_mut(K::Whole::BYTES)) {
            corner.write(bytes);
        }
        for (lane, bytes) in self.cells.iter().zip(cells.chunks_exact_mut(K::COUNT * K::Cell::BYTES)) {
            for (cell, bytes) in lane.as_ref().iter().zip(bytes.chunks_exact_mut(K::Cell::BYTES)) {
                cell.write(bytes);
            }
        }
        &self.bytes
    }
}

/// The number of a cell in the bytes of its piece.
pub(super) fn number<K: Kind>(bytes: &[u8], shape: Shape, place: &Place) -> Option<K::Whole> {
    let corner = K::Whole::read(bytes.get(place.lane * K::Whole::BYTES..)?)?;
    let cell = place.within(shape) * K::COUNT + place.lane;
    let cell = K::Cell::read(bytes.get(K::COUNT * K::Whole::BYTES + cell * K::Cell::BYTES..)?)?;
    Some(corner.plus(K::widen(cell)))
}

/// How many pieces are remembered: those around a line of play, and a few more.
const RECENT: usize = 16;

/// Read access to a shelf.
pub(super) struct Shelved<K: Kind> {
    shape: Shape,
    shelf: Arc<dyn Shelf>,
    recent: Mutex<Recent>,
    kind: std::marker::PhantomData<K>,
}

/// The pieces that were read last, the latest at the end.
struct Recent {
    pieces: Vec<(u64, Vec<u8>)>,
    bytes: usize,
}

impl<K: Kind> Shelved<K> {
    pub fn new(shape: Shape, shelf: Arc<dyn Shelf>) -> Self {
        let recent = Recent { pieces: Vec::new(), bytes: Pieces::of::<K>(shape).bytes };
        Self { shape, shelf, recent: Mutex::new(recent), kind: std::marker::PhantomData }
    }

    /// How many bytes are remembered at most.
    pub fn bytes(shape: Shape) -> u64 {
        (RECENT * Pieces::of::<K>(shape).bytes) as u64
    }
}

impl Recent {
    fn piece(&mut self, shelf: &dyn Shelf, piece: u64) -> io::Result<Option<&[u8]>> {
        match self.pieces.iter().position(|(known, _)| *known == piece) {
            Some(place) => self.pieces[place..].rotate_left(1),
            None => {
                let mut bytes = match self.pieces.len() < RECENT {
                    true => vec![0; self.bytes],
                    false => self.pieces.remove(0).1,
                };
                if !shelf.get(piece, &mut bytes)? {
                    return Ok(None);
                }
                self.pieces.push((piece, bytes));
            }
        }
        Ok(self.pieces.last().map(|(_, bytes)| &bytes[..]))
    }
}

impl<K: Kind> Read for Shelved<K> {
    fn cell(&self, i: usize, j: usize) -> Option<i128> {
        let place = self.shape.place(i, j);
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        // The error is dropped here: the owner of the shelf can ask it for the cause.
        let bytes = recent.piece(&*self.shelf, place.step as u64).ok()??;
        number::<K>(bytes, self.shape, &place).map(Whole::number)
    }

    fn first_is_best(&self, _i: usize, _j: usize) -> Option<bool> {
        None
    }
}
