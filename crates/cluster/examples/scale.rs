//! A simulated cluster: how long a run takes on so many machines, epoch by epoch, and where more machines stop helping.
//!
//! ```text
//! cargo run -p perfectplay-cluster --example scale -- [positions] [options] [levels]
//! ```
//!
//! Each epoch every worker expands or hears as much as its letters hold, sends a letter to every worker, and waits for the slowest. What is
//! drawn by chance is how much work falls to each worker and how long it takes. The processor times at the top add up to what was measured
//! of whole runs (`docs/scale.md`); how they are divided, and the network, are assumed.

use game::Random;

/// What a cluster costs.
#[derive(Clone, Copy, Debug)]
struct Costs {
    /// Seconds of a core to expand a position and write of its options, for each option.
    expand: f64,
    /// Seconds of a core to take in an option, or to hear of one.
    take: f64,
    /// Bytes on the wire for an option that is found, and for one that is told of.
    found_bytes: f64,
    told_bytes: f64,
    /// Bytes a second of a machine's network, and seconds that a letter is under way at the least.
    wire: f64,
    delay: f64,
    /// Seconds of a core to send or receive one letter, whatever its length, with what timely tells of it.
    letter: f64,
    /// Bytes of all letters of a worker in an epoch.
    letters: f64,
}

const COSTS: Costs = Costs {
    expand: 120e-9,
    take: 150e-9,
    found_bytes: 9.0,
    told_bytes: 4.2,
    wire: 1.25e9,
    delay: 50e-6,
    letter: 4e-6,
    letters: 4.0 * 1024.0 * 1024.0,
};

/// A game as far as its cost goes.
#[derive(Clone, Copy, Debug)]
struct Size {
    positions: f64,
    options: f64,
    levels: usize,
}

/// Epochs that are drawn of each phase; the others take as long.
const DRAWN: usize = 200;

/// Seconds of an epoch in which each of some workers writes so many records of so many bytes.
fn epoch(random: &mut Random, costs: &Costs, workers: usize, records: f64, bytes: f64, write: f64) -> f64 {
    // How much falls to a worker differs by about the root of it, and by a tenth for caches and whatever else the machine does.
    let mut worst: f64 = 0.0;
    for _ in 0..workers {
        let share = |random: &mut Random| {
            let sum: f64 = (0..12).map(|_| random.below(1 << 20) as f64 / f64::from(1 << 20)).sum();
            sum - 6.0
        };
        let heard = (records + share(random) * records.sqrt()).max(0.0);
        let busy = (records * write + heard * costs.take) * (1.0 + 0.03 * share(random).abs());
        let letters = 2.0 * workers as f64 * costs.letter;
        let wire = heard * bytes / costs.wire;
        worst = worst.max(busy + letters + wire);
    }
    // The last letter, then the word that all were read: twice the delay, of the slowest of many.
    worst + 2.0 * costs.delay * (1.0 + (workers as f64).ln())
}

/// Seconds of a whole run.
fn run(random: &mut Random, costs: &Costs, workers: usize, size: Size) -> f64 {
    let moves = size.positions * size.options;
    let phase = |random: &mut Random, bytes: f64, write: f64, rounds: usize| {
        let own = moves / workers as f64;
        // A round has one epoch at the least.
        let most = costs.letters / bytes;
        let epochs = (own / most).ceil().max(rounds as f64);
        let records = own / epochs;
        let drawn = DRAWN.min(epochs as usize).max(1);
        let seconds: f64 = (0..drawn).map(|_| epoch(random, costs, workers, records, bytes, write)).sum();
        seconds / drawn as f64 * epochs
    };
    let found = phase(random, costs.found_bytes, costs.expand, 1);
    let told = phase(random, costs.told_bytes, costs.take / 2.0, size.levels);
    found + told
}

fn main() {
    let words: Vec<f64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let at = |place: usize, default: f64| words.get(place).copied().unwrap_or(default);
    let sizes: Vec<Size> = match words.first() {
        Some(&positions) => vec![Size { positions, options: at(1, 8.0), levels: at(2, 200.0) as usize }],
        None => [1e9, 1e11, 1e13, 1e15].map(|positions| Size { positions, options: 8.0, levels: 200 }).to_vec(),
    };
    let mut random = Random::new(1);
    for size in sizes {
        let alone = run(&mut random, &COSTS, 1, size);
        println!(
            "{:e} positions, {} options, {} levels: {:.0} s of one core",
            size.positions, size.options, size.levels, alone
        );
        println!("{:>8} {:>12} {:>8} {:>11}", "workers", "seconds", "speed", "efficiency");
        for workers in [1, 2, 4, 8, 16, 64, 256, 1024, 4096] {
            let seconds = run(&mut random, &COSTS, workers, size);
            let speed = alone / seconds;
            println!("{workers:>8} {seconds:>12.1} {speed:>8.1} {:>10.0}%", 100.0 * speed / workers as f64);
        }
        println!();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the page says: near-linear while an epoch is full of work, and not where letters are short.
    #[test]
    fn large_games_scale_and_small_ones_do_not() {
        let mut random = Random::new(1);
        let mut efficiency = |positions: f64, workers: usize| {
            let size = Size { positions, options: 8.0, levels: 200 };
            run(&mut random, &COSTS, 1, size) / run(&mut random, &COSTS, workers, size) / workers as f64
        };
        assert!(efficiency(1e11, 64) > 0.6);
        assert!(efficiency(1e6, 1024) < 0.1);
    }
}
