//! Two ways to tell outcomes while a quotient is being found: a quick one that may err, and one that never does.

use super::super::rules::{HeapRules, HeapTable};
use super::super::search::Search;
use super::learn::{LearnError, Oracle};
use super::monoid::Monoid;

/// Tells outcomes as if sums of smaller heaps that are alike stayed alike next to the new heap.
///
/// That is usually so, and then a sum is known by its element in the quotient of the smaller heaps and by how many new heaps
/// it has. The outcome follows from the options of a normal form, which have smaller numbers, and from those of the new heap.
pub struct Extended<'a> {
    monoid: &'a Monoid,
    elements: &'a [u32],
    heap: u32,
    /// The elements of the new heap's options.
    options: Vec<u32>,
    /// The elements of the options of each normal form.
    below: Vec<Vec<u32>>,
    /// For each number of new heaps, whether each element with so many of them is lost.
    layers: Vec<Vec<bool>>,
}

impl<'a> Extended<'a> {
    /// `elements` are those of all heaps below `heap`; `options_of(h)` the elements of the options of any heap up to it.
    pub fn new(
        monoid: &'a Monoid,
        elements: &'a [u32],
        heap: u32,
        options_of: impl Fn(u32) -> Vec<u32>,
    ) -> Result<Extended<'a>, LearnError> {
        let mut below = Vec::with_capacity(monoid.order());
        for (element, heaps) in monoid.normal.iter().enumerate() {
            let mut options = Vec::new();
            for place in 0..heaps.len() {
                if place > 0 && heaps[place] == heaps[place - 1] {
                    continue;
                }
                let others = heaps.iter().enumerate().filter(|&(other, _)| other != place);
                let rest = others.fold(0, |total, (_, &heap)| monoid.product(total, elements[heap as usize]));
                options.extend(options_of(heaps[place]).into_iter().map(|option| monoid.product(rest, option)));
            }
            options.sort_unstable();
            options.dedup();
            if options.last().is_some_and(|&option| option as usize >= element) {
                return Err(LearnError::Oracle);
            }
            below.push(options);
        }
        let layers = vec![monoid.loss.clone()];
        Ok(Extended { monoid, elements, heap, options: options_of(heap), below, layers })
    }

    fn add_layer(&mut self) {
        let fewer = &self.layers[self.layers.len() - 1];
        let mut layer: Vec<bool> = Vec::with_capacity(self.below.len());
        for (element, below) in self.below.iter().enumerate() {
            let row = self.monoid.row(element as u32);
            let wins = below.iter().any(|&option| layer[option as usize])
                || self.options.iter().any(|&option| fewer[row[option as usize] as usize]);
            layer.push(!wins);
        }
        self.layers.push(layer);
    }
}

impl Oracle for Extended<'_> {
    fn is_loss(&mut self, heaps: &[u32]) -> Result<bool, LearnError> {
        let mut count = 0;
        let mut element = 0;
        for &heap in heaps {
            if heap == self.heap {
                count += 1;
            } else {
                element = self.monoid.product(element, self.elements[heap as usize]);
            }
        }
        while self.layers.len() <= count {
            self.add_layer();
        }
        Ok(self.layers[count][element as usize])
    }
}

/// Tells outcomes by search.
pub struct Truth<'a, R> {
    /// Knows all heaps that will be asked about.
    pub table: &'a HeapTable<R>,
    pub search: &'a mut Search,
}

impl<R: HeapRules> Oracle for Truth<'_, R> {
    fn is_loss(&mut self, heaps: &[u32]) -> Result<bool, LearnError> {
        let position = self.search.position(self.table, heaps);
        Ok(self.search.is_loss(position)?)
    }
}
