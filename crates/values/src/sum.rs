//! Sums: `a + b = { aL + b, a + bL | aR + b, a + bR }`, in canonical form, each pair once.
//!
//! Compact games add as figures. A number adds to a game that is no number by adding to its options (the number
//! translation theorem); the result is canonical as it stands: were a Left option `x` of the translated game, a number,
//! reversible, then the game would be at least a number above `x`, and by the simplicity theorem some other Left option
//! would be too, so that `x` was dominated before.

use crate::arena::{Arena, Compact, NONE, Value};
use crate::error::{Error, Halt, Result};
use crate::number::Dyadic;
use crate::order::DEEPEST;
use crate::stops::{COMPACT, Gathered, NUMBER};

type Inner<T> = std::result::Result<T, Halt>;

impl Arena {
    /// The sum of two values.
    pub fn plus(&mut self, a: Value, b: Value) -> Result<Value> {
        let found = self.add(a.0, b.0);
        self.surface(found).map(Value)
    }

    /// The difference of two values.
    pub fn minus(&mut self, a: Value, b: Value) -> Result<Value> {
        let negative = self.negative(b)?;
        self.plus(a, negative)
    }

    /// The sum of many values. Compact ones are added first and cost next to nothing; what cancels is left out; the
    /// rest is added in the order of ids, so that partial sums come up again.
    pub fn total(&mut self, values: &[Value]) -> Result<Value> {
        if let &[] | &[_] | &[_, _] = values {
            return match *values {
                [a, b] => self.plus(a, b),
                [a] => Ok(a),
                _ => Ok(Value::ZERO),
            };
        }
        let mut figures = Value::ZERO;
        let mut rest: Vec<Value> = Vec::new();
        for &value in values {
            if self.stops[value.index()].is(COMPACT) {
                figures = self.plus(figures, value)?;
                continue;
            }
            let negative = self.negative(value)?;
            match rest.iter().position(|&other| other == negative) {
                Some(at) => drop(rest.swap_remove(at)),
                None => rest.push(value),
            }
        }
        rest.sort_unstable();
        let mut sum = Value::ZERO;
        for value in rest {
            sum = self.plus(sum, value)?;
        }
        self.plus(sum, figures)
    }

    /// So many copies of a value.
    ///
    /// Copies are added one by one: the options of `n` copies are `n − 1` copies and an option, so each step finds most
    /// sums in the table, while doubling would add all pairs of multiples. But where a few copies make a compact game,
    /// as two switches do, only what is left of `n` is added.
    pub fn times(&mut self, n: i64, value: Value) -> Result<Value> {
        const FEW: u64 = 8;
        let value = if n < 0 { self.negative(value)? } else { value };
        let n = n.unsigned_abs();
        let mut sum = Value::ZERO;
        for copies in 0..n {
            if copies <= FEW
                && let Some(compact) = self.compact_of(sum)
                && copies > 0
            {
                let whole = self.times_compact(n / copies, compact)?;
                let rest = self.times((n % copies) as i64, value)?;
                return self.plus(whole, rest);
            }
            let ticked = self.tick();
            self.surface(ticked)?;
            sum = self.plus(sum, value)?;
        }
        Ok(sum)
    }

    fn times_compact(&mut self, n: u64, compact: Compact) -> Result<Value> {
        const OVERFLOW: Error = Error::Overflow("a multiple does not fit");
        let n = i64::try_from(n).map_err(|_| OVERFLOW)?;
        let up = (compact.up as i64).checked_mul(n).and_then(|up| i32::try_from(up).ok());
        self.compact(Compact {
            number: compact.number.times(Dyadic::whole(n))?,
            up: up.ok_or(OVERFLOW)?,
            star: compact.star * (n & 1) as u32,
        })
    }

    pub(crate) fn add(&mut self, a: u32, b: u32) -> Inner<u32> {
        let base = self.scratch.len();
        match self.add_within(a, b, 0) {
            Err(Halt::Deep) => {}
            found => {
                self.scratch.truncate(base);
                return found;
            }
        }
        let mut stack = vec![(a, b)];
        loop {
            let &(a, b) = stack.last().expect("the first sum stays until it is known");
            let found = self.add_within(a, b, 0);
            self.scratch.truncate(base);
            match found {
                Err(Halt::Deep) => stack.push(self.pending),
                Err(halt) => return Err(halt),
                Ok(sum) if stack.len() == 1 => return Ok(sum),
                Ok(_) => {
                    stack.pop();
                }
            }
        }
    }

    fn add_within(&mut self, a: u32, b: u32, depth: u32) -> Inner<u32> {
        if a == 0 || b == 0 {
            return Ok(a | b);
        }
        let flags = (self.stops[a as usize].flags, self.stops[b as usize].flags);
        if flags.0 & flags.1 & COMPACT != 0 {
            let (a, b) = (self.figures(a).expect("compact"), self.figures(b).expect("compact"));
            return self.add_compact(a, b);
        }
        if self.nodes[a as usize].negative == b {
            return Ok(0);
        }
        let (a, b) = (a.min(b), a.max(b));
        if let Some(sum) = self.sums.get(a, b) {
            return Ok(sum);
        }
        if depth == DEEPEST {
            self.pending = (a, b);
            return Err(Halt::Deep);
        }
        let base = self.scratch.len();
        let sum = match (flags.0 | flags.1) & NUMBER {
            0 => self.add_options(a, b, depth + 1),
            _ if self.stops[a as usize].is(NUMBER) => self.translate(b, a, depth + 1),
            _ => self.translate(a, b, depth + 1),
        }?;
        self.scratch.truncate(base);
        if let Some(bytes) = self.sums.growth() {
            self.charge(bytes)?;
            let freed = self.sums.grow();
            self.exchange(bytes, freed)?;
        }
        self.sums.put(a, b, sum);
        Ok(sum)
    }

    /// The sum of a game that is no number and a number.
    fn translate(&mut self, game: u32, number: u32, depth: u32) -> Inner<u32> {
        let base = self.scratch.len();
        let (start, half, end) = self.range(game);
        for at in start..end {
            let option = self.add_within(self.pool[at], number, depth)?;
            self.scratch.push(option);
        }
        let middle = base + half - start;
        let (mut lower, mut upper) = (Gathered::default(), Gathered::default());
        for &id in &self.scratch[base..middle] {
            lower.take(&self.stops[id as usize], true);
        }
        for &id in &self.scratch[middle..] {
            upper.take(&self.stops[id as usize], false);
        }
        let stops = Gathered::game(&lower, &upper).expect("a game that is no number stays none");
        let stops = self.sink(stops)?;
        self.scratch[base..middle].sort_unstable();
        self.scratch[middle..].sort_unstable();
        self.intern(base, middle, stops)
    }

    /// The sum of two games that are no numbers.
    fn add_options(&mut self, a: u32, b: u32, depth: u32) -> Inner<u32> {
        self.expand(a)?;
        self.expand(b)?;
        let base = self.scratch.len();
        let (a_start, a_middle, a_end) = self.range(a);
        let (b_start, b_middle, b_end) = self.range(b);
        self.push_sums(a_start..a_middle, b, base, depth)?;
        self.push_sums(b_start..b_middle, a, base, depth)?;
        let middle = self.scratch.len();
        self.push_sums(a_middle..a_end, b, middle, depth)?;
        self.push_sums(b_middle..b_end, a, middle, depth)?;
        self.canonical(base, middle)
    }

    /// Adds each of these options to a game. Sums that `scratch[from..]` has already are left out.
    fn push_sums(&mut self, options: std::ops::Range<usize>, game: u32, from: usize, depth: u32) -> Inner<()> {
        for at in options {
            let sum = self.add_within(self.pool[at], game, depth)?;
            if !self.scratch[from..].contains(&sum) {
                self.scratch.push(sum);
            }
        }
        Ok(())
    }
}

/// Negatives: the options change sides. Canonical forms stay canonical.
impl Arena {
    /// The negative of a value.
    pub fn negative(&mut self, value: Value) -> Result<Value> {
        match self.nodes[value.index()].negative {
            NONE => self.make_negative(value),
            known => Ok(Value(known)),
        }
    }

    fn make_negative(&mut self, value: Value) -> Result<Value> {
        let mut stack = vec![value.0];
        while let Some(&id) = stack.last() {
            if self.nodes[id as usize].negative != NONE {
                stack.pop();
                continue;
            }
            if let Some(mut compact) = self.figures(id) {
                (compact.number, compact.up) = (-compact.number, -compact.up);
                let negative = self.compact(compact)?.0;
                self.pair_up(id, negative);
                continue;
            }
            let (start, middle, end) = self.range(id);
            let before = stack.len();
            stack.extend(self.pool[start..end].iter().filter(|&&id| self.nodes[id as usize].negative == NONE));
            if stack.len() > before {
                continue;
            }
            let base = self.scratch.len();
            for at in (middle..end).chain(start..middle) {
                let negative = self.nodes[self.pool[at] as usize].negative;
                self.scratch.push(negative);
            }
            let half = base + end - middle;
            self.scratch[base..half].sort_unstable();
            self.scratch[half..].sort_unstable();
            let stops = self.stops[id as usize].negated();
            let negative = self.intern(base, half, stops);
            self.scratch.truncate(base);
            let negative = self.surface(negative)?;
            self.pair_up(id, negative);
        }
        Ok(Value(self.nodes[value.index()].negative))
    }

    fn pair_up(&mut self, id: u32, negative: u32) {
        self.nodes[id as usize].negative = negative;
        self.nodes[negative as usize].negative = id;
    }
}
