//! The objects of `moves` and `query`.

use game::{LoopyNimber, Verdict};
use rules::bind::Position;
use rules::show;
use serde::Serialize;
use solve::answer::listed::{Listed, ListedMoves};
use solve::answer::understood::Understood;
use solve::compound::{SolvedSum, SumError, SumMove, SumPosition};
use solve::rated::RatedMove;
use solve::solved::Solved;

use super::{Instance, Text, is_false};
use crate::positions;

/// What a position is worth to the player to move.
#[derive(Default, Serialize)]
struct Worth<'v> {
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

impl<'v> Worth<'v> {
    fn new(verdict: &'v Verdict) -> Worth<'v> {
        match verdict {
            Verdict::Score(value) => Worth { value: Some(*value), ..Worth::default() },
            Verdict::Payoffs { totals, unique } => Worth { payoffs: Some(totals), unique: *unique, ..Worth::default() },
            other => Worth {
                outcome: other.outcome().map(Text),
                remoteness: other.remoteness(),
                nimber: other.nimber(),
                loopy: other.infinite().map(|set| format!("∞{set}")),
                ..Worth::default()
            },
        }
    }
}

/// One move: what it is worth to the player who makes it, and how many moves are left, this one included.
#[derive(Serialize)]
struct Rated<'m> {
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
}

impl<'m> Rated<'m> {
    fn new(mv: &'m RatedMove) -> Rated<'m> {
        let Worth { value, payoffs, outcome, remoteness, .. } = Worth::new(&mv.worth);
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
    worth: Option<Worth<'m>>,
    moves: Vec<Rated<'m>>,
    #[serde(skip_serializing_if = "is_false")]
    moves_cut: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves_count: Option<u64>,
}

/// The object of `moves` and `query`, as text: every legal move of a position, with its worth.
///
/// ```
/// use perfectplay::{Solver, json, language::Rules, moves::ListedMoves};
///
/// let coins = Rules::gallery("coins").unwrap().bind(r#"{"coins": [5, 3]}"#)?;
/// let solved = Solver::new().solved(&coins)?;
/// let text = json::moves(&solved, &coins.start, &[], None, &ListedMoves::of(&solved, &coins.start)?);
/// assert!(text.ends_with(r#""moves":[{"move":"left","value":2,"gains":[5,0],"best":true},{"move":"right","value":-2,"gains":[3,0],"best":false}]}"#));
/// # Ok::<(), perfectplay::Error>(())
/// ```
///
/// `after` are the moves that led there, and `totals` is what everyone has gained with them, where something is counted.
pub fn moves(
    solved: &Solved<'_>,
    position: &Position,
    after: &[String],
    totals: Option<&[i64]>,
    listed: &ListedMoves,
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
        worth: verdict.as_ref().map(Worth::new),
        moves: listed.moves.iter().map(Rated::new).collect(),
        moves_cut: listed.cut,
        moves_count: counted(listed.cut, listed.count),
    })
}

/// How many moves there are, where the list is cut.
fn counted(cut: bool, count: Option<u128>) -> Option<u64> {
    count.filter(|_| cut).and_then(|count| u64::try_from(count).ok())
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
}

#[derive(Serialize)]
struct SumMovesObject<'m> {
    game: String,
    summands: Vec<SummandHere<'m>>,
    after: &'m [String],
    mover: Text<game::Player>,
    over: bool,
    #[serde(flatten)]
    worth: Worth<'m>,
    moves: Vec<Rated<'m>>,
    #[serde(skip_serializing_if = "is_false")]
    moves_cut: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves_count: Option<u64>,
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
/// let text = json::sum_moves(&solved, &start, &[], &solved.listed(&start).unwrap()).unwrap();
/// assert!(text.starts_with(r#"{"game":"nim(2) + nim(1)","summands":[{"name":"nim(2)","game":"nim""#), "{text}");
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub fn sum_moves(
    solved: &SolvedSum<'_>,
    position: &SumPosition,
    after: &[String],
    listed: &Listed<SumMove>,
) -> Result<String, SumError> {
    let values = solved.values(position)?;
    let verdict = solved.verdict(position)?;
    let instances: Vec<Understood> =
        (0..values.len()).map(|summand| Understood::new(solved.game(summand).bound)).collect();
    let summands = position.summands.iter().zip(&values).enumerate().map(|(summand, (here, value))| {
        let bound = solved.game(summand).bound;
        let nimber = value.nimber();
        SummandHere {
            name: solved.compound.name(summand),
            game: &bound.program.name,
            instance: Instance(&instances[summand]),
            position: show::position_text(bound, here),
            variables: positions::value(bound, here),
            nimber,
            loopy: nimber.is_none().then(|| value.to_string()),
        }
    });
    Ok(super::text(&SumMovesObject {
        game: solved.compound.text(),
        summands: summands.collect(),
        after,
        mover: Text(position.turn),
        over: listed.moves.is_empty(),
        worth: Worth::new(&verdict),
        moves: listed.moves.iter().map(|mv| Rated::new(&mv.rated)).collect(),
        moves_cut: listed.cut,
        moves_count: counted(listed.cut, listed.count),
    }))
}
