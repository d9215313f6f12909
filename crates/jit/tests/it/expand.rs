//! Compiled options are those of the formulas, in order, for random formulas at random positions.

use formula::eval::{Evaluator, Point};
use formula::{Action, Case, Coded, Count, EndResult, Formulas, Node, Numbering, Op, Range, TurnPlace};
use jit::{Expanded, Expander, Gains, JitError, Options, Successors, compile_node};
use testkit::Random;

use crate::common::{CHOICES, random_formulas, within};

/// A game of random rules over the nodes of random formulas.
struct Maker<'r> {
    random: &'r mut Random,
    formulas: Formulas,
    /// Nodes without choices, and all.
    plain: Vec<Node>,
    all: Vec<Node>,
}

impl Maker<'_> {
    fn pick(&mut self, choices: bool) -> Node {
        let from = if choices { &self.all } else { &self.plain };
        from[self.random.below(from.len())]
    }

    /// Something between two numbers.
    fn within(&mut self, choices: bool, range: Range) -> Node {
        let node = self.pick(choices);
        let arena = &mut self.formulas.arena;
        let (low, high) = (arena.number(range.low), arena.number(range.high));
        let node = arena.max(node, low);
        arena.min(node, high)
    }

    fn truth(&mut self, choices: bool) -> Node {
        let (a, b) = (self.pick(choices), self.pick(choices));
        let arena = &mut self.formulas.arena;
        match self.random.below(6) {
            0 => arena.truth(true),
            1 => arena.lt(a, b),
            2 => {
                let c = arena.not(b);
                let a = arena.not(a);
                arena.or(a, c)
            }
            _ => {
                let number = arena.number(self.random.below(10) as i64);
                arena.lt(a, number)
            }
        }
    }

    /// Seldom true.
    fn fault(&mut self, choices: bool) -> Node {
        if self.random.below(4) > 0 {
            return self.formulas.arena.truth(false);
        }
        let tests: Vec<Node> = (0..4).map(|_| self.truth(choices)).collect();
        tests.into_iter().fold(self.formulas.arena.truth(true), |all, test| self.formulas.arena.and(all, test))
    }

    fn worth(&mut self, gains: Gains, choices: bool) -> EndResult {
        match gains {
            Gains::Outcome => EndResult::Outcome(self.within(false, Range { low: -1, high: 1 })),
            _ => EndResult::Gains((0..self.formulas.players).map(|_| self.gain(choices)).collect()),
        }
    }

    fn gain(&mut self, choices: bool) -> Node {
        match self.random.below(5) {
            0 => self.pick(choices),
            _ => self.within(choices, Range { low: -100, high: 1000 }),
        }
    }

    fn action(&mut self, gains: Gains) -> Action {
        let counts = match self.random.below(3) {
            0 => 1 + self.random.below(CHOICES as usize),
            _ => 0,
        };
        let range = Range { low: -3, high: 9 };
        let counts: Vec<Count> = (0..counts as u32)
            .map(|choice| Count {
                choice,
                low: self.within(false, range),
                high: self.within(false, range),
                fault: self.fault(false),
            })
            .collect();
        let choices = counts.len() == CHOICES as usize;
        let mut after = Vec::new();
        for cell in 0..self.formulas.cells.len() as u32 {
            if self.random.below(3) == 0 {
                let range = self.formulas.cells[cell as usize];
                after.push((cell, self.within(choices, range)));
            }
        }
        let players = self.formulas.players;
        let turn = self.within(choices, Range { low: 0, high: players as i64 - 1 });
        let gains = match gains {
            Gains::Outcome => Vec::new(),
            _ if self.random.below(4) == 0 => Vec::new(),
            _ => (0..players).map(|_| self.gain(choices)).collect(),
        };
        Action {
            choices: Vec::new(),
            rule: 0,
            counts,
            guard: self.truth(choices),
            after,
            split: None,
            turn,
            gains,
            fault: self.fault(choices),
        }
    }

    fn case(&mut self, gains: Gains) -> Case {
        let tests: Vec<Node> = (0..3).map(|_| self.truth(false)).collect();
        let when =
            tests.into_iter().fold(self.formulas.arena.truth(true), |all, test| self.formulas.arena.and(all, test));
        Case { when, result: self.worth(gains, false), fault: self.fault(false) }
    }
}

fn reads_choice(formulas: &Formulas, node: Node) -> bool {
    let mut stack = vec![node];
    while let Some(next) = stack.pop() {
        if matches!(formulas.arena.op(next), Op::Choice(_)) {
            return true;
        }
        formulas.arena.operands(next, &mut |operand| stack.push(operand));
    }
    false
}

fn random_game(random: &mut Random, gains: Gains, players: usize) -> Formulas {
    let range = |low, high| Range { low, high };
    let cells = vec![range(0, 1), range(0, 20), range(-5, 5), range(3, 9), range(1, 7), range(0, 63), range(-1, 40)];
    let (formulas, all) = random_formulas(random, cells, players, 40);
    // The arena compares nodes by their difference: constants that make it overflow are left out.
    let small = |node: &Node| match formulas.arena.op(*node) {
        Op::Const(number) | Op::Linear(_, number) => number.unsigned_abs() < 1 << 40,
        _ => true,
    };
    let all: Vec<Node> = all.into_iter().filter(small).collect();
    let plain: Vec<Node> = all.iter().copied().filter(|node| !reads_choice(&formulas, *node)).collect();
    let mut maker = Maker { random, formulas, plain, all };
    maker.formulas.counted = gains != Gains::Outcome;
    maker.formulas.ends = (0..maker.random.below(4)).map(|_| maker.case(gains)).collect();
    maker.formulas.actions = (0..maker.random.below(8)).map(|_| maker.action(gains)).collect();
    let mut stuck = maker.case(gains);
    stuck.when = maker.formulas.arena.truth(true);
    maker.formulas.stuck = stuck;
    maker.formulas
}

/// The meaning of formulas, step by step.
struct Slow<'f> {
    coded: &'f Coded,
    evaluator: Evaluator<'f>,
    gains: Gains,
    cells: Vec<i64>,
    mover: i64,
    choices: Vec<i64>,
}

impl Slow<'_> {
    fn value(&mut self, node: Node) -> i64 {
        self.evaluator.move_on();
        let Slow { evaluator, cells, mover, choices, .. } = self;
        evaluator.value(node, &Point { cells, mover: *mover, choices })
    }

    fn keep(&mut self, gains: &[Node], into: &mut Vec<i64>) -> Result<(), ()> {
        let values: Vec<i64> = gains.iter().map(|gain| self.value(*gain)).collect();
        match self.gains {
            Gains::Outcome => {}
            Gains::Difference if gains.is_empty() => into.push(0),
            Gains::Difference => {
                let (mine, other) = (values[self.mover as usize], values[1 - self.mover as usize]);
                into.push(mine.checked_sub(other).ok_or(())?);
            }
            Gains::All if gains.is_empty() => into.extend(vec![0; self.coded.formulas.players]),
            Gains::All => into.extend(values),
        }
        Ok(())
    }

    fn end(&mut self, case: &Case, into: &mut Options) -> Result<(), ()> {
        match &case.result {
            EndResult::Outcome(outcome) => into.gains.push(self.value(*outcome)),
            EndResult::Gains(gains) => self.keep(gains, &mut into.gains)?,
        }
        Ok(())
    }

    fn count(&mut self, action: &Action, depth: usize, into: &mut Options) -> Result<(), ()> {
        let Some(count) = action.counts.get(depth) else {
            if self.value(action.fault) != 0 {
                return Err(());
            }
            if self.value(action.guard) != 0 {
                let mut cells = self.cells.clone();
                action.after.iter().for_each(|(cell, node)| cells[*cell as usize] = self.value(*node));
                let turn = self.value(action.turn);
                into.codes.push(self.coded.numbering.code(&cells, turn as u8));
                into.same.push(u8::from(turn == self.mover));
                self.keep(&action.gains, &mut into.gains)?;
            }
            return Ok(());
        };
        if self.value(count.fault) != 0 {
            return Err(());
        }
        for number in self.value(count.low)..=self.value(count.high) {
            self.choices[count.choice as usize] = number;
            self.count(action, depth + 1, into)?;
        }
        Ok(())
    }

    fn expand(&mut self, into: &mut Options) -> Result<Expanded, ()> {
        for case in &self.coded.formulas.ends {
            if self.value(case.fault) != 0 {
                return Err(());
            }
            if self.value(case.when) != 0 {
                return self.end(case, into).map(|()| Expanded::End);
            }
        }
        for action in &self.coded.formulas.actions {
            self.choices.fill(0);
            self.count(action, 0, into)?;
        }
        if !into.codes.is_empty() {
            return Ok(Expanded::Options);
        }
        let stuck = &self.coded.formulas.stuck;
        if self.value(stuck.fault) != 0 {
            return Err(());
        }
        self.end(stuck, into).map(|()| Expanded::End)
    }
}

fn check(seed: u64) -> [usize; 3] {
    let mut random = Random::new(seed * 2 + 1);
    let gains = [Gains::Outcome, Gains::Difference, Gains::All][seed as usize % 3];
    let players = if gains == Gains::All { 2 + random.below(2) } else { 2 };
    let formulas = random_game(&mut random, gains, players);
    let cells: Vec<u32> = (0..formulas.cells.len() as u32).collect();
    let place = if random.below(2) == 0 { TurnPlace::First } else { TurnPlace::Last };
    let numbering = match random.below(2) {
        0 => Numbering::dense(&formulas, &cells, place),
        _ => Numbering::fields(&formulas, &cells, place),
    };
    let coded = Coded::new(formulas, numbering.unwrap(), Vec::new(), None);
    let expander = Expander::compile(&coded, gains).unwrap();
    let measure =
        coded.formulas.actions.first().map(|action| action.turn).filter(|turn| !reads_choice(&coded.formulas, *turn));
    let measure = measure.map(|node| (node, compile_node(&coded, node).unwrap()));
    let mut out = Options::default();
    let mut met = [0; 3];
    for _ in 0..60 {
        let cells: Vec<i64> = coded.formulas.cells.iter().map(|range| within(&mut random, *range)).collect();
        let mover = random.below(players) as i64;
        let code = coded.numbering.code(&cells, mover as u8);
        let evaluator = Evaluator::new(&coded.formulas);
        let mut slow = Slow { coded: &coded, evaluator, gains, cells, mover, choices: vec![0; CHOICES as usize] };
        let mut expected = Options::default();
        let kind = slow.expand(&mut expected).unwrap_or(Expanded::Fault);
        assert_eq!(expander.expand(code, &mut out), kind, "seed {seed} at {code}");
        if kind != Expanded::Fault {
            assert_eq!(out.codes, expected.codes, "seed {seed} at {code}");
            assert_eq!(out.same, expected.same, "seed {seed} at {code}");
            assert_eq!(out.gains, expected.gains, "seed {seed} at {code}");
        }
        if let Some((node, function)) = &measure {
            assert_eq!(function.value(code), Some(slow.value(*node)));
        }
        met[kind as usize] += 1;
    }
    assert_eq!(expander.expand(coded.numbering.size, &mut out), Expanded::Fault);
    met
}

#[test]
fn random_rules() {
    let mut met = [0; 3];
    for seed in 0..300 {
        check(seed).iter().zip(&mut met).for_each(|(number, met)| *met += number);
    }
    assert!(met.iter().all(|number| *number > 300), "{met:?}");
}

/// `left` stones of which up to `most` may be taken: counted through, without a bound that is known beforehand.
fn take_away(left: i64, most: i64) -> Coded {
    let mut random = Random::new(1);
    let (mut formulas, _) = random_formulas(&mut random, vec![Range { low: 0, high: left }; 4], 2, 0);
    let arena = &mut formulas.arena;
    let (one, zero) = (arena.number(1), arena.number(0));
    let cell = arena.cell(0, Range { low: 0, high: left });
    let taken = arena.choice(5, Range { low: 1, high: most });
    let most = arena.number(most);
    let high = arena.min(cell, most);
    let after = arena.sub(cell, taken);
    let turn = {
        let mover = arena.mover(2);
        arena.not(mover)
    };
    let count = Count { choice: 5, low: one, high, fault: zero };
    let action = Action {
        choices: Vec::new(),
        rule: 0,
        counts: vec![count],
        guard: one,
        after: vec![(0, after)],
        split: None,
        turn,
        gains: Vec::new(),
        fault: zero,
    };
    formulas.actions = vec![action.clone(), action];
    let numbering = Numbering::fields(&formulas, &[0], TurnPlace::Nowhere).unwrap();
    Coded::new(formulas, numbering, Vec::new(), None)
}

#[test]
fn buffers_grow() {
    let coded = take_away(1_000_000, 1_000_000);
    let expander = Expander::compile(&coded, Gains::Outcome).unwrap();
    assert_eq!(expander.same(), Some(false));
    let mut out = Options::default();
    for left in [0, 1, 2, 7, 64, 1000, 999_999, 3, 1_000_000] {
        let expected: Vec<u64> = (0..left).rev().chain((0..left).rev()).collect();
        let kind = if left == 0 { Expanded::End } else { Expanded::Options };
        assert_eq!(expander.expand(left, &mut out), kind);
        assert_eq!(out.codes, expected);
        assert_eq!(out.same, vec![0; expected.len()]);
    }
    // Fields that no position has are still safe to pass.
    expander.expand((1 << 20) - 1, &mut out);
}

#[test]
fn what_is_not_compiled() {
    let mut coded = take_away(10, 3);
    coded.formulas.actions[0].split = Some(Vec::new());
    assert!(matches!(Expander::compile(&coded, Gains::Outcome), Err(JitError::Unsupported(_))));
    let coded = take_away(10, 3);
    assert!(matches!(Expander::compile(&coded, Gains::All), Err(JitError::Unsupported(_))));
}
