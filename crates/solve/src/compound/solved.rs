//! A solved sum: what the values of its summands mean together.

use engine::loopy::Rests;
use engine::monitor::Monitor;
use game::{LoopyNimber, Outcome, OutcomeClass, Verdict};
use rules::bind::{Bound, Position};
use rules::play::Play;

use super::rounds::{MOST_ROUNDS, Rounds};
use super::theory::Theory;
use super::whole::Whole;
use super::{Compound, SUM, SumError, SumPosition, Summand};
use crate::answer::MOST_MOVES;
use crate::answer::listed::{self, ListedMoves, MOST_LISTED};
use crate::answer::solution::SummandValue;
use crate::answers::RatedMove;
use crate::case::Facts;
use crate::error::SolveError;
use crate::numbers::grouped;
use crate::options::{MethodName, Options};
use crate::solved::{Solved, solve};
use crate::value_text::ValueText;

/// In a drawn sum, how many moves of a summand of large heaps are tried.
const FEW_TRIED: usize = 4096;

/// A solved sum: every position that can be reached from the start has a value.
pub struct SolvedSum<'b> {
    /// The sum.
    pub compound: Compound<'b>,
    /// The different games, solved.
    pub(super) games: Vec<Game<'b>>,
    /// Which of them each summand is.
    pub(super) which: Vec<usize>,
    /// The canonical forms, where not all summands are impartial.
    pub(super) theory: Option<Theory<'b>>,
    /// All positions of the sum, where a summand has no value of its own.
    pub(super) whole: Option<Whole>,
}

/// One of the different games of a sum.
pub(super) enum Game<'b> {
    /// An impartial one.
    Solved(Box<Solved<'b>>),
    /// One whose positions have canonical forms.
    Valued {
        /// The game.
        bound: &'b Bound,
        /// What its method is called.
        method: MethodName,
        /// How many parts were valued.
        positions: u64,
    },
}

impl<'b> Game<'b> {
    pub fn bound(&self) -> &'b Bound {
        match self {
            Game::Solved(solved) => solved.bound,
            Game::Valued { bound, .. } => bound,
        }
    }

    fn positions(&self) -> u64 {
        match self {
            Game::Solved(solved) => solved.positions(),
            Game::Valued { positions, .. } => *positions,
        }
    }
}

/// Who wins a sum whoever starts, and its canonical form, each where it is known.
pub type ClassAndForm = (Option<OutcomeClass>, Option<ValueText>);

/// Why a game cannot be a summand; `None` if it can, unless its solve finds that it has no value after all.
pub fn unfit(bound: &Bound) -> Option<String> {
    let facts = match Facts::new(bound) {
        Ok(facts) => facts,
        Err(error) => return Some(error.to_string()),
    };
    (!facts.last_mover.holds).then(|| format!("the last mover does not always win: {}", facts.last_mover.why))
}

/// Solves one game so that its positions have nimbers, or loopy ones where they repeat.
pub(super) fn solve_summand<'b>(
    bound: &'b Bound,
    options: &Options,
    monitor: &mut Monitor,
) -> Result<Solved<'b>, SolveError> {
    let solved = solve(bound, &bound.start, &Options { summand: true, ..options.clone() }, monitor)?;
    if value_of(&solved, &bound.start).is_some() {
        return Ok(solved);
    }
    let method = solved.plan.method();
    let why = format!("the method `{method}` does not apply: it gives no nimbers, and a sum needs them");
    Err(SolveError::NotApplicable(why))
}

/// The value of a position of one game.
fn value_of(solved: &Solved<'_>, position: &Position) -> Option<LoopyNimber> {
    solved.verdict(position)?.loopy()
}

impl<'b> SolvedSum<'b> {
    /// The rules of a summand.
    pub fn bound(&self, summand: usize) -> &'b Bound {
        self.games[self.which[summand]].bound()
    }

    /// The game of a summand, solved, where it is impartial.
    pub fn game(&self, summand: usize) -> Option<&Solved<'b>> {
        match &self.games[self.which[summand]] {
            Game::Solved(solved) => Some(solved),
            Game::Valued { .. } => None,
        }
    }

    /// What a summand was solved by, and how many positions of it were met.
    pub fn taken(&self, summand: usize) -> (MethodName, u64) {
        let game = &self.games[self.which[summand]];
        let method = match game {
            Game::Solved(solved) => solved.plan.method(),
            Game::Valued { method, .. } => *method,
        };
        (method, game.positions())
    }

    /// How many different games there are.
    pub fn different(&self) -> usize {
        self.games.len()
    }

    /// The impartial ones among the different games of the summands, each with the first summand that is this game.
    pub(super) fn impartial(&self) -> impl Iterator<Item = (usize, &Solved<'b>)> {
        let solved = self.games.iter().enumerate().filter_map(|(index, game)| match game {
            Game::Solved(solved) => Some((index, &**solved)),
            Game::Valued { .. } => None,
        });
        solved.map(|(index, game)| (self.which.iter().position(|&which| which == index).unwrap_or(0), game))
    }

    /// The game of a summand, which must be impartial.
    pub(super) fn solved(&self, summand: usize) -> Result<&Solved<'b>, SumError> {
        let missing = || SumError { summand, error: SolveError::internal("a summand has no nimber") };
        self.game(summand).ok_or_else(missing)
    }

    /// Whether positions of a summand can repeat, so that its values are loopy nimbers.
    pub fn is_loopy(&self, summand: usize) -> bool {
        self.game(summand).is_some_and(|game| game.answers.by_parts() && game.report.repeats())
    }

    /// How many positions were met, in all games together.
    pub fn positions(&self) -> u64 {
        let games = || self.games.iter().fold(0, |sum: u64, game| sum.saturating_add(game.positions()));
        self.whole.as_ref().map_or_else(games, |whole| whole.rounds.positions())
    }

    /// The nimber of one summand, which is impartial, in a position of it.
    pub(super) fn nimber_of(&self, summand: usize, position: &Position) -> Result<LoopyNimber, SumError> {
        let value = value_of(self.solved(summand)?, position);
        value.ok_or_else(|| SumError { summand, error: SolveError::internal("a summand has no nimber") })
    }

    /// The nimbers of the summands, all of which are impartial.
    pub(super) fn nimbers(&self, position: &SumPosition) -> Result<Vec<LoopyNimber>, SumError> {
        let summands = position.summands.iter().enumerate();
        summands.map(|(summand, position)| self.nimber_of(summand, position)).collect()
    }

    /// What the summands are worth: by nimbers if all are impartial, else by canonical forms.
    pub fn values(&self, position: &SumPosition) -> Result<Vec<SummandValue>, SumError> {
        if self.whole.is_some() {
            return Ok(position.summands.iter().map(|_| SummandValue::Unvalued).collect());
        }
        let Some(theory) = &self.theory else {
            return Ok(self.nimbers(position)?.into_iter().map(SummandValue::Nimber).collect());
        };
        let forms = self.standing(theory, position)?.summands;
        forms.iter().map(|form| self.text_of(theory, form).map(SummandValue::Form)).collect()
    }

    /// The canonical form of the whole and who wins whoever starts, where not all summands are impartial. The form is absent
    /// where it may be far too large, the class where a summand has loops.
    pub fn form(&self, position: &SumPosition) -> Result<Option<ClassAndForm>, SumError> {
        if self.whole.is_some() {
            return Ok(Some((None, None)));
        }
        let Some(theory) = &self.theory else { return Ok(None) };
        let standing = self.standing(theory, position)?;
        let form = standing.total.map(|total| self.text_of(theory, &total)).transpose()?;
        Ok(Some((standing.class, form)))
    }

    /// Whether this position can be reached from the start, so that it has a value.
    pub fn knows(&self, position: &SumPosition) -> bool {
        self.outcome(position).is_ok()
    }

    /// The verdict on the whole.
    pub fn verdict(&self, position: &SumPosition) -> Result<Verdict, SumError> {
        match (&self.theory, &self.whole) {
            (_, Some(whole)) => whole.verdict(position),
            (Some(theory), None) => Ok(Verdict::outcome_in(self.outcome_by_forms(theory, position)?, None)),
            (None, None) => Ok(Rests::new(self.nimbers(position)?).whole().into()),
        }
    }

    /// The moves of one summand, with the value that each leaves of it.
    pub(super) fn moves_in(
        &self,
        summand: usize,
        position: &SumPosition,
    ) -> Result<Vec<(RatedMove, LoopyNimber)>, SumError> {
        let here = &position.summands[summand];
        let blame = |error| SumError { summand, error };
        let mut moves = Vec::new();
        for mut mv in self.solved(summand)?.moves(here).map_err(blame)? {
            let missing = || SolveError::internal("an option has no nimber");
            let value = mv.leaves.clone().ok_or_else(missing).map_err(blame)?;
            mv.play = self.compound.labelled(summand, here, mv.play);
            moves.push((mv, value));
        }
        Ok(moves)
    }

    /// The moves of one summand that keep the result of the whole, at most about `most` of them, and whether there are
    /// more. A summand of large heaps has more moves than can be listed: there they are found from what they must lead to.
    pub(super) fn best_in(
        &self,
        summand: usize,
        position: &SumPosition,
        rests: &Rests,
        most: usize,
    ) -> Result<(Vec<Play>, bool), SumError> {
        let (outcome, beside) = (rests.whole().outcome(), rests.beside(summand));
        let keeps = |value: &LoopyNimber| -(&beside + value).outcome() == outcome;
        let Some((plays, mut cut)) = self.heap_moves_in(summand, position, outcome, &beside, most)? else {
            let moves = self.moves_in(summand, position)?.into_iter().filter(|(_, value)| keeps(value));
            let mut plays: Vec<Play> = moves.take(most + 1).map(|(mv, _)| mv.play).collect();
            let cut = plays.len() > most;
            plays.truncate(most);
            return Ok((plays, cut));
        };
        let here = &position.summands[summand];
        let mut best = Vec::new();
        for play in plays {
            let value = self.nimber_of(summand, &play.option(here))?;
            if keeps(&value) && best.len() < most {
                best.push(self.compound.labelled(summand, here, play));
            } else {
                cut |= keeps(&value);
            }
        }
        Ok((best, cut))
    }

    /// The moves of a summand of heaps among which all are that keep the result, and whether there are more; `None` if
    /// it is to be listed like any other.
    fn heap_moves_in(
        &self,
        summand: usize,
        position: &SumPosition,
        outcome: Outcome,
        beside: &LoopyNimber,
        most: usize,
    ) -> Result<Option<(Vec<Play>, bool)>, SumError> {
        let (game, here) = (self.solved(summand)?, &position.summands[summand]);
        if !game.answers.has_many_moves() {
            return Ok(None);
        }
        let heap_moves = |aim, most| game.answers.moves_to(game.bound, here, aim, most);
        let blame = |error| SumError { summand, error };
        let found = match (outcome, beside) {
            (Outcome::Win, LoopyNimber::Infinite(_)) => Ok(Some((Vec::new(), false))),
            (Outcome::Win, LoopyNimber::Finite(nimber)) => heap_moves(Some(*nimber), most),
            (Outcome::Loss, _) => heap_moves(None, most),
            (Outcome::Draw, _) => heap_moves(None, most.max(FEW_TRIED)),
        };
        let found = found.map_err(blame)?;
        let (Some((mut plays, true)), Outcome::Draw, LoopyNimber::Infinite(set)) = (found.clone(), outcome, beside)
        else {
            return Ok(found);
        };
        // Not all were tried. If a move in heaps keeps a draw that no move elsewhere keeps, one to the least nimber that
        // is not in the set does.
        let missing = game::mex(&mut set.as_slice().to_vec());
        let (sure, _) = heap_moves(Some(missing), 1).map_err(blame)?.unwrap_or_default();
        plays.extend(sure.into_iter().filter(|play| !plays.contains(play)).collect::<Vec<_>>());
        Ok(Some((plays, true)))
    }

    /// Whether the moves of a summand may be too many to list.
    pub(super) fn is_heap(&self, summand: usize) -> bool {
        self.game(summand).is_some_and(|game| game.answers.has_many_moves())
    }

    /// The moves of a position that can be reached, rated: all of them, or the best where there are too many to list.
    pub fn listed(&self, position: &SumPosition) -> Result<ListedMoves, SumError> {
        match (&self.theory, &self.whole) {
            (_, Some(whole)) => whole.listed(&self.compound, position),
            (Some(theory), None) => self.listed_by_forms(theory, position),
            (None, None) => self.listed_within(position, MOST_LISTED),
        }
    }

    /// The moves of a position, rated: all of them, or the best where there are more than `most`.
    pub fn listed_within(&self, position: &SumPosition, most: usize) -> Result<ListedMoves, SumError> {
        let mut total = Some(0u128);
        for (summand, here) in position.summands.iter().enumerate() {
            let own = listed::count(self.solved(summand)?, here).map_err(|error| SumError { summand, error })?;
            total = total.and_then(|total| total.checked_add(own?));
        }
        if total.is_some_and(|total| total <= most as u128) {
            return Ok(ListedMoves::all(self.moves(position)?, total));
        }
        let rests = Rests::new(self.nimbers(position)?);
        let mut listed = ListedMoves { moves: Vec::new(), cut: true, best_cut: false, count: total };
        for summand in 0..position.summands.len() {
            let room = MOST_MOVES - listed.moves.len();
            // One more than there is room for tells whether there are more.
            let (plays, more) = self.best_in(summand, position, &rests, room.max(1))?;
            listed.best_cut |= more || plays.len() > room;
            let beside = rests.beside(summand);
            for play in plays.into_iter().take(room) {
                let value = self.nimber_of(summand, &play.option(&position.summands[summand]))?;
                listed.moves.push(rate(play, &beside + &value, &rests));
            }
        }
        Ok(listed)
    }

    /// Every legal move of a position that can be reached, in order, rated for the player to move.
    pub fn moves(&self, position: &SumPosition) -> Result<Vec<RatedMove>, SumError> {
        let rests = Rests::new(self.nimbers(position)?);
        let mut moves = Vec::new();
        for summand in 0..position.summands.len() {
            let beside = rests.beside(summand);
            for (mv, value) in self.moves_in(summand, position)? {
                moves.push(rate(mv.play, &beside + &value, &rests));
            }
        }
        Ok(moves)
    }

    /// Won, lost or drawn by the player to move.
    pub fn outcome(&self, position: &SumPosition) -> Result<Outcome, SumError> {
        match (&self.theory, &self.whole) {
            (_, Some(whole)) => whole.outcome(position),
            (Some(theory), None) => self.outcome_by_forms(theory, position),
            (None, None) => Ok(Rests::new(self.nimbers(position)?).whole().outcome()),
        }
    }
}

/// A move of a summand, rated by the value that it leaves of the whole.
fn rate(play: Play, after: LoopyNimber, rests: &Rests) -> RatedMove {
    let result = -after.outcome();
    let best = result == rests.whole().outcome();
    let worth = Verdict::outcome_in(result, None);
    RatedMove { leaves: Some(after), best, ..RatedMove::worth(play, worth) }
}

/// Solves a sum as a whole, after its summands gave no answer; that error where a method was asked for, where endless play is not
/// the same in all summands, or where there are too many positions.
pub(super) fn solve_whole<'b>(
    summands: Vec<Summand<'b>>,
    options: &Options,
    error: SumError,
    monitor: &mut Monitor,
) -> Result<SolvedSum<'b>, SumError> {
    let forever = summands.first().and_then(|first| first.bound.forever);
    if options.method.is_some() || summands.iter().any(|summand| summand.bound.forever != forever) {
        return Err(error);
    }
    let SumError { summand, error: SolveError::NotApplicable(why) } = error else { return Err(error) };
    let compound = Compound::new(summands);
    monitor.enter("all positions of the sum");
    let Some(rounds) = Rounds::new(&compound, monitor)? else {
        let why = format!("{why}; and the sum has more than {} positions", grouped(MOST_ROUNDS as u64));
        return Err(SumError { summand, error: SolveError::NotApplicable(why) });
    };
    let positions = rounds.positions();
    let games = compound.summands().iter().map(|Summand { bound, .. }| Game::Valued { bound, method: SUM, positions });
    let (games, which) = (games.collect(), (0..compound.summands().len()).collect());
    Ok(SolvedSum { compound, games, which, theory: None, whole: Some(Whole { rounds, why }) })
}
