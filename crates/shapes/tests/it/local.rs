//! Which games of the gallery are games of local moves.

use std::sync::Arc;

use boards::Grid;
use formula::Readings;
use rules::bind::bind;
use rules::instance::Instance;
use shapes::local::{Local, recognise};
use testkit::files::workspace;

fn local(text: &str) -> Result<Local, String> {
    let program = rules::compile(text).map_err(|_| "rules")?;
    let bound = bind(&Arc::new(program), &Instance::default()).map_err(|_| "instance")?;
    let readings = Readings::new(&bound, &bound.start);
    let reading = readings.listed().map_err(|unsupported| unsupported.to_string())?;
    recognise(reading.formulas(), &[])
}

#[test]
fn boards_of_the_gallery() {
    let grid = |rows, columns| Grid { rows, columns };
    let known = [
        ("clobber", 68, grid(3, 4), 15),
        ("col", 32, grid(1, 5), 3),
        ("cram", 17, grid(3, 4), 7),
        ("domineering", 24, grid(4, 4), 7),
        ("hackenbush_tree", 39, grid(1, 5), 0),
        ("snort", 32, grid(1, 5), 3),
        ("toads_and_frogs", 26, grid(1, 8), 1),
    ];
    for (name, moves, grid, turns) in known {
        let text = std::fs::read_to_string(workspace(&format!("games/{name}.game"))).unwrap();
        let Local { game, motions, .. } = local(&text).unwrap();
        assert_eq!((game.moves.len(), game.grid, motions.turns.len()), (moves, grid, turns), "{name}");
    }
}

#[test]
fn what_looks_at_the_whole_board_is_none() {
    for (name, why) in [
        ("tic_tac_toe", "`end` looks at the whole position, and moves may be left where it holds"),
        ("kayles", "a move splits its part"),
        ("coins", "local moves are for two players, and the last one wins"),
        ("stones", "a cell has 21 values, more than 16"),
    ] {
        let text = std::fs::read_to_string(workspace(&format!("games/{name}.game"))).unwrap();
        assert_eq!(local(&text).map(|_| ()), Err(why.to_string()), "{name}");
    }
}

#[test]
fn domineering_is_seen_whole() {
    let text = std::fs::read_to_string(workspace("games/domineering.game")).unwrap();
    let Local { game, motions, low } = local(&text).unwrap();
    assert_eq!((game.moves.len(), game.grid, low.len()), (24, Grid { rows: 4, columns: 4 }, 16));
    assert!(motions.shift_rows && motions.shift_columns);
    assert_eq!(motions.turns.iter().filter(|turn| turn.exchange).count(), 4);
    assert_eq!(motions.turns.len(), 7);
}
