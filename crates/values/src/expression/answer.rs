//! What an expression gives.

use std::cmp::Ordering;
use std::sync::Arc;

use game::OutcomeClass;

use crate::arena::{Arena, Value};
use crate::error::Result;
use crate::loopy::Loopy;
use crate::loopy::value::Reach;
use crate::number::Dyadic;
use crate::side::Side;
use crate::thermograph::Thermograph;

/// What an expression gives.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A value.
    Game(Value),
    /// A loopy value that is no value without loops.
    Loopy(Loopy),
    /// True or false.
    Truth(bool),
    /// Who wins.
    Outcome(OutcomeClass),
    /// What Left and Right reach when they begin a loopy game.
    Reach(Reach, Reach),
    /// How the first compares with the second; None if they are confused.
    Order(Option<Ordering>),
    /// The Left stop and the Right stop.
    Stops(Dyadic, Dyadic),
    /// Several values.
    List(Vec<Value>),
    /// A thermograph.
    Thermograph(Arc<Thermograph>),
}

impl Answer {
    /// What kind of answer it is, in words.
    pub fn kind(&self) -> &'static str {
        match self {
            Answer::Game(_) => "a value",
            Answer::Loopy(_) => "a loopy value",
            Answer::Truth(_) => "true or false",
            Answer::Outcome(_) | Answer::Reach(..) => "an outcome",
            Answer::Order(_) => "a comparison",
            Answer::Stops(..) => "a pair of stops",
            Answer::List(_) => "a list of values",
            Answer::Thermograph(_) => "a thermograph",
        }
    }

    /// Writes it, each value with at most `limit` bytes.
    pub fn write(&self, arena: &mut Arena, limit: usize) -> Result<String> {
        Ok(match self {
            Answer::Game(value) => arena.name(*value, limit)?,
            Answer::Loopy(loopy) => loopy.name(arena, limit)?,
            Answer::Truth(truth) => truth.to_string(),
            Answer::Outcome(outcome) => match outcome {
                OutcomeClass::L => "L: Left wins, whoever begins".to_string(),
                OutcomeClass::R => "R: Right wins, whoever begins".to_string(),
                OutcomeClass::N => "N: whoever begins wins".to_string(),
                OutcomeClass::P => "P: whoever begins loses".to_string(),
            },
            Answer::Reach(left, right) => {
                format!("{}; {}", reach_text(*left, Side::Left), reach_text(*right, Side::Right))
            }
            Answer::Order(order) => match order {
                Some(Ordering::Less) => "<".to_string(),
                Some(Ordering::Equal) => "=".to_string(),
                Some(Ordering::Greater) => ">".to_string(),
                None => "||".to_string(),
            },
            Answer::Stops(left, right) => format!("{left}, {right}"),
            Answer::List(values) => {
                let names: Result<Vec<String>> = values.iter().map(|&value| arena.name(value, limit)).collect();
                names?.join(", ")
            }
            Answer::Thermograph(graph) => graph.to_text(),
        })
    }
}

fn reach_text(reach: Reach, side: Side) -> String {
    let verb = match reach {
        Reach::Win => "wins",
        Reach::Draw => "draws",
        Reach::Loss => "loses",
    };
    format!("{side:?}, who begins, {verb}")
}
