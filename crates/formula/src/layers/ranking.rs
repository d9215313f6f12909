//! Arrangements with given counts, numbered in the order of their cells.
//!
//! A run of cells holds each value so many times. Of all arrangements with these counts, an arrangement has a rank: how many come
//! before it when the first cell counts most. The rank is a sum over the cells: with `s` values still to be placed from a cell on, each
//! smaller value that could stand there stands for all arrangements of the rest. These numbers are looked up by the cell and by what
//! is still to be placed.
//!
//! ```text
//! three cells, values 0 0 1:   001 → 0    010 → 1    100 → 2
//! ```

/// A table has at most so many entries.
const MOST_ENTRIES: u64 = 1 << 21;

/// The ranks of arrangements of a run of cells of equal domains, for all counts.
#[derive(Clone, Debug)]
pub struct Ranking {
    cells: usize,
    values: usize,
    /// What one more of each value adds to the number of a state; 0 for the first value, whose count follows.
    strides: Vec<usize>,
    states: usize,
    /// For each cell, state and value: how many arrangements from that cell on have a smaller value there.
    smaller: Vec<u64>,
    /// For each state: how many arrangements of all cells there are.
    arrangements: Vec<u64>,
}

impl Ranking {
    /// For so many cells of so many values; `None` if the table or a number in it would be too large.
    pub fn new(cells: usize, values: usize) -> Option<Ranking> {
        if values < 2 || cells < 2 {
            return None;
        }
        let side = cells as u64 + 1;
        let states = (1..values).try_fold(1u64, |product, _| product.checked_mul(side))?;
        let entries = states.checked_mul(cells as u64)?.checked_mul(values as u64)?;
        if entries > MOST_ENTRIES {
            return None;
        }
        let mut strides = vec![0];
        strides.extend((0..values as u32 - 1).map(|value| (cells + 1).pow(value)));
        let states = states as usize;
        let mut ranking =
            Ranking { cells, values, strides, states, smaller: vec![0; entries as usize], arrangements: Vec::new() };
        // From the last cell to the first: how many arrangements there are from a cell on.
        let mut rest: Vec<u64> = (0..states).map(|state| u64::from(state == 0)).collect();
        for cell in (0..cells).rev() {
            let left = cells - cell;
            let mut here = vec![0u64; states];
            for (state, all) in here.iter_mut().enumerate() {
                let counts = ranking.counts_of(state);
                let others: usize = counts[1..].iter().sum();
                if others > left {
                    continue;
                }
                for (value, &count) in counts.iter().enumerate() {
                    let at = ranking.entry(cell, state, value);
                    ranking.smaller[at] = *all;
                    let can_stand = if value == 0 { others < left } else { count > 0 };
                    if can_stand {
                        *all = all.checked_add(rest[state - ranking.strides[value]])?;
                    }
                }
            }
            rest = here;
        }
        ranking.arrangements = rest;
        Some(ranking)
    }

    fn entry(&self, cell: usize, state: usize, value: usize) -> usize {
        (cell * self.states + state) * self.values + value
    }

    /// The counts of a state; that of the first value is left out.
    fn counts_of(&self, state: usize) -> Vec<usize> {
        let mut rest = state;
        let mut counts = vec![0; self.values];
        for count in &mut counts[1..] {
            *count = rest % (self.cells + 1);
            rest /= self.cells + 1;
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

    /// What one more of a value adds to a state.
    #[inline(always)]
    pub fn stride(&self, value: usize) -> usize {
        self.strides[value]
    }

    /// The rank of the arrangement that `value` gives for each cell; it must have the counts of the state.
    #[inline(always)]
    pub fn rank(&self, state: usize, value: impl Fn(usize) -> usize) -> u64 {
        let (mut rank, mut state) = (0, state);
        for cell in 0..self.cells {
            let value = value(cell);
            rank += self.smaller[self.entry(cell, state, value)];
            state = state.wrapping_sub(self.strides[value]);
        }
        rank
    }

    /// Gives `put` each cell and its value in the arrangement of a rank.
    #[inline(always)]
    pub fn unrank(&self, state: usize, rank: u64, mut put: impl FnMut(usize, usize)) {
        let (mut rank, mut state) = (rank, state);
        for cell in 0..self.cells {
            let first = self.entry(cell, state, 0);
            let smaller = &self.smaller[first..first + self.values];
            // Values that cannot stand here have the number of the next one, so the last that is not above is right.
            let mut value = self.values - 1;
            while value > 0 && (smaller[value] > rank || !self.can_stand(cell, state, value)) {
                value -= 1;
            }
            rank -= smaller[value];
            state -= self.strides[value];
            put(cell, value);
        }
    }

    /// Whether a value other than the first is still to be placed.
    #[inline(always)]
    fn can_stand(&self, _cell: usize, state: usize, value: usize) -> bool {
        state / self.strides[value] % (self.cells + 1) > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_dense_and_in_the_order_of_the_cells() {
        for (cells, values) in [(2, 2), (7, 2), (5, 3), (6, 3), (4, 4)] {
            let ranking = Ranking::new(cells, values).unwrap();
            let mut next = vec![0; ranking.states()];
            let all = values.pow(cells as u32);
            for number in 0..all {
                let value = |cell: usize| number / values.pow((cells - 1 - cell) as u32) % values;
                let state: usize = (0..cells).map(|cell| ranking.stride(value(cell))).sum();
                assert_eq!(ranking.rank(state, value), next[state], "{number}");
                let mut again = 0;
                ranking.unrank(state, next[state], |_, value| again = again * values + value);
                assert_eq!(again, number);
                next[state] += 1;
            }
            let arrangements = (0..ranking.states()).map(|state| ranking.arrangements(state));
            assert!(arrangements.eq(next.iter().copied()));
        }
    }

    #[test]
    fn tables_that_would_be_too_large_are_not_made() {
        assert!(Ranking::new(200, 4).is_none() && Ranking::new(1, 3).is_none());
        // C(24, 8) · C(16, 8)
        let ranking = Ranking::new(24, 3).unwrap();
        assert_eq!(ranking.arrangements(ranking.state(&[8, 8])), 735_471 * 12_870);
    }
}
