//! Positions of a sum: the sorted numbers of its parts, with the turn only where the rules look at it.
//!
//! Equal parts are interchangeable, so the order in which parts stand does not matter to the value and is forgotten
//! here; so are parts in which nobody can ever move again. Payoffs are the exception: there ties are broken by the
//! order of the moves, which follows the order of the parts, so that the order is kept.

use std::rc::Rc;

use game::Player;
use rules::bind::{Bound, Position};
use rustc_hash::FxHashMap;

use crate::audit::Audit;
use crate::oracle::{Keeps, Numbered};
use crate::parts::{NOTHING, PartMove, Parts};
use engine::Error;
use engine::graph::{Edge, Expansion, Graph, Id};
use engine::growth::endless;
use engine::interner::{Interner, Lists};
use engine::memory::{Lease, Memory};
use rules::fault::Fault;

/// The graph of a sum, searched as a whole.
pub struct SumGraph<'b> {
    bound: &'b Bound,
    parts: Parts<'b>,
    table: Interner<Lists>,
    keeps: Keeps,
    with_turn: bool,
    /// What each player can do in each part, once asked.
    moves: FxHashMap<(Id, Player), Rc<[PartMove]>>,
    /// Whether nobody can move in a part, once asked.
    dead: FxHashMap<Id, bool>,
    cache: Lease,
    key: Vec<Id>,
    /// Whether moves in equal parts, which lead to the same position, are all given.
    every_move: bool,
    /// With more parts than this, a position is suspected of growing without end.
    suspicious: usize,
}

impl<'b> SumGraph<'b> {
    /// An empty graph. `with_turn` says whether positions record whose turn it is.
    pub fn new(bound: &'b Bound, keeps: Keeps, with_turn: bool, memory: &Memory) -> Result<SumGraph<'b>, Error> {
        Ok(SumGraph {
            bound,
            parts: Parts::new(bound, keeps, memory)?,
            table: Interner::<Lists>::new(memory),
            keeps,
            with_turn,
            moves: FxHashMap::default(),
            dead: FxHashMap::default(),
            cache: memory.lease(),
            key: Vec::new(),
            every_move: false,
            suspicious: bound.start.parts.len() + 500,
        })
    }

    /// With moves in equal parts as options of their own.
    pub fn with_every_move(self) -> SumGraph<'b> {
        SumGraph { every_move: true, ..self }
    }

    /// Whether the order of the parts matters.
    fn is_ordered(&self) -> bool {
        self.keeps == Keeps::Payoffs
    }

    fn turn_word(&self, turn: Player) -> Id {
        if self.with_turn { Id::from(turn.0) } else { 0 }
    }

    fn part_moves(&mut self, part: Id, mover: Player) -> Result<Rc<[PartMove]>, Error> {
        if let Some(moves) = self.moves.get(&(part, mover)) {
            return Ok(Rc::clone(moves));
        }
        let moves: Rc<[PartMove]> = self.parts.moves(part, mover)?.into();
        let bytes: u64 = moves.iter().map(PartMove::bytes).sum();
        self.cache.grow(bytes + 64)?;
        self.moves.insert((part, mover), Rc::clone(&moves));
        Ok(moves)
    }

    /// Whether nobody can move in a part. A part whose rules go wrong for a player who may never face it is kept.
    fn is_dead(&mut self, part: Id) -> Result<bool, Error> {
        if part == NOTHING {
            return Ok(true);
        }
        if let Some(&dead) = self.dead.get(&part) {
            return Ok(dead);
        }
        let players = if self.with_turn { self.bound.players } else { 1 };
        let mut dead = true;
        for player in 0..players {
            // The first move tells. Only a part without one is worked out, and what is declared checked there: the others are
            // when it is their turn. Else one position would take the moves of all parts that it leads to.
            let player = Player(player as u8);
            let has_move = match self.moves.get(&(part, player)) {
                Some(moves) => Ok(!moves.is_empty()),
                None => self.parts.has_move(part, player),
            };
            match has_move.and_then(|has_move| Ok(has_move || !self.part_moves(part, player)?.is_empty())) {
                Ok(has_move) => dead &= !has_move,
                Err(Error::Fault(_)) => {
                    self.parts.forget_fault();
                    dead = false;
                }
                Err(error) => return Err(error),
            }
            if !dead {
                break;
            }
        }
        self.cache.grow(16)?;
        self.dead.insert(part, dead);
        Ok(dead)
    }

    /// An error if some part can come back with another beside it.
    fn look_for_growth(&mut self) -> Result<(), Error> {
        let live = |part: &Id| !self.dead.get(part).copied().unwrap_or(*part == NOTHING);
        let steps: Vec<(Id, Vec<Id>)> = self
            .moves
            .iter()
            .flat_map(|(&(part, _), moves)| moves.iter().map(move |mv| (part, mv)))
            .map(|(part, mv)| (part, mv.into.iter().copied().filter(live).collect()))
            .collect();
        let Some(part) = endless(steps.iter().map(|(part, into)| (*part, &into[..]))) else { return Ok(()) };
        self.parts.grows(part)
    }

    /// The number of the sum of these parts.
    fn intern(&mut self, parts: &mut Vec<Id>, turn: Player) -> Result<Id, Error> {
        let mut kept = 0;
        for index in 0..parts.len() {
            let part = parts[index];
            if !self.is_dead(part)? {
                parts[kept] = part;
                kept += 1;
            }
        }
        parts.truncate(kept);
        if kept > self.suspicious {
            self.look_for_growth()?;
            self.suspicious *= 4;
        }
        if !self.is_ordered() {
            parts.sort_unstable();
        }
        parts.insert(0, self.turn_word(turn));
        let (id, _) = self.table.intern(parts)?;
        Ok(id)
    }
}

impl Graph for SumGraph<'_> {
    fn len(&self) -> usize {
        self.table.len()
    }

    fn steps(&self) -> u64 {
        self.parts.steps()
    }

    fn expand(&mut self, position: Id, into: &mut Expansion) -> Result<(), Error> {
        into.clear();
        let mut here = std::mem::take(&mut self.key);
        self.table.key(position, &mut here);
        let mover = Player(here[0] as u8);
        into.mover = mover;
        let mut option = Vec::with_capacity(here.len() + 2);
        for index in 1..here.len() {
            if index > 1 && here[index] == here[index - 1] && !self.is_ordered() && !self.every_move {
                continue;
            }
            let moves = self.part_moves(here[index], mover)?;
            for mv in moves.iter() {
                option.clear();
                option.extend_from_slice(&here[1..index]);
                option.extend_from_slice(&mv.into);
                option.extend_from_slice(&here[index + 1..]);
                let to = self.intern(&mut option, mv.turn)?;
                into.edges.push(Edge { to, gain: mv.gain, same: mv.turn == mover, joined: false });
                into.gains.extend_from_slice(&mv.gains);
            }
        }
        self.key = here;
        if into.edges.is_empty() {
            let end = self.parts.stuck(mover)?;
            self.keeps.end(end, mover, into)?;
        }
        Ok(())
    }
}

impl Numbered for SumGraph<'_> {
    fn fault(&self) -> Option<&Fault> {
        self.parts.fault()
    }

    fn audit(&self) -> Option<&Audit<'_>> {
        self.parts.audit()
    }

    fn find(&self, position: &Position) -> Option<Id> {
        let mut key = vec![self.turn_word(position.turn)];
        for part in &position.parts {
            let part = self.parts.find(part)?;
            if !self.dead.get(&part).copied().unwrap_or(false) {
                key.push(part);
            }
        }
        if !self.is_ordered() {
            key[1..].sort_unstable();
        }
        self.table.find(&key)
    }

    fn number(&mut self, position: &Position) -> Result<Id, Error> {
        let mut parts = position.parts.iter().map(|part| self.parts.number(part)).collect::<Result<Vec<_>, _>>()?;
        self.intern(&mut parts, position.turn)
    }

    fn position(&self, id: Id) -> Position {
        let mut key = Vec::new();
        self.table.key(id, &mut key);
        let parts = key[1..].iter().map(|&part| self.parts.cells(part).into_boxed_slice()).collect();
        Position { parts, turn: Player(key[0] as u8) }
    }
}
