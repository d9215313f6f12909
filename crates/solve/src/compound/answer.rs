//! The answer of a sum: who wins, the nimber of every summand, every best first move, one line of best play.

use engine::loopy::Rests;
use engine::monitor::Monitor;
use game::LoopyNimber;
use rules::play::Play;

use super::Summand;
use super::line::SumLine;
use super::solve_sum;
use super::solved::SolvedSum;
use super::theory::Theory;
use super::whole::Whole;
use super::{SUM, SumError};
use crate::answer::MOST_MOVES;
use crate::answer::check::check;
use crate::answer::solution::{AnswerKind, Solution, SummandAnswer, SummandValue, Understood};
use crate::answers::{Proof, RatedMove};
use crate::options::Options;
use crate::stopping::scope;

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
        for (summand, game) in sum.impartial() {
            let found = check(game, amount, monitor).map_err(|error| SumError { summand, error })?;
            checked = checked.saturating_add(found.positions);
        }
        solution.checked = Some(checked);
    }
    Ok(solution)
}

/// The answer of a solved sum, with its line replayed.
pub fn sum_solution(sum: &SolvedSum<'_>, monitor: &mut Monitor) -> Result<Solution, SumError> {
    let _scope = scope(monitor);
    if let Some(theory) = &sum.theory {
        return by_forms(sum, theory, monitor);
    }
    if let Some(whole) = &sum.whole {
        return by_whole(sum, whole, monitor);
    }
    let start = sum.compound.start();
    let values = sum.nimbers(&start)?;
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
    let mut solution = Solution::blank(sum.compound.text(), Understood::default(), start.turn, SUM);
    let values = values.into_iter().map(SummandValue::Nimber);
    solution.summands =
        values.zip(&best).enumerate().map(|(at, (value, best))| summand_answer(sum, at, value, best)).collect();
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
    solution.line = Some(line.moves);
    solution.set_cost(sum.positions(), monitor);
    solution.proof = proof(sum);
    Ok(solution)
}

/// The answer of a sum that was solved as a whole.
fn by_whole(sum: &SolvedSum<'_>, whole: &Whole, monitor: &Monitor) -> Result<Solution, SumError> {
    let start = sum.compound.start();
    let mut solution = Solution::blank(sum.compound.text(), Understood::default(), start.turn, SUM);
    solution.kind = AnswerKind::Partizan;
    solution.set_outcome(whole.outcome(&start)?);
    solution.remoteness = whole.rounds.remoteness(&start).map(u64::from);
    let moves = whole.listed(&sum.compound, &start)?.moves;
    let best: Vec<&RatedMove> = moves.iter().filter(|mv| mv.best).collect();
    solution.best_moves_cut = best.len() > MOST_MOVES;
    let best: Vec<Play> = best.iter().take(MOST_MOVES).map(|mv| mv.play.clone()).collect();
    for summand in 0..sum.compound.summands().len() {
        let own: Vec<Play> = best.iter().filter(|play| play.summand == summand).cloned().collect();
        solution.summands.push(summand_answer(sum, summand, SummandValue::Unvalued, &own));
    }
    solution.best_moves = Some(best);
    let (line, cut) = whole.line(&sum.compound)?;
    (solution.line, solution.line_cut) = (Some(line), cut);
    solution.value_missing = Some(whole.why.clone());
    solution.set_cost(whole.rounds.positions(), monitor);
    solution.proof = Proof::Table;
    Ok(solution)
}

/// What people are told of a summand.
fn summand_answer(sum: &SolvedSum<'_>, summand: usize, value: SummandValue, best: &[Play]) -> SummandAnswer {
    let (method, positions) = sum.taken(summand);
    let bound = sum.bound(summand);
    SummandAnswer {
        name: sum.compound.name(summand).to_string(),
        game: bound.program.name.clone(),
        instance: Understood::new(bound),
        value,
        best_moves: best.to_vec(),
        positions,
        method,
    }
}

/// The answer where moves of a summand belong to players.
fn by_forms<'b>(sum: &SolvedSum<'b>, theory: &Theory<'b>, monitor: &mut Monitor) -> Result<Solution, SumError> {
    let start = sum.compound.start();
    let standing = sum.standing(theory, &start)?;
    let mut solution = Solution::blank(sum.compound.text(), Understood::default(), start.turn, SUM);
    solution.kind = AnswerKind::Partizan;
    solution.set_outcome(sum.outcome_by_forms(theory, &start)?);
    solution.outcome_class = standing.class;
    solution.canonical = standing.total.map(|total| sum.text_of(theory, &total)).transpose()?;
    let moves = sum.listed_by_forms(theory, &start)?.moves;
    let best: Vec<&RatedMove> = moves.iter().filter(|mv| mv.best).collect();
    solution.best_moves_cut = best.len() > MOST_MOVES;
    let best = &best[..best.len().min(MOST_MOVES)];
    for (summand, form) in standing.summands.into_iter().enumerate() {
        let own: Vec<Play> = best.iter().filter(|mv| mv.play.summand == summand).map(|mv| mv.play.clone()).collect();
        let value = SummandValue::Form(sum.text_of(theory, &form)?);
        solution.summands.push(summand_answer(sum, summand, value, &own));
    }
    solution.best_moves = Some(best.iter().map(|mv| mv.play.clone()).collect());
    match sum.line_by_forms(theory, monitor)? {
        Some((line, cut)) => {
            solution.line = Some(line);
            solution.line_cut = cut;
        }
        None => solution.line_missing = Some(GOES_ROUND.to_string()),
    }
    if solution.canonical.is_none() {
        solution.value_missing = Some(TOO_LARGE.to_string());
    }
    solution.set_cost(sum.positions(), monitor);
    solution.proof = Proof::Theorem(FORMS.to_string());
    Ok(solution)
}

/// What the answer rests on: the theorem by which values add up, and those by which values of large heaps are known.
fn proof(sum: &SolvedSum<'_>) -> Proof {
    let loopy = (0..sum.compound.summands().len()).any(|summand| sum.is_loopy(summand));
    let mut proof = if loopy { SMITH } else { SPRAGUE_GRUNDY }.to_string();
    for (summand, game) in sum.impartial().filter(|(_, game)| game.answers.has_many_moves()) {
        let Proof::Theorem(own) = game.answers.proof(&game.start) else { continue };
        let own = own.strip_prefix(SPRAGUE_GRUNDY).map_or(&*own, |own| own.trim_start_matches("; "));
        if !own.is_empty() {
            proof.push_str(&format!("; in {}: {own}", sum.compound.summands()[summand].name));
        }
    }
    Proof::Theorem(proof)
}

/// The theorems by which values add up.
const SPRAGUE_GRUNDY: &str = "Sprague-Grundy";
const SMITH: &str = "Smith's loopy nimbers";
/// Why the value of a sum is not told.
const TOO_LARGE: &str = "the sum of the canonical forms may be far too large; who wins is known without it";
/// Why there is no line of play.
const GOES_ROUND: &str = "positions repeat, there are more than 20,000 of them, and values do not tell how a win is brought \
                          nearer; a best move never gives away what is won or drawn, but best moves may go round for ever";
const FORMS: &str = "sums of canonical forms";
