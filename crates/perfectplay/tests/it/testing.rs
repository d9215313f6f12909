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
