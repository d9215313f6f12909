//! Where entries come from: a file of blocks, or whoever can answer for a position.

use game::{Player, Verdict};
use rules::bind::{Bound, Position};
use rules::show;
use rules::stop::Held;
use std::collections::HashMap;
use table::{BlockReader, Entry, Key, Keys, Kind, Shape};

use crate::refusal::Refusal;

/// A position with its entry.
#[derive(Clone, Debug)]
pub struct Found {
    /// The number of the entry.
    pub number: u64,
    /// The position, or a part alone.
    pub position: Position,
    /// What is said of it.
    pub entry: Entry,
}

/// A position as one line of text.
pub fn text(bound: &Bound, position: &Position) -> String {
    format!("{}, {} to move", show::cut(500, &show::position_text(bound, position)), position.turn)
}

/// Entries of a table.
pub trait Source {
    /// The game.
    fn bound(&self) -> &Bound;
    /// What entries say.
    fn shape(&self) -> Shape;
    /// How many entries there are, as far as is known.
    fn entries(&self) -> u64;
    /// The entry of a number; `None` behind the last.
    fn nth(&mut self, number: u64) -> Result<Option<Found>, Refusal>;
    /// The entry of a position, and its number.
    fn find(&mut self, position: &Position) -> Result<Option<(u64, Entry)>, Refusal>;

    /// What is said of the start, which must be there; of a table of parts, all of its parts must be.
    fn start(&mut self) -> Result<Option<Entry>, Refusal> {
        let start = self.bound().start.clone();
        let missing = || Refusal::wrong("the start has no entry");
        if !self.shape().of_parts() {
            return self.find(&start)?.map(|(_, entry)| Some(entry)).ok_or_else(missing);
        }
        for part in start.parts {
            self.find(&Position { parts: vec![part], turn: Player::FIRST })?.ok_or_else(missing)?;
        }
        Ok(None)
    }
}

/// The entries of a file of blocks.
pub struct Blocks<'b> {
    bound: &'b Bound,
    file: &'b BlockReader,
    keys: Keys<'b>,
}

impl<'b> Blocks<'b> {
    /// The entries of a file, which is about this game.
    pub fn new(bound: &'b Bound, file: &'b BlockReader) -> Blocks<'b> {
        Blocks { bound, file, keys: Keys::new(bound, file.shape()) }
    }
}

impl Source for Blocks<'_> {
    fn bound(&self) -> &Bound {
        self.bound
    }

    fn shape(&self) -> Shape {
        self.file.shape()
    }

    fn entries(&self) -> u64 {
        self.file.entries()
    }

    fn nth(&mut self, number: u64) -> Result<Option<Found>, Refusal> {
        let Some((key, entry)) = self.file.nth(number)? else { return Ok(None) };
        let wrong = |why: &str| Err(Refusal::wrong(format!("entry {number} {why}")));
        let Some(position) = self.keys.position(&key) else { return wrong("is about no position") };
        let again = match self.shape().of_parts() {
            true => self.keys.part_key(&position.parts[0]),
            false => self.keys.key(&position)?,
        };
        match again == Some(key) {
            true => Ok(Some(Found { number, position, entry })),
            false => wrong("has the key of another position"),
        }
    }

    fn find(&mut self, position: &Position) -> Result<Option<(u64, Entry)>, Refusal> {
        let key = match self.shape().of_parts() {
            true => position.parts.first().and_then(|part| self.keys.part_key(part)),
            false => self.keys.key(position)?,
        };
        let Some(key) = key else { return Ok(None) };
        match self.file.find(&key)? {
            Some((block, place, number)) => Ok(Some((number, self.file.entry(&block, place)?))),
            None => Ok(None),
        }
    }
}

/// Answers for positions.
pub type Answer<'a> = Box<dyn FnMut(&Position) -> Result<Option<Verdict>, Refusal> + 'a>;

/// The scores of whoever answers for a position: entries are numbered as they are met.
pub struct Known<'a> {
    bound: &'a Bound,
    shape: Shape,
    keys: Keys<'a>,
    answer: Answer<'a>,
    numbers: HashMap<Key, u64>,
    met: Vec<Position>,
    held: Held,
}

impl<'a> Known<'a> {
    /// Scores of a game, by these answers.
    pub fn scores(bound: &'a Bound, turn: bool, answer: Answer<'a>) -> Known<'a> {
        let shape = Shape { kind: Kind::Scores, turn, ordered: false, values: false };
        let keys = Keys::new(bound, shape);
        Known { bound, shape, keys, answer, numbers: HashMap::new(), met: Vec::new(), held: Held::default() }
    }
}

impl Source for Known<'_> {
    fn bound(&self) -> &Bound {
        self.bound
    }

    fn shape(&self) -> Shape {
        self.shape
    }

    fn entries(&self) -> u64 {
        self.met.len() as u64
    }

    fn nth(&mut self, number: u64) -> Result<Option<Found>, Refusal> {
        let Some(position) = usize::try_from(number).ok().and_then(|number| self.met.get(number)).cloned() else {
            return Ok(None);
        };
        match self.find(&position)? {
            Some((_, entry)) => Ok(Some(Found { number, position, entry })),
            None => Ok(None),
        }
    }

    fn find(&mut self, position: &Position) -> Result<Option<(u64, Entry)>, Refusal> {
        let Some(verdict) = (self.answer)(position)? else { return Ok(None) };
        let Some(key) = self.keys.key(position)? else { return Ok(None) };
        let next = self.met.len() as u64;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            let cells: usize = position.parts.iter().map(|part| part.len()).sum();
            self.held.grow(160 + 16 * cells as u64)?;
            self.met.push(position.clone());
        }
        Ok(Some((number, Entry::new(verdict))))
    }
}
