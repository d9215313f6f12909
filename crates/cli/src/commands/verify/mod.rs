//! `perfectplay verify`: checks a certificate, or a table, with a program that shares nothing with the solver.

mod table;

use std::fs::File;
use std::io::BufReader;
use std::time::Instant;

use perfectplay::answer::{Outcome, Player, Understood};
use perfectplay::certificates::{self, Argument, Certificate, Claim, Proved, Refusal, Sampled, Verified, Wrong};
use perfectplay::json;
use perfectplay::language::Rules;
use perfectplay::solving::{Limit, SolveError, Stopped};
use perfectplay::sums::SumPosition;
use perfectplay::tables::TableFile;

use crate::args::VerifyArgs;
use crate::board::Board;
use crate::failure::Failure;
use crate::load::{self, Asked, reason};
use crate::output::{self, BAD, EVEN, GOOD, Rows, bytes_text, count, plural, seconds_text, styled};
use crate::phrases::{in_moves, player, title, totals};
use crate::progress;

/// Where the right column starts.
const INDENT: usize = 14;

pub fn run(args: &VerifyArgs) -> Result<u8, Failure> {
    if TableFile::is_table(&args.file) {
        return table::run(args);
    }
    if args.share.is_some() {
        return Err(Failure::usage("--share is for tables, and this is none"));
    }
    let began = Instant::now();
    let name = args.file.display().to_string();
    let unread = |why: String| {
        let help = "`perfectplay solve GAME … --proof FILE` writes certificates";
        Failure::usage_help(format!("cannot read the certificate {name}: {why}"), help)
    };
    let expected = args.expected().map(|game| load::asked(&game)).transpose()?;
    let file = File::open(&args.file).map_err(|error| unread(reason(&error)))?;
    let mut monitor = progress::monitor(&args.limits(), args.quiet || args.json);
    let checked = certificates::check(BufReader::with_capacity(1 << 16, file), &mut monitor);
    let positions = monitor.met();
    drop(monitor);
    let verified = match checked.and_then(|verified| same_game(&verified.certificate, &expected).map(|()| verified)) {
        Ok(verified) => verified,
        Err(Refusal::Wrong(wrong)) => return Ok(refused(args, &name, &wrong)),
        Err(Refusal::Stopped(why)) => return Err(stopped(why, positions, &name)),
        Err(Refusal::Unread(error)) => return Err(unread(reason(&error))),
        Err(other) => return Err(unread(other.to_string())),
    };
    let seconds = began.elapsed().as_secs_f64();
    match args.json {
        true => output::print_line(&json::verified(&name, &verified, seconds)),
        false => output::print(&text(&name, &verified, seconds)),
    }
    Ok(if verified.sampled.is_some() { 3 } else { 0 })
}

/// Refuses a certificate that is about something else.
fn same_game(about: &Certificate, expected: &Option<Asked>) -> Result<(), Refusal> {
    match expected {
        None => Ok(()),
        Some(Asked::Sum(_)) => {
            Err(Refusal::wrong("a certificate is about one game, not about a sum of different games"))
        }
        Some(Asked::Game(game)) if game.0.source != about.rules => Err(Refusal::wrong("it is about other rules")),
        Some(Asked::Game(game)) if game.1.instance() != about.bound.instance() => {
            Err(Refusal::wrong(format!("it is about another instance: {}", about.instance)))
        }
        Some(Asked::Game(_)) => Ok(()),
    }
}

fn refused(args: &VerifyArgs, name: &str, wrong: &Wrong) -> u8 {
    if args.json {
        output::print_line(&json::refused(name, wrong));
    } else {
        let text = output::prose(&format!("{wrong}"), 2, output::width());
        output::print(&format!("{name}: {}\n  {}\n", styled("refused", BAD.bold()), text.trim_start()));
    }
    1
}

pub(super) fn stopped(why: Stopped, positions: u64, name: &str) -> Failure {
    let error = match why {
        Stopped::Cancelled => SolveError::Interrupted { positions },
        Stopped::Time { limit } => SolveError::Limit { limit: Limit::Time { limit }, positions },
        Stopped::Memory { limit, needed } => SolveError::Limit { limit: Limit::Memory { limit, needed }, positions },
    };
    Failure::Unfinished { error, what: format!("before {name} was checked; nothing is known of it") }
}

/// The result for people.
fn text(name: &str, verified: &Verified, seconds: f64) -> String {
    let about = &verified.certificate;
    let head = match &verified.sampled {
        None => styled("verified", GOOD.bold()),
        Some(_) => styled("only a sample, which agrees; nothing is proved", EVEN.bold()),
    };
    let mut rows = Rows::new(INDENT);
    rows.prose(if verified.sampled.is_some() { "said" } else { "proved" }, &claim_text(&about.claim, about));
    for (number, (proved, argument)) in verified.summary.proved.iter().zip(&verified.arguments).enumerate() {
        rows.prose(&format!("argument {}", number + 1), &argument_text(*argument, proved));
    }
    if let Some(Sampled { positions, with_claim }) = verified.sampled {
        let own =
            if with_claim { "the position itself is among them" } else { "the position itself is not among them" };
        let looked =
            format!("{} agree with their options, whose values are believed; {own}", plural(positions, "position"));
        rows.prose("sample", &looked);
    }
    let sizes = format!("{} ({} unpacked)", bytes_text(verified.bytes), bytes_text(verified.unpacked));
    rows.prose("took", &format!("{}, {sizes}, {}", plural(verified.positions, "position"), seconds_text(seconds)));
    let rules = Rules { name: about.bound.program.name.clone(), source: about.rules.clone() };
    let board = Board::Game { rules: &rules, bound: &about.bound };
    let place = match about.from_start() {
        true => String::new(),
        false => {
            let here = SumPosition { summands: vec![about.position.clone()], turn: about.position.turn };
            format!("\n{}\n", board.draw(&here).trim_end())
        }
    };
    let title = title(&about.bound.program.name, &Understood::new(&about.bound));
    format!("{name}: {head}\n{title}{place}\n{}", rows.text())
}

/// What is claimed, in a sentence.
fn claim_text(claim: &Claim, about: &Certificate) -> String {
    let mover = about.position.turn;
    let who = player(&mover.to_string());
    let mut parts = Vec::new();
    let outcome = claim.outcome.filter(|_| claim.value.is_none() && about.bound.players == 2);
    if let Some(outcome) = outcome {
        let moves = in_moves(claim.remoteness);
        parts.push(match outcome {
            Outcome::Win => format!("{who} wins{moves}"),
            Outcome::Loss => format!("{} wins{moves}", player(&mover.other().to_string())),
            Outcome::Draw => format!("a draw{moves}"),
        });
    }
    if let Some(value) = claim.value {
        parts.push(match value {
            0 => "the scores are equal".to_string(),
            _ => {
                let winner = if value > 0 { mover } else { mover.other() };
                format!("{} gets {} more", player(&winner.to_string()), count(value.unsigned_abs()))
            }
        });
    }
    if let Some(payoffs) = &claim.payoffs {
        parts.push(format!("the totals are {}", totals(payoffs)));
    }
    match claim.unique {
        Some(true) => parts.push("whichever way ties are broken".to_string()),
        Some(false) => parts.push("ties could change that".to_string()),
        None => {}
    }
    if let Some(nimber) = claim.nimber {
        parts.push(format!("nimber {nimber}"));
    }
    if let Some(set) = &claim.loopy {
        parts.push(format!("loopy nimber ∞{set}"));
    }
    if let Some(name) = &claim.form {
        parts.push(format!("value {name}"));
    }
    if let Some(class) = claim.class {
        parts.push(format!("class {class}"));
    }
    let to_move = if mover == Player::FIRST { String::new() } else { format!(" ({who} is to move)") };
    format!("{}{to_move}", parts.join("; "))
}

/// What an argument shows, and where it says more than that, how.
fn argument_text(argument: Argument, proved: &Proved) -> String {
    let repeat = |what: &str, first: u64, length: u64| {
        format!("{what} of all heaps: from heap {} on they repeat with period {}", count(first), count(length))
    };
    match argument {
        Argument::Period(period) => repeat("the nimbers", period.first, period.length),
        Argument::Lengths(lengths) => {
            let text = repeat("the lengths of play", lengths.first, lengths.length);
            format!("{text}, with {} more", plural(lengths.more, "move"))
        }
        Argument::Ranges(ranges) => {
            let from = count(ranges.alike);
            format!(
                "the nimbers of all heaps: from heap {from} on each becomes all heaps of a range, and they grow evenly"
            )
        }
        Argument::Sparse(sparse) => match sparse.period {
            Some((first, length)) => repeat("the nimbers", first, length),
            None => format!("the nimbers of all heaps below {}", count(sparse.heaps)),
        },
        _ => proved_text(proved),
    }
}

/// What an argument shows.
fn proved_text(proved: &Proved) -> String {
    let named = |who: &Player| player(&who.to_string());
    match proved {
        Proved::AtLeast { turn, player: who, outcome, within } => {
            let (who, turn) = (named(who), turn.to_string());
            let most = match within {
                Some(moves) => format!(" in at most {}", plural(*moves, "move")),
                None => String::new(),
            };
            let reaches = if *outcome == Outcome::Win { format!("win{most}") } else { "draw or better".to_string() };
            format!("a strategy of {who} to {reaches}, {turn} to move")
        }
        Proved::Lead { player: who, least } => format!("a strategy of {} to get at least {least:+} more", named(who)),
        Proved::Outcome { turn, .. } => {
            format!("a table of all positions: who wins, and in how many moves, {turn} to move")
        }
        Proved::Length { .. } => "the lengths of play of all heaps".to_string(),
        Proved::Payoffs { .. } => "a table of all positions: what everyone gets".to_string(),
        Proved::Value { .. } => "a table of all parts: their values as partizan games".to_string(),
        Proved::Loops { .. } => "duels with the stoppers that the position is worth: its value with loops".to_string(),
        Proved::Misere(_) => "a misère quotient of all parts".to_string(),
        Proved::Nimber(_) => "a table of all parts: their nimbers".to_string(),
    }
}
