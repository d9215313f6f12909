//! How the masks of a game are made from its formulas.

use formula::Formulas;
use rules::stop::{Held, look};

use super::{Case, Mask, Masks, Near, Side, Tests};
use crate::cube::{Cube, Variables};
use crate::ends::{EndCube, ends, stuck};
use crate::layout::{Layout, Test};
use crate::lookup::Lookup;
use crate::moves::{Move, moves};
use crate::placing::{Placing, side_by_side};
use crate::potential::Potential;
use crate::reader::{LARGE, Reader, STOPPED};
use crate::watched::{Effect, effect, next, watched};

impl Masks {
    /// The masks of a game for two, or why it has none. `with_turn` says whether positions record whose turn it is.
    pub fn new(formulas: &Formulas, with_turn: bool) -> Result<Masks, String> {
        if formulas.players != 2 {
            return Err("it is for two players".to_string());
        }
        let variables = Variables::new(formulas).ok_or("the position is no board of few values")?;
        let readers = [Reader::new(formulas, &variables, 0)?, Reader::new(formulas, &variables, 1)?];
        let each = || readers.iter().enumerate();
        let stuck = each().map(|(mover, reader)| stuck(reader, mover as i64)).collect::<Result<Vec<i64>, _>>()?;
        let mut moves =
            each().map(|(mover, reader)| moves(reader, mover as i64)).collect::<Result<Vec<Vec<Move>>, _>>()?;
        let order = side_by_side(&moves, variables.list.len());
        let layout = Layout::new(&variables, order, with_turn).ok_or("the position is no board of few values")?;
        let (mut ends, mut lookups) = both_ends(&readers, &layout)?;
        drop(readers);
        if !with_turn {
            let differ = lookups.first() != lookups.last() || stuck[0] != stuck[1];
            if moves[0] != moves[1] || ends[0] != ends[1] || differ {
                return Err("the rules differ from player to player".to_string());
            }
            moves.truncate(1);
            ends.truncate(1);
            lookups.truncate(1);
        }
        let cells = formulas.cells.iter().map(|range| if range.single().is_some() { range.low } else { 0 }).collect();
        let (sides, words, held) = (Vec::new(), String::new(), Held::default());
        let (tests, lines, near) = (Vec::new(), Vec::new(), Vec::new());
        let (placing, potential, fold) = (None, None, None);
        let mut masks = Masks {
            variables,
            layout,
            sides,
            tests,
            lines,
            near,
            lookups,
            placing,
            potential,
            fold,
            cells,
            words,
            held,
        };
        masks.write(&moves, &ends, &stuck)?;
        Ok(masks)
    }

    fn write(&mut self, moves: &[Vec<Move>], ends: &[Vec<EndCube>], stuck: &[i64]) -> Result<(), &'static str> {
        let watched = watched(moves, ends).map_err(|_| STOPPED)?;
        let movers = moves.len();
        for mover in 0..movers {
            let mut side = Side { stuck: stuck[mover], ..Side::default() };
            for (line, watched) in ends[mover].iter().zip(&watched[mover]) {
                side.ends.push((Mask { tests: self.compile(&line.cube), value: line.value }, *watched));
            }
            for mv in &moves[mover] {
                look().map_err(|_| STOPPED)?;
                let next = next(mv, mover, movers);
                let begin = self.lines.len() as u32;
                for (line, watched) in ends[next].iter().zip(&watched[next]) {
                    let rest = match effect(mv, &line.cube) {
                        Effect::Spoiled => continue,
                        // It did not hold before: the position was open.
                        Effect::Kept if *watched || next == mover => continue,
                        Effect::Kept => line.cube.clone(),
                        Effect::Touched(rest) => rest,
                    };
                    let tests = self.compile(&rest);
                    self.lines.push(Mask { tests, value: line.value });
                }
                let tests = self.compile(&mv.cube);
                let lines = (begin, self.lines.len() as u32);
                let near = self.note_near(mv, ends);
                let lookup = self.lookups.get(next);
                let index = lookup.map(|lookup| lookup.change(&self.layout, &self.variables.list, &mv.writes));
                let index = index.unwrap_or_default();
                side.cases.push(Case { tests, lines, near, index, same: mv.same, gain: mv.gain });
                side.changes.extend(self.changes(mv, mover, next));
                self.charge()?;
            }
            self.sides.push(side);
        }
        if watched.iter().flatten().all(|watched| *watched) {
            self.placing = Placing::new(moves, ends, &self.layout, &self.variables);
        }
        let by_rule = ends.iter().flatten().map(|end| end.value).chain(self.lookups.iter().flat_map(Lookup::results));
        let end = by_rule.chain(stuck.iter().copied()).map(i64::abs).max().unwrap_or(0);
        self.potential = Potential::new(moves, end, &self.layout, &self.variables);
        self.words = self.describe(&watched);
        Ok(())
    }

    /// Charges the lists that grow with moves and lines.
    fn charge(&mut self) -> Result<(), &'static str> {
        let bytes = self.tests.capacity() * size_of::<Test>()
            + self.lines.capacity() * size_of::<Mask>()
            + self.near.capacity() * size_of::<Near>();
        self.held.try_grow((bytes as u64).saturating_sub(self.held.bytes())).map_err(|_| LARGE)
    }

    /// Notes the lines through what a move writes, as far as they lie in one plane: those that it makes a part of true, and those
    /// that it spoils.
    fn note_near(&mut self, mv: &Move, ends: &[Vec<EndCube>]) -> (u32, u32) {
        let begin = self.near.len() as u32;
        for line in ends.iter().flatten() {
            let is_written = |part: &(u32, u8)| mv.writes.binary_search_by_key(&part.0, |write| write.0).is_ok();
            let rest = Cube { parts: line.cube.parts.iter().copied().filter(|part| !is_written(part)).collect() };
            if rest.parts.len() == line.cube.parts.len() {
                continue;
            }
            if let [Test { plane, mask, value }] = self.layout.tests(&self.variables, &rest)[..] {
                let least = self.layout.bits[rest.parts[0].0 as usize].0 as u32;
                self.near.push(Near { plane, least, mask, value });
            }
        }
        (begin, self.near.len() as u32)
    }

    /// What a move changes in each word of the key.
    fn changes(&self, mv: &Move, mover: usize, next: usize) -> Vec<(u64, u64)> {
        let mut changes = vec![(u64::MAX, 0u64); self.layout.words];
        for &(variable, value) in &mv.writes {
            self.layout.key_bits(variable, value, |word, bit, set| {
                changes[word].0 &= !bit;
                changes[word].1 |= bit * u64::from(set);
            });
        }
        if let Some((word, bit)) = self.layout.turn.filter(|_| mover != next) {
            changes[word].0 &= !(1 << bit);
            changes[word].1 |= (next as u64) << bit;
        }
        changes
    }

    fn compile(&mut self, cube: &Cube) -> Tests {
        let tests = self.layout.tests(&self.variables, cube);
        let begin = self.tests.len() as u32;
        self.tests.extend(tests.iter().skip(1));
        Tests { first: tests.first().copied().unwrap_or(Test::TRUE), more: (begin, self.tests.len() as u32) }
    }

    fn describe(&self, watched: &[Vec<bool>]) -> String {
        let moves = self.sides.iter().map(|side| side.cases.len()).max().unwrap_or(0);
        let mut words = format!("masks of {} bits: a player has at most {moves} moves", self.bits());
        let lines: usize = watched.iter().map(Vec::len).sum();
        if lines > 0 {
            let tested = self.sides.iter().flat_map(|side| &side.cases).map(|case| case.lines.1 - case.lines.0).max();
            let is_watched = watched.iter().flatten().all(|watched| *watched);
            let which =
                if is_watched { "only those through the changed cells" } else { "only those that it can complete" };
            words.push_str(&format!(
                "; {lines} lines end the game; after a move {which} are tested, at most {}; moves that win at once are found first",
                tested.unwrap_or(0)
            ));
        }
        if self.placing.is_some() {
            words.push_str("; moves after which the other player wins at once are passed over");
        }
        if self.potential.is_some() {
            words.push_str("; what can still be gained bounds the value");
        }
        if let Some(bits) = self.lookups.iter().map(Lookup::bits).max() {
            words.push_str(&format!(
                "; the ends read at most {bits} bits of a position: what they gave for these is looked up; moves that win at once are found first"
            ));
        }
        words
    }
}

/// The ends with each player to move as lines, or else how they are looked up.
fn both_ends(readers: &[Reader<'_>], layout: &Layout) -> Result<(Vec<Vec<EndCube>>, Vec<Lookup>), &'static str> {
    let each = || readers.iter().enumerate().map(|(mover, reader)| (mover as i64, reader));
    match each().map(|(mover, reader)| ends(reader, mover)).collect() {
        Ok(lines) => return Ok((lines, Vec::new())),
        Err(STOPPED) => return Err(STOPPED),
        Err(_) => {}
    }
    let lookups: Vec<Lookup> =
        each().map(|(mover, reader)| Lookup::new(reader, layout, mover)).collect::<Result<_, _>>()?;
    // What reads nearly all of a position is hardly ever met again.
    let bits: u32 = layout.fields.iter().map(|field| field.mask.count_ones()).sum();
    match lookups.iter().all(|lookup| 2 * lookup.bits() <= bits) {
        true => Ok((vec![Vec::new(); readers.len()], lookups)),
        false => Err("an `end` condition is no short list of lines, and reads too much to be looked up"),
    }
}
