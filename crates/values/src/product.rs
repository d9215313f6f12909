//! Ordinal sums, Norton products, incentives and birthdays.

use game::OutcomeClass;

use crate::arena::{Arena, Compact, Value};
use crate::error::{Error, Result};
use crate::number::Dyadic;
use crate::side::Side;

impl Arena {
    /// The ordinal sum `base : top`: a move in the base ends the top. The base is taken in canonical form, since
    /// another form of the same value may have another ordinal sum.
    pub fn ordinal_sum(&mut self, base: Value, top: Value) -> Result<Value> {
        let lefts = self.options(base, Side::Left)?;
        let rights = self.options(base, Side::Right)?;
        self.build(
            top,
            |_, _| Ok(None),
            |arena, _, mut left, mut right| {
                left.extend(&lefts);
                right.extend(&rights);
                arena.game(&left, &right)
            },
        )
    }

    /// The Norton product of a value with a unit above zero.
    pub fn norton(&mut self, value: Value, unit: Value) -> Result<Value> {
        if self.outcome(unit)? != OutcomeClass::L {
            return Err(Error::Undefined("the unit of a Norton product must be above 0".into()));
        }
        let mut bonuses = Vec::new();
        for incentive in self.incentives(unit)? {
            bonuses.push(self.plus(unit, incentive)?);
        }
        let leaf = |arena: &mut Arena, value: Value| match arena.integer_of(value) {
            Some(n) => arena.times(n, unit).map(Some),
            None => Ok(None),
        };
        self.build(value, leaf, |arena, _, left, right| {
            let (mut lefts, mut rights) = (Vec::new(), Vec::new());
            for &bonus in &bonuses {
                lefts.extend(arena.shifted(&left, bonus)?);
                let tax = arena.negative(bonus)?;
                rights.extend(arena.shifted(&right, tax)?);
            }
            arena.game(&lefts, &rights)
        })
    }

    /// What one player gains by each move: `GL − G` for Left, `G − GR` for Right. Only the best of them: those that are
    /// not below another one.
    pub fn incentives_of(&mut self, value: Value, side: Side) -> Result<Vec<Value>> {
        let mut gains = Vec::new();
        for option in self.options(value, side)? {
            gains.push(match side {
                Side::Left => self.minus(option, value)?,
                Side::Right => self.minus(value, option)?,
            });
        }
        self.best(gains)
    }

    /// The best incentives of both players.
    pub fn incentives(&mut self, value: Value) -> Result<Vec<Value>> {
        let mut gains = self.incentives_of(value, Side::Left)?;
        gains.extend(self.incentives_of(value, Side::Right)?);
        self.best(gains)
    }

    /// The values that are not at most another one.
    fn best(&mut self, mut values: Vec<Value>) -> Result<Vec<Value>> {
        values.sort_unstable();
        values.dedup();
        let mut best = Vec::new();
        for &value in &values {
            let mut dominated = false;
            for &other in &values {
                dominated |= other != value && self.at_most(value, other)?;
            }
            if !dominated {
                best.push(value);
            }
        }
        Ok(best)
    }

    /// The birthday of a value: the depth of its canonical form.
    pub fn birthday(&mut self, value: Value) -> Result<u64> {
        let leaf = |arena: &mut Arena, value: Value| Ok(arena.compact_of(value).map(compact_birthday));
        self.build(value, leaf, |_, _, left, right| Ok(1 + left.into_iter().chain(right).max().unwrap_or(0)))
    }

    /// `{0 || 0 | −x}`, tiny-x.
    pub fn tiny(&mut self, x: Value) -> Result<Value> {
        let negative = self.negative(x)?;
        let threat = self.game(&[Value::ZERO], &[negative])?;
        self.game(&[Value::ZERO], &[threat])
    }

    /// The game in which Left can move to these and Right to their negatives.
    pub fn plus_minus(&mut self, options: &[Value]) -> Result<Value> {
        let negatives = options.iter().map(|&option| self.negative(option)).collect::<Result<Vec<_>>>()?;
        self.game(options, &negatives)
    }

    /// Up to the power `n ≥ 1`: `{0 | * − (^ + ^<2> + … + ^<n−1>)}`, which is infinitesimal beside up to any lower
    /// power.
    pub fn up_power(&mut self, n: u32) -> Result<Value> {
        let before = self.up_powers(n.saturating_sub(1))?;
        let star = self.nimber(1)?;
        let answer = self.minus(star, before)?;
        self.game(&[Value::ZERO], &[answer])
    }

    /// The sum of ups to all powers from 1 to `n`; `{the sum before | *}`.
    pub fn up_powers(&mut self, n: u32) -> Result<Value> {
        let star = self.nimber(1)?;
        let mut sum = Value::ZERO;
        for _ in 0..n {
            sum = self.game(&[sum], &[star])?;
        }
        Ok(sum)
    }
}

fn compact_birthday(compact: Compact) -> u64 {
    let Compact { number, up, star } = compact;
    let ups = up.unsigned_abs() as u64;
    let infinitesimal = match ups {
        0 => star as u64,
        _ => {
            let star = star ^ ((ups as u32 - 1) & 1);
            // One up with this star on top: {0 | *(star xor 1)}, but ^* is {0, * | 0}.
            ups - 1 + if star == 1 { 2 } else { (star ^ 1) as u64 + 1 }
        }
    };
    if number == Dyadic::ZERO { infinitesimal } else { number.birthday() + infinitesimal }
}
