//! A nim-sequence in memory: two bytes for each term, or four once a value needs them.
//!
//! The values of games that break heaps stay small for as far as anyone has looked; those of Nim and its kin grow with
//! the heap. One sequence type serves both, and widens itself once.

/// The values of the heaps 0, 1, 2, …
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// All values so far are below 65536.
    Narrow(Vec<u16>),
    /// Some values are larger.
    Wide(Vec<u32>),
}

impl Default for Values {
    fn default() -> Self {
        Values::Narrow(Vec::new())
    }
}

impl Values {
    /// How many terms there are.
    pub fn len(&self) -> usize {
        match self {
            Values::Narrow(values) => values.len(),
            Values::Wide(values) => values.len(),
        }
    }

    /// Whether there is no term.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of heap `n`, if computed.
    pub fn get(&self, n: usize) -> Option<u32> {
        match self {
            Values::Narrow(values) => values.get(n).map(|&value| u32::from(value)),
            Values::Wide(values) => values.get(n).copied(),
        }
    }

    /// The values in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.len()).map(|n| self.at(n))
    }

    /// The value of a heap that was computed.
    pub(super) fn at(&self, n: usize) -> u32 {
        match self {
            Values::Narrow(values) => u32::from(values[n]),
            Values::Wide(values) => values[n],
        }
    }

    /// Adds a term.
    pub fn push(&mut self, value: u32) {
        match self {
            Values::Wide(values) => values.push(value),
            Values::Narrow(values) => match u16::try_from(value) {
                Ok(value) => values.push(value),
                Err(_) => {
                    let mut wide: Vec<u32> = values.iter().map(|&value| u32::from(value)).collect();
                    wide.push(value);
                    *self = Values::Wide(wide);
                }
            },
        }
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        match self {
            Values::Narrow(values) => values.capacity() * 2,
            Values::Wide(values) => values.capacity() * 4,
        }
    }
}

impl FromIterator<u32> for Values {
    fn from_iter<I: IntoIterator<Item = u32>>(values: I) -> Self {
        let mut all = Values::default();
        values.into_iter().for_each(|value| all.push(value));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_value_widens() {
        let values: Values = [1, 65535, 65536, 2].into_iter().collect();
        assert!(matches!(values, Values::Wide(_)));
        assert_eq!(values.iter().collect::<Vec<_>>(), [1, 65535, 65536, 2]);
        assert_eq!((values.get(2), values.get(4)), (Some(65536), None));
    }
}
