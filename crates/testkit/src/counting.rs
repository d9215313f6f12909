//! An allocator that counts the bytes that each thread holds.
//!
//! A test binary declares it:
//!
//! ```
//! #[global_allocator]
//! static ALLOCATOR: testkit::counting::Counting = testkit::counting::Counting;
//!
//! let (list, bytes) = testkit::counting::peak_of(|| vec![0u8; 1000]);
//! assert_eq!((list.len(), bytes), (1000, 1000));
//! ```
//!
//! Other tests of the binary run on other threads, so that they do not disturb the count. What is measured must stay on one
//! thread too.
#![allow(unsafe_code, reason = "an allocator that counts is the only witness of what is really used")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The allocator.
pub struct Counting;

thread_local! {
    static HELD: Cell<i64> = const { Cell::new(0) };
    static PEAK: Cell<i64> = const { Cell::new(0) };
}

fn count(bytes: i64) {
    // A thread that is ending has no counters any more.
    let _ = HELD.try_with(|held| {
        held.set(held.get() + bytes);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(held.get())));
    });
}

/// Counts bytes that the system gave; it may refuse more than there are.
fn given(place: *mut u8, bytes: i64) -> *mut u8 {
    if !place.is_null() {
        count(bytes);
    }
    place
}

// SAFETY: every call is handed on to the system's allocator as it is; counting touches no memory of the allocation.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc`.
        given(unsafe { System.alloc(layout) }, layout.size() as i64)
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size() as i64)
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `realloc`.
        given(unsafe { System.realloc(place, layout, size) }, size as i64 - layout.size() as i64)
    }
}

/// The result of some work, and how many bytes this thread held at the peak beyond those it held before.
pub fn peak_of<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = HELD.get();
    PEAK.set(before);
    let result = work();
    (result, (PEAK.get() - before) as u64)
}
