//! Whether two specialisations made the same.

use formula::specialise::Unsupported;
use formula::{Formulas, Node};

/// Asserts that formulas are the same, node by node, or that they are refused for the same reason.
pub fn assert_alike(a: Result<&Formulas, &Unsupported>, b: Result<&Formulas, &Unsupported>, what: &dyn Fn() -> String) {
    let (a, b) = match (a, b) {
        (Ok(a), Ok(b)) => (a, b),
        (Err(a), Err(b)) => return assert_eq!(a, b, "{}", what()),
        (a, b) => panic!("{:?} is not {:?}: {}", a.err(), b.err(), what()),
    };
    assert_eq!(a.arena.len(), b.arena.len(), "{}", what());
    for node in (0..a.arena.len() as u32).map(Node) {
        assert_eq!(a.arena.op(node), b.arena.op(node), "{}", what());
        assert_eq!(a.arena.range(node), b.arena.range(node), "{}", what());
    }
    assert!(a.lists == b.lists, "lists: {}", what());
    assert_eq!(rest(a), rest(b), "{}", what());
}

/// Everything but nodes and lists.
fn rest(of: &Formulas) -> String {
    let Formulas { cells, players, counted, reads_mover, ends, actions, stuck, valid, measure, .. } = of;
    format!("{cells:?} {players} {counted} {reads_mover} {ends:?} {actions:?} {stuck:?} {valid:?} {measure:?}")
}
