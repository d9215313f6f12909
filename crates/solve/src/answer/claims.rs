//! What a rules file claims of an instance, as an answer whose proof is the claim.

use engine::monitor::Monitor;
use game::{Outcome, Player};
use rules::bind::Bound;
use rules::interpreter::{Claimed, Interpreter};
use rules::program::ClaimField;

use super::solution::{AnswerKind, Solution, Winner, outcome_of_sign};
use super::understood::Understood;
use crate::case::{Facts, Kind};
use crate::error::SolveError;
use crate::options::MethodName;
use crate::proof::Proof;

/// The name that stands in the place of a method.
const CLAIM: MethodName = MethodName::new("claim");

/// What the file claims of this instance; `None` if it claims nothing.
pub fn claimed(bound: &Bound, monitor: &Monitor) -> Result<Option<Solution>, SolveError> {
    let mut interpreter = Interpreter::new(bound);
    let name = bound.program.name.clone();
    let mut solution = Solution::blank(name, Understood::new(bound), bound.starts, CLAIM);
    let mut any = false;
    for (index, claim) in bound.program.claims.iter().enumerate() {
        let Some(claimed) = interpreter.claim(index)? else { continue };
        any = true;
        match (claim.field, claimed) {
            (ClaimField::Value, Claimed::Number(value)) => solution.set_score(value),
            (ClaimField::Nimber, Claimed::Number(nimber)) => {
                solution.nimber = u64::try_from(nimber).ok();
                solution.set_outcome(if nimber == 0 { Outcome::Loss } else { Outcome::Win });
            }
            (ClaimField::Winner, claimed) => solution.winner = winner(&claimed),
            (ClaimField::Outcome, claimed) => {
                solution.outcome = outcome(&claimed);
                solution.winner = solution.winner.or(match solution.outcome {
                    Some(Outcome::Loss) if bound.players != 2 => None,
                    outcome => outcome.map(|outcome| Winner::of(outcome, bound.starts)),
                });
            }
            (_, Claimed::Text(_)) => {}
        }
    }
    let facts = Facts::new(bound)?;
    solution.kind = match facts.kind {
        Kind::Score | Kind::Payoffs => AnswerKind::Score,
        Kind::Outcome if facts.nimbers => AnswerKind::Nimber,
        Kind::Outcome | Kind::Winners => AnswerKind::Outcome,
    };
    solution.seconds = monitor.elapsed().as_secs_f64();
    solution.bytes = monitor.memory().peak();
    solution.proof = Proof::Claim;
    Ok(any.then_some(solution))
}

/// A claimed winner: by number, with −1 for a draw, or by name.
pub fn winner(claimed: &Claimed) -> Option<Winner> {
    match claimed {
        Claimed::Number(-1) => Some(Winner::Draw),
        Claimed::Number(player) => Some(Winner::Player(Player(u8::try_from(*player).ok()?))),
        Claimed::Text(text) if text == "draw" => Some(Winner::Draw),
        Claimed::Text(text) => (0..=u8::MAX).map(Player).find(|player| player.to_string() == *text).map(Winner::Player),
    }
}

/// A claimed outcome: by sign, or by name.
pub fn outcome(claimed: &Claimed) -> Option<Outcome> {
    match claimed {
        Claimed::Number(sign) => Some(outcome_of_sign(*sign)),
        Claimed::Text(text) => {
            [Outcome::Win, Outcome::Loss, Outcome::Draw].into_iter().find(|known| known.to_string() == *text)
        }
    }
}
