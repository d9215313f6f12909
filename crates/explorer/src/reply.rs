//! An answer on its way: the status, the body, and whether a limit was reached.

use perfectplay::json::{ErrorObject, Failed, text};

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
        Reply { status, limited: error.is_limit(), body: text(&failed) }
    }

    /// An error of a question that was understood.
    pub fn failed(error: &ErrorObject) -> Reply {
        let internal = matches!(error, ErrorObject::Unsolved { kind: "internal", .. });
        Reply::new(if internal { 500 } else { 422 }, error)
    }
}
