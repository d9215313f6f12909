//! Packs the bytes of a block, each block for itself.
//!
//! Deflate, in pure Rust. `ARCHITECTURE.md` says what it was compared with.

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_slice_iter_to_slice;

/// How hard the packer tries: on real tables, more takes far longer and saves next to nothing.
const LEVEL: u8 = 6;

/// Packs bytes. What does not become shorter stays as it is.
pub fn pack(bytes: &[u8]) -> Vec<u8> {
    let packed = compress_to_vec(bytes, LEVEL);
    if packed.len() < bytes.len() { packed } else { bytes.to_vec() }
}

/// Unpacks so many bytes; `None` if they are not what [`pack`] made.
pub fn unpack(packed: Vec<u8>, length: usize) -> Option<Vec<u8>> {
    if packed.len() >= length {
        return (packed.len() == length).then_some(packed);
    }
    let mut bytes = vec![0; length];
    let found = decompress_slice_iter_to_slice(&mut bytes, std::iter::once(&packed[..]), false, true).ok()?;
    (found == length).then_some(bytes)
}
