//! Sums from text: what is wrong with one is told at its place.

use perfectplay::Error;
use perfectplay::language::{Diagnostic, Rules};
use perfectplay::sums::{Files, Gallery, Sum};

/// The gallery, and a file of our own.
struct Shelf;

const TOKEN: &str = "game token(arrows: [[int]], start: int) {
    state { node in 0..len(arrows) = start; }
    move go(to in arrows[node]) { node = to; }
}";

impl Files for Shelf {
    fn rules(&self, game: &str) -> Result<Rules, (String, String)> {
        match game {
            "token.game" => Ok(Rules { name: game.to_string(), source: TOKEN.to_string() }),
            _ => Gallery.rules(game),
        }
    }

    fn value(&self, path: &str) -> Result<String, String> {
        if path == "two.json" { Ok("[1, 2]\n".to_string()) } else { Err(format!("cannot read {path}")) }
    }
}

/// The title, place and label of what is wrong with the text of a sum.
fn text_mistakes(text: &str) -> Vec<(String, String)> {
    match Sum::read(text, &Shelf) {
        Err(Error::Mistakes(mistakes)) if mistakes.rules.source == text => {
            let told = |d: Diagnostic| (d.title, text[d.label.unwrap().0.range()].to_string());
            mistakes.diagnostics.into_iter().map(told).collect()
        }
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn mistakes_are_told_at_their_place() {
    let one = |title: &str, place: &str| vec![(title.to_string(), place.to_string())];
    assert_eq!(text_mistakes("nim(3) + kyles(7)"), one("there is no game `kyles`", "kyles"));
    assert_eq!(text_mistakes("nim(3, x)"), one("`nim` takes one parameter", "x"));
    assert!(Sum::read("nim(3, 4)", &Shelf).is_ok());
    assert_eq!(text_mistakes("nim(heaps=[3])"), one("`nim` has no parameter `heaps`", "heaps"));
    assert_eq!(text_mistakes("euclid(3, a=4)"), one("`a` is given twice", "4"));
    assert_eq!(text_mistakes("kayles(@no.json)"), one("cannot read no.json", "@no.json"));
    let token = "one.game";
    assert_eq!(text_mistakes(token), one("there is no game `one.game`", "one.game"));
    let unread = text_mistakes("nim([3,x])");
    assert!(unread[0].0.starts_with("the value of `piles` cannot be read") && unread[0].1 == "x", "{unread:?}");
    let missing = text_mistakes("nim(3) + token.game([[]])");
    assert!(missing[0].0.contains("`start` is missing") && missing[0].1 == "token.game([[]])", "{missing:?}");
    assert_eq!(text_mistakes("kyles(7) + nim(3) + nym(2)").len(), 2);
    match Sum::read("nim(3) + kayles(-1)", &Shelf) {
        Err(Error::Mistakes(mistakes)) => {
            assert_eq!((mistakes.rules.name.as_str(), mistakes.diagnostics.len()), ("kayles", 1));
            let notes = &mistakes.diagnostics[0].notes;
            assert!(notes.contains(&"in the summand `kayles(-1)`".to_string()), "{notes:?}");
        }
        other => panic!("{other:?}"),
    }
}

/// What the front reads is what was written: games, counts, files, numbers in powers.
#[test]
fn sums_are_read() {
    let sum = Sum::read("2*kayles(7) + nim(@two.json) + *10^18 + token.game([[], [0]], start=1)", &Shelf).unwrap();
    let answer = sum.answer(&Default::default(), &mut perfectplay::solving::Monitor::unlimited()).unwrap();
    let names: Vec<&str> = answer.summands.iter().map(|summand| &*summand.name).collect();
    let heap = 1_000_000_000_000_000_000;
    assert_eq!(names[..2], ["kayles(7) #1", "kayles(7) #2"]);
    assert_eq!(names[3], format!("*{heap}"));
    assert_eq!((sum.len(), answer.nimber), (5, Some(1 ^ 2 ^ heap ^ 1)));
}
