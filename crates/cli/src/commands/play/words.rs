//! What a person types.

use perfectplay::language::nearest;
use perfectplay::moves::{Play, squeeze};

use crate::meant;

/// What a person said.
#[derive(Debug, PartialEq, Eq)]
pub enum Said {
    /// The move of this number.
    Move(usize),
    /// This number.
    Number(i64),
    /// List the moves, or even all of them.
    Moves { all: bool },
    /// Show a best move.
    Hint,
    /// Rate all moves.
    Hints,
    /// Take back.
    Undo,
    /// Draw the position again.
    Show,
    /// Print the position for the command line.
    Position,
    /// Say what can be said.
    Help,
    /// Stop.
    Quit,
    /// Something that cannot be done; a text to answer with.
    Unclear(String),
    /// None of these: perhaps a move that is not among the first, or that does not say where it is played.
    Other,
}

/// What can be said beside moves.
pub const COMMANDS: [&str; 8] = ["hint", "hints", "undo", "moves", "quit", "help", "show", "position"];

/// Understands a line, given the first legal moves. A move counts before a word, should they have the same name.
pub fn said(line: &str, moves: &[Play]) -> Said {
    let wanted = squeeze(line);
    let mut called = moves.iter().enumerate().filter(|(_, mv)| squeeze(&mv.label) == wanted);
    if let Some((index, mv)) = called.next() {
        return match called.any(|(_, other)| other != mv) {
            true => Said::Unclear(several(line, &[])),
            false => Said::Move(index),
        };
    }
    if let Some(number) = wanted.strip_prefix('#') {
        let index = number.parse::<usize>().ok().filter(|number| (1..=moves.len()).contains(number));
        return match index {
            Some(number) => Said::Move(number - 1),
            None => Said::Unclear(format!("there is no move number {number}: choose 1 to {}\n", moves.len())),
        };
    }
    if let Ok(number) = wanted.parse::<i64>() {
        return Said::Number(number);
    }
    match line.to_ascii_lowercase().as_str() {
        "" | "moves" | "m" => return Said::Moves { all: false },
        "moves all" | "all" => return Said::Moves { all: true },
        "hint" | "h" => return Said::Hint,
        "hints" => return Said::Hints,
        "undo" | "u" => return Said::Undo,
        "show" | "s" => return Said::Show,
        "position" => return Said::Position,
        "help" | "?" => return Said::Help,
        "quit" | "q" | "exit" => return Said::Quit,
        _ => {}
    }
    Said::Other
}

/// What to answer where a name is that of several legal moves.
pub fn several(line: &str, moves: &[Play]) -> String {
    match moves {
        [first, rest @ ..] if rest.iter().any(|other| other.label != first.label) => {
            let labels: Vec<&str> = moves.iter().map(|mv| mv.label.as_str()).collect();
            format!(
                "`{line}` can mean several moves: {}; write it whole, such as `{}`\n",
                meant::listed(&labels),
                first.label
            )
        }
        _ => format!("two different moves are called `{line}` here: `moves` lists them, choose one by its number\n"),
    }
}

/// What to answer where a line is nothing at all: a legal move, or what else can be said.
pub fn unclear(line: &str, moves: &[Play]) -> String {
    let near = meant::suggestion(line, moves).or_else(|| nearest(line, COMMANDS).map(str::to_string));
    let labels: Vec<&str> = moves.iter().map(|mv| mv.label.as_str()).collect();
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("{}; `help` tells the rest", meant::legal_text(&labels)),
    };
    format!("`{line}` is not a legal move here: {help}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use perfectplay::answer::Player;

    fn plays(labels: &[&str]) -> Vec<Play> {
        let play = |(part, label): (usize, &&str)| Play {
            label: label.to_string(),
            gains: Vec::new(),
            summand: 0,
            part,
            into: Vec::new(),
            turn: Player::SECOND,
        };
        labels.iter().enumerate().map(play).collect()
    }

    #[test]
    fn moves_are_understood_by_name_and_number() {
        let moves = plays(&["take(1)", "take(2, 3)", "hint"]);
        assert_eq!(said(" take( 2,3 )", &moves), Said::Move(1));
        assert_eq!(said("#1", &moves), Said::Move(0));
        assert_eq!(said("1", &moves), Said::Number(1));
        assert_eq!(said("hint", &moves), Said::Move(2));
        assert_eq!(said("QUIT", &moves), Said::Quit);
        assert!(matches!(said("#4", &moves), Said::Unclear(_)) && matches!(said("#-1", &moves), Said::Unclear(_)));
        assert_eq!(said("tak(1)", &moves), Said::Other);
        assert_eq!(unclear("tak(1)", &moves), "`tak(1)` is not a legal move here: did you mean `take(1)`?\n");
    }

    #[test]
    fn a_name_of_two_moves_is_no_choice() {
        let moves = plays(&["a", "a", "b"]);
        assert!(matches!(said("a", &moves), Said::Unclear(text) if text.contains("by its number")));
        assert_eq!(said("b", &moves), Said::Move(2));
        let moves = plays(&["take(1) in part 0", "take(1) in part 1"]);
        assert!(several("take(1)", &moves).contains("write it whole"));
    }
}
