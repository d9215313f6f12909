//! Whom a person plays against: perfect play, play that slips now and then, or players that know less.
//!
//! A game that is too large to solve is played by looking ahead until what is left of it can be solved.

use std::time::Duration;

use perfectplay::lookahead::{Ahead, look_ahead};
use perfectplay::moves::Play;
use perfectplay::numbers::Random;
use perfectplay::sums::{SumError, SumPosition};

use super::adviser::Adviser;
use crate::args::OpponentName;
use crate::board::{Board, of_one_game};

/// How many moves a player that chooses among all of them looks at.
const MOST: usize = 10_000;
/// How long the computer looks ahead.
const THOUGHT: Duration = Duration::from_secs(1);
/// How long it tries to solve the rest of a large game before each of its moves.
const RETRY: Duration = Duration::from_secs(2);

pub struct Opponent {
    name: OpponentName,
    chance: Random,
    /// Whether the game was too large to solve when it was last tried.
    large: bool,
}

/// How a move was found.
pub enum Found {
    /// As the opponent was asked to play.
    Asked,
    /// By looking so many moves ahead, since the game is too large to solve.
    Ahead(usize),
    /// At random, since the game is too large even for that.
    Guess,
    /// By solving what is left of a game that was too large before.
    SolvedNow,
}

impl Opponent {
    pub fn new(name: OpponentName, seed: u64) -> Opponent {
        Opponent { name, chance: Random::new(seed), large: false }
    }

    /// Whether it needs the solution.
    pub fn is_exact(&self) -> bool {
        matches!(self.name, OpponentName::Perfect | OpponentName::Slips(_))
    }

    /// The game cannot be solved from its start.
    pub fn too_large(&mut self) {
        self.large = true;
    }

    /// How it plays, for people.
    pub fn describe(&self) -> String {
        match self.name {
            _ if self.large && self.is_exact() => {
                "the computer cannot solve this game here; it looks a few moves ahead, \
                                                   and may be wrong"
                    .to_string()
            }
            OpponentName::Perfect => "the computer plays perfectly".to_string(),
            OpponentName::Slips(1) => "the computer plays at random".to_string(),
            OpponentName::Slips(number) => {
                format!("the computer plays perfectly, but makes about one move in {number} at random")
            }
            OpponentName::Greedy => "the computer takes what it can get at once".to_string(),
            OpponentName::Random => "the computer plays at random".to_string(),
        }
    }

    /// Its move; `None` where the game is over.
    pub fn choose(
        &mut self,
        board: &Board<'_>,
        adviser: &mut Adviser<'_>,
        position: &SumPosition,
    ) -> Result<Option<(Play, Found)>, SumError> {
        let by_chance = match self.name {
            OpponentName::Random => true,
            OpponentName::Slips(number) => self.chance.below(number.max(1)) == 0,
            _ => false,
        };
        if by_chance {
            return Ok(self.random(board, position)?.map(|mv| (mv, Found::Asked)));
        }
        if matches!(self.name, OpponentName::Greedy) {
            return Ok(self.greedy(board, position)?.map(|mv| (mv, Found::Asked)));
        }
        let chosen = match self.large {
            true => adviser.choice_within(position, RETRY),
            false => adviser.choice(position),
        };
        match chosen {
            Ok(chosen) => {
                let found = if std::mem::take(&mut self.large) { Found::SolvedNow } else { Found::Asked };
                Ok(chosen.map(|mv| (mv, found)))
            }
            Err(SumError { error, .. }) if error.is_limit() => {
                self.large = true;
                self.ahead(board, position)
            }
            Err(error) => Err(error),
        }
    }

    fn ahead(&mut self, board: &Board<'_>, position: &SumPosition) -> Result<Option<(Play, Found)>, SumError> {
        let Board::Game { bound, .. } = board else {
            return Ok(self.random(board, position)?.map(|mv| (mv, Found::Guess)));
        };
        let ahead = look_ahead(bound, &position.summands[0], THOUGHT).map_err(of_one_game)?;
        Ok(ahead.map(|Ahead { play, depth }| {
            let found = if depth == 0 { Found::Guess } else { Found::Ahead(depth) };
            (play, found)
        }))
    }

    fn random(&mut self, board: &Board<'_>, position: &SumPosition) -> Result<Option<Play>, SumError> {
        let (mut plays, _) = board.first_plays(position, MOST)?;
        if plays.is_empty() {
            return Ok(None);
        }
        let index = self.chance.below(plays.len() as u64) as usize;
        Ok(Some(plays.swap_remove(index)))
    }

    /// The move that gains most at once, where something is counted; else one that wins at once, or any.
    fn greedy(&mut self, board: &Board<'_>, position: &SumPosition) -> Result<Option<Play>, SumError> {
        let (plays, _) = board.first_plays(position, MOST)?;
        let turn = position.turn;
        let net = |play: &Play| -> i128 {
            let gains = play.gains.iter().enumerate();
            gains.map(|(player, gain)| i128::from(*gain) * if player == turn.index() { 1 } else { -1 }).sum()
        };
        if board.counted() {
            return Ok(plays.into_iter().rev().max_by_key(|mv| net(mv)));
        }
        for mv in &plays {
            let option = position.after(mv);
            if board.first_plays(&option, 1)?.0.is_empty() && board.won_by(&option)? == Some(turn) {
                return Ok(Some(mv.clone()));
            }
        }
        self.random(board, position)
    }
}
