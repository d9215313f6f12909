//! Files that are written whole or not at all.
//!
//! What is written goes to a file beside the one that is wanted and takes its name at the very end, so that a run that is
//! stopped leaves no half file, and what was there before stays until then.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::failure::Failure;
use crate::load::reason;

/// Files that are not whole yet.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes all files that are not whole, before the program is ended.
pub fn remove_unfinished() {
    for path in UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        let _ = fs::remove_file(path);
    }
}

fn forget_unfinished(path: &Path) {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).retain(|other| other != path);
}

/// A file under way.
pub struct NewFile {
    /// As it was named.
    name: PathBuf,
    /// Where that is.
    path: PathBuf,
    /// Where it is written until it is whole; `None` for what is no file, such as a pipe.
    beside: Option<PathBuf>,
    out: BufWriter<File>,
}

impl NewFile {
    /// Makes the file, before long work is done for it.
    pub fn create(path: &Path) -> Result<NewFile, Failure> {
        writable(path)?;
        NewFile::open(path).map_err(|error| unwritable(path, &error))
    }

    fn open(path: &Path) -> io::Result<NewFile> {
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            let out = BufWriter::new(fs::OpenOptions::new().write(true).open(path)?);
            return Ok(NewFile { name: path.to_path_buf(), path: path.to_path_buf(), beside: None, out });
        }
        // A link stays a link: what it points to is written anew.
        let name = path.to_path_buf();
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let beside = beside(&path, &format!("unfinished-{}", std::process::id()))?;
        let out = BufWriter::with_capacity(1 << 16, File::create(&beside)?);
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).push(beside.clone());
        Ok(NewFile { name, path, beside: Some(beside), out })
    }

    /// Gives the file its name.
    pub fn finish(mut self) -> Result<(), Failure> {
        let renamed = self.out.flush().and_then(|()| match self.beside.take() {
            Some(beside) => fs::rename(&beside, &self.path)
                .inspect(|()| forget_unfinished(&beside))
                .inspect_err(|_| drop(fs::remove_file(&beside))),
            None => Ok(()),
        });
        renamed.map_err(|error| unwritable(&self.name, &error))
    }

    /// Why it could not be written.
    pub fn failure(&self, error: &io::Error) -> Failure {
        unwritable(&self.name, error)
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if let Some(beside) = &self.beside {
            forget_unfinished(beside);
            let _ = fs::remove_file(beside);
        }
    }
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::usage(format!("cannot write {}: {}", path.display(), why_unwritable(path, error)))
}

/// Why a file cannot be written, in plain words.
pub fn why_unwritable(path: &Path, error: &io::Error) -> String {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match error.kind() {
        io::ErrorKind::NotFound if folder.is_some_and(|folder| !folder.is_dir()) => {
            "there is no such folder".to_string()
        }
        io::ErrorKind::NotFound => "no file can be made there".to_string(),
        _ => reason(error),
    }
}

/// Whether there is a place for a file, before long work is done for it.
pub fn writable(path: &Path) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let why = match folder {
        _ if path.is_dir() => "it is a folder",
        Some(folder) if !folder.is_dir() => "there is no such folder",
        _ => return Ok(()),
    };
    Err(Failure::usage(format!("cannot write {}: {why}", path.display())))
}

/// A file beside another, with a name that nobody else uses.
pub fn beside(path: &Path, what: &str) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
    Ok(path.with_file_name(format!(".{}.perfectplay-{what}", name.to_string_lossy())))
}
