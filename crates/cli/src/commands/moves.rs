//! `perfectplay moves`: every legal move of a position, with its worth; the best ones, where there are too many to list.

use perfectplay::answer::SummandValue;
use perfectplay::json;
use perfectplay::language::{Position, Rules, show};
use perfectplay::moves::{ListedMoves, Play, RatedMove};
use perfectplay::solving::{Solved, solve};
use perfectplay::sums::{SolvedSum, Sum, SumError, SumPosition};
use perfectplay::values::{Judged, judged};

use crate::args::MovesArgs;
use crate::board::{Board, summand_drawing};
use crate::failure::Failure;
use crate::judgements::{judgements, value_text};
use crate::listing::{Extent, rated_text};
use crate::load::{self, Asked};
use crate::output::{self, FAINT, styled};
use crate::start::{self, Way};
use crate::{phrases, progress, squares};

/// A position whose text is longer is only printed with `--json`.
const LONGEST: usize = 1000;

pub fn run(args: &MovesArgs) -> Result<u8, Failure> {
    let mut asked = load::asked(&args.game.game())?;
    let way = start::stand(&mut asked, &args.at)?;
    let (rules, bound) = match &asked {
        Asked::Game(game) => &**game,
        Asked::Sum(sum) => return of_sum(args, sum, &way),
    };
    let mut monitor = progress::monitor(&args.common.limits.limits(), args.common.quiet || args.common.json);
    let options = args.common.limits.options();
    let failed = |error| Failure::solving(error, rules);
    let solved = solve(bound, &bound.start, &options, &mut monitor).map_err(failed)?;
    let listed = ListedMoves::of(&solved, &bound.start).map_err(failed)?;
    let plays: Vec<&Play> = listed.moves.iter().map(|mv| &mv.play).collect();
    let judged = match listed.cut {
        true => None,
        false => judged(&solved, &bound.start, &plays, &mut monitor).map_err(failed)?,
    };
    drop(monitor);
    tell(&solved, &bound.start, &way, &listed, judged.as_ref(), rules, args.common.json)?;
    Ok(0)
}

/// Prints the moves of a position.
pub fn tell(
    solved: &Solved<'_>,
    position: &Position,
    way: &Way,
    listed: &ListedMoves,
    judged: Option<&Judged>,
    rules: &Rules,
    as_json: bool,
) -> Result<(), Failure> {
    let extent = Extent { cut: listed.cut, best_cut: listed.best_cut, count: listed.count };
    if as_json {
        output::print_line(&json::moves(solved, position, &way.after, way.totals.as_deref(), listed, judged));
    } else {
        output::print(&text(solved, position, &listed.moves, judged, extent, rules, way)?);
    }
    Ok(())
}

fn text(
    solved: &Solved<'_>,
    position: &Position,
    moves: &[RatedMove],
    judged: Option<&Judged>,
    extent: Extent,
    rules: &Rules,
    way: &Way,
) -> Result<String, Failure> {
    let bound = solved.bound;
    // A position that play cannot come to need not be one that `show` can draw.
    let drawing = show::draw_named(bound, position).unwrap_or_else(|_| show::position_text(bound, position));
    let mut text = format!("{}\n", drawing.trim_end());
    if let Some(totals) = way.so_far() {
        text.push_str(&format!("so far {}\n", phrases::totals(totals)));
    }
    text.push('\n');
    let board = Board::Game { rules, bound };
    let here = SumPosition { summands: vec![position.clone()], turn: position.turn };
    if moves.is_empty() {
        let ending = phrases::ending(bound, position, way.known_totals());
        let ending = ending.map_err(|error| Failure::solving(error, rules))?;
        text.push_str(&format!("the game is over here: {ending}\n"));
    } else {
        let standing = phrases::standing(position.turn, solved.verdict(position).as_ref());
        text.push_str(&format!("{}\n", output::prose(&standing, 0, output::width())));
        let plays: Vec<&Play> = moves.iter().map(|mv| &mv.play).collect();
        let squares = squares::beside(&board, &here, &plays);
        let moves: Vec<&RatedMove> = moves.iter().collect();
        text.push_str(&rated_text(&moves, &squares, &judgements(&moves, judged)));
        text.push_str(&extent.text());
        text.push_str(&judged.map(|judged| value_text(judged, "part")).unwrap_or_default());
    }
    text.push_str(&way_back(&board, &here));
    Ok(text)
}

/// The options that give a position back, on a line of their own.
fn way_back(board: &Board<'_>, position: &SumPosition) -> String {
    let options = start::options(board, position);
    match options.len() {
        0..=LONGEST => format!("{}\n", styled(format!("position: {options}"), FAINT)),
        _ => String::new(),
    }
}

fn of_sum(args: &MovesArgs, sum: &Sum, way: &Way) -> Result<u8, Failure> {
    let failed = |error| Failure::summing(error, sum);
    let mut monitor = progress::monitor(&args.common.limits.limits(), args.common.quiet || args.common.json);
    let solved = sum.solve(&args.common.limits.options(), &mut monitor).map_err(failed)?;
    let position = solved.compound.start();
    let listed = solved.listed(&position).map_err(failed)?;
    let judged = if listed.cut { None } else { solved.judged(&position, &listed.moves).map_err(failed)? };
    drop(monitor);
    if args.common.json {
        output::print_line(&json::sum_moves(&solved, &position, &way.after, &listed, judged.as_ref()).map_err(failed)?);
        return Ok(0);
    }
    let extent = Extent { cut: listed.cut, best_cut: listed.best_cut, count: listed.count };
    let text = sum_text(&solved, &position, &listed.moves, judged.as_ref(), extent).map_err(failed)?;
    output::print(&format!("{text}{}", way_back(&Board::sum(sum), &position)));
    Ok(0)
}

fn sum_text(
    solved: &SolvedSum<'_>,
    position: &SumPosition,
    moves: &[RatedMove],
    judged: Option<&Judged>,
    extent: Extent,
) -> Result<String, SumError> {
    let mut text = String::new();
    let values = solved.values(position)?;
    for (summand, (here, value)) in position.summands.iter().zip(&values).enumerate() {
        let bound = solved.bound(summand);
        let drawing = summand_drawing(bound, here);
        let drawing = drawing.unwrap_or_else(|_| format!(" {}", show::position_text(bound, here)));
        let kind = if matches!(value, SummandValue::Nimber(_)) { "nimber" } else { "value" };
        text.push_str(&format!("{}, {kind} {value}:{drawing}\n", solved.compound.name(summand)));
    }
    text.push('\n');
    if moves.is_empty() {
        let winner = phrases::player(&position.turn.other().to_string());
        text.push_str(&format!("the game is over here: {winner} wins\n"));
        return Ok(text);
    }
    let standing = phrases::standing(position.turn, Some(&solved.verdict(position)?));
    text.push_str(&format!("{}\n", output::prose(&standing, 0, output::width())));
    let moves: Vec<&RatedMove> = moves.iter().collect();
    text.push_str(&rated_text(&moves, &[], &judgements(&moves, judged)));
    text.push_str(&extent.text());
    text.push_str(&judged.map(|judged| value_text(judged, "summand")).unwrap_or_default());
    Ok(text)
}
