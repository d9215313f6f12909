//! Which arguments a certificate has, and so what it claims.
//!
//! | what is asked | argument | size |
//! |---|---|---|
//! | who wins | a strategy of the winner; two of them for a draw | what the loser can bring about |
//! | by how much | a strategy of each player | likewise |
//! | in how many moves | a table of all positions that play can reach | these positions |
//! | totals of many players | such a table | these positions |
//! | nimbers | a table of the parts that can come up | these parts |
//!
//! What a strategy can prove is always claimed. What needs a table is claimed where the table is small, or where there is
//! nothing else to claim.

use engine::monitor::Monitor;
use game::{Outcome, Player, Verdict};
use rules::bind::Position;
use verify::Refusal;
use verify::argument::Argument;
use verify::claim::Claim;
use verify::outcomes::reachable;
use verify::places::Order;
use verify::strategy::Goal;

use super::wrong;
use crate::answer::solution::{Solution, outcome_of_sign};
use crate::case::properties;
use crate::error::SolveError;
use crate::solved::Solved;

/// Tables that only add to a claim have at most so many positions.
const SMALL: u64 = 100_000;
/// A method that met this many positions more is not asked whether few of them can be reached.
const HOPELESS: u64 = 8 * SMALL;

/// What is claimed, why, and what is not.
pub struct Plan {
    pub claim: Claim,
    pub arguments: Vec<Argument>,
    pub left_out: Vec<(&'static str, String)>,
}

/// Chooses arguments for an answer.
pub fn plan(solved: &Solved<'_>, solution: &Solution, monitor: &mut Monitor) -> Result<Plan, SolveError> {
    let verdict = solved.verdict(&solved.start).ok_or_else(|| SolveError::internal("the start has no value"))?;
    let turn = solved.start.turn;
    let mut plan = Plan { claim: Claim::default(), arguments: Vec::new(), left_out: Vec::new() };
    match verdict {
        Verdict::Payoffs { totals, unique } => {
            plan.claim = Claim { payoffs: Some(totals.to_vec()), unique, ..Claim::default() };
            plan.claim.value = solution.value;
            if solution.value.is_some() {
                plan.claim.unique = None;
            }
            plan.claim.outcome = match solved.is_counted() && solved.bound.program.counted {
                true => solution.value.map(outcome_of_sign),
                false => Some(outcome_of_sign(totals[turn.index()])),
            };
            plan.arguments.push(Argument::Payoffs);
        }
        Verdict::Score(value) => {
            plan.claim = Claim { value: Some(value), outcome: Some(outcome_of_sign(value)), ..Claim::default() };
            let order = if solved.answers.knows_parts_by_place() { Order::Kept } else { Order::Forgotten };
            for player in [turn, turn.other()] {
                plan.arguments.push(Argument::Strategy { turn, player, goal: Goal::Lead, order });
            }
        }
        verdict => outcomes(solved, solution, &verdict, &mut plan, monitor)?,
    }
    Ok(plan)
}

/// The arguments for who wins, and for what comes with it.
fn outcomes(
    solved: &Solved<'_>,
    solution: &Solution,
    verdict: &Verdict,
    plan: &mut Plan,
    monitor: &mut Monitor,
) -> Result<(), SolveError> {
    let turn = solved.start.turn;
    let outcome = verdict.outcome().ok_or_else(|| SolveError::internal("the start has no outcome"))?;
    plan.claim.outcome = Some(outcome);
    let few = Few::new(solved);
    if let Some(value) = verdict.loopy() {
        let argument = match few.comes_back(solved) {
            false => few.parts(solved, monitor)?.then_some(Argument::Nimbers).ok_or_else(|| few.why()),
            true if properties::splits(&solved.bound.program) => {
                Err("parts come back and fall into several".to_string())
            }
            true => Ok(Argument::Loopy),
        };
        match argument {
            Ok(argument) => {
                plan.claim.nimber = value.nimber();
                plan.claim.loopy = verdict.infinite().cloned();
                plan.arguments.push(argument);
            }
            Err(why) => plan.left_out.push((if value.nimber().is_some() { "nimber" } else { "loopy" }, why)),
        }
    }
    if let Some(remoteness) = solution.remoteness {
        match few.positions(solved, monitor)? {
            Ok(()) => {
                plan.claim.remoteness = Some(remoteness);
                plan.arguments.push(Argument::Outcomes { turn });
            }
            Err(why) => plan.left_out.push(("remoteness", why)),
        }
    }
    if plan.arguments.is_empty() {
        strategies(turn, outcome, plan);
    }
    if let Some(class) = solution.outcome_class {
        let other = Position { turn: turn.other(), ..solved.start.clone() };
        match solved.verdict(&other).and_then(|verdict| verdict.outcome()) {
            Some(outcome) if outcome != Outcome::Draw => {
                strategies(turn.other(), outcome, plan);
                plan.claim.class = Some(class);
            }
            _ => plan.left_out.push(("outcome_class", "what happens if the other player starts was not kept".into())),
        }
    }
    Ok(())
}

/// The strategies that prove an outcome.
fn strategies(turn: Player, outcome: Outcome, plan: &mut Plan) {
    let strategy = |player: Player, goal: Goal| Argument::Strategy { turn, player, goal, order: Order::Forgotten };
    match outcome {
        Outcome::Win => plan.arguments.push(strategy(turn, Goal::Win)),
        Outcome::Loss => plan.arguments.push(strategy(turn.other(), Goal::Win)),
        Outcome::Draw => {
            plan.arguments.push(strategy(turn, Goal::Draw));
            plan.arguments.push(strategy(turn.other(), Goal::Draw));
        }
    }
}

/// Whether there are few positions.
struct Few {
    met: u64,
}

impl Few {
    fn new(solved: &Solved<'_>) -> Few {
        Few { met: solved.positions() }
    }

    fn why(&self) -> String {
        format!("its proof is a table of more than {SMALL} positions")
    }

    /// Whether parts that can come up may come back.
    fn comes_back(&self, solved: &Solved<'_>) -> bool {
        solved.start.parts.iter().any(|part| solved.answers.part(part).is_some_and(|part| part.rank.is_some()))
    }

    /// Whether few parts can come up: the method has met them, or they are positions.
    fn parts(&self, solved: &Solved<'_>, monitor: &mut Monitor) -> Result<bool, SolveError> {
        if solved.answers.by_parts() && !solved.answers.has_many_moves() {
            return Ok(self.met <= SMALL);
        }
        if solved.bound.program.sum.is_some() {
            return Ok(self.met <= SMALL && !solved.answers.has_many_moves());
        }
        Ok(self.positions(solved, monitor)?.is_ok())
    }

    /// Whether few positions can be reached; else why there is no table.
    fn positions(&self, solved: &Solved<'_>, monitor: &mut Monitor) -> Result<Result<(), String>, SolveError> {
        if self.met > HOPELESS {
            return Ok(Err(self.why()));
        }
        if solved.bound.forever.is_some() {
            let drawn = |position: Position| {
                solved.verdict(&position).is_some_and(|verdict| verdict.outcome() == Some(Outcome::Draw))
            };
            if solved.answers.each(solved.start.turn).any(drawn) {
                return Ok(Err("a table cannot show draws where endless play is won".to_string()));
            }
        }
        let few = match reachable(solved.bound, &solved.start, Order::Forgotten, SMALL) {
            Ok(count) => count.is_some(),
            // Play that goes beyond what a rule may do is met again by the arguments that count.
            Err(Refusal::Wrong(_)) => false,
            Err(refusal) => return Err(wrong(refusal)),
        };
        monitor.tick(self.met, 0)?;
        Ok(if few { Ok(()) } else { Err(self.why()) })
    }
}
