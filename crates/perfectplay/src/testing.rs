//! The tests that a rules file carries: its examples, and its claims over its sample.
//!
//! ```
//! use perfectplay::language::Rules;
//! use perfectplay::testing::{Thoroughness, test};
//!
//! let nim = Rules::gallery("nim").unwrap().program()?;
//! let report = test(&nim, &Thoroughness { instances: 20, ..Thoroughness::default() })?;
//! assert!(report.examples > 0 && report.failures.is_empty());
//! # Ok::<(), perfectplay::Error>(())
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use engine::monitor::{Limits, Monitor};
use rules::bind::{Bound, bind};
use rules::diagnostic::Diagnostic;
use rules::instance::Instance;
use rules::interpreter::{Claimed, Interpreter};
use rules::parameters;
use rules::program::{Claim, ClaimField, Example, Literal, Program};
use rules::sample;
use rules::span::Span;
use rules::stop::Stopped;
use solve::answer::answer;
use solve::answer::solution::Solution;
use solve::error::SolveError;
use solve::options::Options;
use solve::stopping;

pub use crate::report::Report;
use crate::{claims, json};

/// How thorough to be.
///
/// ```
/// assert_eq!(perfectplay::testing::Thoroughness::default().instances, 1000);
/// ```
#[derive(Clone, Debug)]
pub struct Thoroughness {
    /// How many instances of the sample are tried at the most.
    pub instances: usize,
    /// Limits for each instance.
    pub limits: Limits,
    /// Set from outside to stop.
    pub cancel: Arc<AtomicBool>,
}

impl Thoroughness {
    /// The monitor of one instance.
    fn monitor(&self) -> Monitor {
        Monitor::new(&self.limits).cancelled_by(Arc::clone(&self.cancel))
    }
}

impl Default for Thoroughness {
    fn default() -> Thoroughness {
        let limits = Limits { memory: 1 << 30, time: Some(Duration::from_secs(20)) };
        Thoroughness { instances: 1000, limits, cancel: Arc::new(AtomicBool::new(false)) }
    }
}

/// How many failures are told; one wrong claim can fail on hundreds of instances.
const MOST_FAILURES: usize = 10;

/// Runs the examples of a file and its claims over its sample.
///
/// See the [module](self) for an example.
pub fn test(program: &Arc<Program>, thoroughness: &Thoroughness) -> Result<Report, SolveError> {
    let mut report = Report::default();
    for example in &program.examples {
        report.examples += 1;
        run_example(program, example, thoroughness, &mut report)?;
    }
    run_sample(program, thoroughness, &mut report)?;
    Ok(report)
}

fn run_example(
    program: &Arc<Program>,
    example: &Example,
    thoroughness: &Thoroughness,
    report: &mut Report,
) -> Result<(), SolveError> {
    let instance = match parameters::example_instance(program, example) {
        Ok(instance) => instance,
        Err(fault) => {
            report.failures.push(*fault.diagnostic);
            return Ok(());
        }
    };
    let Some(solution) = solve_instance(program, &instance, Some(example.span), thoroughness, report)? else {
        return Ok(());
    };
    let found = json::Fields::of(&solution.1);
    for (field, expected_value, span) in &example.gives {
        let expected = json::literal_text(expected_value);
        let title = match found.text(field) {
            Some(actual) if actual == expected || same_value(field, &solution.1, expected_value) => continue,
            None => format!("the example expects {field}: {expected}, but the result has no `{field}`"),
            Some(actual) => format!("the example expects {field}: {expected}, the exact answer is {actual}"),
        };
        report.failures.push(of(Diagnostic::at(*span, title, "differs"), &instance));
    }
    Ok(())
}

/// Solves one instance. What goes wrong is a failure of the file, except a limit.
fn solve_instance(
    program: &Arc<Program>,
    instance: &Instance,
    place: Option<Span>,
    thoroughness: &Thoroughness,
    report: &mut Report,
) -> Result<Option<(Bound, Solution)>, SolveError> {
    let fail = |report: &mut Report, mut diagnostic: Diagnostic| {
        if diagnostic.label.is_none() {
            diagnostic.label = place.map(|span| (span, "in this example".to_string()));
        }
        report.failures.push(of(diagnostic, instance));
    };
    let mut monitor = thoroughness.monitor();
    let too_large = |report: &mut Report| match place {
        Some(_) => fail(report, Diagnostic::new("this example is too large to be solved within the limits")),
        None => report.skipped += 1,
    };
    let scope = stopping::scope(&monitor);
    let bound = match (bind(program, instance), stopping::stopped(&scope)) {
        (Ok(bound), _) => bound,
        (Err(_), Some(error)) if error.is_limit() => {
            too_large(report);
            return Ok(None);
        }
        (Err(_), Some(error)) => return Err(error),
        (Err(diagnostics), None) => {
            diagnostics.into_iter().for_each(|diagnostic| fail(report, diagnostic));
            return Ok(None);
        }
    };
    drop(scope);
    match answer(&bound, &Options::default(), &mut monitor) {
        Ok(solution) => Ok(Some((bound, solution))),
        // A rule that takes too much work would do so within any limits.
        Err(SolveError::Fault(fault)) => {
            fail(report, *fault.diagnostic);
            Ok(None)
        }
        Err(error) if error.is_limit() => {
            too_large(report);
            Ok(None)
        }
        Err(error @ (SolveError::Interrupted { .. } | SolveError::Internal(_))) => Err(error),
        Err(error) => {
            fail(report, Diagnostic::new(error.to_string()));
            Ok(None)
        }
    }
}

fn run_sample(program: &Arc<Program>, thoroughness: &Thoroughness, report: &mut Report) -> Result<(), SolveError> {
    if program.sample.is_empty() && program.params.iter().any(|param| param.default.is_none()) {
        if let Some(claim) = program.claims.first() {
            let help = "add `sample { PARAM in DOMAIN; … }` to say on which instances to check it";
            report.failures.push(Diagnostic::at(claim.span, "this claim is never checked", "no `sample`").help(help));
        }
        return Ok(());
    }
    let scope = stopping::scope(&thoroughness.monitor());
    let sampled = match sample::sampled(program, thoroughness.instances, 1) {
        Ok(sampled) => sampled,
        Err(_) if scope.stopped() == Some(Stopped::Cancelled) => return Err(SolveError::Interrupted { positions: 0 }),
        Err(diagnostics) => {
            report.failures.extend(diagnostics);
            return Ok(());
        }
    };
    drop(scope);
    report.more = !sampled.complete;
    if sampled.instances.is_empty() && thoroughness.instances > 0 {
        report.failures.push(none_admitted(program, sampled.complete));
    }
    let mut repeated = BTreeMap::new();
    for instance in sampled.instances {
        join(&mut report.failures, &mut repeated);
        if report.failures.len() >= MOST_FAILURES {
            report.more = true;
            break;
        }
        let Some((bound, solution)) = solve_instance(program, &instance, None, thoroughness, report)? else { continue };
        report.instances += 1;
        let _scope = stopping::scope(&thoroughness.monitor());
        let mut interpreter = Interpreter::new(&bound);
        for (index, claim) in program.claims.iter().enumerate() {
            match interpreter.claim(index) {
                Ok(None) => {}
                Ok(Some(claimed)) => {
                    report.claims += 1;
                    let failure = compare(claim, &claimed, &solution);
                    report.failures.extend(failure.map(|diagnostic| of(diagnostic, &instance)));
                }
                Err(fault) => match fault.stopped() {
                    None => report.failures.push(of(*fault.diagnostic, &instance)),
                    Some(Stopped::Cancelled) => return Err(fault.into()),
                    Some(_) => {
                        report.skipped += 1;
                        break;
                    }
                },
            }
        }
    }
    join(&mut report.failures, &mut repeated);
    for (failure, instances) in repeated {
        let more = if instances.len() > MOST_NAMED { ", …" } else { "" };
        let named: Vec<&str> = instances.iter().take(MOST_NAMED).map(String::as_str).collect();
        report.failures[failure].notes.push(format!("the same with {}{more}", named.join(", ")));
    }
    Ok(())
}

/// So many instances are named in which the same goes wrong.
const MOST_NAMED: usize = 5;

/// Leaves out failures that were told before, of another instance. These instances are kept by the place of the failure.
fn join(failures: &mut Vec<Diagnostic>, repeated: &mut BTreeMap<usize, Vec<String>>) {
    let mut kept: Vec<Diagnostic> = Vec::with_capacity(failures.len());
    for failure in failures.drain(..) {
        match kept.iter().position(|other| other.title == failure.title && other.label == failure.label) {
            Some(place) => {
                let instance = failure.notes.iter().find_map(|note| note.strip_prefix(INSTANCE));
                repeated.entry(place).or_default().extend(instance.map(str::to_string));
            }
            None => kept.push(failure),
        }
    }
    *failures = kept;
}

/// That nothing was tried, since the rules refuse every instance.
fn none_admitted(program: &Program, all: bool) -> Diagnostic {
    let title = match all {
        true => "the rules admit no instance of the sample, so that nothing is checked on it",
        false => "no instance of the sample was found that the rules admit, so that nothing is checked on it",
    };
    let diagnostic = match program.sample.first() {
        Some(item) => Diagnostic::at(item.span, title, "every instance is refused"),
        None => Diagnostic::new(title),
    };
    diagnostic.help("change the sample, or what `require` asks for")
}

/// Whether an example spells the value of a position in another way: as a number without quotes, or `{1|-1}` for `±1`.
fn same_value(field: &str, solution: &Solution, expected: &Literal) -> bool {
    let Some(form) = solution.canonical.as_ref().and_then(|form| form.name.as_deref()) else { return false };
    field == "value"
        && match expected {
            Literal::Int(number) => form == number.to_string(),
            Literal::Text(text) => claims::same(ClaimField::Value, form, text),
            _ => false,
        }
}

/// What is wrong with a claim, given the exact answer.
fn compare(claim: &Claim, claimed: &Claimed, solution: &Solution) -> Option<Diagnostic> {
    let field = claim.field;
    let exact = claims::exact(field, solution);
    let claimed = claims::text(field, claimed).unwrap_or_else(|| "no player".to_string());
    let title = match exact {
        Some(exact) if claims::same(field, &exact, &claimed) => return None,
        Some(exact) => format!("the claim is wrong: it says {field} = {claimed}, the exact answer is {exact}"),
        None => format!("the claim says {field} = {claimed}, but the result has no `{field}`"),
    };
    Some(Diagnostic::at(claim.span, title, "wrong"))
}

/// An instance as words of the command line, cut where it is long.
///
/// ```
/// let instance = perfectplay::language::parse_instance(r#"{"n": 5, "k": 2}"#).unwrap();
/// assert_eq!(perfectplay::testing::instance_text(&instance), "n=5 k=2");
/// ```
pub fn instance_text(instance: &Instance) -> String {
    let words: Vec<String> =
        instance.0.iter().map(|(name, given)| rules::show::cut(120, &format!("{name}={given}"))).collect();
    words.join(" ")
}

/// What stands before the instance of a failure.
const INSTANCE: &str = "instance: ";

/// A failure with the instance in which it was found; a game without parameters has only one.
fn of(diagnostic: Diagnostic, instance: &Instance) -> Diagnostic {
    if instance.0.is_empty() { diagnostic } else { diagnostic.note(format!("{INSTANCE}{}", instance_text(instance))) }
}
