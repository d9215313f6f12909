//! How a position is stored: as a flat row of *cells*, and packed into as few bits as the domains allow.
//!
//! ```text
//! state { i in 0..=4; board in [{empty, x, o}; 3]; s in set of 0..=69; }
//!
//! cells    i   board[0] board[1] board[2]   s (64 bits)   s (6 bits)      one i64 each
//! bits    3bit   2bit     2bit     2bit       64 bit        6 bit         79 bits in two words
//! ```
//!
//! A scalar takes one cell, arrays are flattened with the last index fastest, and a set takes one cell for each 64
//! possible elements: bit `k` of its words is element `low + k`. Cells hold the numbers of the rules, so the
//! interpreter reads them as they are. Packed words hold `number - low` in the fewest bits (none for a domain of one
//! value); fields may straddle words.

use crate::fault::Fault;
use crate::program::Program;
use crate::space::Space;
use crate::value::Value;

/// The most cells a position may have.
pub const CELL_LIMIT: usize = 1 << 20;
/// The most elements a set may have.
pub const SET_LIMIT: usize = 1 << 16;

/// Where each variable of a position, or of one part of a sum, is kept.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// One entry for each variable, in the order of the program.
    pub variables: Vec<Slot>,
    fields: Vec<Field>,
    bits: usize,
}

/// Where one variable is kept.
#[derive(Clone, Debug)]
pub struct Slot {
    /// The variable's name.
    pub name: String,
    /// Its first cell.
    pub offset: usize,
    /// Its lengths, outermost first; none for a scalar or set.
    pub dims: Vec<usize>,
    /// What each item can hold.
    pub leaf: Leaf,
    /// How many cells each item takes.
    pub stride: usize,
    /// How many cells it takes in all.
    pub cells: usize,
}

/// What the innermost items of a variable can hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// `low..=high`; nothing if `high < low`.
    Int {
        /// The least value.
        low: i64,
        /// The greatest value.
        high: i64,
    },
    /// 0 or 1.
    Bool,
    /// Constants from 0 on.
    Names(Vec<String>),
    /// Any of these elements.
    Set {
        /// The least element.
        low: i64,
        /// How many possible elements there are.
        size: usize,
        /// Their names, if they are named constants.
        names: Option<Vec<String>>,
    },
}

/// One cell in packed words.
#[derive(Clone, Copy, Debug)]
struct Field {
    low: i64,
    start: u32,
    bits: u32,
}

/// A variable, or an item of it.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Which variable.
    pub variable: usize,
    /// How many indices were given.
    pub depth: usize,
    /// How many innermost items stand before it.
    pub item: usize,
}

impl Target {
    /// A whole variable.
    pub fn whole(variable: usize) -> Target {
        Target { variable, depth: 0, item: 0 }
    }
}

/// An element that a set of the position contains for a moment, although its domain does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stray {
    /// Which variable.
    pub variable: usize,
    /// How many innermost items stand before the set.
    pub item: usize,
    /// The element.
    pub element: i64,
}

/// A value that does not fit in a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The place, such as `board[3]`.
    pub place: String,
    /// What was found there and what would fit, such as `board[3] = 7 is outside 0..=2`.
    pub text: String,
}

impl Leaf {
    fn of(space: &Space) -> Leaf {
        match space {
            Space::Range { low, high } => Leaf::Int { low: *low, high: *high },
            Space::Bool => Leaf::Bool,
            Space::Names(names) => Leaf::Names(names.clone()),
            Space::Subsets { low, size, names } => Leaf::Set { low: *low, size: *size, names: names.clone() },
            Space::Array { .. } | Space::Items(_) => Leaf::Int { low: 1, high: 0 }, // Not the domain of a leaf.
        }
    }

    fn space(&self) -> Space {
        match self {
            Leaf::Int { low, high } => Space::Range { low: *low, high: *high },
            Leaf::Bool => Space::Bool,
            Leaf::Names(names) => Space::Names(names.clone()),
            Leaf::Set { low, size, names } => Space::Subsets { low: *low, size: *size, names: names.clone() },
        }
    }

    /// The least and the greatest number of a scalar; `None` for a set.
    pub fn range(&self) -> Option<(i64, i64)> {
        match self {
            Leaf::Int { low, high } => Some((*low, *high)),
            Leaf::Bool => Some((0, 1)),
            Leaf::Names(names) => Some((0, names.len() as i64 - 1)),
            Leaf::Set { .. } => None,
        }
    }

    /// The names of its constants, if it has any.
    pub fn names(&self) -> Option<&[String]> {
        match self {
            Leaf::Names(names) | Leaf::Set { names: Some(names), .. } => Some(names),
            _ => None,
        }
    }

    fn stride(&self) -> usize {
        match self {
            Leaf::Set { size, .. } => size.div_ceil(64),
            _ => 1,
        }
    }
}

impl Slot {
    /// The place with this number of items before it, as in `board[3]`.
    pub fn place(&self, item: usize) -> String {
        let mut indices = Vec::new();
        let mut rest = item;
        for &length in self.dims.iter().rev() {
            indices.push(rest % length.max(1));
            rest /= length.max(1);
        }
        let mut place = self.name.clone();
        for index in indices.iter().rev() {
            place.push_str(&format!("[{index}]"));
        }
        place
    }

    /// What each item can hold, as a rules file would write it.
    pub fn domain(&self) -> String {
        self.leaf.space().to_string()
    }

    fn outside(&self, item: usize, value: impl std::fmt::Display) -> Misfit {
        let place = self.place(item);
        let text = match self.leaf {
            Leaf::Set { .. } => format!("{place} contains {value}, outside {}", self.domain()),
            _ => format!("{place} = {value} is outside {}", self.domain()),
        };
        Misfit { place, text }
    }
}

impl Layout {
    /// The layout of nothing.
    pub const EMPTY: Layout = Layout { variables: Vec::new(), fields: Vec::new(), bits: 0 };

    /// Lays out the variables of a program, given their domains.
    pub fn new(program: &Program, spaces: &[Space]) -> Result<Layout, Fault> {
        let mut layout = Layout::EMPTY;
        for (variable, space) in program.variables.iter().zip(spaces) {
            layout.add(&variable.name, space).map_err(|problem| {
                Fault::at(variable.span, format!("`{}` is too large: {problem}", variable.name), "declared here")
            })?;
        }
        Ok(layout)
    }

    fn add(&mut self, name: &str, space: &Space) -> Result<(), String> {
        let mut dims = Vec::new();
        let mut inner = space;
        while let Space::Array { item, shortest, .. } = inner {
            dims.push(*shortest);
            inner = item;
        }
        let leaf = Leaf::of(inner);
        if let Leaf::Set { size, .. } = &leaf
            && *size > SET_LIMIT
        {
            return Err(format!("a set may have at most {SET_LIMIT} possible elements, this one has {size}"));
        }
        let stride = leaf.stride();
        // An array with a dimension of 0 has no cells, however long its other dimensions are.
        let items = if dims.contains(&0) { Some(0) } else { dims.iter().try_fold(1usize, |n, &d| n.checked_mul(d)) };
        let cells = items.and_then(|n| n.checked_mul(stride));
        let offset = self.fields.len();
        match cells.and_then(|n| n.checked_add(offset)) {
            Some(total) if total <= CELL_LIMIT => {}
            _ => return Err(format!("a position may have at most {CELL_LIMIT} cells")),
        }
        let cells = cells.unwrap_or(0);
        for cell in 0..cells {
            let (low, bits) = field_of(&leaf, cell % stride);
            self.fields.push(Field { low, start: self.bits as u32, bits });
            self.bits += bits as usize;
        }
        self.variables.push(Slot { name: name.to_string(), offset, dims, leaf, stride, cells });
        Ok(())
    }

    /// How many cells a position has.
    pub fn cells(&self) -> usize {
        self.fields.len()
    }

    /// How many bits a packed position has.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// How many positions the domains allow, if the count fits.
    pub fn size(&self) -> Option<u64> {
        let mut size = 1u64;
        for slot in &self.variables {
            let values = match &slot.leaf {
                Leaf::Int { low, high } if low > high => 0,
                Leaf::Int { low, high } => high.checked_sub(*low)?.checked_add(1)?.unsigned_abs(),
                Leaf::Bool => 2,
                Leaf::Names(names) => names.len() as u64,
                Leaf::Set { size, .. } => 1u64.checked_shl(u32::try_from(*size).ok()?)?,
            };
            let items = slot.cells.checked_div(slot.stride).unwrap_or(0);
            size = size.checked_mul(values.checked_pow(u32::try_from(items).ok()?)?)?;
        }
        Some(size)
    }

    /// How many 64-bit words a packed position takes.
    pub fn words(&self) -> usize {
        self.bits.div_ceil(64)
    }

    /// Packs cells that are in their domains into [`Layout::words`] words.
    pub fn pack(&self, cells: &[i64], out: &mut [u64]) {
        debug_assert_eq!(cells.len(), self.cells());
        debug_assert_eq!(out.len(), self.words());
        out.fill(0);
        for (field, &cell) in self.fields.iter().zip(cells) {
            let code = cell.wrapping_sub(field.low).cast_unsigned();
            debug_assert!(field.bits == 64 || code >> field.bits == 0, "{cell} is outside its domain");
            if field.bits == 0 {
                continue;
            }
            let (word, shift) = (field.start as usize / 64, field.start % 64);
            out[word] |= code << shift;
            if shift + field.bits > 64 {
                out[word + 1] |= code >> (64 - shift);
            }
        }
    }

    /// The cells of a packed position.
    pub fn unpack(&self, words: &[u64], out: &mut [i64]) {
        debug_assert_eq!(words.len(), self.words());
        debug_assert_eq!(out.len(), self.cells());
        for (field, cell) in self.fields.iter().zip(out) {
            if field.bits == 0 {
                *cell = field.low;
                continue;
            }
            let (word, shift) = (field.start as usize / 64, field.start % 64);
            let mut code = words[word] >> shift;
            if shift + field.bits > 64 {
                code |= words[word + 1] << (64 - shift);
            }
            code &= u64::MAX >> (64 - field.bits);
            *cell = field.low.wrapping_add_unsigned(code);
        }
    }

    /// The first cell that is outside its domain.
    pub fn misfit(&self, cells: &[i64]) -> Option<Misfit> {
        for slot in &self.variables {
            let own = cells.get(slot.offset..slot.offset + slot.cells)?;
            let Some((low, high)) = slot.leaf.range() else { continue };
            if let Some(item) = own.iter().position(|cell| *cell < low || *cell > high) {
                return Some(slot.outside(item, own[item]));
            }
        }
        None
    }

    /// Writes a value into the cells of a variable below `depth` indices, where `item` items stand before it. The shape
    /// is always checked, the domain only if `strict`: while a move runs, values may leave their domain for a moment.
    /// Elements that a set has no bit for are then left out, see [`Layout::strays`].
    pub fn write(&self, place: Target, value: &Value, cells: &mut [i64], strict: bool) -> Result<(), Misfit> {
        write_at(&self.variables[place.variable], place.depth, place.item, value, cells, strict)
    }

    /// Adds the elements of the sets in a value that the domain does not contain.
    pub fn strays(&self, place: Target, value: &Value, found: &mut Vec<Stray>) {
        let slot = &self.variables[place.variable];
        let Leaf::Set { low, size, .. } = &slot.leaf else { return };
        match value {
            Value::Set(elements) => {
                let outside = elements.iter().filter(|element| bit_of(*low, *size, **element).is_none());
                let Target { variable, item, .. } = place;
                found.extend(outside.map(|&element| Stray { variable, item, element }));
            }
            Value::List(list) => {
                let below: usize = slot.dims.get(place.depth + 1..).unwrap_or(&[]).iter().product();
                for (index, value) in list.as_slice().iter().enumerate() {
                    let inner = Target { depth: place.depth + 1, item: place.item + index * below, ..place };
                    self.strays(inner, value, found);
                }
            }
            Value::Int(_) | Value::Ints(_) => {}
        }
    }

    /// What is wrong with a stray element that stays.
    pub fn stray(&self, stray: &Stray) -> Misfit {
        self.variables[stray.variable].outside(stray.item, stray.element)
    }

    /// The value of the cells of a variable, or of an item of it below `depth` indices.
    pub fn read(&self, variable: usize, depth: usize, cells: &[i64]) -> Value {
        read_at(&self.variables[variable], depth, cells)
    }
}

fn write_at(
    slot: &Slot,
    depth: usize,
    first: usize,
    value: &Value,
    cells: &mut [i64],
    strict: bool,
) -> Result<(), Misfit> {
    let Some(&length) = slot.dims.get(depth) else {
        return write_leaf(slot, first, value, cells, strict);
    };
    if value.len() != Some(length) || matches!(value, Value::Set(_)) {
        let place = if depth == 0 { slot.name.clone() } else { slot.place(first) };
        let found = value.len().map_or("a number".to_string(), |n| format!("{n} items"));
        return Err(Misfit { text: format!("{place} holds {length} items, and was given {found}"), place });
    }
    if let (Value::Ints(list), Some((low, high)), true) = (value, slot.leaf.range(), depth + 1 == slot.dims.len()) {
        for (item, number) in list.as_slice().iter().enumerate() {
            if strict && (*number < low || *number > high) {
                return Err(slot.outside(first + item, number));
            }
            cells[item] = *number;
        }
        return Ok(());
    }
    if length == 0 {
        return Ok(());
    }
    let block = cells.len() / length;
    let items: usize = slot.dims[depth + 1..].iter().product();
    for index in 0..length {
        let item = value.get(index).unwrap_or(Value::Int(0));
        let own = &mut cells[index * block..(index + 1) * block];
        write_at(slot, depth + 1, first + index * items, &item, own, strict)?;
    }
    Ok(())
}

fn field_of(leaf: &Leaf, word: usize) -> (i64, u32) {
    match leaf.range() {
        Some((low, high)) if high < low => (low, 0),
        Some((low, high)) => (low, 64 - high.wrapping_sub(low).cast_unsigned().leading_zeros()),
        None => {
            let Leaf::Set { size, .. } = leaf else { return (0, 64) };
            (0, (size - word * 64).min(64) as u32)
        }
    }
}

fn write_leaf(slot: &Slot, item: usize, value: &Value, cells: &mut [i64], strict: bool) -> Result<(), Misfit> {
    match (&slot.leaf, value) {
        (Leaf::Set { low, size, .. }, Value::Set(elements)) => {
            cells.fill(0);
            for element in elements.iter() {
                match bit_of(*low, *size, *element) {
                    Some(bit) => cells[bit / 64] |= 1 << (bit % 64),
                    None if strict => return Err(slot.outside(item, element)),
                    None => {}
                }
            }
            Ok(())
        }
        (leaf, Value::Int(number)) => {
            let fits = leaf.range().is_some_and(|(low, high)| low <= *number && *number <= high);
            match cells.first_mut() {
                Some(cell) if fits || !strict => {
                    *cell = *number;
                    Ok(())
                }
                _ => Err(slot.outside(item, number)),
            }
        }
        _ => {
            let place = slot.place(item);
            Err(Misfit {
                text: format!("{place} holds a member of {}, and was given something else", slot.domain()),
                place,
            })
        }
    }
}

fn read_at(slot: &Slot, depth: usize, cells: &[i64]) -> Value {
    match (&slot.dims[depth.min(slot.dims.len())..], &slot.leaf) {
        ([], Leaf::Set { low, .. }) => Value::Set(std::sync::Arc::new(elements(*low, cells))),
        ([], _) => Value::Int(cells.first().copied().unwrap_or(0)),
        ([_], Leaf::Int { .. } | Leaf::Bool | Leaf::Names(_)) => Value::ints(cells.to_vec()),
        ([length, ..], _) => {
            let block = cells.len().checked_div(*length).unwrap_or(0);
            Value::list((0..*length).map(|i| read_at(slot, depth + 1, &cells[i * block..(i + 1) * block])).collect())
        }
    }
}

/// The bit of a set's words that stands for an element, if it is a possible element.
pub fn bit_of(low: i64, size: usize, element: i64) -> Option<usize> {
    let bit = i128::from(element) - i128::from(low);
    usize::try_from(bit).ok().filter(|bit| *bit < size)
}

/// The elements of a set, ascending, from its words.
pub fn elements(low: i64, words: &[i64]) -> Vec<i64> {
    let mut found = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let mut rest = word.cast_unsigned();
        while rest != 0 {
            let bit = index * 64 + rest.trailing_zeros() as usize;
            found.push(low.wrapping_add_unsigned(bit as u64));
            rest &= rest - 1;
        }
    }
    found
}

#[cfg(test)]
mod tests;
