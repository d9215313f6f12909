//! `perfectplay moves`: every legal move of a position, with its worth; the best ones, where there are too many to list.

use perfectplay::answer::Verdict;
use perfectplay::json;
use perfectplay::language::{Bound, Position, Rules, nearest, show};
use perfectplay::moves::{self, ListedMoves, RatedMove};
use perfectplay::solving::{Solved, solve};

use crate::args::MovesArgs;
use crate::commands::sum;
use crate::failure::Failure;
use crate::load::{self, Asked};
use crate::output::{self, FAINT, GOOD, STRONG, plural, styled};
use crate::{phrases, progress};

/// How much of a position a message shows.
const POSITION: usize = 200;
/// How many legal moves are looked at for one that a person may have meant.
pub const SUGGESTED: usize = 1000;

pub fn run(args: &MovesArgs) -> Result<u8, Failure> {
    let (rules, bound) = match load::asked(&args.game)? {
        Asked::Game(game) => *game,
        Asked::Sum(sum) => return sum::moves(args, &sum),
    };
    let played = args.after.as_deref().map(moves::split).unwrap_or_default();
    let position = after(&bound, &played, &rules)?;
    let mut monitor = progress::monitor(&args.common.limits.limits(), args.common.quiet || args.common.json);
    let options = args.common.limits.options();
    let solved = solve(&bound, &position, &options, &mut monitor);
    drop(monitor);
    let solved = solved.map_err(|error| Failure::solving(error, &rules))?;
    let listed = ListedMoves::of(&solved, &position).map_err(|error| Failure::solving(error, &rules))?;
    tell(&solved, &position, &played, &listed, &rules, args.common.json)?;
    Ok(0)
}

/// Prints the moves of a position.
pub fn tell(
    solved: &Solved<'_>,
    position: &Position,
    played: &[String],
    listed: &ListedMoves,
    rules: &Rules,
    as_json: bool,
) -> Result<(), Failure> {
    let extent = Extent { cut: listed.cut, best_cut: listed.best_cut, count: listed.count };
    if as_json {
        output::print_line(&json::moves(solved, position, played, listed));
    } else {
        output::print(&text(solved, position, &listed.moves, extent, rules)?);
    }
    Ok(())
}

/// The position after these moves from the start.
pub fn after(bound: &Bound, played: &[String], rules: &Rules) -> Result<Position, Failure> {
    let mut position = bound.start.clone();
    for (index, label) in played.iter().enumerate() {
        let play = moves::find(bound, &position, label).map_err(|fault| Failure::solving(fault.into(), rules))?;
        let Some(play) = play else {
            let legal = moves::first_plays(bound, &position, SUGGESTED);
            let (legal, _) = legal.map_err(|fault| Failure::solving(fault.into(), rules))?;
            let near = nearest(label, legal.iter().map(|play| play.label.as_str())).map(str::to_string);
            let names: Vec<String> = legal.iter().take(12).map(|play| play.label.clone()).collect();
            let more = if legal.len() > names.len() { ", …" } else { "" };
            let place = show::cut(POSITION, &show::position_text(bound, &position));
            let message = format!("`{label}` (move {}) is not a legal move in the position {place}", index + 1);
            let help = match near {
                _ if names.is_empty() => "the game is over there".to_string(),
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("legal moves are {}{more}", names.join(", ")),
            };
            return Err(Failure::usage_help(message, help));
        };
        play.apply(&mut position);
    }
    Ok(position)
}

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

fn text(
    solved: &Solved<'_>,
    position: &Position,
    moves: &[RatedMove],
    extent: Extent,
    rules: &Rules,
) -> Result<String, Failure> {
    let bound = solved.bound;
    let drawing = show::draw(bound, position).map_err(|fault| Failure::solving(fault.into(), rules))?;
    let mut text = format!("{}\n\n", drawing.trim_end());
    if moves.is_empty() {
        let ending = phrases::ending(bound, position, None).map_err(|error| Failure::solving(error, rules))?;
        let ending = if bound.program.counted { "nothing is left to move".to_string() } else { ending };
        text.push_str(&format!("the game is over here: {ending}\n"));
        return Ok(text);
    }
    let standing = phrases::standing(position.turn, solved.verdict(position).as_ref());
    text.push_str(&format!("{}\n", output::prose(&standing, 0, output::width())));
    text.push_str(&rated_text(&moves.iter().collect::<Vec<_>>()));
    text.push_str(&extent.text());
    Ok(text)
}

/// A line for each move, and what the marks mean. There is a move.
pub fn rated_text(moves: &[&RatedMove]) -> String {
    let mut text = String::new();
    let width = moves.iter().map(|mv| mv.play.label.chars().count()).max().unwrap_or(0);
    for mv in moves {
        let mark = if mv.best { styled("*", GOOD) } else { " ".to_string() };
        let label = styled(format!("{:width$}", mv.play.label), if mv.best { STRONG } else { anstyle::Style::new() });
        text.push_str(&format!("{mark} {label}  {}\n", phrases::worth(mv)));
    }
    if let Some(first) = moves.first() {
        text.push_str(&format!("{}\n", styled(output::prose(legend(&first.worth), 2, output::width()), FAINT)));
    }
    text
}

/// What the marks and numbers mean.
fn legend(worth: &Verdict) -> &'static str {
    match worth {
        Verdict::Score(_) => "* a best move; numbers: what the mover gets from here on, minus what the other gets",
        Verdict::Payoffs { .. } => "* a best move for the mover; numbers: what each player gets from here on",
        _ => "* a best move: it keeps the result",
    }
}
