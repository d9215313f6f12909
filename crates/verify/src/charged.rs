//! Lists that grow with the certificate, charged to the memory of whoever opened a scope ([`rules::stop`]) before they grow.

use rules::stop::{Held, Stopped};

/// A list that asks for room before it grows.
#[derive(Default)]
pub struct Charged<T> {
    items: Vec<T>,
    held: Held,
}

impl<T> Charged<T> {
    /// An empty list.
    pub fn new() -> Charged<T> {
        Charged { items: Vec::new(), held: Held::default() }
    }

    /// Makes room for more items.
    pub fn reserve(&mut self, more: usize) -> Result<(), Stopped> {
        let (length, capacity) = (self.items.len(), self.items.capacity());
        if capacity - length >= more {
            return Ok(());
        }
        let wanted = length.saturating_add(more).max(capacity.saturating_mul(2)).max(16);
        let bytes = ((wanted - capacity) as u64).saturating_mul(size_of::<T>() as u64);
        self.held.grow(bytes)?;
        let got = self.items.try_reserve_exact(wanted - length);
        got.map_err(|_| Stopped::Memory { limit: u64::MAX, needed: bytes })
    }

    /// Adds an item.
    pub fn push(&mut self, item: T) -> Result<(), Stopped> {
        self.reserve(1)?;
        self.items.push(item);
        Ok(())
    }

    /// Adds copies of items.
    pub fn extend(&mut self, items: &[T]) -> Result<(), Stopped>
    where
        T: Clone,
    {
        self.reserve(items.len())?;
        self.items.extend_from_slice(items);
        Ok(())
    }

    /// Fills the list up to a length.
    pub fn fill_to(&mut self, length: usize, item: T) -> Result<(), Stopped>
    where
        T: Clone,
    {
        if let Some(more) = length.checked_sub(self.items.len()) {
            self.reserve(more)?;
            self.items.resize(length, item);
        }
        Ok(())
    }

    /// Drops what stands behind a length. The room stays.
    pub fn truncate(&mut self, length: usize) {
        self.items.truncate(length);
    }

    /// Takes the last item away.
    pub fn pop(&mut self) -> Option<T> {
        self.items.pop()
    }
}

impl<T> std::ops::Deref for Charged<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T> std::ops::DerefMut for Charged<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
}
