//! What a rules file claims of an instance. A claim is never an answer: it is told beside a limit that was reached, and where
//! the proved answer is another one.

use std::time::{Duration, Instant};

use game::{Outcome, Player};
use rules::bind::Bound;
use rules::interpreter::{Claimed, Interpreter};
use rules::program::ClaimField;
use rules::stop::{Scope, Watch};

use solve::answer::solution::{Claim, Solution, Winner};
use solve::value_text;

/// How long all claims of an instance may take to be worked out.
const PATIENCE: Duration = Duration::from_millis(200);

/// What the file claims of this instance from its start. A claim that goes wrong for it, or takes long, is none.
///
/// ```
/// use perfectplay::{answer::claims, language::Rules};
///
/// let hex = Rules::gallery("hex").unwrap().bind(r#"{"size": 11}"#)?;
/// assert_eq!(claims(&hex)[0].value, "first");
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub fn claims(bound: &Bound) -> Vec<Claim> {
    if bound.program.claims.is_empty() {
        return Vec::new();
    }
    // Claims are told beside a limit that was reached, so that they have a little time of their own.
    let deadline = Instant::now().checked_add(PATIENCE).map(|end| (end, PATIENCE));
    let _scope = Scope::new(Watch { deadline, ..Watch::default() });
    let mut interpreter = Interpreter::new(bound);
    let claims = bound.program.claims.iter().enumerate();
    claims
        .filter_map(|(index, claim)| {
            let claimed = interpreter.claim(index).ok().flatten()?;
            Some(Claim { field: claim.field, value: text(claim.field, &claimed)? })
        })
        .collect()
}

/// The claims that a proved answer contradicts.
///
/// ```
/// use perfectplay::{Solver, answer::contradicted, language::Rules};
///
/// let rules = "game one { state { left in 0..=1 = 1; } move take when left == 1 { left = 0; } claim winner = second; }";
/// let game = Rules::new(rules).bind("{}")?;
/// assert_eq!(contradicted(&game, &Solver::new().answer(&game)?)[0].value, "second");
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub fn contradicted(bound: &Bound, solution: &Solution) -> Vec<Claim> {
    let wrong =
        |claim: &Claim| exact(claim.field, solution).is_some_and(|exact| !same(claim.field, &exact, &claim.value));
    claims(bound).into_iter().filter(wrong).collect()
}

/// What a solution says of a field that can be claimed.
pub(crate) fn exact(field: ClaimField, solution: &Solution) -> Option<String> {
    match field {
        ClaimField::Winner => solution.winner.map(|winner| winner.to_string()),
        ClaimField::Outcome => solution.outcome.map(|outcome| outcome.to_string()),
        ClaimField::Value => match &solution.canonical {
            Some(form) => form.name.clone(),
            None => solution.value.map(|value| value.to_string()),
        },
        ClaimField::Nimber => solution.nimber.map(|nimber| nimber.to_string()),
    }
}

/// Whether an exact answer is what was claimed. Values have several spellings: `{1|-1}` is `±1`.
pub(crate) fn same(field: ClaimField, exact: &str, claimed: &str) -> bool {
    exact == claimed || (field == ClaimField::Value && value_text::same(exact, claimed))
}

/// A claimed value as the JSON spells it.
pub(crate) fn text(field: ClaimField, claimed: &Claimed) -> Option<String> {
    Some(match (field, claimed) {
        (_, Claimed::Text(text)) => text.clone(),
        (ClaimField::Winner, Claimed::Number(number)) => winner(*number)?.to_string(),
        (ClaimField::Outcome, Claimed::Number(sign)) => Outcome::of_sign(*sign).to_string(),
        (_, Claimed::Number(number)) => number.to_string(),
    })
}

/// A claimed winner by number, with −1 for a draw.
fn winner(number: i64) -> Option<Winner> {
    match number {
        -1 => Some(Winner::Draw),
        player => Some(Winner::Player(Player(u8::try_from(player).ok()?))),
    }
}
