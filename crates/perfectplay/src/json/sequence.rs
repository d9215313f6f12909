//! The objects of `sequence`.

use std::cell::RefCell;
use std::rc::Rc;

use ::sequence::{Found, Grid, Misere, Repeats, Sequence, Summary, Term, TermKind};
use game::Verdict;
use heaps::period::Proof;
use serde::Serialize;
use serde::ser::{SerializeSeq, Serializer};
use solve::answer::solution::Understood;
use solve::value_text::ValueText;

use super::errors::ErrorObject;
use super::{Instance, Text};
use crate::guess::Guess;

/// What a sequence is of.
///
/// See [`sequence()`] for an example.
pub struct SequenceHead<'s> {
    /// The game's name.
    pub game: &'s str,
    /// The parameters that do not run.
    pub fixed: &'s Understood,
    /// The parameter that runs.
    pub parameter: &'s str,
}

#[derive(Serialize)]
struct SequenceObject<'s> {
    game: &'s str,
    instance: Instance<'s>,
    parameter: &'s str,
    from: i64,
    to: i64,
    terms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<Text<TermKind>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    period: Option<Period>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature_period: Option<Period>,
    #[serde(skip_serializing_if = "Option::is_none")]
    no_value: Option<NoValue<'s>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    largest: Option<Largest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rare: Option<Rare>,
    method: String,
    proof: String,
    seconds: f64,
    bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorObject>,
    values: Values<'s>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    means: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    temperatures: Vec<String>,
    #[serde(rename = "error", skip_serializing_if = "Late::is_none")]
    late: Late,
}

#[derive(Serialize)]
struct Period {
    start: i64,
    length: u64,
    saltus: u64,
    proof: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    upto: Option<i64>,
}

fn period(Repeats { start, length, saltus, proof, upto }: Repeats) -> Period {
    let proof = match proof {
        Proof::Theorem(name) => format!("theorem: {name}"),
        Proof::Observed => "observed, not proved".to_string(),
    };
    Period { start, length, saltus, proof, upto }
}

#[derive(Serialize)]
struct NoValue<'s> {
    count: u64,
    first: i64,
    reason: &'s str,
}

#[derive(Serialize)]
struct Largest {
    value: i64,
    at: i64,
}

#[derive(Serialize)]
struct Rare {
    mask: u32,
    count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<i64>,
}

/// The terms that are known, written one by one until something stops it.
struct Values<'s> {
    sequence: &'s Sequence,
    stop: &'s Watch<'s>,
    stopped: Rc<RefCell<Option<ErrorObject>>>,
}

/// Asked now and then while values are written, with the number of those that are: what stops it, if anything does.
///
/// See [`sequence()`] for an example.
pub type Watch<'w> = dyn Fn(u64) -> Option<ErrorObject> + 'w;

/// So many values of a sequence are written between two looks at what may stop it.
///
/// ```
/// assert!(perfectplay::json::CHUNK > 1000);
/// ```
pub const CHUNK: u64 = 1 << 14;

impl Serialize for Values<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(None)?;
        for index in 0..self.sequence.known() {
            if index > 0 && index.is_multiple_of(CHUNK) {
                *self.stopped.borrow_mut() = (self.stop)(index);
                if self.stopped.borrow().is_some() {
                    break;
                }
            }
            let Some(term) = self.sequence.term(index) else { break };
            seq.serialize_element(&Value(&term))?;
        }
        seq.end()
    }
}

/// What stopped the values while they were written; it stands behind them.
struct Late(Rc<RefCell<Option<ErrorObject>>>);

impl Late {
    fn is_none(&self) -> bool {
        self.0.borrow().is_none()
    }
}

impl Serialize for Late {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.borrow().serialize(serializer)
    }
}

/// One term.
struct Value<'t>(&'t Term);

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.form.is_some() {
            return Text(self.0).serialize(serializer);
        }
        match &self.0.verdict {
            Verdict::Nimber(nimber) => nimber.serialize(serializer),
            Verdict::Score(value) => value.serialize(serializer),
            Verdict::Payoffs { totals, .. } => totals.serialize(serializer),
            Verdict::Loopy(_) | Verdict::Outcome { .. } => Text(self.0).serialize(serializer),
        }
    }
}

/// The object of `sequence`; its values are written as they are read. Where there is no `error` yet, `stop` may still end the
/// values while they are written; its error then stands behind them.
///
/// ```
/// use perfectplay::json::{SequenceHead, sequence, text};
/// use perfectplay::sequence::{HeapSequence, NimSequence, Sequence, Source, Summary};
/// use perfectplay::solving::Monitor;
///
/// let kayles = NimSequence::new("0.77".parse().unwrap()).unwrap();
/// let mut kayles = Sequence::new(Source::Heaps(HeapSequence::Break(Box::new(kayles))), 0, 6).unwrap();
/// while !kayles.extend(&mut Monitor::unlimited()).unwrap() {}
/// let head = SequenceHead { game: "octal", fixed: &Default::default(), parameter: "n" };
/// let object = text(&sequence(&head, &kayles, &Summary::of(&kayles), (0.0, 0), None, &|_| None));
/// assert!(object.ends_with(r#""values":[0,1,2,3,1,4]}"#), "{object}");
/// ```
pub fn sequence<'s>(
    head: &SequenceHead<'s>,
    sequence: &'s Sequence,
    summary: &'s Summary,
    (seconds, bytes): (f64, u64),
    error: Option<ErrorObject>,
    stop: &'s Watch<'s>,
) -> impl Serialize + use<'s> {
    let stopped = Rc::default();
    SequenceObject {
        game: head.game,
        instance: Instance(head.fixed),
        parameter: head.parameter,
        from: sequence.from(),
        to: sequence.to(),
        terms: summary.terms,
        kind: summary.kind.map(Text),
        period: summary.period.map(period),
        temperature_period: summary.temperature_period.map(period),
        no_value: sequence.unvalued().map(|unvalued| NoValue {
            count: unvalued.count,
            first: unvalued.first,
            reason: &unvalued.why,
        }),
        largest: summary.largest.map(|largest| Largest { value: largest.value, at: largest.at }),
        rare: summary.rare.as_ref().map(|rare| Rare {
            mask: rare.mask,
            count: rare.at.len(),
            last: rare.at.last().copied(),
        }),
        method: sequence.method(),
        proof: sequence.proof(),
        seconds,
        bytes,
        error,
        values: Values { sequence, stop, stopped: Rc::clone(&stopped) },
        means: figures(sequence, |form| form.mean.as_ref()),
        temperatures: figures(sequence, |form| form.temperature.as_ref()),
        late: Late(stopped),
    }
}

/// A figure of every term, where all terms are values that have it.
fn figures(sequence: &Sequence, of: impl Fn(&ValueText) -> Option<&String>) -> Vec<String> {
    let first = sequence.term(0).is_some_and(|term| term.form.is_some());
    let all = || sequence.terms().map(|term| term.form.as_ref().and_then(&of).cloned()).collect::<Option<Vec<_>>>();
    if first { all().unwrap_or_default() } else { Vec::new() }
}

#[derive(Serialize)]
struct GridObject<'s> {
    game: &'s str,
    instance: Instance<'s>,
    parameters: [&'s str; 2],
    from: [i64; 2],
    to: [i64; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<Text<TermKind>>,
    method: String,
    proof: String,
    seconds: f64,
    bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorObject>,
    values: Vec<Vec<Option<Value<'s>>>>,
}

/// The object of `sequence` where two parameters run: those of the rows and of the columns, by name.
///
/// ```
/// use std::sync::Arc;
///
/// use perfectplay::json::{grid, text};
/// use perfectplay::language::{Instance, compile};
/// use perfectplay::sequence::{Axis, Grid, Runs};
/// use perfectplay::solving::{Monitor, Options};
///
/// let rules = "game take(n: int, most: int) { require most > 0; state { left in 0..=n = n; }
///              move take(k in 1..=min(left, most)) { left -= k; } }";
/// let axis = |parameter, from, to| Axis { parameter, runs: Runs::Number, from, to };
/// let program = Arc::new(compile(rules).unwrap());
/// let mut table = Grid::new(&program, Instance::default(), axis(0, 0, 3), axis(1, 0, 3), Options::default());
/// while !table.extend(&mut Monitor::unlimited()).unwrap() {}
/// let object = text(&grid("take", &Default::default(), ["n", "most"], &table, (0.0, 0), None));
/// assert!(object.ends_with(r#""values":[[null,0,0],[null,1,1],[null,0,2]]}"#), "{object}");
/// ```
pub fn grid<'s>(
    game: &'s str,
    fixed: &'s Understood,
    parameters: [&'s str; 2],
    grid: &'s Grid,
    (seconds, bytes): (f64, u64),
    error: Option<ErrorObject>,
) -> impl Serialize + use<'s> {
    GridObject {
        game,
        instance: Instance(fixed),
        parameters,
        from: [grid.down.from, grid.across.from],
        to: [grid.down.to, grid.across.to],
        kind: grid.kind().map(Text),
        method: grid.method(),
        proof: grid.proof(),
        seconds,
        bytes,
        error,
        values: grid.rows().map(|row| row.iter().map(|term| term.as_ref().map(Value)).collect()).collect(),
    }
}

#[derive(Serialize)]
struct TermLine<'t> {
    n: i64,
    value: Value<'t>,
}

/// One term, as a line of its own.
///
/// ```
/// use perfectplay::{json, sequence::Term};
///
/// assert_eq!(json::text(&json::term_line(5, &Term::nimber(4))), r#"{"n":5,"value":4}"#);
/// ```
pub fn term_line(n: i64, term: &Term) -> impl Serialize + use<'_> {
    TermLine { n, value: Value(term) }
}

#[derive(Serialize)]
struct MisereObject<'s> {
    game: &'s str,
    instance: Instance<'s>,
    parameter: &'s str,
    genus: &'s [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    genus_stopped: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quotient: Option<QuotientPart<'s>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quotient_stopped: Option<&'s str>,
    seconds: f64,
}

#[derive(Serialize)]
struct QuotientPart<'s> {
    order: usize,
    lost: usize,
    presentation: &'s str,
    generators: &'s [u32],
    elements: &'s [String],
    largest: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    period: Option<QuotientPeriod>,
}

#[derive(Serialize)]
struct QuotientPeriod {
    start: u64,
    length: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    upto: Option<i64>,
}

/// The object of `sequence --misere`; `upto` is the last heap for which a period is proved, if it is not for all.
///
/// ```
/// use perfectplay::json::{SequenceHead, misere, text};
/// use perfectplay::sequence::{HeapSequence, Misere, NimSequence, Source};
/// use perfectplay::solving::Monitor;
///
/// let nim = NimSequence::new("0.(3)".parse().unwrap()).unwrap();
/// let nim = Source::Heaps(HeapSequence::Break(Box::new(nim)));
/// let found = Misere::of(&nim, 4, &mut Monitor::unlimited()).unwrap().unwrap();
/// let head = SequenceHead { game: "octal", fixed: &Default::default(), parameter: "n" };
/// assert!(text(&misere(&head, &found, None, 0.0)).contains(r#""genus":["#));
/// ```
pub fn misere<'s>(
    head: &SequenceHead<'s>,
    found: &'s Misere,
    upto: Option<i64>,
    seconds: f64,
) -> impl Serialize + use<'s> {
    let quotient = found.quotient.as_ref().map(|quotient| {
        let Found { order, lost, presentation, generators, elements, largest, period } = quotient;
        let period = period.map(|period| QuotientPeriod { start: period.start, length: period.length, upto });
        QuotientPart { order: *order, lost: *lost, presentation, generators, elements, largest: *largest, period }
    });
    MisereObject {
        game: head.game,
        instance: Instance(head.fixed),
        parameter: head.parameter,
        genus: &found.genus,
        genus_stopped: found.stopped[0].as_deref(),
        quotient,
        quotient_stopped: found.stopped[1].as_deref(),
        seconds,
    }
}

#[derive(Serialize)]
struct Guessed<'g, T> {
    #[serde(flatten)]
    object: T,
    guesses: Vec<GuessObject<'g>>,
}

#[derive(Serialize)]
struct GuessObject<'g> {
    claim: &'g str,
    values: usize,
    tested: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<&'g str>,
}

/// The object of `sequence --guess`: that of `sequence`, and the closed forms that are proposed.
///
/// ```
/// use perfectplay::guess::Guess;
/// use perfectplay::json::{guessed, term_line, text};
/// use perfectplay::sequence::Term;
///
/// let guess = Guess { claim: "claim nimber = n;".to_string(), values: 9, tested: 5, proof: None };
/// let object = text(&guessed(term_line(5, &Term::nimber(5)), &[guess]));
/// assert_eq!(object, r#"{"n":5,"value":5,"guesses":[{"claim":"claim nimber = n;","values":9,"tested":5}]}"#);
/// ```
pub fn guessed<'g, T: Serialize>(object: T, guesses: &'g [Guess]) -> impl Serialize + use<'g, T> {
    let guesses = guesses.iter().map(|guess| GuessObject {
        claim: &guess.claim,
        values: guess.values,
        tested: guess.tested,
        proof: guess.proof.as_deref(),
    });
    Guessed { object, guesses: guesses.collect() }
}
