//! The object of `explain`.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use solve::answer::solution::Understood;
use solve::methods::{Code, Cost};

use super::{Instance, Standing};
use crate::plan::{Explanation, Property, SumExplanation, order_of};

#[derive(Serialize)]
struct ExplainObject<'e> {
    game: &'e str,
    instance: Instance<'e>,
    #[serde(flatten)]
    standing: Option<&'e Standing>,
    kind: &'static str,
    players: usize,
    facts: Properties,
    method: &'static str,
    why: &'e str,
    position_bits: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions_at_most: Option<u64>,
    code: CodePart<'e>,
    predicted: Predicted,
    passed_over: Vec<Methods>,
    #[serde(skip_serializing_if = "Option::is_none")]
    given_up: Option<Vec<Methods>>,
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(flatten)]
    findings: Findings<'e>,
}

/// What else was found, in order.
struct Findings<'e>(&'e [(&'static str, String)]);

impl Serialize for Findings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, found)| (name, found)))
    }
}

/// A method with what speaks against it.
#[derive(Serialize)]
struct Methods {
    method: &'static str,
    why: String,
    /// What it would take, where it applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    predicted: Option<Predicted>,
}

/// What a method is predicted to take; what is not known is absent.
#[derive(Serialize)]
struct Predicted {
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    codes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
}

impl From<Cost> for Predicted {
    fn from(Cost { positions, codes, bytes, seconds, .. }: Cost) -> Predicted {
        Predicted { positions, codes, bytes, seconds: seconds.map(order_of) }
    }
}

/// Properties by name.
struct Properties(Vec<Property>);

#[derive(Serialize)]
struct FactPart<'f> {
    #[serde(skip_serializing_if = "Option::is_none")]
    holds: Option<bool>,
    why: &'f str,
}

impl Serialize for Properties {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for Property { name, holds, why, .. } in &self.0 {
            map.serialize_entry(&name.replace(' ', "_"), &FactPart { holds: *holds, why })?;
        }
        map.end()
    }
}

#[derive(Serialize)]
#[serde(untagged)]
enum CodePart<'e> {
    Plain {
        compiled: bool,
        why: &'e str,
    },
    Kernel {
        compiled: bool,
        why: &'e str,
        predicted_positions: u64,
        predicted_bytes: u64,
        predicted_seconds: f64,
    },
    Compiled {
        compiled: bool,
        numbering: &'e str,
        proved: &'e [String],
        code: &'e str,
        #[serde(skip_serializing_if = "Option::is_none")]
        predicted_positions: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        predicted_bytes: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        predicted_seconds: Option<f64>,
    },
}

impl<'e> CodePart<'e> {
    fn new(explanation: &'e Explanation<'_>) -> CodePart<'e> {
        let Cost { positions: places, bytes, seconds, .. } = explanation.plan.cost();
        match (&explanation.plan.code(), places, bytes, seconds) {
            (Code::Kernel(why), Some(places), Some(bytes), Some(seconds)) => CodePart::Kernel {
                compiled: false,
                why,
                predicted_positions: places,
                predicted_bytes: bytes,
                predicted_seconds: order_of(seconds),
            },
            (Code::Kernel(_), ..) => CodePart::Plain { compiled: false, why: explanation.kernel().unwrap_or_default() },
            (Code::Interpreted(why), ..) => CodePart::Plain { compiled: false, why },
            (Code::Compiled { numbering, proved }, ..) => CodePart::Compiled {
                compiled: true,
                numbering,
                proved,
                code: &explanation.code,
                predicted_positions: places,
                predicted_bytes: bytes,
                predicted_seconds: seconds.map(order_of),
            },
        }
    }
}

/// The object of `explain`, as text.
///
/// ```
/// use perfectplay::{json, language::Rules, plan};
/// use perfectplay::solving::{Limits, Monitor, Options};
///
/// let chomp = Rules::gallery("chomp").unwrap().bind("{}")?;
/// let limits = Limits::default();
/// let explained = plan::explain(&chomp, &Options::default(), &limits, Some(&plan::LOOK), &Monitor::new)?;
/// assert!(json::explanation(&explained, None).contains(r#""method":"induction""#));
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub fn explanation(explanation: &Explanation<'_>, standing: Option<&Standing>) -> String {
    let plan = &explanation.plan;
    let instance = Understood::new(explanation.bound);
    let taken = explanation.taken;
    let given_up = plan.given_up().iter().map(|(method, why)| Methods {
        method: method.name(),
        why: why.to_string(),
        predicted: None,
    });
    let passed = plan.passed_over().iter().map(|passed| Methods {
        method: passed.method.name(),
        why: passed.why.clone(),
        predicted: passed.cost.map(Predicted::from),
    });
    super::text(&ExplainObject {
        game: &explanation.bound.program.name,
        instance: Instance(&instance),
        standing,
        kind: explanation.kind(),
        players: explanation.bound.players,
        facts: Properties(explanation.properties()),
        method: plan.method().name(),
        why: plan.why(),
        position_bits: explanation.bound.layout.bits() as u64,
        positions_at_most: explanation.most_positions(),
        code: CodePart::new(explanation),
        predicted: plan.cost().into(),
        passed_over: passed.collect(),
        given_up: explanation.ran.then(|| given_up.collect()),
        complete: explanation.complete(),
        positions: taken.map(|taken| taken.positions),
        bytes: taken.map(|taken| taken.bytes),
        seconds: taken.map(|taken| taken.seconds),
        findings: Findings(&explanation.findings),
    })
}

#[derive(Serialize)]
struct SumObject<'e> {
    game: &'e str,
    #[serde(flatten)]
    standing: Option<&'e Standing>,
    kind: &'static str,
    players: usize,
    method: &'static str,
    why: &'e str,
    summands: Vec<SummandPart<'e>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
}

#[derive(Serialize)]
struct SummandPart<'e> {
    name: &'e str,
    game: &'e str,
    instance: Instance<'e>,
    facts: SummandFacts<'e>,
    method: &'static str,
    why: &'e str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'e str>,
}

#[derive(Serialize)]
struct SummandFacts<'e> {
    impartial: FactPart<'e>,
    last_mover_wins: FactPart<'e>,
}

/// The object of `explain` for a sum of different games.
///
/// ```
/// use perfectplay::json::{sum_explanation, text};
/// use perfectplay::plan::SumExplanation;
///
/// let sum = SumExplanation { game: "nim(1)".to_string(), why: "…".to_string(), summands: vec![], taken: None };
/// assert!(text(&sum_explanation(&sum, None)).starts_with(r#"{"game":"nim(1)","kind":"a sum, won by the last mover""#));
/// ```
pub fn sum_explanation<'e>(sum: &'e SumExplanation, standing: Option<&'e Standing>) -> impl Serialize + use<'e> {
    let summands = sum.summands.iter().map(|summand| SummandPart {
        name: &summand.name,
        game: &summand.game,
        instance: Instance(&summand.instance),
        facts: SummandFacts {
            impartial: FactPart { holds: Some(summand.impartial.holds), why: &summand.impartial.why },
            last_mover_wins: FactPart { holds: Some(summand.last_mover.holds), why: &summand.last_mover.why },
        },
        method: summand.method.name(),
        why: &summand.why,
        value: summand.value.as_deref(),
    });
    SumObject {
        game: &sum.game,
        standing,
        kind: "a sum, won by the last mover",
        players: 2,
        method: "sum",
        why: &sum.why,
        summands: summands.collect(),
        positions: sum.taken.map(|taken| taken.positions),
        bytes: sum.taken.map(|taken| taken.bytes),
        seconds: sum.taken.map(|taken| taken.seconds),
    }
}
