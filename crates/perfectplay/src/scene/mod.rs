//! Scenes: what a page draws of a position, and what of it a move touches.
//!
//! Rules say how a position is drawn as text (`show`). A page wants more: a board of squares, heaps of stones, coins in a row,
//! a graph. What a variable looks like is found by its domain, by the lists of the instance that have its length, and by what the
//! moves at the start do to it (`shape`). That decides a picture and nothing else.
//!
//! ```
//! use perfectplay::language::Rules;
//! use perfectplay::moves;
//! use perfectplay::scene::{Aim, Edge, Field, Head, Item, Node, Owner, Painter, Panel, Piece, Scene, Target};
//!
//! let nim = Rules::gallery("nim").unwrap().bind(r#"{"piles": [3, 4]}"#)?;
//! let scene: Scene = Painter::new(&nim).scene(&nim.start);
//! assert!(matches!(scene.panels[1], Panel::Heap { stones: 4, head: Head { part: Some(1), .. }, .. }));
//!
//! // A board of squares: whose the pieces are, and where a move is on it.
//! let game = Rules::gallery("tic_tac_toe").unwrap().bind("{}")?;
//! let painter = Painter::new(&game);
//! let Panel::Grid { rows: 3, pieces, .. } = &painter.scene(&game.start).panels[0] else { panic!("no board") };
//! assert!(pieces.iter().any(|piece: &Piece| piece.owner == Owner::First));
//! let centre = moves::find(&game, &game.start, "place(4)").unwrap().unwrap();
//! let aims: Vec<Aim> = painter.aims(&game.start, &[&centre]);
//! assert_eq!(aims[0].clicks, [Target { panel: 0, item: Some(4), edge: None }]);
//!
//! // A row of items, and variables that have no picture.
//! let coins = Rules::gallery("coins").unwrap().bind("{}")?;
//! for panel in Painter::new(&coins).scene(&coins.start).panels {
//!     match panel {
//!         Panel::Row { items, .. } => assert!(items.iter().all(|item: &Item| item.there)),
//!         Panel::Fields { fields, .. } => assert!(fields.iter().all(|field: &Field| !field.name.is_empty())),
//!         _ => panic!("coins lie in a row"),
//!     }
//! }
//!
//! // A graph.
//! let graph = Rules::gallery("digraph_token").unwrap().bind("{}")?;
//! let scene = Painter::new(&graph).scene(&graph.start);
//! let drawn = scene.panels.iter().any(|panel| match panel {
//!     Panel::Graph { nodes, edges, .. } => {
//!         nodes.iter().any(|node: &Node| !node.tokens.is_empty()) && edges.iter().all(|edge: &Edge| edge.there)
//!     }
//!     _ => false,
//! });
//! assert!(drawn);
//! # Ok::<(), perfectplay::Error>(())
//! ```

mod clicks;
mod decisive;
mod panels;
mod pieces;
mod shape;
mod stretch;
mod svg;

use rules::bind::{Bound, Position};
use rules::play::first_plays;
use rules::show;

use shape::Shape;

pub use clicks::Aim;
pub use pieces::{Owner, Piece};

/// What a page draws of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// The drawing as `show` makes it, with the names of squares.
    pub text: String,
    /// The pictures, in order.
    pub panels: Vec<Panel>,
}

/// One picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Panel {
    /// A board of squares.
    Grid {
        /// How many rows.
        rows: usize,
        /// How many columns.
        columns: usize,
        /// What each cell shows, row by row.
        cells: Vec<String>,
        /// What an empty cell shows.
        blank: Option<String>,
        /// The squares that decided a game which is over, such as a line of marks.
        decisive: Vec<usize>,
        /// Whose the pieces are, as far as moves tell.
        pieces: Vec<Piece>,
        /// What it is called, and of which part it is.
        head: Head,
    },
    /// A heap of stones.
    Heap {
        /// How many stones.
        stones: i64,
        /// What it is called, and of which part it is.
        head: Head,
    },
    /// A row of items with something written on them.
    Row {
        /// The items from the left.
        items: Vec<Item>,
        /// Whether it stands: its first item is the lowest, and the highest goes first.
        upright: bool,
        /// Whether the items are pits, and what is written on them is how much they hold.
        counts: bool,
        /// Where the items that are there begin and end, if that is what moves change.
        ends: Option<(usize, usize)>,
        /// What it is called, and of which part it is.
        head: Head,
    },
    /// Nodes and edges.
    Graph {
        /// Whether edges are arrows.
        directed: bool,
        /// The nodes by number.
        nodes: Vec<Node>,
        /// The edges by number.
        edges: Vec<Edge>,
        /// The node that is the ground.
        ground: Option<usize>,
        /// What it is called, and of which part it is.
        head: Head,
    },
    /// Variables by name.
    Fields {
        /// The variables in order.
        fields: Vec<Field>,
        /// What it is called, and of which part it is.
        head: Head,
    },
}

/// What a picture is called, and of which part of a sum it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// Its name.
    pub title: Option<String>,
    /// The part.
    pub part: Option<usize>,
}

/// An item of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What is written on it.
    pub text: String,
    /// Whether it is still there.
    pub there: bool,
    /// Whose it is, where items belong to players.
    pub owner: Option<Owner>,
}

/// A node of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its number.
    pub text: String,
    /// What stands on it.
    pub tokens: Vec<String>,
    /// Whether it is still there.
    pub there: bool,
    /// What the game pays if it ends here.
    pub pays: Option<String>,
}

/// An edge of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The node it comes from.
    pub from: usize,
    /// The node it goes to.
    pub to: usize,
    /// Whether it is still there.
    pub there: bool,
    /// Who may cut it, where edges belong to players.
    pub owner: Option<Owner>,
}

/// A variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its value.
    pub text: String,
}

/// A thing on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// The picture.
    pub panel: usize,
    /// The item of it.
    pub item: Option<usize>,
    /// Or the edge of it.
    pub edge: Option<usize>,
}

impl Target {
    fn item(panel: usize, item: usize) -> Target {
        Target { panel, item: Some(item), edge: None }
    }

    fn edge(panel: usize, edge: usize) -> Target {
        Target { panel, item: None, edge: Some(edge) }
    }
}

/// Draws the positions of a game.
pub struct Painter<'b> {
    bound: &'b Bound,
    shape: Shape,
}

impl<'b> Painter<'b> {
    /// Looks at a game and decides how it is drawn.
    pub fn new(bound: &'b Bound) -> Painter<'b> {
        let mut painter = Painter { bound, shape: Shape::of(bound) };
        painter.shape.owners = painter.owners();
        painter
    }

    /// Whose the items of rows are, by what is written on them: those that one player alone may choose at the start.
    fn owners(&self) -> Vec<(String, Owner)> {
        let is_list = |stretch: &stretch::Stretch| stretch.counts.is_none();
        if self.bound.players != 2 || !self.shape.stretches.iter().any(is_list) {
            return Vec::new();
        }
        let mut chosen: Vec<(String, [bool; 2])> = Vec::new();
        for seat in 0..2 {
            let start = Position { turn: game::Player(seat), ..self.bound.start.clone() };
            let Ok((plays, _)) = first_plays(self.bound, &start, shape::MOST_PLAYS) else { return Vec::new() };
            let panels = self.scene(&start).panels;
            for aim in self.aims(&start, &plays.iter().collect::<Vec<_>>()) {
                let [Target { panel, item: Some(item), .. }] = aim.clicks[..] else { continue };
                let Some(Panel::Row { items, .. }) = panels.get(panel) else { continue };
                let text = &items[item].text;
                match chosen.iter_mut().find(|(known, _)| known == text) {
                    Some((_, by)) => by[usize::from(seat)] = true,
                    None => chosen.push((text.clone(), [seat == 0, seat == 1])),
                }
            }
        }
        let owner = |(text, by): (String, [bool; 2])| match by {
            [true, false] => (text, Owner::First),
            [false, true] => (text, Owner::Second),
            _ => (text, Owner::Both),
        };
        // Where both may choose everything, nothing belongs to anybody.
        match chosen.iter().any(|(_, by)| by[0] != by[1]) {
            true => chosen.into_iter().map(owner).collect(),
            false => Vec::new(),
        }
    }

    /// The scene of a position. Its text is what `show` draws; where play cannot come to the position and `show` fails on it, the
    /// text lists its variables.
    pub fn scene(&self, position: &Position) -> Scene {
        let text = show::draw_named(self.bound, position);
        let text = text.unwrap_or_else(|_| show::position_text(self.bound, position));
        let is_sum = self.bound.program.sum.is_some();
        let mut panels = Vec::new();
        for (number, part) in position.parts.iter().enumerate() {
            panels.extend(self.panels(part, position.turn, is_sum.then_some(number)));
        }
        if let Some(Panel::Grid { decisive, pieces, .. }) = panels.first_mut() {
            *decisive = decisive::squares(self.bound, position);
            pieces.clone_from(&self.shape.pieces);
        }
        Scene { text: text.trim_end().to_string(), panels }
    }

    /// The pictures of one part. There are as many for every part.
    fn panels(&self, part: &[i64], turn: game::Player, number: Option<usize>) -> Vec<Panel> {
        panels::of(self.bound, &self.shape, part, turn, number)
    }
}
