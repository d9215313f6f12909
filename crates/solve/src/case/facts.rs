//! The facts: what kind of game this is, as far as the rules and the instance show it. Nothing is played here.

use rules::bind::Bound;
use rules::diagnostic::Diagnostic;
use rules::program::{EndingKind, ExprKind, Objective, Program};

use super::properties;
use crate::error::SolveError;
use crate::fact::Fact;
use crate::positions::Keeps;

/// What kind of answer the game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Won, lost or drawn.
    Outcome,
    /// A score for two, each maximising the difference.
    Score,
    /// One total a player, each maximising their own.
    Payoffs,
    /// More than two players, won by one of them.
    Winners,
}

impl Kind {
    /// What a graph keeps of the gains of a game of this kind.
    pub(crate) fn keeps(self) -> Keeps {
        match self {
            Kind::Outcome => Keeps::Outcome,
            Kind::Score => Keeps::Score,
            Kind::Payoffs | Kind::Winners => Keeps::Payoffs,
        }
    }
}

/// What is known of a bound game before it is solved, each with its reason.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The kind of answer.
    pub kind: Kind,
    /// Both players always have the same moves.
    pub impartial: Fact,
    /// The last mover wins.
    pub last_mover: Fact,
    /// The position is a sum of parts.
    pub sum: Fact,
    /// Positions cannot repeat, as far as the rules show.
    pub acyclic: Fact,
    /// All gains add up to the same total, as far as the rules show. Counted games only.
    pub constant_total: Option<Fact>,
    /// Whether positions must record whose turn it is.
    pub with_turn: bool,
    /// Whether positions have Grundy numbers, if none repeats.
    pub nimbers: bool,
    /// Whether it is asked who wins whoever starts.
    pub partizan: bool,
    /// Whether who cannot move wins, nothing else ends the game and turns alternate: misère play.
    pub misere: bool,
}

impl Facts {
    /// The facts of a game.
    pub fn new(bound: &Bound) -> Result<Facts, SolveError> {
        let program = &*bound.program;
        let kind = kind(bound)?;
        let impartial = properties::impartial(program, bound.players);
        let last_mover = properties::last_mover_wins(program, bound.players);
        let sum = match &program.sum {
            Some(sum) => {
                let (count, part) = (bound.start.parts.len(), &sum.part);
                let parts = if count == 1 { "1 part".to_string() } else { format!("{count} parts") };
                Fact::yes(format!("the rules say `sum of {part}`: {parts}"))
            }
            None => Fact::no("the rules state one position"),
        };
        Ok(Facts {
            kind,
            nimbers: impartial.holds && last_mover.holds,
            partizan: !impartial.holds && last_mover.holds,
            with_turn: !impartial.holds || kind == Kind::Payoffs,
            misere: properties::last_mover_loses(program, bound.players),
            impartial,
            last_mover,
            sum,
            acyclic: properties::acyclic(program),
            constant_total: (kind == Kind::Score || kind == Kind::Payoffs).then(|| constant_total(bound)),
        })
    }

    /// Whether the rules show that all gains add up to the same total.
    pub fn total_is_proved(&self) -> Option<Fact> {
        self.constant_total.clone().filter(|fact| fact.holds)
    }
}

fn kind(bound: &Bound) -> Result<Kind, SolveError> {
    let program = &*bound.program;
    let several = bound.players > 2;
    if several && program.objective == Some(Objective::Difference) {
        let title = format!("`objective difference` is for two players; this game has {}", bound.players);
        let help = "leave it out: with three or more players each maximises their own total";
        return Err(SolveError::Fault(Diagnostic::at(program.name_span, title, "this game").help(help).into()));
    }
    Ok(match (program.counted, several) {
        (false, false) => Kind::Outcome,
        (false, true) => Kind::Winners,
        (true, true) => Kind::Payoffs,
        (true, false) if program.objective == Some(Objective::Own) => Kind::Payoffs,
        (true, false) => Kind::Score,
    })
}

/// Constant total, seen in the rules: moves earn nothing, and every result pays out the same.
fn constant_total(bound: &Bound) -> Fact {
    let program = &*bound.program;
    if properties::gains_in_moves(program) {
        return Fact::no("not seen in the rules, since moves gain: the totals of all positions are compared");
    }
    match results_total(bound, program) {
        Some(total) => Fact::yes(format!("moves earn nothing, and every result pays out {total} in all")),
        None => Fact::no("not seen in the rules, since results differ: the totals of all positions are compared"),
    }
}

/// What every result pays out in all, if that is one number that the rules show.
fn results_total(bound: &Bound, program: &Program) -> Option<i64> {
    let default = program.stuck_by_default().then_some(None);
    let endings = rules::visit::results(program).map(Some).chain(default);
    let mut known = None;
    for ending in endings {
        let total = match ending.map(|ending| &ending.kind) {
            None => 0,
            Some(EndingKind::Score(value)) => literal(bound, value)?,
            Some(EndingKind::Payoffs(list)) => match &list.kind {
                ExprKind::List(items) => {
                    let totals = items.iter().map(|item| literal(bound, item)).collect::<Option<Vec<i64>>>()?;
                    totals.into_iter().try_fold(0i64, i64::checked_add)?
                }
                _ => return None,
            },
            Some(_) => return None,
        };
        if known.is_some_and(|known| known != total) {
            return None;
        }
        known = Some(total);
    }
    known
}

/// A number that stands in the rules or is a parameter or `let`.
fn literal(bound: &Bound, value: &rules::program::Expr) -> Option<i64> {
    match &value.kind {
        ExprKind::Scalar(value) => Some(*value),
        ExprKind::Global(slot) => bound.globals[*slot].as_int(),
        _ => None,
    }
}
