//! Thermographs drawn: as text for a terminal, as SVG for everything else.
//!
//! Values grow to the left, as in the books, so that Left's wall is on the left. Temperatures grow upward.

use std::fmt::Write;

use crate::number::Dyadic;
use crate::side::Side;
use crate::thermograph::Thermograph;

fn float(number: Dyadic) -> f64 {
    number.numerator() as f64 / (1u64 << number.halvings()) as f64
}

/// What a drawing shows: the corners of both walls and some of the mast.
struct Frame {
    high: f64,
    low: f64,
    top: f64,
}

impl Frame {
    fn of(graph: &Thermograph) -> Frame {
        let corners = || Side::BOTH.iter().flat_map(|&side| graph.wall(side).corners()).map(|&(_, value)| float(value));
        let (high, low) = (corners().fold(f64::MIN, f64::max), corners().fold(f64::MAX, f64::min));
        let temperature = float(graph.temperature());
        let margin = if high > low { 0.0 } else { 1.0 };
        Frame { high: high + margin, low: low - margin, top: temperature.max(0.0) + 1.0 + temperature.max(0.0) * 0.1 }
    }
}

/// Where a wall is at a height, for drawing.
fn wall_at(graph: &Thermograph, side: Side, height: f64) -> f64 {
    let corners = graph.wall(side).corners();
    let mut last = (float(corners[0].0), float(corners[0].1));
    for &(t, value) in &corners[1..] {
        let next = (float(t), float(value));
        if height <= next.0 {
            let share = (height - last.0) / (next.0 - last.0);
            return last.1 + (next.1 - last.1) * share;
        }
        last = next;
    }
    last.1
}

impl Thermograph {
    /// The thermograph as text: its figures, its corners, and a drawing.
    pub fn to_text(&self) -> String {
        const ROWS: usize = 16;
        const COLUMNS: usize = 61;
        let mut text = format!("mean {}, temperature {}\n", self.mean(), self.temperature());
        for side in Side::BOTH {
            let corners = self.wall(side).corners().iter();
            let corners: Vec<String> = corners.map(|(t, value)| format!("({value} at {t})")).collect();
            writeln!(text, "{side:?}: {}", corners.join(" ")).expect("a string takes any text");
        }
        let frame = Frame::of(self);
        let column = |value: f64| {
            let share = (frame.high - value) / (frame.high - frame.low).max(f64::MIN_POSITIVE);
            ((share * (COLUMNS - 1) as f64).round().clamp(0.0, (COLUMNS - 1) as f64)) as usize
        };
        // A row at exactly zero, the ones above and below it evenly spaced.
        let step = (frame.top + 1.0) / (ROWS - 1) as f64;
        let below = (1.0 / step).ceil() as i64;
        for row in (-below..=(frame.top / step).floor() as i64).rev() {
            let height = (row as f64 * step).max(-1.0);
            let mut line = vec![if row == 0 { '-' } else { ' ' }; COLUMNS];
            let (left, right) = (column(wall_at(self, Side::Left, height)), column(wall_at(self, Side::Right, height)));
            line[left] = if left == right { '|' } else { '/' };
            line[right] = if left == right { '|' } else { '\\' };
            let line: String = line.into_iter().collect();
            writeln!(text, "{height:>7.2} {}", line.trim_end()).expect("a string takes any text");
        }
        writeln!(text, "        {:<30}{:>31}", frame.high, frame.low).expect("a string takes any text");
        text
    }

    /// The thermograph as a picture in SVG.
    pub fn to_svg(&self, title: &str) -> String {
        const WIDTH: f64 = 480.0;
        const HEIGHT: f64 = 360.0;
        const MARGIN: f64 = 40.0;
        let frame = Frame::of(self);
        let x = |value: f64| MARGIN + (frame.high - value) / (frame.high - frame.low) * (WIDTH - 2.0 * MARGIN);
        let y = |height: f64| HEIGHT - MARGIN - (height + 1.0) / (frame.top + 1.0) * (HEIGHT - 2.0 * MARGIN);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n<title>{0}</title>\n\
             <text x=\"{1}\" y=\"20\" text-anchor=\"middle\">{0}</text>\n",
            escaped(title),
            WIDTH / 2.0
        );
        let mut add = |line: String| {
            svg.push_str(&line);
            svg.push('\n');
        };
        let zero = y(0.0);
        add(format!(
            "<line x1=\"{MARGIN}\" y1=\"{zero:.1}\" x2=\"{:.1}\" y2=\"{zero:.1}\" stroke=\"#999\"/>",
            WIDTH - MARGIN
        ));
        for (side, colour) in [(Side::Left, "#1f6fb4"), (Side::Right, "#c0392b")] {
            let corners = self.wall(side).corners();
            let mut points: Vec<(f64, f64)> = corners.iter().map(|&(t, value)| (float(value), float(t))).collect();
            points.push((float(self.mean()), frame.top));
            let points: Vec<String> =
                points.into_iter().map(|(value, t)| format!("{:.1},{:.1}", x(value), y(t))).collect();
            add(format!(
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
                points.join(" ")
            ));
        }
        let (mean, temperature) = (float(self.mean()), float(self.temperature()));
        add(format!("<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\"/>", x(mean), y(temperature)));
        add(format!(
            "<text x=\"{:.1}\" y=\"{:.1}\">mean {}, temperature {}</text>",
            x(mean) + 8.0,
            y(temperature) - 8.0,
            self.mean(),
            self.temperature()
        ));
        let stops = [(Side::Left, "end"), (Side::Right, "start")];
        for (side, anchor) in stops {
            let stop = wall_at(self, side, 0.0);
            add(format!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{stop}</text>",
                x(stop),
                HEIGHT - MARGIN + 16.0
            ));
        }
        svg + "</svg>\n"
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
