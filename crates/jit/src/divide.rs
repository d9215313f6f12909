//! Division, rounded down, without traps.
//!
//! A known divisor becomes a multiplication and a shift. Cranelift can do that too, but only when optimising, and only
//! for all 64-bit numbers, which takes the high half of a product. The ranges of formulas mostly fit in 32 bits, where
//! an ordinary product is enough.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};
use formula::Node;

use crate::emit::Emitter;

impl Emitter<'_> {
    /// `Op::Div`, its operands emitted.
    pub(crate) fn quotient(&mut self, a: Node, b: Node) -> Value {
        let arena = &self.formulas().arena;
        let (of, by) = (arena.range(a), arena.range(b));
        let (value, divisor) = (self.operand(a), self.operand(b));
        match by.single() {
            Some(0) => return self.number(0),
            Some(-1) => return self.builder.ins().ineg(value),
            Some(number) if number > 0 && of.low >= 0 => {
                return self.divide_unsigned(value, of.high as u64, number as u64);
            }
            Some(number) if number > 0 && number.count_ones() == 1 => {
                return self.builder.ins().sshr_imm_s(value, i64::from(number.trailing_zeros()));
            }
            _ => {}
        }
        if of.low >= 0 && by.low > 0 {
            return self.builder.ins().udiv(value, divisor);
        }
        let safe = self.safe_divisor(divisor, by.low);
        let quotient = self.builder.ins().sdiv(value, safe);
        let product = self.builder.ins().imul(quotient, safe);
        let rest = self.builder.ins().isub(value, product);
        let down = self.wrong_sign(rest, safe);
        let lower = self.builder.ins().iadd_imm_s(quotient, -1);
        let floor = self.builder.ins().select(down, lower, quotient);
        if by.low > 0 || by.single().is_some() {
            return floor;
        }
        let negated = self.builder.ins().ineg(value);
        let minus_one = self.builder.ins().icmp_imm_s(IntCC::Equal, divisor, -1);
        let floor = self.builder.ins().select(minus_one, negated, floor);
        let by_zero = self.builder.ins().icmp_imm_s(IntCC::Equal, divisor, 0);
        let zero = self.number(0);
        self.builder.ins().select(by_zero, zero, floor)
    }

    /// `Op::Rem`, its operands emitted.
    pub(crate) fn remainder(&mut self, a: Node, b: Node) -> Value {
        let arena = &self.formulas().arena;
        let (of, by) = (arena.range(a), arena.range(b));
        let (value, divisor) = (self.operand(a), self.operand(b));
        match by.single() {
            Some(-1..=1) => return self.number(0),
            Some(number) if number > 0 && number.count_ones() == 1 => {
                return self.builder.ins().band_imm_s(value, number - 1);
            }
            Some(number) if number > 0 && of.low >= 0 => {
                return self.remainder_unsigned(value, of.high as u64, number as u64);
            }
            _ => {}
        }
        if of.low >= 0 && by.low > 0 {
            return self.builder.ins().urem(value, divisor);
        }
        // By 1 instead of 0 or −1 the remainder is 0, as defined.
        let safe = self.safe_divisor(divisor, by.low);
        let rest = self.builder.ins().srem(value, safe);
        let wrong = self.wrong_sign(rest, safe);
        let other = self.builder.ins().iadd(rest, safe);
        self.builder.ins().select(wrong, other, rest)
    }

    /// The divisor, or 1 if it is 0 or −1 (the least number by −1 would trap).
    fn safe_divisor(&mut self, divisor: Value, low: i64) -> Value {
        if low > 0 {
            return divisor;
        }
        let next = self.builder.ins().iadd_imm_s(divisor, 1);
        let unsafe_one = self.builder.ins().icmp_imm_s(IntCC::UnsignedLessThanOrEqual, next, 1);
        let one = self.number(1);
        self.builder.ins().select(unsafe_one, one, divisor)
    }

    /// Whether a remainder is not 0 and its sign differs from the divisor's.
    fn wrong_sign(&mut self, rest: Value, divisor: Value) -> Value {
        let signs = self.builder.ins().bxor(rest, divisor);
        let differ = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, signs, 0);
        let some = self.builder.ins().icmp_imm_s(IntCC::NotEqual, rest, 0);
        self.builder.ins().band(differ, some)
    }

    /// `value / divisor` for a value from 0 to `most`, which is below 2^63, and a divisor from 1 on.
    pub fn divide_unsigned(&mut self, value: Value, most: u64, divisor: u64) -> Value {
        if divisor > most {
            return self.number(0);
        }
        if divisor.is_power_of_two() {
            return match divisor.trailing_zeros() {
                0 => value,
                shift => self.builder.ins().ushr_imm_s(value, i64::from(shift)),
            };
        }
        let Reciprocal { factor, shift } = reciprocal(most, divisor);
        let factor = self.number(factor as i64);
        if shift < 64 {
            let product = self.builder.ins().imul(value, factor);
            return self.builder.ins().ushr_imm_s(product, i64::from(shift));
        }
        let high = self.builder.ins().umulhi(value, factor);
        match shift - 64 {
            0 => high,
            shift => self.builder.ins().ushr_imm_s(high, i64::from(shift)),
        }
    }

    /// `value % divisor` for a value from 0 to `most`, which is below 2^63, and a divisor from 1 on.
    pub fn remainder_unsigned(&mut self, value: Value, most: u64, divisor: u64) -> Value {
        if divisor > most {
            return value;
        }
        if divisor.is_power_of_two() {
            return self.builder.ins().band_imm_s(value, (divisor - 1) as i64);
        }
        let quotient = self.divide_unsigned(value, most, divisor);
        let product = self.times(quotient, divisor as i64);
        self.builder.ins().isub(value, product)
    }
}

/// `value / divisor = value · factor / 2^shift`
struct Reciprocal {
    factor: u64,
    shift: u32,
}

/// The reciprocal for values up to `most` < 2^63 and a divisor that is no power of two. The shift is below 64 only if
/// the product fits in 64 bits.
fn reciprocal(most: u64, divisor: u64) -> Reciprocal {
    debug_assert!(most < 1 << 63 && !divisor.is_power_of_two());
    let (wide_most, wide) = (u128::from(most), u128::from(divisor));
    // With factor = (2^shift + excess) / divisor, excess <= divisor, a value n gives n/divisor +
    // n·excess/(divisor·2^shift), which rounds down correctly as long as n·excess < 2^shift.
    for shift in 0..64u32 {
        let factor = (1u128 << shift) / wide + 1;
        let excess = factor * wide - (1u128 << shift);
        if factor * wide_most >= 1 << 64 {
            break;
        }
        if wide_most * excess < 1 << shift {
            return Reciprocal { factor: factor as u64, shift };
        }
    }
    // excess · most < 2^(bits of divisor) · 2^63, and factor <= 2^63 / (divisor / 2^bits) + 1 < 2^64.
    let shift = 63 + (64 - (divisor - 1).leading_zeros());
    Reciprocal { factor: ((1u128 << shift) / wide + 1) as u64, shift }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reciprocals_divide() {
        let mosts = [5, 99, 1000, 65_535, 1 << 31, (1 << 32) + 7, 1 << 40, (1 << 62) + 12_345, (1 << 63) - 1];
        let divisors = [3, 5, 6, 7, 9, 10, 11, 100, 101, 999, 65_537, 1_000_003, (1 << 40) + 1, (1 << 62) + 1];
        for most in mosts {
            for divisor in divisors {
                let Reciprocal { factor, shift } = reciprocal(most, divisor);
                let check = |value: u64| {
                    if value <= most {
                        let product = u128::from(value) * u128::from(factor);
                        assert!(shift >= 64 || product < 1 << 64);
                        assert_eq!((product >> shift) as u64, value / divisor, "{value} / {divisor}, up to {most}");
                    }
                };
                for step in 0..200 {
                    check(step);
                    check(most.saturating_sub(step));
                    check(divisor.saturating_mul(step));
                    check(divisor.saturating_mul(step + 1) - 1);
                    check((most / divisor - step.min(most / divisor)) * divisor);
                    check(((most / divisor - step.min(most / divisor)) * divisor).saturating_sub(1));
                }
            }
        }
    }
}
