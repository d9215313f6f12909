//! Numbers in texts for people.

/// A number with its thousands set apart.
///
/// ```
/// assert_eq!(engine::numbers::grouped(1234567), "1,234,567");
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

/// A number that is only estimated: its first two digits.
///
/// ```
/// assert_eq!((engine::numbers::rounded(34_306_988), engine::numbers::rounded(461)), ("34,000,000".to_string(), "460".to_string()));
/// ```
pub fn rounded(number: u64) -> String {
    let unit = 10u64.pow(number.max(1).ilog10().saturating_sub(1));
    grouped(number / unit * unit)
}
