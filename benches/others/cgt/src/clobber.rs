//! Clobber on boards of at most 8 by 8 squares, two masks of stones.

use cgt::short::partizan::partizan_game::PartizanGame;

/// Stones by colour, Left's first; square `8 · row + column`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Clobber {
    stones: [u64; 2],
}

const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
const LAST_COLUMN: u64 = FIRST_COLUMN << 7;

/// The squares beside some squares.
fn beside(squares: u64) -> u64 {
    squares << 8 | squares >> 8 | (squares & !LAST_COLUMN) << 1 | (squares & !FIRST_COLUMN) >> 1
}

impl Clobber {
    /// A board full of stones, Left's in the corner.
    pub fn chequered(rows: u8, columns: u8) -> Clobber {
        let mut stones = [0; 2];
        for row in 0..rows {
            for column in 0..columns {
                stones[usize::from((row + column) % 2)] |= 1 << (8 * row + column);
            }
        }
        Clobber { stones }
    }

    fn cornered(self) -> Clobber {
        let all = self.stones[0] | self.stones[1];
        if all == 0 {
            return self;
        }
        let rows = all.trailing_zeros() / 8 * 8;
        let columns = (0..8).find(|&column| all & FIRST_COLUMN << column != 0).unwrap_or(0);
        Clobber { stones: self.stones.map(|stones| stones >> (rows + columns)) }
    }

    fn moves(&self, mover: usize) -> Vec<Clobber> {
        let mut moves = Vec::new();
        let mut own = self.stones[mover];
        while own != 0 {
            let from = own & own.wrapping_neg();
            own ^= from;
            let mut targets = beside(from) & self.stones[1 - mover];
            while targets != 0 {
                let to = targets & targets.wrapping_neg();
                targets ^= to;
                let mut stones = self.stones;
                stones[mover] ^= from | to;
                stones[1 - mover] ^= to;
                moves.push(Clobber { stones }.cornered());
            }
        }
        moves.sort_unstable();
        moves.dedup();
        moves
    }
}

impl PartizanGame for Clobber {
    fn left_moves(&self) -> Vec<Self> {
        self.moves(0)
    }

    fn right_moves(&self) -> Vec<Self> {
        self.moves(1)
    }

    fn decompositions(&self) -> Vec<Self> {
        let mut left = self.stones[0] | self.stones[1];
        let mut parts = Vec::new();
        while left != 0 {
            let mut part = left & left.wrapping_neg();
            loop {
                let grown = part | beside(part) & left;
                if grown == part {
                    break;
                }
                part = grown;
            }
            left &= !part;
            if part.count_ones() > 1 {
                parts.push(Clobber { stones: self.stones.map(|stones| stones & part) }.cornered());
            }
        }
        parts
    }
}
