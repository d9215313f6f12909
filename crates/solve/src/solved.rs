//! A solved game: the plan that was carried out, and the answers it gave.

use engine::monitor::Monitor;
use game::{End, Verdict};
use rules::bind::{Bound, Position};
use rules::play;

use crate::answers::{Answers, BestMoves, Next, RatedMove};
use crate::case::Case;
use crate::error::{Limit, Reason, SolveError};
use crate::methods;
use crate::methods::{Found, GivenUp, Method, Report};
use crate::options::{Options, Question};
use crate::plan::{Plan, choose};
use crate::stopping::watched;

/// A solved game: every position that can be reached from the start has a verdict.
pub struct Solved<'b> {
    /// The game.
    pub bound: &'b Bound,
    /// How it was solved.
    pub plan: Plan<'b>,
    /// The position that was asked about.
    pub start: Position,
    /// What was found of the game as a whole.
    pub report: Report,
    /// The answers.
    pub answers: Box<dyn Answers + 'b>,
}

impl<'b> Solved<'b> {
    /// A game that was solved by a plan.
    pub fn new(plan: Plan<'b>, start: Position, found: Found<'b>) -> Solved<'b> {
        let Found { answers, report } = found;
        Solved { bound: plan.bound(), plan, start, report, answers }
    }

    /// What is known of a position; `None` if nothing is. Every position that can be reached from the start has a verdict.
    /// Some methods know others, too, which have all that the rules were shown to keep, such as whose turn it is.
    pub fn verdict(&self, position: &Position) -> Option<Verdict> {
        self.answers.verdict(position)
    }

    /// How the game ends here by an `end` rule or because nobody can move; `None` where it goes on.
    pub fn end(&self, position: &Position) -> Result<Option<End>, SolveError> {
        Ok(play::end(self.bound, position)?)
    }

    /// Every legal move of a position that was met, in order, rated for the player to move.
    pub fn moves(&self, position: &Position) -> Result<Vec<RatedMove>, SolveError> {
        self.answers.moves(self.bound, position)
    }

    /// At most `most` best moves of a position that was met, in order.
    pub fn best_moves(&self, position: &Position, most: usize) -> Result<BestMoves, SolveError> {
        self.answers.best(self.bound, position, most)
    }

    /// The move that perfect play makes in a position: a fast one, else a best one, and in a sum whose parts repeat one that
    /// brings a win nearer. None where the game is over.
    pub fn choice(&self, position: &Position) -> Result<Option<play::Play>, SolveError> {
        Ok(match self.answers.walker(self.bound, position)?.next(position)? {
            Next::Move { play, .. } => Some(play),
            Next::Unknown => self.answers.best(self.bound, position, 1)?.first(),
            Next::Over | Next::Repeats(_) => None,
        })
    }

    /// How many positions were met (parts, where the parts were solved).
    pub fn positions(&self) -> u64 {
        self.answers.positions()
    }

    /// Whether gains are added up.
    pub fn is_counted(&self) -> bool {
        self.bound.program.counted || self.bound.players > 2
    }

    /// Whether what one player gains the other loses, up to a constant.
    pub fn total_is_constant(&self) -> bool {
        self.report.constant_total.as_ref().is_some_and(|fact| fact.holds)
    }
}

/// How often a method that gave up may be taken again, with another way.
const OTHER_WAYS: usize = 2;

/// Solves a game from a position on.
pub fn solve<'b>(
    bound: &'b Bound,
    start: &Position,
    options: &Options,
    monitor: &mut Monitor,
) -> Result<Solved<'b>, SolveError> {
    solve_with(&methods::ALL, bound, start, options, monitor)
}

/// Whether a method was given up only because another was predicted to be quicker, or to tell more.
fn may_forgive(case: &Case<'_>) -> bool {
    case.given_up().any(|(_, reason)| reason.seemed_dear())
}

/// Solves a game with the methods of a registry.
pub fn solve_with<'b>(
    registry: &[&dyn Method],
    bound: &'b Bound,
    start: &Position,
    options: &Options,
    monitor: &mut Monitor,
) -> Result<Solved<'b>, SolveError> {
    solve_and(registry, bound, start, options, monitor, |_, _| Ok(())).map(|(solved, ())| solved)
}

/// Solves a game and makes something of its answers. Some methods work them out as they are asked for, and may give up on one:
/// then the chooser is told why and makes another plan, unless a method or a kind of answer was asked for.
pub fn solve_and<'b, T>(
    registry: &[&dyn Method],
    bound: &'b Bound,
    start: &Position,
    options: &Options,
    monitor: &mut Monitor,
    work: impl Fn(&Solved<'b>, &mut Monitor) -> Result<T, SolveError>,
) -> Result<(Solved<'b>, T), SolveError> {
    let mut case = watched(monitor, |monitor| Case::new(bound, start, options, monitor.memory().free()))?;
    let is_free = options.method.is_none() && options.question == Question::Auto;
    loop {
        let solved = watched(monitor, |monitor| run(registry, &mut case, monitor))?;
        let error = match work(&solved, monitor) {
            Ok(done) => return Ok((solved, done)),
            Err(error @ SolveError::NotApplicable(_)) if is_free => error,
            Err(error) => return Err(error),
        };
        let method = solved.plan.method();
        let reason = solved.answers.gave_up().filter(|_| case.gave_up_with(method).is_none());
        case.give_up(method, reason.ok_or(error)?);
    }
}

/// Whether memory was not enough.
fn is_full(error: &SolveError) -> bool {
    matches!(error, SolveError::Limit { limit: Limit::Memory { .. }, .. })
}

/// The limit on memory that a method reached: with more of it there would be an answer, whatever became of the others.
fn full(case: &Case<'_>) -> Option<SolveError> {
    case.given_up().find_map(|(_, reason)| match reason {
        Reason::OutOfMemory(error) => Some(error.clone()),
        _ => None,
    })
}

/// Whether a search may be taken in the place of a table.
fn may_search(case: &Case<'_>) -> bool {
    case.options.method.is_none() && case.options.question != Question::Strong
}

/// Makes plans until one is carried out.
fn run<'b>(registry: &[&dyn Method], case: &mut Case<'b>, monitor: &mut Monitor) -> Result<Solved<'b>, SolveError> {
    let mut is_patient = false;
    loop {
        let plan = match (choose(case, registry, monitor), case.given_up().last()) {
            (Ok(plan), _) => plan,
            // A method that seemed dear is better than none.
            (Err(SolveError::NotApplicable(_)), Some(_)) if !is_patient && may_forgive(case) => {
                is_patient = true;
                case.forgive();
                continue;
            }
            (Err(SolveError::NotApplicable(_)), Some((method, reason))) => {
                return Err(full(case).unwrap_or_else(|| reason.clone().into_error(method.name())));
            }
            (Err(error), _) => return Err(error),
        };
        // What does not fit by one table need not be tried by all of them, unless it is known what one takes; a search that
        // seemed dear is better.
        let is_guess = !plan.only_start() && !plan.is_sized();
        if let Some((_, Reason::OutOfMemory(error))) = case.given_up().last().filter(|_| is_guess) {
            if is_patient || !may_forgive(case) {
                return Err(error.clone());
            }
            is_patient = true;
            case.forgive();
            continue;
        }
        // What is tried first leaves the positions that were looked at to the next one.
        let looked_at = if plan.trial_seconds().is_none() { case.looked_at.take() } else { None };
        let reason = match plan.run(looked_at, monitor) {
            Ok(found) => return Ok(Solved::new(plan, case.start.clone(), found)),
            // A search needs no table of all positions.
            Err(GivenUp::Error(error)) if is_full(&error) && !plan.only_start() && may_search(case) => {
                Reason::OutOfMemory(error)
            }
            Err(GivenUp::Error(error)) => return Err(error),
            Err(GivenUp::Because(reason)) => reason,
        };
        // A method may offer another way twice; more often it would go round in circles.
        if case.given_up().filter(|(method, _)| *method == plan.method()).count() >= OTHER_WAYS {
            return Err(reason.into_error(plan.method().name()));
        }
        case.give_up(plan.method(), reason);
    }
}
