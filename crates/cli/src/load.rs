//! Where the game and the instance come from: files, the gallery, words of the command line, standard input.

use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use perfectplay::gallery;
use perfectplay::language::{
    Bound, Given, Instance, Program, Rules, Type, ValueError, bind, parse_given, parse_instance,
};
use perfectplay::sums::{Files, Sum};

use crate::args::GameArgs;
use crate::failure::Failure;

/// Finds a rules file: a path, or a game of the gallery.
pub fn rules(game: &str) -> Result<Rules, Failure> {
    let path = Path::new(game);
    let spelled_as_path = game.contains(['/', '\\']) || game.ends_with(".game");
    if !spelled_as_path
        && !path.is_file()
        && let Some(source) = gallery::find(game)
    {
        return Ok(Rules { name: game.to_string(), source: source.to_string() });
    }
    if path.exists() {
        return Ok(Rules { name: game.to_string(), source: read(game)? });
    }
    let stem = path.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
    let help = match gallery::find(&stem).map(|_| &*stem).or_else(|| gallery::similar(&stem)) {
        Some(near) => format!("did you mean the built-in game `{near}`?"),
        None => "`perfectplay games` lists the built-in games; a rules file is given by its path".to_string(),
    };
    let what = if spelled_as_path { "file" } else { "file and no built-in game" };
    Err(Failure::usage_help(format!("there is no {what} `{game}`"), help))
}

/// An input or output error in plain words.
pub fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_string(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_string(),
        std::io::ErrorKind::IsADirectory => "it is a folder".to_string(),
        _ => error.to_string(),
    }
}

/// The checked program of a rules file.
pub fn program(rules: &Rules) -> Result<Arc<Program>, Failure> {
    Ok(rules.program()?)
}

/// What the command line names.
pub enum Asked {
    /// A game, bound to its instance.
    Game(Box<(Rules, Bound)>),
    /// A sum of different games.
    Sum(Sum),
}

/// What the command line names: a game with an instance, or a sum such as `kayles(7) + nim([3, 5])`.
pub fn asked(args: &GameArgs) -> Result<Asked, Failure> {
    if !is_sum(&args.game) {
        return Ok(Asked::Game(Box::new(single(args)?)));
    }
    if let Some(word) = args.words.first().cloned().or(args.instance.as_ref().map(|_| "--instance".to_string())) {
        let message = format!("a sum has its arguments in parentheses, and `{word}` is outside of them");
        return Err(Failure::usage_help(message, "write it like 'kayles(7) + nim([3, 5])', in quotes for your shell"));
    }
    Ok(match Sum::read(&args.game, &Disk)?.into_single() {
        Ok(game) => Asked::Game(Box::new(game)),
        Err(sum) => Asked::Sum(sum),
    })
}

/// Whether a word is a sum and not a name or a path.
fn is_sum(word: &str) -> bool {
    let path = word.ends_with(".game") && !word.contains(['(', '*']) && !word.contains(" + ");
    word.contains(['(', '*', '+']) && !path && !Path::new(word).exists()
}

/// Rules files and values for sums, from the gallery and the disk.
struct Disk;

impl Files for Disk {
    fn rules(&self, game: &str) -> Result<Rules, (String, String)> {
        let told = |failure| match failure {
            Failure::Usage { message, help } => (message, help.unwrap_or_default()),
            _ => (format!("`{game}` cannot be read"), String::new()),
        };
        rules(game).map_err(told)
    }

    fn value(&self, path: &str) -> Result<String, String> {
        read(path).map_err(|failure| match failure {
            Failure::Usage { message, .. } => message,
            _ => format!("cannot read {path}"),
        })
    }
}

/// A game that is named alone, bound to its instance.
fn single(args: &GameArgs) -> Result<(Rules, Bound), Failure> {
    let rules = rules(&args.game)?;
    let program = program(&rules)?;
    let instance = instance(args, &program)?;
    let bound = bind(&program, &instance).map_err(|diagnostics| Failure::wrong(&rules, diagnostics))?;
    Ok((rules, bound))
}

/// The instance from the file, standard input and words, in this order; a later value for the same name counts.
pub fn instance(args: &GameArgs, program: &Program) -> Result<Instance, Failure> {
    let mut instance = Instance::default();
    if let Some(path) = &args.instance {
        let text = if path.as_os_str() == "-" { standard_input()? } else { read(&path.to_string_lossy())? };
        merge(&mut instance, whole(&text, &path.to_string_lossy(), program)?);
    }
    let mut named: Vec<String> = Vec::new();
    for word in &args.words {
        if word == "-" {
            merge(&mut instance, whole(&standard_input()?, "standard input", program)?);
            continue;
        }
        let (name, value) = match word.split_once('=') {
            Some((name, value)) if is_name(name) => (name.to_string(), value),
            _ => (only_parameter(program, word)?, word.as_str()),
        };
        if named.contains(&name) {
            return Err(Failure::usage(format!("`{name}` is given twice")));
        }
        merge(&mut instance, Instance(vec![(name.clone(), value_of(&name, value, program)?)]));
        named.push(name);
    }
    Ok(instance)
}

/// Whether this can be the name of a parameter.
pub fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|c| c.is_alphabetic() || c == '_') && letters.all(|c| c.is_alphanumeric() || c == '_')
}

fn merge(instance: &mut Instance, more: Instance) {
    for (name, given) in more.0 {
        instance.0.retain(|(known, _)| *known != name);
        instance.0.push((name, given));
    }
}

/// The parameter that a bare value is for.
pub fn only_parameter(program: &Program, word: &str) -> Result<String, Failure> {
    let names: Vec<&str> = program.params.iter().map(|param| param.name.as_str()).collect();
    let needed: Vec<&str> = program.params.iter().filter(|p| p.default.is_none()).map(|p| p.name.as_str()).collect();
    match (&names[..], &needed[..]) {
        ([only], _) | (_, [only]) => Ok(only.to_string()),
        ([], _) => Err(Failure::usage(format!("`{}` takes no parameters, but `{word}` was given", program.name))),
        _ => {
            let choices = names.iter().map(|name| format!("{name}={word}")).collect::<Vec<_>>().join(" or ");
            Err(Failure::usage_help(format!("which parameter is `{word}` for?"), format!("write {choices}")))
        }
    }
}

/// An instance as a JSON object; for a game with one parameter also its bare value.
fn whole(text: &str, origin: &str, program: &Program) -> Result<Instance, Failure> {
    let trimmed = text.trim_start();
    if !trimmed.starts_with('{') && program.params.len() == 1 {
        let name = program.params[0].name.clone();
        let given = parse_given(text).map_err(|error| unreadable(origin, text, &error))?;
        return Ok(Instance(vec![(name, given)]));
    }
    parse_instance(text).map_err(|error| unreadable(origin, text, &error))
}

/// The value of a parameter; the text of a `text` parameter needs no quotes.
fn value_of(name: &str, value: &str, program: &Program) -> Result<Given, Failure> {
    let param = program.params.iter().find(|param| param.name == name);
    let is_text = param.is_some_and(|param| param.ty == Type::Text);
    if let Some(path) = value.strip_prefix('@') {
        let text = read(path)?;
        if is_text && !text.trim_start().starts_with('"') {
            return Ok(Given::Text(text.trim_end_matches(['\n', '\r']).to_string()));
        }
        return parse_given(&text).map_err(|error| unreadable(path, &text, &error));
    }
    if is_text && !value.starts_with('"') {
        return Ok(Given::Text(value.to_string()));
    }
    parse_given(value).map_err(|error| unreadable(name, value, &error))
}

fn read(path: &str) -> Result<String, Failure> {
    let bytes =
        std::fs::read(path).map_err(|error| Failure::usage(format!("cannot read {path}: {}", reason(&error))))?;
    utf8(bytes, path)
}

/// Text that must be UTF-8. The mark that some programs put before it is no part of it.
fn utf8(mut bytes: Vec<u8>, origin: &str) -> Result<String, Failure> {
    if bytes.starts_with("\u{feff}".as_bytes()) {
        bytes.drain(..3);
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::usage_help(format!("{origin} is not UTF-8 text: byte {at} is wrong"), "save it as UTF-8")
    })
}

fn standard_input() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let result = std::io::stdin().read_to_end(&mut bytes);
    result.map_err(|error| Failure::usage(format!("cannot read standard input: {error}")))?;
    utf8(bytes, "standard input")
}

/// A value that cannot be read, with the place marked.
fn unreadable(origin: &str, text: &str, error: &ValueError) -> Failure {
    let help = match text.trim_start().chars().next() {
        None => return Failure::usage_help(format!("{origin} is empty"), "an instance is JSON, such as {\"n\": 5}"),
        Some('{') => {
            "values are JSON, such as 5 or [1, 2, 3]; an object with all parameters is read with --instance FILE"
        }
        Some(_) => "values are JSON, such as 5, true, \"text\" or [1, 2, 3]; 10^18 and 1e18 are numbers too",
    };
    pointed(&format!("the value of {origin} cannot be read"), text, error, help)
}

/// A mistake in a text, with its place marked.
pub fn pointed(intro: &str, text: &str, error: &ValueError, help: &str) -> Failure {
    let text = text.trim_end();
    let at = text.floor_char_boundary(error.at.min(text.len()));
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let line_number = text[..at].matches('\n').count() + 1;
    let before: String = text[start..at].chars().rev().take(40).collect::<Vec<_>>().into_iter().rev().collect();
    let after: String = text[at..].chars().take_while(|c| *c != '\n').take(30).collect();
    let place = if line_number > 1 { format!(", line {line_number}") } else { String::new() };
    let message = format!(
        "{intro}: {}\n    {before}{after}\n    {}^ here{place}",
        error.message,
        " ".repeat(before.chars().count())
    );
    Failure::usage_help(message, help)
}
