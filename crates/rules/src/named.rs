//! Moves by their names, as people type them, however many moves a position has.
//!
//! A heap of 10^18 has more moves than can be listed. So a name is read, not looked up: which rule, which choices, which part.
//! The rules are then asked about this one move. Only where a choice is no number (a set or a list) the moves of the part
//! are listed and compared.

use crate::bound::{Bound, Position};
use crate::diagnostic::Diagnostic;
use crate::instance::{Given, parse_given};
use crate::interpreter::Interpreter;
use crate::naming::Naming;
use crate::program::{Choice, Domain, Move, Source};
use crate::types::Type;

use crate::fault::Fault;
use crate::play::{self, Play};

/// Every legal move of that name. Spaces do not count, numbers may be written as on the command line (`10^18`), and the part
/// may be left out, which then stands for every part.
///
/// ```
/// use rules::instance::parse_instance;
/// use rules::named::named;
///
/// let nim = rules::compile("game nim(piles: [int]) {
///     sum of pile(n in 0..=max(piles, 0)) from piles;
///     move take(k in 1..=n) { n -= k; }
/// }").unwrap();
/// let instance = parse_instance(r#"{"piles": [3, 1000000000000000000]}"#).unwrap();
/// let nim = rules::bind::bind(&std::sync::Arc::new(nim), &instance).unwrap();
/// assert_eq!(named(&nim, &nim.start, "take(10^18)").unwrap()[0].label, "take(1000000000000000000) in part 1");
/// assert_eq!(named(&nim, &nim.start, "take(2)").unwrap().len(), 2);
/// assert_eq!(named(&nim, &nim.start, "take(4) in part 0").unwrap().len(), 0);
/// ```
pub fn named(bound: &Bound, position: &Position, name: &str) -> Result<Vec<Play>, Fault> {
    let name = squeeze(name);
    let (mv, part) = if bound.program.sum.is_some() { placed(&name) } else { (&*name, None) };
    named_in(bound, position, mv, part)
}

/// The one legal move of that name, written whole: in a sum it says in which part. Two different moves of one name are an
/// error, since nobody can tell which is meant.
pub fn find(bound: &Bound, position: &Position, name: &str) -> Result<Option<Play>, Fault> {
    if bound.program.sum.is_some() && placed(&squeeze(name)).1.is_none() {
        return Ok(None);
    }
    let mut plays = named(bound, position, name)?.into_iter();
    let Some(play) = plays.next() else { return Ok(None) };
    match plays.next() {
        None => Ok(Some(play)),
        Some(_) => Err(ambiguous(bound, &play).into()),
    }
}

/// Two different moves are called like this one.
pub fn ambiguous(bound: &Bound, play: &Play) -> Diagnostic {
    let title = format!("two different moves are called `{}` here", play.label);
    Diagnostic::at(bound.program.name_span, title, "in this game").help("give the moves different names")
}

/// The legal moves in one part, or in every part, whose name without its part is this one, spaces taken out.
pub fn named_in(bound: &Bound, position: &Position, name: &str, part: Option<usize>) -> Result<Vec<Play>, Fault> {
    let mut found: Vec<Play> = Vec::new();
    let Some(wanted) = Name::read(name) else { return Ok(found) };
    let mut interpreter = Interpreter::new(bound);
    let turn = position.turn;
    for (index, cells) in position.parts.iter().enumerate().filter(|(index, _)| part.is_none_or(|part| part == *index))
    {
        if bound.program.sum.is_none() && interpreter.end(cells, turn)?.is_some() {
            return Ok(found);
        }
        for (rule, mv) in bound.program.moves.iter().enumerate().filter(|(_, mv)| wanted.fits(mv)) {
            let mut plays = Vec::new();
            let mut visit = |effect: &crate::interpreter::Effect<'_>| {
                plays.push(play::play_of(bound, effect, index));
                Ok(())
            };
            if mv.choices.iter().all(|choice| matches!(choice.ty, Type::Int | Type::Bool)) {
                let Some(numbers) = wanted.numbers(mv, &bound.namings) else { continue };
                interpreter.one_move((rule, &numbers), cells, turn, &mut visit)?;
            } else {
                interpreter
                    .moves(cells, turn, &mut |effect| if effect.rule == rule { visit(effect) } else { Ok(()) })?;
                plays.retain(|play| bare(bound, play) == name);
            }
            for play in plays {
                if !found.contains(&play) {
                    found.push(play);
                }
            }
        }
    }
    Ok(found)
}

/// The name of a move without its part and without spaces.
fn bare(bound: &Bound, play: &Play) -> String {
    let label = squeeze(&play.label);
    if bound.program.sum.is_some() { placed(&label).0.to_string() } else { label }
}

/// A name without spaces, cut before its part.
pub fn placed(name: &str) -> (&str, Option<usize>) {
    let place = name.rfind("inpart").and_then(|at| Some((&name[..at], name[at + 6..].parse().ok()?)));
    place.map_or((name, None), |(mv, part)| (mv, Some(part)))
}

/// A name without spaces, so that `take( 2 )` is `take(2)`. A space between two digits stays: `1 2` is not `12`.
///
/// ```
/// use rules::named::squeeze;
///
/// assert_eq!(squeeze("take( 2 ) in part 0"), "take(2)inpart0");
/// assert_eq!(squeeze("take(1  2)"), "take(1 2)");
/// ```
pub fn squeeze(name: &str) -> String {
    let mut squeezed = String::with_capacity(name.len());
    let mut spaces = false;
    for c in name.chars() {
        if c.is_whitespace() {
            spaces = true;
            continue;
        }
        if spaces && c.is_ascii_digit() && squeezed.ends_with(|last: char| last.is_ascii_digit()) {
            squeezed.push(' ');
        }
        squeezed.push(c);
        spaces = false;
    }
    squeezed
}

/// A name with its numbers written out: `10^12` is `1000000000000`, as in the names of summands.
pub fn written_out(name: &str) -> String {
    let (mut out, mut rest, mut inside) = (String::new(), name, false);
    while let Some(c) = rest.chars().next() {
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '^')).unwrap_or(rest.len());
        let word = &rest[..if inside || !c.is_ascii_digit() { c.len_utf8() } else { end }];
        match parse_given(word) {
            Ok(Given::Int(number)) if !inside && word.contains(['^', 'e', 'E']) => out.push_str(&number.to_string()),
            _ => out.push_str(word),
        }
        inside = c.is_alphanumeric() || c == '_';
        rest = &rest[word.len()..];
    }
    out
}

/// A name that was read: `take`, `2`, `true`.
struct Name<'t> {
    rule: &'t str,
    choices: Vec<&'t str>,
}

impl<'t> Name<'t> {
    fn read(name: &'t str) -> Option<Name<'t>> {
        let Some((rule, rest)) = name.split_once('(') else { return Some(Name { rule: name, choices: Vec::new() }) };
        let inner = rest.strip_suffix(')')?;
        let (mut choices, mut open, mut start) = (Vec::new(), 0i32, 0);
        for (at, c) in inner.char_indices() {
            match c {
                '(' | '[' | '{' => open = open.saturating_add(1),
                ')' | ']' | '}' => open = open.saturating_sub(1),
                ',' if open == 0 => {
                    choices.push(&inner[start..at]);
                    start = at + 1;
                }
                _ => {}
            }
        }
        choices.push(&inner[start..]);
        Some(Name { rule, choices })
    }

    fn fits(&self, mv: &Move) -> bool {
        mv.name == self.rule && mv.choices.len() == self.choices.len()
    }

    /// The choices as the numbers that they are to the rules.
    fn numbers(&self, mv: &Move, namings: &[Naming]) -> Option<Vec<i64>> {
        let naming = |choice: &Choice| choice.naming.and_then(|naming| namings.get(naming));
        mv.choices.iter().zip(&self.choices).map(|(choice, text)| number(choice, naming(choice), text)).collect()
    }
}

/// The number that a text means as a choice. Where it is no name, it may still be a number.
fn number(choice: &Choice, naming: Option<&Naming>, text: &str) -> Option<i64> {
    if let Some(number) = naming.and_then(|naming| naming.number(text)) {
        return Some(number);
    }
    let of = |names: &[(String, i64)]| names.iter().find(|(name, _)| name == text).map(|(_, number)| *number);
    let constant = match &choice.source {
        Source::Domain(Domain::Names(names)) => return names.iter().position(|name| name == text).map(|at| at as i64),
        Source::NamedItems(items) => of(items),
        Source::Domain(_) | Source::Items(_) => of(&choice.names),
    };
    match (constant, &choice.ty, text) {
        (Some(number), ..) => Some(number),
        (None, Type::Bool, "true") => Some(1),
        (None, Type::Bool, "false") => Some(0),
        (None, Type::Bool, _) => None,
        (None, ..) => match parse_given(text) {
            Ok(Given::Int(number)) => Some(number),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::written_out;

    #[test]
    fn numbers_in_names_are_written_out() {
        assert_eq!(written_out("take(10^3)inheap(2e1,n=5)#2"), "take(1000)inheap(20,n=5)#2");
        assert_eq!(written_out("x2e3(10^99,é1e2,10^)"), "x2e3(10^99,é1e2,10^)");
        assert_eq!(written_out(""), "");
    }
}
