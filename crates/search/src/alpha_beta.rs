//! Alpha-beta in its negamax form, with a table of transpositions and null windows.
//!
//! The contract, with the true value `v` of a position and a window `alpha < beta`; the result `r` is
//!
//! ```text
//! r <= alpha          v <= r          (it fails low: r is an upper bound)
//! alpha < r < beta    v == r
//! beta <= r           v >= r          (it fails high: r is a lower bound)
//! ```
//!
//! The path from the root lies on a stack of our own, so that no game is too deep, and so that a search can be left and taken up
//! again. Every option but the first is first searched with a window of one, and again where it turns out better.
//! A [`Horizon`] cuts a search off so many moves ahead; what is found so is kept apart in the table by a tag.

use std::sync::Arc;

use engine::Error;
use engine::memory::{Lease, Memory};
use rustc_hash::FxHashSet;

use crate::game::{Bounds, Expander, INFINITE, OPEN, Options, Shared, Sifted, hash, padded, window, worth};
use crate::order::{Hint, NONE, Order, id};
use crate::room::{Path, make_room};
use crate::table::Table;
use crate::word::{Layout, MOVE, TAG};

/// Where average work below a depth is more than this, all options are looked up before one is searched.
const WORTH_LOOKING: u64 = 24;
/// Depths beyond this share what is known of the work below them.
const PLIES: usize = 512;
/// No hint counts more.
const MOST_HINT: i32 = 1 << 27;
/// Limits are looked at every so many positions.
const TICK: u64 = 8;
/// Up to so many options are picked one by one; more are sorted at once.
const FEW: usize = 40;

/// What a search cut off by a horizon takes positions there to be worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// The least there is for the player who moves at the root.
    Least,
    /// The most.
    Most,
    /// What the game guesses.
    Estimate,
}

/// How far a search looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Horizon {
    /// So many moves.
    pub moves: u32,
    /// What comes after them.
    pub leaf: Leaf,
}

/// One position on the path.
#[derive(Clone, Debug)]
struct Frame<const W: usize> {
    key: [u64; W],
    /// The key by which the table knows it, and its hash.
    folded: [u64; W],
    hash: u64,
    /// The window that is left, and where it began.
    alpha: i64,
    beta: i64,
    begin: i64,
    /// What the table knew.
    known: Bounds,
    /// The best so far; an upper bound where it is not above `begin`.
    best: i64,
    best_move: usize,
    /// Its options in the arena: those before `next` were looked at.
    first: usize,
    next: usize,
    /// Whether its options were looked at for ends: those that are left are open.
    is_looked_at: bool,
    /// Whether the option that is being searched has a window of one and may have to be searched again.
    is_null: bool,
    /// The move that led here.
    before: u16,
    /// Whether the player who moved at the root moves here.
    own: bool,
    /// How many nodes there were when it was met.
    nodes: u64,
}

/// One option of a position on the path.
#[derive(Clone, Debug)]
struct Choice<const W: usize> {
    key: [u64; W],
    gain: i64,
    score: i32,
    /// Its place among the options.
    number: u32,
    id: u16,
    same: bool,
}

/// How a position was reached.
#[derive(Clone, Copy)]
struct Arrival {
    /// The move that led there.
    before: u16,
    /// Whether the player who moved at the root moves there.
    own: bool,
    /// Whether no rule ends the game there.
    is_open: bool,
}

impl Arrival {
    fn by<const W: usize>(frame: &Frame<W>, choice: &Choice<W>) -> Arrival {
        Arrival { before: choice.id, own: frame.own == choice.same, is_open: frame.is_looked_at }
    }
}

/// What a search does next.
enum Step {
    /// A position has this value, or bound.
    Found(i64),
    /// A position was put on the path.
    Entered,
}

/// A search that can be left and taken up again.
pub(crate) struct Search<'g, const W: usize> {
    expander: Box<dyn Expander + 'g>,
    words: usize,
    layout: Layout,
    order: Order,
    /// Whether anything is learned about the order of moves.
    learns: bool,
    frames: Vec<Frame<W>>,
    arena: Vec<Choice<W>>,
    options: Options,
    sifted: Sifted,
    ends: Vec<i64>,
    hints: Vec<i32>,
    /// The positions on the path, where they may repeat.
    path: Path<W>,
    horizon: Option<Horizon>,
    /// Whether the table is used at all, and whether windows are.
    pub with_table: bool,
    pub with_cuts: bool,
    /// Positions that were looked at.
    pub nodes: u64,
    /// Options that were listed.
    pub listed: u64,
    /// About how many are looked at below each depth.
    work: Vec<u64>,
    lease: Lease,
}

impl<'g, const W: usize> Search<'g, W> {
    /// A search of a game; helpers have a number above 0.
    pub fn new(game: &Shared<'g>, helper: u64, memory: &Memory) -> Search<'g, W> {
        let expander = Arc::clone(game).expander();
        let learns = !expander.orders_itself();
        Search {
            expander,
            words: game.words(),
            layout: Layout::new(game.bounds()),
            order: Order::new(helper),
            frames: Vec::new(),
            arena: Vec::new(),
            learns,
            options: Options::default(),
            sifted: Sifted::default(),
            ends: Vec::new(),
            hints: Vec::new(),
            path: (!game.is_acyclic()).then(FxHashSet::default),
            horizon: None,
            with_table: true,
            with_cuts: true,
            nodes: 0,
            listed: 0,
            work: vec![WORTH_LOOKING; PLIES],
            lease: memory.lease(),
        }
    }

    /// How data lie in the table.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// What the table knows of a position.
    pub fn known(&mut self, key: &[u64], table: &Table<W>) -> Bounds {
        let mut folded = padded(key);
        self.expander.fold(&mut folded[..self.words]);
        let data = table.get(hash(&folded), &folded, TAG, 0);
        data.map_or(self.layout.bounds, |data| self.layout.bounds_of(data))
    }

    /// Starts anew from a root; `Some` where its value is known at once.
    pub fn begin(
        &mut self,
        root: &[u64],
        (alpha, beta): (i64, i64),
        horizon: Option<Horizon>,
        table: &Table<W>,
    ) -> Result<Option<i64>, Error> {
        debug_assert!(alpha < beta);
        self.frames.clear();
        self.arena.clear();
        if let Some(path) = &mut self.path {
            path.clear();
        }
        self.horizon = horizon;
        match self.enter(padded(root), (alpha, beta), Arrival { before: NONE, own: true, is_open: false }, table)? {
            Step::Found(value) => Ok(Some(value)),
            Step::Entered => Ok(None),
        }
    }

    /// Goes on until the value is found. `tick` is called every few positions; where it says so, the search is left.
    pub fn go_on(
        &mut self,
        table: &Table<W>,
        tick: &mut dyn FnMut(u64) -> Result<bool, Error>,
    ) -> Result<Option<i64>, Error> {
        let mut next_tick = 0;
        loop {
            if self.nodes >= next_tick {
                if tick(self.nodes)? {
                    return Ok(None);
                }
                next_tick = self.nodes + TICK;
            }
            let Some(mut found) = self.descend(table)? else { continue };
            // Values go up the path until an option is left to look at.
            loop {
                if self.frames.is_empty() {
                    return Ok(Some(found));
                }
                match self.take(found, table)? {
                    Some(Step::Found(value)) => found = value,
                    Some(Step::Entered) | None => break,
                }
            }
        }
    }

    /// Looks at the next option of the last position on the path; what that position is worth if none is left.
    fn descend(&mut self, table: &Table<W>) -> Result<Option<i64>, Error> {
        loop {
            let end = self.arena.len();
            let Some(frame) = self.frames.last_mut() else {
                return Err(Error::Internal("a search without a root".to_string()));
            };
            if frame.next == end || (self.with_cuts && frame.best >= frame.beta) {
                return Ok(Some(self.leave(table)));
            }
            pick(&mut self.arena[frame.next..]);
            let choice = &self.arena[frame.next];
            let first = frame.next == frame.first && frame.best == -INFINITE;
            frame.is_null =
                self.with_cuts && !first && frame.alpha > -INFINITE && frame.beta > frame.alpha.saturating_add(1);
            let beta = if frame.is_null { frame.alpha.saturating_add(1) } else { frame.beta };
            let limits = if self.with_cuts { (frame.alpha, beta) } else { (-INFINITE, INFINITE) };
            let window = window_of(self.horizon, choice, limits)?;
            let (key, arrival) = (choice.key, Arrival::by(frame, choice));
            match self.enter(key, window, arrival, table)? {
                Step::Entered => return Ok(None),
                Step::Found(value) => {
                    if let Some(Step::Entered) = self.take(value, table)? {
                        return Ok(None);
                    }
                }
            }
        }
    }

    /// Takes in what the option that was searched last is worth to who moves there. `Some` if it is searched again.
    fn take(&mut self, value: i64, table: &Table<W>) -> Result<Option<Step>, Error> {
        let Some(frame) = self.frames.last_mut() else { return Ok(None) };
        let choice = &self.arena[frame.next];
        let value = match self.horizon {
            // What lies beyond the horizon may be anything, and a guess is no proof.
            Some(Horizon { leaf, .. }) if value.abs() == INFINITE || leaf == Leaf::Estimate => {
                Bounds { low: value, high: value }.before(choice.gain, choice.same).low
            }
            _ => worth(choice.gain, choice.same, value)?,
        };
        if frame.is_null && value > frame.alpha && value < frame.beta {
            frame.is_null = false;
            let window = window_of(self.horizon, choice, (value - 1, frame.beta))?;
            let (key, arrival) = (choice.key, Arrival::by(frame, choice));
            return match self.enter(key, window, arrival, table)? {
                Step::Entered => Ok(Some(Step::Entered)),
                Step::Found(value) => self.take(value, table),
            };
        }
        if value > frame.best {
            frame.best = value;
            frame.best_move = choice.number as usize;
        }
        frame.alpha = frame.alpha.max(value);
        frame.next += 1;
        Ok(None)
    }

    /// The tag of a position so many moves below the root.
    fn tag(&self, ply: usize, own: bool) -> Option<u64> {
        let Some(Horizon { moves, leaf }) = self.horizon else { return Some(0) };
        let left = u64::from(moves).saturating_sub(ply as u64);
        // Guesses do not depend on who moved at the root, and are kept in a table of their own.
        let kind = match leaf {
            Leaf::Least => u64::from(own),
            Leaf::Most => 2 + u64::from(own),
            Leaf::Estimate => 0,
        };
        let tag = 1 + 4 * left + kind;
        (tag <= TAG).then_some(tag)
    }

    /// Looks at a position: its value may be known at once, else it is put on the path.
    fn enter(
        &mut self,
        key: [u64; W],
        (mut alpha, mut beta): (i64, i64),
        arrival: Arrival,
        table: &Table<W>,
    ) -> Result<Step, Error> {
        self.nodes += 1;
        let Arrival { before, own, is_open } = arrival;
        let ply = self.frames.len();
        let (folded, hash) = self.folded(&key);
        if is_open && self.with_cuts && self.horizon.is_none() {
            table.prefetch(hash);
            if let Some(value) = self.expander.look(&key[..self.words])? {
                return Ok(Step::Found(value));
            }
        }
        let tag = self.tag(ply, own).filter(|_| self.with_table);
        let data = tag.and_then(|tag| table.get(hash, &folded, TAG, tag));
        let mut known = data.map_or(self.layout.bounds, |data| self.layout.bounds_of(data));
        if self.with_cuts
            && self.horizon.is_none()
            && let Some(most) = self.expander.most(&key[..self.words])
        {
            known = Bounds { low: known.low.max(-most), high: known.high.min(most) };
        }
        if known.low >= beta || known.low == known.high {
            return Ok(Step::Found(known.low));
        }
        if known.high <= alpha {
            return Ok(Step::Found(known.high));
        }
        if self.path.as_ref().is_some_and(|path| path.contains(&key)) {
            return Err(Error::Cycle(self.cycle(&key)));
        }
        let is_plain = is_open && self.with_cuts && self.horizon.is_none();
        let is_sifted = is_plain && self.expander.sift(&key[..self.words], &mut self.sifted)?;
        if !is_sifted && let Some(value) = self.expand(&key, is_open)? {
            return Ok(Step::Found(value));
        }
        if let Some(value) = self.horizon.filter(|horizon| ply as u64 >= u64::from(horizon.moves)) {
            return Ok(Step::Found(self.leaf(&key, own, value.leaf)?));
        }
        (alpha, beta) = (alpha.max(known.low), beta.min(known.high));
        let first = self.arena.len();
        let hint = data.map(Layout::move_of).unwrap_or(MOVE as usize);
        let (begin, best, best_move) = (alpha, -INFINITE, MOVE as usize);
        let (next, is_looked_at, is_null, nodes) = (first, false, false, self.nodes);
        #[rustfmt::skip]
        let mut frame = Frame {
            key, folded, hash, alpha, beta, begin, known, best, best_move, first, next, is_looked_at, is_null, before, own, nodes,
        };
        let is_done = if is_sifted { self.list_sifted(&mut frame, hint)? } else { self.list(&mut frame, hint)? };
        if is_done {
            self.arena.truncate(first);
            return Ok(Step::Found(frame.best));
        }
        if self.is_worth_looking(ply) {
            self.look_up(&mut frame, table)?;
        }
        if let Some(path) = &mut self.path {
            path.insert(key);
        }
        self.frames.push(frame);
        Ok(Step::Entered)
    }

    /// The key by which the table knows a position, and its hash.
    fn folded(&mut self, key: &[u64; W]) -> ([u64; W], u64) {
        let mut folded = *key;
        self.expander.fold(&mut folded[..self.words]);
        (folded, hash(&folded))
    }

    /// Works out the options of a position; what it is worth if it has none.
    fn expand(&mut self, key: &[u64; W], is_open: bool) -> Result<Option<i64>, Error> {
        match is_open {
            true => self.expander.expand_open(&key[..self.words], &mut self.options),
            false => self.expander.expand(&key[..self.words], &mut self.options),
        }
    }

    /// Whether the options of a position at such a depth are looked up before one is searched.
    fn is_worth_looking(&self, ply: usize) -> bool {
        let is_plain = self.with_table && self.with_cuts && self.horizon.is_none();
        is_plain && self.work[(ply + 1).min(PLIES - 1)] >= WORTH_LOOKING
    }

    /// What a position beyond the horizon is taken to be worth to who moves there.
    fn leaf(&mut self, key: &[u64; W], own: bool, leaf: Leaf) -> Result<i64, Error> {
        let Bounds { low, high } = self.layout.bounds;
        Ok(match (leaf, own) {
            (Leaf::Least, true) | (Leaf::Most, false) => low,
            (Leaf::Most, true) | (Leaf::Least, false) => high,
            (Leaf::Estimate, _) => self.expander.estimate(&key[..self.words])?.clamp(1 - INFINITE, INFINITE - 1),
        })
    }

    /// Puts the options that were worked out into the arena. What is known at once of an option is taken in instead: it need not be
    /// searched. Whether one of these is good enough, or no other is left.
    fn list(&mut self, frame: &mut Frame<W>, hint: usize) -> Result<bool, Error> {
        let options = self.options.same.len();
        self.listed += options as u64;
        make_room(&mut self.frames, &mut self.arena, &mut self.path, options, &mut self.lease)?;
        if self.options.gains.iter().any(|gain| !(-INFINITE..INFINITE).contains(gain)) {
            return Err(Error::Overflow);
        }
        self.ends.clear();
        self.hints.clear();
        if self.with_cuts {
            let key = &frame.key[..self.words];
            frame.is_looked_at = self.expander.ends(key, &self.options, &mut self.ends)?;
            self.expander.hints(key, &self.options, &mut self.hints);
        }
        let (ply, learns) = (self.frames.len(), self.learns);
        let Options { codes, same, gains } = &self.options;
        for (number, (code, &same)) in codes.chunks_exact(self.words).zip(same).enumerate() {
            let (gain, same) = (gains.get(number).copied().unwrap_or(0), same != 0);
            if frame.is_looked_at
                && let Some(&end) = self.ends.get(number).filter(|end| **end != OPEN)
            {
                let value = worth(gain, same, end)?;
                if value > frame.best {
                    (frame.best, frame.best_move) = (value, number);
                }
                continue;
            }
            let to = padded(code);
            let id = if learns { id(&frame.key, &to) } else { NONE };
            let said = self.hints.get(number).copied().unwrap_or(0).clamp(-MOST_HINT, MOST_HINT);
            let score = match (number == hint, learns) {
                (true, _) => i32::MAX,
                (false, true) => self.order.score(ply, frame.before, Hint { id, gain, same }) + said,
                (false, false) => self.order.blur(said),
            };
            self.arena.push(Choice { key: to, gain, score, number: number as u32, id, same });
        }
        frame.alpha = frame.alpha.max(frame.best);
        Ok(self.with_cuts && (frame.best >= frame.beta || self.arena.len() == frame.first))
    }

    /// Lists the options of a position that masks have sifted already.
    fn list_sifted(&mut self, frame: &mut Frame<W>, hint: usize) -> Result<bool, Error> {
        let Sifted { keys, moves, best } = &self.sifted;
        self.listed += moves.len() as u64;
        make_room(&mut self.frames, &mut self.arena, &mut self.path, moves.len(), &mut self.lease)?;
        frame.is_looked_at = true;
        if let Some((value, number)) = *best {
            (frame.best, frame.best_move) = (value, number as usize);
        }
        frame.alpha = frame.alpha.max(frame.best);
        if frame.best >= frame.beta || moves.is_empty() {
            return Ok(true);
        }
        let ply = self.frames.len();
        for (key, &(number, said)) in keys.chunks_exact(self.words).zip(moves) {
            let to = padded(key);
            let id = if self.learns { id(&frame.key, &to) } else { NONE };
            let score = match (number as usize == hint, self.learns) {
                (true, _) => i32::MAX,
                (false, true) => self.order.score(ply, frame.before, Hint { id, gain: 0, same: false }) + said,
                (false, false) => self.order.blur(said),
            };
            self.arena.push(Choice { key: to, gain: 0, score, number, id, same: false });
        }
        Ok(false)
    }

    /// Looks all options up in the table before one is searched: one may be good enough, and others too bad to be searched.
    fn look_up(&mut self, frame: &mut Frame<W>, table: &Table<W>) -> Result<(), Error> {
        let mut hashes = [(0u64, [0u64; W]); FEW];
        let number = self.arena.len() - frame.first;
        if !(2..=FEW).contains(&number) {
            return Ok(());
        }
        for (at, choice) in self.arena[frame.first..].iter().enumerate() {
            let mut folded = choice.key;
            self.expander.fold(&mut folded[..self.words]);
            hashes[at] = (hash(&folded), folded);
            table.prefetch(hashes[at].0);
        }
        for at in (0..number).rev() {
            let (hash, folded) = &hashes[at];
            let Some(data) = table.get(*hash, folded, TAG, 0) else { continue };
            let found = self.layout.bounds_of(data);
            let choice = &self.arena[frame.first + at];
            let Bounds { low, high } = found.before(choice.gain, choice.same);
            if low >= frame.beta {
                (frame.best, frame.best_move) = (low, choice.number as usize);
                return Ok(());
            }
            if high <= frame.alpha {
                if high > frame.best {
                    (frame.best, frame.best_move) = (high, choice.number as usize);
                }
                self.arena.swap_remove(frame.first + at);
            }
        }
        Ok(())
    }

    /// Takes the last position from the path and keeps what was found of it.
    fn leave(&mut self, table: &Table<W>) -> i64 {
        let Some(frame) = self.frames.pop() else { return 0 };
        let ply = self.frames.len();
        if let Some(path) = &mut self.path {
            path.remove(&frame.key);
        }
        let work = self.nodes - frame.nodes + 1;
        let average = &mut self.work[ply.min(PLIES - 1)];
        *average = (*average * 15 + work.min(1 << 40)) / 16;
        let known = frame.known;
        let cut = frame.best >= frame.beta;
        let mut found = known;
        if cut {
            found.low = found.low.max(frame.best);
            let last = self.arena.get(frame.next.saturating_sub(1));
            if let Some(choice) = last.filter(|_| self.learns && frame.next > frame.first) {
                self.order.cut(ply, frame.before, choice.id);
                for missed in &self.arena[frame.first..frame.next - 1] {
                    self.order.miss(missed.id);
                }
            }
        } else if frame.best <= frame.begin {
            // All options are at most that: it is an upper bound, and no less than what was known before.
            found.high = found.high.min(frame.best.max(known.low));
        } else {
            found = Bounds { low: frame.best, high: frame.best };
        }
        if self.with_table
            && let Some(tag) = self.tag(ply, frame.own)
        {
            let data = self.layout.pack(found, frame.best_move, work, tag);
            table.put(frame.hash, &frame.folded, data, TAG, &self.layout);
        }
        self.arena.truncate(frame.first);
        // The window was narrowed to what was known: a result beyond it is that bound.
        frame.best.clamp(found.low.min(found.high), found.high.max(found.low))
    }

    /// The positions of a cycle that closes with a position: the first words of their keys. The solver tells the rest.
    fn cycle(&self, key: &[u64; W]) -> Vec<u64> {
        let from = self.frames.iter().position(|frame| frame.key == *key).unwrap_or(0);
        self.frames[from..].iter().flat_map(|frame| frame.key[..self.words].to_vec()).collect()
    }
}

/// The window of an option. A search with a horizon takes the ends of the numbers for what is not known: where a bound would go
/// beyond them, nothing could be told.
#[inline]
fn window_of<const W: usize>(
    horizon: Option<Horizon>,
    choice: &Choice<W>,
    limits: (i64, i64),
) -> Result<(i64, i64), Error> {
    let fits = |bound: i64| {
        let shifted = bound.checked_sub(choice.gain);
        bound.abs() == INFINITE || shifted.is_some_and(|shifted| shifted.unsigned_abs() < INFINITE.unsigned_abs())
    };
    if horizon.is_some_and(|horizon| horizon.leaf != Leaf::Estimate) && !(fits(limits.0) && fits(limits.1)) {
        return Err(Error::Overflow);
    }
    Ok(window(choice.gain, choice.same, limits))
}

/// Puts the option that is looked at next in front. Many options are sorted once: then the first is in place already.
#[inline]
fn pick<const W: usize>(choices: &mut [Choice<W>]) {
    if choices.len() > FEW {
        if choices.windows(2).take(FEW).any(|pair| pair[0].score < pair[1].score) {
            choices.sort_by_key(|choice| std::cmp::Reverse(choice.score));
        }
        return;
    }
    let mut best = 0;
    for at in 1..choices.len() {
        if choices[at].score > choices[best].score {
            best = at;
        }
    }
    choices.swap(0, best);
}
