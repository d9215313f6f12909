//! `perfectplay survey`: statistics over all positions, or over the instances of the sample.

mod bars;
mod family;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use perfectplay::answer::{Player, Verdict};
use perfectplay::json;
use perfectplay::language::{Bound, Rules, show};
use perfectplay::solving::Limits;
use perfectplay::sums::{Sum, SumPosition};
use perfectplay::survey::{self, Bin, Counted, Histogram, SampleSurvey, Sides, SumSurvey, Survey, ValueCounts};

use crate::args::SurveyArgs;
use crate::board::Board;
use crate::failure::Failure;
use crate::judgements::described;
use crate::load::{self, Asked};
use crate::output::{self, FAINT, STRONG, bytes_text, count, plural, seconds_text, styled};
use crate::progress::{self, Instances};
use crate::stored::{self, Stored};
use crate::{paste, phrases, start};
use bars::{Kind, Row, legend, table};

/// How many rows a table has; `--json` has more.
const ROWS: usize = 20;
/// A position whose text is longer is only printed with `--json`.
const LONGEST: usize = 1000;
/// What an instance of a sample may take if nothing is said.
const TIME: Duration = Duration::from_secs(20);

pub fn run(args: &SurveyArgs) -> Result<u8, Failure> {
    if args.sample {
        return of_sample(args);
    }
    if let Some(table) = &args.game.table {
        return of_table(args, table);
    }
    let mut asked = load::asked(&args.game.game())?;
    let way = start::stand(&mut asked, &args.at)?;
    let (rules, bound) = match &asked {
        Asked::Game(game) => &**game,
        Asked::Sum(_) if !args.over.is_empty() => {
            return Err(Failure::usage_help(
                "--over is for one game, not for a sum of several",
                "survey its games one by one",
            ));
        }
        Asked::Sum(sum) => return of_sum(args, sum),
    };
    if !args.over.is_empty() {
        return family::run(args, rules, bound);
    }
    let mut monitor = progress::monitor(&args.common.limits.limits(), args.common.quiet || args.common.json);
    let found = survey::survey(bound, &args.common.limits.options(), &mut monitor);
    drop(monitor);
    let found = found.map_err(|error| Failure::solving(error, rules))?;
    tell(args, &found, (rules, bound), way.elsewhere)
}

/// Statistics of a table.
fn of_table(args: &SurveyArgs, path: &Path) -> Result<u8, Failure> {
    if args.sample || !args.over.is_empty() || !args.at.is_empty() {
        let help = "leave --table out, and name the game";
        return Err(Failure::usage_help("a table is surveyed from its start on, as a whole", help));
    }
    let Stored { rules, bound, file } = Stored::open(path)?;
    let mut monitor = progress::monitor(&args.common.limits.limits(), args.common.quiet || args.common.json);
    let (solved, trouble) = stored::solved(path, (&rules, &bound), file, &mut monitor)?;
    let found = survey::of_solved(&solved, &args.common.limits.options(), &mut monitor);
    drop(monitor);
    stored::sound(path, &trouble)?;
    let found = found.map_err(|error| Failure::solving(error, &rules))?;
    tell(args, &found, (&rules, &bound), false)
}

/// Prints a survey.
fn tell(args: &SurveyArgs, found: &Survey, (rules, bound): (&Rules, &Bound), elsewhere: bool) -> Result<u8, Failure> {
    if args.common.json {
        output::print_json(&json::survey(found, bound));
        return Ok(0);
    }
    let mut text = phrases::title(&found.game, &found.instance);
    text.push_str(&tables(found, if elsewhere { "that position" } else { "the start" }));
    if found.counted == Counted::Parts {
        text.push_str("\n--method induction counts the positions of the whole sum instead\n");
    }
    if let Some(longest) = &found.longest_win {
        let board = Board::Game { rules, bound };
        let here = SumPosition { summands: vec![longest.position.clone()], turn: longest.position.turn };
        let drawing = show::draw_named(bound, &longest.position);
        let drawing = drawing.map_err(|fault| Failure::solving(fault.into(), rules))?;
        let moves = plural(u64::from(longest.moves), "move");
        let title = format!("the longest win takes {moves}, {} to move:", longest.position.turn);
        text.push_str(&format!("\n{}\n{}\n", styled(title, STRONG), drawing.trim_end()));
        let options = start::options(&board, &here);
        if options.len() <= LONGEST {
            text.push_str(&format!("{}\n", styled(format!("position: {options}"), FAINT)));
        }
    }
    text.push_str(&effort(found.seconds, found.bytes));
    output::print(&text);
    Ok(0)
}

/// What it took, on a line of its own.
fn effort(seconds: f64, bytes: u64) -> String {
    format!("\n{}\n", styled(format!("{}, {}", seconds_text(seconds), bytes_text(bytes)), FAINT))
}

/// What was counted, and all counts, from where play begins.
fn tables(found: &Survey, from: &str) -> String {
    let mut text = format!("{}\n", output::prose(&counted(found, from), 0, output::width()));
    let all = found.positions;
    if all == 0 {
        return text;
    }
    text.push_str(&who_wins(found));
    if let Some(remoteness) = &found.remoteness {
        text.push_str(&lengths(remoteness, all));
    }
    if let Some(scores) = &found.scores {
        text.push_str(&histogram(
            "by score: what the player to move gets from there on, minus what the other gets",
            scores,
            all,
        ));
    }
    if let Some(nimbers) = &found.nimbers {
        text.push_str(&histogram("by nimber", nimbers, all));
    }
    if !found.loopy.is_empty() {
        let rows: Vec<Row> =
            found.loopy.iter().take(ROWS).map(|(value, &count)| Row::new(value, Kind::Plain, count)).collect();
        text.push_str(&table("by infinite nimber, where best play may never end", &rows, all));
    }
    if let Some(values) = &found.values {
        text.push_str(&by_value(values));
    }
    text.push_str(&histogram(
        &format!("by the number of moves: {:.1} on average", found.moves.mean()),
        &found.moves,
        all,
    ));
    let best = format!("by the number of best moves: {:.1} on average", found.best_moves.mean());
    text.push_str(&histogram(&best, &found.best_moves, all));
    text
}

/// The values of positions, whoever is to move.
fn by_value(counts: &ValueCounts) -> String {
    let all = counts.positions;
    let names = ["Left wins (L)", "Right wins (R)", "who starts wins (N)", "who starts loses (P)"];
    let rows: Vec<Row> =
        names.iter().zip(counts.classes).map(|(name, count)| Row::new(*name, Kind::Plain, count)).collect();
    let title = format!("by outcome class: {}, whoever is to move", plural(all, "position"));
    let mut text = table(&title, &rows, all);
    let frequent = counts.frequent.iter().map(|(form, count)| {
        let name = form.name.as_deref().unwrap_or("too long to be written out");
        Row::new(name, Kind::Plain, *count)
    });
    let hottest = match &counts.hottest {
        Some((form, _)) => format!("; the hottest is {}", described(form)),
        None => String::new(),
    };
    let title = format!("by value: {}{hottest}", plural(counts.distinct, "different value"));
    text.push_str(&table(&title, &frequent.collect::<Vec<_>>(), all));
    text
}

/// Who wins, or what everyone gets.
fn who_wins(found: &Survey) -> String {
    let (mut text, all) = (String::new(), found.positions);
    if let Some(outcomes) = &found.outcomes {
        let title = match (found.scores.is_some(), found.counted) {
            (true, _) => "what is still to be gained: for the player to move",
            (false, Counted::Parts) => "alone, for the player to move",
            (false, Counted::Positions) => "for the player to move",
        };
        text.push_str(&table(title, &outcome_rows(outcomes, found), all));
    }
    if let Some(winners) = &found.winners {
        let name = |player: &Option<u8>| player.map_or("nobody alone".to_string(), |player| Player(player).to_string());
        let rows: Vec<Row> =
            winners.iter().map(|(player, &count)| Row::new(name(player), Kind::Plain, count)).collect();
        let title = if found.payoffs.is_some() { "who gets most from there on" } else { "who wins" };
        text.push_str(&table(title, &rows, all));
    }
    if let Some(payoffs) = &found.payoffs {
        let mut sorted: Vec<_> = payoffs.iter().collect();
        sorted.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let shown = sorted.iter().take(ROWS);
        let rows: Vec<Row> =
            shown.map(|(payoffs, count)| Row::new(phrases::totals(payoffs), Kind::Plain, **count)).collect();
        let title = match sorted.len() > ROWS {
            true => format!(
                "what each player gets from there on, the {ROWS} most frequent of {}",
                count(sorted.len() as u64)
            ),
            false => "what each player gets from there on".to_string(),
        };
        text.push_str(&table(&title, &rows, all));
    }
    text
}

/// How soon play ends.
fn lengths(remoteness: &BTreeMap<u32, Sides>, all: u64) -> String {
    let row = |(bin, sides): (Bin, Sides)| {
        let counts = vec![(Kind::Won, sides.won), (Kind::Drawn, sides.drawn), (Kind::Lost, sides.lost)];
        Row { name: range(bin.from, bin.to), counts }
    };
    let rows: Vec<Row> = survey::lengths(remoteness, ROWS).into_iter().map(row).collect();
    let title = "by remoteness: the moves until the end when winners hurry and losers linger";
    table(title, &rows, all) + &legend()
}

/// What was counted, in a sentence.
fn counted(found: &Survey, from: &str) -> String {
    let over = match found.over {
        0 => "none of them is the end of the game".to_string(),
        over => format!("in {} of them the game is over", count(over)),
    };
    match found.counted {
        Counted::Positions => {
            let turn = if found.with_turn { ", told apart by whose turn it is" } else { "" };
            format!("{} can be reached from {from}{turn}; {over}", plural(found.positions, "position"))
        }
        Counted::Parts => format!(
            "{} of the sum can come up, each counted once and by itself; {} without moves",
            plural(found.positions, "part"),
            count(found.over)
        ),
    }
}

fn outcome_rows(outcomes: &Sides, found: &Survey) -> Vec<Row> {
    let endless = found.endless.unwrap_or_default();
    let names = if found.scores.is_some() { ["more", "the same", "less"] } else { ["won", "drawn", "lost"] };
    let sides = [
        (names[0], Kind::Won, outcomes.won, endless.won),
        (names[1], Kind::Drawn, outcomes.drawn, endless.drawn),
        (names[2], Kind::Lost, outcomes.lost, endless.lost),
    ];
    let mut rows = Vec::new();
    for (name, kind, all, endless) in sides {
        rows.push(Row::new(name, kind, all - endless));
        if endless > 0 {
            rows.push(Row::new(format!("{name} endlessly"), kind, endless));
        }
    }
    rows
}

fn histogram(title: &str, histogram: &Histogram, all: u64) -> String {
    let bins = histogram.bins(ROWS);
    let rows: Vec<Row> = bins.iter().map(|bin| Row::new(range(bin.from, bin.to), Kind::Plain, bin.count)).collect();
    table(title, &rows, all)
}

fn range(from: i64, to: i64) -> String {
    if from == to { from.to_string() } else { format!("{from} to {to}") }
}

fn of_sum(args: &SurveyArgs, sum: &Sum) -> Result<u8, Failure> {
    let mut monitor = progress::monitor(&args.common.limits.limits(), args.common.quiet || args.common.json);
    let found = survey::sum(sum, &args.common.limits.options(), &mut monitor);
    drop(monitor);
    let found = found.map_err(|error| Failure::summing(error, sum))?;
    if args.common.json {
        let games: Vec<&Bound> = sum.summands().iter().map(|summand| summand.bound).collect();
        output::print_json(&json::sum_survey(&found, &games));
    } else {
        output::print(&sum_text(&found));
    }
    Ok(0)
}

fn sum_text(found: &SumSurvey) -> String {
    let mut text = phrases::sum_title(&found.sum);
    let value = |verdict: &Verdict| verdict.loopy().map_or(String::new(), |value| format!(", nimber {value}"));
    text.push_str(&format!("the whole sum{}; its summands, each by itself:\n", value(&found.worth)));
    for (number, game) in found.games.iter().enumerate() {
        let names = found.summands.iter().filter(|(_, of)| *of == number).map(|(name, _)| name.clone());
        let names = names.collect::<Vec<_>>().join(", ");
        let start = game.start.as_ref().map(value).unwrap_or_default();
        text.push_str(&format!("\n{}{start}\n{}", styled(names, STRONG), tables(game, "the start")));
    }
    text + &effort(found.seconds, found.bytes)
}

fn of_sample(args: &SurveyArgs) -> Result<u8, Failure> {
    let game = args.game.game();
    if load::is_sum(&game.game) {
        return Err(Failure::usage_help("a sum of different games has no sample", "survey its games one by one"));
    }
    if let Some(word) = game.words.first() {
        let typed = paste::with_words(&game, &[]);
        let message = format!("with --sample the rules file says which instances are solved, and `{word}` says so too");
        return Err(Failure::usage_help(message, format!("type: {typed}")));
    }
    let rules = load::rules(&game.game)?;
    let program = load::program(&rules)?;
    let limits = args.common.limits.limits();
    let limits = Limits { time: limits.time.or(Some(TIME)), ..limits };
    let shown = Instances::new(limits, args.common.quiet || args.common.json);
    let options = args.common.limits.options();
    let found = survey::sample(&program, args.instances, &options, &mut |done, all| shown.monitor(done, all));
    let found = found.map_err(|error| Failure::solving(error, &rules))?;
    if found.instances == 0 {
        let message = "no instance of the sample was found that the rules admit";
        return Err(Failure::usage_help(message, "change the sample, or what `require` asks for"));
    }
    match args.common.json {
        true => output::print_json(&json::sample_survey(&found)),
        false => output::print(&sample_text(&found)),
    }
    // Where nothing is known, nothing was answered.
    Ok(if found.known() == 0 { 3 } else { 0 })
}

fn sample_text(found: &SampleSurvey) -> String {
    let which = match (found.more, found.instances) {
        (true, instances) => format!("{} of a larger sample", plural(instances, "instance")),
        (false, 1) => "the only instance of the sample".to_string(),
        (false, instances) => format!("all {} of the sample", plural(instances, "instance")),
    };
    let mut text = format!("{}  {}\n", styled(&found.game, STRONG), styled(which, FAINT));
    let players = found.won.keys().copied().max().unwrap_or(0).max(1);
    let mut rows: Vec<Row> = (0..=players)
        .map(|player| {
            let name = phrases::player(&Player(player).to_string());
            Row::new(format!("{name} wins"), Kind::Plain, found.won_by(Player(player)))
        })
        .collect();
    rows.push(Row::new("draw", Kind::Plain, found.drawn));
    if found.shared > 0 {
        rows.push(Row::new("no single winner", Kind::Plain, found.shared));
    }
    if found.unknown > 0 {
        rows.push(Row::new("not known: a limit", Kind::Plain, found.unknown));
    }
    text.push_str(&table("how often, when everyone plays best", &rows, found.instances));
    text.push_str(&format!("\n{}\n", styled(seconds_text(found.seconds), FAINT)));
    text
}
