//! Groups of symmetries, and one position for each orbit.
//!
//! Positions that symmetries map to each other have equal values, so only one of them need be stored. Cells that may be
//! swapped freely (equal heaps) are sorted. Other symmetries (the turns and mirror images of a board) are listed
//! element by element, and the image with the least code is taken. Permutations that generate more than a thousand
//! elements are used one by one instead, which finds fewer equal positions but never a wrong one.

use std::hash::Hash;

use rustc_hash::FxHashSet;

use crate::numbering::Numbering;

/// How many elements are listed.
const MOST: usize = 1024;
/// Up to so many elements have tables of the images of bytes: these take 16 kilobytes each.
const MOST_TABLES: usize = 48;
/// A code of 63 bits has no more digits than this.
const MOST_DIGITS: usize = 64;

/// Symmetries of a game over the digits of a numbering.
#[derive(Clone, Debug)]
pub struct Group {
    /// For each element but the identity: the old digit of each new digit.
    elements: Vec<Box<[u32]>>,
    /// Digits that may be swapped freely, each list with the most significant first.
    blocks: Vec<Vec<usize>>,
    digits: Vec<Field>,
    /// Whether all strides are powers of two.
    fields: bool,
    /// Where that is so, a symmetry moves the bits of a code: for each element and each byte of a code, what that byte becomes.
    images: Vec<Vec<[u64; 256]>>,
}

/// Where a digit is in a code.
#[derive(Clone, Copy, Debug)]
struct Field {
    stride: u64,
    size: u64,
    shift: u32,
    mask: u64,
}

impl Group {
    /// The group that permutations of cells (`new[i] = old[image[i]]`) and free swaps of two cells generate. `None` if
    /// it is only the identity, or if a permutation moves a cell that has no digit.
    pub fn generated(numbering: &Numbering, permutations: &[Vec<u32>], swaps: &[(u32, u32)]) -> Option<Group> {
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
        let swaps: Vec<(usize, usize)> =
            swaps.iter().map(|(a, b)| Some((place(*a)?, place(*b)?))).collect::<Option<_>>()?;
        let elements = closure(numbering.digits.len(), generators, MOST);
        let blocks = blocks(numbering.digits.len(), &swaps);
        let fields = numbering.is_fields();
        let round = |size: u64| if fields { size.next_power_of_two() } else { size };
        let field = |stride: u64, size: u64| Field { stride, size, shift: stride.trailing_zeros(), mask: size - 1 };
        let digits = numbering.digits.iter().map(|digit| field(digit.stride, round(digit.size)));
        let digits: Vec<Field> = digits.collect();
        let moves_bits = fields && blocks.is_empty() && elements.len() <= MOST_TABLES;
        let bits = 64 - (numbering.size - 1).leading_zeros();
        let images = match moves_bits {
            true => elements.iter().map(|element| byte_images(element, &digits, bits)).collect(),
            false => Vec::new(),
        };
        (!elements.is_empty() || !blocks.is_empty()).then_some(Group { elements, blocks, digits, fields, images })
    }

    /// How many positions one orbit can have, at most.
    pub fn order(&self) -> u64 {
        let sorted = self.blocks.iter().flat_map(|block| 1..=block.len() as u64);
        sorted.fold(self.elements.len() as u64 + 1, u64::saturating_mul)
    }

    /// How many images of a position are compared.
    pub fn elements(&self) -> usize {
        self.elements.len()
    }

    /// The code of the position that represents this one's orbit.
    pub fn canonical(&self, code: u64) -> u64 {
        if !self.images.is_empty() {
            let image = |table: &Vec<[u64; 256]>| {
                table.iter().enumerate().fold(0, |all, (byte, image)| all | image[(code >> (8 * byte)) as usize & 255])
            };
            return self.images.iter().map(image).fold(code, u64::min);
        }
        let mut digits = [0u64; MOST_DIGITS];
        let mut rest = code;
        for (digit, field) in digits.iter_mut().zip(&self.digits) {
            *digit = match self.fields {
                true => (code >> field.shift) & field.mask,
                false => code / field.stride % field.size,
            };
            rest -= *digit * field.stride;
        }
        let mut least = self.sorted(digits);
        for image in &self.elements {
            let mut moved = [0u64; MOST_DIGITS];
            moved.iter_mut().zip(image).for_each(|(new, old)| *new = digits[*old as usize]);
            least = least.min(self.sorted(moved));
        }
        least + rest
    }

    /// The code of the digits, with each block sorted in ascending order.
    fn sorted(&self, mut digits: [u64; MOST_DIGITS]) -> u64 {
        for block in &self.blocks {
            for end in 1..block.len() {
                let mut at = end;
                while at > 0 && digits[block[at - 1]] > digits[block[at]] {
                    digits.swap(block[at - 1], block[at]);
                    at -= 1;
                }
            }
        }
        digits.iter().zip(&self.digits).map(|(digit, field)| digit * field.stride).sum()
    }
}

/// What becomes of each byte of a code of so many bits under an element.
fn byte_images(element: &[u32], digits: &[Field], bits: u32) -> Vec<[u64; 256]> {
    // Bits that belong to no digit stay where they are.
    let mut to: Vec<u32> = (0..64).collect();
    for (new, &old) in element.iter().enumerate() {
        for bit in 0..digits[new].size.trailing_zeros() {
            to[(digits[old as usize].shift + bit) as usize] = digits[new].shift + bit;
        }
    }
    let mut images = vec![[0u64; 256]; bits.div_ceil(8).max(1) as usize];
    for (byte, image) in images.iter_mut().enumerate() {
        for (value, out) in image.iter_mut().enumerate() {
            for bit in (0..8).filter(|bit| value >> bit & 1 == 1 && 8 * byte + bit < 64) {
                *out |= 1 << to[8 * byte + bit];
            }
        }
    }
    images
}

/// All products of the generators, the identity first; `None` if there are more than `most`.
pub fn products<T: Clone + Eq + Hash>(
    identity: T,
    generators: &[T],
    most: usize,
    then: impl Fn(&T, &T) -> T,
) -> Option<Vec<T>> {
    let mut seen = FxHashSet::from_iter([identity.clone()]);
    let mut elements = vec![identity];
    let mut next = 0;
    while next < elements.len() {
        for generator in generators {
            let product = then(&elements[next], generator);
            if seen.insert(product.clone()) {
                elements.push(product);
            }
        }
        if elements.len() > most {
            return None;
        }
        next += 1;
    }
    Some(elements)
}

/// All products of permutations of so many places but the identity; just these if there are more than `most`.
pub fn closure(length: usize, generators: Vec<Box<[u32]>>, most: usize) -> Vec<Box<[u32]>> {
    let identity: Box<[u32]> = (0..length as u32).collect();
    let product = |element: &[u32], generator: &[u32]| generator.iter().map(|&old| element[old as usize]).collect();
    match products(identity.clone(), &generators, most, |element, generator| product(element, generator)) {
        Some(mut elements) => elements.split_off(1),
        None => generators.into_iter().filter(|generator| *generator != identity).collect(),
    }
}

/// Digits that swaps connect: all their orders can be reached.
fn blocks(length: usize, swaps: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut name: Vec<usize> = (0..length).collect();
    for &(a, b) in swaps {
        let (from, to) = (name[a].max(name[b]), name[a].min(name[b]));
        name.iter_mut().filter(|name| **name == from).for_each(|name| *name = to);
    }
    let block = |first: usize| (0..length).filter(|digit| name[*digit] == first).collect::<Vec<usize>>();
    (0..length).map(block).filter(|block| block.len() > 1).collect()
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
        let group = Group::generated(&numbering, &[turn, mirror], &[]).unwrap();
        assert_eq!(group.order(), 8);
        let orbits: FxHashSet<u64> = (0..numbering.size).map(|code| group.canonical(code)).collect();
        assert_eq!(orbits.len(), 2862, "colourings of a 3 by 3 board up to symmetry, by Burnside's lemma");
        assert!(orbits.iter().all(|code| group.canonical(*code) == *code));
    }

    #[test]
    fn images_of_bytes_are_those_of_digits() {
        let turn: Vec<u32> = (0..9).map(|i| (i % 3) * 3 + 2 - i / 3).collect();
        let mirror: Vec<u32> = (0..9).map(|i| i / 3 * 3 + 2 - i % 3).collect();
        // Fields of two bits for three values each, and a turn above them.
        let digit = |cell: u32| Digit { cell, low: 0, size: 3, stride: 1 << (2 * (8 - cell)) };
        let numbering = Numbering { digits: (0..9).map(digit).collect(), turn: Some(1 << 18), size: 1 << 19 };
        let group = Group::generated(&numbering, &[turn, mirror], &[]).unwrap();
        let slow = Group { images: Vec::new(), ..group.clone() };
        assert_eq!(group.images.len(), 7);
        for code in (0..numbering.size).step_by(37) {
            assert_eq!(group.canonical(code), slow.canonical(code));
        }
    }

    #[test]
    fn swaps_sort() {
        for size in [8, 10] {
            let numbering = numbering(4, size);
            let group = Group::generated(&numbering, &[], &[(0, 1), (1, 2), (2, 3)]).unwrap();
            assert_eq!(group.order(), 24);
            let code = numbering.code(&[3, 1, 4, 1], 0);
            assert_eq!(group.canonical(code), numbering.code(&[1, 1, 3, 4], 0));
            let orbits: FxHashSet<u64> = (0..numbering.size).map(|code| group.canonical(code)).collect();
            let multisets = (size..size + 4).product::<u64>() / 24;
            assert_eq!(orbits.len() as u64, multisets);
        }
        assert!(Group::generated(&numbering(4, 3), &[], &[]).is_none());
    }
}
