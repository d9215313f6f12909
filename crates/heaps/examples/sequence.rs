//! The nim-sequence of a game: `sequence CODE TERMS`, `sequence grundy 100000`.
//!
//! Prints the period, the largest value, how many indices are rare, and the time.

use std::time::Instant;

use heaps::Proof;
use heaps::take_break::{NimSequence, TakeAndBreak};

/// Terms between two looks at the clock.
const PIECE: usize = 100_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(code), Some(terms)) = (words.next(), words.next()) else {
        return Err("usage: sequence CODE|grundy TERMS".into());
    };
    let game = if code == "grundy" { TakeAndBreak::grundy() } else { code.parse()? };
    let terms: usize = terms.parse()?;
    let mut sequence = NimSequence::new(game)?;
    let start = Instant::now();
    while sequence.len() < terms && !sequence.is_proved() {
        sequence.extend((sequence.len() + PIECE).min(terms))?;
    }
    let time = start.elapsed();
    println!("{} terms in {time:?}, {} bytes, {}", sequence.len(), sequence.bytes(), sequence.method());
    if let Some((value, heap)) = sequence.largest() {
        println!("largest value {value}, first at {heap}");
    }
    let rare = sequence.rare();
    println!("{} rare indices with mask {}, the last {:?}", rare.heaps.len(), rare.mask, rare.heaps.last());
    match sequence.period() {
        Some((period, Proof::Theorem(name))) => println!("{period:?}, proved: {name}"),
        Some((period, Proof::Observed)) => println!("{period:?}, observed"),
        None => println!("no period"),
    }
    Ok(())
}
