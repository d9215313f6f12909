//! How the page fits: nothing sticks out at the side on a phone, a tablet and a laptop, in light and in dark.

use serde_json::json;

use crate::chromium::Chromium;
use crate::server::Server;

#[test]
fn nothing_sticks_out_at_any_width() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    for theme in ["light", "dark"] {
        page.call(
            "Emulation.setEmulatedMedia",
            json!({"features": [{"name": "prefers-color-scheme", "value": theme}]}),
        );
        for width in if theme == "light" { vec![390, 820, 1440] } else { vec![390] } {
            page.size(width, 900);
            for (view, ready) in [
                ("#/", ".game-card"),
                ("#/game/connect_k", ".verdict-words"),
                ("#/game/nim", ".verdict-words"),
                ("#/game/coins", ".verdict-words"),
                ("#/game/coins?t=plan", ".fact"),
                ("#/game/coins?t=rules", ".code-line"),
                ("#/game/coins?t=pictures", ".triangle"),
                ("#/playground", ".editor"),
            ] {
                page.open(&server.at(view));
                page.wait(&format!("document.querySelector('{ready}') !== null"));
                let over = page.eval("Math.max(0, document.documentElement.scrollWidth - innerWidth)");
                assert_eq!(over, json!(0), "{view} at {width}, {theme}");
            }
        }
        let ground = page.eval("getComputedStyle(document.body).backgroundColor");
        assert_eq!(ground == json!("rgb(246, 247, 249)"), theme == "light", "{ground}");
    }
    // A person's choice is kept and wins.
    page.open(&server.url);
    page.wait("document.querySelector('.top .tools button') !== null");
    page.click(".top .tools button");
    page.wait("getComputedStyle(document.body).backgroundColor === 'rgb(246, 247, 249)'");
    page.open(&server.url);
    page.wait("getComputedStyle(document.body).backgroundColor === 'rgb(246, 247, 249)'");
    // Everything came from this server.
    let away: Vec<_> =
        page.requests.iter().filter(|url| url.starts_with("http") && !url.starts_with(&server.url)).collect();
    assert!(away.is_empty(), "{away:?}");
    page.was_quiet();
}

#[test]
fn a_screen_reader_hears_the_verdict_and_the_moves() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    page.open(&server.at("#/game/coins"));
    page.sees(".verdict[aria-live=polite]", "First wins by 5");
    let labels = page.eval("[...document.querySelectorAll('.move')].map((node) => node.getAttribute('aria-label'))");
    assert!(labels[1].as_str().is_some_and(|label| label.contains("right") && label.contains("best move")), "{labels}");
    let bare = page.eval(
        "[...document.querySelectorAll('button, input, select, a, [role=button]')].filter((node) => \
         !(node.getAttribute('aria-label') || node.textContent.trim() || node.labels?.length)).map((node) => node.outerHTML)",
    );
    assert_eq!(bare, json!([]), "everything that can be used has a name");
    page.was_quiet();
}
