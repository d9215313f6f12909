//! One file, and what an editor asks of it.

use perfectplay::language::syntax::items::ITEMS;
use perfectplay::language::syntax::lexer::lex;
use perfectplay::language::syntax::parser::parse;
use perfectplay::language::syntax::token::{Keyword, TokenKind};
use perfectplay::language::{BUILTINS, Diagnostic, Program, Span, compile};

use crate::names::{Definition, Kind, Names};

/// A file that is open in an editor.
pub struct Document {
    /// Its text.
    pub text: String,
    /// What is wrong with it.
    pub mistakes: Vec<Diagnostic>,
    names: Names,
    program: Option<Program>,
}

/// A word that can stand somewhere.
pub struct Suggestion {
    /// The word.
    pub word: String,
    /// What it is, in words.
    pub what: String,
    /// What it stands for, if it is a name of the file.
    pub kind: Option<Kind>,
    /// Whether it is a function.
    pub is_function: bool,
}

impl Document {
    /// Reads a file.
    pub fn new(text: String) -> Document {
        let (file, _) = parse(&text);
        let names = file.as_ref().map(Names::of).unwrap_or_default();
        let (program, mistakes) = match compile(&text) {
            Ok(program) => (Some(program), Vec::new()),
            Err(mistakes) => (None, mistakes),
        };
        Document { text, mistakes, names, program }
    }

    /// Where the name at a byte is declared.
    pub fn definition(&self, byte: usize) -> Option<Span> {
        let (_, index) = self.names.at(byte)?;
        Some(self.names.definitions[index].span)
    }

    /// Everywhere that the name at a byte is used, its declaration included.
    pub fn uses(&self, byte: usize) -> Vec<Span> {
        self.names.at(byte).map_or_else(Vec::new, |(_, index)| self.names.uses_of(index))
    }

    /// What the name at a byte is: its declaration with its domain, its type, and what kind of name it is; and where it stands.
    pub fn hover(&self, byte: usize) -> Option<(Span, String)> {
        if let Some((span, index)) = self.names.at(byte) {
            let definition = &self.names.definitions[index];
            let code = self.declaration(definition);
            let number = definition.number.map_or(String::new(), |number| format!(", number {number}"));
            let ty = self.ty(definition).map_or(String::new(), |ty| format!(" of type `{ty}`"));
            return Some((span, format!("```game\n{code}\n```\n{}{number}{ty}", definition.kind.words())));
        }
        let (span, word) = self.word(byte)?;
        is_built_in(&word).then(|| (span, format!("```game\n{word}(…)\n```\nbuilt-in function")))
    }

    /// The declaration of a name, on one line.
    fn declaration(&self, definition: &Definition) -> String {
        let text = self.text.get(definition.whole.range()).unwrap_or(&definition.name);
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let before = match definition.kind {
            Kind::Let | Kind::Local => "let ",
            Kind::Function => "fn ",
            Kind::Loop => "for ",
            _ => "",
        };
        perfectplay::language::show::cut(300, &format!("{before}{line}"))
    }

    /// The type of a name, where the checker has worked it out.
    fn ty(&self, definition: &Definition) -> Option<String> {
        let program = self.program.as_ref()?;
        let at = definition.span;
        let params = program.params.iter().map(|param| (param.span, &param.ty));
        let lets = program.lets.iter().map(|item| (item.span, &item.value.ty));
        let variables = program.variables.iter().map(|variable| (variable.span, &variable.ty));
        let choices = program.moves.iter().flat_map(|rule| &rule.choices).map(|choice| (choice.span, &choice.ty));
        let mut all = params.chain(lets).chain(variables).chain(choices);
        all.find(|(span, _)| *span == at).map(|(_, ty)| ty.to_string()).or_else(|| {
            let functions = program.functions.iter().find(|function| function.span == at);
            functions.map(|function| function.result.to_string())
        })
    }

    /// The word at a byte.
    fn word(&self, byte: usize) -> Option<(Span, String)> {
        let tokens = lex(&self.text, 0..self.text.len()).tokens;
        let touches = |span: Span| (span.start as usize) <= byte && byte <= span.end as usize;
        tokens.into_iter().find_map(|token| match token.kind {
            TokenKind::Word(word) if touches(token.span) => Some((token.span, word)),
            _ => None,
        })
    }

    /// Words that can stand at a byte: names that are known there, functions, words of the language.
    pub fn suggestions(&self, byte: usize) -> Vec<Suggestion> {
        let mut found: Vec<Suggestion> = Vec::new();
        let known = |definition: &Definition| {
            definition.within.is_none_or(|span| (span.start as usize) <= byte && byte <= span.end as usize + 1)
        };
        for definition in self.names.definitions.iter().filter(|definition| known(definition)) {
            if found.iter().any(|other| other.word == definition.name) {
                continue;
            }
            found.push(Suggestion {
                word: definition.name.clone(),
                what: self.declaration(definition),
                kind: Some(definition.kind),
                is_function: definition.kind == Kind::Function,
            });
        }
        let mut add = |word: &str, what: &str, is_function: bool| {
            if !found.iter().any(|other| other.word == word) {
                found.push(Suggestion { word: word.to_string(), what: what.to_string(), kind: None, is_function });
            }
        };
        BUILTINS.iter().for_each(|(name, _)| add(name, "built-in function", true));
        Keyword::ALL.iter().for_each(|(_, text)| add(text, "reserved word", false));
        ITEMS.iter().for_each(|word| add(word, "item", false));
        [
            "gain", "again", "split", "win", "lose", "draw", "winner", "score", "payoffs", "first", "second", "set",
            "bool",
        ]
        .iter()
        .for_each(|word| add(word, "word of the language", false));
        found
    }

    /// The places to change so that the name at a byte is another one; or why that cannot be.
    pub fn rename(&self, byte: usize, new: &str) -> Result<Vec<Span>, String> {
        let Some((_, index)) = self.names.at(byte) else {
            return Err("there is no name of this file here".to_string());
        };
        let tokens = lex(new, 0..new.len());
        let is_name = matches!(&tokens.tokens[..], [token, _] if matches!(token.kind, TokenKind::Word(_)) && token.span.range() == (0..new.len()));
        if !is_name || !tokens.diagnostics.is_empty() {
            return Err(format!(
                "`{new}` is not a name: names consist of letters, digits and _, and some words are reserved"
            ));
        }
        let places = self.names.uses_of(index);
        let renamed = replaced(&self.text, &places, new);
        // Every name must stand for the same as before: nothing may be hidden or caught by the new one.
        let again = Document::new(renamed);
        let shape = |document: &Document| -> Vec<usize> { document.names.uses.iter().map(|(_, of)| *of).collect() };
        if shape(&again) != shape(self) || again.mistakes.len() != self.mistakes.len() {
            return Err(format!("`{new}` means something else here already"));
        }
        Ok(places)
    }
}

/// A text with other words at some places, which are in order.
pub fn replaced(text: &str, places: &[Span], new: &str) -> String {
    let mut out = String::new();
    let mut end = 0;
    for place in places {
        let range = place.range();
        out.push_str(text.get(end..range.start).unwrap_or_default());
        out.push_str(new);
        end = range.end;
    }
    out.push_str(text.get(end..).unwrap_or_default());
    out
}

/// Whether a built-in function has this name.
fn is_built_in(name: &str) -> bool {
    BUILTINS.iter().any(|(known, _)| *known == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "game g(n: int, row: [int] = [1]) {
    let most = n + 1;
    fn twice(x: int) -> int { let y = x * 2; y + most }
    state { left in 0..=most = n; at in {low, high} = low; }
    move take(k in 1..=3) when k <= left and twice(k) > 0 { left -= k; at = high; for n2 in row { left -= n2; } }
    move other(k in 1..=2) when any(k == r for r in row) { left -= k; }
    sample { n in 0..=9; }
    show \"{left} of {n}\";
    input \"{n} {row}\";
    example { n: 3 } gives { winner: first };
}
";

    fn at(needle: &str, add: usize) -> usize {
        TEXT.find(needle).unwrap() + add
    }

    fn named(document: &Document, byte: usize) -> Vec<&str> {
        document.uses(byte).into_iter().map(|span| &TEXT[span.range()]).collect()
    }

    #[test]
    fn names_lead_to_their_declarations() {
        let document = Document::new(TEXT.to_string());
        assert!(document.mistakes.is_empty(), "{:?}", document.mistakes);
        assert_eq!(document.definition(at("{n} {row}", 1)).unwrap().range().start, 7);
        assert_eq!(named(&document, at("n: int", 0)), vec!["n"; 7]);
        assert_eq!(document.definition(at("y + most", 0)).unwrap().range().start, at("y = x", 0));
        assert_eq!(named(&document, at("k in 1..=3", 0)).len(), 4);
        assert_eq!(named(&document, at("low, high", 5)).len(), 2);
        assert_eq!(document.definition(at("twice(k)", 0)).unwrap().range().start, at("twice(x", 0));
        assert!(document.definition(at("first", 0)).is_none());
    }

    #[test]
    fn hovers_tell_types_and_domains() {
        let document = Document::new(TEXT.to_string());
        let hover = |byte| document.hover(byte).map(|(_, text)| text).unwrap_or_default();
        assert!(hover(at("left -= k", 0)).contains("left in 0..=most = n"), "{}", hover(at("left -= k", 0)));
        assert!(hover(at("left -= k", 0)).contains("variable of the position of type `int`"));
        assert!(hover(at("row {", 0)).contains("of type `[int]`"));
        assert!(hover(at("twice(k)", 0)).contains("fn twice(x: int) -> int"));
        assert!(hover(at("high;", 0)).contains("number 1"));
        assert!(hover(at("any(", 0)).contains("built-in"));
        assert_eq!(document.hover(at("game", 0)), None);
    }

    #[test]
    fn a_new_name_changes_nothing_else() {
        let document = Document::new(TEXT.to_string());
        let rename = |byte, new: &str| document.rename(byte, new).map(|places| replaced(TEXT, &places, new));
        let renamed = rename(at("n: int", 0), "size").unwrap();
        assert!(renamed.contains("show \"{left} of {size}\"") && renamed.contains("example { size: 3 }"), "{renamed}");
        assert!(Document::new(renamed).mistakes.is_empty());
        let renamed = rename(at("k in 1..=3", 0), "taken").unwrap();
        assert!(renamed.contains("move other(k in 1..=2)") && renamed.contains("twice(taken)"), "{renamed}");
        for (byte, new) in [
            (at("x: int", 0), "most"),
            (at("n: int", 0), "row"),
            (at("left in", 0), "when"),
            (at("left in", 0), "a b"),
            (at("left in", 0), ""),
            (at("left in", 0), "first"),
        ] {
            assert!(document.rename(byte, new).is_err(), "{new}");
        }
        assert!(document.rename(at("game", 0), "x").is_err());
    }

    #[test]
    fn suggestions_know_what_is_known_where() {
        let document = Document::new(TEXT.to_string());
        let words = |byte| document.suggestions(byte).into_iter().map(|found| found.word).collect::<Vec<_>>();
        let inside = words(at("y + most", 0));
        for word in ["n", "left", "most", "twice", "x", "y", "high", "popcount", "if", "state"] {
            assert!(inside.contains(&word.to_string()), "{word}");
        }
        assert!(!words(at("sample", 0)).contains(&"x".to_string()));
    }
}
