//! Nimbers: the values of impartial positions, and the field that they make.
//!
//! A [`Nimber`] is the Grundy number of a position: sums are XORs, and the maximum becomes the [`mex`]. The solvers
//! need no more. Nimbers can also be multiplied: [`Nim64`] is the field of all nimbers below 2^64, with product,
//! inverse, square root and the rest. Products of nimbers are the values of products of games, such as coins turned at
//! the corners of rectangles.

mod bytes;
pub mod nim64;
mod tower;

pub use nim64::Nim64;

/// The size of the Nim heap that equals a position.
pub type Nimber = u64;

/// The least nimber that is not among `values`. The slice is used as scratch space and its order is lost.
///
/// The answer is at most `values.len()`, so larger values can never matter.
///
/// ```
/// assert_eq!(game::mex(&mut [0, 1, 3, 1]), 2);
/// assert_eq!(game::mex(&mut []), 0);
/// ```
pub fn mex(values: &mut [Nimber]) -> Nimber {
    values.sort_unstable();
    let mut least = 0;
    for &value in values.iter() {
        if value > least {
            break;
        }
        if value == least {
            least += 1;
        }
    }
    least
}
