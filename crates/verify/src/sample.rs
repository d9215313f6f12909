//! Samples: some positions with what they and all their options are worth. They show mistakes; they prove nothing.
//!
//! Each position is compared with its options by the definition. What the options are worth is believed. So a sample that agrees
//! makes a claim likely at best, and [`crate::Verified::sampled`] says that it is no more. Samples are for answers whose proof
//! would be as large as the table of all positions.

use std::io::Read;

use game::{End, Nimber, Player, Verdict, mex};
use rules::bind::{Bound, Position};

use crate::certificate;
use crate::claim::{Claim, OUTCOMES};
use crate::entries::Label;
use crate::outcomes;
use crate::places::{Found, Order, Places};
use crate::refusal::Refusal;
use crate::stream::Reader;

/// Where the positions of a sample come from: the file, or who writes it.
pub trait Samples {
    /// The next position; `None` behind the last.
    fn position(&mut self, bound: &Bound) -> Result<Option<Position>, Refusal>;
    /// What a position is worth: a sampled one, or an option of it.
    fn worth(&mut self, bound: &Bound, position: &Position) -> Result<Verdict, Refusal>;
    /// Says how many positions were looked at. May end the check.
    fn passed(&mut self, positions: u64) -> Result<(), Refusal>;
}

/// What came of a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sampled {
    /// How many positions agree with their options.
    pub positions: u64,
    /// Whether the position of the certificate is among them, and is worth what is claimed.
    pub with_claim: bool,
}

/// Compares sampled positions with their options.
pub fn check(bound: &Bound, start: &Position, claim: &Claim, samples: &mut dyn Samples) -> Result<Sampled, Refusal> {
    let mut sampled = Sampled::default();
    let mut found = Found::default();
    while let Some(position) = samples.position(bound)? {
        sampled.positions += 1;
        samples.passed(sampled.positions)?;
        // Nothing of a sample is used for the next one.
        let mut places = Places::new(bound, Order::Kept);
        let id = places.enter(&position)?;
        let looked = one(&mut places, id, &position, samples, &mut found).and_then(|worth| {
            if position == *start {
                agrees(&worth, claim, start.turn)?;
                sampled.with_claim = true;
            }
            Ok(())
        });
        looked.map_err(|refusal| refusal.at(sampled.positions, || places.text(id)))?;
    }
    match sampled.positions {
        0 => Err(Refusal::wrong("the sample is empty")),
        _ => Ok(sampled),
    }
}

fn one(
    places: &mut Places<'_>,
    id: u32,
    position: &Position,
    samples: &mut dyn Samples,
    found: &mut Found,
) -> Result<Verdict, Refusal> {
    let bound = places.bound();
    places.expand(id, found)?;
    let stated = samples.worth(bound, position)?;
    let mut options = Vec::with_capacity(found.moves());
    for mv in 0..found.moves() {
        let id = places.follow(found, mv)?;
        let option = places.position(id);
        options.push((samples.worth(bound, &option)?, option.turn == position.turn, found.gains(mv).to_vec()));
    }
    let expected = match &found.end {
        Some(end) => of_end(end, &stated, position.turn),
        None => of_options(&options, &stated, position.turn),
    };
    match expected {
        Some(expected) if same(&expected, &stated) => Ok(stated),
        Some(expected) => Err(Refusal::wrong(format!("it says {stated:?}, and the options give {expected:?}"))),
        None => Err(Refusal::wrong("the values of the options are of another kind, or too large")),
    }
}

/// Whether ties matter is not compared.
pub(crate) fn same(a: &Verdict, b: &Verdict) -> bool {
    match (a, b) {
        (Verdict::Payoffs { totals: a, .. }, Verdict::Payoffs { totals: b, .. }) => a == b,
        _ => a == b,
    }
}

fn lead(gains: &[i64], player: Player) -> Option<i64> {
    let gain = |player: Player| gains.get(player.index()).copied().unwrap_or(0);
    gain(player).checked_sub(gain(player.other()))
}

pub(crate) fn of_end(end: &End, stated: &Verdict, mover: Player) -> Option<Verdict> {
    Some(match (end, stated) {
        (End::Outcome(outcome), Verdict::Outcome { nimber, .. }) => {
            Verdict::Outcome { outcome: *outcome, remoteness: Some(0), nimber: nimber.map(|_| 0) }
        }
        (End::Outcome(game::Outcome::Loss), Verdict::Nimber(_)) => Verdict::Nimber(0),
        (End::Gains(gains), Verdict::Payoffs { .. }) => Verdict::Payoffs { totals: gains[..].into(), unique: None },
        (End::Gains(gains), Verdict::Score(_)) => Verdict::Score(lead(gains, mover)?),
        _ => return None,
    })
}

/// What the options give; `None` where they do not fit together.
pub(crate) fn of_options(options: &[(Verdict, bool, Vec<i64>)], stated: &Verdict, mover: Player) -> Option<Verdict> {
    let nimbers = || options.iter().map(|(worth, ..)| worth.nimber()).collect::<Option<Vec<Nimber>>>();
    match stated {
        Verdict::Nimber(_) => Some(Verdict::Nimber(mex(&mut nimbers()?))),
        Verdict::Outcome { nimber, .. } => {
            let own = |(worth, same, _): &(Verdict, bool, Vec<i64>)| {
                let outcome = worth.outcome()?;
                Some((if *same { outcome } else { -outcome }, worth.remoteness()))
            };
            let Label { outcome, remoteness } =
                outcomes::by_options(&options.iter().map(own).collect::<Option<Vec<_>>>()?);
            let nimber = match nimber {
                Some(_) => Some(mex(&mut nimbers()?)),
                None => None,
            };
            // A method that knows no lengths says none anywhere.
            let known = options.iter().any(|(worth, ..)| worth.remoteness().is_some());
            let remoteness = remoteness.filter(|_| known);
            Some(Verdict::Outcome { outcome, remoteness, nimber })
        }
        Verdict::Score(_) => {
            let own = |(worth, same, gains): &(Verdict, bool, Vec<i64>)| {
                let Verdict::Score(value) = worth else { return None };
                lead(gains, mover)?.checked_add(if *same { *value } else { value.checked_neg()? })
            };
            Some(Verdict::Score(options.iter().map(own).collect::<Option<Vec<i64>>>()?.into_iter().max()?))
        }
        Verdict::Payoffs { .. } => {
            let mut best: Option<Box<[i64]>> = None;
            for (worth, _, gains) in options {
                let Verdict::Payoffs { totals, .. } = worth else { return None };
                let add = |(player, total): (usize, &i64)| total.checked_add(gains.get(player).copied().unwrap_or(0));
                let totals: Box<[i64]> = totals.iter().enumerate().map(add).collect::<Option<_>>()?;
                if best.as_ref().is_none_or(|best| totals[mover.index()] > best[mover.index()]) {
                    best = Some(totals);
                }
            }
            Some(Verdict::Payoffs { totals: best?, unique: None })
        }
        Verdict::Loopy(_) => None,
    }
}

/// Whether a worth is what is claimed.
fn agrees(worth: &Verdict, claim: &Claim, mover: Player) -> Result<(), Refusal> {
    let sign = |number: i64| OUTCOMES[(number.signum() + 1) as usize];
    let (outcome, value, payoffs) = match worth {
        Verdict::Score(value) => (Some(sign(*value)), Some(*value), None),
        Verdict::Payoffs { totals, .. } => {
            let value = lead(totals, mover).filter(|_| totals.len() == 2);
            let outcome = if claim.value.is_some() { value.map(sign) } else { Some(sign(totals[mover.index()])) };
            (outcome, value, Some(totals.to_vec()))
        }
        other => (other.outcome(), None, None),
    };
    let fits = (claim.outcome.is_none() || claim.outcome == outcome)
        && (claim.value.is_none() || claim.value == value)
        && (claim.payoffs.is_none() || claim.payoffs == payoffs)
        && (claim.nimber.is_none() || claim.nimber == worth.nimber())
        && (claim.remoteness.is_none() || claim.remoteness == worth.remoteness().map(u64::from))
        && claim.class.is_none()
        && claim.unique.is_none()
        && claim.loopy.is_none();
    if fits { Ok(()) } else { Err(Refusal::wrong("the sample says something else than the claim")) }
}

/// A worth as numbers: its kind, and what belongs to that.
pub fn numbers(worth: &Verdict) -> Option<(u64, Vec<i64>)> {
    Some(match worth {
        Verdict::Outcome { outcome, remoteness, nimber } => {
            let code = Label { outcome: *outcome, remoteness: *remoteness }.code();
            let nimber = nimber.map_or(Some(-1), |nimber| i64::try_from(nimber).ok())?;
            (0, vec![i64::try_from(code).ok()?, nimber])
        }
        Verdict::Nimber(nimber) => (1, vec![nimber.cast_signed()]),
        Verdict::Score(value) => (2, vec![*value]),
        Verdict::Payoffs { totals, .. } => (3, totals.to_vec()),
        Verdict::Loopy(_) => return None,
    })
}

/// Samples of a file.
pub struct FileSamples<'r, R> {
    /// Reads the file.
    pub reader: &'r mut Reader<R>,
    /// Is told how many positions and bytes were read.
    pub progress: &'r mut dyn FnMut(u64, u64),
}

impl<R: Read> Samples for FileSamples<'_, R> {
    fn position(&mut self, bound: &Bound) -> Result<Option<Position>, Refusal> {
        match self.reader.at_most(1, "a truth value")? {
            0 => Ok(None),
            _ => certificate::position(self.reader, bound).map(Some),
        }
    }

    fn worth(&mut self, bound: &Bound, _: &Position) -> Result<Verdict, Refusal> {
        Ok(match self.reader.at_most(3, "a kind of worth")? {
            0 => {
                let label = u64::try_from(self.reader.signed()?).ok().and_then(Label::of);
                let Label { outcome, remoteness } = label.ok_or_else(|| Refusal::wrong("no such outcome"))?;
                let nimber = u64::try_from(self.reader.signed()?).ok();
                Verdict::Outcome { outcome, remoteness, nimber }
            }
            1 => Verdict::Nimber(self.reader.signed()?.cast_unsigned()),
            2 => Verdict::Score(self.reader.signed()?),
            _ => {
                let totals = (0..bound.players).map(|_| self.reader.signed()).collect::<Result<_, _>>()?;
                Verdict::Payoffs { totals, unique: None }
            }
        })
    }

    fn passed(&mut self, positions: u64) -> Result<(), Refusal> {
        (self.progress)(positions, self.reader.bytes());
        Ok(())
    }
}
