//! The objects of `moves` and `query`.

use game::{LoopyNimber, Verdict};
use rules::bind::Position;
use rules::show;
use serde::Serialize;
use solve::answer::judged::{Judged, Mark};
use solve::answer::listed::ListedMoves;
use solve::answer::solution::Understood;
use solve::answers::RatedMove;
use solve::compound::{SolvedSum, SumError, SumPosition};
use solve::part_values::Place;
use solve::solved::Solved;

use super::solution::FormPart;
use super::{Instance, Text, is_false};
use crate::positions;

/// What a position is worth to the player to move.
#[derive(Default, Serialize)]
pub(in crate::json) struct VerdictFields<'v> {
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payoffs: Option<&'v [i64]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unique: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<Text<game::Outcome>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remoteness: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nimber: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loopy: Option<String>,
}

impl<'v> VerdictFields<'v> {
    pub(in crate::json) fn new(verdict: &'v Verdict) -> VerdictFields<'v> {
        match verdict {
            Verdict::Score(value) => VerdictFields { value: Some(*value), ..VerdictFields::default() },
            Verdict::Payoffs { totals, unique } => {
                VerdictFields { payoffs: Some(totals), unique: *unique, ..VerdictFields::default() }
            }
            other => VerdictFields {
                outcome: other.outcome().map(Text),
                remoteness: other.remoteness(),
                nimber: other.nimber(),
                loopy: other.infinite().map(|set| format!("∞{set}")),
                ..VerdictFields::default()
            },
        }
    }
}

impl VerdictFields<'_> {
    /// Tells nothing of ties.
    pub(in crate::json) fn forget_unique(&mut self) {
        self.unique = None;
    }
}

/// One move: what it is worth to the player who makes it, and how many moves are left, this one included.
#[derive(Serialize)]
pub(in crate::json) struct Rated<'m> {
    #[serde(rename = "move")]
    label: &'m str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payoffs: Option<&'m [i64]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<Text<game::Outcome>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remoteness: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nimber: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loopy: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gains: Option<&'m [i64]>,
    best: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    fast: Option<bool>,
    #[serde(flatten)]
    judged: Option<JudgedPart<'m>>,
}

/// What values tell of a move.
#[derive(Serialize)]
struct JudgedPart<'m> {
    /// What the move leaves.
    #[serde(flatten)]
    leaves: Option<FormPart<'m>>,
    /// Why no value is told of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    value_missing: Option<&'m str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<usize>,
    /// What it makes of its part.
    #[serde(skip_serializing_if = "Option::is_none")]
    part_leaves: Option<FormPart<'m>>,
    #[serde(skip_serializing_if = "is_false")]
    hottest: bool,
    #[serde(skip_serializing_if = "is_false")]
    dominated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    dominated_by: Option<&'m str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    equal_to: Option<&'m str>,
    #[serde(skip_serializing_if = "is_false")]
    reversible: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reversible_through: Option<&'m str>,
}

impl<'m> JudgedPart<'m> {
    fn new(judged: &'m Judged, index: usize, label: impl Fn(usize) -> Option<&'m str>) -> Option<JudgedPart<'m>> {
        let mv = judged.moves.get(index)?;
        let part = mv.part.as_ref();
        let (dominated_by, equal_to, reversible_through) = match &mv.mark {
            Mark::Kept => (None, None, None),
            Mark::Dominated(by) => (label(*by), None, None),
            Mark::Equal(to) => (None, label(*to), None),
            Mark::Reversible(through) => (None, None, through.as_deref()),
        };
        Some(JudgedPart {
            leaves: mv.value.as_ref().map(FormPart::new),
            value_missing: mv.missing.as_deref(),
            part: part.map(|part| part.0),
            part_leaves: part.map(|part| FormPart::new(&part.1)),
            hottest: part.and_then(|part| judged.parts.get(part.0)).is_some_and(|part| part.hottest),
            dominated: matches!(mv.mark, Mark::Dominated(_)),
            dominated_by,
            equal_to,
            reversible: matches!(mv.mark, Mark::Reversible(_)),
            reversible_through,
        })
    }
}

/// What values tell of a position.
#[derive(Serialize)]
pub(in crate::json) struct JudgedHere<'m> {
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome_class: Option<Text<game::OutcomeClass>>,
    #[serde(flatten)]
    form: Option<FormPart<'m>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value_missing: Option<&'m str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<PartHere<'m>>,
}

/// A part of a position.
#[derive(Serialize)]
struct PartHere<'m> {
    name: &'m str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cells: Option<&'m [u32]>,
    #[serde(flatten)]
    form: FormPart<'m>,
    hottest: bool,
}

impl<'m> JudgedHere<'m> {
    /// Who wins.
    pub(in crate::json) fn class(self) -> Option<Text<game::OutcomeClass>> {
        self.outcome_class
    }

    pub(in crate::json) fn new(judged: &'m Judged) -> JudgedHere<'m> {
        let part = |part: &'m solve::answer::judged::JudgedPart| PartHere {
            name: &part.name,
            cells: match &part.place {
                Place::Cells(cells) => Some(cells),
                Place::Part(_) => None,
            },
            form: FormPart::new(&part.value),
            hottest: part.hottest,
        };
        JudgedHere {
            outcome_class: judged.class.map(Text),
            form: judged.value.as_ref().map(FormPart::new),
            value_missing: judged.missing.as_deref(),
            parts: judged.parts.iter().map(part).collect(),
        }
    }
}

/// The moves of a list, with what values tell of them.
pub(in crate::json) fn rated<'m>(moves: &'m [RatedMove], judged: Option<&'m Judged>) -> Vec<Rated<'m>> {
    let label = |index: usize| moves.get(index).map(|mv| &*mv.play.label);
    let mut all = Vec::with_capacity(moves.len());
    for (index, mv) in moves.iter().enumerate() {
        let judged = judged.and_then(|judged| JudgedPart::new(judged, index, label));
        all.push(Rated { judged, ..Rated::new(mv) });
    }
    all
}

impl<'m> Rated<'m> {
    fn new(mv: &'m RatedMove) -> Rated<'m> {
        let VerdictFields { value, payoffs, outcome, remoteness, .. } = VerdictFields::new(&mv.worth);
        let infinite = |value: &&LoopyNimber| value.nimber().is_none();
        Rated {
            label: &mv.play.label,
            value,
            payoffs,
            outcome,
            remoteness,
            nimber: mv.leaves.as_ref().and_then(LoopyNimber::nimber),
            loopy: mv.leaves.as_ref().filter(infinite).map(ToString::to_string),
            gains: Some(&*mv.play.gains).filter(|gains| gains.iter().any(|gain| *gain != 0)),
            best: mv.best,
            fast: remoteness.map(|_| mv.fast),
            judged: None,
        }
    }
}

/// The moves of a position, and what values tell of them.
#[derive(Serialize)]
struct MovesPart<'m> {
    #[serde(flatten)]
    judged: Option<JudgedHere<'m>>,
    moves: Vec<Rated<'m>>,
    #[serde(skip_serializing_if = "is_false")]
    moves_cut: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves_count: Option<u64>,
}

impl<'m> MovesPart<'m> {
    fn new(listed: &'m ListedMoves, judged: Option<&'m Judged>) -> MovesPart<'m> {
        MovesPart {
            judged: judged.map(JudgedHere::new),
            moves: rated(&listed.moves, judged),
            moves_cut: listed.cut,
            // How many there are, where the list is cut.
            moves_count: listed.count.filter(|_| listed.cut).and_then(|count| u64::try_from(count).ok()),
        }
    }
}

#[derive(Serialize)]
struct MovesObject<'m> {
    game: &'m str,
    instance: Instance<'m>,
    after: &'m [String],
    position: String,
    variables: serde_json::Value,
    mover: Text<game::Player>,
    over: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    totals: Option<&'m [i64]>,
    #[serde(flatten)]
    worth: Option<VerdictFields<'m>>,
    #[serde(flatten)]
    moves: MovesPart<'m>,
}

/// The object of `moves` and `query`, as text: every legal move of a position, with its worth.
///
/// ```
/// use perfectplay::{Solver, json, language::Rules, moves::ListedMoves};
///
/// let coins = Rules::gallery("coins").unwrap().bind(r#"{"coins": [5, 3]}"#)?;
/// let solved = Solver::new().solved(&coins)?;
/// let text = json::moves(&solved, &coins.start, &[], None, &ListedMoves::of(&solved, &coins.start)?, None);
/// assert!(text.ends_with(r#""moves":[{"move":"left","value":2,"gains":[5,0],"best":true},{"move":"right","value":-2,"gains":[3,0],"best":false}]}"#));
/// # Ok::<(), perfectplay::Error>(())
/// ```
///
/// `after` are the moves that led there, and `totals` is what everyone has gained with them, where something is counted.
/// `judged` is what values tell of the moves, where there are any ([`crate::values::judged`]).
pub fn moves(
    solved: &Solved<'_>,
    position: &Position,
    after: &[String],
    totals: Option<&[i64]>,
    listed: &ListedMoves,
    judged: Option<&Judged>,
) -> String {
    let verdict = solved.verdict(position);
    let instance = Understood::new(solved.bound);
    super::text(&MovesObject {
        game: &solved.bound.program.name,
        instance: Instance(&instance),
        after,
        position: show::position_text(solved.bound, position),
        variables: positions::value(solved.bound, position),
        mover: Text(position.turn),
        over: listed.moves.is_empty(),
        totals,
        worth: verdict.as_ref().map(VerdictFields::new),
        moves: MovesPart::new(listed, judged),
    })
}

#[derive(Serialize)]
struct SummandHere<'m> {
    name: &'m str,
    game: &'m str,
    instance: Instance<'m>,
    position: String,
    variables: serde_json::Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    nimber: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loopy: Option<String>,
    #[serde(flatten)]
    form: Option<FormPart<'m>>,
}

#[derive(Serialize)]
struct SumMovesObject<'m> {
    game: String,
    summands: Vec<SummandHere<'m>>,
    after: &'m [String],
    mover: Text<game::Player>,
    over: bool,
    #[serde(flatten)]
    worth: VerdictFields<'m>,
    #[serde(flatten)]
    moves: MovesPart<'m>,
}

/// The object of `moves` for a sum of different games, as text.
///
/// ```
/// use perfectplay::{Solver, json, sums::{Gallery, Sum}};
///
/// let sum = Sum::read("nim(2) + nim(1)", &Gallery)?;
/// let solver = Solver::new();
/// let solved = sum.solve(&solver.options()?, &mut solver.monitor()).unwrap();
/// let start = solved.compound.start();
/// let text = json::sum_moves(&solved, &start, &[], &solved.listed(&start).unwrap(), None).unwrap();
/// assert!(text.starts_with(r#"{"game":"nim(2) + nim(1)","summands":[{"name":"nim(2)","game":"nim""#), "{text}");
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub fn sum_moves(
    solved: &SolvedSum<'_>,
    position: &SumPosition,
    after: &[String],
    listed: &ListedMoves,
    judged: Option<&Judged>,
) -> Result<String, SumError> {
    let values = solved.values(position)?;
    let verdict = solved.verdict(position)?;
    let instances: Vec<Understood> = (0..values.len()).map(|summand| Understood::new(solved.bound(summand))).collect();
    let summands = position.summands.iter().zip(&values).enumerate().map(|(summand, (here, value))| {
        let bound = solved.bound(summand);
        SummandHere {
            name: solved.compound.name(summand),
            game: &bound.program.name,
            instance: Instance(&instances[summand]),
            position: show::position_text(bound, here),
            variables: positions::value(bound, here),
            nimber: value.nimber(),
            loopy: super::solution::loopy(value),
            form: FormPart::of(value),
        }
    });
    Ok(super::text(&SumMovesObject {
        game: solved.compound.text(),
        summands: summands.collect(),
        after,
        mover: Text(position.turn),
        over: listed.moves.is_empty(),
        worth: VerdictFields::new(&verdict),
        moves: MovesPart::new(listed, judged),
    }))
}
