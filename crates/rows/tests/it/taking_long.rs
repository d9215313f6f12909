//! Long lists, where recursion is out of reach: against the table of all intervals, against the theorem written down
//! plainly, and against the crate itself on the lists after each move.

use rows::taking::{End, List, Shape, best_moves, first_moves, line, row_value, row_values, sum_value};
use testkit::Random;

fn go() -> impl FnMut() -> bool {
    || true
}

/// The shapes of rows that might upset a reduction in pieces.
fn patterns(length: usize, seed: u64) -> Vec<(&'static str, Vec<i64>)> {
    let mut random = Random::new(seed);
    let n = length as i64;
    let mut sorted: Vec<i64> = (0..n).map(|_| random.below::<i64>(1 << 40) - (1 << 39)).collect();
    sorted.sort_unstable();
    let falling = sorted.iter().rev().copied().collect();
    let mut valley: Vec<i64> = (0..n).map(|k| (2 * k - n).abs() + random.below::<i64>(3)).collect();
    valley[length / 2] = -5;
    vec![
        ("random", (0..n).map(|_| random.below::<i64>(2_000_001) - 1_000_000).collect()),
        ("ties", (0..n).map(|_| random.below::<i64>(3) - 1).collect()),
        ("bits", (0..n).map(|_| random.below::<i64>(2)).collect()),
        ("rising", sorted),
        ("falling", falling),
        ("constant", vec![7; length]),
        ("negative", vec![-7; length]),
        ("alternating", (0..n).map(|k| if k % 2 == 0 { 1 } else { 1000 - k }).collect()),
        ("widening", (0..n).map(|k| if k % 2 == 0 { -k } else { k }).collect()),
        ("valley", valley),
        ("hill", (0..n).map(|k| n - (2 * k - n).abs()).collect()),
        ("walk", (0..n).scan(0, |at, _| Some(*at).inspect(|_| *at += random.below::<i64>(201) - 100)).collect()),
    ]
}

/// The value of a row and of its two options, from the table of all intervals.
fn by_table(items: &[i64]) -> (i64, i64, i64) {
    let n = items.len();
    let mut values = vec![0; n + 1];
    let mut before = values.clone();
    for length in 1..=n {
        before.copy_from_slice(&values);
        for from in 0..=n - length {
            values[from] = (items[from] - before[from + 1]).max(items[from + length - 1] - before[from]);
        }
    }
    (values[0], before[1], before[0])
}

/// The theorem, written down plainly: rescan and fuse until nothing fuses.
fn by_theorem(lists: &[(Shape, Vec<i64>)]) -> i128 {
    let mut all = Vec::new();
    let mut settlement = 0;
    let mut count = 0;
    for (shape, items) in lists {
        count += items.len();
        let mut items: Vec<i128> = items.iter().map(|&item| item.into()).collect();
        while let Some(k) = (2..items.len()).find(|&k| items[k - 2] <= items[k - 1] && items[k - 1] >= items[k]) {
            items.splice(k - 2..=k, [items[k - 2] - items[k - 1] + items[k]]);
        }
        while *shape == Shape::Stack && items.len() >= 2 && items[0] >= items[1] {
            settlement += items[0] - items[1];
            items.drain(..2);
        }
        all.extend(items);
    }
    all.sort_unstable();
    let sum: i128 = all.iter().rev().enumerate().map(|(k, a)| if k % 2 == 0 { *a } else { -a }).sum();
    if count % 2 == 1 { sum + settlement } else { sum - settlement }
}

#[test]
fn rows_through_the_lanes_agree_with_the_table() {
    // A little over one and two rounds of lanes, and just at their bounds.
    for length in [8192, 8193, 8194, 8500] {
        for (name, items) in patterns(length, length as u64) {
            if length == 8500 || matches!(name, "random" | "bits") {
                let (value, left, right) = by_table(&items);
                let values = row_values(&items, &mut go()).unwrap();
                let after = values.after.unwrap();
                let found = (values.value, after.left, after.right);
                assert_eq!(found, (value.into(), left.into(), right.into()), "{name} of {length}");
                assert_eq!(row_value(&items, &mut go()), Ok(value.into()), "{name} of {length}");
            }
        }
    }
}

#[test]
fn wide_and_narrow_numbers_agree() {
    for (name, items) in patterns(30_000, 5) {
        // A factor on all items is a factor on the value, but needs 128 bits.
        let factor = i64::MAX / items.iter().map(|item| item.abs()).max().unwrap_or(1).max(1);
        let scaled: Vec<i64> = items.iter().map(|item| item * factor).collect();
        let (narrow, wide) = (row_values(&items, &mut go()).unwrap(), row_values(&scaled, &mut go()).unwrap());
        let by_factor = |value: i128| value * i128::from(factor);
        assert_eq!(wide.value, by_factor(narrow.value), "{name}");
        assert_eq!(wide.after.map(|after| after.left), narrow.after.map(|after| by_factor(after.left)), "{name}");
        assert_eq!(wide.after.map(|after| after.right), narrow.after.map(|after| by_factor(after.right)), "{name}");
        // One large item at the very end, or in the middle, is found out in time.
        for place in [items.len() - 1, items.len() / 2, 0] {
            let mut spiked = items.clone();
            spiked[place] = i64::MAX;
            let values = row_values(&spiked, &mut go()).unwrap();
            let after = values.after.unwrap();
            let best = (i128::from(spiked[0]) - after.left).max(i128::from(spiked[spiked.len() - 1]) - after.right);
            assert_eq!(best, values.value, "{name} with a spike at {place}");
            assert_eq!(after.left, row_value(&spiked[1..], &mut go()).unwrap());
            assert_eq!(after.right, row_value(&spiked[..spiked.len() - 1], &mut go()).unwrap());
        }
    }
}

#[test]
fn sums_of_many_lists_agree_with_the_theorem() {
    let mut random = Random::new(11);
    for round in 0..150 {
        let count = random.below(60) + 1;
        let (most, range) = (*random.pick(&[1, 4, 12, 40]), *random.pick(&[3, 30, 1 << 40, 1 << 62]));
        let lists: Vec<(Shape, Vec<i64>)> = (0..count)
            .map(|_| {
                let length = random.below(most + 1);
                let shape = if random.below(2) == 0 { Shape::Row } else { Shape::Stack };
                (shape, (0..length).map(|_| random.between(-range, range - 1)).collect())
            })
            .collect();
        let views: Vec<List<'_>> = lists.iter().map(|(shape, items)| List { shape: *shape, items }).collect();
        let value = by_theorem(&lists);
        assert_eq!(sum_value(&views, &mut go()), Ok(value), "round {round}");
        let mut seen = Vec::new();
        assert_eq!(first_moves(&views, &mut go(), &mut |mv| seen.push(mv)), Ok(value), "round {round}");
        for mv in &seen {
            let mut after = lists.clone();
            let items = &mut after[mv.take.list].1;
            let item = if mv.take.end == End::Left { items.remove(0) } else { items.pop().unwrap() };
            assert_eq!(item, mv.take.gain);
            assert_eq!(mv.after, by_theorem(&after), "round {round}, {:?}", mv.take);
        }
        let ends = |shape| if shape == Shape::Row { 2 } else { 1 };
        let open = lists.iter().filter(|(_, items)| !items.is_empty());
        assert_eq!(seen.len(), open.map(|(shape, _)| ends(*shape)).sum::<usize>());
    }
}

#[test]
fn long_lines_add_up_and_their_moves_are_best() {
    for (name, items) in patterns(3000, 21) {
        let (one, other) = items.split_at(1100);
        let sums = [vec![List::row(&items)], vec![List::stack(&items)], vec![List::row(one), List::stack(other)]];
        for start in sums {
            let moves = line(&start, &mut go()).unwrap();
            let value = sum_value(&start, &mut go()).unwrap();
            assert_eq!((moves.value(), moves.len()), (value, items.len()), "{name}");
            // The line of a position in the middle of the game begins from shorter slices of the same lists.
            let mut lists = start.clone();
            let (mut sign, mut score) = (1, 0);
            for (n, mv) in moves.enumerate() {
                if n % 250 == 0 {
                    assert!(best_moves(&lists, &mut go()).unwrap().moves.contains(&mv), "{name}: move {n}");
                    let rest = sum_value(&lists, &mut go()).unwrap();
                    assert_eq!(score + sign * rest, value, "{name}: before move {n}");
                }
                let items = &mut lists[mv.list].items;
                let (item, rest) = if mv.end == End::Left { items.split_first() } else { items.split_last() }.unwrap();
                assert_eq!(*item, mv.gain);
                *items = rest;
                score += sign * i128::from(mv.gain);
                sign = -sign;
            }
            assert_eq!(score, value, "{name}");
        }
    }
}
