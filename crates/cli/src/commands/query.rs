//! `perfectplay query`: the moves of any position, from a table file.

use std::path::Path;

use perfectplay::SolveError;
use perfectplay::language::{Bound, Rules, bind, parse_instance};
use perfectplay::moves::ListedMoves;
use perfectplay::solving::{Limits, Options, solve};
use perfectplay::tables::{About, TableError, TableFile, TableLayout};

use crate::args::QueryArgs;
use crate::board::Board;
use crate::commands::moves;
use crate::failure::Failure;
use crate::load::reason;
use crate::{output, progress, start};

pub fn run(args: &QueryArgs) -> Result<u8, Failure> {
    let name = args.file.display();
    let file = opened(&args.file)?;
    if !file.is_finished() {
        let message = format!("the table {name} is not complete");
        return Err(Failure::usage_help(message, "`perfectplay build` with the same game and file goes on with it"));
    }
    let (rules, bound, layout) = game(&args.file, &file)?;
    let (position, way) = start::position(&Board::Game { rules: &rules, bound: &bound }, &bound, &args.at)?;
    let mut monitor = progress::monitor(&Limits::default(), true);
    let failure = |error| match error {
        SolveError::NotApplicable(why) => damaged(&args.file, &why),
        other => Failure::solving(other, &rules),
    };
    let table = TableLayout::new(&bound, &Options::default(), &mut monitor).map_err(failure)?;
    if table.text() != layout || table.pieces() != file.pieces() {
        let message = format!("the table {name} has a layout that this version does not know ({layout})");
        return Err(Failure::usage_help(message, "build it again"));
    }
    let (solved, reader) = table.read(file, &monitor).map_err(failure)?;
    let verdict = solved.verdict(&position);
    if let Some(trouble) = reader.trouble() {
        return Err(damaged(&args.file, &trouble));
    }
    if verdict.is_none() {
        // A table holds the positions that play can come to, and this is none of them.
        let solved = solve(&bound, &position, &Options::default(), &mut monitor).map_err(failure)?;
        let listed = ListedMoves::of(&solved, &position).map_err(failure)?;
        output::complain(
            "Note: play cannot come to this position, so that the table has no value for it: it was solved\n",
        );
        moves::tell(&solved, &position, &way, &listed, None, &rules, args.json)?;
        return Ok(0);
    }
    let listed = ListedMoves::of(&solved, &position).map_err(failure)?;
    if let Some(trouble) = reader.trouble() {
        return Err(damaged(&args.file, &trouble));
    }
    moves::tell(&solved, &position, &way, &listed, None, &rules, args.json)?;
    Ok(0)
}

fn opened(path: &Path) -> Result<TableFile, Failure> {
    TableFile::open(path).map_err(|error| {
        let name = path.display();
        let why = match &error {
            TableError::System(error) => reason(error),
            other => other.to_string(),
        };
        Failure::usage_help(format!("cannot read the table {name}: {why}"), "`perfectplay build` makes table files")
    })
}

/// The game of a table, bound to its instance, and the layout of the table.
fn game(path: &Path, file: &TableFile) -> Result<(Rules, Bound, String), Failure> {
    let unknown = || damaged(path, "it does not say what it is of");
    let About { rules, instance, layout } = About::read(file.about()).ok_or_else(unknown)?;
    let program = rules.program()?;
    let instance = parse_instance(&instance).map_err(|_| unknown())?;
    let bound = bind(&program, &instance).map_err(|diagnostics| Failure::wrong(&rules, diagnostics))?;
    Ok((rules, bound, layout))
}

fn damaged(path: &Path, why: &str) -> Failure {
    let message = format!("the table {} is damaged: {why}", path.display());
    Failure::usage_help(message, "`perfectplay build` with the same game and file mends it")
}
