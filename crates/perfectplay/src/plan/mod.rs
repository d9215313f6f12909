//! Plans: what is done with a game, why, and at what cost. [`Explanation`] is a plan with all that is known of the game.
//!
//! ```
//! use perfectplay::plan::{Code, Cost, Fact, Facts, Kind, MethodName, PassedOver, Plan, Reason, Unit};
//! use perfectplay::{Solver, language::Rules};
//!
//! let game = Rules::gallery("tic_tac_toe").unwrap().bind("{}")?;
//! let plan: Plan<'_> = Solver::new().plan(&game)?;
//! let facts: &Facts = plan.facts();
//! let Fact { holds, why } = &facts.impartial;
//! assert!(facts.kind == Kind::Outcome && !holds && !why.is_empty());
//!
//! // Which method, why, what runs the rules, and what it will take.
//! let method: MethodName = plan.method();
//! assert!(!plan.why().is_empty() && matches!(plan.code(), Code::Interpreted(_) | Code::Compiled { .. }));
//! let Cost { positions, .. } = plan.cost();
//! assert_eq!((positions, plan.unit()), (Some(5478), Unit::Position));
//!
//! // Which methods were passed over, and why; and which were tried before and gave up.
//! let others: &[PassedOver] = plan.passed_over();
//! assert!(others.iter().all(|other| other.method != method && !other.why.is_empty()));
//! let given_up: &[(MethodName, Reason)] = plan.given_up();
//! assert!(given_up.is_empty());
//! # Ok::<(), perfectplay::Error>(())
//! ```

mod explanation;
mod sum;

pub use explanation::{Explanation, LOOK, Property, Taken, ToldBy, explain, order_of};
#[doc(inline)]
pub use solve::case::{Facts, Kind};
#[doc(inline)]
pub use solve::chooser::plan;
#[doc(inline)]
pub use solve::error::Reason;
#[doc(inline)]
pub use solve::facts::Fact;
#[doc(inline)]
pub use solve::methods::{Code, Cost, Unit};
#[doc(inline)]
pub use solve::options::MethodName;
#[doc(inline)]
pub use solve::plan::{PassedOver, Plan};
pub use sum::{SumExplanation, SummandExplanation, explain_sum};

/// The names of all methods, in the order in which they are looked at.
///
/// ```
/// assert!(perfectplay::plan::methods().any(|method| method.name() == "retrograde"));
/// ```
pub fn methods() -> impl Iterator<Item = MethodName> {
    solve::methods::names()
}

/// The name of a method that was typed.
///
/// ```
/// assert_eq!(perfectplay::plan::method("fill").unwrap().name(), "fill");
/// assert_eq!(perfectplay::plan::method("magic"), None);
/// ```
pub fn method(name: &str) -> Option<MethodName> {
    solve::methods::find(name)
}

/// What a method does, in a line for people who choose one.
///
/// ```
/// use perfectplay::plan;
///
/// assert!(plan::methods().all(|method| !plan::about(method).is_empty()));
/// ```
pub fn about(method: MethodName) -> &'static str {
    solve::methods::about(method)
}
