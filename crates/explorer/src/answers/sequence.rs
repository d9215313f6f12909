//! The value as one parameter runs.

use perfectplay::answer::Understood;
use perfectplay::json::{self, ErrorObject, SequenceHead, error_object, unfinished, usage};
use perfectplay::language::{Bound, Rules, parse_instance};
use perfectplay::sequence::{Instances, Runs, Sequence, SequenceError, Summary};
use perfectplay::solving::Limit;
use perfectplay::{Error, SolveError};

use super::Allowed;
use super::game::is_too_much;
use crate::question::{Question, cut};
use crate::reply::Reply;

/// At most so many terms.
const MOST: i64 = 20_000;
/// So many terms where nobody says how many.
const USUAL: i64 = 50;
/// So many values are tried for one that the rules admit.
const TRIED: i64 = 5;

/// The object of a sequence.
pub fn sequence(rules: &Rules, bound: &Bound, question: &Question, allowed: &Allowed) -> Result<Reply, ErrorObject> {
    let program = &bound.program;
    let runs = |index: usize| Runs::of(&program.params[index].ty);
    let index = match &question.parameter {
        Some(name) => program.params.iter().position(|param| param.name == *name).ok_or_else(|| {
            let names: Vec<&str> = program.params.iter().map(|param| param.name.as_str()).collect();
            let help = format!("its parameters are {}", names.join(", "));
            usage(&format!("`{}` has no parameter `{}`", program.name, cut(name)), Some(&help))
        })?,
        None => (0..program.params.len())
            .find(|index| runs(*index).is_some())
            .ok_or_else(|| usage(&format!("`{}` has no parameter that could run", program.name), None))?,
    };
    let name = program.params[index].name.clone();
    let Some(runs) = runs(index) else {
        let help = "a parameter that runs is a number, or a list of numbers";
        return Err(usage(&format!("`{name}` is {}", program.params[index].ty), Some(help)));
    };
    let mut fixed = parse_instance(&question.instance()).map_err(|error| usage(&error.message, None))?;
    fixed.0.retain(|(other, _)| *other != name);
    let instances = Instances::new(program, fixed, index, runs, allowed.options());
    let from = match question.from {
        Some(from) => from,
        None => (0..TRIED).find(|at| instances.bind(*at).is_ok()).unwrap_or(0),
    };
    let to = question.to.unwrap_or(from.saturating_add(USUAL));
    if to <= from || to.saturating_sub(from) > MOST {
        return Err(usage(&format!("{from}..{to} is no range of at most {MOST} values"), None));
    }
    let first = instances.bind(from).map_err(|wrong| error_object(&Error::mistakes(rules, wrong)))?;
    let shown = Understood::new(&first).without(|name| instances.runs_along(name));
    let failed = |error: SequenceError| match error {
        SequenceError::Solve { error, .. } => error_object(&Error::solving(error, rules)),
        other => usage(&other.to_string(), None),
    };
    let mut sequence = Sequence::of(instances, from, to).map_err(failed)?;
    let mut monitor = allowed.monitor();
    let mut stopped = None;
    loop {
        match sequence.extend(&mut monitor) {
            Ok(true) => break,
            Ok(false) => {}
            Err(error) => {
                stopped = Some(error);
                break;
            }
        }
    }
    let terms = sequence.known();
    let error = match stopped {
        None => None,
        Some(SequenceError::Solve { error, .. }) if is_too_much(&error) && terms > 0 => {
            let message = format!("a limit was reached: {terms} of {} terms are exact", to - from);
            // What was interrupted has used up its time.
            let error = match error {
                SolveError::Interrupted { positions } => {
                    SolveError::Limit { limit: Limit::Time { limit: allowed.time }, positions }
                }
                other => other,
            };
            Some(unfinished(&error, message, Some(terms)))
        }
        Some(error) => return Err(failed(error)),
    };
    let took = (monitor.elapsed().as_secs_f64(), monitor.memory().peak());
    let head = SequenceHead { game: &program.name, fixed: &shown, parameter: &name };
    let summary = Summary::of(&sequence);
    // More time or memory would bring more terms.
    let limited = error.is_some();
    let body = json::text(&json::sequence(&head, &sequence, &summary, took, error, &|_| None));
    Ok(Reply { limited, ..Reply::good(body) })
}
