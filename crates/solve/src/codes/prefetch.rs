//! Asking for memory ahead of time.
//!
//! A table of positions is far larger than the caches, so a look-up that waits for memory costs more than everything else
//! that is done for an option. The options of one position are independent: asked for together, a dozen of them arrive in
//! the time of two or three.

/// Asks for the cache line of `items[index]`. Has no effect but on time; any index will do.
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
