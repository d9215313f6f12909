//! What is measured: from the rules file to the value, reading and binding the instance not counted.

use std::collections::HashSet;
use std::sync::Arc;

use boards::motion::Motions;
use boards::{CanonicalForms, Valuer};
use perfectplay::gallery;
use perfectplay::language::{Bound, Given, Instance, bind, compile};
use perfectplay::numbers::Random;
use perfectplay::plan::methods;
use perfectplay::solving::{Limits, Monitor, Options, solve};

use crate::clock;

/// What came of one run.
pub struct Found {
    pub ns: u64,
    pub value: String,
    pub parts: u64,
    pub bytes: u64,
}

/// A case.
pub struct Case {
    pub name: &'static str,
    /// The words for the other side, where there is one.
    pub other: Option<&'static [&'static str]>,
    /// The ratio or the seconds that are needed.
    pub needed: &'static str,
    /// Whether the two sides may write the value in different words.
    pub spelled_otherwise: bool,
    pub huge: bool,
    pub run: fn() -> Result<Found, String>,
}

/// All cases.
pub fn all() -> Vec<Case> {
    let against = |name, other, needed, run| Case {
        name,
        other: Some(other),
        needed,
        spelled_otherwise: false,
        huge: false,
        run,
    };
    let alone = |name, needed, huge, run| Case { name, other: None, needed, spelled_otherwise: false, huge, run };
    vec![
        against("domineering-5x5", &["domineering", "5", "5"], "30", || rectangle("domineering", 5, 5)),
        against("domineering-5x6", &["domineering", "5", "6"], "40", || rectangle("domineering", 5, 6)),
        against("subsets-4x5", &["subsets", "4", "5"], "5", || subsets(4, 5)),
        Case {
            spelled_otherwise: true,
            ..against("clobber-4x4", &["clobber", "4", "4"], "10", || rectangle("clobber", 4, 4))
        },
        alone("strings-20x20", "0.01 s", false, strings),
        alone("regions-40", "1 s", false, regions),
        alone("domineering-6x6", "4 GB", true, || rectangle("domineering", 6, 6)),
    ]
}

fn bound(source: &str, instance: Instance) -> Result<Bound, String> {
    let program = Arc::new(compile(source).map_err(|_| "the rules do not compile")?);
    bind(&program, &instance).map_err(|_| "the instance is wrong".to_string())
}

fn gallery_game(name: &str, instance: Instance) -> Result<Bound, String> {
    bound(gallery::find(name).ok_or("the gallery has it not")?, instance)
}

/// Solves a game by a method, or by the one that is chosen; its value, or who wins where it has none.
fn solved(bound: &Bound, method: Option<&str>) -> Result<Found, String> {
    let mut monitor = Monitor::new(&Limits::default());
    let method = method.and_then(|name| methods().find(|method| method.name() == name));
    let options = Options { method, ..Options::default() };
    let before = clock::now();
    let solved = solve(bound, &bound.start, &options, &mut monitor).map_err(|error| error.to_string())?;
    let canonical = solved.answers.value_text(&bound.start);
    let value = match (canonical, solved.report.class) {
        (Some(form), _) => form.name.unwrap_or_else(|| format!("mean {}", form.mean.unwrap_or_default())),
        (None, Some(class)) => format!("{class:?} by `{}`", solved.plan.method()),
        (None, None) => return Err("it has no outcome class".to_string()),
    };
    let ns = clock::now() - before;
    Ok(Found { ns, value, parts: solved.positions(), bytes: monitor.memory().peak() })
}

fn rectangle(game: &str, rows: i64, columns: i64) -> Result<Found, String> {
    let sides = vec![("rows".to_string(), Given::Int(rows)), ("columns".to_string(), Given::Int(columns))];
    // Small boards are solved whole by default, which gives lengths and no value.
    solved(&gallery_game(game, Instance(sides))?, Some("board"))
}

/// All subsets of a board: how many different values they have.
fn subsets(rows: usize, columns: usize) -> Result<Found, String> {
    let sides =
        vec![("rows".to_string(), Given::Int(rows as i64)), ("columns".to_string(), Given::Int(columns as i64))];
    let bound = gallery_game("domineering", Instance(sides))?;
    let mut monitor = Monitor::new(&Limits::default());
    let before = clock::now();
    let readings = formula::Readings::new(&bound, &bound.start);
    let reading = readings.listed().map_err(|unsupported| unsupported.to_string())?;
    let local = shapes::local::recognise(reading.formulas(), &[boards::Grid { rows, columns }])?;
    let start = local.position(&bound.start.parts[0]).ok_or("the start is outside its domain")?;
    let (game, motions): (_, Motions) = (local.game.clone(), local.motions.clone());
    let forms = CanonicalForms::new(&monitor);
    let valuer = Valuer::new(game, motions, &start, forms, &monitor.memory().clone());
    let mut valuer = valuer.map_err(|error| error.to_string())?;
    let mut values = HashSet::new();
    for subset in 0..1u64 << (rows * columns) {
        let board: Vec<u8> = (0..rows * columns).map(|cell| (subset >> cell & 1) as u8).collect();
        values.insert(valuer.value(&board, &mut monitor).map_err(|error| error.to_string())?);
    }
    let ns = clock::now() - before;
    Ok(Found { ns, value: values.len().to_string(), parts: valuer.distinct(), bytes: monitor.memory().peak() })
}

/// Twenty random red-blue strings of twenty edges.
fn strings() -> Result<Found, String> {
    let mut random = Random::new(20);
    let mut string = || Given::Ints((0..20).map(|_| if random.next() & 1 == 0 { 1 } else { -1 }).collect());
    let strings = (0..20).map(|_| string()).collect();
    solved(&gallery_game("hackenbush_strings", Instance(vec![("strings".to_string(), Given::List(strings))]))?, None)
}

/// Forty random connected regions of at most ten squares, side by side.
fn regions() -> Result<Found, String> {
    let mut random = Random::new(40);
    let (side, count) = (4usize, 40usize);
    let columns = count * (side + 1);
    let mut board = vec![vec![1i64; columns]; side];
    for region in 0..count {
        let left = region * (side + 1);
        let mut squares = vec![(0usize, 0usize)];
        let wanted = 2 + (random.next() % 9) as usize;
        while squares.len() < wanted {
            let (row, column) = squares[(random.next() % squares.len() as u64) as usize];
            let next = match random.next() % 4 {
                0 => (row + 1, column),
                1 => (row, column + 1),
                2 => (row.wrapping_sub(1), column),
                _ => (row, column.wrapping_sub(1)),
            };
            if next.0 < side && next.1 < side && !squares.contains(&next) {
                squares.push(next);
            }
        }
        squares.iter().for_each(|(row, column)| board[*row][left + column] = 0);
    }
    let board = board.into_iter().map(Given::Ints).collect();
    let source = include_str!("../../games/regions.game");
    solved(&bound(source, Instance(vec![("board".to_string(), Given::List(board))]))?, None)
}
