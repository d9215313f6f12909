//! The least number that is missing, in linear time.
//!
//! [`game::mex`] sorts; here a bitmap is marked. The mex of n numbers is at most n, so larger ones need no mark.

use game::Nimber;

/// Collects the nimbers of the options of a position.
#[derive(Clone, Debug, Default)]
pub struct Mex {
    marks: Vec<u64>,
}

impl Mex {
    /// Ready for a position with this many options.
    pub fn start(&mut self, options: usize) {
        self.marks.clear();
        self.marks.resize(options / 64 + 1, 0);
    }

    /// Marks the nimber of an option.
    #[inline]
    pub fn mark(&mut self, nimber: Nimber) {
        mark(&mut self.marks, nimber);
    }

    /// The least nimber that was not marked.
    pub fn finish(&self) -> Nimber {
        least_unmarked(&self.marks)
    }
}

/// Marks a nimber, one bit each, unless it is too large to matter.
#[inline(always)]
pub(crate) fn mark(words: &mut [u64], nimber: Nimber) {
    if let Some(word) = words.get_mut(nimber as usize / 64) {
        *word |= 1 << (nimber % 64);
    }
}

/// The least nimber that is not marked.
#[inline(always)]
pub(crate) fn least_unmarked(words: &[u64]) -> Nimber {
    for (index, word) in words.iter().enumerate() {
        if *word != u64::MAX {
            return index as Nimber * 64 + Nimber::from(word.trailing_ones());
        }
    }
    words.len() as Nimber * 64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_sorting() {
        let mut mex = Mex::default();
        for n in 0..200 {
            for gap in 0..=n {
                let mut values: Vec<Nimber> = (0..n).filter(|&v| v != gap).chain([n * 1000, 0]).collect();
                mex.start(values.len());
                values.iter().for_each(|&value| mex.mark(value));
                assert_eq!(mex.finish(), game::mex(&mut values));
            }
        }
    }
}
