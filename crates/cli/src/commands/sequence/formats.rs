//! The values for programs that read them as they come: JSON lines, CSV.

use perfectplay::json;
use perfectplay::sequence::{Sequence, SequenceError, Term};
use perfectplay::solving::Monitor;

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
        Stream { next: 0, line: |n, term| json::text(&json::term_line(n, term)) + "\n", head: "" }
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
                sequence.look(end, monitor)?;
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
