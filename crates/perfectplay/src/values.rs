//! The algebra of games: values of positions, added, compared, cooled, by their canonical forms.
//!
//! A [`Calculator`] works out expressions. A name in them is a position: a game of the gallery or a rules file, with its
//! instance in brackets, as in a sum ([`crate::sums`]). Its value comes from its rules.
//!
//! ```
//! use perfectplay::solving::Monitor;
//! use perfectplay::sums::Gallery;
//! use perfectplay::values::Calculator;
//!
//! let mut calculator = Calculator::new(&Gallery, Monitor::unlimited());
//! let found = calculator.evaluate("domineering(2,3) + 2*{1|-1} - toads_and_frogs(2,1,2)")?;
//! assert_eq!(found.text.unwrap(), "{2*|-1/2*}");
//! assert_eq!(calculator.evaluate("kayles(7)")?.text.unwrap(), "*2");
//! assert_eq!(calculator.evaluate("{2|-1} || 0")?.text.unwrap(), "true");
//! # Ok::<(), perfectplay::Error>(())
//! ```
//!
//! What an expression gives is one of several things:
//!
//! ```
//! use perfectplay::solving::Monitor;
//! use perfectplay::sums::Gallery;
//! use perfectplay::values::{Answer, Arena, Calculator, Dyadic, FUNCTIONS, Function, Loopy, Reach, Side, Thermograph, Value};
//! use perfectplay::answer::OutcomeClass;
//!
//! let mut calculator = Calculator::new(&Gallery, Monitor::unlimited());
//! let mut answer = |text: &str| calculator.evaluate(text).unwrap().answer;
//! assert!(matches!(answer("{1|-1}"), Answer::Game(_)));
//! assert!(matches!(answer("1 > *"), Answer::Truth(true)));
//! assert!(matches!(answer("outcome(^)"), Answer::Outcome(OutcomeClass::L)));
//! let Answer::Loopy(hot) = answer("{on|0}") else { panic!("play may go on for ever") };
//! let loopy: Loopy = hot;
//! assert_eq!(loopy.reach(Side::Right).unwrap(), Reach::Win);
//!
//! // The functions that expressions know.
//! let functions: &[Function] = FUNCTIONS;
//! assert!(functions.iter().any(|function| function.name == "mean"));
//!
//! // By hand: values live in an arena; numbers are dyadic fractions.
//! let mut arena: Arena = perfectplay::values::arena(&Monitor::unlimited());
//! let one: Value = arena.integer(1).unwrap();
//! let half: Dyadic = arena.mean(one).unwrap();
//! assert_eq!(half.to_string(), "1");
//! let thermograph: std::sync::Arc<Thermograph> = arena.thermograph(one).unwrap();
//! assert_eq!(thermograph.mean(), half);
//! ```
//!
//! Values of positions by hand go into an arena ([`arena`], [`value_in`]). Moves are judged by values:
//!
//! ```
//! use perfectplay::values::{Form, Judged, JudgedPart, Mark, MoveJudgement, arena, judged, position_thermograph, value_in};
//! use perfectplay::{Solver, language::Rules};
//!
//! let board = Rules::gallery("domineering").unwrap().bind(r#"{"rows": 2, "columns": 3}"#)?;
//! let (solver, mut monitor) = (Solver::new(), Solver::new().monitor());
//! let solved = solver.solved(&board)?;
//! let moves = solved.moves(&board.start)?;
//! let plays: Vec<_> = moves.iter().map(|mv| &mv.play).collect();
//! let found: Judged = judged(&solved, &board.start, &plays, &mut monitor)?.unwrap();
//! let parts: &[JudgedPart] = &found.parts;
//! assert!(parts.is_empty()); // The board is whole.
//! let first: &MoveJudgement = &found.moves[0];
//! assert!(matches!(first.mark, Mark::Kept | Mark::Dominated(_) | Mark::Equal(_) | Mark::Reversible(_)));
//!
//! // The thermograph of the position, and its value in an arena.
//! let mean = position_thermograph(&solved, &board.start, &mut monitor)?.unwrap().mean();
//! let mut arena = arena(&monitor);
//! let Form::Value(value) = value_in(&mut arena, &board, &board.start, &Default::default(), &mut monitor)? else { panic!() };
//! assert_eq!(arena.mean(value).unwrap(), mean);
//! # Ok::<(), perfectplay::Error>(())
//! ```

use std::collections::HashMap;

use boards::CanonicalForms;
use engine::monitor::Monitor;
use game::OutcomeClass;
use rules::diagnostic::Diagnostic;
use rules::span::Span;
use solve::error::{Limit, SolveError};
use solve::options::Options;

#[doc(inline)]
pub use ::values::expression::{Answer, FUNCTIONS, Function};
#[doc(inline)]
pub use ::values::loopy::value::Reach;
#[doc(inline)]
pub use ::values::{Arena, Dyadic, Loopy, Side, Thermograph, Value};
#[doc(inline)]
pub use solve::answer::canonical_value::thermograph as position_thermograph;
#[doc(inline)]
pub use solve::answer::judged::{Judged, JudgedPart, Mark, MoveJudgement, judged};
#[doc(inline)]
pub use solve::answer::value_in_arena::{Form, value_in};

use ::values::expression::Named;

use crate::error::Error;
use crate::language::Rules;
use crate::sums::{Files, Sum};

/// The name of a value is at most so long, in bytes.
const LONGEST_NAME: usize = 10_000;

/// An empty arena with the limits of a monitor.
///
/// ```
/// use perfectplay::language::Rules;
/// use perfectplay::solving::Monitor;
/// use perfectplay::values::{Form, arena, value_in};
///
/// let mut monitor = Monitor::unlimited();
/// let mut arena = arena(&monitor);
/// let board = Rules::gallery("domineering").unwrap().bind(r#"{"rows": 2, "columns": 2}"#)?;
/// let value = value_in(&mut arena, &board, &board.start, &Default::default(), &mut monitor)?;
/// let Form::Value(value) = value else { panic!("no position repeats") };
/// let twice = arena.plus(value, value).unwrap();
/// assert_eq!((arena.name(value, 100).unwrap(), arena.name(twice, 100).unwrap()), ("±1".to_string(), "0".to_string()));
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub fn arena(monitor: &Monitor) -> Arena {
    CanonicalForms::new(monitor).arena
}

/// What an expression gives, and what people want to know of it.
///
/// ```
/// use perfectplay::{solving::Monitor, sums::Gallery, values::Calculator};
///
/// let found = Calculator::new(&Gallery, Monitor::unlimited()).evaluate("{3|1}")?;
/// let facts = found.facts.unwrap();
/// assert_eq!((facts.mean.unwrap().to_string(), facts.temperature.unwrap().to_string()), ("2".into(), "1".into()));
/// # Ok::<(), perfectplay::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Found {
    /// The expression.
    pub expression: String,
    /// What it gives.
    pub answer: Answer,
    /// The answer as text: a value by the name of its canonical form. None where that would be very long.
    pub text: Option<String>,
    /// More of a value without loops.
    pub facts: Option<Facts>,
    /// What Left and Right reach when they begin, for a loopy value.
    pub reach: Option<(Reach, Reach)>,
    /// Several values, each by its name.
    pub list: Option<Vec<String>>,
}

/// What people want to know of a value without loops.
///
/// ```
/// use perfectplay::{answer::OutcomeClass, solving::Monitor, sums::Gallery, values::Calculator};
///
/// let found = Calculator::new(&Gallery, Monitor::unlimited()).evaluate("^")?;
/// assert_eq!(found.facts.unwrap().outcome, OutcomeClass::L);
/// # Ok::<(), perfectplay::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Who wins.
    pub outcome: OutcomeClass,
    /// The Left stop and the Right stop.
    pub stops: (Dyadic, Dyadic),
    /// The mean value; None where it does not fit.
    pub mean: Option<Dyadic>,
    /// The temperature; None where it does not fit.
    pub temperature: Option<Dyadic>,
}

/// Works expressions out, with positions from rules.
///
/// ```
/// use perfectplay::{solving::Monitor, sums::Gallery, values::Calculator};
///
/// let error = Calculator::new(&Gallery, Monitor::unlimited()).evaluate("1 + {2|").unwrap_err();
/// assert!(error.report(false).contains("1 + {2|"));
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub struct Calculator<'f> {
    arena: Arena,
    shelf: Shelf<'f>,
}

impl<'f> Calculator<'f> {
    /// A calculator with the limits of a monitor, for all that it is asked.
    ///
    /// ```
    /// use perfectplay::{solving::Monitor, sums::Gallery, values::Calculator};
    ///
    /// assert!(Calculator::new(&Gallery, Monitor::unlimited()).evaluate("0").is_ok());
    /// ```
    pub fn new(files: &'f dyn Files, monitor: Monitor) -> Calculator<'f> {
        Calculator { arena: arena(&monitor), shelf: Shelf { files, monitor, known: HashMap::new(), held: None } }
    }

    /// What an expression gives.
    ///
    /// ```
    /// use perfectplay::{solving::Monitor, sums::Gallery, values::Calculator};
    ///
    /// let mut calculator = Calculator::new(&Gallery, Monitor::unlimited());
    /// assert_eq!(calculator.evaluate("cool({4|0}, 1)")?.text.unwrap(), "{3|1}");
    /// # Ok::<(), perfectplay::Error>(())
    /// ```
    pub fn evaluate(&mut self, text: &str) -> Result<Found, Error> {
        self.shelf.held = None;
        let _watched = solve::answer::repeating::watch(&self.shelf.monitor).enter();
        let answer = ::values::Calculator::new(&mut self.arena, &mut self.shelf).evaluate(text);
        let found = answer.and_then(|answer| self.found(text, answer));
        found.map_err(|error| self.error(text, error))
    }

    /// The thermograph of an answer that has one.
    ///
    /// ```
    /// use perfectplay::{solving::Monitor, sums::Gallery, values::Calculator};
    ///
    /// let mut calculator = Calculator::new(&Gallery, Monitor::unlimited());
    /// let found = calculator.evaluate("{1|-1}")?;
    /// assert!(calculator.thermograph(&found)?.unwrap().to_svg("a switch").starts_with("<svg"));
    /// # Ok::<(), perfectplay::Error>(())
    /// ```
    pub fn thermograph(&mut self, found: &Found) -> Result<Option<std::sync::Arc<Thermograph>>, Error> {
        match &found.answer {
            Answer::Game(value) => {
                let drawn = self.arena.thermograph(*value);
                drawn.map(Some).map_err(|error| self.error(&found.expression, error))
            }
            Answer::Thermograph(graph) => Ok(Some(graph.clone())),
            _ => Ok(None),
        }
    }

    fn found(&mut self, expression: &str, answer: Answer) -> ::values::Result<Found> {
        let arena = &mut self.arena;
        let text = short(answer.write(arena, LONGEST_NAME))?;
        let facts = match &answer {
            Answer::Game(value) => Some(Facts {
                outcome: arena.outcome(*value)?,
                stops: (arena.left_stop(*value), arena.right_stop(*value)),
                mean: fitting(arena.mean(*value))?,
                temperature: fitting(arena.temperature(*value))?,
            }),
            _ => None,
        };
        let reach = match &answer {
            Answer::Loopy(loopy) => Some((loopy.reach(Side::Left)?, loopy.reach(Side::Right)?)),
            Answer::Reach(left, right) => Some((*left, *right)),
            _ => None,
        };
        let list = match &answer {
            Answer::List(values) => {
                let names: ::values::Result<Vec<_>> =
                    values.iter().map(|&value| short(arena.name(value, LONGEST_NAME))).collect();
                names?.into_iter().collect()
            }
            _ => None,
        };
        Ok(Found { expression: expression.to_string(), answer, text, facts, reach, list })
    }

    /// An error of the algebra, told over the expression.
    fn error(&mut self, text: &str, error: ::values::Error) -> Error {
        use ::values::Error as E;
        let monitor = &self.shelf.monitor;
        let positions = monitor.met();
        let whole = 0..text.len();
        let (place, message) = match (self.shelf.held.take(), error) {
            (Some(Held::Error(error)), _) => return error,
            (Some(Held::Here(diagnostics)), E::Text { place, .. }) => {
                let first = diagnostics.iter().find_map(|diagnostic| diagnostic.label.as_ref());
                let by = place.start.saturating_sub(first.map_or(0, |(span, _)| span.range().start));
                let shifted = diagnostics.into_iter().map(|diagnostic| shifted(diagnostic, by)).collect();
                return Error::mistakes(&here(text), shifted);
            }
            (_, E::Text { place, message }) => (place, message),
            (_, E::Memory { limit, needed }) => {
                return SolveError::Limit { limit: Limit::Memory { limit, needed }, positions }.into();
            }
            (_, E::Games) => return SolveError::Limit { limit: Limit::Positions, positions }.into(),
            (_, E::Stopped) => {
                let late = monitor.time_limit().filter(|_| monitor.time_left().is_some_and(|left| left.is_zero()));
                return match late {
                    Some(limit) => SolveError::Limit { limit: Limit::Time { limit }, positions },
                    None => SolveError::Interrupted { positions },
                }
                .into();
            }
            (_, other) => (whole, other.to_string()),
        };
        let span = Span::new(place.start, place.end);
        Error::mistakes(&here(text), vec![Diagnostic::at(span, message, "here")])
    }
}

/// The text of an expression, as that of which mistakes are told.
fn here(text: &str) -> Rules {
    Rules { name: "the expression".to_string(), source: text.to_string() }
}

fn shifted(mut diagnostic: Diagnostic, by: usize) -> Diagnostic {
    let places = diagnostic.label.iter_mut().chain(&mut diagnostic.related);
    for (span, _) in places {
        *span = Span::new(span.range().start + by, span.range().end + by);
    }
    diagnostic
}

/// A name that is not too long.
fn short(name: ::values::Result<String>) -> ::values::Result<Option<String>> {
    match name {
        Ok(name) => Ok(Some(name)),
        Err(::values::Error::TooLong { .. } | ::values::Error::TooDeep { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A number that fits.
fn fitting(number: ::values::Result<Dyadic>) -> ::values::Result<Option<Dyadic>> {
    match number {
        Ok(number) => Ok(Some(number)),
        Err(::values::Error::Overflow(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Why a position has no value, kept while the calculator comes back.
enum Held {
    /// Mistakes in the text of the position; places are places in it.
    Here(Vec<Diagnostic>),
    /// Anything else.
    Error(Error),
}

/// Positions from rules.
struct Shelf<'f> {
    files: &'f dyn Files,
    monitor: Monitor,
    /// Values of positions, by their text.
    known: HashMap<String, Answer>,
    held: Option<Held>,
}

impl ::values::Positions for Shelf<'_> {
    fn position(&mut self, arena: &mut Arena, position: &Named) -> ::values::Result<Option<Answer>> {
        if let Some(known) = self.known.get(&position.written) {
            return Ok(Some(known.clone()));
        }
        let name = position.name.as_str();
        let like_a_function =
            FUNCTIONS.iter().any(|known| name.starts_with(known.name) || known.name.starts_with(name));
        if like_a_function && self.files.rules(name).is_err() {
            return Ok(None);
        }
        let (rules, bound) = match Sum::read(&position.written, self.files).map(Sum::into_single) {
            Ok(Ok(game)) => game,
            Ok(Err(_)) => return Ok(None),
            Err(error) => return Err(self.hold(error, position)),
        };
        match value_in(arena, &bound, &bound.start, &Options::default(), &mut self.monitor) {
            Ok(form) => {
                let answer = match form {
                    Form::Value(value) => Answer::Game(value),
                    Form::Loopy(loopy) => Answer::Loopy(*loopy),
                };
                self.known.insert(position.written.clone(), answer.clone());
                Ok(Some(answer))
            }
            Err(SolveError::NotApplicable(why)) => Err(::values::Error::Undefined(why)),
            Err(error) => Err(self.hold(Error::solving(error, &rules), position)),
        }
    }
}

impl Shelf<'_> {
    /// Keeps an error, and gives the one that brings the calculator back.
    fn hold(&mut self, error: Error, position: &Named) -> ::values::Error {
        match error {
            Error::Mistakes(mistakes) if mistakes.rules.source == position.written => {
                let first = mistakes.diagnostics.iter().find_map(|diagnostic| diagnostic.label.as_ref());
                let place = first.map_or(0..position.written.len(), |(span, _)| span.range());
                self.held = Some(Held::Here(mistakes.diagnostics));
                ::values::Error::Text { place, message: String::new() }
            }
            error => {
                self.held = Some(Held::Error(error));
                ::values::Error::Stopped
            }
        }
    }
}
