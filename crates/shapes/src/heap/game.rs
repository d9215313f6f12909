//! A heap game in the terms of the library of heaps, put together from the pieces that moves are.

use std::collections::BTreeMap;

use heaps::subtraction::{Subtraction, Takes};
use heaps::take_break::{Digit, MOST_DIGITS, Split, TakeAndBreak};

use super::piece::{Difference, Piece};

/// Numbers that are taken and listed one by one.
const MOST_TAKES: usize = 1 << 16;

/// A heap game, as the library of heaps knows it.
#[derive(Clone, Debug)]
pub enum HeapGame {
    /// A move takes from the heap.
    Shift(Subtraction),
    /// A move takes from the heap and may leave it in two or three.
    Break(TakeAndBreak),
}

impl HeapGame {
    /// The game with these moves; otherwise why it is none.
    pub fn of(pieces: &[Piece], misere: bool) -> Result<HeapGame, String> {
        match pieces.iter().all(|piece| piece.parts == 1) {
            true => shift(pieces, misere),
            false => break_up(pieces),
        }
    }

    /// The moves in words.
    pub fn description(&self) -> String {
        match self {
            HeapGame::Shift(game) => format!("a move only takes from the heap: {}", description(game)),
            HeapGame::Break(game) => {
                format!("a move takes from the heap or breaks it up: the code {game}{}", parted(game.split()))
            }
        }
    }
}

/// The condition on the parts in words.
fn parted(split: &Split) -> String {
    let mut text = String::new();
    if split.least > 1 {
        text.push_str(&format!(", parts of at least {}", split.least));
    }
    match split.apart {
        0 => {}
        1 => text.push_str(", parts unequal"),
        apart => text.push_str(&format!(", parts that differ by at least {apart}")),
    }
    if let Some(within) = split.within {
        text.push_str(&format!(", parts that differ by at most {within}"));
    }
    text
}

/// The moves in words.
fn description(game: &Subtraction) -> String {
    let mut words: Vec<String> = Vec::new();
    let takes = game.takes();
    for take in takes.iter().take(12) {
        let mut text = match take.most {
            Some(most) if most == take.least => most.to_string(),
            Some(most) => format!("{} to {most}", take.least),
            None => format!("any number from {} on", take.least),
        };
        if take.floor > 0 {
            text.push_str(&format!(" leaving {}", take.floor));
        }
        if take.guard > 0 {
            text.push_str(&format!(" of at least {}", take.guard));
        }
        words.push(text);
    }
    if takes.len() > 12 {
        words.push(format!("{} more", takes.len() - 12));
    }
    if words.is_empty() { "nothing".to_string() } else { words.join(", ") }
}

/// All pieces only take.
fn shift(pieces: &[Piece], misere: bool) -> Result<HeapGame, String> {
    let mut takes = Vec::new();
    for piece in pieces {
        let whole = |number: i128| u64::try_from(number).map_err(|_| "numbers are too large".to_string());
        let (floor, guard) = (whole(piece.floors[0])?, whole(piece.guard)?);
        let mut low = whole(piece.taken.low.unwrap_or(0))?;
        let high = piece.taken.high.map(whole).transpose()?;
        let mut holes: Vec<u64> =
            piece.not_taken.iter().filter_map(|&hole| u64::try_from(hole).ok()).filter(|&hole| hole >= low).collect();
        holes.sort_unstable();
        let mut add = |low: u64, most: Option<u64>| {
            if most.is_none_or(|most| low <= most) {
                takes.push(Takes { least: low, most, guard, floor });
            }
        };
        for hole in holes {
            if high.is_some_and(|high| hole > high) {
                break;
            }
            if hole > low {
                add(low, Some(hole - 1));
            }
            low = hole + 1;
        }
        add(low, high);
    }
    if takes.len() > MOST_TAKES {
        return Err("there are too many moves".to_string());
    }
    Subtraction::new(takes, misere).map(HeapGame::Shift).map_err(|error| error.to_string())
}

/// Some piece splits, or leaves nothing.
fn break_up(pieces: &[Piece]) -> Result<HeapGame, String> {
    let long = "more tokens are taken than a code has digits".to_string();
    let bound = |number: i128| usize::try_from(number).ok().filter(|&number| number < MOST_DIGITS).ok_or(long.clone());
    let mut digits = vec![0u8];
    let mut split: Option<Split> = None;
    let mut endless = Vec::new();
    for piece in pieces {
        let (bits, own) = bits(piece).ok_or("the heaps that a move leaves are under conditions of another kind")?;
        if let Some(own) = own {
            if split.is_some_and(|split| split != own) {
                return Err("moves split under different conditions".to_string());
            }
            split = Some(own);
        }
        let low = bound(piece.taken.low.unwrap_or(0))?;
        let high = match piece.taken.high {
            Some(high) => bound(high)?,
            None => {
                endless.push((low, bits));
                if !piece.not_taken.is_empty() {
                    return Err("a number may not be taken".to_string());
                }
                continue;
            }
        };
        digits.resize(digits.len().max(high + 1), 0);
        for taken in (low..=high).filter(|&taken| !piece.not_taken.contains(&(taken as i128))) {
            digits[taken] |= bits;
        }
    }
    let longest = endless.iter().map(|(low, _)| *low).max().unwrap_or(0);
    digits.resize(digits.len().max(longest), 0);
    for (low, bits) in &endless {
        digits[*low..].iter_mut().for_each(|digit| *digit |= bits);
    }
    let digit = |bits: u8| Digit::new(bits).unwrap_or(Digit::ZERO);
    let all = endless.iter().fold(0, |all, (_, bits)| all | bits);
    let repeat = if endless.is_empty() { Vec::new() } else { vec![digit(all)] };
    let digits = digits.into_iter().map(digit).collect();
    TakeAndBreak::new(digits, repeat, split.unwrap_or(Split::ANY))
        .map(HeapGame::Break)
        .map_err(|error| error.to_string())
}

/// Into how many heaps that are not empty a piece may leave the rest, and the condition on two or three of them.
fn bits(piece: &Piece) -> Option<(u8, Option<Split>)> {
    if piece.guard > piece.taken.low.unwrap_or(0) + piece.least().iter().sum::<i128>() {
        return None;
    }
    match piece.parts {
        0 => Some((1, None)),
        1 => match piece.floors[0] {
            0 => Some((3, None)),
            1 => Some((2, None)),
            _ => None,
        },
        2 => two(piece),
        3 => three(piece),
        _ => None,
    }
}

fn two(piece: &Piece) -> Option<(u8, Option<Split>)> {
    let difference = piece.differences.get(&(0, 1)).cloned().unwrap_or(Difference::ANY);
    let Difference { range, not } = &difference;
    if not.iter().any(|&each| each != 0) {
        return None;
    }
    let (mut first, mut second) = (piece.floors[0], piece.floors[1]);
    let (mut low, mut high) = (range.low, range.high);
    // Which of the two is the larger does not matter: if only the first may be, they change places.
    if low.is_some_and(|low| low >= 0) {
        std::mem::swap(&mut first, &mut second);
        (low, high) = (high.map(|high| -high), low.map(|low| -low));
    }
    let ordered = high.is_some_and(|high| high <= 0);
    let least = match () {
        () if first == second => first,
        () if ordered && second <= first => first,
        () if first.max(second) <= 1 => 1,
        () => return None,
    };
    let unequal = i128::from(not.contains(&0));
    let apart = high.map_or(0, |high| (-high).max(0)).max(unequal);
    let within = match (low, high) {
        (None, _) => None,
        (Some(low), Some(high)) => Some((-low).max(high)),
        (Some(_), None) => None,
    };
    let mut bits = 4;
    // The first empty, the other not.
    if first == 0 && low.is_none_or(|low| low < 0) {
        if low.is_some() && high.is_some() || apart > 1 || second > 1 {
            return None;
        }
        if low.is_none() {
            bits |= 2;
        } else if second > 0 || high.is_some() {
            return None;
        }
    }
    if second == 0 && high.is_none_or(|high| high > 0) {
        if low.is_some() && high.is_some() || apart > 1 || first > 1 {
            return None;
        }
        if high.is_none() {
            bits |= 2;
        } else if bits & 2 == 0 {
            return None;
        }
    }
    if first == 0 && second == 0 && difference.allows(0) {
        bits |= 1;
    }
    let small = |number: i128| u32::try_from(number).ok();
    let split = Split {
        least: small(least.max(1))?,
        apart: small(apart)?,
        within: match within {
            Some(within) => Some(small(within)?),
            None => None,
        },
        ..Split::ANY
    };
    Some((bits, Some(split)))
}

fn three(piece: &Piece) -> Option<(u8, Option<Split>)> {
    // That the least heap has so much may be all that is said, where the others are no smaller.
    let floor = piece.floors.iter().copied().max().unwrap_or(0);
    if piece.least().iter().any(|&each| each < floor) {
        return None;
    }
    let apart = apart_of_three(&piece.differences)?;
    let bits = match (floor, apart) {
        (1.., _) => 8,
        (0, 0) => 15,
        (0, 1) => 12,
        _ => return None,
    };
    let small = |number: i128| u32::try_from(number).ok();
    Some((bits, Some(Split { least: small(floor.max(1))?, apart: small(apart)?, ..Split::ANY })))
}

/// How far any two of three heaps are apart, whatever their order.
fn apart_of_three(differences: &BTreeMap<(usize, usize), Difference>) -> Option<i128> {
    let bounded: Vec<(&(usize, usize), &Difference)> =
        differences.iter().filter(|(_, difference)| **difference != Difference::ANY).collect();
    if bounded.is_empty() {
        return Some(0);
    }
    let unequal = |difference: &Difference| {
        difference.range.low.is_none() && difference.range.high.is_none() && difference.not == [0]
    };
    if bounded.len() == 3 && bounded.iter().all(|(_, difference)| unequal(difference)) {
        return Some(1);
    }
    // Otherwise heap a is less than heap b by so much at least: an order of the three.
    let mut less: BTreeMap<(usize, usize), i128> = BTreeMap::new();
    for (&(a, b), difference) in bounded {
        match (difference.range.low, difference.range.high) {
            _ if !difference.not.is_empty() => return None,
            (None, Some(high)) if high <= 0 => less.insert((a, b), -high),
            (Some(low), None) if low >= 0 => less.insert((b, a), low),
            _ => return None,
        };
    }
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let order = orders.into_iter().find(|order| {
        let place = |heap: usize| order.iter().position(|&each| each == heap);
        less.keys().all(|&(a, b)| place(a) < place(b))
    })?;
    let between = |a: usize, b: usize| less.get(&(order[a], order[b])).copied();
    match (between(0, 1), between(1, 2), between(0, 2)) {
        (Some(a), Some(b), ends) if a == b && ends.is_none_or(|ends| ends <= 2 * a) => Some(a),
        // A condition that some order of any three heaps fulfils is none.
        _ if less.values().all(|&apart| apart == 0) => Some(0),
        _ => None,
    }
}
