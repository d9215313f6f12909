//! Moves of games written in Rust, rated: for games whose positions are all known, and for those that are searched.

use engine::valuation::difference;
use game::{Game, Play, Player, Verdict};
use solve::error::SolveError;

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

/// Asks what a position is worth; `None` where nothing is known of it.
pub(crate) type Worth<'w, P> = &'w dyn Fn(&P) -> Result<Option<Verdict>, SolveError>;
/// Lists the moves of a position.
pub(crate) type MovesOf<'m, G> = &'m dyn Fn(&<G as Game>::Position) -> Result<Vec<RatedGameMove<G>>, SolveError>;

/// Every move of a position that is worth so much, in the game's order; none if the game is over there. Options of which nothing is
/// known are left out.
pub(crate) fn rated<G: Game>(
    game: &G,
    position: &G::Position,
    value: &Verdict,
    worth: Worth<G::Position>,
) -> Result<Vec<RatedGameMove<G>>, SolveError> {
    if game.end(position).is_some() {
        return Ok(Vec::new());
    }
    let mover = game.mover(position);
    let mut rated = Vec::new();
    for Play { mv, gains, option } in game.moves(position) {
        let Some(verdict) = worth(&option)? else { continue };
        let same = game.mover(&option) == mover;
        let best = keeps(value, &verdict, mover, same, &gains)?;
        let lasts = verdict.remoteness().map(|moves| moves + 1);
        let fast = best && lasts.is_some() && lasts == value.remoteness();
        rated.push(RatedGameMove { mv, option, verdict, best, fast });
    }
    Ok(rated)
}

/// The labels of the best moves.
pub(crate) fn best<G: Game>(moves: Vec<RatedGameMove<G>>) -> Vec<G::Move> {
    moves.into_iter().filter(|mv| mv.best).map(|mv| mv.mv).collect()
}

/// One line of best play from a position on, at most `most` moves: a fast one where there is one, else the first best move.
pub(crate) fn line<G: Game>(from: &G::Position, most: usize, moves: MovesOf<G>) -> Result<Vec<G::Move>, SolveError> {
    let (mut line, mut position) = (Vec::new(), from.clone());
    while line.len() < most {
        let mut best: Vec<RatedGameMove<G>> = moves(&position)?.into_iter().filter(|mv| mv.best).collect();
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
