//! Ends, results and the measure; and whether it matters who moves.

use rules::program::{Ending, EndingKind};

use super::{Made, Specialiser, unsupported};
use crate::formulas::{Case, EndResult, Formulas};
use crate::node::Node;
use crate::rewrite::{Rewrite, action_nodes, case_nodes};

impl<'b> Specialiser<'b> {
    /// The `end` rules. From here on the path assumes that none of them holds.
    pub(super) fn ends(&mut self) -> Made<Vec<Case>> {
        let program = self.program;
        let mut cases = Vec::with_capacity(program.ends.len());
        for rule in &program.ends {
            let mark = self.state.mark();
            let when = self.scalar(&rule.when)?;
            let result = self.under(when, |this| this.ending(&rule.result))?;
            self.state.undo(mark);
            let fault = self.take_fault();
            let not = self.arena.not(when);
            self.enter(not, false);
            if !(self.is_never(when) && self.is_never(fault)) {
                cases.push(Case { when, result, fault });
            }
        }
        Ok(cases)
    }

    /// The result of a position without options.
    pub(super) fn stuck(&mut self) -> Made<Case> {
        let program = self.program;
        let depth = self.path.len();
        let mut found: Vec<(Node, EndResult)> = Vec::new();
        let mut said = false;
        for rule in &program.stuck {
            let mark = self.state.mark();
            let when = self.scalar(&rule.when)?;
            let when = self.settle(when);
            let result = self.under(when, |this| this.ending(&rule.result))?;
            self.state.undo(mark);
            said = self.is_always(when);
            if !self.is_never(when) {
                found.push((when, result));
            }
            if said {
                break;
            }
            let not = self.arena.not(when);
            self.enter(not, true);
        }
        self.path.truncate(depth);
        let mut result = match found.pop_if(|_| said) {
            Some((_, result)) => result,
            None if program.counted => EndResult::Gains(vec![self.arena.number(0); self.bound.players]),
            None => self.outcome(-1),
        };
        for (when, earlier) in found.into_iter().rev() {
            result = self.choose_worth(when, &earlier, &result);
        }
        let fault = self.take_fault();
        Ok(Case { when: self.arena.number(1), result, fault })
    }

    /// The first result where a condition holds, otherwise the second.
    fn choose_worth(&mut self, when: Node, first: &EndResult, second: &EndResult) -> EndResult {
        match (first, second) {
            (EndResult::Outcome(a), EndResult::Outcome(b)) => EndResult::Outcome(self.arena.select(when, *a, *b)),
            (EndResult::Gains(a), EndResult::Gains(b)) => {
                EndResult::Gains(a.iter().zip(b).map(|(a, b)| self.arena.select(when, *a, *b)).collect())
            }
            // A file is counted or not, so its results are of one kind.
            (first, _) => first.clone(),
        }
    }

    /// The declared measure, with its fault.
    pub(super) fn measure(&mut self) -> Made<Option<(Node, Node)>> {
        let Some(measure) = &self.program.measure else { return Ok(None) };
        let mark = self.state.mark();
        let node = self.scalar(measure)?;
        self.state.undo(mark);
        Ok(Some((node, self.take_fault())))
    }

    fn ending(&mut self, ending: &'b Ending) -> Made<EndResult> {
        match &ending.kind {
            EndingKind::Win => Ok(self.outcome(1)),
            EndingKind::Lose => Ok(self.outcome(-1)),
            EndingKind::Draw => Ok(self.outcome(0)),
            EndingKind::Winner(player) => {
                let winner = self.scalar(player)?;
                self.fault_outside(winner, 0, self.bound.players as i64 - 1);
                if self.bound.players == 2 {
                    let own = self.arena.eq(winner, self.mover);
                    return Ok(EndResult::Outcome(self.arena.combine(&[(own, 2)], -1)));
                }
                let gains = (0..self.bound.players as i64).map(|player| {
                    let player = self.arena.number(player);
                    let own = self.arena.eq(winner, player);
                    self.arena.combine(&[(own, 2)], -1)
                });
                Ok(EndResult::Gains(gains.collect()))
            }
            EndingKind::Score(score) => {
                let score = self.scalar(score)?;
                let none = self.arena.number(0);
                let gains = (0..self.bound.players as i64).map(|player| {
                    let player = self.arena.number(player);
                    let own = self.arena.eq(self.mover, player);
                    self.arena.select(own, score, none)
                });
                Ok(EndResult::Gains(gains.collect()))
            }
            EndingKind::Payoffs(list) => {
                let value = self.value(list)?;
                let players = self.bound.players;
                match self.fixed_length(&value) {
                    Some(length) if length == players => {}
                    Some(_) => self.fault_here(),
                    None => {
                        let (length, wanted) = (self.length(&value)?, self.arena.number(players as i64));
                        let differs = self.arena.ne(length, wanted);
                        self.fault_if(differs);
                    }
                }
                let mut gains = Vec::with_capacity(players);
                for player in 0..players {
                    match self.item(&value, player)? {
                        super::symbols::Sym::Scalar(node) => gains.push(node),
                        _ => return unsupported("payoffs are not numbers"),
                    }
                }
                Ok(EndResult::Gains(gains))
            }
        }
    }

    /// The mover's outcome; with more than two players, the payoff of each.
    fn outcome(&mut self, worth: i64) -> EndResult {
        if self.bound.players == 2 {
            return EndResult::Outcome(self.arena.number(worth));
        }
        let gains = (0..self.bound.players as i64).map(|player| {
            let player = self.arena.number(player);
            let own = self.arena.eq(self.mover, player);
            self.arena.combine(&[(own, 2 * worth)], -worth)
        });
        EndResult::Gains(gains.collect())
    }
}

/// Whether it matters who moves: whether the rules differ from mover to mover in anything but turns and gains seen from
/// the mover.
pub(super) fn mover_matters(formulas: &mut Formulas) -> bool {
    let players = formulas.players;
    let mover = formulas.arena.mover(players);
    let mut seen: Option<Vec<Node>> = None;
    for player in 0..players {
        let number = formulas.arena.number(player as i64);
        let mut rewrite = Rewrite::new(&[(mover, number)]);
        let mut nodes = Vec::new();
        let rotated = |gains: &[Node]| (0..gains.len()).map(|k| gains[(player + k) % players]).collect::<Vec<Node>>();
        for case in formulas.ends.iter().chain([&formulas.stuck]) {
            let mut case = case.clone();
            if let EndResult::Gains(gains) = &mut case.result {
                *gains = rotated(gains);
            }
            case_nodes(&mut case, &mut |node| nodes.push(*node));
        }
        let mut turns = Vec::new();
        for action in &formulas.actions {
            let mut action = action.clone();
            action.gains = rotated(&action.gains);
            turns.push(action.turn);
            action.turn = action.guard;
            action_nodes(&mut action, &mut |node| nodes.push(*node));
        }
        for node in &mut nodes {
            *node = rewrite.node(&mut formulas.arena, &formulas.lists, *node);
        }
        for turn in turns {
            let turn = rewrite.node(&mut formulas.arena, &formulas.lists, turn);
            if players == 2 {
                nodes.push(formulas.arena.eq(turn, number));
                continue;
            }
            let ahead = formulas.arena.shift(turn, players as i64 - player as i64);
            let count = formulas.arena.number(players as i64);
            nodes.push(formulas.arena.rem(ahead, count));
        }
        match &seen {
            None => seen = Some(nodes),
            Some(seen) if *seen != nodes => return true,
            Some(_) => {}
        }
    }
    false
}
