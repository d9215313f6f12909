//! Games written in Rust, searched: the value of the start without the values of all positions.
//!
//! Positions that the search meets get numbers, which are the keys of the search; threads share them. Whether a game counts shows
//! only as it is played: it is taken for one that is won, lost or drawn until a gain is met, and then searched anew.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use engine::Error;
use engine::graph::{Ending, Expansion, Id};
use engine::interner::{Interner, Values as Keys};
use engine::memory::Memory;
use engine::monitor::Monitor;
use game::{Game, Outcome, Verdict};
use search::game::{Bounds, Expander, Options, Shared};
use search::solver::{Settings, Solver as Searcher, Way, solver};
use solve::error::SolveError;

use crate::game_graph::Reader;
use crate::game_moves::{self, RatedGameMove};
use crate::plan::{MethodName, method};

/// The searches, by their names.
pub(crate) const ALPHA_BETA: &str = "alpha_beta";
pub(crate) const PROOF_NUMBER: &str = "proof_number";
/// The table of a search may take this share of the memory, as a divisor. Positions take the rest.
const SHARE: u64 = 2;

/// A game whose positions get numbers as a search meets them.
struct Numbered<'g, G: Game> {
    game: &'g G,
    positions: Mutex<Interner<Keys<G::Position>>>,
    /// Whether it is searched as a game with gains.
    counts: bool,
    /// Whether a gain was met where none was expected.
    has_gains: AtomicBool,
}

impl<'g, G: Game> Numbered<'g, G> {
    fn new(game: &'g G, counts: bool, memory: &Memory) -> Numbered<'g, G> {
        let positions = Mutex::new(Interner::<Keys<G::Position>>::new(memory));
        Numbered { game, positions, counts, has_gains: AtomicBool::new(false) }
    }

    fn positions(&self) -> MutexGuard<'_, Interner<Keys<G::Position>>> {
        self.positions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn number(&self, position: G::Position) -> Result<Id, Error> {
        Ok(self.positions().intern(position)?.0)
    }

    /// What a number of the search is worth.
    fn verdict(&self, value: i64) -> Verdict {
        match self.counts {
            true => Verdict::Score(value),
            false => Verdict::outcome_in(Outcome::of_sign(value), None),
        }
    }
}

impl<'g, G: Game + Sync> search::game::Game<'g> for Numbered<'g, G>
where
    G::Position: Send,
{
    fn words(&self) -> usize {
        1
    }

    fn bounds(&self) -> Bounds {
        if self.counts { Bounds::ANY } else { Bounds::OUTCOME }
    }

    fn expander(self: Arc<Self>) -> Box<dyn Expander + 'g> {
        let reader = Reader::new(self.game, false, false);
        let reader = if self.counts { reader.counting() } else { reader };
        Box::new(Expanding { reader, numbered: self, expansion: Expansion::default() })
    }
}

/// Works out the options of positions, one of the threads of a search.
struct Expanding<'g, G: Game> {
    reader: Reader<'g, G>,
    numbered: Arc<Numbered<'g, G>>,
    expansion: Expansion,
}

impl<G: Game> Expander for Expanding<'_, G> {
    fn expand(&mut self, key: &[u64], options: &mut Options) -> Result<Option<i64>, Error> {
        let Expanding { reader, numbered, expansion } = self;
        let Some(position) = key.first().map(|key| numbered.positions().key(*key as Id).clone()) else {
            return Err(Error::Internal("a position without a number".to_string()));
        };
        expansion.clear();
        reader.read(&position, expansion, &mut |position| numbered.number(position))?;
        if reader.counted && !numbered.counts {
            numbered.has_gains.store(true, Ordering::Relaxed);
            return Err(Error::NotApplicable("gains count in this game".to_string()));
        }
        options.codes.clear();
        options.same.clear();
        options.gains.clear();
        match expansion.end {
            Some(Ending::Outcome(outcome)) => return Ok(Some(outcome.sign())),
            Some(Ending::Score(score)) => return Ok(Some(score)),
            Some(Ending::Payoffs) => return Err(Error::Internal("totals in a game for two".to_string())),
            None => {}
        }
        options.codes.extend(expansion.edges.iter().map(|edge| edge.to as u64));
        options.same.extend(expansion.edges.iter().map(|edge| u8::from(edge.same)));
        if numbered.counts {
            options.gains.extend(expansion.edges.iter().map(|edge| edge.gain));
        }
        Ok(None)
    }
}

/// A game written in Rust whose start was searched. What else it is asked is searched then, within what is left of the limits.
///
/// See [`crate::rust_games`] for an example.
pub struct GameSearch<'g, G: Game> {
    numbered: Arc<Numbered<'g, G>>,
    method: &'static str,
    value: i64,
    search: RefCell<(Box<dyn Searcher + 'g>, Monitor)>,
}

/// Searches the value of the start of a game for two.
pub(crate) fn search_game<'g, G: Game + Sync>(
    game: &'g G,
    asked: Option<MethodName>,
    threads: usize,
    mut monitor: Monitor,
) -> Result<GameSearch<'g, G>, SolveError>
where
    G::Position: Send,
{
    if game.players() != 2 {
        return Err(SolveError::NotApplicable(format!(
            "a search is for two players, and this game has {}",
            game.players()
        )));
    }
    let (method, way) = match asked.is_some_and(|asked| asked.name() == PROOF_NUMBER) {
        true => (PROOF_NUMBER, Way::ProofNumber),
        false => (ALPHA_BETA, Way::AlphaBeta),
    };
    for counts in [false, true] {
        let memory = monitor.memory().clone();
        let numbered = Arc::new(Numbered::new(game, counts, &memory));
        let shared: Shared<'g> = numbered.clone();
        let mut searcher = solver(&shared, way, Settings::new(threads, memory.free() / SHARE), &memory)?;
        let start = u64::from(numbered.number(game.start())?);
        match searcher.value(&[start], &mut monitor) {
            Ok(value) => {
                let search = RefCell::new((searcher, monitor));
                return Ok(GameSearch { numbered, method, value, search });
            }
            Err(_) if numbered.has_gains.load(Ordering::Relaxed) && way == Way::AlphaBeta => {}
            Err(_) if numbered.has_gains.load(Ordering::Relaxed) => {
                let why = format!("the method `{method}` does not apply: it is for games that are won, lost or drawn");
                return Err(SolveError::NotApplicable(why));
            }
            Err(error) => return Err(told(error)),
        }
    }
    Err(SolveError::internal("a game has gains, and has none"))
}

/// What a search says goes wrong.
fn told(error: Error) -> SolveError {
    match error {
        Error::Cycle(cycle) => SolveError::NotApplicable(format!(
            "positions repeat: a cycle of {} moves; a search has no answer then, and a solve of all positions may have",
            cycle.len()
        )),
        error => error.into(),
    }
}

impl<G: Game> GameSearch<'_, G> {
    /// What the start is worth to the player who starts. How long play lasts is not known.
    ///
    /// See [`crate::rust_games`] for an example.
    pub fn value(&self) -> Verdict {
        self.numbered.verdict(self.value)
    }

    /// What a position is worth to the player to move there: any position of the game, searched for as long as it takes.
    ///
    /// See [`crate::rust_games`] for an example.
    pub fn value_of(&self, position: &G::Position) -> Result<Verdict, SolveError> {
        let key = u64::from(self.numbered.number(position.clone())?);
        let (searcher, monitor) = &mut *self.search.borrow_mut();
        Ok(self.numbered.verdict(searcher.value(&[key], monitor).map_err(told)?))
    }

    /// Which search it was.
    ///
    /// See [`crate::rust_games`] for an example.
    pub fn method(&self) -> MethodName {
        method(self.method).expect("the registry has both")
    }

    /// How many positions were looked at so far, some of them several times.
    ///
    /// See [`crate::rust_games`] for an example.
    pub fn positions(&self) -> u64 {
        self.search.borrow().0.nodes()
    }

    /// Every move of a position with what it is worth to its mover, in the game's order; none if the game is over there.
    ///
    /// See [`crate::rust_games`] for an example.
    pub fn moves(&self, position: &G::Position) -> Result<Vec<RatedGameMove<G>>, SolveError> {
        let value = self.value_of(position)?;
        game_moves::rated(self.numbered.game, position, &value, &|option| self.value_of(option).map(Some))
    }

    /// Every move that keeps what the position is worth to its mover, in the game's order; none if the game is over there.
    ///
    /// See [`crate::rust_games`] for an example.
    pub fn best_moves(&self, position: &G::Position) -> Result<Vec<G::Move>, SolveError> {
        Ok(game_moves::best(self.moves(position)?))
    }

    /// One line of best play from a position on, at most `most` moves: each time the first best move. It may be longer than it need be.
    ///
    /// See [`crate::rust_games`] for an example.
    pub fn line(&self, from: &G::Position, most: usize) -> Result<Vec<G::Move>, SolveError> {
        game_moves::line(from, most, &|position| self.moves(position))
    }
}
