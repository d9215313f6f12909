//! Who may ask, what browsers are told, and how the server ends.

use std::time::{Duration, Instant};

use serde_json::json;

use super::client::Server;
#[cfg(target_os = "linux")]
use super::client::signal;
use crate::support::run;

const JSON: &str = "Content-Type: application/json\r\n";

#[test]
fn other_sites_and_other_names_are_refused() {
    let server = Server::start("");
    let body = r#"{"game": "nim"}"#;
    let ask = |headers: &str| server.request("POST", "/api/v1/position", &format!("{JSON}{headers}"), body).status;
    let own = format!("Origin: http://127.0.0.1:{}\r\nSec-Fetch-Site: same-origin\r\n", server.port);
    assert_eq!(ask(&own), 200);
    for headers in [
        "Origin: http://evil.example\r\n",
        "Origin: null\r\n",
        "Host: evil.example\r\n",
        "Host: localhost.evil.example\r\n",
        "Sec-Fetch-Site: cross-site\r\n",
        "Origin: http://127.0.0.1:1\r\n",
    ] {
        assert_eq!(ask(headers), 403, "{headers}");
    }
    for kind in ["", "Content-Type: text/plain\r\n", "Content-Type: application/x-www-form-urlencoded\r\n"] {
        let answer = server.request("POST", "/api/v1/position", kind, body);
        server.hold("post", "/api/v1/position", &answer, kind);
        assert_eq!(answer.status, 415, "{kind}");
    }
    // No other site may read what it cannot be kept from asking.
    let answer = server.request("OPTIONS", "/api/v1/position", "Origin: http://evil.example\r\n", "");
    assert!(answer.status >= 400 && answer.header("access-control-allow-origin").is_none());
}

#[test]
fn the_page_is_served_with_its_policy_and_asked_for_once() {
    let server = Server::start("");
    let page = server.get("/");
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'self'") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    assert!(!page.body.contains("http://") && !page.body.contains("https://"), "nothing comes from elsewhere");
    let tag = page.header("etag").unwrap();
    let again = server.request("GET", "/", &format!("If-None-Match: {tag}\r\n"), "");
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    // Every file that the page names is there.
    let names = page.body.split(['"', '\'']).filter(|word| word.ends_with(".css") || word.ends_with(".js"));
    for name in names {
        let answer = server.get(&format!("/{}", name.trim_start_matches("./").trim_start_matches('/')));
        assert_eq!(answer.status, 200, "{name}");
    }
}

#[test]
fn the_first_answer_of_a_small_game_comes_soon() {
    let server = Server::start("");
    server.good("position", r#"{"game": "nim"}"#);
    let mut times: Vec<Duration> = ["coins", "tic_tac_toe", "kayles", "chomp", "wythoff"]
        .iter()
        .map(|game| {
            let begun = Instant::now();
            server.good("position", &json!({ "game": game }).to_string());
            begun.elapsed()
        })
        .collect();
    times.sort();
    // Slow machines and builds without optimisation have some more time.
    assert!(times[2] < Duration::from_millis(600), "{times:?}");
}

#[test]
fn every_error_is_json_of_one_shape() {
    let server = Server::start("");
    let json = "Content-Type: application/json\r\n";
    for (method, path, headers, status) in [
        ("GET", "/api/v1/games/%ff%fe", "", 400),
        ("GET", "/api/v1/jobs/%ff", "", 400),
        ("DELETE", "/api/v1/jobs/%c3%28", "", 400),
        ("GET", "/api/v1/games/conis", "", 404),
        ("GET", "/api/v1/jobs/none", "", 404),
        ("GET", "/api/v1/nothing", "", 404),
        ("GET", "/api/v1/games/nim/more", "", 404),
        ("POST", "/nothing", json, 404),
        ("GET", "/api/v1/position", "", 405),
        ("DELETE", "/api/v1/position", "", 405),
        ("POST", "/api/v1/games", json, 405),
        ("BREW", "/api/v1/games", "", 405),
        ("POST", "/", json, 405),
        ("POST", "/api/v1/position", "", 415),
        ("GET", "/", "Host: evil.example\r\n", 403),
    ] {
        let answer = server.request(method, path, headers, "");
        assert_eq!(answer.status, status, "{method} {path}: {}", answer.body);
        assert_eq!(answer.header("content-type"), Some("application/json"), "{method} {path}");
        server.schema.check("api_failed", &answer.json()).unwrap();
    }
}

#[test]
fn a_head_is_that_of_the_answer() {
    let server = Server::start("");
    for path in ["/", "/api/v1/games", "/api/v1/about", "/api/v1/games/nim", "/nothing"] {
        let (get, head) = (server.get(path), server.request("HEAD", path, "", ""));
        assert_eq!((head.status, head.body.as_str()), (get.status, ""), "{path}");
        for name in ["content-type", "content-length", "content-security-policy", "etag"] {
            assert_eq!(head.header(name), get.header(name), "{path} {name}");
        }
    }
}

#[test]
fn all_answers_and_jobs_fit_a_total_of_memory() {
    let limits = |words: &str| Server::start(words).get("/api/v1/about").json()["limits"].clone();
    let usual = limits("--total-memory 20G");
    assert_eq!((&usual["memory"], &usual["job_memory"]), (&json!(512 << 20), &json!(2_u64 << 30)));
    assert_eq!(usual["total_memory"], 20_u64 << 30);
    let small = limits("--total-memory 2G --jobs 1");
    let bytes = |name: &str| small[name].as_u64().unwrap();
    assert!(bytes("job_memory") < 2 << 30 && bytes("memory") + bytes("job_memory") < bytes("total_memory"), "{small}");
    for words in [
        "--total-memory 100M",
        "--total-memory 4G --job-memory 3G",
        "--total-memory 4G --memory 8G",
        "--total-memory 0",
    ] {
        let ran = run(&format!("serve --port 0 {words}"));
        assert_eq!(ran.code, 2, "{words}");
        assert!(ran.err.contains("the total is") && ran.err.contains("--total-memory"), "{words}: {}", ran.err);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn workers_that_somebody_ends_are_replaced_and_nobody_notices() {
    let server = Server::start("");
    let body = r#"{"game": "coins", "instance": {"coins": [1, 2, 3]}}"#;
    for round in 0..3 {
        let before = server.workers();
        assert!(before.len() >= if round == 0 { 8 } else { 3 }, "{before:?}");
        before.iter().for_each(|worker| signal(*worker, if round == 0 { "TERM" } else { "KILL" }));
        // Each round asks something that is not known yet.
        let new = body.replace('3', &format!("3, {round}"));
        assert_eq!(server.good("position", &new)["solved"], true);
        assert_eq!(server.good("check", &json!({ "rules": format!("game g{round} {{") }).to_string())["good"], false);
        let (status, job) = server.ask("jobs", &format!(r#"{{"do": "solve", "with": {new}}}"#));
        assert_eq!(status, 202);
        let path = format!("/api/v1/jobs/{}", job["job"].as_str().unwrap());
        let begun = Instant::now();
        while server.get(&path).json()["state"] != "done" {
            assert!(begun.elapsed() < Duration::from_secs(60), "{}", server.get(&path).body);
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}
