//! How positions lie in planes and keys.
//!
//! Variables are put into chunks of at most 64, those of many values first. A plane has one bit for each variable of its chunk:
//! whether it has a certain value. The planes of all values but the least are fields of the key, one after the other, with the
//! turn at the end where positions record it; the plane of the least value is what they leave.
//!
//! ```text
//! planes   least value  1 0 0 1 1 …        key   ┌─────────┬──────────┬──────┐
//!          next value   0 1 0 0 0 …  ───────────▶│ next    │ greatest │ turn │
//!          greatest     0 0 1 0 0 …  ───────────▶└─────────┴──────────┴──────┘
//! ```

use crate::cube::{Cube, Place, Variables};

/// No game has more planes.
pub(crate) const MOST_PLANES: usize = 16;

/// The planes of one position.
pub(crate) type Planes = [u64; MOST_PLANES];

/// One plane in the key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub word: usize,
    pub shift: u32,
    pub mask: u64,
    pub plane: usize,
}

/// The planes of some variables: that of the least value comes first.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    first: usize,
    planes: usize,
    all: u64,
}

/// Where everything lies.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub fields: Vec<Field>,
    chunks: Vec<Chunk>,
    /// For each variable: the first plane of its chunk, and its bit.
    pub bits: Vec<(usize, u32)>,
    /// The word and the bit of the turn.
    pub turn: Option<(usize, u32)>,
    pub words: usize,
}

impl Layout {
    /// A layout, with variables of the same size in the given order; `None` if there are too many planes.
    pub fn new(variables: &Variables, mut sorted: Vec<u32>, with_turn: bool) -> Option<Layout> {
        let size = |variable: u32| variables.list[variable as usize].size;
        sorted.sort_by_key(|variable| std::cmp::Reverse(size(*variable)));
        let mut layout =
            Layout { fields: Vec::new(), chunks: Vec::new(), bits: vec![(0, 0); sorted.len()], turn: None, words: 1 };
        let mut used = vec![0u32];
        let mut place = |bits: u32| {
            let word = used.iter().position(|used| used + bits <= 64).unwrap_or(used.len());
            if word == used.len() {
                used.push(0);
            }
            used[word] += bits;
            (word, used[word] - bits)
        };
        let mut first = 0;
        for chunk in sorted.chunks(64) {
            let planes = size(chunk[0]) as usize;
            for (bit, variable) in chunk.iter().enumerate() {
                layout.bits[*variable as usize] = (first, bit as u32);
            }
            for value in 1..planes {
                let bits = chunk.iter().filter(|variable| size(**variable) as usize > value).count() as u32;
                let (word, shift) = place(bits);
                layout.fields.push(Field { word, shift, mask: ones(bits), plane: first + value });
            }
            layout.chunks.push(Chunk { first, planes, all: ones(chunk.len() as u32) });
            first += planes;
        }
        layout.turn = with_turn.then(|| place(1));
        layout.words = used.len();
        (first <= MOST_PLANES).then_some(layout)
    }

    /// How many chunks there are.
    pub fn chunks(&self) -> usize {
        self.chunks.len()
    }

    /// How many variables a chunk has.
    pub fn width(&self, chunk: usize) -> u32 {
        self.chunks[chunk].all.count_ones()
    }

    /// The planes of a key.
    #[inline]
    pub fn planes(&self, key: &[u64], planes: &mut Planes) {
        // Boards with the marks of two players need no loops.
        if let ([a, b], [chunk]) = (&self.fields[..], &self.chunks[..]) {
            let of = |field: &Field| key[field.word] >> field.shift & field.mask;
            let (own, other) = (of(a), of(b));
            planes[a.plane & (MOST_PLANES - 1)] = own;
            planes[b.plane & (MOST_PLANES - 1)] = other;
            planes[chunk.first & (MOST_PLANES - 1)] = !(own | other) & chunk.all;
            return;
        }
        for field in &self.fields {
            planes[field.plane] = key[field.word] >> field.shift & field.mask;
        }
        for chunk in &self.chunks {
            let above = planes[chunk.first + 1..chunk.first + chunk.planes].iter().fold(0, |all, plane| all | plane);
            planes[chunk.first] = !above & chunk.all;
        }
    }

    /// Who moves at a key.
    #[inline]
    pub fn mover(&self, key: &[u64]) -> usize {
        self.turn.map_or(0, |(word, bit)| (key[word] >> bit & 1) as usize)
    }

    /// The bits of the key that belong to a variable, and those that are set where it has a value: `(word, bit)`.
    pub fn key_bits(&self, variable: u32, value: u8, mut visit: impl FnMut(usize, u64, bool)) {
        let (first, bit) = self.bits[variable as usize];
        for field in &self.fields {
            if field.plane > first && field.plane < first + MOST_PLANES && field.mask >> bit & 1 == 1 {
                let own = self.chunks.iter().any(|chunk| chunk.first == first && field.plane < first + chunk.planes);
                if own {
                    visit(field.word, 1 << (field.shift + bit), field.plane == first + usize::from(value));
                }
            }
        }
    }

    /// A cube as tests of planes.
    pub fn tests(&self, variables: &Variables, cube: &Cube) -> Vec<Test> {
        let mut tests: Vec<Test> = Vec::new();
        let mut test = |plane: usize, bit: u32, set: bool| {
            let at = tests.iter().position(|test| test.plane as usize == plane).unwrap_or_else(|| {
                tests.push(Test { plane: plane as u32, mask: 0, value: 0 });
                tests.len() - 1
            });
            tests[at].mask |= 1 << bit;
            tests[at].value |= u64::from(set) << bit;
        };
        for &(variable, values) in &cube.parts {
            let (first, bit) = self.bits[variable as usize];
            if values.count_ones() == 1 {
                test(first + values.trailing_zeros() as usize, bit, true);
                continue;
            }
            let absent = variables.list[variable as usize].all() & !values;
            (0..8).filter(|value| absent >> value & 1 == 1).for_each(|value| test(first + value, bit, false));
        }
        tests
    }

    /// Writes a position into a key. Whether it fits.
    pub fn pack(&self, variables: &Variables, cells: &[i64], turn: usize, key: &mut [u64]) -> bool {
        key.fill(0);
        for (number, variable) in variables.list.iter().enumerate() {
            let value = match variable.place {
                Place::Cell { cell, low } => cells[cell as usize].wrapping_sub(low),
                Place::Bit { cell, bit } => cells[cell as usize] >> bit & 1,
            };
            if !(0..i64::from(variable.size)).contains(&value) {
                return false;
            }
            self.key_bits(number as u32, value as u8, |word, bit, set| key[word] |= bit * u64::from(set));
        }
        if let Some((word, bit)) = self.turn {
            key[word] |= (turn as u64) << bit;
        }
        true
    }

    /// Reads the variables of a key into cells, and who moves.
    pub fn unpack(&self, variables: &Variables, key: &[u64], cells: &mut [i64]) -> usize {
        let mut planes = [0; MOST_PLANES];
        self.planes(key, &mut planes);
        for (number, variable) in variables.list.iter().enumerate() {
            let (first, bit) = self.bits[number];
            let value = (0..variable.size as usize).find(|value| planes[first + value] >> bit & 1 == 1).unwrap_or(0);
            match variable.place {
                Place::Cell { cell, low } => cells[cell as usize] = low + value as i64,
                Place::Bit { cell, bit } => cells[cell as usize] |= (value as i64) << bit,
            }
        }
        self.mover(key)
    }
}

/// So many bits, from the lowest on.
pub(crate) fn ones(bits: u32) -> u64 {
    u64::MAX.checked_shr(64 - bits).unwrap_or(0)
}

/// A test of one plane: these bits have this value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Test {
    pub plane: u32,
    pub mask: u64,
    pub value: u64,
}

impl Test {
    /// What always holds.
    pub const TRUE: Test = Test { plane: 0, mask: 0, value: 0 };

    #[inline]
    pub fn holds(&self, planes: &Planes) -> bool {
        planes[self.plane as usize & (MOST_PLANES - 1)] & self.mask == self.value
    }
}
