//! Results in words, the same in every command.

use perfectplay::SolveError;
use perfectplay::answer::{End, LoopyNimber, Outcome, Player, Understood, Verdict, Winner};
use perfectplay::json::Spelled;
use perfectplay::language::{Bound, Position, show::cut};
use perfectplay::moves::{self, RatedMove};

use crate::output::{self, BAD, EVEN, FAINT, GOOD, STRONG, plural, styled};

/// `the first player`, `player 3`.
pub fn player(name: &str) -> String {
    if name.starts_with("player") { name.to_string() } else { format!("the {name} player") }
}

/// The game and its instance as words of the command line, long values cut.
pub fn title(game: &str, instance: &Understood) -> String {
    let (indent, width) = (game.chars().count() + 2, output::width());
    let most = width.saturating_sub(indent).clamp(20, 70);
    let word = |(name, value)| cut(most, &format_args!("{name}={}", Spelled(value)));
    let words: Vec<String> = instance.iter().map(word).collect();
    format!("{}  {}\n", styled(game, STRONG), styled(output::prose(&words.join(" "), indent, width), FAINT))
}

/// A sum of different games, cut where it is very long.
pub fn sum_title(sum: &str) -> String {
    format!("{}\n", styled(output::prose(&cut(400, &sum), 2, output::width()), STRONG))
}

/// `13 : 15 : 5`.
pub fn totals(totals: &[i64]) -> String {
    totals.iter().map(i64::to_string).collect::<Vec<_>>().join(" : ")
}

/// ` in 7 moves`, where it is known.
pub fn in_moves(remoteness: Option<impl Into<u64>>) -> String {
    remoteness.map_or(String::new(), |moves| format!(" in {}", plural(moves.into(), "move")))
}

/// ` in 7 moves`, or that a draw never ends.
fn how_long(verdict: &Verdict) -> String {
    let endless = match verdict {
        Verdict::Outcome { .. } => verdict.remoteness().is_none(),
        Verdict::Loopy(_) => true,
        _ => false,
    };
    match verdict.outcome() {
        Some(Outcome::Draw) if endless => " endlessly".to_string(),
        _ => in_moves(verdict.remoteness()),
    }
}

/// Who is to move, and what best play brings from here on.
pub fn standing(mover: Player, verdict: Option<&Verdict>) -> String {
    let who = player(&mover.to_string());
    let Some(verdict) = verdict else { return format!("{who} is to move") };
    match verdict {
        Verdict::Score(0) => format!("{who} is to move; from here on both can get the same"),
        Verdict::Score(value) => {
            let (more, less) = if *value > 0 { (mover, mover.other()) } else { (mover.other(), mover) };
            format!("{who} is to move; from here on {more} gets {} more than {less}", value.unsigned_abs())
        }
        Verdict::Payoffs { totals: all, .. } => {
            format!("{who} is to move; from here on the totals are {}", totals(all))
        }
        other => {
            let result = match other.outcome() {
                Some(Outcome::Win) => styled("wins", GOOD),
                Some(Outcome::Loss) => styled("loses", BAD),
                _ => styled("draws", EVEN),
            };
            let nimber = match (other.nimber(), other.infinite()) {
                (Some(nimber), _) => format!("; nimber {nimber}"),
                (_, Some(set)) => format!("; loopy nimber ∞{set}"),
                _ => String::new(),
            };
            format!("{who} is to move and {result}{}{nimber}", how_long(other))
        }
    }
}

/// What a move is worth to the player who makes it.
pub fn worth(mv: &RatedMove) -> String {
    let nimber = match &mv.leaves {
        Some(LoopyNimber::Finite(nimber)) => format!(", to nimber {nimber}"),
        Some(infinite) => format!(", to {infinite}"),
        None => String::new(),
    };
    match &mv.worth {
        Verdict::Score(value) => {
            let style = match value.signum() {
                1 => GOOD,
                -1 => BAD,
                _ => EVEN,
            };
            styled(if *value == 0 { "0".to_string() } else { format!("{value:+}") }, style)
        }
        Verdict::Payoffs { totals: all, .. } => totals(all),
        verdict => {
            let (word, style) = match verdict.outcome() {
                Some(Outcome::Win) => ("wins", GOOD),
                Some(Outcome::Loss) => ("loses", BAD),
                _ => ("draws", EVEN),
            };
            format!("{}{}{nimber}", styled(word, style), how_long(verdict))
        }
    }
}

/// How a game that is over has ended; `gained` is what everyone has in a counted game.
pub fn ending(bound: &Bound, position: &Position, gained: Option<&[i64]>) -> Result<String, SolveError> {
    let wins = |winner: Player| format!("{} wins", player(&winner.to_string()));
    Ok(match (moves::end(bound, position)?, gained) {
        (Some(End::Outcome(Outcome::Win)), _) => wins(position.turn),
        (Some(End::Outcome(Outcome::Loss)), _) => wins(position.turn.other()),
        (Some(End::Outcome(Outcome::Draw)), _) => "a draw".to_string(),
        (Some(End::Gains(last)), Some(gained)) if bound.program.counted => {
            let sum = |(a, b): (&i64, &i64)| a.checked_add(*b).ok_or(SolveError::Overflow);
            let all = gained.iter().zip(&last).map(sum).collect::<Result<Vec<i64>, _>>()?;
            match Winner::by_totals(&all) {
                Some(Winner::Player(winner)) => format!("{}, {}", wins(winner), totals(&all)),
                _ if all.len() == 2 => format!("equal scores, {}", totals(&all)),
                _ => format!("nobody wins alone, {}", totals(&all)),
            }
        }
        (Some(End::Gains(gains)), _) if !bound.program.counted => match Winner::by_totals(&gains) {
            Some(Winner::Player(winner)) => wins(winner),
            _ if gains.iter().all(|gain| *gain == 0) => "a draw".to_string(),
            _ => "nobody wins alone".to_string(),
        },
        _ => "nothing is left to move".to_string(),
    })
}
