//! Values of empty Domineering boards, from a list of local moves: `cargo run --release --example rectangle 5 5`.

use boards::motion::Motions;
use boards::{CanonicalForms, Grid, LocalGame, LocalMove, Owner, Valuer};
use engine::memory::Memory;
use engine::monitor::Monitor;

fn main() {
    let sides: Vec<usize> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let &[rows, columns] = &sides[..] else {
        eprintln!("usage: rectangle ROWS COLUMNS");
        std::process::exit(2);
    };
    let mut moves = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let cell = |row: usize, column: usize| (row * columns + column) as u32;
            let mut lay = |owner: Owner, other: u32| {
                let cells = [cell(row, column), other];
                moves.push(LocalMove {
                    owner,
                    needs: cells.map(|c| (c, 0)).into(),
                    writes: cells.map(|c| (c, 1)).into(),
                });
            };
            if row + 1 < rows {
                lay(Owner::Left, cell(row + 1, column));
            }
            if column + 1 < columns {
                lay(Owner::Right, cell(row, column + 1));
            }
        }
    }
    let game = LocalGame::new(rows * columns, 2, moves).expect("dominoes").on_grid(Grid { rows, columns });
    let start = vec![0; rows * columns];
    let mut monitor = Monitor::unlimited();
    let forms = CanonicalForms::new(&monitor);
    let motions = Motions::new(&game);
    let mut valuer = Valuer::new(game, motions, &start, forms, &Memory::unlimited()).expect("a small board");
    let value = valuer.value(&start, &mut monitor).expect("a value");
    let name = valuer.algebra.arena.name(value, 200).expect("a name");
    println!("{name}, {} parts, {:?}", valuer.distinct(), valuer.algebra.arena.statistics());
}
