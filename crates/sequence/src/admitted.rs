//! Whether the rules admit every instance of a range, without binding each of them.
//!
//! A heap game values all heaps in one sweep, so nobody binds the instances in between; but `require n % 1000 != 777` may
//! refuse one of them. Trying some would not tell. So everything that binding an instance works out from the parameter is worked
//! out once for a whole stretch of numbers ([`Stretch`]): either it holds for all of them, or the stretch is halved, down to
//! single instances, which are bound. Most requirements are settled by the first stretch. Where that takes too many, the
//! answer is no, and the caller solves each instance by itself.

use rules::bind::Bound;
use rules::program::{Domain, Expr};
use rules::visit;

use super::instances::{Instances, Runs};
use super::stretch::{Stretch, Term};

/// So many stretches are looked at, and so many instances are bound, before the answer is no.
const MOST_STRETCHES: usize = 1 << 15;

impl Instances {
    /// Whether every instance of `from..to` is known to be admitted, and to have a position with room for all heaps that are
    /// smaller than its own. The parameter is the only heap at the start.
    pub fn admits_all(&self, from: i64, to: i64) -> bool {
        let Some(last) = to.checked_sub(1).filter(|last| *last >= from) else { return true };
        let Ok(bound) = self.bind(last) else { return false };
        let admission = Admission { instances: self, depends: self.depends(), bound };
        let mut open = vec![(from, last)];
        let mut left = MOST_STRETCHES;
        while let Some((low, high)) = open.pop() {
            let Some(fewer) = left.checked_sub(1) else { return false };
            left = fewer;
            if admission.holds(low, high) {
                continue;
            }
            if low == high {
                if !admission.is_bound(low) {
                    return false;
                }
                continue;
            }
            let middle = low + ((high.abs_diff(low)) / 2) as i64;
            open.push((middle + 1, high));
            open.push((low, middle));
        }
        true
    }

    /// Whether a parameter runs along with the one that does, since its default depends on it.
    pub fn runs_along(&self, parameter: &str) -> bool {
        let slot = self.program.params.iter().position(|param| param.name == parameter);
        slot.is_some_and(|slot| self.depends()[slot])
    }

    /// Which global slots depend on the parameter that runs.
    fn depends(&self) -> Vec<bool> {
        let program = &*self.program;
        let mut depends = vec![false; program.globals()];
        for slot in 0..program.globals() {
            depends[slot] = slot == self.parameter
                || self.computed(slot).is_some_and(|value| {
                    visit::globals_read(program, |see| visit::expr(value, see)).into_iter().any(|read| depends[read])
                });
        }
        depends
    }

    /// The expression that gives a global slot its value, unless that is given.
    fn computed(&self, slot: usize) -> Option<&Expr> {
        match slot.checked_sub(self.program.params.len()) {
            Some(index) => Some(&self.program.lets[index].value),
            None => {
                let param = &self.program.params[slot];
                param.default.as_ref().filter(|_| !self.fixed.0.iter().any(|(name, _)| *name == param.name))
            }
        }
    }
}

/// What has to hold.
struct Admission<'i> {
    instances: &'i Instances,
    /// Which global slots depend on the parameter.
    depends: Vec<bool>,
    /// The last instance: what does not depend on the parameter is the same in all.
    bound: Bound,
}

impl Admission<'_> {
    /// Whether one instance is admitted and has room.
    fn is_bound(&self, at: i64) -> bool {
        let low = |bound: &Bound| Some(bound.layout.variables.first()?.leaf.range()?.0);
        match (self.instances.bind(at), low(&self.bound)) {
            (Ok(bound), Some(last)) => low(&bound).is_some_and(|low| low <= last.max(0)),
            _ => false,
        }
    }

    /// Whether all of a stretch are known to be.
    fn holds(&self, low: i64, high: i64) -> bool {
        self.known(low, high).unwrap_or(false)
    }

    /// `None` where something is not understood, or could go wrong somewhere.
    fn known(&self, low: i64, high: i64) -> Option<bool> {
        let (instances, program) = (self.instances, &*self.bound.program);
        let mut stretch = Stretch::new(low.into(), high.into(), &self.bound.globals, &self.depends);
        for slot in (0..program.globals()).filter(|&slot| self.depends[slot]) {
            let term = match (slot == instances.parameter, instances.runs) {
                (true, Runs::Number) => Term::PARAMETER,
                (true, Runs::List) => Term::List(vec![Term::PARAMETER]),
                (false, _) => stretch.term(instances.computed(slot)?)?,
            };
            stretch.set(slot, term);
        }
        for require in &program.requires {
            if stretch.number(&require.condition)? != (1, 1) {
                return Some(false);
            }
        }
        let ([variable], Some(before)) = (&program.variables[..], self.bound.layout.variables.first()) else {
            return None;
        };
        let Domain::Range { low: least, high: most, inclusive, .. } = &variable.domain else { return None };
        let least = stretch.term(least)?;
        let above = Term::PARAMETER.minus(&least)?;
        let beyond = stretch.term(most)?.minus(&Term::PARAMETER)?;
        let room = stretch.range(&beyond)?.0 >= i128::from(!inclusive);
        let low = before.leaf.range()?.0.max(0);
        let plain = program.symmetries.is_empty() && program.regions.is_empty();
        Some(room && stretch.range(&above)?.0 >= 0 && stretch.range(&least)?.1 <= i128::from(low) && plain)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use solve::options::Options;
    use testkit::Random;

    fn instances(text: &str, parameter: &str) -> Instances {
        let program = Arc::new(rules::compile(text).unwrap_or_else(|wrong| panic!("{text}\n{wrong:?}")));
        let slot = program.params.iter().position(|param| param.name == parameter).unwrap();
        let runs = Runs::of(&program.params[slot].ty).unwrap();
        Instances::new(&program, rules::instance::Instance::default(), slot, runs, Options::default())
    }

    /// Writes expressions at random.
    struct Writer(Random);

    impl Writer {
        fn below(&mut self, bound: u64) -> u64 {
            self.0.below(bound)
        }

        fn number(&mut self, depth: u64) -> String {
            if depth == 0 {
                return match self.below(4) {
                    0 => self.below(40).to_string(),
                    1 => format!("-{}", self.below(9)),
                    _ => "n".to_string(),
                };
            }
            let (a, b) = (self.number(depth - 1), self.number(depth - 1));
            match self.below(12) {
                0 => format!("({a} + {b})"),
                1 => format!("({a} - {b})"),
                2 => format!("({a} * {b})"),
                3 => format!("({a} / {b})"),
                4 => format!("({a} % {b})"),
                5 => format!("({a} % {})", self.below(50) + 1),
                6 => format!("({a} / {})", self.below(50) + 1),
                7 => format!("min({a}, [{b}, 7])"),
                8 => format!("max({a}, {b})"),
                9 => format!("abs({a})"),
                10 => format!("(if {} then {a} else {b})", self.truth(depth - 1)),
                _ => format!("sum(x + {a} for x in [{b}, 3] when x != 3)"),
            }
        }

        fn truth(&mut self, depth: u64) -> String {
            let sign = ["==", "!=", "<", "<=", ">", ">="][self.below(6) as usize];
            let (a, b) = (self.number(depth), self.number(depth));
            match self.below(8) {
                0 if depth > 0 => format!("({} and {})", self.truth(depth - 1), self.truth(depth - 1)),
                1 if depth > 0 => format!("({} or {})", self.truth(depth - 1), self.truth(depth - 1)),
                2 if depth > 0 => format!("not {}", self.truth(depth - 1)),
                3 => format!("({a} in {b}..{})", self.number(depth)),
                4 => format!("all(x {sign} {a} for x in [{b}, n])"),
                5 => format!("any(x {sign} {a} for x in 0..4)"),
                _ => format!("({a} {sign} {b})"),
            }
        }
    }

    /// All of a range are admitted exactly if each is.
    #[test]
    fn admitted_are_those_that_can_be_bound() {
        let mut random = Writer(Random::new(7));
        let (mut yes, mut no, mut seen) = (0, 0, [0; 2]);
        for _ in 0..3000 {
            let depth = random.below(3);
            let (truth, value, default) = (random.truth(depth), random.number(depth), random.number(1));
            let most = ["n", "max(n, 5)", "2 * n", "40", "n + m"][random.below(5) as usize];
            let text = format!(
                "game g(n: int, m: int = {default}) {{ let a = {value}; require {truth} or a == 3 + m;
                 state {{ left in 0..={most} = n; }} move take when left > 0 {{ left -= 1; }} }}"
            );
            let instances = instances(&text, "n");
            let from = random.below(50) as i64;
            let to = from + random.below(200) as i64;
            let all = (from..to).all(|at| instances.bind(at).is_ok());
            assert_eq!(instances.admits_all(from, to), all, "{from}..{to} {text}");
            if all {
                yes += 1
            } else {
                no += 1
            }
            // How often a whole stretch is settled at once.
            if all && to - from > 20 {
                let bound = instances.bind(to - 1).unwrap();
                let admission = Admission { instances: &instances, depends: instances.depends(), bound };
                seen[usize::from(admission.holds(from, to - 1))] += 1;
            }
        }
        assert!(yes > 300 && no > 300, "{yes} {no}");
        assert!(seen[1] > 100, "{seen:?}");
    }

    #[test]
    fn one_instance_that_is_refused_is_found_among_many() {
        let game = |require: &str| {
            instances(
                &format!(
                    "game g(n: int) {{ require {require}; state {{ left in 0..=n = n; }}
                     move take when left > 0 {{ left -= 1; }} }}"
                ),
                "n",
            )
        };
        assert!(!game("n % 1000 != 777").admits_all(0, 1 << 31));
        assert!(!game("n != 1234567890").admits_all(0, 1 << 31));
        assert!(game("n != 1234567890").admits_all(0, 1_234_567_890));
        assert!(game("n * n + 5 > 4 and n >= 0").admits_all(0, 1 << 31));
        // Nobody knows how many of these there are.
        assert!(!game("n % 7919 * n % 4 >= 0 and gcd(n, 3) >= 1 or n >= 0").admits_all(0, 1 << 31));
    }

    #[test]
    fn lists_of_one_heap_are_seen_through() {
        let piles = |require: &str| {
            instances(
                &format!(
                    "game nim(piles: [int]) {{ require {require}; sum of pile(n in 0..=max(piles, 0)) from piles;
                     move take(k in 1..=n) {{ n -= k; }} }}"
                ),
                "piles",
            )
        };
        assert!(piles("all(p >= 0 for p in piles)").admits_all(0, 1 << 31));
        assert!(piles("len(piles) < 5 and max(piles, 0) <= 10000000000").admits_all(0, 1 << 31));
        assert!(!piles("all(p != 1000 for p in piles)").admits_all(0, 1 << 31));
    }
}
