//! `explain` on a sum of different games, such as `kayles(7) + nim([3, 5])`.

use perfectplay::json::{self, Standing};
use perfectplay::plan::{SumExplanation, Taken, explain_sum};
use perfectplay::solving::Limits;
use perfectplay::sums::Sum;

use crate::args::ExplainArgs;
use crate::failure::Failure;
use crate::output::{self, Rows, bytes_text, plural, seconds_text};
use crate::{phrases, progress};

/// Where the right column starts.
const INDENT: usize = 19;

/// `perfectplay explain` on a sum.
pub fn explain(args: &ExplainArgs, sum: &Sum, standing: Option<&Standing>, board: &str) -> Result<u8, Failure> {
    let asked = &args.common.limits;
    let monitor = |limits: &Limits| progress::monitor(limits, args.common.quiet || args.common.json);
    let explained = explain_sum(sum, &asked.options(), &asked.limits(), args.run, &monitor);
    let explained = explained.map_err(|error| Failure::summing(error, sum))?;
    match args.common.json {
        true => output::print_json(&json::sum_explanation(&explained, standing)),
        false => output::print(&explain_text(&explained, board)),
    }
    Ok(0)
}

fn explain_text(explained: &SumExplanation, board: &str) -> String {
    let mut rows = Rows::new(INDENT);
    let positions = plural(explained.summands.len() as u64, "position");
    rows.prose("kind", &format!("a sum of {positions}, won by the last mover"));
    rows.prose("method", &format!("sum: {}", explained.why));
    for summand in &explained.summands {
        rows.prose("summand", &summand.name);
        let impartial = if summand.impartial.holds { "yes" } else { "no" };
        rows.prose("  impartial", &format!("{impartial}: {}", summand.impartial.why));
        rows.prose("  last mover wins", &format!("yes: {}", summand.last_mover.why));
        rows.prose("  method", &format!("{}: {}", summand.method, summand.why));
        if let Some(value) = &summand.value {
            let all = explained.summands.iter().all(|summand| summand.impartial.holds);
            rows.prose(if all { "  nimber" } else { "  value" }, value);
        }
    }
    if let Some(Taken { positions, bytes, seconds, .. }) = explained.taken {
        let took = format!("{}, {}", bytes_text(bytes), seconds_text(seconds));
        rows.prose("took", &format!("{}, {took}", plural(positions, "position")));
    }
    format!("{}{board}{}", phrases::sum_title(&explained.game), rows.text())
}
