//! Outcomes with remoteness: from the ends back over all moves, whether positions repeat or not.
//!
//! What the values mean is said in [`engine::retrograde`]. A position is won as soon as one option is won for its mover, which happens at
//! the least remoteness, and lost when the last option turns out lost, at the largest: so the level is the remoteness.

use engine::retrograde::Forever;
use game::{Outcome, Player};

use crate::arrows::Arrow;
use crate::column::Column;
use crate::error::Trouble;
use crate::game::SharedRules;
use crate::holding::{Holding, cell};
use crate::levels::{First, Levels, Step};
use crate::saved::{Stage, Standing};

/// Values all positions.
pub fn decide(
    game: &SharedRules<'_>,
    holding: &mut Holding,
    levels: &mut Levels<'_, '_>,
    standing: Option<Standing>,
) -> Result<(), Trouble> {
    let memory = levels.monitor.memory().clone();
    let ended = |holding: &Holding, outcomes: &[Outcome]| {
        let mut ends = Column::new(&memory);
        let cells: Vec<u32> = outcomes.iter().map(|outcome| cell::decided(*outcome, Some(0))).collect();
        let found = holding.cells.iter().enumerate().filter(|(_, held)| cells.contains(held));
        found.map(|(number, _)| number as u32).try_for_each(|number| ends.push(number))?;
        Ok::<_, Trouble>(ends)
    };
    let forever = game.game.bound.forever.map_or(Forever::Draw, Forever::Win);
    let from = |stage: Stage, standing: Standing| First {
        stage: Some(stage),
        level: standing.level,
        positions: standing.positions,
    };
    let decided = match standing {
        Some(standing) if standing.stage == Stage::Drawn => {
            levels.run(holding, from(Stage::Drawn, standing), &mut Drawn)?;
            return Ok(());
        }
        Some(standing) if standing.stage == Stage::Decided => Some(standing),
        _ => None,
    };
    let fresh = |stage, positions| First { stage, level: 0, positions };
    let first = match decided {
        Some(standing) => from(Stage::Decided, standing),
        None => fresh(Some(Stage::Decided), ended(holding, &[Outcome::Loss, Outcome::Win])?),
    };
    levels.run(holding, first, &mut Decided)?;
    let never = cell::decided(Outcome::Draw, None);
    let draws = ended(holding, &[Outcome::Draw])?;
    match forever {
        Forever::Draw => rest(holding, |_, _| Ok(never))?,
        Forever::Win(player) => {
            // Counters go down in it, and its positions cannot be told afterwards: no snapshots.
            let first = fresh(None, ended(holding, &[Outcome::Draw])?);
            levels.run(holding, first, &mut ForcedDraws { game, player })?;
            rest(holding, |holding, number| {
                let outcome = if mover(game, holding, number)? == player { Outcome::Win } else { Outcome::Loss };
                Ok(cell::decided(outcome, None))
            })?;
        }
    }
    levels.run(holding, fresh(Some(Stage::Drawn), draws), &mut Drawn)?;
    Ok(())
}

/// Gives all positions that are left a cell of their own.
fn rest(holding: &mut Holding, decided: impl Fn(&Holding, u32) -> Result<u32, Trouble>) -> Result<(), Trouble> {
    for number in 0..holding.cells.len() {
        if !cell::is_decided(holding.cells.get(number)) {
            *holding.cells.at(number) = decided(holding, number as u32)?;
        }
    }
    Ok(())
}

fn mover(game: &SharedRules<'_>, holding: &Holding, number: u32) -> Result<Player, Trouble> {
    let mut key = vec![0; game.words()];
    holding.table.key(number, &mut key);
    Ok(game.mover(&key)?)
}

/// The remoteness of a position that was told by one of a level.
fn later(level: u32) -> Result<u32, Trouble> {
    let fits = level.checked_add(1).filter(|moves| *moves < cell::NEVER);
    Ok(fits.ok_or(engine::Error::Limit { limit: engine::Limit::Positions, positions: 0 })?)
}

/// Won and lost ends are carried back: what is told is whether the option is won for who moves to it.
struct Decided;

impl Step for Decided {
    const BITS: u32 = 1;

    #[inline]
    fn tell(&self, holding: &Holding, position: u32, arrow: Arrow) -> Result<u64, Trouble> {
        let is_win = holding.cells.get(position as usize) >> 30 == 3;
        Ok(u64::from(is_win == arrow.same))
    }

    #[inline]
    fn hear(&mut self, holding: &mut Holding, position: u32, told: u64, level: u32) -> Result<bool, Trouble> {
        let held = holding.cells.at(position as usize);
        if cell::is_decided(*held) {
            return Ok(false);
        }
        match told {
            1 => *held = cell::decided(Outcome::Win, Some(later(level)?)),
            _ if *held > 1 => {
                *held -= 1;
                return Ok(false);
            }
            _ => *held = cell::decided(Outcome::Loss, Some(later(level)?)),
        }
        Ok(true)
    }
}

/// Play without end is won by `player`: the other can still force a declared draw, or lose nothing by it. The counters go on from
/// the first pass: options that `player` loses are counted out already, now those that are drawn.
struct ForcedDraws<'d, 'b> {
    game: &'d SharedRules<'b>,
    player: Player,
}

impl Step for ForcedDraws<'_, '_> {
    const BITS: u32 = 0;

    fn tell(&self, _: &Holding, _: u32, _: Arrow) -> Result<u64, Trouble> {
        Ok(0)
    }

    fn hear(&mut self, holding: &mut Holding, position: u32, _: u64, _: u32) -> Result<bool, Trouble> {
        let held = holding.cells.get(position as usize);
        if cell::is_decided(held) {
            return Ok(false);
        }
        if held > 1 && mover(self.game, holding, position)? == self.player {
            *holding.cells.at(position as usize) -= 1;
            return Ok(false);
        }
        *holding.cells.at(position as usize) = cell::decided(Outcome::Draw, None);
        Ok(true)
    }
}

/// Drawn positions learn how far the nearest declared draw is, on a way through drawn positions.
struct Drawn;

impl Step for Drawn {
    const BITS: u32 = 0;

    fn tell(&self, _: &Holding, _: u32, _: Arrow) -> Result<u64, Trouble> {
        Ok(0)
    }

    fn hear(&mut self, holding: &mut Holding, position: u32, _: u64, level: u32) -> Result<bool, Trouble> {
        let held = holding.cells.at(position as usize);
        let is_open = *held == cell::decided(Outcome::Draw, None);
        if is_open {
            *held = cell::decided(Outcome::Draw, Some(later(level)?));
        }
        Ok(is_open)
    }
}
