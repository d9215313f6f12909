//! The values for programs: one JSON object, JSON lines, CSV.

use heaps::period::Proof;
use perfectplay::Monitor;
use serde_json::{Map, Value, json};
use solve::sequence::{Repeats, Sequence, SequenceError, Summary, Term};

use super::subject::Subject;
use crate::output;

/// So many terms are written at a time.
const CHUNK: u64 = 1 << 14;

/// Terms that are written as they come, one a line.
pub struct Stream {
    next: u64,
    line: fn(i64, &Term) -> String,
    head: &'static str,
}

impl Stream {
    /// JSON lines: `{"n":5,"value":4}`.
    pub fn lines() -> Stream {
        Stream { next: 0, line: |n, term| format!("{{\"n\":{n},\"value\":{}}}\n", term.json()), head: "" }
    }

    /// CSV with a header.
    pub fn csv() -> Stream {
        Stream { next: 0, line: |n, term| format!("{n},{}\n", quoted(&term.to_string())), head: "n,value\n" }
    }

    /// Writes what is new; whether anybody still reads. Much may be new at once, where a period was proved, so the limits
    /// hold here too.
    pub fn flush(&mut self, sequence: &Sequence, monitor: &mut Monitor) -> Result<bool, SequenceError> {
        let known = sequence.known();
        while self.next < known {
            let end = (self.next + CHUNK).min(known);
            let mut text = std::mem::take(&mut self.head).to_string();
            for index in self.next..end {
                let Some(term) = sequence.term(index) else { break };
                text.push_str(&(self.line)(sequence.parameter(index), &term));
            }
            self.next = end;
            if !output::print_plain(&text) {
                return Ok(false);
            }
            if end < known {
                let at = sequence.parameter(end);
                monitor.look(end, end).map_err(|error| SequenceError::Solve { at, error })?;
            }
        }
        Ok(true)
    }

    /// How many terms are written.
    pub fn written(&self) -> u64 {
        self.next
    }
}

/// A field of CSV.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_string() }
}

/// One object, its values last; these are written in pieces, since there may be many.
pub fn json(subject: &Subject, summary: &Summary, seconds: f64, bytes: u64, error: Option<Value>) {
    let sequence = &subject.sequence;
    let mut object = Map::new();
    object.insert("game".into(), json!(subject.game));
    object.insert("instance".into(), Value::Object(subject.fixed.clone()));
    object.insert("parameter".into(), json!(subject.parameter));
    object.insert("from".into(), json!(sequence.from()));
    object.insert("to".into(), json!(sequence.to()));
    object.insert("terms".into(), json!(summary.terms));
    if !summary.kind.is_empty() {
        object.insert("kind".into(), json!(summary.kind));
    }
    if let Some(period) = &summary.period {
        let Repeats { start, length, saltus, proof } = period;
        let proof = match proof {
            Proof::Theorem(name) => format!("theorem: {name}"),
            Proof::Observed => "observed, not proved".to_string(),
        };
        object.insert("period".into(), json!({ "start": start, "length": length, "saltus": saltus, "proof": proof }));
    }
    if let Some(largest) = summary.largest {
        object.insert("largest".into(), json!({ "value": largest.value, "at": largest.at }));
    }
    if let Some(rare) = &summary.rare {
        object.insert("rare".into(), json!({ "mask": rare.mask, "count": rare.at.len(), "last": rare.at.last() }));
    }
    object.insert("method".into(), json!(sequence.method()));
    object.insert("proof".into(), json!(sequence.proof()));
    object.insert("seconds".into(), json!(seconds));
    object.insert("bytes".into(), json!(bytes));
    if let Some(error) = error {
        object.insert("error".into(), error);
    }
    let text = Value::Object(object).to_string();
    let mut text = format!("{},\"values\":[", text.strip_suffix('}').unwrap_or(&text));
    for index in 0..sequence.known() {
        let Some(term) = sequence.term(index) else { break };
        if index > 0 {
            text.push(',');
        }
        text.push_str(&term.json().to_string());
        if index % CHUNK == CHUNK - 1 && !output::print_plain(&std::mem::take(&mut text)) {
            return;
        }
    }
    text.push_str("]}\n");
    output::print_plain(&text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(quoted("5"), "5");
        assert_eq!(quoted("∞{1,2}"), "\"∞{1,2}\"");
        assert_eq!(quoted("a\"b"), "\"a\"\"b\"");
    }
}
