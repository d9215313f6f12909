//! Triangles against the definition, computed cell by cell in 128 bits.

use rows::taking::{End, row_value};
use rows::triangle::{Gains, Lanes, Plan, Storage, Triangle};
use testkit::Random;

/// The textbook table: D(i, j) in place i·(n + 1) + j.
fn textbook(gains: &Gains) -> Vec<i128> {
    let n = gains.len();
    let mut lead = vec![0; (n + 1) * (n + 1)];
    for i in (0..n).rev() {
        for j in i + 1..=n {
            let first = gains.first(i, j) - lead[(i + 1) * (n + 1) + j];
            let last = gains.last(i, j) - lead[i * (n + 1) + j - 1];
            lead[i * (n + 1) + j] = first.max(last);
        }
    }
    lead
}

fn check(gains: &Gains, truth: &[i128], triangle: &Triangle, note: &dyn Fn() -> String) {
    let n = gains.len();
    let at = |i: usize, j: usize| truth[i * (n + 1) + j];
    assert_eq!(triangle.value(), at(0, n), "{}", note());
    assert_eq!(triangle.prefixes(), &truth[1..=n], "{}", note());
    if triangle.storage() == Storage::Value {
        assert_eq!((triangle.best(0, n), triangle.line().is_none()), (None, n > 0));
        return;
    }
    for i in 0..n {
        for j in i + 1..=n {
            let first = gains.first(i, j) - at(i + 1, j) == at(i, j);
            assert_eq!(triangle.best(i, j) == Some(End::Left), first, "best of {i}..{j}: {}", note());
            if triangle.storage() == Storage::Table {
                assert_eq!(triangle.lead(i, j), Some(at(i, j)), "lead of {i}..{j}: {}", note());
            }
        }
    }
}

/// One way of computing it.
fn check_way(gains: &Gains, truth: &[i128], storage: Storage, lanes: &[Lanes], simd: bool, threads: usize) -> Lanes {
    let mut plan = Plan::among(gains, storage, u64::MAX, lanes).unwrap();
    if !simd {
        plan = plan.portable();
    }
    let mut last = 0;
    let triangle = plan.run(gains, threads, |intervals| {
        assert!(intervals >= last);
        last = intervals;
        true
    });
    check(gains, truth, &triangle.unwrap(), &|| format!("{plan:?} on {threads} threads, {gains:?}"));
    assert_eq!(last, plan.intervals());
    plan.lanes
}

/// All storages, all lanes, vectors and plain arrays, one to three threads.
fn check_all(gains: &Gains) {
    let truth = textbook(gains);
    for storage in [Storage::Value, Storage::Moves, Storage::Table] {
        for lanes in Lanes::ALL {
            for (simd, threads) in [(true, 1), (true, 2), (true, 3), (false, 1), (false, 2)] {
                check_way(gains, &truth, storage, &[lanes], simd, threads);
            }
        }
    }
}

#[test]
fn tiny_rows_all_ways() {
    check_all(&Gains::row(&[]));
    check_all(&Gains::row(&[5]));
    check_all(&Gains::row(&[-5]));
    check_all(&Gains::row(&[1, 2]));
    check_all(&Gains::row(&[i64::MIN, i64::MAX, i64::MIN, i64::MAX]));
    check_all(&Gains::ends(&[i64::MIN], &[i64::MAX]).unwrap());
}

#[test]
fn borders_of_tiles_all_ways() {
    let mut random = Random::new(1);
    for n in [15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 144, 255, 256, 257] {
        check_all(&Gains::row(&random.list(n, -9, 9)));
    }
    check_all(&Gains::ends(&random.list(150, -9, 9), &random.list(150, -9, 9)).unwrap());
}

#[test]
fn large_tiles() {
    let mut random = Random::new(2);
    for (n, lanes) in [(600, Lanes::I64), (1030, Lanes::I32), (1100, Lanes::I128), (1050, Lanes::I16)] {
        let gains = Gains::row(&random.list(n, 0, 50));
        let truth = textbook(&gains);
        for storage in [Storage::Value, Storage::Moves, Storage::Table] {
            assert_eq!(check_way(&gains, &truth, storage, &[lanes], true, 2), lanes);
        }
    }
}

#[test]
fn random_rows() {
    let mut random = Random::new(3);
    for round in 0..2500 {
        let n = if round % 10 == 0 { random.between(0, 300) } else { random.between(0, 60) } as usize;
        let size = random.between(0, 62) as u32;
        let (low, high) = match random.between(0, 3) {
            0 => (0, 1 << size),
            1 => (-(1 << size), 1 << size),
            2 => (1 << size, (1 << size) + 3),
            _ => (-(1 << size) - 2, -(1 << size)),
        };
        let mut list = || random.list(n, low, high);
        let gains = match round % 3 {
            0 => Gains::row(&list()),
            1 => Gains::ends(&list(), &list()).unwrap(),
            _ => Gains::sums([&list(), &list()], [&list(), &list()]).unwrap(),
        };
        let truth = textbook(&gains);
        let storage = [Storage::Value, Storage::Moves, Storage::Table][random.between(0, 2) as usize];
        let (simd, threads) = (random.between(0, 1) == 0, random.between(1, 3) as usize);
        let from = random.between(0, 3) as usize;
        check_way(&gains, &truth, storage, &Lanes::ALL[from..], simd, threads);
    }
}

#[test]
fn gains_that_are_the_rest() {
    let mut random = Random::new(4);
    for n in [1, 2, 40, 200] {
        let mut sums = vec![0];
        for stone in random.list(n, 1, 1000) {
            sums.push(sums[sums.len() - 1] + stone);
        }
        let minus: Vec<i64> = sums.iter().map(|sum| -sum).collect();
        let gains = Gains::sums([&minus[1..], &sums[1..]], [&minus[..n], &sums[..n]]).unwrap();
        let truth = textbook(&gains);
        // Sums of what remains grow, yet neighbours are as close as the stones are large.
        assert!(check_way(&gains, &truth, Storage::Table, &Lanes::ALL, true, 1).bits() <= 32);
        check_all(&gains);
    }
}

/// The narrowest lanes at the very limit of what they hold, and beyond it.
#[test]
fn limits_of_lanes() {
    for (bits, lanes) in [(15, Lanes::I16), (31, Lanes::I32), (62, Lanes::I64)] {
        for tile in [16, 32] {
            for n in [60, 300, 600] {
                // A spread that just fits with this tile, or just does not.
                let spread = (1_i64 << bits) / (tile + 4);
                for most in [spread - 1, spread, spread + 1] {
                    for pattern in 0..4 {
                        let item = |k: i64| match pattern {
                            0 => k % 2 * most,
                            1 => (k / 2 % 2) * most,
                            2 => i64::from(k * k % 7 < 3) * most,
                            _ => i64::from(k > n / 2) * (most - k % 2),
                        };
                        // One item without a common factor, or all would be divided by it.
                        let items: Vec<i64> = (0..n).map(|k| if k == n / 3 { 1 } else { item(k) }).collect();
                        let gains = Gains::row(&items);
                        let truth = textbook(&gains);
                        let used = check_way(&gains, &truth, Storage::Value, &[lanes], pattern % 2 == 0, 1);
                        if tile == 16 && most < spread && bits < 62 {
                            assert_eq!(used, lanes);
                        }
                        if n == 60 {
                            check_way(&gains, &truth, Storage::Table, &[lanes], pattern % 2 == 1, 1);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn sums_do_not_matter_to_short_lanes() {
    // The sum is far beyond 16 bits, the spread is small.
    let items: Vec<i64> = (0..1100).map(|k| 1_000_000_000_000 + k * k % 40).collect();
    let gains = Gains::row(&items);
    assert_eq!(check_way(&gains, &textbook(&gains), Storage::Table, &Lanes::ALL, true, 1), Lanes::I16);
}

#[test]
fn mirrored() {
    let mut random = Random::new(5);
    for n in [0, 1, 7, 50] {
        let mut list = || random.list(n, -20, 20);
        let gains = Gains::sums([&list(), &list()], [&list(), &list()]).unwrap();
        for gains in [gains, Gains::row(&list()), Gains::ends(&list(), &list()).unwrap()] {
            let (truth, mirror) = (textbook(&gains), textbook(&gains.mirrored()));
            for i in 0..=n {
                for j in i..=n {
                    assert_eq!(truth[i * (n + 1) + j], mirror[(n - j) * (n + 1) + n - i]);
                }
            }
        }
    }
}

#[test]
fn a_line_of_play_is_worth_the_value() {
    let mut random = Random::new(6);
    for n in [0, 1, 30, 270] {
        let items = random.list(n, -30, 99);
        let gains = Gains::row(&items);
        for storage in [Storage::Moves, Storage::Table] {
            let plan = Plan::new(&gains, storage, u64::MAX).unwrap();
            let triangle = plan.run(&gains, 1, |_| true).unwrap();
            let (mut i, mut j, mut lead, mut sign) = (0, n, 0, 1);
            for end in triangle.line().unwrap() {
                match end {
                    End::Left => {
                        lead += sign * gains.first(i, j);
                        i += 1;
                    }
                    End::Right => {
                        lead += sign * gains.last(i, j);
                        j -= 1;
                    }
                }
                sign = -sign;
            }
            assert_eq!((i, lead), (j, triangle.value()));
            assert_eq!(row_value(&items, &mut || true), Ok(lead));
        }
    }
}

#[test]
fn no_such_interval() {
    let gains = Gains::row(&[1, 2, 3]);
    let triangle = Plan::new(&gains, Storage::Table, u64::MAX).unwrap().run(&gains, 1, |_| true).unwrap();
    assert_eq!(triangle.lead(2, 1), None);
    assert_eq!(triangle.lead(0, 4), None);
    assert_eq!(triangle.lead(3, 3), Some(0));
    assert_eq!(triangle.best(1, 1), None);
    assert_eq!(triangle.best(1, 9), None);
    assert!(Gains::ends(&[1], &[]).unwrap_err().to_string().contains("1 and 0"));
}
