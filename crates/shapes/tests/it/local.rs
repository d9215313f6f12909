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
    let mut files: Vec<_> = std::fs::read_dir(workspace("games")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let began = std::time::Instant::now();
        let seen = match local(&text) {
            Ok(local) => format!(
                "{} moves, {:?}, {:?}",
                local.game.moves.len(),
                local.game.grid,
                boards::motion::Motions::new(&local.game).turns.len()
            ),
            Err(why) => why,
        };
        println!("{}: {seen} {:?}", file.file_name().unwrap().to_string_lossy(), began.elapsed());
    }
}

#[test]
fn domineering_is_seen_whole() {
    let text = std::fs::read_to_string(workspace("games/domineering.game")).unwrap();
    let Local { game, low } = local(&text).unwrap();
    assert_eq!((game.moves.len(), game.grid, low.len()), (24, Grid { rows: 4, columns: 4 }, 16));
    let motions = boards::motion::Motions::new(&game);
    assert!(motions.shift_rows && motions.shift_columns);
    assert_eq!(motions.turns.iter().filter(|turn| turn.exchange).count(), 4);
    assert_eq!(motions.turns.len(), 7);
}
