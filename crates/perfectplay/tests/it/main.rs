//! The front: the gallery as it is shipped, and sums from text. What solves games is tested in `solve`.

mod gallery;
mod positions;
mod sums;
mod testing;
