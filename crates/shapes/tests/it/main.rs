//! Recognisers on rules files.

mod local;
