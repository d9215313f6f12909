//! The checker by itself: whatever entries it is handed, what it accepts is true.

mod heap_rules;
mod prices;
mod ranges;
mod soundness;
mod sparse;
