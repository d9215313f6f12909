//! The values of a game as two parameters run: a table with a row for each value of the first.
//!
//! Each row is a [`Sequence`] in which the second parameter runs, with all that such a sequence can do. Where both parameters say
//! only where play starts, or rules that read them mean the same for all, one table answers several rows (see
//! [`super::shared`]): first two, then more, as long as the number of positions does not run away with them. An instance that the
//! rules refuse, such as a board with more rows than columns, leaves its cell empty.

use std::sync::Arc;

use engine::monitor::Monitor;
use rules::diagnostic::Diagnostic;
use rules::instance::{Given, Instance};
use rules::program::Program;

use super::error::SequenceError;
use super::instances::{Instances, Runs};
use super::shared::{by_one_table, is_stop};
use super::sharing::Sharing;
use super::term::{Term, TermKind};
use super::terms::Sequence;
use solve::options::Options;

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
    /// For how many rows at a time a table is made.
    sharing: Sharing,
}

/// No more instances share a table.
const MOST_SHARED: u64 = 1 << 12;

impl Grid {
    /// The instances in which two parameters run and the others are `fixed`; none is solved yet.
    pub fn new(program: &Arc<Program>, fixed: Instance, down: Axis, across: Axis, options: Options) -> Grid {
        let (program, cells) = (Arc::clone(program), Vec::new());
        let (methods, proofs) = (Vec::new(), Vec::new());
        let sharing = Sharing::of(&program, &[down.parameter, across.parameter]);
        Grid { program, fixed, options, down, across, cells, row: None, refused: None, methods, proofs, sharing }
    }

    /// How many cells were read off a table that was made for another one.
    pub fn shared(&self) -> u64 {
        self.sharing.terms
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

    /// What the values are; `None` if there is none.
    pub fn kind(&self) -> Option<TermKind> {
        self.cells.iter().flatten().fold(None, |known, term| Some(TermKind::with(known, term.kind())))
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
        if self.row.is_none() && column == 0 && self.extend_shared(row, monitor)? {
            return Ok(self.known() >= self.total());
        }
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

    /// Several rows by one table, if they can share it.
    fn extend_shared(&mut self, row: u64, monitor: &mut Monitor) -> Result<bool, SequenceError> {
        let rows = self.sharing.count.min(self.down.len() - row).min(MOST_SHARED / self.across.len().max(1));
        // A single row is a sequence, which has ways of its own.
        if rows < 2 || !self.sharing.is_tried() {
            return Ok(false);
        }
        let mut bounds = Vec::new();
        for down in (row..row + rows).map(|row| self.down.at(row)) {
            let instances = self.instances(down);
            for across in self.across.from..self.across.to {
                match instances.bind(across) {
                    Ok(bound) => bounds.push(bound),
                    // It says so when its row comes.
                    Err(_) => {
                        self.sharing.end();
                        return Ok(false);
                    }
                }
            }
        }
        match by_one_table(&bounds, self.sharing.reads, &self.options, monitor) {
            Ok(Some((terms, (method, proof), positions))) => {
                self.sharing.terms += terms.len() as u64 - 1;
                self.sharing.adapt(positions);
                self.cells.extend(terms.into_iter().map(Some));
                self.note(method, proof);
                Ok(true)
            }
            Err(error) if is_stop(&error) => Err(SequenceError::Solve { at: self.across.from, error }),
            Ok(None) | Err(_) => {
                self.sharing.end();
                Ok(false)
            }
        }
    }

    fn take_in(&mut self, sequence: &Sequence) {
        if sequence.known() == 0 {
            return;
        }
        self.cells.extend(sequence.terms().map(Some));
        self.note(sequence.method(), sequence.proof());
    }

    fn note(&mut self, method: String, proof: String) {
        for (known, new) in [(&mut self.methods, method), (&mut self.proofs, proof)] {
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
