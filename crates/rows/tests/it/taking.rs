//! Rows and stacks against plain recursion over all positions, written from the rules of the game alone.

use rows::taking::{
    BestMoves, End, FirstMove, List, RowValues, Shape, Stopped, Take, best_moves, first_moves, line, row_value,
    row_values, sum_value,
};
use testkit::Random;

/// All positions of a sum with their values, found by recursion.
struct Plain {
    lists: Vec<(Shape, Vec<i64>)>,
    /// What is left of each list: the bounds of a slice.
    windows: Vec<(usize, usize)>,
    known: Vec<Option<i128>>,
}

impl Plain {
    fn new(lists: &[(Shape, Vec<i64>)]) -> Plain {
        let positions = lists.iter().map(|(_, items)| (items.len() + 1).pow(2)).product();
        let windows = lists.iter().map(|(_, items)| (0, items.len())).collect();
        Plain { lists: lists.to_vec(), windows, known: vec![None; positions] }
    }

    fn code(&self) -> usize {
        self.lists.iter().zip(&self.windows).fold(0, |code, ((_, items), &(from, to))| {
            let base = items.len() + 1;
            (code * base + from) * base + to
        })
    }

    fn moves(&self) -> Vec<Take> {
        let mut moves = Vec::new();
        for (list, ((shape, items), &(from, to))) in self.lists.iter().zip(&self.windows).enumerate() {
            if from < to {
                if *shape == Shape::Row {
                    moves.push(Take { list, end: End::Left, gain: items[from] });
                }
                moves.push(Take { list, end: End::Right, gain: items[to - 1] });
            }
        }
        moves
    }

    fn play(&mut self, mv: Take) {
        match mv.end {
            End::Left => self.windows[mv.list].0 += 1,
            End::Right => self.windows[mv.list].1 -= 1,
        }
    }

    fn undo(&mut self, mv: Take) {
        match mv.end {
            End::Left => self.windows[mv.list].0 -= 1,
            End::Right => self.windows[mv.list].1 += 1,
        }
    }

    fn value_after(&mut self, mv: Take) -> i128 {
        self.play(mv);
        let value = self.value();
        self.undo(mv);
        value
    }

    fn value(&mut self) -> i128 {
        let code = self.code();
        if let Some(value) = self.known[code] {
            return value;
        }
        let moves = self.moves();
        let value = moves.iter().map(|&mv| i128::from(mv.gain) - self.value_after(mv)).max().unwrap_or(0);
        self.known[code] = Some(value);
        value
    }
}

fn go() -> impl FnMut() -> bool {
    || true
}

/// Compares everything the crate says about a sum with the recursion; every move of the line must be optimal.
fn check(owned: &[(Shape, Vec<i64>)]) {
    let lists: Vec<List<'_>> = owned.iter().map(|(shape, items)| List { shape: *shape, items }).collect();
    let mut plain = Plain::new(owned);
    let value = plain.value();
    assert_eq!(sum_value(&lists, &mut go()), Ok(value), "value of {owned:?}");

    let expected: Vec<FirstMove> =
        plain.moves().into_iter().map(|take| FirstMove { take, after: plain.value_after(take) }).collect();
    let mut seen = Vec::new();
    assert_eq!(first_moves(&lists, &mut go(), &mut |mv| seen.push(mv)), Ok(value), "value with moves of {owned:?}");
    assert_eq!(seen, expected, "first moves of {owned:?}");
    let moves = expected.iter().filter(|mv| mv.worth() == value).map(|mv| mv.take).collect();
    assert_eq!(best_moves(&lists, &mut go()), Ok(BestMoves { value, moves }), "best moves of {owned:?}");

    if let [(Shape::Row, items)] = owned {
        assert_eq!(row_value(items, &mut go()), Ok(value), "{items:?}");
        let RowValues { value: same, after } = row_values(items, &mut go()).unwrap();
        assert_eq!(same, value, "{items:?}");
        assert_eq!(after.map(|after| after.left), expected.first().map(|mv| mv.after), "left of {items:?}");
        assert_eq!(after.map(|after| after.right), expected.last().map(|mv| mv.after), "right of {items:?}");
    }

    let mut moves = line(&lists, &mut go()).unwrap();
    assert_eq!(moves.value(), value, "value of the line of {owned:?}");
    let mut left: usize = owned.iter().map(|(_, items)| items.len()).sum();
    let (mut sign, mut score) = (1, 0);
    loop {
        assert_eq!(moves.len(), left);
        let Some(mv) = moves.next() else { break };
        assert!(plain.moves().contains(&mv), "{mv:?} is no move in {owned:?} at {:?}", plain.windows);
        let before = plain.value();
        assert_eq!(
            i128::from(mv.gain) - plain.value_after(mv),
            before,
            "{mv:?} is a mistake in {owned:?} at {:?}",
            plain.windows
        );
        score += sign * i128::from(mv.gain);
        sign = -sign;
        plain.play(mv);
        left -= 1;
    }
    assert_eq!((left, score), (0, value), "total of the line of {owned:?}");
}

/// All lists of a length with items from `low` to `high`.
fn all_items(length: u32, low: i64, high: i64) -> impl Iterator<Item = Vec<i64>> {
    let base = high - low + 1;
    (0..base.pow(length)).map(move |code| (0..length).map(|k| low + code / base.pow(k) % base).collect())
}

/// An item of some kind: small with many ties, middling, or at the edges of what fits.
fn item(random: &mut Random, kind: u64) -> i64 {
    match kind {
        0 => random.between(-1, 1),
        1 => random.below(12),
        2 => random.between(-1000, 1000),
        3 => (1 << 62) - 2 + random.below(5),
        4 => [i64::MIN, i64::MAX, -(1 << 62), 1 << 62, 0, i64::MIN + 1, i64::MAX - 1][random.below(7)],
        _ => random.next() as i64,
    }
}

fn list(random: &mut Random, most: u64, kind: u64) -> (Shape, Vec<i64>) {
    let length = random.below(most + 1);
    let shape = if random.one_in(2) { Shape::Row } else { Shape::Stack };
    (shape, (0..length).map(|_| item(random, kind)).collect())
}

#[test]
fn every_short_row() {
    for length in 0..=7 {
        for items in all_items(length, -2, 2) {
            check(&[(Shape::Row, items)]);
        }
    }
}

#[test]
fn every_short_stack() {
    for length in 0..=6 {
        for items in all_items(length, -2, 2) {
            check(&[(Shape::Stack, items)]);
        }
    }
}

#[test]
fn every_sum_of_two_short_lists() {
    let mut lists = Vec::new();
    for length in 1..=3 {
        for items in all_items(length, -1, 2) {
            lists.extend([(Shape::Row, items.clone()), (Shape::Stack, items)]);
        }
    }
    for (n, one) in lists.iter().enumerate() {
        for other in &lists[n..] {
            check(&[one.clone(), other.clone()]);
        }
    }
}

#[test]
fn every_sum_of_three_very_short_lists() {
    let mut lists = Vec::new();
    for length in 1..=2 {
        for items in all_items(length, -1, 2) {
            lists.extend([(Shape::Row, items.clone()), (Shape::Stack, items)]);
        }
    }
    for (n, one) in lists.iter().enumerate() {
        for (m, other) in lists.iter().enumerate().skip(n) {
            for third in &lists[m..] {
                check(&[one.clone(), other.clone(), third.clone()]);
            }
        }
    }
}

#[test]
fn every_sum_of_four_and_three_items() {
    for one in all_items(4, 0, 2) {
        for other in all_items(3, 0, 2) {
            for [shape, other_shape] in
                [[Shape::Stack, Shape::Row], [Shape::Row, Shape::Stack], [Shape::Stack, Shape::Stack]]
            {
                check(&[(shape, one.clone()), (other_shape, other.clone())]);
            }
        }
    }
}

#[test]
fn every_sum_of_three_lists_of_bits() {
    let mut lists = Vec::new();
    for length in 1..=3 {
        for items in all_items(length, 0, 1) {
            lists.extend([(Shape::Row, items.clone()), (Shape::Stack, items)]);
        }
    }
    for (n, one) in lists.iter().enumerate() {
        for (m, other) in lists.iter().enumerate().skip(n) {
            for third in &lists[m..] {
                check(&[one.clone(), other.clone(), third.clone()]);
            }
        }
    }
}

#[test]
fn random_rows() {
    let mut random = Random::new(1);
    for round in 0..1500 {
        let kind = round % 6;
        let length = random.below(25);
        let items = (0..length).map(|_| item(&mut random, kind)).collect();
        check(&[(Shape::Row, items)]);
    }
}

#[test]
fn random_stacks() {
    let mut random = Random::new(2);
    for round in 0..1500 {
        let kind = round % 6;
        let length = random.below(40);
        let items = (0..length).map(|_| item(&mut random, kind)).collect();
        check(&[(Shape::Stack, items)]);
    }
}

#[test]
fn random_sums() {
    let mut random = Random::new(3);
    for round in 0..2400 {
        let kind = round % 6;
        let (count, most) = [(2, 12), (3, 5), (4, 3), (6, 1), (3, 4), (5, 2)][random.below(6) as usize];
        let lists: Vec<_> = (0..count).map(|_| list(&mut random, most, kind)).collect();
        check(&lists);
    }
}

#[test]
fn mixed_sizes_of_numbers_in_one_sum() {
    let mut random = Random::new(4);
    for _ in 0..500 {
        let lists: Vec<_> = (0..2)
            .map(|_| {
                let kind = random.below(6);
                list(&mut random, 8, kind)
            })
            .collect();
        check(&lists);
    }
}

#[test]
fn nothing_to_take() {
    check(&[]);
    check(&[(Shape::Row, vec![])]);
    check(&[(Shape::Stack, vec![])]);
    check(&[(Shape::Stack, vec![]), (Shape::Row, vec![]), (Shape::Row, vec![-3])]);
}

#[test]
fn results_beyond_64_bits() {
    let items = [i64::MAX, i64::MIN, i64::MAX, i64::MIN];
    check(&[(Shape::Row, items.to_vec())]);
    let lists: Vec<List<'_>> = items.iter().map(|item| List::row(std::slice::from_ref(item))).collect();
    assert_eq!(sum_value(&lists, &mut go()), Ok(0));
    let row = [i64::MIN, i64::MAX];
    assert_eq!(row_value(&row, &mut go()), Ok(i128::from(u64::MAX)));
}

#[test]
fn greedy_is_refuted_where_texts_say_it_works() {
    let best = |items: &[i64]| best_moves(&[List::row(items)], &mut go()).unwrap();
    assert_eq!(best(&[0, 0, 2, 1]), BestMoves { value: 1, moves: vec![Take { list: 0, end: End::Left, gain: 0 }] });
    assert_eq!(best(&[1, 5, 233, 7]).moves, [Take { list: 0, end: End::Left, gain: 1 }]);
    assert_eq!(best(&[1, 0, 1, 2]).value, 2);
}

#[test]
fn the_hook_stops_the_work() {
    let items = vec![1; 1 << 19];
    let ones: Vec<List<'_>> = items.iter().map(|item| List::stack(std::slice::from_ref(item))).collect();
    let one = [List::row(&items)];
    for lists in [&one[..], &ones] {
        for stop_at in [1, 2] {
            let hook = || {
                let mut asked = 0;
                move || {
                    asked += 1;
                    asked < stop_at
                }
            };
            assert_eq!(sum_value(lists, &mut hook()), Err(Stopped));
            assert_eq!(first_moves(lists, &mut hook(), &mut |_| ()), Err(Stopped));
            assert!(line(lists, &mut hook()).is_err());
        }
    }
    assert_eq!(row_value(&items, &mut || false), Err(Stopped));
    assert_eq!(row_values(&items, &mut || false), Err(Stopped));
}
