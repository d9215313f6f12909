//! Goes back over moves, level by level, in all workers at once.
//!
//! A level is a list of positions of each worker. Those that lead to them are told, which may settle them: these are the next level.
//! A level ends when timely's frontier says that nothing of it is under way, so that a level is as exact as on one machine.

use engine::memory::Memory;
use engine::monitor::Monitor;

use crate::arrows::Arrow;
use crate::column::Column;
use crate::discovery::NUMBER;
use crate::error::Trouble;
use crate::holding::Holding;
use crate::post::Post;
use crate::saved::{Saved, Stage};

/// What is told along arrows, and what that does.
pub trait Step {
    /// Bits of what is told.
    const BITS: u32;

    /// What a position of the level tells over an arrow.
    fn tell(&self, holding: &Holding, position: u32, arrow: Arrow) -> Result<u64, Trouble>;

    /// Takes in what a position was told by one of the level; whether it is settled by that. `level` counts from 0.
    fn hear(&mut self, holding: &mut Holding, position: u32, told: u64, level: u32) -> Result<bool, Trouble>;
}

/// The place in a level from which on nothing was told yet.
#[derive(Clone, Copy, Default)]
struct Cursor {
    place: usize,
    arrow: usize,
}

/// Levels that are gone back over.
pub struct Levels<'l, 'w> {
    /// The post.
    pub post: &'l mut Post<'w>,
    /// Limits and progress.
    pub monitor: &'l mut Monitor,
    /// How many positions all workers have.
    pub met: u64,
    /// How many are settled.
    pub settled: u64,
    /// Snapshots.
    pub saved: &'l mut Saved,
}

/// Where levels begin.
pub struct First {
    /// What a snapshot calls them; nothing where none is made.
    pub stage: Option<Stage>,
    /// The number of the first one.
    pub level: u32,
    /// Its positions.
    pub positions: Column<u32>,
}

impl Levels<'_, '_> {
    /// Goes back from a first level, until one is empty. Returns how many positions were in all levels of all workers.
    pub fn run<S: Step>(&mut self, holding: &mut Holding, first: First, step: &mut S) -> Result<u64, Trouble> {
        let memory: Memory = self.monitor.memory().clone();
        let (mut level, mut next) = (first.positions, Column::new(&memory));
        let mut all = 0;
        for number in first.level.. {
            let mut is_due = false;
            let (mut cursor, mut size) = (Cursor::default(), level.len() as u64);
            let mut is_empty = true;
            loop {
                let mut letters = self.post.letters();
                self.fill(holding, &level, &mut cursor, &mut letters, step)?;
                let left = (level.len() - cursor.place) as u64;
                let counts = [left, std::mem::take(&mut size), self.saved.is_due(self.post), 0];
                let [left, sizes, due, _] = self.post.turn(letters, counts, |mut letter| {
                    for _ in 0..letter.records {
                        let position = letter.packed.take(NUMBER) as u32;
                        let told = letter.packed.take(S::BITS);
                        if step.hear(holding, position, told, number)? {
                            next.push(position)?;
                        }
                    }
                    Ok(())
                })?;
                is_empty &= sizes == 0;
                is_due |= due > 0;
                all += sizes;
                self.settled += sizes;
                self.post.pulse().tell(self.met, self.settled.min(self.met));
                self.monitor.look(self.met, self.settled.min(self.met))?;
                if left == 0 {
                    break;
                }
            }
            if is_empty {
                break;
            }
            level.clear();
            std::mem::swap(&mut level, &mut next);
            if let Some(stage) = first.stage.filter(|_| is_due) {
                self.saved.save(holding, (stage, number + 1, &level), self.post)?;
            }
        }
        Ok(all)
    }

    /// Writes letters until one of them is full.
    fn fill<S: Step>(
        &mut self,
        holding: &Holding,
        level: &Column<u32>,
        cursor: &mut Cursor,
        letters: &mut [crate::packing::Packer],
        step: &S,
    ) -> Result<(), Trouble> {
        let room = self.post.room();
        while cursor.place < level.len() {
            self.monitor.tick(self.met, self.settled.min(self.met))?;
            let position = level.get(cursor.place);
            let leading = holding.arrows.to(position);
            while cursor.arrow < leading.len() {
                let arrow = leading.get(cursor.arrow);
                let letter = &mut letters[arrow.worker];
                if letter.len() >= room {
                    return Ok(());
                }
                let told = step.tell(holding, position, arrow)?;
                letter.put(u64::from(arrow.number), NUMBER);
                letter.put(told, S::BITS);
                letter.records += 1;
                cursor.arrow += 1;
            }
            *cursor = Cursor { place: cursor.place + 1, arrow: 0 };
        }
        Ok(())
    }
}
