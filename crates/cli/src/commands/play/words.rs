//! What a person types.

use rules::suggest::nearest;
use solve::play::Play;

/// What a person said.
#[derive(Debug, PartialEq, Eq)]
pub enum Said {
    /// The move of this number.
    Move(usize),
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
    /// Say what can be said.
    Help,
    /// Stop.
    Quit,
    /// None of these; a text to answer with.
    Unclear(String),
}

const COMMANDS: [&str; 6] = ["hint", "hints", "undo", "moves", "quit", "help"];

/// Understands a line. A move counts before a word, should they have the same name.
pub fn said(line: &str, moves: &[Play]) -> Said {
    let wanted = squeeze(line);
    let labels: Vec<String> = moves.iter().map(|play| squeeze(&play.label)).collect();
    if let Some(index) = labels.iter().position(|label| *label == wanted) {
        return Said::Move(index);
    }
    if let Ok(number) = wanted.parse::<i64>() {
        let index = usize::try_from(number).ok().filter(|number| (1..=moves.len()).contains(number));
        return match index {
            Some(number) => Said::Move(number - 1),
            None => Said::Unclear(format!("there is no move number {number}: choose 1 to {}\n", moves.len())),
        };
    }
    match line.to_ascii_lowercase().as_str() {
        "" | "moves" | "m" => return Said::Moves { all: false },
        "moves all" | "all" => return Said::Moves { all: true },
        "hint" | "h" => return Said::Hint,
        "hints" => return Said::Hints,
        "undo" | "u" => return Said::Undo,
        "show" | "s" => return Said::Show,
        "help" | "?" => return Said::Help,
        "quit" | "q" | "exit" => return Said::Quit,
        _ => {}
    }
    // A move of a sum may leave out its part where only one part has it.
    let short = format!("{wanted}inpart");
    let mut same = (0..labels.len()).filter(|&index| labels[index].starts_with(&short));
    match (same.next(), same.next()) {
        (Some(only), None) => Said::Move(only),
        (Some(one), Some(_)) => {
            Said::Unclear(format!("`{line}` in which part? Write it whole, such as `{}`\n", moves[one].label))
        }
        _ => unclear(line, moves),
    }
}

fn unclear(line: &str, moves: &[Play]) -> Said {
    let near = nearest(line, moves.iter().map(|play| play.label.as_str()).chain(COMMANDS));
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`moves` lists the legal moves, `help` the rest".to_string(),
    };
    Said::Unclear(format!("`{line}` is not a legal move here: {help}\n"))
}

/// Without spaces, so that `take( 2 )` is `take(2)`.
fn squeeze(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use perfectplay::Player;

    fn plays(labels: &[&str]) -> Vec<Play> {
        labels
            .iter()
            .map(|label| Play {
                label: label.to_string(),
                gains: Vec::new(),
                part: 0,
                into: Vec::new(),
                turn: Player::SECOND,
            })
            .collect()
    }

    #[test]
    fn moves_are_understood_by_name_and_number() {
        let moves = plays(&["take(1)", "take(2, 3)", "hint"]);
        assert_eq!(said(" take( 2,3 )", &moves), Said::Move(1));
        assert_eq!(said("1", &moves), Said::Move(0));
        assert_eq!(said("hint", &moves), Said::Move(2));
        assert_eq!(said("QUIT", &moves), Said::Quit);
        assert!(matches!(said("4", &moves), Said::Unclear(_)) && matches!(said("-1", &moves), Said::Unclear(_)));
        assert_eq!(
            said("tak(1)", &moves),
            Said::Unclear("`tak(1)` is not a legal move here: did you mean `take(1)`?\n".to_string())
        );
    }

    #[test]
    fn a_part_may_be_left_out_where_only_one_has_the_move() {
        let moves = plays(&["take(1) in part 0", "take(1) in part 1", "take(2) in part 1"]);
        assert_eq!(said("take(2)", &moves), Said::Move(2));
        assert!(matches!(said("take(1)", &moves), Said::Unclear(text) if text.contains("which part")));
    }
}
