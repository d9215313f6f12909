//! Counts as rows with bars, as wide as the output: blocks at a terminal, plain characters elsewhere.

use anstyle::Style;

use crate::output::{self, BAD, EVEN, FAINT, GOOD, STRONG, count, styled};

/// A bar is never longer, however wide the terminal.
const LONGEST: usize = 50;
/// A bar that is shorter says nothing.
const SHORTEST: usize = 5;

/// What a stretch of a bar stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Won by the player to move.
    Won,
    /// Drawn.
    Drawn,
    /// Lost.
    Lost,
    /// Something else.
    Plain,
}

impl Kind {
    /// The character that stands for it where there are no colours.
    pub fn mark(self) -> char {
        match self {
            Kind::Won => '+',
            Kind::Drawn => '=',
            Kind::Lost => '-',
            Kind::Plain => '#',
        }
    }

    fn style(self) -> Style {
        match self {
            Kind::Won => GOOD,
            Kind::Drawn => EVEN,
            Kind::Lost => BAD,
            Kind::Plain => Style::new(),
        }
    }
}

/// A row: its name, and counts that lie in one bar one behind the other.
pub struct Row {
    pub name: String,
    pub counts: Vec<(Kind, u64)>,
}

impl Row {
    /// A row with one count.
    pub fn new(name: impl Into<String>, kind: Kind, count: u64) -> Row {
        Row { name: name.into(), counts: vec![(kind, count)] }
    }

    fn total(&self) -> u64 {
        self.counts.iter().map(|(_, count)| count).sum()
    }
}

/// Whether bars are drawn with blocks and colours.
pub fn fancy() -> bool {
    output::stdout_is_terminal() && output::colour_on_stdout()
}

/// A title, and rows below it: name, count, share of `all`, bar. The longest bar is that of the greatest row.
pub fn table(title: &str, rows: &[Row], all: u64) -> String {
    drawn(title, rows, all, output::width(), fancy())
}

fn drawn(title: &str, rows: &[Row], all: u64, width: usize, fancy: bool) -> String {
    let mut text = format!("\n{}\n", styled(output::prose(title, 2, width), STRONG));
    let names = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    let counts: Vec<String> = rows.iter().map(|row| count(row.total())).collect();
    let digits = counts.iter().map(String::len).max().unwrap_or(0);
    let most = rows.iter().map(Row::total).max().unwrap_or(0).max(1);
    let room = width.saturating_sub(names + digits + 14).clamp(SHORTEST, LONGEST);
    for (row, counted) in rows.iter().zip(counts) {
        let share = 100.0 * row.total() as f64 / all.max(1) as f64;
        let bar = bar(row, most, room, fancy);
        let line = format!("  {:>names$}  {counted:>digits$}  {share:5.1}%  {bar}", row.name);
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// The bar of a row. Each count ends where all up to it end, so that rounding adds nothing; a row that has anything has a
/// bar.
fn bar(row: &Row, most: u64, room: usize, fancy: bool) -> String {
    let place = |sum: u64| (u128::from(sum) * room as u128).div_ceil(u128::from(most)) as usize;
    let (mut sum, mut text) = (0, String::new());
    for &(kind, count) in &row.counts {
        let length = place(sum + count) - place(sum);
        sum += count;
        let letter = if fancy { '█' } else { kind.mark() };
        let stretch = letter.to_string().repeat(length);
        match (length, fancy) {
            (0, _) => {}
            (_, true) => text.push_str(&styled(stretch, kind.style())),
            (_, false) => text.push_str(&stretch),
        }
    }
    text
}

/// What the stretches of bars with several counts stand for.
pub fn legend() -> String {
    let word = |kind: Kind, name: &str| match fancy() {
        true => styled(name, kind.style()),
        false => format!("{} {name}", kind.mark()),
    };
    let words = [word(Kind::Won, "won"), word(Kind::Drawn, "drawn"), word(Kind::Lost, "lost")];
    format!("  {}\n", styled(words.join(", "), FAINT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_fit_and_show_what_is_there() {
        let rows = [
            Row { name: "0".to_string(), counts: vec![(Kind::Won, 5), (Kind::Drawn, 0), (Kind::Lost, 5)] },
            Row::new("17", Kind::Plain, 1),
        ];
        let text = drawn("by moves", &rows, 11, 31, false);
        let plain = anstream::adapter::strip_str(&text).to_string();
        assert_eq!(plain, "\nby moves\n   0  10   90.9%  +++++++------\n  17   1    9.1%  ##\n");
        assert!(plain.lines().all(|line| line.chars().count() <= 31));
        assert!(drawn("by moves", &rows, 11, 200, true).contains('█'));
        assert!(drawn("t", &[], 0, 40, false).ends_with("t\u{1b}[0m\n"));
    }
}
