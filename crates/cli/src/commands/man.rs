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
            Some(found) => page_of(found),
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

/// A command by the name of its page: `perfectplay-solve`.
fn page_of(command: &clap::Command) -> clap::Command {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_string();
    command.clone().name(name)
}

/// Writes the page of the program and that of every command that people see.
fn write_all(whole: &clap::Command, folder: &Path) -> io::Result<usize> {
    fs::create_dir_all(folder)?;
    let seen = whole.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help");
    let pages: Vec<clap::Command> = std::iter::once(whole.clone()).chain(seen.map(page_of)).collect();
    for page in &pages {
        let mut text = Vec::new();
        Man::new(page.clone()).render(&mut text)?;
        fs::write(folder.join(format!("{}.1", page.get_name())), text)?;
    }
    Ok(pages.len())
}
