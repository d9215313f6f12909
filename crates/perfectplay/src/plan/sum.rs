//! What is known of a sum of different games: what `perfectplay explain` prints of it.

use engine::monitor::{Limits, Monitor};
use rules::bind::Bound;
use solve::answer::solution::Understood;
use solve::chooser::plan;
use solve::compound::{Compound, LOOPS, SolvedSum, SumError};
use solve::error::SolveError;
use solve::facts::{Fact, Facts};
use solve::methods;
use solve::options::{MethodName, Options};

use super::{LOOK, Taken};
use crate::sums::Sum;

/// Why the canonical forms of the summands are enough.
const BY_FORMS: &str = "each summand is valued by itself: all are won by the last mover, so that each has a canonical form, \
                        which tells what it adds to any sum";
/// Why the nimbers of the summands are enough.
const WHY: &str = "each summand is solved by itself: all are impartial and won by the last mover, so that each has a \
                   nimber, or a loopy one where its positions repeat, and these add up";

/// Why a summand is valued so: its parts have values, or values with loops.
const PARTS: &str = "the parts of a position have canonical forms";
const REPEATING: &str = "its positions repeat, and its value may have loops";

/// What is known of a sum of different games, and of each summand.
///
/// See [`explain_sum`] for an example.
pub struct SumExplanation {
    /// The sum.
    pub game: String,
    /// Why the nimbers of the summands are enough.
    pub why: String,
    /// The summands.
    pub summands: Vec<SummandExplanation>,
    /// What a solve took, if there was one.
    pub taken: Option<Taken>,
}

/// What is known of one summand.
///
/// See [`explain_sum`] for an example.
pub struct SummandExplanation {
    /// Its name in the sum.
    pub name: String,
    /// The game's name.
    pub game: String,
    /// The instance as understood.
    pub instance: Understood,
    /// Both players always have the same moves.
    pub impartial: Fact,
    /// The last mover wins.
    pub last_mover: Fact,
    /// The method that solves it.
    pub method: MethodName,
    /// Why this method.
    pub why: String,
    /// Its nimber, once it was solved.
    pub value: Option<String>,
}

/// Explains a sum; with `run` it is solved too.
///
/// ```
/// use perfectplay::plan::explain_sum;
/// use perfectplay::solving::{Limits, Monitor, Options};
/// use perfectplay::sums::{Gallery, Sum};
///
/// let sum = Sum::read("kayles(7) + *5", &Gallery)?;
/// let explained = explain_sum(&sum, &Options::default(), &Limits::default(), true, &Monitor::new).unwrap();
/// assert_eq!(explained.summands[1].value.as_deref(), Some("5"));
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub fn explain_sum(
    sum: &Sum,
    options: &Options,
    limits: &Limits,
    run: bool,
    monitor: &dyn Fn(&Limits) -> Monitor,
) -> Result<SumExplanation, SumError> {
    let solved = match run {
        true => Some(solve(sum, options, monitor(limits))?),
        false => look(sum, options, limits, monitor)?,
    };
    let compound = Compound::new(sum.summands());
    let mut summands = Vec::new();
    for (summand, one) in compound.summands().iter().enumerate() {
        let blame = |error| SumError { summand, error };
        let facts = Facts::new(one.bound).map_err(blame)?;
        let (method, why) = match &solved {
            Some((solved, _)) => {
                (solved.taken(summand).0, solved.game(summand).map(|game| game.plan.why().to_string()))
            }
            None => first_plan(one.bound, options, limits).map_err(blame)?,
        };
        let why = why.unwrap_or_else(|| if method == LOOPS { REPEATING } else { PARTS }.to_string());
        summands.push(SummandExplanation {
            name: compound.name(summand).to_string(),
            game: one.bound.program.name.clone(),
            instance: Understood::new(one.bound),
            impartial: facts.impartial,
            last_mover: facts.last_mover,
            method,
            why,
            value: None,
        });
    }
    let impartial = summands.iter().all(|summand| summand.impartial.holds);
    let why = if impartial { WHY } else { BY_FORMS }.to_string();
    let mut explained = SumExplanation { game: compound.text(), why, summands, taken: None };
    if let Some((solved, taken)) = solved.filter(|_| run) {
        for (summand, value) in explained.summands.iter_mut().zip(solved.values(&compound.start())?) {
            summand.value = Some(value.to_string());
        }
        explained.taken = Some(taken);
    }
    Ok(explained)
}

/// A sum that is solved, and what that took.
type Solved<'b> = (SolvedSum<'b>, Taken);

fn solve<'b>(sum: &'b Sum, options: &Options, mut monitor: Monitor) -> Result<Solved<'b>, SumError> {
    let solved = sum.solve(options, &mut monitor)?;
    let (bytes, seconds) = (monitor.memory().peak(), monitor.elapsed().as_secs_f64());
    let taken = Taken { positions: solved.positions(), bytes, seconds, complete: true };
    Ok((solved, taken))
}

/// Does what a solve within the limits does, within the limits of a look: which methods give up shows only as they run. `None` where
/// the look comes to its end first.
fn look<'b>(
    sum: &'b Sum,
    options: &Options,
    limits: &Limits,
    monitor: &dyn Fn(&Limits) -> Monitor,
) -> Result<Option<Solved<'b>>, SumError> {
    let time = LOOK.time.into_iter().chain(limits.time).min();
    let look = Limits { memory: LOOK.memory.min(limits.memory), time };
    match solve(sum, options, monitor(&look).as_if_within(limits.time)) {
        Ok(solved) => Ok(Some(solved)),
        Err(SumError { error, .. }) if error.is_limit() => Ok(None),
        Err(error) => Err(error),
    }
}

/// The method by which a solve of a summand begins, and why; the reason is absent where its parts are valued, come what may.
fn first_plan(bound: &Bound, options: &Options, limits: &Limits) -> Result<(MethodName, Option<String>), SolveError> {
    // As the sum itself asks for it.
    let options = Options { summand: true, ..options.clone() };
    let plan = plan(bound, &bound.start, &options, &mut Monitor::new(limits))?;
    Ok(match plan.facts().nimbers {
        true => (plan.method(), Some(plan.why().to_string())),
        false => {
            let may_repeat = !plan.facts().acyclic.holds;
            let why = format!("{PARTS}; where a position comes back, `{LOOPS}` takes over");
            (methods::valuing(plan.parts()), may_repeat.then_some(why))
        }
    })
}
