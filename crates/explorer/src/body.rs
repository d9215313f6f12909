//! The body of a request, within limits of size, time, and memory of all bodies together.

use std::pin::Pin;
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use perfectplay::json::{Refusal, RefusalUnit, refused_request, usage};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::{Instant, timeout, timeout_at};

use crate::guard;
use crate::reply::Reply;
use crate::settings::{BODY, BODY_TIME};

/// A body with more bytes is large.
const LARGE: usize = 64 << 10;
/// So many large bodies may be here at a time.
const MOST_LARGE: usize = 32;
/// A large body waits for its place for so long, where nobody says otherwise.
const PLACE_TIME: Duration = Duration::from_secs(10);

/// Room for the bodies that are here.
pub struct Room {
    places: Semaphore,
    /// A large body waits for its place for so long.
    patience: Duration,
}

impl Default for Room {
    fn default() -> Room {
        Room { places: Semaphore::new(MOST_LARGE), patience: PLACE_TIME }
    }
}

/// The body of a request. A large one takes its place as long as this is there.
pub struct Text<'r> {
    /// The text, on one line.
    pub text: String,
    _place: Option<SemaphorePermit<'r>>,
}

impl Room {
    /// The body of a request that says that it is JSON.
    pub async fn read(&self, request: Request) -> Result<Text<'_>, Reply> {
        if let Some(refused) = guard::is_not_json(request.headers()) {
            return Err(refused);
        }
        let announced = request.body().size_hint().lower();
        if announced > BODY as u64 {
            return Err(too_large(Some(announced)));
        }
        let (bytes, place) = self.bytes(request.into_body()).await?;
        let text = String::from_utf8(bytes).map_err(|_| Reply::new(400, &usage("the body is no UTF-8", None)))?;
        // A line break stands for a blank in JSON, except in texts, where it is not allowed.
        let text = if text.contains(['\n', '\r']) { text.replace(['\n', '\r'], " ") } else { text };
        Ok(Text { text, _place: place })
    }

    async fn bytes(&self, mut body: Body) -> Result<(Vec<u8>, Option<SemaphorePermit<'_>>), Reply> {
        let (mut bytes, mut place) = (Vec::new(), None);
        let mut end = Instant::now() + BODY_TIME;
        loop {
            let frame = std::future::poll_fn(|context| Pin::new(&mut body).poll_frame(context));
            let Some(frame) = timeout_at(end, frame).await.map_err(|_| too_slow())? else { break };
            let broken = || usage("the body is broken: it is shorter than announced, or its chunks are wrong", None);
            let frame = frame.map_err(|_| Reply::new(400, &broken()))?;
            // What comes behind the body is of no interest.
            let Ok(data) = frame.into_data() else { continue };
            if bytes.len() + data.len() > BODY {
                return Err(too_large(None));
            }
            if bytes.len() + data.len() > LARGE && place.is_none() {
                // Waiting for others is not the sender's fault.
                let begun = Instant::now();
                place = Some(
                    timeout(self.patience, self.places.acquire()).await.ok().and_then(Result::ok).ok_or_else(full)?,
                );
                end += begun.elapsed();
            }
            bytes.extend_from_slice(&data);
        }
        Ok((bytes, place))
    }
}

fn too_slow() -> Reply {
    let size = Refusal { asked: None, allowed: BODY_TIME.as_secs(), unit: RefusalUnit::Seconds };
    Reply::new(408, &refused_request("the body came too slowly", None, Some(size)))
}

fn full() -> Reply {
    Reply::new(503, &refused_request("too many large requests are here", Some("try again in some seconds"), None))
}

fn too_large(asked: Option<u64>) -> Reply {
    let size = Refusal { asked, allowed: BODY as u64, unit: RefusalUnit::Bytes };
    let message = format!("the body is larger than the {BODY} bytes that are allowed");
    Reply::new(413, &refused_request(&message, None, Some(size)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(bytes: usize) -> Request {
        let body = Body::from(" ".repeat(bytes));
        Request::builder().header("content-type", "application/json").body(body).unwrap()
    }

    #[test]
    fn who_finds_no_place_is_told_so_and_not_called_slow() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let room = Room { places: Semaphore::new(2), patience: Duration::from_millis(20) };
            let first = room.read(request(LARGE + 1)).await.ok().unwrap();
            let second = room.read(request(LARGE + 1)).await.ok().unwrap();
            assert_eq!(room.read(request(LARGE + 1)).await.err().unwrap().status, 503);
            assert!(room.read(request(LARGE)).await.is_ok(), "small ones need no place");
            drop(first);
            assert!(room.read(request(LARGE + 1)).await.is_ok());
            assert_eq!(second.text.len(), LARGE + 1);
            assert_eq!(room.read(request(BODY + 1)).await.err().unwrap().status, 413);
        });
    }
}
