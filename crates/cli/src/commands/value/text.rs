//! What an expression gives, for people.

use perfectplay::answer::OutcomeClass;
use perfectplay::values::{Facts, Found, Reach, Thermograph};

use crate::output::{FAINT, Rows, STRONG, styled};

/// Where the right column starts.
const INDENT: usize = 13;

/// What an expression gives; behind its own text where there are several.
pub fn found(found: &Found, drawn: Option<&Thermograph>, named: bool) -> String {
    let value = found.text.as_deref().unwrap_or("a value whose name is too long to write");
    let value = value.trim_end();
    let gap = if value.contains('\n') { "\n" } else { "  " };
    let mut text = match named {
        true => format!("{}{gap}{value}\n", styled(format!("{}:", found.expression), FAINT)),
        false => format!("{}\n", styled(value, STRONG)),
    };
    if let Some(facts) = &found.facts {
        text.push_str(&rows(facts));
    }
    if let (Some((left, right)), None) = (found.reach, &found.facts)
        && matches!(found.answer, perfectplay::values::Answer::Loopy(_))
    {
        let mut rows = Rows::new(INDENT);
        rows.prose("outcome", &format!("Left, who begins, {}; Right, who begins, {}", verb(left), verb(right)));
        text.push_str(&rows.text());
    }
    if let (Some(graph), Some(_)) = (drawn, &found.facts) {
        text.push_str(&format!("\n{}", graph.to_text()));
    }
    text
}

fn rows(facts: &Facts) -> String {
    let mut rows = Rows::new(INDENT);
    let outcome = match facts.outcome {
        OutcomeClass::L => "L: Left wins, whoever begins",
        OutcomeClass::R => "R: Right wins, whoever begins",
        OutcomeClass::N => "N: whoever begins wins",
        OutcomeClass::P => "P: whoever begins loses",
    };
    rows.prose("outcome", outcome);
    if let Some(mean) = facts.mean {
        rows.prose("mean", &mean.to_string());
    }
    if let Some(temperature) = facts.temperature {
        rows.prose("temperature", &temperature.to_string());
    }
    let (left, right) = facts.stops;
    rows.prose("stops", &format!("{left} and {right}"));
    rows.text()
}

fn verb(reach: Reach) -> &'static str {
    match reach {
        Reach::Win => "wins",
        Reach::Draw => "draws",
        Reach::Loss => "loses",
    }
}
