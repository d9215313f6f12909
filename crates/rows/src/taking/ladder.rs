//! All blocks of a sum in falling order, with their alternating sums.
//!
//! A first move in a list changes few of its blocks, and after each of them the alternating sum of all blocks is
//! needed. Between two changes the old order stays, at most with all signs turned. So prefix sums of the old order
//! answer for a whole stretch, and a question costs one binary search for each changed block. A tree that is updated
//! and restored for each move would do the same at twenty times the memory traffic.

use super::number::Number;

/// The blocks of a sum in falling order.
pub(super) struct Ladder<T> {
    rungs: Vec<Rung<T>>,
    /// Every [`LEAP`]th block: few enough to stay in a near cache, where most of each search then happens.
    posts: Vec<T>,
    /// The alternating sum of all blocks.
    value: T,
}

/// A block, and what is needed when a search ends at it, side by side: one access to far memory serves both.
struct Rung<T> {
    block: T,
    /// The alternating sum of the blocks above this one.
    above: T,
}

/// How far apart the posts are.
const LEAP: usize = 32;

impl<T: Number> Ladder<T> {
    pub(super) fn new(mut blocks: Vec<T>) -> Ladder<T> {
        blocks.sort_unstable_by(|a, b| b.cmp(a));
        let posts = blocks.iter().copied().step_by(LEAP).collect();
        let mut rungs = Vec::with_capacity(blocks.len());
        let mut value = T::default();
        for (k, block) in blocks.into_iter().enumerate() {
            rungs.push(Rung { block, above: value });
            if k % 2 == 0 {
                value += block;
            } else {
                value -= block;
            }
        }
        Ladder { rungs, posts, value }
    }

    /// The alternating sum of all blocks.
    pub(super) fn value(&self) -> T {
        self.value
    }

    /// The alternating sum of the blocks above a rung, or of all.
    fn sum_above(&self, rung: usize) -> T {
        self.rungs.get(rung).map_or(self.value, |rung| rung.above)
    }

    /// The number of rungs above a number.
    fn count_above(&self, number: T) -> usize {
        // The rung is at the first post that is not above, or after the last one that is.
        let post = self.posts.partition_point(|&block| block > number);
        let from = post.saturating_sub(1) * LEAP;
        let to = self.rungs.len().min(post * LEAP);
        from + self.rungs[from..to].partition_point(|rung| rung.block > number)
    }

    /// The alternating sum with some blocks replaced by others. Both lists are in falling order, and the blocks that go
    /// must be there.
    pub(super) fn value_replacing(&self, gone: &[T], come: &[T]) -> T {
        let mut walk = Walk { ladder: self, at: 0, is_turned: false, value: T::default() };
        let (mut gone, mut come) = (gone, come);
        loop {
            match (gone, come) {
                ([old, olds @ ..], [new, news @ ..]) if old == new => {
                    (gone, come) = (olds, news);
                }
                ([old, olds @ ..], _) if come.first().is_none_or(|new| old > new) => {
                    walk.leave_out(*old);
                    gone = olds;
                }
                (_, [new, news @ ..]) => {
                    walk.put_in(*new);
                    come = news;
                }
                _ => return walk.finish(),
            }
        }
    }
}

/// A walk down the ladder that applies changes on the way.
struct Walk<'l, T> {
    ladder: &'l Ladder<T>,
    /// The next rung.
    at: usize,
    /// Whether the rungs from here on have the opposite sign.
    is_turned: bool,
    value: T,
}

impl<T: Number> Walk<'_, T> {
    /// Adds the rungs up to one.
    fn go_to(&mut self, rung: usize) {
        let stretch = self.ladder.sum_above(rung) - self.ladder.sum_above(self.at);
        if self.is_turned {
            self.value -= stretch;
        } else {
            self.value += stretch;
        }
        self.at = rung;
    }

    /// Goes to the first rung that is not above a number, or stays if it was passed: equal rungs may have been left
    /// out.
    fn go_down_to(&mut self, number: T) {
        let rung = self.ladder.count_above(number);
        self.go_to(rung.max(self.at));
    }

    fn leave_out(&mut self, number: T) {
        self.go_down_to(number);
        debug_assert!(
            self.ladder.rungs.get(self.at).is_some_and(|rung| rung.block == number),
            "only a rung can be left out"
        );
        self.at += 1;
        self.is_turned = !self.is_turned;
    }

    fn put_in(&mut self, number: T) {
        self.go_down_to(number);
        if self.at % 2 == usize::from(self.is_turned) {
            self.value += number;
        } else {
            self.value -= number;
        }
        self.is_turned = !self.is_turned;
    }

    fn finish(mut self) -> T {
        self.go_to(self.ladder.rungs.len());
        self.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alternating(mut numbers: Vec<i64>) -> i64 {
        numbers.sort_unstable_by(|a, b| b.cmp(a));
        numbers.iter().enumerate().map(|(k, a)| if k % 2 == 0 { *a } else { -a }).sum()
    }

    #[test]
    fn changes_are_counted_as_if_sorted_anew() {
        // All ladders of five numbers below 3, all parts of them gone, all sets of two below 4 come.
        for code in 0..243 {
            let rungs: Vec<i64> = (0..5).map(|k| code / 3_i64.pow(k) % 3).collect();
            let ladder = Ladder::new(rungs.clone());
            assert_eq!(ladder.value(), alternating(rungs.clone()));
            for mask in 0..32 {
                let mut gone: Vec<i64> = (0..5).filter(|k| mask >> k & 1 == 1).map(|k| rungs[k]).collect();
                gone.sort_unstable_by(|a, b| b.cmp(a));
                let kept: Vec<i64> = (0..5).filter(|k| mask >> k & 1 == 0).map(|k| rungs[k]).collect();
                for come in [vec![], vec![0], vec![1], vec![3], vec![2, 1], vec![1, 1], vec![3, 2, 0]] {
                    let all = [kept.clone(), come.clone()].concat();
                    assert_eq!(ladder.value_replacing(&gone, &come), alternating(all), "{rungs:?} {gone:?} {come:?}");
                }
            }
        }
    }
}
