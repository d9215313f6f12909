//! Numbers in texts for people, and numbers by chance.

use std::fmt::Display;

#[doc(inline)]
pub use game::Random;
#[doc(inline)]
pub use solve::numbers::grouped;

/// `1 position`, `2 positions`.
///
/// ```
/// assert_eq!(perfectplay::numbers::plural(1, "position"), "1 position");
/// assert_eq!(perfectplay::numbers::plural(2000, "position"), "2,000 positions");
/// ```
pub fn plural(number: u64, noun: impl Display) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}
