//! From a bound game to an explicit graph, with nothing but the interpreter.

use std::collections::HashMap;

use game::{End, Outcome};
use rules::bind::{Bound, Position};
use rules::fault::Fault;
use rules::interpreter::Interpreter;
use rules::program::{EndingKind, ExprKind, Objective, StmtKind};
use rules::show;

use crate::explicit::{Aim, Also, Explicit, Field, Finish, Node, Step};

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
        rules::visit::statements(&rule.body, &mut |statement| turns |= matches!(statement.kind, StmtKind::Turn(_)));
    }
    let lost = rules::visit::results(program).all(|ending| match &ending.kind {
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

/// Whether a declared measure falls with every move; a declared estimate must only be a number.
pub fn falls(bound: &Bound, graph: &Explicit, positions: &[Position]) -> Result<bool, Fault> {
    let mut interpreter = Interpreter::new(bound);
    for index in graph.reachable() {
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
