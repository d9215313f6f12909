//! Certificates: what was found of a position, in a form that a stranger can check.
//!
//! The crate [`verify`] has the format and the checker, and knows nothing of what is here. A certificate is written by running
//! that checker: a `recorder` answers its questions out of the answers of whatever method solved the game, and writes them
//! down. So a certificate that was written has passed the check once, and a method that is wrong is caught while it is written. Any
//! method can write one, since all that is asked is what [`Answers`](solve::answers::Answers) says: best moves, verdicts, values
//! of parts.
//!
//! `plan` chooses the arguments: a strategy where that suffices, a table of all positions where these are few or nothing less
//! will do. Where a proof would be too large, a `sampler` writes down some positions; that is no proof, and is not called one.

mod duels;
mod forced;
#[cfg(test)]
mod forgery;
mod form_source;
mod forms;
mod packer;
mod periods;
mod plan;
mod quotients;
mod recorder;
mod sampler;
mod sparse;

use std::io::{self, Write};

use engine::monitor::{Monitor, Prediction};
use rules::bind::Position;
use verify::Refusal;
use verify::argument::Argument;
use verify::claim::{CLASSES, Claim, OUTCOMES};
use verify::proved::{Proved, Summary};
use verify::sample::Sampled;
use verify::strategy::Goal;

use forced::Forced;
use packer::Packer;
use recorder::Recorder;
use sampler::Sampler;
use solve::answer::solution::Solution;
use solve::error::{SolveError, stopped_by};
use solve::solved::Solved;
use solve::stopping::watched;

/// Why a certificate was not written.
#[derive(Debug)]
pub enum Unwritten {
    /// A limit, or the person, stopped it; or there is no certificate for this answer, and why.
    Solve(SolveError),
    /// The file cannot be written.
    File(io::Error),
}

impl From<SolveError> for Unwritten {
    fn from(error: SolveError) -> Unwritten {
        Unwritten::Solve(error)
    }
}

impl From<io::Error> for Unwritten {
    fn from(error: io::Error) -> Unwritten {
        Unwritten::File(error)
    }
}

/// A certificate that was written.
#[derive(Clone, Debug)]
pub struct Written {
    /// What it claims.
    pub claim: Claim,
    /// What the answer says and the certificate does not claim, each with the reason.
    pub left_out: Vec<(&'static str, String)>,
    /// How many positions its arguments look at.
    pub positions: u64,
    /// Set if it is a sample, which proves nothing.
    pub sampled: Option<Sampled>,
    /// How long it is.
    pub bytes: u64,
}

/// How much of an answer a certificate shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// All that it claims is proved.
    #[default]
    Proof,
    /// So many positions are compared with their options, and nothing is proved.
    Sample(u64),
}

/// Writes the certificate of a solved game, with the text of its rules.
pub fn write(
    solved: &Solved<'_>,
    solution: &Solution,
    (rules, scope): (&str, Scope),
    out: impl Write,
    monitor: &mut Monitor,
) -> Result<Written, Unwritten> {
    let mut trouble = None;
    let written = watched(monitor, |monitor| {
        monitor.enter("writing the proof");
        let done = match scope {
            Scope::Proof => written(solved, solution, rules, out, monitor),
            Scope::Sample(count) => sampled(solved, solution, (rules, count), out, monitor),
        };
        done.map_err(|unwritten| match unwritten {
            Unwritten::Solve(error) => error,
            Unwritten::File(error) => {
                trouble = Some(error);
                SolveError::internal("the certificate could not be written")
            }
        })
    });
    match trouble {
        Some(error) => Err(Unwritten::File(error)),
        None => Ok(written?),
    }
}

fn written(
    solved: &Solved<'_>,
    solution: &Solution,
    rules: &str,
    out: impl Write,
    monitor: &mut Monitor,
) -> Result<Written, Unwritten> {
    monitor.enter("trying a proof of the value");
    let form = forms::claimable(solved, solution, monitor)?;
    // The proof of the value was tried, so that its length is known; of the others nobody knows.
    let known = form.as_ref().and_then(|form| Some(form.as_ref().ok()?.2));
    monitor.predict(Prediction::default());
    match known {
        Some(entries) => monitor.enter_expecting("writing the proof", entries),
        None => monitor.enter("writing the proof"),
    }
    let plan::Plan { mut claim, arguments, mut left_out } = plan::plan(solved, solution, form, monitor)?;
    // The solver follows more ways of breaking ties than the checker does, so the checker is asked beforehand.
    if claim.unique.is_some()
        && let (Proved::Payoffs { unique: None, .. }, _) =
            argue(solved, Argument::Payoffs, &mut Packer::new(io::sink())?, monitor)?
    {
        claim.unique = None;
        left_out.push(("unique", "there are more ways of breaking ties than the checker follows".to_string()));
    }
    let mut packer = head(solved, rules, &claim, out)?;
    let mut summary = Summary::default();
    let mut positions = 0;
    for argument in arguments {
        for number in argument.numbers() {
            packer.number(number)?;
        }
        let (proved, count) = match (argument, &claim.form) {
            (Argument::Values | Argument::Stoppers, Some(name)) => {
                forms::argue(solved, (argument, name), &mut packer, monitor)?
            }
            _ => argue(solved, argument, &mut packer, monitor)?,
        };
        // How long the next one is nobody knows.
        monitor.enter("writing the proof");
        summary.proved.push(proved);
        positions += count;
    }
    packer.number(0)?;
    let borne_out = summary.bears_out(&claim, solved.bound, &solved.start);
    borne_out.map_err(|refusal| Unwritten::Solve(wrong(refusal)))?;
    Ok(Written { claim, left_out, positions, sampled: None, bytes: packer.finish()? })
}

/// Writes the entries of an argument, by having it checked.
fn argue<W: Write>(
    solved: &Solved<'_>,
    argument: Argument,
    packer: &mut Packer<W>,
    monitor: &mut Monitor,
) -> Result<(Proved, u64), Unwritten> {
    let decides = matches!(argument, Argument::Strategy { goal: Goal::Draw | Goal::Win, .. });
    // A search knows which moves keep the result, not which bring the end nearer.
    let may_circle = decides && !solved.answers.knows_lengths() && !solved.plan.facts().acyclic.holds;
    let forced = match argument {
        Argument::Strategy { turn, player, goal: Goal::Draw, .. } if solved.bound.forever == Some(player.other()) => {
            let start = Position { turn, ..solved.start.clone() };
            Some(Forced::new(solved.bound, &start, player, monitor)?)
        }
        _ => None,
    };
    let mut recorder = Recorder::new(solved, packer, monitor);
    recorder.hurries = decides && solved.answers.may_repeat();
    recorder.forced = forced;
    let checked = argument.check(solved.bound, &solved.start, &mut recorder);
    let trouble = recorder.trouble.take();
    checked.map_err(|refusal| match (trouble, refusal) {
        (Some(trouble), _) => trouble,
        (None, Refusal::Wrong(wrong)) if may_circle && !wrong.faulty => {
            let why = "positions repeat, and a search does not know how far the end is; a table of all positions does";
            Unwritten::Solve(SolveError::NotApplicable(why.to_string()))
        }
        (None, refusal) => Unwritten::Solve(wrong(refusal)),
    })
}

/// Begins a certificate.
fn head<W: Write>(solved: &Solved<'_>, rules: &str, claim: &Claim, out: W) -> io::Result<Packer<W>> {
    let mut packer = Packer::new(out)?;
    packer.text(rules)?;
    packer.text(&solved.bound.instance().to_string())?;
    write_position(&mut packer, &solved.start)?;
    write_claim(&mut packer, claim)?;
    Ok(packer)
}

/// Writes a sample.
fn sampled(
    solved: &Solved<'_>,
    solution: &Solution,
    (rules, count): (&str, u64),
    out: impl Write,
    monitor: &mut Monitor,
) -> Result<Written, Unwritten> {
    let claim = plan::sampled(solved, solution)?;
    let mut packer = head(solved, rules, &claim, out)?;
    for number in Argument::Sample.numbers() {
        packer.number(number)?;
    }
    let random = game::Random::new(0x9e37_79b9_7f4a_7c15);
    let mut sampler =
        Sampler { solved, packer: &mut packer, monitor, wanted: count, begun: false, random, trouble: None };
    let checked = verify::sample::check(solved.bound, &solved.start, &claim, &mut sampler);
    let (trouble, begun) = (sampler.trouble.take(), sampler.begun);
    let sampled = checked.map_err(|refusal| match trouble {
        Some(trouble) => trouble,
        None if begun && matches!(&refusal, Refusal::Wrong(wrong) if wrong.entry == 0) => {
            let why = "no position was found whose moves can be listed and whose options are all known";
            Unwritten::Solve(SolveError::NotApplicable(why.to_string()))
        }
        None => Unwritten::Solve(wrong(refusal)),
    })?;
    packer.number(0)?;
    let positions = sampled.positions;
    Ok(Written { claim, left_out: Vec::new(), positions, sampled: Some(sampled), bytes: packer.finish()? })
}

/// The checker does not accept what a method says: the limit that stopped it, or rules that it cannot run where the method need not; else
/// a mistake of ours.
fn wrong(refusal: Refusal) -> SolveError {
    match refusal {
        Refusal::Stopped(why) => stopped_by(why).into(),
        Refusal::Wrong(wrong) if wrong.faulty => SolveError::NotApplicable(match &wrong.position {
            Some(position) => format!("at the position {position} {}", wrong.why),
            None => wrong.why,
        }),
        other => SolveError::internal(format!("the answer does not pass the check: {other}")),
    }
}

fn write_position<W: Write>(packer: &mut Packer<W>, position: &Position) -> io::Result<()> {
    packer.number(position.turn.0.into())?;
    packer.number(position.parts.len() as u64)?;
    position.parts.iter().flatten().try_for_each(|cell| packer.signed(*cell))
}

fn write_claim<W: Write>(packer: &mut Packer<W>, claim: &Claim) -> io::Result<()> {
    packer.number(claim.fields())?;
    if let Some(outcome) = claim.outcome {
        packer.number(OUTCOMES.iter().position(|other| *other == outcome).unwrap_or(0) as u64)?;
    }
    if let Some(remoteness) = claim.remoteness {
        packer.number(remoteness)?;
    }
    if let Some(class) = claim.class {
        packer.number(CLASSES.iter().position(|other| *other == class).unwrap_or(0) as u64)?;
    }
    if let Some(value) = claim.value {
        packer.signed(value)?;
    }
    if let Some(payoffs) = &claim.payoffs {
        packer.number(payoffs.len() as u64)?;
        payoffs.iter().try_for_each(|total| packer.signed(*total))?;
    }
    if let Some(unique) = claim.unique {
        packer.number(unique.into())?;
    }
    if let Some(nimber) = claim.nimber {
        packer.number(nimber)?;
    }
    if let Some(set) = &claim.loopy {
        packer.number(set.as_slice().len() as u64)?;
        set.as_slice().iter().try_for_each(|nimber| packer.number(*nimber))?;
    }
    if let Some(name) = &claim.form {
        packer.text(name)?;
    }
    Ok(())
}
