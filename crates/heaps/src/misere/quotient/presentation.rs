//! A quotient in the form in which papers print it.

use std::fmt;

use super::monoid::Monoid;

/// Generators and relations of a misère quotient, and its lost elements, all as sums of generating heaps.
///
/// Relations replace a sum by a smaller one, in the order that compares how often the largest heap occurs, then the
/// next. Applied as long as possible, in any order, they lead to the normal form. None of them can be dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Presentation {
    /// The generating heaps, in ascending order; printed as `a`, `b`, ….
    pub generators: Vec<u32>,
    /// Pairs of sums that are alike, each in ascending order.
    pub relations: Vec<(Vec<u32>, Vec<u32>)>,
    /// The normal forms of the lost elements, each in ascending order.
    pub lost: Vec<Vec<u32>>,
}

impl Presentation {
    pub(super) fn new(monoid: &Monoid) -> Presentation {
        let element = |heaps: &[u32]| {
            heaps.iter().fold(0u32, |element, heap| match monoid.letters.binary_search(heap) {
                Ok(letter) => monoid.next[letter][element as usize],
                Err(_) => element,
            })
        };
        let is_normal = |heaps: &[u32]| monoid.normal[element(heaps) as usize] == heaps;
        let mut relations = Vec::new();
        for normal in &monoid.normal {
            for &letter in &monoid.letters {
                // Only letters not below those of the normal form, so that every sum occurs once.
                if normal.first().is_some_and(|&first| letter < first) {
                    continue;
                }
                let sum = [&[letter], normal.as_slice()].concat();
                let parts_normal = (0..sum.len()).all(|place| is_normal(&[&sum[..place], &sum[place + 1..]].concat()));
                if !is_normal(&sum) && parts_normal {
                    let reduced = &monoid.normal[element(&sum) as usize];
                    relations.push((ascending(&sum), ascending(reduced)));
                }
            }
        }
        let lost = monoid.normal.iter().zip(&monoid.loss).filter(|&(_, &loss)| loss).map(|(heaps, _)| ascending(heaps));
        Presentation { generators: monoid.letters.clone(), lost: lost.collect(), relations }
    }

    /// A sum of generating heaps as a product of letters.
    pub fn word(&self, heaps: &[u32]) -> String {
        if heaps.is_empty() {
            return "1".to_string();
        }
        let mut text = String::new();
        for (index, generator) in self.generators.iter().enumerate() {
            let exponent = heaps.iter().filter(|&heap| heap == generator).count();
            if exponent > 0 {
                text.push_str(&letter(index));
            }
            if exponent > 1 {
                text.extend(exponent.to_string().bytes().map(|digit| SUPERSCRIPTS[usize::from(digit - b'0')]));
            }
        }
        text
    }
}

const SUPERSCRIPTS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/// The name of a generator: `a` to `z`, then `a'` and so on.
fn letter(index: usize) -> String {
    let base = char::from(b'a' + (index % 26) as u8);
    format!("{base}{}", "'".repeat(index / 26))
}

fn ascending(heaps: &[u32]) -> Vec<u32> {
    heaps.iter().rev().copied().collect()
}

impl fmt::Display for Presentation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = (0..self.generators.len()).map(letter).collect();
        let relation = |(left, right): &(Vec<u32>, Vec<u32>)| format!("{} = {}", self.word(left), self.word(right));
        let relations: Vec<String> = self.relations.iter().map(relation).collect();
        let lost: Vec<String> = self.lost.iter().map(|heaps| self.word(heaps)).collect();
        write!(f, "⟨{} | {}⟩, P = {{{}}}", names.join(", "), relations.join(", "), lost.join(", "))
    }
}
