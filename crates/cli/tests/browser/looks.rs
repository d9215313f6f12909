//! How the page fits: nothing sticks out at the side on a phone, a tablet and a laptop, in light and in dark.

use serde_json::json;

use crate::chromium::Chromium;
use crate::page::Page;
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

/// What is read on what, by the names of colours, as the style sheets have it.
const PAIRS: &[(&str, &[&str])] = &[
    ("ink", &["paper", "card", "tint", "board", "board-odd", "selection", "decisive"]),
    ("soft", &["paper", "card", "tint", "board"]),
    ("faint", &["paper", "card", "tint", "board"]),
    ("accent", &["paper", "card", "tint"]),
    ("on-accent", &["accent"]),
    ("on-mark", &["win", "lose", "draw", "endless", "equal", "payoffs", "unknown"]),
    ("win", &["card"]),
    ("lose", &["card", "tint"]),
    ("draw", &["card"]),
    ("endless", &["card"]),
    ("equal", &["card"]),
    ("payoffs", &["card"]),
    ("coin-ink", &["coin"]),
    ("card", &["first", "second", "neutral", "stone", "equal"]),
    ("code-doc", &["card"]),
    ("code-comment", &["card"]),
    ("code-string", &["card"]),
    ("code-number", &["card"]),
    ("code-keyword", &["card"]),
    ("code-item", &["card"]),
    ("code-type", &["card"]),
    ("code-function", &["card"]),
];

/// The contrast of two colours by the rules of the WCAG; the browser works the colours out.
const CONTRAST: &str = "(text, ground) => {
    const probe = document.createElement('i');
    document.body.append(probe);
    const light = (name) => {
        probe.style.color = `var(--${name})`;
        const part = (value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
        const [r, g, b] = getComputedStyle(probe).color.match(/[\\d.]+/g).map((value) => part(value / 255));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const [low, high] = [light(text), light(ground)].sort((a, b) => a - b);
    probe.remove();
    return (high + 0.05) / (low + 0.05);
}";

#[test]
fn everything_that_is_read_has_contrast() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    page.open(&server.url);
    for theme in ["light", "dark"] {
        page.eval(&format!("document.documentElement.dataset.theme = {theme:?}"));
        for (text, grounds) in PAIRS {
            for ground in *grounds {
                let ratio = page.eval(&format!("({CONTRAST})({text:?}, {ground:?})"));
                assert!(ratio.as_f64().is_some_and(|ratio| ratio >= 4.5), "{text} on {ground}, {theme}: {ratio}");
            }
        }
    }
}

#[test]
fn a_game_is_found_and_played_with_the_keyboard_alone() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    page.open(&server.url);
    page.wait("document.querySelectorAll('.game-card').length > 50");
    page.key("/");
    page.wait("document.activeElement.id === 'search'");
    page.write("tic tac toe");
    page.wait("document.querySelectorAll('.game-card:not([hidden])').length < 10");
    let to = |page: &mut Page, wanted: &str| {
        for _ in 0..60 {
            page.key("Tab");
            if page.eval(&format!("document.activeElement.matches({wanted:?})")) == json!(true) {
                // Who walks with the keyboard sees where they are.
                let seen = page.eval(
                    "(() => { const node = document.activeElement; const shown = [node, ...node.querySelectorAll('*')].map(getComputedStyle); \
                     return shown.some((style) => style.outlineStyle !== 'none' || style.boxShadow !== 'none' || style.stroke !== 'none') || node.matches('.item'); })()",
                );
                assert_eq!(seen, json!(true), "{wanted} shows the focus");
                return;
            }
        }
        panic!("Tab never comes to {wanted}");
    };
    to(&mut page, ".game-card[data-name=tic_tac_toe] .cover");
    page.key("Enter");
    page.sees(".verdict-words", "draw");
    to(&mut page, "[data-target='0:0']");
    page.key("Enter");
    page.wait("document.querySelectorAll('.steps .step').length === 2");
    // The board keeps the keyboard; the next square is one Tab away.
    page.key("Tab");
    page.wait("document.activeElement.matches('.board [data-target]')");
    page.key(" ");
    page.wait("document.querySelectorAll('.steps .step').length === 3");
    page.key("ArrowLeft");
    page.wait("document.querySelectorAll('.board .piece').length === 1");
    // The triangle is walked by keyboard too.
    page.open(&server.at("#/game/coins?t=pictures"));
    page.wait("document.querySelector('.triangle') !== null");
    page.eval("document.querySelector(\".heat[data-cell='1 0']\").focus(); true");
    page.key("Enter");
    page.wait("document.querySelectorAll('.steps .step').length === 2");
    page.was_quiet();
}

#[test]
fn nothing_moves_for_who_wants_no_motion() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    let wish = json!({"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]});
    page.call("Emulation.setEmulatedMedia", wish);
    page.open(&server.at("#/game/tic_tac_toe"));
    page.sees(".verdict-words", "draw");
    let moving = page.eval(
        "[...document.querySelectorAll('*')].filter((node) => { const style = getComputedStyle(node); \
         return style.animationName !== 'none' || style.transitionDuration.split(',').some((time) => parseFloat(time) > 0); }).length",
    );
    assert_eq!(moving, json!(0));
    page.was_quiet();
}
