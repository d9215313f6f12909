//! `perfectplay cluster`: a game solved by many processes, and its table in parts.

mod explain;
mod merge;
mod run;
mod start;

use std::path::Path;

use perfectplay::answer::Verdict;
use perfectplay::json::{self, BuiltTable};
use perfectplay::language::Bound;

use crate::args::{ClusterArgs, ClusterCommand};
use crate::failure::Failure;
use crate::output::{self, FAINT, STRONG, bytes_text, plural, seconds_text, styled};
use crate::phrases;

pub fn run(args: &ClusterArgs) -> Result<u8, Failure> {
    match &args.command {
        ClusterCommand::Run(args) => run::run(args),
        ClusterCommand::Explain(args) => explain::run(args),
        ClusterCommand::Merge(args) => merge::run(args),
    }
}

/// A table that is complete.
struct Told<'t> {
    path: &'t Path,
    verdict: Option<Verdict>,
    layout: String,
    positions: u64,
    bytes: u64,
    hash: Option<u128>,
    seconds: f64,
    /// How it came about.
    how: String,
}

/// Tells of a table as `build` does.
fn tell(bound: &Bound, told: &Told<'_>, as_json: bool) {
    let Told { path, verdict, layout, positions, bytes, hash, seconds, how } = told;
    if as_json {
        let file = &path.to_string_lossy();
        let table = BuiltTable { file, layout, positions: *positions, bytes: *bytes, hash: *hash, seconds: *seconds };
        return output::print_line(&json::built(bound, verdict.as_ref(), &table));
    }
    let title = format!("{}: {}, {}", path.display(), plural(*positions, "position"), bytes_text(*bytes));
    let standing = phrases::standing(bound.start.turn, verdict.as_ref());
    let how = styled(format!("{layout}; {how}; {}", seconds_text(*seconds)), FAINT);
    output::print(&format!("{}\n  {standing}\n  {how}\n", styled(title, STRONG)));
}
