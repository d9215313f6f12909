//! The game on a small board, in masks of cells: what the inner loops work with.
//!
//! ```text
//! one plane for each value that some move needs     plane 0: 0 1 1 0      plane 1: 1 0 0 0
//! (Domineering: the empty squares, and nothing else)         0 1 0 0               0 0 0 1
//! ```
//!
//! A cell whose value no move needs is in no plane: nothing can happen there. A frame is as large as the largest part of
//! the start, not as the board. Parts lie in its corner where shifts are allowed.

use crate::bits::{Bits, each};
use crate::local::{Grid, LocalGame, Owner};
use crate::motion::Motions;

/// The most planes.
pub const MOST_PLANES: usize = 8;

/// A part: for each plane, the cells with its value.
pub type Planes<B> = [B; MOST_PLANES];

/// All moves in masks. What a move needs and sets has one mask for each plane; those of all moves lie behind each other, since
/// the inner loops go through many moves and little else.
#[derive(Clone, Debug, Default)]
struct Moves<B> {
    owners: Vec<Owner>,
    needs: Vec<B>,
    sets: Vec<B>,
    looks_at: Vec<B>,
    writes: Vec<B>,
    /// Whether some move puts a value onto a cell that another move needs. Else what is dead stays dead, and one look at
    /// each move is enough.
    grows: bool,
}

/// A turn of the frame.
#[derive(Clone, Debug)]
struct Turned {
    exchange: bool,
    /// Where each cell comes to lie; `None` outside.
    cells: Vec<Option<u16>>,
    /// Where each plane comes to lie.
    planes: Vec<usize>,
}

/// A game on a small board.
#[derive(Clone, Debug)]
pub struct Frame<B> {
    grid: Grid,
    planes: usize,
    plane_of: Vec<Option<u8>>,
    moves: Moves<B>,
    shift_rows: bool,
    shift_columns: bool,
    columns: Vec<B>,
    turns: Vec<Turned>,
    /// Where every move takes two cells of the one plane: the cells that each cell may be taken with. Parts are then those
    /// of a graph.
    pairs: Option<Vec<B>>,
}

/// Room for the inner loops.
#[derive(Clone, Debug)]
pub struct Scratch<B> {
    waiting: Vec<u32>,
    live: Vec<u32>,
    /// The cells of a part that moves write, and all of its cells.
    groups: Vec<(B, B)>,
}

impl<B> Default for Scratch<B> {
    fn default() -> Self {
        Scratch { waiting: Vec::new(), live: Vec::new(), groups: Vec::new() }
    }
}

/// The values that some move needs; `None` if they are too many.
pub fn needed_values(game: &LocalGame) -> Option<Vec<u8>> {
    let mut values: Vec<u8> = game.moves.iter().flat_map(|mv| mv.needs.iter().map(|need| need.1)).collect();
    values.sort_unstable();
    values.dedup();
    (values.len() <= MOST_PLANES).then_some(values)
}

impl<B: Bits> Frame<B> {
    /// The game in the first `rows` rows and `columns` columns of its board; in all of them along a side on which parts
    /// cannot be shifted. `None` if it does not fit.
    pub fn new(game: &LocalGame, motions: &Motions, rows: usize, columns: usize) -> Option<Frame<B>> {
        let rows = if motions.shift_rows { rows } else { game.grid.rows };
        let columns = if motions.shift_columns { columns } else { game.grid.columns };
        let grid = Grid { rows, columns };
        let values = needed_values(game)?;
        if grid.cells() > B::WIDTH {
            return None;
        }
        let mut plane_of = vec![None; usize::from(game.values)];
        for (plane, value) in values.iter().enumerate() {
            plane_of[usize::from(*value)] = Some(plane as u8);
        }
        let mut frame = Frame {
            grid,
            planes: values.len(),
            plane_of,
            moves: Moves::default(),
            shift_rows: motions.shift_rows,
            shift_columns: motions.shift_columns,
            columns: (0..columns).map(|column| column_mask(grid, column)).collect(),
            turns: Vec::new(),
            pairs: None,
        };
        frame.moves = frame.masked(game);
        frame.pairs = frame.paired();
        frame.turns = motions
            .turns
            .iter()
            .map(|turn| Turned {
                exchange: turn.exchange,
                cells: (0..grid.cells()).map(|cell| turn.cell(grid, cell).map(|cell| cell as u16)).collect(),
                planes: values
                    .iter()
                    .map(|v| usize::from(frame.plane_of[usize::from(turn.values[usize::from(*v)])].unwrap_or(0)))
                    .collect(),
            })
            .collect();
        Some(frame)
    }

    /// The cell of the frame for a cell of the board.
    fn cell(&self, board: Grid, cell: u32) -> Option<usize> {
        let (row, column) = (cell as usize / board.columns, cell as usize % board.columns);
        (row < self.grid.rows && column < self.grid.columns).then_some(row * self.grid.columns + column)
    }

    /// The moves that fit into the frame.
    fn masked(&self, game: &LocalGame) -> Moves<B> {
        let mut moves = Moves::default();
        for mv in &game.moves {
            let inside = |pairs: &[(u32, u8)]| -> Option<Vec<(usize, Option<u8>)>> {
                let cell = |pair: &(u32, u8)| Some((self.cell(game.grid, pair.0)?, self.plane_of[usize::from(pair.1)]));
                pairs.iter().map(cell).collect()
            };
            let (Some(needs), Some(writes)) = (inside(&mv.needs), inside(&mv.writes)) else { continue };
            let all =
                |cells: &[(usize, Option<u8>)]| cells.iter().fold(B::default(), |all, cell| all.or(B::bit(cell.0)));
            let plane = |cells: &[(usize, Option<u8>)], plane: usize| {
                let own: Vec<_> = cells.iter().copied().filter(|cell| cell.1 == Some(plane as u8)).collect();
                all(&own)
            };
            moves.owners.push(mv.owner);
            moves.needs.extend((0..self.planes).map(|at| plane(&needs, at)));
            moves.sets.extend((0..self.planes).map(|at| plane(&writes, at)));
            moves.looks_at.push(all(&needs));
            moves.writes.push(all(&writes));
            moves.grows |= writes.iter().any(|write| write.1.is_some());
        }
        moves
    }

    /// The cells that each cell may be taken with, where every move takes two.
    fn paired(&self) -> Option<Vec<B>> {
        let Moves { needs, looks_at, writes, grows, .. } = &self.moves;
        if self.planes != 1 || *grows {
            return None;
        }
        let mut pairs = vec![B::default(); self.grid.cells()];
        for ((need, looks_at), writes) in needs.iter().zip(looks_at).zip(writes) {
            let (Some(a), Some(b), None) = ({
                let mut cells = each(*looks_at);
                (cells.next(), cells.next(), cells.next())
            }) else {
                return None;
            };
            if need != looks_at || writes != looks_at {
                return None;
            }
            pairs[a] = pairs[a].or(B::bit(b));
            pairs[b] = pairs[b].or(B::bit(a));
        }
        Some(pairs)
    }

    /// The parts of a graph of cells.
    fn split_pairs(&self, pairs: &[B], cells: B, into: &mut Vec<Planes<B>>) {
        let mut left = cells;
        while !left.is_empty() {
            let mut part = B::bit(left.lowest());
            let mut open = part;
            left = left.without(part);
            let alone = left;
            while !open.is_empty() {
                let new = pairs[open.lowest()].and(left);
                left = left.without(new);
                part = part.or(new);
                open = open.rest().or(new);
            }
            if left != alone {
                let mut planes = [B::default(); MOST_PLANES];
                planes[0] = part;
                into.push(self.cornered(planes));
            }
        }
    }

    /// How many words a part has.
    pub fn words(&self) -> usize {
        self.planes * B::WORDS
    }

    /// A part as words.
    pub fn pack(&self, planes: &Planes<B>, into: &mut [u64]) {
        for plane in 0..self.planes {
            for word in 0..B::WORDS {
                into[plane * B::WORDS + word] = planes[plane].word(word);
            }
        }
    }

    /// Words as a part.
    pub fn unpack(&self, words: &[u64]) -> Planes<B> {
        let mut planes = [B::default(); MOST_PLANES];
        for (plane, words) in words.chunks_exact(B::WORDS).enumerate() {
            planes[plane] = B::from_words(words);
        }
        planes
    }

    /// A part of a position on the board, in the corner of the frame; `None` if it does not fit.
    pub fn placed(&self, board: Grid, position: &[u8], part: &[u32]) -> Option<Planes<B>> {
        let row = |cell: &u32| *cell as usize / board.columns;
        let column = |cell: &u32| *cell as usize % board.columns;
        let top = if self.shift_rows { part.iter().map(row).min()? } else { 0 };
        let left = if self.shift_columns { part.iter().map(column).min()? } else { 0 };
        let mut planes = [B::default(); MOST_PLANES];
        for cell in part {
            let (row, column) = (row(cell) - top, column(cell) - left);
            if row >= self.grid.rows || column >= self.grid.columns {
                return None;
            }
            if let Some(plane) = self.plane_of[usize::from(position[*cell as usize])] {
                let plane = &mut planes[usize::from(plane)];
                *plane = plane.or(B::bit(row * self.grid.columns + column));
            }
        }
        Some(planes)
    }

    /// A whole position; `None` if the frame is smaller than the board. Cells whose values no move needs are never written.
    pub fn whole(&self, board: Grid, position: &[u8]) -> Option<Planes<B>> {
        if self.grid != board {
            return None;
        }
        let mut planes = [B::default(); MOST_PLANES];
        for (cell, value) in position.iter().enumerate() {
            if let Some(plane) = self.plane_of[usize::from(*value)] {
                let plane = &mut planes[usize::from(plane)];
                *plane = plane.or(B::bit(cell));
            }
        }
        Some(planes)
    }

    #[inline]
    fn cells_of(&self, planes: &Planes<B>) -> B {
        planes[..self.planes].iter().fold(B::default(), |all, plane| all.or(*plane))
    }

    /// Who may make a move.
    #[inline]
    pub fn owner(&self, mv: u32) -> Owner {
        self.moves.owners[mv as usize]
    }

    /// The moves that may be made in a part, now or later.
    pub fn live(&self, planes: &Planes<B>, scratch: &mut Scratch<B>, into: &mut Vec<u32>) {
        let cells = self.cells_of(planes);
        let inside = (0..self.moves.owners.len() as u32).filter(|&mv| self.moves.looks_at[mv as usize].within(cells));
        scratch.waiting.clear();
        scratch.waiting.extend(inside);
        self.close(*planes, scratch);
        into.clear();
        into.append(&mut scratch.live);
    }

    /// Whether a move is legal in a part.
    #[inline]
    pub fn is_legal(&self, mv: u32, planes: &Planes<B>) -> bool {
        self.is_met(mv, planes)
    }

    /// What a move makes of a part.
    #[inline]
    pub fn after(&self, mv: u32, planes: &Planes<B>) -> Planes<B> {
        let writes = self.moves.writes[mv as usize];
        let sets = self.of_planes(&self.moves.sets, mv);
        let mut after = *planes;
        for (plane, set) in after[..self.planes].iter_mut().zip(sets) {
            *plane = plane.without(writes).or(*set);
        }
        after
    }

    /// What a move has for each plane.
    #[inline]
    fn of_planes<'m>(&self, all: &'m [B], mv: u32) -> &'m [B] {
        let from = mv as usize * self.planes;
        &all[from..from + self.planes]
    }

    #[inline]
    fn is_met(&self, mv: u32, planes: &Planes<B>) -> bool {
        self.of_planes(&self.moves.needs, mv).iter().zip(planes).all(|(need, plane)| need.within(*plane))
    }

    /// Moves those that may be made, now or later, from `waiting` to `live`.
    fn close(&self, mut possible: Planes<B>, scratch: &mut Scratch<B>) {
        scratch.live.clear();
        let Scratch { waiting, live, .. } = scratch;
        if !self.moves.grows {
            live.extend(waiting.iter().copied().filter(|mv| self.is_met(*mv, &possible)));
            return;
        }
        loop {
            let mut grown = false;
            waiting.retain(|&mv| {
                if !self.is_met(mv, &possible) {
                    return true;
                }
                for (plane, set) in possible[..self.planes].iter_mut().zip(self.of_planes(&self.moves.sets, mv)) {
                    grown |= !set.within(*plane);
                    *plane = plane.or(*set);
                }
                live.push(mv);
                false
            });
            if !grown || waiting.is_empty() {
                return;
            }
        }
    }

    /// Whether [`Frame::split`] looks at the live moves. Where every move takes a pair of cells, the cells are enough.
    pub fn splits_by_moves(&self) -> bool {
        self.pairs.is_none()
    }

    /// The parts into which what is left of a part falls, each in the corner. `candidates` are the moves that were live
    /// before: no other can become live.
    pub fn split(&self, planes: &Planes<B>, candidates: &[u32], scratch: &mut Scratch<B>, into: &mut Vec<Planes<B>>) {
        into.clear();
        if let Some(pairs) = &self.pairs {
            return self.split_pairs(pairs, planes[0], into);
        }
        scratch.waiting.clear();
        scratch.waiting.extend_from_slice(candidates);
        self.close(*planes, scratch);
        let Scratch { live, groups, .. } = scratch;
        let written = live.iter().fold(B::default(), |all, mv| all.or(self.moves.writes[*mv as usize]));
        groups.clear();
        for &mv in &*live {
            let mut cells = self.moves.looks_at[mv as usize];
            let mut open = cells.and(written);
            if let Some(last) = groups.last_mut()
                && open.within(last.0)
            {
                last.1 = last.1.or(cells);
                continue;
            }
            let mut index = 0;
            while index < groups.len() {
                if groups[index].0.meets(open) {
                    let group = groups.swap_remove(index);
                    open = open.or(group.0);
                    cells = cells.or(group.1);
                } else {
                    index += 1;
                }
            }
            groups.push((open, cells));
        }
        for &(_, cells) in &*groups {
            let mut part = *planes;
            part[..self.planes].iter_mut().for_each(|plane| *plane = plane.and(cells));
            into.push(self.cornered(part));
        }
    }

    /// A part shifted into the corner, as far as shifts are allowed.
    #[inline]
    fn cornered(&self, mut planes: Planes<B>) -> Planes<B> {
        let cells = self.cells_of(&planes);
        let mut by = if self.shift_rows { cells.lowest() / self.grid.columns * self.grid.columns } else { 0 };
        if self.shift_columns {
            by += self.columns.iter().position(|column| column.meets(cells)).unwrap_or(0);
        }
        if by > 0 && !cells.is_empty() {
            planes[..self.planes].iter_mut().for_each(|plane| *plane = plane.down(by));
        }
        planes
    }

    /// The standard side of a part: the least of all that turns make of it, and whether the players were exchanged.
    pub fn standard(&self, planes: &Planes<B>) -> (Planes<B>, bool) {
        let mut best = (*planes, false);
        for turn in &self.turns {
            if let Some(turned) = self.turned(planes, turn) {
                let turned = (self.cornered(turned), turn.exchange);
                // Without exchange is better: the sign then needs no thought.
                if turned < best {
                    best = turned;
                }
            }
        }
        best
    }

    fn turned(&self, planes: &Planes<B>, turn: &Turned) -> Option<Planes<B>> {
        let mut turned = [B::default(); MOST_PLANES];
        for plane in 0..self.planes {
            let to = &mut turned[turn.planes[plane]];
            for cell in each(planes[plane]) {
                *to = to.or(B::bit(usize::from(turn.cells[cell]?)));
            }
        }
        Some(turned)
    }
}

fn column_mask<B: Bits>(grid: Grid, column: usize) -> B {
    (0..grid.rows).fold(B::default(), |mask, row| mask.or(B::bit(row * grid.columns + column)))
}
