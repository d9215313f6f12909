//! Games by their birthdays, and random games.

use values::{Arena, Value};

use testkit::Random;

/// All values born by a day, in the order in which they are found.
pub fn born_by(arena: &mut Arena, day: usize) -> Vec<Value> {
    let mut values = vec![Value::ZERO];
    for _ in 0..day {
        let sets = antichains(arena, &values);
        let mut next = Vec::new();
        for left in &sets {
            for right in &sets {
                next.push(arena.game(left, right).expect("a value"));
            }
        }
        next.sort_unstable();
        next.dedup();
        values = next;
    }
    values
}

/// All sets of values of which none is above another one.
fn antichains(arena: &mut Arena, values: &[Value]) -> Vec<Vec<Value>> {
    let mut sets: Vec<Vec<Value>> = vec![Vec::new()];
    for &value in values {
        let before = sets.len();
        for at in 0..before {
            let confused = |arena: &mut Arena, other: Value| arena.compare(value, other).expect("an order").is_none();
            let set = sets[at].clone();
            if set.iter().all(|&other| confused(arena, other)) {
                sets.push([&set[..], &[value]].concat());
            }
        }
    }
    sets
}

/// Values made at random, hot and cold, from each other.
pub fn random_values(arena: &mut Arena, random: &mut Random, count: usize) -> Vec<Value> {
    let mut values = vec![Value::ZERO];
    for number in -3..=3 {
        values.push(arena.integer(number).expect("a number"));
    }
    for text in ["1/2", "-3/4", "*", "*2", "^", "v*", "{2|-1}", "+_1"] {
        values.push(arena.read(text).expect("a value"));
    }
    while values.len() < count {
        let mut some = |most: usize| -> Vec<Value> { (0..1 + random.below(most)).map(|_| *random.pick(&values)).collect() };
        let (left, right) = (some(3), some(3));
        let value = arena.game(&left, &right).expect("a value");
        if arena.birthday(value).expect("a birthday") <= 7 {
            values.push(value);
        }
    }
    values
}
