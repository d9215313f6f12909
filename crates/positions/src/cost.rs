//! What engines take on the positions of a game, predicted from what is known before they run: how many codes there are, what a sample of
//! play met, how long one position took, and how large the formulas are.
//!
//! The constants were fitted to measurements on one core of a common machine (see `benches/src/choice`).

use std::fmt;

use engine::sample::Sample;
use formula::group::Group;
use formula::weight::Weight;
use jit::{Outline, Strategy, Values, ways};

use crate::remembered::Sampled;

/// What a method values one by one, and counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Whole positions.
    #[default]
    Position,
    /// Parts of positions, each by itself.
    Part,
    /// Heaps of one sequence.
    Heap,
    /// Items of rows and stacks.
    Item,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Unit::Position => "position",
            Unit::Part => "part",
            Unit::Heap => "heap",
            Unit::Item => "item",
        })
    }
}

/// What a method is predicted to take; what is not known beforehand is not there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// How many positions are valued: those that are met, or all of a table that is filled.
    pub positions: Option<u64>,
    /// How often positions are looked at, where a search comes back to them.
    pub visits: Option<u64>,
    /// How many places the table has, where it is indexed by codes.
    pub codes: Option<u64>,
    /// Bytes in use at the most.
    pub bytes: Option<u64>,
    /// Seconds, with the making of code.
    pub seconds: Option<f64>,
}

impl Cost {
    /// How many positions are looked at in so many seconds, where both are known.
    pub fn met_in(&self, seconds: f64) -> Option<u64> {
        let (visits, own) = (self.visits.or(self.positions)?, self.seconds?);
        (visits > 0 && own > 0.0).then_some((visits as f64 * seconds / own) as u64)
    }

    /// Positions that are met one by one, each once.
    fn met(positions: f64, bytes: f64, seconds: f64) -> Cost {
        let (bytes, seconds) = (Some(bytes as u64), Some(seconds));
        Cost { positions: Some(positions as u64), bytes, seconds, ..Cost::default() }
    }

    /// Positions of a table that is indexed by codes.
    fn indexed(positions: f64, codes: u64, bytes: u64, seconds: f64) -> Cost {
        let (bytes, seconds) = (Some(bytes), Some(seconds));
        Cost { positions: Some(positions as u64), codes: Some(codes), bytes, seconds, ..Cost::default() }
    }
}

/// Seconds to make code for the options of a position, and more for every node of the formulas.
const MAKE: f64 = 1e-3;
const MAKE_NODE: f64 = 22e-6;
/// Seconds to make a loop nest, and more for every node. Where the last digits are unrolled, each is there many times, and much code
/// in one function takes more than its share; bytes for each of these, while the code is made.
const MAKE_NEST: f64 = 1.2e-3;
const MAKE_NEST_NODE: f64 = 30e-6;
const MAKE_BLOCK: f64 = 4e-3;
const MAKE_BLOCK_NODE: f64 = 2.5e-6;
const MAKE_BLOCK_SQUARE: f64 = 1.5e-9;
const BLOCK_BYTES: u64 = 1900;
/// More where Grundy numbers are worked out, for every pair of moves: what the least missing number is takes all of them.
const MAKE_NEST_PAIR: f64 = 12e-6;
const MAKE_NEST_PAIR_SQUARE: f64 = 7e-9;
const PAIR_BYTES: u64 = 8000;
const MAKE_BLOCK_PAIR: f64 = 90e-6;
/// Seconds for the options of a position in compiled code, for each of them, and for every node that is worked out for them. Where the
/// rules are compiled as they stand, for every step that the interpreter would take. No clock is asked: the same game has the same
/// plan on a busy machine (within a factor of 2 on 179 of 189 games that were timed).
const CODE: f64 = 5e-9;
const CODE_OPTION: f64 = 0.6e-9;
const CODE_NODE: f64 = 0.24e-9;
const CODE_STEP: f64 = 0.25e-9;
/// Code made of formulas takes so many times as long where it does not run over the same few positions again and again.
const COLD: f64 = 2.0;
/// Seconds for a step of the interpreter, and steps that numbering an option takes.
const STEP: f64 = 9e-9;
const NUMBERING: f64 = 8.0;
/// Seconds for an option of a sum.
const SUMMED: f64 = 150e-9;
/// Seconds for a node at a place: one place after the other, or side by side, for each byte of a value.
const SCALAR_NODE: f64 = 0.2e-9;
const LANES_NODE: f64 = 0.035e-9;
/// Grundy numbers take longer.
const NIMBER: f64 = 1.6;
/// Seconds for a byte of memory that is touched for the first time.
const FIRST_TOUCH: f64 = 0.1e-9;
/// Seconds for an option that is looked up: in a table of all codes, hashed, or numbered in a graph.
const INDEXED: f64 = 8e-9;
const HASHED: f64 = 22e-9;
const NUMBERED: f64 = 50e-9;
/// Seconds for an option whose symmetric images are compared, and for each of them.
const FOLDED: f64 = 20e-9;
const IMAGE: f64 = 10e-9;
/// Seconds for a position of a graph.
const KEPT: f64 = 100e-9;
/// Seconds for an option that is known from a look at the position, and bytes, for a position and for each option.
const REPLAYED: f64 = 12e-9;
const EXPLORED_BYTES: f64 = 36.0;
const OPTION_BYTES: f64 = 6.0;
/// How much quicker compiled rules are than interpreted ones, roughly.
const COMPILED: f64 = 20.0;
/// Seconds for an option whose totals are compared, and bytes of a position for totals that may come about.
const PAYOFFS: f64 = 0.4e-6;
const PAYOFF_BYTES: f64 = 400.0;
/// Bytes of a position in a hash table, and for a moment, while a part of the table grows, up to so many more.
const HASHED_BYTES: f64 = 18.0;
const GROWING_BYTES: f64 = 10.0;
const MOST_GROWING: f64 = 1.5e6;
/// Bytes of a position in a graph, beside its key.
const GRAPH_BYTES: f64 = 20.0;
/// Bytes of a part of a sum, and of each of its moves, which are kept.
const PART_BYTES: f64 = 60.0;
const PART_MOVE_BYTES: f64 = 8.0;
/// Seconds to find the layer of an option and its number there.
const LAYERED: f64 = 60e-9;
/// So often a position is expanded where moves stay in a layer, about.
const LAYERED_ROUNDS: f64 = 20.0;
/// Retrograde analysis by ranks: bytes of a code, of a position and of a move; seconds for an option that is met, ranked and carried
/// back, and more for an option whose symmetric images are compared.
const RANKED_CODE_BYTES: f64 = 0.35;
const RANKED_BYTES: f64 = 14.0;
const RANKED_MOVE_BYTES: f64 = 9.0;
const RANKED: f64 = 25e-9;
const RANKED_FOLDED: f64 = 15e-9;
/// Bytes of a move that is kept, and seconds to find it from where it leads.
const MOVE_BYTES: f64 = 12.0;
const MOVE: f64 = 15e-9;
/// Bytes and seconds of a code in retrograde analysis where moves are turned round.
const INVERTED: f64 = 60e-9;
const INVERTED_BYTES: f64 = 10.0;
/// Seconds to make code for moves that are turned round, for each node.
const MAKE_INVERTED_NODE: f64 = 60e-6;
/// Seconds to compile rules as they stand.
pub const MAKE_PROGRAM: f64 = 10e-3;

/// What is known of compiled rules before they run.
pub struct Rules<'c> {
    /// Seconds that pass before the first position: to make code that is not there yet, and to check what the file declares.
    pub before: f64,
    /// Seconds that pass before the first position where code is made that turns moves round.
    pub before_inverted: f64,
    /// How many codes there are.
    pub places: u64,
    /// Symmetries by which one position stands for several.
    pub group: Option<&'c Group>,
    /// How many positions one stands for in a table of ranks, at most.
    pub orbits: usize,
}

/// What code for the options of a position takes to make.
pub fn making(weight: &Weight) -> f64 {
    let formulas = MAKE + weight.nodes as f64 * MAKE_NODE;
    match weight.nodes as usize {
        nodes if nodes <= ways::SMALL => formulas,
        nodes if nodes <= ways::LARGE => formulas + MAKE_PROGRAM,
        _ => MAKE_PROGRAM,
    }
}

/// What code that turns moves round takes to make.
pub fn making_inverted(weight: &Weight) -> f64 {
    weight.nodes as f64 * MAKE_INVERTED_NODE
}

/// Seconds that a loop nest over all codes takes.
pub fn fill(weight: &Weight, codes: u64, values: Values, outline: Outline, threads: usize) -> f64 {
    let nimbers = matches!(values, Values::Nimber { .. });
    let (nodes, pairs) = (weight.nodes as f64, (weight.actions * weight.actions) as f64);
    let width = values.width() as f64;
    let lanes = LANES_NODE * width;
    let (make, make_pair, node) = match outline.strategy {
        Strategy::Block => {
            let written = outline.written as f64;
            (MAKE_BLOCK + written * (MAKE_BLOCK_NODE + written * MAKE_BLOCK_SQUARE), MAKE_BLOCK_PAIR, lanes)
        }
        Strategy::Rows | Strategy::Passes => (MAKE_NEST + nodes * MAKE_NEST_NODE, MAKE_NEST_PAIR, lanes),
        Strategy::Best | Strategy::Scalar => {
            // Much code keeps little in registers and caches.
            let node = SCALAR_NODE * (1.0 + nodes / 1000.0).min(2.5);
            (MAKE_NEST + nodes * MAKE_NEST_NODE, MAKE_NEST_PAIR, node)
        }
    };
    let making = make + if nimbers { pairs * (make_pair + pairs * MAKE_NEST_PAIR_SQUARE) } else { 0.0 };
    let place = weight.work * node * if nimbers { NIMBER } else { 1.0 } + FIRST_TOUCH * width;
    making + codes as f64 * place / threads.max(1) as f64
}

/// Bytes that are in use while code for a table is made.
pub fn code_bytes(weight: &Weight, values: Values, outline: Outline) -> u64 {
    let block = if outline.strategy == Strategy::Block { outline.written as u64 * BLOCK_BYTES } else { 0 };
    let pairs = if matches!(values, Values::Nimber { .. }) { weight.actions * weight.actions } else { 0 };
    block + pairs * PAIR_BYTES
}

/// Seconds that the options of a position take in compiled code, where the interpreter takes so many steps: by formulas, or as the
/// rules stand, whichever is quicker, as far as both are made.
pub fn compiled(weight: Option<&Weight>, steps: f64, options: f64) -> f64 {
    let rules = steps * CODE_STEP;
    let formulas = weight.filter(|weight| weight.nodes as usize <= ways::LARGE);
    let work = formulas.map_or(rules, |weight| rules.min(COLD * weight.work * CODE_NODE));
    COLD * (CODE + options * CODE_OPTION) + work
}

/// Seconds for a position of a sum, which has so many options: its parts are put together anew for each of them.
pub fn summed(steps: f64, options: f64) -> f64 {
    steps * STEP + (1.0 + options) * SUMMED
}

/// Seconds that the interpreter takes for a position of so many steps and options.
pub fn interpreted(steps: f64, options: f64) -> f64 {
    (steps + NUMBERING * (1.0 + options)) * STEP
}

/// Seconds that the options of a position take, in compiled code.
fn code(sampled: &Sampled) -> f64 {
    sampled.code.unwrap_or(sampled.pace / COMPILED)
}

/// A memoised search in a table of all codes.
pub fn search(rules: &Rules<'_>, bytes: u64, sampled: &Sampled) -> Cost {
    let Sample { options, .. } = sampled.sample;
    let positions = sampled.sample.positions.min(rules.places as f64);
    let walked = positions * (code(sampled) + options * INDEXED) + bytes as f64 * FIRST_TOUCH;
    let seconds = rules.before + walked;
    Cost::indexed(positions, rules.places, bytes, seconds)
}

/// A search that hashes what it meets, one position for each class of symmetric ones.
pub fn hash(rules: &Rules<'_>, sampled: &Sampled) -> Cost {
    let Sample { options, .. } = sampled.sample;
    let all = sampled.sample.positions.min(rules.places as f64);
    // Positions that are symmetric themselves have fewer images.
    let kept = rules.group.map_or(all, |group| (all / group.order() as f64).max(all.sqrt()));
    let folding = rules.group.map_or(0.0, |group| FOLDED + IMAGE * group.elements() as f64);
    let walked = kept * (code(sampled) + options * (HASHED + folding));
    let seconds = rules.before + walked;
    let bytes = kept * HASHED_BYTES + (kept * GROWING_BYTES).min(MOST_GROWING);
    Cost::met(kept, bytes, seconds)
}

/// Retrograde analysis of ranked codes, with all moves kept, on so many threads.
pub fn retrograde(rules: &Rules<'_>, threads: usize, sampled: &Sampled) -> Cost {
    let Sample { options, .. } = sampled.sample;
    let all = sampled.sample.positions.min(rules.places as f64);
    // Positions that are symmetric themselves have fewer images.
    let kept = (all / rules.orbits as f64).max(all.sqrt());
    let folding = if rules.orbits > 1 { RANKED_FOLDED } else { 0.0 };
    let bytes = rules.places as f64 * RANKED_CODE_BYTES;
    let walked = kept * (code(sampled) + options * (RANKED + folding)) / threads.max(1) as f64;
    let seconds = rules.before + walked + bytes * FIRST_TOUCH;
    let bytes = bytes + kept * (RANKED_BYTES + options * RANKED_MOVE_BYTES);
    Cost::indexed(kept, rules.places, bytes as u64, seconds)
}

/// Retrograde analysis layer by layer: positions are expanded to be found, for options in lower layers, and where moves stay in a
/// layer in each round.
pub fn layered(rules: &Rules<'_>, codes: u64, is_cyclic: bool, threads: usize, sampled: &Sampled) -> Cost {
    let Sample { options, positions, .. } = sampled.sample;
    let all = positions.min(codes as f64);
    let looks = if is_cyclic { LAYERED_ROUNDS } else { 2.0 };
    let walked = all * looks * (code(sampled) + options * LAYERED) / threads.max(1) as f64;
    Cost::indexed(all, codes, 0, rules.before + walked)
}

/// Retrograde analysis of all codes, whose moves are turned round.
pub fn inverted(rules: &Rules<'_>, sampled: &Sampled) -> Cost {
    let codes = rules.places as f64;
    let seconds = rules.before_inverted + codes * (code(sampled) + sampled.sample.options * INVERTED);
    Cost::indexed(codes, rules.places, (codes * INVERTED_BYTES) as u64, seconds)
}

/// The cost of a method, and of keeping all moves beside.
pub fn with_moves(cost: Cost, sampled: &Sampled) -> Cost {
    let moves = cost.positions.unwrap_or(0) as f64 * sampled.sample.options;
    let bytes = cost.bytes.map(|bytes| bytes.saturating_add((moves * MOVE_BYTES) as u64));
    Cost { bytes, seconds: cost.seconds.map(|seconds| seconds + moves * MOVE), ..cost }
}

/// The cost of a method, and of comparing every player's total, with all that equal ones of the mover may lead to.
pub fn with_payoffs(cost: Cost, sampled: &Sampled) -> Cost {
    let positions = cost.positions.unwrap_or(0) as f64;
    let bytes = cost.bytes.map(|bytes| bytes.saturating_add((positions * PAYOFF_BYTES) as u64));
    let more = positions * (1.0 + sampled.sample.options) * PAYOFFS;
    Cost { bytes, seconds: cost.seconds.map(|seconds| seconds + more), ..cost }
}

/// Induction on the parts of a sum, whose moves take so many steps of the rules.
pub fn parts(positions: f64, options: f64, steps: f64) -> Cost {
    let seconds = positions * (interpreted(steps, options) + options * NUMBERED);
    let bytes = positions * PART_BYTES + positions * options * PART_MOVE_BYTES;
    Cost::met(positions, bytes, seconds)
}

/// Seconds to cut a game into groups of variables; for a group, for each of its options, and for its canonical form; and bytes for a
/// group. One that is looked at for what it falls into takes so many times what a plain one takes.
const CUTTING: f64 = 2e-3;
const GROUP: f64 = 0.5e-6;
const GROUP_OPTION: f64 = 0.1e-6;
const GROUP_FORM: f64 = 1e-6;
const GROUP_BYTES: f64 = 100.0;
const FALLING: f64 = 10.0;

/// Groups of variables that are valued one by one, which have so many options in all, with their canonical forms or without.
pub fn groups(groups: f64, options: f64, has_forms: bool) -> Cost {
    let each = if has_forms { GROUP + GROUP_FORM } else { GROUP };
    Cost::met(groups, groups * GROUP_BYTES, CUTTING + groups * each + options * GROUP_OPTION)
}

/// Groups that fall into others in play, each of which has so many options.
pub fn falling_groups(met: f64, options: f64, has_forms: bool) -> Cost {
    let seconds = groups(FALLING * met, FALLING * met * options, has_forms).seconds;
    Cost { seconds, ..groups(met, met * options, has_forms) }
}

/// Induction on a graph.
pub fn graph(making: f64, words: usize, sampled: &Sampled) -> Cost {
    let Sample { positions, options, .. } = sampled.sample;
    let pace = sampled.code.map_or(sampled.pace, |code| code + options * NUMBERED);
    let bytes = positions * (GRAPH_BYTES + 12.0 * words as f64);
    let seconds = making + positions * (pace + KEPT);
    Cost::met(positions, bytes, seconds)
}

/// Of so many positions a search with cuts and a table looks at about this power. Won or lost: on small boards of Connect
/// Four, Hex and m,n,k 0.77 to 0.81. Scores leave few moves out: on Dots and Boxes of 3 × 3 boxes 0.97.
const SEARCHED: f64 = 0.82;
const SEARCHED_SCORES: f64 = 0.97;
/// Seconds for a position of a search, beside its options, and bytes that it takes in the table.
const LOOKED_AT: f64 = 150e-9;
const LOOKED_AT_BYTES: f64 = 40.0;

/// Bytes of a table that forgets nothing of what a search is predicted to look at; everything where that is not known.
pub fn unforgetful(search: &Cost) -> u64 {
    search.positions.map_or(u64::MAX, |met| (met as f64 * LOOKED_AT_BYTES) as u64)
}

/// A search goes to the end of play at least: it looks at so many positions for each level, as far as there are so many.
const EACH_LEVEL: f64 = 4.0;

/// A search for the value of the start alone, won or lost or a score, with a table of at most so many bytes. One that comes back to
/// the start again and again goes down all levels as often (measured on a heap of 250 to 8000: 0.7 to 1.3 times their square).
pub fn proving(making: f64, scored: bool, comes_back: bool, sampled: &Sampled, most: u64) -> Cost {
    let Sample { positions, depth, .. } = sampled.sample;
    let depth = depth as f64;
    let least = if comes_back { depth * depth } else { (EACH_LEVEL * depth).min(positions) };
    let looked_at = positions.powf(if scored { SEARCHED_SCORES } else { SEARCHED }).max(least);
    looking_at(looked_at, making, sampled, most)
}

/// A search that looks at so many positions, with a table of at most so many bytes.
pub fn looking_at(looked_at: f64, making: f64, sampled: &Sampled, most: u64) -> Cost {
    let Sample { positions, options, .. } = sampled.sample;
    let pace = sampled.code.unwrap_or(sampled.pace) + LOOKED_AT + options * INDEXED;
    let bytes = (looked_at.min(positions) * LOOKED_AT_BYTES).min(most as f64);
    let cost = Cost::met(looked_at.min(positions), bytes, making + looked_at * pace);
    Cost { visits: Some(looked_at as u64), ..cost }
}

/// So many positions are valued beside an answer at the most, and each is looked at so many times as often as where moves
/// alternate. What that may take in all, in seconds.
const BESIDE: f64 = 50_000.0;
const BOTH_MOVE: f64 = 4.0;
const MOST_BESIDE: f64 = 0.04;
/// Seconds and bytes for the loopy value of a position, and seconds for all of them at the most. Those of a few positions are compared
/// with one another, until a bound on work is reached.
const LOOPY: f64 = 35e-6;
const LOOPY_PAIRS: f64 = 200e-6;
const LEAST_LOOPY: f64 = 0.02;
const LOOPY_BYTES: f64 = 380.0;
const MOST_LOOPY: f64 = 1.5;
/// Seconds for listing the moves of both players, at the most.
const MOST_LISTING: f64 = 0.9;

/// A cost with that of the value that is found beside the answer. It comes from parts where a method for these takes so many
/// seconds and bytes, else from all positions, which may repeat where one player moves on and on.
pub fn with_value(cost: Cost, by_parts: Option<(f64, u64)>, may_repeat: bool, sampled: &Sampled) -> Cost {
    let Sample { positions, steps, options, .. } = sampled.sample;
    let valued = positions.min(BESIDE);
    let (seconds, bytes) = match (by_parts, may_repeat) {
        (Some((seconds, bytes)), _) => (seconds, bytes as f64),
        (None, true) => {
            let pairs = (valued * LOOPY_PAIRS).min(LEAST_LOOPY);
            let listing = (2.0 * valued * interpreted(steps, options)).min(MOST_LISTING);
            ((valued * LOOPY + pairs).min(MOST_LOOPY).max(listing), valued * LOOPY_BYTES)
        }
        (None, false) => ((BOTH_MOVE * valued * interpreted(steps, options)).min(MOST_BESIDE), 0.0),
    };
    let bytes = cost.bytes.map(|own| own.saturating_add(bytes as u64));
    Cost { bytes, seconds: cost.seconds.map(|own| own + seconds), ..cost }
}

/// What a table of all positions would take at the least, with its positions hashed.
pub fn table_of_all(sampled: &Sampled) -> Cost {
    let Sample { positions, options, .. } = sampled.sample;
    let seconds = positions * (code(sampled) + options * HASHED);
    let bytes = positions * HASHED_BYTES;
    Cost::met(positions, bytes, seconds)
}

/// Induction on a graph whose positions were all looked at, so that their options are known.
pub fn explored(checking: f64, words: usize, sampled: &Sampled) -> Cost {
    let Sample { positions, options, .. } = sampled.sample;
    let bytes = positions * (GRAPH_BYTES + 12.0 * words as f64 + EXPLORED_BYTES + options * OPTION_BYTES);
    let seconds = checking + positions * (KEPT + options * REPLAYED);
    Cost::met(positions, bytes, seconds)
}
