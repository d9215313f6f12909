//! From values back to moves: which moves of the rules lead from a heap to a wanted value, however large the heap is.

use game::Nimber;
use heaps::misere::Class;
use heaps::take_break::Moves;

use shapes::heap::Piece;

use super::values::HeapValues;

/// Ranges of numbers taken that are looked through one by one.
const FEW: u128 = 1 << 16;
/// Ways to break a heap up that are tried while moves are looked for, whatever they lead to.
const MOST_TRIES: u32 = 1 << 24;

/// What a move is to lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Anything.
    Any,
    /// Heaps whose values have this nim-sum.
    Nimber(Nimber),
    /// One heap that is lost by its mover, in misère play.
    Lost,
    /// Heaps that are lost by the mover beside a sum of this class, in misère play.
    LostBeside(Class),
}

/// A move of the rules.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct HeapMove {
    /// By action and by what is counted through: the order of the rules.
    place: (usize, Vec<i64>),
    /// The rule and its choices.
    pub rule: usize,
    pub choices: Vec<i64>,
}

impl HeapValues {
    /// The moves from a heap to what is wanted, in the order of the rules, at most `most`, and whether these are all.
    /// `None` if a choice is no number or a value is not known.
    pub fn moves(&self, heap: u64, wanted: Wanted, most: usize) -> Option<(Vec<HeapMove>, bool)> {
        let mut found = Vec::new();
        let mut complete = true;
        for piece in &self.heap.pieces {
            complete &= self.piece_moves(piece, heap, wanted, most, &mut found)?;
        }
        found.sort_unstable();
        found.dedup();
        complete &= found.len() <= most;
        found.truncate(most);
        Some((found, complete))
    }

    fn piece_moves(
        &self,
        piece: &Piece,
        heap: u64,
        wanted: Wanted,
        most: usize,
        found: &mut Vec<HeapMove>,
    ) -> Option<bool> {
        let (low, high) = bounds(piece, heap);
        if low > high {
            return Some(true);
        }
        match (piece.parts, wanted) {
            (0, _) => {
                let right = match wanted {
                    Wanted::Any | Wanted::Nimber(0) => true,
                    Wanted::Nimber(_) => false,
                    Wanted::Lost => self.outcome(0) == Some(game::Outcome::Loss),
                    Wanted::LostBeside(class) => self.is_lost_beside(class, &[])?,
                };
                if right && piece.allows(heap, &[]) {
                    found.push(made(piece, heap, &[])?);
                }
                Some(true)
            }
            (1, _) if u128::from(high - low) < FEW || wanted == Wanted::Any => {
                let before = found.len();
                for taken in low..=high {
                    let left = heap - taken;
                    let right = match wanted {
                        Wanted::Any => true,
                        Wanted::Nimber(nimber) => self.nimber(left)? == nimber,
                        Wanted::Lost => self.outcome(left)? == game::Outcome::Loss,
                        Wanted::LostBeside(class) => self.is_lost_beside(class, &[left])?,
                    };
                    if right && piece.allows(taken, &[left]) {
                        found.push(made(piece, taken, &[left])?);
                        if found.len() - before > most {
                            return Some(false);
                        }
                    }
                }
                Some(true)
            }
            (_, Wanted::Any) => self.any_splits(piece, heap, (low, high), most, found),
            (_, Wanted::LostBeside(class)) => {
                let moves = self.classes()?.winning_moves(heap, class, most)?;
                pick(piece, &moves, found)
            }
            (parts, _) => {
                let nimber = match wanted {
                    Wanted::Nimber(nimber) => Some(nimber),
                    _ => None,
                };
                if let Some((takes, complete)) = self.takes_to(heap, nimber, most) {
                    for taken in takes {
                        if parts == 1 && piece.allows(taken, &[heap - taken]) {
                            found.push(made(piece, taken, &[heap - taken])?);
                        }
                    }
                    return Some(complete);
                }
                let moves = self.breaks_to(heap, nimber?, most)?;
                pick(piece, &moves, found)
            }
        }
    }

    /// Whether heaps are lost by the mover beside a sum of some class.
    fn is_lost_beside(&self, class: Class, heaps: &[u64]) -> Option<bool> {
        let classes = self.classes()?;
        Some(classes.is_loss(classes.plus(class, classes.sum(heaps)?)))
    }

    /// The first moves of a piece that splits.
    fn any_splits(
        &self,
        piece: &Piece,
        heap: u64,
        (low, high): (u64, u64),
        most: usize,
        found: &mut Vec<HeapMove>,
    ) -> Option<bool> {
        let before = found.len();
        let mut tries = MOST_TRIES;
        for taken in low..=high {
            let rest = heap - taken;
            let (first_low, first_high) = match piece.parts {
                2 => firsts(piece, rest.into()),
                _ => (piece.floors[0].max(0), i128::from(rest)),
            };
            for first in first_low..=first_high {
                let first = u64::try_from(first).ok()?;
                let thirds = if piece.parts == 3 { 0..=rest - first } else { 0..=0 };
                for third in thirds {
                    let all = [first, rest - first - third, third];
                    let left = &all[..piece.parts];
                    tries = tries.checked_sub(1)?;
                    if piece.allows(taken, left) {
                        found.push(made(piece, taken, left)?);
                        if found.len() - before > most {
                            return Some(false);
                        }
                    }
                }
            }
        }
        Some(true)
    }

    /// How many moves a heap has, where that can be told without listing them.
    pub fn count(&self, heap: u64) -> Option<u128> {
        let pieces = &self.heap.pieces;
        // Two kinds of one rule may share moves.
        let shared = |(index, piece): (usize, &Piece)| pieces[..index].iter().any(|other| other.rule == piece.rule);
        if pieces.iter().enumerate().any(shared) && !self.apart() {
            return None;
        }
        pieces.iter().try_fold(0u128, |sum, piece| sum.checked_add(counted(piece, heap)?))
    }

    /// Whether kinds of moves of one rule always differ in a choice that is the same in all moves of a kind.
    fn apart(&self) -> bool {
        let pieces = &self.heap.pieces;
        let fixed = |piece: &Piece, choice: usize| {
            let linear = piece.choices.get(choice)?.as_ref()?;
            linear.factors.is_empty().then_some(linear.constant)
        };
        let differ = |a: &Piece, b: &Piece| {
            (0..a.choices.len()).any(|choice| match (fixed(a, choice), fixed(b, choice)) {
                (Some(a), Some(b)) => a != b,
                _ => false,
            })
        };
        let pairs = pieces.iter().enumerate().flat_map(|(index, a)| pieces[..index].iter().map(move |b| (a, b)));
        pairs.into_iter().all(|(a, b)| a.rule != b.rule || differ(a, b))
    }

    /// The moves of a heap that only shifts that win soonest or lose latest; `None` where that is not known.
    pub fn fast_moves(&self, heap: u64, most: usize) -> Option<Vec<HeapMove>> {
        let mut found = Vec::new();
        for taken in self.soonest(heap)?.into_iter().take(most) {
            for piece in self.heap.pieces.iter().filter(|piece| piece.parts == 1) {
                if piece.allows(taken, &[heap - taken]) {
                    found.push(made(piece, taken, &[heap - taken])?);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found.truncate(most);
        Some(found)
    }
}

/// Those moves that a piece allows, in every order of the heaps that they leave; and whether the moves are all.
fn pick(piece: &Piece, moves: &Moves, found: &mut Vec<HeapMove>) -> Option<bool> {
    for take in moves.moves.iter().filter(|take| take.parts.len() <= piece.parts) {
        let mut left = vec![0; piece.parts - take.parts.len()];
        left.extend_from_slice(&take.parts);
        for order in orders(&left) {
            if piece.allows(take.taken, &order) {
                found.push(made(piece, take.taken, &order)?);
            }
        }
    }
    Some(moves.complete)
}

/// What a piece may take from a heap.
fn bounds(piece: &Piece, heap: u64) -> (u64, u64) {
    let low = piece.taken.low.unwrap_or(0).max(0);
    let floors: i128 = piece.floors.iter().sum();
    let most = i128::from(heap) - floors;
    let high = piece.taken.high.map_or(most, |high| high.min(most));
    match (u64::try_from(low), u64::try_from(high)) {
        (Ok(low), Ok(high)) if low <= high && i128::from(heap) >= piece.guard => (low, high),
        _ => (1, 0),
    }
}

/// How many moves of a kind a heap has. What is taken is looked through one by one only where two heaps are compared.
fn counted(piece: &Piece, heap: u64) -> Option<u128> {
    let (low, high) = bounds(piece, heap);
    if low > high {
        return Some(0);
    }
    let (low, high) = (i128::from(low), i128::from(high));
    let mut never: Vec<i128> = piece.not_taken.iter().copied().filter(|taken| (low..=high).contains(taken)).collect();
    never.sort_unstable();
    never.dedup();
    let takes = (high - low + 1).unsigned_abs();
    match piece.parts {
        0 => Some(u128::from(piece.allows(heap, &[]))),
        1 => Some(takes - never.len() as u128),
        2 if piece.differences.is_empty() => {
            // One way more for each that is not taken, down to one way at the most that can be.
            let room = i128::from(heap) - piece.floors.iter().sum::<i128>();
            let ways = |taken: i128| (room - taken + 1).unsigned_abs();
            let all = (ways(low) + ways(high)).checked_mul(takes)? / 2;
            Some(all - never.iter().map(|&taken| ways(taken)).sum::<u128>())
        }
        2 if takes <= FEW => {
            let takes = (low..=high).filter(|taken| !never.contains(taken));
            Some(takes.map(|taken| splits(piece, i128::from(heap) - taken)).sum())
        }
        _ => None,
    }
}

/// In how many ways a kind of move that compares two heaps leaves so much.
fn splits(piece: &Piece, rest: i128) -> u128 {
    let (low, high) = firsts(piece, rest);
    let nots = piece.differences.values().flat_map(|difference| &difference.not).map(|not| not + rest);
    let mut never: Vec<i128> = nots.filter(|twice| twice % 2 == 0).map(|twice| twice / 2).collect();
    never.retain(|first| (low..=high).contains(first));
    never.sort_unstable();
    never.dedup();
    let all = if low > high { 0 } else { (high - low + 1).unsigned_abs() };
    all - never.len() as u128
}

/// Between which numbers the first of two heaps lies that a kind of move leaves of so much.
fn firsts(piece: &Piece, rest: i128) -> (i128, i128) {
    let (mut low, mut high) = (piece.floors[0].max(0), rest - piece.floors[1].max(0));
    for difference in piece.differences.values() {
        // The first minus the second is twice the first minus all.
        if let Some(least) = difference.range.low {
            low = low.max(-(-(least + rest)).div_euclid(2));
        }
        if let Some(most) = difference.range.high {
            high = high.min((most + rest).div_euclid(2));
        }
    }
    (low, high)
}

fn made(piece: &Piece, taken: u64, left: &[u64]) -> Option<HeapMove> {
    let choices = piece.choices.iter().map(|choice| Piece::value(choice.as_ref()?, taken, left));
    let place = piece.order.iter().map(|count| Piece::value(count, taken, left)).collect::<Option<Vec<i64>>>()?;
    let choices = choices.collect::<Option<Vec<i64>>>()?;
    Some(HeapMove { place: (piece.action, place), rule: piece.rule, choices })
}

/// All orders of up to three heaps, each once.
fn orders(heaps: &[u64]) -> Vec<Vec<u64>> {
    let mut orders = match *heaps {
        [a, b] => vec![vec![a, b], vec![b, a]],
        [a, b, c] => {
            let all = [[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]];
            all.into_iter().map(Vec::from).collect()
        }
        _ => vec![heaps.to_vec()],
    };
    orders.sort_unstable();
    orders.dedup();
    orders
}
