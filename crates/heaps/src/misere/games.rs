//! The heap games of this crate as [`HeapRules`].

use super::rules::{HeapRules, Uniform};
use crate::subtraction::Subtraction;
use crate::take_break::{Split, TakeAndBreak};

impl HeapRules for TakeAndBreak {
    fn options(&self, heap: u32) -> Vec<Vec<u32>> {
        let mut options = Vec::new();
        for taken in 0..=heap {
            let (digit, left) = (self.digit(taken.into()), heap - taken);
            // Most numbers may not be taken, or leave few heaps: useless divisions are not listed.
            let most = if digit.leaves(3) {
                3
            } else if digit.leaves(2) {
                2
            } else {
                1
            };
            if digit.leaves(0) && left == 0 {
                options.push(Vec::new());
            }
            if digit.leaves(1) && left > 0 {
                options.push(vec![left]);
            }
            for first in (1..=left / 2).take_while(|_| most >= 2) {
                if digit.leaves(2) && self.split().allows(&[first.into(), (left - first).into()]) {
                    options.push(vec![first, left - first]);
                }
                for second in (first..=(left - first) / 2).take_while(|_| most >= 3) {
                    let third = left - first - second;
                    if self.split().allows(&[first.into(), second.into(), third.into()]) {
                        options.push(vec![first, second, third]);
                    }
                }
            }
        }
        options
    }

    fn uniform(&self) -> Option<Uniform> {
        let taken = u32::try_from(self.most_taken()?).ok()?;
        (*self.split() == Split::ANY).then_some(Uniform { taken, parts: self.most_heaps().max(1) as u32 })
    }
}

impl HeapRules for Subtraction {
    fn options(&self, heap: u32) -> Vec<Vec<u32>> {
        let reached = self.takes().iter().filter_map(|takes| takes.options(heap.into()));
        let mut options: Vec<u32> = reached.flat_map(|(low, high)| low as u32..=high as u32).collect();
        options.sort_unstable();
        options.dedup();
        options.into_iter().map(|left| vec![left]).collect()
    }

    fn uniform(&self) -> Option<Uniform> {
        // Guard and floor do not affect heaps beyond this.
        let most = |takes: &crate::subtraction::Takes| {
            u32::try_from(takes.most?.checked_add(takes.floor)?.max(takes.guard)).ok()
        };
        let largest = self.takes().iter().map(most).collect::<Option<Vec<u32>>>()?;
        Some(Uniform { taken: largest.into_iter().max().unwrap_or(0), parts: 1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::misere::{Limits, Quotient};
    use crate::subtraction::Takes;

    /// Orders and numbers of lost elements, as published.
    #[test]
    fn quotients_of_codes() {
        for (code, order, lost) in
            [("0.123", 20, 5), ("0.34", 12, 3), ("0.53", 16, 3), ("0.71", 36, 9), ("0.351", 22, 6)]
        {
            let game: TakeAndBreak = code.parse().unwrap();
            let quotient = Quotient::of(game, 200, Limits::default()).unwrap();
            assert_eq!((quotient.order(), quotient.p_types()), (order, lost), "{code}");
            assert!(quotient.period().is_some(), "{code}");
        }
    }

    #[test]
    fn a_heap_that_shifts() {
        let game = Subtraction::new(vec![Takes::range(1, 2)], false).unwrap();
        assert_eq!(game.options(5), [[3], [4]]);
        assert_eq!(game.uniform(), Some(Uniform { taken: 2, parts: 1 }));
        assert_eq!(Quotient::of(game, 20, Limits::default()).unwrap().order(), 6);
        let nim = Subtraction::new(vec![Takes::at_least(1)], false).unwrap();
        assert_eq!((nim.options(3), nim.uniform()), (vec![vec![0], vec![1], vec![2]], None));
    }
}
