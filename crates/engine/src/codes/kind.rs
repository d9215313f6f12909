//! What is worked out for each code, and how the options of a position make its value.
//!
//! The engines know the order in which positions come, a [`Rule`] knows values. It folds the options one by one into a
//! few words, so that an option is looked at once, as soon as its value is there, and need not be kept until the last
//! is.

use game::{Nimber, Outcome, Remoteness, Verdict};

use crate::codes::cell::{Cell, OPEN, pack_score, unpack_nimber, unpack_score};
use crate::error::Error;
use crate::outcome_cell::Ordered;
use crate::valuation::{least_unmarked, mark};

/// What is worked out, and what is known beforehand about its range. A bound that does not hold is found out and is an
/// error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Won, drawn or lost, with remoteness.
    Outcome {
        /// No play has more moves than this.
        longest: Option<u64>,
    },
    /// The mover's further gains minus the other's.
    Score {
        /// No position has a larger score, whatever the sign.
        bound: Option<u64>,
    },
    /// The Grundy number: the turn always passes, every end is lost by the player to move.
    Nimber {
        /// No position has more options than this.
        options: Option<u64>,
    },
    /// An outcome with remoteness and a nimber.
    OutcomeAndNimber {
        /// No play has more moves than this.
        longest: Option<u64>,
        /// No position has more options than this.
        options: Option<u64>,
    },
}

/// How a cell is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// As an [`Ordered`] of so many bits.
    Outcome(u32),
    /// As a score of so many bits.
    Score(u32),
    /// As a nimber.
    Nimber,
    /// As an outcome in the low half, of so many bits, and a nimber in the high half.
    Both(u32),
}

impl Reading {
    /// What a cell says, if it is settled.
    pub fn read(self, cell: u64) -> Option<Verdict> {
        match self {
            Reading::Outcome(bits) => {
                unpack_outcome(cell, bits).map(|(outcome, moves)| Verdict::outcome_in(outcome, moves))
            }
            Reading::Score(bits) => unpack_score(cell, bits).map(Verdict::Score),
            Reading::Nimber => unpack_nimber(cell).map(Verdict::Nimber),
            Reading::Both(half) => {
                let (outcome, remoteness) = unpack_outcome(cell & ((1 << half) - 1), half)?;
                Some(Verdict::Outcome { outcome, remoteness, nimber: Some((cell >> half) as Nimber) })
            }
        }
    }

    /// Whether a cell has a value.
    #[inline]
    pub fn is_settled(self, cell: u64) -> bool {
        match self {
            Reading::Outcome(bits) => cell >> (bits - 2) != 0,
            Reading::Score(_) | Reading::Nimber => cell > OPEN,
            Reading::Both(half) => cell >> (half - 2) & 3 != 0,
        }
    }
}

/// Outcome and remoteness in a cell of so many bits.
fn unpack_outcome(cell: u64, bits: u32) -> Option<(Outcome, Remoteness)> {
    match bits {
        8 => Ordered::<8>::unpack(cell),
        16 => Ordered::<16>::unpack(cell),
        _ => Ordered::<32>::unpack(cell),
    }
}

/// A value did not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// A score, or a sum on the way to it.
    Score,
    /// The number of moves, or a nimber.
    Count,
}

impl Unfit {
    /// The error for the position of a code, with so many positions met.
    #[cold]
    pub fn at(self, code: u64, positions: u64) -> Error {
        match self {
            Unfit::Score => Error::OverflowAt(code),
            Unfit::Count => Error::too_many(positions),
        }
    }
}

/// How options make a value. The words start as zeros.
pub(crate) trait Rule: Copy + Send + Sync {
    /// The cells of the table.
    type Cell: Cell;
    /// Whether gains count.
    const SCORED: bool;
    /// How cells are read.
    const READING: Reading;

    /// How many words the fold of so many options takes.
    fn words(options: usize) -> usize;
    /// Whether a cell has a value.
    fn is_settled(cell: u64) -> bool;
    /// The cell of an end whose [`game::codes::Options::gains`] begin so.
    fn end(gain: i64) -> Result<u64, Unfit>;
    /// Takes in an option whose cell is settled.
    fn fold(words: &mut [u64], option: u64, same: bool, gain: i64) -> Result<(), Unfit>;
    /// Takes in several options whose cells are settled; gains are given where they count.
    #[inline(always)]
    fn fold_all(words: &mut [u64], options: &[u64], same: &[u8], gains: &[i64]) -> Result<(), Unfit> {
        for (index, (&option, &same)) in options.iter().zip(same).enumerate() {
            Self::fold(words, option, same != 0, if Self::SCORED { gains[index] } else { 0 })?;
        }
        Ok(())
    }
    /// The cell of a position all of whose options, at least one, were taken in.
    fn finish(words: &[u64]) -> Result<u64, Unfit>;
}

/// Outcome and remoteness in cells of `C`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutcomeIn<C>(std::marker::PhantomData<C>);

macro_rules! outcome_rule {
    ($($unsigned:ty, $bits:literal);*) => {
        $(impl Rule for OutcomeIn<$unsigned> {
            type Cell = $unsigned;
            const SCORED: bool = false;
            const READING: Reading = Reading::Outcome($bits);

            #[inline(always)]
            fn words(_: usize) -> usize {
                1
            }
            #[inline(always)]
            fn is_settled(cell: u64) -> bool {
                Ordered::<$bits>::is_settled(cell)
            }
            #[inline(always)]
            fn end(gain: i64) -> Result<u64, Unfit> {
                Ok(Ordered::<$bits>::end(gain))
            }
            #[inline(always)]
            fn fold(words: &mut [u64], option: u64, same: bool, _: i64) -> Result<(), Unfit> {
                words[0] = words[0].max(Ordered::<$bits>::before(option, same));
                Ok(())
            }
            /// Where the turn passes and nothing is drawn, the least option is the best.
            #[inline(always)]
            fn fold_all(words: &mut [u64], options: &[u64], same: &[u8], _: &[i64]) -> Result<(), Unfit> {
                let mut least = u64::MAX;
                let mut drawn = false;
                for &option in options {
                    least = least.min(option);
                    drawn |= Ordered::<$bits>::is_draw(option);
                }
                let same_moves = same.iter().fold(0, |any, same| any | same);
                if drawn || same_moves != 0 || options.is_empty() {
                    return options.iter().zip(same).try_for_each(|(&option, &same)| Self::fold(words, option, same != 0, 0));
                }
                Self::fold(words, least, false, 0)
            }
            #[inline(always)]
            fn finish(words: &[u64]) -> Result<u64, Unfit> {
                if Ordered::<$bits>::is_full(words[0]) { Err(Unfit::Count) } else { Ok(words[0]) }
            }
        })*
    };
}

outcome_rule!(u8, 8; u16, 16; u32, 32);

/// Scores in cells of `C`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScoreIn<C>(std::marker::PhantomData<C>);

impl<C: Cell> Rule for ScoreIn<C> {
    type Cell = C;
    const SCORED: bool = true;
    const READING: Reading = Reading::Score(C::BITS);

    #[inline(always)]
    fn words(_: usize) -> usize {
        1
    }
    #[inline(always)]
    fn is_settled(cell: u64) -> bool {
        cell > OPEN
    }
    #[inline(always)]
    fn end(gain: i64) -> Result<u64, Unfit> {
        pack_score(gain, C::BITS).ok_or(Unfit::Score)
    }
    /// The word holds the best sum so far with its sign bit turned, so that 0 is less than any that can be stored.
    #[inline(always)]
    fn fold(words: &mut [u64], option: u64, same: bool, gain: i64) -> Result<(), Unfit> {
        let further = option.wrapping_sub(1 << (C::BITS - 1)) as i64;
        let sum = if same { gain.checked_add(further) } else { gain.checked_sub(further) };
        words[0] = words[0].max(sum.ok_or(Unfit::Score)? as u64 ^ 1 << 63);
        Ok(())
    }
    #[inline(always)]
    fn finish(words: &[u64]) -> Result<u64, Unfit> {
        pack_score((words[0] ^ 1 << 63) as i64, C::BITS).ok_or(Unfit::Score)
    }
}

/// Nimbers in cells of `C`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NimberIn<C>(std::marker::PhantomData<C>);

impl<C: Cell> Rule for NimberIn<C> {
    type Cell = C;
    const SCORED: bool = false;
    const READING: Reading = Reading::Nimber;

    /// One bit a nimber: that of a position with n options is at most n, so larger ones need no mark.
    #[inline(always)]
    fn words(options: usize) -> usize {
        options / 64 + 1
    }
    #[inline(always)]
    fn is_settled(cell: u64) -> bool {
        cell > OPEN
    }
    #[inline(always)]
    fn end(_: i64) -> Result<u64, Unfit> {
        Ok(OPEN + 1)
    }
    #[inline(always)]
    fn fold(words: &mut [u64], option: u64, _: bool, _: i64) -> Result<(), Unfit> {
        mark(words, option - 2);
        Ok(())
    }
    #[inline(always)]
    fn finish(words: &[u64]) -> Result<u64, Unfit> {
        let cell = least_unmarked(words) + 2;
        if C::BITS < 64 && cell >> C::BITS != 0 { Err(Unfit::Count) } else { Ok(cell) }
    }
}

/// Outcome, remoteness and nimber together in cells of `C`, so that one look-up finds them: half the bits each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BothIn<C>(std::marker::PhantomData<C>);

macro_rules! both_rule {
    ($($unsigned:ty, $half:ty, $bits:literal);*) => {
        $(impl Rule for BothIn<$unsigned> {
            type Cell = $unsigned;
            const SCORED: bool = false;
            const READING: Reading = Reading::Both($bits);

            #[inline(always)]
            fn words(options: usize) -> usize {
                2 + options / 64
            }
            #[inline(always)]
            fn is_settled(cell: u64) -> bool {
                cell > OPEN
            }
            #[inline(always)]
            fn end(gain: i64) -> Result<u64, Unfit> {
                Ok(Ordered::<$bits>::end(gain))
            }
            #[inline(always)]
            fn fold(words: &mut [u64], option: u64, same: bool, gain: i64) -> Result<(), Unfit> {
                mark(&mut words[1..], option >> $bits);
                OutcomeIn::<$half>::fold(words, option & u64::from(<$half>::MAX), same, gain)
            }
            #[inline(always)]
            fn finish(words: &[u64]) -> Result<u64, Unfit> {
                let nimber = least_unmarked(&words[1..]);
                if nimber > u64::from(<$half>::MAX) {
                    return Err(Unfit::Count);
                }
                Ok(OutcomeIn::<$half>::finish(words)? | nimber << $bits)
            }
        })*
    };
}

both_rule!(u32, u16, 16; u64, u32, 32);

/// Runs `$body` with `$rule` as the narrowest rule for hash tables that a kind allows. There are fewer than for tables of all
/// codes: a key takes more than a cell, and each rule is compiled for every form of line. Games that last longer than 62 moves,
/// nimbers of more than 250 and scores beyond 32,000 are hashed rarely.
macro_rules! with_hashed_rule {
    ($kind:expr, $rule:ident => $body:expr) => {{
        use $crate::codes::kind::{BothIn, Kind, NimberIn, OutcomeIn, ScoreIn};
        let below = |known: Option<u64>, limit: u64| known.is_some_and(|known| known < limit);
        match $kind {
            Kind::Outcome { longest } if below(longest, (1 << 6) - 1) => {
                type $rule = OutcomeIn<u8>;
                $body
            }
            Kind::Outcome { .. } => {
                type $rule = OutcomeIn<u32>;
                $body
            }
            Kind::Score { bound } if below(bound, (1 << 7) - 1) => {
                type $rule = ScoreIn<u8>;
                $body
            }
            Kind::Score { bound } if below(bound, (1 << 15) - 1) => {
                type $rule = ScoreIn<u16>;
                $body
            }
            Kind::Score { .. } => {
                type $rule = ScoreIn<u64>;
                $body
            }
            Kind::Nimber { options } if below(options, (1 << 8) - 2) => {
                type $rule = NimberIn<u8>;
                $body
            }
            Kind::Nimber { .. } => {
                type $rule = NimberIn<u32>;
                $body
            }
            Kind::OutcomeAndNimber { longest, options }
                if below(longest, (1 << 14) - 1) && below(options, (1 << 16) - 1) =>
            {
                type $rule = BothIn<u32>;
                $body
            }
            Kind::OutcomeAndNimber { .. } => {
                type $rule = BothIn<u64>;
                $body
            }
        }
    }};
}
pub(crate) use with_hashed_rule;

/// Runs `$body` with `$rule` as the narrowest rule that a kind allows: those for hash tables, and some of a width between.
macro_rules! with_rule {
    ($kind:expr, $rule:ident => $body:expr) => {{
        use $crate::codes::kind::{Kind, NimberIn, OutcomeIn, ScoreIn};
        let within = |known: Option<u64>, low: u64, limit: u64| known.is_some_and(|known| (low..limit).contains(&known));
        match $kind {
            Kind::Outcome { longest } if within(longest, (1 << 6) - 1, (1 << 14) - 1) => {
                type $rule = OutcomeIn<u16>;
                $body
            }
            Kind::Score { bound } if within(bound, (1 << 15) - 1, (1 << 31) - 1) => {
                type $rule = ScoreIn<u32>;
                $body
            }
            Kind::Nimber { options } if within(options, (1 << 8) - 2, (1 << 16) - 2) => {
                type $rule = NimberIn<u16>;
                $body
            }
            kind => $crate::codes::kind::with_hashed_rule!(kind, $rule => $body),
        }
    }};
}
pub(crate) use with_rule;

impl Kind {
    /// Bytes that a code takes in a table of all codes.
    pub fn bytes(self) -> u64 {
        with_rule!(self, Chosen => size_of::<<Chosen as Rule>::Cell>() as u64)
    }
}
