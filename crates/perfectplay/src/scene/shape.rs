//! Decides how the variables of a game are drawn: as a grid, a graph, heaps, rows of items, or by name and value.
//!
//! It looks at their domains, at lists of the instance that have their length, and at the moves of the start. What it decides is a
//! picture and nothing else: no answer depends on it.

use rules::bind::{Bound, Position};
use rules::instance::Given;
use rules::layout::{Leaf, Slot};
use rules::play::{self, Play};
use rules::program::Show;

use super::pieces::{self, Owner, Piece, is_blank};
use super::stretch::{MOST_ITEMS, Stretch};

/// So many moves of the start are looked at.
pub(crate) const MOST_PLAYS: usize = 300;
/// So many moves are looked ahead along a line of play, to see what moves do to a variable.
const AHEAD: usize = 12;
/// A graph with more nodes than this is not drawn.
const MOST_NODES: usize = 200;

/// How a part is drawn.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// As a grid, with the text of an empty cell.
    pub grid: bool,
    /// The text of an empty cell.
    pub blank: Option<String>,
    /// Whose the pieces of a grid are.
    pub pieces: Vec<Piece>,
    /// As a graph.
    pub graph: Option<Graph>,
    /// How each variable looks that no grid or graph shows.
    pub looks: Vec<Look>,
    /// Lists of which the rules show a stretch.
    pub stretches: Vec<Stretch>,
    /// Whose the items of such lists are, by what is written on them.
    pub owners: Vec<(String, Owner)>,
}

/// How a variable looks.
#[derive(Clone, Debug)]
pub(crate) enum Look {
    /// Something else shows it.
    Shown,
    /// A heap, or one for each item.
    Heaps,
    /// A row whose items have these texts, where it says which are there; `gone` if it lists those that are not.
    Marks {
        /// What is written on the items.
        texts: Vec<String>,
        /// Whether the variable says which are gone.
        gone: bool,
    },
    /// A row of its own items.
    Items,
    /// The left end of a row, or its only end, and the variable that is the right end.
    Ends {
        /// What is written on the items.
        texts: Vec<String>,
        /// The name of the list.
        title: String,
        /// The variable that is the other end.
        right: Option<usize>,
    },
    /// Its name and value.
    Field,
}

/// A graph in the instance.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    /// What it is called.
    pub title: String,
    /// How many nodes it has.
    pub nodes: usize,
    /// Its edges.
    pub edges: Vec<(usize, usize)>,
    /// Who may cut each edge.
    pub owners: Option<Vec<Owner>>,
    /// Whether edges are arrows.
    pub directed: bool,
    /// Variables that say on which node something stands.
    pub tokens: Vec<usize>,
    /// The variable that says which edges are there.
    pub there: Option<usize>,
    /// What the game pays if it ends at a node.
    pub pays: Vec<Option<String>>,
}

impl Shape {
    /// The shape of a game.
    pub(crate) fn of(bound: &Bound) -> Shape {
        let grid = matches!(bound.program.show, Some(Show::Grid { .. }));
        if grid {
            let part = bound.start.parts.first();
            let board = part.and_then(|part| rules::show::board(bound, part, bound.starts).ok().flatten());
            let texts = board.map(|board| board.texts).unwrap_or_default();
            let blank = texts.iter().find(|text| is_blank(text)).cloned().or_else(|| legend_blank(bound));
            let (looks, stretches, owners) = (Vec::new(), Vec::new(), Vec::new());
            let pieces = pieces::owned(bound);
            return Shape { grid, blank, pieces, graph: None, looks, stretches, owners };
        }
        let visited = visited(bound);
        let graph = Graph::of(bound, &visited);
        let mut looks = looks(bound, &visited);
        let stretches = stretches(bound, &mut looks);
        for variable in graph.iter().flat_map(|graph| graph.tokens.iter().chain(&graph.there)) {
            looks[*variable] = Look::Shown;
        }
        Shape { grid, blank: None, pieces: Vec::new(), graph, looks, stretches, owners: Vec::new() }
    }
}

fn legend_blank(bound: &Bound) -> Option<String> {
    let part = bound.start.parts.first()?;
    let legend = rules::show::legend(bound, part, bound.starts).ok()?;
    legend.into_iter().map(|(_, text)| text).find(|text| is_blank(text))
}

/// A list of numbers among the parameters.
fn lists(bound: &Bound) -> impl Iterator<Item = (&str, Vec<i64>)> {
    let params = bound.program.params.iter().enumerate();
    params.filter_map(|(index, param)| match bound.given(index) {
        Given::Ints(items) if items.len() <= MOST_ITEMS => Some((param.name.as_str(), items)),
        _ => None,
    })
}

/// A list of lists of numbers among the parameters.
fn tables(bound: &Bound) -> impl Iterator<Item = (&str, Vec<Vec<i64>>)> {
    let params = bound.program.params.iter().enumerate();
    params.filter_map(|(index, param)| match bound.given(index) {
        Given::List(rows) if rows.len() <= MOST_ITEMS => {
            let row = |given| match given {
                Given::Ints(items) => Some(items),
                _ => None,
            };
            rows.into_iter().map(row).collect::<Option<Vec<_>>>().map(|rows| (param.name.as_str(), rows))
        }
        _ => None,
    })
}

fn is_number(slot: &Slot) -> Option<(i64, i64)> {
    match slot.leaf {
        Leaf::Int { low, high } if slot.dims.is_empty() => Some((low, high)),
        _ => None,
    }
}

fn is_marks(slot: &Slot) -> Option<usize> {
    match (&slot.leaf, &slot.dims[..]) {
        (Leaf::Bool, [length]) => Some(*length),
        _ => None,
    }
}

impl Graph {
    fn of(bound: &Bound, visited: &[Visited]) -> Option<Graph> {
        Graph::arrows(bound, visited).or_else(|| Graph::pairs(bound)).or_else(|| Graph::tree(bound))
    }

    /// Numbers of nodes: scalars that range over just these.
    fn tokens(bound: &Bound, nodes: usize) -> Vec<usize> {
        let variables = bound.layout.variables.iter().enumerate();
        let walks = |slot: &Slot| is_number(slot) == Some((0, nodes as i64 - 1));
        variables.filter(|(_, slot)| walks(slot)).map(|(index, _)| index).collect()
    }

    /// The neighbours of every node, with something that walks.
    fn arrows(bound: &Bound, visited: &[Visited]) -> Option<Graph> {
        tables(bound).find_map(|(title, rows)| {
            let nodes = rows.len();
            let is_node = |to: &i64| usize::try_from(*to).is_ok_and(|to| to < nodes);
            let tokens = Graph::tokens(bound, nodes);
            if tokens.is_empty() || nodes > MOST_NODES || !rows.iter().flatten().all(is_node) {
                return None;
            }
            // What walks goes along the arrows.
            if !walks(bound, &tokens, visited, &|from, to| rows[from].contains(&(to as i64))) {
                return None;
            }
            let pairs = rows.iter().enumerate().flat_map(|(from, row)| row.iter().map(move |to| (from, *to as usize)));
            let mut edges: Vec<(usize, usize)> = pairs.collect();
            edges.sort_unstable();
            edges.dedup();
            let directed = !edges.iter().all(|(from, to)| edges.binary_search(&(*to, *from)).is_ok());
            if !directed {
                edges.retain(|(from, to)| from <= to);
            }
            Some(Graph {
                title: title.to_string(),
                nodes,
                edges,
                owners: None,
                directed,
                tokens,
                there: None,
                pays: Vec::new(),
            })
        })
    }

    /// Pairs of nodes, with a variable that says which are there.
    fn pairs(bound: &Bound) -> Option<Graph> {
        tables(bound).find_map(|(title, rows)| {
            let pair = |row: &Vec<i64>| match row[..] {
                [from, to] => Some((usize::try_from(from).ok()?, usize::try_from(to).ok()?)),
                _ => None,
            };
            let edges: Vec<(usize, usize)> = rows.iter().map(pair).collect::<Option<_>>()?;
            let nodes = 1 + edges.iter().map(|(from, to)| *from.max(to)).max()?;
            let there = bound.layout.variables.iter().position(|slot| is_marks(slot) == Some(edges.len()))?;
            let (tokens, there) = (Vec::new(), Some(there));
            let (title, pays) = (title.to_string(), Vec::new());
            let graph = Graph { title, nodes, edges, owners: None, directed: false, tokens, there, pays };
            (nodes <= MOST_NODES).then_some(graph)
        })
    }

    /// The node below every node, or every edge.
    fn tree(bound: &Bound) -> Option<Graph> {
        lists(bound).find_map(|(title, below)| {
            let count = below.len();
            let title = title.to_string();
            let earlier = |(node, below): (usize, &i64)| usize::try_from(*below).is_ok_and(|below| below < node);
            if count == 0 || count >= MOST_NODES {
                return None;
            }
            // A node for each entry: the first is the root.
            let tokens = Graph::tokens(bound, count);
            if below[0] == -1 && !tokens.is_empty() && below.iter().enumerate().skip(1).all(earlier) {
                let edges: Vec<(usize, usize)> =
                    below.iter().enumerate().skip(1).map(|(node, below)| (*below as usize, node)).collect();
                let pays = pays(bound, count, &edges);
                let (owners, there) = (None, None);
                return Some(Graph { title, nodes: count, edges, owners, directed: true, tokens, there, pays });
            }
            // An edge for each entry, which carries the next node.
            let there = bound.layout.variables.iter().position(|slot| is_marks(slot) == Some(count))?;
            let grows = below.iter().enumerate().all(|(edge, below)| earlier((edge + 1, below)));
            let edges = below.iter().enumerate().map(|(edge, below)| (*below as usize, edge + 1)).collect();
            let (tokens, there, owners) = (Vec::new(), Some(there), owners(bound, &title, count));
            let pays = Vec::new();
            grows.then_some(Graph { title, nodes: count + 1, edges, owners, directed: false, tokens, there, pays })
        })
    }
}

/// Whether what walks goes from node to node as `joined` says, as far as was visited.
fn walks(bound: &Bound, tokens: &[usize], visited: &[Visited], joined: &dyn Fn(usize, usize) -> bool) -> bool {
    let cell = |part: &[i64], token: usize| usize::try_from(part[bound.layout.variables[token].offset]).unwrap_or(0);
    visited.iter().all(|Visited { position, plays }| {
        plays.iter().all(|play| {
            play.into.iter().all(|after| {
                tokens.iter().all(|token| {
                    let (from, to) = (cell(&position.parts[play.part], *token), cell(after, *token));
                    from == to || joined(from, to)
                })
            })
        })
    })
}

/// What a tree pays at its leaves: a table with a row for every node.
fn pays(bound: &Bound, nodes: usize, edges: &[(usize, usize)]) -> Vec<Option<String>> {
    let of_nodes =
        |(_, rows): &(&str, Vec<Vec<i64>>)| rows.len() == nodes && rows.iter().all(|row| row.len() == bound.players);
    let Some((_, rows)) = tables(bound).find(of_nodes) else { return Vec::new() };
    let is_leaf = |node: usize| edges.iter().all(|(from, _)| *from != node);
    let words = |row: &Vec<i64>| row.iter().map(i64::to_string).collect::<Vec<_>>().join(" : ");
    rows.iter().enumerate().map(|(node, row)| is_leaf(node).then(|| words(row))).collect()
}

/// Who may cut each edge: another list of the instance, with one sign an edge.
fn owners(bound: &Bound, edges: &str, count: usize) -> Option<Vec<Owner>> {
    let owner = |sign: &i64| match sign {
        1 => Some(Owner::First),
        -1 => Some(Owner::Second),
        0 => Some(Owner::Both),
        _ => None,
    };
    let mut others = lists(bound).filter(|(name, list)| *name != edges && list.len() == count);
    others.find_map(|(_, list)| list.iter().map(owner).collect())
}

/// How each variable looks by itself.
fn looks(bound: &Bound, visited: &[Visited]) -> Vec<Look> {
    let variables = &bound.layout.variables;
    let mut looks = vec![Look::Field; variables.len()];
    ends(bound, &mut looks);
    for (index, slot) in variables.iter().enumerate() {
        if !matches!(looks[index], Look::Field) || slot.cells > MOST_ITEMS {
            continue;
        }
        looks[index] = match (&slot.leaf, &slot.dims[..]) {
            (Leaf::Int { low: 0, .. }, []) if is_heap(bound, slot, visited) => Look::Heaps,
            (Leaf::Int { low: 0, .. }, [_]) if changes(slot, visited).0 => Look::Heaps,
            (Leaf::Bool, [count]) => Look::Marks { texts: texts(bound, *count), gone: starts_at(bound, slot, 0) },
            (Leaf::Set { low, size, names }, []) if *size <= MOST_ITEMS => {
                let texts = match names {
                    Some(names) => names.clone(),
                    None => (0..*size as i64).map(|item| (low + item).to_string()).collect(),
                };
                Look::Marks { texts, gone: starts_at(bound, slot, 0) }
            }
            (Leaf::Int { .. } | Leaf::Names(_), [_]) => Look::Items,
            _ => Look::Field,
        };
    }
    // Beside a heap in a part of a sum, what moves take from and put into is a heap too.
    let is_heap = |at: usize| matches!(looks[at], Look::Heaps);
    if bound.program.sum.is_some() && (0..variables.len()).any(is_heap) {
        for (index, slot) in variables.iter().enumerate() {
            let is_count = matches!((&slot.leaf, &slot.dims[..]), (Leaf::Int { low: 0, .. }, []));
            if is_count && matches!(looks[index], Look::Field) && changes(slot, visited) == (true, true) {
                looks[index] = Look::Heaps;
            }
        }
    }
    looks
}

/// The lists of which the rules show a stretch. The variables that say no more than that are shown by it.
fn stretches(bound: &Bound, looks: &mut [Look]) -> Vec<Stretch> {
    let Some(part) = bound.start.parts.first() else { return Vec::new() };
    let is_free = |at: &usize| matches!(looks[*at], Look::Field | Look::Heaps);
    let found = Stretch::all(bound).into_iter().filter(|stretch| stretch.variables.iter().all(is_free));
    let found: Vec<Stretch> = found.filter(|stretch| stretch.read(bound, part, bound.starts).is_some()).collect();
    for stretch in &found {
        for variable in &stretch.variables {
            let length = bound.layout.variables[*variable].cells;
            let shown: usize = match stretch.counts == Some(*variable) {
                true => {
                    let same = found.iter().filter(|other| other.counts == stretch.counts);
                    same.filter_map(|other| other.read(bound, part, bound.starts)).map(|it| it.to - it.from).sum()
                }
                false => length,
            };
            if shown >= length && stretch.has_alone(bound, *variable) {
                looks[*variable] = Look::Shown;
            }
        }
    }
    found
}

/// A position that was looked at, with its moves.
struct Visited {
    position: Position,
    plays: Vec<Play>,
}

/// The start, and positions along some lines of play: always the first move, always the last, always one in the middle.
fn visited(bound: &Bound) -> Vec<Visited> {
    let look = |position: Position, most: usize| {
        let (plays, _) = play::first_plays(bound, &position, most).unwrap_or_default();
        Visited { position, plays }
    };
    let mut visited = vec![look(bound.start.clone(), MOST_PLAYS)];
    let choices: [fn(usize) -> usize; 3] = [|_| 0, |count| count - 1, |count| count / 2];
    for choice in choices {
        let mut here = 0;
        for _ in 0..AHEAD {
            let Visited { position, plays } = &visited[here];
            let Some(play) = plays.get(choice(plays.len().max(1))) else { break };
            let next = play.option(position);
            here = visited.len();
            visited.push(look(next, MOST_PLAYS / 5));
        }
    }
    visited
}

/// What is written on so many items: the numbers of a list of that length, or where they are.
fn texts(bound: &Bound, count: usize) -> Vec<String> {
    let list = lists(bound).map(|(_, list)| list).find(|list| list.len() == count);
    let numbers = list.unwrap_or_else(|| (0..count as i64).collect());
    numbers.iter().map(i64::to_string).collect()
}

/// Whether all cells of a variable are the same at the start.
fn starts_at(bound: &Bound, slot: &Slot, value: i64) -> bool {
    let part = bound.start.parts.first();
    part.is_some_and(|part| part[slot.offset..slot.offset + slot.cells].iter().all(|cell| *cell == value))
}

/// Two variables, or one, that close in on a list of the instance.
fn ends(bound: &Bound, looks: &mut [Look]) {
    let (variables, Some(part)) = (&bound.layout.variables, bound.start.parts.first()) else { return };
    if bound.program.sum.is_some() {
        return;
    }
    for (title, list) in lists(bound) {
        let count = list.len() as i64;
        let starts = |wanted: i64| {
            let mut found = variables.iter().enumerate().filter(|(_, slot)| {
                is_number(slot).is_some_and(|(low, high)| low == 0 && high == count) && part[slot.offset] == wanted
            });
            found.next().map(|(index, _)| index)
        };
        // Where a variable begins as the list, it shows what becomes of the items.
        let is_start =
            |slot: &Slot| slot.dims[..] == [list.len()] && part[slot.offset..slot.offset + slot.cells] == list;
        let Some(left) = starts(0).filter(|_| count > 0 && !variables.iter().any(is_start)) else { continue };
        let right = starts(count);
        let texts = list.iter().map(i64::to_string).collect();
        looks[left] = Look::Ends { texts, title: title.to_string(), right };
        if let Some(right) = right {
            looks[right] = Look::Shown;
        }
        return;
    }
}

/// Whether moves make something of a variable less, and whether they make something more, as far as was visited.
fn changes(slot: &Slot, visited: &[Visited]) -> (bool, bool) {
    let cells = slot.offset..slot.offset + slot.cells;
    let (mut less, mut more) = (false, false);
    for Visited { position, plays } in visited {
        for play in plays {
            let before = &position.parts[play.part][cells.clone()];
            less |= play.into.is_empty();
            for after in &play.into {
                less |= after[cells.clone()].iter().zip(before).any(|(after, before)| after < before);
                more |= after[cells.clone()].iter().zip(before).any(|(after, before)| after > before);
            }
        }
    }
    (less, more)
}

/// Whether a number is a heap: moves take from it and put nothing there.
fn is_heap(bound: &Bound, slot: &Slot, visited: &[Visited]) -> bool {
    let (less, more) = changes(slot, visited);
    let is_whole_part = bound.program.sum.is_some() && bound.layout.variables.len() == 1;
    (less || is_whole_part) && !more
}
