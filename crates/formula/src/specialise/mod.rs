//! From a bound game to its formulas: the checked program runs once, with nodes in place of the position.
//!
//! What the instance fixes is computed as the interpreter would; what depends on the position becomes a node. Functions
//! are written out, loops and short choices are unrolled, both branches of an `if` are run and their effects merged.
//! Each possible fault of the interpreter becomes a truth value, unless ranges, narrowed by the conditions on the way
//! there, show that it cannot happen.
//!
//! The program can also be compiled as it stands, with its loops and lists (crate `jit`, `program`). But proofs, fills and
//! undone moves need to know by how much a move shifts the position and which cells it reads. That is only visible once
//! everything known is gone.
//!
//! - `symbols`: symbolic values; `state`: the position while a move runs, journal and merging; `path`: conditions on
//!   the way, and faults.
//! - `scalars`, `values`, `lists`, `sets`, `loops`, `builtins`: expressions, in step with the interpreter's `eval`.
//! - `statements`, `choices`, `results`: the interpreter's `exec`, `moves` and `results`.
//! - `scope`: which other limits would have made the same.

mod builtins;
mod choices;
mod lists;
mod loops;
mod path;
mod results;
mod scalars;
mod scope;
mod sets;
mod state;
mod statements;
mod symbols;
mod values;
mod written;

use std::fmt;
use std::sync::Arc;

use rules::bind::Bound;
use rules::interpreter::Interpreter;
use rules::layout::Leaf;
use rules::program::{Expr, Program};
use rustc_hash::FxHashMap;

use crate::formulas::{Action, Formulas};
use crate::node::{Arena, Node, Op, Range};
use path::Level;
pub use scope::Scope;
use state::State;
use symbols::{Flat, Set, Sym, Table};

/// The most expressions that may be evaluated.
const STEP_LIMIT: usize = 500_000;
/// So many steps count as much as a node.
const STEPS_A_NODE: usize = 4;
/// So many steps are taken between two looks at the stop button.
const LOOK_EVERY: usize = 1 << 10;
/// Why there are no formulas where unfolding was stopped. Whoever stopped it knows why.
const STOPPED: &str = "unfolding was stopped";
/// The most possible elements of a set. Its mask and the sums over it then fit in 63 bits.
pub(super) const SET_SIZE: usize = 62;

/// Why a game has no formulas, as a part of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// For example "the set `left` has more than 62 possible elements".
    pub why: String,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for Unsupported {}

/// How far rules are unfolded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most values of a choice with known bounds that become one action each.
    pub known_choices: usize,
    /// The most values of such a choice on a board. If the choice were counted, it would be a varying place.
    pub board_choices: usize,
    /// The most values of a choice whose bounds depend on the position that become one action each.
    pub varying_choices: usize,
    /// The most actions in all. Beyond that, choices are counted.
    pub actions: usize,
    /// The most nodes, and a quarter of the most steps.
    pub nodes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { known_choices: 64, board_choices: 400, varying_choices: 24, actions: 1500, nodes: 40_000 }
    }
}

impl Limits {
    /// Choices among what the instance fixes become one action each, on a board even thousands (of stacks, say). Choices that
    /// depend on the position are counted: their conditions say more than a list of numbers.
    pub fn listed() -> Limits {
        Limits { board_choices: 4096, varying_choices: 1, actions: 4096, nodes: 300_000, ..Limits::default() }
    }

    /// Choices of more than one value are counted.
    pub fn counted() -> Limits {
        Limits { known_choices: 1, board_choices: 1, varying_choices: 1, nodes: 300_000, ..Limits::default() }
    }
}

type Made<T> = Result<T, Unsupported>;

fn unsupported<T>(why: impl Into<String>) -> Made<T> {
    Err(Unsupported { why: why.into() })
}

/// The formulas of a bound game, or of one part of a sum, or why there are none.
pub fn specialise(bound: &Bound) -> Result<Formulas, Unsupported> {
    specialise_within(bound, Limits::default())
}

/// The formulas of a bound game within other limits.
pub fn specialise_within(bound: &Bound, limits: Limits) -> Result<Formulas, Unsupported> {
    specialise_scoped(bound, limits).0
}

/// Formulas within limits, or why there are none; and which limits would have made the same.
pub fn specialise_scoped(bound: &Bound, limits: Limits) -> (Result<Formulas, Unsupported>, Scope) {
    let mut maker = match Specialiser::new(bound, limits) {
        Ok(maker) => maker,
        Err(why) => return (Err(why), Scope::ALL),
    };
    let made = maker.formulas();
    (made, maker.scope)
}

/// Runs a program with nodes.
struct Specialiser<'b> {
    bound: &'b Bound,
    program: &'b Program,
    interpreter: Interpreter<'b>,
    arena: Arena,
    lists: Vec<Vec<i64>>,
    /// The domain of each cell.
    domains: Vec<Range>,
    mover: Node,
    state: State,
    /// The conditions on the way to this point.
    path: Vec<Level>,
    /// Truth value: whether a fault has happened since this was last taken.
    fault: Node,
    /// Lists of numbers that formulas read.
    flats: Vec<Flat>,
    flat_of: FxHashMap<(usize, usize), usize>,
    /// Lists of lists that formulas read rows of.
    tables: Vec<Table>,
    table_of: FxHashMap<(usize, usize), usize>,
    /// Copies of tables without repeats within a row.
    distinct_of: FxHashMap<(usize, usize), usize>,
    list_of: FxHashMap<Vec<i64>, u32>,
    /// The divisors of all numbers up to a bound.
    divisor_table: Option<(i64, usize)>,
    /// Whether expressions read only the instance.
    closed: FxHashMap<*const Expr, bool>,
    /// The square roots taken so far, with their radicands.
    roots: FxHashMap<Node, Node>,
    choices: FxHashMap<(usize, Range), u32>,
    found: Vec<Action>,
    /// How many choices of the current rule may be unrolled.
    unrolled: usize,
    /// Which of two equal numbers of a set that is written out stands for both.
    ties: written::Ties,
    limits: Limits,
    /// The limits that would have led here too.
    scope: Scope,
    steps: usize,
}

impl<'b> Specialiser<'b> {
    fn new(bound: &'b Bound, limits: Limits) -> Made<Specialiser<'b>> {
        let mut arena = Arena::new();
        let mut cells = Vec::with_capacity(bound.layout.cells());
        let mut domains = Vec::with_capacity(bound.layout.cells());
        for slot in &bound.layout.variables {
            for _ in 0..slot.cells {
                let cell = domains.len() as u32;
                let (range, set) = match (slot.leaf.range(), &slot.leaf) {
                    (Some((low, high)), _) if low <= high => (Range { low, high }, None),
                    (None, Leaf::Set { low, size, .. }) if *size <= SET_SIZE => {
                        (Range { low: 0, high: (1i64 << size) - 1 }, Some((*low, *size)))
                    }
                    (None, _) => {
                        return unsupported(format!("the set `{}` has more than 62 possible elements", slot.name));
                    }
                    _ => return unsupported(format!("the domain of `{}` is empty", slot.name)),
                };
                domains.push(range);
                let node = arena.cell(cell, range);
                cells.push(match set {
                    Some((low, size)) => Sym::Set(Set::of_mask(low, size, node)),
                    None => Sym::Scalar(node),
                });
            }
        }
        let mover = arena.mover(bound.players);
        let (zero, next) = (arena.number(0), next_player(&mut arena, mover, bound.players));
        Ok(Specialiser {
            bound,
            program: &bound.program,
            interpreter: Interpreter::new(bound),
            arena,
            lists: Vec::new(),
            domains,
            mover,
            state: State::new(cells, if bound.program.counted { vec![zero; bound.players] } else { Vec::new() }, next),
            path: Vec::new(),
            fault: zero,
            flats: Vec::new(),
            flat_of: FxHashMap::default(),
            tables: Vec::new(),
            table_of: FxHashMap::default(),
            distinct_of: FxHashMap::default(),
            list_of: FxHashMap::default(),
            divisor_table: None,
            closed: FxHashMap::default(),
            roots: FxHashMap::default(),
            choices: FxHashMap::default(),
            found: Vec::new(),
            unrolled: usize::MAX,
            ties: written::Ties::default(),
            limits,
            scope: Scope::ALL,
            steps: 0,
        })
    }

    /// All formulas. The arena and the lists are moved into them.
    fn formulas(&mut self) -> Made<Formulas> {
        let measure = self.measure()?;
        let ends = self.ends()?;
        let actions = self.actions()?;
        let stuck = self.stuck()?;
        let lists = self.read_lists();
        let mut formulas = Formulas {
            arena: std::mem::take(&mut self.arena),
            lists: Arc::new(lists),
            cells: std::mem::take(&mut self.domains),
            players: self.bound.players,
            counted: self.program.counted,
            reads_mover: true,
            ends,
            actions,
            stuck,
            valid: Vec::new(),
            measure,
        };
        formulas.reads_mover = results::mover_matters(&mut formulas);
        Ok(formulas)
    }

    /// Takes the lists. Those that no node reads are left empty: those of which only sums are read, for one.
    fn read_lists(&mut self) -> Vec<Vec<i64>> {
        let mut read = vec![false; self.lists.len()];
        for node in 0..self.arena.len() {
            if let Op::Load(list, _) = self.arena.op(Node(node as u32)) {
                read[*list as usize] = true;
            }
        }
        let lists = std::mem::take(&mut self.lists);
        lists.into_iter().zip(read).map(|(list, read)| if read { list } else { Vec::new() }).collect()
    }

    /// Counts one step.
    fn step(&mut self) -> Made<()> {
        self.steps += 1;
        // Steps that make nodes which are there already take time, too.
        let size = self.arena.len().max(self.steps / STEPS_A_NODE);
        let few_nodes = self.scope.nodes.admits(size as i128, self.limits.nodes);
        if self.steps > STEP_LIMIT || !few_nodes {
            return unsupported("the rules unfold to too many formulas");
        }
        if self.steps.is_multiple_of(LOOK_EVERY) && rules::stop::look().is_err() {
            return unsupported(STOPPED);
        }
        if self.arena.is_full() {
            return unsupported("the formulas of the rules do not fit in memory");
        }
        Ok(())
    }

    fn is_never(&self, node: Node) -> bool {
        self.arena.known(node) == Some(0)
    }

    fn is_always(&self, node: Node) -> bool {
        self.arena.known(node).is_some_and(|number| number != 0)
    }
}

/// Who moves after the mover.
fn next_player(arena: &mut Arena, mover: Node, players: usize) -> Node {
    let last = arena.number(players as i64 - 1);
    let wraps = arena.eq(mover, last);
    arena.combine(&[(mover, 1), (wraps, -(players as i64))], 1)
}
