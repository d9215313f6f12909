//! What a file declares, checked where compiled code does the solving.
//!
//! The interpreter checks declarations at every position that it visits ([`Audit`]). Compiled code visits millions a second and
//! cannot wait for that. So all positions are met once, beforehand, by compiled options (`Walk`): a measure is compiled too and
//! compared along every move, and the options of a position are compared with those of its image under a symmetry, as codes.
//! Only where these differ, or where codes cannot say, the interpreter looks at the position; its word counts, and its
//! message is the one to show.
//!
//! What is proved from the rules ([`Proved`]) is not looked at. What compares moves with moves (regions) is left to the
//! interpreter, at as many positions as where it solves the game: at all of them first, then at every 64th.
//!
//! Where positions have no codes (rules compiled as they stand, sums, boards that fall apart), the interpreter walks by itself,
//! as far as there is time. The report says where the walk ended. No answer rests on what was not looked at: compiled methods
//! use a declared measure or symmetry only where it was proved from the rules.

use std::collections::VecDeque;
use std::time::Duration;

use engine::Error;
use engine::graph::{Expansion, Graph};
use engine::memory::Lease;
use engine::monitor::Monitor;
use formula::Op;
use jit::{Expanded, Expander, Gains, NodeFn, Options, Successors, compile_node};
use rules::bind::{Bound, Position};
use rustc_hash::FxHashSet;

use crate::audit::{Audit, Proved, REGION_BUDGET};
use crate::compiled::Codec;
use crate::error::SolveError;
use crate::facts::Fact;
use crate::oracle::{Keeps, Numbered, other_to_move};
use crate::parts::Parts;
use crate::remembered::Sampled;
use crate::state::StateGraph;

/// So many positions the interpreter walks, however long that takes.
const MOST: usize = 200;
/// How many positions compiled code walks at the most: a second or two.
const MOST_WALKED: u64 = 1 << 20;
/// The longest that it walks, wherever positions are dear, and the share of the time limit that it takes at the most: the rest
/// is for the answer.
const LONGEST: Duration = Duration::from_secs(3);
const SHARE: u32 = 8;
/// Where the answer does not rest on it and is predicted to take little, a check takes this share of that, but not less than this.
const SHARE_OF_ANSWER: f64 = 0.25;
const SHORTEST: Duration = Duration::from_millis(150);
/// What a code that was met takes, with room to grow.
const CODE_BYTES: u64 = 32;
/// A move whose region is looked at takes so many times what a plain one takes.
const REGION_MOVE: f64 = 2.0;
/// Seconds for an option that is walked over by compiled code.
const WALKED_OPTION: f64 = 50e-9;

/// What a file declares, to be checked at the positions that can be reached from a start.
#[derive(Clone, Copy)]
pub struct Declared<'c, 'b> {
    /// The game.
    pub bound: &'b Bound,
    /// How positions are numbered, where compiled options walk them.
    pub codec: Option<&'c Codec>,
    /// What is proved already.
    pub proved: Proved,
    /// What is kept of gains.
    pub keeps: Keeps,
}

impl Declared<'_, '_> {
    /// Checks it at positions, breadth-first. `None` if the file declares nothing.
    pub fn check(&self, start: &Position, monitor: &mut Monitor) -> Result<Option<Fact>, SolveError> {
        self.check_for(LONGEST, start, monitor)
    }

    /// The check for a time at the most: where the answer takes less than a whole check would.
    pub fn check_for(
        &self,
        longest: Duration,
        start: &Position,
        monitor: &mut Monitor,
    ) -> Result<Option<Fact>, SolveError> {
        let Declared { bound, codec, proved, keeps } = *self;
        let until = end_of_walk(longest, monitor);
        let Some(audit) = Audit::new(bound).map(|audit| audit.beside(proved)) else { return Ok(None) };
        if let Some(all) = proved.all(&bound.program) {
            return Ok(Some(all));
        }
        monitor.enter("checking declarations");
        if bound.program.sum.is_some() {
            let mut parts = Parts::new(bound, keeps, monitor.memory())?;
            *parts.audit_mut() = Some(audit);
            for part in &start.parts {
                parts.number(part)?;
            }
            let all = walk(&mut parts, until, monitor).map_err(|error| parts.placed(error))?;
            return Ok(reported(parts.audit_mut(), all));
        }
        if let Some(codec) = codec
            && let Some(mut walk) = Walk::new(bound, codec, audit, keeps, monitor)
            && let Some(root) = codec.code_of(start)
        {
            walk.run(root, until, monitor)?;
            return Ok(Some(walk.audit.report()));
        }
        let mut graph = StateGraph::new(bound, keeps, true, monitor.memory());
        *graph.audit_mut() = Audit::new(bound).map(|audit| audit.beside(proved));
        graph.number(start)?;
        let all = walk(&mut graph, until, monitor).map_err(|error| graph.placed(bound, error))?;
        Ok(reported(graph.audit_mut(), all))
    }

    /// Why nothing is said of the game if the other player starts: what the file declares does not hold there. `None` if it
    /// does.
    pub fn other_start(&self, start: &Position, monitor: &mut Monitor) -> Result<Option<String>, SolveError> {
        let other = other_to_move(start);
        match self.check(&other, monitor) {
            Ok(_) => Ok(None),
            Err(error @ SolveError::Fault(_)) => Ok(Some(format!("if {} starts: {error}", other.turn))),
            Err(error) => Err(error),
        }
    }
}

/// How long a check may take beside an answer that does not rest on it, and that takes so many seconds, about.
pub fn beside(seconds: Option<f64>) -> Duration {
    let share =
        seconds.map_or(LONGEST, |seconds| Duration::from_secs_f64((seconds * SHARE_OF_ANSWER).clamp(0.0, 60.0)));
    share.clamp(SHORTEST, LONGEST)
}

/// What a check found that met all positions, or not.
fn reported(audit: &mut Option<Audit<'_>>, all: bool) -> Option<Fact> {
    let audit = audit.as_mut()?;
    if !all {
        audit.cut();
    }
    Some(audit.report())
}

/// Seconds that the check takes, about.
pub fn seconds(bound: &Bound, partizan: bool, walks: bool, proved: Proved, sampled: &Sampled) -> f64 {
    let program = &*bound.program;
    let Sampled { sample, pace, interpreted, code, step } = sampled;
    if proved.all(program).is_some() {
        return 0.0;
    }
    let symmetries = if proved.symmetries { 0.0 } else { bound.symmetries.len() as f64 };
    let measures = f64::from(u8::from(program.measure.is_some() && !proved.measure));
    let starts = if partizan { 2.0 } else { 1.0 };
    // A few moves of each position are compared with all, for both players, until the budget of the audit is spent.
    let moves = 2.0 * sample.options * (1.0 + 2.0 * sample.options.min(MOST as f64));
    let regions = (sample.positions.min(MOST as f64) * moves).min(REGION_BUDGET as f64) * REGION_MOVE * step;
    let regions = if program.regions.is_empty() || proved.regions { 0.0 } else { regions };
    let asked = symmetries + measures + regions > 0.0 || program.estimate.is_some();
    if !asked {
        return 0.0;
    }
    let each = match (interpreted, code) {
        (true, _) | (_, None) => pace * (measures + 2.0 * symmetries),
        (false, Some(code)) if walks => {
            code * (1.0 + symmetries) + sample.options * WALKED_OPTION * (1.0 + measures + symmetries)
        }
        (false, Some(_)) => sample.options * step * (1.0 + measures + 2.0 * symmetries),
    };
    starts * (regions + sample.positions.min(MOST_WALKED as f64) * each).min(LONGEST.as_secs_f64())
}

/// When a walk that began now is to end: the rest of the time is for the answer.
fn end_of_walk(longest: Duration, monitor: &Monitor) -> Duration {
    monitor.elapsed() + monitor.time_left().map_or(longest, |left| longest.min(left / SHARE))
}

/// Has the interpreter walk positions in the order in which they are met, as far as there is memory and time for it. Whether
/// these were all.
fn walk(graph: &mut dyn Graph, until: Duration, monitor: &mut Monitor) -> Result<bool, Error> {
    let mut expansion = Expansion::default();
    let least = monitor.memory().free() / 2;
    let mut next = 0;
    while next < graph.len() {
        let is_long = monitor.elapsed() >= until || monitor.memory().free() < least;
        if next >= MOST_WALKED as usize || (next >= MOST && is_long) {
            return Ok(false);
        }
        monitor.tick(graph.len() as u64, 0)?;
        let expanded = graph.expand(next as u32, &mut expansion);
        expanded.map_err(|error| error.after(graph.len() as u64))?;
        next += 1;
    }
    Ok(true)
}

/// A walk through all positions by compiled options.
struct Walk<'c, 'b> {
    bound: &'b Bound,
    codec: &'c Codec,
    expander: Expander,
    /// The measure, and whether it goes wrong.
    measure: Option<(NodeFn, NodeFn)>,
    audit: Audit<'b>,
    here: Options,
    there: Options,
    /// Scratch: cells of a position, and of its image.
    cells: (Vec<i64>, Vec<i64>),
    visited: FxHashSet<u64>,
    lease: Lease,
    /// No more is kept than this many bytes.
    most: u64,
}

/// What compiled code says of a position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    /// All that is declared holds there.
    Holds,
    /// The interpreter has to look.
    Ask,
}

impl<'c, 'b> Walk<'c, 'b> {
    /// `None` if what is declared cannot be compiled.
    fn new(
        bound: &'b Bound,
        codec: &'c Codec,
        audit: Audit<'b>,
        keeps: Keeps,
        monitor: &Monitor,
    ) -> Option<Walk<'c, 'b>> {
        let coded = codec.coded();
        let gains = if keeps == Keeps::Outcome { Gains::Outcome } else { Gains::All };
        let measure = match &coded.formulas.measure {
            None => None,
            Some(_) if !audit.asks_measure() => None,
            Some((measure, fault)) => {
                // Where codes do not tell whose turn it is, a measure must not ask.
                let has_turn = coded.numbering.turn.is_some() || coded.mover.is_some();
                let asks = |node| coded.reads(node, &|op| matches!(op, Op::Mover));
                if !has_turn && (asks(*measure) || asks(*fault)) {
                    return None;
                }
                Some((compile_node(coded, *measure).ok()?, compile_node(coded, *fault).ok()?))
            }
        };
        if measure.is_none() && audit.asks_measure() {
            return None;
        }
        let lowest: Vec<i64> = coded.formulas.cells.iter().map(|range| range.low).collect();
        Some(Walk {
            bound,
            codec,
            expander: Expander::compile(coded, gains).ok()?,
            measure,
            audit,
            here: Options::default(),
            there: Options::default(),
            cells: (lowest.clone(), lowest),
            visited: FxHashSet::default(),
            lease: monitor.memory().lease(),
            most: monitor.memory().free() / 2,
        })
    }

    /// Meets every position from a root on, as far as there is memory and time for it.
    fn run(&mut self, root: u64, until: Duration, monitor: &mut Monitor) -> Result<(), SolveError> {
        let mut open = VecDeque::from([root]);
        self.visited.insert(root);
        let mut checked = 0u64;
        while let Some(code) = open.pop_front() {
            monitor.tick(self.visited.len() as u64, checked)?;
            let is_late = checked.is_multiple_of(64) && checked > 0 && monitor.elapsed() >= until;
            if checked >= MOST_WALKED || is_late {
                self.audit.cut();
                break;
            }
            let regions = self.audit.regions_are_due();
            let expanded = self.expander.expand(code, &mut self.here);
            let found = match expanded {
                _ if regions => Look::Ask,
                // The method that solves the game says what goes wrong.
                Expanded::Fault => Look::Holds,
                Expanded::End => self.look_at_end(code),
                Expanded::Options => self.look(code),
            };
            if found == Look::Ask {
                self.ask(code)?;
            }
            checked += 1;
            self.audit.count(checked);
            if expanded != Expanded::Options {
                continue;
            }
            for at in 0..self.here.codes.len() {
                let option = self.here.codes[at];
                if self.visited.contains(&option) {
                    continue;
                }
                if self.lease.bytes() < self.most {
                    self.visited.insert(option);
                    open.push_back(option);
                } else {
                    self.audit.cut();
                }
            }
            self.lease.resize((self.visited.len() as u64 * CODE_BYTES).min(self.most))?;
        }
        Ok(())
    }

    /// Has the interpreter look at a position.
    fn ask(&mut self, code: u64) -> Result<(), SolveError> {
        let Some(position) = self.codec.position(code) else { return Ok(()) };
        let mut cells = &position.parts[0][..];
        if self.bound.layout.cells() == 0 {
            cells = &[];
        }
        Ok(self.audit.look(cells, position.turn)?)
    }

    /// What can only be worked out by the interpreter.
    fn estimated(&self) -> Look {
        if self.bound.program.estimate.is_some() { Look::Ask } else { Look::Holds }
    }

    /// Compares a position where play is over, and its images: they end, with the same result.
    fn look_at_end(&mut self, code: u64) -> Look {
        let holds = (0..self.audit.symmetries()).all(|index| {
            let Some(image) = self.image(index, code) else { return false };
            self.expander.expand(image, &mut self.there) == Expanded::End && self.there.gains == self.here.gains
        });
        if holds { self.estimated() } else { Look::Ask }
    }

    /// Compares the position, whose options are at hand.
    fn look(&mut self, code: u64) -> Look {
        if self.estimated() == Look::Ask {
            return Look::Ask;
        }
        if let Some((measure, fault)) = &self.measure {
            let value = |code: u64| measure.value(code).filter(|_| fault.value(code) == Some(0));
            let Some(before) = value(code) else { return Look::Ask };
            if !self.here.codes.iter().all(|&option| value(option).is_some_and(|after| after < before)) {
                return Look::Ask;
            }
        }
        for index in 0..self.audit.symmetries() {
            if self.symmetry(index, code).is_none() {
                return Look::Ask;
            }
        }
        Look::Holds
    }

    /// `None` unless the options of the image are the images of the options.
    fn symmetry(&mut self, index: usize, code: u64) -> Option<()> {
        let image = self.image(index, code)?;
        if image == code && self.here.codes.is_empty() {
            return Some(());
        }
        // The image may be no position that was proved to be one: then its code may mean another.
        let (here, there) = (self.codec.position(code)?, self.codec.position(image)?);
        let mut mapped = here.parts[0].to_vec();
        self.bound.symmetries[index].apply(&self.bound.layout, &here.parts[0], &mut mapped);
        (*there.parts[0] == *mapped && there.turn == here.turn).then_some(())?;
        (self.expander.expand(image, &mut self.there) == Expanded::Options).then_some(())?;
        let codes = std::mem::take(&mut self.here.codes);
        let images: Option<Vec<u64>> = codes.iter().map(|&option| self.image(index, option)).collect();
        self.here.codes = codes;
        let ours = sorted(&images?, &self.here);
        let theirs = sorted(&self.there.codes, &self.there);
        (ours == theirs).then_some(())
    }

    /// The code of the image of a position that can be reached; `None` if a cell leaves its domain, or codes do not tell.
    fn image(&mut self, index: usize, code: u64) -> Option<u64> {
        let coded = self.codec.coded();
        if coded.skew.is_some() {
            return None;
        }
        let (cells, mapped) = &mut self.cells;
        let turn = coded.numbering.decode(code, coded.formulas.players, cells);
        if !coded.derived.is_empty() {
            cells.copy_from_slice(&self.codec.position(code)?.parts[0]);
        }
        mapped.copy_from_slice(cells);
        self.bound.symmetries[index].apply(&self.bound.layout, cells, mapped);
        let inside = mapped.iter().zip(&coded.formulas.cells).all(|(cell, range)| range.contains(*cell));
        inside.then(|| coded.numbering.code(mapped, turn))
    }
}

/// Options under these codes, in order and each once.
fn sorted<'o>(codes: &[u64], options: &'o Options) -> Vec<(u64, u8, &'o [i64])> {
    let width = options.gains.len().checked_div(codes.len()).unwrap_or(0);
    let gains = |at: usize| &options.gains[at * width..(at + 1) * width];
    let numbered = codes.iter().zip(&options.same).enumerate();
    let mut all: Vec<(u64, u8, &[i64])> = numbered.map(|(at, (&code, &same))| (code, same, gains(at))).collect();
    all.sort_unstable();
    all.dedup();
    all
}
