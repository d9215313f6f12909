//! The valuer: the values of parts, each after the values of all that moves make of it.

use engine::Error;
use engine::interner::Id;
use engine::memory::Memory;
use engine::monitor::Monitor;

use crate::algebra::Algebra;
use crate::bits::{Bits, Wide};
use crate::fall;
use crate::frame::{Frame, Planes, Scratch};
use crate::local::{LocalGame, Owner};
use crate::motion::Motions;
use crate::table::{Known, Part, Table};

/// Values of positions of one game, as sums of the values of their parts.
pub struct Valuer<A: Algebra> {
    game: LocalGame,
    motions: Motions,
    parts: Box<dyn Parts<A>>,
    /// What values are.
    pub algebra: A,
}

/// Parts in masks of some width.
trait Parts<A: Algebra> {
    fn value(
        &mut self,
        board: &LocalGame,
        position: &[u8],
        part: &[u32],
        algebra: &mut A,
        monitor: &mut Monitor,
    ) -> Result<A::Value, Error>;
    fn find(&self, board: &LocalGame, position: &[u8], part: &[u32]) -> Option<(Known<A::Value>, bool)>;
    fn distinct(&self) -> u64;
}

impl<A: Algebra + 'static> Valuer<A>
where
    A::Value: 'static,
{
    /// Ready for positions that play can reach from `start`. Not applicable where a part is too large for masks.
    pub fn new(game: LocalGame, start: &[u8], algebra: A, memory: &Memory) -> Result<Valuer<A>, Error> {
        let motions = Motions::new(&game);
        let (mut rows, mut columns) = (1, 1);
        for part in fall::parts(&game, start) {
            let size = |of: &dyn Fn(&u32) -> usize| {
                let (least, most) = (part.iter().map(of).min(), part.iter().map(of).max());
                most.unwrap_or(0) + 1 - least.unwrap_or(0)
            };
            rows = rows.max(size(&|cell| *cell as usize / game.grid.columns));
            columns = columns.max(size(&|cell| *cell as usize % game.grid.columns));
        }
        let parts = in_masks::<u64, A>(&game, &motions, (rows, columns), memory)
            .or_else(|| in_masks::<u128, A>(&game, &motions, (rows, columns), memory))
            .or_else(|| in_masks::<Wide, A>(&game, &motions, (rows, columns), memory));
        let parts = parts.ok_or_else(|| {
            Error::NotApplicable(format!(
                "a part of the board has {rows} by {columns} cells, and masks have room for {}",
                Wide::WIDTH
            ))
        })?;
        Ok(Valuer { game, motions, parts, algebra })
    }

    /// The motions that parts may be moved by.
    pub fn motions(&self) -> &Motions {
        &self.motions
    }

    /// How many shapes of parts were met.
    pub fn distinct(&self) -> u64 {
        self.parts.distinct()
    }

    /// The parts of a position with their values.
    pub fn parts(&mut self, position: &[u8], monitor: &mut Monitor) -> Result<Vec<(Vec<u32>, A::Value)>, Error> {
        let Valuer { game, parts, algebra, .. } = self;
        let found = fall::parts(game, position);
        found
            .into_iter()
            .map(|part| {
                let value = parts.value(game, position, &part, algebra, monitor)?;
                Ok((part, value))
            })
            .collect()
    }

    /// The value of a position.
    pub fn value(&mut self, position: &[u8], monitor: &mut Monitor) -> Result<A::Value, Error> {
        let parts = self.parts(position, monitor)?;
        let zero = self.algebra.zero();
        parts.into_iter().try_fold(zero, |sum, (_, value)| self.algebra.add(sum, value))
    }

    /// The value of a position whose parts are all known; `None` if one is not.
    pub fn known(&mut self, position: &[u8]) -> Result<Option<A::Value>, Error> {
        let mut sum = self.algebra.zero();
        for part in fall::parts(&self.game, position) {
            let Some((Known::Value(value), exchanged)) = self.parts.find(&self.game, position, &part) else {
                return Ok(None);
            };
            let value = if exchanged { self.algebra.negate(value)? } else { value };
            sum = self.algebra.add(sum, value)?;
        }
        Ok(Some(sum))
    }
}

fn in_masks<B: Bits + 'static, A: Algebra + 'static>(
    game: &LocalGame,
    motions: &Motions,
    (rows, columns): (usize, usize),
    memory: &Memory,
) -> Option<Box<dyn Parts<A>>>
where
    A::Value: 'static,
{
    let frame = Frame::<B>::new(game, motions, rows, columns)?;
    let table = Table::new(frame.words(), memory);
    Some(Box::new(Masks {
        frame,
        table,
        scratch: Scratch::default(),
        live: Vec::new(),
        found: Vec::new(),
        options: Vec::new(),
    }))
}

struct Masks<B, V> {
    frame: Frame<B>,
    table: Table<V>,
    scratch: Scratch<B>,
    live: Vec<u32>,
    found: Vec<Planes<B>>,
    /// Options of the parts that are open, one part behind the other: the owner, how many parts, the parts.
    options: Vec<u32>,
}

#[derive(Debug)]
/// A part that waits for the values of its options; `from` is where they begin, once they are listed.
struct Open {
    part: Id,
    from: Option<usize>,
}

impl<B: Bits, A: Algebra> Parts<A> for Masks<B, A::Value> {
    fn value(
        &mut self,
        board: &LocalGame,
        position: &[u8],
        part: &[u32],
        algebra: &mut A,
        monitor: &mut Monitor,
    ) -> Result<A::Value, Error> {
        let placed = self.frame.placed(board.grid, position, part);
        let planes = placed.ok_or_else(|| Error::Internal("a part that does not fit in its frame".to_string()))?;
        let part = self.table.part(&self.frame, &planes)?;
        let mut stack = vec![Open { part: part.id(), from: None }];
        if let Err(error) = self.settle(&mut stack, algebra, monitor) {
            // Nothing stays half done: the same part may be asked for again.
            self.options.clear();
            stack
                .iter()
                .filter(|open| open.from.is_some())
                .for_each(|open| self.table.learn(open.part, Known::Nothing));
            if matches!(error, Error::Interrupted { .. }) {
                // The algebra cannot tell why it was stopped.
                monitor.look(self.table.distinct(), 0)?;
            }
            return Err(error.after(self.table.distinct()));
        }
        self.signed(part, algebra)
    }

    fn find(&self, board: &LocalGame, position: &[u8], part: &[u32]) -> Option<(Known<A::Value>, bool)> {
        let planes = self.frame.placed(board.grid, position, part)?;
        let part = self.table.find(&self.frame, &planes)?;
        Some((self.table.known(part.id()), part.is_exchanged()))
    }

    fn distinct(&self) -> u64 {
        self.table.distinct()
    }
}

impl<B: Bits, V: Copy + Eq + std::fmt::Debug> Masks<B, V> {
    /// The value of a part that is known.
    fn signed<A: Algebra<Value = V>>(&self, part: Part, algebra: &mut A) -> Result<V, Error> {
        match self.table.known(part.id()) {
            Known::Value(value) if part.is_exchanged() => algebra.negate(value),
            Known::Value(value) => Ok(value),
            _ => Err(Error::Internal("a part without its value".to_string())),
        }
    }

    /// Values the parts on the stack and all that they can become.
    fn settle<A: Algebra<Value = V>>(
        &mut self,
        stack: &mut Vec<Open>,
        algebra: &mut A,
        monitor: &mut Monitor,
    ) -> Result<(), Error> {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        let mut settled = 0;
        while let Some(open) = stack.last_mut() {
            let part = open.part;
            match open.from {
                None if matches!(self.table.known(part), Known::Value(_)) => {
                    stack.pop();
                }
                None => {
                    monitor.tick(self.table.distinct(), settled)?;
                    open.from = Some(self.options.len());
                    self.table.learn(part, Known::Open);
                    self.expand(part, stack)?;
                }
                Some(from) => {
                    let value = self.valued(from, &mut left, &mut right, algebra)?;
                    self.options.truncate(from);
                    self.table.learn(part, Known::Value(value));
                    settled += 1;
                    stack.pop();
                }
            }
        }
        Ok(())
    }

    /// Lists the options of a part, and puts those parts on the stack that have no value yet.
    fn expand(&mut self, id: Id, stack: &mut Vec<Open>) -> Result<(), Error> {
        let planes = self.table.planes(&self.frame, id);
        let mut live = std::mem::take(&mut self.live);
        self.frame.live(&planes, &mut self.scratch, &mut live);
        for &mv in &live {
            if !self.frame.is_legal(mv, &planes) {
                continue;
            }
            let after = self.frame.after(mv, &planes);
            self.frame.split(&after, &live, &mut self.scratch, &mut self.found);
            self.options.extend([self.frame.mv(mv).owner as u32, self.found.len() as u32]);
            for planes in &self.found {
                let part = self.table.part(&self.frame, planes)?;
                self.options.push(part.raw());
                match self.table.known(part.id()) {
                    Known::Nothing => stack.push(Open { part: part.id(), from: None }),
                    Known::Open => return Err(Error::Cycle(vec![u64::from(part.id())])),
                    Known::Value(_) => {}
                }
            }
        }
        self.live = live;
        Ok(())
    }

    /// The value of the part whose options begin at `from` and are all known.
    fn valued<A: Algebra<Value = V>>(
        &self,
        from: usize,
        left: &mut Vec<V>,
        right: &mut Vec<V>,
        algebra: &mut A,
    ) -> Result<V, Error> {
        left.clear();
        right.clear();
        let mut at = from;
        while at < self.options.len() {
            let (owner, parts) = (self.options[at], self.options[at + 1] as usize);
            let mut sum = None;
            for &part in &self.options[at + 2..at + 2 + parts] {
                let value = self.signed(Part::from_raw(part), algebra)?;
                sum = Some(match sum {
                    None => value,
                    Some(sum) => algebra.add(sum, value)?,
                });
            }
            let value = sum.unwrap_or_else(|| algebra.zero());
            if owner != Owner::Right as u32 {
                left.push(value);
            }
            if owner != Owner::Left as u32 {
                right.push(value);
            }
            at += 2 + parts;
        }
        algebra.game(left, right)
    }
}
