//! What kind of game it is, and how it is solved.

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What kind of game it is, how that is known, and how it is solved.
#[pyclass(frozen, module = "perfectplay", mapping)]
pub struct Explanation {
    fields: Py<PyDict>,
}

impl Explanation {
    /// From the object of `perfectplay explain --json`.
    pub fn new(py: Python<'_>, text: &str) -> PyResult<Explanation> {
        let fields = py.import("json")?.call_method1("loads", (text,))?.cast_into::<PyDict>()?;
        Ok(Explanation { fields: fields.unbind() })
    }
}

#[pymethods]
impl Explanation {
    /// Everything, as `perfectplay explain --json` tells it.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.fields.bind(py).copy()
    }

    /// A field by its name.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.fields.bind(py).as_any().get_item(name)
    }

    /// The names of the fields.
    fn keys<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.fields.bind(py).keys().into_any()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let field = |name: &str| {
            let found = self.fields.bind(py).get_item(name)?;
            PyResult::Ok(found.map_or_else(String::new, |found| found.to_string()))
        };
        Ok(format!("<perfectplay.Explanation {}: {}>", field("game")?, field("method")?))
    }
}
