//! A guess for the next heaps: a split with one part fixed, which lately had a missing value.

/// A split with a fixed part: `partner = g(a)` meets `g(n − shift)`, `shift = t + a`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Witness<C> {
    pub shift: usize,
    pub partner: C,
    /// New marks, added up over the censuses, with decay.
    pub record: f32,
}
