//! For teaching: how many positions plain minimax, alpha-beta, and alpha-beta with a table look at.

use std::sync::Arc;

use engine::Error;
use engine::monitor::Monitor;
use engine::numbers::grouped;

use crate::game::Shared;
use crate::minimax::{Count, Uses, count};

/// No count goes further.
const MOST: u64 = 20_000_000;
/// Nor much further than this, or than so many times what the search itself took.
const FEWEST: u64 = 2_000_000;
const TIMES: u64 = 400;
/// A count takes at most so many seconds.
const SECONDS: f64 = 1.0;

/// Findings for `explain`, by name. `nodes` were looked at by the search that found the value, and plays are about `depth`
/// moves long. A count that takes long is cut short, and says so.
pub fn counts(
    game: &Shared<'_>,
    key: &[u64],
    nodes: u64,
    depth: usize,
    monitor: &Monitor,
) -> Result<Vec<(&'static str, String)>, Error> {
    let most = MOST.min(nodes.saturating_mul(TIMES).max(FEWEST));
    let ways = [
        ("minimax", Uses { cuts: false, table: false }),
        ("alpha-beta", Uses { cuts: true, table: false }),
        ("with a table", Uses { cuts: true, table: true }),
    ];
    let mut found = Vec::new();
    let mut all = None;
    for (name, uses) in ways {
        // What is counted here is no progress of the solve.
        let mut monitor = monitor.fork().counting_in(Arc::default());
        monitor.spend(SECONDS);
        let counted = match count(game, key, uses, most, &mut monitor) {
            Ok(counted) => counted,
            // A search that looks at more may meet what the other one did not.
            Err(error @ (Error::Interrupted { .. } | Error::Limit { .. })) => return Err(error),
            Err(_) => continue,
        };
        let text = match (counted, all) {
            (Count::MoreThan(most), _) => {
                format!("looks at more than {} positions: not counted any further", grouped(most))
            }
            (Count::Exactly(nodes), Some(all)) => {
                format!("looks at {} positions, 1 in {:.1}", grouped(nodes), all as f64 / nodes as f64)
            }
            (Count::Exactly(nodes), None) => format!("looks at {} positions", grouped(nodes)),
        };
        let text = match counted {
            Count::Exactly(nodes) if depth > 0 => format!("{text}; branching {:.2}", branching(nodes, depth)),
            _ => text,
        };
        if let (Count::Exactly(nodes), "minimax") = (counted, name) {
            all = Some(nodes);
        }
        found.push((name, text));
    }
    Ok(found)
}

/// The effective branching factor: a tree of this depth in which every position has so many options has as many positions.
fn branching(nodes: u64, depth: usize) -> f64 {
    let tree =
        |factor: f64| (0..=depth).try_fold(0.0, |sum: f64, _| Some(sum * factor + 1.0).filter(|sum| sum.is_finite()));
    let (mut low, mut high) = (0.0, nodes as f64);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        match tree(middle).is_some_and(|tree| tree < nodes as f64) {
            true => low = middle,
            false => high = middle,
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::branching;

    #[test]
    fn branching_is_that_of_a_full_tree() {
        assert!((branching(15, 3) - 2.0).abs() < 1e-6);
        assert!((branching(1 + 3 + 9, 2) - 3.0).abs() < 1e-6);
        assert!((branching(5, 4) - 1.0).abs() < 1e-6);
        assert!(branching(1 << 40, 2000) < 1.1);
    }
}
