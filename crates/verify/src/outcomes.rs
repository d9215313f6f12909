//! Tables: every position that play can reach, with who wins and in how many moves.
//!
//! # Why local rules are enough, even if positions come back
//!
//! Each label is compared with the labels of the options. At an end it must be what the rules say, in 0 moves. Elsewhere the
//! outcome must be the best of the options', seen by the mover, and the number of moves n follows the rule of the language:
//!
//! * *won in n*: n − 1 is the least among options won for the mover. By induction on n the mover can win within n moves.
//!   Nobody wins sooner: a mover with a true win in fewer moves would have an option with a smaller number.
//! * *lost in n*: every option is won by the other, and n − 1 is the largest number among them. By the same induction.
//! * *drawn*: no option is won for the mover, and one is drawn. So each player can stay among positions that are not lost: the mover
//!   by a drawn option, the other since all options are drawn or better for him. Neither can be beaten, for a play among such
//!   positions ends in a draw or never, which is a draw as well. The number of moves is the length of the shortest way
//!   through drawn positions to a declared draw, which the rule "one more than the least" defines; without such a way there is
//!   none.
//!
//! If a player P wins endless play, P may have positions that are won in no number of moves. There, all of P's winning options
//! have no number, and the other can always keep to positions without a number. P never leaves what is won, so play ends well or
//! never. A draw then asks that the other can force an end, which labels do not show; a table with a draw is refused in such a
//! game, and two strategies have to do.

use game::{End, Outcome, Player, Remoteness};
use rules::bind::{Bound, Position};

use crate::charged::Charged;
use crate::entries::{Entries, Label};
use crate::places::{Found, Order, Places};
use crate::proved::Proved;
use crate::refusal::Refusal;
use crate::store::Id;

/// How many positions can be reached, if they are at most so many, and have not more than 64 moves on average.
pub fn reachable(bound: &Bound, start: &Position, order: Order, most: u64) -> Result<Option<u64>, Refusal> {
    let mut places = Places::new(bound, order);
    places.enter(start)?;
    let mut found = Found::default();
    let (mut next, mut moves) = (0, 0);
    while next < places.len() {
        if places.len() as u64 > most || moves > most.saturating_mul(64) {
            return Ok(None);
        }
        places.expand(next as Id, &mut found)?;
        moves += found.moves() as u64;
        for mv in 0..found.moves() {
            places.follow(&found, mv)?;
        }
        next += 1;
    }
    Ok(Some(next as u64))
}

/// Checks a table of all positions that play can reach from one. Gives what it proves, and how many there were.
pub fn check(bound: &Bound, start: &Position, entries: &mut dyn Entries) -> Result<(Proved, u64), Refusal> {
    if bound.players != 2 || bound.program.counted {
        return Err(Refusal::wrong("a table of outcomes is for two players who win or lose"));
    }
    let mut places = Places::new(bound, Order::Forgotten);
    places.enter(start)?;
    let labels = labels(&mut places, entries)?;
    let mut found = Found::default();
    for (id, label) in labels.iter().enumerate() {
        entries.passed((labels.len() + id + 1) as u64)?;
        let checked =
            places.expand(id as Id, &mut found).and_then(|()| match_rules(&mut places, &found, &labels, *label));
        checked.map_err(|refusal| refusal.at(id as u64 + 1, || places.text(id as Id)))?;
    }
    let Label { outcome, remoteness } = labels[0];
    Ok((Proved::Outcome { turn: start.turn, outcome, remoteness }, labels.len() as u64))
}

/// Finds all positions, each with its label.
fn labels(places: &mut Places<'_>, entries: &mut dyn Entries) -> Result<Charged<Label>, Refusal> {
    let mut labels = Charged::new();
    let mut found = Found::default();
    while labels.len() < places.len() {
        let id = labels.len() as Id;
        entries.passed(u64::from(id) + 1)?;
        let label = places.expand(id, &mut found).and_then(|()| match &found.position {
            Some(position) => entries.label(position),
            None => Err(Refusal::wrong("no position")),
        });
        let label = label.map_err(|refusal| refusal.at(u64::from(id) + 1, || places.text(id)))?;
        labels.push(label)?;
        for mv in 0..found.moves() {
            places.follow(&found, mv)?;
        }
    }
    Ok(labels)
}

/// Compares a label with those of the options.
fn match_rules(places: &mut Places<'_>, found: &Found, labels: &[Label], label: Label) -> Result<(), Refusal> {
    let forever = places.bound().forever;
    let mover = found.position.as_ref().map_or(Player::FIRST, |position| position.turn);
    if forever.is_some() && label.outcome == Outcome::Draw {
        return Err(Refusal::wrong("a table cannot show a draw where endless play is won"));
    }
    let expected = match &found.end {
        Some(End::Outcome(outcome)) => Label { outcome: *outcome, remoteness: Some(0) },
        Some(End::Gains(_)) => return Err(Refusal::wrong("the end has a score")),
        None => {
            let mut options = Vec::with_capacity(found.moves());
            for mv in 0..found.moves() {
                let Label { outcome, remoteness } = labels[places.follow(found, mv)? as usize];
                options.push((if found.turn(mv) == mover { outcome } else { -outcome }, remoteness));
            }
            by_options(&options)
        }
    };
    // Only who wins endless play may win in no number of moves.
    let endless_winner = |outcome: Outcome| match outcome {
        Outcome::Win => Some(mover),
        Outcome::Loss => Some(mover.other()),
        Outcome::Draw => None,
    };
    if label.remoteness.is_none() && label.outcome != Outcome::Draw && endless_winner(label.outcome) != forever {
        return Err(Refusal::wrong("a win has no number of moves"));
    }
    match label == expected {
        true => Ok(()),
        false => Err(Refusal::wrong(format!("it says {}, and the options give {}", text(label), text(expected)))),
    }
}

/// The label that the options give, seen by the mover.
pub(crate) fn by_options(options: &[(Outcome, Remoteness)]) -> Label {
    let outcome = options.iter().map(|(outcome, _)| *outcome).max().unwrap_or(Outcome::Loss);
    let best = options.iter().filter(|(own, _)| *own == outcome).map(|(_, remoteness)| *remoteness);
    let remoteness = match outcome {
        Outcome::Loss => best.collect::<Option<Vec<u32>>>().and_then(|all| all.into_iter().max()),
        Outcome::Draw | Outcome::Win => best.flatten().min(),
    };
    Label { outcome, remoteness: remoteness.and_then(|moves| moves.checked_add(1)) }
}

fn text(label: Label) -> String {
    let Label { outcome, remoteness } = label;
    match remoteness {
        Some(moves) => format!("`{outcome}` in {moves}"),
        None => format!("`{outcome}` without end"),
    }
}
