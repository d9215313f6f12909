//! Retrograde analysis of graphs and of codes, with one thread and with two, against rounds over all positions.

use engine::Error;
use engine::codes::{Codes, Kind, dense_retrograde};
use engine::graph::{Edge, Ending, Expansion, Graph, Id};
use engine::interner::{Interner, Words};
use engine::monitor::{Limits, Monitor};
use engine::retrograde::{Forever, retrograde};
use game::codes::{Expanded, Options, Successors};
use game::{Outcome, Player, Remoteness};

use testkit::Random;

const FOREVER: [Forever; 3] = [Forever::Draw, Forever::Win(Player::FIRST), Forever::Win(Player::SECOND)];

/// A game given node by node: who moves, and an end or where the moves lead.
struct Net(Vec<(Player, Result<Vec<usize>, Outcome>)>);

impl Net {
    /// A random game. Of a hundred nodes, `ends` are ends; `chain` makes long wins: moves lead one or two nodes down.
    fn random(nodes: usize, degree: u64, ends: u64, chain: bool, random: &mut Random) -> Net {
        let node = |node: usize, random: &mut Random| {
            let mover = Player(random.below(2) as u8);
            if chain && node == 0 {
                return (mover, Err(Outcome::Loss));
            }
            if random.below(100) < ends {
                let outcome = [Outcome::Win, Outcome::Loss, Outcome::Draw][random.below(3) as usize];
                return (mover, Err(outcome));
            }
            let mut moves: Vec<usize> =
                (0..1 + random.below(degree)).map(|_| random.below(nodes as u64) as usize).collect();
            if chain {
                moves = vec![node.saturating_sub(1 + random.below(2) as usize); moves.len()];
            }
            (mover, Ok(moves))
        };
        Net((0..nodes).map(|index| node(index, random)).collect())
    }

    /// The moves of a node, each with whether the same player moves on.
    fn moves(&self, node: usize) -> impl Iterator<Item = (usize, bool)> + Clone + '_ {
        let moves = self.0[node].1.as_ref().map_or(&[][..], Vec::as_slice);
        moves.iter().map(move |&to| (to, self.0[to].0 == self.0[node].0))
    }
}

impl Successors for Net {
    fn expand(&self, code: u64, out: &mut Options) -> Expanded {
        out.codes.clear();
        out.same.clear();
        out.gains.clear();
        if let Err(outcome) = self.0[code as usize].1 {
            out.gains.push(outcome as i64 - Outcome::Draw as i64);
            return Expanded::End;
        }
        for (to, same) in self.moves(code as usize) {
            out.codes.push(to as u64);
            out.same.push(u8::from(same));
        }
        Expanded::Options
    }
}

/// The net as a graph that numbers nodes as it meets them, from all nodes in an order of its own.
struct Met<'n> {
    net: &'n Net,
    numbers: Interner<Words>,
    expanded: usize,
}

impl<'n> Met<'n> {
    fn new(net: &'n Net, monitor: &Monitor) -> Result<Met<'n>, Error> {
        let mut numbers = Interner::<Words>::new(1, monitor.memory());
        numbers.intern(&[net.0.len() as u64 / 2])?;
        Ok(Met { net, numbers, expanded: 0 })
    }
}

impl Graph for Met<'_> {
    fn len(&self) -> usize {
        self.numbers.len()
    }

    fn expand(&mut self, position: Id, into: &mut Expansion) -> Result<(), Error> {
        self.expanded += 1;
        let mut key = [0];
        self.numbers.key(position, &mut key);
        let (mover, ways) = &self.net.0[key[0] as usize];
        into.mover = *mover;
        into.end = ways.as_ref().err().map(|&outcome| Ending::Outcome(outcome));
        for (to, same) in self.net.moves(key[0] as usize) {
            let (to, _) = self.numbers.intern(&[to as u64])?;
            into.edges.push(Edge { same, ..Edge::to(to) });
        }
        Ok(())
    }
}

/// The values of all nodes, by rounds over all of them until nothing changes.
fn rounds(net: &Net, forever: Forever) -> Vec<(Outcome, Remoteness)> {
    let count = net.0.len();
    let ends = net.0.iter().map(|(_, ways)| ways.as_ref().err().copied());
    let mut known: Vec<Option<(Outcome, Remoteness)>> =
        ends.map(|end| end.filter(|&outcome| outcome != Outcome::Draw).map(|outcome| (outcome, Some(0)))).collect();
    let draw = |node: usize| matches!(net.0[node].1, Err(Outcome::Draw));
    let turned = |outcome: Outcome, same: bool| if same { outcome } else { -outcome };
    for round in 1.. {
        let before = known.clone();
        for node in (0..count).filter(|&node| before[node].is_none() && !draw(node)) {
            let mut options = net.moves(node).map(|(to, same)| before[to].map(|(outcome, _)| turned(outcome, same)));
            if options.clone().any(|option| option == Some(Outcome::Win)) {
                known[node] = Some((Outcome::Win, Some(round)));
            } else if options.all(|option| option == Some(Outcome::Loss)) {
                known[node] = Some((Outcome::Loss, Some(round)));
            }
        }
        if known == before {
            break;
        }
    }
    if let Forever::Win(player) = forever {
        // What the other player can hold: a draw, or better.
        let mut held: Vec<bool> = (0..count)
            .map(|node| match known[node] {
                Some((outcome, _)) => (net.0[node].0 == player) == (outcome == Outcome::Loss),
                None => draw(node),
            })
            .collect();
        loop {
            let before = held.clone();
            for node in (0..count).filter(|&node| known[node].is_none() && !draw(node)) {
                let mut options = net.moves(node).map(|(to, _)| before[to]);
                held[node] = if net.0[node].0 == player { options.all(|held| held) } else { options.any(|held| held) };
            }
            if held == before {
                break;
            }
        }
        for node in (0..count).filter(|&node| !held[node]) {
            let outcome = if net.0[node].0 == player { Outcome::Win } else { Outcome::Loss };
            known[node] = known[node].or(Some((outcome, None)));
        }
    }
    let drawn = |node: usize| (Outcome::Draw, draw(node).then_some(0));
    let mut values: Vec<(Outcome, Remoteness)> =
        (0..count).map(|node| known[node].unwrap_or_else(|| drawn(node))).collect();
    for round in 1.. {
        let before = values.clone();
        for node in (0..count).filter(|&node| before[node] == (Outcome::Draw, None)) {
            if net.moves(node).any(|(to, _)| matches!(before[to], (Outcome::Draw, Some(_)))) {
                values[node].1 = Some(round);
            }
        }
        if values == before {
            return values;
        }
    }
    unreachable!()
}

/// All ways to the values of a game, against rounds.
fn check(net: &Net, forever: Forever) {
    let count = net.0.len();
    let expected = rounds(net, forever);
    let mut monitor = Monitor::unlimited();
    let mut graph = Met::new(net, &monitor).unwrap();
    let outcomes = retrograde(&mut graph, forever, &mut monitor).unwrap();
    let mut met = 0;
    for (node, &expected) in expected.iter().enumerate() {
        if let Some(id) = graph.numbers.find(&[node as u64]) {
            assert_eq!(outcomes.get(id), Some(expected), "{forever:?}, node {node} of {count} in a graph");
            met += 1;
        }
    }
    assert_eq!(graph.expanded, met);
    let mover = |code: u64| net.0[code as usize].0;
    for threads in 1..=3 {
        let roots = [count as u64 / 2];
        let codes = Codes { threads, ..Codes::new(net, &roots, Kind::Outcome { longest: None }) };
        let monitor = &mut Monitor::unlimited();
        let table = dense_retrograde(&codes, count as u64, forever, Some(&mover), monitor).unwrap();
        assert_eq!(table.positions(), met as u64);
        for (node, &expected) in expected.iter().enumerate() {
            let wanted = graph.numbers.find(&[node as u64]).is_some();
            let found = table.outcome(node as u64);
            assert_eq!(found, wanted.then_some(expected), "{forever:?}, node {node} of {count}, {threads}");
        }
    }
}

#[test]
fn small_games() {
    let mut random = Random::new(29);
    for round in 0..4000 {
        let nodes = 1 + random.below([3, 10, 40][round % 3]) as usize;
        let (degree, ends) = (1 + random.below(4), random.below(60));
        let net = Net::random(nodes, degree, ends, false, &mut random);
        check(&net, FOREVER[round / 3 % 3]);
    }
}

/// Levels that threads share, several buckets, wins of a thousand moves.
#[test]
fn large_games() {
    let mut random = Random::new(31);
    for (round, forever) in FOREVER.into_iter().enumerate() {
        check(&Net::random(30_000 + 10_000 * round, 3, 4, false, &mut random), forever);
        check(&Net::random(40_000, 2, 30, false, &mut random), forever);
        check(&Net::random(1000, 2, 0, true, &mut random), forever);
    }
}

/// Hardly anything is won or lost: levels are small, and moves may never be turned round.
#[test]
fn games_with_few_ends() {
    let mut random = Random::new(41);
    for round in 0..24u64 {
        let nodes = 2000 + random.below(20_000);
        let mut net = Net::random(nodes as usize, 1 + round % 4, 0, false, &mut random);
        for _ in 0..1 + random.below(nodes / 800) {
            let outcomes = if round % 2 == 0 { 2 } else { 3 };
            let outcome = [Outcome::Loss, Outcome::Win, Outcome::Draw][random.below(outcomes) as usize];
            net.0[random.below(nodes) as usize].1 = Err(outcome);
        }
        check(&net, FOREVER[round as usize % 3]);
    }
}

/// Where the memory does not reach to keep the moves of a graph, positions are expanded again and the values are the same.
#[test]
fn moves_are_forgotten_rather_than_given_up() {
    let mut random = Random::new(37);
    let many = Net::random(80_000, 10, 3, false, &mut random);
    // Counters have gone down by the time moves are forgotten: some ends are won, and few are enough to go on for long.
    let mut few = Net::random(60_000, 3, 0, false, &mut random);
    for end in 0..50 {
        let outcome = if end % 5 == 0 { Outcome::Loss } else { Outcome::Win };
        few.0[random.below(60_000) as usize].1 = Err(outcome);
    }
    let cases = [(&many, Forever::Draw), (&many, Forever::Win(Player::SECOND)), (&few, Forever::Draw)];
    for (net, forever) in cases {
        let run = |memory: u64| {
            let mut monitor = Monitor::new(&Limits { memory, time: None });
            let mut graph = Met::new(net, &monitor)?;
            let outcomes = retrograde(&mut graph, forever, &mut monitor)?;
            let values = (0..graph.len() as Id).map(|id| outcomes.get(id).unwrap()).collect::<Vec<_>>();
            assert!(monitor.memory().peak() <= memory);
            Ok::<_, Error>((monitor.memory().peak(), graph.expanded > graph.len(), values))
        };
        let (peak, again, expected) = run(u64::MAX).unwrap();
        assert!(!again);
        let mut solved = 0;
        for part in 1..10 {
            match run(peak * part / 10) {
                Ok((_, again, values)) => {
                    assert!(values == expected);
                    solved += usize::from(again);
                }
                Err(error) => assert!(error.is_limit(), "{error}"),
            }
        }
        assert!(solved >= if net.0.len() == 80_000 { 3 } else { 1 }, "{solved} of 9 limits suffice");
    }
}
