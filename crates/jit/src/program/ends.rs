//! Ends and their results, and the function that expands a position.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};
use game::codes::Gains;
use rules::program::{EndRule, Ending, EndingKind};

use super::frame::Place;
use super::shape::Shape;
use super::writer::{Writer, Written};
use crate::error::JitError;

/// What the function returns.
pub const OPTIONS: i64 = 0;
pub const END: i64 = 1;
pub const FAULT: i64 = 2;

impl Writer<'_, '_, '_, '_> {
    /// Ends in order, then moves in order, then what holds where there is no move. A part of a sum has moves only.
    pub fn position(&mut self) -> Written<()> {
        let bound = self.bound();
        let is_part = bound.program.sum.is_some();
        if !is_part {
            self.ends(&bound.program.ends)?;
        }
        for mv in &bound.program.moves {
            let after = self.block();
            if let Some(owner) = mv.owner {
                let on = self.block();
                let theirs = self.compare_to(IntCC::Equal, self.mover, i64::from(owner));
                self.builder.ins().brif(theirs, on, &[], after, &[]);
                self.go(on);
            }
            self.scope = super::writer::Scope::new(&mv.body, false);
            self.rule(mv)?;
            self.jump(after);
            self.go(after);
        }
        self.scope = super::writer::Scope::new(&[], false);
        if is_part {
            self.leave_with(OPTIONS);
        } else {
            self.without_moves()?;
        }
        self.go(self.fault);
        self.leave_with(FAULT);
        Ok(())
    }

    /// What holds where there is no move; else the options.
    fn without_moves(&mut self) -> Written<()> {
        let bound = self.bound();
        let count = self.get(Place::Count);
        let (some, none) = (self.block(), self.block());
        self.builder.ins().brif(count, some, &[], none, &[]);
        self.go(none);
        self.ends(&bound.program.stuck)?;
        if bound.program.counted {
            let zero = self.constant(0);
            self.write_all(&vec![zero; bound.players])?;
        } else {
            self.outcome(-1)?;
        }
        self.leave_with(END);
        self.go(some);
        self.leave_with(OPTIONS);
        Ok(())
    }

    /// The first of these rules that holds ends play.
    fn ends(&mut self, rules: &[EndRule]) -> Written<()> {
        for rule in rules {
            let (over, on) = (self.block(), self.block());
            self.branch(&rule.when, over, on)?;
            self.go(over);
            self.ending(&rule.result)?;
            self.go(on);
        }
        Ok(())
    }

    fn leave_with(&mut self, what: i64) {
        let what = self.constant(what);
        self.builder.ins().return_(&[what]);
    }

    /// Writes a result and returns.
    fn ending(&mut self, ending: &Ending) -> Written<()> {
        let players = self.bound().players;
        match &ending.kind {
            EndingKind::Win => self.outcome(1)?,
            EndingKind::Lose => self.outcome(-1)?,
            EndingKind::Draw => self.outcome(0)?,
            EndingKind::Winner(player) => {
                let winner = self.player(player)?;
                let (one, minus) = (self.constant(1), self.constant(-1));
                if players == 2 {
                    let same = self.compare(IntCC::Equal, winner.value, self.mover);
                    let worth = self.builder.ins().select(same, one, minus);
                    self.write_outcome(worth)?;
                } else {
                    self.write_for(winner.value, one, minus)?;
                }
            }
            EndingKind::Score(score) => {
                let score = self.scalar(score)?;
                let zero = self.constant(0);
                self.write_for(self.mover, score.value, zero)?;
            }
            EndingKind::Payoffs(list) => {
                let list = self.value(list)?;
                if !matches!(list.shape, Shape::List { .. }) {
                    return Err(JitError::Unsupported("payoffs of a kind that has no code"));
                }
                let wrong = self.compare_to(IntCC::NotEqual, list.words[1], players as i64);
                self.fault_if(wrong);
                let gains: Vec<Value> =
                    (0..players as i32).map(|player| self.load(list.words[0], player * 8)).collect();
                self.write_all(&gains)?;
            }
        }
        self.leave_with(END);
        Ok(())
    }

    /// The mover's outcome; with more than two players, the payoff of each.
    fn outcome(&mut self, worth: i64) -> Written<()> {
        let (mine, theirs) = (self.constant(worth), self.constant(-worth));
        match self.bound().players {
            2 => self.write_outcome(mine),
            _ => self.write_for(self.mover, mine, theirs),
        }
    }

    fn write_outcome(&mut self, worth: Value) -> Written<()> {
        if self.shared.gains != Gains::Outcome {
            return Err(JitError::Unsupported("an outcome where gains are counted"));
        }
        let gains = self.get(Place::Gains);
        self.store(worth, gains, 0);
        Ok(())
    }

    /// One gain for a player, another one for all others.
    fn write_for(&mut self, player: Value, one: Value, others: Value) -> Written<()> {
        let mut gains = Vec::new();
        for other in 0..self.bound().players as i64 {
            let own = self.compare_to(IntCC::Equal, player, other);
            gains.push(self.builder.ins().select(own, one, others));
        }
        self.write_all(&gains)
    }

    fn write_all(&mut self, gains: &[Value]) -> Written<()> {
        let target = self.get(Place::Gains);
        match self.shared.gains {
            Gains::Outcome => return Err(JitError::Unsupported("gains where outcomes are wanted")),
            Gains::All => {
                for (player, gain) in gains.iter().enumerate() {
                    self.store(*gain, target, player as i32 * 8);
                }
            }
            Gains::Difference => {
                let deed = self.get(Place::Deed);
                for (player, gain) in gains.iter().enumerate() {
                    self.store(*gain, deed, player as i32 * 8);
                }
                let difference = self.difference(deed);
                self.store(difference, target, 0);
            }
        }
        Ok(())
    }

    /// A function of the file: its arguments are the parameters after the frame and the mover.
    pub fn function(&mut self, function: &rules::program::Function) -> Written<()> {
        let entry = self.builder.current_block();
        let Some(entry) = entry else { return Err(JitError::Unsupported("a function without a start")) };
        let given: Vec<Value> = self.builder.block_params(entry)[2..].to_vec();
        let mut parameters = given.into_iter();
        let mut values = Vec::new();
        for ty in &function.params {
            let shape = Shape::of(ty);
            let zero = self.constant(0);
            let mut words = [zero; 3];
            for word in words.iter_mut().take(shape.width()) {
                *word = parameters.next().unwrap_or(zero);
            }
            values.push(super::shape::Val { shape, words });
        }
        self.bind_arguments(&values);
        self.statements(&function.body)?;
        self.jump(self.fault);
        self.go(self.fault);
        let failed = self.constant(1);
        self.builder.ins().return_(&[failed]);
        Ok(())
    }
}
