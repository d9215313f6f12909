//! Instances from the edges of a sample, where programs go wrong: the ends of ranges, and lists that are empty, short, long, equal,
//! sorted or extreme.

use super::{Chooser, Found, RANDOM_LENGTH, Sampler};
use crate::fault::Fault;
use crate::space::{Space, list};
use crate::value::Value;
use game::Random;

/// How long a list of the edges may be: programs are compared with exact answers, which a longer one may not have.
const LONGEST: usize = 64;
/// So many instances have all parameters at edges of the same kind; the others mix them.
const ROUNDS: usize = 64;

impl Sampler<'_> {
    /// Adds instances whose parameters are all at an edge.
    pub(super) fn edges(&mut self, seed: u64, found: &mut Found) -> Result<(), Fault> {
        self.budget = super::PASS_BUDGET;
        let mut chooser = Chooser(Random::new(seed));
        let tries = found.limit.saturating_mul(8).saturating_add(ROUNDS);
        for round in 0..tries {
            if found.is_full() || self.budget == 0 {
                break;
            }
            let mut values = vec![None; self.program.globals()];
            let mut complete = true;
            for (index, item) in self.program.sample.iter().enumerate() {
                let edges = edges(&self.space(index, &values)?);
                complete = !edges.is_empty();
                if !complete {
                    break;
                }
                let at = if round < ROUNDS { round as u128 } else { chooser.below(edges.len() as u128) };
                let value = edges[at as usize % edges.len()].clone();
                self.spend(value.len().unwrap_or(1) as u64);
                values[item.param] = Some(value);
            }
            if complete {
                self.offer(&values, found);
            } else {
                self.spend(64);
            }
        }
        Ok(())
    }
}

/// The members at the edges of a space, the smallest first.
fn edges(space: &Space) -> Vec<Value> {
    let count = space.count();
    match space {
        _ if count == 0 => Vec::new(),
        Space::Array { item, shortest, longest } => lists(item, *shortest, *longest),
        Space::Subsets { low, size, .. } => {
            let all = (0..(*size).min(RANDOM_LENGTH)).map(|bit| low.saturating_add(bit as i64));
            vec![Value::set(Vec::new()), Value::set(all.collect())]
        }
        _ => {
            let mut numbers = vec![0, count - 1, 1, count.saturating_sub(2), count / 2];
            numbers.retain(|number| *number < count);
            let mut seen = Vec::new();
            numbers.retain(|number| {
                !seen.contains(number) && {
                    seen.push(*number);
                    true
                }
            });
            numbers.into_iter().map(|number| space.nth(number)).collect()
        }
    }
}

/// Lists of several lengths: all items least, all greatest, rising, falling, least and greatest by turns, one unlike the others.
fn lists(item: &Space, shortest: usize, longest: usize) -> Vec<Value> {
    let longest = longest.min(shortest.max(LONGEST));
    let mut lengths = vec![shortest, shortest + 1, shortest + (longest - shortest) / 2, longest];
    lengths.retain(|length| *length <= longest);
    lengths.dedup();
    let few = edges(item);
    let (Some(least), Some(greatest)) = (few.first(), few.get(1).or(few.first())) else {
        return if shortest == 0 { vec![Value::ints(Vec::new())] } else { Vec::new() };
    };
    let count = item.count();
    let rising = |at: usize, length: usize| match count {
        u128::MAX => few[at * few.len() / length].clone(),
        count => item.nth((count - 1).saturating_mul(at as u128) / (length as u128 - 1).max(1)),
    };
    let kinds: [&dyn Fn(usize, usize) -> Value; 7] = [
        &|_, _| least.clone(),
        &|_, _| greatest.clone(),
        &|at, length| rising(at, length),
        &|at, length| rising(length - 1 - at, length),
        &|at, _| if at % 2 == 0 { least.clone() } else { greatest.clone() },
        &|at, _| if at % 2 == 0 { greatest.clone() } else { least.clone() },
        &|at, length| if at == length / 2 { greatest.clone() } else { least.clone() },
    ];
    let mut found: Vec<Value> = Vec::new();
    for length in lengths {
        for kind in kinds {
            let made = list(item, (0..length).map(|at| kind(at, length)));
            if !found.contains(&made) {
                found.push(made);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::sample::{contains, edges};

    fn found(sample: &str, requires: &str) -> Vec<String> {
        let source = format!(
            "game g(n: int, row: [int] = [1]) {{ {requires} sample {{ {sample} }}
                state {{ left in 0..=9 = 0; }} move take when left > 0 {{ left -= 1; }} }}"
        );
        let program = crate::compile(&source).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        let found = edges(&program, 1000, 1).unwrap();
        assert!(found.iter().all(|instance| contains(&program, instance)));
        found.iter().map(|instance| instance.to_string()).collect()
    }

    #[test]
    fn lists_are_empty_equal_sorted_and_extreme() {
        let found = found("n in 3..=3; row in [1..=9; 0..=5];", "");
        for row in [
            "[]",
            "[1]",
            "[9]",
            "[1, 1, 1, 1, 1]",
            "[9, 9, 9, 9, 9]",
            "[1, 3, 5, 7, 9]",
            "[9, 7, 5, 3, 1]",
            "[1, 9, 1, 9, 1]",
        ] {
            let wanted = format!(r#"{{"n": 3, "row": {row}}}"#);
            assert!(found.contains(&wanted), "{wanted} is not in {found:?}");
        }
    }

    #[test]
    fn bounds_may_follow_other_parameters_and_requirements_hold() {
        let found = found("n in 0..=6; row in [0..=n; n];", "require n != 6;");
        assert!(found.contains(&r#"{"n": 5, "row": [5, 5, 5, 5, 5]}"#.to_string()), "{found:?}");
        assert!(!found.iter().any(|text| text.starts_with(r#"{"n": 6"#)));
    }

    #[test]
    fn wide_ranges_and_empty_ones() {
        let found = found(
            "n in -1000000000000000000..=1000000000000000000; row in [0..=9223372036854775807; 0..=1000000];",
            "",
        );
        assert!(found.len() > 10 && found.iter().all(|text| text.len() < 3000));
        assert!(super::edges(&crate::space::Space::EMPTY).is_empty());
    }
}
