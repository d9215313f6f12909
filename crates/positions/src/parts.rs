//! The parts of a sum, numbered, and what each player can do in them.

use game::Player;
use rules::bind::{Bound, Position};
use rules::diagnostic::Diagnostic;
use rules::show;

use crate::audit::Audit;
use crate::error::SolveError;
use crate::oracle::{Keeps, Numbered, Oracle};
use engine::Error;
use engine::graph::{Edge, Expansion, Graph, Id};
use engine::interner::{Interner, Words};
use engine::memory::Memory;
use rules::fault::Fault;

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

impl PartMove {
    /// What it takes in memory.
    pub fn bytes(&self) -> u64 {
        // What is allocated has a head, and its size is a multiple of 16.
        let allocated = |bytes: usize| if bytes == 0 { 0 } else { (bytes + 8).next_multiple_of(16).max(32) };
        (size_of::<PartMove>() + allocated(4 * self.into.len()) + allocated(8 * self.gains.len())) as u64
    }
}

/// How much more is charged at once while moves are gathered.
const PORTION: u64 = 1 << 16;

/// The parts met so far. The one part of a game that is no sum is a part, too. Part 0 stands for nothing: a sum without parts.
///
/// As a [`Graph`] it is the game of one impartial part, for Grundy numbers: an option that splits is a run of edges.
pub struct Parts<'b> {
    oracle: Oracle<'b>,
    table: Interner<Words>,
    memory: Memory,
    key: Vec<u64>,
    cells: Vec<i64>,
}

/// The part that stands for nothing.
pub const NOTHING: Id = 0;

impl<'b> Parts<'b> {
    /// No parts yet.
    pub fn new(bound: &'b Bound, keeps: Keeps, memory: &Memory) -> Result<Parts<'b>, Error> {
        let words = bound.layout.words();
        // One word more than the variables need: it is 1 for nothing and 0 for every real part.
        let mut table = Interner::<Words>::new(words + 1, memory);
        let mut key = vec![0; words + 1];
        key[words] = 1;
        let (nothing, _) = table.intern(&key)?;
        debug_assert_eq!(nothing, NOTHING);
        let cells = vec![0; bound.layout.cells()];
        Ok(Parts { oracle: Oracle::new(bound, keeps, Audit::new(bound)), table, memory: memory.clone(), key, cells })
    }

    /// What the check of declared properties found, if the file declares any.
    pub fn audit(&self) -> Option<&Audit<'b>> {
        self.oracle.audit()
    }

    /// The check of what is declared, to be told what needs no look and how far it went.
    pub fn audit_mut(&mut self) -> &mut Option<Audit<'b>> {
        self.oracle.audit_mut()
    }

    /// What is wrong with the rules, where a part met [`Error::Fault`].
    pub fn fault(&self) -> Option<&Fault> {
        self.oracle.fault()
    }

    /// Forgets the fault of a position that may never come up.
    pub fn forget_fault(&mut self) {
        self.oracle.forget_fault();
    }

    /// Stops because a part can come back with another one beside it.
    pub fn grows(&mut self, part: Id) -> Result<(), Error> {
        let SolveError::Fault(fault) = grows(self.oracle.bound, &self.cells(part)) else { return Ok(()) };
        self.oracle.keep(Err(fault))
    }

    /// An error of an engine on these parts, with the part it is about.
    pub fn placed(&self, error: Error) -> SolveError {
        match (error, self.fault()) {
            (Error::Fault(_), Some(fault)) => SolveError::Fault(fault.clone()),
            (Error::Grows(part), _) => grows(self.oracle.bound, &self.cells(part as Id)),
            (error, _) => error.into(),
        }
    }

    /// The number of a part.
    pub fn number(&mut self, cells: &[i64]) -> Result<Id, Error> {
        self.key.fill(0);
        self.oracle.bound.layout.pack(cells, &mut self.key[..self.oracle.bound.layout.words()]);
        Ok(self.table.intern(&self.key)?.0)
    }

    /// The number of a part that was met.
    pub fn find(&self, cells: &[i64]) -> Option<Id> {
        let mut key = vec![0; self.key.len()];
        self.oracle.bound.layout.pack(cells, &mut key[..self.oracle.bound.layout.words()]);
        self.table.find(&key)
    }

    /// The variables of a part.
    pub fn cells(&self, part: Id) -> Vec<i64> {
        let mut key = vec![0; self.key.len()];
        self.table.key(part, &mut key);
        let mut cells = vec![0; self.oracle.bound.layout.cells()];
        self.oracle.bound.layout.unpack(&key[..self.oracle.bound.layout.words()], &mut cells);
        cells
    }

    /// All parts from a number on.
    pub fn each(&self, from: Id) -> Box<dyn Iterator<Item = Box<[i64]>> + '_> {
        Box::new((from..self.table.len() as Id).map(|part| self.cells(part).into()))
    }

    /// A part chosen at random; `None` if there is none but nothing.
    pub fn random(&self, random: &mut dyn FnMut() -> u64) -> Option<Box<[i64]>> {
        let real = (self.table.len() as u128).checked_sub(1).filter(|&real| real > 0)?;
        let part = 1 + ((u128::from(random()) * real) >> 64) as Id;
        Some(self.cells(part).into())
    }

    /// Steps of the interpreter so far.
    pub fn steps(&self) -> u64 {
        self.oracle.steps()
    }

    /// What a player can do in a part, in rule order.
    pub fn moves(&mut self, part: Id, mover: Player) -> Result<Vec<PartMove>, Error> {
        let mut moves = Vec::new();
        if part == NOTHING {
            return Ok(moves);
        }
        let mut cells = std::mem::take(&mut self.cells);
        let mut key = std::mem::take(&mut self.key);
        self.table.key(part, &mut key);
        self.oracle.bound.layout.unpack(&key[..self.oracle.bound.layout.words()], &mut cells);
        let result = self.moves_of(&cells, mover, &mut key, &mut moves);
        self.cells = cells;
        self.key = key;
        result.map(|()| moves)
    }

    /// Whether a player can do anything in a part. What is declared is not checked, and it is not asked what more there is.
    pub fn has_move(&mut self, part: Id, mover: Player) -> Result<bool, Error> {
        if part == NOTHING {
            return Ok(false);
        }
        let cells = self.cells(part);
        if self.oracle.bound.program.sum.is_none() && self.oracle.end(&cells, mover)?.is_some() {
            return Ok(false);
        }
        let mut found = false;
        let visited = self.oracle.moves(&cells, mover, &mut |_| {
            found = true;
            Err(Error::Fault(0))
        });
        if found { Ok(true) } else { visited.map(|()| false) }
    }

    fn moves_of(
        &mut self,
        cells: &[i64],
        mover: Player,
        key: &mut [u64],
        moves: &mut Vec<PartMove>,
    ) -> Result<(), Error> {
        self.oracle.look(cells, mover)?;
        let (bound, keeps, table) = (self.oracle.bound, self.oracle.keeps, &mut self.table);
        if bound.program.sum.is_none() && self.oracle.end(cells, mover)?.is_some() {
            return Ok(());
        }
        let mut number = |cells: &[i64]| {
            key.fill(0);
            bound.layout.pack(cells, &mut key[..bound.layout.words()]);
            table.intern(key).map(|(id, _)| id)
        };
        let mut lease = self.memory.lease();
        let mut bytes = 0;
        self.oracle.moves(cells, mover, &mut |effect| {
            let into = match effect.split {
                Some(parts) => parts.iter().map(|part| number(part)).collect::<Result<_, _>>()?,
                None => vec![number(effect.after)?],
            };
            let gain = keeps.gain(effect.gains, mover)?;
            let mut gains = Vec::new();
            keeps.keep_gains(effect.gains, bound.players, &mut gains);
            let mv = PartMove { into: into.into(), turn: effect.turn, gain, gains: gains.into() };
            bytes += mv.bytes();
            if bytes > lease.bytes().max(PORTION) {
                lease.resize(bytes + PORTION)?;
            }
            moves.push(mv);
            Ok(())
        })
    }

    /// The result when no part has a move.
    pub fn stuck(&mut self, mover: Player) -> Result<game::End, Error> {
        let cells = vec![0; self.oracle.bound.layout.cells()];
        self.oracle.stuck(&cells, mover)
    }
}

impl Graph for Parts<'_> {
    fn len(&self) -> usize {
        self.table.len()
    }

    fn steps(&self) -> u64 {
        self.oracle.steps()
    }

    fn expand(&mut self, position: Id, into: &mut Expansion) -> Result<(), Error> {
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

/// A position is one part, or nothing.
impl Numbered for Parts<'_> {
    fn find(&self, position: &Position) -> Option<Id> {
        match &position.parts[..] {
            [] => Some(NOTHING),
            [part] => self.find(part),
            _ => None,
        }
    }

    fn find_part(&self, part: &[i64]) -> Option<Id> {
        self.find(part)
    }

    fn number(&mut self, position: &Position) -> Result<Id, Error> {
        match &position.parts[..] {
            [] => Ok(NOTHING),
            [part] => self.number(part),
            _ => Err(Error::Internal("several parts have no number".to_string())),
        }
    }

    fn position(&self, id: Id) -> Position {
        let parts = if id == NOTHING { Vec::new() } else { vec![self.cells(id).into()] };
        Position { parts, turn: Player::FIRST }
    }

    fn audit(&self) -> Option<&Audit<'_>> {
        self.oracle.audit()
    }

    fn fault(&self) -> Option<&Fault> {
        self.oracle.fault()
    }

    fn placed(&self, _: &Bound, error: Error) -> SolveError {
        self.placed(error)
    }
}

/// The error for a part that can come back with another one beside it.
pub fn grows(bound: &Bound, part: &[i64]) -> SolveError {
    let shown = show::part_text(bound, part);
    let place = bound.program.sum.as_ref().map_or(bound.program.name_span, |sum| sum.span);
    let diagnostic = Diagnostic::at(place, "the position can grow without end", "this sum")
        .note(format!("a part {shown} can come back with another part beside it, again and again"))
        .help("let every split make its parts smaller");
    SolveError::Fault(diagnostic.into())
}
