//! What is filled and how it is nested: loops with their bounds, ends, moves as shifts of the code.
//!
//! All nodes that the code needs are made here, since emission only reads the arena. Everything that ranges prove is
//! decided here too: guards that always hold, faults that cannot happen, options that certainly lie in the table.

use formula::facts::Facts;
use formula::rewrite::Rewrite;
use formula::{Action, Coded, Count, Formulas, Node, Numbering, Op, Order, Range};

use super::values::{Values, difference};
use crate::error::JitError;

/// Positions may not have more options than this if nimbers are wanted.
const MOST_MARKS: u64 = 1 << 28;

/// One loop: a digit of the code.
#[derive(Clone, Debug)]
pub(crate) struct Var {
    /// The cell, or the mover.
    pub node: Node,
    /// Its least value.
    pub low: i64,
    /// Its largest value.
    pub high: i64,
    /// What one step of it adds to the code.
    pub stride: i64,
    /// Whether it counts up.
    pub ascending: bool,
    /// Lower bounds, which read only outer loops.
    pub lower: Vec<Node>,
    /// Upper bounds, which read only outer loops.
    pub upper: Vec<Node>,
    /// Its name; for a cell, as [`formula::order::with_names`] takes it.
    pub name: String,
}

impl Var {
    /// How many values it has.
    pub fn size(&self) -> u64 {
        (self.high - self.low) as u64 + 1
    }
}

/// An end.
#[derive(Clone, Debug)]
pub(crate) struct End {
    /// Where it holds.
    pub when: Node,
    /// Where it is a fault.
    pub fault: Node,
    /// The entry of a position that ends here.
    pub value: Node,
}

/// A move.
#[derive(Clone, Debug)]
pub(crate) struct Move {
    /// The counted choices.
    pub counts: Vec<Count>,
    /// Where it is legal.
    pub guard: Node,
    /// Where it is a fault.
    pub fault: Node,
    /// Code of the option minus code of the position.
    pub shift: Node,
    /// The variables that change, by loop, with their new value.
    pub after: Vec<(usize, Node)>,
    /// How far it goes in each loop that it changes; negative means back. Not for parts.
    pub moved: Vec<(usize, Range)>,
    /// Whether the mover moves again.
    pub same: Node,
    /// The mover's gain.
    pub gain: Node,
    /// Nimbers only: the codes of the parts that replace the position.
    pub parts: Option<Vec<Node>>,
    /// Whether the option may lie outside the table, so that the code must check.
    pub checked: bool,
}

/// Everything about one fill.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The formulas, with all nodes.
    pub formulas: Formulas,
    /// What the table holds.
    pub values: Values,
    /// The loops, outermost first.
    pub vars: Vec<Var>,
    /// Every move goes strictly back in this many outer loops.
    pub strict: usize,
    /// The ends.
    pub ends: Vec<End>,
    /// The moves.
    pub moves: Vec<Move>,
    /// The entry of a position without a move.
    pub stuck: Node,
    /// Where that position is a fault.
    pub stuck_fault: Node,
    /// Conditions that the bounds of the loops guarantee.
    pub held: Vec<Node>,
    /// Conditions to be tested; positions where one fails are skipped.
    pub tested: Vec<Node>,
    /// Nodes that are parities of sums.
    pub parities: Vec<Node>,
    /// Whether some options are known to lie in the table only because of the tested conditions.
    pub lean: bool,
    /// Whether any fault may happen.
    pub faults: bool,
    /// How many entries the table has.
    pub size: u64,
    /// No nimber is larger than this.
    pub most_options: u64,
}

impl Plan {
    /// Plans the fill.
    pub fn new(coded: &Coded, order: &Order, values: Values) -> Result<Plan, JitError> {
        if !values.fits(&coded.formulas) {
            return Err(JitError::Unsupported("values of this kind do not go with these rules"));
        }
        let mut coded = coded.clone();
        let (vars, strict) = vars(&mut coded, order)?;
        let shifts: Vec<Node> = (0..coded.formulas.actions.len()).map(|action| coded.shift(action)).collect();
        let Coded { mut formulas, same, numbering, mover, .. } = coded;
        let mover = mover_node(&mut formulas, mover, numbering.turn.is_some());
        let nodes = formulas.arena.number(0);
        let mut plan = Plan {
            values,
            strict,
            vars,
            ends: Vec::new(),
            moves: Vec::new(),
            stuck: nodes,
            stuck_fault: nodes,
            held: Vec::new(),
            tested: Vec::new(),
            parities: Vec::new(),
            lean: false,
            faults: false,
            size: numbering.size,
            most_options: 0,
            formulas,
        };
        plan.find_parities();
        plan.bounds();
        plan.add_results(mover)?;
        for (index, shift) in shifts.into_iter().enumerate() {
            plan.add_move(index, shift, same[index], mover, &numbering)?;
        }
        plan.settle();
        // No nimber is larger than the number of other positions, so more options than that make no difference.
        plan.most_options = plan.count_options().unwrap_or(u64::MAX).min(plan.size);
        if let Values::Nimber { .. } = values
            && (plan.most_options >= MOST_MARKS || !plan.never(plan.stuck_fault))
        {
            return Err(JitError::Unsupported("too many options for nimbers"));
        }
        Ok(plan)
    }

    /// Turns linear conditions that hold at every reachable position into bounds of the loops.
    fn bounds(&mut self) {
        let mut left: Vec<Node> = self.formulas.valid.clone();
        while let Some(condition) = left.pop() {
            match self.formulas.arena.op(condition).clone() {
                Op::Const(_) => {}
                Op::And(a, b) if self.is_truth(a) && self.is_truth(b) => left.extend([a, b]),
                Op::Eq(a, b) if self.bound(b, a, 0) => {
                    let other = self.bound(a, b, 0);
                    (if other { &mut self.held } else { &mut self.tested }).push(condition);
                }
                Op::Lt(a, b) if self.bound(b, a, -1) => self.held.push(condition),
                Op::Not(inner) => match self.formulas.arena.op(inner).clone() {
                    // not a < b: a − b ≥ 0
                    Op::Lt(a, b) if self.bound(a, b, 0) => self.held.push(condition),
                    _ => self.tested.push(condition),
                },
                _ => self.tested.push(condition),
            }
        }
    }

    fn is_truth(&self, node: Node) -> bool {
        self.formulas.arena.range(node).is_truth()
    }

    /// Makes `a − b + more ≥ 0` a bound of its innermost loop, if it is linear in that variable.
    fn bound(&mut self, a: Node, b: Node, more: i64) -> bool {
        let arena = &mut self.formulas.arena;
        if arena.difference(a, b).is_none() {
            return false;
        }
        let difference = arena.sub(a, b);
        let difference = arena.shift(difference, more);
        if arena.range(difference) == Range::FULL {
            return false;
        }
        let (terms, constant) = arena.linear(difference);
        let levels = self.levels(&[]);
        let Some(&(innermost, factor)) = terms.iter().max_by_key(|term| levels[term.0.index()]) else { return false };
        let level = levels[innermost.index()];
        if level == 0 || self.vars[level - 1].node != innermost {
            return false;
        }
        let rest: Vec<(Node, i64)> = terms.iter().copied().filter(|term| term.0 != innermost).collect();
        if rest.iter().any(|term| levels[term.0.index()] >= level) {
            return false;
        }
        // factor · v + rest ≥ 0
        let arena = &mut self.formulas.arena;
        let rest = arena.combine(&rest, constant);
        let by = arena.number(factor.saturating_abs());
        let most = arena.div(rest, by);
        if factor > 0 {
            let least = arena.neg(most);
            self.vars[level - 1].lower.push(least);
        } else {
            self.vars[level - 1].upper.push(most);
        }
        true
    }

    /// The level at which each node must be computed: 0 outside, `l + 1` in the loop over variable `l`, and deeper for
    /// the given choices in turn.
    pub fn levels(&self, counts: &[Count]) -> Vec<usize> {
        let mut levels = Vec::with_capacity(self.formulas.arena.len());
        self.more_levels(counts, &mut levels);
        levels
    }

    /// Continues [`Plan::levels`] for nodes made since then.
    pub fn more_levels(&self, counts: &[Count], levels: &mut Vec<usize>) {
        let arena = &self.formulas.arena;
        let depth = self.vars.len();
        for index in levels.len()..arena.len() {
            let node = Node(index as u32);
            let level = match arena.op(node) {
                Op::Const(_) => 0,
                Op::Cell(_) | Op::Mover => self.vars.iter().position(|var| var.node == node).map_or(0, |at| at + 1),
                Op::Choice(choice) => {
                    depth + 1 + counts.iter().position(|count| count.choice == *choice).unwrap_or(counts.len())
                }
                _ => {
                    let mut level = 0;
                    arena.operands(node, &mut |operand| level = level.max(levels[operand.index()]));
                    level
                }
            };
            levels.push(level);
        }
    }

    /// A result as player 0 sees it, if positions do not distinguish the players.
    fn for_mover(&mut self, mover: Node, node: Node) -> Node {
        if self.formulas.arena.known(mover) != Some(0) {
            return node;
        }
        let either = self.formulas.arena.mover(self.formulas.players);
        Rewrite::new(&[(either, mover)]).node(&mut self.formulas.arena, &self.formulas.lists, node)
    }

    fn add_results(&mut self, mover: Node) -> Result<(), JitError> {
        for case in self.formulas.ends.clone() {
            let value = self.values.end(&mut self.formulas, mover, &case.result);
            let value = self.for_mover(mover, value);
            self.ends.push(End { when: case.when, fault: case.fault, value });
        }
        let stuck = self.formulas.stuck.clone();
        let value = self.values.end(&mut self.formulas, mover, &stuck.result);
        self.stuck = self.for_mover(mover, value);
        self.stuck_fault = stuck.fault;
        Ok(())
    }

    fn add_move(
        &mut self,
        index: usize,
        shift: Node,
        same: Node,
        mover: Node,
        numbering: &Numbering,
    ) -> Result<(), JitError> {
        let action = self.formulas.actions[index].clone();
        let mut fault = action.fault;
        let gain = match self.values {
            Values::Score { checked, .. } => {
                if let (true, &[first, second]) = (checked, &action.gains[..]) {
                    let arena = &mut self.formulas.arena;
                    let overflows = [arena.sub_overflows(first, second), arena.sub_overflows(second, first)];
                    for overflow in overflows {
                        let bad = self.formulas.arena.and(action.guard, overflow);
                        fault = self.formulas.arena.or(fault, bad);
                    }
                }
                let gain = difference(&mut self.formulas, mover, &action.gains);
                self.for_mover(mover, gain)
            }
            _ => self.formulas.arena.number(0),
        };
        let parts = match &action.split {
            Some(_) if !matches!(self.values, Values::Nimber { .. }) => {
                return Err(JitError::Unsupported("positions that fall into parts have nimbers only"));
            }
            Some(split) => Some(split.iter().map(|part| self.part_code(part, numbering)).collect()),
            None => None,
        };
        let mut facts = self.facts(&[action.guard]);
        facts.assume(&mut self.formulas.arena, fault, false);
        self.assume_counts(&mut facts, &action.counts);
        let mut checked = !self.inside(&facts, &action, numbering);
        if checked && !self.tested.is_empty() {
            // It may be certain where the other conditions hold; then they are tested.
            let conditions: Vec<Node> = self.tested.iter().copied().chain([action.guard]).collect();
            let mut narrower = self.facts(&conditions);
            narrower.assume(&mut self.formulas.arena, fault, false);
            self.assume_counts(&mut narrower, &action.counts);
            checked = !self.inside(&narrower, &action, numbering);
            self.lean |= !checked;
        }
        let (shift, same, gain) = self.where_legal(&facts, [shift, same, gain]);
        let never = |node: Node| self.formulas.arena.known(node) == Some(0);
        if facts.is_impossible() && never(fault) && action.counts.iter().all(|count| never(count.fault)) {
            return Ok(());
        }
        let mut after: Vec<(usize, Node)> = Vec::new();
        for (level, var) in self.vars.iter().enumerate() {
            let node = match self.formulas.arena.op(var.node) {
                Op::Cell(cell) => action.after.iter().find(|after| after.0 == *cell).map(|after| after.1),
                _ => Some(action.turn),
            };
            after.extend(node.map(|node| (level, node)));
        }
        let moved = self.moved(&facts, &after);
        let Action { counts, guard, .. } = action;
        self.moves.push(Move { counts, guard, fault, shift, after, moved, same, gain, parts, checked });
        Ok(())
    }

    /// The code of a part, computed from its cells.
    fn part_code(&mut self, part: &[Node], numbering: &Numbering) -> Node {
        let mut terms = Vec::new();
        let mut constant = 0i64;
        for digit in &numbering.digits {
            terms.push((part[digit.cell as usize], digit.stride as i64));
            constant = constant.wrapping_sub(digit.low.wrapping_mul(digit.stride as i64));
        }
        self.formulas.arena.combine(&terms, constant)
    }

    /// Whether the option of an action certainly lies in the table, with every digit in its domain.
    fn inside(&self, facts: &Facts, action: &Action, numbering: &Numbering) -> bool {
        let arena = &self.formulas.arena;
        let fits = |cell: u32, node: Node| {
            let Some(digit) = numbering.digits.iter().find(|digit| digit.cell == cell) else { return true };
            let high = digit.low.saturating_add_unsigned(digit.size - 1);
            Range { low: digit.low, high }.covers(facts.range(arena, node))
        };
        if let Some(split) = &action.split {
            return split.iter().all(|part| part.iter().enumerate().all(|(cell, node)| fits(cell as u32, *node)));
        }
        let turns = Range { low: 0, high: self.formulas.players as i64 - 1 };
        action.after.iter().all(|(cell, node)| fits(*cell, *node))
            && (numbering.turn.is_none() || turns.covers(facts.range(arena, action.turn)))
    }

    fn count_options(&self) -> Option<u64> {
        let arena = &self.formulas.arena;
        let mut all = 0u64;
        for step in &self.moves {
            let mut ways = 1u64;
            for count in &step.counts {
                let (low, high) = (arena.range(count.low).low, arena.range(count.high).high);
                let length = u64::try_from(i128::from(high) - i128::from(low) + 1).unwrap_or(0);
                ways = ways.checked_mul(length)?;
            }
            all = all.checked_add(ways)?;
        }
        Some(all)
    }

    /// How many marks nimbers need: a power of two, since nimbers of parts are added by XOR.
    pub fn marks(&self) -> usize {
        (self.most_options + 1).next_power_of_two() as usize
    }

    /// Whether a node is the constant 0.
    pub fn never(&self, node: Node) -> bool {
        self.formulas.arena.known(node) == Some(0)
    }
}

/// The mover in results: its digit, its formula, or player 0 if nothing reads it.
fn mover_node(formulas: &mut Formulas, mover: Option<Node>, digit: bool) -> Node {
    match mover {
        Some(node) => node,
        None if digit => formulas.arena.mover(formulas.players),
        None => formulas.arena.number(0),
    }
}

fn vars(coded: &mut Coded, order: &Order) -> Result<(Vec<Var>, usize), JitError> {
    let mut vars = Vec::with_capacity(order.loops.len() + 1);
    let mut strict = 0;
    for (index, step) in order.loops.iter().enumerate() {
        let Some(digit) = coded.digit(step.cell).copied() else { continue };
        if digit.size <= 1 {
            continue; // A cell of one value is a number in every formula.
        }
        let high = digit.low.checked_add_unsigned(digit.size - 1);
        let (Some(high), Ok(stride)) = (high, i64::try_from(digit.stride)) else {
            return Err(JitError::Unsupported("a code of more than 63 bits"));
        };
        let node = coded.formulas.arena.cell(step.cell, Range { low: digit.low, high });
        let name = format!("{{{}}}", step.cell);
        strict += usize::from(index < order.strict);
        let (lower, upper) = (Vec::new(), Vec::new());
        vars.push(Var { node, low: digit.low, high, stride, ascending: step.ascending, lower, upper, name });
    }
    if vars.len() != coded.numbering.digits.iter().filter(|digit| digit.size > 1).count() {
        return Err(JitError::Unsupported("the order leaves a digit out"));
    }
    if let Some(stride) = coded.numbering.turn
        && coded.formulas.players > 1
    {
        let high = coded.formulas.players as i64 - 1;
        let node = coded.formulas.arena.mover(coded.formulas.players);
        let stride = stride as i64;
        let var = Var {
            node,
            low: 0,
            high,
            stride,
            ascending: true,
            lower: Vec::new(),
            upper: Vec::new(),
            name: "the turn".into(),
        };
        // Moves go back in the strict loops, so inside these the turn may stand anywhere: it goes where its stride
        // fits.
        let at = (strict..vars.len()).find(|&at| vars[at].stride < stride).unwrap_or(vars.len());
        vars.insert(at, var);
    }
    Ok((vars, strict))
}
