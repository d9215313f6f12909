//! Answers that are kept, so that a question that was asked before needs no work; and questions that were found to be heavy.

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

/// A number that was added longer ago is forgotten.
const LATELY: Duration = Duration::from_secs(60);

/// Answers by their questions.
#[derive(Default)]
pub struct AnswerCache(Mutex<Store>);

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

impl AnswerCache {
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

/// A few numbers that were added lately.
#[derive(Default)]
pub struct RecentNumbers(Mutex<VecDeque<(u64, Instant)>>);

impl RecentNumbers {
    /// Whether a number was added lately.
    pub fn has(&self, number: u64) -> bool {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
            .any(|(known, since)| *known == number && since.elapsed() < LATELY)
    }

    /// Remembers a number.
    pub fn add(&self, number: u64) {
        let mut numbers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        numbers.retain(|(old, since)| *old != number && since.elapsed() < LATELY);
        numbers.push_back((number, Instant::now()));
        if numbers.len() > 500 {
            numbers.pop_front();
        }
    }
}
