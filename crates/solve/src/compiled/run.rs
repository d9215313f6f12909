//! The routes, carried out.

use std::sync::Arc;

use formula::worth::max_options;
use jit::{Expander, Filler, Gains, Retrograde};
use rules::bind::{Bound, Position};
use rules::interpreter::Interpreter;

use crate::codes::{
    CodeError, CodeTable, Codes, Extent, Kind as CodeKind, Map, dense_retrograde, dense_search, hashed_search,
    implicit_retrograde, layered_search,
};
use crate::compiled::blueprint::{Blueprint, Route, cell_name};
use crate::compiled::filled::{Filled, Unfilled};
use crate::compiled::probe;
use crate::compiled::table::{CodeValues, CompiledTable};
use crate::error::SolveError;
use crate::monitor::Monitor;
use crate::options::{Detail, Options};
use crate::plan::{Kind, Method, Plan};
use crate::retrograde::Forever;

/// Moves are turned round where lists and codes are no more than this.
const MOST_INVERTED: usize = 1 << 22;
/// Before a table of so many places is filled, as many positions as one in so many places are looked at: if there are no
/// more, they are searched instead. A fill takes about a nanosecond a place, a search some hundred a position.
const LARGE_FILL: u64 = 1 << 26;
const SEARCHED_PART: u64 = 1 << 14;

/// One compiled solve.
pub(crate) struct Job<'j> {
    pub bound: &'j Bound,
    pub start: &'j Position,
    pub plan: &'j Plan,
    /// The method that was asked for, which then is not changed for another.
    pub asked: Option<Method>,
    /// Whether Grundy numbers are wanted, where the game has them.
    pub nimbers: bool,
    pub threads: usize,
}

impl<'j> Job<'j> {
    pub fn new(bound: &'j Bound, start: &'j Position, plan: &'j Plan, options: &Options) -> Job<'j> {
        let nimbers = plan.nimbers && options.detail == Detail::Full;
        Job { bound, start, plan, asked: options.method, nimbers, threads: options.threads() }
    }
}

/// The code of a route.
pub(crate) enum Machine {
    /// A loop nest for each table.
    Nests(Vec<(Filler, jit::Values)>),
    /// The options of one position.
    Options(Box<Expander>),
    /// The same, where a table could be filled but hardly any of it can be reached.
    Few(Box<Expander>),
    /// The same for a game that goes backwards, moves turned round where they can be, and a cycle if one was met.
    Backwards(Box<Expander>, Option<Box<Retrograde>>, Option<Vec<Position>>),
}

impl Machine {
    /// Compiles what a blueprint needs. Where a loop nest cannot be compiled, a search will do.
    pub fn new(job: &Job<'_>, blueprint: &Blueprint) -> Result<Machine, Unanswered> {
        if let Some(expander) = expander_for_few(job, blueprint) {
            return Ok(Machine::Few(Box::new(expander)));
        }
        if let (Route::Fill(values, more), Ok(order)) = (blueprint.route, &blueprint.study.order) {
            let coded = blueprint.codec.coded();
            let nest = |values| Filler::compile(coded, order, values).map(|filler| (filler, values));
            match [Some(values), more].into_iter().flatten().map(nest).collect() {
                Ok(nests) => return Ok(Machine::Nests(nests)),
                Err(error) if job.plan.sum.holds => return Err(Unanswered::NoCode(error.to_string())),
                Err(_) => {}
            }
        }
        let expander = Box::new(expander(blueprint, job)?);
        let unproved = blueprint.study.order.is_err() && blueprint.study.potential.is_none();
        let may_repeat = blueprint.route == Route::Search && job.plan.kind == Kind::Outcome && unproved;
        if blueprint.route != Route::Retrograde && !(may_repeat && job.asked.is_none()) {
            return Ok(Machine::Options(expander));
        }
        let cycle = match blueprint.route {
            Route::Retrograde => None,
            _ => match probe::cycle(&*expander, roots(job, blueprint)?[0]) {
                None => return Ok(Machine::Options(expander)),
                Some(codes) => Some(codes.iter().filter_map(|&code| blueprint.codec.position(code)).collect()),
            },
        };
        // Lists of millions of arrows are turned round more quickly by the analysis that stores moves.
        let items: usize = blueprint.codec.coded().formulas.lists.iter().map(Vec::len).sum();
        let small = items <= MOST_INVERTED && blueprint.places <= MOST_INVERTED as u64;
        let inverted = small.then(|| Retrograde::compile(blueprint.codec.coded()).ok()).flatten().map(Box::new);
        Ok(Machine::Backwards(expander, inverted, cycle))
    }
}

/// What came of it.
pub(crate) struct Answered {
    pub table: CompiledTable,
    /// What was really done.
    pub route: Route,
    /// Why, if not for the reason in the blueprint.
    pub why: Option<&'static str>,
    /// How positions were found not to repeat, or that they do and how.
    pub cycle: Option<Vec<Position>>,
    /// What the code looks like, in words.
    pub code: String,
    /// Why it is not known who wins if the other player starts.
    pub class_missing: Option<String>,
}

/// Why compiled code has no answer.
pub(crate) enum Unanswered {
    /// An error that stands.
    Error(SolveError),
    /// Positions repeat, where that must not be.
    Cycle(Vec<Position>),
    /// The total of the gains does not fit at this position.
    Overflow(Position),
    /// The code could not be made; the interpreter can still do it.
    NoCode(String),
}

impl From<SolveError> for Unanswered {
    fn from(error: SolveError) -> Unanswered {
        Unanswered::Error(error)
    }
}

/// Carries out a blueprint whose route is not [`Route::Graph`], with code made for it.
pub(crate) fn run(
    job: &Job<'_>,
    blueprint: &Blueprint,
    machine: &Machine,
    monitor: &mut Monitor,
) -> Result<Answered, Unanswered> {
    match machine {
        Machine::Nests(nests) => match fill(job, blueprint, nests, monitor) {
            Err(Unfilled::Solve(error)) => Err(error.into()),
            Ok(answered) => Ok(answered),
            // Somewhere the rules go wrong: only what can be reached counts.
            Err(Unfilled::Fault) if !job.plan.sum.holds => {
                let found = search(job, blueprint, &expander(blueprint, job)?, monitor)?;
                Ok(Answered { why: Some("the rules go wrong at positions that play need not reach"), ..found })
            }
            Err(Unfilled::Fault) => Err(Unanswered::NoCode("the rules go wrong in some part".to_string())),
        },
        Machine::Options(expander) => search(job, blueprint, expander, monitor),
        Machine::Few(expander) => {
            let found = search(job, blueprint, expander, monitor)?;
            Ok(Answered { why: Some("few of all positions can be reached"), ..found })
        }
        Machine::Backwards(expander, inverted, cycle) => {
            let inverted = inverted.as_deref();
            backwards(job, blueprint, (expander, inverted), cycle.clone(), monitor)
        }
    }
}

fn expander(blueprint: &Blueprint, job: &Job<'_>) -> Result<Expander, Unanswered> {
    let gains = if job.plan.kind == Kind::Score { Gains::Difference } else { Gains::Outcome };
    Expander::compile(blueprint.codec.coded(), gains).map_err(|error| Unanswered::NoCode(error.to_string()))
}

/// Before a large table is filled: the options of one position, if so few positions can be reached that a search of them
/// takes next to nothing.
fn expander_for_few(job: &Job<'_>, blueprint: &Blueprint) -> Option<Expander> {
    let large = matches!(blueprint.route, Route::Fill(..)) && blueprint.places >= LARGE_FILL;
    if !large || job.asked.is_some() || job.plan.sum.holds {
        return None;
    }
    let expander = expander(blueprint, job).ok()?;
    let most = (blueprint.places / SEARCHED_PART) as usize;
    probe::reaches_at_most(&expander, &roots(job, blueprint).ok()?, most).then_some(expander)
}

fn fill(
    job: &Job<'_>,
    blueprint: &Blueprint,
    nests: &[(Filler, jit::Values)],
    monitor: &mut Monitor,
) -> Result<Answered, Unfilled> {
    let mut tables = Vec::with_capacity(nests.len());
    for (filler, values) in nests {
        monitor.enter_expecting("loop nest", blueprint.places);
        tables.push(Filled::fill(filler, *values, blueprint.places, job.threads, monitor)?);
    }
    let mut tables = tables.into_iter();
    let Some(first) = tables.next() else { return Err(Unfilled::Fault) };
    let values = match job.plan.kind {
        _ if job.plan.sum.holds => CodeValues::Parts(first),
        Kind::Score => CodeValues::Scores(first),
        _ => CodeValues::Outcomes(first, tables.next()),
    };
    let table = CompiledTable::new(blueprint.codec.clone(), values);
    let code =
        nests.first().map(|(filler, _)| filler.describe_with(&|cell| cell_name(job.bound, cell))).unwrap_or_default();
    Ok(Answered { table, route: blueprint.route, why: None, cycle: None, code, class_missing: None })
}

/// A search from the start, in a dense table or a hashed one.
fn search(
    job: &Job<'_>,
    blueprint: &Blueprint,
    expander: &Expander,
    monitor: &mut Monitor,
) -> Result<Answered, Unanswered> {
    let roots = roots(job, blueprint)?;
    let dense = blueprint.searches_densely(job.plan, monitor.memory().free());
    let found = one_search(job, blueprint, (expander, dense), &roots, monitor);
    let (table, class_missing) = match found {
        Ok(table) => (table, None),
        Err(CodeError::Solve(error @ SolveError::Interrupted { .. })) => return Err(error.into()),
        Err(error) if roots.len() > 1 => {
            // The question who wins if the other player starts is a second one.
            let error = place(job, blueprint, error);
            match one_search(job, blueprint, (expander, dense), &roots[..1], monitor) {
                Ok(table) => {
                    let why = match error {
                        Unanswered::Error(error) => error.to_string(),
                        Unanswered::Cycle(cycle) => format!("positions repeat: a cycle of {} moves", cycle.len()),
                        _ => "it cannot be told".to_string(),
                    };
                    (table, Some(format!("if {} starts: {why}", job.start.turn.other())))
                }
                Err(error) => return cyclic_or(job, blueprint, (expander, dense), error, monitor),
            }
        }
        Err(error) => return cyclic_or(job, blueprint, (expander, dense), error, monitor),
    };
    let route = if dense { Route::Search } else { Route::Hash };
    let table = CompiledTable::new(blueprint.codec.clone(), CodeValues::Met(Box::new(table)));
    Ok(Answered {
        table,
        route,
        why: None,
        cycle: None,
        code: "the options of one position".to_string(),
        class_missing,
    })
}

/// The start, and the same with the other player to move where that is asked too.
fn roots(job: &Job<'_>, blueprint: &Blueprint) -> Result<Vec<u64>, Unanswered> {
    let code = |position: &Position| {
        let code = blueprint.codec.code_of(position);
        code.ok_or_else(|| SolveError::Internal("the start is outside what was proved of all positions".to_string()))
    };
    let mut roots = vec![code(job.start)?];
    if job.plan.partizan {
        roots.push(code(&Position { turn: job.start.turn.other(), ..job.start.clone() })?);
    }
    Ok(roots)
}

fn one_search(
    job: &Job<'_>,
    blueprint: &Blueprint,
    (expander, dense): (&Expander, bool),
    roots: &[u64],
    monitor: &mut Monitor,
) -> Result<CodeTable, CodeError> {
    let longest = blueprint.study.order.as_ref().ok().and_then(|order| order.longest);
    let longest = longest.or(blueprint.study.potential.as_ref().map(formula::Potential::longest));
    let kind = match job.plan.kind {
        Kind::Score => CodeKind::Score { bound: blueprint.study.score_bound.map(i64::unsigned_abs) },
        _ if job.nimbers => {
            CodeKind::OutcomeAndNimber { longest, options: Some(max_options(&blueprint.study.formulas)) }
        }
        _ => CodeKind::Outcome { longest },
    };
    let mut codes = Codes::new(expander, roots, kind);
    codes.threads = job.threads;
    codes.size = blueprint.codec.coded().numbering.size;
    if dense {
        return dense_search(&codes, blueprint.places, monitor);
    }
    codes.canonical = blueprint.group.clone().map(|group| Arc::new(move |code| group.canonical(code)) as Map);
    // Layers expand every position twice, which pays as soon as threads share them.
    match layers(blueprint).filter(|_| job.threads > 1) {
        Some(layer) => layered_search(&codes, layer, monitor),
        None => hashed_search(&codes, monitor),
    }
}

/// A number of each code that every move lowers, where one is known: positions are then met and valued layer by layer.
fn layers(blueprint: &Blueprint) -> Option<Map> {
    let potential = blueprint.study.potential.as_ref()?;
    let (low, node) = (potential.range.low, potential.node);
    let layer = jit::compile_node(blueprint.codec.coded(), node).ok()?;
    Some(Arc::new(move |code| layer.value(code).map_or(0, |number| number.wrapping_sub(low) as u64)))
}

/// A cycle in a game that is won and lost is solved backwards; anything else is an error.
fn cyclic_or(
    job: &Job<'_>,
    blueprint: &Blueprint,
    (expander, dense): (&Expander, bool),
    error: CodeError,
    monitor: &mut Monitor,
) -> Result<Answered, Unanswered> {
    match error {
        CodeError::Cycle(codes) if job.plan.kind == Kind::Outcome && dense && job.asked.is_none() => {
            let cycle = codes.iter().filter_map(|&code| blueprint.codec.position(code)).collect();
            backwards(job, blueprint, (expander, None), Some(cycle), monitor)
        }
        error => Err(place(job, blueprint, error)),
    }
}

/// Retrograde analysis in a dense table.
fn backwards(
    job: &Job<'_>,
    blueprint: &Blueprint,
    (expander, inverted): (&Expander, Option<&Retrograde>),
    cycle: Option<Vec<Position>>,
    monitor: &mut Monitor,
) -> Result<Answered, Unanswered> {
    let forever = job.bound.forever.map_or(Forever::Draw, Forever::Win);
    if let Some(inverted) = inverted {
        match implicit_retrograde(inverted, forever, monitor) {
            Ok(table) => {
                let table = CompiledTable::new(blueprint.codec.clone(), CodeValues::Met(Box::new(table)));
                let code = "the number of options of each position, and the positions that lead to one".to_string();
                return Ok(Answered { table, route: Route::Retrograde, why: None, cycle, code, class_missing: None });
            }
            Err(CodeError::Solve(error @ SolveError::Interrupted { .. })) => return Err(error.into()),
            // Declared draws, or play without end that is won: moves are stored then.
            Err(_) => {}
        }
    }
    let root = &roots(job, blueprint)?[..1];
    let mut codes = Codes::new(expander, root, CodeKind::Outcome { longest: None });
    codes.threads = job.threads;
    let mover = |code: u64| blueprint.codec.mover(code);
    let table = dense_retrograde(&codes, blueprint.places, Extent::Reachable, forever, Some(&mover), monitor);
    let table = table.map_err(|error| place(job, blueprint, error))?;
    let table = CompiledTable::new(blueprint.codec.clone(), CodeValues::Met(Box::new(table)));
    let code = "the options of one position".to_string();
    Ok(Answered { table, route: Route::Retrograde, why: None, cycle, code, class_missing: None })
}

/// An error with the position it is about.
fn place(job: &Job<'_>, blueprint: &Blueprint, error: CodeError) -> Unanswered {
    let position = |code: u64| blueprint.codec.position(code);
    match error {
        CodeError::Solve(error) => Unanswered::Error(error),
        CodeError::Cycle(codes) => Unanswered::Cycle(codes.into_iter().filter_map(position).collect()),
        CodeError::OverflowAt(code) => match position(code) {
            Some(position) => Unanswered::Overflow(position),
            None => Unanswered::Error(SolveError::Overflow),
        },
        CodeError::Fault(code) => Unanswered::Error(match position(code).map(|position| fault(job.bound, &position)) {
            Some(Err(error)) => error,
            _ => SolveError::Internal(format!("compiled code found a fault at code {code}, the interpreter none")),
        }),
    }
}

/// Has the interpreter look at a position where compiled code found a fault: its message is the one to show.
pub(crate) fn fault(bound: &Bound, position: &Position) -> Result<(), SolveError> {
    let mut interpreter = Interpreter::new(bound);
    for part in &position.parts {
        if bound.program.sum.is_none() && interpreter.end(part, position.turn)?.is_some() {
            if bound.program.counted {
                return Err(crate::solver::overflow(bound, position));
            }
            continue;
        }
        let mut any = false;
        let mut overflow = Ok(());
        interpreter.moves(part, position.turn, &mut |effect| {
            any = true;
            if bound.players == 2 && !effect.gains.is_empty() {
                let gain = crate::positions::Worth::Score.gain(effect.gains, position.turn);
                overflow = overflow.clone().and(gain.map(|_| ()));
            }
            Ok(())
        })?;
        if overflow.is_err() {
            return Err(crate::solver::overflow(bound, position));
        }
        if !any {
            interpreter.stuck(part, position.turn)?;
        }
        // What is left is a result whose difference does not fit.
        if bound.program.counted {
            return Err(crate::solver::overflow(bound, position));
        }
    }
    Ok(())
}
