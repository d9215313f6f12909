//! Motions of a board: shifts, turns and the exchange of the players that map the list of moves onto itself.
//!
//! A part that lies elsewhere, or the other way round, has the same value, or the negative one where the players are
//! exchanged. That is true only if the moves there are the same. So each motion is tried on the list of moves.

use std::collections::{BTreeMap, BTreeSet};

use crate::local::{Grid, LocalGame, LocalMove};

/// A turn of the board, after which values may have other names and the players other roles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Rows become columns, first of all.
    pub transpose: bool,
    /// The first row becomes the last.
    pub flip_rows: bool,
    /// The first column becomes the last.
    pub flip_columns: bool,
    /// The players change roles.
    pub exchange: bool,
    /// The new value for each old one.
    pub values: Vec<u8>,
}

impl Turn {
    /// Where a cell comes to lie on this grid; `None` if that is outside.
    pub fn cell(&self, grid: Grid, cell: usize) -> Option<usize> {
        let (row, column) = (cell / grid.columns, cell % grid.columns);
        let (row, column) = if self.transpose { (column, row) } else { (row, column) };
        if row >= grid.rows || column >= grid.columns {
            return None;
        }
        let row = if self.flip_rows { grid.rows - 1 - row } else { row };
        let column = if self.flip_columns { grid.columns - 1 - column } else { column };
        Some(row * grid.columns + column)
    }

    fn pairs(&self, grid: Grid, pairs: &[(u32, u8)]) -> Option<Vec<(u32, u8)>> {
        let turned = pairs
            .iter()
            .map(|&(cell, value)| Some((self.cell(grid, cell as usize)? as u32, self.values[usize::from(value)])));
        let mut turned = turned.collect::<Option<Vec<_>>>()?;
        turned.sort_unstable();
        Some(turned)
    }

    fn turned(&self, grid: Grid, mv: &LocalMove) -> Option<LocalMove> {
        let owner = if self.exchange { mv.owner.exchanged() } else { mv.owner };
        Some(LocalMove { owner, needs: self.pairs(grid, &mv.needs)?, writes: self.pairs(grid, &mv.writes)? })
    }
}

/// What may be done with a part without changing its value, but for its sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Motions {
    /// Parts may be shifted to other rows.
    pub shift_rows: bool,
    /// Parts may be shifted to other columns.
    pub shift_columns: bool,
    /// Turns, but for the one that does nothing.
    pub turns: Vec<Turn>,
    /// How many moves there are but for shifts: the fewer, the more parts are alike.
    pub shapes: usize,
}

impl Motions {
    /// The motions of a game.
    pub fn new(game: &LocalGame) -> Motions {
        Motions::watched(game, &|| false)
    }

    /// The motions of a game that are found before the search is stopped. All of them are true.
    pub fn watched(game: &LocalGame, stopped: &dyn Fn() -> bool) -> Motions {
        let ways = [(true, true), (true, false), (false, true)];
        let shift = ways.into_iter().find(|&shift| shifts_hold(game, shift)).unwrap_or((false, false));
        let shapes: BTreeSet<LocalMove> = game.moves.iter().map(|mv| cornered(mv, game.grid, shift)).collect();
        let mut turns: Vec<Turn> = Vec::new();
        let own: Vec<u8> = (0..game.values).collect();
        // One way to rename values is enough: so the turns are a group, and each part has one standard side.
        let mut renamed: Option<Vec<u8>> = None;
        for turn in candidates(game, shift) {
            if stopped() {
                break;
            }
            if turn.values != own && renamed.as_ref().is_some_and(|known| *known != turn.values) {
                continue;
            }
            let holds = shapes.iter().all(|mv| {
                // A shape that does not fit the other way round is never met there.
                turn.turned(game.grid, mv).is_none_or(|turned| shapes.contains(&cornered(&turned, game.grid, shift)))
            });
            if holds {
                renamed = renamed.or_else(|| Some(turn.values.clone()).filter(|values| *values != own));
                turns.push(turn);
            }
        }
        Motions { shift_rows: shift.0, shift_columns: shift.1, turns, shapes: shapes.len() }
    }
}

/// The least row and column of cells, and how many rows and columns they take.
fn place(grid: Grid, cells: impl Iterator<Item = u32> + Clone) -> (usize, usize, usize, usize) {
    let rows = cells.clone().map(|cell| cell as usize / grid.columns);
    let columns = cells.map(|cell| cell as usize % grid.columns);
    let (top, left) = (rows.clone().min().unwrap_or(0), columns.clone().min().unwrap_or(0));
    (top, left, rows.max().unwrap_or(0) + 1 - top, columns.max().unwrap_or(0) + 1 - left)
}

/// A move shifted to the first row and column, as far as shifts are allowed.
fn cornered(mv: &LocalMove, grid: Grid, (rows, columns): (bool, bool)) -> LocalMove {
    let (top, left, ..) = place(grid, mv.needs.iter().map(|need| need.0));
    let by = if rows { top * grid.columns } else { 0 } + if columns { left } else { 0 };
    let shifted = |pairs: &[(u32, u8)]| pairs.iter().map(|&(cell, value)| (cell - by as u32, value)).collect();
    LocalMove { owner: mv.owner, needs: shifted(&mv.needs), writes: shifted(&mv.writes) }
}

/// Whether every move is there wherever it fits.
fn shifts_hold(game: &LocalGame, shift: (bool, bool)) -> bool {
    let mut found: BTreeMap<LocalMove, usize> = BTreeMap::new();
    for mv in &game.moves {
        *found.entry(cornered(mv, game.grid, shift)).or_default() += 1;
    }
    found.iter().all(|(mv, &count)| {
        let (_, _, height, width) = place(game.grid, mv.needs.iter().map(|need| need.0));
        let rows = if shift.0 { game.grid.rows - height + 1 } else { 1 };
        let columns = if shift.1 { game.grid.columns - width + 1 } else { 1 };
        count == rows * columns
    })
}

/// The turns that are worth a try.
fn candidates(game: &LocalGame, shift: (bool, bool)) -> Vec<Turn> {
    let Grid { rows, columns } = game.grid;
    let square = rows == columns || shift == (true, true);
    let transposes: &[bool] =
        if square && rows > 1 && columns > 1 && shift.0 == shift.1 { &[false, true] } else { &[false] };
    let row_flips: &[bool] = if rows > 1 { &[false, true] } else { &[false] };
    let column_flips: &[bool] = if columns > 1 { &[false, true] } else { &[false] };
    let exchanges: &[bool] = if game.is_impartial() { &[false] } else { &[false, true] };
    let names = renamings(game.values);
    let mut turns = Vec::new();
    for &transpose in transposes {
        for &flip_rows in row_flips {
            for &flip_columns in column_flips {
                for &exchange in exchanges {
                    turns.extend(names.iter().map(|values| Turn {
                        transpose,
                        flip_rows,
                        flip_columns,
                        exchange,
                        values: values.clone(),
                    }));
                }
            }
        }
    }
    // The first one does nothing.
    turns.remove(0);
    turns
}

/// All values keep their names, or two of them change places.
fn renamings(values: u8) -> Vec<Vec<u8>> {
    let own: Vec<u8> = (0..values).collect();
    let mut all = vec![own.clone()];
    for a in 0..values.min(8) {
        for b in a + 1..values.min(8) {
            let mut renamed = own.clone();
            renamed.swap(usize::from(a), usize::from(b));
            all.push(renamed);
        }
    }
    all
}
