//! Arguments that many commands share: a game, a position of it, limits.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use perfectplay::plan::{self, MethodName};
use perfectplay::solving::{Engine, Limits, Options};
use perfectplay::tables::TableFile;

use super::values::{bytes, duration, free_memory, threads};

/// A game and an instance of it.
#[derive(Args)]
pub struct GameArgs {
    /// A rules file, or the name of a built-in game (`perfectplay games` lists them)
    ///
    /// Or a sum of different games, each with its parameters in parentheses, such as 'kayles(7) + nim([3,5]) + *4',
    /// where *4 is a Nim heap of four.
    pub game: String,

    /// The instance: name=value words, such as coins=[5,3,7] or n=10^18
    ///
    /// Each value is JSON; 10^18 and 1e18 are whole numbers too, the value of a parameter that is a text needs no quotes, and
    /// @file.json reads a value from a file. A game with one parameter takes its bare value. The word - reads a JSON object from standard input.
    /// What is left out takes the default of the rules file.
    #[arg(allow_negative_numbers = true, value_name = "NAME=VALUE")]
    pub words: Vec<String>,

    /// Read the instance from a JSON file; - is standard input
    #[arg(long, value_name = "FILE")]
    pub instance: Option<PathBuf>,
}

/// A game and an instance of it, or a table that says both.
#[derive(Args)]
pub struct GameOrTableArgs {
    /// A rules file, or the name of a built-in game (`perfectplay games` lists them)
    ///
    /// Or a sum of different games, each with its parameters in parentheses, such as 'kayles(7) + nim([3,5]) + *4',
    /// where *4 is a Nim heap of four.
    #[arg(required_unless_present = "table")]
    game: Option<String>,

    /// The instance: name=value words, such as coins=[5,3,7] or n=10^18
    ///
    /// Each value is JSON; 10^18 and 1e18 are whole numbers too, the value of a parameter that is a text needs no quotes, and
    /// @file.json reads a value from a file. A game with one parameter takes its bare value. The word - reads a JSON object from standard input.
    /// What is left out takes the default of the rules file.
    #[arg(allow_negative_numbers = true, value_name = "NAME=VALUE")]
    words: Vec<String>,

    /// Read the instance from a JSON file; - is standard input
    #[arg(long, value_name = "FILE")]
    instance: Option<PathBuf>,

    /// Read the values from a table file that `perfectplay build` made; it says which game it is of
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "words", "instance"])]
    table: Option<PathBuf>,
}

impl GameOrTableArgs {
    /// The table that was named: with --table, or in the place of a game.
    pub fn table(&self) -> Option<&Path> {
        let named =
            self.game.as_deref().map(Path::new).filter(|path| self.words.is_empty() && TableFile::is_table(path));
        self.table.as_deref().or(named)
    }

    /// The game that was named; nothing where there is a table.
    pub fn game(&self) -> GameArgs {
        let game = self.game.clone().unwrap_or_default();
        GameArgs { game, words: self.words.clone(), instance: self.instance.clone() }
    }
}

/// Where play stands.
#[derive(Args, Default)]
pub struct PositionArgs {
    /// The position: its variables as JSON, such as '{"left": 3}', or the drawing of the board
    ///
    /// A sum is a list of its parts, and where there is one variable its bare value will do: '[3, 5]'. Named constants are
    /// texts, sets are lists. Play need not be able to come there. @FILE reads it from a file.
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    pub position: Option<String>,

    /// Who moves in that position: first, second, third, or a number counted from 0 [default: who starts]
    #[arg(long, value_name = "PLAYER")]
    pub turn: Option<String>,

    /// Moves that were played from there on, such as "left, take(2)"
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub after: Option<String>,
}

impl PositionArgs {
    /// Whether play stands where the rules start it.
    pub fn is_empty(&self) -> bool {
        self.position.is_none() && self.turn.is_none() && self.after.is_none()
    }
}

/// Options that every solving command has.
#[derive(Args)]
pub struct CommonArgs {
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub limits: LimitArgs,

    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}

/// Limits on a solve, and how it is done.
#[derive(Args)]
pub struct LimitArgs {
    #[command(flatten)]
    pub size: SizeArgs,

    /// Force a method; one that does not apply says why
    #[arg(long, value_name = "NAME", value_parser = method_parser())]
    pub method: Option<MethodName>,

    /// What runs the rules; by default compiled code where that pays
    #[arg(long, value_name = "NAME", value_enum)]
    pub engine: Option<EngineName>,
}

/// What a solve may take.
#[derive(Args)]
pub struct SizeArgs {
    /// Memory for positions, such as 500M or 8G [default: 4G, or three quarters of what is free if that is less]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory: Option<u64>,

    /// Give up after this time, such as 500ms, 60s, 5m or 2h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,

    /// Use at most this many threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<u32>,
}

impl SizeArgs {
    pub fn limits(&self) -> Limits {
        let default = Limits::default().memory;
        let free = free_memory().map_or(default, |free| free / 4 * 3);
        Limits { memory: self.memory.unwrap_or(default.min(free)), time: self.time }
    }

    pub fn options(&self) -> Options {
        Options { threads: self.threads.map_or(0, |threads| threads as usize), ..Options::default() }
    }
}

impl LimitArgs {
    pub fn limits(&self) -> Limits {
        self.size.limits()
    }

    pub fn options(&self) -> Options {
        let engine = match self.engine {
            None => Engine::Auto,
            Some(EngineName::Interpreted) => Engine::Interpreted,
            Some(EngineName::Compiled) => Engine::Compiled,
        };
        Options { method: self.method, engine, ..self.size.options() }
    }
}

/// The methods by name, with what each is for.
pub(super) fn method_parser() -> impl TypedValueParser<Value = MethodName> {
    let known = plan::methods().map(|method| PossibleValue::new(method.name()).help(plan::about(method)));
    PossibleValuesParser::new(known).try_map(|name| plan::method(&name).ok_or("there is no such method"))
}

/// What can run the rules.
#[derive(Clone, Copy, ValueEnum)]
pub enum EngineName {
    /// The interpreter, always
    Interpreted,
    /// Compiled code wherever it can be made, however small the game
    Compiled,
}
