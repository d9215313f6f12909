//! Witnesses for one nimber of one heap.

use super::super::vector::{Cell, Vector};
use super::Sparse;

impl<C: Cell> Sparse<C> {
    /// Whether a move that leaves one heap, or a split with a near part, has this value.
    #[inline(always)]
    pub(super) fn is_near<V: Vector<C>>(&self, n: usize, nimber: u32) -> bool {
        let nimber = C::of(nimber);
        for taken in &self.takes {
            if self.forward[n - taken] == nimber {
                return true;
            }
        }
        let parts = V::load(&self.forward[self.least..]).xor(V::splat(nimber));
        for taken in &self.splits {
            let others = self.backward.len() - 1 - (n - taken - self.least);
            if V::load(&self.backward[others..]).equal(parts).mask() != 0 {
                return true;
            }
        }
        false
    }

    /// Whether a split with far parts has this value, by all pairs.
    #[inline(always)]
    pub(super) fn is_far<V: Vector<C>>(&mut self, n: usize, nimber: u32) -> bool {
        for i in 0..self.splits.len() {
            let taken = self.splits[i];
            if let Some(part) = self.search::<V>(n - taken, C::of(nimber)) {
                self.found(taken, part);
                return true;
            }
        }
        false
    }

    /// The smaller part of a far pair with this sum and nim-sum.
    #[inline(always)]
    pub(super) fn search<V: Vector<C>>(&self, sum: usize, nimber: C) -> Option<usize> {
        let want = V::splat(nimber);
        let end = (sum - self.apart) / 2 + 1;
        let mut part = self.least + C::LANES;
        let mut other = self.backward.len() - 1 - (sum - part);
        while part + 4 * C::LANES <= end {
            let parts = &self.forward[part..part + 4 * C::LANES];
            let others = &self.backward[other..other + 4 * C::LANES];
            let met = [
                V::load(parts).xor(V::load(others)).equal(want),
                V::load(&parts[C::LANES..]).xor(V::load(&others[C::LANES..])).equal(want),
                V::load(&parts[2 * C::LANES..]).xor(V::load(&others[2 * C::LANES..])).equal(want),
                V::load(&parts[3 * C::LANES..]).xor(V::load(&others[3 * C::LANES..])).equal(want),
            ];
            if met[0].or(met[1]).or(met[2].or(met[3])).mask() != 0 {
                for (i, met) in met.into_iter().enumerate() {
                    if met.mask() != 0 {
                        return Some(part + i * C::LANES + met.mask().trailing_zeros() as usize / C::BITS);
                    }
                }
            }
            part += 4 * C::LANES;
            other += 4 * C::LANES;
        }
        (part..end).find(|&part| self.forward[part] ^ self.forward[sum - part] == nimber)
    }

    /// Whether a split with far parts has this mixed nimber as its value, heap by heap: for what the rounds left open.
    pub(super) fn is_far_mixed(&mut self, n: usize, nimber: u32) -> bool {
        for i in 0..self.splits.len() {
            let left = n - self.splits[i];
            for (k, &part) in self.rare.iter().enumerate() {
                let part = part as usize;
                if part + self.least > left {
                    break;
                }
                if self.forward[left - part] ^ self.rare_values[k] == C::of(nimber)
                    && left.abs_diff(2 * part) >= self.apart
                {
                    self.found(self.splits[i], part.min(left - part));
                    return true;
                }
            }
        }
        false
    }

    /// Offers a witness to the ring, unless it is near. A part that is a move now stays one, since only the other part
    /// grows.
    pub(super) fn found(&mut self, taken: usize, smaller: usize) {
        if smaller >= self.least + C::LANES {
            self.ring.found(taken + smaller, self.forward[smaller]);
        }
    }
}
