//! The right answer, compared with what a program printed.
//!
//! What is printed is read word by word; blanks and line breaks only set words apart.

use perfectplay::answer::{Outcome, Solution, Winner, same_value};
use perfectplay::language::{AnswerField, Bound};
use perfectplay::moves::Play;

use crate::failure::FailureKind;
use crate::format::{Format, Printed};
use crate::spelled;

/// What a program should print.
#[derive(Clone, Debug)]
pub struct Expected {
    parts: Vec<Part>,
    ignores_case: bool,
    is_json: bool,
}

#[derive(Clone, Debug)]
enum Part {
    /// One of some words.
    Word { field: AnswerField, right: String, all: Vec<String> },
    /// A whole number.
    Number { field: AnswerField, right: i64 },
    /// A value that is no whole number.
    Value(String),
    /// One of these moves.
    Move { best: Vec<Play>, cut: bool, may_be_missing: bool },
}

/// What is wrong with what was printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Whether it can be read.
    pub kind: FailureKind,
    /// In a sentence.
    pub message: String,
}

/// A move that was printed and is not among the listed best ones, of which there are too many to list.
#[derive(Clone, Debug, PartialEq)]
pub struct Unlisted(pub Play);

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub enum Compared {
    /// All is right.
    Right,
    /// Something is wrong.
    Wrong(Difference),
    /// All is right if this move is.
    IfBest(Unlisted),
}

impl Expected {
    /// What a program should print; the name of a field that the answer does not have.
    pub fn new(solution: &Solution, printed: &[Printed], format: &Format) -> Result<Expected, AnswerField> {
        let mut parts = Vec::new();
        for Printed { field, words } in printed {
            add(&mut parts, solution, *field, words).ok_or(*field)?;
        }
        Ok(Expected { parts, ignores_case: format.ignores_case(), is_json: format.is_json() })
    }

    /// As the program should print it; of moves, the first ones.
    pub fn text(&self) -> String {
        let text = |part: &Part| match part {
            Part::Word { right, .. } | Part::Value(right) => right.clone(),
            Part::Number { right, .. } => right.to_string(),
            Part::Move { best, may_be_missing: true, .. } if best.is_empty() => String::new(),
            Part::Move { best, cut, .. } => {
                let few: Vec<String> = best.iter().take(4).map(|play| play.label.clone()).collect();
                let more = if *cut || best.len() > few.len() { " or …" } else { "" };
                format!("{}{more}", few.join(" or "))
            }
        };
        let texts: Vec<String> = self.parts.iter().map(text).filter(|text| !text.is_empty()).collect();
        texts.join(" ")
    }

    /// Compares it with what was printed.
    pub fn compare(&self, output: &str, bound: &Bound) -> Compared {
        let plain = if self.is_json { output.replace(['[', ']', ',', '"', '{', '}'], " ") } else { output.to_string() };
        let mut words = plain.split_whitespace().peekable();
        if words.peek().is_none()
            && self.parts.iter().any(|part| !matches!(part, Part::Move { may_be_missing: true, .. }))
        {
            return Compared::wrong_format("it printed nothing".to_string());
        }
        for part in &self.parts {
            if let Part::Move { best, cut, may_be_missing } = part {
                let rest = words.by_ref().collect::<Vec<_>>().join(" ");
                return compare_move(&rest, (best, *cut, *may_be_missing), bound);
            }
            match self.compare_part(part, &mut words) {
                Compared::Right => {}
                other => return other,
            }
        }
        match words.next() {
            None => Compared::Right,
            Some(word) => Compared::wrong_format(format!("it printed `{}` behind the answer", cut(word))),
        }
    }

    fn compare_part<'w>(&self, part: &Part, words: &mut impl Iterator<Item = &'w str>) -> Compared {
        let same = |one: &str, other: &str| one == other || (self.ignores_case && one.eq_ignore_ascii_case(other));
        match part {
            Part::Word { field, right, all } => {
                let wanted = right.split_whitespace().count();
                let read = words.take(wanted).collect::<Vec<_>>().join(" ");
                if same(&read, &right.split_whitespace().collect::<Vec<_>>().join(" ")) {
                    Compared::Right
                } else if all.iter().any(|word| same(word, &read)) {
                    Compared::wrong_answer(format!("it printed `{read}`, and {field} is `{right}`"))
                } else {
                    let all: Vec<String> = all.iter().map(|word| format!("`{word}`")).collect();
                    Compared::wrong_format(format!("it printed `{}` where {field} is {}", cut(&read), all.join(" or ")))
                }
            }
            Part::Number { field, right } => {
                let Some(word) = words.next() else {
                    return Compared::wrong_format(format!("it printed nothing for {field}"));
                };
                match word.parse::<i128>() {
                    Ok(number) if number == i128::from(*right) => Compared::Right,
                    Ok(number) => Compared::wrong_answer(format!("it printed {number}, and {field} is {right}")),
                    Err(_) => {
                        Compared::wrong_format(format!("it printed `{}` where {field} is a whole number", cut(word)))
                    }
                }
            }
            Part::Value(right) => {
                let read = words.collect::<Vec<_>>().join(" ");
                match same_value(right, &read) {
                    true => Compared::Right,
                    false => Compared::wrong_answer(format!("it printed `{}`, and the value is {right}", cut(&read))),
                }
            }
            Part::Move { .. } => Compared::Right,
        }
    }
}

impl Compared {
    fn wrong_answer(message: String) -> Compared {
        Compared::Wrong(Difference { kind: FailureKind::WrongAnswer, message })
    }

    fn wrong_format(message: String) -> Compared {
        Compared::Wrong(Difference { kind: FailureKind::WrongFormat, message })
    }
}

/// A word that is not too long to be shown.
fn cut(word: &str) -> String {
    perfectplay::language::show::cut(60, &word)
}

/// Adds what is printed for a field; `None` if the answer does not have it.
fn add(parts: &mut Vec<Part>, solution: &Solution, field: AnswerField, words: &[String]) -> Option<()> {
    let number = |right: i64| Part::Number { field, right };
    match field {
        AnswerField::Winner => {
            // A draw comes after the players, so that there may be no word for it.
            let named = |winner: Winner| match winner {
                Winner::Player(player) => words.get(player.index()).cloned().unwrap_or_else(|| player.to_string()),
                Winner::Draw if words.len() > 2 => words[words.len() - 1].clone(),
                Winner::Draw => "draw".to_string(),
            };
            let right = named(solution.winner?);
            parts.push(Part::Word { field, all: with(words, &right), right });
        }
        AnswerField::Outcome => {
            let (place, plain) = match solution.outcome? {
                Outcome::Win => (0, "win"),
                Outcome::Loss => (1, "lose"),
                Outcome::Draw => (2, "draw"),
            };
            let right = words.get(place).cloned().unwrap_or_else(|| plain.to_string());
            parts.push(Part::Word { field, all: with(words, &right), right });
        }
        AnswerField::Value => {
            match (&solution.value, solution.canonical.as_ref().and_then(|form| form.name.as_ref())) {
                (Some(value), _) => parts.push(number(*value)),
                (None, Some(form)) => parts.push(Part::Value(form.clone())),
                (None, None) => return None,
            }
        }
        AnswerField::Nimber => parts.push(number(i64::try_from(solution.nimber?).ok()?)),
        AnswerField::Remoteness => parts.push(number(i64::try_from(solution.remoteness?).ok()?)),
        AnswerField::Scores => parts.extend(solution.scores.as_ref()?.iter().map(|total| number(*total))),
        AnswerField::Payoffs => {
            let totals = solution.payoffs.as_ref().or(solution.scores.as_ref())?;
            parts.extend(totals.iter().map(|total| number(*total)));
        }
        AnswerField::Move => parts.push(Part::Move {
            best: solution.best_moves.clone()?,
            cut: solution.best_moves_cut,
            may_be_missing: solution.outcome != Some(Outcome::Win),
        }),
    }
    Some(())
}

/// The words, and one more if it is none of them.
fn with(words: &[String], right: &str) -> Vec<String> {
    let mut all = words.to_vec();
    if !all.iter().any(|word| word == right) {
        all.push(right.to_string());
    }
    all.dedup();
    all
}

fn compare_move(text: &str, (best, cut_off, may_be_missing): (&[Play], bool, bool), bound: &Bound) -> Compared {
    if text.is_empty() && (may_be_missing || best.is_empty()) {
        return Compared::Right;
    }
    let Some(play) = spelled::read(bound, &bound.start, text) else {
        let message = match text {
            "" => "it printed no move".to_string(),
            text => format!("it printed `{}`, which is no legal move", cut(text)),
        };
        return Compared::wrong_format(message);
    };
    if best.iter().any(|mv| mv.label == play.label) {
        Compared::Right
    } else if cut_off {
        Compared::IfBest(Unlisted(play))
    } else {
        Compared::wrong_answer(not_best(&play))
    }
}

/// That a move is not a best one.
pub fn not_best(play: &Play) -> String {
    format!("it printed the move {}, which is not a best one", play.label)
}
