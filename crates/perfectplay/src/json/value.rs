//! The object of `value`.

use std::cmp::Ordering;

use game::OutcomeClass;
use serde::Serialize;

use super::Text;
use crate::values::{Answer, Dyadic, Found, Reach, Side, Thermograph};

#[derive(Serialize)]
struct ValueObject<'f> {
    expression: &'f str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'f str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome_class: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_stop: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    right_stop: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    truth: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_begins: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    right_begins: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    list: Option<&'f [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thermograph: Option<ThermographObject>,
}

/// A dyadic number: whole ones as numbers, others as text.
#[derive(Serialize)]
#[serde(untagged)]
pub(in crate::json) enum Number {
    Whole(i64),
    Fraction(Text<Dyadic>),
}

pub(in crate::json) fn number(number: Dyadic) -> Number {
    number.to_integer().map_or(Number::Fraction(Text(number)), Number::Whole)
}

#[derive(Serialize)]
pub(in crate::json) struct ThermographObject {
    mean: Number,
    temperature: Number,
    left: Vec<Corner>,
    right: Vec<Corner>,
}

#[derive(Serialize)]
struct Corner {
    temperature: Number,
    value: Number,
}

pub(in crate::json) fn thermograph(graph: &Thermograph) -> ThermographObject {
    let wall = |side: Side| {
        let corners = graph.wall(side).corners().iter();
        corners.map(|&(temperature, value)| Corner { temperature: number(temperature), value: number(value) }).collect()
    };
    ThermographObject {
        mean: number(graph.mean()),
        temperature: number(graph.temperature()),
        left: wall(Side::Left),
        right: wall(Side::Right),
    }
}

/// The letter of an outcome class.
pub(in crate::json) fn class(outcome: OutcomeClass) -> &'static str {
    match outcome {
        OutcomeClass::L => "L",
        OutcomeClass::R => "R",
        OutcomeClass::N => "N",
        OutcomeClass::P => "P",
    }
}

fn reach(reach: Reach) -> &'static str {
    match reach {
        Reach::Win => "win",
        Reach::Draw => "draw",
        Reach::Loss => "loss",
    }
}

fn order(order: Option<Ordering>) -> &'static str {
    match order {
        Some(Ordering::Less) => "<",
        Some(Ordering::Equal) => "=",
        Some(Ordering::Greater) => ">",
        None => "||",
    }
}

/// The object of `value`: what an expression gives, with its thermograph where that is wanted.
///
/// ```
/// use perfectplay::{json, solving::Monitor, sums::Gallery, values::Calculator};
///
/// let found = Calculator::new(&Gallery, Monitor::unlimited()).evaluate("{1|-1} + 1/2")?;
/// let text = json::text(&json::value(&found, None));
/// assert!(text.starts_with(r#"{"expression":"{1|-1} + 1/2","kind":"game","value":"{3/2|-1/2}","outcome_class":"N""#));
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub fn value<'f>(found: &'f Found, drawn: Option<&Thermograph>) -> impl Serialize + use<'f> {
    let answer = &found.answer;
    let kind = match answer {
        Answer::Game(_) => "game",
        Answer::Loopy(_) => "loopy",
        Answer::Truth(_) => "truth",
        Answer::Outcome(_) | Answer::Reach(..) => "outcome",
        Answer::Order(_) => "order",
        Answer::Stops(..) => "stops",
        Answer::List(_) => "list",
        Answer::Thermograph(_) => "thermograph",
    };
    let facts = found.facts.as_ref();
    let stops = match answer {
        Answer::Stops(left, right) => Some((*left, *right)),
        _ => facts.map(|facts| facts.stops),
    };
    let outcome = match answer {
        Answer::Outcome(outcome) => Some(*outcome),
        _ => facts.map(|facts| facts.outcome),
    };
    ValueObject {
        expression: &found.expression,
        kind,
        value: found.text.as_deref().filter(|_| matches!(answer, Answer::Game(_) | Answer::Loopy(_))),
        outcome_class: outcome.map(class),
        mean: facts.and_then(|facts| facts.mean).map(number),
        temperature: facts.and_then(|facts| facts.temperature).map(number),
        left_stop: stops.map(|stops| number(stops.0)),
        right_stop: stops.map(|stops| number(stops.1)),
        truth: if let Answer::Truth(truth) = answer { Some(*truth) } else { None },
        order: if let Answer::Order(found) = answer { Some(order(*found)) } else { None },
        left_begins: found.reach.map(|found| reach(found.0)),
        right_begins: found.reach.map(|found| reach(found.1)),
        list: found.list.as_deref(),
        thermograph: drawn.map(thermograph),
    }
}
