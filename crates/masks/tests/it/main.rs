//! Masks against the interpreter, at every position of small games and along plays of larger ones.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use game::codes::{Options, Sifted};
use masks::{Judge, Look, Masks, OPEN, Undecided};
use rules::bind::{Bound, Position};
use rules::stop::{Room, Scope, Stopped, Watch};
use rustc_hash::FxHashMap;
use testkit::Random;
use testkit::explicit::{Explicit, Finish};
use testkit::explore::{Explored, explore};
use testkit::files::{bound, game, program};
use testkit::lines::{floods, lines, placings};
use testkit::oracle::{Worth, worths};

/// The masks of a bound game, or why it has none. Positions record the turn.
fn masks(bound: &Bound) -> Result<Masks, String> {
    let readings = formula::Readings::new(bound, &bound.start);
    let reading = readings.unfolded().map_err(|why| why.to_string())?;
    Masks::new(&reading.whole(true)?.formulas, true)
}

/// What an end is worth to a player.
fn worth(end: &Finish, mover: usize) -> i64 {
    match end {
        Finish::Outcome(outcome) => i64::from(*outcome),
        Finish::Gains(gains) => gains[mover] - gains[1 - mover],
    }
}

/// Knows how the game ends at positions from a graph of them, and counts how often it is asked.
struct GraphJudge<'g> {
    masks: &'g Masks,
    ends: FxHashMap<(Vec<i64>, usize), Option<i64>>,
    asked: usize,
}

impl Judge for GraphJudge<'_> {
    fn end(&mut self, key: &[u64]) -> Result<Option<i64>, Undecided> {
        self.asked += 1;
        self.ends.get(&self.masks.position(key)).copied().ok_or(Undecided)
    }
}

/// Compares every position that is reached; how many were, and how often the judge was asked.
fn compare(masks: &Masks, graph: &Explicit, positions: &[Position], text: &str) -> (usize, usize) {
    let (mut look, mut options) = (Look::default(), Options::default());
    let of = |(node, position): (&testkit::explicit::Node, &Position)| {
        let end = node.end.as_ref().map(|end| worth(end, node.mover));
        ((position.parts[0].to_vec(), position.turn.index()), end)
    };
    let mut judge = GraphJudge { masks, ends: graph.nodes.iter().zip(positions).map(of).collect(), asked: 0 };
    let key = |at: usize| masks.key(&positions[at].parts[0], positions[at].turn.index());
    let mut open = vec![graph.start];
    let mut seen = vec![false; graph.nodes.len()];
    let mut compared = 0;
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut seen[at], true) {
            continue;
        }
        compared += 1;
        let node = &graph.nodes[at];
        let own = key(at).unwrap_or_else(|| panic!("a position without a key: {:?}\n{text}", positions[at]));
        assert_eq!(masks.position(&own).0, &*positions[at].parts[0], "{text}");
        let mut end = masks.is_over(&own, &mut look, &mut judge).unwrap();
        if end.is_none() {
            masks.look(&own, i64::MAX, &mut look, &mut judge).unwrap();
            end = masks.options(&own, true, &mut look, &mut options);
        }
        assert_eq!(end, node.end.as_ref().map(|end| worth(end, node.mover)), "{:?}\n{text}", positions[at]);
        if node.end.is_some() {
            continue;
        }
        assert_eq!(options.same.len(), node.moves.len(), "{:?}\n{text}", positions[at]);
        let ends = masks.ends(&mut look).to_vec();
        for (number, step) in node.moves.iter().enumerate() {
            let to = &graph.nodes[step.to];
            let words = &options.codes[number * masks.words()..][..masks.words()];
            assert_eq!(Some(words), key(step.to).as_deref(), "{:?}\n{text}", positions[at]);
            assert_eq!(options.same[number] != 0, to.mover == node.mover, "{text}");
            let gain = step.gains.get(node.mover).map_or(0, |own| own - step.gains[1 - node.mover]);
            assert_eq!(options.gains[number], gain, "{text}");
            // What a rule ends is seen before the move; a player without moves may be.
            let over = masks.is_over(words, &mut Look::default(), &mut judge).unwrap().unwrap_or(OPEN);
            let is_stuck = to.end.is_some() && to.moves.is_empty() && ends[number] == OPEN;
            assert!(!is_stuck || masks.needs_judge() || over == OPEN, "{text}");
            assert!(is_stuck || ends[number] == over, "{:?} by {}\n{text}", positions[at], step.label);
            open.push(step.to);
        }
        let of =
            |(number, end): (usize, i64)| options.gains[number] + if options.same[number] != 0 { end } else { -end };
        let seen = ends.iter().copied().enumerate().filter(|end| end.1 != OPEN);
        let (best, mut most) = (seen.clone().map(of).max(), seen.map(of).max());
        if masks.needs_judge() {
            // The other look may meet the same bits first where a player has no moves, and then sees that.
            let worths = node.moves.iter().enumerate().filter_map(|(number, step)| {
                let to = &graph.nodes[step.to];
                Some(of((number, worth(to.end.as_ref()?, to.mover))))
            });
            most = worths.max();
        }
        let mut other = Look::default();
        for won in -2..=2 {
            let found = masks.look(&own, won, &mut other, &mut judge).unwrap();
            assert!(found.is_some() || best.is_none_or(|best| best < won), "{text}");
            assert!(found.is_none_or(|found| found >= won && Some(found) <= most), "{text}");
        }
        compare_replies(masks, (graph, positions, at), &ends, text);
    }
    (compared, judge.asked)
}

/// Compares what a look knows of replies: moves after which the other player gets the most there is at once.
fn compare_replies(masks: &Masks, (graph, positions, at): (&Explicit, &[Position], usize), plain: &[i64], text: &str) {
    if !masks.in_words().contains("are passed over") {
        return;
    }
    let node = &graph.nodes[at];
    let ends = graph.nodes.iter().filter_map(|node| Some(worth(node.end.as_ref()?, node.mover).abs()));
    let most = ends.max().unwrap_or(0);
    if most == 0 {
        return;
    }
    let mut look = Look::with_most(most);
    let key = &masks.key(&positions[at].parts[0], positions[at].turn.index()).unwrap();
    masks.look(key, i64::MAX, &mut look, &mut ()).unwrap();
    let said = masks.ends(&mut look).to_vec();
    // What a reply by a rule is worth to who gives it: that a player has no moves is not seen.
    let is_ruled = |at: usize| {
        masks.key(&positions[at].parts[0], positions[at].turn.index()).is_some_and(|key| masks.has_line(&key))
    };
    let reply = |to: usize| {
        let ends = graph.nodes[to].moves.iter().filter(|reply| is_ruled(reply.to)).map(|reply| &graph.nodes[reply.to]);
        ends.filter_map(|last| Some(-worth(last.end.as_ref()?, last.mover))).max()
    };
    compare_sifted(masks, key, &mut look, text);
    for (number, step) in node.moves.iter().enumerate() {
        let known = plain[number];
        let is_won = known == OPEN && reply(step.to) == Some(most);
        assert_eq!(said[number], if is_won { most } else { known }, "{}\n{text}", step.label);
    }
    let found = masks.look(key, most, &mut look, &mut ()).unwrap();
    let is_lost = !said.is_empty() && said.iter().zip(plain).all(|(said, plain)| *said == most && *plain == OPEN);
    let best = said.iter().filter(|end| **end != OPEN).map(|end| -end).max();
    assert_eq!(found, best.filter(|best| *best == most || is_lost), "{text}");
}

/// Compares what is sifted at one look with what is said step by step.
fn compare_sifted(masks: &Masks, key: &[u64], look: &mut Look, text: &str) {
    let (mut options, mut hints, mut sifted) = (Options::default(), Vec::new(), Sifted::default());
    masks.options(key, true, look, &mut options);
    masks.hints(look, &mut hints);
    let ends = masks.ends(look).to_vec();
    masks.look(key, i64::MAX, look, &mut ()).unwrap();
    if !masks.sifts() || !masks.sift(key, look, &mut sifted) {
        return;
    }
    let open: Vec<usize> = (0..ends.len()).filter(|number| ends[*number] == OPEN).collect();
    let hints: Vec<i32> = open.iter().map(|number| hints[*number]).collect();
    let keys: Vec<u64> = open.iter().flat_map(|at| &options.codes[at * key.len()..][..key.len()]).copied().collect();
    let best = ends.iter().filter(|end| **end != OPEN).map(|end| -end).max();
    assert!(sifted.moves.is_sorted_by_key(|mv| mv.0), "{text}");
    assert_eq!(sifted.moves.iter().map(|mv| mv.1).collect::<Vec<i32>>(), hints, "{text}");
    assert_eq!(sifted.keys, keys, "{text}");
    assert_eq!(sifted.best.map(|best| best.0), best, "{text}");
}

#[test]
fn random_lines() {
    let mut random = Random::new(71);
    let (mut files, mut positions) = (0, 0);
    for number in 0..1500 {
        let text = lines(&mut random, number % 3 == 0);
        let bound = bound(&program(&text), "{}");
        let Explored::All(graph, reached, _) = explore(&bound, 3000) else { continue };
        let Ok(masks) = masks(&bound) else { continue };
        if masks.key(&bound.start.parts[0], bound.start.turn.index()).is_none() {
            continue;
        }
        files += 1;
        positions += compare(&masks, &graph, &reached, &text).0;
    }
    assert!(files > 700 && positions > 20_000, "{files} files, {positions} positions");
}

/// Marks are put on a board, and lines of them end the game.
#[test]
fn random_placings() {
    let mut random = Random::new(73);
    let (mut files, mut by_groups, mut positions) = (0, 0, 0);
    for _ in 0..600 {
        let text = placings(&mut random);
        let bound = bound(&program(&text), "{}");
        let Explored::All(graph, reached, _) = explore(&bound, 6000) else { continue };
        let Ok(masks) = masks(&bound) else { continue };
        let is_placing = masks.in_words().contains("are passed over");
        if !is_placing || masks.key(&bound.start.parts[0], bound.start.turn.index()).is_none() {
            continue;
        }
        files += 1;
        by_groups += usize::from(text.contains("move after"));
        positions += compare(&masks, &graph, &reached, &text).0;
    }
    assert!(
        files > 300 && by_groups > 50 && positions > 50_000,
        "{files} files, {by_groups} by groups, {positions} positions"
    );
}

/// What can still be gained bounds the value of every position; how many positions have a bound, and how many one that is their value.
fn compare_bounds(masks: &Masks, graph: &Explicit, positions: &[Position], text: &str) -> (usize, usize) {
    let (mut bounded, mut sharp) = (0, 0);
    for (worth, position) in worths(graph).into_iter().flatten().zip(positions) {
        let key = masks.key(&position.parts[0], position.turn.index());
        let (Some(Worth::Score(value)), Some(most)) = (worth, key.and_then(|key| masks.most(&key))) else { continue };
        assert!(value.abs() <= most, "{value} beyond {most} at {position:?}\n{text}");
        (bounded, sharp) = (bounded + 1, sharp + usize::from(value.abs() == most));
    }
    (bounded, sharp)
}

#[test]
fn gains_to_come_are_bounded() {
    let mut random = Random::new(74);
    let (mut bounded, mut sharp) = (0, 0);
    let mut texts: Vec<(String, &str)> = (0..600).map(|_| (lines(&mut random, true), "{}")).collect();
    texts.push((game("dots_and_boxes"), r#"{"rows": 1, "columns": 3}"#));
    for (text, instance) in &texts {
        let bound = bound(&program(text), instance);
        let Explored::All(graph, reached, _) = explore(&bound, 3000) else { continue };
        let Ok(masks) = masks(&bound) else { continue };
        let found = compare_bounds(&masks, &graph, &reached, text);
        (bounded, sharp) = (bounded + found.0, sharp + found.1);
    }
    assert!(bounded > 20_000 && sharp > 100, "{bounded} positions, {sharp} sharp");
}

/// Worths of prizes whose sum does not fit are not added up.
#[test]
fn gains_that_do_not_fit_are_not_bounded() {
    for (n, fits) in [(2, true), (15, true), (16, false), (17, false)] {
        let text = format!(
            "game large() {{ state {{ b in [bool; {n}] = [false; {n}]; }} \
             move one(i in 0..{n}) when not b[i] {{ b[i] = true; gain 576460752303423488; }} \
             move every() when not any(b[i] for i in 0..{n}) {{ for i in 0..{n} {{ b[i] = true; }} gain 1; }} }}"
        );
        let bound = bound(&program(&text), "{}");
        let masks = masks(&bound).unwrap();
        let key = masks.key(&bound.start.parts[0], bound.start.turn.index()).unwrap();
        assert_eq!(masks.most(&key).is_some(), fits, "{n}");
    }
}

/// Ends that are no lines are looked up; other code is asked once for what they read.
#[test]
fn random_floods() {
    let mut random = Random::new(72);
    let (mut files, mut positions, mut asked) = (0, 0, 0);
    for number in 0..600 {
        let text = floods(&mut random, number % 3 == 0);
        let bound = bound(&program(&text), "{}");
        let Explored::All(graph, reached, _) = explore(&bound, 3000) else { continue };
        let Ok(masks) = masks(&bound) else { continue };
        if !masks.needs_judge() || masks.key(&bound.start.parts[0], bound.start.turn.index()).is_none() {
            continue;
        }
        files += 1;
        let found = compare(&masks, &graph, &reached, &text);
        (positions, asked) = (positions + found.0, asked + found.1);
    }
    assert!(files > 100 && positions > 20_000, "{files} files, {positions} positions, {asked} asked");
}

#[test]
fn joined_edges_are_looked_up() {
    let bound = bound(&program(&game("hex")), r#"{"size": 5}"#);
    let masks = masks(&bound).unwrap();
    assert!(masks.needs_judge() && masks.tells_ends());
    let words = masks.in_words();
    assert!(words.contains("the ends read at most 25 bits of a position"), "{words}");
}

#[test]
fn games_of_the_gallery() {
    let cases = [
        ("connect_k", r#"{"rows": 3, "columns": 3, "k": 3}"#),
        ("m_n_k", r#"{"rows": 3, "columns": 3, "k": 3}"#),
        ("tic_tac_toe", "{}"),
        ("dots_and_boxes", r#"{"rows": 1, "columns": 2}"#),
        ("domineering", r#"{"rows": 3, "columns": 3}"#),
        ("hex", r#"{"size": 3}"#),
    ];
    for (name, instance) in cases {
        let text = game(name);
        let bound = bound(&program(&text), instance);
        let Explored::All(graph, reached, _) = explore(&bound, 20_000) else { panic!("{name} is large") };
        let masks = masks(&bound).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert!(compare(&masks, &graph, &reached, name).0 > 20, "{name}");
    }
}

#[test]
fn only_lines_through_what_was_written_are_tested() {
    let bound = bound(&program(&game("connect_k")), r#"{"rows": 6, "columns": 7, "k": 4}"#);
    let masks = masks(&bound).unwrap();
    assert_eq!((masks.words(), masks.moves(), masks.lines()), (2, 42, 138));
    let words = masks.in_words();
    assert!(
        words.contains(
            "138 lines end the game; after a move only those through the changed cells are tested, at most 12"
        ),
        "{words}"
    );
}

#[test]
fn a_start_of_which_nothing_is_proved_has_no_key() {
    // Both players have a line, so that the induction has nothing to start from; it is the second player's turn, who has not lost.
    let text = "game both() { state { b in [{empty, x, o}; 4] = [empty; 4]; } \
                end when b[0] == 1 + opponent and b[1] == 1 + opponent => lose; \
                move place(at in 0..4) when b[at] == empty { b[at] = 1 + mover; } stuck => draw; }";
    let bound = bound(&program(text), "{}");
    let masks = masks(&bound).unwrap();
    assert!(masks.key(&[0, 0, 0, 0], 0).is_some());
    assert!(masks.key(&[1, 1, 0, 0], 1).is_some(), "the game is over");
    assert!(masks.key(&[1, 1, 0, 0], 0).is_none(), "the mover has a line that nobody saw");
}

#[test]
fn symmetric_positions_have_one_key() {
    let bound = bound(&program(&game("m_n_k")), r#"{"rows": 3, "columns": 4, "k": 3}"#);
    let mut masks = masks(&bound).unwrap();
    let mirror: Vec<u32> = (0..12).map(|i| i / 4 * 4 + 3 - i % 4).collect();
    let flip: Vec<u32> = (0..12).map(|i| (2 - i / 4) * 4 + i % 4).collect();
    assert_eq!(masks.fold_by(&[mirror.clone(), flip.clone()]), 3);
    let mut random = Random::new(5);
    for _ in 0..500 {
        let cells: Vec<i64> = (0..12).map(|_| if random.one_in(3) { random.between(1, 2) } else { 0 }).collect();
        let Some(mut own) = masks.key(&cells, 1) else { continue };
        masks.fold(&mut own);
        let back = masks.position(&own);
        assert_eq!(back.1, 1);
        for image in [&mirror, &flip] {
            let moved: Vec<i64> = image.iter().map(|old| cells[*old as usize]).collect();
            let mut other = masks.key(&moved, 1).expect("the image of a clean position is clean");
            masks.fold(&mut other);
            assert_eq!(own, other);
        }
    }
}

/// Room for so many bytes.
struct Purse(AtomicU64);

impl Room for Purse {
    fn take(&self, bytes: u64) -> Result<(), Stopped> {
        let rest = self.0.load(Ordering::Relaxed).checked_sub(bytes);
        let rest = rest.ok_or(Stopped::Memory { limit: 0, needed: bytes })?;
        self.0.store(rest, Ordering::Relaxed);
        Ok(())
    }

    fn give(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// Masks are made until somebody stops that, in the memory there is, and hand it back.
#[test]
fn masks_are_stopped_and_charged() {
    let bound = bound(&program(&game("m_n_k")), r#"{"rows": 9, "columns": 9, "k": 5}"#);
    let readings = formula::Readings::new(&bound, &bound.start);
    let reading = readings.unfolded().unwrap();
    let formulas = &reading.whole(true).unwrap().formulas;
    {
        let cancel = Some(Arc::new(AtomicBool::new(true)));
        let _scope = Scope::new(Watch { cancel, ..Watch::default() });
        assert_eq!(Masks::new(formulas, true).unwrap_err(), "it was stopped");
    }
    let most = 64 << 20;
    for (bytes, fits) in [(1 << 16, false), (most, true)] {
        let purse = Arc::new(Purse(AtomicU64::new(bytes)));
        let room = Some(Arc::clone(&purse) as Arc<dyn Room>);
        let scope = Scope::new(Watch { room, ..Watch::default() });
        let made = Masks::new(formulas, true);
        assert_eq!(made.is_ok(), fits, "{made:?}");
        assert_eq!(scope.stopped(), None, "other code runs the rules where masks do not fit");
        if fits {
            assert!(purse.0.load(Ordering::Relaxed) < most, "nothing was charged");
        }
        drop(made);
        assert_eq!(purse.0.load(Ordering::Relaxed), bytes);
    }
}
