//! The file in which a long run is kept.
//!
//! A new state is written beside the file, forced to the disk, and then takes the file's name: at every moment the file is
//! the old state or the new one, whole. A file that is no checkpoint of this run is never touched. A second run with the
//! same file would undo the work of the first, so it is refused: a lock beside the file ends with the program, however that
//! ends.

use std::fs::{self, File, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use perfectplay::sequence::{SavedError, Sequence, SequenceError};
use perfectplay::solving::Monitor;

use crate::failure::Failure;
use crate::files::{beside, why_unwritable};
use crate::load::reason;
use crate::watch;

/// How often the state is saved; less often where that takes long, so that the run is not held up.
const EVERY: Duration = Duration::from_secs(3);
/// The first state is saved sooner: much may be found in little time.
const FIRST: Duration = Duration::from_millis(500);
const SHARE: u32 = 20;

/// A checkpoint file of one sequence.
pub struct Checkpoint<'a> {
    path: &'a Path,
    identity: &'a str,
    next: Instant,
    /// How much was computed when it was saved.
    saved: Option<u64>,
    _lock: Lock,
}

impl<'a> Checkpoint<'a> {
    /// Takes the sequence up where the file leaves it, or makes the file.
    pub fn open(
        path: &'a Path,
        identity: &'a str,
        sequence: &mut Sequence,
        monitor: &mut Monitor,
    ) -> Result<Checkpoint<'a>, OpenError> {
        let lock = Lock::new(path)?;
        let mut checkpoint = Checkpoint { path, identity, next: Instant::now() + FIRST, saved: None, _lock: lock };
        match fs::read(path) {
            Ok(bytes) => {
                sequence.restore(&bytes, identity, monitor).map_err(|error| checkpoint.unusable(error))?;
                checkpoint.saved = Some(sequence.progress().0);
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                checkpoint.save(sequence)?;
                checkpoint.next = Instant::now() + FIRST;
            }
            Err(error) => {
                let message = format!("cannot read the checkpoint {}: {}", path.display(), reason(&error));
                return Err(Failure::usage(message).into());
            }
        }
        Ok(checkpoint)
    }

    fn unusable(&self, error: SavedError) -> OpenError {
        if let SavedError::Unchecked(error) = error {
            return OpenError::Stopped(error);
        }
        let message = format!("the checkpoint {} is not used: {error}", self.path.display());
        let help = "it is left as it is; name another file, or delete this one to start anew";
        Failure::usage_help(message, help).into()
    }

    /// Saves if it is time to.
    pub fn tick(&mut self, sequence: &Sequence) -> Result<(), Failure> {
        if Instant::now() < self.next { Ok(()) } else { self.save(sequence) }
    }

    /// Saves now, if there is anything new.
    pub fn save(&mut self, sequence: &Sequence) -> Result<(), Failure> {
        let state = sequence.progress().0;
        if self.saved == Some(state) {
            return Ok(());
        }
        let started = Instant::now();
        let written = watch::unbroken(|| self.replace(&sequence.save(self.identity)));
        let taken = started.elapsed();
        self.next = Instant::now() + EVERY.max(taken.saturating_mul(SHARE));
        written.map_err(|error| {
            let why = why_unwritable(self.path, &error);
            Failure::usage(format!("cannot write the checkpoint {}: {why}", self.path.display()))
        })?;
        self.saved = Some(state);
        Ok(())
    }

    fn replace(&self, bytes: &[u8]) -> std::io::Result<()> {
        let beside = beside(self.path, "unfinished")?;
        let mut file = File::create(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        drop(file);
        fs::rename(&beside, self.path)?;
        // The new name is safe once the folder is; where folders cannot be opened, renaming must do.
        if let Some(folder) = beside.parent().and_then(|folder| File::open(folder).ok()) {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

/// A lock on a checkpoint, held for as long as the program uses it.
struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    fn new(path: &Path) -> Result<Lock, Failure> {
        let made = beside(path, "lock").and_then(|lock| File::create(&lock).map(|file| (lock, file)));
        let (lock, file) = made.map_err(|error| {
            let why = why_unwritable(path, &error);
            Failure::usage(format!("cannot write beside the checkpoint {}: {why}", path.display()))
        })?;
        // Where files cannot be locked there is no lock; that is no reason to refuse the work.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            let message = format!("the checkpoint {} is in use by another run", path.display());
            return Err(Failure::usage_help(message, "wait for that run, stop it, or name another file"));
        }
        Ok(Lock { path: lock, _file: file })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Why a checkpoint is not there to go on from.
pub enum OpenError {
    /// The file cannot be used.
    File(Failure),
    /// A limit was reached while its values were checked.
    Stopped(SequenceError),
}

impl From<Failure> for OpenError {
    fn from(failure: Failure) -> OpenError {
        OpenError::File(failure)
    }
}
