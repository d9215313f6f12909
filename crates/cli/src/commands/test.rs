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
    let mut files = Vec::new();
    let mut worst = 0u8;
    for name in &names {
        let rules = load::rules(name)?;
        let tested = match load::program(&rules) {
            Ok(program) => testing::test(&program, &thoroughness),
            Err(failure) => {
                if !args.json {
                    failure.tell(false);
                }
                files.push(failed_json(&rules, &failure));
                worst = 2;
                continue;
            }
        };
        match tested {
            Ok(report) => {
                if !report.failures.is_empty() {
                    worst = worst.max(1);
                }
                if !args.json {
                    tell(&rules, &report);
                }
                files.push(report_json(&rules, &report));
            }
            Err(error @ (SolveError::Interrupted { .. } | SolveError::Internal(_))) => {
                return Err(Failure::Unsolved(error));
            }
            Err(error) => return Err(Failure::solving(error, &rules)),
        }
    }
    if args.json {
        output::print(&format!("{}\n", json!({ "passed": worst == 0, "files": files })));
    }
    Ok(worst)
}

fn tell(rules: &Rules, report: &Report) {
    let mut text = String::new();
    if !report.failures.is_empty() {
        text.push_str(&rules::report::report(&rules.name, &rules.source, &report.failures, output::colour_on_stderr()));
    }
    output::complain(&text);
    let mark = if report.failures.is_empty() { styled("ok", GOOD) } else { styled("FAILED", BAD) };
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
    output::print(&format!("{mark} {}  {}\n", rules.name, styled(counts, FAINT)));
}

fn report_json(rules: &Rules, report: &Report) -> Value {
    let failures: Vec<Value> = report.failures.iter().map(|d| diagnostic_json(d, &rules.source)).collect();
    json!({
        "file": rules.name, "passed": report.failures.is_empty(), "examples": report.examples,
        "instances": report.instances, "claims": report.claims, "skipped": report.skipped, "failures": failures,
    })
}

fn failed_json(rules: &Rules, failure: &Failure) -> Value {
    let failures: Vec<Value> = match failure {
        Failure::Wrong { diagnostics, .. } => diagnostics.iter().map(|d| diagnostic_json(d, &rules.source)).collect(),
        _ => Vec::new(),
    };
    json!({ "file": rules.name, "passed": false, "failures": failures })
}
