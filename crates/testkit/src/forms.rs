//! Partizan games as explicit forms: the slow oracle of the algebra of values.
//!
//! Forms are compared and added by the definitions alone, and nothing is simplified unless [`Forms::canonical`] is asked. What
//! is defined on canonical forms (heating, products, incentives) starts from there, step by step as the books write it. Numbers are
//! counted in units of one 1024th, which is finer than anything that the tests come to.

use std::collections::{HashMap, HashSet};

/// So many units make one.
pub const ONE: i64 = 1024;

/// Forms: each is its Left and Right options, as indices.
#[derive(Default)]
pub struct Forms {
    /// The options of each form.
    pub forms: Vec<[Vec<usize>; 2]>,
    index: HashMap<[Vec<usize>; 2], usize>,
    order: HashMap<(usize, usize), bool>,
    sums: HashMap<(usize, usize), usize>,
    negatives: HashMap<usize, usize>,
    simple: HashMap<usize, usize>,
    cooled: HashMap<(usize, i64), usize>,
}

impl Forms {
    /// The form with these options.
    pub fn form(&mut self, left: Vec<usize>, right: Vec<usize>) -> usize {
        let form = [left, right];
        if let Some(&known) = self.index.get(&form) {
            return known;
        }
        self.forms.push(form.clone());
        self.index.insert(form, self.forms.len() - 1);
        self.forms.len() - 1
    }

    /// `a ≤ b` unless a Left option of `a` is at least `b` or a Right option of `b` is at most `a`.
    pub fn at_most(&mut self, a: usize, b: usize) -> bool {
        if let Some(&known) = self.order.get(&(a, b)) {
            return known;
        }
        let lefts = self.forms[a][0].clone();
        let rights = self.forms[b][1].clone();
        let refuted = lefts.into_iter().any(|left| self.at_most(b, left))
            || rights.into_iter().any(|right| self.at_most(right, a));
        self.order.insert((a, b), !refuted);
        !refuted
    }

    /// Whether two forms are worth the same.
    pub fn equal(&mut self, a: usize, b: usize) -> bool {
        self.at_most(a, b) && self.at_most(b, a)
    }

    /// The sum, written out.
    pub fn plus(&mut self, a: usize, b: usize) -> usize {
        if let Some(&known) = self.sums.get(&(a, b)) {
            return known;
        }
        let side = |forms: &mut Forms, side: usize| -> Vec<usize> {
            let (own, other) = (forms.forms[a][side].clone(), forms.forms[b][side].clone());
            let mut all: Vec<usize> = own.into_iter().map(|option| forms.plus(option, b)).collect();
            all.extend(other.into_iter().map(|option| forms.plus(a, option)));
            all
        };
        let (left, right) = (side(self, 0), side(self, 1));
        let sum = self.form(left, right);
        self.sums.insert((a, b), sum);
        sum
    }

    /// The negative: the players change sides.
    pub fn negative(&mut self, a: usize) -> usize {
        if let Some(&known) = self.negatives.get(&a) {
            return known;
        }
        let [left, right] = self.forms[a].clone();
        let turned =
            |forms: &mut Forms, list: Vec<usize>| list.into_iter().map(|option| forms.negative(option)).collect();
        let (new_left, new_right) = (turned(self, right), turned(self, left));
        let negative = self.form(new_left, new_right);
        self.negatives.insert(a, negative);
        negative
    }

    /// The canonical form of the sum.
    pub fn sum(&mut self, a: usize, b: usize) -> usize {
        let sum = self.plus(a, b);
        self.canonical(sum)
    }

    /// The canonical form: canonical options, reversible ones replaced by what is behind the answer, dominated ones left out.
    pub fn canonical(&mut self, a: usize) -> usize {
        if let Some(&known) = self.simple.get(&a) {
            return known;
        }
        let mut sides: [Vec<usize>; 2] =
            self.forms[a].clone().map(|list| list.into_iter().map(|option| self.canonical(option)).collect());
        for (side, list) in sides.iter_mut().enumerate() {
            let mut at = 0;
            while at < list.len() {
                let answers = self.forms[list[at]][1 - side].clone();
                let back = answers.into_iter().find(|&answer| self.prefers(side, a, answer));
                match back {
                    Some(answer) => {
                        list.swap_remove(at);
                        list.extend(self.forms[answer][side].clone());
                    }
                    None => at += 1,
                }
            }
            list.sort_unstable();
            list.dedup();
            let all = list.clone();
            list.retain(|&option| !all.iter().any(|&other| other != option && self.prefers(side, other, option)));
        }
        let [left, right] = sides;
        let canonical = self.form(left, right);
        self.simple.insert(a, canonical);
        self.simple.insert(canonical, canonical);
        canonical
    }

    /// Whether a player likes `a` at least as much as `b`.
    fn prefers(&mut self, side: usize, a: usize, b: usize) -> bool {
        if side == 0 { self.at_most(b, a) } else { self.at_most(a, b) }
    }

    /// The nimber of this size.
    pub fn nimber(&mut self, size: usize) -> usize {
        let smaller: Vec<usize> = (0..size).map(|smaller| self.nimber(smaller)).collect();
        self.form(smaller.clone(), smaller)
    }

    /// A number of so many units, by its simplest form.
    pub fn number(&mut self, units: i64) -> usize {
        if units % ONE == 0 {
            let inner = (units != 0).then(|| self.number(units - units.signum() * ONE));
            let (left, right) = (inner.filter(|_| units > 0), inner.filter(|_| units < 0));
            return self.form(left.into_iter().collect(), right.into_iter().collect());
        }
        let step = 1 << units.trailing_zeros();
        let (left, right) = (self.number(units - step), self.number(units + step));
        self.form(vec![left], vec![right])
    }

    /// The number that a form is worth, in units, if it is one.
    pub fn number_of(&mut self, a: usize) -> Option<i64> {
        let canonical = self.canonical(a);
        let [left, right] = self.forms[canonical].clone();
        if left.len() > 1 || right.len() > 1 {
            return None;
        }
        let both = |forms: &mut Forms, list: &[usize]| list.first().map(|&option| forms.number_of(option));
        match (both(self, &left), both(self, &right)) {
            (None, None) => Some(0),
            (Some(left), None) => Some(left? + ONE),
            (None, Some(right)) => Some(right? - ONE),
            (Some(left), Some(right)) => {
                let (left, right) = (left?, right?);
                (left < right).then_some((left + right) / 2)
            }
        }
    }

    /// The whole number that a form is worth, if it is one.
    pub fn integer_of(&mut self, a: usize) -> Option<i64> {
        self.number_of(a).filter(|units| units % ONE == 0).map(|units| units / ONE)
    }

    /// The stop that comes of play by turns, a player first, until there is a number.
    pub fn stop(&mut self, a: usize, side: usize) -> i64 {
        if let Some(number) = self.number_of(a) {
            return number;
        }
        let canonical = self.canonical(a);
        let stops: Vec<i64> =
            self.forms[canonical][side].clone().into_iter().map(|option| self.stop(option, 1 - side)).collect();
        let best = if side == 0 { stops.into_iter().max() } else { stops.into_iter().min() };
        best.expect("what is no number has options for both")
    }

    /// So many copies.
    pub fn times(&mut self, n: i64, a: usize) -> usize {
        let each = if n < 0 { self.negative(a) } else { a };
        let mut sum = self.number(0);
        for _ in 0..n.unsigned_abs() {
            sum = self.sum(sum, each);
        }
        sum
    }

    /// What each move of each player gains in the canonical form: `GL − G` and `G − GR`.
    pub fn incentives(&mut self, a: usize) -> Vec<usize> {
        let canonical = self.canonical(a);
        let minus = self.negative(canonical);
        let [left, right] = self.forms[canonical].clone();
        let mut gains: Vec<usize> = left.into_iter().map(|option| self.sum(option, minus)).collect();
        for option in right {
            let negative = self.negative(option);
            gains.push(self.sum(canonical, negative));
        }
        gains
    }

    /// Works the canonical form from its ends up: `end` values some forms, and every other move gets one of the bonuses.
    fn rebuilt(
        &mut self,
        a: usize,
        bonuses: &[usize],
        end: &dyn Fn(&mut Forms, usize) -> Option<usize>,
        known: &mut HashMap<usize, usize>,
    ) -> usize {
        let canonical = self.canonical(a);
        if let Some(&known) = known.get(&canonical) {
            return known;
        }
        let built = end(self, canonical).unwrap_or_else(|| {
            let mut sides = [Vec::new(), Vec::new()];
            for (side, list) in self.forms[canonical].clone().into_iter().enumerate() {
                for option in list {
                    let inner = self.rebuilt(option, bonuses, end, known);
                    for &bonus in bonuses {
                        let bonus = if side == 0 { bonus } else { self.negative(bonus) };
                        sides[side].push(self.sum(inner, bonus));
                    }
                }
            }
            let [left, right] = sides;
            let form = self.form(left, right);
            self.canonical(form)
        });
        known.insert(canonical, built);
        built
    }

    /// The Norton product with a unit above zero: `n · U` for a whole number, else every move gets `U` and an incentive of `U`.
    pub fn norton(&mut self, a: usize, unit: usize) -> usize {
        let bonuses: Vec<usize> = self.incentives(unit).into_iter().map(|gain| self.sum(unit, gain)).collect();
        let end = |forms: &mut Forms, form: usize| forms.integer_of(form).map(|n| forms.times(n, unit));
        self.rebuilt(a, &bonuses, &end, &mut HashMap::new())
    }

    /// Heated by `t`: numbers stay, every other move gets `t`.
    pub fn heat(&mut self, a: usize, t: usize) -> usize {
        let end = |forms: &mut Forms, form: usize| forms.number_of(form).map(|_| form);
        self.rebuilt(a, &[t], &end, &mut HashMap::new())
    }

    /// Overheated from `s` to `t`: a whole number becomes so many `s`, every other move gets `t`.
    pub fn overheat(&mut self, a: usize, s: usize, t: usize) -> usize {
        let end = |forms: &mut Forms, form: usize| forms.integer_of(form).map(|n| forms.times(n, s));
        self.rebuilt(a, &[t], &end, &mut HashMap::new())
    }

    /// The ordinal sum of a base in canonical form and a top: a move in the base ends the top.
    pub fn ordinal_sum(&mut self, base: usize, top: usize) -> usize {
        let base = self.canonical(base);
        let [mut left, mut right] = self.forms[base].clone();
        let [top_left, top_right] = self.forms[top].clone();
        left.extend(top_left.into_iter().map(|option| self.ordinal_sum(base, option)).collect::<Vec<_>>());
        right.extend(top_right.into_iter().map(|option| self.ordinal_sum(base, option)).collect::<Vec<_>>());
        self.form(left, right)
    }

    /// Cooled by `t ≥ 0`, a multiple of `step`: every move is taxed by `t`, unless a smaller tax leaves nothing but a number and an
    /// infinitesimal; then it is that number. The least such tax is looked for among the multiples of `step`.
    pub fn cool(&mut self, a: usize, t: i64, step: i64) -> usize {
        let a = self.canonical(a);
        if self.number_of(a).is_some() {
            return a;
        }
        if let Some(&known) = self.cooled.get(&(a, t)) {
            return known;
        }
        let frozen = (0..t / step).map(|at| at * step).find_map(|less| self.frozen_at(a, less, step));
        let cooled = match frozen {
            Some(number) => self.number(number),
            None => self.taxed(a, t, step),
        };
        self.cooled.insert((a, t), cooled);
        cooled
    }

    /// All moves taxed by `t`, where the options are cooled by as much.
    fn taxed(&mut self, a: usize, t: i64, step: i64) -> usize {
        let sides = [0, 1].map(|side: usize| {
            let tax = self.number(if side == 0 { -t } else { t });
            let options = self.forms[a][side].clone();
            options.into_iter().map(|option| (self.cool(option, t, step), tax)).collect::<Vec<_>>()
        });
        let [left, right] = sides.map(|list| list.into_iter().map(|(option, tax)| self.sum(option, tax)).collect());
        let form = self.form(left, right);
        self.canonical(form)
    }

    /// The number to which a game is infinitesimally close that is taxed by `t`, if it is.
    fn frozen_at(&mut self, a: usize, t: i64, step: i64) -> Option<i64> {
        let taxed = self.taxed(a, t, step);
        let stops = [0, 1].map(|side| self.stop(taxed, side));
        (stops[0] == stops[1]).then_some(stops[0])
    }

    /// Cooled by the least tax that leaves a number and an infinitesimal, among the multiples of `step`, and that tax.
    pub fn freeze(&mut self, a: usize, step: i64) -> (usize, i64) {
        let a = self.canonical(a);
        if self.number_of(a).is_some() {
            return (a, 0);
        }
        let mut t = 0;
        while self.frozen_at(a, t, step).is_none() {
            t += step;
        }
        (self.taxed(a, t, step), t)
    }

    /// All followers of the canonical form, itself among them.
    pub fn followers(&mut self, a: usize) -> Vec<usize> {
        let mut met = HashSet::new();
        let mut open = vec![self.canonical(a)];
        while let Some(form) = open.pop() {
            if met.insert(form) {
                open.extend(self.forms[form].iter().flatten());
            }
        }
        met.into_iter().collect()
    }

    /// The depth of the canonical form.
    pub fn birthday(&mut self, a: usize) -> usize {
        let canonical = self.canonical(a);
        let options: Vec<usize> = self.forms[canonical].concat();
        options.into_iter().map(|option| 1 + self.birthday(option)).max().unwrap_or(0)
    }
}
