//! What a table file says of itself, and the object of `build`.

use game::Verdict;
use rules::bind::Bound;
use serde::{Deserialize, Serialize};
use solve::answer::solution::Understood;

use super::Instance;
use crate::source::Rules;

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
        About { rules: rules.clone(), instance: super::instance_text(bound), layout }
    }

    /// As the text of a file.
    ///
    /// See [`About`] for an example.
    pub fn text(&self) -> String {
        let quoted = |text: &str| super::text(&text);
        let About { rules, instance, layout } = self;
        // The instance is JSON already.
        format!(
            "{{\"rules\":{},\"instance\":{instance},\"layout\":{},\"source\":{}}}",
            quoted(&rules.name),
            quoted(layout),
            quoted(&rules.source)
        )
    }

    /// From the text of a file; `None` if it is something else.
    ///
    /// See [`About`] for an example.
    pub fn read(text: &str) -> Option<About> {
        let Read { rules, instance, layout, source } = serde_json::from_str(text).ok()?;
        Some(About { rules: Rules { name: rules, source }, instance: super::text(&instance), layout })
    }
}

#[derive(Deserialize)]
struct Read {
    rules: String,
    instance: serde_json::Map<String, serde_json::Value>,
    layout: String,
    source: String,
}

#[derive(Serialize)]
struct BuiltObject<'b> {
    game: &'b str,
    instance: Instance<'b>,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<i64>,
    file: &'b str,
    layout: &'b str,
    positions: u64,
    bytes: u64,
    seconds: f64,
}

/// The object of `build`, as text: a table of so many positions and bytes in a file, with the verdict on its start.
///
/// ```
/// use perfectplay::{answer::Verdict, json, language::Rules};
///
/// let coins = Rules::gallery("coins").unwrap().bind(r#"{"coins": [5, 3]}"#)?;
/// let text = json::built(&coins, Some(&Verdict::Score(2)), ("coins.table", "intervals of 2"), (6, 4096), 0.5);
/// assert!(text.contains(r#""value":2,"file":"coins.table","layout":"intervals of 2","positions":6"#));
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub fn built(
    bound: &Bound,
    verdict: Option<&Verdict>,
    (file, layout): (&str, &str),
    (positions, bytes): (u64, u64),
    seconds: f64,
) -> String {
    let value = match verdict {
        Some(Verdict::Score(value)) => Some(*value),
        _ => None,
    };
    let (game, instance) = (&*bound.program.name, Understood::new(bound));
    let instance = Instance(&instance);
    super::text(&BuiltObject { game, instance, kind: "score", value, file, layout, positions, bytes, seconds })
}
