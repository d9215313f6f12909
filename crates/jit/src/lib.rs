//! Machine code for formulas.
