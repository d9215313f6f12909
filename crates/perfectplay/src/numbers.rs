//! Numbers in texts for people, and numbers by chance.

#[doc(inline)]
pub use game::Random;

/// A number with its thousands set apart.
///
/// ```
/// assert_eq!(perfectplay::numbers::grouped(1234567), "1,234,567");
/// ```
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 position`, `2 positions`.
///
/// ```
/// assert_eq!(perfectplay::numbers::plural(1, "position"), "1 position");
/// assert_eq!(perfectplay::numbers::plural(2000, "position"), "2,000 positions");
/// ```
pub fn plural(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}
