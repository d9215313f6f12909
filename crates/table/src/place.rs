//! Where files lie: whether a path is a file, who writes it, and how much room there is beside it.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

use crate::error::TableError;

/// Checks that this is a regular file: opening a pipe would wait for its other end.
pub fn regular(path: &Path) -> Result<(), TableError> {
    match std::fs::metadata(path)? {
        found if found.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory).into()),
        found if !found.is_file() => Err(TableError::NotATable),
        _ => Ok(()),
    }
}

/// Keeps others from writing. On a system without locks, this does nothing.
pub fn lock(file: &File) -> Result<(), TableError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(TableError::Busy),
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(()),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

/// How many bytes can still be written beside a file; `None` where the system does not tell.
pub fn free_space(path: &Path) -> Option<u64> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    free(folder)
}

#[cfg(unix)]
fn free(folder: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(folder).ok()?;
    // Systems of files that have no disk, such as /proc, tell of no blocks at all.
    if found.f_blocks == 0 {
        return None;
    }
    found.f_bavail.checked_mul(found.f_frsize)
}

#[cfg(not(unix))]
fn free(_: &Path) -> Option<u64> {
    None
}
