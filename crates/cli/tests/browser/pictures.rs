//! The pictures: they are drawn, walked through and saved.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::chromium::{Chromium, fresh_folder};
use crate::server::Server;

#[test]
fn pictures_are_drawn_and_saved() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    for (game, picture) in [
        ("coins", ".triangle .heat"),
        ("coins", ".gamegraph .graph-node"),
        ("kayles", ".chart .stem"),
        ("domineering", ".thermograph .wall"),
        ("m_n_k", ".bars .bar"),
    ] {
        page.open(&server.at(&format!("#/game/{game}?t=pictures")));
        page.wait(&format!("document.querySelectorAll('{picture}').length > 1"));
    }
    let folder = fresh_folder("saved");
    page.call("Page.setDownloadBehavior", json!({"behavior": "allow", "downloadPath": folder}));
    page.click(".picture-card .picture-tools button:last-child");
    let begun = Instant::now();
    let saved = loop {
        let files = fs::read_dir(&folder).expect("the folder is there");
        let done = files
            .filter_map(Result::ok)
            .map(|file| file.path())
            .find(|file| file.extension().is_some_and(|is| is == "svg"));
        if let Some(file) = done {
            break fs::read_to_string(file).expect("the picture is text");
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "the picture is saved");
        thread::sleep(Duration::from_millis(50));
    };
    assert!(saved.starts_with("<?xml") && saved.contains("xmlns=\"http://www.w3.org/2000/svg\""), "{saved}");
    assert!(!saved.contains("var(--"), "colours are written into the picture");
    let _ = fs::remove_dir_all(folder);
    page.was_quiet();
}

#[test]
fn the_game_graph_is_walked_through() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    page.open(&server.at("#/game/stones?i=%7B%22n%22%3A6%2C%22moves%22%3A%5B1%2C2%5D%7D&t=pictures"));
    page.wait("document.querySelectorAll('.gamegraph .graph-node').length >= 7");
    page.click(".gamegraph .graph-node[data-node='3']");
    page.wait("document.querySelector('.verdict-words') !== null && location.hash.includes('m=')");
    page.wait("document.querySelectorAll('.steps .step').length > 1");
    page.was_quiet();
}

#[test]
fn a_wide_graph_is_zoomed_and_moved() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    page.open(&server.at("#/game/nim?t=pictures"));
    page.wait("document.querySelectorAll('.gamegraph .graph-node').length > 200");
    // It lies in many layers, and all of it is seen.
    let layers = page.eval(
        "new Set([...document.querySelectorAll('.gamegraph circle')].map((node) => node.getAttribute('cy'))).size",
    );
    assert!(layers.as_u64() >= Some(10), "{layers}");
    assert_eq!(page.eval("document.querySelector('.gamegraph').closest('.scroll').scrollWidth > document.querySelector('.gamegraph').closest('.scroll').clientWidth"), json!(false));
    let whole = page.eval("document.querySelector('.gamegraph').getAttribute('viewBox')");
    page.click("[data-picture=graph] button[aria-label='Zoom in']");
    page.wait(&format!("document.querySelector('.gamegraph').getAttribute('viewBox') !== {whole}"));
    page.click("[data-picture=graph] button[aria-label='Show all of it']");
    page.wait(&format!("document.querySelector('.gamegraph').getAttribute('viewBox') === {whole}"));
    page.was_quiet();
}

#[test]
fn a_cell_of_the_triangle_is_a_position() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    page.open(&server.at("#/game/coins?t=pictures"));
    page.wait("document.querySelector('.triangle') !== null && document.querySelector('.gamegraph') !== null");
    // Ends have no totals of their own: they are neither won nor lost.
    assert_eq!(page.count(".gamegraph .graph-node.payoffs"), 0);
    page.click(".heat[data-cell='1 1']");
    page.wait("document.querySelectorAll('.steps .step').length === 3");
    page.wait("document.querySelectorAll('.board .item.gone').length === 2");
    page.was_quiet();
}

#[test]
fn values_that_are_no_numbers_are_written_out() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    page.open(&server.at("#/game/domineering?t=pictures"));
    page.wait("document.querySelectorAll('.terms .term-text').length > 3");
    page.sees(".terms", "-3/2");
    page.was_quiet();
}

#[test]
fn a_tab_that_was_left_does_not_come_back() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    for tab in ["plan", "rules", "pictures"] {
        page.open(&server.at("#/game/domineering"));
        page.wait("document.querySelector('.verdict-words') !== null");
        page.eval(&format!(
            "document.getElementById('tab-{tab}').click(); document.getElementById('tab-board').click()"
        ));
        thread::sleep(Duration::from_millis(700));
        page.wait("document.querySelector('.verdict-words') !== null");
        page.wait("document.getElementById('tab-board').getAttribute('aria-selected') === 'true'");
    }
    page.was_quiet();
}
