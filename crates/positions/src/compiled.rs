//! Positions of a `state` with compiled options: a position is its code, one word.
//!
//! - [`Codec`] turns positions into codes and back. A code holds one digit for each cell that others do not determine. Going
//!   back, the cells without a digit and the turn come out of their formulas.
//! - [`SharedCode`] is the code for options, made once a solve: a sample of play runs it, and the method that is chosen runs it
//!   again. There is one for each way to number positions and each form of gains; whoever needs it first has it made.
//! - [`CompiledGraph`] is the graph.
//!
//! The graph numbers positions exactly as [`StateGraph`](crate::state::StateGraph) does, since options come in the same
//! order, so every method that works on graphs runs on either. What is compiled is only the question what the options are.
//! Where code leaves a position alone, because the rules go wrong there or something is in doubt, the interpreter finds the
//! options instead.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use engine::Error;
use engine::graph::{Expansion, Graph, Id};
use engine::interner::{Interner, Words};
use engine::memory::Memory;
use formula::eval::{Evaluator, Point};
use formula::{Coded, Node};
use game::Player;
use jit::{Expanded, Gains, JitError, NodeFn, Options, Successors, compile_node};
use rules::bind::{Bound, Position};
use rules::fault::Fault;

use crate::oracle::{Keeps, Numbered, Oracle};

/// The graph of a `state` game whose rules are compiled.
pub struct CompiledGraph<'b> {
    oracle: Oracle<'b>,
    expander: Expands,
    codec: Codec,
    /// Whose turn it is, where the cells tell.
    mover: Option<NodeFn>,
    table: Interner<Words>,
    options: Options,
}

impl<'b> CompiledGraph<'b> {
    /// An empty graph, with code that writes gains as [`Keeps::gains`] says.
    pub fn new(
        bound: &'b Bound,
        keeps: Keeps,
        codec: Codec,
        expander: Expands,
        memory: &Memory,
    ) -> Result<CompiledGraph<'b>, JitError> {
        let mover = codec.coded().mover.map(|mover| compile_node(codec.coded(), mover)).transpose()?;
        let table = Interner::<Words>::new(1, memory);
        let oracle = Oracle::new(bound, keeps, None);
        Ok(CompiledGraph { oracle, expander, codec, mover, table, options: Options::default() })
    }

    fn code(&self, id: Id) -> u64 {
        let mut key = [0];
        self.table.key(id, &mut key);
        key[0]
    }

    fn mover(&self, code: u64) -> Player {
        match &self.mover {
            Some(mover) => Player(mover.value(code).unwrap_or(0) as u8),
            None => self.codec.mover(code),
        }
    }

    /// Has the interpreter find the options of a position that code left alone.
    fn interpreted(&mut self, position: &Position, into: &mut Expansion) -> Result<(), Error> {
        let (table, codec) = (&mut self.table, &self.codec);
        let cells = position.parts.first().map_or(&[][..], |part| part);
        self.oracle.expand(cells, into, &mut |after, turn| {
            let code = codec.code(after, turn).ok_or_else(outside)?;
            Ok(table.intern(&[code])?.0)
        })
    }
}

/// The error for a position that has no code.
fn outside() -> Error {
    Error::Internal("a position is outside what was proved of all positions".to_string())
}

impl Graph for CompiledGraph<'_> {
    fn len(&self) -> usize {
        self.table.len()
    }

    fn expand(&mut self, position: Id, into: &mut Expansion) -> Result<(), Error> {
        into.clear();
        let code = self.code(position);
        into.mover = self.mover(code);
        match self.expander.expand(code, &mut self.options) {
            Expanded::Options => self.oracle.written(&self.options, 1, &mut self.table, into),
            Expanded::End => self.oracle.keeps.written_end(&self.options.gains, into),
            Expanded::Fault => self.interpreted(&self.position(position), into),
        }
    }
}

impl Numbered for CompiledGraph<'_> {
    fn fault(&self) -> Option<&Fault> {
        self.oracle.fault()
    }

    fn find(&self, position: &Position) -> Option<Id> {
        self.table.find(&[self.codec.code_of(position)?])
    }

    fn number(&mut self, position: &Position) -> Result<Id, Error> {
        let code = self.codec.code_of(position).ok_or_else(outside)?;
        Ok(self.table.intern(&[code])?.0)
    }

    fn position(&self, id: Id) -> Position {
        let code = self.code(id);
        self.codec.position(code).unwrap_or_else(|| {
            // Not one that can be reached: still shown as well as it can be.
            let (cells, turn) = self.codec.coded().position(code);
            Position { parts: vec![cells.into()], turn: Player(turn) }
        })
    }
}

/// How positions of a game are written as codes.
#[derive(Clone, Debug)]
pub struct Codec {
    /// Shared, since the lists of an instance can be large.
    coded: Arc<Coded>,
    /// Cells of one value, and what it is.
    fixed: Vec<(usize, i64)>,
    /// Where positions do not record the turn: who moves.
    turn: Player,
    /// How many values the digit of the turn has.
    players: u64,
}

impl Codec {
    /// For formulas with codes; `turn` is who moves where neither the code nor a formula tells.
    pub fn new(coded: Coded, turn: Player) -> Codec {
        let single = coded.formulas.cells.iter().enumerate();
        let fixed = single.filter_map(|(cell, range)| range.single().map(|value| (cell, value))).collect();
        let players = coded.formulas.players as u64;
        let players = if coded.numbering.is_fields() { players.next_power_of_two() } else { players };
        Codec { coded: Arc::new(coded), fixed, turn, players }
    }

    /// The formulas and their numbering.
    pub fn coded(&self) -> &Coded {
        &self.coded
    }

    /// The code of one part's cells; `None` if it is outside the domains that were proved. Cells and a turn that others
    /// determine are not looked at: they are right in a position that play has reached.
    pub fn code(&self, cells: &[i64], turn: Player) -> Option<u64> {
        let mut skewed;
        let cells = match self.coded.skew {
            None => cells,
            Some(skew) => {
                skewed = cells.to_vec();
                skew.apply(&mut skewed);
                &skewed
            }
        };
        let within = |(cell, value): &(usize, i64)| cells.get(*cell) == Some(value);
        let ranges = &self.coded.formulas.cells;
        let digits = &self.coded.numbering.digits;
        let fits = self.fixed.iter().all(within)
            && digits.iter().all(|digit| {
                cells.get(digit.cell as usize).is_some_and(|value| ranges[digit.cell as usize].contains(*value))
            });
        fits.then(|| self.coded.numbering.code(cells, turn.0))
    }

    /// The code of a whole position; `None` if it is not the position of its code: a cell or the turn is another than the
    /// rest of the cells determines.
    pub fn code_of(&self, position: &Position) -> Option<u64> {
        let code = self.code(position.parts.first().map_or(&[][..], |part| part), position.turn)?;
        if self.tells_all() {
            return Some(code);
        }
        let same = self.position(code)?;
        let recorded = self.coded.mover.is_some() || self.coded.numbering.turn.is_some();
        (same.parts == position.parts && (!recorded || same.turn == position.turn)).then_some(code)
    }

    /// Whether every code is a position, and its digits are all there is to know of it.
    fn tells_all(&self) -> bool {
        self.coded.derived.is_empty() && self.coded.mover.is_none() && self.coded.formulas.valid.is_empty()
    }

    /// Who moves in the position of a code.
    pub fn mover(&self, code: u64) -> Player {
        match (self.coded.numbering.turn, self.coded.mover) {
            (Some(stride), _) => Player((code / stride % self.players) as u8),
            (None, Some(_)) => self.position(code).map_or(self.turn, |position| position.turn),
            (None, None) => self.turn,
        }
    }

    /// The position of a code; `None` if it is one that cannot be reached.
    pub fn position(&self, code: u64) -> Option<Position> {
        let formulas = &self.coded.formulas;
        let mut cells = vec![0; formulas.cells.len()];
        self.fixed.iter().for_each(|(cell, value)| cells[*cell] = *value);
        let turn = self.coded.numbering.decode(code, formulas.players, &mut cells);
        if self.tells_all() {
            return Some(self.decoded(cells, turn));
        }
        let mut evaluator = Evaluator::new(formulas);
        let mut value =
            |node: Node, cells: &[i64]| evaluator.value(node, &Point { cells, mover: i64::from(turn), choices: &[] });
        for &(cell, node) in &self.coded.derived {
            let derived = value(node, &cells);
            if !formulas.cells[cell as usize].contains(derived) {
                return None;
            }
            cells[cell as usize] = derived;
        }
        if !formulas.valid.iter().all(|&valid| value(valid, &cells) != 0) {
            return None;
        }
        let turn = match (self.coded.numbering.turn, self.coded.mover) {
            (None, Some(mover)) => value(mover, &cells) as u8,
            _ => turn,
        };
        Some(self.decoded(cells, turn))
    }

    /// The position of cells and a turn as formulas have them.
    fn decoded(&self, mut cells: Vec<i64>, turn: u8) -> Position {
        let has_turn = self.coded.numbering.turn.is_some() || self.coded.mover.is_some();
        if let Some(skew) = self.coded.skew {
            skew.undo(&mut cells);
        }
        Position { parts: vec![cells.into_boxed_slice()], turn: if has_turn { Player(turn) } else { self.turn } }
    }
}

/// Code that expands positions.
pub type Expands = Arc<dyn Successors + Send>;

/// How the positions of a case are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Without gaps, as indices of a table.
    Dense,
    /// As it is quickest, as keys.
    Keys,
    /// In the order of their cells, as keys that fall into layers.
    Layers,
}

/// The code that was made so far for the study of one case. Copies share it.
#[derive(Clone, Default)]
pub struct SharedCode {
    made: Rc<RefCell<Vec<(Numbers, Gains, Expands)>>>,
}

impl SharedCode {
    /// The code, if it was made.
    pub fn ready(&self, numbers: Numbers, gains: Gains) -> Option<Expands> {
        let made = self.made.borrow();
        made.iter().find(|(known, kind, _)| (*known, *kind) == (numbers, gains)).map(|(.., code)| Arc::clone(code))
    }

    /// The code, made now unless it was before. `coded` must be the study of the case with these numbers.
    pub fn get(
        &self,
        bound: &Bound,
        coded: &Coded,
        start: Option<u64>,
        numbers: Numbers,
        gains: Gains,
    ) -> Result<Expands, JitError> {
        if let Some(code) = self.ready(numbers, gains) {
            return Ok(code);
        }
        let code: Expands = Arc::from(jit::ways::successors(bound, coded, start, gains)?);
        self.made.borrow_mut().push((numbers, gains, Arc::clone(&code)));
        Ok(code)
    }
}
