//! The graph with compiled options is the interpreter's, number by number: positions, ends, options, gains and mistakes. So
//! it is where code leaves positions alone.

use std::sync::Arc;

use engine::graph::{Expansion, Graph};
use engine::memory::Memory;
use engine::monitor::Monitor;
use formula::TurnPlace;
use game::codes::{Expanded, Options, Successors};
use rules::bind::Bound;
use rules::program::Program;
use testkit::Random;
use testkit::files::{bound, gallery, program};
use testkit::with_room;
use testkit::writer::{Style, Writer};

use positions::compiled::{Codec, CompiledGraph};
use positions::facts::{Facts, Kind};
use positions::interpreted::Backed;
use positions::oracle::{Keeps, Numbered};
use positions::program::ProgramGraph;
use positions::remembered::Remembered;
use positions::state::StateGraph;

/// How many positions of a game are compared.
const MOST: usize = 1500;

#[derive(Debug, Default)]
struct Tally {
    graphs: usize,
    positions: usize,
    /// Of these, with rules compiled as they stand.
    programs: usize,
    faults: usize,
    /// Games without formulas, or of more bits than a code has.
    refused: usize,
}

fn compare(bound: &Bound, random: &mut Random, tally: &mut Tally) -> Result<(), String> {
    let Ok(facts) = Facts::new(bound) else { return Ok(()) };
    let Some(start) = bound.start.parts.first().filter(|_| !facts.sum.holds) else { return Ok(()) };
    let all: &[Keeps] = match facts.kind {
        Kind::Outcome => &[Keeps::Outcome],
        Kind::Score => &[Keeps::Score, Keeps::ScoreAndGains],
        Kind::Payoffs | Kind::Winners => &[Keeps::Payoffs],
    };
    for &keeps in all {
        let monitor = Monitor::unlimited();
        let mut slow = StateGraph::without_audit(bound, keeps, facts.with_turn, monitor.memory());
        let rules = ProgramGraph::compile(bound, keeps, facts.with_turn).map_err(|error| error.to_string())?;
        let mut fast = ProgramGraph::new(bound, keeps, rules, &monitor);
        for graph in [&mut slow as &mut dyn Numbered, &mut fast] {
            graph.number(&bound.start).map_err(|error| error.to_string())?;
        }
        let before = tally.positions;
        walk(&mut slow, &mut fast, tally)?;
        tally.programs += tally.positions - before;
        remembered(bound, keeps, facts.with_turn, random, tally)?;
    }
    let Ok(formulas) = formula::specialise(bound) else {
        tally.refused += 1;
        return Ok(());
    };
    let study = formula::study(formulas, start, bound.start.turn.0, facts.with_turn);
    let place = if random.one_in(2) { TurnPlace::First } else { TurnPlace::Last };
    let Some(coded) = study.coded(random.one_in(2), place) else {
        tally.refused += 1;
        return Ok(());
    };
    let codec = Codec::new(coded, game::Player::FIRST);
    for &keeps in all {
        let memory = Memory::new(1 << 30);
        let start = codec.code_of(&bound.start);
        let code = || {
            let code = jit::ways::successors(bound, codec.coded(), start, keeps.gains());
            code.map(Arc::from).map_err(|error| error.to_string())
        };
        let doubtful =
            |share: u64| Ok::<Arc<dyn Successors + Send>, String>(Arc::new(Doubtful { code: code()?, share }));
        tally.graphs += 1;
        for code in [code()?, doubtful(1 + random.below(3) as u64)?] {
            let mut slow = StateGraph::without_audit(bound, keeps, facts.with_turn, &memory);
            let fast = CompiledGraph::new(bound, keeps, codec.clone(), code, &memory);
            let mut fast = fast.map_err(|error| error.to_string())?;
            for graph in [&mut slow as &mut dyn Numbered, &mut fast] {
                graph.number(&bound.start).map_err(|error| error.to_string())?;
            }
            walk(&mut slow, &mut fast, tally)?;
        }
        let backed = Backed::new(bound, codec.clone(), keeps, doubtful(2)?);
        let whole = Backed::new(bound, codec.clone(), keeps, code()?);
        along(&whole, &backed, start, random)?;
    }
    Ok(())
}

/// A graph that was looked at, as far as a number of positions, and out of order beyond, gives what a fresh one gives.
fn remembered(
    bound: &Bound,
    keeps: Keeps,
    with_turn: bool,
    random: &mut Random,
    tally: &mut Tally,
) -> Result<(), String> {
    let memory = Memory::new(1 << 30);
    // What is looked at is not checked until it is taken up.
    let mut fresh = StateGraph::new(bound, keeps, with_turn, &memory);
    let looked = StateGraph::without_audit(bound, keeps, with_turn, &memory);
    let mut looked = Remembered::new(Box::new(looked), keeps, false, &memory);
    for graph in [&mut fresh as &mut dyn Numbered, &mut looked] {
        graph.number(&bound.start).map_err(|error| error.to_string())?;
    }
    let (most, mut expansion) = (1 + random.below(300), Expansion::default());
    let mut next = 0;
    while next < looked.len().min(most) && looked.expand(next as u32, &mut expansion).is_ok() {
        next += 1;
    }
    // Numbers are given in order of discovery: the fresh graph meets positions in the same order.
    if (0..next).any(|id| fresh.expand(id as u32, &mut expansion).is_err()) {
        // What the file declares is false there: this is found when the look is taken up.
        looked.take_up();
        let wrong = (0..next).any(|id| looked.expand(id as u32, &mut expansion).is_err());
        return if wrong { Ok(()) } else { Err("a false declaration passes".to_string()) };
    }
    let later = next + random.below(3);
    for graph in [&mut fresh as &mut dyn Numbered, &mut looked] {
        if later < graph.len() && graph.expand(later as u32, &mut expansion).is_err() {
            return Ok(());
        }
    }
    looked.take_up();
    walk(&mut fresh, &mut looked, tally)
}

/// Code that leaves many positions alone, as if it ran out of memory there.
struct Doubtful {
    code: Arc<dyn Successors + Send>,
    /// One of so many is left.
    share: u64,
}

impl Successors for Doubtful {
    fn expand(&self, code: u64, out: &mut Options) -> Expanded {
        match code.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32 {
            hash if hash.is_multiple_of(self.share) => Expanded::Fault,
            _ => self.code.expand(code, out),
        }
    }
}

/// Compares code with code along random plays.
fn along(slow: &dyn Successors, fast: &dyn Successors, start: Option<u64>, random: &mut Random) -> Result<(), String> {
    let start = start.ok_or("the start has no code")?;
    let (mut expected, mut found) = (Options::default(), Options::default());
    let mut code = start;
    for _ in 0..30 {
        let (kind, other) = (slow.expand(code, &mut expected), fast.expand(code, &mut found));
        let all = |kind: Expanded, options: &Options| match kind {
            Expanded::Fault => (kind, Options::default().codes, Vec::new(), Vec::new()),
            _ => (kind, options.codes.clone(), options.same.clone(), options.gains.clone()),
        };
        if all(kind, &expected) != all(other, &found) {
            return Err(format!("{other:?} {found:?} for {kind:?} {expected:?} at code {code}"));
        }
        code = if kind == Expanded::Options { expected.codes[random.below(expected.codes.len())] } else { start };
    }
    Ok(())
}

fn walk(slow: &mut StateGraph<'_>, fast: &mut dyn Numbered, tally: &mut Tally) -> Result<(), String> {
    let (mut expected, mut found) = (Expansion::default(), Expansion::default());
    let mut next = 0;
    while (next as usize) < slow.len().min(MOST) {
        let position = slow.position(next);
        let differ = |what: &str| Err(format!("{what} at position {next}, {position:?}"));
        if fast.position(next) != position {
            return differ(&format!("another position: {:?}", fast.position(next)));
        }
        if fast.find(&position) != Some(next) {
            return differ("it is not found");
        }
        match (slow.expand(next, &mut expected), fast.expand(next, &mut found)) {
            (Ok(()), Ok(())) => {}
            (Err(wrong), Err(also)) if wrong == also => {
                tally.faults += 1;
                return Ok(());
            }
            (expected, found) => return differ(&format!("{found:?} for {expected:?}")),
        }
        let all = |e: &Expansion| (e.mover, e.end, e.edges.clone(), e.gains.clone());
        if all(&expected) != all(&found) {
            return differ(&format!("{found:?} for {expected:?}"));
        }
        tally.positions += 1;
        next += 1;
    }
    Ok(())
}

fn random_files(seed: u64, count: usize, style: impl Fn(&mut Random) -> Style) -> Tally {
    let mut random = Random::new(seed);
    let mut tally = Tally::default();
    for _ in 0..count {
        let style = style(&mut random);
        let text = Writer::new(&mut random, style).file();
        let bound = bound(&program(&text), "{}");
        compare(&bound, &mut random, &mut tally).unwrap_or_else(|difference| panic!("{difference}\n{text}"));
    }
    tally
}

#[test]
fn random_games() {
    with_room(|| {
        let style = |random: &mut Random| Style {
            players: if random.one_in(4) { 3 } else { 2 },
            counted: random.one_in(2),
            results_only: random.one_in(4),
            mover: random.one_in(2),
            counter: random.one_in(2),
            risky: false,
            sum: false,
        };
        let tally = random_files(71, 400, style);
        println!("{tally:?}");
        assert!(tally.graphs > 400 && tally.positions > 3000, "{tally:?}");
    });
}

#[test]
fn random_games_that_may_go_wrong() {
    with_room(|| {
        let style = Style::risky;
        let tally = random_files(72, 400, style);
        println!("{tally:?}");
        assert!(tally.graphs > 400 && tally.faults > 30, "{tally:?}");
    });
}

#[test]
fn the_gallery() {
    with_room(|| {
        let mut random = Random::new(73);
        let mut tally = Tally::default();
        for (_, text) in gallery() {
            let program: Arc<Program> = program(&text);
            let mut instances = rules::sample::instances(&program, 4, 7).unwrap_or_default();
            instances.push(rules::instance::Instance::default());
            for instance in instances {
                let Ok(bound) = rules::bind::bind(&program, &instance) else { continue };
                let differs = |difference| panic!("{} {instance}: {difference}", program.name);
                compare(&bound, &mut random, &mut tally).unwrap_or_else(differs);
            }
        }
        println!("{tally:?}");
        assert!(tally.graphs > 150 && tally.positions > 10_000, "{tally:?}");
    });
}

/// How many of the positions that play reaches are left alone by rules compiled as they stand, and how many there are.
fn left_by_rules(bound: &Bound, keeps: Keeps) -> (usize, usize) {
    let rules = ProgramGraph::compile(bound, keeps, true).expect("code");
    let monitor = Monitor::unlimited();
    let mut graph = ProgramGraph::new(bound, keeps, Arc::clone(&rules), &monitor);
    graph.number(&bound.start).expect("a start");
    let (mut scratch, mut key, mut into) = (rules.scratch(), vec![0; rules.words()], Expansion::default());
    let (mut next, mut left) = (0, 0);
    while (next as usize) < graph.len() {
        let position = graph.position(next);
        rules.key(&position.parts[0], position.turn, &mut key);
        left += usize::from(rules.expand(&key, &mut scratch) == Expanded::Fault);
        graph.expand(next, &mut into).expect("the interpreter finds nothing wrong");
        next += 1;
    }
    (left, graph.len())
}

/// Sums of large numbers that leave 64 bits on their way: code leaves these positions to the interpreter. That happens in
/// every file, and not everywhere in it, both with keys and with the codes that searches use.
#[test]
fn games_with_doubts() {
    let mut tally = Tally::default();
    let mut random = Random::new(74);
    let (mut coded_files, mut doubted) = (0, 0);
    for text in testkit::doubts::files() {
        let bound = bound(&program(&text), "{}");
        compare(&bound, &mut random, &mut tally).unwrap_or_else(|difference| panic!("{difference}\n{text}"));
        let keeps = match (bound.program.counted, bound.players) {
            (false, 2) => Keeps::Outcome,
            (true, 2) => Keeps::Score,
            _ => Keeps::Payoffs,
        };
        let (left, all) = left_by_rules(&bound, keeps);
        println!("{left} of {all} positions");
        assert!(left > 10 && left < all, "{left} of {all} positions are left alone\n{text}");
        // Sets of numbers far apart have no formulas.
        let Ok(formulas) = formula::specialise(&bound) else { continue };
        let study = formula::study(formulas, &bound.start.parts[0], bound.start.turn.0, true);
        let coded = study.coded(true, TurnPlace::First).expect("codes");
        let size = coded.numbering.size.min(2000);
        let left = |code: &dyn Successors| {
            let mut out = Options::default();
            (0..size).filter(|&n| code.expand(n, &mut out) == Expanded::Fault).count()
        };
        let rules = jit::program::Rules::with_codes(&bound, keeps.gains(), &coded).expect("code");
        let chosen = jit::ways::successors(&bound, &coded, None, keeps.gains()).expect("code");
        let (by_rules, by_chosen) = (left(&rules), left(&*chosen));
        println!("{by_rules} and {by_chosen} of {size} codes");
        assert!(by_rules > 10, "{by_rules} of {size} codes are left alone\n{text}");
        doubted += usize::from(by_chosen > 10);
        coded_files += 1;
    }
    println!("{doubted} of {coded_files}");
    assert!(coded_files > 5 && doubted > 3 && tally.positions > 500, "{doubted} of {coded_files} files, {tally:?}");
}
