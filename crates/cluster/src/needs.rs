//! What a cluster needs for a game: predicted from a sample of play, and what positions and moves take.

use engine::Error;
use engine::monitor::Monitor;
use engine::sample::{Budget, Sample, sample};
use positions::oracle::Numbered as _;
use positions::state::StateGraph;

use crate::game::{SharedGame, Sought};

/// What a sample may be: as long as a person waits.
const SAMPLE: Budget = Budget { whole: 100_000, herds: 100_000, most: 1_000_000, seconds: 2.0, places: u64::MAX };
/// A sample may be wrong by so many times: what is predicted to need more than that is refused.
const DOUBT: f64 = 2.0;

/// Bytes that the hash table and the store of keys take for a position beside its words, about.
const NUMBERED: f64 = 8.0;
/// An arrow takes so many times its words, since lists grow by a quarter.
const SLACK: f64 = 1.15;
/// Bytes on the wire for a position that is sorted, beside its key.
const SORTED: f64 = 16.0;

/// What a game needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Needs {
    /// How many positions there are, about.
    pub positions: f64,
    /// Options of a position, on average.
    pub options: f64,
    /// Whether all positions were counted.
    pub is_exact: bool,
    /// Bytes of memory for a position, in all processes together.
    pub bytes: f64,
    /// Bytes on the wire for a position, where each falls to another machine.
    pub wire: f64,
}

impl Needs {
    /// Looks at play from the start on, and predicts what a cluster needs.
    pub fn new(game: &SharedGame, monitor: &mut Monitor) -> Result<Option<Needs>, Error> {
        let memory = monitor.memory().clone();
        let mut graph = StateGraph::without_audit(&game.bound, game.keeps(), game.with_turn, &memory);
        graph.number(&game.bound.start)?;
        let sample = match sample(&mut graph, 1, SAMPLE, monitor) {
            Ok(sample) => sample,
            Err(error @ (Error::Interrupted { .. } | Error::Limit { limit: engine::Limit::Time { .. }, .. })) => {
                return Err(error);
            }
            // The rules go wrong somewhere, which the run will say.
            Err(_) => return Ok(None),
        };
        Ok(Some(Needs::of(&sample, game)))
    }

    fn of(sample: &Sample, game: &SharedGame) -> Needs {
        let words = game.rules().words() as f64;
        let held = 8.0 * words + NUMBERED + 4.0;
        let (values, arrow) = match game.sought {
            Sought::Outcomes => (4.0, 8.0),
            Sought::Nimbers => (4.0 + 4.0 + 12.0, 8.0),
            Sought::Scores => (8.0 + 4.0, 16.0),
        };
        let valuing = held + values + 4.0 + arrow * SLACK * sample.options;
        let sorting = held + values + 8.0 * (words + 2.0) + 16.0;
        let key = f64::from(game.key_bits) / 8.0 * words;
        let gain = if game.sought == Sought::Scores { 16.0 } else { 0.0 };
        let wire = sample.options * (key + 4.125 + 4.125 + gain) + 8.0 * words + SORTED;
        Needs {
            positions: sample.positions,
            options: sample.options,
            is_exact: sample.is_exact,
            bytes: valuing.max(sorting),
            wire,
        }
    }

    /// Bytes of memory that each of so many processes needs.
    pub fn of_each(&self, processes: usize) -> f64 {
        self.positions * self.bytes / processes as f64
    }

    /// How many processes it takes that have so many bytes of memory each.
    pub fn processes(&self, memory: u64) -> f64 {
        (self.positions * self.bytes / memory as f64).ceil().max(1.0)
    }

    /// Whether so many processes of so many bytes of memory surely cannot hold the game.
    pub fn is_beyond(&self, processes: usize, memory: u64) -> bool {
        let doubt = if self.is_exact { 1.0 } else { DOUBT };
        self.of_each(processes) > doubt * memory as f64
    }
}
