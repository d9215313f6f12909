//! Rules files that are nearly right: games of the gallery with tokens changed as the fuzzer's bytes say.

use std::path::Path;
use std::sync::OnceLock;

use rules::syntax::lexer::lex;
use rules::syntax::token::TokenKind;

/// A token with the blanks and comments before it.
#[derive(Clone)]
struct Piece {
    lead: String,
    text: String,
    is_word: bool,
}

impl Piece {
    fn new(text: &str) -> Piece {
        Piece { lead: " ".to_string(), text: text.to_string(), is_word: false }
    }
}

/// The games of the gallery, each cut into its tokens.
fn gallery() -> &'static Vec<Vec<Piece>> {
    static GALLERY: OnceLock<Vec<Vec<Piece>>> = OnceLock::new();
    GALLERY.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games");
        let entries = std::fs::read_dir(folder).expect("the gallery exists").flatten();
        let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        let read = |path: &std::path::PathBuf| std::fs::read_to_string(path).ok();
        paths.iter().filter_map(read).map(|source| pieces(&source)).collect()
    })
}

fn pieces(source: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut end = 0;
    for token in lex(source, 0..source.len()).tokens {
        let range = token.span.range();
        let lead = source[end..range.start].to_string();
        end = range.end;
        let is_word = matches!(token.kind, TokenKind::Word(_));
        pieces.push(Piece { lead, text: source[range].to_string(), is_word });
    }
    pieces
}

/// Tokens that may stand for one another without harm to the grammar, and often to the types.
const CLASSES: &[&[&str]] = &[
    &["+", "-", "*", "/", "%"],
    &["==", "!=", "<", "<=", ">", ">="],
    &["and", "or"],
    &["..", "..="],
    &["+=", "-=", "="],
    &["min", "max", "sum", "xor", "gcd", "len"],
    &["any", "all", "count"],
    &["first", "second", "third", "mover", "opponent"],
    &["true", "false"],
    &["win", "lose", "draw"],
    &["break", "continue"],
    &["0", "1", "2", "3", "4", "7", "63", "100", "1000"],
];

/// Another token of the same class: a sign for a sign, a number for a number, a name of the file for a name.
fn alike(tokens: &[Piece], at: usize, other: usize) -> Option<String> {
    let text = tokens[at].text.as_str();
    if let Some(class) = CLASSES.iter().find(|class| class.contains(&text)) {
        return Some(class[other % class.len()].to_string());
    }
    let names: Vec<&Piece> = tokens.iter().filter(|piece| piece.is_word).collect();
    (tokens[at].is_word && !names.is_empty()).then(|| names[other % names.len()].text.clone())
}

/// Tokens that fit in many places.
const SPICE: &[&str] = &[
    "0",
    "1",
    "2",
    "-1",
    "9223372036854775807",
    "n",
    "not",
    "and true",
    "or false",
    "+ 1",
    "- 1",
    "* 2",
    "/ 0",
    "% 2",
    "..",
    "..=",
    "mover",
    "opponent",
    "true",
    "false",
    "{}",
    "[]",
    "[0; 2]",
    "{0, 1}",
    "len(",
    "sum(",
    "max(",
    ")",
    "in",
    "0..3",
    "== 0",
    "again;",
    "gain 1;",
    "turn = first;",
    "split;",
    "split (0), (1);",
    "if true {",
    "}",
    "for q in 0..3 {",
    "break;",
    "stuck => win;",
    "stuck => score 1;",
    "players 3;",
    "starts second;",
    "forever => winner first;",
    "objective own;",
    "measure 1;",
    "first",
    "second",
    "winner second",
    "score 3",
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
        let spice = Piece::new(SPICE[usize::from(*other) % SPICE.len()]);
        match what % 16 {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[at].clone()),
            2 => tokens.swap(at, near),
            3 => tokens[at] = tokens[near].clone(),
            4 => tokens[at] = spice,
            5 => tokens.insert(at, spice),
            6 => {
                let foreign = &games[usize::from(*other) % games.len()];
                tokens[at] = foreign[at % foreign.len()].clone();
            }
            // From here on: the next token that has others of its kind.
            _ => {
                let mut places = (at..tokens.len()).chain(0..at);
                let change = places.find_map(|at| alike(&tokens, at, usize::from(*other)).map(|text| (at, text)));
                if let Some((at, text)) = change {
                    tokens[at].text = text;
                }
            }
        }
    }
    tokens.iter().flat_map(|piece| [piece.lead.as_str(), piece.text.as_str()]).collect()
}
