//! `solve --line FILE`: the whole line of best play, one move a line, as CSV or as JSON lines.

use std::io::{self, Write};
use std::path::Path;

use perfectplay::answer::Player;
use perfectplay::json;
use perfectplay::moves::{LineMove, Stop, WholeLine, whole_line};
use perfectplay::solving::{Monitor, SolveError, Solved};

use crate::failure::Failure;
use crate::files::NewFile;

/// A line that is to be written.
pub struct LineFile {
    file: NewFile,
    name: String,
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Csv,
    Lines,
}

impl LineFile {
    /// Makes the file, before long work is done for it.
    pub fn create(path: &Path) -> Result<LineFile, Failure> {
        let lines = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jsonl"));
        let format = if lines { Format::Lines } else { Format::Csv };
        Ok(LineFile { file: NewFile::create(path)?, name: path.display().to_string(), format })
    }

    /// Writes the line of a solved game.
    pub fn write(self, solved: &Solved<'_>, monitor: &mut Monitor) -> Result<json::LineFile, Failure> {
        let LineFile { mut file, name, format } = self;
        let players: Vec<String> = (0..solved.bound.players).map(|player| Player(player as u8).to_string()).collect();
        let counted = solved.is_counted();
        let mut failed = match format {
            Format::Csv => header(&mut file, &players, counted).err(),
            Format::Lines => None,
        };
        let mut moves = 0;
        let written = whole_line(solved, monitor, &mut |moved| {
            moves = moved.number;
            failed = failed.take().or_else(|| row(&mut file, format, &players, moved).err());
            Ok(failed.is_none())
        });
        if let Some(error) = failed {
            return Err(file.failure(&error));
        }
        let line = written.map_err(|error| match error {
            SolveError::Limit { .. } | SolveError::Interrupted { .. } => Failure::Unfinished {
                error,
                what: format!("at move {moves} of the line: {name} was not written; the answer stands"),
            },
            SolveError::NotApplicable(why) => Failure::usage(format!("{name} was not written: {why}")),
            other => Failure::unsolved(other),
        })?;
        remark(&mut file, format, &line).map_err(|error| file.failure(&error))?;
        file.finish()?;
        let (repeats, repeats_from) = match line.stop {
            Stop::Repeats(number) => (true, number),
            _ => (false, None),
        };
        Ok(json::LineFile { file: name, moves: line.moves, repeats, repeats_from })
    }
}

fn header(out: &mut impl Write, players: &[String], counted: bool) -> io::Result<()> {
    out.write_all(b"number,player,move")?;
    if counted {
        out.write_all(b",gain")?;
        for player in players {
            write!(out, ",{}_total", player.replace(' ', "_"))?;
        }
    }
    writeln!(out)
}

fn row(out: &mut impl Write, format: Format, players: &[String], moved: &LineMove<'_>) -> io::Result<()> {
    let player = players.get(moved.mover.index()).map_or("", String::as_str);
    let label = &moved.play.label;
    if format == Format::Lines {
        json::write(&mut *out, &json::line_move(moved))?;
        return out.write_all(b"\n");
    }
    write!(out, "{},{player},", moved.number)?;
    cell(out, label)?;
    if let Some(gain) = moved.gain() {
        write!(out, ",{gain}")?;
    }
    for total in moved.totals {
        write!(out, ",{total}")?;
    }
    out.write_all(b"\n")
}

/// What is to say behind the last move: that the end pays, or that play goes on for ever.
fn remark(out: &mut impl Write, format: Format, line: &WholeLine) -> io::Result<()> {
    let text = match (&line.stop, &line.paid) {
        (Stop::Repeats(Some(number)), _) => format!("repeats from move {number} on"),
        (Stop::Repeats(None), _) => "repeats".to_string(),
        (_, Some(paid)) => {
            let paid: Vec<String> = paid.iter().map(i64::to_string).collect();
            format!("the end pays {}", paid.join(" : "))
        }
        _ => return Ok(()),
    };
    if format == Format::Lines {
        json::write(&mut *out, &json::line_remark(&text, &line.totals))?;
        return out.write_all(b"\n");
    }
    out.write_all(b",,")?;
    cell(out, &text)?;
    if !line.totals.is_empty() {
        out.write_all(b",")?;
    }
    for total in &line.totals {
        write!(out, ",{total}")?;
    }
    out.write_all(b"\n")
}

/// A text of CSV, in quotes where it needs them.
fn cell(out: &mut impl Write, text: &str) -> io::Result<()> {
    if text.contains([',', '"', '\n', '\r']) {
        write!(out, "\"{}\"", text.replace('"', "\"\""))
    } else {
        out.write_all(text.as_bytes())
    }
}
