//! `perfectplay survey --over`: the values of a family of positions, and a file with a line for each that a later run goes on
//! with.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use perfectplay::answer::Understood;
use perfectplay::language::{Bound, Position, Rules, show};
use perfectplay::solving::SolveError;
use perfectplay::survey::{self, Family, Frequent, Task, Unvalued, ValueSurvey};
use perfectplay::{family, json, positions};

use super::bars::{Kind, Row, table};
use super::{ROWS, effort};
use crate::args::SurveyArgs;
use crate::failure::Failure;
use crate::load::reason;
use crate::output::{self, FAINT, STRONG, count, plural, styled};
use crate::{phrases, progress};

/// How many positions with a wanted value are drawn.
const DRAWN: usize = 3;

pub fn run(args: &SurveyArgs, rules: &Rules, bound: &Bound) -> Result<u8, Failure> {
    let family = family::read(bound, &bound.start, &args.over);
    let family = family.map_err(|error| Failure::usage_help(error.message, error.help))?;
    let mut lines = match &args.lines {
        Some(path) => {
            let instance = Understood::new(bound);
            let head = json::survey_head(bound, &instance, &args.over, family.len(), &rules.source);
            Some(LinesFile::open(path, &json::text(&head), family.len())?)
        }
        None => None,
    };
    let mut monitor = progress::monitor(&args.common.limits.limits(), args.common.quiet || args.common.json);
    let found = valued(args, bound, &family, lines.as_mut(), &mut monitor);
    drop(monitor);
    let written = lines.as_mut().map_or(Ok(()), LinesFile::flush);
    let found = match found {
        Err(Stopped::Solving(error)) => {
            if let Some(lines) = &lines
                && written.is_ok()
                && matches!(error.plain(), SolveError::Limit { .. } | SolveError::Interrupted { .. })
            {
                lines.tell_how_it_goes_on(family.len());
            }
            return Err(Failure::solving(error, rules));
        }
        Err(Stopped::Writing(failure)) => return Err(failure),
        Ok(found) => found,
    };
    written?;
    match args.common.json {
        true => output::print_json(&json::value_survey(&found, bound, &args.over)),
        false => output::print(&text(&found, args, bound)?),
    }
    Ok(0)
}

/// Why there is no survey.
enum Stopped {
    Solving(SolveError),
    Writing(Failure),
}

fn valued(
    args: &SurveyArgs,
    bound: &Bound,
    family: &Family,
    lines: Option<&mut LinesFile>,
    monitor: &mut perfectplay::solving::Monitor,
) -> Result<ValueSurvey, Stopped> {
    let options = args.common.limits.options();
    let mut nothing = std::iter::empty();
    let Some(LinesFile { path, known, out, lines }) = lines else {
        let each = &mut |_: &survey::SurveyedPosition<'_>| Ok(());
        let mut task = Task { family, wanted: &args.find, known: &mut nothing, each, listed: false };
        return survey::values(bound, &mut task, &options, monitor).map_err(Stopped::Solving);
    };
    let mut failed = None;
    let each = &mut |surveyed: &survey::SurveyedPosition<'_>| {
        let line = json::text(&json::survey_line(surveyed, bound));
        *lines += 1;
        writeln!(out, "{line}").map_err(|error| {
            failed = Some(unwritable(path, &error));
            SolveError::NotApplicable("the lines cannot be written".to_string())
        })
    };
    let mut task = Task { family, wanted: &args.find, known, each, listed: true };
    let found = survey::values(bound, &mut task, &options, monitor);
    match failed {
        Some(failure) => Err(Stopped::Writing(failure)),
        None => found.map_err(Stopped::Solving),
    }
}

/// The file of the lines: a head, then a line for each position in the order of their numbers.
struct LinesFile {
    path: PathBuf,
    known: Known,
    out: BufWriter<File>,
    /// How many lines there are.
    lines: u64,
}

impl LinesFile {
    /// Makes the file, or goes on with it. A last line that is not whole is cut off.
    fn open(path: &Path, head: &str, most: u64) -> Result<LinesFile, Failure> {
        let failed = |error: io::Error| unwritable(path, &error);
        if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            let message = format!("{} is no file", path.display());
            return Err(Failure::usage_help(message, "name a file that a later run can read again"));
        }
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        let whole = whole_lines(&mut file, path, head, most)?;
        file.set_len(whole.bytes).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let mut out = BufWriter::with_capacity(1 << 16, file);
        let mut reader = BufReader::new(File::open(path).map_err(failed)?.take(whole.bytes));
        match whole.bytes {
            0 => writeln!(out, "{head}").map_err(failed)?,
            _ => drop(reader.read_until(b'\n', &mut Vec::new()).map_err(failed)?),
        }
        Ok(LinesFile {
            path: path.to_path_buf(),
            known: Known { reader, left: whole.positions },
            out,
            lines: whole.positions,
        })
    }

    /// Says on standard error what to do after a stop.
    fn tell_how_it_goes_on(&self, all: u64) {
        let (lines, path) = (count(self.lines), self.path.display());
        eprintln!("{lines} of {} are in {path}; the same command goes on from there.", plural(all, "line"));
    }

    fn flush(&mut self) -> Result<(), Failure> {
        self.out.flush().map_err(|error| unwritable(&self.path, &error))
    }
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::usage(format!("{} cannot be written: {}", path.display(), reason(error)))
}

/// What of a file is whole.
struct Whole {
    bytes: u64,
    positions: u64,
}

/// Reads the file through: its head must be this one, and its lines those of the first positions.
fn whole_lines(file: &mut File, path: &Path, head: &str, most: u64) -> Result<Whole, Failure> {
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    let mut whole = Whole { bytes: 0, positions: 0 };
    loop {
        line.clear();
        let read = reader.read_until(b'\n', &mut line).map_err(|error| unwritable(path, &error))?;
        if line.last() != Some(&b'\n') {
            // A run that was stopped may leave a piece of a line; anything else without an end is another file.
            let piece = whole.bytes > 0 || head.as_bytes().starts_with(&line);
            return if piece { Ok(whole) } else { Err(another(path)) };
        }
        let text = str::from_utf8(&line[..line.len() - 1]).map_err(|_| another(path))?;
        if whole.bytes == 0 {
            if text != head {
                return Err(another(path));
            }
        } else {
            let number = json::read_survey_line(text).map(|(number, _)| number);
            if number != Some(whole.positions) || whole.positions >= most {
                return Err(another(path));
            }
            whole.positions += 1;
        }
        whole.bytes += read as u64;
    }
}

fn another(path: &Path) -> Failure {
    let message = format!("{} holds something else than this survey", path.display());
    Failure::usage_help(message, "name another file; only the same survey of the same rules goes on with it")
}

/// The values of the positions that an earlier run valued.
struct Known {
    reader: BufReader<io::Take<File>>,
    left: u64,
}

impl Iterator for Known {
    type Item = Option<String>;

    fn next(&mut self) -> Option<Option<String>> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let mut line = String::new();
        // A line that cannot be read any more is valued again.
        let _ = self.reader.read_line(&mut line);
        Some(json::read_survey_line(line.trim_end()).and_then(|(_, value)| value))
    }
}

fn text(found: &ValueSurvey, args: &SurveyArgs, bound: &Bound) -> Result<String, Failure> {
    let mut text = phrases::title(&found.game, &found.instance);
    let over = args.over.join(", ");
    let earlier = match found.known {
        0 => String::new(),
        known => format!("; {} were known from an earlier run", count(known)),
    };
    let what =
        format!("{} over {over}, whether play reaches them or not{earlier}", plural(found.positions, "position"));
    text.push_str(&format!("{}\n", output::prose(&what, 0, output::width())));
    let classes = [
        "L: Left, the first player, wins",
        "R: Right, the second player, wins",
        "N: who begins wins",
        "P: who does not begin wins",
    ];
    let rows = classes.iter().zip(&found.classes).map(|(name, (_, count))| Row::new(*name, Kind::Plain, *count));
    let loopy = Some(found.drawn).filter(|&count| count > 0);
    let rows = rows.chain(loopy.map(|count| Row::new("loopy: somebody can draw", Kind::Plain, count)));
    let unvalued = found.unvalued.iter().map(|unvalued| Row::new("no value", Kind::Plain, unvalued.count));
    text.push_str(&table("by outcome class", &rows.chain(unvalued).collect::<Vec<_>>(), found.positions));
    if let Some(Unvalued { first, why, .. }) = &found.unvalued {
        let why = format!("the first position without a value: {why}");
        text.push_str(&format!("\n{}\n{}", output::prose(&why, 0, output::width()), drawn(bound, first)));
    }
    let title = match found.distinct > ROWS as u64 {
        true => format!("{} different values, the {ROWS} most frequent:", count(found.distinct)),
        false => plural(found.distinct, "different value"),
    };
    let name =
        |frequent: &Frequent| frequent.canonical.name.as_deref().map_or("(too long to name)", |name| name).to_string();
    let rows: Vec<Row> = found
        .values
        .iter()
        .take(ROWS)
        .map(|value| Row::new(show::cut(40, &name(value)), Kind::Plain, value.count))
        .collect();
    text.push_str(&table(&title, &rows, found.positions));
    let shown = found.temperatures.iter().rev().take(ROWS).rev();
    let rows: Vec<Row> = shown.map(|(temperature, count)| Row::new(temperature, Kind::Plain, *count)).collect();
    let title = match found.temperatures.len() > ROWS {
        true => format!("by temperature, the {ROWS} hottest"),
        false => "by temperature".to_string(),
    };
    text.push_str(&table(&title, &rows, found.positions));
    if let Some(hottest) = &found.hottest {
        let form = &hottest.canonical;
        let title =
            format!("the hottest: {}, temperature {}", name(hottest), form.temperature.as_deref().unwrap_or("unknown"));
        text.push_str(&format!("\n{}\n{}", styled(title, STRONG), drawn(bound, &hottest.first)));
    }
    for wanted in &found.found {
        let title = format!("{} occurs {}", wanted.value, plural(wanted.count, "time"));
        text.push_str(&format!("\n{}\n", styled(title, STRONG)));
        for position in wanted.positions.iter().take(DRAWN) {
            text.push_str(&drawn(bound, position));
        }
    }
    if let Some(path) = &args.lines {
        text.push_str(&format!("\n{} in {}\n", plural(found.positions, "line"), path.display()));
    }
    Ok(text + &format!("\n{} valued", plural(found.parts, "part")) + &effort(found.seconds, found.bytes))
}

/// A position as a drawing, and as the option that brings it back.
fn drawn(bound: &Bound, position: &Position) -> String {
    let drawing = show::draw_named(bound, position).unwrap_or_default();
    let option = format!("position: --position '{}'", positions::text(bound, position));
    format!("{}\n{}\n", drawing.trim_end(), styled(option, FAINT))
}
