//! Pages of memory: large ones for large vectors, and free ones back to the system.
//!
//! The system hands out memory page by page at the first write. With pages of 4 kB that takes longer for a table than
//! computing its values. Linux gives pages of 2 MB if a program asks for them; on other systems nothing is asked. This
//! affects only the time, never the contents.
//!
//! What a program frees often stays with its allocator. A program that counts what it holds asks for its return first.

/// The size of large pages, if there are any.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
const LARGE: usize = 2 << 20;

/// Asks the system to keep a vector in large pages. Call it when the vector is allocated and hardly touched. Small
/// vectors are left alone.
///
/// ```
/// let mut table: Vec<u64> = Vec::with_capacity(1 << 20);
/// pages::prefer_large(&mut table);
/// table.resize(1 << 20, 7);
/// assert!(table.iter().all(|cell| *cell == 7));
/// ```
pub fn prefer_large<T>(vector: &mut Vec<T>) {
    let count = vector.capacity();
    prefer_large_first(vector, count);
}

/// Asks for large pages for the first `count` elements that a vector has room for. The others may never be touched.
///
/// ```
/// let mut table = vec![0u64; 1 << 20];
/// pages::prefer_large_first(&mut table, 1 << 19);
/// assert!(table.iter().all(|cell| *cell == 0));
/// ```
#[allow(unsafe_code)]
pub fn prefer_large_first<T>(vector: &mut Vec<T>, count: usize) {
    #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
    {
        use std::ffi::{c_int, c_void};
        unsafe extern "C" {
            fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
        }
        const HUGE_PAGE: c_int = 14;
        let bytes = count.min(vector.capacity()) * size_of::<T>();
        if bytes < 2 * LARGE {
            return;
        }
        let start = vector.as_mut_ptr();
        let skip = start.addr().next_multiple_of(LARGE) - start.addr();
        let length = bytes.saturating_sub(skip) / LARGE * LARGE;
        // SAFETY: the range lies within the vector's own allocation and begins at a page. This advice leaves the
        // contents and the rights of the pages unchanged, and it does not matter whether the system follows it.
        unsafe { madvise(start.wrapping_byte_add(skip).cast(), length, HUGE_PAGE) };
    }
    #[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
    let _ = (vector, count);
}

/// Hands pages that the allocator holds and nobody uses back to the system, where the allocator can do that (that of glibc).
///
/// ```
/// drop(vec![1u8; 1 << 20]);
/// pages::return_free();
/// ```
#[allow(unsafe_code)]
pub fn return_free() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        use std::ffi::c_int;
        unsafe extern "C" {
            fn malloc_trim(pad: usize) -> c_int;
        }
        // SAFETY: it may be called at any time by any thread, and touches only memory that is free.
        unsafe { malloc_trim(0) };
    }
}

/// From now on has the allocator hand vectors of a quarter of a megabyte or more back to the system when they are freed. It takes
/// the system some time to clear them anew, so this is for programs that have little memory.
///
/// ```
/// pages::return_large_at_once();
/// drop(vec![1u8; 1 << 20]);
/// ```
#[allow(unsafe_code)]
pub fn return_large_at_once() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        use std::ffi::c_int;
        unsafe extern "C" {
            fn mallopt(parameter: c_int, value: c_int) -> c_int;
        }
        const MMAP_THRESHOLD: c_int = -3;
        // SAFETY: it changes how memory is found for later allocations, and nothing that is allocated already.
        unsafe { mallopt(MMAP_THRESHOLD, 1 << 18) };
    }
}
