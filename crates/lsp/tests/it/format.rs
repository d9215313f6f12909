//! The formatter over files whose blanks were put about by chance.

use perfectplay::gallery::GALLERY;
use perfectplay::language::compile;
use perfectplay::language::syntax::lexer::lex;
use perfectplay_lsp::format::format;
use testkit::random::Random;
use testkit::writer::{Style, Writer};

/// A file with other blanks: between words there is a blank at least, lines begin anywhere.
fn messy(source: &str, random: &mut Random) -> String {
    let mut out = String::new();
    for line in source.lines() {
        let code = line.trim_start();
        out.push_str(&" ".repeat(random.below(14usize)));
        let mut quoted = false;
        let mut comment = false;
        let mut letters = code.chars().peekable();
        while let Some(c) = letters.next() {
            quoted ^= c == '"';
            comment |= c == '/' && letters.peek() == Some(&'/') && !quoted;
            out.push(c);
            let next_is_blank = letters.peek().is_none_or(|next| next.is_whitespace() || *next == '\'');
            // A blank may be a character.
            if c == ' ' && !quoted && !comment && letters.peek() != Some(&'\'') {
                out.push_str(&" ".repeat(random.below(3usize)));
            } else if matches!(c, ';' | ',' | '(' | ')') && !quoted && !comment && !next_is_blank && random.one_in(3) {
                out.push(' ');
            }
        }
        out.push_str(&" ".repeat(random.below(3usize)));
        out.push('\n');
        if random.one_in(12) {
            out.push_str("\n \n\t\n");
        }
    }
    out
}

#[test]
fn whatever_the_blanks_the_result_is_settled_and_means_the_same() {
    let mut random = Random::new(3);
    for (name, source) in GALLERY {
        for _ in 0..4 {
            let mess = messy(source, &mut random);
            let neat = format(&mess).unwrap_or_else(|wrong| panic!("{name}: {wrong:?}\n{mess}"));
            assert_eq!(format(&neat).unwrap(), neat, "{name}: a second time changes it\n{mess}");
            assert!(compile(&neat).is_ok(), "{name}");
            assert!(!neat.contains("\n\n\n") && neat.lines().all(|line| line.trim_end() == line), "{name}");
            let comments = |text: &str| text.matches("//").count();
            assert_eq!(comments(&neat), comments(source), "{name}");
        }
    }
}

/// The words and signs of a text, without blanks and comments.
fn words(text: &str) -> Vec<&str> {
    lex(text, 0..text.len())
        .tokens
        .iter()
        .map(|token| &text[token.span.range()])
        .filter(|word| !word.starts_with("//"))
        .collect()
}

#[test]
fn generated_files_keep_their_words_and_are_settled() {
    let mut random = Random::new(17);
    for number in 0..400 {
        let style = if random.one_in(2) { Style::won(&mut random) } else { Style::counted(&mut random, 3) };
        let source = match random.one_in(3) {
            true => Writer::boards(&mut random, style).file(),
            false => Writer::new(&mut random, style).file(),
        };
        let mess = messy(&source, &mut random);
        // All on one line, as an author may have it.
        let line = source.lines().filter(|line| !line.contains("//")).collect::<Vec<_>>().join(" ");
        for text in [&source, &mess, &line] {
            let neat = format(text).unwrap_or_else(|wrong| panic!("{number}: {wrong:?}\n{text}"));
            assert_eq!(format(&neat).unwrap(), neat, "{number}: a second time changes it\n{text}");
            assert_eq!(words(&neat), words(text), "{number}");
            assert_eq!(compile(&neat).is_ok(), compile(text).is_ok(), "{number}");
        }
    }
}

#[test]
fn odd_texts_do_no_harm() {
    let odd = "/// é 😀\r\ngame g {\r\n\tstate { n in 0..=3 = 3; } // über \"{\" // twice\r\n\tmove go when n > 0 { n -= 1; }\r\n}";
    let neat = format(odd).unwrap();
    assert_eq!(
        neat,
        "/// é 😀\ngame g {\n    state { n in 0..=3 = 3; } // über \"{\" // twice\n    move go when n > 0 { n -= 1; }\n}\n"
    );
    for text in ["", "\n\n", "game", "// only a remark", "game g { show \"{\"; }"] {
        assert!(format(text).is_err(), "{text}");
    }
}
