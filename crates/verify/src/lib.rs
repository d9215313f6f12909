//! Certificates: what a solver says of a position, in a form that a small program can check.
//!
//! A certificate holds the text of the rules, the instance, the position, a claim, and arguments for it. [`verify`] checks it with
//! the language and its interpreter, and with no line of the solver. It verifies:
//!
//! 1. **The file is whole** ([`stream`]): its blocks have their checksums, nothing is missing, nothing follows.
//! 2. **The question is one** ([`certificate`]): the rules compile, the instance meets their requirements, the position is in the
//!    domains.
//! 3. **Each argument holds**, at every position that it is about. Which positions these are, which moves there are, what a move
//!    gains and how play ends is never read from the file: the interpreter says so. The arguments, each with the reason why it
//!    proves something at the head of its module:
//!    [`strategy`] (a win, a draw, a lead: one move for each position of one player),
//!    [`outcomes`] (a table of who wins and in how many moves, with positions that repeat),
//!    [`mod@payoffs`] (a table of totals where everyone wants the most),
//!    [`nimbers`] (sums by Sprague and Grundy), [`loopy`] (sums with parts that repeat, by Smith),
//!    [`periods`] and [`lengths`] (all heaps at once, by Guy and Smith; [`heap_rules`] reads their rules), [`ranges`] (likewise where
//!    a heap becomes any of a range, as in Nim), [`sparse`] (very many heaps that fall into two),
//!    [`values`] (partizan games, by Conway; [`forms`] compares them, [`notation`] reads their names),
//!    [`quotient`] (sums that the last mover loses, by Plambeck and Siegel; [`monoid`] multiplies),
//!    [`stoppers`] (such games if play may go on for ever; [`loop_names`] reads their names as a [`graph`]).
//!    A certificate may instead hold a [`sample`], which proves nothing and is never called verified.
//! 4. **The arguments prove the claim** ([`proved`]), every field of it.
//!
//! An argument fixes the order in which positions are looked at, and has at least one byte for each of them. So the time is that of
//! running the rules once (in tables twice) at each position and looking at the options found there, and beyond that linear in the
//! unpacked length of the certificate: comparisons of forms, which are many, are paid for with bytes ([`forms`]). What [`heap_rules`]
//! reads is bounded by a constant. Two arguments take longer: [`sparse`] looks at every heap beside every rare one, and [`quotient`]
//! multiplies every two actions. Memory holds each position once, packed, and is charged to the scope of the thread
//! ([`rules::stop`]); time limits and stops hold as well.
//!
//! What it does not verify: that the rules are those that you have in mind (compare the text, [`certificate::Certificate::rules`]),
//! and everything that a solver tells beside the claim, such as a line of play.
//!
//! Table files hold a value for every position, and are checked position by position ([`tables`]).
//!
//! [`entries`] says how the writer of certificates, which is a part of the solver, uses the same checkers.

pub mod argument;
pub mod certificate;
mod charged;
pub mod claim;
pub mod duel;
pub mod entries;
pub mod forms;
pub mod graph;
pub mod heap_pairs;
pub mod heap_rules;
mod heaps;
pub mod lengths;
mod line;
pub mod loop_names;
pub mod loopy;
pub mod monoid;
pub mod nimbers;
pub mod notation;
pub mod outcomes;
mod parts;
pub mod payoffs;
pub mod periods;
pub mod places;
pub mod proved;
pub mod quotient;
pub mod ranges;
pub mod refusal;
pub mod sample;
pub mod sparse;
pub mod stoppers;
mod store;
pub mod strategy;
pub mod stream;
pub mod tables;
pub mod values;
mod walk;

use std::io::Read;

use argument::Argument;
use certificate::Certificate;
use entries::FileEntries;
use proved::Summary;
pub use refusal::Refusal;
use sample::{FileSamples, Sampled};
use stream::Reader;

/// The most arguments of a certificate.
const MOST_ARGUMENTS: u64 = 64;

/// A certificate that was checked.
#[derive(Debug)]
pub struct Verified {
    /// What it is about.
    pub certificate: Certificate,
    /// What it proves.
    pub summary: Summary,
    /// Its arguments.
    pub arguments: Vec<Argument>,
    /// How many positions the arguments looked at.
    pub positions: u64,
    /// Set if the certificate is a sample: then nothing is proved.
    pub sampled: Option<Sampled>,
    /// How long the file is.
    pub bytes: u64,
    /// How long it is unpacked.
    pub unpacked: u64,
}

/// Checks a certificate. `progress` is told how many entries of an argument and how many bytes of the file were read.
pub fn verify(input: impl Read, progress: &mut dyn FnMut(u64, u64)) -> Result<Verified, Refusal> {
    let mut reader = Reader::new(input)?;
    let certificate = Certificate::read(&mut reader)?;
    let mut summary = Summary::default();
    let mut arguments = Vec::new();
    let mut positions = 0;
    loop {
        let number = arguments.len() as u64 + 1;
        let argument = match Argument::read(&mut reader)? {
            None => break,
            Some(_) if number > MOST_ARGUMENTS => return Err(Refusal::wrong("there are too many arguments")),
            Some(Argument::Sample) if number == 1 => {
                return sampled(certificate, reader, progress).map_err(|refusal| refusal.in_argument(number));
            }
            Some(argument) => argument,
        };
        let mut entries = FileEntries { reader: &mut reader, progress };
        let checked = argument.check(&certificate.bound, &certificate.position, &mut entries);
        let (proved, count) = checked.map_err(|refusal| refusal.in_argument(number))?;
        summary.proved.push(proved);
        arguments.push(argument);
        positions += count;
    }
    reader.finish()?;
    summary.bears_out(&certificate.claim, &certificate.bound, &certificate.position)?;
    let (bytes, unpacked) = (reader.bytes(), reader.unpacked());
    Ok(Verified { certificate, summary, arguments, positions, sampled: None, bytes, unpacked })
}

/// Looks at a certificate that is a sample.
fn sampled<R: Read>(
    certificate: Certificate,
    mut reader: Reader<R>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Verified, Refusal> {
    let mut samples = FileSamples { reader: &mut reader, progress };
    let sampled = sample::check(&certificate.bound, &certificate.position, &certificate.claim, &mut samples)?;
    match reader.number()? {
        0 => reader.finish()?,
        _ => return Err(Refusal::wrong("a sample stands alone")),
    }
    let (summary, arguments, positions) = (Summary::default(), vec![Argument::Sample], sampled.positions);
    let (bytes, unpacked) = (reader.bytes(), reader.unpacked());
    Ok(Verified { certificate, summary, arguments, positions, sampled: Some(sampled), bytes, unpacked })
}
