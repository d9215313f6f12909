//! Lists: known lists read at varying places, and lists of symbolic items.

use std::rc::Rc;

use rules::program::{Expr, ExprKind};
use rules::types::Type;
use rules::value::Value;

use super::symbols::{Flat, Stretch, Sym, Table};
use super::{Made, Specialiser, unsupported};
use crate::node::Node;

/// The most items of a stretch that are written out one by one.
const STRETCH: usize = 300;

impl<'b> Specialiser<'b> {
    /// The length, if it is known.
    pub(super) fn fixed_length(&self, sym: &Sym) -> Option<usize> {
        match sym {
            Sym::Known(value) => value.len(),
            Sym::Items(items) => Some(items.len()),
            Sym::Scalar(_) | Sym::Loose(_) | Sym::Stretch(_) | Sym::Set(_) => None,
        }
    }

    /// The length of a list or set.
    pub(super) fn length(&mut self, sym: &Sym) -> Made<Node> {
        match sym {
            Sym::Scalar(_) => unsupported("a list was expected"),
            Sym::Known(value) => Ok(self.arena.number(value.len().unwrap_or(0) as i64)),
            Sym::Items(items) => Ok(self.arena.number(items.len() as i64)),
            Sym::Loose(items) => {
                let terms: Vec<(Node, i64)> = items.iter().map(|(when, _)| (*when, 1)).collect();
                Ok(self.arena.combine(&terms, 0))
            }
            Sym::Stretch(stretch) => Ok(self.arena.sub(stretch.to, stretch.from)),
            Sym::Set(set) => {
                let bounded = match &set.form {
                    super::symbols::Form::Mask(mask) => self.arena.popcount(*mask),
                    super::symbols::Form::Bits(bits) => {
                        let terms: Vec<(Node, i64)> = bits.iter().map(|bit| (*bit, 1)).collect();
                        self.arena.combine(&terms, 0)
                    }
                };
                let strays = self.count_strays(set);
                Ok(self.arena.add(bounded, strays))
            }
        }
    }

    /// The item of a list at a place; any value if there is none.
    pub(super) fn item(&mut self, sym: &Sym, place: usize) -> Made<Sym> {
        match sym {
            Sym::Known(value) => match value.get(place) {
                Some(item) => Ok(self.known(item)),
                None => Ok(Sym::Scalar(self.arena.number(0))),
            },
            Sym::Items(items) => match items.get(place) {
                Some(item) => Ok(item.clone()),
                None => Ok(Sym::Scalar(self.arena.number(0))),
            },
            _ => {
                let place = self.arena.number(place as i64);
                self.pick(sym, place)
            }
        }
    }

    /// All items of a list or set, each with the condition under which it is present.
    pub(super) fn loose(&mut self, sym: &Sym) -> Made<Vec<(Node, Sym)>> {
        let always = self.arena.number(1);
        match sym {
            Sym::Scalar(_) => unsupported("a list was expected"),
            Sym::Known(value) => {
                let mut items = Vec::new();
                for place in 0..value.len().unwrap_or(0) {
                    self.step()?;
                    let item = value.get(place).unwrap_or(Value::Int(0));
                    items.push((always, self.known(item)));
                }
                Ok(items)
            }
            Sym::Items(items) => Ok(items.iter().map(|item| (always, item.clone())).collect()),
            Sym::Loose(items) => Ok(items.to_vec()),
            Sym::Stretch(stretch) => {
                let length = self.arena.sub(stretch.to, stretch.from);
                let most = self.range(length).high.clamp(0, stretch.most as i64);
                if most > STRETCH as i64 {
                    return unsupported(format!("a list of up to {most} items is gone through"));
                }
                let mut items = Vec::new();
                for place in 0..most {
                    let number = self.arena.number(place);
                    let there = self.arena.lt(number, length);
                    let at = self.arena.shift(stretch.from, place);
                    let item = self.load_flat(stretch.flat, at);
                    items.push((there, Sym::Scalar(item)));
                }
                Ok(items)
            }
            Sym::Set(set) => {
                let set = &self.gathered(set)?;
                let mut items = Vec::new();
                for place in 0..set.size {
                    let there = self.bit(set, place);
                    let there = self.settle(there);
                    if !self.is_never(there) {
                        items.push((there, Sym::Scalar(self.arena.number(set.low + place as i64))));
                    }
                }
                Ok(items)
            }
        }
    }

    /// The item at a place that is known to be inside, or whose value does not matter.
    fn pick(&mut self, sym: &Sym, place: Node) -> Made<Sym> {
        let place = self.settle(place);
        let known = self.arena.known(place).and_then(|place| usize::try_from(place).ok());
        match sym {
            Sym::Known(_) | Sym::Items(_) if known.is_some() => self.item(sym, known.unwrap_or(0)),
            Sym::Known(Value::Ints(list)) => {
                let flat = self.flat_of(&Value::Ints(list.clone()));
                Ok(Sym::Scalar(self.load_flat(flat, place)))
            }
            Sym::Known(value @ Value::List(list)) if is_table(list.as_slice()) => {
                let table = self.table_of(value);
                Ok(Sym::Stretch(self.row(table, place)))
            }
            Sym::Known(value) => self.pick_among(sym, place, value.len().unwrap_or(0)),
            Sym::Items(items) => self.pick_among(sym, place, items.len()),
            Sym::Stretch(stretch) => {
                let at = self.arena.add(stretch.from, place);
                Ok(Sym::Scalar(self.load_flat(stretch.flat, at)))
            }
            Sym::Loose(items) => {
                // The item with exactly `place` present items before it.
                let items = Rc::clone(items);
                let mut before: Vec<(Node, i64)> = Vec::with_capacity(items.len());
                let mut found: Option<Sym> = None;
                let mut wanted = Vec::with_capacity(items.len());
                for (when, _) in items.iter() {
                    let count = self.arena.combine(&before, 0);
                    let this = self.arena.eq(count, place);
                    wanted.push(self.arena.and(*when, this));
                    before.push((*when, 1));
                }
                for ((_, item), wanted) in items.iter().zip(wanted).rev() {
                    found = Some(match found {
                        None => item.clone(),
                        Some(other) => self.merge(wanted, item, &other)?,
                    });
                }
                Ok(found.unwrap_or(Sym::Scalar(place)))
            }
            Sym::Scalar(_) | Sym::Set(_) => unsupported("a list was expected"),
        }
    }

    fn pick_among(&mut self, sym: &Sym, place: Node, length: usize) -> Made<Sym> {
        if let Sym::Items(items) = sym {
            let numbers: Option<Vec<i64>> = items
                .iter()
                .map(|item| match item {
                    Sym::Scalar(node) => self.arena.known(*node),
                    _ => None,
                })
                .collect();
            if let Some(numbers) = numbers {
                return Ok(Sym::Scalar(self.load(&numbers, place)));
            }
        }
        let places = self.places(place, 1, length)?;
        let mut found: Option<Sym> = None;
        for (there, place) in places.into_iter().rev() {
            let item = self.item(sym, place)?;
            found = Some(match found {
                None => item,
                Some(other) => self.merge(there, &item, &other)?,
            });
        }
        Ok(found.unwrap_or(Sym::Scalar(place)))
    }

    /// An item of a known list of numbers.
    pub(super) fn load(&mut self, items: &[i64], place: Node) -> Node {
        let list = match self.list_of.get(items) {
            Some(list) => *list,
            None => {
                let list = self.add_list(items.to_vec());
                self.list_of.insert(items.to_vec(), list);
                list
            }
        };
        self.arena.load(list, &self.lists[list as usize], place)
    }

    fn add_list(&mut self, items: Vec<i64>) -> u32 {
        let list = self.arena.list(&items);
        self.lists.push(items);
        list
    }

    /// The flat list of a known list of numbers.
    pub(super) fn flat_of(&mut self, value: &Value) -> usize {
        let items = value.numbers().unwrap_or(&[]);
        let key = (items.as_ptr() as usize, items.len());
        if let Some(&flat) = self.flat_of.get(&key) {
            return flat;
        }
        let flat = self.new_flat(items.to_vec(), Some(value.clone()));
        self.flat_of.insert(key, flat);
        flat
    }

    fn new_flat(&mut self, items: Vec<i64>, source: Option<Value>) -> usize {
        let list = self.add_list(items);
        self.flats.push(Flat { _source: source, list, sums: None });
        self.flats.len() - 1
    }

    /// The items of a flat list.
    pub(super) fn items_of(&self, flat: usize) -> &[i64] {
        &self.lists[self.flats[flat].list as usize]
    }

    /// An item of a flat list.
    pub(super) fn load_flat(&mut self, flat: usize, place: Node) -> Node {
        let place = self.settle(place);
        let list = self.flats[flat].list;
        self.arena.load(list, &self.lists[list as usize], place)
    }

    /// The list of prefix sums of a flat list, if they fit.
    pub(super) fn sums_of(&mut self, flat: usize) -> Option<u32> {
        if let Some(sums) = self.flats[flat].sums {
            return sums;
        }
        let items = self.items_of(flat);
        let mut sums = Vec::with_capacity(items.len() + 1);
        let mut total = Some(0i64);
        sums.push(0);
        for item in items {
            total = total.and_then(|total| total.checked_add(*item));
            sums.push(total.unwrap_or(0));
        }
        let found = total.map(|_| self.add_list(sums));
        self.flats[flat].sums = Some(found);
        found
    }

    /// A known list of lists, flattened.
    pub(super) fn table_of(&mut self, value: &Value) -> usize {
        let Value::List(rows) = value else { return 0 };
        let key = (rows.as_slice().as_ptr() as usize, rows.len());
        if let Some(&table) = self.table_of.get(&key) {
            return table;
        }
        let rows: Vec<&[i64]> = rows.as_slice().iter().map(|row| row.numbers().unwrap_or(&[])).collect();
        let table = self.new_table(value, &rows);
        self.table_of.insert(key, table);
        table
    }

    fn new_table(&mut self, source: &Value, rows: &[&[i64]]) -> usize {
        let most = rows.iter().map(|row| row.len()).max().unwrap_or(0);
        let mut starts = Vec::with_capacity(rows.len() + 1);
        let mut end = 0;
        starts.push(end);
        for row in rows {
            end += row.len() as i64;
            starts.push(end);
        }
        self.add_table(Some(source.clone()), rows.concat(), Some(starts), rows.len(), most)
    }

    /// Adds a table with its rows one after the other. The starts of rows are omitted if all rows have one length.
    pub(super) fn add_table(
        &mut self,
        source: Option<Value>,
        items: Vec<i64>,
        starts: Option<Vec<i64>>,
        rows: usize,
        most: usize,
    ) -> usize {
        let flat = self.new_flat(items, None);
        let uneven = |starts: &Vec<i64>| starts.windows(2).any(|pair| pair[1] - pair[0] != most as i64);
        let starts = starts.filter(uneven).map(|starts| self.add_list(starts));
        self.tables.push(Table { _source: source, flat, starts, rows, most });
        self.tables.len() - 1
    }

    /// A row of a table.
    pub(super) fn row(&mut self, table: usize, place: Node) -> Stretch {
        let Table { flat, starts, rows, most, .. } = self.tables[table];
        let place = if rows == 0 { self.arena.number(0) } else { place };
        let next = self.arena.shift(place, 1);
        let (from, to) = match starts {
            Some(starts) => {
                let items = &self.lists[starts as usize];
                (self.arena.load(starts, items, place), self.arena.load(starts, items, next))
            }
            None => (self.arena.scale(place, most as i64), self.arena.scale(next, most as i64)),
        };
        Stretch { flat, from, to, most, distinct: false }
    }

    /// A row of a known list of lists without its repeats, for a choice; `None` for other kinds of list.
    pub(super) fn distinct_row(&mut self, list: &Sym, place: Node) -> Option<Stretch> {
        let Sym::Known(value @ Value::List(rows)) = list else { return None };
        if !is_table(rows.as_slice()) {
            return None;
        }
        let key = (rows.as_slice().as_ptr() as usize, rows.len());
        let table = match self.distinct_of.get(&key) {
            Some(&table) => table,
            None => {
                let (items, starts, most) = distinct_rows(rows.as_slice());
                let table = self.add_table(Some(value.clone()), items, Some(starts), rows.len(), most);
                self.distinct_of.insert(key, table);
                table
            }
        };
        Some(Stretch { distinct: true, ..self.row(table, place) })
    }

    /// `list[index]`
    pub(super) fn value_at(&mut self, list: &'b Expr, index: &'b Expr, ty: &Type) -> Made<Sym> {
        let value = self.value(list)?;
        let place = self.scalar(index)?;
        self.item_at(&value, place, ty)
    }

    /// The item of a list at a place; a place outside the list is a fault.
    pub(super) fn item_at(&mut self, list: &Sym, place: Node, ty: &Type) -> Made<Sym> {
        self.fault_beyond(list, place)?;
        if self.fixed_length(list) == Some(0) {
            return Ok(self.nothing(ty));
        }
        let found = self.pick(list, place)?;
        let fits = matches!(found, Sym::Scalar(_)) == ty.is_scalar();
        Ok(if fits { found } else { self.nothing(ty) })
    }

    /// Adds a fault for places without an item.
    pub(super) fn fault_beyond(&mut self, list: &Sym, place: Node) -> Made<()> {
        if let Some(length) = self.fixed_length(list) {
            self.fault_outside(place, 0, length as i64 - 1);
            return Ok(());
        }
        let (length, none) = (self.length(list)?, self.arena.number(0));
        let (below, above) = (self.arena.lt(place, none), self.arena.le(length, place));
        let outside = self.arena.or(below, above);
        self.fault_if(outside);
        Ok(())
    }

    pub(super) fn slice(
        &mut self,
        list: &'b Expr,
        low: Option<&'b Expr>,
        high: Option<&'b Expr>,
        inclusive: bool,
    ) -> Made<Sym> {
        let value = self.value(list)?;
        let length = self.length(&value)?;
        let from = match low {
            Some(low) => self.scalar(low)?,
            None => self.arena.number(0),
        };
        let to = match high {
            Some(high) => {
                let high = self.scalar(high)?;
                let to = self.arena.shift(high, i64::from(inclusive));
                // One more than the largest number is outside any list.
                let wraps = self.arena.lt(to, high);
                self.fault_if(wraps);
                to
            }
            None => length,
        };
        let none = self.arena.number(0);
        for outside in [self.arena.lt(from, none), self.arena.lt(to, from), self.arena.lt(length, to)] {
            self.fault_if(outside);
        }
        let (from, to) = (self.settle(from), self.settle(to));
        self.part_of(&value, from, to)
    }

    fn part_of(&mut self, value: &Sym, from: Node, to: Node) -> Made<Sym> {
        let known = |this: &Self, node: Node| this.arena.known(node).and_then(|number| usize::try_from(number).ok());
        match (value, known(self, from), known(self, to)) {
            (Sym::Known(Value::Ints(list)), Some(from), Some(to)) => Ok(Sym::Known(Value::Ints(list.slice(from, to)))),
            (Sym::Known(Value::List(list)), Some(from), Some(to)) => Ok(Sym::Known(Value::List(list.slice(from, to)))),
            (Sym::Items(items), Some(from), Some(to)) => {
                let to = to.min(items.len());
                Ok(Sym::items(items[from.min(to)..to].to_vec()))
            }
            (Sym::Known(value @ Value::Ints(list)), ..) => {
                let (flat, most) = (self.flat_of(value), list.len());
                Ok(Sym::Stretch(Stretch { flat, from, to, most, distinct: false }))
            }
            (Sym::Stretch(stretch), ..) => {
                let (from, to) = (self.arena.add(stretch.from, from), self.arena.add(stretch.from, to));
                Ok(Sym::Stretch(Stretch { flat: stretch.flat, from, to, most: stretch.most, distinct: false }))
            }
            _ => {
                let mut items = Vec::new();
                let mut before: Vec<(Node, i64)> = Vec::new();
                for (when, item) in self.loose(value)? {
                    let place = self.arena.combine(&before, 0);
                    let (above, below) = (self.arena.le(from, place), self.arena.lt(place, to));
                    let there = self.arena.and(above, below);
                    let there = self.arena.and(when, there);
                    let there = self.settle(there);
                    if !self.is_never(there) {
                        items.push((there, item));
                    }
                    before.push((when, 1));
                }
                Ok(self.tight(items))
            }
        }
    }

    /// A list of items that may be missing; an ordinary list if none can be.
    pub(super) fn tight(&mut self, items: Vec<(Node, Sym)>) -> Sym {
        if items.iter().all(|(when, _)| self.is_always(*when)) {
            return Sym::items(items.into_iter().map(|(_, item)| item).collect());
        }
        Sym::Loose(Rc::new(items))
    }

    pub(super) fn repeat(&mut self, item: &'b Expr, length: &'b Expr) -> Made<Sym> {
        let item = self.value(item)?;
        let count = self.scalar(length)?;
        let none = self.arena.number(0);
        let negative = self.arena.lt(count, none);
        self.fault_if(negative);
        let range = self.range(count);
        let most = range.high.max(0);
        if most > 10_000 {
            return unsupported(format!("a list of up to {most} items is made"));
        }
        let mut items = Vec::with_capacity(most as usize);
        for place in 0..most {
            let place = self.arena.number(place);
            let there = self.arena.lt(place, count);
            items.push((self.settle(there), item.clone()));
        }
        Ok(self.tight(items))
    }

    /// `item in collection`
    pub(super) fn contains(&mut self, item: &'b Expr, collection: &'b Expr) -> Made<Node> {
        if let ExprKind::Range { low, high, inclusive } = &collection.kind {
            let number = self.scalar(item)?;
            let (low, high) = self.bounds(low, high, *inclusive)?;
            let (above, below) = (self.arena.le(low, number), self.arena.le(number, high));
            return Ok(self.arena.and(above, below));
        }
        let wanted = self.value(item)?;
        let value = self.value(collection)?;
        match (&wanted, &value) {
            (Sym::Scalar(number), Sym::Set(set)) => Ok(self.set_contains(set, *number)),
            (Sym::Scalar(number), Sym::Known(known)) if known.numbers().is_some() => {
                let numbers = known.numbers().unwrap_or(&[]);
                self.known_contains(numbers, *number)
            }
            _ => {
                let mut found = self.arena.number(0);
                for (when, item) in self.loose(&value)? {
                    let same = self.equal(&wanted, &item)?;
                    let here = self.arena.and(when, same);
                    found = self.arena.or(found, here);
                }
                Ok(found)
            }
        }
    }

    fn known_contains(&mut self, numbers: &[i64], number: Node) -> Made<Node> {
        let range = self.range(number);
        if let Some(number) = range.single() {
            return Ok(self.arena.truth(numbers.contains(&number)));
        }
        let mut near: Vec<i64> = numbers.iter().copied().filter(|item| range.contains(*item)).collect();
        near.sort_unstable();
        near.dedup();
        let (Some(&low), Some(&high)) = (near.first(), near.last()) else { return Ok(self.arena.number(0)) };
        let (first, last) = (self.arena.number(low), self.arena.number(high));
        let (above, below) = (self.arena.le(first, number), self.arena.le(number, last));
        let inside = self.arena.and(above, below);
        let size = high.wrapping_sub(low) as u64;
        if size == near.len() as u64 - 1 {
            return Ok(inside);
        }
        if size < 1 << 20 {
            let mut marks = vec![0; size as usize + 1];
            near.iter().for_each(|item| marks[(item - low) as usize] = 1);
            let place = self.arena.sub(number, first);
            let marked = self.load(&marks, place);
            return Ok(self.arena.and(inside, marked));
        }
        let mut found = self.arena.number(0);
        for item in near {
            self.step()?;
            let item = self.arena.number(item);
            let same = self.arena.eq(number, item);
            found = self.arena.or(found, same);
        }
        Ok(found)
    }
}

/// Whether all rows are lists of numbers.
fn is_table(rows: &[Value]) -> bool {
    rows.iter().all(|row| !matches!(row, Value::Set(_)) && row.numbers().is_some())
}

/// The rows one after the other without repeats within a row; where each row starts; the length of the longest. Graphs
/// have millions of rows, whose numbers are below the number of rows. Then the row that last held a number is
/// remembered for each number.
fn distinct_rows(rows: &[Value]) -> (Vec<i64>, Vec<i64>, usize) {
    let numbers = || rows.iter().flat_map(|row| row.numbers().unwrap_or(&[]).iter().copied());
    let count: usize = rows.iter().map(|row| row.len().unwrap_or(0)).sum();
    let (low, high) = (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0));
    let dense = low >= 0 && high as u64 <= 2 * count as u64 + 1000;
    let mut last = vec![usize::MAX; if dense { high as usize + 1 } else { 0 }];
    let (mut items, mut starts, mut most) = (Vec::with_capacity(count), Vec::with_capacity(rows.len() + 1), 0);
    starts.push(0);
    for (index, row) in rows.iter().enumerate() {
        let (numbers, before) = (row.numbers().unwrap_or(&[]), items.len());
        if dense {
            items.extend(numbers.iter().filter(|n| std::mem::replace(&mut last[**n as usize], index) != index));
        } else {
            items.extend(without_repeats(numbers));
        }
        most = most.max(items.len() - before);
        starts.push(items.len() as i64);
    }
    (items, starts, most)
}

/// The items without repeats, in order of first occurrence.
pub(super) fn without_repeats(items: &[i64]) -> Vec<i64> {
    if items.len() <= 8 {
        let mut found: Vec<i64> = Vec::with_capacity(items.len());
        for item in items {
            if !found.contains(item) {
                found.push(*item);
            }
        }
        return found;
    }
    let mut seen = rustc_hash::FxHashSet::default();
    items.iter().copied().filter(|item| seen.insert(*item)).collect()
}
