//! Jobs: long work that goes on while a page does something else. Its progress can be asked for, and it can be cancelled.

use std::collections::{BTreeMap, hash_map::RandomState};
use std::hash::{BuildHasher, Hasher};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use perfectplay::json::explorer::{JobObject, JobState};
use perfectplay::json::text;
use serde_json::Value;
use tokio::sync::Notify;

use crate::question::QuestionKind;
use crate::reply::Reply;
use crate::sending::shared;

/// At most so many jobs wait or run.
pub const MOST: usize = 16;
/// At most so many are remembered.
const REMEMBERED: usize = 60;
/// A job that is done is remembered for so long.
const AGE: Duration = Duration::from_secs(600);

/// All answers that are kept have at most so many bytes together; the oldest are forgotten, with their jobs.
const MOST_BYTES: usize = 64 << 20;

/// Where a job is, with what has come of it.
enum State {
    Waiting,
    Running(Option<Value>),
    Done(Arc<Reply>),
    Failed(Value),
    Cancelled,
}

/// A job.
pub struct Job {
    /// Its name.
    pub name: String,
    /// Which question it answers.
    pub kind: QuestionKind,
    number: u64,
    state: Mutex<State>,
    /// Rings when somebody cancels it.
    pub cancel: Notify,
    ended: Mutex<Option<Instant>>,
}

impl Job {
    fn set(&self, state: State) {
        let is_over = !matches!(state, State::Waiting | State::Running(_));
        {
            let mut now = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            // What is over stays so.
            if !matches!(*now, State::Waiting | State::Running(_)) {
                return;
            }
            *now = state;
        }
        if is_over {
            *self.ended.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        }
    }

    /// It runs.
    pub fn begin(&self) {
        self.set(State::Running(None));
    }

    /// It has come so far.
    pub fn progress(&self, object: &str) {
        self.set(State::Running(serde_json::from_str(object).ok()));
    }

    fn finish(&self, reply: Reply) {
        self.set(match reply.status {
            200 => State::Done(Arc::new(reply)),
            _ => {
                let body: Value = serde_json::from_str(&reply.body).unwrap_or_default();
                State::Failed(body.get("error").cloned().unwrap_or_default())
            }
        });
    }

    /// How many bytes its answer has.
    fn bytes(&self) -> usize {
        match &*self.state.lock().unwrap_or_else(PoisonError::into_inner) {
            State::Done(reply) => reply.body.len(),
            _ => 0,
        }
    }

    /// Somebody cancels it.
    pub fn cancelled(&self) {
        self.set(State::Cancelled);
        self.cancel.notify_one();
    }

    /// Whether it waits or runs.
    pub fn is_open(&self) -> bool {
        matches!(*self.state.lock().unwrap_or_else(PoisonError::into_inner), State::Waiting | State::Running(_))
    }

    fn is_waiting(&self) -> bool {
        matches!(*self.state.lock().unwrap_or_else(PoisonError::into_inner), State::Waiting)
    }
}

/// All jobs.
#[derive(Default)]
pub struct Jobs {
    all: Mutex<BTreeMap<u64, Arc<Job>>>,
    names: RandomState,
}

impl Jobs {
    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<u64, Arc<Job>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new job, unless there are too many.
    pub fn add(&self, kind: QuestionKind) -> Option<Arc<Job>> {
        let mut all = self.lock();
        if all.values().filter(|job| job.is_open()).count() >= MOST {
            return None;
        }
        let number = all.keys().next_back().map_or(0, |last| last + 1);
        let part = |salt: u64| {
            let mut hasher = self.names.build_hasher();
            hasher.write_u64(number);
            hasher.write_u64(salt);
            hasher.finish()
        };
        let job = Arc::new(Job {
            name: format!("{:016x}{:016x}", part(1), part(2)),
            kind,
            number,
            state: Mutex::new(State::Waiting),
            cancel: Notify::new(),
            ended: Mutex::default(),
        });
        let is_old = |job: &Arc<Job>| {
            job.ended.lock().unwrap_or_else(PoisonError::into_inner).is_some_and(|ended| ended.elapsed() > AGE)
        };
        all.retain(|_, job| !is_old(job));
        while all.len() >= REMEMBERED {
            let Some(oldest) = all.values().find(|job| !job.is_open()).map(|job| job.number) else { break };
            all.remove(&oldest);
        }
        all.insert(number, Arc::clone(&job));
        Some(job)
    }

    /// A job by its name.
    pub fn find(&self, name: &str) -> Option<Arc<Job>> {
        self.lock().values().find(|job| job.name == name).cloned()
    }

    /// How many wait or run.
    pub fn open(&self) -> usize {
        self.lock().values().filter(|job| job.is_open()).count()
    }

    /// Cancels everything.
    pub fn cancel_all(&self) {
        self.lock().values().filter(|job| job.is_open()).for_each(|job| job.cancelled());
    }

    /// A job has an answer, or an error.
    pub fn finish(&self, job: &Job, reply: Reply) {
        job.finish(reply);
        let mut all = self.lock();
        let mut bytes: usize = all.values().map(|job| job.bytes()).sum();
        all.retain(|_, old| {
            let own = old.bytes();
            let is_kept = bytes <= MOST_BYTES || own == 0 || old.number == job.number;
            bytes -= if is_kept { 0 } else { own };
            is_kept
        });
    }

    /// The object of a job, as parts of its text.
    pub fn object(&self, job: &Job) -> Vec<Bytes> {
        let ahead = job
            .is_waiting()
            .then(|| self.lock().values().filter(|other| other.number < job.number && other.is_open()).count());
        let state = job.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut object = JobObject {
            job: &job.name,
            what: job.kind.name(),
            state: JobState::Waiting,
            ahead,
            progress: None,
            error: None,
        };
        match &*state {
            State::Waiting => {}
            State::Running(progress) => (object.state, object.progress) = (JobState::Running, progress.as_ref()),
            State::Done(reply) => {
                object.state = JobState::Done;
                let [before, behind] = object.around_answer();
                return vec![before.into(), shared(reply), behind.into()];
            }
            State::Failed(error) => (object.state, object.error) = (JobState::Failed, Some(error)),
            State::Cancelled => object.state = JobState::Cancelled,
        }
        vec![text(&object).into()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(jobs: &Jobs, job: &Job) -> Value {
        serde_json::from_slice(&jobs.object(job).concat()).unwrap()
    }

    #[test]
    fn what_is_over_stays_so() {
        let good = Reply::good(r#"{"a":1}"#.to_string());
        let bad = Reply { status: 422, limited: false, body: r#"{"error":{"kind":"limit"}}"#.to_string() };
        let jobs = Jobs::default();
        type End<'e> = (&'e str, &'e dyn Fn(&Job));
        let ends: [End<'_>; 3] = [
            ("done", &|job| jobs.finish(job, good.clone())),
            ("failed", &|job| jobs.finish(job, bad.clone())),
            ("cancelled", &|job| job.cancelled()),
        ];
        for (name, end) in ends {
            let job = jobs.add(QuestionKind::Solve).unwrap();
            assert_eq!(state(&jobs, &job)["state"], "waiting");
            job.begin();
            job.progress(r#"{"phase":"x"}"#);
            assert_eq!(state(&jobs, &job)["progress"]["phase"], "x");
            end(&job);
            let over = state(&jobs, &job);
            assert_eq!(over["state"], name);
            for (_, later) in ends {
                later(&job);
                job.begin();
                job.progress(r#"{"phase":"y"}"#);
                assert_eq!(state(&jobs, &job), over);
            }
        }
        assert_eq!(jobs.open(), 0);
    }

    #[test]
    fn the_answers_of_jobs_are_bounded_together() {
        let jobs = Jobs::default();
        let answer = Reply::good(format!("[{}]", " ".repeat(MOST_BYTES / 3)));
        let finished = |_| {
            let job = jobs.add(QuestionKind::Graph).unwrap();
            jobs.finish(&job, answer.clone());
            job.name.clone()
        };
        let names: Vec<String> = (0..5).map(finished).collect();
        let known: Vec<bool> = names.iter().map(|name| jobs.find(name).is_some()).collect();
        assert_eq!(known, [false, false, false, true, true]);
        let last = jobs.find(&names[4]).unwrap();
        assert_eq!(state(&jobs, &last)["answer"], Value::Array(Vec::new()));
    }

    #[test]
    fn jobs_wait_behind_others_and_are_not_too_many() {
        let jobs = Jobs::default();
        let all: Vec<Arc<Job>> = (0..MOST).map(|_| jobs.add(QuestionKind::Solve).unwrap()).collect();
        assert!(jobs.add(QuestionKind::Solve).is_none());
        assert_eq!(state(&jobs, &all[3])["ahead"], 3);
        jobs.finish(&all[0], Reply::good("{}".to_string()));
        assert_eq!(state(&jobs, &all[3])["ahead"], 2);
        assert!(jobs.add(QuestionKind::Solve).is_some());
        jobs.cancel_all();
        assert_eq!(jobs.open(), 0);
        // Of those that are over some are remembered.
        let names: Vec<String> = (0..2 * REMEMBERED)
            .map(|_| {
                let job = jobs.add(QuestionKind::Solve).unwrap();
                job.cancelled();
                job.name.clone()
            })
            .collect();
        assert!(jobs.find(&names[0]).is_none() && jobs.find(names.last().unwrap()).is_some());
        assert!(jobs.lock().len() <= REMEMBERED);
    }
}
