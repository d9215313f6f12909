//! Large pages for long rows.
//!
//! A row of 10^9 heaps is 125 MB. In pages of 4 KB the first touch of each costs more than valuing its heaps: a third of
//! the whole time, measured. Linux gives pages of 2 MB where a program asks for them; elsewhere nothing is asked.

use std::ops::Range;

/// Shorter memory is not worth the question.
const LEAST: usize = 16 << 20;

/// Tells the system that a long vector will be used from end to end. Changes the time, never the contents.
pub(super) fn prefer_large(words: &Vec<u64>) {
    let bytes = words.capacity() * size_of::<u64>();
    if bytes >= LEAST {
        let start = words.as_ptr() as usize;
        advise(start..start + bytes);
    }
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
fn advise(range: Range<usize>) {
    use std::ffi::{c_int, c_void};
    /// As the kernel defines it for these processors.
    const MADV_HUGEPAGE: c_int = 14;
    const PAGE: usize = 1 << 16;
    #[allow(unsafe_code)]
    unsafe extern "C" {
        fn madvise(start: *mut c_void, length: usize, advice: c_int) -> c_int;
    }
    // Whole pages of any size that these processors have.
    let start = range.start.next_multiple_of(PAGE);
    let length = range.end / PAGE * PAGE - start;
    // SAFETY: this advice leaves the contents of memory as they are, whoever owns it. A refusal changes nothing, so the
    // result does not matter.
    #[allow(unsafe_code)]
    unsafe {
        madvise(start as *mut c_void, length, MADV_HUGEPAGE);
    }
}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
fn advise(_range: Range<usize>) {}
