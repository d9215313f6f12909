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
    Advice(Failure),
}

/// Reads the command line.
pub fn arguments() -> Read {
    let mut words: Vec<std::ffi::OsString> = std::env::args_os().collect();
    negatives(&mut words);
    game_first(&mut words);
    if let Some(failure) = cut_moves(&words) {
        return Read::Advice(failure);
    }
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
                Err(failure) => return Read::Advice(failure),
            },
            ErrorKind::UnknownArgument => match unknown_option(&mut texts, &error) {
                Ok(mended) => mended,
                Err(failure) => return Read::Advice(failure),
            },
            ErrorKind::MissingRequiredArgument => match no_page(&texts) {
                Some(failure) => return Read::Advice(failure),
                None => false,
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

/// Has expressions of `value` that begin with a minus be words and not options: `-{1|0}`, `-^`, `-domineering(2,2)`.
fn negatives(words: &mut [std::ffi::OsString]) {
    let mut is_value = false;
    for word in words.iter_mut().skip(1) {
        let Some(text) = word.to_str() else { continue };
        if !is_value {
            is_value = text == "value";
            if !is_value && !text.starts_with('-') {
                return;
            }
            continue;
        }
        let is_option = text.starts_with("--") || matches!(text, "-" | "-h" | "-q") || !text.starts_with('-');
        if !is_option {
            *word = format!(" {text}").into();
        }
    }
}

/// Puts the game before the words of its instance: `rows=3 chomp`, `solve rows=3 chomp`.
fn game_first(words: &mut [std::ffi::OsString]) {
    let commands = Arguments::command();
    let texts: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let first = match texts.get(1) {
        Some(word) if commands.find_subcommand(word).is_some() => 2,
        _ => 1,
    };
    let is_value = |word: &String| word.split_once('=').is_some_and(|(name, _)| load::is_name(name));
    let values = texts.iter().skip(first).take_while(|word| is_value(word)).count();
    if values > 0 && texts.get(first + values).is_some_and(|word| is_game(word)) {
        words[first..=first + values].rotate_right(1);
    }
}

/// What to type where the shell has cut a move apart: `--after take 3`.
fn cut_moves(words: &[std::ffi::OsString]) -> Option<Failure> {
    let texts: Vec<String> = words.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let at = texts.iter().position(|word| word == "--after")?;
    let name = texts.get(at + 1)?;
    let program = texts[..at].iter().find(|word| is_game(word)).and_then(|game| program(game))?;
    let takes_more = |word: &String| program.moves.iter().any(|mv| mv.name == *word && !mv.choices.is_empty());
    let belongs = |word: &&String| !word.starts_with("--") && !word.contains('=') && !is_game(word);
    let rest = texts[at + 2..].iter().take_while(belongs).count();
    if !takes_more(name) || rest == 0 {
        return None;
    }
    let end = at + 2 + rest;
    let mut joined = texts[..=at].to_vec();
    joined.push(texts[at + 1..end].join(" "));
    joined.extend_from_slice(&texts[end..]);
    let message = format!("`{}` is cut off from the moves behind --after", texts[at + 2]);
    Some(Failure::usage_help(message, format!("put them in quotes; type: {}", paste::command(&joined))))
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
    if words[1..=at].iter().any(|before| before == "help") {
        return help_for(words, &word);
    }
    let commands = Arguments::command();
    if is_game(&word) {
        // `chomp solve`: the command comes first.
        let behind = words.get(at + 2).filter(|next| commands.find_subcommand(next).is_some() && !is_game(next));
        match behind.cloned() {
            Some(command) => {
                words.remove(at + 2);
                words.insert(at + 1, command);
            }
            None => words.insert(at + 1, "solve".to_string()),
        }
        return Ok(true);
    }
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
        None => Err(no_command(&word)),
    }
}

/// `help nim` and `help games nim` print the game; `help solve nim` is the help of `solve`.
fn help_for(words: &mut Vec<String>, word: &str) -> Result<bool, Failure> {
    let commands = Arguments::command();
    let command = words[1..].iter().find(|before| *before != "help" && commands.find_subcommand(before).is_some());
    let (program, command) = (words[0].clone(), command.cloned());
    if is_game(word) && command.as_ref().is_none_or(|command| command == "games") {
        *words = vec![program, "games".to_string(), word.to_string()];
        return Ok(true);
    }
    match command {
        Some(command) => {
            *words = vec![program, "help".to_string(), command];
            Ok(true)
        }
        None => {
            let names = commands.get_subcommands().map(clap::Command::get_name);
            match nearest(word, names).or_else(|| gallery::similar(word)) {
                Some(near) => {
                    let typed = paste::command(&["help".to_string(), near.to_string()]);
                    Err(Failure::usage_help(
                        format!("there is no command and no game `{word}`"),
                        format!("did you mean `{typed}`?"),
                    ))
                }
                None => Err(no_command(word)),
            }
        }
    }
}

/// What to type instead of a word that is no command.
fn no_command(word: &str) -> Failure {
    let help = match word {
        "version" => "type: perfectplay --version",
        "quit" | "exit" | "q" => "there is nothing to leave; `quit` ends a game of `perfectplay play`",
        "list" | "ls" => "type: perfectplay games",
        "run" => "type: perfectplay solve GAME, or perfectplay play GAME",
        _ => "`perfectplay --help` lists the commands, `perfectplay games` the built-in games",
    };
    Failure::usage_help(format!("there is no command and no game `{word}`"), help)
}

/// What to say of an option that a command does not have.
fn no_option(command: &str, option: &str) -> Failure {
    let commands = Arguments::command();
    let longs = |command: &clap::Command| -> Vec<String> {
        command.get_arguments().filter_map(|argument| argument.get_long()).map(str::to_string).collect()
    };
    let name = option.trim_start_matches('-').split('=').next().unwrap_or(option).to_string();
    let known = commands.find_subcommand(command).map(longs).unwrap_or_default();
    let others = commands.get_subcommands().filter(|other| longs(other).contains(&name));
    let others: Vec<String> = others.map(|other| format!("`{}`", other.get_name())).collect();
    let help = match (nearest(&name, known.iter().map(String::as_str)), &others[..]) {
        (Some(near), _) => format!("did you mean `--{near}`?"),
        (None, []) => format!("`perfectplay {command} --help` lists its options"),
        (None, [only]) => format!("it is an option of {only}"),
        (None, [rest @ .., last]) => format!("it is an option of {} and {last}", rest.join(", ")),
    };
    Failure::usage_help(format!("`perfectplay {command}` has no option `{option}`"), help)
}

/// What to type where `export` is not told which page to write.
pub fn no_page(words: &[String]) -> Option<Failure> {
    let at = words.iter().position(|word| word == "export")?;
    let game = words[at + 1..].iter().find(|word| is_game(word))?;
    let mut typed = words[1..].to_vec();
    let is_page = |word: &String| word.ends_with(".html") || word.ends_with(".htm");
    let name = match typed.iter().position(is_page) {
        Some(page) => typed.remove(page),
        None => format!("{}.html", Path::new(game).file_stem().map_or("page".into(), |name| name.to_string_lossy())),
    };
    typed.extend(["--html".to_string(), name]);
    let message = "`export` has to know which page to write";
    Some(Failure::usage_help(message, format!("type: {}", paste::command(&typed))))
}

/// Other words for an option that a command has.
fn synonym(name: &str) -> Option<&'static str> {
    match name {
        "timeout" | "time-limit" | "timelimit" | "max-time" | "seconds" => Some("time"),
        "o" | "out" | "output" | "file" | "page" => Some("html"),
        "mem" | "max-memory" | "memory-limit" => Some("memory"),
        "address" | "host" | "bind" => Some("listen"),
        _ => None,
    }
}

/// What to type where another word stands for an option, or where `serve` is told a game.
fn meant(words: &[String], at: usize, command: usize, option: &str) -> Option<Failure> {
    if words[command] == "serve" && is_game(&words[at]) {
        let game = Path::new(&words[at]).file_stem().map_or_else(String::new, |name| name.to_string_lossy().into());
        let help = match gallery::find(&words[at]) {
            Some(_) => format!("type: perfectplay serve, and open #/game/{game} at the address that it prints"),
            None => "type: perfectplay serve, and put the rules into the playground".to_string(),
        };
        return Some(Failure::usage_help("`serve` takes no game: its page shows all of them", help));
    }
    let commands = Arguments::command();
    let wanted = synonym(option_name(&words[at]))?;
    let has = |argument: &clap::Arg| argument.get_long() == Some(wanted);
    commands.find_subcommand(&words[command])?.get_arguments().find(|argument| has(argument))?;
    let mut typed = words[1..].to_vec();
    typed[at - 1] = match words[at].split_once('=') {
        Some((_, value)) => format!("--{wanted}={value}"),
        None => format!("--{wanted}"),
    };
    let message = format!("`perfectplay {}` has no option `{option}`", words[command]);
    Some(Failure::usage_help(message, format!("type: {}", paste::command(&typed))))
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
    if let Some(failure) = meant(words, at, command, &option) {
        return Err(failure);
    }
    let unknown = || no_option(&words[command], &option);
    let Some(program) = words[command + 1..].iter().find(|word| is_game(word)).and_then(|game| program(game)) else {
        return Err(unknown());
    };
    // `-3,4,5` is a row of numbers, not an option, unless it is the value of one: `--time -3s`.
    let before = words[at - 1].strip_prefix("--");
    let valued = known.iter().find(|argument| argument.get_long() == before && argument.get_action().takes_values());
    if let Some(argument) = valued.filter(|_| before.is_some()) {
        let message = format!("`{}` is no value of `{}`", words[at], words[at - 1]);
        let help = argument.get_help().map_or_else(String::new, ToString::to_string);
        return Err(Failure::usage_help(message, help));
    }
    if words[at].strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
        let [only] = &program.params[..] else { return Ok(false) };
        words[at] = format!("{}={}", only.name, words[at]);
        return Ok(true);
    }
    let options = known.iter().filter_map(|argument| argument.get_long());
    let is_like_an_option = nearest(option_name(&words[at]), options).is_some();
    as_parameter(words, at, &program, is_like_an_option, command, &option)
}

/// The name in a word such as `--name=value`.
fn option_name(word: &str) -> &str {
    let spelled = word.trim_start_matches('-');
    spelled.split_once('=').map_or(spelled, |(name, _)| name)
}

/// An option that is a parameter of the game, as the instance spells it.
fn as_parameter(
    words: &mut Vec<String>,
    at: usize,
    program: &Program,
    is_like_an_option: bool,
    command: usize,
    option: &str,
) -> Result<bool, Failure> {
    let unknown = || no_option(&words[command], option);
    let spelled = words[at].trim_start_matches('-').to_string();
    let (name, value) = spelled.split_once('=').map_or((&*spelled, None), |(name, value)| (name, Some(value)));
    let wanted = name.replace('-', "_");
    let params = || program.params.iter().map(|param| param.name.as_str());
    let near = if is_like_an_option { None } else { nearest(&wanted, params()) };
    let found = params().find(|name| *name == wanted);
    let near = if found.is_some() { None } else { near };
    let Some(name) = found.or(near).map(str::to_string) else { return Err(unknown()) };
    let given = value.map(str::to_string).or_else(|| words.get(at + 1).cloned());
    if near.is_some() && !given.is_some_and(|given| load::suits(program, &name, &given)) {
        return Err(unknown());
    }
    match value {
        Some(value) => words[at] = format!("{name}={value}"),
        None if at + 1 < words.len() && !words[at + 1].starts_with("--") => {
            let mut value = words.remove(at + 1);
            // `--piles 3 4 5`: a list goes on as long as numbers follow.
            let is_number = |word: &String| word.parse::<i64>().is_ok();
            while is_number(words.get(at + 1).unwrap_or(&String::new())) && load::is_numbers(program, &name) {
                value = format!("{},{}", value.trim_end_matches(','), words.remove(at + 1));
            }
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
