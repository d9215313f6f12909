//! Which heaps of a word are lost, once far moves are known: the small and near moves.
//!
//! There are two ways, and the cheaper one depends on how many heaps are lost:
//!
//! - *rounds*: heaps closer together than the least number taken cannot reach each other, so that many are settled at
//!   once;
//! - *push*: the lowest open heap is lost, and closes all heaps from which a move reaches it. Near moves are pushed
//!   along, in the shadow of the wait for the next open heap.

use super::bits::behind;
use super::plan::Plan;

/// How small and near moves are treated.
pub(super) enum Settle {
    Plain,
    Single,
    Rounds,
    Push,
}

impl Settle {
    /// The cheaper way, for so many lost heaps in a word.
    pub fn choose(plan: &Plan, density: f32) -> Settle {
        if plan.small == 0 && plan.near.is_empty() {
            return Settle::Plain;
        }
        let rounds = if plan.small == 0 { 0 } else { 64u32.div_ceil(plan.small.trailing_zeros()) - 1 } as f32;
        let small = plan.small.count_ones() as f32;
        // Cycles for a word, measured.
        let by_rounds = (rounds + 1.0) * 2.0 * small + 2.0 * rounds + 1.5 * plan.near.len() as f32;
        let by_push = 15.0 + 5.0 * density;
        match (by_rounds < by_push, small) {
            (true, 1.0) => Settle::Single,
            (true, _) => Settle::Rounds,
            (false, _) => Settle::Push,
        }
    }
}

/// Words that are settled in order.
pub(super) trait SettleWord {
    /// The lost heaps of the word at `at`, given those that are won by far moves or excluded.
    fn word(&mut self, plan: &Plan, won: u64, words: &[u64], at: usize) -> u64;
}

/// There are no small or near moves.
pub(super) struct Plain;

impl SettleWord for Plain {
    #[inline(always)]
    fn word(&mut self, _plan: &Plan, won: u64, _words: &[u64], _at: usize) -> u64 {
        !won
    }
}

/// As many heaps at a time as the least number taken.
pub(super) struct Rounds {
    least: u32,
    /// The word before.
    before: u64,
}

impl Rounds {
    /// Ready for the word at `at`.
    pub fn new(plan: &Plan, words: &[u64], at: usize) -> Rounds {
        let least = if plan.small == 0 { 64 } else { plan.small.trailing_zeros() };
        Rounds { least, before: words[at - 1] }
    }
}

impl SettleWord for Rounds {
    #[inline(always)]
    fn word(&mut self, plan: &Plan, mut won: u64, words: &[u64], at: usize) -> u64 {
        for &number in &plan.near {
            won |= behind(words, at, number);
        }
        let mut numbers = plan.small;
        while numbers != 0 {
            won |= self.before >> (64 - numbers.trailing_zeros());
            numbers &= numbers - 1;
        }
        let mut known = self.least;
        while known < 64 {
            let lost = !won & ((1 << known) - 1);
            let mut numbers = plan.small;
            while numbers != 0 {
                won |= lost << numbers.trailing_zeros();
                numbers &= numbers - 1;
            }
            known += self.least;
        }
        self.before = !won;
        !won
    }
}

/// One small number, the commonest case of [`Rounds`] in games with few moves.
pub(super) struct Single {
    number: u32,
    /// The word before.
    before: u64,
}

impl Single {
    /// Ready for the word at `at`.
    pub fn new(plan: &Plan, words: &[u64], at: usize) -> Single {
        Single { number: plan.small.trailing_zeros() % 64, before: words[at - 1] }
    }
}

impl SettleWord for Single {
    #[inline(always)]
    fn word(&mut self, plan: &Plan, mut won: u64, words: &[u64], at: usize) -> u64 {
        for &number in &plan.near {
            won |= behind(words, at, number);
        }
        won |= self.before >> (64 - self.number);
        let mut known = self.number;
        while known < 64 - self.number {
            let lost = !won & ((1 << known) - 1);
            won |= lost << self.number;
            known += self.number;
        }
        // Now all heaps whose push stays within the word are known.
        won |= !won << self.number;
        self.before = !won;
        !won
    }
}

/// The lowest open heap is lost and closes others.
pub(super) struct Push {
    /// What the words before reach, of the next word and the three after it.
    ahead: [u64; 4],
    /// So many lost heaps are looked for in any word.
    always: usize,
}

impl Push {
    /// Ready for the word at `at`.
    pub fn new(plan: &Plan, words: &[u64], at: usize, density: f32) -> Push {
        // A loop that always ends alike is predicted; with many lost heaps it would not end alike anyway.
        let always = if density < 4.0 { (density + 1.5) as usize } else { 0 };
        Push { ahead: pushed_ahead(plan, words, at), always }
    }
}

impl SettleWord for Push {
    #[inline(always)]
    fn word(&mut self, plan: &Plan, won: u64, _words: &[u64], _at: usize) -> u64 {
        let mut open = !(won | self.ahead[0]);
        let mut next = [self.ahead[1], self.ahead[2], self.ahead[3], 0];
        let mut lost = 0;
        let rows: &[[u64; 4]; 65] = &plan.rows;
        let small = plan.small;
        let mut push = |open: u64| {
            // Without open heaps this does nothing: the last row is empty.
            let i = open.trailing_zeros();
            lost |= open & open.wrapping_neg();
            for (next, row) in next.iter_mut().zip(rows[i as usize]) {
                *next |= row;
            }
            open & open.wrapping_sub(1) & !small.wrapping_shl(i)
        };
        for _ in 0..self.always {
            open = push(open);
        }
        while open != 0 {
            open = push(open);
        }
        self.ahead = next;
        lost
    }
}

/// What the words before `at` reach by near moves, of the four words from `at` on.
fn pushed_ahead(plan: &Plan, words: &[u64], at: usize) -> [u64; 4] {
    let mut ahead = [0u64; 4];
    for back in 1..=4 {
        let mut lost = words[at - back];
        while lost != 0 {
            let row = plan.rows[lost.trailing_zeros() as usize];
            for i in back - 1..4 {
                ahead[i + 1 - back] |= row[i];
            }
            lost &= lost - 1;
        }
    }
    ahead
}
