//! An editor that opens files, types, and asks.

use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use lsp_server::{Connection, Message, Notification, Request, Response};
use perfectplay::gallery::GALLERY;
use perfectplay_lsp::server::{Error, run};
use serde_json::{Value, json};
use testkit::random::Random;

/// An editor, connected to a server.
struct Editor {
    connection: Connection,
    server: JoinHandle<Result<(), Error>>,
    next: i32,
    /// The diagnostics that were published last.
    mistakes: Vec<Value>,
}

const URI: &str = "file:///some.game";

impl Editor {
    fn new() -> Editor {
        let (own, other) = Connection::memory();
        let server = std::thread::spawn(move || run(&other));
        let mut editor = Editor { connection: own, server, next: 0, mistakes: Vec::new() };
        let answer = editor.ask("initialize", json!({"capabilities": {}}));
        assert_eq!(answer["capabilities"]["hoverProvider"], true);
        editor.tell("initialized", json!({}));
        editor
    }

    fn tell(&self, method: &str, params: Value) {
        self.connection.sender.send(Notification::new(method.to_string(), params).into()).unwrap();
    }

    /// Asks, and waits for the answer; an error is an object with `error`.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        self.connection.sender.send(Request::new(self.next.into(), method.to_string(), params).into()).unwrap();
        loop {
            match self.connection.receiver.recv_timeout(Duration::from_secs(60)).unwrap() {
                Message::Response(Response { id, result, error }) => {
                    assert_eq!(id, self.next.into());
                    return match error {
                        Some(error) => json!({"error": error.message}),
                        None => result.unwrap_or(Value::Null),
                    };
                }
                Message::Notification(note) => self.notice(note),
                Message::Request(_) => {}
            }
        }
    }

    fn notice(&mut self, note: Notification) {
        assert_eq!(note.method, "textDocument/publishDiagnostics");
        self.mistakes = note.params["diagnostics"].as_array().unwrap().clone();
    }

    fn open(&mut self, text: &str) {
        self.tell(
            "textDocument/didOpen",
            json!({"textDocument": {"uri": URI, "languageId": "game", "version": 1, "text": text}}),
        );
    }

    fn change(&mut self, changes: Value) {
        self.tell(
            "textDocument/didChange",
            json!({"textDocument": {"uri": URI, "version": 2}, "contentChanges": changes}),
        );
    }

    fn at(line: usize, character: usize) -> Value {
        json!({"textDocument": {"uri": URI}, "position": {"line": line, "character": character}})
    }

    fn close(mut self) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        self.server.join().unwrap().unwrap();
    }
}

const TEXT: &str =
    "game g(n: int) {\n    state { left in 0..=n = n; }\n    move take(k in 1..=3) when k <= left { left -= k; }\n}\n";

#[test]
fn an_editor_is_served() {
    let mut editor = Editor::new();
    editor.open(TEXT);
    let hover = editor.ask("textDocument/hover", Editor::at(2, 44));
    assert!(hover["contents"]["value"].as_str().unwrap().contains("left in 0..=n = n"), "{hover}");
    assert!(editor.mistakes.is_empty());
    let found = editor.ask("textDocument/definition", Editor::at(2, 44));
    assert_eq!(found["range"]["start"], json!({"line": 1, "character": 12}));
    let uses = editor.ask("textDocument/references", json!({"textDocument": {"uri": URI}, "position": {"line": 1, "character": 13}, "context": {"includeDeclaration": true}}));
    assert_eq!(uses.as_array().unwrap().len(), 3);
    let words = editor.ask("textDocument/completion", Editor::at(2, 44));
    assert!(words.as_array().unwrap().iter().any(|word| word["label"] == "left"));
    let mut rename = Editor::at(1, 13);
    rename["newName"] = json!("stones");
    let edits = editor.ask("textDocument/rename", rename.clone());
    assert_eq!(edits["changes"][URI].as_array().unwrap().len(), 3, "{edits}");
    rename["newName"] = json!("n");
    assert!(editor.ask("textDocument/rename", rename)["error"].as_str().unwrap().contains("already"));
    assert!(editor.ask("textDocument/prepareRename", Editor::at(0, 1)).is_null());
    editor.change(
        json!([{"range": {"start": {"line": 2, "character": 43}, "end": {"line": 2, "character": 47}}, "text": "lft"}]),
    );
    editor.ask("textDocument/hover", Editor::at(0, 0));
    assert_eq!(editor.mistakes.len(), 1, "{:?}", editor.mistakes);
    assert!(editor.mistakes[0]["message"].as_str().unwrap().contains("did you mean `left`"), "{:?}", editor.mistakes);
    editor.change(json!([{"text": "game  g(n:int){state{left in 0..=n=n;}move take when left>0{left-=1;}}"}]));
    let format = json!({"textDocument": {"uri": URI}, "options": {"tabSize": 4, "insertSpaces": true}});
    let edits = editor.ask("textDocument/formatting", format);
    let neat = "game g(n: int) { state { left in 0..=n = n; } move take when left > 0 { left -= 1; } }\n";
    assert_eq!(edits[0]["newText"], neat);
    assert!(editor.ask("textDocument/nonsense", json!({}))["error"].as_str().unwrap().contains("not known"));
    assert!(editor.ask("textDocument/hover", json!({"x": 1}))["error"].is_string());
    let nowhere = json!({"textDocument": {"uri": "file:///other"}, "position": {"line": 0, "character": 0}});
    assert!(editor.ask("textDocument/hover", nowhere)["error"].as_str().unwrap().contains("not open"));
    editor.tell("textDocument/didClose", json!({"textDocument": {"uri": URI}}));
    editor.close();
}

/// What an editor types by chance.
const TYPED: &[&str] = &[
    "",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    "\"",
    "'",
    "//",
    "move ",
    "state {",
    "n",
    " in ",
    "0..=",
    "é😀",
    "\u{fe0f}",
    "\r\n",
    "\n",
    "\t",
    "if ",
    "for x in ",
    ", ",
    "= ",
    "-",
    "99999999999999999999",
    "\\",
    "𝒳 = 1;",
];

/// A place of a text in lines and UTF-16 units, as the protocol counts them.
fn place(text: &str, units: usize) -> Value {
    let before: Vec<u16> = text.encode_utf16().take(units).collect();
    let line = before.iter().filter(|unit| **unit == u16::from(b'\n')).count();
    let character = before.iter().rev().take_while(|unit| **unit != u16::from(b'\n')).count();
    json!({"line": line, "character": character})
}

/// Edits anywhere in every file. After each of them the server has the text that the editor has: it finds the same mistakes in it as
/// a server that was just given it.
#[test]
fn fuzzed_edits_are_survived() {
    let mut random = Random::new(7);
    for (name, source) in GALLERY {
        let mut editor = Editor::new();
        editor.open(source);
        let mut text: Vec<u16> = source.encode_utf16().collect();
        for step in 0..8 {
            let whole = String::from_utf16(&text).unwrap();
            // Between two halves of a character is no place.
            let is_place = |at: usize| String::from_utf16(&text[..at]).is_ok();
            let start = (0..=random.below(text.len() + 1)).rev().find(|at| is_place(*at)).unwrap();
            let most = if step % 3 == 0 { 200 } else { 4 };
            let end = (start + random.below(most as usize)).min(text.len());
            let end = (start..=end).rev().find(|at| is_place(*at)).unwrap();
            let typed = TYPED[random.below(TYPED.len())];
            let range = json!({"start": place(&whole, start), "end": place(&whole, end)});
            let at = json!({"textDocument": {"uri": URI}, "position": range["start"]});
            editor.change(json!([{"range": range, "text": typed}]));
            text.splice(start..end, typed.encode_utf16());
            editor.ask("textDocument/hover", at.clone());
            editor.ask("textDocument/completion", at.clone());
            editor.ask("textDocument/definition", at.clone());
            let mut rename = at;
            rename["newName"] = json!("other");
            editor.ask("textDocument/rename", rename);
            let format = json!({"textDocument": {"uri": URI}, "options": {"tabSize": 4, "insertSpaces": true}});
            let formatted = editor.ask("textDocument/formatting", format);
            assert!(formatted.get("error").is_none(), "{name}, step {step}");
        }
        let edited = editor.mistakes.clone();
        editor.change(json!([{"text": String::from_utf16(&text).unwrap()}]));
        editor.ask("textDocument/hover", Editor::at(0, 0));
        assert_eq!(editor.mistakes, edited, "{name}");
        editor.close();
    }
}

/// Places that no text has.
#[test]
fn places_outside_of_the_text_are_survived() {
    let mut editor = Editor::new();
    editor.open("game 😀");
    for (from, to) in
        [((0, 6), (0, 6)), ((9, 9), (9, 9)), ((0, 7), (0, 2)), ((1, 0), (0, 0)), ((0, u32::MAX), (u32::MAX, 0))]
    {
        let at = |(line, character): (u32, u32)| json!({"line": line, "character": character});
        editor.change(json!([{"range": {"start": at(from), "end": at(to)}, "text": "é"}]));
        let hover = json!({"textDocument": {"uri": URI}, "position": at(to)});
        assert!(editor.ask("textDocument/hover", hover).get("error").is_none());
    }
    editor.close();
}

#[test]
fn answers_come_within_50_ms_in_the_longest_file() {
    let (_, source) = GALLERY.iter().max_by_key(|(_, source)| source.len()).unwrap();
    let mut editor = Editor::new();
    editor.open(source);
    let mut times = Vec::new();
    for step in 0..40u64 {
        let begun = Instant::now();
        let line = step as usize % source.lines().count();
        editor.change(json!([{"range": {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 0}}, "text": " "}]));
        editor.ask("textDocument/hover", Editor::at(line, 20));
        editor.ask("textDocument/completion", Editor::at(line, 20));
        times.push(begun.elapsed());
    }
    editor.close();
    times.sort();
    // The machine may be busy with something else now and then.
    let usual = times[times.len() / 2];
    assert!(usual < Duration::from_millis(50), "{usual:?} for a change, a hover and a completion");
    println!("a change, a hover and a completion take {usual:?}");
}
