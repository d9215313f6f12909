//! Values between Python and instances.

use perfectplay::answer::{Shown, Understood};
use perfectplay::language::{Given, Instance, Program};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyList, PyString, PyTuple};

use crate::errors;

/// Lists may lie in lists so deep.
const DEEPEST: usize = 16;

/// An instance: values in the order of the parameters, one dictionary with all, or values by name.
pub fn instance(program: &Program, args: &Bound<'_, PyTuple>, named: Option<&Bound<'_, PyDict>>) -> PyResult<Instance> {
    let mut all = Vec::new();
    let first = args.get_item(0).ok().filter(|_| args.len() == 1);
    if let Some(whole) = first.as_ref().and_then(|first| first.cast::<PyDict>().ok()) {
        add_all(&mut all, whole)?;
    } else {
        for (number, value) in args.iter().enumerate() {
            let Some(parameter) = program.params.get(number) else {
                let names: Vec<&str> = program.params.iter().map(|param| &*param.name).collect();
                let (given, has) = (args.len(), program.params.len());
                let names = names.join(", ");
                let name = &program.name;
                return Err(errors::usage(&format!("{given} values are given, and `{name}` takes {has}: {names}")));
            };
            all.push((parameter.name.clone(), given(&value, &parameter.name, 0)?));
        }
    }
    if let Some(named) = named {
        add_all(&mut all, named)?;
    }
    Ok(Instance(all))
}

fn add_all(all: &mut Vec<(String, Given)>, values: &Bound<'_, PyDict>) -> PyResult<()> {
    for (name, value) in values.iter() {
        let name: String = name.extract().map_err(|_| errors::usage("the names of parameters are texts"))?;
        let value = given(&value, &name, 0)?;
        all.push((name, value));
    }
    Ok(())
}

/// A value as it was given.
pub fn given(value: &Bound<'_, PyAny>, name: &str, depth: usize) -> PyResult<Given> {
    if let Ok(truth) = value.cast::<PyBool>() {
        return Ok(Given::Bool(truth.is_true()));
    }
    if value.is_instance_of::<PyInt>() {
        return number(value, name).map(Given::Int);
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Given::Text(text.to_cow()?.into_owned()));
    }
    // Arrays of NumPy and of others become lists, their numbers those of Python.
    if let Ok(list) = value.getattr("tolist") {
        return given(&list.call0()?, name, depth + 1);
    }
    let refused = || {
        let ty = value.get_type().name().map_or_else(|_| "this".to_string(), |name| name.to_string());
        errors::usage(&format!(
            "{name} is given as `{ty}`; a value is a whole number, a truth, a text, or a list of these"
        ))
    };
    if value.hasattr("__index__")? {
        return number(&value.call_method0("__index__")?, name).map(Given::Int);
    }
    if depth > DEEPEST || value.is_instance_of::<PyDict>() {
        return Err(refused());
    }
    let mut numbers = Vec::new();
    let mut others = Vec::new();
    for item in value.try_iter().map_err(|_| refused())? {
        match given(&item?, name, depth + 1)? {
            Given::Int(number) if others.is_empty() => numbers.push(number),
            other => {
                others.extend(numbers.drain(..).map(Given::Int));
                others.push(other);
            }
        }
    }
    Ok(if others.is_empty() { Given::Ints(numbers) } else { Given::List(others) })
}

fn number(value: &Bound<'_, PyAny>, name: &str) -> PyResult<i64> {
    value.extract().map_err(|_| errors::usage(&format!("{name} does not fit in 64 bits")))
}

/// An instance as a dictionary.
pub fn dictionary<'py>(py: Python<'py>, instance: &Understood) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for (name, shown) in instance.iter() {
        match shown {
            Shown::Numbers(numbers) => all.set_item(name, numbers.as_slice())?,
            Shown::Given(given) => all.set_item(name, object(py, given)?)?,
        }
    }
    Ok(all)
}

fn object<'py>(py: Python<'py>, given: &Given) -> PyResult<Bound<'py, PyAny>> {
    match given {
        Given::Int(number) => number.into_bound_py_any(py),
        Given::Bool(truth) => truth.into_bound_py_any(py),
        Given::Text(text) => text.into_bound_py_any(py),
        Given::Ints(numbers) => numbers.into_bound_py_any(py),
        Given::List(items) => {
            let items = items.iter().map(|item| object(py, item)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, items)?.into_bound_py_any(py)
        }
    }
}
