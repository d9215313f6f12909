//! Hands forms of partizan games to the checker. It asks with the forms of the options, so that all that is needed is the algebra.

use std::collections::HashMap;

use boards::canonical::of_values;
use values::{Arena, Side, Value};
use verify::forms::{self, Form, Forms};

use super::wrong;
use solve::error::SolveError;

/// Values beside the forms of the checker.
pub struct FormSource {
    arena: Arena,
    /// The value of each form, by number, and back.
    values: Vec<Value>,
    forms: HashMap<Value, Form>,
}

impl FormSource {
    /// No forms yet.
    pub fn new(arena: Arena) -> FormSource {
        FormSource { arena, values: Vec::new(), forms: HashMap::new() }
    }

    /// The form of the game with these options, and the entry that says so: each new form with its options, then the number of
    /// the form.
    pub fn form(&mut self, options: [&[Form]; 2], forms: &mut Forms) -> Result<(Form, Vec<u64>), SolveError> {
        // The checker makes some forms by itself.
        for form in self.values.len()..forms.len() {
            let options = forms::Side::BOTH.map(|side| forms.options(form as Form, side));
            let value = self.value(options)?;
            self.values.push(value);
            self.forms.entry(value).or_insert(form as Form);
        }
        let value = self.value(options)?;
        let mut numbers = Vec::new();
        let form = self.written(value, forms, &mut numbers)?;
        numbers.push(u64::from(form) + 1);
        Ok((form, numbers))
    }

    /// The value of the game with these options.
    fn value(&mut self, options: [&[Form]; 2]) -> Result<Value, SolveError> {
        let [left, right] =
            options.map(|options| options.iter().map(|form| self.values[*form as usize]).collect::<Vec<Value>>());
        Ok(self.arena.game(&left, &right).map_err(of_values)?)
    }

    /// The form of a value, after its options. New forms are added and written down.
    fn written(&mut self, value: Value, forms: &mut Forms, numbers: &mut Vec<u64>) -> Result<Form, SolveError> {
        let mut open = vec![value];
        while let Some(&value) = open.last() {
            if self.forms.contains_key(&value) {
                open.pop();
                continue;
            }
            let left = self.arena.options(value, Side::Left).map_err(of_values)?;
            let right = self.arena.options(value, Side::Right).map_err(of_values)?;
            let before = open.len();
            open.extend(left.iter().chain(&right).filter(|option| !self.forms.contains_key(option)));
            if open.len() > before {
                continue;
            }
            numbers.push(0);
            let [left, right] = [left, right].map(|options| {
                let mut options: Vec<Form> = options.iter().map(|option| self.forms[option]).collect();
                options.sort_unstable();
                numbers.push(options.len() as u64);
                numbers.extend(options.iter().map(|option| u64::from(*option)));
                options
            });
            let form = forms.enter(&left, &right).map_err(wrong)?;
            self.values.push(value);
            self.forms.insert(value, form);
            open.pop();
        }
        Ok(self.forms[&value])
    }
}
