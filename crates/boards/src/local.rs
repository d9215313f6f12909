//! A game of local moves: the description that everything here works from.

use std::collections::BTreeSet;

/// Who may make a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    /// The first player, Left.
    Left,
    /// The second player, Right.
    Right,
    /// Whoever is to move.
    Both,
}

impl Owner {
    /// The owner after the players have been exchanged.
    pub fn exchanged(self) -> Owner {
        match self {
            Owner::Left => Owner::Right,
            Owner::Right => Owner::Left,
            Owner::Both => Owner::Both,
        }
    }
}

/// One move: legal wherever each needed cell has its value. Cells and values are small numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalMove {
    /// Who may make it.
    pub owner: Owner,
    /// What it needs, by cell in ascending order, each cell once. Every cell that it writes is among them.
    pub needs: Vec<(u32, u8)>,
    /// What it writes, by cell in ascending order; only cells that change.
    pub writes: Vec<(u32, u8)>,
}

/// How cells lie: cell `row · columns + column`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// How many rows.
    pub rows: usize,
    /// How many columns.
    pub columns: usize,
}

impl Grid {
    /// How many cells.
    pub fn cells(self) -> usize {
        self.rows * self.columns
    }
}

/// A game whose last mover wins, given by its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalGame {
    /// How the cells lie.
    pub grid: Grid,
    /// Values are below this number.
    pub values: u8,
    /// All moves, sorted, each once.
    pub moves: Vec<LocalMove>,
}

impl LocalGame {
    /// A game on a row of `cells` cells. Moves that change nothing are an error: play would never end.
    pub fn new(cells: usize, values: u8, moves: Vec<LocalMove>) -> Result<LocalGame, String> {
        let mut sorted = BTreeSet::new();
        for mut mv in moves {
            mv.needs.sort_unstable();
            mv.writes.sort_unstable();
            let value_of = |cell: u32| mv.needs.iter().find(|need| need.0 == cell).map(|need| need.1);
            if mv.needs.windows(2).any(|pair| pair[0].0 == pair[1].0) {
                return Err("a move needs one cell twice".to_string());
            }
            if mv.writes.iter().any(|write| value_of(write.0).is_none()) {
                return Err("a move writes a cell that it does not look at".to_string());
            }
            let known = |&(cell, value): &(u32, u8)| (cell as usize) < cells && value < values;
            if !mv.needs.iter().chain(&mv.writes).all(known) {
                return Err("a move reaches outside the board".to_string());
            }
            mv.writes = mv.writes.iter().copied().filter(|write| value_of(write.0) != Some(write.1)).collect();
            if mv.writes.is_empty() {
                return Err("a move changes nothing".to_string());
            }
            sorted.insert(mv);
        }
        Ok(LocalGame { grid: Grid { rows: 1, columns: cells }, values, moves: sorted.into_iter().collect() })
    }

    /// Arranges the cells of the game as a grid.
    ///
    /// # Panics
    /// If the grid has another number of cells.
    pub fn on_grid(self, grid: Grid) -> LocalGame {
        assert_eq!(grid.cells(), self.grid.cells(), "a grid of all cells");
        LocalGame { grid, ..self }
    }

    /// Whether both players have the same moves.
    pub fn is_impartial(&self) -> bool {
        self.moves.iter().all(|mv| mv.owner == Owner::Both)
    }
}
