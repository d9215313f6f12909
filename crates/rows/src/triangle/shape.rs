//! Where a cell lies: tiles, blocks, steps, strips.
//!
//! The cell of the interval i..j is in row i and column j − 1. A *tile* is a square of cells. A *block* is a few
//! adjacent rows of tiles, as many as there are lanes. Its *step* d is the tiles (I, I + d), one for each lane. Blocks
//! are computed, and stored, from the bottom of the triangle to the top; a block needs only the one before it.
//!
//! ```text
//!  I\J 0 1 2 3 4 5       two lanes: the top block is rows 0 and 1,
//!   0  0 1 2 3 4 5       and the figures are its steps. In step 5
//!   1    0 1 2 3 4 (5)   the second lane is beyond the end.
//!   2      0 1 2 3
//!   3        0 1 2 (3)
//! ```
//!
//! In a tile, eight columns are a *strip*. A step is stored strip by strip: its rows from top to bottom, the columns of
//! the strip, the lanes. If bits are kept, a row of a strip is one word, with columns and lanes in the same order.

/// Columns of a strip: as many as stay in registers.
pub(super) const STRIP: usize = 8;

/// The geometry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// Items.
    pub len: usize,
    /// Rows, and columns, of a tile: a multiple of 16.
    pub tile: usize,
    /// Lanes.
    pub lanes: usize,
}

/// A cell in storage.
pub(super) struct Place {
    pub step: usize,
    pub lane: usize,
    pub row: usize,
    pub column: usize,
}

impl Shape {
    /// Tiles along one side.
    pub fn tiles(self) -> usize {
        self.len.div_ceil(self.tile).max(1)
    }

    /// Blocks.
    pub fn blocks(self) -> usize {
        self.tiles().div_ceil(self.lanes)
    }

    /// Steps of a block.
    pub fn steps(self, block: usize) -> usize {
        self.tiles() - block * self.lanes
    }

    /// Steps of all blocks below this one, which are stored first.
    pub fn steps_below(self, block: usize) -> usize {
        let below = self.blocks() - 1 - block;
        // Steps grow by `lanes` from one block to the next, starting with those of the lowest.
        below * self.steps(self.blocks() - 1) + self.lanes * (below * below.saturating_sub(1) / 2)
    }

    /// Steps of all blocks.
    pub fn all_steps(self) -> usize {
        self.steps_below(0) + self.steps(0)
    }

    /// Cells that are stored for a step.
    pub fn step_cells(self) -> usize {
        self.tile * self.tile
    }

    /// The place of the interval i..j, i < j ≤ len.
    pub fn place(self, i: usize, j: usize) -> Place {
        let (row, column) = (i / self.tile, (j - 1) / self.tile);
        let block = row / self.lanes;
        Place {
            step: self.steps_below(block) + (column - row),
            lane: row % self.lanes,
            row: i % self.tile,
            column: (j - 1) % self.tile,
        }
    }

    /// The intervals that a step computes.
    pub fn intervals(self, block: usize, step: usize) -> u64 {
        let rows = |tile: usize| self.len.saturating_sub(tile * self.tile).min(self.tile) as u64;
        let first = block * self.lanes;
        (first..first + self.lanes)
            .map(|tile| if step == 0 { rows(tile) * (rows(tile) + 1) / 2 } else { rows(tile) * rows(tile + step) })
            .sum()
    }
}

impl Place {
    /// The index of the cell among those of all steps.
    pub fn cell(&self, shape: Shape) -> usize {
        self.step * shape.step_cells() + self.within(shape)
    }

    /// The index of the cell among those of its step.
    pub fn within(&self, shape: Shape) -> usize {
        (self.column / STRIP * shape.tile + self.row) * STRIP + self.column % STRIP
    }

    /// The index of the word that has the cell's bit, and the bit.
    pub fn bit(&self, shape: Shape) -> (usize, usize) {
        let strips = self.step * (shape.tile / STRIP) + self.column / STRIP;
        (strips * shape.tile + self.row, self.column % STRIP * shape.lanes + self.lane)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_below_is_their_sum() {
        for lanes in [1, 4, 16] {
            for len in [0, 1, 15, 16, 17, 100, 1000] {
                let shape = Shape { len, tile: 16, lanes };
                for block in 0..shape.blocks() {
                    let sum: usize = (block + 1..shape.blocks()).map(|block| shape.steps(block)).sum();
                    assert_eq!(shape.steps_below(block), sum);
                }
            }
        }
    }

    #[test]
    fn every_interval_is_counted() {
        for lanes in [1, 4, 16] {
            for len in [0, 1, 15, 16, 17, 100, 333] {
                let shape = Shape { len, tile: 16, lanes };
                let steps = |block| (0..shape.steps(block)).map(move |step| shape.intervals(block, step));
                let all: u64 = (0..shape.blocks()).flat_map(steps).sum();
                assert_eq!(all, (len * (len + 1) / 2) as u64);
            }
        }
    }
}
