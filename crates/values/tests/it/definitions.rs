//! Products, heat and cold, incentives and remote stars against their definitions on explicit forms.
//!
//! Exhaustively over all games born by day 2, and over thousands of games of day 3 and made at random.

use std::cmp::Ordering;
use std::collections::HashMap;

use testkit::Random;
use testkit::forms::ONE;
use values::{Arena, Dyadic, Value};

use crate::days::{born_by, random_values};
use crate::oracle::{Oracle, of_value};

/// An arena and the oracle, side by side.
#[derive(Default)]
struct Both {
    arena: Arena,
    oracle: Oracle,
    known: HashMap<Value, usize>,
}

impl Both {
    fn form(&mut self, value: Value) -> usize {
        of_value(&mut self.oracle, &mut self.arena, value, &mut self.known)
    }

    fn read(&mut self, text: &str) -> Value {
        self.arena.read(text).unwrap()
    }

    fn name(&mut self, value: Value) -> String {
        self.arena.name(value, 1000).unwrap()
    }

    /// All games of day 2, and some others.
    fn games(&mut self, seed: u64, others: usize) -> Vec<Value> {
        let mut games = born_by(&mut self.arena, 2);
        let day3 = born_by(&mut self.arena, 3);
        let mut random = Random::new(seed);
        let made = random_values(&mut self.arena, &mut random, 120);
        let made: Vec<Value> = made.into_iter().filter(|&value| self.arena.birthday(value).unwrap() <= 4).collect();
        games.extend((0..others).map(|at| *random.pick(if at % 3 == 0 { &made } else { &day3 })));
        games
    }

    fn assert_same(&mut self, value: Value, form: usize, what: &str) {
        let found = self.form(value);
        assert!(self.oracle.equal(found, form), "{what}: {}", self.name(value));
    }
}

/// A number of the oracle's units.
fn dyadic(units: i64) -> Dyadic {
    Dyadic::new(units, ONE.trailing_zeros()).unwrap()
}

#[test]
fn canonical_forms_of_the_oracle_are_those_of_the_arena() {
    let mut both = Both::default();
    for value in both.games(101, 3000) {
        let form = both.form(value);
        let canonical = both.oracle.canonical(form);
        let [left, right] = both.oracle.forms[canonical].clone();
        let mut lists = both.oracle.forms[form].clone();
        lists.iter_mut().for_each(|list| *list = list.iter().map(|&option| both.oracle.canonical(option)).collect());
        lists.iter_mut().for_each(|list| list.sort_unstable());
        assert_eq!(lists, [left, right], "{}", both.name(value));
        let number = both.oracle.number_of(form).map(dyadic);
        assert_eq!(number, both.arena.number_of(value));
        let stops = [0, 1].map(|side| dyadic(both.oracle.stop(form, side)));
        assert_eq!(stops, [both.arena.left_stop(value), both.arena.right_stop(value)]);
        assert_eq!(both.oracle.birthday(form) as u64, both.arena.birthday(value).unwrap());
    }
}

#[test]
fn norton_products_are_those_of_the_definition() {
    let mut both = Both::default();
    let games = both.games(103, 1500);
    let mut units: Vec<Value> = born_by(&mut both.arena, 2);
    units.retain(|&unit| unit != Value::ZERO && both.arena.at_most(Value::ZERO, unit).unwrap());
    for text in ["+_1", "^^*", "3/4", "^*3"] {
        units.push(both.read(text));
    }
    let mut random = Random::new(107);
    for (at, &game) in games.iter().enumerate() {
        // Every game of day 2 with every unit of day 2, the others with one of them each.
        let chosen = if at < 22 { units.clone() } else { vec![*random.pick(&units)] };
        for unit in chosen {
            let product = both.arena.norton(game, unit).unwrap();
            let (a, b) = (both.form(game), both.form(unit));
            let written = both.oracle.norton(a, b);
            both.assert_same(product, written, "a product");
        }
    }
}

#[test]
fn products_with_units_obey_their_laws() {
    let mut both = Both::default();
    let day2 = born_by(&mut both.arena, 2);
    let units = ["1", "2", "1/2", "^", "^^", "1*", "+_1"].map(|text| both.read(text));
    let arena = &mut both.arena;
    for unit in units {
        for &a in &day2 {
            for &b in &day2 {
                let sum = arena.plus(a, b).unwrap();
                let [x, y, z] = [a, b, sum].map(|value| arena.norton(value, unit).unwrap());
                assert_eq!(arena.plus(x, y).unwrap(), z);
                assert_eq!(arena.compare(a, b).unwrap(), arena.compare(x, y).unwrap());
            }
            let negative = arena.negative(a).unwrap();
            let (of_negative, product) = (arena.norton(negative, unit).unwrap(), arena.norton(a, unit).unwrap());
            assert_eq!(of_negative, arena.negative(product).unwrap());
            let one = arena.integer(1).unwrap();
            assert_eq!(arena.norton(a, one).unwrap(), a, "one is neutral");
        }
        let one = arena.integer(1).unwrap();
        assert_eq!(arena.norton(one, unit).unwrap(), unit);
    }
}

#[test]
fn heated_and_overheated_games_are_those_of_the_definition() {
    let mut both = Both::default();
    let games = both.games(109, 3000);
    let heats = ["1", "1/2", "0", "*", "1*", "-1/2", "{1|0}", "^"].map(|text| both.read(text));
    let mut random = Random::new(113);
    for (at, &game) in games.iter().enumerate() {
        let chosen = if at < 22 { heats.to_vec() } else { vec![*random.pick(&heats)] };
        for t in chosen {
            let form = both.form(game);
            let heat = both.form(t);
            let (heated, written) = (both.arena.heat(game, t).unwrap(), both.oracle.heat(form, heat));
            both.assert_same(heated, written, "heated");
            for s in [*random.pick(&heats), t] {
                let from = both.form(s);
                let (over, written) =
                    (both.arena.overheat(game, s, t).unwrap(), both.oracle.overheat(form, from, heat));
                both.assert_same(over, written, "overheated");
            }
        }
    }
}

#[test]
fn cooled_and_frozen_games_are_those_of_the_definition() {
    let mut both = Both::default();
    let step = ONE / 8;
    let games = both.games(127, 2000);
    let mut random = Random::new(131);
    let mut looked = 0;
    for (at, &game) in games.iter().enumerate() {
        // The oracle looks for temperatures among eighths only.
        let form = both.form(game);
        let followers = both.oracle.followers(form);
        let (arena, known) = (&mut both.arena, &both.known);
        let fine = known
            .iter()
            .filter(|(_, form)| followers.contains(form))
            .any(|(&value, _)| arena.temperature(value).unwrap().halvings() > 3);
        if fine {
            continue;
        }
        looked += 1;
        let (frozen, t) = both.oracle.freeze(form, step);
        let temperature = both.arena.temperature(game).unwrap();
        assert_eq!(dyadic(t), temperature.max(Dyadic::ZERO), "{}", both.name(game));
        let found = both.arena.freeze(game).unwrap();
        both.assert_same(found, frozen, "frozen");
        let taxes: Vec<i64> = if at < 22 { (0..=20).collect() } else { vec![random.below(20u64) as i64] };
        for tax in taxes.into_iter().map(|tax| tax * step) {
            let found = both.arena.cool(game, dyadic(tax)).unwrap();
            let written = both.oracle.cool(form, tax, step);
            both.assert_same(found, written, "cooled");
        }
    }
    assert!(looked > 1800, "{looked}");
}

#[test]
fn incentives_are_the_best_of_the_definition() {
    let mut both = Both::default();
    for game in both.games(137, 3000) {
        let form = both.form(game);
        let all = both.oracle.incentives(form);
        let best: Vec<usize> = both.arena.incentives(game).unwrap().into_iter().map(|gain| both.form(gain)).collect();
        for &gain in &all {
            assert!(best.iter().any(|&better| both.oracle.at_most(gain, better)), "{}", both.name(game));
        }
        for (at, &gain) in best.iter().enumerate() {
            assert!(all.iter().any(|&some| both.oracle.equal(some, gain)));
            assert!(best.iter().enumerate().all(|(other, &rival)| other == at || !both.oracle.at_most(gain, rival)));
        }
    }
}

#[test]
fn remote_stars_are_those_of_the_definition() {
    let mut both = Both::default();
    let mut games = both.games(139, 3000);
    for text in ["*5", "^*4", "v3*6", "{*7|0}", "1*3", "{^*2|*6}", "1/2*4", "{*4||*2|*5}"] {
        games.push(both.read(text));
    }
    for game in games {
        let form = both.form(game);
        let followers = both.oracle.followers(form);
        let remote = both.arena.remote_star(game).unwrap();
        for size in 0..9usize {
            let star = both.oracle.nimber(size);
            let met = followers.iter().any(|&follower| both.oracle.equal(follower, star));
            assert_eq!(both.arena.is_remote(game, size as u32).unwrap(), !met, "{}", both.name(game));
            assert!(!met || (size as u32) < remote, "no star from the remote one on is met");
        }
        // All stars that are large enough compare alike.
        let birthday = both.oracle.birthday(form);
        let compared = both.arena.compare_far_star(game).unwrap();
        for size in [birthday + 1, birthday + 2] {
            let star = both.oracle.nimber(size);
            let order = match (both.oracle.at_most(form, star), both.oracle.at_most(star, form)) {
                (true, true) => Some(Ordering::Equal),
                (true, false) => Some(Ordering::Less),
                (false, true) => Some(Ordering::Greater),
                (false, false) => None,
            };
            assert_eq!(order, compared, "{}", both.name(game));
        }
    }
}

#[test]
fn ordinal_sums_are_those_of_the_definition() {
    let mut both = Both::default();
    let games = both.games(149, 1500);
    let mut random = Random::new(151);
    for (at, &base) in games.iter().enumerate() {
        let tops = if at < 22 { games[..22].to_vec() } else { vec![*random.pick(&games)] };
        for top in tops {
            let (a, b) = (both.form(base), both.form(top));
            let (sum, written) = (both.arena.ordinal_sum(base, top).unwrap(), both.oracle.ordinal_sum(a, b));
            both.assert_same(sum, written, "ordinal sum");
        }
    }
}
