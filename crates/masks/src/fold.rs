//! Symmetric positions: one key for all of them.
//!
//! A symmetry permutes the variables, and so the bits of every plane in the same way. The image of a plane is put together byte by byte.

use rustc_hash::FxHashSet;

use crate::layout::{Field, Layout};

/// More images of a position are not compared: then only those by the permutations that were given are.
const MOST_IMAGES: usize = 16;

/// What a permutation makes of a plane: what each of its bytes becomes.
#[derive(Clone, Debug)]
struct Image(Vec<[u64; 256]>);

impl Image {
    /// From where the bit of each place goes, of so many bytes.
    fn new(goes: &[(u32, u32)], bytes: usize) -> Image {
        let mut table = vec![[0u64; 256]; bytes];
        for &(from, to) in goes {
            for (byte, image) in table[from as usize / 8].iter_mut().enumerate() {
                *image |= (byte as u64 >> (from % 8) & 1) << to;
            }
        }
        Image(table)
    }

    #[inline]
    fn of(&self, plane: u64) -> u64 {
        match self.0.len() {
            ..=2 => self.of_first::<2>(plane),
            3 | 4 => self.of_first::<4>(plane),
            5 => self.of_first::<5>(plane),
            6 => self.of_first::<6>(plane),
            _ => self.of_first::<8>(plane),
        }
    }

    /// The image of the first bytes, so many at the most; the others are 0. Unrolled where the table has as many.
    #[inline(always)]
    fn of_first<const BYTES: usize>(&self, plane: u64) -> u64 {
        let of = |byte: usize, table: &[u64; 256]| table[(plane >> (8 * byte)) as usize & 255];
        match self.0.first_chunk::<BYTES>() {
            Some(tables) => (0..BYTES).fold(0, |image, byte| image | of(byte, &tables[byte])),
            None => self.0.iter().enumerate().fold(0, |image, (byte, table)| image | of(byte, table)),
        }
    }
}

/// The images of planes under some permutations.
#[derive(Clone, Debug)]
pub(crate) struct Fold {
    images: Vec<Image>,
    /// The planes of the first two words of a key.
    fields: [Vec<Field>; 2],
}

impl Fold {
    /// Permutations of variables, `new[i] = old[image[i]]`, and all that they generate. `None` if there are none, or if the
    /// variables lie in several chunks.
    pub fn new(layout: &Layout, permutations: &[Vec<u32>]) -> Option<Fold> {
        if layout.chunks() != 1 {
            return None;
        }
        let elements = closure(permutations);
        let bytes = layout.width(0).div_ceil(8) as usize;
        let image = |element: &Vec<u32>| {
            let place = |variable: u32| layout.bits[variable as usize].1;
            let goes: Vec<(u32, u32)> =
                element.iter().enumerate().map(|(new, old)| (place(*old), place(new as u32))).collect();
            Image::new(&goes, bytes)
        };
        let of = |word: usize| layout.fields.iter().filter(|field| field.word == word).copied().collect();
        let images = || elements.iter().map(image).collect();
        (!elements.is_empty()).then(|| Fold { images: images(), fields: [of(0), of(1)] })
    }

    /// How many images of a position are compared.
    pub fn images(&self) -> usize {
        self.images.len()
    }

    /// Puts the least of all images in the place of a key.
    #[inline]
    pub fn fold(&self, layout: &Layout, key: &mut [u64]) {
        match key {
            [word] => {
                let mut least = *word;
                for image in &self.images {
                    least = least.min(Fold::image(layout, image, &[*word])[0]);
                }
                *word = least;
            }
            [a, b] => {
                let own = [*a, *b];
                let mut least = own;
                for image in &self.images {
                    // The second word counts only where the first does not decide.
                    let first = self.image_of_word(0, image, &own);
                    if first <= least[0] {
                        least = least.min([first, self.image_of_word(1, image, &own)]);
                    }
                }
                [*a, *b] = least;
            }
            _ => {
                let mut own = [0; 16];
                own[..key.len()].copy_from_slice(key);
                let mut least = own;
                for image in &self.images {
                    least = least.min(Fold::image(layout, image, &own));
                }
                key.copy_from_slice(&least[..key.len()]);
            }
        }
    }

    #[inline]
    fn image<const W: usize>(layout: &Layout, image: &Image, key: &[u64; W]) -> [u64; W] {
        let mut out = *key;
        for field in &layout.fields {
            out[field.word] = Fold::moved(field, image, out[field.word]);
        }
        out
    }

    /// One word of the image of a key.
    #[inline]
    fn image_of_word(&self, word: usize, image: &Image, key: &[u64; 2]) -> u64 {
        self.fields[word].iter().fold(key[word], |out, field| Fold::moved(field, image, out))
    }

    /// A word with the image of one of its planes.
    #[inline]
    fn moved(field: &Field, image: &Image, word: u64) -> u64 {
        let Field { shift, mask, .. } = field;
        let moved = image.of(word >> shift & mask);
        word & !(mask << shift) | moved << shift
    }
}

/// All products of permutations but the identity; just these if there are too many.
fn closure(permutations: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let Some(first) = permutations.first() else { return Vec::new() };
    let identity: Vec<u32> = (0..first.len() as u32).collect();
    let mut seen: FxHashSet<Vec<u32>> = FxHashSet::from_iter([identity.clone()]);
    let mut elements = vec![identity.clone()];
    let mut next = 0;
    while next < elements.len() && elements.len() <= MOST_IMAGES {
        for permutation in permutations {
            let product: Vec<u32> = permutation.iter().map(|&old| elements[next][old as usize]).collect();
            if seen.insert(product.clone()) {
                elements.push(product);
            }
        }
        next += 1;
    }
    if elements.len() > MOST_IMAGES {
        return permutations.iter().filter(|permutation| **permutation != identity).cloned().collect();
    }
    elements.split_off(1)
}
