//! Ends and results, and the declarations that planners and testers ask for.

use game::{End, Outcome, Player};

use super::{Interpreter, faults};
use crate::fault::Fault;
use crate::program::{Ending, EndingKind, Expr};
use crate::types::Type;
use crate::value::Value;

/// What a `claim` says of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claimed {
    /// A number: a score, a nimber, a player (−1 for a draw), or 1, 0, −1 for an outcome.
    Number(i64),
    /// A word such as `first` or `win`.
    Text(String),
}

impl<'b> Interpreter<'b> {
    /// The result of the first `end` rule that holds, if the game is over here.
    pub fn end(&mut self, part: &[i64], mover: Player) -> Result<Option<End>, Fault> {
        let program = self.program;
        for rule in &program.ends {
            self.enter(part, mover);
            let end = self.try_end(&rule.when, &rule.result);
            if let Some(end) = end.map_err(|fault| self.place(fault, part, mover))? {
                return Ok(Some(end));
            }
        }
        Ok(None)
    }

    fn try_end(&mut self, when: &'b Expr, result: &'b Ending) -> Result<Option<End>, Fault> {
        if self.scalar(when)? == 0 {
            return Ok(None);
        }
        self.ending(result).map(Some)
    }

    /// How the game ends in a position without moves.
    pub fn stuck(&mut self, part: &[i64], mover: Player) -> Result<End, Fault> {
        let program = self.program;
        for rule in &program.stuck {
            self.enter(part, mover);
            let end = self.try_end(&rule.when, &rule.result);
            if let Some(end) = end.map_err(|fault| self.place(fault, part, mover))? {
                return Ok(end);
            }
        }
        self.mover = mover;
        match program.counted {
            true => Ok(End::Gains(vec![0; self.players])),
            false => Ok(self.outcome(Outcome::Loss)),
        }
    }

    fn ending(&mut self, ending: &'b Ending) -> Result<End, Fault> {
        match &ending.kind {
            EndingKind::Win => Ok(self.outcome(Outcome::Win)),
            EndingKind::Lose => Ok(self.outcome(Outcome::Loss)),
            EndingKind::Draw => Ok(self.outcome(Outcome::Draw)),
            EndingKind::Winner(player) => {
                let number = self.scalar(player)?;
                let winner = self.player(number, player.span)?;
                if self.players == 2 {
                    return Ok(End::Outcome(if winner == self.mover { Outcome::Win } else { Outcome::Loss }));
                }
                let mut gains = vec![-1; self.players];
                gains[winner.index()] = 1;
                Ok(End::Gains(gains))
            }
            EndingKind::Score(score) => {
                let number = self.scalar(score)?;
                let mut gains = vec![0; self.players];
                gains[self.mover.index()] = number;
                Ok(End::Gains(gains))
            }
            EndingKind::Payoffs(list) => {
                let value = self.value(list)?;
                let gains = value.numbers().ok_or_else(|| faults::impossible(list.span, "payoffs are numbers"))?;
                if gains.len() != self.players {
                    let title = format!("{} payoffs for {} players", gains.len(), self.players);
                    return Err(Fault::at(list.span, title, "one payoff a player is needed, from player 0 on"));
                }
                Ok(End::Gains(gains.to_vec()))
            }
        }
    }

    /// The mover's outcome; with more than two players, the payoff of each.
    fn outcome(&self, outcome: Outcome) -> End {
        if self.players == 2 {
            return End::Outcome(outcome);
        }
        let worth = outcome.sign();
        let mut gains = vec![-worth; self.players];
        gains[self.mover.index()] = worth;
        End::Gains(gains)
    }

    /// The declared measure, if there is one.
    pub fn measure(&mut self, part: &[i64], mover: Player) -> Result<Option<i64>, Fault> {
        self.declared(self.program.measure.as_ref(), part, mover)
    }

    /// The declared estimate of the mover's value, if there is one.
    pub fn estimate(&mut self, part: &[i64], mover: Player) -> Result<Option<i64>, Fault> {
        self.declared(self.program.estimate.as_ref(), part, mover)
    }

    fn declared(&mut self, expr: Option<&'b Expr>, part: &[i64], mover: Player) -> Result<Option<i64>, Fault> {
        let Some(expr) = expr else { return Ok(None) };
        self.enter(part, mover);
        self.scalar(expr).map(Some).map_err(|fault| self.place(fault, part, mover))
    }

    /// Whether a cell with this value belongs to a region, by the condition of `regions` item `region`.
    pub fn in_region(&mut self, region: usize, cell: i64, part: &[i64], mover: Player) -> Result<bool, Fault> {
        let program = self.program;
        let Some(regions) = program.regions.get(region) else { return Ok(false) };
        self.enter(part, mover);
        self.set_local(0, Value::Int(cell));
        let holds = self.scalar(&regions.condition);
        holds.map(|holds| holds != 0).map_err(|fault| self.place(fault, part, mover))
    }

    /// What `claim` item `claim` says of this instance; `None` if its condition does not hold.
    pub fn claim(&mut self, claim: usize) -> Result<Option<Claimed>, Fault> {
        let program = self.program;
        let Some(claim) = program.claims.get(claim) else { return Ok(None) };
        if let Some(when) = &claim.when
            && self.number_of(when)? == 0
        {
            return Ok(None);
        }
        let value = self.value_of(&claim.value)?;
        let over = claim.over.as_ref().map(|over| Ok::<_, Fault>((over.span, self.number_of(over)?))).transpose()?;
        match value {
            Value::Int(number) => match over {
                None => Ok(Some(Claimed::Number(number))),
                Some((_, over @ 1..)) => Ok(Some(fraction(number, over))),
                Some((span, over)) => {
                    let title = format!("the lower number of a fraction is {over}, but must be above 0");
                    Err(faults::argument(span, title, "not above 0"))
                }
            },
            value if claim.value.ty == Type::Text => Ok(Some(Claimed::Text(value.characters()))),
            _ => Err(faults::impossible(claim.span, "a claim is a number or a word")),
        }
    }
}

/// A fraction in lowest terms, as values are written; `over` is above 0.
fn fraction(number: i64, over: i64) -> Claimed {
    let (mut divisor, mut rest) = (over.unsigned_abs(), number.unsigned_abs());
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    let divisor = i64::try_from(divisor).unwrap_or(1);
    match over / divisor {
        1 => Claimed::Number(number / divisor),
        over => Claimed::Text(format!("{}/{over}", number / divisor)),
    }
}
