//! The built-in functions.

use rules::program::{Builtin, Expr, Fold};
use rules::types::Type;
use rules::value::Value;

use super::symbols::{Stretch, Sym};
use super::{Made, Specialiser, unsupported};
use crate::node::Node;

/// The most values of an argument for which results are tabulated.
const TABLE: i128 = 1 << 16;

impl<'b> Specialiser<'b> {
    /// Built-ins that give a number.
    pub(super) fn builtin_scalar(&mut self, builtin: Builtin, arguments: &'b [Expr]) -> Made<Node> {
        match (builtin, arguments) {
            (Builtin::Fold(fold), _) => self.fold_arguments(fold, arguments),
            (Builtin::Len, [of]) => {
                let value = self.value(of)?;
                self.length(&value)
            }
            (Builtin::Abs, [of]) => {
                let number = self.scalar(of)?;
                let none = self.arena.number(0);
                if self.range(number).contains(i64::MIN) {
                    let least = self.arena.number(i64::MIN);
                    let overflows = self.arena.eq(number, least);
                    self.fault_if(overflows);
                }
                let (negative, opposite) = (self.arena.lt(number, none), self.arena.neg(number));
                Ok(match self.range(number) {
                    range if range.low >= 0 => number,
                    range if range.high <= 0 => opposite,
                    range if range.low > i64::MIN => self.arena.max(number, opposite),
                    _ => self.arena.select(negative, opposite, number),
                })
            }
            (Builtin::Sign, [of]) => {
                let number = self.scalar(of)?;
                let number = self.settle(number);
                let none = self.arena.number(0);
                let (above, below) = (self.arena.lt(none, number), self.arena.lt(number, none));
                let (above, below) = (self.settle(above), self.settle(below));
                Ok(self.arena.combine(&[(above, 1), (below, -1)], 0))
            }
            (Builtin::Isqrt, [of]) => {
                let number = self.scalar(of)?;
                self.fault_if_negative(number);
                self.isqrt(number)
            }
            (Builtin::Popcount, [of]) => {
                let number = self.scalar(of)?;
                self.fault_if_negative(number);
                Ok(self.arena.popcount(number))
            }
            (Builtin::BitAnd, [a, b]) => {
                let (a, b) = (self.scalar(a)?, self.scalar(b)?);
                Ok(self.arena.and(a, b))
            }
            (Builtin::BitOr, [a, b]) => {
                let (a, b) = (self.scalar(a)?, self.scalar(b)?);
                Ok(self.arena.or(a, b))
            }
            (Builtin::Shl | Builtin::Shr | Builtin::Pow, [a, b]) => {
                let (a, b) = (self.scalar(a)?, self.scalar(b)?);
                self.fault_if_negative(b);
                let (a, b) = (self.settle(a), self.settle(b));
                match builtin {
                    Builtin::Shl => self.shift_left(a, b),
                    Builtin::Shr => {
                        let most = self.arena.number(63);
                        let by = self.arena.min(b, most);
                        Ok(self.arena.shr(a, by))
                    }
                    _ => self.power(a, b),
                }
            }
            _ => unsupported("a built-in function with these arguments"),
        }
    }

    fn fault_if_negative(&mut self, node: Node) {
        let none = self.arena.number(0);
        let negative = self.arena.lt(node, none);
        self.fault_if(negative);
    }

    /// The largest whole number whose square is at most this, found bit by bit from the top.
    fn isqrt(&mut self, of: Node) -> Made<Node> {
        let high = self.range(of).high.max(0);
        if i128::from(high) < TABLE {
            let roots: Vec<i64> = (0..=high).map(i64::isqrt).collect();
            let root = self.load(&roots, of);
            self.roots.insert(root, of);
            return Ok(root);
        }
        let mut root = self.arena.number(0);
        for bit in (0..=high.isqrt().ilog2()).rev() {
            let larger = self.arena.shift(root, 1 << bit);
            // A root of a number below 2^63 is at most 3037000499, whose square fits.
            let most = self.arena.number(3_037_000_499);
            let fits = self.arena.le(larger, most);
            let tried = self.arena.min(larger, most);
            let square = self.arena.mul(tried, tried);
            let below = self.arena.le(square, of);
            let taken = self.arena.and(fits, below);
            root = self.arena.select(taken, larger, root);
        }
        self.roots.insert(root, of);
        Ok(root)
    }

    fn shift_left(&mut self, a: Node, by: Node) -> Made<Node> {
        let (none, one, last) = (self.arena.number(0), self.arena.number(1), self.arena.number(62));
        let large = self.arena.lt(last, by);
        let large = self.settle(large);
        let within = self.arena.min(by, last);
        let factor = self.arena.shl(one, within);
        let small = self.arena.not(large);
        let overflows = self.arena.mul_overflows(a, factor);
        let overflows = self.arena.and(small, overflows);
        self.fault_if(overflows);
        let product = self.arena.mul(a, factor);
        if self.is_never(large) {
            return Ok(product);
        }
        // By 63 or more, only 0 can be shifted, and -1 to the least number.
        let (minus, most, least) = (self.arena.number(-1), self.arena.number(63), self.arena.number(i64::MIN));
        let (zero, lowest, by_most) = (self.arena.eq(a, none), self.arena.eq(a, minus), self.arena.eq(by, most));
        let lowest = self.arena.and(lowest, by_most);
        let fits = self.arena.or(zero, lowest);
        let wrong = self.arena.not(fits);
        let wrong = self.arena.and(large, wrong);
        self.fault_if(wrong);
        let shifted = self.arena.select(zero, none, least);
        Ok(self.arena.select(large, shifted, product))
    }

    fn power(&mut self, base: Node, exponent: Node) -> Made<Node> {
        let (bases, exponents) = (self.range(base), self.range(exponent));
        let high = exponents.high.max(0);
        if let Some(base) = bases.single() {
            let most = high.min(64) as u32;
            let powers: Vec<Option<i64>> = (0..=most).map(|exponent| base.checked_pow(exponent)).collect();
            if matches!(base, -1..=1) {
                let (even, odd) = (base * base, base);
                let (none, two) = (self.arena.number(0), self.arena.number(2));
                let (zero, parity) = (self.arena.eq(exponent, none), self.arena.rem(exponent, two));
                let (even, odd, one) = (self.arena.number(even), self.arena.number(odd), self.arena.number(1));
                let rest = self.arena.select(parity, odd, even);
                return Ok(self.arena.select(zero, one, rest));
            }
            let last = powers.iter().take_while(|power| power.is_some()).count() as i64 - 1;
            let most = self.arena.number(last);
            let overflows = self.arena.lt(most, exponent);
            self.fault_if(overflows);
            let powers: Vec<i64> = powers.into_iter().flatten().collect();
            return Ok(self.load(&powers, exponent));
        }
        if high > 64 {
            return unsupported("`pow` with an exponent that may be above 64");
        }
        // x^e for each exponent, one after the other.
        let mut power = self.arena.number(1);
        let mut result = power;
        for exponent_now in 1..=high {
            let number = self.arena.number(exponent_now);
            let reached = self.arena.le(number, exponent);
            let before = power;
            let overflows = self.arena.mul_overflows(before, base);
            self.under(reached, |this| {
                this.fault_if(overflows);
                Ok(())
            })?;
            power = self.arena.mul(before, base);
            result = self.arena.select(reached, power, result);
        }
        Ok(result)
    }

    /// The greatest common divisor; 2^63 comes out as the least number.
    pub(super) fn gcd(&mut self, a: Node, b: Node) -> Made<Node> {
        let (a, b) = (self.magnitude(a), self.magnitude(b));
        match (self.arena.known(a), self.arena.known(b)) {
            (Some(0), _) => return Ok(b),
            (_, Some(0)) => return Ok(a),
            (Some(1), _) | (_, Some(1)) => return Ok(self.arena.number(1)),
            _ => {}
        }
        let (of, by) = (self.range(a), self.range(b));
        if of.low < 0 || by.low < 0 {
            return unsupported("a greatest common divisor of numbers that may be negative and large");
        }
        // After k steps the smaller number is below the previous one divided by the golden ratio to the k.
        let smaller = of.high.min(by.high).max(1);
        let steps = 2 + (f64::from(64 - smaller.leading_zeros()) * 1.45) as usize;
        let (mut x, mut y) = (self.arena.max(a, b), self.arena.min(a, b));
        let none = self.arena.number(0);
        for _ in 0..steps {
            let done = self.arena.eq(y, none);
            if self.is_always(done) {
                break;
            }
            let rest = self.arena.rem(x, y);
            (x, y) = (self.arena.select(done, x, y), self.arena.select(done, none, rest));
        }
        Ok(x)
    }

    fn magnitude(&mut self, node: Node) -> Node {
        let range = self.range(node);
        let opposite = self.arena.neg(node);
        if range.low >= 0 {
            node
        } else if range.high <= 0 {
            opposite
        } else {
            let none = self.arena.number(0);
            let negative = self.arena.lt(node, none);
            if range.low > i64::MIN {
                self.arena.max(node, opposite)
            } else {
                self.arena.select(negative, opposite, node)
            }
        }
    }

    /// Built-ins that give a list.
    pub(super) fn builtin_value(&mut self, builtin: Builtin, arguments: &'b [Expr]) -> Made<Sym> {
        let [of] = arguments else { return unsupported("a built-in function with these arguments") };
        if builtin == Builtin::Divisors {
            return self.divisors(of);
        }
        let value = self.value(of)?;
        match (builtin, &value) {
            (Builtin::Reverse, Sym::Items(items)) => Ok(Sym::items(items.iter().rev().cloned().collect())),
            (Builtin::Reverse, Sym::Known(Value::Ints(list))) => {
                Ok(Sym::Known(Value::ints(list.as_slice().iter().rev().copied().collect())))
            }
            (Builtin::Reverse, Sym::Known(Value::List(list))) => {
                Ok(Sym::Known(Value::list(list.as_slice().iter().rev().cloned().collect())))
            }
            (Builtin::Reverse, _) => {
                let mut items = self.loose(&value)?;
                items.reverse();
                Ok(self.tight(items))
            }
            (Builtin::Sort, Sym::Known(known)) => {
                let mut numbers = known.numbers().unwrap_or(&[]).to_vec();
                numbers.sort_unstable();
                Ok(Sym::Known(Value::ints(numbers)))
            }
            (Builtin::Sort, Sym::Set(_)) => {
                let items = self.loose(&value)?;
                Ok(self.tight(items))
            }
            (Builtin::Sort, Sym::Items(items)) => self.sort(items),
            _ => unsupported("a list of varying length is sorted"),
        }
    }

    /// Sorts by comparing neighbours, each round in one direction.
    fn sort(&mut self, items: &[Sym]) -> Made<Sym> {
        if items.len() > 32 {
            return unsupported("a long list of the position is sorted");
        }
        let mut nodes = Vec::with_capacity(items.len());
        for item in items {
            nodes.push(self.node(item.clone())?);
        }
        for end in (1..nodes.len()).rev() {
            for place in 0..end {
                let (a, b) = (nodes[place], nodes[place + 1]);
                nodes[place] = self.arena.min(a, b);
                nodes[place + 1] = self.arena.max(a, b);
            }
        }
        Ok(Sym::items(nodes.into_iter().map(Sym::Scalar).collect()))
    }

    fn divisors(&mut self, of: &'b Expr) -> Made<Sym> {
        let number = self.scalar(of)?;
        let one = self.arena.number(1);
        let small = self.arena.lt(number, one);
        self.fault_if(small);
        let range = self.range(number);
        let (low, high) = (range.low.max(1), range.high);
        if i128::from(high) >= TABLE * 16 {
            return unsupported(format!("`divisors` of numbers up to {high}"));
        }
        if high < low {
            return Ok(Sym::Known(Value::ints(Vec::new())));
        }
        let table = match self.divisor_table {
            Some((most, table)) if most >= high => table,
            _ => {
                let table = self.divisors_up_to(high as usize);
                self.divisor_table = Some((high, table));
                table
            }
        };
        Ok(Sym::Stretch(Stretch { distinct: true, ..self.row(table, number) }))
    }

    /// The divisors of all numbers up to `high`, row by row; the row of 0 is empty.
    fn divisors_up_to(&mut self, high: usize) -> usize {
        let mut starts = vec![0i64; high + 2];
        for divisor in 1..=high {
            (divisor..=high).step_by(divisor).for_each(|multiple| starts[multiple + 1] += 1);
        }
        let most = starts.iter().copied().max().unwrap_or(0) as usize;
        for number in 0..=high {
            starts[number + 1] += starts[number];
        }
        let mut next = starts.clone();
        let mut items = vec![0i64; starts[high + 1] as usize];
        for divisor in 1..=high {
            for multiple in (divisor..=high).step_by(divisor) {
                items[next[multiple] as usize] = divisor as i64;
                next[multiple] += 1;
            }
        }
        self.add_table(None, items, Some(starts), high + 1, most)
    }

    /// `sum`, `min`, … of numbers, lists and sets.
    fn fold_arguments(&mut self, fold: Fold, arguments: &'b [Expr]) -> Made<Node> {
        let always = self.arena.number(1);
        let mut items = Vec::new();
        for argument in arguments {
            if argument.ty.is_scalar() {
                let number = self.scalar(argument)?;
                let counts = fold == Fold::Count && argument.ty != Type::Bool;
                items.push((always, if counts { always } else { number }));
                continue;
            }
            let value = self.value(argument)?;
            if fold == Fold::Count && argument.ty.item() != Some(Type::Bool) {
                items.push((always, self.length(&value)?));
                continue;
            }
            if let Some(node) = self.fold_known(fold, &value)? {
                items.push((always, node));
                continue;
            }
            for (when, item) in self.loose(&value)? {
                items.push((when, self.node(item)?));
            }
        }
        let fold = if fold == Fold::Count { Fold::Sum } else { fold };
        self.tally(fold, &items)
    }

    /// The fold of a list that is known well enough to fold it at once.
    fn fold_known(&mut self, fold: Fold, value: &Sym) -> Made<Option<Node>> {
        match (fold, value) {
            (Fold::Sum, Sym::Stretch(stretch)) => {
                let Some(sums) = self.sums_of(stretch.flat) else { return Ok(None) };
                let items = &self.lists[sums as usize];
                let (low, high) = (items.iter().min().copied(), items.iter().max().copied());
                if high.unwrap_or(0).checked_sub(low.unwrap_or(0)).is_none() {
                    return Ok(None);
                }
                let to = self.arena.load(sums, &self.lists[sums as usize], stretch.to);
                let from = self.arena.load(sums, &self.lists[sums as usize], stretch.from);
                Ok(Some(self.arena.sub(to, from)))
            }
            (_, Sym::Known(known)) => {
                let numbers = known.numbers().unwrap_or(&[]);
                let number = match fold {
                    Fold::Sum => match i64::try_from(numbers.iter().map(|n| i128::from(*n)).sum::<i128>()) {
                        Ok(sum) => Some(sum),
                        Err(_) => return unsupported("a sum of the instance does not fit in 64 bits"),
                    },
                    Fold::Min => numbers.iter().copied().min(),
                    Fold::Max => numbers.iter().copied().max(),
                    Fold::Xor => Some(numbers.iter().fold(0, |bits, number| bits ^ number)),
                    _ => None,
                };
                Ok(number.map(|number| self.arena.number(number)))
            }
            _ => Ok(None),
        }
    }
}
