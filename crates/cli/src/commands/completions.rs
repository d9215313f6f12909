//! `perfectplay completions`: a script that teaches a shell the command line.

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::args::Arguments;
use crate::failure::Failure;
use crate::output;

pub fn run(shell: Shell) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "perfectplay", &mut script);
    output::print(&String::from_utf8_lossy(&script));
    Ok(0)
}
