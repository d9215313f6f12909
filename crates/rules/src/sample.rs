//! Instances from `sample { … }`: all of them if they are few, else the smallest ones and a random rest.
//!
//! The space of instances is a tree, since the bounds of a parameter may read those sampled before it. The tree is
//! walked parameter by parameter. Members of each [`Space`] are named by number, so that nothing is built for the 10^18
//! members that are not needed. Instances that a `require` refuses are left out. "Smallest" means that every number,
//! and every length, is among the first `m` of its range, for growing `m`: a plain count upward would only ever vary
//! the last parameter. Everything is bounded: how many instances are tried, and how many numbers they hold together.

mod edges;

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use game::Random;

use crate::bind::admits;
use crate::diagnostic::Diagnostic;
use crate::fault::Fault;
use crate::instance::{Given, Instance};
use crate::interpreter::Interpreter;
use crate::parameters;
use crate::program::{Program, SampleItem};
use crate::space::{Space, list};
use crate::value::Value;

/// How much one pass may try: an instance costs 64, plus one for each of its numbers.
const PASS_BUDGET: u64 = 1 << 23;
/// How many numbers one random list may have.
const RANDOM_LENGTH: usize = 1 << 16;

/// At most `limit` instances of the program's `sample`. If there are no more, all of them in order: shorter lists
/// first, the leftmost parameter slowest. Otherwise one half are the smallest ones, the rest pseudo-random ones without
/// repeats. Equal seeds give equal instances.
pub fn instances(program: &Program, limit: usize, seed: u64) -> Result<Vec<Instance>, Vec<Diagnostic>> {
    sampled(program, limit, seed).map(|sampled| sampled.instances)
}

/// Instances of a sample.
#[derive(Clone, Debug, Default)]
pub struct Sampled {
    /// The instances.
    pub instances: Vec<Instance>,
    /// Whether these are all that the sample has and the rules admit.
    pub complete: bool,
}

/// Instances drawn from the sample of the rules, and whether there are no more.
pub fn sampled(program: &Program, limit: usize, seed: u64) -> Result<Sampled, Vec<Diagnostic>> {
    let has_sample = |slot: usize| program.sample.iter().any(|item| item.param == slot);
    let unsampled: Vec<Diagnostic> = (0..program.params.len())
        .filter(|slot| !has_sample(*slot) && program.params[*slot].default.is_none())
        .map(|slot| unsampled(program, slot))
        .collect();
    if !unsampled.is_empty() {
        return Err(unsampled);
    }
    let mut sampler = Sampler::new(program);
    let one = |fault: Fault| vec![*fault.diagnostic];
    let mut all = Found::new(limit.saturating_add(1));
    if sampler.pass(None, &mut all).map_err(one)? && all.instances.len() <= limit {
        return Ok(Sampled { instances: all.instances, complete: true });
    }
    let mut found = Found::new(limit.div_ceil(2));
    let mut cap = 1;
    while !found.is_full() && cap < 1 << 40 {
        sampler.pass(Some(cap), &mut found).map_err(one)?;
        if sampler.budget == 0 {
            break;
        }
        cap += (cap / 2).max(1);
    }
    found.limit = limit;
    sampler.random(seed, &mut found).map_err(one)?;
    Ok(Sampled { instances: found.instances, complete: false })
}

/// At most `limit` instances from the edges of the sample: least and greatest numbers, and lists that are empty, short, long,
/// equal, sorted either way, or all extremes.
pub fn edges(program: &Program, limit: usize, seed: u64) -> Result<Vec<Instance>, Vec<Diagnostic>> {
    let mut found = Found::new(limit);
    let mut sampler = Sampler::new(program);
    sampler.edges(seed, &mut found).map_err(|fault| vec![*fault.diagnostic])?;
    Ok(found.instances)
}

/// All instances of the sample that are small, if there are at most `limit` of them. No list in them is longer than `longest`.
/// `is_small` is asked about parts of instances too, and what it refuses is not small with more in it. `None` where there are more, or
/// too many to look at.
pub fn smaller(
    program: &Program,
    limit: usize,
    longest: usize,
    is_small: &dyn Fn(&Instance) -> bool,
) -> Option<Vec<Instance>> {
    let mut found = Found::new(limit.saturating_add(1));
    let mut sampler = Sampler { small: Some(Small { longest, is_small }), ..Sampler::new(program) };
    let is_whole = sampler.pass(None, &mut found).ok()?;
    (is_whole && found.instances.len() <= limit).then_some(found.instances)
}

/// Whether the rules admit an instance, and every value that the sample speaks of is one that it has.
pub fn contains(program: &Program, instance: &Instance) -> bool {
    let Ok(values) = parameters::fill(program, instance) else { return false };
    let sampler = Sampler::new(program);
    let is_member = |(index, item): (usize, &SampleItem)| {
        let space = sampler.space(index, &values);
        space.is_ok_and(|space| values[item.param].as_ref().is_some_and(|value| space.contains(value)))
    };
    program.sample.iter().enumerate().all(is_member) && admits(program, instance)
}

fn unsampled(program: &Program, slot: usize) -> Diagnostic {
    let param = &program.params[slot];
    let title = format!("the parameter `{}` has neither a sample nor a default", param.name);
    Diagnostic::at(param.span, title, "no values to try are known")
        .help(format!("add a line such as `sample {{ {} in …; }}`", param.name))
}

/// Instances without repeats, up to a limit.
struct Found {
    instances: Vec<Instance>,
    hashes: HashSet<u64>,
    limit: usize,
}

impl Found {
    fn new(limit: usize) -> Found {
        Found { instances: Vec::new(), hashes: HashSet::new(), limit }
    }

    fn is_full(&self) -> bool {
        self.instances.len() >= self.limit
    }

    fn is_new(&mut self, instance: &Instance) -> bool {
        let mut hasher = DefaultHasher::new();
        instance.hash(&mut hasher);
        self.hashes.insert(hasher.finish())
    }
}

struct Sampler<'p> {
    program: &'p Program,
    budget: u64,
    /// Whatever else is left out.
    small: Option<Small<'p>>,
}

/// Which instances are small, and parts of small ones.
struct Small<'p> {
    longest: usize,
    is_small: &'p dyn Fn(&Instance) -> bool,
}

impl<'p> Sampler<'p> {
    fn new(program: &'p Program) -> Sampler<'p> {
        Sampler { program, budget: PASS_BUDGET, small: None }
    }

    /// Walks the tree of instances in order; `true` if it reached the end.
    fn pass(&mut self, cap: Option<usize>, found: &mut Found) -> Result<bool, Fault> {
        self.budget = PASS_BUDGET;
        let mut values = vec![None; self.program.globals()];
        self.descend(0, cap, &mut values, found)
    }

    fn descend(
        &mut self,
        index: usize,
        cap: Option<usize>,
        values: &mut Vec<Option<Value>>,
        found: &mut Found,
    ) -> Result<bool, Fault> {
        let Some(item) = self.program.sample.get(index) else {
            return Ok(self.offer(values, found));
        };
        let mut space = self.space(index, values)?;
        if let Some(cap) = cap {
            space = shrink(space, cap);
        }
        if let Some(small) = &self.small {
            space = shorten(space, small.longest);
        }
        let count = space.count();
        let mut number = 0;
        while number < count {
            if found.is_full() || !self.spend(width_of(&space, number)) {
                return Ok(false);
            }
            values[item.param] = Some(space.nth(number));
            number += 1;
            if self.small.as_ref().is_some_and(|small| !(small.is_small)(&self.instance(values))) {
                continue;
            }
            if !self.descend(index + 1, cap, values, found)? {
                return Ok(false);
            }
        }
        values[item.param] = None;
        Ok(true)
    }

    /// Adds an instance if it is new and its requirements hold; `false` if there is no room for it.
    fn offer(&mut self, values: &[Option<Value>], found: &mut Found) -> bool {
        if found.is_full() || !self.spend(64) {
            return false;
        }
        let instance = self.instance(values);
        if found.is_new(&instance) && admits(self.program, &instance) {
            found.instances.push(instance);
        }
        true
    }

    /// The instance with these values.
    fn instance(&self, values: &[Option<Value>]) -> Instance {
        let params = self.program.params.iter().zip(values);
        let entries =
            params.filter_map(|(param, value)| Some((param.name.clone(), Given::of(value.as_ref()?, &param.ty))));
        Instance(entries.collect())
    }

    fn spend(&mut self, cost: u64) -> bool {
        let enough = self.budget >= cost;
        self.budget = self.budget.saturating_sub(cost);
        enough
    }

    /// What a sampled parameter ranges over, given the values sampled before it.
    fn space(&self, index: usize, values: &[Option<Value>]) -> Result<Space, Fault> {
        Interpreter::of_instance(self.program, values).space_of(&self.program.sample[index].source)
    }

    /// Adds random instances until there are enough, or no new ones turn up.
    fn random(&mut self, seed: u64, found: &mut Found) -> Result<(), Fault> {
        self.budget = PASS_BUDGET;
        let mut random = Chooser(Random::new(seed));
        let tries = found.limit.saturating_mul(32).saturating_add(1000);
        for _ in 0..tries {
            if found.is_full() || self.budget == 0 {
                break;
            }
            let mut values = vec![None; self.program.globals()];
            let small = random.below(2) == 0;
            let mut complete = true;
            for (index, item) in self.program.sample.iter().enumerate() {
                let space = self.space(index, &values)?;
                let value = random.member(&space, small, self.budget);
                complete = value.is_some();
                let Some(value) = value else { break };
                self.spend(value.len().unwrap_or(1) as u64);
                values[item.param] = Some(value);
            }
            if complete {
                self.offer(&values, found);
            } else {
                self.spend(64);
            }
        }
        Ok(())
    }
}

/// How many numbers a member holds, at most.
fn width_of(space: &Space, number: u128) -> u64 {
    match space {
        Space::Array { item, shortest, .. } => {
            // Short lists come first: a member's number bounds its length.
            let longer = u64::try_from(number).unwrap_or(u64::MAX);
            item.width().saturating_mul((*shortest as u64).saturating_add(longer)).min(space.width())
        }
        other => other.width(),
    }
}

/// The part of a space where every number and every length is among the first `cap` of its range.
fn shrink(space: Space, cap: usize) -> Space {
    let last = i64::try_from(cap).unwrap_or(i64::MAX) - 1;
    match space {
        Space::Range { low, high } => Space::Range { low, high: high.min(low.saturating_add(last)) },
        Space::Bool => Space::Range { low: 0, high: last.min(1) },
        Space::Names(names) => Space::Range { low: 0, high: last.min(names.len() as i64 - 1) },
        Space::Subsets { low, size, .. } => Space::Subsets { low, size: size.min(cap), names: None },
        Space::Array { item, shortest, longest } => {
            let longest = longest.min(shortest.saturating_add(cap - 1));
            Space::Array { item: Box::new(shrink(*item, cap)), shortest, longest }
        }
        Space::Items(mut items) => {
            items.truncate(cap);
            Space::Items(items)
        }
    }
}

/// The part of a space whose lists are no longer than that.
fn shorten(space: Space, most: usize) -> Space {
    match space {
        Space::Array { item, shortest, longest } => {
            Space::Array { item: Box::new(shorten(*item, most)), shortest, longest: longest.min(most) }
        }
        other => other,
    }
}

/// Chooses members of spaces, the same ones for the same seed.
struct Chooser(Random);

impl Chooser {
    fn below(&mut self, bound: u128) -> u128 {
        let wide = u128::from(self.0.next()) << 64 | u128::from(self.0.next());
        wide % bound.max(1)
    }

    /// A number below `bound`. With `small`, few digits are as likely as many.
    fn index(&mut self, bound: u128, small: bool) -> u128 {
        if !small || bound <= 64 {
            return self.below(bound);
        }
        let bits = self.below(u128::from(128 - bound.leading_zeros()));
        self.below((1u128 << bits).saturating_mul(2).min(bound))
    }

    /// A random member, if there is one that holds at most `room` numbers.
    fn member(&mut self, space: &Space, small: bool, room: u64) -> Option<Value> {
        match space {
            Space::Array { item, shortest, longest } => {
                let each = item.width().max(1);
                let most = usize::try_from(room / each).unwrap_or(usize::MAX).min(*longest);
                let most = most.min((*shortest).max(RANDOM_LENGTH));
                let span = (most.checked_sub(*shortest)? as u128) + 1;
                let length = shortest + self.index(span, small || span > 64) as usize;
                let mut items = Vec::with_capacity(length);
                for _ in 0..length {
                    items.push(self.member(item, small, room)?);
                }
                Some(list(item, items.into_iter()))
            }
            Space::Subsets { low, size, .. } => {
                Some(Value::set((0..*size).filter(|_| self.0.next() & 1 == 1).map(|bit| low + bit as i64).collect()))
            }
            scalar => {
                let count = scalar.count();
                (count > 0).then(|| scalar.nth(self.index(count, small)))
            }
        }
    }
}
