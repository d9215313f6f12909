//! `perfectplay sequence`: the value of a game as one of its parameters runs.
//!
//! [`subject`] finds out what runs, [`checkpoint`] keeps a long run, and the values are shown as a [`table`], in the
//! [`formats`] that programs read, as a [`plot`] in the terminal and as a picture ([`svg`]), both drawn on a [`raster`].

mod checkpoint;
mod formats;
mod misere;
mod plot;
mod range;
mod raster;
mod subject;
mod svg;
mod table;

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use perfectplay::SolveError;
use perfectplay::json::{self, ErrorObject};
use perfectplay::sequence::{SequenceError, Summary};
use perfectplay::solving::{Limit, Monitor};

use crate::args::{FormatName, SequenceArgs};
use crate::failure::Failure;
use crate::files::NewFile;
use crate::output::{self, BAD, bytes_text, plural, styled};
use crate::progress;
use checkpoint::{Checkpoint, OpenError};
use formats::Stream;
use subject::Subject;

pub fn run(args: &SequenceArgs) -> Result<u8, Failure> {
    let format = args.format();
    if args.plot && format != FormatName::Table {
        return Err(Failure::usage_help("--plot goes with the table only", "--svg FILE draws beside any format"));
    }
    let picture = args.svg.as_deref().map(NewFile::create).transpose()?;
    let mut subject = Subject::new(args)?;
    if args.misere {
        return misere::run(args, &subject);
    }
    let mut stream = match format {
        FormatName::Lines => Some(Stream::lines()),
        FormatName::Csv => Some(Stream::csv()),
        FormatName::Table | FormatName::Json => None,
    };
    let quiet = args.common.quiet || args.common.json || stream.is_some() && output::stdout_is_terminal();
    let done = Arc::new(AtomicU64::new(0));
    let (_, all) = subject.sequence.progress();
    let mut monitor = progress::terms(&args.common.limits.limits(), quiet, Arc::clone(&done), all);
    let identity = subject.identity.clone();
    let mut unsaved = None;
    let mut stopped = None;
    let mut checkpoint = None;
    match args.checkpoint.as_deref().map(|path| Checkpoint::open(path, &identity, &mut subject.sequence, &mut monitor))
    {
        None => {}
        Some(Ok(opened)) => checkpoint = Some(opened),
        Some(Err(OpenError::File(failure))) => return Err(failure),
        Some(Err(OpenError::Stopped(error))) => stopped = Some(error),
    }
    if stopped.is_none() {
        stopped = grow(&mut subject, &mut monitor, &done, &mut stream, &mut checkpoint, &mut unsaved);
    }
    if let Some(checkpoint) = &mut checkpoint {
        unsaved = checkpoint.save(&subject.sequence).err();
    }
    let seconds = monitor.elapsed().as_secs_f64();
    let bytes = monitor.memory().peak();
    drop(monitor);

    let terms = stream.as_ref().map_or(subject.sequence.known(), Stream::written);
    let stopped = stopped.map(|error| Stop::new(error, &subject, terms, args.checkpoint.is_some()));
    let mut undrawn = None;
    if stream.is_none() || args.svg.is_some() {
        let summary = Summary::of(&subject.sequence);
        if let Some(mut file) = picture {
            let written = file.write_all(svg::picture(&subject, &summary).as_bytes());
            undrawn = written.map_err(|error| file.failure(&error)).and_then(|()| file.finish()).err();
        }
        match format {
            FormatName::Json => {
                let error = stopped.as_ref().map(Stop::json).or_else(|| undrawn.as_ref().map(Failure::json));
                let head = subject.head();
                output::print_json(&json::sequence(&head, &subject.sequence, &summary, (seconds, bytes), error));
            }
            FormatName::Table if summary.terms > 0 => {
                output::print(&table::text(&subject, &summary, seconds, args.plot));
            }
            _ => {}
        }
    }
    let code = stopped.map_or(0, |stop| stop.tell());
    // What was found is there; a file that is not is told, and is a failure even so.
    let files = unsaved.into_iter().chain(undrawn).map(|failure| failure.tell(false));
    Ok(files.fold(code, u8::max))
}

/// Lets the sequence grow to its end, or to a limit, which is returned.
fn grow(
    subject: &mut Subject,
    monitor: &mut Monitor,
    done: &AtomicU64,
    stream: &mut Option<Stream>,
    checkpoint: &mut Option<Checkpoint<'_>>,
    unsaved: &mut Option<Failure>,
) -> Option<SequenceError> {
    loop {
        let grown = subject.sequence.extend(monitor);
        done.store(subject.sequence.progress().0, Ordering::Relaxed);
        let flushed = stream.as_mut().map_or(Ok(true), |stream| stream.flush(&subject.sequence, monitor));
        match (grown, flushed) {
            (Err(error), _) | (_, Err(error)) => return Some(error),
            // All is done, or nobody reads on.
            (Ok(true), _) | (_, Ok(false)) => return None,
            (Ok(false), Ok(true)) => {}
        }
        if let Some(checkpoint) = checkpoint
            && let Err(failure) = checkpoint.tick(&subject.sequence)
        {
            // The run is worth more than the file: it goes on, and the end tells whether the file could be written then.
            if unsaved.is_none() {
                failure.tell(false);
            }
            *unsaved = Some(failure);
        }
    }
}

/// Why a sequence was not finished.
enum Stop {
    /// A limit, or Ctrl-C: what was found is exact, and there could be more.
    Limit { error: SequenceError, terms: u64, parameter: String, kept: bool },
    /// An instance that is wrong.
    Failure(Failure),
}

impl Stop {
    fn new(error: SequenceError, subject: &Subject, terms: u64, kept: bool) -> Stop {
        if matches!(
            &error,
            SequenceError::Solve { error: SolveError::Limit { .. } | SolveError::Interrupted { .. }, .. }
                | SequenceError::TooLong { .. }
        ) {
            let parameter = subject.parameter.clone();
            return Stop::Limit { error, terms, parameter, kept };
        }
        Stop::Failure(subject.failure(error))
    }

    /// Tells it and gives the exit code.
    fn tell(&self) -> u8 {
        match self {
            Stop::Failure(failure) => failure.tell(false),
            Stop::Limit { error, kept, .. } => {
                let help = match error {
                    SequenceError::Solve { error: SolveError::Limit { limit: Limit::Memory { .. }, .. }, .. } => {
                        "allow more with --memory"
                    }
                    SequenceError::TooLong { .. } => "a range that ends earlier has exact values",
                    _ if *kept => "the same command goes on from the checkpoint",
                    _ => "allow more with --time; with --checkpoint FILE a run can go on later",
                };
                let interrupted = self.kind() == "interrupted";
                let (title, help) = if interrupted {
                    ("Stopped:", if *kept { format!("  Help: {help}\n") } else { String::new() })
                } else {
                    ("Limit:", format!("  Help: {help}\n"))
                };
                output::complain(&format!("{} {}.\n{help}", styled(title, BAD.bold()), self.message()));
                if interrupted { 130 } else { 3 }
            }
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Stop::Limit { error: SequenceError::Solve { error: SolveError::Interrupted { .. }, .. }, .. } => {
                "interrupted"
            }
            _ => "limit",
        }
    }

    fn message(&self) -> String {
        let Stop::Limit { error, terms, parameter, .. } = self else { return String::new() };
        let after = match terms {
            0 => "before the first term".to_string(),
            _ => format!("after {}, which are exact", plural(*terms, "term")),
        };
        match error {
            SequenceError::Solve { error: SolveError::Limit { limit: Limit::Memory { limit, .. }, .. }, at } => {
                format!("the memory limit of {} was reached at {parameter}={at}, {after}", bytes_text(*limit))
            }
            SequenceError::Solve { error: SolveError::Limit { limit: Limit::Time { limit }, .. }, at } => {
                format!("the time limit of {limit:?} was reached at {parameter}={at}, {after}")
            }
            SequenceError::Solve { error: SolveError::Limit { limit: Limit::Positions, .. }, at } => {
                format!("{parameter}={at} has more positions than can be numbered; stopped {after}")
            }
            SequenceError::Solve { error: SolveError::Limit { limit: Limit::Heap { why, .. }, .. }, at } => {
                format!("{parameter}={at} was not valued: {why}; stopped {after}")
            }
            SequenceError::Solve { error: SolveError::Interrupted { .. }, at } => {
                format!("stopped at {parameter}={at}, {after}")
            }
            other => format!("{other}; stopped {after}"),
        }
    }

    fn json(&self) -> ErrorObject {
        match self {
            Stop::Failure(failure) => failure.json(),
            Stop::Limit { error: SequenceError::Solve { error, .. }, terms, .. } => {
                json::unfinished(error, self.message(), Some(*terms))
            }
            Stop::Limit { terms, .. } => json::unproved(self.message(), *terms),
        }
    }
}
