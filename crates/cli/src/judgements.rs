//! What values tell of moves, for people.

use perfectplay::answer::Canonical;
use perfectplay::moves::RatedMove;
use perfectplay::values::{Judged, Mark};

use crate::output::{self, FAINT, Rows, styled};

/// Where the right column starts.
const INDENT: usize = 14;
/// So many parts are listed.
const SHOWN: usize = 20;
/// What a value is called whose name is very long.
const LONG: &str = "too long to be written out";

/// For each move what it leaves, and what becomes of it on the way to the canonical form.
pub fn judgements(moves: &[&RatedMove], judged: Option<&Judged>) -> Vec<String> {
    let Some(judged) = judged else { return Vec::new() };
    let each = judged.moves.iter().map(|mv| {
        let mut text = match (&mv.value, &mv.part, &mv.missing) {
            (Some(value), ..) => format!("leaves {}", name(value)),
            (None, Some((_, value)), _) => format!("leaves {} in its part", name(value)),
            (None, None, Some(why)) => format!("leaves a value that is not known: {why}"),
            (None, None, None) => "leaves a value that is not known".to_string(),
        };
        match &mv.mark {
            Mark::Kept => {}
            Mark::Dominated(by) => text.push_str(&format!(", dominated by {}", label(moves, *by))),
            Mark::Equal(to) => text.push_str(&format!(", equal to {}", label(moves, *to))),
            Mark::Reversible(through) => {
                text.push_str(&format!(", reversible through {}", through.as_deref().unwrap_or("a long value")));
            }
        }
        let hottest = mv.part.as_ref().and_then(|part| judged.parts.get(part.0)).is_some_and(|part| part.hottest);
        if hottest {
            text.push_str(", hottest");
        }
        text
    });
    each.collect()
}

fn label<'m>(moves: &[&'m RatedMove], index: usize) -> &'m str {
    moves.get(index).map_or("another", |mv| &mv.play.label)
}

/// The value of the position and of its parts. `noun` says what these are.
pub fn value_text(judged: &Judged, noun: &str) -> String {
    let mut rows = Rows::new(INDENT);
    if let Some(value) = &judged.value {
        rows.prose("value", &described(value));
    }
    if let Some(why) = &judged.missing {
        rows.prose("value", &format!("not known: {why}"));
    }
    for part in judged.parts.iter().take(SHOWN) {
        let hottest = if part.hottest { ": the hottest" } else { "" };
        rows.prose(noun, &format!("{}: {}{hottest}", part.name, described(&part.value)));
    }
    if judged.parts.len() > SHOWN {
        rows.prose("", &format!("… {} more", output::count((judged.parts.len() - SHOWN) as u64)));
    }
    styled(rows.text(), FAINT).to_string()
}

/// A value with its mean and temperature.
pub fn described(value: &Canonical) -> String {
    let mut text = name(value).to_string();
    if let Some(mean) = &value.mean {
        text.push_str(&format!(", mean {mean}"));
    }
    if let Some(temperature) = &value.temperature {
        text.push_str(&format!(", temperature {temperature}"));
    }
    text
}

fn name(value: &Canonical) -> &str {
    value.name.as_deref().unwrap_or(LONG)
}
