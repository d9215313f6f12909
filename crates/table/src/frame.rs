//! A table file of blocks: how blocks, their index and the end of the file lie in it.
//!
//! ```text
//! head                see `head`
//! block 0             4 bytes each: packed length, unpacked length, entries, length of the first key
//!                     8 bytes: the checksum of the number of the block, of the numbers above, of the first key and of the packed bytes
//!                     the first key
//!                     the packed bytes, see `block`
//! block 1 …
//! index               for each block: its length, its entries, the length of its first key, and that key
//! end                 8 bytes each: length of the index, number of blocks, number of entries, numbers of an entry, checksum of the index
//!                     16 bytes: the hash of everything: of the head, of the checksums of all blocks and of the index
//!                     8 bytes: the checksum of the end
//! ```
//!
//! Every byte of the file is under one of the checksums, and all checksums of blocks are under the hash. It is the name of what
//! the table says: two tables with one hash are the same.

use crate::block::{put_number, take_number};
use crate::error::TableError;
use crate::head::checksum;
use crate::keys::Key;

/// Bytes of a block before its first key.
pub const BLOCK_HEAD: usize = 24;
/// Bytes of the end.
pub const END: usize = 64;
/// The longest block: a longer one is not read into memory.
const LONGEST: u32 = 1 << 28;

/// A block in the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Indexed {
    /// Its bytes in the file, all of them.
    pub length: u64,
    /// Its entries.
    pub entries: u32,
    /// Its first key.
    pub first: Key,
}

/// The numbers before a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockHead {
    /// Packed bytes.
    pub packed: u32,
    /// Unpacked bytes.
    pub unpacked: u32,
    /// Entries.
    pub entries: u32,
    /// Bytes of the first key.
    pub first: u32,
    /// The checksum.
    pub sum: u64,
}

impl BlockHead {
    fn numbers(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        let numbers = [self.packed, self.unpacked, self.entries, self.first];
        for (into, number) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(numbers) {
            *into = number.to_le_bytes();
        }
        bytes
    }

    /// Reads the numbers; `None` if no block has such.
    pub fn read(bytes: &[u8; BLOCK_HEAD]) -> Option<BlockHead> {
        let (numbers, _) = bytes.as_chunks::<4>();
        let [packed, unpacked, entries, first] = [0, 1, 2, 3].map(|place| u32::from_le_bytes(numbers[place]));
        let sum = u64::from_le_bytes(bytes[16..].try_into().ok()?);
        let head = BlockHead { packed, unpacked, entries, first, sum };
        let fits = packed <= LONGEST && unpacked <= LONGEST && first <= LONGEST && entries > 0;
        fits.then_some(head)
    }

    /// Bytes of the whole block.
    pub fn length(self) -> u64 {
        BLOCK_HEAD as u64 + u64::from(self.first) + u64::from(self.packed)
    }

    /// Whether this is the block of that number, with this key and these packed bytes.
    pub fn is_of(self, number: u64, key: &[u8], packed: &[u8]) -> bool {
        self.sum == block_sum(number, &self.numbers(), key, packed)
    }
}

fn block_sum(number: u64, numbers: &[u8; 16], key: &[u8], packed: &[u8]) -> u64 {
    checksum(&[&number.to_le_bytes(), numbers, key, packed])
}

/// A block as bytes of the file, and its checksum.
pub fn block(
    number: u64,
    entries: u32,
    key: &[u8],
    unpacked: usize,
    packed: &[u8],
) -> Result<(Vec<u8>, u64), TableError> {
    let small =
        |length: usize| u32::try_from(length).ok().filter(|length| *length <= LONGEST).ok_or(TableError::TooLarge);
    let head = BlockHead {
        packed: small(packed.len())?,
        unpacked: small(unpacked)?,
        entries,
        first: small(key.len())?,
        sum: 0,
    };
    let sum = block_sum(number, &head.numbers(), key, packed);
    let mut bytes = Vec::with_capacity(BLOCK_HEAD + key.len() + packed.len());
    bytes.extend_from_slice(&head.numbers());
    bytes.extend_from_slice(&sum.to_le_bytes());
    bytes.extend_from_slice(key);
    bytes.extend_from_slice(packed);
    Ok((bytes, sum))
}

/// The index as bytes.
pub fn index(blocks: &[Indexed]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for block in blocks {
        put_number(&mut bytes, block.length);
        put_number(&mut bytes, block.entries.into());
        put_number(&mut bytes, block.first.len() as u64);
        bytes.extend_from_slice(&block.first);
    }
    bytes
}

/// Reads an index of so many blocks; `None` if the bytes are none, or the first keys do not ascend.
pub fn read_index(mut bytes: &[u8], blocks: u64) -> Option<Vec<Indexed>> {
    let mut found: Vec<Indexed> = Vec::new();
    for _ in 0..blocks {
        let length = take_number(&mut bytes)?;
        let entries = u32::try_from(take_number(&mut bytes)?).ok()?;
        let key = usize::try_from(take_number(&mut bytes)?).ok()?;
        let (first, rest) = bytes.split_at_checked(key)?;
        bytes = rest;
        found.last().is_none_or(|last| last.first[..] < *first).then_some(())?;
        found.push(Indexed { length, entries, first: first.to_vec() });
    }
    bytes.is_empty().then_some(found)
}

/// The end of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// Bytes of the index.
    pub index: u64,
    /// Blocks.
    pub blocks: u64,
    /// Entries of all of them.
    pub entries: u64,
    /// Numbers of an entry.
    pub numbers: u64,
    /// The checksum of the index.
    pub sum: u64,
    /// The hash of everything.
    pub hash: u128,
}

impl End {
    /// The end as bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(END);
        for number in [self.index, self.blocks, self.entries, self.numbers, self.sum] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(&self.hash.to_le_bytes());
        let sum = checksum(&[&bytes]);
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Reads an end; `None` if the bytes are none.
    pub fn read(bytes: &[u8; END]) -> Option<End> {
        let (numbers, _) = bytes.as_chunks::<8>();
        let [index, blocks, entries, columns, sum] = [0, 1, 2, 3, 4].map(|place| u64::from_le_bytes(numbers[place]));
        let hash = u128::from_le_bytes(bytes[40..56].try_into().ok()?);
        let end = End { index, blocks, entries, numbers: columns, sum, hash };
        (end.encode() == bytes).then_some(end)
    }
}
