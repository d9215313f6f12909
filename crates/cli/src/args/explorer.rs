//! The words of `serve`, of the workers it starts, and of `export`.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::values::{bytes, duration};
use super::{GameArgs, SizeArgs};

#[derive(Args)]
#[command(
    after_long_help = "Examples:\n  perfectplay serve\n  perfectplay serve --port 9000 --job-time 10m\n  perfectplay serve --table coins.table"
)]
pub struct ServeArgs {
    /// The port to listen at; 0 takes any that is free
    #[arg(long, value_name = "N", default_value_t = 8017)]
    pub port: u16,

    /// The address to listen at; 0.0.0.0 lets other machines in
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub listen: IpAddr,

    /// A name by which other machines may call this server
    #[arg(long, value_name = "NAME")]
    pub allow_host: Vec<String>,

    /// A table file made by `perfectplay build`, to be walked through
    #[arg(long, value_name = "FILE")]
    pub table: Vec<PathBuf>,

    /// The most processor time of an answer
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "2s")]
    pub time: Duration,

    /// The most memory of an answer [default: 512M, or less where the total is small]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory: Option<u64>,

    /// The most processor time of a job
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "2m")]
    pub job_time: Duration,

    /// The most memory of a job [default: 2G, or less where the total is small]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub job_memory: Option<u64>,

    /// The most memory of all answers and jobs together [default: three quarters of the machine's]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub total_memory: Option<u64>,

    /// How many jobs run at a time
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=64))]
    pub jobs: u8,
}

#[derive(Args)]
#[command(
    after_long_help = "Examples:\n  perfectplay export tic_tac_toe --html tic_tac_toe.html\n  perfectplay export ttt.table --csv ttt.csv\n  perfectplay export ttt.table --numpy ttt --stats"
)]
pub struct ExportArgs {
    /// A table file that `perfectplay build` made; or, for a page, a rules file or the name of a built-in game
    pub game: String,

    /// For a page: the instance, as for `perfectplay solve`
    #[arg(allow_negative_numbers = true, value_name = "NAME=VALUE")]
    pub words: Vec<String>,

    /// For a page: read the instance from a JSON file; - is standard input
    #[arg(long, value_name = "FILE")]
    pub instance: Option<PathBuf>,

    /// The page to write: one file with the board, the moves and their values, which needs no server
    #[arg(long, value_name = "FILE", conflicts_with_all = ["jsonl", "csv", "numpy", "stats", "json"])]
    pub html: Option<PathBuf>,

    /// Write a line of JSON for each position of the table; - is standard output
    #[arg(long, value_name = "FILE")]
    pub jsonl: Option<PathBuf>,

    /// Write a line of comma-separated values for each position of the table; - is standard output
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,

    /// Write arrays that NumPy loads, one a file, into this folder
    #[arg(long, value_name = "FOLDER")]
    pub numpy: Option<PathBuf>,

    /// Tell how many positions of the table are won, drawn and lost, in how many moves, of which scores and nimbers
    #[arg(long)]
    pub stats: bool,

    /// With --stats: print one JSON object and nothing else
    #[arg(long, requires = "stats")]
    pub json: bool,

    #[command(flatten)]
    pub size: SizeArgs,

    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}

impl ExportArgs {
    /// The game of a page.
    pub fn game(&self) -> GameArgs {
        GameArgs { game: self.game.clone(), words: self.words.clone(), instance: self.instance.clone() }
    }
}
