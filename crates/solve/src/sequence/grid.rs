//! The values of a game as two parameters run: a table with a row for each value of the first.
//!
//! Each row is a [`Sequence`] in which the second parameter runs, with all that such a sequence can do. An instance that the rules
//! refuse, such as a board with more rows than columns, leaves its cell empty.

use std::sync::Arc;

use engine::monitor::Monitor;
use rules::diagnostic::Diagnostic;
use rules::instance::{Given, Instance};
use rules::program::Program;

use super::error::SequenceError;
use super::instances::{Instances, Runs};
use super::summary::kind;
use super::term::Term;
use super::terms::Sequence;
use crate::options::Options;

/// A parameter that runs through `from..to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    /// The number of the parameter.
    pub parameter: usize,
    /// How it takes the number.
    pub runs: Runs,
    /// The first number.
    pub from: i64,
    /// Behind the last one.
    pub to: i64,
}

impl Axis {
    /// How many numbers it runs through.
    pub fn len(&self) -> u64 {
        self.to.max(self.from).abs_diff(self.from)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn at(&self, index: u64) -> i64 {
        self.from.saturating_add_unsigned(index)
    }
}

/// The values of a game as two parameters run.
#[derive(Debug)]
pub struct Grid {
    program: Arc<Program>,
    fixed: Instance,
    options: Options,
    /// What runs from row to row.
    pub down: Axis,
    /// What runs within a row.
    pub across: Axis,
    /// The cells that are known, row by row; `None` if the rules refuse the instance.
    cells: Vec<Option<Term>>,
    /// The rest of the row that is under way.
    row: Option<Sequence>,
    /// Why the first instance that was refused is.
    refused: Option<Vec<Diagnostic>>,
    /// The methods and proofs that were met.
    methods: Vec<String>,
    proofs: Vec<String>,
}

impl Grid {
    /// The instances in which two parameters run and the others are `fixed`; none is solved yet.
    pub fn new(program: &Arc<Program>, fixed: Instance, down: Axis, across: Axis, options: Options) -> Grid {
        let (program, cells) = (Arc::clone(program), Vec::new());
        let (methods, proofs) = (Vec::new(), Vec::new());
        Grid { program, fixed, options, down, across, cells, row: None, refused: None, methods, proofs }
    }

    /// How many cells there are.
    pub fn total(&self) -> u64 {
        self.down.len().saturating_mul(self.across.len())
    }

    /// How many of them are known, row by row.
    pub fn known(&self) -> u64 {
        self.cells.len() as u64 + self.row.as_ref().map_or(0, Sequence::known)
    }

    /// The cells that are known, row by row; `None` where the rules refuse the instance.
    pub fn rows(&self) -> impl Iterator<Item = &[Option<Term>]> {
        self.cells.chunks(usize::try_from(self.across.len()).unwrap_or(usize::MAX).max(1))
    }

    /// Why the rules refuse an instance, the first that they do, if they refuse every one.
    pub fn refused(&self) -> Option<&[Diagnostic]> {
        let refused = self.refused.as_deref();
        refused.filter(|_| self.known() == self.total() && self.cells.iter().all(Option::is_none))
    }

    /// The kind of the values, as of a sequence.
    pub fn kind(&self) -> &'static str {
        self.cells.iter().flatten().fold("", |known, term| kind(known, term.kind()))
    }

    /// The methods at work.
    pub fn method(&self) -> String {
        self.methods.join(", ")
    }

    /// What the values rest on.
    pub fn proof(&self) -> String {
        self.proofs.join(", ")
    }

    /// Does a bounded piece of the work; whether all is done. After an error the cells that are known stay known.
    pub fn extend(&mut self, monitor: &mut Monitor) -> Result<bool, SequenceError> {
        if self.known() >= self.total() {
            return Ok(true);
        }
        let (row, column) = (self.known() / self.across.len(), self.known() % self.across.len());
        let mut sequence = match self.row.take() {
            Some(sequence) => sequence,
            None => Sequence::of(self.instances(self.down.at(row)), self.across.at(column), self.across.to)?,
        };
        match sequence.extend(monitor) {
            Ok(false) => self.row = Some(sequence),
            Ok(true) => self.take_in(&sequence),
            Err(SequenceError::Refused { diagnostics, .. }) => {
                self.take_in(&sequence);
                self.cells.push(None);
                self.refused.get_or_insert(diagnostics);
            }
            Err(error) => {
                self.take_in(&sequence);
                return Err(error);
            }
        }
        Ok(self.known() >= self.total())
    }

    fn take_in(&mut self, sequence: &Sequence) {
        if sequence.known() == 0 {
            return;
        }
        self.cells.extend(sequence.terms().map(Some));
        for (known, new) in [(&mut self.methods, sequence.method()), (&mut self.proofs, sequence.proof())] {
            if !known.contains(&new) {
                known.push(new);
            }
        }
    }

    /// The instances of a row.
    pub fn instances(&self, down: i64) -> Instances {
        let mut fixed = self.fixed.clone();
        let given = match self.down.runs {
            Runs::Number => Given::Int(down),
            Runs::List => Given::Ints(vec![down]),
        };
        fixed.0.push((self.program.params[self.down.parameter].name.clone(), given));
        Instances::new(&self.program, fixed, self.across.parameter, self.across.runs, self.options.clone())
    }
}
