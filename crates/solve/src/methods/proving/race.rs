//! A race of short trials between the searches, on the game itself.
//!
//! Both search the start for a moment. Mostly neither is done, so both are tried on positions of random play, later and later ones
//! until one of the two finishes. Work is counted in positions and not in seconds, so that the outcome of a race is the same
//! every time.

use std::sync::Arc;

use engine::monitor::Monitor;
use engine::{Error, Limit};
use search::game::{Options, Shared};
use search::solver::{Settings, Way, solver};

use super::maker::Maker;
use crate::case::{Case, Race};
use crate::error::SolveError;
use crate::method::GivenUp;

/// What a trial may look at, in positions, and how many positions of random play are tried.
const TRIAL: u64 = 20_000;
const FEWEST: u64 = 400;
const TRIALS: usize = 6;
/// What a trial should take, in seconds, and at most this share of what a table of all positions takes.
const SECONDS: f64 = 0.02;
const SHARE: f64 = 2e-3;
/// Plays are not followed any longer than this.
const LONGEST: usize = 2000;

/// Lets the searches compete, where a table would take so many seconds; `None` where no trial came to an end. A case has one race.
pub fn race(
    case: &Case<'_>,
    maker: &Maker<'_>,
    table: Option<f64>,
    monitor: &mut Monitor,
) -> Result<Option<Race>, SolveError> {
    if let Some(found) = case.race.get() {
        return Ok(*found);
    }
    monitor.enter("trying searches");
    let found = match run(case, maker, table.unwrap_or(f64::INFINITY), monitor) {
        Ok(found) => found,
        Err(GivenUp::Error(
            error @ (SolveError::Interrupted { .. } | SolveError::Limit { limit: Limit::Time { .. }, .. }),
        )) => return Err(error),
        // The method itself says what is wrong, and needs less memory than two searches, or more.
        Err(_) => None,
    };
    Ok(*case.race.get_or_init(|| found))
}

fn run(case: &Case<'_>, maker: &Maker<'_>, table: f64, monitor: &mut Monitor) -> Result<Option<Race>, GivenUp> {
    let game = maker.game()?;
    game.watch(monitor);
    let Some(start) = game.key(&case.start) else { return Ok(None) };
    let pace = case.sampled.get().copied().flatten().map_or(1e-6, |found| found.code.unwrap_or(found.sample.pace));
    let most = ((SECONDS.min(SHARE * table) / pace.max(1e-9)) as u64).clamp(FEWEST, TRIAL);
    let shared: Shared<'_> = game;
    let mut race = Race { alpha_beta: 0, proof_number: 0, trials: 0 };
    if trial(&shared, &start, most, &mut race, monitor)? {
        return Ok(Some(race));
    }
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    for _ in 0..TRIALS {
        let play = playout(&shared, &start, &mut random)?;
        // Later and later positions, until one is near enough to the end.
        for share in [4, 5, 6, 7, 8] {
            let Some(key) = play.get(play.len() * share / 10) else { break };
            if trial(&shared, key, most, &mut race, monitor)? {
                break;
            }
        }
    }
    Ok((race.trials > 0).then_some(race))
}

/// Both searches from one position; whether one of them came to an end.
fn trial(game: &Shared<'_>, key: &[u64], most: u64, race: &mut Race, monitor: &mut Monitor) -> Result<bool, Error> {
    let mut took = [None; 2];
    for (at, way) in [Way::AlphaBeta, Way::ProofNumber].into_iter().enumerate() {
        let settings = Settings::new(1, (64 * most).min(monitor.memory().free() / 4));
        let mut solver = solver(game, way, settings, monitor.memory())?;
        solver.limit(Some(most));
        match solver.value(key, monitor) {
            Ok(_) => took[at] = Some(solver.nodes()),
            Err(Error::Dear { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    let [alpha_beta, proof_number] = took;
    if alpha_beta.is_none() && proof_number.is_none() {
        return Ok(false);
    }
    race.trials += 1;
    race.alpha_beta += alpha_beta.unwrap_or(2 * most);
    race.proof_number += proof_number.unwrap_or(2 * most);
    Ok(true)
}

/// The positions of a play at random.
fn playout(game: &Shared<'_>, start: &[u64], random: &mut u64) -> Result<Vec<Vec<u64>>, Error> {
    let mut expander = Arc::clone(game).expander();
    let (mut key, mut play) = (start.to_vec(), Vec::new());
    let mut options = Options::default();
    while play.len() < LONGEST && expander.expand(&key, &mut options)?.is_none() {
        play.push(key.clone());
        *random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        let at = (*random >> 33) as usize % options.same.len();
        key = options.codes[at * key.len()..][..key.len()].to_vec();
    }
    Ok(play)
}
