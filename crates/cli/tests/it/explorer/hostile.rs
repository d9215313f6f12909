//! Requests that mean no good: none of them gets more than a clear answer, and others are answered as before.

use std::io::Write as _;
use std::time::{Duration, Instant};

use serde_json::json;

use super::client::{Server, read};

/// A small question is answered, and soon.
fn still_there(server: &Server, after: &str) {
    let begun = Instant::now();
    let coins = server.good("position", r#"{"game": "coins", "instance": {"coins": [1, 2, 3]}}"#);
    assert_eq!(coins["solved"], true, "{after}");
    assert!(begun.elapsed() < Duration::from_secs(5), "{after}: {:?}", begun.elapsed());
}

#[test]
fn broken_bodies_are_told_so() {
    let server = Server::start("");
    for body in [
        "",
        "{",
        "[]",
        "nul",
        "\"x\"",
        "{\"game\": 3}",
        "{\"gane\": \"nim\"}",
        "\u{0}",
        "{\"game\":\"nim\",\"moves\":{}}",
    ] {
        for path in ["position", "check", "solve", "opponent", "jobs"] {
            assert_eq!(server.ask(path, body).0, 400, "{path} {body}");
        }
    }
    let deep = "[".repeat(100_000);
    assert_eq!(server.ask("position", &deep).0, 400);
    assert_eq!(server.ask("position", &format!("{{\"position\": {}{}}}", "[".repeat(500), "]".repeat(500))).0, 400);
    for body in [r#"{}"#, r#"{"game": "conis"}"#, r#"{"game": "nim", "rules": "game"}"#, r#"{"rules": "game"}"#] {
        let (status, answer) = server.ask("position", body);
        assert_eq!(status, 422, "{body}");
        assert!(answer["error"]["message"].is_string());
    }
    let (status, answer) = server.ask("position", r#"{"game": "coins", "moves": ["left", "up"]}"#);
    assert_eq!((status, &answer["error"]["message"]), (422, &json!("move 2 is not legal: there is no move `up`")));
    still_there(&server, "broken bodies");
}

#[test]
fn bodies_that_are_too_large_or_too_slow_are_refused() {
    let server = Server::start("");
    let large = format!("{{\"rules\": \"{}\"}}", "x".repeat(10 << 20));
    let (port, length) = (server.port, large.len());
    let head = format!(
        "POST /api/v1/check HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    );
    let mut stream = server.connect();
    stream.write_all(head.as_bytes()).unwrap();
    let answer = read(stream);
    assert_eq!(answer.status, 413, "{}", answer.head);
    assert_eq!(
        (&answer.json()["error"]["allowed"], &answer.json()["error"]["unit"]),
        (&json!(1 << 20), &json!("bytes"))
    );
    // The same without a length that says so.
    let chunked = head.replace(&format!("Content-Length: {length}"), "Transfer-Encoding: chunked");
    let mut stream = server.connect();
    stream.write_all(chunked.as_bytes()).unwrap();
    for chunk in large.as_bytes().chunks(1 << 16) {
        let sent = stream.write_all(format!("{:x}\r\n", chunk.len()).as_bytes()).and_then(|()| stream.write_all(chunk));
        if sent.and_then(|()| stream.write_all(b"\r\n")).is_err() {
            break;
        }
    }
    drop(stream);
    // A body that never comes.
    let slow = head.replace(&format!("Content-Length: {length}"), "Content-Length: 100");
    let mut stream = server.connect();
    stream.write_all(slow.as_bytes()).unwrap();
    still_there(&server, "while a body is waited for");
    let begun = Instant::now();
    assert_eq!(read(stream).status, 408);
    assert!(begun.elapsed() < Duration::from_secs(15));
}

#[test]
fn too_much_work_gets_a_clear_answer() {
    let server = Server::start("--time 500ms");
    let begun = Instant::now();
    let many = json!({"game": "nim", "instance": {"piles": vec![1000; 20_000]}}).to_string();
    let nested = format!(
        "game g {{ state {{ a in 0..=1 = {}0{}; }} move go {{ a = 0; }} }}",
        "(".repeat(50_000),
        ")".repeat(50_000)
    );
    let bomb = "game g { let a = [i for i in 0..1000000 for j in 0..1000000]; state { a0 in 0..=1 = 0; } move go { a0 = 1; } }";
    let moves: String = (0..3000).map(|at| format!("move m{at} when x == {at} {{ x = x * 7 % 1000; }} ")).collect();
    let wide = format!("game g {{ state {{ x in 0..=1000 = 0; }} {moves} }}");
    let loops =
        "game g { state { x in 0..=1 = 0; } move go { var s = 0; for i in 0..1000000000 { s += i; } x = s % 2; } }";
    for (path, body) in [
        ("position", many),
        ("position", json!({"game": "connect_k", "instance": {"rows": 6, "columns": 7, "k": 4}}).to_string()),
        ("position", json!({"game": "hex", "instance": {"size": 300}}).to_string()),
        ("survey", json!({"game": "hex", "instance": {"size": 5}}).to_string()),
        ("solve", json!({"game": "othello"}).to_string()),
        ("check", json!({ "rules": nested }).to_string()),
        ("check", json!({ "rules": bomb }).to_string()),
        ("position", json!({ "rules": bomb }).to_string()),
        ("position", json!({ "rules": wide }).to_string()),
        ("position", json!({ "rules": loops }).to_string()),
        ("sequence", json!({"game": "kayles", "from": 0, "to": 10_000_000}).to_string()),
        ("sequence", json!({"game": "nim", "from": -5, "to": i64::MAX}).to_string()),
        ("graph", json!({"game": "hex", "most": 1_000_000}).to_string()),
        ("value", json!({"game": "domineering", "instance": {"rows": 8, "columns": 8}}).to_string()),
        ("opponent", json!({"game": "amazons", "level": "traps"}).to_string()),
    ] {
        let (status, answer) = server.ask(path, &body);
        assert!(matches!(status, 200 | 422), "{path}: {status} {answer}");
        if status == 422 {
            assert!(answer["error"]["message"].is_string(), "{path}: {answer}");
        }
        still_there(&server, path);
    }
    assert!(begun.elapsed() < Duration::from_secs(120), "{:?}", begun.elapsed());
}

#[test]
fn files_cannot_be_reached_by_rules_or_instances() {
    let server = Server::start("");
    for body in [
        json!({"game": "/etc/passwd"}),
        json!({"game": "../../etc/passwd"}),
        json!({"game": "coins", "instance": {"coins": "@/etc/passwd"}}),
        json!({"game": "coins", "position": "@/etc/passwd"}),
        json!({"rules": "@/etc/passwd"}),
    ] {
        let (status, answer) = server.ask("position", &body.to_string());
        assert_eq!(status, 422, "{body}");
        assert!(!answer.to_string().contains("root:"), "{answer}");
    }
    for path in ["/../Cargo.toml", "/..%2f..%2fetc/passwd", "/etc/passwd", "/OFFLINE.md", "/offline.html"] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
}

#[test]
fn bodies_that_are_broken_on_their_way_are_told_so() {
    let server = Server::start("");
    let head = |announced: &str| {
        let port = server.port;
        format!(
            "POST /api/v1/position HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n{announced}\r\nConnection: close\r\n\r\n"
        )
    };
    let chunked = "Transfer-Encoding: chunked";
    for (announced, body) in [
        (chunked, "zz\r\n{}\r\n0\r\n\r\n"),
        (chunked, "5\r\n{}\r\n0\r\n\r\n"),
        (chunked, "fffffffffffffffffffff\r\n{}"),
        (chunked, "2\r\n{}\r\n"),
        ("Content-Length: 100", "{}"),
    ] {
        let mut stream = server.connect();
        stream.write_all(format!("{}{body}", head(announced)).as_bytes()).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let answer = read(stream);
        assert_eq!(answer.status, 400, "{body:?}: {}", answer.body);
        server.hold("post", "/api/v1/position", &answer, body);
    }
    // Good chunks are good, and too many are too much.
    let good = r#"{"game": "nim"}"#;
    let chunks = format!("{}{:x}\r\n{good}\r\n0\r\nTrailer: x\r\n\r\n", head(chunked), good.len());
    assert_eq!(server.raw(chunks.as_bytes()).status, 200);
    let large = format!("{}{:x}\r\n{}\r\n0\r\n\r\n", head(chunked), (1 << 20) + 1, "x".repeat((1 << 20) + 1));
    assert_eq!(server.raw(large.as_bytes()).status, 413);
    still_there(&server, "broken chunks");
}

/// Rules that take longer to check than they may.
fn endless_check(number: u32) -> String {
    let rules = format!(
        "game g{number} {{ let a = [i * j % 7 for i in 0..1000000 for j in 0..1000000 where i + j < 0]; state {{ x in 0..=1 = 0; }} move go {{ x = a[0]; }} }}"
    );
    json!({ "rules": rules }).to_string()
}

#[test]
fn a_check_that_takes_too_long_keeps_no_other_waiting() {
    let server = Server::start("");
    std::thread::scope(|scope| {
        let long: Vec<_> = (0..3).map(|number| (number, &server)).collect();
        let long: Vec<_> = long
            .into_iter()
            .map(|(number, server)| scope.spawn(move || server.ask("check", &endless_check(number))))
            .collect();
        for number in 0..5 {
            let rules = format!("game g{number} {{ state {{ x in 0..=1 = 0; }} move go when x == 0 {{ x = 1; }} }}");
            assert_eq!(server.good("check", &json!({ "rules": rules }).to_string())["good"], true);
        }
        for check in long {
            let (status, answer) = check.join().unwrap();
            assert!(matches!(status, 200 | 422), "{answer}");
            if status == 422 {
                assert_eq!(answer["error"]["limit"], "time", "{answer}");
            }
        }
    });
}

/// Many questions that take long: those that are too many are told to come again, small ones do not notice.
#[test]
fn where_too_much_is_asked_the_small_is_answered() {
    let server = Server::start("--time 1s");
    let large =
        |number: u32| json!({"game": "connect_k", "instance": {"rows": 6, "columns": 7 + number, "k": 4}}).to_string();
    std::thread::scope(|scope| {
        let server = &server;
        let asking: Vec<_> =
            (0..50).map(|number| scope.spawn(move || server.post("/api/v1/survey", &large(number)))).collect();
        for number in 0..30 {
            let coins = json!({"game": "coins", "instance": {"coins": [1, 2, number]}}).to_string();
            assert_eq!(server.good("position", &coins)["solved"], true);
        }
        let answers: Vec<_> = asking.into_iter().map(|asking| asking.join().unwrap()).collect();
        for answer in &answers {
            server.hold("post", "/api/v1/survey", answer, "");
            assert!(matches!(answer.status, 422 | 503), "{}", answer.body);
        }
        let refused: Vec<_> = answers.iter().filter(|answer| answer.status == 503).collect();
        assert!(!refused.is_empty(), "they were not too many");
        for answer in refused {
            assert_eq!(answer.header("retry-after"), Some("2"));
        }
    });
    still_there(&server, "too many large questions");
}

/// A question that is too much for the small ones is remembered as such by its kind: others of that game are not.
#[test]
fn a_heavy_question_makes_no_other_kind_heavy() {
    let server = Server::start("--time 300ms");
    let game = r#"{"game": "connect_k", "instance": {"rows": 6, "columns": 7, "k": 4}}"#;
    for _ in 0..3 {
        let (status, answer) = server.ask("survey", game);
        assert_eq!((status, &answer["error"]["kind"]), (422, &json!("limit")), "{answer}");
        let (status, answer) = server.ask("value", game);
        assert_eq!(status, 422, "{answer}");
        assert_ne!(answer["error"]["kind"], "limit", "it is not of that kind, which is found at once: {answer}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn games_that_are_kept_take_no_more_memory_than_they_may() {
    let server = Server::start("");
    // Each of these holds some megabytes.
    for number in 0..60 {
        let body =
            json!({"game": "coins", "instance": {"coins": (0..700).map(|at| (at * number) % 97).collect::<Vec<_>>()}});
        assert_eq!(server.ask("position", &body.to_string()).0, 200);
    }
    for worker in server.workers() {
        let text = std::fs::read_to_string(format!("/proc/{worker}/statm")).unwrap();
        let pages: Vec<u64> = text.split_whitespace().map(|word| word.parse().unwrap()).collect();
        let megabytes = ((pages[1] - pages[2]) * 4096) >> 20;
        assert!(megabytes < 300, "{megabytes} MB");
    }
}
