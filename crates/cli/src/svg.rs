//! What all pictures share: SVG without scripts, black on white, that browsers and papers take.

use std::fmt::Write as _;

/// The beginning of a picture; its title is for those who cannot see it.
pub fn begin(width: f64, height: f64, style: &str, title: &str) -> String {
    let (width, height) = (short(width), short(height));
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n"
    );
    let _ = writeln!(text, "<title>{}</title>", escaped(title));
    let _ = writeln!(text, "<style>{style}</style>\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>");
    text
}

/// The end of a picture.
pub const END: &str = "</svg>\n";

/// A coordinate with one decimal at most.
pub fn short(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_string)
}

/// Text that may stand in XML.
pub fn escaped(text: &str) -> String {
    let letters = text.chars().filter(|letter| !letter.is_control() && !matches!(letter, '\u{fffe}' | '\u{ffff}'));
    letters.fold(String::new(), |mut out, letter| {
        match letter {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            other => out.push(other),
        }
        out
    })
}

/// A text that is cut to so many letters.
pub fn cut(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
        false => text.to_string(),
    }
}
