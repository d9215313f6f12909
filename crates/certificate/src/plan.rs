//! Which arguments a certificate has, and so what it claims.
//!
//! | what is asked | argument | size |
//! |---|---|---|
//! | who wins | a strategy of the winner; two of them for a draw | what the loser can bring about |
//! | by how much | a strategy of each player | likewise |
//! | in how many moves | a table of all positions that play can reach | these positions |
//! | totals of many players | such a table | these positions |
//! | nimbers | a table of the parts that can come up | these parts |
//! | nimbers of large heaps | that they repeat | the first few hundred heaps |
//! | nimbers of large heaps that fall into two | the nimbers of all heaps up to there | these heaps |
//! | who wins if the last mover loses | a quotient of the parts that can come up | these parts, and its products |
//! | values of partizan games | likewise, with whoever to move | these parts, and the sums of their values |
//! | values with loops | duels with the stoppers that they are | these positions, times the size of the value |
//!
//! What a strategy can prove is always claimed. What needs a table is claimed where the table is small, or where there is
//! nothing else to claim.

use std::cell::OnceCell;
use std::io;

use engine::monitor::Monitor;
use game::{Outcome, Player, Verdict};
use rules::bind::Position;
use verify::Refusal;
use verify::argument::Argument;
use verify::claim::Claim;
use verify::outcomes::reachable;
use verify::places::Order;
use verify::strategy::Goal;

use super::packer::Packer;
use super::{Unwritten, periods, quotients, sparse, wrong};
use solve::answer::solution::Solution;
use solve::answers::Proof;
use solve::error::SolveError;
use solve::facts;
use solve::methods::Unit;
use solve::solved::Solved;

/// Tables that only add to a claim have at most so many positions.
const SMALL: u64 = 100_000;
/// A method that met this many positions more is not asked whether few of them can be reached.
const HOPELESS: u64 = 8 * SMALL;

/// A theorem that answers for more positions has no certificate.
const MOST_POSITIONS: u64 = 20_000_000;
/// A theorem about positions with more moves has no certificate.
const MOST_MOVES: u128 = 100_000;

/// Heaps are listed one by one if that takes at most so many moves.
const MOST_WORK: u128 = 250_000_000;

/// About so many moves divide a heap in one place, where that is not known.
const MOVES_A_DIVISION: u128 = 4;

/// What is claimed, why, and what is not.
pub struct Plan {
    pub claim: Claim,
    pub arguments: Vec<Argument>,
    pub left_out: Vec<(&'static str, String)>,
}

/// The name of a value that can be claimed with the argument for it and how many positions that looks at, or why it cannot; none where
/// the answer has none.
pub type Form = Option<Result<(String, Argument, u64), String>>;

/// Chooses arguments for an answer.
pub fn plan(solved: &Solved<'_>, solution: &Solution, form: Form, monitor: &mut Monitor) -> Result<Plan, SolveError> {
    let verdict = solved.verdict(&solved.start).ok_or_else(|| SolveError::internal("the start has no value"))?;
    let few = Few { met: solved.positions(), reached: OnceCell::new() };
    // Large heaps first: to list the moves of one takes long, and is of no use where a period answers for all.
    let large = solved.start.parts.iter().any(|part| part.first().is_some_and(|heap| heap.unsigned_abs() > SMALL));
    if large && let Some(plan) = periodic(solved, solution, &verdict)? {
        return Ok(plan);
    }
    if let Some(plan) = misere(solved, solution, &verdict, (large, &few), monitor)? {
        return Ok(plan);
    }
    if let Some(why) = hopeless(solved, &few)? {
        if !large && let Some(plan) = periodic(solved, solution, &verdict)? {
            return Ok(plan);
        }
        return Err(SolveError::NotApplicable(format!("the certificate would be too large: {why}")));
    }
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
                true => solution.value.map(Outcome::of_sign),
                false => Some(Outcome::of_sign(totals[turn.index()])),
            };
            plan.arguments.push(Argument::Payoffs);
        }
        Verdict::Score(value) => {
            plan.claim = Claim { value: Some(value), outcome: Some(Outcome::of_sign(value)), ..Claim::default() };
            let order = if solved.answers.knows_parts_by_place() { Order::Kept } else { Order::Forgotten };
            for player in [turn, turn.other()] {
                plan.arguments.push(Argument::Strategy { turn, player, goal: Goal::Lead, order });
            }
        }
        verdict => {
            match form {
                Some(Ok((name, argument, _))) => {
                    plan.claim.form = Some(name);
                    // A value without loops tells who wins; with loops, strategies do.
                    plan.claim.class = solution.outcome_class.filter(|_| argument == Argument::Values);
                    plan.arguments.push(argument);
                }
                Some(Err(why)) => plan.left_out.push(("value", why)),
                None => {}
            }
            outcomes(solved, solution, &verdict, &few, &mut plan)?;
        }
    }
    Ok(plan)
}

/// The arguments for heaps too large to list, whose nimbers repeat.
fn periodic(solved: &Solved<'_>, solution: &Solution, verdict: &Verdict) -> Result<Option<Plan>, SolveError> {
    let Some(nimber) = verdict.nimber() else { return Ok(None) };
    let argument = match periods::argument(solved)? {
        Some(argument) => Some(argument),
        None => sparse::argument(solved)?,
    };
    let Some(argument) = argument else { return Ok(None) };
    let claim = Claim { outcome: verdict.outcome(), nimber: Some(nimber), ..Claim::default() };
    let mut plan = Plan { claim, arguments: vec![argument], left_out: Vec::new() };
    let lengths = match solution.remoteness {
        Some(moves) => Some((moves, periods::lengths(solved)?)),
        None => None,
    };
    match lengths {
        None => {}
        Some((moves, Some(argument))) => {
            plan.claim.remoteness = Some(moves);
            plan.arguments.push(argument);
        }
        Some((_, None)) => plan.left_out.push((
            "remoteness",
            "no period of the lengths of play was found, which a proof for all heaps needs".to_string(),
        )),
    }
    Ok(Some(plan))
}

/// The argument for a sum that the last mover loses, where its positions are many and its parts have a quotient.
fn misere(
    solved: &Solved<'_>,
    solution: &Solution,
    verdict: &Verdict,
    (large, few): (bool, &Few),
    monitor: &mut Monitor,
) -> Result<Option<Plan>, SolveError> {
    let facts = solved.plan.facts();
    if !(facts.sum.holds && facts.misere && facts.impartial.holds) || (!large && few.reached(solved)?) {
        return Ok(None);
    }
    let argument = match large {
        true => quotients::period(solved)?.map(|period| Argument::Quotient(Some(period))),
        false => Some(Argument::Quotient(None)),
    };
    let Some(argument) = argument else { return Ok(None) };
    let mut nowhere = Packer::new(io::sink()).map_err(|_| SolveError::internal("nothing can be written nowhere"))?;
    match super::argue(solved, argument, &mut nowhere, monitor) {
        Err(Unwritten::Solve(SolveError::NotApplicable(_))) => return Ok(None),
        Err(Unwritten::Solve(error)) => return Err(error),
        Err(Unwritten::File(_)) => return Err(SolveError::internal("nothing can be written nowhere")),
        Ok(_) => {}
    }
    let claim = Claim { outcome: verdict.outcome(), ..Claim::default() };
    let mut plan = Plan { claim, arguments: vec![argument], left_out: Vec::new() };
    if solution.remoteness.is_some() {
        plan.left_out.push(("remoteness", few.why()));
    }
    Ok(Some(plan))
}

/// Why a table or a strategy would take hours to write: a theorem answers for more positions than anybody can look at.
fn hopeless(solved: &Solved<'_>, few: &Few) -> Result<Option<String>, SolveError> {
    let by_theorem =
        matches!(solved.answers.proof(&solved.start), Proof::Theorem(_)) || solved.plan.unit() != Unit::Position;
    if !by_theorem || (solved.answers.by_parts() && few.parts(solved)?) {
        return Ok(None);
    }
    if solved.answers.has_many_moves() && solved.answers.count(&solved.start).is_some_and(|moves| moves > MOST_MOVES) {
        return Ok(Some("a position has more moves than can be listed".to_string()));
    }
    if solved.answers.has_many_moves() && facts::splits(&solved.bound.program) {
        return Ok(Some(format!("its heaps have more than {MOST_WORK} moves, which are all listed")));
    }
    let size = solved.bound.layout.size().unwrap_or(u64::MAX);
    let all = solved.start.parts.iter().fold(1u64, |all, _| all.saturating_mul(size));
    if all <= MOST_POSITIONS || few.reached(solved)? {
        return Ok(None);
    }
    Ok(Some(format!("a proof is about as long as a table of all positions, up to {all} of them")))
}

/// What a sample claims: what is known of the position alone.
pub fn sampled(solved: &Solved<'_>, solution: &Solution) -> Result<Claim, SolveError> {
    let verdict = solved.verdict(&solved.start).ok_or_else(|| SolveError::internal("the start has no value"))?;
    let outcome = solution.outcome;
    Ok(match verdict {
        Verdict::Payoffs { totals, .. } => {
            Claim { payoffs: Some(totals.to_vec()), value: solution.value, ..Claim::default() }
        }
        Verdict::Score(value) => Claim { value: Some(value), outcome, ..Claim::default() },
        Verdict::Loopy(_) => {
            return Err(SolveError::NotApplicable("loopy nimbers are not sampled: they have a proof".to_string()));
        }
        verdict => Claim {
            outcome,
            nimber: verdict.nimber(),
            remoteness: verdict.remoteness().map(u64::from),
            ..Claim::default()
        },
    })
}

/// The arguments for who wins, and for what comes with it.
fn outcomes(
    solved: &Solved<'_>,
    solution: &Solution,
    verdict: &Verdict,
    few: &Few,
    plan: &mut Plan,
) -> Result<(), SolveError> {
    let turn = solved.start.turn;
    let outcome = verdict.outcome().ok_or_else(|| SolveError::internal("the start has no outcome"))?;
    plan.claim.outcome = Some(outcome);
    if let Some(value) = verdict.loopy() {
        let argument = match few.comes_back(solved) {
            false => few.parts(solved)?.then_some(Argument::Nimbers).ok_or_else(|| few.why()),
            true if facts::splits(&solved.bound.program) => Err("parts come back and fall into several".to_string()),
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
        match few.positions(solved)? {
            Ok(()) => {
                plan.claim.remoteness = Some(remoteness);
                plan.arguments.push(Argument::Outcomes { turn });
            }
            Err(why) => plan.left_out.push(("remoteness", why)),
        }
    }
    if plan.arguments.iter().all(|argument| *argument == Argument::Stoppers) {
        strategies(turn, outcome, plan);
    }
    if let Some(class) = solution.outcome_class.filter(|_| plan.claim.class.is_none()) {
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
    /// How many positions the method has met.
    met: u64,
    /// Whether few can be reached, once that was asked.
    reached: OnceCell<bool>,
}

impl Few {
    fn why(&self) -> String {
        format!("its proof is a table of more than {SMALL} positions")
    }

    /// Whether few positions can be reached: they are counted, once.
    fn reached(&self, solved: &Solved<'_>) -> Result<bool, SolveError> {
        if let Some(few) = self.reached.get() {
            return Ok(*few);
        }
        let few = match reachable(solved.bound, &solved.start, Order::Forgotten, SMALL) {
            Ok(count) => count.is_some(),
            // Rules that go wrong somewhere are met again by the arguments that count.
            Err(Refusal::Wrong(_)) => false,
            Err(refusal) => return Err(wrong(refusal)),
        };
        Ok(*self.reached.get_or_init(|| few))
    }

    /// Whether parts that can come up may come back.
    fn comes_back(&self, solved: &Solved<'_>) -> bool {
        solved.start.parts.iter().any(|part| solved.answers.part(part).is_some_and(|part| part.rank.is_some()))
    }

    /// Whether few parts can come up: the method has met them, or they are positions.
    fn parts(&self, solved: &Solved<'_>) -> Result<bool, SolveError> {
        let answers = &solved.answers;
        if answers.has_many_moves() {
            // Heaps: the parts that come up are smaller heaps, with fewer moves each.
            let Some(sizes) = solved.bound.layout.size().map(u128::from) else { return Ok(false) };
            // Where it is not known how many moves a heap has: a few for each way to divide it.
            let moves = answers.count(&solved.start).unwrap_or_else(|| sizes.saturating_mul(MOVES_A_DIVISION));
            return Ok(sizes.saturating_mul(moves) <= MOST_WORK);
        }
        if answers.by_parts() || solved.bound.program.sum.is_some() {
            return Ok(self.met <= SMALL);
        }
        Ok(self.positions(solved)?.is_ok())
    }

    /// Whether few positions can be reached; else why there is no table.
    fn positions(&self, solved: &Solved<'_>) -> Result<Result<(), String>, SolveError> {
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
        Ok(if self.reached(solved)? { Ok(()) } else { Err(self.why()) })
    }
}
