//! Runs the rules: ends, moves, results and everything else a rules file says, one position at a time.
//!
//! The interpreter walks the checked program as it stands. It is the oracle for everything fast, so it prefers being
//! obviously right to being quick. It makes two concessions to speed: numbers travel as plain `i64` (`eval`'s
//! `scalar`), and variables are read straight from the cells of the position. Arithmetic is checked. Work is limited:
//! every step of a rule is counted, and a rule that would run for minutes in a single position ends in a [`Fault`]
//! instead. Every few thousand steps it looks whether it has to stop (see [`crate::stop`]); that look takes no part in the
//! counting, and all it can do is end the work with a fault that says so. There is no recursion in the depth of a game; the depth of the evaluator is bounded by the nesting of the
//! rules, which [`crate::bind`] limits.
//!
//! Read `eval` for expressions, `exec` for statements, `moves` for how moves are found and played, `results` for ends
//! and the declarations that planners ask for.

mod builtins;
mod eval;
mod exec;
mod faults;
mod moves;
mod results;

pub use moves::Effect;
pub use results::Claimed;

use game::Player;

use crate::bound::Bound;
use crate::fault::Fault;
use crate::layout::{Layout, Stray};
use crate::naming::Naming;
use crate::program::{Domain, Expr, Parts, Program, Source};
use crate::space::Space;
use crate::span::Span;
use crate::stop;
use crate::text;
use crate::value::Value;

/// How many steps one rule may take in one position. A new list costs one step for each item.
pub const WORK_LIMIT: u64 = 1 << 26;
/// Binding an instance may take this many times longer, because it happens once. Its lists may not be larger.
const BIND_FACTOR: u64 = 4;
/// What one number of a new list costs. This keeps lists below half a gigabyte.
const ITEM_COST: u64 = 1;
/// What one list of a new list of lists costs. This keeps them below half a gigabyte too.
const LIST_COST: u64 = 8;
/// How many steps are taken between two looks at the stop button: some tens of microseconds.
const SLICE: u64 = 1 << 12;
/// Longer lists are asked room for in memory.
const LONG: usize = 1 << 16;
/// About how many bytes a list in a list takes beside its items.
const LIST_BYTES: u64 = 64;

/// The global slots that can be read.
#[derive(Clone, Copy)]
enum Globals<'b> {
    All(&'b [Value]),
    Some(&'b [Option<Value>]),
}

/// Runs the rules of one bound game. Cheap to make; holds scratch memory only.
pub struct Interpreter<'b> {
    program: &'b Program,
    globals: Globals<'b>,
    layout: &'b Layout,
    /// What numbers are called in the names of moves.
    namings: &'b [Naming],
    players: usize,
    /// 1 in a position, [`BIND_FACTOR`] while binding. It multiplies the fuel and the cost of lists.
    factor: u64,
    /// Steps left before the next look at the stop button; never more than the current rule may take.
    fuel: u64,
    /// Steps left for the current rule beyond those.
    reserve: u64,
    /// Steps of all rules before the current one.
    before: u64,
    /// The position (or part) as changed so far.
    cells: Vec<i64>,
    /// Elements of its sets that their domains do not contain.
    strays: Vec<Stray>,
    mover: Player,
    /// Locals of all active calls; those of the innermost start at `base`.
    locals: Vec<Value>,
    base: usize,
    /// Arguments whose evaluation is in progress.
    arguments: Vec<Value>,
    /// What the current move has done so far.
    deed: moves::Deed,
}

impl<'b> Interpreter<'b> {
    /// An interpreter for the positions of a bound game.
    pub fn new(bound: &'b Bound) -> Interpreter<'b> {
        let made = Interpreter::assemble(&bound.program, Globals::All(&bound.globals), &bound.layout, bound.players, 1);
        Interpreter { namings: &bound.namings, ..made }
    }

    /// An interpreter for expressions that read only the instance; some slots may still be unknown.
    pub fn of_instance(program: &'b Program, globals: &'b [Option<Value>]) -> Interpreter<'b> {
        static NOTHING: Layout = Layout::EMPTY;
        Interpreter::assemble(program, Globals::Some(globals), &NOTHING, 2, BIND_FACTOR)
    }

    /// An interpreter for the start position, while an instance is being bound.
    pub(crate) fn of_start(program: &'b Program, globals: &'b [Option<Value>], layout: &'b Layout) -> Interpreter<'b> {
        Interpreter::assemble(program, Globals::Some(globals), layout, 2, BIND_FACTOR)
    }

    fn assemble(
        program: &'b Program,
        globals: Globals<'b>,
        layout: &'b Layout,
        players: usize,
        factor: u64,
    ) -> Interpreter<'b> {
        Interpreter {
            program,
            globals,
            layout,
            namings: &[],
            players,
            factor,
            // Many interpreters live for a few steps, so that each looks at its first one.
            fuel: 0,
            reserve: WORK_LIMIT * factor,
            before: 0,
            cells: Vec::new(),
            strays: Vec::new(),
            mover: Player::FIRST,
            locals: Vec::new(),
            base: 0,
            arguments: Vec::new(),
            deed: moves::Deed::default(),
        }
    }

    /// The value of an expression that reads only the instance.
    pub fn value_of(&mut self, expr: &'b Expr) -> Result<Value, Fault> {
        self.enter(&[], Player::FIRST);
        self.value(expr)
    }

    /// The value of a scalar expression that reads only the instance.
    pub fn number_of(&mut self, expr: &'b Expr) -> Result<i64, Fault> {
        self.enter(&[], Player::FIRST);
        self.scalar(expr)
    }

    /// The value of an expression in a position or part.
    pub fn value_in(&mut self, expr: &'b Expr, part: &[i64], mover: Player) -> Result<Value, Fault> {
        self.enter(part, mover);
        self.value(expr).map_err(|fault| self.place(fault, part, mover))
    }

    /// What a choice or sampled parameter ranges over, if that reads only the instance.
    pub fn space_of(&mut self, source: &'b Source) -> Result<Space, Fault> {
        self.enter(&[], Player::FIRST);
        self.source(source)
    }

    /// A domain that reads only the instance, with its bounds worked out.
    pub(crate) fn space_in(&mut self, domain: &'b Domain) -> Result<Space, Fault> {
        self.enter(&[], Player::FIRST);
        self.space(domain)
    }

    /// The parts at the start of a sum.
    pub(crate) fn parts_of(&mut self, parts: &'b Parts, span: Span) -> Result<Vec<Box<[i64]>>, Fault> {
        self.enter(&[], Player::FIRST);
        self.parts(parts, span)
    }

    /// Steps that were taken since the interpreter was made: how much work the rules were, whatever the machine does.
    pub fn steps(&self) -> u64 {
        self.before + (WORK_LIMIT * self.factor - self.fuel - self.reserve)
    }

    /// Starts a rule in a position, with full fuel and no locals.
    fn enter(&mut self, part: &[i64], mover: Player) {
        self.before = self.steps();
        // Looks go on through many short rules.
        self.reserve = WORK_LIMIT * self.factor - self.fuel;
        self.cells.clear();
        self.strays.clear();
        self.cells.extend_from_slice(part);
        self.mover = mover;
        self.locals.clear();
        self.base = 0;
        self.arguments.clear();
    }

    /// Adds the position to a fault, once.
    fn place(&self, fault: Fault, part: &[i64], mover: Player) -> Fault {
        const PREFIX: &str = "in the position";
        if part.len() != self.layout.cells() || fault.diagnostic.notes.iter().any(|note| note.starts_with(PREFIX)) {
            return fault;
        }
        let text = text::cut(500, &text::PartText { layout: self.layout, cells: part });
        let of = if self.program.sum.is_some() { " of this part" } else { "" };
        let separator = if text.is_empty() { "" } else { " " };
        fault.note(format!("{PREFIX}{of}{separator}{text}, {mover} to move"))
    }

    /// Counts one step.
    fn step(&mut self, span: Span) -> Result<(), Fault> {
        match self.fuel {
            0 => self.look(1, span),
            _ => {
                self.fuel -= 1;
                Ok(())
            }
        }
    }

    /// Counts several steps at once.
    fn charge(&mut self, steps: u64, span: Span) -> Result<(), Fault> {
        match self.fuel.checked_sub(steps) {
            Some(rest) => {
                self.fuel = rest;
                Ok(())
            }
            None => self.look(steps, span),
        }
    }

    /// Counts steps when a slice of the fuel is used up, and looks at the stop button.
    #[cold]
    fn look(&mut self, steps: u64, span: Span) -> Result<(), Fault> {
        let left = (self.fuel + self.reserve).checked_sub(steps);
        let left = left.ok_or_else(|| faults::work(span, WORK_LIMIT * self.factor, self.factor > 1))?;
        self.fuel = left.min(SLICE);
        self.reserve = left - self.fuel;
        Ok(stop::look()?)
    }

    /// Counts the making of a list of `items` numbers.
    fn charge_items(&mut self, items: usize, span: Span) -> Result<(), Fault> {
        if items >= LONG && items as u64 <= WORK_LIMIT {
            stop::fits(8 * items as u64)?;
        }
        self.charge((items as u64).saturating_mul(ITEM_COST * self.factor), span)
    }

    /// Counts the making of `lists` lists.
    fn charge_lists(&mut self, lists: usize, span: Span) -> Result<(), Fault> {
        if lists >= LONG && lists as u64 <= WORK_LIMIT {
            stop::fits(LIST_BYTES * lists as u64)?;
        }
        self.charge((lists as u64).saturating_mul(LIST_COST * self.factor), span)
    }

    fn global(&self, slot: usize, span: Span) -> Result<&'b Value, Fault> {
        let found = match self.globals {
            Globals::All(values) => values.get(slot),
            Globals::Some(values) => values.get(slot).and_then(Option::as_ref),
        };
        found.ok_or_else(|| {
            let params = self.program.params.iter().map(|p| &p.name);
            let mut names = params.chain(self.program.lets.iter().map(|l| &l.name));
            faults::unknown(span, names.nth(slot).map_or("?", String::as_str))
        })
    }

    fn local(&self, local: usize, span: Span) -> Result<&Value, Fault> {
        self.locals.get(self.base + local).ok_or_else(|| faults::impossible(span, "a local has no value"))
    }

    fn set_local(&mut self, local: usize, value: Value) {
        let slot = self.base + local;
        if slot >= self.locals.len() {
            self.locals.resize(slot + 1, Value::Int(0));
        }
        self.locals[slot] = value;
    }
}
