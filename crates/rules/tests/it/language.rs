//! The language reference tells the truth: its games compile, and its list of reserved words is the language's.

use rules::syntax::token::Keyword;

fn page() -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/language.md");
    std::fs::read_to_string(path).expect("the language reference exists")
}

/// The contents of the fenced blocks of this kind.
fn blocks(page: &str, kind: &str) -> Vec<String> {
    let opening = format!("```{kind}\n");
    page.split(&opening)
        .skip(1)
        .filter_map(|rest| rest.split("\n```").next())
        .map(|block| format!("{block}\n"))
        .collect()
}

#[test]
fn the_games_of_the_reference_compile() {
    let games = blocks(&page(), "game");
    assert!(games.len() >= 10, "only {} games", games.len());
    for source in games {
        if let Err(diagnostics) = rules::compile(&source) {
            panic!("{}\n{source}", rules::report::report("docs/language.md", &source, &diagnostics, false));
        }
    }
}

#[test]
fn the_reference_lists_the_reserved_words_and_the_fields() {
    let lists = blocks(&page(), "text");
    let words: Vec<&str> = lists[0].split_whitespace().collect();
    let reserved: Vec<&str> = Keyword::ALL.iter().map(|(_, text)| *text).collect();
    assert_eq!(words, reserved);
    let mut fields: Vec<&str> = lists[1].split_whitespace().collect();
    let mut known = rules::check::FIELDS.to_vec();
    fields.sort_unstable();
    known.sort_unstable();
    assert_eq!(fields, known);
}

#[test]
fn the_reference_names_every_item_and_builtin() {
    let page = page();
    for item in rules::syntax::items::ITEMS {
        assert!(page.contains(&format!("`{item} ")), "the item {item} is missing");
    }
    for (name, _) in rules::check::BUILTINS {
        assert!(page.contains(&format!("`{name}(")), "the function {name} is missing");
    }
}
