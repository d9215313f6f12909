//! What people ask of a sequence: its period, its largest value, its rare values.

use std::collections::HashMap;
use std::ops::Range;

use engine::monitor::Monitor;
use heaps::HeapSequence;
use heaps::detect;
use heaps::period::{Period, Proof};

use super::error::SequenceError;
use super::source::Source;
use super::term::{Term, TermKind};
use super::terms::Sequence;

/// Values are called rare if at most one in so many is.
const RARE_SHARE: usize = 4;

/// What is known of the terms so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// What the terms are; `None` if there is none.
    pub kind: Option<TermKind>,
    /// How many terms there are.
    pub terms: u64,
    /// The period, proved or observed.
    pub period: Option<Repeats>,
    /// The period of the temperatures, where terms are values; observed.
    pub temperature_period: Option<Repeats>,
    /// The largest value; a sequence of results has none.
    pub largest: Option<Largest>,
    /// The rare values of a game that breaks heaps.
    pub rare: Option<Rare>,
}

/// A period, in terms of the parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeats {
    /// The first parameter from which values repeat.
    pub start: i64,
    /// After how many terms they do.
    pub length: u64,
    /// What every repetition adds.
    pub saltus: u64,
    /// How that is known.
    pub proof: Proof,
    /// The last parameter for which it is proved; `None` if it is for every number that a parameter can be, or if it is not.
    pub upto: Option<i64>,
}

/// The largest value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Largest {
    /// The value.
    pub value: i64,
    /// The first parameter that has it.
    pub at: i64,
}

/// The values in the rare class: those that have an even number of bits in common with a mask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rare {
    /// The mask that has the fewest.
    pub mask: u32,
    /// The parameters that have them, in order.
    pub at: Vec<i64>,
}

/// So many terms are looked at between two looks at the clock.
const CHUNK: u64 = 1 << 14;

impl Summary {
    /// Looks at the terms that are known.
    pub fn of(sequence: &Sequence) -> Summary {
        Summary::watched(sequence, &mut Monitor::unlimited()).unwrap_or_else(|_| Summary::brief(sequence))
    }

    /// Looks at the terms that are known, as long as the monitor lets it.
    pub fn watched(sequence: &Sequence, monitor: &mut Monitor) -> Result<Summary, SequenceError> {
        let mut summary = Summary { kind: None, ..Summary::brief(sequence) };
        for stretch in telling(sequence) {
            for index in stretch {
                if index.is_multiple_of(CHUNK) {
                    sequence.look(index, monitor)?;
                }
                let Some(term) = sequence.term(index) else { break };
                summary.kind = Some(TermKind::with(summary.kind, term.kind()));
                if let Some(value) = term.number()
                    && summary.largest.is_none_or(|largest| value > largest.value)
                {
                    summary.largest = Some(Largest { value, at: sequence.parameter(index) });
                }
            }
        }
        summary.period = match sequence.source() {
            Source::Heaps(heaps) => heaps.period().and_then(|(period, proof)| {
                let upto = sequence.upto().filter(|_| proof != Proof::Observed);
                Some(Repeats { upto, ..repeats(period, 0, proof)? })
            }),
            Source::Instances(instances) => {
                let terms = &instances.terms[..instances.terms.len().min(summary.terms as usize)];
                let from = sequence.from();
                summary.temperature_period =
                    temperatures(terms).and_then(|period| repeats(period, from, Proof::Observed));
                observed(terms).and_then(|period| repeats(period, from, Proof::Observed))
            }
        };
        if matches!(summary.kind, Some(TermKind::Outcome | TermKind::Value | TermKind::Mixed)) {
            summary.largest = None;
        }
        summary.rare = rare(sequence);
        Ok(summary)
    }

    /// What is known without a look at the terms: how many there are, of what kind the first is, a period that is proved.
    pub fn brief(sequence: &Sequence) -> Summary {
        let kind = sequence.term(0).map(|term| term.kind());
        let period = match sequence.source() {
            Source::Heaps(heaps) => heaps.proved().and_then(|(period, name)| {
                Some(Repeats { upto: sequence.upto(), ..repeats(period, 0, Proof::Theorem(name))? })
            }),
            Source::Instances(_) => None,
        };
        Summary { kind, terms: sequence.known(), period, ..Summary::default() }
    }
}

/// The terms that tell all: where a period is proved, those up to the end of its first round, and its last round, in which
/// values are largest if every round adds something.
fn telling(sequence: &Sequence) -> [Range<u64>; 2] {
    let known = sequence.known();
    let Source::Heaps(heaps) = sequence.source() else { return [0..known, 0..0] };
    let Some((period, _)) = heaps.proved() else { return [0..known, 0..0] };
    let from = sequence.from().unsigned_abs();
    let first = (period.start.max(from) - from).saturating_add(period.length).min(known);
    let last = if period.saltus == 0 { known } else { known.saturating_sub(period.length).max(first) };
    [0..first, last..known]
}

fn repeats(period: Period, from: i64, proof: Proof) -> Option<Repeats> {
    let start = from.checked_add_unsigned(period.start)?;
    Some(Repeats { start, length: period.length, saltus: period.saltus, proof, upto: None })
}

/// The period of the temperatures of values, as [`observed`] ones are.
fn temperatures(terms: &[Term]) -> Option<Period> {
    let mut known: HashMap<&str, u64> = HashMap::new();
    let mut codes = Vec::with_capacity(terms.len());
    for term in terms {
        let next = known.len() as u64;
        codes.push(*known.entry(term.form.as_ref()?.temperature.as_deref()?).or_insert(next));
    }
    repeating(&codes, false)
}

/// A period that is seen at least three times over, and from the first half on.
fn observed(terms: &[Term]) -> Option<Period> {
    // Values whose names are too long to be written were not compared.
    if terms.iter().any(|term| term.form.as_ref().is_some_and(|form| form.name.is_none())) {
        return None;
    }
    let numbers: Option<Vec<i64>> = terms.iter().map(Term::number).collect();
    let (codes, saltus): (Vec<u64>, bool) = match numbers {
        Some(numbers) => {
            let least = numbers.iter().copied().min()?;
            (numbers.iter().map(|number| number.abs_diff(least)).collect(), true)
        }
        None => {
            let mut known: HashMap<&Term, u64> = HashMap::new();
            let code = |term| {
                let next = known.len() as u64;
                *known.entry(term).or_insert(next)
            };
            (terms.iter().map(code).collect(), false)
        }
    };
    // Steps are added to values: what could overflow has no period that anyone looks for.
    if codes.iter().any(|&code| code > u64::MAX / 4) {
        return None;
    }
    repeating(&codes, saltus)
}

fn repeating(codes: &[u64], saltus: bool) -> Option<Period> {
    let found = detect::best(codes, saltus, |start, length| start + 3 * length)?;
    let (found, terms) = (detect::least(codes, found), codes.len() as u64);
    Some(found).filter(|period| period.start <= terms / 2 && period.start + 3 * period.length <= terms)
}

fn rare(sequence: &Sequence) -> Option<Rare> {
    let Source::Heaps(HeapSequence::Break(heaps)) = sequence.source() else { return None };
    let rare = heaps.rare();
    let range = sequence.from()..sequence.parameter(sequence.known());
    // A period that is proved goes on where nobody counts.
    if rare.mask == 0 || range.end > i64::try_from(heaps.len()).ok()? {
        return None;
    }
    let at: Vec<i64> =
        rare.heaps.iter().filter_map(|&heap| i64::try_from(heap).ok()).filter(|heap| range.contains(heap)).collect();
    (at.len().checked_mul(RARE_SHARE)? <= usize::try_from(sequence.known()).ok()?)
        .then_some(Rare { mask: rare.mask, at })
}
