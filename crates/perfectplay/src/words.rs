//! Results in words and in a few signs, for front ends that show them beside a board.
//!
//! ```
//! use perfectplay::words::{mark, short};
//! use perfectplay::answer::{Outcome, Verdict};
//!
//! let won = Verdict::outcome_in(Outcome::Win, Some(3));
//! assert_eq!((mark(&won, false), short(&won, false)), ("win", "W 3".to_string()));
//! assert_eq!(short(&Verdict::Score(-5), false), "−5");
//! ```
//!
//! Some searches do not count moves. So a draw whose length is not told is one without end only where positions are known to repeat:
//! who asks says whether they do ([`repeats`]).

use game::{End, LoopyNimber, Outcome, Player, Verdict};
use rules::bind::{Bound, Position};
use serde::Serialize;
use solve::answer::solution::Winner;
use solve::answers::RatedMove;
use solve::error::SolveError;
use solve::solved::Solved;

use crate::numbers::plural;

/// What best play brings, told of the whole game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Told {
    /// In words.
    pub words: String,
    /// In a few signs.
    pub short: String,
    /// How it looks for the player to move.
    pub mark: &'static str,
    /// Who wins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<String>,
    /// What each player has in the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub totals: Option<Vec<i64>>,
}

/// One line of best play from a position on: what everyone gains with it, and how many moves it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rest {
    /// What each player gains.
    pub gains: Vec<i64>,
    /// How many moves.
    pub moves: u64,
}

/// Whether the positions of a solved game are known to repeat.
pub fn repeats(solved: &Solved<'_>) -> bool {
    solved.report.repeats()
}

/// Whether nobody can bring the game to an end.
fn is_endless(verdict: &Verdict, repeats: bool) -> bool {
    match verdict {
        Verdict::Outcome { .. } => repeats && verdict.remoteness().is_none(),
        Verdict::Loopy(_) => true,
        _ => false,
    }
}

/// How a verdict looks for the player that it is told of.
pub fn mark(verdict: &Verdict, repeats: bool) -> &'static str {
    match verdict {
        Verdict::Score(value) => by_sign(*value),
        Verdict::Payoffs { .. } => "payoffs",
        other => match other.outcome() {
            Some(Outcome::Win) => "win",
            Some(Outcome::Loss) => "lose",
            Some(Outcome::Draw) if is_endless(other, repeats) => "endless",
            Some(Outcome::Draw) => "draw",
            None => "unknown",
        },
    }
}

fn by_sign(value: i64) -> &'static str {
    match value.signum() {
        1 => "ahead",
        -1 => "behind",
        _ => "equal",
    }
}

/// A verdict in a few signs: `+5`, `W 3`, `L 4`, `D`, `∞`.
pub fn short(verdict: &Verdict, repeats: bool) -> String {
    match verdict {
        Verdict::Score(value) => signed(*value),
        Verdict::Payoffs { totals, .. } => totals.iter().map(i64::to_string).collect::<Vec<_>>().join(":"),
        other => {
            let letter = match mark(other, repeats) {
                "win" => "W",
                "lose" => "L",
                "endless" => return "∞".to_string(),
                "draw" => "D",
                _ => return "?".to_string(),
            };
            other.remoteness().map_or(letter.to_string(), |moves| format!("{letter} {moves}"))
        }
    }
}

fn signed(value: i64) -> String {
    match value.signum() {
        1 => format!("+{value}"),
        -1 => format!("−{}", value.unsigned_abs()),
        _ => "0".to_string(),
    }
}

/// `First`, `Player 3`.
pub fn player(player: Player) -> String {
    let name = player.to_string();
    let mut letters = name.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// The totals in the order of the players; of two, what the winner has comes first.
fn totals_text(totals: &[i64]) -> String {
    match totals {
        [one, other] => format!("{} to {}", one.max(other), one.min(other)),
        all => all.iter().map(i64::to_string).collect::<Vec<_>>().join(" : "),
    }
}

fn in_moves(moves: Option<u64>) -> String {
    moves.map_or(String::new(), |moves| format!(" in {}", plural(moves, "move")))
}

/// What a move is worth to the player who makes it, in words.
pub fn worth(mv: &RatedMove, repeats: bool) -> String {
    let nimber = match &mv.leaves {
        Some(LoopyNimber::Finite(nimber)) => format!(", to nimber {nimber}"),
        Some(infinite) => format!(", to {infinite}"),
        None => String::new(),
    };
    match &mv.worth {
        Verdict::Score(value) => signed(*value),
        Verdict::Payoffs { totals, .. } => totals_text(totals),
        verdict => {
            let moves = in_moves(verdict.remoteness().map(u64::from));
            match mark(verdict, repeats) {
                "win" => format!("wins{moves}{nimber}"),
                "lose" => format!("loses{moves}{nimber}"),
                "endless" => format!("draws without end{nimber}"),
                _ => format!("draws{moves}{nimber}"),
            }
        }
    }
}

/// What best play brings from a position on. `so_far` is what everyone has gained before, where that is known and counted; `rest` is
/// a line of best play, where it was looked for.
pub fn standing(mover: Player, verdict: &Verdict, repeats: bool, so_far: Option<&[i64]>, rest: Option<&Rest>) -> Told {
    let (mark, short) = (mark(verdict, repeats), short(verdict, repeats));
    match verdict {
        Verdict::Score(value) => scored(mover, *value, so_far, rest),
        Verdict::Payoffs { totals, .. } => {
            let all = match so_far {
                Some(so_far) => totals.iter().zip(so_far).map(|(one, other)| one.saturating_add(*other)).collect(),
                None => totals.to_vec(),
            };
            let winner = won(&all);
            let words = match (&winner, so_far) {
                (_, None) => format!("From here on the totals are {}", totals_text(&all)),
                (Some(winner), _) => format!("{} wins, {}", player(*winner), totals_text(&all)),
                (None, _) => format!("Nobody wins alone, {}", totals_text(&all)),
            };
            let totals = so_far.map(|_| all);
            Told { words, short, mark, winner: winner.map(|winner| winner.to_string()), totals }
        }
        other => {
            let moves = in_moves(other.remoteness().map(u64::from));
            let nimber = match (other.nimber(), other.infinite()) {
                (Some(nimber), _) => format!("; nimber {nimber}"),
                (_, Some(set)) => format!("; loopy nimber ∞{set}"),
                _ => String::new(),
            };
            let winner = match other.outcome() {
                Some(Outcome::Win) => Some(mover),
                Some(Outcome::Loss) => Some(mover.other()),
                _ => None,
            };
            let words = match (winner, mark) {
                (Some(winner), _) => format!("{} wins{moves}{nimber}", player(winner)),
                (None, "endless") => format!("A draw without end{nimber}"),
                (None, _) => format!("A draw{moves}{nimber}"),
            };
            let winner = winner.map_or("draw".to_string(), |winner| winner.to_string());
            Told { words, short, mark, winner: Some(winner), totals: None }
        }
    }
}

fn scored(mover: Player, value: i64, so_far: Option<&[i64]>, rest: Option<&Rest>) -> Told {
    let ahead = |lead: i64| if lead > 0 { mover } else { mover.other() };
    let Some(so_far) = so_far else {
        let words = match value {
            0 => "From here on both get the same".to_string(),
            value => format!("From here on {} gets {} more", ahead(value), value.unsigned_abs()),
        };
        return Told { words, short: signed(value), mark: by_sign(value), winner: None, totals: None };
    };
    let seat = |player: Player| so_far.get(usize::from(player.0)).copied().unwrap_or(0);
    let lead = value.saturating_add(seat(mover)).saturating_sub(seat(mover.other()));
    let totals: Option<Vec<i64>> =
        rest.map(|rest| rest.gains.iter().zip(so_far).map(|(one, other)| one.saturating_add(*other)).collect());
    let told = totals.as_ref().map_or(String::new(), |totals| format!(", {}", totals_text(totals)));
    let moves =
        rest.filter(|rest| rest.moves > 0).map_or(String::new(), |rest| format!(",{}", in_moves(Some(rest.moves))));
    let words = match lead {
        0 => format!("Equal scores{told}{moves}"),
        lead => format!("{} wins by {}{told}{moves}", player(ahead(lead)), lead.unsigned_abs()),
    };
    let winner = if lead == 0 { "draw".to_string() } else { ahead(lead).to_string() };
    Told { words, short: signed(lead), mark: by_sign(lead), winner: Some(winner), totals }
}

fn won(totals: &[i64]) -> Option<Player> {
    match Winner::by_totals(totals) {
        Some(Winner::Player(player)) => Some(player),
        _ => None,
    }
}

/// How a game that is over has ended.
pub fn ending(bound: &Bound, position: &Position, so_far: Option<&[i64]>) -> Result<Told, SolveError> {
    let mover = position.turn;
    let told = |words: String, winner: Option<Player>, draw: bool| {
        let mark = match winner {
            Some(winner) if winner == mover => "win",
            Some(_) => "lose",
            None if draw => "draw",
            None => "payoffs",
        };
        let short = "end".to_string();
        let winner = winner.map(|winner| winner.to_string()).or(draw.then(|| "draw".to_string()));
        Told { words, short, mark, winner, totals: None }
    };
    let has_won = |winner: Player| told(format!("{} has won", player(winner)), Some(winner), false);
    Ok(match crate::moves::end(bound, position)? {
        Some(End::Outcome(Outcome::Win)) => has_won(mover),
        Some(End::Outcome(Outcome::Loss)) => has_won(mover.other()),
        Some(End::Outcome(Outcome::Draw)) => told("A draw".to_string(), None, true),
        Some(End::Gains(last)) if bound.program.counted => {
            let Some(so_far) = so_far else { return Ok(told("The game is over".to_string(), None, false)) };
            let add = |(a, b): (&i64, &i64)| a.checked_add(*b).ok_or(SolveError::Overflow);
            let all = so_far.iter().zip(&last).map(add).collect::<Result<Vec<i64>, _>>()?;
            let mut found = match won(&all) {
                Some(winner) => {
                    let by = match all[..] {
                        [one, other] => format!(" by {}", one.abs_diff(other)),
                        _ => String::new(),
                    };
                    told(format!("{} has won{by}, {}", player(winner), totals_text(&all)), Some(winner), false)
                }
                None if all.len() == 2 => told(format!("Equal scores, {}", totals_text(&all)), None, true),
                None => told(format!("Nobody has won alone, {}", totals_text(&all)), None, false),
            };
            if all.len() == 2 {
                let (mine, other) = (all[usize::from(mover.0) % 2], all[usize::from(mover.other().0) % 2]);
                found.mark = by_sign(mine.saturating_sub(other));
            }
            found.totals = Some(all);
            found
        }
        Some(End::Gains(gains)) => match won(&gains) {
            Some(winner) => has_won(winner),
            None if gains.iter().all(|gain| *gain == 0) => told("A draw".to_string(), None, true),
            None => told("Nobody has won alone".to_string(), None, false),
        },
        None => told("Nothing is left to move".to_string(), None, false),
    })
}

/// What is told where nothing is known.
pub fn unknown() -> Told {
    let words = "Not solved".to_string();
    Told { words, short: "?".to_string(), mark: "unknown", winner: None, totals: None }
}
