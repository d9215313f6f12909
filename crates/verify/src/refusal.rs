//! Why a certificate is not accepted.

use std::fmt;
use std::io;

use rules::fault::Fault;
use rules::stop::Stopped;

/// Why a certificate is not accepted.
#[derive(Debug)]
pub enum Refusal {
    /// The file is no certificate, or one of another version.
    Foreign(String),
    /// The file is damaged.
    Damaged {
        /// The byte of the file at which that shows.
        at: u64,
        /// What is wrong there.
        why: String,
    },
    /// The file cannot be read.
    Unread(io::Error),
    /// The file can be read, and what it says is wrong.
    Wrong(Box<Wrong>),
    /// A limit was reached, or a person stopped the check.
    Stopped(Stopped),
    /// Whoever writes the certificate could not go on; it has kept the reason.
    Unwritten,
}

/// The first thing that is wrong in a certificate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wrong {
    /// Where: the argument, counted from 1; 0 stands for the head.
    pub argument: u64,
    /// The entry of the argument, counted from 1; 0 stands for the argument as a whole.
    pub entry: u64,
    /// The position there, as one line of text.
    pub position: Option<String>,
    /// What is wrong.
    pub why: String,
    /// Whether it is the rules that go wrong there, whatever the certificate says.
    pub faulty: bool,
}

impl Refusal {
    /// Something wrong that has no place yet.
    pub fn wrong(why: impl Into<String>) -> Refusal {
        Refusal::Wrong(Box::new(Wrong { why: why.into(), ..Wrong::default() }))
    }

    /// The number of the argument added.
    pub(crate) fn in_argument(mut self, number: u64) -> Refusal {
        if let Refusal::Wrong(wrong) = &mut self {
            wrong.argument = number;
        }
        self
    }

    /// The place added, where there is none yet.
    pub(crate) fn at(mut self, entry: u64, position: impl FnOnce() -> String) -> Refusal {
        if let Refusal::Wrong(wrong) = &mut self
            && wrong.position.is_none()
        {
            wrong.entry = entry;
            wrong.position = Some(position());
        }
        self
    }
}

impl From<Stopped> for Refusal {
    fn from(why: Stopped) -> Refusal {
        Refusal::Stopped(why)
    }
}

/// Rules that go wrong in a position prove nothing there.
impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Refusal {
        match fault.stopped() {
            Some(why) => Refusal::Stopped(why),
            None => Refusal::Wrong(Box::new(Wrong {
                why: format!("the rules go wrong: {}", fault.diagnostic.title),
                faulty: true,
                ..Wrong::default()
            })),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Foreign(why) => f.write_str(why),
            Refusal::Damaged { at, why } => write!(f, "damaged at byte {at}: {why}"),
            Refusal::Unread(error) => error.fmt(f),
            Refusal::Wrong(wrong) => wrong.fmt(f),
            Refusal::Stopped(why) => f.write_str(&Fault::from(*why).diagnostic.title),
            Refusal::Unwritten => f.write_str("it could not be written"),
        }
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.argument, self.entry) {
            (0, _) => f.write_str("in the head")?,
            (argument, 0) => write!(f, "in argument {argument}")?,
            (argument, entry) => write!(f, "in argument {argument}, entry {entry}")?,
        }
        if let Some(position) = &self.position {
            write!(f, ", at the position {position}")?;
        }
        write!(f, ": {}", self.why)
    }
}

impl std::error::Error for Refusal {}
