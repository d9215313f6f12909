//! How the server and its workers end: what runs is finished, in bounded time, and nothing stays behind.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::client::{Server, read, signal};
use crate::support::BINARY;

/// Takes minutes.
const LARGE: &str = r#"{"game": "connect_k", "instance": {"rows": 6, "columns": 7, "k": 4}}"#;

/// Waits until a process has ended.
fn ended(child: &mut Child, longest: Duration) -> ExitStatus {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if begun.elapsed() > longest {
            let _ = child.kill();
            panic!("it has not ended after {longest:?}");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Nothing is left of the workers.
fn gone(workers: &[u32]) {
    let begun = Instant::now();
    let is_there = |worker: &&u32| {
        let stat = std::fs::read_to_string(format!("/proc/{worker}/stat")).unwrap_or_default();
        stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with(['Z', 'X']))
    };
    while let Some(worker) = workers.iter().find(is_there) {
        assert!(begun.elapsed() < Duration::from_secs(20), "the worker {worker} goes on");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn post(port: u16, path: &str, body: &str, length: usize) -> String {
    format!(
        "POST /api/v1/{path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
}

#[test]
fn a_signal_lets_what_runs_finish() {
    let mut server = Server::start("--time 400ms --job-time 8s");
    let port = server.port;
    assert_eq!(server.ask("jobs", &format!(r#"{{"do": "solve", "with": {LARGE}}}"#)).0, 202);
    let slow = r#"{"game": "connect_k", "instance": {"rows": 5, "columns": 7, "k": 4}}"#;
    let begun = Instant::now();
    let mut asking = server.connect();
    asking.write_all(post(port, "position", slow, slow.len()).as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let workers = server.workers();
    server.signal("TERM");
    let answer = read(asking);
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(ended(&mut server.child, Duration::from_secs(60)).code(), Some(0));
    assert!(begun.elapsed() < Duration::from_secs(40), "{:?}", begun.elapsed());
    assert!(TcpStream::connect(("127.0.0.1", port)).is_err());
    gone(&workers);
}

#[test]
fn connections_that_idle_or_send_slowly_keep_no_server() {
    let mut server = Server::start("");
    let port = server.port;
    // One that idles after its answer, one that has said nothing yet, half a head, half a body.
    let mut idle = server.connect();
    let body = r#"{"game": "nim"}"#;
    idle.write_all(post(port, "position", body, body.len()).as_bytes()).unwrap();
    let mut line = String::new();
    BufReader::new(idle.try_clone().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("HTTP/1.1 200"), "{line}");
    let silent = server.connect();
    let mut head = server.connect();
    head.write_all(b"GET / HTTP/1.1\r\nHost: 127").unwrap();
    let mut half = server.connect();
    half.write_all(post(port, "position", r#"{"game":"#, 15).as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let workers = server.workers();
    server.signal("TERM");
    // What was asked before is answered, once it is there.
    half.write_all(br#" "nim"}"#).unwrap();
    let answer = read(half);
    assert!(answer.status == 200 || answer.status == 503, "{} {}", answer.status, answer.body);
    assert_eq!(ended(&mut server.child, Duration::from_secs(40)).code(), Some(0));
    for mut stream in [idle, silent, head] {
        let mut rest = Vec::new();
        // It is closed, or cut.
        let _ = stream.read_to_end(&mut rest);
    }
    gone(&workers);
}

#[test]
fn a_body_that_never_comes_keeps_no_server() {
    let mut server = Server::start("");
    let mut stream = server.connect();
    stream.write_all(post(server.port, "check", "{", 1000).as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(200));
    server.signal("TERM");
    assert_eq!(read(stream).status, 408);
    assert_eq!(ended(&mut server.child, Duration::from_secs(40)).code(), Some(0));
}

#[test]
fn a_job_that_takes_too_long_is_cancelled_and_says_so() {
    let mut server = Server::start("");
    let port = server.port;
    let (status, job) = server.ask("jobs", &format!(r#"{{"do": "solve", "with": {LARGE}}}"#));
    assert_eq!(status, 202);
    let path = format!("/api/v1/jobs/{}", job["job"].as_str().unwrap());
    // A connection that is there goes on: jobs can be asked for and cancelled, nothing new is begun.
    let stream = server.connect();
    let mut input = BufReader::new(stream.try_clone().unwrap());
    let mut ask = |request: String| {
        (&stream).write_all(request.as_bytes()).unwrap();
        let (mut status, mut size) = (0, 0);
        loop {
            let mut line = String::new();
            assert!(input.read_line(&mut line).unwrap() > 0, "the connection is closed");
            if let Some(rest) = line.strip_prefix("HTTP/1.1 ") {
                status = rest[..3].parse().unwrap();
            }
            if let Some(rest) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                size = rest.trim().parse().unwrap();
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut body = vec![0; size];
        input.read_exact(&mut body).unwrap();
        (status, String::from_utf8(body).unwrap())
    };
    let head = |method: &str| format!("{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n");
    assert_eq!(ask(head("GET")).0, 200);
    let workers = server.workers();
    server.signal("TERM");
    let begun = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_ok() {
        assert!(begun.elapsed() < Duration::from_secs(20), "others are let in");
    }
    let (status, refused) = ask(post(port, "position", r#"{"game": "nim"}"#, 15));
    assert_eq!(status, 503, "{refused}");
    assert!(refused.contains("the server is ending"), "{refused}");
    assert_eq!(ask(head("GET")).0, 200);
    let (status, cancelled) = ask(head("DELETE"));
    assert_eq!(status, 200);
    assert!(cancelled.contains("cancelled"), "{cancelled}");
    assert_eq!(ended(&mut server.child, Duration::from_secs(30)).code(), Some(0));
    gone(&workers);
}

#[test]
fn a_second_signal_ends_the_server_at_once() {
    let mut server = Server::start("");
    assert_eq!(server.ask("jobs", &format!(r#"{{"do": "solve", "with": {LARGE}}}"#)).0, 202);
    let workers = server.workers();
    server.signal("TERM");
    std::thread::sleep(Duration::from_millis(300));
    assert!(server.child.try_wait().unwrap().is_none(), "a job runs");
    server.signal("TERM");
    ended(&mut server.child, Duration::from_secs(8));
    gone(&workers);
}

/// A worker, and its input.
fn worker() -> (Child, ChildStdin) {
    let mut worker = Command::new(BINARY).arg("worker").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let input = worker.stdin.take().unwrap();
    (worker, input)
}

/// A server that is killed closes the pipes of its workers.
#[test]
fn a_worker_ends_with_its_server_however_busy_it_is() {
    let (mut worker, mut input) = worker();
    writeln!(input, "solve 600000 2000000000 0 {LARGE}").unwrap();
    std::thread::sleep(Duration::from_millis(500));
    assert!(worker.try_wait().unwrap().is_none(), "it works");
    drop(input);
    ended(&mut worker, Duration::from_secs(20));
}

#[test]
fn a_signal_ends_a_worker() {
    let (mut idle, mut input) = worker();
    let mut output = BufReader::new(idle.stdout.take().unwrap());
    let mut line = String::new();
    // It is there when it has answered.
    writeln!(input, r#"solve 2000 100000000 0 {{"game": "nim"}}"#).unwrap();
    output.read_line(&mut line).unwrap();
    assert!(line.starts_with("A 200 0 {"), "{line}");
    std::thread::sleep(Duration::from_millis(100));
    signal(idle.id(), "TERM");
    assert_eq!(ended(&mut idle, Duration::from_secs(8)).code(), Some(0));
    // One that works answers first.
    let (mut busy, mut input) = worker();
    let mut output = BufReader::new(busy.stdout.take().unwrap());
    writeln!(input, "solve 1000 500000000 1 {LARGE}").unwrap();
    line.clear();
    output.read_line(&mut line).unwrap();
    assert!(line.starts_with("P {"), "{line}");
    signal(busy.id(), "TERM");
    while line.starts_with("P {") {
        line.clear();
        output.read_line(&mut line).unwrap();
    }
    assert!(line.starts_with("A 422 1 {"), "{line}");
    assert_eq!(ended(&mut busy, Duration::from_secs(8)).code(), Some(0));
    // The second signal does not wait.
    let (mut busy, mut input) = worker();
    let mut output = BufReader::new(busy.stdout.take().unwrap());
    writeln!(input, "solve 600000 2000000000 1 {LARGE}").unwrap();
    line.clear();
    output.read_line(&mut line).unwrap();
    signal(busy.id(), "TERM");
    std::thread::sleep(Duration::from_millis(100));
    signal(busy.id(), "TERM");
    ended(&mut busy, Duration::from_secs(8));
}
