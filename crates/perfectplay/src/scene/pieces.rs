//! Whose the pieces on a board are: who moves or places them. A sign that one player's moves at the start begin with, or bring to a new
//! square, more often than the other's is that player's. Arrows, dominoes and walls, which both bring alike, are nobody's.

use game::Player;
use rules::bind::{Bound, Position};
use rules::play::{Play, first_plays};
use rules::show;

use crate::positions::squares;

/// So many moves of each player are looked at.
const MOST_PLAYS: usize = 60;
/// A board with more cells than this is not looked at.
const MOST_CELLS: usize = 400;

/// Whose something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The first player's.
    First,
    /// The second player's.
    Second,
    /// Of both players.
    Both,
}

/// A sign on a board, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The sign.
    pub text: String,
    /// Whose it is.
    pub owner: Owner,
}

/// The pieces that belong to one of two players.
pub(crate) fn owned(bound: &Bound) -> Vec<Piece> {
    if bound.players != 2 || bound.program.sum.is_some() {
        return Vec::new();
    }
    // In how many of their moves the players bring a sign to a new square, and how many moves they have.
    let mut with: Vec<(String, [usize; 2])> = Vec::new();
    let mut all = [0; 2];
    for seat in 0..2 {
        let moved = moved(bound, Player(seat as u8)).unwrap_or_default();
        all[seat] = moved.len().max(1);
        for text in moved.into_iter().flatten().filter(|text| !is_blank(text)) {
            match with.iter_mut().find(|(known, _)| *known == text) {
                Some((_, counts)) => counts[seat] += 1,
                None => with.push((text, [1 - seat, seat])),
            }
        }
    }
    let owner = |(text, counts): (String, [usize; 2])| {
        let owner = match (counts[0] * all[1]).cmp(&(counts[1] * all[0])) {
            std::cmp::Ordering::Greater => Owner::First,
            std::cmp::Ordering::Less => Owner::Second,
            std::cmp::Ordering::Equal => return None,
        };
        Some(Piece { text, owner })
    };
    let mut pieces: Vec<Piece> = with.into_iter().filter_map(owner).collect();
    pieces.sort_by(|a, b| a.text.cmp(&b.text));
    pieces
}

/// Whether a sign stands for an empty square.
pub(crate) fn is_blank(text: &str) -> bool {
    matches!(text.trim(), "" | "." | "·" | "_")
}

/// The signs that each move of a player at the start moves: the piece on the square it names first, or what comes to new squares.
fn moved(bound: &Bound, mover: Player) -> Option<Vec<Vec<String>>> {
    let start = Position { turn: mover, ..bound.start.clone() };
    let part = start.parts.first()?;
    let before = show::board(bound, part, mover).ok()??;
    if before.texts.len() > MOST_CELLS {
        return None;
    }
    let (plays, _) = first_plays(bound, &start, MOST_PLAYS).ok()?;
    let named = squares::read(bound, part, mover, &plays.iter().collect::<Vec<_>>()).cells;
    let new = |(play, cells): (&Play, &Option<Vec<usize>>)| {
        let first = cells.as_ref().and_then(|cells| before.texts.get(*cells.first()?));
        if let Some(piece) = first.filter(|text| !is_blank(text)) {
            return Some(vec![piece.clone()]);
        }
        let after = show::board(bound, play.into.first()?, mover).ok().flatten()?;
        let changed = before.texts.iter().zip(after.texts).filter(|(before, after)| *before != after);
        let mut texts: Vec<String> = changed.map(|(_, after)| after).collect();
        texts.sort();
        texts.dedup();
        Some(texts)
    };
    Some(plays.iter().zip(&named).filter_map(new).collect())
}
