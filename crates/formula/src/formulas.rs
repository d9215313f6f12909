//! The rules of one bound game as formulas: ends, then actions, each a condition and what it does to the cells.
//!
//! Nothing is left that the instance fixes: parameters are numbers, functions are written out, short loops and choices
//! are unrolled. A move becomes one [`Action`] for each way to make its unrolled choices, with at most a few [`Count`]s
//! for choices that are too many or depend on the position.
//!
//! The meaning, in the order of the interpreter, at a position that is not a fault:
//!
//! ```text
//! for case in ends:     if case.when  { the game is over with case.result }
//! for action in actions:                                      // in rule order, unrolled choices leftmost slowest
//!     for counts, outermost first, low..=high:
//!         if action.guard { an option: cells changed by action.after, the turn action.turn, gains action.gains }
//! if there was no option: the game is over with stuck.result
//! ```
//!
//! Options that repeat (two choices with one effect) are not merged. The order of options is that of the interpreter.

use std::sync::Arc;

use crate::node::{Arena, Node, Range};

/// The formulas of a bound game, or of one part of a sum.
#[derive(Clone, Debug)]
pub struct Formulas {
    /// The nodes that all formulas are made of.
    pub arena: Arena,
    /// The lists of the instance that are read at places that vary; for [`crate::node::Op::Load`]. Shared: they may hold
    /// millions of numbers, and formulas are copied and rewritten.
    pub lists: Arc<Vec<Vec<i64>>>,
    /// The cells of the position in the order of the layout. Cells of one value only are here too.
    pub cells: Vec<Range>,
    /// How many players.
    pub players: usize,
    /// Whether results are numbers. If not, results are outcomes of two players, or gains of more.
    pub counted: bool,
    /// Whether it matters who moves: whether the rules differ from mover to mover in anything but turns and gains seen
    /// from the mover. If not, formulas may still contain [`crate::node::Op::Mover`] in turns and gains.
    pub reads_mover: bool,
    /// The `end` rules in order.
    pub ends: Vec<Case>,
    /// The moves in order.
    pub actions: Vec<Action>,
    /// The result of a position without options; its `when` is 1.
    pub stuck: Case,
    /// Truth values that hold at every reachable position, beyond the domains (such as `i <= j`). Empty until `study`
    /// finds them.
    pub valid: Vec<Node>,
    /// The declared measure, and the condition under which it is a fault.
    pub measure: Option<(Node, Node)>,
}

/// A result and where it holds.
#[derive(Clone, Debug)]
pub struct Case {
    /// Where it holds.
    pub when: Node,
    /// The result.
    pub result: EndResult,
    /// Truth value: whether the interpreter would stop with a fault here, if no earlier case holds.
    pub fault: Node,
}

/// A result for the player to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EndResult {
    /// 1 won, 0 drawn, −1 lost by the mover; for two players without scores.
    Outcome(Node),
    /// One further gain for each player, from player 0 on.
    Gains(Vec<Node>),
}

/// One move, with its unrolled choices made.
#[derive(Clone, Debug)]
pub struct Action {
    /// Which rule.
    pub rule: usize,
    /// The value of each choice of the rule, in order; `None` for sets and lists.
    pub choices: Vec<Option<Node>>,
    /// Choices that are still to be counted through, outermost first.
    pub counts: Vec<Count>,
    /// Truth value: whether the move is legal. It may read the counted choices, as may all fields below.
    pub guard: Node,
    /// The cells that change, each once, in ascending order, with their new value. Empty if the part is split.
    pub after: Vec<(u32, Node)>,
    /// Sums only: the parts that replace this one, each with one node for each cell.
    pub split: Option<Vec<Vec<Node>>>,
    /// Who moves next.
    pub turn: Node,
    /// One gain for each player; empty if the game has no scores or the move gains nothing.
    pub gains: Vec<Node>,
    /// Truth value: whether the interpreter would stop with a fault at this move, or at its guard. It includes the
    /// condition that the guard holds where that matters.
    pub fault: Node,
}

impl Action {
    /// Whether the action is never legal and never a fault.
    pub fn never_happens(&self, arena: &Arena) -> bool {
        let faults = self.counts.iter().map(|count| count.fault).chain([self.fault]);
        [self.guard].into_iter().chain(faults).all(|node| arena.known(node) == Some(0))
    }
}

/// A choice that runs through a range of numbers. Nothing happens if `low > high`.
#[derive(Clone, Debug)]
pub struct Count {
    /// The number of the [`crate::node::Op::Choice`].
    pub choice: u32,
    /// The first number.
    pub low: Node,
    /// The last number, inclusive.
    pub high: Node,
    /// Truth value: whether the bounds are a fault (evaluated once, before counting).
    pub fault: Node,
}
