//! Help: short, long, and for every command.

use crate::support::run;

const COMMANDS: &[&str] = &[
    "solve",
    "explain",
    "moves",
    "sequence",
    "survey",
    "play",
    "build",
    "cluster",
    "cluster run",
    "cluster merge",
    "cluster explain",
    "query",
    "export",
    "serve",
    "test",
    "check",
    "fmt",
    "lsp",
    "games",
    "value",
    "completions",
];

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
    for command in ["solve", "explain", "moves", "sequence", "survey", "play", "test", "check", "games", "value"] {
        let long = run(&format!("{command} --help")).out;
        assert!(long.contains("Examples:\n  perfectplay "), "{command}: {long}");
    }
}

#[test]
fn no_command_is_a_question_for_help() {
    let ran = run("");
    assert_eq!(ran.code, 2);
    assert!(ran.out.is_empty() && ran.err.contains("solve"), "{}", ran.err);
}

#[test]
fn the_version_names_the_commit() {
    let version = run("--version").out;
    let rest =
        version.trim_end().strip_prefix(concat!("perfectplay ", env!("CARGO_PKG_VERSION"))).expect("the version");
    // Sources without Git tell no commit.
    let commit = rest.trim().trim_matches(['(', ')']);
    assert!(
        commit.is_empty() || commit.len() == 12 && commit.bytes().all(|byte| byte.is_ascii_hexdigit()),
        "{version}"
    );
}

#[test]
fn the_manual_has_a_page_for_every_command() {
    let page = run("man");
    assert_eq!((page.code, page.err.as_str()), (0, ""));
    assert!(page.out.contains(".TH perfectplay 1") && page.out.contains("perfectplay\\-solve(1)"), "{}", page.out);
    assert!(
        run("man solve").out.contains(".TH perfectplay\\-solve 1")
            || run("man solve").out.contains(".TH perfectplay-solve 1")
    );
    assert_eq!(run("man slove").code, 2);
    let folder = std::env::temp_dir().join(format!("perfectplay-man-{}", std::process::id()));
    let ran = run(&format!("man --folder {}", folder.display()));
    assert_eq!(ran.code, 0, "{}", ran.err);
    for command in COMMANDS.iter().filter(|command| !command.contains(' ')) {
        assert!(folder.join(format!("perfectplay-{command}.1")).exists(), "{command}");
    }
    std::fs::remove_dir_all(&folder).expect("the folder is there");
}

#[test]
fn completions_are_scripts_that_know_the_commands() {
    for (shell, mark) in [
        ("bash", "complete -F"),
        ("zsh", "#compdef perfectplay"),
        ("fish", "complete -c perfectplay"),
        ("powershell", "Register-ArgumentCompleter"),
        ("elvish", "edit:completion"),
    ] {
        let ran = run(&format!("completions {shell}"));
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        assert!(ran.out.contains(mark), "{shell}");
        let words = COMMANDS.iter().flat_map(|command| command.split(' '));
        assert!(words.into_iter().all(|word| ran.out.contains(word)), "{shell}");
        assert!(ran.out.contains("tic_tac_toe") && ran.out.contains("kayles"), "{shell} knows the games");
    }
    assert_eq!(run("completions tcl").code, 2);
}

#[test]
fn build_offers_only_what_applies() {
    let help = run("build --help").out;
    assert!(help.contains("--memory") && help.contains("--threads") && help.contains("--method"), "{help}");
    assert!(!help.contains("--engine") && !help.contains("sum of different"), "{help}");
}

#[test]
fn colours_are_used_when_they_are_wanted() {
    for (words, colours) in [
        ("solve coins", false),
        ("solve coins --color always", true),
        ("--color always solve coins", true),
        ("solve coins --color never", false),
        ("solve coins --color auto", false),
    ] {
        assert_eq!(run(words).out.contains('\u{1b}'), colours, "{words}");
    }
    assert!(run("solve conis --color always").err.contains('\u{1b}'));
    assert!(!run("solve coins --json --color always").out.contains('\u{1b}'));
    assert_eq!(run("solve coins --color sometimes").code, 2);
}
