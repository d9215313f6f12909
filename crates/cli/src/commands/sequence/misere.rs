//! `sequence … --misere`: genus symbols and the misère quotient of a heap game.

use perfectplay::SolveError;
use perfectplay::json;
use perfectplay::sequence::{Misere, Quotient};

use super::subject::Subject;
use super::table::{INDENT, title};
use crate::args::SequenceArgs;
use crate::failure::Failure;
use crate::output::{self, Rows, seconds_text};
use crate::progress;

/// Heaps beyond this are not asked for: what is found by then is all there is to see.
const MOST_HEAPS: i64 = 10_000;

pub fn run(args: &SequenceArgs, subject: &Subject) -> Result<u8, Failure> {
    let quiet = args.common.quiet || args.common.json;
    let mut monitor = progress::monitor(&args.common.limits.limits(), quiet);
    let last = subject.sequence.to().saturating_sub(1).clamp(0, MOST_HEAPS) as u32;
    let found = match Misere::of(subject.sequence.source(), last, &mut monitor) {
        Ok(Some(found)) => found,
        Ok(None) => {
            return Err(Failure::usage_help(
                "--misere is for heaps that moves take from or break up",
                "`perfectplay explain` says what the rules are seen as; a game by its code is `sequence octal code=0.77 --misere`",
            ));
        }
        Err(error) => return Err(failure(error, subject)),
    };
    let seconds = monitor.elapsed().as_secs_f64();
    drop(monitor);
    if args.common.json {
        output::print_json(&json::misere(&subject.head(), &found, subject.sequence.upto(), seconds));
    } else {
        output::print(&text(subject, &found, seconds));
    }
    Ok(0)
}

fn failure(error: SolveError, subject: &Subject) -> Failure {
    match &subject.rules {
        Some(rules) => Failure::solving(error, rules),
        None => Failure::unsolved(error),
    }
}

fn text(subject: &Subject, found: &Misere, seconds: f64) -> String {
    let mut rows = Rows::new(INDENT);
    rows.list("genus", &found.genus);
    if let Some(stopped) = &found.stopped[0] {
        rows.prose("", &format!("up to heap {}: {stopped}", found.genus.len().saturating_sub(1)));
    }
    match &found.quotient {
        Some(quotient) => {
            rows.prose("quotient", &order(quotient, found.stopped[1].as_deref()));
            rows.prose("", &quotient.presentation);
            let heaps: Vec<String> = quotient.generators.iter().map(u32::to_string).collect();
            let heaps = match &heaps[..] {
                [] => "none: no heap so far has a move".to_string(),
                [one] => format!("heap {one}"),
                _ => format!("heaps {}", heaps.join(", ")),
            };
            rows.prose("generators", &heaps);
            rows.list("heaps", &quotient.elements);
            if let Some(period) = quotient.period {
                let proved = "proved: the elements of the heaps repeat over the window of the periodicity theorem";
                let upto = subject.sequence.upto().map_or(String::new(), |upto| format!(" up to heap {upto}"));
                rows.prose("period", &format!("{} from heap {} on{upto}; {proved}", period.length, period.start));
            }
        }
        None => rows.prose("quotient", &found.stopped[1].clone().unwrap_or_else(|| "not found".to_string())),
    }
    rows.prose("time", &seconds_text(seconds));
    format!("{}\n{}", title(subject), rows.text())
}

/// The size of a quotient, and of which heaps it speaks.
fn order(quotient: &Quotient, stopped: Option<&str>) -> String {
    let size = format!("order {}, of which {} lost", quotient.order, quotient.lost);
    match (quotient.period, stopped) {
        (Some(_), _) => format!("{size}; of all heaps, verified"),
        (None, Some(stopped)) => format!("{size}; of the heaps up to {}, verified; then {stopped}", quotient.largest),
        (None, None) => format!("{size}; of the heaps up to {}, verified", quotient.largest),
    }
}
