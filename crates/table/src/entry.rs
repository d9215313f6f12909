//! What a table says of one position, and how that is written as numbers and a text.
//!
//! | kind | numbers | text |
//! |---|---|---|
//! | outcomes | 4 (r + 1) + o, where r + 1 is 0 for play without end, and o is 0 for a loss, 1 for a draw, 2 for a win; the nimber | the canonical form |
//! | scores, payoffs | one or one for each player: 0, −1, 1, −2, … as 0, 1, 2, 3, … | |
//! | nimbers of parts | the nimber | |
//! | loopy nimbers of parts | n + 1, or 0 for an infinite one; the rank + 1, or 0 where there is none | the set of an infinite one |

use game::{LoopyNimber, NimberSet, Outcome, Verdict};

use crate::shape::{Kind, Shape};

/// What a table says of a position, or of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What it is worth.
    pub verdict: Verdict,
    /// How soon the value of a part that may repeat was known.
    pub rank: Option<u32>,
    /// The canonical form, where it is known.
    pub value: Option<String>,
}

impl Entry {
    /// An entry that says no more than a verdict.
    pub fn new(verdict: Verdict) -> Entry {
        Entry { verdict, rank: None, value: None }
    }

    /// Writes the entry; false if it is not of this shape.
    pub fn write(&self, shape: &Shape, numbers: &mut Vec<u64>, text: &mut String) -> bool {
        numbers.clear();
        text.clear();
        if shape.values {
            text.push_str(self.value.as_deref().unwrap_or_default());
        }
        match (shape.kind, &self.verdict) {
            (Kind::Outcomes { nimbers }, Verdict::Outcome { outcome, remoteness, nimber }) => {
                let moves = remoteness.map_or(0, |moves| u64::from(moves) + 1);
                numbers.push(4 * moves + (outcome.sign() + 1).unsigned_abs());
                if let (true, Some(nimber)) = (nimbers, nimber) {
                    numbers.push(*nimber);
                }
                nimbers == nimber.is_some()
            }
            (Kind::Scores, Verdict::Score(score)) => {
                numbers.push(folded(*score));
                true
            }
            (Kind::Payoffs, Verdict::Payoffs { totals, .. }) => {
                numbers.extend(totals.iter().map(|total| folded(*total)));
                true
            }
            (Kind::Nimbers, Verdict::Nimber(nimber)) => {
                numbers.push(*nimber);
                true
            }
            (Kind::Loopy, verdict) => {
                let Some(value) = verdict.loopy() else { return false };
                numbers.push(value.nimber().map_or(0, |nimber| nimber.saturating_add(1)));
                numbers.push(self.rank.map_or(0, |rank| u64::from(rank) + 1));
                if let LoopyNimber::Infinite(set) = &value {
                    let names: Vec<String> = set.as_slice().iter().map(u64::to_string).collect();
                    text.push_str(&names.join(","));
                }
                true
            }
            _ => false,
        }
    }

    /// Reads an entry; `None` if the numbers are none of this shape.
    pub fn read(shape: &Shape, numbers: &[u64], text: &str) -> Option<Entry> {
        let value = (shape.values && !text.is_empty()).then(|| text.to_string());
        let verdict = match (shape.kind, numbers) {
            (Kind::Outcomes { nimbers }, [label, rest @ ..]) => {
                let outcome = *[Outcome::Loss, Outcome::Draw, Outcome::Win].get((label % 4) as usize)?;
                let remoteness = match label / 4 {
                    0 => None,
                    more => Some(u32::try_from(more - 1).ok()?),
                };
                let nimber = if nimbers { Some(*rest.first()?) } else { None };
                Verdict::Outcome { outcome, remoteness, nimber }
            }
            (Kind::Scores, [score]) => Verdict::Score(unfolded(*score)),
            (Kind::Payoffs, totals) => {
                Verdict::Payoffs { totals: totals.iter().map(|total| unfolded(*total)).collect(), unique: None }
            }
            (Kind::Nimbers, [nimber]) => Verdict::Nimber(*nimber),
            (Kind::Loopy, [nimber, rank]) => {
                let rank = match rank {
                    0 => None,
                    more => Some(u32::try_from(more - 1).ok()?),
                };
                let loopy = match nimber {
                    0 => {
                        let members = text.split(',').filter(|member| !member.is_empty()).map(str::parse);
                        LoopyNimber::Infinite(members.collect::<Result<NimberSet, _>>().ok()?)
                    }
                    more => LoopyNimber::Finite(more - 1),
                };
                return Some(Entry { verdict: loopy.into(), rank, value });
            }
            _ => return None,
        };
        Some(Entry { verdict, rank: None, value })
    }
}

/// Numbers near zero as small numbers without a sign.
fn folded(number: i64) -> u64 {
    (number.cast_unsigned() << 1) ^ (number >> 63).cast_unsigned()
}

fn unfolded(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let shape = |kind, values| Shape { kind, turn: true, ordered: false, values };
        let named = Entry { value: Some("^*".to_string()), ..Entry::new(Verdict::outcome_in(Outcome::Win, Some(3))) };
        let loopy = |value: LoopyNimber, rank| Entry { rank, ..Entry::new(value.into()) };
        let nimber = |nimber| Verdict::Outcome { outcome: Outcome::Loss, remoteness: Some(0), nimber: Some(nimber) };
        let payoffs = |totals: &[i64]| Verdict::Payoffs { totals: totals.into(), unique: None };
        let all = [
            (shape(Kind::Outcomes { nimbers: false }, false), Entry::new(Verdict::outcome_in(Outcome::Draw, None))),
            (shape(Kind::Outcomes { nimbers: false }, true), named),
            (shape(Kind::Outcomes { nimbers: true }, false), Entry::new(nimber(u64::MAX))),
            (shape(Kind::Scores, false), Entry::new(Verdict::Score(i64::MIN))),
            (shape(Kind::Scores, false), Entry::new(Verdict::Score(i64::MAX))),
            (shape(Kind::Payoffs, false), Entry::new(payoffs(&[-1, 0, 7]))),
            (shape(Kind::Nimbers, false), Entry::new(Verdict::Nimber(5))),
            (shape(Kind::Loopy, false), loopy(LoopyNimber::Finite(0), Some(9))),
            (shape(Kind::Loopy, false), loopy(LoopyNimber::infinite([0, 2]), None)),
            (shape(Kind::Loopy, false), loopy(LoopyNimber::infinite([]), None)),
        ];
        let (mut numbers, mut text) = (Vec::new(), String::new());
        for (shape, entry) in all {
            assert!(entry.write(&shape, &mut numbers, &mut text), "{entry:?}");
            assert_eq!(numbers.len(), shape.numbers(3), "{entry:?}");
            assert_eq!(Entry::read(&shape, &numbers, &text).as_ref(), Some(&entry));
        }
        assert!(!Entry::new(Verdict::Score(1)).write(&shape(Kind::Payoffs, false), &mut numbers, &mut text));
    }
}
