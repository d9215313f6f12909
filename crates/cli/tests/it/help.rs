//! Help: short, long, and for every command.

use crate::support::run;

const COMMANDS: [&str; 8] = ["solve", "explain", "moves", "sequence", "play", "test", "games", "completions"];

#[test]
fn every_command_has_short_and_long_help_that_fits() {
    for command in COMMANDS {
        for flag in ["-h", "--help"] {
            let ran = run(&format!("{command} {flag}"));
            assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{command} {flag}");
            assert!(ran.out.contains("Usage: perfectplay"), "{}", ran.out);
            let widest = ran.out.lines().map(|line| line.chars().count()).max();
            assert!(widest <= Some(100), "{command} {flag}: {widest:?}\n{}", ran.out);
        }
        let (short, long) = (run(&format!("{command} -h")).out, run(&format!("{command} --help")).out);
        assert!(long.lines().count() >= short.lines().count());
    }
}

#[test]
fn every_long_help_of_a_game_command_has_examples() {
    for command in ["solve", "explain", "moves", "sequence", "play", "test", "games"] {
        let long = run(&format!("{command} --help")).out;
        assert!(long.contains("Examples:\n  perfectplay "), "{command}: {long}");
    }
}

#[test]
fn no_command_is_a_question_for_help() {
    let ran = run("");
    assert_eq!(ran.code, 2);
    assert!(ran.out.is_empty() && ran.err.contains("solve"), "{}", ran.err);
    assert!(run("--version").out.starts_with("perfectplay "));
}

#[test]
fn completions_are_scripts_that_know_the_commands() {
    for (shell, mark) in [("bash", "complete -F"), ("zsh", "#compdef perfectplay"), ("fish", "complete -c perfectplay")]
    {
        let ran = run(&format!("completions {shell}"));
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        assert!(ran.out.contains(mark), "{shell}");
        assert!(COMMANDS.iter().all(|command| ran.out.contains(command)), "{shell}");
    }
    assert_eq!(run("completions tcl").code, 2);
}
