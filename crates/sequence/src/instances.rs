//! Any game: each instance is solved by itself, with whatever method fits it.

use std::fmt;
use std::sync::Arc;

use engine::monitor::Monitor;
use rules::bind::{Bound, bind};
use rules::diagnostic::Diagnostic;
use rules::instance::{Given, Instance};
use rules::program::Program;
use rules::types::Type;

use super::error::SequenceError;
use super::sharing::Sharing;
use super::term::Term;
use solve::answer::with_value;
use solve::options::Options;
use solve::solved::solve;

/// How a parameter takes the number that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// It is the number.
    Number,
    /// It is a list with this one number in it.
    List,
}

impl Runs {
    /// How a parameter of this type runs, if it can.
    pub fn of(ty: &Type) -> Option<Runs> {
        match ty {
            Type::Int => Some(Runs::Number),
            Type::List(item) if **item == Type::Int => Some(Runs::List),
            _ => None,
        }
    }
}

/// Terms that could have a canonical form and have none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unvalued {
    /// The parameter of the first.
    pub first: i64,
    /// Why that has none.
    pub why: String,
    /// How many there are.
    pub count: u64,
}

/// The instances of a game in which one parameter runs, and the terms of those solved so far.
pub struct Instances {
    pub(super) program: Arc<Program>,
    pub(super) fixed: Instance,
    pub(super) parameter: usize,
    pub(super) runs: Runs,
    pub(super) options: Options,
    pub(super) terms: Vec<Term>,
    pub(super) bytes: u64,
    /// The method and the proof of the latest.
    pub(super) latest: Option<(String, String)>,
    pub(super) sharing: Sharing,
    unvalued: Option<Unvalued>,
}

impl fmt::Debug for Instances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Instances").field("fixed", &self.fixed).field("parameter", &self.parameter).finish()
    }
}

impl Instances {
    /// Instances in which the parameter with this number runs and the others are `fixed`.
    pub fn new(program: &Arc<Program>, fixed: Instance, parameter: usize, runs: Runs, options: Options) -> Instances {
        let (program, terms, sharing) = (Arc::clone(program), Vec::new(), Sharing::new(program, parameter));
        Instances { program, fixed, parameter, runs, options, terms, bytes: 0, latest: None, sharing, unvalued: None }
    }

    /// The instance in which the parameter is, or holds, this number.
    pub fn bind(&self, at: i64) -> Result<Bound, Vec<Diagnostic>> {
        let mut instance = self.fixed.clone();
        let given = match self.runs {
            Runs::Number => Given::Int(at),
            Runs::List => Given::Ints(vec![at]),
        };
        instance.0.push((self.program.params[self.parameter].name.clone(), given));
        bind(&self.program, &instance)
    }

    /// The terms without a canonical form where one could be expected, of those solved in this run.
    pub fn unvalued(&self) -> Option<&Unvalued> {
        self.unvalued.as_ref()
    }

    /// How many terms were read off a table that was made for another instance.
    pub fn shared(&self) -> u64 {
        self.sharing.terms
    }

    /// Solves one instance.
    pub(super) fn solve(&mut self, at: i64, monitor: &mut Monitor) -> Result<Term, SequenceError> {
        let bound = self.bind(at).map_err(|diagnostics| SequenceError::Refused { at, diagnostics })?;
        let solved = solve(&bound, &bound.start, &self.options, monitor)
            .and_then(|solved| with_value(&solved, monitor))
            .map_err(|error| SequenceError::Solve { at, error })?;
        let term = Term::of(&solved).ok_or(SequenceError::NoValue { at })?;
        if let Some(why) = solved.value_missing {
            let unvalued = self.unvalued.get_or_insert(Unvalued { first: at, why, count: 0 });
            unvalued.count += 1;
        }
        self.latest = Some((solved.method.to_string(), solved.proof.to_string()));
        Ok(term)
    }

    /// One term more.
    pub(super) fn push(&mut self, term: Term) {
        self.bytes += term.bytes();
        self.terms.push(term);
    }
}
