//! Statistics over all positions that play can reach, and over the instances of a sample.
//!
//! ```
//! use perfectplay::survey::{self, Bin, Counted, Histogram, Longest, SampleSurvey, Sides, Survey, ValueCounts};
//! use perfectplay::{Solver, language::Rules};
//!
//! let game = Rules::gallery("tic_tac_toe").unwrap().bind("{}")?;
//! let found: Survey = Solver::new().survey(&game)?;
//! assert_eq!((found.positions, found.over, found.counted), (5478, 958, Counted::Positions));
//! let Sides { won, .. } = found.outcomes.unwrap();
//! let lengths: Vec<(Bin, Sides)> = survey::lengths(found.remoteness.as_ref().unwrap(), 5);
//! assert_eq!(won, lengths.iter().map(|(_, sides)| sides.won).sum::<u64>());
//! let moves: &Histogram = &found.moves;
//! assert!(moves.mean() > 1.0 && moves.bins(3).len() <= 3);
//! let Longest { moves, .. } = found.longest_win.unwrap();
//! assert_eq!(moves, 5);
//!
//! // A game that is solved already, or read from a table file, is walked through as it is.
//! let solved = Solver::new().method("search").solved(&game)?;
//! let again = survey::of_solved(&solved, &Solver::new().options()?, &mut Solver::new().monitor())?;
//! assert_eq!(again.positions, 5478);
//!
//! // Who wins Nim with three small piles, over the instances of the file's sample?
//! let nim = Rules::gallery("nim").unwrap().program()?;
//! let solver = Solver::new();
//! let sample: SampleSurvey = survey::sample(&nim, 50, &solver.options()?, &mut |_, _| solver.monitor())?;
//! assert_eq!(sample.instances, 50);
//!
//! // Games whose players have moves of their own have values: how many, and which are frequent.
//! let board = Rules::gallery("domineering").unwrap().bind(r#"{"rows": 2, "columns": 3}"#)?;
//! let found = survey::survey(&board, &solver.options()?, &mut solver.monitor())?;
//! let values: ValueCounts = found.values.unwrap();
//! assert!(values.distinct > 3 && values.frequent[0].1 > 1);
//! # Ok::<(), perfectplay::Error>(())
//! ```
//!
//! A family of positions, each with its value:
//!
//! ```
//! use perfectplay::survey::{self, Family, Found, Frequent, SurveyedPosition, Task, Unvalued, ValueSurvey};
//! use perfectplay::{Solver, family, language::Rules};
//!
//! let board = Rules::gallery("domineering").unwrap().bind(r#"{"rows": 2, "columns": 2}"#)?;
//! let boards: Family = family::read(&board, &board.start, &["board".to_string()]).unwrap();
//! let mut lines = Vec::new();
//! let mut task = Task {
//!     family: &boards,
//!     wanted: &["±1".to_string()],
//!     known: &mut std::iter::empty(),
//!     each: &mut |position: &SurveyedPosition<'_>| Ok(lines.push(position.number)),
//!     listed: true,
//! };
//! let solver = Solver::new();
//! let found: ValueSurvey = survey::values(&board, &mut task, &solver.options()?, &mut solver.monitor())?;
//! let frequent: &Frequent = &found.values[0];
//! assert_eq!((found.positions, lines.len(), frequent.canonical.name.as_deref()), (16, 16, Some("0")));
//! let Found { count, .. } = &found.found[0]; // The positions whose value was looked for.
//! let unvalued: Option<Unvalued> = found.unvalued;
//! assert_eq!((*count, unvalued.is_none()), (1, true));
//! # Ok::<(), perfectplay::Error>(())
//! ```

use game::Verdict;
use rules::bind::Bound;
use solve::options::Options;

use crate::solving::Monitor;
use crate::sums::{Sum, SumError};

#[doc(inline)]
pub use solve::survey::family::Family;
#[doc(inline)]
pub use solve::survey::sample::{SampleSurvey, survey as sample};
#[doc(inline)]
pub use solve::survey::{Bin, Counted, Histogram, Longest, Sides, Survey, ValueCounts, lengths, of_solved, survey};

#[doc(inline)]
pub use solve::survey::family_values::{
    Found, Frequent, SurveyedPosition, Task, Unvalued, ValueSurvey, survey as values,
};

/// Statistics of a sum of different games: of each summand by itself.
///
/// See [`sum`] for an example.
#[derive(Clone, Debug)]
pub struct SumSurvey {
    /// The sum as it was written.
    pub sum: String,
    /// What the whole sum is worth to the player who starts.
    pub worth: Verdict,
    /// The summands in order: its name, and the number of its game.
    pub summands: Vec<(String, usize)>,
    /// The different games, surveyed.
    pub games: Vec<Survey>,
    /// What it took, in seconds.
    pub seconds: f64,
    /// Bytes at the peak.
    pub bytes: u64,
}

/// Surveys the summands of a sum of different games. Equal ones are looked at once.
///
/// ```
/// use perfectplay::{Solver, sums::{Gallery, Sum}, survey};
///
/// let sum = Sum::read("2*kayles(7) + *5", &Gallery)?;
/// let found = survey::sum(&sum, &Default::default(), &mut Solver::new().monitor()).unwrap();
/// assert_eq!((found.summands.len(), found.games.len()), (3, 2));
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub fn sum(sum: &Sum, options: &Options, monitor: &mut Monitor) -> Result<SumSurvey, SumError> {
    let (worth, names) = {
        let solved = sum.solve(options, monitor)?;
        let names: Vec<String> = (0..sum.len()).map(|summand| solved.compound.name(summand).to_string()).collect();
        (solved.verdict(&solved.compound.start())?, names)
    };
    let options = Options { summand: true, ..options.clone() };
    let (mut bounds, mut games): (Vec<&Bound>, Vec<Survey>) = (Vec::new(), Vec::new());
    let mut summands = Vec::new();
    for (number, (summand, name)) in sum.summands().iter().zip(names).enumerate() {
        let known = bounds.iter().position(|bound| std::ptr::eq(*bound, summand.bound));
        if known.is_none() {
            let found = survey(summand.bound, &options, monitor);
            games.push(found.map_err(|error| SumError { summand: number, error })?);
            bounds.push(summand.bound);
        }
        summands.push((name, known.unwrap_or(games.len() - 1)));
    }
    let (seconds, bytes) = (monitor.elapsed().as_secs_f64(), monitor.memory().peak());
    Ok(SumSurvey { sum: sum.text().to_string(), worth, summands, games, seconds, bytes })
}
