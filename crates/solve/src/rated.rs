//! Moves with what is known of them.

use game::{LoopyNimber, Player, Remoteness, Verdict};
use rules::bind::Position;
use rules::play::Play;

use crate::error::SolveError;
use crate::positions::Keeps;

/// A legal move with what is known of it.
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
        Ok(RatedMove { play, worth, leaves: option.loopy(), best: false, fast: false })
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
