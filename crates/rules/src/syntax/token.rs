//! Words, numbers and signs of a rules file.

use std::fmt;

use crate::span::Span;

/// One token with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name, or one of the words that are special only in their place.
    Word(String),
    /// A reserved word.
    Keyword(Keyword),
    /// A whole number.
    Int(i64),
    /// `"text"`, with escapes resolved.
    Text(String),
    /// `'x'`, as its code point.
    Char(i64),
    /// A line of `///` text.
    Doc(String),
    /// A sign.
    Sign(Sign),
    /// The end of the file.
    End,
}

macro_rules! spelled {
    ($(#[$meta:meta])* $name:ident { $($variant:ident $text:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs)]
        pub enum $name { $($variant),* }

        impl $name {
            /// All of them with their spelling.
            pub const ALL: &[($name, &str)] = &[$(($name::$variant, $text)),*];

            /// Its spelling.
            pub fn text(self) -> &'static str {
                match self { $($name::$variant => $text),* }
            }
        }
    };
}

spelled! {
    /// Words that cannot be names anywhere.
    Keyword {
        And "and", Break "break", Continue "continue", Else "else", False "false", Fn "fn", For "for", Game "game",
        If "if", In "in", Let "let", Move "move", Mover "mover", Not "not", Opponent "opponent", Or "or",
        Return "return", State "state", Then "then", True "true", Turn "turn", Var "var", When "when",
    }
}

spelled! {
    /// Signs; longer ones first, so that the lexer finds the longest.
    Sign {
        RangeInclusive "..=", Range "..", Equal "==", NotEqual "!=", LessEqual "<=", GreaterEqual ">=",
        Arrow "=>", ResultArrow "->", PlusAssign "+=", MinusAssign "-=", Assign "=", Less "<", Greater ">",
        Plus "+", Minus "-", Star "*", Slash "/", Percent "%", OpenBrace "{", CloseBrace "}", OpenParen "(",
        CloseParen ")", OpenBracket "[", CloseBracket "]", Comma ",", Semicolon ";", Colon ":",
    }
}

/// The token as messages name it: `` `when` ``, `the name n`, `the end of the file`.
impl fmt::Display for TokenKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TokenKind::Word(word) => write!(f, "`{word}`"),
            TokenKind::Keyword(keyword) => write!(f, "`{}`", keyword.text()),
            TokenKind::Int(value) => write!(f, "`{value}`"),
            TokenKind::Text(_) => f.write_str("a text"),
            TokenKind::Char(_) => f.write_str("a character"),
            TokenKind::Doc(_) => f.write_str("a `///` text"),
            TokenKind::Sign(sign) => write!(f, "`{}`", sign.text()),
            TokenKind::End => f.write_str("the end of the file"),
        }
    }
}
