//! What can still be gained: a bound on all gains to come.
//!
//! A box is taken once. So the boxes that nobody has yet bound what the rest of the game is about. Such *prizes* are found from
//! the moves: a prize is a set of cells with values that, once they all have them, keep them; a move wins it by making the last
//! of them true. Prizes have worths such that every move gains at most the worth of the prizes that it is sure to win. Then all
//! gains to come are at most the worth of the prizes that are left, whoever makes them.
//!
//! The worths are found from small sets to large ones: what a move gains beyond the prizes known so far is the worth of one more.

use rustc_hash::FxHashMap;

use crate::cube::{Cube, Variables};
use crate::layout::{Layout, Planes, Test};
use crate::moves::Move;

/// More prizes are not counted.
const MOST_PRIZES: usize = 256;

/// A cell and the value that it keeps.
type Part = (u32, u8);

/// Prizes that are left, and what they are worth.
#[derive(Clone, Debug)]
pub(crate) struct Potential {
    /// The tests that hold where a prize was won, and its worth.
    prizes: Vec<(Vec<Test>, i64)>,
    /// What an end is worth at the most.
    end: i64,
}

impl Potential {
    /// The prizes of a game whose ends are worth at most `end` to either player; `None` if nothing is gained, or something can be
    /// gained again and again.
    pub fn new(moves: &[Vec<Move>], end: i64, layout: &Layout, variables: &Variables) -> Option<Potential> {
        let kept = Kept::new(moves);
        let mut gaining: Vec<(Vec<Part>, Vec<Part>, i64)> = Vec::new();
        for mv in moves.iter().flatten().filter(|mv| mv.gain != 0) {
            let (all, new) = kept.after(mv);
            gaining.push((all, new, mv.gain.abs()));
        }
        gaining.sort_by_key(|(all, ..)| all.len());
        let mut prizes: FxHashMap<Vec<Part>, i64> = FxHashMap::default();
        for (all, new, gain) in gaining {
            let is_won = |prize: &[Part]| {
                prize.iter().any(|part| new.contains(part)) && prize.iter().all(|part| all.binary_search(part).is_ok())
            };
            let won = prizes.iter().filter(|(prize, _)| is_won(prize));
            let sure = won.map(|(_, worth)| worth).try_fold(0i64, |sum, worth| sum.checked_add(*worth))?;
            if gain > sure {
                if new.is_empty() || prizes.len() == MOST_PRIZES {
                    return None;
                }
                let worth = prizes.entry(all).or_default();
                *worth = worth.checked_add(gain - sure)?;
            }
        }
        let test = |(parts, worth): (Vec<Part>, i64)| {
            let cube = Cube { parts: parts.into_iter().map(|(variable, value)| (variable, 1 << value)).collect() };
            (layout.tests(variables, &cube), worth)
        };
        // All worths together fit, so that no sum of some of them can wrap around.
        let is_small = prizes.values().try_fold(end, |all, worth| all.checked_add(*worth)).is_some();
        (!prizes.is_empty() && is_small).then(|| Potential { prizes: prizes.into_iter().map(test).collect(), end })
    }

    /// No position with these planes is worth more to either player.
    pub fn most(&self, planes: &Planes) -> i64 {
        let is_left = |tests: &[Test]| !tests.iter().all(|test| test.holds(planes));
        let left = self.prizes.iter().filter(|(tests, _)| is_left(tests)).map(|(_, worth)| worth);
        self.end + left.sum::<i64>()
    }
}

/// Which cells keep which values once they have them.
struct Kept {
    lost: rustc_hash::FxHashSet<Part>,
}

impl Kept {
    fn new(moves: &[Vec<Move>]) -> Kept {
        let mut lost = rustc_hash::FxHashSet::default();
        for mv in moves.iter().flatten() {
            for &(variable, value) in &mv.writes {
                let before = mv.cube.allowed(variable).unwrap_or(u8::MAX);
                lost.extend((0..8).filter(|old| *old != value && before >> old & 1 == 1).map(|old| (variable, old)));
            }
        }
        Kept { lost }
    }

    /// The cells that keep their values after a move, as far as these are known, in order, and those of them that it is sure to
    /// have changed.
    fn after(&self, mv: &Move) -> (Vec<Part>, Vec<Part>) {
        let written = |variable: u32| mv.writes.binary_search_by_key(&variable, |write| write.0).is_ok();
        let here = mv.cube.parts.iter().filter(|part| part.1.count_ones() == 1 && !written(part.0));
        let mut all: Vec<Part> = here.map(|part| (part.0, part.1.trailing_zeros() as u8)).collect();
        all.extend(&mv.writes);
        all.retain(|part| !self.lost.contains(part));
        all.sort_unstable();
        let is_new =
            |part: &Part| written(part.0) && mv.cube.allowed(part.0).is_some_and(|before| before >> part.1 & 1 == 0);
        let new = all.iter().copied().filter(is_new).collect();
        (all, new)
    }
}
