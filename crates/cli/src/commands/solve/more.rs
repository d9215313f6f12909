//! What is asked for beside the answer: files that are written from the solved game, and how greedy play fares.

use std::io::Write as _;

use perfectplay::answer::compare;
use perfectplay::answer::picture::{self, Intervals};
use perfectplay::answer::{Solution, answered};
use perfectplay::language::{Bound, Rules};
use perfectplay::solving::{Monitor, Options, SolveError, Solved};
use perfectplay::values::{Thermograph, position_thermograph};

use super::line_file::LineFile;
use super::proof_file::NewProof;
use super::{Answered, compare_with_claims, triangle, unanswered};
use crate::args::SolveArgs;
use crate::failure::Failure;
use crate::files::NewFile;
use crate::start::Way;

/// What is asked for beside the answer.
struct More {
    compare: bool,
    line: Option<LineFile>,
    proof: Option<NewProof>,
    picture: Option<(NewFile, Intervals, String)>,
    thermograph: Option<(NewFile, String)>,
}

/// The answer with what else was asked for. What cannot be done is told before long work; once the answer is known it is given,
/// whatever becomes of the rest.
pub fn answer_and_more(
    args: &SolveArgs,
    rules: &Rules,
    bound: &Bound,
    way: &Way,
    options: &Options,
    monitor: &mut Monitor,
) -> Result<Answered, Failure> {
    let failure = |error| unanswered(error, rules, bound, way);
    let more = More::prepare(args, rules, bound, monitor)?;
    let (solved, mut solution) = answered(bound, options, monitor).map_err(failure)?;
    compare_with_claims(&mut solution, bound, way);
    let mut answered = Answered::new(solution);
    more.write(&solved, &mut answered, rules, &failure, monitor)?;
    Ok(answered)
}

impl More {
    /// Opens the files, and says what cannot be done.
    fn prepare(args: &SolveArgs, rules: &Rules, bound: &Bound, monitor: &mut Monitor) -> Result<More, Failure> {
        if args.compare.is_some() {
            compare::applies(bound).map_err(not_compared)?;
        }
        let line = args.line.as_deref().map(LineFile::create).transpose()?;
        let quiet = args.common.quiet || args.common.json;
        let proof = args.proof.as_deref().map(|path| NewProof::create(path, args.sample, quiet)).transpose()?;
        let mut picture = None;
        if let Some(path) = &args.svg {
            let file = NewFile::create(path)?;
            let intervals = picture::recognise(bound, &bound.start, monitor);
            picture = Some((file, intervals.map_err(|error| not_drawn(error, rules))?, path.display().to_string()));
        }
        let thermograph = match &args.thermograph {
            Some(path) => Some((NewFile::create(path)?, path.display().to_string())),
            None => None,
        };
        Ok(More { compare: args.compare.is_some(), line, proof, picture, thermograph })
    }

    /// Writes the files. What is missing then is the first that went wrong.
    fn write(
        self,
        solved: &Solved<'_>,
        answered: &mut Answered,
        rules: &Rules,
        failure: &dyn Fn(SolveError) -> Failure,
        monitor: &mut Monitor,
    ) -> Result<(), Failure> {
        let mut unfinished = None;
        if let Some((file, name)) = self.thermograph {
            let drawn = position_thermograph(solved, &solved.start, monitor).map_err(failure)?;
            let written = match drawn {
                Some(drawn) => write_thermograph(file, &answered.solution.game, &drawn),
                None => Err(undrawn(&answered.solution)),
            };
            answered.thermograph = done(written.map(|()| name), &mut unfinished);
        }
        if self.compare {
            answered.compare = Some(compare::compare(solved, monitor).map_err(|error| match error {
                SolveError::NotApplicable(_) => not_compared(error),
                other => failure(other),
            })?);
        }
        if let Some(line) = self.line {
            answered.line_file = done(line.write(solved, monitor), &mut unfinished);
        }
        if let Some(proof) = self.proof {
            answered.proof = done(proof.write(solved, &answered.solution, rules, monitor), &mut unfinished);
        }
        if let Some((file, intervals, name)) = self.picture {
            let drawn = draw(file, &intervals, &name, solved, &answered.solution, rules, monitor);
            answered.picture = done(drawn.map(|()| name), &mut unfinished);
        }
        answered.unfinished = unfinished;
        Ok(())
    }
}

/// What was made, or else why not, unless something before went wrong already.
fn done<T>(made: Result<T, Failure>, unfinished: &mut Option<Failure>) -> Option<T> {
    match made {
        Ok(made) => Some(made),
        Err(failure) => {
            unfinished.get_or_insert(failure);
            None
        }
    }
}

/// Draws the triangle of all intervals.
fn draw(
    mut file: NewFile,
    intervals: &Intervals,
    name: &str,
    solved: &Solved<'_>,
    solution: &Solution,
    rules: &Rules,
    monitor: &mut Monitor,
) -> Result<(), Failure> {
    let triangle = intervals.triangle(solved, monitor).map_err(|error| match error {
        SolveError::Limit { .. } | SolveError::Interrupted { .. } => {
            Failure::Unfinished { error, what: format!("before {name} was written; the answer stands") }
        }
        other => not_drawn(other, rules),
    })?;
    let text = triangle::picture(solution, &triangle);
    file.write_all(text.as_bytes()).map_err(|error| file.failure(&error))?;
    file.finish()
}

/// Why there is no thermograph.
fn undrawn(solution: &Solution) -> Failure {
    let why = match (&solution.value_missing, &solution.canonical) {
        (Some(why), _) => why.clone(),
        (None, Some(_)) => "the value is loopy, and only values without loops have one".to_string(),
        (None, None) => "it has no value that was found".to_string(),
    };
    let help =
        "thermographs are for games that the last mover wins, whose moves belong to players, such as `domineering`";
    Failure::usage_help(format!("there is no thermograph of `{}`: {why}", solution.game), help)
}

fn write_thermograph(mut file: NewFile, title: &str, graph: &Thermograph) -> Result<(), Failure> {
    file.write_all(graph.to_svg(title).as_bytes()).map_err(|error| file.failure(&error))?;
    file.finish()
}

fn not_compared(error: SolveError) -> Failure {
    Failure::usage_help(error.to_string(), "--compare greedy is for two players who gain something, such as in `coins`")
}

/// A game that has no triangle of intervals, or an error on the way to it.
fn not_drawn(error: SolveError, rules: &Rules) -> Failure {
    match error {
        SolveError::NotApplicable(why) => Failure::usage_help(
            why,
            "--svg draws the values of interval games: counted, for two, with two indices that close in, such as `coins`",
        ),
        other => Failure::solving(other, rules),
    }
}
