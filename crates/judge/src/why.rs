//! The right answer explained in a sentence: with which move, and what comes of the others.

use perfectplay::answer::{AnswerKind, Outcome, Solution};
use perfectplay::numbers::plural;
use perfectplay::words;

/// Why an answer is what it is.
pub fn why(solution: &Solution) -> String {
    let best = solution.best_moves.as_deref().unwrap_or_default();
    let starter = words::player(solution.starter);
    let Some(first) = best.first() else {
        return match solution.best_moves {
            Some(_) => format!("{starter} has no move, and the rules say what that means"),
            None => "a search has proved it without naming a move".to_string(),
        };
    };
    let others = match (best.len(), solution.best_moves_cut) {
        (1, false) => "the only best move".to_string(),
        (all, false) => format!("one of {all} best moves"),
        (all, true) => format!("one of more than {all} best moves"),
    };
    let answered = solution.line.as_ref().and_then(|line| line.get(1)).map(|play| play.label.clone());
    let moves = solution.remoteness.map_or(String::new(), |moves| format!(" in {}", plural(moves, "move")));
    match (solution.kind, solution.outcome) {
        (AnswerKind::Score, _) => match solution.scores.as_deref() {
            Some([one, other]) => {
                format!("with best play first gets {one} and second {other}; {} is {others} of {starter}", first.label)
            }
            _ => format!("{} is {others} of {starter}", first.label),
        },
        (AnswerKind::Payoffs, _) => format!("{} is {others} of {starter}", first.label),
        (_, Some(Outcome::Win)) => format!("{starter} wins{moves} with {}, {others}", first.label),
        (_, Some(Outcome::Loss)) => {
            let example = answered.map_or(String::new(), |reply| {
                let first = solution.line.as_ref().and_then(|line| line.first()).map_or("", |play| &play.label);
                format!(", as {first} by {reply}")
            });
            format!("{starter} loses{moves}: every move has an answer that wins{example}")
        }
        (_, Some(Outcome::Draw)) => {
            format!("{starter} holds a draw with {}, {others}, and can force no more", first.label)
        }
        (_, None) => format!("{} is {others} of {starter}", first.label),
    }
}
