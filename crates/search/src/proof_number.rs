//! Proof-number search, depth first (df-pn): for questions with the answers yes and no.
//!
//! The question at a position is whether its value is at least `t`, for the player to move. It is proved if it is for one
//! option, and disproved if it is for all. Where the turn passes, the option is asked whether its value is at least `1 − t`
//! (values are −1, 0 and 1), and what proves one disproves the other. A *proof number* says how many positions must still be proved for
//! a yes, about, and a disproof number how many for a no. The search goes where the least is missing, and stays there until
//! another place has become better by a quarter (1 + ε), so that it does not run to and fro.
//!
//! Where positions can be reached in many ways, sums count them many times and grow without bounds. The disproof number of
//! a position is therefore that of its hardest option, and one more for every other that is open.
//!
//! As in [`crate::alpha_beta`] the path is a stack of our own. Numbers of options are kept on the path, so that the search ends
//! however little the table remembers.

use std::sync::Arc;

use engine::Error;
use engine::memory::{Lease, Memory};
use rustc_hash::FxHashSet;

use crate::game::{Bounds, Expander, OPEN, Options, Shared, hash, padded};
use crate::room::{Path, make_room};
use crate::table::{Rule, Table};

/// The number of what cannot be proved.
const NEVER: u32 = (1 << 28) - 1;

/// How much is missing for a yes, and for a no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Missing {
    yes: u32,
    no: u32,
}

impl Missing {
    const UNKNOWN: Missing = Missing { yes: 1, no: 1 };

    fn answered(yes: bool) -> Missing {
        if yes { Missing { yes: 0, no: NEVER } } else { Missing { yes: NEVER, no: 0 } }
    }

    /// As seen by the other player.
    fn turned(self, same: bool) -> Missing {
        if same { self } else { Missing { yes: self.no, no: self.yes } }
    }

    fn answer(self) -> Option<bool> {
        match self {
            Missing { yes: 0, .. } => Some(true),
            Missing { no: 0, .. } => Some(false),
            _ => None,
        }
    }

    fn reaches(self, limit: Missing) -> bool {
        self.yes >= limit.yes || self.no >= limit.no
    }
}

/// How numbers lie in a word of the table.
///
/// ```text
/// 63       36 35        8 7    2 1       0
/// ┌──────────┬───────────┬──────┬────┬────┐
/// │   yes    │    no     │ work │ t  │ 1  │
/// └──────────┴───────────┴──────┴────┴────┘
/// ```
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers;

/// Entries of different questions are kept apart.
pub(crate) const QUESTION: u64 = 0b11;

impl Numbers {
    fn pack(missing: Missing, work: u64, tag: u64) -> u64 {
        u64::from(missing.yes) << 36 | u64::from(missing.no) << 8 | u64::from(work.max(1).ilog2()) << 2 | tag
    }

    fn unpack(data: u64) -> Missing {
        Missing { yes: (data >> 36) as u32, no: (data >> 8) as u32 & NEVER }
    }
}

impl Rule for Numbers {
    fn work(&self, data: u64) -> u64 {
        // What is answered once and for all is kept before what is not.
        let answered = u64::from(Numbers::unpack(data).answer().is_some());
        (data >> 2 & 63) + 2 * answered
    }

    fn merge(&self, old: u64, new: u64) -> u64 {
        let (kept, work) = (Numbers::unpack(old), (old >> 2 & 63).max(new >> 2 & 63));
        let missing = if kept.answer().is_some() { kept } else { Numbers::unpack(new) };
        Numbers::pack(missing, 1 << work.min(62), new & QUESTION)
    }
}

/// One position on the path.
#[derive(Clone, Debug)]
struct Frame<const W: usize> {
    key: [u64; W],
    folded: [u64; W],
    hash: u64,
    /// The question: whether the value is at least this.
    t: i64,
    /// The position is left when as much is missing.
    limit: Missing,
    first: usize,
    /// The option that is looked at.
    at: usize,
    nodes: u64,
}

/// One option of a position on the path.
#[derive(Clone, Debug)]
struct Choice<const W: usize> {
    key: [u64; W],
    same: bool,
    /// What is missing, seen by who moves to it.
    missing: Missing,
}

/// A search that can be left and taken up again.
pub(crate) struct Search<'g, const W: usize> {
    expander: Box<dyn Expander + 'g>,
    words: usize,
    frames: Vec<Frame<W>>,
    arena: Vec<Choice<W>>,
    options: Options,
    ends: Vec<i64>,
    path: Path<W>,
    /// Helpers prefer others among equals.
    helper: u64,
    pub nodes: u64,
    /// Options that were listed.
    pub listed: u64,
    lease: Lease,
}

impl<'g, const W: usize> Search<'g, W> {
    /// A search of a game; helpers have a number above 0.
    pub fn new(game: &Shared<'g>, helper: u64, memory: &Memory) -> Search<'g, W> {
        Search {
            expander: Arc::clone(game).expander(),
            words: game.words(),
            frames: Vec::new(),
            arena: Vec::new(),
            options: Options::default(),
            ends: Vec::new(),
            path: (!game.is_acyclic()).then(FxHashSet::default),
            helper,
            nodes: 0,
            listed: 0,
            lease: memory.lease(),
        }
    }

    /// What the table knows of a position.
    pub fn known(&mut self, key: &[u64], table: &Table<W>) -> Bounds {
        let (folded, hash) = self.folded(&padded(key));
        let mut bounds = Bounds::OUTCOME;
        for t in [0, 1] {
            match look_up(&folded, hash, t, table).and_then(Missing::answer) {
                Some(true) => bounds.low = bounds.low.max(t),
                Some(false) => bounds.high = bounds.high.min(t - 1),
                None => {}
            }
        }
        bounds
    }

    /// Starts anew: is the root's value at least `t`? `Some` where that is known at once.
    pub fn begin(&mut self, root: &[u64], t: i64, table: &Table<W>) -> Result<Option<bool>, Error> {
        self.frames.clear();
        self.arena.clear();
        if let Some(path) = &mut self.path {
            path.clear();
        }
        if !(0..=1).contains(&t) {
            // Values are −1, 0 and 1.
            return Ok(Some(t < 0));
        }
        let found = self.enter(padded(root), t, Missing { yes: NEVER, no: NEVER }, table)?;
        Ok(found.and_then(Missing::answer))
    }

    /// Goes on until the question is answered. `tick` is called for every position; where it says so, the search is left.
    pub fn go_on(
        &mut self,
        table: &Table<W>,
        tick: &mut dyn FnMut(u64) -> Result<bool, Error>,
    ) -> Result<Option<bool>, Error> {
        loop {
            if tick(self.nodes)? {
                return Ok(None);
            }
            let Some(frame) = self.frames.last_mut() else {
                return Err(Error::Internal("a search without a root".to_string()));
            };
            let (missing, at, rival, open) = summary(&self.arena[frame.first..], self.helper);
            if missing.reaches(frame.limit) || missing.answer().is_some() {
                self.leave(missing, table);
                if self.frames.is_empty() {
                    return match missing.answer() {
                        Some(answer) => Ok(Some(answer)),
                        None => Err(Error::Internal("proof numbers ran out of range".to_string())),
                    };
                }
                self.give(missing);
                continue;
            }
            frame.at = frame.first + at;
            let limit = Missing {
                yes: frame.limit.yes.min(rival.saturating_add(rival / 4).saturating_add(1)),
                no: (frame.limit.no - (open - 1).min(frame.limit.no)).max(self.arena[frame.at].missing.no + 1),
            };
            let limit = Missing { yes: limit.yes.min(NEVER), no: limit.no.min(NEVER) };
            let Choice { key, same, .. } = self.arena[frame.at];
            let t = if same { frame.t } else { 1 - frame.t };
            if let Some(found) = self.enter(key, t, limit.turned(same), table)? {
                self.give(found);
            }
        }
    }

    /// Takes in what is missing at the option that was looked at, seen by who moves there.
    fn give(&mut self, found: Missing) {
        if let Some(frame) = self.frames.last() {
            let choice = &mut self.arena[frame.at];
            choice.missing = found.turned(choice.same);
        }
    }

    /// Looks at a position: what is missing there if that reaches the limit, else it is put on the path.
    fn enter(&mut self, key: [u64; W], t: i64, limit: Missing, table: &Table<W>) -> Result<Option<Missing>, Error> {
        let (folded, hash) = self.folded(&key);
        if let Some(known) = look_up(&folded, hash, t, table)
            && (known.answer().is_some() || known.reaches(limit))
        {
            return Ok(Some(known));
        }
        if self.path.as_ref().is_some_and(|path| path.contains(&key)) {
            return Err(Error::Cycle(self.cycle(&key)));
        }
        self.nodes += 1;
        if let Some(value) = self.expander.expand(&key[..self.words], &mut self.options)? {
            return Ok(Some(Missing::answered(value >= t)));
        }
        let first = self.arena.len();
        if let Some(answer) = self.list(&key, t, table)? {
            self.arena.truncate(first);
            return Ok(Some(Missing::answered(answer)));
        }
        if let Some(path) = &mut self.path {
            path.insert(key);
        }
        self.frames.push(Frame { key, folded, hash, t, limit, first, at: first, nodes: self.nodes });
        Ok(None)
    }

    fn folded(&mut self, key: &[u64; W]) -> ([u64; W], u64) {
        let mut folded = *key;
        self.expander.fold(&mut folded[..self.words]);
        (folded, hash(&folded))
    }

    /// Puts the options that were worked out into the arena; the answer where one of them gives it at once.
    fn list(&mut self, key: &[u64; W], t: i64, table: &Table<W>) -> Result<Option<bool>, Error> {
        let number = self.options.same.len();
        self.listed += number as u64;
        make_room(&mut self.frames, &mut self.arena, &mut self.path, number, &mut self.lease)?;
        self.ends.clear();
        let is_looked_at = self.expander.ends(&key[..self.words], &self.options, &mut self.ends)?;
        if !is_looked_at {
            self.ends.clear();
        }
        for at in 0..number {
            let to: [u64; W] = padded(&self.options.codes[at * self.words..][..self.words]);
            let same = self.options.same[at] != 0;
            let t = if same { t } else { 1 - t };
            let end = self.ends.get(at).copied().unwrap_or(OPEN);
            let missing = if end != OPEN {
                self.nodes += 1;
                Missing::answered(end >= t)
            } else {
                let (folded, hash) = self.folded(&to);
                table.prefetch(hash);
                let won = if is_looked_at { self.expander.look(&to[..self.words])? } else { None };
                match won {
                    Some(value) => Missing::answered(value >= t),
                    None => look_up(&folded, hash, t, table).unwrap_or(Missing::UNKNOWN),
                }
            };
            let missing = missing.turned(same);
            if missing.yes == 0 {
                return Ok(Some(true));
            }
            self.arena.push(Choice { key: to, same, missing });
        }
        Ok(None)
    }

    /// Takes the last position from the path and keeps what is missing there.
    fn leave(&mut self, missing: Missing, table: &Table<W>) {
        let Some(frame) = self.frames.pop() else { return };
        if let Some(path) = &mut self.path {
            path.remove(&frame.key);
        }
        let data = Numbers::pack(missing, self.nodes - frame.nodes + 1, tag(frame.t));
        table.put(frame.hash, &frame.folded, data, QUESTION, &Numbers);
        self.arena.truncate(frame.first);
    }

    fn cycle(&self, key: &[u64; W]) -> Vec<u64> {
        let from = self.frames.iter().position(|frame| frame.key == *key).unwrap_or(0);
        self.frames[from..].iter().flat_map(|frame| frame.key[..self.words].to_vec()).collect()
    }
}

/// The tag of a question, 0 or 1.
fn tag(t: i64) -> u64 {
    1 | (t as u64 & 1) << 1
}

fn look_up<const W: usize>(folded: &[u64; W], hash: u64, t: i64, table: &Table<W>) -> Option<Missing> {
    table.get(hash, folded, QUESTION, tag(t)).map(Numbers::unpack)
}

/// What is missing at a position with these options; the option to look at, what the next best misses for a yes, and how many
/// are not disproved.
fn summary<const W: usize>(choices: &[Choice<W>], helper: u64) -> (Missing, usize, u32, u32) {
    let (mut best, mut least, mut rival) = (0, Missing { yes: NEVER, no: NEVER }, NEVER);
    let (mut hardest, mut open) = (0, 0u32);
    let shift = (helper as usize * 7) % choices.len().max(1);
    for step in 0..choices.len() {
        let at = (step + shift) % choices.len();
        let missing = choices[at].missing;
        if missing.no > 0 {
            open += 1;
            hardest = hardest.max(missing.no);
        }
        if (missing.yes, missing.no) < (least.yes, least.no) {
            rival = rival.min(least.yes);
            (best, least) = (at, missing);
        } else {
            rival = rival.min(missing.yes);
        }
    }
    if open == 0 {
        return (Missing::answered(false), best, NEVER, 0);
    }
    let missing = match least.yes {
        0 => Missing::answered(true),
        yes => Missing { yes, no: (hardest + open - 1).min(NEVER - 1) },
    };
    (missing, best, rival, open)
}
