//! The sequences, and what is asked of them.

use heaps::Proof;
use heaps::take_break::{NimSequence, TakeAndBreak};

use crate::clock;

/// Who else computes a sequence.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Yardstick {
    /// The plain double loop in C++.
    Plain,
    /// The crate `ogs`, which knows the sparse space too, but proves nothing.
    Ogs,
}

/// One sequence.
#[derive(Clone, Copy)]
pub struct Case {
    /// How it is called on the command line.
    pub name: &'static str,
    /// The code; empty for Grundy's game.
    pub code: &'static str,
    /// So many terms, or until a period is proved, which needs less.
    pub terms: usize,
    /// The published period, proved anew: length and start.
    pub period: Option<(u64, u64)>,
    /// How many times the pace of the yardstick is asked for; only then it runs.
    pub ratio: Option<f64>,
    /// The other side.
    pub yardstick: Yardstick,
    /// In how many seconds the period is asked for.
    pub seconds: Option<f64>,
    /// Whether the plain loop takes minutes.
    pub huge: bool,
}

const fn against(name: &'static str, code: &'static str, terms: usize, ratio: f64, huge: bool) -> Case {
    Case { name, code, terms, period: None, ratio: Some(ratio), yardstick: Yardstick::Plain, seconds: None, huge }
}

const fn proof(name: &'static str, code: &'static str, period: (u64, u64), seconds: Option<f64>) -> Case {
    let yardstick = Yardstick::Plain;
    Case { name, code, terms: 30_000_000, period: Some(period), ratio: None, yardstick, seconds, huge: false }
}

/// A proof against the values alone by `ogs`.
const fn against_ogs(name: &'static str, code: &'static str, period: (u64, u64), ratio: f64) -> Case {
    Case { ratio: Some(ratio), yardstick: Yardstick::Ogs, ..proof(name, code, period, None) }
}

const fn values(name: &'static str, code: &'static str, terms: usize) -> Case {
    Case { name, code, terms, period: None, ratio: None, yardstick: Yardstick::Plain, seconds: None, huge: false }
}

/// All cases.
pub const CASES: [Case; 11] = [
    against("grundy-100k", "", 100_000, 10.0, false),
    against("grundy-400k", "", 400_000, 60.0, false),
    against("grundy-1m", "", 1_000_000, 150.0, true),
    against("0.6-1m", "0.6", 1_000_000, 85.0, true),
    against("0.007-400k", "0.007", 400_000, 4.0, false),
    against_ogs("0.16-proof", "0.16", (149_459, 105_351), 2.0),
    against_ogs("0.56-proof", "0.56", (144, 326_640), 1.0),
    proof("0.127-proof", "0.127", (4, 46_578), None),
    proof("0.376-proof", "0.376", (4, 2_268_248), Some(10.0)),
    proof("0.354-proof", "0.354", (1180, 10_061_916), Some(10.0)),
    values("lasker-1m", "4.(3)", 1_000_000),
];

/// What one run found.
pub struct Found {
    /// Processor time.
    pub seconds: f64,
    /// Terms computed.
    pub terms: usize,
    /// A hash of all values.
    pub hash: u64,
    /// The proved period: length and start.
    pub period: Option<(u64, u64)>,
    /// For people.
    pub what: String,
}

impl Case {
    /// The game.
    pub fn game(&self) -> Result<TakeAndBreak, String> {
        match self.code {
            "" => Ok(TakeAndBreak::grundy()),
            code => code.parse().map_err(|error| format!("{code}: {error}")),
        }
    }

    /// Computes the sequence once.
    pub fn solve(&self) -> Result<Found, String> {
        const PIECE: usize = 10_000;
        let start = clock::now();
        let mut sequence = NimSequence::new(self.game()?).map_err(|error| error.to_string())?;
        while sequence.len() < self.terms && !sequence.is_proved() {
            let terms = (sequence.len() + PIECE).min(self.terms);
            sequence.extend(terms).map_err(|error| error.to_string())?;
        }
        let seconds = (clock::now() - start) as f64 / 1e9;
        let mut what = match sequence.largest() {
            Some((value, heap)) => format!("largest {value} at {heap}"),
            None => String::new(),
        };
        let period = sequence.period().filter(|(_, proof)| matches!(proof, Proof::Theorem(_)));
        if let Some((period, _)) = period {
            what += &format!(", period {} from {}", period.length, period.start);
        }
        let hash = sequence
            .values()
            .iter()
            .fold(0xcbf2_9ce4_8422_2325u64, |hash, value| (hash ^ u64::from(value)).wrapping_mul(0x100_0000_01b3));
        let period = period.map(|(period, _)| (period.length, period.start));
        Ok(Found { seconds, terms: sequence.len(), hash, period, what })
    }
}
