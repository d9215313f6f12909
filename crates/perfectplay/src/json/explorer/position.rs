//! The object of a position.

use game::Verdict;
use rules::bind::Bound;
use rules::play::Play;
use rules::show;
use serde::Serialize;
use solve::answer::solution::{AnswerKind, Understood};
use solve::answers::Proof;
use solve::options::MethodName;
use solve::solved::Solved;

use super::super::errors::ErrorObject;
use super::super::moves::{JudgedHere, Rated, VerdictFields, rated};
use super::super::{Instance, Text, is_false};
use crate::positions;
use crate::scene::{Aim, Scene, Target};
use crate::view::{Step, View};
use crate::words::{self, Assessment, Mark};

/// The object of a position.
#[derive(Serialize)]
struct PositionObject<'p> {
    game: &'p str,
    instance: Instance<'p>,
    players: usize,
    kind: Text<AnswerKind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<Vec<&'p str>>,
    position: String,
    variables: serde_json::Value,
    mover: Text<game::Player>,
    over: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    totals: Option<&'p [i64]>,
    scene: &'p Scene,
    verdict: &'p Assessment,
    #[serde(flatten)]
    worth: Option<VerdictFields<'p>>,
    #[serde(flatten)]
    judged: Option<OutcomeClass>,
    moves: Vec<MoveObject<'p>>,
    #[serde(skip_serializing_if = "is_false")]
    moves_cut: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves_count: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    history: Option<Vec<StepObject<'p>>>,
    solved: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    unsolved: Option<ErrorObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<Text<MethodName>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<Text<Proof>>,
}

#[derive(Serialize)]
struct OutcomeClass {
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome_class: Option<Text<game::OutcomeClass>>,
}

/// A move: rated where the game is solved.
#[derive(Serialize)]
struct MoveObject<'p> {
    #[serde(flatten)]
    rated: Option<Rated<'p>>,
    #[serde(flatten)]
    plain: Option<PlainMove<'p>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<String>,
    mark: Text<Mark>,
    touches: &'p [Target],
    clicks: &'p [Target],
    #[serde(skip_serializing_if = "Option::is_none")]
    square: Option<&'p str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<usize>,
}

#[derive(Serialize)]
struct PlainMove<'p> {
    #[serde(rename = "move")]
    label: &'p str,
    #[serde(skip_serializing_if = "Option::is_none")]
    gains: Option<&'p [i64]>,
}

#[derive(Serialize)]
struct StepObject<'p> {
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    label: Option<&'p str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<Text<game::Player>>,
    mover: Text<game::Player>,
    mark: Text<Mark>,
    words: &'p str,
    short: &'p str,
    #[serde(skip_serializing_if = "Option::is_none")]
    totals: Option<&'p [i64]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<f64>,
    #[serde(skip_serializing_if = "is_false")]
    mistake: bool,
    #[serde(flatten)]
    worth: Option<VerdictFields<'p>>,
}

/// What a page without a server holds: every position of a game, with the numbers of those that moves lead to.
#[derive(Serialize)]
pub struct Export<'p> {
    /// The version of this shape.
    offline: u32,
    game: &'p str,
    about: String,
    rules: &'p str,
    instance: serde_json::Value,
    /// The number of the start.
    start: usize,
    /// What the objects of all positions have in common.
    all: serde_json::Map<String, serde_json::Value>,
    /// The positions, each as the text of its object without what all have in common.
    #[serde(skip)]
    positions: Vec<String>,
}

/// Fields that are the same for all positions of a game.
const COMMON: [&str; 3] = ["kind", "players", "solved"];
/// Fields that a page without a server does not show.
const UNUSED: [&str; 5] = ["game", "instance", "method", "proof", "variables"];

fn worth(verdict: Option<&Verdict>) -> Option<VerdictFields<'_>> {
    // Whether ties leave payoffs unique is not looked for here.
    verdict.map(VerdictFields::new).map(|mut worth| {
        worth.forget_unique();
        worth
    })
}

impl<'p> MoveObject<'p> {
    fn all(view: &'p View<'_, '_>) -> Vec<MoveObject<'p>> {
        let new = |aim: &'p Aim| MoveObject {
            rated: None,
            plain: None,
            words: None,
            mark: Text(Mark::Unknown),
            touches: &aim.touches,
            clicks: &aim.clicks,
            square: aim.square.as_deref(),
            to: None,
        };
        if view.solved.is_none() {
            let plain = |play: &'p Play| PlainMove {
                label: &play.label,
                gains: Some(&*play.gains).filter(|gains| gains.iter().any(|gain| *gain != 0)),
            };
            let moves = view.plain.iter().zip(&view.aims);
            return moves.map(|(play, aim)| MoveObject { plain: Some(plain(play)), ..new(aim) }).collect();
        }
        let repeats = view.solved.is_some_and(words::repeats);
        let judged = view.judged.as_ref().filter(|judged| judged.moves.len() == view.rated.len());
        let moves = rated(&view.rated, judged).into_iter().zip(&view.rated).zip(&view.aims);
        let one = |((rated, mv), aim)| MoveObject {
            rated: Some(rated),
            words: Some(words::worth(mv, repeats)),
            mark: Text(Mark::of(&mv.worth, repeats)),
            ..new(aim)
        };
        moves.map(one).collect()
    }
}

fn history<'p>(view: &'p View<'_, '_>) -> Vec<StepObject<'p>> {
    let step = |(at, step): (usize, &'p Step)| {
        let before = at.checked_sub(1);
        let play = before.and_then(|before| view.walk.plays.get(before));
        let assessment = &step.assessment;
        StepObject {
            label: play.map(|play| play.label.as_str()),
            player: before.map(|before| Text(view.walk.positions[before].turn)),
            mover: Text(view.walk.positions[at].turn),
            mark: Text(assessment.mark),
            words: &assessment.words,
            short: &assessment.short,
            totals: view.walk.totals.as_ref().and_then(|totals| totals.get(at)).map(|totals| &totals[..]),
            height: step.height,
            mistake: step.mistake,
            worth: worth(step.verdict.as_ref()),
        }
    };
    view.steps.iter().enumerate().map(step).collect()
}

fn object<'p>(view: &'p View<'_, '_>, instance: &'p Understood, unsolved: Option<ErrorObject>) -> PositionObject<'p> {
    let (bound, here) = (view.bound, view.walk.here());
    let verdict = view.steps.last().and_then(|step| step.verdict.as_ref());
    let solved: Option<&Solved<'_>> = view.solved;
    PositionObject {
        game: &bound.program.name,
        instance: Instance(instance),
        players: bound.players,
        kind: Text(view.kind()),
        after: Some(view.walk.plays.iter().map(|play| play.label.as_str()).collect()),
        position: show::position_text(bound, here),
        variables: positions::value(bound, here),
        mover: Text(here.turn),
        over: view.rated.is_empty() && view.plain.is_empty(),
        totals: view.walk.totals(),
        scene: &view.scene,
        verdict: &view.assessment,
        worth: worth(verdict),
        judged: view.judged.as_ref().map(|judged| OutcomeClass { outcome_class: JudgedHere::new(judged).class() }),
        moves: MoveObject::all(view),
        moves_cut: view.cut,
        moves_count: view.count.filter(|_| view.cut).and_then(|count| u64::try_from(count).ok()),
        history: Some(history(view)),
        solved: solved.is_some(),
        unsolved,
        method: solved.map(|solved| Text(solved.plan.method())),
        proof: solved.map(|solved| Text(solved.answers.proof(&solved.start))),
    }
}

/// The object of a position as text; `unsolved` says why nothing is known of it.
pub fn position(view: &View<'_, '_>, unsolved: Option<ErrorObject>) -> String {
    let instance = Understood::new(view.bound);
    super::super::text(&object(view, &instance, unsolved))
}

impl<'p> Export<'p> {
    /// A page of a game with these rules, without any position yet. The first that is added is the start.
    pub fn new(bound: &'p Bound, rules: &'p str) -> Export<'p> {
        let instance = serde_json::to_value(Instance(&Understood::new(bound))).unwrap_or_default();
        let (game, about) = (bound.program.name.as_str(), bound.program.doc.join(" "));
        Export {
            offline: 2,
            game,
            about,
            rules,
            instance,
            start: 0,
            all: serde_json::Map::new(),
            positions: Vec::new(),
        }
    }

    /// Adds a position; `to` are the numbers of the positions that its moves lead to. Says how many bytes it takes.
    pub fn add(&mut self, view: &View<'_, '_>, to: &[usize]) -> usize {
        let instance = Understood::new(view.bound);
        let mut object = object(view, &instance, None);
        (object.after, object.history, object.totals) = (None, None, None);
        for (mv, to) in object.moves.iter_mut().zip(to) {
            mv.to = Some(*to);
        }
        let mut value = serde_json::to_value(&object).unwrap_or_default();
        if let Some(fields) = value.as_object_mut() {
            for name in UNUSED {
                fields.remove(name);
            }
            for name in COMMON {
                if let Some(field) = fields.remove(name) {
                    self.all.insert(name.to_string(), field);
                }
            }
        }
        let text = value.to_string();
        let bytes = text.len();
        self.positions.push(text);
        bytes
    }

    /// All of it as JSON.
    pub fn text(&self) -> String {
        super::super::text_up_to(self, "positions") + "[" + &self.positions.join(",") + "]}"
    }
}
