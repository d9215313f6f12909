//! Which way to machine code is taken where both are open: formulas, or the rules as they stand.
//!
//! Small formulas are quickest: everything the instance fixes is worked out, and little is left to test. Large ones repeat
//! what a loop would do once, and take long to compile. In between both are compiled and timed on positions of random play.

use std::time::{Duration, Instant};

use formula::Coded;
use game::Random;
use game::codes::{Expanded, Gains, Options, Successors};
use rules::bind::Bound;

use crate::decode::weight;
use crate::error::JitError;
use crate::expand::Expander;
use crate::program::Rules;

/// Formulas of at most this many nodes are taken without a comparison.
pub const SMALL: usize = 600;
/// Formulas of more nodes than this are not compiled where the rules are.
pub const LARGE: usize = 3000;
/// How many positions are expanded to compare.
const SAMPLE: usize = 400;

/// Compiled options of positions that are numbered as formulas number them. The two ways are compared on play from a start;
/// without one, formulas are taken that are not large.
///
/// Code may leave a position alone ([`Expanded::Fault`]) although nothing is wrong with the rules there.
pub fn successors(
    bound: &Bound,
    coded: &Coded,
    start: Option<u64>,
    gains: Gains,
) -> Result<Box<dyn Successors + Send>, JitError> {
    let nodes = weight(coded);
    let direct = if nodes > SMALL { Rules::with_codes(bound, gains, coded).ok() } else { None };
    match direct {
        Some(direct) if nodes > LARGE => Ok(Box::new(direct)),
        Some(direct) => match Expander::compile(coded, gains) {
            Ok(expander) if !start.is_some_and(|start| quicker(start, &direct, &expander)) => Ok(Box::new(expander)),
            _ => Ok(Box::new(direct)),
        },
        None => Ok(Box::new(Expander::compile(coded, gains)?)),
    }
}

/// Whether the rules as they stand expand positions more quickly than formulas do, and leave none of them alone.
fn quicker(start: u64, direct: &Rules, expander: &Expander) -> bool {
    let mut codes = Vec::with_capacity(SAMPLE);
    let mut out = Options::default();
    let mut random = Random::new(1);
    let mut code = start;
    while codes.len() < SAMPLE {
        codes.push(code);
        code = match expander.expand(code, &mut out) {
            Expanded::Options => out.codes[random.below(out.codes.len() as u64) as usize],
            _ => start,
        };
    }
    if codes.iter().any(|&code| Successors::expand(direct, code, &mut out) == Expanded::Fault) {
        return false;
    }
    let mut time = |game: &dyn Successors| {
        // The better of two: the first also warms up.
        let mut once = || {
            let begin = Instant::now();
            for code in &codes {
                game.expand(*code, &mut out);
            }
            begin.elapsed()
        };
        let first: Duration = once();
        first.min(once())
    };
    time(direct) < time(expander)
}
