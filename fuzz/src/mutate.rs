//! Rules files that are nearly right: games of the gallery with tokens changed as the fuzzer's bytes say.

use std::path::Path;
use std::sync::OnceLock;

use rules::syntax::lexer::lex;

/// The games of the gallery, each cut into its tokens with the blanks before them.
fn gallery() -> &'static Vec<Vec<String>> {
    static GALLERY: OnceLock<Vec<Vec<String>>> = OnceLock::new();
    GALLERY.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games");
        let entries = std::fs::read_dir(folder).expect("the gallery exists").flatten();
        let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        let read = |path: &std::path::PathBuf| std::fs::read_to_string(path).ok();
        paths.iter().filter_map(read).map(|source| pieces(&source)).collect()
    })
}

fn pieces(source: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for token in lex(source, 0..source.len()).tokens {
        let end = token.span.end as usize;
        pieces.push(source[start..end].to_string());
        start = end;
    }
    pieces
}

/// Tokens that fit in many places.
const SPICE: &[&str] = &[
    " 0", " 1", " 2", " -1", " 9223372036854775807", " n", " not", " and true", " or false", " + 1", " - 1", " * 2",
    " / 0", " % 2", " ..", " ..=", " mover", " opponent", " true", " false", " {}", " []", " [0; 2]", " {0, 1}", " len(",
    " sum(", " max(", " )", " in", " 0..3", " == 0", " again;", " gain 1;", " turn = first;", " split;", " split (0), (1);",
    " if true {", " }", " for q in 0..3 {", " break;", " stuck => win;", " stuck => score 1;", " players 3;", " starts second;",
    " forever => winner first;", " objective own;", " measure 1;", " first", " second", " winner second", " score 3",
];

/// A game of the gallery, mutated: the first byte picks it, the rest says what to change where.
pub fn mutated(bytes: &[u8]) -> String {
    let games = gallery();
    let (&pick, mut rest) = bytes.split_first().unwrap_or((&0, &[]));
    let mut tokens = games[usize::from(pick) % games.len()].clone();
    while let [what, high, low, other, more @ ..] = rest {
        rest = more;
        if tokens.is_empty() {
            break;
        }
        let at = (usize::from(*high) << 8 | usize::from(*low)) % tokens.len();
        let near = (at + usize::from(*other)) % tokens.len();
        match what % 8 {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[at].clone()),
            2 => tokens.swap(at, near),
            3 => tokens[at] = tokens[near].clone(),
            4 => tokens.insert(at, tokens[near].clone()),
            5 => tokens[at] = SPICE[usize::from(*other) % SPICE.len()].to_string(),
            6 => tokens.insert(at, SPICE[usize::from(*other) % SPICE.len()].to_string()),
            _ => {
                let foreign = &games[usize::from(*other) % games.len()];
                tokens[at] = foreign[at % foreign.len()].clone();
            }
        }
    }
    tokens.concat()
}
