//! `perfectplay sequence`: the value of a game as one of its parameters runs, or two ([`grid`]).
//!
//! [`subject`] finds out what runs, [`checkpoint`] keeps a long run, and the values are shown as a [`table`], in the
//! [`formats`] that programs read, as a [`plot`] in the terminal and as a picture ([`svg`]), both drawn on a [`raster`].

mod checkpoint;
mod formats;
mod grid;
mod misere;
mod plot;
mod range;
mod raster;
mod stop;
mod subject;
mod svg;
mod table;

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use perfectplay::json;
use perfectplay::sequence::{SequenceError, Summary};
use perfectplay::solving::Monitor;

use crate::args::{FormatName, SequenceArgs};
use crate::failure::Failure;
use crate::files::NewFile;
use crate::output;
use crate::progress;
use crate::watch;
use checkpoint::{Checkpoint, OpenError};
use formats::Stream;
use stop::Stop;
use subject::Subject;

pub fn run(args: &SequenceArgs) -> Result<u8, Failure> {
    let format = args.format();
    if args.plot && format != FormatName::Table {
        return Err(Failure::usage_help("--plot goes with the table only", "--svg FILE draws beside any format"));
    }
    if let [down, across] = subject::ranges(args)[..] {
        return grid::run(args, down, across);
    }
    let picture = args.svg.as_deref().map(NewFile::create).transpose()?;
    let mut subject = Subject::new(args)?;
    if args.misere {
        return misere::run(args, &subject);
    }
    let mut stream = stream(format);
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
    if stopped.is_some() {
        watch::tell();
    }
    if let Some(checkpoint) = &mut checkpoint {
        unsaved = checkpoint.save(&subject.sequence).err();
    }
    let seconds = monitor.elapsed().as_secs_f64();
    let bytes = monitor.memory().peak();
    drop(monitor);

    let terms = stream.as_ref().map_or(subject.sequence.known(), Stream::written);
    let stopped = stopped.map(|error| {
        let failure = |error| subject.failure(error);
        Stop::new(error, failure, &subject.parameter, terms, args.checkpoint.is_some())
    });
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

/// Where terms are written as they are found, if they are.
fn stream(format: FormatName) -> Option<Stream> {
    match format {
        FormatName::Lines => Some(Stream::lines()),
        FormatName::Csv => Some(Stream::csv()),
        FormatName::Table | FormatName::Json => None,
    }
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
