//! One kind of move of a heap: how much it takes, into how many heaps it leaves the rest, and under which conditions.
//!
//! The choices of a rule are eliminated. What is left are conditions on the heaps that the move leaves and on what it takes,
//! and these are of few forms: a least heap, a range of what is taken, a least difference of two heaps. A rule with any other
//! condition has no piece.

use std::collections::BTreeMap;

use super::linear::{Condition, Conditions, Linear, Sense, Variable};

/// A range of whole numbers, ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    pub low: Option<i128>,
    pub high: Option<i128>,
}

impl Interval {
    const ALL: Interval = Interval { low: None, high: None };

    fn at_least(&mut self, low: i128) {
        self.low = Some(self.low.map_or(low, |known| known.max(low)));
    }

    fn at_most(&mut self, high: i128) {
        self.high = Some(self.high.map_or(high, |known| known.min(high)));
    }

    pub fn contains(&self, number: i128) -> bool {
        self.low.is_none_or(|low| low <= number) && self.high.is_none_or(|high| number <= high)
    }

    fn is_empty(&self) -> bool {
        matches!((self.low, self.high), (Some(low), Some(high)) if low > high)
    }
}

/// What is known of the difference of two heaps that a move leaves, the first minus the second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub range: Interval,
    pub not: Vec<i128>,
}

impl Difference {
    pub const ANY: Difference = Difference { range: Interval::ALL, not: Vec::new() };

    pub fn allows(&self, difference: i128) -> bool {
        self.range.contains(difference) && !self.not.contains(&difference)
    }
}

/// One kind of move.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The rule.
    pub rule: usize,
    /// The number of its action among all actions.
    pub action: usize,
    /// Heaps that are left, empty ones counted.
    pub parts: usize,
    /// What is taken.
    pub taken: Interval,
    /// Numbers in that interval that are not taken.
    pub not_taken: Vec<i128>,
    /// The least that each heap that is left must have.
    pub floors: Vec<i128>,
    /// The least heap that the move is possible from.
    pub guard: i128,
    /// Differences of the heaps `(i, j)` with `i < j`.
    pub differences: BTreeMap<(usize, usize), Difference>,
    /// The choices of the rule, in what is left and taken; `None` for a choice that is no number.
    pub choices: Vec<Option<Linear>>,
    /// What is counted through, outermost first: the order in which the rules list their moves.
    pub order: Vec<Linear>,
}

/// Whether an expression is never negative by all conditions but one, and by heaps not being negative.
fn follows(conditions: &[Condition], index: usize, what: &Linear, parts: usize) -> bool {
    let mut others = Conditions::default();
    for (_, Condition { what, sense }) in conditions.iter().enumerate().filter(|(other, _)| *other != index) {
        others.push(what.clone(), *sense);
    }
    for variable in (0..parts).map(Variable::Part).chain([Variable::Taken]) {
        others.push(Linear::variable(variable), Sense::AtLeast);
    }
    others.push(Linear::number(-1).minus(what), Sense::AtLeast);
    others.contradict()
}

/// What is at least 0 where an expression is not to be 0, if the others say on which side of 0 it is.
fn one_sided(conditions: &[Condition], index: usize, parts: usize) -> Option<Linear> {
    let what = &conditions[index].what;
    let opposite = Linear::default().minus(what);
    let side = [what, &opposite].into_iter().find(|side| follows(conditions, index, side, parts))?;
    Some(side.minus(&Linear::number(1)))
}

/// A move as formulas know it: everything linear in the heap and the counted choices.
pub struct Raw {
    pub rule: usize,
    pub action: usize,
    pub parts: Vec<Linear>,
    pub conditions: Conditions,
    pub choices: Vec<Option<Linear>>,
    pub counted: Vec<u32>,
    /// What was counted and is a number by now stands for itself.
    pub order: Vec<Linear>,
}

fn down(a: i128, b: i128) -> i128 {
    a.div_euclid(b)
}

fn up(a: i128, b: i128) -> i128 {
    -(-a).div_euclid(b)
}

/// A move without its choices: everything in the heaps that are left and what is taken.
struct Eliminated {
    /// The value of each counted choice.
    solved: BTreeMap<u32, Linear>,
    /// What is taken: a number, or the variable that stands for it.
    taken: Linear,
    /// The heap before the move.
    heap: Linear,
}

impl Eliminated {
    /// Solves the heaps that are left for the choices; one of them may be left over, and says what is taken.
    fn of(raw: &Raw) -> Result<Eliminated, ()> {
        let mut solved: BTreeMap<u32, Linear> = BTreeMap::new();
        let mut relation = None;
        for (index, part) in raw.parts.iter().enumerate() {
            let mut known = part.clone();
            for (choice, value) in &solved {
                known = known.with(Variable::Choice(*choice), value);
            }
            let pivot = raw.counted.iter().find(|&&choice| known.factor(Variable::Choice(choice)).abs() == 1);
            let Some(&choice) = pivot else {
                if relation.replace((index, known)).is_some() {
                    return Err(());
                }
                continue;
            };
            // part = rest + sign · choice, so choice = sign · (part − rest)
            let sign = known.factor(Variable::Choice(choice));
            let rest = known.with(Variable::Choice(choice), &Linear::number(0));
            let value = Linear::number(0).plus(sign, &Linear::variable(Variable::Part(index)).minus(&rest));
            for other in solved.values_mut() {
                *other = other.with(Variable::Choice(choice), &value);
            }
            solved.insert(choice, value);
        }
        if solved.len() != raw.counted.len() {
            return Err(());
        }
        let count = raw.parts.len();
        let taken = match relation {
            None if count == 0 || raw.counted.len() == count => Linear::variable(Variable::Taken),
            None => return Err(()),
            Some((index, known)) => constant_taken(index, &known, count)?,
        };
        let heap = (0..count).fold(taken.clone(), |sum, part| sum.plus(1, &Linear::variable(Variable::Part(part))));
        Ok(Eliminated { solved, taken, heap })
    }

    /// An expression without choices and without the heap.
    fn settle(&self, linear: &Linear) -> Linear {
        let mut linear = linear.clone();
        for (choice, value) in &self.solved {
            linear = linear.with(Variable::Choice(*choice), value);
        }
        linear.with(Variable::Heap, &self.heap)
    }
}

/// What is taken where one heap that is left is known from the others: it must be the heap without these and a number.
fn constant_taken(index: usize, known: &Linear, count: usize) -> Result<Linear, ()> {
    let factors = &known.factors;
    let mut others = (0..count).filter(|&other| other != index);
    let right = factors.get(&Variable::Heap) == Some(&1)
        && factors.len() == count
        && others.all(|other| factors.get(&Variable::Part(other)) == Some(&-1));
    if right { Ok(Linear::number(-known.constant)) } else { Err(()) }
}

impl Piece {
    /// The piece of a move: `Ok(None)` if the move is never legal, `Err` if the conditions have another form.
    pub(super) fn of(mut raw: Raw) -> Result<Option<Piece>, ()> {
        if raw.conditions.never {
            return Ok(None);
        }
        // An empty heap is none.
        raw.parts.retain(|part| *part != Linear::number(0));
        let known = Eliminated::of(&raw)?;
        let mut piece = Piece {
            rule: raw.rule,
            action: raw.action,
            parts: raw.parts.len(),
            taken: Interval::ALL,
            not_taken: Vec::new(),
            floors: vec![0; raw.parts.len()],
            guard: 0,
            differences: BTreeMap::new(),
            choices: raw.choices.iter().map(|choice| choice.as_ref().map(|choice| known.settle(choice))).collect(),
            order: raw.order.iter().map(|each| known.settle(each)).collect(),
        };
        if known.taken.factors.is_empty() {
            piece.taken.at_least(known.taken.constant);
            piece.taken.at_most(known.taken.constant);
            if known.taken.constant < 0 {
                return Err(());
            }
        }
        let settled = |each: &Condition| Condition { what: known.settle(&each.what), sense: each.sense };
        let conditions: Vec<Condition> = raw.conditions.all.iter().map(settled).collect();
        let mut sums = Vec::new();
        if !piece.restrict_all(&conditions, &mut sums)? {
            return Ok(None);
        }
        // All of a heap is never negative; otherwise the conditions must say that the heap does not grow.
        if piece.parts == 0 {
            piece.taken.at_least(0);
        }
        if piece.taken.low.is_none_or(|low| low < 0) {
            return Err(());
        }
        let least: i128 = piece.least().iter().sum();
        if sums.iter().any(|&sum| sum > least) {
            return Err(());
        }
        if piece.taken.is_empty() || piece.differences.values().any(|difference| difference.range.is_empty()) {
            return Ok(None);
        }
        Ok(Some(piece))
    }

    /// The least that each heap that is left has, by its own condition and by those on differences.
    pub(super) fn least(&self) -> Vec<i128> {
        let mut least = self.floors.clone();
        for _ in 0..self.parts {
            for (&(a, b), Difference { range, .. }) in &self.differences {
                if let (Some(low), true) = (range.low, a.max(b) < least.len()) {
                    least[a] = least[a].max(least[b].saturating_add(low));
                }
                if let (Some(high), true) = (range.high, a.max(b) < least.len()) {
                    least[b] = least[b].max(least[a].saturating_sub(high));
                }
            }
        }
        least
    }

    /// Takes in all conditions; `Ok(false)` if they never hold.
    fn restrict_all(&mut self, conditions: &[Condition], sums: &mut Vec<i128>) -> Result<bool, ()> {
        let count = self.parts;
        for (index, Condition { what, sense }) in conditions.iter().enumerate() {
            match self.restrict(what, *sense, sums) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                // What follows from the other conditions says nothing.
                Err(()) if *sense == Sense::AtLeast && follows(conditions, index, what, count) => {}
                Err(()) if *sense == Sense::Unequal => match one_sided(conditions, index, count) {
                    None => return Err(()),
                    Some(side) if follows(conditions, index, &side, count) => {}
                    Some(side) => {
                        if !self.restrict(&side, Sense::AtLeast, sums)? {
                            return Ok(false);
                        }
                    }
                },
                Err(()) => return Err(()),
            }
        }
        Ok(true)
    }

    /// Takes in a condition; `Ok(false)` if it never holds. `sums`: least sums of what is left.
    fn restrict(&mut self, what: &Linear, sense: Sense, sums: &mut Vec<i128>) -> Result<bool, ()> {
        // A heap that was found to be always empty is no part any more.
        let what = if self.parts == 0 { &what.with(Variable::Part(0), &Linear::number(0)) } else { what };
        let constant = what.constant;
        let factors: Vec<(Variable, i128)> =
            what.factors.iter().map(|(&variable, &factor)| (variable, factor)).collect();
        match (&factors[..], sense) {
            ([], Sense::AtLeast) => return Ok(constant >= 0),
            ([], Sense::Equal) => return Ok(constant == 0),
            ([], Sense::Unequal) => return Ok(constant != 0),
            ([(Variable::Taken, factor)], _) => match sense {
                Sense::AtLeast if *factor > 0 => self.taken.at_least(up(-constant, *factor)),
                Sense::AtLeast => self.taken.at_most(down(constant, -factor)),
                _ if constant % factor != 0 => return Ok(sense == Sense::Unequal),
                Sense::Equal => {
                    self.taken.at_least(-constant / factor);
                    self.taken.at_most(-constant / factor);
                }
                Sense::Unequal => self.not_taken.push(-constant / factor),
            },
            ([(Variable::Part(part), factor)], _) => match sense {
                Sense::AtLeast if *factor > 0 => {
                    self.floors[*part] = self.floors[*part].max(up(-constant, *factor));
                }
                Sense::AtLeast => return self.most(*part, down(constant, -factor)),
                _ if constant % factor != 0 => return Ok(sense == Sense::Unequal),
                Sense::Equal => return self.leaves_exactly(*part, -constant / factor),
                Sense::Unequal => match -constant / factor {
                    value if value < 0 => {}
                    0 => self.floors[*part] = self.floors[*part].max(1),
                    _ => return Err(()),
                },
            },
            ([(Variable::Part(a), factor), (Variable::Part(b), other)], _) if *factor == -other => {
                let difference = self.differences.entry((*a, *b)).or_insert(Difference::ANY);
                match sense {
                    Sense::AtLeast if *factor > 0 => difference.range.at_least(up(-constant, *factor)),
                    Sense::AtLeast => difference.range.at_most(down(constant, -factor)),
                    _ if constant % factor != 0 => return Ok(sense == Sense::Unequal),
                    Sense::Equal => {
                        difference.range.at_least(-constant / factor);
                        difference.range.at_most(-constant / factor);
                    }
                    Sense::Unequal => difference.not.push(-constant / factor),
                }
            }
            (all, Sense::AtLeast) if all.iter().all(|(_, factor)| *factor == all[0].1 && *factor > 0) => {
                let least = up(-constant, all[0].1);
                let with_taken = all.iter().any(|(variable, _)| *variable == Variable::Taken);
                if all.len() == self.parts + 1 && with_taken {
                    self.guard = self.guard.max(least);
                } else if all.len() == self.parts && !with_taken {
                    sums.push(least);
                } else {
                    return Err(());
                }
            }
            _ => return Err(()),
        }
        Ok(true)
    }

    /// A heap that is left has at most so much: understood only if that is nothing at all.
    fn most(&mut self, part: usize, most: i128) -> Result<bool, ()> {
        match most {
            most if most < self.floors[part].max(0) => Ok(false),
            0 => self.leaves_exactly(part, 0),
            _ => Err(()),
        }
    }

    /// A heap that is left has exactly so much: understood only if it is the only one and empty.
    fn leaves_exactly(&mut self, part: usize, value: i128) -> Result<bool, ()> {
        if value < self.floors[part].max(0) {
            return Ok(false);
        }
        if value > 0 || self.parts != 1 {
            return Err(());
        }
        // Leaving an empty heap is leaving none.
        self.parts = 0;
        self.floors.clear();
        let forget = |linear: &Linear| linear.with(Variable::Part(0), &Linear::number(0));
        self.choices = self.choices.iter().map(|choice| choice.as_ref().map(forget)).collect();
        self.order = self.order.iter().map(forget).collect();
        Ok(true)
    }

    /// The heap from which on such a move is always possible, where the move only takes.
    pub fn always_from(&self) -> Option<i128> {
        let mut taken = self.taken.low.unwrap_or(0).max(0);
        while self.not_taken.contains(&taken) {
            taken += 1;
        }
        let possible = self.parts == 1 && self.taken.contains(taken);
        possible.then(|| self.guard.max(taken + self.floors[0].max(0)))
    }

    /// Whether so much may be taken and this be left, in this order.
    pub fn allows(&self, taken: u64, left: &[u64]) -> bool {
        let taken = i128::from(taken);
        let heap: i128 = taken + left.iter().map(|&part| i128::from(part)).sum::<i128>();
        left.len() == self.parts
            && self.taken.contains(taken)
            && !self.not_taken.contains(&taken)
            && heap >= self.guard
            && left.iter().zip(&self.floors).all(|(&part, &floor)| i128::from(part) >= floor)
            && self
                .differences
                .iter()
                .all(|(&(a, b), difference)| difference.allows(i128::from(left[a]) - i128::from(left[b])))
    }

    /// The value of an expression in what is taken and left.
    pub fn value(linear: &Linear, taken: u64, left: &[u64]) -> Option<i64> {
        let mut sum = linear.constant;
        for (variable, factor) in &linear.factors {
            sum += factor
                * match variable {
                    Variable::Taken => i128::from(taken),
                    Variable::Part(part) => i128::from(*left.get(*part)?),
                    Variable::Heap | Variable::Choice(_) => return None,
                };
        }
        i64::try_from(sum).ok()
    }
}
