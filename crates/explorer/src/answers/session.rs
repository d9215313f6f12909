//! A session: one game that is solved once and asked often. It lives in a thread of its own, which owns the game.

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender};

use perfectplay::answer::{answer, solution};
use perfectplay::json::{self, ErrorKind, ErrorObject, Standing, error_object};
use perfectplay::language::{Bound, Position, Rules};
use perfectplay::plan;
use perfectplay::solving::{Limits, scope, stopped};
use perfectplay::survey::survey;
use perfectplay::tables::TableFile;
use perfectplay::view::{View, Walk};
use perfectplay::{Error, SolveError};

use super::game::{Game, is_too_much};
use super::{Allowed, opponent, pictures, sequence, tables};
use crate::clock;
use crate::question::{Question, QuestionKind, several};
use crate::reply::{Reply, late};

/// Something to be answered.
pub struct Work {
    /// Which question.
    pub kind: QuestionKind,
    /// The question.
    pub question: Question,
    /// What it may take.
    pub allowed: Allowed,
    /// Where the answer goes, with the memory that the session holds; `None` where there is no game, and the session ends.
    pub reply: Sender<(Reply, Option<u64>)>,
}

/// Answers questions of one game until nobody asks any more, or the game cannot be had. `table` is a file with its values.
pub fn live(work: &Receiver<Work>, table: Option<&Path>) {
    let Ok(first) = work.recv() else { return };
    let monitor = first.allowed.monitor();
    let prepared = prepared(&first.question, table, &monitor);
    drop(monitor);
    match prepared {
        Err(reply) => {
            // Nobody waits for it where that fails.
            let _ = first.reply.send((reply, None));
        }
        Ok((rules, bound, root, file)) => {
            let table = table.zip(file);
            Game::new(&rules, &bound, root).answer_all(first, work, table);
        }
    }
}

type Prepared = (Rules, Bound, Position, Option<TableFile>);

/// The game of a question, within its limits.
fn prepared(
    question: &Question,
    table: Option<&Path>,
    monitor: &perfectplay::solving::Monitor,
) -> Result<Prepared, Reply> {
    let scope = scope(monitor);
    let (rules, instance, file) = match table {
        Some(_) if question.game.is_some() || question.rules.is_some() => {
            return Err(Reply::failed(&several()));
        }
        Some(path) => {
            let (rules, instance, file) = tables::open(path).map_err(|error| Reply::failed(&error))?;
            (rules, instance, Some(file))
        }
        None => (question.rules().map_err(|error| Reply::failed(&error))?, question.instance(), None),
    };
    let bound = rules.bind(&instance);
    if let Some(error) = stopped(&scope) {
        return Err(Reply::failed(&error_object(&Error::solving(error, &rules))));
    }
    let bound = bound.map_err(|error| Reply::failed(&error_object(&error)))?;
    let root = question.root(&bound).map_err(|error| Reply::failed(&error))?;
    Ok((rules, bound, root, file))
}

impl Game<'_> {
    fn answer_all(mut self, first: Work, work: &Receiver<Work>, table: Option<(&Path, TableFile)>) {
        let mut stored = None;
        if let Some((path, file)) = table {
            match tables::solved(self.bound, file, &first.allowed) {
                Ok((solved, trouble)) => {
                    // A table holds the positions that play can come to. Others are solved.
                    let holds = first.question.at_start() || solved.verdict(&self.root).is_some();
                    stored = Some((path, trouble));
                    self.solved = holds.then_some(solved);
                }
                Err(SolveError::NotApplicable(why)) => {
                    let _ = first.reply.send((Reply::failed(&tables::damaged(path, &why)), None));
                    return;
                }
                Err(error) => {
                    let _ = first.reply.send((Reply::failed(&self.error(error)), None));
                    return;
                }
            }
        }
        let mut next = Some(first);
        while let Some(work) = next.take().or_else(|| work.recv().ok()) {
            let reply = self.answer(&work).unwrap_or_else(|error| Reply::failed(&error));
            // What was read from a damaged table is no answer, and the table is not kept.
            if let Some((path, why)) = stored.as_ref().and_then(|(path, trouble)| Some((path, trouble.text()?))) {
                let _ = work.reply.send((Reply::failed(&tables::damaged(path, &why)), None));
                return;
            }
            let _ = work.reply.send((reply, Some(self.held)));
        }
    }

    fn answer(&mut self, work: &Work) -> Result<Reply, ErrorObject> {
        let Work { kind, question, allowed, .. } = work;
        if *kind == QuestionKind::Sequence {
            return sequence::sequence(self.rules, self.bound, question, allowed);
        }
        let walk = {
            let monitor = allowed.monitor();
            let scope = scope(&monitor);
            let walk = question.walk(self.rules, self.bound, &self.root);
            match stopped(&scope) {
                Some(error) => return Err(self.error(error)),
                None => walk?,
            }
        };
        match kind {
            QuestionKind::Position => self.position(&walk, allowed),
            QuestionKind::Solve => self.solve(&walk, question, allowed).map(Reply::good),
            QuestionKind::Explain => self.explain(&walk, question, allowed).map(Reply::good),
            QuestionKind::Survey => self.survey(&walk, allowed).map(Reply::good),
            QuestionKind::Triangle => pictures::triangle(self, &walk, allowed).map(Reply::good),
            QuestionKind::Graph => pictures::graph(self, &walk, question, allowed),
            QuestionKind::Value => pictures::value(self, &walk, allowed).map(Reply::good),
            QuestionKind::Opponent => opponent::choose(self, &walk, question, allowed).map(Reply::good),
            QuestionKind::Sequence | QuestionKind::Check | QuestionKind::Tables => {
                Err(ErrorObject::internal(format!("a session is not asked for `{}`", kind.name())))
            }
        }
    }

    /// A position with all its moves, whether it can be solved or not.
    fn position(&mut self, walk: &Walk, allowed: &Allowed) -> Result<Reply, ErrorObject> {
        let limit = match self.viewed(walk, allowed) {
            Ok(text) => return Ok(Reply::good(text)),
            Err(error) if is_too_much(&error) || matches!(error, SolveError::NotApplicable(_)) => error,
            Err(error) => return Err(self.error(error)),
        };
        // A game that was too much stays so: nothing of it is kept. Its moves may take some more time.
        self.solved = None;
        clock::begin(allowed.time);
        let monitor = allowed.monitor();
        let scope = scope(&monitor);
        let view = View::unsolved(self.bound, &self.painter, walk);
        if let Some(error) = stopped(&scope) {
            return Err(self.error(error));
        }
        let view = view.map_err(|error| self.error(error))?;
        let why = self.error(limit);
        let why = late(&why).unwrap_or(why);
        let limited = why.kind() == ErrorKind::Limit;
        Ok(Reply { limited, ..Reply::good(json::explorer::position(&view, Some(why))) })
    }

    fn viewed(&mut self, walk: &Walk, allowed: &Allowed) -> Result<String, SolveError> {
        let had = self.solved.is_some();
        self.solved(allowed)?;
        match self.view(walk, allowed) {
            // Some methods work answers out as they are asked for, with the clock of the solve: it may have run out long ago.
            Err(error) if is_too_much(&error) && had => {
                self.solved = None;
                self.solved(allowed)?;
                self.view(walk, allowed)
            }
            viewed => viewed,
        }
    }

    fn view(&self, walk: &Walk, allowed: &Allowed) -> Result<String, SolveError> {
        let Some(solved) = &self.solved else { return Err(SolveError::Internal("nothing is solved".to_string())) };
        let mut judging = Allowed { time: allowed.time / 3, telling: false, ..allowed.clone() }.monitor();
        let view = View::solved(solved, &self.painter, walk, Some(&mut judging))?;
        Ok(json::explorer::position(&view, None))
    }

    fn stand(&self, walk: &Walk, question: &Question) -> Option<Standing> {
        let elsewhere = !question.at_start() || !walk.plays.is_empty();
        let after: Vec<String> = walk.plays.iter().map(|play| play.label.clone()).collect();
        let here = walk.here();
        elsewhere.then(|| Standing::new(&[(self.bound, here)], here.turn, &after, walk.totals()))
    }

    fn solve(&mut self, walk: &Walk, question: &Question, allowed: &Allowed) -> Result<String, ErrorObject> {
        let mut monitor = allowed.monitor();
        let found = match walk.plays.is_empty() {
            true => {
                let solved = self.solved(allowed);
                solved.and_then(|solved| solution(solved, &mut monitor))
            }
            false => answer(&self.standing(walk), &allowed.options(), &mut monitor),
        };
        let found = found.map_err(|error| self.error(error))?;
        let mut object = json::solution(&found);
        object.standing = self.stand(walk, question);
        Ok(json::text(&object))
    }

    fn explain(&self, walk: &Walk, question: &Question, allowed: &Allowed) -> Result<String, ErrorObject> {
        let bound = self.standing(walk);
        let limits = Limits { memory: allowed.memory, time: Some(allowed.time) };
        let look = Limits { memory: allowed.memory.min(plan::LOOK.memory), time: Some(allowed.time / 2) };
        let monitor = |limits: &Limits| {
            let time = limits.time.unwrap_or(allowed.time);
            Allowed { time, memory: limits.memory, telling: false }.monitor()
        };
        let explained = plan::explain(&bound, &allowed.options(), &limits, Some(&look), &monitor);
        let explained = explained.map_err(|error| self.error(error))?;
        Ok(json::explanation(&explained, self.stand(walk, question).as_ref()))
    }

    fn survey(&self, walk: &Walk, allowed: &Allowed) -> Result<String, ErrorObject> {
        let bound = self.standing(walk);
        let found = survey(&bound, &allowed.options(), &mut allowed.monitor()).map_err(|error| self.error(error))?;
        Ok(json::text(&json::survey(&found, &bound)))
    }
}
