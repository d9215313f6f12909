//! Results in words and in a few signs, for front ends that show them beside a board.
//!
//! ```
//! use perfectplay::words::{Mark, short};
//! use perfectplay::answer::{Outcome, Verdict};
//!
//! let won = Verdict::outcome_in(Outcome::Win, Some(3));
//! assert_eq!((Mark::of(&won, false), short(&won, false)), (Mark::Win, "W 3".to_string()));
//! assert_eq!(short(&Verdict::Score(-5), false), "−5");
//! ```
//!
//! In words, with what was gained before and what a line of best play brings:
//!
//! ```
//! use perfectplay::answer::{Player, Verdict};
//! use perfectplay::words::{self, Assessment, LineTotals};
//! use perfectplay::{Solver, language::Rules, moves};
//!
//! let line = LineTotals { gains: vec![5, 10], moves: 3 };
//! let found: Assessment = words::standing(Player::FIRST, &Verdict::Score(-5), false, Some(&[10, 0]), Some(&line));
//! assert_eq!(found.words, "First wins by 5, 15 to 10, in 3 moves");
//! assert_eq!(words::player(Player::FIRST), "First");
//!
//! // What a move is worth, and how a game that is over has ended.
//! let game = Rules::gallery("tic_tac_toe").unwrap().bind("{}")?;
//! let solved = Solver::new().solved(&game)?;
//! let rated = solved.moves(&game.start)?;
//! assert_eq!(words::worth(&rated[0], words::repeats(&solved)), "draws in 9 moves");
//! let over = moves::after(&game, "place(0), place(3), place(1), place(4), place(2)")?.unwrap();
//! assert_eq!(words::ending(&game, &over, None)?.words, "First has won");
//! assert_eq!(words::unknown().words, "Not solved");
//! # Ok::<(), perfectplay::Error>(())
//! ```
//!
//! Some searches do not count moves. So a draw of unknown length is one without end only where positions are known to repeat. The
//! caller says whether they do ([`repeats`]).

use std::fmt;

use game::{End, LoopyNimber, Outcome, Player, Verdict};
use rules::bind::{Bound, Position};
use solve::answer::solution::Winner;
use solve::answers::RatedMove;
use solve::error::SolveError;
use solve::solved::Solved;

use crate::numbers::plural;

/// The result of the whole game under best play, as a page shows it beside a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assessment {
    /// In words.
    pub words: String,
    /// In a few signs.
    pub short: String,
    /// How it looks for the player to move.
    pub mark: Mark,
    /// Who wins, where that is known.
    pub winner: Option<Winner>,
    /// What each player has in the end.
    pub totals: Option<Vec<i64>>,
}

/// How a position or a move looks for one player: a page gives each mark a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A win.
    Win,
    /// A loss.
    Lose,
    /// A draw, where the game ends.
    Draw,
    /// A draw by play without end.
    Endless,
    /// A score above the other's.
    Ahead,
    /// A score below the other's.
    Behind,
    /// Equal scores.
    Equal,
    /// Totals of several players.
    Payoffs,
    /// Nothing is known.
    Unknown,
}

impl Mark {
    /// The mark of a verdict, for the player to move.
    pub fn of(verdict: &Verdict, repeats: bool) -> Mark {
        match verdict {
            Verdict::Score(value) => Mark::of_lead(*value),
            Verdict::Payoffs { .. } => Mark::Payoffs,
            other => match other.outcome() {
                Some(Outcome::Win) => Mark::Win,
                Some(Outcome::Loss) => Mark::Lose,
                Some(Outcome::Draw) if is_endless(other, repeats) => Mark::Endless,
                Some(Outcome::Draw) => Mark::Draw,
                None => Mark::Unknown,
            },
        }
    }

    /// The mark of a lead in a game that is scored.
    fn of_lead(lead: i64) -> Mark {
        match lead.signum() {
            1 => Mark::Ahead,
            -1 => Mark::Behind,
            _ => Mark::Equal,
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Mark::Win => "win",
            Mark::Lose => "lose",
            Mark::Draw => "draw",
            Mark::Endless => "endless",
            Mark::Ahead => "ahead",
            Mark::Behind => "behind",
            Mark::Equal => "equal",
            Mark::Payoffs => "payoffs",
            Mark::Unknown => "unknown",
        })
    }
}

/// What a line of best play brings from a position on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineTotals {
    /// What each player gains.
    pub gains: Vec<i64>,
    /// How many moves it has.
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

/// A verdict in a few signs: `+5`, `W 3`, `L 4`, `D`, `∞`.
pub fn short(verdict: &Verdict, repeats: bool) -> String {
    match verdict {
        Verdict::Score(value) => signed(*value),
        Verdict::Payoffs { totals, .. } => totals.iter().map(i64::to_string).collect::<Vec<_>>().join(":"),
        other => {
            let letter = match Mark::of(other, repeats) {
                Mark::Win => "W",
                Mark::Lose => "L",
                Mark::Endless => return "∞".to_string(),
                Mark::Draw => "D",
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

/// What each player gets, by name.
fn named_totals(totals: &[i64]) -> String {
    let named = |(seat, total): (usize, &i64)| format!("{} {total}", player(Player(seat as u8)));
    totals.iter().enumerate().map(named).collect::<Vec<_>>().join(", ")
}

/// The totals in the order of the players; of two, what the winner has comes first, beside the winner's name.
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
        Verdict::Payoffs { totals, .. } => named_totals(totals),
        verdict => {
            let moves = in_moves(verdict.remoteness().map(u64::from));
            match Mark::of(verdict, repeats) {
                Mark::Win => format!("wins{moves}{nimber}"),
                Mark::Lose => format!("loses{moves}{nimber}"),
                Mark::Endless => format!("draws without end{nimber}"),
                _ => format!("draws{moves}{nimber}"),
            }
        }
    }
}

/// What best play brings from a position on. `so_far` is what everyone has gained before, where that is known and counted; `line`
/// is what a line of best play brings, where one was looked for.
pub fn standing(
    mover: Player,
    verdict: &Verdict,
    repeats: bool,
    so_far: Option<&[i64]>,
    line: Option<&LineTotals>,
) -> Assessment {
    let (mark, short) = (Mark::of(verdict, repeats), short(verdict, repeats));
    match verdict {
        Verdict::Score(value) => scored(mover, *value, so_far, line),
        Verdict::Payoffs { totals, .. } => {
            let all = match so_far {
                Some(so_far) => totals.iter().zip(so_far).map(|(one, other)| one.saturating_add(*other)).collect(),
                None => totals.to_vec(),
            };
            let winner = highest(&all);
            let words = match (winner, so_far) {
                (_, None) => format!("From here on the totals are {}", named_totals(&all)),
                (Some(winner), _) => format!("{} wins, {}", player(winner), totals_text(&all)),
                (None, _) => format!("Nobody wins alone, {}", totals_text(&all)),
            };
            let totals = so_far.map(|_| all);
            Assessment { words, short, mark, winner: winner.map(Winner::Player), totals }
        }
        other => {
            let moves = in_moves(other.remoteness().map(u64::from));
            let nimber = match (other.nimber(), other.infinite()) {
                (Some(nimber), _) => format!("; nimber {nimber}"),
                (_, Some(set)) => format!("; loopy nimber ∞{set}"),
                _ => String::new(),
            };
            let winner = other.outcome().map_or(Winner::Draw, |outcome| Winner::of(outcome, mover));
            let words = match winner {
                Winner::Player(winner) => format!("{} wins{moves}{nimber}", player(winner)),
                Winner::Draw if mark == Mark::Endless => format!("A draw without end{nimber}"),
                Winner::Draw => format!("A draw{moves}{nimber}"),
            };
            Assessment { words, short, mark, winner: Some(winner), totals: None }
        }
    }
}

fn scored(mover: Player, value: i64, so_far: Option<&[i64]>, line: Option<&LineTotals>) -> Assessment {
    let ahead = |lead: i64| if lead > 0 { mover } else { mover.other() };
    let Some(so_far) = so_far else {
        let words = match value {
            0 => "From here on both get the same".to_string(),
            value => format!("From here on {} gets {} more", ahead(value), value.unsigned_abs()),
        };
        return Assessment { words, short: signed(value), mark: Mark::of_lead(value), winner: None, totals: None };
    };
    let seat = |player: Player| so_far.get(usize::from(player.0)).copied().unwrap_or(0);
    let lead = value.saturating_add(seat(mover)).saturating_sub(seat(mover.other()));
    let totals: Option<Vec<i64>> =
        line.map(|line| line.gains.iter().zip(so_far).map(|(one, other)| one.saturating_add(*other)).collect());
    let ends = totals.as_ref().map_or(String::new(), |totals| format!(", {}", totals_text(totals)));
    let moves =
        line.filter(|line| line.moves > 0).map_or(String::new(), |line| format!(",{}", in_moves(Some(line.moves))));
    let (words, winner) = match lead {
        0 => (format!("Equal scores{ends}{moves}"), Winner::Draw),
        lead => {
            let winner = ahead(lead);
            let words = format!("{} wins by {}{ends}{moves}", player(winner), lead.unsigned_abs());
            (words, Winner::Player(winner))
        }
    };
    Assessment { words, short: signed(lead), mark: Mark::of_lead(lead), winner: Some(winner), totals }
}

/// The player with the highest total, if there is just one.
fn highest(totals: &[i64]) -> Option<Player> {
    match Winner::by_totals(totals) {
        Some(Winner::Player(player)) => Some(player),
        _ => None,
    }
}

/// How a game that is over has ended.
pub fn ending(bound: &Bound, position: &Position, so_far: Option<&[i64]>) -> Result<Assessment, SolveError> {
    let mover = position.turn;
    let ended = |words: String, winner: Option<Winner>| {
        let mark = match winner {
            Some(Winner::Player(winner)) if winner == mover => Mark::Win,
            Some(Winner::Player(_)) => Mark::Lose,
            Some(Winner::Draw) => Mark::Draw,
            None => Mark::Payoffs,
        };
        Assessment { words, short: "end".to_string(), mark, winner, totals: None }
    };
    let has_won = |winner: Player| ended(format!("{} has won", player(winner)), Some(Winner::Player(winner)));
    let drawn = || ended("A draw".to_string(), Some(Winner::Draw));
    Ok(match crate::moves::end(bound, position)? {
        Some(End::Outcome(Outcome::Win)) => has_won(mover),
        Some(End::Outcome(Outcome::Loss)) => has_won(mover.other()),
        Some(End::Outcome(Outcome::Draw)) => drawn(),
        Some(End::Gains(last)) if bound.program.counted => {
            let Some(so_far) = so_far else { return Ok(ended("The game is over".to_string(), None)) };
            let add = |(a, b): (&i64, &i64)| a.checked_add(*b).ok_or(SolveError::Overflow);
            let all = so_far.iter().zip(&last).map(add).collect::<Result<Vec<i64>, _>>()?;
            let mut found = match highest(&all) {
                Some(winner) => {
                    let by = match all[..] {
                        [one, other] => format!(" by {}", one.abs_diff(other)),
                        _ => String::new(),
                    };
                    let words = format!("{} has won{by}, {}", player(winner), totals_text(&all));
                    ended(words, Some(Winner::Player(winner)))
                }
                None if all.len() == 2 => ended(format!("Equal scores, {}", totals_text(&all)), Some(Winner::Draw)),
                None => ended(format!("Nobody has won alone, {}", totals_text(&all)), None),
            };
            if all.len() == 2 {
                let (mine, other) = (all[usize::from(mover.0) % 2], all[usize::from(mover.other().0) % 2]);
                found.mark = Mark::of_lead(mine.saturating_sub(other));
            }
            found.totals = Some(all);
            found
        }
        Some(End::Gains(gains)) => match highest(&gains) {
            Some(winner) => has_won(winner),
            None if gains.iter().all(|gain| *gain == 0) => drawn(),
            None => ended("Nobody has won alone".to_string(), None),
        },
        None => ended("Nothing is left to move".to_string(), None),
    })
}

/// The assessment of a position of which nothing is known.
pub fn unknown() -> Assessment {
    let words = "Not solved".to_string();
    Assessment { words, short: "?".to_string(), mark: Mark::Unknown, winner: None, totals: None }
}
