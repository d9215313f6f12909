//! `perfectplay solve`: who wins, by how much, every best first move, one line of best play.

use perfectplay::{Options, Solution, answer};
use rules::show::cut;

use crate::args::SolveArgs;
use crate::failure::Failure;
use crate::load;
use crate::output::{self, BAD, EVEN, FAINT, GOOD, STRONG, bytes_text, plural, seconds_text, styled, wrapped};
use crate::progress;

/// Where the right column starts.
const INDENT: usize = 14;
/// Where lines are broken.
const WIDTH: usize = 100;

pub fn run(args: &SolveArgs) -> Result<u8, Failure> {
    let (rules, bound) = load::game(&args.game)?;
    let mut monitor = progress::monitor(&args.common.limits.limits(), args.common.quiet || args.common.json);
    let options = Options { method: args.common.limits.method(), ..Options::default() };
    let solution = answer(&bound, &options, &mut monitor);
    drop(monitor);
    let solution = solution.map_err(|error| Failure::solving(error, &rules))?;
    if args.common.json {
        let text = serde_json::to_string(&solution).map_err(|error| Failure::usage(error.to_string()))?;
        output::print(&format!("{text}\n"));
    } else {
        output::print(&text(&solution, bound.starts.to_string()));
    }
    Ok(0)
}

/// The answer for people.
fn text(solution: &Solution, starter: String) -> String {
    let mut text = format!("{}  {}\n", styled(&solution.game, STRONG), styled(instance_line(solution), FAINT));
    text.push_str(&format!("{}\n\n", headline(solution, &starter)));
    let mut row =
        |name: &str, value: String| text.push_str(&format!("{}{value}\n", styled(format!("{name:INDENT$}"), FAINT)));
    if let Some(best) = &solution.best_moves {
        let note = if solution.best_moves_cut { ", …" } else { "" };
        row(
            "best moves",
            format!(
                "{}{note}",
                if best.is_empty() { "none: the game is over".to_string() } else { wrapped(best, INDENT, WIDTH) }
            ),
        );
    }
    if let (Some(fast), Some(best)) = (&solution.fast_moves, &solution.best_moves)
        && fast.len() < best.len()
    {
        row("fastest", wrapped(fast, INDENT, WIDTH));
    }
    if let Some(line) = &solution.line
        && !line.is_empty()
    {
        let shown = &line[..line.len().min(40)];
        let more = if solution.line_cut || shown.len() < line.len() { ", …" } else { "" };
        row("line of play", format!("{}{more}", wrapped(shown, INDENT, WIDTH)));
    }
    if let Some(nimber) = solution.nimber {
        row("nimber", nimber.to_string());
    }
    if let Some(class) = &solution.outcome_class {
        row("whoever starts", format!("{class}: {}", class_text(class)));
    }
    if solution.unique == Some(false) {
        row(
            "ties",
            "a player who does not care could change another's result; the first best move was taken".to_string(),
        );
    }
    row("proof", proof_text(solution));
    text
}

fn proof_text(solution: &Solution) -> String {
    if solution.proof == "claim" {
        return "none: too large to solve within the limits; this is what the rules file claims".to_string();
    }
    format!(
        "{}; {}, {}, {}, {}",
        solution.proof,
        plural(solution.positions, "position"),
        solution.method,
        bytes_text(solution.bytes),
        seconds_text(solution.seconds)
    )
}

fn instance_line(solution: &Solution) -> String {
    let words = solution.instance.iter().map(|(name, value)| cut(70, &format!("{name}={value}")));
    words.collect::<Vec<_>>().join(" ")
}

fn headline(solution: &Solution, starter: &str) -> String {
    let remoteness = match solution.remoteness {
        Some(moves) => format!(" in {}", plural(u64::from(moves), "move")),
        None => String::new(),
    };
    if let Some(payoffs) = &solution.payoffs {
        let totals = payoffs.iter().map(i64::to_string).collect::<Vec<_>>().join(" : ");
        return match &solution.winner {
            Some(winner) => format!("{}, {totals}", styled(format!("{winner} gets the most"), STRONG)),
            None => format!("the totals are {totals}"),
        };
    }
    let style = match solution.outcome.as_deref() {
        Some("win") => GOOD.bold(),
        Some("lose") => BAD.bold(),
        _ => EVEN.bold(),
    };
    match (solution.value, solution.winner.as_deref()) {
        (Some(value), Some(winner)) => {
            let scores = match solution.scores.as_deref() {
                Some([first, second]) => format!(" ({first} : {second})"),
                _ => String::new(),
            };
            let result = if winner == "draw" {
                "the scores are equal".to_string()
            } else {
                format!("{winner} wins by {}", value.unsigned_abs())
            };
            format!("{}{scores}", styled(result, style))
        }
        (_, Some("draw")) => format!("{}{remoteness}", styled("a draw", style)),
        (_, Some(winner)) => {
            let moves = if winner == starter { " and moves first" } else { "" };
            format!("{}{moves}{remoteness}", styled(format!("{winner} wins"), style))
        }
        _ => match solution.outcome.as_deref() {
            Some(outcome) => styled(format!("{starter} {}", if outcome == "lose" { "loses" } else { "wins" }), style),
            None => "no single winner".to_string(),
        },
    }
}

fn class_text(class: &str) -> &'static str {
    match class {
        "L" => "first (Left) wins whoever starts",
        "R" => "second (Right) wins whoever starts",
        "N" => "the player who starts wins",
        _ => "the player who does not start wins",
    }
}
