//! The parts of a game that the last mover wins, by number, and the options of each; or of one that the last mover loses.
//!
//! A game that is no sum is a sum of one part. That the game is of the kind is not believed but seen, part by part: nobody gains,
//! turns alternate, and a player without a move loses. Where a game must be impartial, both players must have the same options.
//! So a part that is met here has one and the same set of options for whoever moves, which is what the theorems about nimbers
//! ask for.

use game::{End, Outcome, Player};
use rules::bind::Bound;
use rules::fault::Fault;
use rules::interpreter::Interpreter;
use rules::show;
use rules::stop::Held;

use crate::places::{pack, unpack};
use crate::refusal::Refusal;
use crate::store::{Id, Store};

/// The options of a part: for each move how many parts take its place, and their numbers, ascending.
pub type Options = Vec<Id>;

/// The options one by one.
pub fn each(options: &[Id]) -> impl Iterator<Item = &[Id]> {
    let mut rest = options;
    std::iter::from_fn(move || {
        let (&count, after) = rest.split_first()?;
        let (into, others) = after.split_at_checked(count as usize)?;
        rest = others;
        Some(into)
    })
}

/// Parts in an order in which every part stands behind its options. Parts that come back, and those that lead to them, are left out.
pub fn in_order(parts: &[Options]) -> Vec<usize> {
    let mut before = vec![Vec::new(); parts.len()];
    let mut left = vec![0usize; parts.len()];
    for (id, options) in parts.iter().enumerate() {
        for part in each(options).flatten() {
            before[*part as usize].push(id);
            left[id] += 1;
        }
    }
    let mut order: Vec<usize> = (0..parts.len()).filter(|id| left[*id] == 0).collect();
    let mut next = 0;
    while let Some(&id) = order.get(next) {
        next += 1;
        for &previous in &before[id] {
            left[previous] -= 1;
            if left[previous] == 0 {
                order.push(previous);
            }
        }
    }
    order
}

/// Parts of a game that the last mover always wins, or always loses.
pub struct NormalParts<'b> {
    bound: &'b Bound,
    interpreter: Interpreter<'b>,
    store: Store,
    words: Vec<u64>,
    cells: Vec<i64>,
    /// What a player without a move gets.
    stuck: Outcome,
}

impl<'b> NormalParts<'b> {
    /// No parts yet. Refuses games that are not won by the last mover.
    pub fn new(bound: &'b Bound) -> Result<NormalParts<'b>, Refusal> {
        NormalParts::ending_in(bound, Outcome::Loss)
    }

    /// No parts yet. Refuses games in which a player without a move does not get this.
    pub fn ending_in(bound: &'b Bound, stuck: Outcome) -> Result<NormalParts<'b>, Refusal> {
        if bound.players != 2 || bound.program.counted {
            return Err(Refusal::wrong("values of parts are for two players who win or lose"));
        }
        let mut interpreter = Interpreter::new(bound);
        if bound.program.sum.is_some() {
            for player in [Player::FIRST, Player::SECOND] {
                ends_in(&interpreter.stuck(&[], player)?, stuck)?;
            }
        }
        let (words, cells) = (vec![0; bound.layout.words()], vec![0; bound.layout.cells()]);
        Ok(NormalParts { bound, interpreter, store: Store::new(), words, cells, stuck })
    }

    /// How many parts there are.
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// The number of a part, which is added where it is new.
    pub fn enter(&mut self, part: &[i64]) -> Result<Id, Refusal> {
        let key: Vec<u32> = pack(self.bound, &mut self.words, part).collect();
        Ok(self.store.enter(&key)?)
    }

    /// The cells of a part.
    pub fn cells(&mut self, id: Id) -> &[i64] {
        unpack(self.bound, self.store.key(id), &mut self.words, &mut self.cells);
        &self.cells
    }

    /// A part as one line of text.
    pub fn text(&mut self, id: Id) -> String {
        let bound = self.bound;
        show::cut(500, &show::part_text(bound, self.cells(id)))
    }

    /// The options of a part, which are the same for both players.
    pub fn options(&mut self, id: Id) -> Result<Options, Refusal> {
        let cells: Box<[i64]> = self.cells(id).into();
        let first = self.options_of(&cells, Player::FIRST)?;
        let second = self.options_of(&cells, Player::SECOND)?;
        if first != second && sorted(&first) != sorted(&second) {
            return Err(Refusal::wrong("the players have different moves, so that there is no nimber"));
        }
        Ok(first)
    }

    /// The options of one player in a part.
    pub fn options_for(&mut self, id: Id, mover: Player) -> Result<Options, Refusal> {
        let cells: Box<[i64]> = self.cells(id).into();
        self.options_of(&cells, mover)
    }

    /// The options of a player; none where the game is over.
    fn options_of(&mut self, cells: &[i64], mover: Player) -> Result<Options, Refusal> {
        let single = self.bound.program.sum.is_none();
        if single && let Some(end) = self.interpreter.end(cells, mover)? {
            ends_in(&end, self.stuck)?;
            return Ok(Vec::new());
        }
        let (bound, words, store) = (self.bound, &mut self.words, &mut self.store);
        let mut options: Options = Vec::new();
        let mut held = Held::default();
        let mut turns = true;
        self.interpreter.moves(cells, mover, &mut |effect| {
            turns &= effect.turn == mover.other();
            let whole = [Box::from(effect.after)];
            let mut into = Vec::new();
            for part in effect.split.unwrap_or(&whole) {
                into.push(store.enter(&pack(bound, words, part).collect::<Vec<u32>>()).map_err(Fault::from)?);
            }
            into.sort_unstable();
            held.grow(8 + 8 * into.len() as u64)?;
            options.push(into.len() as Id);
            options.extend(into);
            Ok(())
        })?;
        if !turns {
            return Err(Refusal::wrong("turns do not alternate, so that parts have no values"));
        }
        if single && options.is_empty() {
            ends_in(&self.interpreter.stuck(cells, mover)?, self.stuck)?;
        }
        Ok(options)
    }
}

/// The different options in an order of their own.
fn sorted(options: &[Id]) -> Vec<&[Id]> {
    let mut sorted: Vec<&[Id]> = each(options).collect();
    sorted.sort_unstable();
    sorted.dedup();
    sorted
}

fn ends_in(end: &End, wanted: Outcome) -> Result<(), Refusal> {
    match end {
        End::Outcome(outcome) if *outcome == wanted => Ok(()),
        _ => {
            let does = if wanted == Outcome::Loss { "win" } else { "lose" };
            Err(Refusal::wrong(format!("the last mover does not always {does}, so that parts have no values")))
        }
    }
}
