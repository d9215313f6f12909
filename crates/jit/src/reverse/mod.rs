//! Moves undone: the positions that lead to a position, found from the rules instead of from a list of all moves.
//!
//! Retrograde analysis goes from positions to those before them. To store all moves for that takes longer than the analysis
//! itself, several times so for small games. But most moves can be undone: a cell goes back by what was added to it, along an
//! arrow of a graph, or to the only value that the move allows.
//!
//! - [`Reverser`]: the positions before a position, one by one.
//! - [`Retrograde`]: a whole analysis. The cells and the queue are handled by the compiled code as well, because handing
//!   over each position found would cost as much as finding it.
//!
//! Both need dense codes, two players and rules that nowhere go wrong; what they cannot undo is refused.
//!
//! Cells are those of the table that comes out, 32 bits each:
//!
//! ```text
//!  31 30  29                                             0
//! ┌──────┬───────────────────────────────────────────────┐
//! │  0   │ how many options are not known to be lost     │
//! │  1   │ lost: remoteness                              │
//! │ 2, 3 │ drawn, won: all ones − remoteness             │
//! └──────┴───────────────────────────────────────────────┘
//! ```

mod degrees;
mod plan;
mod rows;
mod write;

use cranelift_codegen::ir::{InstBuilder, types};
use formula::{Coded, Node, Op, Worth};

use crate::decode::Reads;
use crate::error::JitError;
use crate::module::{Code, Effort, Module};
use degrees::{Degrees, Nest};
use plan::Plan;
use rows::Rows;
use write::{BUFFER, Loop, Sink, Writer, before, item};

const ONE: i64 = 1 << 30;
const LOSS: i64 = ONE;
const DRAW: i64 = 2 * ONE;
const WIN: i64 = 3 * ONE;
const NEVER: i64 = ONE - 1;
/// A code that is no position, until the end: a draw more remote than there are positions.
const INVALID: i64 = DRAW | 1;

/// Formulas of more nodes take too long to compile.
const MOST_NODES: usize = 20_000;

/// More ways back than this are too much code.
const MOST_INVERSES: usize = 1 << 10;

/// Refuses what no moves are undone for.
fn suits(coded: &Coded) -> Result<(), JitError> {
    let Coded { formulas, numbering, .. } = coded;
    let players = if numbering.turn.is_some() { 2 } else { 1 };
    let size = numbering.digits.iter().try_fold(players, |size: u64, digit| size.checked_mul(digit.size));
    if formulas.players != 2 || size != Some(numbering.size) || numbering.size >= ONE as u64 {
        return Err(JitError::Unsupported("moves undone without dense codes for two players"));
    }
    let arena = &formulas.arena;
    let mut options = 0i128;
    for action in &formulas.actions {
        let mut ways = 1i128;
        for count in &action.counts {
            let (low, high) = (arena.range(count.low).low, arena.range(count.high).high);
            let all = arena.find(&Op::Choice(count.choice)).map(|choice| arena.range(choice));
            let (low, high) = all.map_or((low, high), |all| (low.max(all.low), high.min(all.high)));
            let length = if high == i64::MAX { i128::from(ONE) } else { i128::from(high) - i128::from(low) + 1 };
            ways = ways.saturating_mul(length.max(0));
        }
        options = options.saturating_add(ways);
    }
    let cases = || formulas.ends.iter().chain([&formulas.stuck]);
    let faults = cases().map(|case| case.fault).chain(formulas.actions.iter().map(|action| action.fault));
    let faults = faults.chain(formulas.actions.iter().flat_map(|action| action.counts.iter().map(|count| count.fault)));
    if { faults }.any(|fault| arena.known(fault) != Some(0)) {
        return Err(JitError::Unsupported("moves undone where rules can go wrong"));
    }
    let counted = cases().any(|case| matches!(case.result, Worth::Gains(_)));
    if counted || options >= i128::from(ONE) || formulas.actions.iter().any(|action| action.split.is_some()) {
        return Err(JitError::Unsupported("moves undone in a game of another kind"));
    }
    Ok(())
}

/// The ways back, and what they read.
fn ways_back(coded: &mut Coded, strict: bool) -> Result<(Plan, Reads), JitError> {
    suits(coded)?;
    if coded.formulas.actions.len() > MOST_INVERSES {
        return Err(JitError::TooLarge(coded.formulas.actions.len()));
    }
    // Leaves that are bound must be there.
    let digits: Vec<u32> = coded.numbering.digits.iter().map(|digit| digit.cell).collect();
    let mut roots: Vec<Node> = Vec::new();
    for cell in digits {
        let range = coded.formulas.cells[cell as usize];
        roots.push(coded.formulas.arena.cell(cell, range));
    }
    if coded.numbering.turn.is_some() {
        roots.push(coded.formulas.arena.mover(2));
    }
    // Where cells follow from others, codes that give them a value outside their domain are no positions.
    for (cell, node) in coded.derived.clone() {
        let formula::Range { low, high } = coded.formulas.cells[cell as usize];
        let arena = &mut coded.formulas.arena;
        let (low, high) = (arena.number(low), arena.number(high));
        let inside = [arena.le(low, node), arena.le(node, high)];
        coded.formulas.valid.extend(inside);
    }
    let Coded { formulas, .. } = coded;
    formulas.valid.retain(|valid| formulas.arena.known(*valid) != Some(1));
    let plan = Plan::new(coded, strict)?;
    roots.extend(plan.nodes());
    let reads = Reads::of(coded, roots);
    if reads.nodes.len() > MOST_NODES || plan.inverses.len() > MOST_INVERSES {
        return Err(JitError::TooLarge(reads.nodes.len()));
    }
    Ok((plan, reads))
}

/// `(code, buffer, limit)`
type Leading = unsafe extern "C" fn(u64, *mut u32, i64) -> i64;

/// The positions that have a position as an option.
#[derive(Debug)]
pub struct Reverser {
    call: Leading,
    _code: Code,
    _rows: Vec<Rows>,
    size: u64,
}

impl Reverser {
    /// In an entry: the same player moves on.
    pub const SAME: u32 = 1 << 31;

    /// Compiles the moves of a game backwards.
    pub fn compile(coded: &Coded) -> Result<Reverser, JitError> {
        let mut coded = coded.clone();
        let (plan, reads) = ways_back(&mut coded, true)?;
        let mut module = Module::new(&coded.formulas, Effort::Full)?;
        let function = module.function(&coded.formulas, &[types::I64; 3], &[types::I64], |emitter| {
            let number = emitter.builder.declare_var(types::I64);
            let zero = emitter.number(0);
            emitter.builder.def_var(number, zero);
            let code = emitter.parameter(0);
            let sink = Sink::Buffer { number };
            Writer { emitter, coded: &coded, plan: &plan, reads: &reads, code, sink }.write();
            let number = emitter.builder.use_var(number);
            emitter.builder.ins().return_(&[number]);
            Ok(())
        })?;
        let code = module.finish()?;
        // SAFETY: the function was made with these parameters and this result, in the convention of `extern "C"`.
        let call = unsafe { std::mem::transmute::<*const u8, Leading>(code.address(function)) };
        Ok(Reverser { call, _code: code, _rows: plan.rows, size: coded.numbering.size })
    }

    /// Writes the codes of all positions that have this one as an option, one entry for each way to move here, marked with
    /// [`Reverser::SAME`] where the same player moves on. Positions where play is over have no options.
    pub fn leading_to(&self, code: u64, into: &mut Vec<u32>) {
        into.clear();
        if code >= self.size {
            return;
        }
        loop {
            let limit = into.capacity();
            // SAFETY: the code is below the size of the numbering, and no more than `limit` entries are written.
            let number = unsafe { (self.call)(code, into.as_mut_ptr(), limit as i64) } as usize;
            if number <= limit {
                // SAFETY: so many have been written.
                unsafe { into.set_len(number) };
                return;
            }
            into.reserve(number);
        }
    }
}

/// `(scratch)`
type Tables = unsafe extern "C" fn(*mut u32);
/// `(cells, queue, tail, first, end, scratch, draws)`
type Prepare = unsafe extern "C" fn(*mut u32, *mut u32, u64, u64, u64, *const u32, *mut u64) -> u64;
/// `(cells, queue, head, end, tail)`
type Carry = unsafe extern "C" fn(*mut u32, *mut u32, u64, u64, u64) -> u64;

/// A whole retrograde analysis, compiled. [`Analysis`] runs it.
#[derive(Debug)]
pub struct Retrograde {
    tables: Tables,
    prepare: Prepare,
    carry: Carry,
    _code: Code,
    _rows: Vec<Rows>,
    size: u64,
    rounds: u64,
    scratch: u64,
}

impl Retrograde {
    /// Compiles the analysis of a game.
    pub fn compile(coded: &Coded) -> Result<Retrograde, JitError> {
        let mut coded = coded.clone();
        let (plan, reads) = ways_back(&mut coded, false)?;
        let counted = Reads::of(&coded, Degrees::nodes(&coded)).nodes.len();
        if counted > MOST_NODES {
            return Err(JitError::TooLarge(counted));
        }
        let degrees = Degrees::new(&coded);
        let mut module = Module::new(&coded.formulas, Effort::Full)?;
        let tables = module.function(&coded.formulas, &[types::I64], &[], |emitter| {
            Nest { emitter, coded: &coded, degrees: &degrees }.tables();
            Ok(())
        })?;
        let prepare = module.function(&coded.formulas, &[types::I64; 7], &[types::I64], |emitter| {
            Nest { emitter, coded: &coded, degrees: &degrees }.write();
            Ok(())
        })?;
        let carry = module.function(&coded.formulas, &[types::I64; 5], &[types::I64], |emitter| {
            let [cells, queue, head, end, start] = std::array::from_fn(|at| emitter.parameter(at));
            let tail = emitter.builder.declare_var(types::I64);
            emitter.builder.def_var(tail, start);
            let level = Loop::open(emitter, head, end, true);
            let at = item(emitter, queue, level.counter);
            let code = emitter.builder.ins().uload32(BUFFER, at, 0);
            let at = item(emitter, cells, code);
            let option = emitter.builder.ins().uload32(BUFFER, at, 0);
            let (kept, turned) = before(emitter, option);
            let sink = Sink::Carry { tail, kept, turned };
            Writer { emitter, coded: &coded, plan: &plan, reads: &reads, code, sink }.write();
            level.close(emitter);
            let tail = emitter.builder.use_var(tail);
            emitter.builder.ins().return_(&[tail]);
            Ok(())
        })?;
        let code = module.finish()?;
        // SAFETY: the functions were made with these parameters and results, in the convention of `extern "C"`.
        let (tables, prepare, carry) = unsafe {
            (
                std::mem::transmute::<*const u8, Tables>(code.address(tables)),
                std::mem::transmute::<*const u8, Prepare>(code.address(prepare)),
                std::mem::transmute::<*const u8, Carry>(code.address(carry)),
            )
        };
        let (size, rounds, scratch) = (coded.numbering.size, degrees.rounds(), degrees.scratch);
        Ok(Retrograde { tables, prepare, carry, _code: code, _rows: plan.rows, size, rounds, scratch })
    }

    /// How many codes there are.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// How many numbers of 32 bits an analysis needs: the cells, the queue, and what else.
    pub fn needs(&self) -> [u64; 3] {
        [self.size, self.size + 1, self.scratch]
    }
}

/// An analysis under way: first [`Analysis::prepare`] until all codes are done, then [`Analysis::carry`] until nothing is
/// left, then [`Analysis::finish`].
#[derive(Debug)]
pub struct Analysis<'r> {
    code: &'r Retrograde,
    cells: Vec<u32>,
    queue: Vec<u32>,
    scratch: Vec<u32>,
    round: u64,
    head: u64,
    tail: u64,
    draws: u64,
}

impl<'r> Analysis<'r> {
    /// Begins an analysis with memory of the lengths that [`Retrograde::needs`] says; `None` if they differ.
    pub fn new(code: &'r Retrograde, [cells, queue, mut scratch]: [Vec<u32>; 3]) -> Option<Analysis<'r>> {
        if [&cells, &queue, &scratch].map(|memory| memory.len() as u64) != code.needs() {
            return None;
        }
        // SAFETY: the tables that are filled are as long as that together.
        unsafe { (code.tables)(scratch.as_mut_ptr()) };
        Some(Analysis { code, cells, queue, scratch, round: 0, head: 0, tail: 0, draws: 0 })
    }

    /// Counts the options of at least so many more codes; returns whether there are more.
    pub fn prepare(&mut self, codes: u64) -> bool {
        let Retrograde { size, rounds, .. } = *self.code;
        let more = (codes / (size / rounds)).max(1);
        let end = rounds.min(self.round.saturating_add(more));
        let mut draws = 0;
        let (cells, queue, scratch) = (self.cells.as_mut_ptr(), self.queue.as_mut_ptr(), self.scratch.as_ptr());
        // SAFETY: every round writes the cells of its own codes, which are below the size, and each at most once into the
        // queue, so that the queue is never longer than that with one place to spare. Rounds are not repeated.
        self.tail = unsafe { (self.code.prepare)(cells, queue, self.tail, self.round, end, scratch, &raw mut draws) };
        self.draws += draws;
        self.round = end;
        end < rounds
    }

    /// How many ends are declared draws. These are not carried back.
    pub fn draws(&self) -> u64 {
        self.draws
    }

    /// How many codes are won or lost as far as is known.
    pub fn settled(&self) -> u64 {
        self.tail
    }

    /// Carries back from up to so many settled positions; returns whether there are more.
    pub fn carry(&mut self, positions: u64) -> bool {
        if self.round < self.code.rounds {
            return true;
        }
        let end = self.tail.min(self.head.saturating_add(positions));
        // SAFETY: the queue holds codes below the size up to `tail`. A code is appended only when its cell becomes settled,
        // which no cell does twice, so that there are never more than the size; one place is to spare. What leads to a code
        // differs from it in digits that were tested or made to lie in their domains.
        self.tail =
            unsafe { (self.code.carry)(self.cells.as_mut_ptr(), self.queue.as_mut_ptr(), self.head, end, self.tail) };
        self.head = end;
        self.head < self.tail
    }

    /// The cells, those that are neither won nor lost drawn without end; 0 where there is no position. Also how many
    /// positions there are.
    pub fn finish(mut self) -> (Vec<u32>, u64) {
        let mut none = 0u64;
        for cell in &mut self.cells {
            let held = *cell;
            let settled = if held == INVALID as u32 { 0 } else { held };
            none += u64::from(settled == 0);
            *cell = if held < LOSS as u32 { DRAW as u32 } else { settled };
        }
        (self.cells, self.code.size - none)
    }
}
