//! Who may ask, what browsers are told, and how the server ends.

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use super::client::Server;

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

#[cfg(unix)]
#[test]
fn a_signal_lets_what_runs_finish() {
    let mut server = Server::start("--job-time 8s");
    let body = r#"{"do": "solve", "with": {"game": "connect_k", "instance": {"rows": 6, "columns": 7, "k": 4}}}"#;
    assert_eq!(server.ask("jobs", body).0, 202);
    let slow = r#"{"game": "connect_k", "instance": {"rows": 5, "columns": 7, "k": 4}}"#;
    let (port, pid) = (server.port, server.child.id());
    let begun = Instant::now();
    let answer = std::thread::scope(|scope| {
        let asking = scope.spawn(|| server.post("/api/v1/position", slow));
        std::thread::sleep(Duration::from_millis(400));
        assert!(Command::new("kill").args(["-TERM", &pid.to_string()]).status().unwrap().success());
        asking.join().unwrap()
    });
    assert_eq!(answer.status, 200, "{}", answer.body);
    let code = server.child.wait().unwrap().code();
    assert_eq!(code, Some(0));
    assert!(begun.elapsed() < Duration::from_secs(25), "{:?}", begun.elapsed());
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_err());
}

/// A server that is killed closes the pipes of its workers.
#[test]
fn a_worker_ends_with_its_server_however_busy_it_is() {
    use std::io::Write;
    use std::process::Stdio;
    let mut worker = Command::new(env!("CARGO_BIN_EXE_perfectplay"))
        .arg("worker")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let question = r#"solve 600000 2000000000 0 {"game": "connect_k", "instance": {"rows": 6, "columns": 7, "k": 4}}"#;
    let mut input = worker.stdin.take().unwrap();
    writeln!(input, "{question}").unwrap();
    std::thread::sleep(Duration::from_millis(500));
    assert!(worker.try_wait().unwrap().is_none(), "it works");
    drop(input);
    let begun = Instant::now();
    while worker.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(20) {
            worker.kill().unwrap();
            panic!("it goes on without a server");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
