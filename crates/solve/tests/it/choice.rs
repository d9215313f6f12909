//! Which method is taken: searches that are tried first, methods that would not be done in time, and that the answer is the same.

use std::time::Duration;

use solve::case::Case;
use solve::error::Reason;
use solve::methods;
use solve::methods::{Code, Cost, Found, GivenUp, Look, Method, Prepared, Prospect};
use solve::options::Question;
use solve::plan::Plan;
use solve::solved::solve_with;
use testkit::Random;
use testkit::files::gallery_text as source;
use testkit::lines::lines;
use testkit::writer::{Style, Writer};

use crate::common::check::{check_forced, expect};
use crate::common::prelude::*;
use crate::common::{bound, program, with_room};

/// How many positions a game may have.
const MOST_POSITIONS: usize = 800;

/// A method that says it takes so many seconds.
struct Costed {
    inner: &'static dyn Method,
    seconds: f64,
}

impl Costed {
    fn new(name: &str, seconds: f64) -> Costed {
        let inner = methods::ALL.into_iter().find(|known| known.name().name() == name).expect("a method");
        Costed { inner, seconds }
    }
}

impl Method for Costed {
    fn name(&self) -> MethodName {
        self.inner.name()
    }

    fn recognise<'b>(&self, case: &Case<'b>, monitor: &mut Monitor) -> Result<Look<'b>, SolveError> {
        let mut look = self.inner.recognise(case, monitor)?;
        if let Ok(prospect) = &mut look.prospect {
            prospect.cost = Cost { seconds: Some(self.seconds), ..Cost::default() };
        }
        Ok(look)
    }
}

/// A search that never ends, and says it takes so many seconds.
struct Endless(&'static str, f64);

impl Method for Endless {
    fn name(&self) -> MethodName {
        MethodName::new(self.0)
    }

    fn recognise<'b>(&self, case: &Case<'b>, _: &mut Monitor) -> Result<Look<'b>, SolveError> {
        if case.gave_up_with(self.name()).is_some() {
            return Ok(Look::no("it gave up"));
        }
        let code = Code::Interpreted("it does nothing".to_string());
        let cost = Cost { seconds: Some(self.1), ..Cost::default() };
        let prospect = Prospect::new("it never ends", code, Turning);
        Ok(Look::yes(Prospect { only_start: true, is_decisive: false, cost, ..prospect }))
    }
}

struct Turning;

impl<'b> Prepared<'b> for Turning {
    fn run(&self, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        loop {
            monitor.tick(1, 0)?;
        }
    }
}

/// A table that seems small and does not fit.
struct Hungry;

impl Method for Hungry {
    fn name(&self) -> MethodName {
        MethodName::new("hungry")
    }

    fn recognise<'b>(&self, case: &Case<'b>, _: &mut Monitor) -> Result<Look<'b>, SolveError> {
        if case.gave_up_with(self.name()).is_some() {
            return Ok(Look::no("it gave up"));
        }
        let code = Code::Interpreted("it does nothing".to_string());
        let cost = Cost { positions: Some(10), bytes: Some(10), seconds: Some(1e-9), ..Cost::default() };
        Ok(Look::yes(Prospect { is_decisive: false, cost, ..Prospect::new("it seems small", code, Full) }))
    }
}

struct Full;

impl<'b> Prepared<'b> for Full {
    fn run(&self, _: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        let limit = Limit::Memory { limit: 1, needed: 2 };
        Err(GivenUp::Error(SolveError::Limit { limit, positions: 1 }))
    }
}

/// Solves a small game with methods that say what they take, with a limit of so many seconds or without one.
fn chosen(registry: &[&dyn Method], limit: Option<u64>, look: impl FnOnce(&Plan<'_>, Option<Verdict>)) {
    let game = bound(&program(&source("connect_k")), r#"{"rows": 4, "columns": 3, "k": 4}"#);
    let limits = Limits { time: limit.map(Duration::from_secs), ..Limits::default() };
    let options = Options { question: Question::Weak, ..Options::default() };
    let solved = solve_with(registry, &game, &game.start, &options, &mut Monitor::new(&limits)).unwrap();
    look(&solved.plan, solved.verdict(&game.start));
}

#[test]
fn a_search_is_tried_for_a_share_of_what_a_table_takes() {
    // So many times what it is predicted to take itself, but no less and no more than these shares.
    for (search, trial) in [(1.0, 25.0), (8.0, 48.0), (20.0, 50.0)] {
        let methods = [Costed::new("induction", 100.0), Costed::new("alpha_beta", search)];
        chosen(&[&methods[0], &methods[1]], None, |plan, _| {
            assert_eq!((plan.method().name(), plan.trial_seconds()), ("alpha_beta", Some(trial)));
            assert!(plan.why().contains("tried first, for a share of what `induction` would take"), "{}", plan.why());
            assert!(plan.passed_over()[0].why.contains("it tells more"), "{:?}", plan.passed_over());
        });
    }
    let methods = [Costed::new("induction", 1.0), Costed::new("alpha_beta", 2.0)];
    chosen(&[&methods[0], &methods[1]], None, |plan, _| {
        assert_eq!((plan.method().name(), plan.trial_seconds()), ("induction", None));
    });
}

#[test]
fn a_search_that_does_not_end_in_its_trial_is_left() {
    let (table, first, second) = (Costed::new("induction", 1e-3), Endless("first", 1e-9), Endless("second", 2e-9));
    chosen(&[&table, &first, &second], None, |plan, verdict| {
        assert_eq!((plan.method().name(), plan.trial_seconds()), ("induction", None));
        let tried: Vec<&str> = plan.given_up().iter().map(|(method, _)| method.name()).collect();
        assert_eq!(tried, ["first", "second"]);
        assert!(plan.given_up().iter().all(|(_, reason)| matches!(reason, Reason::Tried(_))));
        assert_eq!(verdict.and_then(|verdict| verdict.outcome()), Some(Outcome::Draw));
    });
}

#[test]
fn a_table_of_known_size_is_taken_where_one_of_a_guessed_size_did_not_fit() {
    let fill = methods::ALL.into_iter().find(|known| known.name().name() == "fill").expect("a method");
    chosen(&[&Hungry, fill], None, |plan, verdict| {
        assert_eq!(plan.method().name(), "fill");
        assert!(matches!(plan.given_up()[..], [(_, Reason::OutOfMemory(_))]), "{:?}", plan.given_up());
        assert_eq!(verdict.and_then(|verdict| verdict.outcome()), Some(Outcome::Draw));
    });
}

#[test]
fn what_would_not_be_done_in_time_is_passed_over() {
    let (table, slow) = (Costed::new("induction", 90.0), Costed::new("alpha_beta", 100.0));
    chosen(&[&table, &slow], None, |plan, _| assert_eq!(plan.method().name(), "induction"));
    let (quick, other) = (Costed::new("alpha_beta", 1.0), Costed::new("proof_number", 2.0));
    chosen(&[&table, &quick], Some(100), |plan, _| {
        assert_eq!((plan.method().name(), plan.trial_seconds()), ("alpha_beta", None));
        assert!(plan.passed_over()[0].why.contains("not to be done in the time"), "{:?}", plan.passed_over());
    });
    // Where there is another search, the first has a part of the time.
    chosen(&[&table, &quick, &other], Some(100), |plan, _| {
        assert_eq!(plan.method().name(), "alpha_beta");
        assert!(plan.trial_seconds().is_some_and(|trial| (12.0..=12.5).contains(&trial)), "{:?}", plan.trial_seconds());
    });
    // The trial leaves time for the table.
    let (table, search) = (Costed::new("induction", 60.0), Costed::new("alpha_beta", 10.0));
    chosen(&[&table, &search], Some(100), |plan, _| {
        assert!(plan.trial_seconds().is_some_and(|trial| (9.0..=10.0).contains(&trial)), "{:?}", plan.trial_seconds());
    });
}

/// Random games of which only the start is asked, so that searches are tried first wherever they seem quicker: every verdict.
fn agree(seed: u64, count: usize, text: impl Fn(&mut Random) -> String) -> usize {
    let mut random = Random::new(seed);
    let mut agreed = 0;
    for number in 0..count {
        let text = text(&mut random);
        let bound = bound(&program(&text), "{}");
        let expected = expect(&bound, MOST_POSITIONS);
        let engine = if number.is_multiple_of(6) { Engine::Compiled } else { Engine::Auto };
        let options = Options { question: Question::Weak, engine, threads: 1 + number % 3, ..Options::default() };
        match check_forced(&bound, &expected, &options) {
            Ok(positions) => agreed += usize::from(positions.is_some()),
            Err(difference) => panic!("{difference}, {engine:?}\n{text}"),
        }
    }
    agreed
}

#[test]
fn answers_are_the_same_where_only_the_start_is_asked() {
    with_room(|| {
        let won = agree(61, 500, |random| {
            let style = Style::won(random);
            Writer::new(random, style).file()
        });
        let counted = agree(62, 300, |random| {
            let style = Style::counted(random, 2);
            Writer::new(random, style).file()
        });
        let boards = agree(63, 150, |random| lines(random, false));
        assert!(won > 200 && counted > 60 && boards > 60, "{won}, {counted}, {boards}");
    });
}

/// A deep and narrow game, and a sum whose parts do not split and that is searched as a whole.
const BOUNDED: [&str; 2] = [
    "game heap() { state { n in 0..=9000 = 9000; } move take(k in 1..=3) when k <= n { n -= k; } }",
    "game pair() { sum of heap(n in 0..=40) from [30, 40]; move take(k in 1..=3) when k <= n { n -= k; } stuck => draw; }",
];

#[test]
fn no_method_is_predicted_to_meet_more_positions_than_there_are() {
    let board = source("tic_tac_toe");
    for text in BOUNDED.into_iter().chain([&*board]) {
        let bound = bound(&program(text), "{}");
        let mut asked: Vec<Options> = ["proof_number", "alpha_beta", "induction"].map(by).into();
        asked.push(Options::default());
        for options in asked {
            let plan = match solve::chooser::plan(&bound, &bound.start, &options, &mut Monitor::unlimited()) {
                Err(SolveError::NotApplicable(_)) if options.method.is_some() => continue,
                plan => plan.unwrap_or_else(|error| panic!("{error}\n{text}")),
            };
            let most = plan.facts().most_positions(&bound, bound.start.parts.len()).unwrap();
            let others = plan.passed_over().iter().filter_map(|other| other.cost);
            for cost in others.chain([plan.cost()]).filter(|cost| cost.positions != cost.codes) {
                assert!(cost.positions.is_none_or(|met| met <= most), "{cost:?}, at most {most}\n{text}");
            }
        }
    }
    let heap = bound(&program(BOUNDED[0]), "{}");
    let plan = solve::chooser::plan(&heap, &heap.start, &by("proof_number"), &mut Monitor::unlimited()).unwrap();
    assert!(plan.cost().visits > plan.cost().positions, "a search that comes back: {:?}", plan.cost());
}

/// What was decided for a solve that has so much time, without what the choice itself took.
fn decided(bound: &Bound, time: Option<Duration>) -> Vec<String> {
    let mut monitor = Monitor::unlimited().as_if_within(time);
    let plan = solve::chooser::plan(bound, &bound.start, &Options::default(), &mut monitor).unwrap();
    let Cost { positions, codes, visits, .. } = plan.cost();
    let mut decided = vec![format!("{} {positions:?} {codes:?} {visits:?}", plan.method())];
    decided.push(format!("{} {:?}", plan.why(), plan.trial_seconds()));
    decided.extend(plan.passed_over().iter().map(|passed| {
        let counts = passed.cost.map(|cost| (cost.positions, cost.codes));
        format!("{}: {} {counts:?}", passed.method, passed.why)
    }));
    decided
}

/// A look that was cut short by the clock on the wall saw less beside other tests, and the plan was another one.
#[test]
fn a_busy_machine_comes_to_the_same_plan() {
    let games = [
        ("m_n_k", r#"{"rows":4,"columns":4,"k":4}"#),
        ("connect_k", r#"{"rows":4,"columns":5,"k":4}"#),
        ("fibonacci_nim", r#"{"n":1500}"#),
        ("clobber", r#"{"rows":3,"columns":5}"#),
        ("dots_and_boxes", r#"{"rows":3,"columns":3}"#),
        ("l_game", "{}"),
        ("kayles", r#"{"rows":[60, 40]}"#),
    ];
    // Where time is limited, what the choice took on the wall must not count either: 4 × 4 × 4 was answered with or without the
    // length of play.
    let times = [None, Some(Duration::from_secs(1))];
    for ((name, instance), time) in games.into_iter().flat_map(|game| times.map(|time| (game, time))) {
        let bound = bound(&program(&source(name)), instance);
        let calm = decided(&bound, time);
        let is_over = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    while !is_over.load(std::sync::atomic::Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                });
            }
            let busy = decided(&bound, time);
            is_over.store(true, std::sync::atomic::Ordering::Relaxed);
            assert_eq!(busy, calm, "{name} {time:?}");
        });
    }
}

/// A heap of 2 * 10^15 has 20 heaps below it that play comes to; the table of all heaps would have 2 * 10^15 entries.
#[test]
fn a_heap_of_which_play_comes_to_few_is_not_filled() {
    let far = "game far(n: int) { state { left in 0..=n = n; }
        move near when left >= 100000000000000 { left -= 100000000000000; }
        move far when left >= 2000000000000000 { left -= 2000000000000000; } }";
    let sum = "game far(n: int) { sum of heap(left in 0..=n) from [n, n - 100000000000000];
        move near when left >= 100000000000000 { left -= 100000000000000; }
        move far when left >= 2000000000000000 { left -= 2000000000000000; } }";
    for (rules, nimber) in [(far, 2), (sum, 3)] {
        let bound = bound(&program(rules), r#"{"n":2000000000000000}"#);
        let mut monitor = Monitor::new(&Limits { memory: 32 << 20, time: None });
        let solved = solve::solved::solve(&bound, &bound.start, &Options::default(), &mut monitor).unwrap();
        assert_ne!(solved.plan.method().name(), "heap");
        assert_eq!(solved.verdict(&bound.start).and_then(|verdict| verdict.nimber()), Some(nimber));
        assert!(monitor.memory().peak() < 16 << 20);
    }
}
