//! Parameters: given values checked against the types that the rules declare, and defaults for the rest.

use crate::diagnostic::Diagnostic;
use crate::fault::Fault;
use crate::instance::{Given, Instance};
use crate::interpreter::Interpreter;
use crate::program::{Example, Param, Program};
use crate::suggest::nearest;
use crate::text::cut;
use crate::types::Type;
use crate::value::Value;

/// The global slots with the parameters filled in and the `let`s still unknown, or everything that is wrong.
pub(crate) fn fill(program: &Program, instance: &Instance) -> Result<Vec<Option<Value>>, Vec<Diagnostic>> {
    let mut globals: Vec<Option<Value>> = vec![None; program.globals()];
    let mut mistakes = Vec::new();
    for (index, (name, value)) in instance.0.iter().enumerate() {
        let Some(slot) = program.params.iter().position(|param| param.name == *name) else {
            mistakes.push(unknown(program, name));
            continue;
        };
        if instance.0[..index].iter().any(|(other, _)| other == name) {
            mistakes.push(Diagnostic::new(format!("the parameter `{name}` is given twice")));
            continue;
        }
        match convert(value, &program.params[slot].ty) {
            Ok(value) => globals[slot] = Some(value.keep()),
            Err(misfit) => mistakes.push(mistyped(&program.params[slot], &misfit)),
        }
    }
    let complete = mistakes.is_empty();
    for (slot, param) in program.params.iter().enumerate() {
        if globals[slot].is_some() || instance.0.iter().any(|(name, _)| *name == param.name) {
            continue;
        }
        let Some(default) = &param.default else {
            mistakes.push(missing(param));
            continue;
        };
        // A default may read parameters before it, so nothing is computed from an instance that is already wrong.
        if complete && mistakes.is_empty() {
            match Interpreter::of_instance(program, &globals).value_of(default) {
                Ok(value) => globals[slot] = Some(value.keep()),
                Err(fault) => mistakes.push(*fault.diagnostic),
            }
        }
    }
    if mistakes.is_empty() { Ok(globals) } else { Err(mistakes) }
}

/// Why a given value does not have the declared type.
struct Misfit {
    /// Indices, innermost first.
    path: Vec<usize>,
    wanted: String,
    given: String,
}

fn convert(given: &Given, ty: &Type) -> Result<Value, Misfit> {
    match (given, ty) {
        (Given::Int(number), Type::Int) => Ok(Value::Int(*number)),
        (Given::Bool(truth), Type::Bool) => Ok(Value::Int(i64::from(*truth))),
        (Given::Text(text), Type::Text) => Ok(Value::text(text)),
        (Given::Ints(items), Type::List(item)) => match &**item {
            Type::Int => Ok(Value::ints(items.clone())),
            item if items.is_empty() => {
                Ok(if item.is_scalar() { Value::ints(Vec::new()) } else { Value::list(Vec::new()) })
            }
            item => Err(inside(0, misfit(&Given::Int(items[0]), item))),
        },
        (Given::List(items), Type::List(item)) => {
            let mut values = Vec::with_capacity(items.len());
            for (index, given) in items.iter().enumerate() {
                values.push(convert(given, item).map_err(|misfit| inside(index, misfit))?);
            }
            if item.is_scalar() {
                return Ok(Value::ints(values.iter().filter_map(Value::as_int).collect()));
            }
            Ok(Value::list(values))
        }
        _ => Err(misfit(given, ty)),
    }
}

fn inside(index: usize, mut misfit: Misfit) -> Misfit {
    misfit.path.push(index);
    misfit
}

fn misfit(given: &Given, ty: &Type) -> Misfit {
    let what = match given {
        Given::Int(_) => "the number",
        Given::Bool(_) => "the truth value",
        Given::Text(_) => "the text",
        Given::Ints(_) | Given::List(_) => "the list",
    };
    Misfit { path: Vec::new(), wanted: wanted(ty), given: format!("{what} {}", cut(60, given)) }
}

fn wanted(ty: &Type) -> String {
    match ty {
        Type::Int => "a whole number".to_string(),
        Type::Bool => "`true` or `false`".to_string(),
        Type::Text => "a text in quotes".to_string(),
        Type::List(item) => match &**item {
            Type::Int => "a list of whole numbers".to_string(),
            Type::Bool => "a list of truth values".to_string(),
            Type::Text => "a list of texts".to_string(),
            Type::List(inner) if **inner == Type::Int => "a list of lists of whole numbers".to_string(),
            _ => format!("a list `{ty}`"),
        },
        Type::Set | Type::Unknown => format!("a value of type `{ty}`"),
    }
}

fn mistyped(param: &Param, misfit: &Misfit) -> Diagnostic {
    let mut place = param.name.clone();
    for index in misfit.path.iter().rev() {
        place.push_str(&format!("[{index}]"));
    }
    let title = format!("`{place}` must be {}, and was given {}", misfit.wanted, misfit.given);
    Diagnostic::at(param.span, title, format!("declared as `{}`", param.ty)).help(how_to_give(param))
}

fn unknown(program: &Program, name: &str) -> Diagnostic {
    let names = || program.params.iter().map(|param| param.name.as_str());
    let diagnostic = Diagnostic::new(format!("`{}` has no parameter `{name}`", program.name));
    match nearest(name, names()) {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None if program.params.is_empty() => diagnostic.help("this game has no parameters"),
        None => {
            let are = if program.params.len() == 1 { "its parameter is" } else { "its parameters are" };
            let names = names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            diagnostic.help(format!("{are} {names}"))
        }
    }
}

fn missing(param: &Param) -> Diagnostic {
    Diagnostic::new(format!("the parameter `{}` is missing: {}", param.name, wanted(&param.ty)))
        .help(how_to_give(param))
}

fn how_to_give(param: &Param) -> String {
    format!("give it as `{}={}`", param.name, example_of(&param.ty))
}

fn example_of(ty: &Type) -> String {
    match ty {
        Type::Int => "5".to_string(),
        Type::Bool => "true".to_string(),
        Type::Text => "\"abc\"".to_string(),
        Type::List(item) => match &**item {
            Type::Int => "[5, 3, 7]".to_string(),
            Type::Bool => "[true, false]".to_string(),
            Type::Text => "[\"abc\", \"de\"]".to_string(),
            Type::List(inner) if **inner == Type::Int => "[[1, 2], [0]]".to_string(),
            item => format!("[{}]", example_of(item)),
        },
        Type::Set | Type::Unknown => "[]".to_string(),
    }
}

/// The instance of a worked example.
pub fn example_instance(program: &Program, example: &Example) -> Result<Instance, Fault> {
    let mut entries = Vec::new();
    for (param, value) in &example.given {
        let param = &program.params[*param];
        let value = Interpreter::of_instance(program, &[]).value_of(value)?;
        entries.push((param.name.clone(), Given::of(&value, &param.ty)));
    }
    Ok(Instance(entries))
}
