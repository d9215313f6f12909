//! Games written in Rust, solved: from the trait [`game::Game`] to an answer.
//!
//! What is valued follows from how the game ends. Won, lost and drawn ends give outcomes; gains give scores for two players and
//! payoffs for more.

use engine::Error;
use engine::graph::{Ending, Expansion, Graph, Id};
use engine::induction::induction;
use engine::memory::Memory;
use engine::monitor::Monitor;
use engine::retrograde::{Forever, retrograde};
use engine::valuation::{Outcomes, Payoffs, Scores, Valuation};
use game::{Game, Nimber, Verdict};
use solve::error::SolveError;

use crate::game_graph::{GameGraph, Reader};
use crate::game_moves::{self, RatedGameMove};
use crate::plan::{MethodName, method};

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

/// Backward induction, by its name.
pub(crate) const INDUCTION: &str = "induction";
/// Retrograde analysis, by its name.
pub(crate) const RETROGRADE: &str = "retrograde";

/// Solves a game written in Rust, with everything that can be chosen: one of the two methods, or the one that applies.
pub(crate) fn solve_game<'g, G: Game>(
    game: &'g G,
    (forever, objective): (Forever, Objective),
    asked: Option<MethodName>,
    monitor: &mut Monitor,
) -> Result<GameSolution<'g, G>, SolveError> {
    let own = objective == Objective::Own || game.players() != 2;
    let memory = monitor.memory().clone();
    let mut graph = GameGraph::new(Reader::new(game, own, false), &memory);
    let start = graph.intern(game.start())?;
    if asked.is_some_and(|asked| asked.name() == RETROGRADE) {
        let kept = back(&mut graph, forever, monitor)?;
        return Ok(GameSolution { graph, start, kept, method: RETROGRADE });
    }
    let mut values = Values { players: game.players(), memory, kept: Kept::Nothing };
    let solved = induction(&mut graph, &[start], &mut values, monitor);
    let (kept, method) = match solved {
        Ok(()) => (values.kept, INDUCTION),
        Err(Error::Cycle(cycle)) if asked.is_some() => {
            let why =
                format!("the method `{INDUCTION}` does not apply: positions repeat: a cycle of {} moves", cycle.len());
            return Err(SolveError::NotApplicable(why));
        }
        Err(Error::Cycle(cycle)) => {
            drop(values);
            if game.players() != 2 {
                return Err(repeats(cycle.len()));
            }
            let kept = back(&mut graph, forever, monitor);
            (kept.map_err(|error| if graph.reader.counted { repeats(cycle.len()) } else { error })?, RETROGRADE)
        }
        Err(error) => return Err(error.into()),
    };
    Ok(GameSolution { graph, start, kept, method })
}

/// Retrograde analysis, for games that are won, lost or drawn.
fn back<G: Game>(graph: &mut GameGraph<'_, G>, forever: Forever, monitor: &mut Monitor) -> Result<Kept, SolveError> {
    let outcomes = retrograde(graph, forever, monitor);
    if graph.reader.counted || graph.reader.game.players() != 2 {
        let why = "is for games of two players that are won, lost or drawn";
        return Err(SolveError::NotApplicable(format!("the method `{RETROGRADE}` does not apply: it {why}")));
    }
    Ok(Kept::Outcomes(outcomes?))
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
    let mut graph = GameGraph::new(Reader::new(game, false, true), &memory);
    let start = graph.intern(game.start())?;
    let mut outcomes = Outcomes::with_nimbers(&memory);
    match induction(&mut graph, &[start], &mut outcomes, monitor) {
        Ok(()) => Ok(GameSolution { graph, start, kept: Kept::Outcomes(outcomes), method: INDUCTION }),
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
    method: &'static str,
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

    /// What solved it: backward induction, or retrograde analysis where positions repeat.
    ///
    /// See [`crate::rust_games`] for an example.
    pub fn method(&self) -> MethodName {
        method(self.method).expect("the registry has both")
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
        let Some(value) = self.value_of(position) else { return Ok(Vec::new()) };
        game_moves::rated(self.graph.reader.game, position, &value, &|option| Ok(self.value_of(option)))
    }

    /// Every move that keeps what the position is worth to its mover, in the game's order; none if the game is over there
    /// or the position cannot be reached from the start.
    pub fn best_moves(&self, position: &G::Position) -> Result<Vec<G::Move>, SolveError> {
        Ok(game_moves::best(self.moves(position)?))
    }

    /// One line of best play from a position on, at most `most` moves: winners hurry, losers linger, otherwise the first best
    /// move is made.
    ///
    /// See [`crate::rust_games`] for an example.
    pub fn line(&self, from: &G::Position, most: usize) -> Result<Vec<G::Move>, SolveError> {
        game_moves::line(from, most, &|position| self.moves(position))
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
