//! The rules of one instance as formulas.
//!
//! What formulas say is compared with the interpreter (`judge`). What a study says of them is checked along plays (`plays`).

mod alike;
mod judge;
mod layers;
mod nodes;
mod order;
mod order_gallery;
mod order_programs;
mod order_random;
mod plays;
mod readings;
mod specialise;
mod specialise_constructs;
mod specialise_programs;
mod specialise_random;
