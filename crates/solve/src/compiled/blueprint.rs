//! The blueprint: how positions are numbered, which route is taken, and what it will cost, before anything is allocated.

use std::fmt;

use formula::group::Group;
use formula::order::with_names;
use formula::specialise::specialise;
use formula::study::{Study, study, study_parts};
use formula::worth::{has_draws, max_options};
use formula::{Coded, TurnPlace};
use jit::Values;
use rules::bind::{Bound, Position};

use crate::compiled::{Codec, Filled, symmetries};
use crate::options::{Detail, Engine, Options};
use crate::plan::{CodePlan, Kind, Method, Plan};
use crate::properties::Fact;

/// A game of at most so many positions stays with the interpreter: it is done before code would be ready.
const TINY: u64 = 2000;
/// No table is made larger than this, whatever the limit.
const MOST_BYTES: u64 = 1 << 38;
/// A position with more moves than this would keep compiled code busy for longer than a person who stops it waits.
const MOST_OPTIONS: u64 = 1 << 24;
/// Searches and retrograde analysis index no table of more codes: few of so many are met, and hashing these is quicker than
/// touching the table.
const MOST_SEARCHED: u64 = 1 << 26;
/// What outcomes take for one place of a searched table.
const SEARCH_BYTES: u64 = 4;

/// How compiled code solves the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// A loop nest fills a dense table, position after position.
    Fill(Values, Option<Values>),
    /// A memoised search in a dense table, from the start.
    Search,
    /// The positions met are hashed.
    Hash,
    /// Backwards from the ends, in a dense table.
    Retrograde,
    /// The methods of the interpreter, with compiled options: payoffs, totals, and what else needs every gain.
    Graph,
}

impl Route {
    /// One word.
    pub fn name(self) -> &'static str {
        match self {
            Route::Fill(..) => "fill",
            Route::Search => "search",
            Route::Hash => "hash",
            Route::Retrograde => "retrograde",
            Route::Graph => "graph",
        }
    }
}

/// What is done, and why.
#[derive(Clone, Debug)]
pub struct Blueprint {
    /// What is known of the game.
    pub study: Study,
    /// The formulas with codes.
    pub codec: Codec,
    /// The way.
    pub route: Route,
    /// Places of the table, or the most positions there can be.
    pub places: u64,
    /// What the table will take, where that is known beforehand.
    pub bytes: Option<u64>,
    /// Why this way, in words.
    pub why: String,
    /// How positions are numbered, in words.
    pub numbering: String,
    /// Symmetries by which one position stands for several.
    pub group: Option<Group>,
}

/// Why rules are not compiled, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interpreted(pub String);

impl fmt::Display for Interpreted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Blueprint {
    /// The blueprint for a plan with so much memory to spend, or why the interpreter does it.
    pub fn new(
        bound: &Bound,
        start: &Position,
        plan: &Plan,
        options: &Options,
        memory: u64,
    ) -> Result<Blueprint, Interpreted> {
        let forced = options.engine == Engine::Compiled || options.method.is_some_and(Method::is_compiled);
        let no = |why: &str| Err(Interpreted(why.to_string()));
        if options.engine == Engine::Interpreted {
            return no("asked for");
        }
        if plan.sum.holds && plan.method != Method::Grundy {
            return no("a sum that is searched as a whole: the moves of each part are worked out once");
        }
        let turns = if plan.with_turn { bound.players as u64 } else { 1 };
        let size = bound.layout.size().and_then(|size| size.checked_mul(turns));
        if !forced && size.is_some_and(|size| size <= TINY) {
            return no("so few positions that the interpreter is done before code would be ready");
        }
        let formulas = specialise(bound).map_err(|unsupported| Interpreted(unsupported.why))?;
        if max_options(&formulas) > MOST_OPTIONS {
            return no("a position may have more moves than code could count through before it looks up");
        }
        let mut study = match &start.parts[..] {
            parts if plan.sum.holds => {
                study_parts(formulas, &parts.iter().map(|part| &part[..]).collect::<Vec<_>>(), false)
            }
            [part] => study(formulas, part, start.turn.0, plan.with_turn),
            _ => return no("the position is no single part"),
        };
        if plan.partizan {
            // It is asked who wins whoever starts: both turns are looked at, whatever the cells tell.
            study.mover = None;
        }
        Choice { bound, plan, options, memory, study }.make()
    }

    /// Writes into a plan what is known now.
    pub fn note(&self, bound: &Bound, plan: &mut Plan) {
        let facts: Vec<String> = self.study.facts.iter().map(|fact| self.named(bound, fact)).collect();
        if let Ok(order) = &self.study.order {
            plan.acyclic = Fact::yes(self.named(bound, &order.why));
        } else if let Some(potential) = &self.study.potential {
            plan.acyclic = Fact::yes(format!("with every move {}", self.named(bound, &potential.why)));
        }
        let numbering = self.numbering.clone();
        let (places, bytes, seconds) = (self.places, self.bytes, self.seconds());
        plan.code = CodePlan::Compiled { numbering, facts, code: String::new(), places, bytes, seconds };
        self.set_method(self.route, &self.why, false, plan);
    }

    /// Whether a search indexes a table by code, with so much memory to spend. A loop nest may cover more codes than a search
    /// should, or can: if it fails, the positions met are hashed.
    pub(crate) fn searches_densely(&self, plan: &Plan, memory: u64) -> bool {
        self.route != Route::Hash && self.places <= MOST_SEARCHED && search_bytes(plan, self.places) <= memory
    }

    /// Whether nothing that the file declares needs to be checked at positions.
    pub(crate) fn proves_what_is_declared(&self, bound: &Bound) -> bool {
        symmetries::all_declared_are_proved(bound, &self.study)
    }

    /// The order of the time, in seconds: nanoseconds a place and a move as measured on one core of a common machine.
    fn seconds(&self) -> f64 {
        let arena = &self.study.formulas.arena;
        let ways = self.study.formulas.actions.iter().map(|action| {
            let width =
                |count: &formula::Count| arena.range(count.high).high as f64 - arena.range(count.low).low as f64;
            action.counts.iter().map(|count| (width(count) / 2.0).max(1.0)).product::<f64>()
        });
        let moves: f64 = ways.sum();
        let (place, mv) = match self.route {
            Route::Fill(_, None) => (0.5, 0.4),
            Route::Fill(_, Some(_)) => (1.0, 1.0),
            Route::Search => (40.0, 8.0),
            Route::Retrograde => (40.0, 12.0),
            Route::Hash => (60.0, 20.0),
            Route::Graph => (150.0, 40.0),
        };
        self.places as f64 * (place + mv * moves) * 1e-9
    }

    /// Sets the method and its reason to what a route is, taken because of `why`.
    pub fn set_method(&self, route: Route, why: &str, repeats: bool, plan: &mut Plan) {
        let (method, why) = match route {
            Route::Graph => return,
            Route::Fill(..) if plan.sum.holds => return,
            Route::Fill(..) => (Method::Fill, format!("a loop nest fills a table of all codes: {why}")),
            Route::Search => {
                (Method::Search, format!("a memoised search in a table of all codes, from the start; {why}"))
            }
            Route::Hash => (Method::Hash, format!("a search that hashes the positions it meets: {why}")),
            Route::Retrograde if !repeats => (Method::Retrograde, plan.why.clone()),
            Route::Retrograde => (
                Method::Retrograde,
                "positions repeat: ends are carried back over the moves, and what is never reached is endless play"
                    .to_string(),
            ),
        };
        plan.method = method;
        plan.why = why;
    }

    /// Words with the names of the rules file in them.
    pub fn named(&self, bound: &Bound, text: &str) -> String {
        let cell = |cell: u32| cell_name(bound, cell);
        let rule = |rule: usize| format!("`{}`", bound.program.moves[rule].name);
        with_names(text, &cell, &rule)
    }
}

/// What people call a cell.
pub(crate) fn cell_name(bound: &Bound, cell: u32) -> String {
    let cell = cell as usize;
    let slot = bound.layout.variables.iter().find(|slot| (slot.offset..slot.offset + slot.cells).contains(&cell));
    match slot {
        Some(slot) if slot.dims.is_empty() => slot.name.clone(),
        Some(slot) => slot.place((cell - slot.offset) / slot.stride.max(1)),
        None => format!("cell {cell}"),
    }
}

/// What a dense search takes, at the most.
fn search_bytes(plan: &Plan, places: u64) -> u64 {
    places.saturating_mul(if plan.nimbers || plan.kind == Kind::Score { 2 * SEARCH_BYTES } else { SEARCH_BYTES })
}

/// The choice of a route under way.
struct Choice<'c> {
    bound: &'c Bound,
    plan: &'c Plan,
    options: &'c Options,
    memory: u64,
    study: Study,
}

impl Choice<'_> {
    fn make(self) -> Result<Blueprint, Interpreted> {
        let compares = self.options.check_total && !self.options.method.is_some_and(Method::is_compiled);
        let counts_all = matches!(self.plan.kind, Kind::Payoffs | Kind::Winners)
            || (self.plan.kind == Kind::Score && compares && !self.total_is_proved());
        if counts_all {
            return self.graph("every player's gains are kept, which the methods on graphs do");
        }
        let asked = self.options.method;
        if matches!(asked, Some(Method::Induction | Method::Loopy)) {
            return self.graph("asked for with --method");
        }
        if matches!(asked, None | Some(Method::Fill | Method::Grundy))
            && self.plan.method != Method::Retrograde
            && let Some(skewed) = self.study.skewed.clone()
        {
            let skewed = Choice { study: *skewed, ..self };
            if let Some(coded) = skewed.study.coded(true, TurnPlace::First)
                && let Ok((route, bytes)) = skewed.fill(&coded)
            {
                let why = "the order is proved, so that nothing is searched";
                return skewed.blueprint(coded, route, Some(bytes), why);
            }
        }
        // Where positions may repeat, the two turns of a position are looked at one after the other.
        let may_repeat = self.study.order.is_err() && self.study.potential.is_none();
        let dense = self.study.coded(true, if may_repeat { TurnPlace::Last } else { TurnPlace::First });
        if self.plan.method == Method::Retrograde {
            let fits = |coded: &Coded| {
                let places = coded.numbering.size;
                places <= MOST_SEARCHED && self.affords(places.saturating_mul(2 * SEARCH_BYTES))
            };
            return match dense.filter(fits) {
                Some(coded) => self.blueprint(coded, Route::Retrograde, None, "positions repeat, or so it was asked"),
                None => self.graph("too many codes for a dense table"),
            };
        }
        let mut objection = String::new();
        if let (Some(coded), None | Some(Method::Fill | Method::Grundy)) = (&dense, asked) {
            match self.fill(coded) {
                Ok((route, bytes)) => {
                    let coded = coded.clone();
                    return self.blueprint(
                        coded,
                        route,
                        Some(bytes),
                        "the order is proved, so that nothing is searched",
                    );
                }
                Err(why) => objection = why,
            }
        }
        if self.plan.sum.holds {
            return Err(Interpreted(format!("no loop nest for the parts: {objection}")));
        }
        if asked == Some(Method::Fill) {
            let why = if dense.is_none() { "too many codes for a dense table".to_string() } else { objection };
            return Err(Interpreted(format!("no loop nest: {why}")));
        }
        if let (Some(coded), true) = (dense, asked != Some(Method::Hash)) {
            let bytes = search_bytes(self.plan, coded.numbering.size);
            if self.affords(bytes) && coded.numbering.size <= MOST_SEARCHED {
                return self.blueprint(coded, Route::Search, Some(bytes), &format!("no loop nest: {objection}"));
            }
        }
        if asked == Some(Method::Search) {
            return Err(Interpreted("a dense table would not fit in memory".to_string()));
        }
        match self.study.coded(false, TurnPlace::First).or_else(|| self.study.coded(true, TurnPlace::First)) {
            Some(coded) => self.blueprint(coded, Route::Hash, None, "a dense table would not fit in memory"),
            None => Err(Interpreted("a position does not fit in 63 bits".to_string())),
        }
    }

    fn total_is_proved(&self) -> bool {
        self.plan.constant_total.as_ref().is_some_and(|fact| fact.holds)
    }

    fn affords(&self, bytes: u64) -> bool {
        bytes <= self.memory.min(MOST_BYTES)
    }

    /// The values of a loop nest and their bytes, or why there is none.
    fn fill(&self, coded: &Coded) -> Result<(Route, u64), String> {
        let order = self.study.order.as_ref().map_err(Clone::clone)?;
        let places = coded.numbering.size;
        let route = match self.plan.kind {
            _ if self.plan.sum.holds => Route::Fill(self.nimber_values()?, None),
            Kind::Score => Route::Fill(self.score_values(), None),
            _ if self.options.detail == Detail::Outcome => {
                let draws = has_draws(&self.study.formulas);
                Route::Fill(if draws { Values::Outcome } else { Values::Win }, None)
            }
            _ => {
                let longest = order.longest.ok_or("no bound on the length of a play is known")?;
                let width = match longest {
                    0..=62 => 1,
                    63..=16_382 => 2,
                    16_383..=1_073_741_822 => 4,
                    _ => return Err("plays may be too long to count their moves".to_string()),
                };
                let wanted = self.plan.nimbers && self.options.detail == Detail::Full;
                let nimbers = wanted.then(|| self.nimber_values()).transpose()?;
                Route::Fill(Values::Remoteness { width }, nimbers)
            }
        };
        let Route::Fill(values, more) = route else { return Err(String::new()) };
        let more = more.map_or(0, |values| Filled::bytes_for(values, places));
        let bytes = Filled::bytes_for(values, places).saturating_add(more);
        match self.affords(bytes) {
            true => Ok((route, bytes)),
            false => Err(format!("a table of {places} places would take {bytes} bytes")),
        }
    }

    fn nimber_values(&self) -> Result<Values, String> {
        let width = match max_options(&self.study.formulas) {
            0..=255 => 1,
            256..=65_535 => 2,
            65_536..=0xffff_fffe => 4,
            _ => return Err("no bound on the number of moves is known".to_string()),
        };
        Ok(Values::Nimber { width })
    }

    fn score_values(&self) -> Values {
        let bound = self.study.score_bound.map(i64::unsigned_abs);
        let width = match bound {
            Some(0..=126) => 1,
            Some(127..=32_766) => 2,
            Some(32_767..=2_147_483_646) => 4,
            _ => 8,
        };
        Values::Score { width, checked: bound.is_none_or(|bound| bound >= i64::MAX as u64) }
    }

    fn graph(self, why: &str) -> Result<Blueprint, Interpreted> {
        let coded = self.study.coded(false, TurnPlace::First).or_else(|| self.study.coded(true, TurnPlace::First));
        let coded = coded.ok_or_else(|| Interpreted("a position does not fit in 63 bits".to_string()))?;
        self.blueprint(coded, Route::Graph, None, why)
    }

    fn blueprint(self, coded: Coded, route: Route, bytes: Option<u64>, why: &str) -> Result<Blueprint, Interpreted> {
        let places = coded.numbering.size;
        let numbering = self.numbering(&coded, route);
        let codec = Codec::new(coded, game::Player::FIRST);
        let mut blueprint =
            Blueprint { study: self.study, codec, route, places, bytes, why: String::new(), numbering, group: None };
        blueprint.why = blueprint.named(self.bound, why);
        if route == Route::Hash
            && let Some((group, words)) = symmetries::group(self.bound, &blueprint.study, blueprint.codec.coded())
        {
            blueprint.group = Some(group);
            blueprint.numbering.push_str(&format!("; {words}"));
        }
        Ok(blueprint)
    }

    fn numbering(&self, coded: &Coded, route: Route) -> String {
        let mut text = match route {
            Route::Hash | Route::Graph => {
                let bits = 64 - (coded.numbering.size.max(1) - 1).leading_zeros();
                format!("codes of {bits} bits, hashed")
            }
            _ => format!("dense codes below {}", coded.numbering.size),
        };
        for (cell, _) in &coded.derived {
            text.push_str(&format!("; {} follows from the rest", cell_name(self.bound, *cell)));
        }
        text.push_str(match (coded.mover, coded.numbering.turn) {
            (Some(_), _) => "; the cells tell whose turn it is",
            (None, Some(_)) => "; with the turn",
            (None, None) => "",
        });
        text
    }
}
