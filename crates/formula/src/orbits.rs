//! One dense code for each orbit of symmetric positions, at the speed of a few look-ups.
//!
//! An image changes each digit of a code by itself, wherever the digit goes: so what a digit adds to the code of the image is
//! known beforehand, and so is what a few neighbouring digits add together. A code is cut into such pieces; a table gives for each
//! value of a piece what it adds to the codes of *all* images, side by side, so that they are summed lane by lane. The least sum
//! stands for the orbit.
//!
//! ```text
//! code = high · (values of low) + low        image g of code = table[high][g] + table[low][g]
//! ```

use crate::group::products;
use crate::numbering::Numbering;
use crate::symmetry::Image;

/// Groups of more elements are not used whole.
const MOST: usize = 192;
/// Values of a piece: their lines lie in the second cache.
const PIECE: u64 = 1 << 10;
/// Bytes of all lines.
const MOST_BYTES: u64 = 1 << 26;
/// Lanes are summed so many at a time.
const LANES: usize = 8;

/// An image of digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Element {
    /// The old digit of each new one.
    from: Vec<u32>,
    /// For each new digit, its value by that of the old one.
    values: Vec<Vec<u32>>,
    exchanges: bool,
}

impl Element {
    fn identity(numbering: &Numbering) -> Element {
        let values = numbering.digits.iter().map(|digit| (0..digit.size as u32).collect()).collect();
        Element { from: (0..numbering.digits.len() as u32).collect(), values, exchanges: false }
    }

    /// The image over the digits of a numbering; `None` if it changes a cell that has no digit.
    fn of(image: &Image, numbering: &Numbering) -> Option<Element> {
        let mut element = Element::identity(numbering);
        let place = |cell: u32| numbering.digits.iter().position(|digit| digit.cell == cell);
        for cell in 0..image.from.len() {
            let from = image.from[cell];
            if from as usize == cell && image.values[cell].is_none() {
                continue;
            }
            let (new, old) = (place(cell as u32)?, place(from)?);
            let low = numbering.digits[new].low;
            element.from[new] = old as u32;
            for value in &mut element.values[new] {
                *value = u32::try_from(image.value(cell, low, low + i64::from(*value)) - low).ok()?;
            }
        }
        element.exchanges = image.exchanges;
        Some(element)
    }

    /// First this, then another.
    fn then(&self, next: &Element) -> Element {
        let from = next.from.iter().map(|&middle| self.from[middle as usize]).collect();
        let values = next.from.iter().zip(&next.values).map(|(&middle, values)| {
            self.values[middle as usize].iter().map(|&value| values[value as usize]).collect()
        });
        Element { from, values: values.collect(), exchanges: self.exchanges != next.exchanges }
    }
}

/// Some neighbouring digits of a code.
#[derive(Clone, Debug)]
struct Piece {
    /// How many values it has, and what divides by them where codes have 32 bits: `2^64 / values`, rounded up.
    values: u64,
    reciprocal: u64,
    /// For each value, what it adds to the image under each element.
    lines: Vec<u32>,
}

/// A group of symmetries over dense codes.
#[derive(Clone, Debug)]
pub struct Orbits {
    /// The lowest digits first.
    pieces: Vec<Piece>,
    /// How many elements there are, the identity included, and how many lanes these take.
    order: usize,
    lanes: usize,
}

impl Orbits {
    /// The group that images generate. If it is too large, those of the first images that generate a smaller one. `None` if no
    /// two codes are symmetric, or codes have more than 32 bits.
    pub fn generated(numbering: &Numbering, players: usize, images: &[Image]) -> Option<Orbits> {
        if numbering.size > u64::from(u32::MAX)
            || numbering.digits.iter().any(|digit| !(2..=1 << 12).contains(&digit.size))
        {
            return None;
        }
        let mut elements = vec![Element::identity(numbering)];
        let mut generators = Vec::new();
        for image in images {
            let Some(element) = Element::of(image, numbering) else { continue };
            generators.push(element);
            match products(Element::identity(numbering), &generators, MOST, Element::then) {
                Some(larger) => elements = larger,
                None => _ = generators.pop(),
            }
        }
        let lanes = elements.len().next_multiple_of(LANES);
        if elements.len() == 1 || (lanes as u64 * 4 * PIECE) > MOST_BYTES {
            return None;
        }
        let pieces = pieces(numbering, players, &elements, lanes)?;
        Some(Orbits { pieces, order: elements.len(), lanes })
    }

    /// How many elements the group has: no orbit is larger.
    pub fn order(&self) -> usize {
        self.order
    }

    /// The code that stands for the orbit of a code.
    #[inline]
    pub fn canonical(&self, code: u64) -> u64 {
        match self.lanes {
            8 => self.least::<8>(code),
            16 => self.least::<16>(code),
            _ => self.least_of_many(code),
        }
    }

    /// The line of a piece, and the rest of the code.
    #[inline(always)]
    fn line<'p>(&self, piece: &'p Piece, code: &mut u64) -> &'p [u32] {
        let rest = ((u128::from(*code) * u128::from(piece.reciprocal)) >> 64) as u64;
        let value = *code - rest * piece.values;
        *code = rest;
        &piece.lines[value as usize * self.lanes..][..self.lanes]
    }

    #[inline(always)]
    fn least<const N: usize>(&self, code: u64) -> u64 {
        let mut rest = code;
        let mut sums = [0u32; N];
        for piece in &self.pieces {
            let line = self.line(piece, &mut rest);
            sums.iter_mut().zip(line).for_each(|(sum, add)| *sum = sum.wrapping_add(*add));
        }
        u64::from(sums.into_iter().fold(u32::MAX, u32::min))
    }

    fn least_of_many(&self, code: u64) -> u64 {
        let mut rest = code;
        let mut sums = [0u32; MOST];
        for piece in &self.pieces {
            let line = self.line(piece, &mut rest);
            sums[..line.len()].iter_mut().zip(line).for_each(|(sum, add)| *sum = sum.wrapping_add(*add));
        }
        u64::from(sums[..self.lanes].iter().copied().fold(u32::MAX, u32::min))
    }
}

/// A digit as pieces see it: how many values, and what each adds under each element.
struct Column {
    size: u64,
    adds: Vec<Vec<u32>>,
}

/// Cuts codes into pieces.
fn pieces(numbering: &Numbering, players: usize, elements: &[Element], lanes: usize) -> Option<Vec<Piece>> {
    // Lanes that no element needs repeat the identity.
    let padded = |lane: usize| elements.get(lane).unwrap_or(&elements[0]);
    let mut columns: Vec<(u64, Column)> = Vec::new();
    for (old, digit) in numbering.digits.iter().enumerate() {
        let add = |value: u64, element: &Element| {
            let new = element.from.iter().position(|from| *from as usize == old)?;
            Some((u64::from(*element.values[new].get(value as usize)?) * numbering.digits[new].stride) as u32)
        };
        let line = |value: u64| (0..lanes).map(|lane| add(value, padded(lane))).collect::<Option<Vec<u32>>>();
        let adds = (0..digit.size).map(line).collect::<Option<Vec<_>>>()?;
        columns.push((digit.stride, Column { size: digit.size, adds }));
    }
    if let Some(stride) = numbering.turn {
        let add = |turn: u64, element: &Element| (if element.exchanges { 1 - turn } else { turn } * stride) as u32;
        let adds = (0..players as u64).map(|turn| (0..lanes).map(|lane| add(turn, padded(lane))).collect()).collect();
        columns.push((stride, Column { size: players as u64, adds }));
    }
    columns.sort_by_key(|(stride, _)| *stride);
    // Dense codes have no gaps between digits.
    let mut expected = 1;
    for (stride, column) in &columns {
        if *stride != expected {
            return None;
        }
        expected *= column.size;
    }
    let mut pieces = Vec::new();
    let mut rest = columns.into_iter().map(|(_, column)| column).peekable();
    while let Some(first) = rest.next() {
        let (mut values, mut lines) = (first.size, first.adds);
        while let Some(next) = rest.next_if(|next| values * next.size <= PIECE) {
            let sum =
                |(high, low): (&Vec<u32>, &Vec<u32>)| high.iter().zip(low).map(|(a, b)| a.wrapping_add(*b)).collect();
            lines = next.adds.iter().flat_map(|high| lines.iter().map(move |low| (high, low))).map(sum).collect();
            values *= next.size;
        }
        let lines = lines.into_iter().flatten().collect();
        pieces.push(Piece { values, reciprocal: reciprocal(values), lines });
    }
    Some(pieces)
}

/// What divides numbers of 32 bits by another: the high half of a product with it is the quotient.
fn reciprocal(divisor: u64) -> u64 {
    // It does not divide by 1. A digit has two values at least.
    (u64::MAX / divisor).wrapping_add(1)
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashSet;

    use super::*;
    use crate::numbering::Digit;
    use std::sync::Arc;

    fn numbering(cells: u32, size: u64, turn: bool) -> Numbering {
        let first = if turn { 2 } else { 1 };
        let digit = |cell: u32| Digit { cell, low: 1, size, stride: first * size.pow(cells - 1 - cell) };
        let digits = (0..cells).map(digit).collect();
        Numbering { digits, turn: turn.then_some(1), size: first * size.pow(cells) }
    }

    #[test]
    fn boards_have_as_many_orbits_as_burnside_counts() {
        let numbering = numbering(9, 3, false);
        let turn = Image::of_cells((0..9).map(|i| (i % 3) * 3 + 2 - i / 3).collect());
        let mirror = Image::of_cells((0..9).map(|i| i / 3 * 3 + 2 - i % 3).collect());
        let orbits = Orbits::generated(&numbering, 2, &[turn, mirror]).unwrap();
        assert_eq!(orbits.order(), 8);
        let all: FxHashSet<u64> = (0..numbering.size).map(|code| orbits.canonical(code)).collect();
        assert_eq!(all.len(), 2862);
        assert!(all.iter().all(|code| orbits.canonical(*code) == *code));
    }

    #[test]
    fn players_and_marks_change_together() {
        let numbering = numbering(4, 3, true);
        let marks: Arc<[i64]> = Arc::from([1, 3, 2]);
        let image = Image { from: vec![0, 1, 2, 3], values: vec![Some(marks); 4], exchanges: true };
        let orbits = Orbits::generated(&numbering, 2, &[image]).unwrap();
        let here = numbering.code(&[1, 2, 3, 2], 1);
        let there = numbering.code(&[1, 3, 2, 3], 0);
        assert_eq!((orbits.canonical(here), orbits.canonical(there)), (here.min(there), here.min(there)));
        let all: FxHashSet<u64> = (0..numbering.size).map(|code| orbits.canonical(code)).collect();
        assert_eq!(all.len() as u64, numbering.size / 2);
    }

    #[test]
    fn quotients_are_exact() {
        for divisor in [2u64, 3, 7, 729, 1000, 1023, 1024] {
            for number in (0..1u64 << 32).step_by(9_999_991).chain([u64::from(u32::MAX), divisor - 1, divisor]) {
                let quotient = ((u128::from(number) * u128::from(reciprocal(divisor))) >> 64) as u64;
                assert_eq!(quotient, number / divisor, "{number} / {divisor}");
            }
        }
    }
}
