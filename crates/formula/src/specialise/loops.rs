//! Loops, comprehensions and folds, unrolled.

use rules::program::{Expr, ExprKind, Fold, Loop};
use rules::types::Type;
use rules::visit;

use super::symbols::Sym;
use super::{Made, Specialiser, unsupported};
use crate::node::Node;

/// The most turns of a loop whose bounds depend on the position.
const TURNS: i128 = 400;
/// The most turns of a loop whose sums are tabulated.
const TABLE: i128 = 1 << 18;
/// The most turns of any loop.
const KNOWN_TURNS: i128 = 100_000;

/// The body of a loop. It gets the condition under which the fold gets this far if nothing stops it, and returns
/// whether it goes on afterwards.
type Body<'c, 'b> = &'c mut dyn FnMut(&mut Specialiser<'b>, Node) -> Made<Node>;

impl<'b> Specialiser<'b> {
    /// The bounds of a range, both inclusive; the range is empty if they cross.
    pub(super) fn bounds(&mut self, low: &'b Expr, high: &'b Expr, inclusive: bool) -> Made<(Node, Node)> {
        let (low, high) = (self.scalar(low)?, self.scalar(high)?);
        let (low, high) = (self.settle(low), self.settle(high));
        if inclusive {
            return Ok((low, high));
        }
        let last = self.arena.shift(high, -1);
        if self.range(high).low > i64::MIN {
            return Ok((low, last));
        }
        // No number is below the least one.
        let (least, none, one) = (self.arena.number(i64::MIN), self.arena.number(0), self.arena.number(1));
        let empty = self.arena.eq(high, least);
        Ok((self.arena.select(empty, one, low), self.arena.select(empty, none, last)))
    }

    /// The numbers from `low` to `high`, each with the condition that it is one of them.
    pub(super) fn numbers(&mut self, low: Node, high: Node) -> Made<Vec<(Node, i64)>> {
        let (from, to) = (self.range(low), self.range(high));
        let turns = i128::from(to.high) - i128::from(from.low) + 1;
        let fixed = from.single().is_some() && to.single().is_some();
        if turns > if fixed { KNOWN_TURNS } else { TURNS } {
            return unsupported(format!("a loop can have {turns} turns"));
        }
        let mut numbers = Vec::new();
        for number in from.low..=to.high {
            let node = self.arena.number(number);
            let (above, below) = (self.arena.le(low, node), self.arena.le(node, high));
            let there = self.arena.and(above, below);
            let there = self.settle(there);
            if !self.is_never(there) {
                numbers.push((there, number));
            }
        }
        Ok(numbers)
    }

    /// A range as a list.
    pub(super) fn range_list(&mut self, low: &'b Expr, high: &'b Expr, inclusive: bool) -> Made<Sym> {
        let (low, high) = self.bounds(low, high, inclusive)?;
        let numbers = self.numbers(low, high)?;
        let items = numbers.into_iter().map(|(there, number)| (there, Sym::Scalar(self.arena.number(number))));
        let items = items.collect();
        Ok(self.tight(items))
    }

    /// The items that a loop goes through.
    pub(super) fn turns(&mut self, over: &'b Expr) -> Made<Vec<(Node, Sym)>> {
        if let ExprKind::Range { low, high, inclusive } = &over.kind {
            let (low, high) = self.bounds(low, high, *inclusive)?;
            let numbers = self.numbers(low, high)?;
            return Ok(numbers
                .into_iter()
                .map(|(there, number)| (there, Sym::Scalar(self.arena.number(number))))
                .collect());
        }
        let value = self.value(over)?;
        self.loose(&value)
    }

    /// Runs `body` for every turn of nested loops, reached where `present` holds; returns where nothing stopped them.
    pub(super) fn nest(&mut self, loops: &'b [Loop], present: Node, body: Body<'_, 'b>) -> Made<Node> {
        let Some((outer, inner)) = loops.split_first() else { return body(self, present) };
        let one = self.arena.number(1);
        let mut alive = one;
        for (there, item) in self.turns(&outer.over)? {
            let reached = self.arena.and(alive, there);
            if self.is_never(reached) {
                continue;
            }
            let goes = self.under(reached, |this| {
                this.state.set_local(outer.local, item);
                let when = match &outer.when {
                    Some(when) => this.scalar(when)?,
                    None => one,
                };
                let when = this.settle(when);
                if this.is_never(when) {
                    return Ok(one);
                }
                let present = this.arena.and(present, there);
                let present = this.arena.and(present, when);
                let goes = this.under(when, |this| this.nest(inner, present, body))?;
                let not = this.arena.not(when);
                Ok(this.arena.or(not, goes))
            })?;
            let absent = self.arena.not(there);
            let goes = self.arena.or(absent, goes);
            alive = self.arena.and(alive, goes);
            if self.is_never(alive) {
                break;
            }
        }
        Ok(alive)
    }

    pub(super) fn comprehension(&mut self, item: &'b Expr, loops: &'b [Loop]) -> Made<Sym> {
        let one = self.arena.number(1);
        let mut items = Vec::new();
        self.nest(loops, one, &mut |this, present| {
            items.push((present, this.value(item)?));
            Ok(one)
        })?;
        Ok(self.tight(items))
    }

    pub(super) fn set_comprehension(&mut self, item: &'b Expr, loops: &'b [Loop]) -> Made<Sym> {
        let one = self.arena.number(1);
        let mut items = Vec::new();
        self.nest(loops, one, &mut |this, present| {
            items.push((present, this.scalar(item)?));
            Ok(one)
        })?;
        self.set_of(&items)
    }

    /// `sum(e for …)` and its kin.
    pub(super) fn fold(&mut self, fold: Fold, item: &'b Expr, loops: &'b [Loop]) -> Made<Node> {
        let one = self.arena.number(1);
        let counts_all = fold == Fold::Count && item.ty != Type::Bool;
        if let [only] = loops
            && let Some(node) = self.tabulated(fold, item, only)?
        {
            return Ok(node);
        }
        if matches!(fold, Fold::Any | Fold::All) {
            let any = fold == Fold::Any;
            let mut found = self.arena.number(0);
            self.nest(loops, one, &mut |this, present| {
                let holds = this.scalar(item)?;
                let stops = if any { holds } else { this.arena.not(holds) };
                let here = this.arena.and(present, stops);
                found = this.arena.or(found, here);
                Ok(this.arena.not(stops))
            })?;
            return Ok(if any { found } else { self.arena.not(found) });
        }
        let mut items = Vec::new();
        self.nest(loops, one, &mut |this, present| {
            let number = if counts_all {
                this.value(item)?;
                one
            } else {
                this.scalar(item)?
            };
            items.push((present, number));
            Ok(one)
        })?;
        self.tally(fold, &items)
    }

    /// A sum over a varying stretch of numbers, if the instance fixes the terms: the difference of two prefix sums.
    fn tabulated(&mut self, fold: Fold, item: &'b Expr, turns: &'b Loop) -> Made<Option<Node>> {
        let ExprKind::Range { low, high, inclusive } = &turns.over.kind else { return Ok(None) };
        if !matches!(fold, Fold::Sum | Fold::Count) || self.is_closed(&turns.over) || !self.is_fixed(item, turns) {
            return Ok(None);
        }
        let (low, high) = self.bounds(low, high, *inclusive)?;
        let (from, to) = (self.range(low), self.range(high));
        let count = i128::from(to.high) - i128::from(from.low) + 1;
        if !(4..=TABLE).contains(&count) || from.single().is_some() && to.single().is_some() {
            return Ok(None);
        }
        let mut sums = vec![0i64];
        let mut wrong = vec![0i64];
        for number in from.low..=to.high {
            let Some((value, faults)) = self.fixed_value(fold, item, turns, number)? else { return Ok(None) };
            let Some(sum) = sums.last().and_then(|sum| sum.checked_add(value)) else { return Ok(None) };
            sums.push(sum);
            wrong.push(wrong.last().unwrap_or(&0) + i64::from(faults));
        }
        let (least, most) = (sums.iter().min().copied().unwrap_or(0), sums.iter().max().copied().unwrap_or(0));
        if most.checked_sub(least).is_none() {
            return Ok(None);
        }
        let (start, end) =
            (self.arena.shift(low, from.low.wrapping_neg()), self.arena.shift(high, 1i64.wrapping_sub(from.low)));
        let filled = self.arena.le(low, high);
        let filled = self.settle(filled);
        let between = |this: &mut Self, list: &[i64]| {
            let (above, below) = (this.load(list, end), this.load(list, start));
            this.arena.sub(above, below)
        };
        let (total, faults) = (between(self, &sums), between(self, &wrong));
        let none = self.arena.number(0);
        let faulty = self.arena.ne(faults, none);
        let faulty = self.arena.and(filled, faulty);
        self.fault_if(faulty);
        Ok(Some(self.arena.select(filled, total, none)))
    }

    /// Whether the instance, the loop variable and known locals determine what a loop folds.
    fn is_fixed(&mut self, item: &'b Expr, turns: &'b Loop) -> bool {
        let program = self.program;
        let (mut fixed, mut bound, mut read) = (true, vec![turns.local], Vec::new());
        for expr in [item].into_iter().chain(&turns.when) {
            visit::expr(expr, &mut |inner| match &inner.kind {
                ExprKind::Variable { .. } | ExprKind::Mover | ExprKind::Opponent => fixed = false,
                ExprKind::Local(local) => read.push(*local),
                ExprKind::Call(function, _) => fixed &= !program.functions[*function].reads_position,
                ExprKind::Fold { loops, .. }
                | ExprKind::Comprehension(_, loops)
                | ExprKind::SetComprehension(_, loops) => bound.extend(loops.iter().map(|inner| inner.local)),
                _ => {}
            });
        }
        fixed
            && read.iter().all(|local| {
                let known = match self.local(*local) {
                    Ok(Sym::Scalar(node)) => self.arena.known(node).is_some(),
                    Ok(Sym::Known(_)) => true,
                    _ => false,
                };
                known || bound.contains(local)
            })
    }

    /// What one turn adds, and whether it is a fault; `None` if the position matters after all.
    fn fixed_value(&mut self, fold: Fold, item: &'b Expr, turns: &'b Loop, turn: i64) -> Made<Option<(i64, bool)>> {
        let path = std::mem::take(&mut self.path);
        let fault = self.take_fault();
        let number = self.arena.number(turn);
        self.state.set_local(turns.local, Sym::Scalar(number));
        let value = self.turn_value(fold, item, turns);
        let happened = std::mem::replace(&mut self.fault, fault);
        self.path = path;
        let known = (self.arena.known(value?), self.arena.known(happened));
        Ok(match known {
            (Some(value), Some(happened)) => Some((value, happened != 0)),
            _ => None,
        })
    }

    fn turn_value(&mut self, fold: Fold, item: &'b Expr, turns: &'b Loop) -> Made<Node> {
        let (none, one) = (self.arena.number(0), self.arena.number(1));
        if let Some(when) = &turns.when {
            let when = self.scalar(when)?;
            if !self.is_always(when) {
                return Ok(when);
            }
        }
        match fold {
            Fold::Count if item.ty != Type::Bool => self.value(item).map(|_| one),
            Fold::Count => {
                let node = self.scalar(item)?;
                Ok(self.arena.ne(node, none))
            }
            _ => self.scalar(item),
        }
    }

    /// The fold of numbers, each included where its condition holds.
    pub(super) fn tally(&mut self, fold: Fold, items: &[(Node, Node)]) -> Made<Node> {
        let none = self.arena.number(0);
        match fold {
            Fold::Sum | Fold::Count => {
                let mut terms = Vec::with_capacity(items.len());
                for &(present, number) in items {
                    let number = match (fold, self.arena.range(number).is_truth()) {
                        (Fold::Count, false) => self.arena.ne(number, none),
                        _ => number,
                    };
                    terms.push((self.arena.select(present, number, none), 1));
                }
                self.total(&terms)
            }
            Fold::Min | Fold::Max => self.extreme(fold, items),
            Fold::Xor => {
                let mut bits = none;
                for &(present, number) in items {
                    let number = self.arena.select(present, number, none);
                    bits = self.arena.xor(bits, number);
                }
                Ok(bits)
            }
            Fold::Any | Fold::All => {
                let mut found = none;
                for &(present, number) in items {
                    let stops = if fold == Fold::Any { number } else { self.arena.not(number) };
                    let here = self.arena.and(present, stops);
                    found = self.arena.or(found, here);
                }
                Ok(if fold == Fold::Any { found } else { self.arena.not(found) })
            }
            Fold::Gcd => {
                let mut gcd = none;
                for &(present, number) in items {
                    let number = self.arena.select(present, number, none);
                    gcd = self.gcd(gcd, number)?;
                }
                // 2^63, stored as the least number, is the one divisor that does not fit.
                let overflows = self.arena.lt(gcd, none);
                self.fault_if(overflows);
                Ok(gcd)
            }
        }
    }

    /// A sum whose exact total must fit in 64 bits.
    fn total(&mut self, terms: &[(Node, i64)]) -> Made<Node> {
        let (mut low, mut high) = (0i128, 0i128);
        for (node, factor) in terms {
            let range = self.range(*node);
            let ends = [i128::from(range.low) * i128::from(*factor), i128::from(range.high) * i128::from(*factor)];
            low += ends[0].min(ends[1]);
            high += ends[0].max(ends[1]);
        }
        if i64::try_from(low).is_err() || i64::try_from(high).is_err() {
            self.fault_if_total_overflows(terms)?;
        }
        Ok(self.arena.combine(terms, 0))
    }

    /// Adds a fault if the exact total overflows. High parts and low 32 bits are summed separately, so that neither sum
    /// can wrap.
    fn fault_if_total_overflows(&mut self, terms: &[(Node, i64)]) -> Made<()> {
        if terms.iter().any(|(_, factor)| *factor != 1) || terms.len() > 1000 {
            return unsupported("a sum may overflow");
        }
        let half = self.arena.number(32);
        let mask = self.arena.number((1 << 32) - 1);
        let (mut highs, mut lows) = (Vec::new(), Vec::new());
        for (node, _) in terms {
            highs.push((self.arena.shr(*node, half), 1));
            lows.push((self.arena.and(*node, mask), 1));
        }
        let (highs, lows) = (self.arena.combine(&highs, 0), self.arena.combine(&lows, 0));
        let carry = self.arena.shr(lows, half);
        let top = self.arena.add(highs, carry);
        let (low, high) = (self.arena.number(-(1 << 31)), self.arena.number((1 << 31) - 1));
        let (below, above) = (self.arena.lt(top, low), self.arena.lt(high, top));
        let outside = self.arena.or(below, above);
        self.fault_if(outside);
        Ok(())
    }

    fn extreme(&mut self, fold: Fold, items: &[(Node, Node)]) -> Made<Node> {
        let mut some = self.arena.number(0);
        let mut best: Option<Node> = None;
        for &(present, number) in items {
            best = Some(match best {
                None => number,
                Some(best) => {
                    let both =
                        if fold == Fold::Min { self.arena.min(best, number) } else { self.arena.max(best, number) };
                    let after = self.arena.select(some, both, number);
                    self.arena.select(present, after, best)
                }
            });
            some = self.arena.or(some, present);
        }
        let nothing = self.arena.not(some);
        self.fault_if(nothing);
        Ok(best.unwrap_or(nothing))
    }
}
