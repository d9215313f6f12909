//! The lines that a player's marks complete, by shape.
//!
//! Lines of one shape lie shifted on the board: one look finds all of them, by shifting the marks. Four shapes lie side by side,
//! so that a machine with wide registers looks for all four at once.

use crate::cube::Cube;
use crate::ends::EndCube;
use crate::layout::Layout;

/// No line has more squares.
const MOST_SQUARES: usize = 16;
/// So many shapes lie side by side.
const LANES: usize = 4;

/// One word for each of the shapes side by side.
type Lanes = [u64; LANES];

/// Combines two words in each lane.
#[inline(always)]
fn each(a: Lanes, b: Lanes, of: impl Fn(u64, u64) -> u64) -> Lanes {
    std::array::from_fn(|lane| of(a[lane], b[lane]))
}

/// Lines that are shifts of one another.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Shape {
    /// How far the squares lie from the first one, ascending; the first is 0.
    steps: [u64; MOST_SQUARES],
    squares: usize,
    /// The first squares of all lines.
    firsts: u64,
}

/// Shapes of equally many squares side by side. A lane without a shape has no lines.
#[derive(Clone, Debug)]
struct Quad {
    squares: usize,
    steps: [Lanes; MOST_SQUARES],
    firsts: Lanes,
}

impl Quad {
    fn new(shapes: &[Shape]) -> Quad {
        let mut quad = Quad { squares: shapes[0].squares, steps: [[0; LANES]; MOST_SQUARES], firsts: [0; LANES] };
        for (lane, shape) in shapes.iter().enumerate() {
            quad.firsts[lane] = shape.firsts;
            quad.steps.iter_mut().zip(&shape.steps).for_each(|(steps, step)| steps[lane] = *step);
        }
        quad
    }

    /// The squares where a mark completes a line.
    #[inline(always)]
    fn completing(&self, marks: u64) -> u64 {
        match self.squares {
            3 => self.of::<3>(marks),
            4 => self.of::<4>(marks),
            5 => self.of::<5>(marks),
            6 => self.of::<6>(marks),
            _ => self.of_any(marks),
        }
    }

    /// The squares where a mark completes a line of `SQUARES` squares; the loop over them is unrolled.
    #[inline(always)]
    fn of<const SQUARES: usize>(&self, marks: u64) -> u64 {
        let steps: [Lanes; SQUARES] = std::array::from_fn(|at| self.steps[at]);
        let shifted = steps.map(|steps| steps.map(|step| marks >> (step & 63)));
        // The first squares of lines that are complete behind each square.
        let mut after = [self.firsts; SQUARES];
        for at in (1..SQUARES).rev() {
            after[at - 1] = each(after[at], shifted[at], |after, mark| after & mark);
        }
        let (mut before, mut found) = ([u64::MAX; LANES], [0; LANES]);
        for ((steps, shifted), after) in steps.into_iter().zip(shifted).zip(after) {
            let complete = each(before, after, |before, after| before & after);
            let here = each(complete, steps, |complete, step| complete << (step & 63));
            found = each(found, here, |found, here| found | here);
            before = each(before, shifted, |before, mark| before & mark);
        }
        found.iter().fold(0, |all, found| all | found)
    }

    /// [`Quad::of`] with one register for four lanes: a third of the instructions that the compiler makes of it.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    #[inline]
    fn of_wide<const SQUARES: usize>(&self, marks: u64) -> u64 {
        use core::arch::x86_64::{
            __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_and_si256, _mm256_castsi256_si128,
            _mm256_extracti128_si256, _mm256_or_si256, _mm256_set1_epi64x, _mm256_sllv_epi64, _mm256_srlv_epi64,
        };
        let marks = _mm256_set1_epi64x(marks as i64);
        let (mut steps, mut shifted, mut after) = ([marks; SQUARES], [marks; SQUARES], [load(&self.firsts); SQUARES]);
        // The first square lies 0 from itself.
        for at in 1..SQUARES {
            steps[at] = load(&self.steps[at]);
            shifted[at] = _mm256_srlv_epi64(marks, steps[at]);
        }
        for at in (1..SQUARES).rev() {
            after[at - 1] = _mm256_and_si256(after[at], shifted[at]);
        }
        let (mut before, mut found): (__m256i, __m256i) = (marks, after[0]);
        for at in 1..SQUARES {
            let complete = _mm256_and_si256(before, after[at]);
            found = _mm256_or_si256(found, _mm256_sllv_epi64(complete, steps[at]));
            before = _mm256_and_si256(before, shifted[at]);
        }
        let half = _mm_or_si128(_mm256_castsi256_si128(found), _mm256_extracti128_si256::<1>(found));
        _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64
    }

    fn of_any(&self, marks: u64) -> u64 {
        let mut found = 0;
        for (lane, firsts) in self.firsts.iter().enumerate() {
            let steps = || self.steps[..self.squares].iter().map(|steps| steps[lane]).enumerate();
            for (at, step) in steps() {
                let others = steps().filter(|other| other.0 != at);
                found |= others.fold(*firsts, |complete, other| complete & marks >> other.1) << step;
            }
        }
        found
    }
}

/// The lines that one player's marks complete.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    shapes: Vec<Shape>,
    quads: Vec<Quad>,
    /// Whether the machine has registers of four words.
    is_wide: bool,
}

impl Lines {
    /// The lines of a player's marks among the ends, and what they are worth to the player to move then. Lines of the other
    /// player's marks are complete at no position that is looked at, and stay so. `None` if there are other ends.
    pub fn new(ends: &[EndCube], own: u8, other: u8, layout: &Layout) -> Option<(Lines, i64)> {
        let is_of = |end: &EndCube, mark: u8| end.cube.parts.iter().all(|part| part.1 == mark);
        let value = ends.iter().find(|end| is_of(end, own))?.value;
        let mut shapes: Vec<Shape> = Vec::new();
        for end in ends {
            // What holds everywhere is no line of either player.
            if end.cube.parts.is_empty() {
                return None;
            }
            if is_of(end, other) {
                continue;
            }
            if !is_of(end, own) || end.value != value || end.cube.parts.len() > MOST_SQUARES {
                return None;
            }
            let squares = squares(&end.cube, layout);
            let first = *squares.first()?;
            let mut steps = [0; MOST_SQUARES];
            steps.iter_mut().zip(&squares).for_each(|(step, square)| *step = u64::from(square - first));
            match shapes.iter_mut().find(|shape| shape.steps == steps) {
                Some(shape) => shape.firsts |= 1 << first,
                None => shapes.push(Shape { steps, squares: squares.len(), firsts: 1 << first }),
            }
        }
        shapes.sort_by_key(|shape| shape.squares);
        let alike = shapes.chunk_by(|a, b| a.squares == b.squares);
        let quads = alike.flat_map(|shapes| shapes.chunks(LANES)).map(Quad::new).collect();
        Some((Lines { shapes, quads, is_wide: is_wide() }, value))
    }

    /// The squares where one more mark completes a line.
    #[inline]
    #[allow(unsafe_code)]
    pub fn completing(&self, marks: u64) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if self.is_wide {
            // SAFETY: the machine was asked whether it has these registers.
            return unsafe { self.completing_wide(marks) };
        }
        self.completing_in(marks)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn completing_wide(&self, marks: u64) -> u64 {
        let mut found = 0;
        for quad in &self.quads {
            found |= match quad.squares {
                3 => quad.of_wide::<3>(marks),
                4 => quad.of_wide::<4>(marks),
                5 => quad.of_wide::<5>(marks),
                6 => quad.of_wide::<6>(marks),
                _ => quad.of_any(marks),
            };
        }
        found
    }

    #[inline(always)]
    fn completing_in(&self, marks: u64) -> u64 {
        let mut found = 0;
        for quad in &self.quads {
            found |= quad.completing(marks);
        }
        found
    }

    /// Visits every square of every line.
    pub fn each_square(&self, visit: &mut dyn FnMut(u32)) {
        for shape in &self.shapes {
            for first in (0..64).filter(|first| shape.firsts >> first & 1 == 1) {
                shape.steps[..shape.squares].iter().for_each(|step| visit(first + *step as u32));
            }
        }
    }
}

/// Four words in one register.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
#[allow(unsafe_code)]
fn load(lanes: &Lanes) -> core::arch::x86_64::__m256i {
    // SAFETY: the four words are read where they lie; the instruction asks for no alignment.
    unsafe { core::arch::x86_64::_mm256_loadu_si256(lanes.as_ptr().cast()) }
}

/// Whether the machine has registers of four words.
fn is_wide() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// The squares of a line, ascending.
fn squares(line: &Cube, layout: &Layout) -> Vec<u32> {
    let mut squares: Vec<u32> = line.parts.iter().map(|part| layout.bits[part.0 as usize].1).collect();
    squares.sort_unstable();
    squares
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every line on its own.
    fn one_by_one(shapes: &[Shape], marks: u64) -> u64 {
        let mut found = 0;
        for shape in shapes {
            for first in (0..64).filter(|first| shape.firsts >> first & 1 == 1) {
                let line = shape.steps[..shape.squares].iter().fold(0u64, |line, step| line | 1 << (first + step));
                let missing = line & !marks;
                for square in (0..64).filter(|square| line >> square & 1 == 1) {
                    found |= u64::from(missing & !(1 << square) == 0) << square;
                }
            }
        }
        found
    }

    #[test]
    fn squares_that_complete_a_line_are_those_of_each_line() {
        let mut random = testkit::random::Random::new(11);
        for _ in 0..3000 {
            let mut shapes = Vec::new();
            for _ in 0..1 + random.below(7) {
                let (squares, mut steps, mut last) = (1 + random.below(8) as usize, [0; MOST_SQUARES], 0);
                for step in &mut steps[1..squares] {
                    last += 1 + random.below(8);
                    *step = last;
                }
                let firsts = random.next() & u64::MAX >> last;
                shapes.push(Shape { steps, squares, firsts });
            }
            shapes.sort_by_key(|shape| shape.squares);
            let alike = shapes.chunk_by(|a, b| a.squares == b.squares);
            let quads = alike.flat_map(|shapes| shapes.chunks(LANES)).map(Quad::new).collect();
            let mut lines = Lines { shapes, quads, is_wide: is_wide() };
            for _ in 0..8 {
                let marks = random.next() | random.next();
                let expected = one_by_one(&lines.shapes, marks);
                assert_eq!(lines.completing(marks), expected);
                lines.is_wide = false;
                assert_eq!(lines.completing(marks), expected);
                lines.is_wide = is_wide();
            }
        }
    }
}
