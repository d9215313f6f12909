//! `perfectplay export`: a table for other programs, or one page with one solved game, to keep.

mod table;

use std::io::Write as _;
use std::path::Path;

use explorer::ExportError;
use perfectplay::tables::TableFile;

use crate::args::ExportArgs;
use crate::failure::Failure;
use crate::files::NewFile;
use crate::load::{self, Asked};
use crate::{output, progress, repair};

pub fn run(args: &ExportArgs) -> Result<u8, Failure> {
    match &args.html {
        Some(html) => page(args, html),
        None if args.jsonl.is_none() && args.csv.is_none() && args.numpy.is_none() && !args.stats => {
            let is_table = TableFile::is_table(Path::new(&args.game));
            let words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
            let help = match is_table {
                true => "--jsonl FILE, --csv FILE, --numpy FOLDER or --stats says what is made of a table",
                false => "--html FILE writes a page; of a table, --jsonl, --csv, --numpy and --stats make other things",
            };
            let unsaid = || Failure::usage_help("it is not said what is to be written", help);
            Err(repair::no_page(&words).filter(|_| !is_table).unwrap_or_else(unsaid))
        }
        None => table::run(args),
    }
}

fn page(args: &ExportArgs, html: &Path) -> Result<u8, Failure> {
    let asked = load::asked(&args.game())?;
    let (rules, bound) = match &asked {
        Asked::Game(game) => &**game,
        Asked::Sum(_) => {
            let help = "a game whose rules are a sum of equal parts can be exported, such as nim";
            return Err(Failure::usage_help("a sum of different games has no page", help));
        }
    };
    let mut file = NewFile::create(html)?;
    let mut monitor = progress::monitor(&args.size.limits(), args.quiet);
    let page = explorer::export(rules, bound, &args.size.options(), &mut monitor).map_err(|error| match error {
        ExportError::Solve(error) => Failure::solving(error, rules),
        other => {
            Failure::usage_help(other.to_string(), "take a smaller instance; `perfectplay serve` shows large games")
        }
    })?;
    drop(monitor);
    let size = page.len();
    file.write_all(page.as_bytes()).map_err(|error| file.failure(&error))?;
    file.finish()?;
    output::print(&format!("wrote {} ({} kB)\n", html.display(), size.div_ceil(1000)));
    Ok(0)
}
