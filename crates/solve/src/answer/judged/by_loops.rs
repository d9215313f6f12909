//! Moves judged by values with loops: which are dominated, and which leave the same.

use engine::monitor::Monitor;
use game::Player;
use rules::bind::Position;
use rules::play::Play;
use values::Arena;
use values::loopy::Loopy;

use super::{Judged, Mark, MoveJudgement};
use crate::answer::canonical_value::{named, repeating_in, why_missing};
use crate::answer::repeating::{Effort, Form, Repeating, undefined};
use crate::error::{GivenUp, Reason, SolveError};
use crate::solved::Solved;

/// More moves than these are not compared with one another: comparing two values takes long.
const MOST_COMPARED: usize = 100;

/// Judges moves of a position from which play may go on for ever.
pub(super) fn judged(
    solved: &Solved<'_>,
    position: &Position,
    plays: &[&Play],
    monitor: &mut Monitor,
) -> Result<Judged, SolveError> {
    let class = solved.report.class.filter(|_| *position == solved.start);
    let found = repeating_in(solved.positions(), monitor, |arena, monitor| {
        let mut values = Repeating::new(solved.bound, Effort::Beside, monitor)?;
        let here = values.form(arena, position, monitor)?;
        let value = named(solved, position, arena, &here)?;
        let (mut left, mut names) = (Vec::with_capacity(plays.len()), Vec::with_capacity(plays.len()));
        for play in plays {
            let option = play.option(position);
            let form = match values.form(arena, &option, monitor) {
                Ok(form) => Ok(form),
                // The theory has no value for this one, or it takes too long to find.
                Err(GivenUp::Because(Reason::Values(why))) => Err(why),
                Err(given_up) => return Err(given_up),
            };
            names.push(match &form {
                Ok(form) => (Some(named(solved, &option, arena, form)?), None),
                Err(why) => (None, Some(why.clone())),
            });
            left.push(form.ok());
        }
        let marks = marks(arena, &left, position.turn).map_err(undefined)?;
        let moves = names.into_iter().zip(marks);
        let moves = moves.map(|((value, missing), mark)| MoveJudgement { value, missing, part: None, mark }).collect();
        Ok((value, moves))
    });
    Ok(match found {
        Ok((value, moves)) => Judged { class, value: Some(value), missing: None, parts: Vec::new(), moves },
        Err(given_up) => Judged::missing(class, why_missing(solved, given_up, monitor)?),
    })
}

/// Which moves another one is better than, and which leave the same as one before. A value that is not known is not
/// compared.
pub(crate) fn marks(arena: &mut Arena, left: &[Option<Form>], mover: Player) -> values::Result<Vec<Mark>> {
    let mut marks = vec![Mark::Kept; left.len()];
    if left.len() > MOST_COMPARED {
        return Ok(marks);
    }
    let left = left.iter().map(|form| form.as_ref().map(|form| form.to_loopy(arena)).transpose());
    let left: Vec<Option<Loopy>> = left.collect::<values::Result<_>>()?;
    let at_least = |rival: &Loopy, mine: &Loopy| match mover == Player::FIRST {
        true => mine.at_most(rival),
        false => rival.at_most(mine),
    };
    for (index, mark) in marks.iter_mut().enumerate() {
        let Some(mut best) = left[index].as_ref() else { continue };
        for (other, rival) in left.iter().enumerate() {
            let Some(rival) = rival.as_ref().filter(|_| other != index) else { continue };
            if !at_least(rival, best)? {
                continue;
            }
            if !at_least(best, rival)? {
                *mark = Mark::Dominated(other);
                best = rival;
            } else if other < index && *mark == Mark::Kept {
                *mark = Mark::Equal(other);
            }
        }
    }
    Ok(marks)
}
