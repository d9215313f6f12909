//! Boards of every shape: whose pieces are, what was closed, what decided the game, and moves that take several clicks.

use serde_json::json;

use crate::chromium::Chromium;
use crate::page::Page;
use crate::server::Server;

/// The classes of what stands on the squares of a board.
fn pieces(page: &mut Page) -> serde_json::Value {
    page.eval("[...document.querySelectorAll('.board .piece')].map((node) => node.getAttribute('class')).sort()")
}

#[test]
fn pieces_look_like_their_owners() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    page.open(&server.at("#/game/rook_endgame"));
    page.wait("document.querySelectorAll('.board .man').length === 3");
    assert_eq!(pieces(&mut page), json!(["piece man black", "piece man white", "piece man white"]));
    page.open(&server.at("#/game/fox_and_geese"));
    page.wait("document.querySelectorAll('.board .piece').length === 4");
    assert_eq!(pieces(&mut page), json!(["piece first", "piece first", "piece first", "piece second"]));
    // Dominoes and edges have the colours of who may take them.
    page.open(&server.at("#/game/toppling_dominoes"));
    page.wait("document.querySelectorAll('.board .domino.second').length === 2");
    page.open(&server.at("#/game/hackenbush_strings"));
    page.wait("document.querySelectorAll('.board .upright .edge.first').length === 2");
    assert_eq!(page.count(".board .upright .edge.second"), 3);
    page.was_quiet();
}

#[test]
fn boxes_belong_to_who_closed_them_even_after_a_link() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    page.open(&server.at("#/game/dots_and_boxes?m=line(0);line(1);line(6);line(7);line(2);line(8);line(3)"));
    page.wait("document.querySelectorAll('.board .owned.first').length === 1");
    assert_eq!(page.count(".board .owned.second"), 1);
    // The history names squares, though nobody walked through it here.
    page.wait("document.querySelectorAll('.steps .step small').length === 7");
    page.click("button[aria-label='Undo']");
    page.wait("document.querySelectorAll('.board .owned').length === 1");
    page.was_quiet();
}

#[test]
fn a_phone_keeps_the_board_in_sight() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    page.size(390, 844);
    page.open(&server.at("#/game/dots_and_boxes?m=line(0);line(1);line(6);line(7);line(2);line(8);line(3)"));
    page.wait("document.querySelectorAll('.steps .step small').length === 7");
    assert_eq!(page.eval("scrollY"), json!(0), "a line that is learnt does not scroll the page");
    page.eval("document.querySelector('[data-target]').dispatchEvent(new MouseEvent('click', { detail: 1 })); true");
    page.wait("document.querySelectorAll('.steps .step').length === 9");
    assert_eq!(page.eval("scrollY"), json!(0), "nor does a move");
    page.was_quiet();
}

#[test]
fn the_line_that_won_is_marked() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    page.open(&server.at("#/game/tic_tac_toe?m=place(4);place(1);place(0);place(8);place(6);place(2);place(3)"));
    page.wait("document.querySelectorAll('.board .decisive').length === 3");
    page.click("button[aria-label='Undo']");
    page.wait("document.querySelectorAll('.board .decisive').length === 0");
    page.was_quiet();
}

#[test]
fn kalah_is_a_board_with_stores() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    page.open(&server.at("#/game/kalah"));
    page.wait("document.querySelectorAll('.board .pit').length === 6");
    assert_eq!(page.count(".board .seed"), 12);
    // The last seed falls into the store: the first player moves again.
    page.click("[data-target='0:1']");
    page.wait("document.querySelectorAll('.steps .step').length === 2");
    page.sees(".store-box.first .store-count", "1");
    page.sees(".turn", "First to move");
    page.was_quiet();
}

#[test]
fn a_move_is_chosen_square_by_square() {
    let Some(browser) = Chromium::start() else { return };
    let server = Server::start();
    let mut page = browser.page();
    page.open(&server.at("#/game/pentominoes"));
    page.sees(".chooser .hint", "squares of a move one after the other");
    // Clicks narrow the moves until one is left.
    page.click("[data-target='0:0']");
    page.sees(".chooser .hint", "Which one?");
    // Moves are offered with their values.
    page.wait("document.querySelectorAll('.chooser button .chip').length > 3");
    for _ in 0..5 {
        if page.count(".steps .step") == 2 {
            break;
        }
        page.click(".board [data-target]");
        page.eval("new Promise((done) => setTimeout(() => done(true), 100))");
    }
    page.wait("document.querySelectorAll('.steps .step').length === 2 || document.querySelector('.picked') !== null");
    // A jump: the piece, then where it lands, or the only move at once.
    page.open(&server.at("#/game/konane"));
    page.click("[data-target='0:4']");
    page.sees(".steps", "jump(a2, right, 1)");
    page.open(&server.at("#/game/clobber"));
    page.sees(".chooser .hint", "Click a piece, then a square.");
    page.open(&server.at("#/game/kayles"));
    page.sees(".chooser .hint", "Click all that a move takes");
    // The last coin can be taken from either side, and that is no question.
    page.open(&server.at("#/game/coins?m=left;left;left"));
    page.click("[data-target='0:3']");
    page.sees(".turn", "over");
    page.was_quiet();
}
