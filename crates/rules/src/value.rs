//! Run-time values: numbers, lists and sets.
//!
//! A list is a *view* of shared items. So a slice costs nothing and passing a list to a function copies nothing; a
//! local that changes copies its items first unless it is their only owner. Lists of numbers, by far the most common,
//! are stored flat. Lists of an instance are *kept* ([`Value::keep`]): they remember their prefix sums once someone
//! asks for the sum of a slice, which makes every later sum of a slice one subtraction. Equality and hashing look at
//! the value, never at how it is stored.

use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// A value while rules run. Truth values are the numbers 0 and 1.
#[derive(Clone, Debug)]
pub enum Value {
    /// A number, truth value, player, character or named constant.
    Int(i64),
    /// A list of scalars, or a text.
    Ints(Ints),
    /// A list of anything else.
    List(List),
    /// A set of numbers, ascending, without repeats.
    Set(Arc<Vec<i64>>),
}

/// A view of shared numbers.
#[derive(Clone, Debug)]
pub struct Ints {
    shared: Arc<Numbers>,
    low: usize,
    high: usize,
}

/// The numbers behind views, with their cached sums.
#[derive(Debug, Default)]
struct Numbers {
    items: Vec<i64>,
    kept: AtomicBool,
    /// `sums[i]` is the sum of the first `i` items.
    sums: OnceLock<Box<[i128]>>,
    total: OnceLock<i128>,
}

impl Numbers {
    fn new(items: Vec<i64>) -> Numbers {
        Numbers { items, kept: AtomicBool::new(false), sums: OnceLock::new(), total: OnceLock::new() }
    }

    fn sums(&self) -> &[i128] {
        self.sums.get_or_init(|| {
            let mut sums = Vec::with_capacity(self.items.len() + 1);
            let mut total = 0i128;
            sums.push(total);
            for &item in &self.items {
                total += i128::from(item);
                sums.push(total);
            }
            sums.into_boxed_slice()
        })
    }
}

impl Ints {
    /// A list that owns these numbers.
    pub fn new(items: Vec<i64>) -> Ints {
        let high = items.len();
        Ints { shared: Arc::new(Numbers::new(items)), low: 0, high }
    }

    /// The numbers.
    pub fn as_slice(&self) -> &[i64] {
        &self.shared.items[self.low..self.high]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.high - self.low
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.low == self.high
    }

    /// The items `low..high`, shared. Both are clipped to the list.
    pub fn slice(&self, low: usize, high: usize) -> Ints {
        let high = high.min(self.len());
        let low = low.min(high);
        Ints { shared: Arc::clone(&self.shared), low: self.low + low, high: self.low + high }
    }

    /// The exact sum. For a list of the instance, every call after the first is one subtraction.
    pub fn sum(&self) -> i128 {
        let exact = |items: &[i64]| items.iter().map(|&item| i128::from(item)).sum();
        if !self.is_kept() {
            return exact(self.as_slice());
        }
        if self.len() == self.shared.items.len() {
            return *self.shared.total.get_or_init(|| exact(&self.shared.items));
        }
        let sums = self.shared.sums();
        sums[self.high] - sums[self.low]
    }

    /// Whether [`Ints::sum`] takes constant time.
    pub fn is_kept(&self) -> bool {
        self.shared.kept.load(Ordering::Relaxed)
    }

    /// Whether changing an item would have to copy the list first.
    pub fn is_shared(&self) -> bool {
        Arc::strong_count(&self.shared) > 1 || self.len() != self.shared.items.len()
    }

    /// The numbers, to be changed; copied first if another view shares them.
    pub fn make_mut(&mut self) -> &mut [i64] {
        if self.is_shared() {
            *self = Ints::new(self.as_slice().to_vec());
        }
        if Arc::get_mut(&mut self.shared).is_none() {
            *self = Ints::new(self.as_slice().to_vec());
        }
        match Arc::get_mut(&mut self.shared) {
            Some(numbers) => {
                *numbers = Numbers::new(std::mem::take(&mut numbers.items));
                &mut numbers.items
            }
            None => &mut [], // Not reached: the list above was just made here.
        }
    }

    /// Makes this list remember its prefix sums from now on. Nothing is copied, so lists that share stay shared.
    fn mark_kept(&self) {
        self.shared.kept.store(true, Ordering::Relaxed);
    }
}

/// A view of shared values.
#[derive(Clone, Debug)]
pub struct List {
    shared: Arc<Vec<Value>>,
    low: usize,
    high: usize,
}

impl List {
    /// A list that owns these values.
    pub fn new(items: Vec<Value>) -> List {
        let high = items.len();
        List { shared: Arc::new(items), low: 0, high }
    }

    /// The values.
    pub fn as_slice(&self) -> &[Value] {
        &self.shared[self.low..self.high]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.high - self.low
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.low == self.high
    }

    /// The items `low..high`, shared. Both are clipped to the list.
    pub fn slice(&self, low: usize, high: usize) -> List {
        let high = high.min(self.len());
        let low = low.min(high);
        List { shared: Arc::clone(&self.shared), low: self.low + low, high: self.low + high }
    }

    /// Whether changing an item would have to copy the list first.
    pub fn is_shared(&self) -> bool {
        Arc::strong_count(&self.shared) > 1 || self.len() != self.shared.len()
    }

    /// The values, to be changed; copied first if another view shares them.
    pub fn make_mut(&mut self) -> &mut [Value] {
        if self.len() != self.shared.len() {
            *self = List::new(self.as_slice().to_vec());
        }
        Arc::make_mut(&mut self.shared).as_mut_slice()
    }

    fn mark_kept(&self) {
        let mut last: Option<&Value> = None;
        for item in self.as_slice() {
            // `[list; n]` holds one list n times; marking it once is enough.
            if !last.is_some_and(|last| last.is_same(item)) {
                item.mark_kept();
            }
            last = Some(item);
        }
    }
}

impl Value {
    /// A list of scalars.
    pub fn ints(items: Vec<i64>) -> Value {
        Value::Ints(Ints::new(items))
    }

    /// A list of anything.
    pub fn list(items: Vec<Value>) -> Value {
        Value::List(List::new(items))
    }

    /// A set of these numbers, in any order, repeats allowed.
    pub fn set(mut items: Vec<i64>) -> Value {
        items.sort_unstable();
        items.dedup();
        Value::Set(Arc::new(items))
    }

    /// A text as the list of its code points.
    pub fn text(text: &str) -> Value {
        Value::ints(text.chars().map(|c| i64::from(u32::from(c))).collect())
    }

    /// The text of a list of code points; invalid ones become `\u{fffd}`.
    pub fn characters(&self) -> String {
        let codes = self.numbers().unwrap_or(&[]).iter();
        codes.map(|&code| u32::try_from(code).ok().and_then(char::from_u32).unwrap_or('\u{fffd}')).collect()
    }

    /// The number, if the value is one.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Value::Int(number) => Some(*number),
            _ => None,
        }
    }

    /// The number of items; `None` for a number.
    pub fn len(&self) -> Option<usize> {
        match self {
            Value::Int(_) => None,
            Value::Ints(list) => Some(list.len()),
            Value::List(list) => Some(list.len()),
            Value::Set(items) => Some(items.len()),
        }
    }

    /// Whether it is a list or set without items.
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// The item of a list at an index, or the element of a set at an index in ascending order.
    pub fn get(&self, index: usize) -> Option<Value> {
        match self {
            Value::Int(_) => None,
            Value::Ints(list) => list.as_slice().get(index).map(|&item| Value::Int(item)),
            Value::List(list) => list.as_slice().get(index).cloned(),
            Value::Set(items) => items.get(index).map(|&item| Value::Int(item)),
        }
    }

    /// The numbers of a list of scalars or of a set. An empty list has none, whatever its type.
    pub fn numbers(&self) -> Option<&[i64]> {
        match self {
            Value::Ints(list) => Some(list.as_slice()),
            Value::Set(items) => Some(items),
            Value::List(list) if list.is_empty() => Some(&[]),
            Value::Int(_) | Value::List(_) => None,
        }
    }

    /// Makes the value part of an instance: its lists remember the sums of slices.
    pub fn keep(self) -> Value {
        self.mark_kept();
        self
    }

    fn mark_kept(&self) {
        match self {
            Value::Ints(list) => list.mark_kept(),
            Value::List(list) => list.mark_kept(),
            Value::Int(_) | Value::Set(_) => {}
        }
    }

    /// Whether both are views of one and the same list.
    fn is_same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Ints(a), Value::Ints(b)) => Arc::ptr_eq(&a.shared, &b.shared),
            (Value::List(a), Value::List(b)) => Arc::ptr_eq(&a.shared, &b.shared),
            _ => false,
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Ints(a), Value::Ints(b)) => a.as_slice() == b.as_slice(),
            (Value::List(a), Value::List(b)) => a.as_slice() == b.as_slice(),
            (Value::Set(a), Value::Set(b)) => a == b,
            (Value::Ints(a), Value::List(b)) | (Value::List(b), Value::Ints(a)) => {
                a.len() == b.len() && a.as_slice().iter().zip(b.as_slice()).all(|(a, b)| b.as_int() == Some(*a))
            }
            _ => false,
        }
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Value::Int(number) => {
                state.write_u8(0);
                number.hash(state);
            }
            Value::Ints(list) => {
                state.write_u8(1);
                list.len().hash(state);
                for item in list.as_slice() {
                    Value::Int(*item).hash(state);
                }
            }
            Value::List(list) => {
                state.write_u8(1);
                list.len().hash(state);
                for item in list.as_slice() {
                    item.hash(state);
                }
            }
            Value::Set(items) => {
                state.write_u8(2);
                items.hash(state);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(value: &Value) -> u64 {
        let mut hasher = std::hash::DefaultHasher::new();
        value.hash(&mut hasher);
        hasher.finish()
    }

    #[test]
    fn values_cross_threads() {
        fn check<T: Send + Sync>() {}
        check::<Value>();
    }

    #[test]
    fn equality_does_not_see_how_a_value_is_held() {
        let flat = Value::ints(vec![1, 2]);
        let boxed = Value::list(vec![Value::Int(1), Value::Int(2)]);
        let Value::Ints(long) = Value::ints(vec![0, 1, 2, 3]) else { unreachable!() };
        let view = Value::Ints(long.slice(1, 3));
        assert_eq!(flat, boxed);
        assert_eq!(flat, view);
        assert_eq!(hash(&flat), hash(&boxed));
        assert_eq!(hash(&flat), hash(&view));
        assert_eq!(Value::ints(vec![]), Value::list(vec![]));
        assert_eq!(hash(&Value::ints(vec![])), hash(&Value::list(vec![])));
        assert_ne!(flat, Value::set(vec![1, 2]));
        assert_ne!(Value::ints(vec![]), Value::set(vec![]));
        assert_eq!(Value::set(vec![2, 1, 2]), Value::set(vec![1, 2]));
    }

    #[test]
    fn changing_a_view_leaves_the_others_alone() {
        let list = Ints::new(vec![1, 2, 3, 4]);
        let mut view = list.slice(1, 3);
        view.make_mut()[0] = 9;
        assert_eq!(view.as_slice(), [9, 3]);
        assert_eq!(list.as_slice(), [1, 2, 3, 4]);
        let mut rows = List::new(vec![Value::Ints(list.clone()), Value::Ints(list.clone())]);
        let other = rows.clone();
        rows.make_mut()[0] = Value::Int(5);
        assert_eq!(other.as_slice()[0], Value::Ints(list));
    }

    #[test]
    fn changing_a_sole_owner_copies_nothing() {
        let mut list = Ints::new(vec![1, 2, 3]);
        let before = list.as_slice().as_ptr();
        list.make_mut()[1] = 7;
        assert_eq!(list.as_slice().as_ptr(), before);
        assert_eq!(list.sum(), 11);
    }

    #[test]
    fn sums_of_kept_slices_are_exact() {
        let items: Vec<i64> = vec![i64::MAX, i64::MAX, -5, i64::MIN, 7];
        let Value::Ints(kept) = Value::ints(items.clone()).keep() else { unreachable!() };
        for low in 0..=items.len() {
            for high in low..=items.len() {
                let plain: i128 = items[low..high].iter().map(|&x| i128::from(x)).sum();
                assert_eq!(kept.slice(low, high).sum(), plain);
                assert_eq!(Ints::new(items.clone()).slice(low, high).sum(), plain);
            }
        }
        let mut changed = kept.slice(0, 5);
        changed.make_mut()[0] = 0;
        assert_eq!(changed.sum(), i128::from(i64::MAX) - 5 + i128::from(i64::MIN) + 7);
    }

    #[test]
    fn rows_are_kept_too() {
        let rows = Value::list(vec![Value::ints(vec![1, 2]), Value::ints(vec![3])]).keep();
        let Value::List(rows) = rows else { unreachable!() };
        for row in rows.as_slice() {
            let Value::Ints(row) = row else { unreachable!() };
            assert!(row.is_kept());
        }
    }
}
