//! Games on rows of numbers against plain recursion and plain induction.

#[global_allocator]
static ALLOCATOR: testkit::counting::Counting = testkit::counting::Counting;

mod ahead_doubling;
mod ahead_windows;
mod taking;
mod taking_long;
mod triangle;
mod triangle_plan;
mod triangle_shelf;
