//! The object of `solve`, and the lines of `solve --line`.

use game::Player;
use rules::bind::{Bound, Position};
use rules::program::Literal;
use serde::Serialize;
use solve::answer::line::LineMove;
use solve::answer::solution::{Solution, SummandAnswer, SummandValue};
use solve::compare::{Compare, Greedy, Match, Mistake, Score};
use solve::value_text::ValueText;

use super::errors::{ClaimsObject, ErrorObject};
use super::proof_file::ProofFile;
use super::{Instance, Labels, Text, is_false};
use crate::positions;

/// The object of `solve`: a solution, and what else was asked for.
///
/// ```
/// let coins = perfectplay::gallery::find("coins").unwrap();
/// let solution = perfectplay::solve(coins, "{}")?;
/// let mut object = perfectplay::json::solution(&solution);
/// object.picture = Some("coins.svg".to_string());
/// assert!(perfectplay::json::text(&object).contains(r#""picture":"coins.svg""#));
/// # Ok::<(), perfectplay::Error>(())
/// ```
#[derive(Serialize)]
pub struct SolveObject<'s> {
    game: &'s str,
    instance: Instance<'s>,
    /// Where play stands, if that is not where the rules start it.
    #[serde(flatten)]
    pub standing: Option<Standing>,
    kind: Text<solve::answer::solution::AnswerKind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<Text<solve::answer::solution::Winner>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<Text<game::Outcome>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome_class: Option<Text<game::OutcomeClass>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome_class_missing: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<NumberOrText<'s>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean: Option<NumberOrText<'s>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<NumberOrText<'s>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value_missing: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<&'s [i64]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payoffs: Option<&'s [i64]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unique: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nimber: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loopy: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remoteness: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    best_moves: Option<Labels<'s>>,
    #[serde(skip_serializing_if = "is_false")]
    best_moves_cut: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    fast_moves: Option<Labels<'s>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<Labels<'s>>,
    #[serde(skip_serializing_if = "is_false")]
    line_cut: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    line_missing: Option<&'s str>,
    /// The file that holds the whole play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_file: Option<LineFile>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compare: Option<ComparePart<'s>>,
    /// The file that holds the picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
    /// The file that holds the certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof_file: Option<ProofFile>,
    /// The file that holds the thermograph.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thermograph: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    summands: Vec<SummandPart<'s>>,
    positions: u64,
    method: &'static str,
    seconds: f64,
    bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    checked: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contradicts: Option<ClaimsObject>,
    proof: Text<&'s solve::answers::Proof>,
    /// Why something else that was asked for is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorObject>,
}

/// Where play stands.
///
/// ```
/// use perfectplay::{json, language::Rules};
///
/// let coins = Rules::gallery("coins").unwrap().bind(r#"{"coins": [5, 3]}"#)?;
/// let standing = json::Standing::new(&[(&coins, &coins.start)], coins.starts, &[], Some(&[0, 0]));
/// assert_eq!(json::text(&standing), r#"{"after":[],"variables":{"i":0,"j":2},"mover":"first","totals":[0,0]}"#);
/// # Ok::<(), perfectplay::Error>(())
/// ```
#[derive(Clone, Debug, Serialize)]
pub struct Standing {
    after: Vec<String>,
    variables: serde_json::Value,
    mover: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    totals: Option<Vec<i64>>,
}

impl Standing {
    /// The position of a game, or of each summand of a sum; who moves; the moves that led there, and what they gained.
    pub fn new(here: &[(&Bound, &Position)], mover: Player, after: &[String], totals: Option<&[i64]>) -> Standing {
        let mut values = here.iter().map(|(bound, position)| positions::value(bound, position));
        let variables = match here {
            [_] => values.next().unwrap_or_default(),
            _ => values.collect(),
        };
        let totals = totals.map(<[i64]>::to_vec);
        Standing { after: after.to_vec(), variables, mover: mover.to_string(), totals }
    }
}

impl<'s> SolveObject<'s> {
    /// Adds how a simple player fares against perfect play.
    ///
    /// ```
    /// use perfectplay::{Solver, answer::compare, json, language::Rules};
    ///
    /// let coins = Rules::gallery("coins").unwrap().bind("{}")?;
    /// let (solver, solution) = (Solver::new(), Solver::new().answer(&coins)?);
    /// let compared = compare::compare(&solver.solved(&coins)?, &mut solver.monitor())?;
    /// let mut object = json::solution(&solution);
    /// object.compare(&compared);
    /// assert!(json::text(&object).contains(r#""greedy":{"#));
    /// # Ok::<(), perfectplay::Error>(())
    /// ```
    pub fn compare(&mut self, compare: &'s Compare) {
        let Greedy { first, second, itself } = &compare.greedy;
        let greedy = GreedyPart {
            first: MatchPart::new(first),
            second: MatchPart::new(second),
            itself: itself.as_ref().map(ScorePart::new),
        };
        self.compare = Some(ComparePart { greedy });
    }
}

/// A file with a whole optimal play.
///
/// ```
/// use perfectplay::json::{LineFile, text};
///
/// let file = LineFile { file: "line.csv".to_string(), moves: 4, repeats: false, repeats_from: None };
/// assert_eq!(text(&file), r#"{"file":"line.csv","moves":4}"#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineFile {
    /// Its name.
    pub file: String,
    /// How many moves it holds.
    pub moves: u64,
    /// Set where the play goes on for ever: after the last move in the file a position is there again.
    #[serde(skip_serializing_if = "is_false")]
    pub repeats: bool,
    /// The number of the move that was made in that position, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeats_from: Option<u64>,
}

#[derive(Serialize)]
struct ComparePart<'s> {
    greedy: GreedyPart<'s>,
}

#[derive(Serialize)]
struct GreedyPart<'s> {
    first: MatchPart<'s>,
    second: MatchPart<'s>,
    #[serde(skip_serializing_if = "Option::is_none")]
    itself: Option<ScorePart>,
}

#[derive(Serialize)]
struct ScorePart {
    value: i64,
    scores: [i64; 2],
    moves: u64,
}

impl ScorePart {
    fn new(score: &Score) -> ScorePart {
        let Score { value, scores, moves } = *score;
        ScorePart { value, scores, moves }
    }
}

#[derive(Serialize)]
struct MatchPart<'s> {
    player: Text<Player>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<i64>,
    scores: [i64; 2],
    moves: u64,
    #[serde(skip_serializing_if = "is_false")]
    cut: bool,
    mistakes: u64,
    cost: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_mistake: Option<MistakePart<'s>>,
}

impl<'s> MatchPart<'s> {
    fn new(played: &'s Match) -> MatchPart<'s> {
        let Match { player, value, scores, moves, cut, mistakes, cost, ref first_mistake } = *played;
        let first_mistake = first_mistake.as_ref().map(MistakePart::new);
        MatchPart { player: Text(player), value, scores, moves, cut, mistakes, cost, first_mistake }
    }
}

#[derive(Serialize)]
struct MistakePart<'s> {
    number: u64,
    position: &'s str,
    #[serde(rename = "move")]
    played: &'s str,
    gain: i64,
    best: &'s str,
    best_gain: i64,
    cost: i64,
}

impl<'s> MistakePart<'s> {
    fn new(mistake: &'s Mistake) -> MistakePart<'s> {
        let Mistake { number, position, played, gain, best, best_gain, cost } = mistake;
        let (number, gain, best_gain, cost) = (*number, *gain, *best_gain, *cost);
        MistakePart { number, position, played, gain, best, best_gain, cost }
    }
}

#[derive(Serialize)]
struct SummandPart<'s> {
    name: &'s str,
    game: &'s str,
    instance: Instance<'s>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nimber: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loopy: Option<String>,
    #[serde(flatten)]
    form: Option<FormPart<'s>>,
    best_moves: Labels<'s>,
    positions: u64,
    method: &'static str,
}

/// A canonical form with its mean and temperature.
#[derive(Serialize)]
pub(in crate::json) struct FormPart<'s> {
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean: Option<NumberOrText<'s>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<NumberOrText<'s>>,
}

impl<'s> FormPart<'s> {
    pub(crate) fn new(form: &'s ValueText) -> FormPart<'s> {
        FormPart {
            value: form.name.as_deref(),
            mean: form.mean.as_deref().map(NumberOrText::of),
            temperature: form.temperature.as_deref().map(NumberOrText::of),
        }
    }

    /// The form of a summand that has one.
    pub(crate) fn of(value: &'s SummandValue) -> Option<FormPart<'s>> {
        match value {
            SummandValue::Form(form) => Some(FormPart::new(form)),
            SummandValue::Nimber(_) | SummandValue::Unvalued => None,
        }
    }
}

/// A loopy nimber that is no ordinary one.
pub(super) fn loopy(value: &SummandValue) -> Option<String> {
    match value {
        SummandValue::Nimber(value) => value.nimber().is_none().then(|| value.to_string()),
        SummandValue::Form(_) | SummandValue::Unvalued => None,
    }
}

impl<'s> SummandPart<'s> {
    fn new(summand: &'s SummandAnswer) -> SummandPart<'s> {
        let SummandAnswer { name, game, instance, value, best_moves, positions, method } = summand;
        SummandPart {
            name,
            game,
            instance: Instance(instance),
            nimber: value.nimber(),
            loopy: loopy(value),
            form: FormPart::of(value),
            best_moves: Labels(best_moves),
            positions: *positions,
            method: method.name(),
        }
    }
}

/// A number, or a text where it is none.
#[derive(Serialize)]
#[serde(untagged)]
pub(in crate::json) enum NumberOrText<'s> {
    Number(i64),
    Text(&'s str),
}

impl NumberOrText<'_> {
    pub(super) fn of(text: &str) -> NumberOrText<'_> {
        text.parse().map_or(NumberOrText::Text(text), NumberOrText::Number)
    }
}

/// The score, or the canonical form, which is always a text.
fn value(solution: &Solution) -> Option<NumberOrText<'_>> {
    let form = || solution.canonical.as_ref()?.name.as_deref().map(NumberOrText::Text);
    solution.value.map(NumberOrText::Number).or_else(form)
}

/// Why a value is not written, where one could be expected.
fn value_missing(solution: &Solution) -> Option<&str> {
    let long = solution.canonical.as_ref().is_some_and(|form| form.name.is_none());
    solution.value_missing.as_deref().or(long.then_some("it is too long to be written out"))
}

/// The object of `solve` for a solution.
///
/// See [`SolveObject`] for an example.
pub fn solution(solution: &Solution) -> SolveObject<'_> {
    SolveObject {
        standing: None,
        game: &solution.game,
        instance: Instance(&solution.instance),
        kind: Text(solution.kind),
        winner: solution.winner.map(Text),
        outcome: solution.outcome.map(Text),
        outcome_class: solution.outcome_class.map(Text),
        outcome_class_missing: solution.outcome_class_missing.as_deref(),
        value: value(solution),
        mean: solution.canonical.as_ref().and_then(|form| form.mean.as_deref()).map(NumberOrText::of),
        temperature: solution.canonical.as_ref().and_then(|form| form.temperature.as_deref()).map(NumberOrText::of),
        value_missing: value_missing(solution),
        scores: solution.scores.as_deref(),
        payoffs: solution.payoffs.as_deref(),
        unique: solution.unique,
        nimber: solution.nimber,
        loopy: solution.loopy.as_ref().map(|set| format!("∞{set}")),
        remoteness: solution.remoteness,
        best_moves: solution.best_moves.as_deref().map(Labels),
        best_moves_cut: solution.best_moves_cut,
        fast_moves: solution.fast_moves.as_deref().map(Labels),
        line: solution.line.as_deref().map(Labels),
        line_cut: solution.line_cut,
        line_missing: solution.line_missing.as_deref(),
        line_file: None,
        compare: None,
        picture: None,
        proof_file: None,
        thermograph: None,
        summands: solution.summands.iter().map(SummandPart::new).collect(),
        positions: solution.positions,
        method: solution.method.name(),
        seconds: solution.seconds,
        bytes: solution.bytes,
        checked: solution.checked,
        contradicts: ClaimsObject::of(&solution.contradicted),
        proof: Text(&solution.proof),
        error: None,
    }
}

#[derive(Serialize)]
struct MoveLine<'m> {
    number: u64,
    player: Text<Player>,
    #[serde(rename = "move")]
    label: &'m str,
    #[serde(skip_serializing_if = "Option::is_none")]
    gain: Option<i64>,
    #[serde(skip_serializing_if = "<[i128]>::is_empty")]
    totals: &'m [i128],
}

/// A move of a whole line, as a line of its own.
///
/// ```
/// use perfectplay::{Solver, json, language::Rules, moves};
///
/// let coins = Rules::gallery("coins").unwrap().bind(r#"{"coins": [5, 3]}"#)?;
/// let solver = Solver::new();
/// let mut lines = Vec::new();
/// moves::whole_line(&solver.solved(&coins)?, &mut solver.monitor(), &mut |moved| {
///     lines.push(json::text(&json::line_move(moved)));
///     Ok(true)
/// })?;
/// assert_eq!(lines[0], r#"{"number":1,"player":"first","move":"left","gain":5,"totals":[5,0]}"#);
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub fn line_move<'m>(moved: &'m LineMove<'_>) -> impl Serialize + use<'m> {
    let (gain, totals) = (moved.gain(), moved.totals);
    MoveLine { number: moved.number, player: Text(moved.mover), label: &moved.play.label, gain, totals }
}

#[derive(Serialize)]
struct RemarkLine<'m> {
    remark: &'m str,
    #[serde(skip_serializing_if = "<[i128]>::is_empty")]
    totals: &'m [i128],
}

/// What follows the last move of a whole line.
///
/// ```
/// let line = perfectplay::json::line_remark("repeats", &[]);
/// assert_eq!(perfectplay::json::text(&line), r#"{"remark":"repeats"}"#);
/// ```
pub fn line_remark<'m>(remark: &'m str, totals: &'m [i128]) -> impl Serialize + use<'m> {
    RemarkLine { remark, totals }
}

/// The fields of a solution by name, as `examples` of rules files ask for them.
///
/// ```
/// let nim = perfectplay::gallery::find("nim").unwrap();
/// let fields = perfectplay::json::Fields::of(&perfectplay::solve(nim, r#"{"piles": [1, 2]}"#)?);
/// assert_eq!(fields.text("best_moves").unwrap(), r#"["take(1) in part 1"]"#);
/// assert_eq!(fields.text("value"), None);
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub struct Fields(serde_json::Value);

impl Fields {
    /// The fields of a solution.
    ///
    /// See [`Fields`] for an example.
    pub fn of(found: &Solution) -> Fields {
        Fields(serde_json::to_value(solution(found)).unwrap_or_default())
    }

    /// A field as the text of its JSON; `None` if the solution has none of that name.
    ///
    /// See [`Fields`] for an example.
    pub fn text(&self, name: &str) -> Option<String> {
        self.0.get(name).map(ToString::to_string)
    }
}

/// A literal of a rules file as the text of its JSON.
///
/// ```
/// use perfectplay::json::literal_text;
/// use perfectplay::language::Literal;
///
/// assert_eq!(literal_text(&Literal::List(vec![Literal::Int(1), Literal::Bool(true)])), "[1,true]");
/// ```
pub fn literal_text(literal: &Literal) -> String {
    match literal {
        Literal::Int(value) => value.to_string(),
        Literal::Bool(value) => value.to_string(),
        Literal::Text(text) => super::text(text),
        Literal::List(items) => {
            let items: Vec<String> = items.iter().map(literal_text).collect();
            format!("[{}]", items.join(","))
        }
    }
}
