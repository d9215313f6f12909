//! The values of all intervals of one row.
