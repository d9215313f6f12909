//! `perfectplay completions`: a script that teaches a shell the command line.

use clap::CommandFactory as _;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;
use perfectplay::gallery::GALLERY;

use crate::args::Arguments;
use crate::failure::Failure;
use crate::output;

pub fn run(shell: Shell) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut with_games(), "perfectplay", &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    let names = GALLERY.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" ");
    match shell {
        // A game may be a file, too.
        Shell::Zsh => script = script.replace(&format!(":({names})"), &format!(":{{compadd -- {names}; _files}}")),
        // The generator knows no values of words that are no options.
        Shell::Fish => {
            let commands = WITH_GAMES.map(|(command, _)| command).join(" ");
            let seen = format!("__fish_seen_subcommand_from {commands}");
            script.push_str(&format!("complete -c perfectplay -n \"{seen}\" -a \"{names}\"\n"));
        }
        Shell::Elvish => {
            let lines = GALLERY.iter().map(|(name, _)| format!("            cand {name} 'a built-in game'\n"));
            script =
                with_lines(script, |command| format!("&'perfectplay;{command}'= {{\n"), &lines.collect::<String>());
        }
        Shell::PowerShell => {
            let lines = GALLERY.iter().map(|(name, _)| {
                format!(
                    "            [CompletionResult]::new('{name}', '{name}', [CompletionResultType]::ParameterValue, \
                     'a built-in game')\n"
                )
            });
            script = with_lines(script, |command| format!("'perfectplay;{command}' {{\n"), &lines.collect::<String>());
        }
        _ => {}
    }
    output::print(&script);
    Ok(0)
}

/// A script with further lines at the head of the part of each command that takes a game.
fn with_lines(script: String, head: impl Fn(&str) -> String, lines: &str) -> String {
    WITH_GAMES.iter().fold(script, |script, (command, _)| {
        let head = head(command);
        script.replace(&head, &format!("{head}{lines}"))
    })
}

/// The commands that take a game, and the word that is one.
const WITH_GAMES: [(&str, &str); 9] = [
    ("solve", "game"),
    ("explain", "game"),
    ("moves", "game"),
    ("sequence", "game"),
    ("survey", "game"),
    ("play", "game"),
    ("build", "game"),
    ("test", "files"),
    ("games", "name"),
];

/// The command line with the names of the gallery where a game is expected.
fn with_games() -> clap::Command {
    let names = || PossibleValuesParser::new(GALLERY.iter().map(|(name, _)| *name));
    let mut command = Arguments::command();
    for (subcommand, argument) in WITH_GAMES {
        command = command.mut_subcommand(subcommand, |command| {
            let with_words = command.get_arguments().any(|argument| argument.get_id() == "words");
            let named = |argument: clap::Arg| argument.value_parser(names()).hide_possible_values(true).index(1);
            let command = command.mut_arg(argument, named);
            if with_words { command.mut_arg("words", |words| words.index(2)) } else { command }
        });
    }
    command
}
