//! What comes back from a method: answers for every position that it met.
//!
//! A method must say what a position is worth, how many positions it met, and what its answers rest on. Everything else
//! has a default that lists moves with the interpreter and rates them by verdicts ([`RatedMove`]), so that a new method is small.
//! Methods that know better override: a heap of 10^18 has too many moves to list, a row knows its whole line beforehand.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use game::{LoopyNimber, Outcome, OutcomeClass, Player, Remoteness, Verdict};
use rules::bind::{Bound, Position};
use rules::play::{self, Play};
use rules::show;

use crate::error::{Reason, SolveError};
use crate::part_values::PartValuer;
use crate::value_text::ValueText;
use positions::oracle::Keeps;

/// How many moves a list of moves holds before it is cut.
pub const MOST_MOVES: usize = 1000;

/// The value of one part of a sum, where parts are valued one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartValue {
    /// Its nimber.
    pub value: LoopyNimber,
    /// How soon its value was known: a winner makes headway towards lower ranks. `None` where no part can repeat.
    pub rank: Option<u32>,
}

/// What play from a position takes next.
#[derive(Clone, Debug)]
pub enum Next {
    /// A best move. `far` says that so much was looked at that a line for people had better stop.
    Move {
        /// The move.
        play: Play,
        /// Whether the line had better stop.
        far: bool,
    },
    /// The game is over.
    Over,
    /// The position was there before: play goes on for ever. With the number of the move that was made there, where
    /// that is known.
    Repeats(Option<u64>),
    /// The moves are not known: the table had no room for them.
    Unknown,
}

/// Goes along one line of best play and remembers what helps.
pub trait Walker {
    /// The next move from a position, which must be where the last one led.
    fn next(&mut self, position: &Position) -> Result<Next, SolveError>;
}

/// Tells the verdict on the option of a move.
pub type Rater<'a> = Box<dyn Fn(&Play) -> Option<Verdict> + 'a>;

/// The positions that can be checked.
pub type Positions<'a> = Box<dyn Iterator<Item = Position> + 'a>;

/// Positions with their values; an error where they cannot be read.
pub type Ordered<'a> = Box<dyn Iterator<Item = Result<(Position, Verdict), SolveError>> + 'a>;

/// Answers for every position that a method met.
pub trait Answers {
    /// What a position is worth to its mover; `None` if it was not met.
    fn verdict(&self, position: &Position) -> Option<Verdict>;

    /// How many positions were met; parts, heaps or items where the plan says so.
    fn positions(&self) -> u64;

    /// What the answer for this position rests on.
    fn proof(&self, position: &Position) -> Proof;

    /// All positions with a value (parts, where parts were valued), in no particular order.
    fn each(&self, turn: Player) -> Positions<'_>;

    /// One of them, chosen by a source of random numbers; `None` if none was found.
    fn random(&self, turn: Player, random: &mut dyn FnMut() -> u64) -> Option<Position>;

    /// All positions with a value, in the order of their cells: whose turn it is counts most, then the first cell. Only where
    /// the method keeps them so; what is read at a time fits in so many bytes.
    fn ordered(&self, room: u64) -> Option<Ordered<'_>> {
        let _ = room;
        None
    }

    /// How many positions [`Answers::each`] gives.
    fn size(&self) -> u64 {
        self.positions()
    }

    /// The value of one part, where parts were valued one by one.
    fn part(&self, part: &[i64]) -> Option<PartValue> {
        let _ = part;
        None
    }

    /// The canonical form of a position, where the method knows it.
    fn value_text(&self, position: &Position) -> Option<ValueText> {
        let _ = position;
        None
    }

    /// Hands out the canonical forms of parts, where the method has them; whether it does.
    fn part_values(&self, work: &mut dyn FnMut(&mut dyn PartValuer)) -> bool {
        let _ = work;
        false
    }

    /// Whether a canonical form is worth a look, where the method does not know it. A method that does without forms because
    /// they are too large says no.
    fn may_have_form(&self) -> bool {
        true
    }

    /// Whether the parts of a sum were valued one by one.
    fn by_parts(&self) -> bool {
        false
    }

    /// Whether the parts of a position must stand where they stood at the start, for the method knows them by their places.
    fn knows_parts_by_place(&self) -> bool {
        false
    }

    /// Whether each best move beyond the first is work of its own, so that no more are asked for than are needed.
    fn proves_on_demand(&self) -> bool {
        false
    }

    /// Whether the method knows how long play lasts.
    fn knows_lengths(&self) -> bool {
        true
    }

    /// Whether best play can go on for ever.
    fn may_repeat(&self) -> bool {
        false
    }

    /// How long play lasts, also where that does not fit in a verdict.
    fn remoteness(&self, position: &Position) -> Option<u64> {
        self.verdict(position)?.remoteness().map(u64::from)
    }

    /// What the mover is ahead from a position on, also where that does not fit in 64 bits.
    fn lead(&self, position: &Position) -> Option<i128> {
        match self.verdict(position)? {
            Verdict::Score(value) => Some(value.into()),
            _ => None,
        }
    }

    /// What each player gets from the start on, where that is known without playing. An error if it does not fit.
    fn totals(&self, game: &Bound) -> Result<Option<Box<[i64]>>, SolveError> {
        let _ = game;
        Ok(None)
    }

    /// A number that is the same for positions that only differ in what does not matter: the order of parts, or parts
    /// where nobody can move.
    fn number(&self, position: &Position) -> u64 {
        let mut hasher = DefaultHasher::new();
        position.parts.hash(&mut hasher);
        hasher.finish()
    }

    /// Rates moves of a position by the verdicts on their options.
    fn rater<'a>(&'a self, position: &'a Position) -> Result<Rater<'a>, SolveError> {
        Ok(Box::new(move |play| self.verdict(&play.option(position))))
    }

    /// These legal moves of a position, a best one among them, rated for the player to move.
    fn rated(&self, game: &Bound, position: &Position, plays: Vec<Play>) -> Result<Vec<RatedMove>, SolveError> {
        let verdict = self.verdict(position).ok_or_else(|| self.missing(game, position))?;
        let rater = self.rater(position)?;
        let mut rated = Vec::with_capacity(plays.len());
        for play in plays {
            let option = rater(&play).ok_or_else(|| self.missing(game, &play.option(position)))?;
            rated.push(RatedMove::new(play, &option, position.turn)?);
        }
        Ok(marked(rated, position, verdict.remoteness()))
    }

    /// Why a position that should have a value has none: a limit, where values are worked out as they are asked for.
    fn missing(&self, game: &Bound, position: &Position) -> SolveError {
        unknown(game, position)
    }

    /// Why the method gave up on a position, where values are worked out as they are asked for and another method may have them.
    fn gave_up(&self) -> Option<Reason> {
        None
    }

    /// Every legal move of a position that was met, in order, rated for the player to move.
    fn moves(&self, game: &Bound, position: &Position) -> Result<Vec<RatedMove>, SolveError> {
        self.rated(game, position, play::plays(game, position)?)
    }

    /// At most `most` best moves of a position, in order.
    fn best(&self, game: &Bound, position: &Position, most: usize) -> Result<BestMoves, SolveError> {
        Ok(BestMoves::among(self.moves(game, position)?, most))
    }

    /// At most `most` moves after which the nimber of the position is this one, or any moves at all, in order, and
    /// whether there are more. `None` where they are to be listed and compared.
    fn moves_to(
        &self,
        game: &Bound,
        position: &Position,
        nimber: Option<game::Nimber>,
        most: usize,
    ) -> Result<Option<(Vec<Play>, bool)>, SolveError> {
        let _ = (game, position, nimber, most);
        Ok(None)
    }

    /// Whether positions may have more moves than can be listed. [`Answers::best`] then finds the best ones from values.
    fn has_many_moves(&self) -> bool {
        false
    }

    /// How many legal moves a position has, where that is known without listing them.
    fn count(&self, position: &Position) -> Option<u128> {
        let _ = position;
        None
    }

    /// How much is read to rate the moves of a position, in numbers, where that is not next to nothing.
    fn effort(&self, position: &Position) -> Effort {
        let _ = position;
        Effort::default()
    }

    /// Goes along a line of best play from a position: winners hurry, losers linger, otherwise the first best move is taken.
    fn walker<'a>(&'a self, game: &'a Bound, from: &Position) -> Result<Box<dyn Walker + 'a>, SolveError> {
        let _ = from;
        Ok(Box::new(TableWalker::new(self, game)))
    }
}

/// Who wins whoever starts, from the verdicts with one or the other player to move.
pub(crate) fn outcome_class(answers: &dyn Answers, start: &Position) -> Option<OutcomeClass> {
    let outcome = |player: Player| answers.verdict(&Position { turn: player, ..start.clone() })?.outcome();
    let (first, second) = (outcome(Player::FIRST)?, outcome(Player::FIRST.other())?);
    Some(OutcomeClass::new(first == Outcome::Win, second == Outcome::Loss))
}

/// What rating the moves of a position takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// How many moves there are to rate, where that is known.
    pub moves: u64,
    /// How many numbers are read beside.
    pub numbers: u64,
}

/// The error for a sum that is not lost and has no move to keep that.
pub(crate) fn no_move() -> SolveError {
    SolveError::internal("no move keeps the value of a sum")
}

/// The error for a position that should have a value.
pub fn unknown(game: &Bound, position: &Position) -> SolveError {
    SolveError::internal(format!("the position {} has no value", show::position_text(game, position)))
}

/// What stopped the work on the position that was asked for last, if anything did.
#[derive(Default)]
pub(crate) struct LastStop(RefCell<Option<SolveError>>);

impl LastStop {
    /// What was found, if anything was and nothing stopped the work. What stopped it before is forgotten.
    pub fn unless<T>(&self, done: Result<Option<T>, impl Into<SolveError>>) -> Option<T> {
        let (found, why) = match done {
            Ok(found) => (found, None),
            Err(error) => (None, Some(error.into())),
        };
        self.0.replace(why);
        found
    }

    /// What stopped it.
    pub fn why(&self) -> Option<SolveError> {
        self.0.borrow().clone()
    }
}

/// Takes the best move that a table of positions shows.
pub(crate) struct TableWalker<'a, A: ?Sized> {
    answers: &'a A,
    game: &'a Bound,
    /// Where play may repeat: the positions that were there, with the number of the move made in each.
    visited: Option<HashMap<(u64, Player), u64>>,
    number: u64,
}

impl<'a, A: Answers + ?Sized> TableWalker<'a, A> {
    pub fn new(answers: &'a A, game: &'a Bound) -> TableWalker<'a, A> {
        TableWalker { answers, game, visited: answers.may_repeat().then(HashMap::new), number: 0 }
    }
}

impl<A: Answers + ?Sized> Walker for TableWalker<'_, A> {
    fn next(&mut self, position: &Position) -> Result<Next, SolveError> {
        let Some(play) = self.answers.best(self.game, position, 1)?.first() else { return Ok(Next::Over) };
        self.number += 1;
        if let Some(visited) = &mut self.visited {
            let place = (self.answers.number(position), position.turn);
            if let Some(before) = visited.insert(place, self.number) {
                return Ok(Next::Repeats(Some(before)));
            }
        }
        Ok(Next::Move { play, far: false })
    }
}

/// What an answer rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Every position that counts was valued.
    Table,
    /// A search proved it, move by move, without a table of all positions.
    Search,
    /// A theorem, by name.
    Theorem(String),
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Proof::Table => f.write_str("table"),
            Proof::Search => f.write_str("search"),
            Proof::Theorem(name) => write!(f, "theorem: {name}"),
        }
    }
}

/// A legal move with what is known of it; in a sum of different games, that concerns the whole sum.
#[derive(Clone, Debug)]
pub struct RatedMove {
    /// The move.
    pub play: Play,
    /// What playing it is worth to the player who moves: gains and all that follows. The remoteness counts this move.
    pub worth: Verdict,
    /// The nimber of what it leaves, where the game has them.
    pub leaves: Option<LoopyNimber>,
    /// Whether it keeps the result.
    pub best: bool,
    /// Whether it is one of the best that also attain the remoteness.
    pub fast: bool,
}

impl RatedMove {
    /// A move whose option has this verdict.
    pub fn new(play: Play, option: &Verdict, mover: Player) -> Result<RatedMove, SolveError> {
        let worth = worth(&play, option, mover)?;
        Ok(RatedMove { leaves: option.loopy(), ..RatedMove::worth(play, worth) })
    }

    /// A move that is worth so much.
    pub fn worth(play: Play, worth: Verdict) -> RatedMove {
        RatedMove { play, worth, leaves: None, best: false, fast: false }
    }
}

/// Some best moves of a position, in order.
#[derive(Clone, Debug, Default)]
pub struct BestMoves {
    /// Those that keep the result.
    pub best: Vec<Play>,
    /// Those of them that attain the remoteness; empty where that is not known.
    pub fast: Vec<Play>,
    /// Whether there are more of the first.
    pub cut: bool,
}

impl BestMoves {
    /// At most `most` of those among rated moves.
    pub fn among(moves: Vec<RatedMove>, most: usize) -> BestMoves {
        let cut = moves.iter().filter(|mv| mv.best).count() > most;
        let fast = moves.iter().filter(|mv| mv.fast).take(most).map(|mv| mv.play.clone()).collect();
        let best = moves.into_iter().filter(|mv| mv.best).take(most).map(|mv| mv.play).collect();
        BestMoves { best, fast, cut }
    }

    /// The move that perfect play makes: a fast one, else a best one.
    pub fn first(self) -> Option<Play> {
        self.fast.into_iter().chain(self.best).next()
    }
}

/// Marks the best moves, and those of them that attain the remoteness of the position. One of the moves must be best.
pub fn marked(mut rated: Vec<RatedMove>, position: &Position, wanted: Remoteness) -> Vec<RatedMove> {
    let mover = position.turn;
    let best = rated.iter().map(|mv| &mv.worth).max_by(|a, b| a.prefer(b, mover)).cloned();
    let Some(best) = best else { return rated };
    for mv in &mut rated {
        mv.best = mv.worth.keeps(&best, mover);
        mv.fast = mv.best && wanted.is_some() && mv.worth.remoteness() == wanted;
    }
    rated
}

/// What a move is worth to the mover, from the verdict on its option.
fn worth(play: &Play, option: &Verdict, mover: Player) -> Result<Verdict, SolveError> {
    let same = play.turn == mover;
    Ok(match option {
        Verdict::Score(value) => {
            let gain = Keeps::Score.gain(&play.gains, mover)?;
            let value = if same { Some(*value) } else { value.checked_neg() };
            Verdict::Score(value.and_then(|value| gain.checked_add(value)).ok_or(SolveError::Overflow)?)
        }
        Verdict::Payoffs { totals, .. } => {
            let add = |(player, total): (usize, &i64)| {
                play.gains.get(player).copied().unwrap_or(0).checked_add(*total).ok_or(SolveError::Overflow)
            };
            let totals = totals.iter().enumerate().map(add).collect::<Result<_, _>>()?;
            Verdict::Payoffs { totals, unique: None }
        }
        verdict => {
            let outcome = verdict.outcome().unwrap_or(game::Outcome::Draw);
            let remoteness = verdict.remoteness().map(|moves| moves + 1);
            Verdict::outcome_in(if same { outcome } else { -outcome }, remoteness)
        }
    })
}
