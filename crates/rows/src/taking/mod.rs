//! Rows, open at both ends, and stacks, open at the top; a move takes one item on offer and its number.
//!
//! Textbooks fill a table of all intervals for one row and call several rows hopeless. Neither is so.
//!
//! # The theorem
//!
//! The lists hold N items in all, any integers. The players take turns; a move takes one item from an open end and gains
//! its number; nobody may pass; the difference of the gains counts.
//!
//! 1. While a list has neighbours x ≤ y ≥ z, replace the three by one item x − y + z.
//! 2. While the bottom item b of a stack is at least the item a above it, remove the pair and add b − a to S.
//! 3. Sort all that is left, falling: A = r₁ − r₂ + r₃ − …
//!
//! The value for the mover is A + S if N is odd and A − S if N is even. For one row what is left falls and then rises, the
//! larger end is taken each time, and no sorting is needed: linear time.
//!
//! Where the theorem **ends**: several items a move, a gain that depends on what else is left or on who takes the item,
//! passing, a third player, an item that is open only when another list is empty. None of these is a row or stack
//! in the sense of this module.
//!
//! Why it is so, in short: behind a peak y with x ≤ y ≥ z nobody gains by stopping. Who takes z opens y, the largest
//! thing on offer, which is answered at once, and then x is as good as z was or better. So the three go together, and the
//! first of them decides who gets which. A settled pair is the opposite: who takes a opens b ≥ a and loses by it, so such
//! pairs are left until nothing else is, and whoever is to move then opens them all; the parity of N says who. The tests
//! compare with plain recursion, exhaustively where lists are short.
//!
//! # Why blocks may be played item by item
//!
//! A *block* is a run of items that was fused into one number; its worth is the alternating sum of its items from either
//! end, as their count is odd. [`line()`] takes the block with the greatest worth on offer, item by item from its open
//! end. Then every one of these moves is optimal, by this lemma.
//!
//! Let T be the items at an open end of a list, and m a number. Call T *high over m* if it can be fused into blocks that
//! never fall toward the open end, the innermost (the least) being at least m.
//!
//! **Lemma.** If T is high over m, then so is T without its outermost item t.
//!
//! *Proof*, by the length of T. Let u₁ ≤ … ≤ u be its blocks. If u is one item, it is just gone. Else u = X − Y + Z was
//! fused last from blocks X ≤ Y ≥ Z, Z outermost, so that X ≥ u and Z ≥ u. The block Z alone is high over its own worth,
//! so without t it becomes blocks z₁ ≤ z₂ ≤ … ≥ Z, an even number of them. Now the blocks are …, X, Y, z₁, z₂, … with X
//! at least all before it. If there is no z₁, or Y ≤ z₁, nothing falls, and we are done. Else X ≤ Y ≥ z₁ fuse into
//! X − Y + z₁, which is at least X − Y + Z = u and at most z₁ ≤ z₂. ∎
//!
//! If T is high over all other blocks on the table, its blocks come first in the falling order, so the value is
//! alt(T) ± v, where alt(T) is the alternating sum of its items from the outside and v is the value of the rest. By
//! the lemma the same holds after t is taken, and alt(T) = t − alt(T without t): so the value before is t minus the value
//! after, which is to say that t is optimal. The block of greatest worth is high over all others, and stays so to its last
//! item. At the end only settled pairs are left, value −S, and the top block a of a stack is opened above its b ≥ a.
//! Without its outermost item t the block a is a₁ ≤ a₂ ≤ …, an even number; whether b ≥ a₁ settles with it or b < a₁
//! comes last in the order, the value after is alt(a without t) + b plus the other pairs: again t minus that is the
//! value before. Then the rest of a is played on, and b after it, by the lemma. ∎
//!
//! The lemma also tells what a first move does to a reduced list: only the block at that end changes (`reduction`).
//!
//! # How to read it
//!
//! [`List`] is the input, a borrowed slice with a shape. [`row_value`] and [`row_values`] answer for one row; [`sum_value`],
//! [`first_moves`] and [`best_moves`] for sums; [`line()`] plays a sum to its end. Values are `i128`: with items of 64 bits
//! no sum of them overflows. All of them ask a hook from time to time whether to go on.

mod ladder;
mod line;
mod list;
mod number;
mod pace;
mod reduction;
mod row;
mod sum;

pub use line::{Line, line};
pub use list::{End, List, Shape, Take};
pub use pace::Stopped;
pub use row::{RowOptions, RowValues, row_value, row_values};
pub use sum::{BestMoves, FirstMove, best_moves, first_moves, sum_value};

/// The name of the theorem behind all answers of this module.
pub const THEOREM: &str = "fusing peaks of rows";

/// The theorem in a sentence, with its conditions.
pub const THEOREM_STATEMENT: &str = "Where each move takes one item from an open end of a row or stack and gains its \
     number, and nothing else counts, neighbours x ≤ y ≥ z play like the one item x − y + z, a pair b ≥ a at the bottom of \
     a stack is left to the end, and the rest is taken in falling order.";
