//! Values as one parameter runs, or two.

use std::sync::Arc;

use perfectplay::language::Instance;
use perfectplay::sequence::{
    Axis, Grid, Instances, PeriodProof, Runs, Sequence as Terms, SequenceError, Summary, Term,
};
use perfectplay::{Error, SolveError, Solver};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyRange};

use crate::limits::Asked;
use crate::source::{Compiled, rules};
use crate::{errors, given, run};

/// A period.
#[pyclass(frozen, get_all, module = "perfectplay")]
#[derive(Clone)]
pub struct Period {
    /// From where on values repeat.
    start: i64,
    /// After how many terms they do.
    length: u64,
    /// What every repetition adds.
    saltus: u64,
    /// How that is known.
    proof: String,
    /// Whether it is proved, and not only seen.
    proved: bool,
}

#[pymethods]
impl Period {
    fn __repr__(&self) -> String {
        let Period { start, length, saltus, proof, .. } = self;
        let saltus = if *saltus == 0 { String::new() } else { format!(", saltus {saltus}") };
        format!("<perfectplay.Period {length} from {start} on{saltus} ({proof})>")
    }
}

/// Values as a parameter runs. `perfectplay.sequence` makes arrays of them.
#[pyclass(frozen, get_all, module = "perfectplay")]
pub struct Sequence {
    /// The game's name.
    name: String,
    /// The parameters that run: one, or two.
    parameters: Vec<String>,
    /// What they run through: the first number, and the one after the last.
    ranges: Vec<(i64, i64)>,
    /// `nimber`, `score`, `outcome`, `value`, …
    kind: Option<String>,
    /// The values as numbers, row by row; a win is 1, a draw 0, a loss −1. `None` where a value is no number.
    numbers: Vec<Option<i64>>,
    /// The values as texts, where some are no numbers.
    texts: Option<Vec<Option<String>>>,
    /// The period of a sequence.
    period: Option<Period>,
}

/// Values as one or two parameters run through a `range`.
pub fn sequence(source: &Bound<'_, PyAny>, named: Option<&Bound<'_, PyDict>>, asked: &Asked<'_>) -> PyResult<Sequence> {
    let py = source.py();
    let compiled = rules(source)?;
    let mut fixed = Vec::new();
    let mut axes = Vec::new();
    for (name, value) in named.into_iter().flat_map(|named| named.iter()) {
        let name: String = name.extract()?;
        match value.cast::<PyRange>() {
            Ok(range) => axes.push(axis(&compiled, &name, range)?),
            Err(_) => fixed.push((name.clone(), given::given(&value, &name, 0)?)),
        }
    }
    if axes.is_empty() || axes.len() > 2 {
        let names: Vec<&str> = compiled.program.params.iter().map(|param| &*param.name).collect();
        let message =
            format!("one parameter or two run through a range, as in {}=range(100)", names.first().unwrap_or(&"n"));
        return Err(errors::usage(&message));
    }
    let (solver, stop) = asked.solver()?;
    let known = Arc::clone(&compiled);
    let fixed = Instance(fixed);
    let found = run::run(py, &stop, move || terms(&known, fixed.clone(), &axes, &solver))?;
    found.map_err(|error| errors::any(&error))
}

/// The parameter of a name, and how it runs.
fn axis(compiled: &Compiled, name: &str, range: &Bound<'_, PyRange>) -> PyResult<Axis> {
    let program = &compiled.program;
    let Some(parameter) = program.params.iter().position(|param| param.name == name) else {
        let names: Vec<&str> = program.params.iter().map(|param| &*param.name).collect();
        let (game, names) = (&program.name, names.join(", "));
        return Err(errors::usage(&format!("`{game}` has no parameter `{name}`; its parameters are {names}")));
    };
    let Some(runs) = Runs::of(&program.params[parameter].ty) else {
        return Err(errors::usage(&format!("`{name}` is neither a number nor a list of numbers, so it cannot run")));
    };
    let part = |name: &str| -> PyResult<i64> { range.getattr(name)?.extract() };
    let (from, to) = (part("start")?, part("stop")?);
    if part("step")? != 1 || from >= to {
        return Err(errors::usage("a parameter runs through a range with step 1 that has at least one number"));
    }
    Ok(Axis { parameter, runs, from, to })
}

fn terms(compiled: &Compiled, fixed: Instance, axes: &[Axis], solver: &Solver) -> Result<Sequence, Error> {
    let failed = |error: SequenceError| match error {
        SequenceError::Refused { diagnostics, .. } => Error::mistakes(&compiled.rules, diagnostics),
        SequenceError::Solve { error, .. } => Error::solving(error, &compiled.rules),
        other => Error::Solve(SolveError::NotApplicable(other.to_string())),
    };
    let (program, options, mut monitor) = (&compiled.program, solver.options()?, solver.monitor());
    let mut found = Sequence {
        name: program.name.clone(),
        parameters: axes.iter().map(|axis| program.params[axis.parameter].name.clone()).collect(),
        ranges: axes.iter().map(|axis| (axis.from, axis.to)).collect(),
        kind: None,
        numbers: Vec::new(),
        texts: None,
        period: None,
    };
    match *axes {
        [down, across] => {
            let mut grid = Grid::new(program, fixed, down, across, options);
            while !grid.extend(&mut monitor).map_err(failed)? {}
            found.kind = grid.kind().map(|kind| kind.to_string());
            found.take(grid.rows().flat_map(|row| row.iter().cloned()));
        }
        [axis, ..] => {
            let instances = Instances::new(program, fixed, axis.parameter, axis.runs, options);
            let mut sequence = Terms::of(instances, axis.from, axis.to).map_err(failed)?;
            while !sequence.extend(&mut monitor).map_err(failed)? {}
            let summary = Summary::of(&sequence);
            found.kind = summary.kind.map(|kind| kind.to_string());
            found.period = summary.period.map(|period| Period {
                start: period.start,
                length: period.length,
                saltus: period.saltus,
                proof: match period.proof {
                    PeriodProof::Theorem(name) => format!("theorem: {name}"),
                    PeriodProof::Observed => "observed".to_string(),
                },
                proved: period.proof != PeriodProof::Observed,
            });
            found.take(sequence.terms().map(Some));
        }
        [] => {}
    }
    Ok(found)
}

impl Sequence {
    fn take(&mut self, terms: impl Iterator<Item = Option<Term>>) {
        let terms: Vec<Option<Term>> = terms.collect();
        self.numbers = terms.iter().map(|term| term.as_ref().and_then(Term::number)).collect();
        let unnumbered = terms.iter().zip(&self.numbers).any(|(term, number)| term.is_some() && number.is_none());
        if unnumbered {
            self.texts = Some(terms.iter().map(|term| term.as_ref().map(Term::to_string)).collect());
        }
    }
}
