//! Sums of different games: positions of any games that the last mover wins side by side, of which a move changes one.
//!
//! By Sprague and Grundy, each position of an impartial game won by the last mover is worth a Nim heap, whatever its rules, and
//! heaps add up by XOR. So the summands need not know of each other: each is solved by itself, with whatever method fits
//! it, and only the nimbers meet. Summands whose positions repeat take part with Smith's loopy nimbers, which contain the
//! ordinary ones and add up too ([`game::loopy`]). If moves of a summand belong to players, canonical forms take the place of
//! nimbers (`forms`). Where a summand has no value that the theory gives, a sum of few positions is solved as a whole (`whole`).
//!
//! ```text
//! summands ──solve each──▶ SolvedSum ──moves, value──▶ rated moves
//!                              └──answer──▶ solution with its line of play, replayed
//! ```
//!
//! The other way, one big game whose position is the tuple of all, was rejected: its positions are the product of the
//! summands' positions, and methods that read the rules of one game would not apply to it.
//!
//! Moves are named after where they are played ([`Compound::label`]): `knock(1, 2) in kayles(7)`; in a summand that has
//! several parts just then, `take(2) in part 1 of nim([3, 5])`; equal summands are numbered in their order from 1, as in
//! `take(2) in nim(5) #2`.

mod answer;
mod forms;
mod line;
mod rounds;
mod solved;
mod theory;
mod whole;

pub use crate::answer::game_forms::LOOPS;
pub use answer::{sum_answer, sum_solution};
pub use solved::{SolvedSum, unfit};

use std::collections::HashMap;
use std::fmt;

use engine::monitor::Monitor;
use game::Player;
use rules::bind::{Bound, Position};

use forms::solve_forms;
use solved::{Game, solve_summand, solve_whole};

use crate::case::Facts;
use crate::error::SolveError;
use crate::options::{MethodName, Options};
use rules::named::{named_in, placed, squeeze, written_out};
use rules::play::{self, Play};

/// What stands in the place of a method where different games are added up.
const SUM: MethodName = MethodName::new("sum");

/// One summand: the start of a game.
#[derive(Clone, Debug)]
pub struct Summand<'b> {
    /// As it is named, such as `kayles(7)`. Summands of one name must have one game.
    pub name: String,
    /// The game. Summands that share it by reference are solved once.
    pub bound: &'b Bound,
}

/// A sum of the starts of games.
#[derive(Clone, Debug)]
pub struct Compound<'b> {
    summands: Vec<Summand<'b>>,
    /// The names of the summands, numbered where several are the same.
    names: Vec<String>,
}

/// A position of a sum: one of each summand, and whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SumPosition {
    /// The positions of the summands, in order; all say the same of whose turn it is.
    pub summands: Vec<Position>,
    /// Who moves.
    pub turn: Player,
}

impl SumPosition {
    /// The position after a move.
    pub fn after(&self, mv: &Play) -> SumPosition {
        let mut position = self.clone();
        position.apply(mv);
        position
    }

    /// Makes a move in place.
    pub fn apply(&mut self, mv: &Play) {
        mv.apply(&mut self.summands[mv.summand]);
        self.turn = mv.turn;
        self.summands.iter_mut().for_each(|summand| summand.turn = mv.turn);
    }
}

impl<'b> Compound<'b> {
    /// The sum of these.
    pub fn new(summands: Vec<Summand<'b>>) -> Compound<'b> {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        summands.iter().for_each(|summand| *counts.entry(&summand.name).or_default() += 1);
        let mut met: HashMap<&str, usize> = HashMap::new();
        let mut number = |summand: &'_ Summand<'b>| -> Option<usize> {
            let (name, &count) = counts.get_key_value(&*summand.name)?;
            let met = met.entry(name).or_default();
            *met += 1;
            (count > 1).then_some(*met)
        };
        let names = summands.iter().map(|summand| match number(summand) {
            Some(number) => format!("{} #{number}", summand.name),
            None => summand.name.clone(),
        });
        let names = names.collect();
        Compound { summands, names }
    }

    /// The summands, in order.
    pub fn summands(&self) -> &[Summand<'b>] {
        &self.summands
    }

    /// The name of a summand, with its number where several are called the same: `nim(5) #2`.
    pub fn name(&self, summand: usize) -> &str {
        &self.names[summand]
    }

    /// The whole sum in a line: `kayles(7) + nim([3, 5])`.
    pub fn text(&self) -> String {
        self.summands.iter().map(|summand| &*summand.name).collect::<Vec<_>>().join(" + ")
    }

    /// Where play starts; the first summand says who moves.
    pub fn start(&self) -> SumPosition {
        let turn = self.summands.first().map_or(Player::FIRST, |summand| summand.bound.start.turn);
        let summands = self.summands.iter().map(|summand| Position { turn, ..summand.bound.start.clone() });
        SumPosition { summands: summands.collect(), turn }
    }

    /// What a move of a summand is called in the sum; `parts` says how many parts the summand has before it.
    pub fn label(&self, summand: usize, play: &Play, parts: usize) -> String {
        let (mv, name) = (self.bare(summand, play), &self.names[summand]);
        match parts {
            0 | 1 => format!("{mv} in {name}"),
            _ => format!("{mv} in part {} of {name}", play.part),
        }
    }

    /// A move without the part that its game names.
    fn bare<'p>(&self, summand: usize, play: &'p Play) -> &'p str {
        match self.summands[summand].bound.program.sum {
            Some(_) => play.label.strip_suffix(&format!(" in part {}", play.part)).unwrap_or(&play.label),
            None => &play.label,
        }
    }

    /// Every legal move, by summand and then in the order of its game.
    pub fn plays(&self, position: &SumPosition) -> Result<Vec<Play>, SumError> {
        let mut all = Vec::new();
        for summand in 0..self.summands.len() {
            all.extend(self.plays_in(summand, position)?);
        }
        Ok(all)
    }

    fn plays_in(&self, summand: usize, position: &SumPosition) -> Result<Vec<Play>, SumError> {
        let here = &position.summands[summand];
        let plays = play::plays(self.summands[summand].bound, here)
            .map_err(|fault| SumError { summand, error: fault.into() })?;
        Ok(plays.into_iter().map(|play| self.labelled(summand, here, play)).collect())
    }

    /// The first `most` legal moves in the same order, and whether there are more.
    pub fn first_plays(&self, position: &SumPosition, most: usize) -> Result<(Vec<Play>, bool), SumError> {
        let mut all = Vec::new();
        for (summand, here) in position.summands.iter().enumerate() {
            let found = play::first_plays(self.summands[summand].bound, here, most - all.len());
            let (plays, more) = found.map_err(|fault| SumError { summand, error: fault.into() })?;
            all.extend(plays.into_iter().map(|play| self.labelled(summand, here, play)));
            if more {
                return Ok((all, true));
            }
        }
        Ok((all, false))
    }

    /// A move of a summand with its label and its place in the sum.
    pub(super) fn labelled(&self, summand: usize, here: &Position, mut play: Play) -> Play {
        (play.label, play.summand) = (self.label(summand, &play, here.parts.len()), summand);
        play
    }

    /// The legal move of that name, if there is one. Spaces do not count, and the part may be named where it need not be.
    /// Two moves of one name with different options are an error, since nobody can tell which is meant.
    pub fn find(&self, position: &SumPosition, label: &str) -> Result<Option<Play>, SumError> {
        let found = self.read(position, label, &|here, place| match place {
            Place::Summand(None) => here.parts.len() <= 1,
            Place::Summand(Some(_)) => true,
            Place::Part(_) => false,
        })?;
        match &found[..] {
            [] => Ok(None),
            [only] => Ok(Some(only.clone())),
            [first, ..] => {
                let why = format!("two different moves are called `{}` here", first.label);
                Err(SumError { summand: first.summand, error: SolveError::NotApplicable(why) })
            }
        }
    }

    /// Every legal move of that name, from which the summand and the part may be left out.
    pub fn named(&self, position: &SumPosition, name: &str) -> Result<Vec<Play>, SumError> {
        self.read(position, name, &|_, _| true)
    }

    /// The legal moves of a name that says where they are played in a way that will do.
    fn read(
        &self,
        position: &SumPosition,
        name: &str,
        will_do: &dyn Fn(&Position, Place) -> bool,
    ) -> Result<Vec<Play>, SumError> {
        let name = written_out(&squeeze(name));
        let mut found: Vec<Play> = Vec::new();
        for (summand, here) in position.summands.iter().enumerate() {
            let (mv, place) = Place::read(&name, &squeeze(&self.names[summand]));
            if !will_do(here, place) {
                continue;
            }
            let (Place::Summand(part) | Place::Part(part)) = place;
            let plays = named_in(self.summands[summand].bound, here, mv, part);
            let plays = plays.map_err(|fault| SumError { summand, error: fault.into() })?;
            found.extend(plays.into_iter().map(|play| self.labelled(summand, here, play)));
        }
        Ok(found)
    }
}

/// What a name says of where a move is played.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// The summand, and perhaps its part.
    Summand(Option<usize>),
    /// The part at most.
    Part(Option<usize>),
}

impl Place {
    /// Cuts a name before the place, which may be the summand of this name; neither has spaces.
    fn read<'n>(name: &'n str, summand: &str) -> (&'n str, Place) {
        let inside = name.strip_suffix(summand).unwrap_or("");
        if let Some((mv, Some(part))) = inside.strip_suffix("of").map(placed) {
            return (mv, Place::Summand(Some(part)));
        }
        if let Some(mv) = inside.strip_suffix("in") {
            return (mv, Place::Summand(None));
        }
        let (mv, part) = placed(name);
        (mv, Place::Part(part))
    }
}

/// Why a sum has no answer, and which summand is to blame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SumError {
    /// The summand in which it went wrong.
    pub summand: usize,
    /// What went wrong.
    pub error: SolveError,
}

impl fmt::Display for SumError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "summand {}: {}", self.summand + 1, self.error)
    }
}

impl std::error::Error for SumError {}

/// Whether both players always have the same moves in a game.
fn is_impartial(bound: &Bound) -> bool {
    Facts::new(bound).is_ok_and(|facts| facts.impartial.holds)
}

/// Solves a sum. Every summand must be won by the last mover; what is asked in the options is asked of each.
pub fn solve_sum<'b>(
    summands: Vec<Summand<'b>>,
    options: &Options,
    monitor: &mut Monitor,
) -> Result<SolvedSum<'b>, SumError> {
    for (summand, Summand { bound, .. }) in summands.iter().enumerate() {
        if let Some(why) = unfit(bound) {
            let title = format!("`{}` cannot be part of a sum of different games: {why}", bound.program.name);
            return Err(SumError { summand, error: SolveError::NotApplicable(title) });
        }
    }
    if !summands.iter().all(|summand| is_impartial(summand.bound)) {
        let solved = solve_forms(summands.clone(), options, monitor).and_then(|solved| {
            // Each summand may have a value, and their sum or an option none.
            if solved.has_loops() {
                sum_solution(&solved, monitor)?;
            }
            Ok(solved)
        });
        return solved.or_else(|error| solve_whole(summands, options, error, monitor));
    }
    let mut games: Vec<Game<'b>> = Vec::new();
    let mut which = Vec::new();
    for (summand, Summand { bound, .. }) in summands.iter().enumerate() {
        if let Some(known) = games.iter().position(|game| std::ptr::eq(game.bound(), *bound)) {
            which.push(known);
            continue;
        }
        which.push(games.len());
        let solved = solve_summand(bound, options, monitor).map_err(|error| SumError { summand, error })?;
        games.push(Game::Solved(Box::new(solved)));
    }
    Ok(SolvedSum { compound: Compound::new(summands), games, which, theory: None, whole: None })
}
