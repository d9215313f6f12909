//! Large pages for large tables.
//!
//! The system hands over memory page by page as it is first written. In pages of 4 kB that takes several times longer
//! than computing what is written there.

/// Asks for large pages, if the system has them, for a vector that is allocated and not yet touched. Only time depends
/// on the answer.
#[allow(unsafe_code)]
pub(super) fn enlarge<T>(vector: &mut Vec<T>) {
    #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
    {
        use std::ffi::{c_int, c_void};
        unsafe extern "C" {
            fn madvise(start: *mut c_void, length: usize, advice: c_int) -> c_int;
        }
        const LARGE_PAGE: usize = 2 << 20;
        const WANT_LARGE_PAGES: c_int = 14;
        let bytes = std::mem::size_of_val(vector.as_slice());
        let start = vector.as_mut_ptr();
        let skip = start.addr().next_multiple_of(LARGE_PAGE) - start.addr();
        let length = bytes.saturating_sub(skip) / LARGE_PAGE * LARGE_PAGE;
        if length > 0 {
            // SAFETY: the range is within the vector and starts at a page; the advice leaves its contents alone.
            unsafe { madvise(start.byte_add(skip).cast(), length, WANT_LARGE_PAGES) };
        }
    }
    #[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
    let _ = vector;
}
