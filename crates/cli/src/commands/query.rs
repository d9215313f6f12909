//! `perfectplay query`: the moves of any position, from a table file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write as _};
use std::path::Path;
use std::sync::Arc;

use perfectplay::json::{self, BatchLine};
use perfectplay::language::{Bound, Position, Rules};
use perfectplay::moves::ListedMoves;
use perfectplay::solving::{Limits, Options, Solved, solve};
use perfectplay::tables::Trouble;

use crate::args::{PositionArgs, QueryArgs};
use crate::board::Board;
use crate::commands::moves;
use crate::failure::Failure;
use crate::load::reason;
use crate::start::Way;
use crate::stored::{self, Stored};
use crate::{output, progress, start};

pub fn run(args: &QueryArgs) -> Result<u8, Failure> {
    match &args.batch {
        Some(lines) => batch(&args.file, lines),
        None => one(&args.file, &args.at, args.json),
    }
}

/// Tells the moves of one position.
pub fn one(path: &Path, at: &PositionArgs, as_json: bool) -> Result<u8, Failure> {
    let Stored { rules, bound, file } = Stored::open(path)?;
    let (position, way) = start::position(&Board::Game { rules: &rules, bound: &bound }, &bound, at)?;
    let mut monitor = progress::monitor(&Limits::default(), true);
    let (solved, trouble) = stored::solved(path, (&rules, &bound), file, &mut monitor)?;
    drop(monitor);
    let table = Table { path, rules: &rules, bound: &bound, solved, trouble };
    table.answered(&position, |solved, listed, note| {
        output::complain(note);
        moves::tell(solved, &position, &way, listed, None, &rules, as_json)
    })?;
    Ok(0)
}

/// A table that answers.
struct Table<'t> {
    path: &'t Path,
    rules: &'t Rules,
    bound: &'t Bound,
    solved: Solved<'t>,
    trouble: Arc<Trouble>,
}

/// What is said of a position that play cannot come to.
const NOTE: &str = "Note: play cannot come to this position, so that the table has no value for it: it was solved\n";

impl Table<'_> {
    /// Does something with the moves of a position.
    fn answered<T>(
        &self,
        position: &Position,
        tell: impl FnOnce(&Solved<'_>, &ListedMoves, &str) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let failure = |error| Failure::solving(error, self.rules);
        let verdict = self.solved.verdict(position);
        stored::sound(self.path, &self.trouble)?;
        if verdict.is_none() {
            // A table holds the positions that play can come to, and this is none of them.
            let mut monitor = progress::monitor(&Limits::default(), true);
            let solved = solve(self.bound, position, &Options::default(), &mut monitor).map_err(failure)?;
            let listed = ListedMoves::of(&solved, position).map_err(failure)?;
            return tell(&solved, &listed, NOTE);
        }
        let listed = ListedMoves::of(&self.solved, position);
        stored::sound(self.path, &self.trouble)?;
        tell(&self.solved, &listed.map_err(failure)?, "")
    }

    /// The answer to a line.
    fn line(&self, line: &str) -> Result<String, Failure> {
        let read = BatchLine::read(line, &self.bound.program).map_err(Failure::usage)?;
        let BatchLine { instance, position, turn, after } = read;
        if !instance.0.is_empty() {
            let help = "a line has `position`, `turn` or `after`";
            return Err(Failure::usage_help("the instance of a table is fixed", help));
        }
        let at = PositionArgs { position, turn, after };
        let board = Board::Game { rules: self.rules, bound: self.bound };
        let (position, way): (Position, Way) = start::position(&board, self.bound, &at)?;
        self.answered(&position, |solved, listed, _| {
            Ok(json::moves(solved, &position, &way.after, way.totals.as_deref(), listed, None))
        })
    }
}

/// Answers every line of a file.
fn batch(path: &Path, lines: &Path) -> Result<u8, Failure> {
    let Stored { rules, bound, file } = Stored::open(path)?;
    let name = lines.to_string_lossy();
    let unread = |error: io::Error| Failure::usage(format!("cannot read {name}: {}", reason(&error)));
    let lines: Box<dyn BufRead> = match &*name {
        "-" => Box::new(BufReader::new(io::stdin())),
        path => Box::new(BufReader::new(File::open(path).map_err(unread)?)),
    };
    let mut monitor = progress::monitor(&Limits::default(), true);
    let (solved, trouble) = stored::solved(path, (&rules, &bound), file, &mut monitor)?;
    drop(monitor);
    let table = Table { path, rules: &rules, bound: &bound, solved, trouble };
    let mut code = 0;
    for (number, line) in lines.lines().enumerate() {
        let line = line.map_err(unread)?;
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() {
            continue;
        }
        match table.line(line) {
            Ok(answer) => output::print_line(&answer),
            Err(failure) => {
                code = code.max(failure.code());
                output::print_json(&json::unanswered_line(&failure.failed(), number as u64 + 1));
            }
        }
    }
    let _ = io::stdout().flush();
    Ok(code)
}
