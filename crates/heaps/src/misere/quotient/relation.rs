//! Relations between sums of heaps, and sums as lists of heaps in ascending order.

/// A relation: `from` may be replaced by `to` in any sum that contains it. Both ascend.
#[derive(Clone, Debug)]
pub struct Relation {
    pub from: Vec<u32>,
    pub to: Vec<u32>,
    /// The heaps of `from` as bits; heap `h` has bit `h` modulo 64.
    pub mask: u64,
}

impl Relation {
    pub fn new(from: Vec<u32>, to: Vec<u32>) -> Relation {
        let mask = mask(&from);
        Relation { from, to, mask }
    }
}

/// The heaps of a sum as bits.
pub fn mask(heaps: &[u32]) -> u64 {
    heaps.iter().fold(0, |mask, heap| mask | 1 << (heap % 64))
}

/// The heaps in ascending order.
pub fn ascending(mut heaps: Vec<u32>) -> Vec<u32> {
    heaps.sort_unstable();
    heaps
}

/// Inserts a heap in order.
pub fn insert(sum: &mut Vec<u32>, heap: u32) {
    sum.insert(sum.partition_point(|&other| other < heap), heap);
}

/// Whether a sum contains all heaps of a part. Both ascend.
pub fn contains(sum: &[u32], part: &[u32]) -> bool {
    let mut rest = sum.iter();
    part.iter().all(|heap| rest.any(|other| other == heap))
}

/// Replaces a part of a sum.
pub fn replace(sum: &mut Vec<u32>, from: &[u32], to: &[u32]) {
    for heap in from {
        if let Ok(place) = sum.binary_search(heap) {
            sum.remove(place);
        }
    }
    sum.extend_from_slice(to);
    sum.sort_unstable();
}
