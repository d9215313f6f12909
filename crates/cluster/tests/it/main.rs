//! What a cluster finds is what one machine finds.

mod alike;
mod deploy;
