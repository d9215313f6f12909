//! Symmetric positions: one key for all of them.
//!
//! A symmetry permutes the variables, and so the bits of every plane in the same way. Where whole columns change places, the image
//! of a plane is a few parts of it, each turned by as many places; else it is put together byte by byte.

use rustc_hash::FxHashSet;

use crate::layout::{Field, Layout};

/// More images of a position are not compared: then only those by the permutations that were given are.
const MOST_IMAGES: usize = 16;

/// An image of more parts is put together byte by byte.
const MOST_PARTS: usize = 12;

/// What a permutation makes of a plane.
#[derive(Clone, Debug)]
enum Image {
    /// The bits of each mask are turned to the left by so many places.
    Parts(Vec<(u64, u32)>),
    /// For each byte of a plane: what it becomes.
    Bytes(Vec<[u64; 256]>),
}

impl Image {
    /// From where the bit of each place goes.
    fn new(goes: &[(u32, u32)], bytes: usize) -> Image {
        let mut parts: Vec<(u64, u32)> = Vec::new();
        for &(from, to) in goes {
            let turn = (to + 64 - from) % 64;
            match parts.iter_mut().find(|part| part.1 == turn) {
                Some(part) => part.0 |= 1 << from,
                None => parts.push((1 << from, turn)),
            }
        }
        if parts.len() <= MOST_PARTS {
            return Image::Parts(parts);
        }
        let mut table = vec![[0u64; 256]; bytes];
        for &(from, to) in goes {
            for (byte, image) in table[from as usize / 8].iter_mut().enumerate() {
                *image |= (byte as u64 >> (from % 8) & 1) << to;
            }
        }
        Image::Bytes(table)
    }

    #[inline]
    fn of(&self, plane: u64) -> u64 {
        let mut image = 0;
        match self {
            Image::Parts(parts) => {
                for (mask, turn) in parts {
                    image |= (plane & mask).rotate_left(*turn);
                }
            }
            Image::Bytes(table) => {
                for (byte, table) in table.iter().enumerate() {
                    image |= table[(plane >> (8 * byte)) as usize & 255];
                }
            }
        }
        image
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
