//! Who wins, over the instances of a rules file's `sample`.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::monitor::Monitor;
use game::Player;
use rules::bind::bind;
use rules::instance::Instance;
use rules::program::Program;
use rules::sample::sampled;

use crate::answer::solution::Winner;
use crate::answer::verdict;
use crate::error::SolveError;
use crate::options::Options;
use crate::solved::solve;
use crate::stopping::scope;
use rules::stop::Stopped;

/// A random half of a sample is the same each time.
const SEED: u64 = 1;

/// How the instances of a sample come out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SampleSurvey {
    /// The game's name.
    pub game: String,
    /// How many instances were looked at.
    pub instances: u64,
    /// Whether the sample has more of them.
    pub more: bool,
    /// How many each player wins.
    pub won: BTreeMap<u8, u64>,
    /// How many nobody wins.
    pub drawn: u64,
    /// How many have no single winner, since several players get as much.
    pub shared: u64,
    /// How many were too large for the limits, so that nothing is known of them.
    pub unknown: u64,
    /// What it took, in seconds.
    pub seconds: f64,
}

impl SampleSurvey {
    /// How many instances a player wins.
    pub fn won_by(&self, player: Player) -> u64 {
        self.won.get(&player.0).copied().unwrap_or(0)
    }

    /// How many instances were solved.
    pub fn known(&self) -> u64 {
        self.instances - self.unknown
    }
}

/// Solves at most `most` instances of a sample, each within the limits of its own monitor, which is made for it from its
/// number and how many there are.
pub fn survey(
    program: &Arc<Program>,
    most: usize,
    options: &Options,
    monitors: &mut dyn FnMut(u64, u64) -> Monitor,
) -> Result<SampleSurvey, SolveError> {
    let begun = std::time::Instant::now();
    let first = |mut diagnostics: Vec<rules::diagnostic::Diagnostic>| match diagnostics.is_empty() {
        true => SolveError::internal("a sample failed without a reason"),
        false => SolveError::Fault(diagnostics.swap_remove(0).into()),
    };
    let sample = sampled(program, most, SEED).map_err(first)?;
    let all = sample.instances.len() as u64;
    let mut survey = SampleSurvey { game: program.name.clone(), more: !sample.complete, ..SampleSurvey::default() };
    for instance in &sample.instances {
        let mut monitor = monitors(survey.instances, all);
        // A stop between two instances counts too.
        monitor
            .look(0, 0)
            .map_err(SolveError::from)
            .or_else(|error| if error.is_limit() { Ok(()) } else { Err(error) })?;
        survey.instances += 1;
        let scope = scope(&monitor);
        let bound = match bind(program, instance) {
            Ok(bound) => bound,
            Err(_) if scope.stopped().is_some_and(|why| why != Stopped::Cancelled) => {
                survey.unknown += 1;
                continue;
            }
            Err(_) if scope.stopped().is_some() => return Err(SolveError::Interrupted { positions: 0 }),
            Err(diagnostics) => return Err(in_instance(first(diagnostics), instance)),
        };
        drop(scope);
        let solved = solve(&bound, &bound.start, options, &mut monitor);
        match solved.and_then(|solved| verdict(&solved, &monitor)) {
            Ok(solution) => match solution.winner {
                Some(Winner::Player(player)) => *survey.won.entry(player.0).or_default() += 1,
                Some(Winner::Draw) => survey.drawn += 1,
                None => survey.shared += 1,
            },
            Err(error) if error.is_limit() => survey.unknown += 1,
            Err(error) => return Err(in_instance(error, instance)),
        }
    }
    survey.seconds = begun.elapsed().as_secs_f64();
    Ok(survey)
}

/// A mistake, with the instance that it came up in.
fn in_instance(error: SolveError, instance: &Instance) -> SolveError {
    match error {
        SolveError::Fault(mut fault) if !instance.0.is_empty() => {
            let words: Vec<String> =
                instance.0.iter().map(|(name, given)| rules::show::cut(120, &format!("{name}={given}"))).collect();
            fault.diagnostic.notes.push(format!("instance: {}", words.join(" ")));
            SolveError::Fault(fault)
        }
        other => other,
    }
}
