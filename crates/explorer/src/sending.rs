//! Answers on their way out. They go in slices of shared memory, so that somebody who reads slowly holds no copy, and all large ones
//! together are bounded.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use hyper::body::{Frame, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::reply::Reply;

/// An answer with more bytes is large.
const LARGE: usize = 256 << 10;
/// Large answers are counted in units of so many bytes.
const UNIT: usize = 64 << 10;
/// So many units are on their way at a time.
const MOST_UNITS: usize = 1024;
/// A slice has so many bytes.
const SLICE: usize = 32 << 10;

/// Room for the large answers that are on their way.
pub struct Sending(Arc<Semaphore>);

impl Default for Sending {
    fn default() -> Sending {
        Sending(Arc::new(Semaphore::new(MOST_UNITS)))
    }
}

impl Sending {
    /// The body of an answer that consists of these parts; none where too many large ones are on their way.
    pub fn body(&self, parts: impl IntoIterator<Item = Bytes>) -> Option<Body> {
        let parts: VecDeque<Bytes> = parts.into_iter().collect();
        let bytes: usize = parts.iter().map(Bytes::len).sum();
        let room = match bytes > LARGE {
            true => {
                let units = bytes.div_ceil(UNIT).min(MOST_UNITS) as u32;
                Some(Arc::clone(&self.0).try_acquire_many_owned(units).ok()?)
            }
            false => None,
        };
        Some(Body::new(Outgoing { parts, _room: room }))
    }
}

/// The body of a reply, in memory that is shared with whoever keeps the reply.
pub fn shared(reply: &Arc<Reply>) -> Bytes {
    struct Shared(Arc<Reply>);
    impl AsRef<[u8]> for Shared {
        fn as_ref(&self) -> &[u8] {
            self.0.body.trim_end().as_bytes()
        }
    }
    Bytes::from_owner(Shared(Arc::clone(reply)))
}

/// What is left to send.
struct Outgoing {
    parts: VecDeque<Bytes>,
    _room: Option<OwnedSemaphorePermit>,
}

impl hyper::body::Body for Outgoing {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let Some(first) = self.parts.front_mut() else { return Poll::Ready(None) };
        let slice = first.split_to(first.len().min(SLICE));
        if first.is_empty() {
            self.parts.pop_front();
        }
        Poll::Ready(Some(Ok(Frame::data(slice))))
    }

    fn is_end_stream(&self) -> bool {
        self.parts.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.parts.iter().map(|part| part.len() as u64).sum())
    }
}

#[cfg(test)]
mod tests {
    use hyper::body::Body as _;

    use super::*;

    #[test]
    fn an_answer_goes_out_whole_in_slices() {
        let parts = [Bytes::from_static(b"ab"), Bytes::from(vec![b'x'; 2 * SLICE + 1]), Bytes::from_static(b"c")];
        let mut outgoing = Outgoing { parts: parts.into_iter().collect(), _room: None };
        assert_eq!(outgoing.size_hint().exact(), Some(2 * SLICE as u64 + 4));
        let mut sizes = Vec::new();
        let mut context = Context::from_waker(std::task::Waker::noop());
        while let Poll::Ready(Some(Ok(frame))) = Pin::new(&mut outgoing).poll_frame(&mut context) {
            sizes.push(frame.into_data().unwrap().len());
        }
        assert_eq!(sizes, [2, SLICE, SLICE, 1, 1]);
        assert!(outgoing.is_end_stream());
    }

    #[test]
    fn large_answers_are_bounded_together_and_small_ones_are_not() {
        let sending = Sending::default();
        let large = Bytes::from(vec![b'x'; 16 << 20]);
        let all: Vec<Body> = (0..4).filter_map(|_| sending.body([large.clone()])).collect();
        assert_eq!(all.len(), 4);
        assert!(sending.body([large.clone()]).is_none());
        assert!(sending.body([large.slice(..LARGE)]).is_some());
        drop(all);
        assert!(sending.body([large]).is_some());
    }
}
