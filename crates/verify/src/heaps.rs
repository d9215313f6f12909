//! Heaps one after the other: what each is worth, out of the moves that the interpreter lists and of what smaller heaps are worth.

use std::ops::Range;

use rules::bind::Bound;

use crate::charged::Charged;
use crate::entries::Entries;
use crate::parts::{NormalParts, each};
use crate::refusal::Refusal;

/// What heaps are worth, in one sense or another.
pub trait HeapTheory {
    /// What a heap is worth.
    type Heap: Copy + PartialEq;
    /// What a move is worth.
    type Move;

    /// What a move to some heaps is worth.
    fn of_move(&self, heaps: &[Self::Heap]) -> Result<Self::Move, Refusal>;
    /// What a heap with these moves is worth.
    fn of_heap(&self, moves: &mut [Self::Move]) -> Self::Heap;
    /// What the argument says that a heap is worth.
    fn said(&self, cells: &[i64], entries: &mut dyn Entries) -> Result<Self::Heap, Refusal>;
}

/// The size of a heap, which is its only cell.
pub fn size(part: &[i64]) -> u64 {
    part.first().copied().unwrap_or(0).unsigned_abs()
}

/// Checks what is said of heaps in a row, the first of which is the least there is.
pub fn check<W: HeapTheory>(
    bound: &Bound,
    heaps: Range<u64>,
    worth: &W,
    entries: &mut dyn Entries,
) -> Result<Charged<W::Heap>, Refusal> {
    let mut parts = NormalParts::new(bound)?;
    let mut known: Charged<W::Heap> = Charged::new();
    let least = heaps.start as i64;
    for heap in heaps {
        let cells = [heap as i64];
        if bound.layout.misfit(&cells).is_some() {
            return Err(Refusal::wrong("there are fewer heaps than the period needs"));
        }
        let id = parts.enter(&cells)?;
        let options = parts.options(id)?;
        let (mut moves, mut into) = (Vec::new(), Vec::new());
        for option in each(&options) {
            into.clear();
            for part in option {
                let smaller = usize::try_from(parts.cells(*part)[0] - least).ok();
                match smaller.and_then(|place| known.get(place)) {
                    Some(own) => into.push(*own),
                    None => return Err(Refusal::wrong("a part is not smaller than its heap")),
                }
            }
            moves.push(worth.of_move(&into)?);
        }
        let own = worth.of_heap(&mut moves);
        known.push(own)?;
        entries.passed(known.len() as u64)?;
        if worth.said(&cells, entries)? != own {
            return Err(Refusal::wrong(format!("what is said of heap {heap} does not follow from its options")));
        }
    }
    Ok(known)
}
