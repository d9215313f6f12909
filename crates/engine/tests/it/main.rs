//! All engines against brute force: thousands of small random games, solved a second time by other means.

mod codes;
mod graphs;
mod loopy;
mod retrograde;
