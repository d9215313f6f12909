//! A view of a position: the way there, its drawing, what it is worth, every move with its worth and its place on the board.
//!
//! ```
//! use perfectplay::view::{self, MOST_MOVES, Step, View, Walk, WalkError};
//! use perfectplay::{Solver, answer::AnswerKind, language::Rules, scene::Painter};
//!
//! let coins = Rules::gallery("coins").unwrap().bind("{}")?;
//! let walk = Walk::new(&coins, &coins.start, &["right".to_string()], false).unwrap();
//! assert_eq!((walk.here().turn.to_string().as_str(), walk.totals()), ("second", Some(&[10, 0][..])));
//! let solved = Solver::new().solved(&coins)?;
//! let view = View::solved(&solved, &Painter::new(&coins), &walk, None)?;
//! assert_eq!(view.assessment.words, "First wins by 5, 15 to 10, in 3 moves");
//! let steps: &[Step] = &view.steps;
//! assert!(steps.len() == 2 && !steps[1].mistake && view.rated.len() <= MOST_MOVES);
//!
//! // A game that was not solved has moves, too. How it is won can be told all the same.
//! let view = View::unsolved(&coins, &Painter::new(&coins), &walk)?;
//! assert_eq!((view.plain.len(), view.kind(), view::kind(&coins)), (2, AnswerKind::Score, AnswerKind::Score));
//!
//! // A move that is not legal is told with those that are.
//! let Err(WalkError::Move(wrong)) = Walk::new(&coins, &coins.start, &["up".to_string()], false) else { panic!() };
//! assert!(wrong.help.contains("left, right"));
//! # Ok::<(), perfectplay::Error>(())
//! ```

use std::time::{Duration, Instant};

use engine::monitor::Monitor;
use game::{Player, Verdict};
use rules::bind::{Bound, Position};
use rules::play::{self, Play};
use solve::answer::judged::{Judged, judged};
use solve::answer::listed::ListedMoves;
use solve::answer::solution::AnswerKind;
use solve::answers::RatedMove;
use solve::error::SolveError;
use solve::solved::Solved;

use crate::positions::PositionError;
use crate::scene::{Aim, Painter, Scene};
use crate::words::{self, Assessment, LineTotals};

/// At most so many moves are shown.
pub const MOST_MOVES: usize = 1000;
/// At most so many moves are judged by their values.
const MOST_JUDGED: usize = 200;
/// A line of best play that is longer is not followed to its end for the totals.
const LONGEST_LINE: u64 = 400;
/// A line of best play is followed for this long at the most.
const LINE_TIME: Duration = Duration::from_millis(40);

/// The way to a position.
#[derive(Clone, Debug)]
pub struct Walk {
    /// The positions, from where the way begins.
    pub positions: Vec<Position>,
    /// The moves between them.
    pub plays: Vec<Play>,
    /// What everyone has gained at each position; nothing where nothing is counted, or where the way does not begin at the start.
    pub totals: Option<Vec<Vec<i64>>>,
}

/// Why some moves cannot be played.
#[derive(Clone, Debug)]
pub enum WalkError {
    /// A move is not legal.
    Move(PositionError),
    /// The rules go wrong.
    Rules(SolveError),
}

impl Walk {
    /// Plays moves by their names. `elsewhere` if the way begins at a position that somebody gave.
    pub fn new(bound: &Bound, from: &Position, labels: &[String], elsewhere: bool) -> Result<Walk, WalkError> {
        let counted = (bound.program.counted && !elsewhere).then(|| vec![vec![0i64; bound.players]]);
        let mut walk = Walk { positions: vec![from.clone()], plays: Vec::new(), totals: counted };
        for (number, label) in labels.iter().enumerate() {
            let here = walk.here();
            let found = crate::moves::find(bound, here, label).map_err(|fault| WalkError::Rules(fault.into()))?;
            let play = match found {
                Some(play) => play,
                None => return Err(WalkError::Move(walk.illegal(bound, number, label))),
            };
            let option = play.option(here);
            if let Some(totals) = &mut walk.totals {
                let mut all = totals.last().cloned().unwrap_or_default();
                for (total, gain) in all.iter_mut().zip(&play.gains) {
                    *total = total.checked_add(*gain).ok_or(WalkError::Rules(SolveError::Overflow))?;
                }
                totals.push(all);
            }
            walk.plays.push(play);
            walk.positions.push(option);
        }
        Ok(walk)
    }

    fn illegal(&self, bound: &Bound, number: usize, label: &str) -> PositionError {
        let plays = play::first_plays(bound, self.here(), 8).map(|(plays, _)| plays).unwrap_or_default();
        let names: Vec<String> = plays.into_iter().map(|play| play.label).collect();
        let help = match names.is_empty() {
            true => "the game is over there".to_string(),
            false => format!("there are {}, …", names.join(", ")),
        };
        let label = rules::show::cut(80, &label);
        PositionError { message: format!("move {} is not legal: there is no move `{label}`", number + 1), help }
    }

    /// Where the way ends.
    pub fn here(&self) -> &Position {
        // A way has at least the position where it begins.
        &self.positions[self.positions.len() - 1]
    }

    fn totals_at(&self, step: usize) -> Option<&[i64]> {
        self.totals.as_ref()?.get(step).map(|totals| &totals[..])
    }

    /// What everyone has gained.
    pub fn totals(&self) -> Option<&[i64]> {
        self.totals_at(self.plays.len())
    }
}

/// A position along the way.
#[derive(Clone, Debug)]
pub struct Step {
    /// The result of best play from there on.
    pub assessment: Assessment,
    /// The verdict, where it is known and the game goes on.
    pub verdict: Option<Verdict>,
    /// How well it stands for the first player.
    pub height: Option<f64>,
    /// Whether the move that led there was a mistake.
    pub mistake: bool,
}

/// Everything that a page shows of a position.
pub struct View<'v, 'b> {
    /// The game.
    pub bound: &'v Bound,
    /// The solved game, where it is.
    pub solved: Option<&'v Solved<'b>>,
    /// The way there.
    pub walk: &'v Walk,
    /// The drawing.
    pub scene: Scene,
    /// The result of best play from here on.
    pub assessment: Assessment,
    /// Every position on the way.
    pub steps: Vec<Step>,
    /// The moves, rated.
    pub rated: Vec<RatedMove>,
    /// The moves where nothing is known of them.
    pub plain: Vec<Play>,
    /// Whether there are more.
    pub cut: bool,
    /// How many there are, where that is known.
    pub count: Option<u128>,
    /// Where each move is on the board.
    pub aims: Vec<Aim>,
    /// What values tell of the moves.
    pub judged: Option<Judged>,
}

impl<'v, 'b> View<'v, 'b> {
    /// A position of a solved game. With a monitor, moves are judged by their values where they have some and its limits allow it.
    pub fn solved(
        solved: &'v Solved<'b>,
        painter: &Painter<'_>,
        walk: &'v Walk,
        judging: Option<&mut Monitor>,
    ) -> Result<View<'v, 'b>, SolveError> {
        let here = walk.here();
        let listed = ListedMoves::within(solved, here, MOST_MOVES)?;
        let (mut rated, mut cut) = (listed.moves, listed.cut);
        if rated.len() > MOST_MOVES {
            rated.truncate(MOST_MOVES);
            cut = true;
        }
        let steps = steps(solved, walk)?;
        let assessment = match rated.is_empty() {
            true => words::ending(solved.bound, here, walk.totals())?,
            false => assessment(solved, walk)?,
        };
        let plays: Vec<&Play> = rated.iter().map(|mv| &mv.play).collect();
        let (scene, aims) = (painter.scene(here), painter.aims(here, &plays));
        let judged = match judging.filter(|_| !cut && plays.len() <= MOST_JUDGED) {
            Some(monitor) => judged(solved, here, &plays, monitor).unwrap_or_default(),
            None => None,
        };
        let (bound, plain, count) = (solved.bound, Vec::new(), listed.count);
        Ok(View { bound, solved: Some(solved), walk, scene, assessment, steps, rated, plain, cut, count, aims, judged })
    }

    /// A position of a game that was not solved: its moves, and nothing of their worth.
    pub fn unsolved(bound: &'v Bound, painter: &Painter<'_>, walk: &'v Walk) -> Result<View<'v, 'b>, SolveError> {
        let here = walk.here();
        let (plain, cut) = play::first_plays(bound, here, MOST_MOVES)?;
        let assessment = match plain.is_empty() && !cut {
            true => words::ending(bound, here, walk.totals())?,
            false => words::unknown(),
        };
        let step = |_: &Position| Step { assessment: words::unknown(), verdict: None, height: None, mistake: false };
        let mut steps: Vec<Step> = walk.positions.iter().map(step).collect();
        if let Some(last) = steps.last_mut() {
            last.assessment = assessment.clone();
        }
        let plays: Vec<&Play> = plain.iter().collect();
        let (scene, aims) = (painter.scene(here), painter.aims(here, &plays));
        let (rated, count) = (Vec::new(), None);
        Ok(View { bound, solved: None, walk, scene, assessment, steps, rated, plain, cut, count, aims, judged: None })
    }

    /// How the game is won.
    pub fn kind(&self) -> AnswerKind {
        let verdict = self.steps.iter().rev().find_map(|step| step.verdict.as_ref());
        match verdict {
            Some(Verdict::Score(_)) => AnswerKind::Score,
            Some(Verdict::Payoffs { .. }) => AnswerKind::Payoffs,
            Some(_) => AnswerKind::Outcome,
            None => kind(self.bound),
        }
    }
}

/// How a game is won, as far as the rules show it.
pub fn kind(bound: &Bound) -> AnswerKind {
    match (bound.players, bound.program.counted) {
        (2, true) => AnswerKind::Score,
        (2, false) => AnswerKind::Outcome,
        _ => AnswerKind::Payoffs,
    }
}

/// What is known of every position on the way.
fn steps(solved: &Solved<'_>, walk: &Walk) -> Result<Vec<Step>, SolveError> {
    let mut steps: Vec<Step> = Vec::with_capacity(walk.positions.len());
    for (at, position) in walk.positions.iter().enumerate() {
        let (verdict, so_far) = (solved.verdict(position), walk.totals_at(at));
        let ended = solved.end(position)?.is_some();
        let assessment = match (&verdict, ended) {
            (_, true) => words::ending(solved.bound, position, so_far)?,
            (Some(verdict), false) => words::standing(position.turn, verdict, words::repeats(solved), so_far, None),
            (None, false) => words::unknown(),
        };
        let height = verdict.as_ref().and_then(|verdict| height(position.turn, verdict, so_far));
        let before = steps.last().and_then(|step| step.height).zip(height);
        let by_first = at > 0 && walk.positions[at - 1].turn == Player::FIRST;
        let mistake = solved.bound.players == 2
            && before.is_some_and(|(before, after)| if by_first { after < before } else { after > before });
        steps.push(Step { assessment, verdict, height, mistake });
    }
    Ok(steps)
}

/// How well a position stands for the first player of two.
fn height(mover: Player, verdict: &Verdict, so_far: Option<&[i64]>) -> Option<f64> {
    let sign = if mover == Player::FIRST { 1.0 } else { -1.0 };
    match verdict {
        Verdict::Score(value) => {
            let lead = match so_far {
                Some([one, other]) => *one as f64 - *other as f64,
                _ => 0.0,
            };
            Some(lead + sign * *value as f64)
        }
        Verdict::Payoffs { .. } => None,
        other => other.outcome().map(|outcome| match outcome {
            game::Outcome::Win => sign,
            game::Outcome::Draw => 0.0,
            game::Outcome::Loss => -sign,
        }),
    }
}

/// What best play brings from the end of the way on.
fn assessment(solved: &Solved<'_>, walk: &Walk) -> Result<Assessment, SolveError> {
    let here = walk.here();
    let Some(verdict) = solved.verdict(here) else { return Ok(words::unknown()) };
    let scored = matches!(verdict, Verdict::Score(_)) && walk.totals.is_some();
    let line = if scored { line_totals(solved, here)? } else { None };
    Ok(words::standing(here.turn, &verdict, words::repeats(solved), walk.totals(), line.as_ref()))
}

/// Follows one line of best play to its end; `None` where it is long.
fn line_totals(solved: &Solved<'_>, from: &Position) -> Result<Option<LineTotals>, SolveError> {
    let begun = Instant::now();
    let (mut here, mut gains, mut moves) = (from.clone(), vec![0i64; solved.bound.players], 0);
    let add = |gains: &mut Vec<i64>, more: &[i64]| {
        gains.iter_mut().zip(more).for_each(|(gain, more)| *gain = gain.saturating_add(*more));
    };
    while let Some(play) = solved.choice(&here)? {
        if moves == LONGEST_LINE || begun.elapsed() > LINE_TIME {
            return Ok(None);
        }
        add(&mut gains, &play.gains);
        play.apply(&mut here);
        moves += 1;
    }
    if let Some(game::End::Gains(last)) = solved.end(&here)? {
        add(&mut gains, &last);
    }
    Ok(Some(LineTotals { gains, moves }))
}
