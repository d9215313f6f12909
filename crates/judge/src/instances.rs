//! Which instances are tried: of the sample, at random within its ranges and at their edges. Small ones come first, so that the first
//! failure is a small one.

use std::collections::HashSet;

use perfectplay::instances::{edges, sampled};
use perfectplay::language::{Diagnostic, Given, Instance, Program};

/// Of so many instances one is from the edges of the sample.
const EDGES: usize = 4;

/// At most `limit` instances of the rules' sample, the smallest first: a quarter from its edges, the smallest ones, and random
/// ones. Equal seeds give equal instances.
pub fn tried(program: &Program, limit: usize, seed: u64) -> Result<Vec<Instance>, Vec<Diagnostic>> {
    let all = sampled(program, limit, seed)?;
    let mut found = all.instances;
    if !all.complete {
        let edges = edges(program, limit.div_ceil(EDGES), seed)?;
        let few: HashSet<&Instance> = found.iter().collect();
        let new: Vec<Instance> = edges.into_iter().filter(|instance| !few.contains(instance)).collect();
        let kept = limit.saturating_sub(new.len());
        // The smallest ones are first and are kept; of the random rest any may go.
        found.truncate(kept);
        found.extend(new);
    }
    found.sort_by_key(Size::of);
    Ok(found)
}

/// How large an instance is: how many numbers it has in lists, how large the numbers are together, and how plain they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size {
    items: u64,
    sum: u128,
    signs: u64,
}

impl Size {
    /// The size of an instance.
    pub fn of(instance: &Instance) -> Size {
        let mut size = Size::default();
        instance.0.iter().for_each(|(_, value)| size.add(value));
        size
    }

    /// How many numbers it has in lists.
    pub fn items(&self) -> u64 {
        self.items
    }

    fn add(&mut self, value: &Given) {
        match value {
            Given::Int(number) => self.number(*number),
            Given::Bool(truth) => self.sum += u128::from(*truth),
            Given::Text(text) => {
                self.items += text.chars().count() as u64;
                self.sum += text.chars().map(|c| u128::from(u32::from(c))).sum::<u128>();
            }
            Given::Ints(numbers) => {
                self.items += numbers.len() as u64;
                numbers.iter().for_each(|number| self.number(*number));
            }
            Given::List(items) => {
                self.items += items.len() as u64;
                items.iter().for_each(|item| self.add(item));
            }
        }
    }

    fn number(&mut self, number: i64) {
        self.sum += u128::from(number.unsigned_abs());
        self.signs += u64::from(number < 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_instances_come_first_and_edges_are_among_them() {
        let source = "game g(n: int, row: [int]) {
            state { left in 0..=n = n; } move take when left > 0 { left -= 1; }
            sample { n in 0..=1000; row in [1..=100; 0..=50]; }
        }";
        let program = perfectplay::language::compile(source).unwrap();
        let found = tried(&program, 100, 1).unwrap();
        assert_eq!(found.len(), 100);
        assert!(found.windows(2).all(|pair| Size::of(&pair[0]) <= Size::of(&pair[1])));
        assert_eq!(found[0].to_string(), r#"{"n": 0, "row": []}"#);
        let has = |wanted: fn(&[i64]) -> bool| {
            let row = |instance: &Instance| matches!(&instance.0[1].1, Given::Ints(row) if wanted(row));
            found.iter().any(row)
        };
        assert!(has(|row| row.len() == 50 && row.iter().all(|item| *item == 100)));
        assert!(has(|row| row.len() == 50 && row.is_sorted() && row[0] < row[49]));
        assert!(has(|row| row.len() == 50 && row.iter().rev().is_sorted() && row[0] > row[49]));
        assert_eq!(tried(&program, 100, 1).unwrap(), found);
        assert_ne!(tried(&program, 100, 2).unwrap(), found);
    }
}
