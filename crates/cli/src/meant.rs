//! Moves as people type them: `take(2) in part 0`, `take 2`, `left left`, `4`, `b2`, `a1-b2`.
//!
//! A move is taken where it can be one only. Its whole name comes first; then a name without its arguments or its place, bare
//! arguments, and squares of the drawn board. A square stands for a move that has it as its argument (by its number, counted
//! row by row from 0, or as row and column) and changes what is drawn there, else for a move that changes these squares and
//! no other.
//!
//! In a list of moves a space may part two moves, or two arguments of one: `4 1` are two moves of tic-tac-toe. Squares with
//! spaces between them are moves one after the other if each can be played, else one move that changes all of them.

use std::collections::HashMap;

use perfectplay::language::grid::{Grid, column_number};
use perfectplay::language::{nearest, show};
use perfectplay::moves::{Play, squeeze};
use perfectplay::positions::squares::arguments;
use perfectplay::sums::{SumError, SumPosition};

use crate::board::{Board, of_one_game};
use crate::failure::Failure;
use crate::{paste, phrases};

/// How many legal moves are looked at for one that a person may have meant.
const LOOKED_AT: usize = 1000;
/// How many moves a message lists.
const LISTED: usize = 12;

/// What a person means.
pub enum Meant {
    /// This move.
    Move(Play),
    /// One of these.
    Several(Vec<Play>),
    /// No legal move.
    Nothing,
}

impl Meant {
    fn of(mut plays: Vec<Play>) -> Option<Meant> {
        match plays.len() {
            0 => None,
            1 => plays.pop().map(Meant::Move),
            _ => Some(Meant::Several(plays)),
        }
    }
}

/// The legal move that a text names.
pub fn meant(board: &Board<'_>, position: &SumPosition, text: &str) -> Result<Meant, SumError> {
    read(board, position, text, Squares::Changed)
}

/// What squares with spaces between them may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Squares {
    /// The arguments of one move, or moves one after the other.
    Arguments,
    /// Arguments or moves as above, or the squares that one move changes.
    Changed,
}

fn read(board: &Board<'_>, position: &SumPosition, text: &str, as_squares: Squares) -> Result<Meant, SumError> {
    let text = text.trim();
    if let Some(meant) = Meant::of(board.named(position, text)?) {
        return Ok(meant);
    }
    let (head, place) = placed(text);
    let spelled = spellings(board, head);
    for name in &spelled {
        if let Some(meant) = Meant::of(board.named(position, &format!("{name}{place}"))?) {
            return Ok(meant);
        }
    }
    let (legal, more) = board.first_plays(position, LOOKED_AT)?;
    let same = |one: &str, other: &str| squeeze(one).eq_ignore_ascii_case(&squeeze(other));
    let called: Vec<Play> = legal.iter().filter(|mv| same(&mv.label, text)).cloned().collect();
    if let Some(meant) = Meant::of(called) {
        return Ok(meant);
    }
    // A name alone, where one move has it.
    let has_head = |mv: &&Play| mv.label.split('(').next().is_some_and(|name| same(name, head));
    if !more && let Some(meant) = Meant::of(legal.iter().filter(has_head).cloned().collect()) {
        return Ok(meant);
    }
    if !more && let Some(meant) = squares(board, position, &legal, (head, place), as_squares)? {
        return Ok(meant);
    }
    let mut found: Vec<Play> = Vec::new();
    let arguments = head.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(head);
    let arguments = listed_words(arguments);
    if !arguments.is_empty() && !arguments.contains('(') {
        for rule in board.rules() {
            for mv in board.named(position, &format!("{rule}({arguments}){place}"))? {
                if !found.contains(&mv) {
                    found.push(mv);
                }
            }
        }
    }
    Ok(Meant::of(found).unwrap_or(Meant::Nothing))
}

/// A move and where it is played: `take(2)` and ` in part 0`.
fn placed(text: &str) -> (&str, &str) {
    text.find(" in ").map_or((text, ""), |at| (text[..at].trim_end(), &text[at..]))
}

/// `take 2 3` is `take(2, 3)`.
fn spellings(board: &Board<'_>, head: &str) -> Vec<String> {
    let Some((name, rest)) = head.split_once(char::is_whitespace) else { return Vec::new() };
    if head.contains('(') || !board.rules().iter().any(|rule| rule == name) {
        return Vec::new();
    }
    vec![format!("{name}({})", listed_words(rest))]
}

/// Words with commas between them.
fn listed_words(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    words.collect::<Vec<&str>>().join(", ")
}

/// The squares of `b2`, `a1-b2`, `place(b2)`: the name of the rule, if there is one, and the squares by their names.
fn square_names(head: &str) -> Option<(Option<&str>, Vec<String>)> {
    let (rule, rest) = match head.split_once('(') {
        Some((rule, rest)) => (Some(rule.trim()), rest.strip_suffix(')')?),
        None => match head.split_once(char::is_whitespace) {
            // `drop b`, but `a1 b2` are two squares.
            Some((word, rest)) if !word.contains(|c: char| c.is_ascii_digit()) && word.len() > 2 => (Some(word), rest),
            _ => (None, head),
        },
    };
    let mut names: Vec<String> = Vec::new();
    let mut digits = true;
    for c in rest.chars() {
        match c {
            'a'..='z' | 'A'..='Z' => {
                if digits {
                    names.push(String::new());
                }
                digits = false;
                names.last_mut()?.push(c.to_ascii_lowercase());
            }
            '0'..='9' => {
                digits = true;
                names.last_mut()?.push(c);
            }
            ' ' | '-' | ',' | ':' | '>' | '→' => digits = true,
            _ => return None,
        }
    }
    (!names.is_empty() && names.len() <= 8).then_some((rule, names))
}

/// What a move does on the board.
struct Change<'g> {
    before: &'g Grid,
    /// The cells that it changes.
    cells: Vec<usize>,
}

/// The moves that squares name.
fn squares(
    board: &Board<'_>,
    position: &SumPosition,
    legal: &[Play],
    (head, place): (&str, &str),
    as_squares: Squares,
) -> Result<Option<Meant>, SumError> {
    let Some((rule, names)) = square_names(head) else { return Ok(None) };
    let loose = as_squares == Squares::Arguments && rule.is_none() && head.contains(char::is_whitespace);
    let mut grids: HashMap<(usize, usize), Option<Grid>> = HashMap::new();
    for mv in legal {
        let at = (mv.summand, mv.part);
        if let std::collections::hash_map::Entry::Vacant(entry) = grids.entry(at) {
            let part = &position.summands[at.0].parts[at.1];
            entry.insert(grid(board, at.0, part, position)?);
        }
    }
    if grids.values().all(Option::is_none) {
        return Ok(None);
    }
    let mut tiers: [Vec<Play>; 3] = [Vec::new(), Vec::new(), Vec::new()];
    for mv in legal {
        let label = &mv.label;
        let called =
            rule.is_none_or(|rule| label.split('(').next().is_some_and(|name| name.eq_ignore_ascii_case(rule)));
        if !called || !squeeze(label).ends_with(&squeeze(place)) {
            continue;
        }
        let (Some(Some(before)), [into]) = (grids.get(&(mv.summand, mv.part)), &mv.into[..]) else {
            continue;
        };
        let Some(after) = grid(board, mv.summand, into, position)? else { continue };
        if after.texts.len() != before.texts.len() {
            continue;
        }
        let cells = (0..before.texts.len()).filter(|&cell| before.texts[cell] != after.texts[cell]).collect();
        if let Some(tier) = tier(&Change { before, cells }, label, &names) {
            tiers[tier].push(mv.clone());
        }
    }
    Ok(tiers.into_iter().take(if loose { 1 } else { 3 }).find_map(Meant::of))
}

fn grid(board: &Board<'_>, summand: usize, part: &[i64], position: &SumPosition) -> Result<Option<Grid>, SumError> {
    show::board(board.bound(summand), part, position.turn).map_err(|fault| of_one_game(fault.into()))
}

/// How well a move fits to squares: 0 by its arguments, 1 by what it changes, 2 if it changes these squares and more.
fn tier(change: &Change<'_>, label: &str, names: &[String]) -> Option<usize> {
    let arguments = arguments(label);
    let columns = change.before.columns;
    if let [name] = names
        && let Some(column) = column_number(name).filter(|column| *column < columns)
    {
        let inside = !change.cells.is_empty() && change.cells.iter().all(|cell| cell % columns == column);
        return inside.then_some(1);
    }
    let squares: Option<Vec<(usize, usize)>> = names.iter().map(|name| change.before.square(name)).collect();
    let squares = squares?;
    let cells: Vec<usize> = squares.iter().map(|(row, column)| row * columns + column).collect();
    if !cells.iter().all(|cell| change.cells.contains(cell)) {
        return None;
    }
    let numbers: Vec<i64> = cells.iter().map(|cell| *cell as i64).collect();
    let pairs: Vec<i64> = squares.iter().flat_map(|(row, column)| [*row as i64, *column as i64]).collect();
    if arguments == numbers || arguments == pairs {
        return Some(0);
    }
    // `b2 b2` are two moves, of which the second is refused, and no spelling of one.
    let twice = (1..cells.len()).any(|at| cells[..at].contains(&cells[at]));
    if twice {
        return None;
    }
    let exact = change.cells.len() == cells.len();
    Some(if exact { 1 } else { 2 })
}

/// Play so far.
#[derive(Clone)]
pub struct Played {
    /// Where it led.
    pub position: SumPosition,
    /// The moves, each by its whole name.
    pub labels: Vec<String>,
    /// What everyone has gained; an overflow is told when it is needed.
    pub totals: Vec<i64>,
}

/// The position after a list of moves: `left, take(2)`, or `left left` where that is clear.
pub fn after(board: &Board<'_>, start: &SumPosition, text: &str) -> Result<Played, Failure> {
    let mut played = Played { position: start.clone(), labels: Vec::new(), totals: vec![0; board.players()] };
    for piece in perfectplay::moves::split(text) {
        let words = words(&piece);
        played = match all(board, played.clone(), &words, Squares::Arguments) {
            Ok(played) => played,
            Err(_) => all(board, played, &words, Squares::Changed)?,
        };
    }
    Ok(played)
}

/// Plays moves one after the other.
fn all(board: &Board<'_>, mut played: Played, words: &[String], as_squares: Squares) -> Result<Played, Failure> {
    let mut rest = words;
    while !rest.is_empty() {
        rest = next(board, &mut played, rest, as_squares)?;
    }
    Ok(played)
}

/// Plays the longest run of words that is a move; gives the words that are left.
fn next<'w>(
    board: &Board<'_>,
    played: &mut Played,
    words: &'w [String],
    as_squares: Squares,
) -> Result<&'w [String], Failure> {
    let failed = |error| board.failure(error);
    let mut several = None;
    for length in (1..=words.len()).rev() {
        let text = words[..length].join(" ");
        match read(board, &played.position, &text, as_squares).map_err(failed)? {
            Meant::Move(mv) => {
                played.position.apply(&mv);
                for (total, gain) in played.totals.iter_mut().zip(&mv.gains) {
                    let sum = total.checked_add(*gain);
                    *total = sum.ok_or_else(|| failed(of_one_game(perfectplay::SolveError::Overflow)))?;
                }
                played.labels.push(mv.label);
                return Ok(&words[length..]);
            }
            Meant::Several(plays) => several = several.or(Some((text, plays))),
            Meant::Nothing => {}
        }
    }
    // What follows up to the next word that may begin a move belongs to it.
    let begins = |word: &String| board.rules().iter().any(|rule| word.starts_with(rule.as_str()));
    let more = words[1..].iter().position(begins).map_or(words.len(), |at| at + 1);
    let whole = words[..more].join(" ");
    Err(match several {
        // `put x a1` is no move where a1 is taken, whatever `put` alone could mean.
        Some((text, plays)) if !begins(&words[0]) || text.len() >= whole.len() => unclear(&text, &plays, played),
        _ => illegal(board, &whole, played),
    })
}

/// Words, of which brackets hold theirs together.
fn words(piece: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut open = 0i32;
    for c in piece.chars() {
        open += i32::from(matches!(c, '(' | '[' | '{')) - i32::from(matches!(c, ')' | ']' | '}'));
        if c.is_whitespace() && open <= 0 {
            words.push(String::new());
        } else if let Some(last) = words.last_mut() {
            last.push(c);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The command with these moves instead.
fn typed(played: &Played, label: &str) -> String {
    let moves: Vec<&str> = played.labels.iter().map(String::as_str).chain([label]).collect();
    paste::with_option("--after", &moves.join(", "))
}

fn unclear(text: &str, plays: &[Play], played: &Played) -> Failure {
    let labels: Vec<&str> = plays.iter().map(|mv| mv.label.as_str()).collect();
    let number = played.labels.len() + 1;
    if labels.iter().all(|label| *label == labels[0]) {
        let message = format!("two different moves are called `{text}` here (move {number})");
        return Failure::usage_help(message, "choose between them with --position, which says where play stands");
    }
    let message = format!("`{text}` (move {number}) can mean several moves: {}", listed(&labels));
    Failure::usage_help(message, format!("write one of them whole, for example: {}", typed(played, labels[0])))
}

/// The first of some moves.
pub fn listed(labels: &[&str]) -> String {
    let more = if labels.len() > LISTED { ", …" } else { "" };
    format!("{}{more}", labels.iter().take(LISTED).copied().collect::<Vec<_>>().join(", "))
}

/// Which moves are legal. There is one.
pub fn legal_text(labels: &[&str]) -> String {
    match labels {
        [only] => format!("the only legal move is {only}"),
        labels => format!("legal moves are {}", listed(labels)),
    }
}

/// What to play instead of something that is no legal move: one that is.
pub fn suggestion(text: &str, legal: &[Play]) -> Option<String> {
    let labels = || legal.iter().map(|mv| mv.label.as_str());
    let name = text.split(['(', ' ']).next().unwrap_or(text);
    let known = labels().any(|label| label.split(['(', ' ']).next() == Some(name));
    // With the right name it is the arguments that are wrong, and no other ones are near.
    if known { None } else { nearest(text, labels()).map(str::to_string) }
}

fn illegal(board: &Board<'_>, text: &str, played: &Played) -> Failure {
    let (legal, more) = match board.first_plays(&played.position, LOOKED_AT) {
        Ok(legal) => legal,
        Err(error) => return board.failure(error),
    };
    let who = phrases::player(&played.position.turn.to_string());
    let drawing = board.draw(&played.position);
    let drawing: String = drawing.trim_end().lines().take(60).map(|line| format!("\n    {line}")).collect();
    let number = played.labels.len() + 1;
    let message = format!("`{text}` (move {number}) is not a legal move here, where {who} is to move:{drawing}");
    let labels: Vec<&str> = legal.iter().map(|mv| mv.label.as_str()).collect();
    let Some(first) = labels.first() else {
        let shorter = paste::with_option("--after", &played.labels.join(", "));
        return Failure::usage_help(message, format!("the game is over there; type: {shorter}"));
    };
    match suggestion(text, &legal) {
        Some(near) => Failure::usage_help(message, format!("did you mean `{near}`? Type: {}", typed(played, &near))),
        None => {
            let more = if more && labels.len() <= LISTED { ", …" } else { "" };
            let help = format!("{}{more}; for example: {}", legal_text(&labels), typed(played, first));
            Failure::usage_help(message, help)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_found_in_what_people_type() {
        let names = |text| square_names(text).map(|(rule, names)| (rule.map(str::to_string), names.join(" ")));
        let of = |rule: Option<&str>, names: &str| Some((rule.map(str::to_string), names.to_string()));
        assert_eq!(names("b2"), of(None, "b2"));
        assert_eq!(names("B12"), of(None, "b12"));
        assert_eq!(names("a1-b2"), of(None, "a1 b2"));
        assert_eq!(names("a1b2"), of(None, "a1 b2"));
        assert_eq!(names("a1 b2"), of(None, "a1 b2"));
        assert_eq!(names("place(b2)"), of(Some("place"), "b2"));
        assert_eq!(names("slide(a1, a2)"), of(Some("slide"), "a1 a2"));
        assert_eq!(names("place b2"), of(Some("place"), "b2"));
        assert_eq!(names("4"), None);
        assert_eq!(names("take(2)"), None);
    }

    #[test]
    fn brackets_hold_words_together() {
        assert_eq!(words("take(2, 1) in part 0  left"), ["take(2, 1)", "in", "part", "0", "left"]);
    }
}
