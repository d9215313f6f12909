//! A scene as one picture that needs nothing else: SVG, for notebooks and documents.

use std::f64::consts::TAU;

use super::{Edge, Field, Head, Item, Node, Panel, Scene};

/// The side of a square, and the room of an item of a row.
const CELL: usize = 36;
/// The room around pictures, and between them.
const GAP: usize = 12;
/// The height of a line of text.
const LINE: usize = 20;
/// A heap with more stones than this is drawn as a number.
const MOST_STONES: i64 = 60;
/// So many stones stand side by side.
const STONES_ACROSS: i64 = 10;
/// A picture has at most so many items; of one with more, the text is shown.
const MOST_ITEMS: usize = 2000;

const STYLE: &str = "font:14px system-ui,sans-serif";
const INK: &str = "#333";
const PAPER: &str = "#f7f3ea";
const FAINT: &str = "#bbb";
const ACCENT: &str = "#c8553d";
const STONE: &str = "#4a6fa5";

/// A picture that grows downwards.
#[derive(Default)]
struct Drawing {
    body: String,
    width: usize,
    height: usize,
}

impl Scene {
    /// The scene as an SVG element: every panel below the other. Where a panel has very many items, the drawing as text takes
    /// the place of the pictures.
    ///
    /// ```
    /// use perfectplay::{language::Rules, scene::Painter};
    ///
    /// let board = Rules::gallery("tic_tac_toe").unwrap().bind("{}")?;
    /// let svg = Painter::new(&board).scene(&board.start).svg();
    /// assert!(svg.starts_with("<svg") && svg.matches("<rect").count() == 9);
    /// # Ok::<(), perfectplay::Error>(())
    /// ```
    pub fn svg(&self) -> String {
        let mut drawing = Drawing { height: GAP, ..Drawing::default() };
        if self.panels.is_empty() || self.panels.iter().any(|panel| items(panel) > MOST_ITEMS) {
            drawing.lines(&self.text);
        } else {
            self.panels.iter().for_each(|panel| drawing.panel(panel));
        }
        let (width, height) = (drawing.width + 2 * GAP, drawing.height);
        let label = escaped(&self.text);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             role=\"img\" aria-label=\"{label}\" style=\"{STYLE}\">{}</svg>",
            drawing.body
        )
    }
}

/// How much a panel draws.
fn items(panel: &Panel) -> usize {
    match panel {
        Panel::Grid { cells, .. } => cells.len(),
        Panel::Heap { .. } => 1,
        Panel::Row { items, .. } => items.len(),
        Panel::Graph { nodes, edges, .. } => nodes.len() + edges.len(),
        Panel::Fields { fields, .. } => fields.len(),
    }
}

impl Drawing {
    fn panel(&mut self, panel: &Panel) {
        match panel {
            Panel::Grid { rows, columns, cells, blank, decisive, head, .. } => {
                self.head(head);
                let shown = |cell: &String| if Some(cell) == blank.as_ref() { String::new() } else { cell.clone() };
                for (number, cell) in cells.iter().enumerate() {
                    let (row, column) = (number / columns.max(&1), number % columns.max(&1));
                    let fill = if decisive.contains(&number) { "#f2d4a7" } else { PAPER };
                    self.square(GAP + column * CELL, self.height + row * CELL, &shown(cell), fill, true);
                }
                self.grow(columns * CELL, rows * CELL + GAP);
            }
            Panel::Heap { stones, head } => self.heap(*stones, head),
            Panel::Row { items, upright, head, .. } => {
                self.head(head);
                self.row(items, *upright);
            }
            Panel::Graph { directed, nodes, edges, ground, head } => {
                self.head(head);
                self.graph(*directed, nodes, edges, *ground);
            }
            Panel::Fields { fields, head } => {
                self.head(head);
                let line = |field: &Field| format!("{} = {}", field.name, field.text);
                self.lines(&fields.iter().map(line).collect::<Vec<_>>().join("\n"));
            }
        }
    }

    /// What a panel is called.
    fn head(&mut self, head: &Head) {
        let part = head.part.map(|part| format!("part {part}"));
        let title: Vec<&str> = part.iter().map(String::as_str).chain(head.title.as_deref()).collect();
        if !title.is_empty() {
            self.lines(&title.join(": "));
            self.height -= GAP / 2;
        }
    }

    fn heap(&mut self, stones: i64, head: &Head) {
        self.head(head);
        if !(0..=MOST_STONES).contains(&stones) {
            return self.lines(&stones.to_string());
        }
        let step = CELL / 2;
        for stone in 0..stones {
            let (row, column) = ((stone / STONES_ACROSS) as usize, (stone % STONES_ACROSS) as usize);
            let (x, y) = (GAP + column * step + step / 2, self.height + row * step + step / 2);
            self.put(&format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"7\" fill=\"{STONE}\"/>"));
        }
        let across = stones.min(STONES_ACROSS) as usize;
        let y = self.height + LINE / 2;
        self.text(GAP + across * step + GAP, y + 5, "start", FAINT, &stones.to_string());
        let rows = ((stones.max(1) - 1) / STONES_ACROSS + 1) as usize;
        self.grow(across * step + 4 * GAP, (rows * step).max(LINE) + GAP);
    }

    fn row(&mut self, items: &[Item], upright: bool) {
        for (place, item) in items.iter().enumerate() {
            // The first item of a row that stands is the lowest.
            let (x, y) = match upright {
                true => (GAP, self.height + (items.len() - 1 - place) * CELL),
                false => (GAP + place * CELL, self.height),
            };
            self.square(x, y, &item.text, if item.there { PAPER } else { "none" }, item.there);
        }
        match upright {
            true => self.grow(CELL, items.len() * CELL + GAP),
            false => self.grow(items.len() * CELL, CELL + GAP),
        }
    }

    fn graph(&mut self, directed: bool, nodes: &[Node], edges: &[Edge], ground: Option<usize>) {
        let radius = (nodes.len() as f64 * 12.0).clamp(50.0, 400.0);
        let (middle_x, middle_y) = (GAP as f64 + radius + 16.0, self.height as f64 + radius + 16.0);
        let place = |node: usize| {
            let turn = TAU * node as f64 / nodes.len().max(1) as f64 - TAU / 4.0;
            (middle_x + radius * turn.cos(), middle_y + radius * turn.sin())
        };
        for edge in edges {
            let ((x, y), (to_x, to_y)) = (place(edge.from), place(edge.to));
            let (ink, dash) = if edge.there { (INK, "") } else { (FAINT, " stroke-dasharray=\"3 4\"") };
            let path = format!("<line x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{to_x:.1}\" y2=\"{to_y:.1}\"");
            self.put(&format!("{path} stroke=\"{ink}\"{dash}/>"));
            if directed {
                // A dot near the end shows where the arrow goes.
                let (near_x, near_y) = (x + (to_x - x) * 0.8, y + (to_y - y) * 0.8);
                self.put(&format!("<circle cx=\"{near_x:.1}\" cy=\"{near_y:.1}\" r=\"3\" fill=\"{ink}\"/>"));
            }
        }
        for (number, node) in nodes.iter().enumerate() {
            let (x, y) = place(number);
            let fill = match (node.tokens.is_empty(), node.there) {
                (false, _) => ACCENT,
                (true, true) => PAPER,
                (true, false) => "none",
            };
            let ink = if node.there { INK } else { FAINT };
            let width = if ground == Some(number) { 3 } else { 1 };
            self.put(&format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"13\" fill=\"{fill}\" stroke=\"{ink}\" stroke-width=\"{width}\"/>"
            ));
            let shown = if node.tokens.is_empty() { node.text.clone() } else { node.tokens.join("") };
            self.text(x as usize, y as usize + 5, "middle", INK, &shown);
        }
        let side = (2.0 * radius) as usize + 32;
        self.grow(side, side + GAP);
    }

    fn square(&mut self, x: usize, y: usize, text: &str, fill: &str, there: bool) {
        let ink = if there { INK } else { FAINT };
        self.put(&format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{fill}\" stroke=\"{ink}\"/>"
        ));
        if !text.is_empty() {
            self.text(x + CELL / 2, y + CELL / 2 + 5, "middle", ink, text);
        }
    }

    fn lines(&mut self, text: &str) {
        for line in text.lines() {
            self.text(GAP, self.height + LINE - 5, "start", INK, line);
            self.grow(8 * line.chars().count(), LINE);
        }
        self.height += GAP / 2;
    }

    fn text(&mut self, x: usize, y: usize, anchor: &str, ink: &str, text: &str) {
        let text = escaped(text);
        self.put(&format!(
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" fill=\"{ink}\" xml:space=\"preserve\">{text}</text>"
        ));
    }

    fn put(&mut self, element: &str) {
        self.body.push_str(element);
    }

    fn grow(&mut self, width: usize, height: usize) {
        self.width = self.width.max(width);
        self.height += height;
    }
}

/// A text that can stand in XML.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\n' => safe.push_str("&#10;"),
            c if c.is_control() => safe.push(char::REPLACEMENT_CHARACTER),
            c => safe.push(c),
        }
    }
    safe
}
