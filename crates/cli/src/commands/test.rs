//! `perfectplay test`: the examples and claims of rules files.

use std::path::Path;

use perfectplay::gallery::{GALLERY, find};
use perfectplay::json::{self, TestedFile};
use perfectplay::language::Rules;
use perfectplay::solving::{Limits, Memory};
use perfectplay::testing::{self, Report, Thoroughness};
use perfectplay::{Error, SolveError};

use crate::args::TestArgs;
use crate::failure::Failure;
use crate::load;
use crate::output::{self, BAD, FAINT, GOOD, plural, styled};
use crate::{watch, watchdog};

/// The exit code after Ctrl-C.
const STOPPED: u8 = 130;

pub fn run(args: &TestArgs) -> Result<u8, Failure> {
    let names: Vec<String> = match args.files.is_empty() {
        true => GALLERY.iter().map(|(name, _)| name.to_string()).collect(),
        false => args.files.iter().map(|name| in_folder(name)).collect::<Result<Vec<_>, _>>()?.concat(),
    };
    let thoroughness = Thoroughness {
        instances: args.instances,
        limits: Limits { memory: args.memory - watchdog::reserve(&Memory::new(args.memory)), time: Some(args.time) },
        cancel: watch::cancel(),
    };
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut files = Vec::new();
    let mut worst = 0u8;
    for name in &names {
        let (code, file) = match one(name, &thoroughness, args, width) {
            Err(failure) if failure.code() == STOPPED && !args.json => {
                let tested = format!("{} of {}", files.len(), plural(names.len() as u64, "file"));
                output::complain(&format!("{} in {name}: {tested} had been tested.\n", styled("Stopped", BAD.bold())));
                return Ok(STOPPED);
            }
            tested => tested?,
        };
        worst = worst.max(code);
        files.push((code, file));
    }
    let failed = files.iter().filter(|(code, _)| *code > 0).count();
    if args.json {
        let files: Vec<TestedFile> = files.into_iter().map(|(_, file)| file).collect();
        output::print_json(&json::tested(&files));
    } else if names.len() > 1 {
        output::print(&match failed {
            0 => format!("{}\n", styled(format!("all {} files passed", names.len()), GOOD)),
            _ => format!("{}\n", styled(format!("{failed} of {} files failed", names.len()), BAD)),
        });
    }
    Ok(worst)
}

/// The rules files of a folder, in order; anything else is itself.
pub fn in_folder(name: &str) -> Result<Vec<String>, Failure> {
    if find(name).is_some() || !Path::new(name).is_dir() {
        return Ok(vec![name.to_string()]);
    }
    let unread = |error: std::io::Error| Failure::usage(format!("cannot read {name}: {}", load::reason(&error)));
    let mut found = Vec::new();
    for entry in std::fs::read_dir(name).map_err(unread)? {
        let path = entry.map_err(unread)?.path();
        if path.extension().is_some_and(|extension| extension == "game") && !path.is_dir() {
            found.push(path.to_string_lossy().into_owned());
        }
    }
    found.sort();
    match found.is_empty() {
        true => Err(Failure::usage_help(
            format!("there is no rules file in {name}"),
            "the names of rules files end in .game",
        )),
        false => Ok(found),
    }
}

/// Tests one file: its exit code and its part of the JSON.
fn one(name: &str, thoroughness: &Thoroughness, args: &TestArgs, width: usize) -> Result<(u8, TestedFile), Failure> {
    let loaded = load::rules(name).and_then(|rules| load::program(&rules).map(|program| (rules, program)));
    let (rules, program) = match loaded {
        Ok(loaded) => loaded,
        Err(failure) => {
            if !args.json {
                failure.tell(false);
                output::print(&format!("{} {name}\n", styled("FAILED", BAD)));
            }
            return Ok((2, TestedFile::failed(name, failure.json())));
        }
    };
    match testing::test(&program, thoroughness) {
        Ok(report) => {
            let failed = !report.failures.is_empty();
            if !args.json && (failed || !args.quiet) {
                tell(&rules, &report, width);
            }
            Ok((u8::from(failed), TestedFile::new(&rules, &report)))
        }
        Err(error @ (SolveError::Interrupted { .. } | SolveError::Internal(_))) => Err(Failure::unsolved(error)),
        Err(error) => Err(Failure::solving(error, &rules)),
    }
}

fn tell(rules: &Rules, report: &Report, width: usize) {
    let mut text = String::new();
    if !report.failures.is_empty() {
        text.push_str(&Error::mistakes(rules, report.failures.clone()).report(output::colour_on_stderr()));
    }
    output::complain(&text);
    let mark = if report.failures.is_empty() { styled("ok    ", GOOD) } else { styled("FAILED", BAD) };
    let skipped = match report.skipped {
        0 => String::new(),
        n => format!(", {n} too large for the limits"),
    };
    if report.failures.is_empty() && report.examples == 0 && report.instances == 0 && report.skipped == 0 {
        let remark = styled("nothing was tested: it has no examples and no sample", FAINT);
        output::print(&format!("{mark} {:width$}  {remark}\n", rules.name));
        output::complain(
            "  Help: write into the file what you know of it, such as `example { n: 1 } gives { winner: first };`\n",
        );
        return;
    }
    let more = if report.more { " of a larger sample" } else { "" };
    let counts = format!(
        "{}, {}{more}, {} checked{skipped}",
        plural(report.examples as u64, "example"),
        plural(report.instances as u64, "instance"),
        plural(report.claims as u64, "claim"),
    );
    output::print(&format!("{mark} {:width$}  {}\n", rules.name, styled(counts, FAINT)));
}
