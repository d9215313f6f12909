//! Asks a search about positions: whether a value is at least so much, or what it is.
//!
//! A value is found by questions with a window of one, as long as there are few values: each answer moves a bound of the value,
//! and the table makes the next question cheap (MTD(f)). Where values are many, one search with an open window finds it.
//! What was proved by then is there when a limit stops the search ([`Solver::bounds`]).
//!
//! With several threads all search the same root, each in a slightly different order, and share the table. The first to finish
//! answers. Who that is depends on timing, the answer does not: only what is proved is one.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use engine::Error;
use engine::memory::Memory;
use engine::monitor::Monitor;

use crate::game::{Bounds, INFINITE, MOST_WORDS, Shared};
use crate::table::{LOOK, Rule, SMALL, Table};
use crate::word::{Layout, TAG};
use crate::{alpha_beta, proof_number};

/// Helpers join in when a question has taken so many positions: threads take a while to start.
const BEFORE_HELPERS: u64 = 60_000;
/// Up to so many values are told apart by questions with a window of one.
const FEW_VALUES: i64 = 300;

/// How a search is carried out.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// So many threads.
    pub threads: usize,
    /// The table has at most so many bytes.
    pub bytes: u64,
    /// Helpers join in when a question has taken so many positions.
    pub before_helpers: u64,
}

impl Settings {
    /// So many threads, and a table of at most so many bytes.
    pub fn new(threads: usize, bytes: u64) -> Settings {
        Settings { threads, bytes, before_helpers: BEFORE_HELPERS }
    }
}

/// Which search is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// [`crate::alpha_beta`].
    AlphaBeta,
    /// [`crate::proof_number`]: for games that are won, drawn and lost.
    ProofNumber,
}

/// Answers questions about positions of a game. What it proves it keeps for later questions.
pub trait Solver {
    /// Whether the value of a position is at least `t`.
    fn at_least(&mut self, key: &[u64], t: i64, monitor: &mut Monitor) -> Result<bool, Error>;

    /// The value of a position.
    fn value(&mut self, key: &[u64], monitor: &mut Monitor) -> Result<i64, Error>;

    /// What the table knows of a position: nothing is searched.
    fn known(&mut self, key: &[u64]) -> Bounds;

    /// What is proved of the position that was asked about last.
    fn bounds(&self) -> Bounds;

    /// How many positions were looked at.
    fn nodes(&self) -> u64;

    /// How much work that was, on this thread: positions, and options that were listed.
    fn work(&self) -> u64;

    /// Stops with [`Error::Dear`] when so many more were looked at.
    fn limit(&mut self, nodes: Option<u64>);

    /// Bytes of the table.
    fn bytes(&self) -> u64;
}

/// A solver of a game.
pub fn solver<'g>(
    game: &Shared<'g>,
    way: Way,
    settings: Settings,
    memory: &Memory,
) -> Result<Box<dyn Solver + 'g>, Error> {
    match game.words() {
        1 => sized::<1>(game, way, settings, memory),
        2 => sized::<2>(game, way, settings, memory),
        3..=4 => sized::<4>(game, way, settings, memory),
        5..=8 => sized::<8>(game, way, settings, memory),
        9..=MOST_WORDS => sized::<MOST_WORDS>(game, way, settings, memory),
        words => {
            Err(Error::NotApplicable(format!("a position takes {words} words, and a search has room for {MOST_WORDS}")))
        }
    }
}

fn sized<'g, const W: usize>(
    game: &Shared<'g>,
    way: Way,
    settings: Settings,
    memory: &Memory,
) -> Result<Box<dyn Solver + 'g>, Error> {
    Ok(match way {
        Way::AlphaBeta => Box::new(Asked::<alpha_beta::Search<'g, W>, W>::new(game, settings, memory)?),
        Way::ProofNumber => Box::new(Asked::<proof_number::Search<'g, W>, W>::new(game, settings, memory)?),
    })
}

/// A search that can be left and taken up again: the window and the result are those of [`crate::alpha_beta`].
trait Engine<'g, const W: usize>: Sized {
    /// Whether only windows of one are asked.
    const NULL_ONLY: bool;
    type Layout: Rule;

    fn new(game: &Shared<'g>, helper: u64, memory: &Memory) -> Self;
    fn layout(&self) -> (Self::Layout, u64);
    fn begin(&mut self, root: &[u64], window: (i64, i64), table: &Table<W>) -> Result<Option<i64>, Error>;
    fn go_on(
        &mut self,
        window: (i64, i64),
        table: &Table<W>,
        tick: &mut dyn FnMut(u64) -> Result<bool, Error>,
    ) -> Result<Option<i64>, Error>;
    fn nodes(&self) -> u64;
    fn listed(&self) -> u64;
    fn known(&mut self, key: &[u64], table: &Table<W>) -> Bounds;
}

impl<'g, const W: usize> Engine<'g, W> for alpha_beta::Search<'g, W> {
    const NULL_ONLY: bool = false;
    type Layout = Layout;

    fn new(game: &Shared<'g>, helper: u64, memory: &Memory) -> Self {
        alpha_beta::Search::new(game, helper, memory)
    }
    fn layout(&self) -> (Layout, u64) {
        (self.layout(), TAG)
    }
    fn begin(&mut self, root: &[u64], window: (i64, i64), table: &Table<W>) -> Result<Option<i64>, Error> {
        self.begin(root, window, None, table)
    }
    fn go_on(
        &mut self,
        _: (i64, i64),
        table: &Table<W>,
        tick: &mut dyn FnMut(u64) -> Result<bool, Error>,
    ) -> Result<Option<i64>, Error> {
        self.go_on(table, tick)
    }
    fn nodes(&self) -> u64 {
        self.nodes
    }
    fn listed(&self) -> u64 {
        self.listed
    }
    fn known(&mut self, key: &[u64], table: &Table<W>) -> Bounds {
        self.known(key, table)
    }
}

impl<'g, const W: usize> Engine<'g, W> for proof_number::Search<'g, W> {
    const NULL_ONLY: bool = true;
    type Layout = proof_number::Numbers;

    fn new(game: &Shared<'g>, helper: u64, memory: &Memory) -> Self {
        proof_number::Search::new(game, helper, memory)
    }
    fn layout(&self) -> (proof_number::Numbers, u64) {
        (proof_number::Numbers, proof_number::QUESTION)
    }
    fn begin(&mut self, root: &[u64], (low, t): (i64, i64), table: &Table<W>) -> Result<Option<i64>, Error> {
        let answer = self.begin(root, t, table)?;
        Ok(answer.map(|yes| if yes { t } else { low }))
    }
    fn go_on(
        &mut self,
        (low, t): (i64, i64),
        table: &Table<W>,
        tick: &mut dyn FnMut(u64) -> Result<bool, Error>,
    ) -> Result<Option<i64>, Error> {
        let answer = self.go_on(table, tick)?;
        Ok(answer.map(|yes| if yes { t } else { low }))
    }
    fn nodes(&self) -> u64 {
        self.nodes
    }
    fn listed(&self) -> u64 {
        self.listed
    }
    fn known(&mut self, key: &[u64], table: &Table<W>) -> Bounds {
        self.known(key, table)
    }
}

/// Looks every so many positions whether a table that may have so many bytes is full.
fn fullness<const W: usize>(table: &Table<W>, bytes: u64) -> impl FnMut(u64) -> bool + '_ {
    let mut next_look = 0;
    move |nodes| {
        let looks = nodes >= next_look;
        if looks {
            next_look = nodes + LOOK;
        }
        looks && table.is_full(bytes)
    }
}

/// A search with its table.
struct Asked<'g, E, const W: usize> {
    game: Shared<'g>,
    settings: Settings,
    memory: Memory,
    search: E,
    table: Table<W>,
    /// Positions that helpers looked at.
    helped: u64,
    bounds: Bounds,
    /// Positions at which it stops.
    limit: Option<u64>,
}

impl<'g, E: Engine<'g, W>, const W: usize> Asked<'g, E, W> {
    fn new(game: &Shared<'g>, settings: Settings, memory: &Memory) -> Result<Self, Error> {
        // Where positions may repeat, what a search meets must not depend on timing.
        let threads = if game.is_acyclic() { settings.threads.max(1) } else { 1 };
        let table = Table::new(settings.bytes.min(SMALL), settings.bytes, memory)?;
        let search = E::new(game, 0, memory);
        let settings = Settings { threads, ..settings };
        let bounds = game.bounds();
        Ok(Asked {
            game: Arc::clone(game),
            settings,
            memory: memory.clone(),
            search,
            table,
            helped: 0,
            bounds,
            limit: None,
        })
    }

    /// The result of a search with a window.
    fn ask(&mut self, key: &[u64], window: (i64, i64), monitor: &mut Monitor) -> Result<i64, Error> {
        if let Some(found) = self.search.begin(key, window, &self.table)? {
            return Ok(found);
        }
        let began = self.search.nodes();
        loop {
            let shared = self.settings.threads > 1 && self.search.nodes() - began >= self.settings.before_helpers;
            let found = match shared {
                true => self.share(key, window, monitor)?,
                false => self.on_this_thread(began, window, monitor)?,
            };
            if let Some(found) = found {
                return Ok(found);
            }
            self.grow();
        }
    }

    /// Makes the table larger where it is full. Where there is no room, it stays as it is.
    fn grow(&mut self) {
        if !self.table.is_full(self.settings.bytes) {
            return;
        }
        let (layout, mask) = self.search.layout();
        if !self.table.grow(self.settings.bytes, mask, &layout) {
            self.settings.bytes = self.table.bytes();
        }
    }

    /// Searches on this thread until the answer is found, helpers should join in or the table is full.
    fn on_this_thread(&mut self, began: u64, window: (i64, i64), monitor: &mut Monitor) -> Result<Option<i64>, Error> {
        let Asked { search, table, settings, helped, limit, .. } = self;
        let helpers = settings.threads > 1;
        let mut is_full = fullness(table, settings.bytes);
        search.go_on(window, table, &mut |nodes| {
            monitor.tick(nodes + *helped, 0)?;
            if limit.is_some_and(|limit| nodes + *helped >= limit) {
                return Err(Error::Dear { positions: nodes + *helped });
            }
            Ok((helpers && nodes - began >= settings.before_helpers) || is_full(nodes))
        })
    }

    /// Searches on all threads until the answer is found or the table is full.
    fn share(&mut self, key: &[u64], window: (i64, i64), monitor: &mut Monitor) -> Result<Option<i64>, Error> {
        let Asked { game, search, table, settings, memory, helped, limit, .. } = self;
        let (game, table, memory) = (&*game, &*table, &*memory);
        let (stop, met, answer) = (AtomicBool::new(false), AtomicU64::new(*helped), Mutex::new(None));
        let found = |value: i64| {
            *answer.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(value);
            stop.store(true, Ordering::Relaxed);
        };
        let help = |number: u64| {
            let _entered = game.enter_thread();
            let mut search = E::new(game, number, memory);
            let mut reported = 0;
            let mut tick = |nodes: u64| {
                if nodes - reported >= LOOK {
                    met.fetch_add(nodes - reported, Ordering::Relaxed);
                    reported = nodes;
                }
                Ok(stop.load(Ordering::Relaxed))
            };
            // What goes wrong for a helper the main thread meets too, or nobody needs to.
            let value = match search.begin(key, window, table) {
                Ok(None) => search.go_on(window, table, &mut tick),
                known => known,
            };
            if let Ok(Some(value)) = value {
                found(value);
            }
        };
        let result = std::thread::scope(|scope| {
            for number in 1..settings.threads as u64 {
                scope.spawn(move || help(number));
            }
            let mut is_full = fullness(table, settings.bytes);
            let result = search.go_on(window, table, &mut |nodes| {
                let all = nodes + met.load(Ordering::Relaxed);
                monitor.tick(all, 0)?;
                if limit.is_some_and(|limit| all >= limit) {
                    return Err(Error::Dear { positions: all });
                }
                Ok(stop.load(Ordering::Relaxed) || is_full(nodes))
            });
            stop.store(true, Ordering::Relaxed);
            result
        });
        *helped = met.load(Ordering::Relaxed);
        let helped = answer.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        Ok(result?.or(helped))
    }

    /// The window of the next question on the way to a value. `steps` were asked before; the last one `rose` the lower bound, or
    /// lowered the upper one.
    fn next_window(&self, steps: u32, rose: bool) -> (i64, i64) {
        let Bounds { low, high } = self.bounds;
        let many = low <= -INFINITE || high == INFINITE || high.saturating_sub(low) > FEW_VALUES;
        if many && !E::NULL_ONLY {
            return (low.max(1 - INFINITE) - 1, high.min(INFINITE - 1) + 1);
        }
        // Won or not is asked first; of a score whether it is above 0, then next to the bound that moved, and after a few
        // steps in the middle.
        let middle = low + (high - low + 1) / 2;
        let t = match steps {
            0 => {
                if high - low <= 2 {
                    high
                } else {
                    0i64.clamp(low + 1, high)
                }
            }
            _ if high - low <= 2 || steps.is_multiple_of(3) => middle,
            _ if rose => low + 1,
            _ => high,
        };
        (t - 1, t)
    }
}

impl<'g, E: Engine<'g, W>, const W: usize> Solver for Asked<'g, E, W> {
    fn at_least(&mut self, key: &[u64], t: i64, monitor: &mut Monitor) -> Result<bool, Error> {
        self.bounds = self.game.bounds();
        if t <= self.bounds.low || t > self.bounds.high {
            return Ok(t <= self.bounds.low);
        }
        let found = self.ask(key, (t - 1, t), monitor)?;
        if found >= t {
            self.bounds.low = found
        } else {
            self.bounds.high = found
        }
        Ok(found >= t)
    }

    fn value(&mut self, key: &[u64], monitor: &mut Monitor) -> Result<i64, Error> {
        self.bounds = self.game.bounds();
        let (mut steps, mut rose) = (0, false);
        loop {
            if let Some(value) = self.bounds.value() {
                return Ok(value);
            }
            let (alpha, beta) = self.next_window(steps, rose);
            let found = self.ask(key, (alpha, beta), monitor)?;
            (steps, rose) = (steps + 1, found >= beta);
            if found > alpha && found < beta {
                self.bounds = Bounds { low: found, high: found };
            } else if found <= alpha {
                self.bounds.high = self.bounds.high.min(found);
            } else {
                self.bounds.low = self.bounds.low.max(found);
            }
        }
    }

    fn known(&mut self, key: &[u64]) -> Bounds {
        self.search.known(key, &self.table)
    }

    fn bounds(&self) -> Bounds {
        self.bounds
    }

    fn nodes(&self) -> u64 {
        self.search.nodes() + self.helped
    }

    fn work(&self) -> u64 {
        self.search.nodes() + self.search.listed()
    }

    fn limit(&mut self, nodes: Option<u64>) {
        self.limit = nodes.map(|nodes| self.nodes() + nodes);
    }

    fn bytes(&self) -> u64 {
        self.table.bytes()
    }
}
