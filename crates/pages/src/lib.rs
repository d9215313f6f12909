//! Large pages for large vectors.
//!
//! The system hands memory over page by page as it is first written. In pages of 4 kB that takes a table longer than computing
//! what is written there. Linux gives pages of 2 MB where a program asks for them; elsewhere nothing is asked. Only the time
//! depends on it, never the contents.

/// Large pages are this large, where there are any.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
const LARGE: usize = 2 << 20;

/// Has a vector that was allocated and hardly touched kept in large pages, if it is large and the system has them.
///
/// ```
/// let mut table: Vec<u64> = Vec::with_capacity(1 << 20);
/// pages::prefer_large(&mut table);
/// table.resize(1 << 20, 7);
/// assert!(table.iter().all(|cell| *cell == 7));
/// ```
#[allow(unsafe_code)]
pub fn prefer_large<T>(vector: &mut Vec<T>) {
    #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
    {
        use std::ffi::{c_int, c_void};
        unsafe extern "C" {
            fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
        }
        const HUGE_PAGE: c_int = 14;
        let bytes = vector.capacity() * size_of::<T>();
        if bytes < 2 * LARGE {
            return;
        }
        let start = vector.as_mut_ptr();
        let skip = start.addr().next_multiple_of(LARGE) - start.addr();
        let length = bytes.saturating_sub(skip) / LARGE * LARGE;
        // SAFETY: the range lies within the vector's own allocation and begins at a page; this advice leaves the
        // contents and the rights of the pages as they are, and whether it is taken does not matter.
        unsafe { madvise(start.wrapping_byte_add(skip).cast(), length, HUGE_PAGE) };
    }
    #[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
    let _ = vector;
}
