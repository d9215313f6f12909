//! The arguments of `perfectplay verify`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use perfectplay::solving::Limits;

use super::values::{bytes, duration};
use super::{GameArgs, SizeArgs};

#[derive(Args)]
#[command(
    after_long_help = "The exit code is 0 if all that is claimed is proved, 1 if the file is wrong or damaged, 2 if it cannot be read, 3 if a limit was reached or the certificate is only a sample.\n\nExamples:\n  perfectplay solve tic_tac_toe --proof ttt.proof\n  perfectplay verify ttt.proof\n  perfectplay verify ttt.proof tic_tac_toe size=3\n  perfectplay verify ttt.table\n  perfectplay verify large.table --share 0.01"
)]
pub struct VerifyArgs {
    /// A certificate, made by `perfectplay solve --proof`, or a table, made by `perfectplay build`
    pub file: PathBuf,

    /// The game that it should be about: a rules file, or the name of a built-in game
    ///
    /// A certificate holds the rules, the instance and the position, and is checked by itself. If a game is given, the text of its
    /// rules and the instance must be the same.
    pub game: Option<String>,

    /// The instance that it should be about, as for `perfectplay solve`
    #[arg(allow_negative_numbers = true, value_name = "NAME=VALUE", requires = "game")]
    pub words: Vec<String>,

    /// Of a table: compare only this share of its positions, chosen at random, such as 0.01
    ///
    /// That shows mistakes and proves nothing. The checksums are compared all the same.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub share: Option<f64>,

    /// With --share: a number that fixes which positions are chosen
    #[arg(long, value_name = "N", default_value_t = 1, requires = "share")]
    pub seed: u64,

    /// Print one JSON object and nothing else
    #[arg(long)]
    pub json: bool,

    /// Memory for positions, such as 500M or 8G [default: 4G, or three quarters of what is free if that is less]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory: Option<u64>,

    /// Give up after this time, such as 500ms, 60s, 5m or 2h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,

    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}

/// A share above 0, and at most 1.
fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| *share > 0.0 && *share <= 1.0);
    share.ok_or_else(|| "a share is a number above 0 and at most 1, such as 0.01".to_string())
}

impl VerifyArgs {
    pub fn limits(&self) -> Limits {
        SizeArgs { memory: self.memory, time: self.time, threads: None }.limits()
    }

    /// The game that it should be about.
    pub fn expected(&self) -> Option<GameArgs> {
        let game = self.game.clone()?;
        Some(GameArgs { game, words: self.words.clone(), instance: None })
    }
}
