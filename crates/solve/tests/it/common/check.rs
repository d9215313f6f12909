//! A bound game, explored with nothing but the interpreter, against what the solver says of it at every position.

use crate::common::prelude::*;
use rules::show;
use testkit::explicit::{Also, Explicit};
use testkit::explore::{Explored, explore, falls};
use testkit::oracle::{self, Worth};

use super::compare::compare_worths;

/// What came of one comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreed {
    /// Solved, and every one of so many positions compared.
    Solved(usize),
    /// The rules go wrong, and the solver says so.
    Fault,
    /// Positions repeat in a game that must end, and the solver says so.
    Refused,
    /// Too many positions to explore.
    TooMany,
}

/// Explores a game with the interpreter, solves it, and compares the answer and the verdict on every position.
pub fn check(bound: &Bound, most: usize) -> Result<Agreed, String> {
    check_with(bound, &expect(bound, most), &Options::default())
}

/// What the interpreter and the oracle find of a game.
pub enum Expected {
    /// What every position is worth.
    Solved(Box<Judged>),
    /// The rules go wrong, or a declared measure does not fall; why.
    Fault(String),
    /// Positions repeat in a game that must end.
    Refused,
    /// Too many positions to explore.
    TooMany,
}

/// A game written out, with what its positions are worth.
pub struct Judged {
    graph: Explicit,
    positions: Vec<Position>,
    also: Also,
    worths: Vec<Option<Worth>>,
}

/// Explores a game and judges it. This takes most of the time of a comparison, so it is done once for all ways of solving.
pub fn expect(bound: &Bound, most: usize) -> Expected {
    let (graph, positions, also) = match explore(bound, most) {
        Explored::All(graph, positions, also) => (graph, positions, also),
        Explored::TooMany => return Expected::TooMany,
        Explored::Fault(fault) => return Expected::Fault(fault.diagnostic.title),
    };
    match falls(bound, &graph, &positions) {
        Ok(true) => {}
        Ok(false) => return Expected::Fault("the measure does not fall".to_string()),
        Err(fault) => return Expected::Fault(fault.diagnostic.title),
    }
    match oracle::worths(&graph) {
        Some(worths) => Expected::Solved(Box::new(Judged { graph, positions, also, worths })),
        None => Expected::Refused,
    }
}

/// Solves a game in a way of one's choice, and compares the answer and the verdict on every position.
pub fn check_with(bound: &Bound, expected: &Expected, options: &Options) -> Result<Agreed, String> {
    let answer = || super::answer_with(bound, options);
    let Judged { graph, positions, also, worths } = match expected {
        Expected::Solved(judged) => &**judged,
        Expected::TooMany => return Ok(Agreed::TooMany),
        Expected::Fault(why) => {
            return match answer() {
                Err(SolveError::Fault(_)) => Ok(Agreed::Fault),
                other => Err(format!("must fault with {why}: {other:?}")),
            };
        }
        Expected::Refused => {
            return match answer() {
                Err(SolveError::Fault(fault)) if fault.diagnostic.title.starts_with("positions repeat") => {
                    Ok(Agreed::Refused)
                }
                other => Err(format!("must be refused: {other:?}")),
            };
        }
    };
    let mut monitor = Monitor::unlimited();
    let solved = solve::solved::solve(bound, &bound.start, options, &mut monitor).map_err(|e| e.to_string())?;
    let solution = solve::answer::solution(&solved, &mut monitor).map_err(|error| error.to_string())?;
    compare_worths(&solution, graph, also, worths)?;
    facts_hold(&solved, graph)?;
    if bound.program.counted && !options.method.is_some_and(MethodName::compiles) {
        // Once more, with the totals compared.
        let options = Options { check_total: true, ..options.clone() };
        let solved = solve::solved::solve(bound, &bound.start, &options, &mut monitor).map_err(|e| e.to_string())?;
        let fact = solved.report.constant_total.as_ref().ok_or("the totals were not compared")?;
        if fact.holds != oracle::total_is_constant(graph) {
            return Err(format!("the total: {}", fact.why));
        }
    }
    for index in graph.reachable() {
        verdict(&solved, graph, positions, worths, index)?;
    }
    Ok(Agreed::Solved(graph.nodes.len()))
}

/// Solves a game by a method that was asked for, which may know less than the one that is chosen: the verdict on every
/// position and the rating of its moves. `None` if the method does not apply, or the game has no answer.
pub fn check_forced(bound: &Bound, expected: &Expected, options: &Options) -> Result<Option<usize>, String> {
    let Expected::Solved(judged) = expected else { return Ok(None) };
    let Judged { graph, positions, worths, .. } = &**judged;
    let mut monitor = Monitor::unlimited();
    let solved = match solve::solved::solve(bound, &bound.start, options, &mut monitor) {
        Ok(solved) => solved,
        Err(SolveError::NotApplicable(_)) => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    // A search may meet a repetition later, when it is asked about another position.
    let searched = solved.answers.proof(&bound.start) == Proof::Search;
    match solve::answer::solution(&solved, &mut monitor) {
        Err(SolveError::NotApplicable(_)) if searched => return Ok(None),
        told => told.map_err(|error| error.to_string())?,
    };
    for index in graph.reachable() {
        let refused = || matches!(solved.moves(&positions[index]), Err(SolveError::NotApplicable(_)));
        if searched && (solved.verdict(&positions[index]).is_none() || refused()) && graph.order(graph.start).is_none()
        {
            continue;
        }
        verdict(&solved, graph, positions, worths, index)?;
    }
    Ok(Some(graph.nodes.len()))
}

/// What the planner says of a game is so.
fn facts_hold(solved: &Solved<'_>, graph: &Explicit) -> Result<(), String> {
    let acyclic = graph.order(graph.start).is_some();
    if solved.plan.facts().acyclic.holds && !acyclic {
        return Err(format!("not acyclic: {}", solved.plan.facts().acyclic.why));
    }
    if let Some(fact) = solved.report.cyclic.as_ref().filter(|fact| fact.holds == acyclic) {
        return Err(format!("whether positions repeat: {}", fact.why));
    }
    match &solved.report.constant_total {
        Some(fact) if fact.holds != oracle::total_is_constant(graph) => Err(format!("the total: {}", fact.why)),
        _ => Ok(()),
    }
}

/// The verdict on one position, and the rating of its moves.
fn verdict(
    solved: &Solved<'_>,
    graph: &Explicit,
    positions: &[Position],
    worths: &[Option<Worth>],
    index: usize,
) -> Result<(), String> {
    let position = &positions[index];
    let place = || show::position_text(solved.bound, position) + &format!(", {} to move", Player(position.turn.0));
    let found = solved.verdict(position).ok_or_else(|| format!("no verdict on {}", place()))?;
    let agrees = match (&found, worths[index].as_ref().unwrap()) {
        (Verdict::Outcome { remoteness, .. }, Worth::Outcome(value, moves)) => {
            sign(found.outcome()) == Some(*value) && (remoteness == moves || !solved.answers.knows_lengths())
        }
        (Verdict::Nimber(_) | Verdict::Loopy(_), Worth::Outcome(value, _)) => sign(found.outcome()) == Some(*value),
        (Verdict::Score(found), Worth::Score(value)) => found == value,
        (Verdict::Payoffs { totals, unique }, Worth::Totals(first, all)) => {
            totals[..] == first[..] && *unique == Some(all.len() == 1)
        }
        _ => false,
    };
    if !agrees {
        return Err(format!("{found:?} in {}, expected {:?}", place(), worths[index]));
    }
    let moves = solved.moves(position).map_err(|error| error.to_string())?;
    let (best, fast) = oracle::best_moves(graph, index, worths);
    let rated = |wanted: &dyn Fn(&RatedMove) -> bool| -> Vec<usize> {
        (0..moves.len()).filter(|&number| wanted(&moves[number])).collect()
    };
    for (number, mv) in moves.iter().enumerate() {
        worth_agrees(mv, graph, worths, index, number).map_err(|text| format!("{text} in {}", place()))?;
    }
    let slow = matches!(found, Verdict::Nimber(_) | Verdict::Loopy(_)) || !solved.answers.knows_lengths();
    if moves.len() != graph.nodes[index].moves.len()
        || rated(&|mv| mv.best) != best
        || (!slow && rated(&|mv| mv.fast) != fast)
    {
        return Err(format!("the moves of {} are rated {moves:?}, expected {best:?} and {fast:?}", place()));
    }
    Ok(())
}

/// What a move is said to be worth, and where it leads.
fn worth_agrees(
    mv: &RatedMove,
    graph: &Explicit,
    worths: &[Option<Worth>],
    index: usize,
    number: usize,
) -> Result<(), String> {
    let (node, step) = (&graph.nodes[index], &graph.nodes[index].moves[number]);
    let same = if graph.nodes[step.to].mover == node.mover { 1 } else { -1 };
    let gained = |player: usize| step.gains[player];
    let agrees = match (&mv.worth, worths[step.to].as_ref().unwrap()) {
        (Verdict::Outcome { outcome, remoteness: moves, .. }, Worth::Outcome(value, length)) => {
            // A sum by Grundy numbers knows no lengths.
            sign(Some(*outcome)) == Some(i8::try_from(same).unwrap() * value)
                && (*moves == length.map(|length| length + 1) || moves.is_none())
        }
        (Verdict::Score(score), Worth::Score(value)) => {
            *score == gained(node.mover) - gained(1 - node.mover) + same * value
        }
        (Verdict::Payoffs { totals, .. }, Worth::Totals(first, _)) => {
            (0..graph.players).all(|player| totals[player] == first[player] + gained(player))
        }
        _ => false,
    };
    if agrees && mv.play.label == step.label {
        Ok(())
    } else {
        Err(format!("{mv:?}, expected {:?} {step:?}", worths[step.to]))
    }
}

fn sign(outcome: Option<Outcome>) -> Option<i8> {
    outcome.map(|outcome| match outcome {
        Outcome::Win => 1,
        Outcome::Draw => 0,
        Outcome::Loss => -1,
    })
}
