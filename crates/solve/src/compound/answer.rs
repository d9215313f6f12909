//! The answer of a sum: who wins, the nimber of every summand, every best first move, one line of best play.

use engine::loopy::Rests;
use engine::monitor::Monitor;
use game::LoopyNimber;
use rules::play::Play;

use super::Summand;
use super::line::SumLine;
use super::solved::{SolvedSum, SumError, solve_sum};
use crate::answer::MOST_MOVES;
use crate::answer::check::check;
use crate::answer::solution::{AnswerKind, Solution, SummandAnswer};
use crate::answer::understood::Understood;
use crate::options::{MethodName, Options};
use crate::proof::Proof;
use crate::stopping::scope;

/// The name that stands in the place of a method.
const SUM: MethodName = MethodName::new("sum");

/// Solves a sum from its start and puts the answer together.
///
/// ```
/// use rules::instance::parse_instance;
/// use solve::compound::{Summand, sum_answer};
/// use engine::monitor::Monitor;
/// use solve::options::Options;
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
/// assert_eq!(answer.best_moves.unwrap()[0].label, "take(3) in heap(5)");
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
    let _scope = scope(monitor);
    let start = sum.compound.start();
    let values = sum.values(&start)?;
    let rests = Rests::new(values.clone());
    let mut best: Vec<Vec<Play>> = Vec::new();
    let (mut room, mut cut) = (MOST_MOVES, false);
    for summand in 0..values.len() {
        // One more than there is room for tells whether there are more.
        let (plays, more) = sum.best_in(summand, &start, &rests, room.max(1))?;
        cut |= more || plays.len() > room;
        best.push(plays.into_iter().take(room).collect());
        room -= best[summand].len();
    }
    let value = rests.whole();
    let line = SumLine::of(sum, monitor)?;
    line.replay(sum)?;
    let summands = values.into_iter().enumerate().map(|(summand, value)| {
        let game = sum.game(summand);
        SummandAnswer {
            name: sum.compound.name(summand).to_string(),
            game: game.bound.program.name.clone(),
            instance: Understood::new(game.bound),
            value,
            best_moves: best[summand].clone(),
            positions: game.positions(),
            method: game.plan.method,
        }
    });
    let mut solution = Solution::blank(sum.compound.text(), Understood::default(), start.turn, SUM);
    solution.summands = summands.collect();
    solution.set_outcome(value.outcome());
    match value {
        LoopyNimber::Finite(nimber) => {
            solution.kind = AnswerKind::Nimber;
            solution.nimber = Some(nimber);
        }
        LoopyNimber::Infinite(set) => solution.loopy = Some(set),
    }
    solution.best_moves = Some(best.concat());
    solution.best_moves_cut = cut;
    solution.line_cut = line.cut;
    solution.line = Some(line.moves.into_iter().map(|mv| mv.play).collect());
    solution.positions = sum.positions();
    solution.seconds = monitor.elapsed().as_secs_f64();
    solution.bytes = monitor.memory().peak();
    solution.proof = proof(sum);
    Ok(solution)
}

/// What the answer rests on: the theorem by which values add up, and those by which values of large heaps are known.
fn proof(sum: &SolvedSum<'_>) -> Proof {
    let loopy = (0..sum.compound.summands().len()).any(|summand| sum.is_loopy(summand));
    let mut proof = if loopy { SMITH } else { SPRAGUE_GRUNDY }.to_string();
    for (index, game) in sum.games().iter().enumerate().filter(|(_, game)| game.answers.has_many_moves()) {
        let Proof::Theorem(own) = game.answers.proof(&game.start) else { continue };
        let own = own.strip_prefix(SPRAGUE_GRUNDY).map_or(&*own, |own| own.trim_start_matches("; "));
        if !own.is_empty() {
            proof.push_str(&format!("; in {}: {own}", sum.compound.summands()[sum.first_of(index)].name));
        }
    }
    Proof::Theorem(proof)
}

/// The theorems by which values add up.
const SPRAGUE_GRUNDY: &str = "Sprague-Grundy";
const SMITH: &str = "Smith's loopy nimbers";
