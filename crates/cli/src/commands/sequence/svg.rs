//! The values as a picture: SVG, which browsers and papers take.
//!
//! A point is a dot on a grid of at most 1000 by 400 places, so that a million terms make a file of a few megabytes at the
//! most. Where the grid is finer than dots are, dots one above the other are drawn as one line.

use std::fmt::Write as _;

use perfectplay::sequence::{PeriodProof, SequenceError, Summary, TermKind};
use perfectplay::solving::Monitor;

use super::raster::{Frame, POINT, RARE, Raster, ticks};
use super::subject::Subject;
use crate::output::plural;
use crate::svg::{self, escaped, short};

/// The size of the picture, and where in it the values are drawn.
const SIZE: (f64, f64) = (1100.0, 552.0);
const LEFT: f64 = 80.0;
const TOP: f64 = 72.0;
const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 400.0;
/// The finest grid.
const COLUMNS: u64 = 1000;
const ROWS: u64 = 400;
/// From so many rows on dots touch, and are drawn as lines.
const TOUCHING: usize = 200;
/// From so many columns on dots touch. They are drawn as upright strokes where there is room for these, so that each is seen.
const CLOSE: usize = 200;
/// The longest such stroke, and how much of the room between two rows it takes.
const STROKE: f64 = 8.0;
const SHARE: f64 = 0.4;

const STYLE: &str = "text{font-family:sans-serif;font-size:13px;fill:#333}.title{font-size:17px}\
.axis{stroke:#333;stroke-width:1}.grid{stroke:#ddd;stroke-width:1}\
.period{stroke:#888;stroke-width:1;stroke-dasharray:4 4}.note{fill:#777}\
.point,.rare{fill:none;stroke-linecap:round}.point{stroke:#2563a8}.rare{stroke:#d1491f}";

/// The picture of a sequence.
pub fn picture(subject: &Subject, summary: &Summary, monitor: &mut Monitor) -> Result<String, SequenceError> {
    let (width, height) = SIZE;
    let title = title(subject);
    let mut text = svg::begin(width, height, STYLE, &title);
    let title = escaped(&title);
    let _ = writeln!(text, "<text class=\"title\" x=\"{LEFT}\" y=\"26\">{title}</text>");
    let _ = writeln!(text, "<text x=\"{LEFT}\" y=\"46\">{}</text>", escaped(&summary_text(subject, summary)));
    match Frame::of(&subject.sequence, monitor)? {
        None => {
            let _ = writeln!(text, "<text x=\"{LEFT}\" y=\"{}\">The values are no numbers.</text>", TOP + 40.0);
        }
        Some(frame) => {
            axes(&mut text, subject, summary, frame);
            period(&mut text, summary, frame);
            points(&mut text, (subject, monitor), summary, frame)?;
            legend(&mut text, summary);
        }
    }
    text.push_str(svg::END);
    Ok(text)
}

fn title(subject: &Subject) -> String {
    let words: String = subject.words(|word| word).join(" ").chars().take(110).collect();
    format!("{} {words}", subject.game)
}

fn summary_text(subject: &Subject, summary: &Summary) -> String {
    let name = &subject.parameter;
    let mut facts = vec![plural(summary.terms, "term")];
    if let Some(period) = summary.period {
        let proof = if matches!(period.proof, PeriodProof::Observed) { "observed" } else { "proved" };
        let repeats = match period.saltus {
            0 => format!("period {}", period.length),
            saltus => format!("every {} add {saltus}", plural(period.length, "term")),
        };
        facts.push(format!("{repeats} from {name}={} on ({proof})", period.start));
    }
    if let Some(largest) = summary.largest {
        facts.push(format!("largest value {} at {name}={}", largest.value, largest.at));
    }
    facts.join(", ")
}

/// Where in the picture a number is that lies between two others.
fn along(number: i64, low: i64, high: i64, length: f64) -> f64 {
    let span = high as f64 - low as f64;
    if span <= 0.0 { 0.0 } else { (number as f64 - low as f64) / span * length }
}

fn axes(text: &mut String, subject: &Subject, summary: &Summary, frame: Frame) {
    let bottom = TOP + HEIGHT;
    let results = summary.kind == Some(TermKind::Outcome);
    for tick in ticks(frame.low, frame.high, 8) {
        let y = bottom - along(tick, frame.low, frame.high, HEIGHT);
        let tick = match tick {
            -1 if results => "lose".to_string(),
            0 if results => "draw".to_string(),
            1 if results => "win".to_string(),
            number => number.to_string(),
        };
        let _ = writeln!(text, "<path class=\"grid\" d=\"M{LEFT} {y:.1}h{WIDTH}\"/>");
        let _ = writeln!(text, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{tick}</text>", LEFT - 12.0, y + 4.0);
    }
    for tick in ticks(frame.first, frame.last, 10) {
        let x = LEFT + along(tick, frame.first, frame.last, WIDTH);
        let _ = writeln!(text, "<path class=\"axis\" d=\"M{x:.1} {}v6\"/>", bottom + 6.0);
        let y = bottom + 28.0;
        let _ = writeln!(text, "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{tick}</text>");
    }
    let _ = writeln!(
        text,
        "<path class=\"axis\" fill=\"none\" d=\"M{} {TOP}V{}H{}\"/>",
        LEFT - 6.0,
        bottom + 6.0,
        LEFT + WIDTH
    );
    let name = escaped(&subject.parameter);
    let (x, y) = (LEFT + WIDTH / 2.0, bottom + 50.0);
    let _ = writeln!(text, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{name}</text>");
    let middle = TOP + HEIGHT / 2.0;
    let value = match summary.kind {
        Some(TermKind::Outcome) => "result",
        Some(TermKind::Nimber) => "nimber",
        Some(TermKind::Score) => "score",
        _ => "value",
    };
    let _ = writeln!(
        text,
        "<text x=\"22\" y=\"{middle}\" text-anchor=\"middle\" transform=\"rotate(-90 22 {middle})\">{value}</text>"
    );
}

/// Where the period starts.
fn period(text: &mut String, summary: &Summary, frame: Frame) {
    let Some(period) = summary.period.filter(|period| frame.first < period.start && period.start <= frame.last) else {
        return;
    };
    let x = along(period.start, frame.first, frame.last, WIDTH);
    let (anchor, aside) = if x < WIDTH * 0.8 { ("start", 4.0) } else { ("end", -4.0) };
    let x = LEFT + x;
    let _ = writeln!(text, "<path class=\"period\" d=\"M{x:.1} {}V{}\"/>", TOP - 14.0, TOP + HEIGHT + 6.0);
    let (x, y) = (x + aside, TOP - 6.0);
    let words = format!("repeats from {} on", period.start);
    let _ = writeln!(text, "<text class=\"note\" x=\"{x:.1}\" y=\"{y}\" text-anchor=\"{anchor}\">{words}</text>");
}

fn points(
    text: &mut String,
    (subject, monitor): (&Subject, &mut Monitor),
    summary: &Summary,
    frame: Frame,
) -> Result<(), SequenceError> {
    let columns = frame.parameters().min(COLUMNS) as usize;
    let rows = frame.values().min(ROWS) as usize;
    let raster = Raster::draw((&subject.sequence, monitor), summary, frame, columns, rows)?;
    let dot = match (columns > CLOSE, stroke(&raster)) {
        (false, _) => 5.0,
        (true, None) => 2.0,
        (true, Some(_)) => (WIDTH / columns as f64).clamp(1.0, 2.0),
    };
    for (class, wanted, dot) in [("point", POINT, dot), ("rare", RARE, dot + 1.0)] {
        let path = path(&raster, |marks| marks & wanted != 0 && (wanted == RARE || marks & RARE == 0));
        if !path.is_empty() {
            let _ = writeln!(text, "<path class=\"{class}\" stroke-width=\"{dot}\" d=\"{path}\"/>");
        }
    }
    Ok(())
}

/// The length of the strokes that dots are drawn as, if they are.
fn stroke(raster: &Raster) -> Option<f64> {
    let room = if raster.rows > 1 { HEIGHT / (raster.rows - 1) as f64 } else { HEIGHT };
    let length = (room * SHARE).min(STROKE);
    (raster.columns > CLOSE && length >= 3.0).then_some(length)
}

/// The dots whose marks are wanted.
fn path(raster: &Raster, wanted: impl Fn(u8) -> bool) -> String {
    let mut path = String::new();
    let pitch = |cells: usize, length: f64| if cells > 1 { length / (cells - 1) as f64 } else { 0.0 };
    let (across, up) = (pitch(raster.columns, WIDTH), pitch(raster.rows, HEIGHT));
    let stroke = stroke(raster);
    for column in 0..raster.columns {
        let x = short(LEFT + column as f64 * across);
        let mut row = 0;
        while row < raster.rows {
            if !wanted(raster.at(column, row)) {
                row += 1;
                continue;
            }
            let mut top = row;
            while raster.rows >= TOUCHING && top + 1 < raster.rows && wanted(raster.at(column, top + 1)) {
                top += 1;
            }
            let y = TOP + HEIGHT - row as f64 * up;
            if let Some(length) = stroke {
                let _ = write!(path, "M{x} {}v-{}", short(y + length / 2.0), short(length));
                row = top + 1;
                continue;
            }
            let _ = write!(path, "M{x} {}", short(y));
            let _ = if top > row { write!(path, "v-{}", short((top - row) as f64 * up)) } else { write!(path, "h0") };
            row = top + 1;
        }
    }
    path
}

fn legend(text: &mut String, summary: &Summary) {
    let Some(rare) = summary.rare.as_ref().filter(|rare| !rare.at.is_empty()) else { return };
    let (x, y) = (LEFT, SIZE.1 - 30.0);
    let _ = writeln!(text, "<path class=\"rare\" stroke-width=\"7\" d=\"M{x} {}h0\"/>", y - 4.0);
    let _ = writeln!(
        text,
        "<text x=\"{}\" y=\"{y}\">{} (mask {:#b})</text>",
        x + 10.0,
        plural(rare.at.len() as u64, "rare value"),
        rare.mask
    );
}
