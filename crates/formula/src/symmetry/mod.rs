//! Symmetry, proved: whether a permutation of the cells, or another [`Image`], maps the game to itself.
//!
//! A position and its image have equal values if both end alike and every option of one is the image of an option of
//! the other, with equal gains and turn. That is a statement about all positions, and it is proved for all at once: the
//! formulas are written for the image, and must equal the original ones up to the order of actions and of operands. A
//! declared symmetry is used only if this succeeds; a symmetry that is true but cannot be seen this way is not used.
//! Comparing positions instead would have to look at every position and every element of the group.
//!
//! - `image`: maps of positions. `tables`: parts of formulas as tables, for maps that change values or players.
//! - [`search`]: which maps are worth a proof, where nothing is declared.

mod image;
pub mod search;
mod tables;

pub use image::Image;

use rules::stop::Held;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::formulas::{Action, Case, EndResult, Formulas};
use crate::node::{Arena, Node, Op};
use tables::Tables;

/// So many nodes are looked at between two looks at the stop button.
const LOOK_EVERY: u64 = 1 << 10;
/// What a form takes at the most while the table of all of them grows, beside its parts, and what each part takes. A node that
/// was read has a place in a table, too.
const FORM_BYTES: u64 = 240;
const PART_BYTES: u64 = 8;
const KNOWN_BYTES: u64 = 24;
/// So many values of a table cost about what a look at a node costs.
const VALUES_A_STEP: u64 = 16;

/// A normal form: equal numbers mean equal functions.
type Form = u32;

/// The parts of a form. Operands of commutative operations are sorted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Shape {
    tag: u8,
    numbers: Vec<i64>,
    operands: Vec<Form>,
}

/// All ends and all actions of a game in their normal forms.
#[derive(PartialEq, Eq)]
struct Whole {
    ends: Vec<(Form, Vec<Form>, Vec<Form>)>,
    actions: Vec<Vec<Form>>,
}

impl Whole {
    fn new(forms: &mut Forms<'_>, reading: &mut Reading<'_>) -> Whole {
        Whole { ends: ends(forms, reading), actions: actions(forms, reading) }
    }
}

/// The formulas of a game in their normal forms, to which those of images are compared.
pub struct Game<'f> {
    forms: Forms<'f>,
    plain: Whole,
    /// With small functions as tables.
    tabled: Option<Whole>,
}

impl<'f> Game<'f> {
    /// The game of these formulas. Proofs may look at so many nodes, all together: after that, nothing more is proved.
    pub fn new(formulas: &'f Formulas, most: u64) -> Game<'f> {
        let identity = identity(formulas);
        let mut forms = Forms::new(formulas, most);
        let plain = Whole::new(&mut forms, &mut Reading::new(&identity, false));
        Game { forms, plain, tabled: None }
    }

    /// Whether the image under `new[i] = old[image[i]]` always has the value of the position. `image` has one entry for
    /// each cell.
    pub fn holds(&mut self, image: &[u32]) -> bool {
        let image = Image::of_cells(image.to_vec());
        if !image.suits(self.forms.formulas) {
            return false;
        }
        let there = Whole::new(&mut self.forms, &mut Reading::new(&image, false));
        self.plain == there && !self.forms.stopped
    }

    /// Whether an image always has the value of the position, seen by who is to move; play without end aside.
    pub fn holds_of(&mut self, image: &Image) -> bool {
        if !image.suits(self.forms.formulas) {
            return false;
        }
        let tabled = match self.tabled.take() {
            Some(tabled) => tabled,
            None => {
                let identity = identity(self.forms.formulas);
                Whole::new(&mut self.forms, &mut Reading::new(&identity, true))
            }
        };
        let known: FxHashSet<&[Form]> = tabled.actions.iter().map(Vec::as_slice).collect();
        let mut reading = Reading::new(image, true);
        let mut same = tabled.ends == ends(&mut self.forms, &mut reading);
        let mut all = Vec::with_capacity(tabled.actions.len());
        for action in &self.forms.formulas.actions {
            // Most guesses end at the first action.
            if !same {
                break;
            }
            let form = action_forms(&mut self.forms, &mut reading, action);
            same = known.contains(form.as_slice());
            all.push(form);
        }
        all.sort_unstable();
        same = same && all == tabled.actions;
        self.tabled = Some(tabled);
        same && !self.forms.stopped
    }

    /// Whether an image preserves each of these nodes, these conditions as a whole, and the player to move where a formula gives
    /// that player.
    pub fn keeps(&mut self, mover: Option<Node>, each: &[Node], conditions: &[Node], image: &Image) -> bool {
        let identity = identity(self.forms.formulas);
        let (mut here, mut there) = (Reading::new(&identity, true), Reading::new(image, true));
        let forms = &mut self.forms;
        let told = mover.is_none_or(|node| forms.of(node, &mut here) == forms.player(node, &mut there));
        let fixed = each.iter().all(|node| forms.of(*node, &mut here) == forms.of(*node, &mut there));
        let same = told && fixed && all_of(forms, conditions, &mut here) == all_of(forms, conditions, &mut there);
        same && !forms.stopped
    }
}

fn identity(formulas: &Formulas) -> Image {
    Image::of_cells((0..formulas.cells.len() as u32).collect())
}

/// Conditions in their normal forms, in an order of their own.
fn all_of(forms: &mut Forms<'_>, conditions: &[Node], reading: &mut Reading<'_>) -> Vec<Form> {
    let mut all: Vec<Form> = conditions.iter().map(|node| forms.of(*node, reading)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Whether the image preserves each of these nodes, and preserves these conditions as a whole.
pub fn keeps(formulas: &Formulas, each: &[Node], conditions: &[Node], image: &[u32]) -> bool {
    let (identity, image) = (identity(formulas), Image::of_cells(image.to_vec()));
    let mut forms = Forms::new(formulas, u64::MAX);
    let (mut here, mut there) = (Reading::new(&identity, false), Reading::new(&image, false));
    let fixed = each.iter().all(|node| forms.of(*node, &mut here) == forms.of(*node, &mut there));
    let same = fixed && all_of(&mut forms, conditions, &mut here) == all_of(&mut forms, conditions, &mut there);
    same && !forms.stopped
}

/// How cells are read: each as its image.
struct Reading<'i> {
    image: &'i Image,
    /// Whether small functions are tables.
    tabled: bool,
    known: FxHashMap<Node, Form>,
    /// Choices of the current action in order, so that actions that number their choices differently compare equal.
    choices: Vec<u32>,
}

impl<'i> Reading<'i> {
    fn new(image: &'i Image, tabled: bool) -> Reading<'i> {
        Reading { image, tabled, known: FxHashMap::default(), choices: Vec::new() }
    }
}

struct Forms<'f> {
    formulas: &'f Formulas,
    shapes: FxHashMap<Shape, Form>,
    /// The alternatives of each or.
    ors: FxHashMap<Form, Vec<Form>>,
    /// Whether somebody stopped the proof, it took too long or did not fit in memory: then nothing is proved.
    stopped: bool,
    held: Held,
    steps: u64,
    /// How many steps there may be.
    most: u64,
    tables: Tables<'f>,
}

/// Runs of `end` rules with one result: where any holds, the result, where one is a fault.
fn ends(forms: &mut Forms<'_>, reading: &mut Reading<'_>) -> Vec<(Form, Vec<Form>, Vec<Form>)> {
    let mut stretches: Vec<(Vec<Form>, Vec<Form>, Vec<Form>)> = Vec::new();
    let formulas = forms.formulas;
    for case in formulas.ends.iter().chain([&formulas.stuck]) {
        let Case { when, result, fault } = case;
        let result = match result {
            EndResult::Outcome(outcome) => vec![forms.of(*outcome, reading)],
            EndResult::Gains(gains) => forms.of_players(gains, reading),
        };
        let (when, fault) = (forms.of(*when, reading), forms.of(*fault, reading));
        match stretches.last_mut() {
            Some((all, known, faults)) if *known == result => {
                all.push(when);
                faults.push(fault);
            }
            _ => stretches.push((vec![when], result, vec![fault])),
        }
    }
    let close = |(mut all, result, mut faults): (Vec<Form>, Vec<Form>, Vec<Form>)| {
        faults.sort_unstable();
        faults.dedup();
        all = all.iter().flat_map(|form| forms.either(*form)).collect();
        all.sort_unstable();
        all.dedup();
        (forms.intern(Shape { tag: OR, numbers: Vec::new(), operands: all }), result, faults)
    };
    stretches.into_iter().map(close).collect()
}

/// All actions as forms, sorted.
fn actions(forms: &mut Forms<'_>, reading: &mut Reading<'_>) -> Vec<Vec<Form>> {
    let formulas = forms.formulas;
    let mut all: Vec<Vec<Form>> = formulas.actions.iter().map(|action| action_forms(forms, reading, action)).collect();
    all.sort_unstable();
    all
}

fn action_forms(forms: &mut Forms<'_>, reading: &mut Reading<'_>, action: &Action) -> Vec<Form> {
    reading.choices = action.counts.iter().map(|count| count.choice).collect();
    if !reading.choices.is_empty() {
        reading.known.clear();
    }
    let mut key = vec![action.counts.len() as Form, action.gains.len() as Form, action.after.len() as Form];
    for count in &action.counts {
        key.extend([count.low, count.high, count.fault].map(|node| forms.of(node, reading)));
    }
    key.extend([action.guard, action.fault].map(|node| forms.of(node, reading)));
    key.push(forms.player(action.turn, reading));
    key.extend(forms.of_players(&action.gains, reading));
    let value =
        |(cell, node): &(u32, Node)| (reading.image.from[*cell as usize], forms.put_into(*cell, *node, reading));
    let mut after: Vec<(u32, Form)> = action.after.iter().map(value).collect();
    after.sort_unstable();
    key.extend(after.into_iter().flat_map(|(cell, form)| [cell, form]));
    // Parts of a sum are not permuted: a split never compares equal under anything but the identity.
    if let Some(split) = &action.split {
        key.push(split.len() as Form);
        key.extend(split.iter().flatten().map(|node| forms.of(*node, reading)));
    }
    key
}

const AND: u8 = 1;
const OR: u8 = 2;
/// A table of values, and values under other names.
const TABLE: u8 = 27;
const RENAMED: u8 = 28;
/// Choices between values nest no deeper where the values are renamed one by one.
const DEEP: usize = 64;

impl<'f> Forms<'f> {
    fn new(formulas: &'f Formulas, most: u64) -> Forms<'f> {
        let (shapes, ors) = (FxHashMap::default(), FxHashMap::default());
        Forms {
            formulas,
            shapes,
            ors,
            stopped: false,
            held: Held::default(),
            steps: 0,
            most,
            tables: Tables::new(formulas),
        }
    }

    fn intern(&mut self, shape: Shape) -> Form {
        if let Some(known) = self.shapes.get(&shape) {
            return *known;
        }
        let parts = (shape.numbers.len() + shape.operands.len()) as u64;
        self.hold(FORM_BYTES + PART_BYTES * parts);
        let next = self.shapes.len() as Form;
        if shape.tag == OR {
            self.hold(FORM_BYTES + PART_BYTES * parts);
            self.ors.insert(next, shape.operands.clone());
        }
        self.shapes.insert(shape, next);
        next
    }

    /// Charges bytes. A proof that does not fit is done without: the game is solved in another way.
    fn hold(&mut self, bytes: u64) {
        self.stopped |= self.held.try_grow(bytes).is_err();
    }

    /// The alternatives of an or; the form itself if it is no or.
    fn either(&self, form: Form) -> Vec<Form> {
        self.ors.get(&form).cloned().unwrap_or_else(|| vec![form])
    }

    /// The form of a node under a reading.
    fn of(&mut self, node: Node, reading: &mut Reading<'_>) -> Form {
        let mut wanted = vec![node];
        while let Some(&next) = wanted.last() {
            self.steps += 1;
            self.stopped |= self.steps > self.most;
            self.stopped |= self.steps.is_multiple_of(LOOK_EVERY) && rules::stop::look().is_err();
            if self.stopped {
                return 0;
            }
            if reading.known.contains_key(&next) {
                wanted.pop();
                continue;
            }
            if let Some(form) = self.table(next, reading, &|value| value) {
                reading.known.insert(next, form);
                self.hold(KNOWN_BYTES);
                wanted.pop();
                continue;
            }
            let parts = parts(&self.formulas.arena, next);
            self.steps += parts.len() as u64;
            let before = wanted.len();
            wanted.extend(parts.iter().filter(|part| !reading.known.contains_key(part)));
            if wanted.len() == before {
                let form = self.shape(next, &parts, reading);
                reading.known.insert(next, form);
                self.hold(KNOWN_BYTES);
                wanted.pop();
            }
        }
        reading.known[&node]
    }

    /// A small function as the table of its values, with these under other names, where functions are read so.
    fn table(&mut self, node: Node, reading: &Reading<'_>, rename: &dyn Fn(i64) -> i64) -> Option<Form> {
        if !reading.tabled {
            return None;
        }
        let before = self.tables.worked;
        let numbers = self.tables.read(node, reading.image, rename);
        self.steps += (self.tables.worked - before) / VALUES_A_STEP;
        self.stopped |= self.tables.is_exhausted();
        numbers.map(|numbers| self.intern(Shape { tag: TABLE, numbers, operands: Vec::new() }))
    }

    /// The form of a player: seats may be exchanged.
    fn player(&mut self, node: Node, reading: &mut Reading<'_>) -> Form {
        match reading.image.exchanges {
            true => self.renamed(node, reading, &|player| 1 - player, &[0, 1, 1, 0], 0),
            false => self.of(node, reading),
        }
    }

    /// The forms of what each player gets: seats may be exchanged.
    fn of_players(&mut self, gains: &[Node], reading: &mut Reading<'_>) -> Vec<Form> {
        let mut forms: Vec<Form> = gains.iter().map(|gain| self.of(*gain, reading)).collect();
        if reading.image.exchanges {
            forms.reverse();
        }
        forms
    }

    /// The form of what a cell becomes, under the names that values have where the cell comes from.
    fn put_into(&mut self, cell: u32, node: Node, reading: &mut Reading<'_>) -> Form {
        let Some(map) = reading.image.values[cell as usize].clone() else { return self.of(node, reading) };
        let low = self.formulas.cells[cell as usize].low;
        let back = |value: i64| map.iter().position(|new| *new == value).map_or(value, |place| low + place as i64);
        let names: Vec<i64> = [low].into_iter().chain(map.iter().copied()).collect();
        self.renamed(node, reading, &back, &names, 0)
    }

    /// The form of a node whose values get other names; `names` tells this renaming from others.
    fn renamed(
        &mut self,
        node: Node,
        reading: &mut Reading<'_>,
        rename: &dyn Fn(i64) -> i64,
        names: &[i64],
        depth: usize,
    ) -> Form {
        if let Some(form) = self.table(node, reading, rename) {
            return form;
        }
        if let (&Op::Select(condition, yes, no), true) = (self.formulas.arena.op(node), depth < DEEP) {
            let condition = self.of(condition, reading);
            let branches = [yes, no].map(|branch| self.renamed(branch, reading, rename, names, depth + 1));
            let operands = vec![condition, branches[0], branches[1]];
            return self.intern(Shape { tag: tag(self.formulas.arena.op(node)), numbers: Vec::new(), operands });
        }
        let operands = vec![self.of(node, reading)];
        self.intern(Shape { tag: RENAMED, numbers: names.to_vec(), operands })
    }

    fn shape(&mut self, node: Node, parts: &[Node], reading: &Reading<'_>) -> Form {
        let op = self.formulas.arena.op(node);
        let mut numbers = Vec::new();
        let mut operands: Vec<Form> = parts.iter().map(|part| reading.known[part]).collect();
        match op {
            Op::Const(number) => numbers.push(*number),
            Op::Cell(cell) => {
                numbers.push(i64::from(reading.image.from[*cell as usize]));
                // A cell that is too large for a table is read as it stands.
                if let Some(map) = &reading.image.values[*cell as usize] {
                    numbers.extend(map.iter());
                }
            }
            Op::Mover => numbers.push(i64::from(reading.image.exchanges)),
            Op::Choice(choice) => {
                let place = reading.choices.iter().position(|known| known == choice);
                numbers.push(place.map_or(-1 - i64::from(*choice), |place| place as i64));
            }
            Op::Load(list, _) => numbers.push(i64::from(*list)),
            Op::Linear(terms, constant) => {
                let mut sorted: Vec<(Form, i64)> =
                    operands.iter().zip(terms).map(|(form, term)| (*form, term.1)).collect();
                sorted.sort_unstable();
                numbers.push(*constant);
                numbers.extend(sorted.iter().map(|term| term.1));
                operands = sorted.into_iter().map(|term| term.0).collect();
            }
            Op::And(..) | Op::Or(..) | Op::Min(..) | Op::Max(..) => {
                operands.sort_unstable();
                operands.dedup();
            }
            Op::Xor(..) | Op::Mul(..) | Op::Eq(..) | Op::AddOverflows(..) | Op::MulOverflows(..) => {
                operands.sort_unstable();
            }
            _ => {}
        }
        self.intern(Shape { tag: tag(op), numbers, operands })
    }
}

/// The operands of a node, with nested operations of one associative kind flattened. Where an operand counts once however often
/// it is there, it comes once: formulas share their parts, and the ways to one part may be very many.
fn parts(arena: &Arena, node: Node) -> Vec<Node> {
    let kind = tag(arena.op(node));
    let idempotent = matches!(arena.op(node), Op::And(..) | Op::Or(..) | Op::Min(..) | Op::Max(..));
    let flat = idempotent || matches!(arena.op(node), Op::Xor(..));
    let mut parts = Vec::new();
    let mut seen = FxHashSet::default();
    let mut todo = vec![node];
    while let Some(next) = todo.pop() {
        arena.operands(next, &mut |operand| match (flat && tag(arena.op(operand)) == kind, idempotent) {
            (_, true) if !seen.insert(operand) => {}
            (true, _) => todo.push(operand),
            (false, _) => parts.push(operand),
        });
    }
    parts
}

fn tag(op: &Op) -> u8 {
    match op {
        Op::And(..) => AND,
        Op::Or(..) => OR,
        Op::Const(_) => 3,
        Op::Cell(_) => 4,
        Op::Mover => 5,
        Op::Choice(_) => 6,
        Op::Linear(..) => 7,
        Op::Mul(..) => 8,
        Op::Div(..) => 9,
        Op::Rem(..) => 10,
        Op::Min(..) => 11,
        Op::Max(..) => 12,
        Op::Xor(..) => 13,
        Op::Shl(..) => 14,
        Op::Shr(..) => 15,
        Op::Popcount(_) => 16,
        Op::LowestBit(_) => 17,
        Op::HighestBit(_) => 18,
        Op::Eq(..) => 19,
        Op::Lt(..) => 20,
        Op::Not(_) => 21,
        Op::Select(..) => 22,
        Op::Load(..) => 23,
        Op::AddOverflows(..) => 24,
        Op::SubOverflows(..) => 25,
        Op::MulOverflows(..) => 26,
    }
}
