//! The language: rules files, instances, positions, and what is wrong with them.
//!
//! [`Rules`] are the text; [`Program`] is what the text means; [`Bound`] is a program with an instance, ready to be solved.
//!
//! ```
//! use std::sync::Arc;
//! use perfectplay::language::{self, Given, Type, show};
//!
//! let source = "game stones(n: int) { state { left in 0..=n = n; } move take(k in 1..=3) when k <= left { left -= k; } }";
//! let program = Arc::new(language::compile(source).unwrap());
//! assert_eq!((&*program.params[0].name, &program.params[0].ty), ("n", &Type::Int));
//!
//! let instance = language::parse_instance(r#"{"n": 10^3}"#).unwrap();
//! assert_eq!(instance.0[0].1, Given::Int(1000));
//! let game = language::bind(&program, &instance).unwrap();
//! assert_eq!(show::position_text(&game, &game.start), "left = 1000");
//!
//! // What is wrong is said with its place.
//! let mistakes = language::compile("game g { state { left in 0..=3 = m; } move go { left -= 1; } }").unwrap_err();
//! assert_eq!(mistakes[0].label.as_ref().unwrap().0.range(), 33..34);
//! ```
//!
//! The names of what was used there, and of what else can be asked:
//!
//! ```
//! use std::sync::Arc;
//! use perfectplay::language::{
//!     self, Bound, Diagnostic, Fault, Given, Instance, Literal, Param, Position, Program, Span, ValueError, grid, nearest,
//!     parse_given,
//! };
//! use perfectplay::moves;
//!
//! let source = "game stones(n: int = 5) {
//!     state { left in 0..=n = n; }
//!     move take(k in 1..=3) when k <= left { left -= k; }
//!     example { n: 4 } gives { winner: second, remoteness: 2 };
//! }";
//! let program: Program = language::compile(source).unwrap();
//! let parameter: &Param = &program.params[0];
//! assert!(parameter.default.is_some());
//!
//! // An example of the file has an instance, and results that are literals.
//! let example = &program.examples[0];
//! let instance: Instance = language::example_instance(&program, example).unwrap();
//! assert_eq!(instance.0, [("n".to_string(), Given::Int(4))]);
//! assert!(example.gives.iter().any(|(_, value, _)| matches!(value, Literal::Int(2))));
//!
//! // A value by itself, or where it cannot be read.
//! assert_eq!(parse_given("[1, 2]"), Ok(Given::Ints(vec![1, 2])));
//! let ValueError { at, .. } = parse_given("[1, 2").unwrap_err();
//! assert!(at >= 5);
//!
//! // Without a parameter that has a default, the game is bound to that; and a position is what play starts from.
//! let game: Bound = language::bind(&Arc::new(program), &Instance::default()).unwrap();
//! let start: &Position = &game.start;
//! assert_eq!(start.parts[0][0], 5);
//!
//! // Rules that go wrong in a position are a fault; it is a diagnostic with its place.
//! let faulty_text = "game g { state { n in 0..=3 = 3; } move go { n -= 7; } }";
//! let faulty = language::bind(&Arc::new(language::compile(faulty_text).unwrap()), &Instance::default()).unwrap();
//! let fault: Fault = moves::plays(&faulty, &faulty.start).unwrap_err();
//! let diagnostic: &Diagnostic = &fault.diagnostic;
//! let place: Span = diagnostic.label.as_ref().unwrap().0;
//! assert!(!faulty_text[place.range()].is_empty());
//!
//! // The names of the columns of a board, and of things that are misspelt.
//! assert_eq!(grid::column_name(27), "ab");
//! assert_eq!(nearest("winer", ["winner", "value"]), Some("winner"));
//! ```
//!
//! For editors, and for programs that are checked:
//!
//! ```
//! use std::sync::Arc;
//! use perfectplay::language::{self, AnswerField, BUILTINS, Choice, OutputField, Type, judge, syntax};
//!
//! let source = "game stones(n: int) {
//!     state { left in 0..=n = n; }
//!     move take(k in 1..=3) when k <= left { left -= k; }
//!     input \"{n}\\n\";
//!     output winner as \"First\"/\"Second\";
//! }";
//! // The tree is there even where something is wrong, so that an editor has names while somebody types.
//! let (tree, mistakes) = syntax::parser::parse(source);
//! assert!(tree.is_some() && mistakes.is_empty());
//! assert!(BUILTINS.iter().any(|(name, _)| *name == "len"));
//!
//! let program = Arc::new(language::compile(source).unwrap());
//! let choice: &Choice = &program.moves[0].choices[0];
//! assert_eq!((&*choice.name, &choice.ty), ("k", &Type::Int));
//! let output: &OutputField = &program.output.as_ref().unwrap()[0];
//! assert_eq!((output.field, &*output.words[1]), (AnswerField::Winner, "Second"));
//! let game = language::bind(&program, &language::parse_instance(r#"{"n": 7}"#).unwrap()).unwrap();
//! assert_eq!(judge::input_text(&game).unwrap().unwrap(), "7\n");
//! ```

use std::sync::Arc;

#[doc(inline)]
pub use rules::bind::{Bound, Position, bind};
#[doc(inline)]
pub use rules::check::BUILTINS;
#[doc(inline)]
pub use rules::compile;
#[doc(inline)]
pub use rules::diagnostic::Diagnostic;
#[doc(inline)]
pub use rules::fault::Fault;
#[doc(inline)]
pub use rules::grid;
#[doc(inline)]
pub use rules::instance::{Given, Instance, ValueError, parse_given, parse_instance};
#[doc(inline)]
pub use rules::judge;
#[doc(inline)]
pub use rules::parameters::example_instance;
#[doc(inline)]
pub use rules::program::{AnswerField, Choice, Literal, OutputField, Param, Program};
#[doc(inline)]
pub use rules::show;
#[doc(inline)]
pub use rules::span::Span;
#[doc(inline)]
pub use rules::suggest::nearest;
#[doc(inline)]
pub use rules::syntax;
#[doc(inline)]
pub use rules::types::Type;

pub use crate::source::Rules;

use crate::error::Error;

impl Rules {
    /// What the rules mean, checked.
    ///
    /// ```
    /// let nim = perfectplay::language::Rules::gallery("nim").unwrap();
    /// assert_eq!(nim.program()?.params[0].name, "piles");
    /// # Ok::<(), perfectplay::Error>(())
    /// ```
    pub fn program(&self) -> Result<Arc<Program>, Error> {
        compile(&self.source).map(Arc::new).map_err(|wrong| Error::mistakes(self, wrong))
    }

    /// The game for an instance, which is a JSON object of its parameters; what is left out takes its default.
    ///
    /// ```
    /// use perfectplay::language::Rules;
    ///
    /// let nim = Rules::gallery("nim").unwrap();
    /// assert_eq!(nim.bind(r#"{"piles": [3, 4, 5]}"#)?.start.parts.len(), 3);
    /// assert!(nim.bind(r#"{"piles": 3}"#).is_err());
    /// # Ok::<(), perfectplay::Error>(())
    /// ```
    pub fn bind(&self, instance: &str) -> Result<Bound, Error> {
        let program = self.program()?;
        let instance = parse_instance(instance).map_err(|error| unreadable(instance, &error))?;
        bind(&program, &instance).map_err(|wrong| Error::mistakes(self, wrong))
    }
}

/// An instance that cannot be read, with the place marked in its own text.
fn unreadable(instance: &str, error: &ValueError) -> Error {
    let at = instance.floor_char_boundary(error.at.min(instance.len()));
    let end = at + instance[at..].chars().next().map_or(0, char::len_utf8);
    let title = format!("the instance cannot be read: {}", error.message);
    let rules = Rules { name: "the instance".to_string(), source: instance.to_string() };
    Error::mistakes(&rules, vec![Diagnostic::at(Span::new(at, end), title, "here")])
}
