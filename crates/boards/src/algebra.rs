//! What values must be able to do: be made from options, added, and negated.

use engine::Error;

/// Values of parts that add up to the value of the whole.
pub trait Algebra {
    /// A value.
    type Value: Copy + Eq + std::fmt::Debug;

    /// The value of a part in which nobody can move.
    fn zero(&mut self) -> Self::Value;

    /// The value of two parts side by side.
    fn add(&mut self, a: Self::Value, b: Self::Value) -> Result<Self::Value, Error>;

    /// The value of a part with the players exchanged.
    fn negate(&mut self, a: Self::Value) -> Result<Self::Value, Error>;

    /// The value of a part with these options; in an impartial game both lists are the same, and only Left's is given.
    /// The lists may be changed.
    fn game(&mut self, left: &mut Vec<Self::Value>, right: &mut Vec<Self::Value>) -> Result<Self::Value, Error>;
}

/// An algebra that is only lent.
impl<A: Algebra> Algebra for &mut A {
    type Value = A::Value;

    fn zero(&mut self) -> A::Value {
        (**self).zero()
    }

    fn add(&mut self, a: A::Value, b: A::Value) -> Result<A::Value, Error> {
        (**self).add(a, b)
    }

    fn negate(&mut self, a: A::Value) -> Result<A::Value, Error> {
        (**self).negate(a)
    }

    fn game(&mut self, left: &mut Vec<A::Value>, right: &mut Vec<A::Value>) -> Result<A::Value, Error> {
        (**self).game(left, right)
    }
}

/// Grundy numbers, for impartial games.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nimbers;

impl Algebra for Nimbers {
    type Value = u32;

    fn zero(&mut self) -> u32 {
        0
    }

    fn add(&mut self, a: u32, b: u32) -> Result<u32, Error> {
        Ok(a ^ b)
    }

    fn negate(&mut self, a: u32) -> Result<u32, Error> {
        Ok(a)
    }

    fn game(&mut self, options: &mut Vec<u32>, _: &mut Vec<u32>) -> Result<u32, Error> {
        options.sort_unstable();
        options.dedup();
        let mex = options.iter().zip(0u32..).find(|(option, place)| *option != place).map(|(_, place)| place);
        Ok(mex.unwrap_or(options.len() as u32))
    }
}
