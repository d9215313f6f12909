//! The code that undoes moves: for each way back its tests and loops, and in the middle what is done with the position found.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, Value, types};
use cranelift_frontend::Variable;
use formula::{Coded, Node, Op};

use super::DECIDED;
use super::inverses::{Check, Inverse, Inverses, Step};
use crate::decode::{Reads, bind_digits};
use crate::emit::Emitter;

/// Buffers are written by nobody else meanwhile and are aligned.
pub(super) const BUFFER: MemFlagsData = MemFlagsData::trusted();

/// A loop that counts up; tested at the end.
pub(super) struct Loop {
    body: Block,
    /// The number of this round.
    pub counter: Value,
    end: Value,
    step: i64,
    /// Where the next round is prepared.
    pub next: Block,
    exit: Block,
}

impl Loop {
    /// Counts from `low` to before `end`. The builder then stands in the body.
    pub fn open(emitter: &mut Emitter<'_>, low: Value, end: Value, may_be_empty: bool) -> Loop {
        let (body, next) = (emitter.builder.create_block(), emitter.builder.create_block());
        let exit = emitter.builder.create_block();
        let counter = emitter.builder.append_block_param(body, types::I64);
        if may_be_empty {
            let some = emitter.builder.ins().icmp(IntCC::SignedLessThan, low, end);
            emitter.builder.ins().brif(some, body, &[low.into()], exit, &[]);
        } else {
            emitter.builder.ins().jump(body, &[low.into()]);
        }
        emitter.builder.switch_to_block(body);
        emitter.push_scope();
        Loop { body, counter, end, step: 1, next, exit }
    }

    /// Goes through addresses of numbers of 32 bits.
    pub fn through(emitter: &mut Emitter<'_>, low: Value, end: Value) -> Loop {
        Loop { step: 4, ..Loop::open(emitter, low, end, true) }
    }

    /// Ends the body; the builder then stands behind the loop.
    pub fn close(self, emitter: &mut Emitter<'_>) {
        emitter.pop_scope();
        emitter.builder.ins().jump(self.next, &[]);
        emitter.builder.switch_to_block(self.next);
        let following = emitter.builder.ins().iadd_imm_s(self.counter, self.step);
        let more = emitter.builder.ins().icmp(IntCC::SignedLessThan, following, self.end);
        emitter.builder.ins().brif(more, self.body, &[following.into()], self.exit, &[]);
        emitter.builder.switch_to_block(self.exit);
    }
}

/// The address of a number of 32 bits in an array.
pub(super) fn item(emitter: &mut Emitter<'_>, start: Value, place: Value) -> Value {
    let offset = emitter.builder.ins().ishl_imm_s(place, 2);
    emitter.builder.ins().iadd(start, offset)
}

/// What is done with each position found: its counter learns what the option is. See [`super::Retrograde`].
#[derive(Clone, Copy)]
pub(super) struct Sink {
    /// The end of the queue.
    pub tail: Variable,
    /// What it becomes if the same player moves on, and if not.
    pub kept: Carried,
    pub turned: Carried,
}

/// What a position becomes by an option.
#[derive(Clone, Copy)]
pub(super) struct Carried {
    /// [`DECIDED`] if it is won, else 0.
    pub won: Value,
    /// It is settled now if the counter, less one, is below this.
    pub below: Value,
}

pub(super) struct Writer<'w, 'e> {
    pub emitter: &'w mut Emitter<'e>,
    pub coded: &'w Coded,
    pub ways: &'w Inverses,
    pub reads: &'w Reads,
    /// The code whose moves are undone.
    pub code: Value,
    pub sink: Sink,
}

impl Writer<'_, '_> {
    /// Undoes all moves that lead to the code.
    pub fn write(&mut self) {
        bind_digits(self.emitter, self.coded, self.reads, self.code);
        let inverses = &self.ways.inverses;
        let all = self.emitter.builder.create_block();
        let mut first = 0;
        while let Some(inverse) = inverses.get(first) {
            // Ways back from the same player to move stand under one test, and where that holds no other does.
            let same = inverses[first..].iter().take_while(|other| other.turn == inverse.turn).count();
            let test = inverse.turn.and_then(|turn| Some((turn, self.turn()?)));
            let others = self.emitter.builder.create_block();
            if let Some((turn, now)) = test {
                let here = self.emitter.builder.create_block();
                let is = self.emitter.builder.ins().icmp_imm_s(IntCC::Equal, now, turn);
                self.emitter.builder.ins().brif(is, here, &[], others, &[]);
                self.emitter.builder.switch_to_block(here);
            }
            for inverse in &inverses[first..first + same] {
                self.inverse(inverse);
            }
            first += same;
            let more = inverses[first..].iter().any(|other| other.turn.is_none() || other.turn == inverse.turn);
            self.emitter.builder.ins().jump(if test.is_some() && !more { all } else { others }, &[]);
            self.emitter.builder.switch_to_block(others);
        }
        self.emitter.builder.ins().jump(all, &[]);
        self.emitter.builder.switch_to_block(all);
    }

    /// Who has the turn now, where it is a digit.
    fn turn(&mut self) -> Option<Value> {
        self.coded.numbering.turn?;
        let mover = self.coded.formulas.arena.find(&Op::Mover)?;
        Some(self.emitter.value(mover))
    }

    fn cell(&self, cell: u32) -> Option<Node> {
        self.coded.formulas.arena.find(&Op::Cell(cell))
    }

    fn inverse(&mut self, inverse: &Inverse) {
        self.emitter.push_scope();
        let end = self.emitter.builder.create_block();
        // What the changed cells have become, before their nodes stand for what they were.
        let mut now = Vec::with_capacity(inverse.changed.len());
        for &cell in &inverse.changed {
            let Some(node) = self.cell(cell) else { continue };
            now.push((cell, self.emitter.value(node)));
        }
        let turn = self.turn();
        let mut known = Known { now, turn, found: Vec::new() };
        for &(core, cell, add) in &inverse.cores {
            let value = known.cell(cell);
            let item = self.emitter.builder.ins().iadd_imm_s(value, add.wrapping_neg());
            self.emitter.bind(core, item);
        }
        for &(cell, value) in &inverse.fixed {
            let value = self.emitter.number(value);
            self.bind_cell(cell, value);
        }
        let mut loops: Vec<Loop> = Vec::new();
        for (checks, step) in &inverse.steps {
            let fail = loops.last().map_or(end, |inner| inner.next);
            checks.iter().for_each(|check| self.check(*check, &known, fail));
            loops.extend(self.step(step, &mut known, fail));
        }
        let fail = loops.last().map_or(end, |inner| inner.next);
        inverse.last.iter().for_each(|check| self.check(*check, &known, fail));
        self.found(inverse, &known);
        while let Some(inner) = loops.pop() {
            inner.close(self.emitter);
        }
        self.emitter.builder.ins().jump(end, &[]);
        self.emitter.pop_scope();
        self.emitter.builder.switch_to_block(end);
    }

    fn bind_cell(&mut self, cell: u32, value: Value) {
        if let Some(node) = self.cell(cell) {
            self.emitter.bind(node, value);
        }
    }

    fn check(&mut self, check: Check, known: &Known, fail: Block) {
        let (node, value) = match check {
            Check::Holds(node) => return self.emitter.branch_unless(node, fail),
            Check::Becomes(cell, node) => (node, known.cell(cell)),
            Check::Turn(node) => match known.turn {
                Some(turn) => (node, turn),
                None => return,
            },
        };
        let made = self.emitter.value(node);
        let is = self.emitter.builder.ins().icmp(IntCC::Equal, made, value);
        self.go_on_if(is, fail);
    }

    fn go_on_if(&mut self, truth: Value, fail: Block) {
        let here = self.emitter.builder.create_block();
        self.emitter.builder.ins().brif(truth, here, &[], fail, &[]);
        self.emitter.builder.switch_to_block(here);
    }

    fn step(&mut self, step: &Step, known: &mut Known, fail: Block) -> Option<Loop> {
        match *step {
            Step::Linear { cell, negative, rest } => {
                let (now, rest) = (known.cell(cell), self.emitter.value(rest));
                let (a, b) = if negative { (rest, now) } else { (now, rest) };
                let before = self.emitter.builder.ins().isub(a, b);
                self.bind_cell(cell, before);
                let digit = self.coded.digit(cell)?;
                let place = self.emitter.builder.ins().iadd_imm_s(before, digit.low.wrapping_neg());
                let size = self.emitter.number(digit.size as i64);
                let inside = self.emitter.builder.ins().icmp(IntCC::UnsignedLessThan, place, size);
                self.go_on_if(inside, fail);
                None
            }
            Step::Row { cell, after, rows } => Some(self.row(cell, after, rows, known)?),
            Step::Count { choice, low, high } => {
                let (low, end) = bounds(self.emitter, choice, low, high);
                let inner = Loop::open(self.emitter, low, end, true);
                self.bind_choice(choice, inner.counter);
                Some(inner)
            }
            Step::Range { choice, low, high } => {
                let (low, end) = (self.emitter.number(low), self.emitter.number(high.wrapping_add(1)));
                let inner = Loop::open(self.emitter, low, end, true);
                self.bind_choice(choice, inner.counter);
                Some(inner)
            }
            Step::Domain { cell } => {
                let digit = *self.coded.digit(cell)?;
                let low = self.emitter.number(digit.low);
                let end = self.emitter.number(digit.low.wrapping_add_unsigned(digit.size));
                let inner = Loop::open(self.emitter, low, end, false);
                self.bind_cell(cell, inner.counter);
                Some(inner)
            }
        }
    }

    /// Goes through the rows that have what a cell has become.
    fn row(&mut self, cell: u32, after: u32, rows: usize, known: &mut Known) -> Option<Loop> {
        let rows = &self.ways.rows[rows];
        let (lowest, digit) = (self.coded.digit(after)?.low, *self.coded.digit(cell)?);
        let value = self.emitter.builder.ins().iadd_imm_s(known.cell(after), lowest.wrapping_neg());
        let starts = self.emitter.number(rows.starts.as_ptr() as i64);
        let offset = self.emitter.builder.ins().ishl_imm_s(value, 3);
        let at = self.emitter.builder.ins().iadd(starts, offset);
        let flags = BUFFER.with_readonly();
        let low = self.emitter.builder.ins().load(types::I64, flags, at, 0);
        let end = self.emitter.builder.ins().load(types::I64, flags, at, 8);
        let inner = Loop::through(self.emitter, low, end);
        let found = self.emitter.builder.ins().uload32(flags, inner.counter, 0);
        let before = self.emitter.builder.ins().iadd_imm_s(found, digit.low);
        self.bind_cell(cell, before);
        known.found.push((cell, found, digit.low));
        if let Some(choice) = rows.choice {
            let apart = (rows.places.as_ptr() as i64).wrapping_sub(rows.digits.as_ptr() as i64);
            let apart = self.emitter.number(apart);
            let at = self.emitter.builder.ins().iadd(inner.counter, apart);
            let place = self.emitter.builder.ins().uload32(flags, at, 0);
            self.bind_choice(choice, place);
        }
        Some(inner)
    }

    fn bind_choice(&mut self, choice: u32, value: Value) {
        if let Some(node) = self.coded.formulas.arena.find(&Op::Choice(choice)) {
            self.emitter.bind(node, value);
        }
    }

    /// A position from which a move leads here.
    fn found(&mut self, inverse: &Inverse, known: &Known) {
        // What is known outside a loop comes first, so that it is added up there.
        let mut from = self.code;
        for &(cell, now) in &known.now {
            let Some(digit) = self.coded.digit(cell) else { continue };
            let taken = self.emitter.times(now, digit.stride as i64);
            from = self.emitter.builder.ins().isub(from, taken);
        }
        if let (Some(stride), Some(mover), Some(now)) = (self.coded.numbering.turn, inverse.mover, known.turn) {
            let taken = self.emitter.times(now, stride as i64);
            let rest = self.emitter.builder.ins().isub(from, taken);
            from = self.emitter.builder.ins().iadd_imm_s(rest, mover.wrapping_mul(stride as i64));
        }
        let mut given = Vec::with_capacity(known.now.len());
        for &(cell, _) in &known.now {
            let (Some(node), Some(digit)) = (self.cell(cell), self.coded.digit(cell)) else { continue };
            let stride = digit.stride as i64;
            match known.found.iter().find(|(other, ..)| *other == cell) {
                Some(&(_, found, add)) => {
                    from = self.emitter.builder.ins().iadd_imm_s(from, add.wrapping_mul(stride));
                    given.push((found, stride));
                }
                None => given.push((self.emitter.value(node), stride)),
            }
        }
        for (value, stride) in given {
            let given = self.emitter.times(value, stride);
            from = self.emitter.builder.ins().iadd(from, given);
        }
        let Sink { tail, kept, turned } = self.sink;
        let carried = match self.coded.formulas.arena.known(inverse.same) {
            Some(0) => turned,
            Some(_) => kept,
            None => {
                let same = self.emitter.truth(inverse.same);
                let won = self.emitter.builder.ins().select(same, kept.won, turned.won);
                let below = self.emitter.builder.ins().select(same, kept.below, turned.below);
                Carried { won, below }
            }
        };
        self.carry(tail, from, carried);
    }

    /// Tells a position what one of its options is, without a jump: about half of the positions are settled already, which
    /// no processor can guess. What is appended to the queue is overwritten by the next if it was not settled just now.
    fn carry(&mut self, tail: Variable, from: Value, carried: Carried) {
        let counters = self.emitter.parameter(1);
        let at = item(self.emitter, counters, from);
        let builder = &mut self.emitter.builder;
        let held = builder.ins().uload32(BUFFER, at, 0);
        let fewer = builder.ins().iadd_imm_s(held, -1);
        let new = builder.ins().bor(fewer, carried.won);
        builder.ins().istore32(BUFFER, new, at, 0);
        let settled = builder.ins().icmp(IntCC::UnsignedLessThan, fewer, carried.below);
        let settled = builder.ins().uextend(types::I64, settled);
        let entry = builder.ins().bor(from, carried.won);
        let end = builder.use_var(tail);
        builder.ins().istore32(BUFFER, entry, end, 0);
        let settled = builder.ins().ishl_imm_s(settled, 2);
        let more = builder.ins().iadd(end, settled);
        builder.def_var(tail, more);
    }
}

/// What the cells have become, and who has the turn.
struct Known {
    now: Vec<(u32, Value)>,
    turn: Option<Value>,
    /// What rows told of cells: a value, and what is to be added to it.
    found: Vec<(u32, Value, i64)>,
}

impl Known {
    fn cell(&self, cell: u32) -> Value {
        let found = self.now.iter().find(|(other, _)| *other == cell);
        // Only asked about cells that change; any value will do for others.
        found.map_or(self.now[0].1, |(_, value)| *value)
    }
}

/// The first number of a count and the one behind the last, kept in the range that the choice promises.
pub(super) fn bounds(emitter: &mut Emitter<'_>, choice: u32, low: Node, high: Node) -> (Value, Value) {
    let arena = &emitter.formulas().arena;
    let all = arena.find(&Op::Choice(choice)).map(|choice| arena.range(choice));
    let (low_range, high_range) = (arena.range(low), arena.range(high));
    let (mut first, mut last) = (emitter.value(low), emitter.value(high));
    if let Some(all) = all {
        if low_range.low < all.low {
            let least = emitter.number(all.low);
            first = emitter.builder.ins().smax(first, least);
        }
        if high_range.high > all.high {
            let most = emitter.number(all.high);
            last = emitter.builder.ins().smin(last, most);
        }
    }
    let end = emitter.builder.ins().iadd_imm_s(last, 1);
    (first, end)
}

/// What positions become by an option that is won or lost (1 or 0): if the same player moves on, and if not.
pub(super) fn before(emitter: &mut Emitter<'_>, won: Value) -> (Carried, Carried) {
    let builder = &mut emitter.builder;
    let lost = builder.ins().bxor_imm_s(won, 1);
    let (all, one) = (builder.ins().iconst(types::I64, DECIDED - 1), builder.ins().iconst(types::I64, 1));
    let [kept, turned] = [won, lost].map(|won| {
        let below = builder.ins().select(won, all, one);
        Carried { won: builder.ins().ishl_imm_s(won, 31), below }
    });
    (kept, turned)
}
