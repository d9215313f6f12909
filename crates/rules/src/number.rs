//! Whole-number functions behind the built-ins: greatest common divisors, roots, divisors of numbers up to 2^63.
//!
//! Trial division alone would need 3·10^9 steps for a prime near 10^19. So divisors come from Miller–Rabin (with bases
//! that are proved to suffice for 64 bits) and Pollard's rho, after the small primes are divided out.

/// The greatest common divisor.
pub fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The quotient, rounded down. `None` on division by zero and on overflow.
pub fn divide(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    let inexact = quotient.wrapping_mul(b) != a;
    Some(if inexact && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

/// The remainder, with the sign of the divisor. `None` on division by zero.
pub fn remainder(a: i64, b: i64) -> Option<i64> {
    if b == 0 {
        return None;
    }
    let rest = a.wrapping_rem(b);
    Some(if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest })
}

/// `base` to the power `exponent`; `None` on overflow.
pub fn power(base: i64, exponent: u64) -> Option<i64> {
    match base {
        0 => Some(i64::from(exponent == 0)),
        1 => Some(1),
        -1 => Some(if exponent.is_multiple_of(2) { 1 } else { -1 }),
        _ => base.checked_pow(u32::try_from(exponent).ok()?),
    }
}

/// The positive divisors of a positive number, ascending.
pub fn divisors(number: u64) -> Vec<u64> {
    let mut primes = Vec::new();
    factor(number, &mut primes);
    primes.sort_unstable();
    let mut divisors = vec![1];
    let mut rest = primes.as_slice();
    while let Some(&prime) = rest.first() {
        let count = rest.iter().take_while(|p| **p == prime).count();
        rest = &rest[count..];
        let before = divisors.len();
        let mut factor = 1;
        for _ in 0..count {
            factor *= prime;
            for index in 0..before {
                divisors.push(divisors[index] * factor);
            }
        }
    }
    divisors.sort_unstable();
    divisors
}

/// Appends the prime factors of a positive number, with repeats.
fn factor(mut number: u64, primes: &mut Vec<u64>) {
    let mut small = 2;
    while small < 1000 && small * small <= number {
        while number.is_multiple_of(small) {
            primes.push(small);
            number /= small;
        }
        small += 1;
    }
    let mut open = vec![number];
    while let Some(number) = open.pop() {
        if number == 1 {
            continue;
        }
        if is_prime(number) {
            primes.push(number);
            continue;
        }
        let part = rho(number);
        open.push(part);
        open.push(number / part);
    }
}

fn multiply(a: u64, b: u64, modulus: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(modulus)) as u64
}

fn power_modulo(mut base: u64, mut exponent: u64, modulus: u64) -> u64 {
    let mut result = 1;
    base %= modulus;
    while exponent > 0 {
        if exponent % 2 == 1 {
            result = multiply(result, base, modulus);
        }
        base = multiply(base, base, modulus);
        exponent /= 2;
    }
    result
}

/// Miller–Rabin with the first twelve primes as bases, which is exact below 3·10^24.
fn is_prime(number: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if number < 2 {
        return false;
    }
    if let Some(base) = BASES.iter().find(|base| number.is_multiple_of(**base)) {
        return number == *base;
    }
    let twos = (number - 1).trailing_zeros();
    let odd = (number - 1) >> twos;
    BASES.iter().all(|&base| {
        let mut x = power_modulo(base, odd, number);
        if x == 1 || x == number - 1 {
            return true;
        }
        for _ in 1..twos {
            x = multiply(x, x, number);
            if x == number - 1 {
                return true;
            }
        }
        false
    })
}

/// A proper divisor of a composite number (Pollard's rho, with Floyd's cycle and one constant after the other).
fn rho(number: u64) -> u64 {
    if number.is_multiple_of(2) {
        return 2;
    }
    for constant in 1u64.. {
        let step = |x: u64| ((u128::from(x) * u128::from(x) + u128::from(constant)) % u128::from(number)) as u64;
        let (mut slow, mut fast, mut found) = (2, 2, 1);
        while found == 1 {
            slow = step(slow);
            fast = step(step(fast));
            found = gcd(slow.abs_diff(fast), number);
        }
        if found != number {
            return found;
        }
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_rounds_down() {
        let cases = [
            (7, 2, 3, 1),
            (-7, 2, -4, 1),
            (7, -2, -4, -1),
            (-7, -2, 3, -1),
            (6, 3, 2, 0),
            (-6, 3, -2, 0),
            (0, 5, 0, 0),
        ];
        for (a, b, quotient, rest) in cases {
            assert_eq!(divide(a, b), Some(quotient), "{a} / {b}");
            assert_eq!(remainder(a, b), Some(rest), "{a} % {b}");
        }
        assert_eq!(divide(i64::MIN, -1), None);
        assert_eq!(remainder(i64::MIN, -1), Some(0));
        assert_eq!(remainder(i64::MIN, i64::MAX), Some(i64::MAX - 1));
        assert_eq!(divide(1, 0), None);
        assert_eq!(remainder(1, 0), None);
    }

    #[test]
    fn divisors_agree_with_trial_division() {
        for number in 1..3000u64 {
            let plain: Vec<u64> = (1..=number).filter(|d| number % d == 0).collect();
            assert_eq!(divisors(number), plain);
        }
    }

    #[test]
    fn divisors_of_large_numbers_do_not_hang() {
        assert_eq!(divisors(999_999_999_999_999_989).len(), 2);
        assert_eq!(divisors(897_612_484_786_617_600).len(), 103_680);
        assert_eq!(divisors(999_999_866_000_004_473), [1, 999_999_929, 999_999_937, 999_999_866_000_004_473]);
        assert_eq!(divisors(999_999_937 * 999_999_937).len(), 3);
        assert_eq!(divisors(i64::MAX as u64).len(), 96);
    }

    #[test]
    fn powers() {
        assert_eq!(power(2, 62), Some(1 << 62));
        assert_eq!(power(2, 63), None);
        assert_eq!(power(-2, 63), Some(i64::MIN));
        assert_eq!(power(-1, u64::MAX), Some(-1));
        assert_eq!(power(0, 0), Some(1));
        assert_eq!(power(3, u64::MAX), None);
    }
}
