//! A study of formulas: everything that planners need to know about a game before they choose how to solve it.
//!
//! ```text
//! formulas ─▶ bounds that every position keeps ─▶ narrower domains, faults that cannot happen
//!          ─▶ cells that others determine, whose turn it is ─▶ fewer digits
//!          ─▶ the order of a loop nest, numbers that every move lowers
//! ```
//!
//! Only proved facts are used, and every fact carries its reason in words.

use crate::extremes;
use crate::formulas::{Action, EndResult, Formulas};
use crate::invariant::{bounds, equations, turn};
use crate::node::{Node, Op, Range};
use crate::numbering::{Coded, Numbering, TurnPlace};
use crate::order::conditions::{never, take_apart, taken_in};
use crate::order::effects::{Effects, count_conditions};
use crate::order::{self, Order, Potential};
use crate::rebuild::rebuild;
use crate::rewrite::Rewrite;
use crate::skew::{Skew, skewed};

/// How many passes look for bounds, each with the help of those found before.
const PASSES: usize = 3;
/// How many actions are examined to see whether there is always a move.
const GUARDS: usize = 256;

/// The findings. Nodes belong to the formulas' arena.
#[derive(Clone, Debug)]
pub struct Study {
    /// The formulas with narrower domains, and with conditions that hold at every reachable position.
    pub formulas: Formulas,
    /// Cells that others determine, with their formulas. Cells of one value are not here, see [`Formulas::cells`].
    pub derived: Vec<(u32, Node)>,
    /// Whose turn it is, if the cells determine it and rules read it.
    pub mover: Option<Node>,
    /// A loop nest over the remaining cells, or why there is none.
    pub order: Result<Order, String>,
    /// The study of the game with one cell replaced by a sum of two, if only that cell is then strict.
    pub skewed: Option<Box<Study>>,
    /// In a skewed study: what the replaced cell holds.
    pub skew: Option<Skew>,
    /// A number that every move lowers: no position comes back, even without a loop nest.
    pub potential: Option<Potential>,
    /// No play has more moves than this, if a bound is known. It may be known without an order.
    pub longest: Option<u64>,
    /// No score is larger than this in absolute value, if a bound is known.
    pub score_bound: Option<i64>,
    /// The findings in words; see [`order::with_names`].
    pub facts: Vec<String>,
    /// Whether the file declares a measure, every move lowers it, and it never goes wrong.
    pub measure_falls: bool,
    /// Whether the study came to its end. If it was stopped (see [`rules::stop`]), nothing that it says is to be used.
    pub is_whole: bool,
    pub(crate) with_turn: bool,
}

/// Studies a game from its start. `with_turn` says whether positions record whose turn it is.
pub fn study(formulas: Formulas, start: &[i64], start_turn: u8, with_turn: bool) -> Study {
    study_from(formulas, &[start], Some(start_turn), with_turn)
}

/// Studies a part of a sum; several parts may be there at the start.
pub fn study_parts(formulas: Formulas, starts: &[&[i64]], with_turn: bool) -> Study {
    study_from(formulas, starts, None, with_turn)
}

/// Studies a game from its starts. `start_turn` is whose turn it is at the only start; for parts of a sum it is
/// unknown.
fn study_from(mut formulas: Formulas, starts: &[&[i64]], start_turn: Option<u8>, with_turn: bool) -> Study {
    let groups = groups(&formulas);
    let mut facts = Vec::new();
    let mut effects = narrowed(&mut formulas, &groups, starts, &mut facts);
    if effects.is_stopped(&formulas) {
        return abandoned(formulas, with_turn);
    }
    let mut mover = None;
    if with_turn
        && let ([start], Some(start_turn)) = (starts, start_turn)
        && let Some((node, why)) = turn::mover(&mut formulas, &mut effects, &groups, start, start_turn)
    {
        mover = Some(node);
        facts.push(why);
    }
    if start_turn.is_some() && never_stuck(&mut formulas, &mut effects) {
        facts.push("while no rule ends the game there is a move".to_owned());
    }
    let mut potentials = order::potentials(&mut formulas, &mut effects, &groups);
    // Where the measure may go wrong, somebody has to say so.
    let is_total = formulas.measure.is_some_and(|(_, fault)| formulas.arena.known(fault) == Some(0));
    let measure_falls = is_total && potentials.iter().any(|potential| potential.is_declared);
    let determined = match starts {
        [start] => equations::determined(&mut formulas, &mut effects, start),
        _ => Vec::new(),
    };
    if effects.is_stopped(&formulas) {
        return abandoned(formulas, with_turn);
    }
    let equations = determined.iter().map(|(cell, node, _)| (effects.cells[*cell as usize], *node));
    let equations: Vec<Node> = equations.map(|(cell, node)| formulas.arena.eq(cell, node)).collect();
    let (mut found, determined) = ordered(&formulas, &effects, determined);
    if !equations.is_empty() {
        effects.learn(&mut formulas, equations.iter().map(|node| (*node, true)).collect());
        without_faults(&mut formulas, &mut effects);
        if determined.is_empty() {
            formulas.valid.extend(equations);
        }
    }
    facts.extend(determined.iter().map(|(_, _, why)| why.clone()));
    let derived: Vec<(u32, Node)> = determined.iter().map(|(cell, node, _)| (*cell, *node)).collect();
    let kept = potentials.iter_mut().map(|potential| &mut potential.node).chain(&mut mover);
    without_derived(&mut formulas, &effects, &derived, kept);
    let potential = potentials.into_iter().min_by_key(Potential::longest);
    let longest = longest_play(&mut formulas, &mut effects, &mut found, potential.as_ref(), &mut facts);
    let score_bound = extremes::score_bound(&mut formulas, &mut effects, longest);
    let order = found;
    let (skewed, skew, is_whole) = (None, None, true);
    let mut study = Study {
        formulas,
        derived,
        mover,
        order,
        skewed,
        skew,
        potential,
        longest,
        score_bound,
        facts,
        measure_falls,
        is_whole,
        with_turn,
    };
    study.skewed = study.skew(&effects).map(Box::new);
    study.is_whole = !effects.is_stopped(&study.formulas);
    study
}

/// What is left of a study that was stopped: nothing.
fn abandoned(formulas: Formulas, with_turn: bool) -> Study {
    Study {
        formulas,
        derived: Vec::new(),
        mover: None,
        order: Err("the study of the rules was stopped".to_owned()),
        skewed: None,
        skew: None,
        potential: None,
        longest: None,
        score_bound: None,
        facts: Vec::new(),
        measure_falls: false,
        is_whole: false,
        with_turn,
    }
}

/// Cells that others determine, each with its formula and reason.
type Determined = Vec<(u32, Node, String)>;

/// A loop nest over the cells that nothing determines. A loop nest is worth an extra digit: if there is one only with
/// all cells, no cell is treated as determined.
fn ordered(formulas: &Formulas, effects: &Effects, determined: Determined) -> (Result<Order, String>, Determined) {
    let all = order::open_cells(formulas);
    let mut cells = all.clone();
    cells.retain(|cell| determined.iter().all(|(derived, ..)| derived != cell));
    let found = order::order_of(formulas, effects, &cells);
    if found.is_err()
        && cells.len() < all.len()
        && let Ok(order) = order::order_of(formulas, effects, &all)
    {
        return (Ok(order), Vec::new());
    }
    (found, determined)
}

/// Has the conditions of positions and the nodes that are kept read no cell that others determine.
fn without_derived<'n>(
    formulas: &mut Formulas,
    effects: &Effects,
    derived: &[(u32, Node)],
    kept: impl Iterator<Item = &'n mut Node>,
) {
    within_domains(formulas, derived);
    let replace: Vec<(Node, Node)> =
        derived.iter().map(|(cell, node)| (effects.cells[*cell as usize], *node)).collect();
    let mut rewrite = Rewrite::new(&replace);
    let Formulas { arena, lists, valid, .. } = formulas;
    valid.retain(|node| {
        let node = rewrite.node(arena, lists, *node);
        arena.known(node) != Some(1)
    });
    kept.for_each(|node| *node = rewrite.node(arena, lists, *node));
}

/// The length of the longest play, where an order or a potential bounds it; the order keeps it, too.
fn longest_play(
    formulas: &mut Formulas,
    effects: &mut Effects,
    found: &mut Result<Order, String>,
    potential: Option<&Potential>,
    facts: &mut Vec<String>,
) -> Option<u64> {
    let mut longest = potential.map(Potential::longest);
    match (&mut *found, potential) {
        (Ok(order), _) => {
            longest = waved(formulas, effects, order, longest, facts);
            facts.push(order.why.clone());
        }
        (Err(_), Some(potential)) => {
            facts.push(format!("every move lowers {}, so no position comes back", potential.why));
        }
        _ => {}
    }
    // A split makes parts that are all played, so a part's play can be longer than its depth.
    if formulas.actions.iter().any(|action| action.split.is_some()) {
        longest = None;
    }
    if let Ok(order) = found {
        order.longest = longest;
    }
    longest
}

/// Looks for a wave; returns the length of the longest play.
fn waved(
    formulas: &mut Formulas,
    effects: &mut Effects,
    order: &mut Order,
    longest: Option<u64>,
    facts: &mut Vec<String>,
) -> Option<u64> {
    if formulas.actions.is_empty() {
        return Some(0);
    }
    let wave = order::wave(formulas, effects, order);
    if let Some(wave) = &wave
        && order.strict > 1
    {
        facts.push(format!("every move lowers {}: a wave", wave.why));
    }
    order.wave = wave.as_ref().map(|wave| wave.node);
    let strict = order.loops[..order.strict].iter();
    let sizes = strict.map(|each| order::width(formulas.cells[each.cell as usize]));
    let product = sizes.reduce(u128::saturating_mul).and_then(|product| u64::try_from(product - 1).ok());
    longest.into_iter().chain(wave.map(|wave| wave.longest())).chain(product).min()
}

/// Adds the conditions that determined cells stay in their domains. Codes where they do not are no positions.
fn within_domains(formulas: &mut Formulas, derived: &[(u32, Node)]) {
    for &(cell, node) in derived {
        let Range { low, high } = formulas.cells[cell as usize];
        let arena = &mut formulas.arena;
        let (low, high) = (arena.number(low), arena.number(high));
        let conditions = [arena.le(low, node), arena.le(node, high)];
        formulas.valid.extend(conditions.into_iter().filter(|node| arena.known(*node).is_none()));
    }
}

/// Runs of cells with equal domains (mostly the items of an array), then all cells together.
fn groups(formulas: &Formulas) -> Vec<Vec<u32>> {
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for cell in order::open_cells(formulas) {
        match groups.last_mut() {
            Some(group) if formulas.cells[group[0] as usize] == formulas.cells[cell as usize] => group.push(cell),
            _ => groups.push(vec![cell]),
        }
    }
    if groups.len() > 1 {
        groups.push(groups.iter().flatten().copied().collect());
    }
    groups
}

/// Narrows the domains and adds valid conditions until nothing more is found.
fn narrowed(formulas: &mut Formulas, groups: &[Vec<u32>], starts: &[&[i64]], facts: &mut Vec<String>) -> Effects {
    let before = formulas.cells.clone();
    let mut effects = Effects::new(formulas);
    let mut conditions: Vec<(Node, String)> = Vec::new();
    for pass in 0..PASSES {
        if effects.is_stopped(formulas) {
            break;
        }
        let domains = bounds::cell_bounds(formulas, &mut effects, starts);
        let choices = bounds::choice_bounds(formulas, &effects);
        let mut further = bounds::differences(formulas, &mut effects, starts);
        if pass == 0 {
            further.extend(bounds::sums(formulas, &mut effects, groups, starts));
        }
        let narrower = |(choice, range): (&u32, &Range)| {
            formulas.arena.find(&Op::Choice(*choice)).is_some_and(|node| !range.covers(formulas.arena.range(node)))
        };
        if domains == formulas.cells && further.is_empty() && !choices.iter().any(narrower) {
            break;
        }
        formulas.valid.extend(further.iter().map(|(node, _)| *node));
        conditions.extend(further);
        let ranges = domains.clone();
        let mut kept: Vec<&mut Node> = conditions.iter_mut().map(|(node, _)| node).collect();
        rebuild(formulas, domains, &mut kept, &mut |arena, leaf, range| match leaf {
            Op::Cell(cell) => arena.cell(*cell, ranges[*cell as usize]),
            Op::Choice(choice) => {
                let range = choices.get(choice).and_then(|found| found.meet(range)).unwrap_or(range);
                arena.choice(*choice, range)
            }
            _ => arena.number(0),
        });
        formulas.valid.retain(|node| formulas.arena.known(*node) != Some(1));
        formulas.valid.dedup();
        effects = Effects::new(formulas);
    }
    without_faults(formulas, &mut effects);
    let constant = |(old, new): &(&Range, &Range)| old.single().is_none() && new.single().is_some();
    let cells: Vec<u32> = (0..)
        .zip(before.iter().zip(&formulas.cells))
        .filter(|(_, pair)| constant(pair))
        .map(|(cell, _)| cell)
        .collect();
    if !cells.is_empty() {
        facts.push(format!("no move changes {}", order::listed(&cells)));
    }
    for (cell, (old, new)) in (0u32..).zip(before.iter().zip(&formulas.cells)) {
        if old != new && new.single().is_none() && facts.len() < 8 {
            facts.push(format!("{{{cell}}} stays in {}..={}", new.low, new.high));
        }
    }
    for (node, why) in &conditions {
        if formulas.valid.contains(node) && facts.len() < 12 {
            facts.push(format!("{why} at every position"));
        }
    }
    effects
}

/// Removes faults that cannot happen where the valid conditions hold and no end rule does.
fn without_faults(formulas: &mut Formulas, effects: &mut Effects) {
    let Formulas { arena, lists, actions, .. } = formulas;
    let no = arena.number(0);
    for action in actions {
        // A fault that is left in does no harm.
        if rules::stop::look().is_err() {
            return;
        }
        if action.counts.iter().all(|count| count.fault == no) && action.fault == no {
            continue;
        }
        for count in &mut action.counts {
            if effects.weights.light(arena, count.fault)
                && never(arena, lists, &effects.shared, &effects.known, count.fault)
            {
                count.fault = no;
            }
        }
        if action.fault != no && effects.weights.light(arena, action.fault) {
            let mut known = effects.known.clone();
            known.extend(count_conditions(arena, action));
            let facts = taken_in(arena, lists, effects.shared.clone(), &known);
            if never(arena, lists, &facts, &known, action.fault) {
                action.fault = no;
            }
        }
    }
}

/// Whether there is always a move where no end rule holds. Then the result of a position without moves does not matter.
/// It becomes a loss, so that nobody provides for a draw that never comes.
fn never_stuck(formulas: &mut Formulas, effects: &mut Effects) -> bool {
    let EndResult::Outcome(outcome) = formulas.stuck.result else { return false };
    if formulas.arena.known(outcome) == Some(-1) || formulas.actions.len() > GUARDS {
        return false;
    }
    let Formulas { arena, lists, actions, .. } = formulas;
    let mut known = Vec::new();
    for action in actions.iter().filter(|action| action.counts.is_empty()) {
        take_apart(arena, &mut effects.weights, (action.guard, false), known.len() + GUARDS, &mut known);
    }
    known.extend(&effects.known);
    if !taken_in(arena, lists, effects.shared.clone(), &known).is_impossible() {
        return false;
    }
    formulas.stuck.result = EndResult::Outcome(formulas.arena.number(-1));
    true
}

impl Study {
    /// The study of the skewed game.
    fn skew(&mut self, effects: &Effects) -> Option<Study> {
        let order = self.order.as_ref().ok()?;
        let (mut derived, mut mover, mut potential) = (self.derived.clone(), self.mover, self.potential.clone());
        let mut carried: Vec<&mut Node> = derived.iter_mut().map(|(_, node)| node).collect();
        carried.extend(&mut mover);
        carried.extend(potential.as_mut().map(|potential| &mut potential.node));
        let (formulas, order, skew) = skewed(&mut self.formulas, effects, order, &mut carried)?;
        Some(Study {
            facts: vec![order.why.clone()],
            formulas,
            derived,
            mover,
            order: Ok(order),
            skewed: None,
            skew: Some(skew),
            potential,
            longest: self.longest,
            score_bound: self.score_bound,
            measure_falls: self.measure_falls,
            is_whole: self.is_whole,
            with_turn: self.with_turn,
        })
    }

    /// The cells that have a digit, from the most significant on: in the order of the loops, or of the layout.
    pub fn digits(&self) -> Vec<u32> {
        match &self.order {
            Ok(order) => order.cells(),
            Err(_) => {
                let mut cells = order::open_cells(&self.formulas);
                cells.retain(|cell| self.derived.iter().all(|(derived, _)| derived != cell));
                cells
            }
        }
    }

    /// The digits in the order of a search that takes the last move first. The search plays the last rules as long as
    /// it can and then the first, so the cells of the first rules run through their values while the others stand
    /// still. They come last, so that neighbouring codes are met together.
    fn searched_digits(&self) -> Vec<u32> {
        let mut cells = self.digits();
        let changes = |action: &Action, cell: u32| action.after.iter().any(|(changed, _)| *changed == cell);
        let last = |cell: u32| self.formulas.actions.iter().rposition(|action| changes(action, cell));
        cells.sort_by_key(|&cell| std::cmp::Reverse(last(cell)));
        cells
    }

    /// Formulas with codes, dense or of bit fields. `turn` places the turn, unless it is not recorded or the cells
    /// determine it. `None` if a code does not fit, or a copy of the formulas in memory.
    pub fn coded(&self, dense: bool, turn: TurnPlace) -> Option<Coded> {
        let numbering = self.numbering(dense, turn).filter(|_| self.formulas.arena.can_be_copied())?;
        let coded = Coded::new(self.formulas.clone(), numbering, self.derived.clone(), self.mover);
        Some(Coded { skew: self.skew, ..coded })
    }

    /// How positions are numbered. `None` if a code does not fit.
    pub fn numbering(&self, dense: bool, turn: TurnPlace) -> Option<Numbering> {
        let turn = if self.with_turn && self.mover.is_none() { turn } else { TurnPlace::Nowhere };
        match dense {
            true => Numbering::dense(&self.formulas, &self.digits(), turn),
            false => Numbering::fields(&self.formulas, &self.searched_digits(), turn),
        }
    }
}
