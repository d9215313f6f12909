//! The values as a plot in the terminal: eight dots a character.

use perfectplay::sequence::{SequenceError, Summary, TermKind};
use perfectplay::solving::Monitor;

use super::raster::{Frame, POINT, RARE, Raster, place, ticks};
use super::subject::Subject;
use crate::output::{self, EVEN, FAINT, styled};

/// The height of a plot in lines, at most.
const LINES: usize = 16;
/// Braille characters are two dots wide and four high. The bits of the dots, from the top left down.
const DOTS: [[u32; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

/// The plot with its axes, as wide as the output.
pub fn text(subject: &Subject, summary: &Summary, monitor: &mut Monitor) -> Result<String, SequenceError> {
    let sequence = &subject.sequence;
    let Some(frame) = Frame::of(sequence, monitor)? else {
        return Ok("no plot: the values are no numbers\n".to_string());
    };
    // Few values have a line or half a line each.
    let values = usize::try_from(frame.values()).unwrap_or(usize::MAX);
    let lines = if values <= LINES / 2 + 1 { values * 2 - 1 } else { values.min(LINES) };
    let results = summary.kind == Some(TermKind::Outcome);
    let named = |value: i64| match (results, value) {
        (true, 1) => "win".to_string(),
        (true, 0) => "draw".to_string(),
        (true, -1) => "lose".to_string(),
        _ => value.to_string(),
    };
    let labels = [frame.low, frame.high].map(|value| named(value).len()).into_iter().max().unwrap_or(1);
    let across = output::width().saturating_sub(labels + 2).max(10);
    let parameters = usize::try_from(frame.parameters()).unwrap_or(usize::MAX);
    let across = across.min(parameters.saturating_mul(2).max(20));
    let raster = Raster::draw((sequence, monitor), summary, frame, across * 2, lines * 4)?;
    let few = if results { 3 } else { (lines as u64 / 3).max(1) };
    let marks = ticks(frame.low, frame.high, few);
    let line_of = |value: i64| lines - 1 - place(value, frame.low, frame.high, lines * 4) / 4;
    let mut text =
        format!("{}\n", styled(format!("{:labels$} {}", "", if results { "result" } else { "value" }), FAINT));
    for line in 0..lines {
        let mark = marks.iter().find(|&&mark| line_of(mark) == line);
        let (label, axis) = mark.map_or((String::new(), '│'), |mark| (named(*mark), '┤'));
        text.push_str(&styled(format!("{label:>labels$} {axis}"), FAINT));
        let mut drawn = String::new();
        for column in 0..across {
            let (dots, rare) = dots(&raster, column, lines - 1 - line);
            let letter = if dots == 0 { ' ' } else { char::from_u32(0x2800 + dots).unwrap_or('*') };
            if rare { drawn.push_str(&styled(letter, EVEN)) } else { drawn.push(letter) }
        }
        text.push_str(drawn.trim_end());
        text.push('\n');
    }
    text.push_str(&styled(format!("{:labels$} └{}", "", "─".repeat(across)), FAINT));
    text.push('\n');
    let (first, last) = (frame.first.to_string(), frame.last.to_string());
    let room = across.saturating_sub(first.len() + last.len() + subject.parameter.chars().count());
    let (left, right) = (room / 2, room - room / 2);
    let below = format!("{:labels$}  {first}{:left$}{}{:right$}{last}", "", "", subject.parameter, "");
    text.push_str(&format!("{}\n", styled(below, FAINT)));
    Ok(text)
}

/// The dots of one character; line 0 is the lowest.
fn dots(raster: &Raster, column: usize, line: usize) -> (u32, bool) {
    let (mut dots, mut rare) = (0, false);
    for (x, bits) in DOTS.iter().enumerate() {
        for (y, bit) in bits.iter().enumerate() {
            let marks = raster.at(column * 2 + x, line * 4 + 3 - y);
            dots |= if marks & POINT != 0 { *bit } else { 0 };
            rare |= marks & RARE != 0;
        }
    }
    (dots, rare)
}
