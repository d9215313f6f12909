//! Statistics over all positions that play can reach, and over the instances of a sample.
//!
//! ```
//! use perfectplay::{Solver, language::Rules, survey};
//!
//! let game = Rules::gallery("tic_tac_toe").unwrap().bind("{}")?;
//! let found = Solver::new().survey(&game)?;
//! assert_eq!((found.positions, found.over), (5478, 958));
//! assert_eq!(found.outcomes.unwrap().won, found.remoteness.unwrap().values().map(|sides| sides.won).sum::<u64>());
//!
//! // Who wins Nim with three small piles, over the instances of the file's sample?
//! let nim = Rules::gallery("nim").unwrap().program()?;
//! let solver = Solver::new();
//! let sample = survey::sample(&nim, 50, &solver.options()?, &mut |_, _| solver.monitor())?;
//! assert_eq!(sample.instances, 50);
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
