//! How long a game lasts when winners hurry and losers linger.

/// The number of moves to the end under best play, or `None` if play need never end.
///
/// A won position counts the quickest win, a lost one the slowest loss. In a drawn position both sides take the
/// shortest way to a declared draw that keeps the draw.
pub type Remoteness = Option<u32>;
