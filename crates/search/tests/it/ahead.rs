//! Searches that look so many moves ahead.

use engine::monitor::Monitor;
use search::bounded::look_ahead;
use search::game::{Bounds, Game};
use testkit::Random;

use crate::graphs::{Graph, Shape};

#[test]
fn bounds_are_those_of_plain_recursion() {
    let mut random = Random::new(11);
    for round in 0..400 {
        let shape = Shape {
            nodes: 3 + random.below(25) as usize,
            most_moves: 1 + random.below(3),
            words: 1 + random.below(2) as usize,
            gain: [0, 2, 50][random.below(3) as usize],
            draws: true,
            again: random.one_in(2),
            cyclic: false,
            twins: random.one_in(2),
            tells_ends: false,
            bounded: random.chance(66),
        };
        let mut graph = Graph::random(&mut random, &shape);
        if shape.twins {
            // Twins are worth the same, so that they are guessed the same.
            let half = graph.nodes.len() / 2;
            for node in 0..half {
                graph.estimates[node + half] = graph.estimates[node];
            }
        }
        let value = graph.values()[0];
        let Bounds { low, high } = graph.bounds();
        let mut depth = 0;
        let mut last = None;
        let mut monitor = Monitor::unlimited();
        look_ahead(&graph.shared(), &graph.keys[0], 12, 1 << 12, &mut monitor, &mut |ahead| {
            assert_eq!(ahead.moves, depth);
            let least = graph.ahead(0, depth, true, &|_, own| if own { low } else { high });
            let most = graph.ahead(0, depth, true, &|_, own| if own { high } else { low });
            if low > Bounds::ANY.low {
                // Deeper looks never lose what was proved before.
                assert!(ahead.bounds.low >= least && ahead.bounds.high <= most, "round {round}, depth {depth}");
            }
            assert!(ahead.bounds.low <= value && value <= ahead.bounds.high, "round {round}, depth {depth}: {ahead:?}");
            if shape.gain > 0 {
                let guess = graph.ahead(0, depth, true, &|node, _| graph.estimates[node]);
                assert_eq!(ahead.estimate, Some(guess), "round {round}, depth {depth}");
            }
            last = Some(*ahead);
            depth += 1;
        })
        .unwrap_or_else(|error| panic!("round {round}: {error}"));
        assert!(last.is_some());
    }
}
