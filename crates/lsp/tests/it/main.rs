//! The language server from outside, over a connection in memory.

mod format;
mod names;
mod server;
