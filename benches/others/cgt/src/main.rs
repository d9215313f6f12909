//! Canonical forms by the crate `cgt`: `cgt-yardstick domineering|clobber|subsets ROWS COLUMNS`.
//!
//! Domineering is the crate's own; Clobber is written here for its trait, with what a user would give it: parts of
//! connected stones, moved to the corner. Printed are nanoseconds of processor time, the value (or how many different
//! values all subsets of the board have), and how many positions the table holds.

mod clobber;

use std::collections::HashSet;

use cgt::grid::FiniteGrid;
use cgt::grid::small_bit_grid::SmallBitGrid;
use cgt::short::partizan::games::domineering::{Domineering, Tile};
use cgt::short::partizan::partizan_game::PartizanGame;
use cgt::short::partizan::transposition_table::ParallelTranspositionTable;
use clobber::Clobber;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Option<Vec<u8>> = words.iter().skip(1).map(|word| word.parse().ok()).collect();
    let (Some(game), Some(&[rows, columns])) = (words.first(), numbers.as_deref()) else {
        eprintln!("usage: cgt-yardstick domineering|clobber|subsets ROWS COLUMNS");
        std::process::exit(2);
    };
    let start = processor_time();
    let (value, positions) = match game.as_str() {
        "domineering" => domineering(rows, columns),
        "subsets" => subsets(rows, columns),
        _ => clobber(rows, columns),
    };
    println!("ns {}\nvalue {value}\npositions {positions}", processor_time() - start);
}

fn domineering(rows: u8, columns: u8) -> (String, usize) {
    let table = ParallelTranspositionTable::new();
    let board = Domineering::new(SmallBitGrid::filled(columns, rows, Tile::Empty).expect("a small board"));
    (board.canonical_form(&table).to_string(), table.len())
}

/// All subsets of a board: how many different values they have.
fn subsets(rows: u8, columns: u8) -> (String, usize) {
    let table = ParallelTranspositionTable::new();
    let mut values = HashSet::new();
    for subset in 0..1u64 << (rows * columns) {
        let board: Domineering = Domineering::new(SmallBitGrid::from_number(columns, rows, subset).expect("a small board"));
        values.insert(board.canonical_form(&table).to_string());
    }
    (values.len().to_string(), table.len())
}

fn clobber(rows: u8, columns: u8) -> (String, usize) {
    let table = ParallelTranspositionTable::new();
    (Clobber::chequered(rows, columns).canonical_form(&table).to_string(), table.len())
}

/// Nanoseconds of processor time of this process, from the system's own account (ticks where there is no finer one).
fn processor_time() -> u128 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    match text.split_whitespace().next().and_then(|ns| ns.parse().ok()) {
        Some(ns) => ns,
        None => std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_nanos()),
    }
}
