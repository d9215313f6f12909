//! Games written in Rust, solved: from the trait [`game::Game`] to an answer.
//!
//! What is valued follows from how the game ends. Won, lost and drawn ends give outcomes; gains give scores for two players and
//! payoffs for more.

use game::{End, Game, Nimber, Outcome, Play, Player, Verdict};

use engine::Error;
use engine::graph::{Edge, Ending, Expansion, Graph, Id};
use engine::induction::induction;
use engine::interner::{Interner, Values as Keys};
use engine::memory::Memory;
use engine::monitor::Monitor;
use engine::retrograde::{Forever, retrograde};
use engine::valuation::difference;
use engine::valuation::{Outcomes, Payoffs, Scores, Valuation};

use solve::error::SolveError;

/// What players of a game with gains want the most of.
///
/// See [`crate::rust_games`] for an example.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objective {
    /// One's own total minus the other's. With more than two players it is taken for [`Objective::Own`].
    #[default]
    Difference,
    /// One's own total alone.
    Own,
}

/// Solves a game written in Rust, with everything that can be chosen.
pub(crate) fn solve_game<'g, G: Game>(
    game: &'g G,
    forever: Forever,
    objective: Objective,
    monitor: &mut Monitor,
) -> Result<GameSolution<'g, G>, SolveError> {
    let own = objective == Objective::Own || game.players() != 2;
    let memory = monitor.memory().clone();
    let mut graph = GameGraph::new(game, own, &memory);
    let start = graph.intern(game.start())?;
    let mut values = Values { players: game.players(), memory, kept: Kept::Nothing };
    let solved = induction(&mut graph, &[start], &mut values, monitor);
    let kept = match solved {
        Ok(()) => values.kept,
        Err(Error::Cycle(cycle)) if game.players() == 2 => {
            drop(values);
            match retrograde(&mut graph, forever, monitor) {
                Ok(outcomes) if !graph.counted => Kept::Outcomes(outcomes),
                Err(error) if !graph.counted => return Err(error.into()),
                _ => return Err(repeats(cycle.len())),
            }
        }
        Err(Error::Cycle(cycle)) => return Err(repeats(cycle.len())),
        Err(error) => return Err(error.into()),
    };
    Ok(GameSolution { graph, start, kept })
}

/// Solves a game written in Rust that is impartial and won by the last mover: every position gets its nimber.
///
/// What can be seen is checked: the game is for two, turns alternate, nothing is gained, who cannot move loses, and no position
/// repeats. That both players have the same moves cannot be seen, and is the caller's word.
pub(crate) fn solve_impartial<'g, G: Game>(
    game: &'g G,
    monitor: &mut Monitor,
) -> Result<GameSolution<'g, G>, SolveError> {
    let memory = monitor.memory().clone();
    let mut graph = GameGraph::new(game, false, &memory);
    graph.last_mover = true;
    let start = graph.intern(game.start())?;
    let mut outcomes = Outcomes::with_nimbers(&memory);
    match induction(&mut graph, &[start], &mut outcomes, monitor) {
        Ok(()) => Ok(GameSolution { graph, start, kept: Kept::Outcomes(outcomes) }),
        Err(Error::Cycle(cycle)) => {
            let why = format!("positions repeat: a cycle of {} moves; such a game has no nimbers", cycle.len());
            Err(SolveError::NotApplicable(why))
        }
        Err(error) => Err(error.into()),
    }
}

/// Positions repeat in a game that has no meaning then.
fn repeats(length: usize) -> SolveError {
    SolveError::NotApplicable(format!(
        "positions repeat: a cycle of {length} moves; a game with gains must come to an end"
    ))
}

/// A solved game. It can be asked about every position that can be reached from the start.
///
/// See [`crate::rust_games`] for an example.
pub struct GameSolution<'g, G: Game> {
    graph: GameGraph<'g, G>,
    start: Id,
    kept: Kept,
}

impl<G: Game> GameSolution<'_, G> {
    /// What the start is worth to the player who starts.
    ///
    /// See [`crate::rust_games`] for an example.
    pub fn value(&self) -> Verdict {
        self.kept.get(self.start).expect("the start of a solved game has a value")
    }

    /// What a position is worth to the player to move there, if it can be reached from the start.
    ///
    /// See [`crate::rust_games`] for an example.
    pub fn value_of(&self, position: &G::Position) -> Option<Verdict> {
        self.kept.get(self.graph.find(position)?)
    }

    /// How many positions were valued.
    ///
    /// See [`crate::rust_games`] for an example.
    pub fn positions(&self) -> usize {
        self.graph.len()
    }

    /// The nimber of a position, where the game was solved by [`crate::Solver::solve_impartial`].
    ///
    /// See [`crate::rust_games`] for an example.
    pub fn nimber(&self, position: &G::Position) -> Option<Nimber> {
        self.value_of(position)?.nimber()
    }

    /// Every move of a position with what it is worth to its mover, in the game's order; none if the game is over there or
    /// the position cannot be reached from the start.
    ///
    /// See [`crate::rust_games`] for an example.
    pub fn moves(&self, position: &G::Position) -> Result<Vec<RatedGameMove<G>>, SolveError> {
        let game = self.graph.game;
        let Some(value) = self.value_of(position).filter(|_| game.end(position).is_none()) else {
            return Ok(Vec::new());
        };
        let mover = game.mover(position);
        let mut rated = Vec::new();
        for Play { mv, gains, option } in game.moves(position) {
            let Some(verdict) = self.value_of(&option) else { continue };
            let same = game.mover(&option) == mover;
            let best = keeps(&value, &verdict, mover, same, &gains)?;
            let lasts = verdict.remoteness().map(|moves| moves + 1);
            let fast = best && lasts.is_some() && lasts == value.remoteness();
            rated.push(RatedGameMove { mv, option, verdict, best, fast });
        }
        Ok(rated)
    }

    /// Every move that keeps what the position is worth to its mover, in the game's order; none if the game is over there
    /// or the position cannot be reached from the start.
    pub fn best_moves(&self, position: &G::Position) -> Result<Vec<G::Move>, SolveError> {
        Ok(self.moves(position)?.into_iter().filter(|mv| mv.best).map(|mv| mv.mv).collect())
    }

    /// One line of best play from a position on, at most `most` moves: winners hurry, losers linger, otherwise the first best
    /// move is made.
    ///
    /// See [`crate::rust_games`] for an example.
    pub fn line(&self, from: &G::Position, most: usize) -> Result<Vec<G::Move>, SolveError> {
        let (mut line, mut position) = (Vec::new(), from.clone());
        while line.len() < most {
            let mut best: Vec<RatedGameMove<G>> = self.moves(&position)?.into_iter().filter(|mv| mv.best).collect();
            let chosen = best.iter().position(|mv| mv.fast).unwrap_or(0);
            if best.is_empty() {
                break;
            }
            let RatedGameMove { mv, option, .. } = best.swap_remove(chosen);
            line.push(mv);
            position = option;
        }
        Ok(line)
    }
}

/// A move of a game written in Rust, with what is known of it.
///
/// See [`crate::rust_games`] for an example.
pub struct RatedGameMove<G: Game> {
    /// The move.
    pub mv: G::Move,
    /// Where it leads.
    pub option: G::Position,
    /// What that is worth to the player to move there.
    pub verdict: Verdict,
    /// Whether the move keeps the result.
    pub best: bool,
    /// Whether it is one of the best that also attain the remoteness.
    pub fast: bool,
}

/// Whether a move with these gains to an option of this value is as good for its mover as `value`.
fn keeps(value: &Verdict, option: &Verdict, mover: Player, same: bool, gains: &[i64]) -> Result<bool, SolveError> {
    match (value, option) {
        (Verdict::Outcome { outcome: ours, .. }, Verdict::Outcome { outcome, .. }) => {
            Ok(*ours == if same { *outcome } else { -*outcome })
        }
        (Verdict::Score(ours), Verdict::Score(score)) => {
            let gain = if gains.is_empty() { 0 } else { difference(gains, mover)? };
            let total = if same { gain.checked_add(*score) } else { gain.checked_sub(*score) };
            Ok(total.ok_or(SolveError::Overflow)? == *ours)
        }
        (Verdict::Payoffs { totals: ours, .. }, Verdict::Payoffs { totals, .. }) => {
            let gain = gains.get(mover.index()).copied().unwrap_or(0);
            let own = totals[mover.index()].checked_add(gain).ok_or(SolveError::Overflow)?;
            Ok(own == ours[mover.index()])
        }
        _ => Ok(false),
    }
}

/// A game written in Rust with its positions numbered.
///
/// What a position keeps on the heap is not counted against the memory limit, its own size is.
struct GameGraph<'g, G: Game> {
    game: &'g G,
    positions: Interner<Keys<G::Position>>,
    /// Whether expansions say what each player gains.
    payoffs: bool,
    /// Whether gains were met.
    counted: bool,
    /// Whether ends were met that are won, lost or drawn.
    won: bool,
    /// Whether the last mover must win, and turns alternate.
    last_mover: bool,
}

impl<'g, G: Game> GameGraph<'g, G> {
    /// A game of which no position has a number yet. With `payoffs`, expansions say what each player gains, else
    /// only the difference between two.
    pub(crate) fn new(game: &'g G, payoffs: bool, memory: &Memory) -> GameGraph<'g, G> {
        let positions = Interner::<Keys<G::Position>>::new(memory);
        GameGraph { game, positions, payoffs, counted: false, won: false, last_mover: false }
    }

    /// The number of a position, a new one if it has none.
    pub(crate) fn intern(&mut self, position: G::Position) -> Result<Id, Error> {
        Ok(self.positions.intern(position)?.0)
    }

    /// The number of a position, if it has one.
    pub(crate) fn find(&self, position: &G::Position) -> Option<Id> {
        self.positions.find(position)
    }

    /// The position with this number.
    ///
    /// # Panics
    /// If there is none.
    pub(crate) fn position(&self, id: Id) -> &G::Position {
        self.positions.key(id)
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
}

impl<G: Game> Graph for GameGraph<'_, G> {
    fn len(&self) -> usize {
        self.positions.len()
    }

    fn expand(&mut self, id: Id, into: &mut Expansion) -> Result<(), Error> {
        let position = self.position(id).clone();
        into.mover = self.game.mover(&position);
        if into.mover.index() >= self.game.players() {
            return Err(Error::NotApplicable(format!("there is no player {}", into.mover.0)));
        }
        if let Some(end) = self.game.end(&position) {
            self.end(end, into)?;
            return self.check();
        }
        for play in self.game.moves(&position) {
            let gain = self.gain(&play.gains, into.mover, &mut into.gains)?;
            let same = self.game.mover(&play.option) == into.mover;
            if same && self.last_mover {
                return Err(Error::NotApplicable("nimbers are for games in which turns alternate".into()));
            }
            let to = self.intern(play.option)?;
            into.edges.push(Edge { to, gain, same, joined: false });
        }
        if into.edges.is_empty() {
            return Err(Error::NotApplicable("a position without moves must be over".into()));
        }
        self.check()
    }
}

/// The values of a game whose kind shows at the first end, which backward induction meets before anything else.
struct Values {
    players: usize,
    memory: Memory,
    kept: Kept,
}

#[derive(Debug)]
enum Kept {
    Nothing,
    Outcomes(Outcomes),
    Scores(Scores),
    Payoffs(Payoffs),
}

impl Kept {
    fn get(&self, position: Id) -> Option<Verdict> {
        match self {
            Kept::Nothing => None,
            Kept::Outcomes(outcomes) => outcomes.verdict(position),
            Kept::Scores(scores) => scores.verdict(position),
            Kept::Payoffs(payoffs) => payoffs.verdict(position),
        }
    }
}

impl Valuation for Values {
    fn settle(&mut self, position: Id, expansion: &Expansion) -> Result<(), Error> {
        if let Kept::Nothing = self.kept {
            self.kept = match expansion.end {
                Some(Ending::Outcome(_)) => Kept::Outcomes(Outcomes::new(&self.memory)),
                Some(Ending::Payoffs) => Kept::Payoffs(Payoffs::new(self.players, &self.memory)),
                _ => Kept::Scores(Scores::new(&self.memory)),
            };
        }
        match &mut self.kept {
            Kept::Nothing => Ok(()),
            Kept::Outcomes(outcomes) => outcomes.settle(position, expansion),
            Kept::Scores(scores) => scores.settle(position, expansion),
            Kept::Payoffs(payoffs) => payoffs.settle(position, expansion),
        }
    }

    fn bytes(&self) -> u64 {
        match &self.kept {
            Kept::Nothing => 0,
            Kept::Outcomes(outcomes) => outcomes.bytes(),
            Kept::Scores(scores) => scores.bytes(),
            Kept::Payoffs(payoffs) => payoffs.bytes(),
        }
    }
}
