//! What `solve --proof` says of the file that it wrote.

use ::certificate::Written;
use serde::Serialize;
use verify::claim::Claim;

use super::is_false;

/// A certificate that `solve` wrote.
///
/// ```
/// use perfectplay::{certificates::{Claim, Written}, json};
///
/// let written = Written { claim: Claim::default(), left_out: Vec::new(), positions: 3, sampled: None, bytes: 400 };
/// let file = json::ProofFile::new("proof.pp", &written);
/// assert_eq!(json::text(&file), r#"{"file":"proof.pp","positions":3,"bytes":400,"claims":[]}"#);
/// ```
#[derive(Clone, Debug, Serialize)]
pub struct ProofFile {
    file: String,
    positions: u64,
    bytes: u64,
    claims: Vec<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<LeftOut>,
    #[serde(skip_serializing_if = "is_false")]
    sampled: bool,
}

#[derive(Clone, Debug, Serialize)]
struct LeftOut {
    field: &'static str,
    why: String,
}

impl ProofFile {
    /// A file with this name.
    pub fn new(file: &str, written: &Written) -> ProofFile {
        let left_out = written.left_out.iter().map(|(field, why)| LeftOut { field, why: why.clone() });
        ProofFile {
            file: file.to_string(),
            positions: written.positions,
            bytes: written.bytes,
            claims: fields(&written.claim),
            left_out: left_out.collect(),
            sampled: written.sampled.is_some(),
        }
    }
}

/// The names of the fields that are claimed.
fn fields(claim: &Claim) -> Vec<&'static str> {
    let names = ["outcome", "remoteness", "outcome_class", "value", "payoffs", "unique", "nimber", "loopy"];
    let there = claim.fields();
    names.into_iter().enumerate().filter(|(bit, _)| there >> bit & 1 == 1).map(|(_, name)| name).collect()
}
