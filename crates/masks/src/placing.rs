//! Games in which each move puts one mark on an open square, and lines of a player's marks end the game.
//!
//! For such games one look tells more than which moves complete a line. Marks are never taken away, so the squares where the
//! other player would complete a line stay the same whatever is played; only which squares are open to them changes. So it is
//! seen at once which moves let the other player win at the next move, and that a position is lost where two such squares cannot
//! both be taken.
//!
//! ```text
//! marks ──shapes of lines──▶ squares that complete a line ─┐
//! open squares ──groups──▶ squares that can be played ─────┴──▶ wins · moves that lose at once · lost positions
//! ```
//!
//! Lines of one shape lie shifted on the board, and are looked for everywhere at once. Where a square is open depends on few
//! others (those below it in its column); squares that depend on one another are a group, and a table tells for every state of a
//! group which of its squares can be played.

use crate::OPEN;
use crate::cube::{Cube, Variables};
use crate::ends::EndCube;
use crate::layout::{Layout, Planes, Test, ones};
use crate::moves::Move;

/// Groups of more squares are not tabulated.
const MOST_BITS: u32 = 10;
/// No line has more squares.
const MOST_SQUARES: usize = 16;
/// More squares that complete a line are not counted.
const MOST_THREATS: i32 = 7;

/// Lines that are shifts of one another.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Shape {
    /// How far the squares lie from the first one, ascending; the first is 0.
    steps: [u32; MOST_SQUARES],
    squares: usize,
    /// The first squares of all lines.
    firsts: u64,
}

impl Shape {
    /// The squares where a mark completes a line.
    #[inline]
    fn completing(&self, marks: u64) -> u64 {
        match self.squares {
            3 => self.of::<3>(marks),
            4 => self.of::<4>(marks),
            5 => self.of::<5>(marks),
            6 => self.of::<6>(marks),
            _ => self.of_any(marks),
        }
    }

    /// The same for lines of so many squares, which are unrolled.
    #[inline]
    fn of<const SQUARES: usize>(&self, marks: u64) -> u64 {
        let (mut shifted, mut after) = ([0; SQUARES], [self.firsts; SQUARES]);
        for (shifted, step) in shifted.iter_mut().zip(&self.steps) {
            *shifted = marks >> (step & 63);
        }
        for at in (1..SQUARES).rev() {
            after[at - 1] = after[at] & shifted[at];
        }
        let (mut before, mut found) = (u64::MAX, 0);
        for at in 0..SQUARES {
            found |= (before & after[at]) << (self.steps[at] & 63);
            before &= shifted[at];
        }
        found
    }

    fn of_any(&self, marks: u64) -> u64 {
        let steps = &self.steps[..self.squares];
        let others = |at: usize| steps.iter().enumerate().filter(move |other| other.0 != at);
        let complete = |at: usize| others(at).fold(self.firsts, |found, (_, step)| found & marks >> step);
        steps.iter().enumerate().fold(0, |found, (at, step)| found | complete(at) << step)
    }
}

/// What one player's marks do.
#[derive(Clone, Debug)]
struct Marks {
    /// Their plane.
    plane: usize,
    shapes: Vec<Shape>,
    /// What a completed line is worth to the player to move then.
    value: i64,
}

impl Marks {
    /// The squares where one more mark completes a line.
    fn completing(&self, marks: u64) -> u64 {
        let mut found = 0;
        for shape in &self.shapes {
            found |= shape.completing(marks);
        }
        found
    }
}

/// Squares that depend on one another: they lie side by side in the plane.
#[derive(Clone, Debug)]
struct Group {
    shift: u32,
    mask: u64,
    /// For each state of the group and each player: the squares that can be played.
    playable: [Vec<u64>; 2],
}

/// A game of placing marks.
#[derive(Clone, Debug)]
pub(crate) struct Placing {
    /// The plane of squares that are open.
    plane: usize,
    marks: [Marks; 2],
    groups: Vec<Group>,
    /// For each player, the squares that depend on nothing but themselves.
    alone: [u64; 2],
    /// For each player and square, the number of the move, and the square of each move.
    moves: [Vec<u32>; 2],
    squares: [Vec<u32>; 2],
    /// The rank of each square: higher where more lines go through it.
    rank: Vec<i32>,
    /// Whether the moves of every position are numbered as their squares are.
    is_sorted: bool,
}

/// What is found of the moves of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen {
    /// Squares that the mover can play.
    playable: u64,
    /// Of these, the ones that complete a line,
    completing: u64,
    /// and the ones after which the other player completes one.
    losing: u64,
    /// Whether every move is one of the latter.
    is_lost: bool,
}

impl Placing {
    /// Whether a game is of this kind: each player's moves and ends, with that player to move.
    pub fn new(moves: &[Vec<Move>], ends: &[Vec<EndCube>], layout: &Layout, variables: &Variables) -> Option<Placing> {
        let ([first, second], true) = (moves, layout.chunks() == 1) else { return None };
        let mark = [mark(first)?, mark(second)?];
        if mark[0] == mark[1] {
            return None;
        }
        let plane = layout.tests(variables, &moves[0].first()?.cube).first()?.plane as usize;
        if mark.iter().any(|mark| plane == usize::from(*mark)) {
            return None;
        }
        let marks = |mover: usize| {
            let (own, other) = (1u8 << mark[mover], 1u8 << mark[1 - mover]);
            let (shapes, value) = shapes(&ends[1 - mover], own, other, layout)?;
            Some(Marks { plane: usize::from(mark[mover]), shapes, value })
        };
        let (marks, mut tests) = ([marks(0)?, marks(1)?], [Vec::new(), Vec::new()]);
        for (mover, list) in moves.iter().enumerate() {
            for mv in list {
                tests[mover].push(Placed::new(mv, mark, plane, layout, variables)?);
            }
        }
        Placing::with(plane, marks, &tests, layout)
    }

    /// With the groups of its squares.
    fn with(plane: usize, marks: [Marks; 2], tests: &[Vec<Placed>; 2], layout: &Layout) -> Option<Placing> {
        let (groups, moves, squares) = (Vec::new(), Default::default(), Default::default());
        let rank = ranks(&marks, layout.width(0));
        let mut placing = Placing { plane, marks, groups, alone: [0; 2], moves, squares, rank, is_sorted: true };
        for mask in joined(tests.iter().flatten().map(|placed| placed.mask)) {
            let (shift, bits) = (mask.trailing_zeros(), mask.count_ones());
            if mask >> shift != ones(bits) || bits > MOST_BITS {
                return None;
            }
            let of = |mover: usize| tests[mover].iter().filter(move |placed| placed.mask & mask != 0);
            let is_alone = |mover: usize| of(mover).all(|placed| placed.value == 1 << placed.square);
            if bits == 1 && is_alone(0) && is_alone(1) {
                for mover in 0..2 {
                    placing.alone[mover] |= of(mover).fold(0, |all, placed| all | 1 << placed.square);
                }
                continue;
            }
            let playable = |mover: usize| -> Vec<u64> {
                let square = |placed: &Placed, state: u64| match (state << shift) & placed.mask == placed.value {
                    true => 1u64 << placed.square,
                    false => 0,
                };
                let squares = |state: u64| of(mover).fold(0, |all, placed| all | square(placed, state));
                (0..1u64 << bits).map(squares).collect()
            };
            placing.groups.push(Group { shift, mask: ones(bits), playable: [playable(0), playable(1)] });
        }
        for (mover, list) in tests.iter().enumerate() {
            let mut numbers = vec![u32::MAX; layout.width(0) as usize];
            for (number, placed) in list.iter().enumerate() {
                // Two moves to one square would have to be told apart.
                if std::mem::replace(&mut numbers[placed.square as usize], number as u32) != u32::MAX {
                    return None;
                }
            }
            placing.moves[mover] = numbers;
            placing.squares[mover] = list.iter().map(|placed| placed.square).collect();
        }
        placing.is_sorted = (0..2).all(|mover| placing.is_sorted(mover));
        Some(placing)
    }

    /// Whether the moves of a player, by their squares, are in order at every position.
    fn is_sorted(&self, mover: usize) -> bool {
        let numbers = |squares: u64| {
            let squares = (0..self.moves[mover].len()).filter(move |square| squares >> square & 1 == 1);
            squares.map(|square| self.moves[mover][square]).collect::<Vec<u32>>()
        };
        let alone = (0..64).map(|square| 1u64 << square).filter(|square| self.alone[mover] & square != 0);
        let mut parts: Vec<(u64, Vec<u32>)> = alone.map(|square| (square, numbers(square))).collect();
        for group in &self.groups {
            if !group.playable[mover].iter().all(|squares| numbers(*squares).is_sorted()) {
                return false;
            }
            let mut all = numbers(group.playable[mover].iter().fold(0, |all, squares| all | squares));
            all.sort_unstable();
            parts.push((1 << group.shift, all));
        }
        parts.sort_unstable();
        parts.iter().flat_map(|part| &part.1).is_sorted()
    }

    /// Lists the moves of a position in order, and what is known at once of where they lead, for the player to move there. `most`
    /// is what no position is worth more than. Where a move is worth `won` at once nothing is listed, and that is said; likewise,
    /// if `won` is the most, where all moves lose at once.
    pub fn look(
        &self,
        planes: &Planes,
        mover: usize,
        (won, most): (i64, i64),
        moves: &mut Vec<u32>,
        ends: &mut Vec<i64>,
    ) -> Option<i64> {
        let (own, other) = (self.marks[mover].value, self.marks[1 - mover].value);
        let seen = self.seen(planes, mover, -other >= most);
        if seen.completing != 0 && -own >= won {
            return Some(-own);
        }
        if seen.is_lost && seen.completing == 0 && won == most {
            return Some(other);
        }
        let mut left = seen.playable;
        while left != 0 {
            let square = left.trailing_zeros();
            left &= left - 1;
            moves.push(self.moves[mover][square as usize]);
            if self.is_sorted {
                ends.push(end(&seen, square, own, other));
            }
        }
        if !self.is_sorted {
            moves.sort_unstable();
            let square = |number: &u32| self.squares[mover][*number as usize];
            ends.extend(moves.iter().map(|number| end(&seen, square(number), own, other)));
        }
        None
    }

    /// How promising moves are: by how many open squares would complete a line afterwards, then by how many lines go through the
    /// square. This order counts more than what is learned of moves. It stays the same, so that different plays lead to the same
    /// positions more often: an order that changes while it is learned took twelve times as many positions on a board of 5 × 5
    /// with lines of four. Moves that lead to something known need no hint, nor does one alone.
    pub fn hints(&self, planes: &Planes, mover: usize, (moves, ends): (&[u32], &[i64]), into: &mut Vec<i32>) {
        let (marks, open) = (&self.marks[mover], planes[self.plane]);
        if ends.iter().filter(|end| **end == OPEN).count() < 2 {
            into.resize(moves.len(), 0);
            return;
        }
        for (number, end) in moves.iter().zip(ends) {
            if *end != OPEN {
                into.push(0);
                continue;
            }
            let square = self.squares[mover][*number as usize];
            let completing = marks.completing(planes[marks.plane] | 1 << square);
            let threats = (completing & open & !(1 << square)).count_ones() as i32;
            into.push((threats.min(MOST_THREATS) << 23) + (self.rank[square as usize] << 17));
        }
    }

    /// Looks at all squares at once.
    #[inline]
    fn seen(&self, planes: &Planes, mover: usize, with_replies: bool) -> Seen {
        let open = planes[self.plane];
        let threats =
            if with_replies { self.marks[1 - mover].completing(planes[self.marks[1 - mover].plane]) } else { 0 };
        let mut playable = open & self.alone[mover];
        // The squares where the other player would win now, if they could play.
        let mut hot = open & self.alone[1 - mover] & threats;
        let (mut losing, mut hot_groups) = (0, u64::from(hot != 0) + u64::from(hot & hot.wrapping_sub(1) != 0));
        for group in &self.groups {
            let state = open >> group.shift & group.mask;
            let own = group.playable[mover][state as usize];
            playable |= own;
            if threats == 0 {
                continue;
            }
            let now = group.playable[1 - mover][state as usize] & threats;
            hot_groups += u64::from(now != 0);
            hot |= now;
            // What the other player can do after each move in this group.
            let mut left = own;
            while left != 0 {
                let square = left & left.wrapping_neg();
                left ^= square;
                let after = (open & !square) >> group.shift & group.mask;
                if group.playable[1 - mover][after as usize] & threats != 0 {
                    losing |= square;
                }
            }
        }
        let completing = playable & self.marks[mover].completing(planes[self.marks[mover].plane]);
        if hot_groups > 1 {
            losing = playable;
        } else if hot_groups == 1 {
            // Only a move where the threat is helps.
            losing |= playable & !self.around(hot);
        }
        Seen { playable, completing, losing, is_lost: playable != 0 && losing == playable }
    }

    /// The squares of the group of a square.
    fn around(&self, squares: u64) -> u64 {
        let of = |group: &&Group| (group.mask << group.shift) & squares != 0;
        self.groups.iter().find(of).map_or(squares, |group| group.mask << group.shift)
    }
}

/// What a move to a square leads to, for the player to move there.
#[inline]
fn end(seen: &Seen, square: u32, own: i64, other: i64) -> i64 {
    match (seen.completing >> square & 1 == 1, seen.losing >> square & 1 == 1) {
        (true, _) => own,
        (false, true) => -other,
        (false, false) => OPEN,
    }
}

/// The rank of each of so many squares, from 0 on: higher where more lines go through it.
fn ranks(marks: &[Marks; 2], width: u32) -> Vec<i32> {
    let mut lines = vec![0; width as usize];
    for shape in marks.iter().flat_map(|marks| &marks.shapes) {
        for first in (0..width).filter(|first| shape.firsts >> first & 1 == 1) {
            shape.steps[..shape.squares].iter().for_each(|step| lines[(first + step) as usize] += 1);
        }
    }
    let mut sorted: Vec<u32> = (0..width).collect();
    sorted.sort_by_key(|square| (lines[*square as usize], std::cmp::Reverse(*square)));
    let mut ranks = vec![0; width as usize];
    for (rank, square) in sorted.iter().enumerate() {
        ranks[*square as usize] = rank as i32;
    }
    ranks
}

/// A move that puts a mark on a square: where it can be made.
struct Placed {
    square: u32,
    mask: u64,
    value: u64,
}

impl Placed {
    /// `None` if it reads other planes than that of open squares, or may put a mark over another.
    fn new(mv: &Move, marks: [u8; 2], plane: usize, layout: &Layout, variables: &Variables) -> Option<Placed> {
        let [(variable, _)] = mv.writes[..] else { return None };
        let square = layout.bits[variable as usize].1;
        let covered = 1u8 << marks[0] | 1u8 << marks[1];
        if mv.cube.allowed(variable)? & covered != 0 {
            return None;
        }
        match layout.tests(variables, &mv.cube)[..] {
            [Test { plane: own, mask, value }] if own as usize == plane && value >> square & 1 == 1 => {
                Some(Placed { square, mask, value })
            }
            _ => None,
        }
    }
}

/// The mark that all moves put on the board, if each puts one, gains nothing and ends the turn.
fn mark(moves: &[Move]) -> Option<u8> {
    let of = |mv: &Move| match mv.writes[..] {
        [(_, value)] if !mv.same && mv.gain == 0 => Some(value),
        _ => None,
    };
    let mark = of(moves.first()?)?;
    moves.iter().all(|mv| of(mv) == Some(mark)).then_some(mark)
}

/// The lines that marks of a player complete, and what they are worth to the player to move then. Lines of the other player's
/// marks are complete at no position that is looked at, and stay so.
fn shapes(ends: &[EndCube], own: u8, other: u8, layout: &Layout) -> Option<(Vec<Shape>, i64)> {
    let is_of = |end: &EndCube, mark: u8| end.cube.parts.iter().all(|part| part.1 == mark);
    let value = ends.iter().find(|end| is_of(end, own))?.value;
    let mut shapes: Vec<Shape> = Vec::new();
    for end in ends {
        // What holds everywhere is no line of either player.
        if end.cube.parts.is_empty() {
            return None;
        }
        if is_of(end, other) {
            continue;
        }
        if !is_of(end, own) || end.value != value || end.cube.parts.len() > MOST_SQUARES {
            return None;
        }
        let squares = squares(&end.cube, layout);
        let first = *squares.first()?;
        let mut steps = [0; MOST_SQUARES];
        steps.iter_mut().zip(&squares).for_each(|(step, square)| *step = square - first);
        match shapes.iter_mut().find(|shape| shape.steps == steps) {
            Some(shape) => shape.firsts |= 1 << first,
            None => shapes.push(Shape { steps, squares: squares.len(), firsts: 1 << first }),
        }
    }
    Some((shapes, value))
}

/// The squares of a line, ascending.
fn squares(line: &Cube, layout: &Layout) -> Vec<u32> {
    let mut squares: Vec<u32> = line.parts.iter().map(|part| layout.bits[part.0 as usize].1).collect();
    squares.sort_unstable();
    squares
}

/// Sets that share an element become one.
fn joined(sets: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut found: Vec<u64> = Vec::new();
    for mut set in sets {
        found.retain(|other| {
            let apart = other & set == 0;
            set |= if apart { 0 } else { *other };
            apart
        });
        found.push(set);
    }
    found.sort_unstable();
    found
}

/// The order of variables in which those that moves read together lie side by side.
pub(crate) fn side_by_side(moves: &[Vec<Move>], variables: usize) -> Vec<u32> {
    let mut group: Vec<u32> = (0..variables as u32).collect();
    fn root(group: &mut [u32], mut at: u32) -> u32 {
        while group[at as usize] != at {
            group[at as usize] = group[group[at as usize] as usize];
            at = group[at as usize];
        }
        at
    }
    for mv in moves.iter().flatten() {
        for pair in mv.cube.parts.windows(2) {
            let (a, b) = (root(&mut group, pair[0].0), root(&mut group, pair[1].0));
            group[a.max(b) as usize] = a.min(b);
        }
    }
    let mut order: Vec<u32> = (0..variables as u32).collect();
    order.sort_by_key(|variable| root(&mut group, *variable));
    order
}
