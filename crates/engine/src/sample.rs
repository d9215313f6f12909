//! A sample of what play meets: about how many positions there are, how many options they have, and how much work one is.
//!
//! First the positions are met breadth-first, within a budget: if that meets them all, they are counted. Else two herds go
//! on from the last whole level, independent of one another. From level to level a herd keeps some of the options of its
//! positions, chosen at random. How many options both herds meet says how many there are: if each meets a tenth of a level,
//! they share a tenth of what they meet. Where a level is too large for the herds to share any, its size is carried on
//! from the levels before, by the options a position has and the ways that lead to one.
//!
//! A position may stand on several levels. What a herd meets on one level is therefore looked for on all levels of the other.
//! Where play comes back to the same positions again and again, levels mean nothing, and all that either herd met is
//! compared at once.
//!
//! Play may go on beyond the last level that herds may come to. Then one play is followed further: where it ends, what was met
//! is carried on as far as that. Where it does not, most positions there can be are taken to be met.
//!
//! Positions that few ways lead to are met less often than others, so that small herds find too few. Herds are therefore made
//! as large as a small share of the time of the whole game allows. And what was met once or twice says how many there are at the
//! least, whatever else there is (`twice`).

use std::time::Instant;

use game::Random;
use rustc_hash::FxHashSet;

use crate::error::{Error, Limit};
use crate::graph::{Expansion, Graph, Id};
use crate::memory::{Lease, Memory};
use crate::monitor::{Monitor, Stopwatch};

use estimate::{Estimate, LARGEST, Level, SET_BYTES, estimate};
use twice::Meetings;

mod estimate;
mod twice;

/// What play meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// How many positions can be reached, about.
    pub positions: f64,
    /// Whether they were all met and counted.
    pub is_exact: bool,
    /// Options of a position, on average.
    pub options: f64,
    /// Steps of the rules that a position took, on average; 0 where nobody counts them.
    pub steps: f64,
    /// The longest play that was met.
    pub depth: usize,
    /// Whether a play came back to a position: then positions repeat. If not, they still may.
    pub repeats: bool,
}

/// How much work a sample may be: options looked at.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// For the breadth-first look.
    pub whole: u64,
    /// For the herds at first; where the solve will take long, up to `most` is spent.
    pub herds: u64,
    /// For the herds at the most.
    pub most: u64,
    /// Seconds, at the most.
    pub seconds: f64,
    /// How many positions there can be at the most.
    pub places: u64,
}

/// A breadth-first look that is nearly through goes on for so many times what it may take: herds would take as long, and what
/// is known of all positions is worth more.
const NEARLY: u64 = 5;
/// Play is thin where so few positions stand on a level after a long look; and where there can be so many times as many
/// positions as were met, most of them are perhaps never met.
const THIN: usize = 64;
const MANY_TIMES: u64 = 32;
/// A herd has at least so many positions, else its way is a matter of luck.
const SMALLEST: usize = 16;
/// Herds grow by this factor from run to run.
const GROWTH: u64 = 4;
/// Larger herds are worth their time as long as the whole game takes so many times as long, and where enough is shared so many.
const WORTH: f64 = 40.0;
const WELL_WORTH: f64 = 100.0;
/// Plays are not followed any longer than this.
const LONGEST: usize = 20_000;
/// Nor plays at random, which only say how many levels there are.
const LONGEST_PLAYOUT: usize = 1000;
/// Behind the last level of herds, one play is followed so much further. If it does not end, there are taken to be up to so many
/// times as many positions as were met.
const FURTHER: usize = 50_000;
const UP_TO: f64 = 1000.0;

/// Samples what can be reached from the roots, which have numbers already.
pub fn sample(graph: &mut dyn Graph, roots: usize, budget: Budget, monitor: &mut Monitor) -> Result<Sample, Error> {
    let mut sampler = Sampler::new(graph, roots, budget, monitor.memory());
    match sampler.breadth_first(monitor)? {
        Some(last) => sampler.beyond(last, monitor),
        None => Ok(sampler.counted()),
    }
}

/// Counts what can be reached, as far as an allowance goes, and goes on with another one.
pub struct Count<'g>(Sampler<'g>);

/// How much work a count may be. It is work that counts, not time, so that what comes of it does not depend on what else the
/// machine does; seconds are for positions that are out of all proportion.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// Work since the start, see [`Count::work`].
    pub work: u64,
    /// Seconds from now on.
    pub seconds: f64,
    /// Whether to stop as soon as what is known to be left would take more than is allowed.
    pub despairs: bool,
}

/// A look ends when what it holds is more than this share of what is free: tables double when they grow.
const MEMORY: u64 = 3;

/// Steps that numbering an option takes.
const NUMBERING: u64 = 8;

impl<'g> Count<'g> {
    /// Nothing but the roots is counted yet, which have numbers already.
    pub fn new(graph: &'g mut dyn Graph, roots: usize, memory: &Memory) -> Count<'g> {
        let none = Budget { whole: 0, herds: 0, most: 0, seconds: 0.0, places: u64::MAX };
        Count(Sampler::new(graph, roots, none, memory))
    }

    /// Counts on as far as an allowance goes; `None` if that is not all.
    pub fn go_on(&mut self, allowance: Allowance, monitor: &mut Monitor) -> Result<Option<Sample>, Error> {
        self.0.began = Clock::start();
        (self.0.budget.whole, self.0.budget.seconds) = (u64::MAX, allowance.seconds);
        self.0.allowance = Some(allowance);
        let rest = self.0.breadth_first(monitor);
        self.0.allowance = None;
        Ok(rest?.is_none().then(|| self.0.counted()))
    }

    /// Goes on with what a budget has left for a sample.
    pub fn sample(mut self, budget: Budget, monitor: &mut Monitor) -> Result<Sample, Error> {
        self.0.began = Clock::start();
        self.0.budget = budget;
        match self.0.breadth_first(monitor)? {
            Some(last) => self.0.beyond(last, monitor),
            None => Ok(self.0.counted()),
        }
    }

    /// Work so far: steps of the rules, and of numbering what they lead to.
    pub fn work(&self) -> u64 {
        self.0.work()
    }

    /// Options of a position so far, on average.
    pub fn mean_options(&self) -> f64 {
        self.0.mean_options()
    }

    /// Steps of a position so far, on average.
    pub fn mean_steps(&self) -> f64 {
        self.0.mean_steps()
    }
}

/// The last level of the breadth-first look: the numbers of its positions, and its depth.
struct Whole {
    level: std::ops::Range<usize>,
    depth: usize,
}

struct Sampler<'g> {
    graph: &'g mut dyn Graph,
    budget: Budget,
    memory: Memory,
    /// What was in use before.
    held: u64,
    expansion: Expansion,
    random: Random,
    expanded: u64,
    options: u64,
    /// Steps of the graph before the first of these.
    steps_before: u64,
    depth: usize,
    repeats: bool,
    /// A position of the last level that herds came to, where play goes on from there.
    beyond: Option<Id>,
    /// How often herds met positions.
    meetings: Meetings,
    began: Clock,
    /// The level that is met breadth-first, and the next position of it.
    level: std::ops::Range<usize>,
    next: usize,
    /// What a count may take, where this is one.
    allowance: Option<Allowance>,
}

impl<'g> Sampler<'g> {
    fn new(graph: &'g mut dyn Graph, roots: usize, budget: Budget, memory: &Memory) -> Sampler<'g> {
        Sampler {
            graph,
            budget,
            memory: memory.clone(),
            held: memory.used(),
            expansion: Expansion::default(),
            random: Random::new(1),
            expanded: 0,
            options: 0,
            steps_before: 0,
            depth: 0,
            repeats: false,
            beyond: None,
            meetings: Meetings::new(memory),
            began: Clock::start(),
            level: 0..roots,
            next: 0,
            allowance: None,
        }
    }

    fn mean_options(&self) -> f64 {
        self.options as f64 / self.expanded.max(1) as f64
    }

    fn mean_steps(&self) -> f64 {
        (self.graph.steps() - self.steps_before) as f64 / self.expanded.max(1) as f64
    }

    fn work(&self) -> u64 {
        self.graph.steps() + NUMBERING * (self.options + self.expanded)
    }

    /// Whether a count has used up what it may take, or will have before it is through.
    fn is_spent(&self) -> bool {
        let Some(Allowance { work, despairs, .. }) = self.allowance else { return false };
        let spent = self.work();
        let known = (self.graph.len() - self.next) as f64 * spent as f64 / self.expanded.max(1) as f64;
        // What comes late has mostly fewer options.
        spent > work || (despairs && self.expanded > 0 && spent as f64 + 0.5 * known > work as f64)
    }

    /// Whether a breadth-first look has taken what it may, and there is too much left to go on with it.
    fn is_enough(&self) -> bool {
        let (spent, whole) = (self.options + self.expanded, self.budget.whole);
        if spent <= whole {
            return false;
        }
        let known = (self.graph.len() - self.next) as u64;
        // Where few are left that are known, levels have become smaller, and there are not many more behind these.
        let few = if known <= self.expanded { 2 * known } else { u64::MAX };
        let left = few.min(self.budget.places.saturating_sub(self.expanded));
        let each = spent as f64 / self.expanded.max(1) as f64;
        spent as f64 + left as f64 * each > (NEARLY * whole) as f64
    }

    /// Whether a look has no more time, or no more memory.
    fn is_late(&self) -> bool {
        self.began.is_past(self.budget.seconds) || self.is_full()
    }

    /// Whether a look holds as much memory as it may: the rest is for the solve.
    fn is_full(&self) -> bool {
        self.memory.used().saturating_sub(self.held) > self.memory.free() / MEMORY
    }

    /// What a look tells that met more positions than fit in memory: there may be as many as there can be at all.
    fn too_many(&mut self) -> Sample {
        Sample { positions: (self.budget.places as f64).min(LARGEST), is_exact: false, ..self.counted() }
    }

    /// What was counted, all positions having been met.
    fn counted(&mut self) -> Sample {
        Sample {
            positions: self.graph.len() as f64,
            is_exact: true,
            options: self.mean_options(),
            steps: self.mean_steps(),
            depth: self.depth,
            repeats: self.repeats,
        }
    }

    fn expand(&mut self, position: usize, monitor: &mut Monitor) -> Result<(), Error> {
        monitor.tick(self.graph.len() as u64, 0)?;
        let expanded = self.graph.expand(position as Id, &mut self.expansion);
        expanded.map_err(|error| error.after(self.graph.len() as u64))?;
        self.expanded += 1;
        self.options += self.expansion.edges.len() as u64;
        Ok(())
    }

    /// Meets positions level by level; the last whole level if the budget ends first. Numbers are given in the order of
    /// discovery, so a level is a range of them.
    fn breadth_first(&mut self, monitor: &mut Monitor) -> Result<Option<Whole>, Error> {
        loop {
            while self.next < self.level.end {
                let late = self.next % 64 == 63 && self.is_late();
                if self.is_enough() || self.is_spent() || late {
                    return Ok(Some(Whole { level: self.level.clone(), depth: self.depth }));
                }
                self.expand(self.next, monitor)?;
                self.next += 1;
            }
            self.level = self.level.end..self.graph.len();
            if self.level.is_empty() {
                return Ok(None);
            }
            self.depth += 1;
        }
    }

    /// What lies beyond the breadth-first look. Play that is long and thin comes to most positions there are, and to follow it to
    /// its end would take as long as to solve it.
    fn beyond(&mut self, whole: Whole, monitor: &mut Monitor) -> Result<Sample, Error> {
        let met = self.graph.len() as u64;
        if whole.level.len() > THIN || self.budget.places / MANY_TIMES > met {
            return self.herds(whole, monitor);
        }
        let places = self.budget.places as f64;
        let depth = (places / met as f64 * whole.depth as f64) as usize;
        Ok(Sample { positions: places, is_exact: false, depth, ..self.counted() })
    }

    /// Lets herds run, larger and larger ones, until enough is shared or the budget is spent.
    fn herds(&mut self, whole: Whole, monitor: &mut Monitor) -> Result<Sample, Error> {
        let before = whole.level.start;
        let mut spent = self.expanded + self.options;
        // What counts from here on are the positions that herds meet.
        (self.expanded, self.options) = (0, 0);
        self.steps_before = self.graph.steps();
        let depth = self.playouts(&whole, monitor)?;
        let options = (self.options / self.expanded.max(1)).max(1) as usize;
        let mut work = self.budget.herds;
        let mut last = None;
        spent += self.expanded + self.options;
        loop {
            let (expanded, met) = (self.expanded, self.options);
            let size = (work as usize / (2 * depth.max(1) * options)).max(SMALLEST);
            let (levels, mut lease) = match (self.run(&whole, size, depth, monitor), last) {
                (Ok(found), _) => found,
                // Larger herds do not fit.
                (Err(Error::Limit { limit: Limit::Memory { .. }, .. }), Some(sample)) => return Ok(sample),
                (Err(error), _) => return Err(error),
            };
            // A run that was cut short has met too little.
            if let Some(sample) = last.filter(|_| self.is_late()) {
                return Ok(sample);
            }
            if self.is_full() {
                return Ok(self.too_many());
            }
            let Estimate { positions, options, is_enough } =
                estimate(&levels, whole.level.len(), self.repeats, &mut lease)?;
            spent += self.expanded - expanded + self.options - met;
            let further = self.further(levels.len(), monitor)?;
            let at_least = before as f64 + self.meetings.at_least(before).unwrap_or(0.0);
            let sample = Sample {
                positions: ((before as f64 + positions) * further).max(at_least).min(self.budget.places as f64),
                is_exact: false,
                options,
                steps: self.mean_steps(),
                depth: self.depth.max(whole.depth + (levels.len() as f64 * further) as usize),
                repeats: self.repeats,
            };
            let worth = if is_enough { WELL_WORTH } else { WORTH };
            // Work counts, not time, so that a busy machine comes to the same result.
            let worth_more = sample.positions * (1.0 + options) > worth * spent as f64;
            last = Some(sample);
            if !worth_more || work >= self.budget.most || self.is_late() {
                return Ok(sample);
            }
            work = (work * GROWTH).min(self.budget.most);
        }
    }

    /// How many times as far as herds came play goes, about, after so many levels.
    fn further(&mut self, levels: usize, monitor: &mut Monitor) -> Result<f64, Error> {
        let Some(mut position) = self.beyond.take().filter(|_| !self.repeats) else { return Ok(1.0) };
        let mut path = FxHashSet::default();
        for moves in 0..FURTHER {
            // Play that goes round comes to nothing new.
            if !path.insert(position) || moves % 64 == 63 && self.is_late() {
                return Ok(1.0);
            }
            self.expand(position as usize, monitor)?;
            let count = self.expansion.edges.len();
            if count == 0 {
                return Ok(1.0 + moves as f64 / levels.max(1) as f64);
            }
            let chosen = self.below(count);
            position = self.expansion.edges[chosen].to;
        }
        Ok(UP_TO)
    }

    /// How long plays are, from a few at random.
    fn playouts(&mut self, whole: &Whole, monitor: &mut Monitor) -> Result<usize, Error> {
        let mut longest = 0;
        let mut path = FxHashSet::default();
        for _ in 0..8 {
            let mut position = whole.level.start + self.below(whole.level.len());
            let mut moves = 0;
            path.clear();
            while moves < LONGEST_PLAYOUT && !(moves % 64 == 63 && self.is_late()) {
                self.repeats |= !path.insert(position);
                self.expand(position, monitor)?;
                let count = self.expansion.edges.len();
                if count == 0 {
                    break;
                }
                let chosen = self.below(count);
                position = self.expansion.edges[chosen].to as usize;
                moves += 1;
            }
            longest = longest.max(moves);
        }
        Ok(longest)
    }

    /// Both herds, level by level, with what pays for their levels.
    fn run(
        &mut self,
        whole: &Whole,
        size: usize,
        depth: usize,
        monitor: &mut Monitor,
    ) -> Result<(Vec<Level>, Lease), Error> {
        let mut lease = monitor.memory().lease();
        let mut herding = monitor.memory().lease();
        herding.resize((2 * whole.level.len() * size_of::<Id>()) as u64)?;
        let all: Vec<Id> = whole.level.clone().map(|position| position as Id).collect();
        let mut herds = [all.clone(), all];
        let mut levels = Vec::new();
        let floor = whole.level.start as Id;
        let enough = self.expanded + 4 * (size * depth) as u64;
        while herds.iter().any(|herd| !herd.is_empty())
            && levels.len() < LONGEST
            && self.expanded < enough
            && !self.is_late()
        {
            let mut level = Level::default();
            for (which, (herd, met)) in herds.iter_mut().zip(&mut level.met).enumerate() {
                self.thin(herd, size);
                for &position in &*herd {
                    self.expand(position as usize, monitor)?;
                    self.meetings.count(which, position, &self.expansion.edges, self.graph.len());
                    level.expanded += 1;
                    level.options += self.expansion.edges.len() as u64;
                    // What the breadth-first look met below is counted already.
                    met.extend(self.expansion.edges.iter().map(|edge| edge.to).filter(|&to| to >= floor));
                }
                lease.grow((met.capacity() * SET_BYTES) as u64)?;
                *herd = met.iter().copied().collect();
                herd.sort_unstable();
            }
            let room: usize = herds.iter().map(|herd| herd.capacity() * size_of::<Id>()).sum();
            herding.resize(room as u64)?;
            levels.push(level);
        }
        self.beyond = herds.iter().find_map(|herd| herd.first().copied()).filter(|_| !self.is_late());
        levels.retain(|level| !level.met[0].is_empty() || !level.met[1].is_empty() || level.expanded > 0);
        Ok((levels, lease))
    }

    /// Keeps `size` of a herd, chosen at random.
    fn thin(&mut self, herd: &mut Vec<Id>, size: usize) {
        if herd.len() <= size {
            return;
        }
        for place in 0..size {
            let other = place + self.below(herd.len() - place);
            herd.swap(place, other);
        }
        herd.truncate(size);
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound as u64) as usize
    }
}

/// Tells when a look has taken too long itself. That a busy machine lets it wait does not count: then it would see less, and the plan
/// would be another one.
#[derive(Clone, Copy)]
struct Clock {
    start: Instant,
    own: Stopwatch,
}

impl Clock {
    fn start() -> Clock {
        Clock { start: Instant::now(), own: Stopwatch::start() }
    }

    /// Whether so many seconds are over. The system is asked about processor time only where the clock on the wall says so.
    fn is_past(&self, seconds: f64) -> bool {
        self.start.elapsed().as_secs_f64() > seconds && self.own.seconds() > seconds
    }
}

#[cfg(test)]
mod tests;
