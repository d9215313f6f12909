//! One process of a cluster: it meets the others, and solves its share.

use std::time::Duration;

use engine::Limit;
use engine::monitor::Monitor;
use timely::CommunicationConfig;
use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::{AllocatorBuilder, Hooks};

use crate::error::Trouble;
use crate::game::SharedGame;
use crate::hosts::Hosts;
use crate::link::Link;
use crate::meeting::Meeting;
use crate::needs::Needs;
use crate::pulse::Pulse;
use crate::run::{self, Job, Share, Solved};

/// How a process works with others.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// Where all processes are; nothing where there is one.
    pub hosts: Option<Hosts>,
    /// The number of this one.
    pub process: usize,
    /// How many workers each process has.
    pub workers: usize,
    /// How long nothing may be heard of the others.
    pub patience: Duration,
}

impl Cluster {
    /// One process, with so many workers.
    pub fn here(workers: usize) -> Cluster {
        Cluster { hosts: None, process: 0, workers, patience: Duration::from_secs(600) }
    }
}

/// Solves the share of this process. `say` is told what a person should know meanwhile.
pub fn solve(
    game: SharedGame,
    job: Job,
    cluster: &Cluster,
    monitor: &mut Monitor,
    say: &mut dyn FnMut(&str),
) -> Result<Solved, Trouble> {
    let workers = cluster.workers.max(1);
    let processes = cluster.hosts.as_ref().map_or(1, Hosts::len);
    let limit = monitor.memory().limit();
    // What the look took is given back. A refusal is told to the others, who are met first.
    let needs = Needs::new(&game, &mut monitor.fork())?;
    let refused = needs.filter(|needs| needs.is_beyond(processes, limit)).map(|needs| {
        say(&format!("about {} processes with as much memory as this one would do", needs.processes(limit)));
        let needed = needs.of_each(processes) as u64;
        Trouble::Engine(engine::Error::Limit { limit: Limit::Memory { limit, needed }, positions: 0 })
    });
    let pulse = Pulse::new();
    let Some(hosts) = cluster.hosts.as_ref().filter(|hosts| hosts.len() > 1) else {
        let config = if workers > 1 { CommunicationConfig::Process(workers) } else { CommunicationConfig::Thread };
        let built = config.try_build().map_err(Trouble::File)?;
        return run::run(Share { game, job, refused }, built, (&pulse, cluster.patience), monitor, say);
    };
    let identity = job.identity(&game);
    let meeting = Meeting { hosts, process: cluster.process, workers, identity: &identity, patience: cluster.patience };
    let streams = meeting.connect(monitor.cancel(), say)?;
    let links = streams.into_iter().enumerate();
    let links = links.map(|(process, stream)| stream.map(|stream| Link::new(stream, process, &pulse))).collect();
    let hooks = Hooks::default();
    let threads = ProcessBuilder::new_typed_vector(workers, hooks.refill.clone(), hooks.spill.clone());
    let (builders, guard) = initialize_networking_from_sockets(threads, links, cluster.process, workers, hooks)
        .map_err(|error| Trouble::File(format!("the connections to other processes cannot be used: {error}")))?;
    let builders = builders.into_iter().map(AllocatorBuilder::Tcp).collect();
    run::run(Share { game, job, refused }, (builders, Box::new(guard)), (&pulse, cluster.patience), monitor, say)
}
