//! `groups`: variables that no move ties together are games side by side. Each group of variables is valued by itself, equal
//! ones once, and the values are added: nimbers, or canonical forms where the players' moves differ.

use std::rc::Rc;

use boards::Algebra;
use boards::groups::Groups;
use boards::groups::valuer::{Cut, Grouped};
use engine::Error;
use engine::monitor::Monitor;
use game::{Random, Verdict};
use rules::bind::Position;
use rules::play::Play;
use values::search::SumSearch;

use super::by_values::{PartAnswers, Parted, Parts, PartsPlan, Whole, WinningAlgebra, refusal, unvalued};
use super::sampling::sampled;
use crate::case::{Case, PartKind, Sampled};
use crate::error::SolveError;
use crate::facts::Fact;
use crate::methods::{Code, Cost, Found, GivenUp, Look, Method, Prospect, Unit};
use crate::options::MethodName;
use crate::part_values::{Place, ValuedPart};
use positions::cost;

/// Its name.
const NAME: MethodName = MethodName::new("groups");
/// Games with fewer positions are solved whole: then it is known, too, how long play lasts.
const SMALL: f64 = 300_000.0;
/// A game is cut without a look at its positions where the parts take at most so many seconds, and the whole has so many
/// positions at least for each part.
const AT_ONCE: f64 = 0.5;
const MANY: f64 = 1e6;
/// How the number of parts grows with the number of positions where a game falls apart only in play.
const PARTS: f64 = 0.75;

/// The method.
pub(super) struct ByGroups;

impl Method for ByGroups {
    fn name(&self) -> MethodName {
        NAME
    }

    fn about(&self) -> &'static str {
        "Variables that no move ties together: each group valued once, values added"
    }

    fn values_parts(&self) -> Option<PartKind> {
        Some(PartKind::Groups)
    }

    fn recognise<'b>(&self, case: &Case<'b>, monitor: &mut Monitor) -> Result<Look<'b>, SolveError> {
        let unfit = "variables are games side by side where the last mover wins, and in no `sum of` parts";
        if let Some(why) = refusal(case, NAME, unfit) {
            return Ok(Look::no(why));
        }
        let [start] = &case.start.parts[..] else { return Ok(Look::no("the position is no single part")) };
        let cut = match case.cut() {
            Ok(cut) => cut,
            Err(why) => return Ok(Look::no(why)),
        };
        let Worthwhile { cost, is_decisive, sampled } = match worthwhile(case, &cut, start, monitor)? {
            Ok(found) => found,
            Err(why) => return Ok(Look::no(why)),
        };
        let why = "no move ties the groups of variables together: their values are added";
        let code = Code::Kernel("moves are formulas over a few variables".to_string());
        let prepared = PartsPlan { whole: Whole::new(case, sampled.as_ref()), parts: cut };
        let prospect = Prospect { cost, unit: Unit::Part, is_decisive, ..Prospect::new(why, code, prepared) };
        Ok(Look::yes(prospect))
    }
}

/// A game that is worth cutting.
struct Worthwhile {
    /// What the parts take.
    cost: Cost,
    /// Whether nothing else need be looked at.
    is_decisive: bool,
    /// The sample that tells, where one was needed.
    sampled: Option<Sampled>,
}

/// What the parts take; or why the game is better left whole.
fn worthwhile(
    case: &Case<'_>,
    cut: &Cut,
    start: &[i64],
    monitor: &mut Monitor,
) -> Result<Result<Worthwhile, String>, SolveError> {
    let has_forms = !case.facts.nimbers;
    let all = cost::groups(cut.parts, cut.options, has_forms);
    let at_once = all.seconds.is_some_and(|seconds| seconds < AT_ONCE)
        && cut.whole > SMALL.max(MANY * cut.parts)
        && cut.groups > 1;
    if at_once || case.options.method.is_some() {
        return Ok(Ok(Worthwhile { cost: all, is_decisive: at_once, sampled: None }));
    }
    let Some(known) = sampled(case, monitor)? else {
        return Ok(Err("it is not known how many positions the whole has".to_string()));
    };
    let positions = known.sample.positions;
    if positions < SMALL {
        return Ok(Err("there are few positions, and a table of them also tells how long play lasts".to_string()));
    }
    if cut.groups > 1 && cut.parts < positions {
        return Ok(Ok(Worthwhile { cost: all, is_decisive: false, sampled: Some(known) }));
    }
    if case.local().is_ok() {
        return Ok(Err("its moves can be listed, which is quicker".to_string()));
    }
    let mut random = Random::new(1);
    if !cut.falls_apart(start, &mut || random.next()) {
        return Ok(Err("most positions of play do not fall apart".to_string()));
    }
    let parts = positions.powf(PARTS).min(cut.parts);
    let cost = cost::falling_groups(parts, known.sample.options, has_forms);
    Ok(Ok(Worthwhile { cost, is_decisive: false, sampled: Some(known) }))
}

impl Parted for Rc<Cut> {
    fn valued<'b, A: WinningAlgebra>(
        &self,
        whole: &Whole<'b>,
        algebra: A,
        declared: Option<Fact>,
        monitor: &mut Monitor,
    ) -> Result<Found<'b>, GivenUp> {
        let cells = whole.start.parts.first().ok_or_else(|| SolveError::internal("a position without variables"))?;
        let memory = monitor.memory().clone();
        let mut groups = Groups::new(Cut::clone(self), algebra, &memory);
        let valued = groups.groups(cells, monitor);
        let valued = valued.map_err(|error| unvalued(error, whole.nimbers, "a group of variables comes back"))?;
        let values: Vec<A::Value> = valued.into_iter().map(|group| group.value).collect();
        let parts = groups.distinct();
        let report = whole.report(&mut groups.algebra, &values, parts, declared)?;
        let groups = GroupParts { groups, monitor: monitor.fork(), search: SumSearch::default() };
        Ok(Found { answers: Box::new(PartAnswers::new(whole, parts, groups)), report })
    }
}

/// The groups that variables fall into.
struct GroupParts<A: Algebra> {
    groups: Groups<A>,
    /// The limits within which more values are found.
    monitor: Monitor,
    /// Who wins sums.
    search: SumSearch,
}

/// The groups of a position, and which of them a variable belongs to.
struct PositionGroups<V> {
    groups: Vec<Grouped<V>>,
    group_of: Vec<Option<usize>>,
}

impl<A: WinningAlgebra> Parts for GroupParts<A> {
    type Algebra = A;
    type Context = PositionGroups<A::Value>;

    fn algebra(&mut self) -> &mut A {
        &mut self.groups.algebra
    }

    fn value(&mut self, position: &Position) -> Result<Option<A::Value>, Error> {
        match &position.parts[..] {
            [cells] => self.groups.value(cells, &mut self.monitor).map(Some),
            _ => Ok(None),
        }
    }

    fn verdict(&mut self, position: &Position) -> Result<Option<Verdict>, Error> {
        let [cells] = &position.parts[..] else { return Ok(None) };
        let groups = self.groups.groups(cells, &mut self.monitor)?;
        let values: Vec<A::Value> = groups.into_iter().map(|group| group.value).collect();
        self.groups.algebra.verdict_of(&values, position.turn, &mut self.search).map(Some)
    }

    fn valued(&mut self, position: &Position, monitor: &mut Monitor) -> Result<Vec<ValuedPart>, GivenUp> {
        let groups = self.groups.groups(one_part(position)?, monitor)?.into_iter();
        let part = |group: Grouped<A::Value>| {
            Some(ValuedPart { place: Place::Cells(group.cells), value: A::in_arena(group.value)? })
        };
        Ok(groups.filter_map(part).collect())
    }

    fn context(&mut self, position: &Position) -> Result<PositionGroups<A::Value>, SolveError> {
        let cells = one_part(position)?;
        let groups = self.groups.groups(cells, &mut self.monitor)?;
        let mut group_of = vec![None; cells.len()];
        for (index, group) in groups.iter().enumerate() {
            group.cells.iter().for_each(|cell| group_of[*cell as usize] = Some(index));
        }
        Ok(PositionGroups { groups, group_of })
    }

    /// Only the group that a move changes is looked at.
    fn rate(
        &mut self,
        context: &PositionGroups<A::Value>,
        position: &Position,
        play: &Play,
    ) -> Result<Option<Verdict>, Error> {
        let option = play.option(position);
        let ([before], [after]) = (&position.parts[..], &option.parts[..]) else { return Ok(None) };
        let changed = (0..before.len()).find(|cell| before[*cell] != after[*cell]);
        let Some(index) = changed.and_then(|cell| context.group_of[cell]) else { return Ok(None) };
        let mut values: Vec<A::Value> = context.groups.iter().map(|group| group.value).collect();
        values[index] = self.groups.value_in(&context.groups[index], after, &mut self.monitor)?;
        self.groups.algebra.verdict_of(&values, option.turn, &mut self.search).map(Some)
    }
}

fn one_part(position: &Position) -> Result<&[i64], SolveError> {
    match &position.parts[..] {
        [cells] => Ok(cells),
        _ => Err(SolveError::internal("a position of several parts")),
    }
}
