//! Outcomes and genera of sums of heaps.

use super::genus::{Genus, Nature};
use super::rules::{HeapMove, HeapRules, HeapTable};
use super::search::{Position, Search};
use super::watch::Watch;
use super::{Error, Limits};

/// A search over sums of the heaps of one game.
///
/// ```
/// use heaps::misere::{Limits, Sums};
///
/// // Kayles: take one or two neighbours out of a row.
/// let kayles = |n: u32| {
///     let cuts = |rest: u32| (0..=rest / 2).map(move |a| vec![a, rest - a]);
///     (1..=n.min(2)).flat_map(|t| cuts(n - t)).collect::<Vec<_>>()
/// };
/// let mut sums = Sums::new(kayles, Limits::default());
/// let symbols: Vec<String> = (0..12).map(|n| sums.heap_symbol(n).unwrap()).collect();
/// assert_eq!(symbols.join(","), "0,1,2,3,1,4^146,3,2^2,1^1,4^046,2^2,6^46");
/// assert!(sums.is_loss(&[1]).unwrap());
/// assert!(!sums.is_loss(&[5, 2]).unwrap());
/// ```
#[derive(Clone, Debug)]
pub struct Sums<R> {
    table: HeapTable<R>,
    search: Search,
}

impl<R: HeapRules> Sums<R> {
    /// A search without any position.
    pub fn new(rules: R, limits: Limits) -> Sums<R> {
        Sums { table: HeapTable::new(rules, limits), search: Search::new(limits) }
    }

    /// How many positions are remembered.
    pub fn positions(&self) -> usize {
        self.search.positions()
    }

    /// Whether the player to move loses the sum of these heaps.
    pub fn is_loss(&mut self, heaps: &[u32]) -> Result<bool, Error> {
        self.is_loss_while(heaps, &mut |_| true)
    }

    /// Like [`Sums::is_loss`], as long as `go_on` returns true; it is called often. After [`Error::Stopped`] one may
    /// ask again.
    pub fn is_loss_while(&mut self, heaps: &[u32], go_on: &mut dyn FnMut(u64) -> bool) -> Result<bool, Error> {
        let watch = Watch::new(go_on);
        let position = self.position(heaps, &watch)?;
        self.search.is_loss(position, &watch)
    }

    /// The genus of the sum of these heaps.
    pub fn genus(&mut self, heaps: &[u32]) -> Result<Genus, Error> {
        Ok(self.genus_and_nature(heaps, &Watch::new(&mut |_| true))?.0)
    }

    /// How much the genus decides about the sum of these heaps.
    pub fn nature(&mut self, heaps: &[u32]) -> Result<Nature, Error> {
        Ok(self.genus_and_nature(heaps, &Watch::new(&mut |_| true))?.1)
    }

    fn genus_and_nature(&mut self, heaps: &[u32], watch: &Watch<'_>) -> Result<(Genus, Nature), Error> {
        let position = self.position(heaps, watch)?;
        self.search.genus(position, watch)
    }

    /// The genus symbol of a heap; just the number if the heap equals a nim-heap.
    pub fn heap_symbol(&mut self, heap: u32) -> Result<String, Error> {
        self.heap_symbol_while(heap, &mut |_| true)
    }

    /// Like [`Sums::heap_symbol`], as long as `go_on` returns true; it is called often. After [`Error::Stopped`] one
    /// may ask again.
    pub fn heap_symbol_while(&mut self, heap: u32, go_on: &mut dyn FnMut(u64) -> bool) -> Result<String, Error> {
        let watch = Watch::new(go_on);
        self.position(&[heap], &watch)?;
        if let Some(form) = self.search.form(heap)
            && let Some(size) = self.search.forms.as_nim_heap(form)
        {
            return Ok(size.to_string());
        }
        Ok(self.genus_and_nature(&[heap], &watch)?.0.to_string())
    }

    /// Every winning move in the sum. Equal heaps have equal moves, listed once, at the first of them.
    pub fn winning_moves(&mut self, heaps: &[u32]) -> Result<Vec<HeapMove>, Error> {
        self.position(heaps, &Watch::new(&mut |_| true))?;
        let mut moves = Vec::new();
        for (place, &heap) in heaps.iter().enumerate() {
            if heaps[..place].contains(&heap) {
                continue;
            }
            for option in self.table.options(heap).to_vec() {
                let mut after = heaps.to_vec();
                after.swap_remove(place);
                after.extend_from_slice(&option);
                if self.is_loss(&after)? {
                    moves.push(HeapMove { place, parts: option });
                }
            }
        }
        Ok(moves)
    }

    fn position(&mut self, heaps: &[u32], watch: &Watch<'_>) -> Result<Position, Error> {
        self.table.extend(heaps.iter().copied().max().unwrap_or(0), watch)?;
        self.search.position(&self.table, heaps, watch)
    }
}
