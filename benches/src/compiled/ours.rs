//! Our side of the benchmark: the only file that knows how the library is called.

use std::sync::Arc;

use perfectplay::answer::{Outcome, Verdict};
use perfectplay::language::{Bound, Instance, bind, compile};
use perfectplay::plan;
use perfectplay::solving::{Detail, Engine, Limits, Monitor, Options, solve};

use crate::clock;

/// How often a short solve is repeated, and from how many nanoseconds on it is not.
const REPEATS: u32 = 20;
const LONG: u64 = 20_000_000;

/// What is asked of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ask {
    /// Won, lost or drawn, nothing more.
    Outcome,
    /// Won, lost or drawn, and in how many moves: what `solve` shows.
    Remoteness,
    /// The score.
    Score,
    /// As `Remoteness`, with positions in a hash table though an index would do.
    Hashed,
}

impl Ask {
    /// All of them.
    pub const ALL: [Ask; 4] = [Ask::Outcome, Ask::Remoteness, Ask::Score, Ask::Hashed];

    /// One word for the table.
    pub fn name(self) -> &'static str {
        match self {
            Ask::Outcome => "outcome",
            Ask::Remoteness => "remoteness",
            Ask::Score => "score",
            Ask::Hashed => "hashed",
        }
    }
}

/// What came out, as far as a side tells it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// `first`, `second` or `draw`.
    pub winner: Option<String>,
    /// The first player's lead.
    pub value: Option<i64>,
    /// Moves to the end.
    pub remoteness: Option<u64>,
    /// How many positions have a value.
    pub positions: Option<u64>,
    /// How many of them are won, lost and drawn by their movers.
    pub counts: Option<[u64; 3]>,
}

/// One solve, measured.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Nanoseconds of the solve itself, tables allocated within it, code ready before it.
    pub solve: u64,
    /// Nanoseconds from the bound game to code that can run: what the first solve takes longer than the fastest.
    pub compile: u64,
    /// Positions that were valued.
    pub positions: u64,
    /// Bytes at the peak.
    pub bytes: u64,
    /// How it was done, in the words of `explain`.
    pub method: String,
    /// What came out.
    pub found: Found,
}

/// A game that is ready to be solved again and again.
pub struct Ours {
    bound: Bound,
}

impl Ours {
    /// Binds the instance.
    pub fn new(rules: &str, instance: &Instance) -> Result<Ours, String> {
        let program = compile(rules).map_err(|errors| format!("the rules do not compile: {errors:?}"))?;
        let bound = bind(&Arc::new(program), instance).map_err(|error| format!("the instance is wrong: {error:?}"))?;
        Ok(Ours { bound })
    }

    /// Makes the code and solves it, with one thread. A table is what is compared, so the table is filled where its order is known
    /// beforehand, though theorems and searches often answer sooner; else the default is taken.
    pub fn solve(&self, ask: Ask) -> Result<Measured, String> {
        match ask {
            Ask::Hashed => self.solve_by("hash", ask),
            _ => self.solve_by("fill", ask).or_else(|_| self.solve_by("auto", ask)),
        }
    }

    fn solve_by(&self, method: &str, ask: Ask) -> Result<Measured, String> {
        let detail = if ask == Ask::Outcome { Detail::Outcome } else { Detail::Remoteness };
        let method = plan::method(method);
        let options = Options { threads: 1, engine: Engine::Compiled, detail, method, ..Options::default() };
        let limits = Limits { memory: 16 << 30, ..Limits::default() };
        let mut monitor = Monitor::new(&limits);
        let begun = clock::now();
        let solved =
            solve(&self.bound, &self.bound.start, &options, &mut monitor).map_err(|error| error.to_string())?;
        let first = clock::now() - begun;
        let code = format!("{}: {}", solved.plan.method(), solved.report.code);
        // The plan that was carried out is carried out again; its code is there.
        let plan = solved.plan;
        drop(solved.answers);
        // As the C++ does: a short solve is repeated, so that neither side is measured on cold code.
        let since = clock::now();
        let mut fastest = u64::MAX;
        let mut last = None;
        for _ in 0..REPEATS {
            drop(last.take());
            let start = clock::now();
            last = Some(plan.run(None, &mut monitor).map_err(|given_up| format!("{given_up:?}"))?);
            fastest = fastest.min(clock::now() - start);
            if clock::now() - since > LONG {
                break;
            }
        }
        let table = last.ok_or("there was no solve")?.answers;
        let verdict = table.verdict(&self.bound.start).ok_or("the start has no verdict")?;
        let mut found = Found { positions: Some(table.positions()), ..Found::default() };
        match verdict {
            Verdict::Outcome { outcome, remoteness, .. } => {
                found.winner = Some(winner(outcome).to_string());
                found.remoteness = remoteness.map(u64::from);
            }
            Verdict::Score(value) => found.value = Some(value),
            other => return Err(format!("a benchmark has no use for {other:?}")),
        }
        let (compile, positions) = (first.saturating_sub(fastest), table.positions());
        Ok(Measured { solve: fastest, compile, positions, bytes: monitor.memory().peak(), method: code, found })
    }
}

/// The first player is to move at the start of every game here.
fn winner(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => "first",
        Outcome::Loss => "second",
        Outcome::Draw => "draw",
    }
}
