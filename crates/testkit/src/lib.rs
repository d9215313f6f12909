//! What the tests of several crates share.
//!
//! ```text
//! random ─▶ writer, net ─▶ rules text ─▶ bound game ─explore─▶ explicit game ─oracle─▶ worths
//!             net, product ──────────────────────────────────▶ explicit game
//! ```
//!
//! * [`random`]: the one source of chance.
//! * [`writer`] and [`net`]: generators of rules files.
//! * [`counters`]: rules files whose variables may fall into groups.
//! * [`lines`]: small boards whose games end by lines of squares.
//! * [`doubts`]: rules that compiled code leaves to the interpreter here and there.
//! * [`explicit`]: games written out, position by position. [`explore`] and [`product`] make them.
//! * [`oracle`]: what positions are worth, by the definitions alone.
//! * [`forms`]: partizan games as explicit forms, and what the books define on them.
//! * [`files`]: the gallery, and rules files that must be right.
//! * [`counting`]: an allocator that counts what a thread holds.
//!
//! This crate knows `game` and `rules` and nothing above them. So every crate can use it in its tests, and the oracles share
//! no code with what they judge.

pub mod counters;
pub mod counting;
pub mod doubts;
pub mod explicit;
pub mod explore;
pub mod files;
pub mod forms;
pub mod lines;
pub mod list_writer;
pub mod net;
pub mod oracle;
pub mod product;
pub mod random;
pub mod writer;

pub use random::Random;

/// Runs a test on a thread with room for plain recursion.
pub fn with_room(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(test).expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}
