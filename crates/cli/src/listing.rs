//! Lists of rated moves for people.

use perfectplay::answer::Verdict;
use perfectplay::moves::RatedMove;

use crate::output::{self, FAINT, GOOD, STRONG, plural, styled};
use crate::phrases;

/// How far a list of moves goes.
#[derive(Clone, Copy)]
pub struct Extent {
    /// Whether there are moves that are not in it: those in it are best ones.
    pub cut: bool,
    /// Whether there are best moves that are not in it.
    pub best_cut: bool,
    /// How many legal moves there are, where that is known.
    pub count: Option<u128>,
}

impl Extent {
    /// What people are told of it, where it is cut.
    pub fn text(&self) -> String {
        if !self.cut {
            return String::new();
        }
        let shown = if self.best_cut { "these are some of the best moves" } else { "these are all best moves" };
        let all = match self.count.map(u64::try_from) {
            Some(Ok(count)) => format!("there are {} in all, too many to list", plural(count, "legal move")),
            _ => "the legal moves are too many to list".to_string(),
        };
        let text = output::prose(&format!("{shown}; {all}"), 2, output::width());
        format!("{}\n", styled(text, FAINT))
    }
}

/// A line for each move, with its squares if any have them and what values tell of it, and what the marks mean. There is a
/// move.
pub fn rated_text(moves: &[&RatedMove], squares: &[String], judgements: &[String]) -> String {
    let mut text = String::new();
    let width = moves.iter().map(|mv| mv.play.label.chars().count()).max().unwrap_or(0);
    let squares = aligned(squares);
    for (index, mv) in moves.iter().enumerate() {
        let mark = if mv.best { styled("*", GOOD) } else { " ".to_string() };
        let label = styled(format!("{:width$}", mv.play.label), if mv.best { STRONG } else { anstyle::Style::new() });
        let square = squares.get(index).map_or("", |square| square);
        let judgement = judgements.get(index).map(|judgement| format!("; {judgement}")).unwrap_or_default();
        text.push_str(&format!("{mark} {label}{square}  {}{judgement}\n", phrases::worth(mv)));
    }
    if let Some(first) = moves.first() {
        text.push_str(&format!("{}\n", styled(output::prose(legend(&first.worth), 2, output::width()), FAINT)));
    }
    text
}

/// Squares as a column that follows another; nothing where no move has any.
pub fn aligned(squares: &[String]) -> Vec<String> {
    match squares.iter().map(|square| square.chars().count()).max() {
        None | Some(0) => vec![String::new(); squares.len()],
        Some(width) => squares.iter().map(|square| format!("  {square:width$}")).collect(),
    }
}

/// What the marks and numbers mean.
fn legend(worth: &Verdict) -> &'static str {
    match worth {
        Verdict::Score(_) => "* a best move; numbers: what the mover gets from here on, minus what the other gets",
        Verdict::Payoffs { .. } => "* a best move for the mover; numbers: what each player gets from here on",
        _ => "* a best move: it keeps the result",
    }
}
