//! The values of all positions: from the lowest layer up.
//!
//! A layer is valued in three steps. The best of the options in lower layers is found for each position (`outside`). Then rounds go up
//! in remoteness: in round `n` a position is won if some option is lost for the other since a round before, and lost if all
//! are won for the other; values in lower layers count from the round on that their remoteness says. What is left is drawn, and
//! further rounds find how far the nearest declared draw is. Positions of one round do not depend on each other, so threads share them.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use game::Outcome;
use game::codes::Options;

use crate::crew::share;
use crate::error::Error;
use crate::keeping::{Loader, PAGE, Unloaded, loaded};
use crate::layered::column::{BLOCKED, Column, INTERNAL, SETTLED, VALUE};
use crate::layered::ground::{CHUNK, Found, Ground, WORDS, unwritten};
use crate::layered::known::Known;
use crate::layered::marks::{Marks, bits};
use crate::layered::window::{Window, rounds};
use crate::layered::{Layered, Layers};
use crate::monitor::Monitor;
use crate::outcome_cell::Ordered;

/// Outcome and remoteness of a position.
pub(crate) type Cell = Ordered<16>;

/// The name of the snapshot of the layer at work.
const AT_WORK: &str = "layer";

/// Values all layers, from where an earlier run has come.
pub(crate) fn value(game: Layered, ground: &mut Ground, monitor: &mut Monitor) -> Result<(), Error> {
    let all = ground.found.iter().map(Found::positions).sum::<u64>();
    if let Some(keeping) = monitor.keeping()
        && let Some(free) = keeping.free()
        && ground.valued == 0
    {
        let needed = ground.expected_bytes();
        if free < needed {
            return Err(Error::Room { needed, free });
        }
    }
    monitor.enter_expecting("valuing layers", all);
    let mut settled = ground.found[..ground.valued as usize].iter().map(Found::positions).sum::<u64>();
    while ground.valued < game.layers.count() {
        let layer = ground.valued;
        let positions = ground.found[layer as usize].positions();
        if positions > 0 {
            let work = Layer { game, layer, ground, all, settled: AtomicU64::new(settled) };
            work.value(monitor).map_err(|error| error.after(all))?;
        }
        settled += positions;
        let is_end = layer + 1 == game.layers.count();
        ground.advance(0, layer + 1, is_end, monitor)?;
        if let Some(keeping) = monitor.keeping() {
            keeping.forget(AT_WORK);
        }
    }
    Ok(())
}

/// What is looked for in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Wins and losses.
    Decided,
    /// How far declared draws are.
    Drawn,
}

const PHASES: [Phase; 2] = [Phase::Decided, Phase::Drawn];

/// Marks of positions with a value of the rounds before, in a window: for draws, the first alone.
struct Status {
    numbers: Range<u64>,
    won: Marks,
    lost: Option<Marks>,
}

/// What came of a round.
#[derive(Default)]
struct Outcomes {
    /// Positions that were settled.
    settled: AtomicU64,
    /// The next round in which a value of a lower layer counts.
    next: AtomicU64,
}

const NO_ROUND: u64 = u64::MAX;

/// The work on one layer.
struct Layer<'v, 'l, 'g> {
    game: Layered<'l, 'g>,
    layer: u32,
    ground: &'v Ground,
    all: u64,
    settled: AtomicU64,
}

impl Layer<'_, '_, '_> {
    fn layers(&self) -> &dyn Layers {
        self.game.layers
    }

    fn found(&self) -> &Found {
        &self.ground.found[self.layer as usize]
    }

    fn size(&self) -> u64 {
        self.layers().size(self.layer)
    }

    fn value(&self, monitor: &mut Monitor) -> Result<(), Error> {
        let is_cyclic = self.layers().is_cyclic(self.layer);
        // Cells are gone through in order, marks and values of lower layers are not: these come first.
        let marks = if is_cyclic { 2 * Marks::bytes(self.size()) } else { 0 };
        let room = (monitor.memory().free() / 2).max((monitor.memory().free() / 8 * 7).saturating_sub(2 * marks));
        let column = Column::new(self.found(), room, (&*self.ground.space, self.ground.work), monitor.memory())?;
        let begun = self.begun(&column, monitor)?;
        if begun.is_none() {
            self.outside(&column, monitor)?;
        }
        if is_cyclic {
            let (phase, round) = begun.unwrap_or((Phase::Decided, 1));
            if phase == Phase::Decided {
                self.rounds(&column, Phase::Decided, round, monitor)?;
            }
            let round = if phase == Phase::Drawn { round } else { 1 };
            self.rounds(&column, Phase::Drawn, round, monitor)?;
        }
        self.finish(&column, monitor)
    }

    /// Calls `visit` with each position of a chunk, by its number in the layer and its cell.
    #[inline(always)]
    fn each(
        &self,
        chunk: usize,
        cells: &mut [u32],
        mut visit: impl FnMut(u64, &mut u32) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut words = [0; WORDS];
        let first = (chunk * WORDS) as u64;
        self.ground.read_words(self.layers(), self.layer, first, &mut words)?;
        let numbers = words.iter().zip(first..).flat_map(|(word, index)| bits(*word).map(move |bit| index * 64 + bit));
        let mut cells = cells.iter_mut();
        for number in numbers {
            let cell = cells.next().ok_or_else(|| Error::internal("a chunk has too few cells".to_string()))?;
            visit(number, cell)?;
        }
        Ok(())
    }

    fn progress(&self) -> (u64, u64) {
        (self.all, self.settled.load(Relaxed).min(self.all))
    }

    fn workers(&self) -> Vec<Options> {
        vec![Options::default(); self.game.codes.threads.max(1)]
    }

    /// Takes in the options in lower layers, and the ends of play.
    fn outside(&self, column: &Column, monitor: &mut Monitor) -> Result<(), Error> {
        let below = self.layers().below(self.layer).iter();
        let below = below.map(|below| (*below, self.layers().size(*below)));
        let below = below.filter(|(below, _)| self.ground.found[*below as usize].positions() > 0);
        let bytes = |layer: u32, numbers: &Range<u64>| Known::bytes(&self.ground.found[layer as usize], numbers);
        let mut rounds = rounds(below, monitor.memory().free() / 8 * 7, &bytes);
        if rounds.is_empty() {
            rounds.push(Vec::new());
        }
        for (place, round) in rounds.iter().enumerate() {
            let mut by_layer: Vec<Vec<Known>> = Vec::new();
            by_layer.resize_with(self.layer as usize, Vec::new);
            for window in round {
                by_layer[window.layer as usize].push(Known::load(window, self.ground, monitor.memory())?);
            }
            let by_layer = &by_layer;
            let work = |chunk: usize, options: &mut Options| {
                column.with(chunk, place == 0, |cells| {
                    self.each(chunk, cells, |number, cell| self.take_in(number, cell, by_layer, options))?;
                    Ok(true)
                })
            };
            share(&mut self.workers(), column.chunks(), monitor, &|| self.progress(), &work)?;
        }
        Ok(())
    }

    /// Takes in those options of a position that are known.
    #[inline(always)]
    fn take_in(&self, number: u64, cell: &mut u32, known: &[Vec<Known>], options: &mut Options) -> Result<(), Error> {
        if *cell & SETTLED != 0 {
            return Ok(());
        }
        let code = self.layers().code(self.layer, number);
        if !self.game.expand(code, options)? {
            let result = options.gains.first().copied().unwrap_or(0);
            *cell = SETTLED | Cell::end(result) as u32;
            return Ok(());
        }
        let mut best = u64::from(*cell & VALUE);
        for (&option, &same) in options.codes.iter().zip(&options.same) {
            let (layer, number) = self.game.place(self.layer, option)?;
            if layer == self.layer {
                *cell |= INTERNAL;
                continue;
            }
            let Some(value) = known[layer as usize].iter().find_map(|known| known.cell(number)) else { continue };
            if !Cell::is_settled(value) {
                return Err(Error::internal(format!("code {option} of a lower layer has no value")));
            }
            let carried = Cell::later(Cell::turned(value, same != 0));
            best = best.max(carried.ok_or_else(|| Error::too_many(self.all))?);
        }
        *cell = *cell & !VALUE | best as u32;
        Ok(())
    }

    /// All rounds of a phase, from a round on.
    fn rounds(&self, column: &Column, phase: Phase, first: u64, monitor: &mut Monitor) -> Result<(), Error> {
        let Some(first) = self.first_round(column, phase, first, monitor)? else { return Ok(()) };
        let room = monitor.memory().free() / 8 * 7;
        let marks = if phase == Phase::Decided { 2 } else { 1 };
        let bytes = |_: u32, numbers: &Range<u64>| marks * Marks::bytes(numbers.end - numbers.start);
        let windows = rounds([(self.layer, self.size())].into_iter(), room, &bytes).concat();
        // Marks that all fit are kept from round to round.
        let mut kept = match &windows[..] {
            [window] => Some(self.status(window, phase, monitor)?),
            _ => None,
        };
        if let Some(status) = &mut kept {
            self.mark(column, phase, &|remoteness| remoteness < first, status, monitor)?;
        }
        let mut round = first;
        loop {
            if round >= Cell::NEVER {
                return Err(Error::too_many(self.all));
            }
            let outcomes = Outcomes { next: AtomicU64::new(NO_ROUND), ..Outcomes::default() };
            for (place, window) in windows.iter().enumerate() {
                let made;
                let status = match &kept {
                    Some(status) => status,
                    None => {
                        let mut status = self.status(window, phase, monitor)?;
                        self.mark(column, phase, &|remoteness| remoteness < round, &mut status, monitor)?;
                        made = status;
                        &made
                    }
                };
                let pass = Pass { phase, round, status, is_first: place == 0, is_last: place + 1 == windows.len() };
                self.round(column, &pass, &outcomes, monitor)?;
            }
            let settled = outcomes.settled.into_inner();
            self.settled.fetch_add(settled, Relaxed);
            let next = outcomes.next.into_inner();
            let done = round;
            match (settled, next) {
                (0, NO_ROUND) => return Ok(()),
                (0, next) => round = next,
                _ => round += 1,
            }
            if let Some(status) = &mut kept {
                self.mark(column, phase, &|remoteness| remoteness == done, status, monitor)?;
            }
            self.save(column, phase, round, monitor)?;
        }
    }

    /// The first round in which anything can happen, from a round on; `None` if nothing ever does.
    fn first_round(
        &self,
        column: &Column,
        phase: Phase,
        first: u64,
        monitor: &mut Monitor,
    ) -> Result<Option<u64>, Error> {
        let next = AtomicU64::new(NO_ROUND);
        let work = |chunk: usize, _: &mut Options| {
            if column.count(chunk) == 0 {
                return Ok(());
            }
            column.with(chunk, false, |cells| {
                let of = |cell: u32| match cell & SETTLED != 0 {
                    true if decided(cell, phase).is_some() => Some(first),
                    true => None,
                    false => decided(cell, phase).map(|event| event.max(first)),
                };
                let own = cells.iter().filter_map(|cell| of(*cell)).min();
                next.fetch_min(own.unwrap_or(NO_ROUND), Relaxed);
                Ok(false)
            })
        };
        share(&mut self.workers(), column.chunks(), monitor, &|| self.progress(), &work)?;
        Ok(Some(next.into_inner()).filter(|next| *next != NO_ROUND))
    }

    fn status(&self, window: &Window, phase: Phase, monitor: &Monitor) -> Result<Status, Error> {
        let numbers = window.numbers.clone();
        let won = Marks::new(numbers.clone(), monitor.memory())?;
        let lost = (phase == Phase::Decided).then(|| Marks::new(numbers.clone(), monitor.memory())).transpose()?;
        Ok(Status { numbers, won, lost })
    }

    /// Marks the positions of a window that have such a remoteness.
    fn mark(
        &self,
        column: &Column,
        phase: Phase,
        counts: &(dyn Fn(u64) -> bool + Sync),
        status: &mut Status,
        monitor: &mut Monitor,
    ) -> Result<(), Error> {
        let status = &*status;
        let first = (status.numbers.start / CHUNK) as usize;
        let chunks = status.numbers.end.div_ceil(CHUNK) as usize - first;
        let work = |chunk: usize, _: &mut Options| {
            let chunk = first + chunk;
            if column.count(chunk) == 0 {
                return Ok(());
            }
            column.with(chunk, false, |cells| {
                let is_marked = |cell: u32| cell & SETTLED != 0 && decided(cell, phase).is_some_and(counts);
                if !cells.iter().any(|cell| is_marked(*cell)) {
                    return Ok(false);
                }
                self.each(chunk, cells, |number, cell| {
                    if is_marked(*cell) {
                        match &status.lost {
                            Some(lost) if Cell::is_loss(u64::from(*cell & VALUE)) => lost.mark(number),
                            _ => status.won.mark(number),
                        }
                    }
                    Ok(())
                })?;
                Ok(false)
            })
        };
        share(&mut self.workers(), chunks, monitor, &|| self.progress(), &work)
    }

    /// One look at all positions that have no value yet.
    fn round(&self, column: &Column, pass: &Pass, outcomes: &Outcomes, monitor: &mut Monitor) -> Result<(), Error> {
        let work = |chunk: usize, options: &mut Options| {
            if column.count(chunk) == 0 {
                return Ok(());
            }
            column.with(chunk, false, |cells| {
                let (mut settled, mut next, mut is_changed) = (0, NO_ROUND, false);
                if cells.iter().all(|cell| cell & SETTLED != 0) {
                    return Ok(false);
                }
                self.each(chunk, cells, |number, cell| {
                    if *cell & SETTLED != 0 {
                        return Ok(());
                    }
                    let before = *cell;
                    self.look(number, cell, pass, options)?;
                    is_changed |= *cell != before;
                    settled += u64::from(*cell & SETTLED != 0);
                    if let Some(event) = pass.event(*cell).filter(|event| *event > pass.round) {
                        next = next.min(event);
                    }
                    Ok(())
                })?;
                outcomes.settled.fetch_add(settled, Relaxed);
                outcomes.next.fetch_min(next, Relaxed);
                Ok(is_changed)
            })
        };
        share(&mut self.workers(), column.chunks(), monitor, &|| self.progress(), &work)
    }

    /// A look at a position without a value.
    #[inline(always)]
    fn look(&self, number: u64, cell: &mut u32, pass: &Pass, options: &mut Options) -> Result<(), Error> {
        let best = u64::from(*cell & VALUE);
        let settle =
            |outcome: Outcome| SETTLED | *cell & INTERNAL | Cell::pack(outcome, Some(pass.round as u32)) as u32;
        let event = pass.event(*cell);
        if event == Some(pass.round) && !Cell::is_loss(best) {
            *cell = settle(if pass.phase == Phase::Drawn { Outcome::Draw } else { Outcome::Win });
            return Ok(());
        }
        if *cell & INTERNAL == 0 {
            if event == Some(pass.round) {
                *cell = settle(Outcome::Loss);
            }
            return Ok(());
        }
        let mut is_blocked = !pass.is_first && *cell & BLOCKED != 0;
        let code = self.layers().code(self.layer, number);
        self.game.expand(code, options)?;
        for (&option, &same) in options.codes.iter().zip(&options.same) {
            let (layer, number) = self.game.place(self.layer, option)?;
            if layer != self.layer || !pass.status.numbers.contains(&number) {
                continue;
            }
            let (won, lost) =
                (pass.status.won.has(number), pass.status.lost.as_ref().is_some_and(|lost| lost.has(number)));
            let (good, bad) = match (pass.phase, same != 0) {
                (Phase::Drawn, _) => (won, false),
                (Phase::Decided, true) => (won, lost),
                (Phase::Decided, false) => (lost, won),
            };
            if good {
                *cell = settle(if pass.phase == Phase::Drawn { Outcome::Draw } else { Outcome::Win });
                return Ok(());
            }
            is_blocked |= !bad;
        }
        let can_be_lost = pass.phase == Phase::Decided && !is_blocked && pass.is_last;
        if can_be_lost && (best == 0 || event.is_some_and(|event| event <= pass.round)) {
            *cell = settle(Outcome::Loss);
            return Ok(());
        }
        // Where there is one window, nothing has to be remembered.
        if !(pass.is_first && pass.is_last) {
            *cell = *cell & !BLOCKED | if is_blocked { BLOCKED } else { 0 };
        }
        Ok(())
    }

    /// Writes the values of the layer to its place. What has none is drawn without end.
    fn finish(&self, column: &Column, monitor: &mut Monitor) -> Result<(), Error> {
        let mut page = Vec::with_capacity(PAGE);
        let mut next = self.found().cells;
        let mut trouble = false;
        for chunk in 0..column.chunks() {
            let (positions, settled) = self.progress();
            monitor.tick(positions, settled)?;
            column.with(chunk, false, |cells| {
                for cell in cells {
                    let value = match *cell & (SETTLED | INTERNAL) {
                        INTERNAL => Cell::pack(Outcome::Draw, None) as u32,
                        _ => *cell & VALUE,
                    };
                    trouble |= !Cell::is_settled(u64::from(value));
                    page.extend_from_slice(&(value as u16).to_le_bytes());
                    if page.len() == PAGE {
                        self.ground.space.write(next, &page).map_err(unwritten)?;
                        next += 1;
                        page.clear();
                    }
                }
                Ok(false)
            })?;
        }
        if !page.is_empty() {
            page.resize(PAGE, 0);
            self.ground.space.write(next, &page).map_err(unwritten)?;
        }
        if trouble { Err(Error::internal("a position of a layer has no value".to_string())) } else { Ok(()) }
    }

    /// Makes a snapshot of the layer between two rounds, if one is due.
    fn save(&self, column: &Column, phase: Phase, round: u64, monitor: &mut Monitor) -> Result<(), Error> {
        let Some(keeping) = monitor.keeping_due() else { return Ok(()) };
        let identity = self.identity();
        keeping.save(AT_WORK, &identity, 4 * self.found().positions(), |to| {
            to.number(PHASES.iter().position(|known| *known == phase).unwrap_or(0) as u64)?;
            to.number(round)?;
            for chunk in 0..column.chunks() {
                let mut written = Ok(());
                let read = column.with(chunk, false, |cells| {
                    written = to.numbers(cells.len(), cells.iter().copied());
                    Ok(false)
                });
                written?;
                read.map_err(|error| std::io::Error::other(error.to_string()))?;
            }
            Ok(())
        });
        Ok(())
    }

    fn identity(&self) -> String {
        format!("{} layer {}", self.ground.identity(), self.layer)
    }

    /// How far an earlier run has come with the layer, whose cells are then in the column.
    fn begun(&self, column: &Column, monitor: &mut Monitor) -> Result<Option<(Phase, u64)>, Error> {
        let identity = self.identity();
        let saved = monitor.keeping().and_then(|keeping| keeping.load(AT_WORK, &identity));
        let Some(loader) = saved else { return Ok(None) };
        loaded(self.load(loader, column))
    }

    fn load(&self, mut loader: Loader, column: &Column) -> Result<(Phase, u64), Unloaded> {
        let phase = PHASES[loader.below(PHASES.len() as u64)? as usize];
        let round = loader.below(Cell::NEVER)?;
        for chunk in 0..column.chunks() {
            let mut read = Ok(0);
            column.with(chunk, true, |cells| {
                let mut places = cells.iter_mut();
                read = loader.numbers(places.len() as u64, 1 << 32, &mut |numbers| {
                    places.by_ref().zip(numbers).for_each(|(place, number)| *place = *number);
                    Ok(())
                });
                Ok(true)
            })?;
            if read? != column.count(chunk) as u64 {
                return Err(Unloaded::Damaged);
            }
        }
        Ok((phase, round))
    }
}

/// One look at the layer: with the marks of one window.
struct Pass<'s> {
    phase: Phase,
    round: u64,
    status: &'s Status,
    is_first: bool,
    is_last: bool,
}

impl Pass<'_> {
    /// The round in which the best option in a lower layer counts, if it can in this phase.
    #[inline(always)]
    fn event(&self, cell: u32) -> Option<u64> {
        if cell & SETTLED != 0 { None } else { decided(cell, self.phase) }
    }
}

/// The remoteness in a cell, settled or of the best option in a lower layer, if it is one of a phase and finite.
#[inline(always)]
fn decided(cell: u32, phase: Phase) -> Option<u64> {
    let value = u64::from(cell & VALUE);
    if !Cell::is_settled(value) || Cell::is_draw(value) != (phase == Phase::Drawn) {
        return None;
    }
    Cell::unpack(value)?.1.map(u64::from)
}
