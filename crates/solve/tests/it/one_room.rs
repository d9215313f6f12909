//! A method is one room: a toy of under a hundred lines joins the registry from outside the crate, and everything that
//! answers give by default works with it: moves, best moves, a line that is replayed, the check.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use engine::monitor::{Limits, Monitor};
use engine::valuation::is_better;
use game::{End, Outcome, Player, Remoteness, Verdict};
use rules::bind::{Bound, Position};
use rules::play;
use solve::answer::check::{Checked, check};
use solve::answer::solution;
use solve::answers::{Answers, Positions, Proof, RatedMove};
use solve::case::{Case, Kind};
use solve::chooser::Chooser;
use solve::error::{Reason, SolveError};
use solve::facts::Fact;
use solve::methods;
use solve::methods::{Code, Cost, Found, GivenUp, Look, Method, Prepared, Prospect, Report};
use solve::options::{Amount, MethodName, Options};
use solve::solved::{solve_and, solve_with};

use crate::common::{answer, bound, program};

// ---- the room ----

const NAME: MethodName = MethodName::new("toy");

/// Plain recursion over the moves of the interpreter.
struct Toy;

impl Method for Toy {
    fn name(&self) -> MethodName {
        NAME
    }

    fn recognise<'b>(&self, case: &Case<'b>, _: &mut Monitor) -> Result<Look<'b>, SolveError> {
        if case.facts.kind != Kind::Outcome {
            return Ok(Look::no("it is for games that are won, lost or drawn"));
        }
        if case.gave_up_with(NAME).is_some() {
            return Ok(Look::no("it gave up"));
        }
        let recursion = Recursion { bound: case.bound, start: case.start.clone() };
        let code = Code::Interpreted("a toy has no code".to_string());
        Ok(Look::yes(Prospect::new("a toy tries everything", code, recursion)))
    }
}

struct Recursion<'b> {
    bound: &'b Bound,
    start: Position,
}

impl<'b> Prepared<'b> for Recursion<'b> {
    fn run(&self, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        let mut known = Known::default();
        self.value(&self.start, &mut known, monitor)?;
        Ok(Found { answers: Box::new(known), report: Report::new(Fact::no("the recursion came to an end")) })
    }
}

impl Recursion<'_> {
    fn value(
        &self,
        position: &Position,
        known: &mut Known,
        monitor: &mut Monitor,
    ) -> Result<(Outcome, Remoteness), GivenUp> {
        match known.0.get(position) {
            Some(Some(value)) => return Ok(*value),
            Some(None) => return Err(GivenUp::Because(Reason::Cycle("somewhere".to_string()))),
            None => monitor.tick(known.0.len() as u64, 0)?,
        }
        known.0.insert(position.clone(), None);
        let mut best = match play::end(self.bound, position)? {
            Some(End::Outcome(outcome)) => Some((outcome, Some(0))),
            _ => None,
        };
        for mv in play::plays(self.bound, position)? {
            let (outcome, remoteness) = self.value(&mv.option(position), known, monitor)?;
            let rated = RatedMove::new(mv, &Verdict::outcome_in(outcome, remoteness), position.turn)?;
            let value = (rated.worth.outcome().unwrap_or(Outcome::Draw), rated.worth.remoteness());
            best = Some(best.filter(|held| !is_better(value, *held)).unwrap_or(value));
        }
        let value = best.ok_or_else(|| SolveError::Internal("neither an end nor a move".to_string()))?;
        known.0.insert(position.clone(), Some(value));
        Ok(value)
    }
}

#[derive(Default)]
struct Known(HashMap<Position, Option<(Outcome, Remoteness)>>);

impl Answers for Known {
    fn verdict(&self, position: &Position) -> Option<Verdict> {
        self.0.get(position)?.map(|(outcome, remoteness)| Verdict::outcome_in(outcome, remoteness))
    }

    fn positions(&self) -> u64 {
        self.0.len() as u64
    }

    fn proof(&self, _: &Position) -> Proof {
        Proof::Table
    }

    fn each(&self, _: Player) -> Positions<'_> {
        Box::new(self.0.keys().cloned())
    }

    fn random(&self, _: Player, random: &mut dyn FnMut() -> u64) -> Option<Position> {
        self.0.keys().nth(random() as usize % self.0.len()).cloned()
    }
}

// ---- who comes to visit ----

fn registry() -> Vec<&'static dyn Method> {
    [&Toy as &dyn Method].into_iter().chain(methods::ALL).collect()
}

const STONES: &str = "game stones(n: int) {
    state { left in 0..=n = n; }
    move take(k in [1, 3, 4]) when k <= left { left -= k; }
    stuck => win;
}";

const NIM: &str = "game nim(n: int) {
    sum of pile(k in 0..=n) from [n, n - 1, 2];
    move take(t in 1..=k) { k -= t; }
    move cut(a in 1..k) when a + a <= k { split (a), (k - a); }
}";

const RACE: &str = "game race(n: int) {
    state { a in 0..=n = n; b in 0..=n = n; }
    end when a == 0 and b == 0 => draw;
    end when a == 0 => winner first;
    end when b == 0 => winner second;
    move first go(k in 1..=2) when k <= a { a -= k; }
    move first wait when a > 2 { a -= 1; b -= 1; }
    move second run(k in 1..=2) when k <= b { b -= k; }
}";

#[test]
fn a_method_is_one_room() {
    let source = include_str!("one_room.rs");
    let room = source.split("// ---- ").nth(1).expect("the room");
    assert!(room.lines().count() < 100, "a room of {} lines", room.lines().count());
    for (source, n) in [(STONES, 20), (NIM, 5), (RACE, 7)] {
        let bound = bound(&program(source), &format!("{{\"n\": {n}}}"));
        let mut monitor = Monitor::unlimited();
        let solved = solve_with(&registry(), &bound, &bound.start, &Options::default(), &mut monitor).unwrap();
        assert_eq!(solved.plan.method(), NAME);
        let (toy, ours) = (solution(&solved, &mut monitor).unwrap(), answer(&bound).unwrap());
        assert_eq!((toy.winner, toy.outcome), (ours.winner, ours.outcome), "{source}");
        assert_eq!(toy.best_moves, ours.best_moves, "{source}");
        if ours.remoteness.is_some() {
            assert_eq!((toy.remoteness, &toy.fast_moves), (ours.remoteness, &ours.fast_moves), "{source}");
            assert_eq!(toy.line, ours.line, "{source}");
        }
        assert_eq!(toy.line.map(|line| line.len() as u64), toy.remoteness, "{source}");
        assert!(!toy.line_cut);
        let all = check(&solved, Amount::All, &mut monitor).unwrap();
        assert_eq!(all, Checked { positions: solved.positions(), all: true });
        assert!(check(&solved, Amount::Some(5), &mut monitor).is_ok());
    }
}

/// Where it does not apply, or gives up, the chooser goes on, and tells why.
#[test]
fn a_guest_may_decline_and_give_up() {
    let solve = |source: &str, options: &Options| {
        let bound = Box::leak(Box::new(bound(&program(source), "{}")));
        solve_with(&registry(), bound, &bound.start, options, &mut Monitor::unlimited())
    };
    let counted = "game row() { state { n in 0..=9 = 9; } move take(k in 1..=2) when k <= n { gain k * n; n -= k; } }";
    let round = "game round() { state { n in 0..5 = 0; } move go(k in 1..=2) { n = (n + k) % 5; } }";
    let passed = solve(counted, &Options::default()).unwrap().plan.passed_over().to_vec();
    assert_eq!((passed[0].method, &*passed[0].why), (NAME, "it is for games that are won, lost or drawn"));
    let after = solve(round, &Options::default()).unwrap();
    assert_eq!(after.plan.method(), methods::find("retrograde").unwrap());
    assert_eq!(after.plan.given_up()[0], (NAME, Reason::Cycle("somewhere".to_string())));
    let forced = Options { method: Some(NAME), ..Options::default() };
    assert!(matches!(solve(counted, &forced).err(), Some(SolveError::NotApplicable(why)) if why.contains("`toy`")));
    assert!(matches!(solve(round, &forced).err(), Some(SolveError::NotApplicable(why)) if why.contains("repeat")));
}

/// A method that seems dear, and is taken where nothing else is left.
struct Dear(&'static AtomicUsize);

/// One that is never done.
struct Vain;

const DEAR: MethodName = MethodName::new("dear");
const VAIN: MethodName = MethodName::new("vain");

impl Method for Dear {
    fn name(&self) -> MethodName {
        DEAR
    }

    fn recognise<'b>(&self, case: &Case<'b>, _: &mut Monitor) -> Result<Look<'b>, SolveError> {
        let code = || Code::Interpreted("a toy has no code".to_string());
        let recursion = Recursion { bound: case.bound, start: case.start.clone() };
        Ok(match (case.gave_up_with(DEAR), self.0.fetch_add(1, Ordering::Relaxed)) {
            (Some(_), _) => Look::no("it gave up"),
            (None, 0) => Look::yes(Prospect::new("", code(), GivesUp(Reason::Dear(SolveError::Dear { positions: 1 })))),
            (None, _) => Look::yes(Prospect::new("", code(), recursion)),
        })
    }
}

impl Method for Vain {
    fn name(&self) -> MethodName {
        VAIN
    }

    fn recognise<'b>(&self, case: &Case<'b>, _: &mut Monitor) -> Result<Look<'b>, SolveError> {
        let code = Code::Interpreted("a toy has no code".to_string());
        let vain = GivesUp(Reason::Code("no code".to_string()));
        Ok(if case.gave_up_with(VAIN).is_some() {
            Look::no("it gave up")
        } else {
            Look::yes(Prospect::new("", code, vain))
        })
    }
}

struct GivesUp(Reason);

impl<'b> Prepared<'b> for GivesUp {
    fn run(&self, _: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        Err(GivenUp::Because(self.0.clone()))
    }
}

/// A method that was given up for a quicker one is taken again where the quicker one does not come to an end.
#[test]
fn a_dear_method_is_better_than_none() {
    static TRIED: AtomicUsize = AtomicUsize::new(0);
    let game = bound(&program(STONES), "{\"n\": 20}");
    let registry: [&dyn Method; 2] = [&Dear(&TRIED), &Vain];
    let solved = solve_with(&registry, &game, &game.start, &Options::default(), &mut Monitor::unlimited()).unwrap();
    assert_eq!(solved.plan.method(), DEAR);
    assert!(solved.verdict(&game.start).is_some());
}

/// A method that knows the start, and gives up on everything else.
struct Fickle;

const FICKLE: MethodName = MethodName::new("fickle");

impl Method for Fickle {
    fn name(&self) -> MethodName {
        FICKLE
    }

    fn recognise<'b>(&self, case: &Case<'b>, _: &mut Monitor) -> Result<Look<'b>, SolveError> {
        let code = Code::Interpreted("a toy has no code".to_string());
        Ok(match case.gave_up_with(FICKLE) {
            Some(_) => Look::no("it gave up"),
            None => Look::yes(Prospect::new("it looks easy", code, Fickle)),
        })
    }
}

impl<'b> Prepared<'b> for Fickle {
    fn run(&self, _: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        Ok(Found { answers: Box::new(Fickle), report: Report::new(Fact::no("not looked at")) })
    }
}

impl Answers for Fickle {
    fn verdict(&self, _: &Position) -> Option<Verdict> {
        Some(Verdict::outcome_in(Outcome::Win, None))
    }

    fn positions(&self) -> u64 {
        1
    }

    fn proof(&self, _: &Position) -> Proof {
        Proof::Search
    }

    fn each(&self, _: Player) -> Positions<'_> {
        Box::new(std::iter::empty())
    }

    fn random(&self, _: Player, _: &mut dyn FnMut() -> u64) -> Option<Position> {
        None
    }

    fn moves(&self, _: &Bound, _: &Position) -> Result<Vec<RatedMove>, SolveError> {
        Err(SolveError::NotApplicable("a move comes back".to_string()))
    }

    fn gave_up(&self) -> Option<Reason> {
        Some(Reason::Cycle("among the moves".to_string()))
    }
}

/// Where answers are worked out as they are asked for, a method may give up late: its reason goes to the chooser like any other.
#[test]
fn a_method_may_give_up_on_a_move() {
    let registry: Vec<&dyn Method> = [&Fickle as &dyn Method].into_iter().chain(methods::ALL).collect();
    let round = "game round() { state { n in 0..5 = 0; } move go(k in 1..=2) { n = (n + k) % 5; } }";
    let game = bound(&program(round), "{}");
    let mut monitor = Monitor::unlimited();
    let free = Options::default();
    let (solved, found) = solve_and(&registry, &game, &game.start, &free, &mut monitor, solution).unwrap();
    assert_eq!(solved.plan.method(), methods::find("retrograde").unwrap());
    assert_eq!(solved.plan.given_up(), [(FICKLE, Reason::Cycle("among the moves".to_string()))]);
    assert_eq!(found.outcome, answer(&game).unwrap().outcome);
    // A method that was asked for has no other to turn to.
    let asked = Options { method: Some(FICKLE), ..Options::default() };
    let refused = solve_and(&registry, &game, &game.start, &asked, &mut monitor, solution);
    assert_eq!(refused.err(), Some(SolveError::NotApplicable("a move comes back".to_string())));
}

/// A toy that says what it is predicted to take, and whether it is the best there is.
struct Priced {
    name: MethodName,
    cost: Cost,
    is_decisive: bool,
}

impl Method for Priced {
    fn name(&self) -> MethodName {
        self.name
    }

    fn recognise<'b>(&self, case: &Case<'b>, _: &mut Monitor) -> Result<Look<'b>, SolveError> {
        let recursion = Recursion { bound: case.bound, start: case.start.clone() };
        let code = Code::Interpreted("a toy has no code".to_string());
        let (cost, is_decisive) = (self.cost, self.is_decisive);
        Ok(Look::yes(Prospect { cost, is_decisive, ..Prospect::new("", code, recursion) }))
    }
}

/// A method that a theorem makes the best there is was passed over for one that is predicted to be cheaper, or of which more is
/// known. It is passed over only where it does not fit in memory, or is predicted to be late.
#[test]
fn a_decisive_method_is_taken_whatever_others_would_cost() {
    const CHEAP: MethodName = MethodName::new("cheap");
    const BEST: MethodName = MethodName::new("best");
    let seconds = |seconds: f64| Cost { seconds: Some(seconds), bytes: Some(1000), ..Cost::default() };
    let game = bound(&program(STONES), "{\"n\": 20}");
    let chosen = |best: Cost, time: Option<Duration>| {
        let cheap = Priced { name: CHEAP, cost: seconds(1e-3), is_decisive: false };
        let best = Priced { name: BEST, cost: best, is_decisive: true };
        let registry: [&dyn Method; 2] = [&cheap, &best];
        let mut monitor = Monitor::new(&Limits { memory: 1 << 20, time: None }).as_if_within(time);
        let mut chooser = Chooser::new(&registry, &game, &game.start, &Options::default(), &monitor).unwrap();
        chooser.plan(&mut monitor).unwrap().method()
    };
    assert_eq!(chosen(seconds(5.0), None), BEST, "predicted to be dearer");
    assert_eq!(chosen(Cost::default(), None), BEST, "nothing is predicted");
    assert_eq!(chosen(seconds(5.0), Some(Duration::from_secs(60))), BEST, "in time");
    assert_eq!(chosen(seconds(5.0), Some(Duration::from_secs(1))), CHEAP, "late");
    assert_eq!(chosen(Cost { bytes: Some(1 << 30), ..seconds(5.0) }, None), CHEAP, "too large");
}
