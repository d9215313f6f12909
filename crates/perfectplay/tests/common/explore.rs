//! From a bound game to an explicit graph, with nothing but the interpreter.

use std::collections::HashMap;

use perfectplay::parts::game::{End, Outcome, Player};
use perfectplay::parts::rules::fault::Fault;
use perfectplay::parts::rules::interpreter::Interpreter;
use perfectplay::parts::rules::program::{EndingKind, ExprKind, Objective, StmtKind};
use perfectplay::parts::rules::show;
use perfectplay::{Bound, Options, Position, SolveError, Solved, Verdict};

use super::compare::{Also, Field, compare};
use super::explicit::{Aim, Explicit, Finish, Node, Step};
use super::oracle::{self, Worth};

/// What came of exploring a game.
pub enum Explored {
    /// All positions, in the order of the nodes.
    All(Explicit, Vec<Position>, Also),
    /// The rules went wrong in a position that can be reached.
    Fault(Fault),
    /// There are more positions than were asked for.
    TooMany,
}

/// What the players of a bound game want.
pub fn aim(bound: &Bound) -> Aim {
    match (bound.program.counted, bound.players) {
        (false, 2) => Aim::Outcome(bound.forever.map(|player| player.index())),
        (false, _) => Aim::Winners,
        (true, 2) if bound.program.objective != Some(Objective::Own) => Aim::Difference,
        (true, _) => Aim::Own,
    }
}

/// All positions of a game; of a last-mover-wins game for two also those with the other player starting.
pub fn explore(bound: &Bound, most: usize) -> Explored {
    let mut explorer = Explorer { bound, numbers: HashMap::new(), positions: Vec::new(), nodes: Vec::new() };
    let start = explorer.number(bound.start.clone());
    match explorer.run(most) {
        Ok(true) => {}
        Ok(false) => return Explored::TooMany,
        Err(fault) => return Explored::Fault(fault),
    }
    let mut also = Also::default();
    if last_mover_wins(bound) {
        let kept = explorer.nodes.len();
        let other = explorer.number(Position { turn: bound.start.turn.other(), ..bound.start.clone() });
        match explorer.run(most) {
            Ok(true) => also.other_start = Some(other),
            Ok(false) => return Explored::TooMany,
            // The rules go wrong only if the other player starts: no class then.
            Err(_) => explorer.nodes.truncate(kept),
        }
    } else {
        (also.nimber, also.class) = (Field::Absent, Field::Absent);
    }
    let graph = Explicit { players: bound.players, aim: aim(bound), nodes: explorer.nodes, start };
    explorer.positions.truncate(graph.nodes.len());
    Explored::All(graph, explorer.positions, also)
}

/// Whether the file says that who cannot move loses, every end is lost, and turns alternate.
pub fn last_mover_wins(bound: &Bound) -> bool {
    let program = &bound.program;
    let mut turns = false;
    for rule in &program.moves {
        perfectplay::parts::rules::visit::statements(&rule.body, &mut |statement| {
            turns |= matches!(statement.kind, StmtKind::Turn(_))
        });
    }
    let endings = program.ends.iter().map(|end| &end.result).chain(&program.stuck);
    let lost = endings.into_iter().all(|ending| match &ending.kind {
        EndingKind::Lose => true,
        EndingKind::Winner(player) => matches!(player.kind, ExprKind::Opponent),
        _ => false,
    });
    bound.players == 2 && !program.counted && !turns && lost
}

struct Explorer<'b> {
    bound: &'b Bound,
    numbers: HashMap<Position, usize>,
    positions: Vec<Position>,
    nodes: Vec<Node>,
}

impl Explorer<'_> {
    fn number(&mut self, position: Position) -> usize {
        let next = self.positions.len();
        *self.numbers.entry(position).or_insert_with_key(|position| {
            self.positions.push(position.clone());
            next
        })
    }

    fn run(&mut self, most: usize) -> Result<bool, Fault> {
        while self.nodes.len() < self.positions.len() {
            if self.positions.len() > most {
                return Ok(false);
            }
            let node = self.node(&self.positions[self.nodes.len()].clone())?;
            self.nodes.push(node);
        }
        Ok(true)
    }

    fn node(&mut self, position: &Position) -> Result<Node, Fault> {
        let bound = self.bound;
        let mut interpreter = Interpreter::new(bound);
        let mover = position.turn.index();
        let sum = bound.program.sum.is_some();
        if !sum && let Some(end) = interpreter.end(&position.parts[0], position.turn)? {
            return Ok(Node { mover, end: Some(finish(end)), moves: Vec::new() });
        }
        let mut moves = Vec::new();
        for (index, part) in position.parts.iter().enumerate() {
            interpreter.moves(part, position.turn, &mut |effect| {
                let label = show::move_label_of(bound, effect.rule, effect.choices, index);
                let gains = if effect.gains.is_empty() { vec![0; bound.players] } else { effect.gains.to_vec() };
                let to = self.number(effect.option(position, index));
                moves.push(Step { label, gains, to });
                Ok(())
            })?;
        }
        let mut end = None;
        if moves.is_empty() {
            let nothing = vec![0; bound.layout.cells()];
            let cells = if sum { &nothing[..] } else { &position.parts[0][..] };
            end = Some(finish(interpreter.stuck(cells, position.turn)?));
        }
        Ok(Node { mover, end, moves })
    }
}

fn finish(end: End) -> Finish {
    match end {
        End::Outcome(Outcome::Win) => Finish::Outcome(1),
        End::Outcome(Outcome::Draw) => Finish::Outcome(0),
        End::Outcome(Outcome::Loss) => Finish::Outcome(-1),
        End::Gains(gains) => Finish::Gains(gains),
    }
}

/// What came of one comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreed {
    /// Solved, and every one of so many positions compared.
    Solved(usize),
    /// The rules go wrong, and the solver says so.
    Fault,
    /// Positions repeat in a game that must end, and the solver says so.
    Refused,
    /// Too many positions to explore.
    TooMany,
}

/// Explores a game with the interpreter, solves it, and compares the answer and the verdict on every position.
pub fn check(bound: &Bound, most: usize) -> Result<Agreed, String> {
    check_with(bound, most, &Options::default())
}

/// The same, solved in a way of one's choice.
pub fn check_with(bound: &Bound, most: usize, options: &Options) -> Result<Agreed, String> {
    let answer = |bound: &Bound| super::answer_with(bound, options);
    let (graph, positions, also) = match explore(bound, most) {
        Explored::All(graph, positions, also) => (graph, positions, also),
        Explored::TooMany => return Ok(Agreed::TooMany),
        Explored::Fault(fault) => {
            return match answer(bound) {
                Err(SolveError::Fault(_)) => Ok(Agreed::Fault),
                other => Err(format!("must fault with {}: {other:?}", fault.diagnostic.title)),
            };
        }
    };
    match falls(bound, &graph, &positions) {
        Ok(true) => {}
        Ok(false) => {
            return match answer(bound) {
                Err(SolveError::Fault(_)) => Ok(Agreed::Fault),
                other => Err(format!("the measure does not fall: {other:?}")),
            };
        }
        Err(fault) => {
            return match answer(bound) {
                Err(SolveError::Fault(_)) => Ok(Agreed::Fault),
                other => Err(format!("must fault with {}: {other:?}", fault.diagnostic.title)),
            };
        }
    }
    let Some(worths) = oracle::worths(&graph) else {
        return match answer(bound) {
            Err(SolveError::Fault(fault)) if fault.diagnostic.title.starts_with("positions repeat") => {
                Ok(Agreed::Refused)
            }
            other => Err(format!("must be refused: {other:?}")),
        };
    };
    let mut monitor = perfectplay::Monitor::unlimited();
    let solved = perfectplay::solve(bound, &bound.start, options, &mut monitor).map_err(|e| e.to_string())?;
    let solution = perfectplay::solution(&solved, &mut monitor).map_err(|error| error.to_string())?;
    compare(&solution, &graph, &also)?;
    facts_hold(&solved, &graph)?;
    if bound.program.counted && !options.method.is_some_and(perfectplay::Method::is_compiled) {
        // Once more, with the totals compared.
        let options = Options { check_total: true, ..options.clone() };
        let solved = perfectplay::solve(bound, &bound.start, &options, &mut monitor).map_err(|e| e.to_string())?;
        let fact = solved.constant_total.as_ref().ok_or("the totals were not compared")?;
        if fact.holds != oracle::total_is_constant(&graph) {
            return Err(format!("the total: {}", fact.why));
        }
    }
    for index in reachable(&graph) {
        verdict(&solved, &graph, &positions, &worths, index)?;
    }
    Ok(Agreed::Solved(graph.nodes.len()))
}

/// What the planner says of a game is so.
fn facts_hold(solved: &Solved<'_>, graph: &Explicit) -> Result<(), String> {
    let acyclic = graph.order(graph.start).is_some();
    if solved.plan.acyclic.holds && !acyclic {
        return Err(format!("not acyclic: {}", solved.plan.acyclic.why));
    }
    if solved.cyclic.holds == acyclic {
        return Err(format!("whether positions repeat: {}", solved.cyclic.why));
    }
    match &solved.constant_total {
        Some(fact) if fact.holds != oracle::total_is_constant(graph) => Err(format!("the total: {}", fact.why)),
        _ => Ok(()),
    }
}

/// Whether a declared measure falls with every move; a declared estimate must only be a number.
fn falls(bound: &Bound, graph: &Explicit, positions: &[Position]) -> Result<bool, Fault> {
    let mut interpreter = Interpreter::new(bound);
    for index in reachable(graph) {
        let Position { parts, turn } = &positions[index];
        for part in parts {
            interpreter.estimate(part, *turn)?;
            if bound.program.measure.is_none() || interpreter.end(part, *turn)?.is_some() {
                continue;
            }
            let before = interpreter.measure(part, *turn)?;
            let mut options = Vec::new();
            interpreter.moves(part, *turn, &mut |effect| {
                let into = effect.split.map_or_else(|| vec![effect.after.into()], <[_]>::to_vec);
                options.extend(into.into_iter().map(|part: Box<[i64]>| (part, effect.turn)));
                Ok(())
            })?;
            for (option, turn) in options {
                if interpreter.measure(&option, turn)? >= before {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}

fn reachable(graph: &Explicit) -> Vec<usize> {
    let mut seen = vec![false; graph.nodes.len()];
    seen[graph.start] = true;
    let mut found = vec![graph.start];
    let mut next = 0;
    while next < found.len() {
        for step in &graph.nodes[found[next]].moves {
            if !std::mem::replace(&mut seen[step.to], true) {
                found.push(step.to);
            }
        }
        next += 1;
    }
    found
}

/// The verdict on one position, and the rating of its moves.
fn verdict(
    solved: &Solved<'_>,
    graph: &Explicit,
    positions: &[Position],
    worths: &[Option<Worth>],
    index: usize,
) -> Result<(), String> {
    let position = &positions[index];
    let place = || show::position_text(solved.bound, position) + &format!(", {} to move", Player(position.turn.0));
    let found = solved.verdict(position).ok_or_else(|| format!("no verdict on {}", place()))?;
    let agrees = match (&found, worths[index].as_ref().unwrap()) {
        (Verdict::Outcome { remoteness, .. }, Worth::Outcome(value, moves)) => {
            sign(found.outcome()) == Some(*value) && remoteness == moves
        }
        (Verdict::Nimber(_) | Verdict::Loopy(_), Worth::Outcome(value, _)) => sign(found.outcome()) == Some(*value),
        (Verdict::Score(found), Worth::Score(value)) => found == value,
        (Verdict::Payoffs { totals, unique }, Worth::Totals(first, all)) => {
            totals[..] == first[..] && *unique == Some(all.len() == 1)
        }
        _ => false,
    };
    if !agrees {
        return Err(format!("{found:?} in {}, expected {:?}", place(), worths[index]));
    }
    let moves = solved.moves(position).map_err(|error| error.to_string())?;
    let (best, fast) = oracle::best_moves(graph, index, worths);
    let rated = |wanted: &dyn Fn(&perfectplay::RatedMove) -> bool| -> Vec<usize> {
        (0..moves.len()).filter(|&number| wanted(&moves[number])).collect()
    };
    for (number, mv) in moves.iter().enumerate() {
        worth_agrees(mv, graph, worths, index, number).map_err(|text| format!("{text} in {}", place()))?;
    }
    let slow = matches!(found, Verdict::Nimber(_) | Verdict::Loopy(_));
    if moves.len() != graph.nodes[index].moves.len()
        || rated(&|mv| mv.best) != best
        || (!slow && rated(&|mv| mv.fast) != fast)
    {
        return Err(format!("the moves of {} are rated {moves:?}, expected {best:?} and {fast:?}", place()));
    }
    Ok(())
}

/// What a move is said to be worth, and where it leads.
fn worth_agrees(
    mv: &perfectplay::RatedMove,
    graph: &Explicit,
    worths: &[Option<Worth>],
    index: usize,
    number: usize,
) -> Result<(), String> {
    let (node, step) = (&graph.nodes[index], &graph.nodes[index].moves[number]);
    let same = if graph.nodes[step.to].mover == node.mover { 1 } else { -1 };
    let gained = |player: usize| step.gains[player];
    let agrees = match (&mv.worth, worths[step.to].as_ref().unwrap()) {
        (perfectplay::Worth::Outcome(outcome, moves), Worth::Outcome(value, length)) => {
            // A sum by Grundy numbers knows no lengths.
            sign(Some(*outcome)) == Some(i8::try_from(same).unwrap() * value)
                && (*moves == length.map(|length| length + 1) || moves.is_none())
        }
        (perfectplay::Worth::Score(score), Worth::Score(value)) => {
            *score == gained(node.mover) - gained(1 - node.mover) + same * value
        }
        (perfectplay::Worth::Payoffs(totals), Worth::Totals(first, _)) => {
            (0..graph.players).all(|player| totals[player] == first[player] + gained(player))
        }
        _ => false,
    };
    if agrees && mv.play.label == step.label {
        Ok(())
    } else {
        Err(format!("{mv:?}, expected {:?} {step:?}", worths[step.to]))
    }
}

fn sign(outcome: Option<Outcome>) -> Option<i8> {
    outcome.map(|outcome| match outcome {
        Outcome::Win => 1,
        Outcome::Draw => 0,
        Outcome::Loss => -1,
    })
}
