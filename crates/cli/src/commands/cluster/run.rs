//! `perfectplay cluster run`: one process of a cluster.

use std::fs;
use std::sync::Arc;
use std::time::Instant;

use cluster::{Cluster, Hosts, Job, LIST, SharedGame, Trouble, TroubleKind};
use perfectplay::SolveError;
use perfectplay::tables;

use super::{Told, start, tell};
use crate::args::RunArgs;
use crate::failure::Failure;
use crate::load::{self, Asked, reason};
use crate::{output, progress};

pub fn run(args: &RunArgs) -> Result<u8, Failure> {
    let began = Instant::now();
    let (rules, bound) = match load::asked(&args.game())? {
        Asked::Game(game) => *game,
        Asked::Sum(_) => return Err(Failure::usage("a cluster solves one game, and no sum of different games")),
    };
    let list = args.output.join(LIST);
    if list.exists() {
        let message = format!("{} is there already", list.display());
        return Err(Failure::usage_help(message, "choose another folder, or remove that file"));
    }
    fs::create_dir_all(&args.output).map_err(|error| {
        Failure::usage(format!("cannot make the folder {}: {}", args.output.display(), reason(&error)))
    })?;
    if let Some(processes) = args.processes.filter(|processes| *processes > 1) {
        return start::all(args, processes as usize);
    }
    let cluster = cluster(args)?;
    let is_first = cluster.process == 0;
    let about = tables::about(&rules, &bound, "");
    let size = args.size();
    let mut monitor = progress::monitor(&size.limits(), args.quiet || args.json || !is_first);
    let shared = SharedGame::new(bound, &size.options(), monitor.memory().free());
    let shared = shared.map_err(|error| Failure::solving(error, &rules))?;
    let bound = Arc::clone(&shared.bound);
    let job = Job { folder: args.output.clone(), about, save_every: Some(args.save_every) };
    let name = format!("process {}", cluster.process);
    let mut say = |said: &str| output::complain(&format!("{name}: {said}\n"));
    let solved = cluster::solve(shared, job, &cluster, &mut monitor, &mut say);
    let solved = solved.map_err(|trouble| failure(trouble, &name, &rules))?;
    drop(monitor);
    if !is_first {
        return Ok(0);
    }
    let written = solved.parts.iter().filter_map(|part| part.written);
    let processes = cluster.hosts.as_ref().map_or(1, Hosts::len);
    let told = Told {
        path: &list,
        verdict: solved.start,
        layout: "in parts".to_string(),
        positions: solved.positions,
        bytes: written.map(|written| written.bytes).sum(),
        hash: None,
        seconds: began.elapsed().as_secs_f64(),
        how: format!("{processes} processes; this one sent {} to others", output::bytes_text(solved.sent)),
    };
    tell(&bound, &told, args.json);
    Ok(0)
}

/// How this process works with others.
fn cluster(args: &RunArgs) -> Result<Cluster, Failure> {
    let workers = args.workers as usize;
    let (Some(path), Some(process)) = (&args.hosts, args.process) else {
        return Ok(Cluster { patience: args.patience, ..Cluster::here(workers) });
    };
    let text = fs::read_to_string(path)
        .map_err(|error| Failure::usage(format!("cannot read {}: {}", path.display(), reason(&error))))?;
    let hosts = Hosts::read(&text).map_err(|why| Failure::usage(format!("{}: {why}", path.display())))?;
    if process >= hosts.len() {
        let message = format!("--process {process} is none of the {} processes of {}", hosts.len(), path.display());
        return Err(Failure::usage_help(message, "processes are counted from 0"));
    }
    Ok(Cluster { hosts: Some(hosts), process, workers, patience: args.patience })
}

/// Why there is no table.
fn failure(trouble: Trouble, name: &str, rules: &perfectplay::language::Rules) -> Failure {
    match (trouble.kind(), trouble) {
        (_, Trouble::Solve(error)) => Failure::solving(error, rules),
        (_, Trouble::Engine(error)) => Failure::unsolved(error.into()),
        (TroubleKind::Interrupted, _) => Failure::unsolved(SolveError::Interrupted { positions: 0 }),
        (TroubleKind::Lost, trouble) => {
            let help = "the same command on all machines goes on with what was kept";
            Failure::Lost { message: format!("{name}: {trouble}"), help: help.to_string() }
        }
        (TroubleKind::Limit, trouble) => {
            let help = "more processes, or more memory for each of them";
            Failure::Lost { message: format!("{name}: {trouble}"), help: help.to_string() }
        }
        (_, trouble) => Failure::usage(format!("{name}: {trouble}")),
    }
}
