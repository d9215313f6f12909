//! The arguments of `solve`, and what may be asked beyond the value of the start.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use perfectplay::solving::{Amount, Best, Options, Question};

use super::values::{amount, depth, number};
use super::{CommonArgs, GameArgs, PositionArgs};

#[derive(Args)]
#[command(
    after_long_help = "Examples:\n  perfectplay solve coins coins=[5,3,7,10]\n  perfectplay solve nim [3,4,5] --json\n  perfectplay solve 'kayles(7) + nim([3,5]) + grundy(12)'\n  perfectplay solve my.game --instance big.json --memory 8G --time 5m\n  perfectplay solve coins [8,15,3,7] --compare greedy --line line.csv --svg table.svg"
)]
pub struct SolveArgs {
    #[command(flatten)]
    pub game: GameArgs,
    #[command(flatten)]
    pub at: PositionArgs,
    #[command(flatten)]
    pub common: CommonArgs,
    #[command(flatten)]
    pub question: QuestionArgs,

    /// Find every best first move, or one of them: where the game was searched, each takes a proof of its own
    #[arg(long, value_name = "HOW MANY", value_enum, default_value_t = BestName::All, hide_default_value = true)]
    pub best: BestName,

    /// Look only this many moves ahead: bounds that are proved, and what the `estimate` of the rules says
    #[arg(long, value_name = "N", value_parser = depth,
          conflicts_with_all = ["method", "check", "line", "compare", "svg"])]
    pub depth: Option<u32>,

    /// Have the interpreter value this many positions of the finished table again, or all
    #[arg(long, value_name = "N|all", value_parser = amount)]
    pub check: Option<Amount>,

    /// Write the whole line of play into a file, one move a line with gains and totals
    ///
    /// CSV with a header; JSON lines if the name ends in .jsonl.
    #[arg(long, value_name = "FILE")]
    pub line: Option<PathBuf>,

    /// Play a simple player against perfect play: its result, its first mistake, what that costs
    #[arg(long, value_name = "PLAYER", value_enum)]
    pub compare: Option<PlayerName>,

    /// Draw the values of all intervals into an SVG file, for games in which two indices close in
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// Write a certificate of the answer, which `perfectplay verify` checks
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,

    /// With --proof: only compare this many positions with their options; that is no proof
    #[arg(long, value_name = "N", value_parser = number, requires = "proof")]
    pub sample: Option<u64>,

    /// Draw the thermograph of the value into an SVG file, for games whose moves belong to players
    #[arg(long, value_name = "FILE")]
    pub thermograph: Option<PathBuf>,

    /// Solve many instances: one JSON object a line, of parameters; one line of JSON answers each. - is standard input
    ///
    /// A line may also have the keys instance, position, turn and after. What is given as words holds for all lines
    /// that do not say otherwise. A line that cannot be answered gives {"error": …} with the number of the line. Lines are answered in their order, on all cores; --time is for
    /// each of them, and --memory is shared out among those that are solved at the same time. The exit code is 0 if all lines were answered, 2 if something was wrong with one, and 3
    /// if one only met a limit.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["line", "compare", "svg", "thermograph", "proof", "instance", "position", "turn", "after"])]
    pub batch: Option<PathBuf>,
}

impl SolveArgs {
    /// What is asked.
    pub fn options(&self) -> Options {
        Options {
            check: self.check,
            question: self.question.question(),
            best: self.best.best(),
            depth: self.depth,
            ..self.common.limits.options()
        }
    }

    /// Whether more than the answer is asked for.
    pub fn wants_more(&self) -> bool {
        self.line.is_some()
            || self.compare.is_some()
            || self.svg.is_some()
            || self.thermograph.is_some()
            || self.proof.is_some()
    }
}

/// Simple players.
#[derive(Clone, Copy, ValueEnum)]
pub enum PlayerName {
    /// Always the move that brings most at once
    Greedy,
}

/// What is asked of positions other than the start.
#[derive(Args, Clone, Copy)]
pub struct QuestionArgs {
    /// Find the value of the start only, by whichever method is predicted to be the quickest
    ///
    /// That is a search where a table of all positions would take longer. How long play lasts is then not told. --method
    /// alpha_beta or --method proof_number searches in any case.
    #[arg(long, conflicts_with = "strong")]
    pub weak: bool,

    /// Value every position, even where that is far dearer than the start alone
    #[arg(long)]
    pub strong: bool,
}

impl QuestionArgs {
    pub fn question(self) -> Question {
        match (self.weak, self.strong) {
            (true, _) => Question::Weak,
            (false, true) => Question::Strong,
            (false, false) => Question::Auto,
        }
    }
}

/// How many of the best moves are found.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum BestName {
    /// Every one
    All,
    /// One, whichever is proved first
    One,
}

impl BestName {
    pub fn best(self) -> Best {
        match self {
            BestName::All => Best::All,
            BestName::One => Best::One,
        }
    }
}
