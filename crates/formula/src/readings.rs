//! The formulas of one instance, read in the ways that a solve needs; each reading is made once.
//!
//! ```text
//! Readings ─┬─ unfolded: short choices are one action each          ── for compilers
//!           ├─ listed:   choices that the instance fixes are one
//!           │            action each, the others are counted         ── for heaps, rows and stacks
//!           └─ counted:  every choice is counted                     ── for games that go forward
//!                 │
//!                 └─▶ Reading ─┬─ formulas
//!                              └─ studies: of the whole game, with or without the turn, or of the parts of a sum
//! ```
//!
//! A reading is made when it is asked for first, and so are its studies; reasons why there is none are kept too. While rules
//! are specialised it is noted which other limits would have decided every choice alike (see [`Scope`]). A reading within
//! whose scope another one lies *is* that other one, studies included. So rules without choices, or whose choices are all
//! read alike, are specialised exactly once, whoever asks first.
//!
//! Three ways to read are needed, not one. Compilers want as much unfolded as stays small. Rows want `take(stack in 0..n)` as
//! `n` moves with fixed steps, be there thousands; heaps want `take(k in 1..=n)` as one move with a number, but
//! `take(k in [1, 4, 9])` as three. Games that go forward want `take(k in 1..=3)` as one move with a number.
//!
//! ```
//! use rules::{bind::bind, instance::Instance};
//!
//! let text = "game heap() { state { n in 0..=9 = 9; } move take(k in 1..=3) when k <= n { n -= k; } }";
//! let program = rules::compile(text).map_err(|_| "rules").unwrap();
//! let bound = bind(&program.into(), &Instance::default()).map_err(|_| "instance").unwrap();
//! let readings = formula::Readings::new(&bound, &bound.start);
//! assert_eq!(readings.unfolded().unwrap().formulas().actions.len(), 3);
//! assert_eq!(readings.counted().unwrap().formulas().actions.len(), 1);
//! // Both bounds of the choice are known, so that it is listed as it is unfolded.
//! assert_eq!(readings.listed().unwrap().formulas().actions.len(), 3);
//! assert_eq!(readings.specialised(), 2);
//! assert!(readings.unfolded().unwrap().whole(false).unwrap().order.is_ok());
//! ```

use std::sync::{Arc, OnceLock};

use rules::bind::{Bound, Position};

use crate::formulas::Formulas;
use crate::specialise::{Limits, Scope, Unsupported, specialise_scoped};
use crate::study::{Study, study, study_parts};

/// What one solve knows of the rules of its instance.
pub struct Readings<'b> {
    bound: &'b Bound,
    start: Position,
    unfolded: OnceLock<Arc<Made>>,
    listed: OnceLock<Arc<Made>>,
    counted: OnceLock<Arc<Made>>,
}

/// A reading or why there is none, and for which limits.
struct Made {
    reading: Result<Reading, Unsupported>,
    scope: Scope,
}

impl<'b> Readings<'b> {
    /// Nothing is read yet. Studies are those of play from `start`.
    pub fn new(bound: &'b Bound, start: &Position) -> Readings<'b> {
        let start = start.clone();
        Readings { bound, start, unfolded: OnceLock::new(), listed: OnceLock::new(), counted: OnceLock::new() }
    }

    /// Short choices become one action each; see [`Limits::default`].
    pub fn unfolded(&self) -> Result<&Reading, &Unsupported> {
        self.read(&self.unfolded, Limits::default())
    }

    /// Choices that the instance fixes become one action each, the others are counted; see [`Limits::listed`].
    pub fn listed(&self) -> Result<&Reading, &Unsupported> {
        self.read(&self.listed, Limits::listed())
    }

    /// Every choice is counted; see [`Limits::counted`].
    pub fn counted(&self) -> Result<&Reading, &Unsupported> {
        self.read(&self.counted, Limits::counted())
    }

    /// How often the rules were specialised so far.
    pub fn specialised(&self) -> usize {
        let mut made: Vec<*const Made> = self.made().map(Arc::as_ptr).collect();
        made.sort_unstable();
        made.dedup();
        made.len()
    }

    fn made(&self) -> impl Iterator<Item = &Arc<Made>> {
        [&self.unfolded, &self.listed, &self.counted].into_iter().filter_map(OnceLock::get)
    }

    fn read<'r>(&'r self, place: &'r OnceLock<Arc<Made>>, limits: Limits) -> Result<&'r Reading, &'r Unsupported> {
        let made = place.get_or_init(|| match self.made().find(|made| made.scope.contains(limits)) {
            Some(same) => Arc::clone(same),
            None => {
                let (formulas, scope) = specialise_scoped(self.bound, limits);
                Arc::new(Made { reading: formulas.map(|formulas| Reading::new(formulas, &self.start)), scope })
            }
        });
        made.reading.as_ref()
    }
}

/// Formulas and what is known of them. Whoever rewrites them copies them first: their nodes, for the lists are shared.
pub struct Reading {
    formulas: Formulas,
    start: Position,
    with_turn: OnceLock<Arc<Study>>,
    without_turn: OnceLock<Arc<Study>>,
    parts: OnceLock<Arc<Study>>,
}

impl Reading {
    fn new(formulas: Formulas, start: &Position) -> Reading {
        let (with_turn, without_turn, parts) = Default::default();
        Reading { formulas, start: start.clone(), with_turn, without_turn, parts }
    }

    /// The formulas.
    pub fn formulas(&self) -> &Formulas {
        &self.formulas
    }

    /// The study of the whole game, or why there is none; `with_turn` says whether positions record whose turn it is.
    pub fn whole(&self, with_turn: bool) -> Result<&Arc<Study>, &'static str> {
        let [part] = &self.start.parts[..] else { return Err("the position is no single part") };
        let place = if with_turn { &self.with_turn } else { &self.without_turn };
        finished(place.get_or_init(|| Arc::new(study(self.formulas.clone(), part, self.start.turn.0, with_turn))))
    }

    /// The study of a part of a sum that starts with these parts.
    pub fn parts(&self) -> Result<&Arc<Study>, &'static str> {
        finished(self.parts.get_or_init(|| {
            let starts: Vec<&[i64]> = self.start.parts.iter().map(|part| &**part).collect();
            Arc::new(study_parts(self.formulas.clone(), &starts, false))
        }))
    }
}

/// A study that came to its end.
fn finished(study: &Arc<Study>) -> Result<&Arc<Study>, &'static str> {
    if study.is_whole { Ok(study) } else { Err("the study of the rules was stopped, or does not fit in memory") }
}
