//! `perfectplay moves`: every legal move of a position, with its worth; the best ones, where there are too many to list.

use perfectplay::{Bound, Position, RatedMove, Solved, Verdict, Worth};
use rules::show;
use rules::suggest::nearest;
use serde_json::{Map, Value, json};
use solve::best::ListedMoves;
use solve::play::{find_play, first_plays};
use solve::solution::instance_json;

use crate::args::MovesArgs;
use crate::commands::sum;
use crate::failure::Failure;
use crate::load::{self, Asked, Rules};
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
    let played = args.after.as_deref().map(split_moves).unwrap_or_default();
    let position = after(&bound, &played, &rules)?;
    let mut monitor = progress::monitor(&args.common.limits.limits(), args.common.quiet || args.common.json);
    let options = args.common.limits.options();
    let solved = perfectplay::solve(&bound, &position, &options, &mut monitor);
    drop(monitor);
    let solved = solved.map_err(|error| Failure::solving(error, &rules))?;
    let listed = ListedMoves::of(&solved, &position).map_err(|error| Failure::solving(error, &rules))?;
    tell(&solved, &position, &played, listed, &rules, args.common.json)?;
    Ok(0)
}

/// Prints the moves of a position.
pub fn tell(
    solved: &Solved<'_>,
    position: &Position,
    played: &[String],
    listed: ListedMoves,
    rules: &Rules,
    as_json: bool,
) -> Result<(), Failure> {
    let extent = Extent { cut: listed.cut, best_cut: listed.best_cut, count: listed.count };
    if as_json {
        output::print_json(&json(solved, position, played, &listed.moves, extent));
    } else {
        output::print(&text(solved, position, &listed.moves, extent, rules)?);
    }
    Ok(())
}

/// `left, take(2, 1), take({0, 2}) in part 0` cut at its outer commas.
pub fn split_moves(text: &str) -> Vec<String> {
    let mut moves = vec![String::new()];
    let mut open = 0i32;
    for c in text.chars() {
        match c {
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => open -= 1,
            _ => {}
        }
        if matches!(c, ',' | ';' | '\n') && open <= 0 {
            moves.push(String::new());
        } else if let Some(last) = moves.last_mut() {
            last.push(c);
        }
    }
    moves.iter().map(|mv| mv.trim().to_string()).filter(|mv| !mv.is_empty()).collect()
}

/// The position after these moves from the start.
pub fn after(bound: &Bound, played: &[String], rules: &Rules) -> Result<Position, Failure> {
    let mut position = bound.start.clone();
    for (index, label) in played.iter().enumerate() {
        let option = find_play(bound, &position, label).map_err(|error| Failure::solving(error, rules))?;
        let Some(option) = option else {
            let legal = first_plays(bound, &position, SUGGESTED).map_err(|error| Failure::solving(error, rules))?.0;
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
        position = option;
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
    /// What programs are told of it, where it is cut.
    pub fn fields(&self) -> Map<String, Value> {
        let mut fields = Map::new();
        if self.cut {
            fields.insert("moves_cut".into(), json!(true));
            let count = self.count.and_then(|count| u64::try_from(count).ok());
            count.map(|count| fields.insert("moves_count".into(), json!(count)));
        }
        fields
    }

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

fn json(solved: &Solved<'_>, position: &Position, played: &[String], moves: &[RatedMove], extent: Extent) -> Value {
    let list: Vec<Value> = moves.iter().map(move_json).collect();
    let mut object = Map::new();
    object.insert("game".into(), json!(solved.bound.program.name));
    object.insert("instance".into(), Value::Object(instance_json(solved.bound)));
    object.insert("after".into(), json!(played));
    object.insert("position".into(), json!(show::position_text(solved.bound, position)));
    object.insert("mover".into(), json!(position.turn.to_string()));
    object.insert("over".into(), json!(moves.is_empty()));
    if let Some(verdict) = solved.verdict(position) {
        object.extend(verdict_fields(&verdict));
    }
    object.insert("moves".into(), json!(list));
    object.extend(extent.fields());
    Value::Object(object)
}

pub fn verdict_fields(verdict: &Verdict) -> Map<String, Value> {
    let mut fields = Map::new();
    match verdict {
        Verdict::Score(value) => drop(fields.insert("value".into(), json!(value))),
        Verdict::Payoffs { totals, unique } => {
            fields.insert("payoffs".into(), json!(totals));
            fields.insert("unique".into(), json!(unique));
        }
        other => {
            fields.insert("outcome".into(), json!(other.outcome().map(|o| o.to_string())));
            other.remoteness().map(|moves| fields.insert("remoteness".into(), json!(moves)));
            other.nimber().map(|nimber| fields.insert("nimber".into(), json!(nimber)));
            other.infinite().map(|set| fields.insert("loopy".into(), json!(format!("∞{set}"))));
        }
    }
    fields
}

/// One move: what it is worth to the player who makes it, and how many moves are left, this one included.
pub fn move_json(mv: &RatedMove) -> Value {
    let mut fields = Map::new();
    fields.insert("move".into(), json!(mv.play.label));
    match &mv.worth {
        Worth::Score(value) => drop(fields.insert("value".into(), json!(value))),
        Worth::Payoffs(totals) => drop(fields.insert("payoffs".into(), json!(totals))),
        Worth::Outcome(outcome, remoteness) => {
            fields.insert("outcome".into(), json!(outcome.to_string()));
            remoteness.map(|moves| fields.insert("remoteness".into(), json!(moves)));
        }
    }
    mv.nimber.map(|nimber| fields.insert("nimber".into(), json!(nimber)));
    mv.infinite.as_ref().map(|set| fields.insert("loopy".into(), json!(format!("∞{set}"))));
    if mv.play.gains.iter().any(|gain| *gain != 0) {
        fields.insert("gains".into(), json!(mv.play.gains));
    }
    fields.insert("best".into(), json!(mv.best));
    if matches!(mv.worth, Worth::Outcome(_, Some(_))) {
        fields.insert("fast".into(), json!(mv.fast));
    }
    Value::Object(fields)
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
fn legend(worth: &Worth) -> &'static str {
    match worth {
        Worth::Outcome(..) => "* a best move: it keeps the result",
        Worth::Score(_) => "* a best move; numbers: what the mover gets from here on, minus what the other gets",
        Worth::Payoffs(_) => "* a best move for the mover; numbers: what each player gets from here on",
    }
}

#[cfg(test)]
mod tests {
    use super::split_moves;

    #[test]
    fn moves_are_cut_at_outer_commas() {
        assert_eq!(
            split_moves("left, take(2, true) ,take({0, 2}) in part 0,"),
            ["left", "take(2, true)", "take({0, 2}) in part 0"]
        );
        assert!(split_moves("  ").is_empty());
    }
}
