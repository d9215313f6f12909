//! An answer on its way: the status, the body, and whether a limit was reached.

use perfectplay::json::{ErrorKind, ErrorObject, Failed, LimitKind, text};

/// An answer.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The status of HTTP.
    pub status: u16,
    /// Whether more time or memory could bring more.
    pub limited: bool,
    /// The body, JSON on one line.
    pub body: String,
}

impl Reply {
    /// An answer.
    pub fn good(body: String) -> Reply {
        Reply { status: 200, limited: false, body }
    }

    /// An error.
    pub fn new(status: u16, error: &ErrorObject) -> Reply {
        let failed = Failed { error: error.clone(), known: None, claimed: None };
        Reply { status, limited: error.kind() == ErrorKind::Limit, body: text(&failed) }
    }

    /// An error of a question that was understood. Work that was interrupted has used up its time.
    pub fn failed(error: &ErrorObject) -> Reply {
        let late = late(error);
        let error = late.as_ref().unwrap_or(error);
        Reply::new(if error.kind() == ErrorKind::Internal { 500 } else { 422 }, error)
    }
}

/// A limit of time, where that is why something was interrupted.
pub fn late(error: &ErrorObject) -> Option<ErrorObject> {
    let positions = match error {
        ErrorObject::Unsolved { positions, .. } => *positions,
        _ => None,
    };
    if error.kind() != ErrorKind::Interrupted {
        return None;
    }
    let message = "it takes longer than a request may; ask for it as a job".to_string();
    Some(ErrorObject::limit(message, LimitKind::Time, positions))
}
