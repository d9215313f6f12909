//! Reads a table of blocks: one block at a time, the last ones kept in memory.

use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use xxhash_rust::xxh3::Xxh3;

use crate::at;
use crate::block::Block;
use crate::entry::Entry;
use crate::error::TableError;
use crate::frame::{self, BLOCK_HEAD, BlockHead, END, End, Indexed};
use crate::head::{About, Form, Head, checksum};
use crate::keys::Key;
use crate::packing::unpack;
use crate::place;
use crate::shape::Shape;

/// Unpacked blocks are kept up to so many bytes, unless somebody says otherwise.
const CACHE: usize = 64 << 20;
/// A longer index is not read into memory before it can be checked.
const LONGEST_INDEX: u64 = 1 << 34;

/// A table of blocks.
pub struct BlockReader {
    file: File,
    about: About,
    /// The head as it stands in the file.
    head: Vec<u8>,
    shape: Shape,
    end: End,
    blocks: Vec<Indexed>,
    /// The offset of each block, and the number of its first entry.
    starts: Vec<(u64, u64)>,
    length: u64,
    cache: Mutex<Cache>,
}

#[derive(Default)]
struct Cache {
    blocks: HashMap<usize, (Arc<Block>, bool)>,
    order: VecDeque<usize>,
    weight: usize,
    limit: usize,
}

impl Cache {
    fn get(&mut self, number: usize) -> Option<Arc<Block>> {
        let (block, used) = self.blocks.get_mut(&number)?;
        *used = true;
        Some(Arc::clone(block))
    }

    /// Keeps a block. Those go that were not asked for since they were last passed over.
    fn keep(&mut self, number: usize, block: &Arc<Block>) {
        self.weight += block.weight();
        if self.blocks.insert(number, (Arc::clone(block), false)).is_none() {
            self.order.push_back(number);
        }
        while self.weight > self.limit && self.order.len() > 1 {
            let Some(oldest) = self.order.pop_front() else { break };
            match self.blocks.get_mut(&oldest) {
                Some((_, used)) if *used => {
                    *used = false;
                    self.order.push_back(oldest);
                }
                _ => {
                    if let Some((block, _)) = self.blocks.remove(&oldest) {
                        self.weight -= block.weight();
                    }
                }
            }
        }
    }
}

impl BlockReader {
    /// Opens a table. Its head, its index and its end are checked now; a block is checked when it is read.
    pub fn open(path: &Path) -> Result<BlockReader, TableError> {
        place::regular(path)?;
        let file = File::open(path)?;
        let (head, start) = Head::read(&file)?;
        let damaged = |why: &str| TableError::Damaged(why.to_string());
        if head.form != Form::Blocks {
            return Err(damaged("it is no table of blocks"));
        }
        let Some(shape) = Shape::read(&head.about.layout) else {
            let why = format!("its layout is not known here ({})", head.about.layout);
            return Err(TableError::Foreign(why));
        };
        let length = file.metadata()?.len();
        let cut = || damaged("it is cut short, or its end is damaged");
        let mut bytes = [0; END];
        let end_at = length.checked_sub(END as u64).filter(|at| *at >= start).ok_or_else(cut)?;
        let whole = at::read(&file, &mut bytes, end_at)?;
        let end = End::read(&bytes).filter(|_| whole).ok_or_else(cut)?;
        let room = end_at - start;
        let wrong = || damaged("its index is damaged");
        if end.index > room.min(LONGEST_INDEX) {
            return Err(wrong());
        }
        let mut index = vec![0; end.index as usize];
        let index_at = end_at - end.index;
        if !at::read(&file, &mut index, index_at)? || checksum(&[&index]) != end.sum {
            return Err(wrong());
        }
        let blocks = frame::read_index(&index, end.blocks).ok_or_else(wrong)?;
        let (mut next, mut entries) = (start, 0_u64);
        let mut starts = Vec::with_capacity(blocks.len());
        for block in &blocks {
            starts.push((next, entries));
            next = next.checked_add(block.length).ok_or_else(wrong)?;
            entries += u64::from(block.entries);
        }
        if next != index_at || entries != end.entries || end.numbers > 64 {
            return Err(wrong());
        }
        let cache = Mutex::new(Cache { limit: CACHE, ..Cache::default() });
        let head_bytes = head.encode();
        Ok(BlockReader { file, about: head.about, head: head_bytes, shape, end, blocks, starts, length, cache })
    }

    /// With so many bytes for blocks that are kept.
    pub fn with_cache(self, bytes: usize) -> BlockReader {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner).limit = bytes;
        self
    }

    /// What the table is about.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// Its shape.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// How many entries it has.
    pub fn entries(&self) -> u64 {
        self.end.entries
    }

    /// How many blocks.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// How many bytes.
    pub fn bytes(&self) -> u64 {
        self.length
    }

    /// The hash of everything.
    pub fn hash(&self) -> u128 {
        self.end.hash
    }

    /// The number of the first entry of a block.
    pub fn first_entry(&self, block: usize) -> u64 {
        self.starts.get(block).map_or(self.end.entries, |start| start.1)
    }

    /// A block.
    pub fn block(&self, number: usize) -> Result<Arc<Block>, TableError> {
        let known = self.cache.lock().unwrap_or_else(PoisonError::into_inner).get(number);
        if let Some(block) = known {
            return Ok(block);
        }
        let (_, _, block) = self.read(number)?;
        let block = Arc::new(block);
        self.cache.lock().unwrap_or_else(PoisonError::into_inner).keep(number, &block);
        Ok(block)
    }

    /// Reads and checks a block; also its checksum and unpacked length.
    fn read(&self, number: usize) -> Result<(u64, usize, Block), TableError> {
        let (packed, head) = self.packed(number)?;
        let damaged = || TableError::Damaged(format!("block {number} of {} is damaged", self.blocks.len()));
        let Indexed { entries, first, .. } = &self.blocks[number];
        let bytes = unpack(packed, head.unpacked as usize).ok_or_else(damaged)?;
        let (numbers, texts) = (self.end.numbers as usize, self.shape.has_text());
        let block = Block::decode(bytes, first, *entries as usize, numbers, texts).ok_or_else(damaged)?;
        Ok((head.sum, head.unpacked as usize, block))
    }

    /// The packed bytes of a block, with its checksum compared.
    fn packed(&self, number: usize) -> Result<(Vec<u8>, BlockHead), TableError> {
        let damaged = || TableError::Damaged(format!("block {number} of {} is damaged", self.blocks.len()));
        let (Some(indexed), Some((start, _))) = (self.blocks.get(number), self.starts.get(number)) else {
            return Err(damaged());
        };
        let mut bytes = [0; BLOCK_HEAD];
        let whole = at::read(&self.file, &mut bytes, *start)?;
        let head = BlockHead::read(&bytes)
            .filter(|head| whole && head.length() == indexed.length && head.entries == indexed.entries);
        let head = head.ok_or_else(damaged)?;
        let mut rest = vec![0; head.first as usize + head.packed as usize];
        if !at::read(&self.file, &mut rest, start + BLOCK_HEAD as u64)? {
            return Err(damaged());
        }
        let packed = rest.split_off(head.first as usize);
        match rest == indexed.first && head.is_of(number as u64, &rest, &packed) {
            true => Ok((packed, head)),
            false => Err(damaged()),
        }
    }

    /// Where a key is: its block, and its place there.
    pub fn find(&self, key: &[u8]) -> Result<Option<(Arc<Block>, usize, u64)>, TableError> {
        let above = self.blocks.partition_point(|block| block.first[..] <= *key);
        let Some(number) = above.checked_sub(1) else { return Ok(None) };
        let block = self.block(number)?;
        let place = block.find(key);
        Ok(place.map(|place| (block, place, self.first_entry(number) + place as u64)))
    }

    /// What the table says of a key; `None` if it has no entry for it.
    pub fn get(&self, key: &[u8]) -> Result<Option<Entry>, TableError> {
        self.find(key)?.map(|(block, place, _)| self.entry(&block, place)).transpose()
    }

    /// The entry at a place of a block.
    pub fn entry(&self, block: &Block, place: usize) -> Result<Entry, TableError> {
        let mut numbers = Vec::with_capacity(self.end.numbers as usize);
        block.numbers(place, &mut numbers);
        Entry::read(&self.shape, &numbers, block.text(place))
            .ok_or_else(|| TableError::Damaged("an entry says nothing that it could say".to_string()))
    }

    /// The entry of a number, counted from 0 in the order of keys.
    pub fn nth(&self, number: u64) -> Result<Option<(Key, Entry)>, TableError> {
        if number >= self.end.entries {
            return Ok(None);
        }
        let block = self.starts.partition_point(|start| start.1 <= number) - 1;
        let place = (number - self.starts[block].1) as usize;
        let block = self.block(block)?;
        Ok(Some((block.key(place), self.entry(&block, place)?)))
    }

    /// Reads the whole file and compares all checksums and the hash. `going` is told how many bytes were read, and ends the work by
    /// an error. Nothing is kept in memory.
    pub fn check<E: From<TableError>>(&self, mut going: impl FnMut(u64) -> Result<(), E>) -> Result<(), E> {
        let mut hash = Xxh3::new();
        hash.update(&self.head);
        for number in 0..self.blocks.len() {
            let (_, head) = self.packed(number)?;
            hash.update(&head.sum.to_le_bytes());
            if number % 64 == 0 {
                going(self.starts[number].0)?;
            }
        }
        hash.update(&frame::index(&self.blocks));
        match hash.digest128() == self.end.hash {
            true => Ok(()),
            false => Err(E::from(TableError::Damaged("the hash of everything is wrong".to_string()))),
        }
    }
}
