//! Groups of symmetries, and one position for each orbit.
//!
//! Positions that symmetries map to each other have the same value, so only one of them need be stored: the one with the
//! least code among the images. A group is written out element by element, which is quick for boards (at most 16 elements);
//! permutations that generate more than a few thousand are used one by one instead, which finds fewer equal positions but
//! never a wrong one.

use rustc_hash::FxHashSet;

use crate::numbering::Numbering;

/// How many elements are written out.
const MOST: usize = 1024;
/// A code of 63 bits has no more digits than this.
const MOST_DIGITS: usize = 64;

/// Symmetries of a game, each as `new[i] = old[image[i]]` over the digits of a numbering.
#[derive(Clone, Debug)]
pub struct Group {
    /// For each element but the identity: which old digit each new digit is.
    elements: Vec<Box<[u32]>>,
    strides: Vec<u64>,
    sizes: Vec<u64>,
    /// Whether it is the whole group that the permutations generate.
    pub whole: bool,
}

impl Group {
    /// The group that permutations of cells generate. `None` if there is none but the identity, or if a permutation moves a
    /// cell that has no digit of its own.
    pub fn generated(numbering: &Numbering, permutations: &[Vec<u32>]) -> Option<Group> {
        if numbering.digits.len() > MOST_DIGITS {
            return None;
        }
        let place = |cell: u32| numbering.digits.iter().position(|digit| digit.cell == cell);
        let mut generators = Vec::new();
        for permutation in permutations {
            let moved = permutation.iter().enumerate().filter(|(new, old)| *new as u32 != **old);
            let mut image: Vec<u32> = (0..numbering.digits.len() as u32).collect();
            for (new, old) in moved {
                image[place(new as u32)?] = place(*old)? as u32;
            }
            generators.push(image.into_boxed_slice());
        }
        let identity: Box<[u32]> = (0..numbering.digits.len() as u32).collect();
        let mut seen: FxHashSet<Box<[u32]>> = FxHashSet::from_iter([identity.clone()]);
        let mut elements = vec![identity];
        let mut next = 0;
        while next < elements.len() && elements.len() <= MOST {
            for generator in &generators {
                let product: Box<[u32]> = generator.iter().map(|&old| elements[next][old as usize]).collect();
                if seen.insert(product.clone()) {
                    elements.push(product);
                }
            }
            next += 1;
        }
        let whole = elements.len() <= MOST;
        if !whole {
            elements.truncate(1);
            elements.extend(generators);
        }
        elements.remove(0);
        let strides = numbering.digits.iter().map(|digit| digit.stride).collect();
        let round = |size: u64| if numbering.is_fields() { size.next_power_of_two() } else { size };
        let sizes = numbering.digits.iter().map(|digit| round(digit.size)).collect();
        (!elements.is_empty()).then_some(Group { elements, strides, sizes, whole })
    }

    /// How many elements are used, the identity included.
    pub fn order(&self) -> usize {
        self.elements.len() + 1
    }

    /// The least code among the images of a position.
    pub fn canonical(&self, code: u64) -> u64 {
        let mut digits = [0; MOST_DIGITS];
        let mut rest = code;
        for (digit, (stride, size)) in digits.iter_mut().zip(self.strides.iter().zip(&self.sizes)) {
            *digit = code / stride % size;
            rest -= *digit * stride;
        }
        let least = |image: &[u32]| -> u64 {
            image.iter().zip(&self.strides).map(|(old, stride)| digits[*old as usize] * stride).sum()
        };
        self.elements.iter().map(|image| least(image) + rest).fold(code, u64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbering::Digit;

    fn numbering(cells: u32, size: u64) -> Numbering {
        let digit = |cell: u32| Digit { cell, low: 0, size, stride: size.pow(cells - 1 - cell) };
        Numbering { digits: (0..cells).map(digit).collect(), turn: None, size: size.pow(cells) }
    }

    #[test]
    fn a_square_has_eight_symmetries() {
        let turn: Vec<u32> = (0..9).map(|i| (i % 3) * 3 + 2 - i / 3).collect();
        let mirror: Vec<u32> = (0..9).map(|i| i / 3 * 3 + 2 - i % 3).collect();
        let numbering = numbering(9, 3);
        let group = Group::generated(&numbering, &[turn, mirror]).unwrap();
        assert_eq!((group.order(), group.whole), (8, true));
        let orbits: FxHashSet<u64> = (0..numbering.size).map(|code| group.canonical(code)).collect();
        assert_eq!(orbits.len(), 2862, "colourings of a 3 by 3 board up to symmetry, by Burnside's lemma");
        assert!(orbits.iter().all(|code| group.canonical(*code) == *code));
    }

    #[test]
    fn swaps_sort() {
        let swaps: Vec<Vec<u32>> = (0..3)
            .map(|i| {
                (0..4)
                    .map(|c| match c {
                        c if c == i => i + 1,
                        c if c == i + 1 => i,
                        c => c,
                    })
                    .collect()
            })
            .collect();
        let numbering = numbering(4, 10);
        let group = Group::generated(&numbering, &swaps).unwrap();
        assert_eq!(group.order(), 24);
        assert_eq!(group.canonical(3141), 1134);
    }
}
