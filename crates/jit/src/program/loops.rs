//! Loops over ranges, lists and sets, nested loops, and folds over them.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use cranelift_frontend::Variable;
use rules::program::{BinaryOp, Expr, ExprKind, Fold, Loop};
use rules::types::Type;

use super::frame;
use super::reads::has_loop;
use super::shape::{Num, Range, Shape, Val};
use super::writer::{Writer, Written};

/// Loops of at most so many turns in all, counted through those inside, do not look at the clock.
const SHORT: i64 = 4096;

/// What is written for each turn: it gets the item and where to go to leave the loop.
pub type Turn<'c, W> = &'c mut dyn FnMut(&mut W, Val, Block) -> Written<()>;

impl Writer<'_, '_, '_, '_> {
    /// A loop over a range, list or set.
    pub fn each(&mut self, over: &Expr, turn: Turn<'_, Self>) -> Written<()> {
        if let ExprKind::Range { low, high, inclusive } = &over.kind {
            let (low, high) = (self.scalar(low)?, self.scalar(high)?);
            return self.count(low, high, *inclusive, turn);
        }
        let collection = self.value(over)?;
        self.each_of(&collection, turn)
    }

    /// A loop over the items of a list or set.
    pub fn each_of(&mut self, collection: &Val, turn: Turn<'_, Self>) -> Written<()> {
        match &collection.shape {
            Shape::Set(range) => self.each_element(collection, *range, turn),
            _ => self.each_item(collection, turn),
        }
    }

    /// A loop over numbers.
    pub fn count(&mut self, low: Num, high: Num, inclusive: bool, turn: Turn<'_, Self>) -> Written<()> {
        let how = if inclusive { IntCC::SignedGreaterThan } else { IntCC::SignedGreaterThanOrEqual };
        let last = if inclusive { high.value } else { self.builder.ins().iadd_imm_s(high.value, -1) };
        let highest = if inclusive { high.range.high } else { high.range.high.saturating_sub(1) };
        if low.range.low > highest {
            return Ok(());
        }
        let range = Range::new(low.range.low, highest);
        let (body, next, after) = (self.block(), self.block(), self.block());
        let counter = self.variable(low.value);
        let none = self.compare(how, low.value, high.value);
        self.builder.ins().brif(none, after, &[], body, &[]);
        self.go(body);
        let turns = i128::from(range.high) - i128::from(range.low) + 1;
        let outside = std::mem::replace(&mut self.turns, 1);
        let value = self.read(counter);
        turn(self, Val::number(Num { value, range }), after)?;
        self.end_turn(i64::try_from(turns).unwrap_or(i64::MAX), outside);
        let value = self.read(counter);
        let done = self.compare(IntCC::Equal, value, last);
        self.builder.ins().brif(done, after, &[], next, &[]);
        self.go(next);
        let more = self.builder.ins().iadd_imm_s(value, 1);
        self.set(counter, more);
        self.jump(body);
        self.go(after);
        Ok(())
    }

    /// Ends a turn of a loop of at most so many turns: looks at the clock, unless all of its turns take little together with
    /// what stands `outside` it in the same turn of the next loop.
    fn end_turn(&mut self, most: i64, outside: i64) {
        let all = self.turns.saturating_mul(most).saturating_add(outside);
        if all > SHORT {
            self.watch();
            // Whoever is outside need not count what looks by itself.
            self.turns = outside.saturating_add(1);
        } else {
            self.turns = all;
        }
    }

    /// A loop over the items of a list.
    pub fn each_item(&mut self, list: &Val, turn: Turn<'_, Self>) -> Written<()> {
        let Shape::List { most, item, .. } = &list.shape else { return Ok(()) };
        if *most == 0 {
            return Ok(());
        }
        let (test, body) = (self.block(), self.block());
        let after = self.block();
        let width = item.width() as i64 * 8;
        let length = Num { value: list.words[1], range: Range::new(0, i64::MAX) };
        let end = self.address(list.words[0], length, width);
        let place = self.variable(list.words[0]);
        self.jump(test);
        self.go(test);
        let at = self.read(place);
        let more = self.compare(IntCC::UnsignedLessThan, at, end);
        self.builder.ins().brif(more, body, &[], after, &[]);
        self.go(body);
        let value = self.load_value(at, item);
        let next = self.builder.ins().iadd_imm_s(at, width);
        self.set(place, next);
        let outside = std::mem::replace(&mut self.turns, 1);
        turn(self, value, after)?;
        self.end_turn(*most, outside);
        self.jump(test);
        self.go(after);
        Ok(())
    }

    /// A loop over the elements of a set, ascending.
    fn each_element(&mut self, set: &Val, range: Range, turn: Turn<'_, Self>) -> Written<()> {
        let after = self.block();
        let bytes = self.builder.ins().ishl_imm_u(set.words[2], 3);
        let end = self.builder.ins().iadd(set.words[0], bytes);
        let low = self.variable(set.words[1]);
        self.steps(set.words[0], end, 8, &mut |this, place| {
            let word = this.load(place, 0);
            let rest = this.variable(word);
            let (test, body, done) = (this.block(), this.block(), this.block());
            this.jump(test);
            this.go(test);
            let bits = this.read(rest);
            this.builder.ins().brif(bits, body, &[], done, &[]);
            this.go(body);
            let bit = this.builder.ins().ctz(bits);
            let first = this.read(low);
            let element = this.builder.ins().iadd(first, bit);
            let less = this.builder.ins().iadd_imm_s(bits, -1);
            let others = this.builder.ins().band(bits, less);
            this.set(rest, others);
            turn(this, Val::number(Num { value: element, range }), after)?;
            this.watch();
            this.jump(test);
            this.go(done);
            let first = this.read(low);
            let next = this.builder.ins().iadd_imm_s(first, 64);
            this.set(low, next);
            Ok(())
        })?;
        self.jump(after);
        self.go(after);
        Ok(())
    }

    /// Nested loops with their conditions. `body` gets where to go to leave all of them.
    pub fn nest(&mut self, loops: &[Loop], body: &mut dyn FnMut(&mut Self, Block) -> Written<()>) -> Written<()> {
        let exit = self.block();
        self.nest_within(loops, exit, body)?;
        self.jump(exit);
        self.go(exit);
        Ok(())
    }

    fn nest_within(
        &mut self,
        loops: &[Loop],
        exit: Block,
        body: &mut dyn FnMut(&mut Self, Block) -> Written<()>,
    ) -> Written<()> {
        let Some((outer, inner)) = loops.split_first() else { return body(self, exit) };
        self.each(&outer.over, &mut |this, item, _| {
            this.bind(outer.local, &item);
            let Some(when) = &outer.when else { return this.nest_within(inner, exit, body) };
            let (yes, no) = (this.block(), this.block());
            this.branch(when, yes, no)?;
            this.go(yes);
            this.nest_within(inner, exit, body)?;
            this.jump(no);
            this.go(no);
            Ok(())
        })
    }

    /// `sum(… for …)` and its kin.
    pub fn fold(&mut self, fold: Fold, item: &Expr, loops: &[Loop]) -> Written<Num> {
        let mark = self.mark();
        let tally = self.tally(fold);
        let counts_all = fold == Fold::Count && item.ty != Type::Bool;
        let has_memory = !item.ty.is_scalar() || has_loop(item);
        let mut found = tally;
        self.nest(loops, &mut |this, exit| {
            if matches!(fold, Fold::Any | Fold::All) {
                return this.stop_at(fold, item, tally, exit);
            }
            let inner = if has_memory { Some(this.mark()) } else { None };
            let number = match counts_all {
                true => {
                    this.value(item)?;
                    this.num(1)
                }
                false => this.scalar(item)?,
            };
            if let Some(inner) = inner {
                this.release(inner);
            }
            this.add_to(&mut found, number);
            Ok(())
        })?;
        let total = self.finish_tally(found);
        self.release(mark);
        Ok(total)
    }

    /// Leaves the loops of `any` at the first that holds, those of `all` at the first that does not.
    fn stop_at(&mut self, fold: Fold, item: &Expr, tally: Tally, exit: Block) -> Written<()> {
        let (hit, on) = (self.block(), self.block());
        match fold {
            Fold::Any => self.branch(item, hit, on)?,
            _ => self.branch(item, on, hit)?,
        }
        self.go(hit);
        let found = self.constant(i64::from(fold == Fold::Any));
        self.set(tally.total, found);
        self.jump(exit);
        self.go(on);
        Ok(())
    }

    /// A fold of nothing yet.
    pub fn tally(&mut self, fold: Fold) -> Tally {
        let start = self.constant(i64::from(fold == Fold::All));
        let none = self.constant(0);
        Tally { fold, total: self.variable(start), any: self.variable(none), range: None }
    }

    /// Adds one number.
    pub fn add_to(&mut self, tally: &mut Tally, number: Num) {
        tally.range = Some(tally.range.map_or(number.range, |range| range.join(number.range)));
        let before = self.read(tally.total);
        let after = match tally.fold {
            // A sum that overflows on its way may fit in the end: the interpreter knows.
            Fold::Sum => {
                let before = Num { value: before, range: Range::ANY };
                self.arithmetic(BinaryOp::Add, before, number).value
            }
            Fold::Count if number.range.single() == Some(1) => self.builder.ins().iadd_imm_s(before, 1),
            Fold::Count => {
                let truth = self.compare_to(IntCC::NotEqual, number.value, 0);
                let one = self.widened(truth);
                self.builder.ins().iadd(before, one.value)
            }
            Fold::Min | Fold::Max => self.better(*tally, before, number.value),
            Fold::Xor => self.builder.ins().bxor(before, number.value),
            Fold::Any => {
                let truth = self.compare_to(IntCC::NotEqual, number.value, 0);
                let one = self.widened(truth);
                self.builder.ins().bor(before, one.value)
            }
            Fold::All => {
                let truth = self.compare_to(IntCC::NotEqual, number.value, 0);
                let one = self.widened(truth);
                self.builder.ins().band(before, one.value)
            }
            Fold::Gcd => self.host(frame::gcd as *const u8, &[before, number.value]),
        };
        self.set(tally.total, after);
    }

    fn better(&mut self, tally: Tally, before: Value, number: Value) -> Value {
        let any = self.read(tally.any);
        let best = match tally.fold {
            Fold::Min => self.builder.ins().smin(before, number),
            _ => self.builder.ins().smax(before, number),
        };
        let yes = self.constant(1);
        self.set(tally.any, yes);
        self.builder.ins().select(any, best, number)
    }

    /// The result.
    pub fn finish_tally(&mut self, tally: Tally) -> Num {
        let value = self.read(tally.total);
        let range = match tally.fold {
            Fold::Any | Fold::All => Range::TRUTH,
            Fold::Count => Range::new(0, 1 << 40),
            Fold::Min | Fold::Max => {
                let any = self.read(tally.any);
                let none = self.compare_to(IntCC::Equal, any, 0);
                self.fault_if(none);
                tally.range.unwrap_or(Range::ANY)
            }
            Fold::Gcd => {
                let large = self.compare_to(IntCC::SignedLessThan, value, 0);
                self.fault_if(large);
                Range::LENGTH
            }
            Fold::Sum | Fold::Xor => Range::ANY,
        };
        Num { value, range }
    }
}

/// A fold in progress.
#[derive(Clone, Copy, Debug)]
pub struct Tally {
    fold: Fold,
    total: Variable,
    /// Whether there was a number, for `min` and `max`.
    any: Variable,
    range: Option<Range>,
}
