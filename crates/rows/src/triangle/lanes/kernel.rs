//! The program of a tile.
//!
//! In a strip, the numbers of the row below stay in registers while the rows are done from bottom to top: a cell is
//! computed from its old number, the one below, and the cell to its left. Odd and even cells alternate, so two rows
//! make a pattern. A few rows are done together, each one column behind the row below it: then no instruction waits for
//! the one before it. (64 bits, whose maximum takes two instructions, are twice as fast by that; with two rows instead
//! of four there are registers left for the bits.)
//!
//! If bits are kept, every cell says whether only its left neighbour gave its number, which means taking the last item.
//! The bits of all lanes become a number outside of the vectors, and a row of a strip becomes one word: the processor
//! has separate units for that work.

/// An unrolled loop, so that the compiler need not decide whether unrolling pays.
macro_rules! unrolled {
    ($index:ident in [$($number:literal)*] $body:block) => {
        $({
            let $index: usize = $number;
            $body
        })*
    };
}

/// Writes the kernels over the operations in scope: the type `Register`, and `zero`, `load`, `store`, `add`, `sub`, `max`,
/// `min`, `above`.
macro_rules! kernels {
    ($kind:ty $(, #[$feature:meta])?) => {
        use crate::triangle::lanes::kernel::unrolled;
        use crate::triangle::lanes::{Keep, Kind, Step};
        use crate::triangle::shape::STRIP;

        type Word = <$kind as Kind>::Word;
        const COUNT: usize = <$kind as Kind>::COUNT;
        const NOTHING: u8 = 0;
        const CELLS: u8 = 1;
        const BITS: u8 = 2;

        $(#[$feature])?
        fn square(step: &mut Step<'_, $kind>) {
            match step.keep {
                Keep::Nothing => strips::<NOTHING, 4>(step),
                Keep::Cells(_) => strips::<CELLS, 4>(step),
                Keep::Bits(_) => strips::<BITS, 2>(step),
            }
        }

        $(#[$feature])?
        fn strips<const KEEP: u8, const SKEW: usize>(step: &mut Step<'_, $kind>) {
            let tile = step.left.len();
            let delta = load(&step.left_delta);
            for left in step.left.iter_mut() {
                store(add(load(left), delta), left);
            }
            let delta = load(&step.below_delta);
            // What is kept is looked up before the work that fills it: if the compiler sees a branch before a use, it
            // saves the numbers for later.
            let (cells, words): (&mut [_], &mut [_]) = match &mut step.keep {
                Keep::Nothing => (&mut [], &mut []),
                Keep::Cells(cells) => (cells, &mut []),
                Keep::Bits(words) => (&mut [], words),
            };
            let (cells, words) = (cells.as_chunks_mut::<STRIP>().0.as_chunks_mut().0, words.as_chunks_mut().0);
            for (strip, below) in step.below.as_chunks_mut::<STRIP>().0.iter_mut().enumerate() {
                let mut column = [zero(); STRIP];
                let mut lasts = [zero(); STRIP];
                for c in 0..STRIP {
                    let [_, old @ ..] = &below[c];
                    column[c] = add(load(old), delta);
                    lasts[c] = load(window(step.last, (strip * STRIP + c) * step.stride));
                }
                let lefts = step.left.as_chunks_mut::<SKEW>().0;
                let firsts = step.first.as_chunks::<SKEW>().0;
                for (group, (lefts, firsts)) in lefts.iter_mut().zip(firsts).enumerate().rev() {
                    let at = strip * (tile / SKEW) + group;
                    let mut nowhere = [[<$kind as Kind>::LANE; STRIP]; SKEW];
                    let cells = if KEEP == CELLS { &mut cells[at] } else { &mut nowhere };
                    let mut bits = [0; SKEW];
                    let bits = if KEEP == BITS { &mut words[at] } else { &mut bits };
                    let mut word = [0; SKEW];
                    let mut left = [zero(); SKEW];
                    for row in 0..SKEW {
                        left[row] = load(&lefts[row]);
                    }
                    unrolled!(time in [0 1 2 3 4 5 6 7 8 9 10] {
                        for back in 0..SKEW {
                            let row = SKEW - 1 - back;
                            let c = time.wrapping_sub(back);
                            if c < STRIP {
                                let (mut first, mut last) = (column[c], left[row]);
                                let odd = (row + c) % 2 == 0;
                                if !odd {
                                    first = sub(first, load(&firsts[row]));
                                    last = sub(last, lasts[c]);
                                }
                                left[row] = if odd { max(first, last) } else { min(first, last) };
                                column[c] = left[row];
                                if KEEP == BITS {
                                    let bits = if odd { above(last, first) } else { above(first, last) };
                                    word[row] |= (bits as Word) << (c * COUNT);
                                }
                                if KEEP == CELLS {
                                    store(left[row], &mut cells[row][c]);
                                }
                            }
                        }
                    });
                    for row in 0..SKEW {
                        store(left[row], &mut lefts[row]);
                    }
                    *bits = word;
                }
                for c in 0..STRIP {
                    let [new @ .., _] = &mut below[c];
                    store(column[c], new);
                }
            }
        }

        /// Few tiles are on the diagonal, so this kernel is plain.
        $(#[$feature])?
        fn diagonal(step: &mut Step<'_, $kind>) {
            let tile = step.left.len();
            for row in (0..tile).rev() {
                let mut left = load(&step.left[row]);
                for c in row..tile {
                    let [cell @ .., _] = &mut step.below[c];
                    let (mut first, mut last) = (load(cell), left);
                    let odd = (row + c) % 2 == 0;
                    if !odd {
                        first = sub(first, load(&step.first[row]));
                        last = sub(last, load(window(step.last, c * step.stride)));
                    }
                    left = if odd { max(first, last) } else { min(first, last) };
                    store(left, cell);
                    match &mut step.keep {
                        Keep::Nothing => {}
                        Keep::Cells(cells) => {
                            store(left, &mut cells[(c / STRIP * tile + row) * STRIP + c % STRIP]);
                        }
                        Keep::Bits(words) => {
                            let bits = if odd { above(last, first) } else { above(first, last) };
                            words[c / STRIP * tile + row] |= (bits as Word) << (c % STRIP * COUNT);
                        }
                    }
                }
                store(left, &mut step.left[row]);
            }
        }

        #[inline(always)]
        fn window(numbers: &[<$kind as Kind>::Cell], at: usize) -> &[<$kind as Kind>::Cell; COUNT] {
            numbers[at..].first_chunk().expect("the list goes on for a block beyond the last tile")
        }
    };
}

pub(super) use {kernels, unrolled};
