//! Reads the rules of heaps: what the moves of every large enough heap are, from the text of the program.
//!
//! The interpreter says what the moves of one heap are. A theorem about all heaps needs more: that the rules treat all of them
//! alike from some size on. So the rules are run once with the size of the heap left open. All that is known of it is that it is
//! at least a bound. Numbers are then straight lines in that size, and in one choice that ranges up to it. A comparison counts only if it has
//! the same answer for all sizes and choices; whatever else comes up is refused. There is nothing to guess and nothing to trust.

use game::Player;
use rules::bind::Bound;
use rules::interpreter::Interpreter;
use rules::layout::Leaf;
use rules::program::{
    AssignOp, BinaryOp, Builtin, Domain, Expr, ExprKind, Fold, Move, Parts, Root, Source, Stmt, StmtKind,
};
use rules::stop;
use rules::value::{Ints, Value};

use crate::line::{LARGEST, Line, unread};
use crate::refusal::Refusal;

/// What the moves of every large enough heap do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeapRules {
    /// A heap h becomes h − s.
    pub taken: Vec<i64>,
    /// A heap h becomes x and h − k − x, for all x from a least one on that leave at least the other.
    pub split: Vec<Split>,
    /// A heap h becomes any heap from a least one to h − s.
    pub ranged: Vec<Ranged>,
    /// The least heap there is.
    pub least: i64,
}

/// Moves that leave two heaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// How much is taken.
    pub taken: i64,
    /// The least size of either heap.
    pub least: [i64; 2],
    /// Whether the two must differ.
    pub unequal: bool,
}

/// Moves that leave one heap of a range that grows with the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranged {
    /// The least heap that is left.
    pub least: i64,
    /// How much is taken at the least.
    pub taken: i64,
}

impl HeapRules {
    /// The most that a move takes.
    pub fn most_taken(&self) -> i64 {
        self.taken.iter().copied().chain(self.split.iter().map(|split| split.taken)).max().unwrap_or(0)
    }

    /// The largest of the least sizes of heaps that a move leaves.
    pub fn largest_least(&self) -> i64 {
        self.split.iter().flat_map(|split| split.least).max().unwrap_or(0).max(self.least)
    }
}

/// Choices that range over more are not listed.
const MOST_CHOICES: i64 = 1 << 16;
/// No more choices, expressions and items of lists are looked at: a short file cannot ask for long work.
const MOST_STEPS: u64 = 1 << 22;
/// The clock is looked at after so many of them.
const STEPS_A_LOOK: u64 = 1 << 12;
/// So many values at either end of a choice are made one by one, if need be.
const MOST_ENDS: usize = 3;
/// Larger heaps are not asked whether anybody can move in them.
const MOST_DEAD: i64 = 64;
/// Calls within calls.
const MOST_CALLS: usize = 64;

/// Something that an expression gives.
#[derive(Clone, Debug)]
enum Term {
    Line(Line),
    /// Half of a line, rounded down.
    Half(Line),
    /// A list or a set of the instance.
    Whole(Value),
}

/// How far the open choice goes: its least value, and its largest.
#[derive(Clone, Copy, Debug)]
struct Reach {
    low: i64,
    high: High,
}

#[derive(Clone, Copy, Debug)]
enum High {
    /// The heap and a constant.
    Heap(i64),
    /// Half of the heap and a constant, rounded down.
    Half(i64),
}

/// What a line of play through a move has so far.
#[derive(Clone, Default)]
struct State {
    locals: Vec<Option<Term>>,
    reach: Option<Reach>,
}

/// How statements ended.
enum Flow {
    On,
    Returned(Term),
}

struct Reader<'b> {
    bound: &'b Bound,
    /// The least heap that is read.
    from: i64,
    rules: HeapRules,
    calls: usize,
    steps: u64,
}

/// Reads the rules for all heaps from a size on.
pub fn read(bound: &Bound, from: i64) -> Result<HeapRules, Refusal> {
    let program = &bound.program;
    let [slot] = &bound.layout.variables[..] else { return unread("a heap has one variable") };
    let (Leaf::Int { low, high }, true) = (&slot.leaf, slot.dims.is_empty()) else {
        return unread("a heap is a number");
    };
    if *low < 0 || *high > i64::MAX / 4 || !(*low..LARGEST).contains(&from) {
        return unread("its range");
    }
    if bound.players != 2 || program.counted || !program.ends.is_empty() {
        return unread("play ends when nobody can move");
    }
    let rules = HeapRules { least: *low, ..HeapRules::default() };
    let mut reader = Reader { bound, from, rules, calls: 0, steps: 0 };
    for mv in &program.moves {
        if mv.owner.is_some() {
            return unread("a move belongs to a player");
        }
        let state = State { locals: vec![None; mv.locals], reach: None };
        reader.choose(mv, 0, state)?;
    }
    let mut rules = reader.rules;
    rules.taken.sort_unstable();
    rules.taken.dedup();
    match rules.taken.is_empty() && rules.split.is_empty() && rules.ranged.is_empty() {
        true => unread("large heaps have no moves"),
        false => Ok(rules),
    }
}

impl Reader<'_> {
    /// Makes the choices of a move from a number on. Recursion is as deep as the move has choices.
    fn choose(&mut self, mv: &Move, number: usize, mut state: State) -> Result<(), Refusal> {
        self.steps(1 + state.locals.len())?;
        for own in mv.lets.iter().filter(|own| own.after == number) {
            state.locals[own.local] = Some(self.term(&own.value, &state)?);
        }
        let Some(choice) = mv.choices.get(number) else { return self.play(mv, state) };
        let mut values: Vec<i64> = match &choice.source {
            Source::Domain(Domain::Range { low, high, inclusive, .. }) => {
                let low = self.fixed(low, &state)?;
                let more = if *inclusive { 0 } else { -1 };
                match self.term(high, &state)? {
                    Term::Line(high) => match high.fixed() {
                        Some(high) if high - low > MOST_CHOICES => return unread("a choice is too wide"),
                        Some(high) => (low..=high + more).collect(),
                        None if high.heap == 1 && high.choice == 0 => {
                            return self.open(mv, number, state, Reach { low, high: High::Heap(high.constant + more) });
                        }
                        None => return unread("how far a choice goes"),
                    },
                    Term::Half(high) if high.heap == 1 && high.choice == 0 && more == 0 => {
                        return self.open(mv, number, state, Reach { low, high: High::Half(high.constant) });
                    }
                    _ => return unread("how far a choice goes"),
                }
            }
            Source::Items(items) => match self.term(items, &state)? {
                Term::Whole(Value::Ints(items)) => self.read(items.as_slice())?.to_vec(),
                Term::Whole(Value::Set(items)) => self.read(&items)?.to_vec(),
                _ => return unread("the items of a choice"),
            },
            _ => return unread("a choice"),
        };
        values.sort_unstable();
        values.dedup();
        for value in values {
            let mut state = state.clone();
            state.locals[number] = Some(Term::Line(Line::constant(value)?));
            self.choose(mv, number + 1, state)?;
        }
        Ok(())
    }

    /// Counts steps, and looks at the clock now and then.
    fn steps(&mut self, more: usize) -> Result<(), Refusal> {
        let before = self.steps;
        self.steps = before.saturating_add(more as u64);
        if before / STEPS_A_LOOK != self.steps / STEPS_A_LOOK {
            stop::look()?;
        }
        if self.steps > MOST_STEPS { unread("there is too much to read") } else { Ok(()) }
    }

    /// The items of a list, each of which counts.
    fn read<'l>(&mut self, list: &'l [i64]) -> Result<&'l [i64], Refusal> {
        self.steps(list.len())?;
        Ok(list)
    }

    /// Leaves a choice open. Where the rules treat its ends in another way, those are made one by one, and the rest is left open.
    fn open(&mut self, mv: &Move, number: usize, state: State, mut reach: Reach) -> Result<(), Refusal> {
        let mut noted = self.rules.clone();
        for _ in 0..MOST_ENDS {
            let refusal = match self.open_whole(mv, number, state.clone(), reach) {
                Err(refusal @ Refusal::Wrong(_)) => refusal,
                done => return done,
            };
            let High::Heap(high) = reach.high else { return Err(refusal) };
            self.rules = noted;
            for end in [Line::constant(reach.low)?, Line { constant: high, ..Line::HEAP }] {
                let mut state = state.clone();
                state.locals[number] = Some(Term::Line(end));
                self.choose(mv, number + 1, state)?;
            }
            noted = self.rules.clone();
            reach = Reach { low: reach.low + 1, high: High::Heap(high - 1) };
        }
        self.open_whole(mv, number, state, reach)
    }

    /// Leaves a choice open as far as it goes.
    fn open_whole(&mut self, mv: &Move, number: usize, mut state: State, reach: Reach) -> Result<(), Refusal> {
        if state.reach.is_some() {
            return unread("two choices go as far as the heap");
        }
        let wide = match reach.high {
            High::Heap(more) => self.from + more >= reach.low,
            High::Half(more) => (self.from + more).div_euclid(2) >= reach.low,
        };
        if !wide {
            return unread("a choice has no values");
        }
        state.reach = Some(reach);
        state.locals[number] = Some(Term::Line(Line::CHOICE));
        self.choose(mv, number + 1, state)
    }

    /// Plays a move with all choices made, and notes what it does.
    fn play(&mut self, mv: &Move, mut state: State) -> Result<(), Refusal> {
        if let Some(when) = &mv.when
            && !self.holds(when, &state)?
        {
            return Ok(());
        }
        let mut after = Line::HEAP;
        let mut parts = None;
        for statement in &mv.body {
            match &statement.kind {
                StmtKind::Assign { place, op, value } if parts.is_none() && place.indices.is_empty() => {
                    let Root::Variable(0) = place.root else { return unread("an assignment") };
                    // The right-hand side may not read what was changed before.
                    if after != Line::HEAP {
                        return unread("a heap changes twice");
                    }
                    let value = self.line(value, &state)?;
                    after = match op {
                        AssignOp::Set => value,
                        AssignOp::Add => after.plus(value, 1)?,
                        AssignOp::Subtract => after.plus(value, -1)?,
                    };
                }
                StmtKind::Set { local, value } if after == Line::HEAP => {
                    let value = self.term(value, &state)?;
                    state.locals[*local] = Some(value);
                }
                StmtKind::Split(Parts::Listed(listed)) if parts.is_none() && after == Line::HEAP => {
                    let mut lines = Vec::new();
                    for part in listed {
                        let [part] = &part[..] else { return unread("a part") };
                        lines.push(self.line(part, &state)?);
                    }
                    parts = Some(lines);
                }
                _ => return unread("a statement"),
            }
        }
        self.note(&parts.unwrap_or_else(|| vec![after]), &state)
    }

    /// Notes what a move leaves. A heap in which nobody can move is nothing.
    fn note(&mut self, parts: &[Line], state: &State) -> Result<(), Refusal> {
        let mut left = Vec::with_capacity(parts.len());
        for part in parts {
            match part.fixed() {
                Some(heap) if parts.len() > 1 && self.is_dead(heap)? => {}
                _ => left.push(*part),
            }
        }
        match (&left[..], state.reach) {
            ([Line { heap: 1, choice: 0, constant }], _) => self.note_taken(-constant),
            // The open choice is what is taken, or what is left.
            ([Line { heap: 1, choice: -1, constant }], Some(Reach { low, high: High::Heap(high) })) => {
                self.note_ranged(Ranged { least: constant - high, taken: low - constant })
            }
            ([Line { heap: 0, choice: 1, constant }], Some(Reach { low, high: High::Heap(high) })) => {
                self.note_ranged(Ranged { least: low + constant, taken: -high - constant })
            }
            (&[one, other], Some(reach)) => {
                let (small, rest) = if one.heap == 0 { (one, other) } else { (other, one) };
                let fits = (small.heap, small.choice, rest.heap, rest.choice) == (0, 1, 1, -1);
                if fits { self.note_split(small.constant, -rest.constant, reach) } else { unread("what a move leaves") }
            }
            _ => unread("what a move leaves"),
        }
    }

    /// Whether nobody can move in a heap.
    fn is_dead(&mut self, heap: i64) -> Result<bool, Refusal> {
        if heap > MOST_DEAD || self.bound.layout.misfit(&[heap]).is_some() {
            return Ok(false);
        }
        let mut interpreter = Interpreter::new(self.bound);
        let mut dead = true;
        for player in [Player::FIRST, Player::SECOND] {
            self.steps(1)?;
            interpreter.moves(&[heap], player, &mut |_| {
                dead = false;
                Ok(())
            })?;
        }
        Ok(dead)
    }

    fn note_taken(&mut self, taken: i64) -> Result<(), Refusal> {
        if taken < 1 || self.from - taken < self.rules.least {
            return unread("a move takes nothing, or too much");
        }
        self.rules.taken.push(taken);
        Ok(())
    }

    fn note_ranged(&mut self, range: Ranged) -> Result<(), Refusal> {
        if range.taken < 1 || range.least < self.rules.least {
            return unread("a move takes nothing, or too much");
        }
        self.rules.ranged.push(range);
        Ok(())
    }

    /// The parts are `choice + more` and `heap − choice − less`.
    fn note_split(&mut self, more: i64, less: i64, reach: Reach) -> Result<(), Refusal> {
        let (taken, low) = (less - more, reach.low + more);
        let (least, unequal) = match reach.high {
            High::Heap(high) => ([low, -high - less], false),
            // The first heap is at most so much larger than the second. If that is nothing or more, each pair of heaps comes up, in
            // one order at least; if it is one less, each pair of different ones. No second heap is smaller than the first may be,
            // for twice that is at most what is left.
            High::Half(high) => {
                let ahead = high + 2 * more + taken;
                let within = self.from - 2 * taken - high - 2 * more >= 2 * low;
                if ahead < -1 || !within {
                    return unread("a move leaves two heaps in one order only");
                }
                ([low, low], ahead == -1)
            }
        };
        let smaller = taken >= 0 && least.iter().all(|least| *least >= self.rules.least && taken + least >= 1);
        if !smaller {
            return unread("a part is not smaller than its heap");
        }
        let split = Split { taken, least, unequal };
        if !self.rules.split.contains(&split) {
            self.rules.split.push(split);
        }
        Ok(())
    }

    fn line(&mut self, expr: &Expr, state: &State) -> Result<Line, Refusal> {
        match self.term(expr, state)? {
            Term::Line(line) => Ok(line),
            _ => unread("a number"),
        }
    }

    fn fixed(&mut self, expr: &Expr, state: &State) -> Result<i64, Refusal> {
        match self.line(expr, state)?.fixed() {
            Some(number) => Ok(number),
            None => unread("a number depends on the heap"),
        }
    }

    fn holds(&mut self, expr: &Expr, state: &State) -> Result<bool, Refusal> {
        Ok(self.fixed(expr, state)? != 0)
    }

    /// The least and the largest sign of a line: −1, 0 or 1. At each end of the choice it must be the same for all heaps.
    fn signs(&self, line: Line, state: &State) -> Result<(i64, i64), Refusal> {
        // A line has its least and its largest value at the ends of the choice, as lines in the heap alone.
        let ends = match (line.choice, state.reach) {
            (0, _) => [(line.heap, line.constant); 2],
            (times, Some(Reach { low, high: High::Heap(high) })) => {
                [(line.heap, line.constant + times * low), (line.heap + times, line.constant + times * high)]
            }
            _ => return unread("a comparison"),
        };
        let signs = ends.map(|(heap, constant)| {
            let first = heap * self.from + constant;
            match (heap.signum(), first.signum()) {
                (0, sign) => Some(sign),
                (1, 1) => Some(1),
                (-1, -1) => Some(-1),
                _ => None,
            }
        });
        match signs {
            [Some(one), Some(other)] => Ok((one.min(other), one.max(other))),
            _ => unread("a comparison that depends on the size of the heap"),
        }
    }

    /// What an expression gives. Recursion is as deep as expressions are nested, which the parser bounds.
    fn term(&mut self, expr: &Expr, state: &State) -> Result<Term, Refusal> {
        self.steps(1)?;
        let number = |number: i64| Ok(Term::Line(Line::constant(number)?));
        match &expr.kind {
            ExprKind::Scalar(scalar) => number(*scalar),
            ExprKind::Global(slot) => match &self.bound.globals[*slot] {
                Value::Int(scalar) => number(*scalar),
                value => Ok(Term::Whole(value.clone())),
            },
            ExprKind::Variable { indices, .. } if indices.is_empty() => Ok(Term::Line(Line::HEAP)),
            ExprKind::Local(local) => match &state.locals[*local] {
                Some(term) => Ok(term.clone()),
                None => unread("a local"),
            },
            ExprKind::Negate(of) => Ok(Term::Line(Line::constant(0)?.plus(self.line(of, state)?, -1)?)),
            ExprKind::Not(of) => number(i64::from(!self.holds(of, state)?)),
            ExprKind::And(one, other) => number(i64::from(self.holds(one, state)? && self.holds(other, state)?)),
            ExprKind::Or(one, other) => number(i64::from(self.holds(one, state)? || self.holds(other, state)?)),
            ExprKind::If(condition, then, otherwise) => match self.holds(condition, state)? {
                true => self.term(then, state),
                false => self.term(otherwise, state),
            },
            ExprKind::Binary(op, one, other) => self.binary(*op, one, other, state),
            ExprKind::Index(list, index) => {
                let (list, index) = (self.term(list, state)?, self.fixed(index, state)?);
                let Term::Whole(Value::Ints(list)) = list else { return unread("a list") };
                match usize::try_from(index).ok().and_then(|index| list.as_slice().get(index)) {
                    Some(item) => number(*item),
                    None => unread("an index"),
                }
            }
            // A set is the list of its elements, each once.
            ExprKind::List(items) => {
                let items = items.iter().map(|item| self.fixed(item, state)).collect::<Result<_, _>>()?;
                Ok(Term::Whole(Value::Ints(Ints::new(items))))
            }
            ExprKind::SetOf(items) => {
                let mut items = items.iter().map(|item| self.fixed(item, state)).collect::<Result<Vec<i64>, _>>()?;
                items.sort_unstable();
                items.dedup();
                Ok(Term::Whole(Value::Ints(Ints::new(items))))
            }
            ExprKind::Call(function, arguments) => self.call(*function, arguments, state),
            ExprKind::Builtin(Builtin::Fold(fold), arguments) => self.fold(*fold, arguments, state),
            ExprKind::Builtin(Builtin::Len, arguments) => match arguments.first().map(|list| self.term(list, state)) {
                Some(Ok(Term::Whole(Value::Ints(list)))) => number(list.len() as i64),
                _ => unread("a length"),
            },
            _ => unread("an expression"),
        }
    }

    fn binary(&mut self, op: BinaryOp, one: &Expr, other: &Expr, state: &State) -> Result<Term, Refusal> {
        let (one, other) = (self.line(one, state)?, self.line(other, state)?);
        let compared = |signs: &[i64]| -> Result<Line, Refusal> {
            let (low, high) = one.plus(other, -1).and_then(|difference| self.signs(difference, state))?;
            // A line that has two signs at its ends may have all between.
            match (low..=high).map(|sign| signs.contains(&sign)).collect::<Vec<bool>>()[..] {
                [holds, ref others @ ..] if others.iter().all(|other| *other == holds) => Line::constant(holds.into()),
                _ => unread("a comparison that depends on the choice"),
            }
        };
        let fixed = |work: fn(i64, i64) -> Option<i64>| match (one.fixed(), other.fixed()) {
            (Some(one), Some(other)) => match work(one, other) {
                Some(number) => Line::constant(number),
                None => unread("a number"),
            },
            _ => unread("a product"),
        };
        Ok(Term::Line(match op {
            BinaryOp::Add => one.plus(other, 1)?,
            BinaryOp::Subtract => one.plus(other, -1)?,
            BinaryOp::Multiply => fixed(i64::checked_mul)?,
            BinaryOp::Divide if other.fixed() == Some(2) && one.fixed().is_none() => return Ok(Term::Half(one)),
            // Only positive divisors are read: there rounding down is that of Euclid.
            BinaryOp::Divide => fixed(|one, other| (other > 0).then(|| one.div_euclid(other)))?,
            BinaryOp::Remainder => fixed(|one, other| (other > 0).then(|| one.rem_euclid(other)))?,
            BinaryOp::Equal => compared(&[0])?,
            BinaryOp::NotEqual => compared(&[-1, 1])?,
            BinaryOp::Less => compared(&[-1])?,
            BinaryOp::LessEqual => compared(&[-1, 0])?,
            BinaryOp::Greater => compared(&[1])?,
            BinaryOp::GreaterEqual => compared(&[1, 0])?,
        }))
    }

    /// The least, the largest or the sum of numbers and lists.
    fn fold(&mut self, fold: Fold, arguments: &[Expr], state: &State) -> Result<Term, Refusal> {
        let mut total = None;
        for argument in arguments {
            match self.term(argument, state)? {
                Term::Line(line) => total = Some(self.folded(fold, total, line, state)?),
                Term::Whole(Value::Ints(list)) => {
                    for item in self.read(list.as_slice())? {
                        total = Some(self.folded(fold, total, Line::constant(*item)?, state)?);
                    }
                }
                _ => return unread("what is folded"),
            }
        }
        match (fold, total) {
            (_, Some(total)) => Ok(Term::Line(total)),
            (Fold::Sum, None) => Ok(Term::Line(Line::constant(0)?)),
            (_, None) => unread("the least of nothing"),
        }
    }

    /// What was folded so far and one line more.
    fn folded(&self, fold: Fold, total: Option<Line>, line: Line, state: &State) -> Result<Line, Refusal> {
        let Some(total) = total else { return Ok(line) };
        let larger = match fold {
            Fold::Sum => return total.plus(line, 1),
            Fold::Min => total.plus(line, -1)?,
            Fold::Max => line.plus(total, -1)?,
            _ => return unread("a fold"),
        };
        match self.signs(larger, state)? {
            (0.., _) => Ok(line),
            (_, ..=0) => Ok(total),
            _ => unread("which of two numbers is larger depends on the choice"),
        }
    }

    /// A call of a function that does not read the position. Functions do not recurse.
    fn call(&mut self, function: usize, arguments: &[Expr], state: &State) -> Result<Term, Refusal> {
        let bound = self.bound;
        let function = &bound.program.functions[function];
        if function.reads_position || self.calls == MOST_CALLS {
            return unread("a function");
        }
        self.steps(function.locals)?;
        let mut inner = State { locals: vec![None; function.locals], reach: state.reach };
        for (local, argument) in arguments.iter().enumerate() {
            inner.locals[local] = Some(self.term(argument, state)?);
        }
        self.calls += 1;
        let flow = self.run(&function.body, &mut inner)?;
        self.calls -= 1;
        match flow {
            Flow::Returned(term) => Ok(term),
            Flow::On => unread("a function without a result"),
        }
    }

    fn run(&mut self, body: &[Stmt], state: &mut State) -> Result<Flow, Refusal> {
        for statement in body {
            match &statement.kind {
                StmtKind::Return(value) => return Ok(Flow::Returned(self.term(value, state)?)),
                StmtKind::Set { local, value } => state.locals[*local] = Some(self.term(value, state)?),
                StmtKind::If { condition, then, otherwise } => {
                    let branch = if self.holds(condition, state)? { then } else { otherwise };
                    if let Flow::Returned(term) = self.run(branch, state)? {
                        return Ok(Flow::Returned(term));
                    }
                }
                _ => return unread("a statement"),
            }
        }
        Ok(Flow::On)
    }
}
