//! Exact arithmetic for forms: quadratic irrationals by integer square roots, sets of numbers with a name.

/// A number `(a + √d) / c`, such as the golden ratio `(1 + √5) / 2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surd {
    /// The whole part above the line.
    pub a: i64,
    /// Below the root.
    pub d: i64,
    /// Below the line.
    pub c: i64,
}

/// The numbers whose multiples are tried.
pub const SURDS: [Surd; 6] = [
    Surd { a: 1, d: 5, c: 2 },
    Surd { a: 3, d: 5, c: 2 },
    Surd { a: 0, d: 2, c: 1 },
    Surd { a: 2, d: 2, c: 1 },
    Surd { a: 0, d: 3, c: 1 },
    Surd { a: 3, d: 3, c: 2 },
];

impl Surd {
    /// `⌊k · (a + √d) / c⌋` for `k ≥ 0`; `None` where numbers are too large.
    pub fn floor_of(self, k: i64) -> Option<i64> {
        let root = isqrt(k.checked_mul(k)?.checked_mul(self.d)?)?;
        Some(k.checked_mul(self.a)?.checked_add(root)?.div_euclid(self.c))
    }

    /// The same in the rules language.
    pub fn text(self, k: &str) -> String {
        let k = in_brackets(k);
        let root = format!("isqrt({} * {k} * {k})", self.d);
        let top = match self.a {
            0 => root,
            1 => format!("{k} + {root}"),
            a => format!("{a} * {k} + {root}"),
        };
        match (self.c, self.a) {
            (1, _) => top,
            (c, 0) => format!("{top} / {c}"),
            (c, _) => format!("({top}) / {c}"),
        }
    }
}

/// A text that can be a factor: a name, an item, a call, or in brackets.
pub(crate) fn in_brackets(text: &str) -> String {
    let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
    let plain = match text.find(['(', '[']) {
        None => is_name(text),
        Some(at) => at > 0 && is_name(&text[..at]) && closes_last(&text[at..]),
    };
    if plain { text.to_string() } else { format!("({text})") }
}

/// Whether the bracket at the start is closed at the very end.
fn closes_last(text: &str) -> bool {
    let mut open = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => open += 1,
            ')' | ']' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return at + c.len_utf8() == text.len();
        }
    }
    false
}

/// The largest number whose square is at most `n`.
pub fn isqrt(n: i64) -> Option<i64> {
    (n >= 0).then(|| n.isqrt())
}

/// Whether a number is a square.
pub fn is_square(n: i64) -> bool {
    isqrt(n).is_some_and(|root| root * root == n)
}

/// Sets of numbers that occur in games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedSet {
    /// 0, 1, 4, 9, …
    Squares,
    /// 0, 1, 3, 6, …
    Triangular,
    /// 1, 2, 4, 8, …
    PowersOfTwo,
    /// 0, 1, 3, 7, …
    BelowPowersOfTwo,
    /// 0, 1, 2, 3, 5, 8, …
    Fibonacci,
    /// Numbers with an even number of ones in binary.
    Evil,
    /// `⌊k · s⌋` for k = 0, 1, 2, …
    Multiples(Surd),
}

impl NamedSet {
    /// All of them.
    pub fn all() -> impl Iterator<Item = NamedSet> {
        let plain = [
            NamedSet::Squares,
            NamedSet::Triangular,
            NamedSet::PowersOfTwo,
            NamedSet::BelowPowersOfTwo,
            NamedSet::Fibonacci,
            NamedSet::Evil,
        ];
        plain.into_iter().chain(SURDS.into_iter().map(NamedSet::Multiples))
    }

    /// Whether a number is a member.
    pub fn contains(self, n: i64) -> bool {
        if n < 0 {
            return false;
        }
        match self {
            NamedSet::Squares => is_square(n),
            NamedSet::Triangular => n.checked_mul(8).is_some_and(|eight| is_square(eight + 1)),
            NamedSet::PowersOfTwo => n > 0 && n & (n - 1) == 0,
            NamedSet::BelowPowersOfTwo => n & (n + 1) == 0,
            NamedSet::Fibonacci => {
                let five = n.checked_mul(n).and_then(|square| square.checked_mul(5));
                five.is_some_and(|five| is_square(five + 4) || is_square(five - 4))
            }
            NamedSet::Evil => n.count_ones().is_multiple_of(2),
            NamedSet::Multiples(surd) => {
                // The members next to n have numbers next to n · c / (a + √d).
                let ratio = (surd.a as f64 + (surd.d as f64).sqrt()) / surd.c as f64;
                let near = (n as f64 / ratio) as i64;
                (near.saturating_sub(2).max(0)..=near + 2).any(|k| surd.floor_of(k) == Some(n))
            }
        }
    }

    /// That a number is a member, in the rules language.
    pub fn text(self, n: &str) -> String {
        let square = |of: &str| format!("isqrt({of}) * isqrt({of}) == {of}");
        match self {
            NamedSet::Squares => square(n),
            NamedSet::Triangular => square(&format!("8 * {n} + 1")),
            NamedSet::PowersOfTwo => format!("popcount({n}) == 1"),
            NamedSet::BelowPowersOfTwo => format!("bit_and({n}, {n} + 1) == 0"),
            NamedSet::Fibonacci => {
                let plus = square(&format!("5 * {n} * {n} + 4"));
                // For 0 and 1 the other number is negative, and they are found already.
                format!("{plus} or {n} > 1 and {}", square(&format!("5 * {n} * {n} - 4")))
            }
            NamedSet::Evil => format!("popcount({n}) % 2 == 0"),
            NamedSet::Multiples(surd) => format!("any({n} == {} for k in 0..={n})", surd.text("k")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(set: NamedSet) -> Vec<i64> {
        (0..40).filter(|n| set.contains(*n)).collect()
    }

    #[test]
    fn sets_have_their_members() {
        assert_eq!(members(NamedSet::Squares), [0, 1, 4, 9, 16, 25, 36]);
        assert_eq!(members(NamedSet::Triangular), [0, 1, 3, 6, 10, 15, 21, 28, 36]);
        assert_eq!(members(NamedSet::PowersOfTwo), [1, 2, 4, 8, 16, 32]);
        assert_eq!(members(NamedSet::BelowPowersOfTwo), [0, 1, 3, 7, 15, 31]);
        assert_eq!(members(NamedSet::Fibonacci), [0, 1, 2, 3, 5, 8, 13, 21, 34]);
        assert_eq!(members(NamedSet::Multiples(SURDS[0]))[..9], [0, 1, 3, 4, 6, 8, 9, 11, 12]);
        assert_eq!(members(NamedSet::Multiples(SURDS[1]))[..7], [0, 2, 5, 7, 10, 13, 15]);
    }
}
