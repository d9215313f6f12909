//! The explorer under load: visitors who play small games, and hostile requests in between.
//!
//! ```text
//! cargo run --release -p perfectplay-benches --bin explorer -- target/release/perfectplay [seconds] [visitors] [pause in ms]
//! ```
//!
//! Every visitor has a connection of its own and plays random games: it asks for a position, thinks for a moment, plays one of the
//! moves, and asks now and then for the computer's move, a plan or a check of rules. Meanwhile a hundred requests that mean no good
//! are sent, evenly over the time, each by a thread of its own: none waits for another. Told are the times of the visitors'
//! answers, and how many were no answer.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use perfectplay::numbers::Random;

/// Small games with instances.
const GAMES: [(&str, &str); 12] = [
    ("nim", r#"{"piles": [P, Q, 5]}"#),
    ("coins", r#"{"coins": [P, Q, 7, 10, 2]}"#),
    ("kayles", r#"{"rows": [P, Q]}"#),
    ("tic_tac_toe", "{}"),
    ("domineering", r#"{"rows": 3, "columns": 3}"#),
    ("chomp", r#"{"rows": 3, "columns": 4}"#),
    ("wythoff", r#"{"a": P, "b": Q}"#),
    ("stones", r#"{"n": P}"#),
    ("cat_and_mouse", "{}"),
    ("hackenbush_graph", "{}"),
    ("euclid", r#"{"a": P, "b": Q}"#),
    ("three_player_row", "{}"),
];

/// Rules that somebody writes: `N` makes them new.
const RULES: &str =
    "game g(n: int = N) { state { left in 0..=n = n; } move take(k in 1..=2) when k <= left { left -= k; } }";
/// So many requests mean no good.
const HOSTILE: u64 = 100;

/// A server that ends with this value.
struct Server {
    child: Child,
    port: u16,
}

impl Server {
    fn start(program: &str) -> std::io::Result<Server> {
        let mut child = Command::new(program).args(["serve", "--port", "0"]).stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        if let Some(out) = child.stdout.take() {
            BufReader::new(out).read_line(&mut line)?;
        }
        let port = line.split("127.0.0.1:").nth(1).and_then(|rest| rest.split('/').next()?.parse().ok());
        match port {
            Some(port) => Ok(Server { child, port }),
            None => Err(std::io::Error::other(format!("no address in {line:?}"))),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It is ours.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A connection that is kept.
struct Client {
    port: u16,
    stream: BufReader<TcpStream>,
}

impl Client {
    fn new(port: u16) -> std::io::Result<Client> {
        let stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        stream.set_nodelay(true)?;
        Ok(Client { port, stream: BufReader::new(stream) })
    }

    fn post(&mut self, path: &str, body: &str) -> std::io::Result<(u16, String)> {
        let (port, length) = (self.port, body.len());
        let head = format!(
            "POST /api/v1/{path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        );
        self.stream.get_mut().write_all(&[head.as_bytes(), body.as_bytes()].concat())?;
        let (mut status, mut size) = (0, 0);
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line)? == 0 {
                return Err(std::io::Error::other("the connection was closed"));
            }
            let line = line.trim_end().to_ascii_lowercase();
            if let Some(rest) = line.strip_prefix("http/1.1 ") {
                status = rest.split(' ').next().and_then(|status| status.parse().ok()).unwrap_or(0);
            }
            if let Some(rest) = line.strip_prefix("content-length:") {
                size = rest.trim().parse().unwrap_or(0);
            }
            if line.is_empty() {
                break;
            }
        }
        let mut body = vec![0; size];
        self.stream.read_exact(&mut body)?;
        Ok((status, String::from_utf8_lossy(&body).into_owned()))
    }
}

/// What the visitors saw.
#[derive(Default)]
struct Visits {
    times: Vec<(Duration, String)>,
    wrong: Vec<String>,
}

fn visit(port: u16, number: u64, pause: u64, over: &AtomicBool, visits: &Mutex<Visits>) {
    let mut chance = Random::new(number + 1);
    let (mut times, mut wrong) = (Vec::new(), Vec::new());
    let mut client = Client::new(port);
    while !over.load(Ordering::Relaxed) {
        let (game, instance) = GAMES[chance.below(GAMES.len() as u64) as usize];
        let (one, other) = (3 + chance.below(12), 2 + chance.below(14));
        let instance = instance.replace('P', &one.to_string()).replace('Q', &other.to_string());
        let mut moves: Vec<String> = Vec::new();
        for _ in 0..6 {
            if over.load(Ordering::Relaxed) {
                break;
            }
            let path = match chance.below(20) {
                0 | 1 => "opponent",
                2 | 3 => "explain",
                4 | 5 => "solve",
                6 => "check",
                _ => "position",
            };
            let game_body = format!(r#"{{"game": "{game}", "instance": {instance}, "moves": [{}]}}"#, moves.join(", "));
            let body = match path {
                "check" => format!(r#"{{"rules": "{}"}}"#, RULES.replace('N', &chance.below(1000).to_string())),
                _ => game_body,
            };
            let begun = Instant::now();
            let answer = match &mut client {
                Ok(client) => client.post(path, &body),
                Err(error) => Err(std::io::Error::other(error.to_string())),
            };
            times.push((begun.elapsed(), format!("{path} {}", body.chars().take(70).collect::<String>())));
            match answer {
                Ok((200, text)) if path == "position" => {
                    let labels: Vec<&str> = text
                        .split(r#""moves":["#)
                        .nth(1)
                        .unwrap_or("")
                        .split(r#""history":"#)
                        .next()
                        .unwrap_or("")
                        .split(r#"{"move":""#)
                        .skip(1)
                        .filter_map(|rest| rest.split('"').next())
                        .collect();
                    if labels.is_empty() {
                        break;
                    }
                    moves.push(format!("\"{}\"", labels[chance.below(labels.len() as u64) as usize]));
                }
                Ok((200, _)) => {}
                Ok((status, text)) => {
                    wrong.push(format!("{path} {body}: {status} {}", text.chars().take(200).collect::<String>()))
                }
                Err(error) => {
                    wrong.push(format!("{path} {body}: {error}"));
                    client = Client::new(port);
                }
            }
            thread::sleep(Duration::from_millis(pause / 2 + chance.below(pause.max(1))));
        }
    }
    let mut visits = visits.lock().unwrap_or_else(PoisonError::into_inner);
    visits.times.append(&mut times);
    visits.wrong.append(&mut wrong);
}

/// One request that means no good; the status of its answer.
fn attack(port: u16, number: usize) -> String {
    let fresh = number * 1000;
    let post = |path: &str, body: String| match Client::new(port).and_then(|mut client| client.post(path, &body)) {
        Ok((status, _)) => format!("{path} {status}"),
        Err(error) => format!("{path} {error}"),
    };
    match number % 10 {
        0 => post("position", format!(r#"{{"game": "hex", "instance": {{"size": {}}}}}"#, 100 + number)),
        1 => post(
            "position",
            format!(r#"{{"game": "nim", "instance": {{"piles": [{}{fresh}]}}}}"#, "1000,".repeat(20_000)),
        ),
        2 => post(
            "check",
            format!(r#"{{"rules": "game g {{ let a{fresh} = {}0{}; }}"}}"#, "(".repeat(60_000), ")".repeat(60_000)),
        ),
        3 => {
            let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) else { return "slow: none".to_string() };
            let head = format!(
                "POST /api/v1/check HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
            );
            let _ = stream.write_all(head.as_bytes());
            let mut answer = String::new();
            let _ = stream.read_to_string(&mut answer);
            format!("slow {}", answer.split(' ').nth(1).unwrap_or(""))
        }
        4 => post("position", "{\"game\": \"nim\", ".to_string()),
        5 => post("check", format!(r#"{{"rules": "{}"}}"#, "x".repeat(10 << 20))),
        6 => {
            let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) else { return "foreign: none".to_string() };
            let head = format!(
                "GET /api/v1/games HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://evil.example\r\nConnection: close\r\n\r\n"
            );
            let _ = stream.write_all(head.as_bytes());
            let mut answer = String::new();
            let _ = stream.read_to_string(&mut answer);
            format!("foreign {}", answer.split(' ').nth(1).unwrap_or(""))
        }
        7 => {
            let rules = format!(
                "game g{fresh} {{ let a = [i for i in 0..1000000 for j in 0..1000000]; state {{ x in 0..=1 = 0; }} move go {{ x = 1; }} }}"
            );
            post("position", format!(r#"{{"rules": "{rules}"}}"#))
        }
        8 => post(
            "survey",
            format!(r#"{{"game": "connect_k", "instance": {{"rows": 6, "columns": {}, "k": 4}}}}"#, 7 + number % 50),
        ),
        _ => post(
            "jobs",
            r#"{"do": "solve", "with": {"game": "connect_k", "instance": {"rows": 6, "columns": 7, "k": 4}}}"#
                .to_string(),
        ),
    }
}

fn main() -> std::io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let program = words.first().map_or("target/release/perfectplay", String::as_str);
    let number = |at: usize, usual: u64| words.get(at).and_then(|word| word.parse().ok()).unwrap_or(usual);
    let (seconds, visitors, pause) = (number(1, 60), number(2, 200), number(3, 200));
    let server = Server::start(program)?;
    let port = server.port;
    let (over, visits) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(Visits::default())));
    let begun = Instant::now();
    let small = |work: Box<dyn FnOnce() + Send>| thread::Builder::new().stack_size(1 << 18).spawn(work);
    let mut threads = Vec::new();
    for visitor in 0..visitors {
        let (over, visits) = (Arc::clone(&over), Arc::clone(&visits));
        threads.push(small(Box::new(move || visit(port, visitor, pause, &over, &visits)))?);
    }
    let attacks: Arc<Mutex<Vec<String>>> = Arc::default();
    for attacker in 0..HOSTILE {
        let attacks = Arc::clone(&attacks);
        threads.push(small(Box::new(move || {
            thread::sleep(Duration::from_millis(attacker * seconds * 950 / HOSTILE));
            let told = attack(port, attacker as usize);
            attacks.lock().unwrap_or_else(PoisonError::into_inner).push(told);
        }))?);
    }
    thread::sleep(Duration::from_secs(seconds));
    over.store(true, Ordering::Relaxed);
    let took = begun.elapsed();
    for thread in threads {
        let _ = thread.join();
    }
    let mut visits = visits.lock().unwrap_or_else(PoisonError::into_inner);
    visits.times.sort();
    let at = |share: f64| {
        visits.times.get(((visits.times.len() as f64 * share) as usize).min(visits.times.len().saturating_sub(1)))
    };
    println!("{visitors} visitors for {seconds} s, {} answers, {} wrong", visits.times.len(), visits.wrong.len());
    println!("{:.0} answers a second", visits.times.len() as f64 / took.as_secs_f64());
    for share in [0.5, 0.9, 0.99, 0.999, 1.0] {
        if let Some((time, question)) = at(share) {
            println!("{:5.1} %  {:8.1} ms  ({question})", share * 100.0, time.as_secs_f64() * 1000.0);
        }
    }
    visits.wrong.iter().take(5).for_each(|wrong| println!("wrong: {wrong}"));
    let mut attacks = attacks.lock().unwrap_or_else(PoisonError::into_inner).clone();
    println!("{} hostile requests:", attacks.len());
    attacks.sort();
    let mut told: Vec<(String, usize)> = Vec::new();
    for attack in attacks {
        match told.last_mut() {
            Some((last, count)) if *last == attack => *count += 1,
            _ => told.push((attack, 1)),
        }
    }
    told.iter().for_each(|(attack, count)| println!("  {count:3} × {attack}"));
    Ok(())
}
