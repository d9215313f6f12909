//! Tests of the workspace itself: which crate may depend on which, and which module may import which.

mod examples;
mod layers;
mod modules;
mod tokens;
