//! Arrangements with given counts, numbered in the order of their cells.
//!
//! A run of cells holds each value so many times. Of all arrangements with these counts, an arrangement has a rank: how many come
//! before it when the first cell counts most. The rank is a sum over the cells: with `s` values still to be placed from a cell on, each
//! smaller value that could stand there stands for all arrangements of the rest. These numbers are looked up by the cell and by what
//! is still to be placed; for the way from an arrangement to its rank, several cells at a time.
//!
//! ```text
//! three cells, values 0 0 1:   001 → 0    010 → 1    100 → 2
//! ```
//!
//! An arrangement is packed: each cell has one or two bits, the first cell the highest.

/// Tables have at most so many entries.
const MOST_ENTRIES: usize = 1 << 21;
/// Bits that are looked up at a time, at most.
const BITS: u32 = 8;
/// Values are counted in eight bits each.
const MOST_CELLS: usize = 63;
const MOST_VALUES: usize = 4;
/// In the counts of a group of cells: one of them holds no value.
const WRONG: u32 = 1 << 24;

/// The ranks of arrangements of a run of cells of equal domains, for all counts up to some.
#[derive(Clone, Debug)]
pub struct Ranking {
    cells: usize,
    values: usize,
    /// How often each value from the second on can stand, at most.
    most: Vec<u32>,
    /// What one more of each value adds to the number of a state; 0 for the first value, whose count follows.
    strides: Vec<usize>,
    states: usize,
    /// For each cell, state and value: how many arrangements from that cell on have a smaller value there.
    smaller: Vec<u64>,
    /// For each state: how many arrangements of all cells there are.
    arrangements: Vec<u64>,
    /// Bits of a cell, and how many cells are a group.
    bits: u32,
    group: usize,
    /// For each group of cells, state and bits: what its cells add to the rank.
    added: Vec<u64>,
    /// For the bits of a group: how often each value from the second on stands there, and what that adds to a state.
    counts: Vec<u32>,
    shifts: Vec<u32>,
}

impl Ranking {
    /// For so many cells, on which each value from the second on can stand so often at most. `None` if the tables or a number in them
    /// would be too large.
    pub fn new(cells: usize, most: &[u32]) -> Option<Ranking> {
        let values = most.len() + 1;
        if !(2..=MOST_VALUES).contains(&values) || !(2..=MOST_CELLS).contains(&cells) {
            return None;
        }
        let mut strides = vec![0];
        let mut states = 1usize;
        for &count in most {
            strides.push(states);
            states = states.checked_mul(count as usize + 1)?;
        }
        if states.checked_mul(cells)?.checked_mul(values)? > MOST_ENTRIES {
            return None;
        }
        let bits = if values > 2 { 2 } else { 1 };
        let mut ranking = Ranking {
            cells,
            values,
            most: most.to_vec(),
            strides,
            states,
            smaller: vec![0; states * cells * values],
            arrangements: Vec::new(),
            bits,
            group: 0,
            added: Vec::new(),
            counts: Vec::new(),
            shifts: Vec::new(),
        };
        ranking.count()?;
        let entries = |group: usize| (states * cells.div_ceil(group)) << (group as u32 * bits);
        ranking.group = (1..=(BITS / bits) as usize).rev().find(|group| entries(*group) <= MOST_ENTRIES)?;
        ranking.look_ahead();
        Some(ranking)
    }

    /// From the last cell to the first: how many arrangements there are from a cell on.
    fn count(&mut self) -> Option<()> {
        let mut rest: Vec<u64> = (0..self.states).map(|state| u64::from(state == 0)).collect();
        for cell in (0..self.cells).rev() {
            let left = self.cells - cell;
            let mut here = vec![0u64; self.states];
            for (state, all) in here.iter_mut().enumerate() {
                let counts = self.counts_of(state);
                let others: usize = counts[1..].iter().sum();
                if others > left {
                    continue;
                }
                for (value, &count) in counts.iter().enumerate() {
                    let at = self.entry(cell, state, value);
                    self.smaller[at] = *all;
                    let can_stand = if value == 0 { others < left } else { count > 0 };
                    if can_stand {
                        *all = all.checked_add(rest[state - self.strides[value]])?;
                    }
                }
            }
            rest = here;
        }
        self.arrangements = rest;
        Some(())
    }

    /// What groups of cells add to a rank.
    fn look_ahead(&mut self) {
        let patterns = 1usize << (self.group as u32 * self.bits);
        let value = |pattern: usize, place: usize, bits: u32| pattern >> (bits * place as u32) & ((1 << bits) - 1);
        for pattern in 0..patterns {
            let (mut counts, mut shift) = (0, 0);
            for value in (0..self.group).map(|place| value(pattern, place, self.bits)) {
                match value {
                    0 => {}
                    value if value < self.values => {
                        counts += 1 << (8 * (value - 1));
                        shift += self.strides[value] as u32;
                    }
                    _ => counts += WRONG,
                }
            }
            self.counts.push(counts);
            self.shifts.push(shift);
        }
        for group in 0..self.cells.div_ceil(self.group) {
            let last = (self.cells - group * self.group).min(self.group);
            for state in 0..self.states {
                for pattern in 0..patterns {
                    // The last group may be shorter: its cells are the lowest places.
                    let (mut sum, mut left) = (0u64, Some(state));
                    for place in 0..last {
                        let value = value(pattern, last - 1 - place, self.bits);
                        let Some(state) = left.filter(|_| value < self.values) else { break };
                        sum = sum.wrapping_add(self.smaller[self.entry(group * self.group + place, state, value)]);
                        let can_stand = value == 0 || self.can_stand(state, value);
                        left = if can_stand { Some(state - self.strides[value]) } else { None };
                    }
                    self.added.push(sum);
                }
            }
        }
    }

    #[inline(always)]
    fn entry(&self, cell: usize, state: usize, value: usize) -> usize {
        (cell * self.states + state) * self.values + value
    }

    /// The counts of a state; that of the first value is left out.
    fn counts_of(&self, state: usize) -> Vec<usize> {
        let mut rest = state;
        let mut counts = vec![0; self.values];
        for (count, most) in counts[1..].iter_mut().zip(&self.most) {
            *count = rest % (*most as usize + 1);
            rest /= *most as usize + 1;
        }
        counts
    }

    /// The number of these counts, one for each value from the second on.
    pub fn state(&self, counts: &[u32]) -> usize {
        counts.iter().zip(&self.strides[1..]).map(|(count, stride)| *count as usize * stride).sum()
    }

    /// How many states there are: all are below this.
    pub fn states(&self) -> usize {
        self.states
    }

    /// How many arrangements have the counts of a state.
    pub fn arrangements(&self, state: usize) -> u64 {
        self.arrangements[state]
    }

    /// Bits of a packed arrangement.
    pub fn width(&self) -> u32 {
        self.cells as u32 * self.bits
    }

    /// The groups of a packed arrangement, the first cells first.
    #[inline(always)]
    fn groups(&self, packed: u64) -> impl Iterator<Item = usize> + use<'_> {
        let (bits, width) = (self.group as u32 * self.bits, self.width());
        let mask = (1u64 << bits) - 1;
        let mut left = width;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let now = left.min(bits);
            left -= now;
            Some((packed >> left & mask & ((1 << now) - 1)) as usize)
        })
    }

    /// The state of a packed arrangement; `None` if a value stands there too often.
    #[inline(always)]
    pub fn state_of(&self, packed: u64) -> Option<usize> {
        let counts = self.groups(packed).fold(0, |sum, group| sum + self.counts[group]);
        let mut state = 0;
        for (place, most) in self.most.iter().enumerate() {
            let count = counts >> (8 * place) & 255;
            if count > *most {
                return None;
            }
            state += count as usize * self.strides[place + 1];
        }
        (counts < WRONG).then_some(state)
    }

    /// The rank of a packed arrangement with the counts of a state.
    #[inline(always)]
    pub fn rank(&self, state: usize, packed: u64) -> u64 {
        let patterns = self.group as u32 * self.bits;
        let (mut rank, mut state, mut first) = (0, state, 0);
        for group in self.groups(packed) {
            rank += self.added[(first + state) << patterns | group];
            state = state.wrapping_sub(self.shifts[group] as usize);
            first += self.states;
        }
        rank
    }

    /// The packed arrangement of a rank among those with the counts of a state.
    #[inline(always)]
    pub fn unrank(&self, state: usize, rank: u64) -> u64 {
        let (mut rank, mut state, mut packed) = (rank, state, 0);
        for cell in 0..self.cells {
            let first = self.entry(cell, state, 0);
            let smaller = &self.smaller[first..first + self.values];
            // Values that cannot stand here have the number of the next one, so the last that is not above is right.
            let mut value = if state == 0 { 0 } else { self.values - 1 };
            while value > 0 && (smaller[value] > rank || !self.can_stand(state, value)) {
                value -= 1;
            }
            rank -= smaller[value];
            state -= self.strides[value];
            packed = packed << self.bits | value as u64;
        }
        packed
    }

    /// Whether a value other than the first is still to be placed.
    #[inline(always)]
    fn can_stand(&self, state: usize, value: usize) -> bool {
        let above = self.strides.get(value + 1).copied().unwrap_or(self.states);
        state % above >= self.strides[value]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_dense_and_in_the_order_of_the_cells() {
        for (cells, values) in [(2, 2), (7, 2), (13, 2), (5, 3), (6, 3), (9, 3), (4, 4), (6, 4)] {
            let ranking = Ranking::new(cells, &vec![cells as u32; values - 1]).unwrap();
            let bits = if values > 2 { 2 } else { 1 };
            let mut next = vec![0; ranking.states()];
            for packed in 0..1u64 << ranking.width() {
                let value = |cell: usize| (packed >> (bits * cell) & ((1 << bits) - 1)) as usize;
                if (0..cells).any(|cell| value(cell) >= values) {
                    assert_eq!(ranking.state_of(packed), None);
                    continue;
                }
                let state = ranking.state_of(packed).unwrap();
                assert_eq!(ranking.rank(state, packed), next[state], "{packed}");
                assert_eq!(ranking.unrank(state, next[state]), packed);
                next[state] += 1;
            }
            let arrangements = (0..ranking.states()).map(|state| ranking.arrangements(state));
            assert!(arrangements.eq(next.iter().copied()));
        }
    }

    #[test]
    fn values_that_stand_too_often_have_no_state() {
        let ranking = Ranking::new(5, &[2, 1]).unwrap();
        assert_eq!(ranking.state_of(0b01_01_00_00_10), Some(ranking.state(&[2, 1])));
        assert_eq!(ranking.state_of(0b01_01_01_00_10), None);
        assert_eq!(ranking.state_of(0b00_10_00_00_10), None);
        assert_eq!(ranking.arrangements(ranking.state(&[2, 1])), 30);
    }

    #[test]
    fn tables_that_would_be_too_large_are_not_made() {
        assert!(Ranking::new(200, &[3]).is_none() && Ranking::new(1, &[1, 1]).is_none());
        // C(24, 8) · C(16, 8)
        let ranking = Ranking::new(24, &[8, 9]).unwrap();
        assert_eq!(ranking.arrangements(ranking.state(&[8, 8])), 735_471 * 12_870);
    }
}
