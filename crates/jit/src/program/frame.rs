//! The memory that compiled rules work in, and the functions of ours that they call.
//!
//! ```text
//! cells    the position as the running move has changed it       before   the position itself
//! arena    lists and sets that rules make: results grow upward from `top`, items in the making downward from `limit`
//! keys     the options found so far, beside them who moves next and the gains
//! ```
//!
//! Compiled code reaches all of it through one address, the frame's. Whatever is in doubt (memory is used up, a sum leaves
//! 64 bits on its way) it reports as a fault, and the interpreter decides.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use game::codes::Options;
use rules::stop::Inherited;
use rustc_hash::FxHashSet;

use super::fields::{Fields, Split};
use super::tables::nothing;

/// How many words the arena has. Untouched pages cost nothing.
const ARENA: usize = 1 << 22;
/// How many turns of loops pass between two looks at the clock.
const FUEL: i64 = 1 << 14;
/// After so many looks a position is left to the interpreter, which counts steps exactly.
const MOST_LOOKS: u64 = 1 << 13;
/// Before buffers grow beyond so many options, it is asked whether to stop.
const WATCHED: usize = 1 << 14;
/// More options than this are left to the interpreter.
const MOST_OPTIONS: usize = 1 << 26;

/// What compiled code reads and writes. Each place is one word; [`Place`] names them.
#[repr(C)]
#[derive(Debug)]
pub struct Frame {
    words: [i64; Place::COUNT],
}

/// The places of a [`Frame`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Cells,
    Before,
    Top,
    Limit,
    Fuel,
    Count,
    Capacity,
    Keys,
    Same,
    Gains,
    Deed,
    Key,
    Part,
    Result,
    ResultSecond,
    ResultThird,
    Scratch,
}

impl Place {
    const COUNT: usize = Place::Scratch as usize + 1;

    /// How many bytes after the frame's address it lies.
    pub fn offset(self) -> i32 {
        self as i32 * 8
    }
}

impl Frame {
    pub fn get(&self, place: Place) -> i64 {
        self.words[place as usize]
    }

    pub fn set(&mut self, place: Place, word: i64) {
        self.words[place as usize] = word;
    }
}

/// When to stop in the middle of a position.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    /// Set from outside, by a signal for instance.
    pub flag: Option<std::sync::Arc<AtomicBool>>,
    /// When time is up.
    pub deadline: Option<Instant>,
}

impl Stop {
    /// Whether it is time to stop.
    pub fn now(&self) -> bool {
        self.flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// A frame with the memory that it names.
#[repr(C)]
#[derive(Debug)]
pub struct Scratch {
    pub(super) frame: Frame,
    pub(super) cells: Vec<i64>,
    pub(super) before: Vec<i64>,
    pub(super) deed: Vec<i64>,
    pub(super) key: Vec<u64>,
    /// The cells of the part in the making, where moves split.
    pub(super) part: Vec<i64>,
    /// How its key is made, where there are parts.
    pub(super) fields: Option<Fields>,
    /// The keys of the parts that options split into, one after the other.
    pub parts: Vec<u64>,
    /// The options that split, in order.
    pub splits: Vec<Split>,
    /// Whether one option is enough.
    pub(super) one: bool,
    arena: Vec<i64>,
    /// The options; keys of several words lie one after the other.
    pub options: Options,
    /// How many words a key has.
    pub(super) words: usize,
    /// How many gains an option has.
    pub(super) gains: usize,
    /// When to stop in the middle of a position.
    pub stop: Stop,
    /// When to stop on threads that have no scope of their own, and whose scope that is.
    pub(super) scope: Inherited,
    pub(super) owner: u64,
    looks: u64,
    /// Whether the position was left because it is time to stop.
    pub stopped: bool,
}

impl Scratch {
    /// Memory for positions of so many cells and variables, keys of so many words, players, and gains an option.
    pub fn new(cells: usize, variables: usize, words: usize, players: usize, gains: usize) -> Scratch {
        Scratch {
            frame: Frame { words: [0; Place::COUNT] },
            // One cell more for each variable: changes that did not happen are put back there.
            cells: vec![0; cells + variables],
            before: vec![0; cells + variables],
            deed: vec![0; players],
            key: vec![0; words],
            part: vec![0; cells],
            fields: None,
            parts: Vec::new(),
            splits: Vec::new(),
            one: false,
            arena: Vec::new(),
            options: Options::default(),
            words,
            gains,
            stop: Stop::default(),
            scope: Inherited::default(),
            owner: 0,
            looks: 0,
            stopped: false,
        }
    }

    /// Whether it was made for such positions.
    pub fn fits(&self, cells: usize, variables: usize, words: usize, players: usize, gains: usize) -> bool {
        self.cells.len() == cells + variables
            && self.before.len() == cells + variables
            && self.key.len() == words
            && self.words == words
            && self.deed.len() == players
            && self.gains == gains
    }

    /// Sets up the frame for one position, whose cells and key are in place.
    pub fn enter(&mut self) {
        if self.arena.capacity() == 0 {
            self.arena.reserve_exact(ARENA);
        }
        self.options.codes.clear();
        self.options.same.clear();
        self.options.gains.clear();
        self.parts.clear();
        self.splits.clear();
        self.options.gains.reserve(self.deed.len() + 1);
        self.looks = 0;
        self.stopped = false;
        let start = self.arena.as_mut_ptr() as i64;
        for (place, word) in [
            (Place::Cells, self.cells.as_mut_ptr() as i64),
            (Place::Before, self.before.as_ptr() as i64),
            (Place::Top, start),
            (Place::Limit, start + (ARENA as i64) * 8),
            (Place::Fuel, FUEL),
            (Place::Count, 0),
            (Place::Deed, self.deed.as_mut_ptr() as i64),
            (Place::Key, self.key.as_ptr() as i64),
            (Place::Part, self.part.as_mut_ptr() as i64),
        ] {
            self.frame.set(place, word);
        }
        self.point_at_options();
    }

    fn point_at_options(&mut self) {
        let Options { codes, same, gains } = &mut self.options;
        let room = (gains.capacity() - self.deed.len().min(gains.capacity())).checked_div(self.gains);
        let capacity = (codes.capacity() / self.words).min(same.capacity()).min(room.unwrap_or(usize::MAX));
        let capacity = if self.one { capacity.min(1) } else { capacity };
        self.frame.set(Place::Capacity, capacity as i64);
        self.frame.set(Place::Keys, codes.as_mut_ptr() as i64);
        self.frame.set(Place::Same, same.as_mut_ptr() as i64);
        self.frame.set(Place::Gains, gains.as_mut_ptr() as i64);
    }

    /// Makes the options that were written part of the buffers.
    ///
    /// # Safety
    ///
    /// `count` options must have been written, each with its key, `same` and gains.
    pub unsafe fn take(&mut self, count: usize) {
        // SAFETY: the caller promises that so many were written, within the capacity.
        unsafe {
            self.options.codes.set_len(count * self.words);
            self.options.same.set_len(count);
            self.options.gains.set_len(count * self.gains);
        }
    }

    /// Makes all options that compiled code has written part of the buffers.
    ///
    /// # Safety
    ///
    /// The frame's count must be that of the options written.
    pub unsafe fn take_options(&mut self) {
        let count = self.frame.get(Place::Count) as usize;
        // SAFETY: promised by the caller.
        unsafe { self.take(count) };
    }

    /// Makes the gains of an end part of the buffers.
    ///
    /// # Safety
    ///
    /// So many gains must have been written.
    pub unsafe fn take_end(&mut self, gains: usize) {
        // SAFETY: the caller promises that so many were written; room for one a player is reserved.
        unsafe { self.options.gains.set_len(gains) };
    }

    /// The frame's address, from which helpers find the whole.
    pub fn address(&mut self) -> *mut Scratch {
        self
    }
}

/// The scratch memory behind an address that compiled code passes on.
///
/// # Safety
///
/// The address must be that of a [`Scratch`] nobody else uses meanwhile.
pub unsafe fn scratch<'s>(address: *mut Scratch) -> &'s mut Scratch {
    // SAFETY: promised by the caller.
    unsafe { &mut *address }
}

/// Makes room for more options. 0 if that worked.
///
/// # Safety
///
/// The address must be that of the scratch memory that compiled code was called with. So many options as the frame counts must
/// have been written.
pub unsafe extern "C" fn grow(address: *mut Scratch) -> i64 {
    // SAFETY: promised by the caller.
    let scratch = unsafe { scratch(address) };
    let count = scratch.frame.get(Place::Count) as usize;
    if count >= MOST_OPTIONS || scratch.one && count > 0 {
        return 1;
    }
    let bytes = 2 * count * (8 * scratch.words + 1 + 8 * scratch.gains);
    if count >= WATCHED && scratch.scope.allows(bytes as u64).is_err() {
        // The interpreter is asked next, and stopped, too.
        return 1;
    }
    // SAFETY: so many were written, and reserving must copy them.
    unsafe { scratch.take(count) };
    let more = count.max(16);
    scratch.options.codes.reserve(more * scratch.words);
    scratch.options.same.reserve(more);
    scratch.options.gains.reserve(more * scratch.gains + scratch.deed.len());
    scratch.point_at_options();
    0
}

/// Looks whether to stop. 0 to go on.
///
/// # Safety
///
/// The address must be that of the scratch memory that compiled code was called with.
pub unsafe extern "C" fn look(address: *mut Scratch) -> i64 {
    // SAFETY: promised by the caller.
    let scratch = unsafe { scratch(address) };
    scratch.looks += 1;
    scratch.frame.set(Place::Fuel, FUEL);
    scratch.stopped = scratch.stop.now();
    // Where the scope is stopped, the interpreter is asked next, and stopped, too.
    i64::from(scratch.stopped || scratch.looks > MOST_LOOKS || scratch.scope.allows(0).is_err())
}

impl Scratch {
    /// So many new words, if there is room.
    fn allocate(&mut self, words: usize) -> Option<*mut i64> {
        let (top, limit) = (self.frame.get(Place::Top), self.frame.get(Place::Limit));
        let bytes = i64::try_from(words).ok()?.checked_mul(8)?;
        if bytes > limit - top {
            return None;
        }
        self.frame.set(Place::Top, top + bytes);
        Some(top as *mut i64)
    }

    fn give(&mut self, words: [i64; 3]) -> i64 {
        self.frame.set(Place::Result, words[0]);
        self.frame.set(Place::ResultSecond, words[1]);
        self.frame.set(Place::ResultThird, words[2]);
        0
    }
}

/// So many words at an address.
///
/// # Safety
///
/// They must lie there, and nobody may write them meanwhile.
unsafe fn words<'s>(address: i64, count: i64) -> &'s [i64] {
    // SAFETY: promised by the caller; an empty list has the address of something, too.
    unsafe { std::slice::from_raw_parts(address as *const i64, count as usize) }
}

fn width(kind: i64) -> usize {
    match kind {
        0 => 1,
        1 => 3,
        _ => 2,
    }
}

/// Copies a value and all that lies below it. 0 if there was room.
///
/// # Safety
///
/// The address must be that of the scratch memory that compiled code was called with, the words those of a value of this kind.
pub unsafe extern "C" fn copy(address: *mut Scratch, kind: i64, a: i64, b: i64, c: i64) -> i64 {
    // SAFETY: promised by the caller.
    unsafe {
        match copied(scratch(address), kind, [a, b, c]) {
            Some(words) => scratch(address).give(words),
            None => 1,
        }
    }
}

/// # Safety
///
/// The words must be those of a value of this kind.
unsafe fn copied(scratch: &mut Scratch, kind: i64, value: [i64; 3]) -> Option<[i64; 3]> {
    // SAFETY: values of a kind lie in memory as `Shape` says, and new memory is nobody else's.
    unsafe {
        match kind {
            0 => Some(value),
            1 => {
                let to = scratch.allocate((value[2] as usize).max(1))?;
                to.write(0);
                std::ptr::copy_nonoverlapping(value[0] as *const i64, to, value[2] as usize);
                Some([to as i64, value[1], value[2]])
            }
            _ => {
                let (length, width) = (value[1] as usize, width(kind - 2));
                let to = scratch.allocate(length.checked_mul(width)?)?;
                std::ptr::copy_nonoverlapping(value[0] as *const i64, to, length * width);
                if kind > 2 {
                    for item in 0..length {
                        let place = to.add(item * width);
                        let mut words = [0; 3];
                        std::ptr::copy_nonoverlapping(place, words.as_mut_ptr(), width);
                        let words = copied(scratch, kind - 2, words)?;
                        std::ptr::copy_nonoverlapping(words.as_ptr(), place, width);
                    }
                }
                Some([to as i64, value[1], 0])
            }
        }
    }
}

/// Whether two values are equal. Each is given by the address of its words.
///
/// # Safety
///
/// The addresses must be those of the words of values of this kind.
pub unsafe extern "C" fn equal(kind: i64, a: i64, b: i64) -> i64 {
    // SAFETY: promised by the caller.
    unsafe { i64::from(same(kind, words(a, width(kind) as i64), words(b, width(kind) as i64))) }
}

/// # Safety
///
/// The words must be those of values of this kind.
unsafe fn same(kind: i64, a: &[i64], b: &[i64]) -> bool {
    // SAFETY: values of a kind lie in memory as `Shape` says.
    unsafe {
        match kind {
            0 => a[0] == b[0],
            1 => elements(a).eq(elements(b)),
            2 => words(a[0], a[1]) == words(b[0], b[1]),
            _ => {
                let width = width(kind - 2);
                let (length, bytes) = (a[1], (width * 8) as i64);
                length == b[1]
                    && (0..length).all(|item| {
                        let at = |list: &[i64]| words(list[0] + item * bytes, width as i64);
                        same(kind - 2, at(a), at(b))
                    })
            }
        }
    }
}

/// The elements of a set.
///
/// # Safety
///
/// The words must be those of a set.
unsafe fn elements<'s>(set: &[i64]) -> impl Iterator<Item = i64> + use<'s> {
    let low = set[1];
    // SAFETY: a set's words lie at its address.
    let bits: &'s [i64] = unsafe { words(set[0], set[2]) };
    bits.iter().enumerate().flat_map(move |(word, &bits)| {
        let mut rest = bits.cast_unsigned();
        std::iter::from_fn(move || {
            let bit = (rest != 0).then(|| rest.trailing_zeros())?;
            rest &= rest - 1;
            Some(low.wrapping_add(word as i64 * 64 + i64::from(bit)))
        })
    })
}

/// The items of a list without repeats, in order of first occurrence. 0 if there was room.
///
/// # Safety
///
/// The address must be that of the scratch memory that compiled code was called with. So many items of this kind must lie at
/// the list's address.
pub unsafe extern "C" fn distinct(address: *mut Scratch, kind: i64, list: i64, length: i64) -> i64 {
    // SAFETY: promised by the caller; new memory is nobody else's.
    unsafe {
        let scratch = scratch(address);
        let wide = width(kind);
        let Some(to) = scratch.allocate(length as usize * wide) else { return 1 };
        let mut seen = FxHashSet::default();
        let mut found = 0usize;
        for item in 0..length as usize {
            let from = words(list + (item * wide * 8) as i64, wide as i64);
            let is_new = match kind {
                0 => seen.insert(from[0]),
                _ => (0..found).all(|other| !same(kind, words(to.add(other * wide) as i64, wide as i64), from)),
            };
            if is_new {
                std::ptr::copy_nonoverlapping(from.as_ptr(), to.add(found * wide), wide);
                found += 1;
            }
        }
        scratch.give([to as i64, found as i64, 0])
    }
}

/// A set with room for one element more than it has: its own memory is left as it is. 0 if there was room.
///
/// # Safety
///
/// The address must be that of the scratch memory that compiled code was called with, the words those of a set.
pub unsafe extern "C" fn widen(address: *mut Scratch, set: i64, low: i64, count: i64, element: i64) -> i64 {
    // SAFETY: promised by the caller.
    let (scratch, old) = unsafe { (scratch(address), words(set, count)) };
    // Boards are numbered from 0: the first growth makes room for all of one.
    let base = element & !255;
    let from = if count == 0 { base } else { base.min(low) };
    let span = |end: i64| end.checked_sub(from).filter(|span| *span <= 1 << 16);
    let end = base.saturating_add(255).max(if count == 0 { base } else { low.saturating_add(count * 64 - 1) });
    let Some(span) = span(end) else { return 1 };
    let size = (span / 64 + 1) as usize;
    let Some(to) = scratch.allocate(size) else { return 1 };
    // SAFETY: the memory was just allocated; the old elements fit into it.
    unsafe {
        std::ptr::write_bytes(to, 0, size);
        if count > 0 {
            for element in elements(&[old.as_ptr() as i64, low, count]) {
                let bit = element - from;
                *to.add((bit / 64) as usize) |= 1 << (bit % 64);
            }
        }
    }
    scratch.give([to as i64, from, size as i64])
}

/// Writes a set into the cells of a variable: `size` possible elements from `low` on. 0 if all fit.
///
/// # Safety
///
/// There must be as many cells at their address as `size` elements take, which nobody else uses meanwhile. The words must be
/// those of a set.
pub unsafe extern "C" fn store_set(cells: i64, low: i64, size: i64, set: i64, set_low: i64, set_words: i64) -> i64 {
    // SAFETY: promised by the caller.
    unsafe {
        let found: Vec<i64> = elements(&[set, set_low, set_words]).collect();
        let cells = std::slice::from_raw_parts_mut(cells as *mut i64, (size as usize).div_ceil(64));
        cells.fill(0);
        for element in found {
            match rules::layout::bit_of(low, size as usize, element) {
                Some(bit) => cells[bit / 64] |= 1 << (bit % 64),
                None => return 1,
            }
        }
    }
    0
}

/// A list of numbers in ascending order; a set as such a list. 0 if there was room.
///
/// # Safety
///
/// The address must be that of the scratch memory that compiled code was called with, the words those of a set or of a list of
/// numbers.
pub unsafe extern "C" fn sorted(address: *mut Scratch, kind: i64, a: i64, b: i64, c: i64) -> i64 {
    // SAFETY: promised by the caller.
    unsafe {
        let mut items: Vec<i64> = if kind == 1 { elements(&[a, b, c]).collect() } else { words(a, b).to_vec() };
        items.sort_unstable();
        give_list(scratch(address), &items)
    }
}

/// Gives a list of these numbers. 0 if there was room.
fn give_list(scratch: &mut Scratch, items: &[i64]) -> i64 {
    if items.is_empty() {
        return scratch.give([nothing(), 0, 0]);
    }
    let Some(to) = scratch.allocate(items.len()) else { return 1 };
    // SAFETY: the memory was just allocated.
    unsafe { std::ptr::copy_nonoverlapping(items.as_ptr(), to, items.len()) };
    scratch.give([to as i64, items.len() as i64, 0])
}

/// The divisors of a number. 0 if it is positive.
///
/// # Safety
///
/// The address must be that of the scratch memory that compiled code was called with.
pub unsafe extern "C" fn divisors(address: *mut Scratch, number: i64) -> i64 {
    if number <= 0 {
        return 1;
    }
    // SAFETY: promised by the caller.
    let scratch = unsafe { scratch(address) };
    let items: Vec<i64> = rules::number::divisors(number.unsigned_abs()).into_iter().map(u64::cast_signed).collect();
    give_list(scratch, &items)
}

/// The greatest common divisor of two magnitudes.
pub extern "C" fn gcd(a: i64, b: i64) -> i64 {
    rules::number::gcd(a.cast_unsigned(), b.unsigned_abs()).cast_signed()
}

/// A built-in of two numbers, the second at least 0. 0 if the result fits.
///
/// # Safety
///
/// The address must be that of the scratch memory that compiled code was called with.
pub unsafe extern "C" fn power(address: *mut Scratch, which: i64, a: i64, b: i64) -> i64 {
    // SAFETY: promised by the caller.
    let scratch = unsafe { scratch(address) };
    let Ok(by) = u64::try_from(b) else { return 1 };
    let result = match which {
        0 => rules::number::power(a, by),
        _ if a == 0 => Some(0),
        // A factor of 2^63 fits only where the result is the least number; the interpreter knows.
        _ => rules::number::power(2, by.min(64)).and_then(|factor| a.checked_mul(factor)),
    };
    match result {
        Some(number) => scratch.give([number, 0, 0]),
        None => 1,
    }
}

/// The whole square root of a number that is at least 0.
pub extern "C" fn root(number: i64) -> i64 {
    number.checked_isqrt().unwrap_or(0)
}
