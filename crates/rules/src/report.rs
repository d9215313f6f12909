//! Diagnostics drawn over the source, for people.

use ariadne::{Color, Config, IndexType, Label, Report, ReportKind, Source};

use crate::diagnostic::Diagnostic;

/// How many diagnostics are drawn before the rest is only counted.
pub const MOST: usize = 20;

/// All diagnostics as text: for each a title, the source line with the place marked, notes, and how to mend it.
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
        let mut text = format!("Error: {}\n", diagnostic.title);
        diagnostic.notes.iter().for_each(|note| text.push_str(&format!("  Note: {note}\n")));
        diagnostic.help.iter().for_each(|help| text.push_str(&format!("  Help: {help}\n")));
        return text;
    };
    let clip = |range: std::ops::Range<usize>| {
        let end = range.end.min(source.len());
        let start = range.start.min(end);
        (file, start..end)
    };
    let config = Config::default().with_index_type(IndexType::Byte).with_color(colour);
    let place = clip(span.range());
    let mut report =
        Report::build(ReportKind::Error, place.clone()).with_config(config).with_message(&diagnostic.title);
    report = report.with_label(Label::new(place).with_message(label).with_color(Color::Red).with_order(-1));
    for (span, text) in &diagnostic.related {
        report = report.with_label(Label::new(clip(span.range())).with_message(text).with_color(Color::Blue));
    }
    for note in &diagnostic.notes {
        report = report.with_note(note);
    }
    if let Some(help) = &diagnostic.help {
        report = report.with_help(help);
    }
    let mut bytes = Vec::new();
    match report.finish().write((file, Source::from(source)), &mut bytes) {
        Ok(()) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(_) => format!("Error: {}\n", diagnostic.title),
    }
}
