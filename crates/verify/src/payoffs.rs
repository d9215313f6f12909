//! Payoffs: what everyone gets if all want the most for themselves, for any number of players.
//!
//! Every position that play can reach is valued after its options, by the definition of the language: the mover takes the first
//! of the moves that bring the largest own total. The checker works the totals out itself and compares them with the entries.
//! Beside them it keeps two things:
//!
//! * all totals that other ways of breaking ties could lead to, as long as they are few: a move may be made if no other is sure
//!   to bring more. Totals are unique if there is one way only.
//! * what all players get together, if that is the same for all plays. If it is the same for two players, to want the
//!   most and to want the largest difference are one and the same.

use game::{End, Player};
use rules::bind::{Bound, Position};

use crate::entries::Entries;
use crate::places::{Found, Order, Places};
use crate::proved::{Proved, is_own};
use crate::refusal::Refusal;
use crate::walk::{self, Judge, Step};

/// How many ways of breaking ties are followed at a position.
const MOST_WAYS: usize = 32;

/// Checks the totals of all positions that play can reach. Gives what that proves, and how many positions there were.
pub fn check(bound: &Bound, start: &Position, entries: &mut dyn Entries) -> Result<(Proved, u64), Refusal> {
    if !(bound.players > 2 || is_own(bound)) {
        return Err(Refusal::wrong("a table of totals is for players who want the most for themselves"));
    }
    let mut places = Places::new(bound, Order::Kept);
    let first = places.enter(start)?;
    let (worth, count) = walk::deep(&mut places, first, &mut Own, entries)?;
    let unique = worth.ways.as_ref().map(|ways| ways.len() <= 1);
    Ok((Proved::Payoffs { totals: worth.totals, unique, constant: worth.together.is_some() }, count))
}

/// Everyone wants the most.
struct Own;

/// What is known of a position.
#[derive(Clone)]
struct TotalsReached {
    totals: Box<[i64]>,
    /// All totals that ties can lead to, if there is more than one; empty if there is one, `None` if there are too many.
    ways: Option<Vec<Box<[i64]>>>,
    /// What all get together, if that is the same for all plays.
    together: Option<i128>,
}

impl TotalsReached {
    /// All totals that ties can lead to.
    fn all(&self) -> Option<&[Box<[i64]>]> {
        let ways = self.ways.as_ref()?;
        Some(if ways.is_empty() { std::slice::from_ref(&self.totals) } else { ways })
    }
}

fn add(totals: &[i64], gains: &[i64]) -> Result<Box<[i64]>, Refusal> {
    let sum = |(player, total): (usize, &i64)| total.checked_add(gains.get(player).copied().unwrap_or(0));
    let totals = totals.iter().enumerate().map(sum).collect::<Option<_>>();
    totals.ok_or_else(|| Refusal::wrong("overflow: a total does not fit in 64 bits"))
}

fn sum(numbers: &[i64]) -> i128 {
    numbers.iter().map(|number| i128::from(*number)).sum()
}

impl Judge for Own {
    type Value = TotalsReached;

    fn chooses(&self, _: Player) -> bool {
        false
    }

    fn over(&mut self, end: &End, _: Player) -> Result<TotalsReached, Refusal> {
        let End::Gains(gains) = end else { return Err(Refusal::wrong("the end has no score")) };
        Ok(TotalsReached { totals: gains[..].into(), ways: Some(Vec::new()), together: Some(sum(gains)) })
    }

    fn settle(&mut self, mover: Player, options: &[Step<'_, TotalsReached>]) -> Result<TotalsReached, Refusal> {
        let mut best: Option<Box<[i64]>> = None;
        let mut together = None;
        for (index, step) in options.iter().enumerate() {
            let totals = add(&step.value.totals, step.gains)?;
            let all = step.value.together.map(|all| all + sum(step.gains));
            together = if index == 0 || together == all { all } else { None };
            if best.as_ref().is_none_or(|best| totals[mover.index()] > best[mover.index()]) {
                best = Some(totals);
            }
        }
        let totals = best.ok_or_else(|| Refusal::wrong("there is no move"))?;
        // Once two plays differ, later ones that agree change nothing.
        let constant = options.iter().all(|step| step.value.together.is_some());
        let ways = ways(mover, options)?;
        Ok(TotalsReached { totals, ways, together: together.filter(|_| constant && agree(options)) })
    }

    fn bytes(&self, value: &TotalsReached) -> u64 {
        let ways = value.ways.as_ref().map_or(0, Vec::len) as u64;
        (ways + 1) * (8 * value.totals.len() as u64 + 32)
    }

    fn states_values(&self) -> bool {
        true
    }

    fn compare(&mut self, entries: &mut dyn Entries, found: &Found, value: &TotalsReached) -> Result<(), Refusal> {
        let Some(position) = &found.position else { return Err(Refusal::wrong("no position")) };
        let stated = entries.totals(position, &value.totals)?;
        match stated == value.totals {
            true => Ok(()),
            false => Err(Refusal::wrong(format!("it says {stated:?}, and the options give {:?}", value.totals))),
        }
    }
}

/// Whether all plays have one total.
fn agree(options: &[Step<'_, TotalsReached>]) -> bool {
    let mut totals = options.iter().map(|step| step.value.together.map(|all| all + sum(step.gains)));
    let first = totals.next();
    totals.all(|other| Some(other) == first)
}

/// All totals that ties can lead to; empty if there is one.
fn ways(mover: Player, options: &[Step<'_, TotalsReached>]) -> Result<Option<Vec<Box<[i64]>>>, Refusal> {
    let mut all = Vec::with_capacity(options.len());
    for step in options {
        let Some(ways) = step.value.all() else { return Ok(None) };
        all.push(ways.iter().map(|totals| add(totals, step.gains)).collect::<Result<Vec<_>, _>>()?);
    }
    // What the mover gets for sure by the best of the moves.
    let own = |totals: &[i64]| totals[mover.index()];
    let sure = all.iter().filter_map(|ways| ways.iter().map(|totals| own(totals)).min()).max();
    let mut found: Vec<Box<[i64]>> = Vec::new();
    for totals in all.into_iter().flatten() {
        if Some(own(&totals)) >= sure && !found.contains(&totals) {
            found.push(totals);
        }
        if found.len() > MOST_WAYS {
            return Ok(None);
        }
    }
    if found.len() == 1 {
        found.clear();
    }
    Ok(Some(found))
}
