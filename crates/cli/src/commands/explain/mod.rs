//! `perfectplay explain`: what kind of game this is, how that is known, and how it is solved.

mod sum;

use std::fmt::Display;

use perfectplay::answer::Understood;
use perfectplay::json;
use perfectplay::plan::{self, Code, Cost, Explanation, PassedOver, ToldBy, Unit, order_of};
use perfectplay::solving::{Limits, Options};

use crate::args::ExplainArgs;
use crate::board::Board;
use crate::failure::Failure;
use crate::load::{self, Asked};
use crate::output::{self, Rows, bytes_text, plural, seconds_text};
use crate::{phrases, progress, start};

/// Where the right column starts.
const INDENT: usize = 17;

pub fn run(args: &ExplainArgs) -> Result<u8, Failure> {
    let mut asked = load::asked(&args.game)?;
    let way = start::stand(&mut asked, &args.at)?;
    let standing = way.elsewhere.then(|| start::standing(&asked, &way));
    let board = way.elsewhere.then(|| Board::of(&asked)).map(|board| board_text(&board)).unwrap_or_default();
    let (rules, bound) = match &asked {
        Asked::Game(game) => (&game.0, &game.1),
        Asked::Sum(sum) => return sum::explain(args, sum, standing.as_ref(), &board),
    };
    let asked = &args.common.limits;
    let quiet = args.common.quiet || args.common.json;
    let look =
        Limits { memory: asked.size.memory.unwrap_or(plan::LOOK.memory), time: asked.size.time.or(plan::LOOK.time) };
    let look = if args.run { None } else { Some(&look) };
    let monitor = |limits: &Limits| progress::monitor(limits, quiet);
    let options = Options { question: args.question.question(), teach: args.run, ..asked.options() };
    let explained = plan::explain(bound, &options, &asked.limits(), look, &monitor)
        .map_err(|error| Failure::solving(error, rules))?;
    match args.common.json {
        true => output::print_line(&json::explanation(&explained, standing.as_ref())),
        false => output::print(&text(&explained, &board, asked.limits().memory)),
    }
    Ok(0)
}

/// Where play stands: the position as it is drawn, and who is to move.
fn board_text(board: &Board<'_>) -> String {
    let start = board.start();
    let mover = phrases::player(&start.turn.to_string());
    format!("\n{}\n\n{mover} is to move\n\n", board.draw(&start).trim_end())
}

/// The bound on the positions, and what they would take at the rate of those that were met.
fn prediction(explained: &Explanation<'_>) -> String {
    let unit = explained.plan.unit();
    match (unit, explained.plan.cost().positions, explained.most_positions()) {
        (Unit::Heap, places, _) => {
            format!("{}, fewer where a period is proved", plural(places.unwrap_or(u64::MAX), unit))
        }
        (Unit::Item, ..) => "each item, once".to_string(),
        (_, _, None) if explained.grows() => "no bound: parts can split".to_string(),
        (_, _, None) => format!("more than 10^19 {unit}s"),
        (_, _, Some(most)) => match explained.taken {
            Some(taken) if taken.positions >= 1000 && matches!(explained.plan.code(), Code::Interpreted(_)) => {
                let bytes = most as f64 / taken.positions as f64 * taken.bytes as f64;
                let over = if bytes < u64::MAX as f64 { "" } else { "over " };
                format!("{}, which would take {over}{}", plural(most, unit), bytes_text(bytes as u64))
            }
            _ => plural(most, unit),
        },
    }
}

/// What to say of a prediction above the limit on memory.
fn beyond(bytes: Option<u64>, limit: u64) -> String {
    let over = bytes.filter(|bytes| *bytes > limit);
    over.map_or(String::new(), |_| {
        format!(
            "; that is more than the limit of {}, so the solve may end there: give more with --memory",
            bytes_text(limit)
        )
    })
}

fn text(explained: &Explanation<'_>, board: &str, memory: u64) -> String {
    let (bound, plan) = (explained.bound, &explained.plan);
    let title = phrases::title(&bound.program.name, &Understood::new(bound));
    let mut rows = Rows::new(INDENT);
    rows.prose("kind", explained.kind());
    rows.prose("players", &bound.players.to_string());
    for property in explained.properties() {
        let mark = match property.holds {
            Some(true) => "yes: ",
            Some(false) => "no: ",
            None => "not known: ",
        };
        let more = match property.told_by {
            Some(ToldBy::Run) => "; --run looks at all",
            Some(ToldBy::Strong) => "; --strong looks at all",
            None => "",
        };
        rows.prose(property.name, &format!("{mark}{}{more}", property.why));
    }
    for PassedOver { method, why, cost, unit } in plan.passed_over() {
        match cost.as_ref().and_then(|cost| cost_text(cost, unit)) {
            Some(cost) => rows.prose("passed over", &format!("{method}: {why} ({cost})")),
            None if explained.ran || cost.is_some() => rows.prose("passed over", &format!("{method}: {why}")),
            None => {}
        }
    }
    if explained.ran {
        for (method, why) in plan.given_up() {
            rows.prose("given up", &format!("{method}: {why}"));
        }
    }
    rows.prose("method", &format!("{}: {}", plan.method(), plan.why()));
    for (name, found) in &explained.findings {
        rows.prose(name, found);
    }
    let turn = if plan.facts().with_turn { ", and whose turn it is" } else { "; whose turn it is does not matter" };
    let thing = if plan.facts().sum.holds { "a part" } else { "a position" };
    rows.prose(thing, &format!("{}{turn}", plural(bound.layout.bits() as u64, "bit")));
    rows.prose("at most", &prediction(explained));
    code_rows(&mut rows, explained, memory);
    if let Some(taken) = &explained.taken {
        let took = format!("{}, {}", bytes_text(taken.bytes), seconds_text(taken.seconds));
        let (name, note) = match (explained.ran, taken.complete) {
            (true, _) => ("took", ""),
            (false, true) => ("found", ": all there are"),
            (false, false) => ("found so far", ": not all"),
        };
        rows.prose(name, &format!("{}, {took}{note}", plural(taken.positions, plan.unit())));
    }
    format!("{title}{board}{}", rows.text())
}

/// What runs the rules, and what that will take.
fn code_rows(rows: &mut Rows, explained: &Explanation<'_>, memory: u64) {
    match explained.plan.code() {
        Code::Interpreted(why) => rows.prose("rules", &format!("interpreted: {why}")),
        Code::Kernel(how) => rows.prose("values", explained.kernel().unwrap_or(how)),
        Code::Compiled { numbering, proved } => {
            rows.prose("numbering", numbering);
            for fact in proved {
                rows.prose("proved", fact);
            }
            let code = if explained.code.is_empty() { String::new() } else { format!(": {}", explained.code) };
            rows.prose("rules", &format!("compiled{code}"));
        }
    }
    let row = explained.plan.shape("row").is_some_and(|row| row.holds);
    let (unit, cost) = (explained.plan.unit(), explained.plan.cost());
    let kernel = matches!(explained.plan.code(), Code::Kernel(_));
    let predicted = if row { cost_text(&cost, "interval") } else { cost_text(&cost, unit) };
    match predicted {
        // A method that only counts its heaps or items says so already.
        Some(text) if !kernel || cost.bytes.is_some() => {
            rows.prose("predicted", &(text + &beyond(cost.bytes, memory)));
        }
        None if !kernel && unit == Unit::Position => {
            rows.prose("predicted", "how many are met is not known beforehand")
        }
        _ => {}
    }
}

/// Who waits for longer than a century? In seconds.
const CENTURY: f64 = 100.0 * 365.25 * 86400.0;

/// What a method is predicted to take.
fn cost_text(cost: &Cost, noun: impl Display) -> Option<String> {
    let Cost { positions, codes, bytes, seconds, .. } = *cost;
    let mut parts = Vec::new();
    match (positions, codes) {
        (Some(positions), Some(codes)) if positions == codes => {
            parts.push(format!("{}, all in a table", plural(codes, "code")));
        }
        (Some(positions), codes) => {
            let about = if rounded(positions) == positions { "" } else { "about " };
            parts.push(format!("{about}{}", plural(rounded(positions), noun)));
            parts.extend(codes.map(|codes| format!("a table of {}", plural(codes, "code"))));
        }
        (None, codes) => parts.extend(codes.map(|codes| format!("a table of {}", plural(codes, "code")))),
    }
    parts.extend(bytes.map(bytes_text));
    // One digit is known, so that no other is shown: 2 is more telling than 1.7.
    let about = |seconds: f64| match seconds {
        ..=CENTURY => seconds_text(order_of(seconds)).replace(".0 ", " "),
        _ => format!("{}: far too long", seconds_text(seconds)),
    };
    parts.extend(seconds.map(|seconds| format!("about {}", about(seconds))));
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// A number with two digits that count: what is estimated is not known better.
fn rounded(number: u64) -> u64 {
    let unit = 10u64.pow(number.max(1).ilog10().saturating_sub(1));
    if number < 10_000 { number } else { number / unit * unit }
}

#[cfg(test)]
mod tests {
    use super::beyond;

    #[test]
    fn a_prediction_above_the_limit_says_so() {
        assert!(beyond(Some(3 << 20), 2 << 20).contains("more than the limit of 2.0 MB"));
        assert!([Some(2 << 20), None].iter().all(|bytes| beyond(*bytes, 2 << 20).is_empty()));
    }
}
