//! Hints about memory: they change how long things take and nothing else.
//!
//! A table of positions is far larger than the caches, so a look-up that waits for memory costs more than everything
//! else that is done for an option. The options of one position are independent: asked for together, a dozen of them
//! arrive in the time of two or three. And a table of gigabytes in pages of 4 kB misses the page tables' cache too, and
//! is handed over by the system page by page: in large pages both go away (a third of the time of a token on a digraph
//! of 10^7 edges).

/// Asks for the cache line of `items[index]`. Any index will do.
#[inline(always)]
#[allow(unsafe_code)]
pub(crate) fn prefetch<T>(items: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let place = items.as_ptr().wrapping_add(index);
        // SAFETY: a prefetch reads nothing and cannot fault, whatever the address; SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, index);
}

/// Large pages are this large, where there are any.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
const LARGE: usize = 2 << 20;

/// Has a large vector that was allocated and hardly touched kept in large pages, if the system has them.
#[allow(unsafe_code)]
pub(crate) fn in_large_pages<T>(vector: &mut Vec<T>) {
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
        let start = vector.as_mut_ptr() as usize;
        let first = start.next_multiple_of(LARGE);
        let length = (start + bytes).saturating_sub(first) / LARGE * LARGE;
        // SAFETY: the range lies within the vector's own allocation and begins at a page; this advice leaves the
        // contents and the rights of the pages as they are, and whether it is taken does not matter.
        unsafe { madvise(first as *mut c_void, length, HUGE_PAGE) };
    }
    #[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
    let _ = vector;
}
