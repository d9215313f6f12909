//! Games written in Python as a class, through the trait for games written in Rust.
//!
//! Every position and every move is asked of Python, under the lock of the interpreter: such a game is solved some hundred times
//! slower than rules. What the class raises ends the solve and is raised again.

use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use perfectplay::answer::Winner;
use perfectplay::rust_games::{End, Forever, Game, GameSolution, Objective, Outcome, Play, Player, Verdict};
use perfectplay::{SolveError, Solver};
use pyo3::prelude::*;
use pyo3::types::PyString;
use self_cell::self_cell;

use crate::errors;
use crate::limits::Asked;

/// A position with whose turn it is. Its hash is asked for once.
#[derive(Clone)]
struct Place {
    position: Arc<Py<PyAny>>,
    turn: Player,
    hash: isize,
}

impl Hash for Place {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.hash, self.turn.0).hash(state);
    }
}

impl PartialEq for Place {
    fn eq(&self, other: &Place) -> bool {
        if self.hash != other.hash || self.turn != other.turn {
            return false;
        }
        Arc::ptr_eq(&self.position, &other.position)
            || Python::attach(|py| self.position.bind(py).eq(other.position.bind(py)).unwrap_or(false))
    }
}

impl Eq for Place {}

/// A game that is an object of Python.
struct Written {
    object: Py<PyAny>,
    players: usize,
    start: Place,
    /// What the class raised first.
    raised: Mutex<Option<PyErr>>,
    stop: Arc<AtomicBool>,
}

impl Written {
    /// Keeps what was raised, and has the solve end.
    fn kept<T>(&self, result: PyResult<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                self.stop.store(true, Ordering::Relaxed);
                None
            }
        }
    }

    fn raised(&self) -> Option<PyErr> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn ended(&self, py: Python<'_>, place: &Place) -> PyResult<Option<End>> {
        let end = self.object.bind(py).call_method1("end", (&*place.position, place.turn.0))?;
        if end.is_none() {
            return Ok(None);
        }
        if let Ok(word) = end.cast::<PyString>() {
            return match &*word.to_cow()? {
                "win" => Ok(Some(End::Outcome(Outcome::Win))),
                "lose" => Ok(Some(End::Outcome(Outcome::Loss))),
                "draw" => Ok(Some(End::Outcome(Outcome::Draw))),
                other => {
                    Err(errors::usage(&format!("`end` gave {other:?}; it gives None, 'win', 'lose', 'draw' or gains")))
                }
            };
        }
        Ok(Some(End::Gains(self.gains(&end)?)))
    }

    /// What each player gains.
    fn gains(&self, gains: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
        let gains: Vec<i64> = gains.extract()?;
        match gains.len() == self.players {
            true => Ok(gains),
            false => Err(errors::usage(&format!("gains are {} numbers, one for each player", self.players))),
        }
    }

    fn played(&self, py: Python<'_>, place: &Place) -> PyResult<Vec<Play<Arc<Py<PyAny>>, Place>>> {
        let moves = self.object.bind(py).call_method1("moves", (&*place.position, place.turn.0))?;
        let mut all = Vec::new();
        for item in moves.try_iter()? {
            let item = item?;
            let length = item.len()?;
            if !(2..=4).contains(&length) {
                return Err(errors::usage(
                    "`moves` gives (move, position), (move, position, gains) or (move, position, gains, turn)",
                ));
            }
            let gains = if length > 2 { Some(item.get_item(2)?).filter(|gains| !gains.is_none()) } else { None };
            let gains = gains.map(|gains| self.gains(&gains)).transpose()?.unwrap_or_default();
            let next = if length > 3 { Some(item.get_item(3)?).filter(|turn| !turn.is_none()) } else { None };
            let turn = match next {
                Some(turn) => self.player(turn.extract()?)?,
                None => place.turn.next(self.players),
            };
            all.push(Play {
                mv: Arc::new(item.get_item(0)?.unbind()),
                gains,
                option: found(&item.get_item(1)?, turn)?,
            });
        }
        Ok(all)
    }

    fn player(&self, number: u8) -> PyResult<Player> {
        match usize::from(number) < self.players {
            true => Ok(Player(number)),
            false => Err(errors::usage(&format!("there is no player {number}: they are counted from 0"))),
        }
    }
}

fn found(position: &Bound<'_, PyAny>, turn: Player) -> PyResult<Place> {
    Ok(Place { hash: position.hash()?, position: Arc::new(position.clone().unbind()), turn })
}

impl Game for Written {
    type Position = Place;
    type Move = Arc<Py<PyAny>>;

    fn players(&self) -> usize {
        self.players
    }

    fn start(&self) -> Place {
        self.start.clone()
    }

    fn mover(&self, place: &Place) -> Player {
        place.turn
    }

    fn end(&self, place: &Place) -> Option<End> {
        if self.stop.load(Ordering::Relaxed) {
            return Some(End::Outcome(Outcome::Loss));
        }
        let ended = Python::attach(|py| self.ended(py, place));
        // What is said after something was raised is told to nobody.
        self.kept(ended).unwrap_or(Some(End::Outcome(Outcome::Loss)))
    }

    fn moves(&self, place: &Place) -> Vec<Play<Arc<Py<PyAny>>, Place>> {
        let played = Python::attach(|py| self.played(py, place));
        self.kept(played).unwrap_or_default()
    }
}

type Answers<'g> = GameSolution<'g, Written>;

self_cell!(
    /// A solved game with the object that it speaks of.
    struct Owned {
        owner: Written,
        #[not_covariant]
        dependent: Answers,
    }
);

/// A solved game written in Python. It can be asked about every position that play can come to.
#[pyclass(frozen, module = "perfectplay")]
pub struct ClassSolution {
    solved: Owned,
    value: Verdict,
    starter: Player,
    /// How many positions were valued.
    #[pyo3(get)]
    positions: usize,
    /// What it took, in seconds.
    #[pyo3(get)]
    seconds: f64,
}

/// What a class says of its game besides positions and moves.
struct Said {
    forever: Forever,
    objective: Objective,
    impartial: bool,
}

fn said(object: &Bound<'_, PyAny>) -> PyResult<Said> {
    let word = |name: &str| -> PyResult<String> { object.getattr(name)?.extract() };
    let forever = match &*word("forever")? {
        "draw" => Forever::Draw,
        "first" => Forever::Win(Player::FIRST),
        "second" => Forever::Win(Player::SECOND),
        other => return Err(errors::usage(&format!("forever is {other:?}; it is 'draw', 'first' or 'second'"))),
    };
    let objective = match &*word("objective")? {
        "difference" => Objective::Difference,
        "own" => Objective::Own,
        other => return Err(errors::usage(&format!("objective is {other:?}; it is 'difference' or 'own'"))),
    };
    Ok(Said { forever, objective, impartial: object.getattr("impartial")?.is_truthy()? })
}

/// Solves a game that is an object of Python.
pub fn solve(object: &Bound<'_, PyAny>, asked: &Asked<'_>) -> PyResult<ClassSolution> {
    let (solver, stop) = asked.solver()?;
    let players: usize = object.getattr("players")?.extract()?;
    if !(1..=usize::from(u8::MAX)).contains(&players) {
        return Err(errors::usage(&format!("a game cannot have {players} players")));
    }
    let said = said(object)?;
    let written = Written {
        object: object.clone().unbind(),
        players,
        start: found(&object.call_method0("start")?, Player::FIRST)?,
        raised: Mutex::new(None),
        stop: Arc::clone(&stop),
    };
    // The main thread comes by Python all the time, and sees signals there.
    object.py().detach(move || solved(written, &said, &solver))
}

fn solved(written: Written, said: &Said, solver: &Solver) -> PyResult<ClassSolution> {
    let begun = Instant::now();
    let starter = written.start.turn;
    let tried = Owned::try_new_or_recover(written, |game| match said.impartial {
        true => solver.solve_impartial(game),
        false => solver.solve_game_with(game, said.forever, said.objective),
    });
    let owned = match tried {
        Ok(owned) => owned,
        Err((written, error)) => return Err(written.raised().unwrap_or_else(|| errors::any(&error.into()))),
    };
    if let Some(raised) = owned.borrow_owner().raised() {
        return Err(raised);
    }
    let (value, positions) = owned.with_dependent(|_, solution| (solution.value(), solution.positions()));
    let seconds = begun.elapsed().as_secs_f64();
    Ok(ClassSolution { solved: owned, value, starter, positions, seconds })
}

impl ClassSolution {
    /// Asks the solved game about a position; without one, about the start.
    fn ask<T>(
        &self,
        position: Option<&Bound<'_, PyAny>>,
        turn: Option<u8>,
        question: impl FnOnce(&Answers<'_>, &Place) -> Result<T, SolveError>,
    ) -> PyResult<T> {
        let owned = &self.solved;
        let written = owned.borrow_owner();
        // A stop belongs to the solve that it ended.
        written.stop.store(false, Ordering::Relaxed);
        let place = match position {
            Some(position) => found(position, written.player(turn.unwrap_or(0))?)?,
            None => written.start.clone(),
        };
        let answer = owned.with_dependent(|_, solution| question(solution, &place));
        match owned.borrow_owner().raised() {
            Some(raised) => Err(raised),
            None => answer.map_err(|error| errors::any(&error.into())),
        }
    }
}

#[pymethods]
impl ClassSolution {
    /// `win`, `lose` or `draw` for the player who starts.
    #[getter]
    fn outcome(&self) -> Option<String> {
        self.value.outcome().map(|outcome| outcome.to_string())
    }

    /// `first`, `second` or `draw`, in a game that is won and lost or counted by the difference.
    #[getter]
    fn winner(&self) -> Option<String> {
        let outcome = match self.value {
            Verdict::Score(score) => Some(match score.signum() {
                1 => Outcome::Win,
                0 => Outcome::Draw,
                _ => Outcome::Loss,
            }),
            _ => self.value.outcome(),
        };
        outcome.map(|outcome| Winner::of(outcome, self.starter).to_string())
    }

    /// The starter's total minus the other's.
    #[getter]
    fn value(&self) -> Option<i64> {
        match self.value {
            Verdict::Score(score) => Some(score),
            _ => None,
        }
    }

    /// One total a player.
    #[getter]
    fn payoffs(&self) -> Option<Vec<i64>> {
        match &self.value {
            Verdict::Payoffs { totals, .. } => Some(totals.to_vec()),
            _ => None,
        }
    }

    /// The Grundy number, in a game that says it is impartial.
    #[getter]
    fn nimber(&self) -> Option<u64> {
        self.value.nimber()
    }

    /// Moves until the end.
    #[getter]
    fn remoteness(&self) -> Option<u32> {
        self.value.remoteness()
    }

    /// Every move that keeps the result, of the start or of a position that play can come to.
    #[pyo3(signature = (position=None, turn=None))]
    fn best_moves(&self, position: Option<&Bound<'_, PyAny>>, turn: Option<u8>) -> PyResult<Vec<Py<PyAny>>> {
        let moves = self.ask(position, turn, |solution, place| solution.best_moves(place))?;
        Ok(Python::attach(|py| moves.iter().map(|mv| mv.clone_ref(py)).collect()))
    }

    /// One line of best play, of at most so many moves.
    #[pyo3(signature = (position=None, turn=None, most=1000))]
    fn line(&self, position: Option<&Bound<'_, PyAny>>, turn: Option<u8>, most: usize) -> PyResult<Vec<Py<PyAny>>> {
        let line = self.ask(position, turn, |solution, place| solution.line(place, most))?;
        Ok(Python::attach(|py| line.iter().map(|mv| mv.clone_ref(py)).collect()))
    }

    fn __repr__(&self) -> String {
        let winner = self.winner().map_or(String::new(), |winner| format!(", winner {winner}"));
        format!("<perfectplay.ClassSolution {} positions{winner}>", self.positions)
    }
}
