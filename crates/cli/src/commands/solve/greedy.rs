//! `solve --compare greedy` for people.

use perfectplay::answer::compare::{Compare, Match, Mistake, Score};
use perfectplay::answer::{Player, Solution};
use perfectplay::language::show::cut;

use crate::output::{BAD, EVEN, GOOD, Rows, count, plural, styled};
use crate::phrases::totals;

/// How much of a position is shown; `--json` has more.
const MOST_LETTERS: usize = 100;

/// The rows that tell how greedy play fares.
pub fn rows(rows: &mut Rows, solution: &Solution, compare: &Compare, starter: Player) {
    let greedy = &compare.greedy;
    for played in [&greedy.first, &greedy.second] {
        let Some(value) = solution.value else { continue };
        let value = if played.player == starter { value } else { -value };
        rows.prose(&format!("greedy {}", played.player), &match_text(played, solution, value, starter));
        if let Some(mistake) = &played.first_mistake {
            rows.prose("mistake", &mistake_text(mistake, played.mistakes > 1));
        }
    }
    if let Some(score) = &greedy.itself {
        rows.prose("greedy both", &both(score, starter));
    }
}

fn match_text(played: &Match, solution: &Solution, perfect: i64, starter: Player) -> String {
    let scores = solution.scores.as_deref().map_or(String::new(), |scores| format!(" ({})", totals(scores)));
    let mistakes = match (played.mistakes, played.cut) {
        (0, false) => return format!("{} ({}), as perfect play: no mistakes", result(perfect), totals(&played.scores)),
        (0, true) => "no mistakes so far".to_string(),
        (1, false) => format!("1 mistake, which costs {}", played.cost),
        (number, false) => format!("{}, which cost {}", plural(number, "mistake"), played.cost),
        (1, true) => format!("1 mistake so far, which costs {}", played.cost),
        (number, true) => format!("{} so far, which cost {}", plural(number, "mistake"), played.cost),
    };
    match played.value {
        Some(value) => {
            let value = if played.player == starter { value } else { -value };
            let scored = totals(&played.scores);
            format!("{} ({scored}), where perfect play {}{scores}: {mistakes}", result(value), result(perfect))
        }
        None => format!(
            "played for {} only, since more would take long: {mistakes}; perfect play {}{scores}",
            plural(played.moves, "move"),
            result(perfect)
        ),
    }
}

fn mistake_text(mistake: &Mistake, more: bool) -> String {
    format!(
        "{}move {}, {}: plays {} for {}, where {} for {} is best; costs {}",
        if more { "the first is " } else { "" },
        count(mistake.number),
        cut(MOST_LETTERS, &mistake.position),
        mistake.played,
        mistake.gain,
        mistake.best,
        mistake.best_gain,
        mistake.cost
    )
}

fn both(score: &Score, starter: Player) -> String {
    match score.value {
        0 => format!("the scores are equal ({})", totals(&score.scores)),
        value => {
            let winner = if value > 0 { starter } else { starter.other() };
            format!("the {winner} player wins by {} ({})", value.unsigned_abs(), totals(&score.scores))
        }
    }
}

/// `wins by 5`, as the player sees it.
fn result(value: i64) -> String {
    match value.signum() {
        1 => styled(format!("wins by {value}"), GOOD),
        -1 => styled(format!("loses by {}", value.unsigned_abs()), BAD),
        _ => styled("draws", EVEN),
    }
}
