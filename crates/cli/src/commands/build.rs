//! `perfectplay build`: every position of an instance into a table file.

use std::io;
use std::path::Path;
use std::time::Instant;

use perfectplay::SolveError;
use perfectplay::json;
use perfectplay::tables::{About, TableError, TableFile, TableLayout, Unfilled};

use crate::args::BuildArgs;
use crate::failure::Failure;
use crate::load::{self, Asked, reason};
use crate::output::{self, FAINT, STRONG, bytes_text, plural, seconds_text, styled};
use crate::{files, phrases, progress};

pub fn run(args: &BuildArgs) -> Result<u8, Failure> {
    let began = Instant::now();
    let (rules, bound) = match load::asked(&args.game())? {
        Asked::Game(game) => *game,
        Asked::Sum(_) => return Err(Failure::usage("a sum of different games has no table of its own")),
    };
    let options = args.size.options();
    let mut monitor = progress::monitor(&args.size.limits(), args.quiet || args.json);
    let failure = |error| match error {
        SolveError::NotApplicable(why) => {
            let help = "tables of interval games can be stored, in which two players take items from the two ends of a \
                        row; `perfectplay moves` answers for any position of any game";
            Failure::usage_help(format!("the table of {} cannot be stored: {why}", bound.program.name), help)
        }
        other => Failure::solving(other, &rules),
    };
    let table = TableLayout::new(&bound, &options, &mut monitor).map_err(failure)?;
    let file = made(&args.output, &table, &About::new(&rules, &bound, table.text()))?;
    let name = args.output.display();
    table.fill(&file, &mut monitor).map_err(|unfilled| match unfilled {
        Unfilled::Solve(error @ (SolveError::Limit { .. } | SolveError::Interrupted { .. })) => {
            let what = format!("before {name} was complete; what is done stays there, and the same command goes on");
            Failure::Unfinished { error, what }
        }
        Unfilled::Solve(error) => Failure::solving(error, &rules),
        Unfilled::File(error) => unwritten(&args.output, &error),
    })?;
    file.finish().map_err(|error| unwritten(&args.output, &error))?;
    let (positions, bytes, layout) = (table.positions(), file.size(), table.text());
    let (solved, reader) = table.read(file, &monitor).map_err(failure)?;
    drop(monitor);
    let verdict = solved.verdict(&bound.start);
    if let Some(trouble) = reader.trouble() {
        return Err(Failure::usage(format!("{name} was written, but cannot be read: {trouble}")));
    }
    let seconds = began.elapsed().as_secs_f64();
    if args.json {
        let file = args.output.to_string_lossy();
        output::print_line(&json::built(&bound, verdict.as_ref(), (&file, &layout), (positions, bytes), seconds));
    } else {
        let title = styled(format!("{name}: {}, {}", plural(positions, "position"), bytes_text(bytes)), STRONG);
        let standing = phrases::standing(bound.start.turn, verdict.as_ref());
        let how = styled(format!("{layout}; {}", seconds_text(seconds)), FAINT);
        output::print(&format!("{title}\n  {standing}\n  {how}\n"));
    }
    Ok(0)
}

/// The file to be filled: a new one, or one of the same table.
fn made(path: &Path, table: &TableLayout, about: &About) -> Result<TableFile, Failure> {
    files::writable(path)?;
    let name = path.display();
    let unusable = |error: TableError| match error {
        TableError::System(error) => unwritten(path, &error),
        TableError::Busy => Failure::usage(format!("{name} is in use by another run")),
        TableError::TooLarge => Failure::usage(format!("cannot write {name}: {error}")),
        other => Failure::usage_help(
            format!("{name} is there already, and cannot be gone on with: {other}"),
            "choose another name, or remove that file",
        ),
    };
    match TableFile::create(path, &about.text(), table.pieces()) {
        Err(TableError::System(error)) if error.kind() == io::ErrorKind::AlreadyExists => {}
        made => return made.map_err(unusable),
    }
    let file = TableFile::resume(path).map_err(unusable)?;
    let other = match About::read(file.about()) {
        None => "something that this program does not know".to_string(),
        Some(found) if found.rules.source != about.rules.source => format!("other rules ({})", found.rules.name),
        Some(found) if found.instance != about.instance => "another instance of these rules".to_string(),
        Some(found) if found.layout != about.layout || file.pieces() != table.pieces() => {
            format!("the same game in another layout ({})", found.layout)
        }
        Some(_) => return Ok(file),
    };
    Err(Failure::usage_help(
        format!("{name} is there already: a table of {other}"),
        "choose another name, or remove that file",
    ))
}

fn unwritten(path: &Path, error: &io::Error) -> Failure {
    let message = format!("cannot write {}: {}", path.display(), reason(error));
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            Failure::usage_help(message, "what is done stays there: with more room, the same command goes on")
        }
        _ => Failure::usage(message),
    }
}
