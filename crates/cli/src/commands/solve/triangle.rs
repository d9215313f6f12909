//! `solve --svg FILE`: the values of all intervals as a wall of bricks.
//!
//! The whole row is the brick at the top, single items are the bricks at the bottom, and below each brick are the two that are
//! left when an item is taken at one end. A brick is coloured by its value for the player to move, corners point to what
//! the best moves leave, and one line of best play runs down the wall.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

use perfectplay::answer::picture::{Cell, Point, Triangle};
use perfectplay::answer::{Player, Solution};
use perfectplay::json::Spelled;

use crate::phrases::totals;
use crate::svg::{self, cut, escaped, short};

const MARGIN: f64 = 30.0;
const TOP: f64 = 78.0;
/// The legend needs so much room.
const NARROWEST: f64 = 660.0;
const LEGEND: f64 = 112.0;
/// The widest wall, and the widest and the narrowest brick.
const WALL: f64 = 1300.0;
const WIDEST: f64 = 120.0;
const NARROW: f64 = 4.0;
/// In narrower bricks there is nothing but colour and a mark of the best move.
const ROOMY: f64 = 20.0;
/// Up to so many items every brick has a text of its own, which is shown when one points at it.
const EXPLAINED: u32 = 60;
/// How high the bars of items are that have no room for numbers.
const BARS: f64 = 36.0;
/// The shades of a colour.
const SHADES: i64 = 8;
/// The lightest and the darkest shade for who is ahead and for who is behind: blue and orange differ for every eye.
const AHEAD: [[f64; 3]; 2] = [[222.0, 235.0, 247.0], [8.0, 69.0, 148.0]];
const BEHIND: [[f64; 3]; 2] = [[254.0, 232.0, 206.0], [166.0, 74.0, 0.0]];
const EVEN: [u8; 3] = [242, 242, 242];

const STYLE: &str = "svg{font-family:sans-serif;font-size:13px}text{fill:#222}.title{font-size:17px}.small{font-size:11px}\
.middle{text-anchor:middle}.halo,.line{fill:none;stroke-linejoin:round;stroke-linecap:round}.halo{stroke:white}\
.line{stroke:#111}.first{fill:white;stroke:#111;stroke-width:1.6}.second{fill:#111;stroke:white;stroke-width:1.2}\
.light{fill:#222}text.dark,.dark{fill:white}";

/// Where everything is.
struct Wall<'t> {
    triangle: &'t Triangle,
    /// The largest value, whoever is ahead.
    most: u64,
    brick: (f64, f64),
    left: f64,
    width: f64,
    /// How high the items are below the wall.
    items: f64,
    letters: f64,
}

/// The picture of a solved interval game.
pub fn picture(solution: &Solution, triangle: &Triangle) -> String {
    let wall = Wall::new(triangle);
    let height = wall.bottom() + wall.items + LEGEND;
    let room = (wall.width - 2.0 * MARGIN) / 8.6;
    let title = cut(&title(solution), room as usize);
    let mut text = svg::begin(wall.width, height, STYLE, &format!("{title}: {}", result(solution)));
    let _ = writeln!(text, "<text class=\"title\" x=\"{MARGIN}\" y=\"30\">{}</text>", escaped(&title));
    let _ = writeln!(text, "<text x=\"{MARGIN}\" y=\"52\">{}</text>", escaped(&result(solution)));
    wall.bricks(&mut text);
    wall.marks(&mut text);
    wall.line(&mut text);
    wall.numbers(&mut text);
    wall.items(&mut text);
    wall.legend(&mut text);
    text.push_str(svg::END);
    text
}

fn title(solution: &Solution) -> String {
    let word = |(name, value)| format!("{name}={}", Spelled(value));
    let words: Vec<String> = solution.instance.iter().map(word).collect();
    format!("{} {}", solution.game, words.join(" "))
}

fn result(solution: &Solution) -> String {
    let value = solution.value.unwrap_or(0);
    let scores = solution.scores.as_deref().map_or(String::new(), |scores| format!(" ({})", totals(scores)));
    let winner = if value > 0 { solution.starter } else { solution.starter.other() };
    match value {
        0 => format!("value 0: the scores are equal{scores}"),
        value => format!("value {value}: the {winner} player wins by {}{scores}", value.unsigned_abs()),
    }
}

impl<'t> Wall<'t> {
    fn new(triangle: &'t Triangle) -> Wall<'t> {
        let most = triangle.cells.iter().map(|cell| cell.value.unsigned_abs()).max().unwrap_or(0);
        let numbers = triangle.cells.iter().map(|cell| cell.value).chain(triangle.labels.iter().flatten().copied());
        let letters = numbers.map(|number| number.to_string().len()).max().unwrap_or(1) as f64;
        let items = f64::from(triangle.items.max(1));
        let wide = (letters * 8.0 + 18.0).clamp(46.0, WIDEST).min(WALL / items).max(NARROW);
        // Bricks of whole pixels have sharp edges.
        let wide = if wide >= 8.0 { wide.floor() } else { wide };
        let high = if wide >= ROOMY { (wide * 0.62).clamp(18.0, 40.0).floor() } else { wide * 0.75 };
        let width = (wide * items + 2.0 * MARGIN).max(NARROWEST);
        let mut wall = Wall {
            triangle,
            most,
            brick: (wide, high),
            left: (width - wide * items) / 2.0,
            width,
            items: 0.0,
            letters,
        };
        wall.items = if wall.labels_fit() { 24.0 } else { BARS + 12.0 };
        wall
    }

    /// Whether the numbers of the items can be written below the bricks.
    fn labels_fit(&self) -> bool {
        let longest = self.triangle.labels.iter().flatten().map(|label| label.to_string().len()).max().unwrap_or(2);
        longest as f64 * 7.4 <= self.brick.0
    }

    fn bottom(&self) -> f64 {
        TOP + f64::from(self.triangle.items) * self.brick.1
    }

    /// The left upper corner of a brick; `None` for nothing.
    fn corner(&self, left: u32, right: u32) -> Option<(f64, f64)> {
        let items = self.triangle.items;
        items.checked_sub(left + right).filter(|length| *length > 0)?;
        let middle = (f64::from(items) + f64::from(left) - f64::from(right)) / 2.0;
        Some((self.left + (middle - 0.5) * self.brick.0, TOP + f64::from(left + right) * self.brick.1))
    }

    /// The shade of a value: 0 for even, up to 8 for the player to move, down to -8 against.
    fn shade(&self, value: i64) -> i64 {
        let share = value.unsigned_abs() as f64 / self.most.max(1) as f64;
        ((share * SHADES as f64).ceil() as i64).min(SHADES) * value.signum()
    }

    fn bricks(&self, text: &mut String) {
        let (wide, high) = self.brick;
        let gap = if wide >= ROOMY { 1.0 } else { 0.0 };
        let explained = self.triangle.items <= EXPLAINED;
        let mut shades: BTreeMap<i64, String> = BTreeMap::new();
        for cell in &self.triangle.cells {
            let Some((x, y)) = self.corner(cell.left, cell.right) else { continue };
            let out = shades.entry(self.shade(cell.value)).or_default();
            let (x, y, w, h) = (short(x), short(y), short(wide - gap), short(high - gap));
            let _ = match explained {
                true => {
                    let caption = escaped(&self.brick_text(cell));
                    writeln!(
                        out,
                        "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"><title>{caption}</title></rect>"
                    )
                }
                false => write!(out, "M{x} {y}h{w}v{h}h-{w}z"),
            };
        }
        for (shade, bricks) in shades {
            let _ = match explained {
                true => writeln!(text, "<g fill=\"{}\">\n{bricks}</g>", colour(shade)),
                false => writeln!(text, "<path fill=\"{}\" d=\"{bricks}\"/>", colour(shade)),
            };
        }
    }

    /// A brick in words.
    fn brick_text(&self, cell: &Cell) -> String {
        let (from, to) = (cell.left + 1, self.triangle.items - cell.right);
        let items = if from == to { format!("item {from}") } else { format!("items {from} to {to}") };
        let best = match (cell.best_left, cell.best_right) {
            (true, true) => ", best: either end",
            (true, false) => ", best: the left end",
            (false, true) => ", best: the right end",
            (false, false) => "",
        };
        format!("{items}: value {}{best}", cell.value)
    }

    /// The corners that point to what best moves leave.
    fn marks(&self, text: &mut String) {
        let (wide, high) = self.brick;
        let mut classes = [("light", String::new()), ("dark", String::new())];
        for cell in &self.triangle.cells {
            let Some((x, y)) = self.corner(cell.left, cell.right) else { continue };
            if cell.left + cell.right + 1 >= self.triangle.items {
                continue;
            }
            let dark = usize::from(is_dark(self.shade(cell.value)));
            for (best, at_right) in [(cell.best_left, true), (cell.best_right, false)] {
                if best {
                    self.mark(&mut classes[dark].1, (x, y + high), wide, at_right);
                }
            }
        }
        // Where bricks are small, marks must not drown the colours.
        let strength = if wide < ROOMY { 0.4 } else { 1.0 };
        for (class, path) in classes.iter().filter(|(_, path)| !path.is_empty()) {
            let _ = writeln!(text, "<path class=\"{class}\" fill-opacity=\"{strength}\" d=\"{path}\"/>");
        }
    }

    /// One corner: what is left when an item is taken at the left is below to the right.
    fn mark(&self, path: &mut String, (x, bottom): (f64, f64), wide: f64, at_right: bool) {
        if wide < ROOMY {
            let (from, thick) = (if at_right { x + wide * 0.55 } else { x }, self.brick.1 * 0.3);
            let (w, h) = (short(wide * 0.45), short(thick));
            let _ = write!(path, "M{} {}h{w}v{h}h-{w}z", short(from), short(bottom - thick));
            return;
        }
        let corner = if at_right { x + wide - 3.0 } else { x + 2.0 };
        let _ = write!(path, "M{} {}{}", short(corner), short(bottom - 3.0), wedge(self.brick.1 * 0.3, at_right));
    }

    /// Where the line of play passes through a brick: below its number.
    fn node(&self, point: &Point) -> Option<(f64, f64)> {
        let (x, y) = self.corner(point.left, point.right)?;
        let down = if self.brick.0 >= ROOMY { 0.78 } else { 0.5 };
        Some((x + self.brick.0 / 2.0, y + self.brick.1 * down))
    }

    fn line(&self, text: &mut String) {
        let nodes: Vec<((f64, f64), Option<Player>)> =
            self.triangle.line.iter().filter_map(|point| Some((self.node(point)?, point.mover))).collect();
        let mut path = String::new();
        for (index, ((x, y), _)) in nodes.iter().enumerate() {
            let _ = write!(path, "{}{} {}", if index == 0 { "M" } else { "L" }, short(*x), short(*y));
        }
        let thick = if self.brick.0 >= ROOMY { 2.2 } else { 1.6 };
        let _ = writeln!(text, "<path class=\"halo\" stroke-width=\"{}\" d=\"{path}\"/>", short(thick * 2.4));
        let _ = writeln!(text, "<path class=\"line\" stroke-width=\"{thick}\" d=\"{path}\"/>");
        if self.brick.0 >= ROOMY {
            let radius = (self.brick.1 * 0.14).clamp(2.5, 4.5);
            for ((x, y), mover) in nodes {
                let class = if mover == Some(Player::FIRST) { "first" } else { "second" };
                let (x, y, r) = (short(x), short(y), short(radius));
                if mover.is_some() {
                    let _ = writeln!(text, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>");
                }
            }
        }
    }

    /// The values, where there is room.
    fn numbers(&self, text: &mut String) {
        let (wide, high) = self.brick;
        let size = (high * 0.42).min(13.0);
        if size < 7.5 || self.letters * size * 0.58 > wide - 4.0 {
            return;
        }
        let passed: HashSet<(u32, u32)> = self.triangle.line.iter().map(|point| (point.left, point.right)).collect();
        let _ = writeln!(text, "<g class=\"middle\" style=\"font-size:{}px\">", short(size));
        for cell in &self.triangle.cells {
            let Some((x, y)) = self.corner(cell.left, cell.right) else { continue };
            let shade = self.shade(cell.value);
            let class = if is_dark(shade) { "dark" } else { "light" };
            // The line of play must not cross out numbers.
            let over = match passed.contains(&(cell.left, cell.right)) {
                true => format!(" stroke=\"{}\" stroke-width=\"4\" paint-order=\"stroke\"", colour(shade)),
                false => String::new(),
            };
            let (x, y, number) = (short(x + (wide - 1.0) / 2.0), short(y + high * 0.46), signed(cell.value));
            let _ = writeln!(text, "<text class=\"{class}\"{over} x=\"{x}\" y=\"{y}\">{number}</text>");
        }
        text.push_str("</g>\n");
    }

    /// The items along the lower edge: numbers where there is room, else bars.
    fn items(&self, text: &mut String) {
        let (wide, bottom) = (self.brick.0, self.bottom());
        let middle = |index: usize| short(self.left + (index as f64 + 0.5) * wide);
        match &self.triangle.labels {
            Some(labels) if self.labels_fit() => {
                for (index, label) in labels.iter().enumerate() {
                    let (x, y) = (middle(index), short(bottom + 17.0));
                    let _ = writeln!(text, "<text class=\"middle\" x=\"{x}\" y=\"{y}\">{label}</text>");
                }
            }
            Some(labels) => self.bars(text, labels),
            None => {
                for index in [0, self.triangle.items.saturating_sub(1) as usize] {
                    let (x, y) = (middle(index), short(bottom + 17.0));
                    let _ = writeln!(text, "<text class=\"middle\" x=\"{x}\" y=\"{y}\">{}</text>", index + 1);
                }
            }
        }
    }

    fn bars(&self, text: &mut String, labels: &[i64]) {
        let low = labels.iter().copied().min().unwrap_or(0).min(0) as f64;
        let high = labels.iter().copied().max().unwrap_or(0).max(0) as f64;
        let scale = BARS / (high - low).max(1.0);
        let zero = self.bottom() + 6.0 + high * scale;
        let mut path = String::new();
        for (index, label) in labels.iter().enumerate() {
            let x = self.left + (index as f64 + 0.1) * self.brick.0;
            let (x, w, h) = (short(x), short(self.brick.0 * 0.8), short(-(*label as f64) * scale));
            let _ = write!(path, "M{x} {}h{w}v{h}h-{w}z", short(zero));
        }
        let (x, w, zero) = (short(self.left), short(self.brick.0 * f64::from(self.triangle.items)), short(zero));
        let _ = writeln!(text, "<path fill=\"#777\" d=\"{path}\"/><path stroke=\"#222\" d=\"M{x} {zero}h{w}\"/>");
    }

    fn legend(&self, text: &mut String) {
        let y = self.bottom() + self.items + 22.0;
        let swatch = 14.0;
        let _ = writeln!(text, "<text x=\"{MARGIN}\" y=\"{}\">value for the player to move</text>", short(y));
        for (index, shade) in (-SHADES..=SHADES).enumerate() {
            let x = short(MARGIN + index as f64 * swatch);
            let _ = writeln!(
                text,
                "<rect x=\"{x}\" y=\"{}\" width=\"{swatch}\" height=\"{swatch}\" fill=\"{}\"/>",
                short(y + 9.0),
                colour(shade)
            );
        }
        let most = i128::from(self.most);
        for (at, label) in [(0.0, signed_wide(-most)), (8.5, "0".to_string()), (17.0, signed_wide(most))] {
            let anchor = if at == 0.0 {
                "start"
            } else if at > 16.0 {
                "end"
            } else {
                "middle"
            };
            let x = short(MARGIN + at * swatch);
            let _ = writeln!(
                text,
                "<text class=\"small\" text-anchor=\"{anchor}\" x=\"{x}\" y=\"{}\">{label}</text>",
                short(y + 37.0)
            );
        }
        self.key(text, MARGIN + 270.0, y);
    }

    /// What marks and lines mean.
    fn key(&self, text: &mut String, x: f64, y: f64) {
        let mut marks = String::new();
        for (row, at_right, caption) in
            [(y, true, "best: take from the left"), (y + 20.0, false, "best: take from the right")]
        {
            let tip = if at_right { x + 12.0 } else { x };
            let _ = write!(marks, "M{} {}{}", short(tip), short(row + 1.0), wedge(12.0, at_right));
            let _ = writeln!(text, "<text x=\"{}\" y=\"{}\">{caption}</text>", short(x + 24.0), short(row));
        }
        let _ = writeln!(text, "<path class=\"light\" d=\"{marks}\"/>");
        let row = y + 40.0;
        let mut caption = "best play".to_string();
        let _ = writeln!(
            text,
            "<path class=\"line\" stroke-width=\"2.2\" d=\"M{} {}h18\"/>",
            short(x - 3.0),
            short(row - 4.0)
        );
        if self.brick.0 >= ROOMY {
            caption.push_str(": white first, black second to move");
            for (class, at) in [("first", x), ("second", x + 12.0)] {
                let (at, row) = (short(at), short(row - 4.0));
                let _ = writeln!(text, "<circle class=\"{class}\" cx=\"{at}\" cy=\"{row}\" r=\"4\"/>");
            }
        }
        let _ = writeln!(text, "<text x=\"{}\" y=\"{}\">{caption}</text>", short(x + 24.0), short(row));
    }
}

/// A corner of a brick, from its tip on.
fn wedge(size: f64, at_right: bool) -> String {
    let (size, there, back) = (short(size.min(12.0)), if at_right { "-" } else { "" }, if at_right { "" } else { "-" });
    format!("h{there}{size}l{back}{size} -{size}z")
}

/// Whether white can be read better on it than black.
fn is_dark(shade: i64) -> bool {
    let light = |part: u8| (f64::from(part) / 255.0).powf(2.2);
    let [red, green, blue] = parts(shade);
    0.2126 * light(red) + 0.7152 * light(green) + 0.0722 * light(blue) < 0.18
}

/// Red, green and blue of a shade.
fn parts(shade: i64) -> [u8; 3] {
    let [light, dark] = match shade.signum() {
        0 => return EVEN,
        1 => AHEAD,
        _ => BEHIND,
    };
    let share = (shade.abs() - 1) as f64 / (SHADES - 1) as f64;
    [0, 1, 2].map(|index| (light[index] + (dark[index] - light[index]) * share).round() as u8)
}

fn colour(shade: i64) -> String {
    let [red, green, blue] = parts(shade);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// With the minus sign of typesetting.
fn signed(number: i64) -> String {
    signed_wide(number.into())
}

fn signed_wide(number: i128) -> String {
    number.to_string().replace('-', "−")
}
