//! Table files that `build` made.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use perfectplay::SolveError;
use perfectplay::json::{ErrorObject, explorer, usage};
use perfectplay::language::{Bound, Rules};
use perfectplay::solving::Solved;
use perfectplay::tables::{About, Reader, TableFile, TableLayout};

use super::Allowed;
use crate::reply::Reply;

/// The name by which a table is asked for.
pub fn name(path: &Path) -> String {
    path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned())
}

/// The rules and the instance of a table file that is complete.
pub fn open(path: &Path) -> Result<(Rules, String, TableFile), ErrorObject> {
    let wrong = |why: String| {
        usage(&format!("the table {} cannot be read: {why}", name(path)), Some("`perfectplay build` makes table files"))
    };
    let file = TableFile::open(path).map_err(|error| wrong(error.to_string()))?;
    if !file.is_finished() {
        return Err(wrong("it is not complete".to_string()));
    }
    let About { rules, instance, .. } =
        About::read(file.about()).ok_or_else(|| wrong("it does not say what it is of".to_string()))?;
    Ok((rules, instance, file))
}

/// What is told where a table is not as `build` wrote it.
pub fn damaged(path: &Path, why: &str) -> ErrorObject {
    let help = "`perfectplay build` with the same game and file mends it";
    usage(&format!("the table {} is damaged: {why}", name(path)), Some(help))
}

/// The solved game of a table file. What is wrong with the file shows in the reader when something was read from it.
pub fn solved<'b>(
    bound: &'b Bound,
    file: TableFile,
    allowed: &Allowed,
) -> Result<(Solved<'b>, Arc<Reader>), SolveError> {
    let mut monitor = allowed.monitor();
    let about = About::read(file.about());
    let table = TableLayout::new(bound, &allowed.options(), &mut monitor)?;
    if about.is_none_or(|about| about.layout != table.text()) || table.pieces() != file.pieces() {
        let why = "the table has a layout that this version does not know; build it again";
        return Err(SolveError::NotApplicable(why.to_string()));
    }
    table.read(file, &monitor)
}

/// The object of all tables of the server.
pub fn list(paths: &[PathBuf], allowed: &Allowed) -> Reply {
    let mut found: Vec<(String, Bound, u64)> = Vec::new();
    for path in paths {
        let Ok((rules, instance, _)) = open(path) else { continue };
        let Ok(bound) = rules.bind(&instance) else { continue };
        let layout =
            TableLayout::new(&bound, &allowed.options(), &mut allowed.monitor()).map(|table| table.positions());
        if let Ok(positions) = layout {
            found.push((name(path), bound, positions));
        }
    }
    Reply::good(explorer::tables(found.iter().map(|(name, bound, positions)| (name.as_str(), bound, *positions))))
}
