//! The arguments of `sequence`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::CommonArgs;

#[derive(Args)]
#[command(
    after_long_help = "Examples:\n  perfectplay sequence grundy 0..200\n  perfectplay sequence stones n=0..10^3 moves=[2,5,7] --plot\n  perfectplay sequence divisor_game 1..100 --guess\n  perfectplay sequence wythoff a=0..15 b=0..15 --guess\n  perfectplay sequence octal code=0.16 n=0..10^6 --svg 16.svg\n  perfectplay sequence octal code=0.007 n=0..10^8 --checkpoint 007.run --format csv > 007.csv"
)]
pub struct SequenceArgs {
    /// A rules file, the name of a built-in game, or `octal`: a take-and-break game by its code
    pub game: String,

    /// The instance, with one parameter that runs: n=0..100
    ///
    /// One parameter is given as a range, 0..100 without its end or 0..=100 with it; 10^6 and 1e6 are numbers too. A
    /// parameter that is a list of numbers runs through the lists with one number. The others are given as for
    /// `perfectplay solve`. Two parameters given as ranges make a table: rows=1..5 columns=1..5. The game `octal` has a code, such as code=0.77 for Kayles or code=0.(3) for Nim, with octal or
    /// hexadecimal digits, and n, the size of its heap.
    #[arg(value_name = "NAME=VALUE")]
    pub words: Vec<String>,

    /// Read the other parameters from a JSON file; - is standard input
    #[arg(long, value_name = "FILE")]
    pub instance: Option<PathBuf>,

    #[command(flatten)]
    pub common: CommonArgs,

    /// How the values are written
    #[arg(long, value_name = "NAME", value_enum, conflicts_with = "json")]
    pub format: Option<FormatName>,

    /// Draw the values in the terminal
    #[arg(long)]
    pub plot: bool,

    /// Draw the values into an SVG file, rare ones in another colour
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// Genus symbols and the misère quotient of the heaps instead: who takes the last loses
    #[arg(long, conflicts_with_all = ["format", "plot", "svg", "checkpoint"])]
    pub misere: bool,

    /// Propose closed forms of the values, as claims for the rules file
    ///
    /// Each is tested on more instances, and called a guess unless a theorem proves it. That takes up to 20 s for each kind
    /// of claim.
    #[arg(long, conflicts_with_all = ["misere", "format"])]
    pub guess: bool,

    /// Keep the run in this file, and go on from there when started again
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
}

impl SequenceArgs {
    /// How the values are written.
    pub fn format(&self) -> FormatName {
        if self.common.json { FormatName::Json } else { self.format.unwrap_or(FormatName::Table) }
    }
}

/// How values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatName {
    /// For people, cut in the middle if it is long
    Table,
    /// One JSON object, as with --json
    Json,
    /// JSON lines: one object a term, as they come
    Lines,
    /// Comma-separated values: a header, then one line a term, as they come
    Csv,
}
