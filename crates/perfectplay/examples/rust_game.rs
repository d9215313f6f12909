//! A game written in Rust: a knight in the corner of a board goes home, and who cannot move loses.
//!
//! Both players move the same knight, so the game is impartial: its positions have nimbers, and several knights on several
//! boards add up. `cargo run -p perfectplay --example rust_game`

use perfectplay::rust_games::{End, Game, Outcome, Play, Player, nimber_of_sum};
use perfectplay::{SolveError, Solver};

/// A knight on a board without end, seen from the corner that it goes to.
struct Knight {
    column: u32,
    row: u32,
}

impl Game for Knight {
    type Position = (Player, u32, u32);
    type Move = (i32, i32);

    fn start(&self) -> Self::Position {
        (Player::FIRST, self.column, self.row)
    }

    fn mover(&self, position: &Self::Position) -> Player {
        position.0
    }

    fn end(&self, position: &Self::Position) -> Option<End> {
        self.moves(position).is_empty().then_some(End::Outcome(Outcome::Loss))
    }

    fn moves(&self, &(mover, column, row): &Self::Position) -> Vec<Play<Self::Move, Self::Position>> {
        let step = |(right, up): (i32, i32)| {
            let option = (mover.other(), column.checked_add_signed(right)?, row.checked_add_signed(up)?);
            Some(Play { mv: (right, up), gains: Vec::new(), option })
        };
        [(-2, -1), (-2, 1), (-1, -2), (1, -2)].into_iter().filter_map(step).collect()
    }
}

fn main() -> Result<(), SolveError> {
    let knight = Knight { column: 7, row: 7 };
    let start = knight.start();
    let solution = Solver::new().solve_game(&knight)?;
    let value = solution.value();
    println!("{:?} in {:?} moves, {} positions", value.outcome(), value.remoteness(), solution.positions());
    println!("best: {:?}", solution.best_moves(&start)?);
    println!("line: {:?}", solution.line(&start, 100)?);

    let solution = Solver::new().solve_impartial(&knight)?;
    println!("nimber: {:?}", solution.nimber(&start));
    println!("with another at (3, 2): {}", nimber_of_sum(&[&knight, &Knight { column: 3, row: 2 }])?);
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}
