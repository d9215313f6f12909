//! The lists that formulas read, as plain numbers in memory beside the code that contains their addresses.

use formula::{Formulas, Node, Op};

/// How many zeros are stored beyond a list's ends, so that indices slightly outside need no comparison.
const PADDING: i64 = 64;

/// The lists of the formulas in memory, with zeros around them.
#[derive(Debug)]
pub struct Lists {
    lists: Vec<List>,
}

#[derive(Debug)]
struct List {
    /// Zeros, the items, zeros. Boxed, so its address is fixed.
    items: Box<[i64]>,
    before: usize,
    length: usize,
}

impl Lists {
    /// The lists of these formulas, padded as far as their indices may reach.
    pub fn new(formulas: &Formulas) -> Lists {
        // At least one zero after each list, which clamped indices read.
        let mut padding = vec![(0usize, 1usize); formulas.lists.len()];
        for node in 0..formulas.arena.len() as u32 {
            let Op::Load(list, index) = formulas.arena.op(Node(node)) else { continue };
            let at = formulas.arena.range(*index);
            let length = formulas.lists[*list as usize].len() as i64;
            if at.low >= -PADDING && at.high < length.saturating_add(PADDING) {
                let (before, after) = &mut padding[*list as usize];
                *before = (*before).max((-at.low).max(0) as usize);
                *after = (*after).max((at.high - length + 1).max(1) as usize);
            }
        }
        let pad = |(items, &(before, after)): (&Vec<i64>, &(usize, usize))| {
            let mut padded = vec![0; before + items.len() + after];
            padded[before..before + items.len()].copy_from_slice(items);
            List { items: padded.into(), before, length: items.len() }
        };
        Lists { lists: formulas.lists.iter().zip(&padding).map(pad).collect() }
    }

    /// The address of item 0 of a list.
    pub fn address(&self, list: u32) -> i64 {
        let List { items, before, .. } = &self.lists[list as usize];
        items.as_ptr().wrapping_add(*before) as i64
    }

    /// How many items a list has.
    pub fn length(&self, list: u32) -> i64 {
        self.lists[list as usize].length as i64
    }

    /// Whether items `low` to `high` can be read, including zeros outside the list.
    pub fn holds(&self, list: u32, low: i64, high: i64) -> bool {
        let List { items, before, .. } = &self.lists[list as usize];
        low >= -(*before as i64) && high < (items.len() - before) as i64
    }
}
