//! Requests made at random from `openapi.json`: for every path and method good ones, nearly good ones, and broken ones. Never a
//! mistake of ours, always a status and an answer that are described, and the server goes on.
//!
//! Seeds are fixed. `EXPLORER_FUZZ=200000` sends so many requests instead of the usual few.

use std::io::Write as _;
use std::net::Shutdown;

use serde_json::{Map, Value, json};

use testkit::Random;

use super::client::{Answer, Server, read};

/// So many requests are sent by a test.
const USUAL: u64 = 1500;
/// So many send at a time.
const SENDERS: u64 = 4;

/// So many games at the beginning are small.
const SMALL: usize = 14;

/// Games with an instance, and the names of some of their moves.
const GAMES: [(&str, &str, &[&str]); 16] = [
    ("nim", r#"{"piles": [2, 3]}"#, &["take(1) in part 0", "take(2) in part 1"]),
    ("coins", r#"{"coins": [4, 3, 9]}"#, &["left", "right"]),
    ("kayles", r#"{"rows": [4, 2]}"#, &["knock(1, 0) in part 0", "knock(2, 1) in part 0"]),
    ("tic_tac_toe", "{}", &["place(4)", "place(0)", "place(8)"]),
    ("domineering", r#"{"rows": 2, "columns": 3}"#, &["upright(0,1)", "upright(0,0)"]),
    ("cat_and_mouse", "{}", &["run(3)"]),
    ("three_player_row", "{}", &["left", "right"]),
    ("stones", r#"{"n": 12}"#, &["take(1)", "take(3)"]),
    ("payoff_tree", "{}", &["go(1)"]),
    ("hex", r#"{"size": 3}"#, &["place(0)"]),
    ("hackenbush_graph", "{}", &["cut(0)"]),
    ("chomp", r#"{"rows": 2, "columns": 3}"#, &["bite(1,1)"]),
    ("token", "{}", &["right", "up"]),
    ("fibonacci_nim", "{}", &["take(1)"]),
    ("othello", "{}", &["place(b1)"]),
    ("connect_k", "{}", &["drop(3)"]),
];

const RULES: &str =
    "game g(n: int = 4) { state { left in 0..=n = n; } move take(k in 1..=2) when k <= left { left -= k; } }";

/// Texts that are seldom what was meant.
const TEXTS: [&str; 14] = [
    "",
    " ",
    "first",
    "take(1)",
    "…",
    "@/etc/passwd",
    "../../etc/passwd",
    "\u{0}",
    "a\nb",
    "\u{202e}x",
    "\\",
    "\"",
    "null",
    "9999999999999999999999",
];

/// Makes requests.
struct Maker<'s> {
    server: &'s Server,
    chance: Random,
}

/// A request.
#[derive(Clone, Debug)]
struct Sent {
    method: String,
    path: String,
    headers: String,
    body: Vec<u8>,
    chunked: bool,
    /// Whether the head announces more than comes.
    short: bool,
}

impl Maker<'_> {
    /// One of these.
    fn one_of<T: Clone>(&mut self, items: &[T]) -> T {
        self.chance.pick(items).clone()
    }

    /// Any value at all.
    fn anything(&mut self, depth: u32) -> Value {
        match self.chance.below(if depth > 3 { 7 } else { 10 }) {
            0 => json!(self.chance.below(6)),
            1 => json!(-(self.chance.below(4) as i64)),
            2 => json!(self.one_of(&[i64::MAX, i64::MIN, 1 << 40, 1000])),
            3 => json!(self.one_of(&TEXTS)),
            4 => json!(self.chance.one_in(2)),
            5 => json!(self.one_of(&[1.5e300, -0.0, 0.1])),
            6 => self.one_of(&[Value::Null, json!(u64::MAX), json!("x".repeat(3000))]),
            7 | 8 => (0..self.chance.below(5)).map(|_| self.anything(depth + 1)).collect(),
            _ => {
                let names = ["n", "piles", "coins", "rows", "columns", "left", "i", "board", "size", "", "\u{1F600}"];
                let count = self.chance.below(4);
                let fields = (0..count).map(|_| (self.one_of(&names).to_string(), self.anything(depth + 1)));
                Value::Object(fields.collect())
            }
        }
    }

    fn resolved(&self, schema: &Value) -> Value {
        match schema["$ref"].as_str().and_then(|name| name.rsplit('/').next()) {
            Some(name) => self.server.schema.definitions()[name].clone(),
            None => schema.clone(),
        }
    }

    /// A value of a schema; a question with a game that exists.
    fn good(&mut self, schema: &Value) -> Value {
        let schema = self.resolved(schema);
        if let Some(words) = schema["enum"].as_array() {
            return self.one_of(words);
        }
        let Some(properties) = schema["properties"].as_object() else {
            return match schema["type"].as_str() {
                Some("string") => json!(self.one_of(&TEXTS)),
                Some("integer") => json!(self.one_of(&[-1, 0, 1, 2, 7, 50])),
                Some("boolean") => json!(self.chance.one_in(2)),
                Some("array") => (0..self.chance.below(3)).map(|_| self.good(&schema["items"])).collect(),
                Some("object") => json!({}),
                _ => self.anything(1),
            };
        };
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let mut fields = Map::new();
        for (name, field) in properties {
            if required.contains(&name.as_str()) || self.chance.one_in(4) {
                let value = self.good(field);
                fields.insert(name.clone(), value);
            }
        }
        if properties.contains_key("game") {
            self.play(&mut fields, properties);
        }
        if properties.contains_key("with") {
            let question = json!({"$ref": "#/components/schemas/question"});
            fields.insert("with".to_string(), self.good(&question));
        }
        Value::Object(fields)
    }

    /// Makes a question one of a game, with moves that may be legal.
    fn play(&mut self, fields: &mut Map<String, Value>, properties: &Map<String, Value>) {
        // The largest games are asked for now and then: a limit ends that.
        let games = if self.chance.one_in(20) { &GAMES[..] } else { &GAMES[..SMALL] };
        let (game, instance, moves) = self.one_of(games);
        for name in ["game", "rules", "table", "instance", "moves", "position", "turn", "parameter"] {
            fields.remove(name);
        }
        match self.chance.below(6) {
            0 => drop(fields.insert("rules".to_string(), json!(RULES))),
            1 if properties.contains_key("table") => drop(fields.insert("table".to_string(), json!("row.table"))),
            _ => {
                fields.insert("game".to_string(), json!(game));
                fields.insert("instance".to_string(), serde_json::from_str(instance).unwrap());
            }
        }
        if properties.contains_key("moves") && self.chance.one_in(2) {
            let labels: Vec<&str> = (0..self.chance.below(3)).map(|_| self.one_of(moves)).collect();
            fields.insert("moves".to_string(), json!(labels));
        }
    }

    /// A value of a schema with one thing changed.
    fn nearly_good(&mut self, schema: &Value) -> Value {
        let mut value = self.good(schema);
        let properties = self.resolved(schema)["properties"].clone();
        let Some(fields) = value.as_object_mut() else { return self.anything(0) };
        let names: Vec<String> = properties.as_object().unwrap().keys().cloned().collect();
        let name = self.one_of(&names);
        match self.chance.below(6) {
            0 => drop(fields.remove(&name)),
            1 => drop(fields.insert(name + "x", json!(1))),
            2 => {
                let other = self.one_of(&names);
                let moved = fields.remove(&name).unwrap_or(json!(1));
                fields.insert(other, moved);
            }
            3 => {
                let (from, to) = (self.chance.below(RULES.len() as u64), self.chance.below(RULES.len() as u64));
                let cut = format!("{}{}", &RULES[..from as usize], &RULES[to as usize..]);
                fields.remove("game");
                fields.insert("rules".to_string(), json!(cut));
            }
            4 if fields.contains_key("instance") => drop(fields.insert("instance".to_string(), self.anything(0))),
            _ => drop(fields.insert(name, self.anything(0))),
        }
        value
    }

    /// Bytes that are no JSON, or JSON that is no question.
    fn broken(&mut self, schema: &Value) -> Vec<u8> {
        let good = self.good(schema).to_string().into_bytes();
        let at = self.chance.below(good.len() as u64) as usize;
        match self.chance.below(10) {
            0 => good[..at].to_vec(),
            1 => [&good[..at], &[0xff, 0xfe], &good[at..]].concat(),
            2 => [b"\xef\xbb\xbf".as_slice(), &good].concat(),
            3 => [good.as_slice(), b" {}"].concat(),
            4 => format!("{}{}", "[".repeat(5000), "]".repeat(self.chance.below(5001) as usize)).into_bytes(),
            5 => br#"{"game":"nim","game":"coins"}"#.to_vec(),
            6 => self.anything(0).to_string().into_bytes(),
            7 => format!("{{\"a\":{}1}}", "{\"a\":".repeat(300)).into_bytes(),
            8 => Vec::new(),
            _ => {
                let mut changed = good;
                changed[at] = self.chance.below(256) as u8;
                changed
            }
        }
    }

    /// A part of a path.
    fn part(&mut self) -> String {
        let parts =
            ["nim", "coins", "none", "%ff%fe", "%00", "%2e%2e", "%2fetc%2fpasswd", "%", "%zz", "*", "a%20b", "é"];
        match self.chance.below(14) {
            at @ 0..12 => parts[at as usize].to_string(),
            12 => "x".repeat(2000),
            _ => format!("{:032x}", self.chance.below(u64::MAX)),
        }
    }

    fn request(&mut self, path: &str, method: &str, operation: &Value) -> Sent {
        let mut sent = Sent {
            method: method.to_uppercase(),
            path: path.replace("{name}", &self.part()).replace("{job}", &self.part()),
            headers: "Content-Type: application/json\r\n".to_string(),
            body: Vec::new(),
            chunked: self.chance.one_in(6),
            short: false,
        };
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        if schema.is_object() {
            sent.body = match self.chance.below(10) {
                0..5 => self.good(schema).to_string().into_bytes(),
                5..8 => self.nearly_good(schema).to_string().into_bytes(),
                _ => self.broken(schema),
            };
        }
        match self.chance.below(40) {
            0 => sent.headers = self.one_of(&["", "Content-Type: text/plain\r\n", "Content-Type: \r\n"]).to_string(),
            1 => sent.headers += self.one_of(&["Origin: null\r\n", "Sec-Fetch-Site: cross-site\r\n"]),
            2 => {
                sent.method =
                    self.one_of(&["PUT", "PATCH", "OPTIONS", "HEAD", "GET", "POST", "DELETE", "BREW"]).to_string()
            }
            3 => sent.short = true,
            4 => sent.path += self.one_of(&["?x=1", "/", "/more", "%ff", "?%ff", "//"]),
            5 => sent.headers += "X-Padding: \u{ff}\u{1}y\r\n",
            _ => {}
        }
        sent
    }
}

/// Sends a request and gives the answer; none where the server may close without one.
fn send(server: &Server, sent: &Sent) -> Answer {
    let Sent { method, path, headers, body, chunked, short } = sent;
    let length = body.len() + if *short { 10 } else { 0 };
    let announced = match chunked {
        true => "Transfer-Encoding: chunked".to_string(),
        false => format!("Content-Length: {length}"),
    };
    let port = server.port;
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n{announced}\r\n{headers}\r\n"
    );
    let mut bytes = head.into_bytes();
    match chunked {
        true => {
            for chunk in body.chunks(100) {
                bytes.extend(format!("{:x}\r\n", chunk.len()).bytes().chain(chunk.iter().copied()).chain(*b"\r\n"));
            }
            bytes.extend(if *short { b"zz\r\n\r\n".as_slice() } else { b"0\r\n\r\n" });
        }
        false => bytes.extend(body),
    }
    let mut stream = server.connect();
    let _ = stream.write_all(&bytes);
    if *short {
        let _ = stream.shutdown(Shutdown::Write);
    }
    read(stream)
}

/// Holds an answer against what is described.
fn hold(server: &Server, sent: &Sent, template: &str, answer: &Answer) {
    let paths = server.schema.all["paths"].as_object().unwrap();
    let shown = || {
        let body: String = String::from_utf8_lossy(&sent.body).chars().take(1500).collect();
        let got: String = answer.body.chars().take(500).collect();
        format!("{sent:?}\n{body}\n{}\n{got}", answer.head)
    };
    let is_failure = |answer: &Answer| {
        let value = serde_json::from_str(&answer.body).unwrap_or(Value::Null);
        if let Err(wrong) = server.schema.check("api_failed", &value) {
            panic!("{wrong}\n{}", shown());
        }
    };
    assert!(answer.status != 500 && (answer.status < 500 || answer.status == 503), "{}", shown());
    if sent.path.contains('é') || sent.headers.contains('\u{1}') || (answer.status == 400 && answer.body.is_empty()) {
        // What is no HTTP gets no more than that.
        assert!((400..500).contains(&answer.status), "{}", shown());
        return;
    }
    if sent.method == "HEAD" {
        assert!(answer.body.is_empty() && answer.status > 0, "{}", shown());
        return;
    }
    let fits = sent.path.split('?').next().unwrap().split('/').count() == template.split('/').count();
    let operation = paths[template].get(sent.method.to_lowercase());
    match operation {
        Some(_) if fits && !sent.path.ends_with('/') => {
            let described = &paths[template][sent.method.to_lowercase()]["responses"][answer.status.to_string()];
            // What is put behind a path may make it another one.
            if !described.is_object() && answer.status == 404 {
                return is_failure(answer);
            }
            server.hold(&sent.method.to_lowercase(), template, answer, &shown());
        }
        _ => {
            assert!(matches!(answer.status, 400 | 403 | 404 | 405), "{}", shown());
            is_failure(answer);
        }
    }
}

#[test]
fn random_requests_are_answered_as_described() {
    let folder = crate::support::Folder::new();
    let table = folder.0.join("row.table");
    assert_eq!(crate::support::run(&format!("build coins [5,3,7] -o {}", table.display())).code, 0);
    let server = Server::start(&format!("--time 100ms --job-time 300ms --table {}", table.display()));
    let count: u64 = std::env::var("EXPLORER_FUZZ").ok().and_then(|count| count.parse().ok()).unwrap_or(USUAL);
    let seed: u64 = std::env::var("EXPLORER_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(20_261_118);
    let operations: Vec<(String, String, Value)> = server.schema.all["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, all)| {
            all.as_object().unwrap().iter().map(move |(method, one)| (path.clone(), method.clone(), one.clone()))
        })
        .collect();
    std::thread::scope(|scope| {
        let (server, operations) = (&server, &operations);
        for sender in 0..SENDERS {
            scope.spawn(move || {
                let mut maker = Maker { server, chance: Random::new(seed + sender) };
                for at in 0..count / SENDERS {
                    let (path, method, operation) = &operations[at as usize % operations.len()];
                    let sent = maker.request(path, method, operation);
                    hold(server, &sent, path, &send(server, &sent));
                }
            });
        }
    });
    assert_eq!(server.good("position", r#"{"game": "coins", "instance": {"coins": [1, 2, 3]}}"#)["solved"], true);
    assert_eq!(server.good("check", &json!({ "rules": RULES }).to_string())["good"], true);
}
