//! Which positions can be reached: from the highest layer down.
//!
//! A layer holds the marks of what higher layers lead to. Its positions are expanded until no option in the layer is new; on the way,
//! options in lower layers are marked there. Where not all lower layers fit in memory, the positions are expanded
//! once more for each further round of windows. Where the layer itself does not fit, it is gone through window by window until
//! nothing is new.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use game::codes::Options;

use crate::crew::share;
use crate::error::Error;
use crate::layered::ground::{CHUNK, Ground, WORDS};
use crate::layered::marks::{Marks, bits};
use crate::layered::window::{Window, rounds};
use crate::layered::{Layered, Layers};
use crate::monitor::Monitor;

/// Marks all positions that can be reached, from where an earlier run has come.
pub(crate) fn reach(game: Layered, ground: &mut Ground, monitor: &mut Monitor) -> Result<(), Error> {
    let count = game.layers.count();
    if ground.reached == 0 {
        return Ok(());
    }
    monitor.enter("finding positions");
    // Marks of roots are made again by every run: that changes nothing.
    for &root in game.codes.roots {
        let (layer, number) = game.layers.place(root).ok_or_else(|| Error::outside(root))?;
        if layer < ground.reached {
            let first = number / super::window::STEP * super::window::STEP;
            let numbers = first..game.layers.size(layer).min(first + super::window::STEP);
            let marks = ground.load_marks(layer, numbers.clone(), monitor.memory())?;
            marks.mark(number);
            ground.store_marks(layer, numbers, &marks)?;
        }
    }
    let mut met = ground.found.iter().map(|found| found.positions()).sum::<u64>();
    while ground.reached > 0 {
        let layer = ground.reached - 1;
        let expanded = AtomicU64::new(0);
        Reach { game, layer, met, expanded: &expanded }.layer(ground, monitor)?;
        ground.find(game.layers, layer, monitor)?;
        met += ground.found[layer as usize].positions();
        if layer == 0 {
            ground.place_cells(game.layers);
        }
        ground.advance(layer, 0, layer == 0, monitor).map_err(|error| error.after(met))?;
    }
    debug_assert_eq!(ground.found.len(), count as usize);
    Ok(())
}

/// The positions of one layer.
struct Reach<'r, 'l, 'g> {
    game: Layered<'l, 'g>,
    layer: u32,
    /// Positions of higher layers.
    met: u64,
    expanded: &'r AtomicU64,
}

/// Where options are marked: windows, in the order of their layers.
struct Targets {
    windows: Vec<(Window, Marks)>,
    /// For each layer up to the one at work: its windows.
    by_layer: Vec<Range<u32>>,
}

impl Targets {
    fn load(round: &[Window], layer: u32, ground: &Ground, monitor: &Monitor) -> Result<Targets, Error> {
        let mut windows = Vec::with_capacity(round.len());
        let mut by_layer = vec![0..0; layer as usize + 1];
        for window in round {
            let at = windows.len() as u32;
            let own = &mut by_layer[window.layer as usize];
            *own = if own.start == own.end { at..at + 1 } else { own.start..at + 1 };
            windows.push((window.clone(), ground.load_marks(window.layer, window.numbers.clone(), monitor.memory())?));
        }
        Ok(Targets { windows, by_layer })
    }

    #[inline(always)]
    fn mark(&self, layer: u32, number: u64) {
        let own = &self.by_layer[layer as usize];
        for (_, marks) in &self.windows[own.start as usize..own.end as usize] {
            marks.mark_within(number);
        }
    }

    fn store(&self, ground: &Ground) -> Result<(), Error> {
        self.windows
            .iter()
            .try_for_each(|(window, marks)| ground.store_marks(window.layer, window.numbers.clone(), marks))
    }
}

impl Reach<'_, '_, '_> {
    fn layers(&self) -> &dyn Layers {
        self.game.layers
    }

    fn layer(&self, ground: &mut Ground, monitor: &mut Monitor) -> Result<(), Error> {
        let (layer, size) = (self.layer, self.layers().size(self.layer));
        let marks_bytes = |_: u32, numbers: &Range<u64>| Marks::bytes(numbers.end - numbers.start);
        let below = || self.layers().below(layer).iter().map(|below| (*below, self.layers().size(*below)));
        // With its own marks twice, at least half of the memory is left for those of lower layers.
        let free = monitor.memory().free();
        if 2 * Marks::bytes(size) <= free / 2 {
            let own = ground.load_marks(layer, 0..size, monitor.memory())?;
            if own.words().iter().all(|word| word.load(Relaxed) == 0) {
                return Ok(());
            }
            let done = Marks::new(0..size, monitor.memory())?;
            let mut rounds = rounds(below(), monitor.memory().free() / 8 * 7, &marks_bytes).into_iter();
            // The first round finds the positions of the layer, too.
            let first = rounds.next().unwrap_or_default();
            let targets = Targets::load(&first, layer, ground, monitor)?;
            self.close(&own, &done, &targets, monitor)?;
            targets.store(ground)?;
            ground.store_marks(layer, 0..size, &own)?;
            drop((done, targets));
            for round in rounds {
                let targets = Targets::load(&round, layer, ground, monitor)?;
                let word = |index: u64| Ok(own.word(index as usize));
                self.spread(size, &word, &targets, monitor)?;
                targets.store(ground)?;
            }
            return Ok(());
        }
        self.external(size, ground, monitor, &marks_bytes)
    }

    /// Expands all marked positions, and those that are marked on the way.
    fn close(&self, own: &Marks, done: &Marks, targets: &Targets, monitor: &mut Monitor) -> Result<(), Error> {
        let words = own.words().len();
        let chunks = words.div_ceil(WORDS);
        let mut workers: Vec<Options> = vec![Options::default(); self.game.codes.threads.max(1)];
        loop {
            let new = AtomicU64::new(0);
            let work = |chunk: usize, options: &mut Options| {
                let mut found = 0;
                for index in chunk * WORDS..words.min((chunk + 1) * WORDS) {
                    let word = own.word(index) & !done.word(index);
                    if word == 0 {
                        continue;
                    }
                    done.words()[index].store(done.word(index) | word, Relaxed);
                    for bit in bits(word) {
                        found += 1;
                        self.expand(
                            index as u64 * 64 + bit,
                            options,
                            &mut |layer, number| match layer == self.layer {
                                true => own.mark(number),
                                false => targets.mark(layer, number),
                            },
                        )?;
                    }
                }
                new.fetch_add(found, Relaxed);
                self.expanded.fetch_add(found, Relaxed);
                Ok(())
            };
            share(&mut workers, chunks, monitor, &|| self.progress(), &work)?;
            if new.load(Relaxed) == 0 || !self.layers().is_cyclic(self.layer) {
                return Ok(());
            }
        }
    }

    /// Expands all marked positions once, and marks their options in the targets.
    fn spread(
        &self,
        size: u64,
        word: &(dyn Fn(u64) -> Result<u64, Error> + Sync),
        targets: &Targets,
        monitor: &mut Monitor,
    ) -> Result<(), Error> {
        let mut workers: Vec<Options> = vec![Options::default(); self.game.codes.threads.max(1)];
        let work = |chunk: usize, options: &mut Options| {
            let first = chunk as u64 * WORDS as u64;
            for index in first..size.div_ceil(64).min(first + WORDS as u64) {
                for bit in bits(word(index)?) {
                    self.expand(index * 64 + bit, options, &mut |layer, number| targets.mark(layer, number))?;
                }
            }
            Ok(())
        };
        share(&mut workers, size.div_ceil(CHUNK) as usize, monitor, &|| self.progress(), &work)
    }

    /// A layer whose marks do not fit: what it leads to is marked window by window, first in the layer itself until nothing is new.
    fn external(
        &self,
        size: u64,
        ground: &mut Ground,
        monitor: &mut Monitor,
        marks_bytes: &dyn Fn(u32, &Range<u64>) -> u64,
    ) -> Result<(), Error> {
        let below = self.layers().below(self.layer).iter().map(|below| (*below, self.layers().size(*below)));
        let room = monitor.memory().free() / 4 * 3;
        let own = rounds([(self.layer, size)].into_iter(), room, marks_bytes);
        let mut known = 0;
        while self.layers().is_cyclic(self.layer) {
            let mut count = 0;
            for round in &own {
                count += self.spread_stored(size, round, ground, monitor)?;
            }
            if count == known {
                break;
            }
            known = count;
        }
        for round in rounds(below, room, marks_bytes) {
            self.spread_stored(size, &round, ground, monitor)?;
        }
        Ok(())
    }

    /// Expands the positions of the layer as they are stored and marks their options in these windows; how many are marked then.
    fn spread_stored(&self, size: u64, round: &[Window], ground: &Ground, monitor: &mut Monitor) -> Result<u64, Error> {
        let targets = Targets::load(round, self.layer, ground, monitor)?;
        let mut workers: Vec<Options> = vec![Options::default(); self.game.codes.threads.max(1)];
        let work = |chunk: usize, options: &mut Options| {
            let mut words = vec![0; WORDS];
            ground.read_words(self.layers(), self.layer, (chunk * WORDS) as u64, &mut words)?;
            for (index, word) in ((chunk * WORDS) as u64..).zip(words) {
                for bit in bits(word) {
                    self.expand(index * 64 + bit, options, &mut |layer, number| targets.mark(layer, number))?;
                }
            }
            Ok(())
        };
        share(&mut workers, size.div_ceil(CHUNK) as usize, monitor, &|| self.progress(), &work)?;
        targets.store(ground)?;
        Ok(targets.windows.iter().map(|(_, marks)| marks.count()).sum())
    }

    fn progress(&self) -> (u64, u64) {
        (self.met + self.expanded.load(Relaxed), 0)
    }

    #[inline(always)]
    fn expand(&self, number: u64, options: &mut Options, visit: &mut impl FnMut(u32, u64)) -> Result<(), Error> {
        let code = self.game.layers.code(self.layer, number);
        if self.game.expand(code, options)? {
            for &option in &options.codes {
                let (layer, number) = self.game.place(self.layer, option)?;
                visit(layer, number);
            }
        }
        Ok(())
    }
}
