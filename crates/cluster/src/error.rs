//! Why a cluster has no answer.

use std::fmt;

use engine::Error;
use solve::error::SolveError;
use table::TableError;

/// Why a worker cannot go on.
#[derive(Clone, Debug, PartialEq)]
pub enum Trouble {
    /// An error of its engine.
    Engine(Error),
    /// An error of the solve.
    Solve(SolveError),
    /// A file cannot be read or written; the text says why.
    File(String),
    /// Another process is gone, or nothing was heard of it for too long; the text says which.
    Lost(String),
    /// Another worker cannot go on.
    Elsewhere {
        /// Which.
        worker: usize,
        /// The kind of its trouble.
        kind: TroubleKind,
        /// What it says.
        text: String,
    },
}

/// What is wrong, as far as it decides how a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TroubleKind {
    /// A limit of memory or time was reached.
    Limit,
    /// A person stopped it.
    Interrupted,
    /// A process is gone: the run can be gone on with.
    Lost,
    /// Anything else.
    Other,
}

impl Trouble {
    /// What decides how the run ends.
    pub fn kind(&self) -> TroubleKind {
        match self {
            Trouble::Engine(Error::Interrupted { .. }) | Trouble::Solve(SolveError::Interrupted { .. }) => {
                TroubleKind::Interrupted
            }
            Trouble::Engine(error) if error.is_limit() => TroubleKind::Limit,
            Trouble::Solve(error) if error.is_limit() => TroubleKind::Limit,
            Trouble::Lost(_) => TroubleKind::Lost,
            Trouble::Elsewhere { kind, .. } => *kind,
            _ => TroubleKind::Other,
        }
    }

    /// The trouble as words of a letter.
    pub(crate) fn words(&self) -> Vec<u64> {
        let text = self.to_string();
        let kind = match self.kind() {
            TroubleKind::Limit => 0,
            TroubleKind::Interrupted => 1,
            TroubleKind::Other => 2,
            TroubleKind::Lost => 3,
        };
        let mut words = vec![kind, text.len() as u64];
        for bytes in text.as_bytes().chunks(8) {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            words.push(u64::from_le_bytes(word));
        }
        words
    }

    /// The trouble that a letter tells of.
    pub(crate) fn elsewhere(worker: usize, words: &[u64]) -> Trouble {
        let kind = match words.first() {
            Some(0) => TroubleKind::Limit,
            Some(1) => TroubleKind::Interrupted,
            Some(3) => TroubleKind::Lost,
            _ => TroubleKind::Other,
        };
        let length = words.get(1).copied().unwrap_or(0);
        let mut bytes: Vec<u8> = words.iter().skip(2).flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(usize::try_from(length).unwrap_or(usize::MAX));
        Trouble::Elsewhere { worker, kind, text: String::from_utf8_lossy(&bytes).into_owned() }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Engine(error) => error.fmt(f),
            Trouble::Solve(error) => error.fmt(f),
            Trouble::File(why) | Trouble::Lost(why) => f.write_str(why),
            Trouble::Elsewhere { worker, text, .. } => write!(f, "worker {worker}: {text}"),
        }
    }
}

impl std::error::Error for Trouble {}

impl From<Error> for Trouble {
    fn from(error: Error) -> Trouble {
        Trouble::Engine(error)
    }
}

impl From<SolveError> for Trouble {
    fn from(error: SolveError) -> Trouble {
        Trouble::Solve(error)
    }
}

impl From<TableError> for Trouble {
    fn from(error: TableError) -> Trouble {
        Trouble::File(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trouble_is_told_in_words() {
        let trouble = Trouble::File("the disk of ρ is full".to_string());
        let told = Trouble::elsewhere(3, &trouble.words());
        let (kind, text) = (TroubleKind::Other, "the disk of ρ is full".to_string());
        assert_eq!(told, Trouble::Elsewhere { worker: 3, kind, text });
        let stopped = Trouble::Engine(Error::Interrupted { positions: 5 });
        assert_eq!(Trouble::elsewhere(0, &stopped.words()).kind(), TroubleKind::Interrupted);
    }
}
