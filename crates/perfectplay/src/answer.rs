//! Answers: the typed [`Solution`], how it is put together, and its vocabulary.

#[doc(inline)]
pub use game::{End, LoopyNimber, Nim64, Nimber, NimberSet, Outcome, OutcomeClass, Player, Remoteness, Verdict};
#[doc(inline)]
pub use solve::answer::check::{Checked, check};
#[doc(inline)]
pub use solve::answer::claims::{claims, contradicted};
#[doc(inline)]
pub use solve::answer::solution::{AnswerKind, Claim, Solution, SummandAnswer, Winner};
#[doc(inline)]
pub use solve::answer::understood::{Shown, Understood};
#[doc(inline)]
pub use solve::answer::{MOST_MOVES, answer, solution};
#[doc(inline)]
pub use solve::compare::{self, Compare};
#[doc(inline)]
pub use solve::canonical::Canonical;
#[doc(inline)]
pub use solve::picture;
#[doc(inline)]
pub use solve::proof::Proof;
