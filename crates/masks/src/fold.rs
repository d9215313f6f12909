//! Symmetric positions: one key for all of them.
//!
//! A symmetry permutes the variables, and so the bits of every plane in the same way. A mirror moves whole columns: where bits go few
//! different distances, those that go equally far are moved together. Else the image of a word is put together byte by byte.

use formula::group;

use crate::layout::Layout;

/// More images of a position are not compared: then only those by the permutations that were given are.
const MOST_IMAGES: usize = 16;
/// Bits that go more different distances are not moved together.
const MOST_DISTANCES: usize = 8;
/// Bits of a word.
const BITS: u32 = u64::BITS;

/// Bits that go equally far: a mask, and how far it is turned to the left.
type Turned = (u64, u32);

/// What a permutation makes of one word of a key.
#[derive(Clone, Debug)]
enum Image {
    /// Few distances.
    Few([Turned; MOST_DISTANCES / 2]),
    /// More of them. Masks that are not needed are 0.
    More([Turned; MOST_DISTANCES]),
    /// What each byte becomes.
    Bytes(Vec<[u64; 256]>),
}

impl Image {
    /// From where each bit goes.
    fn new(goes: &[u32; BITS as usize]) -> Image {
        let mut turned: Vec<Turned> = Vec::new();
        for (from, to) in (0..BITS).zip(goes) {
            let distance = (to + BITS - from) % BITS;
            match turned.iter_mut().find(|(_, known)| *known == distance) {
                Some((mask, _)) => *mask |= 1 << from,
                None => turned.push((1 << from, distance)),
            }
        }
        if turned.len() > MOST_DISTANCES {
            return Image::Bytes(Image::bytes(goes));
        }
        turned.resize(MOST_DISTANCES, (0, 0));
        let all: [Turned; MOST_DISTANCES] = std::array::from_fn(|at| turned[at]);
        let (few, rest) = all.split_at(MOST_DISTANCES / 2);
        match few.try_into() {
            Ok(few) if rest.iter().all(|(mask, _)| *mask == 0) => Image::Few(few),
            _ => Image::More(all),
        }
    }

    /// What each byte becomes.
    fn bytes(goes: &[u32; BITS as usize]) -> Vec<[u64; 256]> {
        let of = |byte: usize, value: usize| {
            let bits = (0..8).filter(|bit| value >> bit & 1 == 1);
            bits.fold(0, |image, bit| image | 1 << goes[8 * byte + bit])
        };
        (0..8).map(|byte| std::array::from_fn(|value| of(byte, value))).collect()
    }

    #[inline]
    fn of(&self, word: u64) -> u64 {
        let turn = |image: u64, &(mask, distance): &Turned| image | (word & mask).rotate_left(distance);
        match self {
            Image::Few(turned) => turned.iter().fold(0, turn),
            Image::More(turned) => turned.iter().fold(0, turn),
            Image::Bytes(tables) => {
                let of = |(byte, table): (usize, &[u64; 256])| table[(word >> (8 * byte)) as usize & 255];
                tables.iter().enumerate().map(of).fold(0, |image, byte| image | byte)
            }
        }
    }
}

/// The images of keys under some permutations.
#[derive(Clone, Debug)]
pub(crate) struct Fold {
    /// For each permutation what it makes of each word.
    images: Vec<Box<[Image]>>,
}

impl Fold {
    /// Permutations of variables, `new[i] = old[image[i]]`, and all that they generate. `None` if there are none, or if the
    /// variables lie in several chunks.
    pub fn new(layout: &Layout, permutations: &[Vec<u32>]) -> Option<Fold> {
        if layout.chunks() != 1 {
            return None;
        }
        let length = permutations.first().map_or(0, Vec::len);
        let generators = permutations.iter().map(|it| it.clone().into_boxed_slice()).collect();
        let elements = group::closure(length, generators, MOST_IMAGES);
        let image = |element: &[u32]| -> Box<[Image]> {
            let place = |variable: u32| layout.bits[variable as usize].1;
            let mut goes: Vec<[u32; BITS as usize]> = vec![std::array::from_fn(|bit| bit as u32); layout.words];
            for field in &layout.fields {
                for (new, old) in element.iter().enumerate() {
                    let (from, to) = (place(*old), place(new as u32));
                    if field.mask >> from & 1 == 1 {
                        goes[field.word][(field.shift + from) as usize] = field.shift + to;
                    }
                }
            }
            goes.iter().map(Image::new).collect()
        };
        let images = || elements.iter().map(|element| image(element)).collect();
        (!elements.is_empty()).then(|| Fold { images: images() })
    }

    /// How many images of a position are compared.
    pub fn images(&self) -> usize {
        self.images.len()
    }

    /// Puts the least of all images in the place of a key.
    #[inline]
    pub fn fold(&self, key: &mut [u64]) {
        match key {
            [word] => {
                let own = *word;
                *word = self.images.iter().fold(own, |least, image| least.min(image[0].of(own)));
            }
            [a, b] => {
                let own = [*a, *b];
                let mut least = own;
                for image in &self.images {
                    // The second word counts only where the first does not decide.
                    let first = image[0].of(own[0]);
                    if first <= least[0] {
                        least = least.min([first, image[1].of(own[1])]);
                    }
                }
                [*a, *b] = least;
            }
            _ => {
                let mut own = [0; 16];
                own[..key.len()].copy_from_slice(key);
                let mut least = own;
                for image in &self.images {
                    let mut other = own;
                    other.iter_mut().zip(image).for_each(|(word, image)| *word = image.of(*word));
                    least = least.min(other);
                }
                key.copy_from_slice(&least[..key.len()]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Images of random words under permutations of any kind: mirrors of columns, and bits in any order.
    #[test]
    fn an_image_has_every_bit_where_it_goes() {
        let mut random = testkit::random::Random::new(23);
        for round in 0..600 {
            let mut goes: [u32; 64] = std::array::from_fn(|bit| bit as u32);
            let height = 1 + random.below(9) as usize;
            let columns = random.below(64 / height as u64 + 1) as usize;
            match round % 3 {
                0 => (0..columns * height)
                    .for_each(|bit| goes[bit] = ((columns - 1 - bit / height) * height + bit % height) as u32),
                1 => (1..64).for_each(|bit| goes.swap(bit, random.below(bit as u64 + 1) as usize)),
                _ => (0..random.below(6)).for_each(|_| goes.swap(random.below(64) as usize, random.below(64) as usize)),
            }
            let image = Image::new(&goes);
            for _ in 0..20 {
                let word = random.next();
                let expected = (0..64).fold(0u64, |all, bit| all | (word >> bit & 1) << goes[bit]);
                assert_eq!(image.of(word), expected, "{goes:?}");
            }
        }
    }
}
