//! `perfectplay fmt`, and `perfectplay lsp` from the outside.

use crate::support::{Folder, here, run, run_with};

#[test]
fn files_and_folders_are_formatted() {
    let folder = Folder::new();
    let path = folder.0.join("messy.game");
    let name = path.display().to_string();
    std::fs::write(&path, "game  g(n:int){state{left in 0..=n=n;}\nmove take when left>0{left-=1;}}\n").unwrap();
    let ran = run(&format!("fmt --check {name}"));
    assert_eq!((ran.code, &*ran.out), (1, &*format!("{name} is not formatted\n")));
    assert_eq!(run(&format!("fmt {name}")).out, "1 file formatted\n");
    let neat = "game g(n: int) { state { left in 0..=n = n; }\n    move take when left > 0 { left -= 1; } }\n";
    assert_eq!(std::fs::read_to_string(&path).unwrap(), neat);
    let ran = run(&format!("fmt --check {name} {}", here("../../games").display()));
    assert_eq!((ran.code, &*ran.out), (0, ""), "{}", ran.err);
    assert_eq!(run_with("fmt -", "game g{state{n in 0..=1=1;}move go when n>0{n-=1;}}").out.lines().count(), 1);
}

#[test]
fn mistakes_are_told_and_nothing_is_changed() {
    let folder = Folder::new();
    let path = folder.0.join("broken.game");
    std::fs::write(&path, "game g { state { n in 0..=1 = 1 }").unwrap();
    let ran = run(&format!("fmt {}", path.display()));
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("broken.game"), "{}", ran.err);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "game g { state { n in 0..=1 = 1 }");
    assert_eq!(run("fmt nowhere.game").code, 2);
    assert_eq!(run("fmt").code, 2);
}

#[test]
fn an_editor_is_greeted_on_the_standard_streams() {
    let framed = |body: &str| format!("Content-Length: {}\r\n\r\n{body}", body.len());
    let input = [
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#,
        r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#,
        r#"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a.game","languageId":"g","version":1,"text":"game g { }"}}}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#,
        r#"{"jsonrpc":"2.0","method":"exit"}"#,
    ];
    let ran = run_with("lsp", &input.map(framed).concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    for part in ["\"hoverProvider\":true", "textDocument/publishDiagnostics", "the game has no move"] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
    assert_eq!(run_with("lsp", "hello").code, 2);
}
