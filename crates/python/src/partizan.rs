//! Values of partizan games, with operators.
//!
//! A value is kept as the text of its canonical form, and each operation is an expression that is worked out. So values need no
//! place that would have to be emptied, and go from one process to another as texts.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use perfectplay::sums::Gallery;
use perfectplay::values::{Answer, Calculator, Found};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::types::{PyInt, PyString, PyTuple};

use crate::limits::Asked;
use crate::{errors, run};

/// The value of a game in which the players have moves of their own, by its canonical form.
#[pyclass(frozen, module = "perfectplay")]
pub struct Value {
    /// What expressions call it.
    text: String,
    about: About,
}

/// What is known of a value.
#[derive(Default)]
struct About {
    outcome: Option<String>,
    stops: Option<(String, String)>,
    mean: Option<String>,
    temperature: Option<String>,
    loopy: bool,
}

/// What an expression gives, without what belongs to the calculator.
struct Worked {
    text: Option<String>,
    about: About,
    /// Whether it is a value, and not a truth or something else.
    is_value: bool,
    thermograph: Option<String>,
}

fn worked(found: Found, calculator: &mut Calculator<'_>, draw: bool) -> Result<Worked, perfectplay::Error> {
    let thermograph = match draw {
        true => calculator.thermograph(&found)?.map(|graph| graph.to_svg(&found.expression)),
        false => None,
    };
    let facts = found.facts.as_ref();
    let about = About {
        outcome: facts.map(|facts| facts.outcome.to_string()),
        stops: facts.map(|facts| (facts.stops.0.to_string(), facts.stops.1.to_string())),
        mean: facts.and_then(|facts| facts.mean).map(|mean| mean.to_string()),
        temperature: facts.and_then(|facts| facts.temperature).map(|temperature| temperature.to_string()),
        loopy: matches!(found.answer, Answer::Loopy(_)),
    };
    let is_value = matches!(found.answer, Answer::Game(_) | Answer::Loopy(_));
    Ok(Worked { text: found.text, about, is_value, thermograph })
}

/// Works an expression out.
fn evaluate(py: Python<'_>, expression: String, draw: bool, asked: &Asked<'_>) -> PyResult<Worked> {
    let (solver, stop) = asked.solver()?;
    let found = run::run(py, &stop, move || {
        let mut calculator = Calculator::new(&Gallery, solver.monitor());
        let found = calculator.evaluate(&expression)?;
        worked(found, &mut calculator, draw)
    })?;
    found.map_err(|error| errors::expression(&error))
}

/// What an expression gives: a value, a truth, or a text.
pub fn calculate<'py>(py: Python<'py>, expression: &str, asked: &Asked<'_>) -> PyResult<Bound<'py, PyAny>> {
    let worked = evaluate(py, expression.to_string(), false, asked)?;
    if worked.is_value {
        return Ok(Bound::new(py, Value::of(worked)?)?.into_any());
    }
    let text = worked.text.ok_or_else(too_long)?;
    match &*text {
        "true" => Ok(true.into_pyobject(py)?.to_owned().into_any()),
        "false" => Ok(false.into_pyobject(py)?.to_owned().into_any()),
        _ => Ok(text.into_pyobject(py)?.into_any()),
    }
}

fn too_long() -> PyErr {
    errors::usage("the canonical form is too long to be written out, so it cannot be a Value")
}

impl Value {
    fn of(worked: Worked) -> PyResult<Value> {
        Ok(Value { text: worked.text.ok_or_else(too_long)?, about: worked.about })
    }

    /// The value of an expression.
    pub fn read(py: Python<'_>, expression: &str, asked: &Asked<'_>) -> PyResult<Value> {
        let worked = evaluate(py, expression.to_string(), false, asked)?;
        match worked.is_value {
            true => Value::of(worked),
            false => Err(errors::usage(&format!("`{expression}` gives no value of a game"))),
        }
    }

    fn made(&self, py: Python<'_>, expression: String) -> PyResult<Value> {
        Value::of(evaluate(py, expression, false, &Asked::default())?)
    }
}

/// What stands beside a value in an expression: another value, a whole number or a fraction.
fn operand(other: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if let Ok(value) = other.cast::<Value>() {
        return Ok(Some(value.get().text.clone()));
    }
    let is_fraction = other.hasattr("numerator")? && other.hasattr("denominator")?;
    if other.is_instance_of::<PyInt>() || is_fraction {
        return Ok(Some(format!("{}/{}", other.getattr("numerator")?, other.getattr("denominator")?)));
    }
    Ok(None)
}

#[pymethods]
impl Value {
    #[new]
    #[pyo3(signature = (expression, *, time=None, memory=None))]
    fn new(
        py: Python<'_>,
        expression: &Bound<'_, PyAny>,
        time: Option<Bound<'_, PyAny>>,
        memory: Option<u64>,
    ) -> PyResult<Value> {
        let asked = Asked { time, memory, ..Asked::default() };
        if let Ok(text) = expression.cast::<PyString>() {
            return Value::read(py, &text.to_cow()?, &asked);
        }
        match operand(expression)? {
            Some(text) => Value::read(py, &text, &asked),
            None => Err(PyTypeError::new_err("a value is given by an expression, a whole number or a fraction")),
        }
    }

    /// Who wins: `L`, `R`, `N` or `P`; `None` where play may go on for ever.
    #[getter]
    fn outcome(&self) -> Option<&str> {
        self.about.outcome.as_deref()
    }

    /// The Left stop and the Right stop, as fractions.
    #[getter]
    fn stops<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let Some((left, right)) = &self.about.stops else { return Ok(None) };
        PyTuple::new(py, [fraction(py, left)?, fraction(py, right)?]).map(Some)
    }

    /// The mean value, as a fraction.
    #[getter]
    fn mean<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.about.mean.as_ref().map(|mean| fraction(py, mean)).transpose()
    }

    /// The temperature, as a fraction.
    #[getter]
    fn temperature<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.about.temperature.as_ref().map(|temperature| fraction(py, temperature)).transpose()
    }

    /// Whether play may go on for ever.
    #[getter]
    fn loopy(&self) -> bool {
        self.about.loopy
    }

    /// The thermograph as a picture.
    fn thermograph(&self, py: Python<'_>) -> PyResult<Option<String>> {
        Ok(evaluate(py, self.text.clone(), true, &Asked::default())?.thermograph)
    }

    /// Whether neither is at least the other: who begins wins the difference.
    fn confused(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Some(other) = operand(other)? else {
            return Err(PyTypeError::new_err("a value is compared with a value or a number"));
        };
        truth(py, format!("({}) || ({other})", self.text))
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("Value({:?})", self.text)
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let name = self.text.replace('&', "&amp;").replace('<', "&lt;");
        Ok(format!("<div><code>{name}</code></div>{}", self.thermograph(py)?.unwrap_or_default()))
    }

    fn __neg__(&self, py: Python<'_>) -> PyResult<Value> {
        self.made(py, format!("-({})", self.text))
    }

    fn __pos__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __add__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.with(py, other, |own, other| format!("({own}) + ({other})"))
    }

    fn __radd__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.with(py, other, |own, other| format!("({other}) + ({own})"))
    }

    fn __sub__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.with(py, other, |own, other| format!("({own}) - ({other})"))
    }

    fn __rsub__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.with(py, other, |own, other| format!("({other}) - ({own})"))
    }

    /// So many copies.
    fn __mul__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        match other.extract::<i64>() {
            Ok(copies) => {
                let made = self.made(py, format!("{copies}*({})", self.text))?;
                Ok(Bound::new(py, made)?.into_any())
            }
            Err(_) => Ok(py.NotImplemented().into_bound(py)),
        }
    }

    fn __rmul__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.__mul__(py, other)
    }

    fn __richcmp__<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, PyAny>,
        op: CompareOp,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Some(other) = operand(other)? else { return Ok(py.NotImplemented().into_bound(py)) };
        let sign = match op {
            CompareOp::Lt => "<",
            CompareOp::Le => "<=",
            CompareOp::Eq => "=",
            CompareOp::Ne => "!=",
            CompareOp::Gt => ">",
            CompareOp::Ge => ">=",
        };
        let holds = truth(py, format!("({}) {sign} ({other})", self.text))?;
        Ok(holds.into_pyobject(py)?.to_owned().into_any())
    }

    /// Equal values have equal forms, so what follows from the form is equal; a number is as a number of Python is.
    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        if let Some(mean) = self.about.mean.as_ref().filter(|mean| **mean == self.text) {
            return fraction(py, mean)?.hash();
        }
        let mut hasher = DefaultHasher::new();
        let About { outcome, stops, mean, temperature, loopy } = &self.about;
        (outcome, stops, mean, temperature, loopy).hash(&mut hasher);
        Ok(hasher.finish() as isize)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        Ok((py.get_type::<Value>().into_any(), PyTuple::new(py, [&self.text])?))
    }
}

impl Value {
    fn with<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, PyAny>,
        expression: impl Fn(&str, &str) -> String,
    ) -> PyResult<Bound<'py, PyAny>> {
        match operand(other)? {
            Some(other) => Ok(Bound::new(py, self.made(py, expression(&self.text, &other))?)?.into_any()),
            None => Ok(py.NotImplemented().into_bound(py)),
        }
    }
}

fn truth(py: Python<'_>, expression: String) -> PyResult<bool> {
    let worked = evaluate(py, expression, false, &Asked::default())?;
    match worked.text.as_deref() {
        Some("true") => Ok(true),
        Some("false") => Ok(false),
        _ => Err(errors::internal("a comparison gave no truth")),
    }
}

/// A number of Python.
fn fraction<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("fractions")?.getattr("Fraction")?.call1((text,))
}
