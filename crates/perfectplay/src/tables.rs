//! Tables of all positions in a file, and what such a file says of itself.

pub use solve::stored::{Reader, TablePlan, Unfilled};
pub use table::{Pieces, TableError, TableFile};

use rules::bind::Bound;

use crate::json;
use crate::language::Rules;

/// What a table file says of itself: nothing else is needed to read it.
///
/// ```
/// use perfectplay::language::Rules;
/// use perfectplay::tables::About;
///
/// let rules = Rules::gallery("coins").unwrap();
/// let about = About::new(&rules, &rules.bind(r#"{"coins": [5, 3]}"#)?, "intervals of 2".to_string());
/// assert_eq!(about.instance, r#"{"coins":[5,3]}"#);
/// assert_eq!(About::read(&about.text()), Some(about));
/// assert_eq!(About::read("something else"), None);
/// # Ok::<(), perfectplay::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// The rules.
    pub rules: Rules,
    /// The instance: a JSON object of parameters.
    pub instance: String,
    /// How positions are laid out in pieces. Files with another layout are refused.
    pub layout: String,
}

impl About {
    /// What the table of a game will say.
    ///
    /// See [`About`] for an example.
    pub fn new(rules: &Rules, bound: &Bound, layout: String) -> About {
        About { rules: rules.clone(), instance: json::instance_text(bound), layout }
    }

    /// As the text of a file.
    ///
    /// See [`About`] for an example.
    pub fn text(&self) -> String {
        json::about_text(self)
    }

    /// From the text of a file; `None` if it is something else.
    ///
    /// See [`About`] for an example.
    pub fn read(text: &str) -> Option<About> {
        json::read_about(text)
    }
}
