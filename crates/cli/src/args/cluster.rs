//! The arguments of `perfectplay cluster`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::values::{bytes, duration, threads};
use super::{GameArgs, SizeArgs};

#[derive(Args)]
#[command(
    after_long_help = "Examples:\n  perfectplay cluster run tic_tac_toe --processes 2 -o ttt\n  perfectplay query ttt/whole.table\n  perfectplay cluster merge ttt/whole.table -o ttt.table\n\nOn several machines, on each of them with its own number:\n  perfectplay cluster run big.game --hosts hosts --process 0 -o /data/big"
)]
pub struct ClusterArgs {
    #[command(subcommand)]
    pub command: ClusterCommand,
}

#[derive(Subcommand)]
pub enum ClusterCommand {
    /// Solve a game by many processes, each of which keeps a part of its positions
    Run(RunArgs),
    /// What processes would need for a game
    Explain(NeedsArgs),
    /// Make one table file of a table in parts: the one that `build` makes
    Merge(MergeArgs),
}

#[derive(Args)]
pub struct RunArgs {
    /// A rules file, or the name of a built-in game (`perfectplay games` lists them)
    pub game: String,

    /// The instance, as for `perfectplay solve`
    #[arg(allow_negative_numbers = true, value_name = "NAME=VALUE")]
    pub words: Vec<String>,

    /// Read the instance from a JSON file; - is standard input
    #[arg(long, value_name = "FILE")]
    pub instance: Option<PathBuf>,

    /// The folder of the parts: whole.table in it is the table
    ///
    /// Processes on different machines may each have a folder of their own. To read the table, put all parts beside one whole.table.
    #[arg(long, short, value_name = "FOLDER")]
    pub output: PathBuf,

    /// Start so many processes on this machine
    #[arg(long, value_name = "N", value_parser = threads, conflicts_with_all = ["hosts", "process"])]
    pub processes: Option<u32>,

    /// A file with one host:port a line, a line for each process
    #[arg(long, value_name = "FILE", requires = "process")]
    pub hosts: Option<PathBuf>,

    /// The number of this process: the place of its line in the file of hosts, counted from 0
    #[arg(long, value_name = "K", requires = "hosts")]
    pub process: Option<usize>,

    /// Workers of each process
    #[arg(long, value_name = "N", value_parser = threads, default_value = "1")]
    pub workers: u32,

    /// Memory of each process for positions, such as 500M or 8G [default: 4G, or three quarters of what is free if that is less]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory: Option<u64>,

    /// Give up after this time, such as 60s, 5m or 2h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,

    /// How often a long run is kept in files beside the parts: a run that is ended loses no more than that, about
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5m")]
    pub save_every: Duration,

    /// End the run where nothing is heard of another process for so long
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "10m")]
    pub patience: Duration,

    /// Print one JSON object and nothing else
    #[arg(long)]
    pub json: bool,

    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}

impl RunArgs {
    /// The game and its instance.
    pub fn game(&self) -> GameArgs {
        GameArgs { game: self.game.clone(), words: self.words.clone(), instance: self.instance.clone() }
    }

    /// What each process may use.
    pub fn size(&self) -> SizeArgs {
        SizeArgs { memory: self.memory, time: self.time, threads: Some(self.workers) }
    }
}

#[derive(Args)]
pub struct NeedsArgs {
    #[command(flatten)]
    pub game: GameArgs,

    /// How many processes
    #[arg(long, value_name = "N", value_parser = threads, default_value = "1")]
    pub processes: u32,

    #[command(flatten)]
    pub size: SizeArgs,
}

#[derive(Args)]
pub struct MergeArgs {
    /// The list of the parts: whole.table in the folder of `cluster run`
    pub file: PathBuf,

    /// The table file
    ///
    /// A run that was stopped goes on when it is started again with the same file.
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,

    /// Print one JSON object and nothing else
    #[arg(long)]
    pub json: bool,

    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}
