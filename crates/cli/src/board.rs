//! What is played: one game, or a sum of different games.
//!
//! One game is played as a sum of one: positions and moves have the same form for both, and only this file tells them apart.

use perfectplay::SolveError;
use perfectplay::answer::{End, Outcome, Player, Winner};
use perfectplay::language::{Bound, Fault, Position, Rules, show};
use perfectplay::moves::{self, Play};
use perfectplay::positions;
use perfectplay::sums::{Compound, Sum, SumError, SumPosition};

use crate::failure::Failure;
use crate::load::Asked;
use crate::phrases;

/// What is played.
pub enum Board<'t> {
    /// One game.
    Game { rules: &'t Rules, bound: &'t Bound },
    /// A sum of different games.
    Sum { sum: &'t Sum, compound: Compound<'t> },
}

impl<'t> Board<'t> {
    /// A sum of different games.
    pub fn sum(sum: &'t Sum) -> Board<'t> {
        Board::Sum { sum, compound: Compound::new(sum.summands()) }
    }

    /// What the command line names.
    pub fn of(asked: &'t Asked) -> Board<'t> {
        match asked {
            Asked::Game(game) => Board::Game { rules: &game.0, bound: &game.1 },
            Asked::Sum(sum) => Board::sum(sum),
        }
    }

    /// The game of a summand.
    pub fn bound(&self, summand: usize) -> &Bound {
        match self {
            Board::Game { bound, .. } => bound,
            Board::Sum { compound, .. } => compound.summands()[summand].bound,
        }
    }

    /// The names of all rules of moves, each once.
    pub fn rules(&self) -> Vec<String> {
        let games: Vec<&Bound> = match self {
            Board::Game { bound, .. } => vec![bound],
            Board::Sum { compound, .. } => compound.summands().iter().map(|summand| summand.bound).collect(),
        };
        let mut names: Vec<String> = Vec::new();
        for mv in games.iter().flat_map(|bound| &bound.program.moves) {
            if !names.contains(&mv.name) {
                names.push(mv.name.clone());
            }
        }
        names
    }

    /// A position as JSON.
    pub fn position_text(&self, position: &SumPosition) -> String {
        match self {
            Board::Game { bound, .. } => positions::text(bound, &position.summands[0]),
            Board::Sum { .. } => {
                let texts = position.summands.iter().enumerate();
                let texts: Vec<String> =
                    texts.map(|(summand, here)| positions::text(self.bound(summand), here)).collect();
                format!("[{}]", texts.join(","))
            }
        }
    }

    /// Where play starts.
    pub fn start(&self) -> SumPosition {
        match self {
            Board::Game { bound, .. } => SumPosition { summands: vec![bound.start.clone()], turn: bound.starts },
            Board::Sum { compound, .. } => compound.start(),
        }
    }

    /// How many players take turns.
    pub fn players(&self) -> usize {
        match self {
            Board::Game { bound, .. } => bound.players,
            Board::Sum { .. } => 2,
        }
    }

    /// Who wins play that never ends, if the rules say so.
    pub fn forever(&self) -> Option<Player> {
        match self {
            Board::Game { bound, .. } => bound.forever,
            Board::Sum { .. } => None,
        }
    }

    /// Whether something is counted.
    pub fn counted(&self) -> bool {
        matches!(self, Board::Game { bound, .. } if bound.program.counted)
    }

    /// What it is called.
    pub fn name(&self) -> String {
        match self {
            Board::Game { bound, .. } => bound.program.name.clone(),
            Board::Sum { compound, .. } => compound.text(),
        }
    }

    /// How it is played, in paragraphs.
    pub fn doc(&self) -> Vec<String> {
        match self {
            // A line of a rules file is broken where the file is narrow, not where the screen is.
            Board::Game { bound, .. } => {
                bound.program.doc.split(|line| line.trim().is_empty()).map(|lines| lines.join(" ")).collect()
            }
            Board::Sum { .. } => {
                vec!["A move changes one of the summands; who makes the last move of all wins.".to_string()]
            }
        }
    }

    /// The first legal moves, and whether there are more.
    pub fn first_plays(&self, position: &SumPosition, most: usize) -> Result<(Vec<Play>, bool), SumError> {
        match self {
            Board::Game { bound, .. } => {
                let (plays, more) = moves::first_plays(bound, &position.summands[0], most).map_err(faulty)?;
                Ok((plays, more))
            }
            Board::Sum { compound, .. } => compound.first_plays(position, most),
        }
    }

    /// Every legal move of that name, which need not say where it is played.
    pub fn named(&self, position: &SumPosition, name: &str) -> Result<Vec<Play>, SumError> {
        match self {
            Board::Game { bound, .. } => {
                let plays = moves::named(bound, &position.summands[0], name).map_err(faulty)?;
                Ok(plays)
            }
            Board::Sum { compound, .. } => compound.named(position, name),
        }
    }

    /// The position as it is drawn.
    pub fn draw(&self, position: &SumPosition) -> String {
        match self {
            Board::Game { bound, .. } => {
                let position = &position.summands[0];
                show::draw_named(bound, position).unwrap_or_else(|_| show::position_text(bound, position))
            }
            Board::Sum { compound, .. } => {
                let lines = position.summands.iter().enumerate().map(|(summand, here)| {
                    let bound = compound.summands()[summand].bound;
                    let drawing = summand_drawing(bound, here);
                    let drawing = drawing.unwrap_or_else(|_| format!(" {}", show::position_text(bound, here)));
                    format!("{}:{drawing}", compound.name(summand))
                });
                lines.collect::<Vec<_>>().join("\n")
            }
        }
    }

    /// How a game that is over has ended; `gained` is what everyone has in a counted game.
    pub fn ending(&self, position: &SumPosition, gained: Option<&[i64]>) -> Result<String, SumError> {
        match self {
            Board::Game { bound, .. } => phrases::ending(bound, &position.summands[0], gained).map_err(of_one_game),
            Board::Sum { .. } => Ok(format!("{} wins", phrases::player(&position.turn.other().to_string()))),
        }
    }

    /// Who has won a game that is over and not counted.
    pub fn won_by(&self, position: &SumPosition) -> Result<Option<Player>, SumError> {
        let here = &position.summands[0];
        let bound = match self {
            Board::Game { bound, .. } => bound,
            Board::Sum { .. } => return Ok(Some(position.turn.other())),
        };
        Ok(match moves::end(bound, here).map_err(faulty)? {
            Some(End::Outcome(Outcome::Win)) => Some(here.turn),
            Some(End::Outcome(Outcome::Loss)) => Some(here.turn.other()),
            Some(End::Gains(gains)) => match Winner::by_totals(&gains) {
                Some(Winner::Player(player)) => Some(player),
                _ => None,
            },
            _ => None,
        })
    }

    /// A failure as the person is told it.
    pub fn failure(&self, error: SumError) -> Failure {
        match self {
            Board::Game { rules, .. } => Failure::solving(error.error, rules),
            Board::Sum { sum, .. } => Failure::summing(error, sum),
        }
    }
}

/// A summand as it is drawn behind its name and a colon.
pub fn summand_drawing(bound: &Bound, position: &Position) -> Result<String, Fault> {
    let drawing = show::draw_named(bound, position)?;
    let drawing = match position.parts.len() {
        1 => drawing.strip_prefix("part 0:").map_or(&*drawing, |drawing| drawing.trim_start_matches([' ', '\n'])),
        _ => &drawing,
    };
    Ok(match drawing.contains('\n') {
        true => format!("\n  {}", drawing.replace('\n', "\n  ")),
        false => format!(" {drawing}"),
    })
}

/// Rules of one game that go wrong.
fn faulty(fault: Fault) -> SumError {
    of_one_game(fault.into())
}

/// An error of one game.
pub fn of_one_game(error: SolveError) -> SumError {
    SumError { summand: 0, error }
}

/// The players by their numbers.
pub fn seats(players: usize) -> impl Iterator<Item = Player> {
    (0..players).map(|seat| Player(seat as u8))
}
