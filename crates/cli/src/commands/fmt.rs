//! `perfectplay fmt`: blanks of rules files set right; and `perfectplay lsp`: the language in editors.

use std::io::Write as _;
use std::path::Path;

use lsp::format::format;
use perfectplay::Error;
use perfectplay::language::Rules;

use super::test::in_folder;
use crate::args::FmtArgs;
use crate::failure::Failure;
use crate::files::NewFile;
use crate::load;
use crate::output::{self, plural};

pub fn run(args: &FmtArgs) -> Result<u8, Failure> {
    let names: Vec<String> = args.files.iter().map(|name| in_folder(name)).collect::<Result<Vec<_>, _>>()?.concat();
    let mut changed = 0;
    for name in &names {
        let source = load::text(name)?;
        let formatted = format(&source).map_err(|mistakes| {
            let rules = Rules { name: name.clone(), source: source.clone() };
            Failure::Error(Error::mistakes(&rules, mistakes))
        })?;
        let differs = formatted != source;
        changed += usize::from(differs);
        match (args.check, name == "-") {
            (true, _) if differs => output::print(&format!("{name} is not formatted\n")),
            (true, _) => {}
            (false, true) => drop(output::print_plain(&formatted)),
            (false, false) if differs => write(name, &formatted)?,
            (false, false) => {}
        }
    }
    if !args.check && changed > 0 && !names.iter().any(|name| name == "-") {
        output::print(&format!("{} formatted\n", plural(changed as u64, "file")));
    }
    Ok(u8::from(args.check && changed > 0))
}

/// Writes a file in the place of the old one, whole or not at all.
fn write(name: &str, text: &str) -> Result<(), Failure> {
    let mut file = NewFile::create(Path::new(name))?;
    file.write_all(text.as_bytes()).map_err(|error| file.failure(&error))?;
    file.finish()
}

/// Serves an editor until it says goodbye.
pub fn serve() -> Result<u8, Failure> {
    match lsp::server::serve() {
        Ok(()) => Ok(0),
        Err(error) => Err(Failure::usage_help(
            format!("the editor broke off: {error}"),
            "`perfectplay lsp` is started by an editor, which speaks the language server protocol",
        )),
    }
}
