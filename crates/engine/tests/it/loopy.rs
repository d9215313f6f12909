//! Loopy nimbers against Smith's rule as it stands, and their sums against retrograde analysis of whole sums.

use std::collections::{BTreeSet, HashMap};
use testkit::Random;

use engine::Error;
use engine::graph::{Edge, Ending, Expansion, Graph, Id};
use engine::loopy::{LoopyValues, loopy_values};
use engine::monitor::Monitor;
use engine::retrograde::{Forever, retrograde};
use game::{LoopyNimber, Nimber, Outcome, mex};

/// The options of each position; an option is a list of parts.
#[derive(Clone, Debug)]
struct Net(Vec<Vec<Vec<Id>>>);

impl Net {
    /// A game in which moves do not split.
    fn plain(options: &[&[Id]]) -> Net {
        Net(options.iter().map(|options| options.iter().map(|&to| vec![to]).collect()).collect())
    }

    fn values(&self) -> Result<LoopyValues, Error> {
        loopy_values(&mut self.clone(), &mut Monitor::unlimited())
    }

    fn list(&self) -> Vec<LoopyNimber> {
        let values = self.values().unwrap();
        (0..self.0.len()).map(|position| values.get(position as Id).unwrap()).collect()
    }
}

impl Graph for Net {
    fn len(&self) -> usize {
        self.0.len()
    }

    /// An option without parts leads to position 0, which must have no moves.
    fn expand(&mut self, position: Id, into: &mut Expansion) -> Result<(), Error> {
        into.clear();
        for option in &self.0[position as usize] {
            into.edges.push(Edge::to(option.first().copied().unwrap_or(0)));
            into.edges.extend(option.iter().skip(1).map(|&part| Edge { joined: true, ..Edge::to(part) }));
        }
        Ok(())
    }
}

/// Smith's rule, tried on every position until nothing changes.
fn by_the_rule(options: &[Vec<usize>]) -> Vec<LoopyNimber> {
    let mut labels: Vec<Option<Nimber>> = vec![None; options.len()];
    let finite = |labels: &[Option<Nimber>], at: usize| -> Vec<Nimber> {
        options[at].iter().filter_map(|&to| labels[to]).collect()
    };
    loop {
        let before = labels.clone();
        for at in 0..options.len() {
            if labels[at].is_some() {
                continue;
            }
            let m = mex(&mut finite(&labels, at));
            let returns = |&to: &usize| labels[to].is_some_and(|label| label < m) || finite(&labels, to).contains(&m);
            if options[at].iter().all(returns) {
                labels[at] = Some(m);
            }
        }
        if labels == before {
            break;
        }
    }
    let value = |at: usize| labels[at].map_or_else(|| LoopyNimber::infinite(finite(&labels, at)), LoopyNimber::Finite);
    (0..options.len()).map(value).collect()
}

/// All sums that can be reached from some sums, as positions of one game: the sorted lists of their parts.
struct Product {
    net: Net,
    sums: Vec<Vec<Id>>,
    numbers: HashMap<Vec<Id>, Id>,
}

impl Product {
    fn new(net: &Net) -> Product {
        Product { net: net.clone(), sums: Vec::new(), numbers: HashMap::new() }
    }

    /// The number of a sum; parts without moves are left out, or sums with such company would never end.
    fn number(&mut self, mut parts: Vec<Id>) -> Id {
        parts.retain(|&part| !self.net.0[part as usize].is_empty());
        parts.sort_unstable();
        assert!(self.sums.len() < 1_000_000, "too many sums");
        *self.numbers.entry(parts.clone()).or_insert_with(|| {
            self.sums.push(parts);
            self.sums.len() as Id - 1
        })
    }

    fn options(&mut self, position: Id) -> Vec<Id> {
        let parts = self.sums[position as usize].clone();
        let mut options = Vec::new();
        for index in 0..parts.len() {
            for option in self.net.0[parts[index] as usize].clone() {
                let mut sum = parts.clone();
                sum.splice(index..=index, option);
                options.push(self.number(sum));
            }
        }
        options
    }
}

impl Graph for Product {
    fn len(&self) -> usize {
        self.sums.len()
    }

    fn expand(&mut self, position: Id, into: &mut Expansion) -> Result<(), Error> {
        into.clear();
        into.edges.extend(self.options(position).into_iter().map(Edge::to));
        if into.edges.is_empty() {
            into.end = Some(Ending::Outcome(Outcome::Loss));
        }
        Ok(())
    }
}

/// Compares the outcomes of these sums, and of all that they lead to, with retrograde analysis. Gives how many were drawn.
fn outcomes_agree(net: &Net, starts: &[Vec<Id>]) -> usize {
    let values = net.list();
    let mut product = Product::new(net);
    for start in starts {
        product.number(start.clone());
    }
    let outcomes = retrograde(&mut product, Forever::Draw, &mut Monitor::unlimited()).unwrap();
    let mut drawn = 0;
    for (number, sum) in product.sums.iter().enumerate() {
        let value: LoopyNimber = sum.iter().map(|&part| &values[part as usize]).sum();
        let (outcome, _) = outcomes.get(number as Id).unwrap();
        assert_eq!(value.outcome(), outcome, "{sum:?} of {net:?}, {value}");
        drawn += usize::from(outcome == Outcome::Draw);
    }
    drawn
}

/// A random graph: mostly downward, with some moves anywhere; `loops` of ten moves go anywhere.
fn random_options(random: &mut Random, positions: usize, most: usize, loops: usize) -> Vec<Vec<usize>> {
    let mut options = Vec::new();
    for at in 0..positions {
        let count = random.below(most + 1);
        let mut option =
            |_| if at == 0 || random.below(10) < loops { random.below(positions) } else { random.below(at) };
        options.push((0..count).map(&mut option).collect());
    }
    options
}

/// A crowded graph: most moves downward are there, and a few upward, so that labels are many.
fn crowded_options(random: &mut Random, positions: usize) -> Vec<Vec<usize>> {
    let (down, up) = (1 + random.below(4), 1 + random.below(6));
    let mut options = Vec::new();
    for at in 0..positions {
        let mut there = |to: usize| {
            if to < at { random.below(down + 1) > 0 } else { random.below(positions * positions) < up }
        };
        options.push((0..positions).filter(|&to| there(to)).collect());
    }
    options
}

fn net_of(options: &[Vec<usize>]) -> Net {
    Net(options.iter().map(|options| options.iter().map(|&to| vec![to as Id]).collect()).collect())
}

#[test]
fn the_example() {
    // a→∅, b→a, c→a,d, d→c,b, e→e,b, f→e,a, g→g, h→g,b
    let net = Net::plain(&[&[], &[0], &[0, 3], &[2, 1], &[4, 1], &[4, 0], &[6], &[6, 1]]);
    let shown: Vec<String> = net.list().iter().map(LoopyNimber::to_string).collect();
    assert_eq!(shown, ["0", "1", "1", "0", "∞{1}", "1", "∞{}", "∞{1}"]);
}

#[test]
fn random_graphs_by_the_rule() {
    let mut random = Random::new(1);
    let mut kinds = BTreeSet::new();
    for round in 0..12_000 {
        let positions = 1 + random.below(if round % 40 == 0 { 60 } else { 12 });
        let (most, loops) = (1 + random.below(7), random.below(11));
        let options = match round % 2 {
            0 => random_options(&mut random, positions, most, loops),
            _ => crowded_options(&mut random, positions),
        };
        let expected = by_the_rule(&options);
        assert_eq!(net_of(&options).list(), expected, "{options:?}");
        kinds.extend(expected);
    }
    assert!(kinds.len() > 40 && kinds.contains(&LoopyNimber::Finite(5)), "{} kinds", kinds.len());
}

/// All graphs on three positions, with every sum of two of them.
#[test]
fn every_small_graph() {
    let mut drawn = 0;
    for code in 0..512usize {
        let options: Vec<Vec<usize>> =
            (0..3).map(|at| (0..3).filter(|to| code >> (3 * at + to) & 1 == 1).collect()).collect();
        let net = net_of(&options);
        assert_eq!(net.list(), by_the_rule(&options));
        let pairs = (0..3).flat_map(|a| (a..3).map(move |b| vec![a, b]));
        drawn += outcomes_agree(&net, &pairs.collect::<Vec<_>>());
    }
    assert!(drawn > 300, "{drawn}");
}

#[test]
fn sums_of_two_and_three() {
    let mut random = Random::new(2);
    let mut drawn = 0;
    for _ in 0..1500 {
        let positions = 2 + random.below(6);
        let (most, loops) = (1 + random.below(4), 1 + random.below(6));
        let options = match random.below(2) {
            0 => random_options(&mut random, positions, most, loops),
            _ => crowded_options(&mut random, positions),
        };
        let net = net_of(&options);
        let sums = (0..3).map(|_| (0..2 + random.below(2)).map(|_| random.below(positions) as Id).collect());
        drawn += outcomes_agree(&net, &sums.collect::<Vec<_>>());
    }
    assert!(drawn > 10_000, "{drawn}");
}

/// Parts that split, in ranks of three: inside a rank a part stays one, and may have dead company; below it may be several.
#[test]
fn sums_whose_parts_split() {
    let mut random = Random::new(3);
    let mut drawn = 0;
    for _ in 0..1500 {
        let mut net = Net(vec![vec![]]);
        for at in 1..3 + random.below(7) {
            let below = (at - 1) / 3 * 3 + 1;
            let mut options = Vec::new();
            for _ in 0..random.below(4) {
                options.push(match random.below(5) {
                    0 => vec![],
                    1 => vec![(below + random.below(3)) as Id],
                    2 => vec![0, (below + random.below(3)) as Id, 0],
                    parts => (0..parts - 1).map(|_| random.below(below) as Id).collect(),
                });
            }
            net.0.push(options);
        }
        // Ranks may be incomplete at the end: moves beyond it lead to what is not there.
        let positions = net.0.len();
        net.0.iter_mut().flatten().flatten().for_each(|part| *part = (*part).min(positions as Id - 1));
        if matches!(net.values(), Err(Error::Grows(_))) {
            continue;
        }
        let starts: Vec<Vec<Id>> = (0..positions as Id).map(|at| vec![at]).collect();
        drawn += outcomes_agree(&net, &starts);
        // The value of a sum is that of the same sum as a position of the whole game.
        let mut product = Product::new(&net);
        for start in starts {
            product.number(start);
        }
        let mut options = Vec::new();
        while options.len() < product.sums.len() {
            let next = product.options(options.len() as Id);
            options.push(next.into_iter().map(|to| to as usize).collect());
        }
        let values = net.list();
        for (sum, expected) in product.sums.iter().zip(by_the_rule(&options)) {
            let value: LoopyNimber = sum.iter().map(|&part| &values[part as usize]).sum();
            assert_eq!(value, expected, "{sum:?} of {net:?}");
        }
    }
    assert!(drawn > 1000, "{drawn}");
}

/// Ranks make a winner's headway: what the doc comment of `rank` says, position by position.
#[test]
fn ranks_fall() {
    let mut random = Random::new(4);
    for _ in 0..4000 {
        let positions = 1 + random.below(14);
        let (most, loops) = (1 + random.below(6), random.below(11));
        let options = match random.below(2) {
            0 => random_options(&mut random, positions, most, loops),
            _ => crowded_options(&mut random, positions),
        };
        let values = net_of(&options).values().unwrap();
        let finite = |at: usize| values.get(at as Id).unwrap().nimber();
        let rank = |at: usize| values.rank(at as Id);
        for at in 0..positions {
            let Some(label) = finite(at) else {
                assert_eq!(rank(at), u32::MAX);
                continue;
            };
            for &to in &options[at] {
                let lower = finite(to).is_some_and(|other| other < label) && rank(to) < rank(at);
                let back = |&reply: &usize| finite(reply) == Some(label) && rank(reply) < rank(at);
                assert!(lower || options[to].iter().any(back), "{at} to {to} in {options:?}");
            }
            for less in 0..label {
                assert!(options[at].iter().any(|&to| finite(to) == Some(less) && rank(to) < rank(at)));
            }
        }
    }
}

#[test]
fn growth_is_noticed() {
    let net = Net(vec![vec![], vec![vec![0]], vec![vec![2, 1]]]);
    assert_eq!(net.values().err(), Some(Error::Grows(2)));
    let net = Net(vec![vec![], vec![vec![0]], vec![vec![3, 1]], vec![vec![2]]]);
    assert!(matches!(net.values(), Err(Error::Grows(2))));
    let net = Net(vec![vec![], vec![vec![0]], vec![vec![2, 0]]]);
    assert_eq!(net.list()[2], LoopyNimber::infinite([]), "with dead company it only repeats");
}

/// A long way round, with a way out at every position: deep, and labels in plenty.
#[test]
fn large_graphs_take_no_stack_and_little_time() {
    let length = 200_000;
    let options: Vec<Vec<usize>> = (0..length)
        .map(|at| match at {
            0 => vec![],
            _ => vec![at - 1, (at + 1) % length],
        })
        .collect();
    let values = net_of(&options).list();
    assert_eq!(values[0], LoopyNimber::Finite(0));
    assert_eq!(values[1].outcome(), Outcome::Win);
    let mut random = Random::new(5);
    let options = random_options(&mut random, 100_000, 8, 1);
    let list = net_of(&options).list();
    assert_eq!(list.len(), 100_000);
}

#[test]
fn other_games_are_refused() {
    struct Won;
    impl Graph for Won {
        fn len(&self) -> usize {
            1
        }
        fn expand(&mut self, _: Id, into: &mut Expansion) -> Result<(), Error> {
            into.end = Some(Ending::Outcome(Outcome::Win));
            Ok(())
        }
    }
    assert!(matches!(loopy_values(&mut Won, &mut Monitor::unlimited()), Err(Error::Internal(_))));
}
