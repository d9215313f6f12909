//! The moves of the computer.

use std::time::{Duration, Instant};

use perfectplay::SolveError;
use perfectplay::json::explorer::{MoveSource, OpponentObject};
use perfectplay::json::{ErrorObject, text, usage};
use perfectplay::lookahead::look_ahead;
use perfectplay::moves::{Play, first_plays};
use perfectplay::numbers::Random;
use perfectplay::solving::{Solved, scope, stopped};
use perfectplay::view::Walk;

use super::Allowed;
use super::game::{Game, is_too_much};
use crate::clock;
use crate::question::{Question, cut};

/// A player that chooses by chance looks at so many moves.
const MOST: usize = 10_000;
/// At most so many best moves are looked at for traps.
const MOST_TRAPS: usize = 200;

/// How well the computer plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    /// Best moves.
    Perfect,
    /// Best moves after which most answers are wrong.
    Traps,
    /// Best moves, but now and then one by chance.
    Slips,
    /// Moves by chance.
    Random,
}

impl Level {
    fn read(name: Option<&str>) -> Result<Level, ErrorObject> {
        match name {
            None | Some("perfect") => Ok(Level::Perfect),
            Some("traps") => Ok(Level::Traps),
            Some("slips") => Ok(Level::Slips),
            Some("random") => Ok(Level::Random),
            Some(other) => {
                let help = "the levels are perfect, traps, slips and random";
                Err(usage(&format!("there is no level `{}`", cut(other)), Some(help)))
            }
        }
    }
}

/// The move of the computer.
pub fn choose(game: &mut Game<'_>, walk: &Walk, question: &Question, allowed: &Allowed) -> Result<String, ErrorObject> {
    let level = Level::read(question.level.as_deref())?;
    let slip = question.slip.unwrap_or(4).clamp(1, 1_000_000) as u64;
    let mut chance = Random::new(seed(question, walk));
    let words = match level {
        Level::Perfect => "perfect play".to_string(),
        Level::Traps => "perfect play that sets traps".to_string(),
        Level::Slips => format!("perfect play, but about one move in {slip} by chance"),
        Level::Random => "play by chance".to_string(),
    };
    let object = |play: Option<&Play>, how: MoveSource, words: String, wrong_answers: Option<usize>| {
        text(&OpponentObject { label: play.map(|play| play.label.clone()), how, words, wrong_answers })
    };
    let by_chance = level == Level::Random || level == Level::Slips && chance.below(slip) == 0;
    if by_chance {
        let play = random(game, walk, &mut chance, allowed)?;
        return Ok(object(play.as_ref(), MoveSource::Asked, words, None));
    }
    let here = walk.here();
    let begun = Instant::now();
    let found = game.solved(&Allowed { time: allowed.time / 2, ..allowed.clone() }).and_then(|solved| match level {
        Level::Traps => trap(solved, walk, begun + allowed.time),
        _ => solved.choice(here).map(|play| (play, None)),
    });
    match found {
        Ok((play, wrong)) => Ok(object(play.as_ref(), MoveSource::Asked, words, wrong)),
        Err(error) if is_too_much(&error) || matches!(error, SolveError::NotApplicable(_)) => {
            clock::begin(allowed.time);
            let left = allowed.time.saturating_sub(begun.elapsed()).max(Duration::from_millis(50)) / 2;
            let ahead = look_ahead(game.bound, here, left).map_err(|error| game.error(error))?;
            let is_guess = ahead.as_ref().is_some_and(|ahead| ahead.depth == 0);
            let how = if is_guess { MoveSource::Guess } else { MoveSource::Ahead };
            let words = match &ahead {
                Some(ahead) if ahead.depth > 0 => format!("a look {} moves ahead, which may be wrong", ahead.depth),
                _ => "a guess, since the game is too large to solve".to_string(),
            };
            Ok(object(ahead.as_ref().map(|ahead| &ahead.play), how, words, None))
        }
        Err(error) => Err(game.error(error)),
    }
}

/// The seed of the choice: that of the question, mixed with the moves so far, so that each position has its own.
fn seed(question: &Question, walk: &Walk) -> u64 {
    let seed = question.seed.unwrap_or(0) as u64;
    walk.plays
        .iter()
        .flat_map(|play| play.label.bytes())
        .fold(seed, |all, byte| (all ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(5))
}

fn random(game: &Game<'_>, walk: &Walk, chance: &mut Random, allowed: &Allowed) -> Result<Option<Play>, ErrorObject> {
    let monitor = allowed.monitor();
    let scope = scope(&monitor);
    let plays = first_plays(game.bound, walk.here(), MOST);
    if let Some(error) = stopped(&scope) {
        return Err(game.error(error));
    }
    let (mut plays, _) = plays.map_err(|fault| game.error(fault.into()))?;
    let count = plays.len() as u64;
    Ok((count > 0).then(|| plays.swap_remove(chance.below(count) as usize)))
}

/// Among the best moves the one after which most answers are wrong; a fast one among equals.
fn trap(solved: &Solved<'_>, walk: &Walk, until: Instant) -> Result<(Option<Play>, Option<usize>), SolveError> {
    let here = walk.here();
    let best = solved.best_moves(here, MOST_TRAPS)?;
    let mut found: Option<(Play, usize)> = None;
    for play in best.fast.iter().chain(&best.best) {
        let option = play.option(here);
        let answers = solved.moves(&option)?;
        let wrong = answers.iter().filter(|answer| !answer.best).count();
        if found.as_ref().is_none_or(|(_, most)| wrong > *most) {
            found = Some((play.clone(), wrong));
        }
        if Instant::now() > until {
            break;
        }
    }
    Ok(match found {
        Some((play, wrong)) => (Some(play), Some(wrong)),
        None => (None, None),
    })
}
