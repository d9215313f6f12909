//! The files of the page, which are part of the program.

use std::sync::LazyLock;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use perfectplay::json;

use crate::kept::hash;

/// Every file: its name and its text.
pub const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/page.rs"));
/// What the server answers: `openapi.json`, with the definitions that it shares with the command line.
pub static OPENAPI: LazyLock<String> =
    LazyLock::new(|| json::openapi(include_str!("../openapi.json")).unwrap_or_default());

/// A file by its name.
pub fn file(name: &str) -> Option<&'static str> {
    FILES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/json",
    }
}

/// The answer with a file, unless the browser has it already.
pub fn answer(name: &str, text: &'static str, asked: &HeaderMap) -> Response {
    let tag = format!("\"{:016x}\"", hash(text));
    let known = asked.get(header::IF_NONE_MATCH).and_then(|known| known.to_str().ok());
    let mut response = match known.is_some_and(|known| known.split(',').any(|one| one.trim() == tag)) {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => text.into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(name)));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}
