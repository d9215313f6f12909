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
//! [`Lines`] are looked for everywhere at once. Where a square is open depends on few
//! others (those below it in its column); squares that depend on one another are a group, and a table tells for every state of a
//! group which of its squares can be played.

use game::codes::Sifted;

use crate::OPEN;
use crate::cube::Variables;
use crate::ends::EndCube;
use crate::layout::{Layout, Planes, Test, ones};
use crate::lines::Lines;
use crate::moves::Move;

/// Groups of more squares are not tabulated.
const MOST_BITS: u32 = 10;
/// More squares that complete a line are not counted.
const MOST_THREATS: i32 = 7;

/// What one player's marks do.
#[derive(Clone, Debug)]
struct Marks {
    /// Their plane.
    plane: usize,
    lines: Lines,
    /// What a completed line is worth to the player to move then.
    value: i64,
}

/// Squares that depend on one another: they lie side by side in the plane.
#[derive(Clone, Debug)]
struct Group {
    shift: u32,
    mask: u64,
    /// What can be played in each state of the group, with each player to move.
    states: [Vec<State>; 2],
}

/// What can be played in a group.
#[derive(Clone, Copy, Debug)]
struct State {
    /// By the player to move,
    own: u64,
    /// by the other one if it were their turn,
    other: u64,
    /// and by the other one after the first of the mover's moves here.
    replies: u64,
}

/// Where marks can be put, if the squares of each group are played one after the other, always in the same direction: marks lie
/// on others. A position in which some hang in the air is none of these, and no play comes to one.
#[derive(Clone, Debug)]
struct Falling {
    /// For each player, the squares that need no other,
    independent: [u64; 2],
    /// and those that are played when their neighbour is taken.
    above: u64,
    /// How far the plane is turned to the left to bring neighbours to their squares.
    step: u32,
    /// For each group its states, from the open one on.
    states: Vec<Vec<u64>>,
}

impl Falling {
    /// From the groups, and the squares outside of them that each player can play.
    fn new(groups: &[Group], mut independent: [u64; 2]) -> Option<Falling> {
        let (mut above, mut common, mut all) = (0, None, Vec::new());
        for group in groups {
            let (mut state, mut states, mut before) = (group.mask, vec![group.mask], None);
            loop {
                let [next, other] = [0, 1].map(|mover| group.states[mover][state as usize].own);
                if next != other || next & next.wrapping_sub(1) != 0 {
                    return None;
                }
                if next == 0 {
                    break;
                }
                let square = next.trailing_zeros();
                match before.replace(square) {
                    None => independent.iter_mut().for_each(|independent| *independent |= next),
                    Some(before) => {
                        let step = (square + 64 - before) % 64;
                        if *common.get_or_insert(step) != step {
                            return None;
                        }
                        above |= next;
                    }
                }
                state &= !(next >> group.shift);
                states.push(state);
            }
            all.push(states);
        }
        Some(Falling { independent, above, step: common.unwrap_or(0), states: all })
    }

    /// The squares that a player can play.
    #[inline]
    fn playable(&self, open: u64, player: usize) -> u64 {
        open & (self.independent[player] | self.above & !open.rotate_left(self.step))
    }

    /// The squares that the mover can play, and those of them after which the other player can play one of some squares.
    #[inline]
    fn playable_and_losing(&self, open: u64, mover: usize, threats: u64) -> (u64, u64) {
        let playable = self.playable(open, mover);
        let hot = self.playable(open, 1 - mover) & threats;
        if hot & hot.wrapping_sub(1) != 0 {
            return (playable, playable);
        }
        // A mark takes the only hot square, or not; and it may bear another one.
        let bearing = (threats & open & self.above).rotate_right(self.step);
        let elsewhere = if hot != 0 { !hot } else { 0 };
        (playable, playable & (bearing | elsewhere))
    }
}

/// A game of placing marks.
#[derive(Clone, Debug)]
pub(crate) struct Placing {
    /// The plane of squares that are open.
    plane: usize,
    marks: [Marks; 2],
    groups: Vec<Group>,
    /// A quicker way than that by groups, where there is one.
    falling: Option<Falling>,
    /// For each player, the squares that depend on nothing but themselves.
    independent: [u64; 2],
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
pub(crate) struct MoveMasks {
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
            let (lines, value) = Lines::new(&ends[1 - mover], own, other, layout)?;
            Some(Marks { plane: usize::from(mark[mover]), lines, value })
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
        let (falling, independent) = (None, [0; 2]);
        let mut placing = Placing { plane, marks, groups, falling, independent, moves, squares, rank, is_sorted: true };
        for mask in joined(tests.iter().flatten().map(|placed| placed.mask)) {
            let (shift, bits) = (mask.trailing_zeros(), mask.count_ones());
            if mask >> shift != ones(bits) || bits > MOST_BITS {
                return None;
            }
            let of = |mover: usize| tests[mover].iter().filter(move |placed| placed.mask & mask != 0);
            let is_single = |mover: usize| of(mover).all(|placed| placed.value == 1 << placed.square);
            if bits == 1 && is_single(0) && is_single(1) {
                for mover in 0..2 {
                    placing.independent[mover] |= of(mover).fold(0, |all, placed| all | 1 << placed.square);
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
            let playable = [playable(0), playable(1)];
            let states = [states(&playable[0], &playable[1], shift), states(&playable[1], &playable[0], shift)];
            placing.groups.push(Group { shift, mask: ones(bits), states });
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
        placing.falling = Falling::new(&placing.groups, placing.independent);
        placing.is_sorted = (0..2).all(|mover| placing.is_sorted(mover));
        Some(placing)
    }

    /// Whether what is looked at is as it was taken to be: no mark hangs in the air where marks lie on others.
    pub fn is_clean(&self, planes: &Planes) -> bool {
        let state = |group: &Group| planes[self.plane] >> group.shift & group.mask;
        let is_clean = |falling: &Falling| {
            falling.states.iter().zip(&self.groups).all(|(states, group)| states.contains(&state(group)))
        };
        self.falling.as_ref().is_none_or(is_clean)
    }

    /// Whether the moves of a player, by their squares, are in order at every position.
    fn is_sorted(&self, mover: usize) -> bool {
        let numbers = |squares: u64| {
            let squares = (0..self.moves[mover].len()).filter(move |square| squares >> square & 1 == 1);
            squares.map(|square| self.moves[mover][square]).collect::<Vec<u32>>()
        };
        let independent = (0..64).map(|square| 1u64 << square).filter(|square| self.independent[mover] & square != 0);
        let mut parts: Vec<(u64, Vec<u32>)> = independent.map(|square| (square, numbers(square))).collect();
        for group in &self.groups {
            let states = &group.states[mover];
            if !states.iter().all(|state| numbers(state.own).is_sorted()) {
                return false;
            }
            let mut all = numbers(states.iter().fold(0, |all, state| all | state.own));
            all.sort_unstable();
            parts.push((1 << group.shift, all));
        }
        parts.sort_unstable();
        parts.iter().flat_map(|part| &part.1).is_sorted()
    }

    /// Looks at a position. `most` is what no position is worth more than. What it is worth, where a move is worth `won` at once;
    /// likewise, if `won` is the most, where all moves lose at once. Else what was move_masks.
    pub fn look(&self, planes: &Planes, mover: usize, (won, most): (i64, i64)) -> Result<MoveMasks, i64> {
        let (own, other) = (self.marks[mover].value, self.marks[1 - mover].value);
        let move_masks = self.move_masks(planes, mover, -other >= most);
        if move_masks.completing != 0 && -own >= won {
            return Err(-own);
        }
        if move_masks.is_lost && move_masks.completing == 0 && won == most {
            return Err(other);
        }
        Ok(move_masks)
    }

    /// Lists the moves that were seen in order, and what is known at once of where they lead, for the player to move there.
    pub fn list(&self, move_masks: &MoveMasks, mover: usize, moves: &mut Vec<u32>, ends: &mut Vec<i64>) {
        let (own, other) = (self.marks[mover].value, self.marks[1 - mover].value);
        let mut left = move_masks.playable;
        while left != 0 {
            let square = left.trailing_zeros();
            left &= left - 1;
            moves.push(self.moves[mover][square as usize]);
            if self.is_sorted {
                ends.push(end(move_masks, square, own, other));
            }
        }
        if !self.is_sorted {
            moves.sort_unstable();
            let square = |number: &u32| self.squares[mover][*number as usize];
            ends.extend(moves.iter().map(|number| end(move_masks, square(number), own, other)));
        }
    }

    /// Lists the moves of which nothing is known, with hints, and the best of all others. Whether it was done: not where moves are
    /// not numbered as their squares are, or there is none.
    #[inline]
    pub fn sift(&self, planes: &Planes, mover: usize, move_masks: &MoveMasks, into: &mut Sifted) -> bool {
        if !self.is_sorted || move_masks.playable == 0 {
            return false;
        }
        let numbers = &self.moves[mover];
        let losing = move_masks.losing & !move_masks.completing;
        let first =
            |squares: u64, worth: i64| (squares != 0).then(|| (worth, numbers[squares.trailing_zeros() as usize & 63]));
        let completed = first(move_masks.completing, -self.marks[mover].value);
        let lost = first(losing, self.marks[1 - mover].value);
        into.best = match (completed, lost) {
            (Some(completed), Some(lost))
                if lost.0 > completed.0 || (lost.0 == completed.0 && lost.1 < completed.1) =>
            {
                Some(lost)
            }
            (completed, lost) => completed.or(lost),
        };
        into.moves.clear();
        let mut left = move_masks.playable & !move_masks.completing & !move_masks.losing;
        let is_single = left & left.wrapping_sub(1) == 0;
        while left != 0 {
            let square = left.trailing_zeros();
            left &= left - 1;
            let hint = if is_single { 0 } else { self.hint(planes, mover, square) };
            into.moves.push((numbers[square as usize], hint));
        }
        true
    }

    /// How promising a move is: by how many open squares would complete a line afterwards, then by how many lines go through the
    /// square. This order counts more than what is learned of moves. It stays the same, so that different plays lead to the same
    /// positions more often: an order that changes while it is learned took twelve times as many positions on a board of 5 × 5
    /// with lines of four.
    #[inline]
    fn hint(&self, planes: &Planes, mover: usize, square: u32) -> i32 {
        let (marks, open) = (&self.marks[mover], planes[self.plane]);
        let completing = marks.lines.completing(planes[marks.plane] | 1 << square);
        let threats = (completing & open & !(1 << square)).count_ones() as i32;
        (threats.min(MOST_THREATS) << 23) + (self.rank[square as usize] << 17)
    }

    /// How promising moves are. Those that lead to something known need no hint, nor does one alone.
    pub fn hints(&self, planes: &Planes, mover: usize, (moves, ends): (&[u32], &[i64]), into: &mut Vec<i32>) {
        if ends.iter().filter(|end| **end == OPEN).count() < 2 {
            into.resize(moves.len(), 0);
            return;
        }
        for (number, end) in moves.iter().zip(ends) {
            if *end != OPEN {
                into.push(0);
                continue;
            }
            into.push(self.hint(planes, mover, self.squares[mover][*number as usize]));
        }
    }

    /// Looks at all squares at once.
    #[inline]
    fn move_masks(&self, planes: &Planes, mover: usize, with_replies: bool) -> MoveMasks {
        let open = planes[self.plane];
        let completing = |player: usize| self.marks[player].lines.completing(planes[self.marks[player].plane]);
        let threats = if with_replies { completing(1 - mover) } else { 0 };
        let (playable, losing) = match &self.falling {
            Some(falling) => falling.playable_and_losing(open, mover, threats),
            None => self.playable_by_groups(open, mover, threats),
        };
        let is_lost = playable != 0 && losing == playable;
        MoveMasks { playable, completing: playable & completing(mover), losing, is_lost }
    }

    /// The squares that the mover can play, and those of them after which the other player can play one of some squares.
    fn playable_by_groups(&self, open: u64, mover: usize, threats: u64) -> (u64, u64) {
        let mut playable = open & self.independent[mover];
        // The squares where the other player would win now, if they could play.
        let mut hot = open & self.independent[1 - mover] & threats;
        let (mut losing, mut hot_groups) = (0, u64::from(hot != 0) + u64::from(hot & hot.wrapping_sub(1) != 0));
        for group in &self.groups {
            let State { own, other, replies } = group.states[mover][(open >> group.shift & group.mask) as usize];
            playable |= own;
            let now = other & threats;
            hot_groups += u64::from(now != 0);
            hot |= now;
            if replies & threats != 0 {
                losing |= own & own.wrapping_neg();
            }
            // What the other player can do after the other moves in this group.
            let mut left = own & own.wrapping_sub(1);
            while left != 0 && threats != 0 {
                let square = left & left.wrapping_neg();
                left ^= square;
                let after = (open & !square) >> group.shift & group.mask;
                if group.states[mover][after as usize].other & threats != 0 {
                    losing |= square;
                }
            }
        }
        if hot_groups > 1 {
            losing = playable;
        } else if hot_groups == 1 {
            // Only a move where the threat is helps.
            losing |= playable & !self.around(hot);
        }
        (playable, losing)
    }

    /// The squares of the group of a square.
    fn around(&self, squares: u64) -> u64 {
        let of = |group: &&Group| (group.mask << group.shift) & squares != 0;
        self.groups.iter().find(of).map_or(squares, |group| group.mask << group.shift)
    }
}

/// What a move to a square leads to, for the player to move there.
#[inline]
fn end(move_masks: &MoveMasks, square: u32, own: i64, other: i64) -> i64 {
    match (move_masks.completing >> square & 1 == 1, move_masks.losing >> square & 1 == 1) {
        (true, _) => own,
        (false, true) => -other,
        (false, false) => OPEN,
    }
}

/// The rank of each of so many squares, from 0 on: higher where more lines go through it.
fn ranks(marks: &[Marks; 2], width: u32) -> Vec<i32> {
    let mut through = vec![0; width as usize];
    marks.iter().for_each(|marks| marks.lines.each_square(&mut |square| through[square as usize] += 1));
    let mut sorted: Vec<u32> = (0..width).collect();
    sorted.sort_by_key(|square| (through[*square as usize], std::cmp::Reverse(*square)));
    let mut ranks = vec![0; width as usize];
    for (rank, square) in sorted.iter().enumerate() {
        ranks[*square as usize] = rank as i32;
    }
    ranks
}

/// What can be played in each state of a group, from the squares that the mover and the other player can play in each.
fn states(own: &[u64], other: &[u64], shift: u32) -> Vec<State> {
    let state = |state: usize| {
        let first = own[state] & own[state].wrapping_neg();
        let replies = if first == 0 { 0 } else { other[state & !(first >> shift) as usize] };
        State { own: own[state], other: other[state], replies }
    };
    (0..own.len()).map(state).collect()
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
