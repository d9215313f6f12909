//! Choosing a game and playing it: clicks, keys, history, the computer, links.

use crate::chromium::Chromium;
use crate::page::Page;
use crate::server::Server;

const VERDICT: &str = ".verdict-words";

/// How many moves the history shows.
fn moves_made(page: &mut Page) -> usize {
    page.count(".steps .step") - 1
}

#[test]
fn a_game_is_chosen_and_played_to_the_end_with_clicks() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    page.open(&server.url);
    page.wait("document.querySelectorAll('.game-card').length > 50");
    // Every game has a picture.
    assert_eq!(page.count(".game-card .thumb:has(svg, .fields, pre)"), page.count(".game-card"));
    page.click("#search");
    page.write("tic tac toe");
    page.wait("document.querySelectorAll('.game-card:not([hidden])').length < 10");
    page.click(".game-card[data-name=tic_tac_toe] .cover");
    page.sees(VERDICT, "draw");
    page.sees(".turn", "First");
    // X in the middle and a corner, O on the edges: X wins.
    for (at, cell) in [4, 1, 0, 8, 6, 2, 3].into_iter().enumerate() {
        page.click(&format!("[data-target='0:{cell}']"));
        page.wait(&format!("document.querySelectorAll('.steps .step').length === {}", at + 2));
    }
    page.sees(VERDICT, "First has won");
    assert_eq!(page.count("[data-target]"), 0, "nothing can be clicked when the game is over");
    // A mistake of the second player's is marked in the history.
    assert!(page.count(".steps .wrong") > 0);
    assert!(page.count(".curve .curve-dot") == 8);
    page.click("button[aria-label='Undo']");
    page.sees(".turn", "First to move");
    page.click("button[aria-label='To the start']");
    page.sees(VERDICT, "draw");
    page.click(".steps li:nth-child(4) .step");
    page.wait("document.querySelectorAll('.board .piece').length === 3");
    page.click("button[aria-label='Redo']");
    page.wait("document.querySelectorAll('.board .piece').length === 4");
    page.was_quiet();
}

#[test]
fn a_link_restores_game_instance_and_moves() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    page.open(&server.at("#/game/coins"));
    page.sees(VERDICT, "First wins by 5");
    page.click(".own-instance summary");
    page.eval("document.querySelector('.instance input[name=coins]').value = '8, 15, 3, 7'; true");
    page.click(".instance button");
    page.sees(VERDICT, "First wins by 11, 22 to 11");
    page.click(".move[data-move=right]");
    page.sees(".score", "7 : 0");
    page.click(".move[data-move=left]");
    page.sees(".score", "7 : 8");
    let (link, verdict) = (page.eval("location.href"), page.text(VERDICT));
    let mut other = browser.page();
    other.open(link.as_str().expect("an address"));
    other.sees(".score", "7 : 8");
    assert_eq!(other.text(VERDICT), verdict);
    assert_eq!(moves_made(&mut other), 2);
    page.was_quiet();
    other.was_quiet();
}

#[test]
fn the_computer_never_loses_a_won_game() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    for level in ["perfect", "traps"] {
        page.open(&server.at("#/game/nim"));
        page.sees(VERDICT, "First wins");
        page.choose(".settings select", level);
        page.wait("document.querySelector('.sides select') !== null");
        page.choose(".sides select", "second");
        // The computer begins, and answers every move; whoever plays the first move of the list loses.
        for round in 0..20 {
            page.wait("/over|Second/.test(document.querySelector('.turn').textContent)");
            if page.text(".turn").contains("over") {
                break;
            }
            assert!(round < 19, "the game ends");
            let made = moves_made(&mut page);
            page.key("1");
            page.wait(&format!("document.querySelectorAll('.steps .step').length >= {}", made + 3));
        }
        page.sees(VERDICT, "First has won");
        page.choose(".settings select", "people");
    }
    page.was_quiet();
}

#[test]
fn keys_play_and_walk() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    page.open(&server.at("#/game/coins"));
    page.sees(VERDICT, "First wins by 5");
    page.key("2");
    page.sees(".score", "10 : 0");
    page.key("1");
    page.sees(".score", "10 : 5");
    page.key("ArrowLeft");
    page.sees(".score", "10 : 0");
    page.key("ArrowRight");
    page.sees(".score", "10 : 5");
    page.key("Home");
    page.sees(".score", "0 : 0");
    page.key("End");
    page.sees(".score", "10 : 5");
    page.key("u");
    page.sees(".score", "10 : 0");
    // Hints: all, hidden, best only.
    page.key("h");
    page.sees(VERDICT, "hidden");
    assert_eq!(page.count(".moves .chip.hidden-value"), 2);
    page.key("h");
    page.wait("document.querySelectorAll('.moves .chip.hidden-value').length < 2");
    page.key("h");
    page.sees(VERDICT, "First wins by 5");
    page.key("?");
    page.wait("document.querySelector('dialog.keys').open");
    page.key("Escape");
    page.wait("!document.querySelector('dialog.keys').open");
    page.was_quiet();
}

#[test]
fn boards_of_every_kind_can_be_clicked() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    for (game, picture, first) in [
        ("connect_k", ".panel.grid", "[data-target]"),
        ("nim", ".panel.heap .stone", "[data-target='2:0']"),
        ("coins", ".panel.row .coin", "[data-target='0:3']"),
        ("cat_and_mouse", ".panel.graph .node", "[data-target]"),
    ] {
        page.open(&server.at(&format!("#/game/{game}")));
        page.wait(&format!("document.querySelector('.board {picture}') !== null"));
        assert!(!page.eval(&format!("document.querySelector({first:?}).getAttribute('aria-label')")).is_null());
        page.click(first);
        page.wait("document.querySelectorAll('.steps .step').length === 2");
    }
    // Discs fall: a click at the top of a column is one at its end.
    page.open(&server.at("#/game/connect_k"));
    page.wait("document.querySelectorAll('.board .falls').length === 8");
    page.click(".board .falls");
    page.wait("document.querySelectorAll('.board .piece').length === 1");
    // Two clicks where one does not say enough: from and to.
    page.open(&server.at("#/game/clobber"));
    page.wait("document.querySelector('[data-target]') !== null");
    page.click("[data-target='0:5']");
    page.wait("document.querySelectorAll('.chooser button').length > 1");
    page.click("[data-target='0:6']");
    page.wait("document.querySelectorAll('.steps .step').length === 2");
    // Three clicks: from, to, and where the arrow goes. The move that shoots back is clicked like all others.
    page.open(&server.at("#/game/amazons"));
    for cell in [0, 1, 0] {
        page.click(&format!("[data-target='0:{cell}']"));
    }
    page.sees(".steps", "go(a1, b1, a1)");
    page.was_quiet();
}

#[test]
fn a_game_too_large_for_a_quick_answer_can_be_played_and_solved_as_a_job() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    page.open(&server.at("#/game/connect_k?i=%7B%22rows%22%3A7%2C%22columns%22%3A7%2C%22k%22%3A4%7D"));
    page.sees(".notice", "too large");
    page.click(".notice button");
    page.wait("document.querySelector('.job progress') !== null");
    page.click(".job .cancel");
    page.wait("document.querySelector('.job') === null");
    page.sees(".notice", "too large");
    page.click("[data-target]");
    page.wait("document.querySelectorAll('.board .piece').length === 1");
    page.was_quiet();
}

#[test]
fn what_is_wrong_with_a_link_is_told() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    for (link, words) in [
        ("#/game/nothing", "no game called nothing"),
        ("#/own?r=broken", "This link is broken"),
        ("#/game/nim?i=%7B%22piles%22%3A%5B-1%5D%7D", "a heap cannot be negative"),
        ("#/game/nim?m=take(9)%20in%20part%200", "take(9) in part 0"),
    ] {
        page.open(&server.at(link));
        page.sees(".failure", words);
    }
    page.click(".problem button");
    page.sees(VERDICT, "First wins");
    page.was_quiet();
}

#[test]
fn large_numbers_are_exact() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    page.open(&server.at("#/game/coins"));
    page.click(".own-instance summary");
    page.eval("document.querySelector('.instance input[name=coins]').value = '4611686018427387905, 3, 1'; true");
    page.click(".instance button");
    page.sees(VERDICT, "First wins by 4611686018427387903, 4611686018427387906 to 3");
    page.sees(".moves", "4611686018427387903");
    // The link keeps the digits too.
    let link = page.eval("location.href");
    page.open(link.as_str().expect("an address"));
    page.sees(VERDICT, "First wins by 4611686018427387903");
    page.was_quiet();
}

#[test]
fn a_second_click_while_a_move_is_under_way_is_ignored() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    page.open(&server.at("#/game/tic_tac_toe?o=perfect"));
    page.sees(VERDICT, "draw");
    page.eval(
        "(() => { const node = document.querySelector(\"[data-target='0:4']\"); \
         for (const kind of ['click', 'click']) node.dispatchEvent(new MouseEvent(kind)); return true; })()",
    );
    page.wait("document.querySelectorAll('.steps .step').length === 3");
    page.sees(".turn", "First to move");
    assert_eq!(page.count(".failure"), 0);
    assert_eq!(page.count(".board .piece"), 2);
    page.was_quiet();
}

#[test]
fn a_sign_in_the_history_is_for_who_made_the_move() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    page.open(&server.at("#/game/tic_tac_toe?m=place(1);place(0);place(2);place(3);place(4);place(6)"));
    page.sees(VERDICT, "Second has won");
    let signs = page.eval("[...document.querySelectorAll('.steps .dot-sign')].map((node) => node.textContent)");
    assert_eq!(signs.to_string(), r#"["D","D","L","W","L","W"]"#);
    // The verdict speaks to who plays against the computer.
    page.choose(".settings select", "perfect");
    page.sees(VERDICT, "You have lost");
    page.choose(".sides select", "second");
    page.sees(VERDICT, "You have won");
    page.click(".stage .tools .primary");
    page.wait("document.querySelectorAll('.steps .step').length === 2");
    page.was_quiet();
}

#[test]
fn the_keyboard_keeps_its_place() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    page.open(&server.at("#/game/tic_tac_toe"));
    page.sees(VERDICT, "draw");
    page.eval("document.querySelectorAll('.move')[3].focus(); true");
    page.key("1");
    page.wait("document.querySelectorAll('.steps .step').length === 2");
    page.wait("document.activeElement.matches('.move')");
    page.eval("document.querySelector(\"[data-target='0:4']\").focus(); true");
    page.key("4");
    page.wait("document.querySelectorAll('.steps .step').length === 3");
    page.wait("document.querySelector('.board').contains(document.activeElement)");
    page.was_quiet();
}

#[test]
fn the_last_address_is_the_one_that_is_shown() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    page.open(&server.at("#/game/nim"));
    page.sees(VERDICT, "First wins");
    // Moves and addresses come faster than their answers.
    page.eval(
        "(async () => { document.querySelector('.move').click(); \
         for (const name of ['game/coins', 'playground/nim', 'game/kayles', '', 'game/hex', 'game/tic_tac_toe']) { \
         location.hash = `#/${name}`; await new Promise((done) => setTimeout(done, 7)); } return true; })()",
    );
    page.sees("h1", "Tic Tac Toe");
    page.sees(VERDICT, "draw");
    page.eval("new Promise((done) => setTimeout(() => done(true), 300))");
    assert_eq!(page.text("h1"), "Tic Tac Toe");
    assert_eq!(page.eval("location.hash"), serde_json::json!("#/game/tic_tac_toe"));
    page.was_quiet();
}
