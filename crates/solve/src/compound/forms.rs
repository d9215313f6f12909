//! Sums in which moves belong to players: each summand has a canonical form, all in one arena.
//!
//! Who wins is found from the forms of the summands ([`values::search`]); their sum, which may be far too large, is not needed for
//! that. Impartial summands take part with their nimbers, which are canonical forms too. Where positions of a summand
//! repeat, its value may have loops: then values are added up, and the sum tells who wins or draws.

use std::cell::{OnceCell, RefCell};

use boards::CanonicalForms;
use engine::monitor::Monitor;
use game::{Outcome, OutcomeClass, Player};
use rules::bind::{Bound, Position};
use rules::play::Play;
use rustc_hash::FxHashSet;
use values::Value;

use super::SumError;
use super::rounds::Rounds;
use super::solved::{Game, SolvedSum, solve_summand};
use super::theory::Theory;
use super::{Compound, SumPosition, Summand};
use crate::answer::MOST_MOVES;
use crate::answer::canonical_value::{loopy_name, outcome};
use crate::answer::game_forms::GameForms;
use crate::answer::judged::by_loops::marks;
use crate::answer::judged::{Bench, Judged, JudgedPart, MOST_JUDGED, MoveJudgement, SMALL};
use crate::answer::line::goes_on;
use crate::answer::listed::{ListedMoves, MOST_LISTED};
use crate::answer::repeating::{Form, total};
use crate::answers::RatedMove;
use crate::case::{Case, Facts};
use crate::error::{GivenUp, Reason, SolveError};
use crate::methods;
use crate::options::Options;
use crate::part_values::{Place, SharedArena, side_of};
use crate::solved::Solved;
use crate::stopping::{clocked, watched};
use crate::value_text::ValueText;

/// Solves a sum of games of which at least one is not impartial.
pub(super) fn solve_forms<'b>(
    summands: Vec<Summand<'b>>,
    options: &Options,
    monitor: &mut Monitor,
) -> Result<SolvedSum<'b>, SumError> {
    let arena = SharedArena::new(CanonicalForms::new(monitor).arena);
    let (mut games, mut which, mut sources) = (Vec::new(), Vec::new(), Vec::new());
    let mut endless = None;
    for (summand, Summand { bound, .. }) in summands.iter().enumerate() {
        let blame = |error| SumError { summand, error };
        if let Some(known) = games.iter().position(|game: &Game<'b>| std::ptr::eq(game.bound(), *bound)) {
            which.push(known);
            continue;
        }
        which.push(games.len());
        if Facts::new(bound).map_err(blame)?.nimbers {
            let solved = solve_summand(bound, options, monitor).map_err(blame)?;
            let source = endless_summand(&solved, &arena, monitor).map_err(blame)?;
            if let Some(source) = &source {
                check_endless(&mut endless, bound).map_err(blame)?;
                games.push(Game::Valued { bound, method: source.method(), positions: source.met() });
            } else {
                games.push(Game::Solved(Box::new(solved)));
            }
            sources.push(source);
            continue;
        }
        let case = Case::new(bound, &bound.start, options, monitor.memory().free()).map_err(blame)?;
        let asked = options.method;
        if let Some(asked) = asked.filter(|asked| !methods::values_parts(*asked)) {
            let why = format!("the method `{asked}` does not apply: it gives no canonical forms, and a sum needs them");
            return Err(blame(SolveError::NotApplicable(why)));
        }
        let forms = GameForms::new(bound, case.decomposition(), &arena);
        let source = watched(monitor, |monitor| valued(forms, monitor)).map_err(blame)?;
        if source.repeats() {
            if let Some(asked) = asked {
                let why = format!("the method `{asked}` does not apply: positions of `{}` repeat", bound.program.name);
                return Err(blame(SolveError::NotApplicable(why)));
            }
            check_endless(&mut endless, bound).map_err(blame)?;
        }
        let (method, positions) = (source.method(), source.met());
        games.push(Game::Valued { bound, method, positions });
        sources.push(Some(source));
    }
    let theory = Theory { arena, search: RefCell::default(), sources: RefCell::new(sources), rounds: OnceCell::new() };
    Ok(SolvedSum { compound: Compound::new(summands), games, which, theory: Some(theory), whole: None })
}

/// What endless play is must be the same in all summands that have it.
fn check_endless(known: &mut Option<Option<Player>>, bound: &Bound) -> Result<(), SolveError> {
    match known.replace(bound.forever) {
        Some(other) if other != bound.forever => {
            Err(SolveError::NotApplicable("endless play is not the same in all summands".to_string()))
        }
        _ => Ok(()),
    }
}

/// The values of an impartial game whose positions repeat, so that some have no nimber; none where all have one.
fn endless_summand<'b>(
    solved: &Solved<'b>,
    arena: &SharedArena,
    monitor: &mut Monitor,
) -> Result<Option<GameForms<'b>>, SolveError> {
    match solved.report.repeats() {
        true => watched(monitor, |monitor| valued(GameForms::looped(solved.bound, arena), monitor)).map(Some),
        false => Ok(None),
    }
}

/// The values of a game, with that of its start known.
fn valued<'b>(mut forms: GameForms<'b>, monitor: &mut Monitor) -> Result<GameForms<'b>, SolveError> {
    monitor.enter("valuing parts");
    let bound = forms.bound();
    match forms.form(&bound.start, monitor) {
        Ok(_) => Ok(forms),
        Err(given_up) => Err(without_value(bound, given_up, monitor)),
    }
}

/// Why a game has no canonical form.
fn without_value(bound: &Bound, given_up: GivenUp, monitor: &Monitor) -> SolveError {
    let name = &bound.program.name;
    let words = |why: &Reason| format!("`{name}` has no canonical form, and a sum needs it: {why}");
    clocked(given_up.into_error(words), monitor)
}

/// What the forms of a sum tell of a position.
pub(super) struct Standing {
    /// The value of each summand.
    pub summands: Vec<Form>,
    /// Who wins whoever starts; absent where a summand has loops.
    pub class: Option<OutcomeClass>,
    /// The sum, where it is small enough.
    pub total: Option<Form>,
}

/// The values, where none has loops.
fn finite(forms: &[Form]) -> Option<Vec<Value>> {
    let value = |form: &Form| match form {
        Form::Value(value) => Some(*value),
        Form::Loopy(_) => None,
    };
    forms.iter().map(value).collect()
}

/// Whether positions of a summand repeat.
fn repeats(theory: &Theory<'_>) -> bool {
    theory.sources.borrow().iter().flatten().any(GameForms::repeats)
}

fn blame(error: impl Into<SolveError>) -> SumError {
    SumError { summand: 0, error: error.into() }
}

impl<'b> SolvedSum<'b> {
    /// The form of a summand in a position of it.
    fn form_of(&self, theory: &Theory<'b>, summand: usize, position: &Position) -> Result<Form, SumError> {
        let blame = |error| SumError { summand, error };
        let game = self.which[summand];
        if let Some(source) = &mut theory.sources.borrow_mut()[game] {
            // All that play can reach is known by now, or little work.
            let mut monitor = Monitor::unlimited();
            let valued = source.form(position, &mut monitor);
            return valued.map_err(|given_up| blame(without_value(self.bound(summand), given_up, &monitor)));
        }
        let nimber = self.nimber_of(summand, position)?.nimber().and_then(|nimber| u32::try_from(nimber).ok());
        let why = "its nimber does not fit in 32 bits, and the other summands are not impartial";
        let nimber = nimber.ok_or_else(|| blame(SolveError::NotApplicable(why.to_string())))?;
        let value = theory.arena.within(|arena| arena.nimber(nimber)).map_err(|error| blame(error.into()))?;
        Ok(Form::Value(value))
    }

    fn forms(&self, theory: &Theory<'b>, position: &SumPosition) -> Result<Vec<Form>, SumError> {
        let summands = position.summands.iter().enumerate();
        summands.map(|(summand, here)| self.form_of(theory, summand, here)).collect()
    }

    /// What a player who moves now makes of the sum of these.
    fn result(&self, theory: &Theory<'b>, forms: &[Form], player: Player) -> Result<Outcome, SumError> {
        let Some(forms) = finite(forms) else {
            let total = self.total(theory, forms)?;
            let reach = theory.arena.within(|arena| total.to_loopy(arena)?.reach(side_of(player))).map_err(blame)?;
            return Ok(outcome(reach));
        };
        let mut search = theory.search.borrow_mut();
        let won = theory.arena.within(|arena| search.wins(arena, &forms, side_of(player))).map_err(blame)?;
        Ok(if won { Outcome::Win } else { Outcome::Loss })
    }

    /// The sum of values of which some have loops.
    fn total(&self, theory: &Theory<'b>, forms: &[Form]) -> Result<Form, SumError> {
        theory.arena.within(|arena| total(arena, forms)).map_err(|error| match error {
            engine::Error::NotApplicable(why) => {
                blame(SolveError::NotApplicable(format!("the sum has no value that the theory gives: {why}")))
            }
            error => blame(error),
        })
    }

    /// What is known of a position by forms.
    pub(super) fn standing(&self, theory: &Theory<'b>, position: &SumPosition) -> Result<Standing, SumError> {
        let summands = self.forms(theory, position)?;
        let Some(values) = finite(&summands) else {
            let total = Some(self.total(theory, &summands)?);
            return Ok(Standing { summands, class: None, total });
        };
        let mut search = theory.search.borrow_mut();
        let outcome = theory.arena.within(|arena| search.outcome(arena, &values)).map_err(blame)?;
        let total = theory.arena.within(|arena| arena.total_within(&values, SMALL)).map_err(blame)?;
        let by_total =
            total.map(|total| theory.arena.within(|arena| arena.outcome(total))).transpose().map_err(blame)?;
        if by_total.is_some_and(|by_total| by_total != outcome) {
            return Err(blame(SolveError::internal("the value of the sum does not tell who wins")));
        }
        Ok(Standing { summands, class: Some(outcome), total: total.map(Form::Value) })
    }

    /// A value as people want it.
    pub(super) fn text_of(&self, theory: &Theory<'b>, form: &Form) -> Result<ValueText, SumError> {
        match form {
            Form::Value(value) => theory.arena.text_of(*value),
            Form::Loopy(loopy) => theory.arena.within(|arena| loopy_name(loopy, arena)),
        }
        .map_err(blame)
    }

    /// Won, lost or drawn by the player to move.
    pub(super) fn outcome_by_forms(&self, theory: &Theory<'b>, position: &SumPosition) -> Result<Outcome, SumError> {
        self.result(theory, &self.forms(theory, position)?, position.turn)
    }

    /// Whether positions of a summand repeat, whose moves belong to players or stand beside such.
    pub(super) fn has_loops(&self) -> bool {
        self.theory.as_ref().is_some_and(repeats)
    }

    /// Whether best moves may go round for ever, though somebody wins: positions of a summand repeat, there are too many of them to
    /// solve the sum backward, and values do not tell how a win is brought nearer.
    pub fn goes_round(&self) -> bool {
        self.theory.as_ref().is_some_and(|theory| {
            let few = self.rounds(theory, &mut Monitor::unlimited());
            repeats(theory) && !few.is_ok_and(|rounds| rounds.is_some())
        })
    }

    /// All positions of a sum whose positions repeat, where they are few.
    fn rounds<'t>(&self, theory: &'t Theory<'b>, monitor: &mut Monitor) -> Result<Option<&'t Rounds>, SumError> {
        if !repeats(theory) {
            return Ok(None);
        }
        if theory.rounds.get().is_none() {
            let rounds = Rounds::new(&self.compound, monitor)?;
            if let Some(rounds) = &rounds {
                let start = self.compound.start();
                if rounds.outcome(&start) != Some(self.outcome_by_forms(theory, &start)?) {
                    return Err(blame(SolveError::internal("the value of the sum is not what its ends tell")));
                }
            }
            let _ = theory.rounds.set(rounds);
        }
        Ok(theory.rounds.get().and_then(Option::as_ref))
    }

    /// The legal moves of a position, rated.
    pub(super) fn listed_by_forms(&self, theory: &Theory<'b>, position: &SumPosition) -> Result<ListedMoves, SumError> {
        let forms = self.forms(theory, position)?;
        let whole = self.result(theory, &forms, position.turn)?;
        let (plays, more) = self.compound.first_plays(position, MOST_LISTED)?;
        if more {
            let why = "a position has too many moves to be listed, and the summands are not all impartial";
            return Err(blame(SolveError::NotApplicable(why.to_string())));
        }
        let mut moves = Vec::with_capacity(plays.len());
        for play in plays {
            let (summand, mut after) = (play.summand, forms.clone());
            after[summand] = self.form_of(theory, summand, &play.option(&position.summands[summand]))?;
            let result = -self.result(theory, &after, position.turn.other())?;
            let worth = game::Verdict::outcome_in(result, None);
            moves.push(RatedMove { best: result == whole, ..RatedMove::worth(play, worth) });
        }
        let count = Some(moves.len() as u128);
        Ok(ListedMoves::all(moves, count))
    }

    /// Judges moves of a position by values: which are dominated, which are reversible, and which summand is hottest. None
    /// where all summands are impartial, or there are too many moves.
    pub fn judged(&self, position: &SumPosition, moves: &[RatedMove]) -> Result<Option<Judged>, SumError> {
        let Some(theory) = self.theory.as_ref().filter(|_| moves.len() <= MOST_JUDGED) else { return Ok(None) };
        let forms = self.forms(theory, position)?;
        let mut became = Vec::with_capacity(moves.len());
        for RatedMove { play, .. } in moves {
            became.push(self.form_of(theory, play.summand, &play.option(&position.summands[play.summand]))?);
        }
        let (Some(parts), Some(after)) = (finite(&forms), finite(&became)) else {
            return self.judged_by_loops(theory, position, &forms, moves, &became).map(Some);
        };
        let mut bench = theory.arena.within(|arena| Bench::new(arena, position.turn, parts)).map_err(blame)?;
        for (RatedMove { play, .. }, became) in moves.iter().zip(after) {
            theory.arena.within(|arena| bench.look(arena, play.summand, became)).map_err(blame)?;
        }
        let judged = theory.arena.with(|arena| bench.judged(arena, &self.names(), None)).map_err(blame)?;
        Ok(Some(judged))
    }

    /// What people call the summands.
    fn names(&self) -> Vec<(String, Place)> {
        let summands = 0..self.which.len();
        summands.map(|summand| (self.compound.name(summand).to_string(), Place::Part(summand))).collect()
    }

    /// Judges moves where a value has loops.
    fn judged_by_loops(
        &self,
        theory: &Theory<'b>,
        position: &SumPosition,
        forms: &[Form],
        moves: &[RatedMove],
        became: &[Form],
    ) -> Result<Judged, SumError> {
        let value = self.text_of(theory, &self.total(theory, forms)?)?;
        let mut left = Vec::with_capacity(moves.len());
        for (RatedMove { play, .. }, became) in moves.iter().zip(became) {
            let mut after = forms.to_vec();
            after[play.summand] = became.clone();
            left.push(Some(self.total(theory, &after)?));
        }
        let marks = theory.arena.within(|arena| marks(arena, &left, position.turn)).map_err(blame)?;
        let mut judged = Vec::with_capacity(moves.len());
        for (at, mark) in marks.into_iter().enumerate() {
            let value = left[at].as_ref().map(|left| self.text_of(theory, left)).transpose()?;
            judged.push(MoveJudgement {
                value,
                missing: None,
                part: Some((moves[at].play.summand, self.text_of(theory, &became[at])?)),
                mark,
            });
        }
        let mut parts = Vec::with_capacity(forms.len());
        for (form, (name, place)) in forms.iter().zip(self.names()) {
            parts.push(JudgedPart { name, place, value: self.text_of(theory, form)?, hottest: false });
        }
        Ok(Judged { class: None, value: Some(value), missing: None, parts, moves: judged })
    }

    /// The move that perfect play makes: a best one in the hottest summand. None where nobody can move.
    pub(super) fn choice_by_forms(
        &self,
        theory: &Theory<'b>,
        position: &SumPosition,
    ) -> Result<Option<Play>, SumError> {
        if let Some(rounds) = self.rounds(theory, &mut Monitor::unlimited())?
            && rounds.outcome(position).is_some()
        {
            return rounds.choice(&self.compound, position);
        }
        let moves = self.listed_by_forms(theory, position)?.moves;
        let mut best: Option<(values::Dyadic, &RatedMove)> = None;
        for mv in moves.iter().filter(|mv| mv.best) {
            let heat = self.heat(theory, mv.play.summand, &position.summands[mv.play.summand])?;
            if best.as_ref().is_none_or(|(most, _)| heat > *most) {
                best = Some((heat, mv));
            }
        }
        Ok(best.map(|(_, mv)| mv.play.clone()))
    }

    /// The temperature of a summand; that of zero where it does not fit, or where there are loops.
    fn heat(&self, theory: &Theory<'b>, summand: usize, here: &Position) -> Result<values::Dyadic, SumError> {
        let Form::Value(form) = self.form_of(theory, summand, here)? else { return Ok(values::Dyadic::ZERO) };
        let heat = theory.arena.within(|arena| match arena.temperature(form) {
            Err(values::Error::Overflow(_)) => Ok(values::Dyadic::ZERO),
            other => other,
        });
        heat.map_err(|error| SumError { summand, error: error.into() })
    }

    /// One line of best play, at most [`MOST_MOVES`], and whether it is cut. The result of the line is that of the start.
    /// None where it may go round though somebody wins: values do not tell how a win is brought nearer.
    pub(super) fn line_by_forms(
        &self,
        theory: &Theory<'b>,
        monitor: &mut Monitor,
    ) -> Result<Option<(Vec<Play>, bool)>, SumError> {
        let mut position = self.compound.start();
        let rounds = self.rounds(theory, monitor)?;
        if rounds.is_none() && finite(&self.forms(theory, &position)?).is_none() {
            return Ok(None);
        }
        // A game whose positions repeat may have a value without loops.
        let mut met = repeats(theory).then(FxHashSet::default);
        let promised = self.outcome_by_forms(theory, &position)?;
        let mut line = Vec::new();
        loop {
            let in_time = goes_on(self.positions(), monitor).map_err(blame)?;
            let Some(mv) = self.choice_by_forms(theory, &position)? else { break };
            if line.len() == MOST_MOVES || !in_time {
                return Ok(Some((line, true)));
            }
            if met.as_mut().is_some_and(|met| !met.insert(position.clone())) {
                let endless = rounds.is_some_and(|rounds| rounds.is_endless(&position));
                return Ok(endless.then_some((line, true)));
            }
            position.apply(&mv);
            line.push(mv);
        }
        // Whoever is to move now has lost.
        match (promised == Outcome::Win) == (line.len() % 2 == 1) {
            true => Ok(Some((line, false))),
            false => Err(blame(SolveError::internal("the line of best play does not give the value"))),
        }
    }
}
