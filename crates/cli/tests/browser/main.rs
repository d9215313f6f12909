//! The explorer in a real browser: Chromium without a window, driven over its own protocol.
//!
//! These tests are here and not beside the page, since they need the binary: it serves the page and exports it. Where
//! Chromium is missing they are skipped with a message; under `CI=true` they fail then. `./test` installs it.

mod board;
mod chromium;
mod exported;
mod gallery;
mod looks;
mod page;
mod pictures;
mod playground;
mod server;
mod shapes;
mod socket;
