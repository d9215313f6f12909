//! Games whose targets are windows, against plain induction in 128 bits, written from the rules alone.

use rows::ahead::{AheadError, Gains, WindowGame, WindowMethod, WindowSolution, Windows};
use testkit::Random;

/// The targets of an index, from the words of the game.
fn targets(windows: &Windows<'_>, index: usize, last: usize) -> Vec<usize> {
    (index + 1..=last)
        .filter(|&target| match *windows {
            Windows::Fixed { least, most } => target - index >= least && most.is_none_or(|most| target - index <= most),
            Windows::Each { from, to } => from[index] <= target && target <= to[index],
        })
        .collect()
}

fn gain(gains: &Gains<'_>, from: usize, to: usize) -> i128 {
    i128::from(gains.arrive[to]) - gains.leave.map_or(0, |leave| i128::from(leave[from]))
}

/// The values by induction. Like the crate, it ends at the last index whose value does not fit in 64 bits.
fn plain(gains: &Gains<'_>, windows: &Windows<'_>) -> Result<Vec<i128>, usize> {
    let last = gains.arrive.len() - 1;
    let mut values = vec![0_i128; last + 1];
    for index in (0..=last).rev() {
        let worths = targets(windows, index, last).into_iter().map(|to| gain(gains, index, to) - values[to]);
        values[index] = worths.max().unwrap_or_else(|| gains.stuck.map_or(0, |stuck| i128::from(stuck[index])));
        i64::try_from(values[index]).map_err(|_| index)?;
    }
    Ok(values)
}

/// Compares everything there is to ask. Returns how the values were found, if they were.
fn check(gains: Gains<'_>, windows: Windows<'_>) -> Option<WindowMethod> {
    let game = WindowGame::new(gains, windows).unwrap();
    let what = || format!("{gains:?} {windows:?}");
    let values = match (plain(&gains, &windows), game.solve(&mut || true)) {
        (Ok(values), Ok(solution)) => {
            assert!(
                values.iter().eq(solution.values().iter().map(|&value| i128::from(value)).collect::<Vec<_>>().iter()),
                "{}",
                what()
            );
            check_moves(&values, &solution);
            values
        }
        (Err(index), Err(error)) => {
            assert_eq!(error, AheadError::Overflow { index }, "{}", what());
            return None;
        }
        (plain, solution) => panic!("{} {plain:?} {solution:?}", what()),
    };
    assert!(game.bytes() >= 8 * values.len() as u128);
    Some(game.method())
}

fn check_moves(values: &[i128], solution: &WindowSolution<'_>) {
    let game = solution.game();
    let gains = game.gains();
    let last = values.len() - 1;
    for index in 0..=last {
        assert_eq!(solution.value(index).map(i128::from), Some(values[index]));
        let targets: Vec<usize> = game.window(index).map_or(vec![], |(from, to)| (from..=to).collect());
        let is_best = |&to: &usize| gain(gains, index, to) - values[to] == values[index];
        let best: Vec<usize> = targets.into_iter().filter(is_best).collect();
        assert_eq!(solution.best(index).collect::<Vec<_>>(), best);
        let mut line = solution.line(index);
        let mut at = index;
        let mut totals = [0, 0];
        let mut mover = 0;
        while let Some(step) = line.next() {
            assert_eq!((step.from, Some(step.to)), (at, solution.best(at).next()));
            assert_eq!(step.gain, gain(gains, at, step.to));
            totals[mover] += step.gain;
            assert_eq!(step.totals, totals);
            (at, mover) = (step.to, 1 - mover);
            assert_eq!(line.index(), at);
        }
        assert_eq!(game.window(at), None);
        let rest = i128::from(gains.stuck_at(at));
        let difference = totals[0] - totals[1] + if mover == 0 { rest } else { -rest };
        assert_eq!(difference, values[index]);
    }
    assert_eq!(
        (solution.value(last + 1), solution.best(last + 1).next(), solution.line(last + 1).next()),
        (None, None, None)
    );
}

/// Numbers of one of several kinds: ties, small, large, near the end of 64 bits.
fn numbers(count: usize, kind: u64, random: &mut Random) -> Vec<i64> {
    let number = |random: &mut Random| match kind {
        0 => random.below::<i64>(3) - 1,
        1 => random.below::<i64>(21) - 10,
        2 => random.below::<i64>(2_000_001) - 1_000_000,
        3 => random.below::<i64>(1 << 62) - (1 << 61),
        4 => [i64::MAX, i64::MIN, 0, 1 << 62, -(1 << 62), 1, i64::MAX - 1][random.below(7) as usize],
        _ => random.below::<i64>(2) * ((1 << 62) + random.below::<i64>(3)),
    };
    (0..count).map(|_| number(random)).collect()
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Fixed,
    Monotone,
    Any,
}

/// The two ends of a window for each index.
fn windows_for_each(kind: Kind, last: usize, random: &mut Random) -> (Vec<usize>, Vec<usize>) {
    let mut from = Vec::new();
    let mut to = Vec::new();
    let (mut low, mut high) = (0, 0);
    for index in 0..=last {
        let (a, b) = match kind {
            Kind::Any => {
                let a = index + 1 + random.below(last as u64 + 1) as usize;
                (a, a + random.below(last as u64 / 2 + 2) as usize)
            }
            _ => {
                low = (low + random.below(3) as usize).max(index + 1);
                high = (high + random.below(3) as usize).max(low.saturating_sub(1));
                (low, high)
            }
        };
        let b = b.min(last);
        // Some are empty, in several ways.
        let (a, b) = if a > last || random.below(9) == 0 {
            [(1, 0), (last + 5, last), (usize::MAX, 0)][random.below(3) as usize]
        } else {
            (a, b)
        };
        from.push(a);
        to.push(b);
    }
    (from, to)
}

fn run(kind: Kind, games: usize, longest: u64, seed: u64) -> Vec<Option<WindowMethod>> {
    let mut random = Random::new(seed);
    (0..games)
        .map(|_| {
            let last = random.below(longest + 1) as usize;
            let size = random.below(6);
            let arrive = numbers(last + 1, size, &mut random);
            let other = random.below(6).min(size);
            let leave = if random.below(3) == 0 { arrive.clone() } else { numbers(last + 1, other, &mut random) };
            let stuck = numbers(last + 1, other, &mut random);
            let gains = Gains {
                arrive: &arrive,
                leave: (random.below(4) > 0).then_some(&leave[..]),
                stuck: (random.below(2) > 0).then_some(&stuck[..]),
            };
            if kind == Kind::Fixed {
                let room = 1 + random.below(last as u64 + 2);
                let least = 1 + random.below(room) as usize;
                let most = [
                    None,
                    Some(least + random.below(last as u64 + 2) as usize),
                    Some(least + random.below(4) as usize),
                    Some(random.below(3) as usize),
                ];
                check(gains, Windows::Fixed { least, most: most[random.below(4) as usize] })
            } else {
                let (from, to) = windows_for_each(kind, last, &mut random);
                check(gains, Windows::Each { from: &from, to: &to })
            }
        })
        .collect()
}

#[test]
fn fixed_windows_agree_with_induction() {
    let methods = run(Kind::Fixed, 6000, 24, 1);
    for method in [None, Some(WindowMethod::Suffix), Some(WindowMethod::Blocks)] {
        assert!(methods.iter().filter(|&&found| found == method).count() > 500, "{method:?}");
    }
}

#[test]
fn monotone_windows_agree_with_induction() {
    let methods = run(Kind::Monotone, 4000, 24, 2);
    assert!(methods.iter().all(|method| method.is_none_or(|method| method == WindowMethod::Queue)));
    assert!(methods.iter().filter(|method| method.is_some()).count() > 2000);
}

#[test]
fn any_windows_agree_with_induction() {
    let methods = run(Kind::Any, 4000, 24, 3);
    assert!(methods.iter().filter(|&&method| method == Some(WindowMethod::Tree)).count() > 1500);
}

#[test]
fn longer_lists_agree_with_induction() {
    run(Kind::Fixed, 60, 200, 4);
    run(Kind::Monotone, 40, 200, 5);
    run(Kind::Any, 60, 200, 6);
}

#[test]
fn all_small_lists_agree_with_induction() {
    // All lists of up to five items from −1 to 1, under all fixed windows, with both ways to gain.
    for length in 0..=5_u32 {
        for code in 0..3_i64.pow(length) {
            let mut sums = vec![0];
            for k in 0..length {
                sums.push(sums[k as usize] + code / 3_i64.pow(k) % 3 - 1);
            }
            for least in 1..=3 {
                for most in [None, Some(1), Some(2), Some(3), Some(4), Some(5), Some(6)] {
                    let windows = Windows::Fixed { least, most };
                    check(Gains::of_items(&sums), windows);
                    check(Gains::of_prefixes(&sums), windows);
                    check(Gains { stuck: Some(&sums), ..Gains::of_items(&sums) }, windows);
                }
            }
        }
    }
}

/// Long lists: the three structures and a plain scan of short windows.
#[test]
fn the_structures_agree_on_long_lists() {
    let mut random = Random::new(7);
    let last = 50_000;
    for kind in 0..3 {
        let items = numbers(last, kind, &mut random);
        let mut sums = vec![0];
        sums.extend(items.iter().scan(0, |sum, item| Some(*sum + item).inspect(|next| *sum = *next)));
        for (least, most) in [(1, 3), (2, 40), (17, 1000), (1, 49_999), (1, 50_000), (3, 70_000)] {
            let gains = Gains::of_items(&sums);
            let fixed = WindowGame::new(gains, Windows::Fixed { least, most: Some(most) }).unwrap();
            let fixed = fixed.solve(&mut || true).unwrap();
            let from: Vec<usize> = (0..=last).map(|i| i + least).collect();
            let mut to: Vec<usize> = (0..=last).map(|i| (i + most).min(last)).collect();
            let queue = WindowGame::new(gains, Windows::Each { from: &from, to: &to }).unwrap();
            assert_eq!(queue.method(), WindowMethod::Queue);
            assert_eq!(fixed.values(), queue.solve(&mut || true).unwrap().values());
            // One window that moves back, at an index from which nothing follows.
            to[0] = last;
            to[1] = 1 + least;
            let tree = WindowGame::new(gains, Windows::Each { from: &from, to: &to }).unwrap();
            assert_eq!(tree.method(), WindowMethod::Tree);
            assert_eq!(fixed.values()[2..], tree.solve(&mut || true).unwrap().values()[2..]);
            if most <= 40 {
                for index in 0..last {
                    let worths =
                        (index + least..=(index + most).min(last)).map(|t| sums[t] - sums[index] - fixed.values()[t]);
                    assert_eq!(fixed.value(index), Some(worths.max().unwrap_or(0)));
                }
            }
            let steps = fixed.line(0).last().unwrap();
            assert_eq!(steps.totals[0] - steps.totals[1], i128::from(fixed.values()[0]));
        }
    }
}

#[test]
fn values_may_reach_the_ends_of_64_bits() {
    let solve = |arrive: &[i64], leave: &[i64]| {
        let gains = Gains { arrive, leave: Some(leave), stuck: None };
        WindowGame::new(gains, Windows::Fixed { least: 1, most: None })
            .unwrap()
            .solve(&mut || true)
            .map(|s| s.into_values())
    };
    assert_eq!(solve(&[0, i64::MAX], &[0, 0]), Ok(vec![i64::MAX, 0]));
    assert_eq!(solve(&[0, i64::MIN], &[0, 0]), Ok(vec![i64::MIN, 0]));
    assert_eq!(solve(&[0, i64::MAX], &[-1, 0]), Err(AheadError::Overflow { index: 0 }));
    assert_eq!(solve(&[0, i64::MIN], &[1, 0]), Err(AheadError::Overflow { index: 0 }));
    // At index 1 the key is 2^63, and does not fit; the value at index 0 does.
    assert_eq!(solve(&[0, i64::MAX, -1], &[5, 0, 0]), Ok(vec![i64::MAX - 4, -1, 0]));
    assert_eq!(solve(&[0, 5, -5], &[0, i64::MAX - 3, 0]), Err(AheadError::Overflow { index: 1 }));
}

#[test]
fn what_is_wrong_is_an_error() {
    let sums = [0, 1, 2];
    let fixed = Windows::Fixed { least: 1, most: None };
    let refused = |gains, windows| WindowGame::new(gains, windows).unwrap_err();
    assert_eq!(refused(Gains::of_prefixes(&[]), fixed), AheadError::Length { list: "arrive", wanted: 1, found: 0 });
    let short = Gains { leave: Some(&sums[1..]), ..Gains::of_items(&sums) };
    assert_eq!(refused(short, fixed), AheadError::Length { list: "leave", wanted: 3, found: 2 });
    let short = Gains { stuck: Some(&[]), ..Gains::of_items(&sums) };
    assert_eq!(refused(short, fixed), AheadError::Length { list: "stuck", wanted: 3, found: 0 });
    let gains = Gains::of_items(&sums);
    assert!(matches!(refused(gains, Windows::Fixed { least: 0, most: None }), AheadError::Window { index: 0, .. }));
    let each = |from, to| Windows::Each { from, to };
    assert_eq!(refused(gains, each(&[1, 2], &[2, 2, 2])), AheadError::Length { list: "from", wanted: 3, found: 2 });
    assert_eq!(refused(gains, each(&[1, 1, 9], &[2, 2, 2])), AheadError::Window { index: 1, from: 1, to: 2 });
    assert_eq!(refused(gains, each(&[1, 2, 9], &[2, 3, 2])), AheadError::Window { index: 1, from: 2, to: 3 });
    let message = refused(gains, each(&[1, 2, 9], &[2, 3, 2])).to_string();
    assert_eq!(message, "the window 2..=3 of index 1 must begin after it and end inside the list");
}

#[test]
fn long_work_can_be_stopped() {
    let sums: Vec<i64> = (0..400_000).collect();
    for most in [None, Some(7)] {
        let game = WindowGame::new(Gains::of_items(&sums), Windows::Fixed { least: 1, most }).unwrap();
        let mut asked = 0;
        let stopped = game.solve(&mut || {
            asked += 1;
            asked < 2
        });
        assert_eq!(stopped.unwrap_err(), AheadError::Stopped);
    }
}
