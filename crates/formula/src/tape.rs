//! A tape: a few formulas as a list of steps, for those who evaluate them at many positions.
//!
//! [`crate::eval`] goes through an arena that may hold a whole game; a tape has only the nodes that its formulas need, in the
//! order in which they are computed. It gives their values at one position, or their ranges over many positions.
//! Steps that read no counted choice come first: they are computed once a position, the others once for each choice.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::eval::{Point, computed};
use crate::node::{Arena, Node, Op, Range, product, quotient, rest};

/// The longest piece of a list that is looked through for its range.
const LOOKED_THROUGH: i64 = 64;

/// Formulas as steps. Operands are numbers of steps.
#[derive(Clone, Debug)]
pub struct Tape {
    steps: Vec<Op>,
    /// What each step may give at any position.
    ranges: Vec<Range>,
    /// How many steps read no counted choice; they come first.
    early: usize,
    lists: Arc<Vec<Vec<i64>>>,
}

impl Tape {
    /// The tape of these formulas, and the number of the step of each. Cells are numbered by their places in `cells`, and
    /// the formulas read no others.
    pub fn new(arena: &Arena, lists: &Arc<Vec<Vec<i64>>>, cells: &[Node], roots: &[Node]) -> (Tape, Vec<u32>) {
        let mut met: FxHashMap<Node, bool> = FxHashMap::default();
        let mut open: Vec<Node> = roots.to_vec();
        while let Some(node) = open.pop() {
            if met.insert(node, false).is_none() {
                arena.operands(node, &mut |operand| open.push(operand));
            }
        }
        // Operands have smaller numbers than the nodes that use them.
        let mut nodes: Vec<Node> = met.keys().copied().collect();
        nodes.sort_unstable();
        for &node in &nodes {
            let mut late = matches!(arena.op(node), Op::Choice(_));
            arena.operands(node, &mut |operand| late |= met[&operand]);
            met.insert(node, late);
        }
        nodes.sort_by_key(|node| met[node]);
        let early = nodes.partition_point(|node| !met[node]);
        let number: FxHashMap<Node, u32> = nodes.iter().zip(0..).map(|(node, step)| (*node, step)).collect();
        let places: FxHashMap<Node, u32> = cells.iter().copied().zip(0..).collect();
        let step = |node: &Node| match arena.op(*node) {
            Op::Cell(cell) => Op::Cell(places.get(node).copied().unwrap_or(*cell)),
            op => renamed(op, &|node| Node(number[&node])),
        };
        let steps = nodes.iter().map(step).collect();
        let ranges = nodes.iter().map(|node| arena.range(*node)).collect();
        let numbers = roots.iter().map(|root| number[root]).collect();
        (Tape { steps, ranges, early, lists: Arc::clone(lists) }, numbers)
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The steps that read a counted choice and are needed for these, in order.
    pub fn late(&self, roots: &[u32]) -> Vec<u32> {
        let mut needed = vec![false; self.steps.len()];
        let mut open: Vec<u32> = roots.to_vec();
        while let Some(step) = open.pop() {
            if step as usize >= self.early && !std::mem::replace(&mut needed[step as usize], true) {
                visit(&self.steps[step as usize], &mut |operand| open.push(operand.0));
            }
        }
        (self.early as u32..self.steps.len() as u32).filter(|step| needed[*step as usize]).collect()
    }

    /// Computes the steps that read no counted choice.
    pub fn values(&self, point: &Point<'_>, into: &mut Vec<i64>) {
        into.clear();
        for op in &self.steps[..self.early] {
            let value = computed(op, point, &self.lists, &|step| into[step.index()]);
            into.push(value);
        }
        into.resize(self.steps.len(), 0);
    }

    /// Computes these steps again, for other choices.
    pub fn values_of(&self, steps: &[u32], point: &Point<'_>, into: &mut [i64]) {
        for &step in steps {
            into[step as usize] = computed(&self.steps[step as usize], point, &self.lists, &|step| into[step.index()]);
        }
    }

    /// What the steps that read no counted choice may give at positions whose cells lie in these ranges.
    pub fn ranges(&self, cells: &[Range], into: &mut Vec<Range>) {
        into.clear();
        for step in 0..self.early {
            let range = self.range(step, cells, &[], into);
            into.push(range);
        }
        into.extend_from_slice(&self.ranges[self.early..]);
    }

    /// What these steps may give where choices lie in these ranges, by the numbers of choices.
    pub fn ranges_of(&self, steps: &[u32], choices: &[(u32, Range)], into: &mut [Range]) {
        for &step in steps {
            into[step as usize] = self.range(step as usize, &[], choices, into);
        }
    }

    fn range(&self, step: usize, cells: &[Range], choices: &[(u32, Range)], known: &[Range]) -> Range {
        let own = self.ranges[step];
        let of = |step: &Node| known[step.index()];
        let computed = match &self.steps[step] {
            Op::Cell(cell) => cells[*cell as usize],
            Op::Choice(choice) => choices.iter().find(|known| known.0 == *choice).map_or(own, |known| known.1),
            Op::Linear(terms, constant) => linear(terms, *constant, known),
            Op::Mul(a, b) => product(of(a), of(b)),
            Op::Div(a, b) => quotient(of(a), of(b)),
            Op::Rem(a, b) => rest(of(a), of(b)),
            Op::Min(a, b) => Range { low: of(a).low.min(of(b).low), high: of(a).high.min(of(b).high) },
            Op::Max(a, b) => Range { low: of(a).low.max(of(b).low), high: of(a).high.max(of(b).high) },
            Op::Select(c, a, b) => match truth(of(c)) {
                Some(true) => of(a),
                Some(false) => of(b),
                None => of(a).union(of(b)),
            },
            Op::Not(a) => from_truth(truth(of(a)).map(|truth| !truth)),
            Op::Lt(a, b) => from_truth(less(of(a), of(b))),
            Op::Eq(a, b) => from_truth(equal(of(a), of(b))),
            Op::And(a, b) if of(a).is_truth() && of(b).is_truth() => from_truth(match (truth(of(a)), truth(of(b))) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            }),
            Op::Or(a, b) if of(a).is_truth() && of(b).is_truth() => from_truth(match (truth(of(a)), truth(of(b))) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            }),
            Op::Load(list, index) => self.item(*list, of(index)).unwrap_or(own),
            // Other operations of known operands are computed; of unknown ones, anything may come.
            op => self.exact(op, known).unwrap_or(own),
        };
        computed.meet(own).unwrap_or(own)
    }

    /// The range of the items of a list at these places, where they are few.
    fn item(&self, list: u32, places: Range) -> Option<Range> {
        let list = &self.lists[list as usize];
        if places.high.checked_sub(places.low)? > LOOKED_THROUGH {
            return None;
        }
        let item = |place: i64| usize::try_from(place).ok().and_then(|place| list.get(place)).copied().unwrap_or(0);
        (places.low..=places.high).map(|place| Range::exactly(item(place))).reduce(Range::union)
    }

    fn exact(&self, op: &Op, known: &[Range]) -> Option<Range> {
        let mut single = true;
        visit(op, &mut |step| single &= known[step.index()].single().is_some());
        let point = Point { cells: &[], mover: 0, choices: &[] };
        let leaf = matches!(op, Op::Mover);
        (single && !leaf).then(|| Range::exactly(computed(op, &point, &self.lists, &|step| known[step.index()].low)))
    }
}

fn linear(terms: &[(Node, i64)], constant: i64, known: &[Range]) -> Range {
    let (mut low, mut high) = (i128::from(constant), i128::from(constant));
    for &(step, factor) in terms {
        let range = known[step.index()];
        let (a, b) = (i128::from(range.low) * i128::from(factor), i128::from(range.high) * i128::from(factor));
        low = low.saturating_add(a.min(b));
        high = high.saturating_add(a.max(b));
    }
    Range::wide(low, high)
}

fn truth(range: Range) -> Option<bool> {
    match range.single() {
        Some(number) => Some(number != 0),
        None => (!range.contains(0)).then_some(true),
    }
}

fn from_truth(truth: Option<bool>) -> Range {
    truth.map_or(Range::TRUTH, |truth| Range::exactly(i64::from(truth)))
}

fn less(a: Range, b: Range) -> Option<bool> {
    if a.high < b.low {
        return Some(true);
    }
    (a.low >= b.high).then_some(false)
}

fn equal(a: Range, b: Range) -> Option<bool> {
    if a.meet(b).is_none() {
        return Some(false);
    }
    (a.single().is_some() && a == b).then_some(true)
}

/// Visits the operands of an operation.
fn visit(op: &Op, visit: &mut dyn FnMut(Node)) {
    let seen = std::cell::RefCell::new(visit);
    renamed(op, &|node| {
        (seen.borrow_mut())(node);
        node
    });
}

/// An operation with other operands.
fn renamed(op: &Op, of: &dyn Fn(Node) -> Node) -> Op {
    match *op {
        Op::Const(number) => Op::Const(number),
        Op::Cell(cell) => Op::Cell(cell),
        Op::Mover => Op::Mover,
        Op::Choice(choice) => Op::Choice(choice),
        Op::Linear(ref terms, constant) => {
            Op::Linear(terms.iter().map(|(node, factor)| (of(*node), *factor)).collect(), constant)
        }
        Op::Mul(a, b) => Op::Mul(of(a), of(b)),
        Op::Div(a, b) => Op::Div(of(a), of(b)),
        Op::Rem(a, b) => Op::Rem(of(a), of(b)),
        Op::Min(a, b) => Op::Min(of(a), of(b)),
        Op::Max(a, b) => Op::Max(of(a), of(b)),
        Op::And(a, b) => Op::And(of(a), of(b)),
        Op::Or(a, b) => Op::Or(of(a), of(b)),
        Op::Xor(a, b) => Op::Xor(of(a), of(b)),
        Op::Shl(a, b) => Op::Shl(of(a), of(b)),
        Op::Shr(a, b) => Op::Shr(of(a), of(b)),
        Op::Popcount(a) => Op::Popcount(of(a)),
        Op::LowestBit(a) => Op::LowestBit(of(a)),
        Op::HighestBit(a) => Op::HighestBit(of(a)),
        Op::Eq(a, b) => Op::Eq(of(a), of(b)),
        Op::Lt(a, b) => Op::Lt(of(a), of(b)),
        Op::Not(a) => Op::Not(of(a)),
        Op::Select(c, a, b) => Op::Select(of(c), of(a), of(b)),
        Op::Load(list, index) => Op::Load(list, of(index)),
        Op::AddOverflows(a, b) => Op::AddOverflows(of(a), of(b)),
        Op::SubOverflows(a, b) => Op::SubOverflows(of(a), of(b)),
        Op::MulOverflows(a, b) => Op::MulOverflows(of(a), of(b)),
    }
}
