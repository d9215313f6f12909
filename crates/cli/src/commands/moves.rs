//! `perfectplay moves`: every legal move of a position, with its worth.

use perfectplay::{Bound, Options, Outcome, Position, RatedMove, Solved, Verdict, Worth};
use rules::show;
use serde_json::{Map, Value, json};
use solve::line::find_play;
use solve::solution::instance_json;
use solve::solver::plays;

use crate::args::MovesArgs;
use crate::failure::Failure;
use crate::load::{self, Rules};
use crate::output::{self, BAD, EVEN, FAINT, GOOD, STRONG, styled};
use crate::progress;

pub fn run(args: &MovesArgs) -> Result<u8, Failure> {
    let (rules, bound) = load::game(&args.game)?;
    let played = args.after.as_deref().map(split_moves).unwrap_or_default();
    let position = after(&bound, &played, &rules)?;
    let mut monitor = progress::monitor(&args.common.limits.limits(), args.common.quiet || args.common.json);
    let options = Options { method: args.common.limits.method(), ..Options::default() };
    let solved = perfectplay::solve(&bound, &position, &options, &mut monitor);
    drop(monitor);
    let solved = solved.map_err(|error| Failure::solving(error, &rules))?;
    let moves = solved.moves(&position).map_err(|error| Failure::solving(error, &rules))?;
    if args.common.json {
        output::print(&format!("{}\n", json(&solved, &position, &played, &moves)));
    } else {
        output::print(&text(&solved, &position, &moves, &rules)?);
    }
    Ok(0)
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
fn after(bound: &Bound, played: &[String], rules: &Rules) -> Result<Position, Failure> {
    let mut position = bound.start.clone();
    for (index, label) in played.iter().enumerate() {
        let option = find_play(bound, &position, label).map_err(|error| Failure::solving(error, rules))?;
        let Some(option) = option else {
            let legal = plays(bound, &position).map_err(|error| Failure::solving(error, rules))?;
            let names: Vec<String> = legal.into_iter().take(12).map(|play| play.label).collect();
            let place = show::position_text(bound, &position);
            let message = format!("`{label}` (move {}) is not a legal move in the position {place}", index + 1);
            let help = match names.is_empty() {
                true => "the game is over there".to_string(),
                false => format!("legal moves are {}", names.join(", ")),
            };
            return Err(Failure::usage_help(message, help));
        };
        position = option;
    }
    Ok(position)
}

fn json(solved: &Solved<'_>, position: &Position, played: &[String], moves: &[RatedMove]) -> Value {
    let list: Vec<Value> = moves.iter().map(move_json).collect();
    let mut object = Map::new();
    object.insert("game".into(), json!(solved.bound.program.name));
    object.insert("instance".into(), Value::Object(instance_json(solved.bound)));
    object.insert("after".into(), json!(played));
    object.insert("position".into(), json!(show::position_text(solved.bound, position)));
    object.insert("mover".into(), json!(position.turn.to_string()));
    if let Some(verdict) = solved.verdict(position) {
        object.extend(verdict_fields(&verdict));
    }
    object.insert("moves".into(), json!(list));
    Value::Object(object)
}

fn verdict_fields(verdict: &Verdict) -> Map<String, Value> {
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
        }
    }
    fields
}

/// One move: what it is worth to the player who makes it, and how many moves are left, this one included.
fn move_json(mv: &RatedMove) -> Value {
    let mut fields = Map::new();
    fields.insert("move".into(), json!(mv.label));
    match &mv.worth {
        Worth::Score(value) => drop(fields.insert("value".into(), json!(value))),
        Worth::Payoffs(totals) => drop(fields.insert("payoffs".into(), json!(totals))),
        Worth::Outcome(outcome, remoteness) => {
            fields.insert("outcome".into(), json!(outcome.to_string()));
            remoteness.map(|moves| fields.insert("remoteness".into(), json!(moves)));
        }
    }
    mv.nimber.map(|nimber| fields.insert("nimber".into(), json!(nimber)));
    if mv.gains.iter().any(|gain| *gain != 0) {
        fields.insert("gains".into(), json!(mv.gains));
    }
    fields.insert("best".into(), json!(mv.best));
    Value::Object(fields)
}

fn text(solved: &Solved<'_>, position: &Position, moves: &[RatedMove], rules: &Rules) -> Result<String, Failure> {
    let bound = solved.bound;
    let drawing = show::draw(bound, position).map_err(|fault| Failure::solving(fault.into(), rules))?;
    let mut text = format!("{}\n\n", drawing.trim_end());
    if moves.is_empty() {
        text.push_str("the game is over here\n");
        return Ok(text);
    }
    text.push_str(&format!("{} to move\n", styled(position.turn, STRONG)));
    let width = moves.iter().map(|mv| mv.label.chars().count()).max().unwrap_or(0);
    for mv in moves {
        let mark = if mv.best { "*" } else { " " };
        let pad = " ".repeat(width - mv.label.chars().count());
        text.push_str(&format!("{mark} {}{pad}  {}\n", mv.label, worth_text(mv)));
    }
    text.push_str(&styled("* keeps the result\n", FAINT));
    Ok(text)
}

/// What a move is worth, in words.
pub fn worth_text(mv: &RatedMove) -> String {
    let nimber = mv.nimber.map_or(String::new(), |nimber| format!(", to nimber {nimber}"));
    match &mv.worth {
        Worth::Outcome(outcome, remoteness) => {
            let (word, style) = match outcome {
                Outcome::Win => ("wins", GOOD),
                Outcome::Loss => ("loses", BAD),
                Outcome::Draw => ("draws", EVEN),
            };
            let moves = remoteness.map_or(String::new(), |moves| format!(" in {moves}"));
            format!("{}{moves}{nimber}", styled(word, style))
        }
        Worth::Score(value) => styled(
            format!("{value:+}"),
            if *value > 0 {
                GOOD
            } else if *value < 0 {
                BAD
            } else {
                EVEN
            },
        ),
        Worth::Payoffs(totals) => totals.iter().map(i64::to_string).collect::<Vec<_>>().join(" : "),
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
