//! Every game of the gallery is opened and played to its end with clicks on the board, where it has some, or else on moves.

use std::time::Instant;

use serde_json::json;

use crate::chromium::Chromium;
use crate::server::Server;

/// Runs in the page: opens a game, clicks at random until it is over, and tells how that went.
const PLAY: &str = "async (name) => {
    const until = async (test) => {
        for (const begun = performance.now(); performance.now() - begun < 20000; await new Promise((done) => setTimeout(done, 4))) if (test()) return true;
        return false;
    };
    let seed = 7;
    const any = (list) => list[(seed = (seed * 48271) % 2147483647) % list.length];
    const all = (selector) => [...document.querySelectorAll(selector)];
    const stands = () => document.querySelector('.turn') !== null && document.querySelector('.working').hidden;
    const seen = () => [all('.steps .step').length, all('.chooser button').length, all('.picked').length].join();
    const isOver = () => document.querySelector('.turn').textContent.includes('over');
    document.querySelector('main').replaceChildren();
    location.hash = `#/game/${name}`;
    if (!(await until(stands))) return `it does not open: ${document.querySelector('main').innerText.slice(0, 500)}`;
    if (document.querySelector('.board :is(svg, .fields, pre)') === null) return 'there is no board';
    for (let clicks = 0; clicks < 400; clicks += 1) {
        if (isOver()) return 'over';
        const before = seen();
        const places = all('.board [data-target]');
        const offered = all('.chooser button:not(.quiet)');
        const place = any(places.length + offered.length > 0 ? places.concat(offered) : all('.move'));
        if (place === undefined) return 'there is nothing to click';
        place.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
        if (!(await until(() => stands() && (seen() !== before || isOver())))) return `nothing happens after ${clicks} clicks`;
    }
    return 'it does not end';
}";

#[test]
fn every_game_is_played_to_its_end() {
    let Some(browser) = Chromium::start() else { return };
    // Games that are too large to solve are played without verdicts: no click waits long for one.
    let server = Server::with(&["--time", "100ms"]);
    let mut page = browser.page();
    page.open(&server.url);
    page.wait("document.querySelectorAll('.game-card').length > 50");
    let names = page.eval("[...document.querySelectorAll('.game-card')].map((card) => card.dataset.name)");
    for name in names.as_array().expect("a list of names") {
        let begun = Instant::now();
        assert_eq!(page.eval(&format!("({PLAY})({name})")), json!("over"), "{name}");
        println!("{name}: {:?}", begun.elapsed());
        page.was_quiet();
        assert!(page.failures.is_empty(), "{name}: {:?}", page.failures);
    }
}
