//! `perfectplay test`: the examples and claims of rules files.

use perfectplay::gallery::GALLERY;
use perfectplay::testing::{self, Report, Thoroughness};
use perfectplay::{Limits, SolveError};
use serde_json::{Value, json};

use crate::args::TestArgs;
use crate::failure::{Failure, diagnostic_json};
use crate::load::{self, Rules};
use crate::output::{self, BAD, FAINT, GOOD, plural, styled};
use crate::watch;

pub fn run(args: &TestArgs) -> Result<u8, Failure> {
    let names: Vec<String> = match args.files.is_empty() {
        true => GALLERY.iter().map(|(name, _)| name.to_string()).collect(),
        false => args.files.clone(),
    };
    let thoroughness = Thoroughness {
        instances: args.instances,
        limits: Limits { memory: args.memory, time: Some(args.time) },
        cancel: watch::cancel(),
    };
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut files = Vec::new();
    let mut worst = 0u8;
    for name in &names {
        let (code, file) = one(name, &thoroughness, args, width)?;
        worst = worst.max(code);
        files.push((code, file));
    }
    let failed = files.iter().filter(|(code, _)| *code > 0).count();
    if args.json {
        let files: Vec<Value> = files.into_iter().map(|(_, file)| file).collect();
        output::print_json(&json!({ "passed": worst == 0, "files": files }));
    } else if names.len() > 1 {
        output::print(&match failed {
            0 => format!("{}\n", styled(format!("all {} files passed", names.len()), GOOD)),
            _ => format!("{}\n", styled(format!("{failed} of {} files failed", names.len()), BAD)),
        });
    }
    Ok(worst)
}

/// Tests one file: its exit code and its part of the JSON.
fn one(name: &str, thoroughness: &Thoroughness, args: &TestArgs, width: usize) -> Result<(u8, Value), Failure> {
    let loaded = load::rules(name).and_then(|rules| load::program(&rules).map(|program| (rules, program)));
    let (rules, program) = match loaded {
        Ok(loaded) => loaded,
        Err(failure) => {
            if !args.json {
                failure.tell(false);
                output::print(&format!("{} {name}\n", styled("FAILED", BAD)));
            }
            return Ok((2, failed_json(name, &failure)));
        }
    };
    match testing::test(&program, thoroughness) {
        Ok(report) => {
            let failed = !report.failures.is_empty();
            if !args.json && (failed || !args.quiet) {
                tell(&rules, &report, width);
            }
            Ok((u8::from(failed), report_json(&rules, &report)))
        }
        Err(error @ (SolveError::Interrupted { .. } | SolveError::Internal(_))) => Err(Failure::Unsolved(error)),
        Err(error) => Err(Failure::solving(error, &rules)),
    }
}

fn tell(rules: &Rules, report: &Report, width: usize) {
    let mut text = String::new();
    if !report.failures.is_empty() {
        text.push_str(&rules::report::report(&rules.name, &rules.source, &report.failures, output::colour_on_stderr()));
    }
    output::complain(&text);
    let mark = if report.failures.is_empty() { styled("ok    ", GOOD) } else { styled("FAILED", BAD) };
    let skipped = match report.skipped {
        0 => String::new(),
        n => format!(", {n} too large for the limits"),
    };
    let counts = format!(
        "{}, {}, {} checked{skipped}",
        plural(report.examples as u64, "example"),
        plural(report.instances as u64, "instance"),
        plural(report.claims as u64, "claim"),
    );
    output::print(&format!("{mark} {:width$}  {}\n", rules.name, styled(counts, FAINT)));
}

fn report_json(rules: &Rules, report: &Report) -> Value {
    let failures: Vec<Value> = report.failures.iter().map(|d| diagnostic_json(d, &rules.source)).collect();
    json!({
        "file": rules.name, "passed": report.failures.is_empty(), "examples": report.examples,
        "instances": report.instances, "claims": report.claims, "skipped": report.skipped, "failures": failures,
    })
}

fn failed_json(name: &str, failure: &Failure) -> Value {
    let failures: Vec<Value> = match failure {
        Failure::Wrong { diagnostics, rules, .. } => {
            let source = rules.as_ref().map_or("", |rules| &rules.source);
            diagnostics.iter().map(|d| diagnostic_json(d, source)).collect()
        }
        Failure::Usage { message, help } => vec![json!({ "message": message, "help": help })],
        Failure::Unsolved(error) | Failure::Unfinished { error, .. } => vec![json!({ "message": error.to_string() })],
    };
    json!({ "file": name, "passed": false, "failures": failures })
}
