//! A game of a rules file with its instance, standing at some position.

use std::sync::Arc;

use perfectplay::answer::{Player, Understood};
use perfectplay::language::{Bound as Ready, Position, show};
use perfectplay::scene::Painter;
use perfectplay::view::{Walk, WalkError};
use perfectplay::{json, moves, plan, positions};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::explanation::Explanation;
use crate::limits::Asked;
use crate::moves::Move;
use crate::solution::Solution;
use crate::source::rules;
use crate::stands::{Stands, bound};
use crate::{errors, given, run, solved};

/// A game with its instance.
#[pyclass(frozen, module = "perfectplay")]
pub struct Game {
    pub(crate) stands: Arc<Stands>,
}

/// A game from what a function was given.
pub fn game(
    source: &Bound<'_, PyAny>,
    args: &Bound<'_, PyTuple>,
    named: Option<&Bound<'_, PyDict>>,
    asked: &Asked<'_>,
) -> PyResult<Game> {
    if let Ok(known) = source.cast::<Game>() {
        if !args.is_empty() || named.is_some_and(|named| !named.is_empty()) {
            return Err(errors::usage("a Game has its instance already"));
        }
        return Ok(Game { stands: Arc::clone(&known.get().stands) });
    }
    let compiled = rules(source)?;
    let instance = given::instance(&compiled.program, args, named)?;
    let (solver, stop) = asked.solver()?;
    let bound = {
        let compiled = Arc::clone(&compiled);
        run::run(source.py(), &stop, move || bound(&compiled, &instance, &solver))?
    };
    let bound = bound.map_err(|error| errors::any(&error))?;
    Ok(Game { stands: Stands::new(compiled, bound, Vec::new()) })
}

/// Moves as a text, or a list of texts.
fn labels(after: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if let Ok(text) = after.cast::<PyString>() {
        return Ok(moves::split(&text.to_cow()?));
    }
    let mut all = Vec::new();
    for item in after.try_iter()? {
        all.push(item?.str()?.to_string());
    }
    Ok(all)
}

/// A player by name or number.
fn player(turn: &Bound<'_, PyAny>, players: usize) -> PyResult<Player> {
    let number = match turn.extract::<u8>() {
        Ok(number) => Some(number),
        Err(_) => {
            let name: String = turn.extract()?;
            (0..players as u8).find(|&number| Player(number).to_string() == name)
        }
    };
    let found = number.filter(|&number| usize::from(number) < players).map(Player);
    found.ok_or_else(|| {
        let names: Vec<String> = (0..players as u8).map(|number| Player(number).to_string()).collect();
        errors::usage(&format!("there is no such player; the players are {}", names.join(", ")))
    })
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (rules, /, *args, time=None, memory=None, **instance))]
    fn new(
        rules: &Bound<'_, PyAny>,
        args: &Bound<'_, PyTuple>,
        time: Option<Bound<'_, PyAny>>,
        memory: Option<u64>,
        instance: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Game> {
        game(rules, args, instance, &Asked { time, memory, ..Asked::default() })
    }

    /// The game's name.
    #[getter]
    fn name(&self) -> &str {
        &self.stands.bound.program.name
    }

    /// The text of the rules.
    #[getter]
    fn rules(&self) -> &str {
        &self.stands.compiled.rules.source
    }

    /// The instance as understood.
    #[getter]
    fn instance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        given::dictionary(py, &Understood::new(&self.stands.bound))
    }

    /// How many players take turns.
    #[getter]
    fn players(&self) -> usize {
        self.stands.bound.players
    }

    /// Whose turn it is.
    #[getter]
    fn turn(&self) -> String {
        self.stands.bound.start.turn.to_string()
    }

    /// The moves that led here.
    #[getter]
    fn played(&self) -> Vec<String> {
        self.stands.after.clone()
    }

    /// Whether no move is left.
    #[getter]
    fn over(&self) -> PyResult<bool> {
        let bound = &self.stands.bound;
        let end = moves::end(bound, &bound.start);
        Ok(end.map_err(|fault| errors::solving(fault.into(), &self.stands.compiled.rules))?.is_some())
    }

    /// The variables of the position, as JSON has them.
    #[getter]
    fn position<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = positions::text(&self.stands.bound, &self.stands.bound.start);
        py.import("json")?.call_method1("loads", (text,))
    }

    /// The names of the legal moves.
    fn legal(&self) -> PyResult<Vec<String>> {
        let bound = &self.stands.bound;
        let plays = moves::plays(bound, &bound.start);
        let plays = plays.map_err(|fault| errors::solving(fault.into(), &self.stands.compiled.rules))?;
        Ok(plays.into_iter().map(|play| play.label).collect())
    }

    /// The game after some moves.
    fn after(&self, moves: &Bound<'_, PyAny>) -> PyResult<Game> {
        let stands = &self.stands;
        let labels = labels(moves)?;
        let walk = Walk::new(&stands.bound, &stands.bound.start, &labels, false).map_err(|error| match error {
            WalkError::Move(wrong) => errors::position(&format!("{}; {}", wrong.message, wrong.help)),
            WalkError::Rules(error) => errors::solving(error, &stands.compiled.rules),
        })?;
        let played = walk.plays.iter().map(|play| play.label.clone());
        let after = stands.after.iter().cloned().chain(played).collect();
        Ok(self.standing_at(walk.here().clone(), after))
    }

    /// The game at a position: its variables as a dictionary or JSON, or its drawing.
    #[pyo3(signature = (position, turn=None))]
    fn at(&self, position: &Bound<'_, PyAny>, turn: Option<&Bound<'_, PyAny>>) -> PyResult<Game> {
        let bound = &self.stands.bound;
        let turn = turn.map(|turn| player(turn, bound.players)).transpose()?.unwrap_or(bound.start.turn);
        let text: String = match position.cast::<PyString>() {
            Ok(text) => text.to_cow()?.into_owned(),
            Err(_) => position.py().import("json")?.call_method1("dumps", (position,))?.extract()?,
        };
        let read = positions::read(bound, &text, turn);
        let position = read.map_err(|wrong| errors::position(&format!("{}; {}", wrong.message, wrong.help)))?;
        Ok(self.standing_at(position, Vec::new()))
    }

    /// Who wins, by how much, and how.
    #[pyo3(signature = (*, time=None, memory=None, threads=None, method=None))]
    fn solve(
        &self,
        py: Python<'_>,
        time: Option<Bound<'_, PyAny>>,
        memory: Option<u64>,
        threads: Option<usize>,
        method: Option<String>,
    ) -> PyResult<Solution> {
        solve(py, &self.stands, &Asked { time, memory, threads, method })
    }

    /// Every legal move with what it is worth.
    #[pyo3(signature = (*, time=None, memory=None, threads=None, method=None))]
    fn moves(
        &self,
        py: Python<'_>,
        time: Option<Bound<'_, PyAny>>,
        memory: Option<u64>,
        threads: Option<usize>,
        method: Option<String>,
    ) -> PyResult<Vec<Move>> {
        solved::moves(py, &self.stands, &Asked { time, memory, threads, method })
    }

    /// What kind of game it is, how that is known, and how it would be solved.
    #[pyo3(signature = (*, run=false, time=None, memory=None, threads=None, method=None))]
    fn explain(
        &self,
        py: Python<'_>,
        run: bool,
        time: Option<Bound<'_, PyAny>>,
        memory: Option<u64>,
        threads: Option<usize>,
        method: Option<String>,
    ) -> PyResult<Explanation> {
        let (solver, stop) = Asked { time, memory, threads, method }.solver()?;
        let stands = Arc::clone(&self.stands);
        let told = run::run(py, &stop, move || {
            let look = if run { None } else { Some(&plan::LOOK) };
            let monitor = |limits: &_| solver.monitor_within(limits);
            let options = solver.options()?;
            let explained = plan::explain(&stands.bound, &options, solver.limits(), look, &monitor)?;
            Ok(json::explanation(&explained, None))
        })?;
        let text = told.map_err(|error| errors::solving(error, &self.stands.compiled.rules))?;
        Explanation::new(py, &text)
    }

    /// One page of HTML with every position in it, to look at and to play.
    #[pyo3(signature = (*, time=None, memory=None))]
    fn page(&self, py: Python<'_>, time: Option<Bound<'_, PyAny>>, memory: Option<u64>) -> PyResult<String> {
        let (solver, stop) = Asked { time, memory, ..Asked::default() }.solver()?;
        let stands = Arc::clone(&self.stands);
        let page = run::run(py, &stop, move || {
            let options = solver.options().map_err(explorer::ExportError::Solve)?;
            explorer::export(&stands.compiled.rules, &stands.bound, &options, &mut solver.monitor())
        })?;
        page.map_err(|error| match error {
            explorer::ExportError::Solve(error) => errors::solving(error, &self.stands.compiled.rules),
            other => errors::usage(&other.to_string()),
        })
    }

    /// The position as `show` of the rules draws it.
    fn __str__(&self) -> String {
        let bound = &self.stands.bound;
        let drawn = show::draw_named(bound, &bound.start);
        drawn.unwrap_or_else(|_| show::position_text(bound, &bound.start)).trim_end().to_string()
    }

    fn __repr__(&self) -> String {
        let instance = json::instance_text(&self.stands.bound);
        let shown: String = instance.chars().take(200).collect();
        let after = self.stands.after.join(", ");
        let after = if after.is_empty() { after } else { format!(", after {after:?}") };
        format!("<perfectplay.Game {} {shown}{after}>", self.stands.bound.program.name)
    }

    /// The position as a picture.
    fn svg(&self) -> String {
        let bound = &self.stands.bound;
        Painter::new(bound).scene(&bound.start).svg()
    }

    fn _repr_html_(&self) -> String {
        self.svg()
    }

    /// For copies and other processes. The copy stands at the same position; how play came there is not told.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let restore = py.import("perfectplay")?.getattr("_restored")?;
        let bound = &self.stands.bound;
        let position = positions::text(bound, &bound.start);
        let parts = (self.rules(), self.instance(py)?, position, bound.start.turn.0);
        Ok((restore, parts.into_pyobject(py)?))
    }
}

impl Game {
    fn standing_at(&self, position: Position, after: Vec<String>) -> Game {
        let mut bound = Ready::clone(&self.stands.bound);
        bound.starts = position.turn;
        bound.start = position;
        Game { stands: Stands::new(Arc::clone(&self.stands.compiled), bound, after) }
    }
}

/// The answer for a game.
pub fn solve(py: Python<'_>, stands: &Arc<Stands>, asked: &Asked<'_>) -> PyResult<Solution> {
    let (solver, stop) = asked.solver()?;
    let bound = Arc::clone(&stands.bound);
    let found = run::run(py, &stop, move || solver.answer(&bound))?;
    let found = found.map_err(|error| errors::solving(error, &stands.compiled.rules))?;
    let game = Py::new(py, Game { stands: Arc::clone(stands) })?.into_any();
    Ok(Solution::new(found, Some((Arc::clone(stands), game))))
}
