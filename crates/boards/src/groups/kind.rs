//! A kind of group: cells with their domains, and moves as formulas over them.

use std::sync::Arc;

use formula::eval::Point;
use formula::tape::Tape;
use formula::{Arena, Node, Range};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::local::Owner;

/// A move, in nodes: what a kind is known by.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Rule {
    pub owner: Owner,
    pub counts: Vec<RuleCount>,
    pub guard: Node,
    pub fault: Node,
    /// The cells that change, by their place in the kind, with their new values.
    pub after: Vec<(u32, Node)>,
}

/// A choice that is counted through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct RuleCount {
    pub choice: u32,
    pub low: Node,
    pub high: Node,
    pub fault: Node,
}

impl Rule {
    /// All nodes of the rule.
    fn nodes(&self) -> Vec<Node> {
        let counts = self.counts.iter().flat_map(|count| [count.low, count.high, count.fault]);
        counts.chain([self.guard, self.fault]).chain(self.after.iter().map(|after| after.1)).collect()
    }

    /// The nodes that matter where it is never a fault.
    fn nodes_but_faults(&self) -> Vec<Node> {
        let counts = self.counts.iter().flat_map(|count| [count.low, count.high]);
        counts.chain([self.guard]).chain(self.after.iter().map(|after| after.1)).collect()
    }

    /// The rule where it is never a fault.
    pub fn faultless(&self, arena: &mut Arena) -> Rule {
        let never = arena.number(0);
        let counts = self.counts.iter().map(|count| RuleCount { fault: never, ..*count });
        Rule { counts: counts.collect(), fault: never, after: self.after.clone(), ..*self }
    }

    /// The rule with other nodes; cells keep their places.
    pub fn rewritten(&self, of: &mut dyn FnMut(Node) -> Node) -> Rule {
        let count = |count: &RuleCount, of: &mut dyn FnMut(Node) -> Node| RuleCount {
            choice: count.choice,
            low: of(count.low),
            high: of(count.high),
            fault: of(count.fault),
        };
        Rule {
            owner: self.owner,
            counts: self.counts.iter().map(|known| count(known, of)).collect(),
            guard: of(self.guard),
            fault: of(self.fault),
            after: self.after.iter().map(|&(cell, node)| (cell, of(node))).collect(),
        }
    }

    /// Whether it is never legal and never a fault.
    pub fn never_happens(&self, arena: &Arena) -> bool {
        let faults = self.counts.iter().map(|count| count.fault).chain([self.fault]);
        [self.guard].into_iter().chain(faults).all(|node| arena.known(node) == Some(0))
    }
}

/// A move, in steps of the tape of its kind.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub counts: Vec<StepCount>,
    pub guard: u32,
    pub fault: u32,
    pub after: Vec<(u32, u32)>,
    /// The steps that are computed for each choice.
    pub late: Vec<u32>,
    /// The cells that it reads or writes, ascending.
    pub cells: Vec<u32>,
    /// Those of them that matter where it is never a fault. A fault of one choice may be told with the next one, so
    /// that it reads cells which the move has nothing to do with.
    pub faultless: Vec<u32>,
}

/// A choice that is counted through, in steps.
#[derive(Clone, Debug)]
pub(super) struct StepCount {
    pub choice: u32,
    pub low: u32,
    pub high: u32,
    pub fault: u32,
    /// The steps that its bounds need and that read outer choices.
    pub late: Vec<u32>,
}

/// Cells with their domains, and moves over them.
#[derive(Debug)]
pub struct Kind {
    /// The domain of each cell.
    pub domains: Vec<Range>,
    /// The node of each cell.
    pub(super) cells: Vec<Node>,
    pub(super) rules: Vec<Rule>,
    pub(super) steps: Vec<Step>,
    pub(super) tape: Tape,
}

/// Room for what is computed.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    pub values: Vec<i64>,
    choices: Vec<i64>,
}

/// What is called with the owner of each legal move and the values after it.
type OptionFn<'f, E> = dyn FnMut(Owner, &[i64]) -> Result<(), E> + 'f;

/// Why a position could not be expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// A move may be a fault there.
    Fault,
    /// There are too many moves.
    TooMany,
}

impl Kind {
    pub(super) fn new(
        arena: &Arena,
        lists: &Arc<Vec<Vec<i64>>>,
        domains: Vec<Range>,
        cells: Vec<Node>,
        rules: Vec<Rule>,
    ) -> Kind {
        let roots: Vec<Node> = rules.iter().flat_map(Rule::nodes).collect();
        let (tape, numbers) = Tape::new(arena, lists, &cells, &roots);
        let mut numbers = numbers.into_iter();
        let places: FxHashMap<Node, u32> = cells.iter().copied().zip(0..).collect();
        let mut steps = Vec::with_capacity(rules.len());
        for rule in &rules {
            let mut next = || numbers.next().unwrap_or(0);
            let counts: Vec<[u32; 3]> = rule.counts.iter().map(|_| [next(), next(), next()]).collect();
            let (guard, fault) = (next(), next());
            let after: Vec<(u32, u32)> = rule.after.iter().map(|after| (after.0, next())).collect();
            let roots: Vec<u32> = [guard, fault].into_iter().chain(after.iter().map(|after| after.1)).collect();
            let counts = rule.counts.iter().zip(counts).map(|(count, [low, high, fault])| StepCount {
                choice: count.choice,
                low,
                high,
                fault,
                late: tape.late(&[low, high, fault]),
            });
            let late = tape.late(&roots);
            let cells = touched(arena, &places, rule, rule.nodes());
            let faultless = touched(arena, &places, rule, rule.nodes_but_faults());
            steps.push(Step { counts: counts.collect(), guard, fault, after, late, cells, faultless });
        }
        Kind { domains, cells, rules, steps, tape }
    }

    /// Calls `option` with each legal move's owner and the values after it, at most `most` times.
    pub(super) fn expand<E: From<Trouble>>(
        &self,
        values: &[i64],
        room: &mut Room,
        most: usize,
        option: &mut OptionFn<'_, E>,
    ) -> Result<(), E> {
        self.tape.values(&Point { cells: values, mover: 0, choices: &[] }, &mut room.values);
        let mut left = most;
        let mut after = values.to_vec();
        for (rule, step) in self.rules.iter().zip(&self.steps) {
            let mut play = |room: &mut Room| -> Result<(), E> {
                if room.values[step.fault as usize] != 0 {
                    return Err(Trouble::Fault.into());
                }
                if room.values[step.guard as usize] == 0 {
                    return Ok(());
                }
                left = left.checked_sub(1).ok_or(Trouble::TooMany)?;
                after.copy_from_slice(values);
                for &(cell, value) in &step.after {
                    let value = room.values[value as usize];
                    if !self.domains[cell as usize].contains(value) {
                        return Err(Trouble::Fault.into());
                    }
                    after[cell as usize] = value;
                }
                option(rule.owner, &after)
            };
            if step.counts.is_empty() {
                play(room)?;
            } else {
                let mut looked = 0;
                self.count(step, values, room, &mut |room| {
                    looked += 1;
                    if looked > MOST_LOOKED {
                        return Err(Trouble::TooMany.into());
                    }
                    play(room)
                })?;
            }
        }
        Ok(())
    }

    /// Goes through the counted choices of a move.
    fn count<E: From<Trouble>>(
        &self,
        step: &Step,
        values: &[i64],
        room: &mut Room,
        play: &mut dyn FnMut(&mut Room) -> Result<(), E>,
    ) -> Result<(), E> {
        // For each count: the choice that comes next, and the last one.
        let mut open: Vec<(i128, i64)> = Vec::new();
        loop {
            if open.len() < step.counts.len() {
                let count = &step.counts[open.len()];
                self.compute(&count.late, values, room);
                let value = |step: u32| room.values[step as usize];
                if value(count.fault) != 0 {
                    return Err(Trouble::Fault.into());
                }
                open.push((i128::from(value(count.low)), value(count.high)));
            } else {
                self.compute(&step.late, values, room);
                play(room)?;
            }
            // The innermost choice that has one left.
            loop {
                let Some((next, last)) = open.last_mut() else { return Ok(()) };
                if *next <= i128::from(*last) {
                    let choice = *next as i64;
                    *next += 1;
                    let at = step.counts[open.len() - 1].choice as usize;
                    if room.choices.len() <= at {
                        room.choices.resize(at + 1, 0);
                    }
                    room.choices[at] = choice;
                    break;
                }
                open.pop();
            }
        }
    }

    fn compute(&self, steps: &[u32], values: &[i64], room: &mut Room) {
        let point = Point { cells: values, mover: 0, choices: &room.choices };
        self.tape.values_of(steps, &point, &mut room.values);
    }

    /// How many options a position has at the most, as far as ranges tell.
    pub fn most_options(&self, ranges: &[Range]) -> f64 {
        let mut known = Vec::new();
        self.tape.ranges(ranges, &mut known);
        let width = |count: &StepCount| {
            (known[count.high as usize].high as f64 - known[count.low as usize].low as f64 + 1.0).max(0.0)
        };
        self.steps.iter().map(|step| step.counts.iter().map(width).product::<f64>()).sum()
    }
}

/// A move looks at so many choices at the most.
const MOST_LOOKED: usize = 1 << 22;

/// The cells that a rule writes, or reads in these nodes.
fn touched(arena: &Arena, places: &FxHashMap<Node, u32>, rule: &Rule, nodes: Vec<Node>) -> Vec<u32> {
    let mut seen = FxHashSet::default();
    let mut open = nodes;
    let mut touched: Vec<u32> = rule.after.iter().map(|after| after.0).collect();
    while let Some(node) = open.pop() {
        if seen.insert(node) {
            touched.extend(places.get(&node).filter(|_| arena.known(node).is_none()));
            arena.operands(node, &mut |operand| open.push(operand));
        }
    }
    touched.sort_unstable();
    touched.dedup();
    touched
}
