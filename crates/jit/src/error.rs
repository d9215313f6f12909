//! Why something could not be compiled. None of these is the user's fault: the interpreter takes over.

use std::fmt;

/// Why formulas were not compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JitError {
    /// Cranelift does not support this machine, or there is no memory for code.
    Host(String),
    /// Cranelift refused the function.
    Codegen(String),
    /// There are this many nodes: compiling would take longer than it saves.
    TooLarge(usize),
    /// There is no memory to compile it: the limit, and the bytes that were needed.
    Memory {
        /// In bytes.
        limit: u64,
        /// In bytes, with what was there.
        needed: u64,
    },
    /// Somebody stopped it (see [`rules::stop`]).
    Stopped,
    /// Formulas of a kind that this compiler does not translate.
    Unsupported(&'static str),
}

impl fmt::Display for JitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JitError::Host(why) => write!(f, "no machine code can be made here: {why}"),
            JitError::Codegen(why) => write!(f, "the compiler failed: {why}"),
            JitError::TooLarge(nodes) => write!(f, "the formulas are too large to compile: {nodes} nodes"),
            JitError::Memory { .. } => f.write_str("there is not enough memory to compile the rules"),
            JitError::Stopped => f.write_str("the compiler was stopped"),
            JitError::Unsupported(what) => write!(f, "not compiled: {what}"),
        }
    }
}

impl std::error::Error for JitError {}
