//! What explanations say of a game is so.

use perfectplay::Solver;
use perfectplay::language::Rules;
use perfectplay::plan::{Explanation, LOOK, explain, method};

use perfectplay::solving::{Limits, Monitor, Options};
use rules::sample;
use testkit::files;

/// How many instances of a game are looked at.
const INSTANCES: usize = 6;

/// A win at once, and beside it two positions that lead to one another for ever.
const BESIDE: &str = "game beside() {
    state { at in 0..=3 = 0; }
    move win_now when at == 0 { at = 1; }
    move go when at == 0 { at = 2; }
    move there when at == 2 { at = 3; }
    move back when at == 3 { at = 2; }
    move out when at == 3 { at = 1; }
}";

/// A search leaves positions out: that it met no repetition says nothing of the game.
#[test]
fn a_search_does_not_say_that_no_position_repeats() {
    let game = Rules::new(BESIDE).bind("{}").unwrap();
    for name in ["alpha_beta", "proof_number"] {
        let options = Options { method: method(name), ..Options::default() };
        let explanation = explain(&game, &options, &Limits::default(), Some(&LOOK), &Monitor::new).unwrap();
        let known = explanation.properties();
        let acyclic = known.iter().find(|property| property.name == "acyclic").unwrap();
        assert_eq!(acyclic.holds, None, "{name}: {}", acyclic.why);
    }
}

/// The methods that were given up, and the one that was taken in the end.
fn chain(explanation: &Explanation<'_>) -> Vec<&'static str> {
    let given_up = explanation.plan.given_up().iter().map(|(method, _)| method.name());
    given_up.chain([explanation.plan.method().name()]).collect()
}

/// `explain` tells the plan that `solve` carries out: with `--run` always, without it as far as its look came.
#[test]
fn the_plan_is_the_one_that_solve_carries_out() {
    let (options, limits) = (Options::default(), Limits::default());
    let (mut compared, mut given_up) = (0, 0);
    for (name, source) in files::gallery() {
        let program = files::program(&source);
        for instance in sample::instances(&program, INSTANCES, 8).unwrap_or_default() {
            let game = files::bound_to(&program, &instance);
            let Ok(solution) = Solver::new().answer(&game) else { continue };
            let ran = explain(&game, &options, &limits, None, &Monitor::new).unwrap();
            let ran_chain = chain(&ran);
            assert_eq!(ran_chain.last(), Some(&solution.method.name()), "{name} {instance}");
            let looked = explain(&game, &options, &limits, Some(&LOOK), &Monitor::new).unwrap();
            let looked_chain = chain(&looked);
            match looked.complete() {
                true => assert_eq!(looked_chain, ran_chain, "{name} {instance}"),
                false => assert!(ran_chain.starts_with(&looked_chain), "{name} {instance}: {looked_chain:?}, {ran_chain:?}"),
            }
            compared += 1;
            given_up += usize::from(ran_chain.len() > 1);
        }
    }
    assert!(compared >= 300, "{compared} instances");
    assert!(given_up >= 5, "a plan was given up {given_up} times");
}
