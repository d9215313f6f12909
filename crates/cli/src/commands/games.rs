//! `perfectplay games`: the gallery.

use perfectplay::gallery::{GALLERY, find};
use perfectplay::json;
use perfectplay::language::Rules;

use crate::args::GamesArgs;
use crate::failure::Failure;
use crate::load;
use crate::output::{self, FAINT, STRONG, styled};

pub fn run(args: &GamesArgs) -> Result<u8, Failure> {
    match &args.name {
        Some(name) => one(name, args.json),
        None => all(args.json),
    }
}

fn one(name: &str, json: bool) -> Result<u8, Failure> {
    let source = match find(name) {
        Some(source) => source.to_string(),
        None => load::rules(name)?.source,
    };
    match json {
        true => output::print_json(&json::game(name, &source)),
        false => output::print(&source),
    }
    Ok(0)
}

fn all(json: bool) -> Result<u8, Failure> {
    let width = GALLERY.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    // One line a game where a program may read it, lines that fit where a person does.
    let columns = if output::stdout_is_terminal() { output::width() } else { usize::MAX };
    let mut text = String::new();
    let mut list = Vec::new();
    for (name, source) in GALLERY {
        let program = load::program(&Rules { name: name.to_string(), source: source.to_string() })?;
        let about = program.doc.first().cloned().unwrap_or_default();
        let parameters: Vec<String> =
            program.params.iter().map(|param| format!("{}: {}", param.name, param.ty)).collect();
        text.push_str(&styled(format!("{name:width$}"), STRONG));
        let about = output::prose(&about, width + 2, columns);
        let parameters_text = styled(format!("({})", parameters.join(", ")), FAINT);
        let gap = if columns == usize::MAX { " ".to_string() } else { format!("\n{:1$}", "", width + 2) };
        text.push_str(&format!("  {about}{gap}{parameters_text}\n"));
        list.push((*name, program));
    }
    if columns != usize::MAX {
        let hint = "`perfectplay games NAME` prints a game's rules, `perfectplay play NAME` plays it";
        text.push_str(&format!("{}\n", styled(output::prose(hint, 0, columns), FAINT)));
    }
    match json {
        true => output::print_json(&json::games(list.iter().map(|(name, program)| (*name, &**program)))),
        false => output::print(&text),
    }
    Ok(0)
}
