//! `perfectplay man`: the manual as pages for `man`, made from the same description as the help.

use std::fs;
use std::io;
use std::path::Path;

use clap::CommandFactory as _;
use clap_mangen::Man;

use crate::args::Arguments;
use crate::failure::Failure;
use crate::load::reason;
use crate::output;

/// Prints the page of a command, or of the program; or writes all pages into a folder.
pub fn run(command: Option<&str>, folder: Option<&Path>) -> Result<u8, Failure> {
    let mut whole = Arguments::command();
    whole.build();
    if let Some(folder) = folder {
        let unwritten =
            |error: &io::Error| Failure::usage(format!("cannot write {}: {}", folder.display(), reason(error)));
        let written = write_all(&whole, folder).map_err(|error| unwritten(&error))?;
        output::print(&format!("wrote {written} pages to {}\n", folder.display()));
        return Ok(0);
    }
    let found = match command {
        None => whole,
        Some(name) => match whole.find_subcommand(name).filter(|found| !found.is_hide_set()) {
            Some(found) => found.clone(),
            None => {
                let help = "`perfectplay --help` lists the commands";
                return Err(Failure::usage_help(format!("there is no command `{name}`"), help));
            }
        },
    };
    let mut page = Vec::new();
    // A vector takes everything.
    Man::new(found).render(&mut page).unwrap_or_default();
    output::print(&String::from_utf8_lossy(&page));
    Ok(0)
}

/// Writes the page of the program and that of every command that people see.
fn write_all(whole: &clap::Command, folder: &Path) -> io::Result<usize> {
    fs::create_dir_all(folder)?;
    let seen = whole.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help");
    let mut written = 0;
    for command in std::iter::once(whole).chain(seen) {
        let page = Man::new(command.clone());
        let mut text = Vec::new();
        page.render(&mut text)?;
        // A command is called by the program's name and its own: perfectplay-solve.1.
        fs::write(folder.join(page.get_filename()), text)?;
        written += 1;
    }
    Ok(written)
}
