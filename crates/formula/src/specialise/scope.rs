//! Which other limits would have unfolded the rules in just the same way.
//!
//! Limits are only ever compared with counts. Each comparison is noted here: a count that fits tells the least limit that
//! would have decided the same, one that does not fit tells the largest. Between the two the whole run is the same, step by
//! step, and so are the formulas, or the reason why there are none.

use super::Limits;

/// The limits under which the rules unfold as they did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    pub(super) known_choices: Span,
    pub(super) board_choices: Span,
    pub(super) varying_choices: Span,
    pub(super) actions: Span,
    pub(super) nodes: Span,
}

impl Scope {
    /// All limits: nothing was compared yet.
    pub(super) const ALL: Scope = Scope {
        known_choices: Span::ALL,
        board_choices: Span::ALL,
        varying_choices: Span::ALL,
        actions: Span::ALL,
        nodes: Span::ALL,
    };

    /// Whether these limits would have made the same.
    pub fn contains(&self, limits: Limits) -> bool {
        let Limits { known_choices, board_choices, varying_choices, actions, nodes } = limits;
        self.known_choices.contains(known_choices)
            && self.board_choices.contains(board_choices)
            && self.varying_choices.contains(varying_choices)
            && self.actions.contains(actions)
            && self.nodes.contains(nodes)
    }
}

/// The values of one limit that decide alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    least: usize,
    most: usize,
}

impl Span {
    const ALL: Span = Span { least: 0, most: usize::MAX };

    fn contains(self, limit: usize) -> bool {
        (self.least..=self.most).contains(&limit)
    }

    /// Whether a count is within the limit.
    pub(super) fn admits(&mut self, count: i128, limit: usize) -> bool {
        let fits = count <= limit as i128;
        match usize::try_from(count) {
            Ok(count) if fits => self.least = self.least.max(count),
            Ok(count) => self.most = self.most.min(count - 1),
            // Below zero every limit admits it; beyond all numbers none does.
            Err(_) => {}
        }
        fits
    }

    /// Says that the limit itself shows.
    pub(super) fn fix(&mut self, limit: usize) {
        *self = Span { least: limit, most: limit };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_holds_the_limits_that_decide_alike() {
        let counts = [-3, 0, 1, 5, 9, 10, 11, 400, i128::MAX];
        for limit in [0, 1, 7, 10, 500] {
            let mut span = Span::ALL;
            let decided = counts.map(|count| span.admits(count, limit));
            for other in 0..600 {
                let mut another = Span::ALL;
                let same = counts.map(|count| another.admits(count, other)) == decided;
                assert_eq!(span.contains(other), same, "{limit} {other}");
            }
        }
    }
}
