//! The theorem behind all answers, and its proof.
//!
//! # Statement
//!
//! The lists hold N items in all, any integers. The players take turns; a move takes one item from an open end and gains
//! its number; nobody may pass; the difference of the gains counts.
//!
//! 1. *Fuse*: while a list has neighbours x ≤ y ≥ z, replace the three by one block x − y + z.
//! 2. *Settle*: while the bottom block b of a stack is at least the block a above it, remove the pair and add b − a to S.
//! 3. Sort all blocks that are left, falling: A = r₁ − r₂ + r₃ − …
//!
//! The value for the mover is F = A + S if N is odd and F = A − S if N is even. What fusing leaves of a row falls and then
//! rises, a *valley*; so for one row the larger end is taken each time, and no sorting is needed: linear time. What settling
//! leaves of a stack rises to its top.
//!
//! Where it **ends**: several items a move, a gain that depends on what else is left or on who takes the item, passing, a
//! third player, an item that opens only when another list is empty.
//!
//! # F is well defined
//!
//! Steps 1 and 2 end in the same blocks and the same S, in whatever order they are made. It suffices that two steps that
//! disturb each other can be made to meet again. Peaks that share a slope, x ≤ y = y' ≥ w, leave x, w either way. Of peaks
//! that share a foot, x ≤ y ≥ z ≤ v ≥ w, fusing one lowers the foot and leaves the other a peak; both end in
//! x − y + z − v + w. A bottom pair b ≥ a under a peak a ≤ y ≥ z: settled first, it lets y ≥ z settle too; fused first,
//! b ≥ a ≥ a − y + z settles; S grows by b − a + y − z either way. If b = a ≥ c, then c is left either way. Equal
//! neighbours that are left cancel in A, so weak valleys (which may stay level) will do as well.
//!
//! # Lemma: what a first move does
//!
//! A block stands for an odd number of neighbouring items, and its worth is their alternating sum from either end. Let T be
//! the items at an open end of a list. Call T *high over m* if it can be fused into blocks that never fall toward the
//! open end, the innermost, their least, being at least m. **If T is high over m, so is T without its outermost item t.**
//!
//! Proof, by the length of T. Let its blocks be …, u, with u outermost. If u is one item, it is just gone. Else u was fused
//! last from blocks X ≤ Y ≥ Z, with Z outermost; X ≥ u and Z ≥ u. The block Z alone is high over its own worth, so without
//! t it becomes blocks z₁ ≤ z₂ ≤ …, an even number, with z₁ ≥ Z. Now the blocks are …, X, Y, z₁, z₂, … and X is at
//! least what is before it. If there is no z₁, or Y ≤ z₁, nothing falls. Else X ≤ Y ≥ z₁ fuse into X − Y + z₁, which is at
//! least X − Y + Z = u and at most z₁ ≤ z₂. ∎
//!
//! So taking t replaces the end block u by an even number k of blocks u ≤ z₁ ≤ … ≤ z_k, the last outermost, and
//! t = u + alt(z), where alt(z) = z_k − … + z₂ − z₁. A valley stays a weak valley by this, and a rising stack rises.
//!
//! # No move gains more than F
//!
//! For a finite set M of numbers, equal ones allowed, let D(M) be the alternating sum in falling order, and let n(s) be how
//! many of them exceed s. If L lies below all, D(M) = ∫ \[n(s) odd\] ds from L on, plus L if M has an odd number. So
//! inequalities between sums of such D need only be checked for each s, if the L on both sides are equally many. Let
//! P be the position, P' the one after t, and R the blocks other than those mentioned. To show: F(P) + F(P') ≥ t.
//!
//! *The end block u is not settled.* As N changes parity, S cancels. To show: D(R, u) + D(R, z) ≥ u + alt(z) = D(u) + D(z).
//! For s < u one of the two on the left is odd, and on the right one is. For s ≥ u only an odd number of z above s
//! counts on the right, and then one of the two on the left is odd.
//!
//! *The end block u is the upper one of a settled pair b ≥ u.* Write σ = 1 if N is odd, else −1.
//! If k = 0 or b ≤ z₁, then b joins the blocks, and F(P) + F(P') = D(R) + D(R, b, z) + σ(b − u). As before
//! D(R) + D(R, b, z) ≥ b + alt(z); and b + σ(b − u) ≥ u.
//! If b > z₁, these two settle, and F(P) + F(P') = D(R) + D(R, z₂, …, z_k) + σ(z₁ − u), which is at least
//! z₁ + alt(z) + σ(z₁ − u) ≥ u + alt(z).
//!
//! # A move that gains F
//!
//! If some block is not settled, a largest one is open. Take its items from that end, one by one. Let T be those of them
//! that are left: by the lemma they are high over all other blocks and come first in the order, so F = alt(T) ± F(rest),
//! with alt taken from the outside, minus if T is odd in number. As alt(T) = t − alt(T without t), F(P) = t − F(P').
//!
//! If only settled pairs are left, take the items of the upper block a of any topmost pair b ≥ a, from the top. Let T be
//! those that are left, and S₀ the sum of the other pairs. Then F = alt(T) ± (b + S₀), minus if T is odd in number: for T
//! is high over a, and its lowest block either settles with b or lies above it in the order, which comes to the same. So
//! again F(P) = t − F(P'). When a is gone, b is the one block that is not settled.
//!
//! By induction on N, F is the value. And the second part is a complete optimal line: **take the largest open block,
//! item by item from its open end; at the end take what is settled from the top down.** Every move of it is optimal. ∎

/// The short name of the theorem.
pub const THEOREM: &str = "fusing peaks of rows";

/// The theorem in a sentence, with its conditions.
pub const THEOREM_STATEMENT: &str = "Where each move takes one item from an open end of a row or stack and gains its \
     number, and nothing else counts, neighbours x ≤ y ≥ z play like the one item x − y + z, a pair b ≥ a at the bottom of \
     a stack is left to the end, and the rest is taken in falling order.";
