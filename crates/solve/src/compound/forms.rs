//! Sums in which moves belong to players: each summand has a canonical form, all in one arena.
//!
//! Who wins is found from the forms of the summands ([`values::search`]); their sum, which may be far too large, is not needed for
//! that. Impartial summands take part with their nimbers, which are canonical forms too.

use std::cell::RefCell;

use boards::CanonicalForms;
use engine::monitor::Monitor;
use game::{Outcome, OutcomeClass, Player};
use rules::bind::{Bound, Position};
use values::{Arena, Side, Value};

use super::error::SumError;
use super::solved::{Game, SolvedSum, SumMove, solve_summand};
use super::theory::Theory;
use super::{Compound, SumPlay, SumPosition, Summand};
use crate::answer::MOST_MOVES;
use crate::answer::form::class;
use crate::answer::line::goes_on;
use crate::answer::listed::{Listed, MOST_LISTED};
use crate::answer::valued::{Bench, Judged, MOST_JUDGED};
use crate::appraise::{self, Place, SharedArena};
use crate::appraiser::{Appraiser, Most};
use crate::canonical::{Canonical, canonical};
use crate::case::Case;
use crate::error::SolveError;
use crate::options::Options;
use crate::rated::RatedMove;
use crate::reason::{GivenUp, Reason};
use crate::stopping::watched;

/// Forms of summands are added up where that takes at most so many followers at a time.
const SMALL: usize = 300_000;

/// Solves a sum of games of which at least one is not impartial.
pub(super) fn solve_forms<'b>(
    summands: Vec<Summand<'b>>,
    options: &Options,
    monitor: &mut Monitor,
) -> Result<SolvedSum<'b>, SumError> {
    let arena = SharedArena::new(CanonicalForms::new(monitor).arena);
    let (mut games, mut which, mut appraisers) = (Vec::new(), Vec::new(), Vec::new());
    for (summand, Summand { bound, .. }) in summands.iter().enumerate() {
        let blame = |error| SumError { summand, error };
        if let Some(known) = games.iter().position(|game: &Game<'b>| std::ptr::eq(game.bound(), *bound)) {
            which.push(known);
            continue;
        }
        which.push(games.len());
        let case = Case::new(bound, &bound.start, options, monitor.memory().free()).map_err(blame)?;
        if case.facts.nimbers {
            games.push(Game::Solved(Box::new(solve_summand(bound, options, monitor).map_err(blame)?)));
            appraisers.push(None);
            continue;
        }
        let local = if case.facts.sum.holds { None } else { case.local().ok() };
        let method = if local.is_some() { "board" } else { "values" };
        if let Some(asked) = options.method.filter(|asked| !["board", "values"].contains(&asked.name())) {
            let why = format!("the method `{asked}` does not apply: it gives no canonical forms, and a sum needs them");
            return Err(blame(SolveError::NotApplicable(why)));
        }
        let mut appraiser = Appraiser::new(bound, local, &arena, Most::ALL);
        watched(monitor, |monitor| {
            monitor.enter("valuing parts");
            let valued = appraise::value(&mut appraiser, &bound.start, monitor);
            valued.map(drop).map_err(|given_up| without_value(bound, given_up, monitor))
        })
        .map_err(blame)?;
        games.push(Game::Valued { bound, method, positions: appraiser.met() });
        appraisers.push(Some(appraiser));
    }
    let theory = Theory { arena, search: RefCell::default(), appraisers: RefCell::new(appraisers) };
    Ok(SolvedSum { compound: Compound::new(summands), games, which, theory: Some(theory) })
}

/// Why a game has no canonical form.
fn without_value(bound: &Bound, given_up: GivenUp, monitor: &Monitor) -> SolveError {
    let late = monitor.time_limit().filter(|_| monitor.time_left().is_some_and(|left| left.is_zero()));
    match (given_up, late) {
        (GivenUp::Error(SolveError::Interrupted { positions }), Some(limit)) => {
            SolveError::Limit { limit: crate::error::Limit::Time { limit }, positions }
        }
        (GivenUp::Error(error), _) => error,
        (GivenUp::Because(Reason::Overflow(error) | Reason::Limit(error) | Reason::Dear(error)), _) => error,
        (GivenUp::Because(why), _) => {
            let name = &bound.program.name;
            SolveError::NotApplicable(format!("`{name}` has no canonical form, and a sum needs it: {why}"))
        }
    }
}

/// The side of a player.
fn side(player: Player) -> Side {
    if player == Player::FIRST { Side::Left } else { Side::Right }
}

/// What the forms of a sum tell of a position.
pub(super) struct Standing {
    /// The canonical form of each summand.
    pub summands: Vec<Value>,
    /// Who wins whoever starts.
    pub class: OutcomeClass,
    /// The sum, where it is small enough.
    pub total: Option<Value>,
}

impl<'b> SolvedSum<'b> {
    /// The form of a summand in a position of it.
    fn form_of(&self, theory: &Theory<'b>, summand: usize, position: &Position) -> Result<Value, SumError> {
        let blame = |error| SumError { summand, error };
        let game = self.which[summand];
        if let Some(appraiser) = &mut theory.appraisers.borrow_mut()[game] {
            // All that play can reach is known by now.
            let mut monitor = Monitor::unlimited();
            let valued = appraise::value(appraiser, position, &mut monitor);
            return valued.map_err(|given_up| blame(without_value(self.bound(summand), given_up, &monitor)));
        }
        let nimber = self.nimber_of(summand, position)?.nimber().and_then(|nimber| u32::try_from(nimber).ok());
        let why = "its nimber is infinite or does not fit in 32 bits, and the other summands are not impartial";
        let nimber = nimber.ok_or_else(|| blame(SolveError::NotApplicable(why.to_string())))?;
        theory.arena.within(|arena| arena.nimber(nimber)).map_err(|error| blame(error.into()))
    }

    fn forms(&self, theory: &Theory<'b>, position: &SumPosition) -> Result<Vec<Value>, SumError> {
        let summands = position.summands.iter().enumerate();
        summands.map(|(summand, here)| self.form_of(theory, summand, here)).collect()
    }

    /// Whether a player who moves now wins the sum of these.
    fn wins(&self, theory: &Theory<'b>, forms: &[Value], player: Player) -> Result<bool, SumError> {
        let mut search = theory.search.borrow_mut();
        let found = theory.arena.within(|arena| search.wins(arena, forms, side(player)));
        found.map_err(|error| SumError { summand: 0, error: error.into() })
    }

    /// What is known of a position by forms.
    pub(super) fn standing(&self, theory: &Theory<'b>, position: &SumPosition) -> Result<Standing, SumError> {
        let blame = |error: engine::Error| SumError { summand: 0, error: error.into() };
        let summands = self.forms(theory, position)?;
        let mut search = theory.search.borrow_mut();
        let outcome = theory.arena.within(|arena| search.outcome(arena, &summands)).map_err(blame)?;
        let total = theory.arena.within(|arena| arena.total_within(&summands, SMALL)).map_err(blame)?;
        let told = total.map(|total| theory.arena.within(|arena| arena.outcome(total))).transpose().map_err(blame)?;
        if told.is_some_and(|told| told != outcome) {
            let error = SolveError::internal("the value of the sum does not tell who wins");
            return Err(SumError { summand: 0, error });
        }
        Ok(Standing { summands, class: class(outcome), total })
    }

    /// A value as people want it.
    pub(super) fn shown(&self, theory: &Theory<'b>, value: Value) -> Result<Canonical, SumError> {
        let mut shown = None;
        let named = |arena: &mut Arena| {
            shown = Some(canonical(arena, value));
            Ok(())
        };
        let done = theory.arena.within(named).and_then(|()| shown.unwrap_or_else(|| Err(engine::Error::Fault(0))));
        done.map_err(|error| SumError { summand: 0, error: error.into() })
    }

    /// Won or lost by the player to move.
    pub(super) fn outcome_by_forms(&self, theory: &Theory<'b>, position: &SumPosition) -> Result<Outcome, SumError> {
        let won = self.wins(theory, &self.forms(theory, position)?, position.turn)?;
        Ok(if won { Outcome::Win } else { Outcome::Loss })
    }

    /// The legal moves of a position, rated.
    pub(super) fn listed_by_forms(
        &self,
        theory: &Theory<'b>,
        position: &SumPosition,
    ) -> Result<Listed<SumMove>, SumError> {
        let forms = self.forms(theory, position)?;
        let won = self.wins(theory, &forms, position.turn)?;
        let (plays, more) = self.compound.first_plays(position, MOST_LISTED)?;
        if more {
            let why = "a position has too many moves to be listed, and the summands are not all impartial";
            return Err(SumError { summand: 0, error: SolveError::NotApplicable(why.to_string()) });
        }
        let mut moves = Vec::with_capacity(plays.len());
        for SumPlay { summand, play } in plays {
            let mut after = forms.clone();
            after[summand] = self.form_of(theory, summand, &play.option(&position.summands[summand]))?;
            let wins = !self.wins(theory, &after, position.turn.other())?;
            let outcome = if wins { Outcome::Win } else { Outcome::Loss };
            let worth = game::Verdict::outcome_in(outcome, None);
            let rated = RatedMove { best: wins == won, ..RatedMove::worth(play, worth) };
            moves.push(SumMove { summand, rated });
        }
        let count = Some(moves.len() as u128);
        Ok(Listed::all(moves, count))
    }

    /// Judges moves of a position by values: which are dominated, which are reversible, and which summand is hottest. None
    /// where all summands are impartial, or there are too many moves.
    pub fn judged(&self, position: &SumPosition, moves: &[SumMove]) -> Result<Option<Judged>, SumError> {
        let Some(theory) = self.theory.as_ref().filter(|_| moves.len() <= MOST_JUDGED) else { return Ok(None) };
        let blame = |error: engine::Error| SumError { summand: 0, error: error.into() };
        let forms = self.forms(theory, position)?;
        let mut bench = theory.arena.within(|arena| Bench::new(arena, position.turn, forms)).map_err(blame)?;
        for SumMove { summand, rated } in moves {
            let became = self.form_of(theory, *summand, &rated.play.option(&position.summands[*summand]))?;
            theory.arena.within(|arena| bench.look(arena, *summand, became)).map_err(blame)?;
        }
        let summands = 0..position.summands.len();
        let names: Vec<(String, Place)> =
            summands.map(|summand| (self.compound.name(summand).to_string(), Place::Part(summand))).collect();
        let mut found = None;
        let judge = |arena: &mut Arena| {
            found = Some(bench.judged(arena, &names, None));
            Ok(())
        };
        theory.arena.within(judge).map_err(blame)?;
        found.transpose().map_err(blame)
    }

    /// The move that perfect play makes: a best one in the hottest summand. None where nobody can move.
    pub(super) fn choice_by_forms(
        &self,
        theory: &Theory<'b>,
        position: &SumPosition,
    ) -> Result<Option<SumPlay>, SumError> {
        let moves = self.listed_by_forms(theory, position)?.moves;
        let mut best: Option<(values::Dyadic, &SumMove)> = None;
        for mv in moves.iter().filter(|mv| mv.rated.best) {
            let heat = self.heat(theory, mv.summand, &position.summands[mv.summand])?;
            if best.as_ref().is_none_or(|(most, _)| heat > *most) {
                best = Some((heat, mv));
            }
        }
        Ok(best.map(|(_, mv)| mv.play()))
    }

    /// The temperature of a summand; that of zero where it does not fit.
    fn heat(&self, theory: &Theory<'b>, summand: usize, here: &Position) -> Result<values::Dyadic, SumError> {
        let form = self.form_of(theory, summand, here)?;
        let heat = theory.arena.within(|arena| match arena.temperature(form) {
            Err(values::Error::Overflow(_)) => Ok(values::Dyadic::ZERO),
            other => other,
        });
        heat.map_err(|error| SumError { summand, error: error.into() })
    }

    /// One line of best play, at most [`MOST_MOVES`], and whether it is cut. The result of the line is that of the start.
    pub(super) fn line_by_forms(
        &self,
        theory: &Theory<'b>,
        monitor: &mut Monitor,
    ) -> Result<(Vec<SumPlay>, bool), SumError> {
        let blame = |error| SumError { summand: 0, error };
        let mut position = self.compound.start();
        let promised = self.outcome_by_forms(theory, &position)?;
        let mut line = Vec::new();
        loop {
            let in_time = goes_on(self.positions(), monitor).map_err(blame)?;
            let Some(mv) = self.choice_by_forms(theory, &position)? else { break };
            if line.len() == MOST_MOVES || !in_time {
                return Ok((line, true));
            }
            position.apply(&mv);
            line.push(mv);
        }
        // Whoever is to move now has lost.
        match (promised == Outcome::Win) == (line.len() % 2 == 1) {
            true => Ok((line, false)),
            false => Err(blame(SolveError::internal("the line of best play does not give the value"))),
        }
    }
}
