//! What the methods on compiled rules share: how positions are numbered, and what a table of all codes would take.

use std::sync::Arc;

use formula::extremes::{has_draws, max_options};
use formula::group::Group;
use formula::study::Study;
use formula::weight::Weight;
use formula::{Coded, TurnPlace};
use jit::Values;
use rules::bind::{Bound, Position};

use crate::case::{Case, Kind, Sampled, TOO_LARGE, cell_name, named};
use crate::error::{Reason, SolveError};
use crate::facts::Fact;
use crate::methods::{Code, GivenUp};
use crate::options::{Detail, Options};
use engine::graph::Expansion;
use engine::monitor::Monitor;
use positions::audit::Proved;
use positions::compiled::{Codec, Expands, Numbers, SharedCode};
use positions::cost;
use positions::declared::{self, Declared};
use positions::interpreted::Backed;
use positions::oracle::{Keeps, Oracle, other_to_move};
use positions::proofs;

/// No table is made larger than this, whatever the limit.
const MOST_BYTES: u64 = 1 << 38;
/// Searches and retrograde analysis index no table of more codes: few of so many are met, and hashing these is quicker than
/// touching the table.
pub(super) const MOST_SEARCHED: u64 = 1 << 26;
/// Up to so many codes, a table of all of them is most often the best place for values.
const FEW_CODES: u64 = 1 << 22;
/// Seconds for a node that a proof of symmetries looks at; and so many nodes may be looked at for every game.
const PROOF_NODE: f64 = 60e-9;
const LEAST_PROOF: u64 = 20_000;

/// A case whose positions have codes.
pub(super) struct Coding<'b> {
    pub bound: &'b Bound,
    pub start: Position,
    pub kind: Kind,
    /// Whether it is asked who wins whoever starts.
    pub partizan: bool,
    pub study: Arc<Study>,
    pub codec: Codec,
    /// How much work the formulas are.
    pub weight: Weight,
    /// How many codes there are.
    pub places: u64,
    /// Symmetries by which one position stands for several.
    pub group: Option<Group>,
    /// What the file declares is proved from the rules: nothing needs to be checked at positions.
    declared: Option<Fact>,
    /// What of it is proved.
    pub proved: Proved,
    /// Whether what is declared must be looked at in every position.
    walks: bool,
    numbering: String,
    /// How positions are numbered, for the code that is shared.
    numbers: Numbers,
    /// The code that was made for the case.
    shared: SharedCode,
}

/// How codes are used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// As indices of a table.
    Dense,
    /// As keys, one for each class of symmetric positions.
    Hashed,
    /// As keys of a graph.
    Graph(Numbers),
}

impl Use {
    fn numbers(self) -> Numbers {
        match self {
            Use::Dense => Numbers::Dense,
            Use::Hashed => Numbers::Keys,
            Use::Graph(numbers) => numbers,
        }
    }
}

/// Why compiled methods do not suit a case, whatever its formulas look like.
pub(super) fn suits(case: &Case<'_>) -> Result<(), String> {
    suits_kind(case)?;
    if case.facts.kind == Kind::Score
        && case.options.check_total
        && !case.options.method.is_some_and(|method| method.compiles())
        && case.facts.total_is_proved().is_none()
    {
        return Err("every player's gains are kept, which the methods on graphs do".to_string());
    }
    Ok(())
}

/// Why methods for two players who want opposite things do not suit a case.
pub(super) fn suits_kind(case: &Case<'_>) -> Result<(), String> {
    if case.facts.sum.holds {
        return Err("a sum is solved by its parts, or searched as a whole".to_string());
    }
    if matches!(case.facts.kind, Kind::Payoffs | Kind::Winners) {
        return Err("it is for two players who want opposite things".to_string());
    }
    Ok(())
}

/// Where the turn stands in dense codes. Where positions may repeat, the two turns of a position are looked at one after
/// the other.
fn turn_place(study: &Study) -> TurnPlace {
    let may_repeat = study.order.is_err() && study.potential.is_none();
    if may_repeat { TurnPlace::Last } else { TurnPlace::First }
}

/// How many dense codes there are, if they can be numbered.
pub(super) fn dense_places(study: &Study) -> Option<u64> {
    study.numbering(true, turn_place(study)).map(|numbering| numbering.size)
}

/// Formulas with dense codes.
pub(super) fn dense(study: &Study) -> Option<Coded> {
    study.coded(true, turn_place(study))
}

/// Formulas with codes that are hashed.
pub(super) fn hashed(study: &Study) -> Option<Coded> {
    study.coded(false, TurnPlace::First).or_else(|| study.coded(true, TurnPlace::First))
}

/// Why there are no formulas with codes.
pub(super) fn uncoded(study: &Study) -> &'static str {
    let numbered = study.numbering(false, TurnPlace::First).or_else(|| study.numbering(true, TurnPlace::First));
    if numbered.is_some() { TOO_LARGE } else { "a position does not fit in 63 bits" }
}

/// Formulas with codes of one or the other kind.
pub(super) fn coded(study: &Study, numbers: Numbers) -> Option<Coded> {
    match numbers {
        Numbers::Dense => dense(study),
        Numbers::Keys => hashed(study),
    }
}

/// How positions are numbered in graphs and samples: so that the method that is taken in the end has use for the same code.
pub(super) fn numbers(case: &Case<'_>, study: &Study) -> Numbers {
    let few = dense_places(study).is_some_and(|places| places <= FEW_CODES);
    if few && suits(case).is_ok() { Numbers::Dense } else { Numbers::Keys }
}

/// How many nodes the proofs of symmetries may look at: they may take a tenth of what a search without them is predicted to.
fn proof_nodes(case: &Case<'_>) -> u64 {
    let seconds = case.sampled.get().copied().flatten().and_then(|sampled| cost::table_of_all(&sampled).seconds);
    seconds.map_or(u64::MAX, |seconds| LEAST_PROOF.max((seconds / 10.0 / PROOF_NODE) as u64))
}

/// Whether a table of so many bytes may be made.
pub(super) fn affords(case: &Case<'_>, bytes: u64) -> bool {
    bytes <= case.memory.min(MOST_BYTES)
}

impl<'b> Coding<'b> {
    pub fn new(case: &Case<'b>, study: Arc<Study>, coded: Coded, used: Use) -> Coding<'b> {
        let places = coded.numbering.size;
        let mut numbering = numbering(case.bound, &coded, used);
        let mut group = None;
        if used == Use::Hashed
            && !case.is_explored()
            && let Some((found, words)) =
                case.proved_once.group.get_or_init(|| proofs::group(case.bound, &study, &coded, proof_nodes(case)))
        {
            group = Some(found.clone());
            numbering.push_str(&format!("; {words}"));
        }
        let program = &case.bound.program;
        let proved = case.proved(Some(&study));
        let declared = proved.all(program);
        let left = |declares: bool, proved: bool| declares && !proved;
        let walks = left(!case.bound.symmetries.is_empty(), proved.symmetries)
            || left(program.measure.is_some(), proved.measure)
            || left(!program.regions.is_empty(), proved.regions);
        Coding {
            bound: case.bound,
            start: case.start.clone(),
            kind: case.facts.kind,
            partizan: case.facts.partizan,
            codec: Codec::new(coded, game::Player::FIRST),
            weight: Weight::of(&study.formulas),
            study,
            places,
            group,
            declared,
            proved,
            walks,
            numbering,
            numbers: used.numbers(),
            shared: case.code.clone(),
        }
    }

    /// Seconds to make code for the options of one position, unless it is there already.
    pub fn making(&self) -> f64 {
        match self.shared.ready(self.numbers, self.keeps().gains()) {
            Some(_) => 0.0,
            None => cost::making(&self.weight),
        }
    }

    /// How the rules run.
    pub fn code(&self, case: &Case<'_>) -> Code {
        let proved = self.study.facts.iter().map(|fact| case.named(fact)).collect();
        Code::Compiled { numbering: self.numbering.clone(), proved }
    }

    /// The codes of the start, and of the start with the other player to move where that is asked too.
    pub fn roots(&self) -> Result<Vec<u64>, SolveError> {
        let code = |position: &Position| {
            let code = self.codec.code_of(position);
            code.ok_or_else(|| SolveError::internal("the start is outside what was proved of all positions"))
        };
        let mut roots = vec![code(&self.start)?];
        if self.partizan {
            roots.push(code(&other_to_move(&self.start))?);
        }
        Ok(roots)
    }

    /// What is kept of gains.
    fn keeps(&self) -> Keeps {
        if self.kind == Kind::Score { Keeps::Score } else { Keeps::Outcome }
    }

    /// Code for the options of one position, with the interpreter behind it.
    pub fn expander(&self) -> Result<Backed<'b>, GivenUp> {
        Ok(Backed::new(self.bound, self.codec.clone(), self.keeps(), self.successors()?))
    }

    /// Code for the options of one position, which may leave positions alone.
    pub fn successors(&self) -> Result<Expands, GivenUp> {
        self.options(self.keeps().gains()).map_err(|error| GivenUp::Because(Reason::Code(error.to_string())))
    }

    /// Code for the options of one position that writes these gains. It is made once a case.
    pub fn options(&self, gains: jit::Gains) -> Result<Expands, jit::JitError> {
        let start = self.codec.code_of(&self.start);
        self.shared.get(self.bound, self.codec.coded(), start, self.numbers, gains)
    }

    /// What is known of the rules before they run.
    pub fn before(&self, sampled: &Sampled) -> cost::Rules<'_> {
        let checking = match &self.declared {
            Some(_) => 0.0,
            None => declared::seconds(self.bound, self.partizan, self.walks, self.proved, sampled),
        };
        let before = self.making() + checking;
        let before_inverted = cost::making_inverted(&self.weight) + checking;
        cost::Rules { before, before_inverted, places: self.places, group: self.group.as_ref() }
    }

    /// Words of the study with the names of the rules file in them.
    pub fn named(&self, text: &str) -> String {
        named(self.bound, text)
    }

    /// How positions are numbered, where what is declared is looked at in every one of them.
    pub fn walked(&self) -> Option<&Codec> {
        self.walks.then_some(&self.codec)
    }

    /// That what the file declares is proved from the rules.
    pub fn proves_declared(&self) -> Option<Fact> {
        self.declared.clone()
    }

    fn unproved(&self) -> Declared<'_, 'b> {
        Declared { bound: self.bound, codec: self.walked(), proved: self.proved, keeps: self.keeps() }
    }

    /// Checks what the file declares, unless it is proved from the rules.
    pub fn check_declared(&self, monitor: &mut Monitor) -> Result<Option<Fact>, SolveError> {
        match &self.declared {
            Some(proved) => Ok(Some(proved.clone())),
            None => self.unproved().check(&self.start, monitor),
        }
    }

    /// Why it is not known who wins if the other player starts, where that is asked: what the file declares is false there.
    pub fn other_start(&self, monitor: &mut Monitor) -> Result<Option<String>, SolveError> {
        match &self.declared {
            None if self.partizan => {
                Declared { keeps: Keeps::Outcome, ..self.unproved() }.other_start(&self.start, monitor)
            }
            _ => Ok(None),
        }
    }

    /// An error of an engine, with the position it is about. A cycle is a reason to give up.
    pub fn placed(&self, error: engine::Error) -> GivenUp {
        let position = |code: u64| self.codec.position(code);
        match error {
            engine::Error::Cycle(codes) => {
                let cycle: Vec<Position> = codes.into_iter().filter_map(position).collect();
                let same = |a: &Position, b: &Position| self.class_of(a) == self.class_of(b);
                let shown = positions::repeats::describe_positions(self.bound, &cycle, cycle.len(), &same);
                match self.kind {
                    Kind::Outcome => GivenUp::Because(Reason::Cycle(shown)),
                    kind => positions::repeats::refuse(self.bound, kind, cycle.len(), &shown).into(),
                }
            }
            engine::Error::OverflowAt(code) => match position(code) {
                Some(position) => SolveError::overflow(self.bound, &position).into(),
                None => SolveError::Overflow.into(),
            },
            engine::Error::Fault(code) => match position(code).map(|position| self.fault(&position)) {
                Some(Err(error)) => error.into(),
                // The interpreter finds nothing wrong: another method may do.
                _ => GivenUp::Because(Reason::Code(format!("compiled code cannot expand the position of code {code}"))),
            },
            error => error.into(),
        }
    }

    /// The code by which a search knows a position: that of the position that stands for all symmetric ones.
    fn class_of(&self, position: &Position) -> Option<u64> {
        let code = self.codec.code_of(position)?;
        Some(self.group.as_ref().map_or(code, |group| group.canonical(code)))
    }

    /// Has the interpreter say what is wrong in a position, if anything is.
    fn fault(&self, position: &Position) -> Result<(), SolveError> {
        let cells = position.parts.first().map_or(&[][..], |part| part);
        let mut into = Expansion { mover: position.turn, ..Expansion::default() };
        let mut oracle = Oracle::new(self.bound, self.keeps(), None);
        let found = oracle.expand(cells, &mut into, &mut |_, _| Ok(0));
        match (found, oracle.fault()) {
            (Ok(()), _) => Ok(()),
            (Err(_), Some(fault)) => Err(fault.clone().into()),
            (Err(engine::Error::Overflow), None) => Err(SolveError::overflow(self.bound, position)),
            (Err(error), None) => Err(error.into()),
        }
    }
}

/// The values of a loop nest and their bytes, or why there is none.
pub(super) fn nest_values(
    case: &Case<'_>,
    study: &Study,
    places: u64,
) -> Result<(Values, Option<Values>, u64), String> {
    let order = study.order.as_ref().map_err(Clone::clone)?;
    let (values, more) = match case.facts.kind {
        _ if case.facts.sum.holds => (nimber_values(study)?, None),
        Kind::Score => (score_values(study), None),
        _ if case.options.detail == Detail::Outcome => {
            (if has_draws(&study.formulas) { Values::Outcome } else { Values::Win }, None)
        }
        _ => {
            let longest = order.longest.ok_or("no bound on the length of a play is known")?;
            let width = match longest {
                0..=62 => 1,
                63..=16_382 => 2,
                16_383..=1_073_741_822 => 4,
                _ => return Err("plays may be too long to count their moves".to_string()),
            };
            let nimbers = wants_nimbers(&case.options, case.facts.nimbers).then(|| nimber_values(study)).transpose()?;
            (Values::Remoteness { width }, nimbers)
        }
    };
    // Vectors may read a little past the last entry.
    let bytes_for = |values: Values| places.saturating_mul(values.width() as u64).saturating_add(8);
    let bytes = bytes_for(values).saturating_add(more.map_or(0, bytes_for));
    match affords(case, bytes) {
        true => Ok((values, more, bytes)),
        false => Err(format!("a table of {places} places would take {bytes} bytes")),
    }
}

/// Whether Grundy numbers are worked out, where the game has them.
pub(super) fn wants_nimbers(options: &Options, nimbers: bool) -> bool {
    nimbers && options.detail == Detail::Full
}

fn nimber_values(study: &Study) -> Result<Values, String> {
    let width = match max_options(&study.formulas) {
        0..=255 => 1,
        256..=65_535 => 2,
        65_536..=0xffff_fffe => 4,
        _ => return Err("no bound on the number of moves is known".to_string()),
    };
    Ok(Values::Nimber { width })
}

fn score_values(study: &Study) -> Values {
    let bound = study.score_bound.map(i64::unsigned_abs);
    let width = match bound {
        Some(0..=126) => 1,
        Some(127..=32_766) => 2,
        Some(32_767..=2_147_483_646) => 4,
        _ => 8,
    };
    Values::Score { width, checked: bound.is_none_or(|bound| bound >= i64::MAX as u64) }
}

/// How positions are numbered, in words.
fn numbering(bound: &Bound, coded: &Coded, used: Use) -> String {
    let mut text = match used {
        Use::Hashed | Use::Graph(_) => {
            let bits = 64 - (coded.numbering.size.max(1) - 1).leading_zeros();
            format!("codes of {bits} bits, hashed")
        }
        Use::Dense => format!("dense codes below {}", crate::numbers::grouped(coded.numbering.size)),
    };
    for (cell, _) in &coded.derived {
        text.push_str(&format!("; {} follows from the rest", cell_name(bound, *cell)));
    }
    text.push_str(match (coded.mover, coded.numbering.turn) {
        (Some(_), _) => "; the cells tell whose turn it is",
        (None, Some(_)) => "; with the turn",
        (None, None) => "",
    });
    text
}
