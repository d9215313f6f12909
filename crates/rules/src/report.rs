//! Diagnostics drawn over the source, for people.

use std::borrow::Cow;

use ariadne::{Color, Config, IndexType, Label, Report, ReportKind, Source};

use crate::diagnostic::Diagnostic;

/// How many diagnostics are drawn. The rest is only counted.
pub const MOST: usize = 20;

/// The longest line, in bytes, that is drawn whole.
const LONGEST_LINE: usize = 400;

/// The longest message, in bytes, that is printed whole.
const LONGEST_MESSAGE: usize = 1000;

/// All diagnostics as text: each with a title, the marked source line, notes, and how to mend it.
pub fn report(file: &str, source: &str, diagnostics: &[Diagnostic], colour: bool) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics.iter().take(MOST) {
        text.push_str(&draw(file, source, diagnostic, colour));
    }
    if diagnostics.len() > MOST {
        text.push_str(&format!("… and {} more\n", diagnostics.len() - MOST));
    }
    text
}

fn draw(file: &str, source: &str, diagnostic: &Diagnostic, colour: bool) -> String {
    let Some((span, label)) = &diagnostic.label else {
        let mut text = format!("Error: {}\n", short(&diagnostic.title));
        diagnostic.notes.iter().for_each(|note| text.push_str(&format!("  Note: {note}\n")));
        diagnostic.help.iter().for_each(|help| text.push_str(&format!("  Help: {help}\n")));
        return text;
    };
    let excerpt = Excerpt::of(source, boundary(source, span.range().start));
    let clip = |range: std::ops::Range<usize>| {
        let end = excerpt.place(boundary(source, range.end));
        let start = excerpt.place(boundary(source, range.start)).min(end);
        (file, start..end)
    };
    let config = Config::default().with_index_type(IndexType::Byte).with_color(colour);
    let place = clip(span.range());
    let mut report =
        Report::build(ReportKind::Error, place.clone()).with_config(config).with_message(short(&diagnostic.title));
    report = report.with_label(Label::new(place).with_message(short(label)).with_color(Color::Red).with_order(-1));
    for (span, text) in &diagnostic.related {
        report = report.with_label(Label::new(clip(span.range())).with_message(short(text)).with_color(Color::Blue));
    }
    for note in &diagnostic.notes {
        report = report.with_note(note);
    }
    if let Some(help) = &diagnostic.help {
        report = report.with_help(short(help));
    }
    let mut bytes = Vec::new();
    match report.finish().write((file, Source::from(&*excerpt.text)), &mut bytes) {
        Ok(()) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(_) => format!("Error: {}\n", short(&diagnostic.title)),
    }
}

/// A message without the middle of a very long name or text in it.
fn short(text: &str) -> Cow<'_, str> {
    if text.len() <= LONGEST_MESSAGE {
        return Cow::Borrowed(text);
    }
    let (low, high) = (boundary(text, LONGEST_MESSAGE / 2), boundary(text, text.len() - LONGEST_MESSAGE / 4));
    Cow::Owned(format!("{}…{}", &text[..low], &text[high..]))
}

/// The nearest place at or before `place` where a character starts.
fn boundary(source: &str, place: usize) -> usize {
    let mut place = place.min(source.len());
    while !source.is_char_boundary(place) {
        place -= 1;
    }
    place
}

/// The source with very long lines cut to what is near a place, so that a report stays readable.
struct Excerpt<'s> {
    text: Cow<'s, str>,
    cuts: Vec<Cut>,
}

/// A line that was cut.
struct Cut {
    /// The line in the source.
    line: std::ops::Range<usize>,
    /// The part of it that is kept.
    kept: std::ops::Range<usize>,
    /// Where that part starts in the excerpt.
    moved: usize,
}

impl<'s> Excerpt<'s> {
    /// Cuts around `place`; other long lines keep their beginning.
    fn of(source: &'s str, place: usize) -> Excerpt<'s> {
        if source.split('\n').all(|line| line.len() <= LONGEST_LINE) {
            return Excerpt { text: Cow::Borrowed(source), cuts: Vec::new() };
        }
        let mut text = String::new();
        let mut cuts = Vec::new();
        let mut start = 0;
        for line in source.split_inclusive('\n') {
            let body = line.trim_end_matches('\n');
            let end = start + body.len();
            if body.len() <= LONGEST_LINE {
                text.push_str(line);
            } else {
                let centre = if (start..=end).contains(&place) { place } else { start };
                let low = boundary(source, centre.saturating_sub(LONGEST_LINE / 4).max(start));
                let high = boundary(source, (low + LONGEST_LINE * 3 / 4).min(end));
                text.push_str(if low > start { "…" } else { "" });
                cuts.push(Cut { line: start..end, moved: text.len(), kept: low..high });
                text.push_str(&source[low..high]);
                text.push('…');
                text.push_str(&line[body.len()..]);
            }
            start += line.len();
        }
        Excerpt { text: Cow::Owned(text), cuts }
    }

    /// Where a place of the source is in the excerpt.
    fn place(&self, place: usize) -> usize {
        let before = self.cuts.partition_point(|cut| cut.line.start <= place);
        let Some(cut) = before.checked_sub(1).map(|index| &self.cuts[index]) else {
            return place.min(self.text.len());
        };
        if place <= cut.line.end {
            return cut.moved + place.clamp(cut.kept.start, cut.kept.end) - cut.kept.start;
        }
        (cut.moved + cut.kept.len() + '…'.len_utf8() + place - cut.line.end).min(self.text.len())
    }
}
