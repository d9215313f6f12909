//! The parts of a sum, numbered, and what each player can do in them.

use game::Player;
use rules::bind::Bound;
use rules::interpreter::Interpreter;

use crate::audit::Audit;
use crate::error::SolveError;
use crate::graph::{Edge, Expansion, Graph, Id};
use crate::memory::Memory;
use crate::position_table::PositionTable;
use crate::positions::{Carrier, Worth};

/// One move inside one part.
#[derive(Clone, Debug)]
pub struct PartMove {
    /// The parts that take its place.
    pub into: Box<[Id]>,
    /// Who moves next.
    pub turn: Player,
    /// The mover's gain minus the other's.
    pub gain: i64,
    /// Every player's gains, where they are kept.
    pub gains: Box<[i64]>,
}

/// The parts met so far. Part 0 stands for nothing: a sum without parts.
///
/// As a [`Graph`] it is the game of one impartial part, for Grundy numbers: an option that splits is a run of edges.
pub struct Parts<'b> {
    bound: &'b Bound,
    interpreter: Interpreter<'b>,
    table: PositionTable,
    worth: Worth,
    audit: Option<Audit<'b>>,
    key: Vec<u64>,
    cells: Vec<i64>,
}

/// The part that stands for nothing.
pub const NOTHING: Id = 0;

impl<'b> Parts<'b> {
    /// No parts yet.
    pub fn new(bound: &'b Bound, worth: Worth, memory: &Memory) -> Result<Parts<'b>, SolveError> {
        let words = bound.layout.words();
        // One word more than the variables need: it is 1 for nothing and 0 for every real part.
        let mut table = PositionTable::new(words + 1, memory);
        let mut key = vec![0; words + 1];
        key[words] = 1;
        let (nothing, _) = table.intern(&key)?;
        debug_assert_eq!(nothing, NOTHING);
        let cells = vec![0; bound.layout.cells()];
        Ok(Parts { bound, interpreter: Interpreter::new(bound), table, worth, audit: Audit::new(bound), key, cells })
    }

    /// What the check of declared properties found, if the file declares any.
    pub fn audit(&self) -> Option<&Audit<'b>> {
        self.audit.as_ref()
    }

    /// The number of a part.
    pub fn number(&mut self, cells: &[i64]) -> Result<Id, SolveError> {
        self.key.fill(0);
        self.bound.layout.pack(cells, &mut self.key[..self.bound.layout.words()]);
        Ok(self.table.intern(&self.key)?.0)
    }

    /// The number of a part that was met.
    pub fn find(&self, cells: &[i64]) -> Option<Id> {
        let mut key = vec![0; self.key.len()];
        self.bound.layout.pack(cells, &mut key[..self.bound.layout.words()]);
        self.table.find(&key)
    }

    /// The variables of a part.
    pub fn cells(&self, part: Id) -> Vec<i64> {
        let mut key = vec![0; self.key.len()];
        self.table.key(part, &mut key);
        let mut cells = vec![0; self.bound.layout.cells()];
        self.bound.layout.unpack(&key[..self.bound.layout.words()], &mut cells);
        cells
    }

    /// What a player can do in a part, in rule order.
    pub fn moves(&mut self, part: Id, mover: Player) -> Result<Vec<PartMove>, SolveError> {
        let mut moves = Vec::new();
        if part == NOTHING {
            return Ok(moves);
        }
        let mut cells = std::mem::take(&mut self.cells);
        let mut key = std::mem::take(&mut self.key);
        self.table.key(part, &mut key);
        self.bound.layout.unpack(&key[..self.bound.layout.words()], &mut cells);
        let result = self.moves_of(&cells, mover, &mut key, &mut moves);
        self.cells = cells;
        self.key = key;
        result.map(|()| moves)
    }

    fn moves_of(
        &mut self,
        cells: &[i64],
        mover: Player,
        key: &mut [u64],
        moves: &mut Vec<PartMove>,
    ) -> Result<(), SolveError> {
        if let Some(audit) = &mut self.audit {
            audit.look(cells, mover)?;
        }
        let (layout, players, table, worth) = (&self.bound.layout, self.bound.players, &mut self.table, self.worth);
        let mut number = |cells: &[i64]| {
            key.fill(0);
            layout.pack(cells, &mut key[..layout.words()]);
            table.intern(key).map(|(id, _)| id)
        };
        let mut carrier = Carrier::default();
        let result = self.interpreter.moves(cells, mover, &mut |effect| {
            carrier.step(|| {
                let into = match effect.split {
                    Some(parts) => parts.iter().map(|part| number(part)).collect::<Result<_, _>>()?,
                    None => vec![number(effect.after)?],
                };
                let gain = worth.gain(effect.gains, mover)?;
                let mut gains = Vec::new();
                worth.keep_gains(effect.gains, players, &mut gains);
                moves.push(PartMove { into: into.into(), turn: effect.turn, gain, gains: gains.into() });
                Ok(())
            })
        });
        carrier.finish(result)
    }

    /// The result when no part has a move.
    pub fn stuck(&mut self, mover: Player) -> Result<game::End, SolveError> {
        let cells = vec![0; self.bound.layout.cells()];
        Ok(self.interpreter.stuck(&cells, mover)?)
    }
}

impl Graph for Parts<'_> {
    fn len(&self) -> usize {
        self.table.len()
    }

    fn expand(&mut self, position: Id, into: &mut Expansion) -> Result<(), SolveError> {
        into.clear();
        for mv in self.moves(position, Player::FIRST)? {
            let first = mv.into.first().copied().unwrap_or(NOTHING);
            into.edges.push(Edge::to(first));
            let more = mv.into.iter().skip(1);
            into.edges.extend(more.map(|&part| Edge { joined: true, ..Edge::to(part) }));
        }
        Ok(())
    }
}
