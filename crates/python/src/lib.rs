//! Perfect Play for Python: the module `perfectplay._perfectplay`, which the package `perfectplay` (`python/`) shows to people.
//!
//! Everything is asked of the library `perfectplay`; nothing is worked out here. What is written in Python is what only Python can
//! say: classes of exceptions that are a `ValueError` too, arrays of NumPy where it is installed, buttons in a notebook.
//!
//! | module | what it is about |
//! |---|---|
//! | `run` | long work without the lock of the interpreter, which Ctrl-C stops |
//! | `source`, `given`, `limits` | what functions are given: rules, instances, limits |
//! | `stands`, `game`, `solution`, `moves`, `explanation`, `solved` | a game of a rules file and what is answered |
//! | `sequence`, `table`, `partizan` | sequences, tables, the algebra of games |
//! | `class_game` | games written in Python as a class |
//! | `errors` | exceptions with the rendered diagnostic |

mod class_game;
mod errors;
mod explanation;
mod game;
mod given;
mod limits;
mod moves;
mod partizan;
mod run;
mod sequence;
mod solution;
mod solved;
mod source;
mod stands;
mod table;

use perfectplay::gallery;
use perfectplay::sums::{Gallery, Sum};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use limits::Asked;
use solution::Solution;

/// Solves a game: a name of the gallery, a path, a text of rules, a Game, or a sum of games.
#[pyfunction]
#[pyo3(signature = (rules, /, *args, time=None, memory=None, threads=None, method=None, **instance))]
fn solve(
    rules: &Bound<'_, PyAny>,
    args: &Bound<'_, PyTuple>,
    time: Option<Bound<'_, PyAny>>,
    memory: Option<u64>,
    threads: Option<usize>,
    method: Option<String>,
    instance: Option<&Bound<'_, PyDict>>,
) -> PyResult<Solution> {
    let asked = Asked { time, memory, threads, method };
    if let Ok(text) = rules.cast::<PyString>().map(|text| text.to_string())
        && is_sum(&text)
        && args.is_empty()
        && instance.is_none()
    {
        return solve_sum(rules.py(), text, &asked);
    }
    let game = game::game(rules, args, instance, &asked)?;
    game::solve(rules.py(), &game.stands, &asked)
}

/// Whether a text is a sum of games, `nim(3, 4) + kayles(7)`, and no rules.
fn is_sum(text: &str) -> bool {
    text.contains('(') && !text.contains('{') && !text.ends_with(".game")
}

fn solve_sum(py: Python<'_>, text: String, asked: &Asked<'_>) -> PyResult<Solution> {
    let (solver, stop) = asked.solver()?;
    let found = run::run(py, &stop, move || {
        let options = solver.options()?;
        Sum::read(&text, &Gallery)?.answer(&options, &mut solver.monitor())
    })?;
    Ok(Solution::new(found.map_err(|error| errors::any(&error))?, None))
}

/// What an expression of the algebra of games gives: a Value, a truth, or a text.
#[pyfunction]
#[pyo3(signature = (expression, *, time=None, memory=None))]
fn value<'py>(
    py: Python<'py>,
    expression: &str,
    time: Option<Bound<'_, PyAny>>,
    memory: Option<u64>,
) -> PyResult<Bound<'py, PyAny>> {
    partizan::calculate(py, expression, &Asked { time, memory, ..Asked::default() })
}

/// Values as one parameter runs through a range, or two.
#[pyfunction]
#[pyo3(signature = (rules, /, *, time=None, memory=None, threads=None, method=None, **instance))]
fn terms(
    rules: &Bound<'_, PyAny>,
    time: Option<Bound<'_, PyAny>>,
    memory: Option<u64>,
    threads: Option<usize>,
    method: Option<String>,
    instance: Option<&Bound<'_, PyDict>>,
) -> PyResult<sequence::Sequence> {
    sequence::sequence(rules, instance, &Asked { time, memory, threads, method })
}

/// Solves a game written in Python as a class.
#[pyfunction]
#[pyo3(signature = (game, *, time=None, memory=None))]
fn solve_class(
    game: &Bound<'_, PyAny>,
    time: Option<Bound<'_, PyAny>>,
    memory: Option<u64>,
) -> PyResult<class_game::ClassSolution> {
    class_game::solve(game, &Asked { time, memory, ..Asked::default() })
}

/// The names of the games of the gallery.
#[pyfunction]
fn games() -> Vec<&'static str> {
    gallery::GALLERY.iter().map(|(name, _)| *name).collect()
}

/// The module.
#[pymodule]
mod _perfectplay {
    #[pymodule_export]
    use super::class_game::ClassSolution;
    #[pymodule_export]
    use super::explanation::Explanation;
    #[pymodule_export]
    use super::game::Game;
    #[pymodule_export]
    use super::moves::Move;
    #[pymodule_export]
    use super::partizan::Value;
    #[pymodule_export]
    use super::sequence::{Period, Sequence};
    #[pymodule_export]
    use super::solution::Solution;
    #[pymodule_export]
    use super::table::TableReader;
    #[pymodule_export]
    use super::{games, solve, solve_class, terms, value};

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
