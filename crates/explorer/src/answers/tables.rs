//! Table files that `build` made.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use perfectplay::SolveError;
use perfectplay::json::{ErrorObject, explorer, usage};
use perfectplay::language::{Bound, Rules};
use perfectplay::solving::Solved;
use perfectplay::tables::{self, TableError, TableFile, TableLayout, Trouble};

use super::Allowed;
use crate::reply::Reply;

/// The name by which a table is asked for.
pub fn name(path: &Path) -> String {
    path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned())
}

/// The rules and the instance of a table file that is complete.
pub fn open(path: &Path) -> Result<(Rules, String, TableFile), ErrorObject> {
    let file = TableFile::open(path).map_err(|error| match error {
        TableError::Damaged(why) => damaged(path, &why),
        other => {
            let message = format!("the table {} cannot be read: {other}", name(path));
            usage(&message, Some("`perfectplay build` makes table files"))
        }
    })?;
    let (rules, instance) = (tables::rules(file.about()), file.about().instance.clone());
    Ok((rules, instance, file))
}

/// What is told where a table is not as `build` wrote it.
pub fn damaged(path: &Path, why: &str) -> ErrorObject {
    let help = "`perfectplay build` with the same game and file mends it";
    usage(&format!("the table {} is damaged: {why}", name(path)), Some(help))
}

/// The solved game of a table file. What is wrong with the file shows when something was read from it.
pub fn solved<'b>(
    bound: &'b Bound,
    file: TableFile,
    allowed: &Allowed,
) -> Result<(Solved<'b>, Arc<Trouble>), SolveError> {
    tables::read(bound, file, &allowed.options(), &mut allowed.monitor())
}

/// The object of all tables of the server.
pub fn list(paths: &[PathBuf], allowed: &Allowed) -> Reply {
    let mut found: Vec<(String, Bound, u64)> = Vec::new();
    for path in paths {
        let Ok((rules, instance, file)) = open(path) else { continue };
        let Ok(bound) = rules.bind(&instance) else { continue };
        let positions = match &file {
            TableFile::Blocks(file) => Ok(file.entries()),
            TableFile::Pieces(_) => {
                TableLayout::new(&bound, &allowed.options(), &mut allowed.monitor()).map(|layout| layout.positions())
            }
        };
        if let Ok(positions) = positions {
            found.push((name(path), bound, positions));
        }
    }
    Reply::good(explorer::tables(found.iter().map(|(name, bound, positions)| (name.as_str(), bound, *positions))))
}
