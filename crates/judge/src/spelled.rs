//! Moves as programs write them: words and numbers with blanks between them.
//!
//! `take(2) in part 0` is `0 2`: the part in a sum, then the choices. Where a game has several kinds of move, the name comes before
//! the choices: `0 take 2`. A program may also write moves as we do.

use perfectplay::language::{Bound, Position};
use perfectplay::moves::{Play, find, named};

/// A move as a program reads it.
pub fn write(bound: &Bound, play: &Play) -> String {
    let mut words: Vec<String> = Vec::new();
    let label = match (play.label.rsplit_once(" in part "), bound.program.sum.is_some()) {
        (Some((label, part)), true) => {
            words.push(part.to_string());
            label
        }
        _ => &play.label,
    };
    let (name, choices) = label.split_once('(').unwrap_or((label, ""));
    if has_names(bound) || choices.is_empty() {
        words.push(name.to_string());
    }
    let plain = choices.replace(['(', ')', '[', ']', '{', '}', ',', '"'], " ");
    words.extend(plain.split_whitespace().map(str::to_string));
    words.join(" ")
}

/// The move that a program has written; `None` if there is no legal one of that name.
pub fn read(bound: &Bound, position: &Position, text: &str) -> Option<Play> {
    let one = |mut plays: Vec<Play>| if plays.len() == 1 { plays.pop() } else { None };
    if let Ok(Some(play)) = find(bound, position, text) {
        return Some(play);
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let (part, words) = match (&words[..], bound.program.sum.is_some()) {
        ([first, rest @ ..], true) if first.parse::<usize>().is_ok() && fits(bound, rest) => (Some(*first), rest),
        (words, _) => (None, words),
    };
    let part = part.map_or(String::new(), |part| format!(" in part {part}"));
    labels(bound, words).into_iter().find_map(|label| one(named(bound, position, &format!("{label}{part}")).ok()?))
}

/// Whether a move is told by its name.
fn has_names(bound: &Bound) -> bool {
    let mut names: Vec<&str> = bound.program.moves.iter().map(|mv| &*mv.name).collect();
    names.sort_unstable();
    names.dedup();
    names.len() > 1
}

/// Whether words are a name and choices, or choices alone.
fn fits(bound: &Bound, words: &[&str]) -> bool {
    !labels(bound, words).is_empty()
}

/// What words may mean as a move, as we write it.
fn labels(bound: &Bound, words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for mv in &bound.program.moves {
        let choices = match words.split_first() {
            Some((name, rest)) if *name == mv.name => rest,
            _ => words,
        };
        let label = match (mv.choices.len(), &mv.choices[..]) {
            (0, _) if choices.is_empty() => mv.name.clone(),
            (_, [only]) if is_several(only) => format!("{}({})", mv.name, in_brackets(only, choices)),
            (wanted, _) if wanted == choices.len() && wanted > 0 => format!("{}({})", mv.name, choices.join(", ")),
            _ => continue,
        };
        if !found.contains(&label) {
            found.push(label);
        }
    }
    found
}

type Choice = perfectplay::language::Choice;

fn is_several(choice: &Choice) -> bool {
    use perfectplay::language::Type;
    matches!(choice.ty, Type::Set | Type::List(_))
}

fn in_brackets(choice: &Choice, words: &[&str]) -> String {
    use perfectplay::language::Type;
    match choice.ty {
        Type::Set => format!("{{{}}}", words.join(", ")),
        _ => format!("[{}]", words.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use perfectplay::language::Rules;
    use perfectplay::moves::plays;

    #[test]
    fn every_move_of_the_gallery_reads_back() {
        for (name, _) in perfectplay::gallery::GALLERY {
            let rules = Rules::gallery(name).unwrap();
            let program = rules.program().unwrap();
            let instances = perfectplay::instances::sampled(&program, 6, 1).unwrap_or_default().instances;
            for instance in instances {
                let bound = perfectplay::language::bind(&program, &instance).unwrap();
                for play in perfectplay::moves::first_plays(&bound, &bound.start, 40).unwrap().0 {
                    let text = write(&bound, &play);
                    let again =
                        read(&bound, &bound.start, &text).unwrap_or_else(|| panic!("{name}: {} as {text}", play.label));
                    assert_eq!(again.label, play.label, "{name}: {text}");
                    assert_eq!(read(&bound, &bound.start, &play.label).unwrap().label, play.label, "{name}");
                }
            }
        }
    }

    #[test]
    fn words_of_other_kinds_are_no_moves() {
        let nim = Rules::gallery("nim").unwrap().bind(r#"{"piles": [3, 4]}"#).unwrap();
        let play = &plays(&nim, &nim.start).unwrap()[1];
        assert_eq!((&*play.label, write(&nim, play)), ("take(2) in part 0", "0 2".to_string()));
        for text in ["", "0", "0 9", "5 1", "zero two", "0 2 1", "take", "-1 2", "0 take 2 x"] {
            assert!(read(&nim, &nim.start, text).is_none(), "{text}");
        }
        for text in ["0 2", " 0  2 ", "0 take 2", "take(2) in part 0"] {
            assert_eq!(read(&nim, &nim.start, text).unwrap().label, "take(2) in part 0", "{text}");
        }
    }
}
