//! A take-and-break game: a digit for every number of tokens taken, and a condition on the parts.
//!
//! The digits are those of octal and hexadecimal codes. The condition is our addition: it makes Grundy's game and its
//! kin (unequal parts, parts of some size, parts of some residue) games like all others, with one description.

use std::fmt;

/// The most digits of a code, and the most of its repeating group.
pub const MOST_DIGITS: usize = 1 << 12;

/// The numbers of heaps into which a move may split what it does not take: a hexadecimal digit.
///
/// Bit 0: into none, if nothing is left; bit 1: into one heap; bit 2: into two; bit 3: into three. No heap is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Digit(u8);

impl Digit {
    /// The digit that forbids every move.
    pub const ZERO: Digit = Digit(0);

    /// A digit from 0 to 15.
    pub fn new(bits: u8) -> Option<Digit> {
        (bits < 16).then_some(Digit(bits))
    }

    /// The digit as a number.
    pub fn bits(self) -> u8 {
        self.0
    }

    /// Whether a move may leave exactly this many heaps.
    pub fn leaves(self, heaps: usize) -> bool {
        heaps < 4 && self.0 >> heaps & 1 == 1
    }
}

/// Residues that the parts of a split may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Residues {
    /// From 1 to 64.
    pub modulus: u32,
    /// Bit `i` allows parts that are `i` modulo [`Residues::modulus`].
    pub allowed: u64,
}

/// Which splits into two or three parts are moves. Moves that leave one heap or none are not affected.
///
/// ```
/// use heaps::take_break::Split;
/// assert!(Split::UNEQUAL.allows(&[2, 5]));
/// assert!(!Split::UNEQUAL.allows(&[4, 1, 4]));
/// assert!(!Split { least: 3, ..Split::ANY }.allows(&[2, 5]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Split {
    /// The least size of a part; at least 1.
    pub least: u32,
    /// Any two parts differ at least by this; 1 makes them unequal.
    pub apart: u32,
    /// Any two parts differ at most by this.
    pub within: Option<u32>,
    /// The residues of all parts.
    pub residues: Option<Residues>,
}

impl Split {
    /// Any parts that are not empty, as in octal codes.
    pub const ANY: Split = Split { least: 1, apart: 0, within: None, residues: None };
    /// Parts that are all different, as in Grundy's game.
    pub const UNEQUAL: Split = Split { least: 1, apart: 1, within: None, residues: None };

    /// Whether a heap of this size may be a part at all.
    pub fn allows_part(&self, part: u64) -> bool {
        part >= u64::from(self.least)
            && self.residues.is_none_or(|residues| residues.allowed >> (part % u64::from(residues.modulus)) & 1 == 1)
    }

    /// Whether two allowed parts may occur together.
    pub fn allows_pair(&self, a: u64, b: u64) -> bool {
        let difference = a.abs_diff(b);
        difference >= u64::from(self.apart) && self.within.is_none_or(|within| difference <= u64::from(within))
    }

    /// Whether a heap may be split into these parts.
    pub fn allows(&self, parts: &[u64]) -> bool {
        parts.iter().all(|&part| self.allows_part(part))
            && parts.iter().enumerate().all(|(i, &a)| parts[..i].iter().all(|&b| self.allows_pair(a, b)))
    }

    /// Whether only the size of parts and the least difference are restricted. The fast method and the theorem on
    /// periods need that.
    pub fn is_simple(&self) -> bool {
        self.within.is_none() && self.residues.is_none()
    }

    fn check(&self) -> Result<(), GameError> {
        if self.least == 0 {
            return Err(GameError::EmptyPart);
        }
        match self.residues {
            Some(Residues { modulus, .. }) if !(1..=64).contains(&modulus) => Err(GameError::Modulus(modulus)),
            _ => Ok(()),
        }
    }
}

/// A take-and-break game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TakeAndBreak {
    digits: Vec<Digit>,
    repeat: Vec<Digit>,
    split: Split,
}

/// What is wrong with a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameError {
    /// The digit for taking nothing lets a heap stay as it is.
    Pass,
    /// More digits than [`MOST_DIGITS`].
    TooLong(usize),
    /// Parts of no tokens.
    EmptyPart,
    /// A modulus that is not from 1 to 64.
    Modulus(u32),
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameError::Pass => write!(f, "a move that takes nothing must split the heap: its digit is 0, 4, 8 or c"),
            GameError::TooLong(digits) => write!(f, "{digits} digits are too many, {MOST_DIGITS} is the limit"),
            GameError::EmptyPart => write!(f, "the parts of a split have at least one token"),
            GameError::Modulus(modulus) => write!(f, "the modulus {modulus} is not from 1 to 64"),
        }
    }
}

impl std::error::Error for GameError {}

impl TakeAndBreak {
    /// The game with `digits[t]` for taking `t` tokens, then the digits of `repeat` over and over.
    ///
    /// Zeros at the end and repetitions within the repeating group are removed, so that equal rules are equal values.
    pub fn new(mut digits: Vec<Digit>, mut repeat: Vec<Digit>, split: Split) -> Result<TakeAndBreak, GameError> {
        split.check()?;
        let longest = digits.len().max(repeat.len());
        if longest > MOST_DIGITS {
            return Err(GameError::TooLong(longest));
        }
        if digits.is_empty() {
            digits.push(Digit::ZERO);
        }
        if digits[0].leaves(0) || digits[0].leaves(1) {
            return Err(GameError::Pass);
        }
        let length = repeat.len();
        if let Some(shorter) =
            (1..length).find(|&d| length.is_multiple_of(d) && (d..length).all(|i| repeat[i] == repeat[i - d]))
        {
            repeat.truncate(shorter);
        }
        if repeat == [Digit::ZERO] {
            repeat.clear();
        }
        if repeat.is_empty() {
            while digits.len() > 1 && digits.last() == Some(&Digit::ZERO) {
                digits.pop();
            }
        } else {
            while digits.len() > 1 && digits.last() == repeat.last() {
                digits.pop();
                repeat.rotate_right(1);
            }
        }
        Ok(TakeAndBreak { digits, repeat, split })
    }

    /// Grundy's game: a move splits a heap into two unequal heaps.
    pub fn grundy() -> TakeAndBreak {
        TakeAndBreak { digits: vec![Digit(4)], repeat: Vec::new(), split: Split::UNEQUAL }
    }

    /// The game with another condition on the parts.
    pub fn with_split(self, split: Split) -> Result<TakeAndBreak, GameError> {
        split.check()?;
        Ok(TakeAndBreak { split, ..self })
    }

    /// The digit for taking `taken` tokens.
    pub fn digit(&self, taken: u64) -> Digit {
        let listed = self.digits.len() as u64;
        match (taken < listed, self.repeat.is_empty()) {
            (true, _) => self.digits[taken as usize],
            (false, true) => Digit::ZERO,
            (false, false) => self.repeat[((taken - listed) % self.repeat.len() as u64) as usize],
        }
    }

    /// The digits before the repeating group, the first for taking nothing. Never empty.
    pub fn digits(&self) -> &[Digit] {
        &self.digits
    }

    /// The digits that repeat for ever; empty in most games.
    pub fn repeat(&self) -> &[Digit] {
        &self.repeat
    }

    /// The condition on the parts.
    pub fn split(&self) -> &Split {
        &self.split
    }

    /// Whether there is a bound on the tokens that a move takes.
    pub fn is_finite(&self) -> bool {
        self.repeat.is_empty()
    }

    /// The most tokens that a move takes, in a finite game.
    pub fn most_taken(&self) -> Option<u64> {
        self.is_finite().then(|| self.digits.len() as u64 - 1)
    }

    /// The most heaps that a move leaves.
    pub fn most_heaps(&self) -> usize {
        let all = self.digits.iter().chain(&self.repeat).fold(0, |all, digit| all | digit.bits());
        all.checked_ilog2().unwrap_or(0) as usize
    }

    /// The listed numbers of tokens that can be taken so that this many heaps are left.
    pub(super) fn takes_leaving(&self, heaps: usize) -> Vec<usize> {
        (0..self.digits.len()).filter(|&taken| self.digits[taken].leaves(heaps)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digits(bits: &[u8]) -> Vec<Digit> {
        bits.iter().map(|&bits| Digit::new(bits).unwrap()).collect()
    }

    #[test]
    fn equal_rules_are_equal_values() {
        let game =
            |listed: &[u8], repeat: &[u8]| TakeAndBreak::new(digits(listed), digits(repeat), Split::ANY).unwrap();
        assert_eq!(game(&[0, 7, 0, 0], &[]), game(&[0, 7], &[0, 0]));
        assert_eq!(game(&[0], &[3, 3]), game(&[0, 3, 3], &[3]));
        assert_eq!(game(&[0, 1, 2], &[1, 2]), game(&[0], &[1, 2]));
        assert_eq!(game(&[0, 2], &[1, 2]), game(&[0], &[2, 1]));
        assert_eq!(game(&[], &[]).most_heaps(), 0);
        assert_eq!(game(&[4, 0], &[3]).most_heaps(), 2);
    }

    #[test]
    fn digits_beyond_the_list_repeat() {
        let game = TakeAndBreak::new(digits(&[4, 1]), digits(&[2, 3, 7]), Split::ANY).unwrap();
        let bits: Vec<u8> = (0..9).map(|taken| game.digit(taken).bits()).collect();
        assert_eq!(bits, [4, 1, 2, 3, 7, 2, 3, 7, 2]);
    }

    #[test]
    fn senseless_descriptions_are_refused() {
        assert_eq!(TakeAndBreak::new(digits(&[1]), vec![], Split::ANY), Err(GameError::Pass));
        let none = Split { least: 0, ..Split::ANY };
        assert_eq!(TakeAndBreak::grundy().with_split(none), Err(GameError::EmptyPart));
        let split = Split { residues: Some(Residues { modulus: 65, allowed: 1 }), ..Split::ANY };
        assert_eq!(TakeAndBreak::grundy().with_split(split), Err(GameError::Modulus(65)));
        let long = vec![Digit::ZERO; MOST_DIGITS + 1];
        assert_eq!(TakeAndBreak::new(long, vec![], Split::ANY), Err(GameError::TooLong(MOST_DIGITS + 1)));
    }
}
