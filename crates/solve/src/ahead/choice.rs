//! Whether a game is solved as one that goes forward through a list, and what the plan says of it.

use rules::bind::{Bound, Position};

use super::game::AheadGame;
use super::recognise::recognise;
use crate::error::SolveError;
use crate::options::{Engine, Options};
use crate::plan::{CodePlan, Kind, Method, Plan};
use crate::properties::{self, Fact};

/// What a place of a list takes, in seconds, more or less.
const SECONDS_A_PLACE: f64 = 2e-8;

/// The game that goes forward through a list, if the rules are recognised as such and the method is wanted. Notes in the plan
/// what was found.
pub(crate) fn choose(
    bound: &Bound,
    start: &Position,
    options: &Options,
    plan: &mut Plan,
) -> Result<Option<AheadGame>, SolveError> {
    let asked = options.method == Some(Method::Window);
    if !asked && (options.method.is_some() || options.engine != Engine::Auto || plan.kind != Kind::Score) {
        return Ok(None);
    }
    let found = match (plan.kind, properties::declares(bound)) {
        (Kind::Score, false) => recognise(bound, start),
        (Kind::Score, true) => Err(properties::DECLARED.to_string()),
        _ => Err("it is for two players who want the largest difference".to_string()),
    };
    let game = match found {
        Ok(game) => game,
        Err(why) if asked => {
            return Err(SolveError::NotApplicable(format!("the method `window` does not apply: {why}")));
        }
        Err(why) => {
            plan.ahead = Some(Fact::no(why));
            return Ok(None);
        }
    };
    plan.ahead = Some(Fact::yes(game.told()));
    if !asked {
        plan.why = game.method();
    }
    plan.method = Method::Window;
    plan.constant_total = game.total_is_constant().map(|holds| match holds {
        true => Fact::yes("from every place on it is the same, wherever a move leads"),
        false => Fact::no("it depends on where a move leads"),
    });
    plan.acyclic = Fact::yes("every move goes forward");
    let (bytes, places) = game.cost().unwrap_or_default();
    let bytes = bytes.saturating_add(game.bytes());
    plan.code = CodePlan::Kernel {
        how: "from the end of the list to its start, all places at once".to_string(),
        places,
        bytes,
        seconds: places as f64 * SECONDS_A_PLACE,
    };
    Ok(Some(game))
}
