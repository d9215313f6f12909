//! The code that says of every position how many options it has, or how it ends: a loop nest over the digits.
//!
//! An action that counts through choices mostly reads few cells. Its options are counted once for each value of those and
//! kept in a table, as one would by hand; where the number follows from the bounds of the choice, there is no loop at all.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_frontend::Variable;
use formula::{Action, Case, Coded, EndResult, Node, Op};
use rustc_hash::FxHashSet;

use super::NEVER_OPEN;
use super::write::{BUFFER, Loop, bounds, item};
use crate::emit::Emitter;

/// A table pays if it has at most this share of the positions.
const SHARE: u64 = 4;

/// A digit of the nest.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The cell or the mover, if anything reads it.
    node: Option<Node>,
    low: i64,
    size: u64,
    stride: u64,
}

/// How the options of an action are counted.
#[derive(Debug)]
enum Counting {
    /// There are none.
    Never,
    /// One where the guard holds.
    One,
    /// As many as the bounds say, where the guard holds.
    Lengths,
    /// One by one.
    Loop,
    /// As a table says: where it begins, and the places it is indexed by with their strides.
    Table(u64, Vec<(usize, u64)>),
}

/// What the nest counts and how.
#[derive(Debug)]
pub(super) struct Degrees {
    places: Vec<Place>,
    countings: Vec<Counting>,
    /// How many numbers the tables have.
    pub scratch: u64,
}

impl Degrees {
    pub fn new(coded: &Coded) -> Degrees {
        let arena = &coded.formulas.arena;
        let mut places: Vec<Place> = Vec::new();
        for digit in &coded.numbering.digits {
            let node = arena.find(&Op::Cell(digit.cell));
            places.push(Place { node, low: digit.low, size: digit.size, stride: digit.stride });
        }
        if let Some(stride) = coded.numbering.turn {
            let size = coded.formulas.players as u64;
            places.push(Place { node: arena.find(&Op::Mover), low: 0, size, stride });
        }
        places.retain(|place| place.size > 1 || place.node.is_some());
        places.sort_by_key(|place| std::cmp::Reverse(place.stride));
        let mut degrees = Degrees { places, countings: Vec::new(), scratch: 0 };
        for action in &coded.formulas.actions {
            let counting = degrees.counting(coded, action);
            degrees.countings.push(counting);
        }
        degrees
    }

    fn counting(&mut self, coded: &Coded, action: &Action) -> Counting {
        let arena = &coded.formulas.arena;
        if arena.known(action.guard) == Some(0) {
            return Counting::Never;
        }
        if action.counts.is_empty() {
            return Counting::One;
        }
        let mut read = FxHashSet::default();
        let mut left = vec![action.guard];
        left.extend(action.counts.iter().flat_map(|count| [count.low, count.high]));
        while let Some(next) = left.pop() {
            if read.insert(next) {
                arena.operands(next, &mut |operand| left.push(operand));
            }
        }
        if !read.iter().any(|node| matches!(arena.op(*node), Op::Choice(_))) {
            return Counting::Lengths;
        }
        let mut size = 1u64;
        let mut index = Vec::new();
        for (number, place) in self.places.iter().enumerate() {
            if place.node.is_some_and(|node| read.contains(&node)) {
                index.push((number, size));
                size = size.saturating_mul(place.size);
            }
        }
        if size > coded.numbering.size / SHARE {
            return Counting::Loop;
        }
        let start = self.scratch;
        self.scratch += size;
        Counting::Table(start, index)
    }

    /// How many rounds the outermost loop has.
    pub fn rounds(&self) -> u64 {
        self.places.first().map_or(1, |place| place.size)
    }

    /// What is read.
    pub fn nodes(coded: &Coded) -> Vec<Node> {
        let formulas = &coded.formulas;
        let mut nodes = formulas.valid.clone();
        for case in formulas.ends.iter().chain([&formulas.stuck]) {
            nodes.push(case.when);
            if let EndResult::Outcome(outcome) = case.result {
                nodes.push(outcome);
            }
        }
        for action in &formulas.actions {
            nodes.push(action.guard);
            nodes.extend(action.counts.iter().flat_map(|count| [count.low, count.high]));
        }
        nodes
    }
}

/// Writes the functions `(scratch)` and `(counters, queue, tail, first, end, scratch, draws)`.
pub(super) struct Nest<'w, 'e> {
    pub emitter: &'w mut Emitter<'e>,
    pub coded: &'w Coded,
    pub degrees: &'w Degrees,
}

impl Nest<'_, '_> {
    /// Fills the tables.
    pub fn tables(&mut self) {
        let scratch = self.emitter.parameter(0);
        self.bind_mover();
        for (action, counting) in self.coded.formulas.actions.iter().zip(&self.degrees.countings) {
            let Counting::Table(start, index) = counting else { continue };
            let mut at = self.emitter.number(*start as i64);
            let mut loops = Vec::new();
            for &(place, stride) in index {
                let counter = self.enter(place, None, &mut loops);
                let offset = self.emitter.times(counter, stride as i64);
                at = self.emitter.builder.ins().iadd(at, offset);
            }
            let total = self.zero();
            self.count_through(action, total);
            let number = self.emitter.builder.use_var(total);
            let at = item(self.emitter, scratch, at);
            self.emitter.builder.ins().istore32(BUFFER, number, at, 0);
            while let Some(inner) = loops.pop() {
                inner.close(self.emitter);
            }
        }
        self.emitter.builder.ins().return_(&[]);
    }

    /// Where positions do not record the turn, player 0 moves.
    fn bind_mover(&mut self) {
        if self.coded.numbering.turn.is_none()
            && let Some(mover) = self.coded.formulas.arena.find(&Op::Mover)
        {
            let zero = self.emitter.number(0);
            self.emitter.bind(mover, zero);
        }
    }

    fn zero(&mut self) -> Variable {
        let total = self.emitter.builder.declare_var(types::I64);
        let zero = self.emitter.number(0);
        self.emitter.builder.def_var(total, zero);
        total
    }

    /// Counts through a digit; returns it.
    fn enter(&mut self, place: usize, outermost: Option<(Value, Value)>, loops: &mut Vec<Loop>) -> Value {
        let place = self.degrees.places[place];
        let (low, end) = match outermost {
            Some(bounds) => bounds,
            None => (self.emitter.number(0), self.emitter.number(place.size as i64)),
        };
        let inner = Loop::open(self.emitter, low, end, outermost.is_some());
        let counter = inner.counter;
        loops.push(inner);
        if let Some(node) = place.node {
            let value = self.emitter.builder.ins().iadd_imm_s(counter, place.low);
            self.emitter.bind(node, value);
        }
        counter
    }

    /// Writes the counter of every code, and the ends into the queue.
    pub fn write(&mut self) {
        let [counters, queue, tail, first, end, scratch, draws] = std::array::from_fn(|at| self.emitter.parameter(at));
        let over = Over { counters, queue, tail: self.emitter.builder.declare_var(types::I64), draws: self.zero() };
        self.emitter.builder.def_var(over.tail, tail);
        self.bind_mover();
        let mut code = self.emitter.number(0);
        let mut loops = Vec::new();
        let mut digits = Vec::new();
        for number in 0..self.degrees.places.len() {
            let counter = self.enter(number, (number == 0).then_some((first, end)), &mut loops);
            digits.push(counter);
            let offset = self.emitter.times(counter, self.degrees.places[number].stride as i64);
            code = self.emitter.builder.ins().iadd(code, offset);
        }
        self.position(code, &digits, scratch, &over);
        while let Some(inner) = loops.pop() {
            inner.close(self.emitter);
        }
        let number = self.emitter.builder.use_var(over.draws);
        self.emitter.builder.ins().store(BUFFER, number, draws, 0);
        let tail = self.emitter.builder.use_var(over.tail);
        self.emitter.builder.ins().return_(&[tail]);
    }

    fn position(&mut self, code: Value, digits: &[Value], scratch: Value, over: &Over) {
        let formulas = &self.coded.formulas;
        let (done, invalid) = (self.emitter.builder.create_block(), self.emitter.builder.create_block());
        let ended = self.emitter.builder.create_block();
        let result = self.emitter.builder.append_block_param(ended, types::I64);
        self.emitter.push_scope();
        for &valid in &formulas.valid {
            self.emitter.branch_unless(valid, invalid);
        }
        let mut open = true;
        for case in &formulas.ends {
            open = self.end(case, ended);
            if !open {
                break;
            }
        }
        if open {
            let number = self.number(digits, scratch);
            let (some, none) = (self.emitter.builder.create_block(), self.emitter.builder.create_block());
            self.emitter.builder.ins().brif(number, some, &[], none, &[]);
            self.emitter.builder.switch_to_block(some);
            self.put(over.counters, code, number);
            self.emitter.builder.ins().jump(done, &[]);
            self.emitter.builder.switch_to_block(none);
            let result = self.result(&formulas.stuck);
            self.emitter.builder.ins().jump(ended, &[result.into()]);
        }
        self.emitter.pop_scope();
        self.emitter.builder.switch_to_block(invalid);
        let mark = self.emitter.number(NEVER_OPEN);
        self.put(over.counters, code, mark);
        self.emitter.builder.ins().jump(done, &[]);
        self.emitter.builder.switch_to_block(ended);
        self.ended(code, result, over);
        self.emitter.builder.ins().jump(done, &[]);
        self.emitter.builder.switch_to_block(done);
    }

    fn result(&mut self, case: &Case) -> Value {
        match case.result {
            EndResult::Outcome(outcome) => self.emitter.value(outcome),
            // Refused before.
            EndResult::Gains(_) => self.emitter.number(0),
        }
    }

    /// An end; returns whether play goes on anywhere.
    fn end(&mut self, case: &Case, ended: Block) -> bool {
        match self.coded.formulas.arena.known(case.when) {
            Some(0) => return true,
            Some(_) => {
                let result = self.result(case);
                self.emitter.builder.ins().jump(ended, &[result.into()]);
                return false;
            }
            None => {}
        }
        let (here, after) = (self.emitter.builder.create_block(), self.emitter.builder.create_block());
        let fork = self.emitter.fork(case.when, here, after);
        self.emitter.push_scope();
        self.emitter.go_on(&fork, here);
        let result = self.result(case);
        self.emitter.builder.ins().jump(ended, &[result.into()]);
        self.emitter.pop_scope();
        self.emitter.go_on(&fork, after);
        true
    }

    /// The counter of an end, which goes into the queue unless it is drawn.
    fn ended(&mut self, code: Value, result: Value, over: &Over) {
        let builder = &mut self.emitter.builder;
        let won = builder.ins().icmp_imm_s(IntCC::SignedGreaterThan, result, 0);
        let drawn = builder.ins().icmp_imm_s(IntCC::Equal, result, 0);
        let won = builder.ins().uextend(types::I64, won);
        let won = builder.ins().ishl_imm_s(won, 31);
        let entry = builder.ins().bor(code, won);
        let drawn = builder.ins().uextend(types::I64, drawn);
        let (tail, draws) = (builder.use_var(over.tail), builder.use_var(over.draws));
        let decided = builder.ins().bxor_imm_s(drawn, 1);
        let (tail_after, draws_after) = (builder.ins().iadd(tail, decided), builder.ins().iadd(draws, drawn));
        builder.def_var(over.tail, tail_after);
        builder.def_var(over.draws, draws_after);
        self.put(over.queue, tail, entry);
        let mark = self.emitter.number(NEVER_OPEN);
        self.put(over.counters, code, mark);
    }

    fn put(&mut self, array: Value, place: Value, number: Value) {
        let at = item(self.emitter, array, place);
        self.emitter.builder.ins().istore32(BUFFER, number, at, 0);
    }

    /// How many options there are.
    fn number(&mut self, digits: &[Value], scratch: Value) -> Value {
        let total = self.zero();
        for (action, counting) in self.coded.formulas.actions.iter().zip(&self.degrees.countings) {
            let more = match counting {
                Counting::Never => continue,
                Counting::Loop => {
                    self.count_through(action, total);
                    continue;
                }
                Counting::One => {
                    let truth = self.emitter.truth(action.guard);
                    self.emitter.builder.ins().uextend(types::I64, truth)
                }
                Counting::Lengths => self.lengths(action),
                Counting::Table(start, index) => {
                    let mut at = self.emitter.number(*start as i64);
                    for &(place, stride) in index {
                        let offset = self.emitter.times(digits[place], stride as i64);
                        at = self.emitter.builder.ins().iadd(at, offset);
                    }
                    let at = item(self.emitter, scratch, at);
                    self.emitter.builder.ins().uload32(BUFFER, at, 0)
                }
            };
            let before = self.emitter.builder.use_var(total);
            let sum = self.emitter.builder.ins().iadd(before, more);
            self.emitter.builder.def_var(total, sum);
        }
        self.emitter.builder.use_var(total)
    }

    /// As many as the bounds of the choices say.
    fn lengths(&mut self, action: &Action) -> Value {
        let zero = self.emitter.number(0);
        let mut all = self.emitter.number(1);
        for count in &action.counts {
            let (low, end) = bounds(self.emitter, count.choice, count.low, count.high);
            let length = self.emitter.builder.ins().isub(end, low);
            let length = self.emitter.builder.ins().smax(length, zero);
            all = self.emitter.builder.ins().imul(all, length);
        }
        let guard = self.emitter.truth(action.guard);
        self.emitter.builder.ins().select(guard, all, zero)
    }

    /// Adds the options of an action one by one.
    fn count_through(&mut self, action: &Action, total: Variable) {
        let mut loops = Vec::new();
        self.emitter.push_scope();
        for count in &action.counts {
            let (low, end) = bounds(self.emitter, count.choice, count.low, count.high);
            let inner = Loop::open(self.emitter, low, end, true);
            if let Some(choice) = self.coded.formulas.arena.find(&Op::Choice(count.choice)) {
                self.emitter.bind(choice, inner.counter);
            }
            loops.push(inner);
        }
        let truth = self.emitter.truth(action.guard);
        let more = self.emitter.builder.ins().uextend(types::I64, truth);
        let before = self.emitter.builder.use_var(total);
        let sum = self.emitter.builder.ins().iadd(before, more);
        self.emitter.builder.def_var(total, sum);
        while let Some(inner) = loops.pop() {
            inner.close(self.emitter);
        }
        self.emitter.pop_scope();
    }
}

/// Where ends are written down.
struct Over {
    counters: Value,
    queue: Value,
    tail: Variable,
    draws: Variable,
}
