//! Checks a table: its checksums, and its values against those of the options.

use std::time::Instant;

use perfectplay::answer::Understood;
use perfectplay::certificates::{Refusal, Wrong};
use perfectplay::json::{self, BuiltTable};
use perfectplay::tables::{self, Checked, Extent, TableError, TableFile};

use super::{INDENT, stopped};
use crate::args::VerifyArgs;
use crate::failure::Failure;
use crate::load::{self, Asked};
use crate::output::{self, BAD, EVEN, GOOD, Rows, bytes_text, count, plural, seconds_text, styled};
use crate::phrases::{self, title};
use crate::progress;
use crate::stored::{self, Stored};

pub fn run(args: &VerifyArgs) -> Result<u8, Failure> {
    let began = Instant::now();
    let name = args.file.display().to_string();
    let expected = args.expected().map(|game| load::asked(&game)).transpose()?;
    // A file that is damaged is wrong: that is an answer.
    match TableFile::open_unchecked(&args.file) {
        Err(TableError::Damaged(why)) => return Ok(refused(args, &name, &Wrong { why, ..Wrong::default() })),
        opened => drop(opened.map_err(|error| stored::unreadable(&args.file, &error))?),
    }
    let Stored { bound, file, .. } = Stored::open_unchecked(&args.file)?;
    let about = file.about();
    let other = match &expected {
        None => None,
        Some(Asked::Game(game)) if game.0.source != about.rules => Some("it is about other rules".to_string()),
        Some(Asked::Game(game)) if game.1.instance() != bound.instance() => {
            Some(format!("it is about another instance: {}", about.instance))
        }
        Some(Asked::Game(_)) => None,
        Some(Asked::Sum(_)) => Some("a table is about one game, not about a sum of different games".to_string()),
    };
    if let Some(why) = other {
        return Ok(refused(args, &name, &Wrong { why, ..Wrong::default() }));
    }
    let extent = match args.share {
        Some(share) => Extent::Share { share, seed: args.seed },
        None => Extent::Whole,
    };
    let mut monitor = progress::monitor(&args.limits(), args.quiet || args.json);
    let checked = tables::check(&file, extent, &mut monitor);
    let positions = monitor.met();
    drop(monitor);
    let checked = match checked {
        Ok(checked) => checked,
        Err(Refusal::Wrong(wrong)) => return Ok(refused(args, &name, &wrong)),
        Err(Refusal::Stopped(why)) => return Err(stopped(why, positions, &name)),
        Err(other) => return Err(Failure::usage(format!("cannot read the table {name}: {other}"))),
    };
    let (positions, hash) = match &file {
        TableFile::Blocks(file) => (file.entries(), Some(file.hash())),
        TableFile::Pieces(_) => (checked.compared, None),
    };
    let seconds = began.elapsed().as_secs_f64();
    let table = BuiltTable { file: &name, layout: &about.layout, positions, bytes: file.bytes(), hash, seconds };
    match args.json {
        true => output::print_line(&json::checked_table(&bound, &checked, &table)),
        false => {
            let title = title(&bound.program.name, &Understood::new(&bound));
            let start = checked.start.as_ref().map(|entry| phrases::standing(bound.start.turn, Some(&entry.verdict)));
            output::print(&text(args, &checked, &table, &title, start));
        }
    }
    Ok(0)
}

fn refused(args: &VerifyArgs, name: &str, wrong: &Wrong) -> u8 {
    if args.json {
        output::print_line(&json::refused_table(name, wrong));
    } else {
        let place = match (wrong.entry, &wrong.position) {
            (0, _) => String::new(),
            (entry, None) => format!("entry {}: ", count(entry)),
            (entry, Some(position)) => format!("entry {}, at the position {position}: ", count(entry)),
        };
        let text = output::prose(&format!("{place}{}", wrong.why), 2, output::width());
        output::print(&format!("{name}: {}\n  {}\n", styled("refused", BAD.bold()), text.trim_start()));
    }
    1
}

/// The result for people.
fn text(args: &VerifyArgs, checked: &Checked, table: &BuiltTable<'_>, title: &str, start: Option<String>) -> String {
    let head = match checked.whole {
        true => styled("verified", GOOD.bold()),
        false => styled("a share of it agrees; nothing is proved", EVEN.bold()),
    };
    let mut rows = Rows::new(INDENT);
    if let Some(start) = start {
        rows.prose(if checked.whole { "proved" } else { "said" }, &start);
    }
    let compared = match checked.whole {
        true => "every value follows from those of the options, which the interpreter finds".to_string(),
        false => format!(
            "{} of {} chosen at random (--seed {}) follow from their options, whose values are believed",
            count(checked.compared),
            count(table.positions),
            args.seed
        ),
    };
    rows.prose("compared", &compared);
    rows.prose("holds", &format!("{}; {}", table.layout, plural(table.positions, "position")));
    if let Some(hash) = table.hash {
        rows.prose("hash", &format!("{hash:032x}"));
    }
    rows.prose("took", &format!("{}, {}", bytes_text(table.bytes), seconds_text(table.seconds)));
    format!("{}: {head}\n{title}\n{}", table.file, rows.text())
}
