//! A run of one process: its workers, from the rules to the parts of the table.

use std::any::Any;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use engine::monitor::Monitor;
use game::Verdict;
use solve::error::SolveError;
use solve::stopping;
use table::About;
use timely::communication::{AllocatorBuilder, initialize_from};
use timely::worker::Worker;
use timely::{WorkerConfig, communication::Allocator};

use crate::discovery::discover;
use crate::error::Trouble;
use crate::folding;
use crate::game::{SharedGame, SharedRules, Sought};
use crate::holding::Holding;
use crate::levels::Levels;
use crate::outcomes;
use crate::post::Post;
use crate::pulse::{PHASES, Pulse};
use crate::saved::{Saved, Stage};
use crate::sorting;

/// Bytes that the letters of a worker may have at the least and at the most, to all others together.
const LETTERS: std::ops::RangeInclusive<u64> = 1 << 16..=1 << 22;
/// The letters of a worker take this share of the memory of its process at the most: one in so many parts.
const SHARE: u64 = 32;
/// So many times the letters of a worker are there at once: written, packed by timely, under way, read.
const COPIES: u64 = 4;
/// How often it is looked how the workers go.
const LOOK: Duration = Duration::from_millis(20);

/// After so long a silence it is said that nothing is heard.
const SILENT: Duration = Duration::from_secs(30);
/// So long the workers have to tell the others that they stop.
const LEAVE: Duration = Duration::from_secs(5);

/// What is made, and where.
#[derive(Clone, Debug)]
pub struct Job {
    /// The folder of the parts.
    pub folder: PathBuf,
    /// What the table says of itself.
    pub about: About,
    /// How often a long run is kept in snapshots beside the parts; never where nothing is said.
    pub save_every: Option<Duration>,
}

impl Job {
    /// What tells this game, the way its positions are numbered and the version from any other.
    pub(crate) fn identity(&self, game: &SharedGame) -> String {
        let About { rules, instance, .. } = &self.about;
        format!("{} {} {rules} {instance} {:?}", env!("CARGO_PKG_VERSION"), game.numbering, game.sought)
    }
}

/// What all workers have found.
#[derive(Clone, Debug)]
pub struct Solved {
    /// How many positions there are.
    pub positions: u64,
    /// What the start is worth.
    pub start: Option<Verdict>,
    /// The parts that this process has written.
    pub parts: Vec<sorting::Part>,
    /// Bytes that this process has sent in letters to other workers.
    pub sent: u64,
}

/// What a process has to do.
pub(crate) struct Share {
    pub game: SharedGame,
    pub job: Job,
    /// Why it does nothing, which the others are told.
    pub refused: Option<Trouble>,
}

/// What the workers of a process share.
struct Process {
    share: Share,
    workers: usize,
    pulse: Arc<Pulse>,
    /// A monitor for each worker that has not begun.
    monitors: Mutex<Vec<Monitor>>,
    found: Mutex<Vec<Result<Found, Trouble>>>,
}

/// Runs the workers of this process.
pub(crate) fn run(
    share: Share,
    (builders, others): (Vec<AllocatorBuilder>, Box<dyn Any + Send>),
    (pulse, patience): (&Arc<Pulse>, Duration),
    monitor: &mut Monitor,
    say: &mut dyn FnMut(&str),
) -> Result<Solved, Trouble> {
    let workers = builders.len();
    let process = Arc::new(Process {
        share,
        workers,
        pulse: Arc::clone(pulse),
        monitors: Mutex::new(builders.iter().map(|_| monitor.fork()).collect()),
        found: Mutex::default(),
    });
    let shared = Arc::clone(&process);
    let guards = initialize_from(builders, others, move |allocator| shared.work(allocator)).map_err(Trouble::File)?;
    if let Err(trouble) = attend(&process, patience, monitor, say) {
        // Its threads wait for what will never come; they end with the program.
        std::mem::forget(guards);
        return Err(trouble);
    }
    let broken = guards.join().into_iter().filter_map(Result::err).next();
    if let Some(why) = broken {
        return Err(SolveError::internal(why).into());
    }
    let mut solved = Solved { positions: 0, start: None, parts: Vec::new(), sent: pulse.sent() };
    let mut trouble: Option<Trouble> = None;
    for found in process.found.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        match found {
            Ok(Found { met, part, start }) => {
                solved.positions = met;
                solved.start = Some(start);
                solved.parts.push(part);
            }
            // What a worker of this process says is better told than what one has heard.
            Err(own) => {
                let is_better = !matches!(own, Trouble::Elsewhere { .. });
                trouble = Some(trouble.filter(|_| !is_better).unwrap_or(own));
            }
        }
    }
    solved.parts.sort_by(|a, b| a.path.cmp(&b.path));
    trouble.map_or(Ok(solved), Err)
}

/// Waits until all workers of this process are done, shows progress, and sees where they wait in vain.
fn attend(
    process: &Process,
    patience: Duration,
    monitor: &mut Monitor,
    say: &mut dyn FnMut(&str),
) -> Result<(), Trouble> {
    let pulse = &process.pulse;
    let (mut phase, mut said) = (0, Duration::ZERO);
    let mut stopped: Option<Instant> = None;
    while pulse.finished() < process.workers {
        std::thread::sleep(LOOK);
        let (now, met, settled) = pulse.standing();
        if now != phase {
            phase = now;
            monitor.enter_expecting(PHASES[phase], met);
        }
        if let Some((lost, why)) = pulse.lost() {
            return Err(Trouble::Lost(format!("process {lost} is gone: {why}")));
        }
        let silence = pulse.silence();
        if silence >= patience {
            let why = format!("nothing was heard of the other processes for {} s", silence.as_secs());
            return Err(Trouble::Lost(why));
        }
        if silence < SILENT {
            said = Duration::ZERO;
        } else if silence >= said + SILENT {
            said = silence;
            say(&format!("nothing was heard of the other processes for {} s", silence.as_secs()));
        }
        // The workers see limits themselves, and tell the others, unless they wait.
        if let Err(error) = monitor.look(met, settled) {
            let since = *stopped.get_or_insert_with(Instant::now);
            if since.elapsed() >= LEAVE {
                return Err(error.into());
            }
        }
    }
    Ok(())
}

/// What a worker has found.
struct Found {
    met: u64,
    part: sorting::Part,
    start: Verdict,
}

impl Process {
    /// The work of one worker.
    fn work(&self, allocator: Allocator) {
        let mut monitor = self.monitors.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let monitor = monitor.get_or_insert_with(Monitor::unlimited);
        let _scope = stopping::scope(monitor);
        let mut worker = Worker::new(WorkerConfig::default(), allocator, None);
        let bytes = (monitor.memory().limit() / SHARE / self.workers as u64).clamp(*LETTERS.start(), *LETTERS.end());
        let room = (bytes / 8 / worker.peers() as u64).max(64) as usize;
        let mut post = Post::new(&mut worker, room, self.workers, &self.pulse);
        let rules = self.share.game.rules();
        rules.watch(monitor);
        let mut lease = monitor.memory().lease();
        let leased = lease.grow(COPIES * bytes).map_err(Trouble::from);
        let allowed = self.share.refused.clone().map_or(Ok(()), Err);
        let found = allowed.and(leased).and_then(|()| self.solve(&rules, &mut post, monitor));
        let found = found.map_err(|trouble| rules.placed(trouble));
        if let Err(trouble) = &found
            && !matches!(trouble, Trouble::Elsewhere { .. })
        {
            post.fail(trouble);
        }
        post.close();
        self.found.lock().unwrap_or_else(PoisonError::into_inner).push(found);
        self.pulse.finish();
    }

    fn solve(&self, rules: &SharedRules<'_>, post: &mut Post<'_>, monitor: &mut Monitor) -> Result<Found, Trouble> {
        let Share { game, job, .. } = &self.share;
        let (memory, sought, pulse) = (monitor.memory().clone(), game.sought, &*self.pulse);
        let mut holding = Holding::new(rules.words(), sought, &memory);
        let mut saved = Saved::new(&job.folder, post, &job.identity(game), job.save_every);
        let mut standing = saved.load(&mut holding, post, &memory)?;
        pulse.enter(1);
        let mut expander = rules.expander();
        let met = discover(rules, &mut holding, &mut *expander, (&mut *post, &mut saved), monitor)?;
        drop(expander);
        pulse.enter(2);
        let positions = holding.len();
        holding.arrows.sort(positions, &mut || {
            pulse.beat();
            monitor.look(met, 0)
        })?;
        pulse.enter(3);
        standing = standing.filter(|standing| standing.stage != Stage::Discovery);
        let mut levels = Levels { post, monitor, met, settled: 0, saved: &mut saved };
        match sought {
            Sought::Outcomes => outcomes::decide(rules, &mut holding, &mut levels, standing)?,
            Sought::Nimbers => {
                outcomes::decide(rules, &mut holding, &mut levels, standing)?;
                levels.settled = 0;
                folding::nimbers(&mut holding, &mut levels)?;
            }
            Sought::Scores => {
                if !folding::scores(&mut holding, &mut levels, standing)? {
                    let why = "positions repeat, and scores are for games that come to an end";
                    return Err(SolveError::NotApplicable(why.to_string()).into());
                }
            }
        }
        pulse.enter(4);
        let (part, start) = sorting::write(rules, holding, (&job.folder, &job.about), post, monitor)?;
        saved.forget();
        Ok(Found { met, part, start })
    }
}
