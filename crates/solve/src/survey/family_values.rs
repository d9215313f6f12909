//! The values of a family of positions: how many are won by whom, how many values there are, which is the hottest, and where
//! a wanted one occurs. A position without a value is counted as such, and the others go on.
//!
//! One valuer serves all positions, so that a part that many of them share is valued once: of the 65,536 boards of
//! 4 × 4 Domineering most are valued by looking their parts up.

use std::cmp::Reverse;

use boards::CanonicalForms;
use engine::memory::Lease;
use engine::monitor::Monitor;
use game::OutcomeClass;
use rules::bind::{Bound, Position};
use rustc_hash::FxHashMap;
use values::expression::{Answer, Calculator, NoPositions};
use values::{Arena, Dyadic};

use super::family::Family;
use super::loops::{Loops, MaybeLoopy};
use crate::answer::game_forms::GameForms;
use crate::answer::solution::Understood;
use crate::answer::value_in_arena::partizan;
use crate::case::Case;
use crate::error::{GivenUp, Reason, SolveError};
use crate::options::Options;
use crate::part_values::SharedArena;
use crate::stopping::{clocked, watched};
use crate::value_text::ValueText;

/// What one more value takes in the tables of a survey, about.
const ENTRY: u64 = 96;
/// How many positions with a wanted value are told.
const MOST_PLACES: usize = 100;
/// How many values are told by name, the most frequent first.
const MOST_NAMED: usize = 1000;

/// What to find out, and what is known from an earlier run.
pub struct Task<'t> {
    /// The positions.
    pub family: &'t Family,
    /// Values that are looked for, by name.
    pub wanted: &'t [String],
    /// The first positions' values from a run that was stopped, by name; `None` for one that must be valued again.
    pub known: &'t mut dyn Iterator<Item = Option<String>>,
    /// Is told of every position that was not known.
    pub each: &'t mut dyn FnMut(&SurveyedPosition<'_>) -> Result<(), SolveError>,
    /// Whether `each` looks at anything.
    pub listed: bool,
}

/// One position of a survey.
pub struct SurveyedPosition<'s> {
    /// Its number in the family.
    pub number: u64,
    /// The position.
    pub position: &'s Position,
    /// Who wins it, absent where play may be drawn, and its value; or why it has none.
    pub found: Result<(Option<OutcomeClass>, &'s ValueText), &'s str>,
}

/// The values of a family of positions.
#[derive(Clone, Debug)]
pub struct ValueSurvey {
    /// The game's name.
    pub game: String,
    /// The instance as understood.
    pub instance: Understood,
    /// How many positions there are.
    pub positions: u64,
    /// How many of them are known from an earlier run.
    pub known: u64,
    /// How many positions Left wins whoever begins, then Right, then whoever begins, then whoever does not.
    pub classes: [(OutcomeClass, u64); 4],
    /// How many positions have a loopy value by which somebody can draw.
    pub drawn: u64,
    /// The positions without a value, if there are any.
    pub unvalued: Option<Unvalued>,
    /// How many different values there are.
    pub distinct: u64,
    /// The most frequent values.
    pub values: Vec<Frequent>,
    /// How many positions have each temperature.
    pub temperatures: Vec<(String, u64)>,
    /// The first position of the greatest temperature.
    pub hottest: Option<Frequent>,
    /// Where the wanted values occur, in their order.
    pub found: Vec<Found>,
    /// How many parts were valued.
    pub parts: u64,
    /// What it took, in seconds.
    pub seconds: f64,
    /// Bytes at the peak.
    pub bytes: u64,
}

/// A value that occurs.
#[derive(Clone, Debug)]
pub struct Frequent {
    /// The value.
    pub canonical: ValueText,
    /// How many positions have it.
    pub count: u64,
    /// The first of them.
    pub first: Position,
}

/// Positions without a value.
#[derive(Clone, Debug)]
pub struct Unvalued {
    /// How many there are.
    pub count: u64,
    /// The first of them.
    pub first: Position,
    /// Why it has no value.
    pub why: String,
}

/// Where a wanted value occurs.
#[derive(Clone, Debug)]
pub struct Found {
    /// The value.
    pub value: String,
    /// How many positions have it.
    pub count: u64,
    /// The first of them.
    pub positions: Vec<Position>,
}

/// Values all positions of a family, in the order of their numbers.
pub fn survey(
    bound: &Bound,
    task: &mut Task<'_>,
    options: &Options,
    monitor: &mut Monitor,
) -> Result<ValueSurvey, SolveError> {
    let start = task.family.position(0);
    let case = Case::new(bound, &start, options, monitor.memory().free())?;
    if !case.facts.nimbers {
        partizan(bound, &case.facts)?;
    }
    let done = watched(monitor, |monitor| {
        monitor.enter_expecting("valuing positions", task.family.len());
        let arena = SharedArena::new(CanonicalForms::new(monitor).arena);
        let forms = GameForms::anywhere(bound, case.decomposition(), &arena);
        let loops = Loops::new(monitor);
        let mut counts = Counts::new(Values { bound, arena, forms, loops }, monitor);
        counts.look_for(task.wanted)?;
        counts.run(task, monitor)?;
        counts.refuse_nothing(task.family)?;
        counts.survey(task.family, monitor)
    });
    let mut survey = done.map_err(|error| clocked(error, monitor))?;
    survey.seconds = monitor.elapsed().as_secs_f64();
    survey.bytes = monitor.memory().peak();
    Ok(survey)
}

/// Values of positions, in one arena.
struct Values<'b> {
    bound: &'b Bound,
    arena: SharedArena,
    forms: GameForms<'b>,
    loops: Loops,
}

impl Values<'_> {
    /// Does something in the arena.
    fn within<T>(&self, work: impl FnOnce(&mut Arena) -> values::Result<T>) -> Result<T, SolveError> {
        Ok(self.arena.within(work)?)
    }

    /// How many parts were met.
    fn parts(&self) -> u64 {
        self.forms.met()
    }

    /// The value of a position, or why it has none.
    fn value(&mut self, position: &Position, monitor: &mut Monitor) -> Result<Result<MaybeLoopy, String>, SolveError> {
        let found = self.forms.form(position, monitor).and_then(|form| self.loops.numbered(form));
        match found {
            Ok(value) => Ok(Ok(value)),
            Err(GivenUp::Because(Reason::Limit(error) | Reason::Dear(error) | Reason::Late(error))) => Err(error),
            Err(GivenUp::Because(why)) => Ok(Err(why.to_string())),
            Err(GivenUp::Error(error)) => match error {
                // Play need not be able to reach the position, and the rules may not be made for it.
                SolveError::Fault(ref fault) if !error.is_limit() => Ok(Err(fault.diagnostic.title.clone())),
                SolveError::Overflow | SolveError::NotApplicable(_) => Ok(Err(error.to_string())),
                error => Err(error),
            },
        }
    }
}

impl Values<'_> {
    /// A value by its name.
    fn read(&mut self, text: &str) -> values::Result<MaybeLoopy> {
        let read = self.arena.with(|arena| Calculator::new(arena, &mut NoPositions).evaluate(text))?;
        match read {
            Answer::Game(value) => Ok(MaybeLoopy::Value(value)),
            Answer::Loopy(loopy) => self.loops.number(loopy),
            _ => Err(values::Error::Undefined("a value is expected here".to_string())),
        }
    }

    /// Who wins a value whoever begins, absent where play may be drawn, and its name.
    fn class_and_name(&self, value: MaybeLoopy) -> Result<(Option<OutcomeClass>, ValueText), SolveError> {
        match value {
            MaybeLoopy::Value(value) => {
                let class = self.within(|arena| arena.outcome(value))?;
                Ok((Some(class), self.arena.text_of(value)?))
            }
            MaybeLoopy::Loopy(number) => {
                self.within(|arena| Ok((self.loops.class(number)?, self.loops.named(arena, number)?)))
            }
        }
    }

    /// Who wins a value whoever begins, and its temperature, where it has one that fits.
    fn class_and_heat(&self, value: MaybeLoopy) -> Result<(Option<OutcomeClass>, Option<Dyadic>), SolveError> {
        self.within(|arena| match value {
            MaybeLoopy::Value(value) => {
                let temperature = match arena.temperature(value) {
                    Err(values::Error::Overflow(_)) => None,
                    temperature => Some(temperature?),
                };
                Ok((Some(arena.outcome(value)?), temperature))
            }
            MaybeLoopy::Loopy(number) => Ok((self.loops.class(number)?, None)),
        })
    }
}

/// How often a value occurred.
#[derive(Clone, Copy)]
struct Count {
    first: u64,
    count: u64,
}

struct Counts<'b> {
    values: Values<'b>,
    lease: Lease,
    counts: FxHashMap<MaybeLoopy, Count>,
    named: FxHashMap<MaybeLoopy, (Option<OutcomeClass>, ValueText)>,
    read: FxHashMap<String, MaybeLoopy>,
    wanted: Vec<(String, MaybeLoopy, Vec<u64>)>,
    known: u64,
    unvalued: Option<Unvalued>,
}

impl<'b> Counts<'b> {
    fn new(values: Values<'b>, monitor: &Monitor) -> Counts<'b> {
        let lease = monitor.memory().lease();
        let (counts, named, read) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
        Counts { values, lease, counts, named, read, wanted: Vec::new(), known: 0, unvalued: None }
    }

    fn look_for(&mut self, wanted: &[String]) -> Result<(), SolveError> {
        for text in wanted {
            let value = self.values.read(text).map_err(|error| {
                let why = match error {
                    values::Error::Text { message, .. } => message,
                    error => error.to_string(),
                };
                let such = "values are written such as 0, 3/4, *2, up or {1|-1}";
                SolveError::NotApplicable(format!("`{text}` is no value that can be looked for: {why}; {such}"))
            })?;
            self.wanted.push((text.clone(), value, Vec::new()));
        }
        Ok(())
    }

    fn run(&mut self, task: &mut Task<'_>, monitor: &mut Monitor) -> Result<(), SolveError> {
        for number in 0..task.family.len() {
            monitor.tick(self.values.parts(), number)?;
            let line = task.known.next();
            self.known += u64::from(line.is_some());
            let read = match line.as_ref().and_then(|name| name.as_deref()) {
                Some(name) => self.read(name)?,
                None => None,
            };
            let position = task.family.position(number);
            let value = match read {
                Some(value) => Ok(value),
                None => self.values.value(&position, monitor)?,
            };
            match &value {
                Ok(value) => self.count(number, *value)?,
                Err(why) => self.count_unvalued(&position, why),
            }
            if line.is_none() && task.listed {
                let named = match value {
                    Ok(value) => Ok(self.named(value)?),
                    Err(why) => Err(why),
                };
                let found = named.as_ref().map(|(class, canonical)| (*class, canonical)).map_err(String::as_str);
                (task.each)(&SurveyedPosition { number, position: &position, found })?;
            }
        }
        Ok(())
    }

    fn count_unvalued(&mut self, position: &Position, why: &str) {
        match &mut self.unvalued {
            Some(unvalued) => unvalued.count += 1,
            None => self.unvalued = Some(Unvalued { count: 1, first: position.clone(), why: why.to_string() }),
        }
    }

    /// A value from an earlier run; `None` where it cannot be read.
    fn read(&mut self, name: &str) -> Result<Option<MaybeLoopy>, SolveError> {
        if let Some(value) = self.read.get(name) {
            return Ok(Some(*value));
        }
        let read = match self.values.read(name) {
            Ok(value) => Some(value),
            Err(error @ (values::Error::Memory { .. } | values::Error::Stopped)) => {
                return Err(boards::canonical::of_values(error).into());
            }
            Err(_) => None,
        };
        if let Some(value) = read {
            self.lease.grow(ENTRY + name.len() as u64)?;
            self.read.insert(name.to_string(), value);
        }
        Ok(read)
    }

    fn count(&mut self, number: u64, value: MaybeLoopy) -> Result<(), SolveError> {
        match self.counts.get_mut(&value) {
            Some(count) => count.count += 1,
            None => {
                self.lease.grow(ENTRY)?;
                self.counts.insert(value, Count { first: number, count: 1 });
            }
        }
        for (_, wanted, places) in &mut self.wanted {
            if *wanted == value && places.len() < MOST_PLACES {
                places.push(number);
            }
        }
        Ok(())
    }

    /// The class and the form of a value, worked out once.
    fn named(&mut self, value: MaybeLoopy) -> Result<(Option<OutcomeClass>, ValueText), SolveError> {
        if let Some((class, form)) = self.named.get(&value) {
            return Ok((*class, form.clone()));
        }
        let (class, form) = self.values.class_and_name(value)?;
        self.lease.grow(ENTRY + form.name.as_ref().map_or(0, |name| name.len() as u64))?;
        self.named.insert(value, (class, form.clone()));
        Ok((class, form))
    }

    /// Where no position at all has a value, that is the answer.
    fn refuse_nothing(&self, family: &Family) -> Result<(), SolveError> {
        match &self.unvalued {
            Some(Unvalued { count, first, why }) if *count == family.len() => {
                let bound = self.values.bound;
                let (name, place) = (&bound.program.name, rules::show::position_text(bound, first));
                Err(SolveError::NotApplicable(format!("`{name}` has no value at {place}: {why}")))
            }
            _ => Ok(()),
        }
    }

    fn survey(mut self, family: &Family, monitor: &mut Monitor) -> Result<ValueSurvey, SolveError> {
        let mut counted: Vec<(MaybeLoopy, Count)> = self.counts.iter().map(|(value, count)| (*value, *count)).collect();
        counted.sort_by_key(|(_, count)| (Reverse(count.count), count.first));
        let mut classes = [OutcomeClass::L, OutcomeClass::R, OutcomeClass::N, OutcomeClass::P].map(|class| (class, 0));
        let mut temperatures: FxHashMap<Dyadic, u64> = FxHashMap::default();
        let mut hottest: Option<(Dyadic, MaybeLoopy, Count)> = None;
        let mut drawn = 0;
        for (value, count) in &counted {
            monitor.tick(self.values.parts(), family.len())?;
            let (class, temperature) = self.values.class_and_heat(*value)?;
            match classes.iter_mut().find(|(of, _)| Some(*of) == class) {
                Some((_, all)) => *all += count.count,
                None => drawn += count.count,
            }
            let Some(temperature) = temperature else { continue };
            *temperatures.entry(temperature).or_default() += count.count;
            let hotter =
                hottest.is_none_or(|(most, _, of)| (temperature, Reverse(count.first)) > (most, Reverse(of.first)));
            if hotter {
                hottest = Some((temperature, *value, *count));
            }
        }
        let mut temperatures: Vec<(Dyadic, u64)> = temperatures.into_iter().collect();
        temperatures.sort_by_key(|(temperature, _)| *temperature);
        let hottest = hottest.map(|(_, value, count)| self.frequent(value, count, family)).transpose()?;
        let named = counted.iter().take(MOST_NAMED);
        let values = named.map(|(value, count)| self.frequent(*value, *count, family)).collect::<Result<_, _>>()?;
        let count_of = |value: &MaybeLoopy| self.counts.get(value).map_or(0, |count| count.count);
        let found = self.wanted.iter().map(|(text, value, places)| Found {
            value: text.clone(),
            count: count_of(value),
            positions: places.iter().map(|number| family.position(*number)).collect(),
        });
        Ok(ValueSurvey {
            game: self.values.bound.program.name.clone(),
            instance: Understood::new(self.values.bound),
            positions: family.len(),
            known: self.known,
            classes,
            drawn,
            unvalued: self.unvalued,
            distinct: counted.len() as u64,
            values,
            temperatures: temperatures
                .into_iter()
                .map(|(temperature, count)| (temperature.to_string(), count))
                .collect(),
            hottest,
            found: found.collect(),
            parts: self.values.parts(),
            seconds: 0.0,
            bytes: 0,
        })
    }

    fn frequent(&mut self, value: MaybeLoopy, count: Count, family: &Family) -> Result<Frequent, SolveError> {
        let (_, canonical) = self.named(value)?;
        Ok(Frequent { canonical, count: count.count, first: family.position(count.first) })
    }
}
