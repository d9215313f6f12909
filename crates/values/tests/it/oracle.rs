//! Values of an arena as explicit forms of the slow oracle, and back.

use std::collections::HashMap;

pub use testkit::forms::Forms as Oracle;
use values::{Arena, Side, Value};

/// The form of a value of an arena: its canonical form, option by option.
pub fn of_value(oracle: &mut Oracle, arena: &mut Arena, value: Value, known: &mut HashMap<Value, usize>) -> usize {
    if let Some(&form) = known.get(&value) {
        return form;
    }
    let [left, right] = Side::BOTH.map(|side| {
        let options = arena.options(value, side).expect("options");
        options.into_iter().map(|option| of_value(oracle, arena, option, known)).collect()
    });
    let form = oracle.form(left, right);
    known.insert(value, form);
    form
}

/// The value of a form.
pub fn to_value(oracle: &mut Oracle, arena: &mut Arena, form: usize, known: &mut HashMap<usize, Value>) -> Value {
    if let Some(&value) = known.get(&form) {
        return value;
    }
    let [left, right]: [Vec<Value>; 2] = oracle.forms[form]
        .clone()
        .map(|options| options.into_iter().map(|option| to_value(oracle, arena, option, known)).collect());
    let value = arena.game(&left, &right).expect("a value");
    known.insert(form, value);
    value
}
