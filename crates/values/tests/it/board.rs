//! Domineering on boards of up to 8 × 8 squares, written by hand: the harness of the part solver.
//!
//! A board is 64 bits, eight a row. Left places dominoes vertically.

use values::parts::{Options, Parts};
use values::{Result, Side};

/// Domineering.
pub struct Domineering;

const NOT_LAST_COLUMN: u64 = 0x7f7f_7f7f_7f7f_7f7f;
const NOT_FIRST_COLUMN: u64 = 0xfefe_fefe_fefe_fefe;

/// All squares of a board.
pub fn empty(rows: u32, columns: u32) -> u64 {
    (0..rows).fold(0, |board, row| board | ((1 << columns) - 1) << (8 * row))
}

fn mirrored(board: u64) -> u64 {
    board.reverse_bits().swap_bytes()
}

fn transposed(mut x: u64) -> u64 {
    let t = (x ^ (x >> 7)) & 0x00AA_00AA_00AA_00AA;
    x ^= t ^ (t << 7);
    let t = (x ^ (x >> 14)) & 0x0000_CCCC_0000_CCCC;
    x ^= t ^ (t << 14);
    let t = (x ^ (x >> 28)) & 0x0000_0000_F0F0_F0F0;
    x ^ t ^ (t << 28)
}

fn cornered(board: u64) -> u64 {
    let board = board >> (board.trailing_zeros() & !7);
    let columns = board | board >> 32;
    let columns = columns | columns >> 16;
    let columns = (columns | columns >> 8) & 255;
    board >> columns.trailing_zeros()
}

/// The least of the eight orientations, and whether it has the players swapped.
pub fn oriented(board: u64) -> (u64, bool) {
    let flips = |board: u64| {
        let mirror = mirrored(board);
        let least = cornered(board).min(cornered(mirror));
        least.min(cornered(board.swap_bytes())).min(cornered(mirror.swap_bytes()))
    };
    let (own, swapped) = (flips(board), flips(transposed(board)));
    if swapped < own { (swapped, true) } else { (own, false) }
}

/// Calls back with each connected part of at least two squares.
pub fn parts(mut board: u64, mut each: impl FnMut(u64)) {
    while board != 0 {
        let mut part = board & board.wrapping_neg();
        loop {
            let sideways = (part << 1 & NOT_FIRST_COLUMN) | (part >> 1 & NOT_LAST_COLUMN);
            let grown = (part | sideways | part << 8 | part >> 8) & board;
            if grown == part {
                break;
            }
            part = grown;
        }
        board ^= part;
        if part & (part - 1) != 0 {
            each(part);
        }
    }
}

impl Parts for Domineering {
    type Part = u64;

    fn options(&mut self, &board: &u64, side: Side, options: &mut Options<u64>) -> Result<()> {
        let (mut places, step) = match side {
            Side::Left => (board & board >> 8, 8),
            Side::Right => (board & (board >> 1) & NOT_LAST_COLUMN, 1),
        };
        while places != 0 {
            let square = places & places.wrapping_neg();
            places ^= square;
            options.begin();
            parts(board & !(square | square << step), |part| {
                let (part, negated) = oriented(part);
                options.add(part, negated);
            });
        }
        Ok(())
    }
}
