//! The checked program of the rules as machine code, compiled as any compiler would: statements are control flow, loops are
//! loops, choices are nested loops.
//!
//! This is the second way to machine code. The first ([`crate::expand`], [`crate::fill`]) unfolds the rules of an instance
//! into formulas, which can be studied, vectorised and turned round, and are fastest where they stay small. Here the size
//! of the code depends on the rules text alone, and a position may have any number of bits: its key is one word or several.
//! So everything that formulas do not cover is compiled here.
//!
//! ```text
//! key ─unpack─▶ cells ─▶ ends, in order ─▶ moves, in order: choices, conditions, body ─▶ keys of the options
//! ```
//!
//! Read `shape` for how values lie in registers and memory, `frame` for the memory code works in, `writer` for how code
//! is written; `numbers`, `lists`, `sets`, `loops`, `builtins` are expressions, `statements`, `choices`, `play` and `ends`
//! the rest of the language. The interpreter is the oracle. Code may leave a position to it ([`Expanded::Fault`]) whenever
//! something is in doubt: a fault of the rules, memory used up, a number that leaves 64 bits on its way.

mod builtins;
mod changes;
mod choices;
mod ends;
mod fields;
mod frame;
mod lists;
mod loops;
mod numbers;
mod play;
mod reads;
mod safe;
mod sets;
mod shape;
mod split;
mod statements;
mod tables;
mod writer;

pub use fields::Split;
pub use frame::{Scratch, Stop};

use cranelift_codegen::ir::types;
use formula::Coded;
use game::Player;
use game::codes::{Expanded, Gains, Options, Successors};
use rules::bind::Bound;
use rules::stop::{Inherited, inherit};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::JitError;
use crate::expand::{NodeFn, compile_node};
use crate::module::{Code, Module};
use ends::{END, OPTIONS};
use fields::Fields;
use frame::Place;
use shape::Shape;
use tables::Tables;
use writer::{Scope, Shared, Writer};

/// The number of the next rules that are compiled.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// The frame and the mover to one of the numbers of `ends`.
type Expand = unsafe extern "C" fn(*mut Scratch, i64) -> i64;

/// The compiled rules of a game.
#[derive(Debug)]
pub struct Rules {
    call: Expand,
    _code: Code,
    fields: Fields,
    players: usize,
    /// Cells that a code does not hold because others determine them, and whose turn it is, likewise.
    derived: Vec<(usize, NodeFn)>,
    mover: Option<NodeFn>,
    /// Codes are below this, where formulas number positions.
    size: Option<u64>,
    /// Values of the cells of no position, one for each variable.
    spare: Vec<i64>,
    /// The domain of each cell.
    domains: Vec<(i64, i64)>,
    /// Whether moves may split.
    splits: bool,
    /// What is written of gains.
    kind: Gains,
    /// How many gains an option has, and an end.
    gains: usize,
    end_gains: usize,
    /// When to stop on threads that have no scope of their own.
    scope: Inherited,
    /// Tells these rules from all others.
    number: u64,
}

impl Rules {
    /// Compiles the rules of a game that is not a sum. `with_turn` says whether positions record whose turn it is.
    pub fn compile(bound: &Bound, gains: Gains, with_turn: bool) -> Result<Rules, JitError> {
        if bound.program.sum.is_some() {
            return Err(JitError::Unsupported("the parts of a sum"));
        }
        Rules::with_fields(bound, gains, Fields::new(bound, with_turn))
    }

    /// Compiles the rules of one part of a sum. The last word of a key is whose turn it is. Options that split are named in
    /// [`Scratch::splits`]; a part without moves has no options.
    pub fn of_parts(bound: &Bound, gains: Gains) -> Result<Rules, JitError> {
        if bound.program.sum.is_none() {
            return Err(JitError::Unsupported("a game that is no sum"));
        }
        Rules::with_fields(bound, gains, Fields::of_parts(bound))
    }

    /// Compiles the rules for positions that are numbered as formulas number them.
    pub fn with_codes(bound: &Bound, gains: Gains, coded: &Coded) -> Result<Rules, JitError> {
        if bound.program.sum.is_some() {
            return Err(JitError::Unsupported("the parts of a sum"));
        }
        if coded.skew.is_some() {
            return Err(JitError::Unsupported("a position that is a slanted table"));
        }
        let mut rules = Rules::with_fields(bound, gains, Fields::of_codes(coded))?;
        rules.size = Some(coded.numbering.size);
        for &(cell, node) in &coded.derived {
            rules.derived.push((cell as usize, compile_node(coded, node)?));
        }
        rules.mover = coded.mover.map(|mover| compile_node(coded, mover)).transpose()?;
        Ok(rules)
    }

    fn with_fields(bound: &Bound, gains: Gains, fields: Fields) -> Result<Rules, JitError> {
        if fields::too_large(&bound.layout) {
            return Err(JitError::Unsupported("a position of so many cells"));
        }
        let mut module = Module::new()?;
        let main = module.declare(&[types::I64; 2], &[types::I64])?;
        let mut functions = FxHashMap::default();
        for (index, function) in bound.program.functions.iter().enumerate() {
            let words: usize = function.params.iter().map(|ty| Shape::of(ty).width()).sum();
            let id = module.declare(&vec![types::I64; 2 + words], &[types::I64])?;
            functions.insert(index, id);
        }
        let mut shared = Shared {
            bound,
            tables: Tables::default(),
            fields,
            gains,
            functions,
            weights: reads::weights(&bound.program),
            wanted: Vec::new(),
            written: Vec::new(),
            field_table: None,
        };
        module.define(main, |builder, links| {
            let mut writer = Writer::new(builder, links, &mut shared, Scope::new(&[], false));
            writer.position()?;
            writer.finish();
            Ok(())
        })?;
        while let Some(index) = shared.wanted.pop() {
            let id = shared.functions[&index];
            module.define(id, |builder, links| {
                let function = &bound.program.functions[index];
                let mut writer = Writer::new(builder, links, &mut shared, Scope::of(function));
                writer.loose = true;
                writer.function(function)?;
                writer.finish();
                Ok(())
            })?;
        }
        let Shared { tables, fields, .. } = shared;
        let code = module.finish(tables)?;
        // SAFETY: the function was made with these parameters and this result, in the convention of `extern "C"`.
        let call = unsafe { std::mem::transmute::<*const u8, Expand>(code.address(main)) };
        let end_gains = if gains == Gains::All { bound.players } else { 1 };
        let spare = bound.layout.variables.iter().map(|slot| slot.leaf.range().map_or(0, |range| range.0)).collect();
        let count = if gains == Gains::Outcome { 0 } else { end_gains };
        let (derived, mover) = (Vec::new(), None);
        let domain = |slot: &rules::layout::Slot| vec![slot.leaf.range().unwrap_or((i64::MIN, i64::MAX)); slot.cells];
        let domains = bound.layout.variables.iter().flat_map(domain).collect();
        Ok(Rules {
            size: None,
            domains,
            derived,
            mover,
            splits: bound.program.sum.is_some(),
            kind: gains,
            call,
            _code: code,
            fields,
            players: bound.players,
            spare,
            gains: count,
            end_gains,
            scope: inherit(),
            number: NEXT.fetch_add(1, Ordering::Relaxed),
        })
    }

    /// How many words a key has.
    pub fn words(&self) -> usize {
        self.fields.words
    }

    /// How many bits a key has, those left out between words included.
    pub fn bits(&self) -> usize {
        (self.fields.words - 1) * 64 + self.fields.last as usize
    }

    /// What is written of gains.
    pub fn gains(&self) -> Gains {
        self.kind
    }

    /// Whether keys record whose turn it is.
    pub fn with_turn(&self) -> bool {
        self.fields.turn.is_some()
    }

    /// Writes the key of a position, whose cells are within their domains.
    pub fn key(&self, cells: &[i64], turn: Player, key: &mut [u64]) {
        self.fields.pack(cells, turn, key);
    }

    /// Reads the cells of a key, and whose turn it is; `None` if it is the key of no position.
    pub fn position(&self, key: &[u64], cells: &mut [i64]) -> Option<Player> {
        if self.size.is_some_and(|size| key[0] >= size) {
            return None;
        }
        let mut turn = self.fields.unpack(key, cells)?;
        for (cell, node) in &self.derived {
            cells[*cell] = node.value(key[0])?;
        }
        if let Some(mover) = &self.mover {
            turn = Player(u8::try_from(mover.value(key[0])?).ok().filter(|turn| usize::from(*turn) < self.players)?);
        }
        Some(turn)
    }

    /// Whether cells that others determine are within their domains.
    fn within(&self, cells: &[i64]) -> bool {
        let inside = |(cell, _): &(usize, NodeFn)| {
            let (low, high) = self.domains[*cell];
            low <= cells[*cell] && cells[*cell] <= high
        };
        self.derived.iter().all(inside)
    }

    /// Memory to expand positions with.
    pub fn scratch(&self) -> Scratch {
        let cells = self.fields.cells.len();
        let mut scratch = Scratch::new(cells, self.spare.len(), self.fields.words, self.players, self.gains);
        scratch.cells[cells..].copy_from_slice(&self.spare);
        scratch.before[cells..].copy_from_slice(&self.spare);
        scratch.scope = self.scope.clone();
        scratch.owner = self.number;
        scratch.fields = self.splits.then(|| self.fields.clone());
        scratch
    }

    /// Whether a part of a sum has any option; `None` where that is in doubt. It is not asked what more there is.
    pub fn has_option(&self, key: &[u64], scratch: &mut Scratch) -> Option<bool> {
        scratch.one = true;
        let found = self.expand(key, scratch);
        scratch.one = false;
        let count = scratch.frame.get(Place::Count);
        (found == Expanded::Options || count > 0).then_some(count > 0)
    }

    /// Expands a position; the options are in `scratch`, their keys one after the other. After [`Expanded::Fault`],
    /// [`Scratch::stopped`] tells whether that was because it is time to stop.
    ///
    /// # Panics
    ///
    /// If the scratch memory was made for other rules.
    pub fn expand(&self, key: &[u64], scratch: &mut Scratch) -> Expanded {
        let cells = self.fields.cells.len();
        assert!(scratch.fits(cells, self.spare.len(), self.fields.words, self.players, self.gains));
        scratch.key.copy_from_slice(key);
        let Some(turn) = self.position(key, &mut scratch.before[..cells]) else { return Expanded::Fault };
        if !self.derived.is_empty() && !self.within(&scratch.before) {
            return Expanded::Fault;
        }
        scratch.cells[..cells].copy_from_slice(&scratch.before[..cells]);
        self.fields.without_turn(turn, &mut scratch.key);
        scratch.enter();
        // SAFETY: the code was compiled with this signature and lives as long as `self`. The memory has the sizes that it
        // was compiled for, which was asserted above; cells are within their domains, as indices rely on.
        let what = unsafe { (self.call)(scratch.address(), i64::from(turn.0)) };
        match what {
            OPTIONS => {
                // SAFETY: so many options were written.
                unsafe { scratch.take_options() };
                Expanded::Options
            }
            END => {
                // SAFETY: the gains of the end were written.
                unsafe { scratch.take_end(self.end_gains) };
                Expanded::End
            }
            _ => Expanded::Fault,
        }
    }
}

thread_local! {
    /// Scratch memory of the thread, for callers that bring none.
    static SCRATCH: RefCell<Option<Scratch>> = const { RefCell::new(None) };
}

/// Positions whose keys are one word. Rules with longer keys find a fault everywhere.
impl Successors for Rules {
    fn expand(&self, code: u64, out: &mut Options) -> Expanded {
        SCRATCH.with_borrow_mut(|kept| {
            let cells = self.fields.cells.len();
            let fits = |scratch: &Scratch| scratch.fits(cells, self.spare.len(), 1, self.players, self.gains);
            if self.fields.words != 1 {
                return Expanded::Fault;
            }
            let mut scratch = match kept.take() {
                Some(scratch) if fits(&scratch) => scratch,
                _ => self.scratch(),
            };
            if scratch.owner != self.number {
                (scratch.scope, scratch.owner) = (self.scope.clone(), self.number);
            }
            scratch.cells[cells..].copy_from_slice(&self.spare);
            scratch.before[cells..].copy_from_slice(&self.spare);
            std::mem::swap(&mut scratch.options, out);
            let found = Rules::expand(self, &[code], &mut scratch);
            std::mem::swap(&mut scratch.options, out);
            *kept = Some(scratch);
            found
        })
    }
}
