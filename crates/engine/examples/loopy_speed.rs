//! What loopy nimbers of large random graphs cost: `cargo run -p perfectplay-solve --example loopy_speed -- 1000000 8 1`
//! takes 10^6 positions with up to 8 options, of which 1 in 100 leads anywhere and the others to lower positions.

use std::collections::BTreeMap;
use std::time::Instant;

use engine::Error;
use engine::graph::{Edge, Expansion, Graph, Id};
use engine::loopy::loopy_values;
use engine::monitor::Monitor;
use engine::retrograde::{Forever, retrograde};
use game::LoopyNimber;

struct Net {
    ends: Vec<usize>,
    to: Vec<Id>,
}

impl Graph for Net {
    fn len(&self) -> usize {
        self.ends.len()
    }

    fn expand(&mut self, position: Id, into: &mut Expansion) -> Result<(), Error> {
        let start = if position == 0 { 0 } else { self.ends[position as usize - 1] };
        into.edges.extend(self.to[start..self.ends[position as usize]].iter().map(|&to| Edge::to(to)));
        if into.edges.is_empty() {
            into.end = Some(engine::graph::Ending::Outcome(game::Outcome::Loss));
        }
        Ok(())
    }
}

fn main() {
    let given: Vec<usize> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let [positions, most, anywhere] = given[..] else { panic!("positions, options, moves of 100 that lead anywhere") };
    let mut seed = 1u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((u128::from(seed) * below as u128) >> 64) as usize
    };
    let mut net = Net { ends: Vec::new(), to: Vec::new() };
    for at in 0..positions {
        for _ in 0..random(most + 1) {
            let to = if at == 0 || random(100) < anywhere { random(positions) } else { at - 1 - random(at.min(1000)) };
            net.to.push(to as Id);
        }
        net.ends.push(net.to.len());
    }
    println!("{positions} positions, {} moves", net.to.len());
    let clock = Instant::now();
    let values = loopy_values(&mut net, &mut Monitor::unlimited()).expect("a graph without splits has values");
    println!("loopy nimbers       {:8.3} s, {} sets", clock.elapsed().as_secs_f64(), values.sets());
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for position in 0..positions {
        let value = values.get(position as Id).expect("it has a value");
        *counts.entry(if let LoopyNimber::Finite(n) = value { n.to_string() } else { "∞".to_string() }).or_default() +=
            1;
    }
    println!("{counts:?}");
    let clock = Instant::now();
    drop(retrograde(&mut net, Forever::Draw, &mut Monitor::unlimited()).expect("outcomes"));
    println!("retrograde analysis {:8.3} s", clock.elapsed().as_secs_f64());
}
