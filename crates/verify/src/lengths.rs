//! Lengths of play with one heap: who wins, and in how many moves, repeats with a fixed number of moves more each time.
//!
//! # Why that proves something
//!
//! [`heap_rules`] reads from the rules that every heap h from a size on becomes h − s, for some fixed s, of which K is
//! the largest. Let heap n + p be won or lost as n is, and in d moves more, for K heaps n in a row, from f on. Then so it is for
//! all n ≥ f, by induction: the options of n + p are those of n, each p larger; they are won or lost alike and last d moves longer; so
//! the best of them does, whether that is the shortest way to win or the longest way to lose.
//!
//! The first heaps are worked out from the moves that the interpreter lists, and are the same for both players.

use game::{Outcome, Player, Remoteness};
use rules::bind::{Bound, Position};

use crate::entries::{Entries, Label};
use crate::heap_rules;
use crate::heaps::{self, HeapTheory};
use crate::outcomes::by_options;
use crate::periods::LARGEST;
use crate::proved::Proved;
use crate::refusal::Refusal;

/// How lengths repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths {
    /// From which heap on the rules are the same for all.
    pub alike: u64,
    /// The first heap from which on they repeat.
    pub first: u64,
    /// After how many heaps.
    pub length: u64,
    /// With how many moves more.
    pub more: u64,
}

impl Lengths {
    /// How many heaps must be known to prove it, where a move takes at most so much.
    pub fn needed(&self, most_taken: i64) -> u64 {
        self.first + self.length + most_taken.unsigned_abs()
    }
}

/// Checks the lengths of the first heaps, and that they repeat. Gives what that proves, and how many heaps there were.
pub fn check(
    bound: &Bound,
    start: &Position,
    lengths: Lengths,
    entries: &mut dyn Entries,
) -> Result<(Proved, u64), Refusal> {
    let Lengths { alike, first, length, more } = lengths;
    if length == 0 || [alike, first, length, more].iter().any(|number| *number > LARGEST) {
        return Err(Refusal::wrong("these are no lengths that repeat"));
    }
    let rules = heap_rules::read(bound, alike as i64)?;
    let [part] = &start.parts[..] else { return Err(Refusal::wrong("lengths are known of one heap alone")) };
    if !rules.split.is_empty() || !rules.ranged.is_empty() {
        return Err(Refusal::wrong("heaps fall into several, or become any of a range"));
    }
    let (least, most) = (rules.least.unsigned_abs(), rules.most_taken().unsigned_abs());
    if first < least || first + most < alike {
        return Err(Refusal::wrong("the lengths repeat too soon"));
    }
    let count = lengths.needed(rules.most_taken());
    let labels = heaps::check(bound, least..count, &Lasting { turn: start.turn }, entries)?;
    let label = |heap: u64| labels[(heap - least) as usize];
    for heap in first..first + most {
        let (low, high) = (label(heap), label(heap + length));
        let moves = |label: Label| label.remoteness.map_or(0, u64::from);
        if low.outcome != high.outcome || moves(low) + more != moves(high) {
            return Err(Refusal::wrong(format!("heaps {heap} and {} do not repeat", heap + length)));
        }
    }
    let heap = heaps::size(part);
    let rounds = if heap < count { 0 } else { (heap - first) / length };
    let Label { outcome, remoteness } = label(heap - rounds * length);
    let moves = rounds.checked_mul(more).and_then(|moves| moves.checked_add(remoteness?.into()));
    let moves = moves.ok_or_else(|| Refusal::wrong("overflow: play is too long"))?;
    Ok((Proved::Length { turn: start.turn, outcome, moves }, count - least))
}

/// Who wins with a heap, and in how many moves.
struct Lasting {
    turn: Player,
}

impl HeapTheory for Lasting {
    type Heap = Label;
    type Move = (Outcome, Remoteness);

    fn of_move(&self, heaps: &[Label]) -> Result<(Outcome, Remoteness), Refusal> {
        match heaps {
            [label] => Ok((-label.outcome, label.remoteness)),
            _ => Err(Refusal::wrong("a heap falls into several")),
        }
    }

    fn of_heap(&self, moves: &mut [(Outcome, Remoteness)]) -> Label {
        match moves.is_empty() {
            true => Label { outcome: Outcome::Loss, remoteness: Some(0) },
            false => by_options(moves),
        }
    }

    fn said(&self, cells: &[i64], entries: &mut dyn Entries) -> Result<Label, Refusal> {
        entries.label(&Position { parts: vec![cells.into()], turn: self.turn })
    }
}
