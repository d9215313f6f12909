//! `perfectplay games`: the gallery.

use perfectplay::gallery::{GALLERY, find};
use serde_json::json;

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
    let Some(source) = find(name) else {
        let rules = load::rules(name)?;
        output::print(&rules.source);
        return Ok(0);
    };
    if json {
        output::print(&format!("{}\n", json!({ "name": name, "rules": source })));
    } else {
        output::print(source);
    }
    Ok(0)
}

fn all(json: bool) -> Result<u8, Failure> {
    let width = GALLERY.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut text = String::new();
    let mut list = Vec::new();
    for (name, source) in GALLERY {
        let program = load::program(&load::Rules { name: name.to_string(), source: source.to_string() })?;
        let about = program.doc.first().cloned().unwrap_or_default();
        let parameters: Vec<String> =
            program.params.iter().map(|param| format!("{}: {}", param.name, param.ty)).collect();
        text.push_str(&styled(format!("{name:width$}"), STRONG));
        text.push_str(&format!("  {about} {}\n", styled(format!("({})", parameters.join(", ")), FAINT)));
        list.push(json!({ "name": name, "about": program.doc.join(" "), "parameters": parameters }));
    }
    output::print(&if json { format!("{}\n", json!({ "games": list })) } else { text });
    Ok(0)
}
