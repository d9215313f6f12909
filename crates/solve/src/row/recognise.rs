//! From rules to rows: whether a position is lists of numbers of which a move takes one from an open end.
//!
//! Nothing is asked of the spelling. Every action must shift the cells by a fixed step; actions that share cells are the two
//! ends of one list. Then every position is the start plus so many steps of each, and the formulas must depend on these
//! counts as those of a row do: what is gained at an end depends on how many items are gone from that end, both ends read the
//! same items, and whether a move is legal depends on how many are gone in all. A gain that depends on the time alone (a
//! bonus for the last item, say) is the same for whatever is taken, and is added to the value.

use formula::rewrite::Rewrite;
use formula::specialise::Limits;
use formula::{Formulas, Worth};
use rows::triangle::Gains;
use rules::bind::{Bound, Position};

use super::dependence::{Dependences, View};
use super::game::{Extra, RowGame};
use super::reader::Reader;
use super::shape::{MOST_LISTS, shapes};

/// Items in all.
const MOST_ITEMS: u64 = 1 << 32;

/// What was recognised.
pub(crate) enum Recognised {
    /// Rows and stacks.
    Rows(RowGame),
    /// One row whose gains depend on both ends: a sum of what each contributes. The items are not known to the game.
    Interval(RowGame, Gains),
}

/// The rows that rules describe, or why they describe none; a part of a sentence.
pub(crate) fn recognise(bound: &Bound, start: &Position) -> Result<Recognised, String> {
    let limits = Limits { known_choices: 2 * MOST_LISTS, varying_choices: 1, ..Limits::default() };
    let formulas = formula::specialise::specialise_within(bound, limits).map_err(|why| why.to_string())?;
    let sum = bound.program.sum.is_some();
    from_formulas(formulas, &start.parts, sum)
}

fn from_formulas(mut formulas: Formulas, starts: &[Box<[i64]>], sum: bool) -> Result<Recognised, String> {
    if formulas.reads_mover {
        return Err("the rules differ by player".to_string());
    }
    if !formulas.counted || formulas.players != 2 {
        return Err("rows are counted, and for two players".to_string());
    }
    let mover = formulas.arena.mover(2);
    let first = formulas.arena.number(0);
    Rewrite::new(&[(mover, first)]).formulas(&mut formulas);
    let shapes = shapes(&mut formulas)?;
    let mut game = RowGame {
        lists: Vec::new(),
        given: Vec::new(),
        made: Vec::new(),
        extra: Extra::default(),
        paid: (0, 0),
        why: String::new(),
    };
    let alone = shapes.len() == 1 && !sum;
    let mut crossed = None;
    for shape in &shapes {
        let dependences = Dependences::new(&formulas.arena, &shape.steps);
        let view = View::new(&formulas, &dependences, starts.first().map_or(&[][..], |part| part));
        let mut reader = Reader {
            formulas: &formulas,
            dependences: &dependences,
            shape,
            view,
            alone,
            plus: [0; 2],
            crossed: None,
            game: &mut game,
        };
        for (part, start) in starts.iter().enumerate() {
            reader.list(part, start)?;
        }
        crossed = reader.crossed;
    }
    // In the order of the position: by part, then by list within it.
    game.lists.sort_by_key(|list| list.part);
    if !alone {
        game.paid = fixed_end(&formulas)?;
    }
    if game.items() > MOST_ITEMS {
        return Err("there are too many items".to_string());
    }
    if let Some(gains) = crossed {
        return Ok(Recognised::Interval(game, gains));
    }
    game.given = formulas.lists;
    game.why = game.told();
    Ok(Recognised::Rows(game))
}

/// What is paid where nobody can move, in a game of several lists.
fn fixed_end(formulas: &Formulas) -> Result<(i64, i64), String> {
    let arena = &formulas.arena;
    if formulas.ends.iter().any(|end| arena.known(end.when) != Some(0) || arena.known(end.fault) != Some(0)) {
        return Err("an `end` rule may end the game".to_string());
    }
    if arena.known(formulas.stuck.fault) != Some(0) {
        return Err("what is paid at the end may be a fault".to_string());
    }
    let Worth::Gains(gains) = &formulas.stuck.result else { return Err("the end is not counted".to_string()) };
    let pay = |player: usize| gains.get(player).map_or(Some(0), |node| arena.known(*node));
    pay(0).zip(pay(1)).ok_or_else(|| "what is paid at the end depends on the play".to_string())
}
