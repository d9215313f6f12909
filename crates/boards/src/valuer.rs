//! The valuer: positions of a game of local moves, as sums of the values of their parts.

use engine::Error;
use engine::interner::Id;
use engine::memory::Memory;
use engine::monitor::Monitor;

use crate::algebra::Algebra;
use crate::bits::{Bits, Wide};
use crate::contest::Source;
use crate::descent::{Options, Part, PartGraph, Values};
use crate::fall;
use crate::frame::Frame;
use crate::local::LocalGame;
use crate::motion::Motions;
use crate::table::Table;

/// Parts of a position, each with its cells and its value.
pub type Valued<V> = Vec<(Vec<u32>, V)>;

/// Values of positions of one game, as sums of the values of their parts.
pub struct Valuer<A: Algebra> {
    motions: Motions,
    board: Board,
    values: Values<A::Value>,
    /// Room for the parts of a position.
    whole: Vec<Part>,
    /// What values are.
    pub algebra: A,
}

/// The positions of one game, and the parts that they fall into.
pub struct Board {
    game: LocalGame,
    parts: Box<dyn Placed>,
}

/// Parts in masks of some width.
trait Placed: PartGraph {
    /// At most so many shapes are met.
    fn at_most(&mut self, parts: u64);
    /// A part of a position; `None` if it does not fit in the frame.
    fn part(&mut self, board: &LocalGame, position: &[u8], part: &[u32]) -> Result<Option<Part>, Error>;
    /// Adds the parts of a whole position to a list; whether the frame is as large as the board.
    fn whole(&mut self, board: &LocalGame, position: &[u8], into: &mut Vec<Part>) -> Result<bool, Error>;
    /// A part of a position, if it was met.
    fn find(&self, board: &LocalGame, position: &[u8], part: &[u32]) -> Option<Part>;
}

impl<B: Bits> Placed for Table<B> {
    fn at_most(&mut self, parts: u64) {
        self.most = parts;
    }

    fn part(&mut self, board: &LocalGame, position: &[u8], part: &[u32]) -> Result<Option<Part>, Error> {
        match self.frame().placed(board.grid, position, part) {
            Some(planes) => Table::part(self, &planes).map(Some),
            None => Ok(None),
        }
    }

    fn whole(&mut self, board: &LocalGame, position: &[u8], into: &mut Vec<Part>) -> Result<bool, Error> {
        Table::whole(self, board.grid, position, into)
    }

    fn find(&self, board: &LocalGame, position: &[u8], part: &[u32]) -> Option<Part> {
        Table::find(self, &self.frame().placed(board.grid, position, part)?)
    }
}

impl Board {
    /// Ready for positions that play can reach from `start`. The motions are those of the game. Not applicable where a part is
    /// too large for masks.
    pub fn new(game: LocalGame, motions: &Motions, start: &[u8], memory: &Memory) -> Result<Board, Error> {
        let (mut rows, mut columns) = (1, 1);
        for part in fall::parts(&game, start) {
            let size = |of: &dyn Fn(&u32) -> usize| {
                let (least, most) = (part.iter().map(of).min(), part.iter().map(of).max());
                most.unwrap_or(0) + 1 - least.unwrap_or(0)
            };
            rows = rows.max(size(&|cell| *cell as usize / game.grid.columns));
            columns = columns.max(size(&|cell| *cell as usize % game.grid.columns));
        }
        Board::of_size((rows, columns), game, motions, memory)
    }

    /// Ready for all positions. Not applicable where the board is too large for masks.
    pub fn for_all(game: LocalGame, motions: &Motions, memory: &Memory) -> Result<Board, Error> {
        Board::of_size((game.grid.rows, game.grid.columns), game, motions, memory)
    }

    /// Ready for parts of at most so many rows and columns.
    fn of_size(size: (usize, usize), game: LocalGame, motions: &Motions, memory: &Memory) -> Result<Board, Error> {
        let (rows, columns) = size;
        let parts = in_masks::<u64>(&game, motions, size, memory)
            .or_else(|| in_masks::<u128>(&game, motions, size, memory))
            .or_else(|| in_masks::<Wide>(&game, motions, size, memory));
        let parts = parts.ok_or_else(|| {
            let most = Wide::WIDTH;
            Error::NotApplicable(format!("a part of the board has {rows} by {columns} cells, and masks have {most}"))
        })?;
        Ok(Board { game, parts })
    }

    /// The parts of a position, each with its cells.
    pub fn parts(&mut self, position: &[u8]) -> Result<Vec<(Vec<u32>, Part)>, Error> {
        let mut parts = Vec::new();
        for cells in fall::parts(&self.game, position) {
            let part = self.parts.part(&self.game, position, &cells)?;
            let part =
                part.ok_or_else(|| Error::NotApplicable("a part is larger than any of the start".to_string()))?;
            parts.push((cells, part));
        }
        Ok(parts)
    }
}

impl PartGraph for Board {
    fn expand(&mut self, part: Id, options: &mut Options) -> Result<(), Error> {
        self.parts.expand(part, options)
    }

    fn met(&self) -> u64 {
        self.parts.met()
    }
}

impl Source for Board {
    fn at_most(&mut self, parts: u64) {
        self.parts.at_most(parts);
    }
}

impl<A: Algebra> Valuer<A> {
    /// Ready for positions that play can reach from `start`. The motions are those of the game. Not applicable where a part is too large for masks.
    pub fn new(
        game: LocalGame,
        motions: Motions,
        start: &[u8],
        algebra: A,
        memory: &Memory,
    ) -> Result<Valuer<A>, Error> {
        let board = Board::new(game, &motions, start, memory)?;
        Ok(Valuer { motions, board, values: Values::new(memory), whole: Vec::new(), algebra })
    }

    /// Ready for all positions. Not applicable where the board is too large for masks.
    pub fn for_all(game: LocalGame, motions: Motions, algebra: A, memory: &Memory) -> Result<Valuer<A>, Error> {
        let board = Board::for_all(game, &motions, memory)?;
        Ok(Valuer { motions, board, values: Values::new(memory), whole: Vec::new(), algebra })
    }

    /// The motions that parts may be moved by.
    pub fn motions(&self) -> &Motions {
        &self.motions
    }

    /// At most so many shapes of parts are valued.
    pub fn at_most(&mut self, parts: u64) {
        self.board.at_most(parts);
    }

    /// How many shapes of parts were met.
    pub fn distinct(&self) -> u64 {
        self.board.met()
    }

    /// The parts of a position with their values.
    pub fn parts(&mut self, position: &[u8], monitor: &mut Monitor) -> Result<Valued<A::Value>, Error> {
        let mut valued = Vec::new();
        for (cells, part) in self.board.parts(position)? {
            let value = self.values.value(part, &mut self.board, &mut self.algebra, monitor)?;
            valued.push((cells, value));
        }
        Ok(valued)
    }

    /// The value of a position.
    pub fn value(&mut self, position: &[u8], monitor: &mut Monitor) -> Result<A::Value, Error> {
        let Board { game, parts } = &mut self.board;
        self.whole.clear();
        if parts.whole(game, position, &mut self.whole)? {
            let mut sum = self.algebra.zero();
            for &part in &self.whole {
                let value = self.values.value(part, &mut self.board, &mut self.algebra, monitor)?;
                sum = self.algebra.add(sum, value)?;
            }
            return Ok(sum);
        }
        let parts = self.parts(position, monitor)?;
        let zero = self.algebra.zero();
        parts.into_iter().try_fold(zero, |sum, (_, value)| self.algebra.add(sum, value))
    }

    /// The value of a position whose parts are all known; `None` if one is not.
    pub fn known(&mut self, position: &[u8]) -> Result<Option<A::Value>, Error> {
        let mut sum = self.algebra.zero();
        let Board { game, parts } = &self.board;
        for cells in fall::parts(game, position) {
            let Some(part) = parts.find(game, position, &cells) else { return Ok(None) };
            let Some(value) = self.values.known(part, &mut self.algebra)? else { return Ok(None) };
            sum = self.algebra.add(sum, value)?;
        }
        Ok(Some(sum))
    }
}

fn in_masks<B: Bits + 'static>(
    game: &LocalGame,
    motions: &Motions,
    (rows, columns): (usize, usize),
    memory: &Memory,
) -> Option<Box<dyn Placed>> {
    let frame = Frame::<B>::new(game, motions, rows, columns)?;
    Some(Box::new(Table::new(frame, memory)))
}
