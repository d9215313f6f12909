//! The values of all intervals of one row, as fast as the machine can compute them.
//!
//! Two players take items from the two ends of a row. With the items i..j left, taking the first one gains
//! p(i) + q(j), taking the last one gains u(i) + v(j), and the lead of the mover is
//! D(i, j) = max(gain of the first − D(i+1, j), gain of the last − D(i, j−1)), with D(i, i) = 0. Coins in a row are the
//! case p(i) = a_i, v(j) = a_{j−1}; a gain that is the sum of what remains is another one.
//!
//! For the value of one row of coins this table is not needed: [`taking`](crate::taking) finds it in linear time. This
//! module is for the table itself, or the best moves of all its intervals.
//!
//! How it is done:
//!
//! 1. A change of variables ([`normal`]) leaves one maximum in the cells of odd length, and one minimum with two
//!    subtractions in the others. It works for all gains of the form above.
//! 2. The triangle is cut into square tiles. Tiles on one diagonal do not depend on each other: the lanes of a vector
//!    register are adjacent tiles, so no lane ever needs its neighbour ([`lanes`]).
//! 3. Within a tile, values are close to the value in its corner, however large they are: neighbours differ by little,
//!    which [`normal`] proves. So a tile works on differences to its corner, in 16 or 32 bits if the spread of the
//!    gains allows, and only the borders of tiles hold full numbers.
//! 4. A block, a vector of tiles, walks along its rows from the diagonal to the end (`sweep`). The next block follows
//!    one tile behind, on another core if there is one.
//!
//! [`Plan`] chooses the storage ([`Storage`]) and the lanes ([`Lanes`]), and says how much memory that takes. A table
//! that is larger than the memory goes to a [`Shelf`].
//!
//! ```
//! use rows::triangle::{Gains, Plan, Storage};
//!
//! let gains = Gains::row(&[8, 15, 3, 7]);
//! let plan = Plan::new(&gains, Storage::Table, 1 << 20).unwrap();
//! let triangle = plan.run(&gains, 1, |_| true).unwrap();
//! assert_eq!(triangle.value(), 11);
//! assert_eq!(triangle.lead(1, 3), Some(12));
//! use rows::taking::End::{Left, Right};
//! assert_eq!(triangle.line(), Some(vec![Right, Left, Left, Left]));
//! ```

mod gains;
mod intervals;
mod kept;
pub mod lanes;
pub mod normal;
mod plan;
mod shape;
mod shelf;
mod storage;
mod sweep;
mod unfinished;

pub use gains::{Gains, UnequalLengths};
pub use intervals::Triangle;
pub use lanes::Lanes;
pub use plan::{Plan, TooLarge};
pub use shelf::{Pieces, Shelf};
pub use storage::Storage;
pub use unfinished::{Unfinished, Unshelved};
