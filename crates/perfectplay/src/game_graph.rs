//! Games written in Rust as engines see them: positions have numbers, and what a game says of them is checked.

use engine::Error;
use engine::graph::{Edge, Ending, Expansion, Graph, Id};
use engine::interner::{Interner, Values as Keys};
use engine::memory::Memory;
use engine::valuation::difference;
use game::{End, Game, Outcome, Player};

/// Gives a position its number.
pub(crate) type Numbering<'n, P> = &'n mut dyn FnMut(P) -> Result<Id, Error>;

/// Reads what a game says of its positions, and remembers of what kind it is.
pub(crate) struct Reader<'g, G> {
    pub(crate) game: &'g G,
    /// Whether expansions say what each player gains, else only the difference between two.
    payoffs: bool,
    /// Whether gains were met.
    pub(crate) counted: bool,
    /// Whether ends were met that are won, lost or drawn.
    won: bool,
    /// Whether the last mover must win, and turns alternate.
    last_mover: bool,
}

impl<'g, G: Game> Reader<'g, G> {
    /// Nothing is read yet. With `payoffs`, expansions say what each player gains, else only the difference between two. With
    /// `last_mover`, it must be the last mover who wins.
    pub(crate) fn new(game: &'g G, payoffs: bool, last_mover: bool) -> Reader<'g, G> {
        Reader { game, payoffs, counted: false, won: false, last_mover }
    }

    /// A reader of a game with gains.
    pub(crate) fn counting(self) -> Reader<'g, G> {
        Reader { counted: true, ..self }
    }

    /// Notes gains, none of which stands for zeros, and gives the difference if that is what is wanted.
    fn gain(&mut self, gains: &[i64], mover: Player, into: &mut Vec<i64>) -> Result<i64, Error> {
        let players = self.game.players();
        if !gains.is_empty() && gains.len() != players {
            return Err(Error::NotApplicable(format!("{} gains in a game for {players}", gains.len())));
        }
        self.counted |= !gains.is_empty();
        if !self.payoffs {
            return if gains.is_empty() { Ok(0) } else { difference(gains, mover) };
        }
        if gains.is_empty() {
            into.resize(into.len() + players, 0);
        }
        into.extend_from_slice(gains);
        Ok(0)
    }

    fn end(&mut self, end: End, into: &mut Expansion) -> Result<(), Error> {
        let gains = match end {
            End::Outcome(outcome) => {
                if self.last_mover && outcome != Outcome::Loss {
                    let why = "nimbers are for games in which who cannot move loses, and an end is something else";
                    return Err(Error::NotApplicable(why.into()));
                }
                self.won = true;
                into.end = Some(Ending::Outcome(outcome));
                return Ok(());
            }
            End::Gains(gains) => gains,
        };
        self.counted = true;
        let score = self.gain(&gains, into.mover, &mut into.gains)?;
        into.end = Some(if self.payoffs { Ending::Payoffs } else { Ending::Score(score) });
        Ok(())
    }

    /// A game is won or counted, not both, and only two can win and lose.
    fn check(&self) -> Result<(), Error> {
        let wrong = |why: &str| Err(Error::NotApplicable(why.into()));
        if self.last_mover && (self.counted || self.game.players() != 2) {
            return wrong("nimbers are for games of two players in which nothing is gained");
        }
        match self.won {
            true if self.counted => wrong("a game has either gains or ends that are won, lost or drawn, not both"),
            true if self.game.players() != 2 => wrong("a game that is won, lost or drawn is for two players"),
            _ => Ok(()),
        }
    }

    /// All there is to know about a position. What is read into must be empty.
    pub(crate) fn read(
        &mut self,
        position: &G::Position,
        into: &mut Expansion,
        number: Numbering<G::Position>,
    ) -> Result<(), Error> {
        into.mover = self.game.mover(position);
        if into.mover.index() >= self.game.players() {
            return Err(Error::NotApplicable(format!("there is no player {}", into.mover.0)));
        }
        if let Some(end) = self.game.end(position) {
            self.end(end, into)?;
            return self.check();
        }
        for play in self.game.moves(position) {
            let gain = self.gain(&play.gains, into.mover, &mut into.gains)?;
            let same = self.game.mover(&play.option) == into.mover;
            if same && self.last_mover {
                return Err(Error::NotApplicable("nimbers are for games in which turns alternate".into()));
            }
            let to = number(play.option)?;
            into.edges.push(Edge { to, gain, same, joined: false });
        }
        if into.edges.is_empty() {
            return Err(Error::NotApplicable("a position without moves must be over".into()));
        }
        self.check()
    }
}

/// A game written in Rust with its positions numbered.
///
/// What a position keeps on the heap is not counted against the memory limit, its own size is.
pub(crate) struct GameGraph<'g, G: Game> {
    pub(crate) reader: Reader<'g, G>,
    positions: Interner<Keys<G::Position>>,
}

impl<'g, G: Game> GameGraph<'g, G> {
    /// A game of which no position has a number yet.
    pub(crate) fn new(reader: Reader<'g, G>, memory: &Memory) -> GameGraph<'g, G> {
        GameGraph { reader, positions: Interner::<Keys<G::Position>>::new(memory) }
    }

    /// The number of a position, a new one if it has none.
    pub(crate) fn intern(&mut self, position: G::Position) -> Result<Id, Error> {
        Ok(self.positions.intern(position)?.0)
    }

    /// The number of a position, if it has one.
    pub(crate) fn find(&self, position: &G::Position) -> Option<Id> {
        self.positions.find(position)
    }
}

impl<G: Game> Graph for GameGraph<'_, G> {
    fn len(&self) -> usize {
        self.positions.len()
    }

    fn expand(&mut self, id: Id, into: &mut Expansion) -> Result<(), Error> {
        let GameGraph { reader, positions } = self;
        let position = positions.key(id).clone();
        reader.read(&position, into, &mut |position| Ok(positions.intern(position)?.0))
    }
}
