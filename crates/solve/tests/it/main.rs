//! The whole solver from outside: rules files in, answers out, compared with definitions written down a second time.
//!
//! `deep` counts memory with the allocator of `testkit`, thread by thread, so that other tests do not disturb it.

#[global_allocator]
static ALLOCATOR: testkit::counting::Counting = testkit::counting::Counting;

mod ahead;
mod choice;
mod common;
mod compare;
mod compiled;
mod declared;
mod deep;
mod different;
mod edges;
mod extremes;
mod family;
mod gallery;
mod graphs;
mod groups;
mod heap_spellings;
mod heaps;
mod jagged;
mod list_spellings;
mod loopy;
mod loopy_memory;
mod misere_sums;
mod one_room;
mod orbits;
mod programs;
mod properties;
mod rows;
mod searches;
mod spoiled;
mod stored;
mod suite;
mod sums;
mod survey;
mod valued;
