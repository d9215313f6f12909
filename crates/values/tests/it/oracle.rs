//! The slow oracle: games as explicit forms, compared and added by the definitions alone, nothing ever simplified.

use std::collections::HashMap;

use values::{Arena, Side, Value};

/// Forms: each is its Left and Right options, as indices.
#[derive(Default)]
pub struct Oracle {
    pub forms: Vec<[Vec<usize>; 2]>,
    index: HashMap<[Vec<usize>; 2], usize>,
    order: HashMap<(usize, usize), bool>,
    sums: HashMap<(usize, usize), usize>,
}

impl Oracle {
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
        let refuted =
            lefts.into_iter().any(|left| self.at_most(b, left)) || rights.into_iter().any(|right| self.at_most(right, a));
        self.order.insert((a, b), !refuted);
        !refuted
    }

    pub fn equal(&mut self, a: usize, b: usize) -> bool {
        self.at_most(a, b) && self.at_most(b, a)
    }

    /// The sum, written out.
    pub fn plus(&mut self, a: usize, b: usize) -> usize {
        if let Some(&known) = self.sums.get(&(a, b)) {
            return known;
        }
        let side = |oracle: &mut Oracle, side: usize| -> Vec<usize> {
            let (own, other) = (oracle.forms[a][side].clone(), oracle.forms[b][side].clone());
            let mut all: Vec<usize> = own.into_iter().map(|option| oracle.plus(option, b)).collect();
            all.extend(other.into_iter().map(|option| oracle.plus(a, option)));
            all
        };
        let (left, right) = (side(self, 0), side(self, 1));
        let sum = self.form(left, right);
        self.sums.insert((a, b), sum);
        sum
    }

    /// The form of a value of an arena: its canonical form, option by option.
    pub fn of_value(&mut self, arena: &mut Arena, value: Value, known: &mut HashMap<Value, usize>) -> usize {
        if let Some(&form) = known.get(&value) {
            return form;
        }
        let [left, right] = Side::BOTH.map(|side| {
            let options = arena.options(value, side).expect("options");
            options.into_iter().map(|option| self.of_value(arena, option, known)).collect()
        });
        let form = self.form(left, right);
        known.insert(value, form);
        form
    }

    /// The value of a form.
    pub fn value(&mut self, arena: &mut Arena, form: usize, known: &mut HashMap<usize, Value>) -> Value {
        if let Some(&value) = known.get(&form) {
            return value;
        }
        let [left, right]: [Vec<Value>; 2] = self.forms[form]
            .clone()
            .map(|options| options.into_iter().map(|option| self.value(arena, option, known)).collect());
        let value = arena.game(&left, &right).expect("a value");
        known.insert(form, value);
        value
    }
}
