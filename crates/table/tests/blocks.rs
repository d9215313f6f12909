//! Table files of blocks: what is written is read, what is damaged shows, and a file that was stopped becomes the same.

use std::fs;
use std::path::{Path, PathBuf};

use game::{Outcome, Verdict};
use table::{About, BlockReader, BlockWriter, ENTRIES, Entry, Kind, Shape, TableError, TableFile, part_path};

/// A path that is free again at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("perfectplay-blocks-{}-{name}", std::process::id()));
        let _ = fs::remove_file(&path);
        let _ = fs::remove_file(part_path(&path));
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
        let _ = fs::remove_file(part_path(&self.0));
    }
}

const SHAPE: Shape = Shape { kind: Kind::Outcomes { nimbers: false }, turn: true, ordered: false, values: false };

fn about() -> About {
    let text = |text: &str| text.to_string();
    About { name: text("a game"), rules: text("game g {}"), instance: text("{}"), layout: String::new() }
}

/// Keys with gaps.
fn key(number: u64) -> Vec<u8> {
    (number * 3 + number / 7).to_be_bytes()[4..].to_vec()
}

fn entry(number: u64) -> Entry {
    let outcome = [Outcome::Loss, Outcome::Draw, Outcome::Win][(number % 3) as usize];
    Entry::new(Verdict::outcome_in(outcome, (outcome != Outcome::Draw).then_some((number % 91) as u32)))
}

/// Writes entries from where the file stands, up to a number.
fn push(writer: &mut BlockWriter, up_to: u64) {
    for number in writer.written()..up_to {
        writer.push(key(number), &entry(number)).unwrap();
    }
}

fn written(path: &Path, entries: u64) -> Vec<u8> {
    let mut writer = BlockWriter::begin(path, &about(), SHAPE, 2).unwrap();
    push(&mut writer, entries);
    writer.finish().unwrap();
    fs::read(path).unwrap()
}

#[test]
fn what_is_written_is_read() {
    let path = Scratch::new("read");
    for entries in [0, 1, 100, ENTRIES as u64, 3 * ENTRIES as u64 + 5] {
        written(&path.0, entries);
        assert!(!part_path(&path.0).exists());
        // Two blocks fit in the cache at most.
        let reader = BlockReader::open(&path.0).unwrap().with_cache(100_000);
        assert_eq!(reader.entries(), entries);
        for number in (0..entries).rev().chain(0..entries) {
            assert_eq!(reader.get(&key(number)).unwrap(), Some(entry(number)), "{number} of {entries}");
            assert_eq!(reader.nth(number).unwrap(), Some((key(number), entry(number))));
        }
        assert_eq!((reader.nth(entries).unwrap(), reader.get(&key(entries)).unwrap()), (None, None));
        assert_eq!((reader.get(&[0, 0, 0, 1]).unwrap(), reader.get(&[9]).unwrap()), (None, None));
    }
}

#[test]
fn every_changed_byte_shows() {
    let path = Scratch::new("changed");
    let bytes = written(&path.0, 300);
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 8);
        fs::write(&path.0, &changed).unwrap();
        assert!(TableFile::open(&path.0).is_err(), "byte {at}");
    }
    for length in 0..bytes.len() {
        fs::write(&path.0, &bytes[..length]).unwrap();
        assert!(TableFile::open(&path.0).is_err(), "{length} bytes");
    }
    fs::write(&path.0, [&bytes[..], &[0]].concat()).unwrap();
    assert!(TableFile::open(&path.0).is_err());
    fs::write(&path.0, &bytes).unwrap();
    assert!(TableFile::open(&path.0).is_ok());
}

/// In a large file, a damaged block is refused when it is read, and the others answer.
#[test]
fn a_damaged_block_is_refused_when_it_is_read() {
    let path = Scratch::new("block");
    let entries = 3 * ENTRIES as u64;
    let mut bytes = written(&path.0, entries);
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path.0, &bytes).unwrap();
    let reader = BlockReader::open(&path.0).unwrap();
    assert_eq!(reader.get(&key(0)).unwrap(), Some(entry(0)));
    assert!(matches!(reader.get(&key(entries / 2)), Err(TableError::Damaged(_))));
    assert_eq!(reader.get(&key(entries - 1)).unwrap(), Some(entry(entries - 1)));
}

#[test]
fn a_file_that_was_stopped_becomes_the_same() {
    let (whole, path) = (Scratch::new("whole"), Scratch::new("stopped"));
    let entries = 5 * ENTRIES as u64 + 17;
    let bytes = written(&whole.0, entries);
    // Cut anywhere: within the head, within a block, between blocks, within the end.
    for cut in (0..bytes.len()).step_by(bytes.len() / 97).chain([bytes.len() - 1, bytes.len()]) {
        fs::write(part_path(&path.0), &bytes[..cut]).unwrap();
        let mut writer = BlockWriter::begin(&path.0, &about(), SHAPE, 2).unwrap();
        assert!(writer.written() <= entries);
        push(&mut writer, entries);
        writer.finish().unwrap();
        assert!(fs::read(&path.0).unwrap() == bytes, "cut at {cut}");
    }
    // What was begun and damaged is written again from there on.
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 4;
    fs::write(part_path(&path.0), &damaged).unwrap();
    assert!(written(&path.0, entries) == bytes);
}

#[test]
fn the_beginning_of_another_table_is_not_touched() {
    let path = Scratch::new("another");
    let other = About { instance: "{\"n\":1}".to_string(), ..about() };
    let mut writer = BlockWriter::begin(&path.0, &other, SHAPE, 2).unwrap();
    push(&mut writer, 2 * ENTRIES as u64);
    assert!(matches!(BlockWriter::begin(&path.0, &other, SHAPE, 2), Err(TableError::Busy)));
    drop(writer);
    let begun = fs::read(part_path(&path.0)).unwrap();
    assert!(matches!(BlockWriter::begin(&path.0, &about(), SHAPE, 2), Err(TableError::Foreign(_))));
    assert!(fs::read(part_path(&path.0)).unwrap() == begun);
}

#[test]
fn entries_must_be_in_order_and_of_the_shape() {
    let path = Scratch::new("order");
    let mut writer = BlockWriter::begin(&path.0, &about(), SHAPE, 2).unwrap();
    writer.push(key(5), &entry(5)).unwrap();
    assert!(writer.push(key(5), &entry(5)).is_err());
    assert!(writer.push(key(4), &entry(5)).is_err());
    assert!(writer.push(key(6), &Entry::new(Verdict::Score(3))).is_err());
}
