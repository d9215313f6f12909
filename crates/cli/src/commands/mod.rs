//! The commands, one file each.

mod build;
mod check;
mod cluster;
mod completions;
mod explain;
mod export;
mod fmt;
mod games;
mod man;
mod moves;
mod play;
mod query;
mod sequence;
mod serve;
mod solve;
mod survey;
mod test;
mod value;
mod verify;

use crate::args::Command;
use crate::failure::Failure;

/// Runs a command and gives the exit code of its answer.
pub fn run(command: Command) -> Result<u8, Failure> {
    match command {
        Command::Solve(args) => solve::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Moves(args) => match args.game.table() {
            Some(table) => query::one(table, &args.at, args.common.json),
            None => moves::run(&args),
        },
        Command::Sequence(args) => sequence::run(&args),
        Command::Survey(args) => survey::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Build(args) => build::run(&args),
        Command::Cluster(args) => cluster::run(&args),
        Command::Query(args) => query::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Worker { nice, tables } => serve::work(&tables, nice),
        Command::Test(args) => test::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Limited { memory, seconds, command } => check::limited(memory, seconds, &command),
        Command::Fmt(args) => fmt::run(&args),
        Command::Lsp => fmt::serve(),
        Command::Value(args) => value::run(&args),
        Command::Games(args) => games::run(&args),
        Command::Man { page, folder } => man::run(page.as_deref(), folder.as_deref()),
        Command::Completions { shell } => completions::run(shell),
    }
}
