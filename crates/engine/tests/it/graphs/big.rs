//! Games a million moves deep, and graphs whose positions are kept in the tables.

use engine::Error;
use engine::graph::{Edge, Ending, Expansion, Graph, Id};
use engine::induction::induction;
use engine::interner::{Interner, Words};
use engine::memory::Memory;
use engine::monitor::Monitor;
use engine::retrograde::{Forever, retrograde};
use engine::valuation::{Outcomes, Scores};
use game::{Outcome, Player};

/// A heap from which 1 up to `most` are taken, the last one wins; gains are what was taken. With `loops`, one may also be
/// put back on.
pub struct Heap {
    pub table: Interner<Words>,
    pub size: u64,
    pub most: u64,
    pub loops: bool,
}

impl Heap {
    pub fn new(size: u64, most: u64, loops: bool, memory: &Memory) -> Result<Heap, Error> {
        let mut table = Interner::<Words>::new(1, memory);
        table.intern(&[size])?;
        Ok(Heap { table, size, most, loops })
    }
}

impl Graph for Heap {
    fn len(&self) -> usize {
        self.table.len()
    }

    fn expand(&mut self, position: Id, into: &mut Expansion) -> Result<(), Error> {
        let mut key = [0];
        self.table.key(position, &mut key);
        let heap = key[0];
        if heap == 0 {
            into.end = Some(Ending::Outcome(Outcome::Loss));
            return Ok(());
        }
        for taken in 1..=heap.min(self.most) {
            let (to, _) = self.table.intern(&[heap - taken])?;
            into.edges.push(Edge { gain: taken as i64, ..Edge::to(to) });
        }
        if self.loops && heap < self.size {
            let (to, _) = self.table.intern(&[heap + 1])?;
            into.edges.push(Edge::to(to));
        }
        Ok(())
    }
}

#[test]
fn a_million_moves_deep() {
    let mut monitor = Monitor::unlimited();
    let mut heap = Heap::new(1_000_000, 3, false, monitor.memory()).unwrap();
    let mut outcomes = Outcomes::with_nimbers(monitor.memory());
    induction(&mut heap, &[0], &mut outcomes, &mut monitor).unwrap();
    for size in (0..=1_000_000u64).step_by(997) {
        let id = heap.table.find(&[size]).unwrap();
        let (outcome, remoteness) = outcomes.get(id).unwrap();
        assert_eq!(outcome == Outcome::Loss, size % 4 == 0);
        assert_eq!(outcomes.nimber(id), Some(size % 4));
        // The loser takes one each time, the winner what is missing to four.
        assert_eq!(remoteness, Some((2 * size.div_ceil(4)) as u32 - u32::from(size % 4 != 0)));
    }
}

#[test]
fn a_million_moves_deep_and_back() {
    let mut monitor = Monitor::unlimited();
    let mut heap = Heap::new(1_000_000, 3, true, monitor.memory()).unwrap();
    let outcomes = retrograde(&mut heap, Forever::Draw, &mut monitor).unwrap();
    for size in 0..=12 {
        let id = heap.table.find(&[size]).unwrap();
        let expected = match size {
            0 => (Outcome::Loss, Some(0)),
            1..=3 => (Outcome::Win, Some(1)),
            // From 4 one goes to 5 and so on: nobody can make the other run out of such moves.
            _ => (Outcome::Draw, None),
        };
        assert_eq!(outcomes.get(id), Some(expected), "heap of {size}");
    }
}

/// One corridor of a million positions walked both ways by the first player, while the second only waits.
#[test]
fn a_long_chain_for_retrograde() {
    struct Corridor(u32);
    impl Graph for Corridor {
        fn len(&self) -> usize {
            2 * self.0 as usize
        }
        fn expand(&mut self, position: Id, into: &mut Expansion) -> Result<(), Error> {
            let (place, mover) = (position / 2, position % 2);
            into.mover = Player(mover as u8);
            if place == 0 {
                into.end = Some(Ending::Outcome(if mover == 0 { Outcome::Win } else { Outcome::Loss }));
            } else if mover == 1 {
                into.edges.push(Edge::to(2 * place));
            } else {
                into.edges.push(Edge::to(2 * place - 1));
                into.edges.push(Edge::to((2 * place + 3).min(2 * self.0 - 1)));
            }
            Ok(())
        }
    }
    for forever in [Forever::Draw, Forever::Win(Player::SECOND), Forever::Win(Player::FIRST)] {
        let outcomes = retrograde(&mut Corridor(500_000), forever, &mut Monitor::unlimited()).unwrap();
        for place in [1, 2, 77, 499_999] {
            assert_eq!(outcomes.get(2 * place), Some((Outcome::Win, Some(2 * place - 1))));
            assert_eq!(outcomes.get(2 * place + 1), Some((Outcome::Loss, Some(2 * place))));
        }
    }
}

#[test]
fn scores_of_a_long_row_overflow_cleanly() {
    struct Row(u32);
    impl Graph for Row {
        fn len(&self) -> usize {
            self.0 as usize + 1
        }
        fn expand(&mut self, position: Id, into: &mut Expansion) -> Result<(), Error> {
            if position == self.0 {
                into.end = Some(Ending::Score(0));
            } else {
                into.edges.push(Edge { gain: i64::MAX / 4, same: true, ..Edge::to(position + 1) });
            }
            Ok(())
        }
    }
    let run = |length| {
        let mut scores = Scores::new(&Memory::unlimited());
        induction(&mut Row(length), &[0], &mut scores, &mut Monitor::unlimited()).map(|()| scores.get(0).unwrap())
    };
    assert_eq!(run(4), Ok(i64::MAX / 4 * 4));
    assert!(matches!(run(5), Err(Error::OverflowAt(_))));
    assert!(matches!(run(1000), Err(Error::OverflowAt(_))));
}
