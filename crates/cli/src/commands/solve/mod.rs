//! `perfectplay solve`: who wins, by how much, every best first move, one line of best play.
//!
//! And on demand: the whole line in a file ([`line_file`]), how [`greedy`] play fares, a picture of all intervals
//! ([`triangle`]).

mod greedy;
mod line_file;
mod triangle;

use std::io::Write as _;

use perfectplay::{Bound, Monitor, Options, Player, Solution, SolveError, answer, check, solution, solve};
use serde::Serialize;
use serde_json::Value;
use solve::{compare, interval};

use crate::args::SolveArgs;
use crate::failure::Failure;
use crate::files::NewFile;
use crate::load::{self, Asked, Rules};
use crate::output::{self, BAD, EVEN, GOOD, Rows, STRONG, bytes_text, count, plural, seconds_text, styled};
use crate::phrases::{in_moves, player, sum_title, title, totals};
use crate::progress;
use line_file::LineFile;

/// Where the right column starts.
const INDENT: usize = 14;
/// How many moves of a list are shown; `--json` has more.
const SHOWN: usize = 40;

pub fn run(args: &SolveArgs) -> Result<u8, Failure> {
    let asked = load::asked(&args.game)?;
    let mut monitor = progress::monitor(&args.common.limits.limits(), args.common.quiet || args.common.json);
    let options = Options { check: args.check, ..args.common.limits.options() };
    let (answered, starter) = match &asked {
        Asked::Game(game) => {
            let (rules, bound) = &**game;
            let answered = match args.wants_more() {
                true => answer_and_more(args, rules, bound, &options, &mut monitor),
                false => {
                    answer(bound, &options, &mut monitor).map_err(|error| Failure::solving(error, rules)).map(only)
                }
            };
            (answered, bound.starts)
        }
        Asked::Sum(_) if args.wants_more() => {
            let message = "--line, --compare and --svg are for one game, not for a sum of different games";
            return Err(Failure::usage_help(message, "solve the summands one by one"));
        }
        Asked::Sum(sum) => {
            let answered = sum.answer(&options, &mut monitor).map_err(|error| Failure::summing(error, sum)).map(only);
            (answered, Player::FIRST)
        }
    };
    drop(monitor);
    let Answered { solution, unfinished } = answered?;
    if args.common.json {
        let object = Object { solution: &solution, error: unfinished.as_ref().map(Failure::json) };
        output::print_json(&object);
    } else {
        output::print(&text(&solution, starter.to_string()));
    }
    Ok(unfinished.map_or(0, |failure| failure.tell(false)))
}

/// The answer for programs.
#[derive(Serialize)]
struct Object<'s> {
    #[serde(flatten)]
    solution: &'s Solution,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

/// An answer, and why something else that was asked for is missing.
struct Answered {
    solution: Solution,
    unfinished: Option<Failure>,
}

fn only(solution: Solution) -> Answered {
    Answered { solution, unfinished: None }
}

/// The answer with what else was asked for. What cannot be done is told before long work; once the answer is known it is given,
/// whatever becomes of the rest.
fn answer_and_more(
    args: &SolveArgs,
    rules: &Rules,
    bound: &Bound,
    options: &Options,
    monitor: &mut Monitor,
) -> Result<Answered, Failure> {
    let failure = |error| Failure::solving(error, rules);
    if args.compare.is_some() {
        compare::applies(bound).map_err(not_compared)?;
    }
    let mut line = args.line.as_deref().map(LineFile::create).transpose()?;
    let mut picture = None;
    if let Some(path) = &args.svg {
        let file = NewFile::create(path)?;
        let intervals = interval::recognise(bound, &bound.start, monitor).map_err(|error| not_drawn(error, rules))?;
        picture = Some((file, intervals, path.display().to_string()));
    }
    let solved = solve(bound, &bound.start, options, monitor).map_err(failure)?;
    let mut solution = solution(&solved, monitor).map_err(failure)?;
    if let Some(amount) = options.check {
        solution.checked = Some(check(&solved, amount, monitor).map_err(failure)?.positions);
    }
    if args.compare.is_some() {
        let compared = compare::compare(&solved, monitor);
        solution.compare = Some(compared.map_err(|error| match error {
            SolveError::NotApplicable(_) => not_compared(error),
            other => failure(other),
        })?);
    }
    let mut unfinished = None;
    if let Some(line) = line.take() {
        match line.write(&solved, monitor) {
            Ok(written) => solution.line_file = Some(written),
            Err(failure) => unfinished = Some(failure),
        }
    }
    if let Some((mut file, intervals, name)) = picture {
        let triangle = intervals.triangle(&solved, monitor).map_err(|error| match error {
            SolveError::Limit { .. } | SolveError::Interrupted { .. } => {
                Failure::Unfinished { error, what: format!("before {name} was written; the answer stands") }
            }
            other => not_drawn(other, rules),
        });
        let drawn = triangle.and_then(|triangle| {
            let text = triangle::picture(&solution, &triangle, &bound.starts.to_string());
            file.write_all(text.as_bytes()).map_err(|error| file.failure(&error))?;
            file.finish()
        });
        match drawn {
            Ok(()) => solution.picture = Some(name),
            Err(failure) => unfinished = unfinished.or(Some(failure)),
        }
    }
    Ok(Answered { solution, unfinished })
}

fn not_compared(error: SolveError) -> Failure {
    Failure::usage_help(error.to_string(), "--compare greedy is for two players who gain something, such as in `coins`")
}

/// A game that has no triangle of intervals, or an error on the way to it.
fn not_drawn(error: SolveError, rules: &Rules) -> Failure {
    match error {
        SolveError::NotApplicable(why) => Failure::usage_help(
            why,
            "--svg draws the values of interval games: counted, for two, with two indices that close in, such as `coins`",
        ),
        other => Failure::solving(other, rules),
    }
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
    if let Some(file) = &solution.line_file {
        let repeats = match (file.repeats, file.repeats_from) {
            (false, _) => String::new(),
            (true, Some(number)) => format!(", and then for ever from move {} on again", count(number)),
            (true, None) => ", and then positions repeat for ever".to_string(),
        };
        rows.prose("whole line", &format!("{} in {}{repeats}", plural(file.moves, "move"), file.file));
    }
    if let Some(compare) = &solution.compare {
        greedy::rows(&mut rows, solution, compare, &starter);
    }
    if let Some(file) = &solution.picture {
        rows.prose("picture", file);
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
        plural(solution.positions, if solution.method == "row" { "item" } else { "position" }),
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
