//! Answers that are kept: the same question gets the same answer, without any work.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::reply::Reply;

/// As many bytes are kept.
const MOST: usize = 48 << 20;
/// A longer answer is not kept.
const LONGEST: usize = 2 << 20;
/// An answer that a limit cut short is good for so long.
const SHORT: Duration = Duration::from_secs(30);

/// What was seen longer ago is forgotten.
const LATELY: Duration = Duration::from_secs(60);

/// Answers by their questions.
#[derive(Default)]
pub struct Kept(Mutex<Store>);

#[derive(Default)]
struct Store {
    known: HashMap<String, (Arc<Reply>, Instant)>,
    order: VecDeque<String>,
    bytes: usize,
}

/// A number for a text.
pub fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

impl Kept {
    /// The answer to a question that was asked before.
    pub fn get(&self, question: &str) -> Option<Arc<Reply>> {
        let store = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (reply, since) = store.known.get(question)?;
        (!reply.limited || since.elapsed() < SHORT).then(|| Arc::clone(reply))
    }

    /// Keeps an answer.
    pub fn keep(&self, question: &str, reply: &Arc<Reply>) {
        let size = question.len() * 2 + reply.body.len() + 200;
        if size > LONGEST || !matches!(reply.status, 200 | 400 | 422) {
            return;
        }
        let mut store = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = store.known.insert(question.to_string(), (Arc::clone(reply), Instant::now()));
        match before {
            Some((old, _)) => store.bytes = (store.bytes + reply.body.len()).saturating_sub(old.body.len()),
            None => {
                store.order.push_back(question.to_string());
                store.bytes += size;
            }
        }
        while store.bytes > MOST {
            let Some(oldest) = store.order.pop_front() else { break };
            if let Some((reply, _)) = store.known.remove(&oldest) {
                store.bytes = store.bytes.saturating_sub(oldest.len() * 2 + reply.body.len() + 200);
            }
        }
    }
}

/// A few numbers that were seen lately.
#[derive(Default)]
pub struct Seen(Mutex<VecDeque<(u64, Instant)>>);

impl Seen {
    /// Whether a number was seen.
    pub fn has(&self, number: u64) -> bool {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
            .any(|(seen, since)| *seen == number && since.elapsed() < LATELY)
    }

    /// Remembers a number.
    pub fn add(&self, number: u64) {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seen.retain(|(old, since)| *old != number && since.elapsed() < LATELY);
        seen.push_back((number, Instant::now()));
        if seen.len() > 500 {
            seen.pop_front();
        }
    }
}
