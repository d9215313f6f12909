//! The masks of a game, and what they tell of one position.

use game::codes::{Options, Sifted};
use rules::stop::Held;

use crate::cube::Variables;
use crate::fold::Fold;
use crate::layout::{Layout, MOST_PLANES, Planes, Test};
use crate::lookup::{Known, Lookup};
use crate::placing::{MoveMasks, Placing};
use crate::potential::Potential;
use crate::{OPEN, Undecided};

mod making;

/// How much a line through a move counts where nothing else is missing; an eighth where one more square is, and so on.
const NEAR: i32 = 1 << 19;

/// Several tests: the first, and the others in [`Masks::tests`].
#[derive(Clone, Copy, Debug)]
struct Tests {
    first: Test,
    more: (u32, u32),
}

/// A move as masks.
#[derive(Clone, Debug)]
struct Case {
    tests: Tests,
    /// Its lines in [`Masks::lines`].
    lines: (u32, u32),
    /// The lines of both players through what it writes, in [`Masks::near`].
    near: (u32, u32),
    /// What it changes in the index of the player who moves next, where ends are looked up: the bits that stay, and those that are set.
    index: (u64, u64),
    same: bool,
    gain: i64,
}

/// A line as masks, and what it is worth to the player to move where it holds.
#[derive(Clone, Copy, Debug)]
struct Mask {
    tests: Tests,
    value: i64,
}

/// The rest of a line through what a move writes. It is alive where what is missing has its least value.
#[derive(Clone, Copy, Debug)]
struct Near {
    plane: u32,
    least: u32,
    mask: u64,
    value: u64,
}

/// What one player can do.
#[derive(Clone, Debug, Default)]
struct Side {
    cases: Vec<Case>,
    /// For each case and each word of a key: the bits that stay, and those that are set.
    changes: Vec<(u64, u64)>,
    /// The ends where this player is to move, in order, and which of them are watched.
    ends: Vec<(Mask, bool)>,
    /// What a position without moves is worth.
    stuck: i64,
}

/// The rules of a game as masks.
#[derive(Debug)]
pub struct Masks {
    variables: Variables,
    layout: Layout,
    sides: Vec<Side>,
    tests: Vec<Test>,
    lines: Vec<Mask>,
    near: Vec<Near>,
    /// How ends are looked up with each player to move, where they are no lines.
    lookups: Vec<Lookup>,
    /// What more is known where moves put marks on a board.
    placing: Option<Placing>,
    /// What bounds the gains to come.
    potential: Option<Potential>,
    fold: Option<Fold>,
    /// The cells where nothing is set.
    cells: Vec<i64>,
    words: String,
    held: Held,
}

/// Code that runs the rules, for ends that are looked up.
pub trait Judge {
    /// What a position is worth to the player to move if the game is over there: by a rule, or for want of moves.
    fn end(&mut self, key: &[u64]) -> Result<Option<i64>, Undecided>;
}

/// For games whose ends are lines.
impl Judge for () {
    fn end(&mut self, _: &[u64]) -> Result<Option<i64>, Undecided> {
        Err(Undecided)
    }
}

/// What is known of the position that was looked at last, and of ends that were looked up.
#[derive(Debug)]
pub struct Look {
    planes: Planes,
    mover: usize,
    /// The moves that can be made, by number.
    moves: Vec<u32>,
    /// What they end the game with, see [`Masks::ends`].
    ends: Vec<i64>,
    /// What was seen of moves that are not listed yet: many positions that are looked at are known, and not searched.
    move_masks: Option<MoveMasks>,
    /// What no position is worth more than.
    most: i64,
    known: [Known; 2],
    /// The position that the judge is asked about.
    asked: Vec<u64>,
}

impl Default for Look {
    fn default() -> Look {
        Look {
            planes: [0; MOST_PLANES],
            mover: 0,
            moves: Vec::new(),
            ends: Vec::new(),
            move_masks: None,
            most: i64::MAX,
            known: Default::default(),
            asked: Vec::new(),
        }
    }
}

impl Look {
    /// For a game in which no position is worth more than `most`.
    pub fn with_most(most: i64) -> Look {
        Look { most, ..Look::default() }
    }
}

impl Masks {
    /// What was found, in words.
    pub fn in_words(&self) -> &str {
        &self.words
    }

    /// How many bits a key has, about.
    fn bits(&self) -> u32 {
        self.layout.fields.iter().map(|field| field.mask.count_ones()).sum::<u32>()
            + u32::from(self.layout.turn.is_some())
    }

    /// How many words a key has.
    pub fn words(&self) -> usize {
        self.layout.words
    }

    /// How many moves a player has in all positions together, at the most.
    pub fn moves(&self) -> usize {
        self.sides.iter().map(|side| side.cases.len()).max().unwrap_or(0)
    }

    /// How many lines end the game.
    pub fn lines(&self) -> usize {
        self.sides.iter().map(|side| side.ends.len()).sum()
    }

    /// Whether a look tells which moves end the game.
    pub fn tells_ends(&self) -> bool {
        !self.lookups.is_empty() || self.sides.iter().any(|side| !side.ends.is_empty())
    }

    /// Whether [`Masks::hints`] are all that is needed to order moves.
    pub fn orders_moves(&self) -> bool {
        self.placing.is_some()
    }

    /// Whether [`Masks::sift`] may say something.
    pub fn sifts(&self) -> bool {
        self.placing.is_some()
    }

    /// Says of the position that was just looked at what [`Masks::options`], [`Masks::ends`] and [`Masks::hints`] say together, if
    /// it has moves. Whether it was said.
    #[inline]
    pub fn sift(&self, key: &[u64], look: &Look, into: &mut Sifted) -> bool {
        let (Some(placing), Some(move_masks)) = (&self.placing, &look.move_masks) else { return false };
        into.keys.clear();
        let is_sifted = placing.sift(&look.planes, look.mover, move_masks, into);
        if is_sifted {
            let side = &self.sides[look.mover];
            let moves = into.moves.iter().map(|mv| mv.0);
            side.write_all_keys(key, moves, &mut into.keys);
        }
        is_sifted
    }

    /// Whether ends are looked up, so that a judge is needed.
    pub fn needs_judge(&self) -> bool {
        !self.lookups.is_empty()
    }

    /// Uses symmetries, given as permutations of cells (`new[i] = old[image[i]]`) that were proved to change nothing. How many
    /// images of a position are compared.
    pub fn fold_by(&mut self, permutations: &[Vec<u32>]) -> usize {
        use crate::cube::Place;
        let image = |cells: &Vec<u32>| -> Option<Vec<u32>> {
            let of = |variable: &crate::cube::Variable| match variable.place {
                Place::Cell { cell, .. } => self.variables.of_cell(cells[cell as usize]),
                Place::Bit { cell, bit } => self.variables.of_bit(cells[cell as usize], bit),
            };
            self.variables.list.iter().map(of).collect()
        };
        let images: Option<Vec<Vec<u32>>> = permutations.iter().map(image).collect();
        self.fold = images.and_then(|images| Fold::new(&self.layout, &images));
        self.fold.as_ref().map_or(0, Fold::images)
    }

    /// The key of a position; `None` if it has none, or if it is not clean: then nothing was proved of it.
    pub fn key(&self, cells: &[i64], turn: usize) -> Option<Vec<u64>> {
        let mut key = vec![0; self.layout.words];
        if !self.layout.pack(&self.variables, cells, turn, &mut key) {
            return None;
        }
        let mut planes = [0; MOST_PLANES];
        self.layout.planes(&key, &mut planes);
        if self.placing.as_ref().is_some_and(|placing| !placing.is_clean(&planes)) {
            return None;
        }
        let holds = |side: &Side| side.ends.iter().any(|(mask, watched)| *watched && self.holds(&mask.tests, &planes));
        let is_over = self.line(&planes, self.layout.mover(&key)).is_some();
        (is_over || !self.sides.iter().any(holds)).then_some(key)
    }

    /// The cells of a key, and who moves.
    pub fn position(&self, key: &[u64]) -> (Vec<i64>, usize) {
        let mut cells = self.cells.clone();
        let turn = self.layout.unpack(&self.variables, key, &mut cells);
        (cells, turn)
    }

    /// No position like this is worth more to either player, where that is known from what can still be gained.
    pub fn most(&self, key: &[u64]) -> Option<i64> {
        let potential = self.potential.as_ref()?;
        let mut planes = [0; MOST_PLANES];
        self.layout.planes(key, &mut planes);
        Some(potential.most(&planes))
    }

    /// Puts one of all symmetric positions in the place of a key.
    #[inline]
    pub fn fold(&self, key: &mut [u64]) {
        if let Some(fold) = &self.fold {
            fold.fold(key);
        }
    }

    #[inline]
    fn holds(&self, tests: &Tests, planes: &Planes) -> bool {
        tests.first.holds(planes)
            && self.tests[tests.more.0 as usize..tests.more.1 as usize].iter().all(|test| test.holds(planes))
    }

    /// What a line ends the game with.
    fn line(&self, planes: &Planes, mover: usize) -> Option<i64> {
        self.sides[mover].ends.iter().find(|(mask, _)| self.holds(&mask.tests, planes)).map(|(mask, _)| mask.value)
    }

    /// Whether the game is over at a position by a line.
    pub fn has_line(&self, key: &[u64]) -> bool {
        let mut planes = [0; MOST_PLANES];
        self.layout.planes(key, &mut planes);
        self.line(&planes, self.layout.mover(key)).is_some()
    }

    /// What a position is worth to the player to move if a rule ends the game there; where ends are looked up, also if there are no moves.
    pub fn is_over(&self, key: &[u64], look: &mut Look, judge: &mut dyn Judge) -> Result<Option<i64>, Undecided> {
        let mut planes = [0; MOST_PLANES];
        self.layout.planes(key, &mut planes);
        let mover = self.layout.mover(key);
        let Some(lookup) = self.lookups.get(mover) else { return Ok(self.line(&planes, mover)) };
        let end = look.known[mover].get(lookup, lookup.index(&planes), || self.judged(key, judge))?;
        Ok((end != OPEN).then_some(end))
    }

    /// What a judge says of a position, and whether that is so by what the rules read: not if there are no moves.
    fn judged(&self, key: &[u64], judge: &mut dyn Judge) -> Result<(i64, bool), Undecided> {
        let Some(end) = judge.end(key)? else { return Ok((OPEN, true)) };
        let mut planes = [0; MOST_PLANES];
        self.layout.planes(key, &mut planes);
        let side = &self.sides[self.layout.mover(key)];
        Ok((end, side.cases.iter().any(|case| self.holds(&case.tests, &planes))))
    }

    /// Whether a move of the position that is looked at ends the game, looked up.
    #[inline]
    fn looked_up(
        &self,
        key: &[u64],
        number: usize,
        indices: &[u64; 2],
        look: &mut Look,
        judge: &mut dyn Judge,
    ) -> Result<i64, Undecided> {
        let side = &self.sides[look.mover];
        let case = &side.cases[number];
        let next = if case.same || self.sides.len() == 1 { look.mover } else { 1 - look.mover };
        let Look { known, asked, .. } = look;
        known[next].get(&self.lookups[next], indices[next] & case.index.0 | case.index.1, || {
            asked.clear();
            let words = self.layout.words;
            asked.extend(
                key.iter().zip(&side.changes[number * words..][..words]).map(|(word, (keep, set))| word & keep | set),
            );
            self.judged(asked, judge)
        })
    }

    /// Looks at a clean position: its moves, and which of them end the game. Where a move is worth `won` at once, or more, nothing else
    /// is looked at, and that is said; likewise, if `won` is the most there is, where it is move_masks that all moves lose.
    pub fn look(
        &self,
        key: &[u64],
        won: i64,
        look: &mut Look,
        judge: &mut dyn Judge,
    ) -> Result<Option<i64>, Undecided> {
        self.layout.planes(key, &mut look.planes);
        look.mover = self.layout.mover(key);
        let side = &self.sides[look.mover];
        look.moves.clear();
        look.ends.clear();
        look.move_masks = None;
        if let Some(placing) = &self.placing {
            let move_masks = placing.look(&look.planes, look.mover, (won, look.most));
            look.move_masks = move_masks.ok();
            return Ok(move_masks.err());
        }
        let mut indices = [0; 2];
        for (index, lookup) in indices.iter_mut().zip(&self.lookups) {
            *index = lookup.index(&look.planes);
        }
        for (number, case) in side.cases.iter().enumerate() {
            if !self.holds(&case.tests, &look.planes) {
                continue;
            }
            let mut end = OPEN;
            if !self.lookups.is_empty() {
                end = self.looked_up(key, number, &indices, look, judge)?;
                let value = if case.same { case.gain.saturating_add(end) } else { case.gain.saturating_sub(end) };
                if end != OPEN && value >= won {
                    return Ok(Some(value));
                }
            }
            for line in &self.lines[case.lines.0 as usize..case.lines.1 as usize] {
                if self.holds(&line.tests, &look.planes) {
                    end = line.value;
                    let value = if case.same { case.gain + end } else { case.gain - end };
                    if value >= won {
                        return Ok(Some(value));
                    }
                    break;
                }
            }
            look.moves.push(number as u32);
            look.ends.push(end);
        }
        Ok(None)
    }

    /// Lists what was seen of the position that was just looked at.
    #[inline]
    fn list(&self, look: &mut Look) {
        if let (Some(placing), Some(move_masks)) = (&self.placing, look.move_masks.take()) {
            placing.list(&move_masks, look.mover, &mut look.moves, &mut look.ends);
        }
    }

    /// What the moves of the position that was just looked at end the game with, for the player to move then, or [`OPEN`]. Where it is
    /// known that the next move gives that player the most there is, this is said too.
    pub fn ends<'l>(&self, look: &'l mut Look) -> &'l [i64] {
        self.list(look);
        &look.ends
    }

    /// How promising the moves of the position that was just looked at are: more where they go through lines that are nearly complete.
    pub fn hints(&self, look: &mut Look, into: &mut Vec<i32>) {
        self.list(look);
        if let Some(placing) = &self.placing {
            return placing.hints(&look.planes, look.mover, (&look.moves, &look.ends), into);
        }
        let side = &self.sides[look.mover];
        for &number in &look.moves {
            let (begin, end) = side.cases[number as usize].near;
            let hint = self.near[begin as usize..end as usize].iter().map(|near| {
                let missing = (look.planes[near.plane as usize & (MOST_PLANES - 1)] ^ near.value) & near.mask;
                if missing & !look.planes[near.least as usize & (MOST_PLANES - 1)] != 0 {
                    return 0;
                }
                // Bits are counted only as far as they matter: older processors have no instruction for it.
                let but_one = missing & missing.wrapping_sub(1);
                let but_two = but_one & but_one.wrapping_sub(1);
                match (missing, but_one, but_two) {
                    (0, _, _) => NEAR,
                    (_, 0, _) => NEAR >> 3,
                    (_, _, 0) => NEAR >> 6,
                    _ => NEAR >> 9,
                }
            });
            into.push(hint.sum());
        }
    }

    /// Writes the options of the position that was just looked at; what it is worth if it has none.
    pub fn options(&self, key: &[u64], with_gains: bool, look: &mut Look, out: &mut Options) -> Option<i64> {
        self.list(look);
        out.codes.clear();
        out.same.clear();
        out.gains.clear();
        let side = &self.sides[look.mover];
        side.write_all_keys(key, look.moves.iter().copied(), &mut out.codes);
        let case = |number: &u32| &side.cases[*number as usize];
        out.same.extend(look.moves.iter().map(|number| u8::from(case(number).same)));
        if with_gains {
            out.gains.extend(look.moves.iter().map(|number| case(number).gain));
        }
        look.moves.is_empty().then_some(side.stuck)
    }
}

impl Side {
    /// Writes the keys that moves lead to.
    #[inline]
    fn write_all_keys(&self, key: &[u64], moves: impl ExactSizeIterator<Item = u32>, into: &mut Vec<u64>) {
        // Keys are mostly of one word or two.
        match *key {
            [a] => self.write_keys([a], moves, into),
            [a, b] => self.write_keys([a, b], moves, into),
            _ => {
                for number in moves {
                    let changes = &self.changes[number as usize * key.len()..][..key.len()];
                    into.extend(key.iter().zip(changes).map(|(word, (keep, set))| word & keep | set));
                }
            }
        }
    }

    /// Writes the keys after some moves, where a key has `W` words.
    #[inline]
    fn write_keys<const W: usize>(
        &self,
        key: [u64; W],
        moves: impl ExactSizeIterator<Item = u32>,
        into: &mut Vec<u64>,
    ) {
        let (changes, _) = self.changes.as_chunks::<W>();
        into.reserve(moves.len() * W);
        for number in moves {
            let changes = &changes[number as usize];
            into.extend_from_slice(&std::array::from_fn::<u64, W, _>(|word| {
                key[word] & changes[word].0 | changes[word].1
            }));
        }
    }
}
