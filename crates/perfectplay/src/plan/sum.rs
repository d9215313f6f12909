//! What is known of a sum of different games: what `perfectplay explain` prints of it.

use engine::monitor::{Limits, Monitor};
use solve::answer::solution::Understood;
use solve::chooser::plan;
use solve::compound::{Compound, SumError, unfit};
use solve::error::SolveError;
use solve::facts::Fact;
use solve::options::{MethodName, Options};

use super::Taken;
use crate::sums::Sum;

/// Why the canonical forms of the summands are enough.
const BY_FORMS: &str = "each summand is valued by itself: all are won by the last mover, so that each has a canonical form, \
                        which tells what it adds to any sum";
/// Why the nimbers of the summands are enough.
const WHY: &str = "each summand is solved by itself: all are impartial and won by the last mover, so that each has a \
                   nimber, or a loopy one where its positions repeat, and these add up";

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
    let compound = Compound::new(sum.summands());
    let mut summands = Vec::new();
    for (summand, one) in compound.summands().iter().enumerate() {
        let blame = |error| SumError { summand, error };
        if let Some(why) = unfit(one.bound) {
            let title = format!("`{}` cannot be part of a sum of different games: {why}", one.bound.program.name);
            return Err(blame(SolveError::NotApplicable(title)));
        }
        // As the sum itself asks for it.
        let options = Options { summand: true, ..options.clone() };
        let plan = plan(one.bound, &one.bound.start, &options, &mut Monitor::new(limits)).map_err(blame)?;
        let forms = solve::methods::valuing(plan.parts());
        let (method, why) = match plan.facts().nimbers {
            true => (plan.method(), plan.why().to_string()),
            false => (forms, "the parts of a position have canonical forms".to_string()),
        };
        summands.push(SummandExplanation {
            name: compound.name(summand).to_string(),
            game: one.bound.program.name.clone(),
            instance: Understood::new(one.bound),
            impartial: plan.facts().impartial.clone(),
            last_mover: plan.facts().last_mover.clone(),
            method,
            why,
            value: None,
        });
    }
    let impartial = summands.iter().all(|summand| summand.impartial.holds);
    let why = if impartial { WHY } else { BY_FORMS }.to_string();
    let mut explained = SumExplanation { game: compound.text(), why, summands, taken: None };
    if run {
        let mut monitor = monitor(limits);
        let solved = sum.solve(options, &mut monitor)?;
        let values = solved.values(&compound.start())?;
        for (summand, (explained_summand, value)) in explained.summands.iter_mut().zip(values).enumerate() {
            if let Some(game) = solved.game(summand) {
                explained_summand.why = game.plan.why().to_string();
            }
            (explained_summand.method, explained_summand.value) = (solved.taken(summand).0, Some(value.to_string()));
        }
        let (bytes, seconds) = (monitor.memory().peak(), monitor.elapsed().as_secs_f64());
        explained.taken = Some(Taken { positions: solved.positions(), bytes, seconds, complete: true });
    }
    Ok(explained)
}
