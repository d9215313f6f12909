//! The options of one position: a function from code to codes.
//!
//! ```text
//! digits of the code ─▶ ends, in order ─▶ actions, in order ─▶ number of options, or why there are none
//! ```
//!
//! Most actions are appended without a jump: the option is always written, and the guard is added to the number of
//! options, so that the next option overwrites an illegal one. Guards are about as often true as false, and a
//! mispredicted jump costs more than a few options written for nothing. Actions whose option is expensive to compute,
//! and actions with counted choices, are jumped over.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, Value, types};
use cranelift_frontend::Variable;
use formula::{Action, Case, Coded, EndResult, Node, Op};

use crate::assembly::Assembly;
use crate::decode::{Reads, bind_digits};
use crate::emit::Emitter;
use crate::error::JitError;
use crate::module::{Code, FunctionId};
use game::codes::{Expanded, Gains, Options, Successors};
use rules::stop::{Inherited, inherit};

/// Formulas with more nodes are left to the interpreter: Cranelift would take a second or more.
const MOST_NODES: usize = 20_000;

/// Up to this many options get reserved room, so that they are not counted while they are written.
const MOST_OPTIONS: u64 = 1 << 16;

/// Before buffers grow to so many options, it is asked whether to stop.
const WATCHED: usize = 1 << 14;

/// An option of at most this many nodes is written even if the move is illegal.
const CHEAP: usize = 24;

/// Results of the function that are no number of options.
const END: i64 = -1;
const FAULT: i64 = -2;
const FULL: i64 = -3;

/// `(code, codes, same, gains, limit)`
type Expand = unsafe extern "C" fn(u64, *mut u64, *mut u8, *mut i64, i64) -> i64;

/// The compiled options of every position of a game.
#[derive(Debug)]
pub struct Expander {
    call: Expand,
    _code: Code,
    /// Codes are below this.
    size: u64,
    /// Whether the mover moves again after every move, if that is equal for all moves.
    same: Option<bool>,
    /// How many gains an option has.
    gains: usize,
    /// How many gains an end has.
    end_gains: usize,
    /// The reserved room: for all options if `bounded`, else for those without counted choices.
    room: usize,
    /// Whether `room` is enough for any position.
    bounded: bool,
    /// When to stop on threads that have no scope of their own.
    scope: Inherited,
}

impl Expander {
    /// Compiles the formulas of a game that is not a sum.
    pub fn compile(coded: &Coded, gains: Gains) -> Result<Expander, JitError> {
        let mut coded = coded.clone();
        let nodes = Nodes::new(&mut coded, gains)?;
        let mut reads = Reads::of(&coded, nodes.roots(&coded));
        reads.relied_on |= coded.formulas.actions.iter().any(|action| !action.counts.is_empty());
        if reads.nodes.len() > MOST_NODES {
            return Err(JitError::TooLarge(reads.nodes.len()));
        }
        let (room, bounded) = room(&coded);
        let mut module = Assembly::new(&coded.formulas)?;
        let parameters = [types::I64; 5];
        let function = module.function(&coded.formulas, &parameters, &[types::I64], |emitter| {
            Writer::new(emitter, &coded, &nodes, &reads, bounded).write();
            Ok(())
        })?;
        let code = module.finish()?;
        let address = code.address(function);
        // SAFETY: the function was made with these parameters and this result, in the convention of `extern "C"`.
        let call = unsafe { std::mem::transmute::<*const u8, Expand>(address) };
        let end_gains = if gains == Gains::All { coded.formulas.players } else { 1 };
        let gains = if gains == Gains::Outcome { 0 } else { end_gains };
        Ok(Expander {
            call,
            _code: code,
            size: coded.numbering.size,
            same: nodes.same,
            gains,
            end_gains,
            room,
            bounded,
            scope: inherit(),
        })
    }

    /// Whether the mover moves again after every move, if that is equal for all moves.
    pub fn same(&self) -> Option<bool> {
        self.same
    }

    fn reserve(&self, options: usize, out: &mut Options) {
        out.codes.reserve(options);
        // If all are equal, they are written eight at a time.
        out.same.reserve(options + 8);
        out.gains.reserve(options * self.gains + self.end_gains);
    }

    /// Whether buffers for so many options may be made. Where not, the interpreter is asked, which is stopped, too.
    fn may_grow(&self, options: usize) -> bool {
        options < WATCHED || self.scope.allows((options * (9 + 8 * self.gains)) as u64).is_ok()
    }

    /// How many options fit in the buffers besides those with reserved room.
    fn spare(&self, out: &Options) -> usize {
        let gains = (out.gains.capacity() - self.end_gains).checked_div(self.gains).unwrap_or(usize::MAX);
        out.codes.capacity().min(out.same.capacity() - 8).min(gains) - self.room
    }

    /// Makes this many written options part of the buffers.
    ///
    /// # Safety
    ///
    /// The options must have been written, and `same` must have room for eight more.
    unsafe fn take(&self, number: usize, out: &mut Options) {
        if let Some(all) = self.same {
            let eight = u64::from_ne_bytes([u8::from(all); 8]);
            for start in (0..number).step_by(8) {
                // SAFETY: fewer than eight are written beyond the last, and the caller promises room for eight.
                unsafe { out.same.as_mut_ptr().add(start).cast::<u64>().write_unaligned(eight) };
            }
        }
        // SAFETY: the caller promises that these items have been written.
        unsafe {
            out.codes.set_len(number);
            out.same.set_len(number);
            out.gains.set_len(number * self.gains);
        }
    }
}

impl Successors for Expander {
    fn expand(&self, code: u64, out: &mut Options) -> Expanded {
        out.codes.clear();
        out.same.clear();
        out.gains.clear();
        if code >= self.size {
            return Expanded::Fault;
        }
        if out.codes.capacity() < self.room
            || out.same.capacity() < self.room + 8
            || out.gains.capacity() < self.room * self.gains + self.end_gains
        {
            self.reserve(self.room, out);
        }
        loop {
            let spare = if self.bounded { 0 } else { self.spare(out) };
            let (codes, same, gains) = (out.codes.as_mut_ptr(), out.same.as_mut_ptr(), out.gains.as_mut_ptr());
            // SAFETY: the code is below the size of the numbering. The buffers have room for `spare` options from
            // counted choices and for `room` others, including the one written beyond the last before its guard is
            // known to fail. The code returns `FULL` before it would write more. `gains` also has room for an end.
            let number = unsafe { (self.call)(code, codes, same, gains, spare as i64) };
            match number {
                0.. => {
                    // SAFETY: the code has written this many options.
                    unsafe { self.take(number as usize, out) };
                    return Expanded::Options;
                }
                END => {
                    // SAFETY: the gains of the end have been written.
                    unsafe { out.gains.set_len(self.end_gains) };
                    return Expanded::End;
                }
                FULL if self.may_grow((spare + self.room) * 2) => self.reserve((spare + self.room) * 2, out),
                _ => return Expanded::Fault,
            }
        }
    }
}

/// How many options get reserved room, and whether that is enough for all positions.
fn room(coded: &Coded) -> (usize, bool) {
    let mut plain = 0u64;
    let mut all = 0u64;
    for action in &coded.formulas.actions {
        plain += u64::from(action.counts.is_empty());
        let ways = action.counts.iter().map(|count| {
            let (low, high) = (coded.formulas.arena.range(count.low).low, coded.formulas.arena.range(count.high).high);
            u64::try_from(i128::from(high) - i128::from(low) + 1).unwrap_or(if high < low { 0 } else { u64::MAX })
        });
        all = all.saturating_add(ways.fold(1, u64::saturating_mul));
    }
    if all <= MOST_OPTIONS { (all as usize + 1, true) } else { (plain as usize + 1, false) }
}

/// What is written, as nodes.
struct Nodes {
    /// For each action: what it adds to the code.
    shifts: Vec<Node>,
    /// For each action: whether the mover moves again.
    same: Option<bool>,
    sames: Vec<Node>,
    /// For each action: its gains.
    gains: Vec<Vec<Node>>,
    /// For each end, then for the position without options: its gains.
    ends: Vec<Vec<Node>>,
    /// For each action, then each end, then the position without options: whether it is a fault.
    faults: Vec<Node>,
}

impl Nodes {
    fn new(coded: &mut Coded, gains: Gains) -> Result<Nodes, JitError> {
        let actions = coded.formulas.actions.len();
        if coded.formulas.actions.iter().any(|action| action.split.is_some()) {
            return Err(JitError::Unsupported("the parts of a sum"));
        }
        let players = coded.formulas.players;
        let mover = match (coded.numbering.turn, coded.mover) {
            (Some(_), _) => coded.formulas.arena.mover(players),
            (None, Some(mover)) => mover,
            (None, None) => coded.formulas.arena.number(0),
        };
        let shifts = (0..actions).map(|action| coded.shift(action)).collect();
        let mut sames = coded.same.clone();
        if players != 2 {
            let arena = &mut coded.formulas.arena;
            sames = coded.formulas.actions.iter().map(|action| arena.eq(action.turn, mover)).collect();
        }
        let arena = &mut coded.formulas.arena;
        let mut nodes = Nodes { shifts, same: None, sames, gains: Vec::new(), ends: Vec::new(), faults: Vec::new() };
        if let Some(first) = nodes.sames.first().and_then(|same| arena.known(*same))
            && nodes.sames.iter().all(|same| arena.known(*same) == Some(first))
        {
            nodes.same = Some(first != 0);
        }
        let difference = |arena: &mut formula::Arena, of: &[Node], fault: Node| match *of {
            [first, second] => {
                let mine = arena.select(mover, second, first);
                let other = arena.select(mover, first, second);
                let overflows = arena.sub_overflows(mine, other);
                Ok((arena.sub(mine, other), arena.or(fault, overflows)))
            }
            _ => Err(JitError::Unsupported("differences of gains that are not for two")),
        };
        for action in &coded.formulas.actions {
            let zero = arena.number(0);
            let (kept, fault) = match gains {
                Gains::Outcome => (Vec::new(), action.fault),
                Gains::Difference if action.gains.is_empty() => (vec![zero], action.fault),
                Gains::All if action.gains.is_empty() => (vec![zero; players], action.fault),
                Gains::All => (action.gains.clone(), action.fault),
                Gains::Difference => {
                    // Gains of an illegal move do not matter.
                    let (node, fault) = difference(arena, &action.gains, zero)?;
                    let fault = arena.and(fault, action.guard);
                    (vec![node], arena.or(fault, action.fault))
                }
            };
            nodes.gains.push(kept);
            nodes.faults.push(fault);
        }
        for case in coded.formulas.ends.iter().chain([&coded.formulas.stuck]) {
            let (kept, fault) = match (&case.result, gains) {
                (EndResult::Outcome(outcome), Gains::Outcome) => (vec![*outcome], case.fault),
                (EndResult::Gains(gains), Gains::All) => (gains.clone(), case.fault),
                (EndResult::Gains(gains), Gains::Difference) => {
                    let zero = arena.number(0);
                    let (node, fault) = difference(arena, gains, zero)?;
                    let fault = arena.and(fault, case.when);
                    (vec![node], arena.or(fault, case.fault))
                }
                _ => return Err(JitError::Unsupported("a result of another kind than asked for")),
            };
            nodes.ends.push(kept);
            nodes.faults.push(fault);
        }
        Ok(nodes)
    }

    fn roots(&self, coded: &Coded) -> Vec<Node> {
        let mut roots = self.shifts.clone();
        roots.extend(&self.sames);
        roots.extend(self.gains.iter().chain(&self.ends).flatten());
        roots.extend(&self.faults);
        roots.extend(coded.formulas.ends.iter().map(|case| case.when));
        for action in &coded.formulas.actions {
            roots.push(action.guard);
            roots.extend(action.counts.iter().flat_map(|count| [count.low, count.high, count.fault]));
        }
        roots
    }
}

/// Writes the function.
struct Writer<'w, 'e> {
    emitter: &'w mut Emitter<'e>,
    coded: &'w Coded,
    nodes: &'w Nodes,
    reads: &'w Reads,
    bounded: bool,
    /// How many options there are so far.
    number: Variable,
    fault: Block,
    full: Block,
}

/// Nobody else writes to the buffers meanwhile, and they are aligned.
const BUFFER: MemFlagsData = MemFlagsData::trusted();

impl<'w, 'e> Writer<'w, 'e> {
    fn new(
        emitter: &'w mut Emitter<'e>,
        coded: &'w Coded,
        nodes: &'w Nodes,
        reads: &'w Reads,
        bounded: bool,
    ) -> Writer<'w, 'e> {
        let number = emitter.builder.declare_var(types::I64);
        let (fault, full) = (emitter.builder.create_block(), emitter.builder.create_block());
        emitter.builder.set_cold_block(fault);
        emitter.builder.set_cold_block(full);
        Writer { emitter, coded, nodes, reads, bounded, number, fault, full }
    }

    fn write(&mut self) {
        let code = self.emitter.parameter(0);
        bind_digits(self.emitter, self.coded, self.reads, code);
        let formulas = &self.coded.formulas;
        let actions = formulas.actions.len();
        let zero = self.emitter.number(0);
        self.emitter.builder.def_var(self.number, zero);
        let mut over = false;
        for (number, case) in formulas.ends.iter().enumerate() {
            over = self.end(case, self.nodes.faults[actions + number], &self.nodes.ends[number]);
            if over {
                break;
            }
        }
        if !over {
            for (number, action) in formulas.actions.iter().enumerate() {
                self.action(number, action);
            }
            self.stuck();
        }
        for (block, result) in [(self.fault, FAULT), (self.full, FULL)] {
            self.emitter.builder.switch_to_block(block);
            self.give(result);
        }
    }

    fn give(&mut self, result: i64) {
        let result = self.emitter.number(result);
        self.emitter.builder.ins().return_(&[result]);
    }

    fn is(&self, node: Node, number: i64) -> bool {
        self.coded.formulas.arena.known(node) == Some(number)
    }

    fn stop_at(&mut self, fault: Node) {
        if !self.is(fault, 0) {
            self.emitter.branch_if(fault, self.fault);
        }
    }

    /// Writes an end; returns whether play is always over here.
    fn end(&mut self, case: &Case, fault: Node, gains: &[Node]) -> bool {
        self.stop_at(fault);
        if self.is(case.when, 0) {
            return false;
        }
        if self.is(case.when, 1) {
            self.write_end(gains);
            return true;
        }
        let (here, after) = (self.emitter.builder.create_block(), self.emitter.builder.create_block());
        let fork = self.emitter.fork(case.when, here, after);
        self.emitter.push_scope();
        self.emitter.go_on(&fork, here);
        self.write_end(gains);
        self.emitter.pop_scope();
        self.emitter.go_on(&fork, after);
        false
    }

    fn write_end(&mut self, gains: &[Node]) {
        let into = self.emitter.parameter(3);
        for (place, &gain) in gains.iter().enumerate() {
            let value = self.emitter.value(gain);
            self.emitter.builder.ins().store(BUFFER, value, into, place as i32 * 8);
        }
        self.give(END);
    }

    fn stuck(&mut self) {
        let number = self.emitter.builder.use_var(self.number);
        let (some, none) = (self.emitter.builder.create_block(), self.emitter.builder.create_block());
        self.emitter.builder.ins().brif(number, some, &[], none, &[]);
        self.emitter.builder.switch_to_block(some);
        self.emitter.builder.ins().return_(&[number]);
        self.emitter.builder.switch_to_block(none);
        let (Some(&fault), Some(gains)) = (self.nodes.faults.last(), self.nodes.ends.last()) else { return };
        self.stop_at(fault);
        self.write_end(gains);
    }

    fn action(&mut self, number: usize, action: &Action) {
        if action.counts.is_empty() {
            return self.option(number, action);
        }
        // Loops have their counter as the parameter of their block. They test at the end, so that the counter never
        // goes beyond the last number.
        self.emitter.push_scope();
        let mut loops = Vec::new();
        let end = self.emitter.builder.create_block();
        let mut outside = end;
        for count in &action.counts {
            self.stop_at(count.fault);
            let (low, high) = self.bounds(count);
            let body = self.emitter.builder.create_block();
            let counter = self.emitter.builder.append_block_param(body, types::I64);
            let some = self.emitter.builder.ins().icmp(IntCC::SignedLessThanOrEqual, low, high);
            self.emitter.builder.ins().brif(some, body, &[low.into()], outside, &[]);
            self.emitter.builder.switch_to_block(body);
            if let Some(choice) = self.coded.formulas.arena.find(&Op::Choice(count.choice)) {
                self.emitter.bind(choice, counter);
            }
            let next = self.emitter.builder.create_block();
            loops.push((body, counter, high, next, outside));
            outside = next;
        }
        if !self.bounded {
            let (number, limit) = (self.emitter.builder.use_var(self.number), self.emitter.parameter(4));
            let room = self.emitter.builder.create_block();
            let fits = self.emitter.builder.ins().icmp(IntCC::SignedLessThan, number, limit);
            self.emitter.builder.ins().brif(fits, room, &[], self.full, &[]);
            self.emitter.builder.switch_to_block(room);
        }
        self.option(number, action);
        self.emitter.builder.ins().jump(outside, &[]);
        for (body, counter, high, next, outside) in loops.into_iter().rev() {
            self.emitter.builder.switch_to_block(next);
            let last = self.emitter.builder.ins().icmp(IntCC::Equal, counter, high);
            let following = self.emitter.builder.ins().iadd_imm_s(counter, 1);
            self.emitter.builder.ins().brif(last, outside, &[], body, &[following.into()]);
        }
        self.emitter.pop_scope();
        self.emitter.builder.switch_to_block(end);
    }

    /// The first and the last number of a count.
    fn bounds(&mut self, count: &formula::Count) -> (Value, Value) {
        let arena = &self.coded.formulas.arena;
        let (mut low, mut high) = (self.emitter.value(count.low), self.emitter.value(count.high));
        let Some(choice) = arena.find(&Op::Choice(count.choice)) else { return (low, high) };
        let all = arena.range(choice);
        // Choices must stay in their range, because reads of lists rely on it. This enforces it.
        if arena.range(count.low).low < all.low {
            let least = self.emitter.number(all.low);
            low = self.emitter.builder.ins().smax(low, least);
        }
        if arena.range(count.high).high > all.high {
            let most = self.emitter.number(all.high);
            high = self.emitter.builder.ins().smin(high, most);
        }
        (low, high)
    }

    /// Appends an option where its guard holds.
    fn option(&mut self, number: usize, action: &Action) {
        self.stop_at(self.nodes.faults[number]);
        if self.is(action.guard, 0) {
            return;
        }
        let mut cost = self.emitter.cost(self.nodes.shifts[number], CHEAP) + self.emitter.cost(action.guard, CHEAP);
        for &gain in &self.nodes.gains[number] {
            cost += self.emitter.cost(gain, CHEAP);
        }
        if cost <= CHEAP || self.is(action.guard, 1) {
            self.write_option(number);
            let before = self.emitter.builder.use_var(self.number);
            let more = self.emitter.truth(action.guard);
            let more = self.emitter.builder.ins().uextend(types::I64, more);
            let after = self.emitter.builder.ins().iadd(before, more);
            self.emitter.builder.def_var(self.number, after);
            return;
        }
        let (here, after) = (self.emitter.builder.create_block(), self.emitter.builder.create_block());
        let fork = self.emitter.fork(action.guard, here, after);
        self.emitter.push_scope();
        self.emitter.go_on(&fork, here);
        self.write_option(number);
        let before = self.emitter.builder.use_var(self.number);
        let more = self.emitter.builder.ins().iadd_imm_s(before, 1);
        self.emitter.builder.def_var(self.number, more);
        self.emitter.builder.ins().jump(after, &[]);
        self.emitter.pop_scope();
        self.emitter.builder.switch_to_block(after);
    }

    fn write_option(&mut self, number: usize) {
        let place = self.emitter.builder.use_var(self.number);
        let code = self.emitter.parameter(0);
        let shift = self.emitter.value(self.nodes.shifts[number]);
        let option = self.emitter.builder.ins().iadd(code, shift);
        let at = self.item(1, place, 8);
        self.emitter.builder.ins().store(BUFFER, option, at, 0);
        if self.nodes.same.is_none() {
            let same = self.emitter.truth(self.nodes.sames[number]);
            let at = self.item(2, place, 1);
            self.emitter.builder.ins().store(BUFFER, same, at, 0);
        }
        let gains = &self.nodes.gains[number];
        if gains.is_empty() {
            return;
        }
        let at = self.item(3, place, gains.len() as i64 * 8);
        for (player, &gain) in gains.iter().enumerate() {
            let value = self.emitter.value(gain);
            self.emitter.builder.ins().store(BUFFER, value, at, player as i32 * 8);
        }
    }

    /// The address of an item of a buffer.
    fn item(&mut self, buffer: usize, place: Value, size: i64) -> Value {
        let start = self.emitter.parameter(buffer);
        let offset = self.emitter.times(place, size);
        self.emitter.builder.ins().iadd(start, offset)
    }
}

/// A compiled function from codes to numbers, such as a declared measure.
#[derive(Debug)]
pub struct NodeFn {
    call: unsafe extern "C" fn(u64) -> i64,
    _code: Code,
    size: u64,
}

impl NodeFn {
    /// The number of a position; `None` for a number that is no code.
    pub fn value(&self, code: u64) -> Option<i64> {
        // SAFETY: the code is below the size of the numbering.
        (code < self.size).then(|| unsafe { (self.call)(code) })
    }
}

/// Compiles one node of coded formulas as a function of the code.
pub fn compile_node(coded: &Coded, node: Node) -> Result<NodeFn, JitError> {
    let reads = Reads::of(coded, [node]);
    if reads.nodes.len() > MOST_NODES {
        return Err(JitError::TooLarge(reads.nodes.len()));
    }
    let mut module = Assembly::new(&coded.formulas)?;
    let function: FunctionId = module.function(&coded.formulas, &[types::I64], &[types::I64], |emitter| {
        let code = emitter.parameter(0);
        bind_digits(emitter, coded, &reads, code);
        let value = emitter.value(node);
        emitter.builder.ins().return_(&[value]);
        Ok(())
    })?;
    let code = module.finish()?;
    // SAFETY: the function was made with this parameter and this result, in the convention of `extern "C"`.
    let call = unsafe { std::mem::transmute::<*const u8, unsafe extern "C" fn(u64) -> i64>(code.address(function)) };
    Ok(NodeFn { call, _code: code, size: coded.numbering.size })
}
