//! Table files of pieces: what is written is read, and what is damaged shows.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use table::{About, PieceFile, Pieces, TableError};

/// A path in the directory for such things, free again at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("perfectplay-table-{}-{name}", std::process::id()));
        let _ = fs::remove_file(&path);
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// What a table is about.
fn about(text: &str) -> About {
    About { name: text.to_string(), rules: String::new(), instance: String::new(), layout: String::new() }
}

const PIECES: Pieces = Pieces { count: 5, bytes: 100 };

fn piece(number: u64) -> Vec<u8> {
    (0..PIECES.bytes as u64).map(|at| (at * 7 + number * 31) as u8).collect()
}

fn present(file: &PieceFile) -> Vec<u64> {
    let mut bytes = vec![0; PIECES.bytes];
    (0..PIECES.count).filter(|&number| file.get(number, &mut bytes).unwrap() && bytes == piece(number)).collect()
}

#[test]
fn pieces_in_any_order() {
    let path = Scratch::new("order");
    let mut file = PieceFile::create(&path.0, &about("any text"), PIECES).unwrap();
    assert!(present(&file).is_empty());
    for (count, number) in [3, 0, 4, 2, 1].into_iter().enumerate() {
        file.put(number, &piece(number)).unwrap();
        assert_eq!(present(&file).len(), count + 1);
    }
    assert!(!PieceFile::open(&path.0).unwrap().is_finished());
    file.finish().unwrap();
    let read = PieceFile::open(&path.0).unwrap();
    assert!(read.is_finished());
    assert_eq!((&*read.about().name, read.pieces(), present(&read)), ("any text", PIECES, vec![0, 1, 2, 3, 4]));
    assert_eq!(fs::metadata(&path.0).unwrap().len(), read.size());
}

#[test]
fn threads_write_side_by_side() {
    let path = Scratch::new("threads");
    let file = PieceFile::create(&path.0, &about(""), PIECES).unwrap();
    std::thread::scope(|scope| {
        for number in 0..PIECES.count {
            let file = &file;
            scope.spawn(move || file.put(number, &piece(number)).unwrap());
        }
    });
    assert_eq!(present(&file), [0, 1, 2, 3, 4]);
}

#[test]
fn one_writer_at_a_time() {
    let path = Scratch::new("lock");
    let file = PieceFile::create(&path.0, &about(""), PIECES).unwrap();
    assert!(matches!(PieceFile::resume(&path.0), Err(TableError::Busy)));
    assert!(PieceFile::open(&path.0).is_ok(), "readers may look");
    drop(file);
    let file = PieceFile::resume(&path.0).unwrap();
    file.put(2, &piece(2)).unwrap();
    assert_eq!(present(&file), [2]);
    assert!(matches!(
        PieceFile::create(&path.0, &about(""), PIECES),
        Err(TableError::System(error)) if error.kind() == ErrorKind::AlreadyExists
    ));
}

#[test]
fn every_changed_byte_shows() {
    let path = Scratch::new("changed");
    let text = "a text that fills some of the head";
    let mut file = PieceFile::create(&path.0, &about(text), PIECES).unwrap();
    (0..PIECES.count).for_each(|number| file.put(number, &piece(number)).unwrap());
    file.finish().unwrap();
    drop(file);
    let bytes = fs::read(&path.0).unwrap();
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 0x10;
        fs::write(&path.0, &changed).unwrap();
        match PieceFile::open(&path.0) {
            // A table that seems not to be complete is not read.
            Ok(file) if at == 19 => assert!(!file.is_finished()),
            Ok(file) => {
                assert!(at >= 4096, "byte {at}");
                let damaged = ((at - 4096) / (PIECES.bytes + 8)) as u64;
                let rest: Vec<u64> = (0..PIECES.count).filter(|&number| number != damaged).collect();
                assert_eq!(present(&file), rest, "byte {at}");
            }
            Err(_) => assert!(at < 4096, "byte {at}"),
        }
    }
}

#[test]
fn cut_files() {
    let path = Scratch::new("cut");
    let file = PieceFile::create(&path.0, &about("text"), PIECES).unwrap();
    (0..PIECES.count).for_each(|number| file.put(number, &piece(number)).unwrap());
    drop(file);
    let bytes = fs::read(&path.0).unwrap();
    for length in [0, 5, 19, 40, 57, 99, 4095, 4096, 4099, 4204, 4300, bytes.len() - 1] {
        fs::write(&path.0, &bytes[..length]).unwrap();
        let whole = length.saturating_sub(4096) / (PIECES.bytes + 8);
        match PieceFile::open(&path.0) {
            Ok(file) => {
                assert!(length > 99);
                assert_eq!(present(&file).len(), whole, "{length}");
            }
            Err(TableError::NotATable) => assert!(length < 19),
            Err(TableError::Damaged(_)) => assert!((19..100).contains(&length), "{length}"),
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn other_files_and_other_pieces() {
    let path = Scratch::new("other");
    fs::write(&path.0, "game nim {}").unwrap();
    assert!(matches!(PieceFile::open(&path.0), Err(TableError::NotATable)));
    fs::write(&path.0, [&b"perfect play table\n\0"[..], &9_u32.to_le_bytes(), &[0; 99]].concat()).unwrap();
    assert!(matches!(PieceFile::open(&path.0), Err(TableError::Version { found: 9, .. })));
    fs::remove_file(&path.0).unwrap();
    assert!(matches!(PieceFile::open(&path.0), Err(TableError::System(error)) if error.kind() == ErrorKind::NotFound));
    let folder = std::env::temp_dir();
    assert!(
        matches!(PieceFile::open(&folder), Err(TableError::System(error)) if error.kind() == ErrorKind::IsADirectory)
    );
    #[cfg(unix)]
    assert!(matches!(PieceFile::open(std::path::Path::new("/dev/null")), Err(TableError::NotATable)));
    let huge = Pieces { count: u64::MAX / 2, bytes: 100 };
    assert!(matches!(PieceFile::create(&path.0, &about(""), huge), Err(TableError::TooLarge)));
    let file = PieceFile::create(&path.0, &about(""), PIECES).unwrap();
    assert!(file.put(5, &piece(5)).is_err());
    assert!(file.put(0, &[1, 2, 3]).is_err());
    assert!(file.get(0, &mut [0; 101]).is_err());
}
