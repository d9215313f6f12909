//! Which method of rows is used, if any, and what the plan says of it.

use rows::triangle::{self, Gains};
use rules::bind::{Bound, Position};

use super::game::RowGame;
use super::recognise::{Recognised, recognise};
use super::triangle::{constant_total, gains_of, plan as triangle_plan};
use crate::error::{Limit, SolveError};
use crate::options::{Engine, Options};
use crate::plan::{CodePlan, Kind, Method, Plan};
use crate::properties::{self, Fact};

/// A whole triangle that nobody asked for takes this share of the memory at most; otherwise one bit an interval is kept.
const SHARE: u64 = 4;
/// What an interval takes, in seconds, more or less.
const SECONDS_AN_INTERVAL: f64 = 5e-11;

/// A way to solve rows.
pub(crate) enum Chosen {
    /// By the theorem.
    Theorem(RowGame),
    /// By the triangle of all intervals.
    Triangle(RowGame, Gains, triangle::Plan),
}

/// How a game of rows is solved, if it is one and no other method is asked for; notes in the plan what was found.
pub(crate) fn choose(
    bound: &Bound,
    start: &Position,
    options: &Options,
    plan: &mut Plan,
    memory: u64,
) -> Result<Option<Chosen>, SolveError> {
    let asked = options.method.filter(|method| matches!(method, Method::Row | Method::Triangle));
    if options.method != asked || options.engine != Engine::Auto {
        return Ok(None);
    }
    let counted = matches!(plan.kind, Kind::Score | Kind::Payoffs) && bound.players == 2;
    if !counted && asked.is_none() {
        return Ok(None);
    }
    let found = match (counted, properties::declares(bound)) {
        (true, false) => recognise(bound, start),
        (true, true) => Err(properties::DECLARED.to_string()),
        (false, _) => Err("rows are counted, and for two players".to_string()),
    };
    let chosen = found.map_err(No::Because).and_then(|found| match (found, asked) {
        (Recognised::Rows(game), Some(Method::Triangle)) => match gains_of(&game) {
            Some(gains) => triangle(game, gains, (memory, memory), plan.kind),
            None => Err(No::Because("the position is not one row, open at both ends".to_string())),
        },
        (Recognised::Rows(game), _) => Ok(Chosen::Theorem(game)),
        (Recognised::Interval(..), Some(Method::Row)) => {
            let why = "the two ends do not gain the items of one list, whatever is left of it";
            Err(No::Because(why.to_string()))
        }
        (Recognised::Interval(game, gains), Some(_)) => triangle(game, gains, (memory, memory), plan.kind),
        (Recognised::Interval(game, gains), None) => triangle(game, gains, (memory / SHARE, memory), plan.kind),
    });
    let chosen = match (chosen.map_err(|no| no.told(asked.is_some())), asked) {
        (Ok(chosen), _) => chosen,
        (Err(Err(error)), _) => return Err(error),
        (Err(Ok(why)), Some(method)) => {
            return Err(SolveError::NotApplicable(format!("the method `{}` does not apply: {why}", method.name())));
        }
        (Err(Ok(why)), None) => {
            plan.row = Some(Fact::no(why));
            return Ok(None);
        }
    };
    chosen.note(plan, asked.is_some());
    Ok(Some(chosen))
}

/// Why no way was chosen.
enum No {
    Because(String),
    /// It would be one, but for the memory.
    Room(triangle::TooLarge),
}

impl No {
    /// In words; a limit is an error where there is no other way.
    fn told(self, asked: bool) -> Result<String, SolveError> {
        match self {
            No::Because(why) => Ok(why),
            No::Room(error) if !asked => Ok(error.to_string()),
            No::Room(triangle::TooLarge { limit, needed }) => {
                Err(SolveError::Limit { limit: Limit::Memory { limit, needed }, positions: 0 })
            }
        }
    }
}

fn triangle(game: RowGame, gains: Gains, (roomy, limit): (u64, u64), kind: Kind) -> Result<Chosen, No> {
    if kind != Kind::Score {
        return Err(No::Because("the triangle is for players who want the largest difference".to_string()));
    }
    let plan = triangle_plan(&gains, roomy, limit).map_err(No::Room)?;
    Ok(Chosen::Triangle(game, gains, plan))
}

impl Chosen {
    fn note(&self, plan: &mut Plan, asked: bool) {
        let (method, why) = match self {
            Chosen::Theorem(game) => {
                plan.row = Some(Fact::yes(game.why.clone()));
                plan.constant_total = Some(Fact::yes("every item is taken by someone"));
                plan.code =
                    CodePlan::Interpreted("each item is read once; 8 bytes an item, and more for sums".to_string());
                (Method::Row, game.method())
            }
            Chosen::Triangle(_, gains, way) => {
                let why = "a row, open at both ends; what a move gains is a sum of what depends on the one end and on the \
                           other";
                plan.row = Some(Fact::yes(why));
                plan.constant_total = Some(constant_total(gains));
                plan.code = CodePlan::Kernel {
                    how: way.why(),
                    places: way.intervals(),
                    bytes: way.bytes,
                    seconds: way.intervals() as f64 * SECONDS_AN_INTERVAL,
                };
                let time = format!("time grows as n², here {}²", gains.len());
                (Method::Triangle, format!("all intervals are valued, in lanes and on all cores; {time}"))
            }
        };
        plan.method = method;
        plan.acyclic = Fact::yes("every move takes an item");
        if !asked {
            plan.why = why;
        }
    }
}
