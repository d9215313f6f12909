//! The language: rules files, instances, positions, and what is wrong with them.
//!
//! [`Rules`] are the text; [`Program`] is what the text means; [`Bound`] is a program with an instance, ready to be solved.

use std::sync::Arc;

#[doc(inline)]
pub use rules::bind::{Bound, Position, bind};
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
pub use rules::parameters::example_instance;
#[doc(inline)]
pub use rules::program::{Literal, Param, Program};
#[doc(inline)]
pub use rules::show;
#[doc(inline)]
pub use rules::span::Span;
#[doc(inline)]
pub use rules::suggest::nearest;
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
        compile(&self.source).map(Arc::new).map_err(|wrong| Error::wrong(self, wrong))
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
        bind(&program, &instance).map_err(|wrong| Error::wrong(self, wrong))
    }
}

/// An instance that cannot be read, with the place marked in its own text.
fn unreadable(instance: &str, error: &ValueError) -> Error {
    let at = instance.floor_char_boundary(error.at.min(instance.len()));
    let end = at + instance[at..].chars().next().map_or(0, char::len_utf8);
    let title = format!("the instance cannot be read: {}", error.message);
    let rules = Rules { name: "the instance".to_string(), source: instance.to_string() };
    Error::wrong(&rules, vec![Diagnostic::at(Span::new(at, end), title, "here")])
}
