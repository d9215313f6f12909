//! Best play through a sum whose parts have values.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use engine::loopy::Rests;
use game::{LoopyNimber, Outcome, Player};
use rules::bind::{Bound, Position};
use rules::play::{self, Play};

use crate::answers::{Answers, Next, Walker};
use crate::error::SolveError;

/// How many parts a walk through a sum may look at before it has gone far.
const MOST_PARTS: usize = 20_000_000;

/// A part, looked at once: its value and rank, and its moves.
struct Part {
    value: LoopyNimber,
    rank: Option<u32>,
    moves: Vec<Reply>,
}

/// A move in a part with the value of what it leads to, and the ranks of the parts of that, highest first.
struct Reply {
    play: Play,
    value: LoopyNimber,
    ranks: Vec<u32>,
}

/// Takes best moves through a sum whose parts have values.
///
/// This need not look at whole positions, of which there may be very many, but only at the moves of each different part,
/// once. Moving to value 0 keeps a win but need not bring it nearer where parts can repeat: two players could go round for
/// ever between positions that one of them wins. So the winner moves to the 0 whose parts have the lowest ranks, compared
/// as multisets, the highest rank first. Whatever the loser does, some answer lowers them; the one that lowers them most is
/// taken, and since such a descent ends, so does the game. Parts that cannot repeat have no rank, and the first move is
/// taken.
pub(crate) struct SumWalker<'a, A: ?Sized> {
    answers: &'a A,
    game: &'a Bound,
    known: HashMap<Box<[i64]>, Rc<Part>>,
    /// Drawn positions of the line, hashed. Should two ever share a hash, a line is cut short that need not be.
    seen: HashSet<u64>,
    looked: usize,
}

impl<'a, A: Answers + ?Sized> SumWalker<'a, A> {
    pub fn new(answers: &'a A, game: &'a Bound) -> SumWalker<'a, A> {
        SumWalker { answers, game, known: HashMap::new(), seen: HashSet::new(), looked: 0 }
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
        let alone = Position { parts: vec![part.into()], turn: Player::FIRST };
        let mut moves = Vec::new();
        for play in play::plays(self.game, &alone)? {
            let mut ranks = Vec::with_capacity(play.into.len());
            let mut value = LoopyNimber::Finite(0);
            for part in &play.into {
                let part = self.answers.part(part).ok_or_else(missing)?;
                ranks.extend(part.rank);
                value = &value + &part.value;
            }
            ranks.sort_unstable_by(|a, b| b.cmp(a));
            moves.push(Reply { play, value, ranks });
        }
        let own = self.answers.part(part).ok_or_else(missing)?;
        let looked = Rc::new(Part { value: own.value, rank: own.rank, moves });
        self.known.insert(part.into(), Rc::clone(&looked));
        Ok(looked)
    }
}

impl<A: Answers + ?Sized> Walker for SumWalker<'_, A> {
    fn next(&mut self, position: &Position) -> Result<Next, SolveError> {
        let looked = position.parts.iter().map(|part| self.look(part));
        let parts = looked.collect::<Result<Vec<Rc<Part>>, _>>()?;
        let rests = Rests::new(parts.iter().map(|part| part.value.clone()).collect());
        let chosen = match rests.whole().outcome() {
            Outcome::Win => win(&parts, &rests),
            Outcome::Loss => {
                let moves = parts.iter().enumerate().map(|(index, part)| (index, part.moves.first()));
                let mut moves = moves.filter_map(|(index, reply)| Some((index, reply?)));
                match moves.next() {
                    None => return Ok(Next::Over),
                    first => first,
                }
            }
            Outcome::Draw if !self.seen.insert(hash(position)) => return Ok(Next::Repeats(None)),
            Outcome::Draw => keep_drawn(&parts, &rests),
        };
        let Some((index, reply)) = chosen else {
            return Err(SolveError::internal("no move keeps the value of a sum"));
        };
        self.looked += position.parts.len();
        let play = self.played_in(&reply.play, index, position.turn);
        Ok(Next::Move { play, far: self.looked > MOST_PARTS })
    }
}

/// The move to 0 that leaves the lowest ranks.
fn win<'p>(parts: &'p [Rc<Part>], rests: &Rests) -> Option<(usize, &'p Reply)> {
    let mut best: Option<(usize, &Reply)> = None;
    for (index, part) in parts.iter().enumerate() {
        let LoopyNimber::Finite(beside) = rests.beside(index) else { continue };
        for reply in part.moves.iter().filter(|reply| reply.value == LoopyNimber::Finite(beside)) {
            let lower = best.is_none_or(|(held, best)| {
                compare_ranks((&reply.ranks, part.rank), (&best.ranks, parts[held].rank)) == Ordering::Less
            });
            if lower {
                best = Some((index, reply));
            }
        }
    }
    best
}

/// Compares two moves from one sum by what they leave: the ranks that come in and the one that goes.
///
/// The multisets of all ranks after the moves are ordered as they are when both get the two ranks that go, and the rest
/// of the sum is taken from both.
pub(crate) fn compare_ranks(
    (ours, our_old): (&[u32], Option<u32>),
    (theirs, their_old): (&[u32], Option<u32>),
) -> Ordering {
    let with = |ranks: &[u32], old: Option<u32>| {
        let mut all = ranks.to_vec();
        if let Some(old) = old {
            all.insert(ranks.partition_point(|&rank| rank > old), old);
        }
        all
    };
    with(ours, their_old).cmp(&with(theirs, our_old))
}

/// The first move after which the sum is still drawn.
fn keep_drawn<'p>(parts: &'p [Rc<Part>], rests: &Rests) -> Option<(usize, &'p Reply)> {
    parts.iter().enumerate().find_map(|(index, part)| {
        let beside = rests.beside(index);
        let drawn = |reply: &&Reply| (&reply.value + &beside).outcome() == Outcome::Draw;
        part.moves.iter().find(drawn).map(|reply| (index, reply))
    })
}

fn hash(position: &Position) -> u64 {
    let mut hasher = DefaultHasher::new();
    position.parts.hash(&mut hasher);
    position.turn.0.hash(&mut hasher);
    hasher.finish()
}
