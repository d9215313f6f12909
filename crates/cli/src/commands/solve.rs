//! `perfectplay solve`: who wins, by how much, every best first move, one line of best play.

use perfectplay::{Options, Player, Solution, answer};

use crate::args::SolveArgs;
use crate::failure::Failure;
use crate::load::{self, Asked};
use crate::output::{self, BAD, EVEN, GOOD, Rows, STRONG, bytes_text, count, plural, seconds_text, styled};
use crate::phrases::{in_moves, player, sum_title, title, totals};
use crate::progress;

/// Where the right column starts.
const INDENT: usize = 14;
/// How many moves of a list are shown; `--json` has more.
const SHOWN: usize = 40;

pub fn run(args: &SolveArgs) -> Result<u8, Failure> {
    let asked = load::asked(&args.game)?;
    let mut monitor = progress::monitor(&args.common.limits.limits(), args.common.quiet || args.common.json);
    let options = Options { check: args.check, ..args.common.limits.options() };
    let (solution, starter) = match &asked {
        Asked::Game(game) => {
            let (rules, bound) = &**game;
            let solution = answer(bound, &options, &mut monitor).map_err(|error| Failure::solving(error, rules));
            (solution, bound.starts)
        }
        Asked::Sum(sum) => {
            let solution = sum.answer(&options, &mut monitor).map_err(|error| Failure::summing(error, sum));
            (solution, Player::FIRST)
        }
    };
    drop(monitor);
    let solution = solution?;
    if args.common.json {
        let text = serde_json::to_string(&solution).map_err(|error| Failure::usage(error.to_string()))?;
        output::print(&format!("{text}\n"));
    } else {
        output::print(&text(&solution, starter.to_string()));
    }
    Ok(0)
}

/// The answer for people.
fn text(solution: &Solution, starter: String) -> String {
    let title = match solution.summands.is_empty() {
        true => title(&solution.game, &solution.instance),
        false => sum_title(&solution.game),
    };
    let mut rows = Rows::new(INDENT);
    for (name, list, more) in lists(solution) {
        rows.list(name, &shown(list, more));
    }
    if !solution.summands.is_empty() {
        let values: Vec<String> =
            solution.summands.iter().map(|summand| format!("{}: {}", summand.name, summand.value())).collect();
        rows.list("nimbers", &shown(&values, false));
    }
    if let Some(nimber) = solution.nimber {
        rows.prose("nimber", &format!("{nimber}{}", sum_of(solution, " ⊕ ")));
    }
    if let Some(loopy) = &solution.loopy {
        rows.prose("loopy nimber", &format!("{loopy}{}", sum_of(solution, " + ")));
    }
    if let Some(class) = &solution.outcome_class {
        rows.prose("class", &format!("{class}: {}", class_text(class)));
    }
    if let Some(why) = &solution.outcome_class_missing {
        rows.prose("class", &format!("not known: {why}"));
    }
    if solution.unique == Some(false) {
        rows.prose("ties", "a player who does not care could change another's result; the first best move was taken");
    }
    rows.prose("proof", &proof_text(solution));
    format!("{title}{}\n\n{}", headline(solution, &starter), rows.text())
}

/// How the value of a sum of different games is made up: ` = 2 ⊕ 6`.
fn sum_of(solution: &Solution, sign: &str) -> String {
    if solution.summands.len() < 2 || solution.summands.len() > SHOWN {
        return String::new();
    }
    let values: Vec<String> = solution.summands.iter().map(|summand| summand.value()).collect();
    format!(" = {}", values.join(sign))
}

/// The lists of moves with their names, and whether there are more.
fn lists(solution: &Solution) -> Vec<(&'static str, &[String], bool)> {
    let lost = solution.outcome.as_deref() == Some("lose") && solution.value.is_none();
    let mut lists = Vec::new();
    if let Some(best) = &solution.best_moves {
        lists.push((
            if lost && !best.is_empty() { "all lose" } else { "best moves" },
            &best[..],
            solution.best_moves_cut,
        ));
        if let Some(fast) = solution.fast_moves.as_ref().filter(|fast| fast.len() < best.len()) {
            lists.push((if lost { "longest" } else { "fastest" }, &fast[..], false));
        }
    }
    if let Some(line) = solution.line.as_ref().filter(|line| !line.is_empty()) {
        lists.push(("line of play", &line[..], solution.line_cut));
    }
    lists
}

/// The start of a list, and how many more there are.
fn shown(moves: &[String], more: bool) -> Vec<String> {
    if moves.is_empty() {
        return vec!["none: the game is over".to_string()];
    }
    let mut shown: Vec<String> = moves.iter().take(SHOWN).cloned().collect();
    match (moves.len() - shown.len(), more) {
        (0, false) => {}
        (0, true) => shown.push("…".to_string()),
        (rest, false) => shown.push(format!("… {} more", count(rest as u64))),
        (rest, true) => shown.push(format!("… over {} more", count(rest as u64))),
    }
    shown
}

fn proof_text(solution: &Solution) -> String {
    if solution.proof == "claim" {
        return "none: too large to solve within the limits, so this is only what the rules file claims".to_string();
    }
    let checked = match solution.checked {
        Some(checked) => format!("; {} valued again by the interpreter", plural(checked, "position")),
        None => String::new(),
    };
    format!(
        "{}; {}, {}, {}, {}{checked}",
        solution.proof,
        plural(solution.positions, "position"),
        solution.method,
        bytes_text(solution.bytes),
        seconds_text(solution.seconds)
    )
}

fn headline(solution: &Solution, starter: &str) -> String {
    let remoteness = in_moves(solution.remoteness);
    let claimed = if solution.proof == "claim" { "claimed, not proved: " } else { "" };
    let starts = if starter == "first" { String::new() } else { format!(" ({} starts)", player(starter)) };
    if let Some(payoffs) = &solution.payoffs {
        let totals = totals(payoffs);
        return match &solution.winner {
            Some(winner) => {
                format!("{}: {totals}{starts}", styled(format!("{} gets the most", player(winner)), STRONG))
            }
            None => format!("the totals are {totals}{starts}"),
        };
    }
    let outcome = solution.outcome.as_deref();
    let style = match outcome {
        Some("win") => GOOD.bold(),
        Some("lose") => BAD.bold(),
        _ => EVEN.bold(),
    };
    let scores = match solution.scores.as_deref() {
        Some([first, second]) => format!(" ({first} : {second})"),
        _ => String::new(),
    };
    let (result, rest) = match (solution.value, solution.winner.as_deref()) {
        (Some(_), Some("draw")) => ("the scores are equal".to_string(), scores),
        (Some(value), Some(winner)) => (format!("{} wins by {}", player(winner), value.unsigned_abs()), scores),
        (_, Some("draw")) => ("a draw".to_string(), remoteness),
        (_, Some(winner)) => (format!("{} wins", player(winner)), remoteness),
        (_, None) => match outcome {
            Some("draw") => ("a draw".to_string(), remoteness),
            Some(outcome) => (format!("{} {outcome}s", player(starter)), remoteness),
            None => ("no single winner".to_string(), remoteness),
        },
    };
    format!("{claimed}{}{rest}{starts}", styled(result, style))
}

fn class_text(class: &str) -> &'static str {
    match class {
        "L" => "first (Left) wins whoever starts",
        "R" => "second (Right) wins whoever starts",
        "N" => "the player who starts wins",
        _ => "the player who does not start wins",
    }
}
