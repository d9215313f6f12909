//! The engines on codes against brute force and against the methods on graphs.

mod acyclic;
mod cyclic;
mod explicit;
#[allow(dead_code)]
pub mod games;
mod kept;
mod layered;
mod limits;
