//! Where the game and the instance come from: files, the gallery, words of the command line, standard input.

mod words;

use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use perfectplay::gallery;
use perfectplay::language::{Bound, Program, Rules, ValueError, bind, nearest};
use perfectplay::sums::{Files, Sum};

use crate::args::GameArgs;
use crate::failure::Failure;
use crate::{output, paste};

pub use words::{instance, is_name, is_numbers, only_parameter, suits, whole};

/// So many files of a folder are looked at for one that may be meant.
const MOST_FILES: usize = 1000;
/// Whether it was said that a file is called like a built-in game.
static SAID: AtomicBool = AtomicBool::new(false);

/// Finds a rules file: a game of the gallery, or a path. A name of the gallery means its game, even where a file is called
/// like that too: `./nim` is the file.
pub fn rules(game: &str) -> Result<Rules, Failure> {
    let path = Path::new(game);
    let spelled_as_path = game.contains(['/', '\\']) || game.ends_with(".game");
    if !spelled_as_path && let Some(source) = gallery::find(game) {
        if path.is_file() && !SAID.swap(true, Ordering::Relaxed) {
            output::complain(&format!("Note: `{game}` is the built-in game; the file of that name is ./{game}\n"));
        }
        return Ok(Rules { name: game.to_string(), source: source.to_string() });
    }
    if path.exists() {
        return Ok(Rules { name: game.to_string(), source: read(game)? });
    }
    if game.trim().is_empty() {
        let typed = paste::command(&["solve".to_string(), "nim".to_string(), "[3,4,5]".to_string()]);
        let help = format!("`perfectplay games` lists the built-in games; for example, type: {typed}");
        return Err(Failure::usage_help("no game is named", help));
    }
    let file = format!("{game}.game");
    if !spelled_as_path && Path::new(&file).is_file() {
        let message = format!("there is no file and no built-in game `{game}`");
        let typed = paste::type_instead(game, &file);
        return Err(Failure::usage_help(message, format!("did you mean the file `{file}`?{typed}")));
    }
    if game.starts_with('@') {
        let words = ["solve".to_string(), "GAME".to_string(), game.to_string()];
        let help = format!("name the game before it, as in: {}", paste::command(&words));
        return Err(Failure::usage_help(format!("`{game}` is a value from a file, and no game is named"), help));
    }
    let stem = path.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
    let built_in = || gallery::find(&stem).map(|_| &*stem).or_else(|| gallery::similar(&stem));
    let meant =
        |what: &str, near: &str| format!("did you mean the {what} `{near}`?{}", paste::type_instead(game, near));
    let built_in = || built_in().map(|near| meant("built-in game", near));
    let file = || similar_file(path, &stem).map(|near| meant("file", &near));
    // A name with an ending is a file's, if not quite.
    let is_file = spelled_as_path || path.extension().is_some();
    let near = if is_file { file().or_else(built_in) } else { built_in().or_else(file) };
    let help = near.unwrap_or_else(|| {
        "`perfectplay games` lists the built-in games; a rules file is given by its path".to_string()
    });
    let what = if spelled_as_path { "file" } else { "file and no built-in game" };
    Err(Failure::usage_help(format!("there is no {what} `{game}`"), help))
}

/// A rules file of the same folder with a name like that of one that is not there.
fn similar_file(path: &Path, stem: &str) -> Option<String> {
    let folder = path.parent()?;
    let opened = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let names =
        std::fs::read_dir(opened).ok()?.take(MOST_FILES).filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut stems: Vec<String> = names.filter_map(|name| Some(name.strip_suffix(".game")?.to_string())).collect();
    stems.sort();
    let same = stems.iter().find(|known| *known == stem).map(String::as_str);
    let near = same.or_else(|| nearest(stem, stems.iter().map(String::as_str)))?;
    Some(folder.join(format!("{near}.game")).to_string_lossy().into_owned())
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
    let spread = spread_sum(args);
    if spread.is_none() && !is_sum(&args.game) {
        return Ok(Asked::Game(Box::new(single(args)?)));
    }
    let outside = args.words.first().filter(|_| spread.is_none()).cloned();
    if let Some(word) = outside.or(args.instance.as_ref().map(|_| "--instance".to_string())) {
        let message = format!("a sum has its arguments in parentheses, and `{word}` is outside of them");
        return Err(Failure::usage_help(message, "write it like 'kayles(7) + nim([3, 5])', in quotes for your shell"));
    }
    let text = spread.as_deref().unwrap_or(&args.game);
    Ok(match Sum::read(text, &Disk)?.into_single() {
        Ok(game) => Asked::Game(Box::new(game)),
        Err(sum) => Asked::Sum(sum),
    })
}

/// A sum whose words the shell has cut apart, as in `kayles 7 + nim 3 5`.
fn spread_sum(args: &GameArgs) -> Option<String> {
    let words: Vec<&String> = std::iter::once(&args.game).chain(&args.words).collect();
    if !words.iter().any(|word| *word == "+") && !args.game.ends_with('+') {
        return None;
    }
    let term = |words: &[&String]| match words {
        [name, rest @ ..] if !rest.is_empty() && !name.contains(['(', '*']) => {
            let rest: Vec<&str> = rest.iter().map(|word| word.trim_end_matches(',')).collect();
            format!("{name}({})", rest.join(", "))
        }
        words => words.iter().map(|word| word.as_str()).collect::<Vec<_>>().join(" "),
    };
    Some(words.split(|word| *word == "+").map(term).collect::<Vec<_>>().join(" + "))
}

/// Whether a word is a sum and not a name or a path.
pub fn is_sum(word: &str) -> bool {
    let path = word.ends_with(".game") && !word.contains(['(', '*']) && !word.contains(" + ");
    word.contains(['(', '*', '+']) && !path && !Path::new(word).exists()
}

/// Rules files and values for sums, from the gallery and the disk.
pub struct Disk;

impl Files for Disk {
    fn rules(&self, game: &str) -> Result<Rules, (String, String)> {
        let as_failure = |failure| match failure {
            Failure::Usage { message, help } => (message, help.unwrap_or_default()),
            _ => (format!("`{game}` cannot be read"), String::new()),
        };
        rules(game).map_err(as_failure)
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

pub fn read(path: &str) -> Result<String, Failure> {
    let bytes =
        std::fs::read(path).map_err(|error| Failure::usage(format!("cannot read {path}: {}", reason(&error))))?;
    utf8(bytes, path)
}

/// The text of a file; - is standard input.
pub fn text(path: &str) -> Result<String, Failure> {
    if path == "-" { standard_input() } else { read(path) }
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
