//! The objects of `survey`.

use std::collections::BTreeMap;

use game::{Player, Verdict};
use rules::bind::Bound;
use rules::show;
use serde::Serialize;
use solve::survey::sample::SampleSurvey;
use solve::survey::{Bin, Counted, Histogram, Longest, Sides, Survey, ValueCounts, lengths};
use solve::value_text::ValueText;

use super::solution::FormPart;
use super::{Instance, Text, is_false};
use crate::positions;
use crate::survey::SumSurvey;

/// How many rows a table has at the most; beyond that, neighbouring values share a row.
const MOST_ROWS: usize = 1000;

/// Some positions of one value, or of a range of values.
#[derive(Serialize)]
struct Row {
    value: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<i64>,
    count: u64,
}

fn rows(histogram: &Histogram) -> Vec<Row> {
    let bins = histogram.bins(MOST_ROWS).into_iter();
    bins.map(|bin| Row { value: bin.from, to: Some(bin.to).filter(|to| *to != bin.from), count: bin.count }).collect()
}

#[derive(Serialize)]
struct Outcomes {
    won: u64,
    drawn: u64,
    lost: u64,
}

fn sides(&Sides { won, drawn, lost }: &Sides) -> Outcomes {
    Outcomes { won, drawn, lost }
}

/// Some positions that end after so many moves.
#[derive(Serialize)]
struct Distance {
    value: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<i64>,
    #[serde(flatten)]
    outcomes: Outcomes,
}

fn distances(remoteness: &BTreeMap<u32, Sides>) -> Vec<Distance> {
    let rows = lengths(remoteness, MOST_ROWS).into_iter();
    let distance = |(bin, found): (Bin, Sides)| Distance {
        value: bin.from,
        to: Some(bin.to).filter(|to| *to != bin.from),
        outcomes: sides(&found),
    };
    rows.map(distance).collect()
}

#[derive(Serialize)]
struct LoopyRow<'s> {
    value: &'s str,
    count: u64,
}

#[derive(Serialize)]
struct PayoffsRow<'s> {
    payoffs: &'s [i64],
    count: u64,
}

#[derive(Serialize)]
struct WinnerRow {
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<Text<Player>>,
    count: u64,
}

#[derive(Serialize)]
struct LongestObject {
    remoteness: u32,
    position: String,
    variables: serde_json::Value,
    mover: Text<Player>,
}

fn longest(bound: &Bound, Longest { moves, position }: &Longest) -> LongestObject {
    LongestObject {
        remoteness: *moves,
        position: show::position_text(bound, position),
        variables: positions::value(bound, position),
        mover: Text(position.turn),
    }
}

/// Counts of canonical forms.
#[derive(Serialize)]
struct ValuesObject<'s> {
    positions: u64,
    classes: Classes,
    distinct: u64,
    frequent: Vec<FrequentRow<'s>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hottest: Option<HottestObject<'s>>,
}

#[derive(Serialize)]
#[serde(rename_all = "UPPERCASE")]
struct Classes {
    l: u64,
    r: u64,
    n: u64,
    p: u64,
}

#[derive(Serialize)]
struct FrequentRow<'s> {
    #[serde(flatten)]
    form: FormPart<'s>,
    count: u64,
}

#[derive(Serialize)]
struct HottestObject<'s> {
    #[serde(flatten)]
    form: FormPart<'s>,
    position: String,
    variables: serde_json::Value,
}

fn values<'s>(bound: &Bound, counts: &'s ValueCounts) -> ValuesObject<'s> {
    let [l, r, n, p] = counts.classes;
    let hottest = counts.hottest.as_ref().map(|(form, position)| HottestObject {
        form: FormPart::new(form),
        position: show::position_text(bound, position),
        variables: positions::value(bound, position),
    });
    let row = |(form, count): &'s (ValueText, u64)| FrequentRow { form: FormPart::new(form), count: *count };
    ValuesObject {
        positions: counts.positions,
        classes: Classes { l, r, n, p },
        distinct: counts.distinct,
        frequent: counts.frequent.iter().map(row).collect(),
        hottest,
    }
}

#[derive(Serialize)]
struct SurveyObject<'s> {
    game: &'s str,
    instance: Instance<'s>,
    counted: &'static str,
    with_turn: bool,
    positions: u64,
    over: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcomes: Option<Outcomes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    endless: Option<Outcomes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remoteness: Option<Vec<Distance>>,
    moves: Vec<Row>,
    best_moves: Vec<Row>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<Vec<Row>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nimbers: Option<Vec<Row>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    loopy: Vec<LoopyRow<'s>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payoffs: Option<Vec<PayoffsRow<'s>>>,
    #[serde(skip_serializing_if = "is_false")]
    payoffs_cut: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    winners: Option<Vec<WinnerRow>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<ValuesObject<'s>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    longest_win: Option<LongestObject>,
    method: &'static str,
    seconds: f64,
    bytes: u64,
}

fn object<'s>(survey: &'s Survey, bound: &Bound) -> SurveyObject<'s> {
    let payoffs = survey.payoffs.as_ref().map(|payoffs| {
        let mut rows: Vec<PayoffsRow> = payoffs.iter().map(|(payoffs, &count)| PayoffsRow { payoffs, count }).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.count));
        rows.truncate(MOST_ROWS);
        rows
    });
    let winner =
        |(player, &count): (&Option<u8>, &u64)| WinnerRow { winner: player.map(|player| Text(Player(player))), count };
    SurveyObject {
        game: &survey.game,
        instance: Instance(&survey.instance),
        counted: match survey.counted {
            Counted::Positions => "positions",
            Counted::Parts => "parts",
        },
        with_turn: survey.with_turn,
        positions: survey.positions,
        over: survey.over,
        outcomes: survey.outcomes.as_ref().map(sides),
        endless: survey.endless.as_ref().map(sides),
        remoteness: survey.remoteness.as_ref().map(distances),
        moves: rows(&survey.moves),
        best_moves: rows(&survey.best_moves),
        scores: survey.scores.as_ref().map(rows),
        nimbers: survey.nimbers.as_ref().map(rows),
        loopy: survey.loopy.iter().map(|(value, &count)| LoopyRow { value, count }).collect(),
        payoffs_cut: survey.payoffs.as_ref().is_some_and(|payoffs| payoffs.len() > MOST_ROWS),
        payoffs,
        winners: survey.winners.as_ref().map(|winners| winners.iter().map(winner).collect()),
        values: survey.values.as_ref().map(|counts| values(bound, counts)),
        longest_win: survey.longest_win.as_ref().map(|found| longest(bound, found)),
        method: survey.method.name(),
        seconds: survey.seconds,
        bytes: survey.bytes,
    }
}

/// The object of `survey` for one game.
///
/// ```
/// use perfectplay::{Solver, json, language::Rules};
///
/// let coins = Rules::gallery("coins").unwrap().bind(r#"{"coins": [5, 3]}"#)?;
/// let text = json::text(&json::survey(&Solver::new().survey(&coins)?, &coins));
/// assert!(text.starts_with(r#"{"game":"coins","instance":{"coins":[5,3]},"counted":"positions""#));
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub fn survey<'s>(survey: &'s Survey, bound: &Bound) -> impl Serialize + 's {
    object(survey, bound)
}

#[derive(Serialize)]
struct SummandObject<'s> {
    name: &'s str,
    #[serde(flatten)]
    survey: SurveyObject<'s>,
}

#[derive(Serialize)]
struct SumObject<'s> {
    game: &'s str,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<Text<game::Outcome>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nimber: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loopy: Option<String>,
    summands: Vec<SummandObject<'s>>,
    seconds: f64,
    bytes: u64,
}

/// The object of `survey` for a sum of different games; the games of its summands in order.
///
/// ```
/// use perfectplay::{Solver, json, sums::{Gallery, Sum}, survey};
///
/// let sum = Sum::read("kayles(7) + *5", &Gallery)?;
/// let found = survey::sum(&sum, &Default::default(), &mut Solver::new().monitor()).unwrap();
/// let games: Vec<_> = sum.summands().iter().map(|summand| summand.bound).collect();
/// assert!(json::text(&json::sum_survey(&found, &games)).starts_with(r#"{"game":"kayles(7) + *5","outcome":"win""#));
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub fn sum_survey<'s>(survey: &'s SumSurvey, games: &[&Bound]) -> impl Serialize + 's {
    let summand = |((name, game), bound): (&'s (String, usize), &&Bound)| SummandObject {
        name,
        survey: object(&survey.games[*game], bound),
    };
    SumObject {
        game: &survey.sum,
        outcome: survey.worth.outcome().map(Text),
        nimber: Verdict::nimber(&survey.worth),
        loopy: survey.worth.infinite().map(|set| format!("∞{set}")),
        summands: survey.summands.iter().zip(games).map(summand).collect(),
        seconds: survey.seconds,
        bytes: survey.bytes,
    }
}

#[derive(Serialize)]
struct WonRow {
    winner: Text<Player>,
    count: u64,
}

#[derive(Serialize)]
struct SampleObject<'s> {
    game: &'s str,
    instances: u64,
    more: bool,
    won: Vec<WonRow>,
    drawn: u64,
    shared: u64,
    unknown: u64,
    seconds: f64,
}

/// The object of `survey --sample`.
///
/// ```
/// use perfectplay::{json, survey::SampleSurvey};
///
/// let found = SampleSurvey { game: "nim".to_string(), instances: 3, unknown: 3, ..SampleSurvey::default() };
/// assert!(json::text(&json::sample_survey(&found)).starts_with(r#"{"game":"nim","instances":3,"more":false"#));
/// ```
pub fn sample_survey(survey: &SampleSurvey) -> impl Serialize + '_ {
    SampleObject {
        game: &survey.game,
        instances: survey.instances,
        more: survey.more,
        won: survey.won.iter().map(|(&player, &count)| WonRow { winner: Text(Player(player)), count }).collect(),
        drawn: survey.drawn,
        shared: survey.shared,
        unknown: survey.unknown,
        seconds: survey.seconds,
    }
}
