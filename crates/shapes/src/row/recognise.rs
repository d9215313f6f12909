//! From rules to rows: whether a position is lists of numbers of which a move takes one from an open end.
//!
//! Nothing is asked of the spelling. Every action must shift the cells by a fixed step; actions that share cells are the two
//! ends of one list. Then every position is the start plus so many steps of each, and the formulas must depend on these
//! counts as those of a row do: what is gained at an end depends on how many items are gone from that end, both ends read the
//! same items, and whether a move is legal depends on how many are gone in all. A gain that depends on the time alone (a
//! bonus for the last item, say) is the same for whatever is taken, and is added to the value. Where a move also gives
//! something to the other player, the own gain less that one counts.

use std::sync::Arc;

use formula::eval::{Evaluator, Point};
use formula::rewrite::Rewrite;
use formula::{Arena, Case, EndResult, Formulas, Node, Op};
use rows::triangle::Gains;

use super::dependence::{Dependences, View};
use super::game::{Ends, Extra, RowGame};
use super::reader::Reader;
use super::shape::shapes;

/// Items in all.
const MOST_ITEMS: u64 = 1 << 32;

/// What was recognised.
pub enum Row {
    /// Rows and stacks.
    Rows(RowGame),
    /// One row whose gains depend on both ends: a sum of what each contributes. The items are not known to the game.
    Interval(RowGame, Gains),
}

/// The rows that formulas describe, from these parts of the start on; or why they describe none.
pub fn recognise(mut formulas: Formulas, starts: &[Box<[i64]>], sum: bool) -> Result<Row, String> {
    if formulas.reads_mover {
        return Err("the rules differ by player".to_string());
    }
    if !formulas.counted || formulas.players != 2 {
        return Err("it is only for games with scores, and for two players".to_string());
    }
    let mover = formulas.arena.mover(2);
    let first = formulas.arena.number(0);
    Rewrite::new(&[(mover, first)]).formulas(&mut formulas);
    for end in 0..formulas.ends.len() {
        formulas.ends[end].when = spread(&mut formulas.arena, formulas.ends[end].when);
    }
    for action in 0..formulas.actions.len() {
        formulas.actions[action].guard = spread(&mut formulas.arena, formulas.actions[action].guard);
    }
    let shapes = shapes(&mut formulas)?;
    let mut game = RowGame {
        lists: Vec::new(),
        given: Arc::default(),
        made: Vec::new(),
        extra: Extra::default(),
        paid: (0, 0),
        fixed: Vec::new(),
        gives: shapes.iter().flat_map(|shape| &shape.ends).any(|end| end.gives),
        why: String::new(),
    };
    let is_whole = shapes.len() == 1 && !sum;
    let mut crossed = None;
    let mut endings: Vec<Ending> = if is_whole { Vec::new() } else { endings(&formulas)? };
    for shape in &shapes {
        let dependences = Dependences::new(&formulas.arena, &shape.steps);
        let view = View::new(&formulas, &dependences, starts.first().map_or(&[][..], |part| part));
        let mut reader = Reader {
            formulas: &formulas,
            dependences: &dependences,
            shape,
            view,
            is_whole,
            plus: [0; 2],
            crossed: None,
            game: &mut game,
        };
        for (part, start) in starts.iter().enumerate() {
            reader.list(part, start)?;
            for ending in &mut endings {
                reader.waits(&mut ending.asked)?;
            }
        }
        crossed = reader.crossed;
    }
    // In the order of the position: by part, then by list within it.
    game.lists.sort_by_key(|list| list.part);
    game.fix(starts);
    if !is_whole {
        game.paid = fixed_end(&formulas, &endings, &game, starts)?;
    }
    if game.items() > MOST_ITEMS {
        return Err("there are too many items".to_string());
    }
    if let Some(gains) = crossed {
        return Ok(Row::Interval(game, gains));
    }
    game.given = formulas.lists;
    game.why = game.description();
    Ok(Row::Rows(game))
}

/// A truth value with all that must hold side by side: not (a or b) is (not a) and (not b).
fn spread(arena: &mut Arena, node: Node) -> Node {
    let (mut wanted, mut parts) = (vec![node], Vec::new());
    while let Some(node) = wanted.pop() {
        let is_truth = |node: Node| arena.range(node).is_truth();
        match *arena.op(node) {
            Op::And(a, b) if is_truth(node) => wanted.extend([b, a]),
            Op::Not(inner)
                if is_truth(inner)
                    && let Op::Or(a, b) = *arena.op(inner) =>
            {
                wanted.extend([arena.not(b), arena.not(a)]);
            }
            _ => parts.push(node),
        }
    }
    let all = arena.number(1);
    parts.into_iter().fold(all, |all, part| arena.and(all, part))
}

/// An `end` rule of a game of several lists.
struct Ending<'f> {
    case: &'f Case,
    /// Its conditions, and whether each is about how many items of one list are gone.
    asked: Vec<(Node, bool)>,
}

/// The `end` rules that may hold.
fn endings(formulas: &Formulas) -> Result<Vec<Ending<'_>>, String> {
    let arena = &formulas.arena;
    let mut endings = Vec::new();
    for case in &formulas.ends {
        if arena.known(case.fault) != Some(0) {
            return Err("an `end` rule may be a fault".to_string());
        }
        if arena.known(case.when) != Some(0) {
            let asked = arena.conjuncts(case.when).into_iter().map(|part| (part, false)).collect();
            endings.push(Ending { case, asked });
        }
    }
    Ok(endings)
}

/// What is paid where nobody can move, in a game of several lists. The `end` rules wait until all items are gone.
fn fixed_end(
    formulas: &Formulas,
    endings: &[Ending<'_>],
    game: &RowGame,
    starts: &[Box<[i64]>],
) -> Result<(i64, i64), String> {
    let arena = &formulas.arena;
    if endings.iter().any(|ending| ending.asked.iter().any(|(_, counted)| !counted)) {
        return Err("an `end` rule asks for more than how many items are gone".to_string());
    }
    let mut case = &formulas.stuck;
    if let (false, [start]) = (endings.is_empty(), starts) {
        let mut cells = start.clone();
        for (index, list) in game.lists.iter().enumerate() {
            let gone = if matches!(list.ends, Ends::Top(_)) { (0, list.length) } else { (list.length, 0) };
            game.without(index, gone, &mut cells);
        }
        let mut evaluator = Evaluator::new(formulas);
        let mut holds = |when: Node| evaluator.value(when, &Point { cells: &cells, mover: 0, choices: &[] }) != 0;
        case = endings.iter().map(|ending| ending.case).find(|case| holds(case.when)).unwrap_or(case);
    }
    if arena.known(case.fault) != Some(0) {
        return Err("what is paid at the end may be a fault".to_string());
    }
    let EndResult::Gains(gains) = &case.result else { return Err("the end is not counted".to_string()) };
    let pay = |player: usize| gains.get(player).map_or(Some(0), |node| arena.known(*node));
    pay(0).zip(pay(1)).ok_or_else(|| "what is paid at the end depends on the play".to_string())
}
