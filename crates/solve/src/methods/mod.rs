//! The methods, one room each, and the registry: the only place that names them.
//!
//! | method | what it is for | where |
//! |---|---|---|
//! | `heap` | heaps that moves take from or break up: a sequence of values, with a proved period | `heap/` |
//! | `row` | rows and stacks of numbers: a theorem, no table | `row/theorem.rs` |
//! | `triangle` | one row: all its intervals | `row/triangle.rs` |
//! | `window` | forward through one list: maxima over windows | `window.rs` |
//! | `values` | sums in which the players' moves differ: canonical forms of the parts | `values.rs` |
//! | `groups` | variables that no move ties together: each group valued once | `groups.rs` |
//! | `board` | boards of local moves: each part valued once | `board.rs` |
//! | `winner` | players' moves differ, and values outgrow memory: a search over the parts | `winner.rs` |
//! | `grundy` | impartial sums won by the last mover: XOR of the parts | `grundy.rs` |
//! | `fill` | compiled rules with a proved order: a loop nest over all codes | `fill.rs` |
//! | `search`, `hash` | compiled rules: a memoised search, indexed or hashed | `search.rs` |
//! | `quotient` | misère sums: classes of their parts | `quotient.rs` |
//! | `induction` | any game without cycles | `induction.rs` |
//! | `loopy` | impartial sums whose parts repeat | `loopy.rs` |
//! | `retrograde` | won, lost or drawn, with cycles | `retrograde.rs` |
//! | `alpha_beta`, `proof_number` | the start only, where a table of all positions is too dear | `proving/` |
//!
//! `by_parts`, `by_values`, `compiled`, `graphs` and `sampling` hold what several of them share. To add a method, write its room and
//! add it to [`ALL`]; and to `EVERY_POSITION`, [`EVERY_CODE`] or `EVERY_PART` if it values all of these: tables of answers are made by
//! those alone.

mod board;
pub(crate) mod by_parts;
mod by_values;
mod compiled;
mod fill;
mod graphs;
mod groups;
mod grundy;
mod heap;
mod induction;
mod loopy;
pub(crate) mod proving;
mod quotient;
mod retrograde;
pub(crate) mod row;
pub(crate) mod sampling;
mod search;
mod values;
mod window;
mod winner;

pub(crate) use graphs::Graphs;
pub use heap::{NAME as HEAP, heap_game, heap_sequence};
pub(crate) use values::RulesForms;

use crate::case::PartKind;
use crate::method::Method;
use crate::options::MethodName;

/// All methods, in the order in which the chooser looks at them.
pub const ALL: [&dyn Method; 18] = [
    &heap::Heap,
    &row::Row,
    &row::Triangle,
    &window::Window,
    &grundy::Grundy,
    &values::ByValues,
    &groups::ByGroups,
    &board::Board,
    &winner::ByContest,
    &fill::Fill,
    &search::Search,
    &search::Hash,
    &quotient::Quotient,
    &induction::Induction,
    &loopy::Loopy,
    &retrograde::Retrograde,
    &proving::ALPHA_BETA,
    &proving::PROOF_NUMBER,
];

/// The name of what looks so many moves ahead, and no further.
pub(crate) const LOOKING_AHEAD: MethodName = proving::ALPHA_BETA.name;

/// Those that value every position that play can reach, each with all that there is to know of it: who wins, how soon, and
/// nimbers. For games that are no sums.
pub(crate) const EVERY_POSITION: [&dyn Method; 5] =
    [&fill::Fill, &search::Search, &search::Hash, &induction::Induction, &retrograde::Retrograde];

/// Those that value every position there can be, whether play reaches it or not.
pub const EVERY_CODE: [&dyn Method; 1] = [&fill::Fill];

/// For sums, and for games that are to be summands: those that value parts with their nimbers where they have them, else
/// positions.
pub(crate) const EVERY_PART: [&dyn Method; 7] = [
    &grundy::Grundy,
    &fill::Fill,
    &search::Search,
    &search::Hash,
    &induction::Induction,
    &loopy::Loopy,
    &retrograde::Retrograde,
];

/// The name of a method that was typed.
///
/// ```
/// assert_eq!(solve::methods::find("fill").unwrap().name(), "fill");
/// assert!(solve::methods::find("magic").is_none());
/// ```
pub fn find(name: &str) -> Option<MethodName> {
    names().find(|known| known.name() == name)
}

/// The names of all methods.
pub fn names() -> impl Iterator<Item = MethodName> {
    ALL.iter().map(|method| method.name())
}

/// The method that finds canonical forms for such parts.
pub(crate) fn valuing(parts: PartKind) -> Option<MethodName> {
    ALL.iter().find(|method| method.values_parts() == Some(parts)).map(|method| method.name())
}

/// Whether a method finds canonical forms of parts.
pub(crate) fn values_parts(name: MethodName) -> bool {
    ALL.iter().any(|method| method.name() == name && method.values_parts().is_some())
}

/// What a method does, in a line for people who choose one.
///
/// ```
/// let fill = solve::methods::find("fill").unwrap();
/// assert_eq!(solve::methods::about(fill), "Compiled: a dense table filled by a loop nest");
/// ```
pub fn about(name: MethodName) -> &'static str {
    ALL.iter().find(|method| method.name() == name).map_or("", |method| method.about())
}
