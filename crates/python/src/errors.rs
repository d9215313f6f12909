//! Errors as exceptions. Their classes are written in Python (`perfectplay/errors.py`), where a class can be a `ValueError` too.

use perfectplay::language::{Diagnostic, Rules};
use perfectplay::{Error, SolveError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyModule};

static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();

/// An exception of a class by its name, with a text and attributes.
fn exception<'py>(py: Python<'py>, class: &str, text: &str, attributes: Option<Bound<'py, PyDict>>) -> PyErr {
    let made = || {
        let module = MODULE.get_or_try_init(py, || Ok::<_, PyErr>(py.import("perfectplay.errors")?.unbind()))?;
        let made = module.bind(py).getattr(class)?.call1((text,))?;
        for (name, value) in attributes.iter().flat_map(|attributes| attributes.iter()) {
            made.setattr(name.extract::<String>()?, value)?;
        }
        Ok(PyErr::from_value(made))
    };
    made().unwrap_or_else(|error: PyErr| error)
}

/// Something that was given to a function cannot be what is meant.
pub fn usage(message: &str) -> PyErr {
    Python::attach(|py| exception(py, "UsageError", message, None))
}

/// A position that cannot be read, or a move that is not legal.
pub fn position(message: &str) -> PyErr {
    Python::attach(|py| exception(py, "PositionError", message, None))
}

/// A table that cannot be read.
pub fn table(message: &str) -> PyErr {
    Python::attach(|py| exception(py, "TableError", message, None))
}

/// A mistake of ours.
pub fn internal(message: &str) -> PyErr {
    Python::attach(|py| exception(py, "InternalError", message, None))
}

/// Mistakes in rules, over their text.
pub fn rules(error: &Error) -> PyErr {
    told(error, "RulesError")
}

/// Any error of the library; mistakes are those of an instance.
pub fn any(error: &Error) -> PyErr {
    told(error, "InstanceError")
}

/// Mistakes in an expression.
pub fn expression(error: &Error) -> PyErr {
    told(error, "ExpressionError")
}

/// An error of a solve.
pub fn solving(error: SolveError, rules: &Rules) -> PyErr {
    told(&Error::solving(error, rules), "RulesError")
}

fn told(error: &Error, class: &str) -> PyErr {
    Python::attach(|py| {
        let text = error.report(false);
        let text = text.trim_end();
        match error {
            Error::Mistakes(mistakes) => {
                let class = if mistakes.too_much_work { "LimitError" } else { class };
                let attributes = diagnostics(py, &mistakes.rules, &mistakes.diagnostics);
                match attributes {
                    Ok(attributes) => exception(py, class, text, Some(attributes)),
                    Err(error) => error,
                }
            }
            Error::Solve(error) => of_solve(py, error, text),
        }
    })
}

fn of_solve(py: Python<'_>, error: &SolveError, text: &str) -> PyErr {
    let class = match error.plain() {
        SolveError::Limit { .. } | SolveError::Dear { .. } => "LimitError",
        SolveError::Interrupted { .. } => "InterruptedSolveError",
        SolveError::Overflow => "TotalOverflowError",
        SolveError::NotApplicable(_) => "NotApplicableError",
        SolveError::Fault(_) => "RulesError",
        _ => "InternalError",
    };
    let attributes = PyDict::new(py);
    if let Some(bounds) = error.bounds() {
        let set = attributes.set_item("bounds", (bounds.low, bounds.high));
        if let Err(error) = set {
            return error;
        }
    }
    exception(py, class, text, Some(attributes))
}

/// What is wrong, and where: one dictionary a mistake.
fn diagnostics<'py>(py: Python<'py>, rules: &Rules, all: &[Diagnostic]) -> PyResult<Bound<'py, PyDict>> {
    let mut list = Vec::new();
    for diagnostic in all {
        let told = PyDict::new(py);
        told.set_item("title", &diagnostic.title)?;
        let place = diagnostic.label.as_ref().map(|(span, _)| span.range());
        let at = place.as_ref().map(|place| place.start.min(rules.source.len()));
        let before = at.and_then(|at| rules.source.get(..at));
        told.set_item("line", before.map(|text| text.matches('\n').count() + 1))?;
        told.set_item("column", before.map(|text| text.chars().rev().take_while(|c| *c != '\n').count() + 1))?;
        told.set_item("text", place.and_then(|place| rules.source.get(place)))?;
        told.set_item("notes", &diagnostic.notes)?;
        told.set_item("help", &diagnostic.help)?;
        list.push(told);
    }
    let attributes = PyDict::new(py);
    attributes.set_item("diagnostics", list)?;
    Ok(attributes)
}
