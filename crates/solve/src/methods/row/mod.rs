//! `row` and `triangle`: rules whose positions are lists of numbers, of which a move takes one from an open end.
//!
//! The first answers by the theorem of [`rows::taking`], which needs no table at all ([`theorem`]). The second values all
//! intervals of one row, also where gains depend on both ends ([`triangle`]). [`play_at`] leads back to the moves of the rules.

mod theorem;
mod triangle;

use std::rc::Rc;

use engine::memory::Lease;
use engine::monitor::Monitor;
use game::Player;
use rows::taking::End;
use rows::triangle::{Gains, Plan as TrianglePlan, Storage, TooLarge, Triangle as StoredTriangle};
use rules::bind::{Bound, Position};
use rules::interpreter::{Effect, Interpreter};
use rules::play::{self, Play};
use shapes::row::{Ends, Gone, Hand, RowGame};
use theorem::RowAnswers;
use triangle::{TriangleAnswers, constant_total, gains_of};

use crate::answers::{MOST_MOVES, Positions};
use crate::case::{Case, Kind, Rows};
use crate::error::{Limit, SolveError};
use crate::facts::Fact;
use crate::methods::{Ability, Code, Cost, Found, GivenUp, Look, Method, Objection, Prepared, Prospect, Report, Unit};
use crate::options::{Engine, MethodName};

/// Their names.
const ROW: MethodName = MethodName::new("row");
const TRIANGLE: MethodName = MethodName::new("triangle");
/// A whole triangle that nobody asked for takes this share of the memory at most; otherwise one bit an interval is kept.
const SHARE: u64 = 4;
/// What an interval takes, in seconds, more or less.
const SECONDS_AN_INTERVAL: f64 = 5e-11;

/// The method by the theorem.
pub(super) struct Row;

/// The method by the triangle.
pub(super) struct Triangle;

impl Method for Row {
    fn name(&self) -> MethodName {
        ROW
    }

    fn about(&self) -> &'static str {
        "The theorem of rows and stacks of numbers, of which a move takes one from an open end"
    }

    fn recognise<'b>(&self, case: &Case<'b>, _: &mut Monitor) -> Result<Look<'b>, SolveError> {
        if let Some(why) = unwanted(case, ROW) {
            return Ok(Look::no(why));
        }
        let game = match case.rows() {
            Ok(Rows { game, crossed: None }) => game,
            Ok(Rows { crossed: Some(_), .. }) => {
                return Ok(Look::no("the two ends do not gain the items of one list, whatever is left of it"));
            }
            Err(why) => return Ok(no_row(case, why)),
        };
        let why = game.method();
        let shape = Fact::yes(game.why.clone());
        let code = Code::Kernel("each item is read once; 8 bytes an item, and more for sums".to_string());
        let cost = Cost { positions: Some(game.items()), ..Cost::default() };
        let constant_total = all_taken(&game);
        let payoffs = case.facts.kind == Kind::Payoffs;
        if payoffs && game.gives {
            let why = "a move gives something to the other player, and players want their own totals".to_string();
            return Ok(no_row(case, why));
        }
        let prepared = PreparedRow { bound: case.bound, start: case.start.clone(), game, payoffs };
        let prospect =
            Prospect { unit: Unit::Item, cost, acyclic: taken(), constant_total, ..Prospect::new(why, code, prepared) };
        Ok(Look::yes(prospect).with_shape("row", shape))
    }
}

impl Method for Triangle {
    fn name(&self) -> MethodName {
        TRIANGLE
    }

    fn about(&self) -> &'static str {
        "The table of all intervals of a row"
    }

    fn can(&self, ability: Ability) -> bool {
        matches!(ability, Ability::StoredTable)
    }

    fn recognise<'b>(&self, case: &Case<'b>, _: &mut Monitor) -> Result<Look<'b>, SolveError> {
        if let Some(why) = unwanted(case, TRIANGLE) {
            return Ok(Look::no(why));
        }
        let (game, gains) = match intervals(case) {
            Ok(found) => found,
            Err(why) => return Ok(no_row(case, why)),
        };
        let asked = case.options.method.is_some();
        let roomy = if asked { case.memory } else { case.memory / SHARE };
        let way = match way(&gains, roomy, case.memory) {
            Ok(way) => way,
            Err(error) => {
                let shape = ("row", Fact::no(error.to_string()));
                return Ok(Look { shape: Some(shape), prospect: Err(Objection::Limit(error)) });
            }
        };
        let time = format!("time grows as n², here {}²", gains.len());
        let why = format!("all intervals are valued, in lanes and on all cores; {time}");
        let shape =
            "a row, open at both ends; what a move gains is a sum of what depends on the one end and on the other";
        let cost = Cost {
            positions: Some(way.intervals()),
            bytes: Some(way.bytes),
            seconds: Some(way.intervals() as f64 * SECONDS_AN_INTERVAL),
            ..Cost::default()
        };
        let constant_total = constant_total(&game, &gains);
        let code = Code::Kernel(way.why());
        let intervals = Intervals { game, gains, way, threads: case.options.threads() };
        let prepared = PreparedInterval { bound: case.bound, start: case.start.clone(), intervals };
        let prospect = Prospect { cost, acyclic: taken(), constant_total, ..Prospect::new(why, code, prepared) };
        Ok(Look::yes(prospect).with_shape("row", Fact::yes(shape)))
    }
}

/// Why the method may not be used.
fn unwanted(case: &Case<'_>, name: MethodName) -> Option<&'static str> {
    match (case.options.engine, case.options.method) {
        (_, Some(method)) if method != name => Some("another method was asked for"),
        (Engine::Auto, _) => None,
        (Engine::Interpreted | Engine::Compiled, _) => {
            Some("rows are valued by code of their own, which neither interprets nor compiles the rules")
        }
    }
}

/// No row was found; that is worth telling of counted games for two.
fn no_row<'b>(case: &Case<'_>, why: String) -> Look<'b> {
    let counted = matches!(case.facts.kind, Kind::Score | Kind::Payoffs) && case.bound.players == 2;
    match counted {
        true => Look::no(why.clone()).with_shape("row", Fact::no(why)),
        false => Look::no(why),
    }
}

fn taken() -> Option<Fact> {
    Some(Fact::yes("every move takes an item"))
}

/// Whether all play gains the same in total, by the items.
fn all_taken(game: &RowGame) -> Option<Fact> {
    (!game.gives).then(|| Fact::yes("every item is taken by someone"))
}

/// The one row of a case, and what its ends gain.
fn intervals(case: &Case<'_>) -> Result<(Rc<RowGame>, Rc<Gains>), String> {
    let Rows { game, crossed } = case.rows()?;
    let gains = match crossed {
        Some(gains) => gains,
        None => Rc::new(gains_of(&game).ok_or("the position is not one row, open at both ends")?),
    };
    match case.facts.kind {
        Kind::Score => Ok((game, gains)),
        _ => Err("the triangle is for players who want the largest difference".to_string()),
    }
}

/// What is computed of a triangle, within a limit of memory: the whole table where it takes no more than `roomy`.
fn way(gains: &Gains, roomy: u64, limit: u64) -> Result<TrianglePlan, SolveError> {
    triangle::plan(gains, roomy, limit).map_err(too_large)
}

fn too_large(TooLarge { limit, needed }: TooLarge) -> SolveError {
    SolveError::Limit { limit: Limit::Memory { limit, needed }, positions: 0 }
}

struct PreparedRow<'b> {
    bound: &'b Bound,
    start: Position,
    game: Rc<RowGame>,
    /// Whether totals are counted, not the difference alone.
    payoffs: bool,
}

impl<'b> Prepared<'b> for PreparedRow<'b> {
    fn run(&self, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        let answers = RowAnswers::new(self.game.clone(), &self.start, self.payoffs, MOST_MOVES, monitor)?;
        answers.check(self.bound)?;
        let mut report = Report::new(Fact::no("every move takes an item"));
        report.constant_total = all_taken(&self.game);
        Ok(Found { answers: Box::new(answers), report })
    }
}

/// The intervals of one row, and how they are valued.
#[derive(Clone)]
pub struct Intervals {
    /// The row.
    pub(crate) game: Rc<RowGame>,
    /// What its ends gain.
    pub(crate) gains: Rc<Gains>,
    /// What is computed of them.
    pub(crate) way: TrianglePlan,
    /// By so many threads.
    pub(crate) threads: usize,
}

impl Intervals {
    /// How the value of the whole row is computed, and nothing kept, within a limit of memory.
    pub(crate) fn way_to_value(&self, limit: u64) -> Result<TrianglePlan, SolveError> {
        TrianglePlan::new(&self.gains, Storage::Value, limit).map_err(too_large)
    }

    /// Answers from a triangle of these intervals that lies elsewhere, with the lease for what reading it takes; `None` if it cannot
    /// be read.
    pub(crate) fn stored<'b>(
        &self,
        triangle: StoredTriangle<'static>,
        start: &Position,
        lease: Lease,
        monitor: &Monitor,
    ) -> Option<Found<'b>> {
        let answers = TriangleAnswers::stored(self.game.clone(), triangle, start, self.threads, lease, monitor)?;
        Some(Found { answers: Box::new(answers), report: self.report() })
    }

    /// What is found of a row by its triangle.
    fn report(&self) -> Report {
        let mut report = Report::new(Fact::no("every move takes an item"));
        report.constant_total = constant_total(&self.game, &self.gains);
        report
    }
}

struct PreparedInterval<'b> {
    bound: &'b Bound,
    start: Position,
    intervals: Intervals,
}

impl<'b> Prepared<'b> for PreparedInterval<'b> {
    fn run(&self, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        let (Intervals { game, gains, way, threads }, start) = (&self.intervals, &self.start);
        let answers = TriangleAnswers::new(game.clone(), gains, way, start, *threads, monitor)?;
        let fits = crate::answers::Answers::verdict(&answers, start).is_some();
        if !fits {
            return Err(SolveError::overflow(self.bound, start).into());
        }
        Ok(Found { answers: Box::new(answers), report: self.intervals.report() })
    }

    fn intervals(&self) -> Option<Intervals> {
        Some(self.intervals.clone())
    }
}

/// The move of the rules that takes from an end of a list with so many items left; `None` if that end is closed.
pub(super) fn hand(game: &RowGame, list: usize, end: End, left: u64) -> Option<&Hand> {
    match (&game.lists[list].ends, end) {
        (Ends::Both { last: Some(only), .. }, end) if left == 1 && end != *only => None,
        (Ends::Both { left, .. }, End::Left) => Some(left),
        (Ends::Both { right, .. }, End::Right) | (Ends::Top(right), End::Right) => Some(right),
        (Ends::Top(_), End::Left) => None,
    }
}

/// The place of a move in the order of the rules.
pub(super) fn order_of(game: &RowGame, list: usize, end: End) -> (usize, usize) {
    (game.lists[list].part, hand(game, list, end, 2).map_or(0, |hand| hand.place))
}

/// The move that takes from an end of a list, so much of which is gone, as the rules play it.
pub(super) fn play_at(
    game: &RowGame,
    bound: &Bound,
    interpreter: &mut Interpreter<'_>,
    position: &Position,
    (index, gone): (usize, Gone),
    end: End,
) -> Result<Play, SolveError> {
    let list = &game.lists[index];
    let cells = &position.parts[list.part];
    let wrong = || SolveError::internal(format!("the {end:?} end of list {index} is not a move of the rules"));
    let left = list.length - gone.0 - gone.1;
    let other = if end == End::Left { End::Right } else { End::Left };
    // The last item of a row may be open at the other end only.
    let (hand, end) = match (hand(game, index, end, left), hand(game, index, other, left)) {
        (Some(hand), _) => (hand, end),
        (None, Some(hand)) if left == 1 => (hand, other),
        _ => return Err(wrong()),
    };
    let mut plays = Vec::new();
    let mut keep = |effect: &Effect<'_>| {
        plays.push(play::play_of(bound, effect, list.part));
        Ok(())
    };
    match hand.choices.iter().copied().collect::<Option<Vec<i64>>>() {
        Some(choices) => interpreter.one_move((hand.rule, &choices), cells, position.turn, &mut keep)?,
        None => {
            interpreter.moves(cells, position.turn, &mut keep)?;
        }
    }
    let mut after = cells.clone();
    let gone = if end == End::Left { (gone.0 + 1, gone.1) } else { (gone.0, gone.1 + 1) };
    game.without(index, gone, &mut after);
    plays.into_iter().find(|play| matches!(&play.into[..], [into] if *into == after)).ok_or_else(wrong)
}

/// All positions that play from a start can come to, and others with as much gone.
pub(super) fn all_positions<'a>(game: &'a RowGame, start: &'a Position, turn: Player) -> Positions<'a> {
    let lists = &game.lists;
    let mut gone: Option<Vec<Gone>> = Some(vec![(0, 0); lists.len()]);
    Box::new(std::iter::from_fn(move || {
        let mut next = gone.take()?;
        let position = without(game, start, &next, turn);
        // The next one: the first list that can give another item does, those before it are whole again.
        for (at, list) in lists.iter().enumerate() {
            let (left, right) = next[at];
            if left + right < list.length {
                next[at] = (left, right + 1);
            } else if left < list.length && matches!(list.ends, Ends::Both { .. }) {
                next[at] = (left + 1, 0);
            } else {
                next[at] = (0, 0);
                continue;
            }
            gone = Some(next);
            break;
        }
        Some(position)
    }))
}

/// One of them.
pub(super) fn any_position(
    game: &RowGame,
    start: &Position,
    turn: Player,
    random: &mut dyn FnMut() -> u64,
) -> Position {
    let mut below = |count: u64| ((u128::from(random()) * u128::from(count)) >> 64) as u64;
    let gone = game.lists.iter().map(|list| {
        let all = below(list.length + 1);
        let left = if matches!(list.ends, Ends::Both { .. }) { below(all + 1) } else { 0 };
        (left, all - left)
    });
    without(game, start, &gone.collect::<Vec<_>>(), turn)
}

/// A start without the items that are gone.
fn without(game: &RowGame, start: &Position, gone: &[Gone], turn: Player) -> Position {
    let mut parts = start.parts.clone();
    for (index, gone) in gone.iter().enumerate() {
        game.without(index, *gone, &mut parts[game.lists[index].part]);
    }
    Position { parts, turn }
}
