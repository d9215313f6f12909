//! Sums of different games against the same sum searched as one game, and against one rules file that says the same.
//!
//! The oracle explores every summand with the interpreter alone, writes down the product of all, and values that by the
//! definitions: outcomes from the back, Grundy numbers by the mex, loopy ones by Smith's rule as it stands.

use std::collections::HashMap;
use std::sync::Arc;

use crate::common::prelude::*;
use rules::instance::{Given, Instance, parse_given};
use rules::sum_text::{self, Head};
use rules::types::Type;
use solve::answers::RatedMove;
use solve::compound::{Compound, SolvedSum, SumError, Summand, solve_sum, sum_answer};
use testkit::Random;
use testkit::explicit::{Aim, Also, Explicit, Field, Finish, Node, Step};
use testkit::explore::{Explored, explore};

use crate::common::compare::compare;
use crate::common::{answer, bound, bound_to, program, with_room};

const MOST_POSITIONS: usize = 1200;

/// Games of our own, beside the gallery.
const SHELF: [(&str, &str); 5] = [
    (
        "token.game",
        "game token(arrows: [[int]], start: int) {
            state { node in 0..len(arrows) = start; }
            move go(to in arrows[node]) { node = to; }
        }",
    ),
    (
        "tokens.game",
        "game tokens(arrows: [[int]], start: [int]) {
            sum of token(node in 0..len(arrows)) from start;
            move go(to in arrows[node]) { node = to; }
        }",
    ),
    (
        "breaking.game",
        "game breaking(heaps: [int]) {
            sum of heap(n in 0..=max(heaps, 0)) from heaps;
            move take when n >= 1 { n -= 1; }
            move vanish when n == 2 { split; }
            move crumble when n >= 3 { split (1), (n - 3), (1); }
        }",
    ),
    (
        "ends.game",
        "game ends(a: int, b: int = 1) {
            state { x in 0..=a = a; y in 0..=b = b; }
            end when x + y <= 1 => lose;
            move left when x >= 1 { x -= 1; }
            move swap when x > y and x <= b { let z = x; x = y; y = z; }
            move right(k in 1..=2) when k <= y { y -= k; }
        }",
    ),
    ("my games/one.game", "game one(n: int) { state { left in 0..=n = n; } move take(k in 1..=left) { left -= k; } }"),
];

/// A sum of bound games, from text as the command line has it.
struct Sum {
    games: Vec<(String, Bound)>,
}

impl Sum {
    fn summands(&self) -> Vec<Summand<'_>> {
        self.games.iter().map(|(name, bound)| Summand { name: name.clone(), bound }).collect()
    }

    fn solve(&self, options: &Options, monitor: &mut Monitor) -> Result<SolvedSum<'_>, SumError> {
        solve_sum(self.summands(), options, monitor)
    }

    fn answer(&self, options: &Options, monitor: &mut Monitor) -> Result<Solution, SumError> {
        sum_answer(self.summands(), options, monitor)
    }
}

fn read(text: &str) -> Sum {
    let terms = sum_text::parse(text).unwrap_or_else(|wrong| panic!("{text}: {wrong:?}"));
    let mut games = Vec::new();
    for term in &terms {
        let (program, instance) = match &term.head {
            Head::Heap(size) => (nim(), Instance(vec![("piles".to_string(), Given::Ints(vec![*size]))])),
            Head::Game(name, _) => {
                let own = SHELF.iter().find(|(known, _)| known == name).map(|(_, source)| source.to_string());
                let program = program(&own.unwrap_or_else(|| testkit::files::gallery_text(name)));
                let instance = instance(&program, term);
                (program, instance)
            }
        };
        let bound = bound_to(&program, &instance);
        games.extend((0..term.times).map(|_| (term.name.clone(), bound.clone())));
    }
    Sum { games }
}

fn nim() -> Arc<Program> {
    program(&testkit::files::gallery_text("nim"))
}

/// The arguments of a term. One number for a list of numbers is a list of one; `@two.json` holds two numbers.
fn instance(program: &Program, term: &sum_text::Term) -> Instance {
    let mut bare = program.params.iter();
    let value = |argument: &sum_text::Argument| {
        let param = match &argument.name {
            Some((name, _)) => program.params.iter().find(|param| param.name == *name),
            None => bare.next(),
        };
        let param = param.expect("the parameter is there");
        let text = if argument.value == "@two.json" { "[1, 2]" } else { &argument.value };
        let given = match parse_given(text).expect("it is a value") {
            Given::Int(number) if param.ty != Type::Int => Given::Ints(vec![number]),
            given => given,
        };
        (param.name.clone(), given)
    };
    Instance(term.arguments.iter().map(value).collect())
}

fn solution(text: &str) -> Solution {
    solution_with(text, &Options::default())
}

fn solution_with(text: &str, options: &Options) -> Solution {
    let sum = read(text);
    let answer = sum.answer(options, &mut Monitor::unlimited());
    answer.unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The sum as one game; `None` if it is too large.
fn whole(sum: &Sum) -> Option<Explicit> {
    let compound = Compound::new(sum.summands());
    let mut games: Vec<(Explicit, Vec<Position>)> = Vec::new();
    for summand in compound.summands() {
        match explore(summand.bound, MOST_POSITIONS) {
            Explored::All(graph, positions, _) => games.push((graph, positions)),
            Explored::Fault(fault) => panic!("{fault:?}"),
            Explored::TooMany => return None,
        }
    }
    let start: Vec<usize> = games.iter().map(|(graph, _)| graph.start).collect();
    let mut states = vec![(start, 0)];
    let mut numbers: HashMap<(Vec<usize>, usize), usize> = HashMap::from([(states[0].clone(), 0)]);
    let mut nodes = Vec::new();
    while nodes.len() < states.len() {
        if states.len() > MOST_POSITIONS {
            return None;
        }
        let (here, mover) = states[nodes.len()].clone();
        let mut moves = Vec::new();
        for (summand, (graph, positions)) in games.iter().enumerate() {
            let parts = positions[here[summand]].parts.len();
            for step in &graph.nodes[here[summand]].moves {
                let mut option = here.clone();
                option[summand] = step.to;
                let label = match step.label.split_once(" in part ") {
                    Some((mv, part)) if parts > 1 => format!("{mv} in part {part} of {}", compound.name(summand)),
                    Some((mv, _)) => format!("{mv} in {}", compound.name(summand)),
                    None => format!("{} in {}", step.label, compound.name(summand)),
                };
                let to = *numbers.entry((option, 1 - mover)).or_insert_with_key(|state| {
                    states.push(state.clone());
                    states.len() - 1
                });
                moves.push(Step { label, gains: vec![0, 0], to });
            }
        }
        nodes.push(Node { mover, end: moves.is_empty().then_some(Finish::Outcome(-1)), moves });
    }
    Some(Explicit { players: 2, aim: Aim::Outcome(None), nodes, start: 0 })
}

/// Solves a sum and compares it with the product; `None` if that is too large.
fn agree(text: &str) -> Option<Solution> {
    agree_with(text, &Options::default())
}

fn agree_with(text: &str, options: &Options) -> Option<Solution> {
    let sum = read(text);
    let graph = whole(&sum)?;
    let solution = solution_with(text, options);
    assert_eq!((solution.method.name(), solution.summands.len()), ("sum", sum.games.len()), "{text}");
    // The comparison knows the two theorems by the names of the methods that use them.
    let Proof::Theorem(theorem) = &solution.proof else { panic!("{}", solution.proof) };
    let name = if theorem.contains("loopy") { "loopy" } else { "grundy" };
    let proof = Proof::Theorem(theorem.split("; in ").next().unwrap_or_default().to_string());
    let told = Solution { method: method(name), proof, ..solution.clone() };
    let also = Also { nimber: Field::There, ..Also::default() };
    if let Err(difference) = compare(&told, &graph, &also) {
        panic!("{difference}\n{text}");
    }
    let best: Vec<Play> = solution.summands.iter().flat_map(|summand| summand.best_moves.clone()).collect();
    assert_eq!(Some(best), solution.best_moves, "{text}");
    if let Some(nimber) = solution.nimber {
        let xor = solution.summands.iter().map(|summand| summand.value.nimber().unwrap()).fold(0, |a, b| a ^ b);
        assert_eq!(nimber, xor, "{text}");
    }
    Some(solution)
}

/// A graph whose arrows mostly lead downward; `loops` of them anywhere.
fn arrows(random: &mut Random, loops: usize) -> (String, usize) {
    let nodes = 2 + random.below(4);
    let mut arrows: Vec<Vec<usize>> =
        (0..nodes).map(|node| (0..node).filter(|_| !random.one_in(3)).collect()).collect();
    for _ in 0..loops {
        let to = random.below(nodes);
        let from = random.below(nodes);
        if !arrows[from].contains(&to) {
            arrows[from].push(to);
        }
    }
    (format!("{arrows:?}"), nodes)
}

fn random_summand(random: &mut Random, loops: bool) -> String {
    let n = random.between(0, 6);
    match random.below(if loops { 13 } else { 11 }) {
        0 => format!("kayles({n})"),
        1 => format!("nim([{n}, {}])", random.below(3)),
        2 => format!("grundy({n})"),
        3 => format!("*{}", random.below(5)),
        4 => format!("breaking.game({n})"),
        5 => format!("breaking.game([{n},{}])", random.below(4)),
        6 => format!("ends.game({n}, b={})", random.below(3)),
        7 => format!("'my games/one.game'({})", random.below(5)),
        8 => format!("dawson_chess({n})"),
        9 => format!("euclid({}, {})", 1 + random.below(9), 1 + random.below(9)),
        10 => "breaking.game(@two.json)".to_string(),
        11 => {
            let (arrows, nodes) = arrows(random, 2);
            format!("token.game({arrows}, start={})", random.below(nodes))
        }
        _ => {
            let (arrows, nodes) = arrows(random, 2);
            format!("tokens.game({arrows}, [{}, {}])", random.below(nodes), random.below(nodes))
        }
    }
}

fn random_sum(random: &mut Random, loops: bool) -> String {
    let terms = 1 + random.below(4);
    let mut text = String::new();
    for term in 0..terms {
        text.push_str(if term == 0 { "" } else { " + " });
        text.push_str(if random.one_in(8) { "2*" } else { "" });
        text.push_str(&random_summand(random, loops));
    }
    text
}

#[test]
fn random_sums_without_loops() {
    with_room(|| {
        let mut random = Random::new(61);
        let (mut compared, mut lost) = (0, 0);
        for _ in 0..2500 {
            let Some(solution) = agree(&random_sum(&mut random, false)) else { continue };
            compared += 1;
            lost += usize::from(solution.outcome == Some(Outcome::Loss));
        }
        assert!(compared > 1500 && lost > 200, "{compared} compared, {lost} lost");
    });
}

#[test]
fn random_sums_with_loops() {
    with_room(|| {
        let mut random = Random::new(62);
        let (mut loopy, mut drawn, mut infinite_and_won) = (0, 0, 0);
        for _ in 0..1500 {
            let mut text = random_sum(&mut random, true);
            if !text.contains("token") {
                let (arrows, nodes) = arrows(&mut random, 3);
                text = format!("token.game({arrows}, {}) + {text}", random.below(nodes));
            }
            let Some(solution) = agree(&text) else { continue };
            loopy += usize::from(solution.proof.to_string().contains("loopy"));
            drawn += usize::from(solution.outcome == Some(Outcome::Draw));
            infinite_and_won += usize::from(solution.loopy.is_some() && solution.outcome == Some(Outcome::Win));
        }
        assert!(loopy > 400 && drawn > 100 && infinite_and_won > 20, "{loopy}, {drawn} drawn, {infinite_and_won} won");
    });
}

/// Summands whose moves are found from the values of heaps, however few there are.
#[test]
fn random_sums_of_heaps() {
    with_room(|| {
        let options = Options { method: Some(method("heap")), ..Options::default() };
        let mut random = Random::new(64);
        let mut compared = 0;
        for _ in 0..400 {
            let mut summand = || {
                let game = *random.pick(&["kayles", "nim", "grundy", "dawson_kayles", "*"]);
                match game {
                    "*" => format!("*{}", random.below(6)),
                    _ if random.one_in(3) => format!("{game}([{}, {}])", random.below(5), 1 + random.below(5)),
                    _ => format!("{game}({})", 1 + random.below(7)),
                }
            };
            let terms = [summand(), summand(), summand()];
            let text = terms.join(" + ");
            // Not every small instance is recognised as heaps.
            match read(&text).solve(&options, &mut Monitor::unlimited()) {
                Err(SumError { error: SolveError::NotApplicable(_), .. }) => continue,
                _ => compared += usize::from(agree_with(&text, &options).is_some()),
            }
        }
        assert!(compared > 150, "{compared} compared");
    });
}

/// Heaps with more moves than can be listed, beside games that are searched, and beside one that goes round.
#[test]
fn enormous_heaps() {
    let text = "*10^18 + subtraction(10^18, [1,3,4]) + kayles(10^6) + euclid(9, 5)";
    let sum = solution(text);
    let nimbers: Vec<u64> = sum.summands.iter().map(|summand| summand.value.nimber().unwrap()).collect();
    // Taking 1, 3 or 4: period 7, values 0 1 0 1 2 3 2; Kayles: period 12.
    assert_eq!(
        nimbers[..2],
        [1_000_000_000_000_000_000, [0, 1, 0, 1, 2, 3, 2][(1_000_000_000_000_000_000u64 % 7) as usize]]
    );
    let kayles = 72 + (1_000_000 - 72) % 12;
    assert_eq!(nimbers[2], solution(&format!("kayles({kayles}) + *0")).summands[0].value.nimber().unwrap());
    assert_eq!(sum.nimber, Some(nimbers.iter().fold(0, |a, b| a ^ b)));
    let wanted = nimbers[1] ^ nimbers[2] ^ nimbers[3];
    let only = format!("take({}) in *1000000000000000000", 1_000_000_000_000_000_000 - wanted);
    assert_eq!(best(&sum), [only]);
    assert!(sum.proof.to_string().contains("period 7"), "{}", sum.proof);
    let lost = solution("2*nim([10^18, 5])");
    assert_eq!((lost.outcome, lost.best_moves.unwrap().len(), lost.best_moves_cut), (Some(Outcome::Loss), 1000, true));
    let arrows = "[[], [0], [2, 1]]";
    let drawn = solution(&format!("token.game({arrows}, 2) + *10^18"));
    assert_eq!(
        (drawn.outcome, drawn.loopy.as_ref().map(|set| set.as_slice())),
        (Some(Outcome::Draw), Some(&[1_000_000_000_000_000_001][..]))
    );
    assert!(drawn.best_moves_cut);
    let won = solution(&format!("token.game({arrows}, 2) + *10^18 + nim([10^18, 1])"));
    assert_eq!((won.outcome, best(&won)), (Some(Outcome::Win), vec!["go(1) in token.game([[], [0], [2, 1]], 2)"]));
}

/// Kayles, Nim and Grundy's game in one file: the kind of a part says which.
#[test]
fn the_same_sum_in_one_file() {
    let one_file = program(
        "game three(parts: [[int]]) {
            sum of heap(kind in 0..=2, n in 0..=30) from parts;
            move knock(k in 1..=2, left in 0..=n - k) when kind == 0 { split (0, left), (0, n - k - left); }
            move take(k in 1..=n) when kind == 1 { n -= k; }
            move divide(k in 1..=(n - 1) / 2) when kind == 2 { split (2, k), (2, n - k); }
        }",
    );
    let mut random = Random::new(63);
    for _ in 0..150 {
        let parts: Vec<(usize, usize)> =
            (0..1 + random.below(5)).map(|_| (random.below(3), random.below(30))).collect();
        let lists: Vec<Vec<usize>> = parts.iter().map(|&(kind, n)| vec![kind, n]).collect();
        let same = answer(&bound(&one_file, &format!("{{\"parts\": {lists:?}}}"))).unwrap();
        let games = ["kayles", "nim", "grundy"];
        let terms: Vec<String> = parts.iter().map(|&(kind, n)| format!("{}({n})", games[kind])).collect();
        let sum = solution(&terms.join(" + "));
        assert_eq!((sum.nimber, &sum.winner), (same.nimber, &same.winner), "{terms:?}");
        // Summand i is part i: the moves are the same, in the same order.
        let bare = |solution: &Solution| -> Vec<String> {
            best(solution).into_iter().map(|label| label.split(" in ").next().unwrap().to_string()).collect()
        };
        assert_eq!(bare(&sum), bare(&same), "{terms:?}");
    }
}

#[test]
fn large_summands() {
    let sum = solution("kayles(400) + nim([300, 77]) + 2*grundy(200) + *5");
    let kayles = answer(&bound(&program(&testkit::files::gallery_text("kayles")), "{\"rows\": [400]}")).unwrap();
    assert_eq!(sum.nimber, Some(kayles.nimber.unwrap() ^ 300 ^ 77 ^ 5));
    assert_eq!(sum.summands[2].name, "grundy(200) #1");
    assert_eq!(sum.summands[3].name, "grundy(200) #2");
    let equal = solution("1000*nim([2, 5])");
    assert_eq!((equal.nimber, equal.winner), (Some(0), Some(SECOND)));
    assert_eq!(equal.best_moves.unwrap().len(), 1000);
    assert!(equal.best_moves_cut && equal.line_cut);
}

#[test]
fn moves_are_found_by_name() {
    let sum = read("2*nim(3) + kayles([2, 1])");
    let compound = Compound::new(sum.summands());
    let start = compound.start();
    let labels: Vec<String> = compound.plays(&start).unwrap().into_iter().map(|mv| mv.label).collect();
    assert_eq!(
        labels[..4],
        ["take(1) in nim(3) #1", "take(2) in nim(3) #1", "take(3) in nim(3) #1", "take(1) in nim(3) #2"]
    );
    assert_eq!(labels.last().unwrap(), "knock(1, 0) in part 1 of kayles([2, 1])");
    for label in &labels {
        let found = compound.find(&start, label).unwrap().unwrap();
        assert_eq!(found.label, *label);
    }
    let long = compound.find(&start, "take( 2 ) in part 0 of nim(3)#2").unwrap().unwrap();
    assert_eq!((long.summand, long.label.as_str()), (1, "take(2) in nim(3) #2"));
    assert_eq!(compound.find(&start, "take(2) in nim(3)").unwrap(), None);
    let after = start.after(&long);
    assert_eq!(compound.find(&after, "take(2) in nim(3) #2").unwrap(), None);
    assert_eq!(after.turn, Player(1));
}

/// Where there are too many moves to list, those that are shown are the best of all.
#[test]
fn best_moves_where_there_are_too_many() {
    with_room(|| {
        let mut random = Random::new(65);
        for _ in 0..150 {
            let loops = random.one_in(2);
            let text = random_sum(&mut random, loops);
            let sum = read(&text);
            let Ok(solved) = sum.solve(&Options::default(), &mut Monitor::unlimited()) else { continue };
            let start = solved.compound.start();
            let said = |mv: &RatedMove| (mv.play.clone(), mv.leaves.clone(), mv.worth.clone(), mv.best);
            let all = solved.moves(&start).unwrap();
            let best: Vec<_> = all.iter().filter(|mv| mv.best).map(said).collect();
            let cut = solved.listed_within(&start, 0).unwrap();
            assert_eq!(cut.moves.iter().map(said).collect::<Vec<_>>(), best, "{text}");
            assert_eq!(cut.count, Some(all.len() as u128), "{text}");
            let (few, more) = solved.compound.first_plays(&start, 3).unwrap();
            let first: Vec<_> = all.iter().take(3).map(|mv| mv.play.clone()).collect();
            assert_eq!((few, more), (first, all.len() > 3), "{text}");
            for mv in &all {
                let label = &mv.play.label;
                assert_eq!(solved.compound.find(&start, label).unwrap(), Some(mv.play.clone()), "{text}: {label}");
                let short = label.split(" in ").next().unwrap();
                assert!(solved.compound.named(&start, short).unwrap().contains(&mv.play.clone()), "{text}: {short}");
            }
        }
    });
}

/// Who wins and plays perfectly wins against any play, also where positions repeat; who draws does not lose.
#[test]
fn perfect_play_gets_what_it_promises() {
    with_room(|| {
        let mut random = Random::new(66);
        let mut ends = [0; 2];
        for round in 0..200 {
            let text = random_sum(&mut random, round % 2 == 0);
            let sum = read(&text);
            let Ok(solved) = sum.solve(&Options::default(), &mut Monitor::unlimited()) else { continue };
            let mut position = solved.compound.start();
            let mut ours = solved.outcome(&position).unwrap() != Outcome::Loss;
            let promised = if ours { solved.outcome(&position).unwrap() } else { Outcome::Win };
            let mut left = 3000;
            loop {
                let moves = solved.compound.plays(&position).unwrap();
                if moves.is_empty() || left == 0 {
                    break;
                }
                let mv = match ours {
                    true => solved.choice(&position).unwrap().unwrap(),
                    false => random.pick(&moves).clone(),
                };
                assert!(moves.contains(&mv), "{text}");
                position.apply(&mv);
                (ours, left) = (!ours, left - 1);
            }
            ends[usize::from(left > 0)] += 1;
            // Who is to move where play ends has lost.
            match promised {
                Outcome::Win => assert!(left > 0 && !ours, "{text}"),
                _ => assert!(left == 0 || !ours, "{text}"),
            }
        }
        assert!(ends[1] > 100, "{ends:?}");
    });
}

/// A move of an enormous heap is found by its name, with numbers as people write them.
#[test]
fn moves_of_enormous_heaps_are_found_by_name() {
    let sum = read("kayles(10^12) + nim([10^18, 3])");
    let compound = Compound::new(sum.summands());
    let start = compound.start();
    let knock = compound.find(&start, "knock(2, 10^11) in kayles(10^12)").unwrap().unwrap();
    assert_eq!(knock.label, "knock(2, 100000000000) in kayles(1000000000000)");
    let after = start.after(&knock);
    assert_eq!(
        after.summands[0].parts.iter().map(|part| part[0]).collect::<Vec<_>>(),
        [100_000_000_000, 899_999_999_998]
    );
    assert_eq!(compound.find(&start, "take(4) in part 1 of nim([10^18, 3])").unwrap(), None);
    assert_eq!(compound.named(&start, "take(2)").unwrap().len(), 2);
    assert_eq!(compound.named(&start, "take(4)").unwrap().len(), 1);
    assert_eq!(compound.named(&start, "take(4) in part 0").unwrap().len(), 1);
    assert_eq!(
        compound.named(&start, "take(10^18)").unwrap()[0].label,
        "take(1000000000000000000) in part 0 of nim([1000000000000000000, 3])"
    );
    for nothing in
        ["", "take", "take()", "take(0)", "take(1", "take(1) in part 7", "in kayles(10^12)", "take(10^19)", "of", "é"]
    {
        assert!(compound.named(&start, nothing).unwrap().is_empty(), "{nothing}");
    }
    let solved = sum.solve(&Options::default(), &mut Monitor::unlimited()).unwrap();
    let listed = solved.listed(&start).unwrap();
    assert_eq!((listed.cut, listed.best_cut, listed.count), (true, false, Some(1_000_002_000_000_000_002)));
    assert!(!listed.moves.is_empty() && listed.moves.iter().all(|mv| mv.best));
}

#[test]
fn games_that_cannot_be_summands() {
    let refused = |text: &str| -> SumError {
        let result = read(text).answer(&Options::default(), &mut Monitor::unlimited());
        result.expect_err("it is no sum")
    };
    let why = |error: SumError| match error.error {
        SolveError::NotApplicable(why) => (error.summand, why),
        other => panic!("{other}"),
    };
    let forced = Options { method: Some(method("induction")), ..Options::default() };
    let error = read("domineering(2, 2) + nim(3)").answer(&forced, &mut Monitor::unlimited()).unwrap_err();
    assert!(error.summand == 0 && error.to_string().contains("gives no canonical forms"), "{error}");
    let (summand, text) = why(refused("misere_nim([3]) + nim(3)"));
    assert!(summand == 0 && text.contains("the last mover does not always win"), "{text}");
    let (_, text) = why(refused("nim(2) + coins([1, 2])"));
    assert!(text.contains("`coins` cannot be part of a sum"), "{text}");
    let forced = Options { method: Some(method("retrograde")), ..Options::default() };
    let error = read("'my games/one.game'(3) + *2").answer(&forced, &mut Monitor::unlimited()).unwrap_err();
    assert!(error.to_string().contains("gives no nimbers"), "{error}");
}

/// A token whose arrows belong to players; positions may repeat, and not all have values.
const FERRY: &str = "game ferry(blue: [[int]], red: [[int]], start: int) {
    state { at in 0..len(blue) = start; }
    move first sail(to in blue[at]) { at = to; }
    move second sail(to in red[at]) { at = to; }
}";

/// Who wins a sum of two graphs from every pair of nodes with the first player to move, by definition: from the ends backward.
/// 1, -1 or 0 for the player to move.
fn by_definition(graphs: &[[Vec<Vec<usize>>; 2]; 2]) -> Vec<i32> {
    let sizes = [graphs[0][0].len(), graphs[1][0].len()];
    let number = |a: usize, b: usize, turn: usize| (a * sizes[1] + b) * 2 + turn;
    let mut known = vec![0; sizes[0] * sizes[1] * 2];
    loop {
        let before = known.clone();
        for a in 0..sizes[0] {
            for b in 0..sizes[1] {
                for turn in 0..2 {
                    let first = graphs[0][turn][a].iter().map(|&to| before[number(to, b, 1 - turn)]);
                    let second = graphs[1][turn][b].iter().map(|&to| before[number(a, to, 1 - turn)]);
                    let mut options = first.chain(second).collect::<Vec<i32>>();
                    options.sort_unstable();
                    // Won where an option is lost for the other; lost where all are won.
                    known[number(a, b, turn)] = match options.first() {
                        Some(-1) => 1,
                        Some(1) | None => -1,
                        Some(_) => 0,
                    };
                }
            }
        }
        if known == before {
            return known;
        }
    }
}

#[test]
fn small_sums_without_values_are_solved_as_a_whole() {
    let mut random = Random::new(91);
    let ferry = program(FERRY);
    let mut wholes = 0;
    for round in 0..400 {
        let sizes = [2 + random.below(4) as usize, 2 + random.below(4) as usize];
        // Some summands are impartial: both players have the same arrows.
        let graphs = sizes.map(|nodes| {
            let mut side = || -> Vec<Vec<usize>> {
                let node = |_| (0..nodes).filter(|_| random.one_in(3)).collect();
                (0..nodes).map(node).collect()
            };
            let (blue, red) = (side(), side());
            if round % 5 == 0 { [blue.clone(), blue] } else { [blue, red] }
        });
        let bounds = [0, 1].map(|which| {
            let [blue, red] = &graphs[which];
            bound(&ferry, &format!(r#"{{"blue":{blue:?},"red":{red:?},"start":0}}"#))
        });
        let summands: Vec<Summand<'_>> = ["a", "b"]
            .into_iter()
            .zip(&bounds)
            .map(|(name, bound)| Summand { name: name.to_string(), bound })
            .collect();
        let answer = sum_answer(summands, &Options::default(), &mut Monitor::unlimited()).unwrap();
        let expected = by_definition(&graphs)[0];
        assert_eq!(answer.outcome.map(|outcome| outcome.sign()), Some(i64::from(expected)), "{graphs:?}");
        wholes += usize::from(answer.proof == Proof::Table);
        if let (Some(line), false) = (&answer.line, answer.line_cut) {
            assert_eq!(expected == 1, line.len() % 2 == 1, "{graphs:?}");
        }
    }
    assert!(wholes > 10, "{wholes}");
}

#[test]
fn an_impartial_summand_without_a_nimber_takes_part_with_its_loopy_value() {
    let token = program(SHELF[0].1);
    let around = bound(&token, r#"{"arrows":[[0, 1], [2], []],"start":0}"#);
    let ferry = bound(&program(FERRY), r#"{"blue":[[1], []],"red":[[], []],"start":0}"#);
    let summands = vec![
        Summand { name: "around".to_string(), bound: &around },
        Summand { name: "ferry".to_string(), bound: &ferry },
    ];
    let answer = sum_answer(summands, &Options::default(), &mut Monitor::unlimited()).unwrap();
    // The first player leaves the circle, and has a move more in the end; to go round, or to sail first, only draws.
    assert_eq!(answer.outcome, Some(Outcome::Win));
    assert_eq!(answer.best_moves.unwrap().len(), 1);
}
