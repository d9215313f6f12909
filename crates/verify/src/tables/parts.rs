//! Entries of the parts of a sum, each by itself: nimbers and loopy nimbers.

use game::{LoopyNimber, Player, mex};
use rules::bind::Position;
use table::Entry;

use super::options::options;
use super::source::{Found, Source, text};
use crate::refusal::Refusal;

/// A move in a part: the parts that it leaves, each with its number and its entry.
type Left = Vec<(u64, Entry, Box<[i64]>)>;

/// The moves in a part. Every player must have the same.
fn moves(source: &mut dyn Source, part: &[i64]) -> Result<Vec<Left>, Refusal> {
    let position = Position { parts: vec![part.into()], turn: Player::FIRST };
    let mut all: Option<Vec<Vec<Box<[i64]>>>> = None;
    for player in 0..source.bound().players {
        let here = options(source.bound(), &position, Player(player as u8))?;
        let own: Vec<Vec<Box<[i64]>>> = here.steps.into_iter().map(|step| step.option.parts).collect();
        match &all {
            None => all = Some(own),
            Some(first) if *first == own => {}
            Some(_) => return Err(Refusal::wrong("the players have different moves, so that there are no nimbers")),
        }
    }
    let mut found = Vec::new();
    for parts in all.unwrap_or_default() {
        let mut left = Vec::with_capacity(parts.len());
        for part in parts {
            let alone = Position { parts: vec![part.clone()], turn: Player::FIRST };
            let missing = || Refusal::wrong("a part that a move leaves has no entry");
            let (number, entry) = source.find(&alone)?.ok_or_else(missing)?;
            left.push((number, entry, part));
        }
        found.push(left);
    }
    Ok(found)
}

/// Compares the nimber of a part with those of its options. Gives the numbers of the parts that moves leave.
pub fn nimber(source: &mut dyn Source, found: &Found) -> Result<Vec<u64>, Refusal> {
    last_mover_wins(source)?;
    let moves = moves(source, &found.position.parts[0])?;
    let value = |left: &Left| left.iter().try_fold(0, |sum, (_, entry, _)| Some(sum ^ entry.verdict.nimber()?));
    let mut nimbers = moves.iter().map(value).collect::<Option<Vec<u64>>>();
    let nimbers = nimbers.as_mut().ok_or_else(|| Refusal::wrong("a part that a move leaves has no nimber"))?;
    let (stated, expected) = (found.entry.verdict.nimber(), mex(nimbers));
    match stated == Some(expected) {
        true => Ok(moves.iter().flatten().map(|(number, ..)| *number).collect()),
        false => Err(Refusal::wrong(format!("it says {:?}, and the options give {expected}", found.entry.verdict))),
    }
}

/// Nimbers are for games that the last mover wins, in which turns alternate.
fn last_mover_wins(source: &dyn Source) -> Result<(), Refusal> {
    let bound = source.bound();
    let nothing = Position { parts: Vec::new(), turn: Player::FIRST };
    let loses = |player: u8| {
        let here = options(bound, &nothing, Player(player))?;
        Ok::<bool, Refusal>(here.end == Some(game::End::Outcome(game::Outcome::Loss)))
    };
    match bound.players == 2 && bound.program.sum.is_some() && loses(0)? && loses(1)? {
        true => Ok(()),
        false => Err(Refusal::wrong("the game is not won by the last mover, so that there are no nimbers")),
    }
}

/// Compares all loopy nimbers. Gives how many there were.
pub fn loopy(source: &mut dyn Source, progress: &mut dyn FnMut(u64, u64)) -> Result<u64, Refusal> {
    let mut number = 0;
    while let Some(found) = source.nth(number)? {
        loopy_one(source, &found)?;
        number += 1;
        progress(number, source.entries());
    }
    Ok(number)
}

/// Compares the loopy nimber of a part with those of its options, and of theirs.
pub fn loopy_one(source: &mut dyn Source, found: &Found) -> Result<(), Refusal> {
    look(source, found).map_err(|refusal| refusal.at(found.number + 1, || text(source.bound(), &found.position)))
}

/// The options of a part where each is one part.
fn single(source: &mut dyn Source, part: &[i64]) -> Result<Vec<(Entry, Box<[i64]>)>, Refusal> {
    let mut found = Vec::new();
    for mut left in moves(source, part)? {
        match (left.pop(), left.pop()) {
            (Some((_, entry, part)), None) => found.push((entry, part)),
            _ => return Err(Refusal::wrong("a part falls into several: ranks are not known for these")),
        }
    }
    Ok(found)
}

fn look(source: &mut dyn Source, found: &Found) -> Result<(), Refusal> {
    last_mover_wins(source)?;
    if source.bound().forever.is_some() {
        return Err(Refusal::wrong("endless play is won, so that there are no loopy nimbers"));
    }
    let rank = |entry: &Entry| entry.rank.map_or(0, u64::from);
    let value = |entry: &Entry| entry.verdict.loopy();
    let missing = || Refusal::wrong("it has no nimber");
    let options = single(source, &found.position.parts[0])?;
    match value(&found.entry).ok_or_else(missing)? {
        LoopyNimber::Finite(own) => {
            let below = rank(&found.entry);
            let lower = |entry: &Entry| {
                value(entry).and_then(|value| value.nimber()).is_some_and(|nimber| nimber < own) && rank(entry) < below
            };
            let mut nimbers: Vec<u64> = options
                .iter()
                .filter(|(entry, _)| lower(entry))
                .filter_map(|(entry, _)| value(entry)?.nimber())
                .collect();
            if mex(&mut nimbers) != own {
                return Err(Refusal::wrong(format!("it says nimber {own}, and a smaller one is missing")));
            }
            for (entry, part) in &options {
                let back = |(entry, _): &(Entry, Box<[i64]>)| {
                    value(entry) == Some(LoopyNimber::Finite(own)) && rank(entry) < below
                };
                if !lower(entry) && !single(source, part)?.iter().any(back) {
                    return Err(Refusal::wrong(format!("it says nimber {own}, and a move cannot be answered")));
                }
            }
            Ok(())
        }
        LoopyNimber::Infinite(set) => {
            if set != options.iter().filter_map(|(entry, _)| value(entry)?.nimber()).collect() {
                return Err(Refusal::wrong("the set of its loopy nimber is not that of the options"));
            }
            let least = mex(&mut set.as_slice().to_vec());
            for (entry, part) in &options {
                let open = value(entry).is_some_and(|value| value.nimber().is_none());
                let back = |(entry, _): &(Entry, Box<[i64]>)| value(entry) == Some(LoopyNimber::Finite(least));
                if open && !single(source, part)?.iter().any(back) {
                    return Ok(());
                }
            }
            Err(Refusal::wrong("it is said to be infinite, and no move keeps it so"))
        }
    }
}
