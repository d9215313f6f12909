//! Which lines a move can complete, proved for all positions at once.
//!
//! A position is *open* if no rule ends the game there. A line of the rules is *watched* if it can be shown by induction over the
//! moves that it does not hold at any open position, whoever is to move:
//!
//! - where the player to move next is the one whose ends the line belongs to, the position would not be open;
//! - else the move makes no part of the line true, or spoils it, or the line lies within one that ends the game for the other.
//!
//! After a move only those lines need be tested that the move makes a part of true; lines that are not watched are always tested.
//! The induction starts from positions that are *clean*: open, and no watched line holds.

use rules::stop::{Stopped, look};

use crate::cube::Cube;
use crate::ends::EndCube;
use crate::moves::Move;

/// What a move does to a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// The line does not hold afterwards.
    Spoiled,
    /// It holds afterwards if and only if it did before.
    Kept,
    /// The move makes a part of it true: it holds afterwards if this held before.
    Touched(Cube),
}

/// What a move does to a line.
pub(crate) fn effect(mv: &Move, line: &Cube) -> Effect {
    let (mut rest, mut touched) = (Cube::default(), false);
    for &(variable, values) in &line.parts {
        if let Ok(at) = mv.writes.binary_search_by_key(&variable, |write| write.0) {
            if values >> mv.writes[at].1 & 1 == 0 {
                return Effect::Spoiled;
            }
            // It may have been true before.
            touched |= mv.cube.allowed(variable).is_none_or(|before| before & !values != 0);
            continue;
        }
        match mv.cube.allowed(variable) {
            // The move can only be made where this part of the line holds, or where it does not.
            Some(here) if here & !values == 0 => {}
            Some(here) if here & values == 0 => return Effect::Spoiled,
            _ => rest.parts.push((variable, values)),
        }
    }
    if touched { Effect::Touched(rest) } else { Effect::Kept }
}

/// The player who moves after a move of `mover`, of so many programs.
pub(crate) fn next(mv: &Move, mover: usize, movers: usize) -> usize {
    if mv.same || movers == 1 { mover } else { 1 - mover }
}

/// For each player's ends, which of them are watched.
pub(crate) fn watched(moves: &[Vec<Move>], ends: &[Vec<EndCube>]) -> Result<Vec<Vec<bool>>, Stopped> {
    let movers = moves.len();
    let is_watched = |owner: usize, line: &EndCube| {
        moves.iter().enumerate().all(|(mover, list)| {
            list.iter().all(|mv| {
                let next = next(mv, mover, movers);
                next == owner
                    || match effect(mv, &line.cube) {
                        Effect::Spoiled | Effect::Kept => true,
                        Effect::Touched(_) => ends[next].iter().any(|other| line.cube.lies_in(&other.cube)),
                    }
            })
        })
    };
    let each = |(owner, list): (usize, &Vec<EndCube>)| {
        list.iter().map(|line| look().map(|()| is_watched(owner, line))).collect::<Result<Vec<bool>, Stopped>>()
    };
    ends.iter().enumerate().map(each).collect()
}
