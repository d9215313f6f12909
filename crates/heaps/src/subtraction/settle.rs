//! Which heaps of a word are lost by small and near moves, once far moves are done.
//!
//! A single small number is quickest by itself (see [`Single`]). Otherwise there are two ways, and the number of lost
//! heaps decides which is cheaper:
//!
//! - *rounds*: heaps closer together than the least number taken cannot reach each other, so that many are decided at
//!   once;
//! - *push*: the lowest open heap is lost, and closes all heaps from which a move reaches it. Near moves are pushed
//!   along, while waiting for the next open heap.

use super::plan::Plan;

/// How small and near moves are treated.
pub(super) enum Settle {
    Plain,
    Single,
    Rounds,
    Push,
}

impl Settle {
    /// The cheaper way for this density of lost heaps in a word.
    pub fn choose(plan: &Plan, density: f32) -> Settle {
        if plan.small == 0 && plan.near.is_empty() {
            return Settle::Plain;
        }
        if plan.small.is_power_of_two() {
            return Settle::Single;
        }
        let rounds = if plan.small == 0 { 0 } else { 64u32.div_ceil(plan.small.trailing_zeros()) - 1 } as f32;
        let small = plan.small.count_ones() as f32;
        // Cycles for a word, as measured.
        let by_rounds = (rounds + 1.0) * 2.0 * small + 2.0 * rounds + 1.5 * plan.near.len() as f32;
        let by_push = 15.0 + 5.0 * density;
        if by_rounds < by_push { Settle::Rounds } else { Settle::Push }
    }
}

/// Decides words in order.
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

/// The near moves, each as a place in a window of words and a number of bits.
struct Near {
    /// Ends with an offset of 0. The compiler would vectorise a list of known length, which is slow for so few.
    shifts: Vec<(u32, u32)>,
}

impl Near {
    fn new(plan: &Plan) -> Near {
        let shift = |number: &usize| (8 - (number / 64) as u32, (number % 64) as u32);
        Near { shifts: plan.near.iter().map(shift).chain([(0, 0)]).collect() }
    }

    /// The heaps of the word at `at` that reach a bit of `words` by a near move.
    #[inline(always)]
    fn pull(&self, words: &[u64], at: usize) -> u64 {
        let Some(window) = words[at - 8..].first_chunk::<8>() else { return 0 };
        let mut won = 0;
        for &(place, bits) in &self.shifts {
            if place == 0 {
                break;
            }
            // Offsets are 5 to 7: the compiler sees that they lie in the window.
            let (all, below) = (window[place as usize & 7], window[(place as usize - 1) & 7]);
            won |= all << (bits & 63) | (below >> 1) >> ((63 - bits) & 63);
        }
        won
    }
}

/// Decides as many heaps at a time as the least number taken.
pub(super) struct Rounds {
    near: Near,
    /// The small numbers as bits. Walking along bits is as quick as a list, and no compiler vectorises it.
    small: u64,
    /// How many heaps are decided at once.
    least: u32,
    /// The word before.
    before: u64,
}

impl Rounds {
    /// Prepares for the word at `at`.
    pub fn new(plan: &Plan, words: &[u64], at: usize) -> Rounds {
        let least = plan.small.trailing_zeros();
        Rounds { near: Near::new(plan), small: plan.small, least, before: words[at - 1] }
    }
}

impl SettleWord for Rounds {
    #[inline(always)]
    fn word(&mut self, _plan: &Plan, mut won: u64, words: &[u64], at: usize) -> u64 {
        won |= self.near.pull(words, at);
        let mut numbers = self.small;
        while numbers != 0 {
            won |= self.before >> (64 - numbers.trailing_zeros());
            numbers &= numbers - 1;
        }
        let mut known = self.least;
        while known < 64 {
            let lost = !won & ((1 << known) - 1);
            let mut numbers = self.small;
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

/// One small number s, by doubling along the chain n, n − s, n − 2s, … instead of rounds.
///
/// Let `open` be the heaps that other moves do not win. A heap is lost if it is open and the heap s before is not lost.
/// Two steps back, that is: if it is open and the heap s before is closed (*surely*), or if it is open and the heap 2s
/// before is lost (*linked*). Such rules compose: the same holds for 4s, 8s and so on, until nothing is that far back.
pub(super) struct Single {
    near: Near,
    number: u32,
    /// The word before.
    before: u64,
}

impl Single {
    /// Prepares for the word at `at`.
    pub fn new(plan: &Plan, words: &[u64], at: usize) -> Single {
        Single { near: Near::new(plan), number: plan.small.trailing_zeros() % 64, before: words[at - 1] }
    }
}

impl SettleWord for Single {
    #[inline(always)]
    fn word(&mut self, _plan: &Plan, won: u64, words: &[u64], at: usize) -> u64 {
        let open = !(won | self.near.pull(words, at) | self.before >> ((64 - self.number) & 63));
        let mut surely = open & !(open << (self.number & 63));
        let mut linked = open;
        let mut back = 2 * self.number;
        while back < 64 {
            surely |= linked & surely << back;
            linked &= linked << back;
            back *= 2;
        }
        self.before = surely;
        surely
    }
}

/// The lowest open heap is lost and closes others.
pub(super) struct Push {
    /// What the words before reach in the next word and the three after it.
    ahead: [u64; 4],
    /// How many lost heaps are looked for in every word.
    always: usize,
}

impl Push {
    /// Prepares for the word at `at`.
    pub fn new(plan: &Plan, words: &[u64], at: usize, density: f32) -> Push {
        // A loop with a constant count is predicted well; with many lost heaps the count would vary anyway.
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

/// What the words before `at` reach by near moves in the four words from `at` on.
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
