//! What the instance fixes, lying in memory: parameters and game-level `let`s, as compiled code reads them.
//!
//! Lists of numbers stay where they are and are only kept alive. Lists of lists become rows of addresses and lengths, sets
//! become bits. Only what is read is laid out.

use rules::types::Type;
use rules::value::Value;
use rustc_hash::FxHashMap;

use super::shape::{Range, Shape};
use crate::error::JitError;

/// A set of the instance may span so many numbers; others are left to the interpreter.
const WIDEST_SET: i64 = 1 << 20;
/// So many words may be laid out.
const MOST_WORDS: usize = 1 << 24;

/// A value in memory: its words are constants of the code.
#[derive(Clone, Debug)]
pub struct Constant {
    pub shape: Shape,
    pub words: [i64; 3],
}

/// What was laid out so far.
#[derive(Debug, Default)]
pub struct Tables {
    /// Values whose numbers are read where they are.
    kept: Vec<Value>,
    laid: Vec<Box<[i64]>>,
    words: usize,
    globals: FxHashMap<usize, Constant>,
    /// Lists met before, by address and length.
    known: FxHashMap<(usize, usize), Constant>,
}

/// A word of zeros, for sets without elements and lists without items.
static NOTHING: [i64; 1] = [0];

/// The address of memory that may be read, and holds nothing.
pub fn nothing() -> i64 {
    NOTHING.as_ptr() as i64
}

impl Tables {
    /// Parameter or `let` number `slot`.
    pub fn global(&mut self, slot: usize, value: &Value, ty: &Type) -> Result<Constant, JitError> {
        if let Some(constant) = self.globals.get(&slot) {
            return Ok(constant.clone());
        }
        let constant = self.lay(value, ty)?;
        self.globals.insert(slot, constant.clone());
        Ok(constant)
    }

    /// The numbers of a text or of anything else that the code reads.
    pub fn numbers(&mut self, items: &[i64]) -> i64 {
        self.put(items.into())
    }

    fn put(&mut self, items: Box<[i64]>) -> i64 {
        if items.is_empty() {
            return nothing();
        }
        self.words += items.len();
        let address = items.as_ptr() as i64;
        self.laid.push(items);
        address
    }

    /// Lays out a value of this type.
    pub fn lay(&mut self, value: &Value, ty: &Type) -> Result<Constant, JitError> {
        if self.words > MOST_WORDS {
            return Err(JitError::Unsupported("the lists of the instance are too large"));
        }
        match value {
            Value::Int(number) => Ok(Constant { shape: Shape::Number(Range::one(*number)), words: [*number; 3] }),
            Value::Ints(list) if list.is_empty() => {
                let item = Shape::of(&ty.item().unwrap_or(Type::Int));
                Ok(Constant { shape: Shape::list(0, 0, item), words: [nothing(), 0, 0] })
            }
            Value::Ints(list) => {
                let items = list.as_slice();
                let key = (items.as_ptr() as usize, items.len());
                if let Some(constant) = self.known.get(&key) {
                    return Ok(constant.clone());
                }
                self.kept.push(value.clone());
                let constant = list_of(key, Shape::Number(range_of(items)), is_distinct(items));
                self.known.insert(key, constant.clone());
                Ok(constant)
            }
            Value::List(list) => {
                let rows = list.as_slice();
                let key = (rows.as_ptr() as usize, rows.len());
                if let Some(constant) = self.known.get(&key) {
                    return Ok(constant.clone());
                }
                let item_type = ty.item().unwrap_or(Type::Unknown);
                let mut shape: Option<Shape> = None;
                let mut words = Vec::new();
                for row in rows {
                    let constant = self.lay(row, &item_type)?;
                    words.extend_from_slice(&constant.words[..constant.shape.width()]);
                    shape = Some(shape.map_or(constant.shape.clone(), |shape| shape.join(&constant.shape)));
                }
                self.kept.push(value.clone());
                let address = self.put(words.into());
                let item = shape.unwrap_or_else(|| Shape::of(&item_type));
                let constant = list_of((address as usize, rows.len()), item, rows.len() <= 1);
                self.known.insert(key, constant.clone());
                Ok(constant)
            }
            Value::Set(elements) => self.set(elements),
        }
    }

    fn set(&mut self, elements: &[i64]) -> Result<Constant, JitError> {
        let (Some(&low), Some(&high)) = (elements.first(), elements.last()) else {
            return Ok(Constant { shape: Shape::Set(Range::one(0)), words: [nothing(), 0, 0] });
        };
        let span = high.checked_sub(low).filter(|span| *span < WIDEST_SET);
        let span = span.ok_or(JitError::Unsupported("the elements of a set lie far apart"))?;
        // Sets of one table mostly share their bounds: bit 0 stands for a multiple of 64.
        let base = low & !63;
        let mut bits = vec![0i64; ((span + (low - base)) / 64 + 1) as usize];
        for element in elements {
            let bit = element - base;
            bits[(bit / 64) as usize] |= 1 << (bit % 64);
        }
        let words = bits.len() as i64;
        let address = self.put(bits.into());
        Ok(Constant { shape: Shape::Set(Range::new(low, high)), words: [address, base, words] })
    }
}

fn list_of((address, length): (usize, usize), item: Shape, distinct: bool) -> Constant {
    let length = length as i64;
    let shape = Shape::List { least: length, most: length, distinct, item: Box::new(item) };
    Constant { shape, words: [address as i64, length, 0] }
}

fn range_of(items: &[i64]) -> Range {
    let start = Range::one(items.first().copied().unwrap_or(0));
    items.iter().fold(start, |range, item| range.join(Range::one(*item)))
}

fn is_distinct(items: &[i64]) -> bool {
    let mut sorted = items.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).all(|pair| pair[0] != pair[1])
}
