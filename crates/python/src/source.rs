//! Where rules come from: the gallery, a file, or their own text. What was read once is kept.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use perfectplay::gallery;
use perfectplay::language::{Program, Rules};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors;

/// So many rules are kept.
const MOST_KEPT: usize = 256;

/// Rules, read and checked.
pub struct Compiled {
    /// Their text.
    pub rules: Rules,
    /// What they mean.
    pub program: Arc<Program>,
}

/// Rules by their text.
static KEPT: Mutex<Option<HashMap<String, Arc<Compiled>>>> = Mutex::new(None);

/// Rules by a name of the gallery, a path, or their text.
pub fn rules(source: &Bound<'_, PyAny>) -> PyResult<Arc<Compiled>> {
    let Ok(text) = source.cast::<PyString>() else {
        let path = source.py().import("os")?.call_method1("fspath", (source,));
        let path = path.and_then(|path| path.extract::<String>());
        let path = path.map_err(|_| errors::usage("rules are a name of the gallery, a path, or a text"))?;
        return file(&path);
    };
    let text = &*text.to_cow()?;
    if let Some(known) = known(text) {
        return Ok(known);
    }
    if let Some(found) = gallery::find(text) {
        return compiled(Rules { name: text.to_string(), source: found.to_string() }, text);
    }
    if text.contains('{') {
        return compiled(Rules::new(text), text);
    }
    if text.ends_with(".game") || Path::new(text).is_file() {
        return file(text);
    }
    let meant = gallery::similar(text).map(|name| format!("; did you mean `{name}`?"));
    let games = "; perfectplay.games() lists the gallery".to_string();
    Err(errors::usage(&format!("there is no game and no file `{text}`{}", meant.unwrap_or(games))))
}

fn file(path: &str) -> PyResult<Arc<Compiled>> {
    let source = std::fs::read_to_string(path)
        .map_err(|error| errors::usage(&format!("the rules file `{path}` cannot be read: {error}")))?;
    let key = format!("{path}\n{source}");
    compiled(Rules { name: path.to_string(), source }, &key)
}

/// Rules that are kept.
fn known(key: &str) -> Option<Arc<Compiled>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner).as_ref()?.get(key).cloned()
}

fn compiled(rules: Rules, key: &str) -> PyResult<Arc<Compiled>> {
    if let Some(known) = known(key) {
        return Ok(known);
    }
    let program = rules.program().map_err(|error| errors::rules(&error))?;
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let kept = kept.get_or_insert_default();
    if kept.len() >= MOST_KEPT {
        kept.clear();
    }
    let made = Arc::new(Compiled { rules, program });
    kept.insert(key.to_string(), Arc::clone(&made));
    Ok(made)
}
