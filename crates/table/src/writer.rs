//! Writes a table of blocks.
//!
//! Entries come in the order of their keys. The blocks go to a file beside the one that is wanted, whose name ends in `.part`, and
//! which takes its name at the very end. After a stop of any kind the complete blocks of that file are kept: the next
//! writer says how many entries are there, and goes on behind them. So whatever happened, the file becomes the same.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3;

use crate::at;
use crate::block::BlockEntries;
use crate::entry::Entry;
use crate::error::TableError;
use crate::frame::{self, BLOCK_HEAD, BlockHead, End, Indexed};
use crate::head::{About, Form, Head, checksum};
use crate::keys::Key;
use crate::packing::pack;
use crate::place;
use crate::shape::Shape;

/// Entries of a block. More pack a little better, and take longer to unpack: a position and all its options are asked for in a
/// millisecond.
pub const ENTRIES: usize = 4096;
/// A block whose keys have so many bytes is full, too.
const KEY_BYTES: usize = 1 << 20;
/// The bytes that are made safe on the disk at a time.
const SAFE: u64 = 256 << 20;

/// The file in which a table is written until it is complete.
pub fn part_path(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".part");
    path.with_file_name(name)
}

/// A table under way.
pub struct BlockWriter {
    file: File,
    path: PathBuf,
    part: PathBuf,
    shape: Shape,
    numbers: usize,
    /// Where the next block goes, and what is safe on the disk.
    next: u64,
    safe: u64,
    blocks: Vec<Indexed>,
    sums: Vec<u64>,
    head: Vec<u8>,
    /// Entries in blocks.
    written: u64,
    entries: BlockEntries,
    last: Option<Key>,
    scratch: (Vec<u64>, String),
}

/// A table that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// How many entries it has.
    pub entries: u64,
    /// How many bytes.
    pub bytes: u64,
    /// The hash of everything.
    pub hash: u128,
}

impl BlockWriter {
    /// Begins a table, or goes on with one that was begun. `players` is the number of players of the game.
    pub fn begin(path: &Path, about: &About, shape: Shape, players: usize) -> Result<BlockWriter, TableError> {
        let part = part_path(path);
        if part.exists() {
            place::regular(&part)?;
        }
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&part)?;
        place::lock(&file)?;
        let head = Head { form: Form::Blocks, about: About { layout: shape.to_string(), ..about.clone() } }.encode();
        let numbers = shape.numbers(players);
        let mut writer = BlockWriter {
            file,
            path: path.to_path_buf(),
            part,
            shape,
            numbers,
            next: head.len() as u64,
            safe: 0,
            blocks: Vec::new(),
            sums: Vec::new(),
            head,
            written: 0,
            entries: BlockEntries::new(numbers, shape.has_text()),
            last: None,
            scratch: (Vec::new(), String::new()),
        };
        writer.go_on()?;
        Ok(writer)
    }

    /// Keeps the complete blocks of a file that was begun, and cuts off what follows.
    fn go_on(&mut self) -> Result<(), TableError> {
        let head = &self.head;
        let length = self.file.metadata()?.len();
        let mut begun = vec![0; head.len().min(usize::try_from(length).unwrap_or(usize::MAX))];
        at::read(&self.file, &mut begun, 0)?;
        if begun != head[..begun.len()] {
            let why = format!("{} holds the beginning of another table", self.part.display());
            return Err(TableError::Foreign(why));
        }
        if begun.len() < head.len() {
            at::write(&self.file, head, 0)?;
        }
        let mut bytes = [0; BLOCK_HEAD];
        while at::read(&self.file, &mut bytes, self.next)? {
            let Some(block) = BlockHead::read(&bytes).filter(|block| self.next + block.length() <= length) else {
                break;
            };
            let mut rest = vec![0; block.first as usize + block.packed as usize];
            if !at::read(&self.file, &mut rest, self.next + BLOCK_HEAD as u64)? {
                break;
            }
            let (first, packed) = rest.split_at(block.first as usize);
            if !block.is_of(self.blocks.len() as u64, first, packed) {
                break;
            }
            self.count(block.length(), block.entries, first.to_vec(), block.sum);
        }
        // The last one may be the short one at the end of a table that was nearly complete.
        if let (Some(last), Some(_)) = (self.blocks.pop(), self.sums.pop()) {
            self.next -= last.length;
            self.written -= u64::from(last.entries);
        }
        self.safe = self.next;
        Ok(self.file.set_len(self.next)?)
    }

    fn count(&mut self, length: u64, entries: u32, first: Key, sum: u64) {
        self.sums.push(sum);
        self.next += length;
        self.written += u64::from(entries);
        self.blocks.push(Indexed { length, entries, first });
    }

    /// How many entries are there already, from the first on: they are not pushed again.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// How many bytes are there already.
    pub fn bytes(&self) -> u64 {
        self.next
    }

    /// Adds an entry, whose key must be above all before.
    pub fn push(&mut self, key: Key, entry: &Entry) -> Result<(), TableError> {
        let (mut numbers, mut text) = std::mem::take(&mut self.scratch);
        let wrong = |why: &str| TableError::Foreign(why.to_string());
        if !entry.write(&self.shape, &mut numbers, &mut text) || numbers.len() != self.numbers {
            return Err(wrong("an entry is not of the shape of its table"));
        }
        if self.last.as_ref().is_some_and(|last| *last >= key) {
            return Err(wrong("the keys of a table do not ascend"));
        }
        self.last = Some(key.clone());
        self.entries.push(key, &numbers, &text);
        self.scratch = (numbers, text);
        let full = self.entries.len() == ENTRIES || self.entries.key_bytes() >= KEY_BYTES;
        if full { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result<(), TableError> {
        let Some(first) = self.entries.first().map(<[u8]>::to_vec) else { return Ok(()) };
        let unpacked = self.entries.encode();
        let packed = pack(&unpacked);
        let entries = self.entries.len() as u32;
        let (bytes, sum) = frame::block(self.blocks.len() as u64, entries, &first, unpacked.len(), &packed)?;
        at::write(&self.file, &bytes, self.next)?;
        self.count(bytes.len() as u64, entries, first, sum);
        self.entries.clear();
        if self.next - self.safe >= SAFE {
            self.file.sync_data()?;
            self.safe = self.next;
        }
        Ok(())
    }

    /// Writes what is left, and gives the file its name.
    pub fn finish(mut self) -> Result<Written, TableError> {
        self.write()?;
        let index = frame::index(&self.blocks);
        let mut hash = Xxh3::new();
        hash.update(&self.head);
        self.sums.iter().for_each(|sum| hash.update(&sum.to_le_bytes()));
        hash.update(&index);
        let hash = hash.digest128();
        let end = End {
            index: index.len() as u64,
            blocks: self.blocks.len() as u64,
            entries: self.written,
            numbers: self.numbers as u64,
            sum: checksum(&[&index]),
            hash,
        };
        at::write(&self.file, &index, self.next)?;
        let end = end.encode();
        at::write(&self.file, &end, self.next + index.len() as u64)?;
        let bytes = self.next + (index.len() + end.len()) as u64;
        self.file.sync_all()?;
        fs::rename(&self.part, &self.path)?;
        sync_folder(&self.path);
        Ok(Written { entries: self.written, bytes, hash })
    }
}

/// Makes a new name safe on the disk, where the system can do that.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let _: io::Result<()> = File::open(folder).and_then(|folder| folder.sync_all());
}

/// About how many bytes a table of so many entries takes, from some of them.
pub fn predicted(sample: &[(Key, Entry)], shape: Shape, players: usize, entries: u64) -> u64 {
    let mut block = BlockEntries::new(shape.numbers(players), shape.has_text());
    let (mut numbers, mut text) = (Vec::new(), String::new());
    for (key, entry) in sample {
        if entry.write(&shape, &mut numbers, &mut text) {
            block.push(key.clone(), &numbers, &text);
        }
    }
    let bytes = pack(&block.encode()).len() as u64 + 64;
    let each = bytes as f64 / block.len().max(1) as f64;
    // Blocks differ: a little more is asked for.
    (1.25 * each * entries as f64) as u64 + 4096
}
