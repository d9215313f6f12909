//! The field of nimbers below 256, in tables computed at compile time.
//!
//! Every nimber from 1 to 255 is a power of one of them, so a product is a sum of logarithms. The logarithm of 0 is
//! [`ZERO`], so large that [`exp`] of any sum with it is 0: products need no branch.

/// The logarithm of 0: larger than any sum of three logarithms of other nimbers.
const ZERO: u16 = 3 * 255;

/// Room for all sums of three logarithms, of which two can be that of 0. A power of 2, so that a mask replaces a check.
const SUMS: usize = 2048;

const POWERS: ([u16; 256], [u8; SUMS]) = powers();

/// The exponent of a nimber as a power of the generator.
pub(super) static LOG: [u16; 256] = POWERS.0;

static EXP: [u8; SUMS] = POWERS.1;

/// The power of the generator with this exponent, a sum of at most three logarithms; 0 if one of them is that of 0.
#[inline]
pub(super) fn exp(logarithm: u16) -> u8 {
    EXP[logarithm as usize % SUMS]
}

/// The logarithm of 128, half of the Fermat power 256.
pub(super) const LOG_128: u16 = POWERS.0[128];

/// Each nimber times 128.
pub(super) static TIMES_128: [u8; 256] = multiples(128);

/// Each nimber times 128 times 128.
pub(super) static TIMES_128_TWICE: [u8; 256] = multiples(product(128, 128, 4));

/// The square root of each nimber.
pub(super) static ROOT: [u8; 256] = roots();

/// The even nimber x with x⊗x ⊕ x equal to this one; 0 if there is none, that is, from 128 on.
pub(super) static UNSQUARE: [u8; 256] = unsquares();

/// The product by the definition of the tower, recursively by halves: the seed of the tables.
pub(super) const fn product(a: u8, b: u8, half: u32) -> u8 {
    if half == 0 {
        return a & b;
    }
    let mask = (1u8 << half) - 1;
    let (a1, a0, b1, b0) = (a >> half, a & mask, b >> half, b & mask);
    let next = half / 2;
    let high = product(a1, b1, next);
    let low = product(a0, b0, next);
    let both = product(a1 ^ a0, b1 ^ b0, next);
    ((both ^ low) << half) ^ low ^ product(high, 1 << (half - 1), next)
}

const fn powers() -> ([u16; 256], [u8; SUMS]) {
    let mut generator = 2u8;
    loop {
        let mut log = [ZERO; 256];
        let mut exp = [0; SUMS];
        let mut power = 1;
        let mut exponent = 0;
        while exponent < ZERO {
            exp[exponent as usize] = power;
            if exponent < 255 {
                if log[power as usize] != ZERO {
                    break;
                }
                log[power as usize] = exponent;
            }
            power = product(power, generator, 4);
            exponent += 1;
        }
        if exponent == ZERO {
            return (log, exp);
        }
        generator += 1;
    }
}

const fn multiples(factor: u8) -> [u8; 256] {
    let mut multiples = [0; 256];
    let mut nimber = 0;
    while nimber < 256 {
        multiples[nimber] = product(nimber as u8, factor, 4);
        nimber += 1;
    }
    multiples
}

const fn roots() -> [u8; 256] {
    let mut roots = [0; 256];
    let mut nimber = 0;
    while nimber < 256 {
        roots[product(nimber as u8, nimber as u8, 4) as usize] = nimber as u8;
        nimber += 1;
    }
    roots
}

const fn unsquares() -> [u8; 256] {
    let mut unsquares = [0; 256];
    let mut nimber = 0;
    while nimber < 256 {
        unsquares[(product(nimber as u8, nimber as u8, 4) ^ nimber as u8) as usize] = nimber as u8;
        nimber += 2;
    }
    unsquares
}
