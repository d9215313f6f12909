//! `perfectplay serve` over a real socket, and `export`. Every answer is held against `crates/explorer/openapi.json`.

mod answers;
mod client;
mod contract;
#[cfg(target_os = "linux")]
mod ending;
mod export;
mod fuzz;
mod hostile;
mod jobs;
mod safety;
mod tables;
