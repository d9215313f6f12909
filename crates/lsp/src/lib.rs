//! The rules language in editors: the formatter of `perfectplay fmt`, and the language server of `perfectplay lsp`.
//!
//! Read in this order:
//! - [`format`](mod@format): blanks set right.
//! - [`names`]: which name stands for what, as far as the file can be read.
//! - [`document`]: one file, and what an editor asks of it.
//! - [`server`]: the protocol.

pub mod document;
pub mod format;
pub mod names;
pub mod place;
pub mod server;
