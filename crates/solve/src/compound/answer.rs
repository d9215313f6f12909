//! The answer of a sum: who wins, the nimber of every summand, every best first move, one line of best play.

use game::{LoopyNimber, Outcome, Player};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::check::check;
use crate::compound::line::SumLine;
use crate::compound::{SolvedSum, SumError, Summand, solve_sum};
use crate::loopy::rest::Rests;
use crate::monitor::Monitor;
use crate::options::Options;
use crate::plan::Method;
use crate::solution::{MOST_MOVES, Solution, instance_json};

/// What is known of one summand.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SummandAnswer {
    /// As it was written, with a number where several are the same: `kayles(7)`, `nim(5) #2`.
    pub name: String,
    /// The game's name.
    pub game: String,
    /// The instance as understood.
    pub instance: Map<String, Value>,
    /// The Grundy number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nimber: Option<u64>,
    /// The loopy nimber, where it is infinite: `∞{0,2}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loopy: Option<String>,
    /// Those of the best moves that are played in this summand.
    pub best_moves: Vec<String>,
    /// Positions of its game that were met.
    pub positions: u64,
    /// The method that solved its game.
    pub method: &'static str,
}

impl SummandAnswer {
    /// The nimber, ordinary or loopy, as it is shown.
    pub fn value(&self) -> String {
        match (&self.nimber, &self.loopy) {
            (Some(nimber), _) => nimber.to_string(),
            (None, Some(loopy)) => loopy.clone(),
            (None, None) => String::new(),
        }
    }
}

/// Solves a sum from its start and puts the answer together.
///
/// ```
/// use rules::instance::parse_instance;
/// use solve::compound::{Summand, sum_answer};
/// use solve::{monitor::Monitor, options::Options};
///
/// let heap = rules::compile("game heap(n: int) { state { left in 0..=n = n; } move take(k in 1..=left) { left -= k; } }");
/// let heap = std::sync::Arc::new(heap.unwrap());
/// let two = rules::bind::bind(&heap, &parse_instance(r#"{"n": 2}"#).unwrap()).unwrap();
/// let five = rules::bind::bind(&heap, &parse_instance(r#"{"n": 5}"#).unwrap()).unwrap();
/// let sum = vec![
///     Summand { name: "heap(2)".to_string(), bound: &two },
///     Summand { name: "heap(5)".to_string(), bound: &five },
/// ];
/// let answer = sum_answer(sum, &Options::default(), &mut Monitor::unlimited()).unwrap();
/// assert_eq!(answer.nimber, Some(7));
/// assert_eq!(answer.best_moves.unwrap(), ["take(3) in heap(5)"]);
/// ```
pub fn sum_answer(summands: Vec<Summand<'_>>, options: &Options, monitor: &mut Monitor) -> Result<Solution, SumError> {
    let sum = solve_sum(summands, options, monitor)?;
    let mut solution = sum_solution(&sum, monitor)?;
    if let Some(amount) = options.check {
        let mut checked = 0u64;
        for (index, game) in sum.games().iter().enumerate() {
            let found =
                check(game, amount, monitor).map_err(|error| SumError { summand: sum.first_of(index), error })?;
            checked = checked.saturating_add(found.positions);
        }
        solution.checked = Some(checked);
    }
    Ok(solution)
}

/// The answer of a solved sum, with its line replayed.
pub fn sum_solution(sum: &SolvedSum<'_>, monitor: &mut Monitor) -> Result<Solution, SumError> {
    let start = sum.compound.start();
    let values = sum.values(&start)?;
    let rests = Rests::new(values.clone());
    let mut best: Vec<Vec<String>> = Vec::new();
    let (mut room, mut cut) = (MOST_MOVES, false);
    for summand in 0..values.len() {
        // One more than there is room for tells whether there are more.
        let (plays, more) = sum.best_in(summand, &start, &rests, room.max(1))?;
        cut |= more || plays.len() > room;
        best.push(plays.into_iter().take(room).map(|play| play.label).collect());
        room -= best[summand].len();
    }
    let value = rests.whole();
    let outcome = value.outcome();
    let line = SumLine::of(sum, monitor)?;
    line.replay(sum)?;
    let (nimber, infinite) = fields(&value);
    let summands = values.iter().enumerate().map(|(summand, value)| {
        let game = sum.game(summand);
        let (nimber, loopy) = fields(value);
        SummandAnswer {
            name: sum.compound.name(summand).to_string(),
            game: game.bound.program.name.clone(),
            instance: instance_json(game.bound),
            nimber,
            loopy,
            best_moves: best[summand].clone(),
            positions: game.positions,
            method: game.plan.method.name(),
        }
    });
    Ok(Solution {
        game: sum.compound.text(),
        kind: if nimber.is_some() { "nimber" } else { "outcome" },
        winner: Some(match outcome {
            Outcome::Win => Player::FIRST.to_string(),
            Outcome::Loss => Player::FIRST.other().to_string(),
            Outcome::Draw => "draw".to_string(),
        }),
        outcome: Some(outcome.to_string()),
        nimber,
        loopy: infinite,
        best_moves: Some(best.concat()),
        best_moves_cut: cut,
        summands: summands.collect(),
        line_cut: line.cut,
        line: Some(line.moves.into_iter().map(|mv| mv.play.label).collect()),
        positions: sum.positions(),
        method: "sum".to_string(),
        seconds: monitor.elapsed().as_secs_f64(),
        bytes: monitor.memory().peak(),
        proof: proof(sum),
        ..Solution::default()
    })
}

/// What the answer rests on: the theorem by which values add up, and those by which values of large heaps are known.
fn proof(sum: &SolvedSum<'_>) -> String {
    let loopy = sum.games().iter().any(|game| game.plan.method == Method::Loopy);
    let mut proof = if loopy { "theorem: Smith's loopy nimbers" } else { "theorem: Sprague-Grundy" }.to_string();
    for (index, game) in sum.games().iter().enumerate().filter(|(_, game)| game.plan.method == Method::Heap) {
        let own = game.heap_proof();
        let own = own.strip_prefix("theorem: ").unwrap_or("");
        let own = own.strip_prefix("Sprague-Grundy").map_or(own, |own| own.trim_start_matches("; "));
        if !own.is_empty() {
            proof.push_str(&format!("; in {}: {own}", sum.compound.summands()[sum.first_of(index)].name));
        }
    }
    proof
}

/// A value as the two fields of an answer.
fn fields(value: &LoopyNimber) -> (Option<u64>, Option<String>) {
    match value {
        LoopyNimber::Finite(nimber) => (Some(*nimber), None),
        infinite => (None, Some(infinite.to_string())),
    }
}
