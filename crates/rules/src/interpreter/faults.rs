//! The messages for everything that can go wrong while rules run, kept apart so that the evaluator stays readable.

use crate::fault::Fault;
use crate::span::Span;

#[cold]
pub(super) fn overflow(span: Span, what: impl std::fmt::Display) -> Fault {
    Fault::at(span, format!("overflow: {what} does not fit in 64 bits"), "overflows here")
}

#[cold]
pub(super) fn division(span: Span, left: i64, sign: &str) -> Fault {
    Fault::at(span, format!("division by zero: {left} {sign} 0"), "the divisor is 0")
        .help("guard it with `if … then … else …`, or with `and`, which stops early")
}

#[cold]
pub(super) fn index(span: Span, index: i64, length: usize) -> Fault {
    let range =
        if length == 0 { "an empty list has no items".to_string() } else { format!("indices are 0 to {}", length - 1) };
    Fault::at(span, format!("index {index} is out of range: the list has {length} items"), range)
}

#[cold]
pub(super) fn slice(span: Span, low: i128, high: i128, length: usize) -> Fault {
    let title = format!("the slice {low}..{high} is out of range: the list has {length} items");
    Fault::at(span, title, "a slice i..j needs 0 <= i <= j <= len")
}

#[cold]
pub(super) fn nothing(span: Span, name: &str) -> Fault {
    Fault::at(span, format!("`{name}` of nothing"), "there is nothing to choose from")
        .help(format!("give it a further number to fall back on, as in `{name}(list, 0)`"))
}

#[cold]
pub(super) fn argument(span: Span, title: impl Into<String>, label: impl Into<String>) -> Fault {
    Fault::at(span, title, label)
}

#[cold]
pub(super) fn work(span: Span, limit: u64, of_instance: bool) -> Fault {
    let (what, when) = match of_instance {
        true => ("this needs too much work", "it is worked out once for the instance"),
        false => ("this rule needs too much work here", "a rule looks at one position"),
    };
    let title = format!("{what}: more than {limit} steps");
    let help = format!("{when}; this much work there usually means a range or a list far larger than intended");
    let mut fault = Fault::at(span, title, "stopped here").help(help);
    fault.diagnostic.too_much_work = true;
    Fault { too_much_work: true, ..fault }
}

#[cold]
pub(super) fn player(span: Span, number: i64, players: usize) -> Fault {
    Fault::at(span, format!("there is no player {number}"), format!("players are 0 to {}", players.saturating_sub(1)))
        .help("`first` is player 0, `second` is player 1")
}

#[cold]
pub(super) fn unknown(span: Span, name: &str) -> Fault {
    Fault::at(span, format!("the value of `{name}` is not known here"), "read here")
        .help("only values that were given or computed before can be read")
}

/// A fault that the checker rules out. Reaching it is a bug of ours, reported without ending the program.
#[cold]
pub(super) fn impossible(span: Span, what: &str) -> Fault {
    Fault::at(span, format!("internal error: {what}"), "while evaluating this")
        .help("this is a mistake in Perfect Play, not in the rules; please report it")
}
