//! What `test` says of a sample that was not tried, or not wholly.

use std::sync::Arc;

use perfectplay::language::compile;
use perfectplay::testing::{Report, Thoroughness, test};

fn tested(require: &str, sample: &str, instances: usize) -> Report {
    let rules = format!(
        "game g(n: int) {{ {require} state {{ h in 0..=n = n; }} move take when h > 0 {{ h -= 1; }}
         claim winner = if n % 2 == 1 then first else second; sample {{ n in {sample}; }} }}"
    );
    let program = Arc::new(compile(&rules).unwrap());
    test(&program, &Thoroughness { instances, ..Thoroughness::default() }).unwrap()
}

#[test]
fn a_sample_without_instances_is_a_failure() {
    let report = tested("require n > 5;", "0..=3", 100);
    let [failure] = &report.failures[..] else { panic!("{report:?}") };
    assert!(failure.title.contains("admit no instance"), "{failure:?}");
    assert!(failure.label.is_some() && !report.more && report.instances == 0);
}

#[test]
fn a_sample_that_was_cut_says_so() {
    let cut = tested("", "0..=500", 20);
    assert!(cut.more && cut.instances == 20 && cut.failures.is_empty(), "{cut:?}");
    let whole = tested("", "0..=19", 20);
    assert!(!whole.more && whole.instances == 20 && whole.failures.is_empty(), "{whole:?}");
}

fn claimed(value: &str) -> Report {
    let rules = format!(
        "game g(row: [int] = [1, -1]) {{
             let n = len(row);
             state {{ h in 0..=n = n; }}
             move first  cut(at in 0..h) when row[at] > 0 {{ h = at; }}
             move second cut(at in 0..h) when row[at] < 0 {{ h = at; }}
             claim value = {value};
             sample {{ row in [[1, -1]]; }}
         }}"
    );
    test(&Arc::new(compile(&rules).unwrap()), &Thoroughness::default()).unwrap()
}

#[test]
fn values_are_claimed_in_any_spelling() {
    for right in ["1 over 2", "3 over 2 * 3", "\"1/2\"", "\"{0|1}\"", "2 * n over pow(2, n + 1)"] {
        let report = claimed(right);
        assert!(report.failures.is_empty() && report.claims == 1, "{right}: {report:?}");
    }
    for wrong in ["1", "-1 over 2", "0 over 5", "\"*\"", "\"no value\""] {
        let report = claimed(wrong);
        let [failure] = &report.failures[..] else { panic!("{wrong}: {report:?}") };
        assert!(failure.title.contains("the exact answer is 1/2"), "{wrong}: {failure:?}");
    }
    let [failure] = &claimed("1 over n - 2").failures[..] else { panic!() };
    assert!(failure.title.contains("lower number of a fraction is 0"), "{failure:?}");
}

#[test]
fn only_values_are_fractions() {
    let rules =
        "game g(n: int = 3) { state { h in 0..=n = n; } move take when h > 0 { h -= 1; } claim nimber = n over 2; }";
    let mistakes = compile(rules).unwrap_err();
    assert!(mistakes.iter().any(|mistake| mistake.title.contains("only a `value` can be a fraction")), "{mistakes:?}");
}
