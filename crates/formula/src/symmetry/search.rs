//! Symmetries that nobody declared: which images are worth a proof.
//!
//! Permutations of cells are found by colours. Cells get equal colours as long as nothing in the rules tells them apart: a
//! colour is refined by the formulas that read a cell, and these by the colours of what they read, until nothing changes. If a
//! cell is then singled out and another one in its place, the colours that follow pair all cells up. For the exchange of players
//! a short list of guesses is tried: marks change owners, the board is turned or mirrored, halves of an array change places.
//!
//! What is found here is a guess until it is proved.

use std::sync::Arc;

use rules::stop::look;
use rustc_hash::{FxHashMap, FxHashSet};

use super::image::Image;
use super::{Game, parts, tag};
use crate::formulas::{EndResult, Formulas};
use crate::node::{Node, Op, Range};

/// Colours are refined no more often than this.
const MOST_REFINED: usize = 400;
/// A formula whose colour is refined costs about as much as so many nodes of a proof.
const REFINED_AT_ONCE: u64 = 2;
/// Formulas of more nodes are not coloured, nor games of more cells.
const MOST_NODES: usize = 1 << 17;
const MOST_CELLS: usize = 256;
/// So many ways to give values other names are tried with each permutation, and as many pairs in all.
const MOST_NAMES: usize = 48;
const MOST_GUESSES: usize = 400;

/// Says whether an image is proved.
pub type Proves<'p, 'f> = &'p mut dyn FnMut(&mut Game<'f>, &Image) -> bool;

/// Permutations of cells that generate all that were found, turns of a board whose squares are numbers, then one exchange of players if there is one and it is asked for.
///
/// The search may look at as many nodes as the proofs may.
pub fn symmetries<'f>(game: &mut Game<'f>, exchanges: bool, proves: Proves<'_, 'f>) -> Vec<Image> {
    let formulas = game.forms.formulas;
    let open = |range: &&Range| range.single().is_none();
    if formulas.cells.iter().filter(open).count() > MOST_CELLS {
        return Vec::new();
    }
    let mut found = Vec::new();
    if let Some(graph) = Graph::new(game) {
        Search { graph: &graph, refined: 0, left: game.forms.most, found: &mut found }.generators(game, proves);
    }
    found.extend(turned_boards(formulas).into_iter().filter(|image| look().is_ok() && proves(game, image)));
    if exchanges && formulas.players == 2 {
        found.extend(guesses(formulas).into_iter().find(|image| look().is_ok() && proves(game, image)));
    }
    found
}

/// A number that depends on two others and their order.
fn mix(a: u64, b: u64) -> u64 {
    let mut x = a.rotate_left(23) ^ b.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^ (x >> 32)
}

/// A formula, with what it reads. Where the order of operands does not matter their places are 0.
struct Vertex {
    kind: u64,
    cell: Option<u32>,
    parts: Vec<(usize, u64)>,
}

/// Where a formula stands in the rules.
#[derive(Clone, Copy)]
enum Root {
    /// In the case or action of this number, in such a place.
    Part(usize, u64),
    /// What a cell becomes by the action of this number.
    After(usize, u32),
}

/// The formulas of a game as a graph, operands before what reads them.
struct Graph {
    vertices: Vec<Vertex>,
    roots: Vec<(usize, Root)>,
    /// How many cases and actions there are.
    owners: usize,
    cells: Vec<Range>,
}

impl Graph {
    fn new(game: &mut Game<'_>) -> Option<Graph> {
        let formulas = game.forms.formulas;
        let mut named: Vec<(Node, Root)> = Vec::new();
        let mut owner = 0;
        for case in formulas.ends.iter().chain([&formulas.stuck]) {
            named.extend([(case.when, Root::Part(owner, 1)), (case.fault, Root::Part(owner, 2))]);
            match &case.result {
                EndResult::Outcome(outcome) => named.push((*outcome, Root::Part(owner, 3))),
                EndResult::Gains(gains) => {
                    named.extend(gains.iter().zip(16..).map(|(g, at)| (*g, Root::Part(owner, at))))
                }
            }
            owner += 1;
        }
        for action in &formulas.actions {
            if action.split.is_some() {
                return None;
            }
            let counts = action.counts.iter().flat_map(|count| [count.low, count.high, count.fault]);
            let fixed = [(action.guard, 4), (action.turn, 5), (action.fault, 6)];
            named.extend(fixed.map(|(node, at)| (node, Root::Part(owner, at))));
            named.extend(
                counts
                    .zip(64..)
                    .chain(action.gains.iter().copied().zip(32..))
                    .map(|(n, at)| (n, Root::Part(owner, at))),
            );
            named.extend(action.after.iter().map(|(cell, node)| (*node, Root::After(owner, *cell))));
            owner += 1;
        }
        let mut reads: FxHashMap<Node, (u64, Option<u32>, Vec<(Node, u64)>)> = FxHashMap::default();
        let mut open: Vec<Node> = named.iter().map(|(node, _)| *node).collect();
        while let Some(node) = open.pop() {
            if reads.contains_key(&node) {
                continue;
            }
            let read = read(game, node);
            open.extend(read.2.iter().map(|part| part.0));
            reads.insert(node, read);
            if reads.len() > MOST_NODES || (reads.len() % 1024 == 0 && look().is_err()) {
                return None;
            }
        }
        let mut nodes: Vec<Node> = reads.keys().copied().collect();
        nodes.sort_unstable();
        let place: FxHashMap<Node, usize> = nodes.iter().copied().zip(0..).collect();
        let vertex = |node: &Node| {
            let (kind, cell, parts) = &reads[node];
            Vertex { kind: *kind, cell: *cell, parts: parts.iter().map(|(part, at)| (place[part], *at)).collect() }
        };
        let vertices = nodes.iter().map(vertex).collect();
        let roots = named.into_iter().map(|(node, root)| (place[&node], root)).collect();
        Some(Graph { vertices, roots, owners: owner, cells: formulas.cells.clone() })
    }

    /// One refinement of the colours of cells.
    fn refine(&self, cells: &[u64]) -> Vec<u64> {
        let mut up = vec![0u64; self.vertices.len()];
        for (at, vertex) in self.vertices.iter().enumerate() {
            let leaf = vertex.cell.map_or(0, |cell| cells[cell as usize]);
            let sum = vertex.parts.iter().fold(0u64, |sum, (part, place)| sum.wrapping_add(mix(up[*part], *place)));
            up[at] = mix(mix(vertex.kind, leaf), sum);
        }
        let mut owners = vec![0u64; self.owners];
        for (at, root) in &self.roots {
            let (owner, key) = match root {
                Root::Part(owner, place) => (owner, mix(up[*at], *place)),
                Root::After(owner, cell) => (owner, mix(up[*at], cells[*cell as usize])),
            };
            owners[*owner] = owners[*owner].wrapping_add(mix(key, 7));
        }
        let mut context = vec![0u64; self.vertices.len()];
        let mut next: Vec<u64> = cells.iter().map(|colour| mix(*colour, 11)).collect();
        for (at, root) in &self.roots {
            let key = match root {
                Root::Part(owner, place) => mix(owners[*owner], *place),
                Root::After(owner, cell) => {
                    let colour = &mut next[*cell as usize];
                    *colour = colour.wrapping_add(mix(mix(owners[*owner], up[*at]), 13));
                    mix(owners[*owner], cells[*cell as usize])
                }
            };
            context[*at] = context[*at].wrapping_add(mix(key, 17));
        }
        for (at, vertex) in self.vertices.iter().enumerate().rev() {
            let own = mix(context[at], up[at]);
            for (part, place) in &vertex.parts {
                context[*part] = context[*part].wrapping_add(mix(own, *place));
            }
            if let Some(cell) = vertex.cell {
                let colour = &mut next[cell as usize];
                *colour = colour.wrapping_add(mix(own, 19));
            }
        }
        next
    }
}

/// What a node is without the cells it reads, the one cell of a small function, and its operands with their places.
fn read(game: &mut Game<'_>, node: Node) -> (u64, Option<u32>, Vec<(Node, u64)>) {
    let formulas = game.forms.formulas;
    let identity = super::identity(formulas);
    if let Some(key) = game.forms.tables.read(node, &identity, &|value| value)
        && let [1, mover, cell, values @ ..] = key.as_slice()
    {
        let kind = values.iter().fold(mix(101, *mover as u64), |kind, value| mix(kind, *value as u64));
        return (kind, Some(*cell as u32), Vec::new());
    }
    let arena = &formulas.arena;
    let op = arena.op(node);
    let mut kind = mix(103, u64::from(tag(op)));
    let operands = parts(arena, node);
    let place = |at: usize| match op {
        Op::And(..) | Op::Or(..) | Op::Min(..) | Op::Max(..) | Op::Xor(..) => 0,
        Op::Mul(..) | Op::Eq(..) | Op::AddOverflows(..) | Op::MulOverflows(..) => 0,
        Op::Linear(terms, _) => terms.get(at).map_or(0, |term| term.1 as u64),
        _ => at as u64 + 1,
    };
    let mut cell = None;
    match op {
        Op::Const(number) | Op::Linear(_, number) => kind = mix(kind, *number as u64),
        Op::Load(list, _) => kind = mix(kind, u64::from(*list)),
        Op::Cell(number) => cell = Some(*number),
        _ => {}
    }
    (kind, cell, operands.into_iter().enumerate().map(|(at, part)| (part, place(at))).collect())
}

/// The search for permutations.
struct Search<'s> {
    graph: &'s Graph,
    refined: usize,
    /// How many nodes may still be looked at.
    left: u64,
    found: &'s mut Vec<Image>,
}

impl Search<'_> {
    /// The colours that follow from these; `None` if there was too much work already.
    fn settled(&mut self, mut colours: Vec<u64>) -> Option<Vec<u64>> {
        let mut kinds = distinct(&colours);
        loop {
            self.refined += 1;
            self.left = self.left.saturating_sub(self.graph.vertices.len() as u64 * REFINED_AT_ONCE);
            if self.refined > MOST_REFINED || self.left == 0 || look().is_err() {
                return None;
            }
            colours = self.graph.refine(&colours);
            let now = distinct(&colours);
            if now == kinds {
                return Some(colours);
            }
            kinds = now;
        }
    }

    /// Looks for generators: for each cell in turn, what it can be mapped to while all cells before it stay in place.
    fn generators<'f>(&mut self, game: &mut Game<'f>, proves: Proves<'_, 'f>) {
        let range = |range: &Range| mix(mix(range.low as u64, range.high as u64), 23);
        let Some(mut colours) = self.settled(self.graph.cells.iter().map(range).collect()) else { return };
        let mut fixed: Vec<u32> = Vec::new();
        loop {
            let Some(class) = first_class(&colours, &self.graph.cells) else { return };
            let Some(&cell) = class.first() else { return };
            let Some(singled) = self.settled(single(&colours, cell)) else { return };
            for &other in &class[1..] {
                if self.orbit(cell, &fixed).contains(&other) {
                    continue;
                }
                let Some(there) = self.settled(single(&colours, other)) else { return };
                if let Some(from) = self.paired(singled.clone(), there, 0) {
                    let image = Image::of_cells(from);
                    if proves(game, &image) {
                        self.found.push(image);
                    }
                }
            }
            fixed.push(cell);
            colours = singled;
        }
    }

    /// The cells that the generators that keep `fixed` in place map a cell to.
    fn orbit(&self, cell: u32, fixed: &[u32]) -> FxHashSet<u32> {
        let mut orbit = FxHashSet::from_iter([cell]);
        let mut open = vec![cell];
        while let Some(next) = open.pop() {
            for image in self.found.iter().filter(|image| fixed.iter().all(|&cell| image.from[cell as usize] == cell)) {
                let to = image.from[next as usize];
                if orbit.insert(to) {
                    open.push(to);
                }
            }
        }
        orbit
    }

    /// Pairs cells of equal colours up: for each cell of the first colouring, that of the second.
    fn paired(&mut self, mut here: Vec<u64>, mut there: Vec<u64>, depth: usize) -> Option<Vec<u32>> {
        let mut left = depth;
        loop {
            let mut sorted = [here.clone(), there.clone()];
            sorted.iter_mut().for_each(|colours| colours.sort_unstable());
            if sorted[0] != sorted[1] {
                return None;
            }
            let Some(class) = first_class(&here, &self.graph.cells) else { break };
            let cell = *class.first()?;
            let colour = here[cell as usize];
            // The nearest cell of that colour which is still there; other choices are not tried.
            let other = there.iter().position(|known| *known == colour)? as u32;
            here = self.settled(single(&here, cell))?;
            there = self.settled(single(&there, other))?;
            left += 1;
            if left > MOST_CELLS {
                return None;
            }
        }
        let place: FxHashMap<u64, u32> = there.iter().copied().zip(0..).collect();
        let closed = |cell: usize| self.graph.cells[cell].single().is_some();
        (0..here.len())
            .map(|cell| if closed(cell) { Some(cell as u32) } else { place.get(&here[cell]).copied() })
            .collect()
    }
}

fn distinct(colours: &[u64]) -> usize {
    colours.iter().collect::<FxHashSet<_>>().len()
}

/// The first class of at least two open cells, by the place of its first cell.
fn first_class(colours: &[u64], cells: &[Range]) -> Option<Vec<u32>> {
    let mut classes: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
    for (cell, colour) in colours.iter().enumerate().filter(|(cell, _)| cells[*cell].single().is_none()) {
        classes.entry(*colour).or_default().push(cell as u32);
    }
    classes.into_values().filter(|class| class.len() > 1).min_by_key(|class| class[0])
}

/// The colours with one cell singled out.
fn single(colours: &[u64], cell: u32) -> Vec<u64> {
    let mut colours = colours.to_vec();
    colours[cell as usize] = mix(colours[cell as usize], 29);
    colours
}

/// Images that turn or mirror a board on which pieces are known by the numbers of their squares. A number behind the last square,
/// for a piece that is off the board, stays what it is.
fn turned_boards(formulas: &Formulas) -> Vec<Image> {
    let count = |range: &Range| range.high.checked_sub(range.low).map_or(0, |width| width.saturating_add(1)) as usize;
    let open = formulas.cells.iter().filter(|range| range.single().is_none());
    let Some(n) = open.map(count).filter(|count| (6..=1 << 10).contains(count)).min() else { return Vec::new() };
    let mut all = Vec::new();
    for columns in (2..n).filter(|columns| n % columns == 0) {
        let rows = n / columns;
        let flipped = |s: usize| (rows - 1 - s / columns) * columns + s % columns;
        let mirrored = |s: usize| s / columns * columns + columns - 1 - s % columns;
        let crossed = |s: usize| s % columns * columns + s / columns;
        let mut maps: Vec<&dyn Fn(usize) -> usize> = vec![&flipped, &mirrored];
        if rows == columns {
            maps.push(&crossed);
        }
        for map in maps {
            let values = |range: &Range| -> Option<Arc<[i64]>> {
                let known = count(range) == n || count(range) == n + 1;
                let value = |s: usize| range.low + if s < n { map(s) } else { s } as i64;
                known.then(|| (0..count(range)).map(value).collect())
            };
            let from = (0..formulas.cells.len() as u32).collect();
            all.push(Image { from, values: formulas.cells.iter().map(values).collect(), exchanges: false });
        }
    }
    all
}

/// Images that exchange the players and may be symmetries.
fn guesses(formulas: &Formulas) -> Vec<Image> {
    let runs = runs(formulas);
    let names = namings(formulas);
    let mut all = Vec::new();
    for from in arrangements(formulas.cells.len(), &runs) {
        for values in &names {
            all.push(Image { from: from.clone(), values: values.clone(), exchanges: true });
            if all.len() == MOST_GUESSES {
                return all;
            }
        }
    }
    all
}

/// Runs of open cells with one domain.
fn runs(formulas: &Formulas) -> Vec<std::ops::Range<usize>> {
    let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
    for cell in (0..formulas.cells.len()).filter(|cell| formulas.cells[*cell].single().is_none()) {
        match runs.last_mut() {
            Some(run) if run.end == cell && formulas.cells[run.start] == formulas.cells[cell] => run.end += 1,
            _ => runs.push(cell..cell + 1),
        }
    }
    runs
}

/// Permutations of cells: none, halves of runs that change places, boards upside down and turned, runs that change places.
fn arrangements(cells: usize, runs: &[std::ops::Range<usize>]) -> Vec<Vec<u32>> {
    let identity: Vec<u32> = (0..cells as u32).collect();
    let mut all = vec![identity.clone()];
    let lengths: FxHashSet<usize> = runs.iter().map(ExactSizeIterator::len).collect();
    let longest = lengths.iter().copied().max().unwrap_or(0);
    let within = |map: &dyn Fn(usize, usize) -> Option<usize>| -> Option<Vec<u32>> {
        let mut from = identity.clone();
        for run in runs {
            for at in 0..run.len() {
                from[run.start + at] = (run.start + map(at, run.len())?) as u32;
            }
        }
        Some(from)
    };
    let halves = |at: usize, length: usize| if length % 2 == 0 { (at + length / 2) % length } else { at };
    let turned = |at: usize, length: usize| length - 1 - at;
    all.extend(within(&|at, length| Some(halves(at, length))));
    all.extend(within(&|at, length| Some(turned(at, length))));
    // Rows from top to bottom, and each half so.
    for columns in (2..longest).filter(|columns| longest % columns == 0) {
        let flipped = |at: usize, length: usize| match length % columns {
            0 => (length / columns - 1 - at / columns) * columns + at % columns,
            _ => at,
        };
        all.extend(within(&|at, length| Some(flipped(at, length))));
        all.extend(within(&|at, length| {
            let half = length / 2;
            let board = half.is_multiple_of(columns) && length % 2 == 0 && half > 0;
            Some(if board {
                (half + at / half * half + flipped(at % half, half)) % length
            } else {
                flipped(at, length)
            })
        }));
    }
    // Each half turned.
    all.extend(within(&|at, length| {
        let half = length / 2;
        Some(if length % 2 == 0 && half > 0 {
            (half + at / half * half + turned(at % half, half)) % length
        } else {
            at
        })
    }));
    for (index, run) in runs.iter().enumerate() {
        for other in runs[index + 1..].iter().filter(|other| other.len() == run.len()) {
            let mut from = identity.clone();
            for at in 0..run.len() {
                from.swap(run.start + at, other.start + at);
            }
            all.push(from);
        }
    }
    let mut seen = FxHashSet::default();
    all.retain(|from| seen.insert(from.clone()));
    all
}

/// Ways to give values other names, one for each domain.
fn namings(formulas: &Formulas) -> Vec<Vec<Option<Arc<[i64]>>>> {
    let mut domains: Vec<Range> = formulas.cells.iter().copied().filter(|range| range.single().is_none()).collect();
    domains.sort_unstable_by_key(|range| (range.low, range.high));
    domains.dedup();
    let mut all: Vec<Vec<Option<Arc<[i64]>>>> = vec![Vec::new()];
    for range in &domains {
        let ways = renamings(*range);
        let longer = |known: &Vec<Option<Arc<[i64]>>>| {
            let add = |way: &Option<Arc<[i64]>>| known.iter().cloned().chain([way.clone()]).collect();
            ways.iter().map(add).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).take(MOST_NAMES).collect();
    }
    let by_cell = |ways: Vec<Option<Arc<[i64]>>>| {
        let of = |range: &Range| domains.iter().position(|known| known == range).and_then(|at| ways[at].clone());
        formulas.cells.iter().map(of).collect()
    };
    all.into_iter().map(by_cell).collect()
}

/// Ways in which the values of a domain may change names in pairs: for few values all, the plainest first; for many, the board turned and
/// upside down.
fn renamings(range: Range) -> Vec<Option<Arc<[i64]>>> {
    let mut ways = vec![None];
    let Some(count) =
        range.high.checked_sub(range.low).map(|width| width as usize + 1).filter(|count| *count <= 1 << 12)
    else {
        return ways;
    };
    let mut add = |map: Vec<usize>| ways.push(Some(map.into_iter().map(|value| range.low + value as i64).collect()));
    if count <= 5 {
        pairings(count).into_iter().for_each(&mut add);
        return ways;
    }
    add((0..count).rev().collect());
    for columns in (2..count).filter(|columns| count % columns == 0) {
        add((0..count).map(|at| (count / columns - 1 - at / columns) * columns + at % columns).collect());
    }
    ways
}

/// All ways to swap some values in pairs, but for none. For three values the last two come first: an empty square, mine, yours.
fn pairings(count: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![(0..count).collect()];
    for high in (0..count).rev() {
        for low in (0..high).rev() {
            let more = all.iter().filter(|map| map[low] == low && map[high] == high);
            let more: Vec<Vec<usize>> = more
                .map(|map| {
                    let mut map = map.clone();
                    map.swap(low, high);
                    map
                })
                .collect();
            all.extend(more);
        }
    }
    let mut seen = FxHashSet::default();
    all.retain(|map| seen.insert(map.clone()));
    all.split_off(1)
}
