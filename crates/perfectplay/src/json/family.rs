//! The objects of `survey --over`: one for the whole family, and a line for each position.

use rules::bind::{Bound, Position};
use serde::{Deserialize, Serialize};
use solve::survey::family_values::{Found, Frequent, SurveyedPosition, ValueSurvey};
use solve::value_text::ValueText;

use super::Instance;
use super::solution::NumberOrText;
use crate::positions;

#[derive(Serialize)]
struct Form<'s> {
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean: Option<NumberOrText<'s>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<NumberOrText<'s>>,
}

fn form(canonical: &ValueText) -> Form<'_> {
    Form {
        value: canonical.name.as_deref(),
        mean: canonical.mean.as_deref().map(NumberOrText::of),
        temperature: canonical.temperature.as_deref().map(NumberOrText::of),
    }
}

#[derive(Serialize)]
struct FrequentObject<'s> {
    #[serde(flatten)]
    form: Form<'s>,
    count: u64,
    variables: serde_json::Value,
}

#[derive(Serialize)]
struct TemperatureRow<'s> {
    temperature: NumberOrText<'s>,
    count: u64,
}

#[derive(Serialize)]
struct FoundObject<'s> {
    value: &'s str,
    count: u64,
    positions: Vec<serde_json::Value>,
}

#[derive(Serialize)]
struct UnvaluedObject<'s> {
    count: u64,
    reason: &'s str,
    variables: serde_json::Value,
}

#[derive(Serialize)]
struct Classes {
    #[serde(rename = "L")]
    left: u64,
    #[serde(rename = "R")]
    right: u64,
    #[serde(rename = "N")]
    next: u64,
    #[serde(rename = "P")]
    previous: u64,
}

#[derive(Serialize)]
struct FamilyObject<'s> {
    game: &'s str,
    instance: Instance<'s>,
    over: &'s [String],
    positions: u64,
    outcome_classes: Classes,
    #[serde(skip_serializing_if = "Option::is_none")]
    drawn: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    no_value: Option<UnvaluedObject<'s>>,
    distinct_values: u64,
    values: Vec<FrequentObject<'s>>,
    temperatures: Vec<TemperatureRow<'s>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hottest: Option<FrequentObject<'s>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    found: Vec<FoundObject<'s>>,
    parts: u64,
    seconds: f64,
    bytes: u64,
}

/// The object of `survey --over`.
///
/// ```
/// use perfectplay::survey::{self, Task};
/// use perfectplay::{Solver, family, json, language::Rules};
///
/// let rules = Rules::gallery("domineering").unwrap();
/// let board = rules.bind(r#"{"rows": 1, "columns": 2}"#)?;
/// let over = ["board".to_string()];
/// let boards = family::read(&board, &board.start, &over).unwrap();
/// let mut lines = Vec::new();
/// let mut each = |position: &survey::SurveyedPosition<'_>| {
///     lines.push(json::text(&json::survey_line(position, &board)));
///     Ok(())
/// };
/// let mut task = Task { family: &boards, wanted: &[], known: &mut std::iter::empty(), each: &mut each, listed: true };
/// let solver = Solver::new();
/// let found = survey::values(&board, &mut task, &solver.options()?, &mut solver.monitor())?;
/// assert!(json::text(&json::value_survey(&found, &board, &over)).contains(r#""distinct_values":2"#));
/// assert!(lines[0].starts_with(r#"{"number":0,"variables":{"board":"#));
///
/// // The file of these lines begins with what it is a survey of.
/// let head = json::text(&json::survey_head(&board, &found.instance, &over, found.positions, &rules.source));
/// assert!(head.starts_with(r#"{"game":"domineering""#));
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub fn value_survey<'s>(survey: &'s ValueSurvey, bound: &Bound, over: &'s [String]) -> impl Serialize + 's {
    let variables = |position: &Position| positions::value(bound, position);
    let frequent = |frequent: &'s Frequent| FrequentObject {
        form: form(&frequent.canonical),
        count: frequent.count,
        variables: variables(&frequent.first),
    };
    let found = |found: &'s Found| FoundObject {
        value: &found.value,
        count: found.count,
        positions: found.positions.iter().map(variables).collect(),
    };
    let [left, right, next, previous] = survey.classes.map(|(_, count)| count);
    FamilyObject {
        game: &survey.game,
        instance: Instance(&survey.instance),
        over,
        positions: survey.positions,
        outcome_classes: Classes { left, right, next, previous },
        drawn: Some(survey.drawn).filter(|&count| count > 0),
        no_value: survey.unvalued.as_ref().map(|unvalued| UnvaluedObject {
            count: unvalued.count,
            reason: &unvalued.why,
            variables: variables(&unvalued.first),
        }),
        distinct_values: survey.distinct,
        values: survey.values.iter().map(frequent).collect(),
        temperatures: survey
            .temperatures
            .iter()
            .map(|(temperature, count)| TemperatureRow { temperature: NumberOrText::of(temperature), count: *count })
            .collect(),
        hottest: survey.hottest.as_ref().map(frequent),
        found: survey.found.iter().map(found).collect(),
        parts: survey.parts,
        seconds: survey.seconds,
        bytes: survey.bytes,
    }
}

#[derive(Serialize)]
struct LineObject<'s> {
    number: u64,
    variables: serde_json::Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome_class: Option<&'static str>,
    #[serde(flatten)]
    form: Option<Form<'s>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    no_value: Option<&'s str>,
}

/// The line of one position in the file of `survey --lines`.
///
/// See [`value_survey`] for an example.
pub fn survey_line<'s>(surveyed: &SurveyedPosition<'s>, bound: &Bound) -> impl Serialize + 's {
    LineObject {
        number: surveyed.number,
        variables: positions::value(bound, surveyed.position),
        outcome_class: surveyed.found.ok().and_then(|(class, _)| class).map(super::value::class),
        form: surveyed.found.ok().map(|(_, canonical)| form(canonical)),
        no_value: surveyed.found.err(),
    }
}

/// The first line of such a file: what it is a survey of.
#[derive(Serialize)]
struct HeadObject<'s> {
    game: &'s str,
    instance: Instance<'s>,
    over: &'s [String],
    base: serde_json::Value,
    positions: u64,
    rules: String,
}

/// The first line of the file of `survey --lines`: equal for two surveys of the same positions by the same rules.
///
/// See [`value_survey`] for an example.
pub fn survey_head<'s>(
    bound: &'s Bound,
    instance: &'s solve::answer::solution::Understood,
    over: &'s [String],
    positions: u64,
    source: &str,
) -> impl Serialize + 's {
    HeadObject {
        game: &bound.program.name,
        instance: Instance(instance),
        over,
        base: positions::value(bound, &bound.start),
        positions,
        rules: fingerprint(source),
    }
}

/// What tells rules texts apart (FNV-1a, 64 bits); no protection against malice.
fn fingerprint(source: &str) -> String {
    let hash = source
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    format!("{hash:016x}")
}

#[derive(Deserialize)]
struct ReadLine {
    number: u64,
    #[serde(default)]
    value: Option<String>,
}

/// What such a line says: the number of its position, and its value where it is named.
///
/// ```
/// let line = r#"{"number":3,"variables":{"left":1},"outcome_class":"N","value":"*","mean":0,"temperature":0}"#;
/// assert_eq!(perfectplay::json::read_survey_line(line), Some((3, Some("*".to_string()))));
/// assert_eq!(perfectplay::json::read_survey_line("{}"), None);
/// ```
pub fn read_survey_line(line: &str) -> Option<(u64, Option<String>)> {
    let ReadLine { number, value } = serde_json::from_str(line).ok()?;
    Some((number, value))
}
