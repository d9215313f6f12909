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

/// A number that was added longer ago is forgotten, where nobody says otherwise.
const LATELY: Duration = Duration::from_secs(60);
/// At most so many numbers are remembered.
const MOST_NUMBERS: usize = 500;

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
pub struct RecentNumbers {
    numbers: Mutex<VecDeque<(u64, Instant)>>,
    /// A number that was added longer ago is forgotten.
    lately: Duration,
}

impl Default for RecentNumbers {
    fn default() -> RecentNumbers {
        RecentNumbers { numbers: Mutex::default(), lately: LATELY }
    }
}

impl RecentNumbers {
    /// Whether a number was added lately.
    pub fn has(&self, number: u64) -> bool {
        let recent = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        recent.iter().any(|(known, since)| *known == number && since.elapsed() < self.lately)
    }

    /// Remembers a number.
    pub fn add(&self, number: u64) {
        let mut recent = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        recent.retain(|(old, since)| *old != number && since.elapsed() < self.lately);
        recent.push_back((number, Instant::now()));
        if recent.len() > MOST_NUMBERS {
            recent.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(status: u16, size: usize) -> Arc<Reply> {
        Arc::new(Reply { status, limited: false, body: "x".repeat(size) })
    }

    #[test]
    fn answers_are_kept_and_the_oldest_are_forgotten() {
        let kept = AnswerCache::default();
        kept.keep("busy", &reply(503, 10));
        kept.keep("broken", &reply(500, 10));
        kept.keep("long", &reply(200, LONGEST + 1));
        for question in ["busy", "broken", "long"] {
            assert!(kept.get(question).is_none(), "{question}");
        }
        let size = 1 << 20;
        for number in 0..100 {
            kept.keep(&number.to_string(), &reply(200, size));
            kept.keep(&number.to_string(), &reply(200, size));
        }
        assert!(kept.get("99").is_some() && kept.get("0").is_none());
        let store = kept.0.lock().unwrap();
        let held: usize = store.known.values().map(|(reply, _)| reply.body.len()).sum();
        assert!(held <= store.bytes && store.bytes <= MOST && store.order.len() == store.known.len());
    }

    #[test]
    fn numbers_are_remembered_for_a_while() {
        let recent = RecentNumbers::default();
        assert!(!recent.has(1));
        recent.add(1);
        assert!(recent.has(1) && !recent.has(2));
        for number in 10..10 + MOST_NUMBERS as u64 {
            recent.add(number);
        }
        assert!(!recent.has(1), "the oldest are forgotten");
        let short = RecentNumbers { lately: Duration::ZERO, ..RecentNumbers::default() };
        short.add(1);
        assert!(!short.has(1), "what was long ago is forgotten");
    }
}
