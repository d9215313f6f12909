//! Numbers plus multiples of up plus nimbers: their options, their recognition, their sum and order.
//!
//! The canonical forms, for a number `x`, `n ≥ 1` ups and the nimber `*k` (Siegel, Combinatorial Game Theory, II.4 to
//! II.5):
//!
//! ```text
//! x + *k            = { x, x*, …, x*(k-1) | the same }
//! x + ^*            = { x, x* | x }
//! x + n·^ + *k      = { x | x + (n-1)·^ + *(k xor 1) }      in all other cases
//! ```
//!
//! and the negatives of these.

use crate::arena::{Arena, Compact};
use crate::error::{Error, Halt};
use crate::number::Dyadic;
use crate::stops::COMPACT;

type Inner<T> = Result<T, Halt>;

impl Arena {
    /// Writes out the options of a compact game.
    #[cold]
    pub(crate) fn write_out(&mut self, id: u32) -> Inner<()> {
        let compact = self.figures(id).expect("a compact game");
        let base = self.scratch.len();
        let written = self.write_sides(id, compact, base);
        self.scratch.truncate(base);
        written
    }

    fn write_sides(&mut self, id: u32, compact: Compact, base: usize) -> Inner<()> {
        let Compact { number, up, star } = compact;
        let plain = |up: i32, star: u32| Compact { number, up, star };
        if up == 0 && star == 0 {
            let left = self.push_number(number, true).map(|()| self.scratch.len())?;
            self.push_number(number, false)?;
            return self.set_options(id, base, left);
        }
        if up == 0 {
            for _ in 0..2 {
                for smaller in 0..star {
                    let option = self.intern_compact(plain(0, smaller))?;
                    self.scratch.push(option);
                    self.charge_scratch()?;
                }
                let from = self.scratch.len() - star as usize;
                self.scratch[from..].sort_unstable();
            }
            return self.set_options(id, base, base + star as usize);
        }
        // For ups, Left can move to the number; downs are the negative.
        let number_alone = self.intern_compact(plain(0, 0))?;
        let step = up.signum();
        let mut near = vec![number_alone];
        let far = if up == step && star == 1 {
            near.push(self.intern_compact(plain(0, 1))?);
            number_alone
        } else {
            self.intern_compact(plain(up - step, star ^ 1))?
        };
        near.sort_unstable();
        let (left, right) = if step > 0 { (near, vec![far]) } else { (vec![far], near) };
        self.scratch.extend(&left);
        self.scratch.extend(&right);
        self.set_options(id, base, base + left.len())
    }

    fn push_number(&mut self, number: Dyadic, left: bool) -> Inner<()> {
        let option = number.option(left);
        if let Some(option) = self.sink(option)? {
            let option = self.intern_compact(Compact { number: option, up: 0, star: 0 })?;
            self.scratch.push(option);
        }
        Ok(())
    }

    /// A nimber of a billion has as many options. The scratch is charged when it is large, and given back with the
    /// arena.
    fn charge_scratch(&mut self) -> Inner<()> {
        const LARGE: usize = 1 << 20;
        let length = self.scratch.len();
        if length.is_multiple_of(LARGE) { self.charge((LARGE * size_of::<u32>()) as u64) } else { Ok(()) }
    }

    /// The compact game with the sorted canonical options `scratch[base..middle]` and `scratch[middle..]`, if they make
    /// one that is not a number.
    pub(crate) fn recognise(&self, base: usize, middle: usize) -> Option<Compact> {
        let (left, right) = (&self.scratch[base..middle], &self.scratch[middle..]);
        if left.is_empty() || right.is_empty() {
            return None;
        }
        let figures = |id: u32| if self.stops[id as usize].is(COMPACT) { self.figures(id) } else { None };
        let first = figures(left[0])?;
        let number = first.number;
        if left == right {
            // A nimber: every smaller one is an option, and nothing else.
            let fits = |&id: &u32| {
                figures(id).is_some_and(|c| c.number == number && c.up == 0 && (c.star as usize) < left.len())
            };
            return left.iter().all(fits).then_some(Compact { number, up: 0, star: left.len() as u32 });
        }
        let is_number = |c: Compact| c.up == 0 && c.star == 0 && c.number == number;
        let above = |near: &[u32], far: &[u32], sign: i32| -> Option<Compact> {
            let far = if far.len() == 1 { figures(far[0])? } else { return None };
            if far.number != number {
                return None;
            }
            match *near {
                [near] if is_number(figures(near)?) && far.up.signum() * sign >= 0 => {
                    // One up too many, or one down, gives the least number, which is refused.
                    let up = far.up.wrapping_add(sign);
                    Some(Compact { number, up, star: far.star ^ 1 })
                }
                [a, b] if is_number(far) => {
                    let (a, b) = (figures(a)?, figures(b)?);
                    let (a, b) = if a.star == 0 { (a, b) } else { (b, a) };
                    let star = b.number == number && b.up == 0 && b.star == 1;
                    (is_number(a) && star).then_some(Compact { number, up: sign, star: 1 })
                }
                _ => None,
            }
        };
        above(left, right, 1).or_else(|| above(right, left, -1))
    }

    /// The sum of two compact games.
    pub(crate) fn add_compact(&mut self, a: Compact, b: Compact) -> Inner<u32> {
        let number = a.number.plus(b.number);
        let number = self.sink(number)?;
        match a.up.checked_add(b.up) {
            Some(up) if up != i32::MIN => self.intern_compact(Compact { number, up, star: a.star ^ b.star }),
            _ => self.fail(Error::Overflow("a multiple of up does not fit in 32 bits")),
        }
    }
}

impl Compact {
    /// Whether `n` ups and `*k` are at least zero.
    pub(crate) fn is_at_least_zero(up: i64, star: u32) -> bool {
        match up {
            2.. => true,
            1 => star != 1,
            0 => star == 0,
            _ => false,
        }
    }
}
