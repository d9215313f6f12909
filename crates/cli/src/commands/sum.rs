//! `moves` and `explain` on a sum of different games, such as `kayles(7) + nim([3, 5])`.

use perfectplay::SolveError;
use perfectplay::answer::Understood;
use perfectplay::json::{self, SumExplanation, SummandExplanation};
use perfectplay::language::{Bound, Fault, Position, nearest, show};
use perfectplay::moves::{self, RatedMove};
use perfectplay::plan::{Taken, plan};
use perfectplay::solving::Monitor;
use perfectplay::sums::{Compound, SolvedSum, Sum, SumError, SumPosition, unfit};

use crate::args::{ExplainArgs, MovesArgs};
use crate::commands::moves::{Extent, SUGGESTED, rated_text};
use crate::failure::Failure;
use crate::output::{self, Rows, bytes_text, plural, seconds_text};
use crate::{phrases, progress};

/// Where the right column starts.
const INDENT: usize = 19;

/// `perfectplay moves` on a sum.
pub fn moves(args: &MovesArgs, sum: &Sum) -> Result<u8, Failure> {
    let failed = |error| Failure::summing(error, sum);
    let played = args.after.as_deref().map(moves::split).unwrap_or_default();
    let compound = Compound::new(sum.summands());
    let position = after(&compound, &played, sum)?;
    let mut monitor = progress::monitor(&args.common.limits.limits(), args.common.quiet || args.common.json);
    let solved = sum.solve(&args.common.limits.options(), &mut monitor);
    drop(monitor);
    let solved = solved.map_err(failed)?;
    let listed = solved.listed(&position).map_err(failed)?;
    if args.common.json {
        output::print_line(&json::sum_moves(&solved, &position, &played, &listed).map_err(failed)?);
        return Ok(0);
    }
    let extent = Extent { cut: listed.cut, best_cut: listed.best_cut, count: listed.count };
    let moves: Vec<RatedMove> = listed.moves.into_iter().map(|mv| mv.rated).collect();
    output::print(&moves_text(&solved, &position, &moves, extent).map_err(failed)?);
    Ok(0)
}

/// The position after these moves from the start.
fn after(compound: &Compound<'_>, played: &[String], sum: &Sum) -> Result<SumPosition, Failure> {
    let failed = |error| Failure::summing(error, sum);
    let mut position = compound.start();
    for (index, label) in played.iter().enumerate() {
        if let Some(mv) = compound.find(&position, label).map_err(failed)? {
            position.apply(&mv);
            continue;
        }
        let (legal, _) = compound.first_plays(&position, SUGGESTED).map_err(failed)?;
        let names: Vec<&str> = legal.iter().map(|mv| mv.play.label.as_str()).collect();
        let help = match nearest(label, names.iter().copied()) {
            _ if names.is_empty() => "the game is over there".to_string(),
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                let more = if names.len() > 12 { ", …" } else { "" };
                format!("legal moves are {}{more}", names.iter().take(12).copied().collect::<Vec<_>>().join(", "))
            }
        };
        return Err(Failure::usage_help(format!("`{label}` (move {}) is not a legal move there", index + 1), help));
    }
    Ok(position)
}

fn moves_text(
    solved: &SolvedSum<'_>,
    position: &SumPosition,
    moves: &[RatedMove],
    extent: Extent,
) -> Result<String, SumError> {
    let mut text = String::new();
    for (summand, here) in position.summands.iter().enumerate() {
        let drawing = drawing(solved.game(summand).bound, here);
        let drawing = drawing.map_err(|fault| SumError { summand, error: SolveError::Fault(fault) })?;
        let value = solved.summand_value(summand, here)?;
        text.push_str(&format!("{}, nimber {value}:{drawing}\n", solved.compound.name(summand)));
    }
    text.push('\n');
    if moves.is_empty() {
        let winner = phrases::player(&position.turn.other().to_string());
        text.push_str(&format!("the game is over here: {winner} wins\n"));
        return Ok(text);
    }
    let standing = phrases::standing(position.turn, Some(&solved.verdict(position)?));
    text.push_str(&format!("{}\n", output::prose(&standing, 0, output::width())));
    text.push_str(&rated_text(&moves.iter().collect::<Vec<_>>()));
    text.push_str(&extent.text());
    Ok(text)
}

/// A summand as it is drawn behind its name and a colon.
pub fn drawing(bound: &Bound, position: &Position) -> Result<String, Fault> {
    let drawing = show::draw(bound, position)?;
    let drawing = match position.parts.len() {
        1 => drawing.strip_prefix("part 0:").map_or(&*drawing, |drawing| drawing.trim_start_matches([' ', '\n'])),
        _ => &drawing,
    };
    Ok(match drawing.contains('\n') {
        true => format!("\n  {}", drawing.replace('\n', "\n  ")),
        false => format!(" {drawing}"),
    })
}

/// `perfectplay explain` on a sum.
pub fn explain(args: &ExplainArgs, sum: &Sum) -> Result<u8, Failure> {
    let asked = &args.common.limits;
    let options = asked.options();
    let compound = Compound::new(sum.summands());
    let mut summands = Vec::new();
    for (summand, one) in compound.summands().iter().enumerate() {
        let blame = |error| Failure::summing(SumError { summand, error }, sum);
        if let Some(why) = unfit(one.bound) {
            let title = format!("`{}` cannot be part of a sum of different games: {why}", one.bound.program.name);
            return Err(blame(SolveError::NotApplicable(title)));
        }
        let mut monitor = Monitor::new(&asked.limits());
        let plan = plan(one.bound, &one.bound.start, &options, &mut monitor).map_err(blame)?;
        summands.push(SummandExplanation {
            name: compound.name(summand).to_string(),
            game: one.bound.program.name.clone(),
            instance: Understood::new(one.bound),
            impartial: plan.facts.impartial,
            last_mover: plan.facts.last_mover,
            method: plan.method.name(),
            why: plan.why,
            value: None,
        });
    }
    let mut explained = SumExplanation { game: compound.text(), why: WHY.to_string(), summands, taken: None };
    if args.run {
        let mut monitor = progress::monitor(&asked.limits(), args.common.quiet || args.common.json);
        let solved = sum.solve(&options, &mut monitor).map_err(|error| Failure::summing(error, sum))?;
        let values = solved.values(&compound.start()).map_err(|error| Failure::summing(error, sum))?;
        for (summand, (told, value)) in explained.summands.iter_mut().zip(values).enumerate() {
            let plan = &solved.game(summand).plan;
            (told.method, told.why, told.value) = (plan.method.name(), plan.why.clone(), Some(value.to_string()));
        }
        let (bytes, seconds) = (monitor.memory().peak(), monitor.elapsed().as_secs_f64());
        explained.taken = Some(Taken { positions: solved.positions(), bytes, seconds, complete: true });
    }
    match args.common.json {
        true => output::print_json(&json::sum_explanation(&explained)),
        false => output::print(&explain_text(&explained)),
    }
    Ok(0)
}

/// Why the nimbers of the summands are enough.
const WHY: &str = "each summand is solved by itself: all are impartial and won by the last mover, so that each has a \
                   nimber, or a loopy one where its positions repeat, and these add up";

fn explain_text(explained: &SumExplanation) -> String {
    let mut rows = Rows::new(INDENT);
    let positions = plural(explained.summands.len() as u64, "position");
    rows.prose("kind", &format!("a sum of {positions}, won by the last mover"));
    rows.prose("method", &format!("sum: {WHY}"));
    for told in &explained.summands {
        rows.prose("summand", &told.name);
        rows.prose("  impartial", &format!("yes: {}", told.impartial.why));
        rows.prose("  last mover wins", &format!("yes: {}", told.last_mover.why));
        rows.prose("  method", &format!("{}: {}", told.method, told.why));
        if let Some(value) = &told.value {
            rows.prose("  nimber", value);
        }
    }
    if let Some(Taken { positions, bytes, seconds, .. }) = explained.taken {
        let took = format!("{}, {}", bytes_text(bytes), seconds_text(seconds));
        rows.prose("took", &format!("{}, {took}", plural(positions, "position")));
    }
    format!("{}{}", phrases::sum_title(&explained.game), rows.text())
}
