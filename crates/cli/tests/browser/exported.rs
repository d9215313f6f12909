//! The page to keep: exported, opened as a file, played without a server.

use std::process::Command;

use crate::chromium::{Chromium, fresh_folder};
use crate::server::BINARY;

#[test]
fn the_exported_page_is_played_from_a_file() {
    let Some(browser) = Chromium::start() else { return };
    let folder = fresh_folder("export");
    let file = folder.join("coins.html");
    let done = Command::new(BINARY)
        .args(["export", "coins", "coins=[5,3,7,10]", "--html"])
        .arg(&file)
        .output()
        .expect("the binary runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let mut page = browser.page();
    page.open(&format!("file://{}", file.display()));
    page.sees("h1", "Coins");
    page.sees(".verdict-words", "First wins by 5");
    page.click("[data-target='0:3']");
    page.sees(".score", "10 : 0");
    page.key("2");
    page.sees(".score", "10 : 7");
    page.click(".move[data-move=left]");
    page.click(".move");
    page.sees(".verdict-words", "First has won by 5, 15 to 10");
    page.click("button[aria-label='Undo']");
    page.sees(".score", "15 : 7");
    // The computer plays here too.
    page.click("button[aria-label='To the start']");
    page.choose(".settings select", "perfect");
    page.wait("document.querySelector('.sides select') !== null");
    page.key("1");
    page.sees(".score", "5 : 10");
    let away: Vec<_> = page.requests.iter().filter(|url| url.starts_with("http")).collect();
    assert!(away.is_empty(), "the page makes no requests: {away:?}");
    page.was_quiet();
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn the_totals_of_three_players_are_told_in_the_end() {
    let Some(browser) = Chromium::start() else { return };
    let folder = fresh_folder("export");
    let file = folder.join("three.html");
    let asked = ["export", "three_player_row", "coins=[5,3,7,10,2,6]", "--html"];
    let done = Command::new(BINARY).args(asked).arg(&file).output().expect("the binary runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let mut page = browser.page();
    page.open(&format!("file://{}#m=right%3Bleft%3Bright%3Bright%3Bright", file.display()));
    page.sees(".verdict-words", "First wins, 16 : 12 : 5");
    page.key("1");
    page.sees(".verdict-words", "First has won, 16 : 12 : 5");
    page.was_quiet();
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn a_page_with_thousands_of_positions_opens_at_once() {
    let Some(browser) = Chromium::start() else { return };
    let folder = fresh_folder("export");
    let file = folder.join("tic_tac_toe.html");
    let done =
        Command::new(BINARY).args(["export", "tic_tac_toe", "--html"]).arg(&file).output().expect("the binary runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let mut page = browser.page();
    page.open(&format!(
        "file://{}#m={}",
        file.display(),
        "place(4)%3Bplace(1)%3Bplace(0)%3Bplace(8)%3Bplace(6)%3Bplace(2)"
    ));
    page.sees(".verdict-words", "First wins in 1 move");
    page.click("[data-target='0:3']");
    page.wait("document.querySelectorAll('.board .decisive').length === 3");
    page.sees(".verdict-words", "First has won");
    page.was_quiet();
    let _ = std::fs::remove_dir_all(folder);
}
