//! `perfectplay serve`: the explorer in a browser; and the workers that it starts.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use explorer::{Budget, Settings, Wishes};
use perfectplay::tables::TableFile;

use crate::args::{ServeArgs, machine_memory};
use crate::failure::Failure;
use crate::load::reason;
use crate::{output, stored, watch};

/// The hidden command of a worker.
const WORKER: &str = "worker";
/// What a machine is taken to have that does not say it.
const MACHINE: u64 = 8 << 30;

pub fn run(args: &ServeArgs) -> Result<u8, Failure> {
    let program = std::env::current_exe()
        .map_err(|error| Failure::usage(format!("cannot find this program itself: {}", reason(&error))))?;
    for (at, path) in args.table.iter().enumerate() {
        readable(path)?;
        if args.table[..at].iter().any(|other| other.file_name() == path.file_name()) {
            let message = format!("two tables have the name {}", path.file_name().unwrap_or_default().display());
            return Err(Failure::usage_help(message, "tables are asked for by the names of their files"));
        }
    }
    let budget = Budget::new(&Wishes {
        total: args.total_memory.unwrap_or_else(|| machine_memory().unwrap_or(MACHINE) / 4 * 3),
        memory: args.memory,
        job_memory: args.job_memory,
        jobs: usize::from(args.jobs),
        cores: std::thread::available_parallelism().map_or(2, |cores| cores.get()),
    });
    let help = "--total-memory allows more; --memory, --job-memory and --jobs ask for less";
    let budget = budget.map_err(|error| Failure::usage_help(error.to_string(), help))?;
    let address = SocketAddr::new(args.listen, args.port);
    let settings = Settings {
        listen: address,
        hosts: args.allow_host.clone(),
        program,
        command: vec![WORKER.to_string()],
        tables: args.table.clone(),
        seconds: args.time,
        job_seconds: args.job_time,
        budget,
    };
    let ready = |at: SocketAddr| output::print(&format!("Open http://{at}/ in a browser. Ctrl-C ends the server.\n"));
    // The first signal lets what runs finish, the second ends the program at once.
    let served = watch::unbroken(|| explorer::serve(settings, ready));
    served.map(|()| 0).map_err(|error| {
        let message = format!("cannot listen at {address}: {}", reason(&error));
        Failure::usage_help(message, "another program may use that port: --port N takes another")
    })
}

/// Sees to it that a table can be walked through.
fn readable(path: &Path) -> Result<(), Failure> {
    TableFile::open_unchecked(path).map(drop).map_err(|error| stored::unreadable(path, &error))
}

/// Answers the questions of a server.
pub fn work(tables: &[PathBuf], nice: i32) -> Result<u8, Failure> {
    watch::leaves_by(explorer::leave);
    watch::unbroken(|| explorer::work(tables, nice));
    Ok(0)
}
