//! Reads and writes at an offset of a file, without a shared cursor, so that threads do not wait for each other.

use std::fs::File;
use std::io;

#[cfg(unix)]
pub fn write(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
}

/// Reads what there is; that is less than asked for at the end of the file.
#[cfg(unix)]
fn read_some(file: &File, bytes: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, bytes, at)
}

#[cfg(windows)]
pub fn write(file: &File, mut bytes: &[u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = std::os::windows::fs::FileExt::seek_write(file, bytes, at)?;
        if written == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        bytes = &bytes[written..];
        at += written as u64;
    }
    Ok(())
}

#[cfg(windows)]
fn read_some(file: &File, bytes: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, bytes, at)
}

/// Fills the bytes; false if the file is too short.
pub fn read(file: &File, mut bytes: &mut [u8], mut at: u64) -> io::Result<bool> {
    while !bytes.is_empty() {
        match read_some(file, bytes, at) {
            Ok(0) => return Ok(false),
            Ok(count) => {
                bytes = &mut bytes[count..];
                at += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(true)
}
