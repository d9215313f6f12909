//! The objects of pictures: the triangle, the game graph, values with thermographs; and of the computer's moves.

use game::{OutcomeClass, Player, Verdict};
use rules::bind::{Bound, Position};
use rules::show;
use serde::Serialize;
use solve::answer::solution::Understood;
use solve::picture::{Cell, Point, Triangle};

use super::super::moves::VerdictFields;
use super::super::value::{Number, ThermographObject, class, number, thermograph};
use super::super::{Instance, Text};
use crate::positions;
use crate::values::{Dyadic, Thermograph};
use crate::words::{Assessment, Mark};

#[derive(Serialize)]
struct TriangleObject<'t> {
    game: &'t str,
    instance: Instance<'t>,
    items: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    labels: Option<&'t [i64]>,
    cells: Vec<CellObject>,
    line: Vec<PointObject>,
}

#[derive(Serialize)]
struct CellObject {
    left: u32,
    right: u32,
    value: i64,
    best_left: bool,
    best_right: bool,
}

#[derive(Serialize)]
struct PointObject {
    left: u32,
    right: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    mover: Option<Text<Player>>,
}

/// The object of a triangle, as text.
pub fn triangle(bound: &Bound, triangle: &Triangle) -> String {
    let instance = Understood::new(bound);
    let cell = |cell: &Cell| {
        let Cell { left, right, value, best_left, best_right } = *cell;
        CellObject { left, right, value, best_left, best_right }
    };
    let point = |point: &Point| PointObject { left: point.left, right: point.right, mover: point.mover.map(Text) };
    super::super::text(&TriangleObject {
        game: &bound.program.name,
        instance: Instance(&instance),
        items: triangle.items,
        labels: triangle.labels.as_deref(),
        cells: triangle.cells.iter().map(cell).collect(),
        line: triangle.line.iter().map(point).collect(),
    })
}

/// All positions of a small game with their moves.
#[derive(Serialize)]
struct GraphObject<'g> {
    nodes: Vec<NodeObject<'g>>,
    edges: Vec<EdgeObject<'g>>,
}

/// A position of a game graph.
pub struct GraphNode {
    /// The position.
    pub position: Position,
    /// Whether the game is over there.
    pub over: bool,
    /// How many moves it is from the start.
    pub depth: u64,
    /// The result of best play from there on.
    pub assessment: Assessment,
    /// What it is worth.
    pub verdict: Option<Verdict>,
    /// Its moves.
    pub moves: Vec<GraphEdge>,
}

/// A move of a game graph.
pub struct GraphEdge {
    /// Its name.
    pub label: String,
    /// The number of the position that it leads to.
    pub to: usize,
    /// Whether it is best.
    pub best: bool,
    /// How it looks for the player who makes it.
    pub mark: Mark,
}

#[derive(Serialize)]
struct NodeObject<'g> {
    position: String,
    text: String,
    variables: serde_json::Value,
    mover: Text<Player>,
    over: bool,
    depth: u64,
    mark: Text<Mark>,
    words: &'g str,
    short: &'g str,
    #[serde(flatten)]
    worth: Option<VerdictFields<'g>>,
}

#[derive(Serialize)]
struct EdgeObject<'g> {
    from: usize,
    to: usize,
    #[serde(rename = "move")]
    label: &'g str,
    best: bool,
    mark: Text<Mark>,
}

#[derive(Serialize)]
struct WholeGraph<'g> {
    game: &'g str,
    instance: Instance<'g>,
    #[serde(flatten)]
    graph: GraphObject<'g>,
}

/// The object of a game graph, as text.
pub fn graph(bound: &Bound, nodes: &[GraphNode]) -> String {
    let instance = Understood::new(bound);
    fn node<'g>(bound: &Bound, node: &'g GraphNode) -> NodeObject<'g> {
        let text = show::draw_named(bound, &node.position);
        let worth = node.verdict.as_ref().map(|verdict| {
            let mut worth = VerdictFields::new(verdict);
            worth.forget_unique();
            worth
        });
        NodeObject {
            position: show::position_text(bound, &node.position),
            text: text.unwrap_or_else(|_| show::position_text(bound, &node.position)),
            variables: positions::value(bound, &node.position),
            mover: Text(node.position.turn),
            over: node.over,
            depth: node.depth,
            mark: Text(node.assessment.mark),
            words: &node.assessment.words,
            short: &node.assessment.short,
            worth,
        }
    }
    let edges = nodes.iter().enumerate().flat_map(|(from, node)| {
        node.moves.iter().map(move |edge| {
            let GraphEdge { label, to, best, mark } = edge;
            EdgeObject { from, to: *to, label, best: *best, mark: Text(*mark) }
        })
    });
    let graph = GraphObject { nodes: nodes.iter().map(|it| node(bound, it)).collect(), edges: edges.collect() };
    super::super::text(&WholeGraph { game: &bound.program.name, instance: Instance(&instance), graph })
}

/// The value of a position or of what a move leaves.
pub struct ValuedOption {
    /// The move and who makes it; `None` of the position itself.
    pub by: Option<(String, Player)>,
    /// The canonical form; `None` where its name is very long.
    pub name: Option<String>,
    /// Its mean.
    pub mean: Option<Dyadic>,
    /// Its temperature.
    pub temperature: Option<Dyadic>,
    /// Who wins.
    pub class: Option<OutcomeClass>,
    /// Its thermograph.
    pub thermograph: Option<std::sync::Arc<Thermograph>>,
}

#[derive(Serialize)]
struct FormObject<'v> {
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    label: Option<&'v str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<Text<Player>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'v str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome_class: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thermograph: Option<ThermographObject>,
}

impl<'v> FormObject<'v> {
    fn new(valued: &'v ValuedOption) -> FormObject<'v> {
        FormObject {
            label: valued.by.as_ref().map(|by| by.0.as_str()),
            player: valued.by.as_ref().map(|by| Text(by.1)),
            value: valued.name.as_deref(),
            mean: valued.mean.map(number),
            temperature: valued.temperature.map(number),
            outcome_class: valued.class.filter(|_| valued.by.is_none()).map(class),
            thermograph: valued.thermograph.as_deref().map(thermograph),
        }
    }
}

#[derive(Serialize)]
struct PositionValueObject<'v> {
    game: &'v str,
    instance: Instance<'v>,
    position: String,
    #[serde(flatten)]
    form: FormObject<'v>,
    options: Vec<FormObject<'v>>,
}

/// The object of the value of a position and of its options, as text.
pub fn position_value(bound: &Bound, position: &Position, here: &ValuedOption, options: &[ValuedOption]) -> String {
    let instance = Understood::new(bound);
    super::super::text(&PositionValueObject {
        game: &bound.program.name,
        instance: Instance(&instance),
        position: show::position_text(bound, position),
        form: FormObject::new(here),
        options: options.iter().map(FormObject::new).collect(),
    })
}

/// How the computer found its move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveSource {
    /// It plays as it was asked to.
    Asked,
    /// By a look some moves ahead.
    Ahead,
    /// By a guess.
    Guess,
}

/// The move of the computer.
#[derive(Clone, Debug, Serialize)]
pub struct OpponentObject {
    /// Its name.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// How it was found.
    pub how: MoveSource,
    /// How the computer plays.
    pub words: String,
    /// How many answers to it are wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrong_answers: Option<usize>,
}
