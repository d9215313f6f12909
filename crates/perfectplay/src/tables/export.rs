//! The entries of a table for other programs: lines of JSON, CSV, arrays of NumPy. Each is written as it is read.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek as _, SeekFrom, Write};
use std::path::Path;

use game::Verdict;
use rules::bind::{Bound, Position};
use table::{Entry, Kind, Shape};

use crate::{json, positions};

/// Takes the entries of a table, one after the other.
///
/// ```
/// use perfectplay::language::Rules;
/// use perfectplay::tables::{Csv, Entry, Kind, LineWriter, Shape};
///
/// let coins = Rules::gallery("coins").unwrap().bind(r#"{"coins": [5, 3]}"#)?;
/// let shape = Shape { kind: Kind::Scores, turn: false, ordered: false, values: false };
/// let mut out = Vec::new();
/// let mut csv = Csv::new(&coins, shape, &mut out).unwrap();
/// csv.entry(&coins.start, &Entry::new(perfectplay::answer::Verdict::Score(2))).unwrap();
/// csv.finish().unwrap();
/// assert_eq!(String::from_utf8(out).unwrap(), "position,value\n\"{\"\"i\"\":0,\"\"j\"\":2}\",2\n");
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub trait LineWriter {
    /// The next entry.
    fn entry(&mut self, position: &Position, entry: &Entry) -> io::Result<()>;
    /// There are no more.
    fn finish(&mut self) -> io::Result<()>;
}

/// Lines of JSON.
///
/// ```
/// use perfectplay::language::Rules;
/// use perfectplay::tables::{Entry, JsonLines, Kind, LineWriter, Shape};
///
/// let coins = Rules::gallery("coins").unwrap().bind(r#"{"coins": [5, 3]}"#)?;
/// let shape = Shape { kind: Kind::Scores, turn: false, ordered: false, values: false };
/// let mut out = Vec::new();
/// let mut lines = JsonLines::new(&coins, shape, &mut out);
/// lines.entry(&coins.start, &Entry::new(perfectplay::answer::Verdict::Score(2))).unwrap();
/// lines.finish().unwrap();
/// assert!(String::from_utf8(out).unwrap().contains(r#""value":2"#));
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub struct JsonLines<'b, W> {
    bound: &'b Bound,
    shape: Shape,
    out: W,
}

impl<'b, W: Write> JsonLines<'b, W> {
    /// Lines for the entries of a table of this shape.
    pub fn new(bound: &'b Bound, shape: Shape, out: W) -> JsonLines<'b, W> {
        JsonLines { bound, shape, out }
    }
}

impl<W: Write> LineWriter for JsonLines<'_, W> {
    fn entry(&mut self, position: &Position, entry: &Entry) -> io::Result<()> {
        json::write(&mut self.out, &json::table_line(self.bound, self.shape, position, entry))?;
        self.out.write_all(b"\n")
    }

    fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Comma-separated values, with a line of names.
///
/// See [`LineWriter`] for an example.
pub struct Csv<'b, W> {
    bound: &'b Bound,
    shape: Shape,
    out: W,
}

impl<'b, W: Write> Csv<'b, W> {
    /// Begins with the line of names.
    pub fn new(bound: &'b Bound, shape: Shape, mut out: W) -> io::Result<Csv<'b, W>> {
        let mut names = vec!["position".to_string()];
        if shape.turn {
            names.push("mover".to_string());
        }
        match shape.kind {
            Kind::Outcomes { nimbers } => {
                names.extend(["outcome", "remoteness"].map(str::to_string));
                names.extend(nimbers.then(|| "nimber".to_string()));
            }
            Kind::Scores => names.push("value".to_string()),
            Kind::Payoffs => names.extend((0..bound.players).map(|player| format!("payoff_{player}"))),
            Kind::Nimbers | Kind::Loopy => names.push("nimber".to_string()),
        }
        if shape.values {
            names.push("value".to_string());
        }
        writeln!(out, "{}", names.join(","))?;
        Ok(Csv { bound, shape, out })
    }
}

impl<W: Write> LineWriter for Csv<'_, W> {
    fn entry(&mut self, position: &Position, entry: &Entry) -> io::Result<()> {
        write!(self.out, "{}", quoted(&positions::text(self.bound, position)))?;
        if self.shape.turn {
            write!(self.out, ",{}", position.turn)?;
        }
        match &entry.verdict {
            Verdict::Outcome { outcome, remoteness, nimber } => {
                write!(self.out, ",{outcome},{}", remoteness.map_or(String::new(), |moves| moves.to_string()))?;
                if let Some(nimber) = nimber {
                    write!(self.out, ",{nimber}")?;
                }
            }
            Verdict::Score(score) => write!(self.out, ",{score}")?,
            Verdict::Payoffs { totals, .. } => totals.iter().try_for_each(|total| write!(self.out, ",{total}"))?,
            Verdict::Nimber(nimber) => write!(self.out, ",{nimber}")?,
            Verdict::Loopy(value) => write!(self.out, ",{}", quoted(&value.to_string()))?,
        }
        if self.shape.values {
            write!(self.out, ",{}", quoted(entry.value.as_deref().unwrap_or_default()))?;
        }
        writeln!(self.out)
    }

    fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_string(),
    }
}

/// Arrays of NumPy, each in a file of a folder. The rows of all arrays are in the order of the entries.
///
/// | file | what it holds |
/// |---|---|
/// | `cells.npy` | the cells of each position, as the rules lay them out; of a sum, of each part |
/// | `parts.npy` | of a sum: behind which row of `cells` the parts of each position end |
/// | `mover.npy` | who moves, counted from 0, where that is recorded |
/// | `outcome.npy` | 1 won, 0 drawn, −1 lost by the mover |
/// | `remoteness.npy` | moves until the end; −1 for play without end |
/// | `nimber.npy` | the nimber; −1 for an infinite one |
/// | `score.npy` | what the mover gets more than the other |
/// | `payoffs.npy` | what each player gets |
/// | `value.txt` | the canonical form, one a line |
///
/// ```
/// use perfectplay::language::Rules;
/// use perfectplay::tables::{Arrays, Entry, Kind, LineWriter, Shape};
///
/// let nim = Rules::gallery("nim").unwrap().bind(r#"{"piles": [1, 2]}"#)?;
/// let shape = Shape { kind: Kind::Nimbers, turn: false, ordered: false, values: false };
/// let folder = std::env::temp_dir().join(format!("perfectplay-arrays-doc-{}", std::process::id()));
/// let mut arrays = Arrays::create(&nim, shape, &folder).unwrap();
/// arrays.entry(&nim.start, &Entry::new(perfectplay::answer::Verdict::Nimber(3u64.into()))).unwrap();
/// arrays.finish().unwrap();
/// assert!(folder.join("nimber.npy").exists());
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub struct Arrays {
    shape: Shape,
    lists: bool,
    rows: u64,
    parts: u64,
    cells: Array,
    ends: Option<Array>,
    mover: Option<Array>,
    numbers: Vec<Array>,
    values: Option<BufWriter<File>>,
}

impl Arrays {
    /// Makes the folder, and files in it.
    pub fn create(bound: &Bound, shape: Shape, folder: &Path) -> io::Result<Arrays> {
        fs::create_dir_all(folder)?;
        let array = |name: &str, kind: &'static str, columns: Option<usize>| {
            Array::create(&folder.join(format!("{name}.npy")), kind, columns)
        };
        let lists = bound.program.sum.is_some() && !shape.of_parts();
        let numbers = match shape.kind {
            Kind::Outcomes { nimbers } => {
                let mut all = vec![array("outcome", "<i1", None)?, array("remoteness", "<i4", None)?];
                if nimbers {
                    all.push(array("nimber", "<i8", None)?);
                }
                all
            }
            Kind::Scores => vec![array("score", "<i8", None)?],
            Kind::Payoffs => vec![array("payoffs", "<i8", Some(bound.players))?],
            Kind::Nimbers | Kind::Loopy => vec![array("nimber", "<i8", None)?],
        };
        Ok(Arrays {
            shape,
            lists,
            rows: 0,
            parts: 0,
            cells: array("cells", "<i8", Some(bound.layout.cells()))?,
            ends: lists.then(|| array("parts", "<i8", None)).transpose()?,
            mover: shape.turn.then(|| array("mover", "<i1", None)).transpose()?,
            numbers,
            values: shape.values.then(|| File::create(folder.join("value.txt")).map(BufWriter::new)).transpose()?,
        })
    }
}

impl LineWriter for Arrays {
    fn entry(&mut self, position: &Position, entry: &Entry) -> io::Result<()> {
        self.rows += 1;
        for part in &position.parts {
            self.parts += 1;
            part.iter().try_for_each(|cell| self.cells.put(*cell))?;
        }
        if let Some(ends) = &mut self.ends {
            ends.put(self.parts as i64)?;
        }
        if let Some(mover) = &mut self.mover {
            mover.put(position.turn.0.into())?;
        }
        let nimber = |nimber: u64| i64::try_from(nimber).unwrap_or(i64::MAX);
        let numbers: Vec<i64> = match &entry.verdict {
            Verdict::Outcome { outcome, remoteness, nimber: own } => {
                let mut all = vec![outcome.sign(), remoteness.map_or(-1, i64::from)];
                all.extend(own.map(nimber));
                all
            }
            Verdict::Score(score) => vec![*score],
            Verdict::Payoffs { totals, .. } => totals.to_vec(),
            other => vec![other.nimber().map_or(-1, nimber)],
        };
        let last = self.numbers.len() - 1;
        for (place, number) in numbers.into_iter().enumerate() {
            self.numbers[place.min(last)].put(number)?;
        }
        if let Some(values) = &mut self.values {
            writeln!(values, "{}", entry.value.as_deref().unwrap_or_default())?;
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        debug_assert!(self.lists || self.parts == self.rows || self.shape.of_parts());
        self.cells.finish(self.parts)?;
        let rows = self.rows;
        let others = self.ends.iter_mut().chain(&mut self.mover).chain(&mut self.numbers);
        others.into_iter().try_for_each(|array| array.finish(rows))?;
        self.values.as_mut().map_or(Ok(()), Write::flush)
    }
}

/// A file with one array, written row by row. How many there are is known at the end, and stands at the beginning.
struct Array {
    out: BufWriter<File>,
    /// As NumPy spells it: `<i8` is a number of eight bytes.
    kind: &'static str,
    columns: Option<usize>,
}

/// The bytes before the rows.
const HEAD: usize = 128;

impl Array {
    fn create(path: &Path, kind: &'static str, columns: Option<usize>) -> io::Result<Array> {
        let mut out = BufWriter::with_capacity(1 << 16, File::create(path)?);
        out.write_all(&[b' '; HEAD])?;
        Ok(Array { out, kind, columns })
    }

    fn put(&mut self, number: i64) -> io::Result<()> {
        let bytes = number.to_le_bytes();
        let width = usize::from(self.kind.as_bytes()[2] - b'0');
        self.out.write_all(&bytes[..width])
    }

    fn finish(&mut self, rows: u64) -> io::Result<()> {
        let shape = match self.columns {
            None => format!("({rows},)"),
            Some(columns) => format!("({rows}, {columns})"),
        };
        let kind = if self.kind == "<i1" { "|i1" } else { self.kind };
        let text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
        let mut head = b"\x93NUMPY\x01\x00".to_vec();
        head.extend_from_slice(&((HEAD - 10) as u16).to_le_bytes());
        head.extend_from_slice(text.as_bytes());
        head.resize(HEAD - 1, b' ');
        head.push(b'\n');
        self.out.flush()?;
        let file = self.out.get_mut();
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&head)
    }
}
