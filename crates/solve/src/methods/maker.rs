//! Makes the game that is searched, from what is known of a case: rules as masks, as code, or interpreted. The searches (`proving`) and the
//! look ahead (`answer/ahead.rs`) share it.

use std::sync::Arc;

use engine::monitor::Monitor;
use formula::study::Study;
use masks::Masks;
use rules::bind::{Bound, Position};
use search::game::{Bounds, INFINITE};

use crate::case::{Case, Kind, Sampled};
use crate::error::SolveError;
use crate::facts::Fact;
use crate::methods::{Code, GivenUp};
use positions::audit::Proved;
use positions::coding::{Coding, Use, hashed, uncoded};
use positions::declared::{self, Declared};
use positions::oracle::Keeps;
use positions::proofs;
use positions::searched::{RulesGame, Source};
use positions::state::Keys;

/// Why no search is for such a game.
pub fn unsuited_at_all(case: &Case<'_>) -> Option<String> {
    // A search that is asked for need not tell everybody's gains.
    if let Err(why) = if case.options.method.is_some() { case.is_for_rivals() } else { case.suits_code() } {
        return Some(why);
    }
    let summed = case.options.summand || case.bound.program.sum.is_some();
    summed.then(|| "a sum is solved by its parts, or searched as a whole".to_string())
}

/// Makes the game that is searched.
pub(crate) struct Maker<'b> {
    bound: &'b Bound,
    coding: Option<Coding<'b>>,
    program: Option<Arc<jit::program::Rules>>,
    /// The rules as masks, where they have that form: these are taken first.
    masks: Option<Arc<Masks>>,
    /// Why they have not, where that was looked at.
    pub no_masks: Option<String>,
    keys: Keys,
    /// What is kept of gains.
    pub keeps: Keeps,
    /// Every value lies between these.
    pub bounds: Bounds,
    /// That positions cannot repeat, where the rules show it.
    pub acyclic: Option<Fact>,
    /// Whether that is shown, here or by the facts of the case.
    pub shown_acyclic: bool,
    /// What the file declares that is proved from the rules.
    proved: Proved,
}

impl<'b> Maker<'b> {
    /// The game that fits a case, of which a sample was taken or not; and what runs its rules.
    pub fn new(case: &Case<'b>, sampled: Option<&Sampled>) -> (Maker<'b>, Code) {
        let bound = case.bound;
        let study = case.study_beside(sampled);
        let coding = match &study {
            Ok(study) => hashed(study)
                .map(|coded| case.coding(Arc::clone(study), coded, Use::Hashed))
                .ok_or_else(|| uncoded(study).to_string()),
            Err(why) => Err(why.clone()),
        };
        let (coding, program, code) = match coding {
            Ok(coding) => {
                let code = Code::compiled(case, &coding);
                (Some(coding), None, code)
            }
            Err(why) => match case.program_beside(sampled) {
                Ok(rules) => {
                    let numbering = format!("keys of {} bits: {why}", rules.bits());
                    let proved = study.iter().flat_map(|study| &study.facts).map(|fact| case.named(fact)).collect();
                    (None, Some(rules), Code::Compiled { numbering, proved })
                }
                Err(_) => (None, None, Code::Interpreted(why)),
            },
        };
        let (masks, no_masks, code) = match study.as_ref().map(|study| masked(case, study, coding.is_some())) {
            Ok(Ok((masks, code))) => (Some(masks), None, code),
            Ok(Err(why)) => (None, Some(why), code),
            Err(_) => (None, None, code),
        };
        let acyclic = study.as_ref().ok().and_then(|study| case.shown_acyclic(study));
        let keeps = if case.facts.kind == Kind::Score { Keeps::Score } else { Keeps::Outcome };
        let score = study.as_ref().ok().and_then(|study| study.score_bound).map(i64::unsigned_abs);
        let bounds = match (keeps, score) {
            (Keeps::Outcome, _) => Bounds::OUTCOME,
            (_, Some(most)) if most < INFINITE as u64 / 4 => Bounds { low: -(most as i64), high: most as i64 },
            _ => Bounds::ANY,
        };
        let shown_acyclic = acyclic.is_some() || case.facts.acyclic.holds;
        let keys = Keys::new(bound, case.facts.with_turn);
        let proved = case.proved(study.ok().as_deref());
        (Maker { bound, coding, program, masks, no_masks, keys, keeps, bounds, acyclic, shown_acyclic, proved }, code)
    }

    /// How many words a key has.
    pub fn words(&self) -> usize {
        match (&self.masks, &self.coding, &self.program) {
            (Some(masks), _, _) => masks.words(),
            (None, Some(_), _) => 1,
            (None, None, Some(rules)) => rules.words(),
            (None, None, None) => self.keys.words(),
        }
    }

    /// Seconds to make the code.
    pub fn making(&self) -> f64 {
        let is_made = self.masks.as_ref().is_none_or(|masks| masks.needs_judge());
        self.coding.as_ref().filter(|_| is_made).map_or(0.0, Coding::making)
    }

    /// The game.
    pub fn game(&self) -> Result<Arc<RulesGame<'b>>, GivenUp> {
        let of = |source| RulesGame::new(self.bound, self.keeps, source, self.bounds, self.shown_acyclic);
        Ok(Arc::new(match &self.masks {
            Some(masks) if masks.needs_judge() => of(Source::Masks(Arc::clone(masks))).with_judge(of(self.unmasked()?)),
            Some(masks) => of(Source::Masks(Arc::clone(masks))),
            None => of(self.unmasked()?),
        }))
    }

    /// What runs the rules where masks do not.
    fn unmasked(&self) -> Result<Source, GivenUp> {
        Ok(match (&self.coding, &self.program) {
            (Some(coding), _) => {
                Source::Codes { codec: coding.codec.clone(), code: coding.successors()?, group: coding.group.clone() }
            }
            (None, Some(rules)) => Source::Program(Arc::clone(rules)),
            (None, None) => Source::Interpreted(self.keys.clone()),
        })
    }

    /// What the file declares: proved from the rules, or checked at the first positions, for a share of the seconds that the
    /// search is predicted to take. No answer rests on it.
    pub fn declared(
        &self,
        start: &Position,
        seconds: Option<f64>,
        monitor: &mut Monitor,
    ) -> Result<Option<Fact>, SolveError> {
        match self.coding.as_ref().and_then(Coding::proves_declared) {
            Some(proved) => Ok(Some(proved)),
            None => {
                let codec = self.coding.as_ref().and_then(Coding::walked);
                let longest = declared::beside(seconds);
                let declared = Declared { bound: self.bound, codec, proved: self.proved, keeps: self.keeps };
                declared.check_for(longest, start, monitor)
            }
        }
    }
}

/// Code that tests more moves one by one is slower than formulas.
const MOST_MOVES: usize = 256;

/// The rules as masks, and how they run. They are made once a case.
fn masked(case: &Case<'_>, study: &Study, codes: bool) -> Result<(Arc<Masks>, Code), String> {
    let (masks, numbering) = case.proved_once.masks.get_or_init(|| find_masks(case, study, codes)).clone()?;
    let proved = study.facts.iter().map(|fact| case.named(fact)).collect();
    Ok((masks, Code::Compiled { numbering, proved }))
}

/// The rules as masks, and what these are in words. Where positions have `codes` too, masks are better only if they tell how the
/// game ends. (What can still be gained is not reason enough: on Dots and Boxes it saved a thirtieth of the positions, and masks
/// took twice as long for each.)
fn find_masks(case: &Case<'_>, study: &Study, codes: bool) -> Result<(Arc<Masks>, String), String> {
    let mut masks = Masks::new(&study.formulas, case.facts.with_turn).map_err(|why| case.named(&why))?;
    match () {
        () if study.skew.is_some() => return Err("a variable holds something else than in the rules".to_string()),
        () if codes && !masks.tells_ends() => {
            return Err("they tell neither how the game ends nor what can still be gained".to_string());
        }
        () if codes && masks.moves() > MOST_MOVES => {
            return Err(format!("there are {} moves, which code tests more quickly", masks.moves()));
        }
        () => {}
    }
    let cells = case.start.parts.first().map_or(&[][..], |part| part);
    // Whoever starts, nothing that was proved of open positions is spoiled there.
    if (0..2).any(|turn| masks.key(cells, turn).is_none_or(|key| masks.has_line(&key))) {
        return Err("the start is one of the positions that they leave out".to_string());
    }
    let mut numbering = masks.in_words().to_string();
    match masks.fold_by(&proofs::permutations(case.bound, study)) {
        0 => {}
        images => numbering.push_str(&format!("; one of up to {} symmetric positions is kept", images + 1)),
    }
    Ok((Arc::new(masks), numbering))
}
