//! One file of a table in parts.

use std::path::Path;

use crate::error::TableError;
use crate::reader::BlockReader;
use crate::writer::{BlockWriter, Written};

/// Writes a table as one file: the one that is written where the table is built at once. `going` is told how many entries were
/// written, and ends the work by an error; then what is written stays, and the next call goes on.
pub fn merge<E: From<TableError>>(
    table: &BlockReader,
    players: usize,
    to: &Path,
    mut going: impl FnMut(u64) -> Result<(), E>,
) -> Result<Written, E> {
    let mut writer = BlockWriter::begin(to, table.about(), table.shape(), players)?;
    let first = writer.written();
    let mut number = first;
    for place in 0..table.blocks() {
        let begins = table.first_entry(place);
        if table.first_entry(place + 1) <= first {
            continue;
        }
        let block = table.block(place)?;
        for within in 0..block.len() {
            if begins + (within as u64) < first {
                continue;
            }
            writer.push(block.key(within), &table.entry(&block, within)?)?;
            number += 1;
        }
        going(number)?;
    }
    Ok(writer.finish()?)
}
