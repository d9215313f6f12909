//! Rows, open at both ends, and stacks, open at the top; a move takes one item on offer and its number.
