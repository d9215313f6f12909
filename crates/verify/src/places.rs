//! The positions that an argument is about, by number, and their moves as the interpreter finds them.
//!
//! A position of a game that is no sum is its packed cells and whose turn it is. A position of a sum is the list of the numbers of
//! its parts, and whose turn it is. In a sum, the order of the parts does not matter, for a move is made in one part and sees
//! nothing else; a part in which no player can ever move changes nothing; so lists are sorted, and such parts left out. Lists
//! stay as they are ([`Order::Kept`]) where ties are broken by the order of the moves, or where the writer wants it so.
//!
//! The moves of a part are worked out once for each player. What is found is kept in memory as long as the argument lasts.

use std::collections::HashMap;
use std::rc::Rc;

use game::{End, Player};
use rules::bind::{Bound, Position};
use rules::fault::Fault;
use rules::interpreter::Interpreter;
use rules::show;
use rules::stop::{self, Held, Stopped};

use crate::charged::Charged;
use crate::refusal::Refusal;
use crate::store::{Id, Store};

/// Whether the order of the parts of a sum matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// It does not.
    Forgotten,
    /// All parts stay where they are.
    Kept,
}

/// A position with its moves.
#[derive(Default)]
pub struct Found {
    /// The position. In a sum it may have other parts than play left there, see [`mod@crate::places`].
    pub position: Option<Position>,
    /// How the game ends here.
    pub end: Option<End>,
    /// The keys of the options, one behind the other.
    keys: Vec<u32>,
    /// For each move: where its key ends, and who moves next.
    moves: Vec<(usize, Player)>,
    /// What each player gains, move by move; empty where nothing is counted.
    gains: Vec<i64>,
    players: usize,
}

impl Found {
    /// How many moves there are.
    pub fn moves(&self) -> usize {
        self.moves.len()
    }

    /// The key of an option.
    pub fn key(&self, mv: usize) -> &[u32] {
        let start = if mv == 0 { 0 } else { self.moves[mv - 1].0 };
        &self.keys[start..self.moves[mv].0]
    }

    /// Who moves after a move.
    pub fn turn(&self, mv: usize) -> Player {
        self.moves[mv].1
    }

    /// What each player gains by a move; empty where nothing is counted.
    pub fn gains(&self, mv: usize) -> &[i64] {
        match self.gains.is_empty() {
            true => &[],
            false => &self.gains[mv * self.players..(mv + 1) * self.players],
        }
    }

    fn clear(&mut self) {
        self.end = None;
        self.keys.clear();
        self.moves.clear();
        self.gains.clear();
    }

    fn add(&mut self, key: impl IntoIterator<Item = u32>, turn: Player, gains: &[i64]) {
        self.keys.extend(key);
        self.moves.push((self.keys.len(), turn));
        self.gains.extend_from_slice(gains);
    }

    fn bytes(&self) -> u64 {
        (4 * self.keys.len() + 24 * self.moves.len() + 8 * self.gains.len()) as u64
    }
}

/// A move in a part of a sum.
struct PartMove {
    into: Box<[Id]>,
    gains: Box<[i64]>,
    turn: Player,
}

/// The parts of a sum.
struct Parts {
    store: Store,
    moves: HashMap<(Id, Player), Rc<[PartMove]>>,
    /// Whether no player can move in a part, where that was asked.
    dead: Charged<Option<bool>>,
    held: Held,
}

/// The positions of one argument.
pub struct Places<'b> {
    bound: &'b Bound,
    interpreter: Interpreter<'b>,
    store: Store,
    order: Order,
    /// There are none in a game that is no sum.
    parts: Option<Parts>,
    words: Vec<u64>,
    cells: Vec<i64>,
}

impl<'b> Places<'b> {
    /// No positions yet.
    pub fn new(bound: &'b Bound, order: Order) -> Places<'b> {
        let parts = bound.program.sum.as_ref().map(|_| Parts {
            store: Store::new(),
            moves: HashMap::new(),
            dead: Charged::new(),
            held: Held::default(),
        });
        Places {
            bound,
            interpreter: Interpreter::new(bound),
            store: Store::new(),
            order,
            parts,
            words: vec![0; bound.layout.words()],
            cells: vec![0; bound.layout.cells()],
        }
    }

    /// The game.
    pub fn bound(&self) -> &'b Bound {
        self.bound
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of a position, which is added where it is new.
    pub fn enter(&mut self, position: &Position) -> Result<Id, Refusal> {
        let key = self.key_of(position)?;
        Ok(self.store.enter(&key)?)
    }

    /// The number of the option of a move, which is added where it is new.
    pub fn follow(&mut self, found: &Found, mv: usize) -> Result<Id, Stopped> {
        self.store.enter(found.key(mv))
    }

    /// Whether the option of a move is among the positions.
    pub fn knows(&self, found: &Found, mv: usize) -> bool {
        self.store.find(found.key(mv)).is_some()
    }

    /// The key of a position.
    pub fn key_of(&mut self, position: &Position) -> Result<Vec<u32>, Refusal> {
        if self.parts.is_none() {
            let part = position.parts.first().map_or(&[][..], |part| part);
            return Ok(key(self.bound, &mut self.words, part, position.turn).collect());
        }
        let mut ids = Vec::with_capacity(position.parts.len() + 1);
        for part in &position.parts {
            let id = self.part(part)?;
            if !self.is_dead(id)? {
                ids.push(id);
            }
        }
        Ok(self.sum_key(ids, position.turn))
    }

    /// A position by its number.
    pub fn position(&self, id: Id) -> Position {
        let key = self.store.key(id);
        let (turn, rest) = key.split_last().map_or((0, &[][..]), |(turn, rest)| (*turn, rest));
        let turn = Player(turn as u8);
        let parts = match &self.parts {
            None => vec![cells(self.bound, rest)],
            Some(parts) => rest.iter().map(|part| cells(self.bound, parts.store.key(*part))).collect(),
        };
        Position { parts, turn }
    }

    /// A position as one line of text.
    pub fn text(&self, id: Id) -> String {
        let position = self.position(id);
        let text = show::cut(500, &show::position_text(self.bound, &position));
        format!("{text}, {} to move", position.turn)
    }

    /// The moves of a position, or how the game ends there.
    pub fn expand(&mut self, id: Id, found: &mut Found) -> Result<(), Refusal> {
        found.clear();
        found.players = self.bound.players;
        let position = self.position(id);
        let mover = position.turn;
        match self.parts {
            None => self.expand_one(&position.parts[0], mover, found)?,
            Some(_) => self.expand_sum(id, found)?,
        }
        if found.end.is_none() && found.moves.is_empty() {
            let part = if self.parts.is_none() { &position.parts[0][..] } else { &[] };
            found.end = Some(self.interpreter.stuck(part, mover)?);
        }
        found.position = Some(position);
        Ok(())
    }

    fn expand_one(&mut self, part: &[i64], mover: Player, found: &mut Found) -> Result<(), Refusal> {
        found.end = self.interpreter.end(part, mover)?;
        if found.end.is_some() {
            return Ok(());
        }
        let (bound, words) = (self.bound, &mut self.words);
        let mut held = Held::default();
        let mut charged = 0;
        self.interpreter.moves(part, mover, &mut |effect| {
            found.add(key(bound, words, effect.after, effect.turn), effect.turn, effect.gains);
            let bytes = found.bytes();
            held.grow(bytes - charged)?;
            charged = bytes;
            Ok(())
        })?;
        Ok(())
    }

    fn expand_sum(&mut self, id: Id, found: &mut Found) -> Result<(), Refusal> {
        let key = self.store.key(id).to_vec();
        let Some((&turn, ids)) = key.split_last() else { return Ok(()) };
        let mut held = Held::default();
        let mut charged = 0;
        for (place, &part) in ids.iter().enumerate() {
            let moves = self.part_moves(part, Player(turn as u8))?;
            for mv in moves.iter() {
                let mut option = Vec::with_capacity(ids.len() + mv.into.len());
                option.extend_from_slice(&ids[..place]);
                for &new in &mv.into {
                    if !self.is_dead(new)? {
                        option.push(new);
                    }
                }
                option.extend_from_slice(&ids[place + 1..]);
                let option = self.sum_key(option, mv.turn);
                found.add(option, mv.turn, &mv.gains);
            }
            let bytes = found.bytes();
            held.grow(bytes - charged)?;
            charged = bytes;
            stop::look()?;
        }
        Ok(())
    }

    /// The key of a sum of parts.
    fn sum_key(&self, mut ids: Vec<Id>, turn: Player) -> Vec<u32> {
        if self.order == Order::Forgotten {
            ids.sort_unstable();
        }
        ids.push(u32::from(turn.0));
        ids
    }

    /// The number of a part.
    fn part(&mut self, part: &[i64]) -> Result<Id, Refusal> {
        let Some(parts) = &mut self.parts else { return Err(Refusal::wrong("this is no sum")) };
        Ok(parts.store.enter(&pack(self.bound, &mut self.words, part).collect::<Vec<u32>>())?)
    }

    /// The moves of a player in a part.
    fn part_moves(&mut self, part: Id, mover: Player) -> Result<Rc<[PartMove]>, Refusal> {
        let Some(parts) = &mut self.parts else { return Err(Refusal::wrong("this is no sum")) };
        if let Some(moves) = parts.moves.get(&(part, mover)) {
            return Ok(Rc::clone(moves));
        }
        let (bound, words) = (self.bound, &mut self.words);
        unpack(bound, parts.store.key(part), words, &mut self.cells);
        let store = &mut parts.store;
        let held = &mut parts.held;
        let mut moves = Vec::new();
        self.interpreter.moves(&self.cells, mover, &mut |effect| {
            let mut into = Vec::new();
            let whole = [Box::from(effect.after)];
            for part in effect.split.unwrap_or(&whole) {
                into.push(store.enter(&pack(bound, words, part).collect::<Vec<u32>>()).map_err(Fault::from)?);
            }
            held.grow((64 + 4 * into.len() + 8 * effect.gains.len()) as u64)?;
            moves.push(PartMove { into: into.into(), gains: effect.gains.into(), turn: effect.turn });
            Ok(())
        })?;
        let moves: Rc<[PartMove]> = moves.into();
        parts.moves.insert((part, mover), Rc::clone(&moves));
        Ok(moves)
    }

    /// Whether no player can move in a part, so that it is left out.
    fn is_dead(&mut self, part: Id) -> Result<bool, Refusal> {
        if self.order == Order::Kept {
            return Ok(false);
        }
        if let Some(Some(dead)) = self.parts.as_ref().and_then(|parts| parts.dead.get(part as usize)) {
            return Ok(*dead);
        }
        let mut dead = true;
        for player in 0..self.bound.players {
            // Rules may go wrong for a player who never faces the part. Then it is kept.
            dead &= match self.part_moves(part, Player(player as u8)) {
                Ok(moves) => moves.is_empty(),
                Err(Refusal::Wrong(_)) => false,
                Err(other) => return Err(other),
            };
        }
        if let Some(parts) = &mut self.parts {
            parts.dead.fill_to(part as usize + 1, None)?;
            parts.dead[part as usize] = Some(dead);
        }
        Ok(dead)
    }
}

/// The packed cells of a part, in 32-bit words.
pub(crate) fn pack<'w>(bound: &Bound, words: &'w mut [u64], cells: &[i64]) -> impl Iterator<Item = u32> + use<'w> {
    bound.layout.pack(cells, words);
    let used = bound.layout.bits().div_ceil(32);
    words.iter().flat_map(|word| [*word as u32, (*word >> 32) as u32]).take(used)
}

/// The key of a position of a game that is no sum.
fn key<'w>(bound: &Bound, words: &'w mut [u64], cells: &[i64], turn: Player) -> impl Iterator<Item = u32> + use<'w> {
    pack(bound, words, cells).chain([u32::from(turn.0)])
}

/// The cells of a packed part.
pub(crate) fn unpack(bound: &Bound, key: &[u32], words: &mut [u64], cells: &mut [i64]) {
    words.fill(0);
    for (index, word) in key.iter().enumerate() {
        words[index / 2] |= u64::from(*word) << (32 * (index % 2));
    }
    bound.layout.unpack(words, cells);
}

fn cells(bound: &Bound, key: &[u32]) -> Box<[i64]> {
    let mut words = vec![0; bound.layout.words()];
    let mut cells = vec![0; bound.layout.cells()];
    unpack(bound, key, &mut words, &mut cells);
    cells.into()
}
