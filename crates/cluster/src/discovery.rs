//! Finds all positions that play can reach, and turns their moves round.
//!
//! Each position is expanded once, by its owner. The owners of its options are told: they number what is new to them, and keep an
//! arrow back. A worker expands in the order in which it met positions, so that it needs no list of those that are left. All are found
//! when nobody has a position to expand and nobody was told of an option.

use engine::monitor::Monitor;
use search::game::{Expander, Options};

use crate::arrows::Arrow;
use crate::column::Column;
use crate::error::Trouble;
use crate::game::{SharedRules, Sought};
use crate::holding::{Holding, owner};
use crate::post::{Post, Read};
use crate::saved::{Saved, Stage};

/// Bits of the number of a position.
pub const NUMBER: u32 = 32;

/// Finds all positions from the start on. Returns how many there are.
pub fn discover(
    game: &SharedRules<'_>,
    holding: &mut Holding,
    expander: &mut dyn Expander,
    (post, saved): (&mut Post<'_>, &mut Saved),
    monitor: &mut Monitor,
) -> Result<u64, Trouble> {
    let start = game.start()?;
    if owner(&start, post.peers()) == post.index() {
        holding.table.intern(&start)?;
    }
    let mut found = Discovery { game, options: Options::default(), key: vec![0; game.words()], met: 0 };
    loop {
        let mut letters = post.letters();
        let mut told = 0;
        while holding.expanded() < holding.len() && !post.is_full(&letters) {
            monitor.tick(found.met.max(holding.len() as u64), holding.expanded() as u64)?;
            told += found.expand(holding, expander, &mut letters)?;
        }
        monitor.look(found.met.max(holding.len() as u64), holding.expanded() as u64)?;
        let left = (holding.len() - holding.expanded()) as u64;
        let counts = [left, told, holding.len() as u64, saved.is_due(post)];
        let [left, told, met, due] = post.turn(letters, counts, |letter| found.read(holding, letter))?;
        found.met = met;
        post.pulse().tell(met, 0);
        if left == 0 && told == 0 {
            return Ok(met);
        }
        if due > 0 {
            saved.save(holding, (Stage::Discovery, 0, &Column::new(monitor.memory())), post)?;
        }
    }
}

struct Discovery<'d, 'b> {
    game: &'d SharedRules<'b>,
    options: Options,
    key: Vec<u64>,
    /// Positions that all workers have met.
    met: u64,
}

impl Discovery<'_, '_> {
    /// Expands the next position. Returns of how many options others are told.
    fn expand(
        &mut self,
        holding: &mut Holding,
        expander: &mut dyn Expander,
        letters: &mut [crate::packing::Packer],
    ) -> Result<u64, Trouble> {
        let number = holding.expanded() as u32;
        holding.table.key(number, &mut self.key);
        let end = expander.expand(&self.key, &mut self.options)?;
        let count = if end.is_some() { 0 } else { self.options.same.len() };
        holding.keep(end, count)?;
        let (words, bits) = (self.game.words(), self.game.game.key_bits);
        let keys = self.options.codes.chunks_exact(words).take(count);
        for (place, (option, same)) in keys.zip(&self.options.same).enumerate() {
            let letter = &mut letters[owner(option, letters.len())];
            option.iter().for_each(|&word| letter.put(word, bits));
            letter.put(u64::from(number), NUMBER);
            letter.put(u64::from(*same != 0), 1);
            if self.game.game.sought == Sought::Scores {
                letter.put(self.options.gains.get(place).map_or(0, |gain| *gain as u64), 64);
            }
            letter.records += 1;
        }
        Ok(count as u64)
    }

    /// Reads of options of others.
    fn read(&mut self, holding: &mut Holding, mut letter: Read<'_>) -> Result<(), Trouble> {
        let bits = self.game.game.key_bits;
        for _ in 0..letter.records {
            self.key.iter_mut().for_each(|word| *word = letter.packed.take(bits));
            let number = letter.packed.take(NUMBER) as u32;
            let same = letter.packed.take(1) == 1;
            let gain = if self.game.game.sought == Sought::Scores { letter.packed.take(64) as i64 } else { 0 };
            let (to, _) = holding.table.intern(&self.key)?;
            holding.arrows.push(to, Arrow { worker: letter.from, number, same, gain })?;
        }
        Ok(())
    }
}
