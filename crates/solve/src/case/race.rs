//! What came of a race between the searches on a case.

use search::solver::Way;

/// How many positions each search looked at, in the trials that one of the two finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Race {
    /// By alpha-beta,
    pub alpha_beta: u64,
    /// and by proof-number search.
    pub proof_number: u64,
    /// In so many trials.
    pub trials: usize,
}

impl Race {
    /// How many times as long a search takes as the better one.
    pub fn handicap(&self, way: Way) -> f64 {
        let (own, other) = match way {
            Way::AlphaBeta => (self.alpha_beta, self.proof_number),
            Way::ProofNumber => (self.proof_number, self.alpha_beta),
        };
        // Equals stay in the order of the registry.
        (own.max(1) as f64 / other.max(1) as f64).max(1.0)
    }

    /// What came of it, in words.
    pub fn told(&self) -> String {
        let trials =
            if self.trials == 1 { "one short trial".to_string() } else { format!("{} short trials", self.trials) };
        let [alpha_beta, proof_number] = [self.alpha_beta, self.proof_number].map(crate::numbers::grouped);
        format!("in {trials} alpha-beta looked at {alpha_beta} positions and proof-number search at {proof_number}")
    }
}
