//! Moves undone: the positions that lead to a position, found from the rules instead of from a list of all moves.
//!
//! Retrograde analysis goes from positions to those before them. To store all moves for that takes longer than the analysis
//! itself. But most moves can be undone: a cell goes back by what was added to it, along an arrow of a graph, or to the only
//! value that the move allows. This is a second retrograde analysis beside that of the crate `engine`, and stays because it
//! wins from end to end: Cat and Mouse of 1.6 million codes is solved in 0.17 s of processor time with it and 0.36 s without, its
//! compile time included. Below some 30,000 codes compiling costs more than it saves, and `solve` does not ask for it.
//!
//! [`Retrograde`] is a whole analysis. The cells and the queue are handled by the compiled code as well, because handing
//! over each position found would cost as much as finding it. It needs dense codes, two players and rules that nowhere go
//! wrong; what it cannot undo is refused.
//!
//! Each code has a counter of the moves from it that are not undone yet, and a bit that says it is settled:
//!
//! ```text
//! counter − 1                 for every move undone; 0: all options are lost for the mover, so the position is lost
//! bit 31                      put in by an option that is won for the mover; or from the start, where there are no options
//! ```
//!
//! So a move undone is one number read and written, whatever it means, and no jump depends on it. The value goes into the
//! table once, when the position is taken from the queue. Two bits of a table cell are the outcome, see [`Analysis::finish`].

mod degrees;
mod inverses;
mod rows;
mod write;

use cranelift_codegen::ir::{InstBuilder, types};
use formula::{Coded, EndResult, Node, Op};

use crate::assembly::Assembly;
use crate::decode::Reads;
use crate::error::JitError;
use crate::module::Code;
use degrees::{Degrees, Nest};
use inverses::Inverses;
use rows::Rows;
use write::{BUFFER, Loop, Sink, Writer, before, item};

/// Codes and numbers of options are below this.
const ONE: i64 = 1 << 30;
/// Table cells: lost with the remoteness added, drawn without end, won with the remoteness taken off.
const LOSS: i64 = ONE;
const DRAW: i64 = 2 * ONE;
const WIN: i64 = 4 * ONE - 1;
/// In a counter: settled. In the queue: won.
const DECIDED: i64 = 1 << 31;
/// The counter of what has no options: it stays settled, however often it is counted down.
const NEVER_OPEN: i64 = DECIDED | (ONE - 1);

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
    let counted = cases().any(|case| matches!(case.result, EndResult::Gains(_)));
    if counted || options >= i128::from(ONE) || formulas.actions.iter().any(|action| action.split.is_some()) {
        return Err(JitError::Unsupported("moves undone in a game of another kind"));
    }
    Ok(())
}

/// The ways back, and what they read.
fn ways_back(coded: &mut Coded) -> Result<(Inverses, Reads), JitError> {
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
    let ways = Inverses::new(coded)?;
    roots.extend(ways.nodes());
    let reads = Reads::of(coded, roots);
    if reads.nodes.len() > MOST_NODES || ways.inverses.len() > MOST_INVERSES {
        return Err(JitError::TooLarge(reads.nodes.len()));
    }
    Ok((ways, reads))
}

/// `(scratch)`
type Tables = unsafe extern "C" fn(*mut u32);
/// `(counters, queue, tail, first, end, scratch, draws)`
type Prepare = unsafe extern "C" fn(*mut u32, *mut u32, u64, u64, u64, *const u32, *mut u64) -> u64;
/// `(cells, counters, head, end, tail, cells of a lost and of a won position)`
type Carry = unsafe extern "C" fn(*mut u32, *mut u32, *const u32, *const u32, *mut u32, u64, u64) -> *mut u32;

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
        let (ways, reads) = ways_back(&mut coded)?;
        let counted = Reads::of(&coded, Degrees::nodes(&coded)).nodes.len();
        if counted > MOST_NODES {
            return Err(JitError::TooLarge(counted));
        }
        let degrees = Degrees::new(&coded);
        let mut module = Assembly::new(&coded.formulas)?;
        let tables = module.function(&coded.formulas, &[types::I64], &[], |emitter| {
            Nest { emitter, coded: &coded, degrees: &degrees }.tables();
            Ok(())
        })?;
        let prepare = module.function(&coded.formulas, &[types::I64; 7], &[types::I64], |emitter| {
            Nest { emitter, coded: &coded, degrees: &degrees }.write();
            Ok(())
        })?;
        let carry = module.function(&coded.formulas, &[types::I64; 7], &[types::I64], |emitter| {
            let [cells, _, head, end, start, loss, win] = std::array::from_fn(|at| emitter.parameter(at));
            let tail = emitter.builder.declare_var(types::I64);
            emitter.builder.def_var(tail, start);
            let rounds = Loop::through(emitter, head, end);
            let entry = emitter.builder.ins().uload32(BUFFER, rounds.counter, 0);
            let won = emitter.builder.ins().ushr_imm_s(entry, 31);
            let code = emitter.builder.ins().band_imm_s(entry, DECIDED - 1);
            let value = emitter.builder.ins().select(won, win, loss);
            let at = item(emitter, cells, code);
            emitter.builder.ins().istore32(BUFFER, value, at, 0);
            let (kept, turned) = before(emitter, won);
            let sink = Sink { tail, kept, turned };
            Writer { emitter, coded: &coded, ways: &ways, reads: &reads, code, sink }.write();
            rounds.close(emitter);
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
        Ok(Retrograde { tables, prepare, carry, _code: code, _rows: ways.rows, size, rounds, scratch })
    }

    /// How many codes there are.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// How many numbers of 32 bits an analysis needs: the cells, the counters, the queue, and what else.
    pub fn needs(&self) -> [u64; 4] {
        [self.size, self.size, self.size + 1, self.scratch]
    }
}

/// An analysis under way: first [`Analysis::prepare`] until all codes are done, then [`Analysis::carry`] until nothing is
/// left, then [`Analysis::finish`].
#[derive(Debug)]
pub struct Analysis<'r> {
    code: &'r Retrograde,
    cells: Vec<u32>,
    counters: Vec<u32>,
    queue: Vec<u32>,
    scratch: Vec<u32>,
    round: u64,
    head: u64,
    tail: u64,
    /// Where the positions of this level end in the queue.
    level_end: u64,
    /// How many levels were begun.
    levels: u64,
    draws: u64,
}

impl<'r> Analysis<'r> {
    /// Begins an analysis with zeros of the lengths that [`Retrograde::needs`] says; `None` if they differ.
    pub fn new(code: &'r Retrograde, [cells, counters, queue, mut scratch]: [Vec<u32>; 4]) -> Option<Analysis<'r>> {
        if [&cells, &counters, &queue, &scratch].map(|memory| memory.len() as u64) != code.needs() {
            return None;
        }
        // SAFETY: the tables that are filled are as long as that together.
        unsafe { (code.tables)(scratch.as_mut_ptr()) };
        let (round, head, tail, level_end, levels, draws) = (0, 0, 0, 0, 0, 0);
        Some(Analysis { code, cells, counters, queue, scratch, round, head, tail, level_end, levels, draws })
    }

    /// Counts the options of at least so many more codes; returns whether there are more.
    pub fn prepare(&mut self, codes: u64) -> bool {
        let Retrograde { size, rounds, .. } = *self.code;
        let more = (codes / (size / rounds)).max(1);
        let end = rounds.min(self.round.saturating_add(more));
        let mut draws = 0;
        let (counters, queue) = (self.counters.as_mut_ptr(), self.queue.as_mut_ptr());
        let (tail, first, scratch) = (self.tail, self.round, self.scratch.as_ptr());
        // SAFETY: every round writes the counters of its own codes, which are below the size, and each at most once into the
        // queue, so that the queue is never longer than that with one place to spare. Rounds are not repeated.
        self.tail = unsafe { (self.code.prepare)(counters, queue, tail, first, end, scratch, &raw mut draws) };
        self.draws += draws;
        self.round = end;
        end < rounds
    }

    /// How many ends are declared draws. These are not carried back, and have no cell in the end.
    pub fn draws(&self) -> u64 {
        self.draws
    }

    /// How many codes are won or lost as far as is known.
    pub fn settled(&self) -> u64 {
        self.tail
    }

    /// Carries back from up to so many settled positions; returns whether there are more.
    pub fn carry(&mut self, positions: u64) -> bool {
        let mut left = if self.round < self.code.rounds { 0 } else { positions };
        while left > 0 && self.head < self.tail {
            if self.head == self.level_end {
                self.level_end = self.tail;
                self.levels += 1;
            }
            let (head, end) = (self.head, self.level_end.min(self.head.saturating_add(left)));
            let (cells, counters) = (self.cells.as_mut_ptr(), self.counters.as_mut_ptr());
            let queue = self.queue.as_mut_ptr();
            let (loss, win) = (LOSS as u64 + (self.levels - 1), WIN as u64 - (self.levels - 1));
            // SAFETY: the queue holds codes below the size up to `tail`. What leads to a code differs from it in digits that
            // were tested or made to lie in their domains, so it is below the size as well. A code is appended only when
            // its counter comes down to 0 or gets the bit that it did not have; each move is undone once, because each
            // position is taken from the queue once, so that no counter with the bit loses it, and none passes 0 twice.
            // So the queue is never longer than the size, and has one place to spare.
            self.tail = unsafe {
                let (first, last, tail) =
                    (queue.add(head as usize), queue.add(end as usize), queue.add(self.tail as usize));
                let tail = (self.code.carry)(cells, counters, first, last, tail, loss, win);
                tail.offset_from(queue) as u64
            };
            left -= end - head;
            self.head = end;
        }
        self.head < self.tail
    }

    /// The cells, and how many positions there are:
    ///
    /// ```text
    ///  31 30  29                                             0
    /// ┌──────┬───────────────────────────────────────────────┐
    /// │  0   │ 0: no position                                │
    /// │  1   │ lost: remoteness                              │
    /// │  2   │ drawn: 0, play need never end                 │
    /// │  3   │ won: all ones − remoteness                    │
    /// └──────┴───────────────────────────────────────────────┘
    /// ```
    pub fn finish(mut self) -> (Vec<u32>, u64) {
        let mut positions = 0;
        for (cell, counter) in self.cells.iter_mut().zip(&self.counters) {
            let open = counter.wrapping_sub(1) < DECIDED as u32 - 1;
            *cell = if open { DRAW as u32 } else { *cell };
            positions += u32::from(*cell != 0);
        }
        (self.cells, u64::from(positions))
    }
}
