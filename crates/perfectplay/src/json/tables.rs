//! The objects of table files: of `build`, of `verify`, lines of `export`, and counts.

use std::collections::BTreeMap;

use game::Verdict;
use rules::bind::{Bound, Position};
use serde::Serialize;
use serde::ser::SerializeSeq;
use solve::answer::solution::Understood;
use table::{Entry, Kind, Shape};
use verify::refusal::Wrong;
use verify::tables::Checked;

use super::moves::VerdictFields;
use super::{Instance, Text, is_false};
use crate::positions;
use crate::table_counts::TableCounts;

/// The kind of game, as `solve` says it.
fn kind(verdict: Option<&Verdict>) -> &'static str {
    match verdict {
        Some(Verdict::Score(_)) => "score",
        Some(Verdict::Payoffs { .. }) => "payoffs",
        Some(Verdict::Nimber(_) | Verdict::Loopy(_)) => "nimber",
        Some(Verdict::Outcome { nimber: Some(_), .. }) => "nimber",
        _ => "outcome",
    }
}

#[derive(Serialize)]
struct BuiltObject<'b> {
    game: &'b str,
    instance: Instance<'b>,
    kind: &'static str,
    #[serde(flatten)]
    worth: Option<VerdictFields<'b>>,
    file: &'b str,
    layout: &'b str,
    positions: u64,
    bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
    seconds: f64,
}

/// A table that was built.
///
/// See [`built`] for an example.
pub struct BuiltTable<'b> {
    /// The file.
    pub file: &'b str,
    /// How positions lie in it.
    pub layout: &'b str,
    /// How many positions, or parts.
    pub positions: u64,
    /// How many bytes.
    pub bytes: u64,
    /// The hash of everything, where the file has one.
    pub hash: Option<u128>,
    /// What it took.
    pub seconds: f64,
}

/// The object of `build`, as text: a table, with the verdict on its start.
///
/// ```
/// use perfectplay::{answer::Verdict, json, language::Rules};
///
/// let coins = Rules::gallery("coins").unwrap().bind(r#"{"coins": [5, 3]}"#)?;
/// let built = json::BuiltTable { file: "coins.table", layout: "scores", positions: 6, bytes: 4096, hash: None, seconds: 0.5 };
/// let text = json::built(&coins, Some(&Verdict::Score(2)), &built);
/// assert!(text.contains(r#""value":2,"file":"coins.table","layout":"scores","positions":6"#));
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub fn built(bound: &Bound, verdict: Option<&Verdict>, built: &BuiltTable<'_>) -> String {
    let (game, instance) = (&*bound.program.name, Understood::new(bound));
    let instance = Instance(&instance);
    let BuiltTable { file, layout, positions, bytes, hash, seconds } = *built;
    super::text(&BuiltObject {
        game,
        instance,
        kind: kind(verdict),
        worth: verdict.map(VerdictFields::new),
        file,
        layout,
        positions,
        bytes,
        hash: hash.map(|hash| format!("{hash:032x}")),
        seconds,
    })
}

#[derive(Serialize)]
struct TableLine<'e> {
    variables: serde_json::Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    mover: Option<Text<game::Player>>,
    #[serde(flatten)]
    worth: VerdictFields<'e>,
    #[serde(skip_serializing_if = "Option::is_none")]
    form: Option<&'e str>,
}

/// A line of `export --jsonl`: a position, or a part, with what the table says of it.
///
/// ```
/// use perfectplay::{answer::Verdict, json, language::Rules};
/// use perfectplay::tables::{Entry, Kind, Shape};
///
/// let coins = Rules::gallery("coins").unwrap().bind(r#"{"coins": [5, 3]}"#)?;
/// let shape = Shape { kind: Kind::Scores, turn: false, ordered: false, values: false };
/// let entry = Entry::new(Verdict::Score(2));
/// let line = json::text(&json::table_line(&coins, shape, &coins.start, &entry));
/// assert_eq!(line, r#"{"variables":{"i":0,"j":2},"value":2}"#);
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub fn table_line<'e>(bound: &Bound, shape: Shape, position: &Position, entry: &'e Entry) -> impl Serialize + use<'e> {
    let variables = match positions::value(bound, position) {
        // A part alone is no list of parts.
        serde_json::Value::Array(mut parts) if shape.of_parts() && parts.len() == 1 => parts.swap_remove(0),
        variables => variables,
    };
    TableLine {
        variables,
        mover: shape.turn.then_some(Text(position.turn)),
        worth: VerdictFields::new(&entry.verdict),
        form: entry.value.as_deref(),
    }
}

#[derive(Serialize)]
struct CheckedObject<'v> {
    file: &'v str,
    verified: bool,
    #[serde(skip_serializing_if = "is_false")]
    shared: bool,
    game: &'v str,
    instance: Instance<'v>,
    kind: &'static str,
    #[serde(flatten)]
    worth: Option<VerdictFields<'v>>,
    layout: &'v str,
    positions: u64,
    compared: u64,
    bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
    seconds: f64,
}

/// The object of `verify` for a table that agrees with its rules, as text. It is verified if all of its values were compared.
///
/// ```
/// use perfectplay::tables::{Checked, Entry};
/// use perfectplay::{answer::Verdict, json, language::Rules};
///
/// let coins = Rules::gallery("coins").unwrap().bind(r#"{"coins": [5, 3]}"#)?;
/// let built = json::BuiltTable { file: "coins.table", layout: "scores", positions: 6, bytes: 4096, hash: None, seconds: 0.5 };
/// let checked = Checked { compared: 6, whole: true, start: Some(Entry::new(Verdict::Score(2))) };
/// assert!(json::checked_table(&coins, &checked, &built).starts_with(r#"{"file":"coins.table","verified":true,"game":"coins""#));
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub fn checked_table(bound: &Bound, checked: &Checked, table: &BuiltTable<'_>) -> String {
    let instance = Understood::new(bound);
    let verdict = checked.start.as_ref().map(|entry| &entry.verdict);
    super::text(&CheckedObject {
        file: table.file,
        verified: checked.whole,
        shared: !checked.whole,
        game: &bound.program.name,
        instance: Instance(&instance),
        kind: if verdict.is_none() { "nimber" } else { kind(verdict) },
        worth: verdict.map(VerdictFields::new),
        layout: table.layout,
        positions: table.positions,
        compared: checked.compared,
        bytes: table.bytes,
        hash: table.hash.map(|hash| format!("{hash:032x}")),
        seconds: table.seconds,
    })
}

#[derive(Serialize)]
struct RefusedTable<'w> {
    file: &'w str,
    verified: bool,
    refusal: TableRefusal<'w>,
}

#[derive(Serialize)]
struct TableRefusal<'w> {
    #[serde(skip_serializing_if = "Option::is_none")]
    entry: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<&'w str>,
    why: &'w str,
}

/// The object of `verify` for a table that is damaged or wrong, as text.
///
/// ```
/// use perfectplay::{certificates::Wrong, json};
///
/// let wrong = Wrong { why: "block 3 of 9 is damaged".to_string(), ..Wrong::default() };
/// let text = json::refused_table("nim.table", &wrong);
/// assert_eq!(text, r#"{"file":"nim.table","verified":false,"refusal":{"why":"block 3 of 9 is damaged"}}"#);
/// ```
pub fn refused_table(file: &str, wrong: &Wrong) -> String {
    let Wrong { entry, position, why, .. } = wrong;
    let entry = Some(*entry).filter(|entry| *entry > 0);
    super::text(&RefusedTable {
        file,
        verified: false,
        refusal: TableRefusal { entry, position: position.as_deref(), why },
    })
}

/// Counts by what they count, as a list of objects: numbers need no quotes then.
struct Counts<'c, K>(&'c BTreeMap<K, u64>);

#[derive(Serialize)]
struct Count<'c, K> {
    of: &'c K,
    positions: u64,
}

impl<K: Serialize> Serialize for Counts<'_, K> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.len()))?;
        for (of, &positions) in self.0 {
            list.serialize_element(&Count { of, positions })?;
        }
        list.end()
    }
}

#[derive(Serialize)]
struct SideCounts {
    win: u64,
    draw: u64,
    lose: u64,
}

impl SideCounts {
    fn new([lose, draw, win]: [u64; 3]) -> SideCounts {
        SideCounts { win, draw, lose }
    }
}

#[derive(Serialize)]
struct Length {
    moves: u32,
    #[serde(flatten)]
    sides: SideCounts,
}

#[derive(Serialize)]
struct CountsObject<'c> {
    game: &'c str,
    instance: Instance<'c>,
    layout: &'c str,
    positions: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcomes: Option<SideCounts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    endless: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remoteness: Vec<Length>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<Counts<'c, i64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nimbers: Option<Counts<'c, u64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loopy: Option<Counts<'c, String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payoffs: Option<Counts<'c, Box<[i64]>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<Counts<'c, String>>,
}

/// The object of `export --stats`, as text.
///
/// ```
/// use perfectplay::{json, language::Rules};
/// use perfectplay::tables::{Kind, Shape, TableCounts};
///
/// let coins = Rules::gallery("coins").unwrap().bind(r#"{"coins": [5, 3]}"#)?;
/// let shape = Shape { kind: Kind::Scores, turn: false, ordered: false, values: false };
/// let text = json::table_counts(&coins, shape, &TableCounts::default());
/// assert!(text.contains(r#""layout":"scores","positions":0"#));
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub fn table_counts(bound: &Bound, shape: Shape, counts: &TableCounts) -> String {
    fn some<K>(counts: &BTreeMap<K, u64>) -> Option<Counts<'_, K>> {
        (!counts.is_empty()).then_some(Counts(counts))
    }
    let instance = Understood::new(bound);
    let lengths = counts.remoteness.iter().map(|(&moves, &sides)| Length { moves, sides: SideCounts::new(sides) });
    super::text(&CountsObject {
        game: &bound.program.name,
        instance: Instance(&instance),
        layout: &shape.to_string(),
        positions: counts.positions,
        outcomes: (shape.kind != Kind::Payoffs).then(|| SideCounts::new(counts.outcomes)),
        endless: matches!(shape.kind, Kind::Outcomes { .. }).then_some(counts.endless),
        remoteness: lengths.collect(),
        scores: some(&counts.scores),
        nimbers: some(&counts.nimbers),
        loopy: some(&counts.loopy),
        payoffs: some(&counts.payoffs),
        values: some(&counts.values),
    })
}
