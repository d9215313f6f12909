//! All kinds met so far, each once.

use std::sync::Arc;

use formula::formulas::{Action, Formulas};
use formula::rewrite::Rewrite;
use formula::{Arena, Node, Range};
use rustc_hash::FxHashMap;

use super::kind::{Kind, Rule, RuleCount};
use crate::local::Owner;

/// Formulas may grow to so many nodes while kinds are made.
const MOST_NODES: usize = 8_000_000;

/// The number of a kind. The root has number 0: all cells of the game.
pub(super) type KindId = u32;
/// The root.
pub(super) const ROOT: KindId = 0;

/// What a kind is known by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    domains: Vec<Range>,
    rules: Vec<Rule>,
}

/// A part of a kind: some of its cells, some of its rules, and cells that have become numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Piece {
    pub of: KindId,
    /// Ascending.
    pub cells: Vec<u32>,
    /// Ascending.
    pub rules: Vec<u32>,
    /// The rules among them that are never a fault from here on, where that matters; ascending.
    pub faultless: Vec<u32>,
    /// Ascending by cell.
    pub settled: Vec<(u32, i64)>,
}

/// All kinds.
#[derive(Clone, Debug)]
pub(super) struct Kinds {
    arena: Arena,
    lists: Arc<Vec<Vec<i64>>>,
    kinds: Vec<Arc<Kind>>,
    known: FxHashMap<Key, KindId>,
    pieces: FxHashMap<Piece, KindId>,
    /// The cell for each place in a kind and domain.
    slots: FxHashMap<(u32, Range), u32>,
    first_slot: u32,
}

impl Kinds {
    /// The root: all cells and all moves of a game. If it is impartial, moves are those of the first player.
    pub fn new(formulas: &Formulas, impartial: bool) -> Result<Kinds, String> {
        let mut arena = formulas.arena.clone();
        let domains = formulas.cells.clone();
        let cells: Vec<Node> = domains.iter().zip(0..).map(|(range, cell)| arena.cell(cell, *range)).collect();
        let mut movers: Vec<Vec<Rule>> = Vec::new();
        for mover in 0..if impartial { 1 } else { 2 } {
            let (node, number) = (arena.mover(2), arena.number(mover));
            let mut as_mover = Rewrite::new(&[(node, number)]);
            let mut rules = Vec::new();
            for action in &formulas.actions {
                let rule = rule(action)?;
                let rule = rule.rewritten(&mut |node| as_mover.node(&mut arena, &formulas.lists, node));
                if rule.never_happens(&arena) {
                    continue;
                }
                // A move that is never legal but may be a fault has nothing to change.
                if rule.after.is_empty() && arena.known(rule.guard) != Some(0) {
                    return Err("a move changes nothing".to_string());
                }
                rules.push(rule);
            }
            movers.push(rules);
        }
        let rules = owned(movers);
        let root = Kind::new(&arena, &formulas.lists, domains, cells, rules);
        Ok(Kinds {
            arena,
            lists: Arc::clone(&formulas.lists),
            kinds: vec![Arc::new(root)],
            known: FxHashMap::default(),
            pieces: FxHashMap::default(),
            slots: FxHashMap::default(),
            first_slot: formulas.cells.len() as u32,
        })
    }

    /// A kind.
    pub fn get(&self, kind: KindId) -> &Arc<Kind> {
        &self.kinds[kind as usize]
    }

    /// How many kinds there are, but for the root.
    pub fn len(&self) -> usize {
        self.kinds.len() - 1
    }

    /// The kind of a piece.
    pub fn kind(&mut self, piece: Piece) -> Result<KindId, String> {
        if let Some(&known) = self.pieces.get(&piece) {
            return Ok(known);
        }
        if self.arena.len() > MOST_NODES {
            return Err("the board falls into parts of too many kinds".to_string());
        }
        let whole = Arc::clone(self.get(piece.of));
        let mut replaced = Vec::with_capacity(piece.cells.len() + piece.settled.len());
        let mut domains = Vec::with_capacity(piece.cells.len());
        let mut cells = Vec::with_capacity(piece.cells.len());
        for (&cell, place) in piece.cells.iter().zip(0..) {
            let domain = whole.domains[cell as usize];
            let next = self.first_slot + self.slots.len() as u32;
            let slot = *self.slots.entry((place, domain)).or_insert(next);
            let node = self.arena.cell(slot, domain);
            replaced.push((whole.cells[cell as usize], node));
            domains.push(domain);
            cells.push(node);
        }
        for &(cell, value) in &piece.settled {
            replaced.push((whole.cells[cell as usize], self.arena.number(value)));
        }
        // Constants stay what they are.
        replaced.retain(|(node, _)| self.arena.known(*node).is_none());
        let mut by = Rewrite::new(&replaced);
        let mut rules = Vec::with_capacity(piece.rules.len());
        for rule in &piece.rules {
            let faultless = piece.faultless.binary_search(rule).is_ok();
            let rule = &whole.rules[*rule as usize];
            let rule = &if faultless { rule.faultless(&mut self.arena) } else { rule.clone() };
            let mut made = rule.rewritten(&mut |node| by.node(&mut self.arena, &self.lists, node));
            for after in &mut made.after {
                let place =
                    piece.cells.binary_search(&after.0).map_err(|_| "a move writes another part".to_string())?;
                after.0 = place as u32;
            }
            if !made.never_happens(&self.arena) {
                rules.push(made);
            }
        }
        rules.sort_unstable();
        rules.dedup();
        let key = Key { domains, rules };
        let id = match self.known.get(&key) {
            Some(&known) => known,
            None => {
                let kind = Kind::new(&self.arena, &self.lists, key.domains.clone(), cells, key.rules.clone());
                self.kinds.push(Arc::new(kind));
                let id = self.kinds.len() as KindId - 1;
                self.known.insert(key, id);
                id
            }
        };
        self.pieces.insert(piece, id);
        Ok(id)
    }
}

fn rule(action: &Action) -> Result<Rule, String> {
    if action.split.is_some() {
        return Err("a move splits its part".to_string());
    }
    if !action.gains.is_empty() {
        return Err("a move gains".to_string());
    }
    let counts = action.counts.iter().map(|count| RuleCount {
        choice: count.choice,
        low: count.low,
        high: count.high,
        fault: count.fault,
    });
    Ok(Rule {
        owner: Owner::Both,
        counts: counts.collect(),
        guard: action.guard,
        fault: action.fault,
        after: action.after.clone(),
    })
}

/// The rules of each player with their owners; those that both have are there once.
fn owned(movers: Vec<Vec<Rule>>) -> Vec<Rule> {
    let mut movers = movers.into_iter();
    let mut first = movers.next().unwrap_or_default();
    let Some(mut second) = movers.next() else { return first };
    for rules in [&mut first, &mut second] {
        rules.sort_unstable();
        rules.dedup();
    }
    let shared: Vec<Rule> = first.iter().filter(|rule| second.binary_search(rule).is_ok()).cloned().collect();
    let own = |rules: Vec<Rule>, owner: Owner| {
        let own: Vec<Rule> = rules.into_iter().filter(|rule| shared.binary_search(rule).is_err()).collect();
        own.into_iter().map(move |rule| Rule { owner, ..rule })
    };
    let mut all: Vec<Rule> = own(first, Owner::Left).chain(own(second, Owner::Right)).collect();
    all.extend(shared.iter().cloned());
    all
}
