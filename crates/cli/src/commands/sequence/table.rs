//! The values for people: rows of ten, and what there is to say of them.

use perfectplay::language::show::cut;
use perfectplay::sequence::{PeriodProof, Repeats, Source, Summary, Term, TermKind};

use super::subject::Subject;
use crate::judgements::described;
use crate::output::{self, FAINT, Rows, STRONG, count, plural, seconds_text, styled};

/// Where the right column of the summary starts.
pub const INDENT: usize = 14;
/// More rows than this are cut in the middle.
const MOST_ROWS: u64 = 24;
/// Rows that are left at the start and at the end.
const FIRST_ROWS: u64 = 12;
const LAST_ROWS: u64 = 6;
/// Values in a row, where they fit.
const ACROSS: [u64; 4] = [10, 5, 2, 1];

pub fn text(subject: &Subject, summary: &Summary, seconds: f64, plot: Option<&str>) -> String {
    let mut text = title(subject);
    text.push_str(&format!("\n{}\n", rows(subject)));
    if let Some(plot) = plot {
        text.push_str(&format!("{plot}\n"));
    }
    text.push_str(&summary_text(subject, summary, seconds));
    text
}

/// The game, what is fixed and what runs.
pub fn title(subject: &Subject) -> String {
    let words = subject.words(|word| cut(60, &word));
    let indent = subject.game.chars().count() + 2;
    let words = output::prose(&words.join(" "), indent, output::width());
    format!("{}  {}\n", styled(&subject.game, STRONG), styled(words, FAINT))
}

fn rows(subject: &Subject) -> String {
    let sequence = &subject.sequence;
    let known = sequence.known();
    let valued = sequence.term(0).is_some_and(|term| term.form.is_some());
    let cell = |index: u64| match sequence.term(index) {
        Some(Term { form: Some(form), .. }) => described(&form),
        Some(term) => term.to_string(),
        None => String::new(),
    };
    let label = |index: u64| sequence.parameter(index).to_string();
    let labels = label(0).len().max(label(known.saturating_sub(1)).len());
    for across in ACROSS {
        let rows = known.div_ceil(across);
        let shown: Vec<u64> = match rows > MOST_ROWS {
            true => (0..FIRST_ROWS).chain(rows - LAST_ROWS..rows).collect(),
            false => (0..rows).collect(),
        };
        let cells = |row: u64| (row * across..((row + 1) * across).min(known)).map(cell);
        let widest = shown.iter().flat_map(|&row| cells(row)).map(|text| text.chars().count()).max().unwrap_or(1);
        if across > 1 && (valued || labels + 1 + across as usize * (widest + 2) > output::width()) {
            continue;
        }
        let mut text = String::new();
        for (position, &row) in shown.iter().enumerate() {
            if position > 0 && shown[position - 1] + 1 < row {
                text.push_str(&styled(format!("{:>labels$}", "…"), FAINT));
                text.push('\n');
            }
            text.push_str(&styled(format!("{:>labels$}:", label(row * across)), FAINT));
            cells(row).for_each(|cell| match valued {
                true => text.push_str(&format!("  {cell}")),
                false => text.push_str(&format!("  {cell:>widest$}")),
            });
            text.push('\n');
        }
        return text;
    }
    String::new()
}

/// A kind of values in words.
pub fn kind_text(kind: Option<TermKind>) -> &'static str {
    match kind {
        Some(TermKind::Nimber) => "nimbers",
        Some(TermKind::Loopy) => "nimbers, some of them loopy",
        Some(TermKind::Score) => "scores, seen by the player who starts",
        Some(TermKind::Payoffs) => "totals of the players",
        Some(TermKind::Outcome) => "results of the player who starts",
        Some(TermKind::Value) => "canonical forms",
        Some(TermKind::Mixed) | None => "values of several kinds",
    }
}

fn summary_text(subject: &Subject, summary: &Summary, seconds: f64) -> String {
    let (sequence, name) = (&subject.sequence, &subject.parameter);
    let mut rows = Rows::new(INDENT);
    rows.prose("values", kind_text(summary.kind));
    if let Some(unvalued) = sequence.unvalued() {
        let (first, why) = (unvalued.first, &unvalued.why);
        let which = match unvalued.count {
            1 => format!("at {name}={first}"),
            more => format!("for {} terms, the first at {name}={first}", count(more)),
        };
        rows.prose("no value", &format!("{which}: {why}"));
    }
    let period_text = |period: Repeats| {
        let adds = if period.saltus == 0 { String::new() } else { format!(", each time {} more", period.saltus) };
        let proof = match period.proof {
            PeriodProof::Theorem(theorem) => format!("proved: {theorem}"),
            PeriodProof::Observed => "observed in these values, not proved".to_string(),
        };
        let upto = period.upto.map_or(String::new(), |upto| format!(" up to {name}={upto}"));
        format!("{} from {name}={} on{upto}{adds}; {proof}", count(period.length), period.start)
    };
    rows.prose("period", &summary.period.map_or("none found".to_string(), period_text));
    if let Some(period) = summary.temperature_period {
        rows.prose("temperature", &format!("period {}", period_text(period)));
    }
    if let Some(largest) = summary.largest {
        rows.prose("largest", &format!("{} at {name}={}", largest.value, largest.at));
    }
    if let Some(rare) = &summary.rare {
        let last = rare.at.last().map_or(String::new(), |last| format!(", the last at {name}={last}"));
        rows.prose("rare values", &format!("{}{last} (mask {:#b})", count(rare.at.len() as u64), rare.mask));
    }
    let each = match sequence.source() {
        Source::Instances(instances) if instances.shared() > 0 => ", one table for many instances",
        Source::Instances(_) => ", each instance by itself",
        Source::Heaps(_) => "",
    };
    let terms = plural(summary.terms, "term");
    rows.prose(
        "proof",
        &format!("{}; {terms}, {}{each}, {}", sequence.proof(), sequence.method(), seconds_text(seconds)),
    );
    rows.text()
}
