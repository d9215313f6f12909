//! From a solved game to the answer: who wins, by how much, every best first move, one line of best play.

use game::Outcome;
use rules::bind::Bound;
use rules::interpreter::{Claimed, Interpreter};
use rules::program::ClaimField;

use crate::best::BestMoves;
use crate::check::check;
use crate::error::SolveError;
use crate::line::Line;
use crate::monitor::Monitor;
use crate::options::Options;
use crate::plan::{Kind, Method, Plan};
use crate::play::Play;
use crate::solution::{MOST_MOVES, Solution, single_winner, winner_by_score};
use crate::solved::Solved;
use crate::solver::solve;
use crate::understood::Understood;
use crate::verdict::Verdict;

/// Solves a game from its start and puts the answer together. Where a limit makes that impossible, a claim of the
/// file is the answer, marked as such.
pub fn answer(bound: &Bound, options: &Options, monitor: &mut Monitor) -> Result<Solution, SolveError> {
    let answered = solve(bound, &bound.start, options, monitor).and_then(|solved| {
        let mut solution = solution(&solved, monitor)?;
        if let Some(amount) = options.check {
            solution.checked = Some(check(&solved, amount, monitor)?.positions);
        }
        Ok(solution)
    });
    match answered {
        Err(error) if error.is_limit() => match claimed(bound, monitor)? {
            Some(solution) => Ok(solution),
            None => Err(error),
        },
        other => other,
    }
}

/// The answer of a solved game, with its line replayed.
pub fn solution(solved: &Solved<'_>, monitor: &mut Monitor) -> Result<Solution, SolveError> {
    let mut solution = verdict(solved, monitor)?;
    let moves = BestMoves::of(solved, &solved.start, MOST_MOVES)?;
    let labels = |plays: Vec<Play>| Some(plays.into_iter().map(|play| play.label).collect::<Vec<String>>());
    solution.best_moves = labels(moves.best);
    solution.best_moves_cut = moves.cut;
    if solution.remoteness.is_some() {
        solution.fast_moves = labels(moves.fast);
    }
    let line = Line::of(solved, monitor)?;
    line.replay(solved)?;
    if solution.kind == "score" {
        solution.scores = Some(line.totals.clone()).filter(|totals| !totals.is_empty());
    }
    solution.line_cut = line.cut;
    solution.line = Some(line.moves.into_iter().map(|play| play.label).collect());
    solution.seconds = monitor.elapsed().as_secs_f64();
    solution.bytes = monitor.memory().peak();
    Ok(solution)
}

/// The answer of a solved game without its moves: cheap, where only the result is wanted.
pub fn verdict(solved: &Solved<'_>, monitor: &Monitor) -> Result<Solution, SolveError> {
    let verdict = solved.verdict(&solved.start);
    let verdict = verdict.ok_or_else(|| SolveError::Internal("the start has no value".to_string()))?;
    let mut solution = blank(solved.bound, monitor);
    fill_verdict(&mut solution, solved, &verdict)?;
    solution.positions = solved.positions;
    solution.method = solved.plan.method.name().to_string();
    solution.proof = match solved.plan.method {
        Method::Grundy => "theorem: Sprague-Grundy".to_string(),
        Method::Loopy => "theorem: Smith's loopy nimbers".to_string(),
        Method::Heap => solved.heap_proof(),
        Method::Row => format!("theorem: {}", rows::taking::THEOREM),
        Method::Quotient => {
            format!("theorem: misère quotient of order {}", solved.quotient_order().unwrap_or_default())
        }
        _ => "table".to_string(),
    };
    Ok(solution)
}

fn blank(bound: &Bound, monitor: &Monitor) -> Solution {
    Solution {
        game: bound.program.name.clone(),
        instance: Understood::new(bound),
        seconds: monitor.elapsed().as_secs_f64(),
        bytes: monitor.memory().peak(),
        ..Solution::default()
    }
}

fn fill_verdict(solution: &mut Solution, solved: &Solved<'_>, verdict: &Verdict) -> Result<(), SolveError> {
    let starter = solved.start.turn;
    match verdict {
        Verdict::Outcome { .. } | Verdict::Nimber(_) | Verdict::Loopy(_) => {
            let outcome = verdict.outcome().unwrap_or(Outcome::Draw);
            solution.kind = "outcome";
            solution.winner = Some(match outcome {
                Outcome::Win => starter.to_string(),
                Outcome::Loss => starter.other().to_string(),
                Outcome::Draw => "draw".to_string(),
            });
            solution.outcome = Some(outcome.to_string());
            solution.remoteness = verdict.remoteness().map(u64::from).or_else(|| solved.heap_remoteness());
            solution.nimber = verdict.nimber();
            solution.loopy = verdict.infinite().map(|set| format!("∞{set}"));
            solution.outcome_class = solved.class.map(|class| class.to_string());
            solution.outcome_class_missing = solved.class_missing.clone();
            if solution.nimber.is_some() {
                solution.kind = "nimber";
            } else if solved.class.is_some() {
                solution.kind = "partizan";
            }
        }
        Verdict::Score(value) => fill_score(solution, *value, starter),
        Verdict::Payoffs { totals, .. } if is_constant(solved) => {
            let value = totals[starter.index()].checked_sub(totals[starter.other().index()]);
            fill_score(solution, value.ok_or(SolveError::Overflow)?, starter);
        }
        Verdict::Payoffs { totals, unique } if solved.plan.kind == Kind::Winners => {
            solution.kind = "outcome";
            let winners = totals.iter().filter(|&&total| total > 0).count();
            solution.winner = match winners {
                0 => Some("draw".to_string()),
                1 => single_winner(totals).map(|player| player.to_string()),
                _ => None,
            };
            let own = totals[starter.index()];
            let outcome = if own > 0 {
                Outcome::Win
            } else if own < 0 {
                Outcome::Loss
            } else {
                Outcome::Draw
            };
            solution.outcome = Some(outcome.to_string());
            solution.unique = *unique;
        }
        Verdict::Payoffs { totals, unique } => {
            solution.kind = "payoffs";
            solution.winner = single_winner(totals).map(|player| player.to_string());
            solution.payoffs = Some(totals.to_vec());
            solution.unique = *unique;
        }
    }
    Ok(())
}

fn fill_score(solution: &mut Solution, value: i64, starter: game::Player) {
    solution.kind = "score";
    solution.value = Some(value);
    solution.winner = Some(winner_by_score(value, starter));
    solution.outcome = Some(outcome_of_sign(value).to_string());
}

fn outcome_of_sign(value: i64) -> Outcome {
    match value.signum() {
        1 => Outcome::Win,
        -1 => Outcome::Loss,
        _ => Outcome::Draw,
    }
}

/// Whether maximising one's own total and the difference are the same game here.
fn is_constant(solved: &Solved<'_>) -> bool {
    solved.bound.players == 2
        && solved.plan.kind == Kind::Payoffs
        && solved.constant_total.as_ref().is_some_and(|fact| fact.holds)
}

/// What the file claims of this instance, as an answer whose proof is the claim.
pub fn claimed(bound: &Bound, monitor: &Monitor) -> Result<Option<Solution>, SolveError> {
    let mut interpreter = Interpreter::new(bound);
    let mut solution = blank(bound, monitor);
    let starter = bound.starts;
    let mut any = false;
    for (index, claim) in bound.program.claims.iter().enumerate() {
        let Some(claimed) = interpreter.claim(index)? else { continue };
        any = true;
        match (claim.field, claimed) {
            (ClaimField::Value, Claimed::Number(value)) => fill_score(&mut solution, value, starter),
            (ClaimField::Nimber, Claimed::Number(nimber)) => {
                let outcome = if nimber == 0 { Outcome::Loss } else { Outcome::Win };
                solution.nimber = u64::try_from(nimber).ok();
                solution.outcome = Some(outcome.to_string());
                solution.winner = Some(if nimber == 0 { starter.other() } else { starter }.to_string());
            }
            (ClaimField::Winner, claimed) => solution.winner = claim_text(ClaimField::Winner, &claimed),
            (ClaimField::Outcome, claimed) => {
                solution.outcome = claim_text(ClaimField::Outcome, &claimed);
                solution.winner = solution.winner.or(match solution.outcome.as_deref() {
                    Some("win") => Some(starter.to_string()),
                    Some("lose") if bound.players == 2 => Some(starter.other().to_string()),
                    Some("draw") => Some("draw".to_string()),
                    _ => None,
                });
            }
            (_, Claimed::Text(_)) => {}
        }
    }
    let plan = Plan::new(bound, None)?;
    solution.kind = match plan.kind {
        Kind::Score | Kind::Payoffs => "score",
        Kind::Outcome if plan.nimbers => "nimber",
        Kind::Outcome | Kind::Winners => "outcome",
    };
    solution.method = "claim".to_string();
    solution.proof = "claim".to_string();
    Ok(any.then_some(solution))
}

/// A claimed winner or outcome as the JSON spells it.
pub fn claim_text(field: ClaimField, claimed: &Claimed) -> Option<String> {
    Some(match (field, claimed) {
        (_, Claimed::Text(text)) => text.clone(),
        (ClaimField::Winner, Claimed::Number(-1)) => "draw".to_string(),
        (ClaimField::Winner, Claimed::Number(player)) => game::Player(u8::try_from(*player).ok()?).to_string(),
        (ClaimField::Outcome, Claimed::Number(sign)) => outcome_of_sign(*sign).to_string(),
        (_, Claimed::Number(number)) => number.to_string(),
    })
}
