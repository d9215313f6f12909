//! Tables in parts: read as one, merged into the file that is written at once, and refused where a part is not what the list says.

use std::fs;
use std::path::{Path, PathBuf};

use game::{Outcome, Verdict};
use table::{About, BlockReader, BlockWriter, Entry, Kind, Listed, Shape, TableError, TableFile, merge, write_list};

const SHAPE: Shape = Shape { kind: Kind::Outcomes { nimbers: false }, turn: false, ordered: false, values: false };

/// A folder that is gone again at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("perfectplay-parts-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn about(name: &str) -> About {
    let text = |text: &str| text.to_string();
    About { name: text(name), rules: text("…"), instance: text("{}"), layout: String::new() }
}

fn key(number: u32) -> Vec<u8> {
    (3 * number).to_be_bytes().to_vec()
}

fn entry(number: u32) -> Entry {
    let outcome = if number.is_multiple_of(4) { Outcome::Loss } else { Outcome::Win };
    Entry::new(Verdict::outcome_in(outcome, Some(number % 100)))
}

/// Writes the entries of some numbers.
fn write(path: &Path, name: &str, numbers: std::ops::Range<u32>) -> Listed {
    let mut writer = BlockWriter::begin(path, &about(name), SHAPE, 2).unwrap();
    numbers.for_each(|number| writer.push(key(number), &entry(number)).unwrap());
    let written = writer.finish().unwrap();
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    Listed { name, entries: written.entries, hash: written.hash }
}

/// Parts that end where the numbers of a list do, and the list.
fn parts(folder: &Path, cuts: &[u32]) -> PathBuf {
    let mut listed = Vec::new();
    let mut begin = 0;
    for (part, &end) in cuts.iter().enumerate() {
        listed.push(write(&folder.join(format!("part-{part}.table")), "nim", begin..end));
        begin = end;
    }
    let list = folder.join("whole.table");
    write_list(&list, &about("nim"), SHAPE, &listed).unwrap();
    list
}

#[test]
fn parts_are_read_as_one() {
    let scratch = Scratch::new("one");
    let list = parts(&scratch.0, &[5000, 5001, 13_000]);
    assert!(TableFile::is_table(&list));
    let TableFile::Blocks(reader) = TableFile::open(&list).unwrap() else { panic!("blocks") };
    assert_eq!((reader.entries(), reader.files()), (13_000, 3));
    for number in (0..13_000).step_by(7).chain([4999, 5000, 5001, 12_999]) {
        assert_eq!(reader.get(&key(number)).unwrap(), Some(entry(number)), "{number}");
        assert_eq!(reader.nth(number.into()).unwrap(), Some((key(number), entry(number))));
        assert_eq!(reader.find(&key(number)).unwrap().map(|found| found.2), Some(number.into()));
        assert_eq!(reader.get(&(3 * number + 1).to_be_bytes()).unwrap(), None);
    }
    assert_eq!(reader.nth(13_000).unwrap(), None);
    let firsts: Vec<u64> = (0..=reader.blocks()).map(|block| reader.first_entry(block)).collect();
    assert_eq!(firsts, [0, 4096, 5000, 5001, 9097, 13_000]);
}

#[test]
fn merged_parts_are_the_file_that_is_written_at_once() {
    let scratch = Scratch::new("merged");
    let list = parts(&scratch.0, &[1, 4096, 9000]);
    let (one, many) = (scratch.0.join("one.table"), scratch.0.join("many.table"));
    write(&one, "nim", 0..9000);
    let reader = BlockReader::open(&list).unwrap();
    // A merge that is stopped goes on.
    let stopped = merge(&reader, 2, &many, |written| if written > 5000 { Err(TableError::Busy) } else { Ok(()) });
    assert!(matches!(stopped, Err(TableError::Busy)));
    merge(&reader, 2, &many, |_| Ok::<(), TableError>(())).unwrap();
    assert!(fs::read(&one).unwrap() == fs::read(&many).unwrap());
}

#[test]
fn parts_that_are_not_what_the_list_says_are_refused() {
    let scratch = Scratch::new("wrong");
    let list = parts(&scratch.0, &[3000, 6000, 9000]);
    let why = |list: &Path| match BlockReader::open(list) {
        Err(TableError::Damaged(why)) => why,
        other => panic!("{:?}", other.err()),
    };
    let part = scratch.0.join("part-1.table");
    let held = fs::read(&part).unwrap();
    // Of another game, of other entries, cut short, away.
    fs::remove_file(&part).unwrap();
    assert!(why(&list).contains("part-1.table cannot be read"));
    write(&part, "kayles", 3000..6000);
    assert!(why(&list).contains("is of another table"));
    fs::remove_file(&part).unwrap();
    write(&part, "nim", 3000..5999);
    assert!(why(&list).contains("is of another table"));
    fs::write(&part, &held[..held.len() / 2]).unwrap();
    assert!(why(&list).contains("part-1.table: it is cut short"));
    fs::write(&part, &held).unwrap();
    // A byte of the list.
    let whole = fs::read(&list).unwrap();
    for at in (0..whole.len()).rev().step_by(13) {
        let mut bent = whole.clone();
        bent[at] ^= 1;
        fs::write(&list, &bent).unwrap();
        assert!(TableFile::open(&list).is_err(), "{at}");
        fs::write(&list, &whole[..at]).unwrap();
        assert!(TableFile::open(&list).is_err(), "{at}");
    }
    // In another order, or elsewhere.
    let listed = |name: &str, numbers| write(&scratch.0.join(name), "nim", numbers);
    let (low, high) = (listed("low.table", 0..10), listed("high.table", 10..20));
    write_list(&list, &about("nim"), SHAPE, &[high, low.clone()]).unwrap();
    assert!(why(&list).contains("does not follow"));
    write_list(&list, &about("nim"), SHAPE, &[]).unwrap();
    assert!(why(&list).contains("no parts"));
    write_list(&list, &about("nim"), SHAPE, &[Listed { name: "../low.table".to_string(), ..low }]).unwrap();
    assert!(why(&list).contains("list of parts"));
}
