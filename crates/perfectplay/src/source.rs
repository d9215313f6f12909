//! The text of a rules file, and where it comes from.

use crate::gallery;

/// The text of a rules file.
///
/// ```
/// use perfectplay::language::Rules;
///
/// let game = Rules::gallery("coins").unwrap().bind(r#"{"coins": [5, 3, 7, 10]}"#)?;
/// assert_eq!((game.players, game.start.parts.len()), (2, 1));
/// # Ok::<(), perfectplay::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Its path, or the game's name in the gallery: where messages say they come from.
    pub name: String,
    /// Its text.
    pub source: String,
}

impl Rules {
    /// Rules that come from no file.
    ///
    /// ```
    /// let rules = perfectplay::language::Rules::new("game g(n: int) { state { left in 0..=n = n; } move go { left -= 1; } }");
    /// assert_eq!(rules.program()?.name, "g");
    /// # Ok::<(), perfectplay::Error>(())
    /// ```
    pub fn new(source: impl Into<String>) -> Rules {
        Rules { name: "the rules".to_string(), source: source.into() }
    }

    /// The rules of a game of the gallery.
    ///
    /// ```
    /// assert!(perfectplay::language::Rules::gallery("nim").is_some());
    /// ```
    pub fn gallery(name: &str) -> Option<Rules> {
        gallery::find(name).map(|source| Rules { name: name.to_string(), source: source.to_string() })
    }
}
