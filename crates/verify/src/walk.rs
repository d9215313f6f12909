//! Goes through all positions that an argument is about, each once.
//!
//! [`deep`] visits a position after all that it leads to, and refuses positions that come back: what is settled then rests on
//! what was settled before. [`wide`] visits positions in the order of their numbers, whatever comes back. Neither recurses: a
//! game may be a million moves deep.

use game::{End, Player};

use crate::charged::Charged;
use crate::entries::Entries;
use crate::places::{Found, Places};
use crate::refusal::Refusal;
use crate::store::Id;

/// What is asked of positions.
pub trait Judge {
    /// What is known of a position that was settled.
    type Value: Clone;

    /// Whether the argument names one move of this player, and not all moves count.
    fn chooses(&self, mover: Player) -> bool;
    /// The value of a position where the game is over.
    fn over(&mut self, end: &End, mover: Player) -> Result<Self::Value, Refusal>;
    /// The value of a position, from the moves that count: what each player gains, and what follows.
    fn settle(&mut self, mover: Player, options: &[Step<'_, Self::Value>]) -> Result<Self::Value, Refusal>;
    /// Whether the entry of a position is its value, and stands behind those of its options.
    fn states_values(&self) -> bool {
        false
    }
    /// Compares the value with the entry.
    fn compare(&mut self, entries: &mut dyn Entries, found: &Found, value: &Self::Value) -> Result<(), Refusal> {
        let _ = (entries, found, value);
        Ok(())
    }
}

/// A move that counts.
pub struct Step<'a, V> {
    /// What each player gains; empty where nothing is counted.
    pub gains: &'a [i64],
    /// What follows.
    pub value: &'a V,
}

struct Frame {
    id: Id,
    mover: Player,
    /// Its first move among those of all open positions.
    first: usize,
    /// The move that is followed now.
    next: usize,
}

const NEW: u32 = u32::MAX;
const OPEN: u32 = u32::MAX - 1;

struct Deep<'w, 'b, J: Judge> {
    places: &'w mut Places<'b>,
    judge: &'w mut J,
    entries: &'w mut dyn Entries,
    /// For each position: that it is new or open, or where its value stands.
    states: Charged<u32>,
    values: Charged<J::Value>,
    stack: Charged<Frame>,
    edges: Charged<Id>,
    gains: Charged<i64>,
    found: Found,
    count: u64,
}

/// Settles a position after all that it leads to. Gives its value, and how many positions there were.
pub fn deep<J: Judge>(
    places: &mut Places<'_>,
    start: Id,
    judge: &mut J,
    entries: &mut dyn Entries,
) -> Result<(J::Value, u64), Refusal> {
    let mut deep = Deep {
        places,
        judge,
        entries,
        states: Charged::new(),
        values: Charged::new(),
        stack: Charged::new(),
        edges: Charged::new(),
        gains: Charged::new(),
        found: Found::default(),
        count: 0,
    };
    deep.open(start)?;
    while let Some(frame) = deep.stack.last() {
        let Some(to) = deep.edges.get(frame.next).copied() else {
            deep.close()?;
            continue;
        };
        match deep.state(to) {
            NEW => deep.open(to)?,
            OPEN => {
                let refusal = Refusal::wrong("play comes back to this position, and nothing shows that it ends");
                return Err(deep.at(to, refusal));
            }
            _ => {
                if let Some(frame) = deep.stack.last_mut() {
                    frame.next += 1;
                }
            }
        }
    }
    let value = deep.values[deep.states[start as usize] as usize].clone();
    Ok((value, deep.count))
}

impl<J: Judge> Deep<'_, '_, J> {
    fn state(&self, id: Id) -> u32 {
        self.states.get(id as usize).copied().unwrap_or(NEW)
    }

    fn at(&self, id: Id, refusal: Refusal) -> Refusal {
        refusal.at(self.count, || self.places.text(id))
    }

    /// Meets a position for the first time.
    fn open(&mut self, id: Id) -> Result<(), Refusal> {
        self.count += 1;
        self.entries.passed(self.count)?;
        self.enter(id).map_err(|refusal| self.at(id, refusal))
    }

    fn enter(&mut self, id: Id) -> Result<(), Refusal> {
        self.places.expand(id, &mut self.found)?;
        let mover = self.found.position.as_ref().map_or(Player::FIRST, |position| position.turn);
        let stated = self.judge.states_values();
        if let Some(end) = self.found.end.take() {
            if !stated {
                self.entries.nothing()?;
            }
            let value = self.judge.over(&end, mover)?;
            return self.settled(id, value);
        }
        let first = self.edges.len();
        let chosen = match self.judge.chooses(mover) {
            true => {
                let mv = self.entries.choice(self.places, &self.found)?;
                let mv = usize::try_from(mv).ok().filter(|mv| *mv < self.found.moves());
                let mv = mv.ok_or_else(|| Refusal::wrong("the strategy makes a move that is not there"))?;
                mv..mv + 1
            }
            false => {
                if !stated {
                    self.entries.nothing()?;
                }
                0..self.found.moves()
            }
        };
        for mv in chosen {
            let to = self.places.follow(&self.found, mv)?;
            self.edges.push(to)?;
            self.gains.extend(self.found.gains(mv))?;
        }
        self.set(id, OPEN)?;
        self.stack.push(Frame { id, mover, first, next: first })?;
        Ok(())
    }

    /// Settles the position on top, all of whose options are settled.
    fn close(&mut self) -> Result<(), Refusal> {
        let Some(Frame { id, mover, first, .. }) = self.stack.pop() else { return Ok(()) };
        let count = self.edges.len() - first;
        let players = self.gains.len().checked_div(self.edges.len()).unwrap_or(0);
        let mut steps = Vec::with_capacity(count);
        for (index, to) in self.edges.iter().enumerate().skip(first) {
            let value = &self.values[self.states[*to as usize] as usize];
            let gains = &self.gains[index * players..(index + 1) * players];
            steps.push(Step { gains, value });
        }
        let value = self.judge.settle(mover, &steps).map_err(|refusal| self.at(id, refusal))?;
        self.edges.truncate(first);
        self.gains.truncate(first * players);
        if self.judge.states_values() {
            self.found.position = Some(self.places.position(id));
        }
        self.settled(id, value).map_err(|refusal| self.at(id, refusal))
    }

    fn settled(&mut self, id: Id, value: J::Value) -> Result<(), Refusal> {
        if self.judge.states_values() {
            self.judge.compare(self.entries, &self.found, &value)?;
        }
        let place = self.values.len() as u32;
        self.values.push(value)?;
        self.set(id, place)
    }

    fn set(&mut self, id: Id, state: u32) -> Result<(), Refusal> {
        self.states.fill_to(id as usize + 1, NEW)?;
        self.states[id as usize] = state;
        Ok(())
    }
}

/// Visits all positions that can be met by a strategy, in the order of their numbers. `over` looks at ends.
pub fn wide(
    places: &mut Places<'_>,
    chooses: Option<Player>,
    entries: &mut dyn Entries,
    over: &mut dyn FnMut(&End, Player) -> Result<(), Refusal>,
) -> Result<u64, Refusal> {
    let mut found = Found::default();
    let mut next = 0;
    while next < places.len() {
        let id = next as Id;
        next += 1;
        entries.passed(next as u64)?;
        visit(places, id, chooses, entries, over, &mut found)
            .map_err(|refusal| refusal.at(next as u64, || places.text(id)))?;
    }
    Ok(next as u64)
}

fn visit(
    places: &mut Places<'_>,
    id: Id,
    chooses: Option<Player>,
    entries: &mut dyn Entries,
    over: &mut dyn FnMut(&End, Player) -> Result<(), Refusal>,
    found: &mut Found,
) -> Result<(), Refusal> {
    places.expand(id, found)?;
    let mover = found.position.as_ref().map_or(Player::FIRST, |position| position.turn);
    if let Some(end) = found.end.take() {
        entries.nothing()?;
        return over(&end, mover);
    }
    if chooses == Some(mover) {
        let mv = entries.choice(places, found)?;
        let mv = usize::try_from(mv).ok().filter(|mv| *mv < found.moves());
        places.follow(found, mv.ok_or_else(|| Refusal::wrong("the strategy makes a move that is not there"))?)?;
        return Ok(());
    }
    entries.nothing()?;
    for mv in 0..found.moves() {
        places.follow(found, mv)?;
    }
    Ok(())
}
