//! The triangle, the game graph, and values with thermographs.

use std::collections::HashMap;

use perfectplay::SolveError;
use perfectplay::answer::{Player, picture};
use perfectplay::json::explorer::{self, GraphEdge, GraphNode, ValuedOption};
use perfectplay::json::{ErrorObject, Refusal, RefusalUnit, refused_request};
use perfectplay::language::Position;
use perfectplay::moves::{RatedMove, plays};
use perfectplay::solving::{Monitor, solve};
use perfectplay::values::{Arena, Form, Value, arena, value_in};
use perfectplay::view::Walk;
use perfectplay::words::{self, Mark};

use super::Allowed;
use super::game::Game;
use crate::question::Question;
use crate::reply::Reply;
use crate::settings::GRAPH;

/// So many positions where nobody says how many.
const USUAL: i64 = 300;
/// At most so many options are valued.
const MOST_OPTIONS: usize = 60;
/// The longest name of a value.
const LONGEST: usize = 2000;

/// The object of the triangle.
pub fn triangle(game: &mut Game<'_>, walk: &Walk, allowed: &Allowed) -> Result<String, ErrorObject> {
    let bound = game.standing(walk);
    let mut monitor = allowed.monitor();
    let drawn = picture::recognise(&bound, &bound.start, &mut monitor).and_then(|intervals| {
        let solved = solve(&bound, &bound.start, &allowed.options(), &mut monitor)?;
        intervals.triangle(&solved, &mut monitor)
    });
    let drawn = drawn.map_err(|error| game.error(error))?;
    Ok(explorer::triangle(&bound, &drawn))
}

/// The object of the game graph, or a refusal where there are too many positions.
pub fn graph(game: &mut Game<'_>, walk: &Walk, question: &Question, allowed: &Allowed) -> Result<Reply, ErrorObject> {
    let most = question.most.unwrap_or(USUAL).clamp(1, GRAPH as i64) as usize;
    match nodes(game, walk.here(), most, allowed) {
        Ok(Some(nodes)) => Ok(Reply::good(explorer::graph(game.bound, &nodes))),
        Ok(None) => {
            let message = format!("the game has more than {most} positions here, too many for a picture");
            let help = "take a smaller instance, or a position nearer to the end";
            let size = Refusal { asked: None, allowed: most as u64, unit: RefusalUnit::Positions };
            Ok(Reply::new(422, &refused_request(&message, Some(help), Some(size))))
        }
        Err(error) => Err(game.error(error)),
    }
}

/// All positions that play can come to from one, with their worth; `None` if there are more than `most`.
fn nodes(
    game: &mut Game<'_>,
    from: &Position,
    most: usize,
    allowed: &Allowed,
) -> Result<Option<Vec<GraphNode>>, SolveError> {
    let mut monitor = allowed.monitor();
    let _scope = perfectplay::solving::scope(&monitor);
    let bound = game.bound;
    let mut numbers: HashMap<Position, usize> = HashMap::from([(from.clone(), 0)]);
    let mut found: Vec<(Position, u64)> = vec![(from.clone(), 0)];
    let mut options: Vec<Vec<usize>> = Vec::new();
    let mut at = 0;
    while at < found.len() {
        monitor.tick(found.len() as u64, at as u64)?;
        let (position, depth) = found[at].clone();
        let mut to = Vec::new();
        for play in plays(bound, &position)? {
            let option = play.option(&position);
            let next = found.len();
            let number = *numbers.entry(option.clone()).or_insert(next);
            if number == next {
                found.push((option, depth + 1));
            }
            to.push(number);
        }
        if found.len() > most {
            return Ok(None);
        }
        options.push(to);
        at += 1;
    }
    let solved = game.solved(allowed)?;
    let repeats = words::repeats(solved);
    let mut nodes = Vec::with_capacity(found.len());
    for ((position, depth), to) in found.into_iter().zip(options) {
        let (verdict, rated) = (solved.verdict(&position), solved.moves(&position)?);
        let assessment = match (&verdict, rated.is_empty()) {
            (_, true) => words::ending(bound, &position, None)?,
            (Some(verdict), false) => words::standing(position.turn, verdict, repeats, None, None),
            (None, false) => words::unknown(),
        };
        let edge = |(mv, to): (&RatedMove, usize)| {
            let (label, mark) = (mv.play.label.clone(), Mark::of(&mv.worth, repeats));
            GraphEdge { label, to, best: mv.best, mark }
        };
        let moves = rated.iter().zip(to).map(edge).collect();
        nodes.push(GraphNode { over: rated.is_empty(), position, depth, assessment, verdict, moves });
    }
    Ok(Some(nodes))
}

/// The object of the value of a position and of its options.
pub fn value(game: &mut Game<'_>, walk: &Walk, allowed: &Allowed) -> Result<String, ErrorObject> {
    valued(game, walk.here(), allowed).map_err(|error| game.error(error))
}

fn valued(game: &Game<'_>, here: &Position, allowed: &Allowed) -> Result<String, SolveError> {
    let mut monitor = allowed.monitor();
    let mut arena = arena(&monitor);
    let mut options = Vec::new();
    let own = form(&mut arena, game, here, None, allowed, &mut monitor)?;
    for player in [Player::FIRST, Player::FIRST.other()] {
        let position = Position { turn: player, ..here.clone() };
        for play in plays(game.bound, &position)?.into_iter().take(MOST_OPTIONS) {
            let option = play.option(&position);
            options.push(form(&mut arena, game, &option, Some((play.label, player)), allowed, &mut monitor)?);
        }
    }
    Ok(explorer::position_value(game.bound, here, &own, &options))
}

fn form(
    arena: &mut Arena,
    game: &Game<'_>,
    position: &Position,
    by: Option<(String, Player)>,
    allowed: &Allowed,
    monitor: &mut Monitor,
) -> Result<ValuedOption, SolveError> {
    match value_in(arena, game.bound, position, &allowed.options(), monitor)? {
        Form::Value(value) => Ok(facts(arena, value, by)),
        Form::Loopy(_) => {
            let why = "positions repeat, so that there is no thermograph";
            Err(SolveError::NotApplicable(why.to_string()))
        }
    }
}

fn facts(arena: &mut Arena, value: Value, by: Option<(String, Player)>) -> ValuedOption {
    ValuedOption {
        by,
        name: arena.name(value, LONGEST).ok(),
        mean: arena.mean(value).ok(),
        temperature: arena.temperature(value).ok(),
        class: arena.outcome(value).ok(),
        thermograph: arena.thermograph(value).ok(),
    }
}
