//! The methods of the solver, one by one, against brute force and against one another.

mod codes;
mod compare;
mod loopy;
mod methods;
mod reverse;
mod sequence;
mod sequence_claims;
