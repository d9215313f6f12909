//! A game as a cluster sees it: keys of positions, options of keys, and what the table will say.

use std::sync::Arc;

use engine::monitor::Monitor;
use game::Player;
use positions::coding::hashed;
use positions::compiled::{Codec, Expands};
use positions::oracle::Keeps;
use positions::searched::{RulesGame, Source, placed};
use positions::state::Keys;
use rules::bind::{Bound, Position};
use search::game::{Bounds, Expander, Game as _};
use solve::case::{Case, Kind};
use solve::error::{GivenUp, SolveError};
use solve::options::Options;

use crate::error::Trouble;
use crate::packing::bits_for;

/// What is worked out for each position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sought {
    /// Won, drawn or lost, with remoteness.
    Outcomes,
    /// That, and Grundy numbers unless positions repeat.
    Nimbers,
    /// Scores.
    Scores,
}

/// A game that many workers solve.
pub struct SharedGame {
    /// The game.
    pub bound: Arc<Bound>,
    /// What is worked out.
    pub sought: Sought,
    /// Whether positions that differ in whose turn it is are told apart.
    pub with_turn: bool,
    /// Bits of each word of a key.
    pub key_bits: u32,
    /// How positions are numbered, in words: all processes must number them alike.
    pub numbering: String,
    code: Code,
    keeps: Keeps,
}

/// What runs the rules.
#[derive(Clone)]
enum Code {
    Codes(Codec, Expands),
    Program(Arc<jit::program::Rules>),
    Interpreted(Keys),
}

impl SharedGame {
    /// A game from its start on, or why a cluster does not solve it. So much memory may be used to look at its rules.
    pub fn new(bound: Bound, options: &Options, memory: u64) -> Result<SharedGame, SolveError> {
        let bound = Arc::new(bound);
        let case = Case::new(&bound, &bound.start, options, memory)?;
        let no = |why: &str| Err(SolveError::NotApplicable(why.to_string()));
        if case.facts.sum.holds || bound.program.sum.is_some() {
            return no("a cluster does not solve sums: their parts fit on one machine");
        }
        let (keeps, sought) = match case.facts.kind {
            Kind::Outcome if case.facts.nimbers => (Keeps::Outcome, Sought::Nimbers),
            Kind::Outcome => (Keeps::Outcome, Sought::Outcomes),
            Kind::Score => (Keeps::Score, Sought::Scores),
            Kind::Payoffs | Kind::Winners => {
                return no("a cluster solves games of two players who want opposite things");
            }
        };
        let (code, key_bits, numbering) = code(&case, keeps);
        let with_turn = case.facts.with_turn;
        drop(case);
        Ok(SharedGame { bound, sought, with_turn, key_bits, numbering, code, keeps })
    }

    /// What is kept of gains.
    pub fn keeps(&self) -> Keeps {
        self.keeps
    }

    /// The rules, for one worker.
    pub fn rules(&self) -> SharedRules<'_> {
        let source = match self.code.clone() {
            Code::Codes(codec, code) => Source::Codes { codec, code, group: None },
            Code::Program(rules) => Source::Program(rules),
            Code::Interpreted(keys) => Source::Interpreted(keys),
        };
        let bounds = if self.keeps == Keeps::Score { Bounds::ANY } else { Bounds::OUTCOME };
        let rules = Arc::new(RulesGame::new(&self.bound, self.keeps, source, bounds, false));
        SharedRules { game: self, rules }
    }
}

/// The rules of a game, as one worker asks them.
pub struct SharedRules<'g> {
    /// The game.
    pub game: &'g SharedGame,
    rules: Arc<RulesGame<'g>>,
}

impl<'g> SharedRules<'g> {
    /// From now on a position that takes long is left when the monitor's time is up or its flag is set.
    pub fn watch(&self, monitor: &Monitor) {
        self.rules.watch(monitor);
    }

    /// What works out options.
    pub fn expander(&self) -> Box<dyn Expander + 'g> {
        Arc::clone(&self.rules).expander()
    }

    /// How many words a key has.
    pub fn words(&self) -> usize {
        self.rules.words()
    }

    /// The key of the start.
    pub fn start(&self) -> Result<Vec<u64>, SolveError> {
        let outside = || SolveError::internal("the start is outside what was proved of all positions");
        self.rules.key(&self.game.bound.start).ok_or_else(outside)
    }

    /// The position of a key.
    pub fn position(&self, key: &[u64]) -> Result<Position, SolveError> {
        self.rules.position(key).ok_or_else(|| SolveError::internal("a key is none of a position"))
    }

    /// Who moves in the position of a key.
    pub fn mover(&self, key: &[u64]) -> Result<Player, SolveError> {
        Ok(self.position(key)?.turn)
    }

    /// An error of an engine, in the words of the rules file.
    pub fn placed(&self, trouble: Trouble) -> Trouble {
        match trouble {
            Trouble::Engine(error) => {
                let stuck = placed(error, &self.rules, self.game.keeps);
                Trouble::Solve(GivenUp::from(stuck).into_error(|reason| reason.to_string()))
            }
            other => other,
        }
    }
}

/// What runs the rules, the bits of a word of a key, and how positions are numbered.
fn code(case: &Case<'_>, keeps: Keeps) -> (Code, u32, String) {
    let bound = case.bound;
    let study = case.study();
    if let Ok(study) = &study
        && let Some(coded) = hashed(study)
    {
        let size = coded.numbering.size;
        let numbering = format!("{:?}", coded.numbering);
        let codec = Codec::new(coded, Player::FIRST);
        let start = codec.code_of(&case.start);
        if let Ok(code) = jit::ways::successors(bound, codec.coded(), start, keeps.gains()) {
            return (Code::Codes(codec, Arc::from(code)), bits_for(size.saturating_sub(1)).max(1), numbering);
        }
    }
    let numbering = format!("packed variables, turn {}", case.facts.with_turn);
    match case.program() {
        Ok(rules) => (Code::Program(rules), 64, format!("{numbering}, as they stand")),
        Err(_) => (Code::Interpreted(Keys::new(bound, case.facts.with_turn)), 64, numbering),
    }
}
