//! Draws one part of a position: the pictures that the shape of the game asks for, with the values of its variables.

use game::Player;
use rules::bind::Bound;
use rules::layout::{Leaf, Slot, elements};
use rules::show;

use super::shape::{Graph, Look, Shape};
use super::stretch::Stretch;
use super::{Edge, Field, Head, Item, Node, Panel};

/// The pictures of a part.
pub(crate) fn of(bound: &Bound, shape: &Shape, part: &[i64], turn: Player, number: Option<usize>) -> Vec<Panel> {
    let head = |title: Option<&str>| Head { title: title.map(str::to_string), part: number };
    if shape.grid
        && let Ok(Some(board)) = show::board(bound, part, turn)
    {
        let (rows, columns, cells) = (board.rows, board.columns, board.texts);
        let (blank, decisive, pieces) = (shape.blank.clone(), Vec::new(), Vec::new());
        return vec![Panel::Grid { rows, columns, cells, blank, decisive, pieces, head: head(None) }];
    }
    let mut panels = Vec::new();
    if let Some(graph) = &shape.graph {
        panels.push(drawn(bound, graph, part, head(Some(&graph.title))));
    }
    for stretch in &shape.stretches {
        let title = stretch.title.as_deref().filter(|_| number.is_none());
        panels.push(stretched(bound, shape, stretch, part, turn, head(title)));
    }
    let mut fields = Vec::new();
    // Where a grid cannot be drawn, nothing is known of the looks.
    let looks = bound.layout.variables.iter().enumerate().map(|(at, slot)| (slot, shape.looks.get(at)));
    for (slot, look) in looks {
        let cells = &part[slot.offset..slot.offset + slot.cells];
        let name = Some(slot.name.as_str()).filter(|_| number.is_none() || bound.layout.variables.len() > 1);
        match look {
            Some(Look::Shown) => {}
            Some(Look::Heaps) => panels.extend(heaps(slot, cells, name, &head)),
            Some(Look::Marks { texts, gone }) => {
                panels.push(row(marks(slot, cells, texts, *gone), head(name)));
            }
            Some(Look::Items) => {
                let item = |cell: &i64| Item { text: text(slot, *cell), there: true, owner: None };
                panels.push(row(cells.iter().map(item).collect(), head(name)));
            }
            Some(Look::Ends { texts, title, right }) => {
                let left = cells[0];
                let right = right.map_or(texts.len() as i64, |right| part[bound.layout.variables[right].offset]);
                let item = |(at, text): (usize, &String)| Item {
                    text: text.clone(),
                    there: left <= at as i64 && (at as i64) < right,
                    owner: None,
                };
                panels.push(row(texts.iter().enumerate().map(item).collect(), head(Some(title))));
            }
            Some(Look::Field) | None => fields.push(Field { name: slot.name.clone(), text: value(slot, cells) }),
        }
    }
    if !fields.is_empty() {
        panels.push(Panel::Fields { fields, head: head(None) });
    }
    panels
}

fn row(items: Vec<Item>, head: Head) -> Panel {
    Panel::Row { items, upright: false, counts: false, ends: None, head }
}

/// A list of which the rules show a stretch. What is shown of pits is the stretch alone.
fn stretched(bound: &Bound, shape: &Shape, stretch: &Stretch, part: &[i64], turn: Player, head: Head) -> Panel {
    let shown = stretch.read(bound, part, turn).unwrap_or_default();
    let (from, to, counts) = (shown.from, shown.to, stretch.counts.is_some());
    let owner = |text: &String| shape.owners.iter().find(|(known, _)| known == text).map(|(_, owner)| *owner);
    let item = |(at, text): (usize, String)| Item {
        owner: owner(&text).filter(|_| !counts),
        there: from <= at && at < to,
        text,
    };
    let items = shown.texts.into_iter().enumerate().map(item).filter(|item| item.there || !counts).collect();
    let ends = (!counts).then_some((from, to));
    Panel::Row { items, upright: stretch.upright, counts, ends, head }
}

fn heaps(slot: &Slot, cells: &[i64], name: Option<&str>, head: &dyn Fn(Option<&str>) -> Head) -> Vec<Panel> {
    let title = |index: usize| match (name, slot.dims.is_empty()) {
        (Some(name), false) => Some(format!("{name}[{index}]")),
        (name, _) => name.map(str::to_string),
    };
    let heap = |(index, stones): (usize, &i64)| Panel::Heap { stones: *stones, head: head(title(index).as_deref()) };
    cells.iter().enumerate().map(heap).collect()
}

fn marks(slot: &Slot, cells: &[i64], texts: &[String], gone: bool) -> Vec<Item> {
    let marked = |item: usize| match &slot.leaf {
        Leaf::Set { low, .. } => elements(*low, cells).contains(&(low + item as i64)),
        _ => cells.get(item).is_some_and(|cell| *cell != 0),
    };
    let item = |(at, text): (usize, &String)| Item { text: text.clone(), there: marked(at) != gone, owner: None };
    texts.iter().enumerate().map(item).collect()
}

fn drawn(bound: &Bound, graph: &Graph, part: &[i64], head: Head) -> Panel {
    let there = |edge: usize| match graph.there {
        Some(variable) => part[bound.layout.variables[variable].offset + edge] != 0,
        None => true,
    };
    let edge = |(at, &(from, to)): (usize, &(usize, usize))| {
        let owner = graph.owners.as_ref().and_then(|owners| owners.get(at)).copied();
        Edge { from, to, there: there(at), owner }
    };
    let edges: Vec<Edge> = graph.edges.iter().enumerate().map(edge).collect();
    let ground = graph.there.map(|_| 0);
    let node = |node: usize| {
        let slots = graph.tokens.iter().map(|variable| &bound.layout.variables[*variable]);
        let tokens = slots.filter(|slot| part[slot.offset] == node as i64).map(|slot| slot.name.clone()).collect();
        let hangs = || edges.iter().any(|edge| edge.there && (edge.from == node || edge.to == node));
        let pays = graph.pays.get(node).cloned().flatten();
        Node { text: node.to_string(), tokens, there: ground.is_none() || ground == Some(node) || hangs(), pays }
    };
    let nodes = (0..graph.nodes).map(node).collect();
    Panel::Graph { directed: graph.directed, nodes, edges, ground, head }
}

/// A scalar, by name where it has one.
fn text(slot: &Slot, cell: i64) -> String {
    let name = slot.leaf.names().and_then(|names| names.get(usize::try_from(cell).ok()?));
    match (&slot.leaf, name) {
        (Leaf::Bool, _) => (cell != 0).to_string(),
        (_, Some(name)) => name.clone(),
        _ => cell.to_string(),
    }
}

/// A whole variable.
fn value(slot: &Slot, cells: &[i64]) -> String {
    let value = crate::positions::written(slot, 0, cells);
    match (&value, &slot.dims[..], cells) {
        (serde_json::Value::String(text), ..) => text.clone(),
        _ => show::cut(200, &value),
    }
}
