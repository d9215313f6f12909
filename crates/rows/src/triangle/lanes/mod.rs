//! Tiles side by side: one tile for each lane of a vector.
//!
//! The program of a tile is written once, as a macro (`kernel`), over the operations of one kind of lane. Each kind has
//! it twice: on plain arrays (`portable`), for any machine, and on registers of 256 bits (`avx2`), chosen at run time.
//! It is a macro and not a generic function, because only a function that names its features itself may use the
//! instructions freely.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod kernel;
mod portable;

use std::fmt;

/// The numbers that a tile computes with.
///
/// A tile holds differences to its corner, so the spread of the gains matters, not their sum. Floating point numbers,
/// exact to 2^53, have a maximum in one instruction where whole numbers of 64 bits need two; they are no faster, since
/// their differences take longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lanes {
    /// Whole numbers of 16 bits.
    I16,
    /// Whole numbers of 32 bits.
    I32,
    /// Whole numbers of 64 bits.
    I64,
    /// Whole numbers of 128 bits, one at a time: always large enough.
    I128,
}

impl Lanes {
    /// All kinds, the fastest first.
    pub const ALL: [Lanes; 4] = [Lanes::I16, Lanes::I32, Lanes::I64, Lanes::I128];

    /// How many numbers are computed at a time.
    pub fn count(self) -> usize {
        match self {
            Lanes::I16 => I16::COUNT,
            Lanes::I32 => I32::COUNT,
            Lanes::I64 => I64::COUNT,
            Lanes::I128 => I128::COUNT,
        }
    }

    /// Bits of one number.
    pub fn bits(self) -> usize {
        match self {
            Lanes::I16 => 16,
            Lanes::I32 => 32,
            Lanes::I64 => 64,
            Lanes::I128 => 128,
        }
    }

    /// The largest difference to the corner that is exact.
    pub fn reach(self) -> u128 {
        match self {
            Lanes::I16 => i16::MAX as u128,
            Lanes::I32 => i32::MAX as u128,
            Lanes::I64 => i64::MAX as u128,
            Lanes::I128 => i128::MAX as u128,
        }
    }
}

impl fmt::Display for Lanes {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} × {} bits", self.count(), self.bits())
    }
}

/// Whether this machine has vectors that we have a kernel for.
pub fn has_simd() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// A whole number at the border of a tile. Additions wrap: lanes beyond the end compute nonsense.
pub(super) trait Whole: Copy + Default + Send + Sync + fmt::Debug {
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn of(number: i128) -> Self;
    fn number(self) -> i128;
}

macro_rules! whole {
    ($($int:ty),*) => {
        $(impl Whole for $int {
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            fn of(number: i128) -> Self {
                number as $int
            }
            fn number(self) -> i128 {
                self.into()
            }
        })*
    };
}

whole!(i64, i128);

/// A number as bytes, the lowest first, equal on every machine.
pub(super) trait Stored: Copy {
    /// How many bytes.
    const BYTES: usize;
    /// Writes it; the slice must have room.
    fn write(self, bytes: &mut [u8]);
    /// Reads it from the front.
    fn read(bytes: &[u8]) -> Option<Self>;
}

macro_rules! stored {
    ($($int:ty),*) => {
        $(impl Stored for $int {
            const BYTES: usize = size_of::<$int>();
            fn write(self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_le_bytes());
            }
            fn read(bytes: &[u8]) -> Option<Self> {
                bytes.first_chunk().map(|bytes| Self::from_le_bytes(*bytes))
            }
        })*
    };
}

stored!(i16, i32, i64, i128);

/// A kind of lane: its types, and its kernels.
pub(super) trait Kind: Copy + Send + Sync + 'static {
    /// One number in a tile.
    type Cell: Copy + Default + Send + Sync + Stored;
    /// One cell of all tiles.
    type Lane: Copy + Send + Sync + AsRef<[Self::Cell]> + AsMut<[Self::Cell]>;
    /// One cell of all tiles, and one more for the tile from the block below.
    type Wide: Copy + Send + Sync + AsRef<[Self::Cell]> + AsMut<[Self::Cell]>;
    /// Bits of one row of a strip, all lanes.
    type Word: Copy + Default + Send + Sync;
    /// Numbers at the border of tiles.
    type Whole: Whole + Stored;
    /// Numbers of all lanes, zero.
    const LANE: Self::Lane;
    /// Numbers of all lanes and one more, zero.
    const WIDE: Self::Wide;
    /// Lanes.
    const COUNT: usize;

    /// A difference as a cell.
    fn narrow(whole: Self::Whole) -> Self::Cell;
    /// A cell as a number.
    fn widen(cell: Self::Cell) -> Self::Whole;
    /// A bit of a word.
    fn bit(word: Self::Word, bit: usize) -> bool;
    /// The kernels for plain arrays, or those for vectors if the machine has them.
    fn kernels(simd: bool) -> Kernels<Self>;
}

/// The programs for the tiles of a step.
pub(super) struct Kernels<K: Kind> {
    /// For tiles on the diagonal, of which a triangle is used.
    pub diagonal: fn(&mut Step<K>),
    /// For all other tiles.
    pub square: fn(&mut Step<K>),
}

/// The data of a kernel. The tile is as large as `left` is long.
pub(super) struct Step<'a, K: Kind> {
    /// One number for each row: the column before the tile; afterwards its last column.
    pub left: &'a mut [K::Lane],
    /// One number for each column: the row below the tile, lane k in place k + 1; afterwards its top row, lane k in
    /// place k. So a tile leaves its row where its neighbour on the next diagonal reads it. On the diagonal both are in
    /// place k.
    pub below: &'a mut [K::Wide],
    /// λ, for each row.
    pub first: &'a [K::Lane],
    /// ρ, for each column: those of column c start at c times the stride.
    pub last: &'a [K::Cell],
    /// See `last`.
    pub stride: usize,
    /// To be added to `left` before it is used.
    pub left_delta: K::Lane,
    /// To be added to `below` before it is used.
    pub below_delta: K::Lane,
    /// What is kept of this step.
    pub keep: Keep<'a, K>,
}

/// What is kept of a step.
pub(super) enum Keep<'a, K: Kind> {
    /// Only the borders.
    Nothing,
    /// All numbers.
    Cells(&'a mut [K::Lane]),
    /// Whether only taking the last item is best, one word for each row of a strip.
    Bits(&'a mut [K::Word]),
}

macro_rules! kinds {
    ($($kind:ident $module:ident: $cell:ty, $word:ty, $whole:ty, $count:literal;)*) => {
        $(
            /// The kind of lane of this name.
            #[derive(Clone, Copy)]
            pub(super) struct $kind;

            impl Kind for $kind {
                type Cell = $cell;
                type Lane = [$cell; $count];
                type Wide = [$cell; $count + 1];
                type Word = $word;
                type Whole = $whole;
                const LANE: Self::Lane = [0; $count];
                const WIDE: Self::Wide = [0; $count + 1];
                const COUNT: usize = $count;

                fn narrow(whole: $whole) -> $cell {
                    whole as $cell
                }
                fn widen(cell: $cell) -> $whole {
                    cell as $whole
                }
                fn bit(word: $word, bit: usize) -> bool {
                    word >> bit & 1 != 0
                }
                fn kernels(simd: bool) -> Kernels<Self> {
                    #[cfg(target_arch = "x86_64")]
                    if simd && has_simd() {
                        return avx2::$module::kernels();
                    }
                    let _ = simd;
                    portable::$module::kernels()
                }
            }
        )*
    };
}

kinds! {
    I16 i16s: i16, u128, i64, 16;
    I32 i32s: i32, u64, i64, 8;
    I64 i64s: i64, u32, i64, 4;
    I128 i128s: i128, u8, i128, 1;
}
