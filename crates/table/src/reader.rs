//! Reads a table of blocks: one block at a time, the last ones kept in memory. A table in parts is read as if it were one file.

use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::block::Block;
use crate::block_file::BlockFile;
use crate::entry::Entry;
use crate::error::TableError;
use crate::head::{About, Form, Head};
use crate::keys::Key;
use crate::parts::{self, Listed};
use crate::place;
use crate::shape::Shape;

/// Unpacked blocks are kept up to so many bytes, unless somebody says otherwise.
const CACHE: usize = 64 << 20;

/// A table of blocks.
pub struct BlockReader {
    files: Vec<BlockFile>,
    /// For each file the number of its first block, and of its first entry; then how many there are.
    firsts: Vec<(usize, u64)>,
    /// The hash of everything.
    hash: u128,
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
    /// Opens a table, in one file or in parts. Heads, indices and ends are checked now; a block is checked when it is read.
    pub fn open(path: &Path) -> Result<BlockReader, TableError> {
        place::regular(path)?;
        let (head, end) = Head::read(&File::open(path)?)?;
        if head.form == Form::Parts {
            return BlockReader::of_parts(path, &head.about, &parts::read(path, end)?);
        }
        let file = BlockFile::open(path)?;
        let hash = file.end.hash;
        Ok(BlockReader::of_files(vec![file], hash))
    }

    /// The table of a list of parts.
    fn of_parts(path: &Path, about: &About, listed: &[Listed]) -> Result<BlockReader, TableError> {
        let mut files: Vec<BlockFile> = Vec::with_capacity(listed.len());
        for Listed { name, entries, hash } in listed {
            let wrong = |why: &str| TableError::Damaged(format!("its part {name} {why}"));
            let file = BlockFile::open(&path.with_file_name(name)).map_err(|error| match error {
                TableError::System(error) => TableError::Damaged(format!("its part {name} cannot be read: {error}")),
                TableError::Damaged(why) => TableError::Damaged(format!("its part {name}: {why}")),
                other => other,
            })?;
            if (file.end.entries, file.end.hash) != (*entries, *hash) || file.about != *about {
                return Err(wrong("is of another table"));
            }
            let (Some(first), Some(last)) = (file.blocks.first(), file.blocks.last()) else {
                return Err(wrong("is empty"));
            };
            let before = files.last().and_then(|file| file.blocks.last());
            if before.is_some_and(|before| before.first >= first.first) || last.first < first.first {
                return Err(wrong("does not follow the one before"));
            }
            files.push(file);
        }
        if files.is_empty() {
            return Err(TableError::Damaged("it has no parts".to_string()));
        }
        Ok(BlockReader::of_files(files, parts::hash(listed)))
    }

    fn of_files(files: Vec<BlockFile>, hash: u128) -> BlockReader {
        let mut firsts = vec![(0, 0)];
        let (mut blocks, mut entries) = (0, 0);
        for file in &files {
            blocks += file.blocks.len();
            entries += file.end.entries;
            firsts.push((blocks, entries));
        }
        BlockReader { files, firsts, hash, cache: Mutex::new(Cache { limit: CACHE, ..Cache::default() }) }
    }

    /// With so many bytes for blocks that are kept.
    pub fn with_cache(self, bytes: usize) -> BlockReader {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner).limit = bytes;
        self
    }

    /// What the table is about.
    pub fn about(&self) -> &About {
        &self.files[0].about
    }

    /// Its shape.
    pub fn shape(&self) -> Shape {
        self.files[0].shape
    }

    /// How many entries it has.
    pub fn entries(&self) -> u64 {
        self.firsts.last().map_or(0, |first| first.1)
    }

    /// How many blocks.
    pub fn blocks(&self) -> usize {
        self.firsts.last().map_or(0, |first| first.0)
    }

    /// How many files it has: one, or its parts.
    pub fn files(&self) -> usize {
        self.files.len()
    }

    /// How many bytes.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.length).sum()
    }

    /// The hash of everything.
    pub fn hash(&self) -> u128 {
        self.hash
    }

    /// The file of a block, by the number of the block, and its number there.
    fn place(&self, block: usize) -> (usize, usize) {
        let file = self.firsts.partition_point(|first| first.0 <= block).clamp(1, self.files.len()) - 1;
        (file, block - self.firsts[file].0)
    }

    /// The number of the first entry of a block.
    pub fn first_entry(&self, block: usize) -> u64 {
        let (file, number) = self.place(block);
        self.files[file].starts.get(number).map_or(self.entries(), |start| self.firsts[file].1 + start.1)
    }

    /// A block.
    pub fn block(&self, number: usize) -> Result<Arc<Block>, TableError> {
        let known = self.cache.lock().unwrap_or_else(PoisonError::into_inner).get(number);
        if let Some(block) = known {
            return Ok(block);
        }
        let (file, place) = self.place(number);
        let block = Arc::new(self.files[file].read(place)?);
        self.cache.lock().unwrap_or_else(PoisonError::into_inner).keep(number, &block);
        Ok(block)
    }

    /// Where a key is: its block, and its place there.
    pub fn find(&self, key: &[u8]) -> Result<Option<(Arc<Block>, usize, u64)>, TableError> {
        let begins = |file: &BlockFile| file.blocks.first().is_some_and(|block| block.first[..] <= *key);
        let Some(file) = self.files.partition_point(begins).checked_sub(1) else { return Ok(None) };
        let above = self.files[file].blocks.partition_point(|block| block.first[..] <= *key);
        let number = self.firsts[file].0 + above - 1;
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
        let mut numbers = Vec::with_capacity(self.files[0].end.numbers as usize);
        block.numbers(place, &mut numbers);
        Entry::read(&self.shape(), &numbers, block.text(place))
            .ok_or_else(|| TableError::Damaged("an entry says nothing that it could say".to_string()))
    }

    /// The entry of a number, counted from 0 in the order of keys.
    pub fn nth(&self, number: u64) -> Result<Option<(Key, Entry)>, TableError> {
        if number >= self.entries() {
            return Ok(None);
        }
        let file = self.firsts.partition_point(|first| first.1 <= number) - 1;
        let (blocks, entries) = self.firsts[file];
        let starts = &self.files[file].starts;
        let block = starts.partition_point(|start| start.1 <= number - entries) - 1;
        let place = (number - entries - starts[block].1) as usize;
        let block = self.block(blocks + block)?;
        Ok(Some((block.key(place), self.entry(&block, place)?)))
    }

    /// Reads the whole table and compares all checksums and the hash. `going` is told how many bytes were read, and ends the work
    /// by an error. Nothing is kept in memory.
    pub fn check<E: From<TableError>>(&self, mut going: impl FnMut(u64) -> Result<(), E>) -> Result<(), E> {
        let mut before = 0;
        for (place, file) in self.files.iter().enumerate() {
            file.check(|read| going(before + read))?;
            before += file.length;
            // Ranges must not overlap: what is last in a part is below what is first in the next.
            if let Some(next) = self.files.get(place + 1) {
                let last = file.read(file.blocks.len() - 1)?;
                if last.key(last.len() - 1) >= next.blocks[0].first {
                    return Err(E::from(TableError::Damaged(format!(
                        "part {} does not follow the one before",
                        place + 1
                    ))));
                }
            }
        }
        Ok(())
    }
}
