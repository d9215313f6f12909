//! What a rules file claims is told beside a limit, and where the answer is another one; it is never an answer.

use perfectplay::answer::{Proof, answer, claims, contradicted};
use perfectplay::solving::{Limits, Monitor, Options, SolveError};
use testkit::files::{bound, program};

/// Two counters that go down, and claims that are wrong wherever they are looked at.
const CLAIMING: &str = "game claiming(n: int) {
    state { a in 0..=n = n; b in 0..=n = n; }
    move lower_a when a > 0 { a -= 1; }
    move lower_b when b > 0 { b -= 1; }
    claim nimber = 7;
    claim winner = second when n < 1000;
}";

#[test]
fn a_claim_is_told_but_never_an_answer() {
    let instance = |n: i64| bound(&program(CLAIMING), &format!("{{\"n\": {n}}}"));
    let limited = |n: i64, memory: u64| {
        let mut monitor = Monitor::new(&Limits { memory, time: None });
        answer(&instance(n), &Options::default(), &mut monitor)
    };
    let exact = limited(20, 1 << 26).unwrap();
    assert_eq!((exact.nimber, &exact.proof), (Some(0), &Proof::Table));
    // There are methods that need little memory, and others that do not tell a nimber; the claimed one is not taken over.
    match limited(2000, 1 << 18) {
        Err(error) => assert!(matches!(error, SolveError::Limit { .. }), "{error}"),
        Ok(found) => assert_eq!(found.nimber.unwrap_or(0), 0),
    }
    assert!(matches!(limited(2000, 1 << 10), Err(SolveError::Limit { .. })));
    let told = |n: i64| {
        claims(&instance(n)).into_iter().map(|claim| (claim.field.to_string(), claim.value)).collect::<Vec<_>>()
    };
    let claim = |field: &str, value: &str| (field.to_string(), value.to_string());
    assert_eq!(told(2000), [claim("nimber", "7")]);
    assert_eq!(told(999), [claim("nimber", "7"), claim("winner", "second")]);
    let wrong: Vec<_> = contradicted(&instance(20), &exact).into_iter().map(|claim| claim.field.to_string()).collect();
    assert_eq!(wrong, ["nimber"]);
}
