//! Table files, as commands open them.

use std::path::Path;
use std::sync::Arc;

use perfectplay::SolveError;
use perfectplay::language::{Bound, Rules, bind, parse_instance};
use perfectplay::solving::{Monitor, Options, Solved};
use perfectplay::tables::{self, TableError, TableFile, Trouble};

use crate::failure::Failure;
use crate::load::{Asked, reason};

/// A complete table, and the game that it is of.
pub struct Stored {
    pub rules: Rules,
    pub bound: Bound,
    pub file: TableFile,
}

impl Stored {
    /// Opens a table. A small one is checked whole.
    pub fn open(path: &Path) -> Result<Stored, Failure> {
        Stored::of(path, TableFile::open(path))
    }

    /// Opens a table of which every byte will be looked at.
    pub fn open_unchecked(path: &Path) -> Result<Stored, Failure> {
        Stored::of(path, TableFile::open_unchecked(path))
    }

    fn of(path: &Path, file: Result<TableFile, TableError>) -> Result<Stored, Failure> {
        let file = file.map_err(|error| unreadable(path, &error))?;
        let rules = tables::rules(file.about());
        let program = rules.program()?;
        let instance = parse_instance(&file.about().instance);
        let instance = instance.map_err(|_| damaged(path, "it does not say what it is of"))?;
        let bound = bind(&program, &instance).map_err(|diagnostics| Failure::wrong(&rules, diagnostics))?;
        Ok(Stored { rules, bound, file })
    }

    /// The game as if it had been named.
    pub fn into_asked(self) -> (Asked, TableFile) {
        (Asked::Game(Box::new((self.rules, self.bound))), self.file)
    }
}

/// The answers of a table.
pub fn solved<'b>(
    path: &Path,
    (rules, bound): (&Rules, &'b Bound),
    file: TableFile,
    monitor: &mut Monitor,
) -> Result<(Solved<'b>, Arc<Trouble>), Failure> {
    tables::read(bound, file, &Options::default(), monitor).map_err(|error| match error {
        SolveError::NotApplicable(why) => damaged(path, &why),
        other => Failure::solving(other, rules),
    })
}

/// Says that a table is damaged, if what was read from it showed that.
pub fn sound(path: &Path, trouble: &Trouble) -> Result<(), Failure> {
    match trouble.text() {
        Some(why) => Err(damaged(path, &why)),
        None => Ok(()),
    }
}

pub fn unreadable(path: &Path, error: &TableError) -> Failure {
    let name = path.display();
    match error {
        TableError::Damaged(why) => damaged(path, why),
        TableError::Unfinished => {
            let message = format!("the table {name} is not complete");
            Failure::usage_help(message, "`perfectplay build` with the same game and file goes on with it")
        }
        TableError::Version { .. } => {
            let message = format!("cannot read the table {name}: {error}");
            Failure::usage_help(message, "`perfectplay build` makes it anew, into another file")
        }
        other => {
            let why = match other {
                TableError::System(error) => reason(error),
                other => other.to_string(),
            };
            Failure::usage_help(format!("cannot read the table {name}: {why}"), "`perfectplay build` makes table files")
        }
    }
}

pub fn damaged(path: &Path, why: &str) -> Failure {
    let message = format!("the table {} is damaged: {why}", path.display());
    Failure::usage_help(message, "`perfectplay build` with the same game and file mends it")
}
