//! The rows, and what is asked of them.

use std::fmt;
use std::time::Instant;

use rows::taking::row_value;
use rows::triangle::{Gains, Plan, Storage};

use crate::clock;

/// What we are compared with.
#[derive(Clone, Copy)]
pub enum Yardstick {
    /// A variant of `rows.cpp`.
    Cpp(&'static str),
    /// Ourselves on one core.
    OneThread,
}

impl fmt::Display for Yardstick {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Yardstick::Cpp("rolling") => "C++ by length, one line of 64 bits",
            Yardstick::Cpp("rolling32") => "C++ by length, one line of 32 bits",
            Yardstick::Cpp("rows") => "C++ table row by row",
            Yardstick::Cpp("length") => "C++ table by length",
            Yardstick::Cpp(other) => other,
            Yardstick::OneThread => "one core",
        })
    }
}

/// One row.
#[derive(Clone, Copy)]
pub struct Case {
    /// How it is called on the command line.
    pub name: &'static str,
    /// Coins.
    pub len: usize,
    /// Coins are worth 0 up to this.
    pub most: i64,
    /// What is kept of the triangle; nothing where the value is found without one.
    pub storage: Option<Storage>,
    /// On so many cores.
    pub threads: usize,
    /// The other side.
    pub yardstick: Yardstick,
    /// The ratio that is asked for.
    pub needed: f64,
}

const fn values(name: &'static str, most: i64, yardstick: &'static str, needed: f64) -> Case {
    let yardstick = Yardstick::Cpp(yardstick);
    Case { name, len: 100_000, most, storage: Some(Storage::Value), threads: 1, yardstick, needed }
}

const fn table(name: &'static str, yardstick: &'static str, needed: f64) -> Case {
    let yardstick = Yardstick::Cpp(yardstick);
    Case { name, len: 20_000, most: 10_000, storage: Some(Storage::Table), threads: 1, yardstick, needed }
}

const fn two(name: &'static str, storage: Storage, len: usize) -> Case {
    Case { name, len, most: 10_000, storage: Some(storage), threads: 2, yardstick: Yardstick::OneThread, needed: 1.7 }
}

/// All cases: the value by its theorem; the lanes by their width, which the coins decide; tables; two cores.
pub const CASES: [Case; 10] = [
    Case { storage: None, ..values("theorem", 1 << 38, "rolling", 1000.0) },
    values("values-16", 100, "rolling", 7.0),
    values("values-32", 10_000, "rolling", 7.0),
    values("values-32-32", 10_000, "rolling32", 4.0),
    values("values-64", 1 << 38, "rolling", 2.5),
    Case { storage: Some(Storage::Moves), ..values("moves-32", 10_000, "rolling", 1.5) },
    table("table-rows", "rows", 1.5),
    table("table-length", "length", 10.0),
    two("values-two", Storage::Value, 100_000),
    two("moves-two", Storage::Moves, 50_000),
];

/// What one run found.
pub struct Found {
    /// Processor time, or time.
    pub seconds: f64,
    /// The lead of the first player.
    pub value: i128,
    /// A sum over the table.
    pub sum: Option<u64>,
    /// For people.
    pub how: String,
}

impl Case {
    /// The coins, the same every time.
    pub fn coins(&self) -> Vec<i64> {
        let mut seed = 88_172_645_463_325_252_u64;
        let mut next = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed % (self.most as u64 + 1)) as i64
        };
        (0..self.len).map(|_| next()).collect()
    }

    /// How many runs are a turn.
    pub fn repeats(&self) -> u32 {
        if self.storage > Some(Storage::Value) || matches!(self.yardstick, Yardstick::OneThread) { 3 } else { 1 }
    }

    /// Computes once; with the sum over a table only where it is checked, since that takes longer than the table.
    pub fn solve(&self, coins: &[i64], check: bool) -> Result<Found, String> {
        let Some(storage) = self.storage else {
            let start = clock::now();
            let value = row_value(coins, &mut || true).map_err(|_| "stopped")?;
            let seconds = (clock::now() - start) as f64 / 1e9;
            return Ok(Found { seconds, value, sum: None, how: "the value by its theorem".to_string() });
        };
        let (time, start) = (Instant::now(), clock::now());
        let gains = Gains::row(coins);
        let plan = Plan::new(&gains, storage, 8 << 30).map_err(|error| error.to_string())?;
        if plan.storage != storage {
            return Err(plan.why());
        }
        let triangle = plan.run(&gains, self.threads, |_| true).map_err(|error| error.to_string())?;
        let seconds = match self.yardstick {
            Yardstick::Cpp(_) => (clock::now() - start) as f64 / 1e9,
            Yardstick::OneThread => time.elapsed().as_secs_f64(),
        };
        let cell = |i: usize, j: usize| {
            let place = (i * (self.len + 1) + j) as u64;
            triangle.lead(i, j).map_or(0, |lead| (lead as u64).wrapping_mul(place))
        };
        let row = |i: usize| (i + 1..=self.len).map(move |j| (i, j));
        let sum = |_| (0..self.len).flat_map(row).fold(0, |sum: u64, (i, j)| sum.wrapping_add(cell(i, j)));
        let sum = (check && storage == Storage::Table).then_some(()).map(sum);
        Ok(Found { seconds, value: triangle.value(), sum, how: plan.to_string() })
    }

    /// The same on one core.
    pub fn solve_alone(&self, coins: &[i64]) -> Result<Found, String> {
        Case { threads: 1, ..*self }.solve(coins, false)
    }
}
