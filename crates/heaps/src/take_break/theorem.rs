//! What proves a period.
//!
//! Let a move take at most `k` tokens and leave at most `h` heaps. Suppose `g(n + p) = g(n)` for all `n` with
//! `s ≤ n < B`, where `s ≥ 1`. Then it holds for all `n ≥ s`, provided that `B` is large enough:
//!
//! | moves | `B` |
//! |---|---|
//! | leave at most one heap | `s + k` |
//! | leave at most two heaps, any parts | `2 s + p + k` (Guy and Smith) |
//! | leave at most three heaps, any parts | `3 s + 2 p + k` |
//! | leave at most two heaps that differ by `d` or more | `2 s + 2 p + k + d` |
//!
//! Parts may also have a least size, if `s` is not below it.
//!
//! *Proof.* Let `n ≥ B` and let `g(i + p) = g(i)` for `s ≤ i < n`. We match the options of `n + p` with those of `n`, value by
//! value; then the least nimber outside is the same.
//!
//! Both heaps exceed `k`, so no move leaves nothing. A move that takes `t` and leaves one heap goes to `n + p − t` or to `n − t`,
//! and `s ≤ n − t < n` (a move that leaves one heap takes something).
//!
//! From `n + p` to `n`, any parts: the parts sum to `n + p − t ≥ h s + h p`, so the largest part `b` is at least
//! `s + p`. Replace it by `b − p ≥ s`. Since every part is less than `n + p`, `b − p < n`, and the value is the same. From `n` to
//! `n + p`: the parts sum to `n − t ≥ h s`, so the largest is at least `s`; it is less than `n`, or, where nothing was taken,
//! less because another part is not empty. Add `p` to it.
//!
//! Parts `a < b` that differ by `d` or more: adding `p` to the larger keeps them apart, so from `n` to `n + p` nothing changes.
//! From `n + p` to `n`, `(a, b − p)` will do unless `|b − p − a| < d`. In that case `b − a < p + d`, hence
//! `2 a > n + p − t − p − d ≥ 2 s + 2 p`, and `a − p > s`: take `(a − p, b)`, which differ by more than before. ∎
//!
//! For other conditions on the parts, for codes that go on for ever, and for arithmetic periods no theorem is used
//! here: their periods are observed, and reported as observed.

use super::game::TakeAndBreak;

/// A theorem that fits a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theorem {
    /// Its name.
    pub name: &'static str,
    /// The factors of `s` and of `p` in `B`, and what is added.
    starts: u64,
    lengths: u64,
    added: u64,
    /// The least `s`.
    least: u64,
}

impl Theorem {
    /// The theorem for a game, if there is one.
    pub fn of(game: &TakeAndBreak) -> Option<Theorem> {
        let taken = game.most_taken()?;
        let split = game.split();
        let apart = u64::from(split.apart);
        let least = u64::from(split.least);
        let (name, starts, lengths, added, least) = match game.most_heaps() {
            0 | 1 => ("periodicity of games that only take", 1, 0, taken, 1),
            _ if !split.is_simple() => return None,
            2 if apart == 0 => ("octal periodicity (Guy and Smith)", 2, 1, taken, least),
            2 => ("octal periodicity with parts apart", 2, 2, taken + apart, least),
            _ if apart == 0 => ("hexadecimal periodicity", 3, 2, taken, least),
            _ => return None,
        };
        Some(Theorem { name, starts, lengths, added, least })
    }

    /// How many terms prove a period of this start and length, if it holds for all of them.
    ///
    /// ```
    /// use heaps::take_break::{TakeAndBreak, theorem::Theorem};
    /// let kayles: TakeAndBreak = "0.77".parse().unwrap();
    /// let theorem = Theorem::of(&kayles).unwrap();
    /// assert_eq!(theorem.terms(71, 12), 2 * 71 + 12 + 2 + 12);
    /// ```
    pub fn terms(&self, start: u64, length: u64) -> u64 {
        let start = start.max(self.least);
        let bound = start.saturating_mul(self.starts).saturating_add(length.saturating_mul(self.lengths));
        bound.saturating_add(self.added).saturating_add(length)
    }
}
