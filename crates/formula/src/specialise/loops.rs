//! Loops, comprehensions and folds, unrolled.

use rules::program::{Expr, ExprKind, Fold, Loop};
use rules::types::Type;

use super::symbols::Sym;
use super::{Made, Specialiser, unsupported};
use crate::node::Node;

/// The most turns of a loop whose bounds depend on the position.
const TURNS: i128 = 400;
/// The most turns of any loop.
const KNOWN_TURNS: i128 = 100_000;

/// What is done at each turn: given the condition under which the fold gets that far as if nothing stopped it, returns
/// whether it goes on after it.
type Body<'c, 'b> = &'c mut dyn FnMut(&mut Specialiser<'b>, Node) -> Made<Node>;

impl<'b> Specialiser<'b> {
    /// The bounds of a range, both included; it is empty where they cross.
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
        // Below the least number there is nothing.
        let (least, none, one) = (self.arena.number(i64::MIN), self.arena.number(0), self.arena.number(1));
        let empty = self.arena.eq(high, least);
        Ok((self.arena.select(empty, one, low), self.arena.select(empty, none, last)))
    }

    /// The numbers from `low` to `high`, each with the condition that it is among them.
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

    /// What a loop goes through.
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

    /// Runs `body` for every turn of nested loops; returns where nothing stopped them. `present` is where the loops are
    /// reached, `alive` whether they still go on.
    fn nest(&mut self, loops: &'b [Loop], present: Node, alive: Node, body: Body<'_, 'b>) -> Made<Node> {
        let Some((outer, inner)) = loops.split_first() else { return body(self, present) };
        let start = alive;
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
                let goes = this.under(when, |this| this.nest(inner, present, start, body))?;
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
        self.nest(loops, one, one, &mut |this, present| {
            items.push((present, this.value(item)?));
            Ok(one)
        })?;
        Ok(self.tight(items))
    }

    pub(super) fn set_comprehension(&mut self, item: &'b Expr, loops: &'b [Loop]) -> Made<Sym> {
        let one = self.arena.number(1);
        let mut items = Vec::new();
        self.nest(loops, one, one, &mut |this, present| {
            items.push((present, this.scalar(item)?));
            Ok(one)
        })?;
        self.set_of(&items)
    }

    /// `sum(e for …)` and its kin.
    pub(super) fn fold(&mut self, fold: Fold, item: &'b Expr, loops: &'b [Loop]) -> Made<Node> {
        let one = self.arena.number(1);
        let counts_all = fold == Fold::Count && item.ty != Type::Bool;
        if matches!(fold, Fold::Any | Fold::All) {
            let any = fold == Fold::Any;
            let mut found = self.arena.number(0);
            self.nest(loops, one, one, &mut |this, present| {
                let holds = this.scalar(item)?;
                let stops = if any { holds } else { this.arena.not(holds) };
                let here = this.arena.and(present, stops);
                found = this.arena.or(found, here);
                Ok(this.arena.not(stops))
            })?;
            return Ok(if any { found } else { self.arena.not(found) });
        }
        let mut items = Vec::new();
        self.nest(loops, one, one, &mut |this, present| {
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

    /// The fold of numbers, each taken in where its condition holds.
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
                // 2^63, held as the least number, is the one divisor that does not fit.
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

    /// The exact total in two halves: of the high parts and of the low 32 bits, so that neither can wrap.
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
