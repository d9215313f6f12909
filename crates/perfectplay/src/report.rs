//! The result of testing a rules file.

use rules::diagnostic::Diagnostic;

/// What came of testing one file.
///
/// ```
/// assert!(perfectplay::testing::Report::default().failures.is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How many examples were run.
    pub examples: usize,
    /// How many instances of the sample were solved.
    pub instances: usize,
    /// How many values were compared with a claim.
    pub claims: usize,
    /// How many instances of the sample were too large for the limits, so that nothing is known of them.
    pub skipped: usize,
    /// Whether the sample has instances that were not tried.
    pub more: bool,
    /// What is wrong, each with its place.
    pub failures: Vec<Diagnostic>,
}
