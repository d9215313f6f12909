//! The arguments of `check`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use perfectplay::solving::Limits;

use super::GameArgs;
use super::values::{bytes, duration, number, some, threads};

const EXAMPLES: &str = "\
The rules file says how an instance is written and what is printed:
  input \"{len(coins)}\\n{coins}\";
  output winner as \"First\"/\"Second\";
--input, --output and --format say it from outside.

Exit codes: 0 the program is right; 1 it is wrong; 2 the command line or the rules are wrong;
3 no instance could be solved within the limits.

Examples:
  perfectplay check coins -- ./my_solution
  perfectplay check stones --random 500 --input '{n}' --output 'winner as \"First\"/\"Second\"' -- python3 stones.py
  perfectplay check nim --format leetcode -- node nim.js
  perfectplay check nim piles=[3,4,5] -- ./my_nim
  perfectplay check nim --play -- ./my_player";

#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub struct CheckArgs {
    /// A rules file, or the name of a built-in game (`perfectplay games` lists them)
    pub game: String,

    /// One instance to check, as for `perfectplay solve`, instead of many
    #[arg(allow_negative_numbers = true, value_name = "NAME=VALUE")]
    pub words: Vec<String>,

    /// The program and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,

    /// Check so many instances of the sample: small ones, edges of its ranges, and random ones [default: 200]
    #[arg(long, value_name = "N", value_parser = some, conflicts_with = "from")]
    pub random: Option<usize>,

    /// Take the instances from a file: one JSON object on each line; - is standard input
    #[arg(long, value_name = "FILE")]
    pub from: Option<PathBuf>,

    /// Ranges in the place of the rules file's sample, such as 'n in 1..=50; row in [1..=9; 0..=20]'
    #[arg(long, value_name = "RANGES", conflicts_with = "from")]
    pub sample: Option<String>,

    /// A number that fixes all chance
    #[arg(long, value_name = "N", value_parser = number, default_value_t = 1)]
    pub seed: u64,

    /// How an instance is written, such as '{n} {m}\n{row}'; \n is a line break
    #[arg(long, value_name = "TEXT")]
    pub input: Option<String>,

    /// What the program prints, such as 'winner as "First"/"Second"' or 'value'
    #[arg(long, value_name = "FIELDS")]
    pub output: Option<String>,

    /// The format of a judge, for what the rules file or the options do not say
    #[arg(long, value_name = "NAME", value_enum)]
    pub format: Option<JudgeName>,

    /// Have the program play against perfect play through its standard input and output
    ///
    /// It reads the instance, then a line with its seat (first or second), then a line for each move of the other
    /// player, and writes a line for each of its own: the choices of a move as numbers, after its name where there are
    /// several kinds, and in a sum after the number of the part.
    #[arg(long)]
    pub play: bool,

    /// With --play: the seat of the program [default: each in turn]
    #[arg(long = "as", value_name = "PLAYER", requires = "play")]
    pub seat: Option<String>,

    /// Time for each run of the program, and with --play for each move
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "2s")]
    pub run_time: Duration,

    /// Memory for each run of the program
    #[arg(long, value_name = "BYTES", value_parser = bytes, default_value = "1G")]
    pub run_memory: u64,

    /// Memory for the exact answer of each instance
    #[arg(long, value_name = "BYTES", value_parser = bytes, default_value = "1G")]
    pub memory: u64,

    /// Time for the exact answer of each instance
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "10s")]
    pub time: Duration,

    /// How many runs go on at once [default: one for each core]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<u32>,

    /// Print one JSON object and nothing else
    #[arg(long)]
    pub json: bool,

    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}

/// The formats of judges.
#[derive(Clone, Copy, ValueEnum)]
pub enum JudgeName {
    /// Lengths of lists and numbers on a line, then a line for each list; First, Second or Draw
    Atcoder,
    /// That after a line with 1, the number of tests; answers in any case
    Codeforces,
    /// A line of JSON for each parameter; true or false
    Leetcode,
    /// The instance as one JSON object
    Json,
}

impl JudgeName {
    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            JudgeName::Atcoder => "atcoder",
            JudgeName::Codeforces => "codeforces",
            JudgeName::Leetcode => "leetcode",
            JudgeName::Json => "json",
        }
    }
}

impl CheckArgs {
    /// The game, and the one instance that is named.
    pub fn game(&self) -> GameArgs {
        GameArgs { game: self.game.clone(), words: self.words.clone(), instance: None }
    }

    /// What all exact answers that are found at once may use.
    pub fn all_memory(&self) -> u64 {
        self.memory.saturating_mul(self.runs() as u64)
    }

    /// How many runs go on at once.
    pub fn runs(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.threads.map_or_else(cores, |threads| threads as usize)
    }

    /// What each exact answer may use.
    pub fn limits(&self) -> Limits {
        Limits { memory: self.memory, time: Some(self.time) }
    }
}
