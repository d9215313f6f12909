//! Searches that look so many moves ahead.

use engine::Error;
use engine::monitor::Monitor;
use search::bounded::look_ahead;
use search::game::{Bounds, Game, INFINITE};
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

/// The value of each position, in numbers that are wide enough for all of them.
fn wide_values(graph: &Graph) -> Vec<i128> {
    let mut values = vec![0i128; graph.nodes.len()];
    for node in (0..graph.nodes.len()).rev() {
        values[node] = match &graph.nodes[node] {
            Ok(value) => i128::from(*value),
            Err(moves) => {
                let worth = |to: usize, same: bool| if same { values[to] } else { -values[to] };
                moves.iter().map(|mv| i128::from(mv.gain) + worth(mv.to, mv.same)).max().unwrap()
            }
        };
    }
    values
}

/// A sum that does not fit is no bound: the look says `overflow`, or does without it.
#[test]
fn no_bound_is_told_that_does_not_hold_where_sums_do_not_fit() {
    let mut random = Random::new(62);
    let (mut proved, mut refused) = (0, 0);
    for round in 0..4000 {
        let shape = Shape {
            nodes: 3 + random.below(12) as usize,
            most_moves: 1 + random.below(3),
            words: 1,
            gain: [1 << 60, 1 << 61, (1 << 62) - 1][random.below(3) as usize],
            draws: true,
            again: random.one_in(2),
            cyclic: false,
            twins: false,
            tells_ends: false,
            bounded: false,
        };
        let graph = Graph::random(&mut random, &shape);
        let value = wide_values(&graph)[0];
        let mut monitor = Monitor::unlimited();
        let found = look_ahead(&graph.shared(), &graph.keys[0], 12, 1 << 12, &mut monitor, &mut |ahead| {
            let Bounds { low, high } = ahead.bounds;
            let holds =
                (low == -INFINITE || i128::from(low) <= value) && (high == INFINITE || value <= i128::from(high));
            assert!(holds, "round {round}: {ahead:?}, the value is {value}");
            proved += i32::from(low == high);
        });
        match found {
            Ok(()) => {}
            Err(Error::Overflow) => refused += 1,
            Err(error) => panic!("round {round}: {error}"),
        }
    }
    assert!(proved > 500 && refused > 100, "{proved} proved, {refused} refused");
}
