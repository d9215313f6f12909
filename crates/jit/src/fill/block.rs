//! Blocks: the last digits unrolled. Each position has its digits as constants, so that everything that depends on them
//! folds.
//!
//! A board's last three squares make a block of 27 positions that lie together in the table. A move on another square
//! is one shift for the whole block and is looked up in lanes. Moves within the block are a few reads at known places.
//! Of a line through the block, only the squares outside must be tested, and that happens outside of the loop. If the
//! mover is the parity of the stones, the block is written twice, for either parity of the rest. The last bits of a set
//! are digits of this kind too.

use formula::rewrite::Rewrite;
use formula::{Arena, Node, Op, Range};
use rustc_hash::FxHashMap;

use super::known::parity_of;
use super::plan::{Plan, Var};
use super::values::Values;

/// A block has at least this many positions.
const LEAST: u64 = 16;
/// A block has at most this many positions: the code grows with it.
const MOST: u64 = 48;
/// Bits of a set that are unrolled.
const SET_BITS: u32 = 5;
/// Nodes times positions beyond which the code would be too long.
const TOO_LONG: usize = 250_000;

/// An option of one position of a block that is read by itself.
#[derive(Clone, Debug)]
pub(crate) struct Single {
    /// Whether it is legal.
    pub guard: Node,
    /// Code of the option minus code of the position.
    pub shift: Node,
    /// Whether the mover moves again.
    pub same: Node,
}

/// One position of a block.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// Ends that may hold, with their value: each holds if one of its conditions does.
    pub ends: Vec<(Vec<Node>, Node)>,
    /// Options that are read one by one.
    pub options: Vec<Single>,
    /// The value of the position without options.
    pub stuck: Node,
}

/// Options of several positions of a block in another block.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    /// Code of the options minus code of the positions: a whole number of blocks.
    pub shift: i64,
    /// Whether the mover moves again.
    pub same: bool,
    /// Which positions of the block have this option.
    pub has: Vec<bool>,
}

/// The code of a block for one parity, or the only version if there is no parity.
#[derive(Clone, Debug, Default)]
pub(crate) struct Version {
    /// The positions.
    pub places: Vec<Place>,
    /// Options in other blocks, by guard.
    pub groups: Vec<(Node, Vec<Read>)>,
}

/// Blocks and how they are filled.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// Positions in it.
    pub size: usize,
    /// The order in which they are filled.
    pub order: Vec<usize>,
    /// A truth value that everything depends on. Then there are two versions, the first for 0.
    pub parity: Option<Node>,
    /// The versions.
    pub versions: Vec<Version>,
    /// The description for `explain`.
    pub name: String,
}

impl Block {
    /// All nodes that blocks need.
    pub fn roots(&self) -> Vec<Node> {
        let mut roots: Vec<Node> = self.parity.into_iter().collect();
        for version in &self.versions {
            roots.extend(version.groups.iter().map(|group| group.0));
            for place in &version.places {
                roots.push(place.stuck);
                roots.extend(place.ends.iter().flat_map(|end| end.0.iter().copied().chain([end.1])));
                roots.extend(place.options.iter().flat_map(|option| [option.guard, option.shift, option.same]));
            }
        }
        roots
    }

    /// Plans a block and takes its digits from the plan's loops. `None`, with the plan unchanged, if there is no block.
    pub fn new(plan: &mut Plan) -> Option<Block> {
        let counted = plan.moves.iter().any(|step| !step.counts.is_empty() || step.parts.is_some());
        let kind = match plan.values {
            Values::Win => plan.never(plan.stuck),
            Values::Outcome | Values::Remoteness { .. } => true,
            _ => false,
        };
        if plan.faults || !plan.tested.is_empty() || counted || !kind || plan.vars.is_empty() {
            return None;
        }
        let digits = last_digits(plan);
        let set = if digits.is_none() { set_bits(plan) } else { None };
        let (outer, assignments, name) = digits.or(set)?;
        if assignments.len() * plan.formulas.arena.len() > TOO_LONG {
            return None;
        }
        let mut raw: Vec<Raw> = assignments.iter().map(|(_, pairs)| Raw::new(plan, pairs)).collect();
        let parity = parity(plan, &raw);
        if parity.is_none() {
            raw.iter_mut().for_each(|raw| raw.parities.clear());
        }
        let truths = if parity.is_some() { &[0i64, 1][..] } else { &[0] };
        let size = assignments.len();
        let mut versions = Vec::new();
        for &truth in truths {
            let mut version = Version::default();
            for (at, raw) in raw.iter_mut().enumerate() {
                let raw = raw.with_parity(&mut plan.formulas, truth);
                version.add(plan, raw, at, size);
            }
            versions.push(version);
        }
        let order = assignments.iter().map(|assignment| assignment.0).collect();
        let mut block = Block { size, order, parity, versions, name };
        block.sort_places(&assignments);
        plan.vars = outer;
        Some(block)
    }

    /// Sorts places by code; assignments come in the order of filling.
    fn sort_places(&mut self, assignments: &[Assignment]) {
        for version in &mut self.versions {
            let places = std::mem::take(&mut version.places);
            let mut sorted: Vec<(usize, Place)> = assignments.iter().map(|each| each.0).zip(places).collect();
            sorted.sort_by_key(|place| place.0);
            version.places = sorted.into_iter().map(|place| place.1).collect();
            for read in version.groups.iter_mut().flat_map(|group| &mut group.1) {
                let has = std::mem::replace(&mut read.has, vec![false; self.size]);
                for (assignment, has) in assignments.iter().zip(has) {
                    read.has[assignment.0] = has;
                }
            }
        }
    }
}

/// The place of a position in its block, and the replacements of its nodes.
type Assignment = (usize, Vec<(Node, Node)>);

/// The remaining loops, the positions of a block in the order of filling, and the description.
type Cut = (Vec<Var>, Vec<Assignment>, String);

/// Cuts off the last loops whose digits make a block.
fn last_digits(plan: &mut Plan) -> Option<Cut> {
    let mut size = 1u64;
    let mut first = plan.vars.len();
    while first > 1 {
        let var = &plan.vars[first - 1];
        let plain = var.lower.is_empty() && var.upper.is_empty() && var.stride as u64 == size;
        if !plain || size.saturating_mul(var.size()) > MOST {
            break;
        }
        size *= var.size();
        first -= 1;
    }
    if size < LEAST || first + 1 == plan.vars.len() {
        return None;
    }
    let (outer, inner) = plan.vars.split_at(first);
    let (outer, inner) = (outer.to_vec(), inner.to_vec());
    let mut assignments: Vec<Assignment> = vec![(0, Vec::new())];
    for var in &inner {
        let mut values: Vec<i64> = (var.low..=var.high).collect();
        if !var.ascending {
            values.reverse();
        }
        let mut next = Vec::new();
        for (at, pairs) in &assignments {
            for &value in &values {
                let number = plan.formulas.arena.number(value);
                let pairs = pairs.iter().copied().chain([(var.node, number)]).collect();
                next.push((at + ((value - var.low) * var.stride) as usize, pairs));
            }
        }
        assignments = next;
    }
    let name = format!("the last {} digits unrolled", inner.len());
    Some((outer, assignments, name))
}

/// Cuts the lowest bits off a set.
fn set_bits(plan: &mut Plan) -> Option<Cut> {
    let var = plan.vars.last()?.clone();
    let Op::Cell(_) = plan.formulas.arena.op(var.node) else { return None };
    let block = 1i64 << SET_BITS;
    let bits = var.low == 0 && var.size().is_power_of_two() && var.size() >= 4 * block as u64;
    let uses: Vec<Node> = bit_uses(&plan.formulas.arena, var.node);
    if !bits || var.stride != 1 || uses.is_empty() || !var.lower.is_empty() || !var.upper.is_empty() {
        return None;
    }
    let high = Range { low: 0, high: (var.size() as i64 >> SET_BITS) - 1 };
    let cell = plan.formulas.cells.len() as u32;
    plan.formulas.cells.push(high);
    let group = plan.formulas.arena.cell(cell, high);
    let mut values: Vec<i64> = (0..block).collect();
    if !var.ascending {
        values.reverse();
    }
    let arena = &mut plan.formulas.arena;
    let mut assignments = Vec::new();
    for value in values {
        let whole = arena.combine(&[(group, block)], value);
        let mut pairs = vec![(var.node, whole)];
        for &node in &uses {
            let with = with_low_bits(arena, node, var.node, group, value)?;
            pairs.push((node, with));
        }
        assignments.push((value as usize, pairs));
    }
    let mut outer = plan.vars.clone();
    let last = outer.last_mut()?;
    (last.node, last.high, last.stride) = (group, high.high, block);
    Some((outer, assignments, format!("the last {SET_BITS} bits of the set unrolled")))
}

/// Nodes that shift or mask a set by a constant, or count its bits.
fn bit_uses(arena: &Arena, set: Node) -> Vec<Node> {
    let is =
        |node: Node| node == set || matches!(arena.op(node), Op::Shr(a, b) if *a == set && arena.known(*b).is_some());
    let masked = |node: Node| match arena.op(node) {
        Op::And(a, b) => (is(*a) && arena.known(*b).is_some()) || (is(*b) && arena.known(*a).is_some()),
        _ => false,
    };
    (0..arena.len() as u32)
        .map(Node)
        .filter(|&node| match arena.op(node) {
            Op::Shr(..) => is(node) && node != set,
            Op::And(..) => masked(node),
            Op::Popcount(a) => *a == set || masked(*a),
            _ => false,
        })
        .collect()
}

/// Such a node where the set is `group · 2^SET_BITS + low`.
fn with_low_bits(arena: &mut Arena, node: Node, set: Node, group: Node, low: i64) -> Option<Node> {
    // A number with upper bits `upper` and `bits` lower bits `lower`.
    struct Split {
        upper: Node,
        lower: i64,
        bits: u32,
    }
    fn split(arena: &mut Arena, node: Node, set: Node, group: Node, low: i64) -> Option<Split> {
        if node == set {
            return Some(Split { upper: group, lower: low, bits: SET_BITS });
        }
        match *arena.op(node) {
            Op::Shr(_, by) => {
                let by = u32::try_from(arena.known(by)?).ok().filter(|by| *by < 63)?;
                if by < SET_BITS {
                    return Some(Split { upper: group, lower: low >> by, bits: SET_BITS - by });
                }
                let rest = arena.number(i64::from(by - SET_BITS));
                Some(Split { upper: arena.shr(group, rest), lower: 0, bits: 0 })
            }
            Op::And(a, b) => {
                let (mask, of) = match (arena.known(a), arena.known(b)) {
                    (Some(mask), _) => (mask, b),
                    (_, Some(mask)) => (mask, a),
                    _ => return None,
                };
                let of = split(arena, of, set, group, low)?;
                let upper = arena.number(mask >> of.bits);
                Some(Split { upper: arena.and(of.upper, upper), lower: of.lower & mask, bits: of.bits })
            }
            _ => None,
        }
    }
    if let Op::Popcount(of) = *arena.op(node) {
        let of = split(arena, of, set, group, low)?;
        let upper = arena.popcount(of.upper);
        return Some(arena.shift(upper, i64::from(of.lower.count_ones())));
    }
    let all = split(arena, node, set, group, low)?;
    Some(arena.combine(&[(all.upper, 1i64.wrapping_shl(all.bits))], all.lower))
}

/// The formulas of one position of a block.
#[derive(Clone, Debug)]
struct Raw {
    ends: Vec<(Node, Node)>,
    moves: Vec<[Node; 3]>,
    stuck: Node,
    /// Parities of sums, with the constant that is added to the sum.
    parities: Vec<(Node, Node, i64)>,
}

impl Raw {
    fn new(plan: &mut Plan, pairs: &[(Node, Node)]) -> Raw {
        let mut rewrite = Rewrite::new(pairs);
        let formulas = &mut plan.formulas;
        let mut of = |node: Node| rewrite.node(&mut formulas.arena, &formulas.lists, node);
        let ends = plan.ends.iter().map(|end| (of(end.when), of(end.value))).collect();
        let moves = plan.moves.iter().map(|step| [of(step.guard), of(step.shift), of(step.same)]).collect();
        let mut raw = Raw { ends, moves, stuck: of(plan.stuck), parities: Vec::new() };
        raw.parities = raw.find_parities(&mut plan.formulas.arena);
        raw
    }

    fn nodes(&self) -> Vec<Node> {
        let ends = self.ends.iter().flat_map(|end| [end.0, end.1]);
        ends.chain(self.moves.iter().flatten().copied()).chain([self.stuck]).collect()
    }

    /// Nodes `sum & 1` and `sum % 2`.
    fn find_parities(&self, arena: &mut Arena) -> Vec<(Node, Node, i64)> {
        let mut seen = vec![false; arena.len()];
        let mut stack = self.nodes();
        let mut found = Vec::new();
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut seen[node.index()], true) {
                continue;
            }
            match parity_of(arena, node) {
                Some(sum) => found.push((node, sum)),
                None => arena.operands(node, &mut |operand| stack.push(operand)),
            }
        }
        let one = arena.number(1);
        let mut parities = Vec::new();
        for (node, sum) in found {
            let (terms, constant) = arena.linear(sum);
            let odd: Vec<(Node, i64)> = terms.iter().filter(|term| term.1 & 1 == 1).map(|term| (term.0, 1)).collect();
            let sum = arena.combine(&odd, 0);
            parities.push((node, arena.and(sum, one), constant & 1));
        }
        parities
    }

    /// The formulas if the parity is 0 or 1.
    fn with_parity(&self, formulas: &mut formula::Formulas, truth: i64) -> Raw {
        let pairs: Vec<(Node, Node)> =
            self.parities.iter().map(|(node, _, add)| (*node, formulas.arena.number(truth ^ add))).collect();
        let mut rewrite = Rewrite::new(&pairs);
        let mut of = |node: Node| rewrite.node(&mut formulas.arena, &formulas.lists, node);
        Raw {
            ends: self.ends.iter().map(|end| (of(end.0), of(end.1))).collect(),
            moves: self.moves.iter().map(|step| step.map(&mut of)).collect(),
            stuck: of(self.stuck),
            parities: Vec::new(),
        }
    }
}

/// The parity that all positions of a block read, if there is exactly one.
fn parity(plan: &Plan, raw: &[Raw]) -> Option<Node> {
    let mut all = raw.iter().flat_map(|raw| &raw.parities).map(|parity| parity.1);
    let first = all.next()?;
    (all.all(|other| other == first) && plan.formulas.arena.known(first).is_none()).then_some(first)
}

impl Version {
    /// Adds the next position in the order of filling. Its place in the block is set later.
    fn add(&mut self, plan: &Plan, raw: Raw, at: usize, size: usize) {
        let arena = &plan.formulas.arena;
        let mut place = Place { ends: Vec::new(), options: Vec::new(), stuck: raw.stuck };
        for (when, value) in raw.ends {
            match arena.known(when) {
                Some(0) => {}
                Some(_) => {
                    place.ends.push((vec![when], value));
                    self.places.push(place);
                    return; // It is over, whatever follows.
                }
                None => place.ends.push((alternatives(arena, when), value)),
            }
        }
        for [guard, shift, same] in raw.moves {
            if arena.known(guard) == Some(0) {
                continue;
            }
            match (arena.known(shift), arena.known(same)) {
                (Some(shift), Some(same)) if shift != 0 && shift % size as i64 == 0 => {
                    self.read(guard, shift, same != 0, at, size);
                }
                _ => place.options.push(Single { guard, shift, same }),
            }
        }
        self.places.push(place);
    }

    fn read(&mut self, guard: Node, shift: i64, same: bool, at: usize, size: usize) {
        let group = match self.groups.iter().position(|group| group.0 == guard) {
            Some(group) => group,
            None => {
                self.groups.push((guard, Vec::new()));
                self.groups.len() - 1
            }
        };
        let reads = &mut self.groups[group].1;
        let found = reads.iter().position(|read| read.shift == shift && read.same == same);
        let read = match found {
            Some(read) => read,
            None => {
                reads.push(Read { shift, same, has: vec![false; size] });
                reads.len() - 1
            }
        };
        reads[read].has[at] = true;
    }

    /// The distinct undecided conditions of ends with how many positions have them, the most frequent first.
    pub fn conditions(&self, arena: &Arena) -> Vec<(Node, usize)> {
        let mut found: Vec<(Node, usize)> = Vec::new();
        let mut places: FxHashMap<Node, usize> = FxHashMap::default();
        for when in self.places.iter().flat_map(|place| &place.ends).flat_map(|end| &end.0) {
            if arena.known(*when).is_none() {
                let at = *places.entry(*when).or_insert_with(|| {
                    found.push((*when, 0));
                    found.len() - 1
                });
                found[at].1 += 1;
            }
        }
        found.sort_by_key(|condition| std::cmp::Reverse(condition.1));
        found
    }
}

/// A condition as alternatives, one of which must hold.
fn alternatives(arena: &Arena, condition: Node) -> Vec<Node> {
    let mut open = vec![condition];
    let mut found = Vec::new();
    while let Some(node) = open.pop() {
        match *arena.op(node) {
            Op::Or(a, b) if arena.range(a).is_truth() && arena.range(b).is_truth() => open.extend([b, a]),
            _ if found.contains(&node) => {}
            _ => found.push(node),
        }
    }
    found
}
