//! The entries of a table, for other programs.

use std::cell::Cell;
use std::io::{self, Write};
use std::path::Path;

use perfectplay::json;
use perfectplay::language::Bound;
use perfectplay::solving::{Monitor, SolveError};
use perfectplay::tables::{
    Arrays, BlockReader, Csv, JsonLines, Keys, LineWriter, TableCounts, TableError, TableFile, counts,
};

use crate::args::ExportArgs;
use crate::failure::Failure;
use crate::files::NewFile;
use crate::load::reason;
use crate::output::{self, STRONG, count, plural, styled};
use crate::progress;
use crate::stored::{self, Stored};

/// How many rows a list of counts has; `--json` has all.
const ROWS: usize = 20;

pub fn run(args: &ExportArgs) -> Result<u8, Failure> {
    let path = Path::new(&args.game);
    if let Some(word) = args.words.first() {
        let help = "a table says itself which instance it is of";
        return Err(Failure::usage_help(format!("`{word}` stands behind the name of a table"), help));
    }
    let Stored { bound, file, .. } = Stored::open(path)?;
    let TableFile::Blocks(file) = file else {
        let message = format!("{} holds intervals of a row, which are not exported", path.display());
        return Err(Failure::usage_help(message, "`perfectplay query` and `survey --table` read it"));
    };
    let mut monitor = progress::monitor(&args.size.limits(), args.quiet || args.json);
    let export = Export { path, bound: &bound, file: &file };
    let mut wrote = String::new();
    let mut line = |target: &Path| {
        if target != Path::new("-") {
            wrote.push_str(&format!("wrote {}: {}\n", target.display(), plural(file.entries(), "position")));
        }
    };
    if let Some(target) = &args.jsonl {
        export.lines(target, Format::Json, &mut monitor)?;
        line(target);
    }
    if let Some(target) = &args.csv {
        export.lines(target, Format::Csv, &mut monitor)?;
        line(target);
    }
    if let Some(folder) = &args.numpy {
        let unwritten =
            |error: &io::Error| Failure::usage(format!("cannot write {}: {}", folder.display(), reason(error)));
        let mut arrays = Arrays::create(&bound, file.shape(), folder).map_err(|error| unwritten(&error))?;
        export.all(&mut arrays, &mut monitor, unwritten)?;
        line(folder);
    }
    if args.stats {
        monitor.enter_expecting("counting", file.entries());
        let counted =
            counts(&file, |done| monitor.tick(file.entries(), done).map_err(|error| Stopped::Solve(error.into())));
        let counted = counted.map_err(|stopped| export.failure(stopped))?;
        drop(monitor);
        match args.json {
            true => output::print_line(&json::table_counts(&bound, file.shape(), &counted)),
            false => output::print(&text(&counted)),
        }
    }
    if !args.json {
        output::print(&wrote);
    }
    Ok(0)
}

/// What lines look like.
#[derive(Clone, Copy)]
enum Format {
    Json,
    Csv,
}

/// A table and its game.
struct Export<'e> {
    path: &'e Path,
    bound: &'e Bound,
    file: &'e BlockReader,
}

/// Why it did not come to its end.
enum Stopped {
    Table(TableError),
    Solve(SolveError),
}

impl From<TableError> for Stopped {
    fn from(error: TableError) -> Stopped {
        Stopped::Table(error)
    }
}

impl Export<'_> {
    fn failure(&self, stopped: Stopped) -> Failure {
        match stopped {
            Stopped::Table(error) => stored::unreadable(self.path, &error),
            Stopped::Solve(error) => {
                Failure::Unfinished { error, what: format!("before all of {} was read", self.path.display()) }
            }
        }
    }

    /// Hands all entries to a writer.
    fn all(
        &self,
        writer: &mut dyn LineWriter,
        monitor: &mut Monitor,
        unwritten: impl Fn(&io::Error) -> Failure,
    ) -> Result<(), Failure> {
        let keys = Keys::new(self.bound, self.file.shape());
        let all = self.file.entries();
        monitor.enter_expecting("exporting", all);
        let read = |error: TableError| self.failure(error.into());
        let mut done = 0;
        for number in 0..self.file.blocks() {
            let block = self.file.block(number).map_err(read)?;
            for place in 0..block.len() {
                let wrong = || TableError::Damaged("a key is that of no position".to_string());
                let position = keys.position(&block.key(place)).ok_or_else(wrong).map_err(read)?;
                let entry = self.file.entry(&block, place).map_err(read)?;
                writer.entry(&position, &entry).map_err(|error| unwritten(&error))?;
            }
            done += block.len() as u64;
            monitor.tick(all, done).map_err(|error| self.failure(Stopped::Solve(error.into())))?;
        }
        writer.finish().map_err(|error| unwritten(&error))
    }

    fn writer<'w>(&'w self, format: Format, out: &'w mut dyn Write) -> io::Result<Box<dyn LineWriter + 'w>> {
        let shape = self.file.shape();
        Ok(match format {
            Format::Json => Box::new(JsonLines::new(self.bound, shape, out)),
            Format::Csv => Box::new(Csv::new(self.bound, shape, out)?),
        })
    }

    /// Writes lines to a file, or to standard output.
    fn lines(&self, target: &Path, format: Format, monitor: &mut Monitor) -> Result<(), Failure> {
        let unwritten =
            |error: &io::Error| Failure::usage(format!("cannot write {}: {}", target.display(), reason(error)));
        if target == Path::new("-") {
            // A reader who has seen enough is no mistake.
            let is_closed = Cell::new(false);
            let unwritten = |error: &io::Error| {
                is_closed.set(is_closed.get() || error.kind() == io::ErrorKind::BrokenPipe);
                unwritten(error)
            };
            let mut out = io::BufWriter::new(io::stdout());
            let mut writer = self.writer(format, &mut out).map_err(|error| unwritten(&error))?;
            let written = self.all(&mut *writer, monitor, unwritten);
            return if is_closed.get() { Ok(()) } else { written };
        }
        let mut out = NewFile::create(target)?;
        let mut lines = self.writer(format, &mut out).map_err(|error| unwritten(&error))?;
        self.all(&mut *lines, monitor, unwritten)?;
        drop(lines);
        out.finish()
    }
}

/// The counts for people.
fn text(counts: &TableCounts) -> String {
    let mut text = format!("{}\n", styled(plural(counts.positions, "position"), STRONG));
    let [lost, drawn, won] = counts.outcomes;
    if counts.payoffs.is_empty() {
        text.push_str(&format!(
            "  {} won, {} drawn, {} lost by the player to move\n",
            count(won),
            count(drawn),
            count(lost)
        ));
    }
    if counts.endless > 0 {
        text.push_str(&format!("  {} of them without end\n", count(counts.endless)));
    }
    let lengths = counts.remoteness.iter().map(|(moves, [lost, drawn, won])| {
        (
            plural(u64::from(*moves), "move"),
            format!("{} won, {} drawn, {} lost", count(*won), count(*drawn), count(*lost)),
        )
    });
    list(&mut text, "by the moves that are left", lengths);
    let many = |number: &u64| plural(*number, "position");
    list(&mut text, "by score", counts.scores.iter().map(|(score, number)| (format!("{score:+}"), many(number))));
    list(&mut text, "by nimber", counts.nimbers.iter().map(|(nimber, number)| (nimber.to_string(), many(number))));
    list(&mut text, "by infinite nimber", counts.loopy.iter().map(|(value, number)| (value.clone(), many(number))));
    list(&mut text, "by totals", counts.payoffs.iter().map(|(totals, number)| (format!("{totals:?}"), many(number))));
    list(&mut text, "by value", counts.values.iter().map(|(value, number)| (value.clone(), many(number))));
    text
}

fn list(text: &mut String, title: &str, rows: impl Iterator<Item = (String, String)>) {
    let rows: Vec<(String, String)> = rows.collect();
    if rows.is_empty() {
        return;
    }
    let width = rows.iter().take(ROWS).map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    text.push_str(&format!("{title}\n"));
    for (name, what) in rows.iter().take(ROWS) {
        text.push_str(&format!("  {name:<width$}  {what}\n"));
    }
    if rows.len() > ROWS {
        text.push_str(&format!("  … {} more rows: --json has all\n", rows.len() - ROWS));
    }
}
