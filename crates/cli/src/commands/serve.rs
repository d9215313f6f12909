//! `perfectplay serve`: the explorer in a browser; and the workers that it starts.

use std::net::SocketAddr;
use std::path::PathBuf;

use explorer::Settings;

use crate::args::ServeArgs;
use crate::failure::Failure;
use crate::load::reason;
use crate::{output, watch};

/// The hidden command of a worker.
const WORKER: &str = "worker";

pub fn run(args: &ServeArgs) -> Result<u8, Failure> {
    let program = std::env::current_exe()
        .map_err(|error| Failure::usage(format!("cannot find this program itself: {}", reason(&error))))?;
    for path in &args.table {
        if let Err(error) = std::fs::metadata(path) {
            let message = format!("cannot read the table {}: {}", path.display(), reason(&error));
            return Err(Failure::usage_help(message, "`perfectplay build` makes table files"));
        }
    }
    let address = SocketAddr::new(args.listen, args.port);
    let settings = Settings {
        hosts: args.allow_host.clone(),
        tables: args.table.clone(),
        seconds: args.time,
        memory: args.memory,
        job_seconds: args.job_time,
        job_memory: args.job_memory,
        jobs: usize::from(args.jobs),
        ..Settings::new(address, program, vec![WORKER.to_string()])
    };
    let ready = |at: SocketAddr| output::print(&format!("Open http://{at}/ in a browser. Ctrl-C ends the server.\n"));
    // The first signal lets what runs finish, the second ends the program at once.
    let served = watch::unbroken(|| explorer::serve(settings, ready));
    served.map(|()| 0).map_err(|error| {
        let message = format!("cannot listen at {address}: {}", reason(&error));
        Failure::usage_help(message, "another program may use that port: --port N takes another")
    })
}

/// Answers the questions of a server.
pub fn work(tables: &[PathBuf]) -> Result<u8, Failure> {
    watch::unbroken(|| explorer::work(tables));
    Ok(0)
}
