//! Where cells are kept: an array indexed by the code, or a hash table.
//!
//! A search sees a [`Store`], which it fills; a finished table is read through [`Cells`].

use crate::codes::cell::Cell;
use crate::codes::hashed::{Hashed, Place};
use crate::codes::line::Line;
use crate::error::Error;
use crate::hints::prefetch;

/// Cells by code, as a search sees them.
pub(crate) trait Store {
    /// Where a cell is.
    type Place<'s>: Copy
    where
        Self: 's;
    /// Where the cell of a code is; asks for it.
    fn place(&self, code: u64) -> Self::Place<'_>;
    /// The cell of a code; 0 if it was never put.
    fn cell(&self, code: u64, place: Self::Place<'_>) -> Result<u64, Error>;
    /// The cells of several codes, at most [`GROUP`], all asked for before the first is looked at.
    #[inline(always)]
    fn cells(&self, codes: &[u64], into: &mut [u64]) -> Result<(), Error> {
        let Some(&last) = codes.last() else { return Ok(()) };
        let mut places = [self.place(last); GROUP];
        for (place, &code) in places.iter_mut().zip(codes) {
            *place = self.place(code);
        }
        for ((&code, place), cell) in codes.iter().zip(places).zip(into) {
            *cell = self.cell(code, place)?;
        }
        Ok(())
    }
    /// Puts the cell of a code.
    fn put(&mut self, code: u64, cell: u64) -> Result<(), Error>;
    /// Whether, with so many positions valued, another form of store is wanted; that shows at [`TRIALS`].
    fn is_given_up(&self, settled: u64) -> bool {
        let _ = settled;
        false
    }
}

/// So many cells are asked for at once.
pub(crate) const GROUP: usize = 16;

/// At the powers of two among these numbers of positions it is decided whether to go on with the form of a store.
pub(crate) const TRIALS: std::ops::RangeInclusive<u64> = 1 << 12..=1 << 17;

impl<C: Cell> Store for Vec<C> {
    type Place<'s> = ();

    /// The loads do not depend on one another, so that the processor does them at once.
    #[inline(always)]
    fn cells(&self, codes: &[u64], into: &mut [u64]) -> Result<(), Error> {
        for (&code, cell) in codes.iter().zip(into) {
            *cell = Store::cell(self, code, ())?;
        }
        Ok(())
    }

    #[inline(always)]
    fn place(&self, code: u64) {
        prefetch(self, code as usize);
    }

    #[inline(always)]
    fn cell(&self, code: u64, (): ()) -> Result<u64, Error> {
        match self.get(code as usize) {
            Some(cell) => Ok(cell.wide()),
            None => Err(Error::outside(code)),
        }
    }

    #[inline(always)]
    fn put(&mut self, code: u64, cell: u64) -> Result<(), Error> {
        match self.get_mut(code as usize) {
            Some(place) => *place = C::narrow(cell),
            None => return Err(Error::outside(code)),
        }
        Ok(())
    }
}

impl<L: Line> Store for Hashed<L> {
    type Place<'s> = Place<'s, L>;

    #[inline(always)]
    fn place(&self, code: u64) -> Place<'_, L> {
        self.place(code)
    }

    #[inline(always)]
    fn cell(&self, code: u64, place: Place<'_, L>) -> Result<u64, Error> {
        Ok(place.cell(code))
    }

    #[inline(always)]
    fn put(&mut self, code: u64, cell: u64) -> Result<(), Error> {
        self.put(code, cell)?;
        Ok(())
    }

    fn is_given_up(&self, settled: u64) -> bool {
        settled.is_power_of_two() && TRIALS.contains(&settled) && (self.is_sparse() || self.is_left_for_pages())
    }
}

/// All cells of a finished table.
pub(crate) trait Cells: Send + Sync {
    /// The cell of a code; 0 if it has none.
    fn cell(&self, code: u64) -> u64;
    /// All codes that may be settled, with their cells.
    fn entries(&self) -> Box<dyn Iterator<Item = (u64, u64)> + '_>;
    /// A code whose cell is settled, near a place that a random number gives; `None` if none is found there.
    fn near(&self, random: u64, settled: &dyn Fn(u64) -> bool) -> Option<u64>;
    /// What is not charged to a lease of the table.
    fn bytes(&self) -> u64 {
        0
    }
}

impl<C: Cell> Cells for Vec<C> {
    fn cell(&self, code: u64) -> u64 {
        usize::try_from(code).ok().and_then(|code| self.get(code)).map_or(0, |cell| cell.wide())
    }

    fn entries(&self) -> Box<dyn Iterator<Item = (u64, u64)> + '_> {
        Box::new(self.iter().enumerate().map(|(code, cell)| (code as u64, cell.wide())))
    }

    fn near(&self, random: u64, settled: &dyn Fn(u64) -> bool) -> Option<u64> {
        let code = ((u128::from(random) * self.len() as u128) >> 64) as usize;
        self.get(code).filter(|cell| settled(cell.wide())).map(|_| code as u64)
    }
}

impl<L: Line> Cells for Hashed<L> {
    fn cell(&self, code: u64) -> u64 {
        self.get(code, self.spot(code))
    }

    fn entries(&self) -> Box<dyn Iterator<Item = (u64, u64)> + '_> {
        Box::new(self.entries())
    }

    fn near(&self, random: u64, settled: &dyn Fn(u64) -> bool) -> Option<u64> {
        self.near(random, settled)
    }

    fn bytes(&self) -> u64 {
        self.bytes()
    }
}
