//! Reads formulas at cubes: what they are worth where only some variables are known, and on what they depend.

use formula::eval::{Point, computed};
use formula::{Formulas, Node, Op};
use rules::stop::Held;
use rustc_hash::FxHashMap;

use crate::cube::{Cube, MOST_VALUES, Variables};

/// Why there are no masks where the work on them was stopped.
pub(crate) const STOPPED: &str = "it was stopped";
/// Why there are none where they would not fit.
pub(crate) const LARGE: &str = "masks would take more memory than there is";

/// What a node is worth, besides what the mover decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Read {
    Constant(i64),
    /// It depends on one variable: its worth for each value of that.
    Table(u32, [i64; MOST_VALUES as usize]),
    Many,
}

/// Reads the formulas of a game with one player to move.
pub(crate) struct Reader<'f> {
    pub formulas: &'f Formulas,
    pub variables: &'f Variables,
    mover: i64,
    reads: Vec<Read>,
    _held: Held,
}

impl<'f> Reader<'f> {
    pub fn new(formulas: &'f Formulas, variables: &'f Variables, mover: i64) -> Result<Reader<'f>, &'static str> {
        let nodes = formulas.arena.len();
        let mut held = Held::default();
        held.try_grow((nodes * size_of::<Read>()) as u64).map_err(|_| LARGE)?;
        let mut reader = Reader { formulas, variables, mover, reads: Vec::with_capacity(nodes), _held: held };
        // Operands have smaller numbers than the nodes that use them.
        for number in 0..nodes as u32 {
            let read = reader.read(Node(number));
            reader.reads.push(read);
        }
        Ok(reader)
    }

    fn read(&self, node: Node) -> Read {
        let arena = &self.formulas.arena;
        match arena.op(node) {
            Op::Choice(_) => return Read::Many,
            Op::Cell(cell) => {
                let range = self.formulas.cells[*cell as usize];
                return match self.variables.of_cell(*cell) {
                    Some(variable) => Read::Table(variable, std::array::from_fn(|value| range.low + value as i64)),
                    None => range.single().map_or(Read::Many, Read::Constant),
                };
            }
            Op::And(..) => {
                if let Some((variable, mask)) = self.element(node) {
                    return Read::Table(variable, std::array::from_fn(|value| mask * (value == 1) as i64));
                }
            }
            _ => {}
        }
        let (mut variable, mut many) = (None, false);
        arena.operands(node, &mut |operand| match self.reads[operand.index()] {
            Read::Constant(_) => {}
            Read::Table(other, _) => many |= *variable.get_or_insert(other) != other,
            Read::Many => many = true,
        });
        if many {
            return Read::Many;
        }
        let point = Point { cells: &[], mover: self.mover, choices: &[] };
        let worth = |value: usize| {
            let of = |operand: Node| match &self.reads[operand.index()] {
                Read::Constant(number) => *number,
                Read::Table(_, values) => values[value],
                Read::Many => 0,
            };
            computed(arena.op(node), &point, &self.formulas.lists, &of)
        };
        match variable {
            None => Read::Constant(worth(0)),
            Some(variable) => {
                let size = self.variables.list[variable as usize].size as usize;
                Read::Table(variable, std::array::from_fn(|value| if value < size { worth(value) } else { 0 }))
            }
        }
    }

    /// The variable of `set & 2^i` or `set / 2^i & 1`, and what that is worth where the element is in the set.
    fn element(&self, node: Node) -> Option<(u32, i64)> {
        let arena = &self.formulas.arena;
        let Op::And(a, b) = arena.op(node) else { return None };
        let (set, mask) = match (arena.known(*a), arena.known(*b)) {
            (Some(mask), None) => (*b, mask),
            (None, Some(mask)) => (*a, mask),
            _ => return None,
        };
        if mask.count_ones() != 1 {
            return None;
        }
        let (set, by) = match arena.op(set) {
            Op::Shr(set, by) => (*set, u32::try_from(arena.known(*by)?).ok().filter(|by| *by < 64)?),
            _ => (set, 0),
        };
        let Op::Cell(cell) = arena.op(set) else { return None };
        Some((self.variables.of_bit(*cell, mask.trailing_zeros() + by)?, mask))
    }

    /// The variable that a node depends on alone, and its worth for each value of that variable.
    pub fn table(&self, node: Node) -> Option<(u32, &[i64])> {
        let Read::Table(variable, values) = &self.reads[node.index()] else { return None };
        Some((*variable, &values[..self.variables.list[*variable as usize].size as usize]))
    }

    /// The value of a node of one variable at a cube, if it is the same at all its positions; or that of a constant.
    pub fn simple(&self, node: Node, cube: &Cube) -> Option<i64> {
        if let Read::Constant(number) = self.reads[node.index()] {
            return Some(number);
        }
        let (_, classes) = self.classes(node, cube)?;
        match classes[..] {
            [(worth, _)] => Some(worth),
            _ => None,
        }
    }

    /// The values of a variable by what a node of it is worth: each worth with its values as bits.
    pub fn classes(&self, node: Node, cube: &Cube) -> Option<(u32, Vec<(i64, u8)>)> {
        let (variable, values) = self.table(node)?;
        let allowed = cube.allowed(variable).unwrap_or(u8::MAX);
        let mut classes: Vec<(i64, u8)> = Vec::new();
        for (value, held) in values.iter().enumerate().filter(|(value, _)| allowed >> value & 1 == 1) {
            match classes.iter_mut().find(|class| class.0 == *held) {
                Some(class) => class.1 |= 1 << value,
                None => classes.push((*held, 1 << value)),
            }
        }
        Some((variable, classes))
    }
}

/// What nodes are worth at one cube, as far as that is known.
pub(crate) struct Known {
    values: FxHashMap<Node, i64>,
}

impl Known {
    /// Goes through nodes, operands first.
    pub fn new(reader: &Reader<'_>, nodes: &[Node], cube: &Cube) -> Known {
        let mut known = Known { values: FxHashMap::default() };
        for &node in nodes {
            let value = reader.simple(node, cube).or_else(|| known.compound(reader.formulas, node));
            if let Some(value) = value {
                known.values.insert(node, value);
            }
        }
        known
    }

    pub fn get(&self, node: Node) -> Option<i64> {
        self.values.get(&node).copied()
    }

    /// The value of an operation some of whose operands are known.
    fn compound(&self, formulas: &Formulas, node: Node) -> Option<i64> {
        let arena = &formulas.arena;
        let of = |node: &Node| self.get(*node);
        let is_truth = |node: &Node| arena.range(*node).is_truth();
        match arena.op(node) {
            Op::Linear(terms, constant) => terms.iter().try_fold(*constant, |sum, (node, factor)| {
                Some(sum.wrapping_add(self.get(*node)?.wrapping_mul(*factor)))
            }),
            Op::And(a, b) => match (of(a), of(b)) {
                (Some(0), _) | (_, Some(0)) => Some(0),
                (a, b) => Some(a? & b?),
            },
            Op::Or(a, b) => match (of(a), of(b)) {
                (Some(1), _) if is_truth(b) => Some(1),
                (_, Some(1)) if is_truth(a) => Some(1),
                (a, b) => Some(a? | b?),
            },
            Op::Mul(a, b) => match (of(a), of(b)) {
                (Some(0), _) | (_, Some(0)) => Some(0),
                (a, b) => Some(a?.wrapping_mul(b?)),
            },
            Op::Xor(a, b) => Some(of(a)? ^ of(b)?),
            Op::Min(a, b) => Some(of(a)?.min(of(b)?)),
            Op::Max(a, b) => Some(of(a)?.max(of(b)?)),
            Op::Eq(a, b) => Some(i64::from(of(a)? == of(b)?)),
            Op::Lt(a, b) => Some(i64::from(of(a)? < of(b)?)),
            Op::Not(a) => Some(i64::from(of(a)? == 0)),
            Op::Select(condition, a, b) => match of(condition) {
                Some(0) => of(b),
                Some(_) => of(a),
                None => of(a).filter(|value| of(b) == Some(*value)),
            },
            _ => None,
        }
    }

    /// The node that a choice between nodes comes down to.
    pub fn resolved(&self, formulas: &Formulas, mut node: Node) -> Node {
        while let Op::Select(condition, a, b) = formulas.arena.op(node) {
            match self.get(*condition) {
                Some(0) => node = *b,
                Some(_) => node = *a,
                None => break,
            }
        }
        node
    }

    /// A node of one variable that must be known before this one is; `None` if there is none such.
    pub fn missing(&self, reader: &Reader<'_>, mut node: Node) -> Option<Node> {
        loop {
            node = self.resolved(reader.formulas, node);
            if reader.table(node).is_some() {
                return Some(node);
            }
            let mut unknown = None;
            reader.formulas.arena.operands(node, &mut |operand| {
                if unknown.is_none() && self.get(operand).is_none() {
                    unknown = Some(operand);
                }
            });
            node = unknown?;
        }
    }
}
