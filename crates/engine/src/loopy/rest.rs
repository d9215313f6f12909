//! The values of a sum without one of its parts, for each part in turn.
//!
//! Moves are made in one part while the rest stays: to add the rest up for each would take quadratic time.

use game::{LoopyNimber, Nimber};

/// The values of the parts of a sum, added up once, so that what is beside any of them is known at once.
pub struct Rests {
    values: Vec<LoopyNimber>,
    /// The XOR of all nimbers.
    nimber: Nimber,
    /// The first two parts with infinite values, and how many there are.
    infinite: ([usize; 2], usize),
}

impl Rests {
    /// The sum of parts with these values.
    pub fn new(values: Vec<LoopyNimber>) -> Rests {
        let (mut nimber, mut first, mut count) = (0, [0; 2], 0);
        for (part, value) in values.iter().enumerate() {
            match value {
                LoopyNimber::Finite(own) => nimber ^= own,
                LoopyNimber::Infinite(_) => {
                    if let Some(place) = first.get_mut(count) {
                        *place = part;
                    }
                    count += 1;
                }
            }
        }
        Rests { values, nimber, infinite: (first, count) }
    }

    /// The value of the whole sum.
    pub fn whole(&self) -> LoopyNimber {
        match self.infinite {
            (_, 0) => LoopyNimber::Finite(self.nimber),
            ([one, _], 1) => &self.values[one] + &LoopyNimber::Finite(self.nimber),
            _ => LoopyNimber::infinite([]),
        }
    }

    /// The value of all parts but one.
    pub fn beside(&self, part: usize) -> LoopyNimber {
        match (&self.values[part], self.infinite) {
            (LoopyNimber::Finite(own), _) => &self.whole() + &LoopyNimber::Finite(*own),
            (LoopyNimber::Infinite(_), (_, 1)) => LoopyNimber::Finite(self.nimber),
            (LoopyNimber::Infinite(_), ([one, two], 2)) => {
                let other = if part == one { two } else { one };
                &self.values[other] + &LoopyNimber::Finite(self.nimber)
            }
            _ => LoopyNimber::infinite([]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_the_sum_of_the_others() {
        let some = [
            LoopyNimber::Finite(0),
            LoopyNimber::Finite(3),
            LoopyNimber::infinite([]),
            LoopyNimber::infinite([0, 3]),
            LoopyNimber::infinite([1]),
        ];
        let mut sums = vec![vec![]];
        for _ in 0..4 {
            let longer = |sum: &Vec<LoopyNimber>| {
                some.iter().map(|value| [&sum[..], std::slice::from_ref(value)].concat()).collect()
            };
            sums = sums.iter().flat_map(|sum| -> Vec<Vec<LoopyNimber>> { longer(sum) }).collect();
            for sum in &sums {
                let rests = Rests::new(sum.clone());
                assert_eq!(rests.whole(), sum.iter().sum());
                for part in 0..sum.len() {
                    let others = sum.iter().enumerate().filter(|(index, _)| *index != part).map(|(_, value)| value);
                    assert_eq!(rests.beside(part), others.sum());
                }
            }
        }
    }
}
