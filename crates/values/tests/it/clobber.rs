//! Clobber: all-small values, where stops say nothing. Harness and times.

use values::parts::{Options, Parts, Solver};
use values::{Arena, Result, Side, Value};

use crate::board::{cornered, mirrored, parts, transposed};
use crate::domineering::processor_time;

/// Clobber: Left's stones, Right's stones.
pub struct Clobber;

pub type Stones = (u64, u64);

/// The least of the orientations and of the two ways to colour it, and whether the colours are swapped.
fn oriented((left, right): Stones) -> (Stones, bool) {
    let mut best = ((u64::MAX, u64::MAX), false);
    for turned in [false, true] {
        let turn = |board: u64| if turned { transposed(board) } else { board };
        for flips in 0..4 {
            let flip = |board: u64| {
                let board = if flips & 1 == 0 { board } else { mirrored(board) };
                if flips & 2 == 0 { board } else { board.swap_bytes() }
            };
            let (left, right) = (flip(turn(left)), flip(turn(right)));
            let all = left | right;
            let corner = cornered(all);
            // Both are moved as the whole is.
            let shift = all.trailing_zeros() - corner.trailing_zeros();
            let (left, right) = (left >> shift, right >> shift);
            best = best.min(((left, right), false)).min(((right, left), true));
        }
    }
    best
}

/// Calls back with each connected part in which both have stones.
pub fn pieces((left, right): Stones, mut each: impl FnMut(Stones)) {
    parts(left | right, |part| {
        if left & part != 0 && right & part != 0 {
            each((left & part, right & part));
        }
    });
}

impl Parts for Clobber {
    type Part = Stones;

    fn options(&mut self, &(left, right): &Stones, side: Side, options: &mut Options<Stones>) -> Result<()> {
        let (own, other) = if side == Side::Left { (left, right) } else { (right, left) };
        let mut stones = own;
        while stones != 0 {
            let from = stones & stones.wrapping_neg();
            stones ^= from;
            let sideways = (from << 1 & !0x0101_0101_0101_0101) | (from >> 1 & !0x8080_8080_8080_8080);
            let mut targets = (sideways | from << 8 | from >> 8) & other;
            while targets != 0 {
                let to = targets & targets.wrapping_neg();
                targets ^= to;
                let (own, other) = (own ^ from | to, other ^ to);
                options.begin();
                pieces(if side == Side::Left { (own, other) } else { (other, own) }, |piece| {
                    let (piece, swapped) = oriented(piece);
                    options.add(piece, swapped);
                });
            }
        }
        Ok(())
    }
}

/// A board of alternating stones, Left's in the corner.
fn full(rows: u32, columns: u32) -> Stones {
    let mut stones = (0, 0);
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let square = 1 << (8 * row + column);
        if (row + column) % 2 == 0 { stones.0 |= square } else { stones.1 |= square }
    }
    stones
}

/// The value of a part.
pub fn value(solver: &mut Solver<Clobber>, arena: &mut Arena, stones: Stones) -> Result<Value> {
    let (stones, swapped) = oriented(stones);
    let value = solver.value(arena, &stones)?;
    if swapped { arena.negative(value) } else { Ok(value) }
}

/// Rows of Clobber (Albert, Grossman, Nowakowski, Wolfe, An introduction to Clobber, 2005).
#[test]
fn rows_of_the_literature() {
    let (mut solver, mut arena) = (Solver::new(Clobber), Arena::default());
    let mut check = |row: &str, name: &str| {
        let mut stones = (0, 0);
        for (at, stone) in row.chars().enumerate() {
            if stone == 'x' { stones.0 |= 1 << at } else { stones.1 |= 1 << at }
        }
        let value = value(&mut solver, &mut arena, stones).unwrap();
        assert_eq!(arena.name(value, 1000).unwrap(), name, "{row}");
        assert!(arena.is_all_small(value).unwrap());
    };
    check("xo", "*");
    check("xxo", "^");
    check("xoo", "v");
    check("xoxo", "±(*,^)");
}

#[test]
#[ignore = "prints times: cargo test --release -p perfectplay-values clobber_times -- --ignored --nocapture"]
fn clobber_times() {
    for (rows, columns) in [(3, 3), (3, 4), (4, 4), (3, 5)] {
        let begin = std::time::Instant::now();
        let before = processor_time(begin);
        let (mut solver, mut arena) = (Solver::new(Clobber), Arena::default());
        let found = value(&mut solver, &mut arena, full(rows, columns));
        let time = processor_time(begin) - before;
        println!("{rows}x{columns}: {time:.4} s, {} parts, {:?}", solver.len(), arena.statistics());
        let value = found.unwrap();
        println!("    {:?}, birthday {}", arena.name(value, 200), arena.birthday(value).unwrap());
    }
}
