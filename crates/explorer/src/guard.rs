//! Who may ask: a browser on a page of this server, or a program on this machine. Other sites may not, even where a browser of
//! this machine shows them.

use std::net::IpAddr;

use axum::http::{HeaderMap, HeaderValue, Method, header};
use perfectplay::json::{ErrorObject, refused_request};

use crate::reply::Reply;

/// What a page of this server may load: nothing from elsewhere.
const POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// The name of a host without its port.
fn name(host: &str) -> &str {
    match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(rest),
        None => host.split(':').next().unwrap_or(host),
    }
}

/// Whether the server may be called so. Plain addresses may: no site can make its own name mean another address by them.
fn is_ours(host: &str, hosts: &[String]) -> bool {
    let name = name(host).trim_end_matches('.');
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok()
        || hosts.iter().any(|known| known.eq_ignore_ascii_case(name))
}

fn refuse(status: u16, message: &str, help: &str) -> Reply {
    let error: ErrorObject = refused_request(message, Some(help), None);
    Reply::new(status, &error)
}

/// Whether a request is refused, before anything of it is looked at.
pub fn refused(method: &Method, headers: &HeaderMap, hosts: &[String]) -> Option<Reply> {
    let text = |name: header::HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or(""));
    let host = text(header::HOST).unwrap_or("");
    if !is_ours(host, hosts) {
        let help = "call it localhost, or start it with --allow-host NAME";
        return Some(refuse(403, "this server is not called so", help));
    }
    if let Some(origin) = text(header::ORIGIN) {
        let same = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        if same.is_none_or(|same| !same.eq_ignore_ascii_case(host)) {
            return Some(refuse(403, "the request comes from another site", "ask from a page of this server"));
        }
    }
    let site = headers.get("sec-fetch-site").and_then(|site| site.to_str().ok()).unwrap_or("none");
    // A link from elsewhere to the page itself is no harm: it is a plain look at it.
    let looks = *method == Method::GET && headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate");
    if matches!(site, "cross-site" | "same-site") && !looks {
        return Some(refuse(403, "the request comes from another site", "ask from a page of this server"));
    }
    None
}

/// Whether the body of a request is not announced as JSON.
pub fn is_not_json(headers: &HeaderMap) -> Option<Reply> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
    let is_json = kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"));
    (!is_json).then(|| refuse(415, "the body is not announced as JSON", "send `content-type: application/json`"))
}

/// What every answer says to the browser.
pub fn protect(headers: &mut HeaderMap) {
    let mut put = |name: &'static str, value: &'static str| {
        headers.insert(header::HeaderName::from_static(name), HeaderValue::from_static(value));
    };
    put("content-security-policy", POLICY);
    put("x-content-type-options", "nosniff");
    put("referrer-policy", "no-referrer");
    put("cross-origin-resource-policy", "same-origin");
    put("cross-origin-opener-policy", "same-origin");
    put("x-frame-options", "DENY");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_names_are_answered() {
        for host in
            ["localhost", "localhost:8000", "127.0.0.1:8000", "[::1]:8000", "LOCALHOST", "10.0.0.1", "play.example:80"]
        {
            assert!(is_ours(host, &["play.example".to_string()]), "{host}");
        }
        for host in ["", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "[evil]"] {
            assert!(!is_ours(host, &[]), "{host}");
        }
    }

    #[test]
    fn other_sites_are_refused() {
        let ask = |origin: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static("localhost:80"));
            headers.insert(header::ORIGIN, HeaderValue::from_static(origin));
            refused(&Method::POST, &headers, &[]).map(|reply| reply.status)
        };
        assert_eq!(ask("http://localhost:80"), None);
        for origin in ["http://localhost:81", "http://evil.example", "null", ""] {
            assert_eq!(ask(origin), Some(403), "{origin}");
        }
    }
}
