//! `perfectplay cluster explain`: what processes would need for a game.

use cluster::{Needs, SharedGame};

use crate::args::NeedsArgs;
use crate::failure::Failure;
use crate::load::{self, Asked};
use crate::output::{self, bytes_text, plural};
use crate::progress;

pub fn run(args: &NeedsArgs) -> Result<u8, Failure> {
    let (rules, bound) = match load::asked(&args.game)? {
        Asked::Game(game) => *game,
        Asked::Sum(_) => return Err(Failure::usage("a cluster solves one game, and no sum of different games")),
    };
    let mut monitor = progress::monitor(&args.size.limits(), true);
    let shared = SharedGame::new(bound, &args.size.options(), monitor.memory().free());
    let shared = shared.map_err(|error| Failure::solving(error, &rules))?;
    let needs = Needs::new(&shared, &mut monitor).map_err(|error| Failure::unsolved(error.into()))?;
    let Some(needs) = needs else {
        return Err(Failure::usage(
            "play goes wrong before it is known how large the game is; `perfectplay solve` says where",
        ));
    };
    let processes = args.processes as usize;
    let memory = args.size.limits().memory;
    let about = if needs.is_exact { "" } else { "about " };
    let text = format!(
        "{about}{} with {:.1} options each\n  {} a position in memory, {} on the wire\n  {}: {} of memory for each\n  \
         with {} each: {}\n",
        plural(needs.positions as u64, "position"),
        needs.options,
        bytes_text(needs.bytes as u64),
        bytes_text(needs.wire as u64),
        counted(processes as u64),
        bytes_text(needs.of_each(processes) as u64),
        bytes_text(memory),
        counted(needs.processes(memory) as u64),
    );
    output::print(&text);
    Ok(0)
}

/// So many processes.
fn counted(processes: u64) -> String {
    let ending = if processes == 1 { "" } else { "es" };
    format!("{} process{ending}", output::count(processes))
}
