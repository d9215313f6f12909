//! Compiled rules against the interpreter: every gallery game and thousands of generated rules files, by every route, each
//! compared position by position with plain recursion over the interpreter's moves, and the finished table valued again.

use crate::common::prelude::*;
use rules::parameters::example_instance;
use rules::sample;
use solve::methods::Code;
use testkit::Random;
use testkit::files::gallery;
use testkit::writer::{Style, Writer};

use crate::common::check::{Agreed, check_with, expect};
use crate::common::{answer_with, bound, bound_to, program, with_room};

/// How many positions a game may have.
const MOST_POSITIONS: usize = 2500;

/// All the ways a game may be solved in.
fn routes() -> [Options; 5] {
    let compiled = Options { engine: Engine::Compiled, threads: 1, ..Options::default() };
    let by = |name: &str| Options { method: Some(method(name)), ..compiled.clone() };
    [compiled.clone(), Options { threads: 2, ..compiled.clone() }, by("fill"), by("search"), by("hash")]
}

#[derive(Debug, Default)]
struct Tally {
    compiled: usize,
    filled: usize,
    searched: usize,
    hashed: usize,
    backwards: usize,
    graphs: usize,
    interpreted: usize,
    faults: usize,
}

/// Compares all routes that apply.
fn agrees(bound: &Bound, most: usize, tally: &mut Tally) -> Result<bool, String> {
    let mut small = true;
    let expected = expect(bound, most);
    for (number, options) in routes().into_iter().enumerate() {
        let solved = solve::solved::solve(bound, &bound.start, &options, &mut Monitor::unlimited());
        if let Err(SolveError::NotApplicable(_)) = &solved
            && options.method.is_some()
        {
            continue;
        }
        let (method, code) = match &solved {
            Ok(solved) => (Some(solved.plan.method()), solved.plan.code().clone()),
            Err(_) => (None, Code::Interpreted(String::new())),
        };
        let place = |error: String| format!("{options:?}, {method:?}, {code:?}: {error}");
        if let Ok(solved) = &solved {
            let amount = if solved.positions() < 5000 { Amount::All } else { Amount::Some(500) };
            solve::answer::check::check(solved, amount, &mut Monitor::unlimited()).map_err(|e| place(e.to_string()))?;
        }
        match check_with(bound, &expected, &options).map_err(place)? {
            Agreed::TooMany => small = false,
            Agreed::Fault => tally.faults += usize::from(number == 0),
            Agreed::Solved(_) | Agreed::Refused => {}
        }
        if matches!(code, Code::Interpreted(_)) {
            tally.interpreted += usize::from(number == 0 && method.is_some());
            continue;
        }
        tally.compiled += 1;
        match method.map(MethodName::name) {
            Some("fill" | "grundy") => tally.filled += 1,
            Some("search") => tally.searched += 1,
            Some("hash") => tally.hashed += 1,
            Some("retrograde") => tally.backwards += 1,
            _ => tally.graphs += 1,
        }
    }
    Ok(small)
}

fn files_agree(seed: u64, count: usize, style: impl Fn(&mut Random) -> Style) -> Tally {
    written_files_agree(seed, count, style, |random, style| Writer::new(random, style).file())
}

/// Compares so many files. `MORE=n` makes other files, and n times as many.
fn written_files_agree(
    seed: u64,
    count: usize,
    style: impl Fn(&mut Random) -> Style,
    write: fn(&mut Random, Style) -> String,
) -> Tally {
    let more: u64 = std::env::var("MORE").ok().and_then(|more| more.parse().ok()).unwrap_or(0);
    let mut random = Random::new(seed + 1_000_003 * more);
    let count = count * more.max(1) as usize;
    let mut tally = Tally::default();
    for _ in 0..count {
        let style = style(&mut random);
        let text = write(&mut random, style);
        let most = if style.sum { MOST_POSITIONS / 5 } else { MOST_POSITIONS };
        if let Err(difference) = agrees(&bound(&program(&text), "{}"), most, &mut tally) {
            panic!("{difference}\n{text}");
        }
    }
    tally
}

#[test]
fn games_that_are_won() {
    with_room(|| {
        let style = Style::won;
        let tally = files_agree(141, 600, style);
        println!("{tally:?}");
        assert!(tally.filled > 200 && tally.searched > 200 && tally.backwards > 30, "{tally:?}");
    });
}

#[test]
fn games_that_are_counted() {
    with_room(|| {
        let style = |random: &mut Random| Style::counted(random, 4);
        let tally = files_agree(142, 600, style);
        println!("{tally:?}");
        assert!(tally.filled > 200 && tally.searched > 200, "{tally:?}");
    });
}

#[test]
fn games_that_may_go_wrong() {
    with_room(|| {
        let style = Style::risky;
        let tally = files_agree(143, 600, style);
        println!("{tally:?}");
        assert!(tally.faults > 50 && tally.compiled > 500, "{tally:?}");
    });
}

#[test]
fn sums_of_parts() {
    with_room(|| {
        let style = |random: &mut Random| Style {
            players: 2,
            counted: false,
            results_only: false,
            mover: false,
            counter: true,
            risky: random.one_in(5),
            sum: true,
        };
        let tally = files_agree(144, 300, style);
        println!("{tally:?}");
        assert!(tally.filled > 30, "{tally:?}");
    });
}

#[test]
fn the_gallery() {
    with_room(|| {
        let mut tally = Tally::default();
        let mut not_compiled = Vec::new();
        for (name, source) in gallery() {
            let program = program(&source);
            let examples = program.examples.iter().filter_map(|example| example_instance(&program, example).ok());
            let sampled = sample::instances(&program, 12, 7).unwrap_or_default();
            let (before, mut compared) = (tally.compiled, 0);
            for instance in sampled.into_iter().chain(examples) {
                let bound = bound_to(&program, &instance);
                if bound.layout.size().is_none_or(|size| size > 200_000) {
                    continue;
                }
                compared += 1;
                if let Err(difference) = agrees(&bound, 1500, &mut tally) {
                    panic!("{name} {instance}: {difference}");
                }
            }
            if tally.compiled == before && compared > 0 {
                not_compiled.push(name);
            }
        }
        println!("{tally:?}, not compiled: {not_compiled:?}");
        assert!(tally.compiled > 500, "{tally:?}");
    });
}

/// One term of a sum once cancelled two others, and a set that changes was proved constant.
#[test]
fn a_set_that_gains_and_loses_is_not_constant() {
    let text = "game swap() {
        state { x in 0..=3 = 3; s in set of 0..6 = {2, 3, 5}; }
        move mv(c in 1..=min(x, 1), d in s) { x -= c; s += x % -2 % 6; s -= 5; gain d; }
        move step(c in 1..=min(x, 2)) { x -= c; }
    }";
    with_room(move || assert_eq!(agrees(&bound(&program(text), "{}"), 1000, &mut Tally::default()), Ok(true)));
}

/// More choices than could ever be counted through are left to the interpreter, which refuses them.
#[test]
fn choices_without_number_do_not_hang() {
    for choice in ["0..1000000000000000", "set of 0..60"] {
        let text = format!(
            "game vast() {{ state {{ x in 0..=9 = 3; }} move t(k in {choice}) when x > 0 {{ gain 1; x -= 1; }} }}"
        );
        let bound = bound(&program(&text), "{}");
        for options in routes() {
            let result = solve::solved::solve(&bound, &bound.start, &options, &mut Monitor::unlimited());
            assert!(result.is_err_and(|error| error.is_limit() || matches!(error, SolveError::NotApplicable(_))));
        }
    }
}

/// A hundred million codes of which 2601 can be reached: they are searched. The rules divide by zero at some of the others:
/// a fill that was asked for meets that, and says so.
#[test]
fn what_cannot_be_reached_is_not_filled() {
    let text = "game few() {
        state { a in 0..=10000 = 10000; b in 0..=10000 = 10000; }
        move x when a >= 200 { a -= 200 / (1 - a % 2); }
        move y when b >= 200 { b -= 200; }
    }";
    with_room(move || {
        let bound = bound(&program(text), "{}");
        let compiled = Options { engine: Engine::Compiled, threads: 1, ..Options::default() };
        let filled = Options { method: Some(method("fill")), ..compiled.clone() };
        let solved = solve::solved::solve(&bound, &bound.start, &compiled, &mut Monitor::unlimited()).unwrap();
        assert_eq!((solved.plan.method(), solved.positions()), (method("hash"), 51 * 51));
        assert!(solved.plan.why().contains("codes are met"), "{}", solved.plan.why());
        assert_eq!(solve::answer::check::check(&solved, Amount::All, &mut Monitor::unlimited()).map(|_| ()), Ok(()));
        let refused = solve::solved::solve(&bound, &bound.start, &filled, &mut Monitor::unlimited()).err();
        let Some(SolveError::NotApplicable(why)) = refused else { panic!("{refused:?}") };
        assert!(why.contains("the rules go wrong"), "{why}");
    });
}

/// Several `stuck` rules, `let`s in heads, `sign`, sets that leave their domain for a moment.
#[test]
fn what_board_games_need() {
    with_room(|| {
        let write = |random: &mut Random, style: Style| Writer::boards(random, style).file();
        let won = written_files_agree(145, 150, Style::won, write);
        let counted = written_files_agree(146, 100, |random| Style::counted(random, 4), write);
        let risky = written_files_agree(147, 100, Style::risky, write);
        println!("{won:?} {counted:?} {risky:?}");
        assert!(won.filled > 40 && won.searched > 40 && won.backwards > 5, "{won:?}");
        assert!(counted.filled > 25 && risky.faults > 5, "{counted:?} {risky:?}");
    });
}

/// Code leaves positions to the interpreter where something is in doubt. All methods go on from there. (That code is in
/// doubt in each of these games is tested where the graphs are.)
#[test]
fn games_with_doubts() {
    with_room(|| {
        let mut tally = Tally::default();
        let mut met: std::collections::BTreeMap<(&str, usize, bool), usize> = std::collections::BTreeMap::new();
        for text in testkit::doubts::files() {
            let bound = bound(&program(&text), "{}");
            match agrees(&bound, 5000, &mut tally) {
                Ok(small) => assert!(small, "too many positions:\n{text}"),
                Err(difference) => panic!("{difference}\n{text}"),
            }
            let interpreted = Options { engine: Engine::Interpreted, ..Options::default() };
            let expected = answer_with(&bound, &interpreted).unwrap_or_else(|error| panic!("{error}\n{text}"));
            for name in ["search", "hash", "induction", "retrograde"] {
                let options = Options { engine: Engine::Compiled, threads: 1, ..by(name) };
                match solve::solved::solve(&bound, &bound.start, &options, &mut Monitor::unlimited()) {
                    Err(SolveError::NotApplicable(_)) => continue,
                    Err(error) => panic!("{name}: {error}\n{text}"),
                    Ok(solved) => {
                        let amount = if solved.positions() < 5000 { Amount::All } else { Amount::Some(500) };
                        let sound = solve::answer::check::check(&solved, amount, &mut Monitor::unlimited());
                        sound.unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
                        if matches!(solved.plan.code(), Code::Compiled { .. }) {
                            *met.entry((name, bound.players, bound.program.counted)).or_default() += 1;
                        }
                    }
                }
                let found = answer_with(&bound, &options).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
                let all =
                    |solution: &Solution| (solution.winner, solution.outcome, solution.value, solution.payoffs.clone());
                assert_eq!(all(&found), all(&expected), "{name}\n{text}");
            }
        }
        println!("{tally:?} {met:?}");
        assert!(tally.searched > 2 && tally.hashed > 2 && tally.graphs > 2 && tally.backwards > 0, "{tally:?}");
        assert_eq!(tally.faults, 0, "{tally:?}");
        for game in [("search", 2, true), ("hash", 2, true), ("induction", 2, true), ("induction", 3, true)] {
            assert!(met.contains_key(&game), "{game:?}: {met:?}");
        }
        for game in [("search", 2, false), ("hash", 2, false), ("induction", 2, false), ("retrograde", 2, false)] {
            assert!(met.contains_key(&game), "{game:?}: {met:?}");
        }
    });
}
