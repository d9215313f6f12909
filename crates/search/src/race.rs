//! A race of short trials between the searches, on the game itself.
//!
//! Both search the start in turns, for longer where the game is large. If one of them finishes, that is the best there is to know.
//! Mostly neither does, so both are tried on positions of random play, later and later ones until one of the two finishes. Such
//! positions are a weak sign: random play makes mistakes that decide a game. So the search that lost gets its turns later, too:
//! see [`turns`](mod@crate::turns). Work is counted in positions and options and not in seconds, so that a busy
//! machine does not decide a race. How long trials may be depends on the pace that was predicted. All of them together have a
//! limit: a race is part of a plan, and nobody waits for a plan.

use std::sync::Arc;

use ::game::Random;

use crate::game::{Options, Shared};
use crate::solver::{Settings, Way, solver};
use engine::Error;
use engine::monitor::{Monitor, Stopwatch};

/// What a trial may look at, in positions, and how many positions of random play are tried.
const TRIAL: u64 = 20_000;
const FEWEST: u64 = 400;
const TRIALS: usize = 6;
/// What a trial should take, in seconds, and at most this share of what a table of all positions takes.
const SECONDS: f64 = 0.01;
const SHARE: f64 = 2e-3;
/// What a trial of the start may look at, in positions; what it should take, in seconds, and at most this share of what a table takes.
const START: u64 = 1 << 21;
const START_SECONDS: f64 = 0.3;
const START_SHARE: f64 = 1e-2;
/// What all trials may take together, in seconds, and the share of it that the first turn of a search has.
const SECONDS_IN_ALL: f64 = 0.6;
const FIRST_TURN: f64 = 1.0 / 32.0;
/// Seconds for an option that a search lists, beside the rules: it is folded, hashed, looked up and put in order; and for each pair of
/// options, since what one of many moves leaves to the others is looked at (100 µs and more a position on boards of 100 squares).
const LISTED: f64 = 60e-9;
const COMPARED: f64 = 12e-9;
/// Seconds of its own after which a race is left whatever was counted: for positions that are out of all proportion.
const BRAKE: f64 = 2.0;
/// A position of proof-number search takes so many times as long as one of alpha-beta: it adds up the numbers of all options whenever it
/// comes back. Y on a side of 5 took 3.6 µs a position and 1.8 µs. So that search has to look at clearly fewer.
pub(crate) const DEARER: u64 = 2;
/// Plays are not followed any longer than this.
const LONGEST: usize = 2000;

/// How many positions each search looked at, in the trials that one of the two finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Race {
    /// By alpha-beta,
    pub alpha_beta: u64,
    /// and by proof-number search.
    pub proof_number: u64,
    /// In so many trials.
    pub trials: usize,
    /// How many positions each needed for the start, if it was done in its trial.
    pub start: [Option<u64>; 2],
}

/// How long trials may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths {
    /// How many positions may be looked at from the start,
    pub start: u64,
    /// and from positions of random play.
    pub later: u64,
    /// How much work all trials may be together ([`crate::solver::Solver::work`]).
    pub work: u64,
}

impl Race {
    /// How many times as long a search takes as the better one.
    pub fn handicap(&self, way: Way) -> f64 {
        let proof_number = self.proof_number.saturating_mul(DEARER);
        let (own, other) = match way {
            Way::AlphaBeta => (self.alpha_beta, proof_number),
            Way::ProofNumber => (proof_number, self.alpha_beta),
        };
        // Equals stay in the order of the registry.
        (own.max(1) as f64 / other.max(1) as f64).max(1.0)
    }

    /// How many positions a search needs for the start, if that is known.
    pub fn needed(&self, way: Way) -> Option<u64> {
        self.start[match way {
            Way::AlphaBeta => 0,
            Way::ProofNumber => 1,
        }]
    }

    /// Whether one of them is done with the start.
    pub fn is_decided(&self) -> bool {
        self.start != [None; 2]
    }

    /// What came of it, in words.
    pub fn text(&self) -> String {
        let trials =
            if self.trials == 1 { "one short trial".to_string() } else { format!("{} short trials", self.trials) };
        let [alpha_beta, proof_number] = [self.alpha_beta, self.proof_number].map(engine::numbers::grouped);
        let trials = if self.is_decided() { "a trial from the start".to_string() } else { trials };
        format!("in {trials} alpha-beta looked at {alpha_beta} positions and proof-number search at {proof_number}")
    }
}

/// How long trials may be, where a position has so many options, which take so many seconds, and a table of all positions would
/// take `table`.
pub fn lengths(pace: f64, options: f64, table: f64) -> Lengths {
    let each = 1.0 + options.max(0.0);
    let pace = pace.max(1e-9) + each * (LISTED + each * COMPARED);
    let positions = |seconds: f64| (seconds / pace) as u64;
    // Where a position takes very long, a trial is short, but it is one.
    let first = positions(FIRST_TURN * SECONDS_IN_ALL).max(1);
    let later = positions(SECONDS.min(SHARE * table)).clamp(FEWEST, TRIAL).min(first);
    let start = positions(START_SECONDS.min(START_SHARE * table)).clamp(later, START);
    Lengths { start, later, work: (SECONDS_IN_ALL / pace * each) as u64 }
}

/// What a race may still take.
struct Left {
    work: u64,
    watch: Stopwatch,
}

impl Left {
    fn spend(&mut self, work: u64) {
        self.work = self.work.saturating_sub(work);
    }

    fn is_nothing(&self) -> bool {
        self.work == 0 || self.watch.seconds() > BRAKE
    }
}

/// Lets the searches compete from a start, in trials of a given length; `None` where no trial came to an end.
pub fn race(
    game: &Shared<'_>,
    start_key: &[u64],
    lengths: Lengths,
    monitor: &mut Monitor,
) -> Result<Option<Race>, Error> {
    let mut race = Race { alpha_beta: 0, proof_number: 0, trials: 0, start: [None; 2] };
    let mut left = Left { work: lengths.work, watch: Stopwatch::start() };
    let start = trial(game, start_key, (lengths.later, lengths.start), &mut left, &mut race, monitor)?;
    if start != [None; 2] {
        return Ok(Some(Race { start, ..race }));
    }
    let most = lengths.later;
    let mut random = Random::new(1);
    for _ in 0..TRIALS {
        if left.is_nothing() {
            break;
        }
        let play = playout(game, start_key, &mut left, &mut random)?;
        // Later and later positions, until one is near enough to the end.
        for share in [4, 5, 6, 7, 8] {
            let Some(key) = play.get(play.len() * share / 10).filter(|_| !left.is_nothing()) else { break };
            if trial(game, key, (most, most), &mut left, &mut race, monitor)? != [None; 2] {
                break;
            }
        }
    }
    Ok((race.trials > 0).then_some(race))
}

/// Both searches from one position in turns, of so many positions at first and so many at last; what those needed that came to an
/// end. No turn begins when no work is left.
fn trial(
    game: &Shared<'_>,
    key: &[u64],
    (mut most, last): (u64, u64),
    left: &mut Left,
    race: &mut Race,
    monitor: &mut Monitor,
) -> Result<[Option<u64>; 2], Error> {
    let settings = Settings::new(1, (64 * last).min(monitor.memory().free() / 4));
    let mut solvers = [
        solver(game, Way::AlphaBeta, settings, monitor.memory())?,
        solver(game, Way::ProofNumber, settings, monitor.memory())?,
    ];
    loop {
        let mut took = [None; 2];
        let mut room = most;
        for (solver, took) in solvers.iter_mut().zip(&mut took) {
            let before = solver.work();
            solver.limit(Some(room.saturating_sub(solver.nodes()).max(1)));
            match solver.value(key, monitor) {
                Ok(_) => *took = Some(solver.nodes()),
                Err(Error::Dear { .. }) => {}
                Err(error) => return Err(error),
            }
            left.spend(solver.work() - before);
            // With more positions than that the second does not win.
            room = took.unwrap_or(most) / DEARER;
        }
        if took != [None; 2] {
            let [alpha_beta, proof_number] = took;
            race.trials += 1;
            race.alpha_beta += alpha_beta.unwrap_or(2 * most);
            race.proof_number += proof_number.unwrap_or(2 * most);
            return Ok(took);
        }
        if most >= last || left.is_nothing() {
            return Ok(took);
        }
        most = (2 * most).min(last);
    }
}

/// The positions of a play at random, as far as work is left.
fn playout(game: &Shared<'_>, start: &[u64], left: &mut Left, random: &mut Random) -> Result<Vec<Vec<u64>>, Error> {
    let mut expander = Arc::clone(game).expander();
    let (mut key, mut play) = (start.to_vec(), Vec::new());
    let mut options = Options::default();
    while play.len() < LONGEST && left.work > 0 && expander.expand(&key, &mut options)?.is_none() {
        play.push(key.clone());
        left.spend(1 + options.same.len() as u64);
        let at = random.below(options.same.len() as u64) as usize;
        key = options.codes[at * key.len()..][..key.len()].to_vec();
    }
    Ok(play)
}
