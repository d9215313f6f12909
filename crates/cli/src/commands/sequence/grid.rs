//! Two parameters that run: a table of values, winners coloured.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use perfectplay::answer::Understood;
use perfectplay::json;
use perfectplay::language::{Program, Rules};
use perfectplay::sequence::{Axis, Grid, Instances, Runs, SequenceError, Term, TermKind};
use perfectplay::solving::Monitor;

use super::guesses;
use super::range::Range;
use super::stop::{Kept, Stop};
use super::subject::{self, Word};
use super::table::{self, INDENT};
use crate::args::{FormatName, SequenceArgs};
use crate::failure::Failure;
use crate::load;
use crate::output::{self, BAD, FAINT, GOOD, Rows, STRONG, count, plural, seconds_text, styled};
use crate::progress;
use crate::watch;

/// No table has more cells.
const MOST_CELLS: u64 = 1_000_000;

/// A table with its names.
struct Table {
    game: String,
    fixed: Understood,
    names: [String; 2],
    /// What they run through.
    ranges: [Range; 2],
    /// All parameters, in the order of the rules.
    order: Vec<String>,
    rules: Rules,
    grid: Grid,
}

/// The table of two ranges.
pub fn run(args: &SequenceArgs, down: Word<'_>, across: Word<'_>) -> Result<u8, Failure> {
    refuse(args)?;
    let mut table = Table::new(args, down, across)?;
    let quiet = args.common.quiet || args.common.json;
    let done = Arc::new(AtomicU64::new(0));
    let mut monitor = progress::terms(&args.common.limits.limits(), quiet, Arc::clone(&done), table.grid.total());
    let stopped = table.grow(&mut monitor, &done).map(|error| {
        watch::tell();
        let at = format!("{}, {}", table.names[0], table.names[1]);
        let failure = |error| subject::failure(error, Some(&table.rules), &at);
        Stop::new(error, failure, &table.names[1], table.grid.known(), Kept::Never)
    });
    let (seconds, bytes) = (monitor.elapsed().as_secs_f64(), monitor.memory().peak());
    if let Some(diagnostics) = table.grid.refused() {
        return Err(Failure::wrong(&table.rules, diagnostics.to_vec()));
    }
    let names = [&*table.names[0], &*table.names[1]];
    let guessed = match args.guess && stopped.is_none() {
        true => Some(guesses::of_plane(args, (&table.rules, &table.fixed, names), &table.grid, &mut monitor)?),
        false => None,
    };
    drop(monitor);
    match args.format() {
        FormatName::Json => {
            let error = stopped.as_ref().map(Stop::json);
            let took = (seconds, bytes);
            let object = json::grid(&table.game, &table.fixed, names, &table.grid, took, error);
            match &guessed {
                Some(guesses) => output::print_json(&json::guessed(object, guesses)),
                None => output::print_json(&object),
            }
        }
        _ if table.grid.known() > 0 => {
            output::print(&table.text(seconds));
            if let Some(guesses) = &guessed {
                output::print(&guesses::text(guesses));
            }
        }
        _ => {}
    }
    Ok(stopped.map_or(0, |stop| stop.tell()))
}

/// What is for one parameter only.
fn refuse(args: &SequenceArgs) -> Result<(), Failure> {
    let asked = [
        (args.plot, "--plot"),
        (args.svg.is_some(), "--svg"),
        (args.misere, "--misere"),
        (args.checkpoint.is_some(), "--checkpoint"),
        (args.format() == FormatName::Lines, "--format lines"),
        (args.format() == FormatName::Csv, "--format csv"),
    ];
    match asked.into_iter().find(|(asked, _)| *asked) {
        None => Ok(()),
        Some((_, option)) => {
            let message = format!("{option} is for one parameter that runs, not for two");
            Err(Failure::usage_help(message, "give one of them one value; --json prints the whole table"))
        }
    }
}

impl Table {
    fn new(args: &SequenceArgs, down: Word<'_>, across: Word<'_>) -> Result<Table, Failure> {
        let rules = load::rules(&args.game)?;
        let program = load::program(&rules)?;
        let (_, others) = subject::sorted(&args.words);
        let mut taken: Vec<Word<'_>> = others.clone();
        let mut axes = Vec::new();
        let mut ranges = Vec::new();
        for (name, text) in [down, across] {
            // A range without a name is for the first number that has no value yet.
            let found = name.or_else(|| open(&program, &taken, [down.0, across.0]));
            let (parameter, runs) = subject::parameter(&program, found, text, &others)?;
            let name = &program.params[parameter].name;
            if taken.iter().any(|(other, _)| *other == Some(name)) {
                return Err(Failure::usage(format!("`{name}` is given twice")));
            }
            taken.push((Some(name), text));
            let range = Range::read(name, text)?;
            ranges.push(range);
            let Range { from, to, .. } = range;
            axes.push(Axis { parameter, runs, from, to });
        }
        let (&[down, across], &[one, other]) = (&axes[..], &ranges[..]) else {
            return Err(Failure::usage("two parameters run"));
        };
        let cells = down.len().saturating_mul(across.len());
        if cells > MOST_CELLS {
            let message = format!("the table has too many cells: {}", count(cells));
            return Err(Failure::usage_help(message, format!("at most {} are listed", count(MOST_CELLS))));
        }
        let names = [down, across].map(|axis| program.params[axis.parameter].name.clone());
        let mut fixed = subject::fixed(args, &program)?;
        fixed.0.retain(|(name, _)| !names.contains(name));
        let options = args.common.limits.options();
        let along = Instances::new(&program, fixed.clone(), down.parameter, down.runs, options.clone());
        let grid = Grid::new(&program, fixed, down, across, options);
        let fixed = shown(&grid, &along);
        let order = program.params.iter().map(|param| param.name.clone()).collect();
        Ok(Table { game: program.name.clone(), fixed, names, ranges: [one, other], order, rules, grid })
    }

    /// Fills the table up to its end, or to a limit, which is returned.
    fn grow(&mut self, monitor: &mut Monitor, done: &AtomicU64) -> Option<SequenceError> {
        loop {
            let grown = self.grid.extend(monitor);
            done.store(self.grid.known(), Ordering::Relaxed);
            match grown {
                Err(error) => return Some(error),
                Ok(true) => return None,
                Ok(false) => {}
            }
        }
    }

    fn text(&self, seconds: f64) -> String {
        let ranges = self.names.iter().zip(self.ranges).map(|(name, range)| (name.clone(), format!("{name}={range}")));
        let fixed = self.fixed.iter();
        let fixed = fixed.map(|(name, value)| (name.to_string(), format!("{name}={}", subject::bare_text(value))));
        let mut words: Vec<(String, String)> = fixed.chain(ranges).collect();
        words.sort_by_key(|(name, _)| self.order.iter().position(|known| known == name));
        let words: Vec<String> = words.into_iter().map(|(_, word)| word).collect();
        let mut text = format!("{}  {}\n\n", styled(&self.game, STRONG), styled(words.join(" "), FAINT));
        text.push_str(&self.cells());
        text.push('\n');
        text.push_str(&self.summary_text(seconds));
        text
    }

    /// The cells below the values of the one parameter, behind those of the other.
    fn cells(&self) -> String {
        let (down, across) = (self.grid.down, self.grid.across);
        let shown = |term: &Option<Term>| term.as_ref().map_or("–".to_string(), Term::to_string);
        let corner = format!("{} \\ {}", self.names[0], self.names[1]);
        let heads: Vec<String> = (across.from..across.to).map(|at| at.to_string()).collect();
        let labels = [down.from, down.to - 1].map(|at| at.to_string().len());
        let label = labels.into_iter().max().unwrap_or(1).max(corner.chars().count());
        let width = |column: usize| {
            let cells = self.grid.rows().filter_map(|row| row.get(column));
            cells.map(|cell| shown(cell).chars().count()).chain([heads[column].len()]).max().unwrap_or(1)
        };
        let widths: Vec<usize> = (0..heads.len()).map(width).collect();
        let mut head = format!("{corner:>label$}");
        for (name, width) in heads.iter().zip(&widths) {
            head.push_str(&format!("  {name:>width$}"));
        }
        let mut text = format!("{}\n", styled(head, FAINT));
        for (at, row) in (down.from..).zip(self.grid.rows()) {
            text.push_str(&styled(format!("{at:>label$}"), FAINT));
            for (cell, width) in row.iter().zip(&widths) {
                let shown = format!("{:>width$}", shown(cell));
                let shown = match cell.as_ref().and_then(result) {
                    Some(1) => styled(shown, GOOD),
                    Some(-1) => styled(shown, BAD),
                    _ => shown,
                };
                text.push_str(&format!("  {shown}"));
            }
            text.push('\n');
        }
        text
    }

    fn summary_text(&self, seconds: f64) -> String {
        let mut rows = Rows::new(INDENT);
        rows.prose("values", table::kind_text(self.grid.kind()));
        let cells = || self.grid.rows().flatten();
        let results: Vec<i64> = cells().flatten().filter_map(result).collect();
        if !results.is_empty() {
            let number = |wanted: i64| count(results.iter().filter(|&&result| result == wanted).count() as u64);
            let text = format!("the player who starts wins {}, loses {}, draws {}", number(1), number(-1), number(0));
            rows.prose("winners", &text);
        }
        let refused = cells().filter(|cell| cell.is_none()).count() as u64;
        if refused > 0 {
            rows.prose("refused", &format!("{}, shown as –", plural(refused, "instance")));
        }
        let known = plural(self.grid.known(), "cell");
        let (proof, method) = (self.grid.proof(), self.grid.method());
        rows.prose("proof", &format!("{proof}; {known}, {method}, {}", seconds_text(seconds)));
        rows.text()
    }
}

/// The parameter that a range without a name is for: the first number that has no value and no range.
fn open<'p>(program: &'p Program, taken: &[Word<'_>], named: [Option<&str>; 2]) -> Option<&'p str> {
    let is_open = |name: &str| !taken.iter().any(|(other, _)| *other == Some(name)) && !named.contains(&Some(name));
    let mut params = program.params.iter().filter(|param| Runs::of(&param.ty) == Some(Runs::Number));
    params.find(|param| is_open(&param.name)).map(|param| &*param.name)
}

/// What does not run, from the first instance that the rules admit; empty if they admit none.
fn shown(grid: &Grid, along: &Instances) -> Understood {
    let (down, across) = (grid.down, grid.across);
    for at in down.from..down.to {
        let instances = grid.instances(at);
        if let Some(bound) = (across.from..across.to).find_map(|at| instances.bind(at).ok()) {
            return Understood::new(&bound).without(|name| instances.runs_along(name) || along.runs_along(name));
        }
    }
    Understood::default()
}

/// Who wins by a value, seen by the player who starts: 1, 0 or −1.
fn result(term: &Term) -> Option<i64> {
    match term.kind() {
        TermKind::Nimber => term.number().map(|nimber| if nimber == 0 { -1 } else { 1 }),
        TermKind::Score | TermKind::Outcome => term.number().map(i64::signum),
        _ => None,
    }
}
