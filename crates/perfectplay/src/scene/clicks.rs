//! What a move touches on the board, and what a person clicks to make it.

use game::Player;
use rules::bind::Position;
use rules::grid::Grid;
use rules::play::Play;

use super::pieces::is_blank;
use super::{Item, Painter, Panel, Target};
use crate::positions::squares;

/// Where a move is on the board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aim {
    /// Everything that the move changes.
    pub touches: Vec<Target>,
    /// What a person clicks, in order; nothing where that is not natural.
    pub clicks: Vec<Target>,
    /// The squares by their names, where the name of the move does not tell them.
    pub square: Option<String>,
}

impl Painter<'_> {
    /// Where some moves of a position are on the board.
    pub fn aims(&self, position: &Position, plays: &[&Play]) -> Vec<Aim> {
        let is_sum = self.bound.program.sum.is_some();
        let parts: Vec<Vec<Panel>> = position
            .parts
            .iter()
            .enumerate()
            .map(|(number, part)| self.panels(part, position.turn, is_sum.then_some(number)))
            .collect();
        let firsts: Vec<usize> = parts
            .iter()
            .scan(0, |all, panels| {
                let first = *all;
                *all += panels.len();
                Some(first)
            })
            .collect();
        let mut aims: Vec<Aim> = plays
            .iter()
            .map(|play| {
                let (before, first) = (&parts[play.part], firsts[play.part]);
                let after: Vec<Vec<Panel>> =
                    play.into.iter().map(|part| self.panels(part, position.turn, None)).collect();
                aim(before, &after, first, &play.label, position.turn)
            })
            .collect();
        if !is_sum {
            self.squares(position, plays, &mut aims);
        }
        aims
    }

    /// Squares of a board are told by all moves together.
    fn squares(&self, position: &Position, plays: &[&Play], aims: &mut [Aim]) {
        let Some(part) = position.parts.first().filter(|_| self.shape.grid) else { return };
        let read = squares::read(self.bound, part, position.turn, plays);
        for (aim, cells) in aims.iter_mut().zip(&read.cells) {
            match cells {
                Some(cells) => aim.clicks = cells.iter().map(|cell| Target::item(0, *cell)).collect(),
                None => aim.clicks = read.path(&aim.touches),
            }
        }
        for (aim, name) in aims.iter_mut().zip(read.names(plays)) {
            aim.square = name;
        }
    }
}

/// What a move does to the pictures of its part.
fn aim(before: &[Panel], after: &[Vec<Panel>], first: usize, label: &str, mover: Player) -> Aim {
    if let ([Panel::Heap { stones, .. }], true) = (before, after.len() != 1) {
        return of_split(first, *stones, after);
    }
    let [after] = after else { return Aim::default() };
    let mut all = Aim::default();
    for (index, (before, after)) in before.iter().zip(after).enumerate() {
        let found = of_panel(first + index, before, after, label);
        all.touches.extend(found.touches);
        if all.clicks.is_empty() && !is_of_another(before, mover) {
            all.clicks = found.clicks;
        }
    }
    all
}

/// Whether the pits of a row are another player's: their name is written before them.
fn is_of_another(panel: &Panel, mover: Player) -> bool {
    let Panel::Row { counts: true, head, .. } = panel else { return false };
    let is_player = |name: &str| (0..2).any(|seat| Player(seat).to_string() == name);
    head.title.as_ref().is_some_and(|name| is_player(name) && *name != mover.to_string())
}

/// Stones between two heaps that are left, or all where none is.
fn of_split(panel: usize, stones: i64, after: &[Vec<Panel>]) -> Aim {
    let heights: Vec<i64> = after
        .iter()
        .filter_map(|panels| match panels[..] {
            [Panel::Heap { stones, .. }] => Some(stones),
            _ => None,
        })
        .collect();
    let left = heights.first().copied().unwrap_or(0);
    let right = heights.iter().skip(1).fold(0, |all: i64, stones| all.saturating_add(*stones));
    // Where nothing is taken, the heap is cut between two stones.
    let (low, high) = match left.checked_add(right) == Some(stones) {
        true => (left.saturating_sub(1), left.saturating_add(1)),
        false => (left, stones.saturating_sub(right)),
    };
    let touches: Vec<Target> = items(panel, low, high).collect();
    Aim { clicks: touches.clone(), touches, square: None }
}

/// Some items of a picture, if they are few enough to be seen.
fn items(panel: usize, low: i64, high: i64) -> impl Iterator<Item = Target> {
    const MOST: i64 = 500;
    let (low, high) = (low.max(0), high.max(0));
    (low..high.min(low.saturating_add(MOST))).map(move |item| Target::item(panel, item as usize))
}

fn of_panel(panel: usize, before: &Panel, after: &Panel, label: &str) -> Aim {
    match (before, after) {
        (Panel::Grid { cells, .. }, Panel::Grid { cells: then, .. }) => {
            let changed = (0..cells.len()).filter(|at| cells.get(*at) != then.get(*at));
            Aim { touches: changed.map(|at| Target::item(panel, at)).collect(), ..Aim::default() }
        }
        (Panel::Heap { stones, .. }, Panel::Heap { stones: then, .. }) => {
            let touches: Vec<Target> = items(panel, *then, *stones).collect();
            // The lowest stone that is taken: all above it go with it.
            Aim { clicks: touches.iter().take(1).copied().collect(), touches, square: None }
        }
        (Panel::Row { items, counts: true, .. }, Panel::Row { items: then, .. }) => of_pits(panel, items, then, label),
        (Panel::Row { ends: Some(ends), .. }, Panel::Row { ends: Some(then), .. }) => of_ends(panel, *ends, *then),
        (Panel::Row { items, .. }, Panel::Row { items: then, .. }) => of_row(panel, items, then, label),
        (Panel::Graph { nodes, edges, .. }, Panel::Graph { nodes: new, edges: then, .. }) => {
            let cut: Vec<usize> = (0..edges.len()).filter(|at| edges.get(*at) != then.get(*at)).collect();
            let walked: Vec<usize> =
                (0..nodes.len()).filter(|at| new.get(*at).is_some_and(|new| nodes[*at].tokens != new.tokens)).collect();
            let to = walked.iter().filter(|at| new[**at].tokens.len() > nodes[**at].tokens.len());
            let clicks = match walked.is_empty() {
                true => meant(label, &cut).map(|edge| Target::edge(panel, edge)).into_iter().collect(),
                false => to.map(|node| Target::item(panel, *node)).collect(),
            };
            let touches = cut.iter().map(|edge| Target::edge(panel, *edge));
            Aim {
                touches: touches.chain(walked.iter().map(|at| Target::item(panel, *at))).collect(),
                clicks,
                square: None,
            }
        }
        (Panel::Fields { fields, .. }, Panel::Fields { fields: then, .. }) => {
            let changed = (0..fields.len()).filter(|at| fields.get(*at) != then.get(*at));
            Aim { touches: changed.map(|at| Target::item(panel, at)).collect(), ..Aim::default() }
        }
        _ => Aim::default(),
    }
}

/// Items of a row: one that changes, or the innermost of those that go from one end.
fn of_row(panel: usize, items: &[Item], then: &[Item], label: &str) -> Aim {
    let changed: Vec<usize> = (0..items.len()).filter(|at| items.get(*at) != then.get(*at)).collect();
    let there = |at: usize| items.get(at).is_some_and(|item| item.there);
    let click = match changed[..] {
        [] => None,
        [only] => Some(only),
        [first, .., last] if last - first + 1 == changed.len() && (first == 0 || !there(first - 1)) => Some(last),
        [first, .., last] if last - first + 1 == changed.len() && !there(last + 1) => Some(first),
        _ => meant(label, &changed),
    };
    let clicks = click.map(|at| Target::item(panel, at)).into_iter().collect();
    Aim { touches: changed.iter().map(|at| Target::item(panel, *at)).collect(), clicks, square: None }
}

/// A stretch that gets shorter: the innermost item that goes.
fn of_ends(panel: usize, (from, to): (usize, usize), (then_from, then_to): (usize, usize)) -> Aim {
    let gone = (from..to).filter(|at| !(then_from..then_to).contains(at));
    let touches = gone.map(|at| Target::item(panel, at)).collect();
    let click = match (then_from > from, then_to < to) {
        (true, false) => then_from.checked_sub(1),
        (false, true) => Some(then_to),
        _ => None,
    };
    Aim { touches, clicks: click.map(|at| Target::item(panel, at)).into_iter().collect(), square: None }
}

/// Pits: the one that is emptied, and that the move names.
fn of_pits(panel: usize, items: &[Item], then: &[Item], label: &str) -> Aim {
    let holds = |items: &[Item], at: usize| items.get(at).and_then(|item| item.text.parse::<i64>().ok()).unwrap_or(0);
    let changed: Vec<usize> = (0..items.len()).filter(|at| holds(items, *at) != holds(then, *at)).collect();
    let less: Vec<usize> = changed.iter().copied().filter(|at| holds(then, *at) < holds(items, *at)).collect();
    let clicks = meant(label, &less).map(|at| Target::item(panel, at)).into_iter().collect();
    Aim { touches: changed.into_iter().map(|at| Target::item(panel, at)).collect(), clicks, square: None }
}

/// The one of these that a move names, or the only one.
fn meant(label: &str, changed: &[usize]) -> Option<usize> {
    let mut named = squares::arguments(label).into_iter().filter_map(|number| usize::try_from(number).ok());
    named.find(|number| changed.contains(number)).or(match changed {
        [only] => Some(*only),
        _ => None,
    })
}

impl squares::Squares {
    /// From where to where something goes: two cells change, and one of them is empty then.
    fn path(&self, touches: &[Target]) -> Vec<Target> {
        let empty = |grid: &Grid, at: usize| is_blank(&grid.texts[at]);
        match touches {
            [only] => vec![*only],
            [one, other] => {
                let full = |target: &Target| target.item.is_some_and(|at| !empty(&self.before, at));
                match (full(one), full(other)) {
                    (false, true) => vec![*other, *one],
                    _ => vec![*one, *other],
                }
            }
            _ => Vec::new(),
        }
    }
}
