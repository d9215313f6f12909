//! Closed forms guessed from values, each written as a `claim` of the rules file and tested on instances that it was not made from.
//!
//! A guess stays a guess, however many instances it passes, unless a theorem has proved the period of the values and the form
//! agrees with it all the way round.
//!
//! ```
//! use perfectplay::Solver;
//! use perfectplay::guess::{Guess, Setting, line};
//! use perfectplay::language::{Instance, Rules};
//! use perfectplay::sequence::{Instances, Runs, Sequence};
//!
//! let rules = Rules::gallery("divisor_game").unwrap();
//! let program = rules.program()?;
//! let solver = Solver::new();
//! let instances = Instances::new(&program, Instance::default(), 0, Runs::Number, solver.options()?);
//! let mut sequence = Sequence::of(instances, 1, 60).unwrap();
//! while !sequence.extend(&mut solver.monitor()).unwrap() {}
//! // Nothing else is fixed, and `n` runs.
//! let fixed = perfectplay::answer::Understood::default();
//! let setting = Setting::new(&rules, &program, &fixed, &["n"], solver.options()?);
//! let found: Vec<Guess> = line(&setting, &sequence, &mut solver.monitor())?;
//! assert_eq!(found[0].claim, "claim nimber = count(n % pow(2, e) == 0 for e in 1..=62);");
//! assert!(found[0].tested > 20 && found[0].proof.is_none());
//! # Ok::<(), perfectplay::Error>(())
//! ```

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ::sequence::{Grid, Sequence, Source, Term, TermKind};
use engine::monitor::{Limits, Monitor};
use game::{Outcome, Random, Verdict};
use patterns::{Form, Symbol};
use rules::bind::bind;
use rules::instance::{Given, Instance};
use rules::interpreter::Interpreter;
use rules::program::{ClaimField, Program};
use rules::syntax::lexer::lex;
use rules::syntax::token::{Sign, TokenKind};
use rules::types::Type;
use solve::answer::answer;
use solve::answer::solution::{Shown, Understood};
use solve::error::SolveError;
use solve::options::Options;

use crate::claims;
use crate::language::Rules;

/// How many values a form is made from at the most.
const MOST_VALUES: u64 = 6000;
/// How many instances a form is tested on at the most.
const MOST_TESTS: usize = 80;
/// How long one of them may take.
const ONE_TEST: Duration = Duration::from_secs(2);
/// How long all of them may take.
const ALL_TESTS: Duration = Duration::from_secs(20);
/// So many instances in a row that take too long end the tests.
const PATIENCE: usize = 3;

/// What the values are of.
pub struct Setting<'g> {
    rules: &'g Rules,
    program: &'g Arc<Program>,
    fixed: &'g Understood,
    running: &'g [&'g str],
    options: Options,
}

/// A closed form that fits all values and has passed every test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    /// A line for the rules file.
    pub claim: String,
    /// How many values it was made from.
    pub values: usize,
    /// How many other instances it was tested on.
    pub tested: usize,
    /// The theorem that proves it, if one does.
    pub proof: Option<String>,
}

impl<'g> Setting<'g> {
    /// The parameters that run, by name, and the values of the others.
    pub fn new(
        rules: &'g Rules,
        program: &'g Arc<Program>,
        fixed: &'g Understood,
        running: &'g [&'g str],
        options: Options,
    ) -> Setting<'g> {
        Setting { rules, program, fixed, running, options }
    }

    /// Whether a running parameter is a list with one number.
    fn is_list(&self, index: usize) -> bool {
        let param = self.program.params.iter().find(|param| param.name == self.running[index]);
        param.is_some_and(|param| param.ty != Type::Int)
    }

    /// The instance with these numbers.
    fn instance(&self, numbers: &[Vec<i64>]) -> Instance {
        let fixed = self.fixed.iter().map(|(name, shown)| {
            let value = match shown {
                Shown::Numbers(numbers) => Given::Ints(numbers.as_slice().to_vec()),
                Shown::Given(given) => given.clone(),
            };
            (name.to_string(), value)
        });
        let running = self.running.iter().zip(numbers).enumerate().map(|(index, (name, numbers))| {
            let value = if self.is_list(index) { Given::Ints(numbers.clone()) } else { Given::Int(numbers[0]) };
            (name.to_string(), value)
        });
        Instance(fixed.chain(running).collect())
    }

    /// The instance of some numbers: all are for the one list, or one is for each parameter.
    fn instance_of(&self, numbers: &[i64]) -> Instance {
        match self.running.len() {
            1 => self.instance(&[numbers.to_vec()]),
            _ => self.instance(&numbers.iter().map(|number| vec![*number]).collect::<Vec<_>>()),
        }
    }

    /// What stands for a running parameter in a form: its name, or the one number of a list.
    fn variable(&self, index: usize) -> String {
        let name = self.running[index];
        if self.is_list(index) { format!("{name}[0]") } else { name.to_string() }
    }

    /// The conditions under which all of this is meant.
    fn conditions(&self, lists_of_one: bool) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for index in 0..self.running.len() {
            if self.is_list(index) && lists_of_one {
                found.push(format!("len({}) == 1", self.running[index]));
            }
        }
        found.extend(self.fixed.iter().map(|(name, value)| format!("{name} == {}", literal(value))));
        found
    }

    fn claim(&self, field: ClaimField, form: &str, mut conditions: Vec<String>, when: Option<String>) -> String {
        conditions.extend(when);
        match conditions.is_empty() {
            true => format!("claim {field} = {form};"),
            false => format!("claim {field} = {form} when {};", conditions.join(" and ")),
        }
    }

    /// The rules with one more claim, which is the last; `None` if they do not admit it.
    fn with(&self, claim: &str) -> Option<Arc<Program>> {
        let source = &self.rules.source;
        let tokens = lex(source, 0..source.len()).tokens;
        let close = tokens.iter().rev().find(|token| token.kind == TokenKind::Sign(Sign::CloseBrace))?;
        let (before, after) = source.split_at(close.span.start as usize);
        rules::compile(&format!("{before}\n{claim}\n{after}")).ok().map(Arc::new)
    }

    /// The fields that values of a kind tell of, the most telling first.
    fn fields(&self, kind: Option<TermKind>) -> Vec<ClaimField> {
        let who = match (&self.program.starts, &self.program.players) {
            (None, None) => ClaimField::Winner,
            _ => ClaimField::Outcome,
        };
        match kind {
            Some(TermKind::Nimber) => vec![ClaimField::Nimber, who],
            Some(TermKind::Score | TermKind::Value) => vec![ClaimField::Value, who],
            Some(TermKind::Outcome | TermKind::Loopy | TermKind::Mixed) => vec![who],
            Some(TermKind::Payoffs) | None => Vec::new(),
        }
    }
}

/// A value of the instance as the rules language writes it.
fn literal(value: &Shown) -> String {
    match value {
        Shown::Numbers(numbers) => Given::Ints(numbers.as_slice().to_vec()).to_string(),
        Shown::Given(given) => given.to_string(),
    }
}

/// What a term says of a field.
fn symbol(term: &Term, field: ClaimField) -> Option<Symbol> {
    let outcome = || match &term.verdict {
        Verdict::Score(value) => Some(Outcome::of_sign(*value)),
        other => other.outcome(),
    };
    let word = |words: [&str; 3]| match outcome()? {
        Outcome::Win => Some(Symbol::Word(words[0].to_string())),
        Outcome::Loss => Some(Symbol::Word(words[1].to_string())),
        Outcome::Draw => Some(Symbol::Word(words[2].to_string())),
    };
    match field {
        ClaimField::Nimber => i64::try_from(term.verdict.nimber()?).ok().map(Symbol::Int),
        ClaimField::Winner => word(["first", "second", "draw"]),
        ClaimField::Outcome => word(["win", "lose", "draw"]),
        ClaimField::Value => match (&term.form, &term.verdict) {
            (Some(form), _) => {
                let name = form.name.as_ref()?;
                Some(name.parse().map_or_else(|_| Symbol::Word(format!("{name:?}")), Symbol::Int))
            }
            (None, Verdict::Score(value)) => Some(Symbol::Int(*value)),
            _ => None,
        },
    }
}

/// Forms of the values as one parameter runs, at most one for each field.
///
/// See the [module](self) for an example.
pub fn line(setting: &Setting<'_>, sequence: &Sequence, monitor: &mut Monitor) -> Result<Vec<Guess>, SolveError> {
    let known = sequence.known().min(MOST_VALUES);
    let terms: Vec<(i64, Term)> =
        (0..known).filter_map(|at| Some((sequence.parameter(at), sequence.term(at)?))).collect();
    let kind = kind_of(terms.iter().map(|(_, term)| term));
    let variable = setting.variable(0);
    let mut answers = Answers::new(setting, monitor);
    let mut found: Vec<Guess> = Vec::new();
    for field in setting.fields(kind) {
        let values: Option<Vec<(i64, Symbol)>> =
            terms.iter().map(|(n, term)| Some((*n, symbol(term, field)?))).collect();
        let Some(values) = values else { continue };
        let forms = patterns::line::guess(&values);
        let fresh = further(&values);
        let mut tests = Tests::new(field, &mut answers);
        for form in &forms {
            let claims = spelled(setting, field, form, &variable);
            // Who wins is worth a claim of its own only if that says it in fewer words.
            if claims.iter().any(|spelling| found.iter().any(|known| spelling.claim.len() >= known.claim.len())) {
                continue;
            }
            let proof = proved(form, sequence, field);
            let passed = claims.into_iter().find_map(|spelling| tests.pass(&spelling, &values, &fresh).transpose());
            if let Some((claim, tested)) = passed.transpose()? {
                found.push(Guess { claim, values: values.len(), tested, proof });
                break;
            }
        }
    }
    Ok(found)
}

/// A claim, and whether lists of several numbers belong to it.
struct Spelling {
    claim: String,
    several: bool,
}

/// How a form may be claimed: of a list for all its numbers together, else for one.
fn spelled(setting: &Setting<'_>, field: ClaimField, form: &Form, variable: &str) -> Vec<Spelling> {
    let mut found = Vec::new();
    if setting.is_list(0) && field == ClaimField::Nimber && form.when("h").is_none() {
        let list = setting.running[0];
        let all = match form.text("h") {
            plain if plain == "h" => format!("xor({list})"),
            inner => format!("xor({inner} for h in {list})"),
        };
        found.push(Spelling { claim: setting.claim(field, &all, setting.conditions(false), None), several: true });
    }
    let one = setting.claim(field, &form.text(variable), setting.conditions(true), form.when(variable));
    found.push(Spelling { claim: one, several: false });
    found
}

/// Forms of the values as two parameters run.
///
/// ```
/// use perfectplay::Solver;
/// use perfectplay::guess::{Setting, plane};
/// use perfectplay::language::{Instance, Rules};
/// use perfectplay::sequence::{Axis, Grid, Runs};
///
/// let rules = Rules::gallery("race").unwrap();
/// let program = rules.program()?;
/// let solver = Solver::new();
/// let axis = |parameter, from, to| Axis { parameter, runs: Runs::Number, from, to };
/// let mut grid = Grid::new(&program, Instance::default(), axis(0, 0, 12), axis(1, 1, 8), solver.options()?);
/// while !grid.extend(&mut solver.monitor()).unwrap() {}
/// let fixed = perfectplay::answer::Understood::default();
/// let setting = Setting::new(&rules, &program, &fixed, &["goal", "most"], solver.options()?);
/// let found = plane(&setting, &grid, &mut solver.monitor())?;
/// assert_eq!(found[0].claim, "claim nimber = goal % (most + 1);");
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub fn plane(setting: &Setting<'_>, grid: &Grid, monitor: &mut Monitor) -> Result<Vec<Guess>, SolveError> {
    let mut terms: Vec<(i64, i64, &Term)> = Vec::new();
    for (down, row) in grid.rows().enumerate() {
        for (across, term) in row.iter().enumerate() {
            let at = (grid.down.from + down as i64, grid.across.from + across as i64);
            terms.extend(term.as_ref().map(|term| (at.0, at.1, term)));
        }
    }
    let kind = kind_of(terms.iter().map(|(_, _, term)| *term));
    let (a, b) = (setting.variable(0), setting.variable(1));
    let mut answers = Answers::new(setting, monitor);
    let mut found: Vec<Guess> = Vec::new();
    for field in setting.fields(kind) {
        let points: Option<Vec<(i64, i64, Symbol)>> =
            terms.iter().map(|(a, b, term)| Some((*a, *b, symbol(term, field)?))).collect();
        let Some(points) = points else { continue };
        let fresh = around(&points);
        let mut tests = Tests::new(field, &mut answers);
        for plane in patterns::plane::guess(&points) {
            let text = plane.text(&a, &b);
            let claim = setting.claim(field, &text, setting.conditions(true), plane.when(&a, &b));
            if found.iter().any(|known| claim.len() >= known.claim.len()) {
                continue;
            }
            let known: Vec<(Vec<i64>, Symbol)> =
                points.iter().map(|(a, b, value)| (vec![*a, *b], value.clone())).collect();
            if let Some(tested) = tests.holds(&claim, &known, &fresh)? {
                found.push(Guess { claim, values: points.len(), tested, proof: None });
                break;
            }
        }
    }
    Ok(found)
}

fn kind_of<'t>(terms: impl Iterator<Item = &'t Term>) -> Option<TermKind> {
    let kinds: Vec<TermKind> = terms.map(Term::kind).collect();
    let first = *kinds.first()?;
    if kinds.iter().all(|kind| *kind == first) { Some(first) } else { Some(TermKind::Mixed) }
}

/// Numbers behind those that are known: the next ones, then some as far again.
fn further(values: &[(i64, Symbol)]) -> Vec<i64> {
    let (Some((first, _)), Some((last, _))) = (values.first(), values.last()) else { return Vec::new() };
    let (length, half) = (last.saturating_sub(*first).saturating_add(1), MOST_TESTS as i64 / 2);
    let near = (1..=half).map(|step| last.saturating_add(step));
    let far = (1..=half).map(|step| last.saturating_add(half).saturating_add(step.saturating_mul(2 * length) / half));
    let mut found: Vec<i64> = near.chain(far).collect();
    found.dedup();
    found
}

/// Pairs of numbers outside of those that are known, by chance, up to twice as far.
fn around(points: &[(i64, i64, Symbol)]) -> Vec<Vec<i64>> {
    let range = |of: fn(&(i64, i64, Symbol)) -> i64| (points.iter().map(of).min(), points.iter().map(of).max());
    let ((Some(a), Some(b)), (Some(c), Some(d))) = (range(|point| point.0), range(|point| point.1)) else {
        return Vec::new();
    };
    let known: HashSet<(i64, i64)> = points.iter().map(|(a, b, _)| (*a, *b)).collect();
    let mut chance = Random::new(1);
    let mut within = |low: i64, high: i64| low.saturating_add(chance.below((2 * high.abs_diff(low)).max(1) + 2) as i64);
    let pairs = (0..8 * MOST_TESTS).map(|_| (within(a, b), within(c, d)));
    let mut fresh: Vec<Vec<i64>> = pairs.filter(|pair| !known.contains(pair)).map(|(a, b)| vec![a, b]).collect();
    fresh.truncate(MOST_TESTS);
    // Small ones first: large ones may take too long.
    fresh.sort_by_key(|pair| pair.iter().map(|number| number.unsigned_abs()).max());
    fresh
}

/// Exact answers to test with. Each instance is solved once, whatever is claimed of it.
struct Answers<'t, 'g> {
    setting: &'t Setting<'g>,
    monitor: &'t mut Monitor,
    known: HashMap<Vec<i64>, Answer>,
    end: Instant,
}

/// What is known of an instance.
#[derive(Clone)]
enum Answer {
    /// What the solution says of each field.
    Exact(Vec<(ClaimField, Option<String>)>),
    /// It takes too long.
    TooLarge,
    /// The rules do not admit it.
    Refused,
}

impl<'t, 'g> Answers<'t, 'g> {
    fn new(setting: &'t Setting<'g>, monitor: &'t mut Monitor) -> Answers<'t, 'g> {
        Answers { setting, monitor, known: HashMap::new(), end: Instant::now() + ALL_TESTS }
    }

    fn of(&mut self, numbers: &[i64]) -> Result<Answer, SolveError> {
        if let Some(answer) = self.known.get(numbers) {
            return Ok(answer.clone());
        }
        let answer = match self.exceeds(numbers) || Instant::now() >= self.end {
            true => Answer::TooLarge,
            false => self.solved(numbers)?,
        };
        self.known.insert(numbers.to_vec(), answer.clone());
        Ok(answer)
    }

    /// Whether a smaller instance takes too long already.
    fn exceeds(&self, numbers: &[i64]) -> bool {
        let is_smaller = |other: &[i64]| other.len() == numbers.len() && other.iter().zip(numbers).all(|(a, b)| a <= b);
        self.known.iter().any(|(other, answer)| matches!(answer, Answer::TooLarge) && is_smaller(other))
    }

    fn solved(&mut self, numbers: &[i64]) -> Result<Answer, SolveError> {
        let Ok(bound) = bind(self.setting.program, &self.setting.instance_of(numbers)) else {
            return Ok(Answer::Refused);
        };
        self.monitor.look(0, 0)?;
        let time = ONE_TEST.min(self.end.saturating_duration_since(Instant::now()));
        let limits = Limits { memory: self.monitor.memory().free(), time: Some(time) };
        let mut own = Monitor::new(&limits);
        let fields = [ClaimField::Winner, ClaimField::Outcome, ClaimField::Value, ClaimField::Nimber];
        match answer(&bound, &self.setting.options, &mut own) {
            Ok(solution) => Ok(Answer::Exact(fields.map(|field| (field, claims::exact(field, &solution))).to_vec())),
            Err(SolveError::Interrupted { positions }) => Err(SolveError::Interrupted { positions }),
            Err(_) => Ok(Answer::TooLarge),
        }
    }
}

/// Tests of claims of a field against exact answers.
struct Tests<'a, 't, 'g> {
    setting: &'t Setting<'g>,
    field: ClaimField,
    answers: &'a mut Answers<'t, 'g>,
}

impl<'a, 't, 'g> Tests<'a, 't, 'g> {
    fn new(field: ClaimField, answers: &'a mut Answers<'t, 'g>) -> Tests<'a, 't, 'g> {
        Tests { setting: answers.setting, field, answers }
    }

    /// Tests a form of one number; of a list, also with several numbers in it.
    fn pass(
        &mut self,
        spelling: &Spelling,
        values: &[(i64, Symbol)],
        fresh: &[i64],
    ) -> Result<Option<(String, usize)>, SolveError> {
        let known: Vec<(Vec<i64>, Symbol)> = values.iter().map(|(n, value)| (vec![*n], value.clone())).collect();
        let mut others: Vec<Vec<i64>> = Vec::new();
        if spelling.several {
            let mut chance = Random::new(2);
            let few = values.len().min(12) as u64;
            for _ in 0..MOST_TESTS / 2 {
                let parts = 2 + chance.below(2);
                others.push((0..parts).map(|_| values[chance.below(few) as usize].0).collect());
            }
        }
        others.extend(fresh.iter().map(|n| vec![*n]));
        Ok(self.holds(&spelling.claim, &known, &others)?.map(|tested| (spelling.claim.clone(), tested)))
    }

    /// On how many fresh instances a claim was right; `None` if it is wrong somewhere, or the rules do not admit it.
    fn holds(
        &mut self,
        claim: &str,
        known: &[(Vec<i64>, Symbol)],
        fresh: &[Vec<i64>],
    ) -> Result<Option<usize>, SolveError> {
        let Some(program) = self.setting.with(claim) else { return Ok(None) };
        let step = known.len().div_ceil(2 * MOST_TESTS).max(1);
        // The claim says what the form says.
        for (numbers, value) in known.iter().step_by(step) {
            if let Some(claimed) = self.claimed(&program, numbers)?
                && claimed != plain(value)
            {
                return Ok(None);
            }
        }
        let (mut tested, mut too_large) = (0, 0);
        for numbers in fresh {
            if too_large >= PATIENCE {
                break;
            }
            match self.tested(&program, numbers)? {
                Tested::Right => (tested, too_large) = (tested + 1, 0),
                Tested::Wrong => return Ok(None),
                Tested::TooLarge => too_large += 1,
                Tested::Refused => {}
            }
        }
        Ok(Some(tested))
    }

    /// What the last claim says of an instance, if it speaks of it.
    fn claimed(&mut self, program: &Arc<Program>, numbers: &[i64]) -> Result<Option<String>, SolveError> {
        let Ok(bound) = bind(program, &self.setting.instance_of(numbers)) else { return Ok(None) };
        let claimed = Interpreter::new(&bound).claim(program.claims.len() - 1)?;
        Ok(claimed.and_then(|claimed| claims::text(self.field, &claimed)))
    }

    fn tested(&mut self, program: &Arc<Program>, numbers: &[i64]) -> Result<Tested, SolveError> {
        let Ok(bound) = bind(program, &self.setting.instance_of(numbers)) else { return Ok(Tested::Refused) };
        let claimed = match Interpreter::new(&bound).claim(program.claims.len() - 1) {
            Ok(Some(claimed)) => claims::text(self.field, &claimed),
            Ok(None) => return Ok(Tested::Refused),
            // A number that does not fit is no counterexample.
            Err(_) => return Ok(Tested::TooLarge),
        };
        Ok(match self.answers.of(numbers)? {
            Answer::TooLarge => Tested::TooLarge,
            Answer::Refused => Tested::Refused,
            Answer::Exact(fields) => {
                let exact = fields.into_iter().find(|(field, _)| *field == self.field).and_then(|(_, exact)| exact);
                match (exact, claimed) {
                    (Some(exact), Some(claimed)) if claims::same(self.field, &exact, &claimed) => Tested::Right,
                    (None, _) => Tested::Refused,
                    _ => Tested::Wrong,
                }
            }
        })
    }
}

/// What came of a test.
enum Tested {
    Right,
    Wrong,
    /// The exact answer takes too long.
    TooLarge,
    /// The rules do not admit the instance, or the claim does not speak of it.
    Refused,
}

/// A symbol as answers are spelled, without quotes.
fn plain(value: &Symbol) -> String {
    value.to_string().trim_matches('"').to_string()
}

/// The theorem that proves a form: the values are proved to repeat, and the form repeats in step with them and agrees all the way
/// round.
fn proved(form: &Form, sequence: &Sequence, field: ClaimField) -> Option<String> {
    let Source::Heaps(heaps) = sequence.source() else { return None };
    let (period, name) = heaps.proved()?;
    if sequence.upto().is_some() {
        return None;
    }
    let (start, length, saltus) = form.period()?;
    let (own, step) = (i64::try_from(period.length).ok()?, i64::try_from(period.saltus).ok()?);
    let in_step = match field {
        ClaimField::Nimber => saltus.checked_mul(own)? == step.checked_mul(length)?,
        _ => saltus == 0 && step == 0,
    };
    let round = (own / gcd(own, length)).checked_mul(length)?;
    let end = i64::try_from(period.start).ok()?.max(start).checked_add(round)?;
    if !in_step || end > 1 << 20 {
        return None;
    }
    let term = |heap: i64| {
        let heap = u64::try_from(heap).ok()?;
        heaps.nimber(heap).map(Term::nimber).or_else(|| heaps.outcome(heap).map(Term::outcome))
    };
    let speaks_of = |n: i64| !matches!(form, Form::From(from, _) if n < *from);
    let agrees = |n: i64| !speaks_of(n) || term(n).and_then(|term| symbol(&term, field)) == form.of(n);
    (0..end).all(agrees).then(|| format!("theorem: {name}"))
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
