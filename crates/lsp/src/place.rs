//! Places in a text: bytes here, lines and UTF-16 units in the protocol.

use lsp_types::{Position, Range};
use perfectplay::language::Span;

/// The place of a byte.
pub fn position(text: &str, byte: usize) -> Position {
    let byte = text.floor_char_boundary(byte.min(text.len()));
    let before = &text[..byte];
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.bytes().filter(|byte| *byte == b'\n').count();
    let column: usize = before[start..].chars().map(char::len_utf16).sum();
    Position { line: line as u32, character: column as u32 }
}

/// The range of a span.
pub fn range(text: &str, span: Span) -> Range {
    let bytes = span.range();
    Range { start: position(text, bytes.start), end: position(text, bytes.end.max(bytes.start)) }
}

/// The byte of a place; the end of the line, or of the text, where the place is behind it.
pub fn byte(text: &str, position: Position) -> usize {
    let mut start = 0;
    for _ in 0..position.line {
        match text[start..].find('\n') {
            Some(at) => start += at + 1,
            None => return text.len(),
        }
    }
    let mut units = position.character as usize;
    let mut at = start;
    for c in text[start..].chars() {
        if c == '\n' || units < c.len_utf16() {
            break;
        }
        units -= c.len_utf16();
        at += c.len_utf8();
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_units_agree() {
        let text = "a é\n😀b\n\nx";
        for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
            assert_eq!(byte(text, position(text, at)), at);
        }
        assert_eq!(position(text, text.find('b').unwrap()), Position { line: 1, character: 2 });
        assert_eq!(byte(text, Position { line: 0, character: 99 }), 4);
        assert_eq!(byte(text, Position { line: 99, character: 0 }), text.len());
    }
}
