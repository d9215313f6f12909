//! Command lines that are not quite right, where it is clear what is meant: `perfectplay nim [3,4,5]` wants to solve, `--rows 3`
//! is the parameter `rows`, and an option before the command belongs behind it. What is not clear stays a mistake.

use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, Parser as _};
use perfectplay::gallery;
use perfectplay::language::{Program, nearest};

use crate::args::Arguments;
use crate::failure::Failure;
use crate::{load, paste};

/// More repairs than any command line needs.
const MOST: usize = 200;

/// The command line, mended where that is clear.
pub enum Read {
    /// It is understood.
    Arguments(Box<Arguments>),
    /// It is not.
    Wrong(clap::Error),
    /// It is not, and we know better than the parser how to mend it.
    Told(Failure),
}

/// Reads the command line.
pub fn arguments() -> Read {
    let mut words: Vec<std::ffi::OsString> = std::env::args_os().collect();
    for _ in 0..MOST {
        let error = match Arguments::try_parse_from(&words) {
            Ok(arguments) => {
                let words: Vec<String> = words.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
                paste::remember(&words);
                return Read::Arguments(Box::new(arguments));
            }
            Err(error) => error,
        };
        // Words that are no text are nobody's parameter.
        let mut texts: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let mended = match error.kind() {
            ErrorKind::InvalidSubcommand => match command_left_out(&mut texts, &error) {
                Ok(mended) => mended,
                Err(failure) => return Read::Told(failure),
            },
            ErrorKind::UnknownArgument => match unknown_option(&mut texts, &error) {
                Ok(mended) => mended,
                Err(failure) => return Read::Told(failure),
            },
            _ => false,
        };
        if !mended {
            return Read::Wrong(error);
        }
        words = texts.into_iter().map(Into::into).collect();
    }
    Read::Wrong(Arguments::command().error(ErrorKind::TooManyValues, "too many words"))
}

/// What the error is about.
fn about(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    }
}

/// Whether a word names a game, and nothing else.
fn is_game(word: &str) -> bool {
    gallery::find(word).is_some()
        || load::is_sum(word)
        || (Path::new(word).is_file() && (word.ends_with(".game") || word.contains(['/', '\\'])))
}

/// A game in the place of a command is to be solved.
fn command_left_out(words: &mut Vec<String>, error: &clap::Error) -> Result<bool, Failure> {
    let Some(word) = about(error, ContextKind::InvalidSubcommand) else { return Ok(false) };
    let Some(at) = words.iter().skip(1).position(|known| *known == word) else { return Ok(false) };
    if is_game(&word) {
        words.insert(at + 1, "solve".to_string());
        return Ok(true);
    }
    let commands = Arguments::command();
    let like_a_command = nearest(&word, commands.get_subcommands().map(clap::Command::get_name));
    if let Some(command) = like_a_command {
        words[at + 1] = command.to_string();
        let help = format!("did you mean `{}`?", paste::command(&words[1..]));
        return Err(Failure::usage_help(format!("there is no command `{word}`"), help));
    }
    match gallery::similar(&word) {
        Some(near) => {
            words[at + 1] = near.to_string();
            words.insert(at + 1, "solve".to_string());
            let help = format!("did you mean `{}`?", paste::command(&words[1..]));
            Err(Failure::usage_help(format!("there is no command and no game `{word}`"), help))
        }
        None => Ok(false),
    }
}

/// An option that is a parameter of the game, or that stands before the command.
fn unknown_option(words: &mut Vec<String>, error: &clap::Error) -> Result<bool, Failure> {
    let Some(option) = about(error, ContextKind::InvalidArg) else { return Ok(false) };
    let is_it = |word: &String| *word == option || word.strip_prefix(&option).is_some_and(|rest| rest.starts_with('='));
    let Some(at) = (1..words.len()).find(|at| is_it(&words[*at]) || words[*at].starts_with(&option)) else {
        return Ok(false);
    };
    let commands = Arguments::command();
    let Some(command) = words.iter().position(|word| commands.find_subcommand(word).is_some()) else {
        let game = words.iter().skip(at).any(|word| is_game(word));
        if game {
            words.insert(1, "solve".to_string());
        }
        return Ok(game);
    };
    let known: Vec<&clap::Arg> =
        commands.find_subcommand(&words[command]).into_iter().flat_map(clap::Command::get_arguments).collect();
    if at < command {
        let flag = known.iter().any(|argument| {
            argument.get_long().is_some_and(|long| words[at] == format!("--{long}"))
                && !argument.get_action().takes_values()
        });
        if flag {
            let word = words.remove(at);
            words.insert(command, word);
        }
        return Ok(flag);
    }
    let Some(program) = words[command + 1..].iter().find(|word| is_game(word)).and_then(|game| program(game)) else {
        return Ok(false);
    };
    // `-3,4,5` is a row of numbers, not an option.
    if words[at].strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
        let [only] = &program.params[..] else { return Ok(false) };
        words[at] = format!("{}={}", only.name, words[at]);
        return Ok(true);
    }
    let spelled = words[at].trim_start_matches('-').to_string();
    let (name, value) = spelled.split_once('=').map_or((&*spelled, None), |(name, value)| (name, Some(value)));
    let wanted = name.replace('-', "_");
    let params = || program.params.iter().map(|param| param.name.as_str());
    let like_an_option = nearest(name, known.iter().filter_map(|argument| argument.get_long()));
    let near = if like_an_option.is_none() { nearest(&wanted, params()) } else { None };
    let Some(name) = params().find(|name| *name == wanted).or(near).map(str::to_string) else { return Ok(false) };
    let given = value.map(str::to_string).or_else(|| words.get(at + 1).cloned());
    if near.is_some() && !given.is_some_and(|given| load::suits(&program, &name, &given)) {
        return Ok(false);
    }
    match value {
        Some(value) => words[at] = format!("{name}={value}"),
        None if at + 1 < words.len() && !words[at + 1].starts_with("--") => {
            let value = words.remove(at + 1);
            words[at] = format!("{name}={value}");
        }
        None => return Ok(false),
    }
    if near.is_some() {
        let help = format!("did you mean `{name}`? Type: {}", paste::command(&words[1..]));
        return Err(Failure::usage_help(format!("`{}` has no parameter `{wanted}`", program.name), help));
    }
    Ok(true)
}

fn program(game: &str) -> Option<std::sync::Arc<Program>> {
    load::program(&load::rules(game).ok()?).ok()
}
