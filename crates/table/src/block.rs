//! A block: some entries, in the order of their keys, as bytes that pack well.
//!
//! ```text
//! keys       1 byte, how they are written:
//!              0  numbers without a gap                     nothing more
//!              1  numbers in a bit set from the first on    8 bytes length, the bits
//!              2  numbers, how far each is from the last    a list of numbers
//!              3  bytes: how many are as before, how many more, which    two numbers and the bytes, for each key but the first
//! columns    for each number of an entry: 1 byte width, then its bytes: all lowest ones, then all next ones, …
//!            (width 0: all are one number, which follows in 8 bytes)
//! texts      a column of numbers of texts, how many texts there are, for each its length and its bytes
//! ```
//!
//! The numbers of lists have seven bits a byte, the lowest first. Which way keys are written, and how wide columns are, follows from the
//! entries: every block has the shortest. So tables need not know beforehand how large their numbers become, and whether
//! positions are dense.

use crate::keys::Key;

/// A number in as few bytes as it needs.
pub fn put_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads such a number from the front of some bytes.
pub fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 127).checked_shl(shift)?;
        if byte < 128 {
            return Some(number);
        }
    }
    None
}

fn take<'b>(bytes: &mut &'b [u8], length: usize) -> Option<&'b [u8]> {
    let (taken, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(taken)
}

/// Entries that become a block.
#[derive(Debug, Default)]
pub struct BlockEntries {
    keys: Vec<Key>,
    key_bytes: usize,
    columns: Vec<Vec<u64>>,
    texts: Option<Vec<String>>,
}

impl BlockEntries {
    /// No entries, of so many numbers, with texts or without.
    pub fn new(numbers: usize, texts: bool) -> BlockEntries {
        BlockEntries { columns: vec![Vec::new(); numbers], texts: texts.then(Vec::new), ..BlockEntries::default() }
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Bytes of all keys and texts.
    pub fn key_bytes(&self) -> usize {
        self.key_bytes
    }

    /// The first key.
    pub fn first(&self) -> Option<&[u8]> {
        self.keys.first().map(|key| &key[..])
    }

    /// The last key.
    pub fn last(&self) -> Option<&[u8]> {
        self.keys.last().map(|key| &key[..])
    }

    /// Adds an entry, whose key must be above the last.
    pub fn push(&mut self, key: Key, numbers: &[u64], text: &str) {
        debug_assert!(self.last().is_none_or(|last| last < &key[..]) && numbers.len() == self.columns.len());
        self.key_bytes += key.len() + text.len();
        self.keys.push(key);
        for (column, number) in self.columns.iter_mut().zip(numbers) {
            column.push(*number);
        }
        if let Some(texts) = &mut self.texts {
            texts.push(text.to_string());
        }
    }

    /// Forgets all entries.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.key_bytes = 0;
        self.columns.iter_mut().for_each(Vec::clear);
        self.texts.iter_mut().for_each(Vec::clear);
    }

    /// The block as bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let numbers: Option<Vec<u64>> = self.keys.iter().map(|key| number_of(key)).collect();
        let alike = self.keys.iter().all(|key| key.len() == self.keys[0].len());
        match numbers.filter(|_| alike) {
            Some(numbers) => put_numbers(&mut bytes, &numbers),
            None => put_keys(&mut bytes, &self.keys),
        }
        self.columns.iter().for_each(|column| put_column(&mut bytes, column));
        if let Some(texts) = &self.texts {
            let mut known: Vec<&String> = texts.iter().collect();
            known.sort_unstable();
            known.dedup();
            let places = texts.iter().map(|text| known.binary_search(&text).unwrap_or(0) as u64);
            put_column(&mut bytes, &places.collect::<Vec<u64>>());
            put_number(&mut bytes, known.len() as u64);
            for text in known {
                put_number(&mut bytes, text.len() as u64);
                bytes.extend_from_slice(text.as_bytes());
            }
        }
        bytes
    }
}

/// A key as a number, where it has at most eight bytes.
fn number_of(key: &[u8]) -> Option<u64> {
    let mut bytes = [0; 8];
    bytes[8_usize.checked_sub(key.len())?..].copy_from_slice(key);
    Some(u64::from_be_bytes(bytes))
}

fn put_numbers(bytes: &mut Vec<u8>, numbers: &[u64]) {
    let (first, last) = (numbers.first().copied().unwrap_or(0), numbers.last().copied().unwrap_or(0));
    let span = (last - first) as u128 + 1;
    if span == numbers.len() as u128 {
        return bytes.push(0);
    }
    let steps = numbers.windows(2).map(|pair| pair[1] - pair[0]);
    let length: u128 = steps.clone().map(|step| u128::from(64 - step.leading_zeros()).div_ceil(7)).sum();
    if span.div_ceil(8) <= length {
        let mut set = vec![0_u8; span.div_ceil(8) as usize];
        numbers.iter().map(|number| number - first).for_each(|bit| set[(bit / 8) as usize] |= 1 << (bit % 8));
        bytes.push(1);
        bytes.extend_from_slice(&(set.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&set);
        return;
    }
    bytes.push(2);
    steps.for_each(|step| put_number(bytes, step));
}

fn put_keys(bytes: &mut Vec<u8>, keys: &[Key]) {
    bytes.push(3);
    for pair in keys.windows(2) {
        let same = pair[0].iter().zip(&pair[1]).take_while(|(a, b)| a == b).count();
        put_number(bytes, same as u64);
        put_number(bytes, (pair[1].len() - same) as u64);
        bytes.extend_from_slice(&pair[1][same..]);
    }
}

fn put_column(bytes: &mut Vec<u8>, column: &[u64]) {
    let (least, most) = (column.iter().min().copied().unwrap_or(0), column.iter().max().copied().unwrap_or(0));
    if least == most {
        bytes.push(0);
        bytes.extend_from_slice(&least.to_le_bytes());
        return;
    }
    let width = (64 - most.leading_zeros()).div_ceil(8);
    bytes.push(width as u8);
    for place in 0..width {
        bytes.extend(column.iter().map(|number| (number >> (8 * place)) as u8));
    }
}

/// A block that was read.
#[derive(Debug)]
pub struct Block {
    bytes: Vec<u8>,
    count: usize,
    keys: BlockKeys,
    columns: Vec<Column>,
    /// The numbers of the texts, and where each of them is.
    texts: Option<(Column, Vec<(usize, usize)>)>,
}

#[derive(Debug)]
enum BlockKeys {
    Run {
        first: u64,
        width: usize,
    },
    /// Numbers in ascending order.
    Numbers {
        numbers: Vec<u64>,
        width: usize,
    },
    Keys(Vec<Key>),
}

#[derive(Debug)]
enum Column {
    Constant(u64),
    Bytes { at: usize, width: usize },
}

impl Block {
    /// Reads a block of so many entries, of so many numbers each; `None` if the bytes are no such block.
    pub fn decode(bytes: Vec<u8>, first: &[u8], count: usize, numbers: usize, texts: bool) -> Option<Block> {
        let mut rest = &bytes[..];
        let keys = take_keys(&mut rest, first, count)?;
        let columns = (0..numbers).map(|_| take_column(&bytes, &mut rest, count)).collect::<Option<Vec<_>>>()?;
        let texts = match texts {
            false => None,
            true => {
                let column = take_column(&bytes, &mut rest, count)?;
                let known = take_number(&mut rest)?;
                let mut places = Vec::new();
                for _ in 0..known {
                    let length = usize::try_from(take_number(&mut rest)?).ok()?;
                    let at = bytes.len() - rest.len();
                    std::str::from_utf8(take(&mut rest, length)?).ok()?;
                    places.push((at, length));
                }
                Some((column, places))
            }
        };
        rest.is_empty().then_some(())?;
        Some(Block { count, keys, columns, texts, bytes })
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// About how much memory it takes.
    pub fn weight(&self) -> usize {
        let keys = match &self.keys {
            BlockKeys::Run { .. } => 0,
            BlockKeys::Numbers { numbers, .. } => 8 * numbers.len(),
            BlockKeys::Keys(keys) => keys.iter().map(|key| key.len() + 40).sum(),
        };
        let texts = self.texts.as_ref().map_or(0, |(_, places)| 16 * places.len());
        self.bytes.len() + keys + texts + 256
    }

    /// The place of a key.
    pub fn find(&self, key: &[u8]) -> Option<usize> {
        match &self.keys {
            BlockKeys::Run { first, width } => {
                let number = number_of(key).filter(|_| key.len() == *width)?;
                let place = usize::try_from(number.checked_sub(*first)?).ok()?;
                (place < self.count).then_some(place)
            }
            BlockKeys::Numbers { numbers, width } => {
                let number = number_of(key).filter(|_| key.len() == *width)?;
                numbers.binary_search(&number).ok()
            }
            BlockKeys::Keys(keys) => keys.binary_search_by(|known| known[..].cmp(key)).ok(),
        }
    }

    /// The key at a place.
    pub fn key(&self, place: usize) -> Key {
        match &self.keys {
            BlockKeys::Run { first, width } => (first + place as u64).to_be_bytes()[8 - width..].to_vec(),
            BlockKeys::Numbers { numbers, width } => numbers[place].to_be_bytes()[8 - width..].to_vec(),
            BlockKeys::Keys(keys) => keys[place].clone(),
        }
    }

    /// The numbers of the entry at a place.
    pub fn numbers(&self, place: usize, into: &mut Vec<u64>) {
        into.clear();
        into.extend(self.columns.iter().map(|column| self.number(column, place)));
    }

    /// The text of the entry at a place; none where the block has no such text.
    pub fn text(&self, place: usize) -> &str {
        let Some((column, places)) = &self.texts else { return "" };
        let known = usize::try_from(self.number(column, place)).ok().and_then(|number| places.get(number));
        known.and_then(|&(at, length)| std::str::from_utf8(self.bytes.get(at..at + length)?).ok()).unwrap_or_default()
    }

    fn number(&self, column: &Column, place: usize) -> u64 {
        match column {
            Column::Constant(number) => *number,
            Column::Bytes { at, width } => (0..*width)
                .map(|byte| u64::from(self.bytes[at + byte * self.count + place]) << (8 * byte))
                .fold(0, |number, byte| number | byte),
        }
    }
}

fn take_keys(rest: &mut &[u8], first: &[u8], count: usize) -> Option<BlockKeys> {
    let how = take(rest, 1)?[0];
    let width = first.len();
    let number = || number_of(first);
    match how {
        0 => {
            number()?.checked_add(count as u64)?;
            Some(BlockKeys::Run { first: number()?, width })
        }
        1 => {
            let length = u64::from_le_bytes(take(rest, 8)?.try_into().ok()?);
            let set = take(rest, usize::try_from(length).ok()?)?;
            let mut numbers = Vec::with_capacity(count);
            for (place, &byte) in set.iter().enumerate() {
                let mut bits = byte;
                while bits != 0 {
                    let bit = 8 * place as u64 + u64::from(bits.trailing_zeros());
                    numbers.push(number()?.checked_add(bit)?);
                    bits &= bits - 1;
                }
            }
            (numbers.len() == count).then_some(BlockKeys::Numbers { numbers, width })
        }
        2 => {
            let mut numbers = Vec::with_capacity(count);
            numbers.push(number()?);
            for _ in 1..count {
                let step = take_number(rest)?;
                numbers.push(numbers.last()?.checked_add(step).filter(|_| step > 0)?);
            }
            Some(BlockKeys::Numbers { numbers, width })
        }
        3 => {
            let mut keys: Vec<Key> = Vec::with_capacity(count);
            keys.push(first.to_vec());
            for _ in 1..count {
                let same = usize::try_from(take_number(rest)?).ok()?;
                let more = usize::try_from(take_number(rest)?).ok()?;
                let mut key = keys.last()?.get(..same)?.to_vec();
                key.extend_from_slice(take(rest, more)?);
                (keys.last()? < &key).then(|| keys.push(key))?;
            }
            Some(BlockKeys::Keys(keys))
        }
        _ => None,
    }
}

fn take_column(bytes: &[u8], rest: &mut &[u8], count: usize) -> Option<Column> {
    match take(rest, 1)?[0] as usize {
        0 => Some(Column::Constant(u64::from_le_bytes(take(rest, 8)?.try_into().ok()?))),
        width @ 1..=8 => {
            let at = bytes.len() - rest.len();
            take(rest, width.checked_mul(count)?)?;
            Some(Column::Bytes { at, width })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_back(keys: &[Key], texts: bool) -> Block {
        let mut entries = BlockEntries::new(2, texts);
        for (place, key) in keys.iter().enumerate() {
            entries.push(key.clone(), &[7, 1 << (place % 60)], ["", "up", "star"][place % 3]);
        }
        let block = Block::decode(entries.encode(), &keys[0], keys.len(), 2, texts).expect("a block");
        let mut numbers = Vec::new();
        for (place, key) in keys.iter().enumerate() {
            assert_eq!((block.find(key), &block.key(place)), (Some(place), key));
            block.numbers(place, &mut numbers);
            assert_eq!(numbers, [7, 1 << (place % 60)]);
            assert_eq!(block.text(place), if texts { ["", "up", "star"][place % 3] } else { "" });
        }
        block
    }

    #[test]
    fn keys_of_every_kind_are_found() {
        let numbers = |numbers: &[u64]| -> Vec<Key> { numbers.iter().map(|n| n.to_be_bytes()[3..].to_vec()).collect() };
        for texts in [false, true] {
            let run = read_back(&numbers(&(100..400).collect::<Vec<_>>()), texts);
            assert_eq!(run.find(&numbers(&[400])[0]), None);
            assert_eq!(run.find(&numbers(&[99])[0]), None);
            let set = read_back(&numbers(&(0..300).map(|n| n * 3 / 2).collect::<Vec<_>>()), texts);
            assert_eq!(set.find(&numbers(&[2])[0]), None);
            let far = read_back(&numbers(&(0..300).map(|n| n * n * 1000 + 5).collect::<Vec<_>>()), texts);
            assert_eq!(far.find(&numbers(&[6])[0]), None);
            let lists: Vec<Key> = (0..100_u8).map(|n| [vec![n / 10], vec![9; (n % 10).into()]].concat()).collect();
            let lists = read_back(&lists, texts);
            assert_eq!(lists.find(&[0, 9, 8]), None);
            read_back(&numbers(&[77]), texts);
        }
    }

    #[test]
    fn what_is_no_block_is_refused() {
        let mut entries = BlockEntries::new(1, true);
        for number in 0..50_u64 {
            entries.push((number * number).to_be_bytes().to_vec(), &[number], "text");
        }
        let bytes = entries.encode();
        let first = 0_u64.to_be_bytes();
        for length in 0..bytes.len() {
            assert!(Block::decode(bytes[..length].to_vec(), &first, 50, 1, true).is_none(), "{length}");
        }
        // Whatever the bytes are, reading ends.
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[at] ^= 1 << bit;
                if let Some(block) = Block::decode(changed, &first, 50, 1, true) {
                    (0..50).for_each(|place| assert!(block.text(place).len() < 300));
                }
            }
        }
    }
}
