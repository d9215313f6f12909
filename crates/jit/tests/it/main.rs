//! Compiled formulas against the evaluator of formulas: single nodes, lists of options, whole tables.

mod common;
mod emit;
mod expand;
mod expand_gallery;
mod expand_speed;
mod fill;
mod fill_gallery;
mod fill_random;
mod fill_speed;
mod fill_support;
mod program;
mod program_cases;
mod program_parts;
mod program_random;
mod program_speed;
mod reverse;
