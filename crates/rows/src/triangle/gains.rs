//! The gains of moves, as the caller gives them.

use std::fmt;

/// The gains of a row of n items: with the items i..j left, taking the first one gains `first_i[i] + first_j[j − 1]`,
/// taking the last one gains `last_i[i] + last_j[j − 1]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gains {
    len: usize,
    first_i: Vec<i64>,
    first_j: Option<Vec<i64>>,
    last_i: Option<Vec<i64>>,
    last_j: Option<Vec<i64>>,
}

/// The lists of gains have different lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnequalLengths {
    /// The length of the first list.
    pub expected: usize,
    /// Another length.
    pub found: usize,
}

impl fmt::Display for UnequalLengths {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "the lists of gains have {} and {} entries: they need one length", self.expected, self.found)
    }
}

impl std::error::Error for UnequalLengths {}

impl Gains {
    /// Coins in a row: the item taken is the gain, at either end.
    pub fn row(items: &[i64]) -> Self {
        Self { len: items.len(), first_i: items.to_vec(), first_j: None, last_i: None, last_j: None }
    }

    /// An item is worth `first[k]` when it is taken as the first one and `last[k]` as the last one.
    pub fn ends(first: &[i64], last: &[i64]) -> Result<Self, UnequalLengths> {
        same_length(first, [last])?;
        Ok(Self { last_j: Some(last.to_vec()), ..Self::row(first) })
    }

    /// All four terms. All lists have one entry for each item; those of j are indexed by the last remaining item, j −
    /// 1.
    ///
    /// ```
    /// # use rows::triangle::{Gains, Plan, Storage};
    /// // The gain is the sum of the stones that remain: with prefix sums S, S(j) − S(i + 1) or S(j − 1) − S(i).
    /// let sums = [0, 5, 8, 9, 13, 15]; // of 5, 3, 1, 4, 2
    /// let minus = |list: &[i64]| list.iter().map(|sum| -sum).collect::<Vec<_>>();
    /// let gains = Gains::sums([&minus(&sums[1..]), &sums[1..]], [&minus(&sums[..5]), &sums[..5]]).unwrap();
    /// let triangle = Plan::new(&gains, Storage::Value, 1 << 20).unwrap().run(&gains, 1, |_| true).unwrap();
    /// assert_eq!(triangle.value(), 6);
    /// ```
    pub fn sums(first: [&[i64]; 2], last: [&[i64]; 2]) -> Result<Self, UnequalLengths> {
        same_length(first[0], [first[1], last[0], last[1]])?;
        let [first_j, last_i, last_j] = [first[1], last[0], last[1]].map(|list| Some(list.to_vec()));
        Ok(Self { first_j, last_i, last_j, ..Self::row(first[0]) })
    }

    /// How many items.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The gains of the items i..j; i ≤ j ≤ n.
    pub fn part(&self, i: usize, j: usize) -> Self {
        let cut = |list: &Vec<i64>| list[i..j].to_vec();
        Self {
            len: j - i,
            first_i: cut(&self.first_i),
            first_j: self.first_j.as_ref().map(cut),
            last_i: self.last_i.as_ref().map(cut),
            last_j: self.last_j.as_ref().map(cut),
        }
    }

    /// Whether all gains add up to one total, however the items are taken.
    ///
    /// They do if the order of taking the first and the last item does not matter, in any interval of two items or
    /// more, and if each single item is worth the same at both ends.
    pub fn total_is_constant(&self) -> bool {
        let n = self.len;
        let swapped =
            |i: usize, j: usize| self.first(i, j) + self.last(i + 1, j) == self.last(i, j) + self.first(i, j - 1);
        // The compared terms depend on i and j separately, so one row and one column of the table are enough.
        (0..n).all(|i| self.first(i, i + 1) == self.last(i, i + 1))
            && (2..=n).all(|j| swapped(0, j))
            && (0..n.saturating_sub(1)).all(|i| swapped(i, n))
    }

    /// The mirrored game: first and last are exchanged. Its intervals i..j are n − j..n − i of this one.
    pub fn mirrored(&self) -> Self {
        let turned = |list: &[i64]| list.iter().rev().copied().collect::<Vec<_>>();
        Self {
            len: self.len,
            first_i: turned(self.last_j.as_ref().unwrap_or(&self.first_i)),
            first_j: self.last_i.as_deref().map(turned),
            last_i: self.first_j.as_deref().map(turned),
            last_j: Some(turned(&self.first_i)),
        }
    }

    /// The gain of taking the first of the items i..j; i < j ≤ n.
    pub fn first(&self, i: usize, j: usize) -> i128 {
        self.p(i) + self.q(j)
    }

    /// The gain of taking the last of the items i..j; i < j ≤ n.
    pub fn last(&self, i: usize, j: usize) -> i128 {
        self.u(i) + self.v(j)
    }

    /// No interval is worth more than this, in absolute value.
    pub fn reach(&self) -> u128 {
        let most = |number: &dyn Fn(usize) -> i128, places: std::ops::Range<usize>| {
            places.map(|place| number(place).unsigned_abs()).max().unwrap_or(0)
        };
        let first = most(&|i| self.p(i), 0..self.len) + most(&|j| self.q(j), 1..self.len + 1);
        let last = most(&|i| self.u(i), 0..self.len) + most(&|j| self.v(j), 1..self.len + 1);
        first.max(last).saturating_mul(self.len as u128)
    }

    /// The size of the lists in bytes.
    pub(super) fn bytes(&self) -> u64 {
        let lists = 1 + [&self.first_j, &self.last_i, &self.last_j].iter().filter(|list| list.is_some()).count();
        8 * (lists * self.len) as u64
    }

    /// The term p(i) of taking the first, i < n.
    pub(super) fn p(&self, i: usize) -> i128 {
        self.first_i[i].into()
    }

    /// The term q(j) of taking the first. q(0) belongs to no move; q(1) in its place keeps neighbours close.
    pub(super) fn q(&self, j: usize) -> i128 {
        let last = j.saturating_sub(1);
        self.first_j.as_ref().and_then(|list| list.get(last)).copied().unwrap_or(0).into()
    }

    /// The term u(i) of taking the last. u(n) belongs to no move; u(n − 1) in its place keeps neighbours close.
    pub(super) fn u(&self, i: usize) -> i128 {
        let at = i.min(self.len.saturating_sub(1));
        self.last_i.as_ref().and_then(|list| list.get(at)).copied().unwrap_or(0).into()
    }

    /// The term v(j) of taking the last, 0 < j ≤ n.
    pub(super) fn v(&self, j: usize) -> i128 {
        self.last_j.as_ref().unwrap_or(&self.first_i)[j - 1].into()
    }
}

fn same_length<const N: usize>(first: &[i64], others: [&[i64]; N]) -> Result<(), UnequalLengths> {
    match others.iter().find(|other| other.len() != first.len()) {
        Some(other) => Err(UnequalLengths { expected: first.len(), found: other.len() }),
        None => Ok(()),
    }
}
