//! `export --html`: one page that needs nothing else.

use serde_json::Value;

use crate::support::{Folder, run};

#[test]
fn a_page_to_keep_has_everything_in_it() {
    let folder = Folder::new();
    let file = folder.0.join("coins.html");
    let ran = run(&format!("export coins [5,3,7,10] --html {}", file.display()));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let page = std::fs::read_to_string(&file).unwrap();
    assert!(!page.contains("<link rel=\"stylesheet\"") && !page.contains(" src=\""), "nothing is fetched");
    let data = page.split("id=\"offline\">").nth(1).and_then(|rest| rest.split("</script>").next()).unwrap();
    let data: Value = serde_json::from_str(data).unwrap();
    let positions = data["positions"].as_array().unwrap();
    assert_eq!((data["start"].as_u64(), positions[0]["position"].as_str()), (Some(0), Some("i = 0, j = 4")));
    for position in positions {
        for mv in position["moves"].as_array().unwrap() {
            let to = &positions[mv["to"].as_u64().unwrap() as usize];
            assert_ne!(to["position"], position["position"]);
        }
    }
}

#[test]
fn a_game_that_is_too_large_for_a_page_is_refused() {
    let folder = Folder::new();
    let file = folder.0.join("large.html");
    let ran = run(&format!("export hex size=5 --html {}", file.display()));
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("more than 6000 positions"), "{}", ran.err);
    assert!(!file.exists());
}
