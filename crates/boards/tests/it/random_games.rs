//! Random games of local moves that end: every move makes the sum of all values larger.

use std::collections::HashMap;

use boards::{Grid, LocalGame, LocalMove, Owner};
use testkit::Random;

/// A random game on a small grid. Half of them have every move wherever it fits.
pub fn random_game(random: &mut Random, impartial: bool) -> LocalGame {
    let grid = *random.pick(&[(1, 5), (1, 7), (2, 3), (2, 4), (3, 3)]);
    let grid = Grid { rows: grid.0, columns: grid.1 };
    let values = 2 + random.below(2u8);
    let everywhere = random.one_in(2);
    let mut moves = Vec::new();
    for _ in 0..1 + random.below(if everywhere { 3 } else { 9 }) {
        let shape = shape(random, grid, values, impartial);
        if everywhere {
            moves.extend(placements(&shape, grid));
        } else {
            moves.push(shape);
        }
    }
    LocalGame::new(grid.cells(), values, moves).expect("moves that change something").on_grid(grid)
}

/// A move on neighbouring cells.
fn shape(random: &mut Random, grid: Grid, values: u8, impartial: bool) -> LocalMove {
    loop {
        let count = 1 + random.below(3usize);
        let (top, left) = (random.below(grid.rows), random.below(grid.columns));
        let mut cells: Vec<u32> = (0..count)
            .map(|_| {
                let (row, column) = (top + random.below(2usize), left + random.below(3usize));
                (row.min(grid.rows - 1) * grid.columns + column.min(grid.columns - 1)) as u32
            })
            .collect();
        cells.sort_unstable();
        cells.dedup();
        let needs: Vec<(u32, u8)> = cells.iter().map(|cell| (*cell, random.below(values))).collect();
        let writes: Vec<(u32, u8)> = cells.iter().map(|cell| (*cell, random.below(values))).collect();
        let sum = |pairs: &[(u32, u8)]| pairs.iter().map(|pair| u32::from(pair.1)).sum::<u32>();
        if sum(&writes) > sum(&needs) {
            let owner = if impartial { Owner::Both } else { *random.pick(&[Owner::Left, Owner::Right, Owner::Both]) };
            return LocalMove { owner, needs, writes };
        }
    }
}

/// A move wherever it fits.
fn placements(shape: &LocalMove, grid: Grid) -> Vec<LocalMove> {
    let row = |cell: u32| cell as usize / grid.columns;
    let column = |cell: u32| cell as usize % grid.columns;
    let cells = || shape.needs.iter().map(|need| need.0);
    let (top, left) = (cells().map(row).min().unwrap(), cells().map(column).min().unwrap());
    let (bottom, right) = (cells().map(row).max().unwrap(), cells().map(column).max().unwrap());
    let mut all = Vec::new();
    for to_row in 0..grid.rows - (bottom - top) {
        for to_column in 0..grid.columns - (right - left) {
            let shift = |pairs: &[(u32, u8)]| {
                let at = |cell: u32| (row(cell) - top + to_row) * grid.columns + column(cell) - left + to_column;
                pairs.iter().map(|&(cell, value)| (at(cell) as u32, value)).collect()
            };
            all.push(LocalMove { owner: shape.owner, needs: shift(&shape.needs), writes: shift(&shape.writes) });
        }
    }
    all
}

/// The positions that a player can move to, by going through all moves.
pub fn options(game: &LocalGame, position: &[u8], player: Owner) -> Vec<Vec<u8>> {
    let legal = game.moves.iter().filter(|mv| {
        (mv.owner == player || mv.owner == Owner::Both)
            && mv.needs.iter().all(|&(cell, value)| position[cell as usize] == value)
    });
    legal
        .map(|mv| {
            let mut after = position.to_vec();
            mv.writes.iter().for_each(|&(cell, value)| after[cell as usize] = value);
            after
        })
        .collect()
}

/// Whether the player to move wins, by plain recursion.
pub fn wins(game: &LocalGame, position: &[u8], mover: Owner, known: &mut HashMap<(Vec<u8>, Owner), bool>) -> bool {
    let key = (position.to_vec(), mover);
    if let Some(&value) = known.get(&key) {
        return value;
    }
    let options = options(game, position, mover);
    let won = options.iter().any(|option| !wins(game, option, mover.exchanged(), known));
    known.insert(key, won);
    won
}
