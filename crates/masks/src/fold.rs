//! Symmetric positions: one key for all of them.
//!
//! A symmetry permutes the variables, and so the bits of every plane in the same way. The image of a plane is put together byte by byte.

use rustc_hash::FxHashSet;

use crate::layout::{Field, Layout};

/// More images of a position are not compared: then only those by the permutations that were given are.
const MOST_IMAGES: usize = 16;

/// The images of planes under some permutations.
#[derive(Clone, Debug)]
pub(crate) struct Fold {
    bytes: usize,
    /// For each permutation and each byte of a plane: what the byte becomes.
    images: Vec<Vec<[u64; 256]>>,
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
            let mut table = vec![[0u64; 256]; bytes];
            for (new, &old) in element.iter().enumerate() {
                let (to, from) = (layout.bits[new].1, layout.bits[old as usize].1);
                for (byte, image) in table[from as usize / 8].iter_mut().enumerate() {
                    *image |= (byte as u64 >> (from % 8) & 1) << to;
                }
            }
            table
        };
        (!elements.is_empty()).then(|| Fold { bytes, images: elements.iter().map(image).collect() })
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
                    least = least.min(self.image(layout, image, &[*word])[0]);
                }
                *word = least;
            }
            [a, b] => {
                let own = [*a, *b];
                let mut least = own;
                for image in &self.images {
                    least = least.min(self.image(layout, image, &own));
                }
                [*a, *b] = least;
            }
            _ => {
                let mut own = [0; 16];
                own[..key.len()].copy_from_slice(key);
                let mut least = own;
                for image in &self.images {
                    least = least.min(self.image(layout, image, &own));
                }
                key.copy_from_slice(&least[..key.len()]);
            }
        }
    }

    #[inline]
    fn image<const W: usize>(&self, layout: &Layout, image: &[[u64; 256]], key: &[u64; W]) -> [u64; W] {
        let mut out = *key;
        for Field { word, shift, mask, .. } in &layout.fields {
            let plane = key[*word] >> shift & mask;
            let mut moved = 0;
            for (byte, table) in image[..self.bytes].iter().enumerate() {
                moved |= table[(plane >> (8 * byte)) as usize & 255];
            }
            out[*word] = out[*word] & !(mask << shift) | moved << shift;
        }
        out
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
