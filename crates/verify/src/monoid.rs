//! Finite commutative monoids with a set of lost elements, given by what some elements make of all. Element 0 is 1.

use rules::stop::{self, Held};

use crate::refusal::Refusal;

/// More elements are refused.
pub const MOST_ELEMENTS: u64 = 1 << 12;

/// A monoid with all its products.
pub struct Monoid {
    order: usize,
    lost: Vec<bool>,
    products: Vec<u32>,
    _held: Held,
}

impl Monoid {
    /// The monoid in which each of these elements makes these elements of all, in order.
    ///
    /// All elements must come of 1, and any two actions must commute. Then words of actions that make the same of 1 make the same of
    /// everything: let q be what a word u makes of 1; then a word w makes of q what u makes of what w makes of 1.
    pub fn new(lost: Vec<bool>, actions: &[(u32, Vec<u32>)]) -> Result<Monoid, Refusal> {
        let order = lost.len();
        let mut held = Held::default();
        held.grow(4 * (order as u64).saturating_mul(order as u64))?;
        let inside = |element: &u32| (*element as usize) < order;
        let sound =
            |(own, row): &(u32, Vec<u32>)| row.len() == order && row.iter().all(inside) && row.first() == Some(own);
        if order == 0 || lost[0] || !actions.iter().all(sound) {
            return Err(Refusal::wrong(
                "this is no quotient: it has no elements, or the empty sum is lost, or a product is outside",
            ));
        }
        for (number, (_, one)) in actions.iter().enumerate() {
            stop::look()?;
            for (_, other) in &actions[..number] {
                if (0..order).any(|q| one[other[q] as usize] != other[one[q] as usize]) {
                    return Err(Refusal::wrong("two parts do not commute in the quotient"));
                }
            }
        }
        let mut products = vec![u32::MAX; order * order];
        (0..order).for_each(|q| products[q] = q as u32);
        let mut reached = vec![0usize];
        let mut next = 0;
        while let Some(&element) = reached.get(next) {
            next += 1;
            for (_, row) in actions {
                let to = row[element] as usize;
                if products[to * order] == u32::MAX {
                    for q in 0..order {
                        products[to * order + q] = row[products[element * order + q] as usize];
                    }
                    reached.push(to);
                }
            }
        }
        match reached.len() == order {
            true => Ok(Monoid { order, lost, products, _held: held }),
            false => Err(Refusal::wrong("an element of the quotient does not come of parts")),
        }
    }

    /// How many elements there are.
    pub fn order(&self) -> usize {
        self.order
    }

    /// The product of two elements.
    pub fn product(&self, one: u32, other: u32) -> u32 {
        self.products[one as usize * self.order + other as usize]
    }

    /// Whether sums of this element are lost.
    pub fn is_lost(&self, element: u32) -> bool {
        self.lost[element as usize]
    }

    /// The pair of a sum, from those of two sums.
    pub fn sum(&self, one: &Transition, other: &Transition) -> Transition {
        let wins = Set::new(self.order, |q| {
            one.wins.contains(self.product(q, other.element)) || other.wins.contains(self.product(q, one.element))
        });
        Transition { element: self.product(one.element, other.element), wins }
    }
}

/// A set of elements, as bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set(Box<[u64]>);

impl Set {
    /// The elements below an order that are in it.
    pub fn new(order: usize, contains: impl Fn(u32) -> bool) -> Set {
        let mut words = vec![0u64; order.div_ceil(64)];
        for element in 0..order {
            words[element / 64] |= u64::from(contains(element as u32)) << (element % 64);
        }
        Set(words.into())
    }

    /// The set with these bits.
    pub fn of_words(words: Vec<u64>) -> Set {
        Set(words.into())
    }

    /// Its bits.
    pub fn words(&self) -> &[u64] {
        &self.0
    }

    /// Whether it has room for just so many elements.
    pub fn fits(&self, order: usize) -> bool {
        self.0.len() == order.div_ceil(64)
    }

    /// Whether an element is in it.
    pub fn contains(&self, element: u32) -> bool {
        self.0[element as usize / 64] >> (element % 64) & 1 == 1
    }
}

/// What counts of a sum: its element, and beside which elements it has a winning move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The element.
    pub element: u32,
    /// Beside which it has a winning move.
    pub wins: Set,
}

impl Transition {
    /// Whether it has the same element as another, and no larger set.
    pub fn is_below(&self, other: &Transition) -> bool {
        let pairs = self.wins.0.iter().zip(&other.wins.0);
        self.element == other.element && pairs.into_iter().all(|(own, other)| own & !other == 0)
    }
}
