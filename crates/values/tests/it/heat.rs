//! Stops, thermographs, cooling and heating against their definitions.

use testkit::Random;
use values::{Arena, Dyadic, Side, Value};

use crate::days::{born_by, random_values};

fn samples(arena: &mut Arena) -> Vec<Value> {
    let mut values = random_values(arena, &mut Random::new(23), 300);
    values.extend(born_by(arena, 3));
    values
}

fn dyadic(numerator: i64, halvings: u32) -> Dyadic {
    Dyadic::new(numerator, halvings).unwrap()
}

/// Temperatures at which walls are looked at.
fn heights() -> Vec<Dyadic> {
    (-16..=56).step_by(3).map(|n| dyadic(n, 4)).collect()
}

#[test]
fn stops_are_reached_by_play() {
    let mut arena = Arena::default();
    for value in samples(&mut arena) {
        if arena.number_of(value).is_some() {
            continue;
        }
        let left = arena.options(value, Side::Left).unwrap().into_iter().map(|option| arena.right_stop(option)).max();
        let right = arena.options(value, Side::Right).unwrap().into_iter().map(|option| arena.left_stop(option)).min();
        assert_eq!((left, right), (Some(arena.left_stop(value)), Some(arena.right_stop(value))));
        assert!(arena.left_stop(value) >= arena.right_stop(value));
    }
}

#[test]
fn walls_follow_from_options() {
    let mut arena = Arena::default();
    let mut values = samples(&mut arena);
    for text in ["^3*2", "v2*", "3/4^*", "5/8v3*3", "*5", "-3/8*4", "1/2^^", "1/2^*2", "7v*", "3/4v*", "-1/4^*3"] {
        values.push(arena.read(text).unwrap());
    }
    for value in values {
        let graph = arena.thermograph(value).unwrap();
        assert_eq!(
            (graph.mean(), graph.temperature()),
            (arena.mean(value).unwrap(), arena.temperature(value).unwrap())
        );
        if arena.integer_of(value).is_some() {
            assert_eq!(graph.temperature(), dyadic(-1, 0));
            continue;
        }
        assert_eq!(graph.wall(Side::Left).at(graph.temperature()).unwrap(), graph.mean());
        for t in heights() {
            let mut best: [Option<Dyadic>; 2] = [None, None];
            for (side, best) in Side::BOTH.into_iter().zip(&mut best) {
                for option in arena.options(value, side).unwrap() {
                    let wall = arena.thermograph(option).unwrap().wall(side.opponent()).at(t).unwrap();
                    let taxed = if side == Side::Left { wall.minus(t) } else { wall.plus(t) }.unwrap();
                    let better = if side == Side::Left { Dyadic::max } else { Dyadic::min };
                    *best = Some(best.map_or(taxed, |best| better(best, taxed)));
                }
            }
            let (left, right) = (best[0].unwrap(), best[1].unwrap());
            let walls = Side::BOTH.map(|side| graph.wall(side).at(t).unwrap());
            assert_eq!(t < graph.temperature(), left > right, "the walls meet at the temperature");
            if left > right {
                assert_eq!(walls, [left, right]);
            } else {
                assert_eq!(walls, [graph.mean(); 2]);
            }
        }
        assert_eq!(graph.wall(Side::Left).at(Dyadic::ZERO).unwrap(), arena.left_stop(value));
        assert_eq!(graph.wall(Side::Right).at(Dyadic::ZERO).unwrap(), arena.right_stop(value));
    }
}

#[test]
fn sums_have_means_that_add_and_bounded_walls() {
    let mut arena = Arena::default();
    let (values, mut random) = (samples(&mut arena), Random::new(29));
    for _ in 0..800 {
        let (a, b) = (*random.pick(&values), *random.pick(&values));
        let sum = arena.plus(a, b).unwrap();
        let [a, b, sum] = [a, b, sum].map(|value| arena.thermograph(value).unwrap());
        assert_eq!(sum.mean(), a.mean().plus(b.mean()).unwrap());
        assert!(sum.temperature() <= a.temperature().max(b.temperature()));
        for t in heights().into_iter().filter(|&t| t >= Dyadic::ZERO) {
            let at = |graph: &values::Thermograph, side: Side| graph.wall(side).at(t).unwrap();
            let most = at(&a, Side::Left).plus(at(&b, Side::Left)).unwrap();
            let least = at(&a, Side::Left).plus(at(&b, Side::Right)).unwrap();
            assert!(at(&sum, Side::Left) <= most && at(&sum, Side::Left) >= least);
        }
    }
}

#[test]
fn cooling_is_additive_and_shows_in_the_thermograph() {
    let mut arena = Arena::default();
    let (values, mut random) = (samples(&mut arena), Random::new(31));
    for _ in 0..600 {
        let (a, b) = (*random.pick(&values), *random.pick(&values));
        let t = dyadic(random.below(20) as i64, 3);
        let (cool_a, cool_b) = (arena.cool(a, t).unwrap(), arena.cool(b, t).unwrap());
        let sum = arena.plus(a, b).unwrap();
        let cool_sum = arena.cool(sum, t).unwrap();
        assert_eq!(arena.plus(cool_a, cool_b).unwrap(), cool_sum);
        let graph = arena.thermograph(a).unwrap();
        assert_eq!(arena.left_stop(cool_a), graph.wall(Side::Left).at(t).unwrap());
        assert_eq!(arena.right_stop(cool_a), graph.wall(Side::Right).at(t).unwrap());
        assert_eq!(arena.cool(a, Dyadic::ZERO).unwrap(), a);
        let frozen = arena.freeze(a).unwrap();
        assert_eq!(arena.left_stop(frozen), graph.mean());
        assert_eq!(arena.right_stop(frozen), graph.mean());
    }
}

/// All-small values: both players or none can move in each follower.
fn small_values(arena: &mut Arena, random: &mut Random, count: usize) -> Vec<Value> {
    let mut small: Vec<Value> = Vec::new();
    for text in ["0", "*", "*2", "^", "v", "^*", "v*", "^^", "^<2>", "^[2]*", "*3"] {
        small.push(arena.read(text).unwrap());
    }
    while small.len() < count {
        let mut some = || -> Vec<Value> { (0..1 + random.below(2)).map(|_| *random.pick(&small)).collect() };
        let (left, right) = (some(), some());
        let value = arena.game(&left, &right).unwrap();
        if arena.is_all_small(value).unwrap() && arena.birthday(value).unwrap() < 7 {
            small.push(value);
        }
    }
    small
}

/// Heating leaves numbers as they are, so it respects sums only where all numbers are 0.
#[test]
fn heating_of_all_small_games_is_additive() {
    let mut arena = Arena::default();
    let mut random = Random::new(53);
    let small = small_values(&mut arena, &mut random, 60);
    for t in ["1", "3/2", "1/4", "1*"] {
        let t = arena.read(t).unwrap();
        for _ in 0..60 {
            let (a, b) = (*random.pick(&small), *random.pick(&small));
            let sum = arena.plus(a, b).unwrap();
            let [x, y, z] = [a, b, sum].map(|value| arena.heat(value, t).unwrap());
            assert_eq!(arena.plus(x, y).unwrap(), z);
        }
    }
}

#[test]
fn products_are_additive_and_keep_the_order() {
    let mut arena = Arena::default();
    let values = born_by(&mut arena, 3);
    let mut random = Random::new(37);
    let units = ["1", "1/2", "^", "1*", "^*2", "+_1", "2^"].map(|text| arena.read(text).unwrap());
    for _ in 0..150 {
        let (a, b) = (*random.pick(&values), *random.pick(&values));
        let sum = arena.plus(a, b).unwrap();
        let unit = *random.pick(&units);
        let [x, y, z] = [a, b, sum].map(|value| arena.norton(value, unit).unwrap());
        assert_eq!(arena.plus(x, y).unwrap(), z, "products");
        assert_eq!(arena.compare(a, b).unwrap(), arena.compare(x, y).unwrap());
    }
}

#[test]
fn reduced_forms_are_the_same_up_to_infinitesimals() {
    let mut arena = Arena::default();
    let values = born_by(&mut arena, 3);
    let reduced: Vec<Value> = values.iter().map(|&value| arena.reduced(value).unwrap()).collect();
    for (&value, &short) in values.iter().zip(&reduced) {
        let difference = arena.minus(value, short).unwrap();
        assert_eq!((arena.left_stop(difference), arena.right_stop(difference)), (Dyadic::ZERO, Dyadic::ZERO));
        assert_eq!(arena.reduced(short).unwrap(), short);
    }
    let mut random = Random::new(41);
    for _ in 0..40000 {
        let (i, j) = (random.below(values.len()), random.below(values.len()));
        if arena.left_stop(values[i]) != arena.left_stop(values[j]) {
            continue;
        }
        let near =
            arena.at_most_nearly(values[i], values[j]).unwrap() && arena.at_most_nearly(values[j], values[i]).unwrap();
        assert_eq!(near, reduced[i] == reduced[j]);
    }
}

#[test]
fn atomic_weights_are_additive_and_two_ahead_wins() {
    let mut arena = Arena::default();
    let mut random = Random::new(43);
    let small = small_values(&mut arena, &mut random, 200);
    let up = arena.read("^").unwrap();
    for _ in 0..300 {
        let (a, b) = (*random.pick(&small), *random.pick(&small));
        let sum = arena.plus(a, b).unwrap();
        let [x, y, z] = [a, b, sum].map(|value| arena.atomic_weight(value).unwrap());
        assert_eq!(arena.plus(x, y).unwrap(), z);
        let two = arena.integer(2).unwrap();
        if arena.at_most(two, x).unwrap() {
            assert!(arena.at_most(Value::ZERO, a).unwrap() && a != Value::ZERO, "two ahead");
        }
        // Weights multiply up: the value and so many ups differ by less than up and a remote star (Siegel, II.7).
        let ups = arena.norton(x, up).unwrap();
        let difference = arena.minus(a, ups).unwrap();
        let star = arena.remote_star(difference).unwrap();
        let star = arena.nimber(star).unwrap();
        let most = arena.plus(up, star).unwrap();
        let least = arena.negative(most).unwrap();
        assert!(arena.at_most(difference, most).unwrap() && arena.at_most(least, difference).unwrap());
    }
    let one = arena.integer(1).unwrap();
    assert!(arena.atomic_weight(one).unwrap_err().to_string().contains("all-small"));
}

#[test]
fn infinitesimals_do_not_change_reduced_forms() {
    let mut arena = Arena::default();
    let values = random_values(&mut arena, &mut Random::new(109), 250);
    let small = ["^", "*", "+_1", "v3*2", "-_{1/2}", "^<2>"].map(|text| arena.read(text).unwrap());
    for (at, &value) in values.iter().enumerate() {
        let reduced = arena.reduced(value).unwrap();
        assert_eq!(arena.reduced(reduced).unwrap(), reduced);
        let moved = arena.plus(value, small[at % small.len()]).unwrap();
        assert_eq!(arena.reduced(moved).unwrap(), reduced, "{}", arena.name(value, 1000).unwrap());
        // The stops, the mean and the temperature above zero stay what they are.
        assert_eq!(arena.left_stop(reduced), arena.left_stop(value));
        assert_eq!(arena.mean(reduced), arena.mean(value));
        let warm = arena.temperature(value).unwrap();
        assert!(warm <= Dyadic::ZERO || arena.temperature(reduced) == Ok(warm));
    }
}
