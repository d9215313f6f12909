//! Sums that grow without end: a part that can come back with another live part beside it.
//!
//! Such a game has infinitely many positions, and no search of it would ever end. Looking for that costs a walk over all
//! parts, so it is done only when a position has suspiciously many parts.

use rustc_hash::FxHashMap;

use crate::graph::Id;

/// What a move makes of a part: the part, and the live parts that take its place.
pub type Step<'s> = (Id, &'s [Id]);

/// A part from which play can come back to the same part with another beside it.
pub fn endless<'s>(steps: impl Iterator<Item = Step<'s>>) -> Option<Id> {
    let steps: Vec<Step<'_>> = steps.collect();
    let mut numbers: FxHashMap<Id, usize> = FxHashMap::default();
    let mut number = |part: Id| {
        let next = numbers.len();
        *numbers.entry(part).or_insert(next)
    };
    let mut edges: Vec<(usize, usize)> = Vec::new();
    for &(part, into) in &steps {
        let from = number(part);
        edges.extend(into.iter().map(|&part| (from, number(part))));
    }
    let groups = strong_groups(numbers.len(), &edges);
    let group = |part: Id| groups[numbers[&part]];
    let comes_back = |&&(part, into): &&Step<'_>| into.len() > 1 && into.iter().any(|&next| group(next) == group(part));
    steps.iter().find(comes_back).map(|&(part, _)| part)
}

/// Numbers the vertices so that two have the same number exactly if each can be reached from the other.
fn strong_groups(vertices: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut forward = vec![Vec::new(); vertices];
    let mut backward = vec![Vec::new(); vertices];
    for &(from, to) in edges {
        forward[from].push(to);
        backward[to].push(from);
    }
    let order = finished(&forward, 0..vertices, |_, _| {});
    let mut groups = vec![usize::MAX; vertices];
    finished(&backward, order.into_iter().rev(), |root, vertex| groups[vertex] = root);
    groups
}

/// Walks depth-first from each start in turn; the vertices in the order in which they are finished. `visit` is called
/// with each vertex and the start it was first reached from.
fn finished(
    next: &[Vec<usize>],
    starts: impl Iterator<Item = usize>,
    mut visit: impl FnMut(usize, usize),
) -> Vec<usize> {
    let mut visited = vec![false; next.len()];
    let mut order = Vec::with_capacity(next.len());
    let mut stack: Vec<(usize, usize)> = Vec::new();
    for start in starts {
        if std::mem::replace(&mut visited[start], true) {
            continue;
        }
        visit(start, start);
        stack.push((start, 0));
        while let Some((vertex, at)) = stack.pop() {
            match next[vertex].get(at) {
                None => order.push(vertex),
                Some(&to) => {
                    stack.push((vertex, at + 1));
                    if !std::mem::replace(&mut visited[to], true) {
                        visit(start, to);
                        stack.push((to, 0));
                    }
                }
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::endless;

    #[test]
    fn only_a_part_that_comes_back_in_company_grows() {
        let grows = |steps: &[(u32, &[u32])]| endless(steps.iter().copied());
        assert_eq!(grows(&[(3, &[2, 1]), (2, &[1, 1]), (1, &[])]), None);
        assert_eq!(grows(&[(3, &[3]), (3, &[2])]), None, "it comes back alone");
        assert_eq!(grows(&[(3, &[3, 1])]), Some(3));
        assert_eq!(grows(&[(5, &[4]), (4, &[6, 1]), (6, &[5])]), Some(4), "through others");
        assert_eq!(grows(&[(5, &[4]), (4, &[6, 1]), (6, &[1]), (1, &[1])]), None, "the company may circle by itself");
    }
}
