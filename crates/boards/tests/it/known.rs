//! Games with known values.

use boards::motion::Motions;
use boards::{CanonicalForms, Grid, LocalGame, LocalMove, Nimbers, Owner, Valuer};
use engine::memory::Memory;
use engine::monitor::Monitor;

/// Cram: dominoes laid either way.
fn cram(rows: usize, columns: usize) -> LocalGame {
    let mut moves = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let cell = (row * columns + column) as u32;
            let mut lay = |to: u32| {
                moves.push(LocalMove {
                    owner: Owner::Both,
                    needs: vec![(cell, 0), (to, 0)],
                    writes: vec![(cell, 1), (to, 1)],
                });
            };
            if column + 1 < columns {
                lay(cell + 1);
            }
            if row + 1 < rows {
                lay(cell + columns as u32);
            }
        }
    }
    LocalGame::new(rows * columns, 2, moves).unwrap().on_grid(Grid { rows, columns })
}

#[test]
fn cram_and_its_turns() {
    // Cram 1 x n is Dawson's Kayles (.07): 0 0 1 1 2 0 3 1 1 0 3 3 2 2 4 (OEIS A002187 shifted).
    for (columns, nimber) in [0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4].into_iter().enumerate() {
        let game = cram(1, columns + 1);
        let start = vec![0; columns + 1];
        let mut valuer = Valuer::new(game.clone(), Motions::new(&game), &start, Nimbers, &Memory::unlimited()).unwrap();
        assert_eq!(valuer.value(&start, &mut Monitor::unlimited()), Ok(nimber), "1 x {}", columns + 1);
    }
    for (rows, columns, nimber) in [(3, 3, 0), (3, 4, 1), (3, 5, 1), (4, 4, 0), (4, 5, 2)] {
        let game = cram(rows, columns);
        let start = vec![0; rows * columns];
        let mut valuer = Valuer::new(game.clone(), Motions::new(&game), &start, Nimbers, &Memory::unlimited()).unwrap();
        assert_eq!(valuer.motions().turns.len(), 7);
        assert_eq!(valuer.value(&start, &mut Monitor::unlimited()), Ok(nimber), "{rows} x {columns}");
    }
}

/// Domineering: Left lays dominoes upright, Right flat.
fn domineering(rows: usize, columns: usize) -> LocalGame {
    let mut game = cram(rows, columns);
    for mv in &mut game.moves {
        let flat = mv.needs[1].0 == mv.needs[0].0 + 1;
        mv.owner = if flat { Owner::Right } else { Owner::Left };
    }
    game.moves.sort();
    game
}

/// Values as the literature has them (Winning Ways, chapter 5).
#[test]
fn domineering_has_its_values() {
    let known = [(2, 2, "±1"), (2, 3, "{2|-1/2}"), (2, 5, "1/2"), (3, 3, "±1"), (3, 4, "-3/2"), (3, 6, "{-1|-7/2}")];
    for (rows, columns, name) in known.into_iter().chain([(3, 7, "{-3/4|-3}"), (4, 5, "1"), (5, 5, "0")]) {
        let game = domineering(rows, columns);
        let start = vec![0; rows * columns];
        let mut monitor = Monitor::unlimited();
        let forms = CanonicalForms::new(&monitor);
        let motions = Motions::new(&game);
        assert_eq!(motions.turns.iter().filter(|turn| turn.exchange).count(), 4);
        let mut valuer = Valuer::new(game, motions, &start, forms, &Memory::unlimited()).unwrap();
        let value = valuer.value(&start, &mut monitor).unwrap();
        assert_eq!(valuer.algebra.arena.name(value, 100).as_deref(), Ok(name), "{rows} x {columns}");
    }
}
