//! `quotient`: a misère sum, in which who cannot move wins, by its misère quotient.
//!
//! Nimbers do not tell who wins such a sum, and a search of whole sums soon meets too many of them. But the parts that
//! can come up from a start are finitely many, and sums of them fall into classes that can replace each other everywhere.
//! Where these classes are few, [`heaps::misere::Quotient`] finds and verifies them, and the outcome of any sum is a product
//! away. Nothing is asked of the parts but that they cannot repeat: they are numbered so that every option of a part has
//! smaller numbers, and count as heaps of these sizes.
//!
//! A quotient knows no lengths. So small sums are searched, which tells how long play lasts, and this is for the others.

use std::rc::Rc;

use engine::graph::{Graph, Id};
use engine::memory::Lease;
use engine::monitor::Monitor;
use game::{Outcome, Player, Verdict};
use heaps::misere::{Element, HeapRules, Limits, Quotient as MisereQuotient};
use rules::bind::{Bound, Position};
use rules::show;

use crate::answers::{Answers, Next, Positions, Proof, Rater, TableWalker, Walker};
use crate::case::Case;
use crate::error::{Reason, SolveError};
use crate::facts::Fact;
use crate::methods::{Code, Cost, Found, GivenUp, Look, Method, Prepared, Prospect, Report, Unit};
use crate::options::MethodName;
use crate::stopping::charged;
use positions::oracle::Keeps;
use positions::parts::{NOTHING, Parts};

/// Its name.
const NAME: MethodName = MethodName::new("quotient");

/// The method.
pub(super) struct Quotient;

impl Method for Quotient {
    fn name(&self) -> MethodName {
        NAME
    }

    fn about(&self) -> &'static str {
        "The misère quotient of the parts of a sum that is lost by the last mover"
    }

    /// The parts are explored here, as far as a few thousand: how large the sum is decides whether it is searched.
    fn recognise<'b>(&self, case: &Case<'b>, monitor: &mut Monitor) -> Result<Look<'b>, SolveError> {
        let facts = &case.facts;
        if !facts.sum.holds {
            return Ok(Look::no("the game is not a `sum of` parts"));
        }
        if !facts.impartial.holds {
            return Ok(Look::no(format!("the game is not impartial: {}", facts.impartial.why)));
        }
        if !facts.misere {
            return Ok(Look::no("it is for sums in which who cannot move wins"));
        }
        if case.options.method.is_some_and(|method| method != NAME) {
            return Ok(Look::no("another method was asked for"));
        }
        if let Some(reason) = case.gave_up_with(NAME) {
            return Ok(Look::no(reason.to_string()));
        }
        let asked = case.options.method.is_some();
        let explored = match Explored::new(case.bound, &case.start, monitor) {
            Ok(explored) => explored,
            Err(NoQuotient::Because(why)) => return Ok(Look::no(why)),
            Err(NoQuotient::Error(error)) if asked || !error.is_limit() => return Err(error),
            Err(NoQuotient::Error(error)) => return Ok(Look::no(error.to_string())),
        };
        let why = "a misère sum: sums of the parts fall into few classes that can replace each other, and the product of \
                   the classes of its parts tells who wins";
        let parts = explored.parts.len() - 1;
        let seconds = Some(LEAST_SECONDS + parts as f64 * PART_SECONDS);
        let cost = Cost { positions: Some(parts as u64), seconds, ..Cost::default() };
        let is_decisive = explored.is_large(&case.start);
        let code = Code::Interpreted("the moves of each part are worked out once".to_string());
        let prepared = PreparedQuotient { bound: case.bound, explored, asked };
        let prospect = Prospect::new(why, code, prepared);
        Ok(Look::yes(Prospect { cost, unit: Unit::Part, is_decisive, tells_lengths: false, ..prospect }))
    }
}

struct PreparedQuotient<'b> {
    bound: &'b Bound,
    explored: Explored<'b>,
    asked: bool,
}

impl<'b> Prepared<'b> for PreparedQuotient<'b> {
    fn run(&self, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        let answers = self.explored.quotient(monitor).map_err(|no| match no {
            NoQuotient::Because(why) => GivenUp::Because(Reason::Values(format!("no misère quotient: {why}"))),
            NoQuotient::Error(error) if error.is_limit() && !self.asked => GivenUp::Because(Reason::Limit(error)),
            NoQuotient::Error(error) => GivenUp::Error(error),
        })?;
        let count = answers.parts.len() - 1;
        let mut report = Report::new(Fact::no(format!("{count} different parts can come up, and none repeats")));
        report.findings = answers.describe(self.bound);
        report.declared = answers.parts.audit().map(|audit| audit.report());
        Ok(Found { answers: Box::new(answers), report })
    }
}

/// With more different parts, the quotient is not tried.
const MOST_PARTS: usize = 4096;
/// Seconds for a quotient that is small, at least and for each part. Others are given up where a search takes less.
const LEAST_SECONDS: f64 = 0.5e-3;
const PART_SECONDS: f64 = 100e-6;
/// Sums with fewer positions than about this may be searched.
const LARGE: f64 = 200_000.0;
/// Where parts split, sums may be searched whose longest plays of the parts add up to less. `LARGE` is about the number of
/// its partitions.
const LARGE_SPLIT: u64 = 40;
/// How many parts are listed with their elements.
const SHOWN: usize = 40;

/// The options of parts, numbered as heaps.
#[derive(Debug)]
struct Options(Vec<Vec<Vec<u32>>>);

impl HeapRules for Options {
    fn options(&self, heap: u32) -> Vec<Vec<u32>> {
        self.0.get(heap as usize).cloned().unwrap_or_default()
    }
}

/// A sum whose parts have elements of a misère quotient.
struct QuotientAnswers<'b> {
    parts: Rc<Parts<'b>>,
    /// The heap that each part counts as.
    heaps: Vec<u32>,
    quotient: MisereQuotient<Options>,
    /// How many different options each part has.
    counts: Vec<usize>,
    /// What the parts hold, and the quotient.
    _leases: (Rc<Lease>, Lease),
}

/// Why there is no quotient.
enum NoQuotient {
    /// It does not apply or was not found; says why.
    Because(String),
    /// Something went wrong on the way.
    Error(SolveError),
}

impl<E: Into<SolveError>> From<E> for NoQuotient {
    fn from(error: E) -> NoQuotient {
        NoQuotient::Error(error.into())
    }
}

/// The parts of a start with what can become of them.
struct Explored<'b> {
    parts: Rc<Parts<'b>>,
    options: Vec<Vec<Box<[Id]>>>,
    /// The longest play of each part.
    heights: Vec<u64>,
    lease: Rc<Lease>,
}

impl<'b> Explored<'b> {
    /// Finds all parts that can come up.
    fn new(bound: &'b Bound, start: &Position, monitor: &mut Monitor) -> Result<Explored<'b>, NoQuotient> {
        monitor.enter("finding parts");
        let memory = monitor.memory().clone();
        let mut lease = memory.lease();
        let mut parts = Parts::new(bound, Keeps::Outcome, &memory)?;
        for part in &start.parts {
            parts.number(part)?;
        }
        let mut options: Vec<Vec<Box<[Id]>>> = Vec::new();
        while options.len() < parts.len() {
            if parts.len() > MOST_PARTS {
                return Err(NoQuotient::Because(format!("there are more than {MOST_PARTS} different parts")));
            }
            monitor.tick(parts.len() as u64, 0)?;
            let moves = parts.moves(options.len() as Id, Player::FIRST).map_err(|error| parts.placed(error))?;
            let mut here: Vec<Box<[Id]>> = moves.into_iter().map(|mv| mv.into).collect();
            here.iter_mut().for_each(|into| into.sort_unstable());
            here.sort_unstable();
            here.dedup();
            // Each option is kept here and as an option of heaps.
            lease.grow(here.iter().map(|into| 2 * (32 + 4 * into.len() as u64)).sum())?;
            options.push(here);
        }
        let heights = heights(&options).ok_or_else(|| NoQuotient::Because("a part can repeat".to_string()))?;
        Ok(Explored { parts: Rc::new(parts), options, heights, lease: Rc::new(lease) })
    }

    /// Whether a search of whole sums would meet very many: an estimate, which decides nothing but the way.
    fn is_large(&self, start: &Position) -> bool {
        let mut found: Vec<Id> = start.parts.iter().filter_map(|part| self.parts.find(part)).collect();
        found.sort_unstable();
        if self.options.iter().flatten().any(|into| into.len() > 1) {
            let total = found.iter().fold(0u64, |sum, &part| sum.saturating_add(self.heights[part as usize]));
            return total > LARGE_SPLIT;
        }
        let mut positions = 1.0;
        let mut equal = 0.0;
        for (index, &part) in found.iter().enumerate() {
            equal = if index > 0 && found[index - 1] == part { equal + 1.0 } else { 1.0 };
            // So many parts of height h take (h + 1)(h + 2)…/(1·2…) multisets.
            positions *= (self.heights[part as usize] as f64 + equal) / equal;
        }
        positions > LARGE
    }

    /// Finds the quotient.
    fn quotient(&self, monitor: &mut Monitor) -> Result<QuotientAnswers<'b>, NoQuotient> {
        monitor.enter("misère quotient");
        let Explored { parts, options, heights, .. } = self;
        let mut order: Vec<usize> = (0..options.len()).filter(|&part| part != NOTHING as usize).collect();
        order.sort_by_key(|&part| (heights[part], part));
        let mut heaps = vec![0; options.len()];
        for (place, &part) in order.iter().enumerate() {
            heaps[part] = place as u32 + 1;
        }
        let as_heaps = |into: &[Id]| into.iter().map(|&part| heaps[part as usize]).collect::<Vec<u32>>();
        let mut rules = vec![Vec::new()];
        rules.extend(order.iter().map(|&part| options[part].iter().map(|into| as_heaps(into)).collect()));
        let mut quotient = MisereQuotient::new(Options(rules), Limits::default());
        let mut held = monitor.memory().lease();
        for heap in 1..=order.len() as u32 {
            let (positions, settled) = (parts.len() as u64, u64::from(heap) - 1);
            monitor.look(positions, settled)?;
            let extend = |go_on: &mut dyn FnMut(u64) -> bool| quotient.extend_while(heap, go_on);
            let taken = charged(monitor, positions, settled, &mut held, extend)?;
            taken.map_err(|error| NoQuotient::Because(error.to_string()))?;
        }
        held.resize(quotient.bytes())?;
        Ok(QuotientAnswers {
            parts: Rc::clone(parts),
            heaps,
            quotient,
            counts: options.iter().map(Vec::len).collect(),
            _leases: (Rc::clone(&self.lease), held),
        })
    }
}

/// The longest play of each part; `None` if one can repeat.
fn heights(options: &[Vec<Box<[Id]>>]) -> Option<Vec<u64>> {
    const OPEN: u64 = u64::MAX;
    let mut heights: Vec<Option<u64>> = vec![None; options.len()];
    for start in 0..options.len() {
        let mut stack = vec![start];
        while let Some(&part) = stack.last() {
            let known = |next: &Id| heights[*next as usize].filter(|&height| height != OPEN);
            if known(&(part as Id)).is_some() {
                stack.pop();
                continue;
            }
            let nexts = || options[part].iter().flat_map(|into| into.iter());
            let missing: Vec<usize> = nexts().filter(|next| known(next).is_none()).map(|&next| next as usize).collect();
            if missing.is_empty() {
                // A play of an option may go through all parts of it, one after the other.
                let play =
                    |into: &[Id]| into.iter().fold(1u64, |sum, next| sum.saturating_add(known(next).unwrap_or(0)));
                let height = options[part].iter().map(|into| play(into)).max().unwrap_or(0);
                heights[part] = Some(height.min(OPEN - 1));
                stack.pop();
            } else {
                if heights[part] == Some(OPEN) || missing.iter().any(|&next| heights[next] == Some(OPEN)) {
                    return None;
                }
                heights[part] = Some(OPEN);
                stack.extend(missing);
            }
        }
    }
    heights.into_iter().collect()
}

impl QuotientAnswers<'_> {
    /// How many options a part has.
    fn options_of(&self, part: &[i64]) -> usize {
        self.parts.find(part).map_or(0, |part| self.counts[part as usize])
    }

    fn element(&self, part: &[i64]) -> Option<Element> {
        let part = self.parts.find(part)?;
        self.quotient.element(self.heaps[part as usize].into())
    }

    fn product(&self, start: Element, parts: &[Box<[i64]>]) -> Option<Element> {
        parts.iter().try_fold(start, |product, part| Some(self.quotient.product(product, self.element(part)?)))
    }

    fn verdict_on(&self, element: Element) -> Verdict {
        let outcome = if self.quotient.is_p_type(element) { Outcome::Loss } else { Outcome::Win };
        Verdict::outcome_in(outcome, None)
    }

    /// For each part, the element of all the others.
    fn beside(&self, position: &Position) -> Option<Vec<Element>> {
        let elements = position.parts.iter().map(|part| self.element(part)).collect::<Option<Vec<_>>>()?;
        let mut beside = vec![Element::ONE; elements.len()];
        let mut before = Element::ONE;
        for (place, &element) in beside.iter_mut().zip(&elements) {
            *place = before;
            before = self.quotient.product(before, element);
        }
        let mut behind = Element::ONE;
        for (place, &element) in beside.iter_mut().zip(&elements).rev() {
            *place = self.quotient.product(*place, behind);
            behind = self.quotient.product(behind, element);
        }
        Some(beside)
    }

    /// Who wins when these parts take the place of one, beside the others.
    fn verdict_after(&self, beside: Element, into: &[Box<[i64]>]) -> Option<Verdict> {
        self.product(beside, into).map(|element| self.verdict_on(element))
    }

    /// The quotient and the elements of the parts, for people.
    fn describe(&self, bound: &Bound) -> Vec<(&'static str, String)> {
        let presentation = self.quotient.presentation();
        let generator = |heap: &u32| self.part_of(bound, *heap);
        let generators: Vec<String> = presentation.generators.iter().map(generator).collect();
        let order = format!(
            "order {}, {} lost; {presentation}; generated by {}",
            self.quotient.order(),
            self.quotient.p_types(),
            generators.join(" · ")
        );
        let count = self.quotient.largest();
        let mut parts: Vec<String> = Vec::new();
        for heap in (1..=count).take(SHOWN) {
            let Some(element) = self.quotient.element(heap.into()) else { continue };
            let mut normal = self.quotient.normal_form(element).to_vec();
            normal.reverse();
            parts.push(format!("{}: {}", self.part_of(bound, heap), presentation.word(&normal)));
        }
        if count as usize > SHOWN {
            parts.push("…".to_string());
        }
        vec![("quotient", order), ("parts", parts.join("; "))]
    }

    fn part_of(&self, bound: &Bound, heap: u32) -> String {
        let part = self.heaps.iter().skip(1).position(|&other| other == heap).map_or(0, |part| part + 1);
        show::part_text(bound, &self.parts.cells(part as Id))
    }
}

impl Answers for QuotientAnswers<'_> {
    fn verdict(&self, position: &Position) -> Option<Verdict> {
        self.product(Element::ONE, &position.parts).map(|element| self.verdict_on(element))
    }

    fn positions(&self) -> u64 {
        self.parts.len() as u64 - 1
    }

    fn proof(&self, _: &Position) -> Proof {
        Proof::Theorem(format!("misère quotient of order {}", self.quotient.order()))
    }

    fn knows_lengths(&self) -> bool {
        false
    }

    /// The elements of the other parts are multiplied once.
    fn rater<'a>(&'a self, position: &'a Position) -> Result<Rater<'a>, SolveError> {
        let beside = self.beside(position).ok_or_else(|| SolveError::internal("a part has no element"))?;
        Ok(Box::new(move |play| self.verdict_after(beside[play.part], &play.into)))
    }

    fn each(&self, turn: Player) -> Positions<'_> {
        Box::new(self.parts.each(NOTHING + 1).map(move |part| Position { parts: vec![part], turn }))
    }

    fn random(&self, turn: Player, random: &mut dyn FnMut() -> u64) -> Option<Position> {
        self.parts.random(random).map(|part| Position { parts: vec![part], turn })
    }

    fn walker<'a>(&'a self, game: &'a Bound, _: &Position) -> Result<Box<dyn Walker + 'a>, SolveError> {
        Ok(Box::new(QuotientWalker { table: TableWalker::new(self, game), answers: self, looked: 0 }))
    }
}

/// How many moves a walk through a sum of very many positions may rate before it has gone far.
const MOST_RATED: u128 = 2_000_000;

/// Goes along the table, and counts what it looks at.
struct QuotientWalker<'a> {
    table: TableWalker<'a, QuotientAnswers<'a>>,
    answers: &'a QuotientAnswers<'a>,
    looked: u128,
}

impl Walker for QuotientWalker<'_> {
    fn next(&mut self, position: &Position) -> Result<Next, SolveError> {
        self.looked += position.parts.iter().map(|part| self.answers.options_of(part) as u128).sum::<u128>();
        Ok(match self.table.next(position)? {
            Next::Move { play, .. } => Next::Move { play, far: self.looked > MOST_RATED },
            other => other,
        })
    }
}
