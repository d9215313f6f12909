//! A server under test and a tiny client.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::schema::{Schema, has_null};
use crate::support::command;

/// A server, ended with this value.
pub struct Server {
    pub child: Child,
    pub port: u16,
    pub schema: Schema,
}

/// An answer.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(':'));
        lines.filter(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim()).next()
    }
}

impl Server {
    pub fn start(words: &str) -> Server {
        let mut child = command(&format!("serve --port 0 {words}"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.split("http://127.0.0.1:").nth(1).and_then(|rest| rest.split('/').next());
        let port = port.and_then(|port| port.parse().ok()).unwrap_or_else(|| panic!("no address in {line:?}"));
        let schema = Schema::of_api();
        Server { child, port, schema }
    }

    /// The worker processes of the server.
    #[cfg(target_os = "linux")]
    pub fn workers(&self) -> Vec<u32> {
        let parent = self.child.id().to_string();
        let processes =
            std::fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        let is_ours = |process: &u32| {
            let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
            stat.rsplit_once(')').is_some_and(|(_, rest)| rest.split_whitespace().nth(1) == Some(&parent))
        };
        processes.filter(is_ours).collect()
    }

    /// Sends a signal to the server.
    #[cfg(unix)]
    pub fn signal(&self, name: &str) {
        signal(self.child.id(), name);
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends bytes as they are and reads what comes back.
    pub fn raw(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.connect();
        // A server that has seen enough may close.
        let _ = stream.write_all(bytes);
        read(stream)
    }

    /// A request with further header lines.
    pub fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let port = self.port;
        let host = if headers.to_lowercase().contains("host:") {
            String::new()
        } else {
            format!("Host: 127.0.0.1:{port}\r\n")
        };
        let length = body.len();
        let head =
            format!("{method} {path} HTTP/1.1\r\n{host}Connection: close\r\nContent-Length: {length}\r\n{headers}\r\n");
        self.raw(&[head.as_bytes(), body.as_bytes()].concat())
    }

    pub fn get(&self, path: &str) -> Answer {
        self.request("GET", path, "", "")
    }

    pub fn post(&self, path: &str, body: &str) -> Answer {
        self.request("POST", path, "Content-Type: application/json\r\n", body)
    }

    /// Asks a question, and holds the answer against the description of its path and status.
    pub fn ask(&self, path: &str, body: &str) -> (u16, Value) {
        let answer = self.post(&format!("/api/v1/{path}"), body);
        self.hold("post", &format!("/api/v1/{path}"), &answer, body);
        (answer.status, answer.json())
    }

    /// Asks a question that has an answer.
    pub fn good(&self, path: &str, body: &str) -> Value {
        let (status, value) = self.ask(path, body);
        assert_eq!(status, 200, "{path} {body}: {value}");
        value
    }

    /// Holds an answer against the description of its path, as openapi.json writes it.
    pub fn hold(&self, method: &str, path: &str, answer: &Answer, asked: &str) {
        let operation = &self.schema.all["paths"][path][method];
        let response = &operation["responses"][answer.status.to_string()];
        let shown = || {
            format!("{method} {path} {asked}: {} {}", answer.status, answer.body.chars().take(3000).collect::<String>())
        };
        assert!(response.is_object(), "this status is not described: {}", shown());
        let name = response["content"]["application/json"]["schema"]["$ref"].as_str().unwrap();
        let name = name.rsplit('/').next().unwrap();
        let value = answer.json();
        if let Err(wrong) = self.schema.check(name, &value) {
            panic!("{wrong}\n{}", shown());
        }
        assert!(!has_null(&value), "what does not apply is absent: {}", shown());
    }
}

/// Sends a signal to a process.
#[cfg(unix)]
pub fn signal(process: u32, name: &str) {
    let sent = std::process::Command::new("kill").args([&format!("-{name}"), &process.to_string()]).status().unwrap();
    assert!(sent.success(), "{name} {process}");
}

pub fn read(mut stream: TcpStream) -> Answer {
    let mut bytes = Vec::new();
    // A connection that is cut tells what it has told so far.
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    Answer { status, head: head.to_string(), body: body.to_string() }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
