//! `export --html`: one page that needs nothing else.

use serde_json::Value;

use crate::support::{Folder, run};

/// The game in a page: base64, deflate, JSON.
fn data(page: &str) -> Value {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let text = page.split("id=\"offline\">").nth(1).and_then(|rest| rest.split("</script>").next()).unwrap();
    let mut packed = Vec::new();
    for four in text.as_bytes().chunks(4) {
        let digits: Vec<u32> =
            four.iter().filter_map(|sign| SIGNS.iter().position(|known| known == sign)).map(|at| at as u32).collect();
        let bits = digits.iter().fold(0, |bits, digit| bits << 6 | digit) << (6 * (4 - digits.len()));
        packed.extend_from_slice(&bits.to_be_bytes()[1..digits.len()]);
    }
    let text = miniz_oxide::inflate::decompress_to_vec(&packed).expect("the data is packed");
    serde_json::from_slice(&text).expect("the data is JSON")
}

#[test]
fn a_page_to_keep_has_everything_in_it() {
    let folder = Folder::new();
    let file = folder.0.join("coins.html");
    let ran = run(&format!("export coins [5,3,7,10] --html {}", file.display()));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let page = std::fs::read_to_string(&file).unwrap();
    assert!(!page.contains("<link rel=\"stylesheet\"") && !page.contains(" src=\""), "nothing is fetched");
    let data = data(&page);
    let positions = data["positions"].as_array().unwrap();
    assert_eq!((data["start"].as_u64(), positions[0]["position"].as_str()), (Some(0), Some("i = 0, j = 4")));
    assert_eq!((&data["all"]["kind"], &data["all"]["players"]), (&Value::from("score"), &Value::from(2)));
    for position in positions {
        for mv in position["moves"].as_array().unwrap() {
            let to = &positions[mv["to"].as_u64().unwrap() as usize];
            assert_ne!(to["position"], position["position"]);
        }
    }
}

#[test]
fn the_page_of_a_game_with_thousands_of_positions_is_small() {
    let folder = Folder::new();
    for (game, positions, most) in [("tic_tac_toe", 5478, 500_000), ("connect_k", 6001, 600_000)] {
        let file = folder.0.join(format!("{game}.html"));
        let ran = run(&format!("export {game} --html {}", file.display()));
        assert_eq!(ran.code, 0, "{}", ran.err);
        let page = std::fs::read_to_string(&file).unwrap();
        assert!(page.len() < most, "{game}: {} bytes", page.len());
        assert!(data(&page)["positions"].as_array().unwrap().len() >= positions, "{game}");
    }
}

#[test]
fn a_game_that_is_too_large_for_a_page_is_refused() {
    let folder = Folder::new();
    let file = folder.0.join("large.html");
    let ran = run(&format!("export hex size=5 --html {}", file.display()));
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("more than 40000 positions"), "{}", ran.err);
    assert!(!file.exists());
}

#[test]
fn what_to_type_is_told_where_words_are_wrong() {
    for (typed, help) in [
        ("export nim 3 4 5", "type: perfectplay export nim 3 4 5 --html nim.html"),
        ("export nim three.html", "type: perfectplay export nim --html three.html"),
        ("export nim -o x.html", "type: perfectplay export nim --html x.html"),
        ("export nim --timeout 3s --html x.html", "type: perfectplay export nim --time 3s --html x.html"),
        ("serve --timeout 3s", "type: perfectplay serve --time 3s"),
        ("serve nim", "type: perfectplay serve, and open #/game/nim at the address that it prints"),
    ] {
        let ran = run(typed);
        assert_eq!(ran.code, 2, "{typed}: {}", ran.out);
        assert!(ran.err.contains(help), "{typed}: {}", ran.err);
    }
}
