//! Hints about memory: they change how long things take and nothing else.
//!
//! A table of positions is far larger than the caches, so a look-up that waits for memory costs more than everything
//! else that is done for an option. The options of one position are independent: asked for together, a dozen of them
//! arrive in the time of two or three. And a table of gigabytes in pages of 4 kB misses the page tables' cache too: tables
//! are kept in large [`pages`] (a third of the time of a token on a digraph of 10^7 edges).

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
