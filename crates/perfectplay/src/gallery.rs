//! The gallery: games that come with the library, by name.
//!
//! ```
//! let kayles = perfectplay::gallery::find("kayles").unwrap();
//! assert_eq!(perfectplay::solve(kayles, r#"{"rows": [7]}"#).unwrap().nimber, Some(2));
//! assert!(perfectplay::gallery::GALLERY.len() > 50);
//! ```

use rules::suggest::nearest;

/// Every game of the gallery: its name and its rules file.
///
/// ```
/// let names: Vec<&str> = perfectplay::gallery::GALLERY.iter().map(|(name, _)| *name).collect();
/// assert!(names.contains(&"coins") && names.is_sorted());
/// ```
pub const GALLERY: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/gallery.rs"));

/// The rules file of a game of the gallery.
///
/// ```
/// assert!(perfectplay::gallery::find("nim").unwrap().contains("game nim"));
/// assert_eq!(perfectplay::gallery::find("chess"), None);
/// ```
pub fn find(name: &str) -> Option<&'static str> {
    GALLERY.iter().find(|(known, _)| *known == name).map(|(_, source)| *source)
}

/// The name of a game of the gallery that is spelled almost like this.
///
/// ```
/// assert_eq!(perfectplay::gallery::similar("conis"), Some("coins"));
/// assert_eq!(perfectplay::gallery::similar("tic-tac-toe"), Some("tic_tac_toe"));
/// ```
pub fn similar(name: &str) -> Option<&'static str> {
    let name = name.replace(['-', ' '], "_");
    let same = GALLERY.iter().map(|(known, _)| *known).find(|known| *known == name);
    same.or_else(|| nearest(&name, GALLERY.iter().map(|(known, _)| *known)))
}
