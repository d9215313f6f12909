//! The playground: rules with a mistake, mended, solved, played; a long solve that is cancelled.

use serde_json::json;

use crate::chromium::Chromium;
use crate::page::Page;
use crate::server::Server;

const EDITOR: &str = "document.querySelector('.editor').shadowRoot";

const BROKEN: &str = "/// Take one or two.\ngame mine(n: int = 10) {\nstate { left in 0..=n = n; }\n\
                      move take(k in 1..=2) when k <= lef { left -= k; }\nshow \"stones: {left}\";\n}\n";

/// Writes a text in place of all that the editor holds.
fn rewrite(page: &mut Page, text: &str) {
    page.wait("document.querySelector('.editor').shadowRoot.querySelector('.cm-content') !== null");
    page.eval(&format!("{EDITOR}.querySelector('.cm-content').focus(); true"));
    page.call(
        "Input.dispatchKeyEvent",
        json!({"type": "keyDown", "key": "a", "code": "KeyA", "modifiers": 2, "commands": ["selectAll"]}),
    );
    page.call("Input.dispatchKeyEvent", json!({"type": "keyUp", "key": "a", "code": "KeyA", "modifiers": 2}));
    page.write(text);
}

#[test]
fn rules_with_a_mistake_are_mended_solved_and_played() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    page.open(&server.at("#/playground"));
    page.sees(".diagnostics", "Nothing wrong");
    rewrite(&mut page, BROKEN);
    // The mistake is told in words and marked in the text.
    page.sees(".diagnostics", "lef");
    page.sees(".diagnostics", "line 4");
    page.wait(&format!("{EDITOR}.querySelector('.cm-lintRange-error')?.textContent === 'lef'"));
    page.wait("document.querySelector('.actions .primary').disabled");
    rewrite(&mut page, &BROKEN.replace("<= lef ", "<= left "));
    page.sees(".diagnostics", "Nothing wrong");
    // The form is made from the parameters.
    page.wait("document.querySelector('.instance input[name=n]').value === '10'");
    page.click(".actions .primary");
    page.sees(".answer", "First wins");
    page.click(".instance input[name=n]");
    page.eval("document.querySelector('.instance input[name=n]').select(); true");
    page.write("9");
    page.eval("new Promise((done) => setTimeout(() => done(true), 400))");
    page.click(".actions .primary");
    page.sees(".answer", "Second wins");
    page.click(".actions button:nth-child(2)");
    page.wait("document.querySelectorAll('.result .fact').length > 2");
    // It is kept.
    page.open(&server.at("#/playground"));
    page.wait(&format!("{EDITOR}.textContent.includes('game mine')"));
    page.wait("document.querySelector('.editor-tools option[value=nim]') !== null");
    page.choose(".editor-tools select", "nim");
    page.wait(&format!("{EDITOR}.textContent.includes('game nim')"));
    // Another game does not take its place: it can be taken up again.
    page.open(&server.at("#/playground"));
    page.wait("document.querySelector('.editor-tools option[value=\"own:mine\"]') !== null");
    page.choose(".editor-tools select", "own:mine");
    page.wait(&format!("{EDITOR}.textContent.includes('game mine')"));
    page.wait("document.querySelector('.instance input[name=n]') !== null");
    page.click(".instance input[name=n]");
    page.eval("document.querySelector('.instance input[name=n]').select(); true");
    page.write("9");
    page.eval("new Promise((done) => setTimeout(() => done(true), 400))");
    // Play it, and share it: the link carries the rules.
    page.sees(".diagnostics", "Nothing wrong");
    page.click(".actions button:nth-child(3)");
    page.sees(".verdict-words", "Second wins");
    page.click(".move");
    page.wait("document.querySelectorAll('.steps .step').length === 2 && location.hash.includes('m=')");
    let link = page.eval("location.href");
    let mut other = browser.page();
    other.open(link.as_str().expect("an address"));
    other.wait("document.querySelectorAll('.steps .step').length === 2");
    other.sees("h1", "Mine");
    page.was_quiet();
    other.was_quiet();
}

#[test]
fn a_long_solve_is_cancelled() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    page.open(&server.at("#/playground/connect_k"));
    page.sees(".diagnostics", "Nothing wrong");
    for (name, value) in [("rows", "7"), ("columns", "7"), ("k", "4")] {
        page.click(&format!(".instance input[name={name}]"));
        page.eval(&format!("document.querySelector('.instance input[name={name}]').select(); true"));
        page.write(value);
    }
    page.eval("new Promise((done) => setTimeout(() => done(true), 500))");
    page.click(".actions .primary");
    page.wait("document.querySelector('.job progress') !== null");
    page.sees(".job", "s");
    // A second page does not wait for the first.
    let mut other = browser.page();
    other.open(&server.at("#/game/nim"));
    other.sees(".verdict-words", "First wins");
    page.click(".job .cancel");
    page.sees(".result", "Cancelled");
    page.wait("document.querySelector('.job') === null");
    page.was_quiet();
    other.was_quiet();
}

#[test]
fn words_are_completed() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    page.open(&server.at("#/playground"));
    rewrite(
        &mut page,
        "game g(stones: int = 3) {\nstate { left in 0..=stones = stones; }\nmove take when left > 0 { left -= 1; }\n}\n",
    );
    page.sees(".diagnostics", "Nothing wrong");
    rewrite(&mut page, "game g(stones: int = 3) {\nstate { left in 0..=");
    for letter in ["s", "t", "o"] {
        page.key(letter);
    }
    page.wait(&format!("{EDITOR}.querySelector('.cm-tooltip-autocomplete')?.textContent.includes('stones')"));
    page.was_quiet();
}
