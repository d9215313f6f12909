//! The order of games: `a ≤ b` unless a Left option of `a` is at least `b`, or a Right option of `b` is at most `a`.
//!
//! Most pairs are decided by their stops. What is left recurses over pairs of followers, with every answer kept. The
//! recursion is as deep as `DEEPEST`; at that depth it gives up with the pair that it came to, which is answered
//! first, from a stack on the heap, and the question is asked anew. Since answers are kept, nothing is worked out
//! twice.

use std::cmp::Ordering;

use game::OutcomeClass;

use crate::arena::{Arena, Compact, Value};
use crate::error::{Halt, Result};
use crate::stops::COMPACT;

/// How deep a recursion may go before it is continued on the heap.
pub(crate) const DEEPEST: u32 = 200;

type Inner<T> = std::result::Result<T, Halt>;

impl Arena {
    /// Whether `a ≤ b`: Left, moving second, wins `b − a`.
    pub fn at_most(&mut self, a: Value, b: Value) -> Result<bool> {
        let found = self.le(a.0, b.0);
        self.surface(found)
    }

    /// How two values compare; None if they are confused.
    pub fn compare(&mut self, a: Value, b: Value) -> Result<Option<Ordering>> {
        if a == b {
            return Ok(Some(Ordering::Equal));
        }
        if self.at_most(a, b)? {
            return Ok(Some(Ordering::Less));
        }
        Ok(self.at_most(b, a)?.then_some(Ordering::Greater))
    }

    /// Who wins: above zero Left, below zero Right, at zero who moves second, else who moves first.
    pub fn outcome(&mut self, value: Value) -> Result<OutcomeClass> {
        Ok(match self.compare(value, Value::ZERO)? {
            Some(Ordering::Equal) => OutcomeClass::P,
            Some(Ordering::Greater) => OutcomeClass::L,
            Some(Ordering::Less) => OutcomeClass::R,
            None => OutcomeClass::N,
        })
    }

    /// Whether `a ≤ b`.
    #[inline]
    pub(crate) fn le(&mut self, a: u32, b: u32) -> Inner<bool> {
        match self.le_within(a, b, 0) {
            Err(Halt::Deep) => self.le_deep(a, b),
            found => found,
        }
    }

    #[cold]
    fn le_deep(&mut self, a: u32, b: u32) -> Inner<bool> {
        let mut stack = vec![(a, b)];
        loop {
            let &(a, b) = stack.last().expect("the first question stays until it is answered");
            match self.le_within(a, b, 0) {
                Err(Halt::Deep) => stack.push(self.pending),
                Err(halt) => return Err(halt),
                Ok(answer) if stack.len() == 1 => return Ok(answer),
                Ok(_) => {
                    stack.pop();
                }
            }
        }
    }

    /// Whether `a ≤ b`, if that is known without a look at options.
    #[inline]
    fn known(&self, a: u32, b: u32) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        let (above, below) = (&self.stops[a as usize], &self.stops[b as usize]);
        if let Some(answer) = above.at_most(below) {
            return Some(answer);
        }
        if above.flags & below.flags & COMPACT != 0 {
            let (a, b) = (&self.nodes[a as usize], &self.nodes[b as usize]);
            return Some(Compact::is_at_least_zero(b.up as i64 - a.up as i64, a.star ^ b.star));
        }
        self.orders.get(a, b)
    }

    pub(crate) fn le_within(&mut self, a: u32, b: u32, depth: u32) -> Inner<bool> {
        if let Some(answer) = self.known(a, b) {
            return Ok(answer);
        }
        if depth == DEEPEST {
            self.pending = (a, b);
            return Err(Halt::Deep);
        }
        self.tick()?;
        self.expand(a)?;
        self.expand(b)?;
        let answer = self.no_refutation(a, b, depth + 1)?;
        if let Some(bytes) = self.orders.growth() {
            self.charge(bytes)?;
            let freed = self.orders.grow();
            self.exchange(bytes, freed)?;
        }
        self.orders.put(a, b, answer);
        Ok(answer)
    }

    fn no_refutation(&mut self, a: u32, b: u32, depth: u32) -> Inner<bool> {
        let (start, middle, _) = self.range(a);
        let (_, half, end) = self.range(b);
        // A refutation that is known already spares the work on the others.
        let mut open = 0u64;
        for at in start..middle {
            match self.known(b, self.pool[at]) {
                Some(true) => return Ok(false),
                Some(false) => {}
                None => open |= 1 << (at - start).min(63),
            }
        }
        let mut also = 0u64;
        for at in half..end {
            match self.known(self.pool[at], a) {
                Some(true) => return Ok(false),
                Some(false) => {}
                None => also |= 1 << (at - half).min(63),
            }
        }
        for at in (start..middle).filter(|at| open >> (at - start).min(63) & 1 != 0) {
            if self.le_within(b, self.pool[at], depth)? {
                return Ok(false);
            }
        }
        for at in (half..end).filter(|at| also >> (at - half).min(63) & 1 != 0) {
            if self.le_within(self.pool[at], a, depth)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
