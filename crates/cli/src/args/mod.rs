//! The command line.

mod check;
mod cluster;
mod common;
mod explorer;
mod sequence;
mod solve;
mod values;
mod verify;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use perfectplay::plan::MethodName;
use perfectplay::solving::Limits;

use crate::allowed::Allowed;

pub use check::{CheckArgs, JudgeName};
pub use cluster::{ClusterArgs, ClusterCommand, MergeArgs, NeedsArgs, RunArgs};
use common::method_parser;
pub use common::{CommonArgs, GameArgs, GameOrTableArgs, LimitArgs, PositionArgs, SizeArgs};
pub use explorer::{ExportArgs, ServeArgs};
pub use sequence::{FormatName, SequenceArgs};
pub use solve::{QuestionArgs, SolveArgs};
pub use values::machine_memory;
use values::{bytes, duration, number, opponent, some};
pub use verify::VerifyArgs;

const ABOUT: &str = "\
Start with:
  perfectplay games                    the built-in games
  perfectplay solve nim piles=[3,4,5]  who wins, and with which moves
  perfectplay play tic_tac_toe         a game against perfect play

Exit codes:
    0  answered
    1  the answer is no: a test failed, a certificate is wrong
    2  the rules, the instance or the command line are wrong
    3  a limit of memory or time was reached
   70  a mistake in perfectplay itself
  130  stopped with Ctrl-C";

/// Who wins, and how? Exact answers for finite games of perfect information.
#[derive(Parser)]
#[command(name = "perfectplay", version = env!("PERFECTPLAY_VERSION"), max_term_width = 100, after_long_help = ABOUT)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,

    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = ColorName::Auto, hide_possible_values = true,
          help = "When to use colours: auto, always or never")]
    pub color: ColorName,
}

/// When colours are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorName {
    /// At a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Subcommand)]
pub enum Command {
    /// Who wins, by how much, every best first move, and one line of best play
    Solve(SolveArgs),
    /// What kind of game this is, how that is known, and how it will be solved
    Explain(ExplainArgs),
    /// Every legal move of a position, with its worth
    Moves(MovesArgs),
    /// The value as one parameter runs, its period, a plot; a table as two run
    Sequence(SequenceArgs),
    /// Statistics over all positions, or over the instances of the sample
    Survey(SurveyArgs),
    /// The algebra of games: canonical form, outcome, mean, temperature, comparisons
    Value(ValueArgs),
    /// Play a game at the terminal, against perfect play or between people
    Play(PlayArgs),
    /// Store every position of an instance in a table file, resumable
    Build(BuildArgs),
    /// Solve a game by many processes, on one machine or on many
    Cluster(ClusterArgs),
    /// Every legal move of a position, read from a table file
    Query(QueryArgs),
    /// Check a certificate or a table, with a program that shares nothing with the solver
    Verify(VerifyArgs),
    /// Write a table as lines of JSON, CSV or arrays of NumPy; or one page with one solved game, to keep
    Export(ExportArgs),
    /// See, play and change games in a browser
    Serve(ServeArgs),
    /// Answer the questions of a server
    #[command(hide = true)]
    Worker {
        /// How many steps it stands behind other processes
        #[arg(long, default_value_t = 0)]
        nice: i32,
        /// Table files
        tables: Vec<PathBuf>,
    },
    /// Run the examples and check the claims of rules files
    Test(TestArgs),
    /// Check a program of yours against the exact answer, or have it play
    Check(CheckArgs),
    /// Set the blanks of rules files right
    Fmt(FmtArgs),
    /// Serve an editor: the language server protocol on standard input and output
    #[command(
        after_long_help = "Editors start it themselves. `editors/` in the sources has a folder for VS Code, and says how others are set up."
    )]
    Lsp,
    /// Take on limits and become a program
    #[command(hide = true)]
    Limited {
        /// Bytes of memory
        #[arg(long)]
        memory: u64,
        /// Seconds of processor time
        #[arg(long)]
        seconds: u64,
        /// The program and its arguments
        #[arg(last = true)]
        command: Vec<OsString>,
    },
    /// List the built-in games, or print one
    Games(GamesArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print a page of the manual, or write all of them into a folder
    Man {
        /// The command; without one, the page of the program
        #[arg(value_name = "COMMAND", conflicts_with = "folder")]
        page: Option<String>,
        /// Write every page into this folder
        #[arg(long, value_name = "FOLDER")]
        folder: Option<PathBuf>,
    },
}

impl Command {
    /// Whether standard output must hold one JSON object and nothing else.
    pub fn wants_json(&self) -> bool {
        match self {
            Command::Solve(args) => args.common.json || args.batch.is_some(),
            Command::Explain(args) => args.common.json,
            Command::Moves(args) => args.common.json,
            Command::Survey(args) => args.common.json,
            Command::Build(args) => args.json,
            Command::Cluster(args) => match &args.command {
                ClusterCommand::Run(args) => args.json,
                ClusterCommand::Merge(args) => args.json,
                ClusterCommand::Explain(_) => false,
            },
            Command::Query(args) => args.json || args.batch.is_some(),
            Command::Verify(args) => args.json,
            Command::Sequence(args) => args.format() == FormatName::Json,
            Command::Test(args) => args.json,
            Command::Check(args) => args.json,
            Command::Games(args) => args.json,
            Command::Value(args) => args.json,
            Command::Export(args) => args.json,
            Command::Play(_)
            | Command::Serve(_)
            | Command::Worker { .. }
            | Command::Fmt(_)
            | Command::Lsp
            | Command::Limited { .. }
            | Command::Man { .. }
            | Command::Completions { .. } => false,
        }
    }
}

impl Command {
    /// What the whole command may use. Where limits are for each instance or move, its time is not limited.
    pub fn allowed(&self) -> Allowed {
        let once = |common: &CommonArgs| Allowed::once(&common.limits.limits());
        let each = |common: &CommonArgs| Allowed::each(common.limits.limits().memory);
        match self {
            Command::Solve(args) if args.batch.is_some() => each(&args.common),
            Command::Solve(args) => once(&args.common),
            Command::Explain(args) => once(&args.common),
            Command::Moves(args) => once(&args.common),
            Command::Sequence(args) => once(&args.common),
            Command::Survey(args) if args.sample => each(&args.common),
            Command::Survey(args) => once(&args.common),
            Command::Build(args) => Allowed::once(&args.size.limits()),
            Command::Cluster(args) => match &args.command {
                // The processes have limits of their own, and this one waits for them.
                ClusterCommand::Run(args) if args.processes.is_some_and(|processes| processes > 1) => {
                    Allowed::default()
                }
                ClusterCommand::Run(args) => Allowed::once(&args.size().limits()),
                ClusterCommand::Explain(args) => Allowed::once(&args.size.limits()),
                ClusterCommand::Merge(_) => Allowed::default(),
            },
            Command::Verify(args) => Allowed::once(&args.limits()),
            Command::Test(args) => Allowed::each(args.memory),
            Command::Check(args) => Allowed::each(args.all_memory()),
            Command::Value(args) if args.is_each() => Allowed::each(args.limits().memory),
            Command::Value(args) => Allowed::once(&args.limits()),
            Command::Export(args) => Allowed::once(&args.size.limits()),
            Command::Play(_)
            | Command::Query(_)
            | Command::Games(_)
            | Command::Serve(_)
            | Command::Worker { .. }
            | Command::Fmt(_)
            | Command::Lsp
            | Command::Limited { .. }
            | Command::Man { .. }
            | Command::Completions { .. } => Allowed::default(),
        }
    }
}

#[derive(Args)]
#[command(
    after_long_help = "Examples:\n  perfectplay explain chomp\n  perfectplay explain chomp rows=5 columns=6 --run"
)]
pub struct ExplainArgs {
    #[command(flatten)]
    pub game: GameArgs,
    #[command(flatten)]
    pub at: PositionArgs,
    #[command(flatten)]
    pub common: CommonArgs,
    #[command(flatten)]
    pub question: QuestionArgs,
    /// Solve the game too, and tell what it took
    #[arg(long)]
    pub run: bool,
}

#[derive(Args)]
#[command(
    after_long_help = "Examples:\n  perfectplay moves tic_tac_toe\n  perfectplay moves tic_tac_toe --after \"place(0), place(8)\""
)]
pub struct MovesArgs {
    #[command(flatten)]
    pub game: GameOrTableArgs,
    #[command(flatten)]
    pub common: CommonArgs,
    #[command(flatten)]
    pub at: PositionArgs,
}

#[derive(Args)]
#[command(
    after_long_help = "Examples:\n  perfectplay survey tic_tac_toe\n  perfectplay survey nim [3,4,5] --method induction\n  perfectplay survey 'kayles(7) + nim([3,5])'\n  perfectplay survey domineering 3 3 --over board --find '{1|-1}'\n  perfectplay survey chomp --sample"
)]
pub struct SurveyArgs {
    #[command(flatten)]
    pub game: GameOrTableArgs,
    #[command(flatten)]
    pub at: PositionArgs,
    #[command(flatten)]
    pub common: CommonArgs,
    /// Solve the instances of the rules file's sample instead, and tell how often each player wins
    ///
    /// --memory and --time are then for each instance; the time is 20s if it is not given. An instance that reaches a limit is
    /// counted as not known.
    #[arg(long, conflicts_with_all = ["position", "turn", "after", "instance"])]
    pub sample: bool,
    /// With --sample: how many of its instances to solve
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = some, requires = "sample")]
    pub instances: usize,
    /// Value every position in which this variable has any value of its domain, or one of these: NAME, NAME=0..=9, NAME=a,b
    ///
    /// The values of an array are those of each of its items, and those of a set the elements that it may have or not. Other
    /// variables stay as at the start, or as --position says; play need not be able to reach the positions. May be given several
    /// times. For games that the last mover wins.
    #[arg(long, value_name = "VARIABLE", conflicts_with = "sample")]
    pub over: Vec<String>,
    /// With --over: say where this value occurs; may be given several times
    #[arg(long, value_name = "VALUE", requires = "over", allow_hyphen_values = true)]
    pub find: Vec<String>,
    /// With --over: write a line of JSON for each position; the same command goes on where a run was stopped
    #[arg(long, value_name = "FILE", requires = "over")]
    pub lines: Option<PathBuf>,
}

#[derive(Args)]
#[command(
    after_long_help = "Examples:\n  perfectplay play tic_tac_toe\n  perfectplay play connect_k rows=4 columns=4 k=3 --as second\n  perfectplay play tic_tac_toe --opponent slips:3\n  perfectplay play hex size=9 --people"
)]
pub struct PlayArgs {
    #[command(flatten)]
    pub game: GameOrTableArgs,
    #[command(flatten)]
    pub at: PositionArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Which player you are: first, second, third, or a number counted from 0 [default: the one who starts]
    #[arg(long = "as", value_name = "PLAYER")]
    pub seat: Option<String>,
    /// Between people: the computer plays nobody
    #[arg(long, conflicts_with = "seat")]
    pub people: bool,
    /// How well the computer plays: perfect, slips:N, greedy or random
    ///
    /// perfect never gives away anything. slips:5 is the same, but makes about one move in five at random. greedy takes
    /// what it can get at once, or wins at once if it can. random takes any legal move. A game that is too large to solve is
    /// played by looking a few moves ahead, and that is said.
    #[arg(long, value_name = "HOW", value_parser = opponent, default_value = "perfect", conflicts_with = "people")]
    pub opponent: OpponentName,
    /// A number that fixes all chance, to play the same game again
    #[arg(long, value_name = "N", value_parser = number)]
    pub seed: Option<u64>,
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Args)]
#[command(
    after_long_help = "Examples:\n  perfectplay build tic_tac_toe -o ttt.table\n  perfectplay query ttt.table --after \"place(0), place(4)\"\n  perfectplay verify ttt.table\n  perfectplay export ttt.table --csv ttt.csv"
)]
pub struct BuildArgs {
    /// A rules file, or the name of a built-in game (`perfectplay games` lists them)
    pub game: String,

    /// The instance, as for `perfectplay solve`
    #[arg(allow_negative_numbers = true, value_name = "NAME=VALUE")]
    pub words: Vec<String>,

    /// Read the instance from a JSON file; - is standard input
    #[arg(long, value_name = "FILE")]
    pub instance: Option<PathBuf>,

    /// Print one JSON object and nothing else
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub size: SizeArgs,

    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,

    /// The table file
    ///
    /// A run that was stopped goes on when it is started again with the same file; a table that is complete is checked, and
    /// made anew where it is damaged. A file of anything else is not touched.
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,

    /// How often a long solve is kept in files beside the table: a run that is killed loses no more than that, about
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "30s")]
    pub save_every: Duration,

    /// Solve the game by this method, one that values every position: the table is the same
    #[arg(long, value_name = "NAME", value_parser = method_parser())]
    pub method: Option<MethodName>,

    /// Store the canonical form of every position, too: for games that the last mover wins, in which players have different moves
    #[arg(long)]
    pub values: bool,
}

impl BuildArgs {
    /// The game and its instance.
    pub fn game(&self) -> GameArgs {
        GameArgs { game: self.game.clone(), words: self.words.clone(), instance: self.instance.clone() }
    }
}

#[derive(Args)]
#[command(
    after_long_help = "Examples:\n  perfectplay query coins.table\n  perfectplay query coins.table --after \"left, right\" --json\n  perfectplay query coins.table --batch positions.jsonl"
)]
pub struct QueryArgs {
    /// A table file, made by `perfectplay build`
    pub file: PathBuf,
    #[command(flatten)]
    pub at: PositionArgs,
    /// Answer every line of a file: an object with `position`, `turn` or `after`; - is standard input
    ///
    /// Each answer is one line of JSON, in the order of the lines.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "turn", "after"])]
    pub batch: Option<PathBuf>,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(after_long_help = "Examples:\n  perfectplay test my.game\n  perfectplay test coins nim --instances 50")]
pub struct TestArgs {
    /// Rules files, folders of them, or names of built-in games; all built-in games if none is given
    pub files: Vec<String>,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub json: bool,
    /// Tell of failures only
    #[arg(long, short)]
    pub quiet: bool,
    /// How many instances of each sample to try
    #[arg(long, default_value_t = 1000, value_name = "N")]
    pub instances: usize,
    /// Memory for each instance
    #[arg(long, value_name = "BYTES", value_parser = bytes, default_value = "1G")]
    pub memory: u64,
    /// Time for each instance
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "20s")]
    pub time: Duration,
}

#[derive(Args)]
#[command(
    after_long_help = "Only blanks change: line breaks and comments stay where they are.\n\nExamples:\n  perfectplay fmt my.game\n  perfectplay fmt --check games\n  perfectplay fmt - < my.game"
)]
pub struct FmtArgs {
    /// Rules files, or folders of them; - formats standard input to standard output
    #[arg(required = true)]
    pub files: Vec<String>,
    /// Change nothing; the exit code is 1 if a file is not formatted
    #[arg(long)]
    pub check: bool,
}

#[derive(Args)]
#[command(after_long_help = "Examples:\n  perfectplay games\n  perfectplay games coins > my.game")]
pub struct GamesArgs {
    /// Print the rules of this game
    pub name: Option<String>,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(after_long_help = value_help())]
pub struct ValueArgs {
    /// Expressions of games, such as '{1|*} + ^', '2*domineering(2,3) || 0' or 'temp({4|1||-2})'
    ///
    /// A name with brackets is a position: a game of the gallery or a rules file with its parameters, as in
    /// `perfectplay solve 'kayles(7) + nim([3,5])'`. Without an expression there is a prompt; - reads one expression a
    /// line from standard input.
    #[arg(value_name = "EXPR", allow_negative_numbers = true)]
    pub expressions: Vec<String>,

    /// Print one JSON object an expression, each on one line, and nothing else
    #[arg(long)]
    pub json: bool,

    /// Draw the thermograph too
    #[arg(long)]
    pub draw: bool,

    /// Draw the thermograph into an SVG file
    #[arg(long, value_name = "FILE")]
    pub thermograph: Option<PathBuf>,

    /// Memory for values, such as 500M or 8G [default: 4G, or three quarters of what is free if that is less]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory: Option<u64>,

    /// Give up after this time, such as 500ms, 60s or 5m; at the prompt and with - it is for each expression
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,

    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}

impl ValueArgs {
    /// Whether limits are for each expression.
    pub fn is_each(&self) -> bool {
        self.expressions.is_empty() || self.expressions.iter().any(|text| text == "-")
    }

    pub fn limits(&self) -> Limits {
        SizeArgs { memory: self.memory, time: self.time, threads: None }.limits()
    }
}

/// Examples, and the functions of expressions.
fn value_help() -> String {
    let mut text = "Examples:\n  perfectplay value '{1|*} + ^'\n  perfectplay value 'domineering(2,3) + 2*{1|-1} - \
                    toads_and_frogs(2,1,2)'\n  perfectplay value '{2|-1} || 0' 'cool({4|0}, 1)'\n  perfectplay value \
                    'domineering(4,4)' --thermograph 4x4.svg\n\nValues: 1/2, *3, ^, ^*, v2, ^[2], {1|-1}, {2|0||-1}, ±1, \
                    tiny(2) or +_2, on, off, over, a{0|a}\nSigns: + - n*x x:y (ordinal sum), = != < <= > >= || (confused) \
                    <| |>\n\nFunctions:\n"
        .to_string();
    for function in perfectplay::values::FUNCTIONS {
        text.push_str(&format!("  {:<18} {}\n", function.usage, function.gives));
    }
    text.trim_end().to_string()
}

/// How well the computer plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpponentName {
    /// Always a best move.
    Perfect,
    /// A best move, but about one in so many at random.
    Slips(u64),
    /// What brings most at once.
    Greedy,
    /// Anything.
    Random,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
