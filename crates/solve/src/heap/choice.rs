//! Whether a game is solved as one of heaps, and what the plan says of it.

use formula::specialise::Limits;
use rules::bind::{Bound, Position};

use super::game::HeapGame;
use super::recognise::{Recognised, recognise};
use crate::error::SolveError;
use crate::options::{Engine, Options};
use crate::plan::{CodePlan, Kind, Method, Plan};
use crate::properties::{self, Fact};
use crate::table::HeapShape;

/// Smaller heaps are quicker by the general methods, which have less to find out.
const LARGE_HEAP: u64 = 1 << 12;

/// Misère sums are searched if positions times moves are at most about this.
const QUICK_SEARCH: f64 = 1e6;

/// Misère sums of smaller heaps are searched where no classes of heaps are found.
pub(crate) const SEARCHED_HEAP: u64 = 1 << 24;

/// Positions of more cells are not looked at: all but one would have to be constant.
const MOST_CELLS: usize = 4;

/// A game of heaps, and what is asked of it.
pub(crate) struct Heaps {
    pub recognised: Recognised,
    pub misere: bool,
    /// The largest heap.
    pub top: u64,
    pub shape: HeapShape,
}

impl Heaps {
    /// Whether a search of a misère sum is quick, which tells how long play lasts too.
    fn is_searched(&self, start: &Position) -> bool {
        let HeapGame::Shift(game) = &self.recognised.game else { return false };
        let heap = |part: &[i64]| self.recognised.heap(part).map_or(1.0, |heap| heap as f64 + 1.0);
        let positions: f64 = start.parts.iter().map(|part| heap(part)).product();
        let takes = game.takes().iter();
        let moves: f64 =
            takes.map(|takes| (takes.most.unwrap_or(self.top) as f64 - takes.least as f64).max(0.0) + 1.0).sum();
        self.misere && self.shape.sum && positions * moves.max(self.recognised.choices) <= QUICK_SEARCH
    }
}

/// The heaps of a position, if the rules are recognised as those of heaps and the method is wanted. Notes in the plan what
/// was found.
pub(crate) fn choose(
    bound: &Bound,
    start: &Position,
    options: &Options,
    plan: &mut Plan,
) -> Result<Option<Heaps>, SolveError> {
    let asked = options.method == Some(Method::Heap);
    let found = match heap_rules(bound, start, plan) {
        Ok(found) => found,
        Err(why) if asked => {
            return Err(SolveError::NotApplicable(format!("the method `heap` does not apply: {why}")));
        }
        Err(why) => {
            plan.heap = Fact::no(why);
            return Ok(None);
        }
    };
    plan.heap = Fact::yes(found.recognised.why.clone());
    let free = options.method.is_none() && options.engine == Engine::Auto;
    if !(asked || free && found.top >= LARGE_HEAP && !found.is_searched(start)) {
        return Ok(None);
    }
    if !asked {
        plan.why = match found.shape.sum {
            true if found.misere => {
                "a misère sum: each heap has a class, and the classes of all heaps tell who wins".to_string()
            }
            true => "each heap has a nim-value, the sum their XOR; the values are a sequence".to_string(),
            false => "the values of the heaps are a sequence".to_string(),
        };
    }
    plan.method = Method::Heap;
    plan.code = CodePlan::Interpreted("heap by heap, until a period is proved".to_string());
    Ok(Some(found))
}

/// The heap game that rules describe, or why they describe none.
pub(crate) fn heap_rules(bound: &Bound, start: &Position, plan: &Plan) -> Result<Heaps, String> {
    let program = &*bound.program;
    let sum = program.sum.is_some();
    if plan.kind != Kind::Outcome || bound.players != 2 || !plan.impartial.holds {
        return Err("heaps are for two players who have the same moves".to_string());
    }
    if properties::declares(bound) {
        return Err(properties::DECLARED.to_string());
    }
    match start.parts.first().map_or(0, |part| part.len()) {
        0 => return Err("there is no heap".to_string()),
        1..=MOST_CELLS => {}
        _ => return Err("a position has several variables".to_string()),
    }
    let misere = !plan.nimbers;
    let ends_win = !sum && !program.ends.is_empty();
    if misere && !ends_win && !properties::last_mover_loses(program, bound.players) {
        return Err("the last mover does not always win".to_string());
    }
    // Choices stay choices, for the conditions on them say more than a list of numbers.
    let limits = Limits { varying_choices: 1, ..Limits::default() };
    let formulas = formula::specialise::specialise_within(bound, limits).map_err(|why| why.to_string())?;
    let starts: Vec<&[i64]> = start.parts.iter().map(|part| &**part).collect();
    let study = match sum {
        true => formula::study::study_parts(formulas, &starts, false),
        false => formula::study(formulas, starts[0], 0, false),
    };
    let low = |cell: usize| study.formulas.cells.get(cell).map_or(0, |range| range.low.max(0) as u64);
    let recognised = recognise(&study.formulas, misere).map_err(|why| rule_names(bound, &why))?;
    if !sum && matches!(recognised.game, HeapGame::Break(_)) {
        return Err("a move takes the whole heap, whatever it is".to_string());
    }
    let top = start.parts.iter().filter_map(|part| recognised.heap(part)).max().unwrap_or(0);
    let shape = HeapShape { sum, cells: start.parts[0].clone(), low: low(recognised.cell) };
    Ok(Heaps { misere, top, shape, recognised })
}

/// Names of rules put in for their numbers.
fn rule_names(bound: &Bound, text: &str) -> String {
    let mut text = text.to_string();
    for (rule, mv) in bound.program.moves.iter().enumerate() {
        text = text.replace(&format!("{{rule {rule}}}"), &format!("`{}`", mv.name));
    }
    text
}
