//! `perfectplay serve` over a real socket, and `export`. Every answer is held against `crates/explorer/openapi.json`.

mod answers;
mod client;
mod contract;
mod export;
mod fuzz;
mod hostile;
mod jobs;
mod safety;
