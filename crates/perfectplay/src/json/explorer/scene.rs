//! The objects of scenes and of assessments, which stand in many others.

use serde::{Serialize, Serializer};
use solve::answer::solution::Winner;

use super::super::Text;
use crate::scene::{Edge, Field, Head, Item, Node, Owner, Panel, Piece, Scene, Target};
use crate::words::{Assessment, Mark};

#[derive(Serialize)]
struct SceneObject<'s> {
    text: &'s str,
    panels: Vec<PanelObject<'s>>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum PanelObject<'s> {
    Grid {
        rows: usize,
        columns: usize,
        cells: &'s [String],
        #[serde(skip_serializing_if = "Option::is_none")]
        blank: Option<&'s str>,
        #[serde(skip_serializing_if = "<[_]>::is_empty")]
        decisive: &'s [usize],
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pieces: Vec<PieceObject<'s>>,
        #[serde(flatten)]
        head: HeadObject<'s>,
    },
    Heap {
        stones: i64,
        #[serde(flatten)]
        head: HeadObject<'s>,
    },
    Row {
        items: Vec<ItemObject<'s>>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        upright: bool,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        counts: bool,
        #[serde(flatten)]
        head: HeadObject<'s>,
    },
    Graph {
        directed: bool,
        nodes: Vec<NodeObject<'s>>,
        edges: Vec<EdgeObject>,
        #[serde(skip_serializing_if = "Option::is_none")]
        ground: Option<usize>,
        #[serde(flatten)]
        head: HeadObject<'s>,
    },
    Fields {
        fields: Vec<FieldObject<'s>>,
        #[serde(flatten)]
        head: HeadObject<'s>,
    },
}

#[derive(Serialize)]
struct HeadObject<'s> {
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<usize>,
}

#[derive(Serialize)]
struct PieceObject<'s> {
    text: &'s str,
    owner: &'static str,
}

#[derive(Serialize)]
struct ItemObject<'s> {
    text: &'s str,
    there: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<&'static str>,
}

#[derive(Serialize)]
struct NodeObject<'s> {
    text: &'s str,
    tokens: &'s [String],
    there: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pays: Option<&'s str>,
}

#[derive(Serialize)]
struct EdgeObject {
    from: usize,
    to: usize,
    there: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<&'static str>,
}

#[derive(Serialize)]
struct FieldObject<'s> {
    name: &'s str,
    text: &'s str,
}

impl<'s> HeadObject<'s> {
    fn new(head: &'s Head) -> HeadObject<'s> {
        HeadObject { title: head.title.as_deref(), part: head.part }
    }
}

fn owner(owner: Owner) -> &'static str {
    match owner {
        Owner::First => "first",
        Owner::Second => "second",
        Owner::Both => "both",
    }
}

impl EdgeObject {
    fn new(edge: &Edge) -> EdgeObject {
        EdgeObject { from: edge.from, to: edge.to, there: edge.there, owner: edge.owner.map(owner) }
    }
}

impl<'s> PanelObject<'s> {
    fn new(panel: &'s Panel) -> PanelObject<'s> {
        let item = |item: &'s Item| ItemObject { text: &item.text, there: item.there, owner: item.owner.map(owner) };
        let piece = |piece: &'s Piece| PieceObject { text: &piece.text, owner: owner(piece.owner) };
        let node = |node: &'s Node| NodeObject {
            text: &node.text,
            tokens: &node.tokens,
            there: node.there,
            pays: node.pays.as_deref(),
        };
        let field = |field: &'s Field| FieldObject { name: &field.name, text: &field.text };
        match panel {
            Panel::Grid { rows, columns, cells, blank, decisive, pieces, head } => PanelObject::Grid {
                rows: *rows,
                columns: *columns,
                cells,
                blank: blank.as_deref(),
                decisive,
                pieces: pieces.iter().map(piece).collect(),
                head: HeadObject::new(head),
            },
            Panel::Heap { stones, head } => PanelObject::Heap { stones: *stones, head: HeadObject::new(head) },
            Panel::Row { items, upright, counts, ends: _, head } => PanelObject::Row {
                items: items.iter().map(item).collect(),
                upright: *upright,
                counts: *counts,
                head: HeadObject::new(head),
            },
            Panel::Graph { directed, nodes, edges, ground, head } => PanelObject::Graph {
                directed: *directed,
                nodes: nodes.iter().map(node).collect(),
                edges: edges.iter().map(EdgeObject::new).collect(),
                ground: *ground,
                head: HeadObject::new(head),
            },
            Panel::Fields { fields, head } => {
                PanelObject::Fields { fields: fields.iter().map(field).collect(), head: HeadObject::new(head) }
            }
        }
    }
}

impl Serialize for Scene {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let panels = self.panels.iter().map(PanelObject::new).collect();
        SceneObject { text: &self.text, panels }.serialize(serializer)
    }
}

#[derive(Serialize)]
struct TargetObject {
    panel: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    item: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    edge: Option<usize>,
}

impl Serialize for Target {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Target { panel, item, edge } = *self;
        TargetObject { panel, item, edge }.serialize(serializer)
    }
}

#[derive(Serialize)]
struct AssessmentObject<'a> {
    words: &'a str,
    short: &'a str,
    mark: Text<Mark>,
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<Text<Winner>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    totals: Option<&'a [i64]>,
}

impl Serialize for Assessment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Assessment { words, short, mark, winner, totals } = self;
        let (mark, winner, totals) = (Text(*mark), winner.map(Text), totals.as_deref());
        AssessmentObject { words, short, mark, winner, totals }.serialize(serializer)
    }
}
