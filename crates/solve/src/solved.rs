//! A solved game: the plan that was carried out, and the answers it gave.

use engine::monitor::Monitor;
use game::{End, Verdict};
use rules::bind::{Bound, Position};
use rules::play;

use crate::answers::{Answers, BestMoves, Next, RatedMove};
use crate::chooser::Chooser;
use crate::error::{Limit, SolveError};
use crate::methods;
use crate::methods::{Found, GivenUp, Method, Report};
use crate::options::Options;
use crate::plan::Plan;
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

/// Solves a game from a position on.
pub fn solve<'b>(
    bound: &'b Bound,
    start: &Position,
    options: &Options,
    monitor: &mut Monitor,
) -> Result<Solved<'b>, SolveError> {
    solve_with(&methods::ALL, bound, start, options, monitor)
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
/// then the chooser is told why and makes another plan.
pub fn solve_and<'b, T>(
    registry: &[&dyn Method],
    bound: &'b Bound,
    start: &Position,
    options: &Options,
    monitor: &mut Monitor,
    work: impl Fn(&Solved<'b>, &mut Monitor) -> Result<T, SolveError>,
) -> Result<(Solved<'b>, T), SolveError> {
    let mut chooser = watched(monitor, |monitor| Chooser::new(registry, bound, start, options, monitor))?;
    loop {
        let solved = watched(monitor, |monitor| run(&mut chooser, monitor))?;
        match work(&solved, monitor) {
            Ok(done) => return Ok((solved, done)),
            Err(error) => chooser.give_up_answers(&solved.plan, solved.answers.gave_up(), error)?,
        }
    }
}

/// What a solve does, as far as a look has shown.
pub struct Foreseen<'b> {
    /// The plan that was carried out, or was being carried out when the look came to its end.
    pub plan: Plan<'b>,
    /// What was found of the game; nothing where the look came to its end first.
    pub report: Option<Report>,
    /// Positions met.
    pub positions: u64,
}

/// Carries out a plan of a chooser as a solve does, within the limits of a look (`looking`), and makes something of its answers where
/// they are worked out as they are asked for. Where it is given up, the chooser makes the next plan, within the limits of the
/// solve (`choosing`).
pub fn foresee<'b, T>(
    mut plan: Plan<'b>,
    chooser: &mut Chooser<'_, 'b>,
    (choosing, looking): (&mut Monitor, &mut Monitor),
    work: impl Fn(&Solved<'b>, &mut Monitor) -> Result<T, SolveError>,
) -> Result<Foreseen<'b>, SolveError> {
    // A look in the memory of the solve comes to an end where the solve does.
    let is_exact = looking.memory().is(choosing.memory());
    loop {
        // The positions that were looked at for the plan lie in the memory of the solve: a look in another one begins anew. They
        // are gone after the run, as they are in the solve.
        let looked_at = chooser.looked_at(&plan).filter(|_| is_exact);
        let ran = watched(looking, |looking| match plan.run(looked_at, looking) {
            Err(GivenUp::Error(error)) => Err(error),
            ran => Ok(ran),
        });
        let positions = if let Err(SolveError::Limit { positions, .. }) = ran { positions } else { 0 };
        let gave_up = match ran {
            Ok(Ok(found)) => {
                let solved = Solved::new(plan, chooser.start().clone(), found);
                let asked = if solved.plan.only_start() { work(&solved, looking).err() } else { None };
                let gave_up = asked.map(|error| chooser.give_up_answers(&solved.plan, solved.answers.gave_up(), error));
                if !matches!(gave_up, Some(Ok(()))) {
                    let positions = solved.positions();
                    return Ok(Foreseen { plan: solved.plan, report: Some(solved.report), positions });
                }
                plan = solved.plan;
                Ok(())
            }
            // Who was refused memory may have it in the solve: that it was given up says nothing.
            Ok(Err(_)) if !is_exact && looking.memory().has_refused() => {
                return Ok(Foreseen { plan, report: None, positions });
            }
            Ok(Err(given_up)) => chooser.give_up(&plan, given_up),
            // The solve may have more time, and more memory.
            Err(error) if error.is_limit() && !(is_full(&error) && is_exact) => Err(error),
            Err(error) => chooser.give_up(&plan, GivenUp::Error(error)),
        };
        // Before the next plan is made the solve has dropped this one.
        plan = plan.put_aside();
        match gave_up.and_then(|()| watched(choosing, |choosing| chooser.plan(choosing))) {
            Ok(next) => plan = next,
            Err(error) if error.is_limit() => return Ok(Foreseen { plan, report: None, positions }),
            Err(error) => return Err(error),
        }
    }
}

/// Whether memory was not enough.
fn is_full(error: &SolveError) -> bool {
    matches!(error, SolveError::Limit { limit: Limit::Memory { .. }, .. })
}

/// Asks for plans until one is carried out.
fn run<'b>(chooser: &mut Chooser<'_, 'b>, monitor: &mut Monitor) -> Result<Solved<'b>, SolveError> {
    loop {
        let plan = chooser.plan(monitor)?;
        match plan.run(chooser.looked_at(&plan), monitor) {
            Ok(found) => return Ok(Solved::new(plan, chooser.start().clone(), found)),
            Err(given_up) => chooser.give_up(&plan, given_up)?,
        }
    }
}
