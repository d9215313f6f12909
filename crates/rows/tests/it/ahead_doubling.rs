//! Games whose limit grows with what was passed, against plain induction in 128 bits, written from the rules alone.

use rows::ahead::{AheadError, DoublingGame, DoublingSolution, Gains};
use testkit::Random;

fn gain(gains: &Gains<'_>, from: usize, to: usize) -> i128 {
    i128::from(gains.arrive[to]) - gains.leave.map_or(0, |leave| i128::from(leave[from]))
}

/// A game as the rules have it.
#[derive(Clone, Copy, Debug)]
struct Rules<'a> {
    gains: Gains<'a>,
    limits: &'a [usize],
    start: (usize, usize),
}

/// The values of all pairs by induction, by index and bound.
fn plain(rules: Rules<'_>) -> Vec<Vec<i128>> {
    let Rules { gains, limits, .. } = rules;
    let last = gains.arrive.len() - 1;
    let mut values = vec![vec![0; limits.len()]; last + 1];
    for i in (0..=last).rev() {
        for m in 0..limits.len() {
            let most = limits[m].min(last - i);
            let worths = (1..=most).map(|x| gain(&gains, i, i + x) - values[i + x][m.max(x)]);
            values[i][m] = worths.max().unwrap_or_else(|| gains.stuck.map_or(0, |stuck| stuck[i].into()));
        }
    }
    values
}

/// Which pairs play can reach.
fn reached(rules: Rules<'_>) -> Vec<Vec<bool>> {
    let last = rules.gains.arrive.len() - 1;
    let mut reached = vec![vec![false; rules.limits.len()]; last + 1];
    reached[rules.start.0][rules.start.1] = true;
    for i in 0..=last {
        for m in 0..rules.limits.len() {
            let most = if reached[i][m] { rules.limits[m].min(last - i) } else { 0 };
            for x in 1..=most {
                reached[i + x][m.max(x)] = true;
            }
        }
    }
    reached
}

/// Compares everything there is to ask. Returns whether all values fit.
fn check(rules: Rules<'_>) -> bool {
    let game = DoublingGame::new(rules.gains, rules.limits, rules.start).unwrap();
    let values = plain(rules);
    let fits = |value: i128| i64::try_from(value).is_ok();
    let solution = match game.solve(&mut || true) {
        Ok(solution) => solution,
        Err(AheadError::Overflow { index }) => {
            assert!(values[index].iter().any(|&value| !fits(value)), "{rules:?}");
            return false;
        }
        Err(error) => panic!("{error:?} {rules:?}"),
    };
    let reached = reached(rules);
    for (i, row) in values.iter().enumerate() {
        for (m, &value) in row.iter().enumerate() {
            match solution.value(i, m) {
                Some(found) => assert_eq!(i128::from(found), value, "{i} {m} {rules:?}"),
                None => assert!(!reached[i][m], "{i} {m} {rules:?}"),
            }
            if reached[i][m] {
                check_moves(rules, &values, &solution, (i, m));
            }
        }
    }
    check_bands(rules, &game, &solution);
    let beyond = (values.len(), rules.start.1);
    assert_eq!((solution.value(beyond.0, beyond.1), solution.value(0, usize::MAX)), (None, None));
    assert_eq!((solution.best(beyond.0, 1).next(), solution.line(0, usize::MAX).next()), (None, None));
    true
}

/// Bands of bounds, as many as little memory asks for, know the same values; together they know all.
fn check_bands(rules: Rules<'_>, game: &DoublingGame<'_>, solution: &DoublingSolution<'_>) {
    for share in [2, 3, 5, 8] {
        let Some(bands) = game.bands(game.bytes() * share / 8, game.bytes() * share / 9) else { continue };
        let bands: Vec<_> = bands.iter().map(|band| game.solve_band(band, &mut || true).unwrap()).collect();
        for i in 0..rules.gains.arrive.len() {
            for m in 0..rules.limits.len() {
                let found = bands.iter().filter_map(|band| band.value(rules.limits, rules.gains.arrive, (i, m)));
                let found: Vec<i64> = found.collect();
                assert!(found.iter().all(|value| Some(*value) == solution.value(i, m)), "{i} {m} {rules:?}");
                assert_eq!(found.is_empty(), solution.value(i, m).is_none(), "{i} {m} {rules:?}");
            }
        }
    }
}

fn check_moves(rules: Rules<'_>, values: &[Vec<i128>], solution: &DoublingSolution<'_>, (i, m): (usize, usize)) {
    let best_of = |i: usize, m: usize| {
        let most = rules.limits[m].min(values.len() - 1 - i);
        (1..=most).filter(move |&x| gain(&rules.gains, i, i + x) - values[i + x][m.max(x)] == values[i][m])
    };
    assert!(solution.best(i, m).eq(best_of(i, m)), "{i} {m} {rules:?}");
    let mut line = solution.line(i, m);
    let (mut at, mut bound, mut mover, mut totals) = (i, m, 0, [0, 0]);
    while let Some(step) = line.next() {
        let count = best_of(at, bound).next().unwrap();
        assert_eq!((step.from, step.to, step.gain), (at, at + count, gain(&rules.gains, at, at + count)));
        totals[mover] += step.gain;
        assert_eq!(step.totals, totals);
        (at, bound, mover) = (step.to, bound.max(count), 1 - mover);
        assert_eq!(line.position(), (at, bound));
    }
    assert_eq!(best_of(at, bound).next(), None);
    let rest = i128::from(rules.gains.stuck_at(at));
    assert_eq!(totals[0] - totals[1] + if mover == 0 { rest } else { -rest }, values[i][m]);
}

/// Numbers of one of several kinds: ties, small, large, near the end of 64 bits.
fn numbers(count: usize, kind: u64, random: &mut Random) -> Vec<i64> {
    let mut number = || match kind {
        0 => random.below::<i64>(3) - 1,
        1 => random.below::<i64>(21) - 10,
        2 => random.below::<i64>(1 << 40) - (1 << 39),
        3 => random.below::<i64>(1 << 62) - (1 << 61),
        4 => [i64::MAX, i64::MIN, 0, 1 << 62, -(1 << 62), 1, i64::MAX - 1][random.below(7) as usize],
        _ => random.below::<i64>(2) * ((1 << 62) + random.below::<i64>(3)),
    };
    (0..count).map(|_| number()).collect()
}

/// Limits of one of several kinds, for bounds up to a largest.
fn limits(largest: usize, kind: u64, random: &mut Random) -> Vec<usize> {
    let mut risen = 0;
    (0..=largest)
        .map(|m| {
            risen += [0, 0, 1, 1, 2, 5][random.below(6)];
            match kind {
                0 => 2 * m,
                1 => m + 1,
                2 => 3 * m,
                3 => m,
                4 => 2 * m + 1,
                5 => m / 2 + 2,
                6 => 3,
                7 => m.div_ceil(4) * 4,
                8 => m + 3,
                9 => usize::MAX,
                _ => risen,
            }
        })
        .collect()
}

fn run(games: usize, longest: u64, seed: u64) -> [usize; 2] {
    let mut random = Random::new(seed);
    let mut counts = [0, 0];
    for _ in 0..games {
        let last = random.below(longest + 1) as usize;
        let size = random.below(6);
        let arrive = numbers(last + 1, size, &mut random);
        let other = random.below(6).min(size);
        let leave = if random.below(2) == 0 { arrive.clone() } else { numbers(last + 1, other, &mut random) };
        let stuck = numbers(last + 1, other, &mut random);
        let gains = Gains {
            arrive: &arrive,
            leave: (random.below(4) > 0).then_some(&leave[..]),
            stuck: (random.below(2) > 0).then_some(&stuck[..]),
        };
        let far = random.below(4) == 0;
        let start = (
            if far { random.below(last as u64 + 1) as usize } else { 0 },
            [1, 1, 1, random.below(4) as usize, random.below(last as u64 + 4) as usize][random.below(5) as usize],
        );
        let kind = random.below(14);
        let limits = limits(last.max(start.1), kind, &mut random);
        counts[usize::from(check(Rules { gains, limits: &limits, start }))] += 1;
    }
    counts
}

#[test]
fn random_games_agree_with_induction() {
    let [lost, solved] = run(8000, 18, 1);
    assert!(lost > 500 && solved > 4000, "{lost} {solved}");
}

#[test]
fn longer_games_agree_with_induction() {
    run(150, 60, 2);
}

#[test]
fn all_small_lists_agree_with_induction() {
    let mut random = Random::new(3);
    for length in 0..=6_u32 {
        for code in 0..3_i64.pow(length) {
            let mut sums = vec![0];
            for k in 0..length {
                sums.push(sums[k as usize] + code / 3_i64.pow(k) % 3 - 1);
            }
            for kind in [0, 1, 2, 5] {
                let limits = limits(length.max(1) as usize, kind, &mut random);
                check(Rules { gains: Gains::of_items(&sums), limits: &limits, start: (0, 1) });
                check(Rules { gains: Gains::of_prefixes(&sums), limits: &limits, start: (0, 1) });
            }
        }
    }
}

/// Values only, by induction in 64 bits over the pairs that may matter.
#[test]
fn long_games_agree_with_induction() {
    let mut random = Random::new(4);
    let last = 500;
    for kind in [0, 1, 2, 4, 5, 7, 8, 10, 11] {
        let mut sums = vec![0];
        sums.extend(
            (0..last).scan(0, |sum, _| Some(*sum + random.below::<i64>(2001) - 1000).inspect(|next| *sum = *next)),
        );
        let limits = limits(last, kind, &mut random);
        let gains = Gains::of_items(&sums);
        let start = (random.below(20) as usize, 1);
        let game = DoublingGame::new(gains, &limits, start).unwrap();
        let solution = game.solve(&mut || true).unwrap();
        let mut values = vec![vec![0; last + 1]; last + 1];
        let mut known = 0;
        for i in (0..last).rev() {
            for m in 0..=last {
                let worths = (1..=limits[m].min(last - i)).map(|x| sums[i + x] - sums[i] - values[i + x][m.max(x)]);
                values[i][m] = worths.max().unwrap_or(0);
                if let Some(found) = solution.value(i, m) {
                    known += 1;
                    assert_eq!(found, values[i][m], "{kind} {i} {m}");
                }
            }
        }
        assert!(known >= game.pairs() as usize);
        assert!(solution.value(start.0, start.1).is_some());
        if let Some(step) = solution.line(start.0, start.1).last() {
            assert_eq!(step.totals[0] - step.totals[1], values[start.0][start.1].into());
        }
    }
}

#[test]
fn few_pairs_need_a_cell() {
    for last in [0, 1, 10, 100, 1000, 4000_usize] {
        let sums: Vec<i64> = (0..=last as i64).collect();
        let limits: Vec<usize> = (0..=last.max(1)).map(|m| 2 * m).collect();
        let game = DoublingGame::new(Gains::of_items(&sums), &limits, (0, 1)).unwrap();
        let square = (last * last) as u128;
        assert!(game.pairs() <= square / 8 + 2 * last as u128, "{last} {}", game.pairs());
        // Four bytes a cell, and about the square root of n columns beside.
        let beside = 4 * last as u128 * (2 * (last as u128 / 2).isqrt() + 20) + 200;
        assert!(game.bytes() <= 4 * game.pairs() + beside, "{last} {}", game.bytes());
    }
}

#[test]
fn bytes_are_known_before_they_are_asked_for() {
    let sums = vec![0; 1_000_000];
    let limits: Vec<usize> = (0..sums.len()).map(|m| 2 * m).collect();
    let game = DoublingGame::new(Gains::of_items(&sums), &limits, (0, 1)).unwrap();
    assert!((500_000_000_000..510_000_000_000).contains(&game.bytes()), "{}", game.bytes());
    // A limit that grows by one leaves as many bounds as the square root of the list is long.
    let limits: Vec<usize> = (0..sums.len()).map(|m| m + 1).collect();
    let game = DoublingGame::new(Gains::of_items(&sums), &limits, (0, 1)).unwrap();
    assert!((3_000_000_000..4_500_000_000).contains(&game.bytes()), "{}", game.bytes());
}

#[test]
fn what_is_wrong_is_an_error() {
    let sums = [0, 1, 2];
    let refused = |gains, limits, start| DoublingGame::new(gains, limits, start).unwrap_err();
    let gains = Gains::of_items(&sums);
    assert_eq!(
        refused(Gains::of_prefixes(&[]), &[], (0, 0)),
        AheadError::Length { list: "arrive", wanted: 1, found: 0 }
    );
    assert_eq!(refused(gains, &[0, 2, 4], (3, 1)), AheadError::Start { index: 3, last: 2 });
    assert_eq!(refused(gains, &[0, 2], (0, 1)), AheadError::Length { list: "limits", wanted: 3, found: 2 });
    assert_eq!(refused(gains, &[0, 2, 4], (0, 3)), AheadError::Length { list: "limits", wanted: 4, found: 3 });
    assert!(matches!(refused(gains, &[0, 2, 4], (0, usize::MAX)), AheadError::Length { list: "limits", .. }));
    assert_eq!(refused(gains, &[0, 2, 1], (0, 1)), AheadError::FallingLimit { bound: 2 });
    // Below the bound of the start, limits do not matter.
    assert!(DoublingGame::new(gains, &[9, 2, 4], (0, 1)).is_ok());
}

#[test]
fn long_work_can_be_stopped() {
    let sums: Vec<i64> = (0..4000).collect();
    let limits: Vec<usize> = (0..4000).map(|m| 2 * m).collect();
    let game = DoublingGame::new(Gains::of_items(&sums), &limits, (0, 1)).unwrap();
    let mut asked = 0;
    let stopped = game.solve(&mut || {
        asked += 1;
        asked < 3
    });
    assert_eq!(stopped.unwrap_err(), AheadError::Stopped);
}
