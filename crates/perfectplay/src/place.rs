//! Where a text stops being JSON, in words and with a mark.

/// What is wrong with a text that is no JSON: a few words, and the line with its place marked where it is short.
pub(crate) fn unreadable(text: &str, error: &serde_json::Error) -> String {
    if text.trim().is_empty() {
        return "it is empty".to_string();
    }
    let what = match error.classify() {
        serde_json::error::Category::Eof => "it ends too early: a bracket or a quote is not closed",
        _ => "this is no JSON",
    };
    let Some(line) = text.lines().nth(error.line().saturating_sub(1)) else { return what.to_string() };
    // The column is that of the last byte that was read.
    let end = matches!(error.classify(), serde_json::error::Category::Eof);
    let at = if end { line.len() } else { error.column().saturating_sub(1).min(line.len()) };
    let at = line.floor_char_boundary(at);
    let before: String = line[..at].chars().rev().take(40).collect::<Vec<_>>().into_iter().rev().collect();
    let after: String = line[at..].chars().take(30).collect();
    let number = if error.line() > 1 { format!(", line {}", error.line()) } else { String::new() };
    format!("{what}\n    {before}{after}\n    {}^ here{number}", " ".repeat(before.chars().count()))
}

#[cfg(test)]
mod tests {
    use super::unreadable;

    fn message(text: &str) -> String {
        unreadable(text, &serde_json::from_str::<serde_json::Value>(text).unwrap_err())
    }

    #[test]
    fn the_place_is_marked() {
        assert_eq!(
            message(r#"{"n": 5"#),
            "it ends too early: a bracket or a quote is not closed\n    {\"n\": 5\n           ^ here"
        );
        assert_eq!(message(r#"{"n": x}"#), "this is no JSON\n    {\"n\": x}\n          ^ here");
        assert_eq!(message("[1,\n é]"), "this is no JSON\n     é]\n     ^ here, line 2");
        assert_eq!(message("  "), "it is empty");
    }
}
