//! `perfectplay check`: does a program give the right answer, or play well?
//!
//! Everything that is not about arguments and text is in the crate `judge`.

mod text;

use std::ffi::OsString;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

use judge::check::{Checked, check};
use judge::failure::Stop;
use judge::format::{Format, Judge};
use judge::limited::{ProcessLimits, run_program};
use judge::oracle::Work;
use judge::run::{Program as Checkee, RunLimits};
use judge::shrink::{Effort, Shrunk, Smallest, shrink};
use judge::smallest::prove;
use judge::strays::Strays;
use judge::subject::{Judged, Seats, Subject};
use judge::{instances, why};
use perfectplay::json::{self, CheckFailure, CheckObject, GivenInstance, PlayedObject, SlowestObject};
use perfectplay::language::{Instance, Program, Rules, judge::with_item};
use perfectplay::solving::{Limits, Memory, Options};
use perfectplay::{Error, SolveError};

use crate::args::{CheckArgs, JudgeName};
use crate::failure::Failure;
use crate::output::{self, stderr_is_terminal};
use crate::{load, start, watch, watchdog};

/// How many instances are checked where nothing else is said.
const INSTANCES: usize = 200;
/// How much a program may print.
const OUTPUT: usize = 1 << 20;
/// How hard a smaller failure is looked for.
const EFFORT: Effort = Effort { tries: 600, time: Duration::from_secs(30) };

pub fn run(args: &CheckArgs) -> Result<u8, Failure> {
    let begun = Instant::now();
    let rules = load::rules(&args.game)?;
    let program = program(args, &rules)?;
    let instances = chosen(args, &rules, &program)?;
    let subject = subject(args, &program)?;
    let strays = Strays::taken_in();
    let all = instances.len();
    let shown = progress(args.quiet, begun, move |done| format!("{done} of {all} instances"));
    let checked = check(&subject, &instances, args.runs(), &shown).map_err(|stop| failure(stop, &rules))?;
    clear_progress(args.quiet);
    let shrunk = match &checked.failure {
        None => None,
        Some(found) => Some(made_small(args, &subject, found).map_err(|stop| failure(stop, &rules))?),
    };
    clear_progress(args.quiet);
    drop(strays);
    let seconds = begun.elapsed().as_secs_f64();
    if args.json {
        tell_programs(args, &checked, shrunk.as_ref(), seconds);
    } else {
        output::print(&text::text(args, &subject, &checked, shrunk.as_ref()));
    }
    Ok(match (&shrunk, checked.right, checked.too_large.is_empty()) {
        (Some(_), ..) => 1,
        (None, _, true) => 0,
        // What was named must be answered; of a sample any may be too large, but not all.
        (None, 0, false) => 3,
        (None, _, false) if args.from.is_some() || !args.words.is_empty() => 3,
        (None, ..) => 0,
    })
}

/// A failure on a smaller instance, on the smallest one if that is possible.
fn made_small(args: &CheckArgs, subject: &Subject, found: &judge::failure::Failure) -> Result<Shrunk, Stop> {
    let begun = Instant::now();
    let shown = progress(args.quiet, begun, |tried| format!("{tried} smaller instances tried"));
    let mut tried = 0;
    let shrunk = shrink(&subject.rules, found.clone(), EFFORT, &mut |instance| {
        tried += 1;
        shown(tried);
        Ok(match subject.judge(instance)? {
            Judged::Wrong(failure) => Some(*failure),
            Judged::Right(_) | Judged::TooLarge => None,
        })
    })?;
    prove(subject, shrunk, args.runs(), begun + EFFORT.time, &shown)
}

/// Runs the program that is checked, within limits, and ends as it does.
pub fn limited(memory: u64, seconds: u64, words: &[OsString]) -> Result<u8, Failure> {
    Err(Failure::usage(run_program(ProcessLimits { memory, seconds }, words)))
}

/// The rules, with what the command line says in the place of their `input`, `output` and `sample`.
fn program(args: &CheckArgs, rules: &Rules) -> Result<Arc<Program>, Failure> {
    let mut program = load::program(rules)?;
    let input = args.input.as_ref().map(|text| ("--input", format!("input \"{}\";", text.replace('"', "\\\""))));
    let output =
        args.output.as_ref().map(|text| ("--output", format!("output {};", text.trim_end_matches([';', ' ']))));
    let sample = args.sample.as_ref().map(|text| {
        let text = text.trim().trim_end_matches(';');
        ("--sample", format!("sample {{ {text}; }}"))
    });
    for (option, item) in [input, output, sample].into_iter().flatten() {
        let with = with_item(&rules.source, &item).map_err(|diagnostics| {
            Failure::wrong(&Rules { name: option.to_string(), source: item.clone() }, diagnostics)
        })?;
        let mut joined = (*program).clone();
        match option {
            "--input" => joined.input.clone_from(&with.input),
            "--output" => joined.output.clone_from(&with.output),
            _ => joined.sample.clone_from(&with.sample),
        }
        program = Arc::new(joined);
    }
    Ok(program)
}

/// The instances that are checked.
fn chosen(args: &CheckArgs, rules: &Rules, program: &Arc<Program>) -> Result<Vec<Instance>, Failure> {
    if !args.words.is_empty() {
        return Ok(vec![load::instance(&args.game(), program)?]);
    }
    if let Some(path) = &args.from {
        return from_file(path, program);
    }
    let wanted = args.random.unwrap_or(INSTANCES);
    let found =
        instances::tried(program, wanted, args.seed).map_err(|diagnostics| Failure::wrong(rules, diagnostics))?;
    match found.is_empty() {
        false => Ok(found),
        true => Err(Failure::usage_help(
            "the rules admit no instance of the sample",
            "change the sample, or what `require` asks for; --sample gives other ranges",
        )),
    }
}

/// One instance on each line.
fn from_file(path: &Path, program: &Program) -> Result<Vec<Instance>, Failure> {
    let name = path.to_string_lossy().into_owned();
    let text = load::text(&name)?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let found = lines.map(|(number, line)| load::whole(line, &format!("{name}, line {}", number + 1), program));
    let found = found.collect::<Result<Vec<_>, _>>()?;
    match found.is_empty() {
        false => Ok(found),
        true => {
            Err(Failure::usage_help(format!("there is no instance in {name}"), "write one JSON object on each line"))
        }
    }
}

/// The program, and all that its runs need.
fn subject(args: &CheckArgs, program: &Arc<Program>) -> Result<Subject, Failure> {
    let judge = match args.format {
        None | Some(JudgeName::Atcoder) => Judge::AtCoder,
        Some(JudgeName::Codeforces) => Judge::Codeforces,
        Some(JudgeName::Leetcode) => Judge::LeetCode,
        Some(JudgeName::Json) => Judge::Json,
    };
    // A format that is asked for counts more than the file, and less than another option.
    let asked = args.format.is_some();
    let format =
        Format { judge, own_input: !asked || args.input.is_some(), own_output: !asked || args.output.is_some() };
    find_program(&args.command)?;
    let memory = args.memory - watchdog::reserve(&Memory::new(args.memory));
    let limits = Limits { memory, ..args.limits() };
    let seats = match &args.seat {
        None => Vec::new(),
        Some(name) => vec![start::player(name, 64)?],
    };
    Ok(Subject {
        rules: Arc::clone(program),
        format,
        program: Checkee { words: args.command.clone(), launcher: launcher(args) },
        run: RunLimits { time: args.run_time, memory: args.run_memory, output: OUTPUT },
        work: Work { limits, options: Options { threads: 1, ..Options::default() }, cancel: watch::cancel() },
        plays: args.play.then_some(Seats { seats, seed: args.seed }),
        alone: RwLock::new(()),
    })
}

/// Our own binary, which takes on the limits of a run and runs the program.
fn launcher(args: &CheckArgs) -> Vec<OsString> {
    let Ok(own) = std::env::current_exe() else { return Vec::new() };
    if !cfg!(unix) {
        return Vec::new();
    }
    // The clock on the wall ends a run; this is for what it leaves behind, and a game has many moves.
    let moves = if args.play { 1000 } else { 1 };
    let seconds = args.run_time.as_secs().saturating_mul(moves).saturating_add(2);
    let words = ["limited", "--memory", &args.run_memory.to_string(), "--seconds", &seconds.to_string(), "--"]
        .map(OsString::from);
    std::iter::once(own.into_os_string()).chain(words).collect()
}

/// Looks for the program before anything is run.
fn find_program(command: &[OsString]) -> Result<(), Failure> {
    let Some(name) = command.first() else { return Err(Failure::usage("no program is named")) };
    let path = Path::new(name);
    let has_folder = path.components().count() > 1;
    let exists = match has_folder {
        true => path.is_file(),
        false => {
            let folders = std::env::var_os("PATH").unwrap_or_default();
            std::env::split_paths(&folders).any(|folder| {
                let place = folder.join(path);
                place.is_file() || (cfg!(windows) && place.with_extension("exe").is_file())
            })
        }
    };
    if exists {
        return is_executable(path, has_folder);
    }
    let shown = path.display();
    let help = match !has_folder && path.is_file() {
        true => format!("the program of this folder is ./{shown}"),
        false => "the program and its arguments stand behind `--`, as you would type them".to_string(),
    };
    Err(Failure::usage_help(format!("there is no program `{shown}`"), help))
}

#[cfg(unix)]
fn is_executable(path: &Path, has_folder: bool) -> Result<(), Failure> {
    use std::os::unix::fs::PermissionsExt as _;
    let may_run = std::fs::metadata(path).is_ok_and(|data| data.permissions().mode() & 0o111 != 0);
    match has_folder && !may_run {
        false => Ok(()),
        true => {
            let shown = path.display();
            let help = format!("make it one with `chmod +x {shown}`, or name what runs it, as in `-- python3 {shown}`");
            Err(Failure::usage_help(format!("{shown} is no program that can be run"), help))
        }
    }
}

#[cfg(not(unix))]
fn is_executable(_: &Path, _: bool) -> Result<(), Failure> {
    Ok(())
}

/// Shows how many instances are done, in these words, where somebody looks.
fn progress(quiet: bool, begun: Instant, words: impl Fn(usize) -> String + Sync) -> impl Fn(usize) + Sync {
    let shown = AtomicU64::new(400);
    move |done| {
        let now = begun.elapsed().as_millis() as u64;
        if quiet || !stderr_is_terminal() || now < shown.load(Ordering::Relaxed) {
            return;
        }
        shown.store(now + 100, Ordering::Relaxed);
        output::complain(&format!("\r{}\x1b[K", words(done)));
    }
}

fn clear_progress(quiet: bool) {
    if !quiet && stderr_is_terminal() {
        output::complain("\r\x1b[K");
    }
}

/// Why there is no verdict.
fn failure(stop: Stop, rules: &Rules) -> Failure {
    match stop {
        Stop::Interrupted => Failure::unsolved(SolveError::Interrupted { positions: watch::met() }),
        Stop::Rules(instance, diagnostics) => {
            let note = format!("instance: {}", perfectplay::testing::instance_text(&instance));
            let noted = diagnostics.into_iter().map(|diagnostic| diagnostic.note(note.clone())).collect();
            Failure::Error(Error::mistakes(rules, noted))
        }
        Stop::NoField(message) => {
            Failure::usage_help(message, "say what it prints with `output` in the rules file, or with --output")
        }
        Stop::Unrunnable(why) => Failure::usage(format!("the program cannot be run: {why}")),
        Stop::Solve(error) => Failure::unsolved(error),
    }
}

/// The verdict for programs.
fn tell_programs(args: &CheckArgs, checked: &Checked, shrunk: Option<&Shrunk>, seconds: f64) {
    let command: Vec<String> = args.command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let found = checked.failure.as_ref();
    let failure = shrunk.zip(found).map(|(Shrunk { failure, tried, smallest }, found)| CheckFailure {
        kind: failure.kind.to_string(),
        message: &failure.message,
        instance: GivenInstance(&failure.instance),
        found_on: GivenInstance(&found.instance),
        tried: *tried,
        smallest: matches!(smallest, Smallest::Proved(_)),
        input: &failure.input,
        output: &failure.ran.output,
        errors: &failure.ran.errors,
        expected: failure.expected.as_deref(),
        played: failure.game.as_ref().map(|game| PlayedObject {
            seat: game.seat.to_string(),
            moves: &game.moves,
            better: &game.better,
        }),
        why: why::why(&failure.solution),
        solution: json::solution(&failure.solution),
    });
    let slowest = checked.slowest.as_ref();
    output::print_json(&CheckObject {
        game: &args.game,
        command: &command,
        passed: failure.is_none(),
        instances: checked.right + usize::from(failure.is_some()),
        too_large: checked.too_large.len(),
        seconds,
        slowest: slowest
            .map(|(seconds, instance)| SlowestObject { instance: GivenInstance(instance), seconds: *seconds }),
        failure,
    });
}
