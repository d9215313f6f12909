//! Perfect play against a simple player: where greed goes wrong, and what that costs.
//!
//! The greedy player takes whatever brings most at once: the own gain less what the move gives the other, and the first of
//! equals in the order of moves. The other player is perfect. A greedy move that is worth less than the best one is a
//! mistake, and the difference is its cost. Since nobody else errs, the costs of all mistakes add up to the difference
//! between the value of the game and the result; that is checked at the end of every match.
//!
//! Each move is rated with the table, so that no new search is needed. Where there is no table, rating takes longer: in rows the
//! time of reading what is left. Matches that would take very long are cut, and say so.

use engine::monitor::Monitor;
use game::{End, Player, Verdict};
use rules::bind::{Bound, Position};
use rules::play::{self, Play};
use rules::show;

use crate::answer::line::{add, fit, goes_on};
use crate::answers::{Effort, RatedMove};
use crate::error::SolveError;
use crate::solved::Solved;
use crate::stopping::scope;
use positions::oracle::Keeps;

/// How much work a match may take, in items of rows that are read.
const MOST_WORK: u64 = 1 << 29;
/// What a move that is rated takes beside, in items.
const A_MOVE: u64 = 200;
/// How many moves the match of greed with itself may look at, and how many one position may have.
const MOST_PLAYS: u64 = 1 << 21;
/// How much of a position is shown.
const MOST_LETTERS: usize = 400;

/// How simple players fare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compare {
    /// The greedy one.
    pub greedy: Greedy,
}

/// The matches of the greedy player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Greedy {
    /// Greedy moves first, perfect play second.
    pub first: Match,
    /// Perfect play moves first, greedy second.
    pub second: Match,
    /// Both are greedy; not there if that would be much work.
    pub itself: Option<Score>,
}

/// A result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// The starter's total minus the other's.
    pub value: i64,
    /// `[first's total, second's]`.
    pub scores: [i64; 2],
    /// How many moves were made.
    pub moves: u64,
}

/// A match of the greedy player with perfect play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// Which player is greedy.
    pub player: Player,
    /// The starter's total minus the other's; not there if the match was cut.
    pub value: Option<i64>,
    /// `[first's total, second's]`, up to where it was played.
    pub scores: [i64; 2],
    /// How many moves were made.
    pub moves: u64,
    /// Set where the match is not over: it would have been too much work.
    pub cut: bool,
    /// How many of the greedy moves were mistakes.
    pub mistakes: u64,
    /// What these cost together: so much less than with perfect play.
    pub cost: i64,
    /// The first of them.
    pub first_mistake: Option<Mistake>,
}

/// A move that is worth less than the best one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The number of the move in the match, from 1.
    pub number: u64,
    /// The position, on one line; cut if it is long.
    pub position: String,
    /// The move.
    pub played: String,
    /// What it gains at once.
    pub gain: i64,
    /// A best move.
    pub best: String,
    /// What that gains at once.
    pub best_gain: i64,
    /// How much less the move is worth.
    pub cost: i64,
}

/// Whether greedy play can be compared in a game at all, as far as the rules show; says why not.
pub fn applies(bound: &Bound) -> Result<(), SolveError> {
    let name = &bound.program.name;
    let why = match (bound.players, bound.program.counted) {
        (2, true) => return Ok(()),
        (2, false) => format!("in `{name}` nothing is gained: greedy play is compared in counted games only"),
        (players, _) => format!("`{name}` has {players} players: greedy play is compared in games for two"),
    };
    Err(SolveError::NotApplicable(why))
}

/// Plays the greedy player against perfect play, and against itself.
pub fn compare(solved: &Solved<'_>, monitor: &mut Monitor) -> Result<Compare, SolveError> {
    applies(solved.bound)?;
    let _scope = scope(monitor);
    let matches = Matches { solved, value: value(solved)? };
    monitor.enter("greedy play");
    let starter = solved.start.turn;
    let first = matches.play(starter, monitor)?;
    let second = matches.play(starter.other(), monitor)?;
    let itself = itself(solved, monitor)?;
    Ok(Compare { greedy: Greedy { first, second, itself } })
}

/// What the game is worth to the starter, where one player's loss is the other's gain.
fn value(solved: &Solved<'_>) -> Result<i64, SolveError> {
    let starter = solved.start.turn;
    match solved.verdict(&solved.start) {
        Some(Verdict::Score(value)) => Ok(value),
        Some(Verdict::Payoffs { totals, .. }) if solved.total_is_constant() => Ok(Keeps::Score.gain(&totals, starter)?),
        Some(Verdict::Payoffs { .. }) => Err(SolveError::NotApplicable(format!(
            "in `{}` everyone plays for the own total, and what one player loses the other need not gain: a mistake has no \
             cost that both agree on",
            solved.bound.program.name
        ))),
        _ => Err(SolveError::internal("a counted game without a score")),
    }
}

struct Matches<'s, 'b> {
    solved: &'s Solved<'b>,
    /// What the game is worth to the starter.
    value: i64,
}

impl Matches<'_, '_> {
    /// A match in which this player is greedy and the other perfect.
    fn play(&self, greedy: Player, monitor: &mut Monitor) -> Result<Match, SolveError> {
        let solved = self.solved;
        let mut position = solved.start.clone();
        let mut totals = [0, 0];
        let mut work = Work { solved, done: 0 };
        let mut played = Match {
            player: greedy,
            value: None,
            scores: [0, 0],
            moves: 0,
            cut: false,
            mistakes: 0,
            cost: 0,
            first_mistake: None,
        };
        loop {
            if !goes_on(solved.positions(), monitor)? || !work.allows(&position) {
                played.cut = true;
                played.scores = scores(solved, &totals)?;
                return Ok(played);
            }
            let moves = solved.moves(&position)?;
            work.rated(moves.len());
            let Some(best) = moves.iter().position(|mv| mv.best) else { break };
            let mut chosen = best;
            if position.turn == greedy {
                chosen = greediest(moves.iter().map(|mv| &mv.play), greedy)?;
                let cost = worth(&moves[best], greedy)?.checked_sub(worth(&moves[chosen], greedy)?);
                let cost = cost.ok_or(SolveError::Overflow)?;
                if cost != 0 {
                    played.mistakes += 1;
                    played.cost = played.cost.checked_add(cost).ok_or(SolveError::Overflow)?;
                    let mistake = || self.mistake(&position, played.moves + 1, [&moves[chosen], &moves[best]], cost);
                    if played.first_mistake.is_none() {
                        played.first_mistake = Some(mistake()?);
                    }
                }
            }
            let play = &moves[chosen].play;
            add(&mut totals, &play.gains);
            play.apply(&mut position);
            played.moves += 1;
        }
        let value;
        (played.scores, value) = finish(solved, &position, totals)?;
        played.value = Some(value);
        self.check(greedy, &played, value)?;
        Ok(played)
    }

    fn mistake(
        &self,
        position: &Position,
        number: u64,
        [chosen, best]: [&RatedMove; 2],
        cost: i64,
    ) -> Result<Mistake, SolveError> {
        // As the rules draw it, where that is on one line.
        let shown = match show::draw(self.solved.bound, position) {
            Ok(drawn) if !drawn.trim_end().contains('\n') => drawn.trim_end().to_string(),
            _ => show::position_text(self.solved.bound, position),
        };
        Ok(Mistake {
            number,
            position: show::cut(MOST_LETTERS, &shown),
            played: chosen.play.label.clone(),
            gain: Keeps::Score.gain(&chosen.play.gains, position.turn)?,
            best: best.play.label.clone(),
            best_gain: Keeps::Score.gain(&best.play.gains, position.turn)?,
            cost,
        })
    }

    /// Mistakes must account for the whole difference.
    fn check(&self, greedy: Player, played: &Match, value: i64) -> Result<(), SolveError> {
        let lost = i128::from(self.value) - i128::from(value);
        let lost = if greedy == self.solved.start.turn { lost } else { -lost };
        match lost == i128::from(played.cost) && played.cost >= 0 {
            true => Ok(()),
            false => Err(SolveError::internal(format!(
                "the mistakes of the greedy player cost {}, but the result differs by {lost}",
                played.cost
            ))),
        }
    }
}

/// How much a match has taken.
struct Work<'s, 'b> {
    solved: &'s Solved<'b>,
    done: u64,
}

impl Work<'_, '_> {
    /// Whether another position may be looked at.
    fn allows(&mut self, position: &Position) -> bool {
        let Effort { moves, numbers } = self.solved.answers.effort(position);
        self.done = self.done.saturating_add(numbers);
        moves <= MOST_PLAYS && self.done <= MOST_WORK
    }

    fn rated(&mut self, moves: usize) {
        self.done = self.done.saturating_add((moves as u64).saturating_mul(A_MOVE));
    }
}

/// The match of the greedy player with itself; `None` if that is much work.
fn itself(solved: &Solved<'_>, monitor: &mut Monitor) -> Result<Option<Score>, SolveError> {
    let (bound, start) = (solved.bound, &solved.start);
    let mut position = start.clone();
    let mut score = Score { value: 0, scores: [0, 0], moves: 0 };
    let (mut totals, mut looked) = ([0, 0], 0);
    loop {
        let many = solved.answers.effort(&position).moves > MOST_PLAYS;
        if many || looked > MOST_PLAYS || !goes_on(solved.positions(), monitor)? {
            return Ok(None);
        }
        let plays = play::plays(bound, &position)?;
        looked += (plays.len() + position.parts.len()) as u64;
        if plays.is_empty() {
            break;
        }
        let play = &plays[greediest(plays.iter(), position.turn)?];
        add(&mut totals, &play.gains);
        play.apply(&mut position);
        score.moves += 1;
    }
    (score.scores, score.value) = finish(solved, &position, totals)?;
    Ok(Some(score))
}

/// The first of the moves that bring most at once.
fn greediest<'p>(plays: impl Iterator<Item = &'p Play>, mover: Player) -> Result<usize, SolveError> {
    let mut most: Option<(i64, usize)> = None;
    for (index, play) in plays.enumerate() {
        let gain = Keeps::Score.gain(&play.gains, mover)?;
        if most.is_none_or(|(most, _)| gain > most) {
            most = Some((gain, index));
        }
    }
    Ok(most.map_or(0, |(_, index)| index))
}

/// What a move is worth, as the mover's total minus the other's.
fn worth(mv: &RatedMove, mover: Player) -> Result<i64, SolveError> {
    match &mv.worth {
        Verdict::Score(value) => Ok(*value),
        Verdict::Payoffs { totals, .. } => Ok(Keeps::Score.gain(totals, mover)?),
        _ => Err(SolveError::internal("a counted move without a score")),
    }
}

/// The totals with what the end pays, and the starter's minus the other's.
fn finish(solved: &Solved<'_>, position: &Position, mut totals: [i128; 2]) -> Result<([i64; 2], i64), SolveError> {
    match play::end(solved.bound, position)? {
        Some(End::Gains(gains)) => add(&mut totals, &gains),
        Some(End::Outcome(_)) => {}
        None => return Err(SolveError::internal("a match stopped before the end")),
    }
    let scores = scores(solved, &totals)?;
    let value =
        Keeps::Score.gain(&scores, solved.start.turn).map_err(|_| SolveError::overflow(solved.bound, position))?;
    Ok((scores, value))
}

/// Totals that may have been larger on the way.
fn scores(solved: &Solved<'_>, totals: &[i128; 2]) -> Result<[i64; 2], SolveError> {
    let scores: Option<[i64; 2]> = fit(solved, totals)?.try_into().ok();
    scores.ok_or_else(|| SolveError::internal("two players without two totals"))
}
