//! Limits as keyword arguments.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use perfectplay::Solver;
use pyo3::prelude::*;

use crate::errors;

/// What a solve may take.
#[derive(Default)]
pub struct Asked<'py> {
    /// Seconds, or a `timedelta`.
    pub time: Option<Bound<'py, PyAny>>,
    /// Bytes.
    pub memory: Option<u64>,
    /// How many threads.
    pub threads: Option<usize>,
    /// A method by name.
    pub method: Option<String>,
}

impl Asked<'_> {
    /// A solver with these limits, and what stops it.
    pub fn solver(&self) -> PyResult<(Solver, Arc<AtomicBool>)> {
        let stop = Arc::new(AtomicBool::new(false));
        let mut solver = Solver::new().cancelled_by(Arc::clone(&stop));
        if let Some(time) = &self.time {
            solver = solver.time(seconds(time)?);
        }
        if let Some(bytes) = self.memory {
            solver = solver.memory(bytes);
        }
        match self.threads {
            Some(0) => return Err(errors::usage("threads=0: at least one thread has to work")),
            Some(threads) => solver = solver.threads(threads),
            None => {}
        }
        if let Some(method) = &self.method {
            solver = solver.method(method);
        }
        Ok((solver, stop))
    }
}

fn seconds(time: &Bound<'_, PyAny>) -> PyResult<Duration> {
    let number: PyResult<f64> = match time.getattr("total_seconds") {
        Ok(total) => total.call0()?.extract(),
        Err(_) => time.extract(),
    };
    let limit = number.ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    limit.ok_or_else(|| errors::usage("time is a number of seconds that is not negative, or a timedelta"))
}
