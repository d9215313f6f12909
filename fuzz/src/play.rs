//! Plays and solves a program: a few small instances, a few hundred positions, everything a rules file can be asked.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rules::bind::{Bound, Position, bind};
use rules::fault::Fault;
use rules::instance::Instance;
use rules::interpreter::Interpreter;
use rules::program::Program;
use rules::show;
use solve::error::SolveError;
use engine::monitor::{Limits, Monitor};
use solve::options::Options;

/// How many positions of an instance are looked at.
const POSITIONS: usize = 200;

/// How many moves of one position are followed.
const MOVES: usize = 200;

/// How many numbers a position may have, so that one input does not take minutes.
const CELLS: usize = 500;

/// How long one instance is played.
const TIME: Duration = Duration::from_secs(1);

/// Binds instances of the sample and of the examples, and plays them.
pub fn play(source: &str, program: Program) {
    let program = Arc::new(program);
    let mut instances = match rules::sample::instances(&program, 3, 1) {
        Ok(instances) => instances,
        Err(diagnostics) => {
            crate::told(source, &diagnostics);
            Vec::new()
        }
    };
    for example in program.examples.iter().take(2) {
        match rules::parameters::example_instance(&program, example) {
            Ok(instance) => instances.push(instance),
            Err(fault) => told(source, &fault),
        }
    }
    instances.push(Instance(Vec::new()));
    for instance in &instances {
        match bind(&program, instance) {
            Ok(bound) if bound.start.parts.iter().map(|part| part.len()).sum::<usize>() > CELLS => {}
            Ok(bound) => {
                explore(source, &bound);
                solve(source, &bound);
            }
            Err(diagnostics) => {
                assert!(!diagnostics.is_empty(), "refused without a word");
                crate::told(source, &diagnostics);
            }
        }
    }
}

fn told(source: &str, fault: &Fault) {
    crate::told(source, std::slice::from_ref(&fault.diagnostic));
}

fn explore(source: &str, bound: &Bound) {
    let mut seen: HashSet<Position> = HashSet::from([bound.start.clone()]);
    let mut queue: VecDeque<Position> = VecDeque::from([bound.start.clone()]);
    let started = Instant::now();
    while let Some(position) = queue.pop_front().filter(|_| started.elapsed() < TIME) {
        if let Err(fault) = look(bound, &position, &mut |option| {
            if seen.len() < POSITIONS && seen.insert(option.clone()) {
                queue.push_back(option);
            }
        }) {
            told(source, &fault);
            return;
        }
    }
    let mut interpreter = Interpreter::new(bound);
    for claim in 0..bound.program.claims.len() {
        if let Err(fault) = interpreter.claim(claim) {
            told(source, &fault);
        }
    }
}

/// Solves the game within small limits. The line of best play is replayed inside, so that a wrong table shows as an
/// internal error; so does every position that the solver loses.
fn solve(source: &str, bound: &Bound) {
    let limits = Limits { memory: 16 << 20, time: Some(Duration::from_millis(50)) };
    match solve::answer::answer(bound, &Options::default(), &mut Monitor::new(&limits)) {
        Err(SolveError::Internal(what)) => panic!("{what}"),
        Err(SolveError::Fault(fault)) => told(source, &fault),
        Err(_) | Ok(_) => {}
    }
}

/// Asks one position everything, and hands on what its moves lead to.
fn look(bound: &Bound, position: &Position, visit: &mut dyn FnMut(Position)) -> Result<(), Fault> {
    let mut interpreter = Interpreter::new(bound);
    assert!(usize::from(position.turn.0) < bound.players, "a player who does not exist");
    let drawn = show::draw(bound, position)?;
    assert!(drawn.len() < 1 << 24, "a very large drawing");
    for (number, part) in position.parts.iter().enumerate() {
        interpreter.measure(part, position.turn)?;
        interpreter.estimate(part, position.turn)?;
        if bound.program.sum.is_none() && interpreter.end(part, position.turn)?.is_some() {
            continue;
        }
        let mut count = 0;
        let ended = interpreter.moves(part, position.turn, &mut |effect| {
            count += 1;
            if count > MOVES {
                // There is no other way to leave early; this fault is not told.
                return Err(Fault::at(rules::span::Span::default(), "enough", ""));
            }
            let label = show::move_label_of(bound, effect.rule, effect.choices, number);
            assert!(!label.is_empty(), "a move without a name");
            assert!(effect.gains.is_empty() || effect.gains.len() == bound.players, "one gain a player");
            visit(effect.option(position, number));
            Ok(())
        });
        match ended {
            Err(_) if count > MOVES => {}
            Err(fault) => return Err(fault),
            Ok(()) if count == 0 && bound.program.sum.is_none() => drop(interpreter.stuck(part, position.turn)?),
            Ok(()) => {}
        }
    }
    Ok(())
}
