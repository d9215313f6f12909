//! The field of nimbers against its definition: exhaustively where it is small, at random everywhere.

use game::Nim64;
use testkit::Random;

/// Any nimber; half of them are of some smaller width.
fn nimber(random: &mut Random) -> Nim64 {
    let shift = if random.next() & 1 == 0 { 0 } else { random.next() % 64 };
    Nim64(random.next() >> shift)
}

/// The product as it is defined: the mex of a′⊗b ⊕ a⊗b′ ⊕ a′⊗b′ over all smaller a′ and b′.
fn products_by_definition(below: usize) -> Vec<Vec<usize>> {
    let mut products = vec![vec![0; below]; below];
    for a in 0..below {
        for b in 0..=a {
            let mut met = vec![false; 2 * below];
            for less_a in 0..a {
                for less_b in 0..b {
                    met[products[less_a][b] ^ products[a][less_b] ^ products[less_a][less_b]] = true;
                }
            }
            let product = met.iter().position(|met| !met).unwrap();
            products[a][b] = product;
            products[b][a] = product;
        }
    }
    products
}

#[test]
fn products_below_256_are_those_of_the_definition() {
    let products = products_by_definition(256);
    for (a, row) in products.iter().enumerate() {
        for (b, &product) in row.iter().enumerate() {
            assert_eq!(Nim64(a as u64) * Nim64(b as u64), Nim64(product as u64), "{a} times {b}");
        }
    }
}

/// The product of two powers of 2, and with it any product, by the rules for Fermat powers alone.
fn plain_product(a: u64, b: u64) -> u64 {
    let bits = |n: u64| (0..64).filter(move |bit| n >> bit & 1 == 1);
    bits(a).flat_map(|x| bits(b).map(move |y| powers(x, y))).fold(0, |sum, product| sum ^ product)
}

/// 2^x times 2^y. A power 2^x is the product of the Fermat powers 2^(2^i) over the bits i of x; those that only one factor has
/// stay as they are, and of those that both have, the largest is squared first.
fn powers(x: u32, y: u32) -> u64 {
    let Some(largest) = (x & y).checked_ilog2() else { return 1 << (x | y) };
    let (fermat, bit) = (1u64 << (1 << largest), 1 << largest);
    plain_product(plain_product(powers(x ^ bit, y ^ bit), 1), fermat ^ (fermat >> 1))
}

#[test]
fn products_are_those_of_fermat_powers() {
    for x in 0..64 {
        for y in 0..64 {
            assert_eq!(Nim64(1 << x) * Nim64(1 << y), Nim64(powers(x, y)), "2^{x} times 2^{y}");
        }
    }
    let mut random = Random::new(1);
    for _ in 0..30 {
        let (a, b) = (nimber(&mut random), nimber(&mut random));
        assert_eq!(a * b, Nim64(plain_product(a.0, b.0)), "{a} times {b}");
    }
}

#[test]
fn known_values() {
    let product = |a: u64, b: u64| (Nim64(a) * Nim64(b)).0;
    assert_eq!(product(2, 2), 3);
    assert_eq!(product(2, 3), 1);
    assert_eq!(product(4, 4), 6);
    assert_eq!(product(8, 8), 13);
    assert_eq!(product(16, 16), 24);
    assert_eq!(product(16, 15), 240);
    assert_eq!(product(256, 256), 384);
    assert_eq!(product(1 << 16, 1 << 16), 98304);
}

#[test]
fn the_axioms_below_256() {
    let product = |a: usize, b: usize| (Nim64(a as u64) * Nim64(b as u64)).0 as usize;
    let products: Vec<Vec<usize>> = (0..256).map(|a| (0..256).map(|b| product(a, b)).collect()).collect();
    for a in 0..256 {
        assert_eq!((products[a][0], products[a][1]), (0, a));
        assert_eq!(products[a].contains(&1), a != 0, "all but 0 have an inverse");
        assert_eq!(Nim64(a as u64).inverse().map(|inverse| products[a][inverse.0 as usize]), (a != 0).then_some(1));
        for b in 0..256 {
            assert!(products[a][b] < 256, "the field is closed");
            assert_eq!(products[a][b], products[b][a]);
            for c in 0..256 {
                assert_eq!(products[products[a][b]][c], products[a][products[b][c]]);
                assert_eq!(products[a ^ b][c], products[a][c] ^ products[b][c]);
            }
        }
    }
}

#[test]
fn the_axioms_at_random() {
    let mut random = Random::new(2);
    for _ in 0..20_000 {
        let (a, b, c) = (nimber(&mut random), nimber(&mut random), nimber(&mut random));
        assert_eq!(a * b, b * a);
        assert_eq!((a * b) * c, a * (b * c));
        assert_eq!((a + b) * c, a * c + b * c);
        assert_eq!((a - b) + b, a);
        assert_eq!(a * Nim64::ONE, a);
        assert_eq!(a.square(), a * a);
        assert_eq!(a.square_root().square(), a);
        assert_eq!(a.square().square_root(), a);
        match a.inverse() {
            Some(inverse) => {
                assert_eq!(a * inverse, Nim64::ONE);
                assert_eq!((b / a) * a, b);
            }
            None => assert_eq!(a, Nim64::ZERO),
        }
        // A nimber of one of the fields of the tower leaves it by no operation.
        let within = |n: Nim64, bits: u32| n.0.checked_shr(bits).unwrap_or(0) == 0;
        for bits in [1, 2, 4, 8, 16, 32] {
            if within(a, bits) && within(b, bits) {
                assert!(within(a * b, bits) && within(a.square_root(), bits));
                assert!(within(a.inverse().unwrap_or_default(), bits));
            }
        }
    }
}

#[test]
fn powers_and_orders() {
    let mut random = Random::new(3);
    for _ in 0..300 {
        let a = nimber(&mut random);
        let mut power = Nim64::ONE;
        for exponent in 0..20 {
            assert_eq!(a.power(exponent), power);
            power *= a;
        }
        assert_eq!(a.power(1 << 63), a.square_root(), "the square root is a power");
        let (x, y) = (random.next() >> 1, random.next() >> 1);
        assert_eq!(a.power(x) * a.power(y), a.power(x + y));
        let Some(order) = a.order() else { continue };
        assert_eq!(a.power(order), Nim64::ONE);
        for prime in [3, 5, 17, 257, 641, 65537, 6_700_417] {
            assert!(order % prime != 0 || a.power(order / prime) != Nim64::ONE, "the order is the least exponent");
        }
    }
    for a in (1..256).map(Nim64) {
        let order = (1..).find(|&exponent| a.power(exponent) == Nim64::ONE);
        assert_eq!(a.order(), order);
    }
}

#[test]
fn traces_and_their_equation() {
    let mut random = Random::new(4);
    for round in 0..20_000u64 {
        let a = if round < 1000 { Nim64(round) } else { nimber(&mut random) };
        if round % 16 == 0 {
            let conjugates = std::iter::successors(Some(a), |x| Some(x.square())).take(64);
            assert_eq!(conjugates.sum::<Nim64>(), Nim64(a.trace().into()));
        }
        match a.artin_schreier_root() {
            Some(x) => {
                assert_eq!(x.square() + x, a);
                assert_eq!(x.0 & 1, 0, "the even one");
            }
            None => assert_eq!(a.trace(), 1),
        }
    }
}
