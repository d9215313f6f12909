//! Jobs: progress, cancel, answers; and that nobody waits for them.

use std::io::Write as _;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::Server;

fn job(server: &Server, name: &str) -> Value {
    let answer = server.get(&format!("/api/v1/jobs/{name}"));
    server.hold("get", "/api/v1/jobs/{job}", &answer, name);
    answer.json()
}

fn start(server: &Server, what: &str, with: Value) -> String {
    let (status, answer) = server.ask("jobs", &json!({ "do": what, "with": with }).to_string());
    assert_eq!(status, 202, "{answer}");
    answer["job"].as_str().unwrap().to_string()
}

fn until(server: &Server, name: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    let begun = Instant::now();
    loop {
        let now = job(server, name);
        if wanted(&now) {
            return now;
        }
        assert!(begun.elapsed() < Duration::from_secs(90), "{now}");
        std::thread::sleep(Duration::from_millis(40));
    }
}

fn large() -> Value {
    json!({"game": "connect_k", "instance": {"rows": 6, "columns": 7, "k": 4}})
}

#[test]
fn a_long_solve_shows_its_progress_and_is_cancelled() {
    let server = Server::start("");
    let name = start(&server, "solve", large());
    let running = until(&server, &name, |job| job.get("progress").is_some());
    assert_eq!(running["state"], "running");
    // Others do not wait: neither a look at a small game, nor a second job.
    let begun = Instant::now();
    assert_eq!(server.good("position", r#"{"game": "nim"}"#)["solved"], true);
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    let other = start(&server, "survey", json!({"game": "tic_tac_toe"}));
    assert_eq!(until(&server, &other, |job| job["state"] == "done")["answer"]["positions"], 5478);
    let answer = server.request("DELETE", &format!("/api/v1/jobs/{name}"), "", "");
    server.hold("delete", "/api/v1/jobs/{job}", &answer, &name);
    assert_eq!(answer.json()["state"], "cancelled");
    assert_eq!(job(&server, &name)["state"], "cancelled");
    // The worker is there again.
    let next = start(&server, "solve", json!({"game": "nim"}));
    assert_eq!(until(&server, &next, |job| job["state"] == "done")["answer"]["winner"], "first");
    assert_eq!(server.get("/api/v1/jobs/none").status, 404);
}

#[test]
fn what_a_job_has_solved_is_there_for_positions() {
    let server = Server::start("--time 100ms");
    let with = json!({"game": "l_game"});
    let before = server.good("position", &with.to_string());
    assert_eq!((&before["solved"], before["unsolved"]["kind"].as_str()), (&json!(false), Some("limit")), "{before}");
    assert!(!before["moves"].as_array().unwrap().is_empty());
    let name = start(&server, "position", with.clone());
    let done = until(&server, &name, |job| job["state"] == "done");
    assert_eq!(done["answer"]["solved"], true);
    server.schema.check("api_position", &done["answer"]).unwrap();
    let label = done["answer"]["moves"][0]["move"].clone();
    let mut next = with;
    next["moves"] = json!([label]);
    let after = server.good("position", &next.to_string());
    assert_eq!(after["solved"], true, "{}", after["unsolved"]);
    // Somebody asks and leaves at once; other games are asked for: the solved game stays.
    let body = json!({"game": "l_game", "moves": [done["answer"]["moves"][1]["move"]]}).to_string();
    for _ in 0..5 {
        let head = format!(
            "POST /api/v1/position HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nContent-Length: {}",
            server.port,
            body.len()
        );
        let mut leaving = server.connect();
        leaving.write_all(format!("{head}\r\n\r\n{body}").as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(5));
    }
    for n in 5..9 {
        let other = start(&server, "solve", json!({"game": "stones", "instance": {"n": n}}));
        until(&server, &other, |job| job["state"] == "done");
    }
    next["moves"] = json!([done["answer"]["moves"][2]["move"]]);
    let after = server.good("position", &next.to_string());
    assert_eq!(after["solved"], true, "{}", after["unsolved"]);
}

#[test]
fn jobs_that_are_wrong_or_too_many_are_told_so() {
    let server = Server::start("--job-time 20s");
    for body in [r#"{"do": "fly", "with": {}}"#, r#"{"do": "solve"}"#, r#"{"do": "solve", "with": 3}"#] {
        assert_eq!(server.ask("jobs", body).0, 400, "{body}");
    }
    let name = start(&server, "solve", json!({"game": "conis"}));
    let failed = until(&server, &name, |job| job["state"] == "failed");
    assert_eq!(failed["error"]["message"], "there is no game `conis`");
    let mut last = 0;
    for _ in 0..40 {
        last = server.ask("jobs", &json!({ "do": "solve", "with": large() }).to_string()).0;
        if last != 202 {
            break;
        }
    }
    assert_eq!(last, 429);
    assert_eq!(server.good("position", r#"{"game": "nim"}"#)["solved"], true);
}
