//! Positions with codes: how the positions of an instance are numbered where its options are compiled from formulas, and the code that
//! finds these options.
//!
//! A [`Coding`] is made before a method is chosen and costs little; the code itself is made when it first runs, once a solve.

use std::sync::Arc;

use engine::graph::Expansion;
use engine::monitor::Monitor;
use formula::group::Group;
use formula::orbits::Orbits;
use formula::study::Study;
use formula::weight::Weight;
use formula::{Coded, TurnPlace};
use rules::bind::{Bound, Position};

use crate::audit::Proved;
use crate::compiled::{Codec, Expands, Numbers, SharedCode};
use crate::cost;
use crate::declared::{self, Declared};
use crate::error::{SolveError, Stuck};
use crate::facts::{Fact, Facts, Kind};
use crate::interpreted::Backed;
use crate::names::{cell_name, named};
use crate::oracle::{Keeps, Oracle, other_to_move};
use crate::remembered::Sampled;

/// Why rules are interpreted whose formulas are too large.
pub const TOO_LARGE: &str = "there is not enough memory for the formulas of the rules";

/// An instance whose positions have codes.
pub struct Coding<'b> {
    /// The game.
    pub bound: &'b Bound,
    /// The position that is asked about.
    pub start: Position,
    /// What is asked of positions.
    pub kind: Kind,
    /// Whether it is asked who wins whoever starts.
    pub partizan: bool,
    /// What is proved of the formulas.
    pub study: Arc<Study>,
    /// Positions to codes, and back.
    pub codec: Codec,
    /// How much work the formulas are.
    pub weight: Weight,
    /// How many codes there are.
    pub places: u64,
    /// Symmetries by which one position stands for several.
    pub group: Option<Group>,
    /// Symmetries of dense codes.
    pub orbits: Option<Arc<Orbits>>,
    /// What the file declares is proved from the rules: nothing needs to be checked at positions.
    declared: Option<Fact>,
    /// What of it is proved.
    pub proved: Proved,
    /// Whether what is declared must be looked at in every position.
    walks: bool,
    numbering: String,
    /// How positions are numbered, for the code that is shared.
    numbers: Numbers,
    /// The code that was made for the instance.
    shared: SharedCode,
}

/// How codes are used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// As indices of a table.
    Dense,
    /// As keys, one for each class of symmetric positions.
    Hashed,
    /// As keys that fall into layers, with dense numbers in each.
    Layers,
    /// As keys of a graph.
    Graph(Numbers),
}

impl Use {
    fn numbers(self) -> Numbers {
        match self {
            Use::Dense => Numbers::Dense,
            Use::Hashed => Numbers::Keys,
            Use::Layers => Numbers::Layers,
            Use::Graph(numbers) => numbers,
        }
    }
}

/// Where the turn stands in dense codes. Where positions may repeat, the two turns of a position are looked at one after
/// the other.
fn turn_place(study: &Study) -> TurnPlace {
    let may_repeat = study.order.is_err() && study.potential.is_none();
    if may_repeat { TurnPlace::Last } else { TurnPlace::First }
}

/// How many dense codes there are, if they can be numbered.
pub fn dense_places(study: &Study) -> Option<u64> {
    study.numbering(true, turn_place(study)).map(|numbering| numbering.size)
}

/// Formulas with dense codes.
pub fn dense(study: &Study) -> Option<Coded> {
    study.coded(true, turn_place(study))
}

/// Formulas with codes that are hashed.
pub fn hashed(study: &Study) -> Option<Coded> {
    study.coded(false, TurnPlace::First).or_else(|| study.coded(true, TurnPlace::First))
}

/// Why there are no formulas with codes.
pub fn uncoded(study: &Study) -> &'static str {
    let numbered = study.numbering(false, TurnPlace::First).or_else(|| study.numbering(true, TurnPlace::First));
    if numbered.is_some() { TOO_LARGE } else { "a position does not fit in 63 bits" }
}

/// Formulas with codes of one or the other kind.
pub fn coded(study: &Study, numbers: Numbers) -> Option<Coded> {
    match numbers {
        Numbers::Dense => dense(study),
        Numbers::Keys | Numbers::Layers => hashed(study),
    }
}

impl<'b> Coding<'b> {
    /// Formulas with codes, for an instance from a position on, of whose file so much is proved.
    pub fn new(
        bound: &'b Bound,
        start: &Position,
        facts: &Facts,
        study: Arc<Study>,
        coded: Coded,
        used: Use,
        proved: Proved,
    ) -> Coding<'b> {
        let program = &bound.program;
        let left = |declares: bool, proved: bool| declares && !proved;
        let walks = left(!bound.symmetries.is_empty(), proved.symmetries)
            || left(program.measure.is_some(), proved.measure)
            || left(!program.regions.is_empty(), proved.regions);
        Coding {
            bound,
            start: start.clone(),
            kind: facts.kind,
            partizan: facts.partizan,
            places: coded.numbering.size,
            numbering: numbering(bound, &coded, used),
            codec: Codec::new(coded, game::Player::FIRST),
            weight: Weight::of(&study.formulas),
            study,
            group: None,
            orbits: None,
            declared: proved.all(program),
            proved,
            walks,
            numbers: used.numbers(),
            shared: SharedCode::default(),
        }
    }

    /// With symmetries by which one position stands for several, and what they are in words.
    pub fn with_group(mut self, group: Option<&(Group, String)>) -> Coding<'b> {
        if let Some((group, words)) = group {
            self.group = Some(group.clone());
            self.numbering.push_str(&format!("; {words}"));
        }
        self
    }

    /// With symmetries of dense codes, and what they are in words.
    pub fn with_orbits(mut self, orbits: Option<&(Arc<Orbits>, String)>) -> Coding<'b> {
        if let Some((orbits, words)) = orbits {
            self.orbits = Some(Arc::clone(orbits));
            self.numbering.push_str(&format!("; {words}"));
        }
        self
    }

    /// With code that was made for the same instance, or will be.
    pub fn sharing(self, shared: &SharedCode) -> Coding<'b> {
        Coding { shared: shared.clone(), ..self }
    }

    /// How positions are numbered, in words.
    pub fn numbering(&self) -> &str {
        &self.numbering
    }

    /// Seconds to make code for the options of one position, unless it is there already.
    pub fn making(&self) -> f64 {
        match self.shared.ready(self.numbers, self.keeps().gains()) {
            Some(_) => 0.0,
            None => cost::making(&self.weight),
        }
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
    pub fn expander(&self) -> Result<Backed<'b>, Stuck> {
        Ok(Backed::new(self.bound, self.codec.clone(), self.keeps(), self.successors()?))
    }

    /// Code for the options of one position, which may leave positions alone.
    pub fn successors(&self) -> Result<Expands, Stuck> {
        self.options(self.keeps().gains()).map_err(Stuck::uncompiled)
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
        let orbits = self.orbits.as_ref().map_or(1, |orbits| orbits.order());
        cost::Rules { before, before_inverted, places: self.places, group: self.group.as_ref(), orbits }
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

    /// An error of an engine, with the position it is about. Where positions repeat, another engine may do.
    pub fn placed(&self, error: engine::Error) -> Stuck {
        let position = |code: u64| self.codec.position(code);
        match error {
            engine::Error::Cycle(codes) => {
                let cycle: Vec<Position> = codes.into_iter().filter_map(position).collect();
                let same = |a: &Position, b: &Position| self.class_of(a) == self.class_of(b);
                let shown = crate::repeats::describe_positions(self.bound, &cycle, cycle.len(), &same);
                match self.kind {
                    Kind::Outcome => Stuck::Cycle(shown),
                    kind => crate::repeats::refuse(self.bound, kind, cycle.len(), &shown).into(),
                }
            }
            engine::Error::OverflowAt(code) => match position(code) {
                Some(position) => SolveError::overflow(self.bound, &position).into(),
                None => SolveError::Overflow.into(),
            },
            engine::Error::Fault(code) => match position(code).map(|position| self.fault(&position)) {
                Some(Err(error)) => error.into(),
                // The interpreter finds nothing wrong: another method may do.
                _ => Stuck::Code(format!("compiled code cannot expand the position of code {code}")),
            },
            error => error.into(),
        }
    }

    /// The code by which a search knows a position: that of the position that stands for all symmetric ones.
    fn class_of(&self, position: &Position) -> Option<u64> {
        let code = self.codec.code_of(position)?;
        let code = self.group.as_ref().map_or(code, |group| group.canonical(code));
        Some(self.orbits.as_ref().map_or(code, |orbits| orbits.canonical(code)))
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

/// How positions are numbered, in words.
fn numbering(bound: &Bound, coded: &Coded, used: Use) -> String {
    let mut text = match used {
        Use::Hashed | Use::Graph(_) => {
            let bits = 64 - (coded.numbering.size.max(1) - 1).leading_zeros();
            format!("codes of {bits} bits, hashed")
        }
        Use::Layers => {
            let bits = 64 - (coded.numbering.size.max(1) - 1).leading_zeros();
            format!("codes of {bits} bits, ranked in layers")
        }
        Use::Dense => format!("dense codes below {}", engine::numbers::grouped(coded.numbering.size)),
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
