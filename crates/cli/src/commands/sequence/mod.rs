//! `perfectplay sequence`: the value of a game as one of its parameters runs, or two ([`grid`]).
//!
//! [`subject`] finds out what runs, [`checkpoint`] keeps a long run, and the values are shown as a [`table`], in the
//! [`formats`] that programs read, as a [`plot`] in the terminal and as a picture ([`svg`]), both drawn on a [`raster`].

mod checkpoint;
mod formats;
mod grid;
mod guesses;
mod misere;
mod plot;
mod range;
mod raster;
mod stop;
mod subject;
mod svg;
mod table;

use std::cell::RefCell;
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use perfectplay::guess::Guess;
use perfectplay::json::{self, ErrorObject};
use perfectplay::sequence::{Sequence, SequenceError, Summary};
use perfectplay::solving::Monitor;

use crate::args::{FormatName, SequenceArgs};
use crate::failure::Failure;
use crate::files::NewFile;
use crate::load;
use crate::output;
use crate::progress;
use crate::watch;
use checkpoint::{Checkpoint, OpenError};
use formats::Stream;
use stop::{Kept, Stop};
use subject::Subject;

pub fn run(args: &SequenceArgs) -> Result<u8, Failure> {
    let format = args.format();
    refuse(args)?;
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
    let (limits, all) = (args.common.limits.limits(), subject.sequence.progress().1);
    let mut monitor = progress::terms(&limits, quiet, Arc::clone(&done), all);
    let identity = subject.identity.clone();
    let (mut checkpoint, mut stopped) = opened(args, &identity, &mut subject.sequence, &mut monitor)?;
    let mut unsaved = None;
    if stopped.is_none() {
        stopped = grow(&mut subject, &mut monitor, &done, &mut stream, &mut checkpoint, &mut unsaved);
    }
    if stopped.is_some() {
        watch::tell();
    }
    if let Some(checkpoint) = &mut checkpoint {
        unsaved = checkpoint.save(&subject.sequence).err();
    }
    let took = (monitor.elapsed().as_secs_f64(), monitor.memory().peak());
    // What was computed is told even where the run was stopped. Where a period tells all terms, there may be far too many to be
    // looked through and written, so that a limit still holds there.
    let endless = subject.all_known() && subject.sequence.known() > json::CHUNK;
    let mut watch = monitor;
    if stopped.is_some() && !endless {
        watch = Monitor::unlimited();
    }
    let (overview, late) = Overview::of(&subject, args, stream.is_none(), &mut watch);
    stopped = late.or(stopped);
    let terms = stream.as_ref().map_or(subject.sequence.known(), Stream::written);
    let guessed = match args.guess && stopped.is_none() {
        true => guesses::of_line(args, &subject, &mut watch)?,
        false => Vec::new(),
    };
    let stop = |error, terms| {
        let failure = |error| subject.failure(error);
        let kept = if args.checkpoint.is_some() { Kept::Checkpoint } else { Kept::Nothing };
        Stop::new(error, failure, &subject.parameter, terms, kept)
    };
    let mut stopped = stopped.map(|error| stop(error, terms));
    let undrawn = picture.and_then(|file| drawn(file, overview.picture.as_deref()).err());
    match format {
        FormatName::Json => {
            // What stops the values is told behind them.
            let error = stopped.as_ref().map(Stop::json).or_else(|| undrawn.as_ref().map(Failure::json));
            let error = error.filter(|_| !endless);
            if error.is_some() {
                watch = Monitor::unlimited();
            }
            let told = args.guess.then_some(&guessed[..]);
            stopped = print_json((&subject, told), &overview.summary, took, error, watch, stop).or(stopped);
        }
        FormatName::Table if overview.summary.terms > 0 => {
            drop(watch);
            output::print(&table::text(&subject, &overview.summary, took.0, overview.plot.as_deref()));
            if args.guess {
                output::print(&guesses::text(&guessed));
            }
        }
        _ => drop(watch),
    }
    // What was found is there; a file that is not is told, and is a failure even so.
    let code = stopped.map_or(0, |stop| stop.tell());
    Ok(unsaved.into_iter().chain(undrawn).map(|failure| failure.tell(false)).fold(code, u8::max))
}

/// The checkpoint that was asked for, with the terms in it; or what stopped its reading.
fn opened<'a>(
    args: &'a SequenceArgs,
    identity: &'a str,
    sequence: &mut Sequence,
    monitor: &mut Monitor,
) -> Result<(Option<Checkpoint<'a>>, Option<SequenceError>), Failure> {
    let Some(path) = args.checkpoint.as_deref() else { return Ok((None, None)) };
    match Checkpoint::open(path, identity, sequence, monitor) {
        Ok(opened) => Ok((Some(opened), None)),
        Err(OpenError::File(failure)) => Err(failure),
        Err(OpenError::Stopped(error)) => Ok((None, Some(error))),
    }
}

/// What does not go together, or is for other commands.
fn refuse(args: &SequenceArgs) -> Result<(), Failure> {
    if args.plot && args.format() != FormatName::Table {
        return Err(Failure::usage_help("--plot goes with the table only", "--svg FILE draws beside any format"));
    }
    if load::is_sum(&args.game) || args.words.iter().any(|word| word == "+") {
        let help = "list the values of each game by itself, such as `perfectplay sequence kayles 0..20`; nimbers of a sum \
                    are added without carrying, and `perfectplay solve` does that for one sum";
        return Err(Failure::usage_help("`sequence` is for one game, not for a sum of games", help));
    }
    Ok(())
}

/// What people look at in the terms that were found.
struct Overview {
    summary: Summary,
    plot: Option<String>,
    picture: Option<String>,
}

impl Overview {
    /// Looks at the terms, and says what stopped the look, if anything did. Terms that were written as they were found are looked
    /// at for a picture only: then `shown` is false.
    fn of(
        subject: &Subject,
        args: &SequenceArgs,
        shown: bool,
        monitor: &mut Monitor,
    ) -> (Overview, Option<SequenceError>) {
        let mut overview = Overview { summary: Summary::brief(&subject.sequence), plot: None, picture: None };
        let stopped = if shown || args.svg.is_some() { overview.look(subject, args, monitor).err() } else { None };
        (overview, stopped)
    }

    /// Looks through the terms, as long as the monitor lets it.
    fn look(&mut self, subject: &Subject, args: &SequenceArgs, monitor: &mut Monitor) -> Result<(), SequenceError> {
        self.summary = Summary::watched(&subject.sequence, monitor)?;
        if args.plot {
            self.plot = Some(plot::text(subject, &self.summary, monitor)?);
        }
        if args.svg.is_some() {
            self.picture = Some(svg::picture(subject, &self.summary, monitor)?);
        }
        Ok(())
    }
}

/// Writes a picture, if there was time to draw it.
fn drawn(mut file: NewFile, picture: Option<&str>) -> Result<(), Failure> {
    let picture = picture.ok_or_else(|| Failure::usage("the picture was not drawn"))?;
    file.write_all(picture.as_bytes()).map_err(|error| file.failure(&error))?;
    file.finish()
}

/// Prints the object for programs; what stops it on the way is told in it, and given back.
fn print_json(
    (subject, guesses): (&Subject, Option<&[Guess]>),
    summary: &Summary,
    took: (f64, u64),
    error: Option<ErrorObject>,
    watch: Monitor,
    stop: impl Fn(SequenceError, u64) -> Stop,
) -> Option<Stop> {
    let (watch, stopped) = (RefCell::new(watch), RefCell::new(None));
    let look = |written: u64| {
        let error = subject.sequence.look(written, &mut watch.borrow_mut()).err()?;
        let late = stop(error, written);
        let shown = late.json();
        *stopped.borrow_mut() = Some(late);
        Some(shown)
    };
    {
        let object = json::sequence(&subject.head(), &subject.sequence, summary, took, error, &look);
        match guesses {
            Some(guesses) => output::print_json(&json::guessed(object, guesses)),
            None => output::print_json(&object),
        }
    }
    stopped.into_inner()
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
