//! One file of blocks: its index, and its blocks one at a time.

use std::fs::File;
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

use crate::at;
use crate::block::Block;
use crate::error::TableError;
use crate::frame::{self, BLOCK_HEAD, BlockHead, END, End, Indexed};
use crate::head::{About, Form, Head, checksum};
use crate::packing::unpack;
use crate::place;
use crate::shape::Shape;

/// A longer index is not read into memory before it can be checked.
const LONGEST_INDEX: u64 = 1 << 34;

/// A file of blocks.
pub struct BlockFile {
    file: File,
    pub about: About,
    /// The head as it stands in the file.
    head: Vec<u8>,
    pub shape: Shape,
    pub end: End,
    pub blocks: Vec<Indexed>,
    /// The offset of each block, and the number of its first entry.
    pub starts: Vec<(u64, u64)>,
    pub length: u64,
}

impl BlockFile {
    /// Opens a table. Its head, its index and its end are checked now; a block is checked when it is read.
    pub fn open(path: &Path) -> Result<BlockFile, TableError> {
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
        let head_bytes = head.encode();
        Ok(BlockFile { file, about: head.about, head: head_bytes, shape, end, blocks, starts, length })
    }

    /// Reads and checks a block.
    pub fn read(&self, number: usize) -> Result<Block, TableError> {
        let (packed, head) = self.packed(number)?;
        let damaged = || TableError::Damaged(format!("block {number} of {} is damaged", self.blocks.len()));
        let Indexed { entries, first, .. } = &self.blocks[number];
        let bytes = unpack(packed, head.unpacked as usize).ok_or_else(damaged)?;
        let (numbers, texts) = (self.end.numbers as usize, self.shape.has_text());
        Block::decode(bytes, first, *entries as usize, numbers, texts).ok_or_else(damaged)
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
