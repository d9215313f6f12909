//! Positions of a rules file as a search sees them: keys, and options from compiled code or the interpreter.
//!
//! | what runs the rules | a key is |
//! |---|---|
//! | masks | planes of the cells of few values, and the turn where it matters |
//! | compiled formulas | the code of the position |
//! | rules compiled as they stand | the variables packed into a few words, and the turn where it matters |
//! | the interpreter | the same |
//!
//! Where code leaves a position alone, the interpreter works out its options, whatever the key is.

use std::any::Any;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use engine::graph::{Ending, Expansion};
use engine::monitor::Monitor;
use engine::{Error, Limit};
use formula::group::Group;
use game::Player;
use game::codes::{Expanded, Successors};
use jit::program::{Rules, Scratch, Stop};
use masks::{Judge, Look, Masks, Undecided};
use rules::bind::{Bound, Position};
use rules::interpreter::Interpreter;
use rules::stop::{Inherited, inherit};
use search::game::{Bounds, Expander, Game, MOST_WORDS, Options, Sifted};

use crate::compiled::Codec;
use crate::error::{SolveError, Stuck};
use crate::facts::Kind;
use crate::oracle::{Keeps, Oracle};
use crate::repeats;
use crate::state::Keys;

/// What works out options.
pub enum Source {
    /// Masks of planes.
    Masks(Arc<Masks>),
    /// Compiled options of codes.
    Codes {
        /// How positions are numbered.
        codec: Codec,
        /// The options of a code.
        code: Arc<dyn Successors + Send>,
        /// Symmetries by which one position stands for several.
        group: Option<Group>,
    },
    /// Rules compiled as they stand.
    Program(Arc<Rules>),
    /// The interpreter.
    Interpreted(Keys),
}

/// When one position is left half worked out.
#[derive(Clone, Default)]
struct Limits {
    stop: Stop,
    time: Option<Duration>,
    /// The scope of the thread that searches, for those that help.
    scope: Option<Arc<Inherited>>,
}

/// A game for searches.
pub struct RulesGame<'b> {
    /// The game.
    pub bound: &'b Bound,
    keeps: Keeps,
    source: Source,
    /// Says how the game ends where masks only look it up: the game, run by other code.
    judge: Option<Arc<RulesGame<'b>>>,
    bounds: Bounds,
    is_acyclic: bool,
    limits: Mutex<Limits>,
    /// What is wrong with the rules, where a search met [`Error::Fault`].
    fault: Mutex<Option<SolveError>>,
}

impl<'b> RulesGame<'b> {
    /// A game whose options come from a source, and whose values are within bounds.
    pub fn new(bound: &'b Bound, keeps: Keeps, source: Source, bounds: Bounds, is_acyclic: bool) -> RulesGame<'b> {
        let (limits, fault) = (Mutex::default(), Mutex::default());
        RulesGame { bound, keeps, source, judge: None, bounds, is_acyclic, limits, fault }
    }

    /// With another game that is asked how the game ends.
    pub fn with_judge(self, judge: RulesGame<'b>) -> RulesGame<'b> {
        RulesGame { judge: Some(Arc::new(judge)), ..self }
    }

    /// From now on a position that takes long is left when the monitor's time is up or its flag is set.
    pub fn watch(&self, monitor: &Monitor) {
        let deadline = monitor.time_left().and_then(|left| std::time::Instant::now().checked_add(left));
        let stop = Stop { flag: Some(Arc::clone(monitor.cancel())), deadline };
        let scope = Some(Arc::new(inherit()));
        *self.limits.lock().unwrap_or_else(PoisonError::into_inner) =
            Limits { stop, time: monitor.time_limit(), scope };
        self.judge.iter().for_each(|judge| judge.watch(monitor));
    }

    /// Whether gains count.
    pub fn is_scored(&self) -> bool {
        self.keeps == Keeps::Score
    }

    /// The key of a position; `None` if it is outside what was proved of all positions.
    pub fn key(&self, position: &Position) -> Option<Vec<u64>> {
        let cells = position.parts.first().map_or(&[][..], |part| part);
        match &self.source {
            Source::Masks(masks) => masks.key(cells, position.turn.index()),
            Source::Codes { codec, .. } => Some(vec![codec.code_of(position)?]),
            Source::Program(rules) => {
                let mut key = vec![0; rules.words()];
                rules.key(cells, position.turn, &mut key);
                Some(key)
            }
            Source::Interpreted(keys) => {
                let mut key = vec![0; self.words()];
                keys.pack(self.bound, cells, position.turn, &mut key[..keys.words()]);
                Some(key)
            }
        }
    }

    /// The position of a key.
    pub fn position(&self, key: &[u64]) -> Option<Position> {
        let (cells, turn) = match &self.source {
            Source::Masks(masks) => {
                let (cells, turn) = masks.position(key);
                (cells, Player(turn as u8))
            }
            Source::Codes { codec, .. } => return codec.position(key[0]),
            Source::Program(rules) => {
                let mut cells = vec![0; self.bound.layout.cells()];
                let turn = rules.position(key, &mut cells)?;
                (cells, turn)
            }
            Source::Interpreted(keys) => keys.unpack(self.bound, &key[..keys.words()]),
        };
        Some(Position { parts: vec![cells.into_boxed_slice()], turn })
    }

    /// What is wrong with the rules, where a search met [`Error::Fault`].
    pub fn fault(&self) -> Option<SolveError> {
        let own = self.fault.lock().unwrap_or_else(PoisonError::into_inner).clone();
        own.or_else(|| self.judge.as_ref()?.fault())
    }

    fn keep_fault(&self, fault: SolveError) {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(fault);
    }
}

impl<'b> Game<'b> for RulesGame<'b> {
    fn words(&self) -> usize {
        match &self.source {
            Source::Masks(masks) => masks.words(),
            Source::Codes { .. } => 1,
            Source::Program(rules) => rules.words(),
            // A position that says nothing still has a key.
            Source::Interpreted(keys) => keys.words().max(1),
        }
    }

    fn bounds(&self) -> Bounds {
        self.bounds
    }

    fn is_acyclic(&self) -> bool {
        self.is_acyclic
    }

    fn enter_thread(&self) -> Option<Box<dyn Any>> {
        let scope = self.limits.lock().unwrap_or_else(PoisonError::into_inner).scope.clone();
        Some(Box::new(scope?.enter()?))
    }

    fn expander(self: Arc<Self>) -> Box<dyn Expander + 'b> {
        let limits = self.limits.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let scratch = match &self.source {
            Source::Program(rules) => {
                let mut scratch = rules.scratch();
                scratch.stop = limits.stop.clone();
                Some(scratch)
            }
            _ => None,
        };
        let rules = |game: Arc<RulesGame<'b>>| {
            let oracle = Oracle::new(game.bound, game.keeps, None);
            RulesOptions { oracle, guesser: None, scratch, limits, game }
        };
        if let Source::Masks(masks) = &self.source {
            let (masks, won) = (Arc::clone(masks), self.bounds.high);
            let judge = Judging::new(&masks, self.judge.clone());
            let (look, looked) = (Look::with_most(won), ([0; MOST_WORDS], 0));
            return Box::new(MaskOptions { masks, won, look, looked, judge, options: rules(self) });
        }
        Box::new(rules(self))
    }
}

/// Works out options, on one thread.
struct RulesOptions<'b> {
    game: Arc<RulesGame<'b>>,
    oracle: Oracle<'b>,
    guesser: Option<Interpreter<'b>>,
    scratch: Option<Scratch>,
    limits: Limits,
}

impl RulesOptions<'_> {
    /// Has the interpreter work out the options of a position.
    fn interpreted(&mut self, key: &[u64], out: &mut Options) -> Result<Option<i64>, Error> {
        let (game, oracle) = (&*self.game, &mut self.oracle);
        let outside = || Error::Internal("a key is none of a position".to_string());
        let position = game.position(key).ok_or_else(outside)?;
        let cells = position.parts.first().map_or(&[][..], |part| part);
        let mut into = Expansion { mover: position.turn, ..Expansion::default() };
        let Options { codes, same, gains } = out;
        codes.clear();
        same.clear();
        gains.clear();
        let expanded = oracle.expand(cells, &mut into, &mut |cells, turn| {
            match &game.source {
                Source::Masks(masks) => codes.extend(masks.key(cells, turn.index()).ok_or_else(outside)?),
                Source::Codes { codec, .. } => codes.push(codec.code(cells, turn).ok_or_else(outside)?),
                Source::Program(rules) => {
                    let begin = codes.len();
                    codes.resize(begin + rules.words(), 0);
                    rules.key(cells, turn, &mut codes[begin..]);
                }
                Source::Interpreted(keys) => {
                    let begin = codes.len();
                    codes.resize(begin + game.words(), 0);
                    keys.pack(game.bound, cells, turn, &mut codes[begin..begin + keys.words()]);
                }
            }
            Ok(0)
        });
        if let Err(error) = expanded {
            match oracle.fault() {
                Some(fault) => game.keep_fault(fault.clone().into()),
                None if error == Error::Overflow => game.keep_fault(SolveError::overflow(game.bound, &position)),
                None => {}
            }
            return Err(error);
        }
        if let Some(end) = into.end {
            return Ok(Some(match end {
                Ending::Outcome(outcome) => outcome.sign(),
                Ending::Score(score) => score,
                Ending::Payoffs => return Err(Error::Internal("an end of another kind".to_string())),
            }));
        }
        same.extend(into.edges.iter().map(|edge| u8::from(edge.same)));
        if game.is_scored() {
            gains.extend(into.edges.iter().map(|edge| edge.gain));
        }
        Ok(None)
    }

    /// Why code left a position half worked out.
    fn stopped(&self) -> Error {
        let set = self.limits.stop.flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
        match (set, self.limits.time) {
            (false, Some(limit)) => Error::Limit { limit: Limit::Time { limit }, positions: 0 },
            _ => Error::Interrupted { positions: 0 },
        }
    }
}

impl Expander for RulesOptions<'_> {
    fn expand(&mut self, key: &[u64], out: &mut Options) -> Result<Option<i64>, Error> {
        let found = match (&self.game.source, &mut self.scratch) {
            (Source::Codes { code, .. }, _) => code.expand(key[0], out),
            (Source::Program(rules), Some(scratch)) => {
                let found = rules.expand(key, scratch);
                if found == Expanded::Fault && scratch.stopped {
                    return Err(self.stopped());
                }
                std::mem::swap(&mut scratch.options, out);
                found
            }
            _ => Expanded::Fault,
        };
        match (found, out.gains.first()) {
            (Expanded::Options, _) => Ok(None),
            (Expanded::End, Some(&first)) if self.game.is_scored() => Ok(Some(first)),
            (Expanded::End, Some(first)) => Ok(Some(first.signum())),
            (Expanded::End, None) | (Expanded::Fault, _) => self.interpreted(key, out),
        }
    }

    fn fold(&mut self, key: &mut [u64]) {
        if let Source::Codes { group: Some(group), .. } = &self.game.source {
            key[0] = group.canonical(key[0]);
        }
    }

    fn estimate(&mut self, key: &[u64]) -> Result<i64, Error> {
        let Some(position) = self.game.position(key) else { return Ok(0) };
        let bound = self.game.bound;
        let guesser = self.guesser.get_or_insert_with(|| Interpreter::new(bound));
        let cells = position.parts.first().map_or(&[][..], |part| part);
        let guess = guesser.estimate(cells, position.turn);
        match guess {
            Ok(guess) => Ok(guess.unwrap_or(0)),
            Err(fault) => {
                self.game.keep_fault(fault.into());
                Err(Error::Fault(0))
            }
        }
    }
}

/// Asks other code how the game ends, on one thread.
struct Judging<'b> {
    masks: Arc<Masks>,
    game: Option<(Arc<RulesGame<'b>>, Box<dyn Expander + 'b>)>,
    options: Options,
    /// Why nothing was found out.
    error: Option<Error>,
}

impl<'b> Judging<'b> {
    fn new(masks: &Arc<Masks>, game: Option<Arc<RulesGame<'b>>>) -> Judging<'b> {
        let game = game.map(|game| (Arc::clone(&game), game.expander()));
        Judging { masks: Arc::clone(masks), game, options: Options::default(), error: None }
    }

    fn asked(&mut self, key: &[u64]) -> Result<Option<i64>, Error> {
        let outside = || Error::Internal("masks ask about a position that has no key".to_string());
        let (game, expander) = self.game.as_mut().ok_or_else(outside)?;
        let (cells, turn) = self.masks.position(key);
        let position = Position { parts: vec![cells.into_boxed_slice()], turn: Player(turn as u8) };
        expander.expand(&game.key(&position).ok_or_else(outside)?, &mut self.options)
    }

    /// The error that a judge left behind.
    fn error(&mut self, Undecided: Undecided) -> Error {
        self.error.take().unwrap_or_else(|| Error::Internal("nobody says how the game ends".to_string()))
    }
}

impl Judge for Judging<'_> {
    fn end(&mut self, key: &[u64]) -> Result<Option<i64>, Undecided> {
        self.asked(key).map_err(|error| {
            self.error = Some(error);
            Undecided
        })
    }
}

/// Works out options by masks, on one thread.
struct MaskOptions<'b> {
    masks: Arc<Masks>,
    /// The most that a position is worth.
    won: i64,
    look: Look,
    /// The position that was looked at, if all its moves were: its key, and how many words that has.
    looked: ([u64; MOST_WORDS], usize),
    judge: Judging<'b>,
    /// What guesses.
    options: RulesOptions<'b>,
}

impl MaskOptions<'_> {
    /// Looks at a position, unless that was just done.
    fn look_at(&mut self, key: &[u64]) -> Result<(), Error> {
        // Keys are of a few words: a call would take longer than the comparison.
        let (looked, words) = &self.looked;
        if *words != key.len() || !looked.iter().zip(key).all(|(looked, word)| looked == word) {
            self.look_up_to(i64::MAX, key)?;
        }
        Ok(())
    }

    /// Looks at a position, up to a move that is worth so much at once.
    fn look_up_to(&mut self, won: i64, key: &[u64]) -> Result<Option<i64>, Error> {
        let (looked, words) = &mut self.looked;
        *words = 0;
        let found = self.masks.look(key, won, &mut self.look, &mut self.judge);
        let found = found.map_err(|undecided| self.judge.error(undecided))?;
        if found.is_none() {
            looked.iter_mut().zip(key).for_each(|(looked, word)| *looked = *word);
            *words = key.len();
        }
        Ok(found)
    }
}

impl Expander for MaskOptions<'_> {
    fn expand(&mut self, key: &[u64], out: &mut Options) -> Result<Option<i64>, Error> {
        let end = self.masks.is_over(key, &mut self.look, &mut self.judge);
        match end.map_err(|undecided| self.judge.error(undecided))? {
            Some(value) => Ok(Some(value)),
            None => self.expand_open(key, out),
        }
    }

    fn expand_open(&mut self, key: &[u64], out: &mut Options) -> Result<Option<i64>, Error> {
        self.look_at(key)?;
        Ok(self.masks.options(key, self.options.game.is_scored(), &mut self.look, out))
    }

    fn look(&mut self, key: &[u64]) -> Result<Option<i64>, Error> {
        self.look_up_to(self.won, key)
    }

    fn sift(&mut self, key: &[u64], into: &mut Sifted) -> Result<bool, Error> {
        if !self.masks.sifts() {
            return Ok(false);
        }
        self.look_at(key)?;
        Ok(self.masks.sift(key, &self.look, into))
    }

    fn most(&mut self, key: &[u64]) -> Option<i64> {
        self.masks.most(key)
    }

    fn orders_itself(&self) -> bool {
        self.masks.orders_moves()
    }

    fn fold(&mut self, key: &mut [u64]) {
        self.masks.fold(key);
    }

    fn hints(&mut self, key: &[u64], _: &Options, into: &mut Vec<i32>) {
        // What cannot be seen is said when the position is searched.
        match self.look_at(key) {
            Ok(()) => self.masks.hints(&mut self.look, into),
            Err(_) => self.looked.1 = 0,
        }
    }

    fn ends(&mut self, key: &[u64], _: &Options, into: &mut Vec<i64>) -> Result<bool, Error> {
        if !self.masks.tells_ends() {
            return Ok(false);
        }
        self.look_at(key)?;
        into.extend_from_slice(self.masks.ends(&mut self.look));
        Ok(true)
    }

    fn estimate(&mut self, key: &[u64]) -> Result<i64, Error> {
        self.options.estimate(key)
    }
}

/// An error of a search, with the position it is about. Where positions repeat, another engine may do.
pub fn placed(error: Error, game: &RulesGame<'_>, keeps: Keeps) -> Stuck {
    match error {
        Error::Cycle(words) => {
            let keys = words.chunks(Game::words(game));
            let cycle: Vec<Position> = keys.filter_map(|key| game.position(key)).collect();
            let same = |a: &Position, b: &Position| game.key(a) == game.key(b);
            let shown = repeats::describe_positions(game.bound, &cycle, cycle.len(), &same);
            match keeps {
                Keeps::Outcome => Stuck::Cycle(shown),
                _ => repeats::refuse(game.bound, Kind::Score, cycle.len(), &shown).into(),
            }
        }
        Error::Fault(_) => match game.fault() {
            Some(fault) => fault.into(),
            None => Stuck::Code("a position could not be worked out".to_string()),
        },
        Error::Overflow => Stuck::Overflow(game.fault().unwrap_or(SolveError::Overflow)),
        error => error.into(),
    }
}
