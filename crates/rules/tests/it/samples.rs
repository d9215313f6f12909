//! Samples: small spaces whole and in order, large ones small first and then at random, and never a hang.

use std::collections::HashSet;
use std::sync::Arc;

use rules::bind::bind;
use rules::sample::instances;

fn sample(parameters: &str, items: &str, limit: usize) -> Result<Vec<String>, String> {
    let source =
        format!("game g({parameters}) {{ {items} state {{ position in 0..=1 = 0; }} move m {{ position = 1; }} }}");
    let program = rules::compile(&source)
        .unwrap_or_else(|wrong| panic!("{}", rules::report::report("test", &source, &wrong, false)));
    let program = Arc::new(program);
    let found = instances(&program, limit, 7).map_err(|wrong| wrong[0].title.clone())?;
    for instance in &found {
        bind(&program, instance).unwrap_or_else(|wrong| panic!("{instance}: {}", wrong[0].title));
    }
    let distinct: HashSet<_> = found.iter().collect();
    assert_eq!(distinct.len(), found.len());
    assert_eq!(instances(&program, limit, 7).unwrap(), found, "the same seed gives the same instances");
    Ok(found.iter().map(ToString::to_string).collect())
}

#[test]
fn small_spaces_are_whole_and_in_order() {
    assert_eq!(
        sample("n: int, b: bool", "sample { n in 1..=2; b in bool; }", 100).unwrap(),
        [r#"{"n": 1, "b": false}"#, r#"{"n": 1, "b": true}"#, r#"{"n": 2, "b": false}"#, r#"{"n": 2, "b": true}"#]
    );
    assert_eq!(
        sample("l: [int]", "sample { l in [1..=2; 0..=2]; }", 7).unwrap().join(" "),
        r#"{"l": []} {"l": [1]} {"l": [2]} {"l": [1, 1]} {"l": [1, 2]} {"l": [2, 1]} {"l": [2, 2]}"#
    );
    assert_eq!(
        sample("l: [[int]]", "sample { l in [[0..=1; 1]; 1..=1]; }", 7).unwrap().join(" "),
        r#"{"l": [[0]]} {"l": [[1]]}"#
    );
    assert_eq!(
        sample("w: text", "sample { w in [\"a\", \"bc\", \"a\"]; }", 9).unwrap(),
        [r#"{"w": "a"}"#, r#"{"w": "bc"}"#]
    );
    assert_eq!(sample("n: int = 3", "", 9).unwrap(), ["{}"]);
    assert_eq!(sample("n: int", "sample { n in 2..2; }", 9).unwrap(), [""; 0]);
}

#[test]
fn bounds_read_what_was_sampled_before() {
    assert_eq!(
        sample("n: int, k: int", "sample { n in 0..=2; k in 0..n; }", 100).unwrap(),
        [r#"{"n": 1, "k": 0}"#, r#"{"n": 2, "k": 0}"#, r#"{"n": 2, "k": 1}"#]
    );
    assert_eq!(
        sample("k: int = 4, n: int, l: [int]", "sample { n in 1..=2; l in [n..=n; n]; }", 100).unwrap(),
        [r#"{"n": 1, "l": [1]}"#, r#"{"n": 2, "l": [2, 2]}"#]
    );
}

#[test]
fn requirements_leave_instances_out() {
    assert_eq!(sample("n: int", "require n % 100 == 0; sample { n in 0..=300; }", 10).unwrap().len(), 4);
}

#[test]
fn large_spaces_begin_small_and_go_on_at_random() {
    let found =
        sample("a: int, b: int", "sample { a in 0..1000000000000000000; b in 0..1000000000000000000; }", 100).unwrap();
    assert_eq!(found.len(), 100);
    assert_eq!(found[0], r#"{"a": 0, "b": 0}"#);
    assert!(found[..50].contains(&r#"{"a": 1, "b": 2}"#.to_string()), "{found:?}");
    assert!(found[50..].iter().any(|text| text.len() > 40));
    let lists = sample("l: [int]", "sample { l in [0..=1000000000000; 0..=1000000]; }", 100).unwrap();
    assert_eq!(lists.len(), 100);
    let long = sample("l: [int]", "sample { l in [0..=9; 1000000..=1000000]; }", 20).unwrap();
    assert!(!long.is_empty());
    let sets = sample("l: [bool]", "sample { l in [bool; 0..=60]; }", 1000).unwrap();
    assert_eq!(sets.len(), 1000);
}

#[test]
fn impossible_requirements_do_not_hang() {
    assert_eq!(sample("n: int", "require n < 0; sample { n in 0..1000000000000000000; }", 10).unwrap(), [""; 0]);
}

#[test]
fn a_parameter_without_values_is_told() {
    assert_eq!(
        sample("n: int, k: int", "sample { n in 0..=1; }", 10).unwrap_err(),
        "the parameter `k` has neither a sample nor a default"
    );
}
