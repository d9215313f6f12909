//! Rows and stacks by the theorem of [`rows::taking`]: no table, but each answer in the time of reading what is left.

use std::collections::BTreeMap;
use std::rc::Rc;

use engine::memory::Lease;
use engine::monitor::Monitor;
use game::{Player, Verdict};
use rows::taking::{self, End, FirstMove, Stopped};
use rules::bind::{Bound, Position};
use rules::interpreter::Interpreter;
use rules::play::Play;
use shapes::row::{Ends, Gone, List, RowGame};

use super::{all_positions, any_position, hand, order_of, play_at};
use crate::answers::{Answers, BestMoves, Effort, Next, Positions, Proof, RatedMove, TableWalker, Walker, marked};
use crate::error::SolveError;

/// What an item of several lists takes to read, compared with one of a single row: it is sorted too.
const SORTED: u64 = 40;
/// What an item of a sum may take while values, or a line of play, are worked out.
const BYTES_AN_ITEM: u64 = 120;
/// What an item of a single row may take.
const BYTES_AN_ITEM_OF_ONE: u64 = 24;

/// A game of rows and stacks, with the answer for its start.
#[derive(Debug)]
pub(super) struct RowAnswers {
    pub game: Rc<RowGame>,
    /// Whether totals are counted, not the difference alone.
    payoffs: bool,
    start: Position,
    /// The difference and the total of the items of the start.
    worth: (i128, i128),
    /// The first of the best first moves, in the order of the rules.
    best: Vec<taking::Take>,
    more: bool,
    /// Charges what the numbers take for as long as they live.
    _lease: Lease,
}

impl RowAnswers {
    /// Values the start; lists at most `most` best moves of it.
    pub fn new(
        game: Rc<RowGame>,
        start: &Position,
        payoffs: bool,
        most: usize,
        monitor: &mut Monitor,
    ) -> Result<RowAnswers, SolveError> {
        let items = game.items();
        let mut lease = monitor.memory().lease();
        lease.grow(game.bytes())?;
        let one = matches!(&game.lists[..], [list] if matches!(list.ends, Ends::Both { .. }));
        let work = items.saturating_mul(if one { BYTES_AN_ITEM_OF_ONE } else { BYTES_AN_ITEM });
        let mut working = monitor.memory().lease();
        working.grow(work)?;
        monitor.enter_expecting("taking", items);
        let mut table = RowAnswers {
            game,
            payoffs,
            start: start.clone(),
            worth: (0, 0),
            best: Vec::new(),
            more: false,
            _lease: lease,
        };
        let (gone, lists) = table.rests(start).ok_or_else(foreign_position)?;
        let mut stopped = None;
        let mut keep_going = |monitor: &mut Monitor| match monitor.tick(items, items) {
            Ok(()) => true,
            Err(error) => {
                stopped = Some(error.into());
                false
            }
        };
        // By their place in the order of the rules: of more best moves than are listed, the first are kept.
        let (mut best, mut worth, mut more) = (BTreeMap::new(), None, false);
        let found = taking::first_moves(&lists, &mut || keep_going(monitor), &mut |mv: FirstMove| {
            if worth.is_none_or(|worth| mv.worth() > worth) {
                worth = Some(mv.worth());
                best.clear();
                more = false;
            }
            if worth == Some(mv.worth()) && table.is_open(&lists, mv.take) {
                let place = order_of(&table.game, mv.take.list, mv.take.end);
                best.insert((place, mv.take.list, mv.take.end == End::Right), mv.take);
                if best.len() > most {
                    best.pop_last();
                    more = true;
                }
            }
        });
        let value = found.map_err(|Stopped| stopped.unwrap_or(SolveError::internal("a row stopped")))?;
        let total = total(&lists);
        drop((lists, gone, working));
        (table.worth, table.best, table.more) = ((value, total), best.into_values().collect(), more);
        Ok(table)
    }

    /// The value of the start does not fit in 64 bits, or a total does not.
    pub fn check(&self, bound: &Bound) -> Result<(), SolveError> {
        let totals = self.game.gives || self.totals_from(&self.start).is_some();
        let fits = self.verdict_on(&self.start).is_some() && totals;
        if fits { Ok(()) } else { Err(SolveError::overflow(bound, &self.start)) }
    }

    /// How many positions it answers for.
    fn sizes(&self) -> u64 {
        let count = |list: &List| match list.ends {
            Ends::Both { .. } => (u128::from(list.length) + 1) * (u128::from(list.length) + 2) / 2,
            Ends::Top(_) => u128::from(list.length) + 1,
        };
        let all = self.game.lists.iter().fold(1u128, |all, list| all.saturating_mul(count(list)));
        u64::try_from(all).unwrap_or(u64::MAX)
    }

    /// What is left of all lists, if the position is one of this game.
    fn rests(&self, position: &Position) -> Option<(Vec<Gone>, Vec<taking::List<'_>>)> {
        let mut gone = Vec::with_capacity(self.game.lists.len());
        let mut lists = Vec::with_capacity(self.game.lists.len());
        for (index, list) in self.game.lists.iter().enumerate() {
            gone.push(self.game.gone(index, position.parts.get(list.part)?)?);
            lists.push(self.game.rest(index, gone[index])?);
        }
        Some((gone, lists))
    }

    /// The difference that the player to move can reach, and the total of all that is still to be gained.
    fn worth(&self, position: &Position) -> Option<(i128, i128)> {
        let (gone, lists) = self.rests(position)?;
        let (value, total) = match *position == self.start {
            true => self.worth,
            false => (taking::sum_value(&lists, &mut || true).ok()?, total(&lists)),
        };
        let (beside, more) = self.beside(&gone);
        Some((value.checked_add(beside)?, total.checked_add(more)?))
    }

    fn beside(&self, gone: &[Gone]) -> (i128, i128) {
        self.game.beside(gone.iter().map(|gone| gone.0 + gone.1).sum())
    }

    fn verdict_on(&self, position: &Position) -> Option<Verdict> {
        let (value, total) = self.worth(position)?;
        if !self.payoffs {
            return i64::try_from(value).ok().map(Verdict::Score);
        }
        Some(Verdict::Payoffs { totals: shared(position.turn, value, total)?, unique: Some(true) })
    }

    /// What each player gets from a position on.
    fn totals_from(&self, position: &Position) -> Option<Box<[i64]>> {
        let (value, total) = self.worth(position)?;
        shared(position.turn, value, total)
    }

    /// Every legal move with its worth, in order.
    fn all_moves(&self, bound: &Bound, position: &Position) -> Result<Vec<RatedMove>, SolveError> {
        let (gone, lists) = self.rests(position).ok_or_else(foreign_position)?;
        let (beside, more) = self.beside(&gone);
        let total = more + total(&lists);
        let mut found = Vec::new();
        taking::first_moves(&lists, &mut || true, &mut |mv| found.push(mv)).map_err(|Stopped| foreign_position())?;
        found.retain(|mv| self.is_open(&lists, mv.take));
        found.sort_by_key(|mv| order_of(&self.game, mv.take.list, mv.take.end));
        let mut interpreter = Interpreter::new(bound);
        let mut rated = Vec::with_capacity(found.len());
        for mv in found {
            let play = play_at(
                &self.game,
                bound,
                &mut interpreter,
                position,
                (mv.take.list, gone[mv.take.list]),
                mv.take.end,
            )?;
            let worth = mv.worth() + beside;
            let worth = match self.payoffs {
                true => shared(position.turn, worth, total).map(|totals| Verdict::Payoffs { totals, unique: None }),
                false => i64::try_from(worth).ok().map(Verdict::Score),
            };
            rated.push(RatedMove::worth(play, worth.ok_or_else(|| SolveError::overflow(bound, position))?));
        }
        Ok(rated)
    }

    /// At most `most` best moves in order, and whether there are more.
    fn some_best(&self, bound: &Bound, position: &Position, most: usize) -> Result<(Vec<Play>, bool), SolveError> {
        let (gone, lists) = self.rests(position).ok_or_else(foreign_position)?;
        let (mut takes, more) = match *position == self.start && (self.best.len() >= most || !self.more) {
            true => (self.best.clone(), self.more),
            false => {
                let best = taking::best_moves(&lists, &mut || true).map_err(|Stopped| foreign_position())?;
                let legal = best.moves.into_iter().filter(|take| self.is_open(&lists, *take));
                (legal.collect(), false)
            }
        };
        takes.sort_by_key(|take| order_of(&self.game, take.list, take.end));
        let more = more || takes.len() > most;
        takes.truncate(most);
        let mut interpreter = Interpreter::new(bound);
        let play = |take: taking::Take| {
            play_at(&self.game, bound, &mut interpreter, position, (take.list, gone[take.list]), take.end)
        };
        Ok((takes.into_iter().map(play).collect::<Result<_, _>>()?, more))
    }

    /// A line of best play from the start.
    fn line(&self) -> Result<taking::Line<'_>, SolveError> {
        let (_, lists) = self.rests(&self.start).ok_or_else(foreign_position)?;
        taking::line(&lists, &mut || true).map_err(|Stopped| foreign_position())
    }

    /// Whether the rules let a player take an item at this end.
    fn is_open(&self, lists: &[taking::List<'_>], take: taking::Take) -> bool {
        hand(&self.game, take.list, take.end, lists[take.list].items.len() as u64).is_some()
    }
}

/// Rows are valued by a theorem, without a table: each answer takes the time of reading what is left.
impl Answers for RowAnswers {
    fn verdict(&self, position: &Position) -> Option<Verdict> {
        self.verdict_on(position)
    }

    fn positions(&self) -> u64 {
        self.game.items()
    }

    fn size(&self) -> u64 {
        self.sizes()
    }

    fn knows_parts_by_place(&self) -> bool {
        true
    }

    fn proof(&self, _: &Position) -> Proof {
        Proof::Theorem(taking::THEOREM.to_string())
    }

    fn lead(&self, position: &Position) -> Option<i128> {
        self.worth(position).map(|worth| worth.0)
    }

    fn totals(&self, game: &Bound) -> Result<Option<Box<[i64]>>, SolveError> {
        if self.game.gives {
            return Ok(None);
        }
        self.totals_from(&self.start).map(Some).ok_or_else(|| SolveError::overflow(game, &self.start))
    }

    fn moves(&self, game: &Bound, position: &Position) -> Result<Vec<RatedMove>, SolveError> {
        Ok(marked(self.all_moves(game, position)?, position, None))
    }

    fn best(&self, game: &Bound, position: &Position, most: usize) -> Result<BestMoves, SolveError> {
        let (best, cut) = self.some_best(game, position, most)?;
        Ok(BestMoves { best, fast: Vec::new(), cut })
    }

    fn effort(&self, position: &Position) -> Effort {
        let lists = self.game.lists.len() as u64;
        let left: u64 =
            self.rests(position).map_or(0, |(_, rests)| rests.iter().map(|rest| rest.items.len() as u64).sum());
        Effort { moves: 2 * lists, numbers: left.saturating_mul(if lists == 1 { 1 } else { SORTED }) }
    }

    fn each(&self, turn: Player) -> Positions<'_> {
        all_positions(&self.game, &self.start, turn)
    }

    fn random(&self, turn: Player, random: &mut dyn FnMut() -> u64) -> Option<Position> {
        Some(any_position(&self.game, &self.start, turn, random))
    }

    /// The whole line from the start is known beforehand.
    fn walker<'a>(&'a self, game: &'a Bound, from: &Position) -> Result<Box<dyn Walker + 'a>, SolveError> {
        if *from != self.start {
            return Ok(Box::new(TableWalker::new(self, game)));
        }
        let line = self.line()?;
        let gone = self.rests(&self.start).ok_or_else(foreign_position)?.0;
        Ok(Box::new(RowWalker { answers: self, game, interpreter: Interpreter::new(game), line, gone }))
    }
}

struct RowWalker<'a> {
    answers: &'a RowAnswers,
    game: &'a Bound,
    interpreter: Interpreter<'a>,
    line: taking::Line<'a>,
    gone: Vec<Gone>,
}

impl Walker for RowWalker<'_> {
    fn next(&mut self, position: &Position) -> Result<Next, SolveError> {
        let Some(taking::Take { list, end, .. }) = self.line.next() else { return Ok(Next::Over) };
        let game = &self.answers.game;
        let play = play_at(game, self.game, &mut self.interpreter, position, (list, self.gone[list]), end)?;
        match end {
            End::Left => self.gone[list].0 += 1,
            End::Right => self.gone[list].1 += 1,
        }
        Ok(Next::Move { play, far: false })
    }
}

/// The total of all items.
fn total(lists: &[taking::List<'_>]) -> i128 {
    lists.iter().flat_map(|list| list.items).map(|item| i128::from(*item)).sum()
}

/// Totals of the two players, from the difference for the player to move.
pub(super) fn shared(turn: Player, value: i128, total: i128) -> Option<Box<[i64]>> {
    let own = i64::try_from((total + value) / 2).ok()?;
    let other = i64::try_from((total - value) / 2).ok()?;
    Some(if turn == Player::FIRST { Box::new([own, other]) } else { Box::new([other, own]) })
}

/// The error for a position of another game.
pub(super) fn foreign_position() -> SolveError {
    SolveError::internal("a position is not one of these rows")
}
