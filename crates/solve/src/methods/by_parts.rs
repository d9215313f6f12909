//! Answers for sums whose parts have values: the value of the whole is the sum of theirs. A line of best play through them
//! ([`SumWalker`]). What it takes to value the parts ([`parts_cost`]).

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use engine::graph::{Graph, Id};
use engine::loopy::{ComponentMove, LoopyValues, Rests, choose};
use engine::monitor::Monitor;
use engine::sample::{Allowance, Count};
use engine::valuation::Nimbers;
use engine::{Error, Limit};
use game::{LoopyNimber, Outcome, Player, Verdict};
use rules::bind::{Bound, Position};
use rules::play::{self, Play};

use super::graphs::random_id;
use super::sampling::{FIRST_LOOK_SECONDS, LARGEST_PART};
use crate::answers::{Answers, Next, PartValue, Positions, Proof, Rater, Walker, no_move};
use crate::case::Case;
use crate::error::SolveError;
use crate::methods::Cost;
use crate::stopping::scope;
use positions::cost;
use positions::oracle::Keeps;
use positions::oracle::Numbered;
use positions::parts::Parts;
use positions::remembered::Remembered;

/// Values of parts.
pub(crate) trait PartValues {
    /// The value of a part; `None` if it was not met.
    fn value(&self, part: &[i64]) -> Option<PartValue>;
    /// How many parts were met.
    fn parts(&self) -> u64;
    /// All parts with a value.
    fn each(&self) -> Box<dyn Iterator<Item = Box<[i64]>> + '_>;
    /// One of them; `None` if none was found.
    fn random(&self, random: &mut dyn FnMut() -> u64) -> Option<Box<[i64]>>;
}

/// A sum whose parts have values. A game that is no sum is a sum of one part.
pub(crate) struct ByParts<V> {
    pub values: V,
    /// The theorem by which values add up.
    pub theorem: &'static str,
}

impl<V: PartValues> ByParts<V> {
    fn rests(&self, position: &Position) -> Option<Rests> {
        let values = position.parts.iter().map(|part| self.values.value(part).map(|part| part.value));
        values.collect::<Option<Vec<LoopyNimber>>>().map(Rests::new)
    }
}

impl<V: PartValues> Answers for ByParts<V> {
    fn verdict(&self, position: &Position) -> Option<Verdict> {
        self.rests(position).map(|rests| rests.whole().into())
    }

    fn positions(&self) -> u64 {
        self.values.parts()
    }

    fn proof(&self, _: &Position) -> Proof {
        Proof::Theorem(self.theorem.to_string())
    }

    fn part(&self, part: &[i64]) -> Option<PartValue> {
        self.values.value(part)
    }

    fn by_parts(&self) -> bool {
        true
    }

    /// Only the part that a move changes is looked at.
    fn rater<'a>(&'a self, position: &'a Position) -> Result<Rater<'a>, SolveError> {
        let rests = self.rests(position).ok_or_else(|| SolveError::internal("a part has no value"))?;
        Ok(Box::new(move |play| {
            let mut value = rests.beside(play.part);
            for part in &play.into {
                value = &value + &self.values.value(part)?.value;
            }
            Some(value.into())
        }))
    }

    fn each(&self, turn: Player) -> Positions<'_> {
        Box::new(self.values.each().map(move |part| Position { parts: vec![part], turn }))
    }

    fn random(&self, turn: Player, random: &mut dyn FnMut() -> u64) -> Option<Position> {
        self.values.random(random).map(|part| Position { parts: vec![part], turn })
    }

    fn walker<'a>(&'a self, game: &'a Bound, _: &Position) -> Result<Box<dyn Walker + 'a>, SolveError> {
        Ok(Box::new(SumWalker::new(self, game)))
    }
}

/// The parts of a sum by their numbers in a graph. The positions of a game that is no sum are parts, too.
pub(super) struct NumberedParts<'b, V> {
    pub graph: Box<dyn Numbered + 'b>,
    pub values: V,
}

/// Values by the numbers of parts.
pub(super) trait ByNumber {
    /// The value of a part that was settled.
    fn by_number(&self, id: Id) -> Option<PartValue>;
}

impl ByNumber for Nimbers {
    fn by_number(&self, id: Id) -> Option<PartValue> {
        Some(PartValue { value: LoopyNimber::Finite(self.get(id)?), rank: None })
    }
}

impl ByNumber for LoopyValues {
    fn by_number(&self, id: Id) -> Option<PartValue> {
        Some(PartValue { value: self.get(id)?, rank: Some(self.rank(id)) })
    }
}

impl<V: ByNumber> NumberedParts<'_, V> {
    /// The part of a number; `None` for nothing at all, which has a number, too.
    fn part(&self, id: Id) -> Option<Box<[i64]>> {
        self.values.by_number(id)?;
        self.graph.position(id).parts.into_iter().next()
    }
}

impl<V: ByNumber> PartValues for NumberedParts<'_, V> {
    fn value(&self, part: &[i64]) -> Option<PartValue> {
        self.values.by_number(self.graph.find_part(part)?)
    }

    fn parts(&self) -> u64 {
        let is_nothing = !self.graph.is_empty() && self.graph.position(0).parts.is_empty();
        self.graph.len() as u64 - u64::from(is_nothing)
    }

    fn each(&self) -> Box<dyn Iterator<Item = Box<[i64]>> + '_> {
        Box::new((0..self.graph.len() as Id).filter_map(|id| self.part(id)))
    }

    fn random(&self, random: &mut dyn FnMut() -> u64) -> Option<Box<[i64]>> {
        random_id(self.graph.len() as Id, random, |id| self.part(id))
    }
}

/// How many parts a walk through a sum may look at before it has gone far.
const MOST_PARTS: usize = 20_000_000;

/// A part, looked at once: its value and its moves.
struct Part {
    value: LoopyNimber,
    moves: Vec<ComponentMove<Play>>,
}

/// Takes best moves through a sum whose parts have values.
///
/// This need not look at whole positions, of which there may be very many, but only at the moves of each different part,
/// once. See [`choose`].
pub(crate) struct SumWalker<'a, A: ?Sized> {
    answers: &'a A,
    game: &'a Bound,
    known: HashMap<Box<[i64]>, Rc<Part>>,
    /// Drawn positions of the line, hashed. Should two ever share a hash, a line is cut short that need not be.
    visited: HashSet<u64>,
    looked: usize,
}

impl<'a, A: Answers + ?Sized> SumWalker<'a, A> {
    pub fn new(answers: &'a A, game: &'a Bound) -> SumWalker<'a, A> {
        SumWalker { answers, game, known: HashMap::new(), visited: HashSet::new(), looked: 0 }
    }

    /// A move of a part on its own as a move in part `index` of a sum.
    fn played_in(&self, play: &Play, index: usize, mover: Player) -> Play {
        let mut play = play.clone();
        play.turn = mover.next(self.game.players);
        if let Some(name) = play.label.strip_suffix(" in part 0").filter(|_| self.game.program.sum.is_some()) {
            play.label = format!("{name} in part {index}");
        }
        play.part = index;
        play
    }

    fn look(&mut self, part: &[i64]) -> Result<Rc<Part>, SolveError> {
        if let Some(known) = self.known.get(part) {
            return Ok(Rc::clone(known));
        }
        let missing = || SolveError::internal("a part has no value");
        let position = Position { parts: vec![part.into()], turn: Player::FIRST };
        let own = self.answers.part(part).ok_or_else(missing)?;
        let mut moves = Vec::new();
        for play in play::plays(self.game, &position)? {
            let mut ranks = Vec::with_capacity(play.into.len());
            let mut value = LoopyNimber::Finite(0);
            for part in &play.into {
                let part = self.answers.part(part).ok_or_else(missing)?;
                ranks.extend(part.rank);
                value = &value + &part.value;
            }
            ranks.sort_unstable_by(|a, b| b.cmp(a));
            moves.push(ComponentMove { play, value, ranks, rank: own.rank });
        }
        let looked = Rc::new(Part { value: own.value, moves });
        self.known.insert(part.into(), Rc::clone(&looked));
        Ok(looked)
    }
}

impl<A: Answers + ?Sized> Walker for SumWalker<'_, A> {
    fn next(&mut self, position: &Position) -> Result<Next, SolveError> {
        let looked = position.parts.iter().map(|part| self.look(part));
        let parts = looked.collect::<Result<Vec<Rc<Part>>, _>>()?;
        let rests = Rests::new(parts.iter().map(|part| part.value.clone()).collect());
        let outcome = rests.whole().outcome();
        if outcome == Outcome::Draw && !self.visited.insert(hash(position)) {
            return Ok(Next::Repeats(None));
        }
        let Some((index, reply)) = choose(parts.iter().map(|part| &part.moves[..]), &rests) else {
            return if outcome == Outcome::Loss { Ok(Next::Over) } else { Err(no_move()) };
        };
        self.looked += position.parts.len();
        let play = self.played_in(&parts[index].moves[reply].play, index, position.turn);
        Ok(Next::Move { play, far: self.looked > MOST_PARTS })
    }
}

fn hash(position: &Position) -> u64 {
    let mut hasher = DefaultHasher::new();
    position.parts.hash(&mut hasher);
    position.turn.0.hash(&mut hasher);
    hasher.finish()
}

/// What the parts of a sum may take to be looked at: their number and what they take are found from a few.
const PARTS: u64 = 50_000;

/// What it takes to value the parts of a sum one by one: counted where they are few, else from the number of their codes. And
/// the parts that were looked at.
pub(super) fn parts_cost<'b>(
    case: &Case<'b>,
    monitor: &mut Monitor,
) -> Result<(Cost, Option<Remembered<'b>>), SolveError> {
    let _scope = scope(monitor);
    match look_at_parts(case, monitor) {
        Ok(cost) => Ok(cost),
        Err(error @ (Error::Interrupted { .. } | Error::Limit { limit: Limit::Time { .. }, .. })) => Err(error.into()),
        // The method itself says what is wrong.
        Err(_) => Ok((Cost::default(), None)),
    }
}

fn look_at_parts<'b>(case: &Case<'b>, monitor: &mut Monitor) -> Result<(Cost, Option<Remembered<'b>>), Error> {
    if case.bound.layout.size().is_none_or(|size| size > LARGEST_PART) {
        return Ok((Cost::default(), None));
    }
    let memory = monitor.memory().clone();
    let mut parts = Parts::new(case.bound, Keeps::Outcome, &memory)?;
    for part in &case.start.parts {
        parts.number(part)?;
    }
    let roots = parts.len();
    let mut parts = Remembered::new(Box::new(parts), Keeps::Outcome, false, &memory).of_parts();
    let mut count = Count::new(&mut parts, roots, monitor.memory());
    let allowance = Allowance { work: PARTS, seconds: FIRST_LOOK_SECONDS, despairs: false };
    let counted = count.go_on(allowance, monitor)?;
    let (steps, options) = (count.mean_steps(), count.mean_options());
    // Nothing at all has a number, too, but is no part.
    let size = || case.bound.layout.size().unwrap_or(0) as f64;
    let positions = counted.map_or_else(size, |sample| sample.positions - 1.0);
    Ok((cost::parts(positions, options, steps), Some(parts)))
}
