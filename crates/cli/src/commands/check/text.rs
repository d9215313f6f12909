//! The verdict of `check` for people.

use judge::check::Checked;
use judge::failure::{Failure, FailureKind};
use judge::shrink::{Shrunk, Smallest};
use judge::subject::Subject;
use judge::why::why;
use perfectplay::language::show::cut;
use perfectplay::testing::instance_text;

use crate::args::CheckArgs;
use crate::output::{BAD, FAINT, GOOD, Rows, plural, seconds_text, styled};
use crate::paste;

/// So many moves of a line are shown.
const SHOWN: usize = 30;
/// So much of what was read and printed is shown.
const EXCERPT: usize = 600;

/// The verdict.
pub fn text(args: &CheckArgs, subject: &Subject, checked: &Checked, shrunk: Option<&Shrunk>) -> String {
    match shrunk {
        None => right(args, checked),
        Some(shrunk) => wrong(args, subject, checked, shrunk),
    }
}

fn right(args: &CheckArgs, checked: &Checked) -> String {
    let mark = if checked.right > 0 { styled("right", GOOD) } else { styled("nothing was checked", BAD) };
    let did = if args.play { "plays perfectly" } else { "gives the exact answer" };
    let mut text = match checked.right {
        0 => format!("{mark}\n"),
        right => format!("{mark}: it {did} on {}\n", plural(right as u64, "instance")),
    };
    if let Some(first) = checked.too_large.first() {
        let many = plural(checked.too_large.len() as u64, "instance");
        let example = cut(100, &instance_text(first));
        text.push_str(&styled(
            format!("{many} too large for the limits of the exact answer, such as {example}\n"),
            FAINT,
        ));
    }
    if let Some((seconds, instance)) = checked.slowest.as_ref().filter(|(seconds, _)| *seconds > 0.1) {
        let instance = cut(100, &instance_text(instance));
        text.push_str(&styled(format!("the longest run took {}: {instance}\n", seconds_text(*seconds)), FAINT));
    }
    text
}

fn wrong(args: &CheckArgs, subject: &Subject, checked: &Checked, shrunk: &Shrunk) -> String {
    let failure = &shrunk.failure;
    let after = plural(checked.right as u64, "instance");
    let mut text = format!("{}: {}\n\n", styled(failure.kind, BAD.bold()), failure.message);
    let mut rows = Rows::new(14);
    let instance = instance_text(&failure.instance);
    if !instance.is_empty() {
        rows.prose("instance", &instance);
    }
    rows.prose("", &smallest(checked, shrunk));
    if let Some(expected) = &failure.expected {
        rows.prose("right answer", expected);
    }
    played(&mut rows, failure);
    rows.prose("why", &why(&failure.solution));
    line(&mut rows, failure);
    rows.prose("proof", &failure.solution.proof.to_string());
    if failure.kind == FailureKind::Crash {
        rows.prose("memory", &format!("each run may use {}", crate::output::bytes_text(subject.run.memory)));
    }
    text.push_str(&rows.text());
    text.push_str(&excerpt("It read", &failure.input));
    text.push_str(&excerpt("It printed", &failure.ran.output));
    if !failure.ran.errors.trim().is_empty() {
        text.push_str(&excerpt("To standard error it printed", &failure.ran.errors));
    }
    text.push_str(&styled(format!("\nIt was right on {after} before that. Again: {}\n", again(args, failure)), FAINT));
    text
}

/// Where the failure was met first, and how much was tried.
fn smallest(checked: &Checked, shrunk: &Shrunk) -> String {
    let found = checked.failure.as_ref().filter(|found| found.instance != shrunk.failure.instance);
    let tried = plural(shrunk.tried as u64, "smaller instance");
    let met =
        found.map_or(String::new(), |found| format!("; met first on {}", cut(80, &instance_text(&found.instance))));
    match shrunk.smallest {
        Smallest::Proved(0) => format!("no smaller one is in the sample{met}"),
        Smallest::Proved(1) => {
            format!("the smallest of the sample: the one smaller instance does not fail like this{met}")
        }
        Smallest::Proved(smaller) => {
            let all = plural(smaller as u64, "smaller instance");
            format!("the smallest of the sample: none of the {all} fails like this{met}")
        }
        Smallest::Unproved => {
            format!("the smallest that was found, with {tried} tried; that there is no other one is not proved{met}")
        }
        Smallest::Unfinished => format!("there may be smaller ones: {tried} tried, then the time was up{met}"),
    }
}

/// The game that was played.
fn played(rows: &mut Rows, failure: &Failure) {
    let Some(game) = &failure.game else { return };
    rows.prose("its seat", &game.seat.to_string());
    if !game.moves.is_empty() {
        rows.list("moves", &few(&game.moves));
    }
    if !game.better.is_empty() {
        rows.list("better", &few(&game.better));
    }
}

/// The line of best play.
fn line(rows: &mut Rows, failure: &Failure) {
    let line = failure.solution.line.as_deref().unwrap_or_default();
    let labels: Vec<String> = line.iter().map(|play| play.label.clone()).collect();
    if !labels.is_empty() {
        rows.list("line of play", &few(&labels));
    }
}

fn few(labels: &[String]) -> Vec<String> {
    let mut shown: Vec<String> = labels.iter().take(SHOWN).cloned().collect();
    if labels.len() > SHOWN {
        shown.push(format!("… {} more", labels.len() - SHOWN));
    }
    shown
}

/// A text as it was read or printed, cut where it is long.
fn excerpt(title: &str, text: &str) -> String {
    if text.trim().is_empty() {
        return format!("\n{title} nothing.\n");
    }
    let shown = cut(EXCERPT, &text.trim_end());
    // What a program prints may move the cursor or ring the bell.
    let plain = |c: char| if c.is_control() && c != '\n' && c != '\t' { '\u{fffd}' } else { c };
    let lines: Vec<String> =
        shown.chars().map(plain).collect::<String>().lines().map(|line| format!("    {line}\n")).collect();
    format!("\n{title}:\n{}", lines.concat())
}

/// The command that checks this instance again.
fn again(args: &CheckArgs, failure: &Failure) -> String {
    let mut words = vec!["check".to_string(), args.game.clone()];
    words.extend(
        failure.instance.0.iter().map(|(name, value)| format!("{name}={}", value.to_string().replace(", ", ","))),
    );
    let mut option = |name: &str, value: &Option<String>| {
        if let Some(value) = value {
            words.extend([name.to_string(), value.clone()]);
        }
    };
    option("--input", &args.input);
    option("--output", &args.output);
    option("--format", &args.format.map(|format| format.name().to_string()));
    if args.play {
        words.push("--play".to_string());
        words.extend(failure.game.iter().flat_map(|game| ["--as".to_string(), game.seat.to_string()]));
    }
    words.push("--".to_string());
    words.extend(args.command.iter().map(|word| word.to_string_lossy().into_owned()));
    paste::command(&words)
}
