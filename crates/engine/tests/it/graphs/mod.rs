//! The methods against brute force: thousands of small random games, solved a second time by other means.

mod acyclic;
mod big;
mod cyclic;
mod explicit;
mod limits;
mod payoffs;
