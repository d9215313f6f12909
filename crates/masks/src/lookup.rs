//! Ends that are no lines, but functions of few bits: what they gave is kept, and looked up.
//!
//! Whether a player's stones join two edges is asked by a flood fill, which is no short list of lines. But it reads only which squares have
//! that player's mark: half of the position, and the same half comes again and again. Which bits the `end` rules read is found out from
//! the formulas. Other code, which runs the rules, is asked once for what they give.
//!
//! ```text
//! planes ──▶ index: the bits that are read ──▶ known? ──▶ what the rules end the game with
//!                                                └─ no ─▶ the judge
//! ```

use formula::{Node, Op};
use rules::stop::{Held, look};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cube::{Cube, Variable};
use crate::ends::worth;
use crate::layout::{Layout, Planes};
use crate::reader::{Reader, STOPPED};
use crate::{OPEN, Undecided};

/// An index has no more bits: the rest of a word says what is known.
const MOST_BITS: u32 = 56;
/// Bits of an entry that say what is known, and bits of the number of entries at the most.
const KNOWN_BITS: u32 = 8;
const MOST_ENTRIES: u32 = 20;
/// After so many nodes the stop is looked at.
const LOOK_EVERY: usize = 1024;
const COMPUTES: &str = "an `end` condition computes with more than cells of few values";

/// Some bits of a plane, turned round to where the index has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    plane: usize,
    mask: u64,
    by: u32,
}

/// The bits of a position that the `end` rules read with one player to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lookup {
    pieces: Vec<Piece>,
    bits: u32,
    /// What the rules can give: [`OPEN`] first.
    results: Vec<i64>,
}

impl Lookup {
    /// What the `end` rules read, or why that is no index.
    pub fn new(reader: &Reader<'_>, layout: &Layout, mover: i64) -> Result<Lookup, &'static str> {
        let mut results = vec![OPEN];
        for case in &reader.formulas.ends {
            if reader.simple(case.fault, &Cube::default()) != Some(0) {
                return Err("an `end` rule may be a fault");
            }
            let value = worth(reader, &case.result, mover)?;
            if !results.contains(&value) {
                results.push(value);
            }
        }
        let classes = classes(reader, reader.formulas.ends.iter().map(|case| case.when).collect())?;
        let (pieces, bits) = pieces(layout, classes);
        if bits > MOST_BITS || results.len() >= 1 << KNOWN_BITS {
            return Err("an `end` condition reads too much");
        }
        Ok(Lookup { pieces, bits, results })
    }

    /// What the rules can give.
    pub fn results(&self) -> impl Iterator<Item = i64> {
        self.results.iter().copied().filter(|result| *result != OPEN)
    }

    /// How many bits are read.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// What is read of a position.
    #[inline]
    pub fn index(&self, planes: &Planes) -> u64 {
        let read = |piece: &Piece| (planes[piece.plane] & piece.mask).rotate_left(piece.by);
        self.pieces.iter().fold(0, |index, piece| index | read(piece))
    }

    /// What writing values changes in the index: the bits that stay, and those that are set.
    pub fn change(&self, layout: &Layout, sizes: &[Variable], writes: &[(u32, u8)]) -> (u64, u64) {
        let (mut keep, mut set) = (u64::MAX, 0);
        for &(variable, value) in writes {
            let (first, bit) = layout.bits[variable as usize];
            let planes = first..first + sizes[variable as usize].size as usize;
            for piece in self.pieces.iter().filter(|piece| planes.contains(&piece.plane) && piece.mask >> bit & 1 == 1)
            {
                let bit = (1u64 << bit).rotate_left(piece.by);
                keep &= !bit;
                set |= if piece.plane == first + usize::from(value) { bit } else { 0 };
            }
        }
        (keep, set)
    }
}

/// The values of a variable, in classes that a condition does not tell apart.
type Classes = Vec<(u32, Vec<u8>)>;

/// For each variable that conditions read, the values that they tell apart.
fn classes(reader: &Reader<'_>, mut open: Vec<Node>) -> Result<Classes, &'static str> {
    let arena = &reader.formulas.arena;
    let mut found: FxHashMap<u32, Vec<u8>> = FxHashMap::default();
    let mut seen: FxHashSet<Node> = open.iter().copied().collect();
    let mut steps = 0usize;
    while let Some(node) = open.pop() {
        steps += 1;
        if steps.is_multiple_of(LOOK_EVERY) {
            look().map_err(|_| STOPPED)?;
        }
        if reader.simple(node, &Cube::default()).is_some() {
            continue;
        }
        if let Some((variable, parts)) = reader.classes(node, &Cube::default()) {
            let all = reader.variables.list[variable as usize].all();
            let known = found.entry(variable).or_insert_with(|| vec![all]);
            let both = |class: &u8| parts.iter().map(|(_, values)| class & values).collect::<Vec<u8>>();
            *known = known.iter().flat_map(both).filter(|class| *class != 0).collect();
            continue;
        }
        match arena.op(node) {
            Op::Choice(_) => return Err(COMPUTES),
            // A set that is read as a whole.
            Op::Cell(cell) => {
                let bits = reader.variables.bits_of(*cell).ok_or(COMPUTES)?;
                found.extend(bits.map(|variable| (variable, vec![1, 2])));
            }
            _ => arena.operands(node, &mut |operand| {
                if seen.insert(operand) {
                    open.push(operand);
                }
            }),
        }
    }
    let mut found: Classes = found.into_iter().filter(|(_, classes)| classes.len() > 1).collect();
    found.sort_unstable();
    Ok(found)
}

/// A chunk and the number of a class, with the bits of each plane.
type Bits = ((usize, usize), Vec<(usize, u64)>);

/// Pieces of planes that tell the classes of all variables apart, and how many bits they have. The largest class of a variable needs none.
fn pieces(layout: &Layout, classes: Classes) -> (Vec<Piece>, u32) {
    // For each chunk and number of a class: the bits of each plane.
    let mut fields: Vec<Bits> = Vec::new();
    for (variable, mut parts) in classes {
        let (first, bit) = layout.bits[variable as usize];
        parts.sort_by_key(|values| std::cmp::Reverse((values.count_ones(), *values)));
        for (number, values) in parts.iter().enumerate().skip(1) {
            let at = fields.iter().position(|field| field.0 == (first, number)).unwrap_or_else(|| {
                fields.push(((first, number), Vec::new()));
                fields.len() - 1
            });
            for plane in (0..8).filter(|value| values >> value & 1 == 1).map(|value| first + value) {
                match fields[at].1.iter_mut().find(|piece| piece.0 == plane) {
                    Some(piece) => piece.1 |= 1 << bit,
                    None => fields[at].1.push((plane, 1 << bit)),
                }
            }
        }
    }
    let (mut pieces, mut bits) = (Vec::new(), 0);
    for (_, planes) in fields {
        let all = planes.iter().fold(0, |all, piece| all | piece.1);
        let by = (64 + bits - all.trailing_zeros()) % 64;
        bits += 64 - all.leading_zeros() - all.trailing_zeros();
        if bits > MOST_BITS {
            break;
        }
        pieces.extend(planes.into_iter().map(|(plane, mask)| Piece { plane, mask, by }));
    }
    (pieces, bits)
}

/// What is known of the ends with one player to move: a table by the index, in which a later entry takes the place of an earlier one.
#[derive(Debug, Default)]
pub(crate) struct Known {
    entries: Vec<u64>,
    /// Whether there is no room for a table.
    is_full: bool,
    held: Held,
}

impl Known {
    /// What the rules give at an index; the judge is asked where that is not known. It also says whether what it found may be kept.
    #[inline]
    pub fn get(
        &mut self,
        lookup: &Lookup,
        index: u64,
        judge: impl FnOnce() -> Result<(i64, bool), Undecided>,
    ) -> Result<i64, Undecided> {
        let slot = match lookup.bits <= MOST_ENTRIES {
            true => index as usize,
            false => (index.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - MOST_ENTRIES)) as usize,
        };
        match self.entries.get(slot) {
            Some(entry) if entry >> KNOWN_BITS == index && *entry & 255 != 0 => {
                Ok(lookup.results[(entry & 255) as usize - 1])
            }
            _ => self.ask(lookup, index, slot, judge),
        }
    }

    #[cold]
    fn ask(
        &mut self,
        lookup: &Lookup,
        index: u64,
        slot: usize,
        judge: impl FnOnce() -> Result<(i64, bool), Undecided>,
    ) -> Result<i64, Undecided> {
        let (value, is_kept) = judge()?;
        if self.entries.is_empty() && !self.is_full {
            let entries = 1usize << lookup.bits.min(MOST_ENTRIES);
            self.is_full = self.held.try_grow((entries * size_of::<u64>()) as u64).is_err();
            self.entries = vec![0; if self.is_full { 0 } else { entries }];
        }
        let result = lookup.results.iter().position(|result| *result == value);
        if let (true, Some(entry), Some(result)) = (is_kept, self.entries.get_mut(slot), result) {
            *entry = index << KNOWN_BITS | (result as u64 + 1);
        }
        Ok(value)
    }
}
