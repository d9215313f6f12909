//! Grids: the drawings of `show grid`, cell by cell, and the names of their squares.
//!
//! Columns have letters from the left (`a`, `b`, … `z`, `aa`, …) and rows have numbers from the top, from 1 on: `b3` is in the
//! second column and the third row. Rules count cells from the top left too, row by row, so that a drawing with names and a
//! drawing without show the same board.

/// A drawing as a grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// How many rows.
    pub rows: usize,
    /// How many columns.
    pub columns: usize,
    /// What each cell shows, row by row.
    pub texts: Vec<String>,
}

impl Grid {
    /// Rows of cells with aligned columns.
    pub fn plain(&self) -> String {
        self.lines(&self.widths(), |_| String::new()).join("\n")
    }

    /// Rows of cells with the names of columns above them and of rows on the left.
    pub fn named(&self) -> String {
        if self.texts.is_empty() {
            return String::new();
        }
        let wide = |text: &str| text.chars().count();
        let mut widths = self.widths();
        for (column, width) in widths.iter_mut().enumerate() {
            *width = (*width).max(wide(&column_name(column)));
        }
        let margin = self.rows.to_string().len();
        let mut head = " ".repeat(margin);
        for (column, width) in widths.iter().enumerate() {
            head.push_str(&format!(" {:>width$}", column_name(column)));
        }
        let lines = self.lines(&widths, |row| format!("{:>margin$} ", row + 1));
        format!("{head}\n{}", lines.join("\n"))
    }

    fn widths(&self) -> Vec<usize> {
        let column = |column| self.texts.iter().skip(column).step_by(self.columns.max(1));
        (0..self.columns).map(|at| column(at).map(|text| text.chars().count()).max().unwrap_or(0)).collect()
    }

    fn lines(&self, widths: &[usize], before: impl Fn(usize) -> String) -> Vec<String> {
        let rows = self.texts.chunks(self.columns.max(1)).enumerate();
        let line = |(row, texts): (usize, &[String])| {
            let cells: Vec<String> = texts.iter().zip(widths).map(|(text, width)| format!("{text:>width$}")).collect();
            format!("{}{}", before(row), cells.join(" ")).trim_end().to_string()
        };
        rows.map(line).collect()
    }

    /// The row and the column of a square by its name: `b3` is `(2, 1)`. `None` if there is no such square.
    pub fn square(&self, name: &str) -> Option<(usize, usize)> {
        let letters = name.find(|c: char| !c.is_ascii_alphabetic())?;
        let column = column_number(&name[..letters])?;
        let digits = &name[letters..];
        let plain = !digits.starts_with('0') && digits.chars().all(|c| c.is_ascii_digit());
        let row = digits.parse::<usize>().ok().filter(|_| plain)?.checked_sub(1)?;
        (row < self.rows && column < self.columns).then_some((row, column))
    }
}

/// The letters of a column: `a`, `b`, … `z`, `aa`, ….
pub fn column_name(column: usize) -> String {
    let (mut rest, mut letters) = (column, Vec::new());
    loop {
        letters.push(char::from(b'a' + (rest % 26) as u8));
        match rest / 26 {
            0 => break,
            more => rest = more - 1,
        }
    }
    letters.iter().rev().collect()
}

/// The column of these letters.
pub fn column_number(letters: &str) -> Option<usize> {
    if letters.is_empty() || letters.len() > 4 || !letters.chars().all(|c| c.is_ascii_alphabetic()) {
        return None;
    }
    let number = |letter: u8| usize::from(letter.to_ascii_lowercase() - b'a') + 1;
    Some(letters.bytes().fold(0, |all, letter| all * 26 + number(letter)) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(texts: &[&str], columns: usize) -> Grid {
        let texts: Vec<String> = texts.iter().map(|text| text.to_string()).collect();
        Grid { rows: texts.len().checked_div(columns).unwrap_or(0), columns, texts }
    }

    #[test]
    fn grids_align_their_columns() {
        let six = grid(&[".", "X", "2", "10", ".", "X"], 3);
        assert_eq!(six.plain(), " . X 2\n10 . X");
        assert_eq!(six.named(), "   a b c\n1  . X 2\n2 10 . X");
        assert_eq!((grid(&[], 0).plain(), grid(&[], 0).named()), (String::new(), String::new()));
        let blank = grid(&[" ", "X", " ", " "], 2);
        assert_eq!(blank.named(), "  a b\n1   X\n2");
    }

    #[test]
    fn squares_have_names() {
        let board = grid(&["."; 28 * 12], 28);
        assert_eq!(board.square("a1"), Some((0, 0)));
        assert_eq!(board.square("B12"), Some((11, 1)));
        assert_eq!(board.square("ab3"), Some((2, 27)));
        for wrong in ["", "a", "1", "a0", "a13", "ac1", "1a", "a1b", "a-1", "a01", "zzzzzzzz1", "a99999999999999999999"]
        {
            assert_eq!(board.square(wrong), None, "{wrong}");
        }
        for column in 0..2000 {
            assert_eq!(column_number(&column_name(column)), Some(column));
        }
        assert_eq!((column_name(25), column_name(26), column_name(701), column_name(702)), {
            let name = |text: &str| text.to_string();
            (name("z"), name("aa"), name("zz"), name("aaa"))
        });
    }
}
