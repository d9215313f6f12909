//! Ends that do not matter: where the last mover wins, an `end` that holds only where nobody could move says nothing new.

use formula::facts::Facts;
use formula::{Arena, Formulas, Node, Op};

/// Why the ends of a game matter; `None` if no move is legal wherever one of them holds.
pub fn objection(formulas: &Formulas) -> Option<String> {
    let mut arena = formulas.arena.clone();
    for end in &formulas.ends {
        if arena.range(end.fault).single() != Some(0) {
            return Some("an `end` may be a fault".to_string());
        }
        if arena.known(end.when) == Some(0) {
            continue;
        }
        let mut at_end = Facts::default();
        for _ in 0..ROUNDS {
            conditions(&arena, end.when).into_iter().for_each(|(part, holds)| at_end.assume(&mut arena, part, holds));
        }
        for action in &formulas.actions {
            let faults = action.counts.iter().map(|count| count.fault).chain([action.fault]);
            let faulty = faults.into_iter().any(|fault| arena.range(fault).single() != Some(0));
            let none = action
                .counts
                .iter()
                .any(|count| at_end.range(&arena, count.high).high < at_end.range(&arena, count.low).low);
            if !faulty && (none || at_end.refutes(&arena, action.guard)) {
                continue;
            }
            return Some("`end` looks at the whole position, and moves may be left where it holds".to_string());
        }
    }
    None
}

/// How often all conditions are assumed, so that one can profit from another.
const ROUNDS: usize = 2;

/// A condition as conditions that hold, or do not hold, all at once.
fn conditions(arena: &Arena, when: Node) -> Vec<(Node, bool)> {
    let mut open = vec![(when, true)];
    let mut parts = Vec::new();
    while let Some((node, holds)) = open.pop() {
        let truths = |a: Node, b: Node| arena.range(a).is_truth() && arena.range(b).is_truth();
        match (arena.op(node), holds) {
            (Op::Not(inner), _) => open.push((*inner, !holds)),
            (Op::And(a, b), true) | (Op::Or(a, b), false) if truths(*a, *b) => {
                open.push((*a, holds));
                open.push((*b, holds));
            }
            _ => parts.push((node, holds)),
        }
    }
    parts
}
