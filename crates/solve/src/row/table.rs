//! Answers for positions of rows and stacks: no table, but each answer in the time of reading what is left.

use game::Player;
use rows::taking::{self, End, FirstMove, Stopped};
use rules::bind::{Bound, Position};
use rules::interpreter::Interpreter;

use super::game::{Ends, Gone, RowGame};
use crate::error::SolveError;
use crate::memory::Lease;
use crate::monitor::Monitor;
use crate::play::Play;
use crate::solver::overflow;
use crate::verdict::{Verdict, Worth};

/// What an item of a sum may take while values, or a line of play, are worked out.
const BYTES_AN_ITEM: u64 = 120;
/// The same for a single row.
const BYTES_AN_ITEM_OF_ONE: u64 = 24;

/// A game of rows and stacks, with the answer for its start.
#[derive(Debug)]
pub(crate) struct RowTable {
    pub game: RowGame,
    /// Whether totals are counted, not the difference alone.
    payoffs: bool,
    start: Position,
    /// The difference and the total of the items of the start.
    worth: (i128, i128),
    /// The best first moves, as far as they are listed.
    best: Vec<taking::Take>,
    more: bool,
    /// Charges what the numbers take for as long as they live.
    _lease: Lease,
}

/// A move and what it is worth to the mover.
pub(crate) type Rated = (Play, Worth);

impl RowTable {
    /// Values the start; lists at most `most` best moves of it.
    pub fn new(
        game: RowGame,
        start: &Position,
        payoffs: bool,
        most: usize,
        monitor: &mut Monitor,
    ) -> Result<RowTable, SolveError> {
        let items = game.items();
        let mut lease = monitor.memory().lease();
        lease.grow(game.bytes())?;
        let one = matches!(&game.lists[..], [list] if matches!(list.ends, Ends::Both { .. }));
        let work = items.saturating_mul(if one { BYTES_AN_ITEM_OF_ONE } else { BYTES_AN_ITEM });
        monitor.memory().lease().grow(work)?;
        monitor.enter_expecting("taking", items);
        let mut table = RowTable {
            game,
            payoffs,
            start: start.clone(),
            worth: (0, 0),
            best: Vec::new(),
            more: false,
            _lease: lease,
        };
        let (gone, lists) = table.rests(start).ok_or_else(lost)?;
        let mut stopped = None;
        let mut keep_going = |monitor: &mut Monitor| match monitor.tick(items, items) {
            Ok(()) => true,
            Err(error) => {
                stopped = Some(error);
                false
            }
        };
        let (mut best, mut worth, mut more) = (Vec::new(), None, false);
        let found = taking::first_moves(&lists, &mut || keep_going(monitor), &mut |mv: FirstMove| {
            if worth.is_none_or(|worth| mv.worth() > worth) {
                worth = Some(mv.worth());
                best.clear();
                more = false;
            }
            if worth == Some(mv.worth()) && table.is_open(&lists, mv.take) {
                match best.len() < most {
                    true => best.push(mv.take),
                    false => more = true,
                }
            }
        });
        let value = found.map_err(|Stopped| stopped.unwrap_or(SolveError::Internal("a row stopped".to_string())))?;
        let total = total(&lists);
        drop((lists, gone));
        (table.worth, table.best, table.more) = ((value, total), best, more);
        Ok(table)
    }

    /// The value of the start does not fit in 64 bits, or a total does not.
    pub fn check(&self, bound: &Bound) -> Result<(), SolveError> {
        let fits = self.verdict(&self.start).is_some() && self.totals(&self.start).is_some();
        if fits { Ok(()) } else { Err(overflow(bound, &self.start)) }
    }

    /// How many positions it answers for.
    pub fn size(&self) -> u64 {
        let count = |list: &super::game::List| match list.ends {
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

    /// The value of a position; `None` if it is none of this game.
    pub fn value(&self, position: &Position) -> Option<i128> {
        self.worth(position).map(|worth| worth.0)
    }

    fn beside(&self, gone: &[Gone]) -> (i128, i128) {
        self.game.beside(gone.iter().map(|gone| gone.0 + gone.1).sum())
    }

    /// What is known of a position; `None` if it is none of this game, or if a number does not fit.
    pub fn verdict(&self, position: &Position) -> Option<Verdict> {
        let (value, total) = self.worth(position)?;
        if !self.payoffs {
            return i64::try_from(value).ok().map(Verdict::Score);
        }
        Some(Verdict::Payoffs { totals: shared(position.turn, value, total)?, unique: Some(true) })
    }

    /// What each player gets from a position on.
    pub fn totals(&self, position: &Position) -> Option<Box<[i64]>> {
        let (value, total) = self.worth(position)?;
        shared(position.turn, value, total)
    }

    /// Every legal move with its worth, in order.
    pub fn moves(&self, bound: &Bound, position: &Position) -> Result<Vec<Rated>, SolveError> {
        let (gone, lists) = self.rests(position).ok_or_else(lost)?;
        let (beside, more) = self.beside(&gone);
        let total = more + total(&lists);
        let mut found = Vec::new();
        taking::first_moves(&lists, &mut || true, &mut |mv| found.push(mv)).map_err(|Stopped| lost())?;
        found.retain(|mv| self.is_open(&lists, mv.take));
        found.sort_by_key(|mv| self.game.place(mv.take.list, mv.take.end));
        let mut interpreter = Interpreter::new(bound);
        let mut rated = Vec::with_capacity(found.len());
        for mv in found {
            let play =
                self.game.play(bound, &mut interpreter, position, (mv.take.list, gone[mv.take.list]), mv.take.end)?;
            let worth = mv.worth() + beside;
            let worth = match self.payoffs {
                true => shared(position.turn, worth, total).map(Worth::Payoffs),
                false => i64::try_from(worth).ok().map(Worth::Score),
            };
            rated.push((play, worth.ok_or_else(|| overflow(bound, position))?));
        }
        Ok(rated)
    }

    /// At most `most` best moves in order, and whether there are more.
    pub fn best(&self, bound: &Bound, position: &Position, most: usize) -> Result<(Vec<Play>, bool), SolveError> {
        let (gone, lists) = self.rests(position).ok_or_else(lost)?;
        let (mut takes, more) = match *position == self.start && (self.best.len() >= most || !self.more) {
            true => (self.best.clone(), self.more),
            false => {
                let best = taking::best_moves(&lists, &mut || true).map_err(|Stopped| lost())?;
                let legal = best.moves.into_iter().filter(|take| self.is_open(&lists, *take));
                (legal.collect(), false)
            }
        };
        takes.sort_by_key(|take| self.game.place(take.list, take.end));
        let more = more || takes.len() > most;
        takes.truncate(most);
        let mut interpreter = Interpreter::new(bound);
        let play = |take: taking::Take| {
            self.game.play(bound, &mut interpreter, position, (take.list, gone[take.list]), take.end)
        };
        Ok((takes.into_iter().map(play).collect::<Result<_, _>>()?, more))
    }

    /// A line of best play from the start: its moves, until one is not wanted; tells whether it goes on.
    pub fn line(
        &self,
        bound: &Bound,
        visit: &mut dyn FnMut(Play) -> Result<bool, SolveError>,
    ) -> Result<bool, SolveError> {
        let mut position = self.start.clone();
        let (mut gone, lists) = self.rests(&position).ok_or_else(lost)?;
        let line = taking::line(&lists, &mut || true).map_err(|Stopped| lost())?;
        let mut interpreter = Interpreter::new(bound);
        for take in line {
            let play = self.game.play(bound, &mut interpreter, &position, (take.list, gone[take.list]), take.end)?;
            play.apply(&mut position);
            match take.end {
                End::Left => gone[take.list].0 += 1,
                End::Right => gone[take.list].1 += 1,
            }
            if !visit(play)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the rules let a player take an item at this end.
    fn is_open(&self, lists: &[taking::List<'_>], take: taking::Take) -> bool {
        self.game.hand(take.list, take.end, lists[take.list].items.len() as u64).is_some()
    }

    /// Every position, in no particular order.
    pub fn each(&self, turn: Player) -> impl Iterator<Item = Position> + '_ {
        let lists = &self.game.lists;
        let mut gone: Option<Vec<Gone>> = Some(vec![(0, 0); lists.len()]);
        std::iter::from_fn(move || {
            let now = gone.clone()?;
            let position = self.position(&now, turn);
            // The next one: the first list that can give another item does, those before it are whole again.
            let mut next = now;
            let mut at = 0;
            loop {
                let Some(list) = lists.get(at) else {
                    gone = None;
                    break;
                };
                let (left, right) = next[at];
                if left + right < list.length {
                    next[at] = (left, right + 1);
                } else if left < list.length && matches!(list.ends, Ends::Both { .. }) {
                    next[at] = (left + 1, 0);
                } else {
                    next[at] = (0, 0);
                    at += 1;
                    continue;
                }
                gone = Some(next);
                break;
            }
            Some(position)
        })
    }

    /// A position chosen by a source of random numbers.
    pub fn random(&self, turn: Player, random: &mut dyn FnMut() -> u64) -> Position {
        let mut below = |count: u64| ((u128::from(random()) * u128::from(count)) >> 64) as u64;
        let gone = self.game.lists.iter().map(|list| {
            let all = below(list.length + 1);
            let left = if matches!(list.ends, Ends::Both { .. }) { below(all + 1) } else { 0 };
            (left, all - left)
        });
        self.position(&gone.collect::<Vec<_>>(), turn)
    }

    fn position(&self, gone: &[Gone], turn: Player) -> Position {
        let mut parts = self.start.parts.clone();
        for (index, gone) in gone.iter().enumerate() {
            self.game.without(index, *gone, &mut parts[self.game.lists[index].part]);
        }
        Position { parts, turn }
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
pub(super) fn lost() -> SolveError {
    SolveError::Internal("a position is not one of these rows".to_string())
}
