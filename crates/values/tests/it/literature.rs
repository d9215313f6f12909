//! Games with values that books state for whole families.

use testkit::Random;
use values::parts::{Options, Parts, Solver};
use values::{Arena, Dyadic, Result, Side, Value};

/// Cutcake: Left cuts a cake of columns × rows along columns, Right along rows.
struct Cutcake;

impl Parts for Cutcake {
    type Part = (u32, u32);

    fn options(&mut self, &(columns, rows): &(u32, u32), side: Side, options: &mut Options<(u32, u32)>) -> Result<()> {
        let length = if side == Side::Left { columns } else { rows };
        for cut in 1..length {
            options.begin();
            for piece in [cut, length - cut] {
                options.add(if side == Side::Left { (piece, rows) } else { (columns, piece) }, false);
            }
        }
        Ok(())
    }
}

/// Winning Ways, chapter 2: each row of the table repeats in blocks of powers of two.
#[test]
fn cutcake() {
    let (mut solver, mut arena) = (Solver::new(Cutcake), Arena::default());
    for columns in 1..=20u32 {
        for rows in 1..=20u32 {
            let value = solver.value(&mut arena, &(columns, rows)).unwrap();
            let (a, b) = (columns.ilog2(), rows.ilog2());
            let expected = match a.cmp(&b) {
                std::cmp::Ordering::Equal => 0,
                std::cmp::Ordering::Greater => (columns >> b) as i64 - 1,
                std::cmp::Ordering::Less => 1 - (rows >> a) as i64,
            };
            assert_eq!(arena.integer_of(value), Some(expected), "{columns} x {rows}");
        }
    }
}

/// Kayles: the same moves for both, one or two neighbours of a row.
struct Kayles;

impl Parts for Kayles {
    type Part = u32;

    fn options(&mut self, &row: &u32, _: Side, options: &mut Options<u32>) -> Result<()> {
        for taken in 1..=row.min(2) {
            for before in 0..=(row - taken) / 2 {
                options.begin();
                for rest in [before, row - taken - before] {
                    options.add(rest, false);
                }
            }
        }
        Ok(())
    }
}

/// OEIS A002186.
#[test]
fn kayles_is_a_nimber() {
    let (mut solver, mut arena) = (Solver::new(Kayles), Arena::default());
    for (row, nimber) in [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7].into_iter().enumerate() {
        let value = solver.value(&mut arena, &(row as u32)).unwrap();
        assert_eq!(arena.nimber_of(value), Some(nimber), "a row of {row}");
    }
}

/// The value of a string of blue (true) and red edges, from the ground up, by its sign expansion: whole steps until the
/// colour changes for the first time, then half as much each time (Berlekamp's rule; Winning Ways, chapter 3).
fn sign_expansion(edges: &[bool]) -> Dyadic {
    let run = edges.iter().take_while(|&&edge| edge == edges[0]).count();
    let sign = |edge: bool| if edge { 1 } else { -1 };
    let mut value = Dyadic::new(sign(edges[0]) * run as i64, 0).unwrap();
    for (at, &edge) in edges[run..].iter().enumerate() {
        value = value.plus(Dyadic::new(sign(edge), at as u32 + 1).unwrap()).unwrap();
    }
    value
}

#[test]
fn red_blue_strings() {
    let mut arena = Arena::default();
    let mut random = Random::new(79);
    let edges = [arena.integer(-1).unwrap(), arena.integer(1).unwrap()];
    for _ in 0..300 {
        let string: Vec<bool> = (0..1 + random.below(20usize)).map(|_| random.one_in(2)).collect();
        let value = string
            .iter()
            .rev()
            .fold(Value::ZERO, |above, &edge| arena.ordinal_sum(edges[edge as usize], above).unwrap());
        assert_eq!(arena.number_of(value), Some(sign_expansion(&string)), "{string:?}");
    }
}

/// Flowers: a green stalk of `n` edges with petals. Winning Ways, chapter 7: above a stalk, more blue than red petals
/// win.
#[test]
fn flowers() {
    let mut arena = Arena::default();
    for stalk in 1..6 {
        let stalk = arena.nimber(stalk).unwrap();
        for petals in 1..4 {
            let petals = arena.integer(petals).unwrap();
            let flower = arena.ordinal_sum(stalk, petals).unwrap();
            let weight = arena.atomic_weight(flower).unwrap();
            assert_eq!(arena.integer_of(weight), Some(1), "a blue flower has atomic weight 1");
            let two = arena.times(2, flower).unwrap();
            assert_eq!(arena.outcome(two), Ok(game::OutcomeClass::L), "two flowers ahead");
        }
    }
}

/// Col on a graph: Left paints blue, Right paints red, neighbours never alike. A node is free for both, for one, or
/// gone.
struct Col {
    neighbours: Vec<Vec<usize>>,
}

impl Parts for Col {
    type Part = Vec<u8>;

    fn options(&mut self, free: &Vec<u8>, side: Side, options: &mut Options<Vec<u8>>) -> Result<()> {
        let bit = 1 << side as u8;
        for node in (0..free.len()).filter(|&node| free[node] & bit != 0) {
            let mut next = free.clone();
            next[node] = 0;
            for &neighbour in &self.neighbours[node] {
                next[neighbour] &= !bit;
            }
            options.begin();
            options.add(next, false);
        }
        Ok(())
    }
}

/// Winning Ways, chapter 2: every position of Col is a number, or a number and a star.
#[test]
fn col_is_a_number_or_a_number_and_a_star() {
    let mut random = Random::new(83);
    let mut starred = 0;
    for _ in 0..60 {
        let nodes = 2 + random.below(6usize);
        let mut neighbours = vec![Vec::new(); nodes];
        for a in 0..nodes {
            for b in 0..a {
                if random.one_in(2) {
                    neighbours[a].push(b);
                    neighbours[b].push(a);
                }
            }
        }
        let (mut solver, mut arena) = (Solver::new(Col { neighbours }), Arena::default());
        let value = solver.value(&mut arena, &vec![3; nodes]).unwrap();
        let compact = arena.compact_of(value).expect("a number and perhaps a star");
        assert!(compact.up == 0 && compact.star <= 1);
        starred += compact.star;
    }
    assert!(starred > 5);
}

/// Values that books name, as equations. WW is Winning Ways, S is Siegel's Combinatorial Game Theory.
#[test]
fn equations() {
    let mut arena = Arena::default();
    for equation in [
        "^ + ^ + * = {0|^}",            // WW 3: double up star
        "^ || *",                       // WW 3
        "^^ > *",                       // WW 3
        "{0|^} = ^^*",                  // WW 3
        "^ + ^ = {0|^*}",               // WW 3
        "±1 + ±1 = 0",                  // WW 5: switches cancel
        "{3|-1} = 1 + ±2",              // WW 5
        "{5|1} + {4|-2} + {7|-3} |> 0", // switches are played hottest first
        "+_2 < ^",                      // WW 5: tinies are smaller than any multiple of up
        "50*+_1 < ^",                   // WW 5
        "+_2 < +_1",                    // WW 5: the larger the threat, the tinier
        "50*+_2 < +_1",                 // WW 5
        "^<2> < ^",                     // S II: ups to powers
        "50*^<2> < ^",
        "^[2] = ^ + ^<2>", // S II
        "^[2] = {^|*}",    // S II
        "1:{0|0} = 1:*",   // the colon
        "*:1 + *:1 = ^^",  // flowers
        "aw(*2:3) = 1",
        "cool(±1 + ±2, 1) = ±1 + *", // S II.5: cooling adds
        "temp({2|-1/2}) = 5/4",      // 2x3 Domineering
        "mean({2|-1/2}) = 3/4",
        "rcf({2|0||0}) = 0",
        "norton(1/2, ^) + norton(1/2, ^) = ^", // S II: products add
    ] {
        let answer = values::Calculator::new(&mut arena, &mut values::expression::NoPositions).evaluate(equation);
        assert!(matches!(answer, Ok(values::Answer::Truth(true))), "{equation}: {answer:?}");
    }
}
