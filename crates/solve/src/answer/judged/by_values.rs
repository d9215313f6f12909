//! Moves judged by the values that they lead to: which are dominated, which are reversible, and which part is hottest.

use boards::canonical::of_values;
use engine::monitor::Monitor;
use game::{OutcomeClass, Player};
use rules::bind::{Bound, Position};
use rules::play::Play;
use values::{Arena, Dyadic, Error, Judgement, Side, Value};

use super::by_loops;
use super::{Judged, JudgedPart, Mark, MoveJudgement};
use crate::answer::canonical_value::{LATE, OUTGROWN, agrees, is_late, outcome_of, with_part_values};
use crate::error::{GivenUp, Reason, SolveError};
use crate::part_values::{Place, ValuedPart, side_of, within};
use crate::solved::Solved;
use crate::stopping::scope;
use crate::value_text::{LONGEST_NAME, ValueText};
use positions::names::cell_name;

/// Moves are judged where there are at most so many: all are compared with each other.
pub(crate) const MOST_JUDGED: usize = 2000;
/// Values of parts are added up where that takes at most so many followers at a time.
pub(crate) const SMALL: usize = 300_000;

/// A position under judgement, and what each move makes of it.
pub(crate) struct Bench {
    /// Whose move it is.
    pub side: Side,
    /// The values of the parts.
    pub parts: Vec<Value>,
    /// The value of the whole, where it is small enough.
    pub total: Option<Value>,
    /// For each move the part, what it becomes, and what the whole becomes.
    pub after: Vec<(usize, Value, Option<Value>)>,
}

/// Judges moves of a position by values. None where positions have none.
pub fn judged(
    solved: &Solved<'_>,
    position: &Position,
    plays: &[&Play],
    monitor: &mut Monitor,
) -> Result<Option<Judged>, SolveError> {
    if !solved.plan.facts().partizan {
        return Ok(None);
    }
    let class = solved.report.class.filter(|_| *position == solved.start);
    let why_missing = |why: &str| Ok(Some(Judged::missing(class, why.to_string())));
    if plays.len() > MOST_JUDGED {
        return why_missing(&format!("moves are judged where there are at most {MOST_JUDGED}"));
    }
    if !solved.answers.may_have_form() {
        return why_missing(OUTGROWN);
    }
    if is_late(monitor) {
        return why_missing(LATE);
    }
    let _scope = scope(monitor);
    if solved.report.repeats() {
        return by_loops::judged(solved, position, plays, monitor).map(Some);
    }
    let known = outcome_of(solved, position);
    let found = with_part_values(solved, monitor, |valuer, monitor| {
        let parts = match valuer.parts(position, monitor) {
            // Play that alternates ends, but one player could go round in circles.
            Err(GivenUp::Because(Reason::Cycle(_))) => return Ok(None),
            parts => parts?,
        };
        let values: Vec<Value> = parts.iter().map(|part| part.value).collect();
        let mut bench = within(valuer, |arena| Bench::new(arena, position.turn, values))?;
        if let Some(total) = bench.total {
            agrees(solved, position, known, valuer, total)?;
        }
        for play in plays {
            let option = play.option(position);
            let left = valuer.parts(&option, monitor)?.into_iter().map(|part| part.value).collect();
            let part = part_of(&parts, position, play, &option);
            within(valuer, |arena| bench.split(arena, part, left))?;
        }
        let name = |part: &ValuedPart| (place_name(solved.bound, &part.place), part.place.clone());
        let names: Vec<(String, Place)> = parts.iter().map(name).collect();
        let mut found = None;
        valuer.in_arena(&mut |arena| found = Some(bench.judged(arena, &names, class)));
        Ok(Some(found.unwrap_or_else(|| Err(engine::Error::Internal("no arena".to_string())))?))
    })?;
    match found {
        Ok(Some(judged)) => Ok(Some(judged)),
        Ok(None) => by_loops::judged(solved, position, plays, monitor).map(Some),
        Err(why) => why_missing(&why),
    }
}

/// The part in which a move is played.
fn part_of(parts: &[ValuedPart], position: &Position, play: &Play, option: &Position) -> usize {
    let (Some(before), Some(after)) = (position.parts.first(), option.parts.first()) else { return 0 };
    let changed = |cell: &u32| before.get(*cell as usize) != after.get(*cell as usize);
    let here = |part: &ValuedPart| match &part.place {
        Place::Part(number) => *number == play.part,
        Place::Cells(cells) => cells.iter().any(changed),
    };
    parts.iter().position(here).unwrap_or(0)
}

impl Bench {
    /// A position of these parts, without moves yet.
    pub fn new(arena: &mut Arena, mover: Player, parts: Vec<Value>) -> values::Result<Bench> {
        let side = side_of(mover);
        let total = arena.total_within(&parts, SMALL)?;
        Ok(Bench { side, parts, total, after: Vec::new() })
    }

    /// A move that makes something of a part.
    pub fn look(&mut self, arena: &mut Arena, part: usize, became: Value) -> values::Result<()> {
        let others = self.parts.iter().enumerate().filter(|(index, _)| *index != part).map(|(_, value)| *value);
        let all: Vec<Value> = others.chain([became]).collect();
        let whole = arena.total_within(&all, SMALL)?;
        self.after.push((part, became, whole));
        Ok(())
    }

    /// A move in a part that leaves these parts, untouched ones among them.
    fn split(&mut self, arena: &mut Arena, part: usize, mut left: Vec<Value>) -> values::Result<()> {
        for (_, other) in self.parts.iter().enumerate().filter(|(index, _)| *index != part) {
            if let Some(at) = left.iter().position(|value| value == other) {
                left.swap_remove(at);
            }
        }
        let became = arena.total(&left)?;
        self.look(arena, part, became)
    }

    /// What people are told; each part has a name and a place.
    pub fn judged(
        &self,
        arena: &mut Arena,
        names: &[(String, Place)],
        known: Option<OutcomeClass>,
    ) -> Result<Judged, engine::Error> {
        let several = self.parts.len() > 1;
        let marks = self.marks(arena).map_err(of_values)?;
        let hottest = hottest(arena, &self.parts).map_err(of_values)?;
        let outcome = self.total.map(|total| arena.outcome(total)).transpose().map_err(of_values)?;
        let mut parts = Vec::new();
        for (index, (&value, (name, place))) in self.parts.iter().zip(names).enumerate().filter(|_| several) {
            let (name, place, value) = (name.clone(), place.clone(), ValueText::of(arena, value)?);
            parts.push(JudgedPart { name, place, value, hottest: hottest.contains(&index) });
        }
        let mut moves = Vec::new();
        for (&(part, became, whole), mark) in self.after.iter().zip(marks) {
            let value = whole.map(|whole| ValueText::of(arena, whole)).transpose()?;
            let part = if several { Some((part, ValueText::of(arena, became)?)) } else { None };
            moves.push(MoveJudgement { value, missing: None, part, mark });
        }
        let value = self.total.map(|total| ValueText::of(arena, total)).transpose()?;
        Ok(Judged { class: outcome.or(known), value, missing: None, parts, moves })
    }

    /// What becomes of each move: judged in the whole where that has a value, else within its part, which is enough to be
    /// dominated or reversible in the whole.
    fn marks(&self, arena: &mut Arena) -> values::Result<Vec<Mark>> {
        let options: Option<Vec<Value>> = self.after.iter().map(|after| after.2).collect();
        let mut marks = vec![Mark::Kept; self.after.len()];
        if let (Some(total), Some(options)) = (self.total, options) {
            let all: Vec<usize> = (0..options.len()).collect();
            self.mark(arena, total, &options, &all, &mut marks)?;
            return Ok(marks);
        }
        for (part, &value) in self.parts.iter().enumerate() {
            let own: Vec<usize> = (0..self.after.len()).filter(|&mv| self.after[mv].0 == part).collect();
            let options: Vec<Value> = own.iter().map(|&mv| self.after[mv].1).collect();
            self.mark(arena, value, &options, &own, &mut marks)?;
        }
        Ok(marks)
    }

    fn mark(
        &self,
        arena: &mut Arena,
        value: Value,
        options: &[Value],
        moves: &[usize],
        marks: &mut [Mark],
    ) -> values::Result<()> {
        for (judgement, &mv) in arena.judge(value, options, self.side)?.into_iter().zip(moves) {
            marks[mv] = match judgement {
                Judgement::Kept => Mark::Kept,
                Judgement::Dominated(by) => Mark::Dominated(moves[by]),
                Judgement::Equal(to) => Mark::Equal(moves[to]),
                Judgement::Reversible(answer) => match arena.name(answer, LONGEST_NAME) {
                    Ok(name) => Mark::Reversible(Some(name)),
                    Err(Error::TooLong { .. } | Error::TooDeep { .. }) => Mark::Reversible(None),
                    Err(error) => return Err(error),
                },
            };
        }
        Ok(())
    }
}

/// The parts that no other is hotter than; none where all are numbers.
fn hottest(arena: &mut Arena, parts: &[Value]) -> values::Result<Vec<usize>> {
    let mut hottest: (Option<Dyadic>, Vec<usize>) = (None, Vec::new());
    for (index, &part) in parts.iter().enumerate() {
        let temperature = match arena.temperature(part) {
            Ok(temperature) => temperature,
            Err(Error::Overflow(_)) => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        if temperature < Dyadic::ZERO || hottest.0.is_some_and(|most| temperature < most) {
            continue;
        }
        if hottest.0 != Some(temperature) {
            hottest = (Some(temperature), Vec::new());
        }
        hottest.1.push(index);
    }
    Ok(hottest.1)
}

/// What people call a part.
fn place_name(bound: &Bound, place: &Place) -> String {
    /// So many cells are named.
    const SHOWN: usize = 6;
    match place {
        Place::Part(number) => format!("part {number}"),
        Place::Cells(cells) => {
            let mut names: Vec<String> = cells.iter().take(SHOWN).map(|&cell| cell_name(bound, cell)).collect();
            if cells.len() > SHOWN {
                names.push(format!("… {} in all", cells.len()));
            }
            names.join(", ")
        }
    }
}
