//! Loopy values: a partizan position from which play may go on for ever is worth a stopper, or one for each way in which endless play
//! may be judged.
//!
//! A *stopper* is a game in which play that alternates always ends. The name that is claimed is read as one (or as two, `x & y`), and
//! that it is a stopper is seen from its graph. Let endless play be a win for Left, and let G be the position and S the stopper that is
//! named for this case. In a difference A − B a player moves in A as there, or in B as the other player would. The entries hold a way
//! of Left, who moves second, through two *duels*:
//!
//! 1. In G − S Left always has an answer.
//! 2. In S − G Left always has an answer, and she does not answer in G for ever while Right moves there alone: each pair of positions has a
//!    rank, which falls whenever Right moves in G and she answers there.
//!
//! # Why that proves something
//!
//! *Then G and S are worth the same: beside any game X that ends, Left wins G + X exactly if she wins S + X, whoever begins.*
//!
//! Let her win S + X. She plays G + X, and beside it keeps a copy of S − S, in which she makes every move of one side on the other as
//! well. Right's move in G, or a move of her own copy of −S, she answers by duel 1; his move in X, or one in her copy of S, by what wins S + X. An answer
//! in a copy is a move of the opponent in the other, and is answered again. That cannot go on for ever within the copies, for it would be an endless
//! play of S that alternates. So she always has an answer in G + X, and if play never ends, she has won.
//!
//! Let her win G + X, where endless play counts for her. She plays S + X, with a copy of −G and G beside it, and answers by duel 2 and by
//! what wins G + X. Answers within the copies end, for the ranks fall. So she always has an answer in S + X. Play there ends, for X
//! ends, and S alone is a stopper; so she wins.
//!
//! Endless play that is a win for Right is the same with the players exchanged. If it is a draw by the rules, both are shown: the
//! position is worth the pair of stoppers. A stopper of its own has two equal ones, and one name.

use game::Player;
use rules::bind::{Bound, Position};
use rules::stop;

use crate::charged::Charged;
pub use crate::duel::{Duel, Pair, Step};
use crate::entries::Entries;
use crate::forms::Side;
use crate::graph::{Graph, Named};
use crate::loop_names;
use crate::parts::{NormalParts, each};
use crate::proved::Proved;
use crate::refusal::Refusal;
use crate::store::{Id, Store};

/// Checks the duels that show the value of a position. Gives what they prove, and how many pairs of positions there were.
pub fn check(bound: &Bound, start: &Position, entries: &mut dyn Entries) -> Result<(Proved, u64), Refusal> {
    let (game, mut count) = graph(bound, start, entries)?;
    let name = entries.name()?;
    let mut named = Named::new()?;
    let sides = loop_names::read(&name, &mut named)?;
    if !named.graph().is_stopper() {
        return Err(Refusal::wrong(format!("play that alternates does not always end in {name}")));
    }
    let wanted = match bound.forever {
        None => vec![(Side::Left, sides.onside), (Side::Right, sides.offside)],
        Some(_) if sides.onside != sides.offside => {
            return Err(Refusal::wrong("endless play is won, so that the value has one side"));
        }
        Some(Player::FIRST) => vec![(Side::Left, sides.onside)],
        Some(_) => vec![(Side::Right, sides.offside)],
    };
    for (answering, stopper) in wanted {
        let (game, stopper) = ((&game, 0), (named.graph(), stopper));
        for duel in [
            Duel { first: game, second: stopper, answering, steady: false },
            Duel { first: stopper, second: game, answering, steady: true },
        ] {
            count += survives(&duel, count, entries)?;
        }
    }
    Ok((Proved::Loops { name }, count))
}

/// All positions that moves of either player reach, whoever moved before, as a graph whose first is the start; and how many
/// there are.
fn graph(bound: &Bound, start: &Position, entries: &mut dyn Entries) -> Result<(Graph, u64), Refusal> {
    let mut parts = NormalParts::new(bound)?;
    let mut positions = Store::new();
    let mut key = start.parts.iter().map(|part| parts.enter(part)).collect::<Result<Vec<Id>, _>>()?;
    key.sort_unstable();
    positions.enter(&key)?;
    let mut graph = Graph::default();
    while graph.len() < positions.len() {
        let key = positions.key(graph.len() as Id).to_vec();
        entries.passed(graph.len() as u64 + 1)?;
        entries.nothing()?;
        let mut options = [Vec::new(), Vec::new()];
        for (own, player) in options.iter_mut().zip([Player::FIRST, Player::SECOND]) {
            for (place, part) in key.iter().enumerate() {
                let moves = parts.options_for(*part, player);
                for into in each(&moves.map_err(|refusal| refusal.at(graph.len() as u64 + 1, || parts.text(*part)))?) {
                    let mut after = key.clone();
                    after.swap_remove(place);
                    after.extend(into);
                    after.sort_unstable();
                    own.push(positions.enter(&after)?);
                }
            }
            own.sort_unstable();
            own.dedup();
        }
        graph.add(options)?;
    }
    let count = graph.len() as u64;
    Ok((graph, count))
}

/// Follows the answers of a player through a duel. Gives how many pairs of positions there were.
fn survives(duel: &Duel<'_>, before: u64, entries: &mut dyn Entries) -> Result<u64, Refusal> {
    entries.duel(duel)?;
    let (asking, steady) = (duel.answering.other(), duel.steady);
    // Pairs at which the other player is to move, and pairs that he has left, with where his move was made.
    let (mut pairs, mut asked) = (Store::new(), Store::new());
    let mut answers: Charged<(Id, bool)> = Charged::new();
    let mut ranks: Charged<u64> = Charged::new();
    // A move in the second game that was answered there: the rank must fall.
    let mut falls: Charged<(Id, Id)> = Charged::new();
    pairs.enter(&[duel.first.1, duel.second.1])?;
    while ranks.len() < pairs.len() {
        let id = ranks.len() as Id;
        let [one, other] = *pairs.key(id) else { return Err(Refusal::wrong("this is no pair")) };
        entries.passed(before + u64::from(id) + 1)?;
        ranks.push(if steady { entries.rank((one, other))? } else { 0 })?;
        for step in duel.moves((one, other), asking) {
            let question = asked.enter(&[step.to.0, step.to.1, u32::from(step.in_first)])?;
            if question as usize == answers.len() {
                let answer = entries.answer(step)?;
                let answer =
                    usize::try_from(answer).ok().and_then(|answer| duel.moves(step.to, duel.answering).nth(answer));
                let Some(Step { to, in_first }) = answer else {
                    return Err(Refusal::wrong("a move in a duel has no answer"));
                };
                answers.push((pairs.enter(&[to.0, to.1])?, in_first))?;
            }
            let (to, in_first) = answers[question as usize];
            if steady && !step.in_first && !in_first {
                falls.push((id, to))?;
            }
        }
        stop::look()?;
    }
    match falls.iter().all(|(from, to)| ranks[*to as usize] < ranks[*from as usize]) {
        true => Ok(pairs.len() as u64),
        false => Err(Refusal::wrong("play in a duel may stay in one game for ever")),
    }
}
