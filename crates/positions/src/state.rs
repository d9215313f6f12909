//! Positions of a `state`: its variables packed into a few words.
//!
//! ```text
//! word 0                         word 1 …
//! ┌──────┬────────┬─────┬──────┐┌─────────┬──────┐
//! │ var0 │  var1  │ var2│ var3 ││ var 4 … │ turn │   each field as narrow as its domain allows
//! └──────┴────────┴─────┴──────┘└─────────┴──────┘   turn: only where the rules look at the player
//! ```

use game::Player;
use rules::bind::{Bound, Position};

use crate::audit::Audit;
use crate::oracle::{Keeps, Numbered, Oracle};
use engine::Error;
use engine::graph::{Expansion, Graph, Id};
use engine::interner::{Interner, Words};
use engine::memory::Memory;
use rules::fault::Fault;

/// The graph of a `state` game.
pub struct StateGraph<'b> {
    oracle: Oracle<'b>,
    table: Interner<Words>,
    keys: Keys,
}

/// How variables and turn make a key.
#[derive(Clone, Debug)]
pub struct Keys {
    /// Words of the variables alone.
    words: usize,
    /// Where the turn is kept: a word and a shift.
    turn: Option<(usize, u32)>,
    /// Scratch: a key, and the variables.
    key: Vec<u64>,
    cells: Vec<i64>,
}

impl Keys {
    /// The keys of a game, with the turn or without.
    pub fn new(bound: &Bound, with_turn: bool) -> Keys {
        let layout = &bound.layout;
        let words = layout.words();
        let turn_bits = usize::BITS - (bound.players - 1).leading_zeros();
        let turn = with_turn.then(|| {
            let used = (layout.bits() % 64) as u32;
            if words > 0 && used > 0 && used + turn_bits <= 64 { (words - 1, used) } else { (words, 0) }
        });
        let all = turn.map_or(words, |(word, _)| words.max(word + 1));
        Keys { words, turn, key: vec![0; all], cells: vec![0; layout.cells()] }
    }

    /// How many words a key has.
    pub fn words(&self) -> usize {
        self.key.len()
    }

    /// Writes the key of a position.
    pub fn pack(&self, bound: &Bound, cells: &[i64], turn: Player, key: &mut [u64]) {
        key.fill(0);
        bound.layout.pack(cells, &mut key[..self.words]);
        if let Some((word, shift)) = self.turn {
            key[word] |= u64::from(turn.0) << shift;
        }
    }

    /// Takes the turn out of a key and returns it.
    pub fn take_turn(&self, key: &mut [u64]) -> Player {
        let Some((word, shift)) = self.turn else { return Player::FIRST };
        let turn = key[word] >> shift;
        key[word] &= !(u64::MAX << shift);
        Player(turn as u8)
    }
}

impl Keys {
    /// The cells of a key, and whose turn it is.
    pub fn unpack(&self, bound: &Bound, key: &[u64]) -> (Vec<i64>, Player) {
        let mut key = key.to_vec();
        let turn = self.take_turn(&mut key);
        let mut cells = vec![0; bound.layout.cells()];
        bound.layout.unpack(&key[..self.words], &mut cells);
        (cells, turn)
    }
}

impl<'b> StateGraph<'b> {
    /// An empty graph. `with_turn` says whether positions record whose turn it is.
    pub fn new(bound: &'b Bound, keeps: Keeps, with_turn: bool, memory: &Memory) -> StateGraph<'b> {
        let graph = StateGraph::without_audit(bound, keeps, with_turn, memory);
        StateGraph { oracle: Oracle::new(bound, keeps, Audit::new(bound)), ..graph }
    }

    /// An empty graph that does not check what the file declares.
    pub fn without_audit(bound: &'b Bound, keeps: Keeps, with_turn: bool, memory: &Memory) -> StateGraph<'b> {
        let keys = Keys::new(bound, with_turn);
        let table = Interner::<Words>::new(keys.key.len(), memory);
        StateGraph { oracle: Oracle::new(bound, keeps, None), table, keys }
    }

    /// The check of what is declared, to be told what needs no look and how far it went.
    pub fn audit_mut(&mut self) -> &mut Option<Audit<'b>> {
        self.oracle.audit_mut()
    }

    fn key_of(&self, position: &Position) -> Vec<u64> {
        let mut key = vec![0; self.keys.key.len()];
        let cells = position.parts.first().map_or(&[][..], |part| part);
        self.keys.pack(self.oracle.bound, cells, position.turn, &mut key);
        key
    }
}

impl Graph for StateGraph<'_> {
    fn len(&self) -> usize {
        self.table.len()
    }

    fn steps(&self) -> u64 {
        self.oracle.steps()
    }

    fn expand(&mut self, position: Id, into: &mut Expansion) -> Result<(), Error> {
        into.clear();
        let mut key = std::mem::take(&mut self.keys.key);
        let mut cells = std::mem::take(&mut self.keys.cells);
        self.table.key(position, &mut key);
        into.mover = self.keys.take_turn(&mut key);
        self.oracle.bound.layout.unpack(&key[..self.keys.words], &mut cells);
        let result = self.options(&cells, &mut key, into);
        self.keys.key = key;
        self.keys.cells = cells;
        result
    }
}

impl StateGraph<'_> {
    fn options(&mut self, cells: &[i64], key: &mut [u64], into: &mut Expansion) -> Result<(), Error> {
        self.oracle.look(cells, into.mover)?;
        let (bound, table, keys) = (self.oracle.bound, &mut self.table, &self.keys);
        self.oracle.expand(cells, into, &mut |after, turn| {
            keys.pack(bound, after, turn, key);
            Ok(table.intern(key)?.0)
        })
    }
}

impl Numbered for StateGraph<'_> {
    fn fault(&self) -> Option<&Fault> {
        self.oracle.fault()
    }

    fn audit(&self) -> Option<&Audit<'_>> {
        self.oracle.audit()
    }

    fn start_audit(&mut self) {
        self.oracle.start_audit();
    }

    fn look(&mut self, id: Id) -> Result<(), Error> {
        if self.oracle.audit().is_none() {
            return Ok(());
        }
        let mut key = vec![0; self.keys.key.len()];
        self.table.key(id, &mut key);
        let mover = self.keys.take_turn(&mut key);
        let mut cells = vec![0; self.oracle.bound.layout.cells()];
        self.oracle.bound.layout.unpack(&key[..self.keys.words], &mut cells);
        self.oracle.look(&cells, mover)
    }

    fn find(&self, position: &Position) -> Option<Id> {
        self.table.find(&self.key_of(position))
    }

    fn number(&mut self, position: &Position) -> Result<Id, Error> {
        let key = self.key_of(position);
        Ok(self.table.intern(&key)?.0)
    }

    fn position(&self, id: Id) -> Position {
        let mut key = vec![0; self.keys.key.len()];
        self.table.key(id, &mut key);
        let turn = self.keys.take_turn(&mut key);
        let mut cells = vec![0; self.oracle.bound.layout.cells()];
        self.oracle.bound.layout.unpack(&key[..self.keys.words], &mut cells);
        Position { parts: vec![cells.into_boxed_slice()], turn }
    }
}
