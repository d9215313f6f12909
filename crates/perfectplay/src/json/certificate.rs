//! The object of `verify`.

use game::{Outcome, Player};
use rules::bind::Bound;
use serde::Serialize;
use solve::answer::solution::{Understood, Winner};
use verify::Verified;
use verify::claim::Claim;
use verify::refusal::Wrong;

use super::{Instance, Standing, Text};

/// A difference of scores, or the name of a partizan game.
#[derive(Serialize)]
#[serde(untagged)]
enum ValueText<'v> {
    Number(i64),
    Name(&'v str),
}

#[derive(Serialize)]
struct ClaimObject<'v> {
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<Text<Winner>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<Text<Outcome>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome_class: Option<Text<game::OutcomeClass>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<ValueText<'v>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payoffs: Option<&'v [i64]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unique: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nimber: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loopy: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remoteness: Option<u64>,
}

impl ClaimObject<'_> {
    fn new<'v>(claim: &'v Claim, bound: &Bound, mover: Player) -> ClaimObject<'v> {
        let two = bound.players == 2;
        ClaimObject {
            winner: claim.outcome.filter(|_| two).map(|outcome| Text(Winner::of(outcome, mover))),
            outcome: claim.outcome.map(Text),
            outcome_class: claim.class.map(Text),
            value: claim.value.map(ValueText::Number).or(claim.form.as_deref().map(ValueText::Name)),
            payoffs: claim.payoffs.as_deref(),
            unique: claim.unique,
            nimber: claim.nimber,
            loopy: claim.loopy.as_ref().map(|set| format!("∞{set}")),
            remoteness: claim.remoteness,
        }
    }
}

#[derive(Serialize)]
struct VerifyObject<'v> {
    file: &'v str,
    verified: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    sampled: Option<SampledPart>,
    game: &'v str,
    instance: Instance<'v>,
    #[serde(flatten)]
    standing: Option<Standing>,
    claim: ClaimObject<'v>,
    #[serde(skip_serializing_if = "Option::is_none")]
    within: Option<u64>,
    arguments: u64,
    positions: u64,
    bytes: u64,
    unpacked: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct SampledPart {
    positions: u64,
    with_claim: bool,
}

/// The object of `verify` for a certificate that was accepted, or for a sample that agrees, as text.
///
/// ```
/// use perfectplay::certificates::{self, Scope};
/// use perfectplay::{Solver, answer::solution, json, language::Rules};
///
/// let rules = Rules::gallery("coins").unwrap();
/// let game = rules.bind("{}")?;
/// let solver = Solver::new();
/// let (solved, mut monitor) = (solver.solved(&game)?, solver.monitor());
/// let mut file = Vec::new();
/// let told = solution(&solved, &mut monitor)?;
/// certificates::write(&solved, &told, (&rules.source, Scope::Proof), &mut file, &mut monitor).unwrap();
/// let verified = certificates::check(&file[..], &mut monitor).unwrap();
/// assert!(json::verified("coins.proof", &verified, 0.1).starts_with(r#"{"file":"coins.proof","verified":true,"game":"coins""#));
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub fn verified(file: &str, verified: &Verified, seconds: f64) -> String {
    let about = &verified.certificate;
    let mover = about.position.turn;
    let instance = Understood::new(&about.bound);
    let standing = (!about.from_start()).then(|| Standing::new(&[(&about.bound, &about.position)], mover, &[], None));
    super::text(&VerifyObject {
        file,
        verified: verified.sampled.is_none(),
        sampled: verified
            .sampled
            .map(|sampled| SampledPart { positions: sampled.positions, with_claim: sampled.with_claim }),
        game: &about.bound.program.name,
        instance: Instance(&instance),
        standing,
        claim: ClaimObject::new(&about.claim, &about.bound, mover),
        within: (about.bound.players == 2).then(|| verified.summary.within(mover)).flatten(),
        arguments: verified.arguments.len() as u64,
        positions: verified.positions,
        bytes: verified.bytes,
        unpacked: verified.unpacked,
        seconds,
    })
}

#[derive(Serialize)]
struct RefusedObject<'w> {
    file: &'w str,
    verified: bool,
    refusal: RefusalPart<'w>,
}

#[derive(Serialize)]
struct RefusalPart<'w> {
    argument: u64,
    entry: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<&'w str>,
    why: &'w str,
}

/// The object of `verify` for a certificate that is wrong, as text.
///
/// ```
/// use perfectplay::{certificates::Wrong, json};
///
/// let wrong = Wrong { argument: 1, entry: 7, position: None, why: "it is lost".to_string(), faulty: false };
/// let text = json::refused("nim.proof", &wrong);
/// assert_eq!(text, r#"{"file":"nim.proof","verified":false,"refusal":{"argument":1,"entry":7,"why":"it is lost"}}"#);
/// ```
pub fn refused(file: &str, wrong: &Wrong) -> String {
    let Wrong { argument, entry, position, why, .. } = wrong;
    let refusal = RefusalPart { argument: *argument, entry: *entry, position: position.as_deref(), why };
    super::text(&RefusedObject { file, verified: false, refusal })
}
