//! `heap`: a position is one number that moves take from or break up, or a sum of such. The values of heaps are a sequence,
//! known beyond its end by a proved period.
//!
//! `values` computes as much of the sequence as is asked for; `moves` leads from values back to the moves of the rules, of
//! which there may be too many to list; `answers` puts both together.

mod answers;
mod moves;
mod values;

use engine::monitor::Monitor;
use rules::bind::{Bound, Position};
use shapes::heap::{Heap as HeapShape, HeapGame, recognise};

pub use values::sequence as heap_sequence;

use super::sampling::few_reached;
use crate::case::{Case, Kind};
use crate::error::{Reason, SolveError};
use crate::facts;
use crate::facts::Fact;
use crate::methods::{Ability, Code, Cost, Found, GivenUp, Look, Method, Prepared, Prospect, Report, Unit};
use crate::numbers::grouped;
use crate::options::{Engine, MethodName};
use answers::{ClassAnswers, HeapAnswers, Heaps, SumAnswers};
use values::HeapValues;

/// Its name.
const NAME: MethodName = MethodName::new("heap");
/// Where all heaps together have so few moves, the general methods take no time either, and have less to find out.
const FEW_MOVES: f64 = 2500.0;
/// Seconds for heaps that are valued: at least, and for each heap or each move of a heap that breaks up.
const LEAST_SECONDS: f64 = 100e-6;
/// Seconds for a move of the line of play and a heap that is there: heaps that break up are about as many as moves were made.
const LINE_SECONDS: f64 = 50e-9;
const LONGEST_LINE: f64 = 1000.0;
const HEAP_SECONDS: f64 = 10e-9;
const BREAK_SECONDS: f64 = 0.3e-9;
/// Seconds are predicted for up to so many heaps. Of more heaps, a period is expected.
const MOST_PREDICTED_HEAPS: u64 = 1 << 20;
/// Positions with more choices are not looked at one by one.
const MOST_CHOICES: f64 = 1000.0;
/// Misère sums are searched if positions times moves are at most about this.
const QUICK_SEARCH: f64 = 2e4;
/// Misère sums of heaps that break up are searched if they have at most so many stones: about 600 partitions.
const QUICK_STONES: f64 = 20.0;
/// Heaps up to this have a misère quotient that is found in no time, where moves only take.
const QUICK_QUOTIENT: u64 = 12;
/// Misère sums of smaller heaps are searched where no classes of heaps are found.
const SEARCHED_HEAP: u64 = 1 << 24;
/// Positions of more cells are not looked at: all but one would have to be constant.
const MOST_CELLS: usize = 4;

/// The method.
pub(super) struct Heap;

impl Method for Heap {
    fn name(&self) -> MethodName {
        NAME
    }

    fn about(&self) -> &'static str {
        "The sequence of the values of heaps that moves take from or break up"
    }

    fn can(&self, ability: Ability) -> bool {
        matches!(ability, Ability::HeapGame)
    }

    fn recognise<'b>(&self, case: &Case<'b>, monitor: &mut Monitor) -> Result<Look<'b>, SolveError> {
        let found = match heap_rules(case) {
            Ok(found) => found,
            Err(why) => return Ok(Look::no(why)),
        };
        let shape = Fact::yes(found.heap.why.clone());
        if let Some(reason) = case.gave_up_with(NAME) {
            return Ok(Look::no(reason.to_string()).with_shape("heap", shape));
        }
        let why = match (found.sum, found.misere) {
            (true, true) => "a misère sum: each heap has a class, and the classes of all heaps tell who wins",
            (true, false) => "each heap has a nim-value, the sum their XOR; the values are a sequence",
            (false, _) => "the values of the heaps are a sequence",
        };
        let objection = if case.options.engine != Engine::Auto {
            Some("an engine was asked for, and a sequence runs no rules".to_string())
        } else if found.is_searched(&case.start) {
            Some("a search is quick, and tells how long play lasts".to_string())
        } else if found.moves() < FEW_MOVES && !found.is_dear_elsewhere() {
            Some("the heaps are so small that listing them is quicker".to_string())
        } else if let Some(few) = found.few_reached(case, monitor)? {
            Some(format!(
                "of the {} heaps below this one play comes to {}, and to list these is quicker",
                grouped(found.top),
                grouped(few - 1)
            ))
        } else {
            None
        };
        let cost = Cost { positions: found.top.checked_add(1), seconds: found.seconds(&case.start), ..Cost::default() };
        let code = Code::Kernel("heap by heap, until a period is proved".to_string());
        let prepared = PreparedHeap { bound: case.bound, found, asked: case.options.method.is_some() };
        let acyclic = Some(Fact::yes("every move makes a heap smaller"));
        Ok(Look::yes(Prospect { objection, cost, unit: Unit::Heap, acyclic, ..Prospect::new(why, code, prepared) })
            .with_shape("heap", shape))
    }
}

/// A game of heaps, and what is asked of it.
#[derive(Clone)]
struct FoundHeaps {
    heap: HeapShape,
    misere: bool,
    /// Whether the position is a sum of heaps.
    sum: bool,
    /// The largest heap.
    top: u64,
    /// The cells of some part: all but the heap are the same in every part.
    cells: Box<[i64]>,
    /// The least heap.
    low: u64,
}

impl FoundHeaps {
    /// Moves of all heaps up to the largest, about, and the heaps themselves.
    fn moves(&self) -> f64 {
        (self.top as f64 + 1.0) * (2.0 + self.heap.choices / 2.0)
    }

    /// Seconds that values take, where that can be told: nothing to speak of where they have a closed form.
    fn seconds(&self, start: &Position) -> Option<f64> {
        let heaps = (self.top <= MOST_PREDICTED_HEAPS).then_some(self.top as f64);
        // Heaps that break up are many in the line of play, and all are looked at for every move of it.
        let stones: f64 = start.parts.iter().filter_map(|part| self.heap.heap(part)).map(|heap| heap as f64).sum();
        let line = (stones / 2.0).min(LONGEST_LINE).powi(2) * LINE_SECONDS;
        match &self.heap.game {
            _ if self.misere && self.sum => None,
            HeapGame::Shift(_) => Some(LEAST_SECONDS + heaps.unwrap_or(MOST_PREDICTED_HEAPS as f64) * HEAP_SECONDS),
            HeapGame::Break(_) => {
                heaps.map(|heaps| LEAST_SECONDS + line + heaps * (HEAP_SECONDS + heaps * BREAK_SECONDS))
            }
        }
    }

    /// How many heaps play reaches, where these are a few among very many, each of which would be valued in turn.
    fn few_reached(&self, case: &Case<'_>, monitor: &mut Monitor) -> Result<Option<u64>, SolveError> {
        let is_searched = self.misere && self.sum;
        if self.top <= MOST_PREDICTED_HEAPS || self.heap.choices > MOST_CHOICES || is_searched {
            return Ok(None);
        }
        // Where there is a closed form, nothing is listed.
        if values::sequence(&self.heap.game, self.misere)?.outcome(self.top).is_some() {
            return Ok(None);
        }
        Ok(few_reached(case, monitor)?)
    }

    /// Whether the quotient of a misère sum takes longer, small as the heaps are.
    fn is_dear_elsewhere(&self) -> bool {
        self.misere && self.sum && (self.top > QUICK_QUOTIENT || matches!(self.heap.game, HeapGame::Break(_)))
    }

    /// Whether a search of a misère sum is quick, which tells how long play lasts too.
    fn is_searched(&self, start: &Position) -> bool {
        let heap = |part: &[i64]| self.heap.heap(part).map_or(1.0, |heap| heap as f64 + 1.0);
        let HeapGame::Shift(game) = &self.heap.game else {
            let stones: f64 = start.parts.iter().map(|part| heap(part) - 1.0).sum();
            return self.misere && self.sum && stones <= QUICK_STONES;
        };
        let positions: f64 = start.parts.iter().map(|part| heap(part)).product();
        let takes = game.takes().iter();
        let moves: f64 =
            takes.map(|takes| (takes.most.unwrap_or(self.top) as f64 - takes.least as f64).max(0.0) + 1.0).sum();
        self.misere && self.sum && positions * moves.max(self.heap.choices) <= QUICK_SEARCH
    }
}

/// The heap game that rules describe, or why they describe none.
fn heap_rules(case: &Case<'_>) -> Result<FoundHeaps, String> {
    let (bound, facts) = (case.bound, &case.facts);
    let program = &*bound.program;
    let sum = program.sum.is_some();
    if facts.kind != Kind::Outcome || bound.players != 2 {
        return Err("heaps are for games of two players in which nothing is counted".to_string());
    }
    if !facts.impartial.holds {
        return Err("heaps are for two players who have the same moves".to_string());
    }
    if facts::declares(bound) {
        return Err(facts::DECLARED.to_string());
    }
    match case.start.parts.first().map_or(0, |part| part.len()) {
        0 => return Err("there is no heap".to_string()),
        1..=MOST_CELLS => {}
        _ => return Err("a position has several variables".to_string()),
    }
    let misere = !facts.nimbers;
    let ends_win = !sum && !program.ends.is_empty();
    if misere && !ends_win && !facts.misere {
        return Err("the last mover does not always win".to_string());
    }
    // Choices stay choices, for the conditions on them say more than a list of numbers.
    let reading = case.readings.listed().map_err(|unsupported| unsupported.to_string())?;
    let study = match sum {
        true => reading.parts()?,
        false => reading.whole(false)?,
    };
    let low = |cell: usize| study.formulas.cells.get(cell).map_or(0, |range| range.low.max(0) as u64);
    let heap = recognise(&study.formulas, misere).map_err(|why| rule_names(bound, &why))?;
    if !sum && matches!(heap.game, HeapGame::Break(_)) {
        return Err("a move takes the whole heap, whatever it is".to_string());
    }
    let top = case.start.parts.iter().filter_map(|part| heap.heap(part)).max().unwrap_or(0);
    Ok(FoundHeaps { misere, top, sum, cells: case.start.parts[0].clone(), low: low(heap.cell), heap })
}

/// Names of rules put in for their numbers.
fn rule_names(bound: &Bound, text: &str) -> String {
    let mut text = text.to_string();
    for (rule, mv) in bound.program.moves.iter().enumerate() {
        text = text.replace(&format!("{{rule {rule}}}"), &format!("`{}`", mv.name));
    }
    text
}

struct PreparedHeap<'b> {
    bound: &'b Bound,
    found: FoundHeaps,
    asked: bool,
}

impl<'b> Prepared<'b> for PreparedHeap<'b> {
    fn run(&self, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        let FoundHeaps { heap, misere, sum, top, cells, low } = self.found.clone();
        let values = match HeapValues::new(heap, misere, sum, top, monitor) {
            Err(error) if misere && sum && !self.asked && top < SEARCHED_HEAP && error.is_limit() => {
                return Err(GivenUp::Because(Reason::Limit(error)));
            }
            values => values?,
        };
        let mut report = Report::new(Fact::no("every move makes a heap smaller"));
        report.findings = values.findings();
        report.code = values.describe();
        let heaps = Heaps { bound: self.bound, values, cells, low };
        let answers: Box<dyn crate::answers::Answers + 'b> = match (sum, heaps.values.classes().is_some()) {
            (true, true) => Box::new(ClassAnswers(heaps)),
            (true, false) => Box::new(SumAnswers(heaps)),
            (false, _) => Box::new(HeapAnswers(heaps)),
        };
        Ok(Found { answers, report })
    }

    /// None where the heap is what is left up to an end.
    fn heap_game(&self) -> Option<(HeapGame, bool)> {
        let FoundHeaps { heap, misere, .. } = &self.found;
        heap.whole.is_none().then(|| (heap.game.clone(), *misere))
    }
}
